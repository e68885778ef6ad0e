/* Two posed patches: which of their triangles are near enough to count, and how near? */
#ifndef GRAZEI_DISTANCE_PATCHES_CHAPTER_H
#define GRAZEI_DISTANCE_PATCHES_CHAPTER_H

#include "distance/diagonals_chapter.h"
#include "distance/pairs_chapter.h"
#include "narrow/rough_kernels.h"

/* So many pairs of triangles pass through the lanes at a time, in float. */
#define ROUGH_BLOCK 128

/* Of the triangles around a vertex so many are looked at. */
#define FAN 16

/* More candidates than this are looked at in float first, of patches that are farther apart than
 * wide more: most of those are around the same two vertices then, equally near ...
 */
#define SOME 8
#define SOME_FROM_AFAR 48

/* ... and with more than this it is worth looking for a nearer pair before. */
#define MANY 48

/* ... or at once, where more pairs of vertices than this are within the limit along a slab. */
#define WIDE 80

/* After so many times it is expected: then the nearer pair is left out, faces part most of them. */
#define CROWDED 64

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

static inline void find_nearest_points(grazei_corners a, grazei_corners b, float nearest[2][3])
{
    float corners[2][3][3];
    for (int c = 0; c < 3; c++) {
        memcpy(corners[0][c], a[c], sizeof corners[0][c]);
        memcpy(corners[1][c], b[c], sizeof corners[1][c]);
    }
    grazei_triangle_nearest_points((const float(*)[3])corners[0], (const float(*)[3])corners[1],
                                   nearest);
}

/* A pair that is likely to be the nearest of two patches, and where it is so: from vertices near
 * each other, the triangle around the first that is nearest to the second, and what is nearest to
 * it around the second. False: there is none.
 */
static inline bool try_fans(grazei_distance_question *question, const patch_side sides[2],
                            const float *const vertices[2], float where[2][3], graze_stats *stats)
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
    find_nearest_points(nearest, (grazei_corners)triangles[1].corners[second], where);
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
                                patch_side sides[2], const float *const vertices[2], slab *s,
                                uint32_t first, graze_stats *stats)
{
    const slab *used = search->slab;
    float nearest[2][3];
    if (question->crowded) {
        used = try_normal(sides, vertices, used, s);
        if (used->gap > question->limit)
            return false;
    } else if (try_fans(question, sides, vertices, nearest, stats)) {
        double way[3];
        find_way(nearest[0], nearest[1], way);
        make_slab(sides, way, s);
        if (s->gap > question->limit)
            return false;
        used = s;
    }
    return start_near(search, sides, used, question, first, true);
}

/* Leaves out pairs that are too far apart by their distances in float, the least of which lowers
 * the limit first. Returns how many are left.
 */
