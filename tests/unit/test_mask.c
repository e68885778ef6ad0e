/* Group masks: a masked body is the body of the triangles in its mask, whatever is asked, and what
 * is left out costs nothing.
 */
#include "harness.h"

#include "support/agreement.h"
#include "support/allocator.h"
#include "support/mask_judge.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup.h"
#include "support/soup_pair.h"
#include "support/variants.h"

#include <graze/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GROUPS = 96, MASK_WORDS = 3, MORPHS = 2 };

static uint32_t below(test_random *random, uint32_t count)
{
    return test_random_u32(random) % count;
}

/* Some groups, half of them, all but one, one. */
static void draw_mask(test_random *random, uint32_t group_count, uint32_t bits[MASK_WORDS])
{
    uint32_t kind = below(random, 4), one = below(random, group_count);
    for (uint32_t i = 0; i < MASK_WORDS; i++)
        bits[i] = kind == 0   ? test_random_u32(random) & test_random_u32(random)
                  : kind == 1 ? test_random_u32(random)
                  : kind == 2 ? UINT32_MAX
                              : 0;
    if (kind > 1)
        bits[one / 32] ^= 1u << (one % 32);
}

/* ---- random meshes -------------------------------------------------------------------------- */

typedef struct masked_soup {
    soup mesh;
    uint32_t *groups, group_count;
    float *deltas;
    graze_morph_target morphs[MORPHS];
    float *joints[2], weights[2][MORPHS]; /* of the poses at both ends */
    bool given[2];                        /* as positions */
    masked_side side;
} masked_soup;

static void open_soup(masked_soup *s, test_random *random)
{
    const soup_def mesh = {.vertex_count = 40 + below(random, 160),
                           .triangle_count = 40 + below(random, 260),
                           .joint_count = 1 + below(random, 5),
                           .max_influences = 1 + below(random, 3),
                           .size = 1,
                           .lattice = below(random, 4) == 0};
    bool sliced = below(random, 2);
    s->mesh = soup_make(&mesh, random);
    s->group_count = 2 + below(random, below(random, 2) ? 4 : MAX_GROUPS - 2);
    s->groups = malloc(mesh.triangle_count * sizeof *s->groups);
    s->deltas = malloc(3 * MORPHS * mesh.vertex_count * sizeof *s->deltas);
    if (!s->groups || !s->deltas)
        abort();
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        double x = (double)s->mesh.positions[3 * (size_t)s->mesh.triangles[3 * t]];
        uint32_t slice = (uint32_t)(fmin(fmax(x + 0.5, 0), 0.999) * s->group_count);
        s->groups[t] = sliced ? slice : below(random, s->group_count);
    }
    for (uint32_t i = 0; i < 3 * MORPHS * mesh.vertex_count; i++)
        s->deltas[i] = (float)test_random_range(random, -0.05, 0.05);
    for (uint32_t m = 0; m < MORPHS; m++)
        s->morphs[m] = (graze_morph_target){NULL, s->deltas + 3 * (size_t)m * mesh.vertex_count,
                                            mesh.vertex_count};
    graze_model_def def = soup_model_def(&s->mesh);
    def.triangle_groups = s->groups;
    def.group_count = s->group_count;
    def.skinning = (graze_skinning)below(random, 3);
    def.morphs = s->morphs;
    def.morph_count = below(random, MORPHS + 1);
    def.tree = agreement_tree(below(random, agreement_tree_count()));
    def.isa = variants_isa(test_random_u32(random));
    s->side = masked_open(&def);
    for (int end = 0; end < 2; end++)
        s->joints[end] = malloc(12 * def.joint_count * sizeof **s->joints);
    if (!s->joints[0] || !s->joints[1])
        abort();
}

static void close_soup(masked_soup *s)
{
    masked_close(&s->side);
    soup_free(&s->mesh);
    free(s->groups);
    free(s->deltas);
    free(s->joints[0]);
    free(s->joints[1]);
}

