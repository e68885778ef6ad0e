/* KHR_draco_mesh_compression: the numbers that libdraco decodes, and what is corrupt is refused.
 *
 * libdraco's own decoder, asked another way, is the reference; without quantisation so is the plain
 * file.
 */
#include "packed/packed_support.h"
#include "support/json.h"
#include "support/own.h"

static unsigned char *pack_small(bool is_sequential, int bits, size_t *size)
{
    small_file glb = small_glb(&small_values, NULL, NULL);
    unsigned char *packed = draco_pack_glb(glb.data, glb.size, is_sequential, bits, size);
    free(glb.data);
    return packed;
}

/* Skinned and morphed; targets stay uncompressed, so the vertices keep their order. */
TEST(sequential_without_quantisation_gives_the_same_bits)
{
    small_file glb = small_glb(&small_values, NULL, NULL);
    graze_rig *plain = load_bytes(glb.data, glb.size, "plain");
    size_t size;
    unsigned char *packed = pack_small(true, 0, &size);
    graze_rig *rig = load_bytes(packed, size, "packed");
    expect_same(plain, rig, false, "sequential");
    graze_rig_destroy(plain);
    graze_rig_destroy(rig);
    free(packed);
    free(glb.data);
}

/* A character of the command's, in hundreds of pieces. */
static char *make_robot(size_t *size)
{
    return read_whole_file(SYNTH("robot-skinned", "3000"), size);
}

TEST(what_libdraco_decodes)
{
    size_t size, packed_size;
    char *robot = make_robot(&size);
    REQUIRE(robot != NULL);
    for (int i = 0; i < 8; i++) {
        bool is_sequential = i % 2;
        int bits = (int[]){0, 8, 11, 16}[i / 2];
        unsigned char *packed = draco_pack_glb(robot, size, is_sequential, bits, &packed_size);
        draco_answer answer = draco_unpack_glb(packed, packed_size);
        graze_rig *rig = load_bytes(packed, packed_size, "packed");
        REQUIRE(rig != NULL);
        CHECK(rig->vertex_count == answer.points && rig->triangle_count == answer.faces);
        CHECK(answer.points > 500 && answer.faces > 1000);
        CHECK(memcmp(rig->positions, answer.positions, answer.points * 12) == 0);
        CHECK(memcmp(rig->triangles, answer.indices, answer.faces * 12) == 0);
        graze_rig_destroy(rig);
        free(answer.positions);
        free(answer.indices);
        free(packed);
    }
}

/* What a command prints of a few frames, without the microseconds that it took; must be freed. */
static char *collide(const char *path)
{
    const char *const arguments[] = {"collide", path,      "--at",   "0.2,0,0.05",
                                     "--times", "0:0.5:8", "--json", NULL};
    command_result result = command_run(GRAZE_COMMAND, arguments);
    CHECK_MSG(result.code == 0, "%s", result.err);
    char *out = result.out;
    for (char *from = result.out; *from;) {
        if (strncmp(from, "\"us\":", 5) == 0)
            from += strcspn(from, ",}");
        else
            *out++ = *from++;
    }
    *out = 0;
    char *text = strdup(result.out);
    return text;
}

TEST(collide_answers_are_the_same)
{
    size_t size, packed_size;
    char *robot = make_robot(&size);
    REQUIRE(robot != NULL);
    unsigned char *packed = draco_pack_glb(robot, size, true, 0, &packed_size);
    const char *packed_path = scratch_path(1, "packed.glb");
    REQUIRE(write_whole_file(packed_path, packed, packed_size));
    OWNED char *plain_text = collide(SYNTH("robot-skinned", "3000"));
    OWNED char *packed_text = collide(packed_path);
    CHECK(strstr(plain_text, "\"hit\":true") != NULL);
    CHECK(strcmp(plain_text, packed_text) == 0);
    free(packed);
}

