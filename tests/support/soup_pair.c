#include "support/soup_pair.h"

#include <math.h>
#include <stdlib.h>

graze_model *soup_pair_model(soup_pair *s, int i, const soup_def *def, graze_tree_def tree,
                             graze_skinning skinning, const graze_allocator *allocator)
{
    graze_model *model = NULL;
    test_random random = test_random_seed(3 + (uint64_t)i);
    s->meshes[i] = soup_make(def, &random);
    s->deltas[i] = malloc(3 * sizeof(float) * def->vertex_count);
    for (uint32_t k = 0; k < 3 * def->vertex_count; k++)
        s->deltas[i][k] = k % 3 == 0 ? 0.3f : 0.05f;
    graze_morph_target morph = {NULL, s->deltas[i], def->vertex_count};
    graze_model_def model_def = soup_model_def(&s->meshes[i]);
    model_def.allocator = allocator;
    model_def.morphs = &morph;
    model_def.morph_count = 1;
    model_def.tree = tree;
    model_def.skinning = skinning;
    if (graze_model_create(&model_def, &model, NULL))
        abort();
    return model;
}

/* A pose numbered by variant; the same number, the same pose. */
graze_status soup_pair_pose(soup_pair *s, int i, graze_body *body, uint32_t variant)
{
    float joints[4 * 12], placement[12], weight = 0.1f * (float)(variant % 5);
    const float origin[3] = {0, 0, 0};
    test_random random = test_random_seed(50 + variant);
    pose_make(MAP_NEAR, &s->meshes[i], &random, joints);
    map_make(MAP_NEAR, origin, 1, &random, placement);
    const graze_pose pose = {.joints = joints,
                             .joint_count = s->meshes[i].def.joint_count,
                             .placement = placement,
                             .morph_weights = &weight,
                             .morph_count = 1};
    return graze_body_set_pose(body, &pose, NULL);
}

static void aim(soup_pair *s)
{
    const uint32_t *corners = s->meshes[0].triangles;
    float *positions = malloc(3 * sizeof *positions * s->meshes[0].def.vertex_count);
    float middle[3] = {0, 0, 0}, from[3];
    graze_body_get_positions(s->a, positions);
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++)
            middle[k] += positions[3 * (size_t)corners[c] + (size_t)k] / 3;
        from[k] = middle[k] - 2 + 0.25f * (float)k;
    }
    s->ray = graze_ray_between(from, middle);
    s->ray.t_max = INFINITY;
    free(positions);
    graze_body_drop_caches(s->a);
}

soup_pair soup_pair_open(graze_tree_def tree, graze_skinning skinning,
                         const graze_allocator *allocator)
{
    const soup_def def = {.vertex_count = 500,
                          .triangle_count = 2000,
                          .joint_count = 4,
                          .max_influences = 3,
                          .size = 1};
    soup_pair s = {0};
    for (int i = 0; i < 2; i++)
        s.models[i] = soup_pair_model(&s, i, &def, tree, skinning, allocator);
    if (graze_body_create(s.models[0], &s.a, NULL) || graze_body_create(s.models[1], &s.b, NULL) ||
        graze_body_create(s.models[0], &s.end, NULL) || soup_pair_pose(&s, 0, s.a, 0) ||
        soup_pair_pose(&s, 1, s.b, 1) || soup_pair_pose(&s, 0, s.end, 2))
        abort();
    aim(&s);
    return s;
}

void soup_pair_close_bodies(soup_pair *s)
{
    graze_body_destroy(s->a);
    graze_body_destroy(s->b);
    graze_body_destroy(s->end);
    s->a = s->b = s->end = NULL;
}

void soup_pair_close_models(soup_pair *s)
{
    for (int i = 0; i < 2; i++) {
        graze_model_destroy(s->models[i]);
        s->models[i] = NULL;
    }
}

void soup_pair_close(soup_pair *s)
{
    soup_pair_close_bodies(s);
    soup_pair_close_models(s);
    for (int i = 0; i < 2; i++) {
        soup_free(&s->meshes[i]);
        free(s->deltas[i]);
    }
}
