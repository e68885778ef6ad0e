/* The values of options, from text. */
#ifndef GRAZE_CLI_VALUES_H
#define GRAZE_CLI_VALUES_H

#include "cli/options.h"

/* What is wrong with a value, where more can be said than what was expected. */
typedef struct value_error {
    char text[200];
} value_error;

/* Writes the value to the target; false, with the error's text perhaps filled, if it is none. */
bool parse_value(const struct option *option, const char *text, void *target, value_error *error);

#endif
