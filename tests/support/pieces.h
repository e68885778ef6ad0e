/* Pieces of surface, as patches are: soups and sheets of up to 128 triangles, for tests of what
 * works on patches. Memory is allocated exactly, so that the sanitizers see what is read beyond it.
 */
#ifndef GRAZE_TESTS_SUPPORT_PIECES_H
#define GRAZE_TESTS_SUPPORT_PIECES_H

#include "harness.h"
#include "narrow/patch.h"
#include "support/own.h"

typedef struct test_piece {
    uint32_t point_count, triangle_count;
    float (*points)[4];    /* the fourth is NaN */
    uint8_t (*corners)[4]; /* and 32 rows more, of nonsense */
    float *low_negated, *high;
} test_piece;

/* A whole number, both ends included. */
int32_t test_random_int(test_random *random, int32_t low, int32_t high);

/* Without points and corners yet. */
test_piece test_piece_make(test_random *random, uint32_t point_count, uint32_t triangle_count);
void test_piece_free(test_piece *gone);
OWN_VALUE(test_piece, test_piece_free)

/* Measures the box, then points to it all. */
grazei_posed_patch test_piece_patch(test_piece *whole);

void test_piece_triangle(const test_piece *whole, uint32_t number, float out[3][3]);

/* Corners near each other in the list of points, or from everywhere. Within -1 to 1, or on a
 * lattice from 0 to 4, where touching is common.
 */
test_piece test_piece_soup(test_random *random, uint32_t triangle_count, bool lattice);

/* A frame of three axes, not quite orthogonal, which is no matter. */
typedef struct test_frame {
    double axes[3][3], origin[3];
} test_frame;

test_frame test_frame_random(test_random *random);
void test_frame_place(const test_frame *in, const double at[3], float point[4]);

/* The first triangles of a sheet of 8 by 8 squares that bends by `bend`; each with its own points
 * unless it is welded.
 */
test_piece test_piece_sheet(test_random *random, uint32_t triangle_count, const test_frame *in,
                            double bend, bool welded);

/* In double and rounded once: times `scale`, plus `by`. */
void test_piece_move(test_piece *moved, double scale, const double by[3]);

/* Moves b until one of its corners is one of a's, or as far from it as `off` along each axis. */
void test_piece_bring(test_random *random, const test_piece *a, test_piece *b, double off);

#endif
