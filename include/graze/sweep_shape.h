/* Continuous collision of simple shapes: when does a moving sphere, capsule, box or half-space
 * first meet a moving body?
 *
 * The body moves as in graze/sweep.h. The shape is given at the start (time 0) and at the end (time
 * 1), and every point of it moves along a straight line at constant speed: its centre, the ends of
 * a capsule, the corners of a box; a radius, or the offset of a half-space, changes evenly. So a
 * box that turns does what the triangles of a turning body do: half way it is the mean of both
 * boxes, a little smaller than either. Turn it in steps of some 20 degrees where that matters.
 *
 * Guarantee: conservative. Triangles that meet the closed shape at any time are never missed, and
 * the time given for them is never later than they first do; what graze_touch finds at the start or
 * at the end is always found. At the time given (but for its rounding down to a float) triangle and
 * shape are at most 2^-22 of the reach apart: the largest distance, on any axis, of a corner of
 * either from the shape's centre (a capsule's p), at the start or the end, plus the larger of its
 * radii. For a half-space it is less than 2^-40 of the largest product of a corner and the normal.
 * Triangles that come so near without touching may be reported as well. Whether they meet at the
 * start is decided as by graze_touch. (After a thousand steps the time reached is given as the
 * impact's.)
 *
 * Answers are the same bits on every tree and instruction set. Allocates nothing.
 */
#ifndef GRAZE_SWEEP_SHAPE_H
#define GRAZE_SWEEP_SHAPE_H

#include <graze/shapes.h>
#include <graze/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A triangle that the shape meets. */
typedef struct graze_shape_impact {
    bool found;        /* false: there is none, and everything else is 0 */
    bool initial;      /* they meet at the start already; point and normal are 0 */
    float time;        /* in [0, 1] */
    uint32_t triangle; /* of the body */
    uint32_t group;    /* body part of the triangle */
    float point[3];    /* where, at that time: the point of the triangle nearest to the shape */
    float normal[3];   /* unit, from the triangle towards the shape; 0 if nothing can tell */
} graze_shape_impact;

/* Receives one impact for each triangle; return false to stop. */
typedef bool (*graze_shape_impact_fn)(void *user, const graze_shape_impact *impacts, size_t count);

/* The earliest impact; of equal times one at which they meet at the start, then the lowest
 * triangle. only_new: triangles that the shape meets at the start are left out.
 *   - The start and end of the motion are of one model and have the same group mask.
 *   - from and to are shapes of one kind, as graze/shapes.h has them; they may be the same.
 * Else GRAZE_BAD_INPUT.
 *   - A sphere, capsule, box or half-space, the last with one normal, number for number. Else
 *     GRAZE_UNSUPPORTED. The same goes for the functions below.
 */
GRAZE_EXPERIMENTAL graze_status graze_sweep_shape(const graze_motion *motion,
                                                  const graze_shape *from, const graze_shape *to,
                                                  bool only_new, graze_shape_impact *impact,
                                                  graze_stats *stats, graze_error *error);

/* Every triangle that the shape meets at some time, each with its first, in no particular order. */
GRAZE_EXPERIMENTAL graze_status graze_sweep_shape_all(const graze_motion *motion,
                                                      const graze_shape *from,
                                                      const graze_shape *to, bool only_new,
                                                      graze_shape_impact_fn report, void *user,
                                                      graze_stats *stats, graze_error *error);

/* The same into the caller's array, as graze_collide_into. */
GRAZE_EXPERIMENTAL graze_status graze_sweep_shape_all_into(const graze_motion *motion,
                                                           const graze_shape *from,
                                                           const graze_shape *to, bool only_new,
                                                           graze_shape_impact *impacts,
                                                           size_t capacity, size_t *count,
                                                           graze_stats *stats, graze_error *error);

/* Whether x comes before y in the order of graze_sweep_shape; an impact comes before none. */
GRAZE_EXPERIMENTAL bool graze_shape_impact_is_earlier(const graze_shape_impact *x,
                                                      const graze_shape_impact *y);

#ifdef __cplusplus
}
#endif

#endif
