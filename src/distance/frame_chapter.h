/* How far apart parts of two bodies are at least, seen along the shortest way that is known.
 *
 * Where two surfaces lie side by side, askew, most pairs of their patches are about equally near,
 * and boxes along the axes tell none of them apart. Boxes in a frame with one axis along the
 * shortest way do. They are found from posed points, in double, which is slow and asked for only
 * when a walk has become long.
 *
 * Rounding, with u = 2^-53 and R the longest side of the box around both bodies. The frame's axes
 * come from normalised vectors and cross products of such: lengths and right angles are off by less
 * than 8 u, so the sum of the squares along them is at most (1 + 32 u) times that of the vector. A
 * coordinate is a difference and three products and sums of at most R each: off by less than 8 u R.
 * A gap is a difference of two: off by less than 18 u R, and its margin is 32 u R. Squares, sums
 * and the comparison add less than 16 u. (1 - 2^-46) is 128 u less than 1.
 */
#ifndef GRAZEI_DISTANCE_FRAME_CHAPTER_H
#define GRAZEI_DISTANCE_FRAME_CHAPTER_H

#include "body/patches.h"
#include "distance/distance.h"
#include "math/doubles.h"
#include "math/lanes.h"
#include "math/vector.h"

#include <float.h>

enum { GRAZEI_FRAME_SLOTS = 4 };

/* Of three numbers; the fourth does not matter. */
typedef struct grazei_frame_box {
    double4 low, high;
} grazei_frame_box;

typedef struct grazei_frame {
    bool made;
    uint32_t asked, parted;     /* how often, and how often it helped */
    double4 origin, columns[3]; /* of the axes: their first coordinates, second and third */
    double margin;
    uint32_t nodes[2][GRAZEI_FRAME_SLOTS]; /* whose boxes are there */
    grazei_frame_box boxes[2][GRAZEI_FRAME_SLOTS];
} grazei_frame;

/* Two axes at right angles to the first, whose length does not matter, and to each other; all of
 * length 1. False: there is no first.
 */
static inline bool grazei_complete_axes(double axes[3][3])
{
    double *along = axes[0], beside[3] = {0, 0, 0};
    if (!grazei_normalise(along))
        return false;
    int least = fabs(along[0]) < fabs(along[1]) ? 0 : 1;
    beside[fabs(along[2]) < fabs(along[least]) ? 2 : least] = 1;
    grazei_cross(along, beside, axes[1]);
    grazei_normalise(axes[1]);
    grazei_cross(along, axes[1], axes[2]);
    return true;
}

/* Turns a frame so that its first axis is along a direction. */
static inline void grazei_frame_turn(grazei_frame *frame, const double along[3])
{
    double axes[3][3] = {{along[0], along[1], along[2]}};
    frame->made = grazei_complete_axes(axes);
    frame->asked = frame->parted = 0;
    for (int k = 0; k < 3; k++)
        frame->columns[k] = (double4){axes[0][k], axes[1][k], axes[2][k], 0};
    memset(frame->nodes, 0xff, sizeof frame->nodes);
}

/* A frame along the way from one point to the other. */
static inline void grazei_frame_make(grazei_frame *frame, const float from[3], const float to[3],
                                     double reach)
{
    double along[3];
    for (int k = 0; k < 3; k++)
        along[k] = (double)to[k] - (double)from[k];
    frame->origin = (double4){(double)from[0], (double)from[1], (double)from[2], 0};
    frame->margin = reach * 0x1p-48 + DBL_MIN;
    grazei_frame_turn(frame, along);
}

/* Where a point is in the frame. (Through a pointer: how such a value is returned differs between
 * instruction sets.)
 */
GRAZEI_INLINE void grazei_frame_place(const grazei_frame *frame, const float point[4],
                                      double4 *place)
{
    double4 at = __builtin_convertvector(f4_load(point), double4) - frame->origin;
    *place = (frame->columns[0] * at[0] + frame->columns[1] * at[1]) + frame->columns[2] * at[2];
}

