/* The volume of a mesh, shared out over its bones.
 *
 * Fitted volumes overlap, and their sum is more than the body. So cells of a grid whose centres are
 * inside the mesh are counted, each for the one joint whose volume it is nearest to, relative to
 * the radius. Of a closed mesh the surface says what is inside, and what the grid gets wrong of the
 * whole is scaled away. Of an open one a generalised winding number of at least a half does
 * (winding.c); there a joint without a cell, as one of a sheet, has the cells of its fitted
 * capsules that are nearest to it.
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

/* Whether a point is inside: of a closed mesh, whose body that is, or of an open one. */
static graze_status ask_inside(graze_body *body, const winding_tree *open, const float point[3],
                               bool *inside, graze_error *error)
{
    graze_point_side side = {.inside = false};
    const double at[3] = {point[0], point[1], point[2]};
    graze_status status = open ? GRAZE_OK : graze_inside(body, point, &side, NULL, error);
    *inside = open ? grazei_ode_winding(open, at) >= 0.5 : side.inside;
    return status;
}

/* Counts cells; *all becomes how many are inside. */
static graze_status count_cells(const graze_rig *rig, graze_body *body, const winding_tree *open,
                                const graze_hitboxes *fit, double cell, mass_of *sums, double *all,
                                graze_error *error)
{
    double low[3], high[3], at[3];
    find_box(rig, low, high);
    *all = 0;
    for (at[0] = low[0] + cell / 2; at[0] < high[0]; at[0] += cell)
        for (at[1] = low[1] + cell / 2; at[1] < high[1]; at[1] += cell)
            for (at[2] = low[2] + cell / 2; at[2] < high[2]; at[2] += cell) {
                const float point[3] = {(float)at[0], (float)at[1], (float)at[2]};
                bool inside;
                graze_status status = ask_inside(body, open, point, &inside, error);
                if (status)
                    return status;
                if (!inside)
                    continue;
                count_cell(&sums[nearest_joint(fit, point)], at);
                ++*all;
            }
    return GRAZE_OK;
}

/* From a number of cells to their volume. */
static void scale_sum(mass_of *sum, double cell, double scale)
{
    /* a cell's own second moments, which its centre does not have */
    for (int k = 0; k < 3; k++)
        sum->second[k] = (sum->second[k] + sum->volume * cell * cell / 12) * scale;
    for (int k = 0; k < 3; k++) {
        sum->first[k] *= scale;
        sum->second[3 + k] *= scale;
    }
    sum->volume *= scale;
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

/* Counts what of a joint's fitted capsules is nearest to it, or all of it, on a grid of its own. */
static void count_capsule(const graze_hitboxes *fit, const graze_hitbox *volume, bool whole,
                          mass_of *sum)
{
    enum { ALONG = 24 };
    const graze_capsule *capsule = &volume->rest;
    double low[3], size = 0, r = capsule->radius;
    mass_of own = {.volume = 0};
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(capsule->p[k], capsule->q[k]) - r;
        size = fmax(size, fmax(capsule->p[k], capsule->q[k]) + r - low[k]);
    }
    const double cell = size / ALONG;
    for (int i = 0; i < ALONG * ALONG * ALONG; i++) {
        const double at[3] = {low[0] + (i % ALONG + 0.5) * cell,
                              low[1] + (i / ALONG % ALONG + 0.5) * cell,
                              low[2] + (i / (ALONG * ALONG) + 0.5) * cell};
        const float point[3] = {(float)at[0], (float)at[1], (float)at[2]};
        if (nearness(capsule, point) <= 1 && (whole || nearest_joint(fit, point) == volume->joint))
            count_cell(&own, at);
    }
    scale_sum(&own, cell, cell * cell * cell);
    grazei_ode_add_mass(sum, &own);
}

void grazei_ode_take_capsule(const graze_hitboxes *fit, uint32_t joint, bool whole, mass_of *sum)
{
    uint32_t outer;
    graze_hitboxes_count(fit, &outer);
    for (uint32_t i = 0; i < outer; i++) {
        graze_hitbox volume = graze_hitboxes_get(fit, i);
        if (volume.joint == joint)
            count_capsule(fit, &volume, whole, sum);
    }
}

/* Opens the mesh's winding numbers if it is open. */
static graze_status look_inside(const graze_rig *rig, const graze_model *model, winding_tree **open,
                                graze_error *error)
{
    bool closed = false;
    graze_status status = graze_model_is_closed(model, &closed, error);
    if (status || (closed && mesh_volume(rig) > 0))
        return status;
    return grazei_ode_open_winding(rig, open, error);
}

graze_status grazei_ode_find_volumes(const graze_rig *rig, const graze_model *model,
                                     const graze_hitboxes *fit, const graze_ragdoll_def *def,
                                     mass_of *sums, graze_error *error)
{
    winding_tree *open = NULL;
    graze_body *body = NULL;
    double all = 0, cell = cell_of(rig, def), volume = mesh_volume(rig);
    graze_status status = look_inside(rig, model, &open, error);
    if (!status && !open)
        status = graze_body_create(model, &body, error);
    if (!status)
        status = count_cells(rig, body, open, fit, cell, sums, &all, error);
    if (!status && def->cell > 0 && !(all > 0))
        status = fail(error, GRAZE_BAD_INPUT, "no cell of %g m fits into the mesh", cell);
    for (uint32_t j = 0; j < rig->joint_count && !status; j++)
        if (sums[j].volume > 0)
            scale_sum(&sums[j], cell, open ? cell * cell * cell : volume / all);
    for (uint32_t j = 0; j < rig->joint_count && !status && open; j++)
        if (!(sums[j].volume > 0))
            grazei_ode_take_capsule(fit, j, false, &sums[j]);
    graze_body_destroy(body);
    grazei_ode_close_winding(rig, open);
    return status;
}
