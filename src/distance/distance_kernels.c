/* The distance of two bodies: two trees walked together, and never a pair of nodes opened that is
 * farther apart than what is known (Quinlan, "Efficient distance computation between non-convex
 * objects", 1994; Larsen, Gottschalk, Lin and Manocha, "Fast proximity queries with swept sphere
 * volumes", 1999).
 *
 * For the nearest pair the walk first goes straight down to two patches that are about as near as
 * any, whose vertices limit the distance. From then on it is depth first through what is nearer
 * than a threshold; the rest is put off, and when nothing else is left the threshold rises a little
 * beyond the nearest of it, a few times. So next to nothing is opened that is farther away than the
 * answer, without the branches of a heap, which no processor predicts. What is put off may fill the
 * agenda; then the walk goes on depth first on top of it, for which there is always room. The other
 * questions know from the start how far to look and are walked depth first.
 */
#include "distance/far_walk_chapter.h"

/* Of bodies that are far apart, two patches that are compared count for so many. */
#define FAR_PATCHES 64

/* ---- leaves ------------------------------------------------------------------------------- */

/* Whether no pair of two patches can be nearer, or come first, by what else is known. */
static inline bool is_left_out(walk *w, grazei_pair_item item, const patch_side sides[2])
{
    return !grazei_patches_may_count(w->question, &sides[0].patch, &sides[1].patch) ||
           grazei_frame_parts(&w->frame, w->sides, item, w->question, w->stats) ||
           grazei_is_repeated(&w->points[0], &sides[0].patch) ||
           grazei_is_repeated(&w->points[1], &sides[1].patch);
}

/* Vertices that are near enough have triangles around them that are: for whoever asks for any pair.
 * Where those meet, the number is some number above 0, and says nothing wrong if it is near enough.
 */
static inline void try_vertices(grazei_distance_question *question, const patch_side sides[2],
                                const float *const vertices[2], graze_stats *stats)
{
    uint16_t around[2][FAN];
    float corners[2][3][4] __attribute__((aligned(16)));
    grazei_corners rows[2] = {(grazei_corners)corners[0], (grazei_corners)corners[1]};
    double square;
    if (!find_fan(&sides[0], vertices[0], around[0], 1) ||
        !find_fan(&sides[1], vertices[1], around[1], 1))
        return;
    uint16_t pair = grazei_pair(around[0][0], around[1][0]);
    load_pair(sides, pair, corners[0], corners[1]);
    stats->triangle_tests++;
    GRAZEI_ISA(narrow_distance_kernels).distance_squares(&rows[0], &rows[1], 1, &square);
    take_pair(question, sides, pair, square, corners[0][0], corners[1][0]);
}

static inline void lower_by_vertices(grazei_distance_question *question,
                                     const float *const vertices[2])
{
    if (question->kind == GRAZEI_NEAREST)
        grazei_distance_lower(question, distance_of_points(vertices[0], vertices[1]));
}

/* Two near vertices limit the distance from above, a slab between the patches from below, which is
 * returned. For any pair they may be enough. What the slab does not part is looked at more closely:
 * the points that reach farthest along it, where patches are no farther apart than wide, and once
 * more the vertex of the first patch, seen from that of the second.
 */
static inline float look_at_vertices(const walk *w, patch_side sides[2], near_vertices *near)
{
    grazei_distance_question *question = w->question;
    load_points(&sides[0]);
    load_points(&sides[1]);
    question->has_vertices = true;
    find_near_vertices(sides, near->points);
    lower_by_vertices(question, near->points);
    if (question->kind == GRAZEI_CLOSER &&
        distance_of_points(near->points[0], near->points[1]) <= (double)question->limit)
        try_vertices(question, sides, near->points, w->stats);
    if (is_settled(question))
        return 0;
    float distance = find_slab(sides, question->limit, w->far ? 0 : SLAB_STEPS, near);
    if (distance > question->limit)
        return distance;
    if (question->limit <= AFAR * near->slab.extent) {
        const float *farthest[2];
        for (int i = 0; i < 2; i++)
            farthest[i] = sides[i].patch.points[near->slab.farthest[i]];
        lower_by_vertices(question, farthest);
    }
    near->points[0] = find_near_vertex(&sides[0], near->points[1], near->points[1]);
    lower_by_vertices(question, near->points);
    return distance;
}

/* Patches of bodies that are far apart, seen along the shortest way. False: none is known. */
static __attribute__((noinline)) bool compare_from_far(walk *w, const patch_side sides[2],
                                                       const float *const vertices[2])
{
    float where[2][3];
    grazei_frame_box seen[2];
    w->opened += FAR_PATCHES;
    if (!w->frame.made && try_fans(w->question, sides, vertices, where, w->stats))
        make_frame(w);
    if (!w->frame.made)
        return false;
    for (int i = 0; i < 2; i++)
        seen[i] = grazei_far_box_of(&w->frame, &sides[i].patch);
    compare_far(w->question, &w->frame, sides, seen, w->stats);
    return true;
}

