/* From rows, one a frame and pair of parts, to findings. */
#ifndef GRAZE_AUDIT_STRETCHES_H
#define GRAZE_AUDIT_STRETCHES_H

#include "audit/worker.h"

/* Sorts the rows, and fills the result's findings. fps is above 0. */
graze_status grazei_audit_stretch(const graze_audit_subject *subject,
                                  const graze_audit_settings *settings, double fps,
                                  grazei_audit_row *rows, size_t count, graze_audit_result *result,
                                  graze_error *error);

#endif
