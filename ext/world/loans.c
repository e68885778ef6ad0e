/* Lean bodies in an update: each gives its caches back when the last candidate that it is in has
 * been decided, so that there are never more of them lent than bodies in use.
 */
#include "base/assert.h"
#include "base/status.h"
#include "body/body.h"
#include "world/past.h"

#include <stdatomic.h>

static graze_body *lean_body(const graze_world *world, uint32_t index)
{
    graze_body *body = ((const grazei_thing *)world->things.items)[index].body;
    return body && grazei_body_is_lean(body) ? body : NULL;
}

graze_status grazei_world_begin_loans(graze_world *world, graze_error *error)
{
    const grazei_candidate *candidates = world->candidates.items;
    size_t count = world->things.count;
    if (!count)
        return GRAZE_OK;
    if (!grazei_list_reserve(&world->allocator, &world->uses, count, sizeof(atomic_uint)))
        return grazei_fail_memory(error);
    atomic_uint *uses = world->uses.items;
    for (size_t i = 0; i < count; i++)
        atomic_init(&uses[i], 0);
    for (size_t i = 0; i < world->candidates.count; i++)
        for (int k = 0; k < 2 && candidates[i].level < GRAZE_LEVEL_BOUNDS; k++)
            atomic_fetch_add_explicit(&uses[(uint32_t)(candidates[i].key >> 32 * k)], 1,
                                      memory_order_relaxed);
    return GRAZE_OK;
}

void grazei_world_look_ahead(const graze_world *world, size_t item)
{
    const grazei_thing *things = world->things.items;
    const grazei_candidate *candidates = world->candidates.items;
    if (item >= world->candidates.count || candidates[item].level == GRAZE_LEVEL_BOUNDS)
        return;
    for (int k = 0; k < 2; k++) {
        const graze_body *body = things[(uint32_t)(candidates[item].key >> 32 * k)].body;
        if (body)
            grazei_body_prefetch(body);
    }
}

void grazei_world_end_loan(graze_world *world, const grazei_candidate *candidate)
{
    atomic_uint *uses = world->uses.items;
    for (int k = 0; k < 2 && candidate->level < GRAZE_LEVEL_BOUNDS; k++) {
        uint32_t index = (uint32_t)(candidate->key >> 32 * k);
        graze_body *body = lean_body(world, index);
        GRAZE_ASSERT(index < world->things.count);
        if (!body || atomic_fetch_sub_explicit(&uses[index], 1, memory_order_acq_rel) > 1)
            continue;
        GRAZE_ASSERT(atomic_load_explicit(&uses[index], memory_order_relaxed) == 0);
        grazei_body_end_loan(body, world);
        graze_body *past = world->has_motion ? grazei_world_past_body(world, index) : NULL;
        if (past)
            grazei_body_end_loan(past, world);
    }
}
