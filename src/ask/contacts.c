/* Questions about contacts of bodies, and of two shapes. */
#include "ask/ask.h"

#include "base/status.h"
#include "base/trace.h"
#include "narrow/shape_contact.h"

#include <math.h>

static graze_status check(const grazei_call *call, grazei_work *work, graze_error *error)
{
    (void)work;
    return grazei_contacts_check(call->about.finder, call->bodies[0], call->bodies[1], error);
}

/* A grazei_pair_fn; user is a sink with a finder. */
static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    grazei_sink *sink = user;
    return grazei_sink_enter(sink) &&
           grazei_sink_leave(sink, grazei_contacts_take(sink->finder, pairs, count));
}

static void begin(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_contacts_open(call->about.finder, call->bodies[0], call->bodies[1]);
    grazei_pair_begin(&work->question.pair, &work->agenda, call->bodies[0], call->bodies[1], false,
                      take_pairs, &work->sink, stats);
}

static void find_by_brute_force(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_contacts_open(call->about.finder, call->bodies[0], call->bodies[1]);
    grazei_pair_brute(call->bodies[0], call->bodies[1], take_pairs, &work->sink, stats);
}

static void spread(const grazei_call *call, grazei_work *work, graze_pool *pool, graze_stats *stats)
{
    grazei_contacts_open(call->about.finder, call->bodies[0], call->bodies[1]);
    grazei_spread_pairs(call, &work->sink, take_pairs, pool, stats);
}

/* Contacts of all pairs, in order. Callbacks may use neither the finder nor change the poses. */
static graze_status deliver(graze_contact_finder *finder, grazei_sink *sink, graze_stats *stats,
                            graze_error *error)
{
    bool go_on = true;
    graze_status status = grazei_contacts_close(finder, stats, error);
    if (status)
        return status;
    grazei_enter(finder->bodies, 2);
    finder->taken = true;
    for (uint32_t i = 0; i < finder->contact_count && go_on; i++) {
        graze_contact contact = grazei_contacts_get(finder, i);
        go_on = grazei_take_contacts(sink, &contact, 1);
    }
    finder->taken = false;
    grazei_leave(finder->bodies, 2);
    return GRAZE_OK;
}

static graze_status finish(const grazei_call *call, grazei_work *work, bool finished,
                           graze_stats *stats, graze_error *error)
{
    if (!finished || work->delivered)
        return GRAZE_OK;
    work->delivered = true;
    return deliver(call->about.finder, &work->sink, stats, error);
}

const grazei_kind grazei_contacts_kind = {.name = "graze_contacts",
                                          .list = GRAZEI_CONTACTS,
                                          .check = check,
                                          .begin = begin,
                                          .brute = GRAZEI_WHOLE(find_by_brute_force),
                                          .spread = GRAZEI_WHOLE(spread),
                                          .finish = finish};

graze_status graze_contacts(graze_contact_finder *finder, graze_body *a, graze_body *b,
                            graze_contact_list *contacts, const graze_options *options,
                            graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_contacts_kind, a, b, contacts);
    call.about.finder = finder;
    return grazei_ask(&call, options, error);
}

/* ---- from pairs ----------------------------------------------------------------------------- */

static graze_status check_from(const graze_contact_finder *finder, graze_body *a, graze_body *b,
                               const graze_pair *pairs, size_t count, graze_error *error)
{
    graze_status status = grazei_contacts_check(finder, a, b, error);
    if (!status && count && !pairs)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%zu pairs announced, but pairs is NULL", count);
    for (size_t i = 0; i < count && !status; i++) {
        uint32_t counts[2] = {grazei_body_mesh(a)->triangle_count,
                              grazei_body_mesh(b)->triangle_count};
        if (pairs[i].a >= counts[0] || pairs[i].b >= counts[1])
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "pair %zu is of triangles %u and %u, the models have %u and %u", i,
                               pairs[i].a, pairs[i].b, counts[0], counts[1]);
        if (!grazei_body_takes(a, pairs[i].a) || !grazei_body_takes(b, pairs[i].b))
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "pair %zu is of triangles %u and %u, which the part masks leave out",
                               i, pairs[i].a, pairs[i].b);
    }
    return status;
}

