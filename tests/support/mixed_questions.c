/* One question of any kind by lot, its answer by brute force, and all ways to ask it: at once with
 * any options, or in tiny steps. Between steps bodies are asked other things and lose or gain
 * caches, which leaves their poses as they are.
 */
#include "support/mixed_calls.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <string.h>

/* Answers that are no list. */
typedef struct single_answer {
    graze_nearest nearest;
    graze_hit hit;
    graze_point_side inside;
    graze_impact impact;
} single_answer;

typedef struct asked {
    mixed_kind kind;
    mixed_body *a, *b; /* b may be NULL */
    double distance;
    graze_ray ray;
    graze_shape shape, moved;
    float point[3];
    mixed_motions m;
    bool only_new, filtered;
    uint32_t bits[2][MIXED_MASK_WORDS];
    graze_part_sets sets;
    graze_part_filter filter;
    single_answer expected, found;
    answers_list list; /* for as long as a batch has the question */
} asked;

static const char *const names[MIXED_KINDS] = {
    [MIXED_PAIRS] = "pairs",
    [MIXED_WITHIN] = "pairs_within",
    [MIXED_DISTANCE] = "distance",
    [MIXED_SELF] = "self_pairs",
    [MIXED_CAST] = "cast",
    [MIXED_CAST_ALL] = "cast_all",
    [MIXED_TOUCH] = "touch",
    [MIXED_INSIDE] = "inside",
    [MIXED_SWEEP] = "sweep",
    [MIXED_SWEEP_ALL] = "sweep_all",
    [MIXED_SHAPE_SWEEP] = "sweep of a shape",
    [MIXED_SHAPE_SWEEP_ALL] = "sweep_all of a shape",
};

static bool is_list(mixed_kind kind)
{
    return kind != MIXED_DISTANCE && kind != MIXED_CAST && kind != MIXED_INSIDE &&
           kind != MIXED_SWEEP && kind != MIXED_SHAPE_SWEEP;
}

