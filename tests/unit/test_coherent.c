/* Bounds that outlive small changes of morph weights, and queries of bounded depth. */
#include "harness.h"

#include "body/patches.h"
#include "scenes/synth.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/rigs.h"

#include <graze/ext/inspect.h>
#include <graze/graze.h>
#include <graze/rig.h>

#include <math.h>
#include <stdlib.h>

typedef struct subject {
    graze_rig *rig;
    graze_model *model;
    graze_body *body;
    float *weights;
    uint32_t count;
} subject;

static bool open_subject(subject *s, graze_synth_kind kind, const graze_tree_def *tree)
{
    graze_synth_def synth = {.kind = kind, .triangles = 2000};
    graze_error error = {.text = ""};
    bool ok = !graze_synth(&synth, NULL, &s->rig, &error);
    if (ok) {
        graze_model_def def = test_rig_def(s->rig);
        s->count = def.morph_count;
        def.tree = *tree;
        ok = !graze_model_create(&def, &s->model, &error) &&
             !graze_body_create(s->model, &s->body, &error);
    }
    s->weights = calloc(16, sizeof(float));
    CHECK_MSG(ok, "%s", error.text);
    return ok;
}

static void close_subject(subject *s)
{
    graze_body_destroy(s->body);
    graze_model_destroy(s->model);
    graze_rig_destroy(s->rig);
    free(s->weights);
    *s = (subject){0};
}

OWN_VALUE(subject, close_subject)

/* Every vertex of every node inside the bound that queries would use now. */
static uint64_t count_outside(graze_body *body, graze_stats *stats)
{
    const graze_model *model = body->model;
    const grazei_tree *tree = &model->tree;
    uint64_t outside = 0;
    OWNED float *positions = malloc(3 * sizeof *positions * model->mesh.vertex_count);
    graze_body_get_positions(body, positions);
    for (uint32_t n = 0; n < tree->node_count; n++) {
        if (tree->nodes[n].count)
            grazei_body_bound(body, tree->nodes[n].first, tree->nodes[n].count, stats);
        if (n == 0)
            grazei_body_bound(body, 0, 1, stats);
    }
    for (uint32_t n = 0; n < tree->node_count; n++)
        for (uint32_t i = tree->node_triangles[n][0]; i < tree->node_triangles[n][1]; i++)
            for (int c = 0; c < 3; c++) {
                uint32_t v = model->mesh.triangles[3 * tree->patch_triangles[i] + c];
                double square = 0;
                for (int axis = 0; axis < 3; axis++) {
                    double d = (double)positions[3 * v + axis] - body->cache.bounds[n].centre[axis];
                    square += d * d;
                }
                outside += sqrt(square) > body->cache.bounds[n].radius;
            }
    return outside;
}

static graze_tree_def sphere_tree(graze_refit refit)
{
    graze_tree_def tree = graze_paper_tree();
    tree.refit = refit;
    return tree;
}

static void check_coherence(graze_refit refit, float step)
{
    graze_tree_def tree = sphere_tree(refit);
    OWN(subject) s = {0};
    graze_stats stats = {0};
    test_random random = test_random_seed(7);
    uint64_t outside = 0;
    if (open_subject(&s, GRAZE_SYNTH_CURTAIN, &tree)) {
        graze_stats first = {0};
        graze_body_set_morph_weights(s.body, s.weights, s.count, true, NULL);
        outside += count_outside(s.body, &first);
        CHECK(first.nodes_enlarged == 0 && first.nodes_refit > 0);
        for (int frame = 0; frame < 40; frame++) {
            for (uint32_t m = 0; m < s.count; m++)
                s.weights[m] += (float)test_random_range(&random, -step, step);
            CHECK(!graze_body_set_morph_weights(s.body, s.weights, s.count, true, NULL));
            outside += count_outside(s.body, &stats);
        }
    }
    CHECK_MSG(outside == 0, "%llu vertices outside", (unsigned long long)outside);
    CHECK(stats.nodes_enlarged > 0 && stats.nodes_refit > 0);
    printf("     steps of %g: %llu spheres enlarged, %llu found anew\n", (double)step,
           (unsigned long long)stats.nodes_enlarged, (unsigned long long)stats.nodes_refit);
}

TEST(enlarged_spheres_hold_every_vertex)
{
    check_coherence(GRAZE_REFIT_DEFAULT, 0.002f);
    check_coherence(GRAZE_REFIT_CORNERS, 0.002f);
    check_coherence(GRAZE_REFIT_DEFAULT, 0.05f);
}

TEST(coherent_answers_are_the_same)
{
    graze_tree_def tree = sphere_tree(GRAZE_REFIT_DEFAULT);
    OWN(subject) s = {0}, ball = {0};
    test_random random = test_random_seed(8);
    OWN(pair_set) coherent = {0}, plain = {0};
    size_t seen = 0;
    if (open_subject(&s, GRAZE_SYNTH_CURTAIN, &tree) &&
        open_subject(&ball, GRAZE_SYNTH_BALL, &tree)) {
        const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        const float place[12] = {1, 0, 0, 0.3f, 0, 1, 0, 1.0f, 0, 0, 1, 0};
        graze_pose pose = {.joints = identity, .joint_count = 1, .placement = place};
        graze_body_set_pose(ball.body, &pose, NULL);
        for (int frame = 0; frame < 60; frame++) {
            for (uint32_t m = 0; m < s.count; m++)
                s.weights[m] += (float)test_random_range(&random, -0.01, 0.01);
            for (int way = 0; way < 2; way++) {
                pair_set *set = way ? &plain : &coherent;
                pair_set_clear(set);
                if (way)
                    graze_body_drop_caches(s.body);
                else
                    graze_body_set_morph_weights(s.body, s.weights, s.count, true, NULL);
                if (way)
                    graze_pairs(s.body, ball.body, TO_PAIR_SET(set),
                                &(graze_options){.method = GRAZE_BRUTE}, NULL);
                else
                    graze_pairs(s.body, ball.body, TO_PAIR_SET(set), NULL, NULL);
                CHECK(pair_set_sort(set));
            }
            graze_pair odd;
            CHECK(pair_set_equal(&coherent, &plain, &odd));
            seen += plain.count;
        }
    }
    CHECK(seen > 0);
}

