/* Reading shape files: what graze fit writes comes back as it was; files written by hand, with
 * parts finer and coarser than joints and with a mesh of their own; whatever is wrong is one line
 * with the file, the key, what was expected and what was found; mutated files do no harm.
 */
#include "cli/options.h"
#include "cli/output.h"
#include "cli/shape_file.h"
#include "harness.h"
#include "scenes/synth.h"
#include "support/json.h"
#include "support/own.h"
#include "support/quick.h"

#include <graze/gltf.h>

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

OWN_VALUE(shape_file, shape_file_free)

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

bool refuse(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(said, sizeof said, format, values);
    va_end(values);
    lines_said++;
    return false;
}

void output_warn(const char *format, ...)
{
    (void)format;
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
        OWN(graze_rig) *rig = synthesize(GRAZE_SYNTH_DWARF, 600);
        snprintf(path, sizeof path, "%s", scratch_path(1, "dwarf.glb"));
        CHECK(!graze_gltf_save(rig, path, NULL));
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
    return graze_part_name(shape->parts, shape->triangle_parts[triangle]);
}

/* ---- what fit writes ------------------------------------------------------------------------ */

static char *fitted(void)
{
    command_result run = RUN("fit", model(), "--json");
    CHECK_MSG(run.code == 0, "fit: %s", run.err);
    return run.out;
}

/* Numbers are compared as floats, in the order of the file. */
static void check_volume(const cJSON *object, const graze_hitbox_def *volume,
                         const shape_file *shape)
{
    const cJSON *sphere = field(object, "sphere");
    const cJSON *numbers = sphere ? sphere : field(object, "capsule");
    CHECK((volume->inner ? 3 : 1) == field(object, "level")->valueint);
    CHECK(strcmp(graze_part_name(shape->parts, volume->part), text_of(object, "part")) == 0);
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
    cJSON *file = json_parse(text);
    const cJSON *parts = field(file, "parts"), *item, *triangle;
    OWN(shape_file) shape = {0};
    OWN(graze_rig) *rig = NULL;
    uint32_t count = 0;
    REQUIRE(file && read_text(text, strlen(text), &shape, &rig));
    CHECK_MSG(!lines_said, "says: %s", said);
    CHECK(graze_part_count(shape.parts) == (uint32_t)cJSON_GetArraySize(parts));
    cJSON_ArrayForEach(item, parts)
    {
        const cJSON *parent = field(item, "parent");
        uint32_t part = graze_part_find(shape.parts, text_of(item, "name"));
        uint32_t above = graze_part_parent(shape.parts, part);
        CHECK(part != GRAZE_NONE);
        CHECK(parent ? strcmp(graze_part_name(shape.parts, above), parent->valuestring) == 0
                     : above == GRAZE_NONE);
        cJSON_ArrayForEach(triangle, field(item, "triangles"))
        {
            CHECK(shape.triangle_parts[triangle->valueint] == part);
            count++;
        }
    }
    CHECK(count == rig->triangle_count);
    item = field(file, "volumes")->child;
    for (uint32_t v = 0; v < shape.volume_count && item; v++, item = item->next)
        check_volume(item, &shape.volumes[v], &shape);
    CHECK(!item && shape.volume_count > 5);
}

/* ---- by hand -------------------------------------------------------------------------------- */

/* All joints but one as one part, and that one's triangles cut in two. */
TEST(parts_by_hand_are_finer_and_coarser_than_joints)
{
    OWN(graze_rig) *rig = make_rig();
    OWN(graze_part_names) *joints = NULL;
    graze_model_def def = graze_rig_model_def(rig);
    OWN(graze_model) *plain = NULL;
    if (graze_rig_part_names(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &joints, NULL) ||
        graze_rig_create_model(rig, &def, &plain, NULL))
        abort();
    uint32_t joint = graze_model_triangle_part(plain, 0);
    char text[400];
    snprintf(
        text, sizeof text,
        "{\"parts\":[{\"name\":\"left half\",\"parent\":\"all\",\"triangles\":[0]},"
        "{\"name\":\"all\",\"joints\":[\"*\"]},{\"name\":\"right half\",\"joints\":[\"%s\"]}]}",
        graze_part_name(joints, joint));
    OWN(shape_file) shape = {0};
    OWN(graze_rig) *again = NULL;
    REQUIRE(
        test_check(read_text(text, strlen(text), &shape, &again), __FILE__, __LINE__, "%s", said));
    CHECK(graze_part_count(shape.parts) == 3 && shape.volume_count == 0);
    CHECK(graze_part_parent(shape.parts, 0) == 1);
    for (uint32_t t = 0; t < rig->triangle_count; t++) {
        bool of_joint = graze_model_triangle_part(plain, t) == joint;
        const char *expected = t == 0 ? "left half" : of_joint ? "right half" : "all";
        CHECK(strcmp(part_named(&shape, t), expected) == 0);
    }
}

