/* Making the table of folds: once a model, from rest positions and weights alone.
 *
 * For each region the weights are fitted by mean and gradient; any fit will do, a good one leaves
 * little over. Then the largest part of what is left over, per distance, is sought among all pairs
 * of triangles of the region that are no neighbours and not listed: bounds of triangles and patches
 * rule out most pairs before a distance is computed.
 */
#include "folds/build.h"

#include "base/memory.h"
#include "math/rounding.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_JOINTS = 8,  /* in a region, the main one included */
    MAX_PATCHES = 16 /* in a region of several joints */
};
#define MAX_LOSS 16.0 /* spread and bend beyond which a record is of no use */
#define NO_SLOT UINT32_MAX

/* What is left of a joint's weights, r = w - m - g . (x - c), over a triangle or a patch: it lies
 * in an interval. A triangle also has its values at the corners, their gradient in its plane, and
 * what that misses (all of the change, where the triangle has no area).
 */
typedef struct remains {
    double middle, radius;
    double values[3], gradient[3], slope, miss;
} remains;

typedef struct region {
    uint32_t ranks[2]; /* a node's patches, first and end; or two patches */
    bool is_pair;
    bool morphed;
    uint32_t joint_count;
    uint32_t joints[MAX_JOINTS];
    uint32_t main_slot;
    double centre[3], radius;
    double mean[MAX_JOINTS], gradient[MAX_JOINTS][3];
    double steepness[MAX_JOINTS]; /* |gradient| */
    double most[MAX_JOINTS];      /* of |r| */
    double bend[MAX_JOINTS];      /* of |r(x) - r(y)| / |x - y|, found so far */
    double within[MAX_JOINTS];    /* of what triangles add by themselves, over distance */
    float shortest_edge;
} region;

typedef struct builder {
    grazei_folder folder;
    bool *morphed;        /* of each patch */
    uint32_t *slots;      /* of each joint in the region at hand */
    remains *left;        /* of its triangles, joint_count each */
    remains *patch_left;  /* of its patches */
    uint32_t *first_left; /* triangle in left that a patch of the region begins with */
    size_t left_capacity;
    size_t fold_capacity, row_capacity, pair_capacity;
} builder;

static uint32_t patches_of(const region *r)
{
    if (!r->is_pair)
        return r->ranks[1] - r->ranks[0];
    return r->ranks[0] == r->ranks[1] ? 1 : 2;
}

static uint32_t patch_of(const builder *b, const region *r, uint32_t i)
{
    return b->folder.folds->rank_patches[r->is_pair ? r->ranks[i] : r->ranks[0] + i];
}

static const float *rest_of(const builder *b, uint32_t vertex)
{
    return b->folder.mesh->positions + 3 * (size_t)vertex;
}

/* --- the fit --------------------------------------------------------------------------------- */

static void add_vertex(builder *b, region *r, uint32_t vertex)
{
    const grazei_mesh *mesh = b->folder.mesh;
    for (uint32_t i = mesh->influence_offsets[vertex]; i < mesh->influence_offsets[vertex + 1];
         i++) {
        uint32_t *slot = &b->slots[mesh->influences[i].joint];
        if (*slot == NO_SLOT) {
            if (r->joint_count < MAX_JOINTS) {
                r->joints[r->joint_count] = mesh->influences[i].joint;
                r->mean[r->joint_count] = 0;
                *slot = r->joint_count;
            }
            r->joint_count++;
        }
        if (*slot != NO_SLOT)
            r->mean[*slot] += (double)mesh->influences[i].weight;
    }
    for (int axis = 0; axis < 3; axis++)
        r->centre[axis] += (double)rest_of(b, vertex)[axis];
}

/* Weights of a vertex less their means, and its place less the centre. */
static void deviate(const builder *b, const region *r, uint32_t vertex, double weights[MAX_JOINTS],
                    double place[3])
{
    const grazei_mesh *mesh = b->folder.mesh;
    for (uint32_t j = 0; j < r->joint_count; j++)
        weights[j] = -r->mean[j];
    for (uint32_t i = mesh->influence_offsets[vertex]; i < mesh->influence_offsets[vertex + 1]; i++)
        weights[b->slots[mesh->influences[i].joint]] += (double)mesh->influences[i].weight;
    for (int axis = 0; axis < 3; axis++)
        place[axis] = (double)rest_of(b, vertex)[axis] - r->centre[axis];
}

