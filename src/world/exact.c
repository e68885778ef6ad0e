/* Candidates decided by triangles: two bodies, or a body and a shape. */
#include "base/status.h"
#include "body/body.h"
#include "world/ask.h"

#include <graze/contact.h>
#include <graze/query.h>

/* ---- two bodies ----------------------------------------------------------------------------- */

typedef struct pair_taker {
    grazei_asked *job;
    const graze_model *a, *b;
} pair_taker;

/* A graze_pair_fn. */
static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    pair_taker *taker = user;
    taker->job->candidate->pairs += count;
    for (size_t i = 0; i < count; i++)
        if (!grazei_put_part(taker->job, graze_model_triangle_group(taker->a, pairs[i].a),
                             graze_model_triangle_group(taker->b, pairs[i].b)))
            return false;
    return true;
}

static float square_length(const graze_contact_segment *segment)
{
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        float d = segment->ends[1][k] - segment->ends[0][k];
        sum += d * d;
    }
    return sum;
}

/* One piece of the intersection, marked on the triangles with the longest segment. turned: the
 * finder's first body is the second of the pair.
 */
static bool put_piece(grazei_asked *job, const graze_contact *from,
                      const graze_contact_segment *segments, bool turned)
{
    uint32_t longest = from->first;
    graze_world_contact contact = {.depth = from->depth};
    for (uint32_t i = from->first; i < from->first + from->count; i++)
        if (square_length(&segments[i]) > square_length(&segments[longest]))
            longest = i;
    for (int k = 0; k < 3; k++) {
        contact.point[k] = from->point[k];
        contact.normal[k] = turned ? 0 - from->normal[k] : from->normal[k];
    }
    contact.parts = (graze_part_pair){from->groups[turned], from->groups[!turned]};
    contact.triangles[turned] = segments[longest].a;
    contact.triangles[!turned] = segments[longest].b;
    return grazei_put_contact(job, &contact);
}

/* A finder is for two models in one order; the bodies may come in the other. */
static graze_status find_contacts(grazei_asked *job, graze_error *error)
{
    graze_world *world = job->world;
    graze_body *bodies[2] = {grazei_thing_of(world, job->a)->body,
                             grazei_thing_of(world, job->b)->body};
    uint32_t models[2] = {grazei_member_of(world, job->a)->model,
                          grazei_member_of(world, job->b)->model};
    bool turned = models[0] > models[1];
    graze_contacts *finder;
    uint32_t count;
    graze_status status = grazei_find_finder(job, models[turned], models[!turned], &finder, error);
    if (!status)
        status =
            graze_contacts_find(finder, bodies[turned], bodies[!turned], &job->own->stats, error);
    if (status)
        return status;
    const graze_contact_segment *segments = graze_contacts_segments(finder, &count);
    const graze_model *a = grazei_body_model(bodies[0]), *b = grazei_body_model(bodies[1]);
    job->candidate->pairs += count;
    for (uint32_t i = 0; i < count; i++)
        if (!grazei_put_part(job,
                             graze_model_triangle_group(a, turned ? segments[i].b : segments[i].a),
                             graze_model_triangle_group(b, turned ? segments[i].a : segments[i].b)))
            return GRAZE_OK;
    for (uint32_t i = 0; i < graze_contacts_count(finder); i++)
        if (!put_piece(job, graze_contacts_get(finder, i), segments, turned))
            return GRAZE_OK;
    return GRAZE_OK;
}

static graze_status ask_bodies(grazei_asked *job, graze_error *error)
{
    if (job->with_contacts)
        return find_contacts(job, error);
    graze_body *a = grazei_thing_of(job->world, job->a)->body;
    graze_body *b = grazei_thing_of(job->world, job->b)->body;
    pair_taker taker = {job, grazei_body_model(a), grazei_body_model(b)};
    return graze_collide(a, b, take_pairs, &taker, &job->own->stats, error);
}

/* ---- a body and a shape --------------------------------------------------------------------- */

typedef struct touch_taker {
    grazei_asked *job;
    const graze_model *model;
    uint32_t part;
    bool turned; /* the shape belongs to the first */
} touch_taker;

/* A graze_triangle_fn. */
static bool take_triangles(void *user, const uint32_t *triangles, size_t count)
{
    touch_taker *taker = user;
    taker->job->candidate->pairs += count;
    for (size_t i = 0; i < count; i++) {
        uint32_t group = graze_model_triangle_group(taker->model, triangles[i]);
        if (!grazei_put_part(taker->job, taker->turned ? taker->part : group,
                             taker->turned ? group : taker->part))
            return false;
    }
    return true;
}

/* A graze_shape_contact_fn. Normals are the way in which the shape leaves the body. */
static bool take_touches(void *user, const graze_shape_contact *contacts, size_t count)
{
    touch_taker *taker = user;
    taker->job->candidate->pairs += count;
    for (size_t i = 0; i < count; i++)
        if (!grazei_put_touch(taker->job, taker->turned ? taker->part : contacts[i].group,
                              taker->turned ? contacts[i].group : taker->part, &contacts[i],
                              !taker->turned))
            return false;
    return true;
}

graze_status grazei_ask_touch(grazei_asked *job, graze_body *body, const graze_shape *shape,
                              uint32_t part, bool turned, graze_error *error)
{
    touch_taker taker = {job, grazei_body_model(body), part, turned};
    job->triangle_side = turned;
    if (job->with_contacts)
        return graze_touch_contacts(body, shape, take_touches, &taker, &job->own->stats, error);
    return graze_touch(body, shape, take_triangles, &taker, &job->own->stats, error);
}

graze_status grazei_ask_triangles(grazei_asked *job, graze_error *error)
{
    graze_body *a = grazei_thing_of(job->world, job->a)->body;
    graze_body *b = grazei_thing_of(job->world, job->b)->body;
    if (a && b)
        return ask_bodies(job, error);
    if (a)
        return grazei_ask_touch(job, a, grazei_shape_of(job->world, job->b), 0, false, error);
    return grazei_ask_touch(job, b, grazei_shape_of(job->world, job->a), 0, true, error);
}

graze_status grazei_ask_shapes(grazei_asked *job, graze_error *error)
{
    const graze_shape *a = grazei_shape_of(job->world, job->a);
    const graze_shape *b = grazei_shape_of(job->world, job->b);
    graze_shape_contact contact;
    bool meet = false;
    graze_status status = grazei_shapes_meet(a, b, &meet, error);
    if (status || !meet)
        return status;
    if (job->with_contacts && grazei_shapes_contact(a, b, &contact))
        grazei_put_touch(job, 0, 0, &contact, false);
    else
        grazei_put_part(job, 0, 0);
    return GRAZE_OK;
}
