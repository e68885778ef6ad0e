/* Models as files hold them: the small one made here, and the shared ones if they are there. */
#include "gltf_support.h"
#include "harness.h"
#include "support/locale.h"
#include "support/own.h"

#include <locale.h>
#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* --- the small model -------------------------------------------------------------------- */

/* The small model with one edit of its JSON; NULL (and a failed check) if it does not load. */
static graze_rig *parse_small(const small_data *values, const char *from, const char *to)
{
    graze_rig *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    CHECK_MSG(!from || strstr(small_json, from), "an edit to '%s' finds nothing", to ? to : "");
    small_file file = small_glb(values, from, to);
    graze_gltf_parse(file.data, file.size, NULL, "small", NULL, &rig, &error);
    CHECK_MSG(rig != NULL, "%s", error.text);
    free(file.data);
    return rig;
}

static void check_posed(const graze_rig *rig, uint32_t clip, double time, const double *wanted,
                        int line)
{
    OWNED double *posed = pose_rig(rig, clip, time);
    for (uint32_t i = 0; posed && i < rig->vertex_count * 3; i++)
        test_check(fabs(posed[i] - wanted[i]) < 1e-6, __FILE__, line,
                   "vertex %u axis %u is %g, not %g", i / 3, i % 3, posed[i], wanted[i]);
}

TEST(small_model_moves_as_worked_out)
{
    OWN(graze_rig) *rig = parse_small(&small_values, NULL, NULL);
    REQUIRE(rig != NULL);
    CHECK(rig->vertex_count == 4 && rig->triangle_count == 2 && rig->joint_count == 2);
    CHECK(rig->morph_count == 1 && rig->morphs[0].count == 2 && rig->morphs[0].weight == 0.25f);
    CHECK(rig->morphs[0].vertices[0] == 1 && rig->morphs[0].vertices[1] == 3);
    CHECK(rig->clip_count == 1 && rig->clips[0].seconds == 2 && rig->clips[0].channel_count == 2);
    CHECK(strcmp(rig->clips[0].name, "bend") == 0 && strcmp(rig->nodes[1].name, "knee") == 0);
    CHECK(rig->influence_offsets[4] == 6 && rig->influences[2].joint == 1);
    /* as it stands: morphed by a quarter, joints at rest */
    check_posed(rig, GRAZE_NONE, 0, (double[]){0, 0, 0, 1, 0, 0.125, 1, 2, 0, 0, 2.0625, 0},
                __LINE__);
    /* at 1 s: morphed in full, the knee at (0, 1) turned a quarter to the left */
    check_posed(rig, 0, 1, (double[]){0, 0, 0, 1, 0.5, 0.5, 0, 2, 0, -1.25, 1, 0}, __LINE__);
}

TEST(data_uris_read_the_same)
{
    OWN(graze_rig) *glb = parse_small(&small_values, NULL, NULL), *gltf = NULL;
    small_file file = small_gltf(&small_values);
    REQUIRE(glb &&
            graze_gltf_parse(file.data, file.size, NULL, "x", NULL, &gltf, NULL) == GRAZE_OK);
    CHECK(memcmp(glb->positions, gltf->positions, 48) == 0);
    CHECK(memcmp(glb->triangles, gltf->triangles, 24) == 0);
    CHECK(memcmp(glb->clips[0].channels[0].values, gltf->clips[0].channels[0].values, 48) == 0);
    free(file.data);
}

