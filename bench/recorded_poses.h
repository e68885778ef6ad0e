/* The poses of the curtain scene, sampled beforehand so that clips are not measured. */
#ifndef GRAZE_BENCH_RECORDED_POSES_H
#define GRAZE_BENCH_RECORDED_POSES_H

#include "scenes/stage.h"

#define RECORDED_MAX_FRAMES 128
#define RECORDED_MAX_FIELDS 16

struct recorded_frame {
    float joints[2][12]; /* of the curtain and the ball: one joint each */
    float placements[2][12];
    float weights[RECORDED_MAX_FIELDS];
};

struct recorded_poses {
    uint32_t frame_count, field_count;
    struct recorded_frame frames[RECORDED_MAX_FRAMES];
};

/* How bodies take over a frame. */
enum pose_way {
    POSE_LAZY,
    POSE_COHERENT, /* the curtain by graze_body_set_morph_weights, coherent, from frame 1 on */
    POSE_LAYERED,  /* the curtain refitted bottom-up; the ball is rigid */
    POSE_EAGER,    /* as POSE_LAZY, for graze_collide_eager */
    POSE_FAR       /* the ball 1 km away */
};

bool record_poses(struct recorded_poses *poses, struct stage *stage);

void set_recorded_pose(const struct recorded_poses *poses, uint32_t frame, enum pose_way way,
                       graze_body *curtain, graze_body *ball);

#endif
