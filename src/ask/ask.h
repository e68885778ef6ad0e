/* How a question gets from a public function to its answer, in whatever way it is asked.
 *
 * A public function makes a grazei_call, which names the kind of question, the bodies, what is
 * asked of them and where the answer goes, and hands it to grazei_ask. A kind is a row of
 * functions; everything else (lists, budgets, checkpoints, batches, threads) is the same for all of
 * them and knows none.
 */
#ifndef GRAZEI_ASK_ASK_H
#define GRAZEI_ASK_ASK_H

#include "ask/lists.h"
#include "contact/contact.h"
#include "distance/distance.h"
#include "pairs/pair.h"
#include "rays/ray.h"
#include "self/self.h"
#include "sweep/shape.h"
#include "sweep/sweep.h"
#include "touch/contacts.h"
#include "touch/cull.h"
#include "touch/inside.h"
#include "touch/shapes.h"
#include "touch/winding.h"

typedef struct grazei_call grazei_call;
typedef struct grazei_work grazei_work;

/* A kind of question. In the order in which they are called: */
typedef struct grazei_kind {
    const char *name;
    grazei_list_kind list; /* of the answer; GRAZEI_NO_LIST: it is a struct ... */
    size_t answer_size;    /* ... of this size, and all zero if there is nothing */
    bool takes_new;        /* options.only_new means something */
    bool lazy_only;        /* there is no eager and no brute-force way */
    bool one_tree;         /* items on the agenda are single nodes */

    /* Refuses bad arguments, and makes shapes ready in the work's question. A lean body needs no
     * caches yet.
     */
    graze_status (*check)(const grazei_call *call, grazei_work *work, graze_error *error);

    /* Whether lean bodies without caches are so far apart that there is nothing to find. NULL: that
     * cannot be said.
     */
    bool (*apart)(const grazei_call *call, const grazei_work *work, graze_stats *stats);

    /* Puts the question on the work's agenda. The bodies have caches. */
    void (*begin)(const grazei_call *call, grazei_work *work, graze_stats *stats);

    /* In place of begin and running: looks at everything. */
    void (*brute)(const grazei_call *call, grazei_work *work, graze_stats *stats);

    /* In place of begin and running, with the threads of a pool. NULL: one thread does it. */
    void (*spread)(const grazei_call *call, grazei_work *work, graze_pool *pool,
                   graze_stats *stats);

    /* Writes what was found so far to where the answer goes. finished: that is all there is. NULL:
     * lists that were filled on the way.
     */
    graze_status (*finish)(const grazei_call *call, grazei_work *work, bool finished,
                           graze_stats *stats, graze_error *error);
} grazei_kind;

/* Where code travels (GRAZE_SMALL), questions are asked lazily and at once, by one thread: a kind
 * does without these of its functions.
 */
#if defined(GRAZE_SMALL)
enum { GRAZEI_ASKS_PLAINLY = true };
#else
enum { GRAZEI_ASKS_PLAINLY = false };
#endif
#define GRAZEI_WHOLE(function) (GRAZEI_ASKS_PLAINLY ? NULL : (function))

/* What is asked of the bodies: whatever the kind needs of it. What is pointed to is the caller's,
 * or lies in a batch.
 */
typedef struct grazei_about {
    const graze_part_filter *filter;
    const graze_ray *rays;
    size_t ray_count;
    const graze_shape *shape;
    const float *point;
    const graze_motion *motions[2];
    graze_contact_finder *finder;
    double distance;
    uint32_t depth;
} grazei_about;

struct grazei_call {
    const grazei_kind *kind;
    graze_body *bodies[4];
    uint32_t body_count;
    bool any, only_new;
    graze_method method;
    graze_history *history;
    void *answer;
    grazei_heard *heard; /* by a listener; or NULL */
    grazei_about about;
};

/* A call that is about nothing yet. Field by field: to clear it as a whole takes as long as a tenth
 * of a small query.
 */
static inline grazei_call grazei_call_of(const grazei_kind *kind, graze_body *a, graze_body *b,
                                         void *answer)
{
    grazei_call call;
    call.kind = kind;
    call.bodies[0] = a;
    call.bodies[1] = b;
    call.bodies[2] = call.bodies[3] = NULL;
    call.body_count = b ? 2 : 1;
    call.any = call.only_new = false;
    call.method = GRAZE_LAZY;
    call.history = NULL;
    call.answer = answer;
    call.heard = NULL;
    call.about.filter = NULL;
    call.about.rays = NULL;
    call.about.ray_count = 0;
    call.about.shape = NULL;
    call.about.point = NULL;
    call.about.motions[0] = call.about.motions[1] = NULL;
    call.about.finder = NULL;
    call.about.distance = 0;
    call.about.depth = 0;
    return call;
}

