#include "support/ways_asked.h"

#include "support/own.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 100000 };

uint32_t ways_unfinished, ways_most_left;

/* ---- one call -------------------------------------------------------------------------------- */

bool ways_is_refused(graze_status status, graze_status wanted, const graze_error *error)
{
    return status == wanted && error->status == wanted && error->text[0];
}

void ways_expect_refused(ways_scene *s, const ways_bodies *bodies, ways_question question,
                         const graze_options *options, graze_status wanted)
{
    graze_error error = {.text = ""};
    OWN(ways_answer) answer = {0};
    ways_begin(&answer, question, WAYS_ARRAY, 4);
    graze_status status = ways_ask(s, bodies, &answer, options, &error);
    CHECK_MSG(ways_is_refused(status, wanted, &error), "%s: %s is %s, not %s", s->label,
              ways_rows[question].name, graze_status_name(status), graze_status_name(wanted));
    EXPECT(s, ways_is_clean(&answer, true));
}

/* Whether the question takes these options. If not, it must say so. */
static bool takes(ways_scene *s, ways_question question, const graze_options *options)
{
    if (ways_supports(question, options))
        return true;
    ways_expect_refused(s, &s->usual, question, options, GRAZE_UNSUPPORTED);
    return false;
}

/* An array with room for all, and the right answer; or GRAZE_UNSUPPORTED. */
static void expect_right(ways_scene *s, const ways_bodies *bodies, ways_question question,
                         const graze_options *options)
{
    graze_error error = {.text = ""};
    OWN(ways_answer) answer = {0};
    if (!takes(s, question, options))
        return;
    ways_begin(&answer, question, WAYS_ARRAY, ways_reference(s, question, false)->count + 2);
    graze_status status = ways_ask(s, bodies, &answer, options, &error);
    ways_end(&answer);
    CHECK_MSG(!status, "%s: %s", s->label, error.text);
    CHECK_MSG(ways_is_right(s, question, options, &answer.found), "%s: %zu answers, expected %zu",
              s->label, answer.found.count, ways_reference(s, question, false)->count);
    EXPECT(s, ways_rows[question].singles || answer.list.pairs.total == answer.list.pairs.count);
    EXPECT(s, ways_is_clean(&answer, false));
}

static void expect_empty(ways_scene *s, ways_question question, const graze_options *options)
{
    OWN(ways_answer) answer = {0};
    ways_begin(&answer, question, WAYS_ARRAY, 4);
    EXPECT(s, !ways_ask(s, &s->usual, &answer, options, NULL));
    EXPECT(s, !answer.list.pairs.total && !answer.list.pairs.count);
}

