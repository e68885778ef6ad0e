/* The loop of `graze simulate`: steps, what is told of them, and the files. */
#include "cli/simulate.h"

#include "cli/character.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/simulate_record.h"
#include "cli/text.h"

#include <math.h>
#include <string.h>

typedef struct simulate_run_state {
    const simulate_job *job;
    simulate_scene *scene;
    uint64_t last;       /* step to go to */
    uint64_t every;      /* steps between saved states; 0: only at the end */
    uint64_t row_every;  /* steps between rows of text */
    uint64_t saved_step; /* of the state that is on the disk; UINT64_MAX: none of ours is */
    FILE *log;
    struct simulate_record *record;
    simulate_camera camera;
    simulate_totals totals, row; /* row: since the last row */
    struct progress progress;
} simulate_run_state;

/* Where a line goes that is not of the table: standard output is for lines of JSON with --json. */
static FILE *words(const simulate_job *job)
{
    return job->json ? stderr : stdout;
}

static double time_at(const simulate_run_state *run, uint64_t step)
{
    return (double)step * run->scene->options.step_seconds;
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool aim_camera(simulate_run_state *run)
{
    const simulate_scene *scene = run->scene;
    const double eye[3] = {scene->eye[0], scene->eye[1], scene->eye[2]};
    const double look[3] = {scene->look[0], scene->look[1], scene->look[2]};
    if (!run->job->camera)
        return true;
    return strcmp(run->job->camera, "scene") == 0
               ? simulate_camera_aim(&run->camera, eye, look, SIMULATE_FIELD_OF_VIEW)
               : simulate_camera_parse(&run->camera, run->job->camera);
}

/* Body i of the recording is body i of the scene. */
static bool begin_record(simulate_run_state *run)
{
    const simulate_job *job = run->job;
    const simulate_scene *scene = run->scene;
    simulate_record_def def = {.step_seconds = scene->options.step_seconds,
                               .tolerance = job->tolerance,
                               .camera = job->camera ? &run->camera : NULL};
    if (!job->out)
        return true;
    if (!aim_camera(run))
        return false;
    run->record = simulate_record_create(&def);
    for (uint32_t k = 0; k < scene->kind_count; k++)
        simulate_record_add_kind(run->record, scene->kinds[k]->name, scene->kinds[k]->rig);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        graze_sim_body body = {0};
        graze_sim_get_body(scene->sim, i, &body, NULL);
        simulate_record_add_body(run->record, body.kind);
    }
    return true;
}

static bool record_step(simulate_run_state *run)
{
    const simulate_scene *scene = run->scene;
    for (uint32_t i = 0; run->record && i < scene->body_count; i++) {
        graze_sim_body body;
        graze_error error;
        if (graze_sim_get_body(scene->sim, i, &body, &error))
            return refuse("simulate: %s", error.text);
        simulate_record_take(run->record, i, body.position, body.rotation, body.weights);
    }
    return true;
}

static bool save_record(simulate_run_state *run)
{
    const simulate_job *job = run->job;
    simulate_recorded saved;
    if (!run->record)
        return true;
    if (!simulate_record_save(run->record, job->out, &saved))
        return false;
    say_to(words(job), "%s: %u bodies", job->out, saved.bodies);
    if (saved.left_out)
        say_to(words(job), " (%u that the camera never sees left out)", saved.left_out);
    say_to(words(job),
           ", %.6g s, %llu keys of %llu; vertices are off by at most %.3g mm at any step\n",
           saved.seconds, (unsigned long long)saved.keys, (unsigned long long)saved.samples,
           1e3 * saved.largest);
    return true;
}

/* A state in between that cannot be saved is told of, and the run goes on: the one before is still
 * there, and the disk may have room again.
 */
static void save_between(simulate_run_state *run)
{
    char reason[200];
    uint64_t step = graze_sim_step_count(run->scene->sim);
    if (simulate_state_write(run->scene, run->job->save, reason)) {
        run->saved_step = step;
        return;
    }
    progress_end(&run->progress);
    say_to(stderr, "graze: warning: %s: %s; the simulation goes on, what was there before stays\n",
           run->job->save, reason);
}