/* Any question, with the agenda that it works through. */
struct grazei_work {
    grazei_sink sink;
    bool to_the_end; /* the question is asked in one go: there is no budget */
    bool delivered;  /* what finish writes to a list is there */
    grazei_agenda agenda __attribute__((aligned(64)));
    union {
        grazei_question base;
        grazei_pair_question pair;
        grazei_self_question self;
        grazei_ray_question ray;
        grazei_rays_question rays;
        grazei_distance_question distance;
        grazei_touch_question touch;
        grazei_touch_contacts_question touch_contacts;
        grazei_inside_question inside;
        grazei_winding_question winding;
        grazei_cull_question cull;
        grazei_sweep_question sweep;
        grazei_shape_sweep_question shape_sweep;
    } question __attribute__((aligned(64)));
};

/* Asks, or records or resumes, as the options say (NULL: plainly). Every public question is this.
 */
graze_status grazei_ask(grazei_call *call, const graze_options *options, graze_error *error);

/* Tells a listener, if there is one, of a checked question that is about to be asked. */
static inline void grazei_tell_question(grazei_call *call, bool whole)
{
    const grazei_listener *listener = grazei_listening();
    if (__builtin_expect(listener != NULL, 0) && !call->heard)
        call->heard = listener->asks(call, whole);
}

/* The same of its answer. */
static inline void grazei_tell_answer(grazei_call *call)
{
    if (call->heard)
        call->heard->answered(call->heard, call);
    call->heard = NULL;
}

/* Answers a call that was checked with this work, on the calling thread. The sink is set up. */
graze_status grazei_answer(const grazei_call *call, grazei_work *work, graze_pool *pool,
                           graze_stats *stats, graze_error *error);

/* The same of a call that is not settled. */
graze_status grazei_answer_ready(const grazei_call *call, grazei_work *work, graze_pool *pool,
                                 graze_stats *stats, graze_error *error);

/* Calls finish, which the kind has. */
graze_status grazei_finish(const grazei_call *call, grazei_work *work, bool finished,
                           graze_stats *stats, graze_error *error);

/* What a good library does that knows nothing of the pose, before it walks the tree. */
void grazei_call_refit(const grazei_call *call, graze_stats *stats);

/* Whether a checked call has no answer, as is known without caches. If so, writes that; else lends
 * caches to its bodies.
 */
graze_status grazei_call_settle(const grazei_call *call, const grazei_work *work, bool *settled,
                                graze_stats *stats, graze_error *error);

/* Answers a checked call within a budget, or resumes it. */
graze_status grazei_answer_within(const grazei_call *call, grazei_work *work, graze_budget *budget,
                                  graze_stats *stats, graze_error *error);

/* Records a checked call. */
graze_status grazei_batch_add(graze_batch *batch, const grazei_call *call, graze_error *error);

/* Finds the pairs of one deep pair of bodies with the threads of a pool, for `take` (which is
 * locked) and user.
 */
void grazei_spread_pairs(const grazei_call *call, grazei_sink *sink, grazei_pair_fn take,
                         graze_pool *pool, graze_stats *stats);

/* Keeps a copy of some bytes; NULL: out of memory. */
typedef void *(*grazei_keep_fn)(void *user, const void *bytes, size_t size);

/* Replaces what is the caller's, and may go, by copies. The ray of a single cast counts, rays of
 * many do not. False: out of memory.
 */
bool grazei_keep_about(grazei_about *about, grazei_keep_fn keep, void *user);

/* What a call is about is the same: numbers by value, bodies and finders by pointer. */
bool grazei_calls_agree(const grazei_call *one, const grazei_call *other);

/* Whether a budget's numbers allow no further step. */
bool grazei_budget_is_spent(const graze_budget *budget, const graze_stats *done);

/* All kinds there are. */
extern const grazei_kind grazei_pairs_kind, grazei_cast_kind, grazei_contacts_kind,
    grazei_self_kind, grazei_nearest_kind, grazei_within_kind, grazei_cast_all_kind,
    grazei_cast_many_kind, grazei_sweep_kind, grazei_sweep_all_kind, grazei_sweep_shape_kind,
    grazei_sweep_shape_all_kind, grazei_touch_kind, grazei_touch_contacts_kind, grazei_cull_kind,
    grazei_inside_kind, grazei_winding_kind;

#endif
