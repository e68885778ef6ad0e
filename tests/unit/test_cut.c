/* Pieces of clips: fewer keys, vertices where they were, for every rig there is and for channels
 * made by hand.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"

#include <graze/animation.h>
#include <graze/body.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- every rig ---------------------------------------------------------------------------- */

typedef struct pair_of_bodies {
    graze_model *model;
    graze_body *bodies[2];
    float *positions[2];
} pair_of_bodies;

static bool open_pair(pair_of_bodies *pair, const graze_rig *rig)
{
    *pair = (pair_of_bodies){.model = NULL};
    bool good = !graze_rig_create_model(rig, NULL, &pair->model, NULL);
    for (int i = 0; i < 2 && good; i++) {
        pair->positions[i] = malloc((size_t)rig->vertex_count * 3 * sizeof(float));
        good = pair->positions[i] && !graze_body_create(pair->model, &pair->bodies[i], NULL);
    }
    return good;
}

static void close_pair(pair_of_bodies *pair)
{
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(pair->bodies[i]);
        free(pair->positions[i]);
    }
    graze_model_destroy(pair->model);
}

OWN_VALUE(pair_of_bodies, close_pair)

/* The largest distance between the clip and its piece, at frames and half way between. */
static double largest_distance(const graze_rig *rig, const graze_rig_cut *cut,
                               graze_rig_clip *piece, pair_of_bodies *pair)
{
    graze_rig other = *rig;
    double most = 0;
    other.clips = piece;
    other.clip_count = 1;
    for (int step = 0; step <= 2 * cut->seconds * cut->fps + 1e-6; step++) {
        double time = step / (2 * cut->fps);
        CHECK(!graze_rig_pose_body(rig, cut->clip, cut->from + time, NULL, pair->bodies[0], NULL));
        CHECK(!graze_rig_pose_body(&other, 0, time, NULL, pair->bodies[1], NULL));
        for (int i = 0; i < 2; i++)
            graze_body_get_positions(pair->bodies[i], pair->positions[i]);
        for (uint32_t v = 0; v < rig->vertex_count; v++) {
            double squared = 0;
            for (int k = 0; k < 3; k++) {
                double d = (double)pair->positions[0][v * 3 + k] - pair->positions[1][v * 3 + k];
                squared += d * d;
            }
            most = fmax(most, squared);
        }
    }
    return sqrt(most);
}

static uint64_t count_keys(const graze_rig_clip *piece)
{
    uint64_t keys = 0;
    for (uint32_t i = 0; i < piece->channel_count; i++) {
        const graze_rig_channel *channel = &piece->channels[i];
        keys += channel->key_count;
        CHECK(channel->times[0] == 0 && channel->times[channel->key_count - 1] == piece->seconds);
        for (uint32_t k = 1; k < channel->key_count; k++)
            CHECK(channel->times[k] > channel->times[k - 1]);
        CHECK(channel->interpolation != GRAZE_RIG_CUBICSPLINE);
    }
    return keys;
}

static void check_clip(const graze_rig *rig, uint32_t clip, const char *name, pair_of_bodies *pair)
{
    static const double shares[] = {1e-2, 1e-3, 1e-5, 0};
    CHECK(!graze_rig_pose_body(rig, clip, 0, NULL, pair->bodies[0], NULL));
    graze_body_get_positions(pair->bodies[0], pair->positions[0]);
    double middle[3], size = test_extent(pair->positions[0], rig->vertex_count, middle);
    size += fabs(middle[0]) + fabs(middle[1]) + fabs(middle[2]);
    for (int start = 0; start < 2; start++) {
        uint64_t before = 0;
        for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
            graze_rig_cut cut = {clip, start ? 0.37 : -0.11, 0.75, 24, shares[i] * size};
            graze_rig_clip *piece = NULL;
            double said = -1;
            REQUIRE(!graze_rig_cut_clip(rig, &cut, &piece, &said, NULL));
            double most = largest_distance(rig, &cut, piece, pair), slack = 2e-6 * size;
            CHECK_MSG(most <= cut.tolerance + slack, "%s, clip %u, %g: %g off", name, clip,
                      cut.tolerance, most);
            CHECK_MSG(fabs(most - said) <= slack, "%s: %g off, %g said", name, most, said);
            uint64_t keys = count_keys(piece);
            CHECK_MSG(keys >= before, "%s, clip %u: more keys for less", name, clip);
            before = keys;
            graze_rig_clip_destroy(rig, piece);
        }
    }
}

