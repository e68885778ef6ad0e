/* What the tests of the procedural models share: making, checking and hashing them.
 */
#ifndef GRAZE_TESTS_SCENES_SUPPORT_H
#define GRAZE_TESTS_SCENES_SUPPORT_H

#include "harness.h"
#include "scenes/synth.h"
#include "support/allocator.h"

#include <stdlib.h>
#include <string.h>

static inline graze_rig *make(graze_synth_kind kind, uint32_t triangles, uint32_t subdivisions)
{
    graze_synth_def def = {kind, triangles, subdivisions};
    graze_rig *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    graze_status status = graze_synth(&def, NULL, &rig, &error);
    CHECK_MSG(status == GRAZE_OK, "%s: %s", graze_synth_name(kind), error.text);
    return rig;
}

/* For test_fail_each. */
static inline graze_status make_by_def(const graze_allocator *allocator, void *def,
                                       graze_error *error)
{
    graze_rig *rig = NULL;
    graze_status status = graze_synth(def, allocator, &rig, error);
    CHECK(!status == (rig != NULL));
    graze_rig_destroy(rig);
    return status;
}

static inline void get_vertex(const graze_rig *rig, uint32_t v, double at[3])
{
    for (int k = 0; k < 3; k++)
        at[k] = rig->positions[3 * (size_t)v + k];
}

static inline int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Directed edges without an opposite: 0 for a closed mesh, the length of the border of an open one;
 * UINT32_MAX if one comes twice.
 */
static inline uint32_t count_open_edges(const graze_rig *rig)
{
    size_t count = 3 * (size_t)rig->triangle_count;
    uint32_t open = 0;
    uint64_t *keys = malloc(count * sizeof *keys);
    for (size_t i = 0; i < count; i++) {
        uint64_t from = rig->triangles[i], to = rig->triangles[i % 3 == 2 ? i - 2 : i + 1];
        keys[i] = from << 32 | to;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count && open != UINT32_MAX; i++) {
        uint64_t opposite = keys[i] << 32 | keys[i] >> 32;
        open += bsearch(&opposite, keys, count, sizeof *keys, compare_keys) == NULL;
        if (i > 0 && keys[i] == keys[i - 1])
            open = UINT32_MAX;
    }
    free(keys);
    return open;
}

static inline bool is_closed(const graze_rig *rig)
{
    return count_open_edges(rig) == 0;
}

static inline uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static inline uint32_t count_components(const graze_rig *rig)
{
    uint32_t *parent = malloc(rig->vertex_count * sizeof *parent), count = rig->vertex_count;
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        parent[v] = v;
    for (size_t i = 0; i < 3 * (size_t)rig->triangle_count; i++) {
        uint32_t a = root_of(parent, rig->triangles[i]);
        uint32_t b = root_of(parent, rig->triangles[i - i % 3]);
        if (a != b) {
            parent[a] = b;
            count--;
        }
    }
    free(parent);
    return count;
}

/* Each vertex must have a single fan of triangles: as many corners as its one fan has steps. */
static inline bool has_single_fans(const graze_rig *rig)
{
    size_t corners = 3 * (size_t)rig->triangle_count, sound = 0;
    uint32_t *start = calloc((size_t)rig->vertex_count + 1, sizeof *start);
    uint32_t *list = malloc(corners * sizeof *list);
    for (size_t i = 0; i < corners; i++)
        start[rig->triangles[i] + 1]++;
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        start[v + 1] += start[v];
    uint32_t *fill = malloc(rig->vertex_count * sizeof *fill);
    memcpy(fill, start, rig->vertex_count * sizeof *fill);
    for (size_t i = 0; i < corners; i++)
        list[fill[rig->triangles[i]]++] = (uint32_t)i;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        uint32_t count = start[v + 1] - start[v], steps = 0;
        uint32_t corner = count ? list[start[v]] : 0, first = corner;
        while (count && steps <= count) { /* to the triangle that has our last edge as its first */
            uint32_t last = rig->triangles[corner % 3 == 0 ? corner + 2 : corner - 1],
                     next = corner;
            for (uint32_t i = start[v]; i < start[v + 1]; i++)
                if (rig->triangles[list[i] % 3 == 2 ? list[i] - 2 : list[i] + 1] == last)
                    next = list[i];
            steps++;
            corner = next;
            if (corner == first)
                break;
        }
        sound += count >= 3 && steps == count;
    }
    free(start);
    free(list);
    free(fill);
    return sound == rig->vertex_count;
}

static inline double volume(const graze_rig *rig)
{
    double sum = 0;
    for (uint32_t t = 0; t < rig->triangle_count; t++) {
        double a[3], b[3], c[3];
        get_vertex(rig, rig->triangles[3 * (size_t)t], a);
        get_vertex(rig, rig->triangles[3 * (size_t)t + 1], b);
        get_vertex(rig, rig->triangles[3 * (size_t)t + 2], c);
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
    return hash;
}

static inline uint64_t hash_rig(const graze_rig *rig)
{
    uint64_t hash = 0xCBF29CE484222325u;
    hash = hash_bytes(hash, rig->positions, 12 * (size_t)rig->vertex_count);
    hash = hash_bytes(hash, rig->triangles, 12 * (size_t)rig->triangle_count);
    hash = hash_bytes(hash, rig->influence_offsets, 4 * (size_t)rig->vertex_count + 4);
    for (uint32_t i = 0; i < rig->influence_offsets[rig->vertex_count]; i++) {
        hash = hash_bytes(hash, &rig->influences[i].joint, 4);
        hash = hash_bytes(hash, &rig->influences[i].weight, 4);
    }
    for (uint32_t m = 0; m < rig->morph_count; m++) {
        hash = hash_bytes(hash, rig->morphs[m].vertices, 4 * (size_t)rig->morphs[m].count);
        hash = hash_bytes(hash, rig->morphs[m].deltas, 12 * (size_t)rig->morphs[m].count);
    }
    for (uint32_t c = 0; c < rig->clip_count; c++)
        for (uint32_t i = 0; i < rig->clips[c].channel_count; i++) {
            const graze_rig_channel *channel = &rig->clips[c].channels[i];
            size_t width = channel->path == GRAZE_RIG_ROTATION ? 16 : 12;
            if (channel->path == GRAZE_RIG_WEIGHTS)
                width = 4 * (size_t)channel->morph_count;
            hash = hash_bytes(hash, channel->values, width * channel->key_count);
        }
    return hash;
}

#endif
