/* Who meets whom: pairs whose boxes overlap, from the world, then a closer look at each, over
 * threads. Contacts end in order of the pairs, whoever found them.
 */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

/* Pairs looked at before caches are given back, for each thread. */
enum { WAVE = 128 };

void grazei_sim_release_thread(const graze_sim *sim, grazei_sim_thread *thread)
{
    for (size_t i = 0; i < thread->finders.count; i++)
        graze_contact_finder_destroy(GRAZEI_SIM_AT(thread->finders, graze_contact_finder *, i));
    graze_point_finder_destroy(thread->touches);
    grazei_sim_list *lists[] = {&thread->finders, &thread->contacts, &thread->spots,
                                &thread->pieces,  &thread->hits,     &thread->nodes};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        grazei_sim_release(&sim->allocator, lists[i]->items);
}

/* One for each thread, with places for the finders of all pairs of kinds. */
static graze_status start_threads(graze_sim *sim, graze_pool *pool, graze_error *error)
{
    size_t count = graze_pool_threads(pool), kinds = sim->kinds.count;
    if (!grazei_sim_reserve(sim, &sim->threads, count, sizeof(grazei_sim_thread)))
        return grazei_sim_out_of_memory(error);
    if (sim->threads.count < count)
        sim->threads.count = count;
    for (size_t t = 0; t < sim->threads.count; t++) {
        grazei_sim_thread *thread = &GRAZEI_SIM_AT(sim->threads, grazei_sim_thread, t);
        thread->contacts.count = thread->spots.count = 0;
        thread->stats = (graze_stats){.nodes_refit = 0};
        thread->found = 0;
        thread->failed = SIZE_MAX;
        if (thread->finders.count == kinds * kinds)
            continue;
        for (size_t i = 0; i < thread->finders.count; i++)
            graze_contact_finder_destroy(GRAZEI_SIM_AT(thread->finders, graze_contact_finder *, i));
        thread->finders.count = 0;
        if (!grazei_sim_reserve(sim, &thread->finders, kinds * kinds,
                                sizeof(graze_contact_finder *)))
            return grazei_sim_out_of_memory(error);
        memset(thread->finders.items, 0, kinds * kinds * sizeof(graze_contact_finder *));
        thread->finders.count = kinds * kinds;
    }
    return GRAZE_OK;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

bool grazei_sim_is_active(const graze_sim *sim, uint32_t body)
{
    const grazei_sim_state *state = grazei_sim_body_at(sim, body);
    graze_sim_motion motion = grazei_sim_kind_at(sim, state->kind)->motion;
    return motion == GRAZE_SIM_FREE ? !state->asleep
                                    : motion == GRAZE_SIM_ANIMATED && state->has_target;
}

static bool is_free(const graze_sim *sim, uint32_t body)
{
    return grazei_sim_kind_of(sim, body)->motion == GRAZE_SIM_FREE;
}

static bool is_wanted(const graze_sim *sim, uint32_t a, uint32_t b)
{
    if (b & GRAZEI_SIM_PLANE)
        return is_free(sim, a) && grazei_sim_is_active(sim, a);
    return (is_free(sim, a) || is_free(sim, b)) &&
           (grazei_sim_is_active(sim, a) || grazei_sim_is_active(sim, b));
}

/* By a, then b, planes last: as impulses of the step before are looked up. */
static int compare_pairs(const void *first, const void *second)
{
    const grazei_sim_pair *x = first, *y = second;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static graze_status find_pairs(graze_sim *sim, graze_pool *pool, graze_error *error)
{
    size_t count;
    graze_status status = graze_world_update(
        sim->world, &(const graze_options){.pool = pool, .stats = &sim->stats.queries}, error);
    if (status)
        return status;
    const graze_world_event *events = graze_world_events(sim->world, &count);
    sim->pairs.count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = GRAZEI_SIM_AT(sim->members, uint32_t, events[i].a.index);
        uint32_t b = GRAZEI_SIM_AT(sim->members, uint32_t, events[i].b.index);
        if (a & GRAZEI_SIM_PLANE) {
            uint32_t swapped = a;
            a = b;
            b = swapped;
        }
        if (events[i].kind == GRAZE_EVENT_END || !is_wanted(sim, a, b))
            continue;
        if (!grazei_sim_reserve(sim, &sim->pairs, sim->pairs.count + 1, sizeof(grazei_sim_pair)))
            return grazei_sim_out_of_memory(error);
        GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, sim->pairs.count++) =
            (grazei_sim_pair){.a = a, .b = b};
    }
    if (sim->pairs.count > 1)
        qsort(sim->pairs.items, sim->pairs.count, sizeof(grazei_sim_pair), compare_pairs);
    return GRAZE_OK;
}

