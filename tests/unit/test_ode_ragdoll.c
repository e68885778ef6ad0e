/* Ragdolls from skeletons: what a file says, and what is wrong in words. */
#include "harness.h"

#include "scenes/worm.h"
#include "support/allocator.h"
#include "support/own.h"

#include <graze/ode.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

OWN_POINTER(graze_ode, graze_ode_destroy)

OWN_POINTER(graze_ragdoll, graze_ragdoll_destroy)

#define DEGREE (M_PI / 180)

typedef struct worm {
    graze_rig *rig;
    graze_model *model;
    graze_hitboxes *fit;
} worm;

/* Six joints in a chain, named by their numbers. */
static worm open_worm(void)
{
    static const char *const names[6] = {"a", "b", "c", "d", "e", "f"};
    const graze_worm_def def = {.triangles = 600, .joints = 6, .influences = 2};
    worm w = {NULL, NULL, NULL};
    CHECK(!graze_worm(&def, NULL, &w.rig, NULL));
    for (uint32_t j = 0; j < 6; j++) {
        graze_rig_node *node = &w.rig->nodes[w.rig->joints[j].node];
        if (node->name)
            w.rig->allocator.release(w.rig->allocator.user, node->name);
        node->name = w.rig->allocator.allocate(w.rig->allocator.user, 2, 16);
        memcpy(node->name, names[j], 2);
    }
    return w;
}

static void build(worm *w)
{
    const graze_hitboxes_def def = {0};
    graze_error error = {GRAZE_OK, ""};
    CHECK_MSG(!graze_rig_create_model(w->rig, NULL, &w->model, &error) &&
                  !graze_hitboxes_create(w->model, &def, &w->fit, &error),
              "%s", error.text);
}

static void close_worm(worm *w)
{
    graze_hitboxes_destroy(w->fit);
    graze_model_destroy(w->model);
    graze_rig_destroy(w->rig);
}

OWN_VALUE(worm, close_worm)

static void expect(const worm *w, const graze_ragdoll_def *def, const char *words)
{
    graze_ragdoll *made = NULL;
    graze_error error = {GRAZE_OK, ""};
    graze_status status = graze_ragdoll_create(w->rig, w->model, w->fit, def, &made, &error);
    CHECK_MSG(status == GRAZE_BAD_INPUT && !made && strstr(error.text, words),
              "status %d: \"%s\", not \"%s\"", (int)status, error.text, words);
}

TEST(nodes_in_a_circle_are_refused)
{
    OWN(worm) w = open_worm();
    build(&w);
    w.rig->nodes[w.rig->joints[0].node].parent = w.rig->joints[5].node;
    expect(&w, NULL, "in a circle");
}

TEST(a_joint_without_triangles_is_no_bone)
{
    OWN(worm) w = open_worm();
    for (uint32_t i = 0; i < w.rig->influence_offsets[w.rig->vertex_count]; i++)
        if (w.rig->influences[i].joint == 4)
            w.rig->influences[i].joint = 3;
    build(&w);
    graze_ragdoll *made = NULL;
    graze_ragdoll_joint said = {.name = "e"};
    graze_ragdoll_def def = {0};
    def.keep_small = true;
    CHECK(!graze_ragdoll_create(w.rig, w.model, w.fit, &def, &made, NULL));
    CHECK(graze_ragdoll_bone_count(made) == 5 && graze_ragdoll_find_bone(made, "e") == GRAZE_NONE);
    CHECK(graze_ragdoll_get_bone(made, 4).parent == 3); /* f hangs on d */
    CHECK(graze_ragdoll_bone_of_part(made, 4) == GRAZE_NONE);
    graze_ragdoll_destroy(made);
    def.joints = &said;
    def.joint_count = 1;
    expect(&w, &def, "joint e has no triangles");
    said.merge = true;
    CHECK(!graze_ragdoll_create(w.rig, w.model, w.fit, &def, &made, NULL));
    graze_ragdoll_destroy(made);
}

