/* Models with many poses, for tests of batches: soups, worms and lattices in every skinning.
 */
#ifndef GRAZE_TESTS_SUPPORT_POSE_SETS_H
#define GRAZE_TESTS_SUPPORT_POSE_SETS_H

#include "support/own.h"
#include "support/soup.h"

#include <graze/ext/batch.h>

/* What kind of model and poses. */
typedef struct pose_set_def {
    uint64_t seed;
    graze_skinning skinning;
    uint32_t triangles; /* about */
    uint32_t morphs;    /* targets */
    bool lattice;       /* positions and maps on a lattice: touching is common */
    bool placed;        /* with placements */
    bool positions;     /* the same poses as positions */
    uint32_t count;     /* of poses */
    uint32_t bad_every; /* one pose of so many is not finite; 0: none */
    const graze_allocator *allocator;
} pose_set_def;

typedef struct pose_sets {
    graze_model *model;
    graze_pose_set set; /* whose arrays are owned */
} pose_sets;

/* Aborts where a model cannot be made. */
pose_sets pose_sets_make(const pose_set_def *def);
void pose_sets_free(pose_sets *sets);
OWN_VALUE(pose_sets, pose_sets_free)
OWN_POINTER(graze_pose_batch, graze_pose_batch_destroy)

/* Brings a body into pose n, by the functions that a user has; what it returns. */
graze_status pose_sets_pose(graze_body *body, const graze_pose_set *set, size_t n);

/* Results with everything, to be freed. */
typedef struct pose_answers {
    graze_pose_results results;
    uint32_t parts[2];
    size_t count;
} pose_answers;

pose_answers pose_answers_make(size_t count, const graze_model *a, const graze_model *b,
                               size_t capacity);
void pose_answers_free(pose_answers *answers);
OWN_VALUE(pose_answers, pose_answers_free)

/* What graze_self_pairs (b NULL) or graze_pairs say of each pose, one by one. */
void pose_answers_one_by_one(pose_answers *answers, graze_body *body, const graze_pose_set *set,
                             graze_body *other, const graze_pose_set *other_set,
                             const graze_part_filter *filter, bool only_new);

/* In how many poses marks, counts, matrix and pairs are the same. */
size_t pose_answers_equal(const pose_answers *x, const pose_answers *y);

#endif
