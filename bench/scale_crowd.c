#include "bench/scale_crowd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 16, ROW = 10, MAX_NEAR = 16 /* bodies, for each */ };

/* Steps between people, in their sizes along x and z, and how far they stray from there. */
static const float step = 1.2f, stray = 0.15f;

static void place_people(crowd *people)
{
    const queries_subject *subject = &people->subject;
    uint32_t seed = 1;
    for (uint32_t i = 0; i < people->count; i++) {
        const uint32_t column = i % ROW, row = i / ROW;
        const float at[3] = {(float)column, 0, (float)row};
        float *placement = people->placements[i];
        for (int k = 0; k < 3; k++) {
            float wide = subject->high[k] - subject->low[k];
            float off = stray * (2 * queries_random(&seed) - 1);
            placement[5 * k] = 1;
            placement[4 * k + 3] = k == 1 ? 0 : wide * (step * at[k] + off);
        }
    }
}

static bool sample_poses(crowd *people)
{
    const graze_rig *rig = people->subject.rig;
    for (uint32_t t = 0; t < TIMES; t++)
        if (graze_rig_sample(rig, 0, (double)rig->clips[0].seconds * t / TIMES,
                             people->joints + 12 * (size_t)t * rig->joint_count, NULL))
            return false;
    return true;
}

/* Worlds in which everybody meets everybody by bounds, or by triangles. */
static bool open_worlds(crowd *people)
{
    graze_world_rule rule = graze_default_world_rule();
    rule.level = GRAZE_LEVEL_BOUNDS;
    return !graze_world_create(NULL, &people->near_world, NULL) &&
           !graze_world_create(NULL, &people->exact_world, NULL) &&
           !graze_world_set_rule(people->near_world, 0, 0, &rule, NULL);
}

static bool open_body(crowd *people, bool lean, uint32_t i)
{
    graze_world_id id;
    graze_status status =
        lean ? graze_body_create_lean(people->caches, &people->bodies[i], NULL)
             : graze_body_create(people->subject.models[QUERIES_PLAIN], &people->bodies[i], NULL);
    return !status &&
           !graze_world_add_body(people->near_world, people->bodies[i], NULL, &id, NULL) &&
           !graze_world_add_body(people->exact_world, people->bodies[i], NULL, &id, NULL);
}

static bool open_people(crowd *people, bool lean)
{
    size_t count = people->count;
    graze_model_def def = graze_rig_model_def(people->subject.rig);
    people->bodies = calloc(count, sizeof(graze_body *));
    people->eager_bodies = calloc(count, sizeof(eager_body *));
    people->refitted = calloc(count, sizeof *people->refitted);
    people->joints = malloc(TIMES * 12 * sizeof(float) * def.joint_count);
    people->placements = calloc(count, sizeof *people->placements);
    people->boxes = malloc(count * sizeof *people->boxes);
    people->near_capacity = MAX_NEAR * count;
    people->near = malloc(people->near_capacity * sizeof *people->near);
    people->body_pairs = malloc(people->near_capacity * sizeof *people->body_pairs);
    people->eager = eager_model_create(&def);
    if (!people->bodies || !people->eager_bodies || !people->refitted || !people->joints ||
        !people->placements || !people->boxes || !people->near || !people->body_pairs ||
        !people->eager || !sample_poses(people) || !open_worlds(people) ||
        graze_cache_pool_create(people->subject.models[QUERIES_PLAIN], NULL, &people->caches, NULL))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        people->eager_bodies[i] = eager_body_create(people->eager);
        if (!people->eager_bodies[i] || !open_body(people, lean, i))
            return false;
    }
    return true;
}

bool crowd_open(crowd *people, uint32_t count, bool lean)
{
    graze_synth_def def = {.kind = GRAZE_SYNTH_DWARF};
    graze_rig *rig = queries_make_rig(&def);
    *people = (crowd){.count = count};
    if (!rig || !queries_open_subject(&people->subject, "dwarf", rig, QUERIES_PLAIN + 1))
        return false;
    if (open_people(people, lean)) {
        place_people(people);
        return true;
    }
    fprintf(stderr, "graze: no memory for %u bodies\n", count);
    crowd_close(people);
    return false;
}

