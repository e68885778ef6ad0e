/* A locale that writes numbers with a decimal comma, made for the test if the system has none. */
#ifndef GRAZE_TESTS_SUPPORT_LOCALE_H
#define GRAZE_TESTS_SUPPORT_LOCALE_H

#include <stdbool.h>

/* Makes LC_NUMERIC a locale with a decimal comma; false if there is none and none can be made. Put
 * it back with setlocale(LC_NUMERIC, "C").
 */
bool locale_with_comma(void);

#endif
