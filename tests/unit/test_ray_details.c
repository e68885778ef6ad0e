/* Rays against bodies: meshes are watertight, rays are lazy, hits say the right things, and bad
 * rays are refused.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigid.h"
#include "support/rigs.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool count_hits(void *user, const graze_hit *hits, size_t count)
{
    (void)hits;
    *(uint32_t *)user += (uint32_t)count;
    return true;
}

/* ---- watertight ---------------------------------------------------------------------------- */

enum { RING = 24, RINGS = 17, BALL_VERTICES = RING * RINGS + 2, BALL_TRIANGLES = 2 * RING * RINGS };

/* A dented ball, closed, seen whole from its middle; corners on a grid, so that directions to them
 * and to middles of edges are exact.
 */
static void make_ball(float positions[][3], uint32_t triangles[][3], test_random *random)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < BALL_VERTICES; v++) {
        double up = v == 0 ? -1 : v == 1 ? 1 : -0.95 + 1.9 * ((v - 2) / RING) / (RINGS - 1);
        double turn = 6.283185307 * ((v - 2) % RING) / RING, flat = sqrt(1 - up * up);
        double size = test_random_range(random, 0.9, 1.1);
        double place[3] = {flat * cos(turn), flat * sin(turn), up};
        for (int k = 0; k < 3; k++)
            positions[v][k] = (float)(floor(place[k] * size * 4096) / 2048);
    }
    for (uint32_t i = 0; i < RING; i++) {
        uint32_t next = (i + 1) % RING, top = 2 + RING * (RINGS - 1);
        memcpy(triangles[count++], (uint32_t[]){0, 2 + next, 2 + i}, 12);
        memcpy(triangles[count++], (uint32_t[]){1, top + i, top + next}, 12);
        for (uint32_t ring = 0; ring + 1 < RINGS; ring++) {
            uint32_t low = 2 + RING * ring, high = low + RING;
            memcpy(triangles[count++], (uint32_t[]){low + i, low + next, high + i}, 12);
            memcpy(triangles[count++], (uint32_t[]){high + i, low + next, high + next}, 12);
        }
    }
}

/* How often a ray from the middle hits; 0 if the nearest hit is not found. */
static uint32_t hits_along(graze_body *body, const float dir[3])
{
    graze_ray ray = {.dir = {0, 0, 1}, .t_max = INFINITY};
    graze_hit hit;
    uint32_t count = 0;
    memcpy(ray.dir, dir, sizeof ray.dir);
    graze_cast_all(body, &ray, &(graze_hit_list){.report = count_hits, .user = &count}, NULL, NULL);
    return !graze_cast(body, &ray, &hit, NULL, NULL) && hit.found ? count : 0;
}

/* Triangles around a vertex. */
static uint32_t valence(uint32_t vertex)
{
    if (vertex < 2)
        return RING;
    return vertex < 2 + RING || vertex >= BALL_VERTICES - RING ? 5 : 6;
}

