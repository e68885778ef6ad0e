/* Two posed patches: which of their triangles are near enough to count?
 *
 * What is far is told from what is near by boxes, and by how far triangles reach along the
 * direction between two vertices that are near each other: if all of one patch lies behind a plane
 * and all of the other beyond a parallel one, they are at least as far apart as the planes. Boxes
 * part what is beside, planes what is behind.
 *
 * Rounding. A reach is a product of a direction d, |d| <= 1, with differences of coordinates that
 * are at most R, the longest side of the box around both patches: one rounding for the difference,
 * three for products and sums, so it is off by less than 4 u (|d_x| + |d_y| + |d_z|) R < 8 u R, u =
 * 2^-24. Two reaches and a limit are summed up with two more roundings of numbers up to 2 R and the
 * limit. SLAB_MARGIN is 64 u of R, and of the limit; FLT_MIN covers what underflows.
 */
#ifndef GRAZEI_QUERY_DISTANCE_PATCHES_H
#define GRAZEI_QUERY_DISTANCE_PATCHES_H

#include "narrow/distance.h"
#include "narrow/distance_kernels.h"
#include "narrow/triangle.h"
#include "query/distance.h"
#include "query/distance_bounds.h"
#include "query/patches.h"

#define SLAB_MARGIN 0x1p-18f

/* So many pairs of triangles pass through the lanes at a time. */
#define DISTANCE_BLOCK 64

/* Of the triangles around a vertex so many are looked at. */
#define FAN 16

/* More candidates than this, and it is worth looking for a nearer pair first. */
#define MANY 32

_Static_assert(GRAZEI_MAX_POINTS >= GRAZEI_MAX_PATCH_VERTICES, "patches have too many vertices");

/* One side of a pair of patches. */
typedef struct patch_side {
    graze_body *body;
    uint32_t number;
    const grazei_patch *patch;
    const grazei_bound *box;     /* exact */
    const float (*vertices)[4];  /* posed */
    const grazei_points *points; /* the same, for lanes */
    const uint8_t (*corners)[4]; /* of each triangle */
    const uint32_t *names;
} patch_side;

static inline bool is_posed(const graze_body *body, uint32_t patch)
{
    return body->patches[patch].stamp == body->stamp;
}

static inline patch_side make_patch_side(graze_body *body, uint32_t number, grazei_points *points)
{
    const grazei_tree *tree = &body->model->tree;
    const grazei_patch *patch = &tree->patches[number];
    patch_side side = {body,
                       number,
                       patch,
                       &body->patches[number],
                       (const float(*)[4])body->vertices + patch->first_vertex,
                       points,
                       (const uint8_t(*)[4])tree->corners + patch->first_triangle,
                       tree->patch_triangles + patch->first_triangle};
    return side;
}

static inline bool is_settled(const grazei_distance_question *question)
{
    return question->outbox.stopped || (question->kind == GRAZEI_CLOSER && question->found);
}

/* ---- planes ------------------------------------------------------------------------------- */

/* How far each vertex of one patch reaches along a direction, and of the other one back. */
typedef struct slab {
    float gap; /* the patches are at least so far apart; may be negative */
    float margin;
    float most[2];
    float reach[2][GRAZEI_MAX_POINTS + 16];
} slab;

static inline double distance_of_points(const float a[3], const float b[3])
{
    double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1];
    double z = (double)a[2] - (double)b[2];
    return sqrt(x * x + y * y + z * z);
}

/* Two vertices near each other: the vertex of a nearest to b's box, the vertex of b nearest to
 * that, and back.
 */
static inline void find_near_vertices(const patch_side sides[2], const float *points[2])
{
    const grazei_bound *box = sides[1].box;
    float least[3] = {-box->low_negated[0], -box->low_negated[1], -box->low_negated[2]};
    float greatest[3] = {box->high[0], box->high[1], box->high[2]};
    for (int step = 0; step < 3; step++) {
        const patch_side *side = &sides[step & 1];
        uint32_t nearest =
            GRAZEI_ISA(narrow_distance_kernels).nearest_point(side->points, least, greatest);
        points[step & 1] = side->vertices[nearest];
        for (int k = 0; k < 3; k++)
            least[k] = greatest[k] = points[step & 1][k];
    }
}

