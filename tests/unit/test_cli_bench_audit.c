/* The contract of graze bench audit: rows, the same pairs by others, shares that add up. Times are
 * not looked at.
 */
#include "harness.h"
#include "support/json.h"

#include <math.h>
#include <string.h>

#define SMALL "--rounds", "1", "--triangles", "1200", "--json"

TEST(frames_and_others)
{
    command_result run = RUN("bench", "audit", SMALL, "--only", "frames");
    const cJSON *row, *all = json_lines(run.out);
    double pairs = NAN;
    int rows = 0, skipped = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    cJSON_ArrayForEach(row, all)
    {
        const char *method = text_of(row, "method");
        rows += *method != 0;
        skipped += strstr(method, ": not here") != NULL;
        if (strstr(method, "pairs alone"))
            pairs = number(row, "pairs");
        if (strncmp(method, "Embree", 6) == 0)
            CHECK_MSG(number(row, "pairs") == pairs, "%s: %g pairs, not %g", method,
                      number(row, "pairs"), pairs);
        if (*method && !strstr(method, "not here"))
            CHECK(number(row, "ms") > 0 && number(row, "ms_median") >= number(row, "ms"));
    }
    CHECK_MSG(rows >= 10 && rows % 2 == 0 && skipped % 2 == 0 && pairs > 0, "%d rows, %d skipped",
              rows, skipped);
}

TEST(from_file_to_report)
{
    command_result run = RUN("bench", "audit", SMALL, "--only", "file");
    const cJSON *row, *all = json_lines(run.out);
    int rows = 0;
    cJSON_ArrayForEach(row, all) if (*text_of(row, "method"))
    {
        CHECK(number(row, "ms") > 0 && number(row, "user_ms") > 0);
        CHECK(number(row, "frames") == (strstr(text_of(row, "model"), "man") ? 548 : 171));
        rows++;
    }
    CHECK_MSG(run.code == 0 && rows >= 4, "%d: %d rows, %s", run.code, rows, run.err);
}

/* No node does more than all of it, or less than its part; a plan is not worse than none. */
TEST(nodes_share_a_library)
{
    const char *csv = scratch_path(1, "nodes.csv");
    command_result run =
        RUN("bench", "audit", SMALL, "--only", "nodes", "--count", "5000", "--csv", csv);
    const cJSON *row, *all = json_lines(run.out);
    double total = NAN, named[2000], planned = 0;
    int simulated = 0, nodes;
    CHECK_MSG(run.code == 0 && read_whole_file(csv, NULL), "%d: %s", run.code, run.err);
    cJSON_ArrayForEach(row, all)
    {
        if (sscanf(text_of(row, "model"), "5000 clips on %d nodes", &nodes) != 1)
            continue;
        const double efficiency = number(row, "ratio");
        total = isnan(total) ? number(row, "total_s") : total;
        CHECK(fabs(number(row, "total_s") / total - 1) < 1e-3);
        CHECK(fabs(efficiency * nodes * number(row, "longest_s") / total - 1) < 0.05);
        CHECK(efficiency > 0 && efficiency <= 1.0001);
        planned = strstr(text_of(row, "method"), "plan") ? efficiency : 0;
        if (planned > 0)
            CHECK_MSG(planned > named[nodes] - 0.02, "%g, by names %g", planned, named[nodes]);
        else
            named[nodes] = efficiency;
        simulated++;
    }
    CHECK(simulated == 6);
}
