/* Between two updates: swept, sampled and continuous against each other, against what is there at
 * the ends, and against dense sampling; a fast ball and a forearm.
 */
#include "harness.h"
#include "scenes/synth.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/variants.h"
#include "sweep/at_time.h"
#include "touch/shapes.h"
#include "world/motion.h"
#include "world/world.h"

#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- random movers
 * -------------------------------------------------------------------------------- */

enum { VOLUMES = 3 };

/* A body with its motion, a fit that does not matter, or a shape. */
typedef struct thing {
    deform_skin skin;
    graze_model *model;
    graze_body *bodies[2], *between;
    float *positions[3];
    uint32_t vertex_count;
    graze_shape shapes[2];
    graze_capsule volumes[2][VOLUMES];
    grazei_mover mover;
} thing;

static const uint32_t volume_parts[VOLUMES] = {4, UINT32_MAX, 7};

static void random_vector(test_random *random, double size, float v[3])
{
    for (int k = 0; k < 3; k++)
        v[k] = (float)test_random_range(random, -size, size);
}

static void pose_body(thing *t, test_random *random)
{
    const soup *mesh = &t->skin.mesh;
    float maps[8 * 12], placement[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, way[3];
    for (int end = 0; end < 2; end++) {
        deform_pose_make(DEFORM_NEAR, mesh->centre, mesh->def.size, mesh->def.joint_count, random,
                         maps);
        random_vector(random, 0.5, way);
        for (int k = 0; k < 3; k++)
            placement[4 * k + 3] = way[k];
        graze_pose pose = {
            .joints = maps, .joint_count = mesh->def.joint_count, .placement = placement};
        CHECK(!graze_body_set_pose(t->bodies[end], &pose, NULL));
        graze_body_get_positions(t->bodies[end], t->positions[end]);
    }
    t->mover = (grazei_mover){.start = t->bodies[0], .end = t->bodies[1]};
}

static void make_body(thing *t, uint32_t number, test_random *random)
{
    soup_def def = {.vertex_count = 30 + test_random_u32(random) % 60,
                    .triangle_count = 20 + test_random_u32(random) % 150,
                    .joint_count = 1 + number % 4,
                    .max_influences = 2,
                    .size = 1};
    t->skin = deform_skin_make(&def, 0, random);
    graze_model_def model_def = deform_skin_def(&t->skin, (graze_skinning)(number % 3));
    CHECK(!graze_model_create(&model_def, &t->model, NULL));
    for (int i = 0; i < 2; i++)
        CHECK(!graze_body_create(t->model, &t->bodies[i], NULL));
    CHECK(!graze_body_create(t->model, &t->between, NULL));
    t->vertex_count = def.vertex_count;
    for (int i = 0; i < 3; i++)
        t->positions[i] = malloc(3 * sizeof(float) * def.vertex_count);
}

static void random_shapes(thing *t, uint32_t kind, test_random *random)
{
    for (int end = 0; end < 2; end++) {
        float p[3], q[3], size = kind == 4 ? 0.2f : (float)test_random_range(random, 0.1, 0.4);
        float half[3] = {size, 0.5f * size, 0.7f * size}, turn[4] = {0.2f, 0.3f, -0.4f, 1};
        const float up[3] = {0.1f, 1, 0.2f};
        random_vector(random, 0.8, p);
        random_vector(random, 0.4, q);
        for (int k = 0; k < 3; k++)
            q[k] += p[k];
        switch (kind) {
        case 0:
        case 4:
            t->shapes[end] = graze_shape_sphere(p, size);
            break;
        case 1:
            t->shapes[end] = graze_shape_capsule(p, q, 0.5f * size);
            break;
        case 2:
            t->shapes[end] = graze_shape_box(p, half, turn);
            break;
        default:
            t->shapes[end] = graze_shape_half_space(up, p[1] - 1);
        }
        for (int v = 0; v < VOLUMES; v++) {
            graze_capsule *volume = &t->volumes[end][v];
            memcpy(volume->p, p, sizeof p);
            memcpy(volume->q, q, sizeof q);
            volume->p[v % 3] += 0.3f * (float)v;
            volume->radius = 0.1f + 0.05f * (float)v;
        }
    }
    t->mover = (grazei_mover){.from = &t->shapes[0], .to = &t->shapes[1]};
}

static void free_thing(thing *t)
{
    for (int i = 0; i < 2; i++)
        graze_body_destroy(t->bodies[i]);
    graze_body_destroy(t->between);
    graze_model_destroy(t->model);
    for (int i = 0; i < 3; i++)
        free(t->positions[i]);
    if (t->model)
        deform_skin_free(&t->skin);
}

OWN_VALUE(thing, free_thing)

/* Kinds 0 to 3 are shapes, 5 volumes, 6 and 7 bodies. */
static void make_thing(thing *t, uint32_t kind, uint32_t number, test_random *random)
{
    memset(t, 0, sizeof *t);
    if (kind >= 6) {
        make_body(t, number, random);
        pose_body(t, random);
        return;
    }
    random_shapes(t, kind, random);
    if (kind == 5)
        t->mover = (grazei_mover){.volumes_from = t->volumes[0],
                                  .volumes_to = t->volumes[1],
                                  .volume_parts = volume_parts,
                                  .volume_count = VOLUMES};
}

/* ---- what is there at a time, by public calls
 * -------------------------------------------------------- */

static bool move_between(thing *t, double time)
{
    for (uint32_t i = 0; i < 3 * t->vertex_count; i++)
        t->positions[2][i] =
            (float)((1 - time) * (double)t->positions[0][i] + time * (double)t->positions[1][i]);
    return !graze_body_set_positions(t->between, t->positions[2], 0, t->vertex_count, NULL);
}

typedef struct lowest {
    bool found;
    graze_pair pair;
} lowest;

static bool take_lowest(void *user, const graze_pair *pairs, size_t count)
{
    lowest *l = user;
    for (size_t i = 0; i < count; i++)
        if (!l->found || pairs[i].a < l->pair.a ||
            (pairs[i].a == l->pair.a && pairs[i].b < l->pair.b)) {
            l->found = true;
            l->pair = pairs[i];
        }
    return true;
}

static bool take_lowest_triangle(void *user, const uint32_t *triangles, size_t count)
{
    lowest *l = user;
    for (size_t i = 0; i < count; i++)
        if (!l->found || triangles[i] < l->pair.a) {
            l->found = true;
            l->pair.a = triangles[i];
        }
    return true;
}

TEST(bodies_at_a_time_are_bodies_with_those_positions)
{
    uint32_t touched = 0, met = 0, count = test_amount(400, 60);
    for (uint32_t i = 0; i < count; i++) {
        test_random random = test_random_seed(40 + i);
        OWN(thing) a = {0}, b = {0}, shape = {0};
        graze_stats stats = {0};
        make_thing(&a, 6, i, &random);
        make_thing(&b, 6, i + 1, &random);
        make_thing(&shape, i % 4, i, &random);
        for (int step = 0; step <= 4; step++) {
            double time = step / 4.0;
            grazei_triangle_at found[2];
            lowest expected = {0};
            grazei_shape made;
            CHECK(move_between(&a, time) && move_between(&b, time));
            graze_motion motions[2] = {{.start = a.bodies[0], .end = a.bodies[1]},
                                       {.start = b.bodies[0], .end = b.bodies[1]}};
            bool hit = grazei_collide_at(&motions[0], &motions[1], time, found, &stats);
            CHECK(!graze_pairs(a.between, b.between,
                               &(graze_pair_list){.report = take_lowest, .user = &expected}, NULL,
                               NULL));
            CHECK(hit == expected.found);
            CHECK(!hit ||
                  (found[0].number == expected.pair.a && found[1].number == expected.pair.b));
            met += hit;
            expected.found = false;
            if (step % 2) /* at a vertex of some triangle, which must be within all bounds above */
                shape.shapes[0] = graze_shape_sphere(
                    a.positions[2] +
                        3 * (size_t)a.skin.mesh.triangles[test_random_u32(&random) %
                                                          (3 * a.skin.mesh.def.triangle_count)],
                    0);
            CHECK(!grazei_shape_prepare(&made, &shape.shapes[0], NULL));
            hit = grazei_touch_at(&motions[0], time, &made, &found[0], &stats);
            CHECK(!graze_touch(
                a.between, &shape.shapes[0],
                &(graze_triangle_list){.report = take_lowest_triangle, .user = &expected}, NULL,
                NULL));
            CHECK(hit == expected.found && (!hit || found[0].number == expected.pair.a));
            for (int k = 0; hit && k < 3; k++)
                CHECK(
                    memcmp(found[0].corners[k],
                           a.positions[2] +
                               3 * (size_t)a.skin.mesh.triangles[3 * found[0].number + (uint32_t)k],
                           3 * sizeof(float)) == 0);
            touched += hit;
        }
    }
    printf("     %u of %u samples meet, %u touch\n", met, 5 * count, touched);
    CHECK(met > count / 4 && touched > count / 4);
}

/* ---- the rules against each other
 * -------------------------------------------------------------------- */

/* Whether they meet at one end, by the queries without motion. */
static bool meet_at_end(thing *a, thing *b, int end)
{
    bool hit = false;
    if (a->model && b->model) {
        return test_meets(a->bodies[end], b->bodies[end], NULL);
    } else if (a->model || b->model) {
        thing *body = a->model ? a : b, *other = a->model ? b : a;
        if (!other->mover.volumes_from)
            hit = test_touches(body->bodies[end], &other->shapes[end], NULL);
        for (int v = 0; other->mover.volumes_from && v < VOLUMES && !hit; v++) {
            graze_shape shape = {.kind = GRAZE_CAPSULE, .as = {.capsule = other->volumes[end][v]}};
            if (volume_parts[v] != UINT32_MAX)
                hit = test_touches(body->bodies[end], &shape, NULL);
        }
    } else {
        for (int i = 0; i < (a->mover.volumes_from ? VOLUMES : 1); i++)
            for (int k = 0; k < (b->mover.volumes_from ? VOLUMES : 1) && !hit; k++) {
                graze_shape x = a->shapes[end], y = b->shapes[end];
                if (a->mover.volumes_from)
                    x = (graze_shape){GRAZE_CAPSULE, {.capsule = a->volumes[end][i]}};
                if (b->mover.volumes_from)
                    y = (graze_shape){GRAZE_CAPSULE, {.capsule = b->volumes[end][k]}};
                if ((a->mover.volumes_from && volume_parts[i] == UINT32_MAX) ||
                    (b->mover.volumes_from && volume_parts[k] == UINT32_MAX))
                    continue;
                CHECK(!grazei_shapes_meet(&x, &y, &hit, NULL));
            }
    }
    return hit;
}

static double length3(const float v[3])
{
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                (double)v[2] * (double)v[2]);
}

