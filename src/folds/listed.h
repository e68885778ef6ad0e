/* Pairs of triangles that are listed, and how clear it is at rest whether they meet. */
#ifndef GRAZEI_FOLDS_LISTED_H
#define GRAZEI_FOLDS_LISTED_H

#include "folds/build.h"

/* At most the rest distance of two triangles. Where it is at most `limit`, *clear is what
 * grazei_folds.clear says of them.
 */
float grazei_rest_distance(const grazei_rest_triangle *s, const grazei_rest_triangle *t,
                           float limit, uint8_t *clear);

/* False when out of memory. */
bool grazei_add_listed(grazei_fold_builder *b, uint16_t pair, uint8_t clear);

/* Sorts what is listed of patch p and another into runs. There are no more than a patch may list.
 * False when out of memory.
 */
bool grazei_sort_listed(grazei_fold_builder *b, uint32_t p, const grazei_near *near);

#endif
