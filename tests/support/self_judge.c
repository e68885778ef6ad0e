#include "support/self_judge.h"

#include "harness.h"
#include "narrow/triangle.h"
#include "support/cannot_part.h"
#include "support/own.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

void self_tally_print(const char *what, const self_tally *seen)
{
    printf("     %s: %llu poses, %llu with hits, %llu pairs (%llu at rest too), %llu queries "
           "compared\n",
           what, (unsigned long long)seen->poses, (unsigned long long)seen->hits,
           (unsigned long long)seen->pairs, (unsigned long long)seen->rest_pairs,
           (unsigned long long)seen->queries);
}

/* ---- what is true ------------------------------------------------------------------------- */

typedef struct posed_triangle {
    float low[3], high[3];
    uint32_t number;
} posed_triangle;

static void corners_of(const float *positions, const uint32_t *vertices, float corners[3][3])
{
    for (int c = 0; c < 3; c++)
        memcpy(corners[c], positions + 3 * (size_t)vertices[c], sizeof corners[c]);
}

static bool meet(const float *positions, const uint32_t *a, const uint32_t *b)
{
    float corners_a[3][3], corners_b[3][3];
    corners_of(positions, a, corners_a);
    corners_of(positions, b, corners_b);
    return grazei_triangles_meet((const float(*)[3])corners_a, (const float(*)[3])corners_b);
}

static int by_low_x(const void *left, const void *right)
{
    const posed_triangle *x = left, *y = right;
    return x->low[0] < y->low[0] ? -1 : x->low[0] > y->low[0];
}

static posed_triangle *sorted_boxes(const graze_model_def *def, const float *positions)
{
    posed_triangle *boxes = malloc(def->triangle_count * sizeof *boxes);
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        float corners[3][3];
        corners_of(positions, def->triangles + 3 * (size_t)t, corners);
        boxes[t].number = t;
        for (int axis = 0; axis < 3; axis++) {
            boxes[t].low[axis] = fminf(corners[0][axis], fminf(corners[1][axis], corners[2][axis]));
            boxes[t].high[axis] =
                fmaxf(corners[0][axis], fmaxf(corners[1][axis], corners[2][axis]));
        }
    }
    qsort(boxes, def->triangle_count, sizeof *boxes, by_low_x);
    return boxes;
}

/* Where a body of the same model is in the def's rest pose. Free it. */
static float *rest_positions(const graze_body *body, const graze_model_def *def)
{
    float *positions = malloc(3 * sizeof(float) * def->vertex_count);
    OWN(graze_body) *rest = NULL;
    graze_pose pose = {.joints = def->rest_matrices,
                       .joint_count = def->rest_matrices ? def->joint_count : 0,
                       .morph_weights = def->rest_weights,
                       .morph_count = def->rest_weights ? def->morph_count : 0};
    if (positions && !def->rest_matrices && !def->rest_weights)
        return memcpy(positions, def->positions, 3 * sizeof(float) * def->vertex_count);
    if (!positions || graze_body_create(graze_body_model(body), &rest, NULL) ||
        graze_body_set_pose(rest, &pose, NULL))
        abort();
    graze_body_get_positions(rest, positions);
    return positions;
}

void self_expect(graze_body *body, const graze_model_def *def, pair_set *expected)
{
    OWNED float *positions = malloc(3 * sizeof(float) * def->vertex_count);
    OWNED float *rest = rest_positions(body, def);
    OWNED uint32_t *names = cannot_part(def);
    graze_body_get_positions(body, positions);
    OWNED posed_triangle *boxes = sorted_boxes(def, positions);
    pair_set_clear(expected);
    for (uint32_t i = 0; i < def->triangle_count; i++)
        for (uint32_t k = i + 1; k < def->triangle_count; k++) {
            const posed_triangle *x = &boxes[i], *y = &boxes[k];
            if (y->low[0] > x->high[0])
                break;
            if (y->low[1] > x->high[1] || x->low[1] > y->high[1] || y->low[2] > x->high[2] ||
                x->low[2] > y->high[2])
                continue;
            graze_pair pair = {.a = x->number < y->number ? x->number : y->number,
                               .b = x->number < y->number ? y->number : x->number};
            const uint32_t *a = def->triangles + 3 * (size_t)pair.a;
            const uint32_t *b = def->triangles + 3 * (size_t)pair.b;
            if (share_a_name(names, a, b) || !meet(positions, a, b))
                continue;
            pair.at_rest = meet(rest, a, b);
            pair_set_take(expected, &pair, 1);
        }
    pair_set_sort(expected);
}

