#include "bench/crowd.h"

enum { TIMES = 16, MAX_NEAR = 16 /* bodies, for each */ };

/* How far they stray from their places, and sway, in their sizes. */
static const float stray = 0.15f, sway = 0.05f;

const char *const crowd_ways[CROWD_WAYS] = {"graze", "eager boxes"};

/* ---- opening -------------------------------------------------------------------------------- */

static float width_of(const crowd *people, int axis)
{
    return people->subject.box.high[axis] - people->subject.box.low[axis];
}

static void place_people(crowd *people)
{
    uint32_t seed = people->def.seed, columns = people->def.columns;
    for (uint32_t i = 0; i < people->def.count; i++) {
        const float at[3] = {(float)(i % columns), 0, (float)(i / columns)};
        for (int k = 0; k < 3; k++) {
            float off = stray * (2 * bench_random(&seed) - 1);
            people->placements[i][5 * k] = 1;
            people->placements[i][4 * k + 3] =
                k == 1 ? 0 : width_of(people, k) * (people->def.step * at[k] + off);
        }
    }
}

static void open_bodies(crowd *people)
{
    const graze_model *model = people->subject.models[QUERIES_PLAIN];
    graze_world_rule rule = {.level = people->def.level};
    bench_must(graze_cache_pool_create(model, NULL, &people->caches, &bench_error));
    bench_must(graze_world_create(NULL, &people->world, &bench_error));
    bench_must(graze_world_set_rule(people->world, 0, 0, &rule, &bench_error));
    for (uint32_t i = 0; i < people->def.count; i++) {
        graze_world_id id;
        graze_body **body = &people->bodies[i];
        if (people->def.lean)
            bench_must(graze_body_create_lean(people->caches, body, &bench_error));
        else
            *body = bench_make_body(model);
        bench_must(graze_world_add_body(people->world, *body, NULL, &id, &bench_error));
    }
}

static void open_eager(crowd *people)
{
    graze_model_def def = graze_rig_model_def(people->subject.rig);
    people->eager = eager_model_create(&def);
    people->eager_bodies = bench_take(people->def.count, sizeof(eager_body *));
    people->refitted = bench_take(people->def.count, sizeof *people->refitted);
    people->boxes = bench_take(people->def.count, sizeof *people->boxes);
    for (uint32_t i = 0; i < people->def.count; i++)
        people->eager_bodies[i] = eager_body_create(people->eager);
}

void crowd_open(crowd *people, const crowd_def *def)
{
    graze_rig *rig = bench_make_rig(def->kind, 0);
    const size_t near = MAX_NEAR * (size_t)def->count, floats = 12 * (size_t)rig->joint_count;
    *people = (crowd){.def = *def,
                      .bodies = bench_take(def->count, sizeof(graze_body *)),
                      .joints = bench_take(TIMES * floats, sizeof(float)),
                      .placements = bench_take(def->count, sizeof *people->placements),
                      .near = bench_take(near, sizeof *people->near),
                      .near_capacity = near};
    bench_must(queries_open_subject(&people->subject, graze_synth_name(def->kind), rig,
                                    QUERIES_PLAIN + 1));
    for (uint32_t t = 0; t < TIMES; t++)
        bench_must(graze_rig_sample(rig, 0, (double)rig->clips[0].seconds * t / TIMES,
                                    people->joints + t * floats, NULL));
    open_bodies(people);
    if (def->eager)
        open_eager(people);
    place_people(people);
}

void crowd_close(crowd *people)
{
    graze_world_destroy(people->world);
    for (uint32_t i = 0; i < people->def.count; i++) {
        graze_body_destroy(people->bodies[i]);
        eager_body_destroy(people->eager_bodies ? people->eager_bodies[i] : NULL);
    }
    graze_cache_pool_destroy(people->caches);
    eager_model_destroy(people->eager);
    queries_close_subject(&people->subject);
    free(people->bodies);
    free(people->joints);
    free(people->placements);
    free(people->eager_bodies);
    free(people->refitted);
    free(people->boxes);
    free(people->near);
}

/* ---- poses ---------------------------------------------------------------------------------- */

/* To and fro, each with another phase. */
void crowd_step(crowd *people)
{
    static const float ways[4] = {1, 1, -1, -1};
    people->frame++;
    for (uint32_t i = 0; i < people->def.count; i++)
        for (int k = 0; k < 3; k += 2)
            people->placements[i][4 * k + 3] +=
                sway * width_of(people, k) * ways[(people->frame + i / (k + 1u)) % 4];
}

graze_pose crowd_pose_of(const crowd *people, uint32_t body)
{
    uint32_t time = (7 * body + people->frame) % TIMES, joints = people->subject.rig->joint_count;
    return (graze_pose){.joints = people->joints + 12 * (size_t)time * joints,
                        .joint_count = joints,
                        .placement = people->placements[body]};
}

