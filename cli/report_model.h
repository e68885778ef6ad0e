/* The part of a report that holds for all frames: what was asked, names, and the models. */
#ifndef GRAZE_CLI_REPORT_MODEL_H
#define GRAZE_CLI_REPORT_MODEL_H

#include "cli/report.h"

#include <stdio.h>

/* Whether the page's own skinning is all there is to it. */
bool report_model_is_linear(const struct character *character);

/* Joints that move a vertex. */
uint32_t report_model_influences(const graze_rig *rig, uint32_t vertex);

/* Writes the elements graze-info and graze-model-0, graze-model-1. */
void report_model_write(FILE *file, const report_def *def, bool with_depth);

#endif
