/* The procedural characters and scenes: closed manifolds, sound weights, the same bits every time,
 * no leak when memory runs out.
 */
#include "harness.h"
#include "scenes/scene.h"
#include "scenes_support.h"
#include "support/own.h"
#include "support/quick.h"

#include <math.h>

OWN_POINTER(graze_scene, graze_scene_destroy)

/* Smallest angle of a triangle in degrees; 0 if it has no area. */
static double least_angle(const graze_rig *rig, uint32_t t)
{
    double at[3][3], least = 180;
    for (int k = 0; k < 3; k++)
        get_vertex(rig, rig->triangles[3 * (size_t)t + k], at[k]);
    for (int k = 0; k < 3; k++) {
        double dot = 0, first = 0, second = 0;
        for (int i = 0; i < 3; i++) {
            double u = at[(k + 1) % 3][i] - at[k][i], w = at[(k + 2) % 3][i] - at[k][i];
            dot += u * w;
            first += u * u;
            second += w * w;
        }
        if (first == 0 || second == 0)
            return 0;
        double cosine = dot / sqrt(first * second);
        least = fmin(least, acos(fmax(-1, fmin(1, cosine))) * 57.29577951308232);
    }
    return least;
}

static void check_shape(const graze_rig *rig, const char *name)
{
    uint32_t slivers = 0, needles = 0;
    double sum = 0;
    CHECK_MSG(is_closed(rig), "%s is not closed", name);
    CHECK_MSG(has_single_fans(rig), "%s has a pinched vertex", name);
    CHECK_MSG(count_components(rig) == 1, "%s has %u components", name, count_components(rig));
    CHECK_MSG(rig->vertex_count == rig->triangle_count / 2 + 2, "%s: V %u T %u is no ball", name,
              rig->vertex_count, rig->triangle_count);
    CHECK_MSG(volume(rig) > 0.02, "%s has volume %g", name, volume(rig));
    for (uint32_t t = 0; t < rig->triangle_count; t++) {
        double angle = least_angle(rig, t);
        needles += angle < 0.5;
        slivers += angle < 10;
        sum += angle;
    }
    CHECK_MSG(needles == 0, "%s has %u degenerate triangles", name, needles);
    CHECK_MSG(slivers <= rig->triangle_count / 25, "%s: %u of %u below 10 degrees", name, slivers,
              rig->triangle_count);
    CHECK_MSG(sum / rig->triangle_count > 30, "%s: mean least angle %g", name,
              sum / rig->triangle_count);
}

static float weight_of(const graze_rig *rig, uint32_t v, uint32_t joint)
{
    for (uint32_t i = rig->influence_offsets[v]; i < rig->influence_offsets[v + 1]; i++)
        if (rig->influences[i].joint == joint)
            return rig->influences[i].weight;
    return 0;
}

/* One to four influences, ascending, summing to 1; every joint moves something; weights change
 * along edges no faster than allowed (per metre, and a step for the dropped small ones).
 */
static void check_weights(const graze_rig *rig, const char *name, double steepest)
{
    OWNED bool *used = calloc(rig->joint_count, sizeof *used);
    bool sound = true;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        uint32_t first = rig->influence_offsets[v], end = rig->influence_offsets[v + 1];
        double sum = 0;
        for (uint32_t i = first; i < end; i++) {
            graze_influence influence = rig->influences[i];
            sound = sound && influence.joint < rig->joint_count && influence.weight > 0 &&
                    (i == first || influence.joint > rig->influences[i - 1].joint);
            used[influence.joint] |= influence.weight > 0.25f;
            sum += influence.weight;
        }
        sound = sound && end > first && end - first <= 4 && fabs(sum - 1) < 1e-6;
    }
    CHECK_MSG(sound, "%s: an influence is wrong", name);
    for (uint32_t j = 0; j < rig->joint_count; j++)
        CHECK_MSG(used[j], "%s: joint %s moves nothing", name, rig->nodes[j].name);
    double worst = 0;
    for (size_t i = 0; i < 3 * (size_t)rig->triangle_count; i++) {
        uint32_t a = rig->triangles[i], b = rig->triangles[i % 3 == 2 ? i - 2 : i + 1];
        double at[3], to[3], change = 0;
        get_vertex(rig, a, at);
        get_vertex(rig, b, to);
        double length = sqrt((at[0] - to[0]) * (at[0] - to[0]) + (at[1] - to[1]) * (at[1] - to[1]) +
                             (at[2] - to[2]) * (at[2] - to[2]));
        for (uint32_t j = 0; j < rig->joint_count; j++)
            change = fmax(change, fabs(weight_of(rig, a, j) - weight_of(rig, b, j)));
        worst = fmax(worst, (change - 0.05) / length);
    }
    CHECK_MSG(worst < steepest, "%s: weights change by %g a metre", name, worst);
}

