/* Characters that walk on the spot in rows, neighbours touching now and then, in a world, and the
 * same as the eager baseline has them.
 */
#ifndef GRAZE_BENCH_CROWD_H
#define GRAZE_BENCH_CROWD_H

#include "bench/eager/eager.h"
#include "bench/queries.h"

#include <graze/ext/world.h>

typedef struct crowd_def {
    graze_synth_kind kind;
    uint32_t count, columns, seed;
    float step;        /* between neighbours, in their sizes along x and z */
    graze_level level; /* at which all meet in the world */
    bool lean, eager;  /* lean bodies; with the baseline's bodies */
} crowd_def;

typedef struct crowd_box {
    bench_bounds box;
    uint32_t body;
} crowd_box;

typedef struct crowd {
    crowd_def def;
    queries_subject subject;
    graze_cache_pool *caches; /* of lean bodies */
    graze_body **bodies;
    graze_world *world;
    float *joints; /* of some times of the clip */
    float (*placements)[12];
    uint32_t frame;
    eager_model *eager;
    eager_body **eager_bodies;
    bool *refitted; /* the baseline's, in this pose */
    crowd_box *boxes;
    bench_pair *near; /* bodies whose bounds, or the baseline's boxes, overlap */
    size_t near_count, near_capacity;
    size_t events, hits; /* found last; pairs of triangles */
} crowd;

void crowd_open(crowd *people, const crowd_def *def);
void crowd_close(crowd *people);

/* Everybody a frame further in the clip, swaying to and fro. */
void crowd_step(crowd *people);

/* What a body is posed by. */
graze_pose crowd_pose_of(const crowd *people, uint32_t body);

/* Hands over all poses; updates the world. */
void crowd_pose(crowd *people);
void crowd_update(crowd *people);

/* Both, and the bodies that are near each other: those that meet in a world of bounds. */
void crowd_find_near(crowd *people);

/* From all poses to all pairs of triangles, in a world that is exact, and by the baseline: skins
 * everybody, finds who is near whom by exact boxes, refits those and asks.
 */
enum { CROWD_GRAZE, CROWD_BOXES, CROWD_WAYS };
extern const char *const crowd_ways[CROWD_WAYS];
void crowd_run(crowd *people, int way);

/* Candidates there would be now if every box were exact, around all vertices. */
size_t crowd_exact_candidates(crowd *people);

#endif
