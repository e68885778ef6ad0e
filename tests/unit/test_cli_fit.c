/* graze fit: every triangle is in one part, inside its volume at rest; bad arguments. */
#include "harness.h"
#include "support/json.h"
#include "support/own.h"
#include "support/rigs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A small character with a clip. */
#define DWARF SYNTH("dwarf", "600")

/* Numbers are floats, as short as reads back as the same float. */
static double at(const cJSON *array, int index)
{
    const cJSON *item = cJSON_GetArrayItem(array, index);
    return cJSON_IsNumber(item) ? (double)(float)item->valuedouble : NAN;
}

/* How far a point is out of a sphere [4] or capsule [7]. */
static double out_of(const cJSON *numbers, const float x[3])
{
    bool sphere = cJSON_GetArraySize(numbers) == 4;
    double along = 0, length2 = 0, d2 = 0, radius = at(numbers, sphere ? 3 : 6);
    for (int k = 0; k < 3; k++) {
        double way = sphere ? 0 : at(numbers, 3 + k) - at(numbers, k);
        along += way * ((double)x[k] - at(numbers, k));
        length2 += way * way;
    }
    double t = along <= 0 ? 0 : fmin(1, along / length2);
    for (int k = 0; k < 3; k++) {
        double way = sphere ? 0 : at(numbers, 3 + k) - at(numbers, k);
        double d = (double)x[k] - at(numbers, k) - t * way;
        d2 += d * d;
    }
    return sqrt(d2) - radius;
}

static void check_part(const graze_rig *rig, const cJSON *part, const cJSON *volume, uint8_t *owned)
{
    const cJSON *sphere = field(volume, "sphere"), *triangle;
    const cJSON *capsule = field(volume, "capsule");
    CHECK(!sphere != !capsule);
    const cJSON *numbers = sphere ? sphere : capsule;
    CHECK(cJSON_GetArraySize(numbers) == (sphere ? 4 : 7));
    CHECK(field(volume, "level")->valueint == 1);
    CHECK(strcmp(text_of(volume, "part"), text_of(part, "name")) == 0);
    CHECK(strcmp(text_of(volume, "joint"),
                 cJSON_GetArrayItem(field(part, "joints"), 0)->valuestring) == 0);
    cJSON_ArrayForEach(triangle, field(part, "triangles"))
    {
        uint32_t t = (uint32_t)triangle->valueint;
        REQUIRE(t < rig->triangle_count);
        CHECK(!owned[t]);
        owned[t] = 1;
        for (int k = 0; k < 3; k++) {
            uint32_t v = rig->triangles[3 * (size_t)t + k];
            CHECK(out_of(numbers, rig->positions + 3 * (size_t)v) <= 1e-12);
        }
    }
}

static void check_shape(const char *model, const char *text)
{
    OWN(graze_rig) *rig = NULL;
    cJSON *shape = json_parse(text);
    REQUIRE(shape && !test_rig_load(model, &rig, NULL));
    const cJSON *parts = field(shape, "parts"), *volumes = field(shape, "volumes");
    OWNED uint8_t *owned = calloc(rig->triangle_count, 1);
    REQUIRE(owned && parts && volumes);
    int count = cJSON_GetArraySize(parts);
    CHECK(count > 5 && cJSON_GetArraySize(volumes) == count);
    for (int i = 0; i < count; i++)
        check_part(rig, cJSON_GetArrayItem(parts, i), cJSON_GetArrayItem(volumes, i), owned);
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        CHECK(owned[t]);
}

TEST(a_shape_has_every_triangle_once_and_inside)
{
    const char *path = scratch_path(1, "shape.json");
    command_result printed = RUN("fit", DWARF, "--json");
    CHECK_MSG(printed.code == 0 && !printed.err[0], "%s", printed.err);
    check_shape(DWARF, printed.out);
    command_result written = RUN("fit", DWARF, "-o", path);
    CHECK_MSG(written.code == 0 && !written.err[0] && !written.out[0], "%s", written.err);
    size_t size = strlen(printed.out);
    OWNED char *text = calloc(1, size + 2);
    FILE *file = fopen(path, "rb");
    REQUIRE(text && file);
    CHECK(fread(text, 1, size + 1, file) == size && strcmp(text, printed.out) == 0);
    fclose(file);
}

TEST(without_json_there_is_a_table)
{
    command_result run = RUN("fit", DWARF);
    CHECK(run.code == 0 && !run.err[0]);
    CHECK(strstr(run.out, "triangles") && strstr(run.out, "radius") && !strchr(run.out, '{'));
}

/* What was written, read and written again is the same text: the same parts and volumes. */
TEST(a_shape_that_is_read_is_written_as_it_was)
{
    const char *path = scratch_path(2, "again.json");
    command_result written = RUN("fit", DWARF, "--fine", "4", "-o", path);
    CHECK_MSG(written.code == 0, "%s", written.err);
    command_result again = RUN("fit", DWARF, "--shape", path, "--json");
    size_t size = 0;
    char *text = read_whole_file(path, &size);
    CHECK_MSG(again.code == 0 && text && strcmp(text, again.out) == 0, "%s", again.err);
}

