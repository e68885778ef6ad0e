/* The level of parts in a world with volumes of level 3: contacts are those of
 * graze/ext/hitbox.h, from either side.
 */
#include "harness.h"

#include "support/finders.h"
#include "support/own.h"
#include "support/solids.h"

#include <graze/ext/hitbox.h>
#include <graze/ext/world.h>
#include <graze/graze.h>

#include <math.h>
#include <string.h>

static void place(graze_body *body, double x)
{
    const float placement[12] = {1, 0, 0, (float)x, 0, 1, 0, 0, 0, 0, 1, 0};
    graze_pose pose = {.placement = placement};
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
}

/* Two balls, or a ball and a sphere, 1.8 apart. */
static void check_contacts(bool with_shape, bool exchanged)
{
    enum { ROOM = 64 };
    OWN(solid) ball = {0};
    OWN(graze_model) *model = NULL;
    OWN(graze_hitboxes) *fit = NULL;
    OWN(graze_world) *world = NULL;
    OWN(part_finder) *finder = NULL;
    graze_world_id id;
    graze_capsule volumes[2][ROOM];
    const float there[3] = {1.8f, 0, 0};
    graze_shape sphere = graze_shape_sphere(there, 1);
    graze_hitboxes_def fit_def = {0};
    graze_hitbox_def fine = {0};
    graze_world_rule rule = {.level = GRAZE_LEVEL_HITBOXES, .contacts = true};
    size_t count = 0;
    solid_add_ball(&ball, 1, 8);
    OWN(graze_body) *a = solid_body(&ball, NULL, &model), *b = NULL;
    REQUIRE(graze_body_create(model, &b, NULL) == GRAZE_OK);
    fine.inner = true;
    fine.rest.radius = 0.97f;
    fit_def.given = &fine;
    fit_def.given_count = 1;
    REQUIRE(graze_hitboxes_create(model, &fit_def, &fit, NULL) == GRAZE_OK);
    REQUIRE(graze_world_create(NULL, &world, NULL) == GRAZE_OK);
    REQUIRE(graze_world_set_rule(world, 0, 0, &rule, NULL) == GRAZE_OK);
    place(b, 1.8);
    for (int i = 0; i < 2; i++) {
        bool first = (i == 0) != exchanged;
        const graze_world_member_def def = {.hitboxes = first || !with_shape ? fit : NULL};
        CHECK((first        ? graze_world_add_body(world, a, &def, &id, NULL)
               : with_shape ? graze_world_add_shape(world, &sphere, &def, &id, NULL)
                            : graze_world_add_body(world, b, &def, &id, NULL)) == GRAZE_OK);
    }
    REQUIRE(graze_world_update(world, NULL, NULL) == GRAZE_OK);
    const graze_world_event *events = graze_world_events(world, &count);
    REQUIRE(count == 1 && events->contact_count == 1 && events->part_count == 1);

    CHECK(graze_hitboxes_pose(fit, a, volumes[0], ROOM, NULL) == GRAZE_OK);
    CHECK(graze_hitboxes_pose(fit, b, volumes[1], ROOM, NULL) == GRAZE_OK);
    graze_posed_hitboxes first = {fit, a, volumes[0]}, second = {fit, b, volumes[1]};
    REQUIRE(part_finder_create(NULL, &finder, NULL) == GRAZE_OK);
    REQUIRE((with_shape ? part_finder_touch(finder, &first, &sphere, NULL, NULL)
                        : part_finder_find(finder, &first, &second, NULL, NULL)) == GRAZE_OK);
    REQUIRE(part_finder_count(finder) == 1);
    const graze_contact *wanted = part_finder_get(finder, 0);
    const graze_contact *got = events->contacts;
    CHECK(got->depth == wanted->depth && !memcmp(got->point, wanted->point, sizeof got->point));
    for (int k = 0; k < 3; k++)
        CHECK(got->normal[k] == (exchanged ? 0 - wanted->normal[k] : wanted->normal[k]));
    CHECK(got->triangles[exchanged] == wanted->triangles[0] &&
          got->triangles[!exchanged] == wanted->triangles[1]);
    CHECK(fabsf(got->depth - 0.2f) < 0.1f);
}

TEST(contacts_by_fine_volumes)
{
    for (int i = 0; i < 4; i++)
        check_contacts(i & 1, i & 2);
}

/* A plate, whose outer hitbox is far larger than it is, and a ball of triangles above it; the ball
 * without hitboxes, or with outer ones.
 */
static void check_plate(double height, bool fitted_ball, bool exchanged, double depth)
{
    const double low[3] = {-1, -0.1, -1}, high[3] = {1, 0.1, 1};
    solid plate = {0}, ball = {0};
    graze_model *models[2] = {NULL, NULL};
    graze_hitboxes *fits[2] = {NULL, NULL};
    graze_world *world = NULL;
    graze_world_id id;
    graze_world_rule rule = {.level = GRAZE_LEVEL_HITBOXES, .contacts = true};
    graze_hitbox_def inner = {.inner = true, .rest = {.radius = 0.1f}};
    const graze_hitboxes_def plate_def = {.given = &inner, .given_count = 1};
    size_t count = 0;
    solid_add_box(&plate, low, high, 4);
    solid_add_ball(&ball, 0.5, 16);
    graze_body *bodies[2] = {solid_body(&plate, NULL, &models[0]),
                             solid_body(&ball, NULL, &models[1])};
    const float placement[12] = {1, 0, 0, 0, 0, 1, 0, (float)height, 0, 0, 1, 0};
    const graze_pose above = {.placement = placement};
    CHECK(graze_body_set_pose(bodies[1], &above, NULL) == GRAZE_OK);
    REQUIRE(graze_hitboxes_create(models[0], &plate_def, &fits[0], NULL) == GRAZE_OK);
    if (fitted_ball)
        REQUIRE(graze_hitboxes_create(models[1], NULL, &fits[1], NULL) == GRAZE_OK);
    REQUIRE(graze_world_create(NULL, &world, NULL) == GRAZE_OK);
    REQUIRE(graze_world_set_rule(world, 0, 0, &rule, NULL) == GRAZE_OK);
    for (int i = 0; i < 2; i++) {
        const graze_world_member_def def = {.hitboxes = fits[i != exchanged]};
        CHECK(graze_world_add_body(world, bodies[i != exchanged], &def, &id, NULL) == GRAZE_OK);
    }
    REQUIRE(graze_world_update(world, NULL, NULL) == GRAZE_OK);
    const graze_world_event *events = graze_world_events(world, &count);
    uint32_t contacts = count ? events->contact_count : 0;
    CHECK_MSG(contacts == (depth > 0), "height %g: %u contacts", height, contacts);
    if (depth > 0 && contacts) {
        const graze_contact *got = events->contacts;
        CHECK_MSG(fabs((double)got->depth - depth) < 0.01, "height %g: depth %g", height,
                  (double)got->depth);
        CHECK(fabsf(got->normal[1] - (exchanged ? 1 : -1)) < 0.01f && got->pair_count);
    }
    graze_world_destroy(world);
    for (int i = 0; i < 2; i++) {
        graze_hitboxes_destroy(fits[i]);
        graze_body_destroy(bodies[i]);
        graze_model_destroy(models[i]);
    }
    solid_free(&plate);
    solid_free(&ball);
}

TEST(inner_hitboxes_measure_a_mesh_that_has_none)
{
    for (int i = 0; i < 4; i++) {
        check_plate(1, i & 1, i & 2, 0); /* 0.4 apart */
        check_plate(0.63, i & 1, i & 2, 0);
        check_plate(0.55, i & 1, i & 2, 0.05);
    }
}
