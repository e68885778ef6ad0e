#include "audit/boxes.h"

#include <math.h>

uint32_t grazei_count_boxes(uint32_t clusters)
{
    uint32_t count = 0;
    for (uint32_t left = clusters; left;) {
        left = (left + GRAZEI_LANES - 1) / GRAZEI_LANES;
        count += left;
        if (left == 1)
            break;
    }
    return count;
}

grazei_boxes *grazei_group_of_boxes(const grazei_audit_worker *worker, uint32_t part,
                                    uint32_t level, uint32_t number)
{
    uint32_t first = worker->subject->box_first[part];
    uint32_t count = grazei_count_clusters(worker->subject, part);
    for (uint32_t i = 0; i < level; i++) {
        count = (count + GRAZEI_LANES - 1) / GRAZEI_LANES;
        first += count;
    }
    return &worker->boxes[first + number];
}

/* ---- fitting -------------------------------------------------------------------------------- */

static void clear(grazei_boxes *boxes)
{
    for (int axis = 0; axis < 3; axis++)
        for (int lane = 0; lane < GRAZEI_LANES; lane++) {
            boxes->low[axis][lane] = INFINITY;
            boxes->high[axis][lane] = -INFINITY;
        }
}

static void fit_cluster(const grazei_audit_worker *worker, const grazei_cluster *cluster,
                        grazei_boxes *boxes, uint32_t lane)
{
    const graze_audit_subject *subject = worker->subject;
    for (uint32_t i = cluster->first; i < cluster->first + cluster->count; i++) {
        const uint32_t *corners = grazei_corners(subject, subject->part_triangles[i]);
        for (int c = 0; c < 3; c++) {
            const float *p = grazei_posed(worker, corners[c]);
            for (int axis = 0; axis < 3; axis++) {
                float *low = &boxes->low[axis][lane], *high = &boxes->high[axis][lane];
                *low = p[axis] < *low ? p[axis] : *low;
                *high = p[axis] > *high ? p[axis] : *high;
            }
        }
    }
}

static void fit_group(const grazei_boxes *inner, grazei_boxes *boxes, uint32_t lane)
{
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (int i = 0; i < GRAZEI_LANES; i++) {
            low = inner->low[axis][i] < low ? inner->low[axis][i] : low;
            high = inner->high[axis][i] > high ? inner->high[axis][i] : high;
        }
        boxes->low[axis][lane] = low;
        boxes->high[axis][lane] = high;
    }
}

void grazei_fit_boxes(grazei_audit_worker *worker, uint32_t part)
{
    const graze_audit_subject *subject = worker->subject;
    const grazei_cluster *clusters = subject->clusters + subject->cluster_first[part];
    uint32_t count = grazei_count_clusters(subject, part);
    const uint32_t top = count ? grazei_top_level(count) : 0;
    if (worker->boxes_stamp[part] == worker->frame_stamp)
        return;
    worker->boxes_stamp[part] = worker->frame_stamp;
    for (uint32_t level = 0; count && level <= top; level++) {
        const grazei_boxes *inner = NULL;
        grazei_boxes *boxes = grazei_group_of_boxes(worker, part, level, 0);
        if (level)
            inner = grazei_group_of_boxes(worker, part, level - 1, 0);
        for (uint32_t i = 0; i < count; i++) {
            grazei_boxes *own = &boxes[i / GRAZEI_LANES];
            if (i % GRAZEI_LANES == 0)
                clear(own);
            if (level)
                fit_group(&inner[i], own, i % GRAZEI_LANES);
            else
                fit_cluster(worker, &clusters[i], own, i % GRAZEI_LANES);
        }
        count = (count + GRAZEI_LANES - 1) / GRAZEI_LANES;
    }
}

/* ---- asking --------------------------------------------------------------------------------- */

void grazei_boxes_away(const grazei_boxes *boxes, const float p[3], float away[GRAZEI_LANES])
{
    for (int i = 0; i < GRAZEI_LANES; i++)
        away[i] = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < GRAZEI_LANES; i++) {
            const float below = boxes->low[axis][i] - p[axis];
            const float above = p[axis] - boxes->high[axis][i];
            const float most = below > above ? below : above;
            const float out = most > 0 ? most : 0;
            away[i] += out * out;
        }
}
