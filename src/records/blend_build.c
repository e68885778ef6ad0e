/* What spherical and dual skinning need beside linear skinning's records: for every node the pairs
 * of joints that move a vertex together, with the ball of those vertices.
 */
#include "records/build.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/f4.h"
#include "math/rounding.h"
#include "tree/ball.h"

#include <string.h>

/* Work space while nodes are recorded one after the other. */
typedef struct blend_builder {
    grazei_blend *blend;
    const grazei_mesh *mesh;
    const grazei_tree *tree;
    const graze_allocator *allocator;
    size_t row_capacity, reach_capacity, set_capacity, joint_capacity;

    /* Pairs of joints of the whole mesh, found by hashing. */
    uint64_t *pair_keys;
    uint32_t *pair_slots;   /* of the node at hand, UINT32_MAX between uses */
    uint32_t *pair_numbers; /* in the order of joint-sets */
    uint32_t table_mask;

    uint32_t *vertices, *scratch;
    uint8_t *marks, *set_marks, *joint_marks;
    uint32_t vertex_count;

    /* Pairs of the node at hand. */
    uint32_t *pairs;  /* entries of pair_keys */
    uint32_t *starts; /* first member of each, one more than pairs */
    float *products;
    uint32_t *members; /* vertices by pair */
    uint32_t pair_count;
} blend_builder;

static uint32_t influence_count(const grazei_mesh *mesh, uint32_t v)
{
    return mesh->influence_offsets[v + 1] - mesh->influence_offsets[v];
}

static uint32_t pair_entry(const blend_builder *b, uint32_t i, uint32_t k)
{
    uint64_t key = (uint64_t)i << 32 | k;
    uint32_t at = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 32) & b->table_mask;
    while (b->pair_keys[at] != key && b->pair_keys[at] != UINT64_MAX)
        at = (at + 1) & b->table_mask;
    if (b->pair_keys[at] == UINT64_MAX) {
        b->pair_keys[at] = key;
        b->pair_numbers[at] = b->blend->pair_count++;
    }
    return at;
}

/* Goes through the pairs of joints of every blended vertex of the node: counts them in a first
 * pass, files the vertex under each in a second.
 */
static void visit_pairs(blend_builder *b, bool file)
{
    for (uint32_t n = 0; n < b->vertex_count; n++) {
        uint32_t v = b->vertices[n], count = influence_count(b->mesh, v);
        const graze_influence *own = b->mesh->influences + b->mesh->influence_offsets[v];
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = i + 1; k < count; k++) {
                uint32_t at = pair_entry(b, own[i].joint, own[k].joint);
                uint32_t slot = b->pair_slots[at];
                if (file) {
                    b->members[b->starts[slot]++] = v;
                    continue;
                }
                if (slot == UINT32_MAX) {
                    slot = b->pair_slots[at] = b->pair_count++;
                    b->pairs[slot] = at;
                    b->starts[slot] = 0;
                    b->products[slot] = 0;
                }
                b->starts[slot]++;
                double product = (double)own[i].weight * own[k].weight;
                b->products[slot] = f1_max(b->products[slot], grazei_round_up(product));
            }
    }
}

/* Sorts the node's vertices by pair: members of pair p are [starts[p - 1], starts[p]) afterwards.
 */
static void gather_pairs(blend_builder *b)
{
    b->pair_count = 0;
    visit_pairs(b, false);
    uint32_t next = 0;
    for (uint32_t p = 0; p < b->pair_count; p++) {
        uint32_t count = b->starts[p];
        b->starts[p] = next;
        next += count;
    }
    visit_pairs(b, true);
    for (uint32_t p = 0; p < b->pair_count; p++)
        b->pair_slots[b->pairs[p]] = UINT32_MAX;
}

static void store_ball(blend_builder *b, const uint32_t *vertices, uint32_t count, float row[4])
{
    grazei_ball ball = grazei_ball_enclose(b->mesh->positions, vertices, count, b->scratch);
    grazei_ball_float rounded = grazei_ball_round(&ball, b->mesh->positions, vertices, count);
    memcpy(row, rounded.centre, sizeof rounded.centre);
    row[3] = rounded.radius;
}

