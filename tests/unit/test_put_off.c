/* Rotations that are put off (deform/joints.h): with spherical and dual skinning a pose keeps the
 * maps as they come until a vertex, or a node below the root, is asked for. Whatever is asked
 * first, answers are those of bodies of which everything was asked before.
 */
#include "body/bounds.h"
#include "harness.h"
#include "support/chain_soup.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/variants.h"
#include "support/ways_asked.h"

#include <graze/ext/chain_pose.h>
#include <graze/ext/inspect.h>

#include <math.h>
#include <string.h>

enum { JOINTS = 7, MODELS = 2, BODIES = 4 };

static bool is_put_off(const graze_body *body)
{
    return grazei_body_joints(body)->put_off;
}

static bool is_made(const graze_body *body)
{
    const grazei_joints *joints = grazei_body_joints(body);
    return !joints->put_off || grazei_mark_is_set(&joints->made->mark, joints->epoch);
}

/* ---- bodies and their twins ------------------------------------------------------------------ */

typedef struct world {
    test_random random;
    soup meshes[MODELS];
    graze_model *models[MODELS];
    graze_body *bodies[BODIES], *twins[BODIES];
    uint32_t put_off; /* poses that left something for later */
} world;

static bool world_open(world *w, uint32_t number)
{
    *w = (world){.random = test_random_seed(900 + number)};
    bool ok = true;
    for (uint32_t m = 0; m < MODELS; m++) {
        soup_def def = {.vertex_count = 60,
                        .triangle_count = 90,
                        .joint_count = JOINTS,
                        .max_influences = 2 + number % 2,
                        .size = 1};
        w->meshes[m] = soup_make(&def, &w->random);
        graze_model_def made = soup_model_def(&w->meshes[m]);
        made.skinning = (number + m) % 2 ? GRAZE_SPHERICAL : GRAZE_DUAL;
        made.no_self_collision = number % 3 != 0;
        made.isa = variants_isa(number + m);
        if (number % 4 == 3)
            made.tree.volume = GRAZE_SPHERES;
        made.tree.patch_triangles = 8;
        ok = ok && graze_model_create(&made, &w->models[m], NULL) == GRAZE_OK;
    }
    for (uint32_t i = 0; ok && i < BODIES; i++)
        ok = !graze_body_create(w->models[i / 2], &w->bodies[i], NULL) &&
             !graze_body_create(w->models[i / 2], &w->twins[i], NULL);
    return test_check(ok, __FILE__, __LINE__, "no bodies");
}

static void world_close(world *w)
{
    for (uint32_t i = 0; i < BODIES; i++) {
        graze_body_destroy(w->bodies[i]);
        graze_body_destroy(w->twins[i]);
    }
    for (uint32_t m = 0; m < MODELS; m++) {
        graze_model_destroy(w->models[m]);
        soup_free(&w->meshes[m]);
    }
}

OWN_VALUE(world, world_close)

/* Most poses are rigid, or nearly so; all of a twin is made at once. */
static void world_pose(world *w)
{
    float joints[12 * JOINTS];
    for (uint32_t i = 0; i < BODIES; i++) {
        const soup *mesh = &w->meshes[i / 2];
        uint32_t dice = test_random_u32(&w->random) % 8;
        deform_pose_kind kind = dice == 0   ? DEFORM_SCALED
                                : dice == 1 ? DEFORM_ONE_AXIS
                                : dice < 4  ? DEFORM_ALMOST
                                            : DEFORM_NEAR;
        deform_pose_make(kind, mesh->centre, 1, JOINTS, &w->random, joints);
        graze_pose pose = {.joints = joints, .joint_count = JOINTS};
        CHECK(!graze_body_set_pose(w->bodies[i], &pose, NULL) &&
              !graze_body_set_pose(w->twins[i], &pose, NULL));
        CHECK(is_put_off(w->bodies[i]) == !is_made(w->bodies[i]));
        w->put_off += is_put_off(w->bodies[i]);
        grazei_body_whole_joints(w->twins[i]);
        CHECK(is_made(w->twins[i]));
    }
}

/* Every node's bound, and every vertex; queries may have made bounds of theirs smaller. */
static void check_all(world *w, uint32_t i, const char *name)
{
    float found[3 * 60], expected[3 * 60];
    uint32_t nodes = graze_model_get_info(w->models[i / 2]).node_count, wrong = 0;
    graze_body_drop_caches(w->bodies[i]);
    graze_body_drop_caches(w->twins[i]);
    for (uint32_t n = 0; n < nodes; n++) {
        graze_node_view a, b;
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        wrong += graze_body_view_node(w->bodies[i], n, GRAZE_NODE_CURRENT, &a) ||
                 graze_body_view_node(w->twins[i], n, GRAZE_NODE_CURRENT, &b) ||
                 memcmp(&a, &b, sizeof a) != 0;
    }
    graze_body_get_positions(w->bodies[i], found);
    graze_body_get_positions(w->twins[i], expected);
    CHECK_MSG(!wrong && memcmp(found, expected, sizeof found) == 0,
              "%s: body %u: %u bounds, or vertices, differ", name, i, wrong);
}

