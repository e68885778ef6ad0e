/* Volumes of body parts: nothing is outside in any pose, whatever moves the vertices; how tight
 * they are over clips against a fit of the posed vertices; bad input and failures of memory.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/fitted.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigid.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <graze/ext/hitbox.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(no_triangle_of_a_model_is_outside_in_random_poses)
{
    uint32_t count, poses = test_amount(150, 24);
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(13);
    fitted_poses_tried = 0;
    for (uint32_t r = 0; r < count; r++) {
        graze_model_def def = test_rig_def(rigs[r].rig);
        float centre[3];
        double size;
        fitted f;
        /* Files may have hundreds of thousands of corners. */
        uint32_t most =
            test_amount(15000000, test_sanitized_amount(5000000)) / def.triangle_count + 12;
        fitted_extent(&def, centre, &size);
        for (uint32_t skinning = 0; skinning < 3; skinning++) {
            def.skinning = (graze_skinning)skinning;
            if (skinning && !def.influences && !def.skin_layouts)
                continue;
            if (fitted_open(&f, &def, 0, rigs[r].name))
                fitted_try_poses(&f, centre, size,
                                 skinning       ? (most < 12 ? most : 12)
                                 : most < poses ? most
                                                : poses,
                                 &random, rigs[r].name);
            fitted_close(&f);
        }
    }
    printf("%u random poses of %u models\n", fitted_poses_tried, count);
    CHECK(fitted_poses_tried >= count * 12);
}

TEST(no_triangle_of_a_soup_is_outside_in_random_poses)
{
    test_random random = test_random_seed(31);
    uint32_t soups = test_amount(2500, test_sanitized_amount(150));
    bool ok = true;
    fitted_poses_tried = 0;
    for (uint32_t s = 0; ok && s < soups; s++) {
        soup_def soup_of = {.vertex_count = 3 + test_random_u32(&random) % 60,
                            .triangle_count = 1 + test_random_u32(&random) % 60,
                            .joint_count = 1 + test_random_u32(&random) % 9,
                            .max_influences = 1 + test_random_u32(&random) % 8,
                            .size = pow(10, test_random_range(&random, -2, 2)),
                            .offset = s % 5 == 2 ? pow(10, test_random_range(&random, 0, 5)) : 0,
                            .flat = s % 7 == 3,
                            .lattice = s % 11 == 5,
                            .scattered = s % 2 == 1,
                            .odd_weights = s % 3 == 1,
                            .equal_weights = s % 6 == 5};
        OWN(soup) mesh = soup_make(&soup_of, &random);
        graze_model_def def = soup_model_def(&mesh);
        OWN(fitted) f = {0};
        ok = fitted_open(&f, &def, 1 + test_random_u32(&random) % 40, "soup") &&
             fitted_try_poses(&f, mesh.centre, soup_of.size, 44, &random, "soup");
    }
    printf("%u random poses of soups\n", fitted_poses_tried);
    CHECK(fitted_poses_tried > soups * 30);
}

/* ---- tightness --------------------------------------------------------------------------------
 */

