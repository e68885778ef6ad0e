/* Queries asked in the callbacks of others about the same bodies, which have more patches than rows
 * of intervals are kept for, and more candidates a pair of patches than are found at a time.
 */
#include "harness.h"

#include "support/answers.h"

#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 60, SIDE = CELLS + 1, LAYERS = 3, PATCH = 128 };
enum { VERTICES = LAYERS * SIDE * SIDE, TRIANGLES = LAYERS * CELLS * CELLS * 2 };

/* Wavy layers through each other, shifted against each other. */
static void make_mesh(float (*positions)[3], uint32_t (*triangles)[3])
{
    uint32_t next = 0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        uint32_t layer = v / (SIDE * SIDE), x = v % SIDE, y = v / SIDE % SIDE;
        positions[v][0] = (float)x + 0.4f * (float)layer;
        positions[v][1] = (float)y + 0.3f * (float)layer;
        positions[v][2] = 0.5f * sinf(0.9f * (float)(x + layer) + 0.7f * (float)y);
    }
    for (uint32_t layer = 0; layer < LAYERS; layer++)
        for (uint32_t y = 0; y < CELLS; y++)
            for (uint32_t x = 0; x < CELLS; x++) {
                uint32_t corner = layer * SIDE * SIDE + y * SIDE + x;
                uint32_t both[2][3] = {{corner, corner + 1, corner + SIDE},
                                       {corner + 1, corner + SIDE + 1, corner + SIDE}};
                memcpy(triangles[next], both, sizeof both);
                next += 2;
            }
}

static graze_model *make_model(bool table)
{
    float(*positions)[3] = malloc(VERTICES * sizeof *positions);
    uint32_t(*triangles)[3] = malloc(TRIANGLES * sizeof *triangles);
    graze_model *model = NULL;
    graze_model_def def = {0};
    make_mesh(positions, triangles);
    def.positions = positions[0];
    def.vertex_count = VERTICES;
    def.triangles = triangles[0];
    def.triangle_count = TRIANGLES;
    def.tree.patch_triangles = PATCH;
    def.no_self_collision = !table;
    def.joint_count = 1;
    CHECK(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    free(positions);
    free(triangles);
    return model;
}

/* Bodies, and what is asked about them in a callback: nothing but now and then. */
typedef struct asker {
    graze_body *a, *b;
    answers list;
    uint32_t calls, asked;
    bool drops;
} asker;

static bool count_pairs(void *user, const graze_pair *pairs, size_t count)
{
    (void)pairs;
    *(size_t *)user += count;
    return *(size_t *)user < 20000;
}

static bool count_self(void *user, const graze_pair *pairs, size_t count)
{
    (void)pairs;
    *(size_t *)user += count;
    return *(size_t *)user < 20000;
}

static void ask(asker *from)
{
    size_t pairs = 0, own = 0;
    if (from->calls++ % 16 || from->asked == 6)
        return;
    from->asked++;
    if (from->drops) {
        graze_body_drop_caches(from->a);
        graze_body_drop_caches(from->b);
    }
    CHECK(graze_pairs(from->b, from->a, &(graze_pair_list){.report = count_pairs, .user = &pairs},
                      NULL, NULL) == GRAZE_OK);
    CHECK(graze_self_pairs(from->a, NULL, &(graze_pair_list){.report = count_self, .user = &own},
                           NULL, NULL) == GRAZE_OK);
    CHECK(pairs && own);
}

static bool take_and_ask(void *user, const graze_pair *pairs, size_t count)
{
    asker *from = user;
    answers_take_pairs(&from->list, pairs, count);
    ask(from);
    return true;
}

static bool take_self_and_ask(void *user, const graze_pair *pairs, size_t count)
{
    asker *from = user;
    answers_take_self(&from->list, pairs, count);
    ask(from);
    return true;
}

static void check_same(answers *found, answers *expected, const char *what)
{
    CHECK_MSG(answers_sort(found), "%s: a pair came twice", what);
    answers_sort(expected);
    bool same =
        found->count == expected->count && expected->count > 10000 &&
        !memcmp(found->words, expected->words, found->count * found->width * sizeof *found->words);
    CHECK_MSG(same, "%s: %zu pairs, expected %zu", what, found->count, expected->count);
}

static void check_nesting(bool table, bool drops)
{
    static const float placement[12] = {1, 0, 0, 0.2f, 0, 1, 0, 0.1f, 0, 0, 1, 0.05f};
    static const float rest[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    graze_model *model = make_model(table);
    asker from = {.drops = drops};
    answers expected = {0};
    graze_pose pose = {
        .joints = rest, .joint_count = 1, .layout = GRAZE_ROWS_3X4, .placement = placement};
    CHECK(graze_body_create(model, &from.a, NULL) == GRAZE_OK);
    CHECK(graze_body_create(model, &from.b, NULL) == GRAZE_OK);
    CHECK(graze_body_set_pose(from.b, &pose, NULL) == GRAZE_OK);

    CHECK(graze_pairs(from.a, from.b, PAIRS_TO(&expected), NULL, NULL) == GRAZE_OK);
    CHECK(graze_pairs(from.a, from.b, &(graze_pair_list){.report = take_and_ask, .user = &from},
                      NULL, NULL) == GRAZE_OK);
    CHECK(from.asked == 6);
    check_same(&from.list, &expected, "two bodies");

    answers_clear(&from.list);
    answers_clear(&expected);
    expected.width = from.list.width = 0;
    from.calls = from.asked = 0;
    CHECK(graze_self_pairs(from.a, NULL, SELF_TO(&expected), NULL, NULL) == GRAZE_OK);
    CHECK(graze_self_pairs(from.a, NULL,
                           &(graze_pair_list){.report = take_self_and_ask, .user = &from}, NULL,
                           NULL) == GRAZE_OK);
    CHECK(from.asked == 6);
    check_same(&from.list, &expected, "a body with itself");
    answers_free(&from.list);
    answers_free(&expected);
    graze_body_destroy(from.a);
    graze_body_destroy(from.b);
    graze_model_destroy(model);
}

TEST(queries_in_callbacks_leave_answers_as_they_are)
{
    check_nesting(false, false);
    check_nesting(true, false);
}

TEST(so_do_dropped_caches)
{
    check_nesting(false, true);
    check_nesting(true, true);
}
