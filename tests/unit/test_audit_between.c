/* What the audit finds between two frames, against poses in between: the positions of both frames
 * blended, many times, and all pairs of each.
 */
#include "audit/audit.h"
#include "harness.h"
#include "scenes/synth.h"
#include "support/allocator.h"
#include "support/command.h"
#include "support/json.h"
#include "support/moved.h"
#include "support/pairs.h"
#include "support/quick.h"
#include "support/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the judge ------------------------------------------------------------------------------ */

enum { MOST_PARTS = 64 };

typedef struct judge {
    graze_rig *rig;
    graze_model *model;
    graze_body *body;
    uint32_t *part_of;
    pair_set base;            /* sorted; what meets in the baseline's pose */
    float *ends[2], *blended; /* of the vertices */
} judge;

/* The joint that a triangle's first corner follows most. */
static uint32_t part_at(const graze_rig *rig, uint32_t triangle)
{
    const uint32_t v = rig->triangles[3 * (size_t)triangle];
    const graze_influence *most = &rig->influences[rig->influence_offsets[v]];
    for (uint32_t i = rig->influence_offsets[v]; i < rig->influence_offsets[v + 1]; i++)
        if (rig->influences[i].weight > most->weight)
            most = &rig->influences[i];
    return most->joint;
}

static void find_pairs(judge *j, pair_set *pairs)
{
    graze_error error;
    pairs->count = 0;
    CHECK_MSG(!graze_self_pairs(j->body, NULL, TO_PAIR_SET(pairs), NULL, &error), "%s", error.text);
    pair_set_sort(pairs);
}

static judge judge_open(graze_synth_def def, graze_audit_settings *settings, const char *clip)
{
    judge j = {.rig = NULL};
    graze_error error;
    CHECK(!graze_synth(&def, NULL, &j.rig, &error));
    CHECK(!graze_rig_create_model(j.rig, NULL, &j.model, &error));
    CHECK(!graze_body_create(j.model, &j.body, &error));
    settings->baseline_clip = graze_rig_find_clip(j.rig, clip);
    j.part_of = calloc(j.rig->triangle_count, sizeof *j.part_of);
    for (uint32_t t = 0; t < j.rig->triangle_count; t++)
        j.part_of[t] = part_at(j.rig, t);
    CHECK(j.rig->joint_count <= MOST_PARTS);
    for (int k = 0; k < 2; k++)
        j.ends[k] = calloc(j.rig->vertex_count, 3 * sizeof(float));
    j.blended = calloc(j.rig->vertex_count, 3 * sizeof(float));
    if (settings->baseline != GRAZE_AUDIT_NONE) {
        const bool rest = settings->baseline == GRAZE_AUDIT_REST;
        CHECK(!graze_rig_pose_body(j.rig, rest ? GRAZE_NONE : settings->baseline_clip,
                                   rest ? 0 : settings->baseline_time, NULL, j.body, &error));
        find_pairs(&j, &j.base);
    }
    return j;
}

static graze_status judge_audit(judge *j, const char *clip, const graze_audit_settings *settings,
                                graze_audit_result *result)
{
    char memory[MOST_PARTS][8];
    const char *names[MOST_PARTS];
    graze_audit_subject *subject = NULL;
    graze_error error = {0};
    for (uint32_t p = 0; p < MOST_PARTS; p++) {
        snprintf(memory[p], sizeof memory[p], "p%02u", p);
        names[p] = memory[p];
    }
    const graze_audit_def def = {.rig = j->rig,
                                 .model = j->model,
                                 .part_of = j->part_of,
                                 .names = names,
                                 .part_count = j->rig->joint_count};
    graze_status status = graze_audit_subject_create(&def, &subject, &error);
    if (!status)
        status = graze_audit_clip(subject, graze_rig_find_clip(j->rig, clip), settings, NULL,
                                  result, &error);
    graze_audit_subject_destroy(subject);
    return status;
}

static void judge_close(judge *j)
{
    pair_set_free(&j->base);
    graze_body_destroy(j->body);
    graze_model_destroy(j->model);
    graze_rig_destroy(j->rig);
    free(j->part_of);
    free(j->ends[0]);
    free(j->ends[1]);
    free(j->blended);
}

