/* On which side of a line points and other lines pass, with a proven sign.
 *
 * The line goes through `origin` along `dir`, which need not be unit. Coordinates are float32, as
 * in orient.h. Every number returned has the sign of the exact one, is zero if and only if that is,
 * and has a relative error of at most 2^-30: it may be divided by and compared.
 */
#ifndef GRAZEI_EXACT_LINE_H
#define GRAZEI_EXACT_LINE_H

/* det(dir, a - origin, b - origin): zero if and only if the line and that of a and b lie in one
 * plane, or a is b.
 */
double grazei_line_side(const float origin[3], const float dir[3], const float a[3],
                        const float b[3]);

/* Coordinate `axis` of dir x (point - origin); all three are zero if and only if the point is on
 * the line.
 */
double grazei_line_offset(const float origin[3], const float dir[3], const float point[3],
                          int axis);

#endif
