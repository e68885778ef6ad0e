/* Regions of a body without a skeleton. */
#include "base/status.h"
#include "parts/regions.h"

graze_status grazei_regions_from_shape(grazei_regions *regions, graze_error *error)
{
    (void)regions;
    return grazei_fail(error, GRAZE_UNSUPPORTED,
                       "the model has one joint, so its regions are to be given");
}
