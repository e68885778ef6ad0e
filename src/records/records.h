/* Writing the record that bounds one node from the pose: deform/skin.h has the kinds. */
#ifndef GRAZEI_RECORDS_RECORDS_H
#define GRAZEI_RECORDS_RECORDS_H

#include "records/build.h"
#include "records/hulls.h"
#include "records/weights.h"

/* The box of a joint in the node whose hull is being found, and how many parts it moves. */
typedef struct grazei_open_box {
    grazei_joint_box box;
    uint32_t joint, uses;
} grazei_open_box;

/* What is needed while records are written, sized for the largest node. */
typedef struct grazei_recorder {
    grazei_skin *skin;
    const grazei_mesh *mesh;
    const grazei_tree *tree;
    const graze_allocator *allocator;
    size_t row_capacity;

    /* The node at hand. */
    uint32_t *vertices;
    uint32_t vertex_count;
    uint32_t *joints; /* ascending */
    uint32_t joint_count;
    uint32_t max_influences;
    uint32_t *slot_of; /* joint to its place in joints; valid for the node's joints only */

    grazei_hulls hulls;    /* of all nodes, for boxes */
    grazei_open_box *open; /* 1 a joint */

    uint8_t *vertex_marks; /* zero between uses */
    uint8_t *joint_marks;
    uint32_t *scratch;       /* 1 a vertex */
    uint32_t *followers;     /* the node's vertices by joint; 1 an influence */
    uint32_t *follower_ends; /* 1 a joint */
    double *shares;          /* 1 a joint */
    float *centre, *spread;  /* 1 a joint */
    grazei_weight_room room;
    uint32_t *sets; /* joint-sets of the node */
    uint8_t *set_marks;
    float *corners;

    grazei_joints *examples;
    uint32_t example_count, allocated_examples;
    bool made_up; /* by us, not given */
    float (*workspace)[4];
    size_t workspace_rows;
} grazei_recorder;

/* Start and end; end also after a failed start. */
bool grazei_recorder_start(grazei_recorder *recorder, grazei_skin *skin, const grazei_mesh *mesh,
                           const grazei_tree *tree, const graze_allocator *allocator);
void grazei_recorder_end(grazei_recorder *recorder);

/* Prepares the example poses; those that do not fit in floats are left out. False when out of
 * memory.
 */
bool grazei_recorder_pose_examples(grazei_recorder *recorder, const graze_model_def *def);
void grazei_recorder_release_examples(grazei_recorder *recorder);

/* How large the bounds are, over the example poses, that a node gets by this record. */
double grazei_recorder_size(const grazei_recorder *recorder, uint32_t node,
                            const grazei_record *record);

/* Sorts the joints at hand, which are marked, and unmarks and numbers them. */
void grazei_recorder_number_joints(grazei_recorder *recorder);

/* Makes a node the one at hand, with its vertices. */
void grazei_recorder_gather(grazei_recorder *recorder, uint32_t node);

/* Finds the joint-sets of the node at hand; returns how many. */
uint32_t grazei_recorder_sets(grazei_recorder *recorder);

/* Opens a record of so many rows, which are cleared; NULL when out of memory. */
float (*grazei_open_record(grazei_recorder *recorder, grazei_record *record,
                           grazei_record_kind kind, uint32_t rows, float weight_error))[4];

/* Shares of balls' centres in a point that is about the best centre for all of them, at rest. The
 * balls are in every other row; shares are work space, the result stands in the rows between.
 */
void grazei_share_centre(float (*rows)[4], uint32_t count, double *shares);

/* Append the rows of one record; false when out of memory. Hulls of boxes: records/hulls.h. */
bool grazei_record_balls(grazei_recorder *recorder, uint32_t node, grazei_record *record);
bool grazei_record_centre(grazei_recorder *recorder, uint32_t node, bool spheres,
                          grazei_record *record);
bool grazei_record_corners(grazei_recorder *recorder, uint32_t node, grazei_record *record);
/* The same with one corner a joint, in which all joint-sets are: larger, but not many. Not for
 * spherical skinning.
 */
bool grazei_record_few_corners(grazei_recorder *recorder, uint32_t node, grazei_record *record);

/* For nodes that are posed. */
bool grazei_record_posed(grazei_recorder *recorder, uint32_t node, grazei_record *record);

#endif
