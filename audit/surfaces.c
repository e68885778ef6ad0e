/* The surface of each part: which triangles lie beside each other, where the part ends, and small
 * clusters of triangles for the search of a nearest point.
 */
#include "audit/boxes.h"

#include <stdlib.h>
#include <string.h>

enum { CLUSTER = 4 };

/* ---- neighbours ----------------------------------------------------------------------------- */

/* The corner at which a triangle has this weld; 3: none. */
static uint32_t corner_at(const graze_audit_subject *subject, uint32_t triangle, uint32_t weld)
{
    const uint32_t *corners = grazei_corners(subject, triangle);
    uint32_t c = 0;
    while (c < 3 && subject->welds[corners[c]] != weld)
        c++;
    return c;
}

/* Another triangle at the edge between two welds: one of the same part if there is one. */
static uint32_t find_beside(const graze_audit_subject *subject, uint32_t triangle, uint32_t u,
                            uint32_t v)
{
    const uint32_t *first = subject->around_first;
    uint32_t found = GRAZE_NONE;
    if (first[u + 1] - first[u] > first[v + 1] - first[v]) { /* a pole has very many around it */
        uint32_t pole = u;
        u = v;
        v = pole;
    }
    for (uint32_t i = first[u]; i < first[u + 1]; i++) {
        uint32_t other = subject->around[i];
        if (other == triangle || corner_at(subject, other, v) == 3)
            continue;
        if (found == GRAZE_NONE || subject->part_of[other] == subject->part_of[triangle])
            found = other;
    }
    return found;
}

static void find_neighbours(graze_audit_subject *subject)
{
    for (uint32_t t = 0; t < subject->rig->triangle_count; t++) {
        const uint32_t *corners = grazei_corners(subject, t);
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t u = subject->welds[corners[c]], v = subject->welds[corners[(c + 1) % 3]];
            uint32_t beside = u == v ? t : find_beside(subject, t, u, v);
            subject->neighbours[3 * (size_t)t + c] = beside;
            if (beside == GRAZE_NONE)
                subject->weld_rim[u] = subject->weld_rim[v] = true;
            if (beside == GRAZE_NONE || subject->part_of[beside] != subject->part_of[t]) {
                subject->weld_border[u] = subject->weld_border[v] = true;
                subject->part_border[subject->part_of[t]] = true;
            }
        }
    }
}

/* ---- clusters ------------------------------------------------------------------------------- */

typedef struct centred {
    float centre[3];
    uint32_t triangle;
} centred;

