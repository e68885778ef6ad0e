/* EXT_meshopt_compression: the same numbers come out, and what is corrupt is refused. */
#include "packed/packed_support.h"
#include "support/json.h"
#include "support/own.h"

#include <meshoptimizer.h>

#include <math.h>

static unsigned char *pack_small(bool is_sequence, size_t *size)
{
    small_file glb = small_glb(&small_values, NULL, NULL);
    unsigned char *packed = meshopt_pack_glb(glb.data, glb.size, is_sequence, size);
    free(glb.data);
    return packed;
}

TEST(every_kind_of_view_gives_the_same_bits)
{
    small_file glb = small_glb(&small_values, NULL, NULL);
    graze_rig *plain = load_bytes(glb.data, glb.size, "plain");
    for (int sequence = 0; sequence < 2; sequence++) {
        size_t size;
        unsigned char *packed = pack_small(sequence, &size);
        OWN(graze_rig) *rig = load_bytes(packed, size, sequence ? "INDICES" : "TRIANGLES");
        expect_same(plain, rig, !sequence, sequence ? "INDICES" : "TRIANGLES");
        free(packed);
    }
    graze_rig_destroy(plain);
    free(glb.data);
}

/* A skinned character and a morphing one of the command's, each as a whole. */
TEST(whole_models_give_the_same_bits)
{
    static const char *const kinds[] = {"robot-skinned", "curtain"};
    for (int k = 0; k < 2; k++) {
        size_t size, packed_size;
        char *file = read_whole_file(SYNTH(kinds[k], "3000"), &size);
        REQUIRE(file != NULL);
        unsigned char *packed = meshopt_pack_glb(file, size, k == 1, &packed_size);
        OWN(graze_rig) *plain = load_bytes(file, size, "plain");
        OWN(graze_rig) *rig = load_bytes(packed, packed_size, "packed");
        CHECK(plain && plain->vertex_count > 500 && packed_size < size);
        CHECK(plain && (k == 0 ? plain->joint_count > 10 : plain->morph_count > 0));
        expect_same(plain, rig, k == 0, kinds[k]);
        free(packed);
    }
}

/* --- filters ---------------------------------------------------------------------------- */

/* The small model with one view's stream replaced by 4 encoded elements of stride bytes. */
static graze_rig *load_filtered(const void *encoded, size_t stride, const char *filter,
                                const char *accessor, const char *new_accessor)
{
    size_t size, bound = meshopt_encodeVertexBufferBound(4, stride);
    unsigned char *packed = pack_small(false, &size), *stream = malloc(bound);
    size_t length = meshopt_encodeVertexBuffer(stream, bound, encoded, 4, stride);
    glb_parts parts = glb_open(packed, size);
    cJSON *view = glb_item(&parts, "bufferViews", 0);
    cJSON *extension =
        cJSON_GetObjectItem(cJSON_GetObjectItem(view, "extensions"), "EXT_meshopt_compression");
    double start = (double)glb_append(&parts, stream, length);
    cJSON_SetNumberValue(cJSON_GetObjectItem(extension, "byteOffset"), start);
    cJSON_SetNumberValue(cJSON_GetObjectItem(extension, "byteLength"), (double)length);
    cJSON_SetNumberValue(cJSON_GetObjectItem(extension, "byteStride"), (double)stride);
    cJSON_AddStringToObject(extension, "filter", filter);
    cJSON_SetNumberValue(cJSON_GetObjectItem(view, "byteLength"), (double)stride * 4);
    cJSON_AddNumberToObject(view, "byteStride", (double)stride);
    free(packed);
    free(stream);
    packed = glb_close(&parts, &size);
    size_t edited_size;
    unsigned char *edited = edit_json(packed, size, accessor, new_accessor, &edited_size);
    graze_rig *rig = load_bytes(edited, edited_size, filter);
    free(packed);
    free(edited);
    return rig;
}

/* 24 bits of mantissa below 8 of exponent, both signed: the specification's formula. The encoder
 * has one exponent for a vector.
 */
TEST(exponential_filter)
{
    static const float values[4][3] = {{0, 1, -2}, {0.1f, 1e-3f, 77.5f}, {3, 2, 1}, {-9, 1e5f, 0}};
    static const float largest[4] = {2, 77.5f, 3, 1e5f};
    uint32_t encoded[4][3];
    meshopt_encodeFilterExp(encoded, 4, 12, 15, &values[0][0]);
    OWN(graze_rig) *rig = load_filtered(encoded, 12, "EXPONENTIAL", "\"count\":4", "\"count\":4");
    REQUIRE(rig != NULL);
    for (int i = 0; i < 12; i++) {
        uint32_t word = encoded[i / 3][i % 3];
        int mantissa = (int32_t)(word << 8) / 256, exponent = (int8_t)(word >> 24);
        CHECK(rig->positions[i] == (float)ldexp(mantissa, exponent));
        CHECK(fabsf(rig->positions[i] - values[i / 3][i % 3]) <= largest[i / 3] / 16384);
    }
}

