/* What an on_demand model has yet to make: each part is made once, by whichever thread comes upon
 * the need for it first, and published whole. Nobody waits: who finds another thread at work does
 * without, which is slower and gives the same answer. Short of memory, too.
 */
#ifndef GRAZEI_MODEL_LATER_H
#define GRAZEI_MODEL_LATER_H

#include "model/model.h"

/* A table without anything in it. */
extern const grazei_folds grazei_no_folds;

/* The table of folds as far as it is there: whole or empty. */
static inline const grazei_folds *grazei_model_folds(const graze_model *model)
{
    uint32_t state = atomic_load_explicit(&model->later.folds, memory_order_acquire);
    return state == GRAZEI_IS_THERE ? &model->folds : &grazei_no_folds;
}

/* The same, and does a part of the work if it is not there: a few milliseconds, however large the
 * model.
 */
const grazei_folds *grazei_model_want_folds(const graze_model *model);

/* NULL: it is not there, or there is none to be made. Made once so many boxes have been asked for
 * that it pays.
 */
const grazei_outline *grazei_model_outline(const graze_model *model);

/* The stream of all vertices; NULL: it could not be made now. */
const grazei_stream *grazei_model_stream(const graze_model *model);

/* Of a model that goes: work that was not done. */
void grazei_model_drop_work(graze_model *model);

#endif
