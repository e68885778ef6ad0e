/* Malformed files: each is refused with a text on one line, and leaves no memory behind. */
#include "gltf_support.h"
#include "harness.h"
#include "support/allocator.h"
#include "support/own.h"

#include <math.h>
#include <stddef.h>
#include <unistd.h>

/* Parses and checks what must hold whatever the outcome. */
static graze_status parse_checked(const void *data, size_t size, const char *what, char text[256])
{
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    graze_rig *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    graze_status status = graze_gltf_parse(data, size, NULL, "bad.glb", &allocator, &rig, &error);
    if (status == GRAZE_OK) {
        CHECK_MSG(rig != NULL, "%s: no rig", what);
        graze_rig_destroy(rig);
    } else {
        CHECK_MSG(rig == NULL && error.status == status, "%s: rig or status set wrongly", what);
        CHECK_MSG(strncmp(error.text, "bad.glb: ", 9) == 0 && error.text[9], "%s: text '%s'", what,
                  error.text);
        CHECK_MSG(!strpbrk(error.text, "\n\r\t"), "%s: more than one line: %s", what, error.text);
    }
    CHECK_MSG(memory.alive == 0, "%s: %llu blocks leaked", what, (unsigned long long)memory.alive);
    snprintf(text, 256, "%s", error.text);
    return status;
}

static void expect(const small_file *file, const char *what, graze_status wanted,
                   const char *mentions)
{
    char text[256];
    graze_status status = parse_checked(file->data, file->size, what, text);
    CHECK_MSG(status == wanted, "%s: %s, not %s (%s)", what, graze_status_name(status),
              graze_status_name(wanted), text);
    if (wanted != GRAZE_OK)
        CHECK_MSG(strstr(text, mentions) != NULL, "%s: '%s' does not mention '%s'", what, text,
                  mentions);
}

TEST(the_small_model_is_fine)
{
    small_file glb = small_glb(&small_values, NULL, NULL), gltf = small_gltf(&small_values);
    expect(&glb, "GLB", GRAZE_OK, "");
    expect(&gltf, "JSON with a data: URI", GRAZE_OK, "");
    free(glb.data);
    free(gltf.data);
}

/* One edit of the JSON text, and what must come of it. */
typedef struct json_case {
    const char *from, *to;
    graze_status status;
    const char *mentions;
} json_case;

static void expect_json_cases(const json_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CHECK_MSG(strstr(small_json, cases[i].from), "case '%s' edits nothing", cases[i].from);
        small_file file = small_glb(&small_values, cases[i].from, cases[i].to);
        expect(&file, cases[i].to, cases[i].status, cases[i].mentions);
        free(file.data);
    }
}

#define BAD GRAZE_BAD_INPUT
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

TEST(headers_and_extensions)
{
    static const json_case cases[] = {
        {"\"asset\":{\"version\":\"2.0\"},", "", BAD, "asset"},
        {"\"version\":\"2.0\"", "\"version\":2", BAD, "version"},
        {"\"version\":\"2.0\"", "\"version\":\"1.0\"", GRAZE_UNSUPPORTED, "version 1.0"},
        {"\"version\":\"2.0\"", "\"version\":\"2.0\",\"minVersion\":\"2.1\"", GRAZE_UNSUPPORTED,
         "2.1"},
        {"{\"asset\"", "{\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"],\"asset\"",
         GRAZE_UNSUPPORTED, "EXT_mesh_gpu_instancing"},
        {"{\"asset\"", "{\"extensionsRequired\":[\"two\\nlines\"],\"asset\"", GRAZE_UNSUPPORTED,
         "two?lines"},
        {"{\"asset\"", "{\"extensionsRequired\":[7],\"asset\"", BAD, "extensionsRequired"},
        {"{\"asset\"", "{\"extensionsRequired\":\"all\",\"asset\"", BAD, "not an array"},
        {"{\"asset\"", "{\"extensionsUsed\":[\"EXT_mesh_gpu_instancing\"],\"asset\"", GRAZE_OK, ""},
        {"{\"asset\"", "{\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"asset\"", GRAZE_OK,
         ""},
    };
    expect_json_cases(cases, COUNT_OF(cases));
}

