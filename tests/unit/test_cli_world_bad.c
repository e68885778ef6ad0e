/* Scenes with something wrong: exit code 2 and one line that names the file, the key, what was
 * expected and what was found.
 */
#include "harness.h"
#include "support/command.h"
#include "support/quick.h"

#include <stdlib.h>
#include <string.h>

static const char good[] =
    "{\"seconds\": 1, \"fps\": 2, \"classes\": [\"player\", \"ball\"],\n"
    " \"rules\": [{\"classes\": [\"player\", \"ball\"], \"level\": \"exact\", \"motion\": "
    "\"discrete\"}],\n"
    " \"bodies\": [{\"name\": \"ann\", \"model\": \"dwarf.glb\", \"clip\": \"walk\", "
    "\"class\": \"player\", \"at\": [0, 0, 0], \"turn\": 90, \"phase\": 0.5, \"velocity\": [0, 0, "
    "1]},\n"
    "  {\"name\": \"ball\", \"sphere\": 0.11, \"class\": \"ball\", \"at\": [0, 1, 3]},\n"
    "  {\"name\": \"post\", \"capsule\": [2, 0.1], \"at\": [3, 1, 3], \"solid\": true},\n"
    "  {\"name\": \"crate\", \"box\": [1, 2, 3], \"at\": [0, 9, 0]},\n"
    "  {\"name\": \"floor\", \"plane\": [0, 1, 0, -5]}]}\n";

typedef struct change {
    const char *from, *to;
    const char *line; /* behind "graze: FILE: " */
} change;

/* The scene's model, small and with a clip. */
static void write_model(void)
{
    static bool written;
    if (written)
        return;
    written = true;
    command_result run =
        RUN("synth", "dwarf", "--triangles", "600", "-o", scratch_path(7, "dwarf.glb"));
    CHECK_MSG(run.code == 0, "synth: %s", run.err);
}

/* The good scene with the first occurrence of a text replaced. */
static char *changed(const char *from, const char *to)
{
    const char *found = strstr(good, from);
    size_t room = sizeof good + strlen(to) + 1;
    char *text = test_keep(calloc(1, room), free);
    if (!test_check(found && text, __FILE__, __LINE__, "nothing to replace: %s", from))
        return NULL;
    snprintf(text, room, "%.*s%s%s", (int)(found - good), good, to, found + strlen(from));
    return text;
}

static void check_change(const change *row)
{
    char *text = changed(row->from, row->to), expected[1000];
    const char *path = scratch_path(0, "scene.json");
    write_model();
    REQUIRE(text && write_whole_file(path, text, strlen(text)));
    command_result run = RUN("world", path, "--json");
    snprintf(expected, sizeof expected, "graze: %s: %s\n", path, row->line);
    CHECK_MSG(run.code == 2 && !run.out[0], "%s: exit code %d, %s", row->to, run.code, run.out);
    CHECK_MSG(strcmp(run.err, expected) == 0, "%s:\n  %s  not\n  %s", row->to, run.err, expected);
}

#define CHECK_ROWS(rows)                                                                           \
    for (size_t row = 0; row < sizeof(rows) / sizeof *(rows); row++)                               \
    check_change(&(rows)[row])

TEST(the_scene_itself_is_good)
{
    const char *path = scratch_path(0, "scene.json");
    write_model();
    CHECK(write_whole_file(path, good, strlen(good)));
    command_result run = RUN("world", path, "--json");
    CHECK_MSG(run.code == 0 && !run.err[0], "%s", run.err);
}

