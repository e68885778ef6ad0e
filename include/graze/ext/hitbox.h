/* Hitboxes: spheres and capsules fitted to a model, after Macagon & Wuensche 2003.
 *
 *   outer hitboxes  each owns some triangles and contains them in every pose: quick to test
 *   inner hitboxes  fill the body: they tell how deep one body is in another
 *
 * Guarantee: outer hitboxes are conservative. In every pose, stretch and shear included, every
 * posed vertex of the triangles that a hitbox owns is inside it. How tight it is, is not promised.
 * Inner hitboxes are approximate.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_HITBOX_H
#define GRAZE_EXT_HITBOX_H

#include <graze/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The hitboxes of a model. Never changes: any number of threads may share it. */
typedef struct graze_hitboxes graze_hitboxes;

#define GRAZE_MAX_CLUSTERS 256
#define GRAZE_MAX_INNER_HITBOXES 1024

/* A hitbox written by hand. */
typedef struct graze_hitbox_def {
    bool inner;                /* false: outer */
    uint32_t part;             /* body part that it belongs to, which has triangles */
    uint32_t joint;            /* joint that moves it */
    graze_capsule rest;        /* in the rest pose; a sphere if p equals q */
    const uint32_t *triangles; /* of the part, that an outer hitbox owns; NULL: all of the part */
    uint32_t triangle_count;
} graze_hitbox_def;

typedef struct graze_hitboxes_def {
    uint32_t clusters; /* 1 to GRAZE_MAX_CLUSTERS; 0: 64. How many clusters of vertices a part has,
                          for poses in which graze_hitboxes_pose needs them. More are tighter and
                          take longer */
    uint32_t inner_hitboxes; /* most inner hitboxes of a part, up to GRAZE_MAX_INNER_HITBOXES; 0:
                                none */
    const graze_hitbox_def *given; /* hitboxes by hand; NULL: all are fitted */
    uint32_t given_count;
    uintptr_t reserved[2];
} graze_hitboxes_def;

/* Fits hitboxes. Each part gets one outer hitbox: the smaller of a capsule and a sphere. Takes some
 * 5 milliseconds per part and 1 microsecond per triangle, and memory from the model's allocator.
 * def NULL: all zero.
 *
 * Given hitboxes come first. Triangles that no given outer hitbox owns get fitted ones, one per
 * part; so do parts without a given inner hitbox, if inner_hitboxes is not 0. A given outer hitbox
 * follows its joint and is enlarged as far as its triangles need.
 *
 *   - GRAZE_BAD_INPUT starts with "hitbox N:" if a part, joint or triangle is out of range, a
 *     triangle is of another part or owned twice, an inner hitbox lists triangles, or a number is
 *     negative, not finite or above 1e15.
 *   - *hitboxes is set on success only. It keeps the model alive.
 */
GRAZE_EXPERIMENTAL graze_status graze_hitboxes_create(const graze_model *model,
                                                      const graze_hitboxes_def *def,
                                                      graze_hitboxes **hitboxes,
                                                      graze_error *error);

/* Frees the hitboxes. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_hitboxes_destroy(graze_hitboxes *hitboxes);

/* One hitbox at rest. */
typedef struct graze_hitbox {
    bool inner;
    bool fitted; /* false: it was given */
    uint32_t part;
    uint32_t joint;          /* that moves it; a fitted outer one: the joint with the most weight */
    uint32_t triangle_count; /* triangles that it owns; 0 for inner ones */
    graze_capsule rest;      /* a sphere if p equals q */
} graze_hitbox;

/* Returns how many hitboxes there are. *outer_count, which may be NULL, is how many of them, the
 * first ones, are outer. Of each kind given ones come first, in their order, then fitted ones by
 * part.
 */
GRAZE_EXPERIMENTAL uint32_t graze_hitboxes_count(const graze_hitboxes *hitboxes,
                                                 uint32_t *outer_count);

/* Returns one hitbox; all zero if the index is out of range. */
GRAZE_EXPERIMENTAL graze_hitbox graze_hitboxes_get(const graze_hitboxes *hitboxes, uint32_t index);

