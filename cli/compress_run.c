/* The work of `graze compress`. */
#include "cli/field_model.h"
#include "cli/frames.h"
#include "cli/numerics.h"
#include "cli/obj_frames.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/room.h"
#include "cli/save.h"
#include "cli/text.h"

#include <graze/numerics.h>

#include <math.h>

typedef struct compress_work {
    compress_job *job;
    struct character character; /* of a model */
    struct instance instance;
    obj_frames files; /* of a folder */
    uint32_t first_file;

    const char *clip_name;
    const uint32_t *triangles;
    uint32_t vertex_count, triangle_count, frame_count;
    float *positions; /* frame after frame */
    graze_components *components;
    field_model model;
    double *errors; /* job->count + 1 */
    double largest;
    double seconds;
} compress_work;

/* ---- frames of a model --------------------------------------------------------------------- */

static bool pose_frames(compress_work *work)
{
    model_options *options = &work->job->options;
    size_t size = (size_t)work->vertex_count * 3;
    struct progress progress = progress_start("compress");
    bool good = true;
    work->positions = room(work->frame_count * size, sizeof *work->positions);
    for (uint32_t f = 0; good && f < work->frame_count; f++) {
        good = instance_sample(&work->instance, frame_time(options, f)) &&
               instance_pose(&work->instance);
        if (good)
            graze_body_get_positions(work->instance.body, work->positions + f * size);
        progress_show(&progress, f + 1, work->frame_count);
    }
    progress_end(&progress);
    return good;
}

static bool take_model(compress_work *work)
{
    compress_job *job = work->job;
    if (!character_load(&work->character, job->model, &job->options) ||
        !instance_open(&work->instance, &work->character, &job->options, INSTANCE_ALONE))
        return false;
    const graze_rig *rig = work->character.rig;
    uint32_t clip = work->instance.placing.clip;
    cast_list cast = {{&work->instance}, 1};
    if (!frames_settle(&job->options, &cast))
        return false;
    frames_warn(&job->options, &cast);
    work->clip_name = clip != GRAZE_NONE ? rig->clips[clip].name : NULL;
    work->triangles = rig->triangles;
    work->triangle_count = rig->triangle_count;
    work->vertex_count = rig->vertex_count;
    work->frame_count = frame_count(&job->options);
    return true;
}

/* ---- frames of a folder -------------------------------------------------------------------- */

/* File k is at k/FPS: which of them the times ask for. */
static bool choose_files(compress_work *work)
{
    frame_range *range = &work->job->options.times;
    uint32_t files = work->files.frame_count;
    if (range->all)
        range->to = (files - 1) / range->fps;
    double first = range->from * range->fps;
    work->frame_count = frame_count(&work->job->options);
    if (!(first >= 0) || fabs(first - round(first)) > 1e-3)
        return refuse("compress: --times: no file is at %.9g s: file k is at k/%.9g", range->from,
                      range->fps);
    if (round(first) + work->frame_count > files)
        return refuse("compress: --times asks for %u frames from file %.0f on, and %s has %u files",
                      work->frame_count, round(first), work->job->model, files);
    work->first_file = (uint32_t)round(first);
    return true;
}

static bool take_folder(compress_work *work)
{
    const model_options *options = &work->job->options;
    if (options->clip || options->skin)
        return refuse("compress: --clip and --skin are for models, not for files");
    if (!obj_frames_open(&work->files, work->job->model) || !choose_files(work))
        return false;
    work->positions = obj_frames_read(&work->files, work->first_file, work->frame_count);
    work->triangles = work->files.triangles;
    work->triangle_count = work->files.triangle_count;
    work->vertex_count = work->files.vertex_count;
    return work->positions;
}

/* ---- what is written ------------------------------------------------------------------------- */

static bool check_times(const compress_work *work)
{
    const model_options *options = &work->job->options;
    if (options->times.from < 0)
        return refuse("compress: --times starts at %.9g; a clip in a file starts at 0 or later",
                      options->times.from);
    for (uint32_t f = 1; f < work->frame_count; f++)
        if (!((float)frame_time(options, f) > (float)frame_time(options, f - 1)))
            return refuse(
                "compress: --times: frames at %.9g s are too close together for a file's times",
                frame_time(options, f));
    if ((uint64_t)work->frame_count * work->vertex_count > INT32_MAX / 3)
        return refuse("compress: %u frames of %u vertices are too many at once", work->frame_count,
                      work->vertex_count);
    return true;
}

