/* Triangle against a convex region: the triangle is clipped by one plane after the other
 * (Sutherland & Hodgman 1974), and meets the region if something is left.
 *
 * Each plane is moved out by a tolerance t, which is more than all roundings, some 2^-50 of the
 * sums of products involved. A corner made where an edge crosses a plane lies on the edge, at a
 * height that is wrong by no more than a few roundings, even where edge and plane are nearly
 * parallel and the crossing is far off. So what is left contains what real arithmetic leaves with
 * planes moved out by t less some roundings (every point that the region and the triangle share
 * stays), and is contained in what it leaves with t more some roundings: what is found meets a
 * region whose planes are moved out by no more than 2 t.
 */
#include "narrow/shapes.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 0x1p-46

/* A plane adds one corner, but where roundings bend a straight line it may be crossed more often:
 * up to half as many corners again, eight times, from 3 to 63.
 */
#define MAX_CORNERS 64
_Static_assert(GRAZE_MAX_PLANES <= 8, "room for the corners that as many planes make");

typedef struct polygon {
    uint32_t count;
    double corners[MAX_CORNERS][3];
} polygon;

static double height_above(const grazei_shape_plane *plane, const double point[3])
{
    const double *normal = plane->normal;
    return (normal[0] * point[0] + normal[1] * point[1]) + normal[2] * point[2] - plane->offset;
}

static void clip(const polygon *before, const double *heights, polygon *after)
{
    after->count = 0;
    for (uint32_t i = 0; i < before->count; i++) {
        uint32_t next = i + 1 == before->count ? 0 : i + 1;
        if (heights[i] <= 0)
            memcpy(after->corners[after->count++], before->corners[i], sizeof *before->corners);
        if ((heights[i] <= 0) == (heights[next] <= 0))
            continue;
        double share = heights[i] / (heights[i] - heights[next]);
        for (int k = 0; k < 3; k++) {
            double from = before->corners[i][k], to = before->corners[next][k];
            after->corners[after->count][k] = from + share * (to - from);
        }
        after->count++;
    }
}

/* What the region leaves of a triangle, in one of two polygons; NULL if nothing. */
static const polygon *clip_triangle(const grazei_shape *shape, const float *const corners[3],
                                    polygon polygons[2])
{
    double reach[3] = {0, 0, 0};
    int current = 0;
    polygons[0].count = 3;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            polygons[0].corners[i][k] = corners[i][k] - shape->origin[k];
            double size = fabs(polygons[0].corners[i][k]);
            reach[k] = size > reach[k] ? size : reach[k];
        }
    for (uint32_t p = 0; p < shape->plane_count; p++) {
        const grazei_shape_plane *plane = &shape->planes[p];
        double heights[MAX_CORNERS], size = fabs(plane->offset);
        for (int k = 0; k < 3; k++)
            size += fabs(plane->normal[k]) * reach[k];
        bool beyond = false;
        for (uint32_t i = 0; i < polygons[current].count; i++) {
            heights[i] = height_above(plane, polygons[current].corners[i]) - TOLERANCE * size;
            beyond |= heights[i] > 0;
        }
        if (!beyond)
            continue;
        clip(&polygons[current], heights, &polygons[!current]);
        current = !current;
        if (polygons[current].count == 0)
            return NULL;
    }
    return &polygons[current];
}

bool grazei_convex_meets(const grazei_shape *shape, const float *const corners[3])
{
    polygon polygons[2];
    return clip_triangle(shape, corners, polygons) != NULL;
}

void grazei_convex_middle(const grazei_shape *shape, const float *const corners[3],
                          double middle[3])
{
    polygon polygons[2];
    const polygon *left = clip_triangle(shape, corners, polygons);
    for (int k = 0; k < 3; k++) {
        middle[k] = 0;
        for (uint32_t i = 0; left && i < left->count; i++)
            middle[k] += left->corners[i][k] / left->count;
    }
}
