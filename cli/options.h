/* A command and its options as one table: parsing, --help, the manual, the completion of shells,
 * and what is said about a word that is not there all come from it.
 */
#ifndef GRAZE_CLI_OPTIONS_H
#define GRAZE_CLI_OPTIONS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_HEADING,  /* no option: its help stands above those that follow */
    OPTION_FLAG,     /* bool */
    OPTION_NO_TIMES, /* no target: print_without_times */
    OPTION_MEMORY,   /* no target: model_file_limit */
    OPTION_TEXT,     /* const char * */
    OPTION_TEXTS,    /* text_list: the option may be given several times */
    OPTION_FILE,     /* const char *, the path of a file that is written */
    OPTION_GLB,      /* the same, opened before anything else (output_open) */
    OPTION_INPUT,    /* const char *, the path of a file that is read */
    OPTION_FOLDER,   /* const char *, the path of a folder */
    OPTION_NUMBER,   /* double, finite */
    OPTION_COUNT,    /* uint32_t, at least 1 */
    OPTION_VECTOR,   /* double[3], X,Y,Z */
    OPTION_TIMES,    /* frame_range */
    OPTION_CHOICE    /* int: index into the choices of value_name, separated by | */
} option_kind;

/* No command line asks for more frames. */
#define FRAMES_LIMIT 1e7

/* Times of frames, in seconds. */
typedef struct frame_range {
    double from, to, fps;
    bool given;
    bool all; /* from 0 to the end of the clip: to is not known before the model is */
} frame_range;

enum { MOST_TEXTS = 16 };

typedef struct text_list {
    const char *of[MOST_TEXTS];
    uint32_t count;
} text_list;

struct option {
    const char *name;       /* "--time" */
    const char *value_name; /* "T", or the choices "lazy|brute"; NULL for a flag */
    option_kind kind;
    size_t offset; /* of the target in what the command is asked to do */
    const char *help;
};

#define OPTION_HEADING_ROW(text)                                                                   \
    {                                                                                              \
        NULL, NULL, OPTION_HEADING, 0, text                                                        \
    }

enum { MOST_OPTIONS = 64 };

/* What a command line held beside the values of options. */
typedef struct arguments {
    const char **names; /* what stands without an option, such as models */
    size_t name_count;
    bool given[MOST_OPTIONS]; /* by row */
    char **words;             /* all of them, as given */
    int word_count;
} arguments;

struct command {
    const char *name;    /* "collide" */
    const char *summary; /* a line for the list of commands */
    const char *usage;   /* what follows the name: "MODEL [MODEL_B] [options]" */
    const char *about;   /* what it does, for --help; lines of 80 */
    const char *example; /* a line to try */
    const struct option *options;
    size_t option_count;
    const char *what; /* what names are: "model"; NULL if it takes none */
    size_t least_names, most_names;
    const char *(*name_at)(size_t index); /* the names there are, then NULL; NULL: any */

    /* What it is asked to do, before options are taken: so many bytes, which run gets filled. */
    const void *defaults;
    size_t job_size;
    int (*run)(void *job, const arguments *given); /* returns the exit code */
    const struct query *query;                     /* instead of run: cli/query.h */
};

/* Where a row's value goes, or stands. */
#define AT(type, member) .offset = offsetof(type, member)

/* Parts of a command. */
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define JOB(type, ...) .defaults = &(const type){__VA_ARGS__}, .job_size = sizeof(type)
#define OPTIONS(rows) .options = (rows), .option_count = COUNT_OF(rows)
#define ONE_MODEL .what = "model", .least_names = 1, .most_names = 1
#define TWO_MODELS .what = "model", .least_names = 1, .most_names = 2

/* What is wrong with a value, where more can be said than what was expected. */
typedef struct value_error {
    char text[200];
} value_error;

/* A finite number that ends at the given character, which is skipped. */
bool parse_number(const char **text, char end, double *number);

/* Writes the value to the target; false, with the error's text perhaps filled, if it is none. */
bool parse_value(const struct option *option, const char *text, void *target, value_error *error);

/* Whether the command has such an option, and whether it was given. */
bool command_has(const struct command *command, const char *name);
bool option_given(const struct command *command, const arguments *given, const char *name);

/* The one of these options that was given first in the table, or NULL. A NULL ends the list. */
const char *any_given(const struct command *command, const arguments *given,
                      const char *const *names);

/* Whether both are there and one. */
bool is_same_file(const char *left, const char *right);

/* Prints "graze: " and the text, as one line, to standard error, and returns the exit code 2. */
int fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool refuse(const char *format, ...) __attribute__((format(printf, 1, 2))); /* the same; false */
bool fail_was_told(void); /* whether one of them was called */

#endif
