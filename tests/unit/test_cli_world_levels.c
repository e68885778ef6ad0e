/* graze world beyond frame by frame and yes or no: contacts, parts, solid bodies, motion between
 * frames.
 */
#include "harness.h"
#include "support/json.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* ---- scenes ------------------------------------------------------------------------------- */

/* A small character and a ball, written by the command itself. */
static void write_models(void)
{
    static bool written;
    if (written)
        return;
    written = true;
    static const char *const kinds[2][3] = {{"dwarf", "600", "dwarf.glb"},
                                            {"ball", "1280", "ball.glb"}};
    for (int i = 0; i < 2; i++) {
        command_result run = RUN("synth", kinds[i][0], "--triangles", kinds[i][1], "-o",
                                 scratch_path(0, kinds[i][2]));
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
    }
}

/* Plays a scene; its text is a format. The lines as an array. */
__attribute__((format(printf, 1, 2))) static cJSON *play(const char *format, ...)
{
    char text[4000];
    const char *path = scratch_path(1, "scene.json");
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    write_models();
    CHECK(write_whole_file(path, text, strlen(text)));
    command_result run = RUN("world", path, "--json", "--stay");
    CHECK_MSG(run.code == 0 && !run.err[0], "%s", run.err);
    return json_lines(run.out);
}

static bool is(const cJSON *line, const char *event)
{
    const cJSON *found = line ? field(line, "event") : NULL;
    return found && strcmp(found->valuestring, event) == 0;
}

/* ---- contacts ----------------------------------------------------------------------------- */

/* Spheres of radius 1 and 0.5 whose centres are 1.2 apart are 0.3 deep. */
TEST(contacts_of_shapes)
{
    static const char *const orders[2] = {
        "{\"name\": \"a\", \"sphere\": 1}, {\"name\": \"b\", \"sphere\": 0.5, \"at\": [1.2, 0, 0]}",
        "{\"name\": \"b\", \"sphere\": 0.5, \"at\": [1.2, 0, 0]}, {\"name\": \"a\", \"sphere\": "
        "1}"};
    for (int i = 0; i < 2; i++) {
        cJSON *all = play("{\"seconds\": 0, \"fps\": 1, \"bodies\": [%s]}", orders[i]);
        REQUIRE(cJSON_GetArraySize(all) == 1);
        const cJSON *line = cJSON_GetArrayItem(all, 0), *contacts = field(line, "contacts");
        REQUIRE(cJSON_GetArraySize(contacts) == 1);
        const cJSON *contact = cJSON_GetArrayItem(contacts, 0);
        CHECK(fabs(number(contact, "depth") - 0.3) < 1e-6);
        CHECK(fabs(number_at(contact, "normal", 0) - (i ? 1 : -1)) < 1e-6);
        CHECK(number_at(contact, "point", 0) > 0.69 && number_at(contact, "point", 0) < 1.01);
        CHECK(!strcmp(cJSON_GetArrayItem(field(contact, "parts"), 0)->valuestring, "sphere"));
        CHECK(cJSON_IsNull(cJSON_GetArrayItem(field(contact, "triangles"), 0)));
        CHECK(!field(line, "toi") && !field(line, "inside"));
    }
}

static bool has_pair(const cJSON *pairs, double a, double b)
{
    const cJSON *pair;
    cJSON_ArrayForEach(pair, pairs) if (cJSON_GetArrayItem(pair, 0)->valuedouble == a &&
                                        cJSON_GetArrayItem(pair, 1)->valuedouble == b) return true;
    return false;
}

/* The triangles of a contact are a pair of graze collide, and its parts are among the event's. */
TEST(contacts_of_bodies)
{
    cJSON *all =
        play("{\"seconds\": 0, \"fps\": 1, \"bodies\": ["
             "{\"name\": \"a\", \"model\": \"dwarf.glb\", \"clip\": 0},"
             "{\"name\": \"b\", \"model\": \"dwarf.glb\", \"clip\": 0, \"at\": [0.3, 0, 0]}"
             "]}");
    command_result run = RUN("collide", scratch_path(0, "dwarf.glb"), "--at", "0.3,0,0", "--json");
    cJSON *alone = json_parse(run.out);
    REQUIRE(alone && cJSON_GetArraySize(all) == 1);
    const cJSON *line = cJSON_GetArrayItem(all, 0), *contact, *pair;
    const cJSON *contacts = field(line, "contacts"), *parts = field(line, "parts");
    CHECK(number(line, "pairs") == number(alone, "count"));
    CHECK(cJSON_GetArraySize(contacts) > 0);
    cJSON_ArrayForEach(contact, contacts)
    {
        double length = 0;
        for (int k = 0; k < 3; k++)
            length += number_at(contact, "normal", k) * number_at(contact, "normal", k);
        CHECK(fabs(length - 1) < 1e-5 || length == 0);
        CHECK(number(contact, "depth") >= 0);
        CHECK(has_pair(field(alone, "pairs"), number_at(contact, "triangles", 0),
                       number_at(contact, "triangles", 1)));
        bool found = false;
        cJSON_ArrayForEach(pair, parts) found =
            found || cJSON_Compare(pair, field(contact, "parts"), true);
        CHECK(found);
    }
}

