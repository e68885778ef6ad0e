#include "bench/recorded_poses.h"

#include <graze/reference.h>

#include <stdio.h>
#include <string.h>

bool record_poses(struct recorded_poses *poses, struct stage *stage)
{
    const graze_rig *rig = stage->scene->rigs[0];
    if (stage->scene->frame_count > RECORDED_MAX_FRAMES || rig->morph_count > RECORDED_MAX_FIELDS) {
        fprintf(stderr, "graze: the scene is too long\n");
        return false;
    }
    poses->frame_count = stage->scene->frame_count;
    poses->field_count = rig->morph_count;
    for (uint32_t f = 0; f < poses->frame_count; f++) {
        struct recorded_frame *frame = &poses->frames[f];
        if (!stage_frame(stage, f))
            return false;
        for (int b = 0; b < 2; b++) {
            memcpy(frame->joints[b], stage->joints[b], sizeof frame->joints[b]);
            memcpy(frame->placements[b], stage->placements[b], sizeof frame->placements[b]);
        }
        memcpy(frame->weights, stage->weights[0], poses->field_count * sizeof(float));
    }
    return true;
}

void set_recorded_pose(const struct recorded_poses *poses, uint32_t number, enum pose_way way,
                       graze_body *curtain, graze_body *ball)
{
    const struct recorded_frame *frame = &poses->frames[number];
    float placement[12];
    memcpy(placement, frame->placements[1], sizeof placement);
    if (way == POSE_FAR)
        placement[11] += 1000;
    graze_pose ball_pose = {.joints = frame->joints[1], .joint_count = 1, .placement = placement};
    graze_pose curtain_pose = {.joints = frame->joints[0],
                               .joint_count = 1,
                               .placement = frame->placements[0],
                               .morph_weights = frame->weights,
                               .morph_count = poses->field_count};
    graze_body_set_pose(ball, &ball_pose, NULL);
    if (way == POSE_COHERENT && number)
        graze_body_set_morph_weights(curtain, frame->weights, poses->field_count, true, NULL);
    else
        graze_body_set_pose(curtain, &curtain_pose, NULL);
    if (way == POSE_LAYERED)
        graze_body_refit_all(curtain);
}
