/* In a build without graze::numerics. */
#include "cli/simulate_fields.h"

static graze_status refuse(graze_error *error)
{
    *error = (graze_error){GRAZE_UNSUPPORTED,
                           "this graze was built without its numerics (ARPACK, CHOLMOD, LAPACK), "
                           "which find how things flex; make all installs them; --rigid does "
                           "without"};
    return GRAZE_UNSUPPORTED;
}

graze_status simulate_find_modes(const simulate_sheet *sheet, const float *positions,
                                 const graze_rig *mesh, double most_frequency, simulate_kind *kind,
                                 graze_error *error)
{
    (void)sheet, (void)positions, (void)mesh, (void)most_frequency, (void)kind;
    return refuse(error);
}

graze_status simulate_find_components(const float *frames, uint32_t most, const graze_rig *mesh,
                                      simulate_kind *kind, graze_error *error)
{
    (void)frames, (void)most, (void)mesh, (void)kind;
    return refuse(error);
}
