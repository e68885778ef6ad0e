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
#include "narrow/rough_kernels.h"
#include "narrow/triangle.h"
#include "query/batch_kernels.h"
#include "query/distance.h"
#include "query/distance_bounds.h"
#include "query/distance_diagonals.h"
#include "query/distance_frame.h"
#include "query/distance_ties.h"
#include "query/set_pairs.h"

#define SLAB_MARGIN 0x1p-18f

/* So many times a slab is turned, where it may become wider by more than a little. */
#define SLAB_STEPS 2
#define LITTLE 1.03f

/* So many pairs of triangles pass through the lanes at a time, in double and in float. */
#define DISTANCE_BLOCK 32
#define ROUGH_BLOCK 128
#define FIRST_BLOCK 16 /* where the first one may be enough */

/* Of the triangles around a vertex so many are looked at. */
#define FAN 16

/* More candidates than this are looked at in float first ... */
#define SOME 8

/* ... and with more than this it is worth looking for a nearer pair before. */
#define MANY 48

/* After so many times it is expected: then the nearer pair is left out, faces part most of them. */
#define CROWDED 64

_Static_assert(GRAZEI_MAX_POINTS >= GRAZEI_MAX_PATCH_VERTICES, "patches have too many vertices");

/* One side of a pair of posed patches. */
typedef struct patch_side {
    graze_body *body;
    grazei_posed_patch patch;
    const grazei_bound *box; /* exact */
    grazei_points *points;   /* the patch's, for lanes; loaded where the limit is above 0 */
} patch_side;

static inline bool is_settled(const grazei_distance_question *question)
{
    return question->outbox.stopped || (question->kind == GRAZEI_CLOSER && question->found);
}

/* ---- planes ------------------------------------------------------------------------------- */

/* How far each vertex of one patch reaches along a direction, and of the other one back. */
typedef struct slab {
    float gap;    /* the patches are at least so far apart; may be negative */
    float extent; /* the longest side of their boxes */
    float margin;
    float around; /* the longest side of the box around both */
    float most[2];
    uint32_t farthest[2]; /* the points that reach so far */
    float along[3];       /* the direction, a little shorter than 1, or 0 */
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
        points[step & 1] = side->patch.points[nearest];
        for (int k = 0; k < 3; k++)
            least[k] = greatest[k] = points[step & 1][k];
    }
}

static inline float longest_side(const grazei_bound *box)
{
    return f4_max3(grazei_bound_first(box) + grazei_bound_second(box));
}

static inline void make_slab(const patch_side sides[2], const double way[3], slab *out)
{
    float directions[2][3];
    double distance = sqrt(grazei_dot(way, way)), per_distance = distance > 0 ? 1 / distance : 0;
    f4 extent = f4_max(grazei_bound_first(sides[0].box), grazei_bound_first(sides[1].box)) +
                f4_max(grazei_bound_second(sides[0].box), grazei_bound_second(sides[1].box));
    for (int k = 0; k < 3; k++) {
        directions[0][k] = (float)(way[k] * per_distance) * GRAZEI_SHORTER;
        directions[1][k] = -directions[0][k];
    }
    memcpy(out->along, directions[0], sizeof out->along);
    for (int side = 0; side < 2; side++) {
        out->farthest[side] = GRAZEI_ISA(narrow_distance_kernels)
                                  .reaches(sides[side].points, sides[0].patch.points[0],
                                           directions[side], out->reach[side]);
        out->most[side] = out->reach[side][out->farthest[side]];
    }
    out->extent = f1_max(longest_side(sides[0].box), longest_side(sides[1].box));
    out->around = f4_max3(extent);
    out->margin = SLAB_MARGIN * out->around + FLT_MIN;
    out->gap = -(out->most[0] + out->most[1]) - out->margin;
}

static inline void find_way(const float from[3], const float to[3], double way[3])
{
    for (int k = 0; k < 3; k++)
        way[k] = (double)to[k] - (double)from[k];
}

/* What two posed patches tell before their triangles are looked at. */
typedef struct near_vertices {
    const float *points[2];
    slab slab; /* the widest of those that were tried */
} near_vertices;

