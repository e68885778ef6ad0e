/* Two characters with ever more triangles, joints or influences, of graze and of the tuned eager
 * boxes.
 */
#include "bench/plot.h"
#include "bench/scale.h"

#include "scenes/worm.h"

enum { FRAMES = 3, MOST_POINTS = 12 };

/* The questions that are asked at every size. */
enum { APART, TOUCHING, BEFORE, DEEP, RAY, CASES };

static const pair_case cases[CASES] = {
    [APART] = {"apart, all pairs", PAIR_APART, PAIR_ALL},
    [TOUCHING] = {"touching, all pairs", PAIR_TOUCHING, PAIR_ALL},
    [BEFORE] = {"touching before, all", PAIR_BEFORE, PAIR_ALL},
    [DEEP] = {"deep, first pair", PAIR_DEEP, PAIR_FIRST},
    [RAY] = {"one ray", PAIR_APART, PAIR_RAY}};

/* One size. Times in microseconds. */
typedef struct point {
    double size;
    bench_time times[CASES][CROWD_WAYS]; /* graze's, and the boxes', 0 where they have none */
    double pairs[CASES];                 /* a frame; of rays those that hit */
    double build;                        /* microseconds a triangle */
    double tree, body;                   /* bytes a triangle: tree and constants, and one body */
    double boxes;                        /* bytes a triangle of the eager boxes, with one body */
} point;

typedef struct sweep {
    const char *name, *title; /* "triangles", and of its drawing */
    point points[MOST_POINTS];
    uint32_t count;
} sweep;

/* Where the second one stands, for models that are one shape. */
typedef float placements[CASES][FRAMES][12];

/* ---- measuring ---------------------------------------------------------------------------- */

/* The least of some times of building, with example poses as everywhere in the benchmarks. */
static double time_build(const graze_rig *rig)
{
    graze_model_def def = graze_rig_model_def(rig);
    float *poses = queries_take_examples(rig, &def);
    double least = INFINITY;
    for (int i = 0; i < (rig->triangle_count < 100000 ? 5 : 2); i++) {
        double start = bench_now();
        graze_model *model = bench_make_model(&def);
        least = fmin(least, bench_now() - start);
        graze_model_destroy(model);
    }
    free(poses);
    return least / rig->triangle_count;
}

static void measure_memory(const pair_bench *pair, point *p)
{
    graze_model_info info = graze_model_get_info(pair->subject->models[QUERIES_PLAIN]);
    double triangles = info.triangle_count;
    p->build = time_build(pair->subject->rig);
    p->tree = info.tree_bytes / triangles;
    p->body = info.body_bytes / triangles;
    if (pair->eager)
        p->boxes =
            (eager_model_bytes(pair->eager) + eager_body_bytes(pair->eager_bodies[0])) / triangles;
}

static void stage(pair_bench *pair, int number, uint32_t frame, const float placement[12])
{
    if (!pair_stage(pair, cases[number].place, frame, FRAMES, placement))
        bench_die("%s, %s: they never get there", pair->subject->name, cases[number].name);
}

static void measure_case(pair_bench *pair, int number, const placements *where, point *p)
{
    pair_record record;
    pair_begin(pair, &cases[number], &record);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        stage(pair, number, frame, where ? (*where)[number][frame] : NULL);
        if (number == RAY)
            pair_aim(pair, frame + 1);
        pair_measure(&record);
    }
    for (uint32_t m = 0; m < record.entry.method_count; m++) {
        const pair_method *method = record.who[m];
        p->times[number][method->way == PAIR_GRAZE ? CROWD_GRAZE : CROWD_BOXES] = (bench_time){
            bench_middle(&record.entry.least[m]), bench_middle(&record.entry.middle[m])};
        if (number != RAY && method->missing + method->extra > 0)
            bench_die("%s, %s: %s gives another answer", pair->subject->name, cases[number].name,
                      method->name);
    }
    p->pairs[number] = (double)record.who[0]->pairs / FRAMES / (number == RAY ? PAIR_RAYS : 1);
}

