/* Moving shapes against moving bodies: dense sampling with graze_touch, laziness, and bad input.
 * (Lazy == brute force: test_ways.c.)
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/deform_skins.h"
#include "support/impacts.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/variants.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- random scenes -------------------------------------------------------------------------- */

static graze_model_def random_def(uint32_t number, test_random *random, deform_skin *skin)
{
    soup_def def = {.vertex_count = 3 + test_random_u32(random) % 70,
                    .triangle_count = 1 + test_random_u32(random) % (number % 4 ? 60 : 400),
                    .joint_count = 1 + test_random_u32(random) % 8,
                    .max_influences = 1 + test_random_u32(random) % 4,
                    .size = number % 3 ? 1 : 8,
                    .flat = number % 9 == 8,
                    .lattice = number % 3 == 0};
    *skin = deform_skin_make(&def, number % 5 == 1 ? 3 : 0, random);
    return deform_skin_def(skin, number % 3 == 0 ? GRAZE_LINEAR : (graze_skinning)(number % 4 % 3));
}

/* Two poses of one body. */
static bool random_motion(variants *v, const deform_skin *skin, uint32_t number, const char *name,
                          test_random *random)
{
    static const deform_pose_kind kinds[] = {DEFORM_NEAR, DEFORM_RANDOM, DEFORM_SAME};
    const soup *mesh = &skin->mesh;
    uint32_t joints = mesh->def.joint_count;
    float *maps = malloc(24 * sizeof *maps * joints), weights[2][3] = {{0}}, placements[2][12];
    graze_pose poses[2];
    for (int end = 0; end < 2; end++) {
        deform_pose_kind kind = mesh->def.lattice ? DEFORM_LATTICE : kinds[(number + end) % 3];
        float *own = maps + 12 * (size_t)end * joints;
        deform_pose_make(kind, mesh->centre, mesh->def.size, joints, random, own);
        if (skin->morph_count)
            deform_weights_make(skin->morph_count, random, weights[end]);
        map_make(mesh->def.lattice ? MAP_LATTICE : MAP_NEAR, mesh->centre, mesh->def.size, random,
                 placements[end]);
        poses[end] = (graze_pose){.joints = own,
                                  .joint_count = joints,
                                  .placement = placements[end],
                                  .morph_weights = skin->morph_count ? weights[end] : NULL,
                                  .morph_count = skin->morph_count};
    }
    if (number % 7 == 0)
        poses[1] = poses[0]; /* standing still */
    bool posed = variants_pose(v, &poses[0], name) && variants_pose_twins(v, &poses[1], name);
    free(maps);
    return posed;
}

static void random_point(test_random *random, const double middle[3], double extent, bool lattice,
                         float point[3])
{
    for (int k = 0; k < 3; k++) {
        double x = test_random_range(random, -1, 1) * extent;
        point[k] = (float)(middle[k] + (lattice ? round(8 * x) / 8 : x));
    }
}

/* From beside the body through it, or anywhere; what stands still now and then. */
static void random_shapes(test_random *random, uint32_t number, const double middle[3],
                          double extent, bool lattice, graze_shape *from, graze_shape *to)
{
    float p[3], q[3], p_end[3], q_end[3], turn[4], other[4], half[3], normal[3];
    float size = (float)(extent * pow(10, test_random_range(random, -2, 0)));
    random_point(random, middle, 1.5 * extent, lattice, p);
    random_point(random, middle, 0.8 * extent, lattice, p_end);
    for (int k = 0; k < 3; k++) {
        q[k] = p[k] + (float)(test_random_range(random, -0.5, 0.5) * extent);
        q_end[k] = p_end[k] + (number % 2 ? q[k] - p[k]
                                          : (float)(test_random_range(random, -0.5, 0.5) * extent));
        turn[k] = (float)test_random_range(random, -1, 1);
        other[k] = turn[k] + (number % 4 ? 0 : (float)test_random_range(random, -0.2, 0.2));
        half[k] = size * (float)test_random_range(random, 0.2, 1);
        normal[k] = turn[k];
    }
    turn[3] = other[3] = 1;
    float grown = number % 6 ? size : 0;
    float offset = normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2];
    switch (test_random_u32(random) % 7) {
    case 0:
        *from = graze_shape_half_space(normal, offset - size);
        *to = graze_shape_half_space(normal, offset);
        break;
    case 1:
    case 2:
        *from = graze_shape_capsule(p, q, size);
        *to = graze_shape_capsule(p_end, q_end, grown);
        break;
    case 3:
    case 4:
        *from = graze_shape_box(p, half, lattice ? NULL : turn);
        *to = graze_shape_box(p_end, half, lattice ? NULL : other);
        break;
    default:
        *from = graze_shape_sphere(p, size);
        *to = graze_shape_sphere(p_end, grown);
    }
    if (number % 10 == 9)
        *to = *from;
}