/* Sums for least squares: second moments of places, and of places with weights. */
typedef struct moments {
    double places[3][3];
    double weights[MAX_JOINTS][3];
} moments;

static void add_moments(const builder *b, region *r, uint32_t vertex, moments *sums)
{
    double weights[MAX_JOINTS], place[3];
    deviate(b, r, vertex, weights, place);
    for (int x = 0; x < 3; x++) {
        for (int y = 0; y < 3; y++)
            sums->places[x][y] += place[x] * place[y];
        for (uint32_t j = 0; j < r->joint_count; j++)
            sums->weights[j][x] += place[x] * weights[j];
    }
    double square = place[0] * place[0] + place[1] * place[1] + place[2] * place[2];
    r->radius = fmax(r->radius, sqrt(square));
}

/* Solves A g = h for a symmetric positive A, by Cramer's rule. */
static void solve(double a[3][3], const double h[3], double g[3])
{
    double minors[3][3], determinant = 0;
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++) {
            int p = (x + 1) % 3, q = (x + 2) % 3, s = (y + 1) % 3, t = (y + 2) % 3;
            minors[x][y] = a[p][s] * a[q][t] - a[p][t] * a[q][s];
        }
    for (int x = 0; x < 3; x++)
        determinant += a[0][x] * minors[0][x];
    for (int x = 0; x < 3; x++) {
        g[x] = determinant > 0
                   ? (minors[x][0] * h[0] + minors[x][1] * h[1] + minors[x][2] * h[2]) / determinant
                   : 0;
        if (!isfinite(g[x]))
            g[x] = 0;
    }
}

static void fit_gradients(builder *b, region *r)
{
    const grazei_tree *tree = b->folder.tree;
    moments sums = {0};
    for (uint32_t i = 0; i < patches_of(r); i++) {
        const grazei_patch *patch = &tree->patches[patch_of(b, r, i)];
        for (uint32_t v = 0; v < patch->vertex_count; v++)
            add_moments(b, r, tree->patch_vertices[patch->first_vertex + v], &sums);
    }
    /* A surface says little about what is across it: lean towards no gradient there. */
    double lean = 0.01 * (sums.places[0][0] + sums.places[1][1] + sums.places[2][2]);
    for (int axis = 0; axis < 3; axis++)
        sums.places[axis][axis] += lean;
    for (uint32_t j = 0; j < r->joint_count; j++)
        solve(sums.places, sums.weights[j], r->gradient[j]);
}

/* Mean, centre, gradients and the main joint, rounded to the floats that are kept; false if there
 * are too many joints.
 */
static bool fit(builder *b, region *r)
{
    const grazei_tree *tree = b->folder.tree;
    double count = 0;
    r->joint_count = 0;
    r->radius = 0;
    memset(r->centre, 0, sizeof r->centre);
    for (uint32_t i = 0; i < patches_of(r); i++) {
        const grazei_patch *patch = &tree->patches[patch_of(b, r, i)];
        for (uint32_t v = 0; v < patch->vertex_count; v++)
            add_vertex(b, r, tree->patch_vertices[patch->first_vertex + v]);
        count += patch->vertex_count;
    }
    if (r->joint_count > MAX_JOINTS)
        return false;
    r->main_slot = 0;
    for (uint32_t j = 0; j < r->joint_count; j++) {
        r->mean[j] = (double)(float)(r->mean[j] / count);
        r->most[j] = r->bend[j] = r->within[j] = 0;
        if (r->mean[j] > r->mean[r->main_slot])
            r->main_slot = j;
    }
    for (int axis = 0; axis < 3; axis++)
        r->centre[axis] = (double)(float)(r->centre[axis] / count);
    if (r->joint_count > 1)
        fit_gradients(b, r);
    for (uint32_t j = 0; j < r->joint_count && r->joint_count > 1; j++) {
        double *g = r->gradient[j];
        for (int axis = 0; axis < 3; axis++)
            g[axis] = (double)(float)g[axis];
        r->steepness[j] = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    }
    return true;
}

static void forget_slots(builder *b, const region *r)
{
    const grazei_mesh *mesh = b->folder.mesh;
    if (r->joint_count > MAX_JOINTS) {
        for (uint32_t j = 0; j < mesh->joint_count; j++)
            b->slots[j] = NO_SLOT;
        return;
    }
    for (uint32_t j = 0; j < r->joint_count; j++)
        b->slots[r->joints[j]] = NO_SLOT;
}