/* In a new pose, or with a new mask in the last one. */
static void pose_soup(masked_soup *s, int end, bool is_posed, test_random *random)
{
    static const map_kind kinds[] = {MAP_NEAR, MAP_NEAR, MAP_NEAR, MAP_SCALED, MAP_LATTICE};
    const graze_model_def *def = &s->side.def;
    if (!is_posed)
        pose_make(kinds[below(random, 5)], &s->mesh, random, s->joints[end]);
    for (int m = 0; m < MORPHS && !is_posed; m++)
        s->weights[end][m] = (float)test_random_range(random, -1, 1);
    const graze_pose pose = {.joints = s->joints[end],
                             .joint_count = def->joint_count,
                             .morph_weights = s->weights[end],
                             .morph_count = def->morph_count};
    masked_pose(&s->side, end, &pose, is_posed);
    if (!is_posed)
        s->given[end] = below(random, 4) == 0;
    if (s->given[end])
        masked_give_positions(&s->side, end, is_posed);
}

TEST(a_masked_soup_is_the_soup_of_what_is_in_the_mask)
{
    uint64_t answers = 0;
    for (uint32_t seed = 0; seed < test_amount(250, 50); seed++) {
        test_random random = test_random_seed(9000 + seed);
        const graze_tree_def tree = graze_default_tree_def();
        masked_soup soups[2];
        uint32_t bits[MASK_WORDS];
        bool posed = false;
        char name[32];
        snprintf(name, sizeof name, "seed %u", seed);
        open_soup(&soups[0], &random);
        open_soup(&soups[1], &random);
        for (int round = 0; round < 3; round++) { /* masks follow each other on the same bodies */
            bool some = true;
            for (int i = 0; i < 2; i++) {
                draw_mask(&random, soups[i].group_count, bits);
                some = masked_set(&soups[i].side, bits, &tree) && some;
            }
            for (int i = 0; i < 4 && some; i++)
                pose_soup(&soups[i / 2], i % 2, posed && round != 2, &random);
            posed = posed || some;
            if (some)
                answers += masked_judge(&soups[0].side, &soups[1].side, &random, name);
        }
        close_soup(&soups[0]);
        close_soup(&soups[1]);
    }
    CHECK_MSG(answers > 10000, "only %llu answers were compared", (unsigned long long)answers);
    printf("     %llu answers\n", (unsigned long long)answers);
}

/* ---- characters ----------------------------------------------------------------------------- */

static void pose_rig(masked_side *side, int end, const graze_rig *rig, double time, float shift)
{
    graze_pose pose = test_rig_pose(rig, rig->clip_count ? 0 : GRAZE_NONE, time);
    const float placement[12] = {1, 0, 0, shift, 0, 1, 0, 0.3f * shift, 0, 0, 1, 0.2f * shift};
    pose.placement = placement;
    masked_pose(side, end, &pose, false);
}

/* Their groups are the joints that move most; whole patches are in, or out, or cut. */
TEST(a_masked_character_is_the_character_of_what_is_in_the_mask)
{
    uint32_t count, rounds = test_amount(8, 2);
    const test_rig *rigs = test_rigs(&count);
    uint64_t answers = 0;
    for (uint32_t i = 0; i < count; i++) {
        test_random random = test_random_seed(700 + i);
        graze_model_def def = test_rig_def(rigs[i].rig);
        if (def.triangle_count > 2500 || def.joint_count > 32 * MASK_WORDS)
            continue; /* brute force takes too long */
        for (uint32_t round = 0; round < rounds; round++) {
            uint32_t bits[MASK_WORDS];
            bool some = true;
            def.skinning = (graze_skinning)below(&random, 3);
            def.tree = round % 3 ? graze_default_tree_def() : graze_paper_tree_def();
            masked_side sides[2] = {masked_open(&def), masked_open(&def)};
            for (int s = 0; s < 2; s++) {
                draw_mask(&random, graze_model_get_info(sides[s].model).group_count, bits);
                some = masked_set(&sides[s], bits, &def.tree) && some;
            }
            for (int s = 0; s < 4 && some; s++)
                pose_rig(&sides[s / 2], s % 2, rigs[i].rig, test_random_range(&random, 0, 2),
                         s / 2 ? 0.2f + 0.02f * (float)(s % 2) : 0);
            if (some)
                answers += masked_judge(&sides[0], &sides[1], &random, rigs[i].name);
            masked_close(&sides[0]);
            masked_close(&sides[1]);
        }
    }
    CHECK_MSG(answers > 1000, "only %llu answers were compared", (unsigned long long)answers);
    printf("     %llu answers\n", (unsigned long long)answers);
}