/* Marks the parts that meet so far on the way, in pairs that are not in the baseline. */
static void look(judge *j, double way, bool met[MOST_PARTS][MOST_PARTS])
{
    OWN(pair_set) pairs = {0};
    graze_error error;
    for (size_t i = 0; i < 3 * (size_t)j->rig->vertex_count; i++)
        j->blended[i] = (float)((1 - way) * (double)j->ends[0][i] + way * (double)j->ends[1][i]);
    CHECK(!graze_body_set_positions(j->body, j->blended, 0, j->rig->vertex_count, &error));
    find_pairs(j, &pairs);
    for (size_t i = 0; i < pairs.count; i++) {
        const uint32_t p = j->part_of[pairs.pairs[i].a], q = j->part_of[pairs.pairs[i].b];
        if (!pair_set_find(&j->base, pairs.pairs[i]))
            met[p < q ? p : q][p < q ? q : p] = true;
    }
}

/* Whether a finding holds: its parts meet soon after the time that it says. */
static bool meets_then(judge *j, const graze_audit_finding *finding, double way)
{
    static const double later[] = {0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    const int p = atoi(finding->parts[0] + 1), q = atoi(finding->parts[1] + 1);
    bool met[MOST_PARTS][MOST_PARTS] = {{false}};
    for (size_t i = 0; i < sizeof later / sizeof *later && way + later[i] <= 1; i++)
        look(j, way + later[i], met);
    return met[p][q];
}

/* Compares what was found between frame k and the next one. Returns how much that is. */
static int check_interval(judge *j, uint32_t clip, uint32_t k, double fps,
                          const graze_audit_result *result)
{
    enum { SAMPLES = 24 };
    bool ends[MOST_PARTS][MOST_PARTS] = {{false}}, ways[MOST_PARTS][MOST_PARTS] = {{false}};
    graze_error error;
    int found = 0;
    for (uint32_t e = 0; e < 2; e++) {
        CHECK(!graze_rig_pose_body(j->rig, clip, (k + e) / fps, NULL, j->body, &error));
        graze_body_get_positions(j->body, j->ends[e]);
    }
    look(j, 0, ends);
    look(j, 1, ends);
    for (int i = 1; i < SAMPLES; i++)
        look(j, (double)i / SAMPLES, ways);
    for (size_t i = 0; i < result->count; i++) {
        const graze_audit_finding *own = &result->findings[i];
        const int p = atoi(own->parts[0] + 1), q = atoi(own->parts[1] + 1);
        if (!own->between || own->from != k)
            continue;
        const double way = own->worst.time * fps - k;
        CHECK(own->to == k + 1 && own->worst.frame == k && own->worst.depth == 0);
        CHECK(own->worst.open && own->pairs == own->worst.pairs && own->pairs > 0);
        CHECK_MSG(!ends[p][q], "%s and %s meet in frame %u or the next", own->parts[0],
                  own->parts[1], k);
        CHECK_MSG(way > 0 && way <= 1 && meets_then(j, own, way), "%s and %s do not meet at %g s",
                  own->parts[0], own->parts[1], own->worst.time);
        ways[p][q] = false;
        found++;
    }
    for (int p = 0; p < MOST_PARTS; p++)
        for (int q = 0; q < MOST_PARTS; q++)
            CHECK_MSG(!ways[p][q] || ends[p][q], "p%02d and p%02d meet after frame %u", p, q, k);
    return found;
}

TEST(between_frames_as_in_poses_in_between)
{
    static const struct {
        graze_synth_def def;
        const char *clip;
        double fps;
        graze_audit_baseline baseline;
        double time;
    } rows[] = {{{GRAZE_SYNTH_PLAYER, 800, 0}, "kick", 4, GRAZE_AUDIT_NONE, 0},
                {{GRAZE_SYNTH_PLAYER, 800, 0}, "kick", 4, GRAZE_AUDIT_POSE, 0.25},
                {{GRAZE_SYNTH_CREATURE, 1000, 0}, "writhe", 2, GRAZE_AUDIT_REST, 0}};
    int found[3] = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        graze_audit_settings settings = {.fps = rows[i].fps,
                                         .baseline = rows[i].baseline,
                                         .baseline_time = rows[i].time,
                                         .min_depth = 1,
                                         .min_frames = 2,
                                         .continuous = true};
        judge j = judge_open(rows[i].def, &settings, rows[i].clip);
        graze_audit_result result = {0};
        CHECK(!judge_audit(&j, rows[i].clip, &settings, &result));
        for (uint32_t k = 0; k + 1 < result.frames; k++)
            found[i] += check_interval(&j, graze_rig_find_clip(j.rig, rows[i].clip), k, rows[i].fps,
                                       &result);
        CHECK_MSG(found[i] > 0 && result.count == (size_t)found[i], "row %zu: %d", i, found[i]);
        graze_audit_result_free(&result);
        judge_close(&j);
    }
}