TEST(limits_the_wrong_way_round_and_other_nonsense_is_refused)
{
    worm w = open_worm();
    build(&w);
    graze_ragdoll_joint said = {
        .name = "c", .limited = true, .low = {-10, 20, -10}, .high = {10, -20, 10}};
    graze_ragdoll_def def = {0};
    def.joints = &said;
    def.joint_count = 1;
    expect(&w, &def, "joint c: limits across are the wrong way round: 20 to -20 degrees");
    said.kind = GRAZE_RAGDOLL_HINGE;
    said.low[0] = 30;
    expect(&w, &def, "limits about its axis are the wrong way round: 30 to 10");
    said.low[0] = -200;
    expect(&w, &def, "may be 175 at most");
    said = (graze_ragdoll_joint){.name = "c", .mass = -2};
    expect(&w, &def, "joint c has a mass of -2 kg");
    said = (graze_ragdoll_joint){.name = "tail"};
    expect(&w, &def, "there is no joint tail");
    said = (graze_ragdoll_joint){.name = NULL};
    expect(&w, &def, "has no name");
    said = (graze_ragdoll_joint){.name = "a", .merge = true};
    expect(&w, &def, "joint a has no bone above it");
    def.joints = NULL;
    expect(&w, &def, "NULL");
    def = (graze_ragdoll_def){0};
    def.density = -1;
    expect(&w, &def, "masses of zero");
    def = (graze_ragdoll_def){0};
    def.smallest = 2;
    expect(&w, &def, "smallest is 2");
    def = (graze_ragdoll_def){0};
    def.cell = 100; /* larger than the worm: no cell is inside */
    expect(&w, &def, "no cell of 100 m fits");
    close_worm(&w);
}

/* The last joint moves the tip alone, which is smaller than a cell. */
TEST(a_bone_without_a_cell_weighs_what_its_capsule_does)
{
    OWN(worm) w = open_worm();
    float tip = -INFINITY, ring = -INFINITY;
    for (uint32_t v = 0; v < w.rig->vertex_count; v++)
        tip = fmaxf(tip, w.rig->positions[3 * (size_t)v + 2]);
    for (uint32_t v = 0; v < w.rig->vertex_count; v++)
        if (w.rig->positions[3 * (size_t)v + 2] < tip - 1e-4f)
            ring = fmaxf(ring, w.rig->positions[3 * (size_t)v + 2]);
    for (uint32_t v = 0; v < w.rig->vertex_count; v++)
        for (uint32_t i = w.rig->influence_offsets[v]; i < w.rig->influence_offsets[v + 1]; i++) {
            bool at_tip = w.rig->positions[3 * (size_t)v + 2] > ring - 1e-4f;
            if (w.rig->influences[i].joint == 5 || at_tip)
                w.rig->influences[i].joint = at_tip ? 5 : 4;
        }
    build(&w);
    graze_ragdoll_def def = {0};
    def.keep_small = true;
    uint32_t heavier = 0;
    double least = INFINITY;
    for (int i = 0; i < 17; i++) {
        OWN(graze_ragdoll) *made = NULL;
        graze_error error = {GRAZE_OK, ""};
        def.cell = 0.2f + 0.012f * (float)i;
        CHECK_MSG(!graze_ragdoll_create(w.rig, w.model, w.fit, &def, &made, &error), "%s",
                  error.text);
        for (uint32_t b = 0; b < graze_ragdoll_bone_count(made); b++)
            CHECK(graze_ragdoll_get_bone(made, b).mass > 0);
        double tip_mass = graze_ragdoll_get_bone(made, graze_ragdoll_bone_count(made) - 1).mass;
        heavier += tip_mass > 1.5 * least || least > 1.5 * tip_mass;
        least = fmin(least, tip_mass);
    }
    CHECK_MSG(heavier > 0, "every grid had a cell in the tip");
}

