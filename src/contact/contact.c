/* Contacts from pairs of triangles: the public side, and what is measured on the segments. */
#include "contact/contact.h"

#include "base/assert.h"
#include "base/status.h"
#include "math/vector.h"
#include "query/agenda.h"

/* ---- making a finder ----------------------------------------------------------------------- */

static graze_status make_sides(graze_contact_finder *finder, graze_error *error)
{
    const graze_allocator *allocator = &finder->allocator;
    bool same = finder->models[0] == finder->models[1];
    for (int side = 0; side < 2; side++) {
        const graze_model *model = finder->models[side];
        int own = same ? 0 : side;
        graze_status status = GRAZE_OK;
        finder->topology[side] = &finder->own[own];
        if (own == side)
            status = grazei_topology_build(&finder->own[side], model, allocator, error);
        if (status)
            return status;
        finder->marks[side] =
            GRAZEI_ALLOCATE_ZERO(allocator, model->mesh.vertex_count, grazei_weld_mark);
        finder->part_weights[side] =
            GRAZEI_ALLOCATE_ZERO(allocator, model->mesh.part_count, double);
        finder->masks[side] =
            GRAZEI_ALLOCATE(allocator, ((size_t)model->mesh.part_count + 31) / 32, uint32_t);
        if (!finder->marks[side] || !finder->part_weights[side] || !finder->masks[side])
            return grazei_fail_memory(error);
    }
    return GRAZE_OK;
}

graze_status graze_contact_finder_create(const graze_model *model_a, const graze_model *model_b,
                                         const graze_contact_finder_def *def,
                                         graze_contact_finder **contacts, graze_error *error)
{
    graze_status status = grazei_check_pointer(model_a, "model a", error);
    if (!status)
        status = grazei_check_pointer(model_b, "model b", error);
    if (!status)
        status = grazei_check_pointer(contacts, "where the contacts go", error);
    if (!status && def)
        status = GRAZEI_CHECK_RESERVED(def, "the def of the finder", error);
    if (status)
        return status;
    graze_contact_finder_def used = def ? *def : (graze_contact_finder_def){0};
    used.max_inside = used.max_inside ? used.max_inside : 1u << 16;
    graze_allocator allocator = used.allocator ? *used.allocator : model_a->allocator;
    graze_contact_finder *made = GRAZEI_ALLOCATE_ZERO(&allocator, 1, graze_contact_finder);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = allocator;
    made->def = used;
    made->models[0] = grazei_model_hold(model_a);
    made->models[1] = grazei_model_hold(model_b);
    status = make_sides(made, error);
    if (status)
        graze_contact_finder_destroy(made);
    else
        *contacts = made;
    return status;
}

void graze_contact_finder_destroy(graze_contact_finder *finder)
{
    if (!finder)
        return;
    graze_allocator allocator = finder->allocator;
    void *const arrays[] = {finder->pairs,
                            finder->spare,
                            finder->meetings,
                            finder->passings,
                            finder->edges,
                            finder->edge_table.slots,
                            finder->weld_table.slots,
                            finder->inners,
                            finder->points,
                            finder->queue,
                            finder->order,
                            finder->segments,
                            finder->contacts};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        grazei_release(&allocator, arrays[i]);
    for (int side = 0; side < 2; side++) {
        grazei_topology_release(&finder->own[side], &allocator);
        grazei_release(&allocator, finder->marks[side]);
        grazei_release(&allocator, finder->part_weights[side]);
        grazei_release(&allocator, finder->masks[side]);
        grazei_model_let_go(finder->models[side]);
    }
    grazei_release(&allocator, finder);
}

/* ---- pairs --------------------------------------------------------------------------------- */

bool grazei_contacts_take(graze_contact_finder *finder, const graze_pair *pairs, size_t count)
{
    GRAZE_ASSERT(count > 0);
    size_t need = finder->pair_count + count;
    /* 9 x pair must be a number for the table. */
    if (need > UINT32_MAX / 9 || !GRAZEI_CONTACT_ROOM(finder, pairs, pair_capacity, need)) {
        finder->failed = true;
        return false;
    }
    memcpy(finder->pairs + finder->pair_count, pairs, count * sizeof *pairs);
    finder->pair_count = need;
    return true;
}

