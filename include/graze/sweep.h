/* Continuous collision: when do moving bodies first meet?
 *
 * A motion is a body in its start pose and another body of the same model in its end pose; between
 * them every vertex moves along a straight line at constant speed, from time 0 to time 1. Callers
 * keep two bodies for each thing that moves and swap them every frame, so that what was computed
 * for the end of one frame serves as the start of the next. For something that stands still both
 * may be the same body.
 *
 * Guarantee: conservative. Triangles that meet at any time are never missed, and the time given for
 * them is never later than they first do. At that time (but for its rounding down to a float) they
 * are at most 2^-22 of the reach apart: the largest distance, on any axis, of one of their corners
 * from the first corner of the first, at the start or the end. Triangles that come so near without
 * touching may be reported as well. Whether triangles meet at the start is decided exactly. (After
 * a thousand steps, more than any motion tried has needed, the time reached is given as the
 * impact's.)
 *
 * Answers are the same bits on every tree and instruction set.
 */
#ifndef GRAZE_SWEEP_H
#define GRAZE_SWEEP_H

#include <graze/query.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_motion {
    graze_body *start;
    graze_body *end; /* of the same model and with the same group mask; may be the same body */
} graze_motion;

/* Two triangles that meet. */
typedef struct graze_impact {
    bool found;      /* false: there is none, and everything else is 0 */
    bool initial;    /* they meet at the start already; point and normal are 0 */
    float time;      /* in [0, 1] */
    uint32_t a;      /* triangle of the first body */
    uint32_t b;      /* triangle of the second */
    float point[3];  /* where, at that time: the point of b nearest to a */
    float normal[3]; /* unit, from b towards a */
} graze_impact;

/* Receives one impact for each pair of triangles; return false to stop. */
typedef bool (*graze_impact_fn)(void *user, const graze_impact *impacts, size_t count);

/* The earliest impact; of equal times one at which triangles meet at the start, then the lowest a,
 * then the lowest b. only_new: triangles that meet at the start are left out.
 *   - b may be NULL: of the body with itself (a < b, and triangles that share a vertex position at
 *     rest are left out).
 *   - The start and end of a motion are of one model and have the same group mask.
 *   - No body belongs to both motions.
 * Else GRAZE_BAD_INPUT. The same goes for the functions below.
 */
GRAZE_API graze_status graze_sweep(const graze_motion *a, const graze_motion *b, bool only_new,
                                   graze_impact *impact, graze_stats *stats, graze_error *error);

/* Every pair of triangles that meet at some time, each with its first, in no particular order. */
GRAZE_API graze_status graze_sweep_pairs(const graze_motion *a, const graze_motion *b,
                                         bool only_new, graze_impact_fn report, void *user,
                                         graze_stats *stats, graze_error *error);

/* The same into the caller's array, as graze_collide_into. */
GRAZE_API graze_status graze_sweep_pairs_into(const graze_motion *a, const graze_motion *b,
                                              bool only_new, graze_impact *impacts, size_t capacity,
                                              size_t *count, graze_stats *stats,
                                              graze_error *error);

/* Whether x comes before y in the order of graze_sweep; an impact comes before none. */
GRAZE_API bool graze_impact_is_earlier(const graze_impact *x, const graze_impact *y);

#ifdef __cplusplus
}
#endif

#endif