/* ---- nothing at all ------------------------------------------------------------------------- */

static bool count_anything(void *user, const graze_node_pair *pair)
{
    (void)pair;
    ++*(uint32_t *)user;
    return true;
}

static bool count_pairs(void *user, const graze_pair *pairs, size_t count)
{
    (void)pairs;
    *(uint32_t *)user += (uint32_t)count;
    return true;
}

static bool count_self(void *user, const graze_self_pair *pairs, size_t count)
{
    (void)pairs;
    *(uint32_t *)user += (uint32_t)count;
    return true;
}

static bool count_hits(void *user, const graze_ray_hit *hits, size_t count)
{
    (void)hits;
    *(uint32_t *)user += (uint32_t)count;
    return true;
}

static bool count_triangles(void *user, const uint32_t *triangles, size_t count)
{
    (void)triangles;
    *(uint32_t *)user += (uint32_t)count;
    return true;
}

static void check_nothing(soup_pair *pair, graze_body *a, graze_body *b, graze_stats *stats)
{
    const float at[3] = {0, 0, 0};
    graze_motion motions[2] = {{a, a}, {b, b}};
    graze_shape all = graze_shape_sphere(at, 1e6f);
    graze_nearest nearest = {.found = true};
    graze_ray_hit hit = {.found = true}, hits[2] = {{.found = true}, {.found = true}};
    graze_ray rays[2] = {pair->ray, pair->ray};
    graze_impact impact = {.found = true};
    graze_point_side point = {.inside = true};
    graze_side side = GRAZE_INSIDE;
    uint32_t found = 0;
    bool yes[4] = {true, true, true, true};
    float winding = 1, least = 0;
    CHECK(graze_collide(a, b, count_pairs, &found, stats, NULL) == GRAZE_OK);
    CHECK(graze_collide_brute(a, b, count_pairs, &found, NULL, NULL) == GRAZE_OK);
    CHECK(graze_collide_bounds(a, b, count_anything, &found, stats, NULL) == GRAZE_OK);
    CHECK(graze_collide_first(a, b, &yes[0], NULL, stats, NULL) == GRAZE_OK);
    CHECK(graze_collide_self(a, GRAZE_SELF_ALL, count_self, &found, stats, NULL) == GRAZE_OK);
    CHECK(graze_collide_self_first(a, GRAZE_SELF_ALL, &yes[1], NULL, stats, NULL) == GRAZE_OK);
    CHECK(graze_cast(a, &pair->ray, &hit, stats, NULL) == GRAZE_OK);
    CHECK(graze_cast_all(a, &pair->ray, count_hits, &found, stats, NULL) == GRAZE_OK);
    CHECK(graze_cast_many(a, rays, 2, hits, stats, NULL) == GRAZE_OK);
    CHECK(graze_distance(a, b, INFINITY, &nearest, stats, NULL) == GRAZE_OK);
    CHECK(graze_within(a, b, 1e30, count_pairs, &found, stats, NULL) == GRAZE_OK);
    CHECK(graze_closer_than(a, b, 1e300, &yes[2], NULL, stats, NULL) == GRAZE_OK);
    CHECK(graze_distance_bound(a, b, &least, stats, NULL) == GRAZE_OK);
    CHECK(graze_touch(a, &all, count_triangles, &found, stats, NULL) == GRAZE_OK);
    CHECK(graze_touch_first(a, &all, &yes[3], NULL, stats, NULL) == GRAZE_OK);
    CHECK(graze_classify(a, &all, UINT32_MAX, &side, stats, NULL) == GRAZE_OK);
    CHECK(graze_point_inside(a, at, &point, stats, NULL) == GRAZE_OK);
    CHECK(graze_winding_number(a, at, &winding, NULL, NULL) == GRAZE_OK);
    CHECK(graze_sweep(&motions[0], &motions[1], false, &impact, stats, NULL) == GRAZE_OK);
    CHECK(found == 0);
    CHECK(!yes[0] && !yes[1] && !yes[2] && !yes[3]);
    CHECK(!hit.found && !hits[0].found && !hits[1].found && !nearest.found && !impact.found);
    CHECK(side == GRAZE_OUTSIDE && !point.inside && winding == 0 && isinf(least));
}

