#include "support/agreement.h"

#include "harness.h"

#include <graze/ext/inspect.h>

static const graze_tree_def trees[] = {
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 64, 4, 0, 0, {0}},
    {GRAZE_SPHERES, GRAZE_REFIT_CORNERS, 1, 32, 0.6f, 0, {0}},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 1, 2, 0, 0, {0}},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 2, 8, 0, 0, {0}},
    {GRAZE_SPHERES, GRAZE_REFIT_DEFAULT, 7, 4, 0, 0, {0}},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 8, 32, 0, 0, {0}},
    {GRAZE_SPHERES, GRAZE_REFIT_DEFAULT, 16, 2, 0, 0, {0}},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 85, 4, 0, 0, {0}},
    {GRAZE_SPHERES, GRAZE_REFIT_DEFAULT, 128, 8, 0, 0, {0}},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 128, 2, 0, 0, {0}},
    {GRAZE_SPHERES, GRAZE_REFIT_CORNERS, 64, 4, 0, 0, {0}},
    {GRAZE_SPHERES, GRAZE_REFIT_DEFAULT, 1, 32, 1, 0, {0}},
    {GRAZE_SPHERES, GRAZE_REFIT_CORNERS, 2, 4, 0.9f, 0, {0}},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 16, 4, 0, 0, {0}},
};

uint32_t agreement_tree_count(void)
{
    return sizeof trees / sizeof *trees;
}

graze_tree_def agreement_tree(uint32_t number)
{
    return trees[number];
}

void agreement_print(const char *what, const agreement *seen)
{
    printf("     %s: %llu pairs of bodies, %llu of them meet, in %llu pairs of triangles; %llu "
           "queries compared\n",
           what, (unsigned long long)seen->scenes, (unsigned long long)seen->hits,
           (unsigned long long)seen->pairs, (unsigned long long)seen->queries);
}

void agreement_expect(graze_body *a, graze_body *b, pair_set *expected)
{
    pair_set_clear(expected);
    graze_pairs(a, b, TO_PAIR_SET(expected), &(graze_options){.method = GRAZE_BRUTE}, NULL);
    test_check(pair_set_sort(expected), __FILE__, __LINE__, "brute force reports a pair twice");
}

static void drop(graze_body *a, graze_body *b)
{
    graze_body_drop_caches(a);
    graze_body_drop_caches(b);
}

static bool compare(pair_set *found, const pair_set *expected, const char *name, const char *method,
                    agreement *seen)
{
    graze_pair odd = {.a = 0, .b = 0};
    seen->queries++;
    return test_check(pair_set_sort(found), __FILE__, __LINE__, "%s: %s reports a pair twice", name,
                      method) &&
           test_check(pair_set_equal(found, expected, &odd), __FILE__, __LINE__,
                      "%s: %s finds %zu pairs, brute force %zu; first difference %u %u", name,
                      method, found->count, expected->count, odd.a, odd.b);
}

static bool check_lazy(graze_body *a, graze_body *b, const pair_set *expected, const char *name,
                       pair_set *found, agreement *seen)
{
    graze_stats cold = {0}, warm = {0};
    drop(a, b);
    pair_set_clear(found);
    graze_pairs(a, b, TO_PAIR_SET(found), &(graze_options){.stats = &cold}, NULL);
    if (!compare(found, expected, name, "lazy", seen))
        return false;
    pair_set_clear(found);
    graze_pairs(a, b, TO_PAIR_SET(found), &(graze_options){.stats = &warm}, NULL);
    graze_model_info info_a = graze_model_get_info(graze_body_model(a));
    graze_model_info info_b = graze_model_get_info(graze_body_model(b));
    return compare(found, expected, name, "lazy from caches", seen) &&
           test_check(warm.nodes_refit == 0 && warm.vertices_posed == 0 && warm.patches_posed == 0,
                      __FILE__, __LINE__, "%s: the second query computes again", name) &&
           test_check(cold.nodes_refit >= 2 &&
                          cold.nodes_refit <= (uint64_t)info_a.node_count + info_b.node_count &&
                          cold.patches_posed <= (uint64_t)info_a.leaf_count + info_b.leaf_count &&
                          cold.triangle_tests >= expected->count,
                      __FILE__, __LINE__, "%s: statistics out of range", name);
}

static bool check_eager(graze_body *a, graze_body *b, const pair_set *expected, const char *name,
                        pair_set *found, agreement *seen)
{
    drop(a, b);
    pair_set_clear(found);
    graze_pairs(a, b, TO_PAIR_SET(found), &(graze_options){.method = GRAZE_EAGER}, NULL);
    if (!compare(found, expected, name, "eager", seen))
        return false;
    for (int sides = 1; sides <= 3; sides++) {
        drop(a, b);
        if (sides & 1)
            graze_body_refit_all(a);
        if (sides & 2)
            graze_body_refit_all(b);
        pair_set_clear(found);
        graze_pairs(a, b, TO_PAIR_SET(found), NULL, NULL);
        if (!compare(found, expected, name, "bottom-up", seen))
            return false;
    }
    return true;
}

static bool check_swapped(graze_body *a, graze_body *b, const pair_set *expected, const char *name,
                          pair_set *found, agreement *seen)
{
    drop(a, b);
    pair_set_clear(found);
    graze_pairs(b, a, TO_PAIR_SET(found), NULL, NULL);
    for (size_t i = 0; i < found->count; i++)
        found->pairs[i] = (graze_pair){.a = found->pairs[i].b, .b = found->pairs[i].a};
    return compare(found, expected, name, "lazy the other way round", seen);
}

/* Any pair, lazily and eagerly. */
static bool check_any(graze_body *a, graze_body *b, const pair_set *expected, const char *name,
                      agreement *seen)
{
    bool ok = true;
    for (int method = GRAZE_LAZY; method <= GRAZE_EAGER; method++) {
        graze_pair pair = {.a = UINT32_MAX, .b = UINT32_MAX};
        graze_pair_list any = {.items = &pair, .capacity = 1};
        const graze_options options = {.any = true, .method = (graze_method)method};
        drop(a, b);
        graze_status status = graze_pairs(a, b, &any, &options, NULL);
        seen->queries++;
        ok = test_check(!status && any.total == (expected->count > 0) && any.count == any.total,
                        __FILE__, __LINE__, "%s: any, method %d: %zu of %zu pairs", name, method,
                        any.total, expected->count) &&
             test_check(any.count ? pair_set_find(expected, pair) != NULL : pair.a == UINT32_MAX,
                        __FILE__, __LINE__, "%s: any, method %d: %u %u", name, method, pair.a,
                        pair.b) &&
             ok;
    }
    return ok;
}

bool agreement_check(graze_body *a, graze_body *b, const pair_set *expected, const char *name,
                     agreement *seen)
{
    pair_set found = {0};
    bool ok = check_lazy(a, b, expected, name, &found, seen) &&
              check_eager(a, b, expected, name, &found, seen) &&
              check_swapped(a, b, expected, name, &found, seen) &&
              check_any(a, b, expected, name, seen);
    pair_set_free(&found);
    seen->scenes++;
    seen->hits += expected->count > 0;
    seen->pairs += expected->count;
    return ok;
}