/* The exact boxes of both patches are near enough. If others are nearer now, they come first, and
 * all others before the first two patches of all, whose vertices are wanted and no more.
 */
static void compare_posed(walk *w, grazei_pair_item item, float key)
{
    grazei_distance_question *question = w->question;
    near_vertices near;
    grazei_points loaded[2];
    patch_side sides[2] = {{.points = &loaded[0]}, {.points = &loaded[1]}};
    load_sides(w, item, sides);
    float distance = grazei_box_distance(sides[0].box, sides[1].box);
    bool overlap = distance <= 0;
    if (question->kind == GRAZEI_NEAREST && is_left_out(w, item, sides))
        return;
    if (!w->far)
        distance = f1_max(distance, part_posed(w, sides));
    if (distance > question->limit)
        return;
    near.faced = false;
    if (question->crowded && !leave_by_faces(question, sides, &near))
        return;
    if (question->limit > 0) {
        distance = f1_max(distance, look_at_vertices(w, sides, &near));
        if (distance > question->limit || is_settled(question))
            return;
        if (question->kind == GRAZEI_NEAREST && question->limit < w->last_turn)
            turn_reaches(w, near.slab.along);
    }
    bool first = question->has_vertices && question->rounds == 0;
    bool later = first || (distance > key && distance > question->threshold);
    if (later && w->agenda->count < question->room)
        grazei_agenda_put(w->agenda, w->agenda->count++, (grazei_item){.pair = item}, distance);
    else if (!w->far || !compare_from_far(w, sides, near.points))
        compare_patches(question, sides, overlap, &near, w->stats);
}

/* Whether two boxes are too far apart. Roots are slow, but squares let a little more through, which
 * counts from far away.
 */
static inline bool are_apart(const walk *w, const grazei_bound *a, const grazei_bound *b)
{
    float limit = w->question->limit;
    if (w->far)
        return grazei_box_distance(a, b) > limit;
    return grazei_box_gap_square(a, b) > grazei_most_square(limit);
}

/* Whether two leaves are near enough, by what is known of them. */
static inline bool are_near(walk *w, grazei_pair_item item)
{
    grazei_bound a = grazei_view_leaf_box(&w->sides[0], item.node[0]);
    grazei_bound b = grazei_view_leaf_box(&w->sides[1], item.node[1]);
    w->stats->bound_tests++;
    return !are_apart(w, &a, &b);
}

/* Poses what is not posed yet, one patch after the other as long as both leaves are near enough. */
static void compare_leaves(walk *w, grazei_pair_item item, float key)
{
    bool near = are_near(w, item);
    for (int side = 0; side < 2 && near; side++)
        if (!grazei_view_is_posed(&w->sides[side], item.node[side])) {
            grazei_view_pose_leaf(&w->sides[side], item.node[side], w->stats);
            near = are_near(w, item);
        }
    if (near)
        compare_posed(w, item, key);
}

/* ---- nodes -------------------------------------------------------------------------------- */

/* Leaves are not opened, nor, where bounds are asked for, nodes on the contact level. */
static bool is_last(const walk *w, int side, uint32_t node)
{
    if (w->sides[side].nodes[node].count == 0)
        return true;
    return w->question->kind == GRAZEI_BOUND &&
           grazei_tree_ends_at(grazei_body_tree(w->sides[side].body), node);
}

/* Every node has a vertex somewhere, so something is within the farthest that two bounds reach. */
static inline void lower_by_bounds(grazei_distance_question *question, f4 farthest, uint32_t count)
{
    float least = farthest[0];
    for (uint32_t k = 1; k < 4 && k < count; k++)
        least = f1_min(least, farthest[k]);
    if (least < question->limit)
        grazei_distance_lower(question, (double)least);
}

/* Puts the pairs of a node of one side and up to four siblings of the other that are near enough on
 * the agenda.
 */
static inline void put_near(walk *w, uint32_t node, int side, const grazei_four *four,
                            uint32_t first, uint32_t count)
{
    grazei_agenda *agenda = w->agenda;
    const grazei_view *view = &w->sides[!side];
    grazei_bound bound = four->spheres ? view->bounds[node] : grazei_view_box(view, node);
    f4 distances = grazei_four_distances(four, &bound);
    if (w->question->kind == GRAZEI_NEAREST && !w->question->has_vertices)
        lower_by_bounds(w->question, grazei_four_farthest(four, &bound), count);
    unsigned near = f4_ge_bits(f4_all(w->question->limit), distances);
    if (near == 0)
        return;
    for (uint32_t k = 0; k < 4 && k < count; k++) {
        agenda->items[agenda->count].pair.node[side] = first + k;
        agenda->items[agenda->count].pair.node[!side] = node;
        agenda->keys[agenda->count] = distances[k];
        agenda->count += near >> k & 1;
    }
}

