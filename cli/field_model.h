/* A mesh with displacement fields as a model that others open: one node, a morph target for each
 * field, and clips of its weights and the node.
 */
#ifndef GRAZE_CLI_FIELD_MODEL_H
#define GRAZE_CLI_FIELD_MODEL_H

#include <graze/rig.h>

#include <stdio.h>

typedef struct field_model {
    graze_rig *rig; /* complete but for deltas, keys and extras, which are zeros */
    FILE *text;     /* the extras in the making, as JSON */
    char *written;
    size_t written_size;
} field_model;

typedef struct field_sizes {
    const char *name; /* of the node */
    const uint32_t *triangles;
    uint32_t vertex_count, triangle_count, target_count, clip_count;
} field_sizes;

/* False, with nothing to close, when out of memory. */
bool field_model_open(field_model *model, const field_sizes *sizes);
void field_model_close(field_model *model);

/* The displacements of a target, 3 floats a vertex. */
float *field_model_deltas(field_model *model, uint32_t target);

/* Channels of a clip; with `moves` translation and rotation of the node, and then the weights, if
 * there are targets. All have the same key times, which are in the first. False when out of memory.
 */
bool field_model_add_clip(field_model *model, uint32_t clip, const char *name, uint32_t key_count,
                          bool moves);

/* Copies the key times of the first channel to the others, and sets the clip's length. */
void field_model_end_clip(field_model *model, uint32_t clip);

/* A number and a string in the extras. */
void field_model_number(field_model *model, const char *before, double number);
void field_model_string(field_model *model, const char *before, const char *text);

/* Takes over the extras that were written; false when out of memory. */
bool field_model_end_extras(field_model *model);

/* Writes the file; false after printing the error. */
bool field_model_save(const field_model *model, const char *path);

#endif
