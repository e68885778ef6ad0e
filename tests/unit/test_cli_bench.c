/* The contract of graze bench peers, scale and cliffs: fields, answers compared, files, exit codes.
 * Times are not looked at.
 */
#include "harness.h"
#include "scenes/synth.h"
#include "support/json.h"
#include "support/own.h"
#include "support/quick.h"

#include <graze/gltf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A folder of models with one small character in it. */
static const char *models(void)
{
    static bool made;
    if (!made) {
        command_result run =
            RUN("synth", "dwarf", "--triangles", "600", "-o", scratch_path(0, "small-dwarf.glb"));
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
        made = true;
    }
    return scratch_folder();
}

/* Calls a function with every line that is an object; anything else is a failure. */
static size_t for_each_object(const char *out, void (*see)(const cJSON *object))
{
    const cJSON *all = json_lines(out), *object;
    cJSON_ArrayForEach(object, all) see(object);
    return (size_t)cJSON_GetArraySize(all);
}

/* A machine's line comes first, and under it a line that names the columns. */
static void check_csv(const char *path, const char *columns, size_t lines)
{
    char *csv = read_whole_file(path, NULL);
    REQUIRE(csv);
    const char *second = strchr(csv, '\n');
    CHECK(strncmp(csv, "# graze ", 8) == 0 && strstr(csv, "commit ") != NULL);
    CHECK(second && strncmp(second + 1, columns, strlen(columns)) == 0);
    CHECK_MSG(count_lines(csv) == lines + 2, "%zu lines, not %zu", count_lines(csv), lines + 2);
}

static void check_svg(const char *path, const char *holds)
{
    char *svg = read_whole_file(path, NULL);
    CHECK_MSG(svg != NULL, "no %s", path);
    if (!svg)
        return;
    CHECK(strncmp(svg, "<svg ", 5) == 0 && strstr(svg, "</svg>\n") != NULL);
    CHECK_MSG(strstr(svg, holds) != NULL, "%s does not say %s", path, holds);
    CHECK(strstr(svg, "commit ") != NULL && strstr(svg, "nan") == NULL);
}

/* ---- peers -------------------------------------------------------------------------------- */

static size_t rows, deep_rows;

/* What is ours, lazy or eager, and what is exact answers as graze does. */
static void see_peer(const cJSON *object)
{
    const char *method = text_of(object, "method");
    if (!*method)
        return;
    bool exact = strncmp(method, "graze", 5) == 0 || strncmp(method, "eager", 5) == 0 ||
                 strncmp(method, "CGAL", 4) == 0;
    bool ray = strcmp(text_of(object, "case"), "one ray") == 0;
    CHECK(strcmp(text_of(object, "model"), "small-dwarf.glb") == 0);
    CHECK(number(object, "triangles") == 600 && number(object, "ms") > 0);
    CHECK(number(object, "ms_median") >= number(object, "ms") && number(object, "ratio") > 0);
    if (exact && !ray)
        CHECK_MSG(number(object, "missing") == 0 && number(object, "extra") == 0,
                  "%s in %s: %g missing, %g extra", method, text_of(object, "case"),
                  number(object, "missing"), number(object, "extra"));
    if (strcmp(text_of(object, "case"), "deep, all pairs") == 0 && exact) {
        CHECK(number(object, "pairs") > 50);
        deep_rows++;
    }
    rows++;
}

TEST(peers_answer_alike)
{
    const char *csv = scratch_path(1, "peers.csv");
    command_result run = RUN("bench", "peers", "--rounds", "1", "--models", models(), "--only",
                             "small", "--json", "--csv", csv, "--plot", scratch_folder());
    rows = deep_rows = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    CHECK(for_each_object(run.out, see_peer) > rows);
    CHECK_MSG(rows >= 8 * 5 && deep_rows >= 4, "%zu rows, %zu of them deep", rows, deep_rows);
    check_csv(csv, "model,triangles,case,method,", rows);
    check_svg(scratch_path(2, "peers-small-dwarf.glb.svg"), "deep, all pairs");
}

/* Writes a small dwarf that a function has changed, as a file of the folder of models. */
static void save_changed(const char *name, void (*change)(graze_rig *rig))
{
    graze_synth_def def = {.kind = GRAZE_SYNTH_DWARF, .triangles = 600};
    OWN(graze_rig) *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    REQUIRE(graze_synth(&def, NULL, &rig, &error) == GRAZE_OK);
    uint32_t clips = rig->clip_count;
    change(rig);
    CHECK_MSG(graze_gltf_save(rig, scratch_path(3, name), &error) == GRAZE_OK, "%s", error.text);
    rig->clip_count = clips;
}

