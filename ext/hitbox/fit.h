/* What is kept of a model's parts to bound them from a pose: docs/bounds.md, "Parts". */
#ifndef GRAZEI_HITBOX_FIT_H
#define GRAZEI_HITBOX_FIT_H

#include "hitbox/balls.h"
#include "hitbox/capsule.h"
#include "model/model.h"

#include <graze/ext/hitbox.h>

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

/* An outer hitbox, and what it owns. */
typedef struct grazei_fit_part {
    graze_hitbox volume;
    uint32_t first, count; /* in vertices */
    uint32_t first_cluster, cluster_count;
} grazei_fit_part;

struct graze_hitboxes {
    graze_allocator allocator;
    const graze_model *model;
    uint32_t *owners; /* of the triangles: numbers of parts */
    grazei_fit_part *parts;
    uint32_t part_count;
    graze_hitbox *fine; /* the inner ones */
    size_t fine_count, fine_capacity;
    uint32_t *fine_counts; /* of inner ones, one a part */
    bool closed;           /* the model is */
    uint32_t *vertices;    /* of the parts, cluster by cluster */
    grazei_cluster *clusters;
    uint32_t cluster_count;
    grazei_share *shares;
    size_t share_count, share_capacity;
    grazei_balls balls; /* of outer ones; where they are not enough, clusters are */
};

/* Checks hitboxes that were given and enters them in a fit without any: inner ones whole, of outer
 * ones the volumes, and the owners of their triangles. Owners of others stay UINT32_MAX.
 */
graze_status grazei_fit_take_given(graze_hitboxes *fit, const graze_hitbox_def *volumes,
                                   uint32_t count, graze_error *error);

/* Fits inner hitboxes, most a part, to all parts that have triangles and no inner one.
 * False when out of memory.
 */
bool grazei_fit_add_fine(graze_hitboxes *fit, uint32_t most);

/* Puts one behind the others; false when out of memory. */
bool grazei_fit_put_fine(graze_hitboxes *fit, const graze_hitbox *volume);

#endif
