/* The two worlds. */
#include "internal.h"

#include <time.h>

/* The def, or all zero, with the numbers that zeros stand for. */
static graze_ode_def filled(const graze_ode_def *given)
{
    static const double down[3] = {0, -9.81, 0}, none[3] = {0, 0, 0};
    graze_ode_def def = given ? *given : (graze_ode_def){0};
    const struct {
        double *value, usual;
    } numbers[] = {{&def.step, 1 / 240.0},
                   {&def.erp, 0.2},
                   {&def.cfm, 1e-8},
                   {&def.fastest_correction, 1},
                   {&def.allowed_depth, 0.001}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (*numbers[i].value == 0)
            *numbers[i].value = numbers[i].usual;
    def.iterations = def.iterations ? def.iterations : 40;
    def.seed = def.seed ? def.seed : 1;
    if (def.no_gravity)
        memcpy(def.gravity, none, sizeof none);
    else if (def.gravity[0] == 0 && def.gravity[1] == 0 && def.gravity[2] == 0)
        memcpy(def.gravity, down, sizeof down);
    return def;
}

double grazei_ode_seconds_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool grazei_ode_reserve(const graze_allocator *allocator, list *l, size_t need, size_t size)
{
    if (need <= l->capacity)
        return true;
    size_t capacity = l->capacity ? l->capacity : 8;
    while (capacity < need)
        capacity *= 2;
    void *items = take(allocator, capacity, size);
    if (!items)
        return false;
    if (l->count)
        memcpy(items, l->items, l->count * size);
    give(allocator, l->items);
    l->items = items;
    l->capacity = capacity;
    return true;
}

static graze_status check_def(const graze_ode_def *def, graze_error *error)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(def->gravity[k]) < 1e6))
            return fail(error, GRAZE_BAD_INPUT, "gravity[%d] is %g", k, def->gravity[k]);
    if (!(def->step > 1e-7 && def->step <= 1))
        return fail(error, GRAZE_BAD_INPUT, "step is %g seconds, not above 0 and up to 1",
                    def->step);
    if (!(def->erp >= 0 && def->erp <= 1))
        return fail(error, GRAZE_BAD_INPUT, "erp is %g, not 0 to 1", def->erp);
    if (!(def->cfm >= 0 && def->cfm < 1))
        return fail(error, GRAZE_BAD_INPUT, "cfm is %g, not 0 or a little more", def->cfm);
    if (!(def->fastest_correction > 0 && def->fastest_correction <= INFINITY))
        return fail(error, GRAZE_BAD_INPUT, "fastest_correction is %g, not above 0",
                    def->fastest_correction);
    if (!(def->allowed_depth >= 0 && def->allowed_depth < 1e6))
        return fail(error, GRAZE_BAD_INPUT, "allowed_depth is %g, not 0 or more",
                    def->allowed_depth);
    if (def->iterations > 100000)
        return fail(error, GRAZE_BAD_INPUT, "iterations are %u", def->iterations);
    return check_reserved(def->reserved, sizeof def->reserved, error);
}

static bool make_engine(graze_ode *ode)
{
    const graze_ode_def *def = &ode->def;
    ode->engine = dWorldCreate();
    ode->contacts = dJointGroupCreate(0);
    if (!ode->engine || !ode->contacts)
        return false;
    dWorldSetGravity(ode->engine, def->gravity[0], def->gravity[1], def->gravity[2]);
    dWorldSetERP(ode->engine, def->erp);
    dWorldSetCFM(ode->engine, def->cfm);
    dWorldSetContactMaxCorrectingVel(ode->engine, def->fastest_correction);
    dWorldSetContactSurfaceLayer(ode->engine, def->allowed_depth);
    dWorldSetAutoDisableFlag(ode->engine, 0);
    if (!def->direct)
        dWorldSetQuickStepNumIterations(ode->engine, (int)def->iterations);
    return true;
}

graze_status graze_ode_create(const graze_ode_def *def, graze_ode **ode, graze_error *error)
{
    graze_ode_def used = filled(def);
    graze_status status = check_def(&used, error);
    if (!ode)
        return fail_null(error, "where the engine goes");
    if (status)
        return status;
    graze_allocator allocator = used.allocator ? *used.allocator : graze_default_allocator();
    graze_ode *made = take(&allocator, 1, sizeof *made);
    if (!made)
        return fail_memory(error);
    if (!dInitODE2(0)) {
        give(&allocator, made);
        return fail(error, GRAZE_UNSUPPORTED, "the engine does not start");
    }
    dAllocateODEDataForThread(dAllocateMaskAll);
    made->allocator = allocator;
    made->def = used;
    status = make_engine(made) ? GRAZE_OK : fail_memory(error);
    if (!status)
        status = graze_world_create(&allocator, &made->world, error);
    if (!status)
        status = graze_point_finder_create(&allocator, &made->points, error);
    if (status)
        graze_ode_destroy(made);
    else
        *ode = made;
    return status;
}

void graze_ode_destroy(graze_ode *ode)
{
    if (!ode)
        return;
    graze_allocator allocator = ode->allocator;
    member *members = ode->members.items;
    for (size_t i = 0; i < ode->members.count; i++)
        if (members[i].kind == MEMBER_CHARACTER)
            grazei_ode_character_destroy(ode, members[i].character);
    shadow *shadows = ode->shadows.items;
    for (size_t i = 0; i < ode->shadows.count; i++)
        graze_body_destroy(shadows[i].body);
    if (ode->contacts)
        dJointGroupDestroy(ode->contacts);
    if (ode->engine)
        dWorldDestroy(ode->engine);
    graze_world_destroy(ode->world);
    graze_point_finder_destroy(ode->points);
    give(&allocator, ode->members.items);
    give(&allocator, ode->shadows.items);
    give(&allocator, ode->touching.items);
    give(&allocator, ode->hits.items);
    give(&allocator, ode->hits_before.items);
    give(&allocator, ode->found.items);
    give(&allocator, ode);
    dCloseODE();
}

graze_world *graze_ode_world(const graze_ode *ode)
{
    return ode ? ode->world : NULL;
}

struct dxWorld *graze_ode_engine(const graze_ode *ode)
{
    return ode ? ode->engine : NULL;
}

graze_ode_times graze_ode_get_times(const graze_ode *ode)
{
    return ode ? ode->times : (graze_ode_times){.steps = 0};
}
