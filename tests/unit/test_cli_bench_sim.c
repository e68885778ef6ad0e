/* The contract of graze bench chairs and bridge: fields and refusals. Times are not looked at. */
#include "harness.h"
#include "support/command.h"
#include "support/quick.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

static void check_refused(command_result run, int line)
{
    test_check(run.code == 2 && strncmp(run.err, "graze: ", 7) == 0, __FILE__, line, "%d: %s",
               run.code, run.err);
    test_check(count_lines(run.err) == 1, __FILE__, line, "on standard error: %s", run.err);
    command_free(&run);
}

#define REFUSED(...) check_refused(RUN("bench", __VA_ARGS__), __LINE__)

TEST(what_cannot_be_is_refused)
{
    REFUSED("lbs", "--count", "3");
    REFUSED("world", "--triangles", "600");
    REFUSED("modes", "--seconds", "1");
    REFUSED("peers", "--threads", "2");
    REFUSED("chairs", "--count", "0");
    REFUSED("chairs", "--count", "-3");
    REFUSED("chairs", "--seconds", "0");
    REFUSED("chairs", "--seconds", "nan");
    REFUSED("bridge", "--threads", "257");
    REFUSED("bridge", "--csv", "x.csv");
    REFUSED("chairs", "--plot", ".");
    REFUSED("chairs", "--limit", "1");
    REFUSED("chairs", "--only", "unicorn");
    REFUSED("chairs", "--only", "models", "--triangles", "7");
}

#ifdef GRAZE_TEST_NUMERICS

static const char *text(const cJSON *object, const char *name)
{
    const cJSON *field = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(field) ? field->valuestring : "";
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *field = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(field) ? field->valuedouble : NAN;
}

/* Rows of each table, and what they have in common. */
typedef struct seen {
    uint32_t models, figure, runs, replays, layered;
} seen;

static void see_run(const cJSON *object)
{
    double shares = number(object, "pose_share") + number(object, "find_share") +
                    number(object, "solve_share") + number(object, "move_share");
    CHECK(number(object, "ms") > 0 && number(object, "ms_median") > 0);
    CHECK(number(object, "ms_largest") >= number(object, "ms_median"));
    CHECK(number(object, "to_rigid") > 0 && number(object, "awake_end") <= 1);
    CHECK(number(object, "contacts_per_step") > 0);
    CHECK(number(object, "refitted_percent") > 0 && number(object, "refitted_percent") <= 100);
    CHECK_MSG(shares > 0.5 && shares < 1.01, "phases are %g of a step", shares);
}

static void see(const cJSON *object, seen *rows)
{
    const char *table = text(object, "table");
    if (strcmp(table, "table 1") == 0) {
        CHECK(number(object, "spheres") == 2 * number(object, "faces") - 1);
        CHECK(number(object, "fields") > 0 && number(object, "levels") > 5);
        rows->models++;
    } else if (strcmp(table, "figure 6") == 0) {
        const cJSON *bounded = cJSON_GetObjectItemCaseSensitive(object, "bounded");
        CHECK(number(object, "spheres") == 64 && cJSON_GetArraySize(bounded) == 2);
        CHECK(cJSON_GetArrayItem(bounded, 0) && cJSON_GetArrayItem(bounded, 0)->valuedouble > 1);
        rows->figure++;
    } else if (strcmp(table, "run") == 0 && *text(object, "row")) {
        see_run(object);
        rows->runs++;
    } else if (strcmp(table, "replay") == 0 && strcmp(text(object, "bodies"), "layered") == 0) {
        CHECK(number(object, "us") > 0 && number(object, "to_lazy") > 1);
        rows->layered++;
    } else if (strcmp(table, "replay") == 0) {
        CHECK(number(object, "us") > 0 && number(object, "to_rigid") > 0);
        rows->replays++;
    }
}

static seen see_all(const char *out)
{
    seen rows = {0};
    while (*out) {
        const char *end;
        cJSON *object = cJSON_ParseWithOpts(out, &end, false);
        CHECK_MSG(cJSON_IsObject(object) && *end == '\n', "no object: %.60s", out);
        if (!object || *end != '\n')
            break;
        see(object, &rows);
        cJSON_Delete(object);
        out = end + 1;
    }
    return rows;
}

/* Making one small chair takes most of a second. */
TEST(replayed_motion_is_measured)
{
    command_result run = RUN("bench", "chairs", "--count", "3", "--triangles", "400", "--seconds",
                             "0.4", "--rounds", "1", "--only", "replay", "--json");
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    seen rows = see_all(run.out);
    CHECK(rows.models == 0 && rows.runs == 0 && rows.replays == 6 && rows.layered == 1);
    command_free(&run);
}

TEST(tables_have_the_papers_figures)
{
    command_result run = RUN("bench", "chairs", "--triangles", "400", "--only", "models");
    CHECK(run.code == 0 && strstr(run.out, "[ 35827]") && strstr(run.out, "chair"));
    command_free(&run);
}

TEST(chairs_are_measured)
{
    if (test_is_quick())
        return;
    command_result run = RUN("bench", "chairs", "--count", "4", "--triangles", "600", "--seconds",
                             "0.8", "--rounds", "1", "--threads", "2", "--json");
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    seen rows = see_all(run.out);
    CHECK(rows.models == 1 && rows.runs == 4 && rows.replays == 6 && rows.layered == 1);
    command_free(&run);
}

TEST(a_bridge_is_measured)
{
    if (test_is_quick())
        return;
    command_result run = RUN("bench", "bridge", "--count", "3", "--triangles", "2000", "--seconds",
                             "0.1", "--rounds", "1", "--only", "models", "--json");
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    seen rows = see_all(run.out);
    CHECK(rows.models == 4 && rows.figure == 1 && rows.runs == 0);
    command_free(&run);
}

#endif
