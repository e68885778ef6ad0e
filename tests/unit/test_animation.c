/* Local transforms, blends and the player, on every rig there is and on one made by hand. */
#include "harness.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/rigs.h"

#include <graze/animation.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for what a rig is sampled into. */
typedef struct room {
    const graze_rig *rig;
    graze_rig_local *locals[3];
    float *weights[3], *joints[2];
} room;

static room open_room(const graze_rig *rig)
{
    room r = {.rig = rig};
    for (int i = 0; i < 3; i++) {
        r.locals[i] = calloc(rig->node_count + 1, sizeof *r.locals[i]);
        r.weights[i] = calloc(rig->morph_count + 1, sizeof *r.weights[i]);
    }
    for (int i = 0; i < 2; i++)
        r.joints[i] = calloc(12 * (size_t)rig->joint_count + 1, sizeof *r.joints[i]);
    return r;
}

static void close_room(room *r)
{
    for (int i = 0; i < 3; i++) {
        free(r->locals[i]);
        free(r->weights[i]);
    }
    free(r->joints[0]);
    free(r->joints[1]);
}

OWN_VALUE(room, close_room)

TEST(sampling_in_two_steps_gives_the_same_bits)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t n = 0; n < count; n++) {
        const graze_rig *rig = rigs[n].rig;
        OWN(room) r = open_room(rig);
        for (uint32_t clip = 0; clip <= rig->clip_count; clip++)
            for (int i = 0; i < 3; i++) {
                uint32_t which = clip < rig->clip_count ? clip : GRAZE_NONE;
                double time = 0.37 * i;
                REQUIRE(!graze_rig_sample(rig, which, time, r.joints[0], r.weights[0]));
                REQUIRE(
                    !graze_rig_sample_locals(rig, which, time, r.locals[0], r.weights[1], NULL));
                REQUIRE(!graze_rig_compose(rig, r.locals[0], r.joints[1], NULL));
                CHECK(!memcmp(r.joints[0], r.joints[1], 12 * sizeof(float) * rig->joint_count));
                CHECK(!memcmp(r.weights[0], r.weights[1], sizeof(float) * rig->morph_count));
            }
    }
}

static double difference(const graze_rig_local *a, const graze_rig_local *b, uint32_t count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; i++) {
        double side = 0;
        for (int k = 0; k < 4; k++)
            side += a[i].rotation[k] * b[i].rotation[k];
        for (int k = 0; k < 4; k++)
            most = fmax(most, fabs(a[i].rotation[k] - copysign(1, side) * b[i].rotation[k]));
        for (int k = 0; k < 3; k++)
            most = fmax(most, fmax(fabs(a[i].translation[k] - b[i].translation[k]),
                                   fabs(a[i].scale[k] - b[i].scale[k])));
    }
    return most;
}

TEST(blends_lie_between)
{
    uint32_t count, tried = 0;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t n = 0; n < count; n++) {
        const graze_rig *rig = rigs[n].rig;
        if (!rig->clip_count)
            continue;
        OWN(room) r = open_room(rig);
        graze_rig_layer layers[3] = {{0, 0.1, 0}, {0, 0.6, 3}, {GRAZE_NONE, 0, 0}};
        REQUIRE(!graze_rig_sample_locals(rig, 0, 0.1, r.locals[0], r.weights[0], NULL));
        REQUIRE(!graze_rig_sample_locals(rig, 0, 0.6, r.locals[1], r.weights[1], NULL));
        REQUIRE(!graze_rig_blend(rig, layers, 3, r.locals[2], r.weights[2], NULL));
        CHECK(!memcmp(r.locals[1], r.locals[2], rig->node_count * sizeof(graze_rig_local)));
        layers[0].weight = 3; /* half and half */
        REQUIRE(!graze_rig_blend(rig, layers, 3, r.locals[2], r.weights[2], NULL));
        for (uint32_t i = 0; i < rig->node_count; i++) {
            const graze_rig_local *a = &r.locals[0][i], *b = &r.locals[1][i], *m = &r.locals[2][i];
            double with_a = 0, with_b = 0, length = 0;
            for (int k = 0; k < 3; k++)
                CHECK(fabs(m->translation[k] - 0.5 * (a->translation[k] + b->translation[k])) <
                      1e-12 * (1 + fabs(m->translation[k])));
            for (int k = 0; k < 4; k++) {
                with_a += m->rotation[k] * a->rotation[k];
                with_b += m->rotation[k] * b->rotation[k];
                length += m->rotation[k] * m->rotation[k];
            }
            CHECK(fabs(length - 1) < 1e-12);
            CHECK(fabs(fabs(with_a) - fabs(with_b)) < 1e-9); /* as far from one as from the other */
        }
        for (uint32_t m = 0; m < rig->morph_count; m++)
            CHECK(fabsf(r.weights[2][m] - 0.5f * (r.weights[0][m] + r.weights[1][m])) < 1e-6f);
        tried += difference(r.locals[0], r.locals[1], rig->node_count) > 1e-3;
    }
    CHECK(tried > 2);
}