static bool is_of_motions(mixed_kind kind)
{
    return kind >= MIXED_SWEEP;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_filter(mixed_world *w, asked *q)
{
    for (int i = 0; i < 2 * MIXED_MASK_WORDS; i++)
        q->bits[i / MIXED_MASK_WORDS][i % MIXED_MASK_WORDS] = test_random_u32(&w->random);
    q->sets = (graze_part_sets){q->bits[0], q->bits[1]};
    q->filter = (graze_part_filter){
        .pairs = &q->sets, .pair_count = 1, .part_count = q->a->of->info.part_count};
    q->filtered = true;
}

static void draw_moving_shape(mixed_world *w, asked *q)
{
    do
        q->shape = mixed_shape(w, q->m.a[0]);
    while (q->shape.kind == GRAZE_PLANE || q->shape.kind == GRAZE_FRUSTUM);
    q->moved = mixed_moved(w, &q->shape);
}

static void draw(mixed_world *w, asked *q, mixed_kind kind)
{
    *q = (asked){.kind = kind, .only_new = mixed_below(w, 2)};
    if (is_of_motions(kind)) {
        q->m = mixed_make_motions(w);
        q->a = q->m.a[0];
        q->b = q->m.b[0];
        if (kind >= MIXED_SHAPE_SWEEP)
            draw_moving_shape(w, q);
    } else if (kind <= MIXED_DISTANCE) {
        mixed_two_bodies(w, &q->a, &q->b);
    } else {
        q->a = mixed_any_body(w);
        q->ray = mixed_ray(w, q->a);
        q->shape = mixed_shape(w, q->a);
        mixed_point(w, q->a, q->point);
    }
    q->distance = mixed_distance(w);
    if (kind == MIXED_DISTANCE && mixed_below(w, 2))
        q->distance = INFINITY;
    if (kind == MIXED_SELF && mixed_below(w, 2))
        draw_filter(w, q);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* A list of the question goes to `to`. */
static graze_status ask(asked *q, bool twins, answers *to, single_answer *single,
                        const graze_options *o)
{
    graze_body *a = twins ? q->a->twin : q->a->body;
    graze_body *b = q->b ? (twins ? q->b->twin : q->b->body) : NULL;
    const graze_motion *motions = twins ? q->m.twins : q->m.motions;
    const graze_motion moving = {.from = &q->shape, .to = &q->moved};
    const graze_motion *second = q->kind >= MIXED_SHAPE_SWEEP ? &moving : b ? &motions[1] : NULL;
    switch (q->kind) {
    case MIXED_PAIRS:
        q->list.pairs = *PAIRS_TO(to);
        return graze_pairs(a, b, &q->list.pairs, o, NULL);
    case MIXED_WITHIN:
        q->list.pairs = *PAIRS_TO(to);
        return graze_pairs_within(a, b, q->distance, &q->list.pairs, o, NULL);
    case MIXED_DISTANCE:
        return graze_distance(a, b, q->distance, &single->nearest, o, NULL);
    case MIXED_SELF:
        q->list.pairs = *SELF_TO(to);
        return graze_self_pairs(a, q->filtered && !twins ? &q->filter : NULL, &q->list.pairs, o,
                                NULL);
    case MIXED_CAST:
        return graze_cast(a, &q->ray, &single->hit, o, NULL);
    case MIXED_CAST_ALL:
        q->list.hits = *HITS_TO(to);
        return graze_cast_all(a, &q->ray, &q->list.hits, o, NULL);
    case MIXED_TOUCH:
        q->list.triangles = *TRIANGLES_TO(to);
        return graze_touch(a, &q->shape, &q->list.triangles, o, NULL);
    case MIXED_INSIDE:
        return graze_inside(a, q->point, &single->inside, o, NULL);
    case MIXED_SWEEP:
    case MIXED_SHAPE_SWEEP:
        return graze_sweep(&motions[0], second, &single->impact, o, NULL);
    default:
        q->list.impacts = *IMPACTS_TO(to);
        return graze_sweep_all(&motions[0], second, &q->list.impacts, o, NULL);
    }
}

/* The list that a single answer is one of. */
static mixed_kind list_of(mixed_kind kind)
{
    return kind == MIXED_DISTANCE ? MIXED_WITHIN : is_list(kind) ? kind : kind + 1;
}

/* The expected pairs with a part in one set and a part in the other. */
static void keep_filtered(mixed_world *w, const asked *q)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->expected.count; i++) {
        uint32_t *pair = w->expected.words + i * w->expected.width;
        uint32_t parts[2] = {graze_model_triangle_part(q->a->of->plain, pair[0]),
                             graze_model_triangle_part(q->a->of->plain, pair[1])};
        bool in[2][2];
        for (int s = 0; s < 4; s++)
            in[s / 2][s % 2] = q->bits[s / 2][parts[s % 2] / 32] >> (parts[s % 2] % 32) & 1;
        if ((in[0][0] && in[1][1]) || (in[0][1] && in[1][0]))
            memmove(w->expected.words + kept++ * w->expected.width, pair,
                    w->expected.width * sizeof *pair);
    }
    w->expected.count = kept;
}

/* By brute force: the list of all in w->expected, sorted, and the single answer. */
static void expect(mixed_world *w, asked *q)
{
    const bool takes_new = q->kind == MIXED_SELF || is_of_motions(q->kind);
    const graze_options brute = {.method = GRAZE_BRUTE, .only_new = q->only_new && takes_new};
    asked all = *q;
    all.kind = list_of(q->kind);
    mixed_begin_reference(w);
    mixed_clear(w);
    if (!is_list(q->kind))
        MIXED_OK(ask(q, true, NULL, &q->expected, &brute));
    if (q->kind != MIXED_INSIDE && !(q->kind == MIXED_DISTANCE && isinf(q->distance)))
        MIXED_OK(ask(&all, true, &w->expected, NULL, &brute));
    answers_sort(&w->expected);
    if (q->filtered)
        keep_filtered(w, q);
    mixed_end_reference(w);
}

/* ---- judging --------------------------------------------------------------------------------- */

