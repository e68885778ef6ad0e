/* Surfaces side by side, where very many pairs of triangles are about equally near: what parts them
 * there must not leave out the nearest. Judged by all pairs within a distance, which are found
 * another way.
 */
#include "harness.h"
#include "narrow/distance.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/quick.h"
#include "support/rigid.h"
#include "support/variants.h"

#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An uneven sphere, or a cloth of side `radius` whose last triangles go back to its first edge:
 * waves of such a height, so many along each way.
 */
typedef struct sphere {
    uint32_t bands;
    double radius, height, waves;
    bool is_cloth;
} sphere;

static void place_vertex(const sphere *s, double down, double around, float out[3])
{
    double wave = s->height * sin(s->waves * down) * cos(s->waves * around);
    double radius = s->radius + wave;
    if (s->is_cloth) {
        out[0] = (float)(s->radius * down / 3);
        out[1] = (float)(s->radius * around / 6);
        out[2] = (float)wave;
        return;
    }
    out[0] = (float)(radius * sin(down) * cos(around));
    out[1] = (float)(radius * sin(down) * sin(around));
    out[2] = (float)(radius * cos(down));
}

static uint32_t count_vertices(const sphere *s)
{
    return (s->bands + 1) * 2 * s->bands;
}

static void find_corners(const sphere *s, uint32_t triangle, uint32_t corners[3])
{
    uint32_t segments = 2 * s->bands, square = triangle / 2, row = square / segments * segments;
    uint32_t here = row + square % segments, next = row + (square + 1) % segments;
    corners[0] = here;
    corners[1] = triangle % 2 ? next + segments : here + segments;
    corners[2] = triangle % 2 ? next : next + segments;
}

static graze_body *make_sphere(const sphere *s, graze_isa isa)
{
    const double pi = 3.14159265358979323846;
    uint32_t segments = 2 * s->bands, vertices = count_vertices(s);
    uint32_t count = 2 * s->bands * segments;
    OWNED float *positions = calloc(3 * (size_t)vertices, sizeof *positions);
    OWNED uint32_t *triangles = calloc(3 * (size_t)count, sizeof *triangles);
    OWN(graze_model) *model = NULL;
    graze_body *body = NULL;
    for (uint32_t v = 0; v < vertices; v++)
        place_vertex(s, pi * (v / segments) / s->bands, 2 * pi * (v % segments) / segments,
                     positions + 3 * (size_t)v);
    for (uint32_t i = 0; i < count; i++)
        find_corners(s, i, triangles + 3 * (size_t)i);
    graze_model_def def = test_rigid_def(positions, vertices, triangles, count);
    def.isa = isa;
    if (!graze_model_create(&def, &model, NULL) && graze_body_create(model, &body, NULL))
        body = NULL;
    return body;
}

static void place(graze_body *body, const float placement[12])
{
    static const float still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    graze_pose pose = {
        .joints = still, .joint_count = 1, .layout = GRAZE_ROWS_3X4, .placement = placement};
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
}

static double square_of(const float *const positions[2], const sphere *const spheres[2],
                        graze_pair pair)
{
    float corners[2][3][3];
    uint32_t numbers[2] = {pair.a, pair.b};
    for (int side = 0; side < 2; side++) {
        uint32_t vertices[3];
        find_corners(spheres[side], numbers[side], vertices);
        for (int c = 0; c < 3; c++)
            memcpy(corners[side][c], positions[side] + 3 * (size_t)vertices[c],
                   sizeof corners[side][c]);
    }
    return grazei_triangle_distance_square((const float(*)[3])corners[0],
                                           (const float(*)[3])corners[1]);
}

/* Of all pairs within the distance the found one is the nearest, or the first of those. */
static void judge(graze_body *const bodies[2], const sphere *const spheres[2],
                  const graze_nearest *nearest, const char *name)
{
    pair_set within = {0};
    float *positions[2];
    double least = INFINITY;
    graze_pair first = {.a = UINT32_MAX, .b = UINT32_MAX};
    CHECK(graze_pairs_within(bodies[0], bodies[1], nearest->distance, TO_PAIR_SET(&within), NULL,
                             NULL) == GRAZE_OK);
    for (int side = 0; side < 2; side++) {
        positions[side] = calloc(3 * (size_t)count_vertices(spheres[side]), sizeof **positions);
        graze_body_get_positions(bodies[side], positions[side]);
    }
    CHECK(pair_set_sort(&within) && within.count > 0);
    for (size_t i = 0; i < within.count; i++) {
        double square = square_of((const float *const *)positions, spheres, within.pairs[i]);
        first = square < least ? within.pairs[i] : first;
        least = square < least ? square : least;
    }
    CHECK_MSG(first.a == nearest->pair.a && first.b == nearest->pair.b,
              "%s: %u %u found at %.17g, %u %u at %.17g is nearer or comes first", name,
              nearest->pair.a, nearest->pair.b, nearest->distance, first.a, first.b, sqrt(least));
    pair_set_free(&within);
    free(positions[0]);
    free(positions[1]);
}

