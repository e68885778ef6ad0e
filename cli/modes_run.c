/* The work of `graze modes`. */
#include "cli/field_model.h"
#include "cli/numerics.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/room.h"
#include "cli/save.h"
#include "cli/text.h"
#include "cli/vector.h"

#include <graze/numerics.h>

/* Keys of a mode's clip, which swings once in its second. */
enum { KEYS_A_SECOND = 32 };

typedef struct modes_work {
    modes_job *job;
    struct character character;
    struct instance instance;
    float *positions; /* as the file poses them */
    bool *held;
    double low[3], high[3]; /* of the positions */
    double alpha, beta;     /* of Rayleigh damping */
    graze_shell_modes *modes;
    double *scales;  /* target = scale x shape */
    double *damping; /* ratios */
    field_model model;
    double seconds;
} modes_work;

/* ---- what is given ------------------------------------------------------------------------- */

static bool pose(modes_work *work)
{
    const graze_rig *rig = work->character.rig;
    size_t vertices = rig->vertex_count;
    work->positions = room(vertices * 3, sizeof *work->positions);
    work->held = room(vertices, sizeof *work->held);
    if (!instance_sample(&work->instance, 0) || !instance_pose(&work->instance))
        return false;
    graze_body_get_positions(work->instance.body, work->positions);
    box_of(work->positions, vertices, work->low, work->high);
    return true;
}

/* "x:0:0.1" */
static bool parse_clamp(const char *text, int *axis, double *from, double *to)
{
    *axis = text[0] >= 'x' && text[0] <= 'z' ? text[0] - 'x' : -1;
    if (*axis < 0 || text[1] != ':')
        return false;
    text += 2;
    return parse_number(&text, ':', from) && parse_number(&text, '\0', to) && *from <= *to;
}

static bool hold(modes_work *work, const char *clamp)
{
    int axis;
    double from, to;
    uint32_t count = work->character.rig->vertex_count, held = 0;
    if (!parse_clamp(clamp, &axis, &from, &to))
        return refuse("modes: --clamp needs AXIS:FROM:TO, as in y:0:0.05, not %s", clamp);
    for (uint32_t v = 0; v < count; v++) {
        float x = work->positions[(size_t)v * 3 + (size_t)axis];
        if (x >= (float)from && x <= (float)to) { /* 0.1 is what the file has for it */
            work->held[v] = true;
            held++;
        }
    }
    if (held == 0)
        fail_usage("modes: --clamp %s holds nothing: %c goes from %.6g to %.6g", clamp, 'x' + axis,
                   work->low[axis], work->high[axis]);
    return held > 0;
}

static bool check_clamps(modes_work *work)
{
    const text_list *clamps = &work->job->clamps;
    uint32_t count = work->character.rig->vertex_count, held = 0;
    for (uint32_t i = 0; i < clamps->count; i++)
        if (!hold(work, clamps->of[i]))
            return false;
    for (uint32_t v = 0; v < count; v++)
        held += work->held[v];
    if (held == count)
        fail_usage("modes: the clamps hold all %u vertices of %s: nothing is left to vibrate",
                   count, work->character.name);
    return held < count;
}

static bool check_numbers(modes_work *work)
{
    const modes_job *job = work->job;
    const char *text = job->rayleigh;
    if (!(job->damping >= 0 && job->damping < 1))
        return refuse("modes: --damping is a share of critical damping, from 0 to below 1");
    if (!(job->amplitude > 0))
        return refuse("modes: --amplitude has to be above 0");
    return !text ||
           (parse_number(&text, ',', &work->alpha) && parse_number(&text, '\0', &work->beta) &&
            work->alpha >= 0 && work->beta >= 0) ||
           refuse("modes: --rayleigh needs ALPHA,BETA, two numbers from 0 on, not %s",
                  job->rayleigh);
}

/* ---- modes --------------------------------------------------------------------------------- */

