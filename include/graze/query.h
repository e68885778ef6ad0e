/* How questions are asked. This is the same for all of them.
 *
 *     graze_pairs(a, b, &found, NULL, &error);
 *     graze_cast(body, &ray, &hit, NULL, &error);
 *
 * Every question is one function. Its arguments are: the bodies, what is asked of them, where the
 * answer goes, the options, the error. NULL options are the ordinary, lazy query on the calling
 * thread. Options change how a question is asked:
 *
 *     graze_options options = {0};
 *     options.any = true;               any one answer will do
 *     options.method = GRAZE_BRUTE;     look at everything, to check the lazy answer
 *     options.stats = &stats;           count what was done
 *
 * Where a question may have many answers, they go to a list: the caller's array or callback.
 *
 *     graze_pair pairs[64];
 *     graze_pair_list found = {0};
 *     found.items = pairs;
 *     found.capacity = 64;
 *     graze_pairs(a, b, &found, NULL, &error);
 *     for (size_t i = 0; i < found.count; i++) ...
 *
 * For all questions:
 *   - No body, ray, shape or place for an answer may be NULL unless a comment allows it. Options
 *     and error may be NULL.
 *   - After an error no answer is written, and lists are empty. GRAZE_UNFINISHED is not an error:
 *     see graze_budget.
 *   - Nothing is allocated unless a comment says so. A query needs less than 96 kB of stack, plus
 *     what callbacks need.
 *   - Lazy, eager and brute-force answers are the same, on every instruction set and any number of
 *     threads. The order of list items is unspecified.
 *   - A callback may ask further questions, of the same bodies too, with other lists. It may not
 *     change a pose or mask that the running query uses, nor use its history, checkpoint or batch:
 *     GRAZE_BAD_INPUT.
 *   - The processor must round to nearest (fesetround), otherwise GRAZE_UNSUPPORTED. Denormals may
 *     be flushed to zero.
 *
 * Standing: stable, except what is marked GRAZE_EXPERIMENTAL.
 */
#ifndef GRAZE_QUERY_H
#define GRAZE_QUERY_H

#include <graze/body.h>
#include <graze/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- lists ---------------------------------------------------------------------------------- */

/* A list says where answers go. graze_pair_list, graze_hit_list, graze_triangle_list,
 * graze_contact_list and graze_impact_list differ in the type of their items only; their layout in
 * memory is the same.
 *
 *     items, capacity   the caller's array. Both 0: answers are only counted
 *     report, user      or a callback. It gets answers in batches of one or more, each answer once,
 *                       and returns false to stop the query
 *     count             set by the query: how many items were written, at most capacity
 *     total             set by the query: how many answers there are. If it exceeds count, the
 *                       array was too small; ask again with room for total
 *
 * Setting both items and report is GRAZE_BAD_INPUT. With a callback count is 0 and total is the
 * number of answers reported. A callback that returns false ends its question, which counts as
 * finished. Callbacks never run two at a time within one call, even on several threads, and each
 * sees what the previous ones wrote. Keep them short: other threads wait.
 */

/* ---- options -------------------------------------------------------------------------------- */

/* How the answer is found. The answer is the same. */
typedef enum graze_method {
    GRAZE_LAZY = 0,  /* bounds and poses only what the question needs */
    GRAZE_EAGER = 1, /* poses every vertex and refits every bound bottom-up, then walks the tree, as
                        libraries do that know nothing of the pose */
    GRAZE_BRUTE = 2  /* poses every vertex and tests all triangles: to check answers */
} graze_method;

typedef struct graze_checkpoint graze_checkpoint;
typedef struct graze_history graze_history;
typedef struct graze_batch graze_batch;

/* Limits the work of one call, and says how much is left.
 *
 * Limits are checked between steps. A step is at most one pair of patches, so counts can end a
 * little above their limits. Every call does at least one step. A call that stops before its answer
 * is complete returns GRAZE_UNFINISHED. That is neither success nor an error: what it has found so
 * far is written, and more may follow. That nothing was found yet does not mean "no".
 */
typedef struct graze_budget {
    /* Set by the caller. */
    uint64_t bound_tests;         /* at most this many tests of bounds; 0: no limit */
    uint64_t triangle_tests;      /* at most this many tests of triangles; 0: no limit */
    bool (*stop)(void *user);     /* asked before every step; true: stop now. NULL: never */
    void *user;                   /* passed to stop */
    graze_checkpoint *checkpoint; /* where to resume from. NULL: the remaining work is forgotten */
    uintptr_t reserved[2];

    /* Set by every call that is not an error. */
    bool finished;      /* the answer is complete, and the call returned GRAZE_OK */
    uint32_t remaining; /* nodes, pairs of nodes, rays or questions that are left */
    uint32_t depth;     /* all of these are on this level of the trees or below; the root is 0 */
    float nearest;      /* answers still to come have at least this distance, ray t or time of
                           impact. 0 for other questions, infinity if finished */
} graze_budget;

/* How to ask. Zero is the ordinary query.
 *
 * An options struct is only read, so threads may share one. What it points to belongs to one call
 * at a time.
 *
 * Every question takes every option, with these exceptions, which are GRAZE_UNSUPPORTED:
 *   - only_new is for graze_self_pairs, graze_sweep and graze_sweep_all.
 *   - A budget needs GRAZE_LAZY.
 *   - graze_cull decides from bounds alone, so it has GRAZE_LAZY only.
 *   - graze_contacts_from_pairs takes stats only.
 * pool and history change only the speed. A pool helps graze_pairs, graze_contacts, graze_cast_many
 * and graze_batch_run, a history graze_pairs with `any`. Elsewhere they are ignored. `any` is
 * ignored by questions that have only one answer. graze_cull, graze_winding_number and the second
 * half of graze_contacts, after all pairs are found, are one step for a budget.
 */