TEST(an_accessor_may_have_the_same_uncompressed)
{
    /* then the stream counts, and the accessor's bytes need not be there */
    static const packed_case cases[] = {{"{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}",
                                         "{\"bufferView\":0,\"byteOffset\":1000000,"
                                         "\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}",
                                         GRAZE_OK, ""}};
    size_t size;
    unsigned char *packed = pack_small(true, 0, &size);
    expect_cases(packed, size, cases, 1);
    free(packed);
}

#define IDS "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}"

TEST(what_the_extension_does_not_allow)
{
    static const packed_case cases[] = {
        {"{\"KHR_draco_mesh_compression\":{", "{\"KHR_draco_mesh_compression\":3,\"x\":{",
         GRAZE_BAD_INPUT, "is not an object"},
        {"\"bufferView\":9", "\"bufferView\":99", GRAZE_BAD_INPUT, "\"bufferView\" is 99"},
        {",\"bufferView\":9", "", GRAZE_BAD_INPUT,
         "meshes[0].primitives[0].KHR_draco_mesh_compression: no \"bufferView\""},
        {"\"bufferView\":9", "\"bufferView\":0", GRAZE_BAD_INPUT,
         "bufferView 0 holds no Draco mesh"},
        {IDS, "\"attributes\":3", GRAZE_BAD_INPUT, "\"attributes\" is not an object"},
        {IDS, "\"attributes\":{}", GRAZE_UNSUPPORTED, "Draco without attributes"},
        {IDS, "\"attributes\":{\"POSITION\":7,\"JOINTS_0\":1,\"WEIGHTS_0\":2}", GRAZE_BAD_INPUT,
         "no attribute 7 that could be POSITION"},
        {IDS, "\"attributes\":{\"POSITION\":1,\"JOINTS_0\":1,\"WEIGHTS_0\":2}", GRAZE_BAD_INPUT,
         "no attribute 1 that could be POSITION"},
        {IDS, "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"JOINTS_1\":2}", GRAZE_BAD_INPUT,
         "JOINTS_1 without accessor"},
        {IDS, "\"attributes\":{\"POSITION\":-1,\"JOINTS_0\":1,\"WEIGHTS_0\":2}", GRAZE_BAD_INPUT,
         "not an index"},
        {IDS, "\"attributes\":{\"JOINTS_0\":1,\"WEIGHTS_0\":2}", GRAZE_BAD_INPUT,
         "accessors[0]: no \"bufferView\""},
        {"\"indices\":1,", "", GRAZE_UNSUPPORTED, "Draco without indices"},
        {"\"indices\":1,", "\"indices\":1,\"mode\":5,", GRAZE_UNSUPPORTED,
         "Draco without plain triangles"},
        {"\"count\":6", "\"count\":9", GRAZE_BAD_INPUT,
         "the Draco stream has 2 triangles and 4 or more points, the accessors have 3 and 4"},
        {"\"count\":6", "\"count\":5", GRAZE_BAD_INPUT, "5 corners"},
        {"\"count\":4,\"type\":\"VEC3\"", "\"count\":3,\"type\":\"VEC3\"", GRAZE_BAD_INPUT,
         "4 JOINTS_0 for 3 points"},
        {"\"componentType\":5121,\"count\":4", "\"componentType\":5121,\"count\":5",
         GRAZE_BAD_INPUT, "5 JOINTS_0 for 4 points"},
        {"\"type\":\"VEC3\"", "\"type\":\"VEC4\"", GRAZE_BAD_INPUT,
         "accessors[0]: type is not VEC3"},
        {"\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"",
         "\"componentType\":5120,\"count\":4,\"type\":\"VEC3\"", GRAZE_BAD_INPUT,
         "no attribute 0 that could be POSITION"},
        {"\"componentType\":5121", "\"componentType\":5123", GRAZE_OK, ""},
    };
    size_t size;
    unsigned char *packed = pack_small(true, 0, &size);
    expect_cases(packed, size, cases, sizeof cases / sizeof cases[0]);
    free(packed);
}