/* Lets the clip carry the whole body along z, 40 times its size. */
static void carry_away(graze_rig *rig)
{
    for (uint32_t i = 0; i < rig->clips[0].channel_count; i++) {
        const graze_rig_channel *channel = &rig->clips[0].channels[i];
        if (channel->path != GRAZE_RIG_TRANSLATION || channel->node != 0)
            continue;
        for (uint32_t k = 0; k < channel->key_count; k++)
            channel->values[3 * k + 2] += 50 * channel->times[k] / rig->clips[0].seconds;
    }
}

static void drop_clips(graze_rig *rig)
{
    rig->clip_count = 0;
}

static size_t level_rows, never_rows, made_up;

static void see_moved(const cJSON *object)
{
    level_rows += strstr(text_of(object, "placed"), "level") != NULL;
    never_rows += cJSON_HasObjectItem(object, "never");
    made_up += strcmp(text_of(object, "clip"), "made up") == 0;
    rows += *text_of(object, "method") != 0;
}

/* The second of them is tens of sizes away at its time of the clip: it used to be walked past. */
TEST(peers_bring_together_what_a_clip_carries_away)
{
    models();
    save_changed("carried.glb", carry_away);
    command_result run = RUN("bench", "peers", "--rounds", "1", "--models", scratch_folder(),
                             "--only", "carried", "--json");
    rows = level_rows = never_rows = made_up = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    for_each_object(run.out, see_moved);
    CHECK_MSG(rows >= 8 * 5 && level_rows >= 3 * 5 && never_rows == 0 && made_up == 0,
              "%zu rows, %zu of bodies set level, %zu cases never", rows, level_rows, never_rows);
    run = RUN("bench", "peers", "--rounds", "1", "--models", scratch_folder(), "--only", "carried");
    CHECK(run.code == 0 && strstr(run.out, "frames set level, as they miss each other"));
}

TEST(peers_move_what_has_no_clip)
{
    models();
    save_changed("still.glb", drop_clips);
    command_result run = RUN("bench", "peers", "--rounds", "1", "--models", scratch_folder(),
                             "--only", "still", "--json");
    rows = level_rows = never_rows = made_up = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    for_each_object(run.out, see_moved);
    CHECK_MSG(rows >= 8 * 5 && made_up == 1, "%zu rows, made up %zu times", rows, made_up);
    run = RUN("bench", "peers", "--rounds", "1", "--models", scratch_folder(), "--only", "still");
    CHECK(run.code == 0 && strstr(run.out, "it has no clip: its joints sway"));
}

static size_t goal_rows;

static void see_goal(const cJSON *object)
{
    if (strcmp(text_of(object, "table"), "goals") != 0)
        return;
    bool met = cJSON_IsTrue(field(object, "met"));
    CHECK(strstr(text_of(object, "row"), "creature of 5,000") && number(object, "now") > 0);
    double over = number(object, "now") - number(object, "reach");
    CHECK(fabs(over) < 0.01 || met == (over > 0)); /* the ratio is printed rounded */
    CHECK(number(object, "before") == 1.1 && number(object, "own_eager") > 0);
    goal_rows++;
}

/* The whole name of a model means that one alone. */
TEST(peers_sum_up_what_is_to_be_shown)
{
    command_result run = RUN("bench", "peers", "--rounds", "1", "--models", models(), "--only",
                             "creature:5000", "--json");
    goal_rows = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    CHECK(for_each_object(run.out, see_goal) > 8 && !strstr(run.out, "creature:50000"));
    CHECK_MSG(goal_rows == 1, "%zu rows", goal_rows);
}

TEST(peers_say_what_they_measure)
{
    command_result run =
        RUN("bench", "peers", "--rounds", "1", "--models", models(), "--only", "small");
    CHECK(run.code == 0);
    CHECK(strstr(run.out, "commit ") && strstr(run.out, "small-dwarf.glb, touching, all pairs"));
    CHECK(strstr(run.out, "eager boxes, scalar triangles") && strstr(run.out, "skinning alone"));
}

/* ---- the machine's lines ------------------------------------------------------------------ */

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
enum { SANITIZED = true };
#else
enum { SANITIZED = false };
#endif

