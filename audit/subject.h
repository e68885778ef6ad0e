/* A model as the audit looks at it: what hangs together, and which triangles each part has. */
#ifndef GRAZE_AUDIT_SUBJECT_H
#define GRAZE_AUDIT_SUBJECT_H

#include "audit/audit.h"
#include "audit/memory.h"

/* Triangles of one part that lie together: as many as one box in the posed model is for. */
typedef struct grazei_cluster {
    uint32_t first, count; /* in part_triangles */
} grazei_cluster;

struct graze_audit_subject {
    graze_allocator allocator;
    const graze_rig *rig;
    const graze_model *model;

    uint32_t part_count;
    uint32_t *part_of; /* of triangles */
    char *name_memory; /* of all names */
    const char **names;
    uint32_t *name_rank; /* place of each part's name among the names in order of their bytes */
    uint32_t joint_count;
    uint32_t *joint_parts, *joint_parents; /* NULL: parts are no joints */
    graze_audit_kin kin;

    /* Vertices that cannot part are one weld. Neighbours of a triangle: over the edge from corner
     * c to the next one; GRAZE_NONE: there is no other triangle.
     */
    uint32_t weld_count;
    uint32_t *welds;                 /* of vertices */
    uint32_t *around_first, *around; /* triangles at each weld */
    uint32_t *neighbours;            /* 3 a triangle */
    bool *weld_border;               /* an edge at this weld has one part on one side only */
    bool *weld_rim;                  /* an edge at this weld has nothing on one side */
    bool *part_border;               /* the part has such edges: its surface is open */

    uint32_t *part_first, *part_triangles; /* of each part, cluster by cluster */
    uint32_t *cluster_first;
    grazei_cluster *clusters;
    uint32_t *box_first;                    /* the boxes of each part: audit/boxes.h */
    uint32_t *vertex_first, *part_vertices; /* of each part's triangles */
    float *rest; /* of vertices, in the pose in which the file stands: 3 each */
};

static inline const uint32_t *grazei_corners(const graze_audit_subject *subject, uint32_t triangle)
{
    return subject->rig->triangles + 3 * (size_t)triangle;
}

/* What pairs of two parts have in common: the ranks of both names, the first one's in front. */
static inline uint64_t grazei_key_of(const graze_audit_subject *subject, uint32_t a, uint32_t b)
{
    const uint64_t x = subject->name_rank[subject->part_of[a]],
                   y = subject->name_rank[subject->part_of[b]];
    return x < y ? x << 32 | y : y << 32 | x;
}

/* Whether two parts are one or near kin in the skeleton. */
bool grazei_is_fold(const graze_audit_subject *subject, uint32_t p, uint32_t q);

/* Fills welds and what is known from them; subject.c. False when out of memory. */
bool grazei_find_welds(graze_audit_subject *subject);
bool grazei_find_surfaces(graze_audit_subject *subject);

#endif
