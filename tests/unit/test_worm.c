#include "harness.h"
#include "scenes/worm.h"
#include "scenes_support.h"
#include "support/own.h"

#include <graze/graze.h>

#include <math.h>

static graze_rig *make_worm(uint32_t triangles, uint32_t joints, uint32_t influences)
{
    graze_worm_def def = {triangles, joints, influences};
    graze_rig *rig = NULL;
    CHECK(graze_worm(&def, NULL, &rig, NULL) == GRAZE_OK);
    return rig;
}

TEST(worms_are_closed_tubes)
{
    static const uint32_t sizes[] = {64, 100, 1000, 50000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        graze_rig *rig = make_worm(sizes[i], 20, 4);
        REQUIRE(rig);
        CHECK_MSG(rig->triangle_count <= sizes[i] && rig->triangle_count > 0.8 * sizes[i],
                  "%u triangles, not %u", rig->triangle_count, sizes[i]);
        CHECK(is_closed(rig) && has_single_fans(rig) && count_components(rig) == 1);
        CHECK(rig->vertex_count == rig->triangle_count / 2 + 2 && volume(rig) > 0.05);
        graze_rig_destroy(rig);
    }
}

/* The sum of weights, and how many there are where the ends are far. */
TEST(weights_are_a_spline)
{
    for (uint32_t influences = 1; influences <= GRAZE_WORM_INFLUENCES; influences++) {
        OWN(graze_rig) *rig = make_worm(2000, 40, influences);
        REQUIRE(rig);
        uint32_t full = 0, inner = 0;
        for (uint32_t v = 0; v < rig->vertex_count; v++) {
            uint32_t first = rig->influence_offsets[v], end = rig->influence_offsets[v + 1];
            double sum = 0, middle = 0, z = rig->positions[3 * (size_t)v + 2];
            for (uint32_t i = first; i < end; i++) {
                const graze_influence *influence = &rig->influences[i];
                CHECK(influence->weight > 0 && influence->joint < 40);
                CHECK(i == first || influence->joint > influence[-1].joint);
                sum += influence->weight;
                middle += influence->weight * (influence->joint + 0.5);
            }
            CHECK(fabs(sum - 1) < 1e-6 && end > first && end - first <= influences);
            if (z < 0.5 || z > 2.5)
                continue;
            inner++;
            full += end - first == influences;
            /* A spline of order 2 or more is where its joints are in the mean. */
            CHECK(fabs(middle - z / 3 * 40) < (influences == 1 ? 0.5001 : 1e-4));
        }
        CHECK_MSG(inner > 100 && full > 0.9 * inner, "%u of %u have %u", full, inner, influences);
    }
}

/* Whatever the joints, the clip bends it alike: the tail is at the same place. */
TEST(the_motion_hardly_depends_on_joints)
{
    float tails[2][3];
    static const uint32_t counts[2] = {100, 1000};
    for (int i = 0; i < 2; i++) {
        OWN(graze_rig) *rig = make_worm(1000, counts[i], 4);
        REQUIRE(rig);
        OWNED float *joints = malloc(12 * sizeof *joints * rig->joint_count);
        REQUIRE(joints && graze_rig_sample(rig, 0, 0.3, joints, NULL) == GRAZE_OK);
        const float *last = joints + 12 * (size_t)(rig->joint_count - 1);
        for (int k = 0; k < 3; k++)
            tails[i][k] = last[4 * k + 2] * 3 + last[4 * k + 3];
    }
    CHECK(fabsf(tails[0][0]) > 0.01f && tails[0][2] > 2 && tails[0][2] < 2.95f);
    for (int k = 0; k < 3; k++)
        CHECK_MSG(fabsf(tails[0][k] - tails[1][k]) < 0.03f, "%g and %g", tails[0][k], tails[1][k]);
}

TEST(bad_worms_are_refused)
{
    static const graze_worm_def defs[] = {{63, 4, 4},      {4000001, 4, 4}, {1000, 0, 1},
                                          {1000, 4097, 1}, {1000, 8, 0},    {1000, 20, 9},
                                          {1000, 3, 4}};
    for (size_t i = 0; i < sizeof defs / sizeof *defs; i++) {
        graze_rig *rig = NULL;
        graze_error error = {GRAZE_OK, ""};
        CHECK(graze_worm(&defs[i], NULL, &rig, &error) == GRAZE_BAD_INPUT && !rig);
        CHECK(error.status == GRAZE_BAD_INPUT && error.text[0]);
    }
}

static graze_status worm_by_def(const graze_allocator *allocator, void *about, graze_error *error)
{
    graze_rig *rig = NULL;
    graze_status status = graze_worm(about, allocator, &rig, error);
    CHECK(!status == (rig != NULL));
    graze_rig_destroy(rig);
    return status;
}

TEST(failed_allocations_are_survived)
{
    test_memory memory = {.keeps_failing = true};
    CHECK(test_fail_each(&memory, worm_by_def, &(graze_worm_def){100, 5, 2}, 1000) > 0);
}
