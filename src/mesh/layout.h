/* Reads a def's arrays, however they lie in memory: what is interleaved with something else may
 * start at any byte.
 */
#ifndef GRAZEI_MESH_LAYOUT_H
#define GRAZEI_MESH_LAYOUT_H

#include <graze/model.h>

#include <string.h>

/* Whether pointers, types, strides and counts belong together; what they point to is not looked at.
 * Nothing below may be called before.
 */
graze_status grazei_check_layout(const graze_model_def *def, graze_error *error);

/* Element i of arrays of three floats that are stride bytes apart; 0: 12. */
static inline void grazei_load_three(const float *items, size_t stride, uint32_t i, float to[3])
{
    const unsigned char *bytes = (const unsigned char *)items;
    memcpy(to, bytes + (stride ? stride : 3 * sizeof(float)) * i, 3 * sizeof(float));
}

static inline uint32_t grazei_given_corner(const graze_model_def *def, uint32_t triangle,
                                           uint32_t corner)
{
    size_t i = 3 * (size_t)triangle + corner;
    return def->triangles ? def->triangles[i] : def->triangles16[i];
}

static inline bool grazei_has_influences(const graze_model_def *def)
{
    return def->influences || def->skin_layouts;
}

/* How many influences are given for a vertex, those of weight zero included. */
uint32_t grazei_given_count(const graze_model_def *def, uint32_t vertex);

/* One of them, as given; one of weight zero out of a layout is of joint 0, whatever stands there.
 */
graze_influence grazei_given_influence(const graze_model_def *def, uint32_t vertex, uint32_t i);

#endif
