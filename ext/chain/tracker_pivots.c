/* The vertices that spheres follow, in the order in which they are posed. */
#include "chain/tracker.h"

#include "base/assert.h"
#include "base/memory.h"
#include "mesh/morphs.h"

#include <stdlib.h>
#include <string.h>

/* A vertex to be posed, and where it goes. */
typedef struct wanted_vertex {
    uint32_t influences, set; /* by which they are sorted: batches are, in deform/stream.h */
    uint32_t vertex, slot;
} wanted_vertex;

static int compare(const void *first, const void *second)
{
    const wanted_vertex *a = first, *b = second;
    if (a->influences != b->influences)
        return a->influences < b->influences ? -1 : 1;
    if (a->set != b->set)
        return a->set < b->set ? -1 : 1;
    return a->slot < b->slot ? -1 : a->slot > b->slot;
}

/* The most pivots of the spheres of a group. */
static uint32_t most_pivots(const graze_chains *chains, uint32_t group)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < GRAZEI_SPHERE_GROUP; i++) {
        uint32_t count = graze_chains_sphere(chains, GRAZEI_SPHERE_GROUP * group + i).pivot_count;
        most = count > most ? count : most;
    }
    return most;
}

/* Fills a group's rows and adds its vertices to the list; places beyond the last sphere repeat it.
 */
static uint32_t fill_group(graze_chain_tracker *tracker, const graze_chains *chains,
                           uint32_t number, wanted_vertex *wanted, uint32_t count)
{
    const grazei_mesh *mesh = &tracker->model->mesh;
    const uint32_t per_pivot = tracker->vertices_per_pivot;
    grazei_sphere_group *group = &tracker->groups[number];
    uint32_t pivot_count;
    const graze_chain_pivot *pivots = graze_chains_pivots(chains, &pivot_count);
    for (uint32_t i = 0; i < GRAZEI_SPHERE_GROUP; i++) {
        uint32_t s = GRAZEI_SPHERE_GROUP * number + i, last = tracker->sphere_count - 1;
        graze_chain_sphere sphere = graze_chains_sphere(chains, s < last ? s : last);
        group->scales[i] = sphere.radius_factor / (float)sphere.pivot_count;
        for (uint32_t k = 0; k < group->pivot_count; k++) {
            bool counts = k < sphere.pivot_count;
            GRAZE_ASSERT(counts || k > 0);
            const graze_chain_pivot *pivot = &pivots[sphere.first_pivot + (counts ? k : 0)];
            tracker->weights[group->first_row + k][i] = counts ? pivot->weight : 0;
            tracker->counts[group->first_row + k][i] = counts;
            for (uint32_t v = 0; v < per_pivot; v++) {
                uint32_t vertex = pivot->vertices[v];
                wanted[count++] = (wanted_vertex){
                    mesh->influence_offsets[vertex + 1] - mesh->influence_offsets[vertex],
                    mesh->vertex_set[vertex], vertex,
                    group->first_slot + (k * per_pivot + v) * GRAZEI_SPHERE_GROUP + i};
            }
        }
    }
    return count;
}

static bool fill_stream(const graze_chain_tracker *tracker, grazei_pivot_chunk *chunk,
                        const wanted_vertex *wanted, uint32_t count)
{
    const grazei_mesh *mesh = &tracker->model->mesh;
    grazei_stream *stream = &chunk->stream;
    size_t influences = 0;
    for (uint32_t i = 0; i < count; i++)
        influences += wanted[i].influences;
    stream->rest = grazei_allocate(&tracker->allocator, count, sizeof *stream->rest);
    stream->influences = GRAZEI_ALLOCATE(&tracker->allocator, influences, graze_influence);
    stream->sets = GRAZEI_ALLOCATE(&tracker->allocator, count, uint32_t);
    stream->vertices = GRAZEI_ALLOCATE(&tracker->allocator, count, uint32_t);
    chunk->numbers = GRAZEI_ALLOCATE(&tracker->allocator, count, uint32_t);
    if (!stream->rest || !stream->influences || !stream->sets || !stream->vertices ||
        !chunk->numbers)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const wanted_vertex *v = &wanted[i];
        memcpy(stream->rest[i], mesh->positions + 3 * (size_t)v->vertex, 3 * sizeof(float));
        stream->rest[i][3] = f4_from_bits(v->influences);
        memcpy(stream->influences + stream->influence_count,
               mesh->influences + mesh->influence_offsets[v->vertex],
               v->influences * sizeof *stream->influences);
        stream->influence_count += v->influences;
        stream->sets[i] = v->set;
        stream->vertices[i] = v->slot;
        chunk->numbers[i] = v->vertex;
    }
    GRAZE_ASSERT(stream->influence_count == influences);
    stream->count = count;
    return true;
}