/* Directions as positions: x, y on the octahedron, in bytes and in 16 bits. */
TEST(octahedral_filter)
{
    static const float values[4][4] = {
        {0, 0, 1, 0}, {0.6f, 0, 0.8f, 0}, {0, -0.6f, -0.8f, 0}, {-0.48f, 0.64f, 0.6f, 0}};
    unsigned char encoded[32];
    static const char plain[] = "\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"";
    for (int wide = 0; wide < 2; wide++) {
        meshopt_encodeFilterOct(encoded, 4, wide ? 8 : 4, wide ? 16 : 8, &values[0][0]);
        OWN(graze_rig) *rig = load_filtered(
            encoded, wide ? 8 : 4, "OCTAHEDRAL", plain,
            wide ? "\"componentType\":5122,\"count\":4,\"type\":\"VEC3\",\"normalized\":true"
                 : "\"componentType\":5120,\"count\":4,\"type\":\"VEC3\",\"normalized\":true");
        REQUIRE(rig != NULL);
        for (int i = 0; i < 12; i++)
            CHECK(fabs(rig->positions[i] - values[i / 3][i % 3]) < (wide ? 2e-4 : 0.02));
    }
}

/* A unit quaternion's first three numbers as positions; as a rotation q and -q are the same. */
TEST(quaternion_filter)
{
    static const float values[4][4] = {
        {0, 0, 0, 1}, {0.5f, -0.5f, 0.5f, 0.5f}, {0.8f, 0, 0.6f, 0}, {0, 0.28f, 0, -0.96f}};
    int16_t encoded[4][4];
    meshopt_encodeFilterQuat(encoded, 4, 8, 16, &values[0][0]);
    graze_rig *rig = load_filtered(
        encoded, 8, "QUATERNION", "\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"",
        "\"componentType\":5122,\"count\":4,\"type\":\"VEC3\",\"normalized\":true");
    REQUIRE(rig != NULL);
    for (int q = 0; q < 4; q++) {
        double same = 0, turned = 0;
        for (int i = 0; i < 3; i++) {
            same = fmax(same, fabs(rig->positions[q * 3 + i] - values[q][i]));
            turned = fmax(turned, fabs(rig->positions[q * 3 + i] + values[q][i]));
        }
        CHECK(fmin(same, turned) < 2e-4);
    }
    graze_rig_destroy(rig);
}

/* --- bad files -------------------------------------------------------------------------- */

#define STREAM "\"byteStride\":12,\"count\":4,\"mode\":\"ATTRIBUTES\""