/* A volume by hand stays as it is; the other parts get fitted ones. */
TEST(volumes_by_hand_are_kept)
{
    const char *path = scratch_path(3, "hand.json");
    static const char hand[] = "{\"volumes\":[{\"level\":1,\"part\":\"head\",\"joint\":\"pelvis\","
                               "\"capsule\":[0,1,0,0.5,1,0,0.25]}]}";
    CHECK(write_whole_file(path, hand, strlen(hand)));
    command_result run = RUN("fit", DWARF, "--shape", path, "--json");
    command_result plain = RUN("fit", DWARF, "--json");
    cJSON *shape = json_parse(run.out), *fitted = json_parse(plain.out);
    CHECK_MSG(run.code == 0 && shape && fitted, "%s", run.err);
    char *first = json_text(cJSON_GetArrayItem(field(shape, "volumes"), 0));
    CHECK_MSG(first && strstr(hand, first), "%s", first);
    CHECK(size_of(shape, "volumes") == size_of(fitted, "volumes"));
}

/* The volumes and triangles of a mesh of its own; the file names it from its own folder, and what
 * is read again is the same, wherever it is written.
 */
TEST(a_coarser_mesh_is_named_in_the_file)
{
    const char *path = scratch_path(5, "coarse.json"), *mesh = scratch_path(6, "coarse.glb");
    command_result made = RUN("synth", "dwarf", "--triangles", "400", "-o", mesh, "--json");
    command_result written = RUN("fit", DWARF, "--mesh", mesh, "-o", path);
    CHECK_MSG(made.code == 0 && written.code == 0, "%s%s", made.err, written.err);
    size_t size = 0;
    char *text = read_whole_file(path, &size);
    cJSON *shape = json_parse(text);
    CHECK(shape && strcmp(text_of(shape, "mesh"), "coarse.glb") == 0);
    check_shape(mesh, text);
    command_result plain = RUN("fit", mesh, "--json");
    cJSON *own = json_parse(plain.out);
    CHECK(same_field(own, shape, "volumes"));
    CHECK(same_field(own, shape, "parts"));
    command_result again = RUN("fit", DWARF, "--shape", path, "-o", scratch_path(7, "c2.json"));
    CHECK_MSG(again.code == 0, "%s", again.err);
    char *other = read_whole_file(scratch_path(7, "c2.json"), &size);
    CHECK(text && other && strcmp(text, other) == 0);
}

/* One that is made: as coarse as was asked for, on the same joints, moved by the same clips. */
TEST(a_coarser_mesh_is_made)
{
    const char *path = scratch_path(5, "made.json"), *mesh = scratch_path(6, "made.glb");
    command_result run = RUN("fit", DWARF, "--triangles", "200", "--mesh-out", mesh, "-o", path);
    CHECK_MSG(run.code == 0 && !run.out[0] && !run.err[0], "%s", run.err);
    size_t size = 0;
    char *text = read_whole_file(path, &size);
    REQUIRE(text);
    check_shape(mesh, text);
    OWN(graze_rig) *fine = NULL, *coarse = NULL;
    REQUIRE(!test_rig_load(DWARF, &fine, NULL) && !test_rig_load(mesh, &coarse, NULL));
    CHECK_MSG(coarse->triangle_count >= 150 && coarse->triangle_count <= 200, "%u triangles",
              coarse->triangle_count);
    CHECK(coarse->joint_count == fine->joint_count && coarse->clip_count == fine->clip_count);
    OWNED float *expected = malloc(12 * sizeof(float) * fine->joint_count);
    OWNED float *found = malloc(12 * sizeof(float) * fine->joint_count);
    test_rig_sample(fine, 0, 0.3, expected);
    test_rig_sample(coarse, 0, 0.3, found);
    CHECK(memcmp(expected, found, 12 * sizeof(float) * fine->joint_count) == 0);
    command_result asked = RUN("self", DWARF, "--shape", path, "--count", "--json");
    CHECK_MSG(asked.code == 0, "%s", asked.err);
}

TEST(bad_arguments_are_refused)
{
    REFUSED("model", "fit");
    const char *path = scratch_path(4, "bad.json");
    static const char far[] =
        "{\"volumes\":[{\"level\":3,\"part\":\"head\",\"joint\":\"head\",\"sphere\":[0,0,0,1]},"
        "{\"level\":3,\"part\":\"head\",\"joint\":\"head\",\"sphere\":[0,1e17,0,1]}]}";
    CHECK(write_whole_file(path, far, strlen(far)));
    REFUSED("bad.json: volumes[1]: ", "fit", DWARF, "--shape", path);
    REFUSED("--mesh nowhere.glb: ", "fit", DWARF, "--mesh", "nowhere.glb");
    REFUSED("give --mesh or --shape, not both", "fit", DWARF, "--mesh", "a.glb", "--shape", path);
    REFUSED("--mesh-out and --triangles go together", "fit", DWARF, "--triangles", "200");
    REFUSED("--mesh-out and --triangles go together", "fit", DWARF, "--mesh-out", "x.glb");
    REFUSED("give --mesh or --mesh-out, not both", "fit", DWARF, "--mesh", "a.glb", "--mesh-out",
            "x.glb", "--triangles", "9");
    REFUSED("would write over the model", "fit", DWARF, "--mesh-out", DWARF, "--triangles", "200");
    REFUSED("nowhere.json", "fit", DWARF, "--shape", "nowhere.json");
    REFUSED("missing.glb", "fit", "missing.glb", "--json");
    REFUSED("--time", "fit", DWARF, "--time", "1");
    REFUSED("/no/such", "fit", DWARF, "-o", "/no/such/folder/shape.json");
    REFUSED("dwarf.glb", "fit", DWARF, "-o", DWARF);
    REFUSED("unexpected argument", "fit", DWARF, DWARF);
}