static void check_answer(const grazei_motion_answer *x, const grazei_motion_answer *back,
                         const char *name, int rule)
{
    CHECK_MSG(x->met == back->met && x->capped == back->capped, "%s: exchanged", name);
    CHECK_MSG(fabsf(x->time - back->time) < 1e-5f, "%s: %.9g exchanged is %.9g", name,
              (double)x->time, (double)back->time);
    CHECK(x->time >= 0 && x->time <= 1);
    double length = length3(x->normal);
    CHECK_MSG(length == 0 || fabs(length - 1) < 1e-5, "%s: normal of length %g", name, length);
    CHECK_MSG(!x->met || x->time == 0 || length > 0, "%s, rule %d: no normal", name, rule);
}

static void check_rules(thing *a, thing *b, const char *name, uint32_t counts[4])
{
    grazei_motion_answer answers[4], back;
    graze_stats stats = {0};
    bool ends[2] = {meet_at_end(a, b, 0), meet_at_end(a, b, 1)};
    for (int rule = GRAZE_MOTION_SWEPT; rule <= GRAZE_MOTION_CONTINUOUS; rule++) {
        CHECK(!grazei_motion_ask(GRAZE_LEVEL_HITBOXES, (graze_motion_rule)rule, &a->mover,
                                 &b->mover, &answers[rule], &stats, NULL));
        CHECK(!grazei_motion_ask(GRAZE_LEVEL_HITBOXES, (graze_motion_rule)rule, &b->mover,
                                 &a->mover, &back, NULL, NULL));
        check_answer(&answers[rule], &back, name, rule);
        counts[rule] += answers[rule].met;
        CHECK_MSG(answers[rule].met || (!ends[0] && !ends[1]), "%s, rule %d: an end is missed",
                  name, rule);
        if (rule != GRAZE_MOTION_SWEPT)
            CHECK_MSG((answers[rule].met && answers[rule].time == 0) == ends[0] ||
                          answers[rule].time == 0,
                      "%s, rule %d: the start", name, rule);
    }
    const grazei_motion_answer *swept = &answers[GRAZE_MOTION_SWEPT];
    const grazei_motion_answer *sampled = &answers[GRAZE_MOTION_SAMPLED];
    const grazei_motion_answer *all = &answers[GRAZE_MOTION_CONTINUOUS];
    CHECK_MSG(!sampled->met || (all->met && all->time <= sampled->time + 1e-5f),
              "%s: sampled at %g, followed %d at %g", name, (double)sampled->time, all->met,
              (double)all->time);
    CHECK_MSG(!all->met || (swept->met && swept->time <= all->time + 1e-5f),
              "%s: followed at %g, swept %d at %g", name, (double)all->time, swept->met,
              (double)swept->time);
    CHECK(!swept->capped && !all->capped);
}

