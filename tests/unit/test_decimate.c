/* Coarser meshes on the same skeleton: as few triangles as were asked for, closed where the model
 * is, borders and tangles kept, no vertex farther away than is said, vertices that move as before.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigid.h"
#include "support/rigs.h"
#include "support/solids.h"
#include "support/soup.h"

#include "scenes/synth.h"

#include <graze/ext/decimate.h>
#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the judge --------------------------------------------------------------------------------
 */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double to_segment(const double a[3], const double b[3])
{
    double e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, l = dot(e, e), d2 = 0;
    double t = l > 0 ? fmin(1, fmax(0, -dot(a, e) / l)) : 0;
    for (int k = 0; k < 3; k++)
        d2 += (a[k] + t * e[k]) * (a[k] + t * e[k]);
    return d2;
}

/* Squared distance of the origin: the least of the edges, and of the foot if it is inside. */
static double to_triangle(const double r[3][3])
{
    double best =
        fmin(to_segment(r[0], r[1]), fmin(to_segment(r[1], r[2]), to_segment(r[2], r[0])));
    double u[3], v[3], foot2 = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = r[1][k] - r[0][k];
        v[k] = r[2][k] - r[0][k];
    }
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), pu = -dot(r[0], u), pv = -dot(r[0], v);
    double det = uu * vv - uv * uv, s = (vv * pu - uv * pv) / det, t = (uu * pv - uv * pu) / det;
    for (int k = 0; k < 3; k++)
        foot2 += (r[0][k] + s * u[k] + t * v[k]) * (r[0][k] + s * u[k] + t * v[k]);
    return det > 0 && s >= 0 && t >= 0 && s + t <= 1 ? fmin(best, foot2) : best;
}

static bool is_same(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* How far the farthest corner of a triangle with three different vertices is from the coarse mesh.
 */
static double farthest(const graze_model_def *def, const graze_model_def *coarse)
{
    double most = 0;
    for (uint32_t i = 0; i < 3 * def->triangle_count; i++) {
        const uint32_t *own = def->triangles + (i - i % 3);
        const float *x = def->positions + 3 * (size_t)def->triangles[i], *c[3];
        double least = INFINITY;
        for (int k = 0; k < 3; k++)
            c[k] = def->positions + 3 * (size_t)own[k];
        if (is_same(c[0], c[1]) || is_same(c[1], c[2]) || is_same(c[2], c[0]))
            continue;
        for (uint32_t t = 0; t < coarse->triangle_count && least > most; t++) {
            double r[3][3];
            for (int k = 0; k < 9; k++)
                r[k / 3][k % 3] =
                    (double)
                        coarse->positions[3 * (size_t)coarse->triangles[3 * t + k / 3] + k % 3] -
                    (double)x[k % 3];
            least = fmin(least, to_triangle((const double(*)[3])r));
        }
        most = fmax(most, least);
    }
    return sqrt(most);
}

static bool has_triangles(const graze_model_def *def)
{
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        const uint32_t *v = def->triangles + 3 * (size_t)t;
        const float *a = def->positions + 3 * (size_t)v[0], *b = def->positions + 3 * (size_t)v[1];
        const float *c = def->positions + 3 * (size_t)v[2];
        if (!is_same(a, b) && !is_same(b, c) && !is_same(c, a))
            return true;
    }
    return false;
}

/* How many edges are used by `users` triangles, by position. */
static uint32_t count_edges(const graze_model_def *def, uint32_t users)
{
    uint32_t found = 0, corners = 3 * def->triangle_count;
    for (uint32_t i = 0; i < corners; i++) {
        uint32_t count = 0, next = i % 3 == 2 ? i - 2 : i + 1;
        const float *p = def->positions + 3 * (size_t)def->triangles[i];
        const float *q = def->positions + 3 * (size_t)def->triangles[next];
        for (uint32_t k = 0; k < corners; k++) {
            uint32_t after = k % 3 == 2 ? k - 2 : k + 1;
            const float *x = def->positions + 3 * (size_t)def->triangles[k];
            const float *y = def->positions + 3 * (size_t)def->triangles[after];
            count += (!memcmp(p, x, 12) && !memcmp(q, y, 12)) ||
                     (!memcmp(p, y, 12) && !memcmp(q, x, 12));
        }
        found += count == users;
    }
    return found / users;
}

typedef struct decimated {
    graze_model *model, *coarse_model;
    graze_decimated *coarse;
    graze_model_def def;
} decimated;

