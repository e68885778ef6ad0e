/* Bodies with positions given by the caller: every question has the answer of brute force, asked of
 * puppets, twins that come to the same positions by a pose. A puppet has the same triangles at rest
 * and a joint for each vertex, which puts it where the position is; its def says that joints of
 * vertices are one that cannot part in the model.
 */
#include "harness.h"

#include "support/agreement.h"
#include "support/allocator.h"
#include "support/cannot_part.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigid.h"
#include "support/variants.h"
#include "support/ways_asked.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 60, TRIANGLES = 90, GROUPS = 3, MODELS = 2, BODIES = 4 };

/* ---- positions ------------------------------------------------------------------------------- */

typedef enum given_kind {
    GIVEN_SHAKEN, /* a little away from rest */
    GIVEN_ANYWHERE,
    GIVEN_LATTICE, /* where much touches */
    GIVEN_FLAT,
    GIVEN_LINE,
    GIVEN_POINT,
    GIVEN_FAR,  /* 1e15 from the origin, where neighbouring floats are 1e8 apart */
    GIVEN_HUGE, /* up to 1e17 */
    GIVEN_TINY,
    GIVEN_KINDS
} given_kind;

static const double sizes[GIVEN_KINDS] = {1, 1, 1, 1, 1, 1, 1e15, 1e17, 1e-15};

static float give_number(given_kind kind, float rest, uint32_t axis, test_random *random)
{
    double by = test_random_range(random, -1, 1);
    switch (kind) {
    case GIVEN_SHAKEN:
        return rest + (float)(0.03 * by);
    case GIVEN_LATTICE:
        return 0.25f * (float)((int)(test_random_u32(random) % 5) - 2);
    case GIVEN_FLAT:
        return axis == 1 ? 0.5f : (float)by;
    case GIVEN_LINE:
        return axis ? 0.125f : (float)by;
    case GIVEN_POINT:
        return 0.375f;
    case GIVEN_FAR:
        return (float)(1e15 + 5e9 * by);
    default:
        return (float)(sizes[kind] * by);
    }
}

/* None of them is -0, which a pose would turn into 0. */
static void give_positions(given_kind kind, const soup *mesh, test_random *random, float *positions)
{
    for (uint32_t i = 0; i < 3 * mesh->def.vertex_count; i++)
        positions[i] = give_number(kind, mesh->positions[i], i % 3, random) + 0.0f;
}

/* ---- bodies and puppets ---------------------------------------------------------------------- */

typedef struct stage {
    test_random random;
    bool strung; /* models have the puppets' influences, too, which rays tell of */
    soup meshes[MODELS];
    graze_influence *strings[MODELS]; /* the puppets' influences */
    uint32_t *string_offsets[MODELS];
    uint32_t vertex_parts[VERTICES], triangle_parts[TRIANGLES];
    graze_model *models[MODELS], *puppet_models[MODELS];
    graze_body *bodies[BODIES], *puppets[BODIES];
    float *positions[BODIES];
    ways_scene *scene;
} stage;

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        abort();
    return memory;
}

static graze_model *make_model(const graze_model_def *def)
{
    graze_model *model = NULL;
    graze_error error = {.text = ""};
    if (!test_check(graze_model_create(def, &model, &error) == GRAZE_OK, __FILE__, __LINE__, "%s",
                    error.text))
        abort();
    return model;
}

