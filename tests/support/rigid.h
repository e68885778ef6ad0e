/* A def of a mesh that moves as a whole. */
#ifndef GRAZE_TESTS_SUPPORT_RIGID_H
#define GRAZE_TESTS_SUPPORT_RIGID_H

#include <graze/model.h>

static inline graze_model_def test_rigid_def(const float *positions, uint32_t vertex_count,
                                             const uint32_t *triangles, uint32_t triangle_count)
{
    return (graze_model_def){.positions = positions,
                             .vertex_count = vertex_count,
                             .triangles = triangles,
                             .triangle_count = triangle_count,
                             .joint_count = 1};
}

#endif
