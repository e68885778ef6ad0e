/* Filling a graze_error. */
#ifndef GRAZEI_BASE_STATUS_H
#define GRAZEI_BASE_STATUS_H

#include <graze/base.h>

/* On Windows gcc takes printf for Microsoft's. */
#if defined(__MINGW32__) && !defined(__clang__)
#define GRAZEI_PRINTF gnu_printf
#else
#define GRAZEI_PRINTF printf
#endif

/* Writes status and a formatted text into error (may be NULL) and returns status. */
graze_status grazei_fail(graze_error *error, graze_status status, const char *format, ...)
    __attribute__((format(GRAZEI_PRINTF, 3, 4)));

/* What a validator expects to hold; if it does not, the caller returns GRAZE_CORRUPT with a text.
 */
#define GRAZEI_EXPECT(condition, error, ...)                                                       \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return grazei_fail(error, GRAZE_CORRUPT, __VA_ARGS__);                                 \
    } while (0)

/* GRAZE_BAD_INPUT, "NAME is NULL", if it is. */
graze_status grazei_check_pointer(const void *pointer, const char *name, graze_error *error);

/* GRAZE_BAD_INPUT if one of count reserved words is not zero. name: of the struct they are in. */
graze_status grazei_check_reserved(const uintptr_t *words, size_t count, const char *name,
                                   graze_error *error);

/* The same for the array `reserved` at the end of a struct. */
#define GRAZEI_CHECK_RESERVED(def, name, error)                                                    \
    grazei_check_reserved((def)->reserved, sizeof(def)->reserved / sizeof *(def)->reserved, name,  \
                          error)

/* The same for GRAZE_OUT_OF_MEMORY. */
graze_status grazei_fail_memory(graze_error *error);

#endif
