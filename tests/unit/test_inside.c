/* Points inside bodies: known answers, points on corners, edges and faces, rays through them,
 * several shells; lazy == brute force; solid angles; which models are closed.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigid.h"
#include "support/rigs.h"
#include "touch/inside.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- closed meshes ------------------------------------------------------------------------ */

typedef struct shells {
    float *positions;
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} shells;

static void shells_free(shells *s)
{
    free(s->positions);
    free(s->triangles);
}

OWN_VALUE(shells, shells_free)

static void add_vertex(shells *s, float x, float y, float z)
{
    s->positions = realloc(s->positions, 3 * sizeof(float) * (s->vertex_count + 1));
    float *p = s->positions + 3 * (size_t)s->vertex_count++;
    p[0] = x;
    p[1] = y;
    p[2] = z;
}

static void add_triangle(shells *s, uint32_t a, uint32_t b, uint32_t c, bool inward)
{
    s->triangles = realloc(s->triangles, 3 * sizeof(uint32_t) * (s->triangle_count + 1));
    uint32_t *t = s->triangles + 3 * (size_t)s->triangle_count++;
    t[0] = a;
    t[1] = inward ? c : b;
    t[2] = inward ? b : c;
}

/* A cube of n x n squares a side, every side with vertices of its own, as with texture seams. */
static void add_cube(shells *s, const float low[3], float size, uint32_t n, bool inward)
{
    for (int side = 0; side < 6; side++) {
        int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        uint32_t first = s->vertex_count;
        for (uint32_t i = 0; i < (n + 1) * (n + 1); i++) {
            float p[3];
            p[axis] = low[axis] + (side % 2 ? size : 0);
            p[u] = low[u] + size * (float)(i % (n + 1)) / (float)n;
            p[v] = low[v] + size * (float)(i / (n + 1)) / (float)n;
            add_vertex(s, p[0], p[1], p[2]);
        }
        for (uint32_t y = 0; y < n; y++)
            for (uint32_t x = 0; x < n; x++) {
                uint32_t a = first + y * (n + 1) + x, b = a + 1, c = a + n + 1, d = c + 1;
                bool flip = inward != !(side % 2);
                add_triangle(s, a, b, (x + y) % 2 ? d : c, flip);
                add_triangle(s, (x + y) % 2 ? a : b, d, c, flip);
            }
    }
}

/* An octahedron refined so often, its corners put on the sphere where round is set. */
static void add_ball(shells *s, const float centre[3], float radius, uint32_t n, bool round)
{
    for (int octant = 0; octant < 8; octant++) {
        float sx = octant & 1 ? -1.0f : 1.0f, sy = octant & 2 ? -1.0f : 1.0f;
        float sz = octant & 4 ? -1.0f : 1.0f;
        bool flip = (sx * sy * sz) < 0;
        uint32_t first = s->vertex_count;
        for (uint32_t i = 0; i <= n; i++)
            for (uint32_t j = 0; i + j <= n; j++) {
                float x = (float)i, y = (float)j, z = (float)(n - i - j);
                float length = round ? sqrtf(x * x + y * y + z * z) : (float)n;
                add_vertex(s, centre[0] + sx * (radius * x / length),
                           centre[1] + sy * (radius * y / length),
                           centre[2] + sz * (radius * z / length));
            }
        for (uint32_t i = 0, row = first; i < n; row += n - i + 1, i++)
            for (uint32_t j = 0; i + j < n; j++) {
                uint32_t a = row + j, next = row + n - i + 1 + j;
                add_triangle(s, a, next, a + 1, flip);
                if (i + j + 1 < n)
                    add_triangle(s, a + 1, next, next + 1, flip);
            }
    }
}

static graze_model_def shells_def(const shells *s)
{
    return test_rigid_def(s->positions, s->vertex_count, s->triangles, s->triangle_count);
}

static graze_body *shells_body(const shells *s, graze_model **model, uint32_t tree)
{
    graze_model_def def = shells_def(s);
    graze_body *body = NULL;
    def.tree = agreement_tree(tree % agreement_tree_count());
    CHECK(graze_model_create(&def, model, NULL) == GRAZE_OK);
    CHECK(graze_body_create(*model, &body, NULL) == GRAZE_OK);
    return body;
}

