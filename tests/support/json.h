/* Lines of JSON that the graze command prints, and their fields. What is parsed here belongs to the
 * case that runs, which frees it.
 */
#ifndef GRAZE_TESTS_SUPPORT_JSON_H
#define GRAZE_TESTS_SUPPORT_JSON_H

#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

/* NULL if it is no JSON. */
cJSON *json_parse(const char *text);

/* As one line of text. */
char *json_text(const cJSON *json);

/* Every line as an entry of an array. A line that is no object ends it, and is a failure. */
cJSON *json_lines(const char *text);

/* Line number index as an object; NULL, and a failure, if it is not one. */
#define OBJECT(run, index) object_at(run, index, __FILE__, __LINE__)
cJSON *object_at(const command_result *run, size_t index, const char *file, int line);

/* The one line that a run printed, which left with this exit code and said nothing else. Never
 * NULL: without such a line it is a failure and an object without fields.
 */
#define ONLY_LINE(code, run) only_line(run, code, __FILE__, __LINE__)
cJSON *only_line(command_result run, int code, const char *file, int line);

/* Exit code, nothing on standard error, so many lines of JSON. */
#define CLEAN(run, code, lines) check_clean(run, code, lines, __FILE__, __LINE__)
void check_clean(const command_result *run, int code, size_t lines, const char *file, int line);

/* Calls of the command in the scratch folder. */
typedef struct command_row {
    const char *arguments; /* separated by blanks */
    int code;              /* the exit code; 2: refused, see REFUSED */
    size_t lines;          /* on standard output; 0: any number */
    const char *words;     /* that are there, or in the error, separated by |; NULL: none */
    const char *fields;    /* of every line, see FIELDS; NULL: no JSON */
} command_row;

#define CHECK_ROWS(rows)                                                                           \
    check_rows(GRAZE_COMMAND, rows, sizeof(rows) / sizeof *(rows), __FILE__, __LINE__)
void check_rows(const char *program, const command_row *rows, size_t count, const char *file,
                int line);

/* Fields as name:type, separated by blanks: n a number, c a count, b a truth value, s a string, a
 * an array, o an object.
 */
#define FIELDS(object, fields) check_fields(object, fields, __FILE__, __LINE__)
void check_fields(const cJSON *object, const char *fields, const char *file, int line);

/* A field: NULL if there is none. As a number: NAN if it is none. As a truth value: a failure if it
 * is none. As a text: empty if it is none.
 */
const cJSON *field(const cJSON *object, const char *name);
double number(const cJSON *object, const char *name);
bool truth(const cJSON *object, const char *name);
const char *text_of(const cJSON *object, const char *name);

/* How many entries the array has, and one of them as a number: NAN if it is none. */
int size_of(const cJSON *object, const char *name);
double number_at(const cJSON *object, const char *name, int index);

/* The same field in both, of any type. */
bool same_field(const cJSON *x, const cJSON *y, const char *name);

/* Whether an array has an entry that is equal. */
bool has_entry(const cJSON *array, const cJSON *entry);

#endif
