/* How far apart are two triangles, and where are they nearest? */
#ifndef GRAZEI_NARROW_DISTANCE_H
#define GRAZEI_NARROW_DISTANCE_H

/* Computed distances differ from the true ones by less than this part of the longest side of the
 * box around both triangles.
 */
#define GRAZEI_DISTANCE_ERROR 0x1p-49

/* The square of the distance of the closed triangles a and b, in double: 0 if and only if they
 * meet, which is decided exactly; otherwise its root has the error above, and it is at least
 * DBL_MIN and grazei_box_square() of any boxes around them. Degenerate triangles and the range of
 * coordinates as in grazei_triangles_meet(). The same bits for b and a.
 */
double grazei_triangle_distance_square(const float a[3][3], const float b[3][3]);

/* The square of the distance of two boxes, each given as its least corner negated and its greatest
 * one. Never above the square for triangles inside, as computed: the same operations, each of them
 * monotonic.
 */
static inline double grazei_box_square(const float a_low_negated[3], const float a_high[3],
                                       const float b_low_negated[3], const float b_high[3])
{
    double gaps[3];
    for (int k = 0; k < 3; k++) {
        double first = -(double)b_low_negated[k] - (double)a_high[k];
        double second = -(double)a_low_negated[k] - (double)b_high[k];
        double gap = first > second ? first : second;
        gaps[k] = gap > 0 ? gap : 0;
    }
    return (gaps[0] * gaps[0] + gaps[1] * gaps[1]) + gaps[2] * gaps[2];
}

/* A point of a and a point of b that are so far apart, rounded to float; one and the same point
 * where the triangles meet.
 */
void grazei_triangle_nearest_points(const float a[3][3], const float b[3][3], float points[2][3]);

#endif