void crowd_close(crowd *people)
{
    graze_world_destroy(people->near_world);
    graze_world_destroy(people->exact_world);
    for (uint32_t i = 0; i < people->count; i++) {
        if (people->bodies)
            graze_body_destroy(people->bodies[i]);
        if (people->eager_bodies)
            eager_body_destroy(people->eager_bodies[i]);
    }
    graze_cache_pool_destroy(people->caches);
    eager_model_destroy(people->eager);
    queries_close_subject(&people->subject);
    free(people->bodies);
    free(people->eager_bodies);
    free(people->refitted);
    free(people->joints);
    free(people->placements);
    free(people->boxes);
    free(people->near);
    free(people->body_pairs);
}

/* ---- who is near whom --------------------------------------------------------------------- */

static int compare_boxes(const void *left, const void *right)
{
    const crowd_box *x = left, *y = right;
    return x->low[2] < y->low[2] ? -1 : x->low[2] > y->low[2];
}

/* A plain sweep along z, the long side of the crowd. */
static void sweep_boxes(crowd *people)
{
    crowd_box *boxes = people->boxes;
    people->near_count = 0;
    qsort(boxes, people->count, sizeof *boxes, compare_boxes);
    for (uint32_t i = 0; i < people->count; i++)
        for (uint32_t k = i + 1; k < people->count && boxes[k].low[2] <= boxes[i].high[2]; k++) {
            const crowd_box *a = &boxes[i], *b = &boxes[k];
            if (a->high[0] < b->low[0] || b->high[0] < a->low[0] || a->high[1] < b->low[1] ||
                b->high[1] < a->low[1] || people->near_count == people->near_capacity)
                continue;
            people->near[people->near_count++] = (graze_pair){
                a->body < b->body ? a->body : b->body, a->body < b->body ? b->body : a->body};
        }
}

static const float *joints_of(const crowd *people, uint32_t body)
{
    uint32_t time = body * 7 % TIMES;
    return people->joints + 12 * (size_t)time * people->subject.rig->joint_count;
}

static void pose_people(crowd *people)
{
    for (uint32_t i = 0; i < people->count; i++) {
        graze_pose pose = {.joints = joints_of(people, i),
                           .joint_count = people->subject.rig->joint_count,
                           .layout = GRAZE_ROWS_3X4,
                           .placement = people->placements[i]};
        graze_body_set_pose(people->bodies[i], &pose, NULL);
    }
}

/* Bodies have the same indices in a world as here: they were added in this order. */
void crowd_pose(void *user)
{
    crowd *people = user;
    size_t count;
    pose_people(people);
    graze_world_update(people->near_world, NULL, NULL, NULL);
    const graze_world_event *events = graze_world_events(people->near_world, &count);
    people->near_count = 0;
    for (size_t i = 0; i < count && people->near_count < people->near_capacity; i++) {
        uint32_t a = events[i].a.index, b = events[i].b.index;
        if (events[i].kind == GRAZE_EVENT_END)
            continue;
        people->near[people->near_count] = (graze_pair){a, b};
        people->body_pairs[people->near_count++] =
            (graze_body_pair){people->bodies[a], people->bodies[b]};
    }
}

void crowd_run_graze(void *user)
{
    crowd *people = user;
    size_t count;
    pose_people(people);
    graze_world_update(people->exact_world, NULL, NULL, NULL);
    const graze_world_event *events = graze_world_events(people->exact_world, &count);
    people->near_count = graze_world_candidate_count(people->exact_world);
    people->hits = 0;
    for (size_t i = 0; i < count; i++)
        people->hits += (size_t)events[i].pairs;
}

static eager_body *refit(crowd *people, uint32_t body)
{
    if (!people->refitted[body])
        eager_refit(people->eager_bodies[body]);
    people->refitted[body] = true;
    return people->eager_bodies[body];
}

void crowd_run_boxes(void *user)
{
    crowd *people = user;
    graze_pair pairs[1];
    for (uint32_t i = 0; i < people->count; i++) {
        eager_skin(people->eager_bodies[i], joints_of(people, i), people->subject.rig->joint_count,
                   people->placements[i]);
        eager_box(people->eager_bodies[i], people->boxes[i].low, people->boxes[i].high);
        people->boxes[i].body = i;
        people->refitted[i] = false;
    }
    sweep_boxes(people);
    people->hits = 0;
    for (size_t p = 0; p < people->near_count; p++)
        people->hits +=
            eager_collide(refit(people, people->near[p].a), refit(people, people->near[p].b),
                          EAGER_LANES, false, pairs, 1);
}

