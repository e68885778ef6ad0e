/* graze compress: what is written gives the positions behind the errors that are printed. */
#include "harness.h"
#include "support/json.h"
#include "support/own.h"
#include "support/quick.h"

#include <graze/gltf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef GRAZE_TEST_NUMERICS

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

OWN_VALUE(posed, close_model)

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
    double error = number_at(line, "error", (int)s->components);
    CHECK_MSG(fabs(error - sqrt(sum / count)) < 1e-7 * extent, "%.9g, not %.9g", error,
              sqrt(sum / count));
    CHECK(fabs(number(line, "largest") - sqrt(largest)) < 1e-7 * extent);
    double worst = 0;
    for (int n = 0; n <= (int)s->components; n++) {
        double tail = 0;
        for (int i = n; i < size_of(line, "singular"); i++)
            tail += pow(number_at(line, "singular", i), 2);
        worst = fmax(worst, fabs(number_at(line, "error", n) - sqrt(tail / count)));
        CHECK(n == 0 || number_at(line, "error", n) <= number_at(line, "error", n - 1));
    }
    CHECK_MSG(worst < 1e-5 * extent, "%g of %g", worst, extent);
    printf("     %s: %u frames, error %.4g to %.4g of %.4g, off the tail by %.2g of the size\n",
           strrchr(s->model, '/') + 1, s->frames, number_at(line, "error", 0), error, extent,
           worst / extent);
}

static void check_subject(const subject *s)
{
    char times[96], count[16];
    const char *out = scratch_path(1, "out.glb");
    snprintf(times, sizeof times, "%.17g:%.17g:%.17g", s->from, s->from + (s->frames - 1) / s->fps,
             s->fps);
    snprintf(count, sizeof count, "%u", s->components);
    cJSON *line = ONLY_LINE(0, RUN("compress", s->model, "--clip", s->clip ? s->clip : "0",
                                   "--times", times, "-m", count, "-o", out, "--json"));
    OWN(posed) given = open_model(s->model), made = open_model(out);
    if (line && given.positions && made.positions) {
        CHECK(number(line, "frames") == s->frames && number(line, "components") == s->components);
        CHECK(size_of(line, "error") == (int)s->components + 1);
        CHECK(made.rig->vertex_count == given.rig->vertex_count);
        CHECK(made.rig->triangle_count == given.rig->triangle_count);
        CHECK(!memcmp(made.rig->triangles, given.rig->triangles,
                      12 * (size_t)given.rig->triangle_count));
        check_keys(made.rig, s);
        check_errors(&given, &made, s, line);
    }
}

static const char *curtain(void)
{
    static char path[400];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(0, "curtain.glb"));
        command_result run = RUN("synth", "curtain", "--triangles", "800", "-o", path, "--json");
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
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

/* A walk of the man, and where they are that of CesiumMan and the run of the fox. */
TEST(characters)
{
    char path[600];
    double fps = test_amount(30, 12);
    snprintf(path, sizeof path, "%s", scratch_path(1, "man.glb"));
    command_result run = RUN("synth", "man", "--triangles", "3000", "-o", path, "--json");
    CHECK_MSG(run.code == 0, "synth: %s", run.err);
    check_subject(&(subject){path, "walk", 0, fps, (uint32_t)(1.0 * fps), 10});
    remove(path);
    if (!test_models_folder())
        return;
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
    cJSON *line = json_parse(run.out);
    CHECK(run.code == 0 && strstr(run.err, "only 2 components were found"));
    CHECK(number(line, "components") == 2 && size_of(line, "error") == 6);
    CHECK(number_at(line, "error", 5) == number_at(line, "error", 2) &&
          number_at(line, "error", 2) < 1e-5);
    run = RUN("compress", curtain(), "--clip", "none", "--times", "0:0.2:10", "-m", "5", "-o", out,
              "--json");
    line = json_parse(run.out);
    CHECK(run.code == 0 && number(line, "components") == 0 && number_at(line, "error", 0) < 1e-6);
    run = RUN("compress", curtain(), "--times", "0:1:10", "-m", "2", "-o", out);
    CHECK(run.code == 0 && strstr(run.out, "2 components  error") && strstr(run.out, "11 frames"));
}