TEST(rules_agree_with_each_other_and_with_the_ends)
{
    static const uint32_t kinds[] = {0, 1, 2, 3, 5, 6};
    uint32_t counts[4] = {0}, pairs = 0, rounds = test_amount(60, 8);
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t i = 0; i < 6; i++)
            for (uint32_t k = 0; k < 6; k++) {
                char name[64];
                test_random random = test_random_seed(1000 * round + 10 * i + k);
                OWN(thing) a = {0}, b = {0};
                if (kinds[i] == 3 && kinds[k] == 3)
                    continue;
                snprintf(name, sizeof name, "round %u, kinds %u and %u", round, kinds[i], kinds[k]);
                make_thing(&a, kinds[i], round, &random);
                make_thing(&b, kinds[k], round + 1, &random);
                check_rules(&a, &b, name, counts);
                pairs++;
            }
    printf("     %u pairs: %u swept, %u sampled, %u continuous\n", pairs, counts[1], counts[2],
           counts[3]);
    CHECK(counts[2] > pairs / 5 && counts[1] < pairs && counts[2] <= counts[3]);
}

TEST(sampling_says_when_its_steps_run_out)
{
    const float left[3] = {-10, 0, 0}, right[3] = {10, 0, 0}, middle[3] = {0.15f, 0, 0};
    const float near[3] = {-0.5f, 0, 0}, up[3] = {0, 1, 0}, slope[3] = {0.3f, 1, 0};
    graze_shape from = graze_shape_sphere(left, 0.05f), to = graze_shape_sphere(right, 0.05f);
    graze_shape still = graze_shape_sphere(middle, 0.05f), close = graze_shape_sphere(near, 0.05f);
    grazei_mover ball = {.from = &from, .to = &to}, other = {.from = &still, .to = &still};
    grazei_motion_answer answer;
    /* 20 m in 64 steps of 0.31 m: the other is 0.15 m from the nearest two. */
    CHECK(!grazei_motion_ask(GRAZE_LEVEL_EXACT, GRAZE_MOTION_SAMPLED, &ball, &other, &answer, NULL,
                             NULL));
    CHECK(!answer.met && answer.capped && answer.time == 0);
    CHECK(!grazei_motion_ask(GRAZE_LEVEL_EXACT, GRAZE_MOTION_CONTINUOUS, &ball, &other, &answer,
                             NULL, NULL));
    CHECK(answer.met && !answer.capped && fabsf(answer.time - 0.5025f) < 1e-5f);
    CHECK(answer.normal[0] == -1 && fabsf(answer.point[0] - 0.1f) < 1e-5f);
    /* 0.4 m in steps of 0.00625: 64 are just enough. */
    const float far[3] = {-0.1f, 0, 0};
    graze_shape there = graze_shape_sphere(far, 0.05f);
    grazei_mover slow = {.from = &close, .to = &there};
    CHECK(!grazei_motion_ask(GRAZE_LEVEL_EXACT, GRAZE_MOTION_SAMPLED, &slow, &other, &answer, NULL,
                             NULL));
    CHECK(!answer.met && !answer.capped);
    /* A floor that tips cannot be followed, and that is said. */
    graze_shape level = graze_shape_half_space(up, -1),
                tipped = graze_shape_half_space(slope, 0.1f);
    grazei_mover floor_ = {.from = &level, .to = &tipped};
    CHECK(!grazei_motion_ask(GRAZE_LEVEL_EXACT, GRAZE_MOTION_CONTINUOUS, &other, &floor_, &answer,
                             NULL, NULL));
    CHECK(answer.met && answer.capped && answer.time > 0.5f);
    /* Two floors: they meet or not, all the time. */
    grazei_mover flat = {.from = &level, .to = &level};
    CHECK(!grazei_motion_ask(GRAZE_LEVEL_EXACT, GRAZE_MOTION_CONTINUOUS, &flat, &floor_, &answer,
                             NULL, NULL));
    CHECK(answer.met && answer.time == 0 && !answer.capped);
}

