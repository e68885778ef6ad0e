/* Posing vertices with spherical or dual skinning: one by one, and many in lanes by the same
 * operations in the same order. Included by *_kernels.c only.
 */
#ifndef GRAZEI_DEFORM_POSE_BLENDED_H
#define GRAZEI_DEFORM_POSE_BLENDED_H

#include "deform/skin.h"
#include "math/quat.h"
#include "math/quat_columns.h"

/* Vertices of more influences, and fewer vertices, are posed one by one; and all in the web's
 * modules, which have to be small.
 */
#if defined(__OPTIMIZE_SIZE__)
#define MAX_TOGETHER 1
#else
#define MAX_TOGETHER 8
#endif
#define LEAST_TOGETHER 3

/* The first of two steps where joints are scaled: the rest position blended by what the joints are
 * without their rotations.
 */
static inline f4 scale_vertex(const grazei_joints *joints, f4 rest,
                              const graze_influence *influences, uint32_t count)
{
    f4 sum = f4_zero();
    for (uint32_t i = 0; i < count; i++)
        sum = sum + f4_map_point(&joints->scales[influences[i].joint], rest) *
                        f4_all(influences[i].weight);
    return sum;
}

/* The influence with the largest weight: the quaternion that the others' signs are taken against.
 */
static inline uint32_t pivot_of(const graze_influence *influences, uint32_t count)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (influences[i].weight > influences[best].weight)
            best = i;
    return best;
}

/* Weight of an influence, negated where its quaternion is on the other side of the pivot's. */
static inline float signed_weight(f4 rotation, f4 pivot, float weight)
{
    return f4_dot4(rotation, pivot) < 0 ? -weight : weight;
}

static inline f4 place_vertex(const grazei_joints *joints, f4 posed)
{
    if (joints->placed)
        posed = grazei_turn(&joints->place, posed);
    return posed + joints->translation;
}

/* Where one vertex goes before the placement; the last lane of rest is zero. */
typedef f4 (*pose_vertex)(const grazei_skin *skin, const grazei_joints *joints, f4 rest,
                          const graze_influence *influences, uint32_t count, uint32_t set);

/* Vertices with as many influences, at most MAX_TOGETHER, one a lane. Lanes that are not needed
 * repeat the last one.
 */
typedef struct vertex_columns {
    const graze_influence *influences[GRAZEI_COLUMN];
    const uint32_t *sets; /* of the vertices in use */
    uint32_t used;        /* lanes */
    bool one_set;         /* all have the same joints */
    column3 rest;
    column weights[MAX_TOGETHER];
    column signed_weights[MAX_TOGETHER];
    column4 rotations[MAX_TOGETHER];
} vertex_columns;

/* Where they go before the placement. */
typedef column3 (*pose_vertices)(const grazei_skin *skin, const grazei_joints *joints,
                                 const vertex_columns *vertices, uint32_t count);

/* Row `offset` of each vertex's rows, in lanes. */
GRAZEI_INLINE column4 rows_of_sets(const vertex_columns *vertices, const f4 *rows,
                                   const uint32_t *first, uint32_t offset)
{
    const float *each[GRAZEI_COLUMN];
    if (vertices->one_set)
        return column4_all((const float *)&rows[first[vertices->sets[0]] + offset]);
    for (uint32_t k = 0; k < GRAZEI_COLUMN; k++) {
        uint32_t set = vertices->sets[k < vertices->used ? k : vertices->used - 1];
        each[k] = (const float *)&rows[first[set] + offset];
    }
    return column4_load_rows(each);
}

/* Of each vertex's influence number i the joint's row. */
GRAZEI_INLINE column4 rows_of_joints(const vertex_columns *vertices, const f4 *rows, uint32_t i)
{
    const float *each[GRAZEI_COLUMN];
    if (vertices->one_set)
        return column4_all((const float *)&rows[vertices->influences[0][i].joint]);
    for (uint32_t k = 0; k < GRAZEI_COLUMN; k++)
        each[k] = (const float *)&rows[vertices->influences[k][i].joint];
    return column4_load_rows(each);
}

/* Weights, in rows of two influences. */
GRAZEI_INLINE void load_weights(vertex_columns *vertices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 2) {
        const float *pairs[GRAZEI_COLUMN];
        uint32_t first = i + 1 < count ? i : count - 2;
        column two[4];
        for (uint32_t k = 0; k < GRAZEI_COLUMN; k++)
            pairs[k] = (const float *)(const void *)(vertices->influences[k] + first);
        column_load_rows(pairs, 0, two);
        vertices->weights[first] = two[1];
        vertices->weights[first + 1] = two[3];
    }
}

