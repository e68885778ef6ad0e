/* The judge of bounds, for every deformer: is every posed vertex inside the bound of every node
 * that it is below, whichever instruction set computes it?
 */
#ifndef GRAZE_TESTS_SUPPORT_BOUNDS_JUDGE_H
#define GRAZE_TESTS_SUPPORT_BOUNDS_JUDGE_H

#include "body/patches.h"

/* What was looked at, and how close it came: least slack by skinning and volume, in 2^-24 of what
 * coordinates can reach in the pose.
 */
typedef struct bounds_seen {
    uint64_t poses, nodes, refused;
    double least[3][2];
} bounds_seen;

bounds_seen bounds_seen_start(void);
void bounds_seen_add(bounds_seen *sum, const bounds_seen *seen);
double bounds_seen_least(const bounds_seen *seen);
void bounds_seen_print(const char *what, const bounds_seen *seen);

/* Judges the body's pose with the model's instruction set or with all that there are. Also poses
 * every patch by itself and by each of the sets, and compares with the whole bit for bit. Records a
 * failure that starts with the name, and returns false, if a vertex is outside or differs.
 */
bool bounds_judge(graze_body *body, bool all_isas, const char *name, bounds_seen *seen);

/* The bounds that graze_body_refit_all leaves. */
bool bounds_judge_refit(graze_body *body, const char *name, bounds_seen *seen);

/* Trees that between them have every kind of record: the default, the papers', spheres with the
 * default refit, and boxes around one or two triangles.
 */
#define BOUNDS_TREES 4
graze_tree_def bounds_tree(uint32_t number);

const char *skinning_name(graze_skinning kind);

#endif
