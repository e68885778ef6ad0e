/* Reading shape files: what graze fit writes comes back as it was; files written by hand, with
 * parts finer and coarser than joints and with a mesh of their own; whatever is wrong is one line
 * with the file, the key, what was expected and what was found; mutated files do no harm.
 */
#include "cli/options.h"
#include "cli/shape_file.h"
#include "harness.h"
#include "scenes/synth.h"
#include "support/command.h"
#include "support/quick.h"

#include <graze/gltf.h>

#include <cjson/cJSON.h>

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rest of the command ---------------------------------------------------------------- */

static char said[2000];
static uint32_t lines_said;

void format_line(char *text, size_t size, const char *format, va_list values)
{
    vsnprintf(text, size, format, values);
}

int fail_usage(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(said, sizeof said, format, values);
    va_end(values);
    lines_said++;
    return 2;
}

/* ---- a model -------------------------------------------------------------------------------- */

static graze_rig *synthesize(graze_synth_kind kind, uint32_t triangles)
{
    const graze_synth_def def = {.kind = kind, .triangles = triangles};
    graze_rig *rig = NULL;
    if (graze_synth(&def, NULL, &rig, NULL))
        abort();
    return rig;
}

/* Made once. */
static const char *model(void)
{
    static char path[400];
    if (!path[0]) {
        graze_rig *rig = synthesize(GRAZE_SYNTH_DWARF, 600);
        snprintf(path, sizeof path, "%s", scratch_path(1, "dwarf.glb"));
        CHECK(!graze_gltf_save(rig, path, NULL));
        graze_rig_destroy(rig);
    }
    return path;
}

static graze_rig *make_rig(void)
{
    graze_rig *rig = NULL;
    if (graze_gltf_load(model(), NULL, &rig, NULL))
        abort();
    return rig;
}

/* Writes a text, or reads it as a shape of a new rig; *rig is the caller's. */
static bool read_text(const char *text, size_t size, shape_file *shape, graze_rig **rig)
{
    const char *path = scratch_path(0, "shape.json");
    if (!write_whole_file(path, text, size))
        abort();
    *rig = make_rig();
    lines_said = 0;
    said[0] = 0;
    return shape_file_read(shape, path, *rig);
}

static const char *part_named(const shape_file *shape, uint32_t triangle)
{
    return graze_parts_name(shape->parts, shape->triangle_groups[triangle]);
}

/* ---- what fit writes ------------------------------------------------------------------------ */

static char *fitted(void)
{
    command_result run =
        command_run(GRAZE_COMMAND, (const char *const[]){"fit", model(), "--json", NULL});
    CHECK_MSG(run.code == 0, "fit: %s", run.err);
    char *text = run.out;
    free(run.err);
    return text;
}

/* Numbers are compared as floats, in the order of the file. */
static void check_volume(const cJSON *object, const shape_volume *volume, const shape_file *shape)
{
    const cJSON *sphere = cJSON_GetObjectItem(object, "sphere");
    const cJSON *numbers = sphere ? sphere : cJSON_GetObjectItem(object, "capsule");
    CHECK(volume->level == (uint32_t)cJSON_GetObjectItem(object, "level")->valueint);
    CHECK(strcmp(graze_parts_name(shape->parts, volume->part),
                 cJSON_GetObjectItem(object, "part")->valuestring) == 0);
    for (int k = 0; k < 3; k++) {
        CHECK((float)cJSON_GetArrayItem(numbers, k)->valuedouble == volume->rest.p[k]);
        CHECK((float)cJSON_GetArrayItem(numbers, sphere ? k : 3 + k)->valuedouble ==
              volume->rest.q[k]);
    }
    CHECK((float)cJSON_GetArrayItem(numbers, sphere ? 3 : 6)->valuedouble == volume->rest.radius);
}

