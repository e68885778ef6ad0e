/* Modes and components as rigs. */
#include "cli/simulate_fields.h"

#include "cli/room.h"
#include "cli/vector.h"

#include <graze/numerics.h>

/* The largest displacement of a mode at weight 1, of the size of the thing. */
static const double amplitude = 0.05;

/* ---- modes ---------------------------------------------------------------------------------- */

/* Target m goes as far as the amplitude at its farthest vertex. */
static void take_mode(const graze_shell_modes *modes, uint32_t m, double farthest,
                      simulate_kind *kind)
{
    const size_t count = modes->vertex_count;
    const double *shape = modes->shapes + (size_t)m * count * 3;
    double largest = 0;
    for (size_t v = 0; v < count; v++) {
        const double *d = shape + v * 3;
        double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        largest = square > largest ? square : largest;
    }
    kind->scales[m] = farthest / sqrt(largest);
    kind->frequencies[m] = modes->frequencies[m];
    for (size_t i = 0; i < count * 3; i++)
        kind->rig->morphs[m].deltas[i] = (float)(kind->scales[m] * shape[i]);
}

graze_status simulate_find_modes(const simulate_sheet *sheet, const float *positions,
                                 const graze_rig *mesh, double most_frequency, simulate_kind *kind,
                                 graze_error *error)
{
    graze_shell_def def = {0};
    graze_shell_modes *modes = NULL;
    def.positions = positions;
    def.vertex_count = mesh->vertex_count;
    def.triangles = mesh->triangles;
    def.triangle_count = mesh->triangle_count;
    def.thickness = sheet->thickness;
    def.young = sheet->young;
    def.poisson = sheet->poisson;
    def.no_contraction = sheet->poisson == 0;
    def.density = sheet->density;
    def.mode_count = sheet->mode_count;
    graze_status status = graze_shell_create_modes(&def, &modes, error);
    if (status)
        return status;
    while (kind->field_count < modes->mode_count &&
           (most_frequency == 0 || modes->frequencies[kind->field_count] < most_frequency))
        kind->field_count++;
    kind->rig = simulate_make_rig(mesh, kind->name, kind->field_count, NULL, 0, false);
    double low[3], high[3];
    box_of(positions, mesh->vertex_count, low, high);
    const double diagonal[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    const double farthest = amplitude * length_of(diagonal);
    memcpy(kind->rig->positions, positions, (size_t)mesh->vertex_count * 3 * sizeof *positions);
    for (uint32_t m = 0; m < kind->field_count; m++) {
        take_mode(modes, m, farthest, kind);
        kind->damping[m] = sheet->damping;
    }
    graze_shell_modes_destroy(modes);
    return GRAZE_OK;
}

/* ---- components ----------------------------------------------------------------------------- */

/* So many vertices are enough to find how a mesh moves; the others follow. */
enum { MOST_SAMPLES = 20000 };

/* Every so manieth vertex of all frames. */
static float *sample(const float *frames, uint32_t frame_count, size_t vertex_count, size_t stride,
                     size_t count)
{
    float *samples = room((size_t)frame_count * count * 3, sizeof *samples);
    for (size_t f = 0; f < frame_count; f++)
        for (size_t i = 0; i < count; i++)
            memcpy(samples + (f * count + i) * 3, frames + (f * vertex_count + i * stride) * 3,
                   3 * sizeof *samples);
    return samples;
}

/* Weights, scaled so that none is beyond 1, and rigid motion. */
static void take_motion(const graze_components *from, simulate_kind *kind)
{
    const size_t count = from->component_count;
    for (size_t c = 0; c < count; c++) {
        double most = 0;
        for (size_t f = 0; f < from->frame_count; f++) {
            double weight = fabs(from->weights[f * count + c]);
            most = weight > most ? weight : most;
        }
        for (size_t f = 0; f < from->frame_count; f++)
            kind->weights[f * count + c] = from->weights[f * count + c] / most;
    }
    for (size_t f = 0; f < from->frame_count; f++) {
        memcpy(kind->motion + f * 7, from->translations + f * 3, 3 * sizeof(double));
        memcpy(kind->motion + f * 7 + 3, from->rotations + f * 4, 4 * sizeof(double));
    }
}

/* Where a vertex is in every frame, rigid motion taken out: 3 numbers each. */
static void follow(const float *frames, size_t vertex, const simulate_kind *kind, double *path)
{
    const size_t size = (size_t)kind->rig->vertex_count * 3;
    for (size_t f = 0; f < kind->frame_count; f++) {
        const double *motion = kind->motion + f * 7;
        const double back[4] = {-motion[3], -motion[4], -motion[5], motion[6]};
        double off[3];
        for (size_t k = 0; k < 3; k++)
            off[k] = (double)frames[f * size + vertex * 3 + k] - motion[k];
        turn_vector(back, off, path + f * 3);
    }
}

/* Mean and components of a vertex, those that come nearest to its path: weights are orthogonal and
 * their means 0, so each component is found by itself.
 */
static void fit(const double *path, size_t vertex, const double *squares, simulate_kind *kind)
{
    const size_t count = kind->field_count, frames = kind->frame_count;
    for (size_t k = 0; k < 3; k++) {
        double mean = 0;
        for (size_t f = 0; f < frames; f++)
            mean += path[f * 3 + k] / (double)frames;
        kind->rig->positions[vertex * 3 + k] = (float)mean;
        for (size_t c = 0; c < count; c++) {
            double sum = 0;
            for (size_t f = 0; f < frames; f++)
                sum += kind->weights[f * count + c] * (path[f * 3 + k] - mean);
            kind->rig->morphs[c].deltas[vertex * 3 + k] = (float)(sum / squares[c]);
        }
    }
}

static void fit_all(const float *frames, simulate_kind *kind)
{
    double *path = room((size_t)kind->frame_count * 3, sizeof *path);
    double squares[SIMULATE_MOST_FIELDS] = {0};
    for (size_t i = 0; i < (size_t)kind->frame_count * kind->field_count; i++)
        squares[i % kind->field_count] += kind->weights[i] * kind->weights[i];
    for (size_t v = 0; v < kind->rig->vertex_count; v++) {
        follow(frames, v, kind, path);
        fit(path, v, squares, kind);
    }
    free(path);
}

/* Squared distances of a frame's vertices from those of the floats that the rig has. */
static void measure_frame(const float *frame, size_t f, const simulate_kind *kind, double *sum,
                          double *largest)
{
    const graze_rig *rig = kind->rig;
    const double *motion = kind->motion + f * 7, *weights = kind->weights + f * kind->field_count;
    for (size_t v = 0; v < rig->vertex_count; v++) {
        double at[3], turned[3], square = 0;
        for (size_t k = 0; k < 3; k++) {
            at[k] = (double)rig->positions[v * 3 + k];
            for (uint32_t c = 0; c < kind->field_count; c++)
                at[k] += weights[c] * (double)rig->morphs[c].deltas[v * 3 + k];
        }
        turn_vector(motion + 3, at, turned);
        for (size_t k = 0; k < 3; k++) {
            double miss = turned[k] + motion[k] - (double)frame[v * 3 + k];
            square += miss * miss;
        }
        *sum += square;
        *largest = square > *largest ? square : *largest;
    }
}

static void measure(const float *frames, simulate_kind *kind)
{
    double sum = 0, largest = 0;
    const size_t count = kind->rig->vertex_count;
    for (size_t f = 0; f < kind->frame_count; f++)
        measure_frame(frames + f * count * 3, f, kind, &sum, &largest);
    kind->error = sqrt(sum / ((double)kind->frame_count * (double)count));
    kind->largest = sqrt(largest);
}

static void take_components(const graze_components *from, const float *frames,
                            const graze_rig *mesh, simulate_kind *kind)
{
    const uint32_t count = kind->field_count = from->component_count;
    kind->rig = simulate_make_rig(mesh, kind->name, count, "sway", kind->frame_count + 1, true);
    kind->weights = room((size_t)kind->frame_count * count, sizeof *kind->weights);
    kind->motion = room((size_t)kind->frame_count * 7, sizeof *kind->motion);
    take_motion(from, kind);
    fit_all(frames, kind);
    measure(frames, kind);
}

graze_status simulate_find_components(const float *frames, uint32_t most, const graze_rig *mesh,
                                      simulate_kind *kind, graze_error *error)
{
    const uint32_t stride = mesh->vertex_count / MOST_SAMPLES + 1;
    graze_frames_def def = {.frame_count = kind->frame_count,
                            .vertex_count = (mesh->vertex_count - 1) / stride + 1,
                            .component_count = most};
    graze_components *components = NULL;
    float *samples =
        sample(frames, kind->frame_count, mesh->vertex_count, stride, def.vertex_count);
    def.positions = samples;
    graze_status status = graze_frames_create_components(&def, &components, error);
    free(samples);
    if (!status)
        take_components(components, frames, mesh, kind);
    graze_components_destroy(components);
    return status;
}
