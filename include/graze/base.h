/* Status codes, errors, memory and versions: what every other header needs.
 *
 * Graze never aborts on bad input, never prints, and keeps no global state except the assert and
 * trace hooks and a recording (ext/record.h).
 *
 * Standing: stable, except what is marked GRAZE_EXPERIMENTAL.
 */
#ifndef GRAZE_BASE_H
#define GRAZE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version is written here and nowhere else (CMake reads this file). */
#define GRAZE_VERSION_MAJOR 0
#define GRAZE_VERSION_MINOR 1
#define GRAZE_VERSION_PATCH 0

/* One number that grows with every version: 1.2.3 is 10203. */
#define GRAZE_VERSION                                                                              \
    (GRAZE_VERSION_MAJOR * 10000 + GRAZE_VERSION_MINOR * 100 + GRAZE_VERSION_PATCH)

/* Marks exported functions. Define GRAZE_SHARED to use a shared Graze on Windows (CMake and
 * pkg-config do). GRAZE_BUILDING is for the library's own build.
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

/* Marks functions that may change in any version. Each header says its standing:
 *
 *     stable        only gets additions within a major version, except what is marked
 *     experimental  all of it may change in any version
 *     reference     looks inside, for tests and drawings; may change in any version
 */
#define GRAZE_EXPERIMENTAL GRAZE_API

/* Structs and compatibility
 *
 *   - Structs that the caller fills (defs, options, poses, rules) start as zero:
 *
 *         graze_model_def def = {0};     in C
 *         graze_model_def def{};         in C++
 *
 *     Zero is the default of every field. A field whose comment says "0: 64" uses 64 if it is 0.
 *   - They end in reserved words, which must be zero. New fields take their place, so a struct
 *     keeps its size and a program keeps working with a newer library. A reserved word that is not
 *     zero is GRAZE_BAD_INPUT: the struct was not zeroed, or the program is newer than the library.
 *   - Structs that Graze fills (hits, contacts, impacts) never change within a major version.
 *   - For other languages: bool is one byte, enums are int, and structs are passed by pointer.
 *     Only constructors of plain values (shapes, rays, the default allocator) and world ids are
 *     passed by value.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* No part, triangle, node, clip and so on. */
#define GRAZE_NONE UINT32_MAX

typedef enum graze_status {
    GRAZE_OK = 0,
    GRAZE_BAD_INPUT = 1,     /* an argument is wrong; the text says which */
    GRAZE_OUT_OF_MEMORY = 2, /* the allocator returned NULL; nothing was changed or leaked */
    GRAZE_UNSUPPORTED = 3,   /* valid, but this build, object or question cannot do it */
    GRAZE_IO_ERROR = 4,      /* a file could not be read or written */
    GRAZE_CORRUPT = 5,       /* a validator found an impossible state: memory was overwritten, or
                                Graze has a bug */
    GRAZE_UNFINISHED = 6     /* no error: the budget of a query is spent, and the answer is not
                                complete (see graze_budget) */
} graze_status;

/* What went wrong and where, for people ("triangle 17 refers to vertex 9000 of 4435"). Functions
 * write it only when they fail. The text is one line and always terminated.
 */
typedef struct graze_error {
    graze_status status;
    char text[256];
} graze_error;

/* The caller's memory functions.
 *   - allocate returns size bytes (above 0) aligned to alignment (a power of two, at most 64), or
 *     NULL.
 *   - release takes what allocate returned, never NULL.
 *   - Both must be safe to call from every thread that uses objects made with this allocator.
 */
typedef struct graze_allocator {
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*release)(void *user, void *memory);
    void *user; /* passed to both */
} graze_allocator;

/* The allocator that is used where a caller passes NULL: the C library's aligned memory. */
GRAZE_API graze_allocator graze_default_allocator(void);

/* The instruction set of a model's queries. It changes speed, never an answer. */
typedef enum graze_isa {
    GRAZE_ISA_BEST = 0, /* the widest that this machine and this build have */
    GRAZE_ISA_BASE = 1, /* what the build's target always has: SSE2, NEON, wasm or plain C */
    GRAZE_ISA_AVX2 = 2,
    GRAZE_ISA_AVX512 = 3
} graze_isa;

/* Returns whether this machine and this build have the instruction set. */
GRAZE_API bool graze_isa_available(graze_isa isa);

/* Returns a short constant name ("bad input"). Never NULL. */
GRAZE_API const char *graze_status_name(graze_status status);

/* Returns the version of the library that is running, "major.minor.patch". */
GRAZE_API const char *graze_version(void);

/* Returns GRAZE_VERSION of the library that is running. It can differ from that of the headers. */
GRAZE_API uint32_t graze_version_number(void);

/* Receives a condition that the library relies on and that did not hold: a bug in Graze. Returns
 * true to end the program by abort(), false to continue with whatever follows from it.
 */
typedef bool (*graze_assert_fn)(const char *condition, const char *file, int line);

/* Sets what receives failed assertions, for the whole process. NULL, as at first: prints the
 * condition and its place to stderr and calls abort(). Only builds with the CMake option
 * GRAZE_ASSERTS check assertions; other builds return false and do nothing. Any thread may call
 * this at any time.
 */
GRAZE_EXPERIMENTAL bool graze_set_assert_hook(graze_assert_fn hook);

/* Hooks for a profiler (Tracy, Superluminal, a Chrome trace): Graze calls begin and end around each
 * zone of its work. They come in pairs and nest, separately on each thread that works, threads of a
 * pool included.
 *
 *     graze_pairs and all other questions, by the name of their function: where they are asked, and
 *                         on threads of a pool wherever a part of one is answered
 *         refit           GRAZE_EAGER: vertices are posed and bounds refitted
 *         walk            the trees are walked, and triangles tested
 *         brute           GRAZE_BRUTE: everything is tested
 *         finish          what was found becomes the answer
 *     graze_batch_run
 *     graze_body_set_pose
 *     graze_model_create  with mesh, tree, skin, rest, folds; graze_body_freeze likewise
 *     graze_world_update  with broad, ask, events
 *
 * More may come in any version, and these may change.
 *   - zone is a constant string. Equal names may lie at several addresses.
 *   - Both are called by any thread that calls Graze, several at a time. They call nothing of
 *     Graze, and return in the ordinary way.
 */
typedef struct graze_trace_hooks {
    void (*begin)(void *user, const char *zone);
    void (*end)(void *user, const char *zone);
    void *user; /* passed to both */
    uintptr_t reserved[2];
} graze_trace_hooks;

/* Sets the trace hooks, for the whole process. NULL, as at first: none, and a zone then costs about
 * six instructions. Any thread may call this at any time. A zone ends with the hooks that it began
 * with.
 *   - The struct is not copied: do not change it until all calls that may use it have returned. A
 *     constant is best.
 *   - begin and end are not NULL, otherwise GRAZE_BAD_INPUT, and the old hooks stay.
 */
GRAZE_EXPERIMENTAL graze_status graze_set_trace_hooks(const graze_trace_hooks *hooks);

#ifdef __cplusplus
}
#endif

#endif