static void drop_caches(const ways_bodies *bodies)
{
    for (int i = 0; i < 4; i++)
        graze_body_drop_caches(bodies->all[i]);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void way_array(ways_scene *s, ways_question question)
{
    const graze_options zero = {0};
    drop_caches(&s->usual);
    expect_right(s, &s->usual, question, NULL);
    expect_right(s, &s->usual, question, &zero);
}

/* All of it is counted, and as much written as there is room for. */
static void ask_with_room(ways_scene *s, ways_question question, size_t room)
{
    const answers *expected = ways_reference(s, question, false);
    OWN(ways_answer) answer = {0};
    ways_begin(&answer, question, WAYS_ARRAY, room);
    EXPECT(s, !ways_ask(s, &s->usual, &answer, NULL, NULL));
    ways_end(&answer);
    const graze_pair_list *list = &answer.list.pairs;
    if (ways_rows[question].singles) {
        EXPECT(s, ways_is_right(s, question, NULL, &answer.found));
    } else {
        EXPECT(s, list->total == expected->count);
        EXPECT(s, list->count == (list->total < room ? list->total : room));
        EXPECT(s, ways_are_all_in(&answer.found, expected));
    }
    EXPECT(s, ways_is_clean(&answer, false));
}

/* Half of the room, then enough of it. */
static void way_small(ways_scene *s, ways_question question)
{
    size_t count = ways_reference(s, question, false)->count;
    ask_with_room(s, question, count > 1 ? count / 2 : 1);
    ask_with_room(s, question, count + 1);
}

/* What is no list needs a place for the answer. */
static void way_counted(ways_scene *s, ways_question question)
{
    graze_error error = {.text = ""};
    ways_answer answer = {.question = question};
    if (ways_rows[question].singles)
        EXPECT(s, ways_is_refused(ways_ask(s, &s->usual, &answer, NULL, &error), GRAZE_BAD_INPUT,
                                  &error));
    else
        ask_with_room(s, question, 0);
}

/* A question that is asked in a callback. */
typedef struct inner_call {
    ways_scene *scene;
    ways_question question;
} inner_call;

/* Now and then what bodies know is dropped, or everything is found out. */
static void ask_inner(void *user)
{
    inner_call *in = user;
    graze_body *a = in->scene->usual.all[0];
    uint32_t dice = test_random_u32(&in->scene->random) % 4;
    if (dice == 0)
        graze_body_drop_caches(a);
    else if (dice == 1)
        graze_body_refit_all(a);
    expect_right(in->scene, &in->scene->threads[1], in->question, NULL);
}

/* A callback that asks a question, and says stop or not; what has one answer is asked in the
 * callback of another question.
 */
static void ask_by_callback(ways_scene *s, ways_question question, ways_question inner, bool stop,
                            const graze_options *options)
{
    inner_call in = {s, inner};
    OWN(ways_answer) answer = {0};
    ways_question outer = ways_rows[question].singles ? ASK_cast_all : question;
    const answers *expected = ways_reference(s, outer, false);
    ways_reference(s, inner, false);
    ways_begin(&answer, outer, WAYS_CALLBACK, 0);
    answer.meanwhile = ask_inner;
    answer.user = &in;
    answer.stop = stop;
    EXPECT(s, !ways_ask(s, &s->usual, &answer, options, NULL));
    ways_end(&answer);
    EXPECT(s, answer.list.pairs.count == 0 && answer.list.pairs.total == answer.found.count);
    EXPECT(s, stop ? answer.calls == (expected->count > 0) : answer.found.count == expected->count);
    EXPECT(s, ways_are_all_in(&answer.found, expected));
    EXPECT(s, answer.found.count > 0 || expected->count == 0);
}

/* A question in callbacks of its own, and any three others there. */
static void way_callback(ways_scene *s, ways_question question)
{
    ask_by_callback(s, question, question, false, NULL);
    for (int i = 0; i < 3; i++)
        ask_by_callback(s, question, (ways_question)(test_random_u32(&s->random) % ASK_COUNT),
                        false, NULL);
}

/* With a checkpoint that is the end of the question, too. */
static void way_stopping(ways_scene *s, ways_question question)
{
    graze_budget budget = {.checkpoint = s->checkpoint};
    const graze_options options = {.budget = &budget};
    ask_by_callback(s, question, question, true, NULL);
    for (int i = 0; i < 2 && !ways_rows[question].singles && takes(s, question, &options); i++) {
        if (i == 0)
            ask_by_callback(s, question, question, true, &options);
        else
            expect_empty(s, question, &options);
        EXPECT(s, budget.finished && !budget.remaining);
    }
    graze_checkpoint_clear(s->checkpoint);
}

/* ---- what is asked, and how ------------------------------------------------------------------ */

/* Asked six times; i counts. */
#define WAY_BY_OPTIONS(name, ...)                                                                  \
    static void way_##name(ways_scene *s, ways_question question)                                  \
    {                                                                                              \
        for (uint32_t i = 0; i < 6; i++)                                                           \
            expect_right(s, &s->usual, question, &(graze_options){__VA_ARGS__});                   \
    }
WAY_BY_OPTIONS(any, .any = true, .method = (graze_method)(i % 3))
WAY_BY_OPTIONS(only_new, .only_new = true, .any = i % 2, .method = (graze_method)(i / 2))
WAY_BY_OPTIONS(eager, .method = GRAZE_EAGER, .any = i > 4)
WAY_BY_OPTIONS(brute, .method = GRAZE_BRUTE, .any = i > 4)
WAY_BY_OPTIONS(history, .history = s->history, .any = i % 2)
WAY_BY_OPTIONS(pool, .pool = s->pool, .any = i % 2)

/* Added to what was there, the same every time, and something if there is an answer. What was
 * computed is not computed again.
 */
static void way_statistics(ways_scene *s, ways_question question)
{
    graze_stats first = {0}, again = {1, 2, 3, 4, 5, 6, {0, 0}}, warm = {0};
    drop_caches(&s->usual);
    expect_right(s, &s->usual, question, &(graze_options){.stats = &first});
    drop_caches(&s->usual);
    expect_right(s, &s->usual, question, &(graze_options){.stats = &again});
    expect_right(s, &s->usual, question, &(graze_options){.stats = &warm});
    /* What goes to the nearest first walks another way where bounds have become tighter. */
    bool goes_on = ways_rows[question].is_nearest || question == ASK_cast_many;
    EXPECT(s, goes_on || ways_rows[question].is_one_step ||
                  (!warm.nodes_refit && !warm.patches_posed && !warm.vertices_posed));
    const uint64_t *x = &first.nodes_refit, *y = &again.nodes_refit;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < 6; i++) {
        EXPECT(s, y[i] == x[i] + i + 1);
        sum += x[i];
    }
    /* With given positions and pairs nothing is left to be posed or bounded. */
    EXPECT(s, sum > 0 || ways_rows[question].takes_stats_only ||
                  ways_reference(s, question, false)->count == 0);
}

