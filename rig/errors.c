/* Memory and errors of the rig library. */
#include "sample.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void *grazei_rig_allocate(const graze_rig *rig, size_t count, size_t size)
{
    if (count > (SIZE_MAX - 1) / size)
        return NULL;
    return rig->allocator.allocate(rig->allocator.user, count * size + 1, 64);
}

void grazei_rig_release(const graze_rig *rig, void *memory)
{
    if (memory)
        rig->allocator.release(rig->allocator.user, memory);
}

graze_status grazei_rig_fail(graze_error *error, graze_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        error->status = status;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

graze_status grazei_rig_fail_sample(const graze_rig *rig, uint32_t clip, double time,
                                    graze_status status, graze_error *error)
{
    if (status == GRAZE_OK)
        return status;
    if (status == GRAZE_OUT_OF_MEMORY)
        return grazei_rig_fail(error, status, "out of memory");
    if (clip != GRAZE_NONE && clip >= rig->clip_count)
        return grazei_rig_fail(error, status, "clip %u: the rig has %u", clip, rig->clip_count);
    if (!isfinite(time))
        return grazei_rig_fail(error, status, "the time is not finite");
    return grazei_rig_fail(error, status,
                           "a number in the rig is out of range, or its nodes form a cycle");
}
