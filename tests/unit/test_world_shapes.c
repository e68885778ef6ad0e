/* Two simple shapes in a world: whether they meet against meshes of boxes, and the contact, which
 * is a shortest way apart, from either side.
 */
#include "harness.h"

#include "support/quick.h"
#include "support/world_judge.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static double lot(test_random *random, double low, double high)
{
    return test_random_range(random, low, high);
}

/* Some boxes are rods, so that edges keep them apart. */
static graze_shape random_shape(test_random *random, uint32_t kind, const double at[3], bool rod)
{
    float p[3], q[3], half[3], turn[4];
    for (int k = 0; k < 3; k++) {
        p[k] = (float)at[k];
        q[k] = (float)(at[k] + lot(random, -1, 1));
        half[k] = (float)lot(random, 0.1, 0.6) * (rod && k ? 0.1f : 1);
    }
    for (int k = 0; k < 4; k++)
        turn[k] = (float)lot(random, -1, 1);
    switch (kind % 4) {
    case 0:
        return graze_shape_sphere(p, half[0]);
    case 1:
        return graze_shape_capsule(p, q, half[0]);
    case 2:
        return graze_shape_box(p, half, turn);
    default:
        return graze_shape_half_space(turn, (float)lot(random, -1, 1));
    }
}

static bool meet(const graze_shape *a, const graze_shape *b)
{
    bool answer = false;
    CHECK(grazei_shapes_meet(a, b, &answer, NULL) == GRAZE_OK);
    return answer;
}

TEST(two_shapes_meet_as_their_meshes_do)
{
    test_random random = test_random_seed(5);
    const double zero[3] = {0, 0, 0};
    uint32_t meeting_count = 0, wrong = 0;
    const uint32_t cases = 6000;
    for (uint32_t i = 0; i < cases; i++) {
        double at[3] = {lot(&random, -1, 1), lot(&random, -1, 1), lot(&random, -1, 1)};
        graze_shape a = random_shape(&random, 2, zero, i % 3);
        graze_shape b = random_shape(&random, i, at, true);
        bool answer = meet(&a, &b);
        wrong += answer != meet(&b, &a) || answer != judge_shapes_meet(&a, &b);
        meeting_count += answer;
    }
    CHECK_MSG(wrong == 0, "%u of %u are wrong", wrong, cases);
    CHECK(meeting_count > cases / 10 && meeting_count < cases - cases / 10);
}

TEST(half_spaces_meet_unless_they_face_away)
{
    const float up[3] = {0, 2, 0}, down[3] = {0, -1, 0}, aside[3] = {1, -1, 0};
    const struct {
        const float *normal;
        float offset;
        bool meet;
    } others[] = {
        {down, -1, true}, {down, -1.5f, false}, {down, 3, true}, {up, -9, true}, {aside, -9, true}};
    graze_shape below = graze_shape_half_space(up, 2); /* y <= 1 */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        graze_shape other = graze_shape_half_space(others[i].normal, others[i].offset);
        CHECK(meet(&below, &other) == others[i].meet);
    }
}

/* ---- contacts ---- */

static graze_shape moved(const graze_shape *shape, const double way[3])
{
    graze_shape to = *shape;
    float *points[2] = {shape->kind == GRAZE_SPHERE    ? to.as.sphere.centre
                        : shape->kind == GRAZE_CAPSULE ? to.as.capsule.p
                                                       : to.as.box.centre,
                        shape->kind == GRAZE_CAPSULE ? to.as.capsule.q : NULL};
    if (shape->kind == GRAZE_HALF_SPACE) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += way[k] * to.as.plane.normal[k];
        to.as.plane.offset += (float)sum;
        return to;
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3 && points[i]; k++)
            points[i][k] += (float)way[k];
    return to;
}

static bool meet_when_moved(const graze_shape *a, const graze_shape *b, const float normal[3],
                            double length)
{
    const double way[3] = {normal[0] * length, normal[1] * length, normal[2] * length};
    graze_shape away = moved(a, way);
    return meet(&away, b);
}

/* Going along the normal by the depth parts them, not before; no other way tried is shorter. */
static bool is_shortest(test_random *random, const graze_shape *a, const graze_shape *b,
                        const graze_contact *c)
{
    if (meet_when_moved(a, b, c->normal, c->depth + 1e-4) ||
        (c->depth > 2e-4 && !meet_when_moved(a, b, c->normal, c->depth - 1e-4)))
        return false;
    for (int i = 0; i < 30 && c->depth > 1e-3; i++) {
        float way[3];
        double sum = 0;
        /* All over the place, and near the normal. */
        for (int k = 0; k < 3; k++) {
            way[k] = (float)lot(random, -1, 1) + (i % 2 ? 4 * c->normal[k] : 0);
            sum += (double)way[k] * way[k];
        }
        if (sum < 0.01)
            continue;
        for (int k = 0; k < 3; k++)
            way[k] /= (float)sqrt(sum);
        if (!meet_when_moved(a, b, way, c->depth * 0.999 - 1e-5))
            return false;
    }
    return true;
}

