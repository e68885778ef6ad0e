/* Marching tetrahedra on the body-centred cubic lattice.
 *
 * Cubes with a point in the middle of each: two neighbouring middles and an edge of the face
 * between them span a tetrahedron, twelve of them a cube, all of one shape. Inside a tetrahedron
 * the surface is a triangle or two, found from the four signs alone, so that the whole is a
 * 2-manifold whatever the field does. Marching tetrahedra: Doi & Koide 1991; the lattice as in
 * Chan & Purisima 1998 and Labelle & Shewchuk 2007 (isosurface stuffing).
 *
 * Only blocks of cells near the surface are ever filled: the field is nowhere steeper than 1, so
 * its value at a block's centre tells whether the surface can reach it.
 */
#include "scenes/lattice.h"

enum { side = 8, part = 2, block_points = 2 * side * side * side };
static const uint32_t slot_outside = UINT32_MAX, slot_inside = UINT32_MAX - 1;

typedef struct lattice {
    const grazei_synth_field *field;
    grazei_synth_pool *pool;
    double cell;
    uint32_t blocks[3];
    uint32_t *slots; /* a block's place in values, or slot_outside / slot_inside */
    double *values;
    size_t value_capacity;
    uint32_t slot_count;

    /* Cut edges: key (lower point << 32 | higher point), 0 for an empty place. */
    uint64_t *keys;
    uint32_t *ids;
    size_t hash_size, hash_used;

    grazei_synth_mesh mesh;
    size_t position_capacity, triangle_capacity;
} lattice;

/* A lattice point: a cube's corner or its middle. */
typedef struct point {
    uint32_t middle;
    uint32_t at[3];
} point;

static grazei_vec point_position(const lattice *grid, point p)
{
    double half = p.middle ? 0.5 : 0;
    return vec_along(grid->field->low, vec_make(p.at[0] + half, p.at[1] + half, p.at[2] + half),
                     grid->cell);
}

static uint32_t point_slot(const lattice *grid, point p)
{
    uint32_t x = p.at[0] / side, y = p.at[1] / side, z = p.at[2] / side;
    if (x >= grid->blocks[0] || y >= grid->blocks[1] || z >= grid->blocks[2])
        return slot_outside;
    return grid->slots[((size_t)z * grid->blocks[1] + y) * grid->blocks[0] + x];
}

static uint32_t point_local(point p)
{
    return ((p.middle * side + p.at[2] % side) * side + p.at[1] % side) * side + p.at[0] % side;
}

static double point_value(const lattice *grid, point p)
{
    uint32_t slot = point_slot(grid, p);
    if (slot >= slot_inside)
        return slot == slot_outside ? 1 : -1;
    return grid->values[(size_t)slot * block_points + point_local(p)];
}

/* Whether the surface, or a cell beside it, can reach a cube of so many cells a side. */
static bool is_near(const lattice *grid, const double middle[3], uint32_t cells, double *value)
{
    *value = grazei_synth_distance(
        grid->field,
        vec_along(grid->field->low, vec_make(middle[0], middle[1], middle[2]), grid->cell));
    return fabs(*value) <= (0.5 * cells * sqrt(3) + 1.5) * grid->cell;
}

/* The values of a part of a block. Far from the surface nothing but their sign is ever used. */
static void fill_part(const lattice *grid, const uint32_t block[3], const uint32_t low[3],
                      double *values)
{
    double middle[3], far;
    for (uint32_t i = 0; i < 3; i++)
        middle[i] = block[i] * side + low[i] + 0.5 * part;
    bool near = is_near(grid, middle, part, &far);
    for (uint32_t i = 0; i < 2 * part * part * part; i++) {
        point p = {i / (part * part * part),
                   {block[0] * side + low[0] + i % part, block[1] * side + low[1] + i / part % part,
                    block[2] * side + low[2] + i / (part * part) % part}};
        double value = near ? grazei_synth_distance(grid->field, point_position(grid, p)) : far;
        values[point_local(p)] = value == 0 ? 1e-12 : value;
    }
}

static bool fill_block(lattice *grid, const uint32_t block[3], uint32_t slot)
{
    size_t need = (size_t)(slot + 1) * block_points;
    double *values =
        grazei_synth_grow(grid->pool, grid->values, &grid->value_capacity, need, sizeof(double));
    if (!values)
        return false;
    grid->values = values;
    values += (size_t)slot * block_points;
    for (uint32_t i = 0; i < side * side * side / (part * part * part); i++) {
        uint32_t parts = side / part;
        uint32_t low[3] = {i % parts * part, i / parts % parts * part, i / (parts * parts) * part};
        fill_part(grid, block, low, values);
    }
    return true;
}

