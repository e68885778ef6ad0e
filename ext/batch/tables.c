/* The tables that devices work from. */
#include "batch/batch.h"
#include "batch/lists.h"
#include "batch/order.h"
#include "batch/rooms.h"

#include "base/memory.h"
#include "base/status.h"
#include "model/model.h"
#include "narrow/triangle.h"
#include "self/self.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIANGLES = 1 << 22, PATCH = 64, PATCH_VERTICES = 192 };

/* ---- triangles, patch by patch --------------------------------------------------------------- */

static bool place_triangles(graze_pose_tables *tables, const grazei_mesh *mesh,
                            const graze_allocator *allocator)
{
    const uint32_t count = mesh->triangle_count, padded = PATCH * tables->patch_count;
    uint32_t *order = GRAZEI_ALLOCATE(allocator, count, uint32_t);
    tables->triangles = grazei_allocate(allocator, padded, sizeof *tables->triangles);
    tables->parts = GRAZEI_ALLOCATE(allocator, padded, uint32_t);
    const bool ok = order && tables->triangles && tables->parts &&
                    grazei_order_triangles(mesh, order, allocator);
    for (uint32_t i = 0; ok && i < padded; i++) {
        const uint32_t t = order[i < count ? i : count - 1];
        memcpy(tables->triangles[i], mesh->triangles + 3 * (size_t)t, 3 * sizeof(uint32_t));
        tables->triangles[i][3] = t;
        tables->parts[i] = mesh->triangle_parts[t];
    }
    grazei_release(allocator, order);
    return ok;
}

/* The vertices of a patch, each once, and its corners among them. */
static void place_patch(graze_pose_tables *tables, uint32_t patch, uint32_t *seen)
{
    uint32_t *vertices = tables->patch_vertices + tables->first_vertex[patch], count = 0;
    for (uint32_t t = PATCH * patch; t < PATCH * (patch + 1); t++) {
        tables->patch_corners[t] = 0;
        for (uint32_t c = 0; c < 3; c++) {
            const uint32_t v = tables->triangles[t][c];
            /* What an older patch left there points elsewhere. */
            if (seen[v] >= count || vertices[seen[v]] != v) {
                seen[v] = count;
                vertices[count++] = v;
            }
            tables->patch_corners[t] |= seen[v] << (8 * c);
        }
    }
    tables->first_vertex[patch + 1] = tables->first_vertex[patch] + count;
}

static bool place_vertices(graze_pose_tables *tables, const graze_allocator *allocator)
{
    const uint32_t patches = tables->patch_count, vertices = tables->vertex_count;
    uint32_t *seen = GRAZEI_ALLOCATE_ZERO(allocator, vertices, uint32_t);
    tables->first_vertex = GRAZEI_ALLOCATE_ZERO(allocator, (size_t)patches + 1, uint32_t);
    tables->patch_vertices = GRAZEI_ALLOCATE(allocator, (size_t)PATCH_VERTICES * patches, uint32_t);
    tables->patch_corners = GRAZEI_ALLOCATE(allocator, (size_t)PATCH * patches, uint32_t);
    tables->loose = GRAZEI_ALLOCATE(allocator, vertices, uint32_t);
    const bool ok = seen && tables->first_vertex && tables->patch_vertices &&
                    tables->patch_corners && tables->loose;
    for (uint32_t p = 0; ok && p < patches; p++)
        place_patch(tables, p, seen);
    if (ok)
        memset(seen, 0, vertices * sizeof *seen);
    for (uint32_t i = 0; ok && i < tables->first_vertex[patches]; i++)
        seen[tables->patch_vertices[i]] = 1;
    for (uint32_t v = 0; ok && v < vertices; v++)
        if (!seen[v])
            tables->loose[tables->loose_count++] = v;
    grazei_release(allocator, seen);
    return ok;
}

/* The largest side of the box around triangles. */
static float side_of(const graze_pose_tables *tables, const grazei_mesh *mesh, uint32_t first,
                     uint32_t count)
{
    const float *rest = grazei_mesh_rest(mesh);
    float most = 0;
    for (uint32_t k = 0; k < 3; k++) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t t = first; t < first + count; t++)
            for (int c = 0; c < 3; c++) {
                const float x = rest[3 * (size_t)tables->triangles[t][c] + k];
                low = x < low ? x : low;
                high = x > high ? x : high;
            }
        most = high - low > most ? high - low : most;
    }
    return most;
}

static void measure(graze_pose_tables *tables, const grazei_mesh *mesh)
{
    static const uint32_t sizes[3] = {1, 8, PATCH};
    const uint32_t padded = PATCH * tables->patch_count;
    for (int i = 0; i < 3; i++)
        for (uint32_t t = 0; t < padded; t += sizes[i]) {
            const float side = side_of(tables, mesh, t, sizes[i]);
            tables->extents[i] = side > tables->extents[i] ? side : tables->extents[i];
        }
    tables->size = side_of(tables, mesh, 0, padded);
}

