/* graze fit: every triangle is in one part, inside its volume at rest; bad arguments. */
#include "harness.h"
#include "support/command.h"
#include "support/rigs.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

static const cJSON *field(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    CHECK_MSG(found != NULL, "field %s is missing", name);
    return found;
}

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
    const cJSON *sphere = cJSON_GetObjectItem(volume, "sphere"), *triangle;
    const cJSON *capsule = cJSON_GetObjectItem(volume, "capsule");
    CHECK(!sphere != !capsule);
    const cJSON *numbers = sphere ? sphere : capsule;
    CHECK(cJSON_GetArraySize(numbers) == (sphere ? 4 : 7));
    CHECK(field(volume, "level")->valueint == 1);
    CHECK(strcmp(field(volume, "part")->valuestring, field(part, "name")->valuestring) == 0);
    CHECK(strcmp(field(volume, "joint")->valuestring,
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
    graze_rig *rig = NULL;
    cJSON *shape = cJSON_Parse(text);
    REQUIRE(shape && !test_rig_load(model, &rig, NULL));
    const cJSON *parts = field(shape, "parts"), *volumes = field(shape, "volumes");
    uint8_t *owned = calloc(rig->triangle_count, 1);
    REQUIRE(owned && parts && volumes);
    int count = cJSON_GetArraySize(parts);
    CHECK(count > 5 && cJSON_GetArraySize(volumes) == count);
    for (int i = 0; i < count; i++)
        check_part(rig, cJSON_GetArrayItem(parts, i), cJSON_GetArrayItem(volumes, i), owned);
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        CHECK(owned[t]);
    free(owned);
    cJSON_Delete(shape);
    graze_rig_destroy(rig);
}

static const char *dwarf(void)
{
    static char path[400];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(0, "dwarf.glb"));
        command_result run = RUN("synth", "dwarf", "--triangles", "600", "-o", path, "--json");
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
        command_free(&run);
    }
    return path;
}

TEST(a_shape_has_every_triangle_once_and_inside)
{
    const char *path = scratch_path(1, "shape.json");
    command_result printed = RUN("fit", dwarf(), "--json");
    CHECK_MSG(printed.code == 0 && !printed.err[0], "%s", printed.err);
    check_shape(dwarf(), printed.out);
    command_result written = RUN("fit", dwarf(), "-o", path);
    CHECK_MSG(written.code == 0 && !written.err[0] && !written.out[0], "%s", written.err);
    size_t size = strlen(printed.out);
    char *text = calloc(1, size + 2);
    FILE *file = fopen(path, "rb");
    REQUIRE(text && file);
    CHECK(fread(text, 1, size + 1, file) == size && strcmp(text, printed.out) == 0);
    fclose(file);
    free(text);
    command_free(&printed);
    command_free(&written);
}

TEST(without_json_there_is_a_table)
{
    command_result run = RUN("fit", dwarf());
    CHECK(run.code == 0 && !run.err[0]);
    CHECK(strstr(run.out, "triangles") && strstr(run.out, "radius") && !strchr(run.out, '{'));
    command_free(&run);
}

/* What was written, read and written again is the same text: the same parts and volumes. */
TEST(a_shape_that_is_read_is_written_as_it_was)
{
    const char *path = scratch_path(2, "again.json");
    command_result written = RUN("fit", dwarf(), "--fine", "4", "-o", path);
    CHECK_MSG(written.code == 0, "%s", written.err);
    command_result again = RUN("fit", dwarf(), "--shape", path, "--json");
    size_t size = 0;
    char *text = read_whole_file(path, &size);
    CHECK_MSG(again.code == 0 && text && strcmp(text, again.out) == 0, "%s", again.err);
    free(text);
    command_free(&written);
    command_free(&again);
}

