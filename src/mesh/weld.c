#include "mesh/weld.h"

#include "base/memory.h"

#include <string.h>

#define NO_VERTEX UINT32_MAX

/* Zeros of both signs are the same place. */
static uint32_t hash_place(const float place[3])
{
    uint32_t hash = 2166136261u;
    for (int axis = 0; axis < 3; axis++) {
        float coordinate = place[axis] + 0.0f;
        uint32_t bits;
        memcpy(&bits, &coordinate, sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b1u;
        hash ^= hash >> 15;
    }
    return hash;
}

static bool same_place(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

bool grazei_weld(grazei_mesh *mesh, const graze_allocator *allocator)
{
    size_t slots = 4;
    while (slots < 2 * (size_t)mesh->vertex_count)
        slots *= 2;
    uint32_t *table = GRAZEI_ALLOCATE(allocator, slots, uint32_t);
    mesh->welds = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    if (!table || !mesh->welds) {
        grazei_release(allocator, table);
        return false;
    }
    memset(table, 0xff, slots * sizeof *table);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const float *place = mesh->positions + 3 * (size_t)v;
        size_t slot = hash_place(place) & (slots - 1);
        while (table[slot] != NO_VERTEX &&
               !same_place(place, mesh->positions + 3 * (size_t)table[slot]))
            slot = (slot + 1) & (slots - 1);
        if (table[slot] == NO_VERTEX)
            table[slot] = v;
        mesh->welds[v] = table[slot];
    }
    grazei_release(allocator, table);
    return true;
}
