/* Vibration modes against formulas: plates, beams, rods and rings of steel. */
#include "harness.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/sheet.h"

#include <graze/numerics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

OWN_POINTER(graze_shell_modes, graze_shell_modes_destroy)

#define PI 3.14159265358979323846

/* A def of steel, 10 mm thick, over a sheet. */
static graze_shell_def steel(const test_sheet *sheet, uint32_t modes)
{
    graze_shell_def def = {0};
    def.positions = sheet->positions;
    def.vertex_count = sheet->vertex_count;
    def.triangles = sheet->triangles;
    def.triangle_count = sheet->triangle_count;
    def.thickness = 0.01;
    def.young = 210e9;
    def.poisson = 0.3;
    def.density = 7850;
    def.mode_count = modes;
    return def;
}

/* NULL after a failed check. */
static graze_shell_modes *solve(const graze_shell_def *def)
{
    graze_shell_modes *modes = NULL;
    graze_error error = {.text = ""};
    graze_status status = graze_shell_create_modes(def, &modes, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.text);
    return status ? NULL : modes;
}

static bool is_near(double value, double expected, double share)
{
    return fabs(value - expected) <= share * expected;
}

/* Bending stiffness over mass, as a root: sqrt(D / (density x thickness)). */
static double bending(const graze_shell_def *def)
{
    double poisson = def->no_contraction ? 0 : def->poisson;
    return def->thickness * sqrt(def->young / (12 * (1 - poisson * poisson) * def->density));
}

/* The share of a mode's mass that moves along an axis. */
static double share_along(const graze_shell_modes *modes, uint32_t mode, int axis)
{
    double sum = 0;
    const double *shape = modes->shapes + (size_t)mode * modes->vertex_count * 3;
    for (uint32_t v = 0; v < modes->vertex_count; v++)
        sum += modes->masses[v] * pow(shape[3 * (size_t)v + (size_t)axis], 2);
    return sum;
}

/* Masses of the test's own: a third of each triangle. */
static void check_orthonormal(const graze_shell_def *def, const graze_shell_modes *modes)
{
    OWNED double *masses = calloc(def->vertex_count, sizeof *masses);
    double worst = 0;
    REQUIRE(masses);
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        const uint32_t *c = def->triangles + 3 * (size_t)t;
        double e[2][3], cross2 = 0;
        for (int k = 0; k < 3; k++) {
            double origin = (double)def->positions[3 * (size_t)c[0] + k];
            e[0][k] = (double)def->positions[3 * (size_t)c[1] + k] - origin;
            e[1][k] = (double)def->positions[3 * (size_t)c[2] + k] - origin;
        }
        for (int k = 0; k < 3; k++)
            cross2 += pow(e[0][k] * e[1][(k + 1) % 3] - e[0][(k + 1) % 3] * e[1][k], 2);
        for (int k = 0; k < 3; k++)
            masses[c[k]] += (def->density > 0 ? def->density : 7850) *
                            (def->thickness > 0 ? def->thickness : 0.001) * sqrt(cross2) / 6;
    }
    for (uint32_t a = 0; a < modes->mode_count; a++)
        for (uint32_t b = 0; b <= a; b++) {
            const double *left = modes->shapes + (size_t)a * def->vertex_count * 3;
            const double *right = modes->shapes + (size_t)b * def->vertex_count * 3;
            double sum = a == b ? -1 : 0;
            for (size_t i = 0; i < 3 * (size_t)def->vertex_count; i++)
                sum += masses[i / 3] * left[i] * right[i];
            worst = fabs(sum) > worst ? fabs(sum) : worst;
        }
    CHECK_MSG(worst < 1e-6, "orthonormal to %g", worst);
    CHECK(modes->orthonormality < 1e-6);
}

/* ---- formulas ------------------------------------------------------------------------------ */

