/* Volumes written by hand: those of level 1 hold their triangles in every pose however badly they
 * were placed, and stay as they are where that is enough; level 3 goes with its joint; bad input.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/fitted.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/soup.h"

#include <math.h>
#include <string.h>

/* A strip of squares along x, two triangles each; square i follows joint i and is part i. */
enum { SQUARES = 5, STRIP_TRIANGLES = 2 * SQUARES, STRIP_VERTICES = 4 * SQUARES };

typedef struct strip {
    float positions[STRIP_VERTICES][3];
    uint32_t triangles[STRIP_TRIANGLES][3];
    uint32_t offsets[STRIP_VERTICES + 1];
    graze_influence influences[STRIP_VERTICES];
} strip;

static graze_model_def make_strip(strip *s)
{
    static const uint32_t corners[6] = {0, 1, 2, 2, 1, 3};
    for (uint32_t v = 0; v < STRIP_VERTICES; v++) {
        s->positions[v][0] = (float)(v / 4 + v % 2);
        s->positions[v][1] = (float)(v % 4 / 2);
        s->positions[v][2] = 0;
        s->offsets[v] = v;
        s->influences[v] = (graze_influence){v / 4, 1};
    }
    s->offsets[STRIP_VERTICES] = STRIP_VERTICES;
    for (uint32_t i = 0; i < 6 * SQUARES; i++)
        s->triangles[i / 3][i % 3] = 4 * (i / 6) + corners[i % 6];
    graze_model_def def = {0};
    def.positions = s->positions[0];
    def.vertex_count = STRIP_VERTICES;
    def.triangles = s->triangles[0];
    def.triangle_count = STRIP_TRIANGLES;
    def.joint_count = SQUARES + 1; /* the last one has no triangles */
    def.influence_offsets = s->offsets;
    def.influences = s->influences;
    return def;
}

enum { OUTER = false, INNER = true };

static graze_hitbox_def sphere_on(bool inner, uint32_t part, uint32_t joint, float x, float y,
                                  float radius)
{
    graze_hitbox_def def = {0};
    def.inner = inner;
    def.part = part;
    def.joint = joint;
    def.rest = (graze_capsule){{x, y, 0}, {x, y, 0}, radius};
    return def;
}

TEST(what_is_large_enough_stays_as_it_was_written)
{
    strip s;
    graze_model_def def = make_strip(&s);
    graze_hitbox_def given[] = {
        sphere_on(INNER, 1, 1, 1.25f, 0.5f, 0.25f), /* half a square */
        sphere_on(OUTER, 2, 2, 2.5f, 0.5f, 2),      /* much too large */
        sphere_on(OUTER, 0, 3, 0, 0, 0.125f),       /* much too small, on a joint of others */
    };
    OWN(fitted) f = {0};
    REQUIRE(fitted_open_from(&f, &def, given, 3, 0, "strip"));
    /* Two given and three fitted outer ones, one inner. */
    uint32_t outer;
    REQUIRE(f.count == 6 && graze_hitboxes_count(f.fit, &outer) == 6 && outer == 5);
    CHECK(fitted_outside(&f, "strip") == 0);
    CHECK(f.volumes[0].radius >= 2 && f.volumes[0].radius < 2.00001f);
    CHECK(f.volumes[0].p[0] == 2.5f && f.volumes[0].q[1] == 0.5f);
    CHECK(f.volumes[1].p[0] == 0 && fabs((double)f.volumes[1].radius - sqrt(2)) < 1e-5);
    CHECK(f.volumes[5].p[0] == 1.25f && f.volumes[5].radius == 0.25f);
    static const uint32_t parts[] = {2, 0, 1, 3, 4, 1};
    for (uint32_t v = 0; v < 6; v++) {
        graze_hitbox volume = graze_hitboxes_get(f.fit, v);
        CHECK(volume.part == parts[v] && volume.inner == (v == 5));
        CHECK(volume.triangle_count == (v == 5 ? 0 : 2) && volume.fitted == (v > 1 && v < 5));
    }
    CHECK(graze_hitboxes_owner(f.fit, 4) == 0 && graze_hitboxes_owner(f.fit, 0) == 1);
    CHECK(graze_hitboxes_owner(f.fit, STRIP_TRIANGLES) == 0 && graze_hitboxes_owner(NULL, 0) == 0);

    /* Joint 1 twice as large, joint 2 twice as long in x, joint 3 off by 10 in y. */
    float joints[12 * (SQUARES + 1)];
    for (uint32_t j = 0; j <= SQUARES; j++) {
        float *m = joints + 12 * j;
        memset(m, 0, 12 * sizeof *m);
        m[0] = m[5] = m[10] = j == 1 ? 2 : 1;
        m[0] = j == 2 ? 2 : m[0];
        m[7] = j == 3 ? 10 : 0;
    }
    graze_pose pose = {.joints = joints, .joint_count = SQUARES + 1};
    REQUIRE(!graze_body_set_pose(f.body, &pose, NULL));
    CHECK(fitted_outside(&f, "strip") == 0);
    CHECK(f.volumes[0].p[0] == 5 && fabs((double)f.volumes[0].radius - 4) < 1e-5);
    CHECK(f.volumes[1].p[1] == 10 && (double)f.volumes[1].radius >= sqrt(101));
    CHECK(f.volumes[5].p[0] == 2.5f && fabs((double)f.volumes[5].radius - 0.5) < 1e-6);
}

