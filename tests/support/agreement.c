#include "support/agreement.h"

#include "harness.h"

#include <graze/reference.h>

#include <string.h>

static const graze_tree_def trees[] = {
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 64, 4, 0, 0},
    {GRAZE_SPHERES, GRAZE_REFIT_CORNERS, 1, 32, 0.6f, 0},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 1, 2, 0, 0},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 2, 8, 0, 0},
    {GRAZE_SPHERES, GRAZE_REFIT_DEFAULT, 7, 4, 0, 0},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 8, 32, 0, 0},
    {GRAZE_SPHERES, GRAZE_REFIT_DEFAULT, 16, 2, 0, 0},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 85, 4, 0, 0},
    {GRAZE_SPHERES, GRAZE_REFIT_DEFAULT, 128, 8, 0, 0},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 128, 2, 0, 0},
    {GRAZE_SPHERES, GRAZE_REFIT_CORNERS, 64, 4, 0, 0},
    {GRAZE_SPHERES, GRAZE_REFIT_DEFAULT, 1, 32, 1, 0},
    {GRAZE_SPHERES, GRAZE_REFIT_CORNERS, 2, 4, 0.9f, 0},
    {GRAZE_BOXES, GRAZE_REFIT_DEFAULT, 16, 4, 0, 0},
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
    graze_collide_brute(a, b, pair_set_take, expected, NULL, NULL);
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
    graze_pair odd = {0, 0};
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
    graze_collide(a, b, pair_set_take, found, &cold, NULL);
    if (!compare(found, expected, name, "lazy", seen))
        return false;
    pair_set_clear(found);
    graze_collide(a, b, pair_set_take, found, &warm, NULL);
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
    graze_collide_eager(a, b, false, pair_set_take, found, NULL, NULL);
    if (!compare(found, expected, name, "eager", seen))
        return false;
    for (int sides = 1; sides <= 3; sides++) {
        drop(a, b);
        if (sides & 1)
            graze_body_refit_all(a);
        if (sides & 2)
            graze_body_refit_all(b);
        pair_set_clear(found);
        graze_collide(a, b, pair_set_take, found, NULL, NULL);
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
    graze_collide(b, a, pair_set_take, found, NULL, NULL);
    for (size_t i = 0; i < found->count; i++)
        found->pairs[i] = (graze_pair){found->pairs[i].b, found->pairs[i].a};
    return compare(found, expected, name, "lazy the other way round", seen);
}

static bool check_first(graze_body *a, graze_body *b, const pair_set *expected, const char *name,
                        pair_set *found, agreement *seen)
{
    graze_pair pair = {UINT32_MAX, UINT32_MAX};
    drop(a, b);
    bool hit = false;
    test_check(graze_collide_first(a, b, &hit, &pair, NULL, NULL) == GRAZE_OK, __FILE__, __LINE__,
               "%s: first hit", name);
    seen->queries += 2;
    if (!test_check(hit == (expected->count > 0), __FILE__, __LINE__,
                    "%s: first hit says %s, brute force finds %zu pairs", name, hit ? "yes" : "no",
                    expected->count) ||
        !test_check(!hit || pair_set_has(expected, pair), __FILE__, __LINE__,
                    "%s: first hit gives %u %u, which do not meet", name, pair.a, pair.b) ||
        !test_check(hit || pair.a == UINT32_MAX, __FILE__, __LINE__, "%s: a pair without a hit",
                    name))
        return false;
    drop(a, b);
    pair_set_clear(found);
    graze_collide_eager(a, b, true, pair_set_take, found, NULL, NULL);
    bool ok = found->count == (expected->count > 0) &&
              (!found->count || pair_set_has(expected, found->pairs[0]));
    return test_check(ok, __FILE__, __LINE__, "%s: eager first hit is wrong", name);
}

bool agreement_check(graze_body *a, graze_body *b, const pair_set *expected, const char *name,
                     agreement *seen)
{
    pair_set found = {0};
    bool ok = check_lazy(a, b, expected, name, &found, seen) &&
              check_eager(a, b, expected, name, &found, seen) &&
              check_swapped(a, b, expected, name, &found, seen) &&
              check_first(a, b, expected, name, &found, seen);
    pair_set_free(&found);
    seen->scenes++;
    seen->hits += expected->count > 0;
    seen->pairs += expected->count;
    return ok;
}