TEST(with_nothing_in_the_mask_nothing_is_hit)
{
    const uint32_t none[1] = {0};
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        soup_pair pair = soup_pair_open(agreement_tree(t), (graze_skinning)(t % 3), NULL);
        uint32_t groups = graze_model_get_info(pair.models[0]).group_count;
        graze_stats stats = {0};
        CHECK(graze_body_set_group_mask(pair.a, none, groups, NULL) == GRAZE_OK);
        check_nothing(&pair, pair.a, pair.b, &stats);
        CHECK_MSG(stats.vertices_posed == 0, "vertices are posed of what is not there");
        CHECK(graze_body_set_group_mask(pair.b, none,
                                        graze_model_get_info(pair.models[1]).group_count,
                                        NULL) == GRAZE_OK);
        check_nothing(&pair, pair.a, pair.b, &stats);
        graze_body_refit_all(pair.a);
        check_nothing(&pair, pair.a, pair.b, &stats);
        graze_body_bound_all(pair.a);
        check_nothing(&pair, pair.a, pair.b, &stats);
        soup_pair_close(&pair);
    }
}

/* ---- bad input ------------------------------------------------------------------------------ */

typedef struct changer {
    graze_body *body;
    graze_status status;
    char text[200];
} changer;

static bool change_mask(void *user, const graze_pair *pairs, size_t count)
{
    changer *c = user;
    const uint32_t none[1] = {0};
    graze_error error = {.text = ""};
    (void)pairs, (void)count;
    c->status = graze_body_set_group_mask(c->body, none, 4, &error);
    snprintf(c->text, sizeof c->text, "%.199s", error.text);
    return false;
}

TEST(bad_masks_are_refused_and_change_nothing)
{
    const uint32_t some[1] = {5}, none[2] = {0, 0};
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    uint32_t groups = graze_model_get_info(pair.models[0]).group_count, before = 0, after = 0;
    graze_error error = {.text = ""};
    changer c = {.body = pair.a};
    REQUIRE(groups == 4);
    CHECK(graze_body_set_group_mask(NULL, some, groups, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "body"));
    CHECK(graze_body_set_group_mask(pair.a, some, groups, NULL) == GRAZE_OK);
    CHECK(graze_collide(pair.a, pair.b, count_pairs, &before, NULL, NULL) == GRAZE_OK);
    for (uint32_t wrong = 0; wrong < 40; wrong++) {
        if (wrong == groups)
            continue;
        error.text[0] = '\0';
        CHECK(graze_body_set_group_mask(pair.a, none, wrong, &error) == GRAZE_BAD_INPUT);
        CHECK_MSG(strstr(error.text, "the model has 4"), "%s", error.text);
    }
    CHECK(graze_collide(pair.a, pair.b, change_mask, &c, NULL, NULL) == GRAZE_OK);
    CHECK(c.status == GRAZE_BAD_INPUT && strstr(c.text, "in use"));
    CHECK(graze_collide(pair.a, pair.b, count_pairs, &after, NULL, NULL) == GRAZE_OK);
    CHECK(before > 0 && before == after);
    soup_pair_close(&pair);
}