/* Decimates, and checks what must be so whatever the mesh is. */
static bool run(decimated *d, const graze_model_def *def, uint32_t triangles, float max_error,
                const char *name)
{
    graze_error error = {.text = ""};
    graze_decimate_def how = {.triangle_count = triangles, .max_error = max_error};
    memset(d, 0, sizeof *d);
    bool ok = !graze_model_create(def, &d->model, &error) &&
              !graze_decimated_create(d->model, &how, &d->coarse, &error);
    d->def = graze_decimated_model_def(d->coarse);
    ok = ok && !graze_model_create(&d->def, &d->coarse_model, &error);
    if (!test_check(ok, __FILE__, __LINE__, "%s: %s", name, error.text))
        return false;
    double said = (double)graze_decimated_error(d->coarse), found = farthest(def, &d->def);
    CHECK_MSG(found <= said * (1 + 1e-6) + 1e-12, "%s: %g away, and %g is said", name, found, said);
    CHECK_MSG(!(max_error > 0) || said <= (double)max_error * (1 + 1e-6), "%s: %g away, %g allowed",
              name, said, (double)max_error);
    for (uint32_t v = 0; v < d->def.vertex_count; v++)
        CHECK(!memcmp(d->def.positions + 3 * (size_t)v,
                      def->positions + 3 * (size_t)graze_decimated_vertex(d->coarse, v), 12));
    for (uint32_t t = 0; t < d->def.triangle_count; t++)
        CHECK(graze_model_triangle_part(d->coarse_model, t) ==
              graze_model_triangle_part(d->model, graze_decimated_triangle(d->coarse, t)));
    return true;
}

static void close_run(decimated *d)
{
    graze_model_destroy(d->coarse_model);
    graze_decimated_destroy(d->coarse);
    graze_model_destroy(d->model);
}

OWN_VALUE(decimated, close_run)

static graze_model_def def_of(const solid *s)
{
    return test_rigid_def(s->positions, s->vertex_count, s->triangles, s->triangle_count);
}

/* ---- simple meshes ----------------------------------------------------------------------------
 */

TEST(a_ball_stays_closed_and_round)
{
    OWN(solid) ball = {0};
    solid_add_ball(&ball, 1, 24);
    graze_model_def def = def_of(&ball);
    static const uint32_t wanted[] = {1000, 300, 100, 20};
    for (int i = 0; i < 4; i++) {
        OWN(decimated) d = {0};
        bool closed = false;
        REQUIRE(run(&d, &def, wanted[i], 0, "ball"));
        CHECK(d.def.triangle_count <= wanted[i] && d.def.triangle_count + 2 > wanted[i]);
        CHECK(!graze_model_is_closed(d.coarse_model, &closed, NULL) && closed);
        /* Equal triangles on a sphere would be 4.8 / n below it in the middle. */
        CHECK_MSG((double)graze_decimated_error(d.coarse) < 20.0 / wanted[i], "%u: error %g",
                  wanted[i], (double)graze_decimated_error(d.coarse));
    }
}

/* Faces of a box have vertices of their own, which are one where they meet. */
TEST(a_box_becomes_twelve_triangles_without_error)
{
    OWN(solid) box = {0};
    const double low[3] = {1, 2, 3}, high[3] = {2, 4, 7};
    solid_add_box(&box, low, high, 8);
    graze_model_def def = def_of(&box);
    OWN(decimated) d = {0};
    bool closed = false;
    REQUIRE(run(&d, &def, 0, 1e-5f, "box"));
    CHECK_MSG(d.def.triangle_count == 12, "%u triangles", d.def.triangle_count);
    CHECK(d.def.vertex_count == 8);
    CHECK(!graze_model_is_closed(d.coarse_model, &closed, NULL) && closed);
}

TEST(a_sheet_keeps_its_border)
{
    OWN(solid) sheet = {0};
    solid_add_sheet(&sheet, 2, 1, 16);
    graze_model_def def = def_of(&sheet);
    OWN(decimated) d = {0};
    REQUIRE(run(&d, &def, 0, 1e-5f, "sheet"));
    CHECK_MSG(d.def.triangle_count == 2, "%u triangles", d.def.triangle_count);
    CHECK(count_edges(&d.def, 1) == 4);
}

