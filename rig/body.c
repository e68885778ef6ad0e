/* From a rig to a model, and from a clip and a time to a posed body, in one call each. */
#include <graze/rig.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Poses of the clips that a model chooses its bounds by. */
enum { EXAMPLES = 4 };

static __attribute__((format(printf, 3, 4))) graze_status
fail(graze_error *error, graze_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        error->status = status;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

static void *allocate(const graze_rig *rig, size_t count, size_t size)
{
    if (count > (SIZE_MAX - 1) / size)
        return NULL;
    return rig->allocator.allocate(rig->allocator.user, count * size + 1, 64);
}

static void release(const graze_rig *rig, void *memory)
{
    if (memory)
        rig->allocator.release(rig->allocator.user, memory);
}

static graze_status fail_sample(const graze_rig *rig, uint32_t clip, graze_status status,
                                graze_error *error)
{
    if (status == GRAZE_OUT_OF_MEMORY)
        return fail(error, status, "out of memory");
    if (clip != GRAZE_NONE && clip >= rig->clip_count)
        return fail(error, status, "clip %u: the rig has %u", clip, rig->clip_count);
    return fail(error, status,
                "the clip cannot be sampled: its time is not finite, a number in the "
                "rig is out of range, or its nodes form a cycle");
}

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
            return fail_sample(rig, GRAZE_NONE, status, error);
        def->example_poses = poses;
        def->example_pose_count = EXAMPLES;
    }
    return graze_model_create(def, model, error);
}

graze_status graze_rig_create_model(const graze_rig *rig, const graze_model_def *def,
                                    graze_model **model, graze_error *error)
{
    if (!rig || !model)
        return fail(error, GRAZE_BAD_INPUT, "%s is NULL", rig ? "where the model goes" : "the rig");
    graze_model_def own = def ? *def : graze_rig_model_def(rig);
    bool wants_targets = rig->morph_count && !own.morphs;
    bool wants_poses = rig->clip_count && rig->joint_count && !own.example_poses;
    float *poses =
        wants_poses ? allocate(rig, rig->joint_count, EXAMPLES * 12 * sizeof *poses) : NULL;
    graze_morph_target *targets =
        wants_targets ? allocate(rig, rig->morph_count, sizeof *targets) : NULL;
    graze_status status;
    if ((wants_poses && !poses) || (wants_targets && !targets))
        status = fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    else
        status = create(rig, &own, poses, targets, model, error);
    release(rig, poses);
    release(rig, targets);
    return status;
}

graze_status graze_rig_pose_body(const graze_rig *rig, uint32_t clip, double time,
                                 const float *placement, graze_body *body, graze_error *error)
{
    if (!rig || !body)
        return fail(error, GRAZE_BAD_INPUT, "%s is NULL", rig ? "the body" : "the rig");
    float *joints = allocate(rig, rig->joint_count, 12 * sizeof *joints);
    float *weights = allocate(rig, rig->morph_count, sizeof *weights);
    graze_status status;
    if (!joints || !weights) {
        status = fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    } else if ((status = graze_rig_sample(rig, clip, time, joints, weights))) {
        status = fail_sample(rig, clip, status, error);
    } else {
        graze_pose pose = {.joints = joints,
                           .joint_count = rig->joint_count,
                           .placement = placement,
                           .morph_weights = rig->morph_count ? weights : NULL,
                           .morph_count = rig->morph_count};
        status = graze_body_set_pose(body, &pose, error);
    }
    release(rig, joints);
    release(rig, weights);
    return status;
}
