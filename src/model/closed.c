/* Whether a surface is closed: every edge is used as often one way as the other way round, so that
 * its boundary is empty and winding numbers are whole.
 */
#include <graze/model.h>

#include "base/memory.h"
#include "base/status.h"
#include "mesh/morphs.h"
#include "model/model.h"

#include <stdlib.h>

typedef struct directed_edge {
    uint32_t low, high;
    int32_t way; /* 1 from low to high, else -1 */
} directed_edge;

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_edges(const void *left, const void *right)
{
    const directed_edge *a = left, *b = right;
    int order = compare_numbers(a->low, b->low);
    return order ? order : compare_numbers(a->high, b->high);
}

bool grazei_move_alike(const grazei_mesh *mesh, uint32_t a, uint32_t b)
{
    static const float nothing[3] = {0, 0, 0};
    const uint32_t *offsets = mesh->influence_offsets;
    uint32_t count = offsets[a + 1] - offsets[a];
    if (offsets[b + 1] - offsets[b] != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        graze_influence x = mesh->influences[offsets[a] + i], y = mesh->influences[offsets[b] + i];
        if (x.joint != y.joint || x.weight != y.weight)
            return false;
    }
    for (uint32_t m = 0; m < mesh->morph_count; m++) {
        const float *x = grazei_morph_displacement(mesh, m, a),
                    *y = grazei_morph_displacement(mesh, m, b);
        x = x ? x : nothing;
        y = y ? y : nothing;
        if (x[0] != y[0] || x[1] != y[1] || x[2] != y[2])
            return false;
    }
    return true;
}

static bool edges_cancel(const grazei_mesh *mesh, const uint32_t *mask, directed_edge *edges)
{
    const uint32_t *names = mesh->welds;
    size_t count = 0;
    for (size_t i = 0; i < (size_t)3 * mesh->triangle_count; i++) {
        uint32_t group = mesh->triangle_parts[i / 3];
        if (mask && !(mask[group / 32] >> (group % 32) & 1))
            continue;
        size_t next = i % 3 == 2 ? i - 2 : i + 1;
        uint32_t from = names[mesh->triangles[i]], to = names[mesh->triangles[next]];
        if (from < to)
            edges[count++] = (directed_edge){from, to, 1};
        else if (from > to)
            edges[count++] = (directed_edge){to, from, -1};
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += edges[i].way;
        bool last = i + 1 == count || compare_edges(&edges[i], &edges[i + 1]);
        if (last && sum)
            return false;
    }
    return true;
}

graze_status graze_model_is_closed(const graze_model *model, bool *closed, graze_error *error)
{
    graze_status status = grazei_check_pointer(model, "the model", error);
    if (!status)
        status = grazei_check_pointer(closed, "closed", error);
    return status ? status : grazei_model_part_is_closed(model, NULL, closed, error);
}

graze_status grazei_model_part_is_closed(const graze_model *model, const uint32_t *mask,
                                         bool *closed, graze_error *error)
{
    const graze_allocator *allocator = &model->allocator;
    const grazei_mesh *mesh = &model->mesh;
    directed_edge *edges =
        GRAZEI_ALLOCATE(allocator, 3 * (size_t)mesh->triangle_count, directed_edge);
    if (edges)
        *closed = edges_cancel(mesh, mask, edges);
    grazei_release(allocator, edges);
    return edges ? GRAZE_OK : grazei_fail_memory(error);
}