/* ---- the judge ---------------------------------------------------------------------------- */

typedef struct tally {
    uint64_t points, inside, surface;
} tally;

static bool equal(graze_point_side a, graze_point_side b)
{
    return a.inside == b.inside && a.on_surface == b.on_surface && a.winding == b.winding;
}

static graze_point_side in_steps(graze_body *body, const float point[3])
{
    grazei_inside_question question;
    grazei_agenda agenda;
    graze_stats stats = {0};
    grazei_inside_begin(&question, &agenda, body, point, &stats);
    for (uint32_t steps = 0; agenda.count && steps < 100000; steps++) {
        agenda.last_bound_test = stats.bound_tests + steps % 5;
        question.base.run(&question.base, &agenda, &stats);
    }
    return grazei_inside_answer(&question);
}

/* Brute force, lazy, and lazy in steps. */
static graze_point_side ask(graze_body *body, const float point[3], tally *seen)
{
    graze_point_side brute = {0}, lazy = {0};
    CHECK(graze_inside(body, point, &brute, &(graze_options){.method = GRAZE_BRUTE}, NULL) ==
          GRAZE_OK);
    graze_body_drop_caches(body);
    CHECK(graze_inside(body, point, &lazy, NULL, NULL) == GRAZE_OK);
    CHECK_MSG(equal(lazy, brute) && equal(in_steps(body, point), brute),
              "%.9g %.9g %.9g: lazy %d %d, brute force %d %d", point[0], point[1], point[2],
              lazy.winding, lazy.on_surface, brute.winding, brute.on_surface);
    CHECK(brute.inside == (brute.on_surface || brute.winding != 0));
    seen->points++;
    seen->inside += brute.winding != 0;
    seen->surface += brute.on_surface;
    return brute;
}

static void print_tally(const tally *seen)
{
    printf("     %llu points, %llu inside, %llu on the surface\n", (unsigned long long)seen->points,
           (unsigned long long)seen->inside, (unsigned long long)seen->surface);
}

/* ---- known answers ------------------------------------------------------------------------ */

/* Where a point is of a cube from low on: -1 outside, 0 on it, 1 inside. */
static int side_of_cube(const float p[3], float low, float size)
{
    int side = 1;
    for (int k = 0; k < 3; k++) {
        if (p[k] < low || p[k] > low + size)
            return -1;
        if (p[k] == low || p[k] == low + size)
            side = 0;
    }
    return side;
}

/* Rays from points of a lattice go along faces, through edges and through corners of all cubes. */
TEST(cubes_on_a_lattice)
{
    tally seen = {0};
    const float outer[3] = {0, 0, 0}, hole[3] = {2, 2, 2}, core[3] = {3, 3, 3}, twin[3] = {8, 0, 0};
    shells s = {0};
    bool closed = false;
    add_cube(&s, outer, 8, 8, false);
    add_cube(&s, hole, 4, 4, true);
    add_cube(&s, core, 2, 3, false);
    add_cube(&s, twin, 8, 2, false); /* shares a face's plane, not its corners */
    for (uint32_t tree = 0; tree < agreement_tree_count(); tree += test_amount(1, 5)) {
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = shells_body(&s, &model, tree);
        CHECK(graze_model_is_closed(model, &closed, NULL) == GRAZE_OK && closed);
        for (int i = 0; i < 19 * 12 * 12; i++) {
            float p[3] = {(float)(i % 19) - 1.5f, (float)(i / 19 % 12) - 1.5f,
                          (float)(i / 228) - 1.5f};
            if (tree % 2) /* on the lattice, or between its points */
                for (int k = 0; k < 3; k++)
                    p[k] += 0.5f;
            int sides[4] = {side_of_cube(p, 0, 8), side_of_cube(p, 2, 4), side_of_cube(p, 3, 2)};
            const float shifted[3] = {p[0] - 8, p[1], p[2]};
            sides[3] = side_of_cube(shifted, 0, 8);
            bool surface = !sides[0] || !sides[1] || !sides[2] || !sides[3];
            int winding = (sides[0] > 0) - (sides[1] > 0) + (sides[2] > 0) + (sides[3] > 0);
            graze_point_side answer = ask(body, p, &seen);
            CHECK_MSG(answer.on_surface == surface && answer.winding == (surface ? 0 : winding),
                      "%g %g %g: %d %d, not %d %d", p[0], p[1], p[2], answer.on_surface,
                      answer.winding, surface, winding);
        }
    }
    shells_free(&s);
    print_tally(&seen);
    CHECK(seen.surface > 100 && seen.inside > 100);
}

