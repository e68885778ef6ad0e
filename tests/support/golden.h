/* Asks two bodies everything there is to ask, in every way, and hashes the answers: what is
 * promised of them, so not the order of lists, nor which of several first hits, nor statistics.
 */
#ifndef GRAZE_TESTS_SUPPORT_GOLDEN_H
#define GRAZE_TESTS_SUPPORT_GOLDEN_H

#include "support/contacts.h"

#include <graze/graze.h>

typedef enum golden_family {
    GOLDEN_INPUT, /* poses, placements and weights: what the answers are for */
    GOLDEN_POSITIONS,
    GOLDEN_PAIRS,
    GOLDEN_SELF,
    GOLDEN_RAYS,
    GOLDEN_DISTANCE,
    GOLDEN_WITHIN,
    GOLDEN_TOUCH,
    GOLDEN_INSIDE,
    GOLDEN_CONTACTS,
    GOLDEN_SWEEP,
    GOLDEN_SELF_SWEEP,
    GOLDEN_SHAPE_SWEEP,
    GOLDEN_FAMILY_COUNT
} golden_family;

extern const char *const golden_family_names[GOLDEN_FAMILY_COUNT];

/* What one model, with one tree on one instruction set, gives. */
typedef struct golden_run {
    const char *name;         /* of all that, for messages */
    bool all_ways;            /* ask in steps, eagerly, in batches, on threads as well */
    bool brute;               /* and the slow references, if all ways */
    double middle[3], extent; /* of the model at rest: where to ask */
    graze_model *model, *ball_model;
    graze_body *a[2], *b[2]; /* of the model, at the start and at the end of a motion */
    graze_body *ball;        /* of another model */
    graze_history *history;
    graze_checkpoint *checkpoint;
    graze_batch *batch;
    graze_pool *pool;
    contact_set contacts[2]; /* whole, and split by body parts */
    uint64_t sums[GOLDEN_FAMILY_COUNT];
} golden_run;

/* Makes models, bodies and tools; name, middle and extent are kept. Records failures. */
bool golden_open(golden_run *run, const graze_model_def *model, const graze_model_def *ball);
void golden_close(golden_run *run);

/* Adds a pose to the sum of the input. */
void golden_note_pose(golden_run *run, const graze_pose *pose);

/* Asks everything in the poses the bodies are in. `frame` seeds rays, points and shapes. Ways of
 * asking that differ from each other are recorded as failures.
 */
void golden_ask(golden_run *run, uint32_t frame);

#endif
