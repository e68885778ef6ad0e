/* graze compress: what is written gives the positions behind the errors that are printed. */
#include "harness.h"
#include "support/command.h"
#include "support/quick.h"

#include <graze/gltf.h>

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef GRAZE_TEST_NUMERICS

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    CHECK_MSG(cJSON_IsNumber(item), "%s is missing", name);
    return item ? item->valuedouble : (double)NAN;
}

static double at(const cJSON *object, const char *name, int index)
{
    const cJSON *item = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(object, name), index);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

static int length(const cJSON *object, const char *name)
{
    return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(object, name));
}

static cJSON *parse(command_result run)
{
    CHECK_MSG(run.code == 0 && count_lines(run.out) == 1, "code %d: %s", run.code, run.err);
    cJSON *json = cJSON_Parse(run.out);
    CHECK(json);
    command_free(&run);
    return json;
}

/* ---- a model that is posed ------------------------------------------------------------------ */

typedef struct posed {
    graze_rig *rig;
    graze_model *model;
    graze_body *body;
    float *positions;
} posed;

static posed open_model(const char *path)
{
    posed made = {NULL, NULL, NULL, NULL};
    graze_error error = {.text = ""};
    bool good = !graze_gltf_load(path, NULL, &made.rig, &error) &&
                !graze_rig_create_model(made.rig, NULL, &made.model, &error) &&
                !graze_body_create(made.model, &made.body, &error);
    CHECK_MSG(good, "%s", error.text);
    if (made.rig)
        made.positions = malloc(3 * (size_t)made.rig->vertex_count * sizeof(float));
    return made;
}

static void close_model(posed *model)
{
    free(model->positions);
    graze_body_destroy(model->body);
    graze_model_destroy(model->model);
    graze_rig_destroy(model->rig);
}

static void pose(posed *model, const char *clip, double time)
{
    uint32_t index = clip ? graze_rig_find_clip(model->rig, clip) : 0;
    CHECK(!graze_rig_pose_body(model->rig, index, time, NULL, model->body, NULL));
    graze_body_get_positions(model->body, model->positions);
}

/* ---- what holds of every one ---------------------------------------------------------------- */

typedef struct subject {
    const char *model;
    const char *clip; /* NULL: the first */
    double from, fps;
    uint32_t frames;
    uint32_t components;
} subject;

static void check_keys(const graze_rig *rig, const subject *s)
{
    CHECK(rig->clip_count == 1 && rig->clips[0].channel_count == 3);
    for (uint32_t c = 0; c < rig->clips[0].channel_count; c++) {
        const graze_rig_channel *channel = &rig->clips[0].channels[c];
        CHECK(channel->key_count == s->frames);
        for (uint32_t f = 0; f < channel->key_count; f++)
            CHECK(channel->times[f] == (float)(s->from + f / s->fps));
    }
}

/* Errors of the model that was written against the one that was given, and the tails. */
static void check_errors(posed *given, posed *made, const subject *s, const cJSON *line)
{
    size_t size = 3 * (size_t)given->rig->vertex_count;
    double sum = 0, largest = 0, low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
    for (uint32_t f = 0; f < s->frames; f++) {
        pose(given, s->clip, s->from + f / s->fps);
        pose(made, s->clip, s->from + f / s->fps);
        for (size_t i = 0; i < size; i += 3) {
            double square = 0;
            for (size_t k = 0; k < 3; k++) {
                double x = (double)given->positions[i + k];
                square += pow((double)made->positions[i + k] - x, 2);
                low[k] = x < low[k] ? x : low[k];
                high[k] = x > high[k] ? x : high[k];
            }
            sum += square;
            largest = square > largest ? square : largest;
        }
    }
    double count = (double)s->frames * given->rig->vertex_count;
    double extent = hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    double error = at(line, "error", (int)s->components);
    CHECK_MSG(fabs(error - sqrt(sum / count)) < 1e-7 * extent, "%.9g, not %.9g", error,
              sqrt(sum / count));
    CHECK(fabs(number(line, "largest") - sqrt(largest)) < 1e-7 * extent);
    double worst = 0;
    for (int n = 0; n <= (int)s->components; n++) {
        double tail = 0;
        for (int i = n; i < length(line, "singular"); i++)
            tail += pow(at(line, "singular", i), 2);
        worst = fmax(worst, fabs(at(line, "error", n) - sqrt(tail / count)));
        CHECK(n == 0 || at(line, "error", n) <= at(line, "error", n - 1));
    }
    CHECK_MSG(worst < 1e-5 * extent, "%g of %g", worst, extent);
    printf("     %s: %u frames, error %.4g to %.4g of %.4g, off the tail by %.2g of the size\n",
           strrchr(s->model, '/') + 1, s->frames, at(line, "error", 0), error, extent,
           worst / extent);
}

