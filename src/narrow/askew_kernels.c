/* Rounding, with u = 2^-53 and R the longest side of the box around both patches: a coordinate
 * along a direction is a difference and three products and sums of at most 2 R, off by less than
 * 16 u R. It is cut to a cell of R 2^-22, which keeps the order of numbers, and a cell more on
 * either side is beyond all of that. Cells are whole numbers below 2^24, so floats.
 *
 * Of a whole patch the same with 12 u W of either end, W the greatest difference of its points from
 * the origin: the blur is 32 u W, which has room for the difference of two such.
 */
#include "narrow/askew_kernels.h"

#include "math/lanes.h"

#include <math.h>

enum { EVERY = 4, ROOM = GRAZEI_PATCH_TRIANGLES + GRAZEI_LANES };

/* Sizes whose squares' squares are numbers, as are those of a thousandth. */
static const double least_reach = 1e-20, most_reach = 1e20;

/* Where a patch's triangles begin and end along a direction, in cells, with one more on each side.
 */
typedef struct spans {
    float low[ROOM], high[ROOM];
} spans;

static double reach_of(const grazei_posed_patch *a, const grazei_posed_patch *b)
{
    double reach = 0;
    for (int k = 0; k < 3; k++) {
        double low = d1_max((double)a->low_negated[k], (double)b->low_negated[k]);
        double high = d1_max((double)a->high[k], (double)b->high[k]);
        reach = d1_max(reach, low + high);
    }
    return reach;
}

static void add_edges(const grazei_posed_patch *patch, grazei_edges *edges)
{
    for (uint32_t t = 0; t < patch->triangle_count; t += EVERY)
        for (int k = 0; k < 2; k++)
            grazei_add_edge(edges, patch->points[patch->corners[t][k]],
                            patch->points[patch->corners[t][k + 1]]);
}

static void find_spans(const grazei_posed_patch *patch, d3 origin, d3 direction, double scale,
                       spans *out)
{
    float cells[GRAZEI_PATCH_POINTS];
    for (uint32_t i = 0; i < patch->point_count; i++) {
        d3 from_origin = d3_sub(grazei_wide_point(patch->points[i]), origin);
        cells[i] = (float)(int32_t)(d3_dot(from_origin, direction) * scale + 0x1p23);
    }
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
        const uint8_t *corner = patch->corners[t];
        float x = cells[corner[0]], y = cells[corner[1]], z = cells[corner[2]];
        float low = x < y ? x : y, high = x < y ? y : x;
        out->low[t] = (low < z ? low : z) - 1;
        out->high[t] = (high < z ? z : high) + 1;
    }
    for (uint32_t t = patch->triangle_count; t < ROOM; t++)
        out->low[t] = out->high[t] = 0;
}

/* Of the inner patch, which are beyond a triangle of the outer one. */
static void add_apart(const spans *inner, uint32_t count, float low, float high, uint64_t mask[2])
{
    for (uint32_t k = 0; k < count; k += GRAZEI_LANES) {
        lanes_mask beyond = lanes_less(lanes_set(high), lanes_load(inner->low + k));
        lanes_mask before = lanes_less(lanes_load(inner->high + k), lanes_set(low));
        mask[k >> 6] |= (uint64_t)mask_bits(mask_or(beyond, before)) << (k & 63);
    }
}

static void part_along(const grazei_posed_patch *outer, const grazei_posed_patch *inner,
                       d3 direction, double scale, const uint64_t left[2],
                       uint64_t masks[GRAZEI_PATCH_TRIANGLES][2])
{
    spans of_outer __attribute__((aligned(64))), of_inner __attribute__((aligned(64)));
    d3 origin = grazei_wide_point(outer->points[0]);
    find_spans(outer, origin, direction, scale, &of_outer);
    find_spans(inner, origin, direction, scale, &of_inner);
    for (uint32_t word = 0; word < 2; word++)
        for (uint64_t bits = left[word]; bits; bits &= bits - 1) {
            uint32_t t = 64 * word + (uint32_t)__builtin_ctzll(bits);
            add_apart(&of_inner, inner->triangle_count, of_outer.low[t], of_outer.high[t],
                      masks[t]);
        }
}

static bool find_across(const grazei_posed_patch *a, const grazei_posed_patch *b, d3 directions[2])
{
    grazei_edges edges = {0};
    double reach = reach_of(a, b);
    if (!(reach >= least_reach && reach <= most_reach))
        return false;
    add_edges(a, &edges);
    add_edges(b, &edges);
    return grazei_find_across(&edges, directions);
}

static void part(const grazei_posed_patch *outer, const grazei_posed_patch *inner,
                 const d3 directions[2], const uint64_t left[2],
                 uint64_t masks[GRAZEI_PATCH_TRIANGLES][2])
{
    double scale = 0x1p22 / reach_of(outer, inner);
    for (int k = 0; k < 2; k++)
        part_along(outer, inner, directions[k], scale, left, masks);
}

static void find_span(const grazei_posed_patch *patch, d3 origin, d3 direction,
                      grazei_patch_span *span)
{
    double low = INFINITY, high = -INFINITY, most = 0;
    for (uint32_t i = 0; i < patch->point_count; i++) {
        d3 from = d3_sub(grazei_wide_point(patch->points[i]), origin);
        double at = d3_dot(from, direction);
        low = d1_min(low, at);
        high = d1_max(high, at);
        most = d1_max(most, d1_max(fabs(from.x), d1_max(fabs(from.y), fabs(from.z))));
    }
    *span = (grazei_patch_span){patch->number, low, high, 0x1p-48 * most};
}

const grazei_askew_kernels GRAZEI_ISA(askew_kernels) = {find_across, part, find_span};
