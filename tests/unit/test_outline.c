/* The box of a whole body, which worlds look for candidates with: it holds every vertex of a
 * triangle in every pose, and is not much larger than the exact one.
 */
#include "body/body.h"
#include "harness.h"
#include "scenes_support.h"
#include "support/denormals.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/soup.h"

#include <graze/ext/inspect.h>

#include <math.h>

/* How many coordinates of triangles are outside the body's box; sides: of the exact box. */
static uint32_t count_outside(graze_body *body, double sides[3], double ratios[3])
{
    const grazei_mesh *mesh = grazei_body_mesh(body);
    OWNED float *positions = malloc(3 * sizeof *positions * mesh->vertex_count);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    graze_stats stats = {0};
    grazei_bound box = grazei_body_box(body, &stats);
    uint32_t outside = 0;
    graze_body_get_positions(body, positions);
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            float x = positions[3 * (size_t)mesh->triangles[i] + (size_t)k];
            outside += !(-box.low_negated[k] <= x && x <= box.high[k]);
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
    for (int k = 0; k < 3; k++) {
        sides[k] = high[k] - low[k];
        ratios[k] = ((double)box.low_negated[k] + box.high[k]) / sides[k];
    }
    return outside;
}

static void try_soup(const soup_def *def, graze_tree_def tree, test_random *random,
                     uint32_t *outlined)
{
    OWN(soup) mesh = soup_make(def, random);
    graze_model_def model_def = soup_model_def(&mesh);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    OWNED float *joints = calloc(def->joint_count, 12 * sizeof *joints);
    double sides[3], ratios[3];
    model_def.tree = tree;
    REQUIRE(!graze_model_create(&model_def, &model, NULL) &&
            !graze_body_create(model, &body, NULL));
    *outlined += model->skin.outline.count > 0;
    for (int kind = 0; kind < MAP_KIND_COUNT; kind++) {
        float placement[12];
        pose_make((map_kind)kind, &mesh, random, joints);
        map_make(MAP_RIGID, mesh.centre, def->size, random, placement);
        graze_pose pose = {.joints = joints,
                           .joint_count = def->joint_count,
                           .placement = kind % 2 ? placement : NULL};
        if (graze_body_set_pose(body, &pose, NULL))
            continue; /* too far */
        uint32_t outside = count_outside(body, sides, ratios);
        CHECK_MSG(outside == 0, "maps %d: %u coordinates outside", kind, outside);
    }
}

static void try_soups(uint32_t rounds)
{
    test_random random = test_random_seed(19);
    uint32_t outlined = 0, tried = 0;
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t variant = 0; variant < 6; variant++, tried++) {
            const soup_def def = {.vertex_count = 12 + 20 * round % 90,
                                  .triangle_count = 1 + 17 * round % 60,
                                  .joint_count = 1 + round % 5,
                                  .max_influences = 1 + round % 4,
                                  .size = variant == 4 ? 1e-6 : 1,
                                  .offset = variant == 3 ? 100 : 0,
                                  .flat = variant == 1,
                                  .lattice = variant == 2,
                                  .odd_weights = variant == 5};
            try_soup(&def, round % 2 ? (graze_tree_def){0} : graze_paper_tree(), &random,
                     &outlined);
        }
    CHECK_MSG(outlined > tried / 2, "%u of %u have an outline", outlined, tried);
}

TEST(the_box_holds_every_vertex)
{
    try_soups(test_amount(200, 20));
}

TEST(the_box_holds_every_vertex_with_denormals_flushed)
{
    if (!TEST_CAN_FLUSH_DENORMALS)
        SKIP_ALLOWED("no such mode is known for this processor");
    test_flush_denormals(true);
    try_soups(test_amount(50, 10));
    test_flush_denormals(false);
}

/* Sides against the exact ones over the clips: 1.15 times at most. */
TEST(the_box_is_not_much_larger_than_the_exact_one)
{
    static const graze_synth_kind kinds[] = {GRAZE_SYNTH_DWARF, GRAZE_SYNTH_MAN,
                                             GRAZE_SYNTH_CREATURE};
    enum { FRAMES = 16 };
    for (size_t m = 0; m < sizeof kinds / sizeof *kinds; m++) {
        OWN(graze_rig) *rig = make(kinds[m], 1000, 0);
        graze_model_def def = graze_rig_model_def(rig);
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = NULL;
        OWNED float *joints = calloc(rig->joint_count, 12 * sizeof *joints);
        double mean[3] = {0}, sides[3], ratios[3];
        REQUIRE(!graze_model_create(&def, &model, NULL) && !graze_body_create(model, &body, NULL));
        for (int f = 0; f < FRAMES; f++) {
            double time = (double)rig->clips[0].seconds * f / FRAMES;
            REQUIRE(!graze_rig_sample(rig, 0, time, joints, NULL));
            graze_pose pose = {.joints = joints, .joint_count = rig->joint_count};
            REQUIRE(!graze_body_set_pose(body, &pose, NULL));
            CHECK(count_outside(body, sides, ratios) == 0);
            for (int k = 0; k < 3; k++)
                mean[k] += ratios[k] / FRAMES;
        }
        printf("     %s: sides %.3f %.3f %.3f times the exact ones\n", graze_synth_name(kinds[m]),
               mean[0], mean[1], mean[2]);
        for (int k = 0; k < 3; k++)
            CHECK_MSG(mean[k] <= 1.15, "%s, axis %d: %g", graze_synth_name(kinds[m]), k, mean[k]);
    }
}
