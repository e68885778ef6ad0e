/* Candidates decided by triangles: two bodies, or a body and a shape. */
#include "base/status.h"
#include "body/body.h"
#include "world/ask.h"

#include <graze/touch.h>

/* ---- pairs of triangles --------------------------------------------------------------------- */

typedef struct pair_taker {
    grazei_asked *job;
    const graze_model *a, *b;
} pair_taker;

static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    pair_taker *taker = user;
    taker->job->candidate->pairs += count;
    for (size_t i = 0; i < count; i++)
        if (!grazei_put_part(taker->job, graze_model_triangle_part(taker->a, pairs[i].a),
                             graze_model_triangle_part(taker->b, pairs[i].b)))
            return false;
    return true;
}

/* ---- pieces of the intersection ------------------------------------------------------------- */

static float square_length(const graze_contact_segment *segment)
{
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        float d = segment->ends[1][k] - segment->ends[0][k];
        sum += d * d;
    }
    return sum;
}

typedef struct piece_taker {
    grazei_asked *job;
    bool turned; /* the finder's first body is the second of the pair */
} piece_taker;

/* Pieces of the intersection; mark_piece follows. */
static bool take_pieces(void *user, const graze_contact *pieces, size_t count)
{
    const piece_taker *taker = user;
    for (size_t i = 0; i < count; i++) {
        graze_contact contact = grazei_turned_contact(&pieces[i], taker->turned);
        if (!grazei_put_contact(taker->job, &contact))
            return false;
    }
    return true;
}

/* On the triangles with the longest segment; the finder's number of it goes. */
static void mark_piece(graze_contact *contact, const graze_contact_finder *finder, bool turned)
{
    graze_contact_details details;
    size_t count;
    graze_contact_get_details(finder, contact->number, &details);
    const graze_contact_segment *first =
        graze_contact_segments(finder, &count) + details.first_segment;
    GRAZE_ASSERT(details.first_segment + contact->pair_count <= count);
    const graze_contact_segment *longest = first;
    for (uint32_t i = 1; i < contact->pair_count; i++)
        if (square_length(&first[i]) > square_length(longest))
            longest = &first[i];
    contact->triangles[turned] = longest->a;
    contact->triangles[!turned] = longest->b;
    contact->number = 0;
}

static bool put_segments(grazei_asked *job, const graze_contact_finder *finder, bool turned)
{
    const graze_model *a = grazei_body_model(grazei_thing_of(job->world, job->a)->body);
    const graze_model *b = grazei_body_model(grazei_thing_of(job->world, job->b)->body);
    size_t count;
    const graze_contact_segment *segments = graze_contact_segments(finder, &count);
    job->candidate->pairs += count;
    for (size_t i = 0; i < count; i++)
        if (!grazei_put_part(job,
                             graze_model_triangle_part(a, turned ? segments[i].b : segments[i].a),
                             graze_model_triangle_part(b, turned ? segments[i].a : segments[i].b)))
            return false;
    return true;
}

/* A finder is for two models in one order; the bodies may come in the other. */
static graze_status find_contacts(grazei_asked *job, graze_error *error)
{
    graze_world *world = job->world;
    graze_body *bodies[2] = {grazei_thing_of(world, job->a)->body,
                             grazei_thing_of(world, job->b)->body};
    uint32_t models[2] = {grazei_member_of(world, job->a)->model,
                          grazei_member_of(world, job->b)->model};
    piece_taker taker = {job, models[0] > models[1]};
    bool turned = taker.turned;
    graze_contact_finder *finder;
    graze_contact_list pieces = {.report = take_pieces, .user = &taker};
    const graze_options options = {.stats = &job->own->stats};
    size_t before = job->own->contacts.count;
    graze_status status = grazei_find_finder(job, models[turned], models[!turned], &finder, error);
    if (!status)
        status = graze_contacts(finder, bodies[turned], bodies[!turned], &pieces, &options, error);
    if (status || job->out_of_memory || !put_segments(job, finder, turned))
        return status;
    graze_contact *contacts = job->own->contacts.items;
    for (size_t i = before; i < job->own->contacts.count; i++)
        mark_piece(&contacts[i], finder, turned);
    return GRAZE_OK;
}

/* ---- two bodies ----------------------------------------------------------------------------- */

static graze_status ask_bodies(grazei_asked *job, graze_error *error)
{
    if (job->with_contacts)
        return find_contacts(job, error);
    graze_body *a = grazei_thing_of(job->world, job->a)->body;
    graze_body *b = grazei_thing_of(job->world, job->b)->body;
    pair_taker taker = {job, grazei_body_model(a), grazei_body_model(b)};
    graze_pair_list pairs = {.report = take_pairs, .user = &taker};
    const graze_options options = {.stats = &job->own->stats};
    return graze_pairs(a, b, &pairs, &options, error);
}

/* ---- a body and a shape --------------------------------------------------------------------- */

typedef struct touch_taker {
    grazei_asked *job;
    const graze_model *model;
    uint32_t part;
    bool turned; /* the shape belongs to the first */
} touch_taker;

static bool take_triangles(void *user, const uint32_t *triangles, size_t count)
{
    touch_taker *taker = user;
    taker->job->candidate->pairs += count;
    for (size_t i = 0; i < count; i++) {
        uint32_t group = graze_model_triangle_part(taker->model, triangles[i]);
        if (!grazei_put_part(taker->job, taker->turned ? taker->part : group,
                             taker->turned ? group : taker->part))
            return false;
    }
    return true;
}

static bool take_touches(void *user, const graze_contact *contacts, size_t count)
{
    touch_taker *taker = user;
    taker->job->candidate->pairs += count;
    for (size_t i = 0; i < count; i++) {
        graze_contact touch = contacts[i];
        touch.parts[1] = taker->part;
        for (int k = 0; k < 3; k++)
            touch.normal[k] += 0; /* no -0 */
        touch = grazei_turned_contact(&touch, taker->turned);
        if (!grazei_put_touch(taker->job, &touch))
            return false;
    }
    return true;
}

graze_status grazei_ask_touch(grazei_asked *job, graze_body *body, const graze_shape *shape,
                              uint32_t part, bool turned, graze_error *error)
{
    touch_taker taker = {job, grazei_body_model(body), part, turned};
    const graze_options options = {.stats = &job->own->stats};
    graze_contact_list touches = {.report = take_touches, .user = &taker};
    graze_triangle_list triangles = {.report = take_triangles, .user = &taker};
    return job->with_contacts ? graze_touch_contacts(body, shape, &touches, &options, error)
                              : graze_touch(body, shape, &triangles, &options, error);
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
    graze_contact contact;
    bool meet = false;
    graze_status status = grazei_shapes_meet(a, b, &meet, error);
    if (status || !meet)
        return status;
    if (job->with_contacts && grazei_shapes_contact(a, b, &contact))
        grazei_put_touch(job, &contact);
    else
        grazei_put_part(job, 0, 0);
    return GRAZE_OK;
}