/* The same for `node_count` nodes and all of `count` siblings. */
static inline void put_all_near(walk *w, uint32_t node, uint32_t node_count, int side,
                                uint32_t first, uint32_t count)
{
    w->stats->bound_tests += (uint64_t)node_count * count;
    for (uint32_t i = 0; i < count; i += 4) {
        grazei_four four =
            grazei_load_four(&w->sides[side], first + i, count - i, &w->sides[!side]);
        for (uint32_t k = 0; k < node_count; k++)
            put_near(w, node + k, side, &four, first + i, count - i);
    }
}

/* Of what was put on the agenda from `base` on the nearest comes to lie on top. */
static inline void put_nearest_on_top(grazei_agenda *agenda, uint32_t base)
{
    uint32_t top = agenda->count - 1, nearest = base;
    if (agenda->count < base + 2)
        return;
    for (uint32_t i = base + 1; i <= top; i++)
        nearest = agenda->keys[i] < agenda->keys[nearest] ? i : nearest;
    grazei_item item = agenda->items[nearest];
    float key = agenda->keys[nearest];
    grazei_agenda_copy(agenda, nearest, top);
    grazei_agenda_put(agenda, top, item, key);
}

static inline void bound_children(walk *w, int side, uint32_t number)
{
    const grazei_view *view = &w->sides[side];
    grazei_node node = view->nodes[number];
    if (grazei_view_is_opened(view, number))
        return;
    grazei_body_bound(view->body, node.first, node.count, w->stats);
    if (w->question->kind == GRAZEI_NEAREST)
        grazei_view_bound_again(view, number);
}

/* The pairs of up to four boxes of either side that are near enough. Most are not, so what is near
 * is gathered as bits of all of them first.
 */
static inline void put_near_boxes(walk *w, grazei_node a, grazei_node b)
{
    grazei_agenda *agenda = w->agenda;
    grazei_four four = grazei_load_four(&w->sides[1], b.first, b.count, &w->sides[0]);
    f4 most = f4_all(grazei_most_square(w->question->limit));
    float squares[16] __attribute__((aligned(16)));
    uint32_t bits = 0, top = agenda->count, there = (1u << b.count) - 1;
    w->stats->bound_tests += (uint64_t)a.count * b.count;
    for (uint32_t i = 0; i < a.count; i++) {
        f4 row = grazei_four_squares(&four, &w->sides[0].bounds[a.first + i]);
        f4_store(squares + 4 * i, row);
        bits |= (f4_ge_bits(most, row) & there) << (4 * i);
    }
    for (; bits; bits &= bits - 1, top++) {
        uint32_t k = (uint32_t)__builtin_ctz(bits);
        grazei_pair_item pair = {{a.first + k / 4, b.first + k % 4}};
        float distance = sqrtf(squares[k]) * GRAZEI_SHORTER - GRAZEI_LEAST_LENGTH;
        grazei_agenda_put(agenda, top, (grazei_item){.pair = pair}, distance);
    }
    agenda->count = top;
}

/* Opens both nodes where there is room for all pairs of their children and they are of about the
 * same size, else the larger one.
 */
static void open_nodes(walk *w, grazei_pair_item item, bool last_a, bool last_b)
{
    grazei_distance_question *question = w->question;
    grazei_node a = w->sides[0].nodes[item.node[0]];
    grazei_node b = w->sides[1].nodes[item.node[1]];
    float size_a = last_a ? 0 : grazei_view_size(&w->sides[0], item.node[0]);
    float size_b = last_b ? 0 : grazei_view_size(&w->sides[1], item.node[1]);
    bool a_is_larger = last_b || (!last_a && size_a >= size_b);
    bool has_room = w->agenda->count + a.count * b.count <= question->room;
    bool both =
        has_room && !last_a && !last_b && size_a >= 0.5f * size_b && size_b >= 0.5f * size_a;
    uint32_t base = w->agenda->count;
    bool sorted = question->kind != GRAZEI_WITHIN &&
                  w->agenda->count + (a_is_larger ? a.count : b.count) > question->room;
    if (both || a_is_larger)
        bound_children(w, 0, item.node[0]);
    if (both || !a_is_larger)
        bound_children(w, 1, item.node[1]);
    if (both && w->boxes && question->has_vertices && a.count <= 4 && b.count <= 4)
        put_near_boxes(w, a, b);
    else if (both)
        put_all_near(w, a.first, a.count, 1, b.first, b.count);
    else if (a_is_larger)
        put_all_near(w, item.node[1], 1, 0, a.first, a.count);
    else
        put_all_near(w, item.node[0], 1, 1, b.first, b.count);
    if (sorted)
        grazei_agenda_sort(w->agenda, base);
    else if (question->kind != GRAZEI_WITHIN && !question->has_vertices)
        put_nearest_on_top(w->agenda, base);
}

