/* The contract of the graze command: fields, exit codes, frames, clips, and nothing but JSON on
 * standard output.
 */
#include "harness.h"
#include "support/json.h"
#include "support/pairs.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A small character with a clip. */
#define DWARF SYNTH("dwarf", "600")

/* ---- JSON --------------------------------------------------------------------------------- */

/* ---- help, info --------------------------------------------------------------------------- */

TEST(every_command_has_help)
{
    static const char *const commands[] = {"info", "pose", "collide", "synth", "demo", "bench"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        command_result run = RUN(commands[i], "--help");
        CHECK_MSG(run.code == 0 && run.err[0] == 0, "%s --help: %d", commands[i], run.code);
        CHECK_MSG(strstr(run.out, commands[i]) != NULL, "%s --help says nothing", commands[i]);
    }
    command_result help = RUN("--help"), version = RUN("--version");
    CHECK(help.code == 0 && version.code == 0 && version.out[0]);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        CHECK_MSG(strstr(help.out, commands[i]) != NULL, "%s is not in the help", commands[i]);
}

/* In words on less than a screen, however long the scene; the words are those of the JSON. */
TEST(the_demo_tells_what_happens)
{
    static const char *const scenes[] = {"men", "creatures-aside"};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        char wanted[80], part[80];
        uint32_t frames = 0, hits = 0, lines = 0;
        command_result rows = RUN("demo", scenes[i], "--json", "--no-times");
        command_result told = RUN("demo", scenes[i], "--no-times");
        for (const char *c = rows.out; *c; c++)
            frames += *c == '\n';
        for (uint32_t f = 0; f < frames; f++) {
            cJSON *line = OBJECT(&rows, f);
            bool hit = number(line, "count") > 0;
            FIELDS(line, "frame:c time:n count:c parts:s nodes_refit:c nodes:c");
            if (hit && !hits++) {
                const char *parts = text_of(line, "parts");
                snprintf(part, sizeof part, "A's %.*s touches B's ", (int)strcspn(parts, "-"),
                         parts);
                CHECK_MSG(strstr(told.out, part), "%s: not told: %s", scenes[i], part);
                snprintf(part, sizeof part, ": %g pairs of triangles\n", number(line, "count"));
                CHECK_MSG(strstr(told.out, part), "%s: not told: %s", scenes[i], part);
            }
        }
        snprintf(wanted, sizeof wanted, "%u frames; in %u of them bodies touch", frames, hits);
        CHECK_MSG(hits && strstr(told.out, wanted), "%s: not told: %s", scenes[i], wanted);
        for (const char *c = told.out; *c; c++)
            lines += *c == '\n';
        CHECK_MSG(lines < 20, "%s: %u lines", scenes[i], lines);
    }
}

TEST(info_tells_what_a_file_holds)
{
    command_result run = RUN("info", DWARF, "--json");
    CLEAN(&run, 0, 1);
    cJSON *info = OBJECT(&run, 0);
    FIELDS(info, "vertices:c triangles:c joints:c morphs:c clips:a joint_sets:c tree:o load_ms:n "
                 "build_ms:n");
    FIELDS(field(info, "tree"), "nodes:c levels:c leaves:c bytes:c");
    CHECK(number(info, "joints") == 45);
    CHECK(size_of(info, "clips") == 1);
    FIELDS(cJSON_GetArrayItem(field(info, "clips"), 0), "name:s seconds:n");

    run = RUN("info", DWARF);
    CHECK(run.code == 0 && run.out[0] && run.out[0] != '{' && !run.err[0]);

    run = RUN("info", "builtin:dwarf:600", "--json", "--tree", "paper");
    CLEAN(&run, 0, 1);
    info = OBJECT(&run, 0);
    CHECK(number(field(info, "tree"), "leaves") == number(info, "triangles"));
}

/* ---- collide ------------------------------------------------------------------------------ */

static void check_frame(const cJSON *frame, double index, double time)
{
    FIELDS(frame, "frame:c time:n hit:b count:c pairs:a stats:o us:n");
    FIELDS(field(frame, "stats"),
           "nodes_refit:c bound_tests:c patches_posed:c vertices_posed:c triangle_tests:c");
    const cJSON *pairs = field(frame, "pairs"), *pair;
    CHECK(number(frame, "frame") == index);
    CHECK(fabs(number(frame, "time") - time) < 1e-9);
    CHECK(number(frame, "count") == cJSON_GetArraySize(pairs));
    CHECK(truth(frame, "hit") == (number(frame, "count") > 0));
    CHECK(number(frame, "us") > 0);
    double last_a = -1, last_b = -1;
    cJSON_ArrayForEach(pair, pairs)
    {
        CHECK(cJSON_GetArraySize(pair) == 2);
        double a = cJSON_GetArrayItem(pair, 0)->valuedouble;
        double b = cJSON_GetArrayItem(pair, 1)->valuedouble;
        CHECK(a > last_a || (a == last_a && b > last_b));
        last_a = a;
        last_b = b;
    }
}

