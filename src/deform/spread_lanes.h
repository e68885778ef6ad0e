/* How far blending takes vertices of a node with many pairs of joints, of the root first of all:
 * what blended.h finds four pairs at a time, in wider lanes and without quaternions. Included by
 * blended.h only.
 */
#ifndef GRAZEI_DEFORM_SPREAD_LANES_H
#define GRAZEI_DEFORM_SPREAD_LANES_H

#include "deform/skin.h"
#include "math/columns.h"
#include "math/rounding.h"

/* Pairs of joints one a lane: one joint's map less the other's. */
typedef struct pair_columns {
    column3 x, y, z, move;
    column ball[4];    /* of vertices that both move */
    column centres[4]; /* the ball of centres of sets that have both */
    column product;    /* of weights, the largest */
} pair_columns;

/* Two axes, side by side in memory, of as many maps. */
GRAZEI_INLINE void turn_axes(points off[GRAZEI_COLUMN][4 / GRAZEI_POINTS], int two, column3 *first,
                             column3 *second)
{
#if defined(__AVX__)
    column low[4], high[4];
    for (int k = 0; k < 4; k++) {
        low[k] = off[k][two];
        high[k] = off[k + 4][two];
    }
    column_transpose(low);
    column_transpose(high);
    *first = (column3){column_firsts(low[0], high[0]), column_firsts(low[1], high[1]),
                       column_firsts(low[2], high[2])};
    *second = (column3){column_lasts(low[0], high[0]), column_lasts(low[1], high[1]),
                        column_lasts(low[2], high[2])};
#else
    column x[4], y[4];
    for (int k = 0; k < 4; k++) {
        x[k] = off[k][2 * two];
        y[k] = off[k][2 * two + 1];
    }
    column_transpose(x);
    column_transpose(y);
    *first = (column3){x[0], x[1], x[2]};
    *second = (column3){y[0], y[1], y[2]};
#endif
}

/* The pairs from `rows` on, two rows each. */
GRAZEI_INLINE pair_columns load_pairs(const grazei_skin *skin, const f4_map *maps,
                                      const float (*rows)[4], bool centres)
{
    pair_columns pairs;
    points off[GRAZEI_COLUMN][4 / GRAZEI_POINTS];
    const float *balls[GRAZEI_COLUMN];
    column names[4];
    for (uint32_t k = 0; k < GRAZEI_COLUMN; k++) {
        const float *own = rows[2 * k + 1];
        const f4 *a = maps[f4_bits(own[0])].c, *b = maps[f4_bits(own[1])].c;
        for (uint32_t axis = 0; axis < 4; axis += GRAZEI_POINTS)
            off[k][axis / GRAZEI_POINTS] = points_load((const float(*)[4])(a + axis)) -
                                           points_load((const float(*)[4])(b + axis));
        balls[k] = skin->blend.pair_centre[f4_bits(own[3])];
    }
    turn_axes(off, 0, &pairs.x, &pairs.y);
    turn_axes(off, 1, &pairs.z, &pairs.move);
    column_load_spaced(rows[0], 8, GRAZEI_COLUMN, pairs.ball);
    column_load_spaced(rows[1], 8, GRAZEI_COLUMN, names);
    pairs.product = names[2];
    if (centres)
        column_load_rows(balls, 0, pairs.centres);
    return pairs;
}

/* At least how far apart they put a ball's points; turn: at least the norm of the difference. */
GRAZEI_INLINE column apart_at(const pair_columns *pairs, const column ball[4], column turn,
                              float error)
{
    column3 xy = column3_add(column3_scale(pairs->x, ball[0]), column3_scale(pairs->y, ball[1]));
    column3 rest = column3_add(column3_scale(pairs->z, ball[2]), pairs->move);
    column3 off = column3_add(xy, rest);
    return column_sqrt(column3_dot(off, off)) + ball[3] * turn + column_all(error);
}

/* The largest sine^2 of half the angle between two joints that is looked at here: by then the
 * square of the distance of their quaternions, 2 - 2 sqrt(1 - s), is 0.98, and is at most s + 0.45
 * s^2.
 */
#define MOST_SINE2 0.74f

/* What is found of all pairs: the largest of each, and sums. */
typedef struct pair_mosts {
    column sine2;  /* of half the angle between the two */
    column turned; /* the square of their quaternions' distance times the product of weights */
    column reach2; /* the square of how far apart they put a vertex */
    column placed; /* times the product */
    column apart;  /* how far apart they put the centre of a set */
    f4 turned_sum, placed_sum;
} pair_mosts;

/* In the order of four lanes, whatever the width. */
GRAZEI_INLINE f4 add_lanes(f4 sum, column a)
{
    sum = sum + points_first(a);
    return GRAZEI_POINTS > 1 ? sum + points_last(a) : sum;
}

/* The root of the sum of squares of the entries of R - R', which is root two of its norm; squared,
 * 8 sine^2. Both maps are made of unit quaternions: |q|^2 is off by 10 u, which moves a map by at
 * most 29 u, and its entries are rounded by at most 5 u each, so that their difference is off by
 * less than 90 u.
 */