TEST(bad_weights_change_nothing)
{
    graze_tree_def tree = sphere_tree(GRAZE_REFIT_DEFAULT);
    OWN(subject) s = {0};
    REQUIRE(open_subject(&s, GRAZE_SYNTH_CURTAIN, &tree));
    size_t size = 3 * sizeof(float) * s.rig->vertex_count;
    OWNED float *before = malloc(size), *after = malloc(size);
    graze_error error;
    s.weights[0] = 0.25f;
    CHECK(!graze_body_set_morph_weights(s.body, s.weights, s.count, false, &error));
    graze_body_get_positions(s.body, before);
    s.weights[1] = NAN;
    CHECK(graze_body_set_morph_weights(s.body, s.weights, s.count, false, &error) ==
          GRAZE_BAD_INPUT);
    s.weights[1] = 1e30f;
    CHECK(graze_body_set_morph_weights(s.body, s.weights, s.count, true, &error) ==
          GRAZE_BAD_INPUT);
    CHECK(graze_body_set_morph_weights(s.body, s.weights, s.count + 1, false, &error) ==
          GRAZE_BAD_INPUT);
    CHECK(graze_body_set_morph_weights(s.body, NULL, 0, false, &error) == GRAZE_BAD_INPUT);
    graze_body_drop_caches(s.body);
    graze_body_get_positions(s.body, after);
    CHECK(memcmp(before, after, size) == 0);
}

/* Pairs of proxies that a bounded query reports, in a matrix of flags. */
typedef struct proxy_pairs {
    uint8_t *flags;
    uint32_t stride;
    size_t count;
} proxy_pairs;

static bool take_proxies(void *user, const graze_pair *nodes, size_t count)
{
    proxy_pairs *pairs = user;
    for (size_t i = 0; i < count; i++) {
        uint8_t *flag = &pairs->flags[(size_t)nodes[i].a * pairs->stride + nodes[i].b];
        CHECK(!*flag);
        *flag = 1;
    }
    pairs->count += count;
    return true;
}

static bool is_proxy(const grazei_tree *tree, uint32_t n)
{
    uint32_t level = tree->def.contact_level;
    if (level < tree->level_count && n >= tree->level_first[level + 1])
        return false;
    return tree->nodes[n].count == 0 || n >= tree->level_first[level];
}

/* Every overlapping pair of proxies is found, and nothing else: the spheres above wrap them. */
TEST(a_bounded_query_finds_every_pair_of_proxies)
{
    graze_tree_def tree = sphere_tree(GRAZE_REFIT_DEFAULT);
    tree.contact_level = 4;
    OWN(subject) a = {0}, b = {0};
    size_t found = 0, expected = 0, exact_without = 0;
    if (open_subject(&a, GRAZE_SYNTH_CHAIR, &tree) && open_subject(&b, GRAZE_SYNTH_CHAIR, &tree)) {
        const grazei_tree *nodes = &a.model->tree;
        proxy_pairs pairs = {calloc((size_t)nodes->node_count * nodes->node_count, 1),
                             nodes->node_count, 0};
        for (int step = 0; step < 12; step++) {
            const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
            const float place[12] = {0, 0, 1, 0.08f * (float)step, 0, 1, 0, 0, -1, 0, 0, 0.1f};
            graze_pose pose = {.joints = identity, .joint_count = 1, .placement = place};
            graze_body_set_pose(b.body, &pose, NULL);
            memset(pairs.flags, 0, (size_t)nodes->node_count * nodes->node_count);
            graze_stats stats = {0};
            pairs.count = 0;
            CHECK(!graze_bound_pairs(a.body, b.body,
                                     &(graze_pair_list){.report = take_proxies, .user = &pairs},
                                     &stats, NULL));
            size_t own = pairs.count;
            CHECK(stats.vertices_posed == 0);
            found += own;
            exact_without += own == 0 && test_meets(a.body, b.body, NULL);
            graze_body_bound_all(a.body);
            graze_body_bound_all(b.body);
            for (uint32_t i = 0; i < nodes->node_count; i++)
                for (uint32_t k = 0; is_proxy(nodes, i) && k < nodes->node_count; k++)
                    if (is_proxy(nodes, k)) {
                        bool overlap = grazei_spheres_overlap(&a.body->cache.bounds[i],
                                                              &b.body->cache.bounds[k]);
                        expected += overlap;
                        CHECK(overlap == pairs.flags[(size_t)i * nodes->node_count + k]);
                    }
        }
        free(pairs.flags);
    }
    CHECK(found == expected && found > 0);
    CHECK(exact_without == 0);
    printf("     %zu pairs of proxies\n", found);
}

TEST(a_contact_level_needs_spheres)
{
    graze_tree_def tree = {0};
    graze_synth_def synth = {.kind = GRAZE_SYNTH_BALL};
    OWN(graze_rig) *rig = NULL;
    graze_model *model = NULL;
    graze_error error;
    REQUIRE(!graze_synth(&synth, NULL, &rig, &error));
    graze_model_def def = graze_rig_model_def(rig);
    tree.contact_level = 2;
    def.tree = tree;
    CHECK(graze_model_create(&def, &model, &error) == GRAZE_UNSUPPORTED && !model);
}
