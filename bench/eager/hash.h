/* Spatial hashing after M. Teschner et al., "Optimized spatial hashing for collision detection of
 * deformable objects" (2003): no tree, so nothing to prepare and nothing to refit, but every
 * triangle of every body is looked at in every frame. What Kavan & Zara 2005 leave to compare with.
 *
 * On the baseline's skinned vertices and with its exact triangle test: for one frame eager_skin and
 * eager_box_triangles for all bodies, then eager_hash_collide for every two.
 *
 * Triangles outside the box in which both bodies are drop out first, sixteen at a time. Cells are
 * numbered row by row, so that a table as large as the box has no collisions and neighbours lie
 * together. Entries are sorted into the table by counting, with their boxes. A pair is found in one
 * cell only: the one with the larger low corner of the two boxes.
 */
#ifndef GRAZE_BENCH_EAGER_HASH_H
#define GRAZE_BENCH_EAGER_HASH_H

#include "bench/eager/eager.h"

typedef struct eager_hash eager_hash;

eager_hash *eager_hash_create(void);
void eager_hash_destroy(eager_hash *hash);

/* How wide a cell is, in mean longest sides of a triangle's box; 0: what is best on most scenes. */
void eager_hash_set_cell(eager_hash *hash, float triangles);

/* Finds the boxes of all triangles of a skinned body. */
void eager_box_triangles(eager_body *body);

/* As eager_collide, of two bodies whose boxes were found. */
size_t eager_hash_collide(eager_hash *hash, const eager_body *a, const eager_body *b, bool first,
                          bench_pair *pairs, size_t capacity);

#endif
