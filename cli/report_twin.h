/* Skinning other than linear in a report. The page skins linearly, in its shader, and adds what a
 * vertex lies off that: so much as a second implementation of blended rotations, whose centres only
 * the library knows, would be, in a few bytes a vertex.
 */
#ifndef GRAZE_CLI_REPORT_TWIN_H
#define GRAZE_CLI_REPORT_TWIN_H

#include "cli/report.h"
#include "cli/report_stream.h"

/* The same character with linear skinning, to be posed alike. */
struct report_twin {
    const graze_rig *rig;
    graze_model *model;
    graze_body *body; /* NULL: none is needed */
    float *positions; /* of the body, then of its twin */
};

/* Both print the error and return false on failure. */
bool report_twin_open(struct report_twin *twin, const struct character *character);
bool report_twin_write(struct report_twin *twin, const report_pose *pose, number_stream *stream);
void report_twin_close(struct report_twin *twin);

#endif
