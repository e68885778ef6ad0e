/* Command-line options as a table: one row says how to parse an option and what --help prints. */
#ifndef GRAZE_CLI_OPTIONS_H
#define GRAZE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char * */
    OPTION_NUMBER, /* double, finite */
    OPTION_COUNT,  /* uint32_t, at least 1 */
    OPTION_VECTOR, /* double[3], X,Y,Z */
    OPTION_RANGE,  /* frame_range, FROM:TO:FPS */
    OPTION_CHOICE  /* int: index into the choices of value_name, separated by | */
} option_kind;

/* Times of frames, in seconds. */
typedef struct frame_range {
    double from, to, fps;
    bool given;
} frame_range;

struct option {
    const char *name;       /* "--time" */
    const char *value_name; /* "T", or the choices "lazy|brute"; NULL for a flag */
    option_kind kind;
    void *target;
    const char *help;
};

typedef struct command_line {
    const char *command; /* "collide" */
    const char *usage;   /* "MODEL [MODEL_B] [options]" */
    const char *summary; /* what it does, for --help */
    const struct option *options;
    size_t option_count;
    const char **positionals;
    size_t positional_limit;
    size_t positional_count; /* filled in */
} command_line;

typedef enum parse_result { PARSE_OK, PARSE_HELP_SHOWN, PARSE_FAILED } parse_result;

/* Fills the targets. On failure one line was printed to standard error; after help, 0 is the exit
 * code to use.
 */
parse_result parse_options(command_line *line, int argc, char **argv);

/* Prints "graze: " and the text, as one line, to standard error, and returns the exit code 2. */
int fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
