/* bench positions: bodies whose vertex positions were computed elsewhere, as cloth's are. */
#ifndef GRAZE_BENCH_POSITIONS_H
#define GRAZE_BENCH_POSITIONS_H

#include "bench/pair_bench.h"

enum { POSITIONS_FRAMES = 5 };

/* A mesh, and where its vertices are in this frame. */
typedef struct positions_thing {
    graze_rig *rig;
    graze_model *model;
    graze_body *source; /* in a pose, for clips */
    float *joints, *weights;
    float *positions; /* what everybody is given, with a float more to be read past the end */
    uint32_t *welds;  /* one a vertex: the same where rest positions are */
    graze_body *body;
    eager_model *boxes_model;
    eager_body *boxes;
} positions_thing;

/* One number a vertex, the same where rest positions are; to be freed. */
uint32_t *positions_find_welds(const graze_rig *rig);

void positions_open(positions_thing *thing, graze_synth_kind kind, uint32_t triangles);
void positions_close(positions_thing *thing);

/* Where the first clip has the vertices, moved along x and z. */
void positions_from_clip(positions_thing *thing, double time, float x, float z);

/* A curtain drawn together: pleats that go through each other, wandering with time. */
void positions_gather(positions_thing *curtain, double time);

/* What is asked: all pairs of two things, or of one with itself. */
typedef struct positions_case {
    const char *model, *name;
    int numbers[2];         /* of the things */
    positions_thing *of[2]; /* the second NULL: itself */
    void (*place)(const struct positions_case *what, uint32_t frame);
    float apart; /* where the second one is put */
} positions_case;

/* Measures and prints it; ends the program if a method of ours is wrong. */
void positions_run(const positions_case *what);

#endif
