/* Distances of many triangles at a time. */
#ifndef GRAZEI_NARROW_DISTANCE_KERNELS_H
#define GRAZEI_NARROW_DISTANCE_KERNELS_H

#include "math/isa.h"
#include "narrow/patch.h"
#include "narrow/triangle_kernels.h"

/* Three corners of four floats each, aligned to 16 bytes; the fourth is not looked at. */
typedef const float (*grazei_corners)[4];

/* Triangles of which some may count, with what is known of them. `far` says how far each reaches
 * along a common direction: for one side of a pair towards the other one, for that one back.
 */
typedef struct grazei_near_set {
    size_t count;
    uint16_t numbers[GRAZEI_SET_TRIANGLES];
    float boxes[6][GRAZEI_SET_TRIANGLES + 16]; /* least x, y, z, greatest x, y, z */
    float far[GRAZEI_SET_TRIANGLES + 16];
} grazei_near_set;

#define GRAZEI_MAX_POINTS 256u

/* Points by axis, or as rows one after the other. */
typedef struct grazei_points {
    uint32_t count;
    union {
        float at[3][GRAZEI_MAX_POINTS + 16];
        float rows[3 * (GRAZEI_MAX_POINTS + 16)];
    };
} grazei_points;

typedef struct grazei_narrow_distance_kernels {
    /* The squares of the distances of count pairs of triangles, with the bits of
     * grazei_triangle_distance_square(), for triangles that do not meet. (For those that do it is
     * some number above 0.)
     */
    void (*distance_squares)(const grazei_corners *a, const grazei_corners *b, size_t count,
                             double *squares);

    /* The triangles of a that have not all of b beyond their planes, farther than `most`, as bits,
     * and how many they are. `most` is enlarged by 2^-45 of it, and by 20 u of the longest side of
     * the box around both, u = 2^-53, which is at least GRAZEI_ROUGH_LEAST.
     */
    uint32_t (*not_beyond_faces)(const grazei_posed_patch *a, const grazei_posed_patch *b,
                                 double most, uint64_t left[2]);

    /* Writes the pairs whose boxes are at most `limit` apart and whose reaches leave a gap of at
     * most `slab`, that is, slab + far + far >= 0, and returns how many: ordered by the triangle of
     * a, then of b. Some are farther apart by a few units in the last place. Writes behind the end
     * of b's rows; room as for box_pairs.
     */
    size_t (*near_pairs)(const grazei_near_set *a, grazei_near_set *b, float limit, float slab,
                         uint16_t *pairs);

    void (*load_points)(const float (*vertices)[4], uint32_t count, grazei_points *out);

    /* The number of the point nearest to the box, the first of several. */
    uint32_t (*nearest_point)(const grazei_points *points, const float least[3],
                              const float greatest[3]);

    /* The products of points, as seen from an origin, with a direction. `out` has room for count +
     * 16. Returns the number of the greatest, the first of several.
     */
    uint32_t (*reaches)(const grazei_points *points, const float origin[3],
                        const float direction[3], float *out);
} grazei_narrow_distance_kernels;

GRAZEI_DECLARE(grazei_narrow_distance_kernels, narrow_distance_kernels);

#endif