/* ---- pairs that meet at rest ----------------------------------------------------------------- */

typedef struct rest_pairs {
    const graze_allocator *allocator;
    graze_pair *pairs;
    size_t count, capacity;
    bool failed;
} rest_pairs;

static bool take_rest(void *user, const graze_pair *pairs, size_t count)
{
    rest_pairs *to = user;
    graze_pair *grown =
        grazei_grow(to->allocator, to->pairs, &to->capacity, to->count + count, sizeof *grown);
    to->failed = !grown;
    if (to->failed)
        return false;
    to->pairs = grown;
    memcpy(to->pairs + to->count, pairs, count * sizeof *pairs);
    to->count += count;
    return true;
}

static int compare_pairs(const void *left, const void *right)
{
    const graze_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static graze_status store_rest(graze_pose_tables *tables, rest_pairs *found, graze_error *error)
{
    tables->rest_first =
        GRAZEI_ALLOCATE_ZERO(found->allocator, (size_t)tables->triangle_count + 1, uint32_t);
    tables->rest_others = GRAZEI_ALLOCATE(found->allocator, found->count, uint32_t);
    if (!tables->rest_first || !tables->rest_others)
        return grazei_fail_memory(error);
    if (found->count > UINT32_MAX)
        return grazei_fail(error, GRAZE_UNSUPPORTED, "%zu pairs meet at rest", found->count);
    if (found->count)
        qsort(found->pairs, found->count, sizeof *found->pairs, compare_pairs);
    for (size_t i = 0; i < found->count; i++) {
        tables->rest_first[found->pairs[i].a + 1]++;
        tables->rest_others[i] = found->pairs[i].b;
    }
    for (uint32_t t = 0; t < tables->triangle_count; t++)
        tables->rest_first[t + 1] += tables->rest_first[t];
    return GRAZE_OK;
}

static graze_status find_rest(graze_pose_tables *tables, const graze_model *model,
                              graze_error *error)
{
    graze_body *body = NULL;
    rest_pairs found = {.allocator = &model->allocator};
    graze_pair_list list = {.report = take_rest, .user = &found};
    graze_status status = graze_body_create(model, &body, error);
    if (!status)
        status = graze_body_set_positions(body, grazei_mesh_rest(&model->mesh), 0,
                                          model->mesh.vertex_count, error);
    if (!status)
        status = graze_self_pairs(body, NULL, &list, NULL, error);
    if (!status && found.failed)
        status = grazei_fail_memory(error);
    if (!status)
        status = store_rest(tables, &found, error);
    grazei_release(&model->allocator, found.pairs);
    graze_body_destroy(body);
    return status;
}

/* ---- skinning -------------------------------------------------------------------------------- */

/* Displacements by vertex, targets ascending. */
static bool place_morphs(graze_pose_tables *tables, const grazei_mesh *mesh,
                         const graze_allocator *allocator)
{
    const uint32_t targets = mesh->morph_count, vertices = mesh->vertex_count;
    const uint32_t total = targets ? mesh->morph_offsets[targets] : 0;
    uint32_t *next = GRAZEI_ALLOCATE_ZERO(allocator, (size_t)vertices + 1, uint32_t);
    tables->morph_first = next;
    tables->morph_targets = GRAZEI_ALLOCATE(allocator, total, uint32_t);
    tables->morph_deltas = grazei_allocate(allocator, total, sizeof *tables->morph_deltas);
    tables->morph_reach = grazei_allocate_zero(allocator, targets, sizeof *tables->morph_reach);
    if (!next || !tables->morph_targets || !tables->morph_deltas || !tables->morph_reach)
        return false;
    for (uint32_t i = 0; i < total; i++)
        next[mesh->morph_vertices[i]]++;
    for (uint32_t v = 0, sum = 0; v <= vertices; v++) {
        sum += next[v];
        next[v] = sum; /* where the vertex ends; going backwards brings it to where it begins */
    }
    for (uint32_t m = targets; m-- > 0;)
        for (uint32_t i = mesh->morph_offsets[m + 1]; i-- > mesh->morph_offsets[m];) {
            const uint32_t at = --next[mesh->morph_vertices[i]];
            tables->morph_targets[at] = m;
            memcpy(tables->morph_deltas[at], mesh->morph_deltas[i], 3 * sizeof(float));
            for (int k = 0; k < 3; k++)
                tables->morph_reach[m][k] =
                    fmaxf(tables->morph_reach[m][k], fabsf(mesh->morph_deltas[i][k]));
        }
    return true;
}

static bool place_skin(graze_pose_tables *tables, const graze_model *model)
{
    const grazei_mesh *mesh = &model->mesh;
    tables->joint_count = mesh->joint_count;
    tables->morph_count = mesh->morph_count;
    memcpy(tables->reach, model->skin.reach, sizeof tables->reach);
    if (graze_model_get_info(model).skinning != GRAZE_LINEAR)
        return true;
    tables->positions = mesh->positions;
    tables->influence_offsets = mesh->influence_offsets;
    tables->influences = mesh->influences;
    return place_morphs(tables, mesh, &model->allocator);
}

/* ---- all ------------------------------------------------------------------------------------- */

static graze_status fill(graze_pose_tables *tables, const graze_model *model, graze_error *error)
{
    const grazei_mesh *mesh = &model->mesh;
    const graze_allocator *allocator = &model->allocator;
    tables->vertex_count = mesh->vertex_count;
    tables->triangle_count = mesh->triangle_count;
    tables->part_count = mesh->part_count;
    tables->patch_count = ((mesh->triangle_count - 1) / 512 + 1) * 8;
    if (!place_triangles(tables, mesh, allocator) || !place_vertices(tables, allocator) ||
        !place_skin(tables, model))
        return grazei_fail_memory(error);
    measure(tables, mesh);
    graze_status status = grazei_pose_lists(tables, mesh, allocator, error);
    return status ? status : find_rest(tables, model, error);
}

graze_status graze_pose_tables_create(const graze_model *model, graze_pose_tables **tables,
                                      graze_error *error)
{
    graze_status status = grazei_check_pointer(model, "the model", error);
    if (!status)
        status = grazei_check_pointer(tables, "where the tables go", error);
    if (status)
        return status;
    if (model->mesh.triangle_count > MOST_TRIANGLES)
        return grazei_fail(error, GRAZE_UNSUPPORTED, "%u triangles: at most %d are possible",
                           model->mesh.triangle_count, MOST_TRIANGLES);
    graze_pose_tables *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, graze_pose_tables);
    if (!made)
        return grazei_fail_memory(error);
    status = fill(made, model, error);
    if (status)
        graze_pose_tables_destroy(model, made);
    else
        *tables = made;
    return status;
}

