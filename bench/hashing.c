#include "bench/hashing.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_PAIRS = 1 << 16 };

struct hashing {
    eager_hash *hash;
    eager_model **models; /* one a rig */
    eager_body **bodies;  /* one an instance */
    bool *boxed;          /* whose triangles have their boxes in this frame */
    graze_pair *pairs;    /* where they are written to */
};

void hashing_close(hashing *made, const struct stage *stage)
{
    if (!made)
        return;
    for (uint32_t b = 0; made->bodies && b < stage->body_count; b++)
        eager_body_destroy(made->bodies[b]);
    for (uint32_t r = 0; made->models && r < stage->scene->rig_count; r++)
        eager_model_destroy(made->models[r]);
    eager_hash_destroy(made->hash);
    free(made->models);
    free(made->bodies);
    free(made->boxed);
    free(made->pairs);
    free(made);
}

static bool fill(hashing *made, const struct stage *stage)
{
    made->hash = eager_hash_create();
    made->models = calloc(stage->scene->rig_count, sizeof(eager_model *));
    made->bodies = calloc(stage->body_count, sizeof(eager_body *));
    made->boxed = calloc(stage->body_count, sizeof *made->boxed);
    made->pairs = malloc(MOST_PAIRS * sizeof *made->pairs);
    bool ok = made->hash && made->models && made->bodies && made->boxed && made->pairs;
    for (uint32_t r = 0; ok && r < stage->scene->rig_count; r++) {
        graze_model_def def = graze_rig_model_def(stage->scene->rigs[r]);
        made->models[r] = eager_model_create(&def);
        ok = made->models[r];
    }
    for (uint32_t b = 0; ok && b < stage->body_count; b++) {
        made->bodies[b] = eager_body_create(made->models[stage->scene->instances[b].rig]);
        ok = made->bodies[b];
    }
    return ok;
}

bool hashing_open(hashing **made, const struct stage *stage)
{
    *made = calloc(1, sizeof **made);
    if (*made && fill(*made, stage))
        return true;
    fprintf(stderr, "graze: out of memory\n");
    hashing_close(*made, stage);
    *made = NULL;
    return false;
}

/* Triangles are looked at only of bodies whose box overlaps another's. */
static bool find_boxes(hashing *made, uint32_t body)
{
    if (made->boxed[body])
        return true;
    made->boxed[body] = eager_box_triangles(made->bodies[body]);
    return made->boxed[body];
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
        for (uint32_t b = a + 1; b < stage->body_count; b++) {
            size_t count = 0;
            if (eager_apart(made->bodies[a], made->bodies[b]) || !find_boxes(made, a) ||
                !find_boxes(made, b))
                continue;
            eager_hash_collide(made->hash, made->bodies[a], made->bodies[b], first, made->pairs,
                               MOST_PAIRS, &count);
            total += count;
        }
    return total;
}