/* ---- budgets --------------------------------------------------------------------------------- */

static bool stop_sometimes(void *user)
{
    return ++*(uint32_t *)user % 2 == 1;
}

/* What is no list was judged before where it is the answer of the call before. */
static void check_budget(ways_scene *s, const ways_answer *answer, const answers *before,
                         const graze_options *options, graze_status status)
{
    const ways_row *row = &ways_rows[answer->question];
    bool is_old = row->singles && answers_equal(before, &answer->found, NULL);
    const graze_budget *budget = options->budget;
    ways_most_left = budget->remaining > ways_most_left ? budget->remaining : ways_most_left;
    EXPECT(s, status == GRAZE_OK || status == GRAZE_UNFINISHED);
    EXPECT(s, budget->finished == (status == GRAZE_OK));
    EXPECT(s, budget->finished == (budget->remaining == 0));
    EXPECT(s, !budget->finished || (isinf(budget->nearest) && budget->nearest > 0));
    EXPECT(s, is_old || options->only_new || ways_is_part(s, answer->question, &answer->found));
    if (row->is_nearest && !options->any) {
        const answers *expected = ways_reference(s, answer->question, options->only_new);
        double known =
            fmin((double)budget->nearest, ways_measure(answer->question, &answer->found));
        double measure = ways_measure(answer->question, expected);
        CHECK_MSG(measure >= known, "%s: the answer at %g, known to be beyond %g", s->label,
                  measure, known);
    }
}

/* A question that is asked with a budget, again and again. */
typedef struct stepper {
    ways_scene *scene;
    ways_question question;
    const graze_options *options;
    answers all;     /* of a list; else the last answer */
    void *place;     /* of hits of many rays: the calls fill it together */
    uint32_t number; /* of calls */
} stepper;

static graze_status step(stepper *c)
{
    const ways_row *row = &ways_rows[c->question];
    OWN(ways_answer) answer = {0};
    size_t room = ways_reference(c->scene, c->question, false)->count + 1;
    ways_begin(&answer, c->question, c->number++ % 2 ? WAYS_CALLBACK : WAYS_ARRAY, room);
    if (row->singles > 1 && c->place) {
        free(answer.place);
        answer.place = c->place;
    }
    graze_status status = ways_ask(c->scene, &c->scene->usual, &answer, c->options, NULL);
    ways_end(&answer);
    check_budget(c->scene, &answer, &c->all, c->options, status);
    if (c->scene->between_steps)
        c->scene->between_steps(c->scene->user);
    if (row->singles)
        answers_free(&c->all);
    ways_join(&c->all, &answer.found);
    if (row->singles > 1) {
        c->place = answer.place;
        answer.place = NULL;
    }
    return status;
}

static void step_free(stepper *c)
{
    answers_free(&c->all);
    free(c->place);
}

OWN_VALUE(stepper, step_free)

