/* Which vertices cannot part, and which triangles lie beside each other: as graze_self_pairs has
 * it, so that a surface goes on over the seams of a texture.
 */
#include "audit/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights may differ by so much in the sum, as graze_self_pairs allows. */
#define WEIGHT_SLACK (1.0f / 16)

typedef struct placed {
    uint32_t bits[3]; /* of the position, 0 and -0 alike */
    uint32_t vertex;
    uint64_t morphs; /* of all its displacements */
} placed;

static uint32_t float_bits(float number)
{
    uint32_t bits;
    number = number == 0 ? 0 : number;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static int by_place(const void *left, const void *right)
{
    const placed *x = left, *y = right;
    for (int i = 0; i < 3; i++)
        if (x->bits[i] != y->bits[i])
            return x->bits[i] < y->bits[i] ? -1 : 1;
    if (x->morphs != y->morphs)
        return x->morphs < y->morphs ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static bool same_place(const placed *x, const placed *y)
{
    return memcmp(x->bits, y->bits, sizeof x->bits) == 0 && x->morphs == y->morphs;
}

/* The sum of a vertex's weights at the joints that are the same as this one. */
static float weight_at(const graze_rig *rig, const uint32_t *same, uint32_t vertex, uint32_t joint)
{
    float sum = 0, all = 0;
    for (uint32_t i = rig->influence_offsets[vertex]; i < rig->influence_offsets[vertex + 1]; i++) {
        all += rig->influences[i].weight;
        if (same[rig->influences[i].joint] == same[joint])
            sum += rig->influences[i].weight;
    }
    return all > 0 ? sum / all : 0;
}

static bool moves_alike(const graze_rig *rig, const uint32_t *same, uint32_t u, uint32_t v)
{
    float apart = 0;
    for (uint32_t i = rig->influence_offsets[u]; i < rig->influence_offsets[u + 1]; i++)
        apart += fabsf(weight_at(rig, same, u, rig->influences[i].joint) -
                       weight_at(rig, same, v, rig->influences[i].joint));
    for (uint32_t i = rig->influence_offsets[v]; i < rig->influence_offsets[v + 1]; i++)
        if (weight_at(rig, same, u, rig->influences[i].joint) == 0)
            apart += rig->influences[i].weight;
    return apart <= WEIGHT_SLACK;
}

static uint64_t mix(uint64_t hash, uint32_t more)
{
    hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static void hash_morphs(const graze_rig *rig, placed *order)
{
    for (uint32_t m = 0; m < rig->morph_count; m++) {
        const graze_rig_morph *morph = &rig->morphs[m];
        for (uint32_t i = 0; i < morph->count; i++) {
            const float *delta = morph->deltas + 3 * (size_t)i;
            uint64_t *hash = &order[morph->vertices[i]].morphs;
            if (delta[0] == 0 && delta[1] == 0 && delta[2] == 0)
                continue;
            *hash = mix(*hash, m + 1);
            for (int axis = 0; axis < 3; axis++)
                *hash = mix(*hash, float_bits(delta[axis]));
        }
    }
}

/* Joins every vertex to the first before it in its place that moves as it does. */
static void join_places(graze_audit_subject *subject, placed *order, const uint32_t *same)
{
    const graze_rig *rig = subject->rig;
    for (uint32_t first = 0; first < rig->vertex_count; first++)
        for (uint32_t i = 0; i < 3; i++)
            order[first].bits[i] = float_bits(rig->positions[3 * (size_t)first + i]);
    hash_morphs(rig, order);
    qsort(order, rig->vertex_count, sizeof *order, by_place);
    for (uint32_t first = 0, end; first < rig->vertex_count; first = end) {
        for (end = first + 1; end < rig->vertex_count && same_place(&order[first], &order[end]);)
            end++;
        for (uint32_t i = first; i < end; i++) {
            uint32_t vertex = order[i].vertex, from = i - first > 16 ? i - 16 : first;
            subject->welds[vertex] = GRAZE_NONE;
            for (uint32_t k = from; k < i && subject->welds[vertex] == GRAZE_NONE; k++)
                if (moves_alike(rig, same, order[k].vertex, vertex))
                    subject->welds[vertex] = subject->welds[order[k].vertex];
            if (subject->welds[vertex] == GRAZE_NONE)
                subject->welds[vertex] = subject->weld_count++;
        }
    }
}

static bool list_around(graze_audit_subject *subject)
{
    const graze_rig *rig = subject->rig;
    const size_t corners = 3 * (size_t)rig->triangle_count;
    uint32_t *first =
        grazei_audit_room(&subject->allocator, (size_t)subject->weld_count + 2, sizeof *first);
    subject->around_first = first;
    subject->around = grazei_audit_room(&subject->allocator, corners, sizeof(uint32_t));
    if (!first || !subject->around)
        return false;
    for (size_t c = 0; c < corners; c++)
        first[subject->welds[rig->triangles[c]] + 2]++;
    for (uint32_t w = 0; w < subject->weld_count; w++)
        first[w + 2] += first[w + 1];
    for (size_t c = 0; c < corners; c++)
        subject->around[first[subject->welds[rig->triangles[c]] + 1]++] = (uint32_t)(c / 3);
    return true;
}

bool grazei_find_welds(graze_audit_subject *subject)
{
    const graze_rig *rig = subject->rig;
    subject->welds = grazei_audit_room(&subject->allocator, rig->vertex_count, sizeof(uint32_t));
    placed *order = grazei_audit_room(&subject->allocator, rig->vertex_count, sizeof *order);
    uint32_t *same = grazei_audit_room(&subject->allocator, rig->joint_count, sizeof *same);
    bool done = subject->welds && order && same && !graze_rig_same_joints(rig, same);
    for (uint32_t v = 0; done && v < rig->vertex_count; v++)
        order[v].vertex = v;
    if (done)
        join_places(subject, order, same);
    grazei_audit_release(&subject->allocator, order);
    grazei_audit_release(&subject->allocator, same);
    return done && list_around(subject);
}
