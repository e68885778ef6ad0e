/* A body as it stands, made into a rigid model: statues, corpses, ragdolls that have come to rest.
 *
 * One joint moves everything, so bounds and vertices of a frozen body cost what a rigid body's do,
 * and it needs no joints, morph weights or skin any more.
 */
#ifndef GRAZE_FREEZE_H
#define GRAZE_FREEZE_H

#include <graze/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a model whose rest pose is the body's present pose: the very floats that
 * graze_body_get_positions writes. Triangles, vertices, body parts and nodes of the tree keep their
 * numbers, and neighbours stay neighbours; there is one joint, linear skinning and no morph target.
 * A new body of it answers every query as the frozen one does, but for what belongs to a joint or
 * to the rest pose: hits of rays name joint 0, and pairs of self-collision count as meeting at rest
 * (and are found without what graze_model_def.self_collision makes ready).
 *
 * Positions include the placement. Where that is far from the origin, freeze without it and place
 * the new body instead: it then keeps the digits that a far position has lost.
 *
 * All triangles are kept, whatever the body's group mask; a new body of the model has no mask.
 *
 * *model is set on success only; it comes from the allocator of the body's model, which may go
 * first. GRAZE_BAD_INPUT if the body is NULL or a position is beyond 1e15.
 * Takes about half a microsecond a triangle with the default tree, some 2 with the papers'.
 */
GRAZE_API graze_status graze_body_freeze(graze_body *body, graze_model **model, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