/* ---- a ball and a forearm
 * ----------------------------------------------------------------------------- */

static double point_triangle(const double p[3], const double t[3][3])
{
    double best = INFINITY, d[3], e[3], w[3], n[3];
    for (int i = 0; i < 3; i++) { /* edges */
        double along = 0, square = 0, rest = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = t[(i + 1) % 3][k] - t[i][k];
            along += d[k] * (p[k] - t[i][k]);
            square += d[k] * d[k];
        }
        double s = square > 0 ? fmin(fmax(along / square, 0), 1) : 0;
        for (int k = 0; k < 3; k++)
            rest += pow(p[k] - t[i][k] - s * d[k], 2);
        best = fmin(best, sqrt(rest));
    }
    for (int k = 0; k < 3; k++) {
        d[k] = t[1][k] - t[0][k];
        e[k] = t[2][k] - t[0][k];
        w[k] = p[k] - t[0][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = d[(k + 1) % 3] * e[(k + 2) % 3] - d[(k + 2) % 3] * e[(k + 1) % 3];
    double square = 0, height = 0, u = 0, v = 0;
    for (int k = 0; k < 3; k++) {
        int x = (k + 1) % 3, y = (k + 2) % 3;
        square += n[k] * n[k];
        height += n[k] * w[k];
        u += (w[x] * e[y] - w[y] * e[x]) * n[k];
        v += (d[x] * w[y] - d[y] * w[x]) * n[k];
    }
    return u >= 0 && v >= 0 && u + v <= square ? fmin(best, fabs(height) / sqrt(square)) : best;
}

/* The first of so many samples at which the ball is within its radius of a triangle; 2: none. */
static double first_sample(const thing *man, const uint32_t *triangles, const uint32_t *listed,
                           uint32_t listed_count, const graze_shape ball[2], uint32_t samples)
{
    for (uint32_t i = 0; i <= samples; i++) {
        double time = (double)i / samples, centre[3], corners[3][3];
        for (int k = 0; k < 3; k++)
            centre[k] = (1 - time) * (double)ball[0].as.sphere.centre[k] +
                        time * (double)ball[1].as.sphere.centre[k];
        for (uint32_t l = 0; l < listed_count; l++) {
            for (uint32_t c = 0; c < 9; c++) {
                size_t at = 3 * (size_t)triangles[3 * listed[l] + c / 3] + c % 3;
                corners[c / 3][c % 3] = (1 - time) * (double)man->positions[0][at] +
                                        time * (double)man->positions[1][at];
            }
            if (point_triangle(centre, (const double(*)[3])corners) <=
                (double)ball[0].as.sphere.radius)
                return time;
        }
    }
    return 2;
}

/* The middle of the vertices of a group. */
static bool middle_of(const thing *man, const uint32_t *triangles, uint32_t group, float middle[3])
{
    double sum[3] = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t t = 0; t < graze_model_get_info(man->model).triangle_count; t++) {
        if (graze_model_triangle_part(man->model, t) != group)
            continue;
        count++;
        for (uint32_t c = 0; c < 9; c++)
            sum[c % 3] += (double)man->positions[0][3 * (size_t)triangles[3 * t + c / 3] + c % 3];
    }
    for (int k = 0; k < 3; k++)
        middle[k] = (float)(sum[k] / (3 * count));
    return count > 0;
}