/* An octahedron with oblique faces: |x| + |y| + |z| against its radius, exactly. */
TEST(octahedra_on_a_lattice)
{
    tally seen = {0};
    const float centre[3] = {1, -2, 3};
    for (uint32_t n = 1; n <= 8; n *= 2) {
        OWN(shells) s = {0};
        OWN(graze_model) *model = NULL;
        bool closed = false;
        add_ball(&s, centre, 8, n, false);
        OWN(graze_body) *body = shells_body(&s, &model, n);
        CHECK(graze_model_is_closed(model, &closed, NULL) == GRAZE_OK && closed);
        for (int i = 0; i < 19 * 19 * 19; i++) {
            float d[3] = {(float)(i % 19) - 9, (float)(i / 19 % 19) - 9, (float)(i / 361) - 9};
            float p[3] = {centre[0] + d[0], centre[1] + d[1], centre[2] + d[2]};
            float norm = fabsf(d[0]) + fabsf(d[1]) + fabsf(d[2]);
            graze_point_side answer = ask(body, p, &seen);
            CHECK_MSG(answer.on_surface == (norm == 8) && answer.winding == (norm < 8),
                      "%g %g %g: %d %d", d[0], d[1], d[2], answer.on_surface, answer.winding);
        }
    }
    print_tally(&seen);
}

/* Points well inside and outside of a round ball; its corners, edges and faces; solid angles. */
TEST(balls_and_points_on_them)
{
    tally seen = {0};
    shells s = {0};
    graze_model *model;
    const float centre[3] = {0.1f, 0.2f, -0.3f};
    test_random random = test_random_seed(44);
    add_ball(&s, centre, 1, 16, true);
    graze_body *body = shells_body(&s, &model, 0);
    for (uint32_t i = 0; i < test_amount(4000, 500); i++) {
        float p[3], winding;
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double d = test_random_range(&random, -1.3, 1.3);
            p[k] = (float)(centre[k] + d);
            square += d * d;
        }
        graze_point_side answer = ask(body, p, &seen);
        CHECK_MSG((square < 0.98 && answer.winding == 1) || (square > 1 && answer.winding == 0) ||
                      (square >= 0.98 && square <= 1),
                  "at %.9g: winding %d", sqrt(square), answer.winding);
        CHECK(graze_winding_number(body, p, &winding, NULL, NULL) == GRAZE_OK);
        CHECK_MSG(answer.on_surface || fabsf(winding - (float)answer.winding) < 1e-5f,
                  "solid angle %.9g, winding %d", winding, answer.winding);
    }
    for (uint32_t v = 0; v < s.vertex_count; v++)
        CHECK(ask(body, s.positions + 3 * (size_t)v, &seen).on_surface);
    /* Rays that start outside, in line with corners: in and out through them. */
    for (uint32_t v = 0; v < s.vertex_count; v++) {
        const float *p = s.positions + 3 * (size_t)v;
        float before[3] = {-5, p[1], p[2]}, within[3] = {centre[0], p[1], p[2]};
        CHECK(ask(body, before, &seen).winding == 0);
        bool at_rim = fabsf(p[0] - centre[0]) < 1e-6f;
        CHECK(at_rim || ask(body, within, &seen).winding == 1);
    }
    graze_body_destroy(body);
    graze_model_destroy(model);
    shells_free(&s);
    print_tally(&seen);
}

/* ---- characters --------------------------------------------------------------------------- */