/* Takes over the rig. */
static void measure_model(sweep *s, double size, graze_rig *rig, const placements *where)
{
    static pair_bench pair;
    queries_subject subject;
    point *p = &s->points[s->count++];
    p->size = size;
    bench_must(queries_open_subject(&subject, s->name, rig, QUERIES_PLAIN + 1));
    pair_open(&pair, &subject, 1u << PAIR_GRAZE | 1u << PAIR_EAGER_BOXES);
    measure_memory(&pair, p);
    for (int c = 0; c < CASES; c++)
        measure_case(&pair, c, where, p);
    pair_close(&pair);
    queries_close_subject(&subject);
}

/* ---- showing ------------------------------------------------------------------------------ */

static void print_times(const sweep *s)
{
    bench_say("\n%s: microseconds from joint matrices to answer, graze and eager boxes (our "
              "triangles), least\n  %10s",
              s->name, "");
    for (int c = 0; c < CASES; c++)
        bench_say(" | %-26s", cases[c].name);
    bench_say("\n  %10s", s->name);
    for (int c = 0; c < CASES; c++)
        bench_say(" | %8s %9s %7s", "graze", "boxes", "pairs");
    for (const point *p = s->points; p < s->points + s->count; p++) {
        bench_say("\n  %10.0f", p->size);
        for (int c = 0; c < CASES; c++)
            bench_say(" | %8.2f %9.2f %7.1f", p->times[c][CROWD_GRAZE].least,
                      p->times[c][CROWD_BOXES].least, p->pairs[c]);
    }
    bench_say("\n  %10s %12s %12s %12s %12s   targets: building at most 2 us, tree at most 80 "
              "bytes\n",
              s->name, "build us/tri", "tree B/tri", "body B/tri", "boxes B/tri");
    for (const point *p = s->points; p < s->points + s->count; p++)
        bench_say("  %10.0f %12.2f %12.1f %12.1f %12.1f   %s\n", p->size, p->build, p->tree,
                  p->body, p->boxes, p->build <= 2 && p->tree <= 80 ? "met" : "missed");
}

static void write_point(const char *name, const point *p)
{
    const struct {
        const char *what, *method, *unit;
        double value;
    } rest[] = {{"build", "graze", "us/triangle", p->build},
                {"tree", "graze", "bytes/triangle", p->tree},
                {"body", "graze", "bytes/triangle", p->body},
                {"tree and body", "eager boxes", "bytes/triangle", p->boxes}};
    for (int c = 0; c < CASES; c++)
        for (int w = 0; w < CROWD_WAYS; w++)
            if (p->times[c][w].least > 0)
                scale_write(name, p->size, cases[c].name, crowd_ways[w], "us", p->times[c][w],
                            p->pairs[c]);
    for (size_t r = 0; r < COUNT_OF(rest); r++)
        scale_write(name, p->size, rest[r].what, rest[r].method, rest[r].unit,
                    (bench_time){rest[r].value, rest[r].value}, 0);
}

static void draw(const sweep *s)
{
    plot_chart chart = {.title = s->title,
                        .x_name = s->name,
                        .y_name = "microseconds from joint matrices to answer"};
    char name[80];
    for (uint32_t c = 0; c < CASES; c++)
        for (int w = 0; w < CROWD_WAYS; w++) {
            snprintf(name, sizeof name, "%s: %s", cases[c].name, crowd_ways[w]);
            plot_line *line = plot_add_line(&chart, name, c, w == CROWD_BOXES);
            for (uint32_t i = 0; i < s->count; i++)
                plot_add_point(line, s->points[i].size, s->points[i].times[c][w].least);
        }
    snprintf(name, sizeof name, "scale-%s", s->name);
    plot_lines(name, &chart);
}

static void show(const sweep *s)
{
    print_times(s);
    for (uint32_t i = 0; i < s->count; i++)
        write_point(s->name, &s->points[i]);
    if (asked.plot)
        draw(s);
}