static void open_models(stage *s, uint32_t m, uint32_t number)
{
    const soup_def mesh = {.vertex_count = VERTICES,
                           .triangle_count = TRIANGLES,
                           .joint_count = 1 + number % 4,
                           .max_influences = 2,
                           .size = 1,
                           .lattice = number % 5 == 4};
    s->meshes[m] = soup_make(&mesh, &s->random);
    graze_model_def def = soup_model_def(&s->meshes[m]);
    def.tree = agreement_tree(number % agreement_tree_count());
    def.no_self_collision = number % 3 == 0;
    def.isa = variants_isa(number);
    def.skinning = number % 7 == 6 ? GRAZE_DUAL : GRAZE_LINEAR;
    def.vertex_parts = s->vertex_parts;
    def.triangle_parts = s->triangle_parts;
    def.part_count = GROUPS;
    s->strings[m] = take(VERTICES, sizeof *s->strings[m]);
    s->string_offsets[m] = take(VERTICES + 1, sizeof(uint32_t));
    for (uint32_t v = 0; v < VERTICES; v++) {
        s->strings[m][v] = (graze_influence){.joint = v, .weight = 1};
        s->string_offsets[m][v + 1] = v + 1;
    }
    OWNED uint32_t *names = s->strung ? NULL : cannot_part(&def);
    if (!s->strung)
        s->models[m] = make_model(&def);
    def.influences = s->strings[m];
    def.influence_offsets = s->string_offsets[m];
    def.joint_count = VERTICES;
    def.skinning = GRAZE_LINEAR;
    if (s->strung)
        s->models[m] = make_model(&def);
    def.no_self_collision = true;
    def.isa = GRAZE_ISA_BASE;
    def.same_joints = names;
    s->puppet_models[m] = make_model(&def);
}

static void stage_open(stage *s, uint32_t number)
{
    memset(s, 0, sizeof *s);
    s->random = test_random_seed(900 + number);
    s->strung = (number + number / agreement_tree_count()) % 2;
    for (uint32_t v = 0; v < VERTICES; v++)
        s->vertex_parts[v] = v % GROUPS;
    for (uint32_t t = 0; t < TRIANGLES; t++)
        s->triangle_parts[t] = t % GROUPS;
    for (uint32_t m = 0; m < MODELS; m++)
        open_models(s, m, number + 5 * m);
    for (uint32_t i = 0; i < BODIES; i++) {
        s->positions[i] = take(3 * VERTICES, sizeof(float));
        if (graze_body_create(s->models[i / 2], &s->bodies[i], NULL) ||
            graze_body_create(s->puppet_models[i / 2], &s->puppets[i], NULL))
            abort();
    }
    s->scene = ways_over(s->bodies, s->puppets, true, "given positions");
}

static void stage_close(stage *s)
{
    ways_close(s->scene);
    for (uint32_t i = 0; i < BODIES; i++) {
        graze_body_destroy(s->bodies[i]);
        graze_body_destroy(s->puppets[i]);
        free(s->positions[i]);
    }
    for (uint32_t m = 0; m < MODELS; m++) {
        graze_model_destroy(s->models[m]);
        graze_model_destroy(s->puppet_models[m]);
        soup_free(&s->meshes[m]);
        free(s->strings[m]);
        free(s->string_offsets[m]);
    }
}

static void pull_strings(stage *s, uint32_t i)
{
    OWNED float *joints = take(VERTICES, 12 * sizeof *joints);
    for (uint32_t v = 0; v < VERTICES; v++)
        for (uint32_t axis = 0; axis < 3; axis++)
            joints[12 * v + 4 * axis + 3] = s->positions[i][3 * v + axis];
    const graze_pose pose = {.joints = joints, .joint_count = VERTICES};
    CHECK(graze_body_set_pose(s->puppets[i], &pose, NULL) == GRAZE_OK);
}

/* A pose of the skin; the puppet follows. */
static void pose_body(stage *s, uint32_t i)
{
    const soup *mesh = &s->meshes[i / 2];
    OWNED float *joints = take(mesh->def.joint_count, 12 * sizeof *joints);
    pose_make(test_random_u32(&s->random) % 2 ? MAP_NEAR : MAP_RIGID, mesh, &s->random, joints);
    const graze_pose pose = {.joints = joints, .joint_count = mesh->def.joint_count};
    CHECK(graze_body_set_pose(s->bodies[i], &pose, NULL) == GRAZE_OK);
    graze_body_get_positions(s->bodies[i], s->positions[i]);
    graze_body_drop_caches(s->bodies[i]); /* so that it poses again, lazily */
}

