/* Fitting volumes at rest, and gathering the clusters that bound them in a pose. */
#include "parts/fit.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/rounding.h"

#include <string.h>

/* What is needed only while a fit is made. */
typedef struct fitter {
    graze_fit *fit;
    uint32_t max_clusters;
    uint32_t *stamps;  /* one a vertex: the last part it was found in, plus 1 */
    uint32_t *scratch; /* one a vertex */
    double *weights;   /* one a joint, zero between uses */
    grazei_ball *balls;
} fitter;

graze_fit_def graze_default_fit_def(void)
{
    graze_fit_def def = {.clusters = 64};
    return def;
}

/* ---- clusters ------------------------------------------------------------------------------- */

static const float *position(const fitter *f, uint32_t vertex)
{
    return f->fit->model->mesh.positions + 3 * (size_t)vertex;
}

/* The longest side of the box around a cluster's vertices; its axis and middle. */
static double longest_side(const fitter *f, const grazei_cluster *c, int *axis, float *middle)
{
    double longest = -1;
    for (int k = 0; k < 3; k++) {
        float low = FLT_MAX, high = -FLT_MAX;
        for (uint32_t i = 0; i < c->count; i++) {
            float x = position(f, f->fit->vertices[c->first + i])[k];
            low = fminf(low, x);
            high = fmaxf(high, x);
        }
        if ((double)high - (double)low > longest) {
            longest = (double)high - (double)low;
            *axis = k;
            *middle = low / 2 + high / 2;
            if (!(*middle < high)) /* neighbouring floats */
                *middle = low;
        }
    }
    return longest;
}

/* Splits a cluster across the middle of its longest side; the second half goes to other. */
static void split(fitter *f, grazei_cluster *c, grazei_cluster *other)
{
    int axis = 0;
    float middle = 0;
    longest_side(f, c, &axis, &middle);
    uint32_t *v = f->fit->vertices + c->first, low = 0, high = c->count;
    while (low < high) {
        if (position(f, v[low])[axis] <= middle) {
            low++;
        } else {
            uint32_t swapped = v[--high];
            v[high] = v[low];
            v[low] = swapped;
        }
    }
    other->first = c->first + low;
    other->count = c->count - low;
    c->count = low;
}

static void make_clusters(fitter *f, grazei_fit_part *part)
{
    graze_fit *fit = f->fit;
    grazei_cluster *clusters = fit->clusters + fit->cluster_count;
    double sides[GRAZE_MAX_CLUSTERS];
    int axis;
    float middle;
    clusters[0].first = part->first;
    clusters[0].count = part->count;
    sides[0] = longest_side(f, clusters, &axis, &middle);
    uint32_t count = 1;
    while (count < f->max_clusters) {
        uint32_t widest = 0;
        for (uint32_t c = 1; c < count; c++)
            if (sides[c] > sides[widest])
                widest = c;
        if (!(sides[widest] > 0))
            break;
        split(f, &clusters[widest], &clusters[count]);
        sides[widest] = longest_side(f, &clusters[widest], &axis, &middle);
        sides[count] = longest_side(f, &clusters[count], &axis, &middle);
        count++;
    }
    part->first_cluster = fit->cluster_count;
    part->cluster_count = count;
    fit->cluster_count += count;
}

/* The joints of a cluster, the middle of each one's weights, and how far they go from it. */
static bool add_shares(fitter *f, grazei_cluster *c)
{
    graze_fit *fit = f->fit;
    const grazei_mesh *mesh = &fit->model->mesh;
    c->first_share = (uint32_t)fit->share_count;
    c->share_count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t v = fit->vertices[c->first + i];
        for (uint32_t k = mesh->influence_offsets[v]; k < mesh->influence_offsets[v + 1]; k++) {
            uint32_t j = mesh->influences[k].joint;
            if (f->weights[j] == 0) {
                grazei_share *grown =
                    grazei_grow(&fit->allocator, fit->shares, &fit->share_capacity,
                                fit->share_count + 1, sizeof *fit->shares);
                if (!grown)
                    return false;
                fit->shares = grown;
                fit->shares[fit->share_count++] = (grazei_share){.joint = j};
                c->share_count++;
            }
            f->weights[j] += (double)mesh->influences[k].weight;
        }
    }
    grazei_share *shares = fit->shares + c->first_share;
    for (uint32_t s = 0; s < c->share_count; s++) {
        uint32_t j = shares[s].joint, with = 0;
        shares[s].mean = f->weights[j] / c->count;
        f->weights[j] = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            uint32_t v = fit->vertices[c->first + i];
            for (uint32_t k = mesh->influence_offsets[v]; k < mesh->influence_offsets[v + 1]; k++)
                if (mesh->influences[k].joint == j) {
                    double off = fabs((double)mesh->influences[k].weight - shares[s].mean);
                    shares[s].spread = fmax(shares[s].spread, off);
                    with++;
                }
        }
        if (with < c->count)
            shares[s].spread = fmax(shares[s].spread, shares[s].mean);
    }
    return true;
}