TEST(another_rig_and_a_bone_with_a_matrix_are_refused)
{
    worm w = open_worm();
    build(&w);
    w.rig->triangle_count--;
    expect(&w, NULL, "another rig");
    w.rig->triangle_count++;
    close_worm(&w);
    w = open_worm();
    build(&w);
    w.rig->nodes[w.rig->joints[2].node].has_matrix = true;
    expect(&w, NULL, "bone c has a matrix");
    close_worm(&w);
}

TEST(a_chain_of_hinges_hangs_within_its_limits)
{
    OWN(worm) w = open_worm();
    build(&w);
    graze_ragdoll_def def;
    graze_ragdoll_file *file = NULL;
    graze_error error = {GRAZE_OK, ""};
    memset(&def, 0, sizeof def);
    graze_status status = graze_ragdoll_parse(
        "{\"density\": 500, \"smallest\": 0, \"friction\": 0, \"joints\": ["
        "{\"name\": \"b\", \"kind\": \"hinge\", \"axis\": [1, 0, 0], \"limits\": [-5, 20]},"
        "{\"name\": \"c\", \"kind\": \"hinge\", \"axis\": [1, 0, 0], \"limits\": [-5, 20]},"
        "{\"name\": \"d\", \"limits\": [[-30, 30], [-10, 10], [-5, 5]], \"mass\": 7}]}",
        NULL, &def, &file, &error);
    REQUIRE(status == GRAZE_OK);
    CHECK(def.density == 500 && def.joint_count == 3);
    graze_ragdoll *ragdoll = NULL;
    CHECK_MSG(!graze_ragdoll_create(w.rig, w.model, w.fit, &def, &ragdoll, &error), "%s",
              error.text);
    graze_ragdoll_bone b = graze_ragdoll_get_bone(ragdoll, 1);
    graze_ragdoll_bone d = graze_ragdoll_get_bone(ragdoll, 3);
    CHECK(b.kind == GRAZE_RAGDOLL_HINGE && fabs(b.high[0] - 20 * DEGREE) < 1e-6);
    CHECK(fabs(d.mass - 7) < 1e-6 && fabs(d.low[1] + 10 * DEGREE) < 1e-6);

    /* all but the first bone hang from it: the worm's end sinks, and each hinge stops at its limit
     */
    graze_ode *ode = NULL;
    graze_world_id id;
    graze_ode_character_def character = {ragdoll, w.fit, w.model, NULL, NULL};
    graze_rig_local *locals = calloc(w.rig->node_count, sizeof *locals);
    double over = 0, angles[3], last = 0;
    CHECK(!graze_ode_create(NULL, &ode, NULL));
    CHECK_MSG(!graze_ode_add_character(ode, &character, &id, &error), "%s", error.text);
    CHECK(!graze_rig_sample_locals(w.rig, GRAZE_NONE, 0, locals, NULL, NULL));
    CHECK(!graze_ode_put(ode, id, locals, NULL, NULL, NULL));
    CHECK(!graze_ode_go_limp(ode, id, 1, NULL));
    for (int i = 0; i < 480; i++) {
        graze_ode_motion motion[2] = {{.rotation = {0, 0, 0, 1}}, {.rotation = {0, 0, 0, 1}}};
        CHECK(!graze_ode_step(ode, NULL, NULL));
        CHECK(!graze_ode_get_motion(ode, id, 1, &motion[1], NULL));
        graze_ragdoll_angles(ragdoll, 1, motion[0].rotation, motion[1].rotation, angles);
        over = fmax(over, fmax(angles[0] - b.high[0], b.low[0] - angles[0]));
        last = angles[0];
    }
    /* along +Z, sinking is a positive turn about +X */
    CHECK_MSG(over < 2 * DEGREE, "%g degrees beyond", over / DEGREE);
    CHECK_MSG(last > 17 * DEGREE, "it hangs at %g degrees", last / DEGREE);
    free(locals);
    graze_ode_destroy(ode);
    graze_ragdoll_destroy(ragdoll);
    graze_ragdoll_file_destroy(file);
}

