/* How the axis of a volume follows the body. */
#ifndef GRAZEI_HITBOX_FOLLOW_H
#define GRAZEI_HITBOX_FOLLOW_H

#include "body/body.h"
#include "hitbox/fit.h"

/* In a pose. */
typedef struct grazei_followed {
    graze_capsule axis; /* of radius 0 */
    double stretch;     /* at least the largest singular value of what moves it */
    double scale;       /* cube root of how that changes volumes */
} grazei_followed;

grazei_followed grazei_follow(const graze_hitboxes *fit, graze_body *body,
                              const graze_hitbox *volume);

/* The same, where joints move it. */
grazei_followed grazei_follow_joint(const grazei_joints *joints, const graze_hitbox *volume);

/* Writes all inner hitboxes, as they follow the body. */
void grazei_follow_inner(const graze_hitboxes *fit, graze_body *body, graze_capsule *capsules);

void grazei_move(const f4_map *map, const double x[3], double moved[3]);

/* At least the largest singular value: of A'A the largest sum of a row, which is 1 where A turns,
 * or the trace.
 */
double grazei_stretch_of(const f4_map *map);

#endif
