#define _GNU_SOURCE
/* A scene simulated flexible and rigid, exact and by proxies. Each moves on its own, and their
 * steps take turns, so that what else the machine does meets all of them.
 */
#include "bench/measure.h"
#include "bench/simulation.h"

#include <graze/reference.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { ROW_FLEXIBLE, ROW_RIGID, ROW_FLEXIBLE_PROXIES, ROW_RIGID_PROXIES, ROW_COUNT };

typedef struct row {
    const char *name; /* what --only is compared with */
    bool rigid;
    simulate_contacts contacts;
    int against; /* the row that its ratio is to */
    const char *paper;
} row;

static const row rows[ROW_COUNT] = {
    {"run flexible exact", false, SIMULATE_EXACT, ROW_RIGID, ""},
    {"run rigid exact", true, SIMULATE_EXACT, ROW_RIGID, ""},
    {"run flexible proxies", false, SIMULATE_PROXIES, ROW_RIGID_PROXIES,
     "3601 chairs: 2100 ms, 30000/s"},
    {"run rigid proxies", true, SIMULATE_PROXIES, ROW_RIGID_PROXIES, "1100 ms, 41000/s"}};

/* Parts of a run: all of it, until something touches, and the last tenth. */
enum { PART_ALL, PART_FALLING, PART_END, PART_COUNT };

typedef struct part {
    uint32_t steps;
    double seconds, largest; /* by the clock */
    double processor;        /* seconds of all threads, whatever else the machine did */
    double awake, contacts, found, refit;
    double phases[4]; /* seconds of poses, search, solver and motion */
} part;

typedef struct run {
    const row *of;
    simulate_scene *scene; /* NULL: not wanted */
    bool touched;
    double spheres; /* bounds of all free bodies */
    double layered; /* seconds of processor time to update them in layers, all bodies */
    double *steps;  /* milliseconds of each */
    part parts[PART_COUNT];
} run;

/* ---- stepping ------------------------------------------------------------------------------- */

static bool open_run(run *r, const simulation_output *output, uint32_t *step_count)
{
    const bench_options *asked = output->options;
    graze_error error = {.text = "out of memory"};
    simulate_options options = {.scene = output->scene,
                                .count = asked->count,
                                .triangles = asked->triangles,
                                .stage_triangles = asked->triangles,
                                .rigid = r->of->rigid,
                                .contacts = r->of->contacts};
    if (!options.count)
        options.count = output->scene == SIMULATE_CHAIRS ? 60 : 100;
    if (simulate_scene_create(&options, &r->scene, &error))
        return simulation_fail(&error);
    double seconds = asked->seconds > 0 ? asked->seconds : r->scene->seconds;
    double steps = seconds / r->scene->options.step_seconds;
    *step_count = steps < 1 ? 1 : steps < 1e6 ? (uint32_t)(steps + 0.5) : 1000000;
    for (uint32_t b = r->scene->animated_count; b < r->scene->body_count; b++)
        r->spheres += graze_model_get_info(r->scene->kinds[simulation_kind_of(r->scene, b)]->model)
                          .node_count;
    r->steps = calloc(*step_count, sizeof *r->steps);
    return r->steps || simulation_fail(&error);
}

static void close_run(run *r)
{
    simulate_scene_destroy(r->scene);
    free(r->steps);
}

static void add_step(part *to, const graze_sim_stats *stats, double seconds, double processor)
{
    to->steps++;
    to->processor += processor;
    to->seconds += seconds;
    to->largest = seconds > to->largest ? seconds : to->largest;
    to->awake += (double)stats->awake / (stats->awake + stats->asleep);
    to->contacts += (double)stats->contacts;
    to->found += (double)stats->found;
    to->refit += (double)stats->queries.nodes_refit;
    to->phases[0] += stats->pose_seconds;
    to->phases[1] += stats->find_seconds;
    to->phases[2] += stats->solve_seconds;
    to->phases[3] += stats->move_seconds;
}

static bool take_step(run *r, const simulation_output *output, uint32_t step, uint32_t step_count)
{
    graze_error error = {.text = "out of memory"};
    double start = bench_now(), before = simulation_processor();
    if (simulate_scene_prepare(r->scene, step, &error) ||
        graze_sim_step(r->scene->sim, output->pool, 1, &error))
        return simulation_fail(&error);
    double seconds = (bench_now() - start) * 1e-6, processor = simulation_processor() - before;
    graze_sim_stats stats = graze_sim_get_stats(r->scene->sim);
    r->steps[step] = seconds * 1e3;
    r->touched |= stats.contacts > 0;
    add_step(&r->parts[PART_ALL], &stats, seconds, processor);
    if (!r->touched)
        add_step(&r->parts[PART_FALLING], &stats, seconds, processor);
    if (step >= step_count - (step_count + 9) / 10)
        add_step(&r->parts[PART_END], &stats, seconds, processor);
    return true;
}

/* ---- recording ------------------------------------------------------------------------------ */