/* ---- dense sampling
 * ------------------------------------------------------------------------------ */

static void mix3(const float a[3], const float b[3], double time, float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (float)((1 - time) * (double)a[k] + time * (double)b[k]);
}

static float mix1(float a, float b, double time)
{
    return (float)((1 - time) * (double)a + time * (double)b);
}

/* The shape between two that do not turn, larger by so much. */
static graze_shape shape_at(const graze_shape shapes[2], double time, float larger)
{
    graze_shape now = shapes[0];
    const graze_shape *to = &shapes[1];
    switch (now.kind) {
    case GRAZE_SPHERE:
        mix3(shapes[0].as.sphere.centre, to->as.sphere.centre, time, now.as.sphere.centre);
        now.as.sphere.radius =
            fmaxf(0, mix1(now.as.sphere.radius, to->as.sphere.radius, time) + larger);
        break;
    case GRAZE_CAPSULE:
        mix3(shapes[0].as.capsule.p, to->as.capsule.p, time, now.as.capsule.p);
        mix3(shapes[0].as.capsule.q, to->as.capsule.q, time, now.as.capsule.q);
        now.as.capsule.radius =
            fmaxf(0, mix1(now.as.capsule.radius, to->as.capsule.radius, time) + larger);
        break;
    case GRAZE_BOX:
        mix3(shapes[0].as.box.centre, to->as.box.centre, time, now.as.box.centre);
        for (int k = 0; k < 3; k++)
            now.as.box.half[k] = fmaxf(0, now.as.box.half[k] + larger);
        break;
    default:
        now.as.plane.offset = mix1(now.as.plane.offset, to->as.plane.offset, time) + larger;
    }
    return now;
}

/* A body of the same model with positions between two. */
typedef struct between {
    graze_body *body;
    float *positions[3]; /* start, end, now */
    uint32_t count;
} between;

static bool touches(between *b, const graze_shape shapes[2], double time, float larger)
{
    graze_shape now = shape_at(shapes, time, larger);
    for (uint32_t v = 0; v < b->count; v++)
        mix3(b->positions[0] + 3 * (size_t)v, b->positions[1] + 3 * (size_t)v, time,
             b->positions[2] + 3 * (size_t)v);
    CHECK(!graze_body_set_positions(b->body, b->positions[2], 0, b->count, NULL));
    return test_touches(b->body, &now, NULL);
}

/* More than the tolerance and the rounding of positions between two: parts of the largest
 * coordinate, of which the reach is at most twice as much.
 */
static float little_of(const between *b, const graze_shape shapes[2])
{
    float largest = 0;
    for (int end = 0; end < 2; end++) {
        const float *centre = shapes[end].as.sphere.centre; /* p of a capsule, centre of a box */
        for (uint32_t i = 0; i < 3 * b->count; i++)
            largest = fmaxf(largest, fabsf(b->positions[end][i]));
        for (int k = 0; k < 3 && shapes[end].kind != GRAZE_HALF_SPACE; k++)
            largest = fmaxf(largest, fabsf(centre[k]));
    }
    return 1e-6f * largest;
}

/* Apart at every sample before the time, by less than a little; together at it, but for a little.
 */