TEST(a_part_may_have_several_volumes)
{
    strip s;
    graze_model_def def = make_strip(&s);
    static const uint32_t first[] = {2}, second[] = {3};
    graze_hitbox_def given[] = {sphere_on(OUTER, 1, 1, 1, 0.5f, 0.1f),
                                sphere_on(OUTER, 1, 1, 2, 0.5f, 0)};
    given[0].triangles = first;
    given[1].triangles = second;
    given[0].triangle_count = given[1].triangle_count = 1;
    fitted f;
    REQUIRE(fitted_open_from(&f, &def, given, 2, 0, "strip"));
    CHECK(f.count == 6 && graze_hitboxes_owner(f.fit, 2) == 0 &&
          graze_hitboxes_owner(f.fit, 3) == 1);
    CHECK(graze_hitboxes_get(f.fit, 0).triangle_count == 1 &&
          graze_hitboxes_get(f.fit, 1).triangle_count == 1);
    CHECK(fitted_outside(&f, "strip") == 0);
    fitted_close(&f);
    /* One of its triangles left to be fitted. */
    REQUIRE(fitted_open_from(&f, &def, given, 1, 0, "strip"));
    CHECK(f.count == 6 && graze_hitboxes_owner(f.fit, 2) == 0 &&
          graze_hitboxes_owner(f.fit, 3) == 2);
    CHECK(graze_hitboxes_get(f.fit, 2).part == 1 && graze_hitboxes_get(f.fit, 2).fitted);
    CHECK(fitted_outside(&f, "strip") == 0);
    fitted_close(&f);
}

/* Outer ones at random for some parts, and some inner ones. */
static uint32_t random_volumes(const graze_model *model, double size, test_random *random,
                               graze_hitbox_def *volumes)
{
    graze_model_info info = graze_model_get_info(model);
    uint32_t count = 0;
    for (uint32_t g = 0; g < info.part_count; g++) {
        bool used = false;
        for (uint32_t t = 0; t < info.triangle_count; t++)
            used |= graze_model_triangle_part(model, t) == g;
        for (uint32_t level = 1; used && level <= 3; level += 2) {
            if (test_random_u32(random) % 3 == 0)
                continue;
            graze_hitbox_def *v = &volumes[count++];
            *v = sphere_on(level, g, test_random_u32(random) % info.joint_count, 0, 0,
                           (float)test_random_range(random, 0, size));
            for (int k = 0; k < 3; k++) {
                v->rest.p[k] = (float)test_random_range(random, -size, size);
                v->rest.q[k] = test_random_u32(random) % 2
                                   ? v->rest.p[k]
                                   : (float)test_random_range(random, -size, size);
            }
        }
    }
    return count;
}