/* --- what is left over ----------------------------------------------------------------------- */

/* The gradient of a function that is linear on a triangle; 0 for a triangle without area. Returns
 * how far off it is at the corners.
 */
static double gradient_in(const float *corners[3], const double values[3], double gradient[3])
{
    double p[3], q[3], pp = 0, pq = 0, qq = 0;
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = (double)corners[1][axis] - (double)corners[0][axis];
        q[axis] = (double)corners[2][axis] - (double)corners[0][axis];
        pp += p[axis] * p[axis];
        pq += p[axis] * q[axis];
        qq += q[axis] * q[axis];
    }
    double u = values[1] - values[0], v = values[2] - values[0], det = pp * qq - pq * pq;
    double miss_u = u, miss_v = v;
    for (int axis = 0; axis < 3; axis++) {
        gradient[axis] = det > 1e-9 * pp * qq
                             ? ((qq * u - pq * v) * p[axis] + (pp * v - pq * u) * q[axis]) / det
                             : 0;
        miss_u -= gradient[axis] * p[axis];
        miss_v -= gradient[axis] * q[axis];
    }
    return fmax(fabs(miss_u), fabs(miss_v));
}

static void remains_of_triangle(const builder *b, const region *r, uint32_t place, remains *out)
{
    const grazei_folder *f = &b->folder;
    const uint32_t *corners = f->mesh->triangles + 3 * (size_t)f->tree->patch_triangles[place];
    const float *places[3];
    for (int c = 0; c < 3; c++) {
        double weights[MAX_JOINTS], at[3];
        places[c] = rest_of(b, corners[c]);
        deviate(b, r, corners[c], weights, at);
        for (uint32_t j = 0; j < r->joint_count; j++) {
            const double *g = r->gradient[j];
            out[j].values[c] = weights[j] - (g[0] * at[0] + g[1] * at[1] + g[2] * at[2]);
        }
    }
    for (uint32_t j = 0; j < r->joint_count; j++) {
        remains *o = &out[j];
        double low = fmin(o->values[0], fmin(o->values[1], o->values[2]));
        double high = fmax(o->values[0], fmax(o->values[1], o->values[2]));
        o->middle = 0.5 * (low + high);
        o->radius = 0.5 * (high - low);
        o->miss = gradient_in(places, o->values, o->gradient);
        o->slope = sqrt(o->gradient[0] * o->gradient[0] + o->gradient[1] * o->gradient[1] +
                        o->gradient[2] * o->gradient[2]);
    }
}

/* Intervals around those of a patch's triangles. */
static void remains_of_patch(const remains *triangles, uint32_t count, region *r, remains *out)
{
    for (uint32_t j = 0; j < r->joint_count; j++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t t = 0; t < count; t++) {
            const remains *in = &triangles[t * r->joint_count + j];
            low = fmin(low, in->middle - in->radius);
            high = fmax(high, in->middle + in->radius);
        }
        out[j].middle = 0.5 * (low + high);
        out[j].radius = 0.5 * (high - low);
        r->most[j] = fmax(r->most[j], fmax(-low, high));
    }
}

static bool find_remains(builder *b, region *r)
{
    const grazei_tree *tree = b->folder.tree;
    size_t count = 0;
    for (uint32_t i = 0; i < patches_of(r); i++)
        count += tree->patches[patch_of(b, r, i)].triangle_count;
    remains *larger = grazei_grow(b->folder.allocator, b->left, &b->left_capacity,
                                  count * r->joint_count, sizeof *larger);
    if (!larger)
        return false;
    b->left = larger;
    count = 0;
    for (uint32_t i = 0; i < patches_of(r); i++) {
        const grazei_patch *patch = &tree->patches[patch_of(b, r, i)];
        remains *first = b->left + count * r->joint_count;
        b->first_left[i] = (uint32_t)count;
        for (uint32_t t = 0; t < patch->triangle_count; t++)
            remains_of_triangle(b, r, patch->first_triangle + t, first + t * r->joint_count);
        remains_of_patch(first, patch->triangle_count, r, b->patch_left + i * (size_t)MAX_JOINTS);
        count += patch->triangle_count;
    }
    return true;
}

/* Two triangles or patches, and the largest radii of their triangles. */
typedef struct comparison {
    const remains *a, *b;
    double radius_a, radius_b;
} comparison;