TEST(vertices_stay_within_the_tolerance)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t i = 0; i < count; i++) {
        const graze_rig *rig = rigs[i].rig;
        OWN(pair_of_bodies) pair = {0};
        if (rig->clip_count == 0 || rig->vertex_count > test_amount(20000, 1200))
            continue;
        REQUIRE(open_pair(&pair, rig));
        for (uint32_t clip = 0; clip < rig->clip_count && clip < test_amount(3, 1); clip++)
            check_clip(rig, clip, rigs[i].name, &pair);
    }
}

/* ---- by hand ------------------------------------------------------------------------------ */

static float *floats(const graze_rig *rig, const float *values, size_t count)
{
    float *copy = rig->allocator.allocate(rig->allocator.user, count * sizeof *copy, 64);
    memcpy(copy, values, count * sizeof *copy);
    return copy;
}

/* A triangle on one node with one channel, along x. */
static graze_rig *slider(const graze_allocator *allocator, graze_rig_interpolation interpolation,
                         const float *times, const float *values, uint32_t keys)
{
    graze_rig *rig = graze_rig_create(allocator);
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const graze_allocator *a = &rig->allocator;
    rig->positions = floats(rig, corners, 9);
    rig->vertex_count = 3;
    rig->influence_offsets = a->allocate(a->user, 4 * sizeof *rig->influence_offsets, 64);
    rig->influences = a->allocate(a->user, 3 * sizeof *rig->influences, 64);
    for (uint32_t v = 0; v < 4; v++)
        rig->influence_offsets[v] = v;
    for (uint32_t v = 0; v < 3; v++)
        rig->influences[v] = (graze_influence){0, 1};
    rig->nodes = a->allocate(a->user, sizeof *rig->nodes, 64);
    rig->nodes[0] =
        (graze_rig_node){.parent = GRAZE_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    rig->joints = a->allocate(a->user, sizeof *rig->joints, 64);
    rig->joints[0] = (graze_rig_joint){.inverse_bind = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    rig->node_count = rig->joint_count = rig->clip_count = 1;
    rig->clips = a->allocate(a->user, sizeof *rig->clips, 64);
    rig->clips[0] = (graze_rig_clip){.seconds = times[keys - 1], .channel_count = 1};
    rig->clips[0].channels = a->allocate(a->user, sizeof *rig->clips[0].channels, 64);
    uint32_t width = interpolation == GRAZE_RIG_CUBICSPLINE ? 9 : 3;
    rig->clips[0].channels[0] = (graze_rig_channel){.interpolation = interpolation,
                                                    .key_count = keys,
                                                    .times = floats(rig, times, keys),
                                                    .values = floats(rig, values, keys * width)};
    return rig;
}

static const float five_times[5] = {0, 1, 2, 3, 4};

/* Where the node is along x. */
static double place(const graze_rig *rig, graze_rig_clip *piece, double time)
{
    graze_rig other = *rig;
    float joint[12];
    if (piece)
        other.clips = piece;
    CHECK(!graze_rig_sample(&other, 0, time, joint, NULL));
    return joint[3];
}

TEST(keys_on_a_line_are_left_out)
{
    static const float values[15] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 3.5f};
    OWN(graze_rig) *rig = slider(NULL, GRAZE_RIG_LINEAR, five_times, values, 5);
    graze_rig_cut cut = {0, 0.5, 2.5, 10, 1e-6};
    graze_rig_clip *piece = NULL;
    double largest = -1;
    REQUIRE(!graze_rig_cut_clip(rig, &cut, &piece, &largest, NULL));
    CHECK(piece->channel_count == 1 && piece->channels[0].key_count == 2 && largest < 1e-6);
    CHECK(piece->channels[0].values[0] == 0.5f && piece->channels[0].values[3] == 3);
    graze_rig_clip_destroy(rig, piece);
    cut =
        (graze_rig_cut){0, 3.5, 3, 10, 1e-6}; /* a corner at the end of the clip, then it stands */
    REQUIRE(!graze_rig_cut_clip(rig, &cut, &piece, NULL, NULL));
    CHECK(piece->channels[0].key_count == 3 && piece->channels[0].times[1] == 0.5f);
    graze_rig_clip_destroy(rig, piece);
}

TEST(steps_stay_steps)
{
    static const float values[15] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 5, 0, 0, 6};
    OWN(graze_rig) *rig = slider(NULL, GRAZE_RIG_STEP, five_times, values, 5);
    graze_rig_cut cut = {0, -1, 6, 7, 0.5};
    graze_rig_clip *piece = NULL;
    double largest = -1;
    REQUIRE(!graze_rig_cut_clip(rig, &cut, &piece, &largest, NULL));
    CHECK(largest == 0 && piece->channels[0].interpolation == GRAZE_RIG_STEP);
    CHECK(piece->channels[0].key_count < 7);
    for (double t = 0.05; t < 6; t += 0.1)
        CHECK_MSG(place(rig, piece, t) == place(rig, NULL, t - 1), "at %g", t);
    graze_rig_clip_destroy(rig, piece);
}

