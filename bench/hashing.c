#include "bench/hashing.h"

#include "bench/bench.h"

enum { MOST_PAIRS = 1 << 16 };

struct hashing {
    eager_hash *hash;
    eager_model **models; /* one a rig */
    eager_body **bodies;  /* one an instance */
    bool *boxed;          /* whose triangles have their boxes in this frame */
    bench_pair *pairs;    /* where they are written to */
};

void hashing_close(hashing *made, const struct stage *stage)
{
    for (uint32_t b = 0; b < stage->body_count; b++)
        eager_body_destroy(made->bodies[b]);
    for (uint32_t r = 0; r < stage->scene->rig_count; r++)
        eager_model_destroy(made->models[r]);
    eager_hash_destroy(made->hash);
    free(made->models);
    free(made->bodies);
    free(made->boxed);
    free(made->pairs);
    free(made);
}

hashing *hashing_open(const struct stage *stage)
{
    hashing *made = bench_take(1, sizeof *made);
    *made = (hashing){.hash = eager_hash_create(),
                      .models = bench_take(stage->scene->rig_count, sizeof(eager_model *)),
                      .bodies = bench_take(stage->body_count, sizeof(eager_body *)),
                      .boxed = bench_take(stage->body_count, sizeof *made->boxed),
                      .pairs = bench_take(MOST_PAIRS, sizeof *made->pairs)};
    for (uint32_t r = 0; r < stage->scene->rig_count; r++) {
        const graze_model_def def = graze_rig_model_def(stage->scene->rigs[r]);
        made->models[r] = eager_model_create(&def);
    }
    for (uint32_t b = 0; b < stage->body_count; b++)
        made->bodies[b] = eager_body_create(made->models[stage->scene->instances[b].rig]);
    return made;
}

/* Triangles are looked at only of bodies whose box overlaps another's. */
static eager_body *find_boxes(hashing *made, uint32_t body)
{
    if (!made->boxed[body])
        eager_box_triangles(made->bodies[body]);
    made->boxed[body] = true;
    return made->bodies[body];
}

size_t hashing_collide(hashing *made, const struct stage *stage, bool first)
{
    size_t total = 0;
    for (uint32_t b = 0; b < stage->body_count; b++) {
        const graze_rig *rig = stage->scene->rigs[stage->scene->instances[b].rig];
        eager_skin(made->bodies[b], stage->joints[b], rig->joint_count, stage->placements[b]);
        made->boxed[b] = false;
    }
    for (uint32_t a = 0; a < stage->body_count; a++)
        for (uint32_t b = a + 1; b < stage->body_count; b++)
            if (!eager_apart(made->bodies[a], made->bodies[b]))
                total += eager_hash_collide(made->hash, find_boxes(made, a), find_boxes(made, b),
                                            first, made->pairs, MOST_PAIRS);
    return total;
}
