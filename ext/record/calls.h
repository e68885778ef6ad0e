/* Questions and answers as words: what is the same in recording and replaying. */
#ifndef GRAZEI_RECORD_CALLS_H
#define GRAZEI_RECORD_CALLS_H

#include "ask/ask.h"
#include "record/words.h"

/* The numbers of a model, and how many words each of its arrays has. */
typedef struct grazei_model_words {
    uint32_t vertices, triangles, joints, parts, targets, influences, deltas, has_rest;
    uint32_t skinning, isa, no_self_collision;
    uint32_t volume, refit, patch_triangles, arity, contact_level;
    float collapse;
} grazei_model_words;

enum { GRAZEI_MODEL_NUMBERS = sizeof(grazei_model_words) / sizeof(uint32_t) };

/* Positions, triangles, offsets of influences, influences, welds, parts of vertices, of triangles,
 * rest matrices, rest weights, offsets of targets, their vertices, their deltas.
 */
enum { GRAZEI_MODEL_ARRAYS = 12 };

void grazei_model_counts(const grazei_model_words *model, uint64_t counts[GRAZEI_MODEL_ARRAYS]);

/* What is kept of an answer. Those of a list are summed up as they come, in whatever order. */
typedef struct grazei_tally {
    uint32_t status, partial; /* partial: there may be more */
    uint64_t count, hash;
} grazei_tally;

/* Of a question that is being asked. */
typedef struct grazei_listened {
    grazei_heard base;
    const grazei_call *call;
    uint32_t session;
    uint64_t question; /* which one */
    bool whole, stopped;
    grazei_tally tally;
} grazei_listened;

/* Takes what the base hears; the rest is zero. Then what it comes to. */
void grazei_listen_to(grazei_listened *listened, const grazei_call *call);
void grazei_sum_up(grazei_listened *listened);

/* Whether what was recorded and what was found now are not the same. */
bool grazei_tallies_differ(const grazei_kind *kind, bool any, const grazei_tally *recorded,
                           const grazei_tally *now);

/* A question that was read. Arrays lie in its record. */
typedef struct grazei_question_read {
    grazei_call call; /* without motions, sets of a filter, and where the answer goes */
    graze_options options;
    uint32_t bodies[4]; /* by their numbers */
    graze_shape shapes[2];
    uint32_t shape_count;
    bool alone; /* a sweep of one body */
    graze_part_filter filter;
    const uint32_t *bits; /* of its sets */
    graze_contact_finder_def finder;
} grazei_question_read;

/* Which question, how, its bodies, and what it is about; all of that was checked. */
void grazei_put_call(grazei_words *words, const grazei_call *call, const uint32_t bodies[4]);

/* False: no question looks like this. */
bool grazei_take_call(grazei_taken *words, grazei_question_read *question);

#endif