TEST(no_triangle_is_outside_of_volumes_put_anywhere)
{
    test_random random = test_random_seed(1013);
    uint32_t soups = test_amount(4000, 100);
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
                            .odd_weights = s % 3 == 1};
        OWN(soup) mesh = soup_make(&soup_of, &random);
        graze_model_def def = soup_model_def(&mesh);
        def.skinning = (graze_skinning)(s % 8 < 3 ? s % 8 : 0);
        graze_model *model = NULL;
        graze_hitbox_def volumes[20];
        OWN(fitted) f = {0};
        REQUIRE(!graze_model_create(&def, &model, NULL));
        uint32_t count = random_volumes(model, soup_of.size, &random, volumes);
        graze_model_destroy(model);
        ok = fitted_open_from(&f, &def, volumes, count, 1 + test_random_u32(&random) % 40,
                              "given") &&
             fitted_try_poses(&f, mesh.centre, soup_of.size, 44, &random, "given");
    }
    printf("%u random poses of soups\n", fitted_poses_tried);
    CHECK(fitted_poses_tried > soups * 25);
}

TEST(positions_that_are_given_carry_volumes_along)
{
    strip s;
    graze_model_def def = make_strip(&s);
    graze_hitbox_def given[] = {sphere_on(OUTER, 2, 2, 2.5f, 0.5f, 0.1f),
                                sphere_on(INNER, 2, 2, 2.5f, 0.5f, 0.25f)};
    OWN(fitted) f = {0};
    REQUIRE(fitted_open_from(&f, &def, given, 2, 0, "strip"));
    float moved[STRIP_VERTICES][3];
    for (uint32_t v = 0; v < STRIP_VERTICES; v++)
        for (int k = 0; k < 3; k++)
            moved[v][k] = s.positions[v][k] + (v / 4 == 2 ? 7 : 0);
    REQUIRE(!graze_body_set_positions(f.body, moved[0], 0, STRIP_VERTICES, NULL));
    CHECK(fitted_outside(&f, "strip") == 0);
    CHECK(f.volumes[5].radius == 0.25f);
    for (int k = 0; k < 3; k++) {
        CHECK(fabsf(f.volumes[0].p[k] - (given[0].rest.p[k] + 7)) < 1e-5f);
        CHECK(fabsf(f.volumes[5].q[k] - (given[1].rest.q[k] + 7)) < 1e-5f);
    }
}

/* ---- bad input --------------------------------------------------------------------------------
 */

static bool is_refused(const graze_model *model, const graze_hitbox_def *volumes, uint32_t count,
                       const char *text)
{
    graze_error error = {.text = ""};
    const graze_hitboxes_def def = {.given = volumes, .given_count = count};
    graze_hitboxes *fit = NULL;
    graze_status status = graze_hitboxes_create(model, &def, &fit, &error);
    return test_check(status == GRAZE_BAD_INPUT && !fit && strstr(error.text, text) == error.text,
                      __FILE__, __LINE__, "\"%s\", and not \"%s\"", error.text, text);
}

