/* The baseline's models: the tree, and where its vertices are. */
#include "bench/eager/build.h"

#include <stdlib.h>
#include <string.h>

void *eager_take(size_t count, size_t size, size_t *bytes)
{
    size_t rounded = (count * size + 63) / 64 * 64 + 64;
    *bytes += rounded;
    return aligned_alloc(64, rounded);
}

/* The different vertices of each block. */
static bool fill_blocks(eager_model *model)
{
    uint32_t next = 0, count = model->triangle_count;
    size_t bytes = 0;
    uint32_t *seen = eager_take(model->slot_count, sizeof(uint32_t), &bytes);
    uint32_t *all = eager_take(3 * (size_t)count, sizeof(uint32_t), &bytes);
    model->block_offsets = eager_take(model->block_count + 1u, sizeof(uint32_t), &model->bytes);
    bool ok = seen && all && model->block_offsets;
    if (ok)
        memset(seen, 0xff, model->slot_count * sizeof *seen);
    for (uint32_t t = 0; ok && t < count; t++) {
        uint32_t block = t / EAGER_BLOCK;
        if (t % EAGER_BLOCK == 0)
            model->block_offsets[block] = next;
        for (int c = 0; c < 3; c++) {
            uint32_t slot = model->corners[t][c];
            if (seen[slot] == block)
                continue;
            seen[slot] = block;
            all[next++] = slot;
        }
    }
    if (ok) {
        model->block_offsets[model->block_count] = next;
        model->block_slots = eager_take(next, sizeof(uint32_t), &model->bytes);
    }
    ok = ok && model->block_slots;
    if (ok)
        memcpy(model->block_slots, all, next * sizeof *all);
    free(all);
    free(seen);
    return ok;
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

static bool fill_leaves(eager_model *model)
{
    uint32_t count = model->block_count * (EAGER_BLOCK / EAGER_LEAF);
    model->leaf_places = eager_take(count, sizeof *model->leaf_places, &model->bytes);
    for (uint32_t n = 0; model->leaf_places && n < count; n += 4) {
        bool fit = true;
        for (uint32_t k = n; k < n + 4; k++)
            fit &= fill_leaf(model, k, model->leaf_places[k]);
        if (!fit)
            model->leaf_places[n][0] = EAGER_ODD_LEAF;
    }
    return model->leaf_places;
}

static bool build(eager_model *model, const graze_model_def *def)
{
    size_t count = def->triangle_count;
    model->triangles = eager_take(count, sizeof(uint32_t), &model->bytes);
    model->corners = eager_take(count, sizeof *model->corners, &model->bytes);
    if (!model->triangles || !model->corners || !eager_build_tree(model, def) ||
        !eager_build_skin(model, def))
        return false;
    for (uint32_t t = 0; t < model->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            model->corners[t][c] =
                model->slots[def->triangles[3 * (size_t)model->triangles[t] + c]];
    return fill_blocks(model) && fill_leaves(model);
}

eager_model *eager_model_create(const graze_model_def *def)
{
    if (def->morph_count || def->skinning != GRAZE_LINEAR)
        return NULL;
    eager_model *model = calloc(1, sizeof *model);
    if (!model)
        return NULL;
    model->bytes = sizeof *model;
    model->vertex_count = def->vertex_count;
    model->triangle_count = def->triangle_count;
    model->joint_count = def->joint_count;
    model->kernels = eager_find_kernels(def->isa);
    if (build(model, def))
        return model;
    eager_model_destroy(model);
    return NULL;
}

/* A vertex and where it is at rest. */
typedef struct rest_vertex {
    float at[3];
    uint32_t vertex;
} rest_vertex;

static int compare_rest(const void *left, const void *right)
{
    const rest_vertex *a = left, *b = right;
    for (int k = 0; k < 3; k++)
        if (a->at[k] != b->at[k])
            return a->at[k] < b->at[k] ? -1 : 1;
    return 0;
}

bool eager_find_neighbours(eager_model *model, const graze_model_def *def)
{
    size_t bytes = 0;
    uint32_t number = 0, *numbers = eager_take(def->vertex_count, sizeof *numbers, &bytes);
    rest_vertex *order = eager_take(def->vertex_count, sizeof *order, &bytes);
    model->rest = eager_take(def->triangle_count, sizeof *model->rest, &model->bytes);
    bool ok = numbers && order && model->rest;
    for (uint32_t v = 0; ok && v < def->vertex_count; v++) {
        memcpy(order[v].at, def->positions + 3 * (size_t)v, sizeof order[v].at);
        order[v].vertex = v;
    }
    if (ok)
        qsort(order, def->vertex_count, sizeof *order, compare_rest);
    for (uint32_t i = 0; ok && i < def->vertex_count; i++) {
        number += i > 0 && compare_rest(&order[i - 1], &order[i]) != 0;
        numbers[order[i].vertex] = number;
    }
    for (uint32_t t = 0; ok && t < model->triangle_count; t++) {
        for (int c = 0; c < 3; c++)
            model->rest[t][c] = numbers[def->triangles[3 * (size_t)model->triangles[t] + c]];
        model->rest[t][3] = UINT32_MAX;
    }
    free(numbers);
    free(order);
    return ok;
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
    free(model->block_offsets);
    free(model->block_slots);
    free(model->leaf_places);
    free(model->rest);
    free(model);
}

size_t eager_model_bytes(const eager_model *model)
{
    return model->bytes;
}