/* A count of vertices that is too large for the stream, in every accessor. */
TEST(points_that_are_not_there)
{
    for (int sequential = 0; sequential < 2; sequential++) {
        size_t size, next_size;
        unsigned char *packed = pack_small(sequential, 0, &size);
        char text[256];
        for (int i = 0; i < 3; i++) {
            unsigned char *next = edit_json(packed, size, "\"count\":4", "\"count\":5", &next_size);
            free(packed);
            packed = next;
            size = next_size;
        }
        CHECK(parse_any(packed, size, "points", text) == GRAZE_BAD_INPUT);
        CHECK_MSG(strstr(text, "does not decode to the 2 triangles and 5 points"), "%s", text);
        free(packed);
    }
}

static void count_warning(void *user, const char *text)
{
    uint32_t *count = user;
    *count += strstr(text, "meshes[0].primitives[0]: the Draco stream has 4 points where the "
                           "accessors say 3") != NULL;
}

/* Viewers take all points of a stream, whatever the accessors say. */
TEST(more_points_than_the_accessors_say)
{
    for (int sequential = 0; sequential < 2; sequential++) {
        static const char *const counts[] = {"5126,\"count\":4,\"type\":\"VEC3\"",
                                             "5121,\"count\":4",
                                             "5126,\"count\":4,\"type\":\"VEC4\""};
        static const char *const fewer[] = {"5126,\"count\":3,\"type\":\"VEC3\"",
                                            "5121,\"count\":3",
                                            "5126,\"count\":3,\"type\":\"VEC4\""};
        size_t size, next_size;
        uint32_t warnings = 0;
        unsigned char *whole = pack_small(sequential, 0, &size), *packed = whole;
        graze_gltf_load_def def = {.warn = count_warning, .warn_user = &warnings};
        OWN(graze_rig) *rig = load_bytes(whole, size, "as many"), *more = NULL;
        graze_error error;
        for (int i = 0; i < 3; i++) {
            unsigned char *next = edit_json(packed, size, counts[i], fewer[i], &next_size);
            free(packed);
            packed = next;
            size = next_size;
        }
        CHECK_MSG(!graze_gltf_parse_with(packed, size, NULL, "more", &def, &more, &error), "%s",
                  error.text);
        CHECK(warnings == 1);
        if (more)
            expect_same(rig, more, false, "more points");
        free(packed);
    }
}

TEST(streams_that_are_cut_off)
{
    for (int way = 0; way < 4; way++) {
        size_t size;
        unsigned char *packed = pack_small(way % 2, way / 2 * 11, &size);
        glb_parts parts = glb_open(packed, size);
        cJSON *length = cJSON_GetObjectItem(glb_item(&parts, "bufferViews", 9), "byteLength");
        int whole = length->valueint;
        for (int cut = 0; cut < whole; cut++) {
            char text[256];
            cJSON_SetNumberValue(length, cut);
            OWNED char *json = cJSON_PrintUnformatted(parts.json);
            small_file file = small_frame(json, parts.data, parts.size);
            CHECK_MSG(parse_any(file.data, file.size, "cut off", text) == GRAZE_BAD_INPUT,
                      "cut to %d of %d bytes it is taken", cut, whole);
            free(file.data);
        }
        cJSON_Delete(parts.json);
        free(parts.data);
        free(packed);
    }
}

TEST(changed_bytes)
{
    for (int way = 0; way < 4; way++) {
        size_t size;
        unsigned char *packed = pack_small(way % 2, way / 2 * 11, &size);
        glb_parts parts = glb_open(packed, size);
        size_t stream = (size_t)glb_number(glb_item(&parts, "bufferViews", 9), "byteOffset", 0);
        size_t first = size - (parts.size + 3) / 4 * 4 + stream;
        uint32_t refused = try_changes(packed, size, first, 1);
        CHECK_MSG(refused > 20, "only %u were refused", refused);
        cJSON_Delete(parts.json);
        free(parts.data);
        free(packed);
    }
}

TEST(every_allocation_fails_once)
{
    size_t size;
    unsigned char *packed = pack_small(false, 11, &size);
    fail_allocations(packed, size, 40);
    free(packed);
}