static bool save_state(simulate_run_state *run)
{
    const simulate_job *job = run->job;
    char reason[200];
    uint64_t step = graze_sim_step_count(run->scene->sim);
    if (!job->save)
        return true;
    if (run->saved_step != step && !simulate_state_write(run->scene, job->save, reason))
        return refuse("%s: %s; what was there before is still there", job->save, reason);
    say_to(words(job), "%s: the state at %.6g s; --resume %s goes on from there\n", job->save,
           time_at(run, step), job->save);
    return true;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* 20 rows, about, at round times. */
static uint64_t rows_apart(const simulate_run_state *run)
{
    double wanted = time_at(run, run->last - run->totals.from) / 20, apart = 0.1;
    static const double factors[] = {2, 2.5, 2};
    for (int i = 0; apart < wanted; i++)
        apart *= factors[i % 3];
    uint64_t steps = simulate_steps(apart, run->scene->options.step_seconds);
    return steps ? steps : 1;
}

static void add_step(simulate_totals *totals, const graze_sim_stats *stats, double seconds)
{
    totals->step++;
    totals->seconds += seconds;
    totals->slowest = fmax(totals->slowest, seconds);
    totals->contacts += stats->contacts;
    totals->pose += stats->pose_seconds;
    totals->find += stats->find_seconds;
    totals->solve += stats->solve_seconds;
    totals->move += stats->move_seconds;
}

static bool take_step(simulate_run_state *run)
{
    simulate_scene *scene = run->scene;
    graze_error error;
    double start = now_us();
    if (simulate_scene_prepare(scene, graze_sim_step_count(scene->sim), &error) ||
        graze_sim_step(scene->sim, run->job->pool, 1, &error))
        return refuse("simulate: step %llu: %s",
                      (unsigned long long)graze_sim_step_count(scene->sim) + 1, error.text);
    graze_sim_stats stats = graze_sim_get_stats(scene->sim);
    double seconds = 1e-6 * (now_us() - start);
    add_step(&run->totals, &stats, seconds);
    add_step(&run->row, &stats, seconds);
    return true;
}

static void tell_step(simulate_run_state *run)
{
    const simulate_job *job = run->job;
    if (job->json)
        simulate_print_json(stdout, job, run->scene);
    if (run->log)
        simulate_print_json(run->log, job, run->scene);
    uint64_t step = run->totals.step;
    if (job->json || (step % run->row_every != 0 && step != run->last))
        return;
    progress_end(&run->progress);
    simulate_print_row(run->scene, 1e3 * run->row.seconds / (double)run->row.step);
    run->row = (simulate_totals){.step = 0};
}

static bool play(simulate_run_state *run)
{
    bool good = record_step(run), going = true;
    uint64_t from = run->totals.from;
    while (good && going && run->totals.step < run->last && !output_interrupted()) {
        output_begin();
        good = take_step(run);
        if (good)
            tell_step(run);
        going = output_end();
        good = good && record_step(run);
        if (good && run->every && run->totals.step % run->every == 0)
            save_between(run);
        progress_show(&run->progress, run->totals.step - from, run->last - from);
    }
    progress_end(&run->progress);
    return good;
}

static int finish(simulate_run_state *run)
{
    const simulate_job *job = run->job;
    if (!job->json && run->totals.step > run->totals.from)
        simulate_print_summary(run->scene, &run->totals);
    if (output_interrupted())
        say_to(stderr, "graze: interrupted after step %llu, at %.6g s\n",
               (unsigned long long)run->totals.step, time_at(run, run->totals.step));
    /* Both are tried: a picture that fails is no reason to lose the state. */
    bool saved = save_state(run);
    return save_record(run) && saved ? 0 : 2;
}

static bool begin(simulate_run_state *run)
{
    const simulate_job *job = run->job;
    double step_seconds = run->scene->options.step_seconds;
    uint64_t from = graze_sim_step_count(run->scene->sim);
    run->last = simulate_steps(job->seconds > 0 ? job->seconds : run->scene->seconds, step_seconds);
    run->totals.from = run->totals.step = from;
    run->every = job->every > 0 ? simulate_steps(job->every, step_seconds) : 0;
    run->every += job->every > 0 && run->every == 0;
    if (run->last < from)
        return refuse("simulate: %s is at %.6g s already, and --seconds %.6g lies before",
                      job->resume, time_at(run, from),
                      job->seconds > 0 ? job->seconds : run->scene->seconds);
    if ((double)run->last > SIMULATE_MOST_STEPS)
        return refuse("simulate: %.6g s are more than %.0f steps", time_at(run, run->last),
                      SIMULATE_MOST_STEPS);
    run->row_every = rows_apart(run);
    if (job->log && !(run->log = output_file(job->log)))
        return false;
    return begin_record(run);
}

int simulate_run(const simulate_job *job, simulate_scene *scene)
{
    simulate_run_state run = {.job = job, .scene = scene, .saved_step = UINT64_MAX};
    int code = 2;
    if (begin(&run)) {
        if (job->save)
            output_defer_interrupts();
        if (!job->json)
            simulate_print_heading(job, scene);
        run.progress = progress_start(scene->name);
        code = play(&run) ? finish(&run) : 2;
    }
    simulate_record_free(run.record);
    return code;
}