/* Whether nodes, bounded again since they were put on the agenda, are too far apart. */
static inline bool is_farther_now(const walk *w, grazei_pair_item item)
{
    const grazei_view *a = &w->sides[0], *b = &w->sides[1];
    return are_apart(w, &a->bounds[item.node[0]], &b->bounds[item.node[1]]);
}

static uint32_t least_below(const walk *w, int side, uint32_t node)
{
    const grazei_tree *tree = grazei_body_tree(w->sides[side].body);
    uint32_t least = UINT32_MAX;
    for (uint32_t i = tree->node_triangles[node][0]; i < tree->node_triangles[node][1]; i++)
        least = tree->patch_triangles[i] < least ? tree->patch_triangles[i] : least;
    return least;
}

/* The same after many nodes were opened, when it seems that many are equally near: by the bounds as
 * they are where patches below are posed, in double, along the shortest way, and by numbers.
 */
static __attribute__((noinline)) bool cannot_count(walk *w, grazei_pair_item item)
{
    const grazei_bound *bounds[2];
    uint32_t least[2];
    prepare_for_many(w);
    for (int side = 0; side < 2; side++) {
        if (grazei_view_is_opened(&w->sides[side], item.node[side]) && !w->bounded_well)
            grazei_view_bound_again(&w->sides[side], item.node[side]);
        bounds[side] = &w->sides[side].bounds[item.node[side]];
    }
    double square = grazei_bound_square(bounds[0], bounds[1]);
    if (square < w->question->square && !w->points[0].any && !w->points[1].any)
        return grazei_frame_parts(&w->frame, w->sides, item, w->question, w->stats);
    for (int side = 0; side < 2; side++)
        least[side] = least_below(w, side, item.node[side]);
    return !grazei_may_count(w->question, square, least[0], least[1]) ||
           grazei_is_same_point(&w->points[0], bounds[0], least[0]) ||
           grazei_is_same_point(&w->points[1], bounds[1], least[1]);
}

/* Whether a pair of nodes that was put on the agenda need not be opened. */
static inline bool is_ruled_out(walk *w, grazei_pair_item item)
{
    if (!w->boxes || w->question->kind != GRAZEI_NEAREST)
        return false;
    return is_farther_now(w, item) || (++w->opened > MANY_OPENED && cannot_count(w, item));
}

static void visit(walk *w, grazei_pair_item item, float key)
{
    bool last_a = is_last(w, 0, item.node[0]), last_b = is_last(w, 1, item.node[1]);
    if (!last_a || !last_b) {
        if (!is_ruled_out(w, item))
            open_nodes(w, item, last_a, last_b);
    } else if (w->question->kind == GRAZEI_BOUND)
        w->question->limit = f1_max(key, 0);
    else
        compare_leaves(w, item, key);
}

/* ---- the walk ------------------------------------------------------------------------------- */

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_distance_question *question = (grazei_distance_question *)base;
    walk w;
    w.sides[0] = grazei_body_view(base->bodies[0]);
    w.sides[1] = grazei_body_view(base->bodies[1]);
    w.question = question;
    w.agenda = agenda;
    w.stats = stats;
    w.boxes = !w.sides[0].spheres && !w.sides[1].spheres;
    w.opened = w.compared = 0;
    w.next_frame = MANY_OPENED;
    w.frame.made = w.bounded_well = false;
    w.points[0].any = w.points[1].any = false;
    w.last_turn = INFINITY;
    grazei_pair_item item;
    float key;
    w.far = question->kind == GRAZEI_NEAREST && w.boxes && are_far_apart(&w);
    grazei_extents_start(&w.extents, &w.sides[0], &w.sides[1]);
    while (take_item(&w, &item, &key)) {
        visit(&w, item, key);
        if (w.far && is_long(&w))
            compare_all_far(&w);
        if (is_settled(question) || grazei_agenda_spent(agenda, stats))
            break;
    }
    grazei_outbox_flush(&question->outbox);
    if (is_settled(question))
        agenda->count = 0;
}

const grazei_distance_kernels GRAZEI_ISA(distance_kernels) = {run};
