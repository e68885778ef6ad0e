/* The processor's mode in which denormals are zero, read (DAZ) and written (FTZ), as games set it.
 */
#ifndef GRAZE_TESTS_SUPPORT_DENORMALS_H
#define GRAZE_TESTS_SUPPORT_DENORMALS_H

#include <stdbool.h>

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#define TEST_CAN_FLUSH_DENORMALS 1
#else
#define TEST_CAN_FLUSH_DENORMALS 0
#endif

/* Sets or clears both modes, of this thread, and says whether they were set. Without effect where
 * TEST_CAN_FLUSH_DENORMALS is 0.
 */
static inline bool test_flush_denormals(bool flush)
{
#if TEST_CAN_FLUSH_DENORMALS
    const unsigned both = 0x8040; /* flush to zero, denormals are zero */
    unsigned mode = _mm_getcsr();
    _mm_setcsr(flush ? mode | both : mode & ~both);
    return (mode & both) == both;
#else
    (void)flush;
    return false;
#endif
}

#endif