/* The flags are those of the build, of which this program is a part. */
TEST(tables_say_how_they_were_built)
{
    command_result run = RUN("bench", "peers", "--only", "unicorn", "--models", models());
    const char *level = strstr(run.out, " -O");
    CHECK(strstr(run.out, " -ffp-contract=off") && strstr(run.out, " -fno-math-errno"));
    CHECK(!strstr(run.out, " -W") && (!level || !strstr(level + 1, " -O")));
    CHECK((strstr(run.out, " -fsanitize=") != NULL) == SANITIZED);
#if defined(__OPTIMIZE__)
    CHECK(level && level[3] != '0');
#else
    CHECK(!level || level[3] == '0');
#endif
#if defined(NDEBUG)
    CHECK(strstr(run.out, " -DNDEBUG"));
#else
    CHECK(!strstr(run.out, "NDEBUG"));
#endif
}

/* ---- scale -------------------------------------------------------------------------------- */

static void see_scale(const cJSON *object)
{
    if (!*text_of(object, "table"))
        return;
    CHECK(strcmp(text_of(object, "against"), "influences") == 0 && *text_of(object, "unit"));
    CHECK(number(object, "size") >= 1 && number(object, "size") <= 8);
    CHECK(number(object, "least") > 0 && number(object, "median") >= number(object, "least"));
    rows++;
}

TEST(scale_measures_sizes)
{
    if (test_is_quick())
        return;
    const char *csv = scratch_path(1, "scale.csv");
    command_result run = RUN("bench", "scale", "--rounds", "1", "--only", "influences", "--json",
                             "--csv", csv, "--plot", scratch_folder());
    rows = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    CHECK(for_each_object(run.out, see_scale) == rows + 1);
    CHECK_MSG(rows >= 6 * (5 + 3), "%zu rows", rows);
    check_csv(csv, "against,size,case,method,", rows);
    check_svg(scratch_path(2, "scale-influences.svg"), "touching, all pairs: graze");
}

/* ---- positions ---------------------------------------------------------------------------- */

/* Ours must find what brute force does, and the command fails where they do not. */
static void see_positions(const cJSON *object)
{
    if (!*text_of(object, "table"))
        return;
    CHECK(strcmp(text_of(object, "table"), "positions") == 0 && *text_of(object, "model"));
    CHECK(*text_of(object, "case") && *text_of(object, "method"));
    CHECK(number(object, "us") > 0 && number(object, "us_median") >= number(object, "us"));
    CHECK(number(object, "ratio") > 0 && number(object, "pairs") > 100);
    if (!strncmp(text_of(object, "method"), "graze", 5) ||
        !strncmp(text_of(object, "method"), "eager", 5))
        CHECK(number(object, "missing") == 0 && number(object, "extra") == 0);
    rows++;
}

TEST(positions_are_measured)
{
    const char *csv = scratch_path(1, "positions.csv");
    command_result run = RUN("bench", "positions", "--rounds", "1", "--only", "ball, touching",
                             "--json", "--csv", csv);
    rows = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    CHECK(for_each_object(run.out, see_positions) == rows + 1);
    CHECK_MSG(rows >= 4, "%zu rows", rows);
    check_csv(csv, "model,case,method,us,us_median,ratio,pairs,missing,extra", rows);
}

/* ---- cliffs ------------------------------------------------------------------------------- */

static size_t late_rows;

static void see_cliff(const cJSON *object)
{
    if (!*text_of(object, "table"))
        return;
    CHECK(strcmp(text_of(object, "table"), "cliffs") == 0 && *text_of(object, "row"));
    CHECK(*text_of(object, "ordinary") && *text_of(object, "unit") && number(object, "size") > 0);
    bool late = cJSON_IsTrue(field(object, "late"));
    CHECK(number(object, "seconds") > 0 && number(object, "bytes") > 0);
    CHECK((strcmp(text_of(object, "verdict"), "late") == 0) == late);
    if (!late) {
        double ratio = number(object, "seconds") / number(object, "ordinary_seconds");
        CHECK(fabs(number(object, "ratio") - ratio) < 1e-3 * ratio);
        CHECK(isfinite(number(object, "growth")) && number(object, "answers") > 0);
    }
    late_rows += late;
    rows++;
}

TEST(cliffs_are_measured)
{
    const char *csv = scratch_path(1, "cliffs.csv");
    command_result run =
        RUN("bench", "cliffs", "--rounds", "1", "--only", "contacts", "--json", "--csv", csv);
    rows = late_rows = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    CHECK(for_each_object(run.out, see_cliff) == rows + 1);
    CHECK_MSG(rows == 1 && late_rows == 0, "%zu rows, %zu of them late", rows, late_rows);
    check_csv(csv, "row,ordinary_case,size,unit,seconds,late,", rows);
    run = RUN("bench", "cliffs", "--rounds", "1", "--only", "contacts");
    CHECK(run.code == 0 && strstr(run.out, "contacts of coincident bodies") &&
          strstr(run.out, "against their pairs alone"));
}

