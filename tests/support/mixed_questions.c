/* Any question in any way (support/ways.h) about any of the bodies, which are disturbed between the
 * steps of a budget; and calls that are no question with options.
 */
#include "support/mixed_calls.h"

#include "support/contacts.h"
#include "support/own.h"
#include "support/ways_asked.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- any question ---------------------------------------------------------------------------- */

/* The bodies of a scene: one that is asked about and the end of its motion, another and its end. No
 * body belongs to two motions: the last two scenes are for other questions.
 */
static const uint32_t orders[MIXED_SCENES][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1},
                                                 {3, 2, 1, 0}, {0, 1, 1, 0}, {3, 2, 2, 3}};

/* Something else that happens to a body meanwhile. */
static void disturb(void *user)
{
    mixed_world *w = user;
    mixed_body *b = mixed_any_body(w);
    const graze_ray ray = graze_ray_between(b->placement, w->bodies[0].positions);
    graze_pair_list met = {0};
    graze_hit hit;
    switch (mixed_below(w, 8)) {
    case 0:
        graze_body_drop_caches(b->body);
        break;
    case 1:
        graze_body_refit_all(b->body);
        break;
    case 2: /* the ray may be none */
        graze_cast(b->body, &ray, &hit, NULL, NULL);
        break;
    case 3:
        MIXED_OK(graze_self_pairs(b->body, NULL, &met, &(graze_options){.any = true}, NULL));
        break;
    case 4:
        graze_body_bound_all(b->body);
        break;
    default:
        break;
    }
}

void mixed_open_scenes(mixed_world *w)
{
    for (int i = 0; i < MIXED_SCENES; i++) {
        graze_body *bodies[4], *twins[4];
        for (int k = 0; k < 4; k++) {
            bodies[k] = w->bodies[orders[i][k]].body;
            twins[k] = w->bodies[orders[i][k]].twin;
        }
        ways_scene *s = w->scenes[i] = ways_over(bodies, twins, true, "mixed");
        s->keeps_denormals = true;
        s->sides[0].lattice = w->bodies[orders[i][0]].of->mesh.def.lattice;
        s->between_steps = disturb;
        s->user = w;
    }
}

static bool is_of_motions(ways_question question)
{
    return question >= ASK_sweep && question <= ASK_sweep_shape_all;
}

/* A scene of the favourite most often, with new arguments; both ends of motions get one mask. */
static ways_scene *draw_scene(mixed_world *w, ways_question question, bool of_motions)
{
    uint32_t count = of_motions ? MIXED_BODIES : MIXED_SCENES, i = mixed_below(w, count);
    while (orders[i][0] != w->favourite && mixed_below(w, 3))
        i = mixed_below(w, count);
    for (int k = 0; k < 4 && of_motions; k += 2)
        mixed_copy_mask(w, &w->bodies[orders[i][k + 1]], &w->bodies[orders[i][k]]);
    mixed_begin_reference(w);
    ways_draw(w->scenes[i], test_random_u32(&w->random));
    mixed_end_reference(w);
    mixed_step(w, "%s(%u, %u), the arguments of %u", ways_rows[question].name, orders[i][0],
               orders[i][2], w->scenes[i]->seed);
    return w->scenes[i];
}

/* Not in ways that count what is computed, or change masks and poses. */
static void do_ask(mixed_world *w)
{
    static const ways_way ways[] = {WAY_array,    WAY_small,        WAY_counted, WAY_callback,
                                    WAY_stopping, WAY_any,          WAY_any,     WAY_only_new,
                                    WAY_eager,    WAY_brute,        WAY_resumed, WAY_resumed,
                                    WAY_resumed,  WAY_told_to_stop, WAY_dropped, WAY_history,
                                    WAY_history,  WAY_pool,         WAY_batch,   WAY_mixed_batch};
    unsigned failures = test_failures();
    ways_question question = (ways_question)mixed_below(w, ASK_COUNT);
    ways_way way = ways[mixed_below(w, sizeof ways / sizeof *ways)];
    bool asks_others = way == WAY_callback || way == WAY_mixed_batch;
    ways_scene *s = draw_scene(w, question, asks_others || is_of_motions(question));
    ways_ask_in(s, question, way);
    w->failed = w->failed || test_failures() > failures;
}

/* Another pose or mask half way: the question is refused. */
static void do_change_half_way(mixed_world *w)
{
    ways_question question = (ways_question)mixed_below(w, ASK_COUNT);
    ways_scene *s = draw_scene(w, question, is_of_motions(question));
    mixed_body *body = &w->bodies[orders[0][0]];
    graze_budget budget = {.bound_tests = 1 + mixed_below(w, 6), .checkpoint = s->checkpoint};
    const graze_options options = {.budget = &budget};
    OWN(ways_answer) answer = {0};
    for (int i = 0; i < MIXED_BODIES; i++)
        if (w->bodies[i].body == s->usual.all[0])
            body = &w->bodies[i];
    ways_begin(&answer, question, WAYS_ARRAY, 4);
    if (ways_supports(question, &options) &&
        ways_ask(s, &s->usual, &answer, &options, NULL) == GRAZE_UNFINISHED) {
        if (mixed_below(w, 3))
            mixed_set_pose(w, body);
        else
            mixed_turn_part(w, body);
        budget.remaining = 77;
        bool moved = !strstr(w->steps[w->step_count - 1], "refused");
        mixed_check(w, !moved || ways_ask(s, &s->usual, &answer, &options, NULL) == GRAZE_BAD_INPUT,
                    "a question goes on in another pose");
        mixed_check(w, !moved || budget.remaining == 77, "the budget is written though refused");
    }
    graze_checkpoint_clear(s->checkpoint);
}

