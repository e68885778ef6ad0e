/* Queries into the caller's array give what the callbacks get: all of it, as much as there is room
 * for, or only how much there is.
 */
#include "harness.h"

#include "support/answers.h"
#include "support/soup_pair.h"

#include <stdlib.h>
#include <string.h>

typedef enum into_kind {
    INTO_COLLIDE,
    INTO_SELF,
    INTO_SELF_NEW,
    INTO_CAST,
    INTO_TOUCH,
    INTO_CONTACTS,
    INTO_WITHIN,
    INTO_SWEEP,
    INTO_SWEEP_SELF,
    INTO_KINDS
} into_kind;

static const char *const names[INTO_KINDS] = {"graze_collide_into",
                                              "graze_collide_self_into, all",
                                              "graze_collide_self_into, new",
                                              "graze_cast_all_into",
                                              "graze_touch_into",
                                              "graze_touch_contacts_into",
                                              "graze_within_into",
                                              "graze_sweep_pairs_into",
                                              "graze_sweep_pairs_into, b NULL"};

/* A callback of the query without one in support/answers.h. */
static bool take_contacts(void *user, const graze_shape_contact *contacts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t words[sizeof *contacts / sizeof(uint32_t)];
        memcpy(words, &contacts[i], sizeof words);
        answers_put(user, words, sizeof words / sizeof *words);
    }
    return true;
}

typedef struct question {
    into_kind kind;
    graze_body *a, *b;
    graze_ray ray;
    graze_shape shape;
    graze_motion motions[2];
} question;

static size_t item_size(into_kind kind)
{
    switch (kind) {
    case INTO_SELF:
    case INTO_SELF_NEW:
        return sizeof(graze_self_pair);
    case INTO_CAST:
        return sizeof(graze_ray_hit);
    case INTO_TOUCH:
        return sizeof(uint32_t);
    case INTO_CONTACTS:
        return sizeof(graze_shape_contact);
    case INTO_SWEEP:
    case INTO_SWEEP_SELF:
        return sizeof(graze_impact);
    default:
        return sizeof(graze_pair);
    }
}

static const graze_motion *other_motion(const question *q)
{
    return q->kind == INTO_SWEEP ? &q->motions[1] : NULL;
}

static graze_self_which which(const question *q)
{
    return q->kind == INTO_SELF_NEW ? GRAZE_SELF_NEW : GRAZE_SELF_ALL;
}

static graze_status ask_callback(const question *q, answers *list, graze_stats *stats)
{
    switch (q->kind) {
    case INTO_COLLIDE:
        return graze_collide(q->a, q->b, answers_take_pairs, list, stats, NULL);
    case INTO_SELF:
    case INTO_SELF_NEW:
        return graze_collide_self(q->a, which(q), answers_take_self, list, stats, NULL);
    case INTO_CAST:
        return graze_cast_all(q->a, &q->ray, answers_take_hits, list, stats, NULL);
    case INTO_TOUCH:
        return graze_touch(q->a, &q->shape, answers_take_triangles, list, stats, NULL);
    case INTO_CONTACTS:
        return graze_touch_contacts(q->a, &q->shape, take_contacts, list, stats, NULL);
    case INTO_WITHIN:
        return graze_within(q->a, q->b, 0.02, answers_take_pairs, list, stats, NULL);
    default:
        return graze_sweep_pairs(&q->motions[0], other_motion(q), true, answers_take_impacts, list,
                                 stats, NULL);
    }
}

static graze_status ask_into(const question *q, void *items, size_t capacity, size_t *count,
                             graze_stats *stats, graze_error *error)
{
    switch (q->kind) {
    case INTO_COLLIDE:
        return graze_collide_into(q->a, q->b, items, capacity, count, stats, error);
    case INTO_SELF:
    case INTO_SELF_NEW:
        return graze_collide_self_into(q->a, which(q), items, capacity, count, stats, error);
    case INTO_CAST:
        return graze_cast_all_into(q->a, &q->ray, items, capacity, count, stats, error);
    case INTO_TOUCH:
        return graze_touch_into(q->a, &q->shape, items, capacity, count, stats, error);
    case INTO_CONTACTS:
        return graze_touch_contacts_into(q->a, &q->shape, items, capacity, count, stats, error);
    case INTO_WITHIN:
        return graze_within_into(q->a, q->b, 0.02, items, capacity, count, stats, error);
    default:
        return graze_sweep_pairs_into(&q->motions[0], other_motion(q), true, items, capacity, count,
                                      stats, error);
    }
}

static void put_items(into_kind kind, answers *list, const void *items, size_t count)
{
    switch (kind) {
    case INTO_SELF:
    case INTO_SELF_NEW:
        answers_take_self(list, items, count);
        break;
    case INTO_CAST:
        answers_take_hits(list, items, count);
        break;
    case INTO_TOUCH:
        answers_take_triangles(list, items, count);
        break;
    case INTO_CONTACTS:
        take_contacts(list, items, count);
        break;
    case INTO_SWEEP:
    case INTO_SWEEP_SELF:
        answers_take_impacts(list, items, count);
        break;
    default:
        answers_take_pairs(list, items, count);
    }
}