static int by_axis(const centred *x, const centred *y, int axis)
{
    if (x->centre[axis] != y->centre[axis])
        return x->centre[axis] < y->centre[axis] ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

#define BY(axis)                                                                                   \
    static int by_axis_##axis(const void *x, const void *y)                                        \
    {                                                                                              \
        return by_axis(x, y, axis);                                                                \
    }
BY(0)
BY(1)
BY(2)

static int longest_axis(const centred *items, uint32_t count)
{
    float longest = -1;
    int found = 0;
    for (int axis = 0; axis < 3; axis++) {
        float low = items[0].centre[axis], high = low;
        for (uint32_t i = 1; i < count; i++) {
            low = items[i].centre[axis] < low ? items[i].centre[axis] : low;
            high = items[i].centre[axis] > high ? items[i].centre[axis] : high;
        }
        if (high - low > longest) {
            longest = high - low;
            found = axis;
        }
    }
    return found;
}

/* Halves the items until few are left together. */
static void cluster_items(graze_audit_subject *subject, centred *items, uint32_t count,
                          uint32_t first, uint32_t *clusters)
{
    static int (*const orders[3])(const void *, const void *) = {by_axis_0, by_axis_1, by_axis_2};
    if (count <= CLUSTER) {
        subject->clusters[(*clusters)++] = (grazei_cluster){first, count};
        return;
    }
    qsort(items, count, sizeof *items, orders[longest_axis(items, count)]);
    cluster_items(subject, items, count / 2, first, clusters);
    cluster_items(subject, items + count / 2, count - count / 2, first + count / 2, clusters);
}

static void list_parts(graze_audit_subject *subject, centred *items)
{
    const graze_rig *rig = subject->rig;
    uint32_t clusters = 0;
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        subject->part_first[subject->part_of[t] + 2]++;
    for (uint32_t p = 0; p < subject->part_count; p++)
        subject->part_first[p + 2] += subject->part_first[p + 1];
    for (uint32_t t = 0; t < rig->triangle_count; t++) {
        const uint32_t *corners = grazei_corners(subject, t);
        centred *item = &items[subject->part_first[subject->part_of[t] + 1]++];
        item->triangle = t;
        for (int axis = 0; axis < 3; axis++)
            item->centre[axis] = (rig->positions[3 * (size_t)corners[0] + axis] +
                                  rig->positions[3 * (size_t)corners[1] + axis] +
                                  rig->positions[3 * (size_t)corners[2] + axis]) /
                                 3;
    }
    for (uint32_t p = 0; p < subject->part_count; p++) {
        uint32_t first = subject->part_first[p], count = subject->part_first[p + 1] - first;
        subject->cluster_first[p] = clusters;
        if (count)
            cluster_items(subject, items + first, count, first, &clusters);
    }
    subject->cluster_first[subject->part_count] = clusters;
    for (uint32_t p = 0; p < subject->part_count; p++)
        subject->box_first[p + 1] =
            subject->box_first[p] +
            grazei_count_boxes(subject->cluster_first[p + 1] - subject->cluster_first[p]);
    for (uint32_t i = 0; i < rig->triangle_count; i++)
        subject->part_triangles[i] = items[i].triangle;
}

/* last: for each vertex the last part that listed it, plus 1. */
static uint32_t list_vertices(graze_audit_subject *subject, uint32_t *last, uint32_t *listed)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < subject->part_count; p++) {
        if (listed)
            subject->vertex_first[p] = count;
        for (uint32_t i = subject->part_first[p]; i < subject->part_first[p + 1]; i++)
            for (uint32_t c = 0; c < 3; c++) {
                uint32_t v = grazei_corners(subject, subject->part_triangles[i])[c];
                if (last[v] == p + 1)
                    continue;
                last[v] = p + 1;
                if (listed)
                    listed[count] = v;
                count++;
            }
    }
    if (listed)
        subject->vertex_first[subject->part_count] = count;
    return count;
}

static bool list_all(graze_audit_subject *subject)
{
    const graze_allocator *allocator = &subject->allocator;
    const graze_rig *rig = subject->rig;
    centred *items = grazei_audit_room(allocator, rig->triangle_count, sizeof *items);
    uint32_t *last = grazei_audit_room(allocator, rig->vertex_count, sizeof *last);
    bool done = items && last;
    if (done) {
        list_parts(subject, items);
        uint32_t count = list_vertices(subject, last, NULL);
        memset(last, 0, rig->vertex_count * sizeof *last);
        subject->part_vertices = grazei_audit_room(allocator, count, sizeof(uint32_t));
        done = subject->part_vertices != NULL;
    }
    if (done)
        list_vertices(subject, last, subject->part_vertices);
    grazei_audit_release(allocator, items);
    grazei_audit_release(allocator, last);
    return done;
}

bool grazei_find_surfaces(graze_audit_subject *subject)
{
    const graze_allocator *allocator = &subject->allocator;
    const size_t triangles = subject->rig->triangle_count, parts = subject->part_count;
    subject->neighbours = grazei_audit_room(allocator, triangles, 3 * sizeof(uint32_t));
    subject->weld_border = grazei_audit_room(allocator, subject->weld_count, sizeof(bool));
    subject->weld_rim = grazei_audit_room(allocator, subject->weld_count, sizeof(bool));
    subject->part_border = grazei_audit_room(allocator, parts, sizeof(bool));
    subject->part_first = grazei_audit_room(allocator, parts + 2, sizeof(uint32_t));
    subject->part_triangles = grazei_audit_room(allocator, triangles, sizeof(uint32_t));
    subject->cluster_first = grazei_audit_room(allocator, parts + 1, sizeof(uint32_t));
    subject->clusters = grazei_audit_room(allocator, triangles, sizeof *subject->clusters);
    subject->vertex_first = grazei_audit_room(allocator, parts + 1, sizeof(uint32_t));
    subject->box_first = grazei_audit_room(allocator, parts + 1, sizeof(uint32_t));
    if (!subject->neighbours || !subject->weld_border || !subject->weld_rim ||
        !subject->part_border || !subject->part_first || !subject->part_triangles ||
        !subject->cluster_first || !subject->clusters || !subject->vertex_first ||
        !subject->box_first)
        return false;
    find_neighbours(subject);
    return list_all(subject);
}