/* Whether planes across another way may part two patches, or part them better by more than a
 * little: the way is between two of their points, so none are farther apart than it is long.
 */
static inline bool can_widen(const double way[3], float gap, float limit)
{
    double square = grazei_dot(way, way), most = (double)(gap > 0 ? LITTLE * gap : 0);
    return gap <= limit && (square > (double)limit * (double)limit || square > most * most);
}

/* Parts two patches by planes across the way between two of their vertices. Where that is not
 * enough, the points that reach farthest say how to turn the way: to the nearest point, from the
 * origin, between it and theirs (Gilbert, "An iterative procedure for computing the minimum of a
 * quadratic form on a convex set", 1966). Returns the widest gap; the slab is there if that is
 * within the limit. Not inlined: what is tried need not stay on the stack.
 */
static __attribute__((noinline)) float find_slab(const patch_side sides[2], float limit, int steps,
                                                 near_vertices *near)
{
    double way[3], other[3];
    slab spare, *widest = &near->slab, *next = &spare;
    find_way(near->points[0], near->points[1], way);
    make_slab(sides, way, widest);
    for (int step = 0; step < steps && can_widen(way, widest->gap, limit); step++) {
        const uint32_t *farthest = widest->farthest;
        find_way(sides[0].patch.points[farthest[0]], sides[1].patch.points[farthest[1]], other);
        double turn[3] = {other[0] - way[0], other[1] - way[1], other[2] - way[2]};
        double share = -grazei_dot(way, turn) / grazei_dot(turn, turn);
        if (!(share > 0))
            break;
        for (int k = 0; k < 3; k++)
            way[k] += turn[k] * (share < 1 ? share : 1);
        make_slab(sides, way, next);
        if (!(next->gap > widest->gap))
            break;
        slab *narrower = widest;
        widest = next;
        next = narrower;
    }
    float gap = widest->gap;
    if (widest == &spare && gap <= limit)
        near->slab = spare;
    return gap;
}

/* ---- triangles ---------------------------------------------------------------------------- */

/* Triangles of two patches that may count, those of the first a chunk at a time. */
typedef struct near_search {
    const patch_side *sides;
    const slab *slab;
    float limit, width;
    const grazei_distance_question *question;
    bool turned;   /* boxes are those of turned points */
    uint32_t next; /* triangle of the first patch */
    uint32_t
        only[2]; /* triangle that stands for all of a patch that is a point; UINT32_MAX: none */
    grazei_near_set sets[2];
} near_search;

/* Turns the points of both patches into a frame that has the slab's direction as its first axis:
 * boxes in it are apart where those along the axes of space are not. Axes are a little shorter than
 * 1, so that no length grows; places are off as reaches are, which is part of the width.
 */
static __attribute__((noinline)) void turn_points(patch_side sides[2], const slab *s)
{
    double axes[3][3] = {{(double)s->along[0], (double)s->along[1], (double)s->along[2]}};
    bool turned = grazei_complete_axes(axes);
    for (int side = 0; side < 2; side++) {
        grazei_points *points = sides[side].points, found;
        for (int k = 0; k < 3; k++) {
            float axis[3] = {k == 0, k == 1, k == 2};
            for (int i = 0; i < 3 && turned; i++)
                axis[i] = (float)axes[k][i] * GRAZEI_SHORTER;
            GRAZEI_ISA(narrow_distance_kernels)
                .reaches(points, sides[0].patch.points[0], axis, found.at[k]);
        }
        for (int k = 0; k < 3; k++)
            memcpy(points->at[k], found.at[k], points->count * sizeof **points->at);
    }
}

static inline void load_points(patch_side *side)
{
    GRAZEI_ISA(narrow_distance_kernels)
        .load_points(side->patch.points, side->patch.point_count, side->points);
}

/* Whether the limit, rounded to float, is coarse beside the patches. */
static inline bool is_coarse(const near_search *search)
{
    return search->limit > 256 * search->slab->extent;
}