static inline void make_slab(const patch_side sides[2], const float *from, const float *to,
                             slab *out)
{
    float directions[2][3];
    double distance = distance_of_points(from, to), per_distance = distance > 0 ? 1 / distance : 0;
    f4 extent = f4_max(grazei_bound_first(sides[0].box), grazei_bound_first(sides[1].box)) +
                f4_max(grazei_bound_second(sides[0].box), grazei_bound_second(sides[1].box));
    for (int k = 0; k < 3; k++) {
        double apart = (double)to[k] - (double)from[k];
        directions[0][k] = (float)(apart * per_distance) * GRAZEI_SHORTER;
        directions[1][k] = -directions[0][k];
    }
    for (int side = 0; side < 2; side++)
        out->most[side] = GRAZEI_ISA(narrow_distance_kernels)
                              .reaches(sides[side].points, sides[0].vertices[0], directions[side],
                                       out->reach[side]);
    out->margin = SLAB_MARGIN * f4_max3(extent) + FLT_MIN;
    out->gap = -(out->most[0] + out->most[1]) - out->margin;
}

/* What two posed patches tell before their triangles are looked at. */
typedef struct near_vertices {
    const float *points[2];
    slab slab; /* across the line between them */
} near_vertices;

/* ---- triangles ---------------------------------------------------------------------------- */

/* The triangles that reach so far that, and have boxes so near to the other patch's box that, they
 * may count. `reach` is that of each vertex, `least` what a triangle must reach.
 */
static inline void find_near(const patch_side *side, const grazei_bound *other, const float *reach,
                             float least, float limit, grazei_near_set *out)
{
    size_t count = 0;
    for (uint32_t t = 0; t < side->patch->triangle_count; t++) {
        const uint8_t *corner = side->corners[t];
        float far = f1_max(f1_max(reach[corner[0]], reach[corner[1]]), reach[corner[2]]);
        if (!(far >= least))
            continue;
        grazei_bound box;
        f4 p = f4_load(side->vertices[corner[0]]), q = f4_load(side->vertices[corner[1]]);
        f4 r = f4_load(side->vertices[corner[2]]);
        f4 low = f4_min(p, f4_min(q, r)), high = f4_max(p, f4_max(q, r));
        grazei_bound_set_box(&box, low, high);
        if (grazei_box_distance(&box, other) > limit)
            continue;
        for (int k = 0; k < 3; k++) {
            out->boxes[k][count] = low[k];
            out->boxes[k + 3][count] = high[k];
        }
        out->far[count] = far;
        out->numbers[count++] = (uint16_t)t;
    }
    out->count = count;
}

/* Candidates, ordered by the triangle of the first patch, then of the second. */
static inline size_t find_near_pairs(const patch_side sides[2], const slab *s, float limit,
                                     uint16_t *pairs)
{
    grazei_near_set near[2];
    float width = limit + (s->margin + SLAB_MARGIN * limit);
    for (int side = 0; side < 2; side++) {
        find_near(&sides[side], sides[!side].box, s->reach[side], -width - s->most[!side], limit,
                  &near[side]);
        if (near[side].count == 0)
            return 0;
    }
    return GRAZEI_ISA(narrow_distance_kernels).near_pairs(&near[0], &near[1], limit, width, pairs);
}

static inline void load_pair(const patch_side sides[2], uint16_t pair, float a[3][4], float b[3][4])
{
    grazei_load_triangle(sides[0].body, sides[0].patch, grazei_pair_first(pair), a);
    grazei_load_triangle(sides[1].body, sides[1].patch, grazei_pair_second(pair), b);
}

