/* Looking at nodes: what is seen is what queries use, and nothing of it counts as asked for. */
#include "body/body.h"
#include "harness.h"
#include "scenes/synth.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <graze/ext/inspect.h>
#include <graze/pairs.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = 8, TRIANGLES = 300 };

typedef enum how { POSED, GIVEN, MASKED, HOW_COUNT } how;

typedef struct couple {
    soup mesh;
    graze_model *model;
    graze_body *bodies[2];
    uint32_t nodes;
} couple;

static couple open_couple(graze_tree_def tree)
{
    test_random random = test_random_seed(11);
    soup_def shape = {.vertex_count = TRIANGLES,
                      .triangle_count = TRIANGLES,
                      .joint_count = JOINTS,
                      .max_influences = 4,
                      .size = 1};
    couple c = {.mesh = soup_make(&shape, &random)};
    graze_model_def def = soup_model_def(&c.mesh);
    def.tree = tree;
    CHECK(graze_model_create(&def, &c.model, NULL) == GRAZE_OK);
    for (int i = 0; i < 2; i++)
        CHECK(graze_body_create(c.model, &c.bodies[i], NULL) == GRAZE_OK);
    c.nodes = graze_model_get_info(c.model).node_count;
    return c;
}

static void close_couple(couple *c)
{
    for (int i = 0; i < 2; i++)
        graze_body_destroy(c->bodies[i]);
    graze_model_destroy(c->model);
    soup_free(&c->mesh);
}

OWN_VALUE(couple, close_couple)

/* The second stands a little aside, so that only a part of each is near the other. */
static void pose(couple *c, how way)
{
    for (int i = 0; i < 2; i++) {
        test_random random = test_random_seed(20 + (uint64_t)i);
        float joints[12 * JOINTS];
        float placement[12] = {1, 0, 0, 1.2f * (float)i, 0, 1, 0, 0, 0, 0, 1, 0};
        pose_make(MAP_NEAR, &c->mesh, &random, joints);
        graze_pose one = {.joints = joints, .joint_count = JOINTS, .placement = placement};
        const uint32_t groups[1] = {0x5b};
        CHECK(!graze_body_set_pose(c->bodies[i], &one, NULL));
        if (way == MASKED)
            CHECK(!graze_body_set_part_mask(c->bodies[i], groups, JOINTS, NULL));
        if (way != GIVEN)
            continue;
        float positions[3 * TRIANGLES];
        graze_body_get_positions(c->bodies[i], positions);
        CHECK(!graze_body_set_positions(c->bodies[i], positions, 0, TRIANGLES, NULL));
    }
}

static bool take_none(void *user, const graze_pair *pairs, size_t count)
{
    (void)pairs;
    *(size_t *)user += count;
    return true;
}

static graze_stats ask(couple *c, size_t *pairs)
{
    graze_stats stats = {0};
    *pairs = 0;
    CHECK(!graze_pairs(c->bodies[0], c->bodies[1],
                       &(graze_pair_list){.report = take_none, .user = pairs},
                       &(graze_options){.stats = &stats}, NULL));
    return stats;
}

/* Views all nodes of both, the last ones first or last; returns how many were refitted. */
static uint32_t look(couple *c, bool backwards, graze_node_view *views)
{
    uint32_t refitted = 0;
    for (uint32_t i = 0; i < 2 * c->nodes; i++) {
        uint32_t k = backwards ? 2 * c->nodes - 1 - i : i;
        CHECK(!graze_body_view_node(c->bodies[k / c->nodes], k % c->nodes, GRAZE_NODE_CURRENT,
                                    &views[k]));
        refitted += views[k].was_refitted;
    }
    return refitted;
}

static bool holds(const graze_node_view *outer, const graze_node_view *inner)
{
    for (int axis = 0; axis < 3; axis++) {
        float reach = outer->half[axis] * (1 + 1e-6f) + 1e-6f;
        if (fabsf(inner->centre[axis] - outer->centre[axis]) + inner->half[axis] > reach)
            return false;
    }
    return true;
}

/* A walk may shrink a box that it has opened to what its children fill; spheres stay. */
static bool is_same(const graze_node_view *before, const graze_node_view *after)
{
    if (before->volume == GRAZE_SPHERES)
        return !memcmp(before->centre, after->centre, sizeof after->centre) &&
               before->radius == after->radius;
    return holds(before, after);
}

