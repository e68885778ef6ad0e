/* The leaves' vertex lists and their order. */
#include "tree/patches.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/f4.h"

#include <string.h>

/* Where each vertex stands among all of them, by number of influences, then joint-set, then its own
 * number: sets are counted, and placed by their size.
 */
static void rank_vertices(const grazei_mesh *mesh, uint32_t *ranks, uint32_t *starts,
                          uint32_t *sizes)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        starts[mesh->vertex_set[v]]++;
    for (uint32_t s = 0; s < mesh->set_count; s++)
        sizes[mesh->set_offsets[s + 1] - mesh->set_offsets[s] + 1] += starts[s];
    for (uint32_t i = 0; i <= mesh->max_influences; i++)
        sizes[i + 1] += sizes[i];
    for (uint32_t s = 0; s < mesh->set_count; s++) {
        uint32_t *next = &sizes[mesh->set_offsets[s + 1] - mesh->set_offsets[s]];
        uint32_t count = starts[s];
        starts[s] = *next;
        *next += count;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        ranks[v] = starts[mesh->vertex_set[v]]++;
}

/* Sorts a patch's vertices by rank; places[i] becomes where the i-th went. All ranks differ, so
 * each goes behind as many as are less.
 */
static void sort_vertices(const uint32_t *ranks, uint32_t *vertices, uint32_t count,
                          uint8_t *places)
{
    int32_t keys[GRAZEI_MAX_PATCH_VERTICES];
    uint32_t sorted[GRAZEI_MAX_PATCH_VERTICES], end = (count + 3) & ~3u;
    for (uint32_t i = 0; i < end; i++)
        keys[i] = i < count ? (int32_t)ranks[vertices[i]] : INT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        i4 key = {keys[i], keys[i], keys[i], keys[i]}, less = {0, 0, 0, 0};
        for (uint32_t k = 0; k < end; k += 4)
            less -= i4_load_any(keys + k) < key;
        places[i] = (uint8_t)(less[0] + less[1] + less[2] + less[3]);
        sorted[places[i]] = vertices[i];
    }
    memcpy(vertices, sorted, count * sizeof *sorted);
}

/* ---- the order of triangles -------------------------------------------------------------------
 */

/* The triangles of a patch, by numbers of its own. */
typedef struct sorter {
    float centres[3][GRAZEI_MAX_PATCH_TRIANGLES];
    uint8_t orders[3]
                  [GRAZEI_MAX_PATCH_TRIANGLES]; /* by their centres; those of each part together */
    uint8_t places[GRAZEI_MAX_PATCH_TRIANGLES]; /* where each stands in the order that is made */
} sorter;

/* By centres, then by the places they had: quick, as they are nearly in order already. */
static void sort_order(const sorter *s, int axis, uint8_t *order, uint32_t count)
{
    const float *centres = s->centres[axis];
    for (uint32_t i = 1; i < count; i++) {
        uint8_t own = order[i];
        uint32_t at = i;
        for (; at > 0; at--) {
            uint8_t before = order[at - 1];
            if (centres[before] < centres[own] ||
                (centres[before] == centres[own] && s->places[before] < s->places[own]))
                break;
            order[at] = before;
        }
        order[at] = own;
    }
}

/* Brings what has a place before middle to the front, both sides in the order they were in. */
static void part_order(const sorter *s, uint8_t *order, uint32_t count, uint32_t middle)
{
    uint8_t aside[GRAZEI_MAX_PATCH_TRIANGLES];
    uint32_t left = 0, right = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t own = order[i];
        uint32_t is_left = s->places[own] < middle;
        order[left] = aside[right] = own;
        left += is_left;
        right += 1 - is_left;
    }
    memcpy(order + left, aside, right);
}

/* Sorts the places [begin, end) so that the triangles of each sixteen, and of each eight, which
 * follow one another lie together: split across the longest axis of their centres, as near to the
 * middle as that allows.
 */
static void sort_places(sorter *s, uint32_t begin, uint32_t end)
{
    uint32_t count = end - begin, unit = count > 16 ? 16 : 8;
    int axis = 0;
    float longest = 0;
    if (count <= unit)
        return;
    for (int k = 0; k < 3; k++) {
        const uint8_t *order = s->orders[k] + begin;
        float length = s->centres[k][order[count - 1]] - s->centres[k][order[0]];
        axis = k && length > longest ? k : axis;
        longest = k && length <= longest ? longest : length;
    }
    sort_order(s, axis, s->orders[axis] + begin, count);
    for (uint32_t i = begin; i < end; i++)
        s->places[s->orders[axis][i]] = (uint8_t)i;
    uint32_t middle = begin + (count / 2 + unit - 1) / unit * unit;
    for (int k = 0; k < 3; k++)
        if (k != axis)
            part_order(s, s->orders[k] + begin, count, middle);
    sort_places(s, begin, middle);
    sort_places(s, middle, end);
}