/* Two bodies in their places, either way round: the same answer, and the same after as much work on
 * every instruction set.
 */
static void compare_variants(const sphere spheres[2], const float placements[2][12],
                             const char *what)
{
    for (int way = 0; way < 2; way++) {
        graze_nearest first = {.found = false};
        graze_stats work = {0};
        for (uint32_t v = 0; v < 3; v++) {
            char name[96];
            graze_nearest nearest;
            graze_stats stats = {0};
            OWN(graze_body) *a = make_sphere(&spheres[way], variants_isa(v));
            OWN(graze_body) *b = make_sphere(&spheres[!way], variants_isa(v));
            REQUIRE(a && b);
            snprintf(name, sizeof name, "%s, way %d, variant %u", what, way, v);
            place(a, placements[way]);
            place(b, placements[!way]);
            CHECK(graze_distance(a, b, INFINITY, &nearest, &(graze_options){.stats = &stats},
                                 NULL) == GRAZE_OK);
            if (v == 0) {
                judge((graze_body *[2]){a, b}, (const sphere *[2]){&spheres[way], &spheres[!way]},
                      &nearest, name);
                first = nearest;
                work = stats;
            }
            CHECK_MSG(first.distance == nearest.distance &&
                          memcmp(&first.pair, &nearest.pair, sizeof first.pair) == 0 &&
                          memcmp(first.points, nearest.points, sizeof first.points) == 0,
                      "%s: another answer", name);
            CHECK_MSG(
                stats.bound_tests == work.bound_tests &&
                    stats.vertices_posed == work.vertices_posed &&
                    stats.triangle_tests == work.triangle_tests,
                "%s: %llu bounds and %llu triangles tested, not %llu and %llu", name,
                (unsigned long long)stats.bound_tests, (unsigned long long)stats.triangle_tests,
                (unsigned long long)work.bound_tests, (unsigned long long)work.triangle_tests);
        }
    }
}

/* Spheres in each other, uneven or not, in the middle, beside it, turned, tiny. */
TEST(spheres_in_each_other)
{
    static const float places[][12] = {
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
        {1, 0, 0, 1e-4f, 0, 1, 0, -2e-4f, 0, 0, 1, 1e-4f},
        {2 / 3.f, -1 / 3.f, 2 / 3.f, 0, 2 / 3.f, 2 / 3.f, -1 / 3.f, 1e-5f, -1 / 3.f, 2 / 3.f,
         2 / 3.f, 0},
        {1e-9f, 0, 0, 0, 0, 1e-9f, 0, 0, 0, 0, 1e-9f, 0},
    };
    for (uint32_t i = 0; i < sizeof places / sizeof *places; i++)
        for (int even = 0; even < 2; even++) {
            char name[64];
            float placements[2][12];
            sphere outer = {test_amount(64, 40), 1, even ? 0 : 2e-4, 11, false};
            sphere inner = {outer.bands, 0.94, even ? 0 : 1e-4, 7, false};
            memcpy(placements[0], places[i == 3 ? 3 : 0], sizeof placements[0]);
            memcpy(placements[1], places[i], sizeof placements[1]);
            snprintf(name, sizeof name, "place %u, even %d", i, even);
            compare_variants((const sphere[2]){outer, inner}, (const float(*)[12])placements, name);
        }
}

/* Cloths that hang behind each other, near and so far away that floats tell nothing apart, askew or
 * not, flat or in folds.
 */
TEST(cloths_behind_each_other)
{
    static const double away[] = {0.1, 300, 1000, 3e6, 1e8},
                        turned[3][3] = {{2. / 3, -1. / 3, 2. / 3},
                                        {2. / 3, 2. / 3, -1. / 3},
                                        {-1. / 3, 2. / 3, 2. / 3}};
    for (uint32_t i = 0; i < sizeof away / sizeof *away; i++)
        for (int kind = 0; kind < 6; kind++) {
            char name[64];
            float placements[2][12] = {{0}};
            sphere near = {test_amount(24, 14), 1, kind < 2 ? 0 : 0.02, 3, true}, far = near;
            far.height = kind < 4 ? near.height : 0;
            for (int c = 0; c < 24; c++) {
                int side = c / 12, row = c / 4 % 3, column = c % 4;
                double across = kind % 2 ? turned[row][2] : row == 2;
                placements[side][c % 12] = column == 3 ? (float)(side * away[i] * across)
                                           : kind % 2  ? (float)turned[row][column]
                                                       : (float)(row == column);
            }
            snprintf(name, sizeof name, "away %g, kind %d", away[i], kind);
            compare_variants((const sphere[2]){near, far}, (const float(*)[12])placements, name);
        }
}
