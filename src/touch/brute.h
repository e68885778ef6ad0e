/* A shape against a triangle of a posed mesh, by itself. */
#ifndef GRAZEI_TOUCH_BRUTE_H
#define GRAZEI_TOUCH_BRUTE_H

#include "body/patches.h"
#include "narrow/shapes.h"

static inline void grazei_posed_corners(const grazei_posed_mesh *mesh, uint32_t triangle,
                                        const float *corners[3])
{
    for (size_t c = 0; c < 3; c++)
        corners[c] = mesh->points[mesh->triangles[3 * (size_t)triangle + c]];
}

static inline bool grazei_shape_meets_posed(const grazei_shape *shape,
                                            const grazei_posed_mesh *mesh, uint32_t triangle)
{
    const float *corners[3];
    uint32_t codes[3];
    for (size_t c = 0; c < 3; c++)
        grazei_shape_codes(shape, mesh->points + mesh->triangles[3 * (size_t)triangle + c], 1,
                           &codes[c]);
    grazei_posed_corners(mesh, triangle, corners);
    return grazei_shape_meets(shape, (const float *const *)corners, codes);
}

#endif