/* Rotations, and weights with the signs that signed_weight gives them. */
GRAZEI_INLINE void load_rotations(const grazei_joints *joints, vertex_columns *vertices,
                                  uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        vertices->rotations[i] = rows_of_joints(vertices, joints->rotations, i);
    column4 pivot = vertices->rotations[0];
    column most = vertices->weights[0];
    for (uint32_t i = 1; i < count; i++) {
        pivot = column4_select(vertices->weights[i] > most, vertices->rotations[i], pivot);
        most = points_max(vertices->weights[i], most);
    }
    for (uint32_t i = 0; i < count; i++) {
        column_mask opposite = column4_dot(vertices->rotations[i], pivot) < column_all(0);
        vertices->signed_weights[i] =
            (column)((column_mask)vertices->weights[i] ^ (opposite & INT32_MIN));
    }
}

GRAZEI_INLINE column3 place_vertices(const grazei_joints *joints, column3 posed)
{
    f4 t = joints->translation;
    if (joints->placed) {
        const f4 *c = joints->place.c;
        column3 p = posed;
        posed.x =
            (column_all(c[0][0]) * p.x + column_all(c[1][0]) * p.y) + column_all(c[2][0]) * p.z;
        posed.y =
            (column_all(c[0][1]) * p.x + column_all(c[1][1]) * p.y) + column_all(c[2][1]) * p.z;
        posed.z =
            (column_all(c[0][2]) * p.x + column_all(c[1][2]) * p.y) + column_all(c[2][2]) * p.z;
    }
    return (column3){posed.x + column_all(t[0]), posed.y + column_all(t[1]),
                     posed.z + column_all(t[2])};
}

/* A batch on its way: what comes next, and the box of what is posed. */
typedef struct blended_progress {
    const grazei_batch_in *batch;
    const graze_influence *influences; /* of the next vertex */
    uint32_t next;
    float (*out)[4];
    points low, high;
} blended_progress;

/* How many from the next on have as many influences and are posed together. */
static inline uint32_t count_together(const blended_progress *run, uint32_t influence_count)
{
    const grazei_batch_in *batch = run->batch;
    uint32_t left = batch->count - run->next, most = left < GRAZEI_COLUMN ? left : GRAZEI_COLUMN;
    uint32_t used = 1;
    while (used < most && f4_bits(batch->rest[run->next + used][3]) == influence_count)
        used++;
    return used;
}

/* Vertices of n influences that are posed together; n is a constant where it is small. */
GRAZEI_INLINE void pose_together(const grazei_skin *skin, const grazei_joints *joints,
                                 blended_progress *run, uint32_t used, uint32_t n,
                                 pose_vertices pose_some)
{
    const grazei_batch_in *batch = run->batch;
    const float *rest[GRAZEI_COLUMN];
    vertex_columns vertices; /* filled as far as it is looked at: it is large */
    uint32_t others = 0;
    vertices.sets = batch->sets + run->next;
    vertices.used = used;
    for (uint32_t k = 0; k < GRAZEI_COLUMN; k++) {
        uint32_t v = k < used ? k : used - 1;
        rest[k] = batch->rest[run->next + v];
        vertices.influences[k] = run->influences + (size_t)v * n;
        others |= vertices.sets[v] ^ vertices.sets[0];
    }
    vertices.one_set = !others;
    column rows[4];
    column_load_rows(rest, 0, rows);
    vertices.rest = (column3){rows[0], rows[1], rows[2]};
    load_weights(&vertices, n);
    load_rotations(joints, &vertices, n);
    column3 posed = place_vertices(joints, pose_some(skin, joints, &vertices, n));
    rows[0] = posed.x;
    rows[1] = posed.y;
    rows[2] = posed.z;
    rows[3] = column_all(0);
    column_transpose(rows);
    for (uint32_t k = 0; k < used; k++) {
        uint32_t v = run->next + k;
        f4_store(run->out[batch->vertices ? batch->vertices[v] : v],
                 k < 4 ? points_first(rows[k & 3]) : points_last(rows[k & 3]));
    }
    for (int k = 0; k < 4; k++) {
        run->low = points_min(run->low, rows[k]);
        run->high = points_max(run->high, rows[k]);
    }
    run->next += used;
    run->influences += (size_t)used * n;
}

