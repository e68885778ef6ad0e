/* A crowd that walks on the spot, neighbours touching now and then. */
#ifndef GRAZE_BENCH_SCALE_CROWD_H
#define GRAZE_BENCH_SCALE_CROWD_H

#include "bench/scale.h"

#include <graze/threads.h>

typedef struct crowd_box {
    float low[3], high[3];
    uint32_t body;
} crowd_box;

typedef struct crowd {
    queries_subject subject;
    eager_model *eager; /* the baseline's */
    uint32_t count;
    graze_cache_pool *caches; /* of the bodies, if they are lean */
    graze_body **bodies;
    graze_world *near_world;  /* who may meet whom, by bounds */
    graze_world *exact_world; /* who does, by triangles */
    eager_body **eager_bodies;
    bool *refitted; /* the baseline's, in this pose */
    float *joints;  /* of some times of the clip */
    float (*placements)[12];
    crowd_box *boxes; /* the baseline's */
    graze_pair *near; /* bodies whose boxes overlap, found last */
    size_t near_count, near_capacity;
    graze_body_pair *body_pairs; /* the same as bodies */
    size_t hits;                 /* pairs of triangles, found last */
} crowd;

/* Opens the first count of a crowd, lean or ordinary bodies. False after printing an error; there
 * is nothing to close then.
 */
bool crowd_open(crowd *people, uint32_t count, bool lean);
void crowd_close(crowd *people);

/* Hands over all poses and finds who is near whom by the bounds of whole bodies. user is a crowd,
 * here and below.
 */
void crowd_pose(void *user);

/* Hands over all poses and finds all pairs of triangles. */
void crowd_run_graze(void *user);

/* Skins everybody, finds who is near whom by exact boxes, refits those and asks. */
void crowd_run_boxes(void *user);

#endif
