/* Two characters of one model that meet or do not, and every way to find out: what bench peers and
 * bench scale measure.
 */
#ifndef GRAZE_BENCH_PAIR_BENCH_H
#define GRAZE_BENCH_PAIR_BENCH_H

#include "bench/eager/eager.h"
#include "bench/queries.h"

typedef enum pair_place {
    PAIR_APART,    /* boxes apart by 5 % of the size */
    PAIR_NEAR,     /* between 0.5 and 1 % of the size apart, boxes mostly overlapping */
    PAIR_TOUCHING, /* side by side, moved until they touch, and 0.2 % of the size further */
    PAIR_BEFORE,   /* the same, one before the other */
    PAIR_DEEP      /* largely inside each other, a little turned */
} pair_place;

typedef enum pair_question { PAIR_ALL, PAIR_FIRST, PAIR_RAY } pair_question;

/* What is measured: a question in a place. */
typedef struct pair_case {
    const char *name; /* "touching, all pairs" */
    pair_place place;
    pair_question question;
} pair_case;

typedef enum pair_way {
    PAIR_GRAZE,              /* from the pose, lazily */
    PAIR_GRAZE_EAGER,        /* our tree, everything posed and refitted first */
    PAIR_EAGER_BOXES_SCALAR, /* the tuned tree of boxes, with its own triangle test or with ours */
    PAIR_EAGER_BOXES,
    PAIR_SKIN,    /* no answer: every vertex of all bodies that the question is about */
    PAIR_LIBRARY, /* skin, refit, ask */
    PAIR_WAYS
} pair_way;

#define PAIR_RAYS 8 /* in each frame, one after the other */
#define PAIR_METHODS QUERIES_METHODS

/* Room for pairs that a method finds. */
enum { PAIR_MOST = 1 << 20 };

/* What a library has made of up to two meshes. */
typedef struct pair_library {
    const bench_collider *collider; /* NULL: Embree's rays */
    void *models[2];
} pair_library;

/* Makes models of one or two meshes. False after telling of a library that cannot take them. */
bool pair_open_library(pair_library *library, const bench_mesh *meshes, int count,
                       const char *subject);
void pair_close_library(const pair_library *library);

/* One way to answer. */
typedef struct pair_method {
    char name[64];
    pair_way way;
    pair_library library;
    size_t pairs;          /* over all frames of a case, as are the next two */
    size_t missing, extra; /* against graze */
    double us;             /* of the run that was checked */
} pair_method;

typedef struct pair_answer {
    bench_pair *pairs;
    size_t count;
    bool hit;
    float t; /* of a ray */
} pair_answer;

typedef struct pair_bench {
    const queries_subject *subject;
    queries_actor actors[2];
    eager_model *eager; /* the baseline's; NULL: cannot do this model */
    eager_body *eager_bodies[2];
    uint32_t *slots; /* of the baseline's positions, one a vertex */
    bool packs;      /* the baseline's skin, packed, is the fastest skin there is; else ours */
    bool boxes;      /* the boxes of both overlap in this frame */
    const char *how; /* what was done so that they meet, if that is not the usual; else NULL */
    pair_question question;
    graze_stats *stats; /* where graze counts what it does; NULL: nowhere */
    graze_ray rays[PAIR_RAYS];
    uint32_t next_ray;
    graze_pair *found;             /* where graze writes pairs */
    pair_answer answer, truth;     /* of the method that ran last, and graze's */
    pair_answer truths[PAIR_RAYS]; /* graze's, of rays */
    pair_method methods[PAIR_METHODS];
    uint32_t method_count;
} pair_bench;

/* Opens both characters and the methods of these ways (bits 1 << pair_way); PAIR_GRAZE is always
 * the first.
 */
void pair_open(pair_bench *pair, const queries_subject *subject, uint32_t ways);
void pair_close(pair_bench *pair);

/* Samples both at different times of the first clip, frame of frame_count, and places the second,
 * as in an earlier bench of the same shape unless placement is NULL. False if the model never gets
 * there.
 */
bool pair_stage(pair_bench *pair, pair_place place, uint32_t frame, uint32_t frame_count,
                const float placement[12]);

/* Aims at the first character from all around, at the middles of triangles. */
void pair_aim(pair_bench *pair, uint32_t seed);

/* What a case came to: method m of the entry is who[m], graze the first. */
typedef struct pair_record {
    const pair_case *what;
    pair_bench *bench;
    queries_case entry;
    queries_method methods[PAIR_METHODS];
    pair_method *who[PAIR_METHODS];
    uint32_t frames, overlapping;
    const char *how;   /* as in the last frame in which they were not placed as usual; NULL: none */
    uint32_t unusual;  /* frames of that kind */
    graze_stats stats; /* of graze, over all frames */
    size_t min_pairs, max_pairs; /* of a frame */
} pair_record;

/* Starts a case with the methods that can answer it. The record stays where it is. */
void pair_begin(pair_bench *pair, const pair_case *what, pair_record *record);

/* Checks all methods against graze in the frame that is staged, and measures them. */
void pair_measure(pair_record *record);

#endif
