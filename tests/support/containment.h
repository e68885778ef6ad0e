/* The judge of bounds: is every posed vertex inside the bound of every node that it is below? */
#ifndef GRAZE_TESTS_SUPPORT_CONTAINMENT_H
#define GRAZE_TESTS_SUPPORT_CONTAINMENT_H

#include "body/patches.h"

/* What was looked at, and how close it came. Slack is in 2^-24 of what coordinates can reach in
 * the pose, for boxes axis by axis.
 */
typedef struct containment {
    uint64_t poses, nodes, vertices;
    double least_box, least_sphere;
} containment;

containment containment_start(void);
void containment_print(const char *what, const containment *seen);

/* The bounds of every node from the pose alone, with the model's instruction set or with all that
 * there are. Records a failure that starts with the name, and returns false, if a vertex is
 * outside.
 */
bool containment_of_pose(graze_body *body, bool all_isas, const char *name, containment *seen);

/* The same for the bounds that graze_body_refit_all leaves. */
bool containment_of_refit(graze_body *body, const char *name, containment *seen);

/* Trees that between them have every kind of record: numbers 0 to 3. */
#define CONTAINMENT_TREES 4
graze_tree_def containment_tree(uint32_t number);

#endif
