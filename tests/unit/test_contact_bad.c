/* Contacts: bad input is an error with a text, failed allocations are errors and leak nothing, and
 * a warm finder allocates nothing.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/contacts.h"
#include "support/own.h"
#include "support/solids.h"

#include <stdlib.h>
#include <string.h>

typedef struct pair_of_balls {
    graze_model *models[2];
    graze_body *bodies[2];
} pair_of_balls;

static pair_of_balls make_balls(const graze_allocator *allocator)
{
    pair_of_balls made;
    for (int side = 0; side < 2; side++) {
        OWN(solid) s = {0};
        solid_add_ball(&s, 1, side ? 12 : 16);
        made.bodies[side] = solid_body(&s, allocator, &made.models[side]);
    }
    return made;
}

static void free_balls(pair_of_balls *balls)
{
    for (int side = 0; side < 2; side++) {
        graze_body_destroy(balls->bodies[side]);
        graze_model_destroy(balls->models[side]);
    }
}

OWN_VALUE(pair_of_balls, free_balls)

static void move(graze_body *body, float x)
{
    const float joint[12] = {1, 0, 0, x, 0, 1, 0, 0.1f, 0, 0, 1, 0.2f};
    graze_pose pose = {.joints = joint, .joint_count = 1};
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
}

/* A finder, asked twice, the second time about more; true if nothing failed. */
static bool find_twice(pair_of_balls *balls, contact_set *kept, test_memory *c, uint64_t fail_at,
                       graze_status *status, graze_error *error)
{
    graze_allocator hooks = test_memory_allocator(c);
    graze_contact_finder_def def = {0};
    graze_contact_finder *untouched = (graze_contact_finder *)(uintptr_t)0x5a5a;
    contact_set found = {.finder = untouched};
    graze_body *a = balls->bodies[0], *b = balls->bodies[1];
    def.allocator = &hooks;
    c->fail_at = c->calls + fail_at;
    *status =
        graze_contact_finder_create(balls->models[0], balls->models[1], &def, &found.finder, error);
    if (*status) {
        CHECK(found.finder == untouched);
        return false;
    }
    for (int k = 0; k < 2 && !*status; k++) {
        move(a, k ? 1 : 1.9f);
        *status = contact_set_find(&found, a, b, NULL, error);
        CHECK(!*status || found.count == 0);
    }
    bool done = !*status;
    /* Whatever failed, the next question is answered. */
    c->fail_at = 0;
    move(a, 1);
    CHECK(!contact_set_find(&found, a, b, NULL, NULL));
    CHECK(!contact_set_find(kept, a, b, NULL, NULL));
    CHECK(found.count == 1 && kept->count == 1 &&
          !memcmp(found.contacts, kept->contacts, sizeof *found.contacts));
    uint64_t calls = c->calls;
    for (int k = 0; k < 10; k++) {
        move(a, 1 + 0.1f * (float)k);
        CHECK(!contact_set_find(&found, a, b, NULL, NULL));
    }
    CHECK_MSG(c->calls == calls, "a warm finder allocates");
    contact_set_free(&found);
    return done;
}

TEST(every_allocation_fails_once)
{
    test_memory models = {0}, c = {0};
    graze_allocator hooks = test_memory_allocator(&models);
    pair_of_balls balls = make_balls(&hooks);
    contact_set kept;
    REQUIRE(contact_set_open(&kept, balls.models[0], balls.models[1], NULL));
    uint64_t failures = 0;
    for (bool done = false; !done;) {
        graze_error error = {.text = ""};
        graze_status status;
        done = find_twice(&balls, &kept, &c, failures + 1, &status, &error);
        CHECK(c.alive == 0);
        CHECK(done || (status == GRAZE_OUT_OF_MEMORY && error.text[0]));
        failures += !done;
        REQUIRE(failures < 1000);
    }
    printf("     %llu allocations failed\n", (unsigned long long)failures);
    CHECK(failures > 20);
    contact_set_free(&kept);
    free_balls(&balls);
    CHECK(models.alive == 0);
}

static void check_refused(graze_status status, const graze_error *error, const char *word, int line)
{
    test_check(status == GRAZE_BAD_INPUT && error->status == GRAZE_BAD_INPUT &&
                   strstr(error->text, word),
               __FILE__, line, "status %d, \"%s\", not about %s", (int)status, error->text, word);
}

#define REFUSED(call, word)                                                                        \
    do {                                                                                           \
        graze_error error = {.text = ""};                                                          \
        graze_status status = (call);                                                              \
        check_refused(status, &error, word, __LINE__);                                             \
    } while (0)

