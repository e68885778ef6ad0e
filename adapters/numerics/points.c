/* Vertices at one position are one point of the shell, and points that triangles join are one
 * piece: meshes have seams where texture coordinates jump, and parts that lie loose.
 */
#include "shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lower than this share of its longest side a triangle counts as flat: float coordinates are no
 * finer, and its stiffness would drown that of all others.
 */
#define FLATTEST 1e-6

double grazei_shell_area(const double a[3], const double b[3], const double c[3], double normal[3])
{
    double length2 = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
        length2 += normal[i] * normal[i];
    }
    return sqrt(length2) / 2;
}

/* ---- points -------------------------------------------------------------------------------- */

typedef struct placed_vertex {
    float at[3];
    uint32_t vertex;
} placed_vertex;

static int compare_places(const void *left, const void *right)
{
    const placed_vertex *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i] ? -1 : 1;
    return 0;
}

static graze_status weld(const graze_shell_def *def, grazei_shell_points *points,
                         graze_error *error)
{
    placed_vertex *sorted = malloc(def->vertex_count * sizeof *sorted);
    if (!sorted)
        return grazei_numerics_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    for (uint32_t v = 0; v < def->vertex_count; v++) {
        memcpy(sorted[v].at, def->positions + (size_t)v * 3, sizeof sorted[v].at);
        sorted[v].vertex = v;
    }
    qsort(sorted, def->vertex_count, sizeof *sorted, compare_places);
    for (uint32_t i = 0; i < def->vertex_count; i++) {
        uint32_t vertex = sorted[i].vertex;
        if (i == 0 || compare_places(&sorted[i - 1], &sorted[i]) != 0) {
            for (int k = 0; k < 3; k++)
                points->at[points->count][k] = sorted[i].at[k];
            points->count++;
        }
        points->of_vertex[vertex] = points->count - 1;
        if (def->held && def->held[vertex])
            points->held[points->count - 1] = true;
    }
    free(sorted);
    return GRAZE_OK;
}

/* ---- triangles and pieces ------------------------------------------------------------------ */

static double distance2(const double a[3], const double b[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

static bool is_flat(const grazei_shell_points *points, const uint32_t corners[3])
{
    const double *a = points->at[corners[0]], *b = points->at[corners[1]],
                 *c = points->at[corners[2]];
    double normal[3], longest = distance2(a, b), bc = distance2(b, c), ca = distance2(c, a);
    longest = bc > longest ? bc : longest;
    longest = ca > longest ? ca : longest;
    return !(2 * grazei_shell_area(a, b, c, normal) > FLATTEST * longest);
}

static uint32_t find_root(uint32_t *parents, uint32_t point)
{
    while (parents[point] != point)
        point = parents[point] = parents[parents[point]];
    return point;
}

/* Keeps triangles with area and joins their points; parents ends as a forest of pieces. */
static void join(const graze_shell_def *def, grazei_shell_points *points, uint32_t *parents,
                 uint32_t *kept)
{
    for (uint32_t p = 0; p < points->count; p++)
        parents[p] = p;
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        uint32_t *corners = kept + (size_t)points->triangle_count * 3;
        for (int c = 0; c < 3; c++)
            corners[c] = points->of_vertex[def->triangles[(size_t)t * 3 + c]];
        if (is_flat(points, corners))
            continue;
        points->triangle_count++;
        uint32_t first = find_root(parents, corners[0]);
        parents[find_root(parents, corners[1])] = first;
        parents[find_root(parents, corners[2])] = find_root(parents, first);
    }
}

static void number_pieces(grazei_shell_points *points, uint32_t *parents, const uint32_t *kept)
{
    for (size_t i = 0; i < (size_t)points->triangle_count * 3; i++) {
        uint32_t root = find_root(parents, kept[i]);
        if (points->piece[root] == GRAZEI_SHELL_NONE)
            points->piece[root] = points->piece_count++;
        points->piece[kept[i]] = points->piece[root];
    }
}

/* The kept triangles, piece by piece; the array of starts has a place more for the counting. */
static void sort_triangles(grazei_shell_points *points, const uint32_t *kept)
{
    uint32_t *starts = points->piece_triangle;
    for (uint32_t t = 0; t < points->triangle_count; t++)
        starts[points->piece[kept[(size_t)t * 3]] + 2]++;
    for (uint32_t p = 2; p < points->piece_count + 2; p++)
        starts[p] += starts[p - 1];
    for (uint32_t t = 0; t < points->triangle_count; t++) {
        uint32_t place = starts[points->piece[kept[(size_t)t * 3]] + 1]++;
        memcpy(points->triangles + (size_t)place * 3, kept + (size_t)t * 3, 3 * sizeof *kept);
    }
}

static graze_status find_pieces(const graze_shell_def *def, grazei_shell_points *points,
                                graze_error *error)
{
    uint32_t *parents = malloc(points->count * sizeof *parents);
    uint32_t *kept = malloc((size_t)def->triangle_count * 3 * sizeof *kept);
    graze_status status = GRAZE_OK;
    if (parents && kept) {
        join(def, points, parents, kept);
        number_pieces(points, parents, kept);
        points->piece_triangle = calloc((size_t)points->piece_count + 2, sizeof *kept);
        points->triangles = malloc((size_t)points->triangle_count * 3 * sizeof *kept + 1);
    }
    if (!parents || !kept || !points->piece_triangle || !points->triangles)
        status = grazei_numerics_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    else if (points->triangle_count == 0)
        status = grazei_numerics_fail(error, GRAZE_BAD_INPUT, "no triangle has an area");
    else
        sort_triangles(points, kept);
    free(parents);
    free(kept);
    return status;
}

graze_status grazei_shell_find_points(const graze_shell_def *def, grazei_shell_points *points,
                                      graze_error *error)
{
    size_t count = def->vertex_count;
    *points = (grazei_shell_points){.of_vertex = malloc(count * sizeof *points->of_vertex),
                                    .at = malloc(count * sizeof *points->at),
                                    .held = calloc(count, sizeof *points->held),
                                    .piece = malloc(count * sizeof *points->piece),
                                    .number = malloc(count * sizeof *points->number)};
    if (!points->of_vertex || !points->at || !points->held || !points->piece || !points->number)
        return grazei_numerics_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        points->piece[i] = points->number[i] = GRAZEI_SHELL_NONE;
    graze_status status = weld(def, points, error);
    return status == GRAZE_OK ? find_pieces(def, points, error) : status;
}

void grazei_shell_free_points(grazei_shell_points *points)
{
    free(points->of_vertex);
    free(points->at);
    free(points->held);
    free(points->piece);
    free(points->number);
    free(points->triangles);
    free(points->piece_triangle);
}
