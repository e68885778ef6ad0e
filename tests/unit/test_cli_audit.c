/* graze audit: findings equal what graze self says frame by frame; which files, parts and states.
 */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

/* A character that walks into itself, written by the command. */
static const char *player(void)
{
    static char path[400];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(0, "player.glb"));
        command_result run = RUN("synth", "player", "-o", path, "--json");
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
    }
    return path;
}

static const cJSON *field(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static double number(const cJSON *object, const char *name)
{
    return cJSON_GetNumberValue(field(object, name));
}

static const char *text(const cJSON *object, const char *name)
{
    const char *found = cJSON_GetStringValue(field(object, name));
    return found ? found : "";
}

static const char *part(const cJSON *finding, int side)
{
    const char *name = cJSON_GetStringValue(cJSON_GetArrayItem(field(finding, "parts"), side));
    return name ? name : "";
}

/* All lines as an array, to be deleted. */
static cJSON *lines_of(const command_result *run, int code)
{
    cJSON *all = cJSON_CreateArray();
    CHECK_MSG(run->code == code, "exit code %d, not %d: %s", run->code, code, run->err);
    for (const char *line = run->out; *line;) {
        const char *end = NULL;
        cJSON *object = cJSON_ParseWithOpts(line, &end, false);
        CHECK_MSG(object && *end == '\n', "no line of JSON: %.60s", line);
        if (!object || *end != '\n')
            break;
        cJSON_AddItemToArray(all, object);
        line = end + 1;
    }
    return all;
}

static cJSON *lines_and_free(command_result run, int code)
{
    cJSON *lines = lines_of(&run, code);
    return lines;
}

static const cJSON *last_of(const cJSON *lines)
{
    return cJSON_GetArrayItem(lines, cJSON_GetArraySize(lines) - 1);
}

/* ---- an answer from elsewhere --------------------------------------------------------------- */

/* Pairs of two parts in a frame, for every frame: counted from graze self. */
typedef struct judge {
    cJSON *info, *parts, *rest; /* rest: pairs as text, "a,b": true */
    uint32_t part_count, frames;
    uint32_t *counts; /* [frame][part][part], the first part's name not behind the second's */
} judge;

static bool meets_at_rest(const judge *j, const cJSON *pair)
{
    char key[40];
    snprintf(key, sizeof key, "%d,%d", cJSON_GetArrayItem(pair, 0)->valueint,
             cJSON_GetArrayItem(pair, 1)->valueint);
    return j->rest && field(j->rest, key);
}

static const char *part_name(const judge *j, uint32_t p)
{
    return text(cJSON_GetArrayItem(field(j->parts, "parts"), (int)p), "name");
}

static uint32_t *count_at(const judge *j, uint32_t frame, uint32_t p, uint32_t q)
{
    bool turned = strcmp(part_name(j, p), part_name(j, q)) > 0;
    return &j->counts[((size_t)frame * j->part_count + (turned ? q : p)) * j->part_count +
                      (turned ? p : q)];
}

static void take_rest(judge *j, const char *clip, const char *time)
{
    cJSON *frame =
        lines_and_free(RUN("self", player(), "--clip", clip, "--time", time, "--json"), 0);
    const cJSON *pair;
    j->rest = cJSON_CreateObject();
    cJSON_ArrayForEach(pair, field(frame->child, "pairs"))
    {
        char key[40];
        snprintf(key, sizeof key, "%d,%d", cJSON_GetArrayItem(pair, 0)->valueint,
                 cJSON_GetArrayItem(pair, 1)->valueint);
        cJSON_AddTrueToObject(j->rest, key);
    }
    cJSON_Delete(frame);
}

/* baseline: NULL: none; else a clip, at a time. */
static judge judge_open(const char *clip, const char *fps, const char *base, const char *time)
{
    judge j = {.info = lines_and_free(RUN("info", player(), "--json"), 0),
               .parts = lines_and_free(RUN("info", player(), "--parts", "--json"), 0)};
    const cJSON *own;
    double seconds = 0, rate = atof(fps);
    char times[60];
    cJSON *whole = cJSON_DetachItemFromArray(j.parts, 0);
    cJSON_Delete(j.parts);
    j.parts = whole;
    j.part_count = (uint32_t)cJSON_GetArraySize(field(j.parts, "parts"));
    cJSON_ArrayForEach(own, field(j.info->child, "clips")) if (strcmp(text(own, "name"), clip) == 0)
        seconds = number(own, "seconds");
    while ((j.frames + 1) / rate <= seconds)
        j.frames++;
    snprintf(times, sizeof times, "0:%.17g:%s", j.frames++ / rate, fps);
    if (base)
        take_rest(&j, base, time);
    j.counts = calloc((size_t)j.frames * j.part_count * j.part_count, sizeof *j.counts);
    cJSON *frames =
        lines_and_free(RUN("self", player(), "--clip", clip, "--times", times, "--json"), 0);
    uint32_t *part_of = calloc((size_t)cJSON_GetArraySize(field(j.parts, "part_of")) + 1, 4), t = 0;
    cJSON_ArrayForEach(own, field(j.parts, "part_of")) part_of[t++] = (uint32_t)own->valueint;
    CHECK((uint32_t)cJSON_GetArraySize(frames) == j.frames && j.frames > 1 && j.counts);
    cJSON_ArrayForEach(own, frames)
    {
        const cJSON *pair;
        cJSON_ArrayForEach(pair, field(own, "pairs")) if (!meets_at_rest(&j, pair))++ *count_at(
            &j, (uint32_t)number(own, "frame"), part_of[cJSON_GetArrayItem(pair, 0)->valueint],
            part_of[cJSON_GetArrayItem(pair, 1)->valueint]);
    }
    free(part_of);
    cJSON_Delete(frames);
    return j;
}

static void judge_close(judge *j)
{
    cJSON_Delete(j->info);
    cJSON_Delete(j->parts);
    cJSON_Delete(j->rest);
    free(j->counts);
}

static uint32_t part_called(const judge *j, const char *name)
{
    uint32_t p = 0;
    while (p < j->part_count && strcmp(part_name(j, p), name) != 0)
        p++;
    return p;
}

static bool folds(const judge *j, uint32_t p, uint32_t q)
{
    const cJSON *parts = field(j->parts, "parts");
    return p == q ||
           strcmp(text(cJSON_GetArrayItem(parts, (int)p), "parent"), part_name(j, q)) == 0 ||
           strcmp(text(cJSON_GetArrayItem(parts, (int)q), "parent"), part_name(j, p)) == 0;
}

/* The part around it, or part_count. */
static uint32_t parent_of(const judge *j, uint32_t p)
{
    return part_called(j, text(cJSON_GetArrayItem(field(j->parts, "parts"), (int)p), "parent"));
}

/* Takes a finding's frames out of the counts: afterwards nothing may be left. */
static void check_finding(judge *j, const cJSON *finding, uint32_t gap)
{
    const uint32_t p = part_called(j, part(finding, 0)), q = part_called(j, part(finding, 1));
    const uint32_t from = (uint32_t)number(finding, "from"), to = (uint32_t)number(finding, "to");
    const cJSON *worst = field(finding, "worst");
    REQUIRE(p < j->part_count && q < j->part_count && from <= to && to < j->frames);
    uint32_t pairs = 0, empty = 0, frame = (uint32_t)number(worst, "frame");
    CHECK(strcmp(part(finding, 0), part(finding, 1)) <= 0);
    CHECK(strcmp(text(finding, "kind"), folds(j, p, q) ? "fold" : "clip") == 0);
    CHECK(number(finding, "frames") == to - from + 1);
    CHECK(frame >= from && frame <= to && number(worst, "depth") >= 0);
    CHECK(number(worst, "pairs") == *count_at(j, frame, p, q));
    CHECK(*count_at(j, from, p, q) > 0 && *count_at(j, to, p, q) > 0);
    for (uint32_t k = from; k <= to; k++) {
        uint32_t *count = count_at(j, k, p, q);
        empty = *count ? 0 : empty + 1;
        CHECK_MSG(empty <= gap, "%s, %s: nothing in frame %u", part(finding, 0), part(finding, 1),
                  k);
        pairs += *count;
        *count = 0;
    }
    CHECK_MSG(number(finding, "pairs") == pairs, "%g pairs, not %u", number(finding, "pairs"),
              pairs);
    for (uint32_t k = 1; k <= gap + 1; k++) /* the stretch is as long as it can be */
        CHECK((from < k || *count_at(j, from - k, p, q) == 0) &&
              (to + k >= j->frames || *count_at(j, to + k, p, q) == 0));
}

static void check_all(judge *j, const cJSON *lines, uint32_t gap)
{
    const int findings = cJSON_GetArraySize(lines) - 1;
    uint64_t left = 0;
    CHECK(findings > 0 && number(last_of(lines), "findings") == findings);
    CHECK(number(last_of(lines), "frames") == j->frames && number(last_of(lines), "clips") == 1);
    for (int i = 0; i < findings; i++)
        check_finding(j, cJSON_GetArrayItem(lines, i), gap);
    for (size_t i = 0; i < (size_t)j->frames * j->part_count * j->part_count; i++)
        left += j->counts[i];
    CHECK_MSG(left == 0, "%llu pairs are in no finding", (unsigned long long)left);
}

TEST(findings_are_those_of_every_frame)
{
    static const struct {
        const char *clip, *fps, *gap, *baseline, *base, *time;
    } rows[] = {{"run", "30", "0", "rest", "none", "0"},
                {"run", "7.5", "2", "rest", "none", "0"},
                {"fall", "30", "0", "none", NULL, NULL},
                {"fall", "24", "1", "run@0.5", "run", "0.5"},
                {"kick", "10", "0", "kick@0.25", "kick", "0.25"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        judge j = judge_open(rows[i].clip, rows[i].fps, rows[i].base, rows[i].time);
        cJSON *lines = lines_and_free(RUN("audit", player(), "--clip", rows[i].clip, "--fps",
                                          rows[i].fps, "--gap", rows[i].gap, "--baseline",
                                          rows[i].baseline, "--folds", "--json"),
                                      0);
        check_all(&j, lines, (uint32_t)atoi(rows[i].gap));
        cJSON_Delete(lines);
        judge_close(&j);
    }
}

/* ---- what is told --------------------------------------------------------------------------- */

TEST(threads_and_order_change_nothing)
{
    command_result one = RUN("audit", player(), "--folds", "--json");
    command_result two = RUN("audit", player(), player(), "--folds", "--json", "--threads", "3");
    CHECK(one.code == 0 && count_lines(one.out) > 3 && strcmp(one.out, two.out) == 0);
    cJSON *lines = lines_of(&one, 0);
    for (int i = 2; i < cJSON_GetArraySize(lines) - 1; i++) {
        const cJSON *x = cJSON_GetArrayItem(lines, i - 1), *y = cJSON_GetArrayItem(lines, i);
        int order = strcmp(text(x, "clip"), text(y, "clip"));
        for (int side = 0; order == 0 && side < 2; side++)
            order = strcmp(part(x, side), part(y, side));
        CHECK(order < 0 || (order == 0 && number(x, "to") + 1 < number(y, "from")));
    }
    cJSON_Delete(lines);
}

/* Every option leaves out what it says, and nothing else. */
TEST(options_leave_out)
{
    cJSON *all = lines_and_free(RUN("audit", player(), "--folds", "--json"), 0);
    cJSON *clips = lines_and_free(RUN("audit", player(), "--json"), 0);
    cJSON *deep =
        lines_and_free(RUN("audit", player(), "--folds", "--json", "--min-depth", "0.01"), 0);
    cJSON *longer =
        lines_and_free(RUN("audit", player(), "--folds", "--json", "--min-frames", "4"), 0);
    const cJSON *lists[] = {clips, deep, longer};
    for (int k = 0; k < 3; k++) {
        int at = 0;
        for (int i = 0; i < cJSON_GetArraySize(all) - 1; i++) {
            const cJSON *finding = cJSON_GetArrayItem(all, i);
            bool kept = k == 0   ? strcmp(text(finding, "kind"), "clip") == 0
                        : k == 1 ? number(field(finding, "worst"), "depth") >= 0.01
                                 : number(finding, "frames") >= 4;
            if (kept)
                CHECK(cJSON_Compare(finding, cJSON_GetArrayItem(lists[k], at++), true));
        }
        CHECK(at == cJSON_GetArraySize(lists[k]) - 1 && at < cJSON_GetArraySize(all) - 1);
    }
    cJSON_Delete(all);
    cJSON_Delete(clips);
    cJSON_Delete(deep);
    cJSON_Delete(longer);
}

/* Folds by the tree of joints that graze info prints. */
TEST(folds_include_more_kin)
{
    static const char *const kin[] = {"parents", "siblings", "grandparents"};
    cJSON *parts = lines_and_free(RUN("info", player(), "--parts", "--json"), 0), *all[3];
    judge j = {.parts = parts->child,
               .part_count = (uint32_t)cJSON_GetArraySize(field(parts->child, "parts"))};
    for (int k = 0; k < 3; k++)
        all[k] = lines_and_free(
            RUN("audit", player(), "--folds", "--folds-include", kin[k], "--json"), 0);
    int folded[3] = {0};
    for (int i = 0; i < cJSON_GetArraySize(all[0]) - 1; i++) {
        const uint32_t p = part_called(&j, part(cJSON_GetArrayItem(all[0], i), 0)),
                       q = part_called(&j, part(cJSON_GetArrayItem(all[0], i), 1));
        const uint32_t mother = parent_of(&j, p), other = parent_of(&j, q), none = j.part_count;
        const bool wanted[3] = {folds(&j, p, q), mother == other && mother != none,
                                (mother != none && parent_of(&j, mother) == q) ||
                                    (other != none && parent_of(&j, other) == p)};
        bool is_fold = false;
        for (int k = 0; k < 3; k++) {
            const cJSON *own = cJSON_GetArrayItem(all[k], i);
            is_fold = is_fold || wanted[k];
            CHECK_MSG((strcmp(text(own, "kind"), "fold") == 0) == is_fold, "%s: %s, %s", kin[k],
                      part(own, 0), part(own, 1));
            folded[k] += is_fold;
        }
    }
    CHECK(folded[0] > 0 && folded[0] < folded[1] + folded[2] && folded[1] < folded[2]);
    for (int k = 0; k < 3; k++)
        cJSON_Delete(all[k]);
    cJSON_Delete(parts);
}

/* The table has the deepest first in lines that fit, and folds in one line. */
TEST(a_table_for_people)
{
    command_result run = RUN("audit", player(), "--clip", "fall", "--rows", "2");
    CHECK(run.code == 0 && strstr(run.out, "folds: ") && strstr(run.out, "chest x upper_arm.R"));
    CHECK(strncmp(run.out, "player.glb, clip fall, ", 23) == 0 && strchr(run.out, '!'));
    CHECK(count_lines(run.out) == 9);
    for (const char *line = run.out; *line; line += strcspn(line, "\n") + 1)
        CHECK_MSG(strcspn(line, "\n") <= 100, "%s", line);
}

/* ---- parts ---------------------------------------------------------------------------------- */

TEST(parts_are_merged_or_named)
{
    const char *map = scratch_path(1, "map.json");
    static const char names[] = "{\"arm\": [\"upper_arm.R\"], \"leg\": {\"joints\": \"thigh.R\"}}";
    CHECK(write_whole_file(map, names, sizeof names - 1));
    cJSON *merged = lines_and_free(
        RUN("audit", player(), "--folds", "--json", "--merge", "upper_arm.R,thigh.R"), 0);
    cJSON *named = lines_and_free(RUN("audit", player(), "--folds", "--json", "--parts", map), 0);
    CHECK(cJSON_GetArraySize(merged) == cJSON_GetArraySize(named));
    bool seen = false;
    const cJSON *finding;
    cJSON_ArrayForEach(finding, named) for (int side = 0; side < 2 && field(finding, "parts");
                                            side++)
    {
        CHECK(strcmp(part(finding, side), "forearm.R") != 0);
        seen = seen || strcmp(part(finding, side), "arm") == 0;
    }
    CHECK(seen);
    cJSON_Delete(merged);
    cJSON_Delete(named);
}

/* ---- files ---------------------------------------------------------------------------------- */

TEST(folders_lists_and_files_that_cannot_be_read)
{
    char folder[400], inner[400], broken[400], empty[400];
    snprintf(folder, sizeof folder, "%s", scratch_path(1, "models"));
    snprintf(inner, sizeof inner, "%s", scratch_path(2, "models/b"));
    snprintf(broken, sizeof broken, "%s", scratch_path(3, "models/a.glb"));
    snprintf(empty, sizeof empty, "%s", scratch_path(4, "empty"));
    size_t size;
    char *bytes = read_whole_file(player(), &size);
    CHECK(mkdir(folder, 0777) == 0 && mkdir(inner, 0777) == 0 && mkdir(empty, 0777) == 0);
    CHECK(write_whole_file(scratch_path(5, "models/b/x.glb"), bytes, size));
    CHECK(write_whole_file(scratch_path(5, "models/b/notes.txt"), "x", 1));
    CHECK(write_whole_file(broken, bytes, size / 2));
    cJSON *lines = lines_and_free(RUN("audit", folder, "--clip", "fall", "--json"), 2);
    const cJSON *last = last_of(lines), *failed = field(last, "failed");
    CHECK(number(last, "files") == 2 && number(last, "clips") == 1);
    CHECK(cJSON_GetArraySize(failed) == 1 && strcmp(text(failed->child, "file"), broken) == 0);
    CHECK(text(failed->child, "error")[0] && cJSON_GetArraySize(lines) > 1);
    const char *file = text(lines->child, "file");
    CHECK(strncmp(file, folder, strlen(folder)) == 0 &&
          strcmp(file + strlen(folder), "/b/x.glb") == 0);
    cJSON *hit =
        lines_and_free(RUN("audit", folder, "--clip", "fall", "--json", "--fail-on-hit"), 1);
    CHECK(cJSON_Compare(lines, hit, true));
    CHECK(write_whole_file(scratch_path(6, "list.txt"), folder, strlen(folder)));
    cJSON *listed = lines_and_free(
        RUN("audit", "--list", scratch_path(6, "list.txt"), "--clip", "fall", "--json"), 2);
    CHECK(cJSON_Compare(lines, listed, true));
    const char *csv = scratch_path(7, "found.csv");
    command_result table = RUN("audit", folder, "--clip", "fall", "--csv", csv);
    char *text_of = read_whole_file(csv, &size);
    CHECK_MSG(text_of && (int)count_lines(text_of) == cJSON_GetArraySize(lines), "%s", table.err);
    cJSON_Delete(lines);
    cJSON_Delete(hit);
    cJSON_Delete(listed);
    static const char *const made[] = {"models/b/x.glb", "models/b/notes.txt", "models/b",
                                       "models/a.glb"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        CHECK(remove(scratch_path(5, made[i])) == 0);
}

TEST(bad_input_is_told)
{
    static const struct {
        const char *words[5], *says;
    } rows[] = {{{NULL}, "no model"},
                {{"@", "--clip", "kcik"}, "did you mean kick?"},
                {{"/nonexistent/x.glb"}, "x.glb"},
                {{"@", "--baseline", "later"}, "--baseline"},
                {{"@", "--baseline", "walk@1"}, "there is no clip walk"},
                {{"@", "--fps", "0"}, "--fps"},
                {{"@", "--gap", "0.5"}, "--gap"},
                {{"@", "--merge", "hnad.L"}, "did you mean hand.L?"},
                {{"@", "--accept", "fine"}, "--state"},
                {{"@", "--update"}, "--state"},
                {{"@", "--folds-include", "cousins"}, "--folds-include"},
                {{"@", "--state", "/nonexistent.json"}, "nonexistent.json"},
                {{"@", "--list", "/dev/null"}, "no name"},
                {{"@", "--parts", "/dev/null"}, "JSON"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *words[7] = {"audit"};
        for (int k = 0; k < 5 && rows[i].words[k]; k++)
            words[k + 1] = rows[i].words[k][0] == '@' ? player() : rows[i].words[k];
        command_result run = command_run(GRAZE_COMMAND, words);
        CHECK_MSG(run.code == 2 && strstr(run.err, rows[i].says), "row %zu: %d, %s", i, run.code,
                  run.err);
    }
}

/* A model without clips is one frame, the pose in which it stands. */
TEST(a_model_without_clips)
{
    cJSON *lines = lines_and_free(
        RUN("audit", player(), "--clip", "none", "--baseline", "run@0.6", "--json"), 0);
    cJSON *ball = lines_and_free(RUN("audit", "builtin:ball", "--json"), 0);
    CHECK(number(last_of(lines), "frames") == 1 && number(last_of(ball), "frames") == 1);
    CHECK(cJSON_GetArraySize(ball) == 1 && number(last_of(ball), "clips") == 1);
    cJSON_Delete(lines);
    cJSON_Delete(ball);
}

/* ---- names of clips ------------------------------------------------------------------------- */

static const char one_triangle[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"},"
    "{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":"
    "\"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],"
    "\"animations\":[";
static const char one_clip[] =
    "{\"samplers\":[{\"input\":1,\"output\":2}],"
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}],\"name\":\"";

/* Clips of one name, or of the name that another would get, are told apart. */
TEST(no_two_clips_are_told_alike)
{
    static const char *const rows[][2] = {{"W,W,W", "W,W#2,W#3"},
                                          {"W,W,W#2", "W,W#3,W#2"},
                                          {"W#2,W,W", "W#2,W,W#3"},
                                          {"1,,x", "1,1#2,x"},
                                          {",0,", "0,0#2,2"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char gltf[2000], names[200] = "";
        int at = snprintf(gltf, sizeof gltf, "%s", one_triangle);
        for (const char *name = rows[i][0], *end; name; name = *end ? end + 1 : NULL) {
            end = name + strcspn(name, ",");
            at += snprintf(gltf + at, sizeof gltf - (size_t)at, "%s%s%.*s\"}",
                           name == rows[i][0] ? "" : ",", one_clip, (int)(end - name), name);
        }
        at += snprintf(gltf + at, sizeof gltf - (size_t)at, "]}");
        CHECK(write_whole_file(scratch_path(1, "clips.gltf"), gltf, (size_t)at));
        cJSON *plan = lines_and_free(RUN("audit", "plan", scratch_path(1, "clips.gltf")), 0);
        const cJSON *clip, *inputs = field(plan->child, "inputs");
        cJSON_ArrayForEach(clip, field(inputs ? inputs->child : NULL, "clips"))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? "," : "",
                     text(clip, "clip"));
        CHECK_MSG(strcmp(names, rows[i][1]) == 0, "%s: told as %s", rows[i][0], names);
        cJSON_Delete(plan);
    }
}

/* ---- states --------------------------------------------------------------------------------- */

/* Every finding has a state; at least one has this, and the others are accepted. */
static void check_states(const char *state, const char *wanted, int code)
{
    cJSON *lines = lines_and_free(RUN("audit", player(), "--clip", "fall", "--min-depth", "1e-6",
                                      "--state", state, "--json", "--fail-on-hit"),
                                  code);
    int seen = 0, others = 0;
    for (int i = 0; i < cJSON_GetArraySize(lines) - 1; i++) {
        const char *own = text(cJSON_GetArrayItem(lines, i), "state");
        seen += strcmp(own, wanted) == 0;
        others += strcmp(own, wanted) != 0 && strcmp(own, "accepted") != 0;
    }
    CHECK_MSG(seen > 0 && others == 0, "%d are %s, %d are neither", seen, wanted, others);
    cJSON_Delete(lines);
}

/* Accepted by a depth less by a share of it, everything is worse, or still accepted. */
static void change_depths(const char *state, double by)
{
    size_t size;
    char *bytes = read_whole_file(state, &size);
    cJSON *tree = cJSON_Parse(bytes), *one;
    CHECK(cJSON_GetArraySize(field(tree, "findings")) > 0);
    cJSON_ArrayForEach(one, field(tree, "findings"))
    {
        CHECK(strcmp(text(one, "reason"), "the coat is \"soft\"") == 0);
        cJSON_SetNumberValue(cJSON_GetObjectItem(one, "depth"), number(one, "depth") * by);
    }
    char *changed = cJSON_Print(tree);
    CHECK(write_whole_file(state, changed, strlen(changed)));
    free(changed);
    cJSON_Delete(tree);
}

TEST(accepted_findings)
{
    const char *state = scratch_path(1, "state.json");
    CHECK(write_whole_file(state, "{\"findings\":[]}", 15));
    check_states(state, "new", 1);
    command_result run = RUN("audit", player(), "--clip", "fall", "--min-depth", "1e-6", "--state",
                             state, "--accept", "the coat is \"soft\"");
    CHECK_MSG(run.code == 0, "%s", run.err);
    check_states(state, "accepted", 0);
    change_depths(state, 1 / 1.09);
    check_states(state, "accepted", 0);
    change_depths(state, 1 / 1.02);
    check_states(state, "worse", 1);
}

/* What is fixed is told and stays in the file, until it is updated. Folds that are not listed are
 * not fixed.
 */
TEST(fixed_findings)
{
    const char *state = scratch_path(1, "fixed.json");
    static const char *const more[][2] = {{"--accept", "fine"},
                                          {"--min-depth", "0.02"},
                                          {"--min-depth", "0.02"},
                                          {"--min-depth", "0.02"}};
    double fixed[4], findings[4];
    for (int i = 0; i < 4; i++) {
        cJSON *lines =
            lines_and_free(RUN("audit", player(), "--clip", "fall", "--state", state, "--json",
                               more[i][0], more[i][1], i == 2 ? "--update" : "--folds"),
                           0);
        fixed[i] = number(last_of(lines), "fixed");
        findings[i] = number(last_of(lines), "findings");
        cJSON_Delete(lines);
    }
    CHECK(fixed[0] == 0 && fixed[1] > 0 && fixed[2] == fixed[1] && fixed[3] == 0);
    CHECK(findings[2] > 0);
}

/* A file name that is not UTF-8 is written with U+FFFD, and found again by that. */
TEST(accepted_in_a_file_with_an_odd_name)
{
    const char *state = scratch_path(1, "odd.json"), *odd = scratch_path(2, "odd\xff.glb");
    size_t size;
    char *bytes = read_whole_file(player(), &size);
    CHECK(write_whole_file(odd, bytes, size));
    command_result run = RUN("audit", odd, "--clip", "fall", "--state", state, "--accept", "fine");
    CHECK_MSG(run.code == 0, "%s", run.err);
    run = RUN("audit", odd, "--clip", "fall", "--state", state, "--json", "--fail-on-hit");
    CHECK_MSG(run.code == 0 && strstr(run.out, "accepted") && !strstr(run.out, "\"new\""), "%s",
              run.err);
    CHECK(remove(odd) == 0);
}