static void check_rig(const test_rig *rig, uint32_t number, bool *closed, tally *seen)
{
    const graze_rig *r = rig->rig;
    graze_model_def def = graze_rig_model_def(r);
    OWNED float *joints = malloc(12 * sizeof *joints * r->joint_count);
    OWNED float *positions = malloc(3 * sizeof *positions * r->vertex_count);
    test_random random = test_random_seed(50 + number);
    for (uint32_t k = 0; k < (r->skinned ? 3u : 1u); k++) {
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = NULL;
        def.skinning = (graze_skinning)k;
        def.tree = agreement_tree((number + k) % agreement_tree_count());
        REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
        REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
        CHECK(graze_model_is_closed(model, closed, NULL) == GRAZE_OK);
        uint32_t clip = r->clip_count ? k % r->clip_count : GRAZE_NONE;
        test_rig_sample(r, clip, r->clip_count ? 0.4 * (double)r->clips[clip].seconds : 0, joints);
        graze_pose pose = {.joints = joints, .joint_count = r->joint_count};
        CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
        double middle[3];
        graze_body_get_positions(body, positions);
        double size = test_extent(positions, r->vertex_count, middle);
        uint32_t points = r->triangle_count < 10000 ? 40 : 10;
        for (uint32_t i = 0; i < points; i++) {
            float p[3], winding;
            uint32_t v = test_random_u32(&random) % r->vertex_count;
            for (int axis = 0; axis < 3; axis++)
                p[axis] = i % 2 ? (float)(middle[axis] + size * test_random_range(&random, -.5, .5))
                                : positions[3 * (size_t)v + axis];
            if (i % 2 == 0) /* on the ray through a corner, before it */
                p[0] -= (float)(size * test_random_range(&random, 0.05, 0.3));
            graze_point_side answer = ask(body, p, seen);
            CHECK(graze_winding_number(body, p, &winding, NULL, NULL) == GRAZE_OK);
            CHECK_MSG(!*closed || answer.on_surface ||
                          fabsf(winding - (float)answer.winding) < 1e-4f,
                      "%s: solid angle %.9g, winding %d", rig->name, winding, answer.winding);
        }
    }
}

TEST(characters_agree)
{
    tally seen = {0};
    uint32_t count, closed_count = 0;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t i = 0; i < count; i++) {
        bool closed = false;
        if (test_is_quick() && rigs[i].rig->triangle_count > 3000)
            continue;
        check_rig(&rigs[i], i, &closed, &seen);
        bool character = rigs[i].rig == test_rig_called("dwarf");
        if (!test_is_brief())
            character |=
                rigs[i].rig == test_rig_called("man") || rigs[i].rig == test_rig_called("creature");
        CHECK_MSG(closed || !character, "%s is not closed", rigs[i].name);
        closed_count += closed;
    }
    print_tally(&seen);
    printf("     %u of %u models are closed\n", closed_count, count);
    CHECK(seen.inside > 20);
}

/* A point costs what a ray does: a few patches. */
TEST(points_pose_little)
{
    uint32_t count;
    graze_model_def def = graze_rig_model_def(test_rigs(&count)[1].rig);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    graze_stats stats = {0};
    graze_point_side answer;
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    const float far[3] = {0, 50, 0}, near[3] = {0, 1, 0};
    CHECK(graze_inside(body, far, &answer, &(graze_options){.stats = &stats}, NULL) == GRAZE_OK);
    CHECK(!answer.inside && stats.nodes_refit == 1 && stats.patches_posed == 0);
    CHECK(graze_inside(body, near, &answer, &(graze_options){.stats = &stats}, NULL) == GRAZE_OK);
    CHECK_MSG(stats.patches_posed < graze_model_get_info(model).leaf_count / 4, "%llu patches",
              (unsigned long long)stats.patches_posed);
}

/* ---- closed or not ------------------------------------------------------------------------ */

static bool is_closed(const graze_model_def *def)
{
    OWN(graze_model) *model = NULL;
    bool closed = false;
    graze_error error = {.text = ""};
    CHECK_MSG(graze_model_create(def, &model, &error) == GRAZE_OK, "%s", error.text);
    CHECK(graze_model_is_closed(model, &closed, NULL) == GRAZE_OK);
    return closed;
}