TEST(strips_fans_and_plain_vertices)
{
    static const struct {
        const char *edit;
        uint32_t count;
        uint32_t triangles[12];
    } cases[] = {
        {"\"indices\":1,\"mode\":5,", 4, {0, 1, 2, 1, 0, 2, 2, 0, 2, 0, 3, 2}},
        {"\"indices\":1,\"mode\":6,", 4, {1, 2, 0, 2, 0, 0, 0, 2, 0, 2, 3, 0}},
        {"\"mode\":5,", 2, {0, 1, 2, 1, 3, 2}},
        {"\"mode\":6,", 2, {1, 2, 0, 2, 3, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        OWN(graze_rig) *rig = parse_small(&small_values, "\"indices\":1,", cases[i].edit);
        REQUIRE(rig != NULL);
        CHECK(rig->triangle_count == cases[i].count);
        CHECK_MSG(memcmp(rig->triangles, cases[i].triangles, cases[i].count * 12) == 0, "%s",
                  cases[i].edit);
    }
}

TEST(points_and_lines_are_left_out)
{
    OWN(graze_rig) *rig = parse_small(&small_values, "\"primitives\":[{",
                                      "\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":7},"
                                      "\"targets\":[{}]},{");
    REQUIRE(rig != NULL);
    CHECK(rig->vertex_count == 4 && rig->triangle_count == 2 && rig->morphs[0].vertices[0] == 1);
}

TEST(instances_have_morphs_of_their_own_and_share_a_skin)
{
    OWN(graze_rig) *rig = parse_small(&small_values, "\"skin\":0}",
                                      "\"skin\":0,\"children\":[4,3]},{\"mesh\":0,\"skin\":0,"
                                      "\"weights\":[0.75],\"translation\":[9,9,9]},"
                                      "{\"mesh\":0,\"translation\":[5,0,0]}");
    REQUIRE(rig != NULL);
    CHECK(rig->vertex_count == 12 && rig->triangle_count == 6);
    CHECK(rig->joint_count == 3 && rig->joints[2].node == 4 && rig->joints[2].inverse_bind[0] == 1);
    CHECK(rig->morph_count == 3 && rig->morphs[1].vertices[1] == 7);
    CHECK(rig->morphs[0].weight == 0.25f && rig->morphs[1].weight == 0.25f);
    CHECK(rig->morphs[2].weight == 0.75f); /* file order of children: node 4, then node 3 */
    check_posed(rig, GRAZE_NONE, 0, (double[]){0, 0, 0, 1, 0, 0.125, 1, 2, 0, 0, 2.0625, 0,
                                               5, 0, 0, 6, 0, 0.125, 6, 2, 0, 5, 2.0625, 0,
                                               0, 0, 0, 1, 0, 0.375, 1, 2, 0, 0, 2.1875, 0},
                __LINE__);
    float weights[3];
    REQUIRE(graze_rig_sample(rig, 0, 1, NULL, weights) == GRAZE_OK);
    CHECK(weights[0] == 1 && weights[1] == 0.25f && weights[2] == 0.75f);
    static const uint32_t nodes[3] = {2, 4, 3};
    CHECK(rig->mesh_count == 3);
    for (uint32_t i = 0; i < 3 && i < rig->mesh_count; i++) {
        const graze_rig_mesh *mesh = &rig->meshes[i];
        CHECK(mesh->node == nodes[i] && mesh->first_vertex == 4 * i && mesh->vertex_count == 4);
        CHECK(mesh->first_triangle == 2 * i && mesh->triangle_count == 2 && !mesh->name);
    }
}

TEST(meshes_keep_their_names)
{
    OWN(graze_rig) *rig =
        parse_small(&small_values, "\"primitives\":[{", "\"name\":\"body\",\"primitives\":[{");
    REQUIRE(rig != NULL && rig->mesh_count == 1);
    CHECK(rig->meshes[0].name && strcmp(rig->meshes[0].name, "body") == 0);
}

/* Nobody who prints the name of a node needs to ask whether there is one. */
TEST(nodes_without_names_get_some)
{
    static const struct {
        const char *from, *to;
        uint32_t node;
        const char *name;
    } rows[] = {{"\"name\":\"knee\"", "\"nome\":\"knee\"", 1, "hip/1"},
                {"\"name\":\"knee\"", "\"name\":\"\"", 1, "hip/1"},
                {"\"name\":\"hip\"", "\"nome\":\"hip\"", 0, "node/0"},
                {"\"name\":\"square\"", "\"nome\":7", 2, "node/2"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        OWN(graze_rig) *rig = parse_small(&small_values, rows[i].from, rows[i].to);
        REQUIRE(rig);
        for (uint32_t n = 0; n < rig->node_count; n++)
            CHECK(rig->nodes[n].name && *rig->nodes[n].name);
        const char *name = rig->nodes[rows[i].node].name;
        CHECK_MSG(strcmp(name, rows[i].name) == 0, "%s: named %s", rows[i].to, name);
    }
}

TEST(the_default_scene_counts)
{
    static const char two[] = "\"scene\":1,\"scenes\":[{\"nodes\":[0]},{\"nodes\":[2,0]}]";
    OWN(graze_rig) *rig =
        parse_small(&small_values, "\"scene\":0,\"scenes\":[{\"nodes\":[0,2]}]", two);
    REQUIRE(rig != NULL);
    CHECK(rig->triangle_count == 2);
}

TEST(channels_that_move_nothing_here)
{
    /* one without a node is some extension's; the weights of a mesh outside the scene */
    graze_rig *rig =
        parse_small(&small_values, "\"node\":1,\"path\":\"rotation\"", "\"path\":\"pointer\"");
    REQUIRE(rig != NULL);
    CHECK(rig->clips[0].channel_count == 1 && rig->clips[0].seconds == 2);
    CHECK(rig->clips[0].channels[0].path == GRAZE_RIG_WEIGHTS);
    graze_rig_destroy(rig);
    rig = parse_small(&small_values,
                      "[0,2]}],\"nodes\":[{\"name\":\"hip\",\"children\":[1]},"
                      "{\"name\":\"knee\",\"translation\":[0,1,0],\"rotation\":[0,0,0,1]},",
                      "[3]}],\"nodes\":[{\"children\":[1]},{},{\"mesh\":0},{\"mesh\":0},");
    REQUIRE(rig != NULL);
    CHECK(rig->triangle_count == 2 && rig->joint_count == 1 && rig->morph_count == 1);
    CHECK(rig->clips[0].channel_count == 1 && rig->clips[0].seconds == 2);
    CHECK(rig->clips[0].channels[0].path == GRAZE_RIG_ROTATION);
    graze_rig_destroy(rig);
}

TEST(integers_normalised_and_plain)
{
    static const struct {
        const char *accessor;
        float wanted[3];
    } cases[] = {
        {"{\"bufferView\":0,\"componentType\":5120,\"count\":4,\"type\":\"VEC3\"}", {-128, 127, 1}},
        {"{\"bufferView\":0,\"componentType\":5120,\"count\":4,\"type\":\"VEC3\","
         "\"normalized\":true}",
         {-1, 1, 1.0f / 127}},
        {"{\"bufferView\":0,\"componentType\":5121,\"count\":4,\"type\":\"VEC3\"}", {128, 127, 1}},
        {"{\"bufferView\":0,\"componentType\":5121,\"count\":4,\"type\":\"VEC3\","
         "\"normalized\":true}",
         {128 / 255.0f, 127 / 255.0f, 1 / 255.0f}},
        {"{\"bufferView\":0,\"componentType\":5122,\"count\":4,\"type\":\"VEC3\"}",
         {32640, -32767, 4}},
        {"{\"bufferView\":0,\"componentType\":5122,\"count\":4,\"type\":\"VEC3\","
         "\"normalized\":true}",
         {32640 / 32767.0f, -1, 4 / 32767.0f}},
        {"{\"bufferView\":0,\"componentType\":5123,\"count\":4,\"type\":\"VEC3\","
         "\"normalized\":true}",
         {32640 / 65535.0f, 32769 / 65535.0f, 4 / 65535.0f}},
    };
    static const unsigned char bytes[6] = {0x80, 0x7F, 0x01, 0x80, 0x04, 0x00};
    small_data values = small_values;
    memset(values.positions, 0, sizeof values.positions);
    memcpy(values.positions, bytes, sizeof bytes);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        OWN(graze_rig) *rig =
            parse_small(&values, SMALL_ACCESSOR(0, 5126, 4, "VEC3"), cases[i].accessor);
        REQUIRE(rig != NULL);
        for (int axis = 0; axis < 3; axis++)
            CHECK_MSG(rig->positions[axis] == cases[i].wanted[axis], "case %zu axis %d: %.9g", i,
                      axis, (double)rig->positions[axis]);
    }
}

TEST(strides_and_sparse)
{
    /* every second position of views 0 and 1, which lie side by side */
    graze_rig *rig = parse_small(&small_values, SMALL_VIEW(328, 48),
                                 "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":388,"
                                 "\"byteStride\":24}");
    REQUIRE(rig != NULL);
    CHECK(rig->morphs[0].vertices[0] == 1 && rig->morphs[0].deltas[0] == 1);
    CHECK(rig->morphs[0].deltas[1] == 2);
    graze_rig_destroy(rig);
    /* no base: zeros but for vertices 0, 1 and 2, taken from the displacements */
    rig = parse_small(&small_values, SMALL_ACCESSOR(0, 5126, 4, "VEC3"),
                      "{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":"
                      "{\"count\":3,\"indices\":{\"bufferView\":1,\"componentType\":5123},"
                      "\"values\":{\"bufferView\":7,\"byteOffset\":12}}}");
    REQUIRE(rig != NULL);
    const float wanted[12] = {0, 0, 0.5f, 0, 0, 0, 0, 0.25f, 0, 0, 0, 0};
    CHECK(memcmp(rig->positions, wanted, sizeof wanted) == 0);
    graze_rig_destroy(rig);
}

TEST(numbers_do_not_depend_on_the_locale)
{
    if (!locale_with_comma())
        SKIP("no locale with a decimal comma, and localedef cannot make one");
    OWN(graze_rig) *rig = parse_small(&small_values, "[0,1,0]", "[0.5,1.25,-1e-3]");
    setlocale(LC_NUMERIC, "C");
    REQUIRE(rig != NULL);
    CHECK(rig->nodes[1].translation[0] == 0.5f && rig->nodes[1].translation[1] == 1.25f);
    CHECK(rig->nodes[1].translation[2] == -1e-3f);
}

/* --- the shared models ------------------------------------------------------------------ */

static graze_rig *load_shared(const char *name)
{
    char path[1024];
    graze_rig *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), name);
    graze_gltf_load(path, NULL, &rig, &error);
    CHECK_MSG(rig != NULL, "%s", error.text);
    return rig;
}

