/* The contract of graze sweep: fields, intervals, exit codes, both methods. */
#include "harness.h"
#include "support/json.h"

#include <math.h>

/* A small character with a clip. */
#define DWARF SYNTH("dwarf", "600")

/* Two characters that walk into each other, and some that never meet. */
#define NEAR DWARF, "--at", "0.8,0,0.1", "--phase", "0.2"
#define FAR DWARF, "--at", "50,0,0"

/* One interval: every field, and what they say of each other. Returns whether there is a hit. */
static bool check_interval(const cJSON *o, uint32_t frame, double from, double to)
{
    bool hit = cJSON_IsTrue(field(o, "hit"));
    const cJSON *triangles = field(o, "triangles");
    const cJSON *stats = field(o, "stats");
    CHECK(number(o, "frame") == frame && fabs(number(o, "from") - from) < 1e-9);
    CHECK(fabs(number(o, "to") - to) < 1e-9 && number(o, "us") >= 0);
    CHECK(cJSON_IsBool(field(o, "hit")));
    CHECK(cJSON_IsBool(field(o, "initial")));
    CHECK(number(stats, "nodes_refit") >= 4 && number(stats, "bound_tests") >= 1);
    CHECK(number(stats, "triangle_tests") >= 0 && number(stats, "patches_posed") >= 0);
    if (!hit) {
        CHECK(cJSON_IsNull(field(o, "toi")) && cJSON_IsNull(field(o, "time")) &&
              cJSON_IsNull(field(o, "triangles")));
        CHECK(cJSON_IsNull(field(o, "point")) && cJSON_IsNull(field(o, "normal")));
        return false;
    }
    double toi = number(o, "toi");
    CHECK(toi >= 0 && toi <= 1 && fabs(number(o, "time") - (from + toi * (to - from))) < 1e-9);
    CHECK(cJSON_GetArraySize(triangles) == 2 && cJSON_GetArrayItem(triangles, 0)->valuedouble >= 0);
    if (toi > 0) {
        double square = 0;
        const cJSON *entry;
        cJSON_ArrayForEach(entry, field(o, "normal")) square +=
            entry->valuedouble * entry->valuedouble;
        CHECK(fabs(square - 1) < 1e-5);
        CHECK(size_of(o, "point") == 3);
    }
    return hit;
}

TEST(an_interval_between_any_two_frames)
{
    command_result run = RUN("sweep", NEAR, "--times", "0:0.5:20", "--json", "--repeat", "3");
    CLEAN(&run, 0, 10);
    uint32_t hits = 0, later = 0;
    for (uint32_t i = 0; i < 10; i++) {
        cJSON *o = OBJECT(&run, i);
        hits += check_interval(o, i, i / 20.0, (i + 1) / 20.0);
        later += number(o, "toi") > 0;
    }
    CHECK_MSG(hits > 0 && hits < 10 && later > 0, "%u hits, %u of them later", hits, later);
    run = RUN("sweep", NEAR, "--times", "0:0.5:20");
    CHECK(run.code == 0 && run.out[0] && run.out[0] != '{' && !run.err[0]);
    CHECK(count_lines(run.out) == 10);
}

TEST(both_methods_give_the_same_impact)
{
    static const char *const names[] = {"from", "to",        "hit",   "initial", "toi",
                                        "time", "triangles", "point", "normal"};
    static const char *const calls[] = {
        "dwarf.glb --at 0.8,0,0.1 --phase 0.2", "dwarf.glb --at 0.8,0,0.1 --phase 0.2 --tree paper",
        "dwarf.glb --at 0.5,0,0 --turn 40 --phase 0.3",
        "dwarf.glb --at 0.5,0,0 --skin spherical --skin-b dual --new",
        "builtin:creature:3000 --self"};
    DWARF;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        command_result runs[2];
        bool hit = false;
        for (int k = 0; k < 2; k++) {
            runs[k] = GRAZE("sweep %s --json --times 0:0.25:20 --method %s", calls[i],
                            k ? "brute" : "lazy");
            CLEAN(&runs[k], 0, 5);
        }
        for (size_t line = 0; line < 5; line++) {
            cJSON *lazy = OBJECT(&runs[0], line), *brute = OBJECT(&runs[1], line);
            for (size_t n = 0; n < sizeof names / sizeof *names; n++)
                CHECK_MSG(field(lazy, names[n]) && same_field(lazy, brute, names[n]),
                          "%s: %s of line %zu differs", calls[i], names[n], line);
            hit = hit || truth(lazy, "hit");
        }
        CHECK_MSG(hit, "%s: no hit", calls[i]);
    }
}

/* What meets at the start hides the rest; --new looks past it. */
TEST(new_leaves_out_what_meets_at_the_start)
{
    command_result all =
        RUN("sweep", DWARF, "--at", "0.2,0,0", "--phase", "0.2", "--times", "0:0.05:20", "--json");
    command_result fresh = RUN("sweep", DWARF, "--at", "0.2,0,0", "--phase", "0.2", "--times",
                               "0:0.05:20", "--json", "--new");
    cJSON *first = OBJECT(&all, 0), *second = OBJECT(&fresh, 0);
    CHECK(check_interval(first, 0, 0, 0.05) && check_interval(second, 0, 0, 0.05));
    CHECK(number(first, "toi") == 0 && cJSON_IsTrue(field(first, "initial")));
    CHECK(cJSON_IsFalse(field(second, "initial")));
}

TEST(fail_on_hit_is_exit_code_one)
{
    command_result run = RUN("sweep", NEAR, "--times", "0:0.5:20", "--fail-on-hit", "--json");
    CLEAN(&run, 1, 10);
    run = RUN("sweep", FAR, "--times", "0:0.5:20", "--fail-on-hit", "--json");
    CLEAN(&run, 0, 10);
    cJSON *o = OBJECT(&run, 3);
    CHECK(!check_interval(o, 3, 0.15, 0.2));
    CHECK(number(field(o, "stats"), "nodes_refit") == 4);
    CHECK(number(field(o, "stats"), "vertices_posed") == 0);
}

TEST(bad_usage_is_one_line)
{
    REFUSED("two frames", "sweep", DWARF);
    REFUSED("did you mean --times?", "sweep", DWARF, "--time", "1");
    REFUSED("two frames", "sweep", DWARF, "--times", "0:0.01:30");
    REFUSED("no model", "sweep", "--times", "0:1:30");
    REFUSED("--self takes one model", "sweep", DWARF, DWARF, "--self", "--times", "0:1:30");
    REFUSED("--method", "sweep", DWARF, "--times", "0:1:30", "--method", "magic");
    REFUSED("no clip swim", "sweep", DWARF, "--times", "0:1:30", "--clip", "swim");
    static const command_row help[] = {{"sweep --help", 0, .words = "--self|--new"}};
    CHECK_ROWS(help);
}