static double difference(const comparison *pair, uint32_t j)
{
    const remains *a = &pair->a[j], *b = &pair->b[j];
    return fabs(a->middle - b->middle) + a->radius + b->radius;
}

/* (w - m) (x - c) is interpolated over triangles: of its parts (g . (x - c)) (x - c) and r (x - c)
 * that is off by at most |g| and half the range of r times the triangle's radius, squared and not.
 */
static double within_of(const region *r, const comparison *pair, uint32_t j)
{
    double a = pair->radius_a, b = pair->radius_b;
    return r->steepness[j] * (a * a + b * b) + pair->a[j].radius * a + pair->b[j].radius * b;
}

/* Whether two sets of points might raise anything, the square of their distance being at least so
 * much.
 */
static bool could_raise(const region *r, const comparison *pair, double square)
{
    for (uint32_t j = 0; j < r->joint_count; j++) {
        if (j == r->main_slot)
            continue;
        double bend = difference(pair, j), within = within_of(r, pair, j);
        if (bend * bend > square * r->bend[j] * r->bend[j] ||
            within * within > square * r->within[j] * r->within[j])
            return true;
    }
    return false;
}

/* How much r differs over two triangles, per distance, if one's gradient is taken for both: that
 * gradient, and how wrong it is for the other.
 */
static double slope_by(const remains *a, const float *place_a, const remains *b,
                       const float (*corners_b)[3], double distance)
{
    double wrong = 0;
    for (int c = 0; c < 3; c++) {
        double expected = a->values[0];
        for (int axis = 0; axis < 3; axis++)
            expected += a->gradient[axis] * ((double)corners_b[c][axis] - (double)place_a[axis]);
        wrong = fmax(wrong, fabs(b->values[c] - expected));
    }
    return a->slope + (a->miss + wrong) / distance;
}

static void raise_by(const builder *b, region *r, const comparison *pair, uint32_t place_a,
                     uint32_t place_b, double distance)
{
    float corners_a[3][3], corners_b[3][3];
    grazei_rest_triangle(&b->folder, place_a, corners_a);
    grazei_rest_triangle(&b->folder, place_b, corners_b);
    for (uint32_t j = 0; j < r->joint_count; j++) {
        if (j == r->main_slot)
            continue;
        const remains *x = &pair->a[j], *y = &pair->b[j];
        double bend = difference(pair, j) / distance;
        if (bend > r->bend[j]) {
            bend = fmin(bend, slope_by(x, corners_a[0], y, (const float(*)[3])corners_b, distance));
            bend = fmin(bend, slope_by(y, corners_b[0], x, (const float(*)[3])corners_a, distance));
            r->bend[j] = fmax(r->bend[j], bend);
        }
        r->within[j] = fmax(r->within[j], within_of(r, pair, j) / distance);
    }
}

/* How much (w - m) (x - c) differs between two points of the region, per distance. */
static double spread_of(const region *r, uint32_t j)
{
    return (2 * r->steepness[j] + r->bend[j]) * r->radius + r->most[j] + r->within[j];
}

static bool is_useless(const region *r)
{
    double loss = 0;
    for (uint32_t j = 0; j < r->joint_count; j++)
        loss += j == r->main_slot ? 0 : spread_of(r, j) + r->bend[j] * r->radius;
    return !(loss < MAX_LOSS);
}

static void compare_patches(const builder *b, region *r, uint32_t i, uint32_t k)
{
    const grazei_folder *f = &b->folder;
    uint32_t p = patch_of(b, r, i), q = patch_of(b, r, k), joints = r->joint_count;
    const grazei_patch *first = &f->tree->patches[p], *second = &f->tree->patches[q];
    comparison pair = {.radius_a = (double)f->triangle_radii[p],
                       .radius_b = (double)f->triangle_radii[q]};
    double limit = grazei_listed_below(f, p, q);
    for (uint32_t s = 0; s < first->triangle_count; s++) {
        uint32_t place_a = first->first_triangle + s;
        double square = grazei_rest_gap_square(&f->triangle_boxes[place_a], &f->patch_boxes[q]);
        pair.a = b->left + (b->first_left[i] + s) * (size_t)joints;
        pair.b = b->patch_left + k * (size_t)MAX_JOINTS;
        if (!could_raise(r, &pair, square))
            continue;
        for (uint32_t t = i == k ? s + 1 : 0; t < second->triangle_count; t++) {
            uint32_t place_b = second->first_triangle + t;
            pair.b = b->left + (b->first_left[k] + t) * (size_t)joints;
            square =
                grazei_rest_gap_square(&f->triangle_boxes[place_a], &f->triangle_boxes[place_b]);
            if (!could_raise(r, &pair, square))
                continue;
            double distance = grazei_rest_distance(f, place_a, place_b);
            bool listed = square <= limit * limit && distance <= limit;
            if (!listed && distance < INFINITY)
                raise_by(b, r, &pair, place_a, place_b, fmax(distance, sqrt(square)));
        }
        if (is_useless(r))
            return;
    }
}