/* Until it is finished, and once more. Returns how many calls were not. */
static uint32_t resume(ways_scene *s, ways_question question, const graze_options *options)
{
    OWN(stepper) c = {.scene = s, .question = question, .options = options};
    bool is_list = !ways_rows[question].singles;
    while (step(&c) == GRAZE_UNFINISHED && c.number < MOST_CALLS)
        continue;
    uint32_t calls = c.number;
    for (int i = 0; i < 2; i++) {
        if (is_list)
            EXPECT(s, answers_sort(&c.all));
        CHECK_MSG(ways_is_right(s, question, options, &c.all),
                  "%s: %zu answers in %u calls, expected %zu", s->label, c.all.count, c.number,
                  ways_reference(s, question, options->only_new)->count);
        EXPECT(s, i || step(&c) == GRAZE_OK);
    }
    graze_checkpoint_clear(s->checkpoint);
    return calls - 1;
}

static void way_resumed(ways_scene *s, ways_question question)
{
    const graze_budget limits[3] = {
        {.bound_tests = 1, .triangle_tests = 1, .checkpoint = s->checkpoint},
        {.bound_tests = 7, .checkpoint = s->checkpoint},
        {.triangle_tests = 20, .checkpoint = s->checkpoint}};
    for (int i = 0; i < 6; i++) {
        graze_budget budget = limits[i / 2];
        const graze_options options = {
            .any = i % 2, .only_new = i > 3 && ways_rows[question].takes_new, .budget = &budget};
        if (takes(s, question, &options))
            ways_unfinished += resume(s, question, &options);
    }
}

static void way_told_to_stop(ways_scene *s, ways_question question)
{
    uint32_t asked = 0;
    graze_budget budget = {.stop = stop_sometimes, .user = &asked, .checkpoint = s->checkpoint};
    const graze_options options = {.budget = &budget};
    if (!takes(s, question, &options))
        return;
    ways_unfinished += resume(s, question, &options);
}

/* Without a checkpoint each call begins anew, and only a larger budget helps. */
static void way_dropped(ways_scene *s, ways_question question)
{
    graze_budget budget = {.bound_tests = 1, .triangle_tests = 1};
    const graze_options options = {.budget = &budget};
    graze_status status = takes(s, question, &options) ? GRAZE_UNFINISHED : GRAZE_OK;
    for (uint32_t i = 0; i < 40 && status == GRAZE_UNFINISHED; i++) {
        OWN(stepper) c = {.scene = s, .question = question, .options = &options, .number = i};
        status = step(&c);
        EXPECT(s, status == GRAZE_UNFINISHED || ways_is_right(s, question, &options, &c.all));
        ways_unfinished += status == GRAZE_UNFINISHED;
        budget.bound_tests *= 3;
        budget.triangle_tests *= 3;
    }
    EXPECT(s, status == GRAZE_OK);
}

/* A checkpoint belongs to its question, and to the pose. */
static void way_other(ways_scene *s, ways_question question)
{
    graze_budget budget = {.bound_tests = 1, .triangle_tests = 1, .checkpoint = s->checkpoint};
    const graze_options options = {.budget = &budget}, any = {.any = true, .budget = &budget};
    OWN(stepper) c = {.scene = s, .question = question, .options = &options};
    if (!takes(s, question, &options))
        return;
    step(&c);
    for (int other = 0; other < ASK_COUNT; other++)
        if (other != (int)question && ways_supports((ways_question)other, &options))
            ways_expect_refused(s, &s->usual, (ways_question)other, &options, GRAZE_BAD_INPUT);
    if (ways_rows[question].singles > 1) /* with another place for the hits */
        ways_expect_refused(s, &s->usual, question, &options, GRAZE_BAD_INPUT);
    ways_expect_refused(s, &s->lean, question, &options, GRAZE_BAD_INPUT);
    ways_expect_refused(s, &s->usual, question, &any, GRAZE_BAD_INPUT);
    ways_move_usual(s, 0.1f);
    ways_expect_refused(s, &s->usual, question, &options, GRAZE_BAD_INPUT);
    ways_move_usual(s, 0);
    graze_checkpoint_clear(s->checkpoint);
    ways_unfinished += resume(s, question, &options);
}