static graze_status check_stats_only(const graze_options *options, graze_error *error)
{
    if (!options)
        return GRAZE_OK;
    if (options->any || options->only_new || options->method || options->budget || options->batch)
        return grazei_fail(error, GRAZE_UNSUPPORTED,
                           "graze_contacts_from_pairs takes stats and no other option");
    return GRAZEI_CHECK_RESERVED(options, "the options", error);
}

graze_status graze_contacts_from_pairs(graze_contact_finder *finder, graze_body *a, graze_body *b,
                                       const graze_pair *pairs, size_t pair_count,
                                       graze_contact_list *contacts, const graze_options *options,
                                       graze_error *error)
{
    graze_stats unwanted = {0};
    grazei_sink sink = {.list = contacts};
    if (contacts)
        grazei_list_clear(contacts);
    graze_status status = check_stats_only(options, error);
    if (!status)
        status = grazei_list_open(contacts, GRAZEI_CONTACTS, error);
    if (!status)
        status = check_from(finder, a, b, pairs, pair_count, error);
    if (!status)
        status = grazei_body_ready(a, error);
    if (!status)
        status = grazei_body_ready(b, error);
    if (status)
        return status;
    GRAZEI_ZONE("graze_contacts_from_pairs");
    grazei_contacts_open(finder, a, b);
    if (pair_count)
        grazei_contacts_take(finder, pairs, pair_count);
    return deliver(finder, &sink, options && options->stats ? options->stats : &unwanted, error);
}

/* ---- shapes --------------------------------------------------------------------------------- */

static graze_status check_round(const graze_shape *shape, graze_error *error)
{
    if (shape->kind == GRAZE_SPHERE || shape->kind == GRAZE_CAPSULE)
        return GRAZE_OK;
    return grazei_fail(error, GRAZE_UNSUPPORTED, "contacts are of spheres and capsules");
}

graze_status graze_shapes_contact(const graze_shape *a, const graze_shape *b, bool *hit,
                                  graze_contact *contact, graze_error *error)
{
    grazei_shape made[2];
    grazei_shape_contact found;
    graze_status status = grazei_check_given(hit != NULL, "hit", error);
    if (!status)
        status = grazei_shape_prepare(&made[0], a, error);
    if (!status)
        status = grazei_shape_prepare(&made[1], b, error);
    if (!status)
        status = check_round(a, error);
    if (!status)
        status = check_round(b, error);
    if (status)
        return status;
    *hit = grazei_round_contact(&made[0], &made[1], &found);
    if (!*hit || !contact)
        return GRAZE_OK;
    *contact = (graze_contact){.depth = (float)found.depth, .triangles = {GRAZE_NONE, GRAZE_NONE}};
    for (int k = 0; k < 3; k++) {
        contact->point[k] = (float)found.point[k];
        contact->normal[k] = (float)found.normal[k];
    }
    return GRAZE_OK;
}

/* Sums over all contacts. */
typedef struct sums {
    double normal[3], point[3], mean[3], depth;
    uint32_t pair_count;
    size_t deepest;
} sums;

static sums sum_up(const graze_contact *contacts, size_t count)
{
    sums all = {.depth = 0};
    for (size_t i = 0; i < count; i++) {
        double depth = contacts[i].depth;
        for (int k = 0; k < 3; k++) {
            all.normal[k] += depth * contacts[i].normal[k];
            all.point[k] += depth * contacts[i].point[k];
            all.mean[k] += (double)contacts[i].point[k] / (double)count;
        }
        all.depth += depth;
        all.pair_count += contacts[i].pair_count;
        all.deepest = contacts[i].depth > contacts[all.deepest].depth ? i : all.deepest;
    }
    return all;
}

void graze_combine_contacts(const graze_contact *contacts, size_t count, graze_contact *combined)
{
    if (!combined)
        return;
    *combined = (graze_contact){.depth = 0};
    if (!contacts || !count)
        return;
    sums all = sum_up(contacts, count);
    const double *n = all.normal;
    double length = sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
    *combined = contacts[all.deepest];
    combined->pair_count = all.pair_count;
    for (int k = 0; k < 3; k++) {
        combined->point[k] = (float)(all.depth > 0 ? all.point[k] / all.depth : all.mean[k]);
        if (length > 1e-6 * all.depth)
            combined->normal[k] = (float)(n[k] / length);
    }
}