static bool pair_before(graze_pair x, graze_pair y)
{
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

static void merge(const graze_pair *from, size_t middle, size_t end, graze_pair *to)
{
    size_t i = 0, k = middle;
    for (size_t n = 0; n < end; n++)
        to[n] = k == end || (i < middle && !pair_before(from[k], from[i])) ? from[i++] : from[k++];
}

/* Sorts by a, then b, and drops what is there twice. False when out of memory. */
static bool sort_pairs(graze_contact_finder *finder)
{
    size_t count = finder->pair_count, kept = 0;
    if (!GRAZEI_CONTACT_ROOM(finder, spare, spare_capacity, count))
        return false;
    graze_pair *from = finder->pairs, *to = finder->spare;
    GRAZE_ASSERT(finder->spare_capacity >= count);
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t i = 0; i < count; i += 2 * width) {
            size_t left = count - i, middle = left < width ? left : width;
            merge(from + i, middle, left < 2 * width ? left : 2 * width, to + i);
        }
        graze_pair *swapped = from;
        from = to;
        to = swapped;
    }
    for (size_t i = 0; i < count; i++)
        if (i == 0 || pair_before(from[i - 1], from[i]))
            finder->pairs[kept++] = from[i];
    finder->pair_count = kept;
    return true;
}

static void load_corners(graze_contact_finder *finder, int side, uint32_t triangle,
                         float corners[3][3])
{
    for (uint32_t c = 0; c < 3; c++)
        memcpy(corners[c],
               grazei_contact_corner(finder->topology[side], finder->bodies[side], triangle, c,
                                     finder->stats),
               sizeof corners[c]);
}

/* Segments of all pairs, and the edges that pass. */
static graze_status make_segments(graze_contact_finder *finder, graze_error *error)
{
    if (!GRAZEI_CONTACT_ROOM(finder, meetings, meeting_capacity, finder->pair_count + 1) ||
        !grazei_contact_start_edges(finder, finder->pair_count))
        return grazei_fail_memory(error);
    for (uint32_t i = 0; i < finder->pair_count; i++) {
        graze_pair pair = finder->pairs[i];
        grazei_meeting *meeting = &finder->meetings[i];
        float a[3][3], b[3][3];
        grazei_segment found;
        load_corners(finder, 0, pair.a, a);
        load_corners(finder, 1, pair.b, b);
        if (!grazei_triangle_segment((const float(*)[3])a, (const float(*)[3])b, &found))
            return grazei_fail(error, GRAZE_BAD_INPUT, "triangles %u and %u do not meet", pair.a,
                               pair.b);
        *meeting = (grazei_meeting){.segment = {.a = pair.a, .b = pair.b, .flat = found.flat},
                                    .contact = i,
                                    .first_passing = (uint32_t)finder->passing_count};
        memcpy(meeting->ends, found.ends, sizeof meeting->ends);
        for (int k = 0; k < 6; k++)
            meeting->segment.ends[k / 3][k % 3] = (float)found.ends[k / 3][k % 3];
        grazei_contact_note_edges(finder, pair, &found);
    }
    finder->meetings[finder->pair_count].first_passing = (uint32_t)finder->passing_count;
    grazei_contact_end_edges(finder);
    return GRAZE_OK;
}

/* ---- measuring ----------------------------------------------------------------------------- */

static void add_cross(const double a[3], const double b[3], double factor, double sum[3])
{
    sum[0] += factor * (a[1] * b[2] - a[2] * b[1]);
    sum[1] += factor * (a[2] * b[0] - a[0] * b[2]);
    sum[2] += factor * (a[0] * b[1] - a[1] * b[0]);
}

/* False if there is no direction. */
static bool make_unit(double v[3])
{
    double length = grazei_length(v);
    for (int axis = 0; axis < 3 && length > 0; axis++)
        v[axis] /= length;
    return length > 0;
}

/* How long a segment is; flat ones do not count. */
static double length_of(const grazei_meeting *meeting)
{
    double along[3];
    for (int axis = 0; axis < 3; axis++)
        along[axis] = meeting->ends[1][axis] - meeting->ends[0][axis];
    return meeting->segment.flat ? 0 : grazei_length(along);
}

/* What a segment counts for: its length, and all the same where none has one. */
static double weight_of(const grazei_body_contact *contact, const grazei_meeting *meeting)
{
    return contact->length > 0 ? length_of(meeting) : 1;
}

static void measure_point(const graze_contact_finder *finder, grazei_body_contact *contact)
{
    /* Far from zero, sums about a point nearby lose less. */
    const double *origin = grazei_contact_meeting(finder, contact, 0)->ends[0];
    double length = 0, weights = 0, sum[3] = {0, 0, 0};
    GRAZE_ASSERT(contact->count > 0);
    for (uint32_t i = 0; i < contact->count; i++)
        length += length_of(grazei_contact_meeting(finder, contact, i));
    contact->length = (float)length;
    for (uint32_t i = 0; i < contact->count; i++) {
        const grazei_meeting *meeting = grazei_contact_meeting(finder, contact, i);
        double weight = weight_of(contact, meeting);
        weights += weight;
        for (int axis = 0; axis < 3; axis++)
            sum[axis] += weight * (0.5 * (meeting->ends[0][axis] - origin[axis]) +
                                   0.5 * (meeting->ends[1][axis] - origin[axis]));
    }
    for (int axis = 0; axis < 3; axis++)
        contact->point[axis] = (float)(origin[axis] + sum[axis] / weights);
}

