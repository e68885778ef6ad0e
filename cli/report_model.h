/* The part of a report that holds for all frames: what was asked, names, and the models. */
#ifndef GRAZE_CLI_REPORT_MODEL_H
#define GRAZE_CLI_REPORT_MODEL_H

#include "cli/report.h"

#include <stdio.h>

/* Whether the page skins it. Others come as positions: blended rotations about centres that only
 * the library knows are not worth a second implementation in a shader.
 */
bool report_model_is_linear(const struct character *character);

/* Writes the elements graze-info and graze-model-0, graze-model-1. */
void report_model_write(FILE *file, const report_def *def, bool with_depth);

#endif
