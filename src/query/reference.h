/* Brute force: every vertex posed, all triangles looked at. What everything else is compared with.
 */
#ifndef GRAZEI_QUERY_REFERENCE_H
#define GRAZEI_QUERY_REFERENCE_H

#include "body/patches.h"
#include "query/agenda.h"

#include <string.h>

/* Boxes of so many triangles stay in the first cache while all others pass by. */
#define GRAZEI_REFERENCE_BLOCK 512

/* A triangle of a posed mesh, as the exact tests take it. */
static inline void grazei_reference_triangle(const grazei_posed_mesh *mesh, uint32_t triangle,
                                             float corners[3][3])
{
    float rows[3][4] __attribute__((aligned(16)));
    grazei_mesh_triangle(mesh, triangle, rows);
    for (int c = 0; c < 3; c++)
        memcpy(corners[c], rows[c], sizeof corners[c]);
}

static inline grazei_bound grazei_reference_box(const grazei_posed_mesh *mesh, uint32_t triangle)
{
    grazei_bound box;
    float rows[3][4] __attribute__((aligned(16)));
    grazei_mesh_triangle(mesh, triangle, rows);
    f4 p = f4_load(rows[0]), q = f4_load(rows[1]), r = f4_load(rows[2]);
    grazei_bound_set_box(&box, f4_min(p, f4_min(q, r)), f4_max(p, f4_max(q, r)));
    return box;
}

/* Looks at a pair of triangles whose boxes may not be apart; false: enough. */
typedef bool (*grazei_reference_fn)(void *user, uint32_t a, uint32_t b);

/* All triangles of a against all of b. Passed over are those whose boxes are farther apart than
 * *limit, which is read anew for each; limit NULL: those whose boxes are apart.
 */
void grazei_reference_pairs(const grazei_posed_mesh *a, const grazei_posed_mesh *b,
                            const float *limit, grazei_reference_fn look, void *user);

#endif
