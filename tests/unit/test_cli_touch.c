/* graze touch: fields, methods and trees agree, points, exit codes, bad arguments. */
#include "harness.h"
#include "support/json.h"

/* A small closed character. */
#define DWARF SYNTH("dwarf", "600")

static const char *const shapes[] = {
    "--sphere 0,0.7,0,0.2",      "--capsule -1,0.7,0,1,0.7,0,0.1",
    "--box 0,0.7,0,0.2,0.2,0.2", "--box 0,0.7,0,0.2,0.2,0.2,0.1,0.2,0.3,0.9",
    "--plane 0,1,0,0.7",         "--half-space 0,2,0,1.4"};

TEST(shapes_by_every_method_and_tree)
{
    static const char *const methods[] = {"lazy", "brute"}, *const trees[] = {"default", "paper"};
    DWARF;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        cJSON *expected = NULL;
        for (int way = 0; way < 4; way++) {
            cJSON *frame =
                ONLY_LINE(0, GRAZE("touch dwarf.glb %s --time 0.2 --json --method %s --tree %s "
                                   "--repeat 2",
                                   shapes[i], methods[way % 2], trees[way / 2]));
            CHECK(number(frame, "frame") == 0 && number(frame, "time") == 0.2);
            CHECK(truth(frame, "hit") && number(frame, "us") > 0);
            CHECK(number(frame, "count") == size_of(frame, "triangles"));
            CHECK(size_of(frame, "triangles") > 3);
            CHECK(number(field(frame, "stats"), "vertices_posed") > 0);
            expected = expected ? expected : frame;
            CHECK_MSG(same_field(frame, expected, "triangles"), "%s: way %d gives other triangles",
                      shapes[i], way);
        }
    }
}

TEST(first_count_and_exit_codes)
{
    static const char *const methods[] = {"lazy", "brute"};
    for (int i = 0; i < 2; i++) {
        cJSON *frame = ONLY_LINE(1, RUN("touch", DWARF, "--sphere", "0,0.7,0,0.2", "--first",
                                        "--json", "--fail-on-hit", "--method", methods[i]));
        CHECK(number(frame, "count") == 1 && size_of(frame, "triangles") == 1);
    }
    cJSON *frame = ONLY_LINE(
        0, RUN("touch", DWARF, "--sphere", "9,0,0,0.2", "--count", "--json", "--fail-on-hit"));
    CHECK(!truth(frame, "hit") && !field(frame, "triangles"));
    CHECK(number(field(frame, "stats"), "nodes_refit") == 1);
}

TEST(points_inside_and_outside)
{
    static const char *const points[] = {"0,0.7,0", "0,0.7,9"};
    for (int i = 0; i < 4; i++) {
        cJSON *frame =
            ONLY_LINE(i % 2 ? 0 : 1, RUN("touch", DWARF, "--point", points[i % 2], "--json",
                                         "--fail-on-hit", "--method", i / 2 ? "brute" : "lazy"));
        CHECK(truth(frame, "closed") && !truth(frame, "on_surface"));
        CHECK(truth(frame, "inside") == !(i % 2) && number(frame, "winding") == !(i % 2));
        CHECK(!field(frame, "triangles"));
        CHECK(number(field(frame, "stats"), "bound_tests") >= 0 && number(frame, "us") > 0);
    }
}

#define TOUCH "touch dwarf.glb "

TEST(lines_exit_codes_and_refusals)
{
    static const command_row rows[] = {
        {TOUCH "--plane 0,1,0,0.7 --times 0:0.2:10 --json", 0, 3, .fields = "triangles:a"},
        {TOUCH "--plane 0,1,0,0.7 --count", .lines = 1, .words = "frame"},
        {TOUCH "--point 0,0.7,0", 0, .words = "inside"},
        {"touch", .code = 2},
        {TOUCH, .code = 2},
        {TOUCH "--sphere", .code = 2},
        {TOUCH "--sphere 0,0,0", .code = 2},
        {TOUCH "--sphere 0,0,0,1,2", .code = 2},
        {TOUCH "--sphere 0,0,zero,1", .code = 2},
        {TOUCH "--sphere 0,0,0,1e60", .code = 2},
        {TOUCH "--sphere 0,0,0,-1", .code = 2},
        {TOUCH "--sphere 0,0,0,", .code = 2},
        {TOUCH "--box 0,0,0,1,1,1,0", .code = 2},
        {TOUCH "--box 0,0,0,1,1,1,0,0,0,0", .code = 2},
        {TOUCH "--plane 0,0,0,1", .code = 2},
        {TOUCH "--point 0,nan,0", .code = 2},
        {TOUCH "--plane=0,1,0,1 --point=0,0,0", .code = 2},
        {TOUCH "--point=0,0,0 --method=bottom-up", .code = 2},
        {"touch no-such-file.glb --point 0,0,0", .code = 2},
        {"touch --help", 0, .words = "--capsule"},
    };
    DWARF;
    CHECK_ROWS(rows);
}
