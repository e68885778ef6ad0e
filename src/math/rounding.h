/* Conservative rounding: the one place where bounds are made safe against float arithmetic. */
#ifndef GRAZEI_MATH_ROUNDING_H
#define GRAZEI_MATH_ROUNDING_H

#include <float.h>
#include <math.h>

#include <graze/base.h>

/* Half the distance from 1 to the next float: the largest relative error of one operation. */
#define GRAZEI_UNIT 0x1p-24f

/* Added to what comes out of the root of a sum of squares, which loses up to 2^-73 where squares
 * underflow; and to every radius, so that the square of a sum of two is a normal number. Where
 * denormals are flushed, squares of up to 2^-63 are gone, three of them 2^-62.2 of a length: the
 * radius has room for that, too.
 */
#define GRAZEI_LEAST_LENGTH 0x1p-72f
#define GRAZEI_LEAST_RADIUS 0x1p-61f

/* The smallest float >= x, and the largest <= x (x finite and within float's range). */
static inline float grazei_round_up(double x)
{
    float f = (float)x;
    return (double)f < x ? nextafterf(f, FLT_MAX) : f;
}

static inline float grazei_round_down(double x)
{
    float f = (float)x;
    return (double)f > x ? nextafterf(f, -FLT_MAX) : f;
}

/* GRAZE_UNSUPPORTED unless the processor rounds to nearest, which every proof here takes for
 * granted. Two additions.
 */
graze_status grazei_check_rounding(graze_error *error);

#endif