TEST(curves_become_lines)
{
    float values[45] = {0};
    for (int k = 0; k < 5; k++) {
        values[k * 9] = values[k * 9 + 6] = k % 2 ? -3 : 3; /* tangents */
        values[k * 9 + 3] = (float)(k % 2);
    }
    OWN(graze_rig) *rig = slider(NULL, GRAZE_RIG_CUBICSPLINE, five_times, values, 5);
    static const double tolerances[2] = {0.05, 0.002};
    uint32_t keys[2] = {0};
    for (int i = 0; i < 2; i++) {
        graze_rig_cut cut = {0, 0.25, 3, 60, tolerances[i]};
        graze_rig_clip *piece = NULL;
        double largest = -1, most = 0;
        REQUIRE(!graze_rig_cut_clip(rig, &cut, &piece, &largest, NULL));
        keys[i] = piece->channels[0].key_count;
        for (int step = 0; step <= 360; step++)
            most = fmax(most, fabs(place(rig, piece, step / 120.0) -
                                   place(rig, NULL, 0.25 + step / 120.0)));
        CHECK_MSG(most <= tolerances[i] + 1e-6 && largest >= most - 1e-6, "%g off, %g said", most,
                  largest);
        graze_rig_clip_destroy(rig, piece);
    }
    CHECK_MSG(keys[0] < keys[1] && keys[1] < 120, "%u and %u keys", keys[0], keys[1]);
}

/* ---- what goes wrong ---------------------------------------------------------------------- */

TEST(bad_cuts)
{
    static const float values[6] = {0, 0, 0, 1};
    OWN(graze_rig) *rig = slider(NULL, GRAZE_RIG_LINEAR, five_times, values, 2);
    const graze_rig_cut good = {0, 0, 1, 10, 0.1};
    graze_rig_clip *piece = NULL;
    graze_error error;
    CHECK(graze_rig_cut_clip(NULL, &good, &piece, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_cut_clip(rig, NULL, &piece, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_cut_clip(rig, &good, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(!strcmp(error.text, "where the piece goes is NULL"));
    const graze_rig_cut bad[] = {{1, 0, 1, 10, 0.1},    {0, NAN, 1, 10, 0.1},   {0, 0, -1, 10, 0.1},
                                 {0, 0, NAN, 10, 0.1},  {0, 0, 1, 0, 0.1},      {0, 0, 1, NAN, 0.1},
                                 {0, 0, 1, 10, -0.1},   {0, 0, 1, 10, NAN},     {0, 0, 1, 1e9, 0.1},
                                 {0, 0, 1e7, 0.1, 0.1}, {0, 0, 1, 10, INFINITY}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.text[0] = 0;
        CHECK_MSG(graze_rig_cut_clip(rig, &bad[i], &piece, NULL, &error) == GRAZE_BAD_INPUT &&
                      error.text[0],
                  "cut %zu", i);
    }
    rig->influences[1].joint = 7;
    CHECK(graze_rig_cut_clip(rig, &good, &piece, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(piece == NULL);
    rig->influences[1].joint = 0;
    graze_rig_cut none = good;
    none.clip = GRAZE_NONE;
    double largest = -1;
    CHECK(!graze_rig_cut_clip(rig, &none, &piece, &largest, NULL) && largest == 0);
    CHECK(piece && piece->channel_count == 0 && piece->seconds == 1);
    graze_rig_clip_destroy(rig, piece);
    graze_rig_clip_destroy(rig, NULL);
    graze_rig_clip_destroy(NULL, NULL);
}

static graze_status cut_piece(const graze_allocator *allocator, void *about, graze_error *error)
{
    graze_rig *rig = about;
    const graze_allocator plain = rig->allocator;
    const graze_rig_cut cut = {0, 0, 4, 10, 0.1};
    graze_rig_clip *piece = NULL;
    rig->allocator = *allocator;
    graze_status status = graze_rig_cut_clip(rig, &cut, &piece, NULL, error);
    graze_rig_clip_destroy(rig, piece);
    rig->allocator = plain;
    return status;
}

TEST(every_allocation_failed_once)
{
    float values[15] = {0, 0, 0, 1, 2, 0, 2, 0, 0, 3, 1, 0, 3.5f};
    OWN(graze_rig) *rig = slider(NULL, GRAZE_RIG_LINEAR, five_times, values, 5);
    test_memory memory = {0};
    CHECK(test_fail_each(&memory, cut_piece, rig, 1000) > 0);
}