static void check_samples(between *b, const graze_shape shapes[2], const graze_impact *impact,
                          float little, uint32_t samples, uint64_t *late)
{
    double time = impact->found ? (double)impact->time : 2;
    if (impact->found) {
        CHECK_MSG(touches(b, shapes, time, little), "kind %d: they do not touch at %g",
                  (int)shapes[0].kind, time);
        *late += !impact->initial;
    }
    for (uint32_t i = 0; i <= samples; i++) {
        double sample = (double)i / samples;
        if (sample >= time)
            break;
        if (touches(b, shapes, sample, -little)) {
            CHECK_MSG(false, "kind %d: they touch at %g, and %g was found", (int)shapes[0].kind,
                      sample, time);
            break;
        }
    }
}

TEST(dense_samples_agree)
{
    uint64_t later = 0, scenes = 0;
    uint32_t count = test_amount(120, 24);
    for (uint32_t m = 0; m < count; m++) {
        test_random random = test_random_seed(7000 + m);
        OWN(deform_skin) skin = {0};
        OWN(variants) v = {0};
        double middle[3];
        between b = {0};
        graze_model_def def = random_def(1 + 3 * m, &random, &skin); /* no lattice */
        def.skinning = (graze_skinning)(m % 3);
        bool ok = variants_make(&v, def, 1, &random) && variants_add_twins(&v) &&
                  random_motion(&v, &skin, m, "samples", &random);
        if (ok) {
            double extent = variants_extent(&v, middle);
            graze_motion motion = {.start = v.bodies[0], .end = v.twins[0]};
            CHECK(!graze_body_create(v.models[0], &b.body, NULL));
            b.count = graze_model_get_info(v.models[0]).vertex_count;
            for (int i = 0; i < 3; i++)
                b.positions[i] = malloc(3 * sizeof(float) * b.count);
            graze_body_get_positions(motion.start, b.positions[0]);
            graze_body_get_positions(motion.end, b.positions[1]);
            for (uint32_t s = 0; s < 6; s++) {
                graze_shape shapes[2];
                graze_impact impact;
                random_shapes(&random, 1 + 2 * s, middle, extent, false, &shapes[0], &shapes[1]);
                CHECK(!graze_sweep(&motion, &(graze_motion){.from = &shapes[0], .to = &shapes[1]},
                                   &impact, NULL, NULL));
                check_samples(&b, shapes, &impact, little_of(&b, shapes), test_amount(400, 60),
                              &later);
                scenes++;
            }
        }
        for (int i = 0; i < 3; i++)
            free(b.positions[i]);
        graze_body_destroy(b.body);
    }
    printf("     %llu scenes, %llu impacts after the start\n", (unsigned long long)scenes,
           (unsigned long long)later);
    CHECK(5 * later > scenes);
}

/* ---- one body
 * ------------------------------------------------------------------------------------- */

typedef struct moving_body {
    deform_skin skin;
    graze_model *model;
    graze_motion motion;
} moving_body;

static void place(graze_body *body, float x, float y)
{
    uint32_t joints = graze_model_get_info(graze_body_model(body)).joint_count;
    OWNED float *maps = calloc(12 * (size_t)joints, sizeof *maps);
    float placement[12] = {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0};
    for (uint32_t j = 0; j < 3 * joints; j++)
        maps[12 * (size_t)(j / 3) + 5 * (j % 3)] = 1;
    graze_pose pose = {.joints = maps, .joint_count = joints, .placement = placement};
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
}

static void make_body(moving_body *b, graze_tree_def tree)
{
    test_random random = test_random_seed(7);
    soup_def def = {.vertex_count = 300,
                    .triangle_count = 700,
                    .joint_count = 3,
                    .max_influences = 2,
                    .size = 1};
    *b = (moving_body){.model = NULL};
    b->skin = deform_skin_make(&def, 0, &random);
    graze_model_def model_def = deform_skin_def(&b->skin, GRAZE_LINEAR);
    model_def.tree = tree;
    CHECK(graze_model_create(&model_def, &b->model, NULL) == GRAZE_OK);
    CHECK(graze_body_create(b->model, &b->motion.start, NULL) == GRAZE_OK);
    CHECK(graze_body_create(b->model, &b->motion.end, NULL) == GRAZE_OK);
}

