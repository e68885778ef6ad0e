/* Whether what a body keeps is what its pose gives. */
#include <graze/ext/inspect.h>

#include "base/memory.h"
#include "base/status.h"
#include "body/mask.h"
#include "body/patches.h"

#include <string.h>

/* What queries leave bounds to be too small by: the margins of their comparisons (deform/bound.h),
 * and denormals that are flushed.
 */
#define MARGIN (8 * 0x1p-24)
#define SMALLEST 1e-36

typedef struct check {
    graze_body *body;
    float (*positions)[4]; /* every vertex in this pose, found anew */
    graze_error *error;
} check;

static graze_status corrupt(const check *c, const char *what, uint32_t number)
{
    return grazei_fail(c->error, GRAZE_CORRUPT, "%s %u is not what the pose gives", what, number);
}

static bool is_kept(const graze_body *body, const atomic_uint *mark)
{
    return grazei_body_has(body, mark);
}

/* Claimed and never made, or of a pose that is still to come. */
static bool is_ahead(const atomic_uint *mark, uint32_t stamp)
{
    uint32_t value = atomic_load_explicit(mark, memory_order_relaxed);
    return value == stamp || value > stamp + 1;
}

static graze_status check_positions(const check *c)
{
    const graze_body *body = c->body;
    uint32_t count = body->model->mesh.vertex_count;
    if (!is_kept(body, &body->positions_mark))
        return GRAZE_OK;
    for (uint32_t v = 0; v < count; v++)
        if (memcmp(body->cache.positions[v], c->positions[v], 3 * sizeof(float)) != 0)
            return corrupt(c, "the position of vertex", v);
    return GRAZE_OK;
}

/* Posed corners of the triangles that take part, and the box around all points of the patch. */
static graze_status check_patch(const check *c, uint32_t number)
{
    const graze_body *body = c->body;
    const grazei_posed_patch patch = grazei_posed_patch_of(body, number);
    const uint32_t *vertices =
        body->tree->patch_vertices + body->tree->patches[number].first_vertex;
    const grazei_bound *box = grazei_patch_box(&patch);
    f4 low = f4_all(INFINITY), high = f4_all(-INFINITY);
    for (uint32_t t = 0; t < patch.triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t corner = patch.corners[t][k];
            if (corner >= patch.point_count ||
                memcmp(patch.points[corner], c->positions[vertices[corner]], 3 * sizeof(float)) !=
                    0)
                return corrupt(c, "a corner of patch", number);
        }
    for (uint32_t i = 0; i < patch.point_count; i++) {
        low = f4_min(low, f4_load(patch.points[i]));
        high = f4_max(high, f4_load(patch.points[i]));
    }
    for (int k = 0; k < 3 && patch.point_count; k++)
        if (-box->low_negated[k] != low[k] || box->high[k] != high[k])
            return corrupt(c, "the box of patch", number);
    return GRAZE_OK;
}

static bool holds(const grazei_bound *bound, bool sphere, const float point[4])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double x = (double)point[k];
        if (!sphere && (x < -(double)bound->low_negated[k] - SMALLEST ||
                        x > (double)bound->high[k] + SMALLEST))
            return false;
        square += (x - (double)bound->centre[k]) * (x - (double)bound->centre[k]);
    }
    double radius = (double)bound->radius * (1 + MARGIN) + SMALLEST;
    return !sphere || (radius >= 0 && square <= radius * radius);
}

/* Whether rows of this patch may lie in slot i: of intervals, or of packets of rays. */
static bool belongs(const graze_body *body, uint32_t number, uint32_t i)
{
    uint32_t patch = number & ~GRAZEI_FOR_RAYS;
    uint32_t places = body->cache.slot_count / GRAZEI_SLOTS_OF_RAYS;
    if (patch >= body->model->tree.patch_count)
        return false;
    if (patch == number)
        return patch % GRAZEI_SLOTS == i;
    return places && patch % places == i / GRAZEI_SLOTS_OF_RAYS;
}

/* No mark is ahead of the stamp, and none says that something is being made. */
static graze_status check_marks(const check *c)
{
    const graze_body *body = c->body;
    const grazei_tree *tree = &body->model->tree;
    const uint32_t stamp = body->stamp;
    const atomic_uint *const single[] = {&body->positions_mark, &body->refit_mark,
                                         &body->folds_mark};
    GRAZEI_EXPECT(stamp && stamp % 2 == 0, c->error, "the stamp is %u", stamp);
    for (uint32_t i = 0; i < sizeof single / sizeof *single; i++)
        if (is_ahead(single[i], stamp))
            return corrupt(c, "mark", i);
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (is_ahead(&body->cache.node_marks[n], stamp))
            return corrupt(c, "the mark of node", n);
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        const atomic_uint *marks = body->cache.patch_marks[p];
        for (int m = 0; m < GRAZEI_PATCH_MARKS; m++)
            if (is_ahead(&marks[m], stamp) ||
                (is_kept(body, &marks[m]) && !is_kept(body, &marks[GRAZEI_POSED])))
                return corrupt(c, "a mark of patch", p);
    }
    for (uint32_t i = 0; body->cache.slots && i < GRAZEI_SLOTS && i < tree->patch_count; i++) {
        grazei_slot slot = body->cache.slots[i];
        if (slot.stamp > stamp || (slot.stamp && !belongs(body, slot.number, i)))
            return corrupt(c, "slot", i);
    }
    return GRAZE_OK;
}