/* Displacements of the chunk's vertices, target by target. */
static bool fill_morphs(const graze_chain_tracker *tracker, grazei_pivot_chunk *chunk)
{
    const grazei_mesh *mesh = &tracker->model->mesh;
    grazei_morph_list *list = &chunk->morphs;
    size_t capacity = 0;
    list->runs = GRAZEI_ALLOCATE(&tracker->allocator, mesh->morph_count, grazei_morph_run);
    bool ok = list->runs != NULL;
    for (uint32_t m = 0; ok && m < mesh->morph_count; m++) {
        uint32_t first = list->row_count;
        float(*rows)[4] = grazei_grow(&tracker->allocator, list->rows, &capacity,
                                      (size_t)first + chunk->stream.count, sizeof *rows);
        ok = rows != NULL;
        if (!ok)
            break;
        list->rows = rows;
        for (uint32_t i = 0; i < chunk->stream.count; i++) {
            const float *delta = grazei_morph_displacement(mesh, m, chunk->numbers[i]);
            if (!delta)
                continue;
            memcpy(rows[list->row_count], delta, 3 * sizeof(float));
            rows[list->row_count++][3] = f4_from_bits(i);
        }
        list->runs[list->run_count++] = (grazei_morph_run){m, first, list->row_count - first};
    }
    return ok;
}

/* The groups from first on that fit in one chunk; returns the one after them. */
static uint32_t fill_chunk(graze_chain_tracker *tracker, const graze_chains *chains, uint32_t first,
                           uint32_t part_count, wanted_vertex *wanted, bool *ok)
{
    grazei_pivot_chunk *chunk = &tracker->chunks[tracker->chunk_count++];
    uint32_t count = 0, g = first;
    for (; g < part_count; g++) {
        grazei_sphere_group *group = &tracker->groups[g];
        uint32_t slots = group->pivot_count * tracker->vertices_per_pivot * GRAZEI_SPHERE_GROUP;
        if (count + slots > GRAZEI_CHUNK_SLOTS)
            break;
        GRAZE_ASSERT(count + slots <= GRAZEI_CHUNK_SLOTS);
        group->first_slot = count;
        count = fill_group(tracker, chains, g, wanted, count);
    }
    GRAZE_ASSERT(g > first);
    chunk->first_group = first;
    chunk->part_count = g - first;
    qsort(wanted, count, sizeof *wanted, compare);
    *ok = fill_stream(tracker, chunk, wanted, count) &&
          (!tracker->model->mesh.morph_count || fill_morphs(tracker, chunk));
    return g;
}

bool grazei_tracker_make_pivots(graze_chain_tracker *tracker, const graze_chains *chains)
{
    uint32_t part_count = (tracker->sphere_count + GRAZEI_SPHERE_GROUP - 1) / GRAZEI_SPHERE_GROUP;
    uint32_t rows = 0;
    tracker->groups = GRAZEI_ALLOCATE_ZERO(&tracker->allocator, part_count, grazei_sphere_group);
    tracker->chunks = GRAZEI_ALLOCATE_ZERO(&tracker->allocator, part_count, grazei_pivot_chunk);
    wanted_vertex *wanted = GRAZEI_ALLOCATE(&tracker->allocator, GRAZEI_CHUNK_SLOTS, wanted_vertex);
    bool ok = tracker->groups && tracker->chunks && wanted;
    for (uint32_t g = 0; ok && g < part_count; g++) {
        tracker->groups[g].pivot_count = most_pivots(chains, g);
        tracker->groups[g].first_row = rows;
        rows += tracker->groups[g].pivot_count;
    }
    tracker->weights = GRAZEI_ALLOCATE(&tracker->allocator, rows, f4);
    tracker->counts = GRAZEI_ALLOCATE(&tracker->allocator, rows, f4);
    ok = ok && tracker->weights && tracker->counts;
    for (uint32_t g = 0; ok && g < part_count;)
        g = fill_chunk(tracker, chains, g, part_count, wanted, &ok);
    grazei_release(&tracker->allocator, wanted);
    return ok;
}

void grazei_tracker_release_pivots(graze_chain_tracker *tracker)
{
    for (uint32_t c = 0; c < tracker->chunk_count; c++) {
        grazei_pivot_chunk *chunk = &tracker->chunks[c];
        void *const all[] = {chunk->stream.rest,     chunk->stream.influences, chunk->stream.sets,
                             chunk->stream.vertices, chunk->numbers,           chunk->morphs.rows,
                             chunk->morphs.runs};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            grazei_release(&tracker->allocator, all[i]);
    }
    grazei_release(&tracker->allocator, tracker->groups);
    grazei_release(&tracker->allocator, tracker->chunks);
    grazei_release(&tracker->allocator, tracker->weights);
    grazei_release(&tracker->allocator, tracker->counts);
}
