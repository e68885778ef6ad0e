/* Rigs of one node that others open: rigid meshes, and meshes with displacement fields, a morph
 * target for each field, and clips of their weights and the node.
 */
#ifndef GRAZE_CLI_FIELD_MODEL_H
#define GRAZE_CLI_FIELD_MODEL_H

#include <graze/rig.h>

#include <stdio.h>

/* Room for a mesh on one node that follows its one joint: positions and triangles are zeros. */
graze_rig *rigid_rig(uint32_t vertex_count, uint32_t triangle_count);

typedef struct field_sizes {
    const char *name; /* of the node */
    const uint32_t *triangles;
    uint32_t vertex_count, triangle_count, target_count, clip_count;
} field_sizes;

/* The same with fields; complete but for positions, deltas, clips and extras. */
graze_rig *field_rig_create(const field_sizes *sizes);

/* Channels of a clip; with `moves` translation and rotation of the node, and then the weights, if
 * there are targets. All have the same key times, which are in the first.
 */
void field_rig_add_clip(graze_rig *rig, uint32_t clip, const char *name, uint32_t key_count,
                        bool moves);

/* Copies the key times of the first channel to the others, and sets the clip's length. */
void field_rig_end_clip(graze_rig *rig, uint32_t clip);

/* Such a rig with its extras in the making, as JSON. */
typedef struct field_model {
    graze_rig *rig;
    FILE *text;
    char *written;
    size_t written_size;
} field_model;

void field_model_open(field_model *model, const field_sizes *sizes);
void field_model_end_extras(field_model *model);
void field_model_close(field_model *model);

#endif