void crowd_pose(crowd *people)
{
    for (uint32_t i = 0; i < people->def.count; i++) {
        graze_pose pose = crowd_pose_of(people, i);
        graze_body_set_pose(people->bodies[i], &pose, NULL);
    }
}

void crowd_update(crowd *people)
{
    bench_must(graze_world_update(people->world, NULL, &bench_error));
    const graze_world_event *events = graze_world_events(people->world, &people->events);
    people->hits = 0;
    for (size_t i = 0; i < people->events; i++)
        people->hits += (size_t)events[i].pair_count;
}

/* Bodies have the same indices in the world as here: they were added in this order. */
void crowd_find_near(crowd *people)
{
    crowd_pose(people);
    crowd_update(people);
    const graze_world_event *events = graze_world_events(people->world, &people->events);
    people->near_count = 0;
    for (size_t i = 0; i < people->events && people->near_count < people->near_capacity; i++)
        if (events[i].kind != GRAZE_EVENT_END)
            people->near[people->near_count++] = (bench_pair){events[i].a.index, events[i].b.index};
}

/* ---- ways ----------------------------------------------------------------------------------- */

static int compare_boxes(const void *left, const void *right)
{
    float x = ((const crowd_box *)left)->box.low[2], y = ((const crowd_box *)right)->box.low[2];
    return x < y ? -1 : x > y;
}

/* A plain sweep along z, the long side of the crowd. */
static void sweep_boxes(crowd *people)
{
    crowd_box *boxes = people->boxes;
    uint32_t count = people->def.count;
    people->near_count = 0;
    qsort(boxes, count, sizeof *boxes, compare_boxes);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count && boxes[k].box.low[2] <= boxes[i].box.high[2]; k++) {
            const bench_bounds *a = &boxes[i].box, *b = &boxes[k].box;
            uint32_t x = boxes[i].body, y = boxes[k].body;
            if (a->high[0] < b->low[0] || b->high[0] < a->low[0] || a->high[1] < b->low[1] ||
                b->high[1] < a->low[1] || people->near_count == people->near_capacity)
                continue;
            people->near[people->near_count++] = x < y ? (bench_pair){x, y} : (bench_pair){y, x};
        }
}

static eager_body *refit(crowd *people, uint32_t body)
{
    if (!people->refitted[body])
        eager_refit(people->eager_bodies[body]);
    people->refitted[body] = true;
    return people->eager_bodies[body];
}

static void run_boxes(crowd *people)
{
    bench_pair pairs[1];
    for (uint32_t i = 0; i < people->def.count; i++) {
        graze_pose pose = crowd_pose_of(people, i);
        bench_bounds *box = &people->boxes[i].box;
        eager_skin(people->eager_bodies[i], pose.joints, pose.joint_count, pose.placement);
        eager_box(people->eager_bodies[i], box->low, box->high);
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

void crowd_run(crowd *people, int way)
{
    if (way == CROWD_BOXES) {
        run_boxes(people);
        return;
    }
    crowd_pose(people);
    crowd_update(people);
    people->near_count = graze_world_candidate_count(people->world);
}

/* ---- exact boxes ---------------------------------------------------------------------------- */

/* The box around all vertices. */
static graze_shape exact_box(graze_body *body, float *positions, uint32_t vertices)
{
    float centre[3], half[3];
    graze_body_get_positions(body, positions);
    graze_body_give_back_caches(body);
    bench_bounds box = bench_box(positions, vertices);
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5f * (box.low[k] + box.high[k]);
        half[k] = 0.5f * (box.high[k] - box.low[k]);
    }
    return graze_shape_box(centre, half, NULL);
}

size_t crowd_exact_candidates(crowd *people)
{
    const uint32_t vertices = people->subject.rig->vertex_count;
    float *positions = bench_take(3 * (size_t)vertices, sizeof *positions);
    graze_world *world = NULL;
    graze_world_rule rule = {.level = GRAZE_LEVEL_BOUNDS};
    bench_must(graze_world_create(NULL, &world, &bench_error));
    bench_must(graze_world_set_rule(world, 0, 0, &rule, &bench_error));
    for (uint32_t i = 0; i < people->def.count; i++) {
        graze_world_id id;
        graze_shape box = exact_box(people->bodies[i], positions, vertices);
        bench_must(graze_world_add_shape(world, &box, NULL, &id, &bench_error));
    }
    bench_must(graze_world_update(world, NULL, &bench_error));
    size_t count = graze_world_candidate_count(world);
    graze_world_destroy(world);
    free(positions);
    return count;
}
