/* Rows of bench cliffs: much that is thin, lies in one plane and does not meet: floors, blinds. */
#include "bench/cliffs.h"

/* A point of the floor, turned in its plane. */
static uint32_t add_point(cliff_mesh *mesh, double x, double y, double turn)
{
    return cliff_add_vertex(mesh, x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn), 0);
}

/* A floor that is a square of side 1, of 2 count planks side by side: every second one. */
static void add_planks(cliff_mesh *mesh, uint32_t count, int second, double turn)
{
    double width = 0.5 / count;
    for (uint32_t i = 0; i < count; i++) {
        double low = (2 * i + (uint32_t)second) * width, high = low + 0.8 * width;
        uint32_t first = add_point(mesh, 0, low, turn);
        add_point(mesh, 1, low, turn);
        add_point(mesh, 1, high, turn);
        add_point(mesh, 0, high, turn);
        cliff_add_triangle(mesh, first, first + 1, first + 2);
        cliff_add_triangle(mesh, first, first + 2, first + 3);
    }
}

static const double turned = 0.5235987755982988; /* 30 degrees */

/* Both halves of a floor, as two bodies or as one; the ordinary case lies along an axis. */
static void *make_planks(uint32_t count, cliff_side side)
{
    cliff_mesh meshes[2] = {0};
    for (int i = 0; i < 2; i++)
        add_planks(&meshes[i], count, i, side == CLIFF_HARD ? turned : 0);
    return cliff_make_bodies(&meshes[0], &meshes[1]);
}

static void *make_floor(uint32_t count, cliff_side side)
{
    cliff_mesh mesh = {0};
    for (int i = 0; i < 2; i++)
        add_planks(&mesh, count, i, side == CLIFF_HARD ? turned : 0);
    return cliff_make_bodies(&mesh, NULL);
}

/* Triangles 1 long, one beside the other along an axis, so that no two boxes overlap; ordinary ones
 * are not quite in one plane.
 */
static void *make_needles(uint32_t count, cliff_side side)
{
    cliff_mesh meshes[2] = {0};
    double width = 0.5 / count;
    uint32_t seed = 5;
    for (uint32_t i = 0; i < 2 * count; i++) {
        double z[3], y = i * width;
        for (int k = 0; k < 3; k++)
            z[k] = (side == CLIFF_HARD ? 0 : 1e-4) * cliff_random(&seed);
        cliff_add_corners(&meshes[i & 1], (const double[3][3]){{0, y, z[0]},
                                                               {1, y + 0.2 * width, z[1]},
                                                               {0, y + 0.6 * width, z[2]}});
    }
    return cliff_make_bodies(&meshes[0], &meshes[1]);
}

#define ALONG_AN_AXIS "planks along an axis"

static const cliff rows[] = {
    {"first hit, planks turned in their plane", ALONG_AN_AXIS, "planks each", 4096, make_planks,
     cliff_run_first, NULL},
    {"pairs, planks turned in their plane", ALONG_AN_AXIS, "planks each", 4096, make_planks,
     cliff_run_pairs, NULL},
    {"self, planks turned in their plane", ALONG_AN_AXIS, "planks twice", 4096, make_floor,
     cliff_run_self, NULL},
    {"distance, planks turned in their plane", ALONG_AN_AXIS, "planks each", 1024, make_planks,
     cliff_run_distance, NULL},
    {"pairs, flat needles beside each other", "needles 1e-4 off the plane", "needles each", 32768,
     make_needles, cliff_run_pairs, NULL},
};

const cliff_group cliffs_flat = {rows, COUNT_OF(rows)};
