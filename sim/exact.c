/* Contacts of a pair by triangles: pieces of graze/contact.h, points of graze/ext/response.h. */
#include "sim.h"

#include "vector.h"

#include <string.h>

/* Points that one pair may have; pieces beyond have none. */
enum { MOST_SPOTS = 48, SPOTS_A_PIECE = 4 };

/* Pieces smaller than this share of the smaller body have one point. */
#define SMALL 0.03

graze_sim_contact *grazei_sim_put_contact(const graze_sim *sim, grazei_sim_thread *thread,
                                          const grazei_sim_pair *pair)
{
    if (!grazei_sim_reserve(sim, &thread->contacts, thread->contacts.count + 1,
                            sizeof(graze_sim_contact)))
        return NULL;
    bool plane = pair->b & GRAZEI_SIM_PLANE;
    graze_sim_contact *contact =
        &GRAZEI_SIM_AT(thread->contacts, graze_sim_contact, thread->contacts.count++);
    *contact = (graze_sim_contact){.a = pair->a,
                                   .b = plane ? GRAZE_NONE : pair->b,
                                   .plane = plane ? pair->b & ~GRAZEI_SIM_PLANE : GRAZE_NONE};
    return contact;
}

bool grazei_sim_put_spot(const graze_sim *sim, grazei_sim_thread *thread,
                         const grazei_sim_spot *spot)
{
    if (!grazei_sim_reserve(sim, &thread->spots, thread->spots.count + 1, sizeof *spot))
        return false;
    GRAZEI_SIM_AT(thread->spots, grazei_sim_spot, thread->spots.count++) = *spot;
    return true;
}

void grazei_sim_tangents(const double normal[3], double first[3], double second[3])
{
    int least = fabs(normal[0]) <= fabs(normal[1]) && fabs(normal[0]) <= fabs(normal[2]) ? 0
                : fabs(normal[1]) <= fabs(normal[2])                                     ? 1
                                                                                         : 2;
    double axis[3] = {0, 0, 0};
    axis[least] = 1;
    grazei_cross(normal, axis, first);
    double length = sqrt(grazei_dot(first, first));
    for (int k = 0; k < 3; k++)
        first[k] /= length;
    grazei_cross(normal, first, second);
}

/* ---- a plane -------------------------------------------------------------------------------- */

typedef struct touch_taker {
    const graze_sim *sim;
    grazei_sim_thread *thread;
    const grazei_sim_pair *pair;
    uint32_t count;
    bool out_of_memory;
} touch_taker;

static bool put_touch(const touch_taker *taker, const graze_contact *point)
{
    graze_sim_contact *contact = grazei_sim_put_contact(taker->sim, taker->thread, taker->pair);
    if (!contact)
        return false;
    grazei_sim_spot spot = {.contact = taker->count,
                            .depth = point->depth,
                            .share = 1,
                            .triangles = {point->triangles[0], GRAZE_NONE}};
    contact->depth = point->depth;
    for (int k = 0; k < 3; k++) {
        contact->point[k] = spot.point[k] = point->point[k];
        contact->normal[k] = spot.normal[k] = point->normal[k];
    }
    return grazei_sim_put_spot(taker->sim, taker->thread, &spot);
}

static bool take_touches(void *user, const graze_contact *points, size_t count)
{
    touch_taker *taker = user;
    for (size_t i = 0; i < count && !taker->out_of_memory; i++, taker->count++)
        taker->out_of_memory = !put_touch(taker, &points[i]);
    return !taker->out_of_memory;
}

static graze_status find_touches(const graze_sim *sim, grazei_sim_thread *thread,
                                 const grazei_sim_pair *pair, graze_error *error)
{
    touch_taker taker = {.sim = sim, .thread = thread, .pair = pair};
    graze_contact_list points = {.report = take_touches, .user = &taker};
    uint32_t number = pair->b & ~GRAZEI_SIM_PLANE;
    graze_shape shape = {.kind = GRAZE_HALF_SPACE,
                         .as.plane =
                             GRAZEI_SIM_AT(sim->planes, graze_sim_plane, number).half_space};
    graze_status status = GRAZE_OK;
    if (!thread->touches)
        status = graze_point_finder_create(&sim->allocator, &thread->touches, error);
    if (!status)
        status =
            graze_touch_points(thread->touches, GRAZEI_SIM_AT(sim->posed, graze_body *, pair->a),
                               &shape, 0, &points, error);
    thread->found += points.total;
    return taker.out_of_memory ? grazei_sim_out_of_memory(error) : status;
}