void graze_pose_tables_destroy(const graze_model *model, graze_pose_tables *tables)
{
    if (!model || !tables)
        return;
    const graze_allocator *allocator = &model->allocator;
    void *const owned[] = {tables->triangles,      tables->first_vertex,   tables->patch_vertices,
                           tables->patch_corners,  tables->parts,          tables->loose,
                           tables->rest_first,     tables->rest_others,    tables->morph_first,
                           tables->morph_targets,  tables->morph_deltas,   tables->morph_reach,
                           tables->lists[0].pairs, tables->lists[0].masks, tables->lists[1].pairs,
                           tables->lists[1].masks, tables->lists[2].pairs, tables->lists[2].masks};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        grazei_release(allocator, owned[i]);
    grazei_release(allocator, tables);
}

/* ---- for those who use them ------------------------------------------------------------------ */

bool graze_pose_triangles_meet(const float a[9], const float b[9])
{
    float x[3][3], y[3][3];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    return grazei_triangles_meet((const float(*)[3])x, (const float(*)[3])y);
}

graze_status graze_pose_check(const graze_body *body, const graze_pose_set *poses,
                              const graze_part_filter *filter, const graze_pose_results *results,
                              graze_error *error)
{
    graze_status status = grazei_check_pointer(body, "the body", error);
    if (!status)
        status = grazei_check_pointer(results, "where the results go", error);
    if (!status)
        status = grazei_check_poses(graze_body_model(body), poses, "the poses", error);
    if (!status && filter)
        status = grazei_check_filter(body, filter, error);
    return status ? status : grazei_check_rooms(results, poses->count, error);
}

uint64_t graze_pose_write(const graze_pose_tables *tables, const graze_model *model,
                          graze_pose_results *results, size_t pose, uint8_t mark,
                          const graze_pair *pairs, uint64_t count)
{
    const uint32_t parts[2] = {tables->part_count, tables->part_count};
    if (mark > GRAZE_POSE_MEETS) {
        grazei_room_spoil(results, pose, parts, mark);
        return 0;
    }
    grazei_room room = grazei_room_open(results, pose, parts);
    for (uint64_t i = 0; pairs && i < count; i++)
        grazei_room_take(&room, &pairs[i], graze_model_triangle_part(model, pairs[i].a),
                         graze_model_triangle_part(model, pairs[i].b), true);
    room.total = count;
    grazei_room_close(&room, results, pose);
    return room.pairs ? count - room.count : 0;
}
