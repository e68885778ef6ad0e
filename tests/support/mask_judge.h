/* A masked body must be the body of the triangles in its mask: every query, asked of it and of a
 * body of a model of those triangles alone, gives the same answers, by the numbers the whole model
 * has for them.
 */
#ifndef GRAZE_TESTS_SUPPORT_MASK_JUDGE_H
#define GRAZE_TESTS_SUPPORT_MASK_JUDGE_H

#include "harness.h"

#include <graze/graze.h>

typedef struct masked_side {
    graze_model *model, *part; /* part: only what is in the mask; NULL while there is none */
    graze_body *bodies[2];     /* of the model: at the start and at the end of a motion */
    graze_body *twins[2];      /* the same of the part */
    graze_model_def def;
    uint32_t *groups; /* of the model's triangles */
    uint32_t *names;  /* the model's numbers of the part's triangles */
    uint32_t part_count;
    uint32_t *bits;
} masked_side;

/* Makes model and bodies; what the def points to must stay. Aborts when out of memory. */
masked_side masked_open(const graze_model_def *def);
void masked_close(masked_side *side);

/* Sets a mask and makes the part anew, with its own tree and instruction set, in no pose yet; false
 * if nothing is in the mask.
 */
bool masked_set(masked_side *side, const uint32_t *bits, const graze_tree_def *part_tree);

/* Poses a twin, and the body too unless it is in this pose already. */
void masked_pose(masked_side *side, int end, const graze_pose *pose, bool is_posed);

/* Gives a twin the positions it is posed in, as positions, and the body too unless it has them. */
void masked_give_positions(masked_side *side, int end, bool is_given);

/* Asks everything, about where the bodies are. Records failures that start with the name; returns
 * how many answers there were, so that a test can see that it compares something.
 */
uint64_t masked_judge(const masked_side *a, const masked_side *b, test_random *random,
                      const char *name);

#endif
