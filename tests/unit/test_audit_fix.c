/* Turns laid over a clip in memory, and what counts as harm. */
#include "audit/audit.h"
#include "cli/audit_fix.h"
#include "harness.h"
#include "scenes_support.h"
#include "support/own.h"

#include <math.h>

#define TO_RADIANS (3.14159265358979323846 / 180)

enum { FPS = 30, EASE = 4, FROM = 10, TO = 14 };

static uint32_t node_called(const graze_rig *rig, const char *name)
{
    uint32_t n = 0;
    while (n < rig->node_count - 1 && strcmp(rig->nodes[n].name, name) != 0)
        n++;
    return n;
}

static audit_turn turn_at(const graze_rig *rig, const char *name)
{
    return (audit_turn){.clip = graze_rig_find_clip(rig, "run"),
                        .node = node_called(rig, name),
                        .from = FROM,
                        .to = TO,
                        .ease = EASE,
                        .fps = FPS,
                        .axis = {0.6, 0, -0.8},
                        .degrees = 20};
}

/* The turn from one rotation to the other, degrees about the axis; NAN if it is about another. */
static double turned(const double from[4], const double to[4], const double axis[3])
{
    double q[4], along = 0, across = 0;
    const double a[4] = {-from[0], -from[1], -from[2], from[3]};
    for (int k = 0; k < 3; k++)
        q[k] = a[3] * to[k] + to[3] * a[k] + a[(k + 1) % 3] * to[(k + 2) % 3] -
               a[(k + 2) % 3] * to[(k + 1) % 3];
    q[3] = a[3] * to[3] - a[0] * to[0] - a[1] * to[1] - a[2] * to[2];
    for (int k = 0; k < 3; k++)
        along += q[k] * axis[k];
    for (int k = 0; k < 3; k++)
        across = fmax(across, fabs(q[k] - along * axis[k]));
    double degrees = 2 * atan2(along, q[3]) / TO_RADIANS;
    degrees -= degrees > 180 ? 360 : degrees < -180 ? -360 : 0;
    return across < 1e-5 ? degrees : (double)NAN;
}

/* All of it within the stretch, none of it beyond the frames before and after, and less and less
 * between; every other node as it was.
 */
TEST(a_turn_comes_and_goes)
{
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_PLAYER, 1000, 0);
    OWN(graze_rig) *plain = make(GRAZE_SYNTH_PLAYER, 1000, 0);
    static graze_rig_local before[64], after[64];
    audit_untouched kept;
    graze_error error;
    static const char *const joints[] = {"forearm.L", "thumb.R"}; /* with and without keys */
    for (int i = 0; i < 2; i++) {
        const audit_turn turn = turn_at(rig, joints[i]);
        const uint32_t frames = graze_audit_frames(rig, turn.clip, FPS);
        double last = 0;
        REQUIRE(rig->node_count <= 64 && turn.clip != GRAZE_NONE && frames > TO + EASE + 1);
        CHECK(!audit_turn_lay(rig, &turn, &kept, &error));
        CHECK(graze_audit_frames(rig, turn.clip, FPS) == frames);
        for (uint32_t k = 0; k < frames; k++) {
            const double time = k / (double)FPS;
            CHECK(!graze_rig_sample_locals(plain, turn.clip, time, before, NULL, &error));
            CHECK(!graze_rig_sample_locals(rig, turn.clip, time, after, NULL, &error));
            const double degrees =
                turned(before[turn.node].rotation, after[turn.node].rotation, turn.axis);
            const bool inside = k >= FROM && k <= TO, out = k + EASE < FROM || k > TO + EASE;
            CHECK_MSG(inside ? fabs(degrees - 20) < 1e-3
                      : out  ? fabs(degrees) < 1e-3
                             : degrees > 0.1 && degrees < 19.9 && (k < FROM) == (degrees > last),
                      "%s, frame %u: %g degrees", joints[i], k, degrees);
            last = degrees;
            after[turn.node] = before[turn.node];
            CHECK(memcmp(before, after, rig->node_count * sizeof *before) == 0);
        }
        audit_turn_undo(rig, &turn, &kept);
        const graze_rig_clip *own = &rig->clips[turn.clip], *old = &plain->clips[turn.clip];
        REQUIRE(own->channel_count == old->channel_count);
        for (uint32_t c = 0; c < own->channel_count; c++)
            CHECK(own->channels[c].key_count == old->channels[c].key_count &&
                  memcmp(own->channels[c].times, old->channels[c].times,
                         own->channels[c].key_count * sizeof(float)) == 0);
    }
}

TEST(a_turn_may_find_no_memory)
{
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_PLAYER, 1000, 0);
    const graze_allocator own = rig->allocator;
    const audit_turn turn = turn_at(rig, "thumb.R");
    test_memory memory = {0};
    audit_untouched kept;
    graze_error error;
    graze_status status = GRAZE_OUT_OF_MEMORY;
    rig->allocator = test_memory_allocator(&memory);
    for (uint64_t n = 1; status && n < 10000; n++) {
        memory.calls = 0;
        memory.fail_at = n;
        status = audit_turn_lay(rig, &turn, &kept, &error);
        CHECK(!status || (status == GRAZE_OUT_OF_MEMORY && memory.alive == 0));
    }
    CHECK(!status && memory.alive == 3); /* times, values, channels */
    audit_turn_undo(rig, &turn, &kept);
    CHECK(memory.alive == 0 && !memory.misused);
    rig->allocator = own;
}

/* One finding before, one after. */
TEST(harm_is_new_deeper_or_longer)
{
    static const struct {
        const char *parts[2];
        uint32_t from, to;
        float depth;
        bool fold, harm, folds_harm;
    } rows[] = {{{"arm", "chest"}, 10, 19, 1, false, false, false},
                {{"arm", "chest"}, 12, 14, 0.5f, false, false, false},
                {{"arm", "chest"}, 10, 19, 1.01f, false, false, false},
                {{"arm", "chest"}, 10, 19, 1.03f, false, true, true},
                {{"arm", "chest"}, 9, 20, 1, false, false, false},
                {{"arm", "chest"}, 9, 21, 1, false, true, true},
                {{"arm", "chest"}, 20, 20, 0, false, true, true},
                {{"arm", "leg"}, 12, 14, 0.1f, false, true, true},
                {{"arm", "leg"}, 12, 14, 0.1f, true, false, true}};
    graze_audit_finding old = {
        .parts = {"arm", "chest"}, .from = 10, .to = 19, .worst = {.depth = 1}};
    const graze_audit_result before = {.findings = &old, .count = 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        graze_audit_finding new = {.parts = {rows[i].parts[0], rows[i].parts[1]},
                                   .fold = rows[i].fold,
                                   .from = rows[i].from,
                                   .to = rows[i].to,
                                   .worst = {.depth = rows[i].depth}};
        const graze_audit_result after = {.findings = &new, .count = 1};
        CHECK_MSG((audit_fix_harm(&before, &after, false) == &new) == rows[i].harm, "row %zu", i);
        CHECK_MSG((audit_fix_harm(&before, &after, true) == &new) == rows[i].folds_harm,
                  "row %zu with folds", i);
    }
}