static void find_centres(const grazei_mesh *mesh, const uint32_t *triangles, uint32_t count,
                         sorter *s)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)triangles[i];
        f4 sum = f4_load3(mesh->positions + 3 * (size_t)corners[0]) +
                 f4_load3(mesh->positions + 3 * (size_t)corners[1]) +
                 f4_load3(mesh->positions + 3 * (size_t)corners[2]);
        for (int k = 0; k < 3; k++)
            s->centres[k][i] = sum[k];
    }
}

/* What patches are made with. */
typedef struct maker {
    grazei_tree *tree;
    const grazei_mesh *mesh;
    const uint32_t *const
        *orders;               /* of all triangles, along y and z as split; NULL for single ones */
    uint32_t *ranks;           /* per vertex */
    uint32_t *stamps;          /* per vertex: the last node it is of, plus 1 */
    uint8_t *numbers;          /* per vertex, in that patch */
    uint8_t *triangle_numbers; /* per triangle, in its patch */
    struct main_joint *mains;  /* per vertex */
} maker;

/* The patch's triangles are in the order of x, as split. */
static void sort_triangles(const maker *m, const uint32_t range[2])
{
    sorter s;
    uint32_t count = range[1] - range[0], made[GRAZEI_MAX_PATCH_TRIANGLES];
    uint32_t *triangles = m->tree->patch_triangles + range[0];
    GRAZE_ASSERT(count <= GRAZEI_MAX_PATCH_TRIANGLES);
    if (count <= 8 || !m->orders)
        return;
    for (uint32_t i = 0; i < count; i++) {
        m->triangle_numbers[triangles[i]] = (uint8_t)i;
        s.orders[0][i] = s.places[i] = (uint8_t)i;
    }
    for (int k = 1; k < 3; k++)
        for (uint32_t i = 0; i < count; i++)
            s.orders[k][i] = m->triangle_numbers[m->orders[k - 1][range[0] + i]];
    find_centres(m->mesh, triangles, count, &s);
    for (int k = 0; k < 3; k++) /* rest may be elsewhere */
        sort_order(&s, k, s.orders[k], count);
    sort_places(&s, 0, count);
    for (uint32_t i = 0; i < count; i++)
        made[s.places[i]] = triangles[i];
    memcpy(triangles, made, count * sizeof *made);
}

/* ---- main joints ------------------------------------------------------------------------------
 */

/* Of a vertex: the joint with most weight, and its place among the vertex's influences, where it
 * has more than all others by 2^-10; else the place is UINT8_MAX.
 */
typedef struct main_joint {
    uint32_t joint, place;
} main_joint;

#if !defined(GRAZE_SMALL)

static main_joint find_main_joint(const grazei_mesh *mesh, uint32_t vertex)
{
    const graze_influence *all = mesh->influences + mesh->influence_offsets[vertex];
    uint32_t count = mesh->influence_offsets[vertex + 1] - mesh->influence_offsets[vertex];
    uint32_t best = 0;
    float second = 0;
    for (uint32_t i = 1; i < count; i++) {
        bool more = all[i].weight > all[best].weight;
        float lesser = more ? all[best].weight : all[i].weight;
        second = lesser > second ? lesser : second;
        best = more ? i : best;
    }
    bool has = count && best < UINT8_MAX && all[best].weight > second + 0x1p-10f;
    return (main_joint){has ? all[best].joint : 0, has ? best : UINT8_MAX};
}

static main_joint *find_main_joints(const grazei_mesh *mesh, const graze_allocator *allocator)
{
    main_joint *mains = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, main_joint);
    for (uint32_t v = 0; mains && v < mesh->vertex_count; v++)
        mains[v] = find_main_joint(mesh, v);
    return mains;
}

/* Where all corners of a triangle have one main joint: its place among the first corner's
 * influences plus one, else 0. That joint has the most weight everywhere in the triangle: by 2^-10
 * times the sum of the corners' shares, which is 1 but for two roundings, while the sum of a
 * joint's shares is off by less than 2^-20.
 */
static uint8_t main_joint_of(const main_joint *mains, const uint32_t corners[3])
{
    main_joint a = mains[corners[0]], b = mains[corners[1]], c = mains[corners[2]];
    bool all = a.place < UINT8_MAX && b.place < UINT8_MAX && c.place < UINT8_MAX;
    return all && a.joint == b.joint && a.joint == c.joint ? (uint8_t)(a.place + 1) : 0;
}

#else /* where code travels, it is searched for */

static main_joint *find_main_joints(const grazei_mesh *mesh, const graze_allocator *allocator)
{
    (void)mesh;
    return GRAZEI_ALLOCATE(allocator, 1, main_joint);
}
#define main_joint_of(mains, corners) 0

#endif

