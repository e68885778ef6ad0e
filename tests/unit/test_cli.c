/* The contract of the graze command: fields, exit codes, frames, clips, and nothing but JSON on
 * standard output.
 */
#include "harness.h"
#include "support/command.h"
#include "support/pairs.h"

#include <graze/reference.h>

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

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

/* ---- JSON --------------------------------------------------------------------------------- */

/* Line number `index` as an object; NULL, and a failure, if it is not one. */
static cJSON *object_at(const command_result *run, size_t index, int line)
{
    const char *start = run->out, *end;
    for (size_t i = 0; i < index && start; i++)
        start = strchr(start, '\n') ? strchr(start, '\n') + 1 : NULL;
    cJSON *object = start ? cJSON_ParseWithOpts(start, &end, false) : NULL;
    if (!test_check(cJSON_IsObject(object) && *end == '\n', __FILE__, line,
                    "line %zu is not one JSON object: %.60s", index, start ? start : "")) {
        cJSON_Delete(object);
        return NULL;
    }
    return object;
}

#define OBJECT(run, index) object_at(run, index, __LINE__)

/* Fields as name:type, separated by blanks: n a number, c a count, b a truth value, s a string, a
 * an array, o an object.
 */
static void check_fields(const cJSON *object, const char *fields, int line)
{
    char words[256];
    snprintf(words, sizeof words, "%s", fields);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *type = strchr(word, ':') + 1;
        type[-1] = 0;
        const cJSON *field = cJSON_GetObjectItemCaseSensitive(object, word);
        bool ok = (*type == 'n' && cJSON_IsNumber(field)) ||
                  (*type == 'c' && cJSON_IsNumber(field) && field->valuedouble >= 0 &&
                   field->valuedouble == floor(field->valuedouble)) ||
                  (*type == 'b' && cJSON_IsBool(field)) ||
                  (*type == 's' && cJSON_IsString(field)) ||
                  (*type == 'a' && cJSON_IsArray(field)) || (*type == 'o' && cJSON_IsObject(field));
        test_check(ok, __FILE__, line, "field %s is missing or of another type", word);
    }
}

#define FIELDS(object, fields) check_fields(object, fields, __LINE__)

static double number(const cJSON *object, const char *name)
{
    const cJSON *field = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(field) ? field->valuedouble : NAN;
}

static bool truth(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, name));
}

/* Exit code, nothing on standard error, so many lines of JSON. */
static void check_clean(const command_result *run, int code, size_t lines, int line)
{
    test_check(run->code == code, __FILE__, line, "exit code %d: %s", run->code, run->err);
    test_check(run->err[0] == 0, __FILE__, line, "on standard error: %s", run->err);
    test_check(count_lines(run->out) == lines, __FILE__, line, "%zu lines, not %zu",
               count_lines(run->out), lines);
    for (size_t i = 0; i < lines && i < count_lines(run->out); i++)
        cJSON_Delete(object_at(run, i, line));
}

#define CLEAN(run, code, lines) check_clean(run, code, lines, __LINE__)

/* ---- help, info --------------------------------------------------------------------------- */

TEST(every_command_has_help)
{
    static const char *const commands[] = {"info", "pose", "collide", "synth", "demo", "bench"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        command_result run = RUN(commands[i], "--help");
        CHECK_MSG(run.code == 0 && run.err[0] == 0, "%s --help: %d", commands[i], run.code);
        CHECK_MSG(strstr(run.out, commands[i]) != NULL, "%s --help says nothing", commands[i]);
        command_free(&run);
    }
    command_result help = RUN("--help"), version = RUN("--version");
    CHECK(help.code == 0 && version.code == 0 && version.out[0]);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        CHECK_MSG(strstr(help.out, commands[i]) != NULL, "%s is not in the help", commands[i]);
    command_free(&help);
    command_free(&version);
}

