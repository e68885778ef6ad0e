/* What is kept of a model's parts to bound them from a pose: docs/bounds.md, "Parts". */
#ifndef GRAZEI_PARTS_FIT_H
#define GRAZEI_PARTS_FIT_H

#include "model/model.h"
#include "parts/capsule.h"

#include <graze/parts.h>

/* One joint in a cluster. */
typedef struct grazei_share {
    uint32_t joint;
    double mean, spread; /* of its weights: at least |w - mean| of every vertex */
} grazei_share;

/* Vertices of one part that are near each other. */
typedef struct grazei_cluster {
    uint32_t first, count;             /* in vertices */
    uint32_t first_share, share_count; /* in shares */
    double centre[3], radius;          /* a ball around them at rest */
    double clearance;                  /* at least their distance from the volume's axis at rest */
} grazei_cluster;

typedef struct grazei_fit_part {
    graze_part_volume volume;
    uint32_t first, count; /* in vertices */
    uint32_t first_cluster, cluster_count;
} grazei_fit_part;

struct graze_fit {
    graze_allocator allocator;
    const graze_model *model;
    grazei_fit_part *parts;
    uint32_t part_count;
    uint32_t *vertices; /* of the parts, cluster by cluster */
    grazei_cluster *clusters;
    uint32_t cluster_count;
    grazei_share *shares;
    size_t share_count, share_capacity;
};

#endif
