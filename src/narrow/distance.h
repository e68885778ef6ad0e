/* How far apart are two triangles, and where are they nearest? */
#ifndef GRAZEI_NARROW_DISTANCE_H
#define GRAZEI_NARROW_DISTANCE_H

/* Computed distances differ from the true ones by less than this part of the longest side of the
 * box around both triangles.
 */
#define GRAZEI_DISTANCE_ERROR 0x1p-49

/* The square of the distance of the closed triangles a and b, in double: 0 if and only if they
 * meet, which is decided exactly; otherwise its root has the error above and is at least
 * sqrt(DBL_MIN). Degenerate triangles and the range of coordinates as in grazei_triangles_meet().
 * The same bits for b and a.
 */
double grazei_triangle_distance_square(const float a[3][3], const float b[3][3]);

/* A point of a and a point of b that are so far apart, rounded to float; one and the same point
 * where the triangles meet.
 */
void grazei_triangle_nearest_points(const float a[3][3], const float b[3][3], float points[2][3]);

#endif
