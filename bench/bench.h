/* The measured tables: each prints the paper's figures beside ours. */
#ifndef GRAZE_BENCH_BENCH_H
#define GRAZE_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bench_options {
    bool json;
    uint32_t rounds;    /* repetitions of every measurement */
    const char *models; /* folder of model files; NULL: where they usually are */
    const char *only;   /* of lbs, sbs, peers, scale, world, positions, cliffs, chain, what has this
                           in its name; NULL: everything */
    const char *csv;    /* file for those; NULL: none */
    const char *plot;   /* folder for their drawings, made if need be; NULL: none */
    struct bench_goals *goals; /* where figures that were promised are noted; NULL: nowhere */
    double limit;              /* seconds after which a measurement of cliffs is ended */

    /* chairs and bridge; 0: each table's own */
    uint32_t count;     /* bodies that fall */
    uint32_t triangles; /* of each */
    double seconds;     /* simulated */
    uint32_t threads;   /* that work on a step */
} bench_options;

/* Each returns the exit code. */
int bench_lbs(const bench_options *options);    /* Kavan & Zara 2005 */
int bench_sbs(const bench_options *options);    /* Kavan, O'Sullivan & Zara 2006 */
int bench_bdtree(const bench_options *options); /* James & Pai 2004 */
int bench_queries(const bench_options *options);
int bench_compare(const bench_options *options); /* pairs and rays, against other programs */
int bench_scale(const bench_options *options);   /* cost against size */
int bench_world(const bench_options *options);   /* many bodies in one world */
int bench_positions(
    const bench_options *options);              /* positions computed elsewhere, against others */
int bench_cliffs(const bench_options *options); /* hard inputs beside ordinary ones */
int bench_modes(const bench_options *options);  /* vibration modes of finer and finer plates */
bool bench_has_modes(void);                     /* whether it was built */
int bench_chain(const bench_options *options);  /* Madera et al. 2017 */
int bench_chairs(const bench_options *options); /* James & Pai 2004: chairs that crash */
int bench_bridge(const bench_options *options); /* and fish on a bridge */

#endif
