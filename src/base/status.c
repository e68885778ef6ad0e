#include "base/status.h"
#include "base/assert.h"

#include <graze/base.h>

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
    case GRAZE_CORRUPT:
        return "corrupt";
    case GRAZE_UNFINISHED:
        return "unfinished";
    }
    return "unknown status";
}

graze_status grazei_fail(graze_error *error, graze_status status, const char *format, ...)
{
    GRAZE_ASSERT(status != GRAZE_OK);
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

graze_status grazei_check_reserved(const uintptr_t *words, size_t count, const char *name,
                                   graze_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (words[i])
            return grazei_fail(
                error, GRAZE_BAD_INPUT,
                "reserved[%zu] of %s is not 0: set the struct to zero first, and use "
                "the headers of this library",
                i, name);
    return GRAZE_OK;
}

graze_status grazei_check_pointer(const void *pointer, const char *name, graze_error *error)
{
    return pointer ? GRAZE_OK : grazei_fail(error, GRAZE_BAD_INPUT, "%s is NULL", name);
}
