/* Regions of a body: a trunk and what hangs from it. Found from the skin's weights, from the shape,
 * or given; then told where left and up are, and named.
 */
#ifndef GRAZEI_CHAIN_REGIONS_H
#define GRAZEI_CHAIN_REGIONS_H

#include "model/model.h"

#include <graze/ext/chain.h>

typedef enum grazei_side { GRAZEI_MIDDLE, GRAZEI_LEFT, GRAZEI_RIGHT } grazei_side;

/* What a name says of a joint; nothing, if it does not. */
typedef enum grazei_hint {
    GRAZEI_HINT_NONE,
    GRAZEI_HINT_ARM,
    GRAZEI_HINT_LEG,
    GRAZEI_HINT_HEAD,
    GRAZEI_HINT_TAIL,
    GRAZEI_HINT_WING,
    GRAZEI_HINT_HAND,
    GRAZEI_HINT_FOOT
} grazei_hint;

/* What a region is to the one it hangs from. */
typedef enum grazei_role {
    GRAZEI_ROLE_TRUNK,
    GRAZEI_ROLE_LIMB, /* hangs from the trunk, or is all there is */
    GRAZEI_ROLE_END,  /* hand or foot */
    GRAZEI_ROLE_FINGER
} grazei_role;

enum { GRAZEI_REGION_NAME = 64, GRAZEI_MOST_REGIONS = 1024 };

typedef struct grazei_region {
    char name[GRAZEI_REGION_NAME];
    graze_region_kind kind;
    grazei_role role;
    uint32_t parent; /* GRAZE_NONE: none */
    grazei_side side, side_hint;
    grazei_hint hint;
    bool is_head;
    bool is_minor;      /* too small for a limb; goes to its parent unless it is the head */
    double centre[3];   /* of its area */
    double attach[3];   /* about where it hangs from its parent */
    double area, reach; /* reach: the farthest vertex from where it hangs */
    uint32_t partner;   /* the region on the other side, or GRAZE_NONE */
} grazei_region;

typedef struct grazei_regions {
    const graze_model *model;
    const float *positions; /* where the body stands: 3 floats a vertex */
    uint32_t *welds;        /* the first vertex at the same place there, for each */
    const graze_allocator *allocator;
    grazei_region *items;
    uint32_t count;
    uint32_t trunk;        /* GRAZE_NONE: none */
    uint32_t *of_triangle; /* the model's */
    double height;         /* the longest side of the box at rest */
    double middle[3];      /* on the plane between left and right */
    double lateral[3];     /* across it, to the left */
    double axis[3];        /* along the trunk, to the head's end; across lateral */
    bool is_named;         /* names were given */
} grazei_regions;

/* Finds regions as the def wants them. On success the caller releases them, on failure too. */
graze_status grazei_regions_make(grazei_regions *regions, const graze_model *model,
                                 const graze_part_names *joints, const graze_chain_def *def,
                                 graze_error *error);
void grazei_regions_release(grazei_regions *regions);

/* A new region, or NULL when there are too many. */
grazei_region *grazei_regions_add(grazei_regions *regions, graze_region_kind kind, grazei_role role,
                                  uint32_t parent);

/* Regions from the weights of several joints, and from the shape of one. Names are empty. */
graze_status grazei_regions_from_joints(grazei_regions *regions, const graze_part_names *joints,
                                        graze_error *error);
graze_status grazei_regions_from_shape(grazei_regions *regions, graze_error *error);

/* Gives each triangle the region that most of its weight is of. */
void grazei_regions_by_joint(grazei_regions *regions, const uint32_t *joint_regions);

/* Finds left and up, sides, partners and the head, and names what has no name. */
graze_status grazei_regions_orient(grazei_regions *regions, graze_error *error);

/* What a joint's name says. */
grazei_hint grazei_hint_of(const char *name);
grazei_side grazei_side_of(const char *name);

/* Joints as a tree, by where their skin is. */
typedef struct grazei_joint {
    double centre[3], area; /* of its skin */
    double at[3];           /* about where it turns: where its skin blends into its parent's */
    double reach;           /* how far its skin and that of all below goes, along the tree */
    uint32_t parent;        /* with skin; GRAZE_NONE: the root */
    uint32_t first_child, next_sibling;
    double branch; /* how far the second of two branches at or below it reaches, at most */
    bool has_skin;
} grazei_joint;

typedef struct grazei_skeleton {
    const graze_model *model;
    const float *positions;
    const graze_allocator *allocator;
    grazei_joint *joints;
    uint32_t count, root;
    uint32_t *order; /* joints with skin, parents before children */
    uint32_t order_count;
    uint32_t *dominant; /* one a vertex: the joint of the largest weight */
} grazei_skeleton;

/* parts may be NULL: then nesting is guessed. False when out of memory; release in any case. */
bool grazei_skeleton_make(grazei_skeleton *skeleton, const grazei_regions *regions,
                          const graze_part_names *parts);
void grazei_skeleton_release(grazei_skeleton *skeleton);

/* A child's reach seen from its parent. */
double grazei_skeleton_reach(const grazei_skeleton *skeleton, uint32_t joint);

#endif