static void measure_cluster(fitter *f, grazei_cluster *c, const graze_capsule *rest)
{
    const uint32_t *vertices = f->fit->vertices + c->first;
    const float *positions = f->fit->model->mesh.positions;
    grazei_ball ball = grazei_ball_enclose(positions, vertices, c->count, f->scratch);
    memcpy(c->centre, ball.centre, sizeof c->centre);
    c->radius = ball.radius;
    c->clearance = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const float *x = position(f, vertices[i]);
        const double p[3] = {(double)x[0], (double)x[1], (double)x[2]};
        double lost = 1e-13 * (fabs(p[0]) + fabs(p[1]) + fabs(p[2]) + (double)rest->radius);
        c->clearance = fmax(c->clearance, grazei_capsule_distance(rest, p) + lost);
    }
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* Lists the distinct vertices of a group's triangles behind those that are listed already. */
static void list_vertices(fitter *f, grazei_fit_part *part, uint32_t first, uint32_t group)
{
    const grazei_mesh *mesh = &f->fit->model->mesh;
    part->first = first;
    part->volume.part = group;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        if (mesh->triangle_groups[t] != group)
            continue;
        part->volume.triangles++;
        for (int k = 0; k < 3; k++) {
            uint32_t v = mesh->triangles[3 * (size_t)t + k];
            if (f->stamps[v] != group + 1) {
                f->stamps[v] = group + 1;
                f->fit->vertices[first + part->count++] = v;
            }
        }
    }
}

static uint32_t heaviest_joint(fitter *f, const grazei_fit_part *part)
{
    const grazei_mesh *mesh = &f->fit->model->mesh;
    uint32_t best = 0;
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t v = f->fit->vertices[part->first + i];
        for (uint32_t k = mesh->influence_offsets[v]; k < mesh->influence_offsets[v + 1]; k++)
            f->weights[mesh->influences[k].joint] += (double)mesh->influences[k].weight;
    }
    for (uint32_t j = 0; j < mesh->joint_count; j++)
        if (f->weights[j] > f->weights[best])
            best = j;
    memset(f->weights, 0, mesh->joint_count * sizeof *f->weights);
    return best;
}

/* The smallest of the smallest sphere and capsules along the main direction and the axes. */
static graze_capsule fit_at_rest(fitter *f, const grazei_fit_part *part)
{
    const uint32_t *vertices = f->fit->vertices + part->first;
    for (uint32_t i = 0; i < part->count; i++) {
        const float *x = position(f, vertices[i]);
        f->balls[i] = (grazei_ball){{(double)x[0], (double)x[1], (double)x[2]}, 0};
    }
    graze_capsule best = {.radius = FLT_MAX}, sphere = {.radius = 0};
    grazei_ball ball =
        grazei_ball_enclose(f->fit->model->mesh.positions, vertices, part->count, f->scratch);
    for (int k = 0; k < 3; k++)
        sphere.p[k] = sphere.q[k] = (float)ball.centre[k];
    grazei_capsule_offer(&best, sphere, grazei_capsule_radius(&sphere, f->balls, part->count));
    for (int a = 0; a < 4; a++) {
        double direction[3] = {a == 0, a == 1, a == 2};
        if (a == 3 && !grazei_capsule_direction(f->balls, part->count, direction))
            continue;
        graze_capsule segment = grazei_capsule_along(f->balls, part->count, direction);
        grazei_capsule_offer(&best, segment,
                             grazei_capsule_radius(&segment, f->balls, part->count));
    }
    return best;
}