/* Which patches and nodes take part, and with which triangles. */
static graze_status check_mask(const check *c)
{
    const graze_body *body = c->body;
    const grazei_tree *tree = &body->model->tree;
    for (uint32_t p = 0; p < tree->patch_count && grazei_body_is_masked(body); p++) {
        const grazei_patch *patch = &tree->patches[p], *own = &body->tree->patches[p];
        const uint64_t *places = grazei_body_places(body, p);
        uint32_t kept = 0;
        for (uint32_t t = 0; t < patch->triangle_count; t++) {
            uint32_t triangle = tree->patch_triangles[patch->first_triangle + t];
            bool takes = grazei_body_takes(body, triangle);
            if (takes != (places[t >> 6] >> (t & 63) & 1) ||
                (takes && (kept >= own->triangle_count ||
                           body->tree->patch_triangles[own->first_triangle + kept] != triangle)))
                return corrupt(c, "the mask of patch", p);
            kept += takes;
        }
        if (kept != own->triangle_count)
            return corrupt(c, "the mask of patch", p);
    }
    for (uint32_t n = 0; n < tree->node_count && grazei_body_is_masked(body); n++) {
        uint32_t takes = 0, count = tree->node_triangles[n][1] - tree->node_triangles[n][0];
        for (uint32_t i = 0; i < count; i++)
            takes += grazei_body_takes(body, tree->patch_triangles[tree->node_triangles[n][0] + i]);
        grazei_part part = !takes ? GRAZEI_NONE : takes == count ? GRAZEI_ALL : GRAZEI_SOME;
        if (grazei_body_node_part(body, n) != part)
            return corrupt(c, "the mask of node", n);
    }
    return GRAZE_OK;
}

/* The box that worlds ask for holds what takes part. */
static graze_status check_box(const check *c)
{
    const graze_body *body = c->body;
    const grazei_mesh *mesh = &body->model->mesh;
    if (!body->keeps_box || body->box_number != body->pose_count)
        return GRAZE_OK;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (uint32_t k = 0; k < 3 && grazei_body_takes(body, t); k++)
            if (!holds(&body->box, false, c->positions[mesh->triangles[3 * (size_t)t + k]]))
                return corrupt(c, "the box, which should hold triangle", t);
    return GRAZE_OK;
}

static graze_status check_node(const check *c, uint32_t node)
{
    const graze_body *body = c->body;
    const grazei_tree *tree = &body->model->tree;
    const grazei_mesh *mesh = &body->model->mesh;
    const uint32_t *range = tree->node_triangles[node];
    const bool sphere = tree->def.volume == GRAZE_SPHERES;
    for (uint32_t i = range[0]; i < range[1]; i++) {
        uint32_t triangle = tree->patch_triangles[i];
        for (uint32_t k = 0; k < 3 && grazei_body_takes(body, triangle); k++)
            if (!holds(&body->cache.bounds[node], sphere,
                       c->positions[mesh->triangles[3 * (size_t)triangle + k]]))
                return corrupt(c, "the bound of node", node);
    }
    return GRAZE_OK;
}

/* Siblings are marked on the first of them. */
static graze_status check_siblings(const check *c, uint32_t first, uint32_t count)
{
    graze_status status = GRAZE_OK;
    if (is_kept(c->body, &c->body->cache.node_marks[first]))
        for (uint32_t n = first; n < first + count && !status; n++)
            status = check_node(c, n);
    return status;
}

static graze_status check_all(const check *c)
{
    const grazei_tree *tree = &c->body->model->tree;
    graze_status status = check_marks(c);
    if (!status)
        status = check_mask(c);
    if (!status)
        status = check_box(c);
    if (!status)
        status = check_positions(c);
    for (uint32_t p = 0; p < tree->patch_count && !status; p++)
        if (is_kept(c->body, &c->body->cache.patch_marks[p][GRAZEI_POSED]))
            status = check_patch(c, p);
    if (!status)
        status = check_siblings(c, 0, 1);
    for (uint32_t n = 0; n < tree->node_count && !status; n++)
        if (tree->nodes[n].count)
            status = check_siblings(c, tree->nodes[n].first, tree->nodes[n].count);
    return status;
}

/* Given positions are what they are. */
static void find_positions(check *c, float (*morphed)[4])
{
    graze_body *body = c->body;
    f4 low, high;
    if (body->given)
        memcpy(c->positions, body->cache.positions,
               body->model->mesh.vertex_count * sizeof *c->positions);
    else
        grazei_body_pose_mesh(body, morphed, c->positions, &low, &high);
}

graze_status graze_body_validate(graze_body *body, graze_error *error)
{
    graze_status status = grazei_check_pointer(body, "the body", error);
    if (status || !grazei_body_has_cache(body))
        return status;
    if (body->shared)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the body is shared: others may be changing it");
    const graze_allocator *allocator = &body->model->allocator;
    size_t count = body->model->mesh.vertex_count;
    float(*positions)[4] = grazei_allocate_zero(allocator, 2 * count, sizeof *positions);
    if (!positions)
        return grazei_fail_memory(error);
    check c = {body, positions, error};
    find_positions(&c, positions + count);
    status = check_all(&c);
    grazei_release(allocator, positions);
    return status;
}

graze_status graze_model_validate(const graze_model *model, graze_error *error)
{
    graze_status status = grazei_check_pointer(model, "the model", error);
    return status ? status : grazei_model_validate(model, error);
}
