/* The volume of a mesh, shared out over its bones.
 *
 * Fitted volumes overlap, and their sum is more than the body. So cells of a grid whose centres are
 * inside the mesh are counted, each for the one joint whose volume it is nearest to, relative to
 * the radius; what the grid gets wrong of the whole is scaled away.
 */
#include "ragdoll.h"

/* Six times the signed volume below a triangle, summed up. */
static double mesh_volume(const graze_rig *rig)
{
    double sum = 0;
    for (uint32_t i = 0; i < rig->triangle_count; i++) {
        double c[3][3], across[3];
        for (int k = 0; k < 3; k++)
            for (int x = 0; x < 3; x++)
                c[k][x] = rig->positions[3 * (size_t)rig->triangles[3 * (size_t)i + k] + x];
        cross3(c[1], c[2], across);
        sum += dot3(c[0], across);
    }
    return sum / 6;
}

static void find_box(const graze_rig *rig, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (size_t i = 0; i < 3 * (size_t)rig->vertex_count; i++) {
        double x = rig->positions[i];
        low[i % 3] = x < low[i % 3] ? x : low[i % 3];
        high[i % 3] = x > high[i % 3] ? x : high[i % 3];
    }
}

/* Squared distance from the axis of a capsule, over its squared radius. */
static double nearness(const graze_capsule *volume, const float point[3])
{
    double along[3], from[3];
    for (int k = 0; k < 3; k++) {
        along[k] = (double)volume->q[k] - volume->p[k];
        from[k] = (double)point[k] - volume->p[k];
    }
    double square = dot3(along, along), t = square > 0 ? dot3(along, from) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++)
        from[k] -= t * along[k];
    double radius = volume->radius > 1e-6 ? volume->radius : 1e-6;
    return dot3(from, from) / (radius * radius);
}

static uint32_t nearest_joint(const graze_hitboxes *fit, const float point[3])
{
    uint32_t best = 0;
    double least = INFINITY;
    uint32_t outer;
    graze_hitboxes_count(fit, &outer);
    for (uint32_t i = 0; i < outer; i++) {
        graze_hitbox volume = graze_hitboxes_get(fit, i);
        double d = nearness(&volume.rest, point);
        if (d < least) {
            least = d;
            best = volume.joint;
        }
    }
    return best;
}

static void count_cell(mass_of *sum, const double at[3])
{
    sum->volume++;
    for (int k = 0; k < 3; k++) {
        sum->first[k] += at[k];
        sum->second[k] += at[k] * at[k];
        sum->second[3 + k] += at[k] * at[(k + 1) % 3];
    }
}

/* Counts cells; *all becomes how many are inside. */
static graze_status count_cells(const graze_rig *rig, graze_body *body, const graze_hitboxes *fit,
                                double cell, mass_of *sums, double *all, graze_error *error)
{
    double low[3], high[3], at[3];
    find_box(rig, low, high);
    *all = 0;
    for (at[0] = low[0] + cell / 2; at[0] < high[0]; at[0] += cell)
        for (at[1] = low[1] + cell / 2; at[1] < high[1]; at[1] += cell)
            for (at[2] = low[2] + cell / 2; at[2] < high[2]; at[2] += cell) {
                const float point[3] = {(float)at[0], (float)at[1], (float)at[2]};
                graze_point_side side;
                graze_status status = graze_inside(body, point, &side, NULL, error);
                if (status)
                    return status;
                if (!side.inside)
                    continue;
                count_cell(&sums[nearest_joint(fit, point)], at);
                ++*all;
            }
    return GRAZE_OK;
}

/* The grid's edge: the def's, but never so fine that a body takes minutes. */
static double cell_of(const graze_rig *rig, const graze_ragdoll_def *def)
{
    double low[3], high[3], size = 0;
    find_box(rig, low, high);
    for (int k = 0; k < 3; k++)
        size = high[k] - low[k] > size ? high[k] - low[k] : size;
    double cell = def->cell > 0 ? def->cell : size / 90;
    return cell < size / 500 ? size / 500 : cell;
}

graze_status grazei_ode_find_volumes(const graze_rig *rig, const graze_model *model,
                                     const graze_hitboxes *fit, const graze_ragdoll_def *def,
                                     mass_of *sums, graze_error *error)
{
    bool closed = false;
    graze_body *body = NULL;
    double all = 0, cell = cell_of(rig, def), volume = mesh_volume(rig);
    graze_status status = graze_model_is_closed(model, &closed, error);
    if (status)
        return status;
    if (!closed)
        return fail(error, GRAZE_BAD_INPUT,
                    "the mesh is open, so that it has no volume to take masses from");
    if (!(volume > 0))
        return fail(error, GRAZE_BAD_INPUT,
                    "the mesh has a volume of %g m3: its triangles face inwards, or cancel out",
                    volume);
    status = graze_body_create(model, &body, error);
    if (!status)
        status = count_cells(rig, body, fit, cell, sums, &all, error);
    graze_body_destroy(body);
    if (!status && !(all > 0))
        status = fail(error, GRAZE_BAD_INPUT, "no cell of %g m fits into the mesh", cell);
    for (uint32_t j = 0; j < rig->joint_count && !status; j++) {
        double scale = volume / all;
        /* a cell's own second moments, which its centre does not have */
        for (int k = 0; k < 3; k++)
            sums[j].second[k] = (sums[j].second[k] + sums[j].volume * cell * cell / 12) * scale;
        for (int k = 0; k < 3; k++) {
            sums[j].first[k] *= scale;
            sums[j].second[3 + k] *= scale;
        }
        sums[j].volume *= scale;
    }
    return status;
}
