/* The curtain, the chair, the ball and the twisted creature: sizes, fields, clips. */
#include "gltf_support.h"
#include "scenes_support.h"
#include "support/own.h"
#include "support/quick.h"

#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
    graze_synth_kind kind;
    uint32_t triangles, vertices, border, handles, fields;
    const char *clip;
    float seconds;
    uint32_t keys;
    uint64_t hash; /* changes with the tables and formulas in scenes/, and with nothing else */
} things[] = {{GRAZE_SYNTH_CURTAIN, 12006, 6160, 312, 0, 12, "wind", (float)(110.0 / 30), 111,
               0x64a5f0fd957f99d0u},
              {GRAZE_SYNTH_CHAIR, 17914, 8941, 0, 9, 10, "rattle", 2, 121, 0xa8f2807f6efe7134u},
              {GRAZE_SYNTH_BALL, 1280, 642, 0, 0, 0, NULL, 0, 0, 0xe32badc0feacd20eu}};

TEST(things_are_sound)
{
    for (size_t i = 0; i < COUNT_OF(things); i++) {
        const char *name = graze_synth_name(things[i].kind);
        OWN(graze_rig) *rig = make(things[i].kind, 0, 0), *again = make(things[i].kind, 0, 0);
        REQUIRE(rig && again);
        CHECK_MSG(rig->triangle_count == things[i].triangles, "%s: %u", name, rig->triangle_count);
        CHECK_MSG(rig->vertex_count == things[i].vertices, "%s: %u", name, rig->vertex_count);
        CHECK_MSG(count_open_edges(rig) == things[i].border, "%s: a border of %u", name,
                  count_open_edges(rig));
        CHECK(count_components(rig) == 1);
        if (things[i].border == 0) {
            CHECK(has_single_fans(rig) && volume(rig) > 0.005);
            CHECK(rig->vertex_count + 2 * things[i].handles == rig->triangle_count / 2 + 2);
        }
        CHECK(rig->joint_count == 1 && rig->node_count == 1);
        for (uint32_t v = 0; v < rig->vertex_count; v++)
            CHECK(rig->influence_offsets[v + 1] == v + 1 && rig->influences[v].joint == 0 &&
                  rig->influences[v].weight == 1);
        CHECK(hash_rig(rig) == hash_rig(again));
        CHECK_MSG(hash_rig(rig) == things[i].hash, "%s hashes to 0x%016llx", name,
                  (unsigned long long)hash_rig(rig));
    }
}

TEST(things_of_any_size)
{
    static const uint32_t sizes[] = {400, 3001, 30000};
    for (size_t i = 0; i < COUNT_OF(things); i++)
        for (uint32_t k = 0; k < test_amount(COUNT_OF(sizes), 2); k++) {
            const char *name = graze_synth_name(things[i].kind);
            OWN(graze_rig) *rig = make(things[i].kind, sizes[k], 0);
            REQUIRE(rig);
            double ratio = (double)rig->triangle_count / sizes[k];
            CHECK_MSG(ratio > 0.75 && ratio < 1.25, "%s: %u instead of %u", name,
                      rig->triangle_count, sizes[k]);
            uint32_t border = count_open_edges(rig);
            CHECK_MSG((border == 0) == (things[i].border == 0) && border < rig->triangle_count,
                      "%s with %u triangles has a border of %u", name, sizes[k], border);
            if (border == 0)
                CHECK_MSG(rig->vertex_count + 2 * things[i].handles == rig->triangle_count / 2 + 2,
                          "%s with %u triangles", name, sizes[k]);
        }
}

TEST(things_subdivide)
{
    for (size_t i = 0; i < COUNT_OF(things); i++) {
        OWN(graze_rig) *coarse = make(things[i].kind, 800, 0);
        OWN(graze_rig) *fine = make(things[i].kind, 800, 2);
        REQUIRE(coarse && fine);
        CHECK(fine->triangle_count == 16 * coarse->triangle_count);
        CHECK(count_open_edges(fine) == 4 * count_open_edges(coarse));
        CHECK(memcmp(fine->positions, coarse->positions, 12u * coarse->vertex_count) == 0);
        CHECK(fine->morph_count == coarse->morph_count);
    }
}

TEST(the_ball_is_round)
{
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_BALL, 0, 0);
    REQUIRE(rig);
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        double at[3];
        get_vertex(rig, v, at);
        at[1] -= 0.15;
        CHECK(fabs(sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) - 0.15) < 1e-6);
    }
}

/* Ascending vertices, nothing that stands still, nothing far, weight 0 at rest. */
static void check_morph(const graze_rig *rig, uint32_t m, double least, double most)
{
    const graze_rig_morph *morph = &rig->morphs[m];
    double farthest = 0;
    CHECK(morph->weight == 0 && morph->count > 0);
    for (uint32_t i = 0; i < morph->count; i++) {
        const float *d = morph->deltas + 3 * (size_t)i;
        double length = sqrt((double)d[0] * d[0] + (double)d[1] * d[1] + (double)d[2] * d[2]);
        CHECK(morph->vertices[i] < rig->vertex_count && length > 0);
        CHECK(i == 0 || morph->vertices[i] > morph->vertices[i - 1]);
        farthest = fmax(farthest, length);
    }
    CHECK_MSG(farthest > least && farthest < most, "field %u goes %g m", m, farthest);
}

TEST(fields_are_sound)
{
    for (size_t i = 0; i < COUNT_OF(things); i++) {
        OWN(graze_rig) *rig = make(things[i].kind, 0, 0);
        REQUIRE(rig);
        CHECK(rig->morph_count == things[i].fields);
        for (uint32_t m = 0; m < rig->morph_count; m++)
            check_morph(rig, m, 0.02, 0.45);
    }
}

