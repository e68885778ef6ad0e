/* Nodes of so few vertices that posing them costs less than a bound. */
#include "records/records.h"

#include "base/assert.h"

#include <string.h>

/* The patches below a node: from the first leaf's to the last one's, which are numbered in the
 * order of triangles.
 */
static void patches_below(const grazei_tree *tree, uint32_t node, uint32_t *first, uint32_t *last)
{
    uint32_t low = node, high = node;
    while (tree->nodes[low].count)
        low = tree->nodes[low].first;
    while (tree->nodes[high].count)
        high = tree->nodes[high].first + tree->nodes[high].count - 1;
    *first = tree->nodes[low].first;
    *last = tree->nodes[high].first;
}

bool grazei_node_is_posed(const grazei_mesh *mesh, const grazei_tree *tree, uint32_t node)
{
    const uint32_t *range = tree->node_triangles[node];
    const graze_tree_def *def = &tree->def;
    if (mesh->morph_count || def->volume != GRAZE_SPHERES || def->refit == GRAZE_REFIT_CORNERS ||
        def->contact_level || !tree->patch_count || range[1] - range[0] > GRAZEI_MAX_POSED)
        return false;
    uint32_t first, last, next = range[0], vertices = 0;
    patches_below(tree, node, &first, &last);
    for (uint32_t p = first; p <= last && p < tree->patch_count; p++) {
        if (tree->patches[p].first_triangle != next)
            return false;
        next += tree->patches[p].triangle_count;
        vertices += tree->patches[p].vertex_count;
    }
    return next == range[1] && vertices <= GRAZEI_MAX_POSED;
}

bool grazei_record_posed(grazei_recorder *r, uint32_t node, grazei_record *record)
{
    const grazei_stream *stream = &r->skin->patch_stream;
    uint32_t first, last;
    float points[2 * GRAZEI_MAX_POSED][4];
    double shares[GRAZEI_MAX_POSED];
    patches_below(r->tree, node, &first, &last);
    uint32_t start = r->tree->patches[first].first_vertex;
    uint32_t count = r->tree->patches[last].first_vertex + r->tree->patches[last].vertex_count;
    count -= start;
    GRAZE_ASSERT(count <= GRAZEI_MAX_POSED);
    float(*rows)[4] = grazei_open_record(r, record, GRAZEI_SPHERE_POSED, 1 + (count + 3) / 4,
                                         r->mesh->weight_error);
    if (!rows)
        return false;
    rows[0][0] = f4_from_bits(start);
    rows[0][1] = f4_from_bits(count);
    rows[0][2] = f4_from_bits(stream->first_influence[first]);
    for (uint32_t k = 0; k < count; k++) {
        memcpy(points[2 * k], stream->rest[start + k], sizeof points[2 * k]);
        points[2 * k][3] = 0;
    }
    grazei_share_centre(points, count, shares);
    for (uint32_t k = 0; k < count; k++)
        rows[1 + k / 4][k % 4] = points[2 * k + 1][1];
    return true;
}