/* Of all bodies one is posed now and then, in a stage where all have about one size. */
static void change(stage *s, uint32_t i, given_kind kind)
{
    if (sizes[kind] == 1 && !s->strung && test_random_u32(&s->random) % 4 == 0) {
        pose_body(s, i);
    } else {
        give_positions(kind, &s->meshes[i / 2], &s->random, s->positions[i]);
        CHECK(graze_body_set_positions(s->bodies[i], s->positions[i], 0, VERTICES, NULL) ==
              GRAZE_OK);
    }
    pull_strings(s, i);
}

/* Kinds of one size, so that bodies meet. */
static given_kind other_kind(stage *s, given_kind kind)
{
    return sizes[kind] == 1 ? (given_kind)(test_random_u32(&s->random) % (GIVEN_POINT + 1)) : kind;
}

static uint32_t ask_everything(stage *s)
{
    static const ways_way ways[] = {WAY_array, WAY_any, WAY_only_new, WAY_eager};
    uint32_t asked = 0;
    ways_draw(s->scene, test_random_u32(&s->random));
    for (int q = 0; q < ASK_COUNT; q++) {
        bool casts = q == ASK_cast || q == ASK_cast_all || q == ASK_cast_many;
        for (int i = 0; i < 2 && (s->strung || !casts); i++, asked++)
            ways_ask_in(s->scene, (ways_question)q,
                        ways[i ? test_random_u32(&s->random) % 4 : WAY_array]);
        if (test_random_u32(&s->random) % 4 == 0)
            graze_body_drop_caches(s->bodies[test_random_u32(&s->random) % BODIES]);
    }
    return asked;
}

TEST(every_question_has_the_answer_of_brute_force)
{
    static stage s;
    uint32_t stages = test_amount(16, 14), step = test_amount(1, 2), asked = 0;
    for (uint32_t number = 0; number < stages; number++) {
        stage_open(&s, number);
        for (uint32_t round = 0; round < 2 / step; round++)
            for (given_kind kind = number % step; kind < GIVEN_KINDS; kind += step) {
                if (kind == GIVEN_TINY && test_flushes_denormals())
                    continue;
                for (uint32_t i = 0; i < BODIES; i++)
                    change(&s, i, i ? other_kind(&s, kind) : kind);
                asked += ask_everything(&s);
            }
        stage_close(&s);
    }
    printf("     %u questions in %u stages\n", asked, stages);
}

/* ---- what is taken over ---------------------------------------------------------------------- */

/* A strip of so many vertices that no skin has, with its memory as large as it must be. */
static graze_model *make_strip(uint32_t vertex_count, const graze_allocator *allocator)
{
    OWNED float *positions = take(3 * (size_t)vertex_count, sizeof *positions);
    OWNED uint32_t *triangles = take(3 * (size_t)vertex_count, sizeof *triangles);
    for (uint32_t v = 0; v < vertex_count; v++) {
        positions[3 * (size_t)v] = (float)v;
        positions[3 * (size_t)v + 1] = (float)(v % 2);
    }
    for (uint32_t t = 0; t + 2 < vertex_count; t++)
        for (uint32_t c = 0; c < 3; c++)
            triangles[3 * (size_t)t + c] = t + c;
    graze_model_def def = test_rigid_def(positions, vertex_count, triangles, vertex_count - 2);
    def.allocator = allocator;
    graze_model *model = make_model(&def);
    return model;
}

static float any_number(test_random *random)
{
    static const float odd[] = {0,         -0.0f,          1e-45f,         -1e-40f,
                                0x1p-126f, 0x1.bc16d4p59f, -0x1.bc16d4p59f};
    uint32_t number = test_random_u32(random) % 16;
    return number < 7 ? odd[number] : (float)test_random_range(random, -1e3, 1e3);
}

/* The array ends with the last vertex's third float: the address sanitizer sees what is read
 * behind it.
 */
