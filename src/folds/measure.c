/* Triangles, patches and nodes at rest, measured once for all that is asked of them. */
#include "folds/build.h"

#include "base/assert.h"
#include "math/rounding.h"

static void grow_box(grazei_rest_box *a, const float point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        a->low[axis] = f1_min(a->low[axis], point[axis]);
        a->high[axis] = f1_max(a->high[axis], point[axis]);
    }
}

static grazei_rest_box empty_box(void)
{
    return (grazei_rest_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double length(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* The directions, in double before they are kept as floats; all 0 for a triangle without area, to
 * double's precision.
 */
static void find_directions(const double edges[3][3], const double lengths[3], float out[4][3])
{
    double normal[3], size,
        longest = grazei_higher(lengths[0], grazei_higher(lengths[1], lengths[2]));
    memset(out, 0, 12 * sizeof(float));
    cross(edges[0], edges[1], normal);
    size = length(normal);
    if (!(size > 1e-9 * longest * longest))
        return;
    for (int axis = 0; axis < 3; axis++)
        out[3][axis] = (float)(normal[axis] / size);
    for (int k = 0; k < 3; k++) {
        double across[3];
        cross(normal, edges[k], across);
        for (int axis = 0; axis < 3; axis++)
            out[k][axis] = (float)(across[axis] / (size * lengths[k]));
    }
}

/* Returns the sum of its edges. */
static double measure_triangle(const grazei_fold_builder *b, uint32_t place,
                               grazei_rest_triangle *t)
{
    const uint32_t *vertices = b->mesh->triangles + 3 * (size_t)b->tree->patch_triangles[place];
    double edges[3][3], lengths[3];
    float directions[4][3];
    for (int c = 0; c < 3; c++)
        t->corners[c] = f4_load3(grazei_rest_position(b->mesh, vertices[c]));
    for (int k = 0; k < 3; k++) { /* edge k is across from corner k */
        for (int axis = 0; axis < 3; axis++)
            edges[k][axis] =
                (double)t->corners[(k + 2) % 3][axis] - (double)t->corners[(k + 1) % 3][axis];
        lengths[k] = length(edges[k]);
    }
    find_directions((const double(*)[3])edges, lengths, directions);
    t->x = f4_set(directions[0][0], directions[1][0], directions[2][0], directions[3][0]);
    t->y = f4_set(directions[0][1], directions[1][1], directions[2][1], directions[3][1]);
    t->z = f4_set(directions[0][2], directions[1][2], directions[2][2], directions[3][2]);
    f4 along[3];
    for (int c = 0; c < 3; c++)
        along[c] = grazei_rest_along(t, t->corners[c]);
    t->base = f4_min(along[0], f4_min(along[1], along[2]));
    t->height = f4_max(along[0], f4_max(along[1], along[2])) - t->base;
    return lengths[0] + lengths[1] + lengths[2];
}

static void measure_patch(grazei_fold_builder *b, uint32_t number)
{
    const grazei_patch *patch = &b->tree->patches[number];
    double edges = 0;
    b->patch_boxes[number] = empty_box();
    for (uint32_t i = patch->first_triangle; i < patch->first_triangle + patch->triangle_count; i++)
        edges += measure_triangle(b, i, &b->triangles[i]);
    for (uint32_t v = 0; v < patch->vertex_count; v++) {
        uint32_t place = patch->first_vertex + v;
        const float *position = grazei_rest_position(b->mesh, b->tree->patch_vertices[place]);
        grow_box(&b->patch_boxes[number], position);
        b->places[place] = f4_load3(position);
    }
    GRAZE_ASSERT(edges >= 0 && patch->triangle_count > 0);
    b->folds->edges[number] = (float)(edges / (3.0 * patch->triangle_count));
}

static void measure_node(grazei_fold_builder *b, uint32_t n)
{
    grazei_folds *folds = b->folds;
    grazei_node node = b->tree->nodes[n];
    if (node.count == 0) {
        b->node_boxes[n] = b->patch_boxes[node.first];
        folds->node_edges[n] = folds->edges[node.first];
        return;
    }
    b->node_boxes[n] = empty_box();
    folds->node_edges[n] = INFINITY;
    for (uint32_t c = node.first; c < node.first + node.count; c++) {
        grow_box(&b->node_boxes[n], b->node_boxes[c].low);
        grow_box(&b->node_boxes[n], b->node_boxes[c].high);
        folds->node_edges[n] = f1_min(folds->node_edges[n], folds->node_edges[c]);
    }
}

void grazei_folds_start_measuring(grazei_fold_builder *b)
{
    float reach[3];
    memcpy(reach, b->mesh->reach, sizeof reach);
    for (uint32_t v = 0; b->mesh->rest_positions && v < b->mesh->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            reach[axis] = f1_max(reach[axis], fabsf(grazei_rest_position(b->mesh, v)[axis]));
    /* A place along a direction is three products and two sums of at most these: below 8 u of them,
     * which a difference of two such places doubles; and what may underflow.
     */
    b->blur = 32 * GRAZEI_UNIT * (reach[0] + reach[1] + reach[2]) + 0x1p-100f;
    b->longest_edge = 0;
}

void grazei_folds_measure_patch(grazei_fold_builder *b, uint32_t p)
{
    measure_patch(b, p);
    b->longest_edge = f1_max(b->longest_edge, b->folds->edges[p]);
}

void grazei_folds_measure_nodes(grazei_fold_builder *b)
{
    for (uint32_t n = b->tree->node_count; n-- > 0;)
        measure_node(b, n);
}