static inline void find_turned_box(const grazei_points *points, const uint8_t corner[4], f4 *low,
                                   f4 *high)
{
    for (int k = 0; k < 3; k++) {
        const float *at = points->at[k];
        float x = at[corner[0]], y = at[corner[1]], z = at[corner[2]];
        (*low)[k] = f1_min(x, f1_min(y, z));
        (*high)[k] = f1_max(x, f1_max(y, z));
    }
}

/* The triangles from *next on that reach so far, and have boxes so near to the other patch's box,
 * that they may count: up to `room` of them.
 */
static inline void find_near(near_search *search, int which, uint32_t *next, size_t room)
{
    const grazei_posed_patch *patch = &search->sides[which].patch;
    const grazei_bound *other = search->sides[!which].box;
    const float *reach = search->slab->reach[which];
    bool coarse = is_coarse(search);
    float least = -search->width - search->slab->most[!which];
    float most = grazei_most_square(search->limit);
    grazei_near_set *out = &search->sets[which];
    size_t count = 0;
    uint32_t t = *next, only = search->only[which];
    for (; t < patch->triangle_count && count < room; t++) {
        if (only < patch->triangle_count && t != only)
            continue;
        const uint8_t *corner = patch->corners[t];
        float far = f1_max(f1_max(reach[corner[0]], reach[corner[1]]), reach[corner[2]]);
        if (!(far >= least))
            continue;
        grazei_bound box;
        f4 p = f4_load(patch->points[corner[0]]), q = f4_load(patch->points[corner[1]]);
        f4 r = f4_load(patch->points[corner[2]]);
        f4 low = f4_min(p, f4_min(q, r)), high = f4_max(p, f4_max(q, r));
        grazei_bound_set_box(&box, low, high);
        if (grazei_box_gap_square(&box, other) > most ||
            (coarse && !grazei_may_count(search->question, grazei_bound_square(&box, other),
                                         which ? 0 : patch->names[t], 0)))
            continue;
        if (search->turned)
            find_turned_box(search->sides[which].points, corner, &low, &high);
        for (int k = 0; k < 3; k++) {
            out->boxes[k][count] = low[k];
            out->boxes[k + 3][count] = high[k];
        }
        out->far[count] = far;
        out->numbers[count++] = (uint16_t)t;
    }
    out->count = count;
    *next = t;
}

/* Starts from triangle `first` of the first patch; false if there is none of the second. */
static inline bool start_near(near_search *search, patch_side sides[2], const slab *s,
                              const grazei_distance_question *question, uint32_t first, bool turned)
{
    uint32_t all = 0;
    float limit = question->limit;
    if (turned)
        turn_points(sides, s);
    search->turned = turned;
    search->sides = sides;
    search->slab = s;
    search->limit = limit;
    search->question = question;
    search->width = limit + (s->margin + SLAB_MARGIN * limit);
    search->next = first;
    for (int i = 0; i < 2; i++)
        search->only[i] = question->kind != GRAZEI_NEAREST || !grazei_is_point(&sides[i].patch)
                              ? UINT32_MAX
                              : grazei_find_least(&sides[i].patch);
    find_near(search, 1, &all, GRAZEI_SET_TRIANGLES);
    return search->sets[1].count > 0;
}

/* Candidates of the next chunk. */
static inline size_t next_near(near_search *search, uint16_t pairs[GRAZEI_CHUNK_PAIRS])
{
    find_near(search, 0, &search->next, grazei_chunk(GRAZEI_SET_TRIANGLES, search->sets[1].count));
    if (search->sets[0].count == 0)
        return 0;
    return GRAZEI_ISA(narrow_distance_kernels)
        .near_pairs(&search->sets[0], &search->sets[1], search->width, search->width, pairs);
}

static inline void load_pair(const patch_side sides[2], uint16_t pair, float a[3][4], float b[3][4])
{
    grazei_patch_triangle(&sides[0].patch, grazei_pair_first(pair), a);
    grazei_patch_triangle(&sides[1].patch, grazei_pair_second(pair), b);
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
    graze_pair names = {sides[0].patch.names[grazei_pair_first(pair)],
                        sides[1].patch.names[grazei_pair_second(pair)]};
    grazei_distance_take(question, square, names, a, b, 4);
}

