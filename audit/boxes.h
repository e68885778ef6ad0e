/* Boxes around the clusters of a part, in the pose: eight at a time, with boxes around each eight,
 * and so on up to one group. A part's groups lie level by level, those of its clusters first.
 */
#ifndef GRAZE_AUDIT_BOXES_H
#define GRAZE_AUDIT_BOXES_H

#include "audit/worker.h"

enum { GRAZEI_LANES = 8 };

/* Eight boxes; what is not there is from infinity to minus infinity. */
typedef struct grazei_boxes {
    float low[3][GRAZEI_LANES], high[3][GRAZEI_LANES];
} grazei_boxes;

static inline uint32_t grazei_count_clusters(const graze_audit_subject *subject, uint32_t part)
{
    return subject->cluster_first[part + 1] - subject->cluster_first[part];
}

/* The level of the one group that stands for all of so many clusters, at least 1. */
static inline uint32_t grazei_top_level(uint32_t clusters)
{
    uint32_t level = 0;
    for (; clusters > GRAZEI_LANES; level++)
        clusters = (clusters + GRAZEI_LANES - 1) / GRAZEI_LANES;
    return level;
}

/* How many groups so many clusters have, over all levels. */
uint32_t grazei_count_boxes(uint32_t clusters);

/* A group of a part by its level and its number there. */
grazei_boxes *grazei_group_of_boxes(const grazei_audit_worker *worker, uint32_t part,
                                    uint32_t level, uint32_t number);

/* Makes sure that the part's boxes fit its posed vertices. */
void grazei_fit_boxes(grazei_audit_worker *worker, uint32_t part);

/* How far the boxes are from a point, squared, to within six roundings. */
void grazei_boxes_away(const grazei_boxes *boxes, const float p[3], float away[GRAZEI_LANES]);

/* What that is at most, for a box with a point so near. */
static inline float grazei_box_limit(double distance)
{
    /* six roundings of 2^-24, one more of this, and what is lost where squares are denormal */
    return (float)(distance * distance * (1 + 1e-6)) + 1e-36f;
}

#endif
