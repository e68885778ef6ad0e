/* What `graze simulate` is asked for, and its parts: the loop over steps (simulate_run.c) and what
 * it tells (simulate_print.c).
 */
#ifndef GRAZE_CLI_SIMULATE_H
#define GRAZE_CLI_SIMULATE_H

#include "cli/simulate_camera.h"
#include "cli/simulate_scenes.h"
#include "cli/simulate_state.h"

#include <stdio.h>

typedef struct simulate_job {
    simulate_options options;
    bool proxies, exact; /* as given */
    uint32_t threads;
    graze_pool *pool; /* NULL: one thread */
    double seconds;   /* of the scene, from its beginning; 0: the scene's own */
    double rate;      /* steps a second */

    bool json, contacts, bodies;
    const char *log; /* the lines of --json there too; NULL: not */

    const char *save;   /* the state at the end; NULL: not */
    double every;       /* simulated seconds, after which it is saved too; 0: only at the end */
    const char *resume; /* the state to go on from; NULL: the scene's beginning */

    const char *out;    /* the GLB; NULL: none */
    double tolerance;   /* of its keys, metres */
    const char *camera; /* text; NULL: none */
} simulate_job;

/* Times of keys are floats, which tell steps apart up to here. */
#define SIMULATE_MOST_STEPS 4e6

/* Steps from the beginning of a scene to a time. */
uint64_t simulate_steps(double seconds, double step_seconds);

/* Runs the scene from its state to the last step, with all files. The exit code, after printing. */
int simulate_run(const simulate_job *job, simulate_scene *scene);

/* ---- what is told -------------------------------------------------------------------------- */

/* Sums over a run. */
typedef struct simulate_totals {
    uint64_t from, step; /* step numbers: the first is from + 1 */
    double seconds;      /* of the clock, in steps */
    double slowest;      /* step */
    uint64_t contacts;
    double pose, find, solve, move; /* of the seconds */
} simulate_totals;

void simulate_print_json(FILE *out, const simulate_job *job, const simulate_scene *scene);
void simulate_print_heading(const simulate_job *job, const simulate_scene *scene);
void simulate_print_row(const simulate_scene *scene, double ms_a_step);
void simulate_print_summary(const simulate_scene *scene, const simulate_totals *totals);

#endif
