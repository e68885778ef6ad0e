#include "distance/distance.h"

#include "base/assert.h"
#include "base/status.h"
#include "narrow/distance.h"
#include "query/distance_bounds.h"

#include <float.h>

/* ---- the question ------------------------------------------------------------------------- */

graze_status grazei_distance_check(const graze_body *a, const graze_body *b, double limit,
                                   bool allow_infinite, graze_error *error)
{
    graze_status status = grazei_check_pair_outside(a, b, error);
    if (status)
        return status;
    if (limit >= 0 && (allow_infinite || limit < INFINITY))
        return GRAZE_OK;
    return grazei_fail(error, GRAZE_BAD_INPUT, "distance %g is %s", limit,
                       limit < 0 ? "negative" : "not a finite number");
}

double grazei_square_of(double distance)
{
    double square = distance * distance;
    /* Below the normal numbers roots are coarse, or zero where denormals are: there would be no end
     * of candidates, and nothing so near is computed to that accuracy.
     */
    if (!(square >= DBL_MIN))
        return square;
    while (sqrt(square) > distance)
        square = nextafter(square, 0);
    while (square < INFINITY && sqrt(nextafter(square, INFINITY)) <= distance)
        square = nextafter(square, INFINITY);
    return square;
}

void grazei_distance_lower(grazei_distance_question *question, double distance)
{
    double enlarged = distance * (1 + 0x1p-50) + question->slack;
    if (enlarged < (double)question->limit)
        question->limit = grazei_round_up(enlarged);
}

void grazei_distance_take(grazei_distance_question *question, double square, graze_pair pair,
                          const float *corners_a, const float *corners_b, int stride)
{
    if (square > question->square)
        return;
    if (question->kind == GRAZEI_WITHIN) {
        grazei_outbox_add(&question->outbox, pair.a, pair.b);
        return;
    }
    graze_pair best = question->pair;
    if (question->found && square == question->square &&
        (pair.a > best.a || (pair.a == best.a && pair.b >= best.b)))
        return;
    question->found = true;
    question->pair = pair;
    question->square = square;
    question->has_points = false;
    for (int i = 0; i < 3; i++) {
        memcpy(question->corners[0][i], corners_a + i * stride, sizeof(float[3]));
        memcpy(question->corners[1][i], corners_b + i * stride, sizeof(float[3]));
    }
    if (question->kind == GRAZEI_CLOSER)
        return;
    if (square > 0)
        grazei_distance_lower(question, sqrt(square));
    else
        question->limit = 0; /* only what meets is as near, and that is decided exactly */
}

/* The longest side of the box around both bodies, from their roots. */
static double reach_of(const grazei_view *a, const grazei_view *b)
{
    grazei_bound box_a = grazei_view_box(a, 0), box_b = grazei_view_box(b, 0);
    f4 sides = f4_max(grazei_bound_first(&box_a), grazei_bound_first(&box_b)) +
               f4_max(grazei_bound_second(&box_a), grazei_bound_second(&box_b));
    return (double)f1_max(f4_max3(sides), 0); /* both may be empty */
}

/* The agenda less what a walk depth first may need on top of it. */
static uint32_t find_room(const graze_body *a, const graze_body *b)
{
    uint32_t depth_first =
        grazei_body_tree(a)->max_open + grazei_body_tree(b)->max_open + GRAZEI_MAX_ARITY + 4;
    GRAZE_ASSERT(depth_first < GRAZEI_AGENDA_ITEMS);
    return GRAZEI_AGENDA_ITEMS - depth_first;
}

void grazei_distance_begin(grazei_distance_question *question, grazei_agenda *agenda, graze_body *a,
                           graze_body *b, grazei_distance_kind kind, double limit,
                           grazei_pair_fn report, void *user, graze_stats *stats)
{
    question->base.run = GRAZEI_PICK(grazei_body_model(a)->isa, distance_kernels)->run;
    question->base.bodies[0] = a;
    question->base.bodies[1] = b;
    question->base.body_count = 2;
    question->kind = kind;
    question->found = false;
    question->has_vertices = question->crowded = false;
    question->again = question->faced = 0;
    question->pair = (graze_pair){.a = 0, .b = 0};
    question->room = kind == GRAZEI_NEAREST || kind == GRAZEI_BOUND ? find_room(a, b) : 0;
    question->put_off = 0;
    question->threshold = INFINITY;
    question->rounds = 0;
    grazei_outbox_start(&question->outbox, false, report, user);
    grazei_agenda_start(agenda, true);
    grazei_body_bound(a, 0, 1, stats);
    grazei_body_bound(b, 0, 1, stats);
    stats->bound_tests++;
    grazei_view view_a = grazei_body_view(a), view_b = grazei_body_view(b);
    question->slack = reach_of(&view_a, &view_b) * (1.01 * GRAZEI_DISTANCE_ERROR);
    question->square = grazei_square_of(limit);
    question->limit = FLT_MAX; /* beyond everything but what is empty */
    if (limit == 0)
        question->limit = 0;
    else
        grazei_distance_lower(question, limit);
    grazei_four four = grazei_load_four(&view_a, 0, 1, &view_b);
    grazei_bound root = four.spheres ? view_b.bounds[0] : grazei_view_box(&view_b, 0);
    float key = grazei_four_distances(&four, &root)[0];
    if (key > question->limit)
        return;
    grazei_agenda_put(agenda, agenda->count++, (grazei_item){.pair = {{0, 0}}}, key);
}

void grazei_distance_find_points(grazei_distance_question *question)
{
    if (!question->has_points)
        grazei_triangle_nearest_points((const float(*)[3])question->corners[0],
                                       (const float(*)[3])question->corners[1], question->points);
    question->has_points = true;
}

void grazei_distance_answer(grazei_distance_question *question, graze_nearest *nearest)
{
    *nearest = (graze_nearest){.found = question->found};
    if (!question->found)
        return;
    GRAZE_ASSERT(question->square >= 0);
    if (question->kind == GRAZEI_CLOSER) /* what meets was taken with some number above 0 */
        question->square = grazei_triangle_distance_square((const float(*)[3])question->corners[0],
                                                           (const float(*)[3])question->corners[1]);
    nearest->distance = sqrt(question->square);
    nearest->pair = question->pair;
    const uint32_t *parts[2] = {grazei_body_mesh(question->base.bodies[0])->triangle_parts,
                                grazei_body_mesh(question->base.bodies[1])->triangle_parts};
    nearest->parts[0] = parts[0][question->pair.a];
    nearest->parts[1] = parts[1][question->pair.b];
    grazei_distance_find_points(question);
    memcpy(nearest->points, question->points, sizeof nearest->points);
}