bool grazei_tree_find_main_joints(grazei_tree *tree, const grazei_mesh *mesh,
                                  const graze_allocator *allocator)
{
    main_joint *mains = find_main_joints(mesh, allocator);
    for (uint32_t i = 0; mains && i < mesh->triangle_count; i++)
        tree->corners[i][3] =
            main_joint_of(mains, mesh->triangles + 3 * (size_t)tree->patch_triangles[i]);
    grazei_release(allocator, mains);
    return mains != NULL;
}

/* ---- all of it --------------------------------------------------------------------------------
 */

static void make_patch(const maker *m, uint32_t node)
{
    grazei_tree *tree = m->tree;
    const uint32_t *range = tree->node_triangles[node];
    uint32_t *vertices = tree->patch_vertices + tree->patch_vertex_count, count = 0;
    uint8_t places[GRAZEI_MAX_PATCH_VERTICES];
    sort_triangles(m, range);
    for (uint32_t i = range[0]; i < range[1]; i++) {
        const uint32_t *corners = m->mesh->triangles + 3 * (size_t)tree->patch_triangles[i];
        for (int c = 0; c < 3; c++) {
            uint32_t vertex = corners[c];
            if (m->stamps[vertex] != node + 1) {
                m->stamps[vertex] = node + 1;
                m->numbers[vertex] = (uint8_t)count;
                vertices[count++] = vertex;
            }
            tree->corners[i][c] = m->numbers[vertex];
        }
        tree->corners[i][3] = main_joint_of(m->mains, corners);
    }
    GRAZE_ASSERT(count > 0 && count <= GRAZEI_MAX_PATCH_VERTICES);
    GRAZE_ASSERT(range[1] - range[0] <= tree->def.patch_triangles);
    sort_vertices(m->ranks, vertices, count, places);
    for (uint32_t i = range[0]; i < range[1]; i++)
        for (int c = 0; c < 3; c++)
            tree->corners[i][c] = places[tree->corners[i][c]];
    grazei_patch *patch = &tree->patches[tree->nodes[node].first];
    patch->first_vertex = tree->patch_vertex_count;
    patch->first_triangle = range[0];
    patch->vertex_count = (uint16_t)count;
    patch->triangle_count = (uint16_t)(range[1] - range[0]);
    tree->patch_vertex_count += count;
}

static bool make_all(maker *m, const graze_allocator *allocator)
{
    grazei_tree *tree = m->tree;
    const grazei_mesh *mesh = m->mesh;
    uint32_t *all = GRAZEI_ALLOCATE(allocator, 3 * (size_t)mesh->triangle_count, uint32_t);
    uint32_t *starts = GRAZEI_ALLOCATE_ZERO(allocator, (size_t)mesh->set_count + 1, uint32_t);
    uint32_t *sizes = GRAZEI_ALLOCATE_ZERO(allocator, (size_t)mesh->max_influences + 2, uint32_t);
    bool ok = all && starts && sizes;
    if (ok) {
        rank_vertices(mesh, m->ranks, starts, sizes);
        tree->patch_vertices = all;
        for (uint32_t n = 0; n < tree->node_count; n++)
            if (tree->nodes[n].count == 0)
                make_patch(m, n);
        tree->patch_vertices = GRAZEI_ALLOCATE(allocator, tree->patch_vertex_count, uint32_t);
        ok = tree->patch_vertices != NULL;
        if (ok)
            memcpy(tree->patch_vertices, all, tree->patch_vertex_count * sizeof *all);
    }
    grazei_release(allocator, all);
    grazei_release(allocator, starts);
    grazei_release(allocator, sizes);
    return ok;
}

bool grazei_make_patches(grazei_tree *tree, const grazei_mesh *mesh,
                         const uint32_t *const orders[2], const graze_allocator *allocator)
{
    maker m = {.tree = tree,
               .mesh = mesh,
               .orders = orders[0] ? orders : NULL,
               .ranks = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t),
               .stamps = GRAZEI_ALLOCATE_ZERO(allocator, mesh->vertex_count, uint32_t),
               .numbers = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint8_t),
               .triangle_numbers = GRAZEI_ALLOCATE(allocator, mesh->triangle_count, uint8_t),
               .mains = find_main_joints(mesh, allocator)};
    tree->patches = GRAZEI_ALLOCATE(allocator, tree->patch_count, grazei_patch);
    tree->corners = grazei_allocate_zero(
        allocator, (size_t)mesh->triangle_count + GRAZEI_CORNERS_BEHIND, sizeof *tree->corners);
    bool ok = m.ranks && m.stamps && m.numbers && m.triangle_numbers && m.mains && tree->patches &&
              tree->corners && make_all(&m, allocator);
    void *all[] = {m.ranks, m.stamps, m.numbers, m.triangle_numbers, m.mains};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(allocator, all[i]);
    return ok;
}