/* Which triangles of the second patch meet each of the first, as bits. */
typedef struct meeting {
    bool any;
    uint64_t bits[GRAZEI_SET_TRIANGLES][2];
} meeting;

static inline bool is_in(const meeting *m, uint16_t pair)
{
    uint32_t second = grazei_pair_second(pair);
    return m->any && (m->bits[grazei_pair_first(pair)][second >> 6] >> (second & 63) & 1);
}

/* Takes over pairs that meet, and notes them. */
static inline void take_hits(grazei_distance_question *question, const patch_side sides[2],
                             const uint16_t *hits, size_t count, meeting *m)
{
    if (count && !m->any)
        memset(m->bits, 0, sizeof m->bits);
    for (size_t i = 0; i < count && !is_settled(question); i++) {
        float a[3][4] __attribute__((aligned(16))), b[3][4] __attribute__((aligned(16)));
        uint32_t second = grazei_pair_second(hits[i]);
        load_pair(sides, hits[i], a, b);
        take_pair(question, sides, hits[i], 0, a[0], b[0]);
        m->bits[grazei_pair_first(hits[i])][second >> 6] |= 1ull << (second & 63);
        m->any = true;
    }
}

/* Once a pair that meets is known, of the others those alone whose numbers come first. */
static inline size_t keep_before(const grazei_distance_question *question,
                                 const patch_side sides[2], uint16_t *pairs, size_t count)
{
    size_t kept = 0;
    if (question->kind != GRAZEI_NEAREST || !question->found || question->square > 0)
        return count;
    for (size_t i = 0; i < count; i++) {
        pairs[kept] = pairs[i];
        kept += grazei_may_count(question, 0, sides[0].patch.names[grazei_pair_first(pairs[i])],
                                 sides[1].patch.names[grazei_pair_second(pairs[i])]);
    }
    return kept;
}

/* Patches whose boxes overlap: the pairs that meet, in lanes. */
static __attribute__((noinline)) void find_hits(grazei_distance_question *question,
                                                const patch_side sides[2], meeting *m,
                                                graze_stats *stats)
{
    uint16_t near_a[GRAZEI_SET_NUMBERS], near_b[GRAZEI_SET_NUMBERS], hits[GRAZEI_CHUNK_PAIRS];
    grazei_triangle_set a = grazei_body_set(sides[0].body, &sides[0].patch);
    grazei_triangle_set b = grazei_body_set(sides[1].body, &sides[1].patch);
    size_t count_a = grazei_set_within(&a, sides[1].box, near_a), unsure = 0;
    size_t count_b = count_a ? grazei_set_within(&b, sides[0].box, near_b) : 0;
    for (size_t first = 0, rows; count_b && first < count_a && !is_settled(question);
         first += rows) {
        rows = grazei_chunk(count_a - first, count_b);
        size_t count = GRAZEI_ISA(triangle_kernels)
                           .box_pairs(&a, near_a + first, rows, &b, near_b, count_b, hits);
        count = keep_before(question, sides, hits, count);
        stats->triangle_tests += count;
        count = GRAZEI_ISA(triangle_kernels).triangle_pairs(&a, &b, hits, count, hits, &unsure);
        take_hits(question, sides, hits, count, m);
    }
}

/* The same for small patches, one by one. */
static inline void find_hits_singly(grazei_distance_question *question, const patch_side sides[2],
                                    meeting *m, graze_stats *stats)
{
    for (uint32_t i = 0; i < sides[0].patch.triangle_count; i++)
        for (uint32_t k = 0; k < sides[1].patch.triangle_count && !is_settled(question); k++) {
            uint16_t pair = grazei_pair(i, k);
            if (pair_meets(sides, pair, stats))
                take_hits(question, sides, &pair, 1, m);
        }
}