TEST(keys)
{
    static const change rows[] = {
        {"\"seconds\"", "\"second\"", "there is no key second; did you mean seconds?"},
        {"\"fps\": 2", "\"fps\": 2, \"colour\": 1",
         "there is no key colour; expected seconds, fps, classes, rules, bodies"},
        {"\"level\"", "\"lvel\"", "rules[0]: there is no key lvel; did you mean level?"},
        {"\"velocity\"", "\"velocty\"",
         "bodies[0]: there is no key velocty; did you mean "
         "velocity?"},
        {"\"box\": [1, 2, 3]", "\"box\": [1, 2, 3], \"Box\": 1",
         "bodies[3]: there is no key Box; did you mean box?"},
        {"\"turn\": 90", "\"turn\": 90, \"turn\": 80",
         "bodies[0].turn: the key stands there twice"},
        {"\"seconds\": 1, ", "", "seconds: expected how many seconds to play, found nothing"},
        {"\"fps\": 2, ", "", "fps: expected frames a second, found nothing"},
        {"\"name\": \"crate\", ", "", "bodies[3].name: expected a name, found nothing"},
        {"\"box\": [1, 2, 3], ", "",
         "bodies[3]: expected one of model, sphere, capsule, box, plane, found none"},
        {"\"box\": [1, 2, 3]", "\"box\": [1, 2, 3], \"sphere\": 1",
         "bodies[3]: expected one of model, sphere, capsule, box, plane, found sphere and box"},
        {"\"bodies\": [", "\"bodies\": 1, \"rules\": [", "rules: the key stands there twice"},
    };
    CHECK_ROWS(rows);
}

TEST(words)
{
    static const change rows[] = {
        {"\"exact\"", "\"exat\"", "rules[0].level: there is no level exat; did you mean exact?"},
        {"\"exact\"", "\"all\"",
         "rules[0].level: there is no level all; expected ignore, bounds, parts, exact"},
        {"\"exact\"", "3",
         "rules[0].level: expected a level (ignore, bounds, parts, exact), found 3"},
        {"\"discrete\"", "\"Swept\"",
         "rules[0].motion: there is no motion Swept; did you mean swept?"},
        {"\"discrete\"", "\"fast\"",
         "rules[0].motion: there is no motion fast; expected discrete, "
         "swept, sampled, continuous"},
        {"\"class\": \"ball\"", "\"class\": \"bal\"",
         "bodies[1].class: there is no class bal; did you mean ball?"},
        {"\"class\": \"ball\"", "\"class\": \"referee\"",
         "bodies[1].class: there is no class referee; expected player, ball"},
        {"\"class\": \"ball\"", "\"class\": 1",
         "bodies[1].class: expected the name of a class, found 1"},
        {"[{\"classes\": [\"player\", \"ball\"]", "[{\"classes\": [\"player\", \"wall\"]",
         "rules[0].classes[1]: there is no class wall; did you mean ball?"},
        {"[{\"classes\": [\"player\", \"ball\"]", "[{\"classes\": [\"player\"]",
         "rules[0].classes: expected an array of two classes, found an array of 1"},
        {"[{\"classes\": [\"player\", \"ball\"]", "[{\"classes\": \"player\"",
         "rules[0].classes: expected an array of two classes, found \"player\""},
        {"\"rules\": [", "\"rules\": [{\"classes\": [\"ball\", \"player\"]}, ",
         "rules[1].classes: expected classes without a rule, found player and ball of rules[0]"},
        {"[\"player\", \"ball\"],\n", "[\"player\", \"player\"],\n",
         "classes[1]: the class player is named twice"},
        {"[\"player\", \"ball\"],\n", "[\"player\", 2],\n",
         "classes[1]: expected the name of a class, found 2"},
        {"\"name\": \"post\"", "\"name\": \"ann\"",
         "bodies[2].name: expected a name of its own, found \"ann\" of bodies[0]"},
        {"\"name\": \"post\"", "\"name\": \"\"", "bodies[2].name: expected a name, found \"\""},
        {"\"walk\"", "\"wlak\"", "bodies[0].clip: there is no clip wlak; did you mean walk?"},
        {"\"walk\"", "\"dance\"", "bodies[0].clip: there is no clip dance; expected walk"},
        {"\"walk\"", "1", "bodies[0].clip: expected a clip's number below 1, found 1"},
        {"\"walk\"", "-1",
         "bodies[0].clip: expected a clip's name or number, or \"none\", found -1"},
        {"\"walk\"", "true",
         "bodies[0].clip: expected a clip's name or number, or \"none\", found true"},
        {"dwarf.glb", "builtin:dwraf",
         "bodies[0].model: builtin:dwraf: there is no such model; did you mean builtin:dwarf?"},
        {"\"sphere\": 0.11", "\"sphere\": 0.11, \"clip\": \"walk\"",
         "bodies[1].clip: expected a body with a model here, found a sphere"},
        {"\"sphere\": 0.11", "\"sphere\": 0.11, \"shape\": \"x.json\"",
         "bodies[1].shape: expected a body with a model here, found a sphere"},
    };
    CHECK_ROWS(rows);
}