TEST(scenes_and_nodes)
{
    static const json_case cases[] = {
        {"\"scene\":0", "\"scene\":1", BAD, "\"scene\" is 1"},
        {"\"scene\":0", "\"scene\":\"main\"", BAD, "not an index"},
        {"\"nodes\":[0,2]", "\"nodes\":[0,9]", BAD, "scenes[0].nodes: index 9"},
        {"\"nodes\":[0,2]", "\"nodes\":[0,2,2]", BAD, "listed twice"},
        {"\"nodes\":[0,2]", "\"nodes\":[0,1]", BAD, "child of another"},
        {"\"nodes\":[0,2]", "\"nodes\":[0,1,2,2]", BAD, "scenes[0].nodes"},
        {"\"nodes\":[0,2]", "\"nodes\":[0]", BAD, "no triangles"},
        {"\"nodes\":[0,2]", "\"nodes\":[]", BAD, "no triangles"},
        {"\"scene\":0,\"scenes\":[{\"nodes\":[0,2]}],", "", GRAZE_OK, ""},
        {"\"children\":[1]", "\"children\":[1,1]", BAD, "nodes[1]: is a child of"},
        {"\"children\":[1]", "\"children\":[0]", BAD, "nodes[0]: is its own ancestor"},
        {"\"children\":[1]", "\"children\":[1,7]", BAD, "nodes[0].children"},
        {"\"children\":[1]", "\"children\":[1.5]", BAD, "not an index"},
        {"\"children\":[1]", "\"children\":[-1]", BAD, "not an index"},
        {"\"children\":[1]", "\"children\":{}", BAD, "not an array"},
        {"\"name\":\"knee\"", "\"children\":[0]", BAD, "is its own ancestor"},
        {"\"name\":\"square\"", "\"children\":[1]", BAD, "nodes[1]: is a child of nodes 0 and 2"},
        {"\"name\":\"knee\"", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]", BAD, "a matrix and"},
        {"\"name\":\"hip\"", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]", BAD, "last row"},
        {"\"name\":\"hip\"", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0]", BAD, "15 numbers"},
        {"[0,1,0]", "[0,\"one\",0]", BAD, "nodes[1]: \"translation\"[1]"},
        {"[0,1,0]", "[0,1e99,0]", BAD, "not a finite number"},
        {"[0,1,0]", "\"up\"", BAD, "not an array"},
        {"\"rotation\":[0,0,0,1]", "\"rotation\":[0,0,0,0]", BAD, "nodes[1]: \"rotation\" is zero"},
        {"\"name\":\"hip\"", "\"name\":17", GRAZE_OK, ""},
        {"{\"name\":\"hip\",", "[{\"name\":\"hip\",", BAD, "JSON"},
        {"{\"name\":\"hip\",\"children\":[1]}", "[1]", BAD, "nodes[0] is not an object"},
    };
    expect_json_cases(cases, COUNT_OF(cases));
}

