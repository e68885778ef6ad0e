/* Building a skin: everything that deformers read, found once a model, before any pose.
 *
 * The structs stand where they are read, pose after pose (deform/); this room fills them. Nothing
 * here runs again once the model is made, but for the functions that release.
 */
#ifndef GRAZEI_RECORDS_BUILD_H
#define GRAZEI_RECORDS_BUILD_H

#include "deform/skin.h"
#include "mesh/morphs.h"
#include "tree/tree.h"

/* Fills a zeroed skin; on failure the caller releases what is there. If it is made on_demand, the
 * outline is left out, and the stream of the mesh where there are no morph targets.
 */
graze_status grazei_skin_build(grazei_skin *skin, const grazei_mesh *mesh, const grazei_tree *tree,
                               const graze_model_def *def, const graze_allocator *allocator,
                               graze_error *error);

/* Whether linear blending alone moves it, so that it has an outline. */
bool grazei_skin_has_outline(const grazei_skin *skin);

/* Bytes of what morph targets and blended rotations add. */
size_t grazei_skin_extra_bytes(const grazei_skin *skin, const grazei_tree *tree);

void grazei_skin_release(grazei_skin *skin, const graze_allocator *allocator);

/* GRAZE_CORRUPT where it is not what every skin is: validate.c. */
graze_status grazei_skin_validate(const grazei_skin *skin, const grazei_mesh *mesh,
                                  const grazei_tree *tree, graze_error *error);

/* ---- parts ---------------------------------------------------------------------------------- */

/* The vertices of all patches, patch by patch. False when out of memory. */
bool grazei_stream_patches(grazei_stream *stream, const grazei_mesh *mesh, const grazei_tree *tree,
                           const graze_allocator *allocator);

/* All vertices of the mesh, sorted by number of influences and joint-set. */
bool grazei_stream_mesh(grazei_stream *stream, const grazei_mesh *mesh,
                        const graze_allocator *allocator);

void grazei_stream_release(grazei_stream *stream, const graze_allocator *allocator);

size_t grazei_stream_bytes(const grazei_stream *stream, const grazei_tree *tree);

/* The outline of a model that linear blending alone moves, in which a root's record has this error.
 * False when out of memory.
 */
bool grazei_outline_build(grazei_outline *outline, const grazei_mesh *mesh, float record_error,
                          const graze_allocator *allocator);
void grazei_outline_release(grazei_outline *outline, const graze_allocator *allocator);

/* False when out of memory, as all below. */
bool grazei_blend_build(grazei_blend *blend, const grazei_mesh *mesh, const grazei_tree *tree,
                        const graze_allocator *allocator);

/* The joint-sets of each node one by one, once all else of the blend is there. */
bool grazei_set_balls_build(grazei_blend *blend, const grazei_mesh *mesh, const grazei_tree *tree,
                            const graze_allocator *allocator);

/* Whether a node with blended vertices is posed instead of bounded: a sphere around few of them. */
bool grazei_node_is_posed(const grazei_mesh *mesh, const grazei_tree *tree, uint32_t node);

void grazei_blend_release(grazei_blend *blend, const graze_allocator *allocator);

/* Everything but the nodes' rows. */
bool grazei_morph_lists_build(grazei_morph *morph, const grazei_mesh *mesh, const grazei_tree *tree,
                              const grazei_stream *mesh_stream, const grazei_morph_index *index,
                              const graze_allocator *allocator);

void grazei_morph_release(grazei_morph *morph, const graze_allocator *allocator);

#endif