/* Leissa, "Vibration of Plates" (1969), table 4.22 onwards: the first eight, two of them double. */
TEST(a_clamped_plate_has_all_of_its_lowest_modes)
{
    static const double leissa[8] = {35.99, 73.41, 73.41, 108.27, 131.64, 132.25, 165.15, 165.15};
    OWN(test_sheet) sheet = test_sheet_make(20, 20, 1, 1);
    graze_shell_def def = steel(&sheet, 8);
    OWNED bool *held = calloc(sheet.vertex_count, sizeof *held);
    REQUIRE(held);
    for (uint32_t v = 0; v < sheet.vertex_count; v++)
        held[v] = v % 21 == 0 || v % 21 == 20 || v / 21 == 0 || v / 21 == 20;
    def.held = held;
    OWN(graze_shell_modes) *modes = solve(&def);
    REQUIRE(modes);
    CHECK_MSG(is_near(modes->frequencies[0], 89.7, 0.03), "%g Hz", modes->frequencies[0]);
    for (int m = 0; m < 8; m++) {
        double expected = leissa[m] * bending(&def) / (2 * PI);
        CHECK_MSG(is_near(modes->frequencies[m], expected, 0.03), "mode %d: %g Hz, not %g", m,
                  modes->frequencies[m], expected);
    }
    CHECK(modes->rigid_count == 0 && modes->piece_count == 1 && modes->held_count == 80);
    CHECK(is_near(modes->mass, 78.5, 1e-6));
    check_orthonormal(&def, modes);
    for (uint32_t v = 0; v < sheet.vertex_count; v++)
        CHECK(!held[v] || modes->shapes[3 * (size_t)v + 2] == 0);
}

/* A beam 1 m long and 0.05 m wide, held at one end; it bends along z. */
TEST(a_cantilever_bends_as_a_beam_and_stretches_as_a_rod)
{
    OWN(test_sheet) sheet = test_sheet_make(40, 2, 1, 0.05);
    graze_shell_def def = steel(&sheet, 20);
    bool held[123];
    for (uint32_t v = 0; v < sheet.vertex_count; v++)
        held[v] = sheet.positions[3 * (size_t)v] == 0;
    def.held = held;
    graze_shell_modes *modes = solve(&def);
    REQUIRE(modes);
    static const double expected[2] = {8.36, 52.4};
    uint32_t bent = 0;
    for (uint32_t m = 0; m < modes->mode_count && bent < 2; m++)
        if (share_along(modes, m, 2) > 0.9) {
            CHECK_MSG(is_near(modes->frequencies[m], expected[bent], 0.03), "%g Hz",
                      modes->frequencies[m]);
            bent++;
        }
    CHECK(bent == 2);
    check_orthonormal(&def, modes);
    graze_shell_modes_destroy(modes);
    def.no_contraction = true;
    modes = solve(&def);
    REQUIRE(modes);
    uint32_t rods = 0;
    for (uint32_t m = 0; m < modes->mode_count; m++)
        if (share_along(modes, m, 0) > 0.95) {
            double rod = sqrt(def.young / def.density) / 4;
            CHECK_MSG(is_near(modes->frequencies[m], rod, 0.01), "%g Hz", modes->frequencies[m]);
            rods++;
        }
    CHECK_MSG(rods == 1, "%u modes stretch it", rods);
    graze_shell_modes_destroy(modes);
}

TEST(a_free_plate_has_six_rigid_modes_far_below)
{
    OWN(test_sheet) sheet = test_sheet_make(16, 16, 1, 1);
    graze_shell_def def = steel(&sheet, 5);
    OWN(graze_shell_modes) *modes = solve(&def);
    REQUIRE(modes);
    static const double leissa[5] = {13.489, 19.789, 24.432, 35.024, 35.024};
    for (int m = 0; m < 5; m++) {
        double expected = leissa[m] * bending(&def) / (2 * PI);
        CHECK_MSG(is_near(modes->frequencies[m], expected, 0.03), "mode %d: %g Hz, not %g", m,
                  modes->frequencies[m], expected);
    }
    CHECK(modes->rigid_count == 6);
    CHECK_MSG(modes->rigid_frequency < 1e-3 * modes->frequencies[0], "%g Hz",
              modes->rigid_frequency);
    check_orthonormal(&def, modes);
}

