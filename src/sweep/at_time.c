#include "sweep/at_time.h"

#include "body/patches.h"
#include "math/rounding.h"
#include "narrow/triangle.h"
#include "query/agenda.h"
#include "touch/shapes.h"

#include <string.h>

/* A motion and a time. */
typedef struct side {
    grazei_view ends[2];
    double time;
} side;

/* A patch as it is at the time. */
typedef struct moved_patch {
    grazei_posed_patch posed; /* at the start */
    float points[GRAZEI_MAX_PATCH_VERTICES][4] __attribute__((aligned(16)));
} moved_patch;

static side side_of(const graze_motion *motion, double time)
{
    return (side){{grazei_body_view(motion->start), grazei_body_view(motion->end)}, time};
}

static void bound(const side *s, uint32_t first, uint32_t count, graze_stats *stats)
{
    for (int end = 0; end < 2; end++)
        grazei_body_bound(s->ends[end].body, first, count, stats);
}

/* Between two sides of boxes, rounded up by more than vertices are by being rounded to float. */
static float between(float start, float end, double time)
{
    double size = fmax(fabs((double)start), fabs((double)end));
    return grazei_round_up((1 - time) * (double)start + time * (double)end + 0x1p-23 * size);
}

static grazei_bound box_at(const side *s, uint32_t node)
{
    grazei_bound start = grazei_view_box(&s->ends[0], node),
                 end = grazei_view_box(&s->ends[1], node);
    grazei_bound box = start;
    for (int k = 0; k < 3; k++) {
        box.low_negated[k] = between(start.low_negated[k], end.low_negated[k], s->time);
        box.high[k] = between(start.high[k], end.high[k], s->time);
    }
    return box;
}

static void move_patch(const side *s, uint32_t leaf, moved_patch *patch, graze_stats *stats)
{
    patch->posed = grazei_view_leaf(&s->ends[0], leaf, stats);
    grazei_posed_patch end = grazei_view_leaf(&s->ends[1], leaf, stats);
    for (uint32_t i = 0; i < patch->posed.point_count; i++)
        for (int k = 0; k < 4; k++)
            patch->points[i][k] = (float)((1 - s->time) * (double)patch->posed.points[i][k] +
                                          s->time * (double)end.points[i][k]);
}

static void take(const moved_patch *patch, uint32_t number, grazei_triangle_at *triangle)
{
    const uint8_t *local = patch->posed.corners[number];
    triangle->number = patch->posed.names[number];
    for (int i = 0; i < 3; i++)
        memcpy(triangle->corners[i], patch->points[local[i]], sizeof triangle->corners[i]);
}

/* ---- a shape -------------------------------------------------------------------------------- */

static void touch_leaf(const side *s, uint32_t leaf, const grazei_shape *shape, bool *found,
                       grazei_triangle_at *triangle, graze_stats *stats)
{
    moved_patch patch;
    uint32_t codes[GRAZEI_MAX_PATCH_VERTICES];
    move_patch(s, leaf, &patch, stats);
    grazei_shape_codes(shape, (const float(*)[4])patch.points, patch.posed.point_count, codes);
    stats->triangle_tests += patch.posed.triangle_count;
    for (uint32_t t = 0; t < patch.posed.triangle_count; t++) {
        const uint8_t *local = patch.posed.corners[t];
        const float *const corners[3] = {patch.points[local[0]], patch.points[local[1]],
                                         patch.points[local[2]]};
        const uint32_t own[3] = {codes[local[0]], codes[local[1]], codes[local[2]]};
        if ((*found && patch.posed.names[t] > triangle->number) ||
            !grazei_shape_meets(shape, corners, own))
            continue;
        *found = true;
        take(&patch, t, triangle);
    }
}

