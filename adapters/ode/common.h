/* Errors and memory of the adapter. */
#ifndef GRAZE_ADAPTERS_ODE_COMMON_H
#define GRAZE_ADAPTERS_ODE_COMMON_H

#include <graze/base.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static inline graze_status __attribute__((format(printf, 3, 4)))
fail(graze_error *error, graze_status status, const char *format, ...)
{
    va_list values;
    if (!error)
        return status;
    error->status = status;
    va_start(values, format);
    vsnprintf(error->text, sizeof error->text, format, values);
    va_end(values);
    for (char *c = error->text; *c; c++) /* names from a file may hold anything */
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    return status;
}

static inline graze_status check_reserved(const uintptr_t *words, size_t size, graze_error *error)
{
    for (size_t i = 0; i < size / sizeof *words; i++)
        if (words[i])
            return fail(error, GRAZE_BAD_INPUT, "reserved[%zu] is not 0", i);
    return GRAZE_OK;
}

static inline graze_status fail_null(graze_error *error, const char *what)
{
    return fail(error, GRAZE_BAD_INPUT, "%s is NULL", what);
}

static inline graze_status fail_memory(graze_error *error)
{
    return fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
}

/* Zeroed; a count of 0 is taken as 1. */
static inline void *take(const graze_allocator *allocator, size_t count, size_t size)
{
    count = count ? count : 1;
    void *memory =
        count <= SIZE_MAX / size ? allocator->allocate(allocator->user, count * size, 64) : NULL;
    return memory ? memset(memory, 0, count * size) : NULL;
}

static inline void give(const graze_allocator *allocator, void *memory)
{
    if (memory)
        allocator->release(allocator->user, memory);
}

#endif