/* ---- parts -------------------------------------------------------------------------------- */

static const char walkers[] =
    "{\"seconds\": 1, \"fps\": 12, \"classes\": [\"c\"],"
    "\"rules\": [{\"classes\": [\"c\", \"c\"], \"level\": \"%s\"}], \"bodies\": ["
    "{\"name\": \"a\", \"model\": \"dwarf.glb\", \"clip\": 0, \"class\": \"c\"},"
    "{\"name\": \"b\", \"model\": \"dwarf.glb\", \"clip\": 0, \"phase\": 0.3, \"class\": \"c\","
    " \"at\": [0.3, 0, -1.5], \"turn\": 160, \"velocity\": [0, 0, 3]},"
    "{\"name\": \"ball\", \"sphere\": 0.1, \"class\": \"c\", \"at\": [-1, 0.7, 0.05],"
    " \"velocity\": [2, 0, 0]}]}";

static bool meets(const cJSON *all, int frame, const cJSON *bodies)
{
    const cJSON *line;
    cJSON_ArrayForEach(line,
                       all) if (number(line, "frame") == frame && !is(line, "end") &&
                                cJSON_Compare(field(line, "bodies"), bodies, true)) return true;
    return false;
}

TEST(parts_miss_nothing_that_is_exact)
{
    cJSON *exact = play(walkers, "exact"), *parts = play(walkers, "parts");
    cJSON *bounds = play(walkers, "bounds");
    const cJSON *line, *contact;
    CHECK(cJSON_GetArraySize(exact) > 5);
    cJSON_ArrayForEach(line, exact) if (!is(line, "end"))
        CHECK(meets(parts, (int)number(line, "frame"), field(line, "bodies")));
    cJSON_ArrayForEach(line, parts)
    {
        CHECK(!field(line, "pairs"));
        CHECK(is(line, "end") || meets(bounds, (int)number(line, "frame"), field(line, "bodies")));
        CHECK(is(line, "end") == (size_of(line, "parts") == 0));
        cJSON_ArrayForEach(contact, field(line, "contacts"))
            CHECK(!field(contact, "triangles") && number(contact, "depth") >= 0);
    }
    cJSON_ArrayForEach(line, bounds) CHECK(!field(line, "contacts"));
}

/* ---- shapes ------------------------------------------------------------------------------- */

/* Parts by hand: the names of the file stand in events, with and without volumes. */
TEST(parts_of_a_shape_file)
{
    static const char *const levels[] = {"exact", "parts"};
    static const char shape[] =
        "{\"parts\": [{\"name\": \"head and beard\", \"joints\": [\"head\", \"beard\"]},"
        "{\"name\": \"rest\", \"joints\": [\"*\"]}]}";
    CHECK(write_whole_file(scratch_path(3, "dwarf.json"), shape, strlen(shape)));
    for (int i = 0; i < 2; i++) {
        cJSON *all = play(
            "{\"seconds\": 0, \"fps\": 1, \"classes\": [\"c\"], \"rules\": [{\"classes\": [\"c\","
            "\"c\"], \"level\": \"%s\"}], \"bodies\": [{\"name\": \"a\", \"class\": \"c\","
            "\"model\": \"dwarf.glb\", \"shape\": \"dwarf.json\"},"
            "{\"name\": \"b\", \"class\": \"c\", \"model\": \"dwarf.glb\", \"at\": [0.1, 0, 0]}]}",
            levels[i]);
        const cJSON *parts = field(cJSON_GetArrayItem(all, 0), "parts"), *pair;
        int named[2] = {0};
        CHECK(cJSON_GetArraySize(all) == 1 && cJSON_GetArraySize(parts) > 2);
        cJSON_ArrayForEach(pair, parts)
        {
            const char *a = cJSON_GetArrayItem(pair, 0)->valuestring;
            const char *b = cJSON_GetArrayItem(pair, 1)->valuestring;
            bool is_rest = strcmp(a, "rest") == 0;
            CHECK_MSG(is_rest || strcmp(a, "head and beard") == 0, "%s", a);
            CHECK(strcmp(b, "rest") != 0); /* the other has no shape */
            named[is_rest]++;
        }
        CHECK_MSG(named[0] > 0 && named[1] > 0, "%s: %d and %d", levels[i], named[0], named[1]);
    }
}

