/* Self-collision between chosen pairs of parts: exactly the pairs of plain testing of all triangles
 * with one triangle in each set, however it is asked; what is not chosen costs nothing; bad input.
 */
#include "harness.h"
#include "scenes/synth.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/self_judge.h"
#include "support/soup.h"
#include "support/variants.h"

#include <graze/ext/inspect.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_GROUPS = 96, WORDS = 3, MAX_PAIRS = 3 };

typedef struct choice {
    uint32_t bits[MAX_PAIRS][2][WORDS];
    graze_part_sets pairs[MAX_PAIRS];
    graze_part_filter between;
} choice;

static uint32_t below(test_random *random, uint32_t count)
{
    return test_random_u32(random) % count;
}

/* One group, some, most or none of them. Bits behind the last group are set, and mean nothing. */
static void draw(choice *c, uint32_t part_count, test_random *random)
{
    c->between = (graze_part_filter){
        .pairs = c->pairs, .pair_count = below(random, MAX_PAIRS + 1), .part_count = part_count};
    for (uint32_t i = 0; i < MAX_PAIRS; i++) {
        for (int side = 0; side < 2; side++) {
            uint32_t kind = below(random, 4), one = below(random, part_count);
            uint32_t *bits = c->bits[i][side];
            for (int w = 0; w < WORDS; w++)
                bits[w] = kind == 0   ? 0
                          : kind == 1 ? test_random_u32(random) & test_random_u32(random)
                          : kind == 2 ? test_random_u32(random) | test_random_u32(random)
                                      : 0;
            if (kind)
                bits[one / 32] |= 1u << (one % 32);
            for (uint32_t g = part_count; g < 32 * WORDS; g++)
                bits[g / 32] |= 1u << (g % 32);
        }
        c->pairs[i] = (graze_part_sets){c->bits[i][0], c->bits[i][1]};
    }
}

static bool has(const uint32_t *bits, uint32_t group)
{
    return bits[group / 32] >> (group % 32) & 1;
}

/* What the header says, by itself. */
static bool is_wanted(const choice *c, uint32_t p, uint32_t q)
{
    for (uint32_t i = 0; i < c->between.pair_count; i++)
        if ((has(c->bits[i][0], p) && has(c->bits[i][1], q)) ||
            (has(c->bits[i][0], q) && has(c->bits[i][1], p)))
            return true;
    return false;
}

static pair_set filtered(const pair_set *all, const graze_model *model, const choice *c,
                         const uint32_t *mask, bool only_new)
{
    pair_set kept = {0};
    for (size_t i = 0; i < all->count; i++) {
        uint32_t p = graze_model_triangle_part(model, all->pairs[i].a);
        uint32_t q = graze_model_triangle_part(model, all->pairs[i].b);
        if (is_wanted(c, p, q) && !(only_new && all->pairs[i].at_rest) &&
            (!mask || (has(mask, p) && has(mask, q))))
            pair_set_take(&kept, &all->pairs[i], 1);
    }
    return kept;
}

