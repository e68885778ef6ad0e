/* Names beside numbers in what the graze command prints: joints, meshes and clips, and in errors.
 */
#include "harness.h"
#include "support/json.h"
#include "support/own.h"

#include <graze/gltf.h>

#include <string.h>

/* Three triangles in the plane z = 0, five apart, each on a node of its own: two nodes and two
 * meshes of one name, and one without. Both clips lift the first.
 */
static const char *model(void)
{
    static char path[400];
    static const float data[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 1};
    static const char document[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,1,2]}],\"nodes\":["
        "{\"name\":\"left\",\"mesh\":0},{\"name\":\"left\",\"mesh\":0,\"translation\":[5,0,0]},"
        "{\"mesh\":1,\"translation\":[10,0,0]}],"
        "\"meshes\":[{\"name\":\"a \\\"tri\\\", left\",\"primitives\":[{\"attributes\":"
        "{\"POSITION\":0}}]},{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"animations\":[{\"name\":\"walk\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
        "\"path\":\"translation\"}}],\"samplers\":[{\"input\":1,\"output\":2}]},"
        "{\"name\":\"run\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
        "\"path\":\"translation\"}}],\"samplers\":[{\"input\":1,\"output\":2}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
        "{\"bufferView\":2,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
        "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":8},"
        "{\"buffer\":0,\"byteOffset\":44,\"byteLength\":24}],"
        "\"buffers\":[{\"byteLength\":68,\"uri\":\"named.bin\"}]}";
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(0, "named.gltf"));
        CHECK(write_whole_file(path, document, strlen(document)));
        CHECK(write_whole_file(scratch_path(1, "named.bin"), data, sizeof data));
    }
    return path;
}

/* The field, printed, is the text. */
static void check_field(const cJSON *object, const char *name, const char *text, int line)
{
    char *printed = json_text(field(object, name));
    test_check(printed && strcmp(printed, text) == 0, __FILE__, line, "%s is %s, not %s", name,
               printed ? printed : "missing", text);
}

#define FIELD(object, name, text) check_field(object, name, text, __LINE__)

TEST(info_names_joints_meshes_and_clips)
{
    cJSON *info = ONLY_LINE(0, RUN("info", model(), "--json"));
    FIELD(info, "joint_names", "[\"left\",\"left#2\",\"node/2\"]");
    FIELD(info, "clips", "[{\"name\":\"walk\",\"seconds\":2},{\"name\":\"run\",\"seconds\":2}]");
    const cJSON *meshes = field(info, "meshes");
    CHECK(cJSON_GetArraySize(meshes) == 3);
    FIELD(cJSON_GetArrayItem(meshes, 1), "name", "\"a \\\"tri\\\", left\"");
    FIELD(cJSON_GetArrayItem(meshes, 1), "node", "\"left\"");
    FIELD(cJSON_GetArrayItem(meshes, 2), "name", "\"node/2\"");
    FIELD(cJSON_GetArrayItem(meshes, 2), "node", "\"node/2\"");
    FIELD(cJSON_GetArrayItem(meshes, 2), "first_vertex", "6");
    FIELD(cJSON_GetArrayItem(meshes, 2), "vertices", "3");
    FIELD(cJSON_GetArrayItem(meshes, 2), "first_triangle", "2");
    FIELD(cJSON_GetArrayItem(meshes, 2), "triangles", "1");
    command_result run = RUN("info", model());
    CHECK(strstr(run.out, "left, left#2, node/2\n") &&
          strstr(run.out, "a \"tri\", left, triangles 1"));
    CHECK(strstr(run.out, "walk, 2.000 s") && strstr(run.out, "run, 2.000 s"));
}

TEST(rays_name_what_they_hit)
{
    static const struct {
        const char *origin, *part, *mesh;
    } rays[] = {{"0.2,0.2,5", "\"left\"", "\"a \\\"tri\\\", left\""},
                {"5.2,0.2,5", "\"left#2\"", "\"a \\\"tri\\\", left\""},
                {"10.2,0.2,5", "\"node/2\"", "\"node/2\""},
                {"20,0,5", "null", "null"}};
    for (size_t i = 0; i < sizeof rays / sizeof *rays; i++) {
        cJSON *line = ONLY_LINE(
            0, RUN("ray", model(), "--origin", rays[i].origin, "--dir", "0,0,-1", "--json"));
        FIELD(line, "joint_name", rays[i].part);
        FIELD(line, "part", rays[i].part);
        FIELD(line, "mesh", rays[i].mesh);
    }
    cJSON *line = ONLY_LINE(
        0, RUN("ray", model(), "--origin", "-1,0.2,0", "--dir", "1,0,0", "--all", "--json"));
    const cJSON *hits = field(line, "hits");
    for (int i = 0; i < cJSON_GetArraySize(hits); i++)
        FIELD(cJSON_GetArrayItem(hits, i), "part",
              i == 0   ? "\"left\""
              : i == 1 ? "\"left#2\""
                       : "\"node/2\"");
    CHECK(cJSON_GetArraySize(hits) == 3);
}

