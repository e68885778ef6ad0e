/* The contract of graze bench chairs and bridge: fields and refusals. Times are not looked at. */
#include "harness.h"
#include "support/json.h"
#include "support/quick.h"

#include <string.h>

TEST(what_cannot_be_is_refused)
{
    FAILS("", "bench", "lbs", "--count", "3");
    FAILS("", "bench", "world", "--triangles", "600");
    FAILS("", "bench", "modes", "--seconds", "1");
    FAILS("", "bench", "peers", "--threads", "2");
    FAILS("", "bench", "chairs", "--count", "0");
    FAILS("", "bench", "chairs", "--count", "-3");
    FAILS("", "bench", "chairs", "--seconds", "0");
    FAILS("", "bench", "chairs", "--seconds", "nan");
    FAILS("", "bench", "bridge", "--threads", "257");
    FAILS("", "bench", "bridge", "--csv", "x.csv");
    FAILS("", "bench", "chairs", "--plot", ".");
    FAILS("", "bench", "chairs", "--limit", "1");
    FAILS("", "bench", "chairs", "--only", "unicorn");
    FAILS("", "bench", "chairs", "--only", "models", "--triangles", "7");
}

#ifdef GRAZE_TEST_NUMERICS

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
    CHECK_MSG(shares > 0 && shares < 1.01, "phases are %g of a step", shares);
}

static void see(const cJSON *object, seen *rows)
{
    const char *table = text_of(object, "table");
    if (strcmp(table, "table 1") == 0) {
        CHECK(number(object, "spheres") == 2 * number(object, "faces") - 1);
        CHECK(number(object, "fields") > 0 && number(object, "levels") > 5);
        rows->models++;
    } else if (strcmp(table, "figure 6") == 0) {
        const cJSON *bounded = field(object, "bounded");
        CHECK(number(object, "spheres") == 64 && cJSON_GetArraySize(bounded) == 2);
        CHECK(cJSON_GetArrayItem(bounded, 0) && cJSON_GetArrayItem(bounded, 0)->valuedouble > 1);
        rows->figure++;
    } else if (strcmp(table, "run") == 0 && *text_of(object, "row")) {
        see_run(object);
        rows->runs++;
    } else if (strcmp(table, "replay") == 0 && strcmp(text_of(object, "bodies"), "layered") == 0) {
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
    const cJSON *all = json_lines(out), *object;
    cJSON_ArrayForEach(object, all) see(object, &rows);
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
}

TEST(tables_have_the_papers_figures)
{
    command_result run = RUN("bench", "chairs", "--triangles", "400", "--only", "models");
    CHECK(run.code == 0 && strstr(run.out, "[ 35827]") && strstr(run.out, "chair"));
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
}

#endif
