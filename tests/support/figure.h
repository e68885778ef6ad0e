/* A glTF file made in memory: a column of rings over a chain of joints, which bends, in the many
 * ways in which files write the same thing. Every number in it is worked out here, so that what the
 * reader makes of one way can be compared with another.
 */
#ifndef GRAZE_TESTS_SUPPORT_FIGURE_H
#define GRAZE_TESTS_SUPPORT_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FIGURE_JOINTS = 6, /* 1 m above each other */
    FIGURE_RINGS = 11, /* half a metre above each other */
    FIGURE_SIDES = 6,
    FIGURE_VERTICES = FIGURE_RINGS * FIGURE_SIDES,
    FIGURE_TRIANGLES = (FIGURE_RINGS - 1) * FIGURE_SIDES * 2,
    FIGURE_KEYS = 5, /* a quarter of a second apart */
    FIGURE_BOXES = 3
};

/* Zeroed: the plain figure, one skinned mesh and the clip "bend". */
typedef struct figure_def {
    bool unnamed;         /* no node has a name */
    bool same_names;      /* all nodes have one */
    bool short_rotations; /* keys of rotations as normalised 16-bit integers */
    bool short_weights;   /* skin weights so */
    bool quantised;       /* positions as 16-bit integers, with the scale in the inverse binds */
    bool strips;          /* each band between two rings as a strip, one primitive each */
    bool eight;           /* every vertex follows every joint: JOINTS_0 and JOINTS_1 */
    bool heavy;           /* weights that sum to 1.75 */
    bool no_binds;        /* a skin without inverse bind matrices */
    bool steps;           /* keys that step */
    bool splines;         /* keys of cubic splines, whose tangents are zero */
    bool twice;           /* a second node shows the same mesh by the same skin */
    bool second_skin;     /* a second mesh, half as wide, by a skin of the same joints */
    bool boxes;   /* rigid boxes on nodes: one stretched, one mirrored, one under the other */
    bool no_skin; /* boxes alone */
    int morphs;   /* 0; 1: two targets with default weights and keys; 2: the same, sparse */
    float later;  /* seconds by which all keys are later */
} figure_def;

/* A GLB; *size bytes. Free it. NULL when out of memory. */
unsigned char *figure_glb(const figure_def *def, size_t *size);

/* The weight of a joint where every vertex follows all of them. */
float figure_eight_weight(int vertex, int joint);

/* The names and ways of all that the tests try. */
typedef struct figure_case {
    const char *name;
    figure_def def;
} figure_case;

extern const figure_case figure_cases[];
extern const uint32_t figure_case_count;

#endif