static void check_no_trace(uint32_t tree, how way)
{
    OWN(couple) c = open_couple(agreement_tree(tree));
    OWNED graze_node_view *views = calloc(4 * c.nodes, sizeof *views);
    graze_node_view *later = views + 2 * c.nodes;
    size_t pairs, again;
    pose(&c, way);
    graze_stats stats = ask(&c, &pairs);
    for (int backwards = 0; backwards < 2; backwards++) {
        pose(&c, way);
        uint32_t refitted = look(&c, backwards, views);
        CHECK_MSG(refitted == 0, "tree %u, way %d: %u refitted by looking", tree, way, refitted);
        CHECK(look(&c, !backwards, later) == 0);
        graze_stats now = ask(&c, &again);
        CHECK_MSG(again == pairs && memcmp(&now, &stats, sizeof now) == 0,
                  "tree %u, way %d: a query after a look does %llu bounds, not %llu", tree, way,
                  (unsigned long long)now.nodes_refit, (unsigned long long)stats.nodes_refit);
        refitted = look(&c, backwards, later);
        CHECK_MSG(refitted == stats.nodes_refit, "tree %u, way %d: %u of %llu were refitted", tree,
                  way, refitted, (unsigned long long)stats.nodes_refit);
        CHECK(look(&c, !backwards, later) == refitted);
        for (uint32_t k = 0; k < 2 * c.nodes; k++)
            CHECK(is_same(&views[k], &later[k]));
    }
    CHECK_MSG(way == GIVEN || c.nodes < 10 || stats.nodes_refit < 2 * c.nodes,
              "all of %u nodes are refitted", c.nodes);
}

TEST(looking_leaves_no_trace)
{
    for (uint32_t tree = 0; tree < agreement_tree_count(); tree++)
        for (int way = POSED; way < HOW_COUNT; way++)
            check_no_trace(tree, (how)way);
}

/* ---- spheres that outlive changes ----------------------------------------------------------- */

typedef struct cloth {
    graze_rig *rig;
    graze_model *model;
    graze_body *body;
    float weights[16];
    uint32_t count, nodes;
} cloth;

static cloth open_cloth(void)
{
    graze_synth_def synth = {.kind = GRAZE_SYNTH_CURTAIN, .triangles = 1000};
    cloth c = {0};
    CHECK(!graze_synth(&synth, NULL, &c.rig, NULL));
    graze_model_def def = test_rig_def(c.rig);
    def.tree = graze_paper_tree();
    CHECK(!graze_model_create(&def, &c.model, NULL));
    CHECK(!graze_body_create(c.model, &c.body, NULL));
    c.count = def.morph_count;
    c.nodes = graze_model_get_info(c.model).node_count;
    return c;
}

/* The same weights, and then all triangles that a sphere touches. */
static graze_stats step(cloth *c, int frame)
{
    test_random random = test_random_seed((uint64_t)frame);
    graze_stats stats = {0};
    for (uint32_t m = 0; m < c->count; m++)
        c->weights[m] += (float)test_random_range(&random, -0.003, 0.003);
    CHECK(!graze_body_set_morph_weights(c->body, c->weights, c->count, true, NULL));
    for (int i = 0; i < 8; i++) {
        const float centre[3] = {0.2f * (float)i - 0.8f, 0.1f * (float)i, 0.3f};
        graze_shape ball = graze_shape_sphere(centre, 0.4f);
        test_touches(c->body, &ball, &stats);
    }
    return stats;
}

/* How many vertices are outside the sphere that is shown of a node above them. */
static uint32_t count_outside(cloth *c)
{
    OWNED uint32_t *triangles = malloc(sizeof *triangles * c->rig->triangle_count);
    uint32_t outside = 0;
    OWNED float *positions = malloc(3 * sizeof *positions * c->rig->vertex_count);
    graze_node_view view;
    graze_body_get_positions(c->body, positions);
    for (uint32_t n = 0; n < c->nodes; n++) {
        uint32_t count;
        CHECK(!graze_body_view_node(c->body, n, GRAZE_NODE_CURRENT, &view));
        CHECK(!graze_body_node_triangles(c->body, n, triangles, c->rig->triangle_count, &count));
        for (uint32_t i = 0; i < 3 * count; i++) {
            uint32_t v = c->rig->triangles[3 * triangles[i / 3] + i % 3];
            double square = 0;
            for (int axis = 0; axis < 3; axis++)
                square += pow((double)positions[3 * v + axis] - view.centre[axis], 2);
            outside += sqrt(square) > view.radius;
        }
    }
    return outside;
}

/* One of two is looked at between all steps: both go on alike. */
TEST(looking_does_not_age_what_is_kept)
{
    cloth plain = open_cloth(), seen = open_cloth();
    uint64_t enlarged = 0;
    for (int frame = 0; frame < 30; frame++) {
        graze_stats a = step(&plain, frame), b = step(&seen, frame);
        CHECK_MSG(memcmp(&a, &b, sizeof a) == 0, "frame %d: %llu and %llu refitted", frame,
                  (unsigned long long)a.nodes_refit, (unsigned long long)b.nodes_refit);
        enlarged += a.nodes_enlarged;
        CHECK_MSG(count_outside(&seen) == 0, "frame %d: vertices outside", frame);
    }
    CHECK(enlarged > 100);
    cloth *both[2] = {&plain, &seen};
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(both[i]->body);
        graze_model_destroy(both[i]->model);
        graze_rig_destroy(both[i]->rig);
    }
}

/* ---- triangles ------------------------------------------------------------------------------ */

