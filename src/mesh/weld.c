/* Which vertices are one: those at one place, and those of them that cannot part.
 *
 * Two vertices cannot part if they lie at one place, every morph target moves them alike, and their
 * weights differ by at most 1/16 in the sum of absolute differences, which is not transitive: what
 * they join in a chain is found by union and find, the lowest vertex being the name of all.
 *
 * Weights that differ by so little share 31/32 of their sum. So the two have a joint in common: the
 * heaviest of either, if its weight is more than 1/16, else one of them. Vertices are listed by
 * place and joint, and compared only with those in the list of that joint: hundreds of instances
 * of a mesh, one at the other's place in its own space, cost no more than one.
 */
#include "mesh/weld.h"

#include "base/assert.h"
#include "base/memory.h"
#include "mesh/morphs.h"

#include <math.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX
#define MOST_DIFFERENCE (1.0 / 16)

static uint32_t mix(uint32_t hash, uint32_t bits)
{
    hash = (hash ^ bits) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

/* Zeros of both signs are the same place. */
static uint32_t hash_place(const float place[3])
{
    uint32_t hash = 2166136261u;
    for (int axis = 0; axis < 3; axis++) {
        float coordinate = place[axis] + 0.0f;
        uint32_t bits;
        memcpy(&bits, &coordinate, sizeof bits);
        hash = mix(hash, bits);
    }
    return hash;
}

static bool same_place(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static size_t table_size(size_t entries)
{
    size_t slots = 4;
    while (slots < 2 * entries)
        slots *= 2;
    return slots;
}

uint32_t *grazei_weld_places(const float *positions, uint32_t vertex_count,
                             const graze_allocator *allocator)
{
    size_t slots = table_size(vertex_count);
    uint32_t *table = GRAZEI_ALLOCATE(allocator, slots, uint32_t);
    uint32_t *welds = GRAZEI_ALLOCATE(allocator, vertex_count, uint32_t);
    for (size_t i = 0; table && i < slots; i++)
        table[i] = NO_ENTRY;
    for (uint32_t v = 0; table && welds && v < vertex_count; v++) {
        const float *place = positions + 3 * (size_t)v;
        size_t slot = hash_place(place) & (slots - 1);
        while (table[slot] != NO_ENTRY && !same_place(place, positions + 3 * (size_t)table[slot]))
            slot = (slot + 1) & (slots - 1);
        if (table[slot] == NO_ENTRY)
            table[slot] = v;
        welds[v] = table[slot];
    }
    if (!table) {
        grazei_release(allocator, welds);
        welds = NULL;
    }
    grazei_release(allocator, table);
    return welds;
}

/* ---- what cannot part ----------------------------------------------------------------------- */

/* An entry is an influence of a vertex that was looked at: entries of one place and joint are a
 * list, the newest first.
 */
typedef struct welder {
    const grazei_mesh *mesh;
    const uint32_t *joints; /* the joint that each one is, or NULL */
    const grazei_morph_index *morphs;
    uint32_t *slots; /* first entry of each list */
    size_t mask;
    uint32_t *next;   /* of each entry */
    uint32_t *owners; /* the vertex of each entry */
    double *weights;  /* of each joint, 0 between uses */
} welder;

static uint32_t joint_of(const welder *w, uint32_t influence)
{
    uint32_t joint = w->mesh->influences[influence].joint;
    return w->joints ? w->joints[joint] : joint;
}

/* The sum of the absolute differences of the weights of two vertices. */
static double difference(const welder *w, uint32_t a, uint32_t b)
{
    const uint32_t *offsets = w->mesh->influence_offsets, ends[2] = {a, b};
    const graze_influence *influences = w->mesh->influences;
    double sum = 0;
    for (uint32_t i = offsets[a]; i < offsets[a + 1]; i++)
        w->weights[joint_of(w, i)] += (double)influences[i].weight;
    for (uint32_t i = offsets[b]; i < offsets[b + 1]; i++)
        w->weights[joint_of(w, i)] -= (double)influences[i].weight;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = offsets[ends[side]]; i < offsets[ends[side] + 1]; i++) {
            double *left = &w->weights[joint_of(w, i)];
            sum += fabs(*left);
            *left = 0;
        }
    return sum;
}

static bool morph_alike(const welder *w, uint32_t a, uint32_t b)
{
    const grazei_morph_index *index = w->morphs;
    if (!w->mesh->morph_count)
        return true;
    uint32_t x = index->offsets[a], y = index->offsets[b], count = index->offsets[a + 1] - x;
    if (index->offsets[b + 1] - y != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (index->targets[x + i] != index->targets[y + i] ||
            !same_place(w->mesh->morph_deltas[index->deltas[x + i]],
                        w->mesh->morph_deltas[index->deltas[y + i]]))
            return false;
    return true;
}

static uint32_t *find_list(const welder *w, uint32_t vertex, uint32_t influence)
{
    const float *positions = w->mesh->positions, *place = positions + 3 * (size_t)vertex;
    uint32_t joint = joint_of(w, influence);
    size_t slot = mix(hash_place(place), joint) & w->mask;
    for (; w->slots[slot] != NO_ENTRY; slot = (slot + 1) & w->mask) {
        uint32_t entry = w->slots[slot];
        if (joint_of(w, entry) == joint &&
            same_place(place, positions + 3 * (size_t)w->owners[entry]))
            break;
    }
    return &w->slots[slot];
}

static uint32_t root_of(uint32_t *welds, uint32_t v)
{
    while (welds[v] != v)
        v = welds[v] = welds[welds[v]];
    return v;
}

static void unite(uint32_t *welds, uint32_t a, uint32_t b)
{
    a = root_of(welds, a);
    b = root_of(welds, b);
    GRAZE_ASSERT(welds[a] == a && welds[b] == b);
    if (a < b)
        welds[b] = a;
    else
        welds[a] = b;
}

/* Compares a vertex with those in a list. True if it is no different from one of them, so that it
 * need not be listed itself.
 */
static bool weld_to_list(const welder *w, uint32_t vertex, uint32_t entry)
{
    uint32_t *welds = w->mesh->welds;
    for (; entry != NO_ENTRY; entry = w->next[entry]) {
        uint32_t other = w->owners[entry];
        GRAZE_ASSERT(other < vertex);
        double differ = difference(w, vertex, other);
        if (differ > MOST_DIFFERENCE || !morph_alike(w, vertex, other))
            continue;
        unite(welds, vertex, other);
        if (differ == 0)
            return true;
    }
    return false;
}

static void weld_vertex(const welder *w, uint32_t vertex)
{
    const graze_influence *influences = w->mesh->influences;
    uint32_t first = w->mesh->influence_offsets[vertex];
    uint32_t end = w->mesh->influence_offsets[vertex + 1], heaviest = first;
    for (uint32_t i = first; i < end; i++)
        if (influences[i].weight > influences[heaviest].weight)
            heaviest = i;
    bool one = (double)influences[heaviest].weight > MOST_DIFFERENCE;
    for (uint32_t i = one ? heaviest : first; i < (one ? heaviest + 1 : end); i++)
        if (weld_to_list(w, vertex, *find_list(w, vertex, i)))
            return;
    for (uint32_t i = first; i < end; i++) {
        uint32_t *list = find_list(w, vertex, i);
        w->owners[i] = vertex;
        w->next[i] = *list;
        *list = i;
    }
}

/* Welds vertices that share a place with another; places are those of grazei_weld_places. */
static void weld_all(const welder *w, const uint32_t *places, uint8_t *shared)
{
    const grazei_mesh *mesh = w->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        shared[v] = shared[places[v]] = places[v] != v;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        mesh->welds[v] = v;
        if (shared[v])
            weld_vertex(w, v);
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        mesh->welds[v] = mesh->welds[mesh->welds[v]];
}

bool grazei_weld(grazei_mesh *mesh, const uint32_t *same_joints, const graze_allocator *allocator)
{
    uint32_t entries = mesh->influence_offsets[mesh->vertex_count];
    size_t slots = table_size(entries);
    grazei_morph_index morphs = {0};
    welder w = {.mesh = mesh, .joints = same_joints, .morphs = &morphs, .mask = slots - 1};
    GRAZE_ASSERT((slots & w.mask) == 0 && slots >= 2 * (size_t)entries);
    mesh->welds = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    w.slots = GRAZEI_ALLOCATE(allocator, slots, uint32_t);
    w.next = GRAZEI_ALLOCATE(allocator, entries, uint32_t);
    w.owners = GRAZEI_ALLOCATE(allocator, entries, uint32_t);
    w.weights = GRAZEI_ALLOCATE_ZERO(allocator, mesh->joint_count, double);
    uint32_t *places = grazei_weld_places(mesh->positions, mesh->vertex_count, allocator);
    uint8_t *shared = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint8_t);
    bool ok = mesh->welds && places && shared && w.slots && w.next && w.owners && w.weights &&
              (!mesh->morph_count || grazei_morph_index_build(&morphs, mesh, allocator));
    if (ok) {
        memset(w.slots, 0xff, slots * sizeof *w.slots);
        weld_all(&w, places, shared);
    }
    grazei_release(allocator, places);
    grazei_release(allocator, shared);
    grazei_release(allocator, w.slots);
    grazei_release(allocator, w.next);
    grazei_release(allocator, w.owners);
    grazei_release(allocator, w.weights);
    grazei_morph_index_release(&morphs, allocator);
    return ok;
}
