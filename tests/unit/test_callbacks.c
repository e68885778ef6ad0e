/* Callbacks that meddle with what the query that calls them is using: what may not be is refused,
 * and the answer is the one that it would have been.
 */
#include "harness.h"

#include "support/answers.h"
#include "support/isolated.h"
#include "support/soup_pair.h"

#include <graze/graze.h>
#include <graze/reference.h>

enum { SECONDS = 20 };

/* Counts calls that fail, and names the first few. */
static uint32_t failed_calls;

static void ok(graze_status status, const char *call)
{
    if (status && failed_calls++ < 5)
        fprintf(stderr, "%s: %s\n", graze_status_name(status), call);
}
#define OK(call) ok((call), #call)

typedef enum meddling {
    MEDDLE_NOT,
    MEDDLE_POSE_A, /* refused */
    MEDDLE_POSE_B,
    MEDDLE_WEIGHTS,
    MEDDLE_POSITIONS,
    MEDDLE_DROP, /* without effect on the answer */
    MEDDLE_REFIT,
    MEDDLE_CAST, /* allowed, but on threads */
    MEDDLE_RUN,  /* the search that is running: refused */
    MEDDLE_ASK,
    MEDDLE_COUNT
} meddling;

static const char *const meddling_names[MEDDLE_COUNT] = {"nothing",
                                                         "set_pose of a",
                                                         "set_pose of b",
                                                         "set_morph_weights of a",
                                                         "set_positions of a",
                                                         "drop_caches",
                                                         "refit_all",
                                                         "cast",
                                                         "search_run",
                                                         "search_collide"};

typedef struct meddler {
    soup_pair *pair;
    graze_search *search;
    answers list;
    meddling what;
    uint32_t calls, refused, wrong;
} meddler;

static void meddle(meddler *m)
{
    graze_ray_hit hit;
    graze_search_rest rest;
    answers elsewhere = {0};
    float weight = 0.9f;
    graze_status status = GRAZE_BAD_INPUT;
    switch (m->what) {
    case MEDDLE_POSE_A:
        status = soup_pair_pose(m->pair, 0, m->pair->a, 7);
        break;
    case MEDDLE_POSE_B:
        status = soup_pair_pose(m->pair, 1, m->pair->b, 8);
        break;
    case MEDDLE_WEIGHTS:
        status = graze_body_set_morph_weights(m->pair->a, &weight, 1, m->calls % 2, NULL);
        break;
    case MEDDLE_POSITIONS:
        status = graze_body_set_positions(m->pair->a, m->pair->meshes[0].positions, 0,
                                          m->pair->meshes[0].def.vertex_count, NULL);
        break;
    case MEDDLE_DROP:
        graze_body_drop_caches(m->pair->a);
        break;
    case MEDDLE_REFIT:
        graze_body_refit_all(m->pair->a);
        break;
    case MEDDLE_CAST:
        if (graze_cast(m->pair->a, &m->pair->ray, &hit, NULL, NULL) || !hit.found)
            m->wrong++;
        break;
    case MEDDLE_RUN:
        status = graze_search_run(m->search, NULL, NULL, &rest, NULL);
        break;
    case MEDDLE_ASK:
        status = graze_search_collide(m->search, m->pair->b, m->pair->end, answers_take_pairs,
                                      &elsewhere, NULL);
        break;
    default:
        break;
    }
    answers_free(&elsewhere);
    m->calls++;
    m->refused += status == GRAZE_BAD_INPUT;
}

static bool meddle_with_pairs(void *user, const graze_pair *pairs, size_t count)
{
    meddler *m = user;
    answers_take_pairs(&m->list, pairs, count);
    meddle(m);
    return true;
}

static bool meddle_with_self(void *user, const graze_self_pair *pairs, size_t count)
{
    meddler *m = user;
    answers_take_self(&m->list, pairs, count);
    meddle(m);
    return true;
}

static bool meddle_with_hits(void *user, const graze_ray_hit *hits, size_t count)
{
    meddler *m = user;
    answers_take_hits(&m->list, hits, count);
    meddle(m);
    return true;
}

static bool meddle_with_triangles(void *user, const uint32_t *triangles, size_t count)
{
    meddler *m = user;
    answers_take_triangles(&m->list, triangles, count);
    meddle(m);
    return true;
}

static bool meddle_with_impacts(void *user, const graze_impact *impacts, size_t count)
{
    meddler *m = user;
    answers_take_impacts(&m->list, impacts, count);
    meddle(m);
    return true;
}

static bool meddle_with_nodes(void *user, const graze_node_pair *pair)
{
    meddler *m = user;
    answers_put(&m->list, (const uint32_t[]){pair->a, pair->b}, 2);
    meddle(m);
    return true;
}

static bool meddle_with_many(void *user, size_t pair, const graze_pair *pairs, size_t count)
{
    meddler *m = user;
    answers_take_many(&m->list, pair, pairs, count);
    meddle(m);
    return true;
}

/* The queries that report, what they use, and whether they share bodies among threads. */
typedef enum asked {
    ASK_COLLIDE,
    ASK_EAGER,
    ASK_BRUTE,
    ASK_BOUNDS,
    ASK_WITHIN,
    ASK_FRONT,
    ASK_PARALLEL,
    ASK_MANY,
    ASK_SWEEP,
    ASK_SEARCH,
    ASK_SELF, /* from here on of one body */
    ASK_CAST,
    ASK_TOUCH,
    ASK_COUNT
} asked;

static const char *const asked_names[ASK_COUNT] = {
    "collide",       "collide_eager",    "collide_brute", "collide_bounds", "within",
    "front_collide", "collide_parallel", "collide_many",  "sweep_pairs",    "search_run",
    "collide_self",  "cast_all",         "touch"};

