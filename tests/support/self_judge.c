#include "support/self_judge.h"

#include "harness.h"
#include "narrow/triangle.h"

#include <graze/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool self_set_take(void *user, const graze_self_pair *pairs, size_t count)
{
    self_set *set = user;
    if (set->count + count > set->capacity) {
        set->capacity = 2 * (set->count + count);
        set->pairs = realloc(set->pairs, set->capacity * sizeof *set->pairs);
        if (!set->pairs)
            abort();
    }
    memcpy(set->pairs + set->count, pairs, count * sizeof *pairs);
    set->count += count;
    return ++set->calls != set->stop;
}

void self_set_free(self_set *set)
{
    free(set->pairs);
    *set = (self_set){0};
}

static void clear(self_set *set)
{
    set->count = set->calls = set->stop = 0;
}

void self_tally_print(const char *what, const self_tally *seen)
{
    printf("     %s: %llu poses, %llu with hits, %llu pairs (%llu at rest too), %llu queries "
           "compared\n",
           what, (unsigned long long)seen->poses, (unsigned long long)seen->hits,
           (unsigned long long)seen->pairs, (unsigned long long)seen->rest_pairs,
           (unsigned long long)seen->queries);
}

static int in_order(const void *left, const void *right)
{
    const graze_self_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static void sort(self_set *set)
{
    if (set->count)
        qsort(set->pairs, set->count, sizeof *set->pairs, in_order);
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

static bool share_a_place(const float *rest, const uint32_t *a, const uint32_t *b)
{
    for (int i = 0; i < 9; i++) {
        const float *p = rest + 3 * (size_t)a[i / 3], *q = rest + 3 * (size_t)b[i % 3];
        if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2])
            return true;
    }
    return false;
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

void self_expect(graze_body *body, const graze_model_def *def, self_set *expected)
{
    float *positions = malloc(3 * sizeof(float) * def->vertex_count);
    graze_body_get_positions(body, positions);
    posed_triangle *boxes = sorted_boxes(def, positions);
    clear(expected);
    for (uint32_t i = 0; i < def->triangle_count; i++)
        for (uint32_t k = i + 1; k < def->triangle_count; k++) {
            const posed_triangle *x = &boxes[i], *y = &boxes[k];
            if (y->low[0] > x->high[0])
                break;
            if (y->low[1] > x->high[1] || x->low[1] > y->high[1] || y->low[2] > x->high[2] ||
                x->low[2] > y->high[2])
                continue;
            graze_self_pair pair = {.a = x->number < y->number ? x->number : y->number,
                                    .b = x->number < y->number ? y->number : x->number};
            const uint32_t *a = def->triangles + 3 * (size_t)pair.a;
            const uint32_t *b = def->triangles + 3 * (size_t)pair.b;
            if (share_a_place(def->positions, a, b) || !meet(positions, a, b))
                continue;
            pair.rest = meet(def->positions, a, b);
            self_set_take(expected, &pair, 1);
        }
    sort(expected);
    free(boxes);
    free(positions);
}

/* ---- the judge ---------------------------------------------------------------------------- */

/* Whether the pairs found are the expected ones, without those at rest if only new ones count. */
static bool compare(self_set *found, const self_set *expected, bool only_new, const char *name,
                    const char *method, self_tally *seen)
{
    size_t at = 0;
    bool same = true;
    sort(found);
    seen->queries++;
    for (size_t i = 0; i < expected->count && same; i++) {
        const graze_self_pair *want = &expected->pairs[i], *have = &found->pairs[at];
        if (want->rest && only_new)
            continue;
        same = at < found->count && have->a == want->a && have->b == want->b &&
               have->rest == want->rest;
        at += same;
    }
    graze_self_pair odd = at < found->count ? found->pairs[at] : (graze_self_pair){0};
    return test_check(same && at == found->count, __FILE__, __LINE__,
                      "%s: %s finds %zu pairs, expected of %zu; differs at %zu (%u %u %d)", name,
                      method, found->count, expected->count, at, odd.a, odd.b, odd.rest);
}

static const graze_self_pair *find(const self_set *set, graze_self_pair pair)
{
    return set->count ? bsearch(&pair, set->pairs, set->count, sizeof pair, in_order) : NULL;
}

static bool check_first(graze_body *body, const self_set *expected, graze_self_which which,
                        size_t wanted, const char *name, self_tally *seen)
{
    graze_self_pair pair = {UINT32_MAX, UINT32_MAX, false};
    bool hit = !wanted;
    graze_body_drop_caches(body);
    graze_status status = graze_collide_self_first(body, which, &hit, &pair, NULL, NULL);
    const graze_self_pair *known = find(expected, pair);
    seen->queries++;
    return test_check(!status && hit == (wanted > 0), __FILE__, __LINE__,
                      "%s: first %d says %d where there are %zu", name, (int)which, hit, wanted) &&
           test_check(
               hit ? known && known->rest == pair.rest && !(pair.rest && which == GRAZE_SELF_NEW)
                   : pair.a == UINT32_MAX,
               __FILE__, __LINE__, "%s: first %d gives %u %u", name, (int)which, pair.a, pair.b);
}

/* Stopped at its first call, and at the second. */
static bool check_stop(graze_body *body, const self_set *expected, const char *name,
                       self_set *found, self_tally *seen)
{
    bool ok = true;
    for (size_t stop = 1; stop <= 2 && expected->count; stop++) {
        clear(found);
        found->stop = stop;
        ok = !graze_collide_self(body, GRAZE_SELF_ALL, self_set_take, found, NULL, NULL) && ok;
        ok = ok && found->count && found->calls <= stop;
        for (size_t i = 0; i < found->count; i++)
            ok = ok && find(expected, found->pairs[i]);
        seen->queries++;
    }
    return test_check(ok, __FILE__, __LINE__, "%s: a stopped query goes on or is wrong", name);
}

typedef graze_status (*self_query)(graze_body *body, graze_self_which which, graze_self_fn report,
                                   void *user, graze_stats *stats, graze_error *error);

/* Those that do not meet at rest: nothing but a test can have found them. */
static size_t new_pairs(const self_set *found)
{
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++)
        count += !found->pairs[i].rest;
    return count;
}

