/* Morph targets as lists of displacements: for the whole mesh, and patch by patch. */
#include "records/build.h"

#include "base/assert.h"
#include "base/memory.h"

#include <string.h>

static void store_row(grazei_morph_list *list, const float delta[3], uint32_t position)
{
    float *row = list->rows[list->row_count++];
    memcpy(row, delta, 3 * sizeof *row);
    row[3] = f4_from_bits(position);
}

/* The whole mesh: each target as it is, positions in the order of the stream. */
static bool build_mesh_list(grazei_morph_list *list, const grazei_mesh *mesh,
                            const grazei_stream *stream, const graze_allocator *allocator)
{
    uint32_t total = mesh->morph_offsets[mesh->morph_count];
    uint32_t *position_of = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    list->rows = grazei_allocate(allocator, total, sizeof *list->rows);
    list->runs = GRAZEI_ALLOCATE(allocator, mesh->morph_count, grazei_morph_run);
    bool ok = position_of && list->rows && list->runs;
    for (uint32_t i = 0; ok && i < stream->count; i++)
        position_of[stream->vertices[i]] = i;
    for (uint32_t m = 0; ok && m < mesh->morph_count; m++) {
        uint32_t first = mesh->morph_offsets[m], end = mesh->morph_offsets[m + 1];
        list->runs[list->run_count++] = (grazei_morph_run){m, list->row_count, end - first};
        for (uint32_t i = first; i < end; i++)
            store_row(list, mesh->morph_deltas[i], position_of[mesh->morph_vertices[i]]);
    }
    grazei_release(allocator, position_of);
    return ok;
}

/* Writes the runs and rows of one patch, grouped by target: counts them, then fills them. counts
 * holds zeros, one a target, and does so again afterwards.
 */
static void add_patch(grazei_morph_list *list, const grazei_mesh *mesh, const grazei_tree *tree,
                      const grazei_morph_index *index, const grazei_patch *patch, uint32_t *counts)
{
    const uint32_t *vertices = tree->patch_vertices + patch->first_vertex;
    for (uint32_t i = 0; i < patch->vertex_count; i++)
        for (uint32_t k = index->offsets[vertices[i]]; k < index->offsets[vertices[i] + 1]; k++)
            counts[index->targets[k]]++;
    for (uint32_t m = 0; m < mesh->morph_count; m++) {
        if (!counts[m])
            continue;
        list->runs[list->run_count++] = (grazei_morph_run){m, list->row_count, counts[m]};
        list->row_count += counts[m];
        counts[m] = list->row_count - counts[m]; /* where the next row goes */
    }
    for (uint32_t i = 0; i < patch->vertex_count; i++)
        for (uint32_t k = index->offsets[vertices[i]]; k < index->offsets[vertices[i] + 1]; k++) {
            float *row = list->rows[counts[index->targets[k]]++];
            memcpy(row, mesh->morph_deltas[index->deltas[k]], 3 * sizeof *row);
            row[3] = f4_from_bits(i);
        }
    GRAZE_ASSERT(list->run_count == 0 ||
                 list->runs[list->run_count - 1].target < mesh->morph_count);
    memset(counts, 0, mesh->morph_count * sizeof *counts);
}

static bool build_patch_list(grazei_morph_list *list, const grazei_mesh *mesh,
                             const grazei_tree *tree, const grazei_morph_index *index,
                             const graze_allocator *allocator)
{
    size_t rows = 0;
    for (uint32_t i = 0; i < tree->patch_vertex_count; i++)
        rows +=
            index->offsets[tree->patch_vertices[i] + 1] - index->offsets[tree->patch_vertices[i]];
    size_t runs = (size_t)tree->patch_count * mesh->morph_count;
    runs = runs < rows ? runs : rows;
    uint32_t *counts = GRAZEI_ALLOCATE_ZERO(allocator, mesh->morph_count, uint32_t);
    list->first_run = GRAZEI_ALLOCATE(allocator, (size_t)tree->patch_count + 1, uint32_t);
    list->runs = GRAZEI_ALLOCATE(allocator, runs, grazei_morph_run);
    list->rows = grazei_allocate(allocator, rows, sizeof *list->rows);
    bool ok = counts && list->first_run && list->runs && list->rows && rows < UINT32_MAX;
    for (uint32_t p = 0; ok && p < tree->patch_count; p++) {
        list->first_run[p] = list->run_count;
        add_patch(list, mesh, tree, index, &tree->patches[p], counts);
    }
    if (ok)
        list->first_run[tree->patch_count] = list->run_count;
    grazei_release(allocator, counts);
    return ok;
}

static bool build_reach(grazei_morph *morph, const grazei_mesh *mesh,
                        const graze_allocator *allocator)
{
    morph->target_reach =
        grazei_allocate_zero(allocator, mesh->morph_count, sizeof *morph->target_reach);
    for (uint32_t m = 0; morph->target_reach && m < mesh->morph_count; m++)
        for (uint32_t i = mesh->morph_offsets[m]; i < mesh->morph_offsets[m + 1]; i++)
            for (int axis = 0; axis < 3; axis++)
                morph->target_reach[m][axis] =
                    f1_max(morph->target_reach[m][axis], fabsf(mesh->morph_deltas[i][axis]));
    return morph->target_reach != NULL;
}

bool grazei_morph_lists_build(grazei_morph *morph, const grazei_mesh *mesh, const grazei_tree *tree,
                              const grazei_stream *mesh_stream, const grazei_morph_index *index,
                              const graze_allocator *allocator)
{
    morph->target_count = mesh->morph_count;
    return build_reach(morph, mesh, allocator) &&
           build_mesh_list(&morph->mesh, mesh, mesh_stream, allocator) &&
           build_patch_list(&morph->patches, mesh, tree, index, allocator);
}

static void release_list(grazei_morph_list *list, const graze_allocator *allocator)
{
    grazei_release(allocator, list->rows);
    grazei_release(allocator, list->runs);
    grazei_release(allocator, list->first_run);
}

void grazei_morph_release(grazei_morph *morph, const graze_allocator *allocator)
{
    release_list(&morph->patches, allocator);
    release_list(&morph->mesh, allocator);
    grazei_release(allocator, morph->node_rows);
    grazei_release(allocator, morph->node_first);
    grazei_release(allocator, morph->node_drift);
    grazei_release(allocator, morph->target_reach);
}
