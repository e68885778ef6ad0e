/* The baseline's models: the tree, and where its vertices are. */
#include "bench/eager/types.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *eager_take(size_t count, size_t size, size_t *bytes)
{
    size_t rounded = (count * size + 63) / 64 * 64 + 64;
    void *memory = aligned_alloc(64, rounded);
    if (!memory) {
        fputs("graze: out of memory\n", stderr);
        exit(2);
    }
    *bytes += rounded;
    return memset(memory, 0, rounded);
}

/* The different vertices of a leaf; false if there are too many or none. */
static bool fill_leaf(const eager_model *model, uint32_t leaf, uint32_t places[EAGER_CORNERS])
{
    uint32_t used = 0, end = model->triangle_count;
    for (uint32_t t = EAGER_LEAF * leaf; t < EAGER_LEAF * (leaf + 1) && t < end; t++)
        for (int c = 0; c < 3; c++) {
            uint32_t place = model->corners[t][c] * 4 * (uint32_t)sizeof(float), i = 0;
            while (i < used && places[i] != place)
                i++;
            if (i == EAGER_CORNERS)
                return false;
            places[i] = place;
            used = i == used ? used + 1 : used;
        }
    for (uint32_t i = used; used && i < EAGER_CORNERS; i++)
        places[i] = places[0];
    return used != 0;
}

static void fill_leaves(eager_model *model)
{
    uint32_t count = model->block_count * (EAGER_BLOCK / EAGER_LEAF);
    model->leaf_places = eager_take(count, sizeof *model->leaf_places, &model->bytes);
    for (uint32_t n = 0; n < count; n += 4) {
        bool fit = true;
        for (uint32_t k = n; k < n + 4; k++)
            fit &= fill_leaf(model, k, model->leaf_places[k]);
        if (!fit)
            model->leaf_places[n][0] = EAGER_ODD_LEAF;
    }
}

eager_model *eager_model_create(const graze_model_def *def)
{
    size_t bytes = 0, count = def->triangle_count;
    if (def->morph_count || def->skinning != GRAZE_LINEAR)
        return NULL;
    eager_model *model = eager_take(1, sizeof *model, &bytes);
    model->bytes = sizeof *model;
    model->vertex_count = def->vertex_count;
    model->triangle_count = def->triangle_count;
    model->joint_count = def->joint_count;
    model->kernels = eager_find_kernels(def->isa);
    model->triangles = eager_take(count, sizeof(uint32_t), &model->bytes);
    model->corners = eager_take(count, sizeof *model->corners, &model->bytes);
    eager_build_tree(model, def);
    eager_build_skin(model, def);
    for (size_t i = 0; i < 3 * count; i++)
        model->corners[i / 3][i % 3] =
            model->slots[def->triangles[3 * (size_t)model->triangles[i / 3] + i % 3]];
    fill_leaves(model);
    return model;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

/* A vertex and its place in the space of its joints. */
typedef struct placed_vertex {
    float at[3];
    uint32_t vertex;
} placed_vertex;

static int compare_places(const void *left, const void *right)
{
    const placed_vertex *a = left, *b = right;
    for (int k = 0; k < 3; k++)
        if (a->at[k] != b->at[k])
            return a->at[k] < b->at[k] ? -1 : 1;
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static uint32_t joint_of(const graze_model_def *def, uint32_t influence)
{
    uint32_t joint = def->influences[influence].joint;
    return def->same_joints ? def->same_joints[joint] : joint;
}

/* What share a joint has in a vertex. */
static double share_of(const graze_model_def *def, uint32_t vertex, uint32_t joint)
{
    double sum = 0, own = 0;
    for (uint32_t i = def->influence_offsets[vertex]; i < def->influence_offsets[vertex + 1]; i++) {
        sum += (double)def->influences[i].weight;
        own += joint_of(def, i) == joint ? (double)def->influences[i].weight : 0;
    }
    return own / sum;
}

/* How much more than in the other vertex joints have in this one, in all. */
static double excess(const graze_model_def *def, uint32_t vertex, uint32_t other)
{
    double sum = 0;
    for (uint32_t i = def->influence_offsets[vertex]; i < def->influence_offsets[vertex + 1]; i++) {
        uint32_t joint = joint_of(def, i), first = def->influence_offsets[vertex];
        while (joint_of(def, first) != joint)
            first++;
        if (first == i) /* a joint that is named twice counts once */
            sum += fmax(0, share_of(def, vertex, joint) - share_of(def, other, joint));
    }
    return sum;
}

static bool cannot_part(const graze_model_def *def, uint32_t a, uint32_t b)
{
    return !def->influences || excess(def, a, b) + excess(def, b, a) <= 1.0 / 16;
}

/* Vertices at one place that cannot part, in a chain too, get the least of their numbers. */
static void join(const graze_model_def *def, const placed_vertex *order, uint32_t count,
                 uint32_t *names)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < count; k++) {
                uint32_t a = order[i].vertex, b = order[k].vertex;
                if (names[a] >= names[b] || !cannot_part(def, a, b))
                    continue;
                names[b] = names[a];
                changed = true;
            }
    }
}

static void find_names(const graze_model_def *def, placed_vertex *order, uint32_t *names)
{
    uint32_t count = def->vertex_count;
    for (uint32_t v = 0; v < count; v++) {
        memcpy(order[v].at, def->positions + 3 * (size_t)v, sizeof order[v].at);
        names[v] = order[v].vertex = v;
    }
    qsort(order, count, sizeof *order, compare_places);
    for (uint32_t first = 0, end = 0; first < count; first = end) {
        while (end < count && order[end].at[0] == order[first].at[0] &&
               order[end].at[1] == order[first].at[1] && order[end].at[2] == order[first].at[2])
            end++;
        join(def, order + first, end - first, names);
    }
}

void eager_find_neighbours(eager_model *model, const graze_model_def *def)
{
    size_t bytes = 0;
    uint32_t *names = eager_take(def->vertex_count, sizeof *names, &bytes);
    placed_vertex *order = eager_take(def->vertex_count, sizeof *order, &bytes);
    model->rest = eager_take(def->triangle_count, sizeof *model->rest, &model->bytes);
    find_names(def, order, names);
    for (uint32_t t = 0; t < model->triangle_count; t++) {
        for (int c = 0; c < 3; c++)
            model->rest[t][c] = names[def->triangles[3 * (size_t)model->triangles[t] + c]];
        model->rest[t][3] = UINT32_MAX;
    }
    free(names);
    free(order);
}

void eager_model_destroy(eager_model *model)
{
    if (!model)
        return;
    free(model->slots);
    free(model->stream);
    free(model->runs);
    free(model->run_joints);
    free(model->singles);
    free(model->single_influences);
    free(model->corners);
    free(model->triangles);
    free(model->upper_children);
    free(model->leaf_places);
    free(model->rest);
    free(model);
}

size_t eager_model_bytes(const eager_model *model)
{
    return model->bytes;
}