static void shared_models_have_their_counts(void)
{
    static const struct {
        const char *name;
        uint32_t vertices, triangles, joints, morphs, clips;
        float seconds; /* of the first clip */
    } cases[] = {
        {"SimpleSkin.gltf", 10, 8, 2, 0, 1, 5.5f},
        {"RiggedFigure.glb", 370, 256, 19, 0, 1, 1.25f},
        {"CesiumMan.glb", 3273, 4672, 19, 0, 1, 2},
        {"Fox.glb", 1728, 576, 24, 0, 3, 3.4166667f},
        {"RobotExpressive.glb", 7214, 3237, 43 + 43 + 12, 3, 14, 3.3333333f},
        {"MorphStressTest.glb", 1528, 2412, 1, 8, 3, 9.366667f},
        {"AnimatedMorphCube.glb", 24, 12, 1, 2, 1, 4.2f},
        {"AnimatedMorphCube-Quantized/AnimatedMorphCube.gltf", 24, 12, 1, 2, 1, 4.2f},
        {"InterpolationTest.glb", 220, 110, 10, 0, 9, 2},
        {"SimpleSparseAccessor.gltf", 14, 12, 1, 0, 0, 0},
        {"ChairDamaskPurplegold-geom.glb", 6275, 9984, 11, 0, 0, 0},
        {"mountain_landscape/scene.gltf", 4567, 2285, 8, 0, 0, 0},
        {"synthetic/all_same_names.gltf", 370, 256, 19, 0, 1, 1.25f},
        {"synthetic/joints1_8influences.gltf", 370, 256, 19, 0, 1, 1.25f},
        {"synthetic/no_inverse_bind.gltf", 370, 256, 19, 0, 1, 1.25f},
        {"synthetic/rotation_i16norm.gltf", 370, 256, 19, 0, 1, 1.25f},
        {"synthetic/skin_morph_anim.gltf", 370, 256, 19, 2, 1, 1.25f},
        {"synthetic/skin_morph_sparse.gltf", 370, 256, 19, 2, 1, 1.25f},
        {"synthetic/skinned_mesh_instanced_twice.gltf", 740, 512, 19, 0, 1, 1.25f},
        {"synthetic/start_time_1s.gltf", 370, 256, 19, 0, 1, 2.25f},
        {"synthetic/step.gltf", 370, 256, 19, 0, 1, 1.25f},
        {"synthetic/tri_strip.gltf", 370, 766, 19, 0, 1, 1.25f},
        {"synthetic/unnamed_nodes.gltf", 370, 256, 19, 0, 1, 1.25f},
        {"synthetic/weights_u16norm.gltf", 370, 256, 19, 0, 1, 1.25f},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        OWN(graze_rig) *rig = load_shared(cases[i].name);
        if (!rig)
            continue;
        CHECK_MSG(rig->vertex_count == cases[i].vertices &&
                      rig->triangle_count == cases[i].triangles &&
                      rig->joint_count == cases[i].joints && rig->morph_count == cases[i].morphs &&
                      rig->clip_count == cases[i].clips,
                  "%s: %u vertices, %u triangles, %u joints, %u morphs, %u clips", cases[i].name,
                  rig->vertex_count, rig->triangle_count, rig->joint_count, rig->morph_count,
                  rig->clip_count);
        if (rig->clip_count > 0)
            CHECK_MSG(fabsf(rig->clips[0].seconds - cases[i].seconds) < 1e-5f, "%s: %g s",
                      cases[i].name, (double)rig->clips[0].seconds);
    }
}

