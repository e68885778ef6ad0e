#include "ask/ask.h"

#include "base/assert.h"
#include "base/status.h"
#include "base/trace.h"

#include <string.h>

static graze_status check_options(const grazei_kind *kind, const graze_options *options,
                                  graze_error *error)
{
    const uintptr_t *words = options->reserved;
    if (words[0] | words[1] | words[2] | words[3])
        return GRAZEI_CHECK_RESERVED(options, "the options", error);
    if (GRAZEI_ASKS_PLAINLY && (options->method || options->budget || options->batch))
        return grazei_fail(error, GRAZE_UNSUPPORTED, "this build asks lazily, and at once");
    if ((unsigned)options->method > GRAZE_BRUTE)
        return grazei_fail(error, GRAZE_BAD_INPUT, "there is no method %d", (int)options->method);
    if (options->only_new && !kind->takes_new)
        return grazei_fail(error, GRAZE_UNSUPPORTED, "%s has no only_new", kind->name);
    if (options->method && kind->lazy_only)
        return grazei_fail(error, GRAZE_UNSUPPORTED, "%s is lazy only", kind->name);
    if (options->method && options->budget)
        return grazei_fail(error, GRAZE_UNSUPPORTED, "budgets are for lazy queries");
    return options->budget ? GRAZEI_CHECK_RESERVED(options->budget, "the budget", error) : GRAZE_OK;
}

/* The bodies that a kind names may still be NULL. */
static graze_status check(const grazei_call *call, grazei_work *work, graze_error *error)
{
    const grazei_kind *kind = call->kind;
    graze_status status = GRAZE_OK;
    if (kind->list)
        status = grazei_list_open(call->answer, kind->list, error);
    else
        status = grazei_check_pointer(call->answer, "where the answer goes", error);
    return status ? status : kind->check(call, work, error);
}

graze_status grazei_ask(grazei_call *call, const graze_options *options, graze_error *error)
{
    static const graze_options plainly = {.any = false};
    const graze_options *how = options ? options : &plainly;
    grazei_work work;
    graze_stats unwanted = {0}, *stats = how->stats ? how->stats : &unwanted;
    if (call->kind->list && call->answer)
        grazei_list_clear(call->answer);
    graze_status status = options ? check_options(call->kind, options, error) : GRAZE_OK;
    if (status)
        return status;
    call->any = how->any;
    call->only_new = how->only_new;
    call->method = how->method;
    call->history = how->history;
    work.sink = (grazei_sink){.list = call->kind->list ? call->answer : NULL,
                              .any = how->any,
                              .finder = call->about.finder};
    status = check(call, &work, error);
    if (status)
        return status;
    if (!GRAZEI_ASKS_PLAINLY && how->batch)
        return grazei_batch_add(how->batch, call, error);
    if (!GRAZEI_ASKS_PLAINLY)
        grazei_tell_question(call, !how->budget);
    work.sink.heard = call->heard;
    GRAZEI_ZONE(call->kind->name);
    if (!GRAZEI_ASKS_PLAINLY && how->budget)
        status = grazei_answer_within(call, &work, how->budget, stats, error);
    else
        status = grazei_answer(call, &work, how->pool, stats, error);
    if (!GRAZEI_ASKS_PLAINLY && call->heard) {
        call->heard->status = status;
        grazei_tell_answer(call);
    }
    return status;
}

graze_status grazei_call_settle(const grazei_call *call, const grazei_work *work, bool *settled,
                                graze_stats *stats, graze_error *error)
{
    const grazei_kind *kind = call->kind;
    graze_status status = GRAZE_OK;
    *settled = kind->apart && call->method == GRAZE_LAZY && kind->apart(call, work, stats);
    if (*settled && !kind->list)
        memset(call->answer, 0, kind->answer_size);
    for (uint32_t i = 0; i < call->body_count && !*settled && !status; i++)
        status = grazei_body_ready(call->bodies[i], error);
    return status;
}

static bool comes_again(const grazei_call *call, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (call->bodies[k] == call->bodies[i])
            return true;
    return false;
}

void grazei_call_refit(const grazei_call *call, graze_stats *stats)
{
    for (uint32_t i = 0; i < call->body_count; i++) {
        graze_body *body = call->bodies[i];
        if (comes_again(call, i) || grazei_body_is_shared(body))
            continue;
        grazei_body_refit_all(body);
        stats->nodes_refit += grazei_body_tree(body)->node_count;
    }
}

static void pose_all(const grazei_call *call, graze_stats *stats)
{
    for (uint32_t i = 0; i < call->body_count; i++)
        if (!comes_again(call, i))
            grazei_body_mesh_posed(call->bodies[i], stats);
}

/* Two posed bodies whose boxes are apart need no bounds inside, unless what is near counts. */
static bool are_boxes_apart(const grazei_call *call, graze_stats *stats)
{
    if (call->kind->list != GRAZEI_PAIRS || call->body_count != 2 || call->about.distance > 0)
        return false;
    grazei_posed_mesh a = grazei_body_mesh_posed(call->bodies[0], NULL);
    grazei_posed_mesh b = grazei_body_mesh_posed(call->bodies[1], NULL);
    grazei_box_probe probe = grazei_probe_box(a.box);
    stats->bound_tests++;
    return !grazei_boxes_overlap(&probe, b.box);
}

/* Unless the boxes say that there is nothing to find: then false. */
static bool refit(const grazei_call *call, graze_stats *stats)
{
    GRAZEI_ZONE("refit");
    pose_all(call, stats);
    if (are_boxes_apart(call, stats))
        return false;
    grazei_call_refit(call, stats);
    return true;
}

