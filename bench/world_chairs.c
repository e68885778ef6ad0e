/* What thousands of bodies take: the chair of James & Pai 2004, ordinary and lean. */
#include "bench/world.h"

#include <stdio.h>
#include <stdlib.h>

enum { CHAIRS = 10000, COLUMNS = 100 };

/* An allocator that counts what is asked for and not yet given back. */
typedef struct counted {
    graze_allocator under;
    size_t bytes;
} counted;

enum { FRONT = 64 }; /* the size of a block is kept in front of it */

static void *allocate(void *user, size_t size, size_t alignment)
{
    counted *state = user;
    unsigned char *block = state->under.allocate(state->under.user, size + FRONT, FRONT);
    (void)alignment; /* at most 64 */
    if (!block)
        return NULL;
    *(size_t *)(void *)block = size;
    state->bytes += size;
    return block + FRONT;
}

static void release(void *user, void *memory)
{
    counted *state = user;
    unsigned char *block = (unsigned char *)memory - FRONT;
    state->bytes -= *(size_t *)(void *)block;
    state->under.release(state->under.user, block);
}

typedef struct chairs {
    counted memory;
    graze_allocator allocator;
    graze_rig *rig;
    graze_model *model;
    graze_cache_pool *caches;
    graze_body *ordinary, *bodies[CHAIRS];
    graze_world *world;
    float *weights;
} chairs;

static bool open_chairs(chairs *c)
{
    graze_synth_def def = {.kind = GRAZE_SYNTH_CHAIR};
    graze_error error = {.text = "no memory"};
    c->memory.under = graze_default_allocator();
    c->allocator = (graze_allocator){allocate, release, &c->memory};
    c->rig = queries_make_rig(&def);
    if (!c->rig)
        return false;
    graze_model_def model = graze_rig_model_def(c->rig);
    model.allocator = &c->allocator;
    c->weights = calloc(model.morph_count, sizeof *c->weights);
    if (c->weights && !graze_model_create(&model, &c->model, &error) &&
        !graze_cache_pool_create(c->model, NULL, &c->caches, &error) &&
        !graze_world_create(NULL, &c->world, &error))
        return true;
    fprintf(stderr, "graze: %s\n", error.text);
    return false;
}

static void close_chairs(chairs *c)
{
    graze_world_destroy(c->world);
    for (uint32_t i = 0; i < CHAIRS; i++)
        graze_body_destroy(c->bodies[i]);
    graze_body_destroy(c->ordinary);
    graze_cache_pool_destroy(c->caches);
    graze_model_destroy(c->model);
    graze_rig_destroy(c->rig);
    free(c->weights);
    free(c);
}

/* Side by side, each a little into the next, and bent in its own way. */
static void pose_chairs(chairs *c, const float size[3])
{
    uint32_t morphs = graze_model_get_info(c->model).morph_count;
    for (uint32_t i = 0; i < CHAIRS; i++) {
        const float x = 0.97f * size[0] * (float)(i % COLUMNS),
                    z = 0.97f * size[2] * (float)(i / COLUMNS);
        const float placement[12] = {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, z};
        graze_pose pose = graze_default_pose();
        for (uint32_t m = 0; m < morphs; m++)
            c->weights[m] = 0.02f * (float)((i * 7 + m * 3) % 5);
        pose.placement = placement;
        pose.morph_weights = c->weights;
        pose.morph_count = morphs;
        graze_body_set_pose(c->bodies[i], &pose, NULL);
    }
}

static bool measure_chairs(world_output *output, chairs *c)
{
    graze_error error;
    graze_world_id id;
    graze_node_view view;
    size_t start = c->memory.bytes, events;
    if (graze_body_create(c->model, &c->ordinary, &error))
        return false;
    size_t ordinary = c->memory.bytes - start;
    start = c->memory.bytes;
    for (uint32_t i = 0; i < CHAIRS; i++)
        if (graze_body_create_lean(c->caches, &c->bodies[i], &error) ||
            graze_world_add_body(c->world, c->bodies[i], NULL, &id, &error))
            return false;
    double idle = (double)(c->memory.bytes - start) / CHAIRS;
    graze_body_view_node(c->ordinary, 0, GRAZE_NODE_BEST, &view);
    const float size[3] = {2 * view.half[0], 2 * view.half[1], 2 * view.half[2]};
    start = c->memory.bytes;
    double begin = bench_now();
    pose_chairs(c, size);
    double posed = bench_now();
    if (graze_world_update(c->world, NULL, NULL, &error)) {
        fprintf(stderr, "graze: %s\n", error.text);
        return false;
    }
    double updated = bench_now();
    graze_cache_pool_info info = graze_cache_pool_get_info(c->caches);
    double touched = info.made ? (double)(c->memory.bytes - start) / info.made : 0;
    graze_world_events(c->world, &events);
    uint32_t faces = graze_model_get_info(c->model).triangle_count;
    if (!output->options->json)
        printf("\nchairs: %d bodies of %u faces, bytes as the allocator is asked for them\n"
               "  %-34s %12zu\n  %-34s %12.0f   target at most 4096: %s\n  %-34s %12.0f\n"
               "  %-34s %12u   (of %zu candidates, %zu meet)\n"
               "  %-34s %12.1f   as ordinary bodies: %.1f\n"
               "  %-34s %12.1f   poses %.1f, update %.1f\n",
               CHAIRS, faces, "an ordinary body", ordinary, "a lean body, idle", idle,
               idle <= 4096 ? "met" : "missed", "what it borrows when touched", touched,
               "caches at a time, in an update", info.made, graze_world_candidate_count(c->world),
               events, "all together, MB", 1e-6 * (idle * CHAIRS + touched * info.made),
               1e-6 * (double)ordinary * CHAIRS, "first frame, ms", 1e-3 * (updated - begin),
               1e-3 * (posed - begin), 1e-3 * (updated - posed));
    world_write(output, "chairs", CHAIRS, "ordinary", "bytes", (double)ordinary, (double)ordinary,
                1);
    world_write(output, "chairs", CHAIRS, "lean, idle", "bytes", idle, idle, CHAIRS);
    world_write(output, "chairs", CHAIRS, "lean, touched", "bytes", touched, touched, info.made);
    return true;
}

bool world_chairs(world_output *output)
{
    if (!world_is_wanted(output, "chairs"))
        return true;
    chairs *c = calloc(1, sizeof *c);
    if (!c)
        return false;
    bool ok = open_chairs(c) && measure_chairs(output, c);
    close_chairs(c);
    return ok;
}
