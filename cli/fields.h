/* What a command tells, as a table: the same rows give the lines for people, the JSON, the columns
 * of --csv, and the list of keys in --help.
 */
#ifndef GRAZE_CLI_FIELDS_H
#define GRAZE_CLI_FIELDS_H

#include "cli/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What stands at the row's offset. NaN, GRAZE_NONE and NULL are values that are not there: null in
 * JSON, empty in a table, and nothing for people.
 */
typedef enum field_kind {
    FIELD_TRUTH,   /* bool; people read the text where it is true */
    FIELD_COUNT,   /* size_t */
    FIELD_INDEX,   /* uint32_t */
    FIELD_INTEGER, /* int */
    FIELD_NUMBER,  /* double */
    FIELD_FLOAT,   /* float */
    FIELD_POINTS,  /* float[2][3] */
    FIELD_TEXT,    /* const char * */
    FIELD_US,      /* double: microseconds, which --no-times leaves out */
    FIELD_STATS,   /* graze_stats */
    FIELD_INLINE,  /* the fields of another table, for a record that stands there */
    FIELD_LIST     /* many records; the offset does not count */
} field_kind;

struct field {
    const char *key;     /* in JSON, "" in a list whose items are bare values; NULL: not there */
    const char *columns; /* of a table: "x,y,z"; of a list: a row for each item; NULL: none */
    const char *text;    /* for people, a format; of a list: a line for each item; NULL: none */
    field_kind kind;
    size_t offset; /* in the record */
    unsigned
        width; /* 0: one value; else so many, at most 4, as an array; of a list: rows at least */
    unsigned needed; /* bits that have to be among those shown */
    const struct field_list *list;
};

/* The items of a list, or the fields of what is inline. */
typedef struct field_list {
    const struct field *fields;
    size_t field_count;
    size_t array;                        /* where the record has an item_list of them */
    size_t (*count)(const void *record); /* NULL: as many as that has */

    /* Fills an item, of MOST_ITEM bytes; index may be the count, for an item with no values. NULL:
     * it is one of the array's, of that size.
     */
    void (*fill)(const void *record, size_t index, void *item);
    size_t size;
} field_list;

enum { MOST_ITEM = 160 };

/* A whole record, of which only fields whose bits are shown are told. */
typedef struct field_view {
    const struct field *fields;
    size_t count;
    const void *record;
    unsigned shown;
} field_view;

/* What --csv writes: a table beside what is printed, for spreadsheets and scripts. */
struct csv {
    FILE *file; /* NULL: nothing is written */
    bool begun; /* the row has a field */
};

void fields_print_json(const field_view *view); /* {...} and the end of the line */
void fields_print(const field_view *view);      /* a line, and the lines of its lists */

/* Starts the file with the names of the columns; it is there when output_finish has found all well.
 * path NULL: there is no table. False after printing an error.
 */
bool fields_open_csv(const field_view *view, struct csv *csv, const char *path);
void fields_write_csv(const field_view *view, struct csv *csv);

#endif
