/* How many floating-point operations bounds and vertices of linear blending take, counted as in
 * Kavan & Zara 2005, section 4.2: a sum, product, comparison or root is one.
 */
#ifndef GRAZE_BENCH_FLOPS_H
#define GRAZE_BENCH_FLOPS_H

#include "bench/bench.h"

typedef struct bench_flops {
    double nodes, vertices;
    double set_count, corner_count; /* of all nodes */
    double corners; /* all spheres by corners: 18 p + 11 m + 8 p m - 2 a joint-set */
    double ours;    /* all spheres our way: about 35 a joint, whichever record a node has, and 15 */
    double skin;    /* all vertices: 24 p - 3 each */
    double refit;   /* all spheres from vertices and children: 36 a triangle, 14 a child and 1 */
} bench_flops;

/* Counts for the tree of a body of that rig. */
bench_flops bench_count_flops(const graze_rig *rig, graze_body *body);

#endif
