/* graze audit --hints: what is told of them, and that it is the same for any threads and shards. */
#include "harness.h"
#include "support/command.h"
#include "support/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLAYER SYNTH("player", "3000")
#define MAN SYNTH("man", "4000")

/* The hint of a finding, and its row of a table. */
static void check_hint(const cJSON *hint, const char *row)
{
    char fields[120];
    const double degrees = number(hint, "degrees"), tenths = 10 * degrees;
    double length = 0;
    for (int k = 0; k < 3; k++)
        length += pow(number_at(hint, "axis", k), 2);
    CHECK(fabs(length - 1) < 1e-5 && degrees != 0 && fabs(degrees) <= 45.5);
    CHECK(fabs(tenths - round(tenths)) < 1e-9);
    snprintf(fields, sizeof fields, ",%s,%.9g,%.9g,%.9g,%g,", text_of(hint, "joint"),
             (double)(float)number_at(hint, "axis", 0), (double)(float)number_at(hint, "axis", 1),
             (double)(float)number_at(hint, "axis", 2), degrees);
    const char *found = strstr(row, fields);
    CHECK_MSG(found && found < row + strcspn(row, "\n"), "%.200s", row);
}

TEST(hints_are_told)
{
    const char *table = scratch_path(0, "hints.csv");
    command_result plain = RUN("audit", PLAYER, "--json", "--folds");
    command_result run = RUN("audit", PLAYER, "--json", "--folds", "--hints", "--csv", table);
    cJSON *before = json_lines(plain.out), *lines = json_lines(run.out);
    const char *row = read_whole_file(table, NULL);
    const int count = cJSON_GetArraySize(lines);
    int with = 0, without = 0;
    CHECK(run.code == 0 && count > 20 && count == cJSON_GetArraySize(before));
    REQUIRE(row && strstr(row, ",open,hint_joint,hint_x,hint_y,hint_z,hint_degrees,rest_x,"));
    for (int i = 0; i < count - 1; i++) {
        cJSON *own = cJSON_GetArrayItem(lines, i);
        cJSON *hint = cJSON_DetachItemFromObject(own, "hint");
        const bool clip = strcmp(text_of(own, "kind"), "clip") == 0;
        row = strchr(row, '\n') + 1;
        CHECK(cJSON_Compare(own, cJSON_GetArrayItem(before, i), true));
        CHECK(hint && (clip || cJSON_IsNull(hint)));
        if (cJSON_IsObject(hint))
            check_hint(hint, row);
        with += cJSON_IsObject(hint);
        without += clip && cJSON_IsNull(hint);
        cJSON_Delete(hint);
    }
    CHECK_MSG(with > 10 && without > 0, "%d with, %d without", with, without);
}

TEST(hints_are_lines_of_the_table)
{
    command_result run = RUN("audit", PLAYER, "--hints", "--clip", "get-up");
    CHECK(strstr(run.out, "  frame 40: turn upper_arm.R by -10.3 degrees about its z axis\n"));
    CHECK(strstr(run.out, ": no turn of one joint up to 45 degrees helps\n"));
    for (const char *line = run.out; *line; line += strcspn(line, "\n") + 1)
        CHECK_MSG(strcspn(line, "\n") <= 100, "%s", line);
}

TEST(hints_are_the_same_in_any_number_of_jobs)
{
    const char *folder = scratch_path(1, "hints");
    command_result one = RUN("audit", PLAYER, MAN, "--hints", "--json");
    command_result three = RUN("audit", PLAYER, MAN, "--hints", "--json", "--threads", "3");
    CHECK(strstr(one.out, "\"hint\":{") && strcmp(one.out, three.out) == 0);
    for (int i = 0; i < 2; i++) {
        const char *share = i ? "1/2" : "2/2";
        CHECK(RUN("audit", PLAYER, MAN, "--hints", "--out", folder, "--shard", share).code == 0);
    }
    command_result merged = RUN("audit", "merge", folder, "--json");
    CHECK_MSG(strcmp(one.out, merged.out) == 0, "%s", merged.err);
    REFUSED("with --hints", "audit", PLAYER, MAN, "--out", folder, "--shard", "1/2");
    char line[600];
    snprintf(line, sizeof line, "rm -r %s", folder);
    CHECK(RUN_SHELL(line).code == 0);
}