static double volume_of(const graze_capsule *c)
{
    double l2 = 0;
    for (int k = 0; k < 3; k++)
        l2 += ((double)c->q[k] - (double)c->p[k]) * ((double)c->q[k] - (double)c->p[k]);
    return M_PI * (double)c->radius * (double)c->radius * (sqrt(l2) + 4 * (double)c->radius / 3);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double along(const float x[3], const double axis[3])
{
    return (double)x[0] * axis[0] + (double)x[1] * axis[1] + (double)x[2] * axis[2];
}

/* A capsule with that axis around the corners of a group's triangles, as small as a search in the
 * plane across makes it: its volume.
 */
static double search_along(const fitted *f, uint32_t group, const double axis[3])
{
    uint32_t count = graze_model_get_info(f->model).triangle_count, corners[3];
    double u[3] = {0, 0, 0}, w[3], centre[2] = {0, 0}, radius = 0, low = INFINITY, high = -INFINITY;
    int least = fabs(axis[0]) < 0.6 ? 0 : 1;
    u[least] = 1;
    double dot = axis[least], length = sqrt(1 - dot * dot);
    for (int k = 0; k < 3; k++)
        u[k] = (u[k] - dot * axis[k]) / length;
    for (int k = 0; k < 3; k++)
        w[k] = axis[(k + 1) % 3] * u[(k + 2) % 3] - axis[(k + 2) % 3] * u[(k + 1) % 3];
    /* Round 0 starts somewhere, the last measures the radius; then come the ends. */
    enum { ROUNDS = 60 };
    for (uint32_t round = 0; round <= ROUNDS + 1; round++) {
        double most = -1, to[2] = {0, 0};
        for (uint32_t t = 0; t < count; t++) {
            if (graze_model_triangle_part(f->model, t) != group)
                continue;
            graze_model_triangle(f->model, t, corners);
            for (int k = 0; k < 3; k++) {
                const float *x = f->positions + 3 * (size_t)corners[k];
                double a = along(x, u), b = along(x, w), d = hypot(a - centre[0], b - centre[1]);
                if (round == ROUNDS + 1) {
                    double h = sqrt(fmax(0, radius * radius - d * d)), z = along(x, axis);
                    low = fmin(low, z + h);
                    high = fmax(high, z - h);
                }
                if (d > most) {
                    most = d;
                    to[0] = a;
                    to[1] = b;
                }
            }
        }
        for (int k = 0; round < ROUNDS && k < 2; k++)
            centre[k] += (to[k] - centre[k]) / (round + 1.0);
        radius = most;
    }
    return M_PI * radius * radius * (fmax(0, high - low) + 4 * radius / 3);
}

/* The best over many axes of the posed group. */
static double search_group(const fitted *f, uint32_t group, uint32_t axes)
{
    double best = INFINITY;
    for (uint32_t i = 0; i < axes; i++) {
        double z = (i + 0.5) / axes, turn = 2.399963229728653 * i, r = sqrt(1 - z * z);
        const double axis[3] = {r * cos(turn), r * sin(turn), z};
        best = fmin(best, search_along(f, group, axis));
    }
    return best;
}

/* The volume of the smaller of two fits to the posed vertices of every part: a search over axes,
 * and a fit at rest of a model that stands so.
 */
static bool find_least(fitted *f, uint32_t axes, double *least)
{
    OWN(graze_model) *still = NULL;
    OWN(graze_hitboxes) *best = NULL;
    graze_hitboxes_def def = {0};
    bool ok = !graze_body_freeze(f->body, &still, NULL) &&
              !graze_hitboxes_create(still, &def, &best, NULL) &&
              graze_hitboxes_count(best, NULL) == f->count;
    for (uint32_t v = 0; ok && v < f->count; v++) {
        graze_hitbox tight = graze_hitboxes_get(best, v);
        least[v] = fmin(volume_of(&tight.rest), search_group(f, tight.part, axes));
    }
    return ok;
}

TEST(volumes_over_clips_are_near_those_of_fits_to_posed_vertices)
{
    uint32_t count, frames = test_amount(6, 2), axes = test_amount(50, 20);
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t r = 0; r < count; r++) {
        graze_model_def def = test_rig_def(rigs[r].rig);
        uint32_t clips = rigs[r].rig->clip_count, n = 0;
        OWN(fitted) f = {0};
        def.rest_matrices = test_rig_pose(rigs[r].rig, GRAZE_NONE, 0).joints;
        if (!clips || def.triangle_count > 8000 || !fitted_open(&f, &def, 0, rigs[r].name))
            continue;
        OWNED double *ratios = malloc(sizeof *ratios * f.count * frames);
        OWNED double *least = malloc(sizeof *least * f.count);
        double seconds = (double)rigs[r].rig->clips[0].seconds;
        if (!ratios || !least)
            abort();
        for (uint32_t i = 0; i < frames; i++) {
            graze_pose pose = test_rig_pose(rigs[r].rig, 0, seconds * (i + 0.5) / frames);
            CHECK(!graze_body_set_pose(f.body, &pose, NULL));
            CHECK(fitted_outside(&f, rigs[r].name) == 0);
            REQUIRE(find_least(&f, axes, least));
            for (uint32_t v = 0; v < f.count; v++)
                if (least[v] > 0)
                    ratios[n++] = volume_of(&f.volumes[v]) / least[v];
        }
        qsort(ratios, n, sizeof *ratios, by_size);
        if (n)
            printf("%-34s %3u volumes: median %.3f, 95th percentile %.3f, most %.3g\n",
                   rigs[r].name, f.count, ratios[n / 2], ratios[n * 95 / 100], ratios[n - 1]);
        CHECK(n == 0 || ratios[n / 2] <= (f.count > 2 ? 1.5 : 2.6)); /* one of two squares */
    }
}

