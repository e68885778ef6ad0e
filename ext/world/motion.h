/* Whether two meet on the way from the update before to this one: motion.c, which ask.c calls for
 * rules with a motion other than discrete, from any thread; bodies are shared for the time.
 *
 * On the way every vertex and every number of a shape moves in a straight line at constant speed,
 * from time 0 to time 1.
 */
#ifndef GRAZEI_WORLD_MOTION_H
#define GRAZEI_WORLD_MOTION_H

#include <graze/ext/world.h>

/* One of the two: a body, a shape, or at the level of parts the volumes of a body's fit. */
typedef struct grazei_mover {
    graze_body *start, *end;      /* of a body, then and now: of one model, with one part mask; the
                                     same body if it stood still. Else NULL */
    const graze_shape *from, *to; /* of a shape, then and now: of one kind; the same pointer if it
                                     stood still. Else NULL */

    /* At the level of parts, of a body with a fit; else none, and its triangles count. */
    const graze_capsule *volumes_from, *volumes_to; /* the same pointer if it stood still */
    const uint32_t *volume_parts; /* group of each; UINT32_MAX: not in the mask, to be left out */
    uint32_t volume_count;
} grazei_mover;

/* The first time at which they meet. */
typedef struct grazei_motion_answer {
    bool met; /* at any time from 0 to 1, both included; false: the rest but `capped` is 0 */
    bool capped;
    float time;
    uint32_t parts[2];     /* that meet first; 0 of a shape */
    uint32_t triangles[2]; /* of a and of b, UINT32_MAX where there is none */
    float point[3];        /* where */
    float normal[3];       /* unit, from b towards a; 0 if they meet at the start already */
} grazei_motion_answer;

/* level is GRAZE_LEVEL_HITBOXES or GRAZE_LEVEL_EXACT, motion other than GRAZE_MOTION_DISCRETE;
 * every pair of kinds of shapes that a world takes occurs. Exchanging a and b exchanges parts and
 * triangles and negates the normal, but for what is met at the same time; of two bodies the point
 * is on b. Allocates nothing.
 *
 * Swept: conservative. Of the smaller one, by the larger of the radii of balls around it then and
 * now, the ball counts, which goes from the one to the other; the part and triangle given for it
 * are those nearest to where the ball was met. Sampled: bodies as at_time.h has them, shapes that
 * turn turned; approximate, may miss. Continuous: as graze/sweep.h.
 * Half-spaces that turn are sampled, in as many steps as there are, and `capped` says so.
 */
graze_status grazei_motion_ask(graze_level level, graze_motion_rule motion, const grazei_mover *a,
                               const grazei_mover *b, grazei_motion_answer *answer,
                               graze_stats *stats, graze_error *error);

#endif
