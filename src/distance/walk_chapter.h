/* The walk through two trees that looks for distances: what it knows, the agenda's order, and what
 * is done where much is equally near. Included by distance_kernels.c only.
 */
#ifndef GRAZEI_DISTANCE_WALK_CHAPTER_H
#define GRAZEI_DISTANCE_WALK_CHAPTER_H

#include "distance/diagonals_chapter.h"
#include "distance/frame_chapter.h"
#include "distance/patches_chapter.h"
#include "distance/reaches_chapter.h"

/* The threshold rises by so much of what is between the nearest and the limit, so many times; then
 * the limit is about right, and order matters less than looking through the agenda costs.
 */
#define STEP 0.25f
#define ROUNDS 4

/* More pairs of nodes than this are opened where many are equally near. */
#define MANY_OPENED 500

/* Of so many pairs of leaves one is mostly near enough for who asks for any. */
#define FEW 4

/* Patches count as farther apart than wide if the limit is so many times their size. */
#define AFAR 4

typedef struct walk {
    grazei_view sides[2];
    grazei_distance_question *question;
    grazei_agenda *agenda;
    graze_stats *stats;
    bool boxes;          /* both trees have them */
    uint32_t compared;   /* pairs of leaves, where one that is near enough is looked for */
    uint32_t opened;     /* pairs of nodes */
    bool bounded_well;   /* by all patches, posed */
    uint32_t next_frame; /* is made once so many are opened */
    grazei_frame frame;
    grazei_point_patch points[2];
    bool far;        /* the bodies are far apart beside their size */
    double far_most; /* grazei_far_most() of the question */
    float last_turn; /* the limit when the direction of reaches was chosen */
    grazei_extent_slots extents;
} walk;

/* ---- the agenda --------------------------------------------------------------------------- */

/* All that was put off comes up again, and what is about as near as the nearest of it counts as
 * near.
 */
static void start_round(grazei_agenda *agenda, grazei_distance_question *question)
{
    float least = INFINITY;
    for (uint32_t i = 0; i < agenda->count; i++)
        least = f1_min(least, agenda->keys[i]);
    least = f1_max(least, 0);
    question->put_off = 0;
    question->threshold =
        question->rounds < ROUNDS ? least + STEP * (question->limit - least) : INFINITY;
    question->rounds++;
}

/* The next item; false if nothing that is left is near enough. */
static bool take_item(walk *w, grazei_pair_item *item, float *key)
{
    grazei_agenda *agenda = w->agenda;
    grazei_distance_question *question = w->question;
    while (agenda->count) {
        uint32_t top = agenda->count - 1;
        bool first = question->has_vertices && question->rounds == 0;
        if (first || agenda->count == question->put_off) {
            start_round(agenda, question);
            continue;
        }
        *item = agenda->items[top].pair;
        *key = agenda->keys[top];
        if (*key > question->threshold && *key <= question->limit && top < question->room) {
            grazei_agenda_copy(agenda, top, question->put_off);
            grazei_agenda_put(agenda, question->put_off++, (grazei_item){.pair = *item}, *key);
            continue;
        }
        agenda->count = top;
        if (*key <= question->limit)
            return true;
    }
    return false;
}

/* ---- posed patches -------------------------------------------------------------------------- */

/* How far apart two posed patches are at least, by their extents along diagonals and along the way
 * between the nearest that are known. Diagonals part little of what is farther away than wide, and
 * cost more than they save whoever asks for any pair among the first few.
 */
static inline float part_posed(walk *w, const patch_side sides[2])
{
    const grazei_distance_question *question = w->question;
    const grazei_posed_patch *a = &sides[0].patch, *b = &sides[1].patch;
    float extent = f1_max(longest_side(sides[0].box), longest_side(sides[1].box)), distance = 0;
    bool nearest = question->kind == GRAZEI_NEAREST;
    if (nearest ? question->limit <= AFAR * extent
                : question->kind == GRAZEI_WITHIN || w->compared++ > FEW)
        distance = grazei_diagonals_between(&w->extents, a, b);
    if (w->extents.turn && distance <= question->limit)
        distance = f1_max(distance, gap_of_reaches(&w->extents, a, b));
    return distance;
}

/* Looks along the way between the nearest that are known by now. */
static inline void turn_reaches(walk *w, const float along[3])
{
    w->last_turn = w->question->limit;
    w->extents.along = f4_set(along[0], along[1], along[2], 0);
    w->extents.turn++;
}

/* ---- where much is equally near ------------------------------------------------------------- */

static inline void load_side(const grazei_view *view, uint32_t patch, patch_side *side)
{
    side->body = view->body;
    side->patch = grazei_posed_patch_of(view->body, patch);
    side->box = grazei_patch_box(&side->patch);
}

static inline void load_sides(const walk *w, grazei_pair_item item, patch_side sides[2])
{
    for (int i = 0; i < 2; i++)
        load_side(&w->sides[i], w->sides[i].nodes[item.node[i]].first, &sides[i]);
}

/* Looks along the shortest way that is known by now. */
static void make_frame(walk *w)
{
    grazei_distance_question *question = w->question;
    w->next_frame *= 2;
    if (!question->found || !(question->square > 0))
        return;
    grazei_distance_find_points(question);
    grazei_frame_make(&w->frame, question->points[0], question->points[1],
                      question->slack / GRAZEI_DISTANCE_ERROR);
}

/* Poses all of a body and bounds its nodes by that: as much work as was done so far. */
static void bound_well(walk *w, int side)
{
    const grazei_view *view = &w->sides[side];
    uint32_t count = grazei_body_tree(view->body)->node_count;
    if (view->shared)
        return;
    for (uint32_t n = 0; n < count; n++)
        if (view->nodes[n].count)
            grazei_body_bound(view->body, view->nodes[n].first, view->nodes[n].count, w->stats);
    for (uint32_t n = count; n-- > 0;)
        if (view->nodes[n].count)
            grazei_view_bound_again(view, n);
        else
            grazei_view_pose_leaf(view, n, w->stats);
}

/* Once more nodes are opened than both trees have, everything is bounded as well as can be. */
static inline void prepare_for_many(walk *w)
{
    uint32_t all = grazei_body_tree(w->sides[0].body)->node_count +
                   grazei_body_tree(w->sides[1].body)->node_count;
    if (w->opened > w->next_frame)
        make_frame(w);
    if (w->bounded_well || w->opened <= all)
        return;
    bound_well(w, 0);
    bound_well(w, 1);
    w->bounded_well = true;
}

#endif