TEST(info_tells_what_a_file_holds)
{
    command_result run = RUN("info", dwarf(), "--json");
    CLEAN(&run, 0, 1);
    cJSON *info = OBJECT(&run, 0);
    FIELDS(info, "vertices:c triangles:c joints:c morphs:c clips:a joint_sets:c tree:o load_ms:n "
                 "build_ms:n");
    FIELDS(cJSON_GetObjectItem(info, "tree"), "nodes:c levels:c leaves:c bytes:c");
    CHECK(number(info, "joints") == 45);
    CHECK(cJSON_GetArraySize(cJSON_GetObjectItem(info, "clips")) == 1);
    FIELDS(cJSON_GetArrayItem(cJSON_GetObjectItem(info, "clips"), 0), "name:s seconds:n");
    cJSON_Delete(info);
    command_free(&run);

    run = RUN("info", dwarf());
    CHECK(run.code == 0 && run.out[0] && run.out[0] != '{' && !run.err[0]);
    command_free(&run);

    run = RUN("info", "builtin:dwarf:600", "--json", "--tree", "paper");
    CLEAN(&run, 0, 1);
    info = OBJECT(&run, 0);
    CHECK(number(cJSON_GetObjectItem(info, "tree"), "leaves") == number(info, "triangles"));
    cJSON_Delete(info);
    command_free(&run);
}

/* ---- collide ------------------------------------------------------------------------------ */

static void check_frame(const cJSON *frame, double index, double time)
{
    FIELDS(frame, "frame:c time:n hit:b count:c pairs:a stats:o us:n");
    FIELDS(cJSON_GetObjectItem(frame, "stats"),
           "nodes_refit:c bound_tests:c patches_posed:c vertices_posed:c triangle_tests:c");
    const cJSON *pairs = cJSON_GetObjectItem(frame, "pairs"), *pair;
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
            RUN("collide", dwarf(), "--at", "0.2,0,0.1", "--times", ranges[i].range, "--json");
        CLEAN(&run, 0, ranges[i].frames);
        for (size_t f = 0; f < ranges[i].frames; f++) {
            cJSON *frame = OBJECT(&run, f);
            check_frame(frame, (double)f, ranges[i].from + (double)f / ranges[i].fps);
            cJSON_Delete(frame);
        }
        command_free(&run);
    }
    command_result run = RUN("collide", dwarf(), "--time", "0.125", "--json");
    CLEAN(&run, 0, 1);
    cJSON *frame = OBJECT(&run, 0);
    check_frame(frame, 0, 0.125);
    cJSON_Delete(frame);
    command_free(&run);
}

/* The pairs as text, which must be the same whatever the method. */
static char *pairs_text(const command_result *run)
{
    const char *start = strstr(run->out, "\"pairs\":[");
    const char *end = start ? strstr(start, "]]") : NULL;
    return start ? strndup(start, end ? (size_t)(end - start) : 11) : NULL;
}

TEST(every_method_and_tree_gives_the_same_pairs)
{
    static const char *const methods[] = {"lazy", "bottom-up", "brute"};
    static const char *const trees[] = {"default", "paper"};
    char *expected = NULL;
    for (int i = 0; i < 6; i++) {
        command_result run = RUN("collide", dwarf(), dwarf(), "--at=0.1,0.02,0.05", "--turn",
                                 "33.5", "--phase", "0.3", "--time", "0.2", "--json", "--method",
                                 methods[i % 3], "--tree", trees[i / 3]);
        CLEAN(&run, 0, 1);
        char *pairs = pairs_text(&run);
        CHECK(pairs && strlen(pairs) > 100);
        CHECK_MSG(!expected || (pairs && strcmp(expected, pairs) == 0), "%s, %s tree",
                  methods[i % 3], trees[i / 3]);
        if (expected)
            free(pairs);
        else
            expected = pairs;
        command_free(&run);
    }
    free(expected);
}

TEST(first_count_and_repeat)
{
    command_result run = RUN("collide", dwarf(), "--at", "0.1,0,0", "--json");
    cJSON *all = OBJECT(&run, 0);
    command_free(&run);
    run = RUN("collide", dwarf(), "--at", "0.1,0,0", "--json", "--count", "--repeat", "5");
    CLEAN(&run, 0, 1);
    cJSON *counted = OBJECT(&run, 0);
    CHECK(!cJSON_HasObjectItem(counted, "pairs"));
    CHECK(number(counted, "count") == number(all, "count") && number(all, "count") > 1);
    CHECK(number(cJSON_GetObjectItem(counted, "stats"), "nodes_refit") ==
          number(cJSON_GetObjectItem(all, "stats"), "nodes_refit"));
    cJSON_Delete(counted);
    command_free(&run);
    static const char *const methods[] = {"lazy", "bottom-up", "brute"};
    for (int i = 0; i < 3; i++) {
        run =
            RUN("collide", dwarf(), "--at", "0.1,0,0", "--json", "--first", "--method", methods[i]);
        CLEAN(&run, 0, 1);
        cJSON *first = OBJECT(&run, 0), *pair;
        bool found = false;
        check_frame(first, 0, 0);
        CHECK(number(first, "count") == 1);
        const cJSON *only = cJSON_GetArrayItem(cJSON_GetObjectItem(first, "pairs"), 0);
        cJSON_ArrayForEach(pair, cJSON_GetObjectItem(all, "pairs")) found =
            found || cJSON_Compare(pair, only, true);
        CHECK_MSG(found, "--first --method %s gives a pair that does not meet", methods[i]);
        cJSON_Delete(first);
        command_free(&run);
    }
    cJSON_Delete(all);
}