/* Returns the outer hitbox that owns a triangle; 0 if the triangle is out of range. */
GRAZE_EXPERIMENTAL uint32_t graze_hitboxes_owner(const graze_hitboxes *hitboxes, uint32_t triangle);

/* Writes all hitboxes in the pose of a body, in world space. Part masks change nothing. With linear
 * skinning and no morph weights no vertex is posed; otherwise all are. Allocates nothing.
 *
 * Where no vertex is posed, a fitted outer hitbox takes 0.1 to 0.2 microseconds, however many
 * triangles it owns. These outer hitboxes take 5 to 20 microseconds: given ones, those whose
 * vertices have over 64 joints, those with a joint that is scaled unevenly or over a tenth more or
 * less than the hitbox's own, and those that would become more than 8 times as large as at rest.
 *   - The body is of the same model.
 *   - capsules has room for capacity, at least graze_hitboxes_count; otherwise GRAZE_BAD_INPUT.
 * The same bits on every instruction set.
 */
GRAZE_EXPERIMENTAL graze_status graze_hitboxes_pose(const graze_hitboxes *hitboxes,
                                                    graze_body *body, graze_capsule *capsules,
                                                    uint32_t capacity, graze_error *error);

/* ---- contacts by hitboxes ------------------------------------------------------------------- */

/* Memory of the queries below, for bodies of any models. One thread at a time. */
typedef struct graze_hitbox_finder graze_hitbox_finder;

/* Makes a finder. allocator NULL: graze_default_allocator(). *finder is set on success only. */
GRAZE_EXPERIMENTAL graze_status graze_hitbox_finder_create(const graze_allocator *allocator,
                                                           graze_hitbox_finder **finder,
                                                           graze_error *error);

/* Frees the finder. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_hitbox_finder_destroy(graze_hitbox_finder *finder);

/* A body with the capsules that graze_hitboxes_pose wrote for its present pose. */
typedef struct graze_posed_hitboxes {
    const graze_hitboxes *hitboxes; /* NULL: it has none */
    graze_body *body;
    const graze_capsule *capsules; /* not read without hitboxes */
} graze_posed_hitboxes;

/* Finds which parts of two bodies meet: one contact for each pair of parts, sorted by the parts of
 * a, then b. Where no outer hitboxes overlap no triangle is posed.
 *
 * Two parts meet if their triangles do, or if an inner hitbox of one meets triangles of the other.
 * They also meet if its centre is inside the other body and that part is the nearest to it. (If the
 * model is closed and the body has hitboxes, inside is exact. Otherwise a centre counts as inside
 * if it is behind the nearest triangle and at most the hitbox's radius away from it.) Every such
 * inner hitbox gives a contact with the nearest point of the other surface; they are combined as by
 * graze_combine_contacts. Without any, depth is 0, and point and normal are those of the triangles.
 * pair_count is 0 if a part is inside without touching.
 *
 *   - a and b are different bodies, each of the model of its hitboxes. One of them may have none,
 *     such as a staircase: the depth is then how deep the other's inner hitboxes are in its
 *     triangles (Listing 4 of the paper).
 *   - options: stats only; the others are GRAZE_UNSUPPORTED.
 *   - Allocates only if a buffer exceeds its previous maximum.
 * Guarantee: no pair of parts whose triangles meet is left out. Depths are approximate. Exchanging
 * a and b exchanges parts and negates normals, bit for bit.
 */
GRAZE_EXPERIMENTAL graze_status graze_hitbox_contacts(
    graze_hitbox_finder *finder, const graze_posed_hitboxes *a, const graze_posed_hitboxes *b,
    graze_contact_list *contacts, const graze_options *options, graze_error *error);

/* The same for a body and a shape, which counts as one inner hitbox and is solid.
 *   - A sphere, capsule, box or half-space, otherwise GRAZE_UNSUPPORTED.
 */
GRAZE_EXPERIMENTAL graze_status graze_hitbox_touch(
    graze_hitbox_finder *finder, const graze_posed_hitboxes *a, const graze_shape *shape,
    graze_contact_list *contacts, const graze_options *options, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