TEST(what_the_extension_does_not_allow)
{
    static const packed_case cases[] = {
        {"ATTRIBUTES", "attributes", GRAZE_BAD_INPUT,
         "bufferViews[0].EXT_meshopt_compression: no known \"mode\""},
        {",\"mode\":\"ATTRIBUTES\"", "", GRAZE_BAD_INPUT, "\"mode\""},
        {"\"mode\":\"ATTRIBUTES\"", "\"mode\":7", GRAZE_BAD_INPUT, "\"mode\""},
        {"\"ATTRIBUTES\"", "\"ATTRIBUTES\",\"filter\":\"NOISE\"", GRAZE_BAD_INPUT, "\"filter\""},
        {"\"ATTRIBUTES\"", "\"ATTRIBUTES\",\"filter\":\"QUATERNION\"", GRAZE_BAD_INPUT,
         "do not go"},
        {"\"ATTRIBUTES\"", "\"ATTRIBUTES\",\"filter\":\"OCTAHEDRAL\"", GRAZE_BAD_INPUT,
         "do not go"},
        {"\"TRIANGLES\"", "\"TRIANGLES\",\"filter\":\"EXPONENTIAL\"", GRAZE_BAD_INPUT, "do not go"},
        {STREAM, "\"byteStride\":6,\"count\":8,\"mode\":\"ATTRIBUTES\"", GRAZE_BAD_INPUT,
         "do not go"},
        {STREAM, "\"byteStride\":0,\"count\":4,\"mode\":\"ATTRIBUTES\"", GRAZE_BAD_INPUT,
         "do not go"},
        {STREAM, "\"count\":4,\"mode\":\"ATTRIBUTES\"", GRAZE_BAD_INPUT, "do not go"},
        {STREAM, "\"byteStride\":260,\"count\":4,\"mode\":\"ATTRIBUTES\"", GRAZE_BAD_INPUT,
         "do not go"},
        {STREAM, "\"byteStride\":12,\"count\":5,\"mode\":\"ATTRIBUTES\"", GRAZE_BAD_INPUT,
         "do not fill"},
        {STREAM, "\"byteStride\":12,\"count\":0,\"mode\":\"ATTRIBUTES\"", GRAZE_BAD_INPUT,
         "do not fill"},
        {STREAM, "\"byteStride\":12,\"count\":-4,\"mode\":\"ATTRIBUTES\"", GRAZE_BAD_INPUT,
         "\"count\""},
        {STREAM, "\"byteStride\":12,\"count\":1e15,\"mode\":\"ATTRIBUTES\"", GRAZE_BAD_INPUT,
         "do not fill"},
        {STREAM, "\"byteStride\":16,\"count\":3,\"mode\":\"ATTRIBUTES\"", GRAZE_BAD_INPUT,
         "corrupt"},
        {"\"count\":6,\"mode\":\"TRIANGLES\"", "\"count\":5,\"mode\":\"TRIANGLES\"",
         GRAZE_BAD_INPUT, "do not go"},
        {"\"mode\":\"TRIANGLES\"", "\"mode\":\"INDICES\"", GRAZE_BAD_INPUT,
         "bufferViews[1].EXT_meshopt_compression: the meshopt stream is corrupt"},
        {"{\"buffer\":0,\"byteOffset\"", "{\"buffer\":9,\"byteOffset\"", GRAZE_BAD_INPUT,
         "\"buffer\" is 9"},
        {"{\"buffer\":0,\"byteOffset\"", "{\"buffer\":1,\"byteOffset\"", GRAZE_BAD_INPUT,
         "buffers[1]: no \"uri\""},
        {"{\"buffer\":0,\"byteOffset\"", "{\"byteOffset\"", GRAZE_BAD_INPUT, "no \"buffer\""},
        {"{\"buffer\":0,\"byteOffset\":0", "{\"buffer\":0,\"byteOffset\":1e9", GRAZE_BAD_INPUT,
         "exceeds buffer 0"},
        {"\"extensions\":{\"EXT_meshopt_compression\":{",
         "\"extensions\":{\"EXT_meshopt_compression\":1,\"x\":{", GRAZE_BAD_INPUT,
         "is not an object"},
    };
    size_t size;
    unsigned char *packed = pack_small(false, &size);
    expect_cases(packed, size, cases, sizeof cases / sizeof cases[0]);
    free(packed);
}

/* 2^40 bytes from a stream of some tens are refused before memory is taken. */
TEST(sizes_that_a_stream_cannot_hold)
{
    static const packed_case huge[] = {
        {STREAM, "\"byteStride\":12,\"count\":91625968981,\"mode\":\"ATTRIBUTES\"", GRAZE_BAD_INPUT,
         "does not hold"}};
    size_t size, grown_size;
    unsigned char *packed = pack_small(false, &size);
    unsigned char *grown =
        edit_json(packed, size, "\"byteLength\":48", "\"byteLength\":1099511627772", &grown_size);
    expect_cases(grown, grown_size, huge, 1);
    free(packed);
    free(grown);
}

/* The length of each stream, in steps down to nothing. */
TEST(streams_that_are_cut_off)
{
    for (int sequence = 0; sequence < 2; sequence++) {
        size_t size;
        unsigned char *packed = pack_small(sequence, &size);
        glb_parts parts = glb_open(packed, size);
        int views = cJSON_GetArraySize(cJSON_GetObjectItem(parts.json, "bufferViews"));
        for (int v = 0; v < views; v++) {
            cJSON *extension = cJSON_GetObjectItem(
                cJSON_GetObjectItem(glb_item(&parts, "bufferViews", v), "extensions"),
                "EXT_meshopt_compression");
            cJSON *length = cJSON_GetObjectItem(extension, "byteLength");
            int whole = length->valueint;
            for (int cut = 0; cut < whole; cut++) {
                char text[256];
                cJSON_SetNumberValue(length, cut);
                OWNED char *json = cJSON_PrintUnformatted(parts.json);
                small_file file = small_frame(json, parts.data, parts.size);
                CHECK_MSG(parse_any(file.data, file.size, "cut off", text) == GRAZE_BAD_INPUT,
                          "view %d cut to %d of %d bytes is taken", v, cut, whole);
                free(file.data);
            }
            cJSON_SetNumberValue(length, whole);
        }
        cJSON_Delete(parts.json);
        free(parts.data);
        free(packed);
    }
}

TEST(changed_bytes)
{
    size_t size;
    unsigned char *packed = pack_small(false, &size);
    uint32_t refused = try_changes(packed, size, size - 280, 1);
    CHECK_MSG(refused > 100, "only %u were refused", refused);
    free(packed);
}

TEST(every_allocation_fails_once)
{
    size_t size;
    unsigned char *packed = pack_small(false, &size);
    fail_allocations(packed, size, 40);
    free(packed);
}