TEST(bad_volumes_are_named)
{
    strip s;
    graze_model_def def = make_strip(&s);
    OWN(graze_model) *model = NULL;
    REQUIRE(!graze_model_create(&def, &model, NULL));
    const graze_hitbox_def good = sphere_on(OUTER, 0, 0, 0, 0, 1);
    graze_hitbox_def v[2] = {good, sphere_on(OUTER, 1, 1, 0, 0, 1)};
    v[1] = sphere_on(OUTER, 6, 1, 0, 0, 1);
    is_refused(model, v, 2, "hitbox 1: part 6, the model has 6");
    v[1] = sphere_on(INNER, 1, 6, 0, 0, 1);
    is_refused(model, v, 2, "hitbox 1: joint 6, the model has 6");
    v[1] = sphere_on(OUTER, 5, 1, 0, 0, 1);
    is_refused(model, v, 2, "hitbox 1: part 5 has no triangles");
    v[1] = sphere_on(INNER, 1, 1, 0, 0, -0.5f);
    is_refused(model, v, 2, "hitbox 1: the radius is -0.5,");
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e15f};
    for (int i = 0; i < 4; i++) {
        v[1] = sphere_on(OUTER, 1, 1, 0, 0, bad[i]);
        is_refused(model, v, 2, "hitbox 1: the radius is not finite");
        for (int k = 0; k < 6; k++) {
            v[1] = sphere_on(INNER, 1, 1, 0, 0, 1);
            (k < 3 ? v[1].rest.p : v[1].rest.q)[k % 3] = bad[i];
            is_refused(model, v, 2, "hitbox 1: a coordinate is not finite");
        }
    }
    v[1] = good;
    is_refused(model, v, 2, "hitbox 1: triangle 0 belongs to hitbox 0 already");
    static const uint32_t twice[] = {2, 3, 2}, of_others[] = {2, 9}, beyond[] = {10};
    v[1] = sphere_on(OUTER, 1, 1, 0, 0, 1);
    v[1].triangles = twice;
    v[1].triangle_count = 3;
    is_refused(model, v, 2, "hitbox 1: triangle 2 belongs to hitbox 1 already");
    v[1].triangles = of_others;
    v[1].triangle_count = 2;
    is_refused(model, v, 2, "hitbox 1: triangle 9 is of part 4, the hitbox of part 1");
    v[1].triangles = beyond;
    v[1].triangle_count = 1;
    is_refused(model, v, 2, "hitbox 1: triangle 10, the model has 10");
    v[1].triangle_count = 0;
    is_refused(model, v, 2, "hitbox 1: it owns no triangles");
    v[1].triangles = NULL;
    v[1].triangle_count = 1;
    is_refused(model, v, 2, "hitbox 1: 1 triangles announced");
    v[1] = sphere_on(INNER, 1, 1, 0, 0, 1);
    v[1].triangles = twice;
    v[1].triangle_count = 2;
    is_refused(model, v, 2, "hitbox 1: an inner hitbox owns no triangles");
    is_refused(model, NULL, 2, "the array of given hitboxes is NULL");
    graze_hitboxes_def fit_def = {0};
    graze_hitboxes *fit = NULL;
    graze_error error = {.text = ""};
    fit_def.inner_hitboxes = GRAZE_MAX_INNER_HITBOXES + 1;
    CHECK(graze_hitboxes_create(model, &fit_def, &fit, &error) == GRAZE_BAD_INPUT && !fit);
    CHECK(strstr(error.text, "1025 inner hitboxes a part"));
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

TEST(every_allocation_fails_once)
{
    strip s;
    graze_model_def def = make_strip(&s);
    graze_hitbox_def given[] = {sphere_on(OUTER, 2, 2, 2.5f, 0.5f, 0.1f),
                                sphere_on(INNER, 2, 2, 2.5f, 0.5f, 0.25f)};
    fitting f = {.def = {.inner_hitboxes = 4, .given = given, .given_count = 2}};
    test_memory memory = {.calls = 0};
    graze_allocator allocator = test_memory_allocator(&memory);
    def.allocator = &allocator;
    REQUIRE(!graze_model_create(&def, &f.model, NULL));
    CHECK(test_fail_each(&memory, fit_all, &f, 200) > 12);
    graze_model_destroy(f.model);
    CHECK(memory.alive == 0);
}