/* Finds spread and bend over all pairs of the region's patches; false if they are of no use. */
static bool measure(const builder *b, region *r)
{
    const grazei_folder *f = &b->folder;
    uint32_t count = patches_of(r);
    bool across = r->is_pair && count == 2; /* of two patches, not each with itself */
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = across ? i + 1 : i; k < count; k++) {
            uint32_t p = patch_of(b, r, i), q = patch_of(b, r, k);
            comparison pair = {b->patch_left + i * (size_t)MAX_JOINTS,
                               b->patch_left + k * (size_t)MAX_JOINTS, (double)f->triangle_radii[p],
                               (double)f->triangle_radii[q]};
            if (could_raise(r, &pair,
                            grazei_rest_gap_square(&f->patch_boxes[p], &f->patch_boxes[q])))
                compare_patches(b, r, i, k);
            if (is_useless(r))
                return false;
        }
    return true;
}

/* --- the records ------------------------------------------------------------------------------ */

/* The number of a pair of joints. */
static bool find_pair(builder *b, uint32_t from, uint32_t to, uint32_t *number)
{
    grazei_folds *folds = b->folder.folds;
    for (*number = 0; *number < folds->pair_count; ++*number)
        if (folds->pairs[*number][0] == from && folds->pairs[*number][1] == to)
            return true;
    void *larger = grazei_grow(b->folder.allocator, folds->pairs, &b->pair_capacity,
                               (size_t)folds->pair_count + 1, sizeof *folds->pairs);
    if (!larger)
        return false;
    folds->pairs = larger;
    folds->pairs[folds->pair_count][0] = from;
    folds->pairs[folds->pair_count++][1] = to;
    return true;
}

static bool add_row(builder *b, const region *r, uint32_t slot)
{
    grazei_folds *folds = b->folder.folds;
    grazei_fold_row *larger = grazei_grow(b->folder.allocator, folds->rows, &b->row_capacity,
                                          (size_t)folds->row_count + 1, sizeof *larger);
    if (!larger)
        return false;
    folds->rows = larger;
    grazei_fold_row *row = &folds->rows[folds->row_count++];
    *row = (grazei_fold_row){.weight = (float)r->mean[slot],
                             .spread = grazei_round_up(spread_of(r, slot) * (1 + 1e-6)),
                             .bend = grazei_round_up(r->bend[slot] * (1 + 1e-6)),
                             .steepness = grazei_round_up(r->steepness[slot] * (1 + 1e-6))};
    for (int axis = 0; axis < 3; axis++)
        row->gradient[axis] = (float)r->gradient[slot][axis];
    return find_pair(b, r->joints[r->main_slot], r->joints[slot], &row->pair);
}

static bool add_fold(builder *b, const region *r, uint32_t *number)
{
    grazei_folds *folds = b->folder.folds;
    grazei_fold *larger = grazei_grow(b->folder.allocator, folds->folds, &b->fold_capacity,
                                      (size_t)folds->fold_count + 1, sizeof *larger);
    if (!larger)
        return false;
    folds->folds = larger;
    grazei_fold fold = {.first_row = folds->row_count,
                        .row_count = (uint16_t)(r->joint_count - 1),
                        .morphed = r->morphed,
                        .joint = r->joints[r->main_slot]};
    fold.apart = grazei_round_down(GRAZEI_LISTED_PART * (double)r->shortest_edge * (1 - 1e-6));
    for (int axis = 0; axis < 3; axis++)
        fold.centre[axis] = (float)r->centre[axis];
    for (uint32_t j = 0; j < r->joint_count; j++)
        if (j != r->main_slot && !add_row(b, r, j))
            return false;
    *number = folds->fold_count;
    folds->folds[folds->fold_count++] = fold;
    return true;
}