/* Makes a ragdoll and an engine with it, lets it fall for some steps. */
static graze_status live(const graze_allocator *allocator, void *about, graze_error *error)
{
    const worm *w = about;
    graze_ragdoll_def def = {0};
    graze_ode_def engine = {0};
    OWN(graze_ragdoll) *ragdoll = NULL;
    OWN(graze_ode) *ode = NULL;
    graze_world_id id, ground;
    graze_shape plane = graze_shape_half_space((const float[]){0, 1, 0}, -0.13f);
    def.allocator = engine.allocator = allocator;
    def.cell = 0.1f;
    graze_status status = graze_ragdoll_create(w->rig, w->model, w->fit, &def, &ragdoll, error);
    graze_ode_character_def character = {ragdoll, w->fit, w->model, NULL, NULL};
    if (!status)
        status = graze_ode_create(&engine, &ode, error);
    if (!status)
        status = graze_ode_add_shape(ode, &plane, NULL, &ground, error);
    if (!status)
        status = graze_ode_add_character(ode, &character, &id, error);
    if (!status)
        status = graze_ode_go_limp(ode, id, GRAZE_NONE, error);
    for (int i = 0; i < 12 && !status; i++)
        status = graze_ode_step(ode, NULL, error);
    return status;
}

TEST(every_allocation_may_fail)
{
    OWN(worm) w = open_worm();
    test_memory memory = {0};
    build(&w);
    CHECK(test_fail_each(&memory, live, &w, 1000) > 20);
}

