/* Status codes, error texts and memory: what every other Graze header needs.
 *
 * Graze never aborts on bad input, never prints, and keeps no global state. A function that can
 * fail returns a graze_status; where it also takes a graze_error pointer, that pointer may be NULL.
 */
#ifndef GRAZE_BASE_H
#define GRAZE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum graze_status {
    GRAZE_OK = 0,
    GRAZE_BAD_INPUT = 1, /* the caller's data or arguments are wrong; the text names the place */
    GRAZE_OUT_OF_MEMORY = 2, /* the allocator returned NULL; nothing was changed or leaked */
    GRAZE_UNSUPPORTED = 3,   /* valid, but not something this build or object can do */
    GRAZE_IO_ERROR = 4       /* a file could not be read or written */
} graze_status;

/* What went wrong and where, for a person to read ("triangle 17 refers to vertex 9000 of 4435").
 * Written on failure only. The text is one line, always terminated, never longer than the array.
 */
typedef struct graze_error {
    graze_status status;
    char text[256];
} graze_error;

/* Memory hooks. allocate returns size bytes (> 0) aligned to alignment (a power of two, at most
 * 64), or NULL; release takes what allocate returned, never NULL. Both get user as it is here.
 * They must be callable from every thread that creates or destroys objects with this allocator.
 */
typedef struct graze_allocator {
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*release)(void *user, void *memory);
    void *user;
} graze_allocator;

/* The allocator used where a def leaves its allocator NULL: the C library's aligned_alloc. */
graze_allocator graze_default_allocator(void);

/* The instruction set that a model's queries use. Changes speed, never an answer. */
typedef enum graze_isa {
    GRAZE_ISA_BEST = 0, /* the widest this machine and this build have */
    GRAZE_ISA_BASE = 1, /* what the build's target always has (SSE2, NEON, wasm or plain C) */
    GRAZE_ISA_AVX2 = 2,
    GRAZE_ISA_AVX512 = 3
} graze_isa;

/* Whether this machine and this build have it. */
bool graze_isa_available(graze_isa isa);

/* A constant short name ("bad input") for a status; never NULL. */
const char *graze_status_name(graze_status status);

/* The library's version, "major.minor.patch". */
const char *graze_version(void);

#ifdef __cplusplus
}
#endif

#endif