static bool was_found(const asked *q, const single_answer *single)
{
    return q->kind == MIXED_DISTANCE ? single->nearest.found
           : q->kind == MIXED_CAST   ? single->hit.found
                                     : single->impact.found;
}

static void put(const asked *q, const single_answer *single, answers *list)
{
    if (q->kind == MIXED_DISTANCE)
        answers_put_nearest(list, &single->nearest);
    else if (q->kind == MIXED_CAST)
        answers_put_hit(list, &single->hit);
    else if (q->kind == MIXED_INSIDE)
        answers_put_inside(list, &single->inside);
    else
        answers_put_impact(list, &single->impact);
}

/* Any answer: there is one if there is any, and it is one of all. */
static void judge_any(mixed_world *w, asked *q)
{
    const uint32_t pair[2] = {q->found.nearest.pair.a, q->found.nearest.pair.b};
    bool found = is_list(q->kind) ? w->found.count > 0 : was_found(q, &q->found);
    if (found && !is_list(q->kind))
        put(q, &q->found, &w->found);
    mixed_check(w, found == (w->expected.count > 0), "says %s, brute force finds %zu",
                found ? "yes" : "no", w->expected.count);
    mixed_check(w, w->found.count <= 1, "%zu answers in place of one", w->found.count);
    if (found && q->kind == MIXED_DISTANCE)
        mixed_check(w,
                    q->found.nearest.distance <= q->distance && answers_have(&w->expected, pair, 2),
                    "%u and %u are not so near", pair[0], pair[1]);
    else
        mixed_check(w, !found || answers_have(&w->expected, w->found.words, w->found.width),
                    "the answer is wrong");
}

static void judge(mixed_world *w, asked *q)
{
    if (!is_list(q->kind)) {
        mixed_clear(w);
        put(q, &q->expected, &w->expected);
        put(q, &q->found, &w->found);
    }
    mixed_compare(w, names[q->kind]);
}

/* ---- at once --------------------------------------------------------------------------------- */

/* Which options; what they are called. */
static const char *draw_options(mixed_world *w, const asked *q, graze_options *o)
{
    bool may_be_any = q->kind != MIXED_INSIDE && !(q->kind == MIXED_DISTANCE && isinf(q->distance));
    o->only_new = q->only_new && (q->kind == MIXED_SELF || is_of_motions(q->kind));
    o->any = may_be_any && mixed_below(w, 3) == 0;
    switch (mixed_below(w, 7)) {
    case 0:
        o->method = GRAZE_EAGER;
        return "eager";
    case 1:
        o->method = GRAZE_BRUTE;
        return "brute";
    case 2:
        o->pool = w->pool;
        return "with a pool";
    case 3:
        o->batch = w->batch;
        return "in a batch";
    case 4:
        o->history =
            q->kind == MIXED_PAIRS ? w->histories[q->a->number / 2][q->b->number / 2] : NULL;
        return "with a history";
    default:
        return "lazy";
    }
}

void mixed_ask_at_once(mixed_world *w, mixed_kind kind)
{
    asked q;
    graze_options options = {.any = false};
    draw(w, &q, kind);
    const char *way = draw_options(w, &q, &options);
    mixed_step(w, "%s(%u, %d), %s, any %d, new %d, %g", names[kind], q.a->number,
               q.b ? (int)q.b->number : -1, way, options.any, options.only_new, q.distance);
    expect(w, &q);
    MIXED_OK(ask(&q, false, &w->found, &q.found, &options));
    if (options.batch) {
        mixed_check(w, w->found.count == 0, "a question is answered where it is recorded");
        MIXED_OK(graze_batch_run(w->batch, &(graze_options){.pool = w->pool}, NULL));
        graze_batch_clear(w->batch);
    }
    if (options.any)
        judge_any(w, &q);
    else
        judge(w, &q);
}

/* ---- in steps -------------------------------------------------------------------------------- */