/* ---- a closer look -------------------------------------------------------------------------- */

/* An item of graze_pool_for_each. */
typedef struct wave {
    graze_sim *sim;
    size_t first;
} wave;

static void look(void *user, size_t item, uint32_t number)
{
    wave *own = user;
    graze_sim *sim = own->sim;
    size_t index = own->first + item;
    grazei_sim_thread *thread = &GRAZEI_SIM_AT(sim->threads, grazei_sim_thread, number);
    grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, index);
    graze_error error = {.status = GRAZE_OK};
    pair->thread = number;
    pair->first_contact = thread->contacts.count;
    pair->first_spot = thread->spots.count;
    graze_status status = grazei_sim_wants_proxies(sim, pair)
                              ? grazei_sim_find_by_proxies(sim, thread, pair, &error)
                              : grazei_sim_find_exactly(sim, thread, pair, &error);
    pair->contact_count = (uint32_t)(thread->contacts.count - pair->first_contact);
    pair->spot_count = (uint32_t)(thread->spots.count - pair->first_spot);
    if (status && index < thread->failed) {
        thread->failed = index;
        thread->failure = error;
        thread->failure.status = status;
    }
}

static graze_body *body_of(const graze_sim *sim, uint32_t number)
{
    return GRAZEI_SIM_AT(sim->posed, graze_body *, number);
}

/* Every body once, as often as it is in a pair: sharing counts. */
static graze_status share(graze_sim *sim, size_t first, size_t end, bool shared, graze_error *error)
{
    graze_status status = GRAZE_OK;
    for (size_t i = first; i < end; i++) {
        const grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i);
        for (int k = 0; k < 2; k++) {
            uint32_t number = k ? pair->b : pair->a;
            if (number & GRAZEI_SIM_PLANE)
                continue;
            graze_status one = shared ? graze_body_share(body_of(sim, number), error)
                                      : graze_body_unshare(body_of(sim, number), error);
            status = status ? status : one;
        }
    }
    return status;
}

/* Who moves has no use for its caches after its last pair; who lies still keeps them for the next
 * step, while there are not too many.
 */
static void give_back(graze_sim *sim, size_t first, size_t end)
{
    uint32_t *uses = sim->uses.items;
    for (size_t i = first; i < end; i++) {
        const grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i);
        for (int k = 0; k < 2; k++) {
            uint32_t number = k ? pair->b : pair->a;
            if (number & GRAZEI_SIM_PLANE)
                continue;
            uses[number]--;
            graze_cache_pool *caches = grazei_sim_kind_of(sim, number)->caches;
            if ((!uses[number] && grazei_sim_is_active(sim, number)) ||
                graze_cache_pool_get_info(caches).lent > sim->def.max_caches)
                graze_body_give_back_caches(body_of(sim, number));
        }
    }
}

/* Those that lie still beside nobody who moves. */
static void give_back_unused(graze_sim *sim)
{
    const uint8_t *used = sim->wakes.items;
    for (uint32_t i = 0; i < sim->bodies.count; i++)
        if (!used[i] && graze_body_has_caches(body_of(sim, i)))
            graze_body_give_back_caches(body_of(sim, i));
}

static void count_uses(graze_sim *sim)
{
    uint32_t *uses = sim->uses.items;
    uint8_t *used = sim->wakes.items;
    for (size_t i = 0; i < sim->bodies.count; i++)
        uses[i] = used[i] = 0;
    for (size_t i = 0; i < sim->pairs.count; i++) {
        const grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i);
        uses[pair->a]++;
        used[pair->a] = 1;
        if (pair->b & GRAZEI_SIM_PLANE)
            continue;
        uses[pair->b]++;
        used[pair->b] = 1;
    }
}