static uint32_t check_water(graze_body *body, const float positions[][3],
                            const uint32_t triangles[][3])
{
    uint32_t step = test_amount(1, 7);
    for (uint32_t t = 0; t < BALL_TRIANGLES; t += step)
        for (int c = 0; c < 3; c++) {
            const float *a = positions[triangles[t][c]];
            const float *b = positions[triangles[t][(c + 1) % 3]];
            float middle[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
            uint32_t at_edge = hits_along(body, middle), at_corner = hits_along(body, a);
            CHECK_MSG(at_edge == 2, "an edge is hit %u times", at_edge);
            CHECK_MSG(at_corner == valence(triangles[t][c]), "a corner of %u is hit %u times",
                      valence(triangles[t][c]), at_corner);
        }
    return 6 * (BALL_TRIANGLES / step);
}

TEST(closed_meshes_hold_water)
{
    static float positions[BALL_VERTICES][3];
    static uint32_t triangles[BALL_TRIANGLES][3];
    static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
    test_random random = test_random_seed(84);
    uint32_t rays = 0;
    for (uint32_t n = 0; n < test_amount(agreement_tree_count(), 3); n++) {
        graze_model_def def = {0};
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = NULL;
        make_ball(positions, triangles, &random);
        def.positions = &positions[0][0];
        def.vertex_count = BALL_VERTICES;
        def.triangles = &triangles[0][0];
        def.triangle_count = BALL_TRIANGLES;
        def.joint_count = 1;
        def.tree = agreement_tree(n);
        def.isa = graze_isa_available(isas[n % 3]) ? isas[n % 3] : GRAZE_ISA_BASE;
        REQUIRE(!graze_model_create(&def, &model, NULL) && !graze_body_create(model, &body, NULL));
        rays += check_water(body, (const float(*)[3])positions, (const uint32_t(*)[3])triangles);
    }
    printf("     %u rays through edges and corners\n", rays);
}

/* ---- laziness, details, bad input ---------------------------------------------------------- */

static graze_model *creature_model(uint32_t *vertices)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    graze_model_def def = graze_rig_model_def(rigs[1].rig);
    graze_model *model = NULL;
    CHECK(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    *vertices = def.vertex_count;
    return model;
}

TEST(rays_are_lazy)
{
    uint32_t vertices;
    OWN(graze_model) *model = creature_model(&vertices);
    graze_body *body;
    REQUIRE(model && !graze_body_create(model, &body, NULL));
    graze_ray ray = {.dir = {0, 0, 1}, .t_max = INFINITY};
    graze_hit hit;
    graze_stats stats = {0};
    ray.origin[0] = 1000;
    CHECK(!graze_cast(body, &ray, &hit, &(graze_options){.stats = &stats}, NULL) && !hit.found);
    CHECK(stats.nodes_refit == 1 && stats.patches_posed == 0 && stats.triangle_tests == 0);

    OWNED float *positions = malloc(3 * sizeof *positions * vertices);
    double middle[3];
    graze_body_get_positions(body, positions);
    double size = test_extent(positions, vertices, middle);
    uint64_t posed = 0, found = 0;
    for (uint32_t v = 0; v < vertices; v += 7) {
        stats = (graze_stats){0};
        for (int k = 0; k < 3; k++) {
            ray.origin[k] = (float)(middle[k] + (k == 2 ? 4 * size : 0));
            ray.dir[k] = positions[3 * (size_t)v + k] - ray.origin[k];
        }
        graze_body_drop_caches(body);
        CHECK(!graze_cast(body, &ray, &hit, &(graze_options){.stats = &stats}, NULL));
        posed += stats.vertices_posed;
        found++;
    }
    CHECK_MSG(posed < found * vertices / 5, "%g vertices posed a ray, of %u",
              (double)posed / (double)found, vertices);
    graze_body_destroy(body);
}

TEST(joints_and_groups_are_those_at_the_point)
{
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t triangles[] = {0, 1, 2}, offsets[] = {0, 2, 3, 5}, groups[] = {3};
    const graze_influence influences[] = {{1, 0.75f}, {4, 0.25f}, {2, 1}, {0, 0.5f}, {4, 0.5f}};
    graze_model_def def = {0};
    def.positions = positions;
    def.vertex_count = 3;
    def.triangles = triangles;
    def.triangle_count = 1;
    def.joint_count = 5;
    def.influence_offsets = offsets;
    def.influences = influences;
    def.triangle_parts = groups;
    def.part_count = 7;
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    REQUIRE(!graze_model_create(&def, &model, NULL) && !graze_body_create(model, &body, NULL));
    test_random random = test_random_seed(85);
    for (int i = 0; i < 1000; i++) {
        double u = test_random_unit(&random), v = test_random_unit(&random) * (1 - u);
        graze_ray ray = {{(float)u, (float)v, 5}, {0, 0, -2}, 0, INFINITY};
        graze_hit hit;
        graze_cast(body, &ray, &hit, NULL, NULL);
        double weights[5] = {0.5 * v, 0.75 * (1 - u - v), u, 0, 0.25 * (1 - u - v) + 0.5 * v};
        double most = 0;
        for (int j = 0; j < 5; j++)
            most = fmax(most, weights[j]);
        CHECK_MSG(hit.found && weights[hit.joint] >= most - 1e-6, "joint %u", hit.joint);
        CHECK(hit.part == 3 && hit.t == 2.5f && hit.normal[2] == 1);
        CHECK(fabs(hit.uv[0] - u) < 1e-6 && fabs(hit.uv[1] - v) < 1e-6);
        CHECK(hit.point[2] == 0 && fabs(hit.point[0] - u) < 1e-6);
    }
}

static bool take_one(void *user, const graze_hit *hits, size_t count)
{
    (void)count;
    *(graze_hit *)user = hits[0];
    return false;
}

TEST(reports_stop_when_told)
{
    uint32_t vertices;
    OWN(graze_model) *model = creature_model(&vertices);
    OWN(graze_body) *body = NULL;
    REQUIRE(model && !graze_body_create(model, &body, NULL));
    graze_ray ray = {.dir = {0, 0, 1}, .t_max = INFINITY};
    uint32_t count = 0;
    OWNED float *positions = malloc(3 * sizeof *positions * vertices);
    double middle[3];
    graze_body_get_positions(body, positions);
    test_extent(positions, vertices, middle);
    memcpy(ray.dir, positions, sizeof ray.dir);
    for (int k = 0; k < 3; k++)
        ray.origin[k] = positions[k] - ray.dir[k];
    graze_hit one = {0};
    graze_cast_all(body, &ray, &(graze_hit_list){.report = count_hits, .user = &count}, NULL, NULL);
    CHECK(count > 1);
    graze_cast_all(body, &ray, &(graze_hit_list){.report = take_one, .user = &one}, NULL, NULL);
    CHECK(one.found);
    one.found = false;
    graze_cast_all(body, &ray, &(graze_hit_list){.report = take_one, .user = &one},
                   &(graze_options){.method = GRAZE_BRUTE}, NULL);
    CHECK(one.found);
}

TEST(bad_rays_are_refused)
{
    uint32_t vertices;
    OWN(graze_model) *model = creature_model(&vertices);
    OWN(graze_body) *body = NULL;
    REQUIRE(model && !graze_body_create(model, &body, NULL));
    const graze_ray good = {.dir = {0, 0, 1}, .t_max = INFINITY};
    graze_ray bad[12];
    for (int i = 0; i < 12; i++)
        bad[i] = good;
    memset(bad[0].dir, 0, sizeof bad[0].dir);
    bad[1].dir[0] = NAN;
    bad[2].dir[1] = INFINITY;
    bad[3].dir[2] = 1e-19f;
    bad[4].dir[2] = 1e19f;
    bad[5].origin[0] = NAN;
    bad[6].origin[1] = -1e18f;
    bad[7].t_min = NAN;
    bad[8].t_min = INFINITY;
    bad[9].t_max = -1;
    bad[10].t_max = NAN;
    bad[11].origin[2] = INFINITY;
    for (int i = 0; i < 12; i++) {
        graze_hit hit = {.triangle = 77}, hits[3] = {{.triangle = 78}};
        graze_error error = {.text = ""};
        graze_ray rays[3] = {good, good, bad[i]};
        CHECK_MSG(graze_cast(body, &bad[i], &hit, NULL, &error) == GRAZE_BAD_INPUT, "ray %d", i);
        CHECK_MSG(strstr(error.text, "the ray") && hit.triangle == 77, "%s", error.text);
        CHECK(graze_cast(body, &bad[i], &hit, &(graze_options){.any = true}, NULL) ==
              GRAZE_BAD_INPUT);
        CHECK(graze_cast_all(body, &bad[i], &(graze_hit_list){.report = take_one, .user = &hit},
                             NULL, NULL) == GRAZE_BAD_INPUT);
        CHECK(graze_cast_all(body, &bad[i], &(graze_hit_list){.report = take_one, .user = &hit},
                             &(graze_options){.method = GRAZE_BRUTE}, NULL) == GRAZE_BAD_INPUT);
        CHECK(graze_cast_many(body, rays, 3, hits, NULL, &error) == GRAZE_BAD_INPUT);
        CHECK_MSG(strstr(error.text, "ray 2") && hits[0].triangle == 78, "%s", error.text);
    }
    graze_hit hit;
    CHECK(graze_cast(NULL, &good, &hit, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_cast_many(body, NULL, 0, NULL, NULL, NULL) == GRAZE_OK);
}

TEST(segments_end_at_their_ends)
{
    const float positions[] = {-1, -1, 0, 1, -1, 0, 0, 2, 0};
    const uint32_t triangles[] = {0, 1, 2};
    graze_model_def def = test_rigid_def(positions, 3, triangles, 1);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    REQUIRE(!graze_model_create(&def, &model, NULL) && !graze_body_create(model, &body, NULL));
    static const float ends[][2] = {{1, 0},        {1, 1e-7f},   {0, -1},
                                    {-1e-44f, -1}, {1, -1e-44f}, {2, 1}};
    static const bool meets[] = {true, false, true, false, true, false};
    for (size_t i = 0; i < sizeof meets; i++) {
        if (i == 3 && test_flushes_denormals())
            continue; /* it starts at 0 then */
        graze_ray ray = graze_ray_between((float[]){0, 0, ends[i][0]}, (float[]){0, 0, ends[i][1]});
        graze_hit hit;
        CHECK(!graze_cast(body, &ray, &hit, NULL, NULL));
        CHECK_MSG(hit.found == meets[i], "segment %zu", i);
    }
}
