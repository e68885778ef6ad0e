/* Questions of every pose, over the threads of the batch's pool. */
#include "batch/batch.h"
#include "batch/rooms.h"

#include "base/status.h"
#include "math/rounding.h"
#include "self/self.h"

#include <stdatomic.h>

/* A call under way. */
typedef struct running {
    graze_pose_batch *batch;
    const graze_pose_set *sets[2]; /* the second may be NULL */
    graze_pose_results *results;
    size_t count;
    uint32_t parts[2];
    bool any; /* the first pair of a pose is enough */

    const graze_part_filter *filter;
    bool only_new;
    const graze_ray *rays;
    graze_hit *hits;
    size_t rays_per_pose;
    graze_status (*ask)(struct running *call, graze_body *const bodies[2], size_t pose,
                        grazei_room *room, graze_error *error);
    bool asks_bad; /* what is refused when it is asked is the pose's own fault */

    atomic_size_t done;
    atomic_bool stopped;
} running;

/* ---- questions ------------------------------------------------------------------------------ */

typedef struct taking {
    grazei_room *room;
    const graze_model *models[2];
    bool self;
} taking;

static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    const taking *to = user;
    for (size_t i = 0; i < count; i++)
        grazei_room_take(to->room, &pairs[i], graze_model_triangle_part(to->models[0], pairs[i].a),
                         graze_model_triangle_part(to->models[1], pairs[i].b), to->self);
    return true;
}

static graze_status ask_self(running *call, graze_body *const bodies[2], size_t pose,
                             grazei_room *room, graze_error *error)
{
    const graze_model *model = call->batch->models[0];
    taking to = {room, {model, model}, true};
    graze_pair_list list = {.report = take_pairs, .user = &to};
    graze_options options = {.any = call->any, .only_new = call->only_new};
    (void)pose;
    return graze_self_pairs(bodies[0], call->filter, &list, &options, error);
}

static graze_status ask_pairs(running *call, graze_body *const bodies[2], size_t pose,
                              grazei_room *room, graze_error *error)
{
    taking to = {room, {call->batch->models[0], call->batch->models[1]}, false};
    graze_pair_list list = {.report = take_pairs, .user = &to};
    graze_options options = {.any = call->any};
    (void)pose;
    return graze_pairs(bodies[0], bodies[1], &list, &options, error);
}

static graze_status ask_rays(running *call, graze_body *const bodies[2], size_t pose,
                             grazei_room *room, graze_error *error)
{
    const size_t first = pose * call->rays_per_pose;
    if (!call->rays_per_pose)
        return GRAZE_OK;
    graze_hit *hits = call->hits + first;
    graze_status status =
        graze_cast_many(bodies[0], call->rays + first, call->rays_per_pose, hits, NULL, error);
    for (size_t r = 0; !status && r < call->rays_per_pose; r++)
        room->total += hits[r].found;
    return status;
}

/* ---- a pose --------------------------------------------------------------------------------- */

static void fail_call(running *call, grazei_pose_tally *own, size_t pose, const graze_error *error)
{
    if (!own->error.status || pose < own->failed) {
        own->failed = pose;
        own->error = *error;
    }
    atomic_store_explicit(&call->stopped, true, memory_order_relaxed);
}

/* A pose that has no answer. */
static void spoil(running *call, size_t pose, uint8_t mark)
{
    grazei_room_spoil(call->results, pose, call->parts, mark);
    for (size_t r = 0; call->hits && r < call->rays_per_pose; r++)
        call->hits[pose * call->rays_per_pose + r] = (graze_hit){.found = false};
}

static void mark_bad(running *call, grazei_pose_tally *own, size_t pose, const graze_error *error)
{
    spoil(call, pose, GRAZE_POSE_BAD);
    if (!own->bad++ || pose < own->first_bad) {
        own->first_bad = pose;
        own->why = *error;
    }
}

static void finish(running *call, grazei_pose_tally *own, size_t pose, grazei_room *room)
{
    grazei_room_close(room, call->results, pose);
    own->total += room->total;
    if (room->pairs)
        own->not_stored += room->total - room->count;
}

static void do_pose(void *user, size_t pose, uint32_t thread)
{
    running *call = user;
    grazei_pose_tally *own = &call->batch->tallies[thread];
    graze_body *const *bodies = call->batch->bodies + 2 * (size_t)thread;
    graze_error error = {GRAZE_OK, ""};
    if (atomic_load_explicit(&call->stopped, memory_order_relaxed)) {
        spoil(call, pose, GRAZE_POSE_LEFT_OUT);
        return;
    }
    graze_status posed = GRAZE_OK, asked = GRAZE_OK;
    for (int i = 0; !posed && i < 2 && call->sets[i]; i++)
        posed = grazei_take_pose(bodies[i], call->sets[i], pose, &error);
    grazei_room room = grazei_room_open(call->results, pose, call->parts);
    if (!posed)
        asked = call->ask(call, bodies, pose, &room, &error);
    if (posed == GRAZE_BAD_INPUT || (call->asks_bad && asked == GRAZE_BAD_INPUT))
        mark_bad(call, own, pose, &error);
    else if (posed || asked)
        fail_call(call, own, pose, &error);
    else
        finish(call, own, pose, &room);
    const size_t done = atomic_fetch_add_explicit(&call->done, 1, memory_order_relaxed) + 1;
    /* The first thread is the caller's. */
    if (thread == 0 && call->results->progress &&
        !call->results->progress(call->results->user, done, call->count))
        atomic_store_explicit(&call->stopped, true, memory_order_relaxed);
}

