#include "support/cannot_part.h"
#include "support/own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float *place_of(const graze_model_def *def, uint32_t v)
{
    size_t stride = def->position_stride ? def->position_stride : 12;
    return (const float *)(const void *)((const char *)def->positions + stride * v);
}

static int compare_places(const float *a, const float *b)
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static uint32_t joint_named(const graze_model_def *def, uint32_t joint)
{
    return def->same_joints ? def->same_joints[joint] : joint;
}

/* Adds the weights of a vertex, of sum 1 times a sign, to those of all joints. */
static void add_weights(const graze_model_def *def, uint32_t v, double sign, double *weights)
{
    double sum = 0;
    if (!def->influences) {
        weights[joint_named(def, 0)] += sign;
        return;
    }
    for (uint32_t i = def->influence_offsets[v]; i < def->influence_offsets[v + 1]; i++)
        sum += (double)def->influences[i].weight;
    for (uint32_t i = def->influence_offsets[v]; i < def->influence_offsets[v + 1]; i++)
        weights[joint_named(def, def->influences[i].joint)] +=
            sign * (double)def->influences[i].weight / sum;
}

static void displace(const graze_morph_target *target, uint32_t v, double sum[3])
{
    for (uint32_t i = 0; i < target->count; i++)
        if ((target->vertices ? target->vertices[i] : i) == v)
            for (int k = 0; k < 3; k++)
                sum[k] += (double)target->deltas[3 * (size_t)i + (size_t)k];
}

static bool move_alike(const graze_model_def *def, uint32_t a, uint32_t b, double *weights)
{
    double sum = 0;
    memset(weights, 0, def->joint_count * sizeof *weights);
    add_weights(def, a, 1, weights);
    add_weights(def, b, -1, weights);
    for (uint32_t j = 0; j < def->joint_count; j++)
        sum += fabs(weights[j]);
    /* The library's weights are floats: nothing here is to lie that near. */
    if (fabs(sum - 0.0625) < 1e-6 && sum != 0.0625)
        abort();
    if (sum > 0.0625)
        return false;
    for (uint32_t m = 0; m < def->morph_count; m++) {
        double x[3] = {0, 0, 0}, y[3] = {0, 0, 0};
        displace(&def->morphs[m], a, x);
        displace(&def->morphs[m], b, y);
        if (x[0] != y[0] || x[1] != y[1] || x[2] != y[2])
            return false;
    }
    return true;
}

static const graze_model_def *sorting;

static int by_place(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = compare_places(place_of(sorting, a), place_of(sorting, b));
    return order ? order : a < b ? -1 : 1;
}

/* Names spread from vertex to vertex until nothing changes. */
uint32_t *cannot_part(const graze_model_def *def)
{
    uint32_t count = def->vertex_count;
    uint32_t *names = malloc(count * sizeof *names);
    OWNED uint32_t *order = malloc(count * sizeof *order);
    OWNED double *weights = malloc(def->joint_count * sizeof *weights);
    if (!names || !order || !weights)
        abort();
    for (uint32_t v = 0; v < count; v++)
        names[v] = order[v] = v;
    sorting = def;
    qsort(order, count, sizeof *order, by_place);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count; end++)
            if (compare_places(place_of(def, order[first]), place_of(def, order[end])))
                break;
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t i = first; i < end; i++)
                for (uint32_t k = first; k < end; k++) {
                    uint32_t a = order[i], b = order[k];
                    if (names[a] < names[b] && move_alike(def, a, b, weights)) {
                        names[b] = names[a];
                        changed = true;
                    }
                }
        }
    }
    return names;
}

bool share_a_name(const uint32_t *names, const uint32_t *a, const uint32_t *b)
{
    for (int i = 0; i < 9; i++)
        if (names[a[i / 3]] == names[b[i % 3]])
            return true;
    return false;
}
