#include "support/sheet.h"

#include <stdlib.h>
#include <string.h>

static test_sheet take(uint32_t vertex_count, uint32_t triangle_count)
{
    test_sheet sheet = {malloc((size_t)vertex_count * 3 * sizeof(float)),
                        malloc((size_t)triangle_count * 3 * sizeof(uint32_t)), vertex_count,
                        triangle_count};
    if (!sheet.positions || !sheet.triangles)
        abort();
    return sheet;
}

test_sheet test_sheet_make(uint32_t columns, uint32_t rows, double width, double height)
{
    test_sheet sheet = take((columns + 1) * (rows + 1), 2 * columns * rows);
    uint32_t *next = sheet.triangles;
    for (uint32_t v = 0; v < sheet.vertex_count; v++) {
        uint32_t row = v / (columns + 1), column = v % (columns + 1);
        sheet.positions[3 * (size_t)v] = (float)(width * column / columns);
        sheet.positions[3 * (size_t)v + 1] = (float)(height * row / rows);
        sheet.positions[3 * (size_t)v + 2] = 0;
        if (row == rows || column == columns)
            continue;
        uint32_t below = v + columns + 1;
        uint32_t falling[6] = {v, v + 1, below + 1, v, below + 1, below};
        uint32_t rising[6] = {v, v + 1, below, v + 1, below + 1, below};
        memcpy(next, (row + column) % 2 ? falling : rising, sizeof falling);
        next += 6;
    }
    return sheet;
}

test_sheet test_sheet_split(const test_sheet *sheet)
{
    test_sheet split = take(sheet->triangle_count * 3, sheet->triangle_count);
    for (uint32_t i = 0; i < split.vertex_count; i++) {
        memcpy(split.positions + 3 * (size_t)i, sheet->positions + 3 * (size_t)sheet->triangles[i],
               3 * sizeof(float));
        split.triangles[i] = i;
    }
    return split;
}

test_sheet test_sheet_join(const test_sheet *first, const test_sheet *second, const float by[3])
{
    test_sheet both = take(first->vertex_count + second->vertex_count,
                           first->triangle_count + second->triangle_count);
    memcpy(both.positions, first->positions, 3 * (size_t)first->vertex_count * sizeof(float));
    memcpy(both.triangles, first->triangles, 3 * (size_t)first->triangle_count * sizeof(uint32_t));
    for (size_t i = 0; i < 3 * (size_t)second->vertex_count; i++)
        both.positions[3 * (size_t)first->vertex_count + i] = second->positions[i] + by[i % 3];
    for (size_t i = 0; i < 3 * (size_t)second->triangle_count; i++)
        both.triangles[3 * (size_t)first->triangle_count + i] =
            second->triangles[i] + first->vertex_count;
    return both;
}

void test_sheet_free(test_sheet *sheet)
{
    free(sheet->positions);
    free(sheet->triangles);
}
