/* graze touch: fields, methods and trees agree, points, exit codes, bad arguments. */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

/* A small closed character, written by the command itself. */
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

/* The one line of JSON of a run that went well. */
static cJSON *object_of(const command_result *run, int code, int line)
{
    test_check(run->code == code && !run->err[0], __FILE__, line, "exit code %d: %s", run->code,
               run->err);
    const char *end = "";
    cJSON *object = cJSON_ParseWithOpts(run->out, &end, false);
    test_check(cJSON_IsObject(object) && strcmp(end, "\n") == 0, __FILE__, line, "not one line: %s",
               run->out);
    return object;
}

static const cJSON *field(const cJSON *object, const char *name)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    CHECK_MSG(found != NULL, "field %s is missing", name);
    return found;
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *found = field(object, name);
    return cJSON_IsNumber(found) ? found->valuedouble : NAN;
}

static bool truth(const cJSON *object, const char *name)
{
    const cJSON *found = field(object, name);
    CHECK(cJSON_IsBool(found));
    return cJSON_IsTrue(found);
}

static const char *const shapes[][2] = {
    {"--sphere", "0,0.7,0,0.2"},      {"--capsule", "-1,0.7,0,1,0.7,0,0.1"},
    {"--box", "0,0.7,0,0.2,0.2,0.2"}, {"--box", "0,0.7,0,0.2,0.2,0.2,0.1,0.2,0.3,0.9"},
    {"--plane", "0,1,0,0.7"},         {"--half-space", "0,2,0,1.4"}};

TEST(shapes_by_every_method_and_tree)
{
    static const char *const methods[] = {"lazy", "brute"}, *const trees[] = {"default", "paper"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        cJSON *expected = NULL;
        for (int way = 0; way < 4; way++) {
            command_result run =
                RUN("touch", dwarf(), shapes[i][0], shapes[i][1], "--time", "0.2", "--json",
                    "--method", methods[way % 2], "--tree", trees[way / 2], "--repeat", "2");
            cJSON *frame = object_of(&run, 0, __LINE__);
            const cJSON *triangles = field(frame, "triangles");
            CHECK(number(frame, "frame") == 0 && number(frame, "time") == 0.2);
            CHECK(truth(frame, "hit") && number(frame, "us") > 0);
            CHECK(number(frame, "count") == cJSON_GetArraySize(triangles));
            CHECK(cJSON_GetArraySize(triangles) > 3);
            CHECK(number(field(frame, "stats"), "vertices_posed") > 0);
            if (expected)
                CHECK_MSG(cJSON_Compare(triangles, field(expected, "triangles"), true),
                          "%s: way %d gives other triangles", shapes[i][0], way);
            command_free(&run);
            if (expected)
                cJSON_Delete(frame);
            else
                expected = frame;
        }
        cJSON_Delete(expected);
    }
}

TEST(first_count_and_exit_codes)
{
    static const char *const methods[] = {"lazy", "brute"};
    for (int i = 0; i < 2; i++) {
        command_result run = RUN("touch", dwarf(), "--sphere", "0,0.7,0,0.2", "--first", "--json",
                                 "--fail-on-hit", "--method", methods[i]);
        cJSON *frame = object_of(&run, 1, __LINE__);
        CHECK(number(frame, "count") == 1 && cJSON_GetArraySize(field(frame, "triangles")) == 1);
        cJSON_Delete(frame);
        command_free(&run);
    }
    command_result run =
        RUN("touch", dwarf(), "--sphere", "9,0,0,0.2", "--count", "--json", "--fail-on-hit");
    cJSON *frame = object_of(&run, 0, __LINE__);
    CHECK(!truth(frame, "hit") && !cJSON_HasObjectItem(frame, "triangles"));
    CHECK(number(field(frame, "stats"), "nodes_refit") == 1);
    cJSON_Delete(frame);
    command_free(&run);

    run = RUN("touch", dwarf(), "--plane", "0,1,0,0.7", "--times", "0:0.2:10", "--json");
    CHECK(run.code == 0 && count_lines(run.out) == 3);
    command_free(&run);
    run = RUN("touch", dwarf(), "--plane", "0,1,0,0.7", "--count");
    CHECK(run.code == 0 && count_lines(run.out) == 1 && run.out[0] == 'f' && !run.err[0]);
    command_free(&run);
}

TEST(points_inside_and_outside)
{
    static const char *const points[] = {"0,0.7,0", "0,0.7,9"};
    for (int i = 0; i < 4; i++) {
        command_result run = RUN("touch", dwarf(), "--point", points[i % 2], "--json",
                                 "--fail-on-hit", "--method", i / 2 ? "brute" : "lazy");
        cJSON *frame = object_of(&run, i % 2 ? 0 : 1, __LINE__);
        CHECK(truth(frame, "closed") && !truth(frame, "on_surface"));
        CHECK(truth(frame, "inside") == !(i % 2) && number(frame, "winding") == !(i % 2));
        CHECK(!cJSON_HasObjectItem(frame, "triangles"));
        CHECK(number(field(frame, "stats"), "bound_tests") >= 0 && number(frame, "us") > 0);
        cJSON_Delete(frame);
        command_free(&run);
    }
    command_result run = RUN("touch", dwarf(), "--point", points[0]);
    CHECK(run.code == 0 && strstr(run.out, "inside"));
    command_free(&run);
}

TEST(bad_arguments)
{
    const char *const bad[][6] = {{"touch", NULL},
                                  {"touch", dwarf(), NULL},
                                  {"touch", dwarf(), "--sphere", NULL},
                                  {"touch", dwarf(), "--sphere", "0,0,0", NULL},
                                  {"touch", dwarf(), "--sphere", "0,0,0,1,2", NULL},
                                  {"touch", dwarf(), "--sphere", "0,0,zero,1", NULL},
                                  {"touch", dwarf(), "--sphere", "0,0,0,1e60", NULL},
                                  {"touch", dwarf(), "--sphere", "0,0,0,-1", NULL},
                                  {"touch", dwarf(), "--sphere", "0,0,0,", NULL},
                                  {"touch", dwarf(), "--box", "0,0,0,1,1,1,0", NULL},
                                  {"touch", dwarf(), "--box", "0,0,0,1,1,1,0,0,0,0", NULL},
                                  {"touch", dwarf(), "--plane", "0,0,0,1", NULL},
                                  {"touch", dwarf(), "--point", "0,nan,0", NULL},
                                  {"touch", dwarf(), "--plane=0,1,0,1", "--point=0,0,0", NULL},
                                  {"touch", dwarf(), "--point=0,0,0", "--method=bottom-up", NULL},
                                  {"touch", "no such file.glb", "--point", "0,0,0", NULL}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        command_result run = command_run(GRAZE_COMMAND, bad[i]);
        CHECK_MSG(run.code == 2 && !run.out[0], "case %zu: exit code %d", i, run.code);
        CHECK_MSG(count_lines(run.err) == 1 && strncmp(run.err, "graze: ", 7) == 0,
                  "case %zu says: %s", i, run.err);
        command_free(&run);
    }
    command_result run = RUN("touch", "--help");
    CHECK(run.code == 0 && strstr(run.out, "--capsule") && !run.err[0]);
    command_free(&run);
}
