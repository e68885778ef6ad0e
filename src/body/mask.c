/* Setting a mask, and what it does to bounds and patches. */
#include "body/mask.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"

#include <string.h>

/* ---- marks ---------------------------------------------------------------------------------- */

void graze_body_set_user_data(graze_body *body, void *user_data)
{
    if (body)
        body->user_data = user_data;
}

void *graze_body_user_data(const graze_body *body)
{
    return body ? body->user_data : NULL;
}

/* ---- memory --------------------------------------------------------------------------------- */

static size_t words_of(uint32_t part_count)
{
    return ((size_t)part_count + 31) / 32;
}

/* The groups of a patch, each once, and which of them each triangle has; returns how many. */
static uint32_t find_groups(const graze_model *model, uint32_t number, uint8_t *places,
                            uint32_t groups[GRAZEI_MAX_PATCH_TRIANGLES])
{
    const grazei_patch *patch = &model->tree.patches[number];
    const uint32_t *triangles = model->tree.patch_triangles + patch->first_triangle;
    uint32_t count = 0;
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
        uint32_t group = model->mesh.triangle_parts[triangles[t]], i = 0;
        GRAZE_ASSERT(group < model->mesh.part_count);
        while (i < count && groups[i] != group)
            i++;
        if (i == count)
            groups[count++] = group;
        GRAZE_ASSERT(count <= GRAZEI_MAX_PATCH_TRIANGLES);
        places[patch->first_triangle + t] = (uint8_t)i;
    }
    return count;
}

/* False when out of memory. */
static bool list_groups(grazei_mask *mask, const graze_model *model)
{
    uint32_t found[GRAZEI_MAX_PATCH_TRIANGLES], count = model->tree.patch_count, sum = 0;
    for (uint32_t p = 0; p < count; p++) {
        mask->first_group[p] = sum;
        sum += find_groups(model, p, mask->group_places, found);
    }
    mask->first_group[count] = sum;
    mask->groups = GRAZEI_ALLOCATE(&model->allocator, sum, uint32_t);
    for (uint32_t p = 0; p < count && mask->groups; p++) {
        uint32_t size = find_groups(model, p, mask->group_places, found);
        memcpy(mask->groups + mask->first_group[p], found, size * sizeof *found);
    }
    return mask->groups != NULL;
}

void grazei_mask_release(grazei_mask *mask, const graze_allocator *allocator)
{
    if (!mask)
        return;
    void *const all[] = {mask->bits,
                         mask->tree.patches,
                         mask->tree.patch_triangles,
                         mask->tree.corners,
                         mask->patch_parts,
                         mask->places,
                         mask->node_parts,
                         mask->unused,
                         mask->unused_counts,
                         mask->first_group,
                         mask->groups,
                         mask->group_places,
                         mask};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(allocator, all[i]);
}

/* A mask with all groups in; NULL when out of memory. */
static grazei_mask *make_mask(const graze_model *model)
{
    const graze_allocator *allocator = &model->allocator;
    const grazei_tree *from = &model->tree;
    size_t patches = from->patch_count, triangles = model->mesh.triangle_count;
    size_t corners = triangles + GRAZEI_CORNERS_BEHIND;
    grazei_mask *mask = GRAZEI_ALLOCATE_ZERO(allocator, 1, grazei_mask);
    if (!mask)
        return NULL;
    mask->tree = *from;
    mask->bits = GRAZEI_ALLOCATE(allocator, words_of(model->mesh.part_count), uint32_t);
    mask->tree.patches = GRAZEI_ALLOCATE(allocator, patches, grazei_patch);
    mask->tree.patch_triangles = GRAZEI_ALLOCATE(allocator, triangles, uint32_t);
    mask->tree.corners = grazei_allocate(allocator, corners, sizeof *from->corners);
    mask->patch_parts = GRAZEI_ALLOCATE(allocator, patches, uint8_t);
    mask->places = grazei_allocate(allocator, patches, sizeof *mask->places);
    mask->node_parts = GRAZEI_ALLOCATE(allocator, from->node_count, uint8_t);
    mask->unused = GRAZEI_ALLOCATE(allocator, from->patch_vertex_count, uint8_t);
    mask->unused_counts = GRAZEI_ALLOCATE(allocator, patches, uint8_t);
    mask->first_group = GRAZEI_ALLOCATE(allocator, patches + 1, uint32_t);
    mask->group_places = GRAZEI_ALLOCATE(allocator, triangles, uint8_t);
    if (!mask->bits || !mask->tree.patches || !mask->tree.patch_triangles || !mask->tree.corners ||
        !mask->patch_parts || !mask->places || !mask->node_parts || !mask->unused ||
        !mask->unused_counts || !mask->first_group || !mask->group_places ||
        !list_groups(mask, model)) {
        grazei_mask_release(mask, allocator);
        return NULL;
    }
    memcpy(mask->tree.patches, from->patches, patches * sizeof *from->patches);
    memcpy(mask->tree.patch_triangles, from->patch_triangles,
           triangles * sizeof *from->patch_triangles);
    memcpy(mask->tree.corners, from->corners, corners * sizeof *from->corners);
    memset(mask->patch_parts, GRAZEI_ALL, patches);
    return mask;
}

