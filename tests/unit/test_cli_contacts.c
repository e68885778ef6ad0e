/* graze collide --contacts: its fields, and that it adds nothing unless asked. */
#include "harness.h"
#include "support/json.h"

#include <math.h>
#include <string.h>

/* A small character: it loads faster than it is made. */
#define DWARF SYNTH("dwarf", "600")

static double length_of(const cJSON *object, const char *name)
{
    double square = size_of(object, name) == 3 ? 0 : (double)NAN;
    for (int k = 0; k < 3; k++)
        square += pow(number_at(object, name, k), 2);
    return sqrt(square);
}

TEST(contacts_hold_every_pair)
{
    cJSON *frame =
        ONLY_LINE(0, RUN("collide", DWARF, "--at", "0.2,0.02,0.05", "--json", "--contacts"));
    const cJSON *contact;
    double pairs = 0;
    CHECK(size_of(frame, "contacts") > 0);
    cJSON_ArrayForEach(contact, field(frame, "contacts"))
    {
        CHECK(isfinite(length_of(contact, "point")));
        CHECK(fabs(length_of(contact, "normal") - 1) < 1e-6);
        CHECK(number(contact, "depth") >= 0 && number(contact, "depth") < 1);
        CHECK(number(contact, "length") > 0 && number(contact, "pairs") >= 1);
        CHECK(size_of(contact, "groups") == 2 && number_at(contact, "groups", 0) < 45 &&
              number_at(contact, "groups", 1) < 45);
        pairs += number(contact, "pairs");
    }
    CHECK(pairs > 0 && pairs == number(frame, "count"));
}

/* The contacts are the same, to the letter, whatever the method. */
TEST(every_method_and_tree_gives_the_same_contacts)
{
    static const char *const methods[] = {"lazy", "bottom-up", "brute"};
    static const char *const trees[] = {"default", "paper"};
    const char *expected = NULL;
    DWARF;
    for (int i = 0; i < 6; i++) {
        command_result run =
            GRAZE("collide dwarf.glb --at 0.1,0.02,0.05 --turn 33.5 --time 0.2 --json --contacts "
                  "--count --repeat 2 --method %s --tree %s",
                  methods[i % 3], trees[i / 3]);
        char *text = strstr(run.out, "\"contacts\":["), *end = strstr(run.out, ",\"stats\"");
        REQUIRE(run.code == 0 && text && end && end - text > 100);
        *end = 0;
        expected = expected ? expected : text;
        CHECK_MSG(strcmp(expected, text) == 0, "%s, %s tree", methods[i % 3], trees[i / 3]);
    }
}

TEST(contacts_only_on_request)
{
    static const command_row rows[] = {
        {"collide dwarf.glb --at 50,0,0 --json --contacts", 0, 1, "\"contacts\":[],", "frame:c"},
        {"collide dwarf.glb --at 0.2,0,0 --contacts --count", 0, .words = "contact at"},
        {"collide dwarf.glb --first --contacts --json", .code = 2},
    };
    cJSON *frame = ONLY_LINE(0, RUN("collide", DWARF, "--at", "0.2,0,0", "--json"));
    CHECK(!field(frame, "contacts"));
    CHECK_ROWS(rows);
}
