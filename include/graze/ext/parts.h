/* Body parts by name, each perhaps inside another, as a hand is inside an arm.
 *
 *     graze_part_names_create(&def, &names, &error);       or graze_rig_part_names (graze/rig.h)
 *     graze_body_set_parts(body, names, (const char *const[]){"arm.L", "arm.R"}, 2, &error);
 *     graze_cast(body, &ray, &hit, NULL, &error);          a ray against the arms only
 *
 * The number of a part is that of graze_model_triangle_part. A name means its part and all parts
 * inside it. Parts may have no triangles.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_PARTS_H
#define GRAZE_EXT_PARTS_H

#include <graze/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Never changes: any number of threads may share it. It is independent of models. */
typedef struct graze_part_names graze_part_names;

typedef struct graze_part_def {
    const char *name;          /* NULL or empty: its number, after the name of the nearest part
                                  around it that has one: "arm/1", otherwise "1" */
    bool inside;               /* it is inside another part */
    uint32_t parent;           /* that part, earlier or later in the array */
    const uint32_t *triangles; /* its own, without those of parts inside it; only for
                                  graze_assign_parts */
    uint32_t triangle_count;
} graze_part_def;

typedef struct graze_part_names_def {
    const graze_allocator *allocator; /* NULL: graze_default_allocator() */
    const graze_part_def *parts;
    uint32_t part_count; /* 1 to 2^30 */
    uintptr_t reserved[2];
} graze_part_names_def;

/* Copies names and nesting. Equal names get #2, #3 and so on appended.
 *   - Every parent is a part, and no part is inside itself; GRAZE_BAD_INPUT names the part.
 *   - *names is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_part_names_create(const graze_part_names_def *def,
                                                        graze_part_names **names,
                                                        graze_error *error);

/* Frees the names. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_part_names_destroy(graze_part_names *names);

/* Writes the part of each triangle, for graze_model_def.triangle_parts.
 *   - parts has room for triangle_count numbers.
 *   - Listed triangles are below triangle_count and listed once; GRAZE_BAD_INPUT names the first
 *     that is not.
 *   - rest: the part of triangles that no part lists; GRAZE_NONE: these are GRAZE_BAD_INPUT.
 * After an error parts may be partly written.
 */
GRAZE_EXPERIMENTAL graze_status graze_assign_parts(const graze_part_names_def *def,
                                                   uint32_t triangle_count, uint32_t rest,
                                                   uint32_t *parts, graze_error *error);

/* Returns how many parts there are. */
GRAZE_EXPERIMENTAL uint32_t graze_part_count(const graze_part_names *names);

/* Returns the name of a part, valid as long as names; NULL if the part is out of range. */
GRAZE_EXPERIMENTAL const char *graze_part_name(const graze_part_names *names, uint32_t part);

/* Returns the part that a part is inside; GRAZE_NONE if there is none, or part is out of range. */
GRAZE_EXPERIMENTAL uint32_t graze_part_parent(const graze_part_names *names, uint32_t part);

/* Returns the part of that name; GRAZE_NONE if there is none. */
GRAZE_EXPERIMENTAL uint32_t graze_part_find(const graze_part_names *names, const char *name);

/* Writes the set of the named parts and all parts inside them, for graze_body_set_part_mask and
 * graze_part_filter. Allocates nothing.
 *   - bits has room for (graze_part_count(names) + 31) / 32 words. Bits beyond the last part are 0.
 *   - GRAZE_BAD_INPUT names the first unknown name, and bits stay.
 */
GRAZE_EXPERIMENTAL graze_status graze_part_mask(const graze_part_names *names,
                                                const char *const *list, uint32_t list_count,
                                                uint32_t *bits, graze_error *error);

/* Chooses which parts of a body exist for queries, by name: graze_part_mask, then
 * graze_body_set_part_mask. list NULL with list_count 0: all parts. Allocates memory for the time
 * of the call.
 *   - There are as many names as the model has parts, otherwise GRAZE_BAD_INPUT.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_set_parts(graze_body *body,
                                                     const graze_part_names *names,
                                                     const char *const *list, uint32_t list_count,
                                                     graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