/* The second instance, turned upright, crosses the triangle that it stands on. */
TEST(queries_name_the_parts)
{
    cJSON *line = ONLY_LINE(0, RUN("collide", model(), "--turn", "90", "--at", "5.3,0,1e-1",
                                   "--parts", "--contacts", "--json"));
    FIELD(line, "pairs", "[[1,0]]");
    FIELD(line, "parts", "[[\"left#2\",\"left\"]]");
    FIELD(line, "part_counts", "[1]");
    const cJSON *contact = cJSON_GetArrayItem(field(line, "contacts"), 0);
    FIELD(contact, "groups", "[1,0]");
    FIELD(contact, "parts", "[\"left#2\",\"left\"]");
    line = ONLY_LINE(0, RUN("distance", model(), "--at", "-8,0,0", "--json"));
    FIELD(line, "triangles", "[0,2]");
    FIELD(line, "parts", "[\"left\",\"node/2\"]");
    line = ONLY_LINE(0, RUN("distance", model(), "--at", "-8,0,0", "--limit", "0.5", "--json"));
    FIELD(line, "parts", "null");
    line = ONLY_LINE(0, RUN("sweep", model(), "--at", "0,0,0.25", "--clip-b", "none", "--times",
                            "0:1:1", "--json"));
    FIELD(line, "triangles", "[0,0]");
    FIELD(line, "parts", "[\"left\",\"left\"]");
    line = ONLY_LINE(0, RUN("sweep", model(), "--at", "0,0,9", "--times", "0:1:1", "--json"));
    FIELD(line, "parts", "null");
}

/* The number of pairs of triangles whose parts have these names, by the file as the library reads
 * it: every joint of it has a name of its own.
 */
static double count_pairs(const cJSON *pairs, const graze_rig *rig, const graze_model *of_rig,
                          const char *a, const char *b)
{
    const cJSON *pair;
    double count = 0;
    cJSON_ArrayForEach(pair, pairs)
    {
        const char *names[2];
        for (int side = 0; side < 2; side++) {
            uint32_t triangle = (uint32_t)cJSON_GetArrayItem(pair, side)->valuedouble;
            uint32_t joint = graze_model_triangle_part(of_rig, triangle);
            names[side] = rig->nodes[rig->joints[joint].node].name;
        }
        count += strcmp(names[0], a) == 0 && strcmp(names[1], b) == 0;
    }
    return count;
}

TEST(parts_are_those_of_the_pairs)
{
    const char *path = scratch_path(2, "dwarf.glb");
    command_result synth = RUN("synth", "dwarf", "--triangles", "600", "-o", path);
    OWN(graze_rig) *rig = NULL;
    OWN(graze_model) *of_rig = NULL;
    REQUIRE(synth.code == 0 && !graze_gltf_load(path, NULL, &rig, NULL));
    REQUIRE(!graze_rig_create_model(rig, NULL, &of_rig, NULL));
    cJSON *line = ONLY_LINE(0, RUN("collide", path, "--at", "0.3,0,0", "--parts", "--json"));
    const cJSON *counts = field(line, "part_counts");
    const cJSON *names = field(line, "parts");
    const cJSON *pairs = field(line, "pairs");
    double sum = 0, last = 1e9;
    CHECK(cJSON_GetArraySize(counts) == cJSON_GetArraySize(names));
    for (int i = 0; i < cJSON_GetArraySize(counts); i++) {
        const cJSON *two = cJSON_GetArrayItem(names, i);
        double count = cJSON_GetArrayItem(counts, i)->valuedouble;
        CHECK(count <= last && count == count_pairs(pairs, rig, of_rig, two->child->valuestring,
                                                    two->child->next->valuestring));
        last = count;
        sum += count;
    }
    CHECK(sum > 0 && sum == cJSON_GetArraySize(pairs));
}

/* Of one body, a and b is b and a. */
TEST(parts_of_one_body_have_no_order)
{
    cJSON *line = ONLY_LINE(0, RUN("self", "builtin:robot:600", "--parts", "--json"));
    const cJSON *parts = field(line, "parts"), *one, *other;
    CHECK(cJSON_GetArraySize(parts) > 1);
    cJSON_ArrayForEach(one, parts) cJSON_ArrayForEach(other, parts)
    {
        const char *a = one->child->valuestring, *b = one->child->next->valuestring;
        const char *c = other->child->valuestring, *d = other->child->next->valuestring;
        CHECK_MSG(one == other ||
                      ((strcmp(a, c) || strcmp(b, d)) && (strcmp(a, d) || strcmp(b, c))),
                  "%s and %s twice", a, b);
    }
}

static void check_says(command_result run, const char *expected)
{
    char text[700];
    snprintf(text, sizeof text, "graze: %s: %s\n", model(), expected);
    CHECK_MSG(run.code == 2 && !run.out[0] && strcmp(run.err, text) == 0, "%s, not %s", run.err,
              text);
}

TEST(a_clip_that_is_not_there)
{
    check_says(RUN("self", model(), "--clip", "dance"),
               "there is no clip dance; there are walk, run");
    check_says(RUN("self", model(), "--clip", "wlak"),
               "there is no clip wlak; did you mean walk? There are walk, run");
    check_says(RUN("collide", model(), "--clip-b", "2"), "there is no clip 2; there are walk, run");
    command_result run = RUN("info", "builtin:ball", "--json");
    CHECK(run.code == 0);
    run = RUN("self", "builtin:ball", "--clip", "walk");
    CHECK(run.code == 2 &&
          strcmp(run.err, "graze: builtin:ball: there is no clip walk; the model has no clips\n") ==
              0);
}