/* The vector area that the segments wind around; false if they are not closed (what goes out must
 * come back) or there is none. It points the way in which b leaves a.
 */
static bool vector_area(const graze_contact_finder *finder, grazei_body_contact *contact,
                        double area[3])
{
    double gap[3] = {0, 0, 0}, length = contact->length;
    memset(area, 0, 3 * sizeof *area);
    for (uint32_t i = 0; i < contact->count; i++) {
        const grazei_meeting *meeting = grazei_contact_meeting(finder, contact, i);
        double from[3], to[3];
        if (meeting->segment.flat)
            continue;
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = meeting->ends[0][axis] - contact->point[axis];
            to[axis] = meeting->ends[1][axis] - contact->point[axis];
            gap[axis] += to[axis] - from[axis];
        }
        add_cross(from, to, 0.5, area);
    }
    GRAZE_ASSERT(length >= 0);
    contact->closed = length > 0 && grazei_length(gap) <= 1e-3 * length;
    return contact->closed && grazei_length(area) > 1e-6 * length * length && make_unit(area);
}

static bool unit_normal(graze_contact_finder *finder, int side, uint32_t triangle, double normal[3])
{
    float corners[3][3];
    double edges[2][3];
    load_corners(finder, side, triangle, corners);
    for (int k = 0; k < 6; k++)
        edges[k / 3][k % 3] = (double)corners[k / 3 + 1][k % 3] - corners[0][k % 3];
    memset(normal, 0, 3 * sizeof *normal);
    add_cross(edges[0], edges[1], 1, normal);
    return make_unit(normal);
}

/* The mean of b's normals less a's; where they cancel, the last of b's, or any. */
static void mean_normal(graze_contact_finder *finder, const grazei_body_contact *contact,
                        double mean[3])
{
    double weights = 0, normals[2][3] = {{0}};
    memset(mean, 0, 3 * sizeof *mean);
    for (uint32_t i = 0; i < contact->count; i++) {
        const grazei_meeting *meeting = grazei_contact_meeting(finder, contact, i);
        const uint32_t triangles[2] = {meeting->segment.a, meeting->segment.b};
        double weight = weight_of(contact, meeting);
        weights += weight;
        for (int side = 0; side < 2; side++)
            if (unit_normal(finder, side, triangles[side], normals[side]))
                for (int axis = 0; axis < 3; axis++)
                    mean[axis] += (side ? weight : -weight) * normals[side][axis];
    }
    if (grazei_length(mean) > 1e-6 * weights && make_unit(mean))
        return;
    memcpy(mean, normals[1], sizeof normals[1]);
    if (!make_unit(mean))
        mean[2] = 1;
}

static uint32_t part_of(const graze_contact_finder *finder, const grazei_meeting *meeting, int side)
{
    const uint32_t *parts = finder->models[side]->mesh.triangle_parts;
    return parts[side ? meeting->segment.b : meeting->segment.a];
}

/* The body part of one side with the largest weight; of several the one that is met first. */
static uint32_t main_part(graze_contact_finder *finder, const grazei_body_contact *contact,
                          int side)
{
    double *weights = finder->part_weights[side];
    uint32_t best = part_of(finder, grazei_contact_meeting(finder, contact, 0), side);
    for (uint32_t i = 0; i < contact->count; i++) {
        const grazei_meeting *meeting = grazei_contact_meeting(finder, contact, i);
        weights[part_of(finder, meeting, side)] += weight_of(contact, meeting);
    }
    for (uint32_t i = 0; i < contact->count; i++) {
        uint32_t part = part_of(finder, grazei_contact_meeting(finder, contact, i), side);
        if (weights[part] > weights[best])
            best = part;
    }
    for (uint32_t i = 0; i < contact->count; i++)
        weights[part_of(finder, grazei_contact_meeting(finder, contact, i), side)] = 0;
    return best;
}

static bool measure(graze_contact_finder *finder, uint32_t number)
{
    GRAZE_ASSERT(number < finder->contact_count);
    grazei_body_contact *contact = &finder->contacts[number];
    double normal[3];
    if (vector_area(finder, contact, normal))
        for (int axis = 0; axis < 3; axis++)
            normal[axis] = -normal[axis];
    else
        mean_normal(finder, contact, normal);
    for (int side = 0; side < 2; side++)
        contact->parts[side] = main_part(finder, contact, side);
    double depth = grazei_contact_depth(finder, number, normal);
    contact->depth = (float)depth;
    for (int axis = 0; axis < 3; axis++)
        contact->normal[axis] = (float)normal[axis];
    return depth >= 0;
}