static const struct {
    graze_synth_kind kind;
    uint32_t triangles, joints, clips;
    double low, high; /* of the top of the head */
} kinds[] = {{GRAZE_SYNTH_MAN, 8270, 27, 1, 1.75, 1.85},
             {GRAZE_SYNTH_CREATURE, 13590, 56, 3, 2, 2.6},
             {GRAZE_SYNTH_DWARF, 1664, 45, 1, 1.15, 1.25}};

enum { CHARACTERS = sizeof kinds / sizeof *kinds };

/* Characters as small as they get, and of the default size: made once, kept to the end. */
static graze_rig *small_ones[CHARACTERS], *whole_ones[CHARACTERS];

static const graze_rig *keep(graze_rig **rigs, int k)
{
    if (!rigs[k])
        rigs[k] = make(kinds[k].kind, rigs == small_ones ? 400 : 0, 0);
    return rigs[k];
}

TEST(kinds_have_names)
{
    graze_synth_kind kind = GRAZE_SYNTH_MAN;
    for (int k = 0; k < GRAZE_SYNTH_KIND_COUNT; k++) {
        CHECK(graze_synth_find(graze_synth_name((graze_synth_kind)k), &kind) && (int)kind == k);
        CHECK(graze_synth_description((graze_synth_kind)k) != NULL);
    }
    CHECK(!graze_synth_find("giant", &kind));
    CHECK(graze_synth_name(GRAZE_SYNTH_KIND_COUNT) == NULL);
}

TEST(default_characters_are_sound)
{
    for (int k = 0; k < CHARACTERS; k++) {
        const char *name = graze_synth_name(kinds[k].kind);
        const graze_rig *rig = keep(whole_ones, k);
        REQUIRE(rig);
        float top = 0, bottom = 1;
        for (uint32_t v = 0; v < rig->vertex_count; v++) {
            top = fmaxf(top, rig->positions[3 * v + 1]);
            bottom = fminf(bottom, rig->positions[3 * v + 1]);
        }
        CHECK(rig->triangle_count == kinds[k].triangles && rig->joint_count == kinds[k].joints);
        CHECK(rig->node_count == rig->joint_count && rig->clip_count == kinds[k].clips);
        CHECK_MSG(top > kinds[k].low && top < kinds[k].high, "%s: %g m tall", name, top);
        CHECK_MSG(fabsf(bottom) < 0.01f, "%s stands at %g", name, bottom);
        check_shape(rig, name);
        check_weights(rig, name, 150);
    }
}

TEST(any_size_is_closed)
{
    static const uint32_t sizes[] = {3001, 400, 50000, 70000};
    for (int k = 0; k < CHARACTERS; k++)
        for (uint32_t i = 0; i < test_amount(2, 1); i++) {
            graze_rig *rig = make(kinds[k].kind, sizes[i], 0);
            REQUIRE(rig);
            const char *name = graze_synth_name(kinds[k].kind);
            CHECK_MSG(rig->triangle_count == (sizes[i] & ~1u), "%s: %u instead of %u", name,
                      rig->triangle_count, sizes[i]);
            CHECK_MSG(is_closed(rig) && has_single_fans(rig) && count_components(rig) == 1 &&
                          rig->vertex_count == rig->triangle_count / 2 + 2 && volume(rig) > 0.01,
                      "%s with %u triangles is no ball", name, sizes[i]);
            if (sizes[i] >= 50000)
                check_shape(rig, name);
            graze_rig_destroy(rig);
        }
}