static inline bool pair_meets(const patch_side sides[2], uint16_t pair, graze_stats *stats)
{
    float rows[2][3][4] __attribute__((aligned(16))), corners[2][3][3];
    load_pair(sides, pair, rows[0], rows[1]);
    if (!grazei_triangle_boxes_overlap((const float(*)[4])rows[0], (const float(*)[4])rows[1]))
        return false;
    for (int c = 0; c < 6; c++)
        memcpy(corners[c / 3][c % 3], rows[c / 3][c % 3], sizeof corners[0][0]);
    stats->triangle_tests++;
    return grazei_triangles_meet((const float(*)[3])corners[0], (const float(*)[3])corners[1]);
}

static inline void take_pair(grazei_distance_question *question, const patch_side sides[2],
                             uint16_t pair, double square, const float *a, const float *b)
{
    graze_pair names = {sides[0].names[grazei_pair_first(pair)],
                        sides[1].names[grazei_pair_second(pair)]};
    grazei_distance_take(question, square, names, a, b, 4);
}

/* The pairs of two patches that meet, ordered as candidates are. */
static inline size_t find_hits(const patch_side sides[2], uint16_t *hits, graze_stats *stats)
{
    size_t count = 0, unsure = 0;
    if (sides[0].body->sets && sides[1].body->sets) {
        uint16_t near_a[GRAZEI_SET_NUMBERS], near_b[GRAZEI_SET_NUMBERS];
        grazei_triangle_set a = grazei_patch_set(sides[0].body, sides[0].number);
        grazei_triangle_set b = grazei_patch_set(sides[1].body, sides[1].number);
        size_t count_a = grazei_set_within(&a, sides[1].box, near_a);
        size_t count_b = count_a ? grazei_set_within(&b, sides[0].box, near_b) : 0;
        if (count_b == 0)
            return 0;
        count = GRAZEI_LANES_TABLE.box_pairs(&a, near_a, count_a, &b, near_b, count_b, hits);
        stats->triangle_tests += count;
        return GRAZEI_LANES_TABLE.triangle_pairs(&a, &b, hits, count, hits, &unsure);
    }
    for (uint32_t i = 0; i < sides[0].patch->triangle_count; i++)
        for (uint32_t k = 0; k < sides[1].patch->triangle_count; k++) {
            hits[count] = grazei_pair(i, k);
            count += pair_meets(sides, hits[count], stats);
        }
    return count;
}

/* Distances of the pairs; `hits`, in the same order, are those that meet. */
static inline void take_pairs(grazei_distance_question *question, const patch_side sides[2],
                              const uint16_t *pairs, size_t count, const uint16_t *hits,
                              size_t hit_count)
{
    float corners[2][DISTANCE_BLOCK][3][4] __attribute__((aligned(64)));
    grazei_corners rows[2][DISTANCE_BLOCK];
    double squares[DISTANCE_BLOCK];
    size_t hit = 0;
    for (size_t first = 0; first < count && !is_settled(question); first += DISTANCE_BLOCK) {
        size_t size = count - first < DISTANCE_BLOCK ? count - first : DISTANCE_BLOCK;
        for (size_t i = 0; i < size; i++) {
            load_pair(sides, pairs[first + i], corners[0][i], corners[1][i]);
            rows[0][i] = (grazei_corners)corners[0][i];
            rows[1][i] = (grazei_corners)corners[1][i];
        }
        GRAZEI_ISA(narrow_distance_kernels).distance_squares(rows[0], rows[1], size, squares);
        for (size_t i = 0; i < size && !is_settled(question); i++) {
            bool meets = hit < hit_count && hits[hit] == pairs[first + i];
            hit += meets;
            take_pair(question, sides, pairs[first + i], meets ? 0 : squares[i], corners[0][i][0],
                      corners[1][i][0]);
        }
    }
}

/* The triangles around a vertex, up to FAN of them. */
static inline size_t find_fan(const patch_side *side, const float *vertex, uint16_t *numbers)
{
    uint8_t local = (uint8_t)((vertex - side->vertices[0]) / 4);
    size_t count = 0;
    for (uint32_t t = 0; t < side->patch->triangle_count && count < FAN; t++) {
        const uint8_t *corner = side->corners[t];
        numbers[count] = (uint16_t)t;
        count += (corner[0] == local) | (corner[1] == local) | (corner[2] == local);
    }
    return count;
}