static void way_budget_of_others(ways_scene *s, ways_question question)
{
    graze_budget budget = {.bound_tests = 1};
    for (int method = GRAZE_EAGER; method <= GRAZE_BRUTE; method++)
        ways_expect_refused(s, &s->usual, question,
                            &(graze_options){.method = (graze_method)method, .budget = &budget},
                            GRAZE_UNSUPPORTED);
}

/* ---- threads, batches, bodies ---------------------------------------------------------------- */

/* Records a question; false if that was refused, as it should be. */
static bool record(ways_scene *s, ways_answer *answer, ways_question question, bool any)
{
    const graze_options options = {.any = any, .batch = s->batch};
    if (!takes(s, question, &options))
        return false;
    ways_begin(answer, question, any ? WAYS_CALLBACK : WAYS_ARRAY,
               ways_reference(s, question, false)->count + 1);
    EXPECT(s, !ways_ask(s, &s->usual, answer, &options, NULL));
    return true;
}

/* Runs the batch with other arguments in place of those that were recorded. */
static graze_status run_batch(ways_scene *s, const graze_options *options)
{
    const ways_arguments about = s->about;
    memset(&s->about, 0, sizeof s->about);
    graze_status status = graze_batch_run(s->batch, options, NULL);
    s->about = about;
    return status;
}

static void expect_recorded(ways_scene *s, ways_answer *answer, bool any)
{
    ways_end(answer);
    CHECK_MSG(ways_is_right(s, answer->question, &(graze_options){.any = any}, &answer->found),
              "%s: %s", s->label, ways_rows[answer->question].name);
    ways_reset(answer);
}

/* Twice, as in two frames; then in steps. There is enough else in it for more than one. */
static void way_batch(ways_scene *s, ways_question question)
{
    enum { OTHERS = 8 };
    graze_budget budget = {.bound_tests = 1};
    const graze_options limited = {.budget = &budget};
    ways_answer own, others[OTHERS];
    bool recorded = record(s, &own, question, false);
    for (int i = 0; i < OTHERS; i++)
        record(s, &others[i], ASK_pairs, true);
    for (int i = 0; i < 3; i++) {
        graze_status status = run_batch(s, i == 2 ? &limited : NULL);
        for (; i == 2 && status == GRAZE_UNFINISHED; ways_unfinished++) {
            EXPECT(s, !budget.finished && budget.remaining > 0 && budget.remaining < 1000);
            status = run_batch(s, &limited);
        }
        EXPECT(s, i < 2 || (budget.finished && !budget.remaining));
        EXPECT(s, status == GRAZE_OK);
        if (recorded)
            expect_recorded(s, &own, false);
        for (int k = 0; k < OTHERS; k++)
            expect_recorded(s, &others[k], true);
    }
    graze_batch_clear(s->batch);
    if (recorded)
        ways_drop(&own);
    for (int i = 0; i < OTHERS; i++)
        ways_drop(&others[i]);
}

/* With all others, on three threads. */
static void way_mixed_batch(ways_scene *s, ways_question question)
{
    graze_stats stats = {0};
    ways_answer all[ASK_COUNT];
    bool recorded[ASK_COUNT];
    for (int q = 0; q < ASK_COUNT; q++)
        recorded[q] = record(s, &all[q], (ways_question)q, q != (int)question && q % 3 == 0);
    drop_caches(&s->usual);
    EXPECT(s, !run_batch(s, &(graze_options){.pool = s->pool, .stats = &stats}));
    EXPECT(s, stats.nodes_refit > 0);
    for (int q = 0; q < ASK_COUNT; q++)
        if (recorded[q]) {
            expect_recorded(s, &all[q], q != (int)question && q % 3 == 0);
            ways_drop(&all[q]);
        }
    graze_batch_clear(s->batch);
}

/* Some parts, one of them, none. */
static void way_masked(ways_scene *s, ways_question question)
{
    static const uint32_t masks[] = {0x0d, 0x02, 0};
    for (int i = 0; i < 3; i++) {
        ways_mask(s, &masks[i]);
        expect_right(s, &s->usual, question, NULL);
        expect_right(s, &s->lean, question, &(graze_options){.any = true});
    }
    ways_mask(s, NULL);
}