TEST(bad_input_is_refused)
{
    pair_of_balls balls = make_balls(NULL);
    OWN(pair_of_balls) others = make_balls(NULL);
    contact_set found = {0};
    graze_body *a = balls.bodies[0], *b = balls.bodies[1];
    REFUSED(graze_contact_finder_create(NULL, balls.models[1], NULL, &found.finder, &error),
            "model a");
    REFUSED(graze_contact_finder_create(balls.models[0], NULL, NULL, &found.finder, &error),
            "model b");
    CHECK(!found.finder);
    REQUIRE(contact_set_open(&found, balls.models[0], balls.models[1], NULL));
    REFUSED(contact_set_find(&found, NULL, b, NULL, &error), "body a");
    REFUSED(contact_set_find(&found, a, NULL, NULL, &error), "body b");
    REFUSED(contact_set_find(&found, a, a, NULL, &error), "same");
    REFUSED(contact_set_find(&found, others.bodies[0], b, NULL, &error), "body a");
    REFUSED(contact_set_find(&found, a, others.bodies[1], NULL, &error), "body b");
    REFUSED(contact_set_find(&found, b, a, NULL, &error), "body a");

    move(a, 1);
    CHECK(!contact_set_find(&found, a, b, NULL, NULL) && found.count == 1);
    graze_pair apart = {0}, wrong = {.b = 1u << 20};
    move(a, 50);
    REFUSED(contact_set_from_pairs(&found, a, b, &apart, 1, &error), "do not meet");
    CHECK(found.count == 0);
    REFUSED(contact_set_from_pairs(&found, a, b, &wrong, 1, &error), "pair 0");
    REFUSED(contact_set_from_pairs(&found, a, b, NULL, 3, &error), "NULL");
    CHECK(!contact_set_from_pairs(&found, a, b, NULL, 0, NULL));
    CHECK(found.count == 0);

    graze_model_destroy(balls.models[0]); /* a and the finder hold it */
    move(a, 1);
    CHECK(!contact_set_find(&found, a, b, NULL, NULL) && found.count == 1);
    contact_set_free(&found);
    graze_contact_finder_destroy(NULL);
    graze_body_destroy(a);
    graze_body_destroy(b);
    graze_model_destroy(balls.models[1]);
}

TEST(pairs_may_come_in_any_order_and_twice)
{
    OWN(pair_of_balls) balls = make_balls(NULL);
    OWN(contact_set) found = {0};
    REQUIRE(contact_set_open(&found, balls.models[0], balls.models[1], NULL));
    move(balls.bodies[0], 1);
    CHECK(!contact_set_find(&found, balls.bodies[0], balls.bodies[1], NULL, NULL));
    size_t count;
    const graze_contact_segment *segments = graze_contact_segments(found.finder, &count);
    const graze_contact expected = found.contacts[0];
    const float length = found.details[0].length;
    OWNED graze_pair *pairs = malloc(2 * count * sizeof *pairs);
    for (size_t i = 0; i < 2 * count; i++)
        pairs[i] = (graze_pair){.a = segments[(7 * i + 5) % count].a,
                                .b = segments[(7 * i + 5) % count].b};
    CHECK(count % 7 != 0);
    CHECK(
        !contact_set_from_pairs(&found, balls.bodies[0], balls.bodies[1], pairs, 2 * count, NULL));
    CHECK(found.count == 1 && found.contacts[0].pair_count == count);
    CHECK(found.contacts[0].depth == expected.depth && found.details[0].length == length);
}

/* Only what is near is posed: large balls that overlap a little. */
TEST(contacts_are_lazy)
{
    OWN(solid) s = {0};
    OWN(graze_model) *model = NULL;
    solid_add_ball(&s, 1, 150);
    OWN(graze_body) *a = solid_body(&s, NULL, &model), *b = NULL;
    OWN(contact_set) found = {0};
    REQUIRE(!graze_body_create(model, &b, NULL));
    REQUIRE(contact_set_open(&found, model, model, NULL));
    graze_stats all = {0};
    move(a, 1.9f);
    CHECK(!contact_set_find(&found, a, b, &all, NULL));
    graze_model_info info = graze_model_get_info(model);
    printf("     %llu of %u vertices posed, depth %g\n", (unsigned long long)all.vertices_posed,
           2 * info.vertex_count, (double)found.contacts[0].depth);
    CHECK(all.vertices_posed < info.vertex_count / 4);
    move(a, 3);
    all = (graze_stats){0};
    CHECK(!contact_set_find(&found, a, b, &all, NULL) && found.count == 0);
    CHECK(all.vertices_posed == 0 && all.nodes_refit <= 2);
}
