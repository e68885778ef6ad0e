#include "base/assert.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(GRAZE_ASSERTS)

/* Outlives a call, in builds that check asserts alone. */
static _Atomic(graze_assert_fn) the_hook;

bool graze_set_assert_hook(graze_assert_fn hook)
{
    atomic_store(&the_hook, hook);
    return true;
}

void grazei_assert_failed(const char *condition, const char *file, int line)
{
    graze_assert_fn hook = atomic_load(&the_hook);
    if (!hook)
        fprintf(stderr, "%s:%d: graze: %s does not hold\n", file, line, condition);
    if (!hook || hook(condition, file, line))
        abort();
}

#else

bool graze_set_assert_hook(graze_assert_fn hook)
{
    (void)hook;
    return false;
}

#endif
