/* The player: the man's body, and clips that keep to the ground and join each other. */
#include "scenes_support.h"
#include "support/own.h"

#include <graze/animation.h>
#include <graze/graze.h>

#include <math.h>
#include <string.h>

enum { FRAMES = 24 };

typedef struct box {
    float low[3], high[3];
} box;

/* Where the player is at a time of a clip. */
static box box_at(const graze_rig *rig, graze_body *body, float *positions, uint32_t clip,
                  double time)
{
    float joints[64 * 12];
    graze_pose pose = {.joints = joints, .joint_count = rig->joint_count};
    box found = {{1e9f, 1e9f, 1e9f}, {-1e9f, -1e9f, -1e9f}};
    CHECK(graze_rig_sample(rig, clip, time, joints, NULL) == GRAZE_OK);
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
    graze_body_get_positions(body, positions);
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        for (int i = 0; i < 3; i++) {
            found.low[i] = fminf(found.low[i], positions[3 * v + i]);
            found.high[i] = fmaxf(found.high[i], positions[3 * v + i]);
        }
    return found;
}

/* What a clip begins and ends with: how high the head is, how low the lowest point may be. */
static const struct {
    const char *name;
    double first, last; /* height of the highest point */
    bool loops;
} clips[] = {{"stand", 1.75, 1.75, true},      {"run", 1.7, 1.7, true},
             {"kick", 1.75, 1.75, true},       {"fall", 1.75, 0.33, false},
             {"lie", 0.3, 0.3, true},          {"get-up", 0.33, 1.75, false},
             {"get-up-back", 0.3, 1.75, false}};

static void check_clip(const graze_rig *rig, graze_body *body, float *positions, uint32_t clip)
{
    const char *name = rig->clips[clip].name;
    double seconds = rig->clips[clip].seconds, deepest = 0;
    box ends[2];
    for (int f = 0; f <= FRAMES; f++) {
        box at = box_at(rig, body, positions, clip, seconds * f / FRAMES);
        deepest = fmin(deepest, at.low[1]);
        CHECK_MSG(at.low[1] < 0.15, "%s flies at frame %d: %g", name, f, at.low[1]);
        if (f == 0 || f == FRAMES)
            ends[f > 0] = at;
    }
    CHECK_MSG(deepest > -0.025, "%s goes %g m into the ground", name, -deepest);
    CHECK_MSG(fabs(ends[0].high[1] - clips[clip].first) < 0.04 &&
                  fabs(ends[1].high[1] - clips[clip].last) < 0.04,
              "%s: %g to %g m", name, ends[0].high[1], ends[1].high[1]);
    CHECK((memcmp(&ends[0], &ends[1], sizeof(box)) == 0) == clips[clip].loops);
}

TEST(clips_keep_to_the_ground)
{
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_PLAYER, 0, 0);
    REQUIRE(rig && rig->clip_count == sizeof clips / sizeof *clips);
    CHECK(rig->triangle_count == 3000 && rig->joint_count == 27);
    graze_model_def def = graze_rig_model_def(rig);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    OWNED float *positions = malloc(3 * sizeof(float) * rig->vertex_count);
    for (uint32_t clip = 0; clip < rig->clip_count; clip++) {
        CHECK(strcmp(rig->clips[clip].name, clips[clip].name) == 0);
        check_clip(rig, body, positions, clip);
    }
}

/* No joint turns by more than 30 degrees from key to key. */
TEST(clips_are_smooth)
{
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_PLAYER, 400, 0);
    REQUIRE(rig);
    for (uint32_t c = 0; c < rig->clip_count; c++)
        for (uint32_t i = 0; i < rig->clips[c].channel_count; i++) {
            const graze_rig_channel *channel = &rig->clips[c].channels[i];
            CHECK(channel->times[0] == 0);
            CHECK(channel->times[channel->key_count - 1] == rig->clips[c].seconds);
            for (uint32_t key = 0;
                 channel->path == GRAZE_RIG_ROTATION && key + 1 < channel->key_count; key++) {
                const float *q = channel->values + 4 * (size_t)key;
                float dot = fabsf(q[0] * q[4] + q[1] * q[5] + q[2] * q[6] + q[3] * q[7]);
                CHECK_MSG(dot > 0.966f, "%s: %s turns by %g degrees at key %u", rig->clips[c].name,
                          rig->nodes[channel->node].name, 114.6 * acos(fmin(1, dot)), key);
            }
        }
}

/* Changes with the tables and formulas in scenes/, and with nothing else. */
TEST(same_bits_everywhere)
{
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_PLAYER, 400, 0);
    REQUIRE(rig);
    CHECK_MSG(hash_rig(rig) == 0x6ccbdac4322ab91du, "0x%016llx", (unsigned long long)hash_rig(rig));
}
