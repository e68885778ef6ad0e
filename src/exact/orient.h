/* Orientation of points, with a proven sign.
 *
 * Points are three float32 coordinates, finite and below 1e18 in magnitude; zeros of either sign
 * and subnormals are numbers like any other. The sign is that of the exact determinant, always. The
 * floating-point environment must be the default one (round to nearest, no flushing to zero).
 */
#ifndef GRAZEI_EXACT_ORIENT_H
#define GRAZEI_EXACT_ORIENT_H

/* The sign (-1, 0, 1) of (a - d) . ((b - d) x (c - d)); zero if and only if the four points lie in
 * one plane.
 */
int grazei_orient3d(const float a[3], const float b[3], const float c[3], const float d[3]);

/* The sign (-1, 0, 1) of (a - c) x (b - c) after dropping the coordinate `axis` (0, 1 or 2) of
 * every point; the remaining two are taken in cyclic order (y z, z x or x y). Zero if and only if
 * the three projected points lie on one line.
 */
int grazei_orient2d(const float a[3], const float b[3], const float c[3], int axis);

#endif
