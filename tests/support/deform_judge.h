/* The judge of every deformer's bounds: is every posed vertex inside the bound of every node that
 * it is below, whichever instruction set computes it?
 */
#ifndef GRAZE_TESTS_SUPPORT_DEFORM_JUDGE_H
#define GRAZE_TESTS_SUPPORT_DEFORM_JUDGE_H

#include "body/patches.h"

/* What was looked at, and how close it came: least slack by skinning and volume, in 2^-24 of what
 * coordinates can reach in the pose.
 */
typedef struct deform_seen {
    uint64_t poses, nodes, refused;
    double least[3][2];
} deform_seen;

deform_seen deform_seen_start(void);
void deform_seen_print(const char *what, const deform_seen *seen);

/* Judges the body's pose with the model's instruction set or with all that there are. Also poses
 * every patch by itself and by each of the sets, and compares with the whole bit for bit. Records a
 * failure that starts with the name, and returns false, if a vertex is outside or differs.
 */
bool deform_judge(graze_body *body, bool all_isas, const char *name, deform_seen *seen);

/* Trees that between them have every kind of record: the default, the papers', spheres with the
 * default refit, and boxes around one or two triangles.
 */
#define DEFORM_TREES 4
graze_tree_def deform_tree(uint32_t number);

const char *deform_kind_name(graze_skinning kind);

#endif