/* Makes the record of a region, if it can have one. False when out of memory. */
static bool record(builder *b, region *r, uint32_t *number)
{
    r->morphed = false;
    r->shortest_edge = INFINITY;
    for (uint32_t i = 0; i < patches_of(r); i++) {
        r->morphed |= b->morphed[patch_of(b, r, i)];
        r->shortest_edge = f1_min(r->shortest_edge, b->folder.edges[patch_of(b, r, i)]);
    }
    bool ok = true;
    if (fit(b, r)) {
        bool useful = r->joint_count == 1;
        if (!useful && patches_of(r) <= MAX_PATCHES) {
            ok = find_remains(b, r);
            useful = ok && measure(b, r);
        }
        if (useful)
            ok = add_fold(b, r, number);
    }
    forget_slots(b, r);
    return ok;
}

static bool record_pairs(builder *b)
{
    grazei_folds *folds = b->folder.folds;
    for (uint32_t rank = 0; rank < b->folder.tree->patch_count; rank++)
        for (uint32_t i = folds->first_near[rank]; i < folds->first_near[rank + 1]; i++) {
            grazei_near *near = &folds->nears[i];
            region r = {.ranks = {rank, folds->patch_ranks[near->patch]}, .is_pair = true};
            if (near->listed_count <= GRAZEI_MAX_LISTED && !record(b, &r, &near->fold))
                return false;
        }
    return true;
}

/* Pairs of patches within a node: whether they may all be skipped, and how many are listed. */
static bool count_listed(const grazei_folds *folds, uint32_t first, uint32_t end, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = folds->first_near[first]; i < folds->first_near[end]; i++) {
        if (folds->patch_ranks[folds->nears[i].patch] >= end)
            continue;
        if (folds->nears[i].listed_count > GRAZEI_MAX_LISTED)
            return false;
        *count += folds->nears[i].listed_count;
    }
    return true;
}

static bool record_nodes(builder *b)
{
    grazei_folds *folds = b->folder.folds;
    const grazei_tree *tree = b->folder.tree;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        region r = {.ranks = {folds->node_ranks[n][0], folds->node_ranks[n][1]}};
        folds->node_folds[n] = GRAZEI_NO_FOLD;
        if (tree->nodes[n].count == 0) {
            const grazei_near *near = &folds->nears[folds->first_near[r.ranks[0]]];
            folds->node_folds[n] = near->fold; /* a patch is the first that is near itself */
            folds->node_listed[n] = near->listed_count;
            continue;
        }
        if (count_listed(folds, r.ranks[0], r.ranks[1], &folds->node_listed[n]) &&
            !record(b, &r, &folds->node_folds[n]))
            return false;
    }
    return true;
}

static int by_first_triangle(const void *left, const void *right)
{
    const uint32_t *x = left, *y = right;
    return x[0] < y[0] ? -1 : x[0] > y[0];
}

/* Ranks: patches in the order of their triangles, which is that of the tree's leaves from left to
 * right; so those below a node follow each other.
 */
static bool rank_patches(grazei_folds *folds, const grazei_tree *tree,
                         const graze_allocator *allocator)
{
    uint32_t(*order)[2] = grazei_allocate(allocator, tree->patch_count, sizeof *order);
    if (!order)
        return false;
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        order[p][0] = tree->patches[p].first_triangle;
        order[p][1] = p;
    }
    qsort(order, tree->patch_count, sizeof *order, by_first_triangle);
    for (uint32_t rank = 0; rank < tree->patch_count; rank++) {
        folds->rank_patches[rank] = order[rank][1];
        folds->patch_ranks[order[rank][1]] = rank;
    }
    grazei_release(allocator, order);
    for (uint32_t n = tree->node_count; n-- > 0;) {
        grazei_node node = tree->nodes[n];
        uint32_t last = node.first + node.count - 1;
        folds->node_ranks[n][0] =
            node.count ? folds->node_ranks[node.first][0] : folds->patch_ranks[node.first];
        folds->node_ranks[n][1] =
            node.count ? folds->node_ranks[last][1] : folds->patch_ranks[node.first] + 1;
    }
    return true;
}