/* Triangles with a corner near the way, at the start or at the end. */
static uint32_t list_near(const thing *man, const uint32_t *triangles, const graze_shape ball[2],
                          uint32_t *listed)
{
    const float *p = ball[0].as.sphere.centre, *q = ball[1].as.sphere.centre;
    uint32_t count = 0;
    for (uint32_t t = 0; t < graze_model_get_info(man->model).triangle_count; t++) {
        bool near = false;
        for (int c = 0; c < 6 && !near; c++) {
            const float *corner =
                man->positions[c / 3] + 3 * (size_t)triangles[3 * t + (uint32_t)(c % 3)];
            near = true;
            for (int k = 0; k < 3; k++)
                near = near && corner[k] > fminf(p[k], q[k]) - 0.3f &&
                       corner[k] < fmaxf(p[k], q[k]) + 0.3f;
        }
        if (near)
            listed[count++] = t;
    }
    return count;
}

/* The same two frames in a world: discrete has no event, the others a begin and an end. */
static void judge_world(const graze_rig *rig, graze_model *model, const graze_shape ball[2],
                        graze_motion_rule motion, double dense, const char *limb)
{
    OWN(graze_world) *world = NULL;
    OWN(graze_body) *body = NULL;
    graze_world_rule rule = {0};
    graze_world_member_def def = {0};
    graze_world_id ids[2];
    size_t count = 0;
    rule.motion = motion;
    rule.contacts = true;
    CHECK(!graze_world_create(NULL, &world, NULL) && !graze_body_create(model, &body, NULL));
    CHECK(!graze_world_set_rule(world, 0, 0, &rule, NULL));
    CHECK(!graze_world_add_body(world, body, &def, &ids[0], NULL));
    CHECK(!graze_world_add_shape(world, &ball[0], &def, &ids[1], NULL));
    for (int frame = 0; frame < 2; frame++) {
        graze_pose pose = test_rig_pose(rig, 0, 0.3 + frame / 60.0);
        CHECK(graze_world_events(world, &count) == NULL && count == 0);
        CHECK(!graze_body_set_pose(body, &pose, NULL));
        CHECK(!graze_world_set_shape(world, ids[1], &ball[frame], NULL));
        CHECK(!graze_world_update(world, NULL, NULL));
    }
    const graze_world_event *events = graze_world_events(world, &count);
    CHECK_MSG(count == (motion == GRAZE_MOTION_DISCRETE ? 0 : 2), "motion %d: %zu events",
              (int)motion, count);
    if (count == 2) {
        const char *part = rig->nodes[rig->joints[events[0].parts[0].a].node].name;
        CHECK(events[0].kind == GRAZE_EVENT_BEGIN && events[1].kind == GRAZE_EVENT_END);
        CHECK(events[0].part_count == 1 && strncmp(part, limb, strlen(limb)) == 0);
        CHECK(events[0].contact_count == 1 && !events[0].capped && events[0].motion == motion);
        CHECK(1000 * fabs((double)events[0].time - dense) / 60 < 1);
    }
}