TEST(fail_on_hit_is_exit_code_one)
{
    command_result run = RUN("collide", dwarf(), "--at", "0.1,0,0", "--fail-on-hit", "--json");
    CLEAN(&run, 1, 1);
    command_free(&run);
    run = RUN("collide", dwarf(), "--at", "50,0,0", "--fail-on-hit", "--json");
    CLEAN(&run, 0, 1);
    cJSON *frame = OBJECT(&run, 0);
    const cJSON *stats = cJSON_GetObjectItem(frame, "stats");
    CHECK(!truth(frame, "hit") && number(stats, "nodes_refit") == 2);
    CHECK(number(stats, "vertices_posed") == 0);
    cJSON_Delete(frame);
    command_free(&run);
    run = RUN("collide", dwarf(), "--at", "0.1,0,0", "--fail-on-hit", "--first", "--count");
    CHECK(run.code == 1 && run.out[0] && run.out[0] != '{');
    command_free(&run);
}

TEST(clips_by_name_number_and_none)
{
    static const char *const good[] = {"walk", "0", "none"};
    char *texts[3];
    for (int i = 0; i < 3; i++) {
        command_result run = RUN("collide", dwarf(), "--clip", good[i], "--time", "0.3", "--at",
                                 "0.3,0,0", "--json");
        CLEAN(&run, 0, 1);
        texts[i] = pairs_text(&run);
        command_free(&run);
    }
    CHECK(texts[0] && texts[1] && texts[2] && strcmp(texts[0], texts[1]) == 0);
    CHECK(texts[0] && texts[2] && strcmp(texts[0], texts[2]) != 0);
    command_result run = RUN("collide", dwarf(), "--clip", "walk", "--clip-b", "none", "--time",
                             "0.3", "--at", "0.3,0,0", "--json");
    CLEAN(&run, 0, 1);
    char *mixed = pairs_text(&run);
    CHECK(mixed && texts[0] && strcmp(mixed, texts[0]) != 0 && strcmp(mixed, texts[2]) != 0);
    free(mixed);
    command_free(&run);
    for (int i = 0; i < 3; i++)
        free(texts[i]);
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
    free(text);
    return o;
}

static graze_body *rigid_body(const obj *o, graze_model **model)
{
    graze_model_def def = graze_default_model_def();
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
    command_result runs[3] = {RUN("pose", dwarf(), "--time", "0.15", "-o", paths[0], "--json"),
                              RUN("pose", dwarf(), "--time", "0.15", "--at", at, "--turn", turn,
                                  "--phase", "0.2", "--clip-b", clip_b, "-o", paths[1]),
                              RUN("collide", dwarf(), "--time", "0.15", "--at", at, "--turn", turn,
                                  "--phase", "0.2", "--clip-b", clip_b, "--json", "--tree", tree)};
    for (int i = 0; i < 3; i++)
        CHECK_MSG(runs[i].code == 0 && !runs[i].err[0], "%d: %s", runs[i].code, runs[i].err);
    obj objs[2] = {read_obj(paths[0]), read_obj(paths[1])};
    graze_model *models[2] = {NULL, NULL};
    graze_body *bodies[2] = {rigid_body(&objs[0], &models[0]), rigid_body(&objs[1], &models[1])};
    pair_set expected = {0};
    cJSON *frame = OBJECT(&runs[2], 0);
    if (test_check(bodies[0] && bodies[1] && frame, __FILE__, __LINE__, "nothing to compare")) {
        graze_collide_brute(bodies[0], bodies[1], pair_set_take, &expected, NULL, NULL);
        pair_set_sort(&expected);
        const cJSON *pair = cJSON_GetObjectItem(frame, "pairs")->child;
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
        command_free(&runs[i]);
    cJSON_Delete(frame);
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
