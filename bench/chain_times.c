/* What sphere chains cost over the frames of a clip: microseconds a frame. */
#include "bench/chain.h"

/* Runs of all frames that one sample is the mean of: a frame takes a microsecond or two. */
enum { REPEATS = 8 };

typedef struct chain_task {
    chain_subject *subject;
    float *joints, *weights; /* of all frames, sampled beforehand */
    float *spheres;          /* of all frames, by pivots */
    graze_pool *pool;
    size_t found, triangles[2];
} chain_task;

typedef struct timed_way {
    const char *name;
    void (*run)(const struct timed_way *way, chain_task *task, uint32_t frame);
    int which; /* of graze_chain_pairs_of, or of graze_chain_update */
    graze_method method;
    bool threads, slow;
} timed_way;

/* ---- ways ------------------------------------------------------------------------------------ */

static const float *spheres_at(const chain_task *task, uint32_t frame)
{
    return task->spheres + 4 * (size_t)task->subject->sphere_count * frame;
}

static size_t find_pairs(const chain_subject *s, const float *spheres, graze_chain_pairs_of which,
                         const graze_options *options)
{
    const graze_posed_chains posed = {s->tracker, spheres, NULL};
    graze_pair_list found = {.items = s->pairs, .capacity = s->capacity};
    graze_chain_pairs(&posed, NULL, which, &found, options, NULL);
    return found.count;
}

static void find(const timed_way *way, chain_task *task, uint32_t frame)
{
    const graze_options options = {.method = way->method, .pool = way->threads ? task->pool : NULL};
    task->found += find_pairs(task->subject, spheres_at(task, frame),
                              (graze_chain_pairs_of)way->which, &options);
}

static void set_pose(chain_task *task, graze_body *body, uint32_t frame)
{
    const graze_rig *rig = task->subject->rig;
    const graze_pose pose = {.joints = task->joints + 12 * (size_t)rig->joint_count * frame,
                             .joint_count = rig->joint_count,
                             .morph_weights =
                                 rig->morph_count ? task->weights + rig->morph_count * frame : NULL,
                             .morph_count = rig->morph_count};
    graze_body_set_pose(body, &pose, NULL);
}

static void pose(const timed_way *way, chain_task *task, uint32_t frame)
{
    chain_subject *s = task->subject;
    set_pose(task, s->body, frame);
    graze_chain_pose(s->tracker, s->body, (graze_chain_update)way->which, s->spheres,
                     s->sphere_count, NULL);
}

/* From the matrices to the pairs. */
static void pose_and_find(const timed_way *way, chain_task *task, uint32_t frame)
{
    chain_subject *s = task->subject;
    pose(way, task, frame);
    task->found += find_pairs(s, s->spheres, GRAZE_CHAIN_PAIRS, NULL);
}

/* Conservative spheres, then the exact query: one body has the spheres as parts, and both poses are
 * counted.
 */
static void find_exact(const timed_way *way, chain_task *task, uint32_t frame)
{
    chain_subject *s = task->subject;
    const graze_part_filter between = {.part_count = s->sphere_count, .rows = s->rows};
    pose(way, task, frame);
    set_pose(task, s->grouped_body, frame);
    size_t count = find_pairs(s, s->spheres, GRAZE_CHAIN_PAIRS, NULL);
    graze_chain_filter_rows(s->tracker, GRAZE_CHAIN_PAIRS, s->pairs, count, s->rows, s->word_count,
                            NULL);
    task->triangles[0] += bench_self_pairs(s->grouped_body, &between, NULL);
}

static void find_self(const timed_way *way, chain_task *task, uint32_t frame)
{
    (void)way;
    set_pose(task, task->subject->body, frame);
    task->triangles[1] += bench_self_pairs(task->subject->body, NULL, NULL);
}

