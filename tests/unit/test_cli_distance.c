/* graze distance: fields, tolerances, methods, exit codes. */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

/* A small character with a clip, written by the command itself. */
static const char *dwarf(void)
{
    static char path[400];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(0, "dwarf.glb"));
        command_result run = RUN("synth", "dwarf", "--triangles", "600", "-o", path);
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
        command_free(&run);
    }
    return path;
}

static cJSON *field(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static double number(const cJSON *object, const char *name)
{
    return cJSON_IsNumber(field(object, name)) ? field(object, name)->valuedouble : (double)NAN;
}

/* The only line of a run that is expected to succeed. */
static cJSON *only_line(command_result *run, int code, int line)
{
    const char *end = NULL;
    cJSON *object = cJSON_ParseWithOpts(run->out, &end, false);
    test_check(run->code == code && run->err[0] == 0, __FILE__, line, "exit code %d: %s", run->code,
               run->err);
    test_check(cJSON_IsObject(object) && end && strcmp(end, "\n") == 0, __FILE__, line,
               "not one JSON object: %.80s", run->out);
    command_free(run);
    return object;
}

#define LINE(run, code) only_line(run, code, __LINE__)

static double apart(const cJSON *points)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const cJSON *p = cJSON_GetArrayItem(cJSON_GetArrayItem(points, 0), k);
        const cJSON *q = cJSON_GetArrayItem(cJSON_GetArrayItem(points, 1), k);
        double x =
            cJSON_IsNumber(p) && cJSON_IsNumber(q) ? q->valuedouble - p->valuedouble : (double)NAN;
        square += x * x;
    }
    return sqrt(square);
}

TEST(a_frame_has_its_fields)
{
    command_result run = RUN("distance", dwarf(), "--at", "1.3,0.1,0", "--time", "0.1", "--json");
    cJSON *frame = LINE(&run, 0);
    CHECK(number(frame, "frame") == 0 && fabs(number(frame, "time") - 0.1) < 1e-12);
    CHECK(number(frame, "distance") > 0 && number(frame, "us") > 0);
    CHECK(cJSON_GetArraySize(field(frame, "triangles")) == 2);
    CHECK_MSG(fabs(apart(field(frame, "points")) - number(frame, "distance")) < 1e-5,
              "points %g apart", apart(field(frame, "points")));
    CHECK(number(field(frame, "stats"), "patches_posed") >= 2);
    CHECK(!field(frame, "hit") && !field(frame, "pairs") && !field(frame, "count"));
    cJSON_Delete(frame);
}

TEST(a_line_for_each_frame)
{
    command_result run =
        RUN("distance", dwarf(), dwarf(), "--at", "1,0,0", "--times", "0:0.4:10", "--json");
    CHECK(run.code == 0 && count_lines(run.out) == 5);
    command_free(&run);
    run = RUN("distance", dwarf(), "--at", "1,0,0");
    CHECK(run.code == 0 && strstr(run.out, "distance") && count_lines(run.out) == 1);
    command_free(&run);
}

/* Everything but what was measured and counted. */
static void check_methods(const char *at, const char *skin)
{
    static const char *const names[] = {"distance", "triangles", "points", "hit", "count", "pairs"};
    command_result lazy = RUN("distance", dwarf(), "--at", at, "--skin", skin, "--within", "0.3",
                              "--closer-than", "0.2", "--json");
    command_result brute = RUN("distance", dwarf(), "--at", at, "--skin", skin, "--within", "0.3",
                               "--closer-than", "0.2", "--json", "--method", "brute");
    cJSON *x = LINE(&lazy, 0), *y = LINE(&brute, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_MSG(field(x, names[i]) && cJSON_Compare(field(x, names[i]), field(y, names[i]), true),
                  "%s differs at %s", names[i], at);
    CHECK(number(x, "count") == cJSON_GetArraySize(field(x, "pairs")));
    CHECK(cJSON_IsTrue(field(x, "hit")) == (number(x, "distance") <= 0.2));
    CHECK((number(x, "count") > 0) == (number(x, "distance") <= 0.3));
    cJSON_Delete(x);
    cJSON_Delete(y);
}

TEST(both_methods_say_the_same)
{
    check_methods("0.1,0,0", "linear");
    check_methods("0.8,0,0.1", "spherical");
    check_methods("1,0,0", "dual");
    check_methods("3,0,0", "linear");
}

TEST(limits_and_hits)
{
    command_result run = RUN("distance", dwarf(), "--at", "5,0,0", "--limit", "0.5", "--json");
    cJSON *frame = LINE(&run, 0);
    CHECK(cJSON_IsNull(field(frame, "distance")) && cJSON_IsNull(field(frame, "points")));
    cJSON_Delete(frame);
    static const struct {
        const char *at, *option, *value;
        int code;
    } cases[] = {{"0.1,0,0", "--repeat", "2", 1},      {"5,0,0", "--repeat", "2", 0},
                 {"5,0,0", "--closer-than", "100", 1}, {"5,0,0", "--closer-than", "0.5", 0},
                 {"5,0,0", "--within", "4.9", 1},      {"5,0,0", "--within", "0", 0},
                 {"0.1,0,0", "--closer-than", "0", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run = RUN("distance", dwarf(), "--at", cases[i].at, cases[i].option, cases[i].value,
                  "--fail-on-hit", "--json");
        CHECK_MSG(run.code == cases[i].code && !run.err[0], "case %zu: code %d: %s", i, run.code,
                  run.err);
        command_free(&run);
    }
}

TEST(bad_usage_is_one_line)
{
    static const char *const cases[][2] = {
        {"--closer-than", "-1"},    {"--within", "-0.1"}, {"--limit", "-2"},
        {"--closer-than", "nan"},   {"--within", "inf"},  {"--limit", "infinity"},
        {"--closer-than", "1e999"}, {"--within", "x"},    {"--method", "bottom-up"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_result run = RUN("distance", dwarf(), cases[i][0], cases[i][1], "--json");
        CHECK_MSG(run.code == 2 && run.out[0] == 0 && count_lines(run.err) == 1, "%s %s: %d %s",
                  cases[i][0], cases[i][1], run.code, run.err);
        command_free(&run);
    }
    command_result none = RUN("distance", "--json");
    CHECK(none.code == 2 && count_lines(none.err) == 1);
    command_free(&none);
    command_result help = RUN("distance", "--help");
    CHECK(help.code == 0 && strstr(help.out, "--closer-than") && !help.err[0]);
    command_free(&help);
}
