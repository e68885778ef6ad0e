#include "errors.h"

#include <stdarg.h>
#include <stdio.h>

graze_status grazei_numerics_fail(graze_error *error, graze_status status, const char *format, ...)
{
    va_list values;
    if (!error)
        return status;
    error->status = status;
    va_start(values, format);
    vsnprintf(error->text, sizeof error->text, format, values);
    va_end(values);
    return status;
}