/* ---- patches and nodes ---------------------------------------------------------------------- */

/* Lists the vertices that no triangle has any more. */
static void find_unused(grazei_mask *mask, const grazei_patch *own, uint32_t number)
{
    uint8_t *unused = mask->unused + own->first_vertex, is_used[GRAZEI_MAX_PATCH_VERTICES];
    const uint8_t(*corners)[4] = (const uint8_t(*)[4])mask->tree.corners + own->first_triangle;
    uint32_t count = 0;
    memset(is_used, 0, own->vertex_count);
    for (uint32_t t = 0; t < own->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            is_used[corners[t][c]] = 1;
    for (uint32_t i = 0; i < own->vertex_count; i++) {
        unused[count] = (uint8_t)i; /* the last one that is written may be in use */
        count += !is_used[i];
    }
    GRAZE_ASSERT(count < own->vertex_count);
    mask->unused_counts[number] = (uint8_t)count;
}

/* Takes over the triangles of a patch that are in the mask, in their order. */
static void pick_triangles(grazei_mask *mask, const grazei_tree *from, uint32_t number)
{
    const grazei_patch *patch = &from->patches[number];
    grazei_patch *own = &mask->tree.patches[number];
    uint32_t first = patch->first_triangle, kept = first;
    uint64_t bits[2] = {0, 0};
    uint8_t in[GRAZEI_MAX_PATCH_TRIANGLES]; /* of the patch's groups */
    for (uint32_t i = mask->first_group[number]; i < mask->first_group[number + 1]; i++)
        in[i - mask->first_group[number]] = grazei_mask_has(mask->bits, mask->groups[i]);
    for (uint32_t i = first; i < first + patch->triangle_count; i++) {
        mask->tree.patch_triangles[kept] = from->patch_triangles[i];
        memcpy(mask->tree.corners[kept], from->corners[i], sizeof *from->corners);
        bits[(i - first) >> 6] |= (uint64_t)in[mask->group_places[i]] << ((i - first) & 63);
        kept += in[mask->group_places[i]];
    }
    memcpy(mask->places[number], bits, sizeof bits);
    GRAZE_ASSERT(kept - first > 0 && kept - first < patch->triangle_count);
    own->triangle_count = (uint16_t)(kept - first);
    own->vertex_count = patch->vertex_count;
    find_unused(mask, own, number);
}

static void put_back_triangles(grazei_mask *mask, const grazei_tree *from, uint32_t number)
{
    const grazei_patch *patch = &from->patches[number];
    memcpy(mask->tree.patch_triangles + patch->first_triangle,
           from->patch_triangles + patch->first_triangle,
           patch->triangle_count * sizeof *from->patch_triangles);
    memcpy(mask->tree.corners + patch->first_triangle, from->corners + patch->first_triangle,
           patch->triangle_count * sizeof *from->corners);
}

static uint8_t part_of_patch(const grazei_mask *mask, uint32_t number)
{
    uint8_t part = 0;
    for (uint32_t i = mask->first_group[number]; i < mask->first_group[number + 1]; i++)
        part |= grazei_mask_has(mask->bits, mask->groups[i]) ? GRAZEI_ALL : GRAZEI_NONE;
    return part;
}

/* The first so many. */
static void fill_places(uint64_t places[2], uint32_t count)
{
    for (uint32_t word = 0; word < 2; word++) {
        uint32_t left = count < 64 * word ? 0 : count - 64 * word;
        places[word] = left >= 64 ? UINT64_MAX : (1ull << left) - 1;
    }
}

static void mask_patches(grazei_mask *mask, const grazei_tree *from)
{
    for (uint32_t p = 0; p < from->patch_count; p++) {
        uint8_t part = part_of_patch(mask, p);
        grazei_patch *own = &mask->tree.patches[p];
        if (mask->patch_parts[p] == GRAZEI_SOME && part != GRAZEI_SOME)
            put_back_triangles(mask, from, p);
        GRAZE_ASSERT(part == GRAZEI_ALL || part == GRAZEI_NONE || part == GRAZEI_SOME);
        mask->patch_parts[p] = part;
        if (part == GRAZEI_SOME) {
            pick_triangles(mask, from, p);
        } else {
            own->triangle_count = part == GRAZEI_ALL ? from->patches[p].triangle_count : 0;
            own->vertex_count = part == GRAZEI_ALL ? from->patches[p].vertex_count : 0;
            fill_places(mask->places[p], own->triangle_count);
        }
    }
}

/* Levels are stored from the root down, so going backwards meets children before parents. */
static void mask_nodes(grazei_mask *mask)
{
    const grazei_tree *tree = &mask->tree;
    for (uint32_t n = tree->node_count; n-- > 0;) {
        grazei_node node = tree->nodes[n];
        uint8_t part = node.count ? 0 : mask->patch_parts[node.first];
        GRAZE_ASSERT(!node.count || node.first > n);
        for (uint32_t i = 0; i < node.count; i++)
            part |= mask->node_parts[node.first + i];
        mask->node_parts[n] = part;
    }
}

/* ---- setting it ----------------------------------------------------------------------------- */

static grazei_part part_now(const graze_body *body, uint32_t patch)
{
    return grazei_body_is_masked(body) ? (grazei_part)body->mask->patch_parts[patch] : GRAZEI_ALL;
}

/* Makes everything kept old but posed vertices, and patches all of whose triangles take part. */
static void keep_whole_patches(graze_body *body)
{
    uint32_t before = body->stamp;
    atomic_uint *const kept[] = {&body->positions_mark, &body->folds_mark};
    grazei_body_new_stamp(body);
    if (!grazei_body_has_cache(body))
        return;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (grazei_mark_is_set(kept[i], before))
            grazei_body_keep(body, kept[i]);
    for (uint32_t p = 0; p < body->tree->patch_count; p++) {
        atomic_uint *marks = body->cache.patch_marks[p];
        if (!grazei_mark_is_set(&marks[GRAZEI_POSED], before) || part_now(body, p) != GRAZEI_ALL)
            continue;
        for (int m = 0; m < GRAZEI_PATCH_MARKS; m++)
            if (grazei_mark_is_set(&marks[m], before))
                grazei_body_keep(body, &marks[m]);
    }
}

/* Makes patches old some of whose triangles do not take part. */
static void drop_other_patches(graze_body *body)
{
    if (!grazei_body_has_cache(body))
        return;
    for (uint32_t p = 0; p < body->tree->patch_count; p++)
        for (int m = 0; m < GRAZEI_PATCH_MARKS && part_now(body, p) != GRAZEI_ALL; m++)
            atomic_store_explicit(&body->cache.patch_marks[p][m], 0, memory_order_relaxed);
}

/* bits NULL: all. */
static void take_over(graze_body *body, const uint32_t *bits)
{
    keep_whole_patches(body);
    if (bits) {
        memcpy(body->mask->bits, bits, words_of(body->model->mesh.part_count) * sizeof *bits);
        mask_patches(body->mask, &body->model->tree);
        mask_nodes(body->mask);
    }
    body->tree = bits ? &body->mask->tree : &body->model->tree;
    drop_other_patches(body);
    grazei_body_forget_earlier(body);
    grazei_body_count_pose(body);
}

static bool has_all(const uint32_t *bits, uint32_t part_count)
{
    for (uint32_t g = 0; g < part_count; g++)
        if (!grazei_mask_has(bits, g))
            return false;
    return true;
}

/* Whether two masks have the same groups in; either may be NULL, which has all. */
static bool masks_alike(const uint32_t *a, const uint32_t *b, uint32_t part_count)
{
    if (!a || !b)
        return a == b;
    for (uint32_t g = 0; g < part_count; g++)
        if (grazei_mask_has(a, g) != grazei_mask_has(b, g))
            return false;
    return true;
}

graze_status graze_body_set_part_mask(graze_body *body, const uint32_t *bits, uint32_t part_count,
                                      graze_error *error)
{
    graze_status status = grazei_body_check_change(body, error);
    if (status)
        return status;
    const graze_model *model = body->model;
    if (bits && part_count != model->mesh.part_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the mask is of %u groups, the model has %u",
                           part_count, model->mesh.part_count);
    if (bits && has_all(bits, part_count))
        bits = NULL;
    if (masks_alike(bits, grazei_body_mask(body), model->mesh.part_count))
        return GRAZE_OK;
    if (bits && !body->mask)
        body->mask = make_mask(model);
    if (bits && !body->mask)
        return grazei_fail_memory(error);
    grazei_tell_change(body, (grazei_change){.kind = GRAZEI_TAKES_MASK, .mask = bits});
    take_over(body, bits);
    return GRAZE_OK;
}

/* ---- what it does --------------------------------------------------------------------------- */

void grazei_mask_bounds(graze_body *body, uint32_t first, uint32_t count)
{
    bool spheres = body->tree->def.volume == GRAZE_SPHERES;
    GRAZE_ASSERT(grazei_body_is_masked(body) && first + count <= body->tree->node_count);
    for (uint32_t n = first; n < first + count; n++)
        if (body->mask->node_parts[n] == GRAZEI_NONE)
            grazei_bound_set_empty(&body->cache.bounds[n], spheres);
}

/* Four at a time, because each minimum waits for the one before. */
static void find_box(const float (*points)[4], uint32_t count, f4 *low, f4 *high)
{
    f4 least[4], most[4];
    uint32_t i = 0;
    for (uint32_t k = 0; k < 4; k++)
        least[k] = most[k] = f4_load(points[0]);
    for (; i + 4 <= count; i += 4)
        for (uint32_t k = 0; k < 4; k++) {
            f4 point = f4_load(points[i + k]);
            least[k] = f4_min(least[k], point);
            most[k] = f4_max(most[k], point);
        }
    for (; i < count; i++) {
        least[0] = f4_min(least[0], f4_load(points[i]));
        most[0] = f4_max(most[0], f4_load(points[i]));
    }
    *low = f4_min(f4_min(least[0], least[1]), f4_min(least[2], least[3]));
    *high = f4_max(f4_max(most[0], most[1]), f4_max(most[2], most[3]));
}

void grazei_mask_points(graze_body *body, uint32_t number, f4 *low, f4 *high)
{
    const grazei_mask *mask = body->mask;
    const grazei_patch *patch = &mask->tree.patches[number];
    const uint8_t *unused = mask->unused + patch->first_vertex;
    float(*points)[4] = body->cache.points + patch->first_vertex;
    if (mask->patch_parts[number] != GRAZEI_SOME || !mask->unused_counts[number])
        return;
    f4 used = f4_load(points[mask->tree.corners[patch->first_triangle][0]]);
    for (uint32_t i = 0; i < mask->unused_counts[number]; i++)
        f4_store(points[unused[i]], used);
    find_box((const float(*)[4])points, patch->vertex_count, low, high);
}

uint32_t grazei_body_place(const graze_body *body, uint32_t patch, uint32_t place)
{
    if (part_now(body, patch) == GRAZEI_ALL)
        return place;
    GRAZE_ASSERT(place < body->model->tree.patches[patch].triangle_count);
    const uint64_t *in = body->mask->places[patch];
    uint64_t below = (1ull << (place & 63)) - 1;
    if (!(in[place >> 6] >> (place & 63) & 1))
        return UINT32_MAX;
    return (uint32_t)(__builtin_popcountll(in[place >> 6] & below) +
                      (place < 64 ? 0 : __builtin_popcountll(in[0])));
}

bool grazei_bodies_mask_alike(const graze_body *a, const graze_body *b)
{
    return masks_alike(grazei_body_mask(a), grazei_body_mask(b), a->model->mesh.part_count);
}
