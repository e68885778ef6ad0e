/* Poses for which hitboxes are made tight. */
#ifndef GRAZEI_HITBOX_TRAIN_H
#define GRAZEI_HITBOX_TRAIN_H

#include "model/model.h"

/* Poses, and kinds of them: joints turn least in poses 0, GRAZEI_TRAINING_KINDS and so on. */
enum { GRAZEI_MOST_TRAINING_POSES = 32, GRAZEI_TRAINING_KINDS = 4 };

typedef struct grazei_training {
    grazei_joints poses[GRAZEI_MOST_TRAINING_POSES];
    uint32_t count;     /* of those that are ready */
    uint32_t allocated; /* of those that have memory */
} grazei_training;

/* Fills a zeroed training: joints turned at random, but the same every time, along a skeleton that
 * is guessed from the weights. A pose that floats cannot hold is left out. False when out of
 * memory; released by the caller in any case.
 */
bool grazei_train(const graze_model *model, grazei_training *training,
                  const graze_allocator *allocator);

void grazei_training_release(grazei_training *training, const graze_allocator *allocator);

#endif