TEST(what_fit_writes_comes_back)
{
    char *text = fitted();
    cJSON *file = cJSON_Parse(text);
    const cJSON *parts = cJSON_GetObjectItem(file, "parts"), *item, *triangle;
    shape_file shape;
    graze_rig *rig = NULL;
    uint32_t count = 0;
    REQUIRE(file && read_text(text, strlen(text), &shape, &rig));
    CHECK_MSG(!lines_said, "says: %s", said);
    CHECK(graze_parts_count(shape.parts) == (uint32_t)cJSON_GetArraySize(parts));
    cJSON_ArrayForEach(item, parts)
    {
        const cJSON *parent = cJSON_GetObjectItem(item, "parent");
        uint32_t part = 0, above = GRAZE_NO_PART;
        CHECK(graze_parts_find(shape.parts, cJSON_GetObjectItem(item, "name")->valuestring, &part));
        graze_parts_parent(shape.parts, part, &above);
        CHECK(parent ? strcmp(graze_parts_name(shape.parts, above), parent->valuestring) == 0
                     : above == GRAZE_NO_PART);
        cJSON_ArrayForEach(triangle, cJSON_GetObjectItem(item, "triangles"))
        {
            CHECK(shape.triangle_groups[triangle->valueint] == part);
            count++;
        }
    }
    CHECK(count == rig->triangle_count);
    item = cJSON_GetObjectItem(file, "volumes")->child;
    for (uint32_t v = 0; v < shape.volume_count && item; v++, item = item->next)
        check_volume(item, &shape.volumes[v], &shape);
    CHECK(!item && shape.volume_count > 5);
    shape_file_free(&shape);
    graze_rig_destroy(rig);
    cJSON_Delete(file);
    free(text);
}

/* ---- by hand -------------------------------------------------------------------------------- */

/* All joints but one as one part, and that one's triangles cut in two. */
TEST(parts_by_hand_are_finer_and_coarser_than_joints)
{
    graze_rig *rig = make_rig();
    graze_parts *joints = NULL;
    graze_model_def def = graze_rig_model_def(rig);
    graze_model *plain = NULL;
    if (graze_rig_parts(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &joints, NULL) ||
        graze_rig_create_model(rig, &def, &plain, NULL))
        abort();
    uint32_t joint = graze_model_triangle_group(plain, 0);
    cJSON *file = cJSON_CreateObject(), *parts = cJSON_AddArrayToObject(file, "parts");
    cJSON *left = cJSON_CreateObject(), *rest = cJSON_CreateObject(), *right = cJSON_CreateObject();
    cJSON_AddStringToObject(left, "name", "left half");
    cJSON_AddStringToObject(left, "parent", "all");
    cJSON *triangles = cJSON_AddArrayToObject(left, "triangles");
    cJSON_AddItemToArray(triangles, cJSON_CreateNumber(0));
    cJSON_AddStringToObject(right, "name", "right half");
    cJSON *of_right = cJSON_AddArrayToObject(right, "joints");
    cJSON_AddItemToArray(of_right, cJSON_CreateString(graze_parts_name(joints, joint)));
    cJSON_AddStringToObject(rest, "name", "all");
    cJSON *others = cJSON_AddArrayToObject(rest, "joints");
    cJSON_AddItemToArray(others, cJSON_CreateString("*"));
    cJSON_AddItemToArray(parts, left);
    cJSON_AddItemToArray(parts, rest);
    cJSON_AddItemToArray(parts, right);
    char *text = cJSON_Print(file);
    shape_file shape;
    graze_rig *again = NULL;
    REQUIRE(
        test_check(read_text(text, strlen(text), &shape, &again), __FILE__, __LINE__, "%s", said));
    uint32_t above = 99;
    CHECK(graze_parts_count(shape.parts) == 3 && shape.volume_count == 0);
    CHECK(graze_parts_parent(shape.parts, 0, &above) && above == 1);
    for (uint32_t t = 0; t < rig->triangle_count; t++) {
        bool of_joint = graze_model_triangle_group(plain, t) == joint;
        const char *expected = t == 0 ? "left half" : of_joint ? "right half" : "all";
        CHECK(strcmp(part_named(&shape, t), expected) == 0);
    }
    shape_file_free(&shape);
    graze_rig_destroy(again);
    cJSON_Delete(file);
    free(text);
    graze_model_destroy(plain);
    graze_parts_destroy(joints);
    graze_rig_destroy(rig);
}

