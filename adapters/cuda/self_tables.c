/* Tables of a model on the device, in one block. */
#include "self.h"

#include <string.h>

enum { ALIGNED = 256, MOST_TABLES = 32 };

/* A table on its way: where its address goes. */
typedef struct table {
    const void *from;
    size_t bytes;
    uint64_t *address;
} table;

typedef struct table_list {
    table rows[MOST_TABLES];
    size_t count, bytes;
} table_list;

static void add(table_list *list, const void *from, size_t count, size_t size, uint64_t *address)
{
    list->rows[list->count++] = (table){from, count * size, address};
    list->bytes += (count * size + ALIGNED) / ALIGNED * ALIGNED;
}

static void add_skin(table_list *list, const graze_pose_tables *t, self_params *p)
{
    const size_t vertices = t->vertex_count;
    if (!t->positions)
        return;
    const uint32_t influences = t->influence_offsets[vertices];
    const uint32_t moved = t->morph_first[vertices];
    add(list, t->positions, vertices, 12, &p->rest);
    add(list, t->influence_offsets, vertices + 1, 4, &p->influence_offsets);
    add(list, t->influences, influences, sizeof(graze_influence), &p->influences);
    add(list, t->morph_first, vertices + 1, 4, &p->morph_first);
    add(list, t->morph_targets, moved, 4, &p->morph_targets);
    add(list, t->morph_deltas, moved, 12, &p->morph_deltas);
    add(list, t->morph_reach, t->morph_count, 16, &p->morph_reach);
}

static table_list list_tables(const graze_pose_tables *t, self_params *p)
{
    table_list list = {.count = 0};
    const size_t triangles = 64 * (size_t)t->patch_count;
    add(&list, t->triangles, triangles, 16, &p->triangles);
    add(&list, t->first_vertex, (size_t)t->patch_count + 1, 4, &p->first_vertex);
    add(&list, t->patch_vertices, t->first_vertex[t->patch_count], 4, &p->patch_vertices);
    add(&list, t->patch_corners, triangles, 4, &p->patch_corners);
    add(&list, t->parts, triangles, 4, &p->parts);
    add(&list, t->loose, t->loose_count, 4, &p->loose);
    add(&list, t->rest_first, (size_t)t->triangle_count + 1, 4, &p->rest_first);
    add(&list, t->rest_others, t->rest_first[t->triangle_count], 4, &p->rest_others);
    for (int level = 0; level < 3; level++) {
        const graze_pose_list *pairs = &t->lists[level];
        add(&list, pairs->pairs, pairs->count, 8, &p->pairs[level]);
        add(&list, pairs->masks, pairs->count, 8, &p->masks[level]);
        p->list_counts[level] = pairs->count;
    }
    add_skin(&list, t, p);
    return list;
}

/* The finest grid on which the largest triangle, cluster and patch at rest have room to stretch:
 * a box may be 255 steps wide. Two patches far apart do not alias while the body is no wider than
 * two thirds of the grid.
 */
static void choose_grid(const graze_pose_tables *t, self_params *p)
{
    const float least = t->size * 0x1p-20f;
    const float triangle = t->extents[0] > least ? t->extents[0] : least;
    p->scale = triangle > 0 ? 140 / triangle : 1;
    while (t->extents[1] * p->scale / (float)(1u << p->coarser[1]) > 200)
        p->coarser[1]++;
    while (p->coarser[2] < 12 && (t->extents[2] * p->scale / (float)(1u << p->coarser[2]) > 200 ||
                                  (float)(1024u << p->coarser[2]) / p->scale < 2.6f * t->size))
        p->coarser[2]++;
}

graze_status grazei_self_tables(graze_pose_cuda *batch, graze_error *error)
{
    const graze_pose_tables *t = batch->tables;
    self_params *p = &batch->params;
    const table_list list = list_tables(t, p);
    graze_status status = CUDA_TRY(batch->cuda, error, allocate, &batch->block, list.bytes);
    cuda_address at = batch->block;
    for (size_t i = 0; !status && i < list.count; i++) {
        const table *row = &list.rows[i];
        *row->address = at;
        at += (row->bytes + ALIGNED) / ALIGNED * ALIGNED;
        if (row->bytes)
            status = CUDA_TRY(batch->cuda, error, upload_now, *row->address, row->from, row->bytes);
    }
    p->vertex_count = t->vertex_count;
    p->triangle_count = t->triangle_count;
    p->patch_count = t->patch_count;
    p->loose_count = t->loose_count;
    p->joint_count = t->joint_count;
    p->morph_count = t->morph_count;
    while ((64ull * t->patch_count) >> p->shift)
        p->shift++;
    memcpy(p->reach, t->reach, sizeof p->reach);
    choose_grid(t, p);
    return status;
}
