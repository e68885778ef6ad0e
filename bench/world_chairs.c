/* What thousands of bodies take: the chair of James & Pai 2004, ordinary and lean. */
#include "bench/world.h"

enum { CHAIRS = 10000, COLUMNS = 100 };

/* An allocator that counts what is asked for and not yet given back: alignments are at most 64, and
 * the size of a block is kept in front of it.
 */
enum { FRONT = 64 };

static size_t bytes; /* asked for and not yet given back */

static void *allocate(void *under, size_t size, size_t alignment)
{
    graze_allocator *allocator = under;
    unsigned char *block = allocator->allocate(allocator->user, size + FRONT, FRONT);
    (void)alignment;
    if (!block)
        return NULL;
    *(size_t *)(void *)block = size;
    bytes += size;
    return block + FRONT;
}

static void release(void *under, void *memory)
{
    graze_allocator *allocator = under;
    unsigned char *block = (unsigned char *)memory - FRONT;
    bytes -= *(size_t *)(void *)block;
    allocator->release(allocator->user, block);
}

/* Side by side, each a little into the next, and bent in its own way. */
static void pose_chairs(graze_body **bodies, const float half[3], float *weights, uint32_t morphs)
{
    for (uint32_t i = 0; i < CHAIRS; i++) {
        const float x = 0.97f * (2 * half[0]) * (float)(i % COLUMNS),
                    z = 0.97f * (2 * half[2]) * (float)(i / COLUMNS);
        const float placement[12] = {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, z};
        const graze_pose pose = {
            .placement = placement, .morph_weights = weights, .morph_count = morphs};
        for (uint32_t m = 0; m < morphs; m++)
            weights[m] = 0.02f * (float)((i * 7 + m * 3) % 5);
        graze_body_set_pose(bodies[i], &pose, NULL);
    }
}

void world_chairs(void)
{
    graze_allocator under = graze_default_allocator(), counted = {allocate, release, &under};
    graze_rig *rig = bench_make_rig(GRAZE_SYNTH_CHAIR, 0);
    graze_model_def def = graze_rig_model_def(rig);
    graze_body **bodies = bench_take(CHAIRS, sizeof *bodies);
    float *weights = bench_take(def.morph_count, sizeof *weights);
    graze_cache_pool *caches;
    graze_world *world;
    graze_world_id id;
    size_t events;
    def.allocator = &counted;
    graze_model *model = bench_make_model(&def);
    bench_must(graze_cache_pool_create(model, NULL, &caches, &bench_error));
    bench_must(graze_world_create(NULL, &world, &bench_error));
    size_t start = bytes;
    graze_body *one = bench_make_body(model);
    double ordinary = bytes - start;
    start = bytes;
    for (uint32_t i = 0; i < CHAIRS; i++) {
        bench_must(graze_body_create_lean(caches, &bodies[i], &bench_error));
        bench_must(graze_world_add_body(world, bodies[i], NULL, &id, &bench_error));
    }
    double idle = (double)(bytes - start) / CHAIRS;
    const graze_node_view view = bench_view(one, 0, GRAZE_NODE_BEST);
    start = bytes;
    double begin = bench_now();
    pose_chairs(bodies, view.half, weights, def.morph_count);
    double posed = bench_now();
    bench_must(graze_world_update(world, NULL, &bench_error));
    double updated = bench_now();
    graze_cache_pool_info info = graze_cache_pool_get_info(caches);
    double touched = info.made ? (double)(bytes - start) / info.made : 0;
    graze_world_events(world, &events);
    bench_say("\nchairs: %d bodies of %u faces, bytes as the allocator is asked for them\n"
              "  %-34s %12.0f\n  %-34s %12.0f   target at most 4096: %s\n  %-34s %12.0f\n"
              "  %-34s %12u   (of %zu candidates, %zu meet)\n"
              "  %-34s %12.1f   as ordinary bodies: %.1f\n"
              "  %-34s %12.1f   poses %.1f, update %.1f\n",
              CHAIRS, def.triangle_count, "an ordinary body", ordinary, "a lean body, idle", idle,
              idle <= 4096 ? "met" : "missed", "what it borrows when touched", touched,
              "caches at a time, in an update", info.made, graze_world_candidate_count(world),
              events, "all together, MB", 1e-6 * (idle * CHAIRS + touched * info.made),
              1e-6 * ordinary * CHAIRS, "first frame, ms", 1e-3 * (updated - begin),
              1e-3 * (posed - begin), 1e-3 * (updated - posed));
    world_write("chairs", CHAIRS, "ordinary", "bytes", (bench_time){ordinary, ordinary}, 1);
    world_write("chairs", CHAIRS, "lean, idle", "bytes", (bench_time){idle, idle}, CHAIRS);
    world_write("chairs", CHAIRS, "lean, touched", "bytes", (bench_time){touched, touched},
                info.made);
    graze_world_destroy(world);
    for (uint32_t i = 0; i < CHAIRS; i++)
        graze_body_destroy(bodies[i]);
    graze_body_destroy(one);
    graze_cache_pool_destroy(caches);
    graze_model_destroy(model);
    graze_rig_destroy(rig);
    free(bodies);
    free(weights);
}
