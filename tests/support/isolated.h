/* Runs a piece of a test in a process of its own, so that a crash or a hang fails that piece alone.
 */
#ifndef GRAZE_TESTS_SUPPORT_ISOLATED_H
#define GRAZE_TESTS_SUPPORT_ISOLATED_H

#include <stdbool.h>

/* Whether call(user) returned true within so many seconds. A crash, a hang or any other end counts
 * as false and is written to *how (a constant text, may be NULL): "said no", "crashed", "did not
 * come back". What the child prints comes out; checks that it fails itself do not count, so it
 * should return them.
 */
bool test_isolated(bool (*call)(void *user), void *user, unsigned seconds, const char **how);

#endif
