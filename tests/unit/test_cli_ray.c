/* graze ray: fields, exit codes, and lazy == brute force as a user sees it. */
#include "harness.h"
#include "support/json.h"

#include <math.h>

/* A small character with a clip. */
#define DWARF SYNTH("dwarf", "600")

static const char *const hit_fields[] = {"triangle", "t",     "point", "normal",
                                         "uv",       "joint", "group"};
enum { HIT_FIELDS = sizeof hit_fields / sizeof *hit_fields };

static bool same_hit(const cJSON *a, const cJSON *b)
{
    bool same = true;
    for (int i = 0; i < HIT_FIELDS; i++)
        same = same && same_field(a, b, hit_fields[i]);
    return same;
}

/* A frame of a ray from the front; options behind it. */
static cJSON *cast(const char *options)
{
    DWARF;
    return ONLY_LINE(0, GRAZE("ray dwarf.glb --origin 0,0.5,9 --dir 0,0,-2 --json %s", options));
}

TEST(a_hit_has_all_fields)
{
    cJSON *frame = cast("");
    FIELDS(frame, "frame:c time:n hit:b us:n stats:o");
    CHECK(truth(frame, "hit"));
    for (int i = 0; i < HIT_FIELDS; i++)
        CHECK_MSG(field(frame, hit_fields[i]) && !cJSON_IsNull(field(frame, hit_fields[i])), "%s",
                  hit_fields[i]);
    CHECK(size_of(frame, "point") == 3 && size_of(frame, "normal") == 3);
    CHECK(size_of(frame, "uv") == 2);
    CHECK(fabs(9 - 2 * number(frame, "t") - number_at(frame, "point", 2)) < 1e-5);
}

TEST(a_miss_has_nulls)
{
    cJSON *frame = cast("--dir 0,0,1");
    CHECK(!truth(frame, "hit") && !field(frame, "hits"));
    for (int i = 0; i < HIT_FIELDS; i++)
        CHECK_MSG(cJSON_IsNull(field(frame, hit_fields[i])), "%s", hit_fields[i]);
}

TEST(all_hits_are_sorted_and_the_nearest_stands_in_front)
{
    static const char *const methods[] = {"lazy", "brute"}, *const trees[] = {"default", "paper"};
    cJSON *first = NULL;
    for (int i = 0; i < 4; i++) {
        command_result run =
            RUN("ray", DWARF, "--origin", "0,0.5,9", "--dir", "0.001,0,-2", "--json", "--all",
                "--times", "0:0.2:10", "--method", methods[i % 2], "--tree", trees[i / 2]);
        CLEAN(&run, 0, 3);
        cJSON *frame = OBJECT(&run, 2);
        const cJSON *hits = field(frame, "hits"), *hit;
        double last = 0;
        CHECK(cJSON_GetArraySize(hits) >= 2);
        CHECK(cJSON_GetArraySize(hits) == number(frame, "count"));
        cJSON_ArrayForEach(hit, hits)
        {
            CHECK(number(hit, "t") >= last);
            last = number(hit, "t");
        }
        CHECK(same_hit(frame, cJSON_GetArrayItem(hits, 0)));
        first = first ? first : frame;
        CHECK(same_field(first, frame, "hits"));
    }
}

TEST(the_nearest_of_lazy_and_brute_is_the_first_of_all)
{
    CHECK(same_hit(cast(""), cast("--method=brute")) && truth(cast("--any --repeat=3"), "hit"));
}

/* Moved along with the model, the ray hits the same triangle at the same t. */
TEST(the_instance_is_placed_as_by_pose)
{
    cJSON *here = cast(""), *there = cast("--origin 25,0.5,0 --dir -2,0,0 --turn 90 --at 16,0,0");
    CHECK(truth(there, "hit") && same_field(here, there, "triangle"));
    CHECK(fabs(number(here, "t") - number(there, "t")) < 1e-5);
}

#define FRONT "ray dwarf.glb --origin=0,0.5,9 --dir=0,0,-1 "
#define FROM_0 "ray dwarf.glb --origin=0,0,0 "

TEST(exit_codes_and_refusals)
{
    static const command_row rows[] = {
        {FRONT "--fail-on-hit", 1, .words = "triangle"},
        {FRONT "--fail-on-hit --tmax 2", 0, .words = "0 hits"},
        {FROM_0 "--dir=0,0,0", .code = 2},
        {FROM_0 "--dir=0,1e300,0", .code = 2},
        {FROM_0 "--dir=0,nan,0", .code = 2},
        {FROM_0 "--dir=inf,0,0", .code = 2},
        {FROM_0 "--dir=1,0", .code = 2},
        {"ray dwarf.glb --origin=1e30,0,0 --dir=1,0,0", .code = 2},
        {FROM_0, .code = 2},
        {"ray dwarf.glb --dir=0,0,1", .code = 2},
        {"ray --origin=0,0,0 --dir=0,0,1", .code = 2},
        {"ray nothing.glb --origin=0,0,0 --dir=0,0,1", .code = 2},
        {FROM_0 "--dir=0,0,1 --tmax=-1", .code = 2},
        {FROM_0 "--dir=0,0,1 --clip=nothing", .code = 2},
        {"ray --help", 0,
         .words = "--origin|--dir|--tmax|--all|--any|--method|--time|--repeat|--at|--fail-on-hit"},
    };
    DWARF;
    CHECK_ROWS(rows);
}
