/* graze world: the events of a scene against the separate commands, frame by frame, and against
 * brute force; the form of its lines; threads; exit codes.
 */
#include "harness.h"
#include "support/json.h"
#include "support/own.h"
#include "support/rigs.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A small character with a clip. */
#define DWARF SYNTH("dwarf", "600")

static const char *write_scene(const char *name, const char *text)
{
    const char *path = scratch_path(1, name);
    DWARF;
    CHECK(write_whole_file(path, text, strlen(text)));
    return path;
}

/* ---- lines -------------------------------------------------------------------------------- */

/* The event of two bodies in a frame, or NULL. */
static const cJSON *find_event(const cJSON *all, int frame, const char *a, const char *b)
{
    const cJSON *line;
    cJSON_ArrayForEach(line, all)
    {
        const cJSON *bodies = field(line, "bodies");
        if (field(line, "frame")->valueint == frame &&
            strcmp(cJSON_GetArrayItem(bodies, 0)->valuestring, a) == 0 &&
            strcmp(cJSON_GetArrayItem(bodies, 1)->valuestring, b) == 0)
            return line;
    }
    return NULL;
}

/* What an event has to be, from whether two meet now and did before: NULL is none. */
static const char *expected_event(bool before, bool now)
{
    return now ? (before ? "stay" : "begin") : before ? "end" : NULL;
}

/* The same pairs of names, in any order. */
static void check_parts(const cJSON *parts, const cJSON *expected, int frame)
{
    const cJSON *pair;
    CHECK_MSG(cJSON_GetArraySize(parts) == cJSON_GetArraySize(expected), "frame %d: %d parts",
              frame, cJSON_GetArraySize(parts));
    cJSON_ArrayForEach(pair, expected)
        CHECK_MSG(has_entry(parts, pair), "frame %d: a pair of parts is missing", frame);
}

/* ---- the separate commands ---------------------------------------------------------------- */

#define ORACLE_FRAMES 9

/* Everything is looked at together with ann, who stands where collide and touch have her. */
static const char oracle_scene[] =
    "{\"seconds\": 0.8, \"fps\": 10, \"classes\": [\"one\", \"others\"],"
    "\"rules\": [{\"classes\": [\"others\", \"others\"], \"level\": \"ignore\"}],"
    "\"bodies\": ["
    "{\"name\": \"ann\", \"model\": \"dwarf.glb\", \"clip\": \"walk\", \"class\": \"one\"},"
    "{\"name\": \"bo\", \"model\": \"dwarf.glb\", \"clip\": 0, \"class\": \"others\","
    " \"at\": [0.15, 0.05, 1.7], \"turn\": 170, \"phase\": 0.25, \"velocity\": [0, 0, -4]},"
    "{\"name\": \"ball\", \"sphere\": 0.11, \"class\": \"others\","
    " \"at\": [-1, 0.8, 0.1], \"velocity\": [2.5, 0, 0]},"
    "{\"name\": \"post\", \"capsule\": [0.5, 0.05], \"class\": \"others\","
    " \"at\": [0.3, 0.6, -0.6], \"velocity\": [0, 0, 1.5]},"
    "{\"name\": \"crate\", \"box\": [0.4, 0.3, 0.5], \"class\": \"others\","
    " \"at\": [-0.2, 0.2, 1], \"turn\": 90, \"velocity\": [0, 0, -1]},"
    "{\"name\": \"floor\", \"plane\": [0, 2, 0, 0.1], \"class\": \"others\","
    " \"at\": [0, -0.4, 0], \"velocity\": [0, 1, 0]}]}";

/* What collide and touch say of a frame; the caller deletes it. */
static cJSON *ask_alone(const char *const *arguments)
{
    command_result run = command_run(GRAZE_COMMAND, arguments);
    CHECK_MSG(run.code == 0, "%s", run.err);
    cJSON *answer = json_parse(run.out);
    CHECK(answer != NULL);
    return answer;
}