static __attribute__((noinline)) size_t keep_near(grazei_distance_question *question,
                                                  const patch_side sides[2], float reach,
                                                  uint16_t *pairs, size_t count)
{
    float squares[ROUGH_BLOCK + 16], least = INFINITY, error = GRAZEI_ROUGH_ERROR * reach;
    size_t kept = 0;
    GRAZEI_ISA(rough_kernels)
        .rough_squares(&sides[0].patch, &sides[1].patch, pairs, count, squares);
    for (size_t i = 0; i < count; i++)
        least = f1_min(least, squares[i]);
    grazei_distance_lower(question, sqrt((double)least) + (double)error);
    float most = (question->limit + error) * GRAZEI_LONGER;
    most = most * most * GRAZEI_LONGER;
    for (size_t i = 0; i < count; i++) {
        pairs[kept] = pairs[i];
        kept += squares[i] > most ? 0 : 1;
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

/* Whether many pairs of vertices are within the limit along the slab: then there are many
 * candidates among the triangles, too, and it is not worth listing them first.
 */
static inline bool is_wide(const patch_side sides[2], const slab *s, float limit)
{
    uint32_t counts[2] = {0, 0};
    float width = limit + (s->margin + SLAB_MARGIN * limit);
    for (int side = 0; side < 2; side++) {
        float least = -width - s->most[!side];
        for (uint32_t i = 0; i < sides[side].patch.point_count; i++)
            counts[side] += s->reach[side][i] >= least;
    }
    return counts[0] * counts[1] > WIDE;
}

/* ---- around two vertices -------------------------------------------------------------------- */

#if !defined(__OPTIMIZE_SIZE__)

/* From afar most of what is left are triangles around the same two vertices p and q, that lie
 * behind them: with w = q - p, both edges e of a's triangle that leave p have e . w < 0, and both
 * edges f that leave q have f . w > 0. Of any points p + sum s e and q + sum t f of the two the
 * square of the distance is at least |w|^2 + 2 (sum t f . w - sum s e . w), so p and q are the
 * nearest. narrow/distance_wide.h finds (x x + y y) + z z of w for all such pairs, bit for bit:
 *
 * - Differences of corners are exact in double, as no coordinate other than 0 is below 2^-28 of the
 *   largest: all are multiples of 2^-52 of that. So wherever edges are cut to p and q, at either
 *   end, w itself comes out. They are, as -e . w is more than 2^-10 |e| |w|, and |w| > 4 |e|.
 * - Two edges, or a face and the other vertex, have their nearest points where the gradient
 *   vanishes: outside, by -e . w / |e|^2 of an edge at least, which is more than 2^-8.
 * - Where p or q is left out, the square is larger by 2 |e . w|, more than 2^-40 |w|^2; computed
 *   ones are off by less than 2^-45.
 * - Boxes around triangles are not farther apart, and their squares are rounded the same way.
 *
 * The products below are off by 4 u |e| |w|, u = 2^-24, which is less than 2^-20 of it.
 */
#define BEHIND 0x1p-8f

/* What tells which triangles around a vertex lie behind it. */
typedef struct way_around {
    f4 way;      /* to the other vertex */
    f4 smallest; /* coordinate but 0 */
    float size, least;
} way_around;

static inline way_around look_around(const patch_side sides[2], const float *const vertices[2])
{
    f4 way = f4_load(vertices[1]) - f4_load(vertices[0]), most = f4_zero();
    for (int i = 0; i < 2; i++)
        most = f4_max(most, f4_max(f4_abs(grazei_bound_first(sides[i].box)),
                                   f4_abs(grazei_bound_second(sides[i].box))));
    return (way_around){.way = way,
                        .smallest = f4_all(f4_max3(most) * 0x1p-28f),
                        .size = f4_max3(f4_abs(way)) * BEHIND,
                        .least = f4_dot3(way, way) * 0x1p-40f + FLT_MIN};
}

static inline bool is_behind(const grazei_posed_patch *patch, const uint8_t corner[4],
                             uint8_t vertex, const way_around *seen, f4 way)
{
    f4 from = f4_load(patch->points[vertex]);
    bool behind = corner[0] == vertex || corner[1] == vertex || corner[2] == vertex;
    for (int c = 0; c < 3 && behind; c++) {
        f4 point = f4_load(patch->points[corner[c]]), edge = point - from, size = f4_abs(point);
        float least = f1_max(f4_max3(f4_abs(edge)) * seen->size, seen->least);
        unsigned exact = f4_ge_bits(size, seen->smallest) | f4_ge_bits(f4_zero(), size);
        behind = (exact & 7) == 7 && (corner[c] == vertex || -f4_dot3(edge, way) > least);
    }
    return behind;
}

/* Takes, of all pairs of triangles that lie behind two vertices, the one whose numbers come first.
 * Returns how many others are left.
 */
static inline size_t take_around(grazei_distance_question *question, const near_search *search,
                                 const float *const vertices[2], uint16_t *pairs, size_t count)
{
    const patch_side *sides = search->sides;
    bool behind[2][GRAZEI_SET_TRIANGLES];
    way_around seen = look_around(sides, vertices);
    uint64_t first = UINT64_MAX;
    uint16_t taken = 0;
    size_t kept = 0;
    for (int side = 0; side < 2; side++) {
        const grazei_posed_patch *patch = &sides[side].patch;
        uint8_t vertex = (uint8_t)((vertices[side] - patch->points[0]) / 4);
        f4 way = side ? -seen.way : seen.way;
        for (size_t i = 0; i < search->sets[side].count; i++) {
            uint16_t number = search->sets[side].numbers[i];
            behind[side][number] = is_behind(patch, patch->corners[number], vertex, &seen, way);
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t a = grazei_pair_first(pairs[i]), b = grazei_pair_second(pairs[i]);
        uint64_t names = (uint64_t)sides[0].patch.names[a] << 32 | sides[1].patch.names[b];
        bool both = behind[0][a] && behind[1][b];
        taken = both && names < first ? pairs[i] : taken;
        first = both && names < first ? names : first;
        pairs[kept] = pairs[i];
        kept += !both;
    }
    if (kept < count) {
        float a[3][4] __attribute__((aligned(16))), b[3][4] __attribute__((aligned(16)));
        load_pair(sides, taken, a, b);
        take_pair(question, sides, taken, square_of_points(vertices[0], vertices[1]), a[0], b[0]);
    }
    return kept;
}

#endif

/* Which triangles of two patches are looked at: of a patch that is a point one stands for all. */
static inline void find_left(const grazei_distance_question *question, const patch_side sides[2],
                             const near_vertices *near, uint64_t left[2][2])
{
    for (int i = 0; i < 2; i++) {
        left[i][0] = near->faced ? near->left[i][0] : UINT64_MAX;
        left[i][1] = near->faced ? near->left[i][1] : UINT64_MAX;
        if (question->kind == GRAZEI_NEAREST && grazei_is_point(&sides[i].patch)) {
            uint32_t least = grazei_find_least(&sides[i].patch);
            left[i][0] = left[i][1] = 0;
            left[i][least / 64] = 1ull << (least % 64);
        }
    }
}

/* Pairs that do not meet, but may be near enough. */
static __attribute__((noinline)) void compare_near(grazei_distance_question *question,
                                                   patch_side sides[2], const near_vertices *near,
                                                   const meeting *m, graze_stats *stats)
{
    uint16_t pairs[GRAZEI_CHUNK_PAIRS];
    uint64_t left[2][2];
    near_search search;
    slab across;
    bool nearest = question->kind == GRAZEI_NEAREST, again = nearest && !question->crowded, going;
    bool from_afar = nearest && question->limit > 4 * near->slab.extent;
    size_t some = from_afar ? SOME_FROM_AFAR : SOME;
    search.slab = &near->slab;
    find_left(question, sides, near, left);
    search.left = (const uint64_t(*)[2])left;
    bool wide = again && is_wide(sides, &near->slab, question->limit);
    if (wide) {
        again = false;
        question->crowded = ++question->again > CROWDED;
    }
    if (wide || question->crowded)
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
#if !defined(__OPTIMIZE_SIZE__) /* counts are the same without */
        if (from_afar && !is_coarse(&search))
            count = take_around(question, &search, near->points, pairs, count);
#endif
        if (nearest && count > some && !is_coarse(&search))
            count = keep_all_near(question, sides, near->slab.around, pairs, count);
        take_pairs(question, sides, pairs, count, m);
    }
}

/* Where many are near, those are left out of which all of the other patch is beyond their planes.
 * False: none are left. What `most` has to be enlarged by is in the slack, which is 16 u of the
 * longest side of the box around both bodies.
 */
static __attribute__((noinline)) bool leave_by_faces(grazei_distance_question *question,
                                                     const patch_side sides[2], near_vertices *near)
{
    double most = (sqrt(question->square) + 4 * question->slack) * (1 + 0x1p-45);
    near->faced = question->found &&
                  grazei_patches_reach(&sides[0].patch, &sides[1].patch) >= GRAZEI_ROUGH_LEAST;
    for (uint32_t n = 0; n < 2 && near->faced; n++) {
        uint32_t side = question->faced ^ n;
        if (!GRAZEI_ISA(narrow_distance_kernels)
                 .not_beyond_faces(&sides[side].patch, &sides[!side].patch, most,
                                   near->left[side])) {
            question->faced = side;
            return false;
        }
    }
    return true;
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