static inline void find_box(const float (*corners)[4], grazei_bound *box)
{
    f4 p = f4_load(corners[0]), q = f4_load(corners[1]), r = f4_load(corners[2]);
    grazei_bound_set_box(box, f4_min(p, f4_min(q, r)), f4_max(p, f4_max(q, r)));
}

/* Whether a pair may count, by the boxes of its triangles. */
static inline bool pair_may_count(const grazei_distance_question *question,
                                  const patch_side sides[2], uint16_t pair, const float (*a)[4],
                                  const float (*b)[4])
{
    grazei_bound boxes[2];
    find_box(a, &boxes[0]);
    find_box(b, &boxes[1]);
    return grazei_may_count(question, grazei_bound_square(&boxes[0], &boxes[1]),
                            sides[0].patch.names[grazei_pair_first(pair)],
                            sides[1].patch.names[grazei_pair_second(pair)]);
}

/* Distances of the pairs, but for those that meet. Where there are many, many may be equally near:
 * then those are left out that can no longer count.
 */
static inline void take_pairs(grazei_distance_question *question, const patch_side sides[2],
                              const uint16_t *pairs, size_t count, const meeting *m)
{
    float corners[2][DISTANCE_BLOCK][3][4] __attribute__((aligned(64)));
    grazei_corners rows[2][DISTANCE_BLOCK];
    uint16_t taken[DISTANCE_BLOCK];
    double squares[DISTANCE_BLOCK];
    bool many = question->kind == GRAZEI_NEAREST && count > DISTANCE_BLOCK;
    size_t block = question->kind == GRAZEI_CLOSER ? FIRST_BLOCK : DISTANCE_BLOCK;
    for (size_t next = 0; next < count && !is_settled(question);) {
        size_t size = 0;
        for (; next < count && size < block; next++) {
            rows[0][size] = (grazei_corners)corners[0][size];
            rows[1][size] = (grazei_corners)corners[1][size];
            taken[size] = pairs[next];
            load_pair(sides, pairs[next], corners[0][size], corners[1][size]);
            size +=
                !many || pair_may_count(question, sides, pairs[next], rows[0][size], rows[1][size]);
        }
        if (size)
            GRAZEI_ISA(narrow_distance_kernels).distance_squares(rows[0], rows[1], size, squares);
        for (size_t i = 0; i < size && !is_settled(question); i++)
            if (!is_in(m, taken[i]))
                take_pair(question, sides, taken[i], squares[i], corners[0][i][0],
                          corners[1][i][0]);
    }
}

/* The triangles around a vertex, up to `room` of them, which is at most FAN. */
static inline size_t find_fan(const patch_side *side, const float *vertex, uint16_t numbers[FAN],
                              size_t room)
{
    uint8_t local = (uint8_t)((vertex - side->patch.points[0]) / 4);
    size_t count = 0;
    for (uint32_t t = 0; t < side->patch.triangle_count && count < room; t++) {
        const uint8_t *corner = side->patch.corners[t];
        numbers[count] = (uint16_t)t;
        count += (corner[0] == local) | (corner[1] == local) | (corner[2] == local);
    }
    return count;
}

typedef struct fan_triangles {
    float corners[FAN][3][4] __attribute__((aligned(64)));
} fan_triangles;

/* The place in a fan of the triangle nearest to another one, which may be a point; and all squares.
 */
static inline size_t nearest_in_fan(const patch_side *side, const uint16_t *fan, size_t count,
                                    grazei_corners to, fan_triangles *triangles, double *squares)
{
    grazei_corners rows[2][FAN];
    size_t best = 0;
    for (size_t i = 0; i < count; i++) {
        grazei_patch_triangle(&side->patch, fan[i], triangles->corners[i]);
        rows[0][i] = (grazei_corners)triangles->corners[i];
        rows[1][i] = to;
    }
    GRAZEI_ISA(narrow_distance_kernels).distance_squares(rows[0], rows[1], count, squares);
    for (size_t i = 1; i < count; i++)
        best = squares[i] < squares[best] ? i : best;
    return best;
}