/* ---- triangles ---------------------------------------------------------------------------- */

enum { COARSE = 1000, LEVELS = 6, MIDDLE_LEVEL = 2 };

static graze_rig *make_creature(uint32_t subdivisions)
{
    const graze_synth_def def = {
        .kind = GRAZE_SYNTH_CREATURE, .triangles = COARSE, .subdivisions = subdivisions};
    graze_rig *rig = NULL;
    bench_must(graze_synth(&def, NULL, &rig, &bench_error));
    return rig;
}

/* Placements are found once, at a level in the middle. */
static void find_placements(placements *where)
{
    static pair_bench pair;
    queries_subject subject;
    bench_must(
        queries_open_subject(&subject, "creature", make_creature(MIDDLE_LEVEL), QUERIES_PLAIN + 1));
    pair_open(&pair, &subject, 1u << PAIR_GRAZE);
    for (int c = 0; c < CASES; c++)
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            stage(&pair, c, frame, NULL);
            memcpy((*where)[c][frame], pair.actors[1].placement, sizeof(*where)[c][frame]);
        }
    pair_close(&pair);
    queries_close_subject(&subject);
}

/* How graze's cost grows with each fourfold subdivision. */
static void print_growth(const sweep *s, int number, double target)
{
    double most = 0;
    bench_say("  %s, times as long for each fourfold subdivision:", cases[number].name);
    for (const point *p = s->points + 1; p < s->points + s->count; p++) {
        double growth =
            p->times[number][CROWD_GRAZE].least / p[-1].times[number][CROWD_GRAZE].least;
        most = fmax(most, growth);
        bench_say(" %.2f", growth);
    }
    if (target > 0)
        bench_say("; target at most %g: %s", target, most <= target ? "met" : "missed");
    bench_say("\n");
}

void scale_triangles(void)
{
    static const double targets[CASES] = {[APART] = 1.1, [TOUCHING] = 1.3, [BEFORE] = 1.3};
    placements where;
    sweep s = {.name = "triangles", .title = "Two creatures, the same surface subdivided"};
    find_placements(&where);
    for (uint32_t level = 0; level < LEVELS; level++) {
        graze_rig *rig = make_creature(level);
        measure_model(&s, rig->triangle_count, rig, (const placements *)&where);
    }
    show(&s);
    for (int c = 0; c < CASES; c++)
        print_growth(&s, c, targets[c]);
}

/* ---- joints and influences ---------------------------------------------------------------- */

static void measure_worm(sweep *s, double size, uint32_t joints, uint32_t influences)
{
    const graze_worm_def def = {.triangles = 50000, .joints = joints, .influences = influences};
    graze_rig *rig = NULL;
    bench_must(graze_worm(&def, NULL, &rig, &bench_error));
    measure_model(s, size, rig, NULL);
}

void scale_joints(void)
{
    static const uint32_t joints[] = {10, 30, 100, 300, 1000};
    sweep s = {.name = "joints", .title = "Two worms of 50,000 triangles, 4 influences"};
    for (size_t i = 0; i < COUNT_OF(joints); i++)
        measure_worm(&s, joints[i], joints[i], 4);
    show(&s);
}

void scale_influences(void)
{
    static const uint32_t influences[] = {1, 2, 3, 4, 6, 8};
    sweep s = {.name = "influences", .title = "Two worms of 50,000 triangles, 100 joints"};
    for (size_t i = 0; i < COUNT_OF(influences); i++)
        measure_worm(&s, influences[i], 100, influences[i]);
    show(&s);
}

/* ---- for the other tables ---------------------------------------------------------------- */

void scale_open_creatures(queries_subject *subject, pair_bench *pair)
{
    bench_must(queries_open_subject(
        subject, "creature:50000", bench_make_rig(GRAZE_SYNTH_CREATURE, 50000), QUERIES_PLAIN + 1));
    pair_open(pair, subject, 1u << PAIR_GRAZE);
}