TEST(meshes_and_skins)
{
    static const json_case cases[] = {
        {"\"mesh\":0", "\"mesh\":1", BAD, "nodes[2]: \"mesh\" is 1"},
        {"\"skin\":0", "\"skin\":1", BAD, "nodes[2]: \"skin\" is 1"},
        {"\"skin\":0", "\"skin\":null", BAD, "nodes[2]: \"skin\""},
        {"\"joints\":[0,1]", "\"joints\":[]", BAD, "skins[0]: no joints"},
        {"\"joints\":[0,1]", "\"joints\":[0,8]", BAD, "skins[0].joints: index 8"},
        {"\"joints\":[0,1]", "\"joints\":[0]", BAD, "joint 1 of the 1"},
        {"\"joints\":[0,1]", "\"joints\":[0,1,2]", BAD, "2 matrices for the 3 joints"},
        {"\"inverseBindMatrices\":4", "\"inverseBindMatrices\":40", BAD, "inverseBindMatrices"},
        {"\"inverseBindMatrices\":4", "\"inverseBindMatrices\":3", BAD, "type is not MAT4"},
        {",\"inverseBindMatrices\":4", "", GRAZE_OK, ""},
        {"\"POSITION\":0", "\"POSITION\":1", BAD, "accessors[1]: type is not VEC3"},
        {"\"POSITION\":0", "\"position\":0", BAD, "meshes[0].primitives[0]: no POSITION"},
        {"\"POSITION\":0", "\"POSITION\":99", BAD, "\"POSITION\" is 99"},
        {",\"JOINTS_0\":2,\"WEIGHTS_0\":3", "", BAD, "0 JOINTS and 0 WEIGHTS"},
        {",\"JOINTS_0\":2", "", BAD, "0 JOINTS and 1 WEIGHTS"},
        {"\"JOINTS_0\":2,\"WEIGHTS_0\":3", "\"JOINTS_1\":2,\"WEIGHTS_1\":3", BAD, "no JOINTS_0"},
        {"\"JOINTS_0\":2", "\"JOINTS_0\":3", BAD, "accessors[3]: indices must be unsigned"},
        {"\"indices\":1,", "\"indices\":1,\"mode\":9,", BAD, "unknown mode 9"},
        {"\"indices\":1,", "\"indices\":1,\"mode\":1,", BAD, "no triangles"},
        {"\"indices\":1,", "\"indices\":1,\"mode\":5,", GRAZE_OK, ""},
        {"\"indices\":1,", "", BAD, "4 corners do not make triangles"},
        {"\"indices\":1,", "\"mode\":6,", GRAZE_OK, ""},
        {"\"primitives\":[{", "\"primitives\":[],\"rest\":[{", BAD, "meshes[0]: no primitives"},
        {"\"primitives\":[{", "\"primitives\":[3,{", BAD, "primitives[0]: not an object"},
        {"{\"POSITION\":7}", "{\"POSITION\":5}", BAD, "accessors[5]: type is not VEC3"},
        {"{\"POSITION\":7}", "7", BAD, "target is not an object"},
        {"{\"POSITION\":7}", "{\"NORMAL\":7}", GRAZE_OK, ""},
        {"\"weights\":[0.25]", "\"weights\":[0.25,1]", BAD, "meshes[0]: \"weights\" has 2"},
    };
    expect_json_cases(cases, COUNT_OF(cases));
}

TEST(animations)
{
    static const json_case cases[] = {
        {"\"input\":5", "\"input\":50", BAD, "\"input\" is 50"},
        {"\"input\":5,", "", BAD, "no \"input\""},
        {"\"input\":5", "\"input\":8", BAD, "key times must ascend"},
        {"\"output\":6", "\"output\":0", BAD, "accessors[0]: type is not VEC4"},
        {"\"output\":6", "\"output\":3", BAD, "4 values where the 3 keys"},
        {"\"output\":6,", "", BAD, "no \"output\""},
        {"\"LINEAR\"", "\"CUBICSPLINE\"", BAD, "need 9"},
        {"\"LINEAR\"", "\"BEZIER\"", BAD, "animations[0].channels[0]: unknown interpolation"},
        {"\"sampler\":1", "\"sampler\":2", BAD, "\"sampler\" is 2"},
        {"\"sampler\":1,", "", BAD, "no \"sampler\""},
        {"\"node\":1", "\"node\":3", BAD, "\"node\" is 3"},
        {"\"node\":1,", "", GRAZE_OK, ""},
        {"\"node\":2,\"path\":\"weights\"", "\"node\":1,\"path\":\"weights\"", BAD,
         "no morph targets"},
        {"\"path\":\"rotation\"", "\"path\":\"colour\"", BAD, "unknown target path"},
        {"{\"node\":1,\"path\":\"rotation\"}", "1", BAD, "\"target\" is not an object"},
        {"\"samplers\":[{", "\"samplers\":[1,{", BAD, "samplers[0] is not an object"},
        {"\"channels\":[{", "\"channels\":[1,{", BAD, "channels[0]: not an object"},
        {"\"translation\":[0,1,0],\"rotation\":[0,0,0,1]",
         "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1]", BAD, "nodes[1], which has a matrix"},
    };
    expect_json_cases(cases, COUNT_OF(cases));
}

#define POSITIONS SMALL_ACCESSOR(0, 5126, 4, "VEC3")