TEST(without_parts_they_are_the_joints)
{
    OWN(shape_file) shape = {0};
    OWN(graze_rig) *rig = NULL;
    REQUIRE(read_text("{}", 2, &shape, &rig));
    CHECK(graze_part_count(shape.parts) == rig->joint_count && !shape.triangle_parts);
}

/* ---- a mesh of its own ---------------------------------------------------------------------- */

/* The rig has the mesh's triangles then, on its own nodes, and is posed alike. */
TEST(a_mesh_takes_the_place_of_the_models)
{
    OWN(graze_rig) *coarse = synthesize(GRAZE_SYNTH_DWARF, 400), *rig = NULL;
    OWN(shape_file) shape = {0};
    REQUIRE(!graze_gltf_save(coarse, scratch_path(2, "coarse.glb"), NULL));
    const char *text = "{\"mesh\":\"coarse.glb\"}";
    bool read = read_text(text, strlen(text), &shape, &rig);
    CHECK_MSG(read, "says: %s", said);
    CHECK(rig->triangle_count == coarse->triangle_count && rig->clip_count == coarse->clip_count);
    CHECK(rig->joint_count == coarse->joint_count && rig->mesh_count == 0);
    CHECK(memcmp(rig->positions, coarse->positions, 3 * sizeof(float) * coarse->vertex_count) == 0);
    OWNED float *expected = malloc(12 * sizeof(float) * coarse->joint_count);
    OWNED float *found = malloc(12 * sizeof(float) * coarse->joint_count);
    CHECK(!graze_rig_sample(coarse, 0, 0.3, expected, NULL) &&
          !graze_rig_sample(rig, 0, 0.3, found, NULL));
    CHECK(memcmp(expected, found, 12 * sizeof(float) * coarse->joint_count) == 0);
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
    OWN(graze_rig) *ball = synthesize(GRAZE_SYNTH_BALL, 400);
    if (graze_gltf_save(ball, scratch_path(3, "ball.glb"), NULL))
        abort();
}

TEST(what_is_wrong_is_named)
{
    write_ball();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[500];
        shape_file shape;
        OWN(graze_rig) *rig = NULL;
        snprintf(text, sizeof text, "%s", bad[i].text);
        quote(text);
        bool read = read_text(text, strlen(text), &shape, &rig);
        CHECK_MSG(!read && lines_said == 1 && strstr(said, "shape.json: "), "%s: says %s", text,
                  said);
        CHECK_MSG(strstr(said, bad[i].says) != NULL, "%s: says %s", text, said);
        CHECK(!strchr(said, '\n'));
        CHECK(!shape.parts && !shape.triangle_parts && !shape.volumes);
    }
}

TEST(a_file_that_is_not_there)
{
    OWN(graze_rig) *rig = make_rig();
    shape_file shape;
    lines_said = 0;
    CHECK(!shape_file_read(&shape, "nowhere.json", rig) && lines_said == 1);
    CHECK_MSG(strstr(said, "nowhere.json: cannot be read: "), "says: %s", said);
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
    uint32_t count = graze_part_count(shape->parts);
    for (uint32_t t = 0; shape->triangle_parts && t < rig->triangle_count; t++)
        CHECK(shape->triangle_parts[t] < count);
    for (uint32_t v = 0; v < shape->volume_count; v++) {
        const graze_hitbox_def *volume = &shape->volumes[v];
        CHECK(volume->part < count && volume->joint < rig->joint_count);
        CHECK(volume->rest.radius >= 0 && isfinite(volume->rest.radius));
    }
}

TEST(mutated_files_are_taken_or_refused)
{
    char *text = fitted();
    size_t size = strlen(text);
    OWNED char *copy = malloc(size + 2);
    test_random random = test_random_seed(99);
    uint32_t taken = 0, refused = 0;
    OWN(graze_rig) *rig = make_rig();
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
}
