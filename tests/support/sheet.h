/* Rectangular sheets of triangles, for tests of what vibrates. */
#ifndef GRAZE_TESTS_SUPPORT_SHEET_H
#define GRAZE_TESTS_SUPPORT_SHEET_H

#include "support/own.h"

#include <stdint.h>

typedef struct test_sheet {
    float *positions;
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} test_sheet;

/* columns x rows squares in two triangles each, over [0, width] x [0, height] in the plane z = 0,
 * vertices row by row; the diagonals of neighbours cross over, so that the sheet has the symmetry
 * of its outline if there is an even number both ways. Aborts when out of memory.
 */
test_sheet test_sheet_make(uint32_t columns, uint32_t rows, double width, double height);

/* The same with three vertices of its own for every triangle. */
test_sheet test_sheet_split(const test_sheet *sheet);

/* Both in one, the second moved by a vector. */
test_sheet test_sheet_join(const test_sheet *first, const test_sheet *second, const float by[3]);

void test_sheet_free(test_sheet *sheet);
OWN_VALUE(test_sheet, test_sheet_free)

#endif
