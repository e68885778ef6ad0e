/* Scenes to simulate: nothing overlaps at the beginning, the same options give the same scene, and
 * the animated body is where its kind says.
 */
#include "cli/simulate_scenes.h"
#include "harness.h"
#include "support/own.h"
#include "support/pairs.h"

#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

OWN_POINTER(simulate_scene, simulate_scene_destroy)

static simulate_scene *make_scene(simulate_options options)
{
    simulate_scene *scene = NULL;
    graze_error error = {GRAZE_OK, ""};
    CHECK_MSG(simulate_scene_create(&options, &scene, &error) == GRAZE_OK, "%s", error.text);
    return scene;
}

/* A body of its own in the pose that one of the simulation has. */
static graze_body *body_of(const simulate_scene *scene, uint32_t number)
{
    graze_sim_body state;
    graze_body *body = NULL;
    float placement[12], weights[SIMULATE_MOST_FIELDS];
    CHECK(graze_sim_get_body(scene->sim, number, &state, NULL) == GRAZE_OK);
    CHECK(graze_sim_get_placement(scene->sim, number, placement, weights, NULL) == GRAZE_OK);
    const simulate_kind *kind = scene->kinds[state.kind];
    graze_pose pose = {
        .morph_weights = weights, .morph_count = kind->field_count, .placement = placement};
    CHECK(graze_body_create(kind->model, &body, NULL) == GRAZE_OK);
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
    return body;
}

/* How many pairs of free bodies are nearer than the spheres around them, or in the ground. */
static uint32_t count_near(const simulate_scene *scene, uint32_t *low)
{
    const double radius = scene->kinds[scene->kind_count - 1]->radius;
    const uint32_t count = scene->body_count;
    OWNED graze_sim_body *states = calloc(count, sizeof *states);
    uint32_t near = 0;
    for (uint32_t i = scene->animated_count; i < count; i++) {
        CHECK(graze_sim_get_body(scene->sim, i, &states[i], NULL) == GRAZE_OK);
        const double *a = states[i].position;
        *low += a[1] < radius;
        for (uint32_t k = scene->animated_count; k < i; k++) {
            const double *b = states[k].position;
            const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
            near += x * x + y * y + z * z < 4 * radius * radius;
        }
    }
    return near;
}

/* Free bodies have spheres of their own, above the ground, and none meets the stage. */
static void check_apart(const simulate_scene *scene)
{
    uint32_t low = 0, near = count_near(scene, &low), meeting = 0;
    CHECK_MSG(near == 0 && low == 0, "%s: %u pairs overlap, %u are in the ground", scene->name,
              near, low);
    OWN(graze_body) *stage = scene->animated_count ? body_of(scene, 0) : NULL;
    for (uint32_t i = 1; stage && i < scene->body_count; i++) {
        OWN(graze_body) *body = body_of(scene, i);
        meeting += test_meets(stage, body, NULL);
    }
    CHECK_MSG(meeting == 0, "%s: %u meet the stage", scene->name, meeting);
}

TEST(scenes_have_names)
{
    for (int i = 0; i < SIMULATE_SCENE_COUNT; i++)
        CHECK(simulate_scene_find(simulate_scene_title((simulate_scene_name)i)) ==
              (simulate_scene_name)i);
    CHECK(simulate_scene_find("sofas") == SIMULATE_SCENE_COUNT);
    CHECK(!simulate_scene_title(SIMULATE_SCENE_COUNT));
}

/* Small and large ones: 3,601 chairs and 12,000 fish are those of the paper. */
TEST(nothing_overlaps_at_the_beginning)
{
    static const struct {
        simulate_scene_name scene;
        uint32_t count, triangles;
    } rows[] = {{SIMULATE_CHAIRS, 3601, 400},
                {SIMULATE_FISH_ON_BRIDGE, 12000, 400},
                {SIMULATE_BALLS_AT_CURTAIN, 1, 400},
                {SIMULATE_BALLS_AT_CURTAIN, 40, 400}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OWN(simulate_scene) *scene = make_scene((simulate_options){.scene = rows[i].scene,
                                                                   .count = rows[i].count,
                                                                   .triangles = rows[i].triangles,
                                                                   .stage_triangles = 1728,
                                                                   .rigid = true});
        REQUIRE(scene);
        CHECK(scene->body_count == rows[i].count + scene->animated_count);
        CHECK(graze_sim_kind_count(scene->sim) == scene->kind_count);
        CHECK(graze_sim_plane_count(scene->sim) == 1);
        check_apart(scene);
    }
}

TEST(the_same_options_give_the_same_scene)
{
    const simulate_options options = {.scene = SIMULATE_BALLS_AT_CURTAIN, .count = 20};
    OWN(simulate_scene) *scene = make_scene(options), *again = make_scene(options);
    REQUIRE(scene && again);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        graze_sim_body a, b;
        CHECK(!graze_sim_get_body(scene->sim, i, &a, NULL) &&
              !graze_sim_get_body(again->sim, i, &b, NULL));
        CHECK(a.kind == b.kind && memcmp(a.position, b.position, sizeof a.position) == 0 &&
              memcmp(a.rotation, b.rotation, sizeof a.rotation) == 0 &&
              memcmp(a.velocity, b.velocity, sizeof a.velocity) == 0);
    }
}

/* After a step the curtain is where its animation is at the step's end, whatever came before. */
TEST(the_stage_moves_by_the_number_of_the_step)
{
    simulate_scene *scene = make_scene((simulate_options){
        .scene = SIMULATE_BALLS_AT_CURTAIN, .triangles = 400, .stage_triangles = 400});
    REQUIRE(scene);
    static const uint64_t steps[] = {0, 1, 2, 100, 101, 5, 100000};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        double position[3], rotation[4], weights[SIMULATE_MOST_FIELDS];
        graze_sim_body state;
        CHECK(simulate_scene_prepare(scene, steps[i], NULL) == GRAZE_OK);
        CHECK(graze_sim_step(scene->sim, NULL, 1, NULL) == GRAZE_OK);
        CHECK(graze_sim_get_body(scene->sim, 0, &state, NULL) == GRAZE_OK);
        simulate_kind_animate(scene->kinds[0], (double)(steps[i] + 1) / 150, position, rotation,
                              weights);
        for (uint32_t m = 0; m < 12; m++)
            CHECK(fabs(state.weights[m] - weights[m]) < 1e-9);
    }
    simulate_scene_destroy(scene);
}

TEST(bad_options_are_refused)
{
    static const simulate_options rows[] = {
        {.scene = SIMULATE_SCENE_COUNT},
        {.scene = (simulate_scene_name)-1},
        {.scene = SIMULATE_BALLS_AT_CURTAIN, .count = SIMULATE_MOST_COUNT + 1},
        {.scene = SIMULATE_BALLS_AT_CURTAIN, .step_seconds = -1},
        {.scene = SIMULATE_BALLS_AT_CURTAIN, .step_seconds = INFINITY},
        {.scene = SIMULATE_BALLS_AT_CURTAIN, .step_seconds = NAN},
        {.scene = SIMULATE_BALLS_AT_CURTAIN, .triangles = 3},
        {.scene = SIMULATE_BALLS_AT_CURTAIN, .stage_triangles = 5000000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        simulate_scene *scene = NULL;
        graze_error error = {GRAZE_OK, ""};
        CHECK_MSG(simulate_scene_create(&rows[i], &scene, &error) == GRAZE_BAD_INPUT && !scene,
                  "row %zu", i);
        CHECK(error.status == GRAZE_BAD_INPUT && error.text[0]);
    }
    simulate_scene_destroy(NULL);
}