/* Lists the joints of all the node's vertices. */
static bool add_joints(blend_builder *b, uint32_t vertex_count, grazei_blend_node *record)
{
    grazei_blend *blend = b->blend;
    uint32_t *joints =
        grazei_grow(b->allocator, blend->node_joints, &b->joint_capacity,
                    (size_t)blend->node_joint_count + b->mesh->joint_count, sizeof *joints);
    if (!joints)
        return false;
    blend->node_joints = joints;
    record->first_joint = blend->node_joint_count;
    for (uint32_t i = 0; i < vertex_count; i++)
        for (uint32_t k = b->mesh->influence_offsets[b->vertices[i]];
             k < b->mesh->influence_offsets[b->vertices[i] + 1]; k++) {
            uint32_t joint = b->mesh->influences[k].joint;
            if (!b->joint_marks[joint])
                joints[blend->node_joint_count++] = joint;
            b->joint_marks[joint] = 1;
        }
    for (uint32_t i = record->first_joint; i < blend->node_joint_count; i++)
        b->joint_marks[joints[i]] = 0;
    return true;
}

/* Keeps only the blended vertices of the node, and measures their weights. */
static bool gather_blended(blend_builder *b, uint32_t node, grazei_blend_node *record)
{
    uint32_t all = grazei_tree_vertices(b->tree, b->mesh, b->tree->node_triangles[node], b->marks,
                                        b->vertices);
    if (!add_joints(b, all, record))
        return false;
    b->vertex_count = 0;
    record->least_pivot = 1;
    for (uint32_t i = 0; i < all; i++) {
        uint32_t v = b->vertices[i], count = influence_count(b->mesh, v);
        float largest = 0, pairs = 0.5f * (float)count * (float)(count - 1);
        if (count < 2) {
            record->has_single = true;
            continue;
        }
        for (uint32_t k = 0; k < count; k++)
            largest =
                f1_max(largest, b->mesh->influences[b->mesh->influence_offsets[v] + k].weight);
        record->least_pivot = f1_min(record->least_pivot, largest);
        record->pairs_of_vertex = f1_max(record->pairs_of_vertex, pairs);
        record->share =
            f1_max(record->share, 0.5f * (float)(count - 1) / (float)count * (1 + 8 * GRAZEI_UNIT));
        b->vertices[b->vertex_count++] = v;
    }
    return true;
}

static bool add_sets(blend_builder *b, grazei_blend_node *record)
{
    grazei_blend *blend = b->blend;
    uint32_t *sets = grazei_grow(b->allocator, blend->node_sets, &b->set_capacity,
                                 (size_t)blend->node_set_count + b->vertex_count + 1, sizeof *sets);
    if (!sets)
        return false;
    blend->node_sets = sets;
    record->first_set = blend->node_set_count;
    for (uint32_t i = 0; i < b->vertex_count; i++) {
        uint32_t set = b->mesh->vertex_set[b->vertices[i]];
        if (!b->set_marks[set])
            sets[blend->node_set_count++] = set;
        b->set_marks[set] = 1;
    }
    GRAZE_ASSERT(blend->node_set_count > record->first_set);
    record->set_count = blend->node_set_count - record->first_set;
    for (uint32_t s = 0; s < record->set_count; s++)
        b->set_marks[sets[record->first_set + s]] = 0;
    return true;
}

/* At least the distance of two points. */
static float distance_up(const float a[3], const float b[3])
{
    double x = (double)a[0] - b[0], y = (double)a[1] - b[1], z = (double)a[2] - b[2];
    return grazei_round_up(sqrt(x * x + y * y + z * z) * (1 + 0x1p-40));
}

/* With z where each joint of a vertex turns it, the variance of z by the weights is at most so much
 * times the sum of |z - z'|^2 over pairs of joints: of n joints that sum is n times the variance by
 * equal weights, and the largest eigenvalue of diag(w) - w w' is at most the largest w and, by its
 * rows, the largest 2 w (1 - w); sums of weights that are not 1 count.
 */
static double share_of_turning(const grazei_mesh *mesh, uint32_t v)
{
    const graze_influence *own = mesh->influences + mesh->influence_offsets[v];
    uint32_t count = influence_count(mesh, v);
    double sum = 0, largest = 0, rows = 0;
    for (uint32_t k = 0; k < count; k++)
        sum += own[k].weight;
    for (uint32_t k = 0; k < count; k++) {
        double w = own[k].weight, row = 2 * w * (sum - w);
        if (w > largest)
            largest = w;
        if (row > rows)
            rows = row;
    }
    return fmin(largest * sum, rows) / count;
}

/* The largest of any vertex of the node's pair p. */
static float turning_of_pair(const blend_builder *b, uint32_t p)
{
    double most = 0;
    for (uint32_t k = p ? b->starts[p - 1] : 0; k < b->starts[p]; k++)
        most = fmax(most, share_of_turning(b->mesh, b->members[k]));
    return grazei_round_up(most * (1 + 0x1p-40));
}

