/* Do two triangles meet? Exactly. */
#ifndef GRAZEI_NARROW_TRIANGLE_H
#define GRAZEI_NARROW_TRIANGLE_H

#include <stdbool.h>

/* Whether the closed triangles a and b (three corners of three coordinates each) have a point in
 * common. Exact: touching counts, triangles in one plane are handled, and a degenerate triangle is
 * the segment or the point that it is. Coordinates are finite and below 1e18 in magnitude; zeros of
 * either sign and subnormals are numbers like any other. The order of the corners and of the
 * triangles does not matter. The floating-point environment must be the default one.
 */
bool grazei_triangles_meet(const float a[3][3], const float b[3][3]);

#endif
