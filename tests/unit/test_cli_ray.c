/* graze ray: fields, exit codes, and lazy == brute force as a user sees it. */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})
#define DWARF dwarf()

/* A small character with a clip, written by the command itself. */
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

static const char *const hit_fields[] = {"triangle", "t",     "point", "normal",
                                         "uv",       "joint", "group"};
enum { HIT_FIELDS = sizeof hit_fields / sizeof *hit_fields };

static const cJSON *field(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* Line number `index` as an object; NULL, and a failure, if the run failed or it is not one. */
static cJSON *object_at(const command_result *run, size_t index)
{
    const char *start = run->out;
    for (size_t i = 0; i < index && start; i++)
        start = strchr(start, '\n') ? strchr(start, '\n') + 1 : NULL;
    cJSON *object = start ? cJSON_Parse(start) : NULL;
    test_check(run->code == 0 && run->err[0] == 0 && cJSON_IsObject(object), __FILE__, __LINE__,
               "exit code %d, %s, line %zu: %.60s", run->code, run->err, index, start ? start : "");
    return object;
}

static bool same_hit(const cJSON *a, const cJSON *b)
{
    bool same = true;
    for (int i = 0; i < HIT_FIELDS; i++)
        same = same && cJSON_Compare(field(a, hit_fields[i]), field(b, hit_fields[i]), true);
    return same;
}

TEST(a_hit_has_all_fields)
{
    command_result run = RUN("ray", DWARF, "--origin", "0,0.5,9", "--dir", "0,0,-2", "--json");
    cJSON *frame = object_at(&run, 0);
    CHECK(cJSON_IsTrue(field(frame, "hit")) && cJSON_IsNumber(field(frame, "us")));
    CHECK(cJSON_IsNumber(field(frame, "frame")) && cJSON_IsNumber(field(frame, "time")));
    CHECK(cJSON_IsObject(field(frame, "stats")) && count_lines(run.out) == 1);
    for (int i = 0; i < HIT_FIELDS; i++)
        CHECK_MSG(field(frame, hit_fields[i]) && !cJSON_IsNull(field(frame, hit_fields[i])), "%s",
                  hit_fields[i]);
    CHECK(cJSON_GetArraySize(field(frame, "point")) == 3);
    CHECK(cJSON_GetArraySize(field(frame, "normal")) == 3);
    CHECK(cJSON_GetArraySize(field(frame, "uv")) == 2);
    double t = cJSON_GetNumberValue(field(frame, "t"));
    const cJSON *z = cJSON_GetArrayItem(field(frame, "point"), 2);
    CHECK(fabs(9 - 2 * t - cJSON_GetNumberValue(z)) < 1e-5);
    cJSON_Delete(frame);
    command_free(&run);
}

TEST(a_miss_has_nulls)
{
    command_result run = RUN("ray", DWARF, "--origin", "0,0.5,9", "--dir", "0,0,1", "--json");
    cJSON *frame = object_at(&run, 0);
    CHECK(cJSON_IsFalse(field(frame, "hit")) && !field(frame, "hits"));
    for (int i = 0; i < HIT_FIELDS; i++)
        CHECK_MSG(cJSON_IsNull(field(frame, hit_fields[i])), "%s", hit_fields[i]);
    cJSON_Delete(frame);
    command_free(&run);
}

TEST(all_hits_are_sorted_and_the_nearest_stands_in_front)
{
    static const char *const methods[] = {"lazy", "brute"}, *const trees[] = {"default", "paper"};
    cJSON *first = NULL;
    for (int i = 0; i < 4; i++) {
        command_result run =
            RUN("ray", DWARF, "--origin", "0,0.5,9", "--dir", "0.001,0,-2", "--json", "--all",
                "--times", "0:0.2:10", "--method", methods[i % 2], "--tree", trees[i / 2]);
        CHECK(count_lines(run.out) == 3);
        cJSON *frame = object_at(&run, 2);
        const cJSON *hits = field(frame, "hits"), *hit;
        double last = 0;
        CHECK(cJSON_GetArraySize(hits) >= 2);
        CHECK(cJSON_GetArraySize(hits) == cJSON_GetNumberValue(field(frame, "count")));
        cJSON_ArrayForEach(hit, hits)
        {
            CHECK(cJSON_GetNumberValue(field(hit, "t")) >= last);
            last = cJSON_GetNumberValue(field(hit, "t"));
        }
        CHECK(same_hit(frame, cJSON_GetArrayItem(hits, 0)));
        if (first)
            CHECK(cJSON_Compare(field(first, "hits"), hits, true));
        else
            first = cJSON_Duplicate(frame, true);
        cJSON_Delete(frame);
        command_free(&run);
    }
    cJSON_Delete(first);
}

TEST(the_nearest_of_lazy_and_brute_is_the_first_of_all)
{
    command_result lazy = RUN("ray", DWARF, "--origin", "0,0.5,9", "--dir", "0,0,-2", "--json");
    command_result brute =
        RUN("ray", DWARF, "--origin=0,0.5,9", "--dir=0,0,-2", "--json", "--method=brute");
    command_result any =
        RUN("ray", DWARF, "--origin=0,0.5,9", "--dir=0,0,-2", "--json", "--any", "--repeat=3");
    cJSON *a = object_at(&lazy, 0), *b = object_at(&brute, 0), *c = object_at(&any, 0);
    CHECK(same_hit(a, b) && cJSON_IsTrue(field(c, "hit")));
    cJSON_Delete(a);
    cJSON_Delete(b);
    cJSON_Delete(c);
    command_free(&lazy);
    command_free(&brute);
    command_free(&any);
}

/* Moved along with the model, the ray hits the same triangle at the same t. */
TEST(the_instance_is_placed_as_by_pose)
{
    command_result here = RUN("ray", DWARF, "--origin", "0,0.5,9", "--dir", "0,0,-2", "--json");
    command_result there = RUN("ray", DWARF, "--origin", "25,0.5,0", "--dir", "-2,0,0", "--json",
                               "--turn", "90", "--at", "16,0,0");
    cJSON *a = object_at(&here, 0), *b = object_at(&there, 0);
    CHECK(cJSON_IsTrue(field(b, "hit")));
    CHECK(cJSON_Compare(field(a, "triangle"), field(b, "triangle"), true));
    CHECK(fabs(cJSON_GetNumberValue(field(a, "t")) - cJSON_GetNumberValue(field(b, "t"))) < 1e-5);
    cJSON_Delete(a);
    cJSON_Delete(b);
    command_free(&here);
    command_free(&there);
}

TEST(tmax_ends_the_ray_and_hits_can_fail)
{
    command_result hit = RUN("ray", DWARF, "--origin=0,0.5,9", "--dir=0,0,-1", "--fail-on-hit");
    command_result miss =
        RUN("ray", DWARF, "--origin=0,0.5,9", "--dir=0,0,-1", "--fail-on-hit", "--tmax", "2");
    CHECK(hit.code == 1 && strstr(hit.out, "triangle"));
    CHECK(miss.code == 0 && strstr(miss.out, "0 hits"));
    command_free(&hit);
    command_free(&miss);
}

TEST(bad_rays_are_one_line_and_code_2)
{
    const char *const lines[][6] = {
        {"ray", DWARF, "--origin=0,0,0", "--dir=0,0,0"},
        {"ray", DWARF, "--origin=0,0,0", "--dir=0,1e300,0"},
        {"ray", DWARF, "--origin=0,0,0", "--dir=0,nan,0"},
        {"ray", DWARF, "--origin=0,0,0", "--dir=inf,0,0"},
        {"ray", DWARF, "--origin=0,0,0", "--dir=1,0"},
        {"ray", DWARF, "--origin=1e30,0,0", "--dir=1,0,0"},
        {"ray", DWARF, "--origin=0,0,0"},
        {"ray", DWARF, "--dir=0,0,1"},
        {"ray", "--origin=0,0,0", "--dir=0,0,1"},
        {"ray", "nothing.glb", "--origin=0,0,0", "--dir=0,0,1"},
        {"ray", DWARF, "--origin=0,0,0", "--dir=0,0,1", "--tmax=-1"},
        {"ray", DWARF, "--origin=0,0,0", "--dir=0,0,1", "--clip=nothing"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        command_result run = RUN(lines[i][0], lines[i][1], lines[i][2], lines[i][3], lines[i][4],
                                 lines[i][4] ? lines[i][5] : NULL);
        CHECK_MSG(run.code == 2 && run.out[0] == 0 && count_lines(run.err) == 1,
                  "line %zu: code %d, %s", i, run.code, run.err);
        command_free(&run);
    }
}

TEST(help_names_every_option)
{
    command_result run = RUN("ray", "--help");
    static const char *const words[] = {"--origin", "--dir",  "--tmax",   "--all", "--any",
                                        "--method", "--time", "--repeat", "--at",  "--fail-on-hit"};
    CHECK(run.code == 0 && run.err[0] == 0);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        CHECK_MSG(strstr(run.out, words[i]) != NULL, "%s", words[i]);
    command_free(&run);
}