TEST(accessors_and_buffers)
{
    static const json_case cases[] = {
        {POSITIONS, SMALL_ACCESSOR(0, 5126, 5, "VEC3"), BAD,
         "accessors[0]: byte range 0..60 exceeds bufferView 0 of 48 bytes"},
        {POSITIONS, SMALL_ACCESSOR(0, 5126, 4294967294, "VEC3"), BAD, "exceeds bufferView 0"},
        {POSITIONS, SMALL_ACCESSOR(0, 5126, 4294967295, "VEC3"), BAD, "count 4294967295"},
        {POSITIONS, SMALL_ACCESSOR(0, 5126, 1e300, "VEC3"), BAD, "accessors[0]: \"count\""},
        {POSITIONS, SMALL_ACCESSOR(0, 5126, 1e15, "VEC3"), BAD, "count 1000000000000000"},
        {POSITIONS, SMALL_ACCESSOR(0, 5126, 0, "VEC3"), BAD, "count 0"},
        {POSITIONS, SMALL_ACCESSOR(0, 5126, -4, "VEC3"), BAD, "accessors[0]: \"count\""},
        {POSITIONS, SMALL_ACCESSOR(0, 5126, "four", "VEC3"), BAD, "accessors[0]: \"count\""},
        {POSITIONS, SMALL_ACCESSOR(0, 5124, 4, "VEC3"), BAD, "unknown componentType 5124"},
        {POSITIONS, SMALL_ACCESSOR(9, 5126, 4, "VEC3"), BAD, "\"bufferView\" is 9"},
        {POSITIONS, "{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}", BAD,
         "accessors[0]: no \"bufferView\""},
        {POSITIONS,
         "{\"bufferView\":0,\"byteOffset\":9007199254740991,\"componentType\":5126,\"count\":4,"
         "\"type\":\"VEC3\"}",
         BAD, "accessors[0]: byte range"},
        {POSITIONS,
         "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":"
         "{\"count\":5}}",
         BAD, "accessors[0].sparse: count 5"},
        {POSITIONS,
         "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":"
         "{\"count\":1,\"indices\":{\"bufferView\":1,\"componentType\":5126},\"values\":"
         "{\"bufferView\":7}}}",
         BAD, "componentType 5126 is not an unsigned integer"},
        {POSITIONS,
         "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":"
         "{\"count\":4,\"indices\":{\"bufferView\":1,\"componentType\":5123},\"values\":"
         "{\"bufferView\":7}}}",
         BAD, "index 3 is 0: not ascending"},
        {POSITIONS,
         "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":"
         "{\"count\":3,\"indices\":{\"bufferView\":1,\"componentType\":5123},\"values\":"
         "{\"bufferView\":7}}}",
         GRAZE_OK, ""},
        {SMALL_VIEW(0, 48), SMALL_VIEW(0, 480), BAD,
         "bufferViews[0]: byte range 0..480 exceeds buffer 0 of 388 bytes"},
        {SMALL_VIEW(0, 48), SMALL_VIEW(9007199254740991, 48), BAD, "bufferViews[0]: byte range"},
        {SMALL_VIEW(0, 48), "{\"buffer\":1,\"byteLength\":48}", BAD, "\"buffer\" is 1"},
        {SMALL_VIEW(0, 48), "{\"buffer\":0}", BAD, "bufferViews[0]: no \"byteLength\""},
        {SMALL_VIEW(0, 48), "{\"buffer\":0,\"byteLength\":48,\"byteStride\":4}", BAD,
         "byteStride 4 for elements of 12"},
        {SMALL_VIEW(0, 48), "{\"buffer\":0,\"byteLength\":48,\"byteStride\":1000}", BAD,
         "byteStride 1000"},
        {SMALL_VIEW(0, 48), "{\"buffer\":0,\"byteLength\":48,\"byteStride\":16}", BAD,
         "byte range 0..60"},
        {"\"byteLength\":388", "\"byteLength\":389", BAD, "buffers[0]: byteLength is 389"},
        {"\"byteLength\":388", "\"byteLength\":\"all\"", BAD, "buffers[0]: \"byteLength\""},
    };
    expect_json_cases(cases, COUNT_OF(cases));
}