static int in_order(const void *left, const void *right)
{
    const graze_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static bool is_same(const graze_pair *x, const graze_pair *y)
{
    return x->a == y->a && x->b == y->b && x->at_rest == y->at_rest;
}

static void compare(const pair_set *expected, pair_set *found, const char *name, const char *way)
{
    bool same = expected->count == found->count;
    if (found->count)
        qsort(found->pairs, found->count, sizeof *found->pairs, in_order);
    for (size_t i = 0; same && i < expected->count; i++)
        same = is_same(&expected->pairs[i], &found->pairs[i]);
    CHECK_MSG(same, "%s, %s: %zu pairs, expected %zu", name, way, found->count, expected->count);
}

static void check_any(graze_body *body, bool only_new, const choice *c, const pair_set *expected,
                      const char *name)
{
    bool known = !expected->count;
    graze_pair pair = {0};
    graze_pair_list any = {.items = &pair, .capacity = 1};
    CHECK(!graze_self_pairs(body, &c->between, &any,
                            &(graze_options){.any = true, .only_new = only_new}, NULL));
    for (size_t i = 0; any.count && i < expected->count; i++)
        known = known || is_same(&expected->pairs[i], &pair);
    CHECK_MSG(any.count == (expected->count > 0) && any.total == any.count && known,
              "%s: any says %zu, %u and %u", name, any.total, pair.a, pair.b);
}

/* All ways to ask; expected is sorted. */
static void check_ways(graze_body *body, bool only_new, const choice *c, const pair_set *expected,
                       const char *name)
{
    OWN(pair_set) found = {0};
    for (int warm = 0; warm < 2; warm++) {
        found.count = 0;
        if (!warm)
            graze_body_drop_caches(body);
        CHECK(!graze_self_pairs(body, &c->between, TO_PAIR_SET(&found),
                                &(graze_options){.only_new = only_new}, NULL));
        compare(expected, &found, name, warm ? "warm" : "cold");
    }
    OWN(pair_set) array = {.pairs = malloc((expected->count + 1) * sizeof *array.pairs)};
    graze_pair_list list = {.items = array.pairs, .capacity = expected->count};
    CHECK(
        !graze_self_pairs(body, &c->between, &list, &(graze_options){.only_new = only_new}, NULL));
    array.count = list.count;
    CHECK(list.total == expected->count);
    compare(expected, &array, name, "into");
    found.count = found.calls = 0;
    found.stop = 1;
    CHECK(!graze_self_pairs(body, &c->between, TO_PAIR_SET(&found),
                            &(graze_options){.only_new = only_new}, NULL));
    CHECK(found.calls <= 1 && !found.count == !expected->count);
    check_any(body, only_new, c, expected, name);
}

/* A body in a pose: some choices, with and without a mask. Returns how many pairs were compared. */
static uint64_t check_body(graze_body *body, const pair_set *all, uint32_t part_count,
                           test_random *random, const char *name)
{
    const graze_model *model = graze_body_model(body);
    choice c;
    uint64_t pairs = 0;
    for (int round = 0; round < 4; round++) {
        bool only_new = below(random, 2);
        bool masked = round == 3;
        draw(&c, part_count, random);
        uint32_t mask[WORDS];
        for (int w = 0; w < WORDS; w++)
            mask[w] = test_random_u32(random) | test_random_u32(random);
        CHECK(!graze_body_set_part_mask(body, masked ? mask : NULL, part_count, NULL));
        OWN(pair_set) expected = filtered(all, model, &c, masked ? mask : NULL, only_new);
        check_ways(body, only_new, &c, &expected, name);
        pairs += expected.count;
    }
    CHECK(!graze_body_set_part_mask(body, NULL, 0, NULL));
    return pairs;
}

/* ---- random meshes -------------------------------------------------------------------------- */

static uint64_t check_soup(uint32_t seed)
{
    test_random random = test_random_seed(700 + seed);
    const soup_def mesh_def = {.vertex_count = 30 + below(&random, 200),
                               .triangle_count = 30 + below(&random, 300),
                               .joint_count = 1 + below(&random, 5),
                               .max_influences = 1 + below(&random, 3),
                               .size = 1,
                               .lattice = seed % 4 == 0,
                               .equal_weights = seed % 3 == 0};
    static const map_kind kinds[] = {MAP_NEAR, MAP_NEAR, MAP_RIGID, MAP_SCALED, MAP_LATTICE};
    OWN(soup) mesh = soup_make(&mesh_def, &random);
    uint32_t part_count = 1 + below(&random, seed % 2 ? 6 : MAX_GROUPS);
    OWNED uint32_t *groups = malloc(mesh_def.triangle_count * sizeof *groups);
    OWNED float *joints = malloc(12 * mesh_def.joint_count * sizeof *joints);
    uint64_t pairs = 0;
    for (uint32_t t = 0; t < mesh_def.triangle_count; t++) {
        double x = (double)mesh.positions[3 * (size_t)mesh.triangles[3 * t]] + 0.5;
        uint32_t slice = x <= 0 ? 0 : x >= 1 ? part_count - 1 : (uint32_t)(x * part_count);
        groups[t] = seed % 3 ? slice : below(&random, part_count);
    }
    OWNED uint32_t *vertex_parts = calloc(mesh_def.vertex_count, sizeof *vertex_parts);
    graze_model_def def = soup_model_def(&mesh);
    def.triangle_parts = groups;
    def.vertex_parts = vertex_parts;
    def.part_count = part_count;
    def.tree = agreement_tree(seed % 2 ? 0 : below(&random, agreement_tree_count()));
    def.isa = variants_isa(test_random_u32(&random));
    def.no_self_collision = seed % 5 == 4;
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    graze_error error = {.text = "out of memory"};
    if (graze_model_create(&def, &model, &error) || graze_body_create(model, &body, &error)) {
        fprintf(stderr, "seed %u: %s\n", seed, error.text);
        abort();
    }
    for (int p = 0; p < 3; p++) {
        char name[40];
        OWN(pair_set) all = {0};
        snprintf(name, sizeof name, "seed %u, pose %d", seed, p);
        pose_make(kinds[below(&random, 5)], &mesh, &random, joints);
        const graze_pose pose = {.joints = joints, .joint_count = mesh_def.joint_count};
        CHECK(!graze_body_set_pose(body, &pose, NULL));
        self_expect(body, &def, &all);
        pairs += check_body(body, &all, part_count, &random, name);
    }
    return pairs;
}

TEST(random_meshes_agree_with_plain_testing)
{
    uint64_t pairs = 0;
    for (uint32_t seed = 0; seed < test_amount(300, 30); seed++)
        pairs += check_soup(seed);
    printf("     %llu pairs compared\n", (unsigned long long)pairs);
    CHECK(pairs > 1000);
}

/* ---- characters ----------------------------------------------------------------------------- */

/* Against all pairs of the whole body, which brute force gives. */
static uint64_t check_rig(const test_rig *named, test_random *random)
{
    const graze_rig *rig = named->rig;
    graze_model_def def = test_rig_def(rig);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    uint64_t pairs = 0;
    if (rig->joint_count > 32 * WORDS)
        return 0;
    if (graze_model_create(&def, &model, NULL) || graze_body_create(model, &body, NULL))
        abort();
    for (int frame = 0; frame < 2; frame++) {
        OWN(pair_set) all = {0};
        graze_pose pose = test_rig_pose(rig, rig->clip_count ? 0 : GRAZE_NONE, 0.3 + frame);
        CHECK(!graze_body_set_pose(body, &pose, NULL));
        CHECK(!graze_self_pairs(body, NULL, TO_PAIR_SET(&all), NULL, NULL));
        if (all.count)
            qsort(all.pairs, all.count, sizeof *all.pairs, in_order);
        pairs += check_body(body, &all, rig->joint_count, random, named->name);
    }
    return pairs;
}

TEST(characters_agree_with_all_their_pairs)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(12);
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < count && i < test_amount(count, 6); i++)
        pairs += check_rig(&rigs[i], &random);
    printf("     %llu pairs compared\n", (unsigned long long)pairs);
    CHECK(pairs > 0);
}

