#include "math/rounding.h"

#include "base/status.h"

/* Read at run time, so that the sums below are not worked out by the compiler. */
static const volatile float small = 0x1p-30f;

graze_status grazei_check_rounding(graze_error *error)
{
    float part = small;
    if (1.0f + part == 1.0f && 1.0f - part == 1.0f)
        return GRAZE_OK;
    return grazei_fail(error, GRAZE_UNSUPPORTED,
                       "the rounding mode is not to nearest (fesetround)");
}