/* ---- the judge ---------------------------------------------------------------------------- */

/* Whether the pairs found are the expected ones, without those at rest if only new ones count. */
static bool compare(pair_set *found, const pair_set *expected, bool only_new, const char *name,
                    const char *method, self_tally *seen)
{
    size_t at = 0;
    bool same = pair_set_sort(found);
    seen->queries++;
    for (size_t i = 0; i < expected->count && same; i++) {
        const graze_pair *want = &expected->pairs[i], *have = &found->pairs[at];
        if (want->at_rest && only_new)
            continue;
        same = at < found->count && have->a == want->a && have->b == want->b &&
               have->at_rest == want->at_rest;
        at += same;
    }
    graze_pair odd = at < found->count ? found->pairs[at] : (graze_pair){0};
    return test_check(same && at == found->count, __FILE__, __LINE__,
                      "%s: %s finds %zu pairs, expected of %zu; differs at %zu (%u %u %u)", name,
                      method, found->count, expected->count, at, odd.a, odd.b, odd.at_rest);
}

/* Asks for pairs into an emptied set. */
static graze_status ask(graze_body *body, const graze_options *options, pair_set *found)
{
    found->stop = 0;
    pair_set_clear(found);
    return graze_self_pairs(body, NULL, TO_PAIR_SET(found), options, NULL);
}

static bool check_any(graze_body *body, const pair_set *expected, bool only_new, size_t wanted,
                      const char *name, self_tally *seen)
{
    graze_pair pair = {0};
    graze_pair_list list = {.items = &pair, .capacity = 1};
    const graze_options options = {.any = true, .only_new = only_new};
    graze_body_drop_caches(body);
    graze_status status = graze_self_pairs(body, NULL, &list, &options, NULL);
    const graze_pair *known = pair_set_find(expected, pair);
    seen->queries++;
    return test_check(!status && list.total == (wanted > 0) && list.count == list.total, __FILE__,
                      __LINE__, "%s: any, new %d: %zu where there are %zu", name, only_new,
                      list.total, wanted) &&
           test_check(!list.count ||
                          (known && known->at_rest == pair.at_rest && !(pair.at_rest && only_new)),
                      __FILE__, __LINE__, "%s: any, new %d: %u %u", name, only_new, pair.a, pair.b);
}

/* Stopped at its first call, and at the second. */
static bool check_stop(graze_body *body, const pair_set *expected, const char *name,
                       pair_set *found, self_tally *seen)
{
    bool ok = true;
    for (size_t stop = 1; stop <= 2 && expected->count; stop++) {
        pair_set_clear(found);
        found->stop = stop;
        ok = !graze_self_pairs(body, NULL, TO_PAIR_SET(found), NULL, NULL) && ok;
        ok = ok && found->count && found->calls <= stop;
        for (size_t i = 0; i < found->count; i++)
            ok = ok && pair_set_find(expected, found->pairs[i]);
        seen->queries++;
    }
    return test_check(ok, __FILE__, __LINE__, "%s: a stopped query goes on or is wrong", name);
}

/* Those that do not meet at rest: nothing but a test can have found them. */
static size_t new_pairs(const pair_set *found)
{
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++)
        count += !found->pairs[i].at_rest;
    return count;
}