static graze_status ask(meddler *m, asked what, graze_pool *pool, graze_front *front)
{
    soup_pair *s = m->pair;
    const float middle[3] = {0, 0, 0};
    const graze_motion motions[2] = {{s->a, s->end}, {s->b, s->b}};
    const graze_body_pair pairs[2] = {{s->a, s->b}, {s->end, s->a}};
    graze_shape shape = graze_shape_sphere(middle, 0.6f);
    graze_search_rest rest;
    graze_status status;
    switch (what) {
    case ASK_COLLIDE:
        return graze_collide(s->a, s->b, meddle_with_pairs, m, NULL, NULL);
    case ASK_EAGER:
        return graze_collide_eager(s->a, s->b, false, meddle_with_pairs, m, NULL, NULL);
    case ASK_BRUTE:
        return graze_collide_brute(s->a, s->b, meddle_with_pairs, m, NULL, NULL);
    case ASK_BOUNDS:
        return graze_collide_bounds(s->a, s->b, meddle_with_nodes, m, NULL, NULL);
    case ASK_WITHIN:
        return graze_within(s->a, s->b, 0.05, meddle_with_pairs, m, NULL, NULL);
    case ASK_FRONT:
        return graze_front_collide(front, s->a, s->b, meddle_with_pairs, m, NULL, NULL);
    case ASK_PARALLEL:
        return graze_collide_parallel(pool, s->a, s->b, meddle_with_pairs, m, NULL, NULL);
    case ASK_MANY:
        return graze_collide_many(pool, pairs, 2, meddle_with_many, m, NULL, NULL);
    case ASK_SWEEP:
        return graze_sweep_pairs(&motions[0], &motions[1], false, meddle_with_impacts, m, NULL,
                                 NULL);
    case ASK_SEARCH:
        status = graze_search_collide(m->search, s->a, s->b, meddle_with_pairs, m, NULL);
        return status ? status : graze_search_run(m->search, NULL, NULL, &rest, NULL);
    case ASK_SELF:
        return graze_collide_self(s->a, GRAZE_SELF_ALL, meddle_with_self, m, NULL, NULL);
    case ASK_CAST:
        return graze_cast_all(s->a, &s->ray, meddle_with_hits, m, NULL, NULL);
    default:
        return graze_touch(s->a, &shape, meddle_with_triangles, m, NULL, NULL);
    }
}

typedef struct attempt {
    asked what;
    meddling how;
} attempt;

/* The answer with a callback that meddles against the one without. */
static bool meddling_fails(void *user)
{
    const attempt *try = user;
    soup_pair s = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    meddler quiet = {.pair = &s}, loud = {.pair = &s, .what = try->how};
    graze_pool *pool = NULL;
    graze_front *front = NULL;
    graze_search *search = NULL;
    OK(graze_pool_create(2, NULL, &pool, NULL));
    OK(graze_front_create(s.models[0], s.models[1], &front, NULL));
    OK(graze_search_create(NULL, &search, NULL));
    quiet.search = loud.search = search;
    OK(ask(&quiet, try->what, pool, front));
    graze_body_drop_caches(s.a);
    graze_body_drop_caches(s.b);
    OK(ask(&loud, try->what, pool, front));
    answers_sort(&quiet.list);
    answers_sort(&loud.list);
    bool same = answers_equal(&quiet.list, &loud.list, NULL);
    bool must_refuse =
        try->how != MEDDLE_DROP && try->how != MEDDLE_REFIT && try->how != MEDDLE_CAST;
    bool refused = !must_refuse || loud.refused == loud.calls;
    if (!same || !refused || loud.wrong || !loud.calls)
        fprintf(stderr, "  %s in a callback of %s: answers %s (%zu and %zu), refused %u of %u\n",
                meddling_names[try->how], asked_names[try->what], same ? "the same" : "differ",
                quiet.list.count, loud.list.count, loud.refused, loud.calls);
    return same && refused && loud.calls && !loud.wrong && !failed_calls;
}

static void check_meddling(meddling how)
{
    for (int what = 0; what < ASK_COUNT; what++) {
        bool threads = what == ASK_PARALLEL || what == ASK_MANY;
        if ((how == MEDDLE_CAST || how == MEDDLE_REFIT || how == MEDDLE_DROP) &&
            (threads || what == ASK_BOUNDS)) /* what bounds overlap depends on what was refitted */
            continue;
        if (how == MEDDLE_POSE_B && what >= ASK_SELF) /* not in use there */
            continue;
        if ((how == MEDDLE_RUN || how == MEDDLE_ASK) && what != ASK_SEARCH)
            continue;
        attempt try = {(asked)what, how};
        const char *ended = "";
        bool fine = test_isolated(meddling_fails, &try, SECONDS, &ended);
        CHECK_MSG(fine, "%s in a callback of %s: the child %s", meddling_names[how],
                  asked_names[what], ended);
    }
}

TEST(a_search_cannot_be_entered_again)
{
    check_meddling(MEDDLE_RUN);
    check_meddling(MEDDLE_ASK);
}

TEST(callbacks_cannot_pose_bodies_in_use)
{
    check_meddling(MEDDLE_POSE_A);
    check_meddling(MEDDLE_POSE_B);
    check_meddling(MEDDLE_WEIGHTS);
}

TEST(callbacks_may_ask_and_drop_caches)
{
    check_meddling(MEDDLE_CAST);
    check_meddling(MEDDLE_DROP);
    check_meddling(MEDDLE_REFIT);
}
