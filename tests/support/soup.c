#include "support/soup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void random_direction(test_random *random, double direction[3])
{
    double length;
    do {
        length = 0;
        for (int k = 0; k < 3; k++) {
            direction[k] = test_random_range(random, -1, 1);
            length += direction[k] * direction[k];
        }
    } while (length > 1 || length < 1e-3);
    for (int k = 0; k < 3; k++)
        direction[k] /= sqrt(length);
}

/* A walk through the box of the soup's size: neighbours in number are neighbours in space. */
static void fill_positions(soup *s, test_random *random)
{
    double at[3] = {0, 0, 0}, away[3], size = s->def.size;
    random_direction(random, away);
    for (uint32_t v = 0; v < s->def.vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            at[k] += test_random_range(random, -0.05, 0.05) * size;
            at[k] = fmin(fmax(at[k], -0.5 * size), 0.5 * size);
            double x = k == 2 && s->def.flat ? 0 : at[k] + s->def.offset * away[k];
            if (s->def.lattice)
                x = round(8 * x / size) * size / 8;
            s->positions[3 * (size_t)v + (size_t)k] = (float)x;
        }
    for (int k = 0; k < 3; k++)
        s->centre[k] = k == 2 && s->def.flat ? 0 : (float)(s->def.offset * away[k]);
}

static void fill_triangles(soup *s, test_random *random)
{
    for (uint32_t i = 0; i < 3 * s->def.triangle_count; i++) {
        uint32_t t = i / 3;
        uint64_t first = (uint64_t)t * s->def.vertex_count / s->def.triangle_count;
        s->triangles[i] = (uint32_t)((first + test_random_u32(random) % 6) % s->def.vertex_count);
    }
}

static float random_weight(const soup_def *def, test_random *random)
{
    double weight = test_random_unit(random);
    if (!def->odd_weights)
        return (float)(0.05 + weight);
    switch (test_random_u32(random) % 8) {
    case 0:
        return 0;
    case 1:
        return (float)ldexp(weight, -(int)(test_random_u32(random) % 60));
    case 2:
        return 1e-44f;
    case 3:
        return (float)(weight * 1e6);
    default:
        return (float)weight;
    }
}

static uint32_t random_joint(const soup *s, uint32_t vertex, test_random *random)
{
    uint32_t joints = s->def.joint_count;
    if (s->def.scattered)
        return test_random_u32(random) % joints;
    uint64_t home = (uint64_t)vertex * joints / s->def.vertex_count;
    return (uint32_t)((home + test_random_u32(random) % (s->def.max_influences + 1)) % joints);
}

static void fill_influences(soup *s, test_random *random)
{
    uint32_t next = 0;
    for (uint32_t v = 0; v < s->def.vertex_count; v++) {
        uint32_t count = 1 + test_random_u32(random) % s->def.max_influences;
        s->influence_offsets[v] = next;
        for (uint32_t i = 0; s->def.equal_weights && i < s->def.max_influences; i++)
            s->influences[next++] = (graze_influence){
                i % s->def.joint_count,
                (float)(0.3 / (i + 1) * (1 + 0x1p-23 * (test_random_u32(random) % 5)))};
        for (uint32_t i = 0; !s->def.equal_weights && i < count; i++)
            s->influences[next++] = (graze_influence){random_joint(s, v, random),
                                                      i ? random_weight(&s->def, random) : 0.5f};
    }
    s->influence_offsets[s->def.vertex_count] = next;
}

soup soup_make(const soup_def *def, test_random *random)
{
    soup s = {.def = *def};
    size_t vertices = def->vertex_count;
    s.positions = malloc(3 * vertices * sizeof *s.positions);
    s.triangles = malloc((size_t)3 * def->triangle_count * sizeof *s.triangles);
    s.influence_offsets = malloc((vertices + 1) * sizeof *s.influence_offsets);
    s.influences = malloc(vertices * def->max_influences * sizeof *s.influences);
    if (!s.positions || !s.triangles || !s.influence_offsets || !s.influences)
        abort();
    fill_positions(&s, random);
    fill_triangles(&s, random);
    fill_influences(&s, random);
    return s;
}