/* A ring bends in its plane without stretching: Love, "Mathematical Theory of Elasticity", 293. */
TEST(a_ring_bends_as_rings_do)
{
    enum { AROUND = 64 };
    OWN(test_sheet) sheet = test_sheet_make(AROUND, 2, 1, 0.1);
    for (uint32_t v = 0; v < sheet.vertex_count; v++) {
        float *p = sheet.positions + 3 * (size_t)v, y = p[1];
        double angle = 2 * PI * (v % (AROUND + 1) % AROUND) / AROUND;
        p[0] = (float)cos(angle); /* the last column lies on the first */
        p[1] = (float)sin(angle);
        p[2] = y;
    }
    graze_shell_def def = steel(&sheet, 12);
    def.no_contraction = true;
    OWN(graze_shell_modes) *modes = solve(&def);
    REQUIRE(modes);
    CHECK(modes->rigid_count == 6 && modes->point_count == 3 * AROUND);
    uint32_t found = 0;
    for (uint32_t m = 0; m < modes->mode_count && found < 4; m++) {
        if (share_along(modes, m, 2) > 0.05)
            continue;
        double n = 2 + found++ / 2;
        double expected = n * (n * n - 1) / sqrt(n * n + 1) * bending(&def) / (2 * PI);
        CHECK_MSG(is_near(modes->frequencies[m], expected, 0.03), "%g Hz, not %g",
                  modes->frequencies[m], expected);
    }
    CHECK(found == 4);
}

/* A grid over each face of a cube, pushed out onto the sphere. */
static test_sheet make_sphere(uint32_t across)
{
    test_sheet whole = {NULL, NULL, 0, 0};
    for (int face = 0; face < 6; face++) {
        static const float nowhere[3];
        test_sheet side = test_sheet_make(across, across, 1, 1), sofar = whole;
        for (uint32_t v = 0; v < side.vertex_count; v++) {
            float *p = side.positions + 3 * (size_t)v;
            double at[3] = {tan(PI / 4 * (2 * (double)p[0] - 1)),
                            tan(PI / 4 * (2 * (double)p[1] - 1)), 1};
            double length = sqrt(at[0] * at[0] + at[1] * at[1] + 1), turn = face < 3 ? 1 : -1;
            for (int k = 0; k < 3; k++)
                p[(k + face) % 3] = (float)(turn * round(at[k] / length * 1e5) / 1e5);
        }
        whole = sofar.positions ? test_sheet_join(&sofar, &side, nowhere) : side;
        if (sofar.positions) {
            test_sheet_free(&sofar);
            test_sheet_free(&side);
        }
    }
    return whole;
}

/* Lamb (1882): five and seven modes of one frequency each, which a method that goes from one vector
 * to the next finds one by one.
 */
TEST(a_sphere_has_all_of_its_equal_modes)
{
    OWN(test_sheet) sheet = make_sphere(12);
    graze_shell_def def = steel(&sheet, 12);
    OWN(graze_shell_modes) *modes = solve(&def);
    REQUIRE(modes);
    CHECK(modes->piece_count == 1 && modes->point_count == 6 * 12 * 12 + 2);
    CHECK(modes->rigid_count == 6 && modes->rigid_frequency < 1e-3 * modes->frequencies[0]);
    for (uint32_t m = 0; m < 12; m++) {
        double poisson = def.poisson, waves = m < 5 ? 2 * 3 : 3 * 4;
        double sum = 1 + 3 * poisson + waves, product = (1 - poisson * poisson) * (waves - 2);
        double square = (sum - sqrt(sum * sum - 4 * product)) / 2;
        double expected =
            sqrt(square * def.young / (def.density * (1 - poisson * poisson))) / (2 * PI);
        CHECK_MSG(is_near(modes->frequencies[m], expected, 0.03), "mode %u: %g Hz, not %g", m,
                  modes->frequencies[m], expected);
    }
    check_orthonormal(&def, modes);
}

/* ---- the same sheet otherwise ---------------------------------------------------------------- */

static void check_same(const graze_shell_modes *one, const graze_shell_modes *other, double share)
{
    CHECK(one->mode_count == other->mode_count);
    for (uint32_t m = 0; m < one->mode_count && m < other->mode_count; m++)
        CHECK_MSG(is_near(other->frequencies[m], one->frequencies[m], share), "%.12g and %.12g Hz",
                  one->frequencies[m], other->frequencies[m]);
}

TEST(where_a_sheet_lies_does_not_matter)
{
    OWN(test_sheet) sheet = test_sheet_make(9, 6, 0.75, 0.5);
    graze_shell_def def = steel(&sheet, 6);
    OWN(graze_shell_modes) *flat = solve(&def);
    for (uint32_t v = 0; v < sheet.vertex_count; v++) {
        float *p = sheet.positions + 3 * (size_t)v;
        double x = (double)p[0], y = (double)p[1];
        p[0] = (float)(0.36 * x + 0.48 * y + 1); /* columns of an orthogonal matrix */
        p[1] = (float)(0.48 * x + 0.64 * y - 2);
        p[2] = (float)(-0.8 * x + 0.6 * y);
    }
    OWN(graze_shell_modes) *turned = solve(&def);
    REQUIRE(flat && turned);
    check_same(flat, turned, 1e-5);
}