TEST(every_allocation_may_fail)
{
    graze_audit_settings settings = {.fps = 4, .baseline = GRAZE_AUDIT_POSE, .continuous = true};
    judge j = judge_open((graze_synth_def){GRAZE_SYNTH_PLAYER, 800, 0}, &settings, "kick");
    const graze_allocator own = j.rig->allocator;
    test_memory memory = {0};
    j.rig->allocator = test_memory_allocator(&memory);
    bool done = false;
    for (uint64_t n = 1; !done && n < 2000; n += 1 + n / 16) {
        graze_audit_result result = {0};
        memory.calls = 0;
        memory.fail_at = n;
        graze_status status = judge_audit(&j, "kick", &settings, &result);
        done = !status;
        CHECK_MSG(done || status == GRAZE_OUT_OF_MEMORY, "call %d: %d", (int)n, (int)status);
        graze_audit_result_free(&result);
        CHECK_MSG(memory.alive == 0 && !memory.misused, "call %d leaves memory", (int)n);
    }
    CHECK(done && memory.calls > 50);
    j.rig->allocator = own;
    judge_close(&j);
}

/* ---- a stick through a plate ---------------------------------------------------------------- */

/* A stick, 2 m long, flies down through a plate, 10 m in 0.1 s: from 0.04 s to 0.06 s it is in it,
 * and at no frame of 30 a second. At rest it is in the plate with every triangle that it meets
 * later.
 */
static const char *stick_and_plate(void)
{
    static const char *const names[] = {"plate", "stick"};
    static const moved_clip clip = {"fly", 1, 0.1f, {0, 0, 5}, {0, 0, -5}};
    OWN(solid) s = {0};
    static const double sides[2][2] = {{0.05, -1}, {0.05, 1}};
    solid_add_sheet(&s, 1, 1, 1);
    const uint32_t first = s.vertex_count;
    solid_add_round(&s, sides, 2, 8);
    for (uint32_t v = first; v < s.vertex_count; v++) {
        s.positions[3 * v] += 0.5f;
        s.positions[3 * v + 1] -= 0.25f;
    }
    const char *path = scratch_path(0, "stick.glb");
    moved_save(path, &s, names, &clip, 1);
    return path;
}

