/* Continuous collision: when do moving things first meet?
 *
 * Time goes from 0 to 1. Every vertex, the centre of a sphere, the ends of a capsule and the
 * corners of a box move along straight lines at constant speed; radii and offsets change evenly. A
 * box that turns is a little smaller half way; turn it in steps of some 20 degrees if that matters.
 *
 * Guarantee: conservative. No triangles that meet are missed, and no impact is later than they
 * first meet. At the time given they are at most 2^-22 of their extent apart (for a half-space
 * 2^-40). Their extent is the largest distance between any of their corners along any axis, at the
 * start or at the end. Triangles that come so near without touching may be reported. What meets at
 * the start is decided as by graze_pairs and graze_touch. The same bits on every tree and
 * instruction set.
 *
 * Standing: stable.
 */
#ifndef GRAZE_SWEEP_H
#define GRAZE_SWEEP_H

#include <graze/query.h>
#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How something moves: a body or a shape. Set start and end, or from and to; the others are NULL.
 *
 * Keep two bodies for each thing that moves and swap them every frame: what was computed for the
 * end of one frame then serves as the start of the next.
 */
typedef struct graze_motion {
    graze_body *start, *end;      /* of one model and with the same part mask; the same body: it
                                     stands still */
    const graze_shape *from, *to; /* of one kind: spheres, capsules, boxes, or half-spaces with the
                                     same normal; otherwise GRAZE_UNSUPPORTED */
} graze_motion;

/* Where and when two things meet. a is the first argument of the query, b the second. */
typedef struct graze_impact {
    bool found;            /* false: they do not meet, and the rest is 0 */
    bool initial;          /* they meet at the start already; point and normal are 0 */
    float time;            /* 0 to 1, rounded down */
    uint32_t triangles[2]; /* of a and b; GRAZE_NONE of a shape */
    uint32_t parts[2];     /* body parts of the triangles; 0 of a shape */
    float point[3];        /* at that time: the point of b nearest to a; if b is a shape, the point
                              of a nearest to it */
    float normal[3];       /* unit: the direction in which a leaves b; 0 if it is not known */
} graze_impact;

/* Where impacts go: see "lists" in query.h. */
typedef struct graze_impact_list {
    graze_impact *items;
    size_t capacity;
    bool (*report)(void *user, const graze_impact *impacts, size_t count);
    void *user;
    size_t count, total;
} graze_impact_list;

/* Finds the earliest impact. Of equal times: one that meets at the start, then the lowest triangle
 * of a, then of b.
 *   - a is a body. b is another body or a shape. b NULL: the body with itself, without neighbours
 *     (graze_self_pairs).
 *   - No body is in both motions.
 *   - options.only_new leaves out triangles that meet at the start.
 *   - options.any finds any impact, at the earliest time of its own two triangles.
 */
GRAZE_API graze_status graze_sweep(const graze_motion *a, const graze_motion *b,
                                   graze_impact *impact, const graze_options *options,
                                   graze_error *error);

/* Finds all pairs of triangles (with a shape: all triangles) that meet at some time, each with its
 * first impact, in no particular order. Arguments as above.
 */
GRAZE_API graze_status graze_sweep_all(const graze_motion *a, const graze_motion *b,
                                       graze_impact_list *impacts, const graze_options *options,
                                       graze_error *error);

/* Returns whether x comes before y in the order of graze_sweep. Any impact comes before none. */
GRAZE_API bool graze_impact_is_earlier(const graze_impact *x, const graze_impact *y);

#ifdef __cplusplus
}
#endif

#endif