/* Fills the blocks that the surface may touch, with a cell to spare, so that no cut edge ends in
 * any other block.
 */
static bool fill(lattice *grid)
{
    size_t index = 0;
    uint32_t block[3];
    for (block[2] = 0; block[2] < grid->blocks[2]; block[2]++)
        for (block[1] = 0; block[1] < grid->blocks[1]; block[1]++)
            for (block[0] = 0; block[0] < grid->blocks[0]; block[0]++, index++) {
                double middle[3] = {(block[0] + 0.5) * side, (block[1] + 0.5) * side,
                                    (block[2] + 0.5) * side},
                       value;
                if (!is_near(grid, middle, side, &value)) {
                    grid->slots[index] = value < 0 ? slot_inside : slot_outside;
                    continue;
                }
                if (grid->slot_count >= UINT32_MAX / block_points - 1 ||
                    !fill_block(grid, block, grid->slot_count))
                    return false;
                grid->slots[index] = grid->slot_count++;
            }
    return true;
}

static size_t hash_place(const lattice *grid, uint64_t key)
{
    size_t mask = grid->hash_size - 1;
    size_t place = (size_t)((key * 0x9E3779B97F4A7C15u) >> 20) & mask;
    while (grid->keys[place] && grid->keys[place] != key)
        place = (place + 1) & mask;
    return place;
}

static bool hash_widen(lattice *grid)
{
    uint64_t *keys = grid->keys;
    uint32_t *ids = grid->ids;
    size_t size = grid->hash_size;
    size_t larger = size ? size * 2 : 1 << 12;
    uint64_t *new_keys = grazei_synth_take(grid->pool, larger, sizeof(uint64_t));
    uint32_t *new_ids = grazei_synth_take(grid->pool, larger, sizeof(uint32_t));
    if (!new_keys || !new_ids)
        return false;
    grid->keys = new_keys;
    grid->ids = new_ids;
    grid->hash_size = larger;
    for (size_t i = 0; i < size; i++)
        if (keys[i]) {
            size_t place = hash_place(grid, keys[i]);
            grid->keys[place] = keys[i];
            grid->ids[place] = ids[i];
        }
    grazei_synth_give(grid->pool, keys);
    grazei_synth_give(grid->pool, ids);
    return true;
}

/* The mesh vertex on the cut edge between p and q; UINT32_MAX when out of memory. */
static uint32_t cut(lattice *grid, point p, point q)
{
    uint32_t u = point_slot(grid, p) * block_points + point_local(p);
    uint32_t v = point_slot(grid, q) * block_points + point_local(q);
    if (2 * grid->hash_used >= grid->hash_size && !hash_widen(grid))
        return UINT32_MAX;
    uint64_t key = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
    size_t place = hash_place(grid, key);
    if (grid->keys[place])
        return grid->ids[place];
    grazei_vec *positions =
        grazei_synth_grow(grid->pool, grid->mesh.positions, &grid->position_capacity,
                          (size_t)grid->mesh.vertex_count + 1, sizeof(grazei_vec));
    if (!positions)
        return UINT32_MAX;
    grid->mesh.positions = positions;
    double at_p = point_value(grid, p), at_q = point_value(grid, q);
    double t = vec_clamp(at_p / (at_p - at_q), 0.02, 0.98);
    grazei_vec from = point_position(grid, p);
    positions[grid->mesh.vertex_count] = vec_along(from, vec_sub(point_position(grid, q), from), t);
    grid->keys[place] = key;
    grid->ids[place] = grid->mesh.vertex_count;
    grid->hash_used++;
    return grid->mesh.vertex_count++;
}

static bool add_triangle(lattice *grid, uint32_t a, uint32_t b, uint32_t c)
{
    if (a == UINT32_MAX || b == UINT32_MAX || c == UINT32_MAX)
        return false;
    uint32_t *triangles =
        grazei_synth_grow(grid->pool, grid->mesh.triangles, &grid->triangle_capacity,
                          3 * ((size_t)grid->mesh.triangle_count + 1), sizeof(uint32_t));
    if (!triangles)
        return false;
    grid->mesh.triangles = triangles;
    triangles += 3 * (size_t)grid->mesh.triangle_count++;
    triangles[0] = a;
    triangles[1] = b;
    triangles[2] = c;
    return true;
}

/* The surface inside one tetrahedron whose corners a b c d have (b-a) x (c-a) . (d-a) > 0; bit i of
 * signs is set if corner i is inside.
 */
