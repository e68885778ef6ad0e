/* Which triangles of a body meet a shape. */
#ifndef GRAZEI_TOUCH_SHAPES_H
#define GRAZEI_TOUCH_SHAPES_H

#include "narrow/shapes.h"
#include "query/agenda.h"
#include "query/take.h"

#include <graze/touch.h>

typedef struct grazei_touch_question {
    grazei_question base;
    grazei_shape shape;
    grazei_triangle_fn report; /* NULL: the first triangle is enough */
    void *user;
    bool found; /* a triangle, where the first is enough */
    uint32_t triangle;
    bool stopped;
    uint32_t count;
    uint32_t triangles[256]; /* on their way to the caller */
} grazei_touch_question;

/* Puts the question for a shape that was made ready; the agenda is empty afterwards if the root is
 * outside.
 */
void grazei_touch_begin(grazei_touch_question *question, grazei_agenda *agenda, graze_body *body,
                        const grazei_shape *shape, grazei_triangle_fn report, void *user,
                        graze_stats *stats);

/* The same, answered by all triangles. */
void grazei_touch_brute(grazei_touch_question *question, grazei_agenda *agenda, graze_body *body,
                        const grazei_shape *shape, grazei_triangle_fn report, void *user,
                        graze_stats *stats);

/* Whether a lean body that has no caches is outside the shape, and needs none. */
bool grazei_touch_is_outside(graze_body *body, const grazei_shape *shape, graze_stats *stats);

/* On which side of the shape a bound lies, a sphere or a box. *middle (may be NULL) is how far its
 * middle is from the shape, roughly, less than 0 inside; of what is not outside.
 *
 * Outside means that no triangle within the bound is found to meet the shape, inside that every one
 * is. Both are decided with a margin that exceeds the roundings here and the tolerance there.
 */
graze_side grazei_shape_side(const grazei_shape *shape, const grazei_bound *bound, bool is_sphere,
                             float *middle);

#endif