static void free_body(moving_body *b)
{
    graze_body_destroy(b->motion.start);
    graze_body_destroy(b->motion.end);
    graze_model_destroy(b->model);
    deform_skin_free(&b->skin);
}

OWN_VALUE(moving_body, free_body)

/* From one side to the other: apart at both ends, and still met. What goes by is one bound. */
TEST(nothing_passes_through)
{
    const float left[3] = {-100, 0, 0}, right[3] = {100, 0, 0};
    const float above[3] = {-100, 50, 0}, beyond[3] = {100, 50, 0};
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        OWN(moving_body) b = {0};
        graze_impact impact;
        graze_stats stats = {0};
        graze_shape from = graze_shape_sphere(left, 0.25f), to = graze_shape_sphere(right, 0.25f);
        make_body(&b, agreement_tree(t));
        place(b.motion.start, 0, 0);
        graze_motion still = {.start = b.motion.start, .end = b.motion.start};
        CHECK(!graze_sweep(&still, &(graze_motion){.from = &from, .to = &to}, &impact,
                           &(graze_options){.stats = &stats}, NULL));
        CHECK(impact.found && !impact.initial && impact.time > 0.48f && impact.time < 0.51f);
        CHECK(impact.parts[0] == graze_model_triangle_part(b.model, impact.triangles[0]));
        /* The body goes the same way as fast: they never meet. */
        place(b.motion.start, -80, 0);
        place(b.motion.end, 120, 0);
        CHECK(!graze_sweep(&b.motion, &(graze_motion){.from = &from, .to = &to}, &impact, NULL,
                           NULL));
        CHECK(!impact.found && impact.time == 0 && impact.triangles[0] == 0);
        from = graze_shape_sphere(above, 0.25f);
        to = graze_shape_sphere(beyond, 0.25f);
        place(b.motion.start, 0, 0);
        place(b.motion.end, 0, 0);
        stats = (graze_stats){0};
        CHECK(!graze_sweep(&b.motion, &(graze_motion){.from = &from, .to = &to}, &impact,
                           &(graze_options){.stats = &stats}, NULL));
        CHECK(!impact.found && stats.nodes_refit == 2 && stats.bound_tests == 1);
        CHECK(stats.vertices_posed == 0 && stats.triangle_tests == 0);
    }
}

TEST(reports_can_be_stopped_and_arrays_fill)
{
    const float left[3] = {-3, 0, 0}, right[3] = {3, 0, 0};
    graze_shape from = graze_shape_sphere(left, 1), to = graze_shape_sphere(right, 1);
    const graze_motion ball = {.from = &from, .to = &to};
    OWN(moving_body) b = {0};
    make_body(&b, agreement_tree(0));
    for (size_t stop = 1; stop < 60; stop += 19)
        for (int brute = 0; brute < 2; brute++) {
            OWN(impact_set) list = {.stop = stop};
            const graze_options options = {.method = brute ? GRAZE_BRUTE : GRAZE_LAZY};
            CHECK(graze_sweep_all(&b.motion, &ball, TO_IMPACT_SET(&list), &options, NULL) ==
                  GRAZE_OK);
            CHECK(list.count >= stop && list.count < stop + 16);
        }
    OWN(impact_set) all = {0};
    graze_impact some[5] = {{0}};
    graze_impact_list list = {.items = some, .capacity = 4};
    CHECK(!graze_sweep_all(&b.motion, &ball, TO_IMPACT_SET(&all), NULL, NULL));
    CHECK(!graze_sweep_all(&b.motion, &ball, &list, NULL, NULL));
    CHECK(list.total == all.count && list.count == 4 && list.total > 4 && !some[4].found);
    impact_set_sort(&all);
    for (size_t i = 0; i < 4; i++)
        CHECK(impact_same(&some[i], impact_set_find(&all, some[i].triangles[0], GRAZE_NONE)));
}