/* How far any vertex of the node's pair p is from the middle of the pair's ball of centres. */
static float reach_of_pair(const blend_builder *b, uint32_t p)
{
    const float *from = b->blend->pair_centre[b->pair_numbers[b->pairs[p]]];
    float most = 0;
    for (uint32_t k = p ? b->starts[p - 1] : 0; k < b->starts[p]; k++)
        most = f1_max(most, distance_up(b->mesh->positions + 3 * (size_t)b->members[k], from));
    return most;
}

/* What a node needs to be looked at by the pose's table of pairs. */
static bool add_reaches(blend_builder *b, grazei_blend_node *record)
{
    grazei_blend *blend = b->blend;
    uint32_t fours = (b->pair_count + 3) / 4;
    float(*all)[4] = grazei_grow(b->allocator, blend->reaches, &b->reach_capacity,
                                 (size_t)blend->reach_rows + 4 * (size_t)fours, sizeof *all);
    if (!all)
        return false;
    blend->reaches = all;
    record->first_reach = blend->reach_rows;
    for (uint32_t p = 0; p < 4 * fours; p++) {
        float(*rows)[4] = all + blend->reach_rows + 4 * (size_t)(p / 4);
        uint32_t own = p < b->pair_count ? p : b->pair_count - 1;
        GRAZE_ASSERT(b->pair_numbers[b->pairs[own]] < blend->pair_count);
        rows[0][p % 4] = reach_of_pair(b, own);
        rows[1][p % 4] = own == p ? b->products[p] : 0;
        rows[2][p % 4] = own == p ? turning_of_pair(b, p) : 0;
        rows[3][p % 4] = f4_from_bits(b->pair_numbers[b->pairs[own]]);
    }
    for (uint32_t i = 0; i < b->vertex_count; i++) {
        uint32_t v = b->vertices[i], n = influence_count(b->mesh, v);
        const float *mean = blend->set_centre[b->mesh->vertex_set[v]];
        float off = distance_up(b->mesh->positions + 3 * (size_t)v, mean);
        double pulled = 5e-4 * 0.5 * n * (n - 1) * share_of_turning(b->mesh, v) * off * off;
        record->from_mean = f1_max(record->from_mean, off);
        record->pulled = f1_max(record->pulled, grazei_round_up(pulled * (1 + 0x1p-40)));
    }
    blend->reach_rows += 4 * fours;
    return true;
}

static bool record_node(blend_builder *b, uint32_t node)
{
    grazei_blend *blend = b->blend;
    grazei_blend_node *record = &blend->nodes[node];
    *record = (grazei_blend_node){.first_row = blend->row_count, .first_reach = UINT32_MAX};
    if (!gather_blended(b, node, record))
        return false;
    if (!b->vertex_count)
        return true;
    gather_pairs(b);
    uint32_t rows = 1 + 2 * b->pair_count;
    GRAZE_ASSERT(b->pair_count > 0 && record->least_pivot > 0);
    float(*all)[4] = grazei_grow(b->allocator, blend->rows, &b->row_capacity,
                                 (size_t)blend->row_count + rows, sizeof *all);
    if (!all)
        return false;
    blend->rows = all;
    blend->row_count += rows;
    if (!add_sets(b, record))
        return false;
    record->pair_count = b->pair_count;
    float(*row)[4] = all + record->first_row;
    store_ball(b, b->vertices, b->vertex_count, *row++);
    for (uint32_t p = 0; p < b->pair_count; p++) {
        uint32_t first = p ? b->starts[p - 1] : 0;
        uint64_t key = b->pair_keys[b->pairs[p]];
        store_ball(b, b->members + first, b->starts[p] - first, *row++);
        (*row)[0] = f4_from_bits((uint32_t)(key >> 32));
        (*row)[1] = f4_from_bits((uint32_t)key);
        (*row)[2] = b->products[p];
        (*row++)[3] = f4_from_bits(b->pair_numbers[b->pairs[p]]);
    }
    return record->pairs_of_vertex > GRAZEI_MOST_QUICK_PAIRS || add_reaches(b, record);
}

static void fill_set_centres(grazei_blend *blend, const grazei_mesh *mesh, uint32_t *counts)
{
    memset(blend->set_centre, 0, mesh->set_count * sizeof *blend->set_centre);
    memset(counts, 0, mesh->set_count * sizeof *counts);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t set = mesh->vertex_set[v];
        counts[set]++;
        /* A running mean needs no more room than the result. */
        for (uint32_t axis = 0; axis < 3; axis++)
            blend->set_centre[set][axis] +=
                (mesh->positions[3 * (size_t)v + axis] - blend->set_centre[set][axis]) /
                (float)counts[set];
        if (influence_count(mesh, v) > 1)
            for (uint32_t i = mesh->influence_offsets[v]; i < mesh->influence_offsets[v + 1]; i++)
                blend->joint_blends[mesh->influences[i].joint] = 1;
    }
}

