/* A tree of boxes over the members of a world, for questions asked of all of them (question.h).
 *
 * Members stand in the leaves in the order of a space-filling curve, in which neighbours are near
 * each other, four leaves under a node, four nodes under the next. The order is kept when members
 * move: then boxes alone are joined anew, those above what moved, or all. Bodies tell by flags that
 * they changed (grazei_watcher), so that nobody looks at a member that did not. What is new takes a
 * free leaf. When nodes have become too large for the world as a whole, the order is found again.
 *
 * A half-space is in no leaf.
 */
#ifndef GRAZEI_WORLD_BOXES_H
#define GRAZEI_WORLD_BOXES_H

#include "body/body.h"

#include <graze/ext/world.h>

enum { GRAZEI_WATCHED = 256, GRAZEI_BOX_LEVELS = 17 };

typedef struct grazei_world_thread grazei_world_thread;

/* So many members next to each other by index. Its place never changes while they are there. */
typedef struct grazei_watch_group {
    atomic_uchar any;
    atomic_uchar changed[GRAZEI_WATCHED];
    grazei_watcher watchers[GRAZEI_WATCHED];
} grazei_watch_group;

/* A list that only grows. */
typedef struct grazei_list {
    void *items;
    size_t count, capacity;
} grazei_list;

typedef struct grazei_box_tree {
    grazei_list groups;               /* grazei_watch_group *, for all places of members */
    grazei_list nodes;                /* grazei_bound; level 0 has the leaves */
    grazei_list owners;               /* uint32_t, whose box a leaf has; GRAZEI_NOBODY: nobody's */
    grazei_list leaves;               /* uint32_t, of each member its leaf, or GRAZEI_NOBODY */
    grazei_list free_leaves;          /* uint32_t */
    grazei_list infinite;             /* uint32_t, half-spaces, ascending */
    grazei_list moved;                /* uint32_t, leaves whose boxes changed */
    size_t starts[GRAZEI_BOX_LEVELS]; /* of each level in nodes */
    uint32_t level_count;
    bool built, infinite_changed;
    size_t moved_since; /* the size was looked at */
    double built_size;  /* of the lowest nodes, to that of the root, when the order was found */
} grazei_box_tree;

/* Makes room for one more member; false when out of memory. Then what becomes of it: it is a body,
 * to be watched, or NULL; it changed; it is gone.
 */
bool grazei_boxes_reserve(graze_world *world, uint32_t index);
void grazei_boxes_watch(graze_world *world, uint32_t index, graze_body *body);
void grazei_boxes_note(graze_world *world, uint32_t index);
void grazei_boxes_forget(graze_world *world, uint32_t index);
void grazei_boxes_release(graze_world *world);

/* Brings boxes up to date with members as they are. */
graze_status grazei_boxes_refresh(graze_world *world, graze_stats *stats, graze_error *error);

/* The box of all members that have an end; empty if there are none. */
const grazei_bound *grazei_boxes_root(const graze_world *world);

/* A way down the tree. */
typedef struct grazei_boxes_walk grazei_boxes_walk;
struct grazei_boxes_walk {
    /* Whether something in a box may count, with a lower bound of its distance or t. */
    bool (*meets)(const grazei_boxes_walk *walk, const grazei_bound *box, float *key);

    graze_status (*visit)(grazei_boxes_walk *walk, uint32_t index, graze_error *error);
    float limit; /* what has a greater key does not count */
    bool done;   /* no more is wanted */
    graze_stats *stats;
};

/* Visits half-spaces, then members whose boxes count, least keys first. */
graze_status grazei_boxes_visit(const graze_world *world, grazei_boxes_walk *walk,
                                graze_error *error);

/* Whether the boxes are those of members as they are, and each node holds those below it, unless
 * something changed since the last question.
 */
graze_status grazei_boxes_validate(const graze_world *world, graze_error *error);

#endif