static void check_subject(const subject *s)
{
    char times[96], count[16];
    const char *out = scratch_path(1, "out.glb");
    snprintf(times, sizeof times, "%.17g:%.17g:%.17g", s->from, s->from + (s->frames - 1) / s->fps,
             s->fps);
    snprintf(count, sizeof count, "%u", s->components);
    cJSON *line = parse(RUN("compress", s->model, "--clip", s->clip ? s->clip : "0", "--times",
                            times, "-m", count, "-o", out, "--json"));
    posed given = open_model(s->model), made = open_model(out);
    if (line && given.positions && made.positions) {
        CHECK(number(line, "frames") == s->frames && number(line, "components") == s->components);
        CHECK(length(line, "error") == (int)s->components + 1);
        CHECK(made.rig->vertex_count == given.rig->vertex_count);
        CHECK(made.rig->triangle_count == given.rig->triangle_count);
        CHECK(!memcmp(made.rig->triangles, given.rig->triangles,
                      12 * (size_t)given.rig->triangle_count));
        check_keys(made.rig, s);
        check_errors(&given, &made, s, line);
    }
    close_model(&given);
    close_model(&made);
    cJSON_Delete(line);
}

static const char *curtain(void)
{
    static char path[400];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(0, "curtain.glb"));
        command_result run = RUN("synth", "curtain", "--triangles", "800", "-o", path, "--json");
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
        command_free(&run);
    }
    return path;
}

TEST(a_curtain)
{
    subject s = {curtain(), NULL, 0, 10, 31, 8};
    check_subject(&s);
    s = (subject){curtain(), NULL, 0.5, 24, 12, 3};
    check_subject(&s);
}

/* The walk of CesiumMan and the run of the fox, where the shared models are. */
TEST(shared_characters)
{
    char path[600];
    if (!test_models_folder())
        SKIP_ALLOWED("no shared models");
    double fps = test_amount(30, 12);
    snprintf(path, sizeof path, "%s/CesiumMan.glb", test_models_folder());
    subject s = {path, NULL, 0, fps, (uint32_t)(1.9 * fps), 10};
    check_subject(&s);
    snprintf(path, sizeof path, "%s/Fox.glb", test_models_folder());
    s = (subject){path, "Run", 0, fps, (uint32_t)(1.1 * fps), 10};
    check_subject(&s);
}

/* Fewer components than asked for, and of a model that stands there are none. */
TEST(no_more_components_than_there_are)
{
    const char *out = scratch_path(1, "few.glb");
    command_result run =
        RUN("compress", curtain(), "--times", "0:0.2:10", "-m", "5", "-o", out, "--json");
    cJSON *line = cJSON_Parse(run.out);
    CHECK(run.code == 0 && strstr(run.err, "2 components are all there are"));
    CHECK(number(line, "components") == 2 && length(line, "error") == 6);
    CHECK(at(line, "error", 5) == at(line, "error", 2) && at(line, "error", 2) < 1e-5);
    cJSON_Delete(line);
    command_free(&run);
    run = RUN("compress", curtain(), "--clip", "none", "--times", "0:0.2:10", "-m", "5", "-o", out,
              "--json");
    line = cJSON_Parse(run.out);
    CHECK(run.code == 0 && number(line, "components") == 0 && at(line, "error", 0) < 1e-6);
    cJSON_Delete(line);
    command_free(&run);
    run = RUN("compress", curtain(), "--times", "0:1:10", "-m", "2", "-o", out);
    CHECK(run.code == 0 && strstr(run.out, "2 components  error") && strstr(run.out, "11 frames"));
    command_free(&run);
}

/* ---- folders of OBJ files -------------------------------------------------------------------- */

/* Frames as `graze pose` writes them are the model's own. */
TEST(a_folder_gives_what_the_model_does)
{
    const char *out = scratch_path(1, "folder.glb"), *frames = scratch_path(2, "c#.obj");
    command_result run = RUN("pose", curtain(), "--times", "0:1.1:10", "-o", frames);
    CHECK(run.code == 0 && count_lines(run.out) == 12); /* c0.obj to c11.obj: not in that order */
    command_free(&run);
    cJSON *files = parse(
        RUN("compress", scratch_folder(), "--times", "all:10", "-m", "4", "-o", out, "--json"));
    cJSON *model = parse(RUN("compress", curtain(), "--times", "0:1.1:10", "-m", "4", "-o",
                             scratch_path(3, "model.glb"), "--json"));
    cJSON *some = parse(
        RUN("compress", scratch_folder(), "--times", "0.2:0.7:10", "-m", "4", "-o", out, "--json"));
    CHECK(number(files, "frames") == 12 && number(some, "frames") == 6);
    for (int n = 0; n <= 4; n++)
        CHECK(fabs(at(files, "error", n) - at(model, "error", n)) < 1e-7);
    graze_rig *one = NULL;
    CHECK(!graze_gltf_load(out, NULL, &one, NULL));
    CHECK(one && one->clips[0].channels[0].times[0] == 0.2f);
    graze_rig_destroy(one);
    cJSON_Delete(files);
    cJSON_Delete(model);
    cJSON_Delete(some);
    for (int i = 0; i < 12; i++) {
        char name[20];
        snprintf(name, sizeof name, "c%d.obj", i);
        CHECK(!remove(scratch_path(2, name)));
    }
}

