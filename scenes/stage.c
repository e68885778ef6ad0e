#include "scenes/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(const char *text)
{
    fprintf(stderr, "graze: %s\n", text);
    return false;
}

static bool build_model(const struct stage *stage, uint32_t tree, uint32_t number)
{
    graze_error error;
    const graze_rig *rig = stage->scene->rigs[number];
    graze_model_def def = graze_rig_model_def(rig);
    def.tree = stage->trees[tree];
    def.skinning = stage->skinnings[tree];
    return !graze_rig_create_model(rig, &def, &stage->models[tree][number], &error) ||
           fail(error.text);
}

static bool build_models(struct stage *stage, uint32_t tree)
{
    stage->models[tree] = calloc(stage->scene->rig_count, sizeof(graze_model *));
    if (!stage->models[tree])
        return fail("out of memory");
    for (uint32_t r = 0; r < stage->scene->rig_count; r++)
        if (!build_model(stage, tree, r))
            return false;
    return true;
}

static bool make_bodies(struct stage *stage, uint32_t tree)
{
    graze_error error;
    stage->bodies[tree] = calloc(stage->body_count, sizeof(graze_body *));
    for (uint32_t b = 0; stage->bodies[tree] && b < stage->body_count; b++) {
        graze_model *model = stage->models[tree][stage->scene->instances[b].rig];
        if (graze_body_create(model, &stage->bodies[tree][b], &error))
            return fail(error.text);
    }
    return stage->bodies[tree] || fail("out of memory");
}

static bool make_room(struct stage *stage)
{
    stage->joints = calloc(stage->body_count, sizeof *stage->joints);
    stage->weights = calloc(stage->body_count, sizeof *stage->weights);
    stage->placements = calloc(stage->body_count, sizeof *stage->placements);
    if (!stage->joints || !stage->weights || !stage->placements)
        return fail("out of memory");
    for (uint32_t b = 0; b < stage->body_count; b++) {
        const graze_rig *rig = stage->scene->rigs[stage->scene->instances[b].rig];
        stage->joints[b] = malloc(12 * sizeof(float) * rig->joint_count);
        if (rig->morph_count)
            stage->weights[b] = malloc(sizeof(float) * rig->morph_count);
        if (!stage->joints[b] || (rig->morph_count && !stage->weights[b]))
            return fail("out of memory");
    }
    return true;
}

bool stage_open(struct stage *stage, const char *scene, const graze_tree_def *trees,
                uint32_t tree_count)
{
    return stage_open_skinned(stage, scene, trees, NULL, tree_count);
}

bool stage_open_skinned(struct stage *stage, const char *scene, const graze_tree_def *trees,
                        const graze_skinning *skinnings, uint32_t tree_count)
{
    graze_error error;
    memset(stage, 0, sizeof *stage);
    if (graze_scene_create(scene, NULL, &stage->scene, &error))
        return fail(error.text);
    stage->body_count = stage->scene->instance_count;
    stage->tree_count = tree_count;
    memcpy(stage->trees, trees, tree_count * sizeof *trees);
    if (skinnings)
        memcpy(stage->skinnings, skinnings, tree_count * sizeof *skinnings);
    bool ok = make_room(stage);
    for (uint32_t t = 0; ok && t < tree_count; t++)
        ok = build_models(stage, t) && make_bodies(stage, t);
    if (!ok)
        stage_close(stage);
    return ok;
}

void stage_close(struct stage *stage)
{
    for (uint32_t t = 0; t < stage->tree_count; t++) {
        for (uint32_t b = 0; stage->bodies[t] && b < stage->body_count; b++)
            graze_body_destroy(stage->bodies[t][b]);
        for (uint32_t r = 0; stage->models[t] && r < stage->scene->rig_count; r++)
            graze_model_destroy(stage->models[t][r]);
        free(stage->bodies[t]);
        free(stage->models[t]);
    }
    for (uint32_t b = 0; stage->joints && b < stage->body_count; b++)
        free(stage->joints[b]);
    for (uint32_t b = 0; stage->weights && b < stage->body_count; b++)
        free(stage->weights[b]);
    free(stage->joints);
    free(stage->weights);
    free(stage->placements);
    graze_scene_destroy(stage->scene);
    memset(stage, 0, sizeof *stage);
}

const char *stage_description(const struct stage *stage)
{
    for (uint32_t i = 0; i < graze_scene_count(); i++)
        if (strcmp(graze_scene_name(i), stage->scene->name) == 0)
            return graze_scene_description(i);
    return stage->scene->name;
}

bool stage_frame(struct stage *stage, uint32_t frame)
{
    for (uint32_t b = 0; b < stage->body_count; b++) {
        uint32_t clip;
        double time;
        graze_scene_place(stage->scene, frame, b, &clip, &time, stage->placements[b]);
        if (graze_rig_sample(stage->scene->rigs[stage->scene->instances[b].rig], clip, time,
                             stage->joints[b], stage->weights[b]))
            return fail("out of memory");
    }
    return true;
}

void stage_pose_body(struct stage *stage, uint32_t tree, uint32_t body)
{
    const graze_rig *rig = stage->scene->rigs[stage->scene->instances[body].rig];
    graze_pose pose = {.joints = stage->joints[body],
                       .joint_count = rig->joint_count,
                       .layout = GRAZE_ROWS_3X4,
                       .placement = stage->placements[body],
                       .morph_weights = stage->weights[body],
                       .morph_count = rig->morph_count};
    graze_body_set_pose(stage->bodies[tree][body], &pose, NULL);
}

void stage_pose(struct stage *stage, uint32_t tree)
{
    for (uint32_t b = 0; b < stage->body_count; b++)
        stage_pose_body(stage, tree, b);
}

bool stage_freeze(graze_body *body, graze_model **model, graze_body **frozen)
{
    return (!graze_body_freeze(body, model, NULL) && !graze_body_create(*model, frozen, NULL)) ||
           fail("could not freeze a body");
}