TEST(a_box_at_rest_gets_its_sphere)
{
    float corners[8][3];
    static const uint32_t triangles[] = {0, 1, 2, 2, 3, 4, 4, 5, 6, 5, 6, 7};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = i >> k & 1 ? 1 : -1;
    graze_model_def def = test_rigid_def(corners[0], 8, triangles, 4);
    OWN(fitted) f = {0};
    REQUIRE(fitted_open(&f, &def, 0, "box"));
    CHECK(f.count == 1);
    graze_hitbox v = graze_hitboxes_get(f.fit, 0);
    CHECK(v.part == 0 && v.joint == 0 && v.triangle_count == 4);
    CHECK_MSG(fabs((double)v.rest.radius - sqrt(3)) < 1e-6, "radius %g", (double)v.rest.radius);
    CHECK(fitted_outside(&f, "box") == 0);
    CHECK_MSG(volume_of(&f.volumes[0]) < 1.0001 * volume_of(&v.rest), "%g against %g",
              volume_of(&f.volumes[0]), volume_of(&v.rest));
}

/* ---- bad input --------------------------------------------------------------------------------
 */

static soup small_soup(void)
{
    test_random random = test_random_seed(3);
    soup_def def = {
        .vertex_count = 60, .triangle_count = 80, .joint_count = 4, .max_influences = 3, .size = 1};
    return soup_make(&def, &random);
}

TEST(bad_input_is_refused)
{
    OWN(soup) mesh = small_soup();
    graze_model_def def = soup_model_def(&mesh);
    OWN(fitted) f = {0}, other = {0};
    REQUIRE(fitted_open(&f, &def, 0, "first"));
    REQUIRE(fitted_open(&other, &def, 0, "second"));
    graze_error error = {.text = ""};
    graze_hitboxes *none = NULL;
    graze_hitboxes_def bad = {.clusters = GRAZE_MAX_CLUSTERS + 1};
    CHECK(graze_hitboxes_create(f.model, &bad, &none, &error) == GRAZE_BAD_INPUT && !none);
    CHECK(strstr(error.text, "clusters"));
    CHECK(graze_hitboxes_pose(f.fit, other.body, f.volumes, f.count, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "another model"));
    f.volumes[0].radius = -7;
    CHECK(graze_hitboxes_pose(f.fit, f.body, f.volumes, f.count - 1, &error) == GRAZE_BAD_INPUT);
    CHECK(f.volumes[0].radius == -7);
    CHECK(graze_hitboxes_get(f.fit, f.count).triangle_count == 0);
    CHECK(graze_hitboxes_count(NULL, NULL) == 0 && graze_hitboxes_get(NULL, 0).triangle_count == 0);
    graze_hitboxes_destroy(NULL);
}

typedef struct fitting {
    graze_model *model;
    graze_hitboxes_def def;
} fitting;

static graze_status fit_all(const graze_allocator *allocator, void *about, graze_error *error)
{
    const fitting *f = about;
    OWN(graze_hitboxes) *fit = NULL;
    (void)allocator;
    graze_status status = graze_hitboxes_create(f->model, &f->def, &fit, error);
    CHECK(!status == (fit != NULL));
    return status;
}

TEST(every_allocation_of_a_fit_fails_once)
{
    OWN(soup) mesh = small_soup();
    graze_model_def def = soup_model_def(&mesh);
    fitting f = {0};
    test_memory memory = {.calls = 0};
    graze_allocator allocator = test_memory_allocator(&memory);
    def.allocator = &allocator;
    REQUIRE(!graze_model_create(&def, &f.model, NULL));
    CHECK(test_fail_each(&memory, fit_all, &f, 100) > 5);
    graze_model_destroy(f.model);
    CHECK(memory.alive == 0);
}

TEST(given_positions_are_inside)
{
    OWN(soup) mesh = small_soup();
    graze_model_def def = soup_model_def(&mesh);
    test_random random = test_random_seed(8);
    OWN(fitted) f = {0};
    REQUIRE(fitted_open(&f, &def, 5, "given"));
    OWNED float *moved = malloc(3 * sizeof *moved * mesh.def.vertex_count);
    for (uint32_t i = 0; moved && i < 50; i++) {
        for (uint32_t k = 0; k < 3 * mesh.def.vertex_count; k++)
            moved[k] = (float)test_random_range(&random, -3, 3);
        CHECK(!graze_body_set_positions(f.body, moved, 0, mesh.def.vertex_count, NULL));
        CHECK(fitted_outside(&f, "given") == 0);
    }
}
