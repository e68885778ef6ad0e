#include "cli/primitive_mesh.h"

#include "cli/field_model.h"
#include "cli/vector.h"

#define PI 3.14159265358979323846

enum { RINGS = 12, SECTORS = 32 }; /* of a sphere: rings to a pole; around */

static void set_triangle(graze_rig *rig, uint32_t *at, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corners = rig->triangles + (size_t)(*at)++ * 3;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

/* A sphere, cut at the middle and drawn apart by a length along y: rings from the lower pole up. */
static graze_rig *make_capsule(double length, double radius)
{
    const uint32_t rings = 2 * RINGS; /* those next to the poles and on both sides of the cut */
    uint32_t vertices = rings * SECTORS + 2, at = 0;
    graze_rig *rig = rigid_rig(vertices, 2 * rings * SECTORS);
    for (uint32_t r = 0; r < rings; r++) {
        bool upper = r >= RINGS;
        double angle = (upper ? (double)(r - RINGS) : (double)r + 1 - RINGS) / RINGS * (PI / 2);
        for (uint32_t s = 0; s < SECTORS; s++) {
            float *p = rig->positions + ((size_t)r * SECTORS + s) * 3;
            p[0] = (float)(radius * cos(angle) * sin(2 * PI * s / SECTORS));
            p[1] = (float)(radius * sin(angle) + (upper ? length : -length) / 2);
            p[2] = (float)(radius * cos(angle) * cos(2 * PI * s / SECTORS));
        }
    }
    rig->positions[(size_t)(vertices - 2) * 3 + 1] = (float)(-radius - length / 2);
    rig->positions[(size_t)(vertices - 1) * 3 + 1] = (float)(radius + length / 2);
    for (uint32_t s = 0; s < SECTORS; s++) {
        uint32_t next = (s + 1) % SECTORS, top = (rings - 1) * SECTORS;
        set_triangle(rig, &at, vertices - 2, next, s);
        for (uint32_t r = 0; r + 1 < rings; r++) {
            uint32_t low = r * SECTORS, high = low + SECTORS;
            set_triangle(rig, &at, low + s, low + next, high + next);
            set_triangle(rig, &at, low + s, high + next, high + s);
        }
        set_triangle(rig, &at, vertices - 1, top + s, top + next);
    }
    return rig;
}

/* Four corners of a side each, so that edges look sharp. */
static graze_rig *make_box(const double sides[3])
{
    uint32_t at = 0;
    graze_rig *rig = rigid_rig(24, 12);
    for (uint32_t face = 0; face < 6; face++) {
        uint32_t axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, first = face * 4;
        double sign = face % 2 ? 1 : -1;
        for (uint32_t corner = 0; corner < 4; corner++) {
            float *p = rig->positions + (first + corner) * 3;
            p[axis] = (float)(sign * sides[axis] / 2);
            p[u] = (float)((corner == 1 || corner == 2 ? 1 : -1) * sign * sides[u] / 2);
            p[v] = (float)((corner >= 2 ? 1 : -1) * sides[v] / 2);
        }
        set_triangle(rig, &at, first, first + 1, first + 2);
        set_triangle(rig, &at, first, first + 2, first + 3);
    }
    return rig;
}

static graze_rig *make_square(const double plane[4], double reach)
{
    double n[3], u[3], v[3], length = hypot(hypot(plane[0], plane[1]), plane[2]);
    uint32_t at = 0, least = 0;
    graze_rig *rig = rigid_rig(4, 2);
    for (uint32_t i = 0; i < 3; i++) {
        n[i] = plane[i] / length;
        least = fabs(plane[i]) < fabs(plane[least]) ? i : least;
    }
    /* u is across n and the axis that n is farthest from; v across both. */
    const double axis[3] = {least == 0, least == 1, least == 2};
    cross(n, axis, u);
    double long_u = hypot(hypot(u[0], u[1]), u[2]);
    for (int i = 0; i < 3; i++)
        u[i] /= long_u;
    cross(n, u, v);
    for (uint32_t corner = 0; corner < 4; corner++)
        for (int i = 0; i < 3; i++)
            rig->positions[corner * 3 + i] =
                (float)(n[i] * (plane[3] / length) +
                        (corner == 1 || corner == 2 ? reach : -reach) * u[i] +
                        (corner >= 2 ? reach : -reach) * v[i]);
    set_triangle(rig, &at, 0, 1, 2);
    set_triangle(rig, &at, 0, 2, 3);
    return rig;
}

graze_rig *primitive_rig(const scene_body *body, double reach)
{
    const double *n = body->numbers;
    return body->kind == BODY_SPHERE    ? make_capsule(0, n[0])
           : body->kind == BODY_CAPSULE ? make_capsule(n[0], n[1])
           : body->kind == BODY_BOX     ? make_box(n)
                                        : make_square(n, reach);
}