TEST(whatever_is_asked_first_is_answered)
{
    uint32_t worlds = test_amount(16, 4), put_off = 0;
    for (uint32_t number = 0; number < worlds; number++) {
        OWN(world) w = {0};
        if (!world_open(&w, number))
            return;
        ways_scene *s = ways_over(w.bodies, w.twins, false, "rotations that are put off");
        for (uint32_t kind = 0; kind < ASK_COUNT; kind++) {
            world_pose(&w);
            ways_draw(s, test_random_u32(&w.random));
            for (uint32_t k = 0; k < 3; k++) /* the one, then others */
                ways_ask_in(s, k ? test_random_u32(&w.random) % ASK_COUNT : kind,
                            test_random_u32(&w.random) % 3 ? WAY_any : WAY_array);
            check_all(&w, kind % BODIES, ways_rows[kind].name);
        }
        ways_close(s);
        put_off += w.put_off;
    }
    CHECK(put_off > worlds * ASK_COUNT * BODIES / 2);
}

TEST(another_body_takes_a_pose_that_is_put_off)
{
    for (uint32_t number = 0; number < 8; number++) {
        OWN(world) w = {0};
        bool ok = world_open(&w, number);
        for (uint32_t p = 0; ok && p < 20; p++) {
            world_pose(&w);
            for (uint32_t i = 0; i < BODIES; i++) {
                graze_body *made = NULL;
                REQUIRE(!grazei_body_make_room(w.bodies[i], &made, NULL));
                if ((p + i) % 2)
                    grazei_body_whole_joints(w.bodies[i]);
                grazei_body_take_pose(made, w.bodies[i]);
                graze_body_destroy(w.bodies[i]);
                w.bodies[i] = made;
                CHECK(is_put_off(made) == !is_made(made));
                check_all(&w, i, "the pose of another");
            }
        }
    }
}

/* ---- bodies apart ---------------------------------------------------------------------------- */