TEST(numbers)
{
    static const change rows[] = {
        {"\"seconds\": 1", "\"seconds\": -1",
         "seconds: expected how many seconds to play, 0 or more, found -1"},
        {"\"seconds\": 1", "\"seconds\": \"1\"",
         "seconds: expected how many seconds to play, found \"1\""},
        {"\"seconds\": 1", "\"seconds\": 1e7",
         "seconds: expected at most ten million frames, found 10000000 s at 2 a second"},
        {"\"seconds\": 1", "\"seconds\": 1e999",
         "seconds: expected how many seconds to play, finite and below 1e18, found inf"},
        {"\"fps\": 2", "\"fps\": 0", "fps: expected frames a second, above 0, found 0"},
        {"\"fps\": 2", "\"fps\": -60", "fps: expected frames a second, above 0, found -60"},
        {"\"fps\": 2", "\"fps\": [60]", "fps: expected frames a second, found an array of 1"},
        {"0.11", "0", "bodies[1].sphere: expected a radius above 0, found 0"},
        {"0.11", "-0.11", "bodies[1].sphere: expected a radius above 0, found -0.11"},
        {"0.11", "1e-300", "bodies[1].sphere: expected a radius above 0, found 1e-300"},
        {"0.11", "1e300",
         "bodies[1].sphere: expected a radius, finite and below 1e18, found 1e+300"},
        {"0.11", "[0.11]", "bodies[1].sphere: expected a radius, found an array of 1"},
        {"[2, 0.1]", "[2, -0.1]", "bodies[2].capsule[1]: expected a radius above 0, found -0.1"},
        {"[2, 0.1]", "[-2, 0.1]", "bodies[2].capsule[0]: expected a length of 0 or more, found -2"},
        {"[2, 0.1]", "0.1", "bodies[2].capsule: expected [length, radius], found 0.1"},
        {"[2, 0.1]", "[1, 2, 3]",
         "bodies[2].capsule: expected [length, radius], found an array of 3"},
        {"[1, 2, 3]", "[1, 0, 3]", "bodies[3].box[1]: expected a side above 0, found 0"},
        {"[1, 2, 3]", "[1, 2]",
         "bodies[3].box: expected [x, y, z], three sides, found an array of "
         "2"},
        {"[0, 1, 0, -5]", "[0, 0, 0, 1]",
         "bodies[4].plane: expected a normal other than zero, found 0, 0, 0"},
        {"[0, 1, 0, -5]", "[0, 1, 0]",
         "bodies[4].plane: expected [nx, ny, nz, d], found an array of 3"},
        {"\"at\": [0, 1, 3]", "\"at\": [0, \"one\", 3]",
         "bodies[1].at[1]: expected a number, found \"one\""},
        {"\"at\": [0, 1, 3]", "\"at\": [0, 1, 1e18]",
         "bodies[1].at[2]: expected a number, finite and below 1e18, found 1e+18"},
        {"\"at\": [0, 1, 3]", "\"at\": {}",
         "bodies[1].at: expected [x, y, z], a place, found an object"},
        {"\"turn\": 90", "\"turn\": \"left\"", "bodies[0].turn: expected degrees, found \"left\""},
        {"\"phase\": 0.5", "\"phase\": false", "bodies[0].phase: expected seconds, found false"},
        {"\"velocity\": [0, 0, 1]", "\"velocity\": 1",
         "bodies[0].velocity: expected [x, y, z], metres a second, found 1"},
        {"\"solid\": true", "\"solid\": 1", "bodies[2].solid: expected true or false, found 1"},
    };
    CHECK_ROWS(rows);
}