static void refused(const char *what, command_result run, const char *expected)
{
    const char *end = strchr(run.err, '\n');
    CHECK_MSG(run.code == 2 && !run.out[0], "%s: exit code %d", what, run.code);
    CHECK_MSG(end && !end[1] && strstr(run.err, expected), "%s: %s", what, run.err);
    command_free(&run);
}

#define FOLDER(...) RUN("compress", folder, "-m", "1", "-o", out, "--times", __VA_ARGS__)

/* Two files in a folder of their own, which is refused with these words. */
static void refuse_files(const char *first, const char *second, const char *expected)
{
    char folder[400], path[2][420];
    const char *out = scratch_path(3, "none.glb");
    snprintf(folder, sizeof folder, "%s", scratch_path(2, "frames"));
    mkdir(folder, 0700);
    snprintf(path[0], sizeof *path, "%s/1.obj", folder);
    snprintf(path[1], sizeof *path, "%s/2.obj", folder);
    CHECK(write_whole_file(path[0], first, strlen(first)));
    CHECK(write_whole_file(path[1], second, strlen(second)));
    refused(expected, FOLDER("all"), expected);
    remove(path[0]);
    remove(path[1]);
    remove(folder);
}

#define CORNERS "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

TEST(bad_files_are_refused_by_name)
{
    static const char good[] = CORNERS "f 1 2 3\n";
    refuse_files(good, CORNERS "v 1 1 1\nf 1 2 3\n", "2.obj has 4 vertices, ");
    refuse_files(good, CORNERS "f 1 3 2\n", "2.obj has other triangles than ");
    refuse_files(good, CORNERS "f 1/2/3 2//3 -1\nf 1 2 3\n", "2.obj has other triangles than ");
    refuse_files(good, CORNERS "f 1 2 4\n", "2.obj: triangle 0 refers to vertex 3 of 3");
    refuse_files(good, CORNERS "f 1 2\n", "2.obj: line 4: a face needs three corners");
    refuse_files(good, CORNERS "f 1 2 x\n", "2.obj: line 4: a face has a corner");
    refuse_files(good, CORNERS "f 0 1 2\n", "2.obj: line 4: a face refers to a vertex");
    refuse_files("v 0 0\n", good, "1.obj: line 1: a vertex needs three");
    refuse_files("v 0 0 nan\n", good, "1.obj: line 1: a vertex needs three");
    refuse_files("", good, "1.obj: no vertices");
}

TEST(bad_arguments_are_refused)
{
    const char *out = scratch_path(3, "none.glb");
    char folder[400];
    snprintf(folder, sizeof folder, "%s", scratch_path(2, "empty"));
    mkdir(folder, 0700);
    curtain();
    size_t files = scratch_count();
    refused("no model", RUN("compress"), "no model given");
    refused("no times", RUN("compress", curtain(), "-m", "3", "-o", out), "no --times");
    refused("no number", RUN("compress", curtain(), "--times", "all", "-o", out), "no -m N");
    refused("no file", RUN("compress", curtain(), "--times", "all", "-m", "3"), "no -o OUT.glb");
    refused("before 0", RUN("compress", curtain(), "--times", "-1:1:10", "-m", "3", "-o", out),
            "starts at 0 or later");
    refused("too near",
            RUN("compress", curtain(), "--times", "1:1.00001:1e8", "-m", "3", "-o", out),
            "nearer than a file can tell");
    refused("a clip",
            RUN("compress", curtain(), "--clip", "x", "--times", "all", "-m", "3", "-o", out),
            "clip");
    refused("a missing file", RUN("compress", "no.glb", "--times", "all", "-m", "3", "-o", out),
            "no.glb");
    refused("an empty folder", FOLDER("all"), "there are no OBJ files");
    refused("a clip of a folder", FOLDER("all", "--clip", "0"), "--clip and --skin are for models");
    CHECK(scratch_count() == files);
    char path[420];
    snprintf(path, sizeof path, "%s/a.obj", folder);
    CHECK(write_whole_file(path, CORNERS "f 1 2 3", sizeof CORNERS + 6));
    refused("too few files", FOLDER("0:1:10"), "asks for 11 frames from file 0 on");
    refused("between files", FOLDER("0.05:1:10"), "no file is at 0.05 s");
    cJSON *line = parse(FOLDER("all", "--json"));
    CHECK(number(line, "frames") == 1);
    cJSON_Delete(line);
    remove(path);
}

#endif