/* ---- vertices, bounds, contacts -------------------------------------------------------------- */

/* Many vertices one by one: each must be within all the bounds above it. */
static void do_touch_vertices(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    OWNED float *positions = malloc(3 * sizeof *positions * b->of->info.vertex_count);
    mixed_step(w, "touch(%u) at vertices", b->number);
    mixed_begin_reference(w);
    graze_body_get_positions(b->twin, positions);
    mixed_end_reference(w);
    for (int i = 0; i < 24 && !w->failed; i++) {
        uint32_t corner = mixed_below(w, 3 * b->of->info.triangle_count);
        const graze_shape shape =
            graze_shape_sphere(positions + 3 * (size_t)b->of->mesh.triangles[corner], 0);
        mixed_clear(w);
        mixed_begin_reference(w);
        MIXED_OK(graze_touch(b->twin, &shape, TRIANGLES_TO(&w->expected),
                             &(graze_options){.method = GRAZE_BRUTE}, NULL));
        mixed_end_reference(w);
        MIXED_OK(graze_touch(b->body, &shape, TRIANGLES_TO(&w->found), NULL, NULL));
        mixed_compare(w, "touch at a vertex");
    }
}

void mixed_expect_pairs(mixed_world *w, mixed_body *a, mixed_body *b)
{
    mixed_begin_reference(w);
    answers_clear(&w->expected);
    MIXED_OK(graze_pairs(a->twin, b->twin, PAIRS_TO(&w->expected),
                         &(graze_options){.method = GRAZE_BRUTE}, NULL));
    answers_sort(&w->expected);
    mixed_end_reference(w);
}

static void do_bounds(mixed_world *w)
{
    mixed_body *a, *b;
    graze_pair_list nodes = {0};
    graze_nearest expected;
    float least = INFINITY;
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "bound_pairs and bound_distance(%u, %u)", a->number, b->number);
    mixed_begin_reference(w);
    MIXED_OK(graze_distance(a->twin, b->twin, INFINITY, &expected,
                            &(graze_options){.method = GRAZE_BRUTE}, NULL));
    mixed_end_reference(w);
    MIXED_OK(graze_bound_pairs(a->body, b->body, &nodes, NULL, NULL));
    MIXED_OK(graze_bound_distance(a->body, b->body, &least, NULL, NULL));
    mixed_check(w, !expected.found || (double)least <= expected.distance,
                "at least %g apart, brute has %g", (double)least, expected.distance);
    mixed_check(w, !expected.found || expected.distance > 0 || nodes.total > 0,
                "no bounds overlap, but triangles meet");
}

static void put_contacts(const contact_set *found, answers lists[3])
{
    answers_take_contacts(&lists[0], found->contacts, found->count);
    answers_put_details(&lists[1], &lists[2], found->finder);
}

/* With details and segments: from the pairs of brute force; and by any method. */
static void do_contacts(mixed_world *w)
{
    static const char *const names[] = {"contacts", "details", "segments"};
    mixed_body *a, *b;
    OWN(contact_set) expected = {0}, found = {0};
    answers lists[2][3] = {{{0}}};
    const graze_contact_finder_def def = {.split_by_part = mixed_below(w, 2)};
    const graze_options options = {.method = mixed_below(w, 3)};
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "contacts(%u, %u), split %d, method %d", a->number, b->number, def.split_by_part,
               (int)options.method);
    mixed_expect_pairs(w, a, b);
    OWNED graze_pair *pairs = malloc((w->expected.count + 1) * sizeof *pairs);
    for (size_t i = 0; i < w->expected.count; i++)
        pairs[i] = (graze_pair){.a = w->expected.words[2 * i], .b = w->expected.words[2 * i + 1]};
    mixed_begin_reference(w);
    contact_set_open(&expected, a->of->plain, b->of->plain, &def);
    MIXED_OK(contact_set_from_pairs(&expected, a->twin, b->twin, pairs, w->expected.count, NULL));
    mixed_end_reference(w);
    contact_set_open(&found, a->of->model, b->of->model, &def);
    MIXED_OK(
        graze_contacts(found.finder, a->body, b->body, TO_CONTACT_SET(&found), &options, NULL));
    put_contacts(&expected, lists[0]);
    put_contacts(&found, lists[1]);
    for (int i = 0; i < 3; i++) {
        mixed_check(w, answers_equal(&lists[0][i], &lists[1][i], NULL), "%s differ", names[i]);
        answers_free(&lists[0][i]);
        answers_free(&lists[1][i]);
    }
}

const mixed_call mixed_other_calls[] = {{40, do_ask},           {3, do_change_half_way},
                                        {6, do_touch_vertices}, {3, do_bounds},
                                        {1, do_contacts},       {0, NULL}};
