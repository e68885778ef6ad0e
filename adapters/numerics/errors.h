/* What went wrong, in words. Private to the adapter. */
#ifndef GRAZEI_NUMERICS_ERRORS_H
#define GRAZEI_NUMERICS_ERRORS_H

#include <graze/base.h>

/* Writes the text, unless error is NULL, and returns the status. */
graze_status grazei_numerics_fail(graze_error *error, graze_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