static cJSON *ask_other(int other, double t)
{
    char time[40], text[200], option[20];
    snprintf(time, sizeof time, "%.17g", t);
    if (other == 0) {
        snprintf(text, sizeof text, "%.17g,%.17g,%.17g", 0.15, 0.05, 1.7 + t * -4.0);
        return ask_alone((const char *const[]){"collide", DWARF, "--clip", "0", "--time", time,
                                               "--at", text, "--turn", "170", "--phase", "0.25",
                                               "--parts", "--count", "--json", NULL});
    }
    double x = -1 + t * 2.5, z = -0.6 + t * 1.5;
    static const char *const options[] = {"", "--sphere", "--capsule", "--box", "--half-space"};
    snprintf(option, sizeof option, "%s", options[other]);
    if (other == 1)
        snprintf(text, sizeof text, "%.17g,0.8,0.1,0.11", x);
    if (other == 2)
        snprintf(text, sizeof text, "0.3,%.17g,%.17g,0.3,%.17g,%.17g,0.05", 0.6 - 0.25, z,
                 0.6 + 0.25, z);
    if (other == 3)
        snprintf(text, sizeof text, "-0.2,0.2,%.17g,0.25,0.15,0.2", 1 + t * -1.0);
    if (other == 4)
        snprintf(text, sizeof text, "0,2,0,%.17g", 0.1 + 2 * (-0.4 + t * 1.0));
    return ask_alone(
        (const char *const[]){"touch", DWARF, option, text, "--time", time, "--json", NULL});
}

/* The names of the parts that the triangles are of. */
static void check_touched_parts(const cJSON *parts, const cJSON *triangles, const char *kind,
                                const graze_rig *rig, int frame)
{
    const cJSON *pair, *triangle;
    OWN(graze_model) *model = NULL;
    REQUIRE(graze_rig_create_model(rig, NULL, &model, NULL) == GRAZE_OK);
    OWNED bool *met = calloc(rig->joint_count, sizeof *met);
    int count = 0;
    REQUIRE(met != NULL);
    cJSON_ArrayForEach(triangle, triangles)
    {
        uint32_t group = graze_model_triangle_part(model, (uint32_t)triangle->valueint);
        count += !met[group];
        met[group] = true;
    }
    CHECK_MSG(cJSON_GetArraySize(parts) == count, "frame %d, %s: %d parts, not %d", frame, kind,
              cJSON_GetArraySize(parts), count);
    cJSON_ArrayForEach(pair, parts)
    {
        const char *name = cJSON_GetArrayItem(pair, 0)->valuestring;
        CHECK(strcmp(cJSON_GetArrayItem(pair, 1)->valuestring, kind) == 0);
        bool found = false;
        for (uint32_t j = 0; j < rig->joint_count; j++)
            found = found || (met[j] && strcmp(rig->nodes[rig->joints[j].node].name, name) == 0);
        CHECK_MSG(found, "frame %d: %s does not meet the %s", frame, name, kind);
    }
}

TEST(events_are_those_of_the_separate_commands)
{
    static const char *const names[] = {"bo", "ball", "post", "crate", "floor"};
    static const char *const kinds[] = {"", "sphere", "capsule", "box", "plane"};
    OWN(graze_rig) *rig = NULL;
    command_result run = RUN("world", write_scene("oracle.json", oracle_scene), "--json", "--stay");
    CHECK_MSG(run.code == 0 && !run.err[0], "%s", run.err);
    REQUIRE(!test_rig_load(DWARF, &rig, NULL));
    cJSON *all = json_lines(run.out);
    int lines = 0;
    for (int other = 0; other < 5; other++) {
        bool before = false;
        int met = 0;
        for (int frame = 0; frame < ORACLE_FRAMES; frame++) {
            cJSON *answer = ask_other(other, frame / 10.0);
            bool now = cJSON_IsTrue(field(answer, "hit"));
            const char *expected = expected_event(before, now);
            const cJSON *event = find_event(all, frame, "ann", names[other]);
            CHECK_MSG(!event == !expected, "frame %d: %s and %s", frame, names[other],
                      event ? "an event" : "none");
            lines += event != NULL;
            met += now;
            before = now;
            if (event && expected) {
                CHECK(strcmp(text_of(event, "event"), expected) == 0);
                CHECK(number(event, "pairs") == (now ? number(answer, "count") : 0));
                if (other == 0)
                    check_parts(field(event, "parts"), field(answer, "parts"), frame);
                else
                    check_touched_parts(field(event, "parts"), field(answer, "triangles"),
                                        kinds[other], rig, frame);
            }
        }
        CHECK_MSG(met > 0, "%s meets nobody: a poor scene", names[other]);
    }
    CHECK_MSG(cJSON_GetArraySize(all) == lines, "%d lines, not %d", cJSON_GetArraySize(all), lines);
}

/* ---- brute force -------------------------------------------------------------------------- */

enum { CROWD = 4, CROWD_FRAMES = 6 };

