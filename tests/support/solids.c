#include "support/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Room for one more of `count` items: twice as much at every power of two. */
static void *one_more(void *items, uint32_t count, size_t size)
{
    if (count & (count - 1))
        return items;
    void *larger = realloc(items, (count ? 2 * (size_t)count : 1) * size);
    if (!larger)
        abort();
    return larger;
}

static uint32_t add_vertex(solid *s, double x, double y, double z)
{
    s->positions = one_more(s->positions, s->vertex_count, 3 * sizeof *s->positions);
    float *p = s->positions + 3 * (size_t)s->vertex_count;
    p[0] = (float)x;
    p[1] = (float)y;
    p[2] = (float)z;
    return s->vertex_count++;
}

static void add_triangle(solid *s, uint32_t a, uint32_t b, uint32_t c)
{
    s->triangles = one_more(s->triangles, s->triangle_count, 3 * sizeof *s->triangles);
    s->groups = one_more(s->groups, s->triangle_count, sizeof *s->groups);
    uint32_t *t = s->triangles + 3 * (size_t)s->triangle_count;
    t[0] = a;
    t[1] = b;
    t[2] = c;
    s->groups[s->triangle_count++] = s->part_count;
}

void solid_add_round(solid *s, const double (*profile)[2], uint32_t count, uint32_t sectors)
{
    uint32_t first = s->vertex_count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < sectors; k++) {
            double angle = 2 * pi * k / sectors, radius = profile[i][0];
            add_vertex(s, radius * cos(angle), radius * sin(angle), profile[i][1]);
        }
    for (uint32_t i = 0; i + 1 < count; i++)
        for (uint32_t k = 0; k < sectors; k++) {
            uint32_t row = first + i * sectors, above = row + sectors, next = (k + 1) % sectors;
            if (profile[i][0] > 0)
                add_triangle(s, row + k, row + next, above + next);
            if (profile[i + 1][0] > 0)
                add_triangle(s, row + k, above + next, above + k);
        }
    s->part_count++;
}

void solid_add_capsule(solid *s, double radius, double half, uint32_t rings)
{
    double(*profile)[2] = malloc((rings + 2) * sizeof *profile);
    uint32_t count = 0;
    for (uint32_t i = 0; i <= rings; i++) {
        double angle = pi * i / rings - pi / 2;
        double side = 2 * i < rings ? -half : half;
        profile[count][0] = i == 0 || i == rings ? 0 : radius * cos(angle);
        profile[count++][1] = radius * sin(angle) + side;
        if (half > 0 && 2 * i == rings) {
            profile[count][0] = radius;
            profile[count++][1] = half;
            profile[count - 2][1] = -half;
        }
    }
    solid_add_round(s, (const double(*)[2])profile, count, 2 * rings);
    free(profile);
}

void solid_add_ball(solid *s, double radius, uint32_t rings)
{
    solid_add_capsule(s, radius, 0, rings);
}

/* Quads between corner, corner + u and corner + v, facing u x v. */
static void add_face(solid *s, const double corner[3], const double u[3], const double v[3],
                     uint32_t n)
{
    uint32_t first = s->vertex_count;
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t k = 0; k <= n; k++) {
            double x = (double)i / n, y = (double)k / n, p[3];
            for (int axis = 0; axis < 3; axis++)
                p[axis] = corner[axis] + x * u[axis] + y * v[axis];
            add_vertex(s, p[0], p[1], p[2]);
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            uint32_t at = first + i * (n + 1) + k;
            add_triangle(s, at, at + n + 1, at + n + 2);
            add_triangle(s, at, at + n + 2, at + 1);
        }
}

void solid_add_box(solid *s, const double low[3], const double high[3], uint32_t n)
{
    for (int axis = 0; axis < 3; axis++) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        double u[3] = {0, 0, 0}, v[3] = {0, 0, 0}, corner[3];
        u[next] = high[next] - low[next];
        v[last] = high[last] - low[last];
        memcpy(corner, low, sizeof corner);
        add_face(s, corner, v, u, n);
        corner[axis] = high[axis];
        add_face(s, corner, u, v, n);
    }
    s->part_count++;
}

void solid_add_sheet(solid *s, double half_x, double half_y, uint32_t n)
{
    const double corner[3] = {-half_x, -half_y, 0}, u[3] = {2 * half_x, 0, 0};
    const double v[3] = {0, 2 * half_y, 0};
    add_face(s, corner, u, v, n);
    s->part_count++;
}

void solid_free(solid *s)
{
    free(s->positions);
    free(s->triangles);
    free(s->groups);
    memset(s, 0, sizeof *s);
}

graze_body *solid_body(const solid *s, const graze_allocator *allocator, graze_model **model)
{
    graze_model_def def = {0};
    graze_body *body = NULL;
    def.allocator = allocator;
    def.positions = s->positions;
    def.vertex_count = s->vertex_count;
    def.triangles = s->triangles;
    def.triangle_count = s->triangle_count;
    def.triangle_parts = s->groups;
    def.part_count = s->part_count;
    def.joint_count = 1;
    if (graze_model_create(&def, model, NULL) || graze_body_create(*model, &body, NULL))
        abort();
    return body;
}