TEST(subdivision_keeps_the_shape)
{
    const graze_rig *coarse = keep(whole_ones, 2);
    REQUIRE(coarse);
    for (uint32_t level = 1; level <= test_amount(3, 2); level++) {
        OWN(graze_rig) *fine = make(GRAZE_SYNTH_DWARF, 0, level);
        REQUIRE(fine);
        CHECK(fine->triangle_count == coarse->triangle_count << 2 * level);
        CHECK(fabs(volume(fine) - volume(coarse)) < 1e-6);
        CHECK(memcmp(fine->positions, coarse->positions,
                     3 * sizeof(float) * coarse->vertex_count) == 0);
        check_weights(fine, "subdivided dwarf", 150);
        check_shape(fine, "subdivided dwarf");
    }
}

TEST(bad_defs_are_refused)
{
    static const graze_synth_def defs[] = {
        {GRAZE_SYNTH_KIND_COUNT, 0, 0}, {(graze_synth_kind)-1, 0, 0},
        {GRAZE_SYNTH_MAN, 100, 0},      {GRAZE_SYNTH_MAN, 5000000, 0},
        {GRAZE_SYNTH_MAN, 0, 7},        {GRAZE_SYNTH_MAN, 4000000, 2}};
    for (size_t i = 0; i < sizeof defs / sizeof *defs; i++) {
        graze_rig *rig = NULL;
        graze_error error = {GRAZE_OK, ""};
        CHECK(graze_synth(&defs[i], NULL, &rig, &error) == GRAZE_BAD_INPUT && !rig);
        CHECK(error.status == GRAZE_BAD_INPUT && error.text[0]);
    }
}

/* The golden hashes change with the tables and algorithms in scenes/, and with nothing else. */
TEST(same_bits_everywhere)
{
    static const uint64_t golden[CHARACTERS] = {0xcbf37de32d456725u, 0x09129a5bc446baf6u,
                                                0x05fbe9cc988d757du};
    for (int k = 0; k < CHARACTERS; k++) {
        const graze_rig *first = keep(whole_ones, k);
        OWN(graze_rig) *second = test_is_quick() ? NULL : make(kinds[k].kind, 0, 0);
        REQUIRE(first);
        CHECK(!second || hash_rig(first) == hash_rig(second));
        CHECK_MSG(hash_rig(first) == golden[k], "%s hashes to 0x%016llx",
                  graze_synth_name(kinds[k].kind), (unsigned long long)hash_rig(first));
    }
}

TEST(rest_pose_is_the_identity)
{
    for (int k = 0; k < CHARACTERS; k++) {
        const graze_rig *rig = keep(small_ones, k);
        REQUIRE(rig);
        float joints[64 * 12], worst = 0;
        CHECK(graze_rig_sample(rig, GRAZE_NONE, 0, joints, NULL) == GRAZE_OK);
        for (uint32_t i = 0; i < 12 * rig->joint_count; i++)
            worst = fmaxf(worst, fabsf(joints[i] - (i % 12 % 5 == 0 ? 1.0f : 0.0f)));
        CHECK_MSG(worst < 1e-6f, "%s: off by %g", graze_synth_name(kinds[k].kind), worst);
    }
}

TEST(clips_loop_and_are_smooth)
{
    for (int k = 0; k < CHARACTERS; k++) {
        const graze_rig *rig = keep(small_ones, k);
        REQUIRE(rig && graze_rig_find_clip(rig, "walk") == 0);
        for (uint32_t c = 0; c < rig->clip_count; c++)
            for (uint32_t i = 0; i < rig->clips[c].channel_count; i++) {
                const graze_rig_channel *channel = &rig->clips[c].channels[i];
                bool turns = channel->path == GRAZE_RIG_ROTATION;
                size_t width = turns ? 4 : 3, last = (channel->key_count - 1) * width;
                CHECK(memcmp(channel->values, channel->values + last, width * sizeof(float)) == 0);
                CHECK(channel->times[0] == 0);
                CHECK(channel->times[channel->key_count - 1] == rig->clips[c].seconds);
                for (uint32_t key = 0; turns && key + 1 < channel->key_count; key++) {
                    const float *q = channel->values + 4 * (size_t)key;
                    float dot = q[0] * q[4] + q[1] * q[5] + q[2] * q[6] + q[3] * q[7];
                    CHECK_MSG(dot > 0.96f, "%s clip %u joint %s jumps at key %u",
                              graze_synth_name(kinds[k].kind), c, rig->nodes[channel->node].name,
                              key);
                }
            }
    }
}