/* Something else that happens to a body meanwhile. */
static void disturb(mixed_world *w, mixed_body *b)
{
    graze_ray ray = mixed_ray(w, b);
    graze_pair_list met = {0};
    graze_hit hit;
    switch (mixed_below(w, 8)) {
    case 0:
        graze_body_drop_caches(b->body);
        break;
    case 1:
        graze_body_refit_all(b->body);
        break;
    case 2:
        MIXED_OK(graze_cast(b->body, &ray, &hit, NULL, NULL));
        break;
    case 3:
        MIXED_OK(graze_self_pairs(b->body, NULL, &met, &(graze_options){.any = true}, NULL));
        break;
    case 4:
        graze_body_bound_all(b->body);
        break;
    default:
        break;
    }
}

/* Where the answer is, in its own measure; infinity if it has none. */
static double measure(const asked *q, const single_answer *single)
{
    if (is_list(q->kind) || q->kind == MIXED_INSIDE || !was_found(q, single))
        return INFINITY;
    return q->kind == MIXED_DISTANCE ? single->nearest.distance
           : q->kind == MIXED_CAST   ? (double)single->hit.t
                                     : (double)single->impact.time;
}

/* Another pose or mask half way: the question is refused. */
static void break_off(mixed_world *w, asked *q, graze_options *options)
{
    graze_budget untouched = *options->budget;
    if (w->step_count + 2 > MIXED_STEPS)
        return;
    if (mixed_below(w, 3)) {
        mixed_set_pose(w, q->a);
    } else { /* another mask, whichever it was */
        q->a->mask[0] ^= 1;
        mixed_step(w, "set_part_mask(%u), without part 0 or with it", q->a->number);
        MIXED_OK(graze_body_set_part_mask(q->a->body, q->a->mask, q->a->of->info.part_count, NULL));
        MIXED_OK(graze_body_set_part_mask(q->a->twin, q->a->mask, q->a->of->info.part_count, NULL));
    }
    bool moved = !strstr(w->steps[w->step_count - 1], "refused");
    untouched.remaining = 77;
    options->budget = &untouched;
    mixed_check(w, !moved || ask(q, false, &w->found, &q->found, options) == GRAZE_BAD_INPUT,
                "a question goes on in another pose");
    mixed_check(w, untouched.remaining == 77, "the budget is written though it was refused");
}

void mixed_ask_in_steps(mixed_world *w, mixed_kind kind)
{
    asked q;
    uint32_t last = mixed_below(w, 6) ? UINT32_MAX : 1 + mixed_below(w, 3);
    graze_budget budget = {.bound_tests = 1 + mixed_below(w, 6),
                           .triangle_tests = 1 + mixed_below(w, 30),
                           .checkpoint = w->checkpoint};
    graze_options options = {.budget = &budget};
    draw(w, &q, kind);
    options.only_new = q.only_new && (kind == MIXED_SELF || is_of_motions(kind));
    mixed_step(w, "%s(%u, %d) in steps, new %d, %g", names[kind], q.a->number,
               q.b ? (int)q.b->number : -1, options.only_new, q.distance);
    expect(w, &q);
    graze_status status = GRAZE_UNFINISHED;
    for (uint32_t step = 0; status == GRAZE_UNFINISHED && step < 200000 && !w->failed; step++) {
        status = ask(&q, false, &w->found, &q.found, &options);
        mixed_check(w, budget.finished == (status == GRAZE_OK), "finished %d, status %d",
                    budget.finished, (int)status);
        mixed_check(w,
                    measure(&q, &q.expected) >= fmin((double)budget.nearest, measure(&q, &q.found)),
                    "the rest is said to be at %g or beyond, the answer is at %g",
                    (double)budget.nearest, measure(&q, &q.expected));
        if (status == GRAZE_UNFINISHED && step == last) {
            break_off(w, &q, &options);
            break;
        }
        disturb(w, q.b && mixed_below(w, 2) ? q.b : q.a);
    }
    graze_checkpoint_clear(w->checkpoint);
    if (status == GRAZE_OK)
        judge(w, &q);
    else
        mixed_check(w, status == GRAZE_UNFINISHED && last < 4, "it ends by status %d", (int)status);
}
