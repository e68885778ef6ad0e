/* Body parts by name: the groups of a model, each with a name and perhaps inside another, as a hand
 * is inside an arm.
 *
 *     graze_parts_create(&def, &parts, &error);           or graze_rig_parts (graze/rig.h)
 *     graze_body_set_parts(body, parts, (const char *const[]){"arm.L", "arm.R"}, 2, &error);
 *     graze_cast(body, &ray, &hit, &stats, &error);       a ray against arms only
 *
 * A part's number is that of its group (graze_model_triangle_group), so that a part means its own
 * triangles and those of all parts inside it. Parts may be without triangles.
 */
#ifndef GRAZE_PART_TREE_H
#define GRAZE_PART_TREE_H

#include <graze/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Immutable: any number of threads may share it. It holds nothing of a model. */
typedef struct graze_parts graze_parts;

#define GRAZE_NO_PART UINT32_MAX

/* One part. */
typedef struct graze_part_def {
    const char *name;          /* NULL or empty: its number */
    uint32_t parent;           /* the part it is inside, before or behind it; or GRAZE_NO_PART */
    const uint32_t *triangles; /* its own, without those of parts inside it; only for
                                  graze_parts_fill_groups */
    uint32_t triangle_count;
} graze_part_def;

/* What parts are made from. Start from graze_default_parts_def(). */
typedef struct graze_parts_def {
    const graze_allocator *allocator; /* NULL: graze_default_allocator() */
    const graze_part_def *parts;
    uint32_t part_count; /* 1 to 2^30 */
} graze_parts_def;

/* All zero. */
GRAZE_EXPERIMENTAL graze_parts_def graze_default_parts_def(void);

/* Takes over names and nesting. Of equal names the second ends in #2, the third in #3, so that each
 * is one part's.
 *   - def and parts are not NULL, and *parts is set on success only.
 *   - Every parent is a part, and no part is inside itself, else GRAZE_BAD_INPUT names it.
 */
GRAZE_EXPERIMENTAL graze_status graze_parts_create(const graze_parts_def *def, graze_parts **parts,
                                                   graze_error *error);

/* Frees the parts. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_parts_destroy(graze_parts *parts);

/* Writes the part of each triangle, as graze_model_def.triangle_groups takes it: groups holds
 * triangle_count numbers. A triangle that no part lists is of `rest`.
 *   - Listed triangles are below triangle_count, and each is listed once, else GRAZE_BAD_INPUT
 * names the part and the triangle.
 *   - rest is a part; or GRAZE_NO_PART: a triangle that is not listed is GRAZE_BAD_INPUT.
 * With an error groups may be written in part.
 */
GRAZE_EXPERIMENTAL graze_status graze_parts_fill_groups(const graze_parts_def *def,
                                                        uint32_t triangle_count, uint32_t rest,
                                                        uint32_t *groups, graze_error *error);

/* How many parts there are. */
GRAZE_EXPERIMENTAL uint32_t graze_parts_count(const graze_parts *parts);

/* The name of a part, which lives as long as the parts do.
 *   - part is in range, else NULL.
 */
GRAZE_EXPERIMENTAL const char *graze_parts_name(const graze_parts *parts, uint32_t part);

/* *parent becomes the part that a part is inside; false, and *parent stays, if there is none. */
GRAZE_EXPERIMENTAL bool graze_parts_parent(const graze_parts *parts, uint32_t part,
                                           uint32_t *parent);

/* *part becomes the part of that name; false, and *part stays, if there is none. */
GRAZE_EXPERIMENTAL bool graze_parts_find(const graze_parts *parts, const char *name,
                                         uint32_t *part);

/* Makes bits the set of the named parts with all parts inside them, as graze_body_set_group_mask
 * takes it: bit g % 32 of bits[g / 32]. A name may come twice. Allocates nothing.
 *   - bits holds (graze_parts_count(parts) + 31) / 32 numbers, and bits behind the last part become
 *     0.
 *   - Every name is a part's, else GRAZE_BAD_INPUT names the first that is not, and bits stay.
 */
GRAZE_EXPERIMENTAL graze_status graze_parts_mask(const graze_parts *parts, const char *const *names,
                                                 uint32_t name_count, uint32_t *bits,
                                                 graze_error *error);

/* From now on the body is the body of the named parts with all parts inside them:
 * graze_parts_mask, then graze_body_set_group_mask, whose errors and costs it has. names NULL with
 * name_count 0: all parts. Takes memory from the model's allocator for the time of the call.
 *   - There are as many parts as the body's model has groups, else GRAZE_BAD_INPUT.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_set_parts(graze_body *body, const graze_parts *parts,
                                                     const char *const *names, uint32_t name_count,
                                                     graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