TEST(bad_shapes)
{
    static const char *const files[][2] = {
        {NULL, "shape.json: cannot be read"},
        {"{\"part\": []}", "shape.json: there is no key part; did you mean parts?"},
        {"{\"parts\": [{\"name\": \"a\", \"joints\": [\"haed\"]}]}",
         "shape.json: parts[0].joints[0]: there is no joint haed; did you mean head?"}};
    static const char text[] =
        "{\"seconds\": 0, \"fps\": 1, \"bodies\": [{\"name\": \"a\", \"model\": \"dwarf.glb\","
        "\"shape\": \"shape.json\"}]}";
    const char *path = scratch_path(1, "scene.json"), *shape = scratch_path(4, "shape.json");
    write_models();
    CHECK(write_whole_file(path, text, strlen(text)));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i][0])
            CHECK(write_whole_file(shape, files[i][0], strlen(files[i][0])));
        command_result run = RUN("world", path);
        CHECK(run.code == 2 && !run.out[0] && count_lines(run.err) == 1);
        CHECK_MSG(strstr(run.err, files[i][1]), "%s", run.err);
    }
}

/* ---- solid -------------------------------------------------------------------------------- */

/* A pea flies through a hollow ball of radius 0.15 around [0, 0.15, 0]. */
static const char pea[] =
    "{\"seconds\": 1, \"fps\": 20, \"bodies\": [{\"name\": \"ball\", \"model\": \"ball.glb\"%s},"
    "{\"name\": \"pea\", \"sphere\": 0.02, \"at\": [-0.5, 0.15, 0], \"velocity\": [1, 0, 0]}]}";

TEST(inside_a_solid)
{
    cJSON *hollow = play(pea, ""), *solid = play(pea, ", \"solid\": true");
    const cJSON *line;
    int inside = 0, begun[2] = {0};
    cJSON_ArrayForEach(line, hollow)
    {
        CHECK(!field(line, "inside") && (is(line, "end") || number(line, "pairs") > 0));
        begun[0] += is(line, "begin");
    }
    cJSON_ArrayForEach(line, solid)
    {
        bool is_inside = cJSON_IsTrue(field(line, "inside"));
        CHECK(is(line, "end") || is_inside == (number(line, "pairs") == 0));
        begun[1] += is(line, "begin");
        inside += is_inside;
    }
    CHECK_MSG(begun[0] == 2 && begun[1] == 1 && inside >= 4, "%d and %d begins, %d inside",
              begun[0], begun[1], inside);
}

/* ---- motion ------------------------------------------------------------------------------- */

/* The same ball through the dwarf between two frames, by each rule. */
TEST(what_happens_between_frames)
{
    static const char *const motions[] = {"discrete", "swept", "sampled", "continuous"};
    double first[4] = {0};
    for (int i = 0; i < 4; i++) {
        cJSON *all =
            play("{\"seconds\": 0.05, \"fps\": 60, \"classes\": [\"d\", \"b\"], \"rules\": "
                 "[{\"classes\":"
                 "[\"d\", \"b\"], \"motion\": \"%s\"}], \"bodies\": ["
                 "{\"name\": \"d\", \"model\": \"dwarf.glb\", \"class\": \"d\"},"
                 "{\"name\": \"b\", \"sphere\": 0.05, \"class\": \"b\", \"at\": [0, 0.8, -1],"
                 " \"velocity\": [0, 0, 100]}]}",
                 motions[i]);
        CHECK_MSG(cJSON_GetArraySize(all) == (i ? 2 : 0), "%s: %d lines", motions[i],
                  cJSON_GetArraySize(all));
        const cJSON *begin = cJSON_GetArrayItem(all, 0), *end = cJSON_GetArrayItem(all, 1);
        if (begin && end) {
            CHECK(is(begin, "begin") && is(end, "end"));
            CHECK(number(begin, "frame") == 1 && number(end, "frame") == 1);
            first[i] = number(begin, "toi");
            CHECK(first[i] > 0 && first[i] <= 1 / 60.0);
            CHECK(number(end, "toi") >= first[i]);
        }
    }
    CHECK_MSG(first[1] <= first[3] + 1e-6 && fabs(first[2] - first[3]) < 1e-3,
              "swept %g, sampled %g, continuous %g", first[1], first[2], first[3]);
}

/* ---- what goes wrong ---------------------------------------------------------------------- */

TEST(an_open_mesh_is_not_solid)
{
    const char *path = scratch_path(2, "open.json");
    static const char text[] = "{\"seconds\": 0, \"fps\": 1, \"bodies\": [{\"name\": \"a\", "
                               "\"model\": \"builtin:curtain\", \"solid\": true}]}";
    CHECK(write_whole_file(path, text, strlen(text)));
    command_result run = RUN("world", path);
    CHECK(run.code == 2 && count_lines(run.err) == 1);
    CHECK_MSG(strstr(run.err, "open.json: bodies[0].solid: expected the model to be a closed mesh, "
                              "found an open one"),
              "%s", run.err);
}
