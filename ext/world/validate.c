/* Whether a world is what its updates take it to be. */
#include "base/memory.h"
#include "base/status.h"
#include "body/mask.h"
#include "world/world.h"

/* Places that are free are on the list of those, each once. */
static graze_status check_places(const graze_world *world, graze_error *error)
{
    size_t count = world->things.count, free = 0, listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const grazei_thing *thing = grazei_thing_of(world, i);
        GRAZEI_EXPECT(thing->kind <= GRAZEI_SHAPE && thing->generation != 0 &&
                          (thing->kind == GRAZEI_BODY) == (thing->body != NULL) &&
                          thing->category < GRAZE_MAX_CATEGORIES,
                      error, "id %u.%u is of nothing that can be", i, thing->generation);
        free += thing->kind == GRAZEI_FREE;
    }
    for (uint32_t i = world->first_free; i != GRAZEI_NOBODY && listed <= free; listed++) {
        GRAZEI_EXPECT(i < count && grazei_thing_of(world, i)->kind == GRAZEI_FREE, error,
                      "place %u is listed as free", i);
        i = grazei_thing_of(world, i)->next_free;
    }
    GRAZEI_EXPECT(listed == free, error, "%zu places are free, and %zu are listed", free, listed);
    return GRAZE_OK;
}

/* Bodies and models are found by their pointers, and counted. */
static graze_status check_bodies(const graze_world *world, graze_error *error)
{
    size_t bodies = 0, held = 0;
    uint32_t solid = 0;
    for (uint32_t i = 0; i < world->things.count; i++) {
        const graze_body *body = grazei_thing_of(world, i)->body;
        const grazei_member *member = grazei_member_of(world, i);
        if (!body)
            continue;
        GRAZEI_EXPECT(grazei_index_get(&world->bodies, grazei_pointer_key(body)) == i, error,
                      "body %u is not found by its pointer", i);
        GRAZEI_EXPECT(member->model < world->models.count &&
                          ((const grazei_world_model *)world->models.items)[member->model].model ==
                              grazei_body_model(body),
                      error, "body %u is not of the model that the world says", i);
        bodies++;
        solid += member->solid;
    }
    for (size_t m = 0; m < world->models.count; m++)
        held += ((const grazei_world_model *)world->models.items)[m].body_count;
    GRAZEI_EXPECT(bodies == world->bodies.count && bodies == held && solid == world->solid_count,
                  error, "%zu bodies are there, %zu indexed, %zu counted by model", bodies,
                  world->bodies.count, held);
    return GRAZE_OK;
}

static bool holds(const grazei_bound *box, const float point[3])
{
    for (int k = 0; k < 3; k++)
        if (!(-(double)box->low_negated[k] - 1e-36 <= (double)point[k] &&
              (double)point[k] <= (double)box->high[k] + 1e-36))
            return false;
    return true;
}

/* A body's box holds every vertex that takes part. */
static graze_status check_box(graze_body *body, const grazei_bound *box, uint32_t index,
                              graze_error *error)
{
    const grazei_mesh *mesh = grazei_body_mesh(body);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        float points[3][3];
        graze_status status = GRAZE_OK;
        if (grazei_body_takes(body, t))
            status =
                graze_body_get_vertices(body, mesh->triangles + 3 * (size_t)t, 3, points[0], error);
        if (status)
            return status;
        for (uint32_t c = 0; c < 3 && grazei_body_takes(body, t); c++)
            GRAZEI_EXPECT(holds(box, points[c]), error,
                          "the box of body %u does not hold triangle %u", index, t);
    }
    return GRAZE_OK;
}

/* Those that were found in the poses that bodies are in. */
static graze_status check_boxes(const graze_world *world, graze_error *error)
{
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < world->things.count && !status; i++) {
        const grazei_thing *thing = grazei_thing_of(world, i);
        if (thing->body && thing->has_box &&
            thing->pose_number == grazei_body_pose_number(thing->body))
            status = check_box(thing->body, (const grazei_bound *)world->boxes.items + i, i, error);
    }
    return status;
}

/* What is listed is in the order of the broad phase once, and nothing else is. */
static graze_status check_order(const graze_world *world, graze_error *error)
{
    const grazei_bound *order = world->order.items;
    size_t listed = 0;
    for (uint32_t i = 0; i < world->things.count; i++)
        listed += grazei_thing_of(world, i)->listed;
    GRAZEI_EXPECT(listed == world->order.count, error, "%zu things are listed, %zu in order",
                  listed, world->order.count);
    for (size_t i = 0; i < world->order.count; i++)
        GRAZEI_EXPECT(order[i].spare < world->things.count &&
                          grazei_thing_of(world, order[i].spare)->listed,
                      error, "place %zu of the order is of nothing that is listed", i);
    return GRAZE_OK;
}

/* Candidates and those who met ascend by their keys, the smaller index first. */
static graze_status check_pairs(const graze_world *world, graze_error *error)
{
    const grazei_candidate *candidates = world->candidates.items;
    const grazei_met *met = world->met.items;
    uint64_t before = 0;
    for (size_t i = 0; i < world->candidates.count; i++) {
        uint64_t key = candidates[i].key;
        GRAZEI_EXPECT((key >> 32) < (uint32_t)key && (uint32_t)key < world->things.count &&
                          (i == 0 || key > before),
                      error, "candidate %zu is out of order", i);
        before = key;
    }
    for (size_t i = 0; i < world->met.count; i++) {
        uint32_t a = met[i].a.index, b = met[i].b.index;
        uint64_t key = (uint64_t)a << 32 | b;
        GRAZEI_EXPECT(a < b && b < world->things.count && (i == 0 || key > before), error,
                      "pair %zu of those that met is out of order", i);
        before = key;
    }
    return GRAZE_OK;
}

/* Rules are the same both ways. */
static graze_status check_rules(const graze_world *world, graze_error *error)
{
    for (uint32_t a = 0; a < GRAZE_MAX_CATEGORIES; a++)
        for (uint32_t b = 0; b < a; b++)
            GRAZEI_EXPECT(world->rules[a][b] == world->rules[b][a] &&
                              world->motions[a][b] == world->motions[b][a] &&
                              world->with_contacts[a][b] == world->with_contacts[b][a],
                          error, "categories %u and %u have two rules", a, b);
    return GRAZE_OK;
}

graze_status graze_world_validate(const graze_world *world, graze_error *error)
{
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = check_places(world, error);
    if (!status)
        status = check_bodies(world, error);
    if (!status)
        status = check_rules(world, error);
    if (!status)
        status = check_order(world, error);
    if (!status)
        status = check_pairs(world, error);
    if (!status)
        status = grazei_boxes_validate(world, error);
    return status ? status : check_boxes(world, error);
}
