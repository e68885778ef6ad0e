/* Parts of a report: what holds for all frames, numbers, and bodies that the page cannot skin. */
#ifndef GRAZE_CLI_REPORT_PARTS_H
#define GRAZE_CLI_REPORT_PARTS_H

#include "cli/report.h"

#include <stdio.h>

/* ---- models, and what was asked ------------------------------------------------------------- */

/* Whether the page's own skinning is all there is to it. */
bool report_model_is_linear(const struct character *character);

/* Joints that move a vertex. */
uint32_t report_model_influences(const graze_rig *rig, uint32_t vertex);

/* Writes the elements graze-info and graze-model-0, graze-model-1. */
void report_model_write(FILE *file, const report_def *def, bool with_depth);

/* ---- numbers as base64 text, little-endian --------------------------------------------------- */

typedef struct number_stream {
    FILE *file;
    size_t size; /* bytes so far, as they were before base64 */
    unsigned char held[3];
} number_stream;

/* Starts a stream at the end of a file; stream_end writes what is held back, and its padding. */
number_stream stream_begin(FILE *file);
void stream_end(number_stream *stream);

void stream_u8(number_stream *stream, unsigned value);
void stream_u16(number_stream *stream, unsigned value);
void stream_u32(number_stream *stream, uint32_t value);
void stream_floats(number_stream *stream, const float *values, size_t count);
void stream_double(number_stream *stream, double value);

/* Seven bits a byte, the lowest first; the eighth says that more follow. Signed numbers alternate:
 * 0, -1, 1, -2, ...
 */
void stream_count(number_stream *stream, uint64_t value);
void stream_signed(number_stream *stream, int64_t value);

/* An index below count: two bytes if count is at most 65,536, else four. */
void stream_index(number_stream *stream, uint32_t value, uint32_t count);

/* Zeros up to the next multiple of four bytes. */
void stream_align(number_stream *stream);

/* ---- skinning other than linear -------------------------------------------------------------- */

/* The page skins linearly, in its shader, and adds what a vertex lies off that: so much as a second
 * implementation of blended rotations, whose centres only the library knows, would be, in a few
 * bytes a vertex.
 */

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
