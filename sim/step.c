/* One step after the other: pose, find, solve, move. What persists changes in the last part only,
 * which cannot fail.
 */
#include "sim.h"

#include <time.h>

/* Seconds by the clock, for statistics. */
static double now(void)
{
#ifdef _WIN32 /* where this is not the processor's time, and the other needs one more library */
    return (double)clock() / CLOCKS_PER_SEC;
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
#endif
}

/* ---- poses ---------------------------------------------------------------------------------- */

/* An item of graze_pool_for_each. */
static void pose_body(void *user, size_t item, uint32_t thread)
{
    (void)thread;
    graze_sim *sim = user;
    uint8_t *stale = &GRAZEI_SIM_AT(sim->stale, uint8_t, item);
    if (*stale && grazei_sim_pose(sim, (uint32_t)item, NULL) == GRAZE_OK)
        *stale = 0;
}

static graze_status pose_all(graze_sim *sim, graze_pool *pool, graze_error *error)
{
    graze_status status = graze_pool_for_each(pool, sim->bodies.count, pose_body, sim, error);
    for (uint32_t i = 0; i < sim->bodies.count && !status; i++)
        if (GRAZEI_SIM_AT(sim->stale, uint8_t, i)) /* again, for its error */
            status = grazei_sim_pose(sim, i, error);
    return status;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static graze_status take_step(graze_sim *sim, graze_pool *pool, graze_error *error)
{
    double times[5];
    sim->stats = (graze_sim_stats){.awake = 0};
    times[0] = now();
    graze_status status = pose_all(sim, pool, error);
    times[1] = now();
    if (!status)
        status = grazei_sim_find(sim, pool, error);
    times[2] = now();
    if (!status)
        status = grazei_sim_solve(sim, pool, error);
    times[3] = now();
    if (status)
        return status;
    grazei_sim_keep_impulses(sim);
    status = grazei_sim_move(sim, pool, error);
    grazei_sim_sleep(sim);
    grazei_sim_swap_impulses(sim);
    times[4] = now();
    sim->stats.pose_seconds = times[1] - times[0];
    sim->stats.find_seconds = times[2] - times[1];
    sim->stats.solve_seconds = times[3] - times[2];
    sim->stats.move_seconds = times[4] - times[3];
    sim->steps++;
    return status;
}

graze_status graze_sim_step(graze_sim *sim, graze_pool *pool, uint32_t count, graze_error *error)
{
    if (!sim)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "the simulation is NULL");
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < count && !status; i++)
        status = take_step(sim, pool, error);
    if (status)
        sim->contacts.count = 0;
    return status;
}
