/* Life of a simulation. */
#include "sim.h"

#include <math.h>
#include <string.h>

/* The def, or all zero, with the numbers that zeros stand for. */
static graze_sim_def filled(const graze_sim_def *given)
{
    static const double down[3] = {0, -9.81, 0}, none[3] = {0, 0, 0};
    graze_sim_def def = given ? *given : (graze_sim_def){0};
    const struct {
        double *value, usual;
    } numbers[] = {{&def.step, 1.0 / 150},   {&def.max_depth, 0.01},    {&def.max_push_speed, 0.2},
                   {&def.sleep_speed, 0.05}, {&def.sleep_seconds, 0.5}, {&def.wake_speed, 0.25}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (*numbers[i].value == 0)
            *numbers[i].value = numbers[i].usual;
    def.iterations = def.iterations ? def.iterations : 12;
    def.max_caches = def.max_caches ? def.max_caches : 1024;
    if (def.no_gravity)
        memcpy(def.gravity, none, sizeof none);
    else if (def.gravity[0] == 0 && def.gravity[1] == 0 && def.gravity[2] == 0)
        memcpy(def.gravity, down, sizeof down);
    return def;
}

static graze_status check_def(const graze_sim_def *def, graze_error *error)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"step", def->step},
                   {"max_depth", def->max_depth},
                   {"max_push_speed", def->max_push_speed},
                   {"sleep_speed", def->sleep_speed},
                   {"sleep_seconds", def->sleep_seconds},
                   {"wake_speed", def->wake_speed}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isfinite(numbers[i].value) || numbers[i].value < 0)
            return grazei_sim_fail(error, GRAZE_BAD_INPUT, "%s is %g", numbers[i].name,
                                   numbers[i].value);
    for (int k = 0; k < 3; k++)
        if (!isfinite(def->gravity[k]) || fabs(def->gravity[k]) > 1e9)
            return grazei_sim_fail(error, GRAZE_BAD_INPUT, "gravity[%d] is %g", k, def->gravity[k]);
    if (def->contacts != GRAZE_SIM_EXACT && def->contacts != GRAZE_SIM_PROXIES)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "contacts is %d", (int)def->contacts);
    if (def->step > 1e6)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "step is %g", def->step);
    return grazei_sim_check_reserved(def->reserved, sizeof def->reserved, error);
}

graze_status graze_sim_create(const graze_sim_def *def, graze_sim **sim, graze_error *error)
{
    graze_sim_def chosen = filled(def);
    if (!sim)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "the place for the simulation is NULL");
    graze_status status = check_def(&chosen, error);
    if (status)
        return status;
    graze_allocator allocator = chosen.allocator ? *chosen.allocator : graze_default_allocator();
    graze_sim *made = grazei_sim_allocate(&allocator, 1, sizeof *made);
    if (!made)
        return grazei_sim_out_of_memory(error);
    made->allocator = allocator;
    made->def = chosen;
    made->def.allocator = &made->allocator;
    status = graze_world_create(&allocator, &made->world, error);
    graze_world_rule rule = {0};
    rule.level = GRAZE_LEVEL_BOUNDS;
    if (!status)
        status =
            graze_world_set_rule(made->world, GRAZEI_SIM_BODIES, GRAZEI_SIM_BODIES, &rule, error);
    if (!status)
        status =
            graze_world_set_rule(made->world, GRAZEI_SIM_BODIES, GRAZEI_SIM_PLANES, &rule, error);
    rule.level = GRAZE_LEVEL_IGNORE;
    if (!status)
        status =
            graze_world_set_rule(made->world, GRAZEI_SIM_PLANES, GRAZEI_SIM_PLANES, &rule, error);
    if (status) {
        graze_sim_destroy(made);
        return status;
    }
    *sim = made;
    return GRAZE_OK;
}

void graze_sim_destroy(graze_sim *sim)
{
    if (!sim)
        return;
    const graze_allocator allocator = sim->allocator;
    graze_world_destroy(sim->world);
    for (size_t i = 0; i < sim->bodies.count; i++)
        graze_body_destroy(GRAZEI_SIM_AT(sim->posed, graze_body *, i));
    for (size_t i = 0; i < sim->threads.count; i++)
        grazei_sim_release_thread(sim, &GRAZEI_SIM_AT(sim->threads, grazei_sim_thread, i));
    for (size_t i = 0; i < sim->kinds.count; i++)
        grazei_sim_release_kind(sim, &GRAZEI_SIM_AT(sim->kinds, grazei_sim_kind, i));
    grazei_sim_list *lists[] = {
        &sim->kinds,   &sim->planes,        &sim->members,     &sim->posed,          &sim->bodies,
        &sim->weights, &sim->weight_speeds, &sim->targets,     &sim->target_weights, &sim->warm,
        &sim->stale,   &sim->threads,       &sim->pairs,       &sim->order,          &sim->colours,
        &sim->marks,   &sim->uses,          &sim->contacts,    &sim->spots,          &sim->points,
        &sim->rows,    &sim->moving,        &sim->mean_speeds, &sim->warm_next,      &sim->wakes};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        grazei_sim_release(&allocator, lists[i]->items);
    grazei_sim_release(&allocator, sim);
}

graze_sim_def graze_sim_get_def(const graze_sim *sim)
{
    return sim ? sim->def : (graze_sim_def){.step = 0};
}

uint32_t graze_sim_kind_count(const graze_sim *sim)
{
    return sim ? (uint32_t)sim->kinds.count : 0;
}

uint32_t graze_sim_body_count(const graze_sim *sim)
{
    return sim ? (uint32_t)sim->bodies.count : 0;
}

uint32_t graze_sim_plane_count(const graze_sim *sim)
{
    return sim ? (uint32_t)sim->planes.count : 0;
}

uint64_t graze_sim_step_count(const graze_sim *sim)
{
    return sim ? sim->steps : 0;
}