static bool march(lattice *grid, const point corners[4], uint32_t signs)
{
    /* Even permutations that bring the two inner corners to the front. */
    static const uint8_t pairs[16][4] = {
        [3] = {0, 1, 2, 3},  [12] = {2, 3, 0, 1}, [5] = {0, 2, 3, 1},
        [10] = {3, 1, 0, 2}, [9] = {0, 3, 1, 2},  [6] = {1, 2, 0, 3}};
    static const uint8_t lone[16] = {[1] = 0, [2] = 1, [4] = 2, [8] = 3};
    if (pairs[signs][0] != pairs[signs][1]) {
        const uint8_t *order = pairs[signs];
        uint32_t ac = cut(grid, corners[order[0]], corners[order[2]]);
        uint32_t ad = cut(grid, corners[order[0]], corners[order[3]]);
        uint32_t bd = cut(grid, corners[order[1]], corners[order[3]]);
        uint32_t bc = cut(grid, corners[order[1]], corners[order[2]]);
        return add_triangle(grid, ac, ad, bd) && add_triangle(grid, ac, bd, bc);
    }
    bool three = signs == 14 || signs == 13 || signs == 11 || signs == 7;
    uint32_t apex = lone[three ? 15 - signs : signs];
    uint32_t ab = cut(grid, corners[apex], corners[apex ^ 1]);
    uint32_t ac = cut(grid, corners[apex], corners[apex ^ 2]);
    uint32_t ad = cut(grid, corners[apex], corners[apex ^ 3]);
    return three ? add_triangle(grid, ab, ad, ac) : add_triangle(grid, ab, ac, ad);
}

/* The four tetrahedra between a cell's middle and its neighbour's along an axis. */
static bool march_face(lattice *grid, const uint32_t cell[3], uint32_t axis)
{
    uint32_t second = (axis + 1) % 3, third = (axis + 2) % 3;
    point points[6] = {{1, {cell[0], cell[1], cell[2]}}, {1, {cell[0], cell[1], cell[2]}}};
    points[1].at[axis]++;
    for (uint32_t i = 0; i < 4; i++) { /* the face's corners, around the axis */
        point *corner = &points[2 + i];
        *corner = (point){0, {cell[0], cell[1], cell[2]}};
        corner->at[axis]++;
        corner->at[second] += i == 1 || i == 2;
        corner->at[third] += i >= 2;
    }
    uint32_t inside = 0;
    for (uint32_t i = 0; i < 6; i++)
        inside |= (uint32_t)(point_value(grid, points[i]) < 0) << i;
    if (inside == 0 || inside == 63)
        return true;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t next = (i + 1) % 4;
        point corners[4] = {points[0], points[1], points[2 + i], points[2 + next]};
        uint32_t signs =
            (inside & 3) | (inside >> (2 + i) & 1) << 2 | (inside >> (2 + next) & 1) << 3;
        if (signs != 0 && signs != 15 && !march(grid, corners, signs))
            return false;
    }
    return true;
}

static bool march_block(lattice *grid, const uint32_t block[3])
{
    for (uint32_t i = 0; i < side * side * side; i++) {
        uint32_t cell[3] = {block[0] * side + i % side, block[1] * side + i / side % side,
                            block[2] * side + i / (side * side)};
        for (uint32_t axis = 0; axis < 3; axis++)
            if (!march_face(grid, cell, axis))
                return false;
    }
    return true;
}

static bool march_all(lattice *grid)
{
    size_t index = 0;
    uint32_t block[3];
    for (block[2] = 0; block[2] < grid->blocks[2]; block[2]++)
        for (block[1] = 0; block[1] < grid->blocks[1]; block[1]++)
            for (block[0] = 0; block[0] < grid->blocks[0]; block[0]++, index++)
                if (grid->slots[index] < slot_inside && !march_block(grid, block))
                    return false;
    return true;
}

bool grazei_synth_mesh_field(const grazei_synth_field *field, double cell, grazei_synth_pool *pool,
                             grazei_synth_mesh *mesh)
{
    grazei_vec extent = vec_scale(vec_sub(field->high, field->low), 1 / (cell * side));
    lattice grid = {
        .field = field,
        .pool = pool,
        .cell = cell,
        .blocks = {(uint32_t)extent.x + 1, (uint32_t)extent.y + 1, (uint32_t)extent.z + 1}};
    size_t blocks = (size_t)grid.blocks[0] * grid.blocks[1] * grid.blocks[2];
    grid.slots = grazei_synth_take(pool, blocks, sizeof(uint32_t));
    bool done = grid.slots && fill(&grid) && march_all(&grid);
    grazei_synth_give(pool, grid.slots);
    grazei_synth_give(pool, grid.values);
    grazei_synth_give(pool, grid.keys);
    grazei_synth_give(pool, grid.ids);
    *mesh = grid.mesh;
    return done;
}