TEST(not_json)
{
    static const change rows[] = {
        {"\"seconds\": 1,", "\"seconds\": NaN,", "line 1, column 13: not valid JSON"},
        {"\"class\": \"player\",", "\"class\" \"player\",", "line 3, column 75: not valid JSON"},
        {"-5]}]}\n", "-5]}]}\nmore", "line 8, column 1: not valid JSON"},
        {"\"bodies\": [{", "\"bodies\": [7, {", "bodies[0]: expected an object, found 7"},
        {"\"bodies\": [", "\"bodies\": {\"a\": [", "line 7, column 46: not valid JSON"},
        {"\"rules\": [{", "\"rules\": [[], {", "rules[0]: expected an object, found an array of 0"},
    };
    CHECK_ROWS(rows);
}

/* ---- files -------------------------------------------------------------------------------- */

static void refused_text(const char *text, const char *expected)
{
    const char *path = scratch_path(0, "scene.json");
    CHECK(write_whole_file(path, text, strlen(text)));
    REFUSED(expected, "world", path, "--json");
}

TEST(files)
{
    REFUSED("no scene given", "world");
    REFUSED("graze: missing.json: cannot be read: No such file", "world", "missing.json");
    REFUSED("cannot be read: Is a directory", "world", scratch_folder());
    REFUSED("unexpected argument b.json", "world", "a.json", "b.json");
    REFUSED("--threads", "world", "a.json", "--threads", "0");
    refused_text("", "line 1, column 1: not valid JSON");
    refused_text("[]", "scene.json: expected an object, found an array of 0");
    refused_text("7", "scene.json: expected an object, found 7");
    refused_text("{\"seconds\": 1, \"fps\": 1, \"bodies\": [{\"name\": \"a\", \"model\": "
                 "\"no.glb\"}]}",
                 "scene.json: bodies[0].model: ");
    refused_text("{\"seconds\": 1, \"fps\": 1, \"bodies\": [{\"name\": \"a\", \"model\": "
                 "\"builtin:\"}]}",
                 "scene.json: bodies[0].model: builtin:: there is no such model");
    refused_text("{\"seconds\": 1, \"fps\": 1, \"bodies\": [{\"name\": \"a\", \"model\": "
                 "\"scene.json\"}]}",
                 "scene.json: bodies[0].model: ");
}

/* Far away it does not fit into floats any more: the body and the time are named. */
TEST(places_that_are_too_far)
{
    refused_text("{\"seconds\": 100, \"fps\": 1, \"bodies\": [{\"name\": \"a\", \"model\": "
                 "\"builtin:ball\", \"velocity\": [1e17, 0, 0]}]}",
                 "scene.json: bodies[0]: at 10 s: ");
    refused_text("{\"seconds\": 100, \"fps\": 1, \"bodies\": [{\"name\": \"a\", \"sphere\": 1, "
                 "\"velocity\": [1e17, 0, 0]}]}",
                 "scene.json: bodies[0]: at 10 s: ");
}

/* ---- whatever comes ----------------------------------------------------------------------- */

/* Cut anywhere, and with bytes changed, it is read or refused in one line. */
TEST(cut_and_changed_scenes)
{
    size_t size = strlen(good);
    const char *path = scratch_path(0, "scene.json");
    test_random random = test_random_seed(130);
    write_model();
    for (uint32_t i = 0; i < test_amount(2000, 60); i++) {
        char text[sizeof good];
        size_t length = size;
        memcpy(text, good, sizeof good);
        if (i % 2)
            length = test_random_u32(&random) % size;
        for (uint32_t k = 0; k < i % 4; k++)
            text[test_random_u32(&random) % size] =
                i % 3 ? good[test_random_u32(&random) % size] : (char)test_random_u32(&random);
        CHECK(write_whole_file(path, text, length));
        command_result run = RUN("world", path, "--json");
        CHECK_MSG((run.code == 0 && !run.err[0]) ||
                      (run.code == 2 && count_lines(run.err) == 1 && !run.out[0]),
                  "scene %u: exit code %d: %s", i, run.code, run.err);
    }
}