typedef struct walker {
    double at[3], turn, phase, velocity[3];
} walker;

static void write_crowd(char *text, size_t size, const walker *walkers)
{
    size_t used = (size_t)snprintf(text, size, "{\"seconds\": 1, \"fps\": 5, \"bodies\": [");
    for (int i = 0; i < CROWD; i++) {
        const walker *w = &walkers[i];
        used += (size_t)snprintf(
            text + used, size - used,
            "%s{\"name\": \"%d\", \"model\": \"dwarf.glb\", \"clip\": \"walk\", \"at\": "
            "[%.17g, %.17g, %.17g], \"turn\": %.17g, \"phase\": %.17g, \"velocity\": "
            "[%.17g, %.17g, %.17g]}",
            i ? "," : "", i, w->at[0], w->at[1], w->at[2], w->turn, w->phase, w->velocity[0],
            w->velocity[1], w->velocity[2]);
    }
    snprintf(text + used, size - used, "]}");
}

static void place_walker(const walker *w, double t, float placement[12])
{
    double angle = w->turn * 3.14159265358979323846 / 180, s = sin(angle), c = cos(angle);
    const double rows[12] = {c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0};
    for (int i = 0; i < 12; i++)
        placement[i] = (float)(i % 4 == 3 ? w->at[i / 4] + t * w->velocity[i / 4] : rows[i]);
}

static bool count_pairs(void *user, const graze_pair *pairs, size_t count)
{
    (void)pairs;
    *(size_t *)user += count;
    return true;
}

static void check_crowd(const cJSON *all, const graze_rig *rig, graze_body *const *bodies,
                        const walker *walkers, int *lines)
{
    bool before[CROWD][CROWD] = {{false}};
    for (int frame = 0; frame < CROWD_FRAMES; frame++) {
        for (int i = 0; i < CROWD; i++) {
            float placement[12];
            double t = frame / 5.0;
            place_walker(&walkers[i], t, placement);
            CHECK(!graze_rig_pose_body(rig, 0, t + walkers[i].phase, placement, bodies[i], NULL));
        }
        for (int i = 0; i < CROWD; i++)
            for (int k = i + 1; k < CROWD; k++) {
                size_t count = 0;
                char a[2] = {(char)('0' + i)}, b[2] = {(char)('0' + k)};
                CHECK(!graze_pairs(bodies[i], bodies[k],
                                   &(graze_pair_list){.report = count_pairs, .user = &count},
                                   &(graze_options){.method = GRAZE_BRUTE}, NULL));
                const char *expected = expected_event(before[i][k], count > 0);
                const cJSON *event = find_event(all, frame, a, b);
                before[i][k] = count > 0;
                *lines += expected != NULL;
                CHECK_MSG(!event == !expected, "frame %d: %s and %s", frame, a, b);
                if (event && expected)
                    CHECK(strcmp(text_of(event, "event"), expected) == 0 &&
                          number(event, "pairs") == (double)count);
            }
    }
}

static void random_crowd(test_random *random, walker *walkers)
{
    for (int i = 0; i < CROWD; i++) {
        walker *w = &walkers[i];
        *w = (walker){.turn = test_random_range(random, -180, 180),
                      .phase = test_random_range(random, 0, 0.5)};
        for (int k = 0; k < 3; k += 2) {
            w->at[k] = test_random_range(random, -0.8, 0.8);
            w->velocity[k] = test_random_range(random, -1.5, 1.5);
        }
    }
}

TEST(events_are_those_of_brute_force)
{
    OWN(graze_rig) *rig = NULL;
    OWN(graze_model) *model = NULL;
    graze_body *bodies[CROWD] = {NULL};
    walker walkers[CROWD];
    char text[4000];
    test_random random = test_random_seed(13);
    REQUIRE(!test_rig_load(DWARF, &rig, NULL) && !graze_rig_create_model(rig, NULL, &model, NULL));
    for (int i = 0; i < CROWD; i++)
        REQUIRE(!graze_body_create(model, &bodies[i], NULL));
    int lines = 0, printed = 0;
    for (int round = 0; round < 3; round++) {
        random_crowd(&random, walkers);
        write_crowd(text, sizeof text, walkers);
        command_result run = RUN("world", write_scene("crowd.json", text), "--json", "--stay");
        CHECK_MSG(run.code == 0, "%s", run.err);
        cJSON *all = json_lines(run.out);
        printed += cJSON_GetArraySize(all);
        check_crowd(all, rig, bodies, walkers, &lines);
    }
    CHECK_MSG(printed == lines && lines > 20, "%d lines, not %d", printed, lines);
    for (int i = 0; i < CROWD; i++)
        graze_body_destroy(bodies[i]);
}