/* ---- laziness ------------------------------------------------------------------------------- */

/* Two joints of a character that both have triangles cost a small part of all of them. */
TEST(what_is_not_chosen_costs_little)
{
    const graze_synth_def man = {.kind = GRAZE_SYNTH_MAN};
    graze_rig *rig = NULL;
    REQUIRE(!graze_synth(&man, NULL, &rig, NULL));
    graze_model_def def = test_rig_def(rig);
    graze_model *model = NULL;
    graze_body *body = NULL;
    graze_stats whole = {0}, part = {0}, none = {0};
    pair_set all = {0}, some = {0};
    uint32_t words = (rig->joint_count + 31) / 32;
    uint32_t *one = calloc(words, sizeof *one), *two = calloc(words, sizeof *two);
    if (!one || !two || graze_model_create(&def, &model, NULL) ||
        graze_body_create(model, &body, NULL))
        abort();
    uint32_t first = graze_model_triangle_part(model, 0), last = first;
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        last = graze_model_triangle_part(model, t);
    one[first / 32] |= 1u << (first % 32);
    two[last / 32] |= 1u << (last % 32);
    graze_pose pose = test_rig_pose(rig, rig->clip_count ? 0 : GRAZE_NONE, 0.4);
    const graze_part_sets pair = {one, two};
    const graze_part_filter between = {
        .pairs = &pair, .pair_count = 1, .part_count = rig->joint_count};
    const graze_part_filter nothing = {
        .pairs = NULL, .pair_count = 0, .part_count = rig->joint_count};
    CHECK(first != last && !graze_body_set_pose(body, &pose, NULL));
    CHECK(
        !graze_self_pairs(body, NULL, TO_PAIR_SET(&all), &(graze_options){.stats = &whole}, NULL));
    graze_body_drop_caches(body);
    CHECK(!graze_self_pairs(body, &between, TO_PAIR_SET(&some), &(graze_options){.stats = &part},
                            NULL));
    graze_body_drop_caches(body);
    CHECK(!graze_self_pairs(body, &nothing, TO_PAIR_SET(&some), &(graze_options){.stats = &none},
                            NULL));
    printf("     %llu patches posed and %llu triangle tests of %llu and %llu\n",
           (unsigned long long)part.patches_posed, (unsigned long long)part.triangle_tests,
           (unsigned long long)whole.patches_posed, (unsigned long long)whole.triangle_tests);
    CHECK(4 * part.patches_posed <= whole.patches_posed);
    CHECK(4 * part.triangle_tests <= whole.triangle_tests);
    CHECK(none.patches_posed == 0 && none.triangle_tests == 0 && none.nodes_refit <= 1);
    pair_set_free(&all);
    pair_set_free(&some);
    graze_body_destroy(body);
    graze_model_destroy(model);
    graze_rig_destroy(rig);
    free(one);
    free(two);
}

