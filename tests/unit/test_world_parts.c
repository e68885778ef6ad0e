/* The level of parts in a world with volumes of level 3: contacts are those of
 * graze/part_contact.h, from either side.
 */
#include "harness.h"

#include "support/solids.h"

#include <graze/graze.h>
#include <graze/part_contact.h>

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
    solid ball = {0};
    graze_model *model = NULL;
    graze_fit *fit = NULL;
    graze_world *world = NULL;
    graze_part_contacts *finder = NULL;
    graze_world_id id;
    graze_capsule volumes[2][ROOM];
    const float there[3] = {1.8f, 0, 0};
    graze_shape sphere = graze_shape_sphere(there, 1);
    graze_fit_def fit_def = graze_default_fit_def();
    graze_volume_def fine = graze_default_volume_def();
    graze_world_rule rule = {.level = GRAZE_LEVEL_PARTS, .contacts = true};
    size_t count = 0;
    solid_add_ball(&ball, 1, 8);
    graze_body *a = solid_body(&ball, NULL, &model), *b = NULL;
    REQUIRE(graze_body_create(model, &b, NULL) == GRAZE_OK);
    fine.level = 3;
    fine.rest.radius = 0.97f;
    REQUIRE(graze_fit_create_from(model, &fine, 1, &fit_def, &fit, NULL) == GRAZE_OK);
    REQUIRE(graze_world_create(NULL, &world, NULL) == GRAZE_OK);
    REQUIRE(graze_world_set_rule(world, 0, 0, &rule, NULL) == GRAZE_OK);
    place(b, 1.8);
    for (int i = 0; i < 2; i++) {
        bool first = (i == 0) != exchanged;
        const graze_world_member_def def = {.fit = first || !with_shape ? fit : NULL};
        CHECK((first        ? graze_world_add_body(world, a, &def, &id, NULL)
               : with_shape ? graze_world_add_shape(world, &sphere, &def, &id, NULL)
                            : graze_world_add_body(world, b, &def, &id, NULL)) == GRAZE_OK);
    }
    REQUIRE(graze_world_update(world, NULL, NULL, NULL) == GRAZE_OK);
    const graze_world_event *events = graze_world_events(world, &count);
    REQUIRE(count == 1 && events->contact_count == 1 && events->part_count == 1);

    CHECK(graze_fit_pose(fit, a, volumes[0], ROOM, NULL) == GRAZE_OK);
    CHECK(graze_fit_pose(fit, b, volumes[1], ROOM, NULL) == GRAZE_OK);
    graze_posed_fit first = {fit, a, volumes[0]}, second = {fit, b, volumes[1]};
    REQUIRE(graze_part_contacts_create(NULL, &finder, NULL) == GRAZE_OK);
    REQUIRE((with_shape
                 ? graze_part_contacts_find_shape(finder, &first, &sphere, NULL, NULL)
                 : graze_part_contacts_find(finder, &first, &second, NULL, NULL)) == GRAZE_OK);
    REQUIRE(graze_part_contacts_count(finder) == 1);
    const graze_part_contact *wanted = graze_part_contacts_get(finder, 0);
    const graze_world_contact *got = events->contacts;
    CHECK(got->depth == wanted->depth && !memcmp(got->point, wanted->point, sizeof got->point));
    for (int k = 0; k < 3; k++)
        CHECK(got->normal[k] == (exchanged ? 0 - wanted->normal[k] : wanted->normal[k]));
    CHECK(got->triangles[exchanged] == wanted->triangles[0] &&
          got->triangles[!exchanged] == wanted->triangles[1]);
    CHECK(fabsf(got->depth - 0.2f) < 0.1f);
    graze_part_contacts_destroy(finder);
    graze_world_destroy(world);
    graze_fit_destroy(fit);
    graze_body_destroy(a);
    graze_body_destroy(b);
    graze_model_destroy(model);
    solid_free(&ball);
}

TEST(contacts_by_fine_volumes)
{
    for (int i = 0; i < 4; i++)
        check_contacts(i & 1, i & 2);
}
