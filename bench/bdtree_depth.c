/* Queries of bounded depth on falling chairs (section 3.4; figure 7 stops at level 8). */
#include "bench/bdtree_tables.h"
#include "bench/measure.h"

#include <graze/reference.h>

#include <stdio.h>
#include <string.h>

enum { ROW_EXACT, ROW_DEFAULT, ROW_LEAVES, ROW_LEVELS, ROW_COUNT = ROW_LEVELS + 4 };

static const uint32_t levels[ROW_COUNT] = {[ROW_LEVELS] = 6, 8, 10, 12};

struct task {
    struct stage *stage;
    uint32_t row;
    size_t pairs;   /* of triangles or nodes */
    uint32_t meets; /* a bit for each pair of bodies */
    graze_stats stats;
};

static bool count_nodes(void *user, const graze_node_pair *pair)
{
    (void)pair;
    ++*(size_t *)user;
    return true;
}

static void run_task(void *user)
{
    struct task *task = user;
    graze_body **bodies = task->stage->bodies[task->row];
    uint32_t bit = 0;
    task->pairs = task->meets = 0;
    memset(&task->stats, 0, sizeof task->stats);
    stage_pose(task->stage, task->row);
    for (uint32_t a = 0; a < task->stage->body_count; a++)
        for (uint32_t b = a + 1; b < task->stage->body_count; b++, bit++) {
            size_t before = task->pairs;
            if (task->row < ROW_LEAVES)
                graze_collide(bodies[a], bodies[b], stage_count, &task->pairs, &task->stats, NULL);
            else
                graze_collide_bounds(bodies[a], bodies[b], count_nodes, &task->pairs, &task->stats,
                                     NULL);
            task->meets |= (uint32_t)(task->pairs > before) << bit;
        }
}

typedef struct depth_sums {
    double us[ROW_COUNT], pairs[ROW_COUNT], tests[ROW_COUNT], nodes[ROW_COUNT];
    uint32_t meets[ROW_COUNT]; /* pairs of bodies, over the frames */
    uint32_t frames;
} depth_sums;

static uint32_t count_bits(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static bool measure_frame(struct stage *stage, uint32_t frame, uint32_t rounds, depth_sums *sums)
{
    struct task tasks[ROW_COUNT];
    bench_method methods[ROW_COUNT];
    bench_samples samples[ROW_COUNT];
    memset(samples, 0, sizeof samples);
    if (!stage_frame(stage, frame))
        return false;
    for (uint32_t r = 0; r < ROW_COUNT; r++) {
        tasks[r] = (struct task){.stage = stage, .row = r};
        methods[r] = (bench_method){"", run_task, &tasks[r]};
    }
    bench_interleave(methods, ROW_COUNT, rounds, samples);
    if (tasks[ROW_DEFAULT].pairs != tasks[ROW_EXACT].pairs) {
        fprintf(stderr, "graze: frame %u: %zu pairs with boxes, %zu with spheres\n", frame,
                tasks[ROW_DEFAULT].pairs, tasks[ROW_EXACT].pairs);
        return false;
    }
    for (uint32_t r = 0; r < ROW_COUNT; r++) {
        if (tasks[ROW_EXACT].meets & ~tasks[r].meets) {
            fprintf(stderr, "graze: frame %u: level %u misses chairs that meet\n", frame,
                    levels[r]);
            return false;
        }
        sums->us[r] += bench_least(&samples[r]);
        sums->pairs[r] += (double)tasks[r].pairs;
        sums->tests[r] += (double)tasks[r].stats.bound_tests;
        sums->nodes[r] += (double)tasks[r].stats.nodes_refit;
        sums->meets[r] += count_bits(tasks[r].meets);
    }
    sums->frames++;
    return true;
}

static void print_rows(const bench_options *options, const depth_sums *sums)
{
    static const char *names[] = {"exact, BD-tree", "exact, default tree", "leaf spheres",
                                  "contact level"};
    double frames = sums->frames;
    if (!options->json)
        printf(
            "\nthree chairs, bounded depth: %u frames; what a query says is that bodies may meet "
            "(exact: do)\n  %-20s %5s %10s %10s %10s %10s %12s %8s\n",
            sums->frames, "", "level", "us", "refitted", "tests", "pairs", "bodies meet",
            "exact /");
    for (int r = 0; r < ROW_COUNT; r++) {
        const char *name = names[r < ROW_LEVELS ? r : ROW_LEVELS];
        if (options->json)
            printf("{\"table\":\"bdtree_depth\",\"method\":\"%s\",\"level\":%u,\"us\":%.3f,"
                   "\"nodes_refit\":%.1f,\"bound_tests\":%.1f,\"pairs\":%.2f,\"bodies_meet\":%u}\n",
                   name, levels[r], sums->us[r] / frames, sums->nodes[r] / frames,
                   sums->tests[r] / frames, sums->pairs[r] / frames, sums->meets[r]);
        else
            printf("  %-20s %5.0u %10.2f %10.1f %10.1f %10.1f %12u %8.2f\n", name, levels[r],
                   sums->us[r] / frames, sums->nodes[r] / frames, sums->tests[r] / frames,
                   sums->pairs[r] / frames, sums->meets[r], sums->us[ROW_EXACT] / sums->us[r]);
    }
}

bool bdtree_depth(const bench_options *options)
{
    graze_tree_def trees[ROW_COUNT];
    struct stage stage;
    depth_sums sums;
    memset(&sums, 0, sizeof sums);
    for (int r = 0; r < ROW_COUNT; r++) {
        trees[r] = r == ROW_DEFAULT ? graze_default_tree_def() : graze_paper_tree_def();
        trees[r].refit = GRAZE_REFIT_DEFAULT;
        if (r != ROW_DEFAULT)
            trees[r].collapse = 1;
        trees[r].contact_level = levels[r];
    }
    if (!stage_open(&stage, "chairs", trees, ROW_COUNT))
        return false;
    bool ok = true;
    for (uint32_t frame = 0; ok && frame < stage.scene->frame_count; frame++)
        ok = measure_frame(&stage, frame, options->rounds, &sums);
    stage_close(&stage);
    if (ok)
        print_rows(options, &sums);
    fflush(stdout);
    return ok;
}