/* What runs past the limit is ended, and said to be late. */
TEST(cliffs_end_at_the_limit)
{
    command_result run =
        RUN("bench", "cliffs", "--only", "up then down", "--json", "--limit", "0.01");
    rows = late_rows = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    CHECK(for_each_object(run.out, see_cliff) == rows + 1);
    CHECK_MSG(rows == 1 && late_rows == 1, "%zu rows, %zu of them late", rows, late_rows);
    run = RUN("bench", "cliffs", "--only", "up then down", "--limit", "0.01");
    CHECK(run.code == 0 && strstr(run.out, "> 0.01") && strstr(run.out, "late"));
}

/* ---- the papers' tables --------------------------------------------------------------------- */

static double spheres_before, radius_before;

/* A binary tree: no level has more than twice the spheres of the one above, and they are smaller.
 */
static void see_binary(const cJSON *object)
{
    if (strcmp(text_of(object, "table"), "lbs_binary") != 0)
        return;
    double spheres = number(object, "spheres"), radius = number(object, "radius");
    CHECK(number(object, "level") == (double)++rows);
    CHECK(spheres > 0 && spheres <= (rows == 1 ? 1 : 2 * spheres_before));
    CHECK(rows == 1 || (radius > 0 && radius < radius_before));
    spheres_before = spheres;
    radius_before = radius;
}

/* Shares in per cent, of the last frame and of all. */
static void see_levels(const cJSON *object)
{
    static const char *names[] = {"linear", "spherical", "dual", "linear_corners",
                                  "spherical_corners"};
    if (strcmp(text_of(object, "table"), "sbs_levels") != 0)
        return;
    CHECK(number(object, "level") == (double)++rows && number(object, "spheres") >= 2);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const cJSON *shares = field(object, names[i]);
        CHECK(cJSON_GetArraySize(shares) == 2);
        for (int k = 0; k < 2; k++) {
            double share = cJSON_GetNumberValue(cJSON_GetArrayItem(shares, k));
            CHECK(rows == 1 ? share == 100 : share >= 0 && share <= 100);
            CHECK(number(object, "spheres") < 1000 || share < 50);
        }
    }
}

TEST(the_papers_tables_are_chosen_by_name)
{
    command_result run = RUN("bench", "lbs", "--only", "binary", "--json");
    rows = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    CHECK(for_each_object(run.out, see_binary) == rows + 1 && rows > 12);
    run = RUN("bench", "sbs", "--only", "levels", "--json");
    rows = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    CHECK(for_each_object(run.out, see_levels) == rows + 1 && rows > 5);
}

/* How many lines start with these letters. */
static size_t count_starts(const char *all, const char *start)
{
    size_t count = 0;
    for (const char *line = all; *line; line += strcspn(line, "\n"), line += *line == '\n')
        count += strncmp(line, start, strlen(start)) == 0;
    return count;
}