/* ---- folders of OBJ files -------------------------------------------------------------------- */

/* Frames as `graze pose` writes them are the model's own. */
TEST(a_folder_gives_what_the_model_does)
{
    const char *out = scratch_path(1, "folder.glb"), *frames = scratch_path(2, "c#.obj");
    command_result run = RUN("pose", curtain(), "--times", "0:1.1:10", "-o", frames);
    CHECK(run.code == 0 && count_lines(run.out) == 12); /* c0.obj to c11.obj: not in that order */
    cJSON *files = ONLY_LINE(
        0, RUN("compress", scratch_folder(), "--times", "all:10", "-m", "4", "-o", out, "--json"));
    cJSON *model = ONLY_LINE(0, RUN("compress", curtain(), "--times", "0:1.1:10", "-m", "4", "-o",
                                    scratch_path(3, "model.glb"), "--json"));
    cJSON *some = ONLY_LINE(0, RUN("compress", scratch_folder(), "--times", "0.2:0.7:10", "-m", "4",
                                   "-o", out, "--json"));
    CHECK(number(files, "frames") == 12 && number(some, "frames") == 6);
    for (int n = 0; n <= 4; n++)
        CHECK(fabs(number_at(files, "error", n) - number_at(model, "error", n)) < 1e-7);
    graze_rig *one = NULL;
    CHECK(!graze_gltf_load(out, NULL, &one, NULL));
    CHECK(one && one->clips[0].channels[0].times[0] == 0.2f);
    graze_rig_destroy(one);
    for (int i = 0; i < 12; i++) {
        char name[20];
        snprintf(name, sizeof name, "c%d.obj", i);
        CHECK(!remove(scratch_path(2, name)));
    }
}

#define IN_FOLDER(...) "compress", folder, "-m", "1", "-o", out, "--times", __VA_ARGS__
#define FOLDER_REFUSED(words, ...) REFUSED(words, IN_FOLDER(__VA_ARGS__))

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
    FOLDER_REFUSED(expected, "all");
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
    REFUSED("no model given", "compress");
    REFUSED("no --times", "compress", curtain(), "-m", "3", "-o", out);
    REFUSED("no -m N", "compress", curtain(), "--times", "all", "-o", out);
    REFUSED("no -o OUT.glb", "compress", curtain(), "--times", "all", "-m", "3");
    REFUSED("starts at 0 or later", "compress", curtain(), "--times", "-1:1:10", "-m", "3", "-o",
            out);
    REFUSED("too close together for a file", "compress", curtain(), "--times", "1:1.00001:1e8",
            "-m", "3", "-o", out);
    REFUSED("clip", "compress", curtain(), "--clip", "x", "--times", "all", "-m", "3", "-o", out);
    REFUSED("no.glb", "compress", "no.glb", "--times", "all", "-m", "3", "-o", out);
    FOLDER_REFUSED("there are no OBJ files", "all");
    FOLDER_REFUSED("--clip and --skin are for models", "all", "--clip", "0");
    char path[420];
    snprintf(path, sizeof path, "%s/a.obj", folder);
    CHECK(write_whole_file(path, CORNERS "f 1 2 3", sizeof CORNERS + 6));
    FOLDER_REFUSED("asks for 11 frames from file 0 on", "0:1:10");
    FOLDER_REFUSED("no file is at 0.05 s", "0.05:1:10");
    command_result run = RUN(IN_FOLDER("all", "--json"));
    cJSON *line = OBJECT(&run, 0);
    CHECK(run.code == 0 && count_lines(run.out) == 1);
    CHECK(number(line, "frames") == 1);
    remove(path);
}

#endif