/* The rules against dense sampling. */
static double judge_throw(const thing *man, const uint32_t *triangles, const graze_shape ball[2],
                          const graze_rig *rig, const char *limb, const char *name)
{
    enum { FRAMES = 60 };
    uint32_t triangle_count = graze_model_get_info(man->model).triangle_count;
    OWNED uint32_t *listed = malloc(sizeof *listed * triangle_count);
    uint32_t count = list_near(man, triangles, ball, listed);
    uint32_t samples = test_amount(100000, 2000);
    grazei_mover movers[2] = {{.start = man->bodies[0], .end = man->bodies[1]},
                              {.from = &ball[0], .to = &ball[1]}};
    double dense = first_sample(man, triangles, listed, count, ball, samples);
    printf("     %s: discrete misses, %u samples have %.4f ms", name, samples,
           1000 * dense / FRAMES);
    for (int rule = GRAZE_MOTION_SWEPT; rule <= GRAZE_MOTION_CONTINUOUS; rule++) {
        static const char *const names[] = {"discrete", "swept", "sampled", "continuous"};
        grazei_motion_answer answer;
        CHECK(!grazei_motion_ask(GRAZE_LEVEL_EXACT, (graze_motion_rule)rule, &movers[0], &movers[1],
                                 &answer, NULL, NULL));
        const char *part = rig->nodes[rig->joints[answer.parts[0]].node].name;
        CHECK_MSG(answer.met && strncmp(part, limb, strlen(limb)) == 0 &&
                      answer.triangles[0] < triangle_count,
                  "%s, %s: %d, part %s", name, names[rule], answer.met, part);
        double late = 1000 * ((double)answer.time - dense) / FRAMES;
        printf(", %s %+.4f", names[rule], late);
        CHECK(!answer.capped);
        CHECK_MSG(fabs(late) < 1, "%s, %s: %g ms", name, names[rule], late);
    }
    printf("\n");
    return dense;
}