static inline void find_nearest_points(grazei_corners a, grazei_corners b, float points[2][3])
{
    float corners[2][3][3];
    for (int c = 0; c < 3; c++) {
        memcpy(corners[0][c], a[c], sizeof corners[0][c]);
        memcpy(corners[1][c], b[c], sizeof corners[1][c]);
    }
    grazei_triangle_nearest_points((const float(*)[3])corners[0], (const float(*)[3])corners[1],
                                   points);
}

/* A pair that is likely to be the nearest of two patches, and where it is so: from vertices near
 * each other, the triangle around the first that is nearest to the second, and what is nearest to
 * it around the second. False: there is none.
 */
static inline bool try_fans(grazei_distance_question *question, const patch_side sides[2],
                            const float *const vertices[2], float points[2][3], graze_stats *stats)
{
    uint16_t fans[2][FAN], pairs[FAN];
    float point[3][4] __attribute__((aligned(16)));
    double squares[FAN];
    fan_triangles triangles[2];
    size_t counts[2] = {find_fan(&sides[0], vertices[0], fans[0], FAN),
                        find_fan(&sides[1], vertices[1], fans[1], FAN)};
    if (counts[0] == 0 || counts[1] == 0)
        return false;
    stats->triangle_tests += counts[0] + counts[1];
    for (int c = 0; c < 3; c++)
        f4_store(point[c], f4_load(vertices[1]));
    size_t first = nearest_in_fan(&sides[0], fans[0], counts[0], (grazei_corners)point,
                                  &triangles[0], squares);
    const float(*nearest)[4] = (grazei_corners)triangles[0].corners[first];
    size_t second = nearest_in_fan(&sides[1], fans[1], counts[1], nearest, &triangles[1], squares);
    for (size_t i = 0; i < counts[1]; i++) {
        pairs[i] = grazei_pair(fans[0][first], fans[1][i]);
        take_pair(question, sides, pairs[i], squares[i], nearest[0], triangles[1].corners[i][0]);
    }
    find_nearest_points(nearest, (grazei_corners)triangles[1].corners[second], points);
    return true;
}

/* Where surfaces lie side by side the way between them is along their normals: makes a slab of that
 * at a vertex, and uses it if it parts the patches better than the one there is.
 */
static inline const slab *try_normal(const patch_side sides[2], const float *const vertices[2],
                                     const slab *there, slab *s)
{
    uint16_t fan[FAN];
    size_t count = find_fan(&sides[0], vertices[0], fan, FAN);
    f4 sum = f4_zero();
    double to[3];
    for (size_t i = 0; i < count; i++) {
        const uint8_t *corner = sides[0].patch.corners[fan[i]];
        f4 p = f4_load(sides[0].patch.points[corner[0]]);
        f4 e = f4_load(sides[0].patch.points[corner[1]]) - p;
        f4 f = f4_load(sides[0].patch.points[corner[2]]) - p;
        sum += e * grazei_yzx(f) - grazei_yzx(e) * f; /* z x y of the product */
    }
    sum = grazei_yzx(sum);
    f4 way = (f4_load(vertices[1]) - f4_load(vertices[0])) * sum;
    float turn = way[0] + way[1] + way[2] < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        to[k] = (double)(turn * sum[k]);
    make_slab(sides, to, s);
    return s->gap > there->gap ? s : there;
}

/* Many candidates for the nearest pair: they are fewer once a near one is known, behind planes
 * across its line, as its neighbours lie behind the same ones. False: there are none.
 */
static inline bool search_again(grazei_distance_question *question, near_search *search,
                                patch_side sides[2], const float *const points[2], slab *s,
                                uint32_t first, graze_stats *stats)
{
    const slab *used = search->slab;
    float nearest[2][3];
    load_points(&sides[0]);
    load_points(&sides[1]);
    if (question->crowded) {
        used = try_normal(sides, points, used, s);
        if (used->gap > question->limit)
            return false;
    } else if (try_fans(question, sides, points, nearest, stats)) {
        double way[3];
        find_way(nearest[0], nearest[1], way);
        make_slab(sides, way, s);
        if (s->gap > question->limit)
            return false;
        used = s;
    }
    return start_near(search, sides, used, question, first, true);
}