TEST(vertices_at_one_position_move_as_one)
{
    OWN(test_sheet) sheet = test_sheet_make(9, 6, 0.75, 0.5), split = test_sheet_split(&sheet);
    graze_shell_def def = steel(&sheet, 6), split_def = steel(&split, 6);
    OWN(graze_shell_modes) *whole = solve(&def), *parts = solve(&split_def);
    REQUIRE(whole && parts);
    check_same(whole, parts, 1e-9);
    CHECK(parts->point_count == sheet.vertex_count && parts->vertex_count == split.vertex_count);
    CHECK(parts->piece_count == 1);
    check_orthonormal(&split_def, parts);
    for (uint32_t m = 0; m < 6; m++)
        for (uint32_t i = 0; i < split.vertex_count; i++)
            for (int k = 0; k < 3; k++) {
                size_t v = (size_t)sheet.triangles[i];
                double one = whole->shapes[(m * (size_t)sheet.vertex_count + v) * 3 + (size_t)k];
                double other = parts->shapes[(m * (size_t)split.vertex_count + i) * 3 + (size_t)k];
                CHECK(fabs(fabs(one) - fabs(other)) < 1e-6);
            }
}

TEST(pieces_vibrate_each_for_itself)
{
    static const float far[3] = {3, 0, 0};
    OWN(test_sheet) sheet = test_sheet_make(9, 6, 0.75, 0.5);
    OWN(test_sheet) both = test_sheet_join(&sheet, &sheet, far);
    graze_shell_def def = steel(&sheet, 4), both_def = steel(&both, 8);
    OWN(graze_shell_modes) *one = solve(&def), *two = solve(&both_def);
    REQUIRE(one && two);
    CHECK(two->piece_count == 2 && two->rigid_count == 12);
    for (uint32_t m = 0; m < 8; m++) {
        CHECK(is_near(two->frequencies[m], one->frequencies[m / 2], 1e-5));
        double sums[2] = {0, 0};
        for (size_t i = 0; i < 3 * (size_t)both.vertex_count; i++)
            sums[i >= 3 * (size_t)sheet.vertex_count] +=
                fabs(two->shapes[m * 3 * (size_t)both.vertex_count + i]);
        CHECK(sums[0] == 0 || sums[1] == 0);
    }
    OWNED bool *held = calloc(both.vertex_count, sizeof *held);
    REQUIRE(held);
    held[0] = true;
    both_def.held = held;
    OWN(graze_shell_modes) *half = solve(&both_def);
    REQUIRE(half);
    CHECK(half->rigid_count == 6);
    check_orthonormal(&both_def, half);
}

/* Triangles with a corner twice or three in a line, and vertices in none. */
TEST(triangles_without_area_change_nothing)
{
    OWN(test_sheet) sheet = test_sheet_make(9, 6, 0.75, 0.5);
    graze_shell_def def = steel(&sheet, 6);
    OWN(graze_shell_modes) *clean = solve(&def);
    uint32_t count = sheet.triangle_count;
    OWNED uint32_t *more = malloc(3 * ((size_t)count + 3) * sizeof *more);
    OWNED float *positions = malloc(3 * ((size_t)sheet.vertex_count + 1) * sizeof *positions);
    REQUIRE(clean && more && positions);
    static const uint32_t flat[9] = {0, 0, 1, 0, 1, 2, 5, 5, 5};
    memcpy(more, flat, sizeof flat);
    memcpy(more + 9, sheet.triangles, 3 * (size_t)count * sizeof *more);
    memcpy(positions, sheet.positions, 3 * (size_t)sheet.vertex_count * sizeof *positions);
    memset(positions + 3 * (size_t)sheet.vertex_count, 0x40, 3 * sizeof *positions);
    def.triangles = more;
    def.triangle_count = count + 3;
    def.positions = positions;
    def.vertex_count++;
    OWN(graze_shell_modes) *dirty = solve(&def);
    REQUIRE(dirty);
    check_same(clean, dirty, 1e-9);
    CHECK(dirty->flat_triangles == 3 && dirty->loose_vertices == 1);
    CHECK(dirty->shapes[3 * (size_t)sheet.vertex_count + 2] == 0);
    CHECK(dirty->masses[sheet.vertex_count] == 0);
}

