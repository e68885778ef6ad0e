/* graze audit --fix: what it says of the copy is what an audit of the copy finds, and nothing else
 * in the file is another.
 */
#include "harness.h"
#include "support/command.h"
#include "support/json.h"

#include <stdlib.h>
#include <string.h>

#define PLAYER SYNTH("player", "3000")

static bool same_parts(const cJSON *x, const cJSON *y)
{
    return same_field(x, y, "parts") && same_field(x, y, "clip");
}

/* In how many frames of x y is. */
static double common(const cJSON *x, const cJSON *y)
{
    const double from =
                     number(x, "from") > number(y, "from") ? number(x, "from") : number(y, "from"),
                 to = number(x, "to") < number(y, "to") ? number(x, "to") : number(y, "to");
    return same_parts(x, y) && from <= to ? to - from + 1 : 0;
}

/* What is told of each finding, against an audit of the copy. */
static void check_told(const cJSON *told, const cJSON *before, const cJSON *after)
{
    const int count = cJSON_GetArraySize(before) - 1;
    const cJSON *last = cJSON_GetArrayItem(told, count), *own;
    double gone = 0;
    REQUIRE(count > 0 && cJSON_GetArraySize(told) == count + 1);
    for (int i = 0; i < count; i++) {
        const cJSON *line = cJSON_GetArrayItem(told, i), *old = cJSON_GetArrayItem(before, i);
        const cJSON *left = field(line, "left");
        double frames = 0, depth = 0;
        CHECK(same_parts(line, old) && same_field(line, old, "from") &&
              same_field(line, old, "to"));
        cJSON_ArrayForEach(own, after) if (common(line, own) > 0)
        {
            frames += common(line, own);
            depth = number(field(own, "worst"), "depth") > depth
                        ? number(field(own, "worst"), "depth")
                        : depth;
        }
        CHECK(number(left, "frames") == frames && number(left, "depth") == depth);
        gone += frames == 0;
    }
    CHECK(number(last, "gone") == gone && number(last, "findings") == count);
    cJSON_ArrayForEach(own, after)
    {
        double known = 0;
        for (int i = 0; i < count; i++)
            known += common(own, cJSON_GetArrayItem(before, i));
        CHECK_MSG(known > 0 || !field(own, "worst"), "new: %s", json_text(own));
    }
}

TEST(what_is_told_is_what_is_there)
{
    static const struct {
        const char *clip, *parts, *ease, *fps;
        double gone, turns;
    } rows[] = {{"all", NULL, "6", "30", 15, 15},
                {"kick", "spine.3", "0", "24", 2, 2},
                {"get-up-back", "chest", "6", "30", 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *copy = scratch_path(1, "fixed.glb");
        const char *arguments[20] = {"audit",      PLAYER,   "--clip",
                                     rows[i].clip, "--fps",  rows[i].fps,
                                     "--json",     "--ease", rows[i].ease,
                                     "--fix",      copy,     rows[i].parts ? "--fix-parts" : NULL,
                                     rows[i].parts};
        command_result run = command_run(GRAZE_COMMAND, arguments);
        command_result before =
            RUN("audit", PLAYER, "--clip", rows[i].clip, "--fps", rows[i].fps, "--json");
        command_result after =
            RUN("audit", copy, "--clip", rows[i].clip, "--fps", rows[i].fps, "--json");
        CHECK_MSG(run.code == 0, "%s", run.err);
        cJSON *told = json_lines(run.out);
        const cJSON *last = cJSON_GetArrayItem(told, cJSON_GetArraySize(told) - 1);
        check_told(told, json_lines(before.out), json_lines(after.out));
        CHECK_MSG(number(last, "gone") >= rows[i].gone && size_of(last, "turns") >= rows[i].turns,
                  "%s", json_text(last));
        CHECK(remove(copy) == 0);
    }
}

/* The file's own nodes, meshes, clips and bytes are in the copy, with more behind them. */
TEST(the_rest_of_the_file_stays)
{
    const char *copy = scratch_path(1, "fixed.glb");
    static const char *const keys[] = {"asset", "scenes", "nodes", "meshes", "skins", "materials"};
    command_result run = RUN("audit", PLAYER, "--clip", "kick", "--fix", copy, "--threads", "2");
    size_t sizes[2];
    char *bytes[2] = {read_whole_file(PLAYER, &sizes[0]), read_whole_file(copy, &sizes[1])};
    uint32_t length[2];
    cJSON *json[2];
    REQUIRE(run.code == 0 && bytes[0] && bytes[1]);
    CHECK_MSG(strstr(run.out, "findings are gone, and nothing is new or worse\n"), "%s", run.out);
    for (int i = 0; i < 2; i++) {
        memcpy(&length[i], bytes[i] + 12, 4);
        json[i] = json_parse(test_keep(strndup(bytes[i] + 20, length[i]), free));
        REQUIRE(json[i]);
    }
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        CHECK_MSG(cJSON_Compare(field(json[0], keys[k]), field(json[1], keys[k]), true), "%s",
                  keys[k]);
    const double size = number(cJSON_GetArrayItem(field(json[0], "buffers"), 0), "byteLength");
    CHECK(memcmp(bytes[0] + 28 + length[0], bytes[1] + 28 + length[1], (size_t)size) == 0);
    const cJSON *clip, *other = field(json[1], "animations")->child;
    cJSON_ArrayForEach(clip, field(json[0], "animations"))
    {
        const bool same = cJSON_Compare(clip, other, true);
        CHECK(same == (strcmp(text_of(clip, "name"), "kick") != 0));
        other = other->next;
    }
    CHECK(remove(copy) == 0);
}

TEST(bad_input)
{
    const char *copy = scratch_path(1, "fixed.glb"), *text = scratch_path(2, "text.gltf");
    CHECK(write_whole_file(text, "{}", 2));
    REFUSED("whole number of frames", "audit", PLAYER, "--fix", copy, "--ease", "1.5");
    REFUSED("whole number of frames", "audit", PLAYER, "--fix", copy, "--ease", "-1");
    REFUSED("need --fix OUT.glb", "audit", PLAYER, "--ease", "3");
    REFUSED("need --fix OUT.glb", "audit", PLAYER, "--fix-parts", "chest");
    REFUSED("there is no part nose", "audit", PLAYER, "--fix", copy, "--fix-parts", "chest,nose");
    REFUSED("without a clip", "audit", PLAYER, "--fix", copy, "--clip", "none");
    REFUSED("there is no clip walk", "audit", PLAYER, "--fix", copy, "--clip", "walk");
    REFUSED("one model, not 2", "audit", PLAYER, SYNTH("man", "4000"), "--fix", copy);
    REFUSED("copies a .glb", "audit", text, "--fix", copy);
    REFUSED("no other output", "audit", PLAYER, "--fix", copy, "--hints");
    REFUSED("no other output", "audit", PLAYER, "--fix", copy, "--character", PLAYER);
    REFUSED("would write over the model", "audit", PLAYER, "--fix", PLAYER);
    REFUSED("needs a file, not -", "audit", PLAYER, "--fix", "-");
    REFUSED("it writes GLB alone", "audit", PLAYER, "--fix", scratch_path(3, "fixed.obj"));
    REFUSED("--fix needs the model", "audit", "merge", "nowhere", "--fix", copy);
    REFUSED("--fix is for one model", "audit", "plan", PLAYER, "--fix", copy);
    REFUSED("No space left", "audit", PLAYER, "--clip", "kick", "--fix", "/dev/full");
}