TEST(without_parts_they_are_the_joints)
{
    shape_file shape;
    graze_rig *rig = NULL;
    REQUIRE(read_text("{}", 2, &shape, &rig));
    CHECK(graze_parts_count(shape.parts) == rig->joint_count && !shape.triangle_groups);
    shape_file_free(&shape);
    graze_rig_destroy(rig);
}

/* ---- a mesh of its own ---------------------------------------------------------------------- */

/* The rig has the mesh's triangles then, on its own nodes, and is posed alike. */
TEST(a_mesh_takes_the_place_of_the_models)
{
    graze_rig *coarse = synthesize(GRAZE_SYNTH_DWARF, 400), *rig = NULL;
    shape_file shape;
    REQUIRE(!graze_gltf_save(coarse, scratch_path(2, "coarse.glb"), NULL));
    const char *text = "{\"mesh\":\"coarse.glb\"}";
    bool read = read_text(text, strlen(text), &shape, &rig);
    CHECK_MSG(read, "says: %s", said);
    CHECK(rig->triangle_count == coarse->triangle_count && rig->clip_count == coarse->clip_count);
    CHECK(rig->joint_count == coarse->joint_count && rig->mesh_count == 0);
    CHECK(memcmp(rig->positions, coarse->positions, 3 * sizeof(float) * coarse->vertex_count) == 0);
    float *expected = malloc(12 * sizeof(float) * coarse->joint_count);
    float *found = malloc(12 * sizeof(float) * coarse->joint_count);
    CHECK(!graze_rig_sample(coarse, 0, 0.3, expected, NULL) &&
          !graze_rig_sample(rig, 0, 0.3, found, NULL));
    CHECK(memcmp(expected, found, 12 * sizeof(float) * coarse->joint_count) == 0);
    free(expected);
    free(found);
    shape_file_free(&shape);
    graze_rig_destroy(rig);
    graze_rig_destroy(coarse);
}

/* ---- bad files ------------------------------------------------------------------------------ */