static graze_status first_failure(const graze_sim *sim, graze_error *error)
{
    const grazei_sim_thread *worst = NULL;
    for (size_t t = 0; t < sim->threads.count; t++) {
        const grazei_sim_thread *thread = &GRAZEI_SIM_AT(sim->threads, grazei_sim_thread, t);
        if (thread->failed != SIZE_MAX && (!worst || thread->failed < worst->failed))
            worst = thread;
    }
    if (!worst)
        return GRAZE_OK;
    if (error)
        *error = worst->failure;
    return worst->failure.status;
}

static graze_status look_at_all(graze_sim *sim, graze_pool *pool, graze_error *error)
{
    size_t threads = graze_pool_threads(pool), size = WAVE * threads;
    graze_status status = GRAZE_OK;
    count_uses(sim);
    for (size_t first = 0; first < sim->pairs.count && !status; first += size) {
        size_t end = first + size < sim->pairs.count ? first + size : sim->pairs.count;
        wave own = {sim, first};
        if (threads > 1)
            status = share(sim, first, end, true, error);
        if (!status)
            status = graze_pool_for_each(pool, end - first, look, &own, error);
        if (threads > 1) {
            graze_status unshared = share(sim, first, end, false, error);
            status = status ? status : unshared;
        }
        if (!status)
            status = first_failure(sim, error);
        give_back(sim, first, end);
    }
    give_back_unused(sim);
    return status;
}

/* ---- from the threads' lists to the simulation's -------------------------------------------- */

static graze_status gather(graze_sim *sim, graze_error *error)
{
    size_t contacts = 0, spots = 0, left = 0;
    for (size_t i = 0; i < sim->pairs.count; i++) {
        contacts += GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i).contact_count;
        spots += GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i).spot_count;
    }
    if (!grazei_sim_reserve(sim, &sim->contacts, contacts, sizeof(graze_sim_contact)) ||
        !grazei_sim_reserve(sim, &sim->spots, spots, sizeof(grazei_sim_spot)))
        return grazei_sim_out_of_memory(error);
    sim->contacts.count = sim->spots.count = 0;
    sim->stats.candidates = sim->pairs.count;
    for (size_t i = 0; i < sim->pairs.count; i++) {
        grazei_sim_pair pair = GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i);
        const grazei_sim_thread *thread =
            &GRAZEI_SIM_AT(sim->threads, grazei_sim_thread, pair.thread);
        if (!pair.contact_count)
            continue;
        memcpy(&GRAZEI_SIM_AT(sim->contacts, graze_sim_contact, sim->contacts.count),
               &GRAZEI_SIM_AT(thread->contacts, graze_sim_contact, pair.first_contact),
               pair.contact_count * sizeof(graze_sim_contact));
        if (pair.spot_count)
            memcpy(&GRAZEI_SIM_AT(sim->spots, grazei_sim_spot, sim->spots.count),
                   &GRAZEI_SIM_AT(thread->spots, grazei_sim_spot, pair.first_spot),
                   pair.spot_count * sizeof(grazei_sim_spot));
        pair.first_contact = sim->contacts.count;
        pair.first_spot = sim->spots.count;
        sim->contacts.count += pair.contact_count;
        sim->spots.count += pair.spot_count;
        GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, left++) = pair;
    }
    sim->pairs.count = left;
    sim->stats.meeting = left;
    sim->stats.contacts = sim->contacts.count;
    for (size_t t = 0; t < sim->threads.count; t++) {
        const grazei_sim_thread *thread = &GRAZEI_SIM_AT(sim->threads, grazei_sim_thread, t);
        graze_stats *sum = &sim->stats.queries;
        sum->nodes_refit += thread->stats.nodes_refit;
        sum->nodes_enlarged += thread->stats.nodes_enlarged;
        sum->bound_tests += thread->stats.bound_tests;
        sum->patches_posed += thread->stats.patches_posed;
        sum->vertices_posed += thread->stats.vertices_posed;
        sum->triangle_tests += thread->stats.triangle_tests;
        sim->stats.found += thread->found;
    }
    return GRAZE_OK;
}

graze_status grazei_sim_find(graze_sim *sim, graze_pool *pool, graze_error *error)
{
    graze_status status = start_threads(sim, pool, error);
    if (!status)
        status = find_pairs(sim, pool, error);
    if (!status)
        status = look_at_all(sim, pool, error);
    if (!status)
        status = gather(sim, error);
    return status;
}
