/* Models and bodies refuse what is wrong and say where; what they tell about themselves is true. */
#include "harness.h"
#include "support/own.h"

#include <graze/ext/inspect.h>
#include <graze/graze.h>

#include <math.h>
#include <string.h>

enum { VERTICES = 6, TRIANGLES = 4, JOINTS = 3, INFLUENCES = 9 };

/* A good def and its arrays, for a test to spoil. */
typedef struct spoiled {
    float positions[3 * VERTICES];
    uint32_t triangles[3 * TRIANGLES];
    uint32_t offsets[VERTICES + 1];
    graze_influence influences[INFLUENCES];
    uint32_t vertex_parts[VERTICES], triangle_parts[TRIANGLES];
    graze_model_def def;
} spoiled;

static void make_good(spoiled *s)
{
    *s = (spoiled){
        .positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 0, 1, 2, 1, 1},
        .triangles = {0, 1, 2, 1, 3, 2, 1, 4, 3, 4, 5, 3},
        .offsets = {0, 1, 3, 4, 6, 8, 9},
        .influences =
            {{0, 1}, {0, 0.25f}, {1, 0.75f}, {0, 1}, {1, 0.5f}, {2, 0.5f}, {2, 2}, {1, 1}, {2, 1}},
        .vertex_parts = {0, 1, 2, 3, 4, 5},
        .triangle_parts = {6, 5, 4, 3},
    };
    s->def = (graze_model_def){0};
    s->def.positions = s->positions;
    s->def.vertex_count = VERTICES;
    s->def.triangles = s->triangles;
    s->def.triangle_count = TRIANGLES;
    s->def.joint_count = JOINTS;
    s->def.influence_offsets = s->offsets;
    s->def.influences = s->influences;
}

/* The def is refused with this status, the text names all the places (separated by |), and nothing
 * else is written.
 */
static void check_refused(const spoiled *s, graze_status status, const char *places, int line)
{
    graze_model *untouched = (graze_model *)(uintptr_t)0x5a5a, *model = untouched;
    graze_error error;
    memset(&error, 'x', sizeof error);
    graze_status got = graze_model_create(&s->def, &model, &error);
    test_check(got == status && error.status == status, __FILE__, line, "status %d", (int)got);
    test_check(model == untouched, __FILE__, line, "*model was written");
    if (got == GRAZE_OK) {
        graze_model_destroy(model);
        return;
    }
    test_check(memchr(error.text, 0, sizeof error.text) != NULL, __FILE__, line, "no end of text");
    test_check(!strchr(error.text, '\n') && error.text[0], __FILE__, line, "not one line");
    char wanted[128];
    snprintf(wanted, sizeof wanted, "%s", places);
    for (char *place = strtok(wanted, "|"); place; place = strtok(NULL, "|"))
        test_check(strstr(error.text, place) != NULL, __FILE__, line, "\"%s\" does not name \"%s\"",
                   error.text, place);
    test_check(graze_model_create(&s->def, &model, NULL) == status, __FILE__, line,
               "another status without an error to write to");
}

#define REFUSED(change, status, places)                                                            \
    do {                                                                                           \
        spoiled s;                                                                                 \
        make_good(&s);                                                                             \
        change;                                                                                    \
        check_refused(&s, status, places, __LINE__);                                               \
    } while (0)

TEST(bad_meshes_are_refused)
{
    REFUSED(s.def.positions = NULL, GRAZE_BAD_INPUT, "vertices");
    REFUSED(s.def.vertex_count = 0, GRAZE_BAD_INPUT, "vertices");
    REFUSED(s.def.vertex_count = UINT32_MAX, GRAZE_BAD_INPUT, "vertices");
    REFUSED(s.def.triangles = NULL, GRAZE_BAD_INPUT, "triangles");
    REFUSED(s.def.triangle_count = 0, GRAZE_BAD_INPUT, "triangles");
    REFUSED(s.def.triangle_count = UINT32_MAX, GRAZE_BAD_INPUT, "triangles");
    REFUSED(s.positions[7] = NAN, GRAZE_BAD_INPUT, "vertex 2");
    REFUSED(s.positions[17] = INFINITY, GRAZE_BAD_INPUT, "vertex 5");
    REFUSED(s.positions[0] = -INFINITY, GRAZE_BAD_INPUT, "vertex 0");
    REFUSED(s.positions[3] = 1.1e15f, GRAZE_BAD_INPUT, "vertex 1");
    REFUSED(s.triangles[0] = 6, GRAZE_BAD_INPUT, "triangle 0|vertex 6|of 6");
    REFUSED(s.triangles[11] = UINT32_MAX, GRAZE_BAD_INPUT, "triangle 3|4294967295|of 6");
}

