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
    uint32_t index;    /* of an item in its array */
} json_value;

/* Reads a file whose whole is an object; false after printing what is wrong, and there is no tree.
 * Else it is the caller's, to be deleted by cJSON_Delete.
 */
bool json_file_read(const char *path, cJSON **tree, json_value *whole);

json_value json_member(const json_value *object, const char *key);
json_value json_item(const json_value *array, const cJSON *item, uint32_t index);
json_value json_at(const json_value *array, uint32_t index);

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

/* What the value of a key is, and where it goes. */
typedef enum json_kind {
    JSON_TEXT,    /* const char *, not empty */
    JSON_NUMBERS, /* double, or count of them as an array */
    JSON_INDEX,   /* uint32_t below count */
    JSON_TRUTH,   /* bool */
    JSON_CHOICE,  /* int: one of count words */
    JSON_ITEMS,   /* an array: read takes each item */
    JSON_LIST,    /* the same, into new memory: a pointer; an item has size bytes */
    JSON_OWN      /* read takes it, also where it is not there; NULL: another key's does */
} json_kind;

/* target: the item of a list; what stands at the offset of another key; NULL for mere items. */
typedef bool (*json_read_fn)(void *reader, void *target, const json_value *value);

/* A key that an object may have. */
typedef struct json_key {
    const char *key;
    const char *what; /* it is, for "expected WHAT, found ..." */
    json_kind kind;
    size_t offset; /* in the target */
    bool needed;   /* else null, or nothing, leaves the target as it is */
    uint32_t count;
    const char *const *words;
    json_read_fn read;
    size_t size, count_at; /* of a list; where its count (uint32_t) goes. count: the most items */
} json_key;

#define JSON_LIST_OF(type, items, number)                                                          \
    JSON_LIST, AT(type, items), .size = sizeof *((type *)0)->items,                                \
                                .count_at = offsetof(type, number)

/* Reads an object, each of whose keys is one of these and stands there once, in the table's order.
 */
bool json_take_object(const json_value *object, const json_key *keys, size_t count, void *target,
                      void *reader);

/* Each item of an array, in order; of none where it is not there. json_count: how many. */
bool json_each(const json_value *array, const char *of_what, json_read_fn read, void *reader);
bool json_count(const json_value *array, const char *of_what, uint32_t *count);

/* A whole number below a limit. */
bool json_take_index(const json_value *value, const char *what, uint32_t limit, uint32_t *index);
bool json_take_indices(const json_value *array, const char *what, uint32_t limit,
                       uint32_t *indices);
bool json_take_array(const json_value *value, const char *of_what, uint32_t *count);
bool json_take_text(const json_value *value, const char *what, const char **text);
bool json_take_choice(const json_value *value, const char *what, const char *const *words,
                      size_t count, int *choice);

/* Numbers as files of scenes use them: finite, and below 1e18 in magnitude. */
bool json_take_number(const json_value *value, const char *what, double *number);
bool json_take_numbers(const json_value *value, const char *what, double *numbers, uint32_t count);

#endif