/* Turns of calf against thigh: a man's knee bends backwards only. */
TEST(knees_bend_backwards)
{
    const graze_rig *rig = keep(small_ones, 0);
    REQUIRE(rig);
    for (uint32_t i = 0; i < rig->clips[0].channel_count; i++) {
        const graze_rig_channel *channel = &rig->clips[0].channels[i];
        if (channel->path != GRAZE_RIG_ROTATION ||
            strncmp(rig->nodes[channel->node].name, "calf", 4) != 0)
            continue;
        for (uint32_t key = 0; key < channel->key_count; key++)
            CHECK(channel->values[4 * key] > -0.02f);
    }
}

TEST(every_failed_allocation_is_survived)
{
    test_memory memory = {.keeps_failing = true};
    CHECK(test_fail_each(&memory, make_by_def, &(graze_synth_def){GRAZE_SYNTH_DWARF, 0, 1}, 24) >
          8);
}

static bool is_rigid(const float at[12])
{
    double worst = 0, cross[3];
    for (int i = 0; i < 3; i++) {
        const float *a = at + 4 * i, *b = at + 4 * ((i + 1) % 3);
        worst = fmax(worst, fabs(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] - 1.0));
        worst = fmax(worst, fabsf(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]));
        cross[i] = at[(i + 1) % 3] * at[4 + (i + 2) % 3] - at[(i + 2) % 3] * at[4 + (i + 1) % 3];
    }
    return worst < 1e-6 && cross[0] * at[8] + cross[1] * at[9] + cross[2] * at[10] > 0.99;
}

TEST(scenes_place_everybody)
{
    CHECK(graze_scene_count() > 0 && graze_scene_name(graze_scene_count()) == NULL);
    for (uint32_t i = 0; i < graze_scene_count(); i += test_amount(1, 3)) {
        OWN(graze_scene) *scene = NULL;
        REQUIRE(graze_scene_create(graze_scene_name(i), NULL, &scene, NULL) == GRAZE_OK);
        CHECK(graze_scene_description(i) && strcmp(scene->name, graze_scene_name(i)) == 0);
        CHECK(scene->frame_count >= 1 && scene->instance_count >= 2);
        for (uint32_t f = 0; f < scene->frame_count; f++)
            for (uint32_t k = 0; k < scene->instance_count; k++) {
                const graze_rig *rig = scene->rigs[scene->instances[k].rig];
                uint32_t clip = GRAZE_NONE;
                double time = -1;
                float at[12];
                graze_scene_place(scene, f, k, &clip, &time, at);
                CHECK(clip < rig->clip_count ? time >= 0 && time <= rig->clips[clip].seconds
                                             : clip == GRAZE_NONE && rig->clip_count == 0);
                CHECK_MSG(is_rigid(at), "%s: instance %u in frame %u", scene->name, k, f);
            }
    }
}

TEST(scenes_survive_failed_allocations)
{
    test_memory memory = {.keeps_failing = true};
    graze_allocator allocator = test_memory_allocator(&memory);
    graze_scene *scene = NULL;
    graze_error error = {GRAZE_OK, ""};
    for (memory.fail_at = 1; memory.fail_at < 7; memory.fail_at++) {
        memory.calls = 0;
        CHECK(graze_scene_create("men", &allocator, &scene, NULL) == GRAZE_OUT_OF_MEMORY && !scene);
        CHECK(memory.alive == 0);
    }
    CHECK(graze_scene_create("women", NULL, &scene, &error) == GRAZE_BAD_INPUT && !scene);
    CHECK(strstr(error.text, "women") != NULL);
}
