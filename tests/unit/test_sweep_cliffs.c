/* Sweeps where everything meets at once, or nearly does all the time: bodies that stand still near
 * each other, move as one, pass through a mirror, shrink to a point. Answers are those of brute
 * force, and most pairs of triangles are never looked at.
 */
#include "harness.h"
#include "support/impacts.h"
#include "support/own.h"
#include "support/variants.h"

#include <graze/ext/inspect.h>
#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>

/* ---- meshes --------------------------------------------------------------------------------- */

typedef struct mesh {
    float positions[4096][3];
    uint32_t triangles[8192][3];
    uint32_t vertex_count, triangle_count;
} mesh;

static uint32_t add_vertex(mesh *m, double x, double y, double z)
{
    float *p = m->positions[m->vertex_count];
    p[0] = (float)x;
    p[1] = (float)y;
    p[2] = (float)z;
    return m->vertex_count++;
}

static void add_triangle(mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = m->triangles[m->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/* A cone without a base: all triangles go round its tip. */
static void make_cone(mesh *m, uint32_t count, double unused)
{
    const double turn = 6.283185307179586 / count;
    (void)unused;
    add_vertex(m, 0, 0, 1);
    for (uint32_t i = 0; i < count; i++) {
        add_vertex(m, cos(turn * i), sin(turn * i), 0);
        add_triangle(m, 0, 1 + i, 1 + (i + 1) % count);
    }
}

/* A square of side 1 with waves. */
static void make_grid(mesh *m, uint32_t side, double height)
{
    for (uint32_t i = 0; i <= side; i++)
        for (uint32_t k = 0; k <= side; k++) {
            double x = (double)i / side, y = (double)k / side;
            uint32_t v = add_vertex(m, x, y, height * sin(7 * x) * cos(5 * y));
            if (i < side && k < side) {
                add_triangle(m, v, v + side + 1, v + 1);
                add_triangle(m, v + 1, v + side + 1, v + side + 2);
            }
        }
}

/* A sphere of radius 1; radius 0: all its triangles are one point. */
static void make_sphere(mesh *m, uint32_t bands, double radius)
{
    uint32_t around = 2 * bands;
    for (uint32_t i = 0; i <= bands; i++)
        for (uint32_t k = 0; k < around; k++) {
            double down = 3.141592653589793 * i / bands, turn = 3.141592653589793 * k / bands;
            add_vertex(m, 0.1 + radius * sin(down) * cos(turn),
                       0.2 + radius * sin(down) * sin(turn), 0.3 + radius * cos(down));
        }
    for (uint32_t i = 0; i < bands; i++)
        for (uint32_t k = 0; k < around; k++) {
            uint32_t a = i * around + k, b = i * around + (k + 1) % around;
            if (i > 0)
                add_triangle(m, a, a + around, b);
            if (i + 1 < bands)
                add_triangle(m, b, a + around, b + around);
        }
}

/* ---- bodies --------------------------------------------------------------------------------- */

typedef void (*make_mesh)(mesh *m, uint32_t size, double shape);

static graze_model *make_model(make_mesh make, uint32_t size, double shape, uint32_t patch,
                               uint32_t isa)
{
    OWNED mesh *m = calloc(1, sizeof *m);
    graze_model_def def = {0};
    graze_model *model = NULL;
    make(m, size, shape);
    def.positions = &m->positions[0][0];
    def.vertex_count = m->vertex_count;
    def.triangles = &m->triangles[0][0];
    def.triangle_count = m->triangle_count;
    def.joint_count = 1;
    def.tree.patch_triangles = patch;
    def.isa = variants_isa(isa);
    CHECK(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    return model;
}

static graze_body *make_body(const graze_model *model, const float map[12])
{
    graze_pose pose = {.joints = map, .joint_count = 1};
    graze_body *body = NULL;
    CHECK(graze_body_create(model, &body, NULL) == GRAZE_OK);
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
    return body;
}

static graze_motion make_motion(const graze_model *model, const float start[12],
                                const float end[12])
{
    return (graze_motion){.start = make_body(model, start), .end = make_body(model, end)};
}

static void free_motion(graze_motion *motion)
{
    graze_body_destroy(motion->start);
    graze_body_destroy(motion->end);
}

OWN_VALUE(graze_motion, free_motion)

#define STRETCH(x, y, z)                                                                           \
    {                                                                                              \
        x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0                                                         \
    }
#define MOVE(x, y, z)                                                                              \
    {                                                                                              \
        1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z                                                         \
    }

static const float stay[12] = STRETCH(1, 1, 1), up[12] = MOVE(0, 0, 7e-4f);
static const float far_away[12] = MOVE(300, -40, 5), far_up[12] = MOVE(300, -40, 5.0007f);
static const float down[12] = MOVE(0, 0, -3e-4f), aside[12] = MOVE(0.31f, 0.17f, 0);
static const float point_mirror[12] = STRETCH(-1, -1, -1), mirror[12] = STRETCH(-1, 1, 1);
static const float line_mirror[12] = STRETCH(-1, 1, -1), to_a_point[12] = STRETCH(0, 0, 0);
static const float smaller[12] = STRETCH(0.9995f, 0.9995f, 0.9995f);
static const float turned[12] = {0.8f, -0.6f, 0, 0, 0.6f, 0.8f, 0, 0, 0, 0, 1, 0};
static const float turned_smaller[12] = {0.7996f, -0.5997f, 0, 0, 0.5997f, 0.7996f,
                                         0,       0,        0, 0, 0.9995f, 0};

/* ---- against brute force -------------------------------------------------------------------- */

typedef struct scene {
    const char *name;
    make_mesh make;
    uint32_t size;
    double shape;
    bool self;
    const float *maps[4]; /* start and end of a, of b */
} scene;

static const scene scenes[] = {
    {"cones standing still", make_cone, 300, 0, false, {stay, stay, up, up}},
    {"cones moving as one", make_cone, 300, 0, false, {stay, far_away, up, far_up}},
    {"cones meeting at their tips", make_cone, 150, 0, false, {stay, stay, up, stay}},
    {"a cone through a mirror", make_cone, 300, 0, true, {stay, mirror}},
    {"spheres in each other", make_sphere, 12, 1, false, {stay, stay, smaller, smaller}},
    {"spheres turning as one", make_sphere, 12, 1, false, {stay, turned, smaller, turned_smaller}},
    {"a sphere turning in another", make_sphere, 12, 1, false, {stay, stay, smaller, turned}},
    {"a sphere on its way", make_sphere, 12, 1, true, {stay, far_away}},
    {"a sphere through a mirror", make_sphere, 12, 1, true, {stay, mirror}},
    {"a sphere through a point", make_sphere, 10, 1, true, {stay, point_mirror}},
    {"a sphere through a line", make_sphere, 10, 1, true, {stay, line_mirror}},
    {"a sphere to a point", make_sphere, 10, 1, true, {stay, to_a_point}},
    {"a grid through a mirror", make_grid, 14, 0.3, true, {stay, mirror}},
    {"a grid through a point", make_grid, 12, 0.3, true, {stay, point_mirror}},
    {"flat grids through each other", make_grid, 14, 0, false, {stay, stay, up, down}},
    {"flat grids on each other", make_grid, 14, 0, false, {stay, stay, stay, aside}},
    {"a sphere on itself", make_sphere, 10, 1, false, {stay, far_away, stay, turned}},
    {"points on each other", make_sphere, 8, 0, false, {stay, far_away, stay, far_away}},
    {"points to each other", make_sphere, 8, 0, false, {stay, up, up, stay}},
};

static void check_scene(const scene *s, uint32_t patch, uint32_t isa, bool only_new)
{
    OWN(impact_set) expected = {0}, found = {0};
    graze_impact impact;
    OWN(graze_model) *model = make_model(s->make, s->size, s->shape, patch, isa);
    OWN(graze_motion) a = make_motion(model, s->maps[0], s->maps[1]);
    OWN(graze_motion) b = {.start = NULL, .end = NULL};
    const graze_motion *other = s->self ? NULL : &b;
    if (!s->self)
        b = make_motion(model, s->maps[2], s->maps[3]);
    CHECK(graze_sweep_all(&a, other, TO_IMPACT_SET(&expected),
                          &(graze_options){.only_new = only_new, .method = GRAZE_BRUTE},
                          NULL) == GRAZE_OK);
    CHECK(graze_sweep_all(&a, other, TO_IMPACT_SET(&found), &(graze_options){.only_new = only_new},
                          NULL) == GRAZE_OK);
    CHECK(graze_sweep(&a, other, &impact, &(graze_options){.only_new = only_new}, NULL) ==
          GRAZE_OK);
    const graze_impact best = impact_set_earliest(&expected);
    CHECK_MSG(impact_same(&impact, &best), "%s: %u %u at %.9g, brute force says %u %u at %.9g",
              s->name, impact.triangles[0], impact.triangles[1], (double)impact.time,
              best.triangles[0], best.triangles[1], (double)best.time);
    CHECK_MSG(impact_set_equal(&found, &expected, NULL),
              "%s: %zu impacts differ from the %zu of brute force", s->name, found.count,
              expected.count);
}

TEST(what_meets_at_once_agrees_with_brute_force)
{
    for (uint32_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        for (uint32_t isa = 0; isa < 3; isa++) /* all that this machine has */
            check_scene(&scenes[i], isa == 1 ? 128 : 64, isa, i % 2);
}

/* ---- how little is looked at ---------------------------------------------------------------- */

static graze_stats count_tests(const scene *s, uint32_t isa)
{
    graze_stats stats = {0};
    graze_impact impact;
    OWN(graze_model) *model = make_model(s->make, s->size, s->shape, 64, isa);
    OWN(graze_motion) a = make_motion(model, s->maps[0], s->maps[1]);
    OWN(graze_motion) b = {.start = NULL, .end = NULL};
    if (!s->self)
        b = make_motion(model, s->maps[2], s->maps[3]);
    CHECK(graze_sweep(&a, s->self ? NULL : &b, &impact, &(graze_options){.stats = &stats}, NULL) ==
          GRAZE_OK);
    return stats;
}

/* Of so many pairs of triangles in all. */
TEST(few_triangles_are_tested)
{
    static const struct {
        scene scene;
        uint64_t most; /* tests */
    } cases[] = {
        {{"cones standing still", make_cone, 2000, 0, false, {stay, stay, up, up}}, 4000},
        {{"cones moving as one", make_cone, 2000, 0, false, {stay, far_away, up, far_up}}, 4000},
        {{"a sphere on its way", make_sphere, 20, 1, true, {stay, far_away}}, 20000},
        {{"a sphere through a point", make_sphere, 30, 1, true, {stay, point_mirror}}, 1000000},
        {{"points on each other", make_sphere, 20, 0, false, {stay, far_away, stay, far_away}},
         200000},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t isa = 0; isa < 3; isa++) {
            graze_stats stats = count_tests(&cases[i].scene, isa);
            CHECK_MSG(stats.triangle_tests <= cases[i].most, "%s: %llu triangle tests",
                      cases[i].scene.name, (unsigned long long)stats.triangle_tests);
        }
}
