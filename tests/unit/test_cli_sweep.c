/* The contract of graze sweep: fields, intervals, exit codes, both methods. */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){"sweep", __VA_ARGS__, NULL})

/* A small character with a clip, written by the command itself. */
static const char *dwarf(void)
{
    static char path[400];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(0, "dwarf.glb"));
        command_result run =
            command_run(GRAZE_COMMAND, (const char *const[]){"synth", "dwarf", "--triangles", "600",
                                                             "-o", path, "--json", NULL});
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
        command_free(&run);
    }
    return path;
}

/* Two characters that walk into each other, and some that never meet. */
#define NEAR dwarf(), "--at", "0.8,0,0.1", "--phase", "0.2"
#define FAR dwarf(), "--at", "50,0,0"

static cJSON *object_at(const command_result *run, size_t index, int line)
{
    const char *start = run->out, *end;
    for (size_t i = 0; i < index && start; i++)
        start = strchr(start, '\n') ? strchr(start, '\n') + 1 : NULL;
    cJSON *object = start ? cJSON_ParseWithOpts(start, &end, false) : NULL;
    test_check(cJSON_IsObject(object) && *end == '\n', __FILE__, line,
               "line %zu is not one JSON object: %.60s", index, start ? start : "");
    return object;
}

#define OBJECT(run, index) object_at(run, index, __LINE__)

static double number(const cJSON *object, const char *name)
{
    const cJSON *field = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(field) ? field->valuedouble : NAN;
}

static bool is_null(const cJSON *object, const char *name)
{
    return cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(object, name));
}

static void check_clean(const command_result *run, int code, size_t lines, int line)
{
    test_check(run->code == code, __FILE__, line, "exit code %d: %s", run->code, run->err);
    test_check(run->err[0] == 0, __FILE__, line, "on standard error: %s", run->err);
    test_check(count_lines(run->out) == lines, __FILE__, line, "%zu lines, not %zu",
               count_lines(run->out), lines);
}

#define CLEAN(run, code, lines) check_clean(run, code, lines, __LINE__)

/* One interval: every field, and what they say of each other. Returns whether there is a hit. */
static bool check_interval(const cJSON *o, uint32_t frame, double from, double to)
{
    bool hit = cJSON_IsTrue(cJSON_GetObjectItem(o, "hit"));
    const cJSON *triangles = cJSON_GetObjectItem(o, "triangles");
    const cJSON *stats = cJSON_GetObjectItem(o, "stats");
    CHECK(number(o, "frame") == frame && fabs(number(o, "from") - from) < 1e-9);
    CHECK(fabs(number(o, "to") - to) < 1e-9 && number(o, "us") >= 0);
    CHECK(cJSON_IsBool(cJSON_GetObjectItem(o, "hit")));
    CHECK(cJSON_IsBool(cJSON_GetObjectItem(o, "initial")));
    CHECK(number(stats, "nodes_refit") >= 4 && number(stats, "bound_tests") >= 1);
    CHECK(number(stats, "triangle_tests") >= 0 && number(stats, "patches_posed") >= 0);
    if (!hit) {
        CHECK(is_null(o, "toi") && is_null(o, "time") && is_null(o, "triangles"));
        CHECK(is_null(o, "point") && is_null(o, "normal"));
        return false;
    }
    double toi = number(o, "toi");
    CHECK(toi >= 0 && toi <= 1 && fabs(number(o, "time") - (from + toi * (to - from))) < 1e-9);
    CHECK(cJSON_GetArraySize(triangles) == 2 && cJSON_GetArrayItem(triangles, 0)->valuedouble >= 0);
    if (toi > 0) {
        double square = 0;
        const cJSON *entry;
        cJSON_ArrayForEach(entry, cJSON_GetObjectItem(o, "normal")) square +=
            entry->valuedouble * entry->valuedouble;
        CHECK(fabs(square - 1) < 1e-5);
        CHECK(cJSON_GetArraySize(cJSON_GetObjectItem(o, "point")) == 3);
    }
    return hit;
}

TEST(an_interval_between_any_two_frames)
{
    command_result run = RUN(NEAR, "--times", "0:0.5:20", "--json", "--repeat", "3");
    CLEAN(&run, 0, 10);
    uint32_t hits = 0, later = 0;
    for (uint32_t i = 0; i < 10; i++) {
        cJSON *o = OBJECT(&run, i);
        hits += check_interval(o, i, i / 20.0, (i + 1) / 20.0);
        later += number(o, "toi") > 0;
        cJSON_Delete(o);
    }
    CHECK_MSG(hits > 0 && hits < 10 && later > 0, "%u hits, %u of them later", hits, later);
    command_free(&run);
    run = RUN(NEAR, "--times", "0:0.5:20");
    CHECK(run.code == 0 && run.out[0] && run.out[0] != '{' && !run.err[0]);
    CHECK(count_lines(run.out) == 10);
    command_free(&run);
}