GRAZEI_INLINE void pose_next(const grazei_skin *skin, const grazei_joints *joints,
                             blended_progress *run, uint32_t n, pose_vertex pose_one)
{
    const grazei_batch_in *batch = run->batch;
    uint32_t v = run->next++;
    f4 posed = pose_one(skin, joints, f4_load3(batch->rest[v]), run->influences, n, batch->sets[v]);
    posed = place_vertex(joints, posed);
    f4_store(run->out[batch->vertices ? batch->vertices[v] : v], posed);
    run->low = points_min(run->low, points_all(posed));
    run->high = points_max(run->high, points_all(posed));
    run->influences += n;
}

/* Whether the vertices from first, as many as points, have this joint-set. */
static inline bool is_single_run(const grazei_batch_in *batch, uint32_t first, uint32_t set)
{
    const uint32_t last = first + GRAZEI_POINTS - 1;
    return last < batch->count && batch->sets[first] == set && batch->sets[last] == set;
}

/* Vertices that follow the next one's only joint, which moves them as it was given. */
GRAZEI_INLINE void pose_single_run(const grazei_joints *joints, blended_progress *run)
{
    const grazei_batch_in *batch = run->batch;
    const uint32_t set = batch->sets[run->next];
    points_map map = points_map_all(&joints->given[run->influences->joint]);
    points_map place = points_map_all(&joints->place);
    points translation = points_all(joints->translation);
    do {
        uint32_t v = run->next;
        points p = points_load(batch->rest + v);
        p = (map.c[0] * points_x(p) + map.c[1] * points_y(p)) + (map.c[2] * points_z(p) + map.c[3]);
        if (joints->placed)
            p = (place.c[0] * points_x(p) + place.c[1] * points_y(p)) + place.c[2] * points_z(p);
        p = p + translation;
        if (batch->vertices) {
            f4_store(run->out[batch->vertices[v]], points_first(p));
            f4_store(run->out[batch->vertices[v + GRAZEI_POINTS - 1]], points_last(p));
        } else {
            points_store(run->out + v, p);
        }
        run->low = points_min(run->low, p);
        run->high = points_max(run->high, p);
        run->next += GRAZEI_POINTS;
        run->influences += GRAZEI_POINTS;
    } while (is_single_run(batch, run->next, set));
}

GRAZEI_INLINE void pose_blended(const grazei_skin *skin, const grazei_joints *joints,
                                const grazei_batch_in *batch, float (*out)[4], f4 *low, f4 *high,
                                pose_vertex pose_one, pose_vertices pose_some)
{
    points most = points_all(f4_all(INFINITY));
    blended_progress run = {batch, batch->influences, 0, out, most, -most};
    while (run.next < batch->count) {
        uint32_t n = f4_bits(batch->rest[run.next][3]);
        uint32_t used = n > 1 && n <= MAX_TOGETHER && !joints->scaled ? count_together(&run, n) : 1;
        if (n == 1 && is_single_run(batch, run.next, batch->sets[run.next]))
            pose_single_run(joints, &run);
        else if (used < LEAST_TOGETHER)
            pose_next(skin, joints, &run, n, pose_one);
        else if (n == 2)
            pose_together(skin, joints, &run, used, 2, pose_some);
        else if (n == 3)
            pose_together(skin, joints, &run, used, 3, pose_some);
        else
            pose_together(skin, joints, &run, used, n, pose_some);
    }
    *low = f4_min(points_first(run.low), points_last(run.low));
    *high = f4_max(points_first(run.high), points_last(run.high));
}

/* The same for vertices of the mesh by their numbers. */
GRAZEI_INLINE void pose_blended_chosen(const grazei_skin *skin, const grazei_joints *joints,
                                       const uint32_t *vertices, uint32_t count,
                                       const float (*rest)[4], float (*out)[4],
                                       pose_vertex pose_one)
{
    const grazei_mesh *mesh = skin->mesh;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = vertices[i], first = mesh->influence_offsets[v];
        f4 posed = pose_one(skin, joints, f4_load(rest[i]), mesh->influences + first,
                            mesh->influence_offsets[v + 1] - first, mesh->vertex_set[v]);
        f4_store(out[i], place_vertex(joints, posed));
    }
}

#endif