static bool solve(modes_work *work)
{
    const modes_job *job = work->job;
    const graze_rig *rig = work->character.rig;
    graze_shell_def def = {0};
    graze_error error;
    /* In a def 0 is steel of 1 mm. */
    const char *zero = job->thickness == 0 ? "thickness"
                       : job->young == 0   ? "Young's modulus"
                       : job->density == 0 ? "density"
                                           : NULL;
    if (zero) {
        fail_usage("modes: %s: %s is 0; it has to be above 0", work->character.name, zero);
        return false;
    }
    def.positions = work->positions;
    def.vertex_count = rig->vertex_count;
    def.triangles = rig->triangles;
    def.triangle_count = rig->triangle_count;
    def.held = work->held;
    def.thickness = job->thickness;
    def.young = job->young;
    def.poisson = job->poisson;
    def.no_contraction = job->poisson == 0;
    def.density = job->density;
    def.mode_count = job->count;
    double start = now_us();
    note("finding the modes");
    graze_status status = graze_shell_create_modes(&def, &work->modes, &error);
    note_done();
    work->seconds = (now_us() - start) * 1e-6;
    return !status || refuse("modes: %s: %s", work->character.name, error.text);
}

/* Target m has the largest displacement that was asked for, at weight 1. */
static void scale_modes(modes_work *work)
{
    const graze_shell_modes *modes = work->modes;
    double diagonal2 = 0;
    for (int k = 0; k < 3; k++)
        diagonal2 += (work->high[k] - work->low[k]) * (work->high[k] - work->low[k]);
    for (uint32_t m = 0; m < modes->mode_count; m++) {
        const double *shape = modes->shapes + (size_t)m * modes->vertex_count * 3;
        float *deltas = work->model.rig->morphs[m].deltas;
        double largest = 0, angular = 2 * acos(-1) * modes->frequencies[m];
        for (size_t v = 0; v < modes->vertex_count; v++) {
            const double *d = shape + v * 3;
            double length2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            largest = length2 > largest ? length2 : largest;
        }
        work->scales[m] = work->job->amplitude * sqrt(diagonal2 / largest);
        work->damping[m] = work->job->rayleigh
                               ? work->alpha / (2 * angular) + work->beta * angular / 2
                               : work->job->damping;
        for (size_t i = 0; i < (size_t)modes->vertex_count * 3; i++)
            deltas[i] = (float)(work->scales[m] * shape[i]);
    }
}

/* ---- the file ------------------------------------------------------------------------------ */

static void describe(modes_work *work)
{
    const modes_job *job = work->job;
    const graze_shell_modes *modes = work->modes;
    FILE *text = work->model.text;
    fprintf(text, "{\"targetNames\":[");
    for (uint32_t m = 0; m < modes->mode_count; m++)
        fprintf(text, "%s\"mode %u: %.4g Hz\"", m ? "," : "", m + 1, modes->frequencies[m]);
    put_json(text,
             "],\"grazeModes\":{\"thickness\":%g,\"young\":%g,\"density\":%g,\"poisson\":%g,"
             "\"mass\":%g,\"rigid\":%u,\"modes\":[",
             job->thickness, job->young, job->density, job->poisson, modes->mass,
             modes->rigid_count);
    for (uint32_t m = 0; m < modes->mode_count; m++) {
        fputs(m ? "," : "", text);
        put_json(text, "{\"frequency\":%g,\"damping\":%g,\"scale\":%g}", modes->frequencies[m],
                 work->damping[m], work->scales[m]);
    }
    fprintf(text, "]}}");
}

/* A swing of a mode in a second, the first key at time 0. */
static void swing(graze_rig_channel *channel, uint32_t first_key, uint32_t mode)
{
    for (uint32_t i = 0; i <= KEYS_A_SECOND; i++) {
        uint32_t key = first_key + i;
        channel->times[key] = (float)key / KEYS_A_SECOND;
        channel->values[(size_t)key * channel->morph_count + mode] =
            i % (KEYS_A_SECOND / 2) ? (float)sin(2 * acos(-1) * i / KEYS_A_SECOND) : 0;
    }
}