/* ---- form --------------------------------------------------------------------------------- */

TEST(lines_are_sorted_and_have_their_fields)
{
    static const char *const order[] = {"frame", "time", "event", "bodies", "level", "parts"};
    command_result run = RUN("world", write_scene("form.json", oracle_scene), "--json");
    cJSON *all = json_lines(run.out);
    const cJSON *line;
    int last_frame = 0;
    CHECK(cJSON_GetArraySize(all) > 5);
    cJSON_ArrayForEach(line, all)
    {
        const cJSON *item = line->child;
        for (size_t i = 0; i < sizeof order / sizeof *order; i++, item = item ? item->next : NULL)
            CHECK_MSG(item && strcmp(item->string, order[i]) == 0, "field %zu is not %s", i,
                      order[i]);
        int frame = field(line, "frame")->valueint;
        CHECK(frame >= last_frame && number(line, "time") == frame / 10.0);
        CHECK(strcmp(text_of(line, "event"), "stay") != 0);
        CHECK(strcmp(text_of(line, "level"), "exact") == 0);
        CHECK(size_of(line, "bodies") == 2);
        last_frame = frame;
    }
}

TEST(rules_and_a_body_without_a_class)
{
    static const char text[] =
        "{\"seconds\": 0, \"fps\": 60, \"classes\": [\"a\", \"b\"], \"rules\": ["
        "{\"classes\": [\"b\", \"a\"], \"level\": \"ignore\"},"
        "{\"classes\": [\"a\", \"a\"], \"level\": \"bounds\"}],"
        "\"bodies\": [{\"name\": \"a1\", \"sphere\": 1, \"class\": \"a\"},"
        "{\"name\": \"b1\", \"sphere\": 1, \"class\": \"b\"},"
        "{\"name\": \"a2\", \"sphere\": 1, \"class\": \"a\", \"at\": [1.5, 1.5, 1.5]},"
        "{\"name\": \"free\", \"sphere\": 1, \"at\": [0, 0, 0.5]}]}";
    command_result run = RUN("world", write_scene("rules.json", text), "--json");
    cJSON *all = json_lines(run.out);
    CHECK_MSG(run.code == 0 && !run.err[0], "%s", run.err);
    /* a1 and a2 by their boxes, which overlap, though the spheres do not. */
    CHECK(find_event(all, 0, "a1", "a2") &&
          strcmp(text_of(find_event(all, 0, "a1", "a2"), "level"), "bounds") == 0);
    CHECK(!field(find_event(all, 0, "a1", "a2"), "pairs"));
    CHECK(size_of(find_event(all, 0, "a1", "a2"), "parts") == 0);
    CHECK(!find_event(all, 0, "a1", "b1") && !find_event(all, 0, "b1", "a2"));
    CHECK(find_event(all, 0, "a1", "free") && find_event(all, 0, "b1", "free"));
    const cJSON *event = find_event(all, 0, "a1", "free");
    CHECK(strcmp(cJSON_GetArrayItem(cJSON_GetArrayItem(field(event, "parts"), 0), 1)->valuestring,
                 "sphere") == 0);
}

TEST(threads_print_the_same_bytes)
{
    const char *path = write_scene("threads.json", oracle_scene);
    command_result one = RUN("world", path, "--json", "--stay", "--threads", "1");
    command_result two = RUN("world", path, "--json", "--stay", "--threads", "2");
    command_result eight = RUN("world", path, "--json", "--stay", "--threads", "8");
    CHECK(one.code == 0 && two.code == 0 && eight.code == 0 && one.out[0]);
    CHECK(strcmp(one.out, two.out) == 0 && strcmp(one.out, eight.out) == 0);
}

TEST(words_and_exit_codes)
{
    const char *path = write_scene("words.json", oracle_scene);
    command_result run = RUN("world", path);
    CHECK(run.code == 0 && !strchr(run.out, '{'));
    CHECK(count_lines(run.err) == 1 &&
          strstr(run.err, "warning: bo's clip ends before the scene does; its last pose holds"));
    CHECK(strstr(run.out, " s: ann's ") && strstr(run.out, " meets ball"));
    CHECK(strstr(run.out, "ann and ball part\n") && strstr(run.out, "9 frames, 6 bodies"));
    run = RUN("world", path, "--fail-on-hit", "--json");
    CHECK(run.code == 1 && !run.err[0] && run.out[0]);
    static const char alone[] =
        "{\"seconds\": 1, \"fps\": 2, \"bodies\": [{\"name\": \"x\", \"sphere\": 1}]}";
    run = RUN("world", write_scene("alone.json", alone), "--fail-on-hit", "--json");
    CHECK(run.code == 0 && !run.err[0] && !run.out[0]);
}