TEST(bad_skins_are_refused)
{
    REFUSED(s.def.joint_count = 0, GRAZE_BAD_INPUT, "vertex 1|joint 1|of 1"); /* 0 is 1 */
    REFUSED(s.def.joint_count = 65536, GRAZE_BAD_INPUT, "joints|65535");
    REFUSED(s.def.influences = NULL, GRAZE_BAD_INPUT, "influences");
    REFUSED(s.def.influence_offsets = NULL, GRAZE_BAD_INPUT, "influence_offsets");
    REFUSED(s.offsets[0] = 1, GRAZE_BAD_INPUT, "influence_offsets|0");
    REFUSED(s.offsets[3] = 2, GRAZE_BAD_INPUT, "influence_offsets|vertex 2");
    REFUSED(s.offsets[2] = 1, GRAZE_BAD_INPUT, "vertex 1"); /* none at all */
    REFUSED(s.influences[4].joint = 3, GRAZE_BAD_INPUT, "vertex 3|joint 3|of 3");
    REFUSED(s.influences[8].joint = UINT32_MAX, GRAZE_BAD_INPUT, "vertex 5|4294967295");
    REFUSED(s.influences[1].weight = -0.25f, GRAZE_BAD_INPUT, "vertex 1|joint 0");
    REFUSED(s.influences[1].weight = NAN, GRAZE_BAD_INPUT, "vertex 1|joint 0");
    REFUSED(s.influences[2].weight = INFINITY, GRAZE_BAD_INPUT, "vertex 1|joint 1");
    REFUSED(s.influences[0].weight = 0, GRAZE_BAD_INPUT, "vertex 0|zero");
}

TEST(bad_groups_are_refused)
{
    REFUSED((s.def.vertex_parts = s.vertex_parts, s.def.triangle_parts = s.triangle_parts,
             s.def.part_count = 6),
            GRAZE_BAD_INPUT, "triangle 0|group 6|of 6");
    REFUSED((s.def.vertex_parts = s.vertex_parts, s.def.part_count = 5), GRAZE_BAD_INPUT,
            "vertex 5|group 5|of 5");
    REFUSED((s.def.vertex_parts = s.vertex_parts), GRAZE_BAD_INPUT, "vertex 3|group 3|of 3");
}

TEST(bad_trees_are_refused)
{
    REFUSED(s.def.tree.patch_triangles = 129, GRAZE_BAD_INPUT, "patch_triangles|129");
    REFUSED(s.def.tree.reserved[3] = 1, GRAZE_BAD_INPUT, "reserved[3]|tree def");
    REFUSED(s.def.reserved[0] = 1, GRAZE_BAD_INPUT, "reserved[0]|model def");
    REFUSED(s.def.tree.arity = 1, GRAZE_BAD_INPUT, "arity|1");
    REFUSED(s.def.tree.arity = 33, GRAZE_BAD_INPUT, "arity|33");
    REFUSED(s.def.tree.collapse = -0.5f, GRAZE_BAD_INPUT, "collapse");
    REFUSED(s.def.tree.collapse = NAN, GRAZE_BAD_INPUT, "collapse");
    REFUSED(s.def.tree.volume = (graze_volume)7, GRAZE_BAD_INPUT, "volume|7");
    REFUSED(s.def.tree.refit = (graze_refit)9, GRAZE_BAD_INPUT, "refit|9");
    REFUSED(s.def.tree.refit = GRAZE_REFIT_CORNERS, GRAZE_UNSUPPORTED, "corners");
    REFUSED(s.def.isa = (graze_isa)77, GRAZE_UNSUPPORTED, "77");
}

