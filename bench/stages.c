#include "bench/stages.h"

#include "bench/hashing.h"

void stages_open(struct stage *stage, const char *scene, const graze_tree_def *trees,
                 const graze_skinning *skinnings, uint32_t tree_count)
{
    bench_expect(stage_open_skinned(stage, scene, trees, skinnings, tree_count));
}

void stages_frame(struct stage *stage, uint32_t frame)
{
    bench_expect(stage_frame(stage, frame));
}

void stages_pose(struct stage *stage, uint32_t frame, uint32_t tree)
{
    stages_frame(stage, frame);
    stage_pose(stage, tree);
}

void stages_add_radii(graze_body *body, graze_node_bound which, stages_level *levels)
{
    for (uint32_t n = 0; n < bench_nodes(body); n++) {
        const graze_node_view view = bench_view(body, n, which);
        stages_level *level = &levels[view.level];
        level->least = level->count ? fmin(level->least, view.radius) : view.radius;
        level->most = fmax(level->most, view.radius);
        level->sum += view.radius;
        level->count++;
    }
}

/* ---- rows ----------------------------------------------------------------------------------- */

typedef struct scene_task {
    struct stage *stage;
    const scene_row *rows;
    hashing *hashed; /* of SCENE_HASH */
    bool first;
    size_t hits[SCENE_MAX_ROWS]; /* of the last run */
    graze_stats stats[SCENE_MAX_ROWS];
} scene_task;

const char *scene_skinning_name(graze_skinning skinning)
{
    return skinning == GRAZE_DUAL ? "dual" : skinning == GRAZE_SPHERICAL ? "spherical" : "linear";
}

static void ask(void *user, int number)
{
    scene_task *task = user;
    struct stage *stage = task->stage;
    const scene_row *row = &task->rows[number];
    const graze_options how = {.any = task->first,
                               .method = row->way == SCENE_EAGER ? GRAZE_EAGER : GRAZE_LAZY,
                               .stats = &task->stats[number]};
    graze_body **bodies = stage->bodies[row->tree];
    size_t hits = 0;
    *how.stats = (graze_stats){0};
    if (row->way == SCENE_HASH) {
        task->hits[number] = hashing_collide(task->hashed, stage, task->first);
        return;
    }
    stage_pose(stage, row->tree);
    for (uint32_t b = 0; row->way == SCENE_BOTTOM_UP && b < stage->body_count; b++)
        graze_body_refit_all(bodies[b]);
    for (uint32_t a = 0; a < stage->body_count; a++)
        for (uint32_t b = a + 1; b < stage->body_count; b++)
            hits += bench_pairs(bodies[a], bodies[b], &how);
    task->hits[number] = hits;
}

static void check_hits(const scene_task *task, uint32_t row_count, uint32_t frame)
{
    for (uint32_t r = 0; r < row_count; r++) {
        graze_skinning same = task->rows[r].skinning;
        if (task->hits[r] != task->hits[same])
            bench_die("frame %u, %s: %zu hits with %s, %zu with %s", frame,
                      scene_skinning_name(same), task->hits[r], task->rows[r].name,
                      task->hits[same], task->rows[same].name);
    }
}

void scene_measure(struct stage *stage, const scene_row *rows, uint32_t row_count, uint32_t step,
                   bool first, scene_means *means)
{
    scene_task task = {.stage = stage, .rows = rows, .first = first};
    bench_time times[SCENE_MAX_ROWS];
    double frames = (stage->scene->frame_count + step - 1) / step;
    *means = (scene_means){.frames = (uint32_t)frames};
    for (uint32_t r = 0; r < row_count; r++)
        if (rows[r].way == SCENE_HASH)
            task.hashed = hashing_open(stage);
    for (uint32_t frame = 0; frame < stage->scene->frame_count; frame += step) {
        stages_frame(stage, frame);
        bench_interleave(ask, &task, row_count, asked.rounds, times);
        for (uint32_t r = 0; r < row_count; r++) {
            means->times[r].least += times[r].least / frames;
            means->times[r].middle += times[r].middle / frames;
            means->nodes[r] += task.stats[r].nodes_refit / frames;
            means->tests[r] += task.stats[r].bound_tests / frames;
            means->triangles[r] += task.stats[r].triangle_tests / frames;
            means->hits[r] += task.hits[r] / frames;
        }
        check_hits(&task, row_count, frame);
    }
    if (task.hashed)
        hashing_close(task.hashed, stage);
}
