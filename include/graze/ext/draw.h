/* Debug drawing: what queries touched and found, as lines, boxes, spheres, triangles and points
 * that your program puts on the screen.
 *
 *     graze_draw draw = {0};
 *     draw.box = put_box;
 *     draw.line = put_line;
 *     graze_cast(body, &ray, &hit, NULL, &error);
 *     graze_draw_hit(&draw, &ray, &hit, &error);
 *     graze_draw_bounds(&draw, body, GRAZE_NONE, true, &error);     leaves that the ray bounded
 *
 * For all functions:
 *   - Drawing is not a query. It computes what it needs and keeps none of it, so the next query
 *     does the same work as without drawing, and was_refitted (ext/inspect.h) does not change. Only
 *     shared bodies keep bounds that were drawn, and lean bodies borrow caches for
 *     graze_draw_bounds.
 *   - Callbacks draw at once or copy. They may ask questions, and may not change what is drawn.
 *   - Reserved words that are not zero, and what a comment says, are GRAZE_BAD_INPUT, and then
 *     nothing is drawn. Nothing is allocated.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_DRAW_H
#define GRAZE_EXT_DRAW_H

#include <graze/contact.h>
#include <graze/ray.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Colours, 0xRRGGBB, as in the viewer (docs/web.md) on a dark ground. They tell what is drawn, and
 * a callback may replace them by its own.
 */
typedef enum graze_draw_colour {
    GRAZE_DRAW_REFITTED = 0x4d8dff,  /* bounds that a query computed in this pose */
    GRAZE_DRAW_UNTOUCHED = 0xe0433d, /* bounds that none did */
    GRAZE_DRAW_BODY = 0xaab3bf,      /* triangles */
    GRAZE_DRAW_POSED = 0x57a0e0,     /* triangles whose vertices a query computed in this pose */
    GRAZE_DRAW_PAIR_A = 0xff5233,    /* the first triangle of a pair */
    GRAZE_DRAW_PAIR_B = 0xffb020,    /* the second */
    GRAZE_DRAW_CONTACT = 0xffffff,   /* the point of a contact */
    GRAZE_DRAW_DEPTH = 0xff40c0,     /* from there along the normal, as far as it is deep */
    GRAZE_DRAW_NORMAL = 0x57e0a0,    /* normals of contacts and hits */
    GRAZE_DRAW_RAY = 0x3fd0ff,       /* a ray, as far as its hit, and the hit */
    GRAZE_DRAW_SHAPE = 0xb5aa98,     /* shapes */
    GRAZE_DRAW_MEMBER = 0x8f7fd6     /* boxes around members of a world */
} graze_draw_colour;

/* How to draw. Members that are NULL are skipped. */
typedef struct graze_draw {
    void (*line)(void *user, const float from[3], const float to[3], uint32_t colour);
    void (*box)(void *user, const graze_box *box, uint32_t colour);
    void (*sphere)(void *user, const float centre[3], float radius, uint32_t colour);
    void (*triangle)(void *user, const float a[3], const float b[3], const float c[3],
                     uint32_t colour);
    void (*point)(void *user, const float at[3], uint32_t colour);
    void *user;   /* passed to all */
    float length; /* of normals, and half the side of a plane; finite
                     and not negative; 0: 1 */
    uintptr_t reserved[2];
} graze_draw;

/* ---- bodies --------------------------------------------------------------------------------- */

/* Draws the triangles of a body in its pose and part mask, as triangles. */
GRAZE_EXPERIMENTAL graze_status graze_draw_body(const graze_draw *draw, graze_body *body,
                                                graze_error *error);

/* Draws bounds of tree nodes, as boxes or spheres: those of a level (0: the root) and leaves above
 * it, which together hold everything. GRAZE_NONE: all leaves. Nodes without triangles in the part
 * mask are left out.
 *   - only_refitted: only bounds that queries computed in this pose.
 */
GRAZE_EXPERIMENTAL graze_status graze_draw_bounds(const graze_draw *draw, graze_body *body,
                                                  uint32_t level, bool only_refitted,
                                                  graze_error *error);

/* Draws the triangles whose vertices queries computed in this pose, patch by patch. */
GRAZE_EXPERIMENTAL graze_status graze_draw_patches(const graze_draw *draw, graze_body *body,
                                                   graze_error *error);

/* ---- answers -------------------------------------------------------------------------------- */

/* Draws both triangles of each pair. a and b are the same body for graze_self_pairs.
 *   - pairs may be NULL if count is 0. Triangles are below the models' counts.
 */
GRAZE_EXPERIMENTAL graze_status graze_draw_pairs(const graze_draw *draw, graze_body *a,
                                                 graze_body *b, const graze_pair *pairs,
                                                 size_t count, graze_error *error);

/* Draws the point of each contact, its normal, and over that a line as long as its depth.
 *   - contacts may be NULL if count is 0.
 */
GRAZE_EXPERIMENTAL graze_status graze_draw_contacts(const graze_draw *draw,
                                                    const graze_contact *contacts, size_t count,
                                                    graze_error *error);

/* Draws a ray from t_min to its hit, the hit and its normal. Without a hit the ray goes to t_max,
 * or, if that is infinite, as far as `length` times dir.
 */
GRAZE_EXPERIMENTAL graze_status graze_draw_hit(const graze_draw *draw, const graze_ray *ray,
                                               const graze_hit *hit, graze_error *error);

/* Draws a shape. A capsule is two spheres and a line. A plane, a half-space and every plane of a
 * frustum is a flat box around its point nearest to the origin, and its normal.
 */
GRAZE_EXPERIMENTAL graze_status graze_draw_shape(const graze_draw *draw, const graze_shape *shape,
                                                 graze_error *error);

/* ---- worlds --------------------------------------------------------------------------------- */

struct graze_world; /* ext/world.h */

/* What of a world is drawn: bits. */
typedef enum graze_draw_members {
    GRAZE_DRAW_SHAPES = 1,  /* shapes, as by graze_draw_shape */
    GRAZE_DRAW_BODIES = 2,  /* bodies, as by graze_draw_body */
    GRAZE_DRAW_BOXES = 4,   /* the box around every member but half-spaces, as it stands now */
    GRAZE_DRAW_CONTACTS = 8 /* contacts of the last update */
} graze_draw_members;

/* Draws a world. It is in graze::world, the other functions are in graze::parts.
 *   - members: 0: everything.
 */
GRAZE_EXPERIMENTAL graze_status graze_draw_world(const graze_draw *draw, struct graze_world *world,
                                                 uint32_t members, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
