/* Patches: the leaves, each with a vertex list of its own. */
#ifndef GRAZEI_TREE_PATCHES_H
#define GRAZEI_TREE_PATCHES_H

#include "tree/tree.h"

/* Fills patches, corners and patch_vertices of a tree whose nodes are laid out. False when out of
 * memory.
 */
bool grazei_make_patches(grazei_tree *tree, const grazei_mesh *mesh,
                         const graze_allocator *allocator);

#endif