/* Clip 0 plays one mode after the other, clip m mode m alone. */
static void make_clips(modes_work *work)
{
    graze_rig *rig = work->model.rig;
    uint32_t count = work->modes->mode_count;
    char name[32];
    field_rig_add_clip(rig, 0, "modes", count * KEYS_A_SECOND + 1, false);
    for (uint32_t m = 0; m < count; m++) {
        swing(&rig->clips[0].channels[0], m * KEYS_A_SECOND, m);
        snprintf(name, sizeof name, "mode %u", m + 1);
        field_rig_add_clip(rig, m + 1, name, KEYS_A_SECOND + 1, false);
        swing(&rig->clips[m + 1].channels[0], 0, m);
        field_rig_end_clip(rig, m + 1);
    }
    field_rig_end_clip(rig, 0);
}

static void build(modes_work *work)
{
    const graze_rig *rig = work->character.rig;
    uint32_t count = work->modes->mode_count;
    field_sizes sizes = {"modes", rig->triangles, rig->vertex_count, rig->triangle_count,
                         count,   count + 1};
    work->scales = room(count, sizeof *work->scales);
    work->damping = room(count, sizeof *work->damping);
    field_model_open(&work->model, &sizes);
    memcpy(work->model.rig->positions, work->positions,
           (size_t)rig->vertex_count * 3 * sizeof *work->positions);
    scale_modes(work);
    describe(work);
    field_model_end_extras(&work->model);
    make_clips(work);
}

/* ---- printing ------------------------------------------------------------------------------ */

static void print_modes(const modes_work *work)
{
    const graze_shell_modes *modes = work->modes;
    printf("{\"frequencies\":");
    put_json_list(stdout, modes->frequencies, modes->mode_count, 0);
    print_json(",\"rigid\":%u,\"mass\":%g,\"damping\":", modes->rigid_count, modes->mass);
    put_json_list(stdout, work->damping, modes->mode_count, 0);
    printf(",\"scale\":");
    put_json_list(stdout, work->scales, modes->mode_count, 0);
    print_json(",\"pieces\":%u,\"points\":%u,\"held\":%u,\"flat\":%u,\"loose\":%u,"
               "\"rigid_frequency\":%g,\"orthonormality\":%g",
               modes->piece_count, modes->point_count, modes->held_count, modes->flat_triangles,
               modes->loose_vertices, modes->rigid_frequency, modes->orthonormality);
    if (print_has_times())
        print_json(",\"seconds\":%g", work->seconds);
    puts("}");
}

static void print_table(const modes_work *work)
{
    const graze_shell_modes *modes = work->modes;
    for (uint32_t m = 0; m < modes->mode_count; m++)
        printf("mode %-4u %12.6g Hz   damping %.4g\n", m + 1, modes->frequencies[m],
               work->damping[m]);
    printf("%u rigid modes left out, %.6g kg, %u piece%s, %u of %u points held, %.2f s\n",
           modes->rigid_count, modes->mass, modes->piece_count, modes->piece_count == 1 ? "" : "s",
           modes->held_count, modes->point_count, work->seconds);
}

static void warn(const modes_work *work)
{
    const graze_shell_modes *modes = work->modes;
    const char *name = work->character.name;
    if (modes->flat_triangles)
        output_warn("%s: %u triangles without area were left out", name, modes->flat_triangles);
    if (modes->loose_vertices)
        output_warn("%s: %u vertices in no triangle with area do not move", name,
                    modes->loose_vertices);
    if (modes->piece_count > 1)
        output_warn("%s: %u separate pieces vibrate independently", name, modes->piece_count);
}

static int run_work(modes_work *work)
{
    if (!instance_open(&work->instance, &work->character, &work->job->options, INSTANCE_ALONE) ||
        !check_numbers(work) || !pose(work) || !check_clamps(work) || !solve(work))
        return 2;
    build(work);
    if (!rig_save(work->model.rig, work->job->path))
        return 2;
    output_begin();
    (work->job->options.json ? print_modes : print_table)(work);
    output_end();
    warn(work);
    return 0;
}

int modes_run(modes_job *job)
{
    modes_work work = {.job = job};
    if (!character_load(&work.character, job->model, &job->options))
        return 2;
    int code = run_work(&work);
    field_model_close(&work.model);
    graze_shell_modes_destroy(work.modes);
    free(work.scales);
    free(work.damping);
    free(work.positions);
    free(work.held);
    instance_close(&work.instance);
    character_free(&work.character);
    return code;
}