static bool check_all(graze_body *body, const pair_set *expected, graze_method way,
                      const char *name, const char *method, pair_set *found, self_tally *seen)
{
    for (int only_new = 0; only_new < 2; only_new++) {
        graze_stats stats = {0};
        const graze_options options = {.only_new = only_new, .method = way, .stats = &stats};
        graze_body_drop_caches(body);
        if (!test_check(!ask(body, &options, found), __FILE__, __LINE__, "%s: %s fails", name,
                        method) ||
            !compare(found, expected, only_new, name, method, seen) ||
            !test_check(stats.triangle_tests >= new_pairs(found), __FILE__, __LINE__,
                        "%s: %s counts %llu tests", name, method,
                        (unsigned long long)stats.triangle_tests))
            return false;
    }
    return true;
}

/* From caches, and from bounds made bottom-up. */
static bool check_caches(graze_body *body, const pair_set *expected, const char *name,
                         pair_set *found, self_tally *seen)
{
    graze_stats cold = {0}, warm = {0};
    graze_model_info info = graze_model_get_info(graze_body_model(body));
    graze_body_drop_caches(body);
    ask(body, &(graze_options){.stats = &cold}, found);
    ask(body, &(graze_options){.stats = &warm}, found);
    if (!compare(found, expected, false, name, "lazy from caches", seen) ||
        !test_check(warm.vertices_posed == 0 && warm.nodes_refit == 0 &&
                        cold.nodes_refit <= info.node_count &&
                        cold.patches_posed <= info.leaf_count,
                    __FILE__, __LINE__, "%s: statistics out of range", name))
        return false;
    graze_body_drop_caches(body);
    graze_body_refit_all(body);
    ask(body, NULL, found);
    return compare(found, expected, false, name, "bottom-up", seen);
}

/* In small steps, by bounds or by triangles, until it is finished. */
static bool check_steps(graze_body *body, const pair_set *expected, const char *name,
                        pair_set *found, self_tally *seen)
{
    graze_checkpoint *checkpoint = NULL;
    graze_model_info info = graze_model_get_info(graze_body_model(body));
    bool ok = !graze_checkpoint_create(NULL, &checkpoint, NULL);
    graze_budget budget = {.bound_tests = 1 + seen->queries % 40,
                           .triangle_tests = seen->queries % 3,
                           .checkpoint = checkpoint};
    const graze_options options = {.budget = &budget};
    size_t steps = 0;
    graze_body_drop_caches(body);
    found->stop = 0;
    pair_set_clear(found);
    while (ok && !budget.finished && steps++ < 10000000) {
        graze_status status = graze_self_pairs(body, NULL, TO_PAIR_SET(found), &options, NULL);
        ok = status == (budget.finished ? GRAZE_OK : GRAZE_UNFINISHED) &&
             budget.finished == (budget.remaining == 0) &&
             (budget.finished || budget.depth < info.level_count);
    }
    graze_checkpoint_destroy(checkpoint);
    return test_check(ok, __FILE__, __LINE__, "%s: fails at step %zu", name, steps) &&
           compare(found, expected, false, name, "in steps", seen);
}

bool self_agree(graze_body *body, const pair_set *expected, bool brute, const char *name,
                self_tally *seen)
{
    OWN(pair_set) found = {0};
    size_t rest = expected->count - new_pairs(expected);
    seen->poses++;
    seen->hits += expected->count > 0;
    seen->pairs += expected->count;
    seen->rest_pairs += rest;
    bool ok = check_all(body, expected, GRAZE_LAZY, name, "lazy", &found, seen) &&
              check_all(body, expected, GRAZE_EAGER, name, "eager", &found, seen) &&
              (!brute || check_all(body, expected, GRAZE_BRUTE, name, "brute", &found, seen)) &&
              check_caches(body, expected, name, &found, seen) &&
              check_any(body, expected, false, expected->count, name, seen) &&
              check_any(body, expected, true, expected->count - rest, name, seen) &&
              check_stop(body, expected, name, &found, seen) &&
              check_steps(body, expected, name, &found, seen);
    return ok;
}
