/* graze distance: fields, tolerances, methods, exit codes. */
#include "harness.h"
#include "support/json.h"

#include <math.h>

/* A small character with a clip. */
#define DWARF SYNTH("dwarf", "600")

static double apart(const cJSON *frame)
{
    const cJSON *points = field(frame, "points");
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const cJSON *p = cJSON_GetArrayItem(cJSON_GetArrayItem(points, 0), k);
        const cJSON *q = cJSON_GetArrayItem(cJSON_GetArrayItem(points, 1), k);
        square += pow(cJSON_GetNumberValue(q) - cJSON_GetNumberValue(p), 2);
    }
    return sqrt(square);
}

TEST(a_frame_has_its_fields)
{
    cJSON *frame =
        ONLY_LINE(0, RUN("distance", DWARF, "--at", "1.3,0.1,0", "--time", "0.1", "--json"));
    CHECK(number(frame, "frame") == 0 && fabs(number(frame, "time") - 0.1) < 1e-12);
    CHECK(number(frame, "distance") > 0 && number(frame, "us") > 0);
    CHECK(size_of(frame, "triangles") == 2);
    CHECK_MSG(fabs(apart(frame) - number(frame, "distance")) < 1e-5, "points %g apart",
              apart(frame));
    CHECK(number(field(frame, "stats"), "patches_posed") >= 2);
    CHECK(!field(frame, "hit") && !field(frame, "pairs") && !field(frame, "count"));
    frame = ONLY_LINE(0, RUN("distance", DWARF, "--at", "5,0,0", "--limit", "0.5", "--json"));
    CHECK(cJSON_IsNull(field(frame, "distance")) && cJSON_IsNull(field(frame, "points")));
}

/* Everything but what was measured and counted. */
static void check_methods(const char *at, const char *skin)
{
    static const char *const names[] = {"distance", "triangles", "points", "hit", "count", "pairs"};
    cJSON *lines[2];
    DWARF;
    for (int i = 0; i < 2; i++)
        lines[i] = ONLY_LINE(0, GRAZE("distance dwarf.glb --at %s --skin %s --within 0.3 "
                                      "--closer-than 0.2 --json --method %s",
                                      at, skin, i ? "brute" : "lazy"));
    cJSON *x = lines[0];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_MSG(field(x, names[i]) && same_field(x, lines[1], names[i]), "%s differs at %s",
                  names[i], at);
    CHECK(number(x, "count") == size_of(x, "pairs"));
    CHECK(truth(x, "hit") == (number(x, "distance") <= 0.2));
    CHECK((number(x, "count") > 0) == (number(x, "distance") <= 0.3));
}

TEST(both_methods_say_the_same)
{
    check_methods("0.1,0,0", "linear");
    check_methods("0.8,0,0.1", "spherical");
    check_methods("1,0,0", "dual");
    check_methods("3,0,0", "linear");
}

#define NEAR "distance dwarf.glb --at 0.1,0,0 --fail-on-hit --json "
#define FAR "distance dwarf.glb --at 5,0,0 --fail-on-hit --json "
#define DISTANCE "distance dwarf.glb --json "

TEST(lines_exit_codes_and_refusals)
{
    static const command_row rows[] = {
        {"distance dwarf.glb dwarf.glb --at 1,0,0 --times 0:0.4:10 --json", 0, 5, NULL, "us:n"},
        {"distance dwarf.glb --at 1,0,0", .lines = 1, .words = "distance"},
        {NEAR "--repeat 2", 1, .fields = "distance:n"},
        {NEAR "--closer-than 0", 1, .fields = "hit:b"},
        {FAR "--repeat 2", 0, .fields = "distance:n"},
        {FAR "--closer-than 100", 1, .fields = "hit:b"},
        {FAR "--closer-than 0.5", 0, .fields = "hit:b"},
        {FAR "--within 4.9", 1, .fields = "pairs:a"},
        {FAR "--within 0", 0, .fields = "pairs:a"},
        {DISTANCE "--closer-than -1", .code = 2},
        {DISTANCE "--closer-than nan", .code = 2},
        {DISTANCE "--closer-than 1e999", .code = 2},
        {DISTANCE "--within -0.1", .code = 2},
        {DISTANCE "--within inf", .code = 2},
        {DISTANCE "--within x", .code = 2},
        {DISTANCE "--limit -2", .code = 2},
        {DISTANCE "--limit infinity", .code = 2},
        {DISTANCE "--method bottom-up", .code = 2},
        {"distance --json", .code = 2},
        {"distance --help", 0, .words = "--closer-than"},
    };
    DWARF;
    CHECK_ROWS(rows);
}