/* The line of a kind of question in a frame. */
static const cJSON *find_answer(const cJSON *all, int frame, const char *event)
{
    const cJSON *line;
    cJSON_ArrayForEach(line, all) if (strcmp(text_of(line, "event"), event) == 0 &&
                                      number(line, "frame") == frame) return line;
    return NULL;
}

/* A ray, a sphere and a point in every frame, against ray and touch at ann alone; the ball, which
 * is of another class, stands in the ray's way.
 */
TEST(questions_are_answered_in_every_frame)
{
    const char *path = write_scene("asked.json", oracle_scene);
    command_result run = RUN("world", path, "--json", "--of", "one", "--ray", "0.02,0.7,5:0,0,-2",
                             "--touch", "0.1,0.6,0.1:0.3", "--nearest", "0,9,0");
    cJSON *all = json_lines(run.out);
    uint32_t hits = 0;
    CHECK_MSG(run.code == 0, "%s", run.err);
    for (int frame = 0; frame < ORACLE_FRAMES; frame++) {
        char time[40];
        snprintf(time, sizeof time, "%.17g", frame / 10.0);
        cJSON *alone = ask_alone((const char *const[]){"ray", DWARF, "--clip", "walk", "--time",
                                                       time, "--origin", "0.02,0.7,5", "--dir",
                                                       "0,0,-2", "--json", NULL});
        cJSON *within =
            ask_alone((const char *const[]){"touch", DWARF, "--clip", "walk", "--time", time,
                                            "--sphere", "0.1,0.6,0.1,0.3", "--json", NULL});
        const cJSON *ray = find_answer(all, frame, "ray"), *part;
        const cJSON *touch = find_answer(all, frame, "touch");
        const cJSON *near = find_answer(all, frame, "nearest");
        REQUIRE(ray && touch && near);
        CHECK(same_field(ray, alone, "hit") && same_field(ray, alone, "t") &&
              same_field(ray, alone, "point") && same_field(ray, alone, "triangle"));
        if (truth(ray, "hit")) {
            hits++;
            CHECK(strcmp(text_of(ray, "body"), "ann") == 0 &&
                  strcmp(text_of(ray, "class"), "one") == 0 && text_of(ray, "part")[0]);
        }
        int triangles = 0;
        cJSON_ArrayForEach(part, field(touch, "touched")) triangles +=
            (int)number(part, "triangles");
        CHECK(triangles == size_of(within, "triangles") && triangles > 0);
        CHECK(strcmp(text_of(near, "body"), "ann") == 0 && number(near, "distance") > 5 &&
              !truth(near, "behind"));
    }
    CHECK(hits > 0);
    CHECK(strstr(RUN("world", path, "--nearest", "0,1,40").out, "nearest 0 is "));
    run = RUN("world", path, "--ray", "0,99,0:0,1,0");
    CHECK(run.code == 0 && strstr(run.out, "ray 0 hits nothing"));
    static const command_row rows[] = {
        {"world asked.json --ray 1,2,3", 2, 0, "--ray needs X,Y,Z:DX,DY,DZ", NULL},
        {"world asked.json --ray 1,2,3:0,0,0", 2, 0, "--ray needs", NULL},
        {"world asked.json --touch 1,2,3:-1", 2, 0, "--touch needs X,Y,Z:RADIUS", NULL},
        {"world asked.json --nearest 1,2", 2, 0, "--nearest needs X,Y,Z", NULL},
        {"world asked.json --nearest 1,2,3 --of two", 2, 0, "no class of that name", NULL},
        {"world asked.json --of one", 2, 0, "--of is about --ray", NULL}};
    CHECK_ROWS(rows);
}

TEST(the_example_plays)
{
    command_result run = RUN("world", GRAZE_TEST_SOURCE_DIR "/examples/world/hall.json", "--json");
    cJSON *all = json_lines(run.out);
    CHECK_MSG(run.code == 0 && !run.err[0], "%s", run.err);
    CHECK(cJSON_GetArraySize(all) > 5);
}