/* How often each triangle is below a node; false if it is not as many as the view says. */
static bool count_triangles(graze_body *body, uint32_t node, uint8_t *times)
{
    uint32_t triangles[TRIANGLES], count = 0;
    graze_node_view view;
    bool ok = !graze_body_node_triangles(body, node, triangles, TRIANGLES, &count) &&
              !graze_body_view_node(body, node, GRAZE_NODE_BEST, &view) &&
              count == view.triangle_count;
    for (uint32_t i = 0; ok && i < count; i++)
        times[triangles[i]]++;
    return ok;
}

TEST(children_share_the_triangles_of_their_parent)
{
    for (uint32_t tree = 0; tree < agreement_tree_count(); tree++)
        for (int way = POSED; way < HOW_COUNT; way++) {
            OWN(couple) c = open_couple(agreement_tree(tree));
            pose(&c, (how)way);
            graze_body *body = c.bodies[0];
            uint8_t all[TRIANGLES] = {0};
            uint32_t total = 0;
            CHECK(count_triangles(body, 0, all));
            for (uint32_t t = 0; t < TRIANGLES; t++)
                total += all[t];
            CHECK(way == MASKED ? total > 0 && total < TRIANGLES : total == TRIANGLES);
            for (uint32_t n = 0; n < c.nodes; n++) {
                uint8_t own[TRIANGLES] = {0}, below[TRIANGLES] = {0};
                graze_node_view view;
                CHECK(!graze_body_view_node(body, n, GRAZE_NODE_CURRENT, &view));
                CHECK(count_triangles(body, n, own));
                for (uint32_t k = 0; k < view.child_count; k++)
                    CHECK(count_triangles(body, view.first_child + k, below));
                CHECK(!view.child_count || memcmp(own, below, sizeof own) == 0);
                for (uint32_t t = 0; t < TRIANGLES; t++)
                    CHECK(own[t] <= all[t] && all[t] <= 1);
            }
        }
}

TEST(bad_questions_about_nodes_are_refused)
{
    OWN(couple) c = open_couple((graze_tree_def){0});
    graze_body *body = c.bodies[0];
    uint32_t triangles[4] = {7, 7, 7, 7}, count = 9;
    graze_node_view view;
    CHECK(graze_body_view_node(body, c.nodes, GRAZE_NODE_CURRENT, &view) == GRAZE_BAD_INPUT);
    CHECK(graze_body_node_triangles(body, c.nodes, triangles, 4, &count) == GRAZE_BAD_INPUT);
    CHECK(count == 0 && triangles[0] == 7);
    CHECK(graze_body_node_triangles(NULL, 0, triangles, 4, &count) == GRAZE_BAD_INPUT);
    CHECK(graze_body_node_triangles(body, 0, NULL, 4, &count) == GRAZE_BAD_INPUT);
    CHECK(graze_body_node_triangles(body, 0, triangles, 4, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_body_node_triangles(body, 0, NULL, 0, &count) == GRAZE_OK && count == TRIANGLES);
    CHECK(graze_body_node_triangles(body, 0, triangles, 3, &count) == GRAZE_OK);
    CHECK(count == TRIANGLES && triangles[3] == 7 && triangles[0] < TRIANGLES);
}

/* What a stray write to what is kept would do: to a bound, a posed point, a position. */
TEST(the_validator_names_what_is_wrong)
{
    for (uint32_t tree = 0; tree < agreement_tree_count(); tree++)
        for (int what = 0; what < 3; what++) {
            OWN(couple) c = open_couple(agreement_tree(tree));
            graze_body *body = c.bodies[0];
            graze_error error;
            size_t pairs;
            graze_pair_list any = {0};
            pose(&c, POSED);
            ask(&c, &pairs);
            CHECK(!graze_self_pairs(body, NULL, &any, &(graze_options){.any = true}, NULL) &&
                  any.total == 1);
            float positions[3 * TRIANGLES];
            graze_body_get_positions(body, positions);
            CHECK_MSG(!graze_body_validate(body, &error), "tree %u: %s", tree, error.text);
            float *kept[3] = {body->cache.bounds[0].high, NULL, body->cache.positions[7]};
            for (uint32_t p = 0; p < body->tree->patch_count && !kept[1]; p++)
                if (grazei_body_has(body, &body->cache.patch_marks[p][GRAZEI_POSED]))
                    kept[1] = body->cache.points[body->tree->patches[p].first_vertex];
            REQUIRE(kept[1]);
            if (what == 0 && agreement_tree(tree).volume == GRAZE_SPHERES)
                body->cache.bounds[0].radius = 0.01f;
            kept[what][0] -= what ? 0x1p-10f : 1;
            static const char *const names[] = {"bound of node 0", "patch", "position of vertex 7"};
            CHECK_MSG(graze_body_validate(body, &error) == GRAZE_CORRUPT &&
                          strstr(error.text, names[what]),
                      "tree %u: %s", tree, error.text);
        }
}