/* Three sheets that have one edge in common, of many pieces. */
TEST(sheets_that_share_an_edge_go_on_sharing_it)
{
    enum { N = 12, ROW = N + 1 };
    float positions[3 * ROW * ROW][3];
    uint32_t triangles[3 * 2 * N * N][3], count = 0;
    for (uint32_t s = 0; s < 3; s++)
        for (uint32_t i = 0; i < ROW * ROW; i++) {
            double angle = 2 * M_PI * s / 3, out = i / ROW;
            float *p = positions[s * ROW * ROW + i];
            p[0] = (float)(out * cos(angle)) + 0.0f; /* no negative zero */
            p[1] = (float)(out * sin(angle)) + 0.0f;
            p[2] = (float)(i % ROW);
            uint32_t v = s * ROW * ROW + i;
            if (i / ROW < N && i % ROW < N) {
                const uint32_t corners[6] = {v, v + 1, v + ROW, v + ROW, v + 1, v + ROW + 1};
                memcpy(triangles[count], corners, sizeof corners);
                count += 2;
            }
        }
    graze_model_def def = test_rigid_def(positions[0], 3 * ROW * ROW, triangles[0], count);
    CHECK(count_edges(&def, 3) == N);
    OWN(decimated) d = {0};
    REQUIRE(run(&d, &def, 0, 1e-4f, "three sheets"));
    CHECK_MSG(d.def.triangle_count == 6, "%u triangles", d.def.triangle_count);
    CHECK(count_edges(&d.def, 3) == 1 && count_edges(&d.def, 1) == 9);
}

/* Thousands of triangles round a vertex, or round an edge as the pages of a book: these took
 * minutes when each step went round all of them.
 */
TEST(fans_and_books)
{
    enum { MOST = 20000 };
    float(*positions)[3] = calloc(MOST + 2, sizeof *positions);
    uint32_t(*triangles)[3] = calloc(MOST, sizeof *triangles);
    for (uint32_t book = 0; book < 2; book++) {
        uint32_t count = book ? 1000 : MOST, first = 1 + book;
        positions[1][1] = 1;
        for (uint32_t i = 0; i < count; i++) {
            double turn = 2 * M_PI * i / count;
            const float at[3] = {(float)cos(turn), book ? 0.5f : (float)sin(turn),
                                 book ? (float)sin(turn) : 0};
            const uint32_t fan[3] = {0, first + i, first + (i + 1) % count};
            const uint32_t page[3] = {0, 1, first + i};
            memcpy(positions[first + i], at, sizeof at);
            memcpy(triangles[i], book ? page : fan, sizeof fan);
        }
        graze_model_def def = test_rigid_def(positions[0], count + first, triangles[0], count);
        OWN(decimated) d = {0};
        REQUIRE(run(&d, &def, 0, 0.02f, book ? "book" : "fan"));
        CHECK_MSG(d.def.triangle_count < (book ? 300 : 50), "%u triangles", d.def.triangle_count);
        CHECK(count_edges(&d.def, book ? d.def.triangle_count : 1) >= 1);
    }
    free(positions);
    free(triangles);
}

TEST(soups_are_decimated_too)
{
    test_random random = test_random_seed(71);
    uint32_t soups = test_amount(2000, 150), fewer = 0;
    for (uint32_t s = 0; s < soups; s++) {
        soup_def soup_of = {.vertex_count = 3 + test_random_u32(&random) % 40,
                            .triangle_count = 1 + test_random_u32(&random) % 60,
                            .joint_count = 1 + test_random_u32(&random) % 5,
                            .max_influences = 1 + test_random_u32(&random) % 4,
                            .size = 1,
                            .flat = s % 7 == 3,
                            .lattice = s % 3 == 1,
                            .scattered = s % 5 == 1};
        soup mesh = soup_make(&soup_of, &random);
        graze_model_def def = soup_model_def(&mesh);
        OWN(decimated) d = {0};
        if (!has_triangles(&def)) {
            soup_free(&mesh);
            continue;
        }
        if (run(&d, &def, s % 2 ? 0 : 5, s % 2 ? 0.2f : 0, "soup"))
            fewer += d.def.triangle_count < def.triangle_count;
        soup_free(&mesh);
    }
    CHECK_MSG(fewer > soups / 4, "%u of %u", fewer, soups);
}

/* ---- characters -------------------------------------------------------------------------------
 */

