/* An order of triangles in which groups of 8, 64 and 512 that follow each other are close. */
#ifndef GRAZEI_BATCH_ORDER_H
#define GRAZEI_BATCH_ORDER_H

#include "mesh/mesh.h"

/* Fills order, one number a triangle; false when out of memory. */
bool grazei_order_triangles(const grazei_mesh *mesh, uint32_t *order,
                            const graze_allocator *allocator);

#endif