/* ---- a call --------------------------------------------------------------------------------- */

/* What all threads have done together; the status of the lowest pose that failed. */
static graze_status sum_up(running *call, graze_error *error)
{
    graze_pose_results *results = call->results;
    const grazei_pose_tally *failed = NULL;
    results->done = atomic_load_explicit(&call->done, memory_order_relaxed);
    results->bad = results->first_bad = 0;
    results->total = results->not_stored = 0;
    results->why = (graze_error){GRAZE_OK, ""};
    for (uint32_t t = 0; t < call->batch->threads; t++) {
        const grazei_pose_tally *own = &call->batch->tallies[t];
        if (own->error.status && (!failed || own->failed < failed->failed))
            failed = own;
        if (own->bad && (!results->bad || own->first_bad < results->first_bad)) {
            results->first_bad = own->first_bad;
            results->why = own->why;
        }
        results->bad += own->bad;
        results->total += own->total;
        results->not_stored += own->not_stored;
    }
    if (failed)
        return grazei_fail(error, failed->error.status, "pose %zu: %.200s", failed->failed,
                           failed->error.text);
    return results->done < call->count ? GRAZE_UNFINISHED : GRAZE_OK;
}

static graze_status check_call(const running *call, graze_error *error)
{
    static const char *const names[2] = {"the poses", "the other poses"};
    graze_status status = grazei_check_pointer(call->batch, "the batch", error);
    if (!status)
        status = grazei_check_pointer(call->results, "where the results go", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (!status && call->sets[1] && !call->batch->models[1])
        status = grazei_fail(error, GRAZE_BAD_INPUT, "the batch has no other model");
    for (int i = 0; !status && i < 2 && (i == 0 || call->sets[1]); i++)
        status = grazei_check_poses(call->batch->models[i], call->sets[i], names[i], error);
    return status ? status : grazei_check_rooms(call->results, call->sets[0]->count, error);
}

static graze_status run(running *call, graze_error *error)
{
    const graze_pose_results *results = call->results;
    graze_pose_batch *batch = call->batch;
    call->count = call->sets[0]->count;
    call->any = !results->counts && !results->matrix && !results->pairs;
    for (int i = 0; i < 2; i++)
        call->parts[i] = graze_model_get_info(batch->models[call->sets[1] ? i : 0]).part_count;
    atomic_init(&call->done, 0);
    atomic_init(&call->stopped, false);
    for (uint32_t t = 0; t < batch->threads; t++)
        batch->tallies[t] = (grazei_pose_tally){.bad = 0};
    graze_status status = graze_pool_for_each(batch->pool, call->count, do_pose, call, error);
    return status ? status : sum_up(call, error);
}

graze_status graze_pose_batch_self(graze_pose_batch *batch, const graze_pose_set *poses,
                                   const graze_part_filter *filter, bool only_new,
                                   graze_pose_results *results, graze_error *error)
{
    running call = {.batch = batch,
                    .sets = {poses},
                    .results = results,
                    .filter = filter,
                    .only_new = only_new,
                    .ask = ask_self};
    graze_status status = check_call(&call, error);
    if (!status && filter)
        status = grazei_check_filter(batch->bodies[0], filter, error);
    return status ? status : run(&call, error);
}

graze_status graze_pose_batch_pairs(graze_pose_batch *batch, const graze_pose_set *a,
                                    const graze_pose_set *b, graze_pose_results *results,
                                    graze_error *error)
{
    running call = {.batch = batch, .sets = {a, b}, .results = results, .ask = ask_pairs};
    graze_status status = check_call(&call, error);
    if (!status)
        status = grazei_check_pointer(b, "the other poses", error);
    if (!status && a->count != b->count)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "%zu poses, but %zu of the other model",
                             a->count, b->count);
    return status ? status : run(&call, error);
}

static graze_status check_rays(const running *call, graze_error *error)
{
    const size_t each = call->rays_per_pose, count = call->sets[0]->count;
    graze_status status = GRAZE_OK;
    if (call->results->matrix || call->results->pairs)
        return grazei_fail(error, GRAZE_BAD_INPUT, "rays have no pairs and no matrix");
    if (each && count)
        status = grazei_check_pointer(call->rays, "the rays", error);
    if (!status && each && count)
        status = grazei_check_pointer(call->hits, "where the hits go", error);
    if (!status && each && count > SIZE_MAX / sizeof(graze_hit) / each)
        status =
            grazei_fail(error, GRAZE_BAD_INPUT, "%zu times %zu rays are too many", count, each);
    return status;
}

graze_status graze_pose_batch_cast(graze_pose_batch *batch, const graze_pose_set *poses,
                                   const graze_ray *rays, size_t rays_per_pose, graze_hit *hits,
                                   graze_pose_results *results, graze_error *error)
{
    running call = {.batch = batch,
                    .sets = {poses},
                    .results = results,
                    .rays = rays,
                    .hits = hits,
                    .rays_per_pose = rays_per_pose,
                    .ask = ask_rays,
                    .asks_bad = true};
    graze_status status = check_call(&call, error);
    if (!status)
        status = check_rays(&call, error);
    return status ? status : run(&call, error);
}
