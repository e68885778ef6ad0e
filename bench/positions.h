/* bench positions: bodies whose vertex positions were computed elsewhere, as cloth's are. */
#ifndef GRAZE_BENCH_POSITIONS_H
#define GRAZE_BENCH_POSITIONS_H

#include "bench/csv.h"
#include "bench/eager/eager.h"
#include "bench/queries.h"

enum { POSITIONS_FRAMES = 5, POSITIONS_PAIRS = 1 << 20 };

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

/* False after printing an error; closing is right then too. */
bool positions_open(positions_thing *thing, const graze_synth_def *def);
void positions_close(positions_thing *thing);

/* Where the first clip has the vertices, moved along x and z. False after printing an error. */
bool positions_from_clip(positions_thing *thing, double time, float x, float z);

/* A curtain drawn together: pleats that go through each other, wandering with time. */
void positions_gather(positions_thing *curtain, double time);

/* What is asked: all pairs of two things, or of one with itself. */
typedef struct positions_case {
    const char *model, *name;
    positions_thing *things[2]; /* the second NULL: itself */
    bool (*place)(const struct positions_case *what, uint32_t frame);
    float apart; /* where the second one is put */
} positions_case;

/* Measures and prints it. False after printing an error: a method of ours is wrong. */
bool positions_run(const positions_case *what, const bench_options *options, bench_csv *csv);

#endif
