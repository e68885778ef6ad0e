/* graze self: fields, order, exit codes, and every method's equal answer as a user sees it. */
#include "harness.h"
#include "support/json.h"

#include <string.h>

/* A character that walks into itself. */
#define CREATURE SYNTH("creature", "1500")

TEST(a_frame_has_all_fields)
{
    cJSON *frame = ONLY_LINE(0, RUN("self", CREATURE, "--json", "--time", "0.6"));
    FIELDS(field(frame, "stats"),
           "nodes_refit:n bound_tests:n patches_posed:n vertices_posed:n triangle_tests:n");
    CHECK(number(frame, "frame") == 0 && number(frame, "time") == 0.6 && number(frame, "us") > 0);
    CHECK(truth(frame, "hit") && number(frame, "count") > 0);
    CHECK(size_of(frame, "pairs") == number(frame, "count"));
    CHECK(size_of(frame, "rest") == number(frame, "count"));
}

TEST(pairs_are_in_order_and_marked)
{
    command_result run = RUN("self", CREATURE, "--json", "--times", "0:1:8");
    CLEAN(&run, 0, 9);
    for (size_t line = 0; line < 9; line++) {
        cJSON *frame = OBJECT(&run, line);
        double last_a = -1, last_b = -1, fresh = 0;
        const cJSON *pair, *mark = field(frame, "rest") ? field(frame, "rest")->child : NULL;
        cJSON_ArrayForEach(pair, field(frame, "pairs"))
        {
            double a = cJSON_GetNumberValue(cJSON_GetArrayItem(pair, 0));
            double b = cJSON_GetNumberValue(cJSON_GetArrayItem(pair, 1));
            CHECK(cJSON_GetArraySize(pair) == 2 && a < b);
            CHECK(a > last_a || (a == last_a && b > last_b));
            last_a = a, last_b = b;
            CHECK(cJSON_IsBool(mark));
            fresh += cJSON_IsFalse(mark);
            mark = mark ? mark->next : NULL;
        }
        CHECK(mark == NULL && number(frame, "new") == fresh);
        CHECK(number(frame, "frame") == (double)line);
    }
}

/* Methods, trees and models with morph targets or without: the same pairs in each skinning. */
TEST(all_methods_give_the_same_pairs)
{
    static const char *const methods[] = {"lazy", "bottom-up", "brute", "lazy"};
    static const char *const skins[] = {"linear", "spherical", "dual"};
    for (int s = 0; s < 3; s++) {
        cJSON *first = NULL;
        for (int m = 0; m < 4; m++) {
            command_result run =
                RUN("self", CREATURE, "--json", "--times", "0.1:0.6:2", "--skin", skins[s],
                    "--method", methods[m], "--tree", m == 3 ? "paper" : "default");
            CHECK(run.code == 0 && !run.err[0]);
            cJSON *frame = OBJECT(&run, 1);
            first = first ? first : frame;
            CHECK(same_field(first, frame, "pairs") && same_field(first, frame, "rest"));
            CHECK(number(first, "count") > 0);
        }
    }
}

TEST(first_count_and_new)
{
    cJSON *frame = ONLY_LINE(0, RUN("self", CREATURE, "--json"));
    static const char *const methods[] = {"lazy", "bottom-up", "brute"};
    for (int m = 0; m < 3; m++) {
        cJSON *one =
            ONLY_LINE(0, RUN("self", CREATURE, "--json", "--first", "--method", methods[m]));
        cJSON *rest =
            ONLY_LINE(0, RUN("self", CREATURE, "--json", "--new", "--method", methods[m]));
        CHECK(number(one, "count") == 1 && truth(one, "hit"));
        CHECK(has_entry(field(frame, "pairs"), cJSON_GetArrayItem(field(one, "pairs"), 0)));
        CHECK(number(rest, "count") == number(frame, "new"));
        CHECK(number(rest, "new") == number(rest, "count"));
    }
    cJSON *counted = ONLY_LINE(0, RUN("self", CREATURE, "--json", "--count", "--repeat", "3"));
    CHECK(!field(counted, "pairs") && !field(counted, "rest"));
    CHECK(same_field(counted, frame, "count") && same_field(counted, frame, "new"));
}

/* Where the model stands changes no pair, and the text says what the JSON says. */
TEST(text_and_placement)
{
    command_result text = RUN("self", CREATURE);
    cJSON *frame = ONLY_LINE(0, RUN("self", CREATURE, "--json"));
    CHECK(text.code == 0 && count_lines(text.out) == 1 + (size_t)number(frame, "count"));
    CHECK(strncmp(text.out, "frame", 5) == 0 && strstr(text.out, " pairs, "));
    cJSON *turned = ONLY_LINE(0, RUN("self", CREATURE, "--json", "--turn", "180", "--phase", "0"));
    CHECK(number(turned, "count") > 0);
}

#define DWARF "self builtin:dwarf:300 "

TEST(lines_exit_codes_and_refusals)
{
    static const command_row rows[] = {
        {"self creature.glb --count", .lines = 1},
        {"self creature.glb --json --fail-on-hit", 1, 1, .fields = "hit:b"},
        {"self --help", 0, .words = "--new|--method"},
        {"self", .code = 2},
        {"self no-such-file.glb", .code = 2},
        {DWARF "--method fast", .code = 2},
        {DWARF "--repeat 0", .code = 2},
        {DWARF "--clip 9999", .code = 2},
        {DWARF "builtin:dwarf:300", .code = 2},
        {DWARF "--nonsense", .code = 2},
    };
    CREATURE;
    CHECK_ROWS(rows);
}
