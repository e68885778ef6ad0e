/* A scene simulated flexible and rigid, exact and by proxies. Each moves on its own, and their
 * steps take turns, so that what else the machine does meets all of them.
 */
#include "bench/simulation.h"

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

/* Returns how many steps to take. */
static uint32_t open_run(run *r, simulate_scene_name scene)
{
    simulate_options options = {.scene = scene,
                                .count = asked.count,
                                .triangles = asked.triangles,
                                .stage_triangles = asked.triangles,
                                .rigid = r->of->rigid,
                                .contacts = r->of->contacts};
    if (!options.count)
        options.count = scene == SIMULATE_CHAIRS ? 60 : 100;
    bench_must(simulate_scene_create(&options, &r->scene, &bench_error));
    double seconds = asked.seconds > 0 ? asked.seconds : r->scene->seconds;
    double steps = fmin(fmax(1, seconds / r->scene->options.step_seconds + 0.5), 1e6);
    for (uint32_t b = r->scene->animated_count; b < r->scene->body_count; b++)
        r->spheres += graze_model_get_info(r->scene->kinds[simulation_kind_of(r->scene, b)]->model)
                          .node_count;
    r->steps = bench_take((size_t)steps, sizeof *r->steps);
    return (uint32_t)steps;
}

static void add_step(part *to, const graze_sim_stats *stats, double seconds, double processor)
{
    to->steps++;
    to->processor += processor;
    to->seconds += seconds;
    to->largest = fmax(seconds, to->largest);
    to->awake += (double)stats->awake / (stats->awake + stats->asleep);
    to->contacts += stats->contacts;
    to->found += stats->found;
    to->refit += stats->queries.nodes_refit;
    to->phases[0] += stats->pose_seconds;
    to->phases[1] += stats->find_seconds;
    to->phases[2] += stats->solve_seconds;
    to->phases[3] += stats->move_seconds;
}

static void take_step(run *r, graze_pool *pool, uint32_t step, uint32_t step_count)
{
    double start = bench_now(), before = bench_processor();
    bench_must(simulate_scene_prepare(r->scene, step, &bench_error));
    bench_must(graze_sim_step(r->scene->sim, pool, 1, &bench_error));
    double seconds = (bench_now() - start) * 1e-6, processor = (bench_processor() - before) * 1e-6;
    graze_sim_stats stats = graze_sim_get_stats(r->scene->sim);
    r->steps[step] = seconds * 1e3;
    r->touched |= stats.contacts > 0;
    add_step(&r->parts[PART_ALL], &stats, seconds, processor);
    if (!r->touched)
        add_step(&r->parts[PART_FALLING], &stats, seconds, processor);
    if (step >= step_count - (step_count + 9) / 10)
        add_step(&r->parts[PART_END], &stats, seconds, processor);
}

/* ---- recording ------------------------------------------------------------------------------ */

static void add_frame(simulation_record *record)
{
    const simulate_scene *scene = record->scene;
    size_t first = (size_t)record->frame_count++ * scene->body_count;
    for (uint32_t b = 0; b < scene->body_count; b++)
        record->places[first + b] = simulation_get_place(scene, b);
}

/* ---- layered updates ------------------------------------------------------------------------ */

/* What it would take beside every step to pose all vertices and to refit all spheres bottom-up, of
 * all free bodies as they are in the end, on the paper's tree: the least of some rounds of some
 * bodies, for all of them.
 */