/* A single triangle has nine ways to move, three of which are not rigid. */
TEST(the_smallest_shell)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t triangle[3] = {0, 1, 2};
    graze_shell_def def = {0};
    def.positions = positions;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    def.mode_count = 3;
    OWN(graze_shell_modes) *modes = solve(&def);
    REQUIRE(modes);
    CHECK(modes->rigid_count == 6 && modes->frequencies[0] > 0);
    check_orthonormal(&def, modes);
}

/* ---- bad input ----------------------------------------------------------------------------- */

static void refused(const graze_shell_def *def, graze_status status, const char *expected)
{
    graze_shell_modes *modes = NULL;
    graze_error error = {.text = ""};
    CHECK(graze_shell_create_modes(def, &modes, &error) == status && !modes);
    CHECK_MSG(error.status == status && strstr(error.text, expected), "%s", error.text);
    CHECK(graze_shell_create_modes(def, &modes, NULL) == status && !modes);
}

TEST(bad_materials_and_meshes_are_refused)
{
    OWN(test_sheet) sheet = test_sheet_make(3, 2, 1, 1);
    graze_shell_def good = steel(&sheet, 2), def = good;
    bool held[12] = {false};
    refused(NULL, GRAZE_BAD_INPUT, "the def is NULL");
    CHECK(graze_shell_create_modes(&good, NULL, NULL) == GRAZE_BAD_INPUT);
    def.thickness = -1;
    refused(&def, GRAZE_BAD_INPUT, "thickness is -1");
    def = good;
    def.young = -1;
    refused(&def, GRAZE_BAD_INPUT, "Young's modulus is -1");
    def = good;
    def.density = (double)NAN;
    refused(&def, GRAZE_BAD_INPUT, "density is");
    def = good;
    def.poisson = 0.5;
    refused(&def, GRAZE_BAD_INPUT, "Poisson's ratio is 0.5");
    def = good;
    def.reserved[0] = 1;
    refused(&def, GRAZE_BAD_INPUT, "reserved[0]");
    def = good;
    def.mode_count = 31;
    refused(&def, GRAZE_BAD_INPUT, "31 modes are wanted, and 12 free points have only 30");
    def.mode_count = 30;
    graze_shell_modes *all = solve(&def);
    graze_shell_modes_destroy(all);
    def = good;
    def.triangle_count = 0;
    refused(&def, GRAZE_BAD_INPUT, "no vertices or triangles");
    def = good;
    def.thickness = 1e-8;
    refused(&def, GRAZE_UNSUPPORTED, "too thin");
    def = good;
    memset(held, true, sizeof held);
    def.held = held;
    refused(&def, GRAZE_BAD_INPUT, "every vertex is held");
    sheet.triangles[4] = 12;
    refused(&good, GRAZE_BAD_INPUT, "triangle 1 refers to vertex 12 of 12");
    sheet.positions[5] = NAN;
    refused(&good, GRAZE_BAD_INPUT, "vertex 1 has a coordinate");
    memset(sheet.positions, 0, 36 * sizeof *sheet.positions);
    sheet.triangles[4] = 0;
    refused(&good, GRAZE_BAD_INPUT, "no triangle has an area");
    graze_shell_modes_destroy(NULL);
}

static graze_status make_modes(const graze_allocator *allocator, void *about, graze_error *error)
{
    graze_shell_def def = *(const graze_shell_def *)about;
    graze_shell_modes *modes = NULL;
    def.allocator = allocator;
    graze_status status = graze_shell_create_modes(&def, &modes, error);
    CHECK(!status == (modes != NULL));
    graze_shell_modes_destroy(modes);
    return status;
}

TEST(running_out_of_memory_leaves_nothing)
{
    OWN(test_sheet) sheet = test_sheet_make(3, 2, 1, 1);
    graze_shell_def def = steel(&sheet, 2);
    test_memory memory = {.keeps_failing = true};
    CHECK(test_fail_each(&memory, make_modes, &def, 10000) > 0);
}