/* Balls of 18 vertices and 32 triangles, outwards, whose corners are on the sphere. */
static void check_balls(const char *path, size_t least)
{
    char *obj = read_whole_file(path, NULL);
    REQUIRE(obj);
    size_t vertices = count_starts(obj, "v "), faces = count_starts(obj, "f "), v = 0, wrong = 0;
    float(*points)[3] = malloc(vertices * sizeof *points);
    CHECK_MSG(vertices % 18 == 0 && faces == vertices / 18 * 32 && vertices / 18 >= least,
              "%s: %zu vertices, %zu faces", path, vertices, faces);
    for (char *line = strtok(obj, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned int f[3];
        if (sscanf(line, "v %f %f %f", &points[v][0], &points[v][1], &points[v][2]) == 3)
            v++;
        if (sscanf(line, "f %u %u %u", &f[0], &f[1], &f[2]) != 3)
            continue;
        size_t first = v - 18;
        double volume = 0, centre[3];
        for (int k = 0; k < 3; k++) {
            wrong += f[k] <= first || f[k] > v;
            centre[k] = 0.5 * ((double)points[first][k] + (double)points[first + 1][k]);
        }
        for (int k = 0; k < 3 && !wrong; k++) {
            double a[3], b[3], c[3];
            for (int i = 0; i < 3; i++) {
                a[i] = (double)points[f[0] - 1][i] - centre[i];
                b[i] = (double)points[f[1] - 1][i] - centre[i];
                c[i] = (double)points[f[2] - 1][i] - centre[i];
            }
            volume += a[k] * (b[(k + 1) % 3] * c[(k + 2) % 3] - b[(k + 2) % 3] * c[(k + 1) % 3]);
        }
        wrong += volume <= 0;
    }
    CHECK_MSG(wrong == 0, "%s: %zu faces are wrong", path, wrong);
    free(points);
}

/* The creature's tree has 68 spheres on level 4; of the men's on level 5 some were refitted. */
TEST(the_papers_figures_are_drawn)
{
    command_result run =
        RUN("bench", "lbs", "--only", "figures", "--plot", scratch_folder(), "--json");
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    check_svg(scratch_path(2, "lbs-4.svg"), "level 6");
    check_svg(scratch_path(2, "lbs-5.svg"), "url(#c3)");
    check_balls(scratch_path(2, "lbs-4-2.obj"), 30);
    check_balls(scratch_path(2, "lbs-5-2.obj"), 200);
    char *svg = read_whole_file(scratch_path(2, "lbs-5.svg"), NULL);
    REQUIRE(svg);
    CHECK(count_starts(svg, "<circle ") > 300 && count_starts(svg, "<path ") > 200);
    CHECK(strstr(svg, "url(#c2)") && strlen(svg) < 200000);
}

/* ---- refusals ----------------------------------------------------------------------------- */

TEST(what_cannot_be_is_refused)
{
    FAILS("", "bench", "lbs", "--csv", "x.csv");
    FAILS("", "bench", "lbs", "--only", "unicorn");
    FAILS("", "bench", "sbs", "--only", "unicorn");
    FAILS("", "bench", "sbs", "--only", "figures");
    FAILS("", "bench", "lbs", "--only", "figures", "--plot", "no/such/folder");
    FAILS("", "bench", "bdtree", "--only", "radii");
    FAILS("", "bench", "queries", "--plot", ".");
    FAILS("", "bench", "cliffs", "--plot", ".");
    FAILS("", "bench", "cliffs", "--only", "unicorn");
    FAILS("", "bench", "cliffs", "--limit", "0");
    FAILS("", "bench", "cliffs", "--only", "contacts", "--csv", "no/such/folder/x.csv");
    FAILS("", "bench", "all", "--csv", "x.csv");
    FAILS("", "bench", "peers", "--only", "unicorn", "--models", models());
    FAILS("", "bench", "scale", "--only", "unicorn");
    FAILS("", "bench", "positions", "--only", "unicorn");
    FAILS("", "bench", "positions", "--plot", ".");
    FAILS("", "bench", "positions", "--csv", "no/such/folder/x.csv");
    FAILS("", "bench", "peers", "--csv", "no/such/folder/x.csv", "--only", "small", "--models",
          models());
    FAILS("", "bench", "scale", "--csv", "no/such/folder/x.csv", "--only", "joints");
    FAILS("", "bench", "peers", "--models", "no/such/folder", "--only", "small");
    FAILS("", "bench", "peers", "--rounds", "1", "--only", "small", "--models", models(), "--plot",
          "no/such/folder");
}

/* A copy of the command, with nothing beside it, finds graze-bench on PATH or says that it is not
 * there.
 */
TEST(the_command_finds_its_benchmarks)
{
    static const char *const paths[][2] = {{"", "there is no graze-bench beside this command"},
                                           {"$PATH:${0%/*}", "no table has unicorn in its name"}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char line[600];
        snprintf(line, sizeof line,
                 "cp \"$0\" %1$s/alone && PATH=%2$s exec %1$s/alone bench lbs --only unicorn",
                 scratch_folder(), paths[i][0]);
        command_result run =
            command_run("/bin/sh", (const char *const[]){"-c", line, GRAZE_COMMAND, NULL});
        CHECK_MSG(strstr(run.err, paths[i][1]), "%s", run.err);
        check_failed(run, "", __FILE__, __LINE__);
    }
}

static size_t batch_rows;

static void see_batch(const cJSON *object)
{
    if (!*text_of(object, "way"))
        return;
    CHECK(number(object, "us") > 0 && number(object, "found") > 0);
    batch_rows++;
}

/* The table ends where a batch does not find what is found one by one. */
TEST(batches_answer_alike)
{
    command_result run =
        RUN("bench", "batch", "--rounds", "1", "--triangles", "600", "--only", "self", "--json");
    batch_rows = 0;
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%d: %s", run.code, run.err);
    for_each_object(run.out, see_batch);
    CHECK(batch_rows == 9);
    FAILS("", "bench", "batch", "--only", "unicorn");
}