TEST(which_models_are_closed)
{
    const float low[3] = {0, 0, 0};
    OWN(shells) s = {0};
    add_cube(&s, low, 1, 2, false);
    graze_model_def def = shells_def(&s);
    CHECK(is_closed(&def));
    def.triangle_count--; /* a hole */
    CHECK(!is_closed(&def));
    def.triangle_count++;
    uint32_t swapped = s.triangles[0]; /* one triangle the wrong way round */
    s.triangles[0] = s.triangles[1];
    s.triangles[1] = swapped;
    CHECK(!is_closed(&def));
    s.triangles[1] = s.triangles[0];
    s.triangles[0] = swapped;
    CHECK(is_closed(&def));

    /* Seams that come apart: the same place, but other weights or displacements. */
    OWNED uint32_t *offsets = malloc((s.vertex_count + 1) * sizeof *offsets);
    OWNED graze_influence *influences = malloc(s.vertex_count * sizeof *influences);
    for (uint32_t v = 0; v <= s.vertex_count; v++)
        offsets[v] = v;
    for (uint32_t v = 0; v < s.vertex_count; v++)
        influences[v] = (graze_influence){0, 1};
    def.influence_offsets = offsets;
    def.influences = influences;
    def.joint_count = 2;
    CHECK(is_closed(&def));
    influences[0].joint = 1;
    CHECK(!is_closed(&def));
    influences[0].joint = 0;
    const uint32_t moved = 0;
    const float delta[3] = {0, 0, 1}, none[3] = {0, 0, 0};
    graze_morph_target target = {&moved, delta, 1};
    def.morphs = &target;
    def.morph_count = 1;
    CHECK(!is_closed(&def));
    target.deltas = none;
    CHECK(is_closed(&def));
}

/* Triangles without area change nothing, wherever the ray meets them. */
TEST(empty_triangles_do_not_count)
{
    tally seen = {0};
    const float low[3] = {0, 0, 0};
    OWN(shells) s = {0};
    OWN(graze_model) *model = NULL;
    add_cube(&s, low, 4, 2, false);
    add_vertex(&s, 5, 1, 1);
    add_vertex(&s, 9, 1, 1);
    add_vertex(&s, 7, 3, 3);
    add_vertex(&s, 7, 1, 1);
    uint32_t first = s.vertex_count - 4;
    add_triangle(&s, first, first, first, false);
    add_triangle(&s, first, first + 1, first + 3, false);
    add_triangle(&s, first, first + 2, first, false);
    OWN(graze_body) *body = shells_body(&s, &model, 0);
    const float inside[3] = {1, 1, 1}, behind[3] = {4.5f, 1, 1}, on_edge[3] = {6, 2, 2};
    CHECK(ask(body, inside, &seen).winding == 1);
    CHECK(ask(body, behind, &seen).winding == 0);
    CHECK(ask(body, on_edge, &seen).on_surface);
}

/* ---- bad input and memory ----------------------------------------------------------------- */

TEST(bad_points_and_no_memory)
{
    const float low[3] = {0, 0, 0}, points[3][3] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, 1e18f}};
    test_memory memory = {.keeps_failing = true};
    const graze_allocator allocator = test_memory_allocator(&memory);
    OWN(shells) s = {0};
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    graze_error error = {.text = ""};
    graze_point_side answer;
    float winding;
    bool closed = false;
    add_cube(&s, low, 1, 1, false);
    graze_model_def def = shells_def(&s);
    def.allocator = &allocator;
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(graze_inside(body, points[i], &answer, NULL, &error) == GRAZE_BAD_INPUT);
        CHECK(strstr(error.text, "the point"));
        CHECK(graze_inside(body, points[i], &answer, &(graze_options){.method = GRAZE_BRUTE},
                           NULL) == GRAZE_BAD_INPUT);
        CHECK(graze_winding_number(body, points[i], &winding, NULL, NULL) == GRAZE_BAD_INPUT);
    }
    CHECK(graze_inside(NULL, low, &answer, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_model_is_closed(NULL, &closed, NULL) == GRAZE_BAD_INPUT);
    memory.fail_at = memory.calls + 1;
    CHECK(graze_model_is_closed(model, &closed, &error) == GRAZE_OUT_OF_MEMORY && !closed);
    memory.fail_at = memory.calls + 2;
    CHECK(graze_model_is_closed(model, &closed, NULL) == GRAZE_OK && closed);
}