static bool solve(compress_work *work)
{
    graze_frames_def def = {.positions = work->positions,
                            .frame_count = work->frame_count,
                            .vertex_count = work->vertex_count,
                            .component_count = work->job->count};
    graze_error error;
    double start = now_us();
    note("finding the components");
    graze_status status = graze_frames_create_components(&def, &work->components, &error);
    note_done();
    work->seconds = (now_us() - start) * 1e-6;
    return !status || refuse("compress: %s: %s", work->job->model, error.text);
}

/* Targets and weights, so scaled that no weight is beyond 1. */
static void fill_targets(compress_work *work, graze_rig_channel *weights)
{
    const graze_components *from = work->components;
    size_t size = (size_t)work->vertex_count * 3, count = from->component_count;
    for (uint32_t c = 0; c < count; c++) {
        float *deltas = work->model.rig->morphs[c].deltas;
        double most = 0;
        for (uint32_t f = 0; f < work->frame_count; f++)
            most = fmax(most, fabs(from->weights[f * count + c]));
        for (size_t i = 0; i < size; i++)
            deltas[i] = (float)(from->components[c * size + i] * most);
        for (uint32_t f = 0; f < work->frame_count; f++)
            weights->values[f * count + c] = (float)(from->weights[f * count + c] / most);
    }
}

static void fill_clip(compress_work *work)
{
    const graze_components *from = work->components;
    graze_rig *rig = work->model.rig;
    graze_rig_channel *channels = rig->clips[0].channels;
    for (uint32_t f = 0; f < work->frame_count; f++) {
        channels[0].times[f] = (float)frame_time(&work->job->options, f);
        for (int k = 0; k < 3; k++)
            channels[0].values[f * 3 + k] = (float)from->translations[f * 3 + k];
        for (int k = 0; k < 4; k++)
            channels[1].values[f * 4 + k] = (float)from->rotations[f * 4 + k];
    }
    for (size_t i = 0; i < (size_t)work->vertex_count * 3; i++)
        rig->positions[i] = (float)from->mean[i];
    if (from->component_count)
        fill_targets(work, &channels[2]);
    for (uint32_t c = 0; c < from->component_count; c++)
        rig->morphs[c].weight = channels[2].values[c];
    memcpy(rig->nodes[0].translation, channels[0].values, sizeof rig->nodes[0].translation);
    memcpy(rig->nodes[0].rotation, channels[1].values, sizeof rig->nodes[0].rotation);
    field_rig_end_clip(rig, 0);
}

static void describe(compress_work *work)
{
    const graze_components *from = work->components;
    field_model *model = &work->model;
    fprintf(model->text, "{\"targetNames\":[");
    for (uint32_t c = 0; c < from->component_count; c++)
        fprintf(model->text, "%s\"component %u\"", c ? "," : "", c + 1);
    fprintf(model->text, "],\"grazeComponents\":{\"frames\":%u,\"error\":", work->frame_count);
    put_json_list(model->text, work->errors, work->job->count + 1, 0);
    put_json(model->text, ",\"largest\":%g}}", work->largest);
}

static void build(compress_work *work)
{
    const char *clip = work->clip_name && *work->clip_name ? work->clip_name : "frames";
    field_sizes sizes = {"body",
                         work->triangles,
                         work->vertex_count,
                         work->triangle_count,
                         work->components->component_count,
                         1};
    work->errors = room((size_t)work->job->count + 1, sizeof *work->errors);
    field_model_open(&work->model, &sizes);
    field_rig_add_clip(work->model.rig, 0, clip, work->frame_count, true);
    fill_clip(work);
}

/* ---- errors, of what is written ----------------------------------------------------------------
 */

static void to_matrix(const float rotation[4], double m[9])
{
    double q[4], length = 0;
    for (int i = 0; i < 4; i++)
        length += (double)rotation[i] * (double)rotation[i];
    for (int i = 0; i < 4; i++)
        q[i] = (double)rotation[i] / sqrt(length);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int third = 3 - i - k, sign = (k - i + 3) % 3 == 1 ? -1 : 1;
            m[i * 3 + k] =
                i == k ? 1 - 2 * (q[(i + 1) % 3] * q[(i + 1) % 3] + q[(i + 2) % 3] * q[(i + 2) % 3])
                       : 2 * (q[i] * q[k] + sign * q[third] * q[3]);
        }
}