static bool mark_morphed(builder *b)
{
    const grazei_mesh *mesh = b->folder.mesh;
    const grazei_tree *tree = b->folder.tree;
    uint8_t *marks = GRAZEI_ALLOCATE_ZERO(b->folder.allocator, mesh->vertex_count, uint8_t);
    if (!marks)
        return false;
    for (uint32_t i = 0; mesh->morph_count && i < mesh->morph_offsets[mesh->morph_count]; i++)
        marks[mesh->morph_vertices[i]] = 1;
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        const grazei_patch *patch = &tree->patches[p];
        b->morphed[p] = false;
        for (uint32_t i = 0; i < patch->vertex_count; i++)
            b->morphed[p] |= marks[tree->patch_vertices[patch->first_vertex + i]] != 0;
    }
    grazei_release(b->folder.allocator, marks);
    return true;
}

static bool allocate_table(grazei_folds *folds, const grazei_tree *tree, const graze_allocator *a)
{
    size_t triangles = tree->node_triangles[0][1] - tree->node_triangles[0][0];
    folds->node_listed = GRAZEI_ALLOCATE(a, tree->node_count, uint32_t);
    folds->node_ranks = grazei_allocate(a, tree->node_count, sizeof *folds->node_ranks);
    folds->rank_patches = GRAZEI_ALLOCATE(a, tree->patch_count, uint32_t);
    folds->patch_ranks = GRAZEI_ALLOCATE(a, tree->patch_count, uint32_t);
    folds->first_near = GRAZEI_ALLOCATE(a, (size_t)tree->patch_count + 1, uint32_t);
    folds->masks = grazei_allocate(a, triangles, sizeof *folds->masks);
    folds->node_folds = GRAZEI_ALLOCATE(a, tree->node_count, uint32_t);
    return folds->node_listed && folds->node_ranks && folds->rank_patches && folds->patch_ranks &&
           folds->first_near && folds->masks && folds->node_folds;
}

static bool allocate_builder(builder *b)
{
    grazei_folder *f = &b->folder;
    const graze_allocator *a = f->allocator;
    uint32_t patches = f->tree->patch_count;
    f->triangle_boxes = GRAZEI_ALLOCATE(a, f->mesh->triangle_count, grazei_rest_box);
    f->patch_boxes = GRAZEI_ALLOCATE(a, patches, grazei_rest_box);
    f->node_boxes = GRAZEI_ALLOCATE(a, f->tree->node_count, grazei_rest_box);
    f->edges = GRAZEI_ALLOCATE(a, patches, float);
    f->triangle_radii = GRAZEI_ALLOCATE(a, patches, float);
    b->morphed = GRAZEI_ALLOCATE(a, patches, bool);
    b->slots = GRAZEI_ALLOCATE(a, f->mesh->joint_count, uint32_t);
    b->patch_left = GRAZEI_ALLOCATE(a, (size_t)MAX_PATCHES * MAX_JOINTS, remains);
    b->first_left = GRAZEI_ALLOCATE(a, MAX_PATCHES, uint32_t);
    if (!f->triangle_boxes || !f->patch_boxes || !f->node_boxes || !f->edges ||
        !f->triangle_radii || !b->morphed || !b->slots || !b->patch_left || !b->first_left)
        return false;
    for (uint32_t j = 0; j < f->mesh->joint_count; j++)
        b->slots[j] = NO_SLOT;
    return true;
}

static void release_builder(builder *b)
{
    const graze_allocator *a = b->folder.allocator;
    grazei_release(a, b->folder.triangle_boxes);
    grazei_release(a, b->folder.patch_boxes);
    grazei_release(a, b->folder.node_boxes);
    grazei_release(a, b->folder.edges);
    grazei_release(a, b->folder.triangle_radii);
    grazei_release(a, b->morphed);
    grazei_release(a, b->slots);
    grazei_release(a, b->left);
    grazei_release(a, b->patch_left);
    grazei_release(a, b->first_left);
}

bool grazei_folds_build(grazei_folds *folds, const grazei_mesh *mesh, const grazei_tree *tree,
                        const graze_allocator *allocator)
{
    builder b = {.folder = {.mesh = mesh, .tree = tree, .allocator = allocator, .folds = folds}};
    bool ok = allocate_table(folds, tree, allocator) && allocate_builder(&b) &&
              rank_patches(folds, tree, allocator) && mark_morphed(&b) &&
              grazei_folds_find_near(&b.folder) && record_pairs(&b) && record_nodes(&b);
    release_builder(&b);
    return ok;
}