void soup_free(soup *s)
{
    free(s->positions);
    free(s->triangles);
    free(s->influence_offsets);
    free(s->influences);
    memset(s, 0, sizeof *s);
}

graze_model_def soup_model_def(const soup *s)
{
    graze_model_def def = {0};
    def.positions = s->positions;
    def.vertex_count = s->def.vertex_count;
    def.triangles = s->triangles;
    def.triangle_count = s->def.triangle_count;
    def.joint_count = s->def.joint_count;
    def.influence_offsets = s->influence_offsets;
    def.influences = s->influences;
    return def;
}

/* Rotation about a random axis, 3x3. */
static void make_turn(double angle, test_random *random, double m[3][3])
{
    double axis[3], c = cos(angle), s = sin(angle);
    random_direction(random, axis);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m[i][k] = axis[i] * axis[k] * (1 - c) + (i == k ? c : 0);
    m[0][1] -= s * axis[2];
    m[1][0] += s * axis[2];
    m[0][2] += s * axis[1];
    m[2][0] -= s * axis[1];
    m[1][2] -= s * axis[0];
    m[2][1] += s * axis[0];
}

/* Scales the columns of a turn: what each axis is stretched by before it is turned. */
static void make_scales(map_kind kind, test_random *random, double scales[3])
{
    double common = 1;
    if (kind == MAP_CANCELLED)
        common = pow(10, test_random_range(random, 0, 5));
    else if (kind == MAP_TINY)
        common = pow(10, test_random_range(random, test_flushes_denormals() ? -6 : -44, -3));
    else if (kind == MAP_HUGE)
        common = pow(10, test_random_range(random, 3, 12));
    uint32_t dice = test_random_u32(random);
    double ratios = kind == MAP_SCALED || kind == MAP_CANCELLED ? 1 : 0;
    if (kind == MAP_TINY && dice % 2)
        ratios = test_flushes_denormals() ? 2 : 10;
    for (int k = 0; k < 3; k++) {
        scales[k] = common;
        if (ratios > 0)
            scales[k] *= pow(10, test_random_range(random, -ratios, ratios));
    }
    if (kind == MAP_MIRRORED)
        scales[dice % 3] = -1;
    for (uint32_t k = 0; kind == MAP_SINGULAR && k <= dice % 3; k++)
        scales[(dice / 3 + k) % 3] = 0;
}

static void make_lattice_map(double size, test_random *random, float map[12])
{
    uint32_t dice = test_random_u32(random), first = dice % 3, step = 1 + dice / 3 % 2;
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < 3; k++)
            map[4 * i + k] = k == (first + step * i) % 3 ? dice >> (8 + i) & 1 ? -1 : 1 : 0;
        map[4 * i + 3] = (float)(((int)(test_random_u32(random) % 9) - 4) * size / 8);
    }
}

void map_make(map_kind kind, const float centre[3], double size, test_random *random, float map[12])
{
    if (kind == MAP_LATTICE) {
        make_lattice_map(size, random, map);
        return;
    }
    double m[3][3], scales[3], reach = kind == MAP_FAR ? 1e6 : kind == MAP_NEAR ? 0.1 * size : size;
    make_turn(kind == MAP_NEAR ? 0.1 * test_random_unit(random) : 6.3 * test_random_unit(random),
              random, m);
    make_scales(kind, random, scales);
    for (int i = 0; i < 3; i++) {
        double moved = test_random_range(random, -reach, reach);
        if (kind == MAP_TINY)
            moved *= fabs(scales[0]);
        for (int k = 0; k < 3; k++) {
            m[i][k] = kind == MAP_SHEARED ? test_random_range(random, -2, 2) : m[i][k] * scales[k];
            map[4 * i + k] = (float)m[i][k];
            if (kind != MAP_FAR && kind != MAP_HUGE)
                moved -= (double)map[4 * i + k] * centre[k];
        }
        map[4 * i + 3] = (float)(moved + (kind == MAP_TINY ? 0 : centre[i]));
    }
}

void pose_make(map_kind kind, const soup *s, test_random *random, float *maps)
{
    for (uint32_t j = 0; j < s->def.joint_count; j++)
        map_make(kind, s->centre, s->def.size, random, maps + 12 * (size_t)j);
}