/* ---- searching ----------------------------------------------------------------------------- */

graze_status grazei_contacts_check(const graze_contact_finder *finder, const graze_body *a,
                                   const graze_body *b, graze_error *error)
{
    graze_status status = grazei_check_pointer(finder, "the finder", error);
    if (!status)
        status = grazei_check_pair_outside(a, b, error);
    if (status)
        return status;
    bool other_a = grazei_body_model(a) != finder->models[0];
    if (other_a || grazei_body_model(b) != finder->models[1])
        return grazei_fail(error, GRAZE_BAD_INPUT, "body %s is not of the finder's model",
                           other_a ? "a" : "b");
    if (finder->taken)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the finder is in use by another question");
    return GRAZE_OK;
}

/* Whether what takes part of a body is closed; a mask is looked at when it is new. */
static graze_status find_closed(graze_contact_finder *finder, int side, graze_error *error)
{
    const uint32_t *mask = grazei_body_mask(finder->bodies[side]);
    size_t bytes = ((size_t)finder->models[side]->mesh.part_count + 31) / 32 * sizeof *mask;
    graze_status status = GRAZE_OK;
    finder->closed[side] = finder->topology[side]->closed;
    if (!mask)
        return GRAZE_OK;
    if (!finder->mask_known[side] || memcmp(finder->masks[side], mask, bytes)) {
        memcpy(finder->masks[side], mask, bytes);
        status = grazei_model_part_is_closed(finder->models[side], mask, &finder->mask_closed[side],
                                             error);
        finder->mask_known[side] = !status;
    }
    finder->closed[side] = finder->mask_closed[side];
    return status;
}

static graze_status process(graze_contact_finder *finder, graze_error *error)
{
    if (finder->pair_count == 0)
        return GRAZE_OK;
    if (!sort_pairs(finder))
        return grazei_fail_memory(error);
    graze_status status = find_closed(finder, 0, error);
    if (!status)
        status = find_closed(finder, 1, error);
    if (!status)
        status = make_segments(finder, error);
    if (status)
        return status;
    if (!grazei_contact_join(finder))
        return grazei_fail_memory(error);
    for (size_t c = 0; c < finder->contact_count; c++) {
        measure_point(finder, &finder->contacts[c]);
        if (!grazei_contact_claim(finder, (uint32_t)c))
            return grazei_fail_memory(error);
    }
    for (size_t c = 0; c < finder->contact_count; c++)
        if (!measure(finder, (uint32_t)c))
            return grazei_fail_memory(error);
    return GRAZE_OK;
}

void grazei_contacts_open(graze_contact_finder *finder, graze_body *a, graze_body *b)
{
    finder->pair_count = finder->contact_count = 0;
    finder->failed = false;
    finder->bodies[0] = a;
    finder->bodies[1] = b;
}

graze_status grazei_contacts_close(graze_contact_finder *finder, graze_stats *stats,
                                   graze_error *error)
{
    finder->stats = stats;
    graze_status status = finder->failed ? grazei_fail_memory(error) : process(finder, error);
    if (status)
        finder->pair_count = finder->contact_count = 0;
    return status;
}

graze_contact grazei_contacts_get(const graze_contact_finder *finder, uint32_t i)
{
    GRAZE_ASSERT(i < finder->contact_count);
    const grazei_body_contact *from = &finder->contacts[i];
    const graze_contact_segment *first = &finder->segments[from->first];
    graze_contact to = {.depth = from->depth,
                        .parts = {from->parts[0], from->parts[1]},
                        .triangles = {first->a, first->b},
                        .pair_count = from->count,
                        .number = i};
    memcpy(to.point, from->point, sizeof to.point);
    memcpy(to.normal, from->normal, sizeof to.normal);
    return to;
}

bool graze_contact_get_details(const graze_contact_finder *finder, uint32_t number,
                               graze_contact_details *details)
{
    if (!details)
        return false;
    *details = (graze_contact_details){.length = 0};
    if (!finder || number >= finder->contact_count)
        return false;
    const grazei_body_contact *contact = &finder->contacts[number];
    *details = (graze_contact_details){.length = contact->length,
                                       .first_segment = contact->first,
                                       .closed = contact->closed,
                                       .full_depth = contact->full_depth};
    return true;
}

const graze_contact_segment *graze_contact_segments(const graze_contact_finder *finder,
                                                    size_t *count)
{
    if (!finder || !count)
        return NULL;
    *count = finder->pair_count;
    return finder->pair_count ? finder->segments : NULL;
}