TEST(uris)
{
#define URI(text) "\"byteLength\":388,\"uri\":" text
    static const json_case cases[] = {
        {"\"byteLength\":388", URI("\"a.bin\""), BAD, "out of reach"},
        {"\"byteLength\":388", URI("17"), BAD, "not a string"},
        {"\"byteLength\":388", URI("\"data:application/octet-stream,abc\""), BAD, "not base64"},
        {"\"byteLength\":388", URI("\"data:;base64,AAA!\""), BAD, "no digit"},
        {"\"byteLength\":388", URI("\"data:;base64,AAAAA\""), BAD, "cut off"},
        {"\"byteLength\":388", URI("\"data:;base64,AAAA\""), BAD, "there are 3 bytes"},
        {"\"byteLength\":388", URI("\"data:;base64,AA==\""), BAD, "there are 1 bytes"},
    };
    expect_json_cases(cases, COUNT_OF(cases));
    static const char *const outside[] = {"../secret",
                                          "a/../../secret",
                                          "/etc/hostname",
                                          "%2e%2e/secret",
                                          "..%2Fsecret",
                                          "file:///etc/passwd",
                                          "http://a/b.bin",
                                          "a\\\\..\\\\b",
                                          "%00",
                                          "%zz",
                                          "",
                                          ".."};
    for (size_t i = 0; i < COUNT_OF(outside); i++) {
        char edit[128];
        graze_rig *rig = NULL;
        graze_error error;
        snprintf(edit, sizeof edit, URI("\"%s\""), outside[i]);
        small_file file = small_glb(&small_values, "\"byteLength\":388", edit);
        graze_status status =
            graze_gltf_parse(file.data, file.size, "/tmp", "bad.glb", NULL, &rig, &error);
        CHECK_MSG(status == GRAZE_BAD_INPUT, "'%s': %s", outside[i], graze_status_name(status));
        CHECK_MSG(strstr(error.text, "buffers[0]"), "'%s': %s", outside[i], error.text);
        free(file.data);
    }
    graze_rig *rig = NULL;
    graze_error error;
    small_file file = small_glb(&small_values, "\"byteLength\":388", URI("\"no such%20file.bin\""));
    CHECK(graze_gltf_parse(file.data, file.size, "/tmp", "bad.glb", NULL, &rig, &error) ==
          GRAZE_IO_ERROR);
    CHECK(strstr(error.text, "buffers[0]: 'no such%20file.bin'") != NULL);
    free(file.data);
}

/* One edit of the binary data. */
typedef struct data_case {
    size_t offset;
    float value; /* written as a float, or, where raw is not 0, raw as 16 bits */
    uint16_t raw;
    graze_status status;
    const char *mentions;
} data_case;

TEST(data)
{
    static const data_case cases[] = {
        {offsetof(small_data, positions) + 16, NAN, 0, BAD, "accessors[0]: element 1"},
        {offsetof(small_data, positions) + 44, INFINITY, 0, BAD, "accessors[0]: element 3"},
        {offsetof(small_data, indices) + 2, 0, 4, BAD, "accessors[1]: index 1 refers to vertex 4"},
        {offsetof(small_data, indices) + 10, 0, 65535, BAD, "index 5 refers to vertex 65535 of 4"},
        {offsetof(small_data, joints), 0, 2, BAD, "joint 2 of the 2 in skins[0]"},
        {offsetof(small_data, weights), NAN, 0, BAD, "accessors[3]: element 0"},
        {offsetof(small_data, weights), 0, 0, GRAZE_OK, ""}, /* graze_model_create refuses it */
        {offsetof(small_data, weights), -1, 0, GRAZE_OK, ""},
        {offsetof(small_data, inverse_binds) + 64, NAN, 0, BAD, "accessors[4]: element 1"},
        {offsetof(small_data, inverse_binds) + 12, 1, 0, BAD, "last row of matrix 0"},
        {offsetof(small_data, times), NAN, 0, BAD, "accessors[5]: element 0"},
        {offsetof(small_data, times), -1, 0, BAD, "key 0"},
        {offsetof(small_data, times) + 8, 0.5f, 0, BAD, "key 2"},
        {offsetof(small_data, rotations) + 12, 0, 0, BAD, "rotation key 0 is zero"},
        {offsetof(small_data, rotations) + 16, INFINITY, 0, BAD, "accessors[6]: element 1"},
        {offsetof(small_data, displacements), NAN, 0, BAD, "accessors[7]: element 0"},
        {offsetof(small_data, morph_weights), NAN, 0, BAD, "accessors[8]: element 0"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        small_data values = small_values;
        char what[64];
        if (cases[i].raw)
            memcpy((char *)&values + cases[i].offset, &cases[i].raw, sizeof cases[i].raw);
        else
            memcpy((char *)&values + cases[i].offset, &cases[i].value, sizeof cases[i].value);
        snprintf(what, sizeof what, "data at %zu", cases[i].offset);
        small_file file = small_glb(&values, NULL, NULL);
        expect(&file, what, cases[i].status, cases[i].mentions);
        free(file.data);
    }
}

TEST(truncated_at_every_byte)
{
    small_file files[2] = {small_glb(&small_values, NULL, NULL), small_gltf(&small_values)};
    for (int kind = 0; kind < 2; kind++) {
        for (size_t size = 0; size < files[kind].size; size++) {
            char text[256], what[48];
            unsigned char *copy = malloc(size + 1); /* of the exact size, for the sanitizer */
            copy = realloc(copy, size ? size : 1);
            memcpy(copy, files[kind].data, size);
            snprintf(what, sizeof what, "%s cut at %zu", kind ? "JSON" : "GLB", size);
            CHECK_MSG(parse_checked(copy, size, what, text) == GRAZE_BAD_INPUT, "%s: %s", what,
                      text);
            free(copy);
        }
        free(files[kind].data);
    }
}

/* Cut inside the frame: lengths agree, so the reader gets as far as the buffers. */
TEST(shortened_binary_chunk)
{
    char json[sizeof small_json + 8];
    snprintf(json, sizeof json, "%s}]}", small_json);
    for (size_t size = 0; size < sizeof small_values; size += 4) {
        small_file file = small_frame(json, &small_values, size);
        expect(&file, "shortened binary", GRAZE_BAD_INPUT, "buffers[0]: byteLength is 388");
        free(file.data);
    }
}

TEST(every_byte_flipped)
{
    small_file file = small_glb(&small_values, NULL, NULL);
    for (size_t i = 0; i < file.size; i++) {
        for (unsigned bit = 0; bit < 8; bit += 3) {
            char text[256];
            file.data[i] ^= (unsigned char)(1u << bit);
            parse_checked(file.data, file.size, "flipped", text);
            file.data[i] ^= (unsigned char)(1u << bit);
        }
    }
    free(file.data);
}

TEST(random_bytes)
{
    test_random random = test_random_seed(1);
    unsigned char bytes[300];
    char text[256];
    for (int round = 0; round < 3000; round++) {
        size_t size = 1 + test_random_u32(&random) % sizeof bytes;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)test_random_u32(&random);
        if (round % 3 == 1)
            memcpy(bytes, "glTF\2\0\0\0", size < 8 ? size : 8);
        if (round % 3 == 2)
            bytes[0] = '{';
        graze_status status = parse_checked(bytes, size, "random", text);
        CHECK_MSG(status == GRAZE_BAD_INPUT || status == GRAZE_UNSUPPORTED, "random: %s", text);
    }
}

