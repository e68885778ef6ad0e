/* From a rig to a model, and from a clip and a time to a posed body, in one call each. */
#include "sample.h"

/* Poses of the clips that a model chooses its bounds by. */
enum { EXAMPLES = 4 };

/* Adds what the def lacks, in the memory given, and makes the model. */
static graze_status create(const graze_rig *rig, graze_model_def *def, float *poses,
                           graze_morph_target *targets, graze_model **model, graze_error *error)
{
    if (targets) {
        graze_rig_morph_targets(rig, targets);
        def->morphs = targets;
        def->morph_count = rig->morph_count;
    }
    if (poses) {
        graze_status status = graze_rig_example_poses(rig, EXAMPLES, poses);
        if (status)
            return grazei_rig_fail_sample(rig, GRAZE_NONE, 0, status, error);
        def->example_poses = poses;
        def->example_pose_count = EXAMPLES;
    }
    return graze_model_create(def, model, error);
}

graze_status graze_rig_create_model(const graze_rig *rig, const graze_model_def *def,
                                    graze_model **model, graze_error *error)
{
    if (!rig || !model)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                               rig ? "where the model goes" : "the rig");
    graze_model_def own = def ? *def : graze_rig_model_def(rig);
    bool wants_targets = rig->morph_count && !own.morphs;
    bool wants_poses = rig->clip_count && rig->joint_count && !own.example_poses;
    float *poses = wants_poses
                       ? grazei_rig_allocate(rig, rig->joint_count, EXAMPLES * 12 * sizeof *poses)
                       : NULL;
    graze_morph_target *targets =
        wants_targets ? grazei_rig_allocate(rig, rig->morph_count, sizeof *targets) : NULL;
    graze_status status;
    if ((wants_poses && !poses) || (wants_targets && !targets))
        status = grazei_rig_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    else
        status = create(rig, &own, poses, targets, model, error);
    grazei_rig_release(rig, poses);
    grazei_rig_release(rig, targets);
    return status;
}

graze_status graze_rig_pose_body(const graze_rig *rig, uint32_t clip, double time,
                                 const float *placement, graze_body *body, graze_error *error)
{
    if (!rig || !body)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "%s is NULL", rig ? "the body" : "the rig");
    float *joints = grazei_rig_allocate(rig, rig->joint_count, 12 * sizeof *joints);
    float *weights = grazei_rig_allocate(rig, rig->morph_count, sizeof *weights);
    graze_status status;
    if (!joints || !weights) {
        status = grazei_rig_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    } else if ((status = graze_rig_sample(rig, clip, time, joints, weights))) {
        status = grazei_rig_fail_sample(rig, clip, time, status, error);
    } else {
        graze_pose pose = {.joints = joints,
                           .joint_count = rig->joint_count,
                           .placement = placement,
                           .morph_weights = rig->morph_count ? weights : NULL,
                           .morph_count = rig->morph_count};
        status = graze_body_set_pose(body, &pose, error);
    }
    grazei_rig_release(rig, joints);
    grazei_rig_release(rig, weights);
    return status;
}
