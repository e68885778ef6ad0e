/* examples/audit-gate: green on what was accepted, red with a line a finding when a joint is
 * turned, green again when that is accepted; the hook for Git runs it where models change.
 */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHELL(text) command_run("/bin/bash", (const char *const[]){"-c", text, NULL})
#define GATE GRAZE_TEST_SOURCE_DIR "/examples/audit-gate/"
#define HERO "gate/models/hero.glb"

static const cJSON *at(const cJSON *object, const char *array, int index)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(object, array), index);
}

static int number(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItem(object, name) ? cJSON_GetObjectItem(object, name)->valueint : 0;
}

/* q = q * a turn about x. */
static void turn(unsigned char *key, double degrees)
{
    float q[4];
    memcpy(q, key, sizeof q);
    const float s = (float)sin(degrees * acos(-1) / 360), c = (float)cos(degrees * acos(-1) / 360);
    const float turned[4] = {q[0] * c + q[3] * s, q[1] * c + q[2] * s, q[2] * c - q[1] * s,
                             q[3] * c - q[0] * s};
    memcpy(key, turned, sizeof turned);
}

/* Turns a joint in every key of the file's clips. Returns how many keys there are. */
static int turn_joint(const char *joint, double degrees)
{
    size_t size;
    int keys = 0;
    uint32_t length;
    unsigned char *file = (unsigned char *)read_whole_file(HERO, &size);
    memcpy(&length, file + 12, sizeof length);
    cJSON *tree = cJSON_ParseWithLength((char *)file + 20, length);
    unsigned char *binary = file + 20 + length + 8;
    const cJSON *animation, *channel;
    cJSON_ArrayForEach(animation, cJSON_GetObjectItem(tree, "animations"))
        cJSON_ArrayForEach(channel, cJSON_GetObjectItem(animation, "channels"))
    {
        const cJSON *target = cJSON_GetObjectItem(channel, "target");
        const cJSON *node = at(tree, "nodes", number(target, "node"));
        const cJSON *name = cJSON_GetObjectItem(node, "name");
        if (!name || strcmp(name->valuestring, joint) != 0 ||
            strcmp(cJSON_GetObjectItem(target, "path")->valuestring, "rotation") != 0)
            continue;
        const cJSON *sampler = at(animation, "samplers", number(channel, "sampler"));
        const cJSON *accessor = at(tree, "accessors", number(sampler, "output"));
        const cJSON *view = at(tree, "bufferViews", number(accessor, "bufferView"));
        size_t first = (size_t)number(view, "byteOffset") + (size_t)number(accessor, "byteOffset");
        for (int k = 0; k < number(accessor, "count"); k++, keys++)
            turn(binary + first + 16 * (size_t)k, degrees);
    }
    CHECK(write_whole_file(HERO, file, size));
    cJSON_Delete(tree);
    return keys;
}

/* The gate's exit code, with its lines on the way. */
static int gate(const char *words, size_t *lines, char *first)
{
    char text[600];
    snprintf(text, sizeof text, "cd gate && GRAZE=%s %sgate.sh models --min-depth 0.004 %s",
             GRAZE_COMMAND, GATE, words);
    command_result run = SHELL(text);
    *lines = count_lines(run.out);
    snprintf(first, 200, "%.*s", (int)strcspn(run.out, "\n"), run.out);
    CHECK_MSG(run.err[0] == 0, "%s", run.err);
    return run.code;
}

static void run_shell(const char *text)
{
    command_result run = SHELL(text);
    CHECK_MSG(run.code == 0, "%s: %s%s", text, run.out, run.err);
}

TEST(green_red_and_green_again)
{
    size_t lines;
    char first[200];
    run_shell("rm -rf gate && mkdir -p gate/models && " GRAZE_COMMAND " synth player -o " HERO);
    CHECK(gate("", &lines, first) == 1 && lines > 0);
    CHECK(gate("--accept 'as agreed'", &lines, first) == 0 && lines == 0);
    CHECK(gate("", &lines, first) == 0 && lines == 0);
    CHECK(turn_joint("upper_arm.L", 15) > 10);
    CHECK(gate("", &lines, first) == 1 && lines > 0 && lines < 40);
    CHECK_MSG(strncmp(first, "models/hero.glb, clip ", 22) == 0 && strstr(first, " x ") &&
                  strstr(first, " deep in frame "),
              "%s", first);
    CHECK(gate("--accept 'a wider swing'", &lines, first) == 0);
    CHECK(gate("", &lines, first) == 0 && lines == 0);
    run_shell("rm -rf gate");
}

/* Pushes to an empty repository beside it. */
TEST(the_hook_holds_back_a_push)
{
    run_shell("rm -rf gate && mkdir -p gate/models && cd gate && git init -q --bare far.git && git "
              "init -q . && "
              "git config user.email a@b.c && git config user.name a && cp " GATE
              "* .git/hooks/ && "
              "git remote add far far.git && echo far.git >.gitignore && " GRAZE_COMMAND
              " synth player -o models/hero.glb && git add . && git commit -qm one");
    static const struct {
        const char *change;
        int code; /* of the push: 1 if it is held back */
    } rows[] = {{"true", 1},
                {"MODELS=none git push -q far HEAD:refs/heads/main", 0},
                {"touch notes && git add notes && git commit -qm two", 0},
                {"cp models/hero.glb models/twin.glb && git add . && git commit -qm three", 1},
                {".git/hooks/gate.sh models --accept fine && git add . && git commit -qm four", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "cd gate && export GRAZE=%s && { %s; } >/dev/null && git push -q far "
                 "HEAD:refs/heads/main",
                 GRAZE_COMMAND, rows[i].change);
        command_result run = SHELL(text);
        CHECK_MSG(run.code == rows[i].code, "row %zu: %d, %s%s", i, run.code, run.out, run.err);
    }
    run_shell("rm -rf gate");
}
