/* Two characters of one model that meet or do not, and every way to find out: what bench peers and
 * bench scale measure.
 */
#ifndef GRAZE_BENCH_DUEL_H
#define GRAZE_BENCH_DUEL_H

#include "bench/champion/champion.h"
#include "bench/queries.h"

typedef enum duel_place {
    DUEL_APART,    /* boxes apart by 5 % of the size */
    DUEL_NEAR,     /* between 0.5 and 1 % of the size apart, boxes mostly overlapping */
    DUEL_TOUCHING, /* side by side, moved until they touch, and 0.2 % of the size further */
    DUEL_BEFORE,   /* the same, one before the other */
    DUEL_DEEP      /* largely inside each other, a little turned */
} duel_place;

typedef enum duel_question { DUEL_ALL, DUEL_FIRST, DUEL_RAY } duel_question;

/* What is measured: a question in a place. */
typedef struct duel_case {
    const char *name; /* "touching, all pairs" */
    duel_place place;
    duel_question question;
} duel_case;

typedef enum duel_way {
    DUEL_GRAZE,           /* from the pose, lazily */
    DUEL_EAGER,           /* our tree, everything posed and refitted first */
    DUEL_CHAMPION_SCALAR, /* the tuned tree of boxes, with its own triangle test or with ours */
    DUEL_CHAMPION,
    DUEL_SKIN,    /* no answer: every vertex of all bodies that the question is about */
    DUEL_LIBRARY, /* skin, refit, ask */
    DUEL_WAYS
} duel_way;

#define DUEL_RAYS 8 /* in each frame, one after the other */
#define DUEL_METHODS QUERIES_METHODS

/* One way to answer in one duel. */
typedef struct duel_method {
    char name[64];
    duel_way way;
    struct duel *duel;
    const bench_collider *collider; /* of a library; NULL: Embree's rays */
    void *models[2];                /* the library's */
    size_t pairs;                   /* over all frames of a case, as are the next two */
    size_t missing, extra;          /* against graze */
} duel_method;

typedef struct duel_answer {
    graze_pair *pairs;
    size_t count;
    bool hit;
    float t; /* of a ray */
} duel_answer;

typedef struct duel {
    const queries_subject *subject;
    queries_actor actors[2];
    champion_model *champion; /* NULL: cannot do this model */
    champion_body *champions[2];
    uint32_t *slots; /* of the champion's positions, one a vertex */
    bool packs;      /* the champion's skin, packed, is the fastest skin there is; else ours */
    bool boxes;      /* the boxes of both overlap in this frame */
    duel_question question;
    graze_stats *stats; /* where graze counts what it does; NULL: nowhere */
    graze_ray rays[DUEL_RAYS];
    uint32_t next_ray;
    duel_answer answer, truth;     /* of the method that ran last, and graze's */
    duel_answer truths[DUEL_RAYS]; /* graze's, of rays */
    duel_method methods[DUEL_METHODS];
    uint32_t method_count;
} duel;

/* Opens both characters and the methods of these ways (bits 1 << duel_way); DUEL_GRAZE is always
 * the first. False after printing an error; there is nothing to close then.
 */
bool duel_open(duel *pair, const queries_subject *subject, uint32_t ways);
void duel_close(duel *pair);

/* Samples both at different times of the first clip, frame of frame_count, and places the second.
 * False if the model never gets there (and after an error, which is printed).
 */
bool duel_stage(duel *pair, duel_place place, uint32_t frame, uint32_t frame_count);

/* The same with the second one placed as in an earlier duel of the same shape. */
bool duel_stage_at(duel *pair, duel_place place, uint32_t frame, uint32_t frame_count,
                   const float placement[12]);

/* Aims at the first character from all around, at the middles of triangles. */
void duel_aim(duel *pair, uint32_t seed);

/* Runs a method once and counts in what it differs from graze, which is asked first. */
void duel_check(duel *pair, duel_method *method);

/* What is measured. user is a duel_method. */
void duel_run(void *user);

/* What a case came to: method m of the entry is who[m], graze the first. */
typedef struct duel_record {
    const duel_case *what;
    queries_case entry;
    queries_method methods[DUEL_METHODS];
    duel_method *who[DUEL_METHODS];
    uint32_t frames, overlapping;
    graze_stats stats;              /* of graze, over all frames */
    size_t least_pairs, most_pairs; /* of a frame */
} duel_record;

/* Starts a case with the methods that can answer it. */
void duel_begin(duel *pair, const duel_case *what, duel_record *record);

/* Checks and measures all methods in the frame that is staged. */
void duel_measure(duel *pair, duel_record *record, uint32_t rounds);

#endif