/* The largest coordinate difference of two rigs' first clips. */
static double largest_difference(const graze_rig *a, double time_a, const graze_rig *b,
                                 double time_b)
{
    OWNED double *posed_a = pose_rig(a, 0, time_a), *posed_b = pose_rig(b, 0, time_b);
    double largest = 0;
    if (!posed_a || !posed_b || a->vertex_count > b->vertex_count)
        largest = INFINITY;
    for (uint32_t i = 0; isfinite(largest) && i < a->vertex_count * 3; i++)
        largest = fmax(largest, fabs(posed_a[i] - posed_b[i]));
    return largest;
}

static void variants_pose_like_the_rigged_figure(void)
{
    static const struct {
        const char *name;
        double later; /* its time minus the figure's */
        double tolerance;
    } cases[] = {
        {"synthetic/all_same_names.gltf", 0, 0},      {"synthetic/unnamed_nodes.gltf", 0, 0},
        {"synthetic/rotation_i16norm.gltf", 0, 1e-3}, {"synthetic/start_time_1s.gltf", 1, 1e-6},
        {"synthetic/tri_strip.gltf", 0, 0},           {"synthetic/weights_u16norm.gltf", 0, 1e-4},
    };
    OWN(graze_rig) *figure = load_shared("RiggedFigure.glb");
    REQUIRE(figure != NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        OWN(graze_rig) *rig = load_shared(cases[i].name);
        for (int k = 0; rig && k < 6; k++) {
            double time = 0.2371 * k;
            double difference = largest_difference(figure, time, rig, time + cases[i].later);
            CHECK_MSG(difference <= cases[i].tolerance, "%s at %g: %g", cases[i].name, time,
                      difference);
        }
    }
}