bool grazei_touch_at(const graze_motion *motion, double time, const grazei_shape *shape,
                     grazei_triangle_at *triangle, graze_stats *stats)
{
    side s = side_of(motion, time);
    grazei_agenda agenda;
    grazei_node siblings = {0, 1};
    bool found = false;
    grazei_agenda_start(&agenda, false);
    for (;;) {
        bound(&s, siblings.first, siblings.count, stats);
        for (uint32_t n = siblings.first; n < siblings.first + siblings.count; n++) {
            if (grazei_view_is_empty(&s.ends[0], n))
                continue;
            grazei_bound box = box_at(&s, n);
            stats->bound_tests++;
            if (grazei_shape_side(shape, &box, false, NULL) != GRAZE_OUTSIDE)
                agenda.items[agenda.count++].node = n;
        }
        for (siblings.count = 0; agenda.count && !siblings.count;) {
            uint32_t node = agenda.items[--agenda.count].node;
            siblings = s.ends[0].nodes[node];
            if (!siblings.count)
                touch_leaf(&s, node, shape, &found, triangle, stats);
        }
        if (!siblings.count)
            return found;
    }
}

/* ---- two bodies ----------------------------------------------------------------------------- */

static grazei_bound box_of(const moved_patch *patch, uint32_t triangle)
{
    const uint8_t *local = patch->posed.corners[triangle];
    f4 p = f4_load(patch->points[local[0]]), q = f4_load(patch->points[local[1]]);
    f4 r = f4_load(patch->points[local[2]]);
    grazei_bound box;
    grazei_bound_set_box(&box, f4_min(p, f4_min(q, r)), f4_max(p, f4_max(q, r)));
    return box;
}

static bool triangles_meet(const grazei_triangle_at *a, const grazei_triangle_at *b)
{
    float corners[2][3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(corners[0][i], a->corners[i], sizeof corners[0][i]);
        memcpy(corners[1][i], b->corners[i], sizeof corners[1][i]);
    }
    return grazei_triangles_meet((const float(*)[3])corners[0], (const float(*)[3])corners[1]);
}

static void collide_leaves(const side sides[2], const uint32_t leaves[2], bool *found,
                           grazei_triangle_at best[2], graze_stats *stats)
{
    moved_patch patches[2];
    grazei_triangle_at a, b;
    for (int i = 0; i < 2; i++)
        move_patch(&sides[i], leaves[i], &patches[i], stats);
    for (uint32_t i = 0; i < patches[0].posed.triangle_count; i++) {
        grazei_bound box = box_of(&patches[0], i);
        grazei_box_probe probe = grazei_probe_box(&box);
        take(&patches[0], i, &a);
        for (uint32_t k = 0; k < patches[1].posed.triangle_count; k++) {
            uint32_t other = patches[1].posed.names[k];
            grazei_bound box_b = box_of(&patches[1], k);
            if (!grazei_boxes_overlap(&probe, &box_b) ||
                (*found && (a.number > best[0].number ||
                            (a.number == best[0].number && other > best[1].number))))
                continue;
            take(&patches[1], k, &b);
            stats->triangle_tests++;
            if (!triangles_meet(&a, &b))
                continue;
            *found = true;
            best[0] = a;
            best[1] = b;
        }
    }
}

/* Opens the larger of two nodes and pushes what overlaps the other. */
static void open_pair(const side sides[2], grazei_pair_item item, grazei_agenda *agenda,
                      graze_stats *stats)
{
    grazei_bound boxes[2] = {box_at(&sides[0], item.node[0]), box_at(&sides[1], item.node[1])};
    float sizes[2];
    for (int i = 0; i < 2; i++) {
        f4 edges = grazei_bound_first(&boxes[i]) + grazei_bound_second(&boxes[i]);
        sizes[i] = sides[i].ends[0].nodes[item.node[i]].count ? edges[0] + edges[1] + edges[2] : -1;
    }
    int which = sizes[1] > sizes[0];
    grazei_node node = sides[which].ends[0].nodes[item.node[which]];
    grazei_box_probe probe = grazei_probe_box(&boxes[!which]);
    bound(&sides[which], node.first, node.count, stats);
    for (uint32_t n = node.first; n < node.first + node.count; n++) {
        if (grazei_view_is_empty(&sides[which].ends[0], n))
            continue;
        grazei_bound box = box_at(&sides[which], n);
        grazei_pair_item next = item;
        next.node[which] = n;
        stats->bound_tests++;
        if (grazei_boxes_overlap(&probe, &box))
            agenda->items[agenda->count++].pair = next;
    }
}

