/* What the tables of bench chain share: the man in two animations, with his spheres. */
#ifndef GRAZE_BENCH_CHAIN_H
#define GRAZE_BENCH_CHAIN_H

#include "bench/bench.h"

#include <graze/ext/chain_pose.h>

enum { CHAIN_TRIANGLES = 26292, CHAIN_FRAMES = 40 };

/* A character with spheres, once more with the spheres as parts of triangles. */
typedef struct chain_subject {
    const char *name;
    graze_rig *rig;
    graze_part_names *joints;
    graze_model *model, *grouped;
    graze_body *body, *grouped_body;
    graze_chains *chains;
    graze_chain_tracker *tracker;
    uint32_t sphere_count;
    uint32_t *owners, *vertex_parts; /* of the grouped model */
    uint32_t *rows;                  /* for the exact query */
    float *spheres;
    graze_pair *pairs; /* room for all pairs */
    size_t word_count; /* of rows */
    uint32_t capacity;
} chain_subject;

/* The tables. */
void chain_print_times(chain_subject *subject, uint32_t clip);
void chain_print_truth(chain_subject *subject, uint32_t poses);

#endif