/* The point is in each, or no farther from it than half the depth: half way between surfaces. */
static bool holds_point(const graze_shape *shape, const graze_contact *c)
{
    graze_shape dot = graze_shape_sphere(c->point, 0.5f * c->depth + 1e-4f);
    return meet(shape, &dot);
}

TEST(contacts_are_the_shortest_way_apart)
{
    test_random random = test_random_seed(9);
    const double zero[3] = {0, 0, 0};
    uint32_t found[4][4] = {{0}}, wrong = 0, outside = 0, unequal = 0;
    const uint32_t cases = test_amount(100000, 8000);
    for (uint32_t i = 0; i < cases; i++) {
        double at[3] = {lot(&random, -0.7, 0.7), lot(&random, -0.7, 0.7), lot(&random, -0.7, 0.7)};
        graze_shape a = random_shape(&random, i, zero, i % 3 == 0);
        graze_shape b = random_shape(&random, i / 4, at, i % 5 == 0);
        graze_contact c, turned;
        if (!meet(&a, &b) || !grazei_shapes_contact(&a, &b, &c))
            continue;
        found[i % 4][i / 4 % 4]++;
        if (!is_shortest(&random, &a, &b, &c))
            wrong++;
        outside += !holds_point(&a, &c) || !holds_point(&b, &c);
        CHECK(grazei_shapes_contact(&b, &a, &turned));
        for (int k = 0; k < 3; k++)
            turned.normal[k] = 0 - turned.normal[k];
        unequal += memcmp(&c, &turned, sizeof c) != 0;
    }
    CHECK_MSG(wrong == 0, "%u are no shortest way", wrong);
    CHECK_MSG(outside == 0, "%u points are far from one", outside);
    CHECK_MSG(unequal == 0, "%u differ from the other side", unequal);
    for (int k = 0; k < 4; k++)
        for (int l = 0; l < 4; l++)
            CHECK_MSG(found[k][l] > cases / 100 || (k == 3 && l == 3), "%u of kinds %d and %d",
                      found[k][l], k, l);
}

static bool is_near(const float x[3], double a, double b, double c)
{
    return fabs(x[0] - a) < 1e-6 && fabs(x[1] - b) < 1e-6 && fabs(x[2] - c) < 1e-6;
}

/* By hand. */
TEST(contacts_of_boxes_and_half_spaces)
{
    const float zero[3] = {0, 0, 0}, up[3] = {0, 3, 0}, down[3] = {0, -1, 0}, half[3] = {1, 2, 3};
    const float above[3] = {0, 2.07f, 0}, beside[3] = {1.9f, 0, 0}, end[3] = {0.5f, 2.07f, 0};
    const float small[3] = {1, 1, 1}, lifted[3] = {0, 0.9f, 0}, inner[3] = {0, 1.5f, 0};
    graze_shape ground = graze_shape_half_space(up, 0), box = graze_shape_box(zero, half, NULL);
    graze_shape lid = graze_shape_half_space(down, -1), cube = graze_shape_box(lifted, small, NULL);
    graze_shape ball = graze_shape_sphere(above, 0.1f),
                other = graze_shape_box(beside, small, NULL);
    graze_shape rod = graze_shape_capsule(above, end, 0.1f), deep = graze_shape_sphere(inner, 0.1f);
    graze_shape slab = graze_shape_half_space(down, 0.5f);
    graze_contact c;
    CHECK(grazei_shapes_contact(&ball, &box, &c) && fabs(c.depth - 0.03) < 1e-6);
    CHECK(is_near(c.normal, 0, 1, 0) && is_near(c.point, 0, 1.985, 0));
    CHECK(grazei_shapes_contact(&box, &ball, &c) && is_near(c.normal, 0, -1, 0));
    CHECK(grazei_shapes_contact(&rod, &box, &c) && fabs(c.depth - 0.03) < 1e-6);
    CHECK(is_near(c.normal, 0, 1, 0) && is_near(c.point, 0.25, 1.985, 0));
    CHECK(grazei_shapes_contact(&deep, &box, &c) && fabs(c.depth - 0.6) < 1e-6);
    CHECK(is_near(c.normal, 0, 1, 0));
    CHECK(grazei_shapes_contact(&cube, &ground, &c) && fabs(c.depth - 0.1) < 1e-6);
    CHECK(is_near(c.normal, 0, 1, 0) && is_near(c.point, 0, -0.1, 0));
    CHECK(grazei_shapes_contact(&ground, &cube, &c) && is_near(c.normal, 0, -1, 0));
    CHECK(grazei_shapes_contact(&box, &other, &c) && fabs(c.depth - 0.1) < 1e-6);
    CHECK(is_near(c.normal, -1, 0, 0) && fabs(c.point[0] - 0.95) < 0.05);
    CHECK(grazei_shapes_contact(&slab, &ground, &c) && fabs(c.depth - 0.5) < 1e-6);
    CHECK(is_near(c.normal, 0, 1, 0) && is_near(c.point, 0, -0.25, 0));
    CHECK(!grazei_shapes_contact(&ground, &ground, &c));
    CHECK(!meet(&lid, &ground));
}