/* Adds the squared distances of a frame's vertices with 0, 1, ... all components. */
static void add_squares(const compress_work *work, uint32_t frame, double *sums)
{
    const graze_rig *rig = work->model.rig;
    const graze_rig_channel *channels = rig->clips[0].channels;
    const float *moved = channels[0].values + (size_t)frame * 3;
    const float *given = work->positions + (size_t)frame * work->vertex_count * 3;
    double m[9];
    to_matrix(channels[1].values + (size_t)frame * 4, m);
    for (size_t v = 0; v < work->vertex_count; v++) {
        double own[3];
        for (size_t k = 0; k < 3; k++)
            own[k] = (double)rig->positions[v * 3 + k];
        for (uint32_t c = 0; c <= rig->morph_count; c++) {
            for (size_t k = 0; k < 3; k++) {
                const double *row = m + k * 3;
                double miss = row[0] * own[0] + row[1] * own[1] + row[2] * own[2] +
                              (double)moved[k] - (double)given[v * 3 + k];
                sums[c] += miss * miss;
            }
            if (c == rig->morph_count)
                break;
            double weight = (double)channels[2].values[(size_t)frame * rig->morph_count + c];
            for (size_t k = 0; k < 3; k++)
                own[k] += weight * (double)rig->morphs[c].deltas[v * 3 + k];
        }
    }
}

/* The squared distances with all of them, as a query poses them; also finds the largest. */
static bool pose_again(compress_work *work, double *sum)
{
    graze_rig *rig = work->model.rig;
    size_t size = (size_t)work->vertex_count * 3;
    graze_error error;
    graze_model_def def = graze_rig_model_def(rig);
    graze_model *model = NULL;
    graze_body *body = NULL;
    float *posed = room(size, sizeof *posed);
    bool good = !graze_rig_create_model(rig, &def, &model, &error) &&
                !graze_body_create(model, &body, &error);
    double largest = 0;
    *sum = 0;
    for (uint32_t f = 0; good && f < work->frame_count; f++) {
        const float *given = work->positions + f * size;
        good = !graze_rig_pose_body(rig, 0, frame_time(&work->job->options, f), NULL, body, &error);
        if (good)
            graze_body_get_positions(body, posed);
        for (size_t i = 0; good && i < size; i += 3) {
            double square = 0;
            for (size_t k = i; k < i + 3; k++)
                square +=
                    ((double)posed[k] - (double)given[k]) * ((double)posed[k] - (double)given[k]);
            *sum += square;
            largest = square > largest ? square : largest;
        }
    }
    work->largest = sqrt(largest);
    if (!good)
        fail_usage("compress: %s", error.text);
    graze_body_destroy(body);
    graze_model_destroy(model);
    free(posed);
    return good;
}

static bool measure(compress_work *work)
{
    uint32_t made = work->components->component_count;
    double count = (double)work->frame_count * work->vertex_count;
    for (uint32_t f = 0; f < work->frame_count; f++)
        add_squares(work, f, work->errors);
    if (!pose_again(work, &work->errors[made]))
        return false;
    for (uint32_t n = 0; n <= work->job->count; n++)
        work->errors[n] = n <= made ? sqrt(work->errors[n] / count) : work->errors[made];
    return true;
}

/* ---- printing ------------------------------------------------------------------------------ */

static void print(const compress_work *work)
{
    const graze_components *from = work->components;
    uint32_t made = from->component_count;
    if (work->job->options.json) {
        printf("{\"frames\":%u,\"components\":%u,\"error\":", work->frame_count, made);
        put_json_list(stdout, work->errors, work->job->count + 1, 0);
        print_json(",\"largest\":%g,\"singular\":", work->largest);
        put_json_list(stdout, from->singular_values, from->singular_count, 0);
        printf(",\"vertices\":%u", work->vertex_count);
        if (print_has_times())
            print_json(",\"seconds\":%g", work->seconds);
        puts("}");
        return;
    }
    for (uint32_t n = 0; n <= made; n++)
        printf("%4u component%s  error %.6g\n", n, n == 1 ? " " : "s", work->errors[n]);
    printf("%u frames of %u vertices, largest distance %.6g, %.2f s\n", work->frame_count,
           work->vertex_count, work->largest, work->seconds);
}

static int run_work(compress_work *work)
{
    bool folder = obj_frames_is_folder(work->job->model);
    if (!(folder ? take_folder(work) : take_model(work)) || !check_times(work) ||
        (!folder && !pose_frames(work)) || !solve(work))
        return 2;
    build(work);
    if (!measure(work))
        return 2;
    describe(work);
    field_model_end_extras(&work->model);
    if (!rig_save(work->model.rig, work->job->path))
        return 2;
    output_begin();
    print(work);
    output_end();
    if (work->components->component_count < work->job->count)
        output_warn("%s: only %u components were found", work->job->model,
                    work->components->component_count);
    return 0;
}

int compress_run(compress_job *job)
{
    compress_work work = {.job = job};
    int code = run_work(&work);
    field_model_close(&work.model);
    graze_components_destroy(work.components);
    free(work.errors);
    free(work.positions);
    obj_frames_close(&work.files);
    instance_close(&work.instance);
    character_free(&work.character);
    return code;
}