/* The bits beyond the groups mean nothing, and the caller's array may go. */
TEST(masks_are_copies_of_as_many_bits_as_there_are_groups)
{
    uint32_t bits[1] = {0xfffffff5};
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    uint32_t with = 0, without = 0, all = 0, again = 0;
    CHECK(graze_collide(pair.a, pair.b, count_pairs, &all, NULL, NULL) == GRAZE_OK);
    CHECK(graze_body_set_group_mask(pair.a, bits, 4, NULL) == GRAZE_OK);
    bits[0] = 0;
    CHECK(graze_collide(pair.a, pair.b, count_pairs, &with, NULL, NULL) == GRAZE_OK);
    bits[0] = 5;
    CHECK(graze_body_set_group_mask(pair.a, bits, 4, NULL) == GRAZE_OK);
    CHECK(graze_collide(pair.a, pair.b, count_pairs, &without, NULL, NULL) == GRAZE_OK);
    CHECK(with > 0 && with == without && with < all);
    CHECK(graze_body_set_group_mask(pair.a, NULL, 77, NULL) == GRAZE_OK);
    CHECK(graze_collide(pair.a, pair.b, count_pairs, &again, NULL, NULL) == GRAZE_OK);
    CHECK(again == all);
    soup_pair_close(&pair);
}

TEST(both_ends_of_a_motion_have_one_mask)
{
    const uint32_t some[1] = {5}, other[1] = {6};
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    graze_motion a = {pair.a, pair.end}, b = {pair.b, pair.b};
    graze_impact impact = {.a = 77};
    graze_error error = {.text = ""};
    CHECK(graze_body_set_group_mask(pair.a, some, 4, NULL) == GRAZE_OK);
    CHECK(graze_sweep(&a, &b, false, &impact, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "group masks"), "%s", error.text);
    CHECK(graze_body_set_group_mask(pair.end, other, 4, NULL) == GRAZE_OK);
    CHECK(graze_sweep(&a, NULL, false, &impact, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_sweep(&b, &a, false, &impact, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(impact.a == 77);
    CHECK(graze_body_set_group_mask(pair.end, some, 4, NULL) == GRAZE_OK);
    CHECK(graze_sweep(&a, &b, false, &impact, NULL, NULL) == GRAZE_OK);
    soup_pair_close(&pair);
}

TEST(contacts_of_pairs_that_are_left_out_are_refused)
{
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    graze_contacts *finder = NULL;
    graze_error error = {.text = ""};
    graze_pair first;
    bool hit = false;
    REQUIRE(graze_contacts_create(pair.models[0], pair.models[1], NULL, &finder, NULL) == GRAZE_OK);
    CHECK(graze_collide_first(pair.a, pair.b, &hit, &first, NULL, NULL) == GRAZE_OK && hit);
    CHECK(graze_contacts_from_pairs(finder, pair.a, pair.b, &first, 1, NULL, NULL) == GRAZE_OK);
    uint32_t bits[1] = {~(1u << graze_model_triangle_group(pair.models[0], first.a))};
    CHECK(graze_body_set_group_mask(pair.a, bits, 4, NULL) == GRAZE_OK);
    CHECK(graze_contacts_from_pairs(finder, pair.a, pair.b, &first, 1, NULL, &error) ==
          GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "pair 0"), "%s", error.text);
    CHECK(graze_contacts_count(finder) == 0);
    graze_contacts_destroy(finder);
    soup_pair_close(&pair);
}

TEST(out_of_memory_leaves_the_old_mask)
{
    const uint32_t some[1] = {5};
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, &allocator);
    uint32_t all = 0, failures = 0;
    graze_status status = GRAZE_OUT_OF_MEMORY;
    CHECK(graze_collide(pair.a, pair.b, count_pairs, &all, NULL, NULL) == GRAZE_OK);
    uint64_t alive = memory.alive;
    for (uint64_t at = 1; status == GRAZE_OUT_OF_MEMORY && at < 100; at++) {
        uint32_t now = 0;
        memory.fail_at = memory.calls + at;
        status = graze_body_set_group_mask(pair.a, some, 4, NULL);
        memory.fail_at = 0;
        CHECK(graze_collide(pair.a, pair.b, count_pairs, &now, NULL, NULL) == GRAZE_OK);
        failures += status != GRAZE_OK;
        CHECK(status == GRAZE_OK || (now == all && memory.alive == alive));
        CHECK(status != GRAZE_OK || now < all);
    }
    CHECK(status == GRAZE_OK && failures >= 13);
    uint64_t calls = memory.calls;
    CHECK(graze_body_set_group_mask(pair.a, NULL, 0, NULL) == GRAZE_OK);
    CHECK(graze_body_set_group_mask(pair.a, (const uint32_t[]){3}, 4, NULL) == GRAZE_OK);
    CHECK_MSG(memory.calls == calls, "a later mask takes memory");
    soup_pair_close(&pair);
    CHECK(memory.alive == 0 && !memory.misused);
}

/* ---- what it costs -------------------------------------------------------------------------- */

static graze_stats stats_of(graze_body *a, graze_body *b)
{
    graze_stats stats = {0};
    uint32_t found = 0;
    CHECK(graze_collide(a, b, count_pairs, &found, &stats, NULL) == GRAZE_OK);
    return stats;
}

TEST(a_masked_query_looks_at_no_more_and_at_less_where_most_is_left_out)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    graze_model_def def = test_rig_def(rigs[0].rig);
    graze_model *model = NULL;
    graze_body *a = NULL, *b = NULL;
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    uint32_t groups = graze_model_get_info(model).group_count, bits[MASK_WORDS] = {0};
    REQUIRE(groups <= 32 * MASK_WORDS && graze_body_create(model, &a, NULL) == GRAZE_OK &&
            graze_body_create(model, &b, NULL) == GRAZE_OK);
    graze_stats all = stats_of(a, b);
    for (uint32_t g = 0; g < groups; g++) {
        memset(bits, 0, sizeof bits);
        bits[g / 32] = 1u << (g % 32);
        CHECK(graze_body_set_group_mask(a, bits, groups, NULL) == GRAZE_OK);
        graze_body_drop_caches(a);
        graze_body_drop_caches(b);
        graze_stats one = stats_of(a, b);
        CHECK(one.vertices_posed < all.vertices_posed && one.triangle_tests < all.triangle_tests);
        CHECK(one.bound_tests < all.bound_tests && one.nodes_refit <= all.nodes_refit);
    }
    /* All bits are no mask at all. */
    memset(bits, 0xff, sizeof bits);
    CHECK(graze_body_set_group_mask(a, bits, groups, NULL) == GRAZE_OK);
    graze_body_drop_caches(a);
    graze_body_drop_caches(b);
    graze_stats again = stats_of(a, b);
    CHECK(memcmp(&again, &all, sizeof all) == 0);
    graze_body_destroy(a);
    graze_body_destroy(b);
    graze_model_destroy(model);
}