static bool fill_part(fitter *f, grazei_fit_part *part)
{
    graze_fit *fit = f->fit;
    part->volume.joint = heaviest_joint(f, part);
    part->volume.rest = fit_at_rest(f, part);
    make_clusters(f, part);
    for (uint32_t c = 0; c < part->cluster_count; c++) {
        grazei_cluster *cluster = &fit->clusters[part->first_cluster + c];
        measure_cluster(f, cluster, &part->volume.rest);
        if (!add_shares(f, cluster))
            return false;
    }
    return true;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Which groups have triangles, and room for what the parts have: every vertex of a triangle may be
 * in its part alone.
 */
static bool allocate(fitter *f, uint8_t *used)
{
    graze_fit *fit = f->fit;
    const graze_allocator *a = &fit->allocator;
    const grazei_mesh *mesh = &fit->model->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        used[mesh->triangle_groups[t]] = 1;
    for (uint32_t g = 0; g < mesh->group_count; g++)
        fit->part_count += used[g];
    size_t corners = 3 * (size_t)mesh->triangle_count;
    size_t clusters = (size_t)fit->part_count * f->max_clusters;
    fit->parts = GRAZEI_ALLOCATE_ZERO(a, fit->part_count, grazei_fit_part);
    fit->vertices = GRAZEI_ALLOCATE(a, corners, uint32_t);
    fit->clusters =
        GRAZEI_ALLOCATE_ZERO(a, clusters < corners ? clusters : corners, grazei_cluster);
    f->stamps = GRAZEI_ALLOCATE_ZERO(a, mesh->vertex_count, uint32_t);
    f->scratch = GRAZEI_ALLOCATE(a, mesh->vertex_count, uint32_t);
    f->weights = GRAZEI_ALLOCATE_ZERO(a, mesh->joint_count, double);
    f->balls = GRAZEI_ALLOCATE(a, mesh->vertex_count, grazei_ball);
    return fit->parts && fit->vertices && fit->clusters && f->stamps && f->scratch && f->weights &&
           f->balls;
}

static bool fill(fitter *f, uint8_t *used)
{
    graze_fit *fit = f->fit;
    if (!used || !allocate(f, used))
        return false;
    uint32_t part = 0, first = 0;
    for (uint32_t g = 0; g < fit->model->mesh.group_count; g++) {
        if (!used[g])
            continue;
        list_vertices(f, &fit->parts[part], first, g);
        if (!fill_part(f, &fit->parts[part]))
            return false;
        first += fit->parts[part++].count;
    }
    return true;
}

void graze_fit_destroy(graze_fit *fit)
{
    if (!fit)
        return;
    graze_allocator allocator = fit->allocator;
    grazei_release(&allocator, fit->parts);
    grazei_release(&allocator, fit->vertices);
    grazei_release(&allocator, fit->clusters);
    grazei_release(&allocator, fit->shares);
    if (fit->model)
        grazei_model_let_go(fit->model);
    grazei_release(&allocator, fit);
}

graze_status graze_fit_create(const graze_model *model, const graze_fit_def *def, graze_fit **fit,
                              graze_error *error)
{
    graze_status status = grazei_check_pointer(model, "the model", error);
    if (!status)
        status = grazei_check_pointer(def, "the def", error);
    if (!status)
        status = grazei_check_pointer(fit, "where the fit goes", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (status)
        return status;
    if (def->clusters == 0 || def->clusters > GRAZE_MAX_CLUSTERS)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u clusters a part; 1 to %d are possible",
                           def->clusters, GRAZE_MAX_CLUSTERS);
    graze_fit *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, graze_fit);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = model->allocator;
    made->model = grazei_model_hold(model);
    fitter f = {.fit = made, .max_clusters = def->clusters};
    uint8_t *used = GRAZEI_ALLOCATE_ZERO(&model->allocator, model->mesh.group_count, uint8_t);
    bool filled = fill(&f, used);
    grazei_release(&model->allocator, used);
    grazei_release(&model->allocator, f.stamps);
    grazei_release(&model->allocator, f.scratch);
    grazei_release(&model->allocator, f.weights);
    grazei_release(&model->allocator, f.balls);
    if (!filled) {
        graze_fit_destroy(made);
        return grazei_fail_memory(error);
    }
    *fit = made;
    return GRAZE_OK;
}

uint32_t graze_fit_volume_count(const graze_fit *fit)
{
    return fit ? fit->part_count : 0;
}

graze_part_volume graze_fit_volume(const graze_fit *fit, uint32_t index)
{
    graze_part_volume none = {.part = 0};
    return fit && index < fit->part_count ? fit->parts[index].volume : none;
}