/* ---- bad input ------------------------------------------------------------------------------ */

TEST(bad_input_is_refused)
{
    test_random random = test_random_seed(3);
    const soup_def mesh_def = {
        .vertex_count = 20, .triangle_count = 30, .joint_count = 4, .max_influences = 2, .size = 1};
    soup mesh = soup_make(&mesh_def, &random);
    graze_model_def def = soup_model_def(&mesh);
    graze_model *model = NULL;
    graze_body *body = NULL;
    if (graze_model_create(&def, &model, NULL) || graze_body_create(model, &body, NULL))
        abort();
    const uint32_t bits = 0xf;
    const graze_part_sets good = {&bits, &bits}, missing[2] = {{&bits, &bits}, {&bits, NULL}};
    const struct {
        graze_part_filter between;
        const char *text;
    } bad[] = {
        {{.pairs = &good, .pair_count = 1, .part_count = 3},
         "the filter is of 3 parts, the model has 4"},
        {{.pairs = &good, .pair_count = 1, .part_count = 5},
         "the filter is of 5 parts, the model has 4"},
        {{.pairs = NULL, .pair_count = 1, .part_count = 4}, "the pairs of the filter are NULL"},
        {{.pairs = missing, .pair_count = 2, .part_count = 4}, "a set of pair 1 is NULL"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pair_set set = {0};
        graze_error error = {.text = ""};
        graze_pair_list any = {0};
        CHECK(graze_self_pairs(body, &bad[i].between, TO_PAIR_SET(&set), NULL, &error) ==
              GRAZE_BAD_INPUT);
        CHECK_MSG(strcmp(error.text, bad[i].text) == 0, "says: %s", error.text);
        CHECK(graze_self_pairs(body, &bad[i].between, &any, &(graze_options){.any = true}, NULL) ==
              GRAZE_BAD_INPUT);
        CHECK(any.total == 0 && set.calls == 0);
    }
    const graze_part_filter ok = {.pairs = &good, .pair_count = 1, .part_count = 4};
    pair_set set = {0};
    CHECK(!graze_self_pairs(body, &ok, TO_PAIR_SET(&set), NULL, NULL));
    pair_set_free(&set);
    graze_body_destroy(body);
    graze_model_destroy(model);
    soup_free(&mesh);
}
