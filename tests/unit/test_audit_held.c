/* A clip that holds its poses: every frame counts, as if each had been looked at. */
#include "audit/audit.h"
#include "harness.h"
#include "scenes/synth.h"
#include "support/own.h"

#include <stdlib.h>
#include <string.h>

enum { FPS = 150 };

/* The player's run, by steps. */
static graze_rig *stepping(void)
{
    const graze_synth_def def = {.kind = GRAZE_SYNTH_PLAYER};
    graze_rig *rig = NULL;
    if (graze_synth(&def, NULL, &rig, NULL))
        abort();
    graze_rig_clip *clip = &rig->clips[graze_rig_find_clip(rig, "run")];
    for (uint32_t c = 0; c < clip->channel_count; c++)
        clip->channels[c].interpolation = GRAZE_RIG_STEP;
    return rig;
}

/* Pairs of the pose, and whether it is another than the one before. */
static size_t ask_frame(const graze_rig *rig, uint32_t clip, uint32_t frame, graze_body *body,
                        float *joints, bool *moved)
{
    float *before = malloc(12 * sizeof(float) * rig->joint_count);
    if (!before)
        abort();
    memcpy(before, joints, 12 * sizeof(float) * rig->joint_count);
    CHECK(!graze_rig_sample(rig, clip, frame / (double)FPS, joints, NULL));
    *moved = memcmp(before, joints, 12 * sizeof(float) * rig->joint_count) != 0;
    free(before);
    graze_pair_list list = {.capacity = 0};
    const graze_pose pose = {.joints = joints, .joint_count = rig->joint_count};
    CHECK(!graze_body_set_pose(body, &pose, NULL) &&
          !graze_self_pairs(body, NULL, &list, NULL, NULL));
    return list.total;
}

TEST(held_poses_count_in_every_frame)
{
    OWN(graze_rig) *rig = stepping();
    const uint32_t clip = graze_rig_find_clip(rig, "run");
    const uint32_t frames = graze_audit_frames(rig, clip, FPS);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    REQUIRE(!graze_rig_create_model(rig, NULL, &model, NULL) &&
            !graze_body_create(model, &body, NULL));
    float *joints = test_keep(calloc(rig->joint_count, 12 * sizeof(float)), free);
    uint32_t *part_of = test_keep(calloc(rig->triangle_count, sizeof *part_of), free), held = 0;
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        part_of[t] = t % 3;
    const graze_audit_def def = {.rig = rig,
                                 .model = model,
                                 .part_of = part_of,
                                 .names = (const char *const[]){"a", "b", "c"},
                                 .part_count = 3};
    graze_audit_subject *subject = NULL;
    REQUIRE(!graze_audit_subject_create(&def, &subject, NULL));
    uint64_t wanted = 0, found = 0;
    for (uint32_t frame = 0; frame < frames; frame++) {
        bool moved;
        wanted += ask_frame(rig, clip, frame, body, joints, &moved);
        held += !moved;
    }
    CHECK_MSG(held > frames / 4 && held < frames - 4 && wanted > frames, "%u of %u held, %u pairs",
              held, frames, (unsigned)wanted);
    const graze_audit_settings settings = {.fps = FPS, .baseline = GRAZE_AUDIT_NONE};
    graze_audit_result result;
    REQUIRE(!graze_audit_clip(subject, clip, &settings, NULL, &result, NULL));
    for (size_t i = 0; i < result.count; i++)
        found += result.findings[i].pairs;
    CHECK_MSG(found == wanted, "%u pairs, not %u", (unsigned)found, (unsigned)wanted);
    graze_audit_result_free(&result);
    graze_audit_subject_destroy(subject);
}