static bool check_all(graze_body *body, const self_set *expected, self_query query,
                      const char *name, const char *method, self_set *found, self_tally *seen)
{
    for (int which = GRAZE_SELF_ALL; which <= GRAZE_SELF_NEW; which++) {
        graze_stats stats = {0};
        graze_body_drop_caches(body);
        clear(found);
        if (!test_check(!query(body, (graze_self_which)which, self_set_take, found, &stats, NULL),
                        __FILE__, __LINE__, "%s: %s fails", name, method) ||
            !compare(found, expected, which == GRAZE_SELF_NEW, name, method, seen) ||
            !test_check(stats.triangle_tests >= new_pairs(found), __FILE__, __LINE__,
                        "%s: %s counts %llu tests", name, method,
                        (unsigned long long)stats.triangle_tests))
            return false;
    }
    return true;
}

/* From caches, and from bounds made bottom-up. */
static bool check_caches(graze_body *body, const self_set *expected, const char *name,
                         self_set *found, self_tally *seen)
{
    graze_stats cold = {0}, warm = {0};
    graze_model_info info = graze_model_get_info(graze_body_model(body));
    graze_body_drop_caches(body);
    clear(found);
    graze_collide_self(body, GRAZE_SELF_ALL, self_set_take, found, &cold, NULL);
    clear(found);
    graze_collide_self(body, GRAZE_SELF_ALL, self_set_take, found, &warm, NULL);
    if (!compare(found, expected, false, name, "lazy from caches", seen) ||
        !test_check(warm.vertices_posed == 0 && warm.nodes_refit == 0 &&
                        cold.nodes_refit <= info.node_count &&
                        cold.patches_posed <= info.leaf_count,
                    __FILE__, __LINE__, "%s: statistics out of range", name))
        return false;
    graze_body_drop_caches(body);
    graze_body_refit_all(body);
    clear(found);
    graze_collide_self(body, GRAZE_SELF_ALL, self_set_take, found, NULL, NULL);
    return compare(found, expected, false, name, "bottom-up", seen);
}

/* In small steps, by bounds or by triangles, until it is finished. */
static bool check_search(graze_body *body, const self_set *expected, const char *name,
                         self_set *found, self_tally *seen)
{
    graze_search *search = NULL;
    graze_search_rest rest = {.finished = false};
    graze_model_info info = graze_model_get_info(graze_body_model(body));
    graze_budget budget = {.bound_tests = 1 + seen->queries % 40,
                           .triangle_tests = seen->queries % 3};
    size_t steps = 0;
    graze_body_drop_caches(body);
    clear(found);
    bool ok = !graze_search_create(NULL, &search, NULL) &&
              !graze_search_self(search, body, GRAZE_SELF_ALL, self_set_take, found, NULL);
    while (ok && !rest.finished && steps++ < 10000000)
        ok = !graze_search_run(search, &budget, NULL, &rest, NULL) &&
             rest.finished == (rest.count == 0) && (rest.finished || rest.depth < info.level_count);
    graze_search_destroy(search);
    return test_check(ok, __FILE__, __LINE__, "%s: a search fails at step %zu", name, steps) &&
           compare(found, expected, false, name, "a search in steps", seen);
}

bool self_agree(graze_body *body, const self_set *expected, bool brute, const char *name,
                self_tally *seen)
{
    self_set found = {0};
    size_t rest = 0;
    for (size_t i = 0; i < expected->count; i++)
        rest += expected->pairs[i].rest;
    seen->poses++;
    seen->hits += expected->count > 0;
    seen->pairs += expected->count;
    seen->rest_pairs += rest;
    bool ok = check_all(body, expected, graze_collide_self, name, "lazy", &found, seen) &&
              check_all(body, expected, graze_collide_self_eager, name, "eager", &found, seen) &&
              (!brute ||
               check_all(body, expected, graze_collide_self_brute, name, "brute", &found, seen)) &&
              check_caches(body, expected, name, &found, seen) &&
              check_first(body, expected, GRAZE_SELF_ALL, expected->count, name, seen) &&
              check_first(body, expected, GRAZE_SELF_NEW, expected->count - rest, name, seen) &&
              check_stop(body, expected, name, &found, seen) &&
              check_search(body, expected, name, &found, seen);
    self_set_free(&found);
    return ok;
}