/* A pair that is likely to be the nearest of two patches: from vertices near each other, the
 * triangle around the first that is nearest to the second, and what is nearest to it around the
 * second.
 */
static inline void try_fans(grazei_distance_question *question, const patch_side sides[2],
                            const float *const points[2], graze_stats *stats)
{
    uint16_t fans[2][FAN], pairs[FAN];
    float triangles[FAN][3][4] __attribute__((aligned(64)));
    grazei_corners rows[2][FAN];
    float point[3][4] __attribute__((aligned(16)));
    double squares[FAN];
    size_t count = find_fan(&sides[0], points[0], fans[0]), best = 0;
    if (count == 0)
        return;
    for (int c = 0; c < 3; c++)
        f4_store(point[c], f4_load(points[1]));
    for (size_t i = 0; i < count; i++) {
        grazei_load_triangle(sides[0].body, sides[0].patch, fans[0][i], triangles[i]);
        rows[0][i] = (grazei_corners)triangles[i];
        rows[1][i] = (grazei_corners)point;
    }
    GRAZEI_ISA(narrow_distance_kernels).distance_squares(rows[0], rows[1], count, squares);
    for (size_t i = 1; i < count; i++)
        best = squares[i] < squares[best] ? i : best;
    stats->triangle_tests += count;
    count = find_fan(&sides[1], points[1], fans[1]);
    for (size_t i = 0; i < count; i++)
        pairs[i] = grazei_pair(fans[0][best], fans[1][i]);
    stats->triangle_tests += count;
    take_pairs(question, sides, pairs, count, NULL, 0);
}

/* For the nearest pair, candidates are fewer behind planes across the line of the nearest pair so
 * far, as its neighbours lie behind the same ones.
 */
static inline size_t find_fewer_pairs(grazei_distance_question *question, const patch_side sides[2],
                                      const near_vertices *near, uint16_t *pairs,
                                      graze_stats *stats)
{
    slab s;
    try_fans(question, sides, near->points, stats);
    if (!question->found)
        return find_near_pairs(sides, &near->slab, question->limit, pairs);
    grazei_distance_find_points(question);
    make_slab(sides, question->points[0], question->points[1], &s);
    return s.gap > question->limit ? 0 : find_near_pairs(sides, &s, question->limit, pairs);
}

/* Patches whose boxes overlap: the pairs that meet. For all questions but that for all pairs within
 * a distance above 0, they are all that counts if there are any.
 */
static inline void take_hits(grazei_distance_question *question, const patch_side sides[2],
                             const uint16_t *hits, size_t count)
{
    for (size_t i = 0; i < count && !is_settled(question); i++) {
        float a[3][4] __attribute__((aligned(16))), b[3][4] __attribute__((aligned(16)));
        load_pair(sides, hits[i], a, b);
        take_pair(question, sides, hits[i], 0, a[0], b[0]);
    }
}

/* Both patches are posed. overlap: their exact boxes do. */
static inline void compare_patches(grazei_distance_question *question, const patch_side sides[2],
                                   bool overlap, const near_vertices *near, graze_stats *stats)
{
    uint16_t pairs[GRAZEI_SET_CANDIDATES], hits[GRAZEI_SET_CANDIDATES];
    size_t hit_count = overlap ? find_hits(sides, hits, stats) : 0;
    if (!(question->limit > 0) || (hit_count && question->kind != GRAZEI_WITHIN)) {
        take_hits(question, sides, hits, hit_count);
        return;
    }
    size_t count = find_near_pairs(sides, &near->slab, question->limit, pairs);
    if (question->kind == GRAZEI_NEAREST && count > MANY)
        count = find_fewer_pairs(question, sides, near, pairs, stats);
    stats->triangle_tests += count;
    take_pairs(question, sides, pairs, count, hits, hit_count);
}

#endif