/* With room for `capacity`: so many are written, each one that the callback got, and no more. */
static void check_capacity(const question *q, const answers *expected, size_t capacity)
{
    const size_t size = item_size(q->kind), guard = 64;
    size_t count = 12345, used = capacity < expected->count ? capacity : expected->count;
    unsigned char *items = malloc(capacity * size + guard);
    memset(items, 0xa5, capacity * size + guard);
    graze_error error = {0};
    graze_stats stats = {0};
    CHECK(ask_into(q, items, capacity, &count, &stats, &error) == GRAZE_OK);
    CHECK_MSG(count == expected->count, "%s: %zu, not %zu", names[q->kind], count, expected->count);
    CHECK(stats.bound_tests > 0);
    bool untouched = true;
    for (size_t i = used * size; i < capacity * size + guard; i++)
        untouched = untouched && items[i] == 0xa5;
    CHECK_MSG(untouched, "%s wrote beyond %zu", names[q->kind], used);
    answers got = {0};
    if (used)
        put_items(q->kind, &got, items, used);
    CHECK_MSG(answers_sort(&got), "%s: something twice", names[q->kind]);
    if (used == expected->count)
        CHECK_MSG(answers_equal(&got, expected, NULL), "%s, room for %zu", names[q->kind],
                  capacity);
    bool known = true;
    for (size_t i = 0; i < got.count; i++)
        known = known && answers_have(expected, got.words + i * got.width, got.width);
    CHECK_MSG(known, "%s: something that the callback did not get", names[q->kind]);
    answers_free(&got);
    free(items);
}

static void check_bad_arrays(const question *q)
{
    graze_impact room; /* the largest of all */
    graze_error error = {0};
    size_t count = 12345;
    memset(&room, 0xa5, sizeof room);
    CHECK(ask_into(q, NULL, 1, &count, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "NULL") && strstr(error.text, "capacity"), "%s", error.text);
    CHECK(ask_into(q, &room, 1, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "count"), "%s", error.text);
    CHECK(ask_into(q, NULL, 1, &count, NULL, NULL) == GRAZE_BAD_INPUT);

    /* What the query refuses is refused, and nothing is written. */
    question bad = *q;
    bad.a = NULL;
    bad.motions[0].start = NULL;
    CHECK(ask_into(&bad, &room, 1, &count, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(count == 12345);
    CHECK(*(const unsigned char *)&room == 0xa5);
}

static void check_question(const question *q)
{
    answers expected = {0};
    graze_stats stats = {0}, none = {0};
    CHECK(ask_callback(q, &expected, &stats) == GRAZE_OK);
    CHECK(answers_sort(&expected));
    CHECK_MSG(expected.count > 2, "%s: too little to test", names[q->kind]);
    const size_t capacities[] = {0,
                                 1,
                                 expected.count / 2,
                                 expected.count - 1,
                                 expected.count,
                                 expected.count + 1,
                                 3 * expected.count};
    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++)
        check_capacity(q, &expected, capacities[i]);

    size_t count = 0;
    CHECK(ask_into(q, NULL, 0, &count, NULL, NULL) == GRAZE_OK);
    CHECK(count == expected.count);
    /* The same work. */
    graze_stats warm = {0}, again = {0};
    answers_clear(&expected);
    CHECK(ask_callback(q, &expected, &warm) == GRAZE_OK);
    CHECK(ask_into(q, NULL, 0, &count, &again, NULL) == GRAZE_OK);
    CHECK(memcmp(&warm, &again, sizeof warm) == 0 && memcmp(&warm, &none, sizeof warm) != 0);
    check_bad_arrays(q);
    answers_free(&expected);
}

TEST(arrays_get_what_callbacks_get)
{
    soup_pair s = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    const float middle[3] = {0, 0, 0};
    for (int kind = 0; kind < INTO_KINDS; kind++) {
        question q = {.kind = (into_kind)kind,
                      .a = s.a,
                      .b = s.b,
                      .ray = s.ray,
                      .shape = graze_shape_sphere(middle, 0.5f),
                      .motions = {{s.a, s.end}, {s.b, s.b}}};
        check_question(&q);
    }
    soup_pair_close(&s);
}

/* Bodies that are apart: nothing, and nothing is written. */
TEST(nothing_is_counted_as_nothing)
{
    soup_pair s = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    float joints[4 * 12] = {0};
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 3; k++)
            joints[12 * j + 5 * k] = 1;
    const float far[12] = {1, 0, 0, 100, 0, 1, 0, 0, 0, 0, 1, 0};
    graze_pose pose = {.joints = joints, .joint_count = 4, .placement = far};
    CHECK(!graze_body_set_pose(s.b, &pose, NULL));
    graze_pair pair = {77, 78};
    size_t count = 5;
    CHECK(!graze_collide_into(s.a, s.b, &pair, 1, &count, NULL, NULL));
    CHECK(count == 0 && pair.a == 77 && pair.b == 78);
    count = 5;
    CHECK(!graze_within_into(s.a, s.b, 1, &pair, 1, &count, NULL, NULL));
    CHECK(count == 0 && pair.a == 77 && pair.b == 78);
    soup_pair_close(&s);
}