/* The root, as each instruction set bounds it. */
static void check_roots(const graze_body *body, const grazei_bound *root, const char *name)
{
    static const graze_isa all[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
    const grazei_skin *skin = &body->model->skin;
    for (size_t i = 0; i < sizeof all / sizeof *all && all[i] <= grazei_best_isa(); i++) {
        const grazei_deformer *deformer = grazei_deformer_of(skin->kind, all[i]);
        grazei_bound other;
        deformer->bound(skin, grazei_body_joints(body), 0, 1, &other, body->workspace);
        CHECK_MSG(memcmp(other.low_negated, root->low_negated, 12) == 0 &&
                      (skin->volume == GRAZE_SPHERES ? other.radius == root->radius
                                                     : memcmp(other.high, root->high, 12) == 0),
                  "%s: another root on instruction set %d", name, (int)all[i]);
    }
}

TEST(bodies_apart_make_no_rotations)
{
    uint32_t quick = 0, others = 0;
    for (uint32_t number = 0; number < 16; number++) {
        world w;
        bool ok = world_open(&w, number);
        for (uint32_t p = 0; ok && p < 40; p++) {
            answers none = {0};
            graze_stats stats = {0};
            const float far[12] = {1, 0, 0, 100, 0, 1, 0, 0, 0, 0, 1, 0};
            float joints[12 * JOINTS];
            for (uint32_t i = 0; i < 2; i++) {
                deform_pose_make(p % 4 == 3 ? DEFORM_RANDOM : DEFORM_NEAR, w.meshes[0].centre, 1,
                                 JOINTS, &w.random, joints);
                graze_pose pose = {
                    .joints = joints, .joint_count = JOINTS, .placement = i ? far : NULL};
                CHECK(!graze_body_set_pose(w.bodies[i], &pose, NULL));
            }
            CHECK(!graze_pairs(w.bodies[0], w.bodies[1], PAIRS_TO(&none),
                               &(graze_options){.stats = &stats}, NULL));
            CHECK(none.count == 0 && stats.nodes_refit == 2 && stats.vertices_posed == 0);
            for (uint32_t i = 0; i < 2; i++) {
                /* before all is made, and after */
                grazei_bound root = grazei_body_view(w.bodies[i]).bounds[0];
                quick += is_put_off(w.bodies[i]) && !is_made(w.bodies[i]);
                others += is_put_off(w.bodies[i]) && is_made(w.bodies[i]);
                CHECK(p % 4 == 3 || !is_put_off(w.bodies[i]) || !is_made(w.bodies[i]));
                check_roots(w.bodies[i], &root, "as given");
                grazei_body_whole_joints(w.bodies[i]);
                CHECK(is_made(w.bodies[i]));
                check_roots(w.bodies[i], &root, "as made");
            }
            answers_free(&none);
        }
        world_close(&w);
    }
    CHECK_MSG(quick > 500 && others > 100, "%u quick roots, %u others", quick, others);
}

/* ---- how far rotations are from what came -----------------------------------------------------
 */

/* Rigid but for `off`, in directions that quaternions feel most, or by lot. */
static void spoil(test_random *random, double off, float *joints)
{
    for (uint32_t j = 0; j < JOINTS; j++) {
        float *map = joints + 12 * (size_t)j;
        double scale = test_random_u32(random) % 2 ? 1 : 1 + off * test_random_range(random, -1, 1);
        bool one = test_random_u32(random) % 2;
        uint32_t row = test_random_u32(random) % 3, column = test_random_u32(random) % 3;
        for (uint32_t k = 0; k < 3; k++)
            for (uint32_t c = 0; c < 3; c++) {
                double by = one ? (k == row && c == column) : test_random_range(random, -1, 1);
                map[4 * k + c] = (float)(scale * (double)map[4 * k + c] + off * by);
            }
    }
}

TEST(rotations_are_no_farther_from_maps_than_was_said)
{
    static const deform_pose_kind kinds[] = {DEFORM_RANDOM, DEFORM_NEAR, DEFORM_HALF_TURNS,
                                             DEFORM_APART, DEFORM_LATTICE};
    static const double offs[] = {0, 1e-8, 1e-7, 1e-6, 1e-5, 2e-5, 3e-5, 5e-5, 1e-4};
    uint32_t poses = test_amount(40000, 4000), looked = 0;
    double closest = 0;
    OWN(world) w = {0};
    bool ok = world_open(&w, 1);
    for (uint32_t p = 0; ok && p < poses; p++) {
        float joints[12 * JOINTS];
        deform_pose_make(kinds[p % 5], w.meshes[0].centre, 1, JOINTS, &w.random, joints);
        spoil(&w.random, offs[p % 9], joints);
        graze_pose pose = {.joints = joints, .joint_count = JOINTS};
        CHECK(!graze_body_set_pose(w.bodies[0], &pose, NULL));
        if (!is_put_off(w.bodies[0]))
            continue;
        const grazei_joints *own = grazei_body_whole_joints(w.bodies[0]);
        looked++;
        closest = fmax(closest, (double)own->made->rigid_error / (double)own->rough_error);
        CHECK_MSG(own->made->rigid_error <= own->rough_error, "pose %u: off by %g, said %g", p,
                  (double)own->made->rigid_error, (double)own->rough_error);
    }
    printf("  rotations off by at most %.3f of what is said, in %u poses\n", closest, looked);
    CHECK(looked > poses / 3 && closest > 0.2);
}

/* ---- sphere chains -----------------------------------------------------------------------------
 */

TEST(chains_are_posed_before_anything_else)
{
    for (uint32_t number = 0; number < 8; number++) {
        chain_soup_def def = chain_soup_usual();
        graze_status status;
        OWN(graze_chain_tracker) *plan = NULL;
        graze_body *bodies[2] = {NULL, NULL};
        test_random random = test_random_seed(number + 60);
        def.seed = number + 1;
        def.skinning = number % 2 ? GRAZE_SPHERICAL : GRAZE_DUAL;
        OWN(graze_chains) *chains = chain_soup_make(&def, &status);
        REQUIRE(chains && !graze_chain_tracker_create(chains, NULL, &plan, NULL));
        for (int b = 0; b < 2; b++)
            REQUIRE(!graze_body_create(graze_chains_get_info(chains).model, &bodies[b], NULL));
        for (uint32_t p = 0; p < 20; p++) {
            float joints[12 * 11], spheres[2][4 * 23];
            const float centre[3] = {0, 0, 0};
            deform_pose_make(DEFORM_NEAR, centre, 1, def.joints, &random, joints);
            graze_pose pose = {.joints = joints, .joint_count = def.joints};
            graze_chain_update update = p % 2 ? GRAZE_CHAIN_PIVOTS : GRAZE_CHAIN_CONSERVATIVE;
            CHECK(!graze_body_set_pose(bodies[0], &pose, NULL) &&
                  !graze_body_set_pose(bodies[1], &pose, NULL));
            grazei_body_whole_joints(bodies[1]);
            for (int b = 0; b < 2; b++)
                CHECK(!graze_chain_pose(plan, bodies[b], update, spheres[b], 23, NULL));
            CHECK(memcmp(spheres[0], spheres[1], sizeof spheres[0]) == 0);
        }
        graze_body_destroy(bodies[0]);
        graze_body_destroy(bodies[1]);
    }
}
