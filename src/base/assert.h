/* What the code takes for granted, said where it does so:
 *
 *     GRAZE_ASSERT(patch < tree->patch_count);
 *
 * Checked only in a build with GRAZE_ASSERTS (a CMake option, and part of every sanitized build);
 * in others the condition is not evaluated. A failed one is a mistake of ours, never bad input: it
 * goes to the hook of graze_set_assert_hook(); without one it is printed, and the program ends.
 */
#ifndef GRAZEI_BASE_ASSERT_H
#define GRAZEI_BASE_ASSERT_H

#include <graze/base.h>

#if defined(GRAZE_ASSERTS)
#define GRAZE_ASSERT(condition)                                                                    \
    ((condition) ? (void)0 : grazei_assert_failed(#condition, __FILE__, __LINE__))
#else
#define GRAZE_ASSERT(condition) ((void)sizeof(condition))
#endif

void grazei_assert_failed(const char *condition, const char *file, int line);

#endif