bool grazei_collide_at(const graze_motion *a, const graze_motion *b, double time,
                       grazei_triangle_at triangles[2], graze_stats *stats)
{
    side sides[2] = {side_of(a, time), side_of(b, time)};
    grazei_agenda agenda;
    bool found = false;
    grazei_agenda_start(&agenda, false);
    for (int i = 0; i < 2; i++) {
        bound(&sides[i], 0, 1, stats);
        if (grazei_view_is_empty(&sides[i].ends[0], 0))
            return false;
    }
    grazei_bound boxes[2] = {box_at(&sides[0], 0), box_at(&sides[1], 0)};
    grazei_box_probe probe = grazei_probe_box(&boxes[0]);
    stats->bound_tests++;
    if (grazei_boxes_overlap(&probe, &boxes[1]))
        agenda.items[agenda.count++].pair = (grazei_pair_item){{0, 0}};
    while (agenda.count) {
        grazei_pair_item item = agenda.items[--agenda.count].pair;
        if (sides[0].ends[0].nodes[item.node[0]].count ||
            sides[1].ends[0].nodes[item.node[1]].count)
            open_pair(sides, item, &agenda, stats);
        else
            collide_leaves(sides, item.node, &found, triangles, stats);
    }
    return found;
}

/* ---- near a point --------------------------------------------------------------------------- */

static double square_from(const float low_negated[3], const float high[3], const float point[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double below = -(double)low_negated[k] - (double)point[k],
               above = point[k] - (double)high[k];
        double away = fmax(fmax(below, above), 0);
        square += away * away;
    }
    return square;
}

typedef struct nearest {
    uint32_t number;
    double square;
} nearest;

static void look_near(const side *s, uint32_t leaf, const float point[3], nearest *best,
                      graze_stats *stats)
{
    moved_patch patch;
    move_patch(s, leaf, &patch, stats);
    for (uint32_t t = 0; t < patch.posed.triangle_count; t++) {
        grazei_bound box = box_of(&patch, t);
        double square = square_from(box.low_negated, box.high, point);
        uint32_t number = patch.posed.names[t];
        if (square < best->square || (square == best->square && number < best->number))
            *best = (nearest){number, square};
    }
}

uint32_t grazei_triangle_near(const graze_motion *motion, double time, const float point[3],
                              graze_stats *stats)
{
    side s = side_of(motion, time);
    grazei_agenda agenda;
    nearest best = {UINT32_MAX, INFINITY};
    grazei_node siblings = {0, 1};
    grazei_agenda_start(&agenda, true);
    for (;;) {
        uint32_t base = agenda.count;
        bound(&s, siblings.first, siblings.count, stats);
        for (uint32_t n = siblings.first; n < siblings.first + siblings.count; n++) {
            if (grazei_view_is_empty(&s.ends[0], n))
                continue;
            grazei_bound box = box_at(&s, n);
            float key = grazei_round_down(square_from(box.low_negated, box.high, point));
            grazei_agenda_put(&agenda, agenda.count++, (grazei_item){.node = n}, key);
        }
        grazei_agenda_sort(&agenda, base);
        for (siblings.count = 0; agenda.count && !siblings.count;) {
            uint32_t node = agenda.items[--agenda.count].node;
            if ((double)agenda.keys[agenda.count] > best.square)
                continue;
            siblings = s.ends[0].nodes[node];
            if (!siblings.count)
                look_near(&s, node, point, &best, stats);
        }
        if (!siblings.count)
            return best.number;
    }
}
