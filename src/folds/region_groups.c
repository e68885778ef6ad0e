/* How what is left of weights differs between groups of triangles that are not close. All that is
 * found is rounded up.
 */
#include "folds/region.h"

#include "math/rounding.h"

#define LOSS GRAZEI_FLOAT_LOSS
#define MAX_LOSS 24.0f /* beyond which a record is of no use */

/* ---- values --------------------------------------------------------------------------------- */

static void find_values(const grazei_region *r, const double *weights, f4 *out, f4 *place)
{
    const double *at = weights + GRAZEI_MAX_REGION_JOINTS;
    *place = f4_set((float)at[0], (float)at[1], (float)at[2], 0);
    for (uint32_t j = 0; j < r->joint_count; j++) {
        const double *g = r->gradient[j];
        double w = weights[j];
        out[j] = f4_set((float)(w - (g[0] * at[0] + g[1] * at[1] + g[2] * at[2])),
                        (float)(w * at[0]), (float)(w * at[1]), (float)(w * at[2]));
    }
}

static void find_all_values(grazei_fold_builder *b, grazei_region *r)
{
    const grazei_tree *tree = b->tree;
    f4 most[GRAZEI_MAX_REGION_JOINTS] = {{0}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < grazei_region_patch_count(r); i++) {
        const grazei_patch *patch = &tree->patches[r->patches[i]];
        r->first_vertex[i] = count;
        memset(b->have_slopes + (size_t)i * GRAZEI_MAX_PATCH_TRIANGLES, 0, patch->triangle_count);
        for (uint32_t v = 0; v < patch->vertex_count; v++, count++) {
            f4 *values = b->values + (size_t)GRAZEI_MAX_REGION_JOINTS * count;
            find_values(r, b->deviations[count], values, &b->places[count]);
            for (uint32_t j = 0; j < r->joint_count; j++)
                most[j] = f4_max(most[j], f4_abs(values[j]));
        }
    }
    for (uint32_t j = 0; j < r->joint_count; j++) {
        r->most[j][0] = most[j][0];
        r->most[j][1] = grazei_length_of_q(most[j]) * (1 + LOSS);
        r->bend[j] = r->spread[j] = 0;
    }
}

/* ---- groups --------------------------------------------------------------------------------- */

/* A group of a patch of the region. */
typedef struct member {
    const grazei_group *group;
    grazei_leaning *leaning; /* by joint */
    uint32_t first_vertex;   /* of its patch, among the region's */
} member;

static member member_of(const grazei_fold_builder *b, const grazei_region *r, uint32_t i,
                        uint32_t number)
{
    uint32_t first = b->first_group[r->patches[i]];
    size_t at = ((size_t)i * GRAZEI_MAX_GROUPS + number) * GRAZEI_MAX_REGION_JOINTS;
    return (member){&b->groups[first + number], b->leaning + at, r->first_vertex[i]};
}

static const f4 *values_of(const grazei_fold_builder *b, const member *m, uint32_t i)
{
    return b->values + (size_t)GRAZEI_MAX_REGION_JOINTS * (m->first_vertex + m->group->vertices[i]);
}

static f4 place_of(const grazei_fold_builder *b, const member *m, uint32_t i)
{
    return b->places[m->first_vertex + m->group->vertices[i]];
}

static void find_ranges(const grazei_fold_builder *b, const grazei_region *r, const member *m)
{
    for (uint32_t j = 0; j < r->joint_count; j++) {
        f4 low = f4_all(INFINITY), high = f4_all(-INFINITY);
        for (uint32_t i = 0; i < m->group->vertex_count; i++) {
            low = f4_min(low, values_of(b, m, i)[j]);
            high = f4_max(high, values_of(b, m, i)[j]);
        }
        m->leaning[j].low = low;
        m->leaning[j].high = high;
        m->leaning[j].fitted = false;
    }
}

static f4 leaning_at(const grazei_leaning *l, f4 place)
{
    return l->middle + ((l->gradient[0] * f4_x(place) + l->gradient[1] * f4_y(place)) +
                        l->gradient[2] * f4_z(place));
}

/* How far a group's values are from a linear function: of r, of q. */
static void find_misses(const grazei_fold_builder *b, const grazei_leaning *l, const member *m,
                        uint32_t j, float misses[2])
{
    misses[0] = misses[1] = 0;
    for (uint32_t i = 0; i < m->group->vertex_count; i++) {
        f4 miss = values_of(b, m, i)[j] - leaning_at(l, place_of(b, m, i));
        misses[0] = f1_max(misses[0], fabsf(miss[0]));
        misses[1] = f1_max(misses[1], grazei_length_of_q(miss));
    }
}

/* A linear function near a group's values, by least squares as in region_fit.c, from floats: any
 * will do.
 */
