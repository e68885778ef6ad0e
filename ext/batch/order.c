/* Halving: along the axis and at the place where number times extent of both halves is least, at
 * whole groups of 512 triangles, then of 64, then of 8.
 */
#include "batch/order.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct sorted {
    float key;
    uint32_t triangle;
} sorted;

typedef struct box {
    float low[3], high[3];
} box;

typedef struct ordering {
    const grazei_mesh *mesh;
    box *boxes;    /* of triangles, at rest */
    sorted *keys;  /* of the piece that is split, by one axis, */
    float *before; /* and extents of its first 1, 2, ... triangles */
    uint32_t *order;
} ordering;

static box box_of(const grazei_mesh *mesh, uint32_t triangle)
{
    const float *rest = grazei_mesh_rest(mesh);
    box made;
    for (int k = 0; k < 3; k++) {
        made.low[k] = INFINITY;
        made.high[k] = -INFINITY;
        for (uint32_t c = 0; c < 3; c++) {
            const float x = rest[3 * (size_t)mesh->triangles[3 * (size_t)triangle + c] + (size_t)k];
            made.low[k] = x < made.low[k] ? x : made.low[k];
            made.high[k] = x > made.high[k] ? x : made.high[k];
        }
    }
    return made;
}

static void add_box(box *to, const box *from)
{
    for (int k = 0; k < 3; k++) {
        to->low[k] = from->low[k] < to->low[k] ? from->low[k] : to->low[k];
        to->high[k] = from->high[k] > to->high[k] ? from->high[k] : to->high[k];
    }
}

static float extent_of(const box *of)
{
    return (of->high[0] - of->low[0]) + (of->high[1] - of->low[1]) + (of->high[2] - of->low[2]);
}

/* By the middle, then the number: the same on every machine. */
static int compare(const void *left, const void *right)
{
    const sorted *x = left, *y = right;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

static void sort_along(ordering *o, uint32_t first, uint32_t count, int axis)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t t = o->order[first + i];
        o->keys[i] = (sorted){o->boxes[t].low[axis] / 2 + o->boxes[t].high[axis] / 2, t};
    }
    qsort(o->keys, count, sizeof *o->keys, compare);
}

/* The least cost of splitting what is sorted at a multiple of step, and where. */
static float best_split(ordering *o, uint32_t count, uint32_t step, uint32_t *at)
{
    box whole = o->boxes[o->keys[0].triangle];
    float least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        add_box(&whole, &o->boxes[o->keys[i].triangle]);
        o->before[i] = extent_of(&whole);
    }
    whole = o->boxes[o->keys[count - 1].triangle];
    for (uint32_t i = count; i-- > 1;) {
        add_box(&whole, &o->boxes[o->keys[i].triangle]);
        const float cost = (float)i * o->before[i - 1] + (float)(count - i) * extent_of(&whole);
        if (i % step == 0 && cost < least) {
            least = cost;
            *at = i;
        }
    }
    return least;
}

/* Splits a piece in two where it is more than a group; returns where. */
static uint32_t split(ordering *o, uint32_t first, uint32_t count)
{
    const uint32_t step = count > 512 ? 512 : count > 64 ? 64 : 8;
    uint32_t best = step, at = step;
    float least = INFINITY;
    int best_axis = 0;
    for (int axis = 0; axis < 3; axis++) {
        sort_along(o, first, count, axis);
        const float cost = best_split(o, count, step, &at);
        if (cost < least) {
            least = cost;
            best = at;
            best_axis = axis;
        }
    }
    sort_along(o, first, count, best_axis);
    for (uint32_t i = 0; i < count; i++)
        o->order[first + i] = o->keys[i].triangle;
    return best;
}

/* Pieces that are left to split wait on a stack: the larger one of two goes there first, so that 32
 * are enough.
 */
static void split_all(ordering *o, uint32_t triangles)
{
    struct {
        uint32_t first, count;
    } stack[64] = {{0, triangles}};
    for (uint32_t depth = 1; depth;) {
        const uint32_t first = stack[--depth].first, count = stack[depth].count;
        if (count <= 8)
            continue;
        const uint32_t at = split(o, first, count);
        const bool first_is_larger = at > count - at;
        stack[depth + !first_is_larger].first = first;
        stack[depth + !first_is_larger].count = at;
        stack[depth + first_is_larger].first = first + at;
        stack[depth + first_is_larger].count = count - at;
        depth += 2;
    }
}

bool grazei_order_triangles(const grazei_mesh *mesh, uint32_t *order,
                            const graze_allocator *allocator)
{
    const uint32_t count = mesh->triangle_count;
    ordering o = {.mesh = mesh,
                  .boxes = GRAZEI_ALLOCATE(allocator, count, box),
                  .keys = GRAZEI_ALLOCATE(allocator, count, sorted),
                  .before = GRAZEI_ALLOCATE(allocator, count, float),
                  .order = order};
    const bool ok = o.boxes && o.keys && o.before;
    for (uint32_t t = 0; ok && t < count; t++) {
        o.boxes[t] = box_of(mesh, t);
        order[t] = t;
    }
    if (ok)
        split_all(&o, count);
    grazei_release(allocator, o.boxes);
    grazei_release(allocator, o.keys);
    grazei_release(allocator, o.before);
    return ok;
}