TEST(a_stick_through_a_plate)
{
    const char *path = stick_and_plate();
    const char *csv = scratch_path(1, "a.csv"), *junit = scratch_path(2, "a.xml"),
               *sarif = scratch_path(3, "a.sarif");
    size_t size;
    const cJSON *without = ONLY_LINE(0, RUN("audit", path, "--baseline", "fly@0", "--json"));
    CHECK(number(without, "findings") == 0 && number(without, "frames") == 4);
    without = ONLY_LINE(0, RUN("audit", path, "--continuous", "--json"));
    CHECK(number(without, "findings") == 0);
    command_result run = RUN("audit", path, "--baseline", "fly@0", "--json", "--fail-on-hit",
                             "--continuous", "--csv", csv, "--junit", junit, "--sarif", sarif);
    CLEAN(&run, 1, 2);
    const cJSON *finding = OBJECT(&run, 0), *worst = field(finding, "worst");
    CHECK(truth(finding, "between") && truth(worst, "open") && number(worst, "depth") == 0);
    CHECK(number(finding, "from") == 1 && number(finding, "to") == 2);
    CHECK(number(finding, "frames") == 0 && number(worst, "frame") == 1);
    CHECK_MSG(fabs(number(worst, "time") - 0.04) < 1e-6, "at %.9g s", number(worst, "time"));
    const double z = number_at(worst, "rest", 2);
    CHECK(fabs(number_at(worst, "point", 2)) < 1e-5 && (fabs(z) < 1e-5 || fabs(z + 1) < 1e-5));
    for (int axis = 0; axis < 2; axis++)
        CHECK(fabs(number_at(worst, "rest", axis) - number_at(worst, "point", axis)) < 1e-5);
    static const char says[] = "between frames 1 and 2, at 0.04 s";
    CHECK(strstr(read_whole_file(csv, &size), ",between\n") &&
          strstr(read_whole_file(csv, &size), ",true\n"));
    CHECK(strstr(read_whole_file(junit, &size), says) &&
          strstr(read_whole_file(sarif, &size), says));
    run = RUN("audit", path, "--baseline", "none", "--continuous");
    CHECK_MSG(strstr(run.out, "plate x stick") && strstr(run.out, ".|..") &&
                  strstr(run.out, " 1-2 "),
              "%s", run.out);
}

/* Nearer to a plate than the swept query can tell from touching, a sheet slides over it or goes
 * through.
 */
TEST(a_sheet_close_above_a_plate)
{
    static const char *const names[] = {"plate", "sheet"};
    static const struct {
        float x, z;
        int findings;
    } rows[] = {{0, 0, 0}, {0.1f, 0, 0}, {0.1f, 1e-7f, 0}, {0, -6e-7f, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const float x = rows[i].x, z = 0.3f * x + 3e-7f + rows[i].z;
        const moved_clip clip = {"slide", 1, 0.034f, {0, 0, 3e-7f}, {x, 0, z}};
        OWN(solid) s = {0};
        solid_add_sheet(&s, 1, 1, 1);
        solid_add_sheet(&s, 0.25, 0.25, 3);
        for (uint32_t v = 0; v < s.vertex_count; v++)
            s.positions[3 * v + 2] = 0.3f * s.positions[3 * v] + 0.7f * s.positions[3 * v + 1];
        moved_save(scratch_path(0, "sheet.glb"), &s, names, &clip, 1);
        const command_result run = RUN("audit", scratch_path(0, "sheet.glb"), "--baseline", "none",
                                       "--continuous", "--json");
        CHECK_MSG((int)count_lines(run.out) == rows[i].findings + 1, "row %zu: %s", i, run.out);
    }
}

/* ---- many jobs ------------------------------------------------------------------------------ */

TEST(the_same_bytes_in_any_number_of_jobs)
{
    static const char *const shards[] = {"1/2", "2/2", "1/1"};
    const char *folder = scratch_path(4, "results"), *second = "builtin:creature:2000";
    const char *first = "builtin:player:800";
    command_result one = RUN("audit", first, second, "--fps", "6", "--folds", "--continuous",
                             "--json", "--threads", "1");
    command_result two = RUN("audit", first, second, "--fps", "6", "--folds", "--continuous",
                             "--json", "--threads", "2");
    CHECK(strstr(one.out, "\"between\":true") && strcmp(one.out, two.out) == 0);
    for (int s = 0; s < 3; s++) {
        command_result job = RUN("audit", first, second, "--fps", "6", "--continuous", "--out",
                                 folder, "--resume", "--shard", shards[s]);
        CHECK_MSG(job.code == 0, "%s", job.err);
    }
    command_result merged = RUN("audit", "merge", folder, "--folds", "--json");
    CHECK_MSG(strcmp(one.out, merged.out) == 0, "%s", merged.err);
    command_result other = RUN("audit", first, second, "--fps", "6", "--out", folder, "--resume");
    CHECK(other.code == 2 && strstr(other.err, "made with --continuous"));
    CHECK(command_run("/bin/rm", (const char *const[]){"-r", folder, NULL}).code == 0);
}
