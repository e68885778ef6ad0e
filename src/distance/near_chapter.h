/* Which triangles of two posed patches are near enough to count?
 *
 * What is far is told from what is near by boxes, and by how far triangles reach along the
 * direction of a slab: boxes part what is beside, planes what is behind.
 */
#ifndef GRAZEI_DISTANCE_NEAR_CHAPTER_H
#define GRAZEI_DISTANCE_NEAR_CHAPTER_H

#include "distance/slab_chapter.h"
#include "distance/ties_chapter.h"
#include "narrow/rough_kernels.h"
#include "query/set_pairs.h"

/* Triangles of two patches that may count, those of the first a chunk at a time. */
typedef struct near_search {
    const patch_side *sides;
    const slab *slab;
    float limit, width;
    const grazei_distance_question *question;
    bool turned;               /* boxes are those of turned points */
    uint32_t next;             /* triangle of the first patch */
    const uint64_t (*left)[2]; /* triangles of either patch that are looked at, as bits */
    grazei_near_set sets[2];
} near_search;

/* Turns the points of both patches into a frame that has the slab's direction as its first axis,
 * and makes rows of them: boxes in it are apart where those along the axes of space are not. Axes
 * are a little shorter than 1, so that no length grows; places are off as reaches are, which is
 * part of the width.
 */
static __attribute__((noinline)) void turn_points(const patch_side sides[2], const slab *s)
{
    double axes[3][3] = {{(double)s->along[0], (double)s->along[1], (double)s->along[2]}};
    bool turned = grazei_complete_axes(axes);
    f4 columns[3], from = f4_load(sides[0].patch.points[0]);
    for (int k = 0; k < 3; k++) {
        columns[k] = f4_set(k == 0, k == 1, k == 2, 0);
        for (int i = 0; i < 3 && turned; i++)
            columns[k][i] = (float)axes[i][k] * GRAZEI_SHORTER;
    }
    for (int side = 0; side < 2; side++) {
        float *rows = sides[side].points->rows;
        for (uint32_t i = 0; i < sides[side].patch.point_count; i++) {
            f4 at = f4_load(sides[side].patch.points[i]) - from;
            f4 place = (columns[0] * f4_x(at) + columns[1] * f4_y(at)) + columns[2] * f4_z(at);
            memcpy(rows + 3 * (size_t)i, &place, sizeof place); /* the next one starts in it */
        }
    }
}

/* Whether the limit, rounded to float, is coarse beside the patches. */
static inline bool is_coarse(const near_search *search)
{
    return search->limit > 256 * search->slab->extent;
}

static inline void find_turned_box(const float *rows, const uint8_t corner[4], f4 *low, f4 *high)
{
    f4 p = f4_load_any(rows + 3 * corner[0]), q = f4_load_any(rows + 3 * corner[1]);
    f4 r = f4_load_any(rows + 3 * corner[2]);
    *low = f4_min(p, f4_min(q, r));
    *high = f4_max(p, f4_max(q, r));
}

/* The triangles from *next on that reach so far, and have boxes so near to the other patch's box,
 * that they may count: up to `room` of them.
 */
static inline void find_near(near_search *search, int which, uint32_t *next, size_t room)
{
    const grazei_posed_patch *patch = &search->sides[which].patch;
    const grazei_bound *other = search->sides[!which].box;
    const float *reach = search->slab->reach[which];
    bool coarse = is_coarse(search);
    float least = -search->width - search->slab->most[!which];
    float most = grazei_most_square(search->limit);
    grazei_near_set *out = &search->sets[which];
    size_t count = 0;
    uint32_t t = *next;
    for (; t < patch->triangle_count && count < room; t++) {
        if (!(search->left[which][t / 64] >> (t % 64) & 1))
            continue;
        const uint8_t *corner = patch->corners[t];
        float far = f1_max(f1_max(reach[corner[0]], reach[corner[1]]), reach[corner[2]]);
        if (!(far >= least))
            continue;
        grazei_bound box;
        f4 p = f4_load(patch->points[corner[0]]), q = f4_load(patch->points[corner[1]]);
        f4 r = f4_load(patch->points[corner[2]]);
        f4 low = f4_min(p, f4_min(q, r)), high = f4_max(p, f4_max(q, r));
        grazei_bound_set_box(&box, low, high);
        if (grazei_box_gap_square(&box, other) > most ||
            (coarse && !grazei_may_count(search->question, grazei_bound_square(&box, other),
                                         which ? 0 : patch->names[t], 0)))
            continue;
        if (search->turned)
            find_turned_box(search->sides[which].points->rows, corner, &low, &high);
        for (int k = 0; k < 3; k++) {
            out->boxes[k][count] = low[k];
            out->boxes[k + 3][count] = high[k];
        }
        out->far[count] = far;
        out->numbers[count++] = (uint16_t)t;
    }
    out->count = count;
    *next = t;
}

/* Starts from triangle `first` of the first patch; false if there is none of the second. */
static inline bool start_near(near_search *search, patch_side sides[2], const slab *s,
                              const grazei_distance_question *question, uint32_t first, bool turned)
{
    uint32_t all = 0;
    float limit = question->limit;
    if (turned)
        turn_points(sides, s);
    search->turned = turned;
    search->sides = sides;
    search->slab = s;
    search->limit = limit;
    search->question = question;
    search->width = limit + (s->margin + SLAB_MARGIN * limit);
    search->next = first;
    find_near(search, 1, &all, GRAZEI_SET_TRIANGLES);
    return search->sets[1].count > 0;
}

/* Candidates of the next chunk. */
static inline size_t next_near(near_search *search, uint16_t pairs[GRAZEI_CHUNK_PAIRS])
{
    find_near(search, 0, &search->next, grazei_chunk(GRAZEI_SET_TRIANGLES, search->sets[1].count));
    if (search->sets[0].count == 0)
        return 0;
    return GRAZEI_ISA(narrow_distance_kernels)
        .near_pairs(&search->sets[0], &search->sets[1], search->width, search->width, pairs);
}

#endif
