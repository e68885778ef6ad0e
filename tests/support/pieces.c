#include "support/pieces.h"

#include "support/aligned.h"
#include "tree/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int32_t test_random_int(test_random *random, int32_t low, int32_t high)
{
    return low + (int32_t)(test_random_u32(random) % (uint32_t)(high - low + 1));
}

test_piece test_piece_make(test_random *random, uint32_t point_count, uint32_t triangle_count)
{
    test_piece made = {.point_count = point_count, .triangle_count = triangle_count};
    uint32_t rows = triangle_count + GRAZEI_CORNERS_BEHIND;
    made.points = test_aligned(16, point_count * sizeof *made.points);
    made.corners = malloc(rows * sizeof *made.corners);
    made.low_negated = malloc(3 * sizeof *made.low_negated);
    made.high = malloc(3 * sizeof *made.high);
    for (uint32_t i = 0; i < point_count; ++i)
        made.points[i][3] = NAN;
    for (uint32_t i = 0; i < rows; ++i) {
        for (int k = 0; k < 4; ++k)
            made.corners[i][k] = (uint8_t)test_random_int(random, 0, 255);
    }
    return made;
}

void test_piece_free(test_piece *gone)
{
    test_aligned_free(gone->points);
    free(gone->corners);
    free(gone->low_negated);
    free(gone->high);
}

grazei_posed_patch test_piece_patch(test_piece *whole)
{
    for (int k = 0; k < 3; ++k) {
        whole->low_negated[k] = whole->high[k] = -INFINITY;
        for (uint32_t i = 0; i < whole->point_count; ++i) {
            whole->low_negated[k] = fmaxf(whole->low_negated[k], -whole->points[i][k]);
            whole->high[k] = fmaxf(whole->high[k], whole->points[i][k]);
        }
    }
    return (grazei_posed_patch){.points = (const float(*)[4])whole->points,
                                .corners = (const uint8_t(*)[4])whole->corners,
                                .point_count = whole->point_count,
                                .triangle_count = whole->triangle_count,
                                .low_negated = whole->low_negated,
                                .high = whole->high};
}

void test_piece_triangle(const test_piece *whole, uint32_t number, float out[3][3])
{
    for (int i = 0; i < 3; ++i)
        memcpy(out[i], whole->points[whole->corners[number][i]], sizeof out[i]);
}

test_piece test_piece_soup(test_random *random, uint32_t triangle_count, bool lattice)
{
    uint32_t most = 3 * triangle_count < 256 ? 3 * triangle_count : 256;
    uint32_t point_count = (uint32_t)test_random_int(random, 3, (int32_t)most);
    test_piece soup = test_piece_make(random, point_count, triangle_count);
    bool near = test_random_u32(random) & 1;
    for (uint32_t i = 0; i < point_count; ++i) {
        for (int k = 0; k < 3; ++k)
            soup.points[i][k] = lattice ? (float)test_random_int(random, 0, 4)
                                        : (float)test_random_range(random, -1, 1);
    }
    for (uint32_t i = 0; i < triangle_count; ++i) {
        int32_t first = test_random_int(random, 0, (int32_t)point_count - 1);
        for (int k = 0; k < 3; ++k) {
            int32_t step = test_random_int(random, 0, near ? 3 : 255);
            soup.corners[i][k] = (uint8_t)((uint32_t)(first + step) % point_count);
        }
    }
    return soup;
}

test_frame test_frame_random(test_random *random)
{
    test_frame made;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k)
            made.axes[i][k] = test_random_range(random, -1, 1);
        made.origin[i] = test_random_range(random, -0.3, 0.3);
    }
    return made;
}

void test_frame_place(const test_frame *in, const double at[3], float point[4])
{
    for (int k = 0; k < 3; ++k)
        point[k] = (float)(in->origin[k] + at[0] * in->axes[0][k] + at[1] * in->axes[1][k] +
                           at[2] * in->axes[2][k]);
}

/* Point `number` of a grid of 9 by 9 points. */
static void place_in_grid(const test_frame *in, uint32_t number, double bend, float point[4])
{
    double x = number % 9 / 8.0 - 0.5, y = number / 9 / 8.0 - 0.5;
    test_frame_place(in, (double[3]){x, y, bend * (x * x - 0.7 * y * y + 0.3 * x * y)}, point);
}

/* Triangle i of its 8 by 8 squares. */
static void grid_triangle(uint32_t i, uint32_t numbers[3])
{
    uint32_t corner = 9 * (i / 16) + i / 2 % 8, square[4] = {0, 1, 9, 10};
    for (uint32_t k = 0; k < 3; ++k)
        numbers[k] = corner + square[(i & 1) + k];
}

/* With some points more than the triangles have. */
static test_piece make_welded(test_random *random, uint32_t triangle_count, const test_frame *in,
                              double bend)
{
    uint32_t numbers[3];
    grid_triangle((triangle_count - 1) | 1, numbers);
    test_piece sheet = test_piece_make(random, numbers[2] + 1, triangle_count);
    for (uint32_t i = 0; i < sheet.point_count; ++i)
        place_in_grid(in, i, bend, sheet.points[i]);
    for (uint32_t i = 0; i < triangle_count; ++i) {
        grid_triangle(i, numbers);
        for (int k = 0; k < 3; ++k)
            sheet.corners[i][k] = (uint8_t)numbers[k];
    }
    return sheet;
}

/* With own points as long as there are any, then the first triangles once more. */
static test_piece make_loose(test_random *random, uint32_t triangle_count, const test_frame *in,
                             double bend)
{
    uint32_t most = GRAZEI_PATCH_POINTS / 3, loose = triangle_count < most ? triangle_count : most;
    test_piece sheet = test_piece_make(random, 3 * loose, triangle_count);
    for (uint32_t i = 0; i < triangle_count; ++i) {
        uint32_t numbers[3];
        grid_triangle(i % loose, numbers);
        for (uint32_t k = 0; k < 3; ++k) {
            sheet.corners[i][k] = (uint8_t)(3 * (i % loose) + k);
            place_in_grid(in, numbers[k], bend, sheet.points[3 * (i % loose) + k]);
        }
    }
    return sheet;
}

test_piece test_piece_sheet(test_random *random, uint32_t triangle_count, const test_frame *in,
                            double bend, bool welded)
{
    return welded ? make_welded(random, triangle_count, in, bend)
                  : make_loose(random, triangle_count, in, bend);
}

void test_piece_move(test_piece *moved, double scale, const double by[3])
{
    for (uint32_t i = 0; i < moved->point_count; ++i) {
        for (int k = 0; k < 3; ++k)
            moved->points[i][k] = (float)(moved->points[i][k] * scale + by[k]);
    }
}

void test_piece_bring(test_random *random, const test_piece *a, test_piece *b, double off)
{
    int32_t in_a = test_random_int(random, 0, (int32_t)a->triangle_count - 1);
    int32_t in_b = test_random_int(random, 0, (int32_t)b->triangle_count - 1);
    const float *to = a->points[a->corners[in_a][0]], *from = b->points[b->corners[in_b][1]];
    double by[3];
    for (int k = 0; k < 3; ++k)
        by[k] = (double)to[k] - from[k] + test_random_range(random, -off, off);
    test_piece_move(b, 1, by);
}