/* The fourth number: how far any of a set's vertices is from the mean, as stored. */
static void fill_set_radii(grazei_blend *blend, const grazei_mesh *mesh)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float *centre = blend->set_centre[mesh->vertex_set[v]];
        double square = 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            double d = (double)mesh->positions[3 * (size_t)v + axis] - centre[axis];
            square += d * d;
        }
        centre[3] = f1_max(centre[3], grazei_round_up(sqrt(square) * (1 + 0x1p-40)));
    }
}

/* Numbers the pairs of joints of every joint-set: the same for every tree around a mesh. */
static void number_pairs(blend_builder *b)
{
    const grazei_mesh *mesh = b->mesh;
    for (uint32_t s = 0; s < mesh->set_count; s++)
        for (uint32_t i = mesh->set_offsets[s]; i < mesh->set_offsets[s + 1]; i++)
            for (uint32_t k = i + 1; k < mesh->set_offsets[s + 1]; k++)
                pair_entry(b, mesh->set_joints[i], mesh->set_joints[k]);
}

/* Adds the centre of a joint-set to the balls of its pairs: to the mean where counts are given,
 * else to the radius.
 */
static void add_set(blend_builder *b, uint32_t set, uint32_t *counts)
{
    const grazei_mesh *mesh = b->mesh;
    const float *centre = b->blend->set_centre[set];
    for (uint32_t i = mesh->set_offsets[set]; i < mesh->set_offsets[set + 1]; i++)
        for (uint32_t k = i + 1; k < mesh->set_offsets[set + 1]; k++) {
            uint32_t at = pair_entry(b, mesh->set_joints[i], mesh->set_joints[k]);
            uint32_t pair = b->pair_numbers[at];
            float *ball = b->blend->pair_centre[pair];
            double square = 0;
            if (counts)
                counts[pair]++;
            for (int axis = 0; axis < 3; axis++) {
                double d = (double)centre[axis] - ball[axis];
                square += d * d;
                if (counts)
                    ball[axis] += (float)(d / counts[pair]);
            }
            if (!counts)
                ball[3] = f1_max(ball[3], grazei_round_up(sqrt(square) * (1 + 0x1p-40)));
        }
}

/* Pairs as lanes load them. */
static bool fill_pair_rows(blend_builder *b)
{
    grazei_blend *blend = b->blend;
    uint32_t padded = grazei_padded_pairs(blend);
    blend->pair_rows = grazei_allocate(b->allocator, 2 * (size_t)padded, sizeof *blend->pair_rows);
    if (!blend->pair_rows)
        return false;
    for (uint32_t at = 0; at <= b->table_mask; at++) {
        if (b->pair_keys[at] == UINT64_MAX)
            continue;
        uint32_t number = b->pair_numbers[at];
        GRAZE_ASSERT(number < blend->pair_count);
        float(*rows)[4] = blend->pair_rows + 2 * (size_t)number;
        memcpy(rows[0], blend->pair_centre[number], sizeof rows[0]);
        rows[1][0] = f4_from_bits((uint32_t)(b->pair_keys[at] >> 32));
        rows[1][1] = f4_from_bits((uint32_t)b->pair_keys[at]);
        rows[1][2] = 0;
        rows[1][3] = f4_from_bits(number);
    }
    for (uint32_t p = blend->pair_count; p < padded; p++)
        memcpy(blend->pair_rows[2 * (size_t)p], blend->pair_rows[2 * (size_t)(p - 1)],
               2 * sizeof *blend->pair_rows);
    return true;
}

/* The ball of the centres of the sets that each pair is in. */
static bool fill_pair_centres(blend_builder *b)
{
    grazei_blend *blend = b->blend;
    number_pairs(b);
    uint32_t *counts = GRAZEI_ALLOCATE_ZERO(b->allocator, blend->pair_count, uint32_t);
    blend->pair_centre =
        grazei_allocate(b->allocator, blend->pair_count, sizeof *blend->pair_centre);
    bool ok = counts && blend->pair_centre;
    if (ok) {
        memset(blend->pair_centre, 0, blend->pair_count * sizeof *blend->pair_centre);
        for (uint32_t s = 0; s < b->mesh->set_count; s++)
            add_set(b, s, counts);
        for (uint32_t s = 0; s < b->mesh->set_count; s++)
            add_set(b, s, NULL);
    }
    grazei_release(b->allocator, counts);
    return ok && fill_pair_rows(b);
}

