/* JSON files that people write: every value knows where it stands, so that what is wrong with it is
 * one line with the file, the key, what was expected there and what was found.
 */
#ifndef GRAZE_CLI_JSON_FILE_H
#define GRAZE_CLI_JSON_FILE_H

#include <cjson/cJSON.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Something in a file, or a place where nothing is. */
typedef struct json_value {
    const char *file;
    const cJSON *json; /* NULL: it is not there */
    char place[96];    /* "bodies[2].at"; "" is the whole file */
} json_value;

/* Reads a file whose whole is an object; false after printing what is wrong, and there is no tree.
 * Else it is the caller's, to be deleted by cJSON_Delete.
 */
bool json_file_read(const char *path, cJSON **tree, json_value *whole);

json_value json_member(const json_value *object, const char *key);
json_value json_item(const json_value *array, const cJSON *item, uint32_t index);

/* Whether the value is there: a key whose value is null counts as one that is not there. */
bool json_is_there(const json_value *value);

/* All below print a line and return false where the value is not what it has to be. */

/* "FILE: bodies[2].at: expected three numbers, found "here"". Always false. */
bool json_fail_expected(const json_value *value, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "FILE: bodies[2].at: text". Always false. */
bool json_fail(const json_value *value, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The word of the value is none of these: "there is no class bal; did you mean ball?" */
bool json_fail_word(const json_value *value, const char *what, const char *const *words,
                    size_t count);

/* An object, each of whose keys is one of these and stands there once. */
bool json_check_keys(const json_value *object, const char *const *keys, size_t count);

bool json_take_array(const json_value *value, const char *of_what, uint32_t *count);
bool json_take_text(const json_value *value, const char *what, const char **text);
bool json_take_truth(const json_value *value, bool *truth);
bool json_take_choice(const json_value *value, const char *what, const char *const *words,
                      size_t count, int *choice);

/* Numbers as files of scenes use them: finite, and below 1e18 in magnitude. */
bool json_take_number(const json_value *value, const char *what, double *number);
bool json_take_numbers(const json_value *value, const char *what, double *numbers, uint32_t count);

#endif