TEST(collide_reports_every_frame)
{
    static const struct {
        const char *range;
        size_t frames;
        double from, fps;
    } ranges[] = {{"0:0.5:10", 6, 0, 10},        {"0:0:30", 1, 0, 30},
                  {"0.25:0.49:10", 3, 0.25, 10}, {"-1:0.5:2", 4, -1, 2},
                  {"0:0.3:29.97", 9, 0, 29.97},  {"0:0.7:10", 8, 0, 10}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        command_result run =
            RUN("collide", DWARF, "--at", "0.2,0,0.1", "--times", ranges[i].range, "--json");
        if (ranges[i].from < 0 && strstr(run.err, "clip walk begins at 0 s"))
            run.err[0] = 0; /* a warning, which is due */
        CLEAN(&run, 0, ranges[i].frames);
        for (size_t f = 0; f < ranges[i].frames; f++) {
            cJSON *frame = OBJECT(&run, f);
            check_frame(frame, (double)f, ranges[i].from + (double)f / ranges[i].fps);
        }
    }
    command_result run = RUN("collide", DWARF, "--time", "0.125", "--json");
    CLEAN(&run, 0, 1);
    cJSON *frame = OBJECT(&run, 0);
    check_frame(frame, 0, 0.125);
}

/* The pairs as text, which must be the same whatever the method. */
static char *pairs_text(const command_result *run)
{
    const char *start = strstr(run->out, "\"pairs\":[");
    const char *end = start ? strstr(start, "]]") : NULL;
    return start ? test_keep(strndup(start, end ? (size_t)(end - start) : 11), free) : NULL;
}

TEST(every_method_and_tree_gives_the_same_pairs)
{
    static const char *const methods[] = {"lazy", "bottom-up", "brute"};
    static const char *const trees[] = {"default", "paper"};
    char *expected = NULL;
    for (int i = 0; i < 6; i++) {
        command_result run =
            RUN("collide", DWARF, DWARF, "--at=0.1,0.02,0.05", "--turn", "33.5", "--phase", "0.3",
                "--time", "0.2", "--json", "--method", methods[i % 3], "--tree", trees[i / 3]);
        CLEAN(&run, 0, 1);
        char *pairs = pairs_text(&run);
        CHECK(pairs && strlen(pairs) > 100);
        expected = expected ? expected : pairs;
        CHECK_MSG(pairs && strcmp(expected, pairs) == 0, "%s, %s tree", methods[i % 3],
                  trees[i / 3]);
    }
}

TEST(first_count_and_repeat)
{
    command_result run = RUN("collide", DWARF, "--at", "0.1,0,0", "--json");
    cJSON *all = OBJECT(&run, 0);
    run = RUN("collide", DWARF, "--at", "0.1,0,0", "--json", "--count", "--repeat", "5");
    CLEAN(&run, 0, 1);
    cJSON *counted = OBJECT(&run, 0);
    CHECK(!field(counted, "pairs"));
    CHECK(number(counted, "count") == number(all, "count") && number(all, "count") > 1);
    CHECK(number(field(counted, "stats"), "nodes_refit") ==
          number(field(all, "stats"), "nodes_refit"));
    static const char *const methods[] = {"lazy", "bottom-up", "brute"};
    for (int i = 0; i < 3; i++) {
        run = RUN("collide", DWARF, "--at", "0.1,0,0", "--json", "--first", "--method", methods[i]);
        CLEAN(&run, 0, 1);
        cJSON *first = OBJECT(&run, 0);
        check_frame(first, 0, 0);
        CHECK(number(first, "count") == 1);
        const cJSON *only = cJSON_GetArrayItem(field(first, "pairs"), 0);
        CHECK_MSG(has_entry(field(all, "pairs"), only),
                  "--first --method %s gives a pair that does not meet", methods[i]);
    }
}

TEST(fail_on_hit_is_exit_code_one)
{
    command_result run = RUN("collide", DWARF, "--at", "0.1,0,0", "--fail-on-hit", "--json");
    CLEAN(&run, 1, 1);
    run = RUN("collide", DWARF, "--at", "50,0,0", "--fail-on-hit", "--json");
    CLEAN(&run, 0, 1);
    cJSON *frame = OBJECT(&run, 0);
    const cJSON *stats = field(frame, "stats");
    CHECK(!truth(frame, "hit") && number(stats, "nodes_refit") == 2);
    CHECK(number(stats, "vertices_posed") == 0);
    run = RUN("collide", DWARF, "--at", "0.1,0,0", "--fail-on-hit", "--first", "--count");
    CHECK(run.code == 1 && run.out[0] && run.out[0] != '{');
}