/* Leaves out pairs that are too far apart: where there are many by the planes of their faces, then
 * by their distances in float, the least of which lowers the limit first. Returns how many are
 * left.
 */
static __attribute__((noinline)) size_t keep_near(grazei_distance_question *question,
                                                  const patch_side sides[2], float reach,
                                                  uint16_t *pairs, size_t count)
{
    float squares[ROUGH_BLOCK + 16], least = INFINITY, error = GRAZEI_ROUGH_ERROR * reach;
    size_t kept = 0;
    if (question->crowded)
        count = GRAZEI_ISA(rough_kernels)
                    .keep_by_faces(&sides[0].patch, &sides[1].patch, pairs, count, question->limit);
    if (count == 0)
        return 0;
    GRAZEI_ISA(rough_kernels)
        .rough_squares(&sides[0].patch, &sides[1].patch, pairs, count, squares);
    for (size_t i = 0; i < count; i++)
        least = f1_min(least, squares[i]);
    grazei_distance_lower(question, sqrt((double)least) + (double)error);
    float most = (question->limit + error) * GRAZEI_LONGER;
    most = most * most * GRAZEI_LONGER;
    for (size_t i = 0; i < count; i++) {
        pairs[kept] = pairs[i];
        kept += !(squares[i] > most);
    }
    return kept;
}

/* The same for any number of pairs, where they are of a size that float can bear. */
static inline size_t keep_all_near(grazei_distance_question *question, const patch_side sides[2],
                                   float reach, uint16_t *pairs, size_t count)
{
    size_t kept = 0;
    if (!(reach >= GRAZEI_ROUGH_LEAST && reach <= GRAZEI_ROUGH_MOST))
        return count;
    for (size_t i = 0; i < count; i += ROUGH_BLOCK) {
        size_t size = count - i < ROUGH_BLOCK ? count - i : ROUGH_BLOCK;
        memmove(pairs + kept, pairs + i, size * sizeof *pairs);
        kept += keep_near(question, sides, reach, pairs + kept, size);
    }
    return kept;
}

/* Pairs that do not meet, but may be near enough. */
static __attribute__((noinline)) void compare_near(grazei_distance_question *question,
                                                   patch_side sides[2], const near_vertices *near,
                                                   const meeting *m, graze_stats *stats)
{
    uint16_t pairs[GRAZEI_CHUNK_PAIRS];
    near_search search;
    slab across;
    bool nearest = question->kind == GRAZEI_NEAREST, again = nearest && !question->crowded, going;
    search.slab = &near->slab;
    if (question->crowded)
        going = search_again(question, &search, sides, near->points, &across, 0, stats);
    else
        going = start_near(&search, sides, &near->slab, question, 0, false);
    while (going && search.next < sides[0].patch.triangle_count && !is_settled(question)) {
        uint32_t first = search.next;
        size_t count = next_near(&search, pairs);
        if (again && count > MANY) {
            again = false;
            question->crowded = ++question->again > CROWDED;
            going = search_again(question, &search, sides, near->points, &across, first, stats);
            continue;
        }
        stats->triangle_tests += count;
        if (nearest && count > SOME && !is_coarse(&search))
            count = keep_all_near(question, sides, near->slab.around, pairs, count);
        take_pairs(question, sides, pairs, count, m);
    }
}

/* Both patches are posed. overlap: their exact boxes do. For all questions but that for all pairs
 * within a distance above 0, pairs that meet are all that counts if there are any.
 */
static inline void compare_patches(grazei_distance_question *question, patch_side sides[2],
                                   bool overlap, const near_vertices *near, graze_stats *stats)
{
    meeting m;
    m.any = false;
    if (overlap) {
        if (grazei_body_suits_lanes(sides[0].body) && grazei_body_suits_lanes(sides[1].body))
            find_hits(question, sides, &m, stats);
        else
            find_hits_singly(question, sides, &m, stats);
    }
    if (question->limit > 0 && !(m.any && question->kind != GRAZEI_WITHIN))
        compare_near(question, sides, near, &m, stats);
}

#endif
