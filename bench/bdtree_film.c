#include "bench/bdtree_film.h"

#include <stdio.h>
#include <string.h>

bool film_record(struct film *film, struct stage *stage)
{
    const graze_rig *rig = stage->scene->rigs[0];
    if (stage->scene->frame_count > FILM_FRAMES || rig->morph_count > FILM_FIELDS) {
        fprintf(stderr, "graze: the scene is too long\n");
        return false;
    }
    film->frame_count = stage->scene->frame_count;
    film->field_count = rig->morph_count;
    for (uint32_t f = 0; f < film->frame_count; f++) {
        struct film_frame *frame = &film->frames[f];
        if (!stage_frame(stage, f))
            return false;
        for (int b = 0; b < 2; b++) {
            memcpy(frame->joints[b], stage->joints[b], sizeof frame->joints[b]);
            memcpy(frame->placements[b], stage->placements[b], sizeof frame->placements[b]);
        }
        memcpy(frame->weights, stage->weights[0], film->field_count * sizeof(float));
    }
    return true;
}

void film_pose(const struct film *film, uint32_t number, enum film_way way, graze_body *curtain,
               graze_body *ball)
{
    const struct film_frame *frame = &film->frames[number];
    float placement[12];
    memcpy(placement, frame->placements[1], sizeof placement);
    if (way == FILM_FAR)
        placement[11] += 1000;
    graze_pose ball_pose = {.joints = frame->joints[1], .joint_count = 1, .placement = placement};
    graze_pose curtain_pose = {.joints = frame->joints[0],
                               .joint_count = 1,
                               .placement = frame->placements[0],
                               .morph_weights = frame->weights,
                               .morph_count = film->field_count};
    graze_body_set_pose(ball, &ball_pose, NULL);
    if (way == FILM_COHERENT && number)
        graze_body_set_morph_weights(curtain, frame->weights, film->field_count, true, NULL);
    else
        graze_body_set_pose(curtain, &curtain_pose, NULL);
    if (way == FILM_LAYERED)
        graze_body_refit_all(curtain);
}

bool film_make_ball(graze_model **model, graze_body **body)
{
    static const float centre[3] = {0, 0.15f, 0}; /* as graze_synth makes it: it lies on y = 0 */
    return film_make_sphere(centre, 0.15f, model, body);
}

bool film_make_sphere(const float centre[3], float radius, graze_model **model, graze_body **body)
{
    static const float corners[3][2] = {{1, 0}, {-0.5f, 0.8660254f}, {-0.5f, -0.8660254f}};
    static const uint32_t triangle[3] = {0, 1, 2};
    graze_model_def def = graze_default_model_def();
    graze_error error;
    float positions[3][3];
    for (int v = 0; v < 3; v++) {
        memcpy(positions[v], centre, sizeof positions[v]);
        positions[v][0] += radius * corners[v][0];
        positions[v][2] += radius * corners[v][1];
    }
    def.positions = positions[0];
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    def.joint_count = 1;
    def.tree = graze_paper_tree_def();
    if (!graze_model_create(&def, model, &error) && !graze_body_create(*model, body, &error))
        return true;
    fprintf(stderr, "graze: %s\n", error.text);
    return false;
}
