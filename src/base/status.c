#include "base/status.h"

#include <graze/version.h>

#include <stdarg.h>
#include <stdio.h>

#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x

const char *graze_version(void)
{
    return TEXT(GRAZE_VERSION_MAJOR) "." TEXT(GRAZE_VERSION_MINOR) "." TEXT(GRAZE_VERSION_PATCH);
}

uint32_t graze_version_number(void)
{
    return GRAZE_VERSION;
}

const char *graze_status_name(graze_status status)
{
    switch (status) {
    case GRAZE_OK:
        return "ok";
    case GRAZE_BAD_INPUT:
        return "bad input";
    case GRAZE_OUT_OF_MEMORY:
        return "out of memory";
    case GRAZE_UNSUPPORTED:
        return "unsupported";
    case GRAZE_IO_ERROR:
        return "input/output error";
    }
    return "unknown status";
}

graze_status grazei_fail(graze_error *error, graze_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

graze_status grazei_fail_memory(graze_error *error)
{
    return grazei_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
}

graze_status grazei_check_pointer(const void *pointer, const char *name, graze_error *error)
{
    return pointer ? GRAZE_OK : grazei_fail(error, GRAZE_BAD_INPUT, "%s is NULL", name);
}
