#include "bench/scene_rows.h"

#include "bench/hashing.h"
#include "bench/measure.h"

#include <graze/reference.h>

#include <stdio.h>
#include <string.h>

typedef struct scene_task {
    struct stage *stage;
    const scene_row *row;
    hashing *hashed; /* of SCENE_HASH */
    bool first;
    size_t hits; /* of the last run */
    graze_stats stats;
} scene_task;

const char *scene_skinning_name(graze_skinning skinning)
{
    return skinning == GRAZE_DUAL ? "dual" : skinning == GRAZE_SPHERICAL ? "spherical" : "linear";
}

static void collide_pair(scene_task *task, graze_body *a, graze_body *b)
{
    if (task->row->way == SCENE_EAGER)
        graze_collide_eager(a, b, task->first, stage_count, &task->hits, &task->stats, NULL);
    else if (task->first)
        task->hits += stage_meet(a, b, &task->stats);
    else
        graze_collide(a, b, stage_count, &task->hits, &task->stats, NULL);
}

static void run_task(void *user)
{
    scene_task *task = user;
    struct stage *stage = task->stage;
    graze_body **bodies = stage->bodies[task->row->tree];
    task->hits = 0;
    memset(&task->stats, 0, sizeof task->stats);
    if (task->row->way == SCENE_HASH) {
        task->hits = hashing_collide(task->hashed, stage, task->first);
        return;
    }
    stage_pose(stage, task->row->tree);
    for (uint32_t b = 0; task->row->way == SCENE_BOTTOM_UP && b < stage->body_count; b++)
        graze_body_refit_all(bodies[b]);
    for (uint32_t a = 0; a < stage->body_count; a++)
        for (uint32_t b = a + 1; b < stage->body_count; b++)
            collide_pair(task, bodies[a], bodies[b]);
}

static bool check_hits(const scene_task *tasks, uint32_t row_count, uint32_t frame)
{
    for (uint32_t r = 0; r < row_count; r++) {
        const scene_row *row = tasks[r].row;
        const scene_task *same = &tasks[row->skinning];
        if (tasks[r].hits == same->hits)
            continue;
        fprintf(stderr, "graze: frame %u, %s: %zu hits with %s, %zu with %s\n", frame,
                scene_skinning_name(row->skinning), tasks[r].hits, row->name, same->hits,
                same->row->name);
        return false;
    }
    return true;
}

/* The frame that the stage is at. */
static bool measure_frame(scene_task *tasks, uint32_t row_count, uint32_t frame, uint32_t rounds,
                          scene_sums *sums)
{
    bench_method methods[SCENE_MAX_ROWS];
    bench_samples samples[SCENE_MAX_ROWS];
    memset(samples, 0, sizeof samples);
    for (uint32_t r = 0; r < row_count; r++)
        methods[r] = (bench_method){tasks[r].row->name, run_task, &tasks[r]};
    bench_interleave(methods, row_count, rounds, samples);
    for (uint32_t r = 0; r < row_count; r++) {
        sums->least[r] += bench_least(&samples[r]);
        sums->middle[r] += bench_middle(&samples[r]);
        sums->nodes[r] += (double)tasks[r].stats.nodes_refit;
        sums->tests[r] += (double)tasks[r].stats.bound_tests;
        sums->triangles[r] += (double)tasks[r].stats.triangle_tests;
        sums->hits[r] += (double)tasks[r].hits;
    }
    sums->frames++;
    return check_hits(tasks, row_count, frame);
}

bool scene_measure(struct stage *stage, const scene_row *rows, uint32_t row_count, uint32_t step,
                   uint32_t rounds, bool first, scene_sums *sums)
{
    scene_task tasks[SCENE_MAX_ROWS];
    hashing *hashed = NULL;
    bool ok = true;
    for (uint32_t r = 0; r < row_count; r++) {
        tasks[r] = (scene_task){.stage = stage, .row = &rows[r], .first = first};
        if (rows[r].way != SCENE_HASH)
            continue;
        if (!hashed)
            ok = hashing_open(&hashed, stage);
        tasks[r].hashed = hashed;
    }
    for (uint32_t frame = 0; ok && frame < stage->scene->frame_count; frame += step)
        ok = stage_frame(stage, frame) && measure_frame(tasks, row_count, frame, rounds, sums);
    hashing_close(hashed, stage);
    return ok;
}
