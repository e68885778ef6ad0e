/* Patches: the leaves, each with a vertex list of its own. */
#ifndef GRAZEI_TREE_PATCHES_H
#define GRAZEI_TREE_PATCHES_H

#include "tree/tree.h"

/* Fills patches, corners and patch_vertices of a tree whose nodes are laid out. orders are the
 * others of the binary tree. False when out of memory.
 */
bool grazei_make_patches(grazei_tree *tree, const grazei_mesh *mesh,
                         const uint32_t *const orders[2], const graze_allocator *allocator);

/* Finds the main joint of every triangle anew, for a mesh that follows other joints. False when out
 * of memory.
 */
bool grazei_tree_find_main_joints(grazei_tree *tree, const grazei_mesh *mesh,
                                  const graze_allocator *allocator);

#endif