/* ---- two bodies ----------------------------------------------------------------------------- */

/* An end of a segment. */
typedef struct place {
    uint32_t segment, end;
} place;

static double square_between(const float a[3], const float b[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += ((double)a[k] - b[k]) * ((double)a[k] - b[k]);
    return sum;
}

/* The ends that go farthest along both tangents, each way; those near another are left out. One
 * end, the nearest to the piece's middle, if the piece is small.
 */
static uint32_t choose_places(const graze_contact *piece, uint32_t first,
                              const graze_contact_segment *segments, double small,
                              place chosen[SPOTS_A_PIECE])
{
    double normal[3] = {piece->normal[0], piece->normal[1], piece->normal[2]};
    double tangents[2][3], best[SPOTS_A_PIECE] = {0}, nearest = INFINITY;
    place middle = {first, 0}, extreme[SPOTS_A_PIECE];
    grazei_sim_tangents(normal, tangents[0], tangents[1]);
    for (uint32_t s = first; s < first + piece->pair_count; s++)
        for (uint32_t e = 0; e < 2; e++) {
            const float *end = segments[s].ends[e];
            double from = square_between(end, piece->point);
            if (from < nearest) {
                nearest = from;
                middle = (place){s, e};
            }
            for (int t = 0; t < SPOTS_A_PIECE; t++) {
                double along = 0;
                for (int k = 0; k < 3; k++)
                    along += ((double)end[k] - piece->point[k]) * tangents[t / 2][k];
                along = t % 2 ? -along : along;
                if ((s == first && e == 0) || along > best[t]) {
                    best[t] = along;
                    extreme[t] = (place){s, e};
                }
            }
        }
    double spread = best[0] + best[1] > best[2] + best[3] ? best[0] + best[1] : best[2] + best[3];
    chosen[0] = middle;
    if (!(spread > small))
        return 1;
    uint32_t count = 0;
    for (int t = 0; t < SPOTS_A_PIECE; t++) {
        const float *end = segments[extreme[t].segment].ends[extreme[t].end];
        bool is_new = true;
        for (uint32_t i = 0; i < count; i++)
            is_new &= square_between(end, segments[chosen[i].segment].ends[chosen[i].end]) >
                      0.0625 * spread * spread;
        if (is_new)
            chosen[count++] = extreme[t];
    }
    return count;
}

/* Whether two pieces are where one part goes in and comes out again: they face away from each
 * other, and are about as deep as they are apart. Pushing at both would push against itself.
 */
static bool passes_through(const graze_contact *one, const graze_contact *other)
{
    double along = 0, outward = 0, square = square_between(one->point, other->point);
    for (int k = 0; k < 3; k++) {
        along += (double)one->normal[k] * other->normal[k];
        outward += ((double)one->point[k] - other->point[k]) * one->normal[k];
    }
    double least = one->depth < other->depth ? one->depth : other->depth;
    return along < -0.5 && outward > 0 && 4 * least * least > square;
}

/* Such a piece holds what it has, and pushes nobody out. */
static bool is_passage(const graze_contact *pieces, size_t count, size_t number)
{
    for (size_t i = 0; i < count && i < MOST_SPOTS; i++)
        if (i != number && passes_through(&pieces[number], &pieces[i]))
            return true;
    return false;
}

static bool put_spots(const graze_sim *sim, grazei_sim_thread *thread,
                      const graze_contact_finder *finder, size_t number, double small)
{
    size_t segment_count;
    graze_contact_details details;
    const graze_contact *pieces = thread->pieces.items, *piece = &pieces[number];
    const graze_contact_segment *segments = graze_contact_segments(finder, &segment_count);
    place chosen[SPOTS_A_PIECE];
    float square = 0;
    for (int k = 0; k < 3; k++)
        square += piece->normal[k] * piece->normal[k];
    if (!(square > 0.5F)) /* no way to tell which way apart */
        return true;
    graze_contact_get_details(finder, piece->number, &details);
    uint32_t count = choose_places(piece, details.first_segment, segments, small, chosen);
    float depth = is_passage(pieces, thread->pieces.count, number) ? 0 : piece->depth;
    for (uint32_t i = 0; i < count; i++) {
        const graze_contact_segment *segment = &segments[chosen[i].segment];
        const float *point = count == 1 ? piece->point : segment->ends[chosen[i].end];
        grazei_sim_spot spot = {.contact = (uint32_t)number,
                                .depth = depth,
                                .share = 1.0F / (float)count,
                                .triangles = {segment->a, segment->b}};
        for (int k = 0; k < 3; k++) {
            spot.point[k] = point[k];
            spot.normal[k] = piece->normal[k];
        }
        if (!grazei_sim_put_spot(sim, thread, &spot))
            return false;
    }
    return true;
}

static graze_status find_finder(const graze_sim *sim, grazei_sim_thread *thread,
                                const grazei_sim_pair *pair, graze_contact_finder **finder,
                                graze_error *error)
{
    uint32_t a = grazei_sim_body_at(sim, pair->a)->kind;
    uint32_t b = grazei_sim_body_at(sim, pair->b)->kind;
    graze_contact_finder **known =
        &GRAZEI_SIM_AT(thread->finders, graze_contact_finder *, a * sim->kinds.count + b);
    graze_contact_finder_def def = {0};
    graze_status status = GRAZE_OK;
    def.allocator = &sim->allocator;
    if (!*known)
        status = graze_contact_finder_create(grazei_sim_kind_at(sim, a)->model,
                                             grazei_sim_kind_at(sim, b)->model, &def, known, error);
    *finder = *known;
    return status;
}

typedef struct piece_taker {
    const graze_sim *sim;
    grazei_sim_thread *thread;
    bool out_of_memory;
} piece_taker;

static bool take_pieces(void *user, const graze_contact *pieces, size_t count)
{
    piece_taker *taker = user;
    grazei_sim_list *list = &taker->thread->pieces;
    taker->out_of_memory =
        !grazei_sim_reserve(taker->sim, list, list->count + count, sizeof *pieces);
    if (taker->out_of_memory)
        return false;
    memcpy((graze_contact *)list->items + list->count, pieces, count * sizeof *pieces);
    list->count += count;
    return true;
}

/* Fills the thread's pieces; the finder has their segments. */
static graze_status ask_pieces(const graze_sim *sim, grazei_sim_thread *thread,
                               const grazei_sim_pair *pair, graze_contact_finder *finder,
                               graze_error *error)
{
    piece_taker taker = {sim, thread, false};
    graze_contact_list found = {.report = take_pieces, .user = &taker};
    const graze_options options = {.stats = &thread->stats};
    thread->pieces.count = 0;
    graze_status status =
        graze_contacts(finder, GRAZEI_SIM_AT(sim->posed, graze_body *, pair->a),
                       GRAZEI_SIM_AT(sim->posed, graze_body *, pair->b), &found, &options, error);
    return taker.out_of_memory ? grazei_sim_out_of_memory(error) : status;
}

static graze_status find_pieces(const graze_sim *sim, grazei_sim_thread *thread,
                                const grazei_sim_pair *pair, graze_error *error)
{
    graze_contact_finder *finder;
    size_t segment_count;
    graze_status status = find_finder(sim, thread, pair, &finder, error);
    if (!status)
        status = ask_pieces(sim, thread, pair, finder, error);
    if (status)
        return status;
    graze_contact_segments(finder, &segment_count);
    const graze_contact *pieces = thread->pieces.items;
    double a = grazei_sim_kind_of(sim, pair->a)->radius,
           b = grazei_sim_kind_of(sim, pair->b)->radius;
    size_t first_spot = thread->spots.count;
    thread->found += segment_count;
    for (size_t i = 0; i < thread->pieces.count; i++) {
        const graze_contact *piece = &pieces[i];
        graze_sim_contact *contact = grazei_sim_put_contact(sim, thread, pair);
        if (!contact)
            return grazei_sim_out_of_memory(error);
        contact->depth = piece->depth;
        for (int k = 0; k < 3; k++) {
            contact->point[k] = piece->point[k];
            contact->normal[k] = piece->normal[k];
        }
        if (thread->spots.count - first_spot + SPOTS_A_PIECE <= MOST_SPOTS &&
            !put_spots(sim, thread, finder, i, SMALL * (a < b ? a : b)))
            return grazei_sim_out_of_memory(error);
    }
    return GRAZE_OK;
}

graze_status grazei_sim_find_exactly(const graze_sim *sim, grazei_sim_thread *thread,
                                     const grazei_sim_pair *pair, graze_error *error)
{
    return pair->b & GRAZEI_SIM_PLANE ? find_touches(sim, thread, pair, error)
                                      : find_pieces(sim, thread, pair, error);
}