TEST(positions_come_back_bit_for_bit_from_any_stride)
{
    static const size_t strides[] = {0, 12, 13, 14, 15, 16, 20, 32, 33, 100};
    test_random random = test_random_seed(5);
    CHECK(0x1.bc16d4p59f < 1e18f);
    for (uint32_t count = 3; count < 700; count += 1 + count / 8) {
        OWN(graze_model) *model = make_strip(count, NULL);
        graze_body *body;
        REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
        for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
            size_t step = strides[i] ? strides[i] : 12, size = 3 * sizeof(float) * count;
            OWNED float *given = malloc(size), *back = malloc(size);
            char *wide = malloc(step * (count - 1) + 12);
            for (uint32_t k = 0; k < 3 * count; k++)
                given[k] = any_number(&random);
            memset(wide, 0xff, step * (count - 1) + 12);
            for (uint32_t v = 0; v < count; v++)
                memcpy(wide + step * v, given + 3 * (size_t)v, 12);
            CHECK(graze_body_set_positions(body, (const float *)(const void *)wide, strides[i],
                                           count, NULL) == GRAZE_OK);
            free(wide);
            graze_body_drop_caches(body);
            graze_body_get_positions(body, back);
            CHECK_MSG(memcmp(given, back, size) == 0, "%u vertices, stride %zu", count, strides[i]);
        }
        graze_body_destroy(body);
    }
}