static const timed_way ways[] = {
    {"M1, chains: lanes", find, GRAZE_CHAIN_PAIRS, GRAZE_LAZY, false, false},
    {"M1, chains: plain", find, GRAZE_CHAIN_PAIRS, GRAZE_BRUTE, false, false},
    {"M1, chains: lanes", find, GRAZE_CHAIN_PAIRS, GRAZE_LAZY, true, false},
    {"M2, all pairs: lanes", find, GRAZE_ALL_PAIRS, GRAZE_LAZY, false, false},
    {"M2, all pairs: plain", find, GRAZE_ALL_PAIRS, GRAZE_BRUTE, false, false},
    {"M2, all pairs: lanes", find, GRAZE_ALL_PAIRS, GRAZE_LAZY, true, false},
    {"M3, tree", find, GRAZE_CHAIN_PAIRS, GRAZE_EAGER, false, false},
    {"M3, tree", find, GRAZE_CHAIN_PAIRS, GRAZE_EAGER, true, false},
    {"pose, pivots", pose, GRAZE_CHAIN_PIVOTS, GRAZE_LAZY, false, false},
    {"pose, conservative", pose, GRAZE_CHAIN_CONSERVATIVE, GRAZE_LAZY, false, false},
    {"pose to pairs, pivots, M1", pose_and_find, GRAZE_CHAIN_PIVOTS, GRAZE_LAZY, false, false},
    {"pose to pairs, conservative, M1", pose_and_find, GRAZE_CHAIN_CONSERVATIVE, GRAZE_LAZY, false,
     false},
    {"conservative, then exact", find_exact, GRAZE_CHAIN_CONSERVATIVE, GRAZE_LAZY, false, true},
    {"graze_self_pairs", find_self, 0, GRAZE_LAZY, false, true}};

/* ---- measuring ------------------------------------------------------------------------------- */

static void run_frames(void *user, int number)
{
    const timed_way *way = &ways[number];
    for (uint32_t i = 0; i < (way->slow ? 1 : REPEATS); i++)
        for (uint32_t f = 0; f < CHAIN_FRAMES; f++)
            way->run(way, user, f);
}

static void fill_frames(chain_task *task, uint32_t clip)
{
    chain_subject *s = task->subject;
    const size_t joints = 12 * (size_t)s->rig->joint_count, morphs = s->rig->morph_count;
    double seconds = s->rig->clips[clip].seconds;
    task->joints = bench_take(joints * CHAIN_FRAMES, sizeof(float));
    task->weights = bench_take(morphs * CHAIN_FRAMES, sizeof(float));
    task->spheres = bench_take((size_t)s->sphere_count * CHAIN_FRAMES, 4 * sizeof(float));
    for (uint32_t f = 0; f < CHAIN_FRAMES; f++) {
        bench_must(graze_rig_sample(s->rig, clip, seconds * f / (CHAIN_FRAMES - 1),
                                    task->joints + joints * f, task->weights + morphs * f));
        set_pose(task, s->body, f);
        bench_must(graze_chain_pose(s->tracker, s->body, GRAZE_CHAIN_PIVOTS,
                                    (float *)spheres_at(task, f), s->sphere_count, &bench_error));
    }
}

static void print_way(const chain_task *task, const char *clip, int number, bench_time time)
{
    const timed_way *way = &ways[number];
    double frames = CHAIN_FRAMES * (way->slow ? 1.0 : REPEATS);
    uint32_t threads = way->threads ? graze_pool_threads(task->pool) : 1;
    bench_row("chain times",
              "model:%s clip:%s what:%s:%-34s threads:%.0f:%.0f :thread%s us:%.4g:_%9.3f "
              "median_us:%.4g:_%9.3f_us",
              ROW_TEXTS(task->subject->name, clip, way->name, threads > 1 ? "s" : " "),
              ROW_NUMBERS(threads, time.least / frames, time.middle / frames));
}

void chain_print_times(chain_subject *subject, uint32_t clip)
{
    chain_task task = {.subject = subject};
    bench_time times[COUNT_OF(ways)];
    const char *name = subject->rig->clips[clip].name;
    fill_frames(&task, clip);
    bench_must(graze_pool_create(2, NULL, &task.pool, &bench_error));
    bench_say("\n%s, clip %s, %d frames: microseconds a frame, the least and the middle of %u\n",
              subject->name, name, CHAIN_FRAMES, asked.rounds);
    bench_interleave(run_frames, &task, COUNT_OF(ways), asked.rounds, times);
    if (task.triangles[0] != task.triangles[1])
        bench_die("%zu pairs of triangles with chains, %zu without", task.triangles[0],
                  task.triangles[1]);
    for (size_t w = 0; w < COUNT_OF(ways); w++)
        print_way(&task, name, (int)w, times[w]);
    graze_pool_destroy(task.pool);
    free(task.joints);
    free(task.weights);
    free(task.spheres);
}