static bool open_record(simulation_record *record, const simulate_scene *scene)
{
    size_t places = (size_t)SIMULATION_FRAMES * scene->body_count;
    *record = (simulation_record){.scene = scene,
                                  .placements = calloc(places, sizeof *record->placements),
                                  .weights = calloc(places, sizeof *record->weights)};
    return record->placements && record->weights;
}

static void close_record(simulation_record *record)
{
    free(record->placements);
    free(record->weights);
}

static bool add_frame(simulation_record *record)
{
    const simulate_scene *scene = record->scene;
    graze_error error = {.text = "out of memory"};
    size_t place = (size_t)record->frame_count++ * scene->body_count;
    for (uint32_t b = 0; b < scene->body_count; b++, place++)
        if (graze_sim_get_placement(scene->sim, b, record->placements[place],
                                    record->weights[place], &error))
            return simulation_fail(&error);
    return true;
}

/* ---- layered updates ------------------------------------------------------------------------ */

/* What it would take beside every step to pose all vertices and to refit all spheres bottom-up, of
 * all free bodies as they are in the end, on the paper's tree: the least of some rounds of some
 * bodies, for all of them.
 */
static bool measure_layered(run *r, const simulation_output *output)
{
    enum { MOST_BODIES = 32 };
    const simulate_scene *scene = r->scene;
    const simulate_kind *kind = scene->kinds[scene->kind_count - 1];
    uint32_t free_count = scene->body_count - scene->animated_count;
    uint32_t count = free_count < MOST_BODIES ? free_count : MOST_BODIES;
    float placement[12], weights[SIMULATE_MOST_FIELDS];
    graze_error error = {.text = "out of memory"};
    graze_body *body = NULL;
    graze_model *model = simulation_paper_model(kind, 0);
    bool ok = model && !graze_body_create(model, &body, &error);
    graze_pose pose = graze_default_pose();
    pose.placement = placement;
    pose.morph_weights = weights;
    pose.morph_count = ok ? graze_model_get_info(model).morph_count : 0;
    for (uint32_t round = 0; ok && round < output->options->rounds; round++) {
        double sum = 0;
        for (uint32_t b = 0; ok && b < count; b++) {
            uint32_t number = scene->animated_count + (uint32_t)((uint64_t)b * free_count / count);
            ok = !graze_sim_get_placement(scene->sim, number, placement, weights, &error);
            double start = simulation_processor();
            ok = ok && !graze_body_set_pose(body, &pose, &error);
            graze_body_refit_all(body);
            sum += simulation_processor() - start;
        }
        sum *= (double)free_count / count;
        r->layered = round == 0 || sum < r->layered ? sum : r->layered;
    }
    graze_body_destroy(body);
    graze_model_destroy(model);
    return ok || simulation_fail(&error);
}

/* By how much a step with layered updates takes longer. */
static double layered_ratio(const run *r, const part *of)
{
    return 1 + r->layered * of->steps / of->processor;
}

/* ---- printing ------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    double x = *(const double *)left, y = *(const double *)right;
    return x < y ? -1 : x > y;
}

double simulation_processor(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Megabytes that the process has had at most. */
static double peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static double mean_ms(const part *of)
{
    return of->steps ? of->seconds * 1e3 / of->steps : 0;
}

static double processor_ms(const part *of)
{
    return of->steps ? of->processor * 1e3 / of->steps : 0;
}

static void print_json(const run *r, const run *against, double median)
{
    const part *all = &r->parts[PART_ALL];
    printf("{\"table\":\"run\",\"row\":\"%s\",\"bodies\":%u,\"steps\":%u,\"ms\":%.4f,\"ms_"
           "processor\":%.4f,"
           "\"ms_median\":%.4f,\"ms_largest\":%.4f,\"ms_falling\":%.4f,\"ms_end\":%.4f,"
           "\"to_rigid\":%.4f,\"awake_end\":%.4f,\"contacts_per_step\":%.2f,"
           "\"contacts_per_second\":%.1f,\"found_per_second\":%.1f,\"refitted_percent\":%.4f,"
           "\"layered_ms\":%.4f,\"layered_ratio\":%.3f,\"layered_ratio_end\":%.3f,"
           "\"pose_share\":%.4f,\"find_share\":%.4f,\"solve_share\":%.4f,\"move_share\":%.4f}\n",
           r->of->name, r->scene->body_count, all->steps, mean_ms(all), processor_ms(all), median,
           all->largest * 1e3, mean_ms(&r->parts[PART_FALLING]), mean_ms(&r->parts[PART_END]),
           against ? all->processor / against->parts[PART_ALL].processor : 0,
           r->parts[PART_END].awake / r->parts[PART_END].steps, all->contacts / all->steps,
           all->contacts / all->processor, all->found / all->processor,
           100 * all->refit / (r->spheres * all->steps), r->layered * 1e3, layered_ratio(r, all),
           layered_ratio(r, &r->parts[PART_END]), all->phases[0] / all->seconds,
           all->phases[1] / all->seconds, all->phases[2] / all->seconds,
           all->phases[3] / all->seconds);
}