TEST(another_mask_keeps_what_is_posed)
{
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    uint32_t count = graze_model_get_info(pair.models[0]).vertex_count;
    float *positions = malloc(3 * count * sizeof *positions);
    const uint32_t some[1] = {5};
    graze_body_get_positions(pair.a, positions);
    stats_of(pair.b, pair.a);
    CHECK(graze_body_set_group_mask(pair.a, some, 4, NULL) == GRAZE_OK);
    CHECK(stats_of(pair.a, pair.b).vertices_posed == 0);
    CHECK(stats_of(pair.a, pair.b).nodes_refit == 0);
    CHECK(graze_body_set_group_mask(pair.a, some, 4, NULL) == GRAZE_OK);
    CHECK_MSG(stats_of(pair.a, pair.b).nodes_refit == 0, "the same mask again drops bounds");
    free(positions);
    soup_pair_close(&pair);
}

/* ---- marks ---------------------------------------------------------------------------------- */

TEST(user_data_comes_with_the_body)
{
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    int mark = 0;
    CHECK(graze_body_user_data(pair.a) == NULL && graze_body_user_data(NULL) == NULL);
    graze_body_set_user_data(pair.a, &mark);
    graze_body_set_user_data(NULL, &mark);
    CHECK(soup_pair_pose(&pair, 0, pair.a, 3) == GRAZE_OK);
    CHECK(graze_body_user_data(pair.a) == &mark && graze_body_user_data(pair.b) == NULL);
    graze_body_set_user_data(pair.a, NULL);
    CHECK(graze_body_user_data(pair.a) == NULL);
    soup_pair_close(&pair);
}