/* ---- the player --------------------------------------------------------------------------- */

static void *take(graze_rig *rig, size_t count, size_t size)
{
    return rig->allocator.allocate(rig->allocator.user, count * size, 64);
}

/* One node that walks from x = 0 to 2 in a second in clip 0, to z = 3 in two seconds in clip 1. */
static graze_rig *walker(void)
{
    graze_rig *rig = graze_rig_create(NULL);
    rig->nodes = take(rig, 1, sizeof *rig->nodes);
    rig->nodes[0] = (graze_rig_node){.parent = GRAZE_NONE,
                                     .translation = {0.5f, 1, 0},
                                     .rotation = {0, 0, 0, 1},
                                     .scale = {1, 1, 1}};
    rig->node_count = 1;
    rig->joints = take(rig, 1, sizeof *rig->joints);
    rig->joints[0] = (graze_rig_joint){0, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, false};
    rig->joint_count = 1;
    rig->clips = take(rig, 2, sizeof *rig->clips);
    rig->clip_count = 2;
    for (uint32_t c = 0; c < 2; c++) {
        const float values[6] = {0, 0, 0, c ? 0 : 2, 0, c ? 3 : 0};
        graze_rig_channel *channel = take(rig, 1, sizeof *channel);
        *channel = (graze_rig_channel){.path = GRAZE_RIG_TRANSLATION, .key_count = 2};
        channel->times = take(rig, 2, sizeof(float));
        channel->values = take(rig, 6, sizeof(float));
        channel->times[0] = 0;
        channel->times[1] = (float)(c + 1);
        memcpy(channel->values, values, sizeof values);
        rig->clips[c] =
            (graze_rig_clip){.seconds = (float)(c + 1), .channels = channel, .channel_count = 1};
    }
    return rig;
}

TEST(playing_and_looping)
{
    OWN(graze_rig) *rig = walker();
    graze_rig_player player = {0};
    graze_rig_local at;
    REQUIRE(!graze_rig_player_locals(&player, rig, &at, NULL, NULL)); /* nothing plays */
    CHECK(at.translation[0] == 0.5 && at.translation[1] == 1);
    REQUIRE(!graze_rig_player_start(&player, rig, 0, 0, NULL));
    REQUIRE(!graze_rig_player_advance(&player, rig, 0.25, NULL));
    REQUIRE(!graze_rig_player_locals(&player, rig, &at, NULL, NULL));
    CHECK(fabs(at.translation[0] - 0.5) < 1e-12);
    REQUIRE(!graze_rig_player_advance(&player, rig, 1.5, NULL)); /* round once: 0.75 */
    REQUIRE(!graze_rig_player_locals(&player, rig, &at, NULL, NULL));
    CHECK(fabs(at.translation[0] - 1.5) < 1e-12);
    player.speed = -2;
    REQUIRE(!graze_rig_player_advance(&player, rig, 0.5, NULL)); /* backwards over the start */
    REQUIRE(!graze_rig_player_locals(&player, rig, &at, NULL, NULL));
    CHECK(fabs(at.translation[0] - 1.5) < 1e-12);
    player.once = true;
    player.speed = 1;
    REQUIRE(!graze_rig_player_advance(&player, rig, 100, NULL));
    REQUIRE(!graze_rig_player_locals(&player, rig, &at, NULL, NULL));
    CHECK(at.translation[0] == 2);
}

TEST(fading)
{
    OWN(graze_rig) *rig = walker();
    graze_rig_player player = {0};
    graze_rig_local at;
    player.once = true;
    player.paused = true; /* times stand at 0 and at what is set below; only weights change */
    REQUIRE(!graze_rig_player_start(&player, rig, 0, 0, NULL));
    player.playing[0].time = 1;
    REQUIRE(!graze_rig_player_start(&player, rig, 1, 0.4, NULL));
    player.playing[1].time = 2;
    for (int i = 0; i <= 4; i++) {
        REQUIRE(!graze_rig_player_locals(&player, rig, &at, NULL, NULL));
        CHECK_MSG(fabs(at.translation[0] - 2 * (1 - i / 4.0)) < 1e-9 &&
                      fabs(at.translation[2] - 3 * i / 4.0) < 1e-9,
                  "after %d steps: %g %g", i, at.translation[0], at.translation[2]);
        REQUIRE(!graze_rig_player_advance(&player, rig, 0.1, NULL));
    }
    CHECK(player.count == 1 && player.playing[0].clip == 1 && player.playing[0].weight == 1);
    for (int i = 0; i < 20; i++) { /* clip after clip: none too many, weights in order */
        double total = 0;
        REQUIRE(!graze_rig_player_start(&player, rig, i % 2, 0.3, NULL));
        REQUIRE(player.count <= GRAZE_RIG_PLAYER_LAYERS);
        REQUIRE(!graze_rig_player_advance(&player, rig, 0.05, NULL));
        for (uint32_t k = 0; k < player.count; k++) {
            CHECK(player.playing[k].weight >= 0 && player.playing[k].weight <= 1);
            total += player.playing[k].weight;
        }
        CHECK(total > 0);
    }
    REQUIRE(!graze_rig_player_advance(&player, rig, 1, NULL));
    CHECK(player.count == 1 && player.playing[0].clip == 1);
}

