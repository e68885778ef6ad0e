/* Every question in every way of asking: the answer is that of brute force, or the question says
 * that it cannot be asked so. Then questions and ways by lot on the same bodies, and what is
 * refused.
 */
#include "harness.h"

#include "support/own.h"
#include "support/quick.h"
#include "support/ways_asked.h"

#include <stdlib.h>

enum { SEEDS = 5, CALLS = 3000 };

/* ---- the matrix ------------------------------------------------------------------------------ */

enum { SCENES = WAYS_KINDS * WAYS_RELATIONS };

static ways_scene *scenes[SCENES];

static void close_scenes(void)
{
    for (int i = 0; i < SCENES && scenes[i]; i++) {
        ways_close(scenes[i]);
        scenes[i] = NULL;
    }
}

static ways_scene *open_scene(uint32_t i)
{
    static bool is_first = true;
    if (is_first)
        atexit(close_scenes);
    is_first = false;
    for (uint32_t k = 0; k < SCENES && !scenes[k]; k++) {
        scenes[k] = ways_open(k / WAYS_RELATIONS);
        ways_pose(scenes[k], k % SEEDS, k % WAYS_RELATIONS);
    }
    return scenes[i];
}

static void check_cell(ways_question question, ways_way way)
{
    const ways_row *row = &ways_rows[question];
    ways_unfinished = 0;
    for (uint32_t i = 0; i < SCENES; i++)
        ways_ask_in(open_scene(i), question, way);
    if (way == WAY_batch)
        CHECK(ways_unfinished > 0);
    if (way == WAY_resumed || way == WAY_told_to_stop || way == WAY_dropped)
        CHECK_MSG((ways_unfinished > 0) == !(row->is_one_step || row->takes_stats_only),
                  "%u calls are unfinished", ways_unfinished);
}