static void fit_group(const grazei_fold_builder *b, const grazei_region *r, const member *m)
{
    f4 middle = f4_zero(), rows[3] = {f4_zero(), f4_zero(), f4_zero()};
    uint32_t count = m->group->vertex_count;
    for (uint32_t i = 0; i < count; i++)
        middle += place_of(b, m, i);
    middle *= f4_all(1.0f / (float)count);
    for (uint32_t i = 0; i < count; i++) {
        f4 place = place_of(b, m, i) - middle;
        rows[0] += place * f4_x(place);
        rows[1] += place * f4_y(place);
        rows[2] += place * f4_z(place);
    }
    float lean = 0.01f * (rows[0][0] + rows[1][1] + rows[2][2]);
    for (int k = 0; k < 3; k++)
        rows[k][k] += lean;
    f4 minors[3];
    for (int k = 0; k < 3; k++) {
        f4 p = rows[(k + 1) % 3], q = rows[(k + 2) % 3];
        minors[k] = f4_set(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
                           p[0] * q[1] - p[1] * q[0], 0);
    }
    float determinant = f4_dot3(rows[0], minors[0]);
    f4 inverse = f4_all(determinant > 0 ? 1 / determinant : 0);
    for (uint32_t j = 0; j < r->joint_count; j++) {
        grazei_leaning *l = &m->leaning[j];
        f4 mean = f4_zero(), sums[3] = {f4_zero(), f4_zero(), f4_zero()};
        for (uint32_t i = 0; i < count; i++) {
            f4 value = values_of(b, m, i)[j], place = place_of(b, m, i) - middle;
            mean += value;
            sums[0] += value * f4_x(place);
            sums[1] += value * f4_y(place);
            sums[2] += value * f4_z(place);
        }
        for (int k = 0; k < 3; k++)
            l->gradient[k] = (sums[0] * f4_all(minors[k][0]) + sums[1] * f4_all(minors[k][1]) +
                              sums[2] * f4_all(minors[k][2])) *
                             inverse;
        l->middle = mean * f4_all(1.0f / (float)count);
        l->middle = l->middle - (leaning_at(l, middle) - l->middle);
        f4 squares = (l->gradient[0] * l->gradient[0] + l->gradient[1] * l->gradient[1]) +
                     l->gradient[2] * l->gradient[2];
        l->slopes[0] = sqrtf(squares[0]) * (1 + 4 * LOSS);
        l->slopes[1] = sqrtf((squares[1] + squares[2]) + squares[3]) * (1 + 4 * LOSS);
        find_misses(b, l, m, j, l->misses);
        l->fitted = true;
    }
}

/* What one group's linear function allows two groups to differ by, per distance. */
static void bound_by(const grazei_fold_builder *b, const grazei_region *r, const member *from,
                     const member *to, uint32_t j, float per_distance, float out[2])
{
    float misses[2];
    if (!from->leaning[j].fitted)
        fit_group(b, r, from);
    const grazei_leaning *l = &from->leaning[j];
    find_misses(b, l, to, j, misses);
    for (int kind = 0; kind < 2; kind++) {
        /* Sums of at most these, at places that are themselves rounded. */
        float error =
            8 * LOSS * (r->most[j][kind] + l->slopes[kind] * (float)r->radius + misses[kind]);
        float bound = l->slopes[kind] + (l->misses[kind] + misses[kind] + error) * per_distance;
        out[kind] = bound < out[kind] ? bound : out[kind]; /* which may overflow */
    }
}

static float distance_of(const grazei_region *r, const grazei_group *a, const grazei_group *b)
{
    f4 gap = f4_max(f4_max(a->low - b->high, b->low - a->high), f4_zero());
    return f1_max(f4_length3(gap) * (1 - LOSS), grazei_round_down(grazei_region_reach(r)));
}

static void raise_by(const grazei_fold_builder *b, grazei_region *r, const member *m,
                     const member *n)
{
    float per_distance = (1 + LOSS) / distance_of(r, m->group, n->group);
    for (uint32_t j = 0; j < r->joint_count; j++) {
        if (j == r->main_slot)
            continue;
        const grazei_leaning *x = &m->leaning[j], *y = &n->leaning[j];
        f4 most = f4_max(f4_abs(x->high - y->low), f4_abs(y->high - x->low));
        float bounds[2] = {most[0] * per_distance, grazei_length_of_q(most) * per_distance};
        if (bounds[0] > r->bend[j] || bounds[1] > r->spread[j]) {
            bound_by(b, r, m, n, j, per_distance, bounds);
            if (m != n && (bounds[0] > r->bend[j] || bounds[1] > r->spread[j]))
                bound_by(b, r, n, m, j, per_distance, bounds);
        }
        for (int kind = 0; kind < 2; kind++) {
            float *found = kind ? &r->spread[j] : &r->bend[j];
            float bound = bounds[kind] + LOSS * r->most[j][kind] * per_distance;
            *found = f1_max(*found, bound * (1 + 4 * LOSS));
        }
    }
}

static uint32_t group_count(const grazei_fold_builder *b, const grazei_region *r, uint32_t i)
{
    uint32_t patch = r->patches[i];
    return b->first_group[patch + 1] - b->first_group[patch];
}

/* Per unit of a difference of two joints' maps that moves the edge of the region by its radius. */
bool grazei_region_is_useful(const grazei_region *r)
{
    float loss = 0;
    for (uint32_t j = 0; j < r->joint_count; j++)
        loss += j == r->main_slot ? 0 : r->spread[j] + r->bend[j] * (float)r->radius;
    return loss < MAX_LOSS;
}

bool grazei_region_measure(grazei_fold_builder *b, grazei_region *r)
{
    uint32_t count = grazei_region_patch_count(r), last = count - 1;
    find_all_values(b, r);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t g = 0; g < group_count(b, r, i); g++) {
            member m = member_of(b, r, i, g);
            find_ranges(b, r, &m);
        }
    for (uint32_t g = 0; g < group_count(b, r, 0); g++) {
        member m = member_of(b, r, 0, g);
        for (uint32_t h = last ? 0 : g; h < group_count(b, r, last); h++) {
            member n = member_of(b, r, last, h);
            raise_by(b, r, &m, !last && g == h ? &m : &n);
        }
        if (!grazei_region_is_useful(r))
            return false;
    }
    return true;
}
