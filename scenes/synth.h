/* Procedural models, made from tables and formulas.
 *
 * Characters are closed, smooth-skinned meshes of any resolution with a skeleton and walking clips.
 * They stand in for the man, the creature and the dwarf of Kavan & Zara 2005 (section 5, table 1):
 * same triangle and joint counts. Things have one joint that stands still; the curtain and the
 * chair of James & Pai 2004 (section 5, table 1) deform by displacement fields, as morph targets.
 *
 * Metres, Y up, facing +Z, the left side at +X, soles on y = 0. The same bits on every machine.
 */
#ifndef GRAZE_SCENES_SYNTH_H
#define GRAZE_SCENES_SYNTH_H

#include <graze/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum graze_synth_kind {
    GRAZE_SYNTH_MAN = 0,      /* 27 joints, 8,270 triangles, 1.8 m tall; clip "walk" */
    GRAZE_SYNTH_CREATURE = 1, /* 56 joints, 13,590 triangles, 2.7 m; clips "walk", "writhe" and
                                 "candy" (neck and a shoulder twisted, then back, in 2 s) */
    GRAZE_SYNTH_DWARF = 2,    /* 45 joints, 1,664 triangles, 1.2 m tall; clip "walk" */
    GRAZE_SYNTH_CURTAIN = 3,  /* a sheet, 2.5 m x 2 m, 12,006 triangles; 12 fields; clip "wind" of
                                 110 frames at 30 a second */
    GRAZE_SYNTH_CHAIR = 4,    /* 17,914 triangles, 0.9 m tall; 10 fields; clip "rattle" of 2 s */
    GRAZE_SYNTH_BALL = 5,     /* 1,280 triangles, 0.3 m across; no clip */
    GRAZE_SYNTH_ROBOT = 6,    /* 540 closed shells, in and through each other, 18 joints, 60,000
                                 triangles, 1.9 m tall; every shell follows one joint; clips
                                 "walk" and "work" */
    GRAZE_SYNTH_ROBOT_SKINNED = 7, /* the same, with smooth weights across the shells */
    GRAZE_SYNTH_PLAYER = 8, /* the man of 3,000 triangles; clips "stand", "run", "kick", "lie" (on
                               his back, breathing), and three that end otherwise than they begin:
                               "fall" (forward), "get-up" (from the belly), "get-up-back" */
    GRAZE_SYNTH_MAN_MORPHING = 9, /* the man, who moves by morph targets alone: 5 key poses, and
                                     quadratic Bezier curves through them; clips "embrace" and
                                     "kick" of 40 frames at 25 a second */
    GRAZE_SYNTH_FISH = 10,        /* 24,776 triangles, 0.62 m long; no fields, no clip */
    GRAZE_SYNTH_BRIDGE =
        11, /* a suspension bridge, 160 m long, of some 1,200 closed tubes and boxes
               that run into each other, 240,316 triangles; no fields, no clip */
    GRAZE_SYNTH_KIND_COUNT = 12
} graze_synth_kind;

/* What to make. A zeroed def is the man at his default resolution. */
typedef struct graze_synth_def {
    graze_synth_kind kind;
    uint32_t triangles;    /* before subdivision; 0: the kind's own count; else 400 to 4,000,000.
                              Met exactly, odd numbers rounded down; by curtain, ball and robot
                              as near as whole rows allow. A robot of fewer than 15,120 has fewer
                              shells; a bridge has at least 1,728, in fewer and longer parts */
    uint32_t subdivisions; /* each cuts every triangle into 4 at its edges' midpoints, keeping the
                              shape; at most 6, and at most 16,000,000 triangles in the end */
} graze_synth_def;

/* Makes the model; *rig is set on success only, and freed with graze_rig_destroy. The mesh is
 * one closed 2-manifold, wound outwards, of genus 0 (the chair: 9), but for the curtain, which is a
 * sheet that faces +Z, and robots and bridge, which are many; every vertex has 1 to 4 influences
 * whose weights sum to 1. Joint j is node j and stands unrotated at rest, so the rest pose gives
 * identity matrices. Clips loop, but for the player's three: the first and last key of a channel
 * are equal. Morph targets list the vertices they move, with weight 0 outside their clip. allocator
 * (NULL: the default one) also serves temporary memory. GRAZE_BAD_INPUT for a def out of range.
 */
graze_status graze_synth(const graze_synth_def *def, const graze_allocator *allocator,
                         graze_rig **rig, graze_error *error);

/* "man", "creature", "dwarf", "curtain", "chair", "ball", "robot", "robot-skinned", "player",
 * "man-morphing", "fish", "bridge"; NULL for a kind out of range.
 */
const char *graze_synth_name(graze_synth_kind kind);

/* One line for help texts; NULL for a kind out of range. */
const char *graze_synth_description(graze_synth_kind kind);

/* The kind of that name; false (and *kind untouched) if there is none. */
bool graze_synth_find(const char *name, graze_synth_kind *kind);

#ifdef __cplusplus
}
#endif

#endif