/* Each has ' for ". J and P are the names of a joint. */
static const struct {
    const char *text, *says;
} bad[] = {
    {"", "line 1, column 1: not valid JSON"},
    {"{'parts':[}", "line 1, column 11: not valid JSON"},
    {"{\n'volumes':[NaN]}", "line 2, column 12: not valid JSON"},
    {"{} x", "line 1, column 4: not valid JSON"},
    {"[]", "shape.json: expected an object, found an array of 0"},
    {"{'part':[]}", "there is no key part; did you mean parts?"},
    {"{'mesh':null,'mesh':null}", "mesh: the key stands there twice"},
    {"{'parts':{}}", "parts: expected an array of parts, found an object"},
    {"{'parts':[]}", "parts: expected at least one part, found an array of 0"},
    {"{'parts':[3]}", "parts[0]: expected an object, found 3"},
    {"{'parts':[{}]}", "parts[0].name: expected the part's name, found nothing"},
    {"{'parts':[{'name':''}]}", "parts[0].name: expected the part's name, found \"\""},
    {"{'parts':[{'name':'a','color':1}]}",
     "parts[0]: there is no key color; expected name, joints"},
    {"{'parts':[{'name':'a','joints':'b'}]}",
     "parts[0].joints: expected an array of names of joints, found \"b\""},
    {"{'parts':[{'name':'a','joints':[1]}]}",
     "parts[0].joints[0]: expected the name of a joint, found 1"},
    {"{'parts':[{'name':'a','joints':['pelvs']}]}",
     "parts[0].joints[0]: there is no joint pelvs; did you mean pelvis?"},
    {"{'parts':[{'name':'a','joints':['qqqqqqq']}]}",
     "parts[0].joints[0]: there is no joint qqqqqqq; expected pelvis, "},
    {"{'parts':[{'name':'a','joints':['pelvis']},{'name':'b','joints':['pelvis']}]}",
     "parts[1].joints[0]: expected a joint of no other part, found pelvis of parts[0]"},
    {"{'parts':[{'name':'a','joints':['*']},{'name':'b','joints':['pelvis','*']}]}",
     "parts[1].joints[1]: expected a joint of no other part, found * of parts[0]"},
    {"{'parts':[{'name':'a','joints':['pelvis']},{'name':'b','triangles':[]}]}",
     "parts: expected every triangle in a part, found "},
    {"{'parts':[{'name':'a','triangles':[0,1.5]}]}",
     "parts[0].triangles[1]: expected the number of a triangle, 0 to "},
    {"{'parts':[{'name':'a','triangles':[-1]}]}",
     "parts[0].triangles[0]: expected the number of a triangle, 0 to "},
    {"{'parts':[{'name':'a','triangles':[0,99999]}]}", "found 99999"},
    {"{'parts':[{'name':'a','triangles':[0]},{'name':'b','triangles':[3,0]}]}",
     "parts[1].triangles[1]: expected a triangle of no other part, found 0 of parts[0]"},
    {"{'parts':[{'name':'a'},{'name':'a'}]}",
     "parts[1].name: expected a name of its own, found a of another part"},
    {"{'parts':[{'name':'a','parent':'b'}]}", "parts[0].parent: there is no part b; expected a"},
    {"{'parts':[{'name':'a','parent':'b'},{'name':'b','parent':'a'}]}",
     "parts: part 0, a, is inside itself"},
    {"{'volumes':3}", "volumes: expected an array of volumes, found 3"},
    {"{'volumes':[{'level':2}]}",
     "volumes[0].level: expected 1 or 3 (level 2 is the mesh), found 2"},
    {"{'volumes':[{'part':'pelvis'}]}",
     "volumes[0].level: expected 1 or 3 (level 2 is the mesh), found nothing"},
    {"{'volumes':[{'level':1}]}", "volumes[0].part: expected the name of a part, found nothing"},
    {"{'volumes':[{'level':1,'part':'x'}]}",
     "volumes[0].part: there is no part x; expected pelvis"},
    {"{'volumes':[{'level':1,'part':'pelvis','joint':'pelviss'}]}",
     "volumes[0].joint: there is no joint pelviss; did you mean pelvis?"},
    {"{'volumes':[{'level':1,'part':'pelvis','joint':'pelvis'}]}",
     "volumes[0]: expected a sphere or a capsule, found neither"},
    {"{'volumes':[{'level':1,'part':'pelvis','joint':'pelvis','sphere':[0,0,0,1],'capsule':[]}]}",
     "volumes[0]: expected a sphere or a capsule, found both"},
    {"{'volumes':[{'level':1,'part':'pelvis','joint':'pelvis','sphere':[0,0,0]}]}",
     "volumes[0].sphere: expected x, y, z and radius of a sphere, found an array of 3"},
    {"{'volumes':[{'level':1,'part':'pelvis','joint':'pelvis','capsule':[0,0,0,1,1,1,'2']}]}",
     "volumes[0].capsule[6]: expected a number, found \"2\""},
    {"{'volumes':[{'level':1,'part':'pelvis','joint':'pelvis','capsule':[0,0,0,1,1,1,-2]}]}",
     "volumes[0].capsule[6]: expected a radius of 0 or more, found -2"},
    {"{'volumes':[{'level':1,'part':'pelvis','joint':'pelvis','sphere':[0,1e999,0,1]}]}",
     "volumes[0].sphere[1]: expected a number, finite and below 1e18, found inf"},
    {"{'volumes':[{'level':1,'part':'pelvis','joint':'pelvis','sphere':[0,0,0,1]},"
     "{'level':3,'part':'pelvis','joint':'pelvis','sphere':[0,0,0,1]},"
     "{'level':1,'part':'pelvis','joint':'pelvis','sphere':[0,0,0,1]}]}",
     "volumes[2].part: expected a part that no volume of level 1 owns, found pelvis, whose "
     "triangles volumes[0] owns"},
    {"{'mesh':1}", "mesh: expected the path of a model, found 1"},
    {"{'mesh':'missing.glb'}", "mesh: "},
    {"{'mesh':'ball.glb'}", "mesh: expected a mesh on the model's joints, found joint "},
};

static void quote(char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            *text = '"';
}

