/* What the tables of bench chain share: the man in two animations, with his spheres. */
#ifndef GRAZE_BENCH_CHAIN_H
#define GRAZE_BENCH_CHAIN_H

#include "bench/bench.h"
#include "bench/csv.h"
#include "scenes/synth.h"

#include <graze/graze.h>
#include <graze/rig.h>

enum { CHAIN_TRIANGLES = 26292, CHAIN_FRAMES = 40 };

/* A character with spheres, once more with the spheres as groups of triangles. */
typedef struct chain_subject {
    const char *name;
    graze_rig *rig;
    graze_parts *joints;
    graze_model *model, *grouped;
    graze_body *body, *grouped_body;
    graze_chains *chains;
    graze_chain_plan *plan;
    uint32_t sphere_count;
    uint32_t *owners, *vertex_groups; /* of the grouped model */
    uint32_t *rows;                   /* for the exact query */
    float *spheres;
    graze_chain_pair *pairs; /* room for all pairs */
    size_t capacity;
} chain_subject;

/* False after printing an error; there is nothing to close then. */
bool chain_open(chain_subject *subject, graze_synth_kind kind, const graze_chain_def *def);
void chain_close(chain_subject *subject);

/* A pose of a clip's frame, sampled beforehand. */
typedef struct chain_frames {
    float *joints;  /* 12 a joint */
    float *weights; /* one a morph target */
    uint32_t count;
} chain_frames;

bool chain_sample(const chain_subject *subject, uint32_t clip, chain_frames *frames);
void chain_free_frames(chain_frames *frames);
graze_pose chain_pose_at(const chain_subject *subject, const chain_frames *frames, uint32_t frame);

/* The tables. False after printing an error. */
bool chain_print_rest(const chain_subject *subject, bool json);
bool chain_print_times(chain_subject *subject, uint32_t clip, const bench_options *options,
                       bench_csv *csv);
bool chain_print_truth(chain_subject *subject, uint32_t poses, const bench_options *options);

#endif