TEST(good_models_are_taken)
{
    spoiled s;
    graze_model *model = NULL;
    make_good(&s);
    REQUIRE(graze_model_create(&s.def, &model, NULL) == GRAZE_OK);
    graze_model_destroy(model);

    /* Nothing but positions and triangles: rigid, one joint. */
    s.def.influences = NULL;
    s.def.influence_offsets = NULL;
    s.def.joint_count = 1;
    REQUIRE(graze_model_create(&s.def, &model, NULL) == GRAZE_OK);
    CHECK(graze_model_get_info(model).max_influences == 1);
    graze_model_destroy(model);

    /* Example poses may be none, or not fit in floats. */
    float poses[12 * JOINTS] = {NAN};
    make_good(&s);
    s.def.example_poses = poses;
    for (s.def.example_pose_count = 0; s.def.example_pose_count < 2; s.def.example_pose_count++) {
        REQUIRE(graze_model_create(&s.def, &model, NULL) == GRAZE_OK);
        graze_model_destroy(model);
    }
    graze_model_destroy(NULL);
    graze_body_destroy(NULL);
}

TEST(groups_are_the_dominant_joints_unless_given)
{
    spoiled s;
    graze_model *model = NULL;
    make_good(&s);
    REQUIRE(graze_model_create(&s.def, &model, NULL) == GRAZE_OK);
    /* A tie goes to the lower joint; triangle weights: {2.25 .75 -} {1.25 1.25 .5} ... */
    static const uint32_t of_vertices[VERTICES] = {0, 1, 0, 1, 2, 2};
    static const uint32_t of_triangles[TRIANGLES] = {0, 0, 1, 2};
    for (uint32_t v = 0; v < VERTICES; v++)
        CHECK_MSG(graze_model_vertex_part(model, v) == of_vertices[v], "vertex %u: %u", v,
                  graze_model_vertex_part(model, v));
    for (uint32_t t = 0; t < TRIANGLES; t++) {
        uint32_t corners[3];
        CHECK_MSG(graze_model_triangle_part(model, t) == of_triangles[t], "triangle %u: %u", t,
                  graze_model_triangle_part(model, t));
        graze_model_triangle(model, t, corners);
        CHECK(memcmp(corners, s.triangles + 3 * (size_t)t, sizeof corners) == 0);
    }
    CHECK(graze_model_get_info(model).part_count == JOINTS);
    graze_model_destroy(model);

    s.def.vertex_parts = s.vertex_parts;
    s.def.triangle_parts = s.triangle_parts;
    s.def.part_count = 7;
    REQUIRE(graze_model_create(&s.def, &model, NULL) == GRAZE_OK);
    for (uint32_t v = 0; v < VERTICES; v++)
        CHECK(graze_model_vertex_part(model, v) == s.vertex_parts[v]);
    for (uint32_t t = 0; t < TRIANGLES; t++)
        CHECK(graze_model_triangle_part(model, t) == s.triangle_parts[t]);
    CHECK(graze_model_get_info(model).part_count == 7);
    graze_model_destroy(model);
}

/* Joints in any order and named twice, as many as there are: the sums are those of a table. */
TEST(groups_of_many_influences_are_the_dominant_joints)
{
    enum { MANY = 60, EACH = 90 };
    static graze_influence influences[3 * EACH];
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t triangle[3] = {0, 1, 2}, offsets[4] = {0, EACH, 2 * EACH, 3 * EACH};
    for (uint64_t seed = 0; seed < 200; seed++) {
        test_random random = test_random_seed(seed);
        double shares[MANY] = {0}, most = 0;
        for (uint32_t v = 0; v < 3; v++) {
            double own[MANY] = {0}, sum = 0;
            for (uint32_t i = v * EACH; i < (v + 1) * EACH; i++) {
                uint32_t joint = test_random_u32(&random) % MANY;
                float weight = (float)test_random_unit(&random);
                influences[i] = (graze_influence){joint, weight};
                own[joint] += weight;
                sum += weight;
            }
            for (uint32_t j = 0; j < MANY; j++)
                shares[j] += own[j] / sum;
        }
        graze_model_def def = {0};
        def.positions = positions;
        def.vertex_count = 3;
        def.triangles = triangle;
        def.triangle_count = 1;
        def.joint_count = MANY;
        def.influence_offsets = offsets;
        def.influences = influences;
        OWN(graze_model) *model = NULL;
        REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
        for (uint32_t j = 0; j < MANY; j++)
            most = fmax(most, shares[j]);
        uint32_t group = graze_model_triangle_part(model, 0);
        CHECK_MSG(group < MANY && shares[group] >= most - 1e-6, "seed %u: joint %u has %g of %g",
                  (unsigned)seed, group, group < MANY ? shares[group] : 0, most);
    }
}

/* ---- poses -------------------------------------------------------------------------------- */

