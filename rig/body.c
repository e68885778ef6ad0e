/* From a rig to a model, and from a clip and a time to a posed body, in one call each. */
#include "sample.h"

/* Poses of the clips that a model chooses its bounds by. */
enum { EXAMPLES = 4 };

/* What a def lacks that the rig knows, in memory of the call. */
typedef struct additions {
    float *poses;
    graze_morph_target *targets;
    uint32_t *same_joints;
    float *rest_matrices, *rest_weights;
} additions;

/* Adds it to the def, and makes the model. */
static graze_status create(const graze_rig *rig, graze_model_def *def, const additions *more,
                           graze_model **model, graze_error *error)
{
    if (more->targets) {
        graze_rig_morph_targets(rig, more->targets);
        def->morphs = more->targets;
        def->morph_count = rig->morph_count;
    }
    if (more->poses) {
        graze_status status = graze_rig_example_poses(rig, EXAMPLES, more->poses);
        if (status)
            return grazei_rig_fail_sample(rig, GRAZE_NONE, 0, status, error);
        def->example_poses = more->poses;
        def->example_pose_count = EXAMPLES;
    }
    if (more->same_joints) {
        graze_status status = graze_rig_same_joints(rig, more->same_joints);
        if (status)
            return grazei_rig_fail(error, status, "out of memory");
        def->same_joints = more->same_joints;
    }
    if (more->rest_matrices || more->rest_weights) {
        graze_status status =
            graze_rig_sample(rig, GRAZE_NONE, 0, more->rest_matrices, more->rest_weights);
        if (status)
            return grazei_rig_fail_sample(rig, GRAZE_NONE, 0, status, error);
        def->rest_matrices = more->rest_matrices ? more->rest_matrices : def->rest_matrices;
        def->rest_weights = more->rest_weights ? more->rest_weights : def->rest_weights;
    }
    return graze_model_create(def, model, error);
}

/* Memory for count items that are wanted; false when out of it. */
static bool make_room(const graze_rig *rig, bool wanted, uint32_t count, size_t size, void **room)
{
    *room = wanted && count ? grazei_rig_allocate(rig, count, size) : NULL;
    return *room || !wanted || !count;
}

graze_status graze_rig_create_model(const graze_rig *rig, const graze_model_def *def,
                                    graze_model **model, graze_error *error)
{
    if (!rig || !model)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                               rig ? "where the model goes" : "the rig");
    graze_model_def own = def ? *def : graze_rig_model_def(rig);
    void *poses, *targets, *same, *rest, *weights;
    bool wants_rest = !own.rest_matrices && !own.rest_weights;
    bool room = make_room(rig, rig->clip_count && !own.example_poses, rig->joint_count,
                          EXAMPLES * 12 * sizeof(float), &poses);
    room &= make_room(rig, !own.morphs, rig->morph_count, sizeof(graze_morph_target), &targets);
    room &= make_room(rig, !own.same_joints, rig->joint_count, sizeof(uint32_t), &same);
    room &= make_room(rig, wants_rest, rig->joint_count, 12 * sizeof(float), &rest);
    room &= make_room(rig, wants_rest && !own.morphs, rig->morph_count, sizeof(float), &weights);
    additions more = {poses, targets, same, rest, weights};
    graze_status status = room ? create(rig, &own, &more, model, error)
                               : grazei_rig_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    grazei_rig_release(rig, poses);
    grazei_rig_release(rig, targets);
    grazei_rig_release(rig, same);
    grazei_rig_release(rig, rest);
    grazei_rig_release(rig, weights);
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