static void way_lean(ways_scene *s, ways_question question)
{
    for (int i = 0; i < 4; i++)
        graze_body_give_back_caches(s->lean.all[i]);
    expect_right(s, &s->lean, question, NULL);
    expect_right(s, &s->lean, question, &(graze_options){.method = GRAZE_BRUTE});
}

/* Answers of a shared body, to be looked at when all threads are done. */
typedef struct shared_asking {
    ways_scene *scene;
    ways_answer answers[2 * WAYS_THREADS];
    graze_status status[2 * WAYS_THREADS];
} shared_asking;

static void ask_shared(void *user, size_t item, uint32_t thread)
{
    shared_asking *asking = user;
    asking->status[item] = ways_ask(asking->scene, &asking->scene->threads[thread],
                                    &asking->answers[item], NULL, NULL);
}

static void way_shared(ways_scene *s, ways_question question)
{
    shared_asking asking = {.scene = s};
    size_t room = ways_reference(s, question, false)->count + 1;
    drop_caches(&s->usual);
    for (int i = 0; i < 4; i++)
        EXPECT(s, !graze_body_share(s->usual.all[i], NULL));
    for (int i = 0; i < 2 * WAYS_THREADS; i++)
        ways_begin(&asking.answers[i], question, i % 2 ? WAYS_CALLBACK : WAYS_ARRAY, room);
    EXPECT(s, !graze_pool_for_each(s->pool, 2 * WAYS_THREADS, ask_shared, &asking, NULL));
    for (int i = 0; i < 2 * WAYS_THREADS; i++) {
        EXPECT(s, asking.status[i] == GRAZE_OK);
        expect_recorded(s, &asking.answers[i], false);
        ways_drop(&asking.answers[i]);
    }
    expect_right(s, &s->usual, question, &(graze_options){.method = GRAZE_EAGER});
    for (int i = 0; i < 4; i++)
        EXPECT(s, !graze_body_unshare(s->usual.all[i], NULL));
}

/* ---- all of them ----------------------------------------------------------------------------- */

#define ROW(question, way) {#way, way_##way},
static const struct {
    const char *name;
    void (*ask)(ways_scene *scene, ways_question question);
} rows[WAY_COUNT] = {WAYS(ROW, )};

void ways_ask_in(ways_scene *s, ways_question question, ways_way way)
{
    snprintf(s->label, sizeof s->label, "%s, %s: %s, %s, seed %u", ways_rows[question].name,
             rows[way].name, s->name, ways_relation_names[s->relation], s->seed);
    rows[way].ask(s, question);
}

void ways_ask_all(ways_scene *s, uint32_t some, test_random *random)
{
    for (int i = 0; i < 2 * ASK_COUNT; i++)
        ways_ask_in(s, (ways_question)(i / 2), i % 2 ? WAY_eager : WAY_array);
    for (uint32_t i = 0; i < some; i++) {
        uint32_t way = test_random_u32(random) % WAY_COUNT;
        if (way != WAY_masked || !s->names[0])
            ways_ask_in(s, (ways_question)(test_random_u32(random) % ASK_COUNT), (ways_way)way);
    }
}

void ways_count(ways_scene *s, ways_tally tallies[ASK_COUNT])
{
    for (int q = 0; q < ASK_COUNT; q++) {
        const answers *all = ways_reference(s, (ways_question)q, false);
        bool is_nearest = ways_rows[q].is_nearest;
        tallies[q].asked++;
        tallies[q].answered += all->count > 0 && (!is_nearest || ways_found(all, 0));
    }
}

void ways_check_tallies(const ways_tally tallies[ASK_COUNT])
{
    for (int q = 0; q < ASK_COUNT; q++) {
        const ways_tally *t = &tallies[q];
        printf("     %s: %u of %u have an answer\n", ways_rows[q].name, t->answered, t->asked);
        CHECK_MSG(10 * t->answered >= t->asked && t->asked, "%s", ways_rows[q].name);
        CHECK_MSG(ways_rows[q].singles || t->answered < t->asked, "%s", ways_rows[q].name);
    }
}