static void measure_layered(run *r)
{
    enum { MOST_BODIES = 32 };
    const simulate_scene *scene = r->scene;
    uint32_t free_count = scene->body_count - scene->animated_count;
    uint32_t count = free_count < MOST_BODIES ? free_count : MOST_BODIES;
    graze_model *model = simulation_model(scene->kinds[scene->kind_count - 1], SIMULATION_PAPER);
    graze_body *body = bench_make_body(model);
    r->layered = INFINITY;
    for (uint32_t round = 0; round < asked.rounds; round++) {
        double sum = 0;
        for (uint32_t b = 0; b < count; b++) {
            uint32_t number = scene->animated_count + (uint32_t)((uint64_t)b * free_count / count);
            const simulation_place place = simulation_get_place(scene, number);
            double start = bench_processor();
            simulation_pose(body, &place);
            graze_body_refit_all(body);
            sum += bench_processor() - start;
        }
        r->layered = fmin(r->layered, 1e-6 * sum * free_count / count);
    }
    graze_body_destroy(body);
    graze_model_destroy(model);
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

static double mean_ms(const part *of)
{
    return of->steps ? of->seconds * 1e3 / of->steps : 0;
}

static double processor_ms(const part *of)
{
    return of->steps ? of->processor * 1e3 / of->steps : 0;
}

static void print_row(const run *r, const run *against, double median)
{
    const part *all = &r->parts[PART_ALL], *end = &r->parts[PART_END];
    const double *phases = all->phases, seconds = all->seconds;
    double to_rigid = against ? all->processor / against->parts[PART_ALL].processor : 0;
    bench_row("run",
              "row:%s :%-17s bodies:%.0f steps:%.0f ms:%.4f:%8.2f ms_processor:%.4f:%8.2f "
              "ms_median:%.4f:%8.2f ms_largest:%.4f:%8.2f ms_falling:%.4f:%8.2f ms_end:%.4f:%8.2f "
              "to_rigid:%.4f :%7.2f awake_end:%.4f :%6.0f_%% contacts_per_step:%.2f:%9.1f "
              "contacts_per_second:%.1f:%9.0f found_per_second:%.1f:%9.0f "
              "refitted_percent:%.4f:%7.3f_%% layered_ms:%.4f layered_ratio:%.3f:%7.1f "
              "layered_ratio_end:%.3f:%7.1f pose_share:%.4f find_share:%.4f solve_share:%.4f "
              "move_share:%.4f :|_%2.0f :%2.0f :%2.0f :%2.0f :|_%s",
              ROW_TEXTS(r->of->name, r->of->name + 4, r->of->paper),
              ROW_NUMBERS(r->scene->body_count, all->steps, mean_ms(all), processor_ms(all), median,
                          all->largest * 1e3, mean_ms(&r->parts[PART_FALLING]), mean_ms(end),
                          to_rigid, against ? to_rigid : NAN, end->awake / end->steps,
                          100 * end->awake / end->steps, all->contacts / all->steps,
                          all->contacts / all->processor, all->found / all->processor,
                          100 * all->refit / (r->spheres * all->steps), r->layered * 1e3,
                          layered_ratio(r, all), layered_ratio(r, end), phases[0] / seconds,
                          phases[1] / seconds, phases[2] / seconds, phases[3] / seconds,
                          100 * phases[0] / seconds, 100 * phases[1] / seconds,
                          100 * phases[2] / seconds, 100 * phases[3] / seconds));
}

static void print_head(const run *first, graze_pool *pool)
{
    const simulate_scene *scene = first->scene;
    bench_say(
        "\n%s: %u bodies, %u steps of 1/%.0f s, %u threads; made in %.1f s; milliseconds a "
        "step\n  %-17s %8s %8s %8s %8s %8s %8s %7s %8s %9s %9s %9s %9s %7s %7s | %s | paper\n",
        scene->name, scene->body_count, first->parts[PART_ALL].steps,
        1 / scene->options.step_seconds, graze_pool_threads(pool), scene->setup_seconds, "", "mean",
        "cpu", "median", "most", "falling", "at end", "/ rigid", "awake", "contacts", "a second",
        "found/s", "refitted", "layered", "at end", "pose find solve move, %");
}

static void print_runs(run *runs, graze_pool *pool)
{
    bool begun = false;
    for (int i = 0; i < ROW_COUNT; i++) {
        run *r = &runs[i];
        uint32_t steps = r->parts[PART_ALL].steps;
        if (!steps)
            continue;
        const run *against = &runs[r->of->against];
        if (!begun)
            print_head(r, pool);
        begun = true;
        qsort(r->steps, steps, sizeof *r->steps, compare);
        print_row(r, against->scene ? against : NULL, r->steps[steps / 2]);
    }
    bench_json_row("run", "peak_mb:%.1f", NULL, ROW_NUMBERS(bench_peak_memory()));
    bench_say("  cpu: processor time, of which / rigid is; contacts: a step, and by second of "
              "processor time; found: pairs of triangles or spheres; refitted: of all bounds, a "
              "step; layered: how much longer a step is that updates all spheres bottom-up; peak "
              "memory of the process %.0f MB\n",
              bench_peak_memory());
}

/* ---- all ------------------------------------------------------------------------------------ */

static void step_all(run *runs, uint32_t steps, graze_pool *pool, simulation_record *record)
{
    for (uint32_t s = 0; s < steps; s++) {
        for (int i = 0; i < ROW_COUNT; i++)
            if (runs[i].scene)
                take_step(&runs[i], pool, s, steps);
        /* Frame f at the end of step (f + 1) of SIMULATION_FRAMES. */
        uint64_t due = (uint64_t)(s + 1) * SIMULATION_FRAMES / steps;
        if (record->places && record->frame_count < due)
            add_frame(record);
    }
}

void simulation_run(simulate_scene_name scene, graze_pool *pool)
{
    run runs[ROW_COUNT] = {0};
    simulation_record record = {.scene = NULL};
    uint32_t steps = 0;
    bool replayed = bench_wants("replay"), some = false;
    for (int i = 0; i < ROW_COUNT; i++) {
        bool is_wanted = bench_wants(rows[i].name);
        some |= is_wanted;
        runs[i].of = &rows[i];
        if (is_wanted || (i == ROW_FLEXIBLE && replayed))
            steps = open_run(&runs[i], scene);
    }
    if (replayed) {
        record.scene = runs[ROW_FLEXIBLE].scene;
        record.places =
            bench_take((size_t)SIMULATION_FRAMES * record.scene->body_count, sizeof *record.places);
    }
    step_all(runs, steps, pool, &record);
    for (int i = 0; i < ROW_COUNT; i++)
        if (runs[i].scene)
            measure_layered(&runs[i]);
    if (some)
        print_runs(runs, pool);
    if (replayed)
        simulation_replay(&record);
    free(record.places);
    for (int i = 0; i < ROW_COUNT; i++) {
        simulate_scene_destroy(runs[i].scene);
        free(runs[i].steps);
    }
}
