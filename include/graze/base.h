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

/* Marks what the library exports. Whoever uses a shared Graze on Windows defines GRAZE_SHARED
 * (CMake and pkg-config do); GRAZE_BUILDING is for the library's own build.
 */
#if defined(_WIN32) && defined(GRAZE_SHARED) && defined(GRAZE_BUILDING)
#define GRAZE_API __declspec(dllexport)
#elif defined(_WIN32) && defined(GRAZE_SHARED)
#define GRAZE_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define GRAZE_API __attribute__((visibility("default")))
#else
#define GRAZE_API
#endif

/* Marks what may change in the next version without notice: the rest changes by addition, and where
 * it cannot, CHANGELOG.md says how to follow.
 */
#define GRAZE_EXPERIMENTAL GRAZE_API

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

/* The allocator used where a def leaves its allocator NULL: the C library's aligned memory. */
GRAZE_API graze_allocator graze_default_allocator(void);

/* The instruction set that a model's queries use. Changes speed, never an answer. */
typedef enum graze_isa {
    GRAZE_ISA_BEST = 0, /* the widest this machine and this build have */
    GRAZE_ISA_BASE = 1, /* what the build's target always has (SSE2, NEON, wasm or plain C) */
    GRAZE_ISA_AVX2 = 2,
    GRAZE_ISA_AVX512 = 3
} graze_isa;

/* Whether this machine and this build have it. */
GRAZE_API bool graze_isa_available(graze_isa isa);

/* A constant short name ("bad input") for a status; never NULL. */
GRAZE_API const char *graze_status_name(graze_status status);

/* The library's version, "major.minor.patch". */
GRAZE_API const char *graze_version(void);

/* The same as one number to compare: GRAZE_VERSION of the library that is running, which may be
 * another than that of the headers.
 */
GRAZE_API uint32_t graze_version_number(void);

#ifdef __cplusplus
}
#endif

#endif