TEST(the_rail_holds_the_curtain)
{
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_CURTAIN, 0, 0);
    REQUIRE(rig);
    uint32_t on_rail = 0;
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        on_rail += rig->positions[3 * v + 1] == 2;
    CHECK(on_rail == 88);
    for (uint32_t m = 0; m < rig->morph_count; m++) {
        double upper = 0, lower = 0; /* the field's largest, in each half */
        for (uint32_t i = 0; i < rig->morphs[m].count; i++) {
            float y = rig->positions[3 * rig->morphs[m].vertices[i] + 1];
            const float *d = rig->morphs[m].deltas + 3 * (size_t)i;
            double length = sqrt((double)d[0] * d[0] + (double)d[1] * d[1] + (double)d[2] * d[2]);
            CHECK_MSG(y < 2, "field %u moves the rail", m);
            upper = fmax(upper, y > 1.5f ? length : 0);
            lower = fmax(lower, y < 1.5f ? length : 0);
        }
        CHECK_MSG(lower > 1.2 * upper, "field %u does not grow downwards", m);
    }
}

TEST(clips_of_weights_loop)
{
    for (size_t i = 0; i < COUNT_OF(things); i++) {
        OWN(graze_rig) *rig = make(things[i].kind, 800, 0);
        REQUIRE(rig && rig->clip_count == (things[i].clip != NULL));
        if (things[i].clip) {
            REQUIRE(graze_rig_find_clip(rig, things[i].clip) == 0);
            const graze_rig_channel *channel = rig->clips[0].channels;
            uint32_t width = rig->morph_count, last = channel->key_count - 1;
            CHECK(rig->clips[0].channel_count == 1 && channel->path == GRAZE_RIG_WEIGHTS);
            CHECK(channel->key_count == things[i].keys && channel->morph_count == width);
            CHECK(channel->times[0] == 0 && channel->times[last] == things[i].seconds &&
                  rig->clips[0].seconds == things[i].seconds);
            CHECK(memcmp(channel->values, channel->values + (size_t)last * width, 4u * width) == 0);
            for (uint32_t m = 0; m < width; m++) {
                float least = 9, most = -9;
                for (uint32_t k = 0; k <= last; k++) {
                    least = fminf(least, channel->values[k * width + m]);
                    most = fmaxf(most, channel->values[k * width + m]);
                }
                CHECK_MSG(most - least > 0.3f && most < 1.5f && least > -1.5f,
                          "%s: weight %u goes from %g to %g", things[i].clip, m, least, most);
            }
        }
    }
}

/* The chair takes long, and all its steps are the curtain's or a character's: a few. */
TEST(things_survive_failed_allocations)
{
    test_memory memory = {.keeps_failing = true};
    for (size_t i = 0; i < COUNT_OF(things); i++) {
        graze_synth_def def = {things[i].kind, 400, things[i].border ? 1 : 0};
        CHECK(test_fail_each(&memory, make_by_def, &def,
                             things[i].kind == GRAZE_SYNTH_CHAIR ? 8 : 101) > 0);
    }
}

static uint32_t find_node(const graze_rig *rig, const char *name)
{
    uint32_t found = GRAZE_NONE;
    for (uint32_t n = 0; n < rig->node_count; n++)
        if (strcmp(rig->nodes[n].name, name) == 0)
            found = n;
    return found;
}

/* Where joint and its neighbours share the skin by about half: the distance from the joint in a
 * pose against that at rest, at least.
 */
static double least_radius(const graze_rig *rig, uint32_t joint, const double *posed,
                           const float matrix[12])
{
    const float *bind = rig->joints[joint].inverse_bind;
    double least = 1, now[3];
    for (int k = 0; k < 3; k++)
        now[k] = matrix[4 * k + 3] - matrix[4 * k] * bind[3] - matrix[4 * k + 1] * bind[7] -
                 matrix[4 * k + 2] * bind[11];
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        for (uint32_t i = rig->influence_offsets[v]; i < rig->influence_offsets[v + 1]; i++) {
            double before = 0, after = 0;
            if (rig->influences[i].joint != joint || fabsf(rig->influences[i].weight - 0.5f) > 0.1f)
                continue;
            for (int k = 0; k < 3; k++) {
                double was = rig->positions[3 * v + k] + bind[4 * k + 3];
                double is = posed[3 * v + k] - now[k];
                before += was * was;
                after += is * is;
            }
            least = fmin(least, sqrt(after / before));
        }
    return least;
}

/* Linear blending at full twist: the skin falls in towards the bone. */
TEST(candy_collapses)
{
    static const char *const names[] = {"neck.5", "upper_arm.R"};
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_CREATURE, 0, 0);
    REQUIRE(rig);
    uint32_t clip = graze_rig_find_clip(rig, "candy");
    REQUIRE(clip != GRAZE_NONE && rig->clips[clip].seconds == 2);
    OWNED double *posed = pose_rig(rig, clip, 1), *start = pose_rig(rig, clip, 0);
    double farthest = 0;
    float joints[64 * 12];
    CHECK(graze_rig_sample(rig, clip, 1, joints, NULL) == GRAZE_OK);
    for (uint32_t i = 0; i < 3 * rig->vertex_count; i++)
        farthest = fmax(farthest, fabs(start[i] - rig->positions[i]));
    CHECK_MSG(farthest < 0.01, "the clip starts %g m from rest", farthest);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        uint32_t joint = find_node(rig, names[i]);
        REQUIRE(joint != GRAZE_NONE);
        double least = least_radius(rig, joint, posed, joints + 12 * (size_t)joint);
        CHECK_MSG(least < 0.5, "%s keeps %g of its radius", names[i], least);
    }
}
