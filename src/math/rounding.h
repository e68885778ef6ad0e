/* Conservative rounding: the one place where bounds are made safe against float arithmetic. */
#ifndef GRAZEI_MATH_ROUNDING_H
#define GRAZEI_MATH_ROUNDING_H

#include <float.h>
#include <math.h>

/* Half the distance from 1 to the next float: the largest relative error of one operation. */
#define GRAZEI_UNIT 0x1p-24f

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

#endif