typedef struct graze_options {
    bool any;      /* any one answer will do: the query stops at the first that it finds. Lists get
                      at most one item. A nearest hit, distance or impact need not be the nearest */
    bool only_new; /* leaves out what also meets in the rest pose (graze_self_pairs), or at the
                      start of the motion (sweeps) */
    graze_method method;
    graze_pool *pool;       /* threads for this one question. NULL: the calling thread. Useful for
                               questions that take more than some tens of microseconds */
    graze_history *history; /* where these two bodies met in earlier frames */
    graze_budget *budget;   /* stop early, and resume. NULL: run to the end */
    graze_batch *batch;     /* record the question instead of asking it: see graze_batch_run */
    graze_stats *stats;     /* NULL: not wanted */
    uintptr_t reserved[4];
} graze_options;

/* ---- resuming ------------------------------------------------------------------------------- */

/* A checkpoint keeps a question that ran out of budget. Make the same call again to resume it:
 *
 *     graze_budget budget = {0};
 *     budget.triangle_tests = 2000;
 *     budget.checkpoint = checkpoint;
 *     options.budget = &budget;
 *     while ((status = graze_pairs(a, b, &found, &options, &error)) == GRAZE_UNFINISHED)
 *         ... use found; do something else
 *     graze_checkpoint_clear(checkpoint);
 *
 *   - Each call delivers the answers that it found itself: a list starts empty every time. A
 *     nearest hit, distance or impact is the best found so far, by all calls.
 *   - Together the calls give the answer of the plain query.
 *   - A checkpoint belongs to one question until it is cleared: the same function, bodies or
 *     motions, filter, ray, shape, point, distance and options. Limits, list and statistics may
 *     differ. Any other question, and a body with a new pose or mask, is GRAZE_BAD_INPUT. Many
 *     rays and their hits stay where they are.
 *   - A finished question stays finished: asked again it is GRAZE_OK, with the same nearest hit,
 *     distance or impact and an empty list.
 */

/* Makes an empty checkpoint. Allocates all it will ever need, about 36 kB. One thread at a time.
 *   - allocator NULL: graze_default_allocator(). *checkpoint is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_checkpoint_create(const graze_allocator *allocator,
                                                        graze_checkpoint **checkpoint,
                                                        graze_error *error);

/* Forgets the question, finished or not. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_checkpoint_clear(graze_checkpoint *checkpoint);

/* Frees the checkpoint. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_checkpoint_destroy(graze_checkpoint *checkpoint);

/* ---- history -------------------------------------------------------------------------------- */

/* A history remembers where two bodies met last (after Li & Chen 1998). With it, graze_pairs with
 * `any` is up to four times as fast while the bodies touch, because it first tests around the
 * triangles that it found last. Answers to the question whether they meet are the same; which pair
 * is found may differ. Without `any` it changes nothing.
 *
 * Makes an empty history for any body of model a against any body of model b. It keeps both models
 * alive. One thread at a time. Bodies of other models are GRAZE_BAD_INPUT.
 *   - *history is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_history_create(const graze_model *a, const graze_model *b,
                                                     graze_history **history, graze_error *error);

/* Frees the history. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_history_destroy(graze_history *history);

/* ---- many questions ------------------------------------------------------------------------- */

/* A batch asks many questions at once, over the threads of a pool:
 *
 *     graze_options record = {0};
 *     record.batch = batch;
 *     for each pair:  graze_pairs(a[i], b[i], &found[i], &record, &error);
 *     for each ray:   graze_cast(body[i], &ray[i], &hit[i], &record, &error);
 *     graze_options run = {0};
 *     run.pool = pool;
 *     graze_batch_run(batch, &run, &error);      now found and hit have the answers
 *
 *   - A call with options.batch checks its arguments and records the question. Several threads may
 *     record into one batch. Rays, shapes, points, motions and options are copied. Bodies, finders,
 *     histories, filters, lists and answers are pointed to: they must stay until the batch is
 *     cleared.
 *   - pool, budget and stats of a recorded question are not used; those of the run are.
 *   - A finder or history may be in one question of a batch.
 */

/* Makes an empty batch. Recording allocates only if the batch grows beyond its largest size so far.
 * One thread at a time may run or clear it, while no other records.
 *   - allocator NULL: graze_default_allocator(). *batch is set on success only.
 */
GRAZE_API graze_status graze_batch_create(const graze_allocator *allocator, graze_batch **batch,
                                          graze_error *error);

/* Forgets all questions and keeps the memory. NULL is fine. */
GRAZE_API void graze_batch_clear(graze_batch *batch);

/* Frees the batch. NULL is fine. */
GRAZE_API void graze_batch_destroy(graze_batch *batch);

/* Asks all questions of the batch, as the bodies are posed now, and keeps them: run it again next
 * frame. Answers are those of the plain queries.
 *   - options: pool, stats and budget count; the rest is as recorded. A budget is checked between
 *     questions; `remaining` is how many are left, and the next run begins with these. It needs no
 *     checkpoint.
 *   - A body may be in any number of questions; keep those of one body together. Rays of one body
 *     that follow each other go through its tree together, 64 at a time. Long pairs are split.
 *   - Do not touch the bodies until the call returns, unless they are shared.
 *   - If a question fails, the others are still answered. Returns the error of the first that
 *     failed; the text starts with its number: "question 17: ...".
 */
GRAZE_API graze_status graze_batch_run(graze_batch *batch, const graze_options *options,
                                       graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