/* 40 m/s and 60 frames a second: two thirds of a metre a frame, six radii. Along an axis on which
 * nothing else is near at the ends; limb: what the names of parts start with that may be hit first.
 */
static void throw_at(const graze_rig *rig, const char *name, const char *joint, const char *limb)
{
    thing man = {0};
    graze_model_def def = test_rig_def(rig);
    float middle[3] = {0};
    uint32_t group = UINT32_MAX, axis = 3;
    REQUIRE(!graze_model_create(&def, &man.model, NULL));
    man.vertex_count = graze_model_get_info(man.model).vertex_count;
    for (int i = 0; i < 2; i++) {
        graze_pose pose = test_rig_pose(rig, 0, 0.3 + i / 60.0);
        CHECK(!graze_body_create(man.model, &man.bodies[i], NULL));
        CHECK(!graze_body_set_pose(man.bodies[i], &pose, NULL));
        man.positions[i] = malloc(3 * sizeof(float) * man.vertex_count);
        graze_body_get_positions(man.bodies[i], man.positions[i]);
    }
    for (uint32_t j = 0; j < rig->joint_count; j++)
        if (strcmp(rig->nodes[rig->joints[j].node].name, joint) == 0)
            group = j;
    CHECK_MSG(middle_of(&man, def.triangles, group, middle), "%s has no %s", name, joint);
    graze_shape ball[2];
    for (bool clear = false; !clear && axis > 0;) {
        axis--;
        clear = true;
        for (int i = 0; i < 2; i++) {
            float centre[3] = {middle[0], middle[1], middle[2]};
            bool hit = true;
            centre[axis] += i ? -1.0f / 3 : 1.0f / 3;
            ball[i] = graze_shape_sphere(centre, 0.11f);
            hit = test_touches(man.bodies[i], &ball[i], NULL);
            clear = clear && !hit;
        }
        CHECK_MSG(clear || axis > 0, "%s: met at an end, on every axis", name);
    }
    double dense = judge_throw(&man, def.triangles, ball, rig, limb, name);
    for (int motion = GRAZE_MOTION_DISCRETE; motion <= GRAZE_MOTION_CONTINUOUS; motion++)
        judge_world(rig, man.model, ball, (graze_motion_rule)motion, dense, limb);
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(man.bodies[i]);
        free(man.positions[i]);
    }
    graze_model_destroy(man.model);
}

TEST(a_fast_ball_and_a_forearm)
{
    graze_synth_def synth = {.kind = GRAZE_SYNTH_MAN};
    graze_rig *rig = NULL;
    REQUIRE(!graze_synth(&synth, NULL, &rig, NULL));
    throw_at(rig, "man", "forearm.L", "forearm.L");
    graze_rig_destroy(rig);
    char path[1024]; /* another man, where he is */
    snprintf(path, sizeof path, "%s/CesiumMan.glb",
             test_models_folder() ? test_models_folder() : ".");
    if (test_rig_load(path, &rig, NULL))
        return;
    throw_at(rig, "CesiumMan", "Skeleton_arm_joint_L__3_", "Skeleton_arm_joint_L");
    graze_rig_destroy(rig);
}
