/* Fitting the weights of a region: a mean and a gradient for each joint, by least squares. */
#include "folds/region.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

static void add_vertex(grazei_fold_builder *b, grazei_region *r, uint32_t vertex)
{
    const grazei_mesh *mesh = b->mesh;
    for (uint32_t i = mesh->influence_offsets[vertex]; i < mesh->influence_offsets[vertex + 1];
         i++) {
        uint32_t *slot = &b->slots[mesh->influences[i].joint];
        if (*slot == GRAZEI_NO_SLOT) {
            if (r->joint_count < GRAZEI_MAX_REGION_JOINTS) {
                r->joints[r->joint_count] = mesh->influences[i].joint;
                *slot = r->joint_count;
            }
            r->joint_count++;
        }
        if (*slot != GRAZEI_NO_SLOT)
            r->less[*slot] -= (double)mesh->influences[i].weight;
    }
    for (int axis = 0; axis < 3; axis++)
        r->centre[axis] += (double)grazei_rest_position(b->mesh, vertex)[axis];
}

/* Of all joints but the main one; lanes without a joint are 0. */
static void find_deviations(const grazei_fold_builder *b, const grazei_region *r, uint32_t vertex,
                            double weights[GRAZEI_MAX_REGION_JOINTS], double place[3])
{
    const grazei_mesh *mesh = b->mesh;
    memcpy(weights, r->less, sizeof r->less);
    for (uint32_t i = mesh->influence_offsets[vertex]; i < mesh->influence_offsets[vertex + 1]; i++)
        weights[b->slots[mesh->influences[i].joint]] += (double)mesh->influences[i].weight;
    weights[r->joint_count - 1] = 0;
    GRAZE_ASSERT(r->joint_count > 1 && r->joint_count <= GRAZEI_MAX_REGION_JOINTS);
    for (int axis = 0; axis < 3; axis++)
        place[axis] = (double)grazei_rest_position(b->mesh, vertex)[axis] - r->centre[axis];
}

/* Sums for least squares: second moments of places, and of places with weights. */
typedef struct moments {
    double places[3][3];
    double weights[3][GRAZEI_MAX_LANES];
} moments;

static void add_moments(grazei_region *r, const double *weights, const double *place, moments *sums)
{
    for (int x = 0; x < 3; x++) {
        for (int y = 0; y < 3; y++)
            sums->places[x][y] += place[x] * place[y];
        for (uint32_t j = 0; j + 1 < r->joint_count; j++)
            sums->weights[x][j] += place[x] * weights[j];
    }
    double square = place[0] * place[0] + place[1] * place[1] + place[2] * place[2];
    r->radius = square > r->radius ? square : r->radius; /* squared, so far */
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

static void fit_gradients(grazei_fold_builder *b, grazei_region *r)
{
    const grazei_tree *tree = b->tree;
    moments sums = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < grazei_region_patch_count(r); i++) {
        const grazei_patch *patch = &tree->patches[r->patches[i]];
        for (uint32_t v = 0; v < patch->vertex_count; v++) {
            double *weights = b->deviations[count++], *place = weights + GRAZEI_MAX_REGION_JOINTS;
            GRAZE_ASSERT(count <= 2 * GRAZEI_MAX_PATCH_VERTICES);
            find_deviations(b, r, tree->patch_vertices[patch->first_vertex + v], weights, place);
        }
    }
    for (uint32_t v = 0; v < count; v++)
        add_moments(r, b->deviations[v], b->deviations[v] + GRAZEI_MAX_REGION_JOINTS, &sums);
    r->radius = sqrt(r->radius) * (1 + 1e-9);
    /* A surface says little about what is across it: lean towards no gradient there. */
    double lean = 0.01 * (sums.places[0][0] + sums.places[1][1] + sums.places[2][2]);
    for (int axis = 0; axis < 3; axis++)
        sums.places[axis][axis] += lean;
    memset(r->gradient, 0, sizeof r->gradient);
    for (uint32_t j = 0; j + 1 < r->joint_count; j++) {
        double g[3], h[3];
        for (int axis = 0; axis < 3; axis++)
            h[axis] = sums.weights[axis][j];
        solve(sums.places, h, g);
        for (int axis = 0; axis < 3; axis++)
            r->gradient[axis][j] = g[axis] = (double)(float)g[axis];
        r->steepness[j] = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    }
}

static void put_last(grazei_fold_builder *b, grazei_region *r, uint32_t slot)
{
    uint32_t last = r->joint_count - 1, joint = r->joints[slot];
    GRAZE_ASSERT(slot <= last);
    double less = r->less[slot];
    r->joints[slot] = r->joints[last];
    r->less[slot] = r->less[last];
    r->joints[last] = joint;
    r->less[last] = less;
    b->slots[r->joints[slot]] = slot;
    b->slots[joint] = last;
}

bool grazei_region_fit(grazei_fold_builder *b, grazei_region *r)
{
    const grazei_tree *tree = b->tree;
    double count = 0;
    r->joint_count = 0;
    r->radius = 0;
    memset(r->less, 0, sizeof r->less);
    memset(r->centre, 0, sizeof r->centre);
    for (uint32_t i = 0; i < grazei_region_patch_count(r); i++) {
        const grazei_patch *patch = &tree->patches[r->patches[i]];
        for (uint32_t v = 0; v < patch->vertex_count; v++)
            add_vertex(b, r, tree->patch_vertices[patch->first_vertex + v]);
        count += patch->vertex_count;
    }
    if (r->joint_count > GRAZEI_MAX_REGION_JOINTS)
        return false;
    uint32_t main_slot = 0;
    for (uint32_t j = 0; j < r->joint_count; j++) {
        r->less[j] = (double)(float)(r->less[j] / count);
        if (r->less[j] < r->less[main_slot])
            main_slot = j;
    }
    GRAZE_ASSERT(count > 0 && r->joint_count > 0);
    put_last(b, r, main_slot);
    r->four_count = (r->joint_count + 2) / 4;
    for (int axis = 0; axis < 3; axis++)
        r->centre[axis] = (double)(float)(r->centre[axis] / count);
    if (r->joint_count > 1)
        fit_gradients(b, r);
    return true;
}

void grazei_region_forget_joints(grazei_fold_builder *b, const grazei_region *r)
{
    const grazei_mesh *mesh = b->mesh;
    if (r->joint_count > GRAZEI_MAX_REGION_JOINTS) {
        for (uint32_t j = 0; j < mesh->joint_count; j++)
            b->slots[j] = GRAZEI_NO_SLOT;
        return;
    }
    for (uint32_t j = 0; j < r->joint_count; j++)
        b->slots[r->joints[j]] = GRAZEI_NO_SLOT;
}