static void steps_of_the_figure_agree_at_keys_only(void)
{
    OWN(graze_rig) *figure = load_shared("RiggedFigure.glb");
    OWN(graze_rig) *rig = load_shared("synthetic/step.gltf");
    REQUIRE(figure && rig);
    const graze_rig_channel *channel = &figure->clips[0].channels[0];
    for (uint32_t k = 0; k + 1 < channel->key_count; k++) {
        double key = channel->times[k];
        CHECK(largest_difference(figure, key, rig, key) < 1e-6);
        CHECK(largest_difference(figure, key, rig, key * 0.1 + channel->times[k + 1] * 0.9) < 1e-6);
    }
}

static void morphs_of_the_figure(void)
{
    OWN(graze_rig) *dense = load_shared("synthetic/skin_morph_anim.gltf");
    OWN(graze_rig) *sparse = load_shared("synthetic/skin_morph_sparse.gltf");
    OWN(graze_rig) *figure = load_shared("RiggedFigure.glb");
    REQUIRE(dense && sparse && figure);
    float weights[2];
    CHECK(dense->morphs[0].weight == 0.3f && dense->morphs[1].weight == 0);
    CHECK(graze_rig_sample(dense, 0, 0.875, NULL, weights) == GRAZE_OK);
    CHECK(fabsf(weights[0] - 0.5f) < 1e-6f && fabsf(weights[1] - 0.75f) < 1e-6f);
    CHECK(largest_difference(figure, 0, dense, 0) == 0); /* where both weights are 0 */
    CHECK(largest_difference(figure, 0.5, dense, 0.5) > 0.01);
    for (int k = 0; k < 6; k++)
        CHECK(largest_difference(dense, k * 0.25, sparse, k * 0.25) == 0);
}

