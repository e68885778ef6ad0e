/* From chains to pairs: what is looked at, once each, and what never is. */
#include "base/memory.h"
#include "base/status.h"
#include "chain/chains.h"

#include <string.h>

/* Which pairs of spheres there are: a square of bytes. */
typedef struct pair_table {
    uint32_t count; /* of spheres */
    uint8_t *is_in; /* count x count, the same on both sides of the diagonal */
} pair_table;

static void mark(pair_table *table, uint32_t a, uint32_t b)
{
    table->is_in[(size_t)a * table->count + b] = 1;
    table->is_in[(size_t)b * table->count + a] = 1;
}

static bool has(const pair_table *table, uint32_t a, uint32_t b)
{
    return table->is_in[(size_t)a * table->count + b];
}

/* ---- neighbours ----------------------------------------------------------------------------- */

static bool overlap_at_rest(const graze_chain_sphere *a, const graze_chain_sphere *b)
{
    double square = 0, reach = (double)a->radius + (double)b->radius;
    for (int k = 0; k < 3; k++) {
        double d = (double)a->centre[k] - (double)b->centre[k];
        square += d * d;
    }
    return square <= reach * reach;
}

/* The owners of triangles at each place: those of place v are owners[first[v] .. first[v + 1]). */
static void list_owners(const graze_chains *chains, const uint32_t *welds, uint32_t *first,
                        uint32_t *owners)
{
    const grazei_mesh *mesh = &chains->model->mesh;
    size_t corners = 3 * (size_t)mesh->triangle_count;
    for (size_t i = 0; i < corners; i++)
        first[welds[mesh->triangles[i]]]++;
    for (uint32_t v = 1; v <= mesh->vertex_count; v++)
        first[v] += first[v - 1];
    for (size_t i = 0; i < corners; i++)
        owners[--first[welds[mesh->triangles[i]]]] = chains->triangle_spheres[i / 3];
}

/* Marks all pairs of owners that meet at a place. */
static bool mark_by_places(const graze_chains *chains, const uint32_t *welds, pair_table *table)
{
    const graze_allocator *a = &chains->allocator;
    const grazei_mesh *mesh = &chains->model->mesh;
    uint32_t *first = GRAZEI_ALLOCATE_ZERO(a, (size_t)mesh->vertex_count + 1, uint32_t);
    uint32_t *owners = GRAZEI_ALLOCATE(a, 3 * (size_t)mesh->triangle_count, uint32_t);
    uint32_t *stamps = GRAZEI_ALLOCATE_ZERO(a, table->count, uint32_t);
    uint32_t *here = GRAZEI_ALLOCATE(a, table->count, uint32_t);
    bool room = first && owners && stamps && here;
    if (room)
        list_owners(chains, welds, first, owners);
    for (uint32_t v = 0; room && v < mesh->vertex_count; v++) {
        uint32_t count = 0;
        for (uint32_t i = first[v]; i < first[v + 1]; i++) {
            if (stamps[owners[i]] == v + 1)
                continue;
            stamps[owners[i]] = v + 1;
            for (uint32_t k = 0; k < count; k++)
                mark(table, owners[i], here[k]);
            here[count++] = owners[i];
        }
    }
    grazei_release(a, first);
    grazei_release(a, owners);
    grazei_release(a, stamps);
    grazei_release(a, here);
    return room;
}

/* Adds pairs that are up to so many steps apart. */
static bool spread(const graze_chains *chains, pair_table *table, uint32_t steps)
{
    uint32_t count = table->count;
    size_t size = (size_t)count * count;
    uint8_t *one = GRAZEI_ALLOCATE(&chains->allocator, size, uint8_t); /* step apart */
    uint8_t *before = GRAZEI_ALLOCATE(&chains->allocator, size, uint8_t);
    bool room = one && before, grown = room;
    if (room)
        memcpy(one, table->is_in, size);
    for (uint32_t step = 1; step < steps && grown; step++) {
        memcpy(before, table->is_in, size);
        grown = false;
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < count; b++)
                for (uint32_t c = 0; before[(size_t)a * count + b] && c < count; c++)
                    if (one[(size_t)b * count + c] && c != a && !has(table, a, c)) {
                        mark(table, a, c);
                        grown = true;
                    }
    }
    grazei_release(&chains->allocator, one);
    grazei_release(&chains->allocator, before);
    return room;
}

static bool mark_neighbours(const graze_chains *chains, const graze_chains_given *given,
                            const uint32_t *welds, pair_table *table)
{
    if (!given->no_neighbour_rule) {
        for (uint32_t a = 0; a < table->count; a++)
            for (uint32_t b = a + 1; b < table->count; b++)
                if (overlap_at_rest(&chains->spheres[a], &chains->spheres[b]))
                    mark(table, a, b);
        if (!mark_by_places(chains, welds, table) || !spread(chains, table, given->neighbour_steps))
            return false;
    }
    for (uint32_t i = 0; i < given->neighbour_count; i++)
        mark(table, given->neighbours[i].a, given->neighbours[i].b);
    return true;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static void mark_chains(const graze_chains *chains, const graze_chains_given *given,
                        pair_table *table)
{
    for (uint32_t c = 0; c < chains->chain_count; c++)
        for (uint32_t i = chains->chain_offsets[c]; i < chains->chain_offsets[c + 1]; i++)
            for (uint32_t k = chains->chain_offsets[c]; k < i; k++)
                mark(table, chains->chain_spheres[i], chains->chain_spheres[k]);
    for (uint32_t i = 0; i < given->also_count; i++)
        mark(table, given->also[i].a, given->also[i].b);
}

/* The pairs of a table, or all pairs if there is none, without those of the other table. */
static bool list_pairs(const graze_chains *chains, const pair_table *wanted,
                       const pair_table *unwanted, graze_pair **pairs, uint32_t *count)
{
    uint32_t found = 0;
    for (int fill = 0; fill < 2; fill++) {
        if (fill)
            *pairs = GRAZEI_ALLOCATE(&chains->allocator, found, graze_pair);
        if (fill && !*pairs)
            return false;
        found = 0;
        for (uint32_t a = 0; a < chains->sphere_count; a++)
            for (uint32_t b = a + 1; b < chains->sphere_count; b++)
                if ((!wanted || has(wanted, a, b)) && !has(unwanted, a, b)) {
                    if (fill)
                        (*pairs)[found] = (graze_pair){.a = a, .b = b};
                    found++;
                }
    }
    *count = found;
    return true;
}

graze_status grazei_chains_compile(graze_chains *chains, const graze_chains_given *given,
                                   const uint32_t *welds, graze_error *error)
{
    size_t size = (size_t)chains->sphere_count * chains->sphere_count;
    pair_table wanted = {chains->sphere_count, NULL}, neighbours = wanted;
    wanted.is_in = GRAZEI_ALLOCATE_ZERO(&chains->allocator, size, uint8_t);
    neighbours.is_in = GRAZEI_ALLOCATE_ZERO(&chains->allocator, size, uint8_t);
    bool room =
        wanted.is_in && neighbours.is_in && mark_neighbours(chains, given, welds, &neighbours);
    if (room) {
        mark_chains(chains, given, &wanted);
        room = list_pairs(chains, &wanted, &neighbours, &chains->checked, &chains->checked_count) &&
               list_pairs(chains, NULL, &neighbours, &chains->all, &chains->all_count);
    }
    grazei_release(&chains->allocator, wanted.is_in);
    grazei_release(&chains->allocator, neighbours.is_in);
    return room ? GRAZE_OK : grazei_fail_memory(error);
}