/* A volume by hand stays as it is; the other parts get fitted ones. */
TEST(volumes_by_hand_are_kept)
{
    const char *path = scratch_path(3, "hand.json");
    static const char hand[] = "{\"volumes\":[{\"level\":1,\"part\":\"head\",\"joint\":\"pelvis\","
                               "\"capsule\":[0,1,0,0.5,1,0,0.25]}]}";
    CHECK(write_whole_file(path, hand, strlen(hand)));
    command_result run = RUN("fit", dwarf(), "--shape", path, "--json");
    command_result plain = RUN("fit", dwarf(), "--json");
    cJSON *shape = cJSON_Parse(run.out), *fitted = cJSON_Parse(plain.out);
    CHECK_MSG(run.code == 0 && shape && fitted, "%s", run.err);
    char *first = cJSON_PrintUnformatted(cJSON_GetArrayItem(field(shape, "volumes"), 0));
    CHECK_MSG(first && strstr(hand, first), "%s", first);
    CHECK(cJSON_GetArraySize(field(shape, "volumes")) ==
          cJSON_GetArraySize(field(fitted, "volumes")));
    free(first);
    cJSON_Delete(shape);
    cJSON_Delete(fitted);
    command_free(&run);
    command_free(&plain);
}

/* The volumes and triangles of a mesh of its own; the file names it from its own folder, and what
 * is read again is the same, wherever it is written.
 */
TEST(a_coarser_mesh_is_named_in_the_file)
{
    const char *path = scratch_path(5, "coarse.json"), *mesh = scratch_path(6, "coarse.glb");
    command_result made = RUN("synth", "dwarf", "--triangles", "400", "-o", mesh, "--json");
    command_result written = RUN("fit", dwarf(), "--mesh", mesh, "-o", path);
    CHECK_MSG(made.code == 0 && written.code == 0, "%s%s", made.err, written.err);
    size_t size = 0;
    char *text = read_whole_file(path, &size);
    cJSON *shape = cJSON_Parse(text);
    CHECK(shape && strcmp(field(shape, "mesh")->valuestring, "coarse.glb") == 0);
    check_shape(mesh, text);
    command_result plain = RUN("fit", mesh, "--json");
    cJSON *own = cJSON_Parse(plain.out);
    CHECK(cJSON_Compare(field(own, "volumes"), field(shape, "volumes"), true));
    CHECK(cJSON_Compare(field(own, "parts"), field(shape, "parts"), true));
    command_result again = RUN("fit", dwarf(), "--shape", path, "-o", scratch_path(7, "c2.json"));
    CHECK_MSG(again.code == 0, "%s", again.err);
    char *other = read_whole_file(scratch_path(7, "c2.json"), &size);
    CHECK(text && other && strcmp(text, other) == 0);
    free(text);
    free(other);
    cJSON_Delete(shape);
    cJSON_Delete(own);
    command_free(&made);
    command_free(&written);
    command_free(&plain);
    command_free(&again);
}

static void refused(const char *what, command_result run, const char *expected)
{
    const char *end = strchr(run.err, '\n');
    CHECK_MSG(run.code == 2 && !run.out[0], "%s: exit code %d", what, run.code);
    CHECK_MSG(end && !end[1] && strstr(run.err, expected), "%s: %s", what, run.err);
    command_free(&run);
}

TEST(bad_arguments_are_refused)
{
    refused("no model", RUN("fit"), "model");
    const char *path = scratch_path(4, "bad.json");
    static const char far[] =
        "{\"volumes\":[{\"level\":3,\"part\":\"head\",\"joint\":\"head\",\"sphere\":[0,0,0,1]},"
        "{\"level\":3,\"part\":\"head\",\"joint\":\"head\",\"sphere\":[0,1e17,0,1]}]}";
    CHECK(write_whole_file(path, far, strlen(far)));
    refused("a volume far away", RUN("fit", dwarf(), "--shape", path), "bad.json: volumes[1]: ");
    refused("a missing mesh", RUN("fit", dwarf(), "--mesh", "nowhere.glb"), "--mesh nowhere.glb: ");
    refused("a mesh and a shape", RUN("fit", dwarf(), "--mesh", "a.glb", "--shape", path),
            "give --mesh or --shape, not both");
    refused("a missing shape", RUN("fit", dwarf(), "--shape", "nowhere.json"), "nowhere.json");
    refused("a missing file", RUN("fit", "missing.glb", "--json"), "missing.glb");
    refused("an option it does not use", RUN("fit", dwarf(), "--time", "1"), "--time");
    refused("no such folder", RUN("fit", dwarf(), "-o", "/no/such/folder/shape.json"), "/no/such");
    refused("the model as output", RUN("fit", dwarf(), "-o", dwarf()), "dwarf.glb");
    refused("two models", RUN("fit", dwarf(), dwarf()), "unexpected argument");
}