GRAZEI_INLINE column norms_apart(const pair_columns *pairs, float turn_error)
{
    column sum = (column3_dot(pairs->x, pairs->x) + column3_dot(pairs->y, pairs->y)) +
                 column3_dot(pairs->z, pairs->z);
    return column_sqrt(sum) * column_all(1 + 16 * GRAZEI_UNIT) +
           column_all(96 * GRAZEI_UNIT + turn_error);
}

/* The square of the distance of quaternions, for up to MOST_SINE2. */
GRAZEI_INLINE column squares_at(column sine2)
{
    return sine2 + sine2 * sine2 * column_all(0.45f);
}

GRAZEI_INLINE void look_at_lanes(const pair_columns *pairs, bool centres, float turn_error,
                                 float place_error, pair_mosts *most)
{
    column norm = norms_apart(pairs, turn_error), sine2 = norm * norm * column_all(0.125f);
    column square = squares_at(sine2);
    column turn = norm * column_all(0.70710683f);
    column reach = apart_at(pairs, pairs->ball, turn, place_error), reach2 = reach * reach;
    column turned = pairs->product * square, placed = pairs->product * reach2;
    most->sine2 = points_max(most->sine2, sine2);
    most->turned = points_max(most->turned, turned);
    most->turned_sum = add_lanes(most->turned_sum, turned);
    most->reach2 = points_max(most->reach2, reach2);
    most->placed = points_max(most->placed, placed);
    most->placed_sum = add_lanes(most->placed_sum, placed);
    if (centres)
        most->apart = points_max(most->apart, apart_at(pairs, pairs->centres, turn, place_error));
}

/* The largest of four columns each, in four lanes. */
GRAZEI_INLINE f4 mosts_of(column a, column b, column c, column d)
{
    f4 x = f4_max(points_first(a), points_last(a)), y = f4_max(points_first(b), points_last(b));
    f4 z = f4_max(points_first(c), points_last(c)), w = f4_max(points_first(d), points_last(d));
    f4_transpose(&x, &y, &z, &w);
    return f4_max(f4_max(x, y), f4_max(z, w));
}

/* Fewer pairs than lanes, the last one repeated without weights. */
static inline const float (*repeat_last(const float (*rows)[4], uint32_t count, float (*out)[4]))[4]
{
    for (uint32_t k = 0; k < GRAZEI_COLUMN; k++) {
        memcpy(out[2 * k], rows[2 * (size_t)(k < count ? k : count - 1)], 2 * sizeof *out);
        if (k >= count)
            out[2 * k + 1][2] = 0;
    }
    return (const float(*)[4])out;
}

/* As blend_spread, neither morphed nor scaled. */
typedef struct lane_spread {
    float square; /* the largest |q - q'|^2; not finite: joints turn too far to be looked at here */
    float rotations;
    float places;
    float apart;
} lane_spread;

/* turn_error, place_error: what has to be added to the norm of the difference of two maps, and to
 * how far apart they put a point.
 */
static inline lane_spread find_lane_spread(const grazei_skin *skin, const f4_map *maps,
                                           uint32_t node, bool centres, float turn_error,
                                           float place_error)
{
    const grazei_blend_node *record = &skin->blend.nodes[node];
    const float(*rows)[4] = (const float(*)[4])skin->blend.rows + record->first_row + 1;
    column none = column_all(0);
    pair_mosts most = {none, none, none, none, none, f4_zero(), f4_zero()};
    float last[2 * GRAZEI_COLUMN][4];
    for (uint32_t p = 0; p < record->pair_count; p += GRAZEI_COLUMN, rows += 2 * GRAZEI_COLUMN) {
        uint32_t left = record->pair_count - p;
        if (left < GRAZEI_COLUMN)
            rows = repeat_last(rows, left, last);
        pair_columns pairs = load_pairs(skin, maps, rows, centres);
        look_at_lanes(&pairs, centres, turn_error, place_error, &most);
    }
    f4 four = mosts_of(most.turned, most.reach2, most.placed, most.sine2);
    f4 sums[4] = {most.turned_sum, most.placed_sum, f4_zero(), f4_zero()};
    f4_transpose(&sums[0], &sums[1], &sums[2], &sums[3]);
    f4 sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    float share = record->share, times = record->pairs_of_vertex;
    float grow = 1 + (float)(record->pair_count + 16) * GRAZEI_UNIT;
    lane_spread spread;
    spread.square = INFINITY;
    if (four[3] <= MOST_SINE2)
        spread.square = 2 - 2 * sqrtf(1 - four[3]) + 8 * GRAZEI_UNIT;
    spread.rotations = f1_min(f1_min(sum[0], times * four[0]), share * spread.square) * grow;
    spread.places = f1_min(f1_min(sum[1], times * four[2]), share * four[1]) * grow;
    spread.apart = mosts_of(most.apart, none, none, none)[0];
    return spread;
}

#endif