static void print_row(const run *r, const run *against, double median)
{
    const part *all = &r->parts[PART_ALL], *end = &r->parts[PART_END];
    printf("  %-17s %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f", r->of->name + 4, mean_ms(all),
           processor_ms(all), median, all->largest * 1e3, mean_ms(&r->parts[PART_FALLING]),
           mean_ms(end));
    if (against)
        printf(" %7.2f", all->processor / against->parts[PART_ALL].processor);
    else
        printf(" %7s", "");
    printf(" %6.0f %% %9.1f %9.0f %9.0f %7.3f %% %7.1f %7.1f | %2.0f %2.0f %2.0f %2.0f | %s\n",
           100 * end->awake / end->steps, all->contacts / all->steps,
           all->contacts / all->processor, all->found / all->processor,
           100 * all->refit / (r->spheres * all->steps), layered_ratio(r, all),
           layered_ratio(r, end), 100 * all->phases[0] / all->seconds,
           100 * all->phases[1] / all->seconds, 100 * all->phases[2] / all->seconds,
           100 * all->phases[3] / all->seconds, r->of->paper);
}

static void print_head(const simulation_output *output, const run *first)
{
    const simulate_scene *scene = first->scene;
    uint32_t steps = first->parts[PART_ALL].steps;
    if (!output->options->json)
        printf(
            "\n%s: %u bodies, %u steps of 1/%.0f s, %u threads; made in %.1f s; milliseconds a "
            "step\n  %-17s %8s %8s %8s %8s %8s %8s %7s %8s %9s %9s %9s %9s %7s %7s | %s | paper\n",
            scene->name, scene->body_count, steps, 1 / scene->options.step_seconds,
            graze_pool_threads(output->pool), scene->setup_seconds, "", "mean", "cpu", "median",
            "most", "falling", "at end", "/ rigid", "awake", "contacts", "a second", "found/s",
            "refitted", "layered", "at end", "pose find solve move, %");
}

static void print_runs(const simulation_output *output, run *runs)
{
    bool begun = false;
    for (int i = 0; i < ROW_COUNT; i++) {
        run *r = &runs[i];
        if (!r->scene || !r->parts[PART_ALL].steps)
            continue;
        const run *against = &runs[r->of->against];
        against = against->scene ? against : NULL;
        if (!begun)
            print_head(output, r);
        begun = true;
        uint32_t steps = r->parts[PART_ALL].steps;
        qsort(r->steps, steps, sizeof *r->steps, compare);
        (output->options->json ? print_json : print_row)(r, against, r->steps[steps / 2]);
    }
    if (output->options->json)
        printf("{\"table\":\"run\",\"peak_mb\":%.1f}\n", peak_memory());
    else
        printf("  cpu: processor time, of which / rigid is; contacts: a step, and by second of "
               "processor time; found: pairs of triangles or "
               "spheres; refitted: of all bounds, a step; "
               "layered: how much longer a step is that updates all spheres bottom-up; peak memory "
               "of the process %.0f MB\n",
               peak_memory());
    fflush(stdout);
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool step_all(const simulation_output *output, run *runs, uint32_t steps,
                     simulation_record *record)
{
    for (uint32_t s = 0; s < steps; s++) {
        for (int i = 0; i < ROW_COUNT; i++)
            if (runs[i].scene && !take_step(&runs[i], output, s, steps))
                return false;
        /* Frame f at the end of step (f + 1) of SIMULATION_FRAMES. */
        uint64_t due = (uint64_t)(s + 1) * SIMULATION_FRAMES / steps;
        if (record->placements && record->frame_count < due && !add_frame(record))
            return false;
    }
    return true;
}

bool simulation_run(simulation_output *output)
{
    run runs[ROW_COUNT];
    simulation_record record = {.scene = NULL};
    uint32_t steps = 0;
    bool wants_replay = simulation_is_wanted(output, "replay"), some = false, ok = true;
    memset(runs, 0, sizeof runs);
    for (int i = 0; i < ROW_COUNT && ok; i++) {
        bool wanted = simulation_is_wanted(output, rows[i].name);
        some |= wanted;
        runs[i].of = &rows[i];
        if (wanted || (i == ROW_FLEXIBLE && wants_replay))
            ok = open_run(&runs[i], output, &steps);
    }
    if (ok && wants_replay)
        ok = open_record(&record, runs[ROW_FLEXIBLE].scene);
    ok = ok && step_all(output, runs, steps, &record);
    for (int i = 0; i < ROW_COUNT; i++)
        ok = ok && (!runs[i].scene || measure_layered(&runs[i], output));
    if (ok && some)
        print_runs(output, runs);
    ok = ok && (!wants_replay || simulation_replay(output, &record));
    close_record(&record);
    for (int i = 0; i < ROW_COUNT; i++)
        close_run(&runs[i]);
    return ok;
}