static void look_at_all(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    GRAZEI_ZONE("brute");
    grazei_enter(call->bodies, call->body_count);
    call->kind->brute(call, work, stats);
    grazei_leave(call->bodies, call->body_count);
}

static void walk(const grazei_call *call, grazei_work *work, graze_pool *pool, graze_stats *stats)
{
    const grazei_kind *kind = call->kind;
    GRAZEI_ZONE("walk");
    if (!GRAZEI_ASKS_PLAINLY && kind->spread && graze_pool_threads(pool) > 1 && !call->any) {
        kind->spread(call, work, pool, stats);
        return;
    }
    kind->begin(call, work, stats);
    grazei_run(&work->question.base, &work->agenda, stats);
}

/* To the end. False: there is nothing, and no question was put. */
static bool look(const grazei_call *call, grazei_work *work, graze_pool *pool, graze_stats *stats)
{
    work->to_the_end = true;
    work->delivered = false;
    if (call->method == GRAZE_EAGER && !refit(call, stats))
        return false;
    if (call->method == GRAZE_BRUTE)
        look_at_all(call, work, stats);
    else
        walk(call, work, pool, stats);
    return true;
}

graze_status grazei_finish(const grazei_call *call, grazei_work *work, bool finished,
                           graze_stats *stats, graze_error *error)
{
    GRAZEI_ZONE("finish");
    return call->kind->finish(call, work, finished, stats, error);
}

graze_status grazei_answer_ready(const grazei_call *call, grazei_work *work, graze_pool *pool,
                                 graze_stats *stats, graze_error *error)
{
    const grazei_kind *kind = call->kind;
    if (!look(call, work, pool, stats))
        return GRAZE_OK;
    return kind->finish ? grazei_finish(call, work, true, stats, error) : GRAZE_OK;
}

graze_status grazei_answer(const grazei_call *call, grazei_work *work, graze_pool *pool,
                           graze_stats *stats, graze_error *error)
{
    bool settled;
    graze_status status = grazei_call_settle(call, work, &settled, stats, error);
    return status || settled ? status : grazei_answer_ready(call, work, pool, stats, error);
}

static bool shapes_agree(const graze_shape *one, const graze_shape *other)
{
    static const size_t sizes[] = {sizeof(graze_sphere),     sizeof(graze_capsule),
                                   sizeof(graze_box),        sizeof(graze_half_space),
                                   sizeof(graze_half_space), sizeof(graze_frustum)};
    if (!one || !other)
        return one == other;
    GRAZE_ASSERT((unsigned)one->kind <= GRAZE_FRUSTUM);
    if (one->kind != other->kind)
        return false;
    if (one->kind == GRAZE_FRUSTUM)
        return one->as.frustum.plane_count == other->as.frustum.plane_count &&
               !memcmp(one->as.frustum.planes, other->as.frustum.planes,
                       one->as.frustum.plane_count * sizeof(graze_half_space));
    return !memcmp(&one->as, &other->as, sizes[one->kind]);
}

static bool motions_agree(const graze_motion *one, const graze_motion *other)
{
    if (!one || !other)
        return one == other;
    return one->start == other->start && one->end == other->end &&
           shapes_agree(one->from, other->from) && shapes_agree(one->to, other->to);
}

static bool bytes_agree(const void *one, const void *other, size_t size)
{
    return one && other ? !memcmp(one, other, size) : one == other;
}

/* Of many rays neither they nor their hits may move. */
static bool rays_agree(const grazei_call *one, const grazei_call *other)
{
    const grazei_about *a = &one->about, *b = &other->about;
    bool many = !one->kind->list && !one->kind->answer_size;
    if (many && one->answer != other->answer)
        return false;
    if (a->ray_count > 1)
        return a->rays == b->rays;
    return bytes_agree(a->rays, b->rays, a->ray_count * sizeof *a->rays);
}

bool grazei_calls_agree(const grazei_call *one, const grazei_call *other)
{
    const grazei_about *a = &one->about, *b = &other->about;
    return one->kind == other->kind && one->any == other->any && one->only_new == other->only_new &&
           one->body_count == other->body_count &&
           !memcmp(one->bodies, other->bodies, sizeof one->bodies) && a->filter == b->filter &&
           a->finder == b->finder && a->distance == b->distance && a->depth == b->depth &&
           a->ray_count == b->ray_count && rays_agree(one, other) &&
           shapes_agree(a->shape, b->shape) && bytes_agree(a->point, b->point, sizeof(float[3])) &&
           motions_agree(a->motions[0], b->motions[0]) &&
           motions_agree(a->motions[1], b->motions[1]);
}

bool grazei_keep_about(grazei_about *about, grazei_keep_fn keep, void *user)
{
    bool kept = true;
    if (about->rays && about->ray_count == 1)
        kept &= (about->rays = keep(user, about->rays, sizeof *about->rays)) != NULL;
    if (about->shape)
        kept &= (about->shape = keep(user, about->shape, sizeof *about->shape)) != NULL;
    if (about->point)
        kept &= (about->point = keep(user, about->point, sizeof(float[3]))) != NULL;
    for (int i = 0; i < 2 && about->motions[i] && kept; i++) {
        graze_motion motion = *about->motions[i];
        if (motion.from)
            kept &= (motion.from = keep(user, motion.from, sizeof *motion.from)) != NULL;
        if (motion.to)
            kept &= (motion.to = keep(user, motion.to, sizeof *motion.to)) != NULL;
        kept &= (about->motions[i] = keep(user, &motion, sizeof motion)) != NULL;
    }
    return kept;
}
