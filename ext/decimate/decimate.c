/* Edge collapse, cheapest first: Garland & Heckbert, "Surface simplification using quadric error
 * metrics", 1997, with one of the two vertices of an edge left where it is.
 */
#include "decimate/decimate.h"
#include "base/memory.h"
#include "base/status.h"
#include "math/rounding.h"

#include <math.h>

/* Vertex u may go to v; out of date if anything has changed around them since. */
typedef struct step {
    double cost;
    uint32_t u, v;
    uint32_t stamps[2];
} step;

/* A heap with the cheapest step first. */
typedef struct steps {
    step *items;
    size_t count, capacity;
} steps;

static bool is_cheaper(const step *a, const step *b)
{
    if (a->cost != b->cost)
        return a->cost < b->cost;
    return a->u < b->u || (a->u == b->u && a->v < b->v);
}

static bool put_step(const graze_allocator *allocator, steps *heap, step item)
{
    step *grown =
        grazei_grow(allocator, heap->items, &heap->capacity, heap->count + 1, sizeof *heap->items);
    if (!grown)
        return false;
    heap->items = grown;
    size_t at = heap->count++;
    for (; at > 0 && is_cheaper(&item, &heap->items[(at - 1) / 2]); at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = item;
    return true;
}

static step take_step(steps *heap)
{
    step best = heap->items[0], last = heap->items[--heap->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && is_cheaper(&heap->items[child + 1], &heap->items[child]))
            child++;
        if (!is_cheaper(&heap->items[child], &last))
            break;
        heap->items[at] = heap->items[child];
        at = child;
    }
    if (heap->count)
        heap->items[at] = last;
    return best;
}

/* The steps along the edges at a vertex: both ways, or away from it alone. */
static bool put_edges(grazei_surface *s, steps *heap, uint32_t u, bool both)
{
    uint32_t own = s->mark += 2;
    for (uint32_t corner = s->first[u]; corner != GRAZEI_NO_CORNER; corner = s->next[corner])
        for (uint32_t by = 1; by < 3 && s->triangles[corner - corner % 3] != UINT32_MAX; by++) {
            uint32_t v = s->triangles[grazei_other_corner(corner, by)];
            if (s->seen[v] == own)
                continue;
            s->seen[v] = own;
            for (int turned = 0; turned < (both ? 2 : 1); turned++) {
                uint32_t from = turned ? v : u, to = turned ? u : v;
                step item = {
                    grazei_surface_cost(s, from, to), from, to, {s->stamps[from], s->stamps[to]}};
                if (!put_step(&s->allocator, heap, item))
                    return false;
            }
        }
    return true;
}

/* Takes steps until the heap is empty or enough are taken. False when out of memory. */
static bool take_steps(grazei_surface *s, steps *heap, const graze_decimate_def *def, bool *any)
{
    double limit = def->max_error > 0 ? (double)def->max_error * (double)def->max_error : INFINITY;
    while (heap->count && s->triangle_count > def->triangle_count) {
        step next = take_step(heap);
        if (s->stamps[next.u] != next.stamps[0] || s->stamps[next.v] != next.stamps[1] ||
            !grazei_surface_allows(s, next.u, next.v) ||
            (limit < INFINITY && !grazei_surface_stays_near(s, next.u, next.v, limit)))
            continue;
        grazei_surface_collapse(s, next.u, next.v);
        *any = true;
        if (!put_edges(s, heap, next.v, true))
            return false;
    }
    return true;
}

/* A step that was not allowed may be later: all are offered again while any is taken. */
static bool reduce(grazei_surface *s, steps *heap, const graze_decimate_def *def)
{
    for (bool any = true; any && s->triangle_count > def->triangle_count;) {
        any = false;
        for (uint32_t v = 0; v < s->model->mesh.vertex_count; v++)
            if (!put_edges(s, heap, v, false))
                return false;
        if (!take_steps(s, heap, def, &any))
            return false;
    }
    return true;
}

static graze_status check(const graze_model *model, const graze_decimate_def *def,
                          graze_decimated **coarse, graze_error *error)
{
    graze_status status = grazei_check_pointer(model, "the model", error);
    if (!status)
        status = grazei_check_pointer(def, "the def", error);
    if (!status)
        status = grazei_check_pointer(coarse, "where the mesh goes", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (status)
        return status;
    if (!(def->max_error >= 0))
        return grazei_fail(error, GRAZE_BAD_INPUT, "the error is %g, and may not be negative",
                           (double)def->max_error);
    if (!def->triangle_count && !(def->max_error > 0 && def->max_error < INFINITY))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "neither a number of triangles nor a finite error is given");
    return GRAZEI_CHECK_RESERVED(def, "the def", error);
}

graze_status graze_decimated_create(const graze_model *model, const graze_decimate_def *def,
                                    graze_decimated **coarse, graze_error *error)
{
    graze_status status = check(model, def, coarse, error);
    if (status)
        return status;
    grazei_surface surface;
    steps heap = {.count = 0};
    graze_decimated *made = NULL;
    bool ready = grazei_surface_make(&surface, model), empty = !surface.triangle_count;
    if (ready && !empty && reduce(&surface, &heap, def))
        made = grazei_decimated_make(&surface);
    grazei_release(&model->allocator, heap.items);
    grazei_surface_release(&surface);
    if (ready && empty)
        return grazei_fail(error, GRAZE_BAD_INPUT, "no triangle has three different vertices");
    if (!made)
        return grazei_fail_memory(error);
    *coarse = made;
    return GRAZE_OK;
}