static void identity(float *maps)
{
    memset(maps, 0, 12 * JOINTS * sizeof *maps);
    for (int j = 0; j < JOINTS; j++)
        maps[12 * j] = maps[12 * j + 5] = maps[12 * j + 10] = 1;
}

/* The pose is refused, the text is a line, and the body stands as before. */
static void check_pose_refused(graze_body *body, const graze_pose *pose, int line)
{
    float before[3 * VERTICES], after[3 * VERTICES];
    graze_error error;
    memset(&error, 'x', sizeof error);
    graze_body_get_positions(body, before);
    test_check(graze_body_set_pose(body, pose, &error) == GRAZE_BAD_INPUT &&
                   error.status == GRAZE_BAD_INPUT && memchr(error.text, 0, sizeof error.text) &&
                   error.text[0] && !strchr(error.text, '\n'),
               __FILE__, line, "not refused in one line");
    test_check(graze_body_set_pose(body, pose, NULL) == GRAZE_BAD_INPUT, __FILE__, line,
               "not refused without an error to write to");
    graze_body_get_positions(body, after);
    test_check(!memcmp(before, after, sizeof before), __FILE__, line, "the old pose is gone");
    graze_body_drop_caches(body);
    graze_body_get_positions(body, after);
    test_check(!memcmp(before, after, sizeof before), __FILE__, line,
               "the old pose is gone, behind the caches");
}

static void check_bad_values(graze_body *body, const float *good)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f};
    float maps[12 * JOINTS], placement[12];
    for (int number = 0; number < 12 * JOINTS; number++)
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            graze_pose pose = {.joints = maps, .joint_count = JOINTS, .placement = placement};
            memcpy(maps, good, sizeof maps);
            memcpy(placement, good, sizeof placement);
            maps[number] = bad[i];
            check_pose_refused(body, &pose, __LINE__);
            pose.placement = NULL;
            check_pose_refused(body, &pose, __LINE__);
            memcpy(maps, good, sizeof maps);
            if (number >= 12)
                continue;
            pose.placement = placement;
            placement[number] = bad[i];
            check_pose_refused(body, &pose, __LINE__);
        }
}

TEST(bad_poses_are_refused_and_the_old_one_stays)
{
    spoiled s;
    float good[12 * JOINTS];
    identity(good);
    for (int tree = 0; tree < 2; tree++) {
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = NULL;
        make_good(&s);
        if (tree)
            s.def.tree = graze_paper_tree();
        REQUIRE(graze_model_create(&s.def, &model, NULL) == GRAZE_OK);
        REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
        float moved[12 * JOINTS];
        memcpy(moved, good, sizeof moved);
        moved[3] = 5;
        graze_pose pose = {.joints = moved, .joint_count = JOINTS};
        CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
        check_bad_values(body, good);
        pose = (graze_pose){.joints = good, .joint_count = JOINTS - 1};
        check_pose_refused(body, &pose, __LINE__);
        pose = (graze_pose){.joints = good, .joint_count = JOINTS + 1};
        check_pose_refused(body, &pose, __LINE__);
        pose = (graze_pose){.joint_count = JOINTS};
        check_pose_refused(body, &pose, __LINE__);
        pose =
            (graze_pose){.joints = good, .joint_count = JOINTS, .layout = (graze_matrix_layout)5};
        check_pose_refused(body, &pose, __LINE__);
    }
}

TEST(a_new_body_is_in_the_rest_pose)
{
    spoiled s;
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    float positions[3 * VERTICES];
    make_good(&s);
    REQUIRE(graze_model_create(&s.def, &model, NULL) == GRAZE_OK);
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    graze_body_get_positions(body, positions);
    for (int i = 0; i < 3 * VERTICES; i++)
        CHECK(fabsf(positions[i] - s.positions[i]) <= 1e-6f);
}

TEST(every_status_has_a_name)
{
    for (int status = -1; status < 8; status++) {
        const char *name = graze_status_name((graze_status)status);
        CHECK(name && name[0]);
        for (int other = GRAZE_OK; other < status && status <= GRAZE_CORRUPT; other++)
            CHECK(strcmp(name, graze_status_name((graze_status)other)) != 0);
    }
    char text[32];
    uint32_t number = graze_version_number();
    snprintf(text, sizeof text, "%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
    CHECK(!strcmp(graze_version(), text));
    CHECK(number == GRAZE_VERSION);
    CHECK(graze_isa_available(GRAZE_ISA_BEST) && graze_isa_available(GRAZE_ISA_BASE));
}
