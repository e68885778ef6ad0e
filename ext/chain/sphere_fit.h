/* Spheres near points: how far a sphere is from them, F = |r - |c - v||, and what makes it less. */
#ifndef GRAZEI_CHAIN_SPHERE_FIT_H
#define GRAZEI_CHAIN_SPHERE_FIT_H

#include "tree/ball.h"

#include <stdbool.h>
#include <stdint.h>

/* The sum of F over the points, and the largest. count may be 0. */
double grazei_misfit(const grazei_ball *ball, const double (*points)[3], uint32_t count,
                     double *largest);

/* The sphere with the least sum of F squared: the algebraic fit, then Gauss & Newton's steps as
 * long as they help. Points on a plane, or fewer than four, get the mean and the mean distance.
 */
grazei_ball grazei_fit_least_squares(const double (*points)[3], uint32_t count);

/* Where a sphere may be moved when it is adjusted. */
typedef struct grazei_leeway {
    double directions[3][3]; /* unit vectors */
    uint32_t direction_count;
    double limit;     /* how far its centre may go from where it was */
    double limits[3]; /* and how far along each direction */
} grazei_leeway;

/* Moves a sphere within its leeway, and gives it the median distance as radius, so that the mean of
 * F becomes less: a pattern search (Hooke & Jeeves 1961), steps halved from a fifth of the radius.
 * distances is scratch for count numbers; count is at least 1.
 */
void grazei_fit_adjust(grazei_ball *ball, const double (*points)[3], uint32_t count,
                       const grazei_leeway *leeway, double *distances);

/* Sine and cosine of a whole turn times a number from 0 to 1, the same bits on every machine. */
void grazei_sine_cosine(double turns, double *sine, double *cosine);

/* Solves a x = b, a of size x size numbers with size up to 4, by elimination with pivoting; false
 * if it is singular. a and b are overwritten.
 */
bool grazei_solve(double *a, double *b, uint32_t size, double x[4]);

#endif