/* What depends on the method, cut off. */
static char *answers(command_result *run)
{
    char *text = calloc(strlen(run->out) + 1, 1);
    for (char *line = strtok(run->out, "\n"); line; line = strtok(NULL, "\n"))
        strncat(text, line, strcspn(line, "s") ? (size_t)(strstr(line, ",\"stats") - line) : 0);
    return text;
}

static void same_answers(const char *const lazy[], const char *const brute[])
{
    command_result runs[2] = {command_run(GRAZE_COMMAND, lazy), command_run(GRAZE_COMMAND, brute)};
    CLEAN(&runs[0], 0, 5);
    CLEAN(&runs[1], 0, 5);
    char *texts[2] = {answers(&runs[0]), answers(&runs[1])};
    CHECK_MSG(strcmp(texts[0], texts[1]) == 0 && strstr(texts[0], "\"hit\":true"),
              "the methods differ: %.200s", texts[0]);
    for (int i = 0; i < 2; i++) {
        free(texts[i]);
        command_free(&runs[i]);
    }
}

#define SAME(...)                                                                                  \
    same_answers(                                                                                  \
        (const char *const[]){"sweep", __VA_ARGS__, "--json", "--times", "0:0.25:20", NULL},       \
        (const char *const[]){"sweep", __VA_ARGS__, "--json", "--times", "0:0.25:20", "--method",  \
                              "brute", NULL})

TEST(both_methods_give_the_same_impact)
{
    SAME(NEAR);
    SAME(NEAR, "--tree", "paper");
    SAME(dwarf(), "--at", "0.5,0,0", "--turn", "40", "--phase", "0.3");
    SAME(dwarf(), "--at", "0.5,0,0", "--skin", "spherical", "--skin-b", "dual", "--new");
    SAME("builtin:creature:3000", "--self");
}

/* What meets at the start hides the rest; --new looks past it. */
TEST(new_leaves_out_what_meets_at_the_start)
{
    command_result all =
        RUN(dwarf(), "--at", "0.2,0,0", "--phase", "0.2", "--times", "0:0.05:20", "--json");
    command_result fresh = RUN(dwarf(), "--at", "0.2,0,0", "--phase", "0.2", "--times", "0:0.05:20",
                               "--json", "--new");
    cJSON *first = OBJECT(&all, 0), *second = OBJECT(&fresh, 0);
    CHECK(check_interval(first, 0, 0, 0.05) && check_interval(second, 0, 0, 0.05));
    CHECK(number(first, "toi") == 0 && cJSON_IsTrue(cJSON_GetObjectItem(first, "initial")));
    CHECK(cJSON_IsFalse(cJSON_GetObjectItem(second, "initial")));
    cJSON_Delete(first);
    cJSON_Delete(second);
    command_free(&all);
    command_free(&fresh);
}

TEST(fail_on_hit_is_exit_code_one)
{
    command_result run = RUN(NEAR, "--times", "0:0.5:20", "--fail-on-hit", "--json");
    CLEAN(&run, 1, 10);
    command_free(&run);
    run = RUN(FAR, "--times", "0:0.5:20", "--fail-on-hit", "--json");
    CLEAN(&run, 0, 10);
    cJSON *o = OBJECT(&run, 3);
    CHECK(!check_interval(o, 3, 0.15, 0.2));
    CHECK(number(cJSON_GetObjectItem(o, "stats"), "nodes_refit") == 4);
    CHECK(number(cJSON_GetObjectItem(o, "stats"), "vertices_posed") == 0);
    cJSON_Delete(o);
    command_free(&run);
}

static void check_refused(command_result run, const char *text)
{
    CHECK_MSG(run.code == 2 && !run.out[0] && count_lines(run.err) == 1, "%d: %s", run.code,
              run.err);
    CHECK_MSG(strstr(run.err, text), "\"%s\" is not in: %s", text, run.err);
    command_free(&run);
}

TEST(bad_usage_is_one_line)
{
    check_refused(RUN(dwarf()), "two frames");
    check_refused(RUN(dwarf(), "--time", "1"), "did you mean --times?");
    check_refused(RUN(dwarf(), "--times", "0:0.01:30"), "two frames");
    check_refused(RUN("--times", "0:1:30"), "no model");
    check_refused(RUN(dwarf(), dwarf(), "--self", "--times", "0:1:30"), "--self takes one model");
    check_refused(RUN(dwarf(), "--times", "0:1:30", "--method", "magic"), "--method");
    check_refused(RUN(dwarf(), "--times", "0:1:30", "--clip", "swim"), "no clip swim");
    command_result help = RUN("--help");
    CHECK(help.code == 0 && strstr(help.out, "--self") && strstr(help.out, "--new"));
    command_free(&help);
}