static void odd_skins_of_the_figure(void)
{
    OWN(graze_rig) *twice = load_shared("synthetic/skinned_mesh_instanced_twice.gltf");
    OWN(graze_rig) *many = load_shared("synthetic/joints1_8influences.gltf");
    OWN(graze_rig) *unbound = load_shared("synthetic/no_inverse_bind.gltf");
    REQUIRE(twice && many && unbound);
    double *posed = pose_rig(twice, 0, 0.4);
    CHECK(posed && memcmp(posed, posed + 370 * 3, 370 * 3 * sizeof *posed) == 0);
    CHECK(twice->triangles[256 * 3] == twice->triangles[0] + 370);
    free(posed);
    uint32_t most = 0;
    for (uint32_t v = 0; v < 370; v++) {
        uint32_t count = many->influence_offsets[v + 1] - many->influence_offsets[v];
        most = count > most ? count : most;
    }
    CHECK(most > 4 && most <= 8);
    const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (uint32_t j = 0; j < unbound->joint_count; j++)
        CHECK(memcmp(unbound->joints[j].inverse_bind, identity, sizeof identity) == 0);
}

static void simple_skin_bends(void)
{
    OWN(graze_rig) *rig = load_shared("SimpleSkin.gltf");
    REQUIRE(rig != NULL);
    /* At 1 s joint 1, at (0, 1), is turned a quarter; its keys in the file are not unit. */
    double wanted[30] = {-0.5, 0, 0, 0.5, 0, 0};
    for (int level = 1; level <= 4; level++) {
        for (int side = 0; side < 2; side++) {
            double x = side - 0.5, y = level * 0.5, weight = level * 0.25;
            wanted[level * 6 + side * 3] = (1 - weight) * x + weight * (1 - y);
            wanted[level * 6 + side * 3 + 1] = (1 - weight) * y + weight * (1 + x);
        }
    }
    check_posed(rig, 0, 1, wanted, __LINE__);
}