static void write_ball(void)
{
    graze_rig *ball = synthesize(GRAZE_SYNTH_BALL, 400);
    if (graze_gltf_save(ball, scratch_path(3, "ball.glb"), NULL))
        abort();
    graze_rig_destroy(ball);
}

TEST(what_is_wrong_is_named)
{
    write_ball();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[500];
        shape_file shape;
        graze_rig *rig = NULL;
        snprintf(text, sizeof text, "%s", bad[i].text);
        quote(text);
        bool read = read_text(text, strlen(text), &shape, &rig);
        CHECK_MSG(!read && lines_said == 1 && strstr(said, "shape.json: "), "%s: says %s", text,
                  said);
        CHECK_MSG(strstr(said, bad[i].says) != NULL, "%s: says %s", text, said);
        CHECK(!strchr(said, '\n'));
        CHECK(!shape.parts && !shape.triangle_groups && !shape.volumes);
        graze_rig_destroy(rig);
    }
}

TEST(a_file_that_is_not_there)
{
    graze_rig *rig = make_rig();
    shape_file shape;
    lines_said = 0;
    CHECK(!shape_file_read(&shape, "nowhere.json", rig) && lines_said == 1);
    CHECK_MSG(strstr(said, "nowhere.json: cannot be read: "), "says: %s", said);
    graze_rig_destroy(rig);
}

/* ---- mutations ------------------------------------------------------------------------------ */

static size_t mutate(char *text, size_t size, test_random *random)
{
    static const char *const words[] = {"null", "-1",  "1e30", "{}",  "[]",   "\"pelvis\"",
                                        "true", "0.5", "\"\"", "3e9", "[[[[", "\\u0000"};
    uint32_t times = 1 + test_random_u32(random) % 3;
    for (uint32_t i = 0; i < times; i++) {
        size_t at = test_random_u32(random) % size;
        const char *word = words[test_random_u32(random) % 12];
        size_t length = strlen(word);
        switch (test_random_u32(random) % 4) {
        case 0:
            text[at] = (char)test_random_u32(random);
            break;
        case 1: /* something is missing */
            memmove(text + at, text + at + 1, size - at);
            size--;
            break;
        case 2: /* something else stands there */
            if (at + length < size)
                memcpy(text + at, word, length);
            break;
        default: /* the end is missing */
            size = at ? at : 1;
        }
    }
    return size;
}

/* What was taken is whole: a model and its fit can be made of it. */
static void check_taken(const shape_file *shape, const graze_rig *rig)
{
    uint32_t count = graze_parts_count(shape->parts);
    for (uint32_t t = 0; shape->triangle_groups && t < rig->triangle_count; t++)
        CHECK(shape->triangle_groups[t] < count);
    for (uint32_t v = 0; v < shape->volume_count; v++) {
        const shape_volume *volume = &shape->volumes[v];
        CHECK(volume->part < count && volume->joint < rig->joint_count &&
              (volume->level == 1 || volume->level == 3));
        CHECK(volume->rest.radius >= 0 && isfinite(volume->rest.radius));
    }
}

TEST(mutated_files_are_taken_or_refused)
{
    char *text = fitted();
    size_t size = strlen(text);
    char *copy = malloc(size + 2);
    test_random random = test_random_seed(99);
    uint32_t taken = 0, refused = 0;
    graze_rig *rig = make_rig();
    const char *path = scratch_path(0, "shape.json");
    for (uint32_t i = 0; copy && i < test_amount(8000, 500); i++) {
        shape_file shape;
        memcpy(copy, text, size + 1);
        size_t left = mutate(copy, size, &random);
        if (!write_whole_file(path, copy, left))
            abort();
        lines_said = 0;
        if (shape_file_read(&shape, path, rig)) {
            CHECK(!lines_said);
            check_taken(&shape, rig);
            shape_file_free(&shape);
            taken++;
        } else {
            CHECK_MSG(lines_said == 1 && strstr(said, "shape.json: "), "says: %s", said);
            refused++;
        }
    }
    printf("     %u taken, %u refused\n", taken, refused);
    CHECK(taken > 5 && refused > 100);
    graze_rig_destroy(rig);
    free(copy);
    free(text);
}