#define CELL(question, way)                                                                        \
    TEST(question##_##way)                                                                         \
    {                                                                                              \
        check_cell(ASK_##question, WAY_##way);                                                     \
    }
#define CELLS(question) WAYS(CELL, question)
WAYS_QUESTIONS(CELLS)

/* On the same bodies, which now and then get other poses. */
TEST(questions_and_ways_by_lot)
{
    uint32_t count = test_sanitized_amount(test_amount(20 * CALLS, CALLS));
    test_random random = test_random_seed(17);
    for (uint32_t i = 0; i < count; i++) {
        ways_scene *s = open_scene(test_random_u32(&random) % WAYS_KINDS * WAYS_RELATIONS);
        ways_way way = (ways_way)(test_random_u32(&random) % WAY_COUNT);
        if (test_random_u32(&random) % 4 == 0)
            ways_pose(s, test_random_u32(&random) % 1000,
                      test_random_u32(&random) % WAYS_RELATIONS);
        ways_ask_in(s, (ways_question)(test_random_u32(&random) % ASK_COUNT), way);
    }
    close_scenes();
}

/* ---- any meshes ------------------------------------------------------------------------------ */

/* Flat ones, lattices, of any skin and tree, at any scale, in every kind of pose. */
TEST(random_meshes)
{
    ways_tally tallies[ASK_COUNT] = {{0, 0}};
    test_random random = test_random_seed(29);
    uint32_t count = test_sanitized_amount(test_amount(600, 60));
    for (uint32_t m = 0; m < count; m++) {
        ways_scene *s = ways_open(WAYS_RANDOM + m);
        for (uint32_t p = 0; p < 3; p++) {
            ways_pose(s, p, (p + m) % WAYS_RELATIONS);
            ways_count(s, tallies);
            ways_ask_all(s, 12, &random);
        }
        ways_close(s);
    }
    ways_check_tallies(tallies);
}

TEST(characters)
{
    ways_tally tallies[ASK_COUNT] = {{0, 0}};
    test_random random = test_random_seed(31);
    ways_scene *s;
    for (uint32_t i = 0; (s = ways_open(WAYS_CHARACTERS + i)); i++) {
        uint32_t most = test_amount(2000, 1000), triangles = s->sides[0].triangle_count;
        bool is_small = s->sides[0].triangle_count < most && s->sides[1].triangle_count < most;
        for (uint32_t p = 0; p < 4 && is_small; p++) {
            ways_pose(s, p, (p + i) % WAYS_RELATIONS);
            ways_count(s, tallies);
            ways_ask_all(s, triangles < 1000 ? 6 : 0, &random); /* steps take long */
        }
        ways_close(s);
    }
    ways_check_tallies(tallies);
}

/* ---- what is refused ------------------------------------------------------------------------- */

/* Something wrong with a call. */
typedef struct bad_call {
    const char *name;
    graze_options options;
    graze_budget budget;
    bool has_budget, has_both; /* items and report */
} bad_call;

static const bad_call bad_calls[] = {
    {"method 3", .options.method = (graze_method)3},
    {"method -1", .options.method = (graze_method)-1},
    {"options.reserved[0]", .options.reserved = {1, 0, 0, 0}},
    {"options.reserved[3]", .options.reserved = {0, 0, 0, 1}},
    {"budget.reserved[0]", .has_budget = true, .budget.reserved = {1, 0}},
    {"budget.reserved[1]", .has_budget = true, .budget.reserved = {0, 1}},
    {"items and report", .has_both = true},
};

static void check_bad_call(ways_scene *s, ways_question question, const bad_call *bad, bool batch)
{
    graze_budget budget = bad->budget;
    graze_options options = bad->options;
    graze_error error = {.text = ""};
    OWN(ways_answer) answer = {0};
    options.budget = bad->has_budget ? &budget : NULL;
    options.batch = batch ? s->batch : NULL;
    ways_begin(&answer, question, bad->has_both ? WAYS_CALLBACK : WAYS_ARRAY, 4);
    if (bad->has_both) {
        answer.list.pairs.items = answer.place;
        answer.list.pairs.capacity = 4;
    }
    graze_status status = ways_ask(s, &s->usual, &answer, &options, &error);
    CHECK_MSG(ways_is_refused(status, GRAZE_BAD_INPUT, &error), "%s with %s is %s: %s",
              ways_rows[question].name, bad->name, graze_status_name(status), error.text);
    CHECK(ways_is_clean(&answer, true) && !answer.calls);
}

TEST(bad_options_and_lists)
{
    ways_scene *s = open_scene(0);
    for (int q = 0; q < ASK_COUNT; q++)
        for (size_t i = 0; i < sizeof bad_calls / sizeof *bad_calls; i++)
            for (int batch = 0; batch < 2; batch++) {
                bool other = batch || bad_calls[i].has_budget || bad_calls[i].options.method;
                if ((!other || !ways_rows[q].takes_stats_only) &&
                    (!bad_calls[i].has_both || !ways_rows[q].singles))
                    check_bad_call(s, (ways_question)q, &bad_calls[i], batch);
            }
    CHECK(!graze_batch_run(s->batch, NULL, NULL)); /* nothing was recorded */
}

TEST(bad_reserved_words)
{
    ways_scene *s = open_scene(0);
    graze_model_def model_def = graze_rig_model_def(s->sides[0].worm), tree_def = model_def;
    graze_pose pose = {.reserved = {0, 1}};
    graze_part_filter filter = s->filter;
    graze_pair_list list = {0};
    graze_pool *pool = NULL;
    model_def.reserved[7] = tree_def.tree.reserved[3] = filter.reserved[1] = 1;
    CHECK(graze_model_create(&model_def, &(graze_model *){NULL}, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_model_create(&tree_def, &(graze_model *){NULL}, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_body_set_pose(s->usual.all[0], &pose, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_self_pairs(s->usual.all[0], &filter, &list, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_contact_finder_create(s->models[0], s->models[1],
                                      &(graze_contact_finder_def){.reserved = {0, 1}},
                                      &(graze_contact_finder *){NULL}, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_cache_pool_create(s->models[0], &(graze_cache_pool_def){.reserved = {0, 1}},
                                  &(graze_cache_pool *){NULL}, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_pool_create_from_jobs(&(graze_job_system){.threads = 1, .reserved = {0, 1}}, NULL,
                                      &pool, NULL) == GRAZE_BAD_INPUT);
}

TEST(bad_bodies)
{
    static const ways_question of_two[] = {ASK_pairs,    ASK_pairs_within,        ASK_distance,
                                           ASK_contacts, ASK_contacts_from_pairs, ASK_sweep,
                                           ASK_sweep_all};
    ways_scene *s = open_scene(0);
    ways_bodies same = s->usual, none = s->usual;
    bool sweeps_itself = s->about.sweeps_itself;
    same.all[2] = same.all[3] = same.all[0];
    none.all[0] = NULL;
    s->about.sweeps_itself = false;
    snprintf(s->label, sizeof s->label, "bad bodies");
    for (size_t i = 0; i < sizeof of_two / sizeof *of_two; i++)
        ways_expect_refused(s, &same, of_two[i], NULL, GRAZE_BAD_INPUT);
    for (int q = 0; q < ASK_COUNT; q++)
        ways_expect_refused(s, &none, (ways_question)q, NULL, GRAZE_BAD_INPUT);
    s->about.sweeps_itself = sweeps_itself;
}

/* What a callback may not use: the checkpoint, history or batch of its question, and the pose. */
typedef struct misuse {
    ways_scene *scene;
    ways_question question;
    const graze_options *options; /* that it asks with; NULL: it only poses */
    uint32_t refused;
} misuse;

static bool is_not_posed(ways_scene *s, graze_body *body)
{
    const ways_side *side = &s->sides[0];
    const float weights[8] = {0.9f};
    return graze_body_set_part_mask(body, NULL, 0, NULL) == GRAZE_BAD_INPUT &&
           graze_body_set_pose(body, &(graze_pose){0}, NULL) == GRAZE_BAD_INPUT &&
           graze_body_set_morph_weights(body, weights, side->morph_count, false, NULL) ==
               GRAZE_BAD_INPUT &&
           graze_body_set_positions(body, s->positions[0], 0, side->vertex_count, NULL) ==
               GRAZE_BAD_INPUT;
}

static void use_again(void *user)
{
    misuse *m = user;
    ways_scene *s = m->scene;
    graze_error error = {.text = ""};
    OWN(ways_answer) answer = {0};
    bool refused = true;
    ways_begin(&answer, m->question, WAYS_ARRAY, 4);
    if (m->options)
        refused = ways_is_refused(ways_ask(s, &s->threads[1], &answer, m->options, &error),
                                  GRAZE_BAD_INPUT, &error);
    if (m->options && m->options->batch)
        refused &= graze_batch_run(s->batch, NULL, &error) == GRAZE_BAD_INPUT;
    m->refused += refused && is_not_posed(s, s->usual.all[0]);
}

static void check_misuse(ways_scene *s, ways_question question, const graze_options *options,
                         bool asks_alike)
{
    ways_answer answer;
    misuse m = {s, question, asks_alike ? options : NULL, 0};
    ways_begin(&answer, question, WAYS_CALLBACK, 0);
    answer.meanwhile = use_again;
    answer.user = &m;
    EXPECT(s, !ways_ask(s, &s->usual, &answer, options, NULL));
    EXPECT(s, !options || !options->batch || !graze_batch_run(s->batch, NULL, NULL));
    ways_end(&answer);
    EXPECT(s, answer.calls > 0 || ways_reference(s, question, false)->count == 0);
    CHECK_MSG(m.refused == answer.calls, "%s: %u of %u calls are refused", s->label, m.refused,
              answer.calls);
    EXPECT(s, ways_is_right(s, question, options, &answer.found));
    ways_drop(&answer);
    graze_checkpoint_clear(s->checkpoint);
    graze_batch_clear(s->batch);
}

TEST(bad_callbacks)
{
    ways_scene *s = open_scene(0);
    graze_budget budget = {.checkpoint = s->checkpoint};
    const graze_options same[] = {
        {.budget = &budget}, {.batch = s->batch}, {.any = true, .history = s->history}};
    const graze_options others[] = {
        {.method = GRAZE_EAGER}, {.method = GRAZE_BRUTE}, {.pool = s->pool}, {0}};
    for (int q = 0; q < ASK_COUNT; q++)
        for (int i = 0; i < 7 && !ways_rows[q].singles; i++) {
            const graze_options *options = i < 3 ? &same[i] : &others[i - 3];
            bool takes_it = ways_supports((ways_question)q, options);
            snprintf(s->label, sizeof s->label, "in a callback of %s, %d", ways_rows[q].name, i);
            bool asks_alike = i < 2 || (i == 2 && q == ASK_pairs);
            check_misuse(s, (ways_question)q, takes_it && (i > 2 || asks_alike) ? options : NULL,
                         asks_alike);
        }
}