TEST(a_bad_number_is_refused_wherever_it_is)
{
    enum { COUNT = 700 };
    static const float bad[] = {NAN, -NAN, INFINITY, -INFINITY, 1e18f, -1e18f, 3e38f};
    OWN(graze_model) *model = make_strip(COUNT, NULL);
    OWN(graze_body) *body = NULL;
    OWNED float *given = take(3 * COUNT, sizeof *given);
    OWNED float *back = take(3 * COUNT, sizeof *back), *kept = take(3 * COUNT, sizeof *kept);
    OWNED char *wide = take(COUNT, 20);
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    for (uint32_t i = 0; i < 3 * COUNT; i++)
        given[i] = kept[i] = (float)i;
    for (int round = 0; round < 2; round++) { /* in the rest pose, then given */
        if (round)
            CHECK(graze_body_set_positions(body, kept, 0, COUNT, NULL) == GRAZE_OK);
        else
            graze_body_get_positions(body, kept);
        for (uint32_t i = 0; i < 3 * COUNT; i++) {
            graze_error error = {.text = ""};
            char name[32];
            size_t stride = i % 3 == 1 ? 20 : 0;
            given[i] = bad[(i / 3 + i) % 7];
            for (uint32_t v = 0; v < COUNT; v++)
                memcpy(wide + 20 * v, given + 3 * (size_t)v, 12);
            const float *from = stride ? (const float *)(const void *)wide : given;
            CHECK(graze_body_set_positions(body, from, stride, COUNT, &error) == GRAZE_BAD_INPUT);
            snprintf(name, sizeof name, "vertex %u is at ", i / 3);
            CHECK_MSG(strncmp(error.text, name, strlen(name)) == 0, "%s", error.text);
            given[i] = (float)i;
        }
        graze_body_get_positions(body, back);
        CHECK(memcmp(back, kept, 3 * COUNT * sizeof *back) == 0);
        memcpy(kept, given, 3 * COUNT * sizeof *kept);
    }
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

TEST(bad_arguments_are_refused)
{
    OWN(graze_model) *model = make_strip(9, NULL);
    OWN(graze_body) *body = NULL;
    float positions[27] = {0};
    graze_error error = {.text = ""};
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    CHECK(graze_body_set_positions(NULL, positions, 0, 9, &error) == GRAZE_BAD_INPUT);
    CHECK(starts_with(error.text, "the body is NULL"));
    CHECK(graze_body_set_positions(body, NULL, 0, 9, &error) == GRAZE_BAD_INPUT);
    CHECK(starts_with(error.text, "the array of positions is NULL"));
    for (uint32_t count = 0; count < 20; count++) {
        bool ok = graze_body_set_positions(body, positions, 0, count, &error) == GRAZE_OK;
        CHECK_MSG(ok == (count == 9), "%u positions", count);
    }
    CHECK(starts_with(error.text, "19 positions given, the model has 9 vertices"));
    for (size_t stride = 1; stride < 12; stride++) {
        CHECK(graze_body_set_positions(body, positions, stride, 9, &error) == GRAZE_BAD_INPUT);
        CHECK(starts_with(error.text, "the stride is "));
        CHECK(graze_body_set_positions(body, positions, stride, 9, NULL) == GRAZE_BAD_INPUT);
    }
}

TEST(morph_weights_need_a_pose)
{
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, deltas[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, weight = 0.5f;
    const uint32_t triangle[3] = {0, 1, 2};
    const graze_morph_target morph = {NULL, deltas, 3};
    graze_model_def def = test_rigid_def(positions, 3, triangle, 1);
    def.morphs = &morph;
    def.morph_count = 1;
    OWN(graze_model) *model = make_model(&def);
    OWN(graze_body) *body = NULL;
    graze_error error = {.text = ""};
    float back[9];
    const graze_pose pose = {.joints = identity, .joint_count = 1};
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    for (int coherent = 0; coherent < 2; coherent++) {
        CHECK(graze_body_set_positions(body, positions, 0, 3, NULL) == GRAZE_OK);
        CHECK(graze_body_set_morph_weights(body, &weight, 1, coherent, &error) == GRAZE_BAD_INPUT);
        CHECK(starts_with(error.text, "the body's positions were given"));
        graze_body_get_positions(body, back);
        CHECK(memcmp(back, positions, sizeof back) == 0);
        CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
        CHECK(graze_body_set_morph_weights(body, &weight, 1, coherent, NULL) == GRAZE_OK);
        graze_body_get_positions(body, back);
        CHECK(back[2] == 0.5f);
    }
}

static void compare(answers *expected, answers *found, const char *what)
{
    answers_sort(expected);
    CHECK_MSG(answers_sort(found), "%s reports something twice", what);
    CHECK_MSG(answers_equal(expected, found, NULL), "%s: %zu pairs, brute force has %zu", what,
              found->count, expected->count);
    answers_clear(found);
}

/* A strip of one joint, from rest to where it is rolled up through itself, and back: the table
 * knows that rest has no fold, and that says nothing of the way.
 */
TEST(strips_that_roll_up_meet_themselves_on_the_way)
{
    enum { COUNT = 300 };
    OWN(graze_model) *model = make_strip(COUNT, NULL);
    OWN(graze_body) *posed = NULL, *given = NULL;
    OWNED float *positions = take(3 * COUNT, sizeof *positions);
    for (uint32_t v = 0; v < COUNT; v++) {
        positions[3 * v] = (float)(10 * sin(0.1 * v));
        positions[3 * v + 1] = (float)(v % 2);
        positions[3 * v + 2] = (float)((10 - 0.03 * v) * cos(0.13 * v));
    }
    REQUIRE(!graze_body_create(model, &posed, NULL) && !graze_body_create(model, &given, NULL));
    CHECK(!graze_body_set_positions(given, positions, 0, COUNT, NULL));
    const graze_motion ways[3] = {{.start = posed, .end = given},
                                  {.start = given, .end = posed},
                                  {.start = given, .end = given}};
    for (int i = 0; i < 3; i++) {
        OWN(answers) expected = {0}, found = {0};
        CHECK(!graze_sweep_all(&ways[i], NULL, IMPACTS_TO(&expected),
                               &(graze_options){.method = GRAZE_BRUTE}, NULL));
        CHECK(!graze_sweep_all(&ways[i], NULL, IMPACTS_TO(&found), NULL, NULL));
        CHECK(expected.count > 100);
        compare(&expected, &found, "sweep_all of a strip");
        answers_clear(&expected);
        CHECK(!graze_self_pairs(ways[i].start, NULL, SELF_TO(&expected),
                                &(graze_options){.method = GRAZE_BRUTE}, NULL));
        CHECK(!graze_self_pairs(ways[i].start, NULL, SELF_TO(&found), NULL, NULL));
        CHECK((expected.count > 100) == (i > 0));
        compare(&expected, &found, "self_pairs of a strip");
    }
}

/* Bounds are found from the leaves up, whichever is asked for first. */
TEST(nodes_may_be_asked_for_in_any_order)
{
    OWN(graze_model) *model = make_strip(1000, NULL);
    uint32_t nodes = graze_model_get_info(model).node_count;
    OWN(graze_body) *body = NULL;
    float positions[3000];
    REQUIRE(nodes > 10 && graze_body_create(model, &body, NULL) == GRAZE_OK);
    graze_body_get_positions(body, positions);
    for (uint32_t first = 0; first < nodes; first++) {
        graze_node_view view, best;
        for (uint32_t v = 0; v < 1000; v++)
            positions[3 * v + 2] = (float)first;
        CHECK(!graze_body_set_positions(body, positions, 0, 1000, NULL));
        CHECK(!graze_body_view_node(body, first, GRAZE_NODE_CURRENT, &view));
        CHECK(!graze_body_view_node(body, first, GRAZE_NODE_BEST, &best));
        for (int k = 0; k < 3; k++)
            CHECK(view.centre[k] == best.centre[k] && view.half[k] == best.half[k]);
        const graze_shape sphere = graze_shape_sphere(positions + 3 * 500, 0.25f);
        CHECK(test_touches(body, &sphere, NULL));
    }
}

/* ---- what it costs --------------------------------------------------------------------------- */

TEST(taking_positions_allocates_nothing)
{
    test_memory memory = {0};
    const graze_allocator allocator = test_memory_allocator(&memory);
    OWN(graze_model) *model = make_strip(500, &allocator);
    OWN(graze_body) *body = NULL;
    OWNED float *positions = take(1500, sizeof *positions);
    OWN(answers) pairs = {0};
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    uint64_t before = memory.calls;
    CHECK(graze_body_set_positions(body, positions, 0, 500, NULL) == GRAZE_OK);
    CHECK(graze_self_pairs(body, NULL, SELF_TO(&pairs), NULL, NULL) == GRAZE_OK);
    CHECK(memory.calls == before && pairs.count > 0);
}

TEST(bounds_are_found_when_a_query_needs_them)
{
    enum { COUNT = 3000 };
    OWN(graze_model) *model = make_strip(COUNT, NULL);
    uint64_t nodes = graze_model_get_info(model).node_count;
    graze_body *bodies[2];
    float *positions = take(3 * COUNT, sizeof *positions);
    REQUIRE(!graze_body_create(model, &bodies[0], NULL) &&
            !graze_body_create(model, &bodies[1], NULL));
    graze_body_get_positions(bodies[0], positions);
    for (int apart = 1; apart >= 0; apart--) {
        graze_stats stats = {0}, again = {0};
        CHECK(!graze_body_set_positions(bodies[0], positions, 0, COUNT, NULL));
        for (uint32_t v = 0; v < COUNT; v++)
            positions[3 * v + 2] = apart ? 1 : 0;
        CHECK(!graze_body_set_positions(bodies[1], positions, 0, COUNT, NULL));
        for (uint32_t v = 0; v < COUNT; v++)
            positions[3 * v + 2] = 0;
        CHECK(test_meets(bodies[0], bodies[1], &stats) == !apart);
        CHECK(test_meets(bodies[0], bodies[1], &again) == !apart);
        CHECK(stats.vertices_posed == 0 && stats.patches_posed == 0 && again.nodes_refit == 0);
        CHECK(stats.nodes_refit == (apart ? 2 : 2 * nodes));
    }
    free(positions);
    graze_body_destroy(bodies[0]);
    graze_body_destroy(bodies[1]);
}