/* ---- bad input
 * ------------------------------------------------------------------------------------ */

static void refused(const graze_motion *motion, const graze_shape *from, const graze_shape *to,
                    graze_status status, const char *text)
{
    const graze_motion shape = {.from = from, .to = to};
    const graze_options brute = {.method = GRAZE_BRUTE};
    graze_impact impact = {.time = 7};
    impact_set list = {0};
    graze_error error = {.text = ""};
    CHECK(graze_sweep(motion, &shape, &impact, NULL, &error) == status);
    CHECK_MSG(strcmp(error.text, text) == 0, "\"%s\", not \"%s\"", error.text, text);
    CHECK(impact.time == 7);
    CHECK(graze_sweep_all(motion, &shape, TO_IMPACT_SET(&list), NULL, NULL) == status);
    CHECK(graze_sweep_all(motion, &shape, TO_IMPACT_SET(&list), &brute, NULL) == status);
    CHECK(list.count == 0);
}

TEST(bad_input_is_refused)
{
    const float p[3] = {0, 0, 0}, q[3] = {1, 0, 0}, up[3] = {0, 0, 1}, half[3] = {1, 1, 1};
    OWN(moving_body) b = {0}, other = {0};
    make_body(&b, agreement_tree(0));
    make_body(&other, agreement_tree(1));
    graze_shape ball = graze_shape_sphere(p, 1), bar = graze_shape_capsule(p, q, 1);
    graze_shape bad_ball = graze_shape_sphere(p, -1), plane = graze_shape_plane(up, 0);
    graze_shape floor_ = graze_shape_half_space(up, 0), slope = graze_shape_half_space(q, 0);
    graze_shape bad_box = graze_shape_box(p, half, NULL), unknown = {.kind = (graze_shape_kind)9};
    bad_box.as.box.axes[0][0] = 2;
    graze_shape view = graze_shape_frustum(&(graze_half_space){{1, 0, 0}, 1}, 1);
    graze_motion *m = &b.motion;
    refused(NULL, &ball, &ball, GRAZE_BAD_INPUT, "motion a is NULL");
    refused(&(graze_motion){.start = NULL, .end = m->end}, &ball, &ball, GRAZE_BAD_INPUT,
            "the start of a is NULL");
    refused(&(graze_motion){.start = m->start, .end = NULL}, &ball, &ball, GRAZE_BAD_INPUT,
            "the end of a is NULL");
    refused(&(graze_motion){.start = m->start, .end = other.motion.end}, &ball, &ball,
            GRAZE_BAD_INPUT, "the start of a and the end of a are bodies of different models");
    refused(m, NULL, &ball, GRAZE_BAD_INPUT, "the shape is NULL");
    refused(m, &ball, NULL, GRAZE_BAD_INPUT, "the shape is NULL");
    refused(m, &ball, &bar, GRAZE_BAD_INPUT,
            "the shape is of kind 0 at the start and 1 at the end");
    refused(m, &ball, &bad_ball, GRAZE_BAD_INPUT,
            "the radius is -1; it must be at least 0, and below 1e18");
    refused(m, &bad_box, &bad_box, GRAZE_BAD_INPUT,
            "the axes of the box are not unit vectors at right angles");
    refused(m, &unknown, &unknown, GRAZE_BAD_INPUT, "shape kind 9 is unknown");
    refused(m, &plane, &plane, GRAZE_UNSUPPORTED,
            "what moves is a sphere, capsule, box or half-space");
    refused(m, &view, &view, GRAZE_UNSUPPORTED,
            "what moves is a sphere, capsule, box or half-space");
    refused(m, &floor_, &slope, GRAZE_UNSUPPORTED, "a half-space that moves keeps its normal");
    graze_impact none = {0}, one = {.found = true};
    CHECK(!graze_impact_is_earlier(NULL, &one) && !graze_impact_is_earlier(&one, NULL));
    CHECK(graze_impact_is_earlier(&one, &none) && !graze_impact_is_earlier(&one, &one));
}