/* Vertices that are left are posed to the same bits. */
static void compare_posed(const decimated *d, const graze_rig *rig)
{
    graze_body *bodies[2] = {NULL, NULL};
    float *positions[2];
    const graze_model *models[2] = {d->model, d->coarse_model};
    for (int i = 0; i < 2; i++) {
        graze_pose pose = test_rig_pose(rig, 0, 0.3);
        positions[i] = calloc(graze_model_get_info(models[i]).vertex_count, 3 * sizeof(float));
        CHECK(positions[i] && !graze_body_create(models[i], &bodies[i], NULL) &&
              !graze_body_set_pose(bodies[i], &pose, NULL));
        graze_body_get_positions(bodies[i], positions[i]);
        graze_body_destroy(bodies[i]);
    }
    for (uint32_t v = 0; v < d->def.vertex_count; v++)
        CHECK(!memcmp(positions[1] + 3 * (size_t)v,
                      positions[0] + 3 * (size_t)graze_decimated_vertex(d->coarse, v), 12));
    free(positions[0]);
    free(positions[1]);
}

TEST(characters_move_as_before)
{
    static const graze_synth_def defs[] = {{GRAZE_SYNTH_ROBOT_SKINNED, 3000, 0},
                                           {GRAZE_SYNTH_CURTAIN, 1500, 0}};
    for (int i = 0; i < 2; i++) {
        OWN(graze_rig) *rig = NULL;
        OWN(decimated) d = {0}, again = {0};
        bool closed[2] = {false, true};
        REQUIRE(!graze_synth(&defs[i], NULL, &rig, NULL));
        graze_model_def def = test_rig_def(rig);
        REQUIRE(run(&d, &def, def.triangle_count / 4, 0, "character"));
        REQUIRE(run(&again, &def, def.triangle_count / 4, 0, "character"));
        CHECK(d.def.triangle_count <= def.triangle_count / 4 ||
              d.def.triangle_count < def.triangle_count * 2 / 3);
        CHECK(!graze_model_is_closed(d.model, &closed[0], NULL) &&
              !graze_model_is_closed(d.coarse_model, &closed[1], NULL) && closed[0] == closed[1]);
        CHECK(d.def.triangle_count == again.def.triangle_count &&
              !memcmp(d.def.triangles, again.def.triangles, 12 * (size_t)d.def.triangle_count));
        CHECK(graze_model_get_info(d.coarse_model).joint_count == def.joint_count &&
              d.def.morph_count == def.morph_count);
        compare_posed(&d, rig);
    }
}

/* ---- bad input --------------------------------------------------------------------------------
 */

TEST(bad_input_is_refused)
{
    OWN(solid) ball = {0};
    solid_add_ball(&ball, 1, 6);
    graze_model_def def = def_of(&ball);
    graze_model *model = NULL;
    graze_decimated *none = NULL;
    graze_error error = {.text = ""};
    REQUIRE(!graze_model_create(&def, &model, NULL));
    graze_decimate_def bad = {0};
    CHECK(graze_decimated_create(model, &bad, &none, &error) == GRAZE_BAD_INPUT && !none);
    CHECK(strstr(error.text, "neither"));
    bad.triangle_count = 10;
    bad.max_error = -1;
    CHECK(graze_decimated_create(model, &bad, &none, &error) == GRAZE_BAD_INPUT && !none);
    CHECK(strstr(error.text, "negative"));
    bad.max_error = NAN;
    CHECK(graze_decimated_create(model, &bad, &none, &error) == GRAZE_BAD_INPUT && !none);
    graze_model_destroy(model);
    for (uint32_t i = 0; i < 3 * ball.triangle_count; i++)
        ball.triangles[i] = ball.triangles[i - i % 3];
    REQUIRE(!graze_model_create(&def, &model, NULL));
    bad.max_error = 1;
    CHECK(graze_decimated_create(model, &bad, &none, &error) == GRAZE_BAD_INPUT && !none);
    CHECK(strstr(error.text, "three different"));
    CHECK(graze_decimated_error(NULL) == 0 && graze_decimated_model_def(NULL).vertex_count == 0);
    graze_model_destroy(model);
}

static graze_status decimate(const graze_allocator *allocator, void *about, graze_error *error)
{
    const graze_decimate_def how = {.triangle_count = 20};
    OWN(graze_decimated) *coarse = NULL;
    (void)allocator;
    graze_status status = graze_decimated_create(about, &how, &coarse, error);
    CHECK(!status == (coarse != NULL));
    return status;
}

TEST(every_allocation_fails_once)
{
    OWN(solid) ball = {0};
    solid_add_ball(&ball, 1, 6);
    graze_model_def def = def_of(&ball);
    test_memory memory = {.calls = 0};
    graze_allocator allocator = test_memory_allocator(&memory);
    OWN(graze_model) *model = NULL;
    def.allocator = &allocator;
    REQUIRE(!graze_model_create(&def, &model, NULL));
    CHECK(test_fail_each(&memory, decimate, model, 200) > 20);
}
