/* graze demo ragdoll: a man falls down the stairs; what is saved is what was told. */
#include "harness.h"
#include "support/json.h"
#include "support/own.h"
#include "support/quick.h"

#include <graze/animation.h>
#include <graze/gltf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A build without an engine says so in one line; then there is nothing else to test. */
static bool has_engine(const command_result *run)
{
    if (run->code != 2 || !strstr(run->err, "no physics engine"))
        return true;
    CHECK(count_lines(run->err) == 1 && *run->out == 0 && strstr(run->err, "libode-dev"));
    return false;
}

static uint32_t find_node(const graze_rig *rig, const char *name)
{
    for (uint32_t n = 0; n < rig->node_count; n++)
        if (rig->nodes[n].name && strcmp(rig->nodes[n].name, name) == 0)
            return n;
    return GRAZE_NONE;
}

/* Where his pelvis is at the end of the saved clip. */
static void check_file(const char *path, const cJSON *at)
{
    OWN(graze_rig) *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    CHECK_MSG(!graze_gltf_load(path, NULL, &rig, &error), "%s", error.text);
    if (!rig)
        return;
    uint32_t pelvis = find_node(rig, "man:pelvis");
    OWNED graze_rig_local *locals = calloc(rig->node_count, sizeof *locals);
    CHECK(pelvis != GRAZE_NONE && find_node(rig, "step 7") != GRAZE_NONE && rig->clip_count == 1);
    CHECK(!graze_rig_sample_locals(rig, 0, 5, locals, NULL, NULL));
    for (int k = 0; k < 3 && pelvis != GRAZE_NONE; k++) {
        double told = cJSON_GetArrayItem(at, k)->valuedouble;
        CHECK_MSG(fabs(locals[pelvis].translation[k] - told) < 0.0011, "axis %d: %g, told %g", k,
                  locals[pelvis].translation[k], told);
    }
}

TEST(a_man_falls_down_the_stairs)
{
    const char *path = scratch_path(0, "fall.glb");
    command_result run = RUN("demo", "ragdoll", "--json", "-o", path);
    if (!has_engine(&run)) {
        CHECK(scratch_count() == 0);
        return;
    }
    CHECK_MSG(run.code == 0, "%s", run.err);
    uint32_t hits = 0, ends = 0;
    double before = 0;
    for (char *line = strtok(run.out, "\n"); line; line = strtok(NULL, "\n")) {
        cJSON *json = json_parse(line);
        const cJSON *event = field(json, "event");
        REQUIRE(json && cJSON_IsString(event));
        CHECK(number(json, "time") >= before);
        before = number(json, "time");
        if (strcmp(event->valuestring, "hit") == 0) {
            hits++;
            CHECK(number(json, "speed") > 0 && number(json, "impulse") > 0);
        }
        if (strcmp(event->valuestring, "end") == 0) {
            const cJSON *at = field(json, "at");
            ends++;
            CHECK_MSG(number(json, "deepest") < 0.01, "%g m deep", number(json, "deepest"));
            CHECK(number(json, "hits") == hits);
            CHECK_MSG(cJSON_GetArrayItem(at, 2)->valuedouble > 1.5, "he did not fall far");
            check_file(path, at);
        }
    }
    CHECK_MSG(hits > 5 && ends == 1, "%u hits, %u ends", hits, ends);
}

TEST(threads_change_nothing_and_words_are_whole_lines)
{
    if (test_is_quick())
        return; /* the long run compares */
    command_result one = RUN("demo", "ragdoll"), eight = RUN("demo", "ragdoll", "--threads", "8");
    if (has_engine(&one)) {
        char *end[2] = {strstr(one.out, "5.0 s of"), strstr(eight.out, "5.0 s of")};
        REQUIRE(end[0] && end[1]);
        *end[0] = *end[1] = 0; /* how long it took differs */
        CHECK(strcmp(one.out, eight.out) == 0 && strstr(one.out, "stumbles"));
    }
}

TEST(options_that_do_not_fit_are_refused)
{
    command_result run = RUN("demo", "men", "--threads", "2");
    CHECK(run.code == 2 && strstr(run.err, "are for ragdoll"));
    run = RUN("demo", "ragdoll", "--report", scratch_path(1, "page.html"));
    CHECK(run.code == 2 && strstr(run.err, "--report") && count_lines(run.err) == 1);
    CHECK(!read_whole_file(scratch_path(1, "page.html"), NULL));
}