static inline void grazei_frame_box_none(grazei_frame_box *box)
{
    box->low = (double4){INFINITY, INFINITY, INFINITY, INFINITY};
    box->high = -box->low;
}

/* Enlarges a box by all between two corners. */
GRAZEI_INLINE void grazei_frame_add(const double4 *low, const double4 *high, grazei_frame_box *box)
{
    double4_least(low, &box->low);
    double4_most(high, &box->high);
}

static inline void grazei_frame_add_points(const grazei_frame *frame,
                                           const grazei_posed_patch *patch, grazei_frame_box *box)
{
    grazei_frame_box even = *box, odd = *box; /* two, as each point waits for the one before */
    uint32_t last = patch->point_count - 1;
    for (uint32_t i = 0; i < patch->point_count; i += 2) {
        double4 first, second;
        grazei_frame_place(frame, patch->points[i], &first);
        grazei_frame_place(frame, patch->points[i < last ? i + 1 : i], &second);
        grazei_frame_add(&first, &first, &even);
        grazei_frame_add(&second, &second, &odd);
    }
    grazei_frame_add(&odd.low, &odd.high, &even);
    *box = even;
}

/* Whether a node is a leaf, or all its children are. */
static inline bool grazei_is_last_but_one(const grazei_view *view, uint32_t number)
{
    grazei_node node = view->nodes[number];
    for (uint32_t i = 0; i < node.count; i++)
        if (view->nodes[node.first + i].count)
            return false;
    return true;
}

/* The square of how far apart two boxes are at least. */
GRAZEI_INLINE double grazei_frame_square(const grazei_frame *frame, const grazei_frame_box *a,
                                         const grazei_frame_box *b)
{
    double4 gap = a->low - b->high, other = b->low - a->high, none = {0, 0, 0, 0};
    double4_most(&other, &gap);
    gap -= frame->margin;
    double4_most(&none, &gap);
    gap *= gap;
    return (gap[0] + gap[1]) + gap[2];
}

/* Poses all below such a node. */
static inline void grazei_frame_add_node(const grazei_frame *frame, const grazei_view *view,
                                         uint32_t number, grazei_frame_box *box, graze_stats *stats)
{
    grazei_node node = view->nodes[number];
    uint32_t first = node.count ? node.first : number, count = node.count ? node.count : 1;
    for (uint32_t leaf = first; leaf < first + count; leaf++) {
        grazei_posed_patch patch = grazei_view_leaf(view, leaf, stats);
        grazei_frame_add_points(frame, &patch, box);
    }
}

static inline const grazei_frame_box *grazei_frame_box_of(grazei_frame *frame, int side,
                                                          const grazei_view *view, uint32_t node,
                                                          graze_stats *stats)
{
    uint32_t slot = node % GRAZEI_FRAME_SLOTS;
    grazei_frame_box *box = &frame->boxes[side][slot];
    if (frame->nodes[side][slot] == node)
        return box;
    frame->nodes[side][slot] = node;
    grazei_frame_box_none(box);
    grazei_frame_add_node(frame, view, node, box, stats);
    return box;
}

/* Whether all below two nodes is farther apart, as computed distances go, than what is known. Asked
 * no more where it hardly ever is.
 */
static inline bool grazei_frame_parts(grazei_frame *frame, const grazei_view views[2],
                                      grazei_pair_item item,
                                      const grazei_distance_question *question, graze_stats *stats)
{
    if (!frame->made || (frame->asked > 64 && 4 * frame->parted < frame->asked) ||
        !grazei_is_last_but_one(&views[0], item.node[0]) ||
        !grazei_is_last_but_one(&views[1], item.node[1]))
        return false;
    const grazei_frame_box *a = grazei_frame_box_of(frame, 0, &views[0], item.node[0], stats);
    const grazei_frame_box *b = grazei_frame_box_of(frame, 1, &views[1], item.node[1], stats);
    bool parts = sqrt(grazei_frame_square(frame, a, b)) * (1 - 0x1p-46) >
                 sqrt(question->square) + question->slack;
    frame->asked++;
    frame->parted += parts;
    GRAZE_ASSERT(frame->parted <= frame->asked);
    return parts;
}

#endif