/* ---- cost against bodies ------------------------------------------------------------------ */

typedef struct crowd_point {
    uint32_t bodies;
    double least[SCALE_WAYS], median[SCALE_WAYS]; /* microseconds */
    size_t near[SCALE_WAYS], hits[SCALE_WAYS];
    double megabytes[SCALE_WAYS]; /* of all bodies */
} crowd_point;

static bool measure_crowd(uint32_t count, uint32_t rounds, crowd_point *point)
{
    crowd people;
    bench_samples samples[SCALE_WAYS];
    const bench_method methods[SCALE_WAYS] = {{scale_ways[0], crowd_run_graze, &people},
                                              {scale_ways[1], crowd_run_boxes, &people}};
    memset(samples, 0, sizeof samples);
    if (!crowd_open(&people, count, true))
        return false;
    point->bodies = count;
    for (int w = 0; w < SCALE_WAYS; w++) {
        methods[w].run(&people);
        point->near[w] = people.near_count;
        point->hits[w] = people.hits;
    }
    bench_interleave(methods, SCALE_WAYS, rounds, samples);
    for (int w = 0; w < SCALE_WAYS; w++) {
        point->least[w] = bench_least(&samples[w]);
        point->median[w] = bench_middle(&samples[w]);
    }
    graze_cache_pool_info info = graze_cache_pool_get_info(people.caches);
    point->megabytes[SCALE_GRAZE] =
        1e-6 * ((double)info.body_bytes * count + (double)info.cache_bytes * info.made);
    point->megabytes[SCALE_BOXES] = 1e-6 * (double)eager_body_bytes(people.eager_bodies[0]) * count;
    crowd_close(&people);
    if (point->hits[0] == point->hits[1])
        return true;
    fprintf(stderr, "graze: %u bodies: %zu pairs, but %zu with eager boxes\n", count,
            point->hits[0], point->hits[1]);
    return false;
}

static bool draw_bodies(const scale_output *output, const crowd_point *points, uint32_t count)
{
    plot_chart chart = {.title = "A crowd of dwarves, 1,664 triangles each: all pairs of triangles",
                        .x_name = "bodies",
                        .y_name = "microseconds from all joint matrices to all answers"};
    for (int w = 0; w < SCALE_WAYS; w++) {
        plot_line *line = plot_add_line(&chart, scale_ways[w], (uint32_t)w, w == SCALE_BOXES);
        for (uint32_t i = 0; i < count; i++)
            plot_add_point(line, points[i].bodies, points[i].least[w]);
    }
    return plot_lines(output->options->plot, "scale-bodies", &chart);
}

bool scale_bodies(scale_output *output)
{
    static const uint32_t counts[] = {2, 10, 100, 1000, 10000};
    enum { COUNTS = sizeof counts / sizeof *counts };
    crowd_point points[COUNTS];
    if (!scale_is_wanted(output, "bodies"))
        return true;
    if (!output->options->json)
        printf("\nbodies: a crowd of lean dwarves of 1,664 triangles, ten abreast, in a world; us "
               "for everybody, from joint matrices to all pairs of triangles\n  %9s %12s %12s %8s "
               "| %12s %12s | "
               "%9s | %9s %9s\n",
               "bodies", "graze", "eager boxes", "ratio", "near, graze", "near, boxes", "pairs",
               "graze MB", "boxes MB");
    for (int i = 0; i < COUNTS; i++) {
        crowd_point *p = &points[i];
        if (!measure_crowd(counts[i], output->options->rounds, p))
            return false;
        if (!output->options->json)
            printf("  %9u %12.1f %12.1f %8.2f | %12zu %12zu | %9zu | %9.1f %9.1f\n", p->bodies,
                   p->least[SCALE_GRAZE], p->least[SCALE_BOXES],
                   p->least[SCALE_BOXES] / p->least[SCALE_GRAZE], p->near[SCALE_GRAZE],
                   p->near[SCALE_BOXES], p->hits[SCALE_GRAZE], p->megabytes[SCALE_GRAZE],
                   p->megabytes[SCALE_BOXES]);
        for (int w = 0; w < SCALE_WAYS; w++)
            scale_write(output, "bodies", p->bodies, "crowd, all pairs", scale_ways[w], "us",
                        p->least[w], p->median[w], (double)p->hits[w]);
        fflush(stdout);
    }
    return !output->options->plot || draw_bodies(output, points, COUNTS);
}