static bool start(blend_builder *b)
{
    const grazei_mesh *mesh = b->mesh;
    size_t pairs = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        size_t count = influence_count(mesh, v);
        pairs += count * (count - 1) / 2;
    }
    /* The table holds distinct pairs only: no more than the joints allow. */
    size_t joints = mesh->joint_count, distinct = joints * (joints - 1) / 2;
    distinct = distinct < pairs ? distinct : pairs;
    size_t size = 16;
    while (size < 2 * distinct)
        size *= 2;
    if (size > UINT32_MAX || pairs > UINT32_MAX)
        return false;
    b->table_mask = (uint32_t)(size - 1);
    b->pair_keys = GRAZEI_ALLOCATE(b->allocator, size, uint64_t);
    b->pair_slots = GRAZEI_ALLOCATE(b->allocator, size, uint32_t);
    b->pair_numbers = GRAZEI_ALLOCATE(b->allocator, size, uint32_t);
    b->vertices = GRAZEI_ALLOCATE(b->allocator, mesh->vertex_count, uint32_t);
    b->scratch = GRAZEI_ALLOCATE(b->allocator, mesh->vertex_count, uint32_t);
    b->marks = GRAZEI_ALLOCATE_ZERO(b->allocator, mesh->vertex_count, uint8_t);
    b->set_marks = GRAZEI_ALLOCATE_ZERO(b->allocator, mesh->set_count, uint8_t);
    b->joint_marks = GRAZEI_ALLOCATE_ZERO(b->allocator, mesh->joint_count, uint8_t);
    b->pairs = GRAZEI_ALLOCATE(b->allocator, pairs, uint32_t);
    b->starts = GRAZEI_ALLOCATE(b->allocator, pairs + 1, uint32_t);
    b->products = GRAZEI_ALLOCATE(b->allocator, pairs, float);
    b->members = GRAZEI_ALLOCATE(b->allocator, pairs, uint32_t);
    if (!b->pair_keys || !b->pair_slots || !b->pair_numbers || !b->vertices || !b->scratch ||
        !b->marks || !b->set_marks || !b->joint_marks || !b->pairs || !b->starts || !b->products ||
        !b->members)
        return false;
    memset(b->pair_keys, 0xff, size * sizeof *b->pair_keys);
    memset(b->pair_slots, 0xff, size * sizeof *b->pair_slots);
    return true;
}

bool grazei_blend_build(grazei_blend *blend, const grazei_mesh *mesh, const grazei_tree *tree,
                        const graze_allocator *allocator)
{
    blend_builder b = {.blend = blend, .mesh = mesh, .tree = tree, .allocator = allocator};
    blend->nodes = GRAZEI_ALLOCATE(allocator, tree->node_count, grazei_blend_node);
    blend->set_centre = grazei_allocate(allocator, mesh->set_count, sizeof *blend->set_centre);
    blend->joint_blends = GRAZEI_ALLOCATE_ZERO(allocator, mesh->joint_count, uint8_t);
    bool ok = blend->nodes && blend->set_centre && blend->joint_blends && start(&b);
    if (ok) {
        fill_set_centres(blend, mesh, b.scratch);
        fill_set_radii(blend, mesh);
        ok = fill_pair_centres(&b);
    }
    for (uint32_t n = 0; ok && n < tree->node_count; n++)
        ok = record_node(&b, n);
    void *all[] = {b.pair_keys, b.pair_slots,  b.pair_numbers, b.vertices, b.scratch,  b.marks,
                   b.set_marks, b.joint_marks, b.pairs,        b.starts,   b.products, b.members};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(allocator, all[i]);
    return ok && grazei_set_balls_build(blend, mesh, tree, allocator);
}

void grazei_blend_release(grazei_blend *blend, const graze_allocator *allocator)
{
    grazei_release(allocator, blend->nodes);
    grazei_release(allocator, blend->rows);
    grazei_release(allocator, blend->node_sets);
    grazei_release(allocator, blend->set_balls);
    grazei_release(allocator, blend->node_joints);
    grazei_release(allocator, blend->reaches);
    grazei_release(allocator, blend->pair_centre);
    grazei_release(allocator, blend->pair_rows);
    grazei_release(allocator, blend->set_centre);
    grazei_release(allocator, blend->joint_blends);
}
