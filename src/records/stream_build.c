/* Vertices in the order in which they are posed: of all patches, and of the whole mesh. */
#include "records/build.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/f4.h"

#include <string.h>

static uint32_t influences_of(const grazei_mesh *mesh, uint32_t vertex)
{
    return mesh->influence_offsets[vertex + 1] - mesh->influence_offsets[vertex];
}

static bool allocate(grazei_stream *stream, uint32_t count, size_t influences,
                     const graze_allocator *allocator)
{
    stream->rest = grazei_allocate(allocator, count, sizeof *stream->rest);
    stream->influences = GRAZEI_ALLOCATE(allocator, influences, graze_influence);
    stream->sets = GRAZEI_ALLOCATE(allocator, count, uint32_t);
    return stream->rest && stream->influences && stream->sets && influences < UINT32_MAX;
}

static void append(grazei_stream *stream, const grazei_mesh *mesh, uint32_t vertex)
{
    const float *position = mesh->positions + 3 * (size_t)vertex;
    uint32_t count = influences_of(mesh, vertex);
    stream->sets[stream->count] = mesh->vertex_set[vertex];
    GRAZE_ASSERT(count > 0 && vertex < mesh->vertex_count);
    float *rest = stream->rest[stream->count++];
    memcpy(rest, position, 3 * sizeof *rest);
    rest[3] = f4_from_bits(count);
    memcpy(stream->influences + stream->influence_count,
           mesh->influences + mesh->influence_offsets[vertex], count * sizeof(graze_influence));
    stream->influence_count += count;
}

bool grazei_stream_patches(grazei_stream *stream, const grazei_mesh *mesh, const grazei_tree *tree,
                           const graze_allocator *allocator)
{
    size_t influences = 0;
    for (uint32_t i = 0; i < tree->patch_vertex_count; i++)
        influences += influences_of(mesh, tree->patch_vertices[i]);
    stream->first_influence = GRAZEI_ALLOCATE(allocator, tree->patch_count, uint32_t);
    if (!allocate(stream, tree->patch_vertex_count, influences, allocator) ||
        !stream->first_influence)
        return false;
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        const grazei_patch *patch = &tree->patches[p];
        stream->first_influence[p] = stream->influence_count;
        for (uint32_t i = 0; i < patch->vertex_count; i++)
            append(stream, mesh, tree->patch_vertices[patch->first_vertex + i]);
    }
    return true;
}

/* Counting sort: by joint-set first, then by number of influences, both stable. */
static bool sort_vertices(grazei_stream *stream, const grazei_mesh *mesh,
                          const graze_allocator *allocator)
{
    uint32_t buckets =
        mesh->set_count > mesh->max_influences ? mesh->set_count : mesh->max_influences;
    uint32_t *starts = GRAZEI_ALLOCATE(allocator, (size_t)buckets + 2, uint32_t);
    uint32_t *by_set = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    bool ok = starts && by_set;
    for (int pass = 0; ok && pass < 2; pass++) {
        memset(starts, 0, ((size_t)buckets + 2) * sizeof *starts);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            starts[(pass ? influences_of(mesh, v) : mesh->vertex_set[v]) + 1]++;
        for (uint32_t b = 1; b < buckets + 2; b++)
            starts[b] += starts[b - 1];
        for (uint32_t i = 0; i < mesh->vertex_count; i++) {
            uint32_t v = pass ? by_set[i] : i;
            uint32_t bucket = pass ? influences_of(mesh, v) : mesh->vertex_set[v];
            (pass ? stream->vertices : by_set)[starts[bucket]++] = v;
        }
    }
    grazei_release(allocator, starts);
    grazei_release(allocator, by_set);
    return ok;
}

bool grazei_stream_mesh(grazei_stream *stream, const grazei_mesh *mesh,
                        const graze_allocator *allocator)
{
    stream->vertices = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    if (!allocate(stream, mesh->vertex_count, mesh->influence_offsets[mesh->vertex_count],
                  allocator) ||
        !stream->vertices || !sort_vertices(stream, mesh, allocator))
        return false;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        append(stream, mesh, stream->vertices[i]);
    return true;
}

void grazei_stream_release(grazei_stream *stream, const graze_allocator *allocator)
{
    grazei_release(allocator, stream->rest);
    grazei_release(allocator, stream->influences);
    grazei_release(allocator, stream->sets);
    grazei_release(allocator, stream->first_influence);
    grazei_release(allocator, stream->vertices);
}

size_t grazei_stream_bytes(const grazei_stream *stream, const grazei_tree *tree)
{
    return stream->count * (sizeof *stream->rest + sizeof *stream->sets) +
           stream->influence_count * sizeof *stream->influences +
           (stream->first_influence ? tree->patch_count * sizeof(uint32_t) : 0);
}
