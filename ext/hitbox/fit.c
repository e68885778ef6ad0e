/* Fitting volumes at rest, and gathering the clusters that bound them in a pose. */
#include "hitbox/fit.h"

#include "base/memory.h"
#include "base/status.h"
#include "hitbox/choose.h"
#include "math/rounding.h"

#include <string.h>

/* What is needed only while a fit is made. */
typedef struct fitter {
    graze_hitboxes *fit;
    uint32_t max_clusters;
    uint32_t *triangles; /* by owner */
    uint32_t *stamps;    /* one a vertex: the last part it was found in, plus 1 */
    uint32_t *scratch;   /* one a vertex */
    double *weights;     /* one a joint, zero between uses */
    grazei_ball *balls;
} fitter;

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
    graze_hitboxes *fit = f->fit;
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
    graze_hitboxes *fit = f->fit;
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

/* Lists the distinct vertices of a part's triangles, sorted by owner, behind those that are listed
 * already.
 */
static void list_vertices(fitter *f, uint32_t number, uint32_t first, const uint32_t *triangles)
{
    const grazei_mesh *mesh = &f->fit->model->mesh;
    grazei_fit_part *part = &f->fit->parts[number];
    part->first = first;
    for (uint32_t i = 0; i < part->volume.triangle_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t v = mesh->triangles[3 * (size_t)triangles[i] + k];
            if (f->stamps[v] != number + 1) {
                f->stamps[v] = number + 1;
                f->fit->vertices[first + part->count++] = v;
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
    graze_hitboxes *fit = f->fit;
    if (part->volume.fitted) {
        part->volume.joint = heaviest_joint(f, part);
        part->volume.rest = fit_at_rest(f, part);
    }
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

/* Room for what the parts have: every vertex of a triangle may be in its part alone. */
static bool allocate(fitter *f)
{
    graze_hitboxes *fit = f->fit;
    const graze_allocator *a = &fit->allocator;
    const grazei_mesh *mesh = &fit->model->mesh;
    size_t corners = 3 * (size_t)mesh->triangle_count;
    size_t clusters = (size_t)fit->part_count * f->max_clusters;
    fit->vertices = GRAZEI_ALLOCATE(a, corners, uint32_t);
    fit->clusters =
        GRAZEI_ALLOCATE_ZERO(a, clusters < corners ? clusters : corners, grazei_cluster);
    f->triangles = GRAZEI_ALLOCATE(a, mesh->triangle_count, uint32_t);
    f->stamps = GRAZEI_ALLOCATE_ZERO(a, mesh->vertex_count, uint32_t);
    f->scratch = GRAZEI_ALLOCATE(a, mesh->vertex_count, uint32_t);
    f->weights = GRAZEI_ALLOCATE_ZERO(a, mesh->joint_count, double);
    f->balls = GRAZEI_ALLOCATE(a, mesh->vertex_count, grazei_ball);
    return fit->vertices && fit->clusters && f->triangles && f->stamps && f->scratch &&
           f->weights && f->balls;
}

/* Parts for groups with triangles that nobody owns, ascending. False when out of memory. */
static bool own_the_rest(graze_hitboxes *fit, uint32_t *numbers)
{
    const grazei_mesh *mesh = &fit->model->mesh;
    uint32_t given = fit->part_count, count = given;
    memset(numbers, 0, mesh->part_count * sizeof *numbers);
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        if (fit->owners[t] == UINT32_MAX)
            numbers[mesh->triangle_parts[t]] = 1;
    for (uint32_t g = 0; g < mesh->part_count; g++)
        if (numbers[g])
            numbers[g] = count++;
    grazei_fit_part *parts = GRAZEI_ALLOCATE_ZERO(&fit->allocator, count, grazei_fit_part);
    if (!parts)
        return false;
    if (given)
        memcpy(parts, fit->parts, given * sizeof *parts);
    grazei_release(&fit->allocator, fit->parts);
    fit->parts = parts;
    fit->part_count = count;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t group = mesh->triangle_parts[t], *owner = &fit->owners[t];
        if (*owner == UINT32_MAX) {
            *owner = numbers[group];
            parts[*owner].volume.part = group;
        }
        parts[*owner].volume.triangle_count++;
    }
    for (uint32_t p = given; p < count; p++) {
        parts[p].volume.inner = false;
        parts[p].volume.fitted = true;
    }
    return true;
}

/* Triangles by owner. */
static void sort_triangles(fitter *f)
{
    graze_hitboxes *fit = f->fit;
    uint32_t first = 0;
    for (uint32_t p = 0; p < fit->part_count; p++) {
        fit->parts[p].first = first;
        first += fit->parts[p].volume.triangle_count;
    }
    for (uint32_t t = 0; t < fit->model->mesh.triangle_count; t++)
        f->triangles[fit->parts[fit->owners[t]].first++] = t;
}

static bool fill(fitter *f)
{
    graze_hitboxes *fit = f->fit;
    uint32_t *numbers = GRAZEI_ALLOCATE(&fit->allocator, fit->model->mesh.part_count, uint32_t);
    bool owned = numbers && own_the_rest(fit, numbers);
    grazei_release(&fit->allocator, numbers);
    if (!owned || !allocate(f))
        return false;
    sort_triangles(f);
    uint32_t vertex = 0, triangle = 0;
    for (uint32_t p = 0; p < fit->part_count; p++) {
        list_vertices(f, p, vertex, f->triangles + triangle);
        if (!fill_part(f, &fit->parts[p]))
            return false;
        vertex += fit->parts[p].count;
        triangle += fit->parts[p].volume.triangle_count;
    }
    return true;
}

void graze_hitboxes_destroy(graze_hitboxes *fit)
{
    if (!fit)
        return;
    graze_allocator allocator = fit->allocator;
    grazei_release(&allocator, fit->owners);
    grazei_release(&allocator, fit->parts);
    grazei_release(&allocator, fit->fine);
    grazei_release(&allocator, fit->fine_counts);
    grazei_release(&allocator, fit->vertices);
    grazei_release(&allocator, fit->clusters);
    grazei_release(&allocator, fit->shares);
    grazei_balls_release(&fit->balls, &allocator);
    if (fit->model)
        grazei_model_let_go(fit->model);
    grazei_release(&allocator, fit);
}

static graze_status check(const graze_model *model, const graze_hitboxes_def *def,
                          graze_hitboxes **fit, graze_error *error)
{
    graze_status status = grazei_check_pointer(model, "the model", error);
    if (!status)
        status = grazei_check_pointer(fit, "where the hitboxes go", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (status)
        return status;
    if (def->clusters > GRAZE_MAX_CLUSTERS)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u clusters a part; up to %d are possible",
                           def->clusters, GRAZE_MAX_CLUSTERS);
    if (def->inner_hitboxes > GRAZE_MAX_INNER_HITBOXES)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "%u inner hitboxes a part; up to %d are possible", def->inner_hitboxes,
                           GRAZE_MAX_INNER_HITBOXES);
    return GRAZEI_CHECK_RESERVED(def, "the def", error);
}

/* What queries read besides volumes. False when out of memory. */
static bool make_ready(graze_hitboxes *fit)
{
    const graze_model *model = fit->model;
    fit->fine_counts = GRAZEI_ALLOCATE_ZERO(&fit->allocator, model->mesh.part_count, uint32_t);
    if (!fit->fine_counts)
        return false;
    for (size_t i = 0; i < fit->fine_count; i++)
        fit->fine_counts[fit->fine[i].part]++;
    return true;
}

/* The outer ones that are left to fit, and the inner ones. */
static graze_status fit_all(graze_hitboxes *fit, const graze_hitboxes_def *def, graze_error *error)
{
    fitter f = {.fit = fit, .max_clusters = def->clusters ? def->clusters : 64};
    bool filled = fill(&f) && grazei_choose_balls(fit) &&
                  (!def->inner_hitboxes || grazei_fit_add_fine(fit, def->inner_hitboxes));
    grazei_release(&fit->allocator, f.triangles);
    grazei_release(&fit->allocator, f.stamps);
    grazei_release(&fit->allocator, f.scratch);
    grazei_release(&fit->allocator, f.weights);
    grazei_release(&fit->allocator, f.balls);
    if (!filled || !make_ready(fit))
        return grazei_fail_memory(error);
    return graze_model_is_closed(fit->model, &fit->closed, error);
}

graze_status graze_hitboxes_create(const graze_model *model, const graze_hitboxes_def *def,
                                   graze_hitboxes **hitboxes, graze_error *error)
{
    const graze_hitboxes_def none = {0};
    def = def ? def : &none;
    graze_status status = check(model, def, hitboxes, error);
    if (!status && def->given_count)
        status = grazei_check_pointer(def->given, "the array of given hitboxes", error);
    if (status)
        return status;
    graze_hitboxes *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, graze_hitboxes);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = model->allocator;
    made->model = grazei_model_hold(model);
    status = grazei_fit_take_given(made, def->given, def->given_count, error);
    if (!status)
        status = fit_all(made, def, error);
    if (status) {
        graze_hitboxes_destroy(made);
        return status;
    }
    *hitboxes = made;
    return GRAZE_OK;
}

uint32_t graze_hitboxes_count(const graze_hitboxes *hitboxes, uint32_t *outer_count)
{
    if (outer_count)
        *outer_count = hitboxes ? hitboxes->part_count : 0;
    return hitboxes ? hitboxes->part_count + (uint32_t)hitboxes->fine_count : 0;
}

graze_hitbox graze_hitboxes_get(const graze_hitboxes *hitboxes, uint32_t index)
{
    graze_hitbox none = {.part = 0};
    if (index >= graze_hitboxes_count(hitboxes, NULL))
        return none;
    return index < hitboxes->part_count ? hitboxes->parts[index].volume
                                        : hitboxes->fine[index - hitboxes->part_count];
}

uint32_t graze_hitboxes_owner(const graze_hitboxes *fit, uint32_t triangle)
{
    return fit && triangle < fit->model->mesh.triangle_count ? fit->owners[triangle] : 0;
}
