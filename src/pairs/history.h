/* What one query of a pair of bodies leaves for the next. */
#ifndef GRAZEI_PAIRS_HISTORY_H
#define GRAZEI_PAIRS_HISTORY_H

#include "pairs/pair.h"

/* Errors for bodies of other models, and for a history that a query under way has. */
graze_status grazei_history_check(const graze_history *history, const graze_body *a,
                                  const graze_body *b, graze_error *error);

/* Marks a history as taken, or as free again. Returns whether it was taken. */
bool grazei_history_take(graze_history *history, bool take);

/* Puts the question for one pair: looks where the last hit was, then everywhere. The agenda is
 * empty afterwards if that was enough; the pair is then reported.
 */
void grazei_history_begin(graze_history *history, grazei_pair_question *question,
                          grazei_agenda *agenda, graze_body *a, graze_body *b,
                          grazei_pair_fn report, void *user, graze_stats *stats);

#endif