TEST(odd_frames)
{
    static const struct {
        const char *bytes;
        size_t size;
        graze_status status;
        const char *mentions;
    } cases[] = {
        {"", 0, BAD, "empty"},
        {"   \n", 4, BAD, "neither GLB nor"},
        {"glTX\2\0\0\0\24\0\0\0", 12, BAD, "neither GLB nor"},
        {"glTF\1\0\0\0\24\0\0\0", 12, GRAZE_UNSUPPORTED, "version 1"},
        {"glTF\2\0\0\0\14\0\0\0", 12, BAD, "chunk header"},
        {"glTF\2\0\0\0\1\0\0\0", 12, BAD, "length"},
        {"glTF\2\0\0\0\30\0\0\0\4\0\0\0BIN\0{}  ", 24, BAD, "not JSON"},
        {"glTF\2\0\0\0\30\0\0\0\377\377\377\377JSON{}  ", 24, BAD, "4294967295 bytes"},
        {"glTF\2\0\0\0\30\0\0\0\4\0\0\0JSON{}  ", 24, BAD, "asset"},
        {"glTF\2\0\0\0\30\0\0\0\4\0\0\0JSON[]  ", 24, BAD, "not an object"},
        {"glTF\2\0\0\0\30\0\0\0\4\0\0\0JSON{} x", 24, BAD, "not valid JSON"},
        {"{\"asset\":\n{,}}", 14, BAD, "line 2"},
        {"\xEF\xBB\xBF{}", 5, BAD, "asset"},
        {"{\"asset\":{\"version\":\"2.0\"}}", 27, BAD, "no triangles"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        small_file file = {NULL, 0};
        small_put(&file, cases[i].bytes, cases[i].size + 1);
        file.size--;
        char what[32];
        snprintf(what, sizeof what, "frame %zu", i);
        expect(&file, what, cases[i].status, cases[i].mentions);
        free(file.data);
    }
}

TEST(deep_nesting)
{
    enum { DEPTH = 100000 };
    small_file file = {NULL, 0};
    char *brackets = malloc(DEPTH);
    memset(brackets, '[', DEPTH);
    small_put(&file, "{\"a\":", 5);
    small_put(&file, brackets, DEPTH);
    expect(&file, "deep", GRAZE_BAD_INPUT, "not valid JSON");
    free(brackets);
    free(file.data);
}

/* A chain of 100,000 nodes is deep but valid: no step may recurse over it. */
TEST(long_chain_of_nodes)
{
    enum { LENGTH = 100000 };
    static const char skin[] = "{\"name\":\"square\",\"mesh\":0,\"skin\":0}";
    char *edit = malloc(LENGTH * 40 + sizeof skin);
    size_t used = (size_t)sprintf(edit, "%.*s", (int)sizeof skin - 2, skin);
    used += (size_t)sprintf(edit + used, ",\"children\":[3]}");
    for (int i = 3; i < LENGTH; i++)
        used += (size_t)sprintf(edit + used, ",{\"children\":[%d]}", i + 1);
    sprintf(edit + used, ",{}");
    small_file file = small_glb(&small_values, skin, edit);
    expect(&file, "chain", GRAZE_OK, "");
    sprintf(edit + used, ",{\"children\":[3]}");
    small_file cycle = small_glb(&small_values, skin, edit);
    expect(&cycle, "chain with two parents", GRAZE_BAD_INPUT, "nodes[3]: is a child of");
    free(edit);
    free(file.data);
    free(cycle.data);
}

TEST(paths_that_are_no_files)
{
    static const char *const paths[] = {"/", "no/such/folder/model.glb", "no-such-model.glb", ""};
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        test_memory memory = {0};
        graze_allocator allocator = test_memory_allocator(&memory);
        graze_rig *rig = NULL;
        graze_error error;
        CHECK(graze_gltf_load(paths[i], &allocator, &rig, &error) == GRAZE_IO_ERROR);
        CHECK(error.status == GRAZE_IO_ERROR && strstr(error.text, paths[i]) == error.text);
        CHECK(rig == NULL && memory.alive == 0);
    }
}