/* In steps of any length the root goes as far as in one, and the body itself stays. */
TEST(root_motion)
{
    OWN(graze_rig) *rig = walker();
    for (int backwards = 0; backwards < 2; backwards++) {
        graze_rig_player player = {0};
        graze_rig_local at;
        double moved[3] = {0, 0, 0}, steps[5] = {0.1, 0.35, 1.7, 0.85, 0.5};
        player.take_root = true;
        player.root = 0;
        player.speed = backwards ? -1 : 1;
        REQUIRE(!graze_rig_player_start(&player, rig, 0, 0, NULL));
        for (int i = 0; i < 5; i++) {
            REQUIRE(!graze_rig_player_advance(&player, rig, steps[i], NULL));
            REQUIRE(!graze_rig_player_locals(&player, rig, &at, NULL, NULL));
            CHECK(at.translation[0] == 0.5 && at.translation[1] == 1);
            for (int k = 0; k < 3; k++)
                moved[k] += player.moved[k];
        }
        CHECK_MSG(fabs(moved[0] - (backwards ? -7 : 7)) < 1e-9, "moved by %g", moved[0]);
        CHECK(fabs(moved[2]) < 1e-12);
    }
}

TEST(bad_input)
{
    OWN(graze_rig) *rig = walker();
    graze_rig_local at[1];
    graze_error error;
    float joints[12];
    graze_rig_layer layer = {0, 0, 1};
    CHECK(graze_rig_sample_locals(NULL, 0, 0, at, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_sample_locals(rig, 2, 0, at, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(!strcmp(error.text, "clip 2: the rig has 2"));
    CHECK(graze_rig_sample_locals(rig, 0, INFINITY, at, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(!strcmp(error.text, "the time is not finite"));
    CHECK(graze_rig_compose(rig, NULL, joints, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_compose(rig, at, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_compose(NULL, at, joints, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_blend(rig, &layer, 0, at, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_blend(rig, NULL, 1, at, NULL, &error) == GRAZE_BAD_INPUT);
    layer.weight = -1;
    CHECK(graze_rig_blend(rig, &layer, 1, at, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(!strcmp(error.text, "layer 0 has weight -1"));
    layer.weight = NAN;
    CHECK(graze_rig_blend(rig, &layer, 1, at, NULL, &error) == GRAZE_BAD_INPUT);
    graze_rig_layer two[2] = {{0, 0, 1}, {7, 0, 1}};
    CHECK(graze_rig_blend(rig, two, 2, at, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(!strcmp(error.text, "clip 7: the rig has 2"));

    graze_rig_player player = {0};
    CHECK(graze_rig_player_start(&player, rig, 2, 0, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_player_start(&player, rig, 0, -1, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_player_start(&player, NULL, 0, 0, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_player_start(NULL, rig, 0, 0, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_player_advance(&player, rig, NAN, &error) == GRAZE_BAD_INPUT);
    player.take_root = true;
    player.root = 1;
    CHECK(graze_rig_player_advance(&player, rig, 1, &error) == GRAZE_BAD_INPUT);
    CHECK(!strcmp(error.text, "root 1: the rig has 1 nodes"));
    player = (graze_rig_player){0};
    player.count = 9;
    CHECK(graze_rig_player_locals(&player, rig, at, NULL, &error) == GRAZE_BAD_INPUT);
}

static graze_status blend(const graze_allocator *allocator, void *about, graze_error *error)
{
    graze_rig *rig = about;
    const graze_allocator plain = rig->allocator;
    const graze_rig_layer two[2] = {{0, 0, 1}, {1, 0, 1}};
    graze_rig_local at[1];
    float joints[12];
    rig->allocator = *allocator;
    graze_status status = graze_rig_blend(rig, two, 2, at, NULL, error);
    status = status ? status : graze_rig_compose(rig, at, joints, error);
    rig->allocator = plain;
    return status;
}

TEST(every_allocation_failed_once)
{
    OWN(graze_rig) *rig = walker();
    test_memory memory = {0};
    CHECK(test_fail_each(&memory, blend, rig, 100) > 4);
}