static void sparse_positions(void)
{
    const float wanted[3][3] = {{1, 2, 0}, {3, 3, 0}, {5, 4, 0}}; /* vertices 8, 10 and 12 */
    OWN(graze_rig) *rig = load_shared("SimpleSparseAccessor.gltf");
    REQUIRE(rig != NULL);
    for (int i = 0; i < 3; i++)
        CHECK(memcmp(rig->positions + (8 + 2 * i) * 3, wanted[i], sizeof wanted[i]) == 0);
    CHECK(rig->positions[9 * 3] == 2 && rig->positions[9 * 3 + 1] == 1);
}

/* How far the farthest vertex of a is from the nearest of b: their orders differ. */
static double farthest(const double *a, const double *b, uint32_t count)
{
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        double nearest = INFINITY;
        for (uint32_t k = 0; k < count; k++)
            nearest = fmin(nearest, hypot(hypot(a[i * 3] - b[k * 3], a[i * 3 + 1] - b[k * 3 + 1]),
                                          a[i * 3 + 2] - b[k * 3 + 2]));
        largest = fmax(largest, nearest);
    }
    return largest;
}

static void quantised_cube_equals_the_plain_one(void)
{
    OWN(graze_rig) *plain = load_shared("AnimatedMorphCube.glb");
    OWN(graze_rig) *quantised = load_shared("AnimatedMorphCube-Quantized/AnimatedMorphCube.gltf");
    REQUIRE(plain && quantised);
    for (int k = 0; k < 10; k++) {
        OWNED double *a = pose_rig(plain, 0, k * 0.45), *b = pose_rig(quantised, 0, k * 0.45);
        REQUIRE(a && b);
        double there = farthest(a, b, 24), back = farthest(b, a, 24);
        double tolerance = k == 0 ? 1e-4 : 4e-3; /* its animated weights have 8 bits */
        CHECK_MSG(there < tolerance && back < tolerance, "at %g: %g and %g", k * 0.45, there, back);
    }
}

static void weights_are_kept_as_they_are(void)
{
    double largest = 0;
    OWN(graze_rig) *rig = load_shared("RobotExpressive.glb");
    REQUIRE(rig != NULL);
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        double sum = 0;
        for (uint32_t i = rig->influence_offsets[v]; i < rig->influence_offsets[v + 1]; i++)
            sum += rig->influences[i].weight;
        largest = fmax(largest, sum);
    }
    CHECK_MSG(fabs(largest - 1.76) < 0.01, "largest sum %g", largest);
}

static void the_robot_has_two_skins_and_rigid_parts(void)
{
    uint32_t rigid = 0, skinned = 0;
    float joints[98 * 12], weights[3];
    OWN(graze_rig) *rig = load_shared("RobotExpressive.glb");
    REQUIRE(rig && rig->joint_count == 98);
    const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (uint32_t j = 0; j < 98; j++) {
        bool is_rigid = memcmp(rig->joints[j].inverse_bind, identity, sizeof identity) == 0;
        rigid += is_rigid;
        skinned += !is_rigid;
    }
    CHECK_MSG(rigid == 12 && skinned == 86, "%u rigid, %u skinned", rigid, skinned);
    CHECK(graze_rig_find_clip(rig, "Walking") == 10 && graze_rig_find_clip(rig, "13") == 13);
    for (uint32_t clip = 0; clip < rig->clip_count; clip++)
        CHECK(graze_rig_sample(rig, clip, 0.4, joints, weights) == GRAZE_OK);
}

/* InterpolationTest: keys every half second; values here are written out from its description. */
static double between(graze_rig_interpolation mode, double time, double even, double odd)
{
    int key = (int)floor(time / 0.5);
    double t = time / 0.5 - key, from = key % 2 ? odd : even, to = key % 2 ? even : odd;
    if (mode == GRAZE_RIG_STEP)
        return from;
    if (mode == GRAZE_RIG_CUBICSPLINE) /* tangents are zero */
        t = t * t * (3 - 2 * t);
    return from + t * (to - from);
}