TEST(errors_may_be_null)
{
    graze_rig *rig = NULL;
    CHECK(graze_gltf_parse("x", 1, NULL, NULL, NULL, &rig, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_gltf_load("no-such-model.glb", NULL, &rig, NULL) == GRAZE_IO_ERROR);
    CHECK(rig == NULL);
}

TEST(long_names_keep_their_end)
{
    char name[600];
    graze_rig *rig = NULL;
    graze_error error;
    memset(name, 'x', sizeof name);
    strcpy(name + sizeof name - 10, "/last.glb");
    CHECK(graze_gltf_parse("x", 1, NULL, name, NULL, &rig, &error) == GRAZE_BAD_INPUT);
    CHECK(strncmp(error.text, "...", 3) == 0 && strstr(error.text, "/last.glb: neither GLB"));
}

/* Fails the first allocation, then the second, and so on until none is left to fail. */
static graze_status parse_and_sample(const graze_allocator *allocator, void *about,
                                     graze_error *error)
{
    const small_file *file = about;
    OWN(graze_rig) *rig = NULL;
    float joints[24], weight;
    graze_status status =
        graze_gltf_parse(file->data, file->size, NULL, "small", allocator, &rig, error);
    CHECK(!status == (rig != NULL) && (!status || strstr(error->text, "out of memory")));
    if (!status && (status = graze_rig_sample(rig, 0, 1, joints, &weight)))
        *error = (graze_error){status, "sampling"};
    return status;
}

TEST(every_allocation_fails_once)
{
    small_file file = small_gltf(&small_values);
    test_memory memory = {0};
    CHECK(test_fail_each(&memory, parse_and_sample, &file, 10000) > 30);
    free(file.data);
}

static graze_status load(const graze_allocator *allocator, void *about, graze_error *error)
{
    OWN(graze_rig) *rig = NULL;
    return graze_gltf_load(about, allocator, &rig, error);
}

TEST(every_allocation_of_load_fails_once)
{
    char path[64];
    snprintf(path, sizeof path, "test_gltf_bad.%ld.glb", (long)getpid());
    small_file small = small_glb(&small_values, NULL, NULL);
    test_memory memory = {0};
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL);
    fwrite(small.data, 1, small.size, file);
    fclose(file);
    free(small.data);
    CHECK(test_fail_each(&memory, load, path, 10000) > 30);
    remove(path);
}
