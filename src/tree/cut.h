/* Where to cut the triangles of a node in two: by the size of the boxes on either side, on any of
 * three axes.
 */
#ifndef GRAZEI_TREE_CUT_H
#define GRAZEI_TREE_CUT_H

#include "math/f4.h"
#include "mesh/mesh.h"

/* Around one triangle or several, at rest. */
typedef struct grazei_rest_box {
    f4 low, high;
} grazei_rest_box;

static inline grazei_rest_box grazei_rest_box_none(void)
{
    return (grazei_rest_box){f4_all(INFINITY), f4_all(-INFINITY)};
}

static inline grazei_rest_box grazei_rest_box_join(grazei_rest_box a, grazei_rest_box b)
{
    return (grazei_rest_box){f4_min(a.low, b.low), f4_max(a.high, b.high)};
}

/* The box of some triangles, whose own are in boxes. */
grazei_rest_box grazei_rest_box_around(const grazei_rest_box *boxes, const uint32_t *triangles,
                                       uint32_t count);

/* Sorts once and keeps what it sorted: every cut leaves the triangles of either side in order along
 * all three axes, so that each level of a tree costs a few passes over its triangles.
 */
typedef struct grazei_cutter {
    const graze_allocator *allocator;
    uint32_t patch;               /* triangles of a full leaf */
    const float (*centres)[3];    /* per triangle, times any factor */
    const grazei_rest_box *boxes; /* per triangle */
    const grazei_mesh *mesh;
    uint32_t *orders[3];     /* the triangles by their centres; a node's are one range of each */
    uint32_t *aside;         /* one side of an order that is being parted */
    uint8_t *is_left;        /* per triangle, of the range at hand */
    grazei_rest_box *groups; /* of the order at hand, from cut to cut */
    grazei_rest_box *rests;  /* of all groups from one on */
    double *costs;           /* a patch, of all groups from one on */
    uint32_t *joints; /* per triangle: the one that moves it; UINT32_MAX: there are several */
    uint32_t *counts; /* per joint, of the range at hand */
} grazei_cutter;

/* Makes a zeroed cutter ready, with allocator, patch, centres, boxes and mesh set. False when out
 * of memory; it is released in either case.
 */
bool grazei_cutter_make(grazei_cutter *cutter, uint32_t triangle_count);
void grazei_cutter_release(grazei_cutter *cutter);

/* The joint that moves most triangles of a range, half a patch or a quarter of the range, if each
 * is moved by one alone and not all by the same; else UINT32_MAX.
 */
uint32_t grazei_cut_joint(const grazei_cutter *cutter, uint32_t begin, uint32_t end);

/* grazei_cut cuts the range [begin, end) of every order: returns where the right side begins, which
 * is behind begin and before end. Needs two triangles. Where loose parts mix, one joint's are
 * parted from the others, in ranges of up to GRAZEI_MIXED_PATCHES. Else by size, or, where the
 * range is less than a patch, at the median along the longest axis.
 */
#define GRAZEI_MIXED_PATCHES 32

/* Whether one joint moves all of a range: then it does so in every part of it, and there is nothing
 * to part by joints.
 */
bool grazei_cut_is_of_one(const grazei_cutter *cutter, uint32_t begin, uint32_t end);

/* A range to be cut, what is known of it, and what comes of it. */
typedef struct grazei_cutting {
    uint32_t begin, end;
    bool by_size;
    bool of_one;              /* one joint moves all of it; false: not known */
    grazei_rest_box sides[2]; /* out: the boxes of both sides if sizes decided, else infinite */
} grazei_cutting;

uint32_t grazei_cut(grazei_cutter *cutter, grazei_cutting *cutting);

#endif