TEST(a_file_that_is_wrong_is_told_in_words)
{
    static const char *const texts[][2] = {
        {"[1]", "man: the whole: expected an object"},
        {"{\"density\": 1,}", "not JSON"},
        {"{\"dens\": 1}", "man: dens: there is no such key"},
        {"{\"density\": \"much\"}", "man: density: expected a number"},
        {"{\"joints\": 1}", "man: joints: expected an array"},
        {"{\"joints\": [1]}", "joints[0]: expected an object"},
        {"{\"den\\ns\": 1}", "man: den?s: there is no such key"},
        {"{\"joints\": [{}]}", "joints[0].name: expected the name"},
        {"{\"joints\": [{\"name\": \"a\", \"king\": 1}]}", "joints[0].king: there is no such key"},
        {"{\"joints\": [{\"name\": \"a\", \"kind\": \"knee\"}]}", "\"ball\" or \"hinge\""},
        {"{\"joints\": [{\"name\": \"a\", \"axis\": [1, 2]}]}", "joints[0].axis: expected [x, y"},
        {"{\"joints\": [{\"name\": \"a\", \"axis\": [0, 0, 0]}]}", "other than zero"},
        {"{\"joints\": [{\"name\": \"a\", \"limits\": [1, 2]}]}", "joints[0].limits: expected [["},
        {"{\"joints\": [{\"name\": \"a\", \"kind\": \"hinge\", \"limits\": [[1, 2]]}]}",
         "expected [low, high]"},
        {"{\"joints\": [{\"name\": \"a\"}, {\"name\": \"b\", \"mass\": 0}]}",
         "joints[1].mass: expected a mass above zero"},
        {"{\"joints\": [{\"name\": \"a\", \"merge\": 1}]}", "joints[0].merge: expected true"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        graze_ragdoll_def def = {0};
        graze_ragdoll_file *file = NULL;
        graze_error error = {GRAZE_OK, ""};
        graze_status status = graze_ragdoll_parse(texts[i][0], "man", &def, &file, &error);
        CHECK_MSG(status == GRAZE_BAD_INPUT && !file && strstr(error.text, texts[i][1]),
                  "%s: \"%s\"", texts[i][0], error.text);
        CHECK(graze_ragdoll_parse(texts[i][0], "man", &def, &file, NULL) == GRAZE_BAD_INPUT);
    }
    graze_ragdoll_def def = {0};
    graze_ragdoll_file *file = NULL;
    graze_error error;
    CHECK(graze_ragdoll_load("no/such/file.json", &def, &file, &error) == GRAZE_IO_ERROR);
    CHECK(graze_ragdoll_load(NULL, &def, &file, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_ragdoll_parse(NULL, NULL, &def, &file, &error) == GRAZE_BAD_INPUT);
    graze_ragdoll_file_destroy(NULL);
}

TEST(null_is_refused_by_ragdolls_and_characters)
{
    OWN(worm) w = open_worm();
    build(&w);
    OWN(graze_ragdoll) *ragdoll = NULL;
    OWN(graze_ode) *ode = NULL;
    graze_world_id id;
    graze_error error;
    CHECK(graze_ragdoll_create(NULL, w.model, w.fit, NULL, &ragdoll, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_ragdoll_create(w.rig, NULL, w.fit, NULL, &ragdoll, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_ragdoll_create(w.rig, w.model, NULL, NULL, &ragdoll, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_ragdoll_create(w.rig, w.model, w.fit, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_ragdoll_bone_count(NULL) == 0 && graze_ragdoll_find_bone(NULL, "a") == GRAZE_NONE);
    CHECK(graze_ragdoll_get_bone(NULL, 0).mass == 0);
    CHECK(graze_ragdoll_bone_of_part(NULL, 0) == GRAZE_NONE);
    graze_ragdoll_destroy(NULL);
    REQUIRE(!graze_ragdoll_create(w.rig, w.model, w.fit, NULL, &ragdoll, &error));
    CHECK(!graze_ode_create(NULL, &ode, NULL));
    graze_ode_character_def def = {ragdoll, w.fit, w.model, NULL, NULL};
    CHECK(graze_ode_add_character(NULL, &def, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_ode_add_character(ode, NULL, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_ode_add_character(ode, &def, NULL, &error) == GRAZE_BAD_INPUT);
    def.model = NULL;
    CHECK(graze_ode_add_character(ode, &def, &id, &error) == GRAZE_BAD_INPUT);
    def = (graze_ode_character_def){NULL, w.fit, w.model, NULL, NULL};
    CHECK(graze_ode_add_character(ode, &def, &id, &error) == GRAZE_BAD_INPUT);
    def.ragdoll = ragdoll;
    REQUIRE(!graze_ode_add_character(ode, &def, &id, &error));
    OWNED graze_rig_local *locals = calloc(w.rig->node_count, sizeof *locals);
    CHECK(graze_ode_pose(ode, id, NULL, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(!graze_ode_get_pose(ode, id, locals, NULL, &error));
    CHECK(!graze_ode_get_pose(ode, id, NULL, NULL, &error));
    const float stretched[12] = {2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    CHECK(graze_ode_pose(ode, id, locals, NULL, stretched, &error) == GRAZE_BAD_INPUT &&
          strstr(error.text, "rigid"));
    locals[2].translation[1] = NAN;
    CHECK(graze_ode_pose(ode, id, locals, NULL, NULL, &error) == GRAZE_BAD_INPUT &&
          strstr(error.text, "node 2"));
    CHECK(graze_ode_go_limp(ode, id, 99, &error) == GRAZE_BAD_INPUT &&
          strstr(error.text, "no bone 99"));
    CHECK(graze_ode_recover(ode, id, 1, &error) == GRAZE_BAD_INPUT &&
          strstr(error.text, "not limp"));
    CHECK(graze_ode_recover(ode, id, NAN, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_ode_lying(ode, id, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_ode_get_energy(ode, id, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(!graze_ode_body(NULL, id) && graze_ode_body(ode, id));
    CHECK(graze_ode_get_state(NULL, id) == GRAZE_ODE_FOLLOWS);
    CHECK(!graze_ode_remove(ode, id, NULL));
    CHECK(!graze_ode_body(ode, id));
}