static double turned(graze_rig_interpolation mode, double time)
{
    const double eighth = acos(-1.0) / 8; /* half angles go down by this from key to key */
    int key = (int)floor(time / 0.5);
    double t = time / 0.5 - key;
    if (mode == GRAZE_RIG_STEP)
        return -2 * eighth * key;
    if (mode == GRAZE_RIG_LINEAR)
        return -2 * eighth * (key + t);
    /* every tangent is (0, 0, 0, 1) a second */
    double h01 = t * t * (3 - 2 * t), h00 = 1 - h01;
    double tangents = 0.5 * ((t * t * t - 2 * t * t + t) + (t * t * t - t * t));
    double z = -(h00 * sin(eighth * key) + h01 * sin(eighth * (key + 1)));
    double w = h00 * cos(eighth * key) + h01 * cos(eighth * (key + 1)) + tangents;
    return 2 * atan2(z, w);
}

static void check_interpolation(const graze_rig *rig, const char *name, uint32_t node,
                                graze_rig_path path, graze_rig_interpolation mode)
{
    uint32_t clip = graze_rig_find_clip(rig, name), joint = 0;
    while (joint < rig->joint_count && rig->joints[joint].node != node)
        joint++;
    REQUIRE(clip != GRAZE_NONE && joint < rig->joint_count);
    for (double time = 0.03; time < 2; time += 0.07) {
        float joints[10 * 12], *m = joints + joint * 12;
        CHECK(graze_rig_sample(rig, clip, time, joints, NULL) == GRAZE_OK);
        double wanted = path == GRAZE_RIG_ROTATION ? sin(turned(mode, time))
                        : path == GRAZE_RIG_SCALE  ? between(mode, time, 1, 0)
                                                   : between(mode, time, 6.8, 10.8);
        double got = path == GRAZE_RIG_ROTATION ? m[4] : path == GRAZE_RIG_SCALE ? m[5] : m[7];
        CHECK_MSG(fabs(got - wanted) < 1e-5, "%s at %g: %g, not %g", name, time, got, wanted);
    }
}

static void interpolation_test(void)
{
    OWN(graze_rig) *rig = load_shared("InterpolationTest.glb");
    REQUIRE(rig && rig->joint_count == 10);
    check_interpolation(rig, "Step Scale", 0, GRAZE_RIG_SCALE, GRAZE_RIG_STEP);
    check_interpolation(rig, "Linear Scale", 1, GRAZE_RIG_SCALE, GRAZE_RIG_LINEAR);
    check_interpolation(rig, "CubicSpline Scale", 2, GRAZE_RIG_SCALE, GRAZE_RIG_CUBICSPLINE);
    check_interpolation(rig, "Step Rotation", 3, GRAZE_RIG_ROTATION, GRAZE_RIG_STEP);
    check_interpolation(rig, "CubicSpline Rotation", 4, GRAZE_RIG_ROTATION, GRAZE_RIG_CUBICSPLINE);
    check_interpolation(rig, "Linear Rotation", 5, GRAZE_RIG_ROTATION, GRAZE_RIG_LINEAR);
    check_interpolation(rig, "Step Translation", 6, GRAZE_RIG_TRANSLATION, GRAZE_RIG_STEP);
    check_interpolation(rig, "CubicSpline Translation", 7, GRAZE_RIG_TRANSLATION,
                        GRAZE_RIG_CUBICSPLINE);
    check_interpolation(rig, "Linear Translation", 8, GRAZE_RIG_TRANSLATION, GRAZE_RIG_LINEAR);
}

TEST(shared_models_read_as_they_should)
{
    if (!test_models_folder())
        SKIP_ALLOWED("the shared models are not there");
    shared_models_have_their_counts();
    variants_pose_like_the_rigged_figure();
    steps_of_the_figure_agree_at_keys_only();
    morphs_of_the_figure();
    odd_skins_of_the_figure();
    simple_skin_bends();
    sparse_positions();
    quantised_cube_equals_the_plain_one();
    weights_are_kept_as_they_are();
    the_robot_has_two_skins_and_rigid_parts();
    interpolation_test();
}