TEST(clips_by_name_number_and_none)
{
    static const char *const good[] = {"walk", "0", "none"};
    char *texts[3];
    for (int i = 0; i < 3; i++) {
        command_result run =
            RUN("collide", DWARF, "--clip", good[i], "--time", "0.3", "--at", "0.3,0,0", "--json");
        CLEAN(&run, 0, 1);
        texts[i] = pairs_text(&run);
    }
    CHECK(texts[0] && texts[1] && texts[2] && strcmp(texts[0], texts[1]) == 0);
    CHECK(texts[0] && texts[2] && strcmp(texts[0], texts[2]) != 0);
    command_result run = RUN("collide", DWARF, "--clip", "walk", "--clip-b", "none", "--time",
                             "0.3", "--at", "0.3,0,0", "--json");
    CLEAN(&run, 0, 1);
    char *mixed = pairs_text(&run);
    CHECK(mixed && texts[0] && strcmp(mixed, texts[0]) != 0 && strcmp(mixed, texts[2]) != 0);
}

/* ---- pose --------------------------------------------------------------------------------- */

typedef struct obj {
    float *positions;
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} obj;

static obj read_obj(const char *path)
{
    obj o = {0};
    char *text = read_whole_file(path, NULL);
    if (!test_check(text != NULL, __FILE__, __LINE__, "%s is not there", path))
        return o;
    size_t lines = count_lines(text);
    o.positions = malloc(3 * lines * sizeof *o.positions + 1);
    o.triangles = malloc(3 * lines * sizeof *o.triangles + 1);
    char *rest = text;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        float *p = o.positions + 3 * (size_t)o.vertex_count;
        uint32_t *t = o.triangles + 3 * (size_t)o.triangle_count;
        if (sscanf(line, "v %f %f %f", &p[0], &p[1], &p[2]) == 3)
            o.vertex_count++;
        else if (sscanf(line, "f %u %u %u", &t[0], &t[1], &t[2]) == 3)
            o.triangle_count++;
    }
    for (size_t i = 0; i < (size_t)3 * o.triangle_count; i++)
        o.triangles[i]--;
    return o;
}

static graze_body *rigid_body(const obj *o, graze_model **model)
{
    graze_model_def def = {0};
    graze_body *body = NULL;
    def.positions = o->positions;
    def.vertex_count = o->vertex_count;
    def.triangles = o->triangles;
    def.triangle_count = o->triangle_count;
    def.joint_count = 1;
    if (!graze_model_create(&def, model, NULL))
        graze_body_create(*model, &body, NULL);
    return body;
}

/* What pose writes, asked about by brute force, is what collide answers for. */
static void check_pose(const char *tree, const char *at, const char *turn, const char *clip_b)
{
    const char *paths[2] = {scratch_path(1, "a.obj"), scratch_path(2, "b.obj")};
    command_result runs[3] = {RUN("pose", DWARF, "--time", "0.15", "-o", paths[0], "--json"),
                              RUN("pose", DWARF, "--time", "0.15", "--at", at, "--turn", turn,
                                  "--phase", "0.2", "--clip-b", clip_b, "-o", paths[1]),
                              RUN("collide", DWARF, "--time", "0.15", "--at", at, "--turn", turn,
                                  "--phase", "0.2", "--clip-b", clip_b, "--json", "--tree", tree)};
    for (int i = 0; i < 3; i++)
        CHECK_MSG(runs[i].code == 0 && !runs[i].err[0], "%d: %s", runs[i].code, runs[i].err);
    obj objs[2] = {read_obj(paths[0]), read_obj(paths[1])};
    graze_model *models[2] = {NULL, NULL};
    graze_body *bodies[2] = {rigid_body(&objs[0], &models[0]), rigid_body(&objs[1], &models[1])};
    pair_set expected = {0};
    cJSON *frame = OBJECT(&runs[2], 0);
    if (test_check(bodies[0] && bodies[1] && frame, __FILE__, __LINE__, "nothing to compare")) {
        graze_pairs(bodies[0], bodies[1], TO_PAIR_SET(&expected),
                    &(graze_options){.method = GRAZE_BRUTE}, NULL);
        pair_set_sort(&expected);
        const cJSON *pair = field(frame, "pairs")->child;
        CHECK_MSG(expected.count == number(frame, "count"), "%zu pairs, collide finds %g",
                  expected.count, number(frame, "count"));
        for (size_t i = 0; i < expected.count && pair; i++, pair = pair->next)
            CHECK(pair->child->valuedouble == expected.pairs[i].a &&
                  pair->child->next->valuedouble == expected.pairs[i].b);
    }
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(bodies[i]);
        graze_model_destroy(models[i]);
        free(objs[i].positions);
        free(objs[i].triangles);
        remove(paths[i]);
    }
    for (int i = 0; i < 3; i++)
        pair_set_free(&expected);
}

TEST(pose_writes_what_collide_decides_on)
{
    check_pose("default", "0.1,0,0.05", "0", "walk");
    check_pose("default", "0.2,0.01,0", "90", "none");
    check_pose("paper", "-0.15,0,0.1", "201.7", "walk");
    check_pose("paper", "1000.1,0,0", "45", "walk");
    check_pose("default", "0,0,0", "0", "0");
}
