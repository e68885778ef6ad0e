/* Depths from level 3 against the deepest vertex of one body inside the other, by brute force. */
#include "harness.h"
#include "support/couple.h"
#include "support/finders.h"
#include "support/own.h"
#include "support/quick.h"

#include "scenes/synth.h"

#include <math.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Metres: the man is 1.8 m tall. */
TEST(depths_of_man_and_man_are_near_those_of_vertices)
{
    uint32_t wanted = test_amount(60, 6), count = 0, tried = 0;
    graze_synth_def def = {GRAZE_SYNTH_MAN, 0, 0};
    OWN(graze_rig) *rig = NULL;
    OWN(part_finder) *finder = NULL;
    OWN(couple) c = {0};
    REQUIRE(!graze_synth(&def, NULL, &rig, NULL) && couple_open(&c, rig, 16));
    REQUIRE(!part_finder_create(NULL, &finder, NULL));
    OWNED double *errors = malloc(wanted * sizeof *errors);
    double truths = 0;
    test_random random = test_random_seed(33);
    for (; errors && count < wanted && tried < 10 * wanted; tried++) {
        for (int i = 0; i < 2; i++)
            REQUIRE(couple_pose(&c, i, 0.5, tried % 2, 0.25, &random));
        double truth = couple_depth(&c);
        if (!(truth > 0))
            continue;
        REQUIRE(!part_finder_find(finder, &c.sides[0], &c.sides[1], NULL, NULL));
        errors[count++] = fabs((double)part_finder_combined(finder).depth - truth);
        truths += truth;
    }
    REQUIRE(errors && count == wanted);
    qsort(errors, count, sizeof *errors, by_size);
    printf(
        "%u poses, %.3f m deep on average, %u volumes: error median %.4f m, 95th percentile %.4f "
        "m, most %.4f m\n",
        count, truths / count, graze_hitboxes_count(c.fit, NULL), errors[count / 2],
        errors[count * 95 / 100], errors[count - 1]);
    CHECK(errors[count / 2] < 0.01);
    CHECK(errors[count * 95 / 100] < 0.03);
}
