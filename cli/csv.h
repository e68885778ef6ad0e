/* What --csv writes: a table beside what is printed, for spreadsheets and scripts. */
#ifndef GRAZE_CLI_CSV_H
#define GRAZE_CLI_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct csv {
    FILE *file; /* NULL: nothing is written */
    bool begun; /* the row has a field */
};

/* Starts the file with the names of the columns, one text with commas. path NULL: everything below
 * does nothing. The file is there when output_finish has found all well. False after printing an
 * error.
 */
bool csv_open(struct csv *csv, const char *path, const char *columns);

/* One more field of the row. Numbers read back as the same; what is not finite is left empty. */
void csv_text(struct csv *csv, const char *text); /* NULL: empty */
void csv_count(struct csv *csv, size_t count);
void csv_number(struct csv *csv, double number);
void csv_us(struct csv *csv, double us); /* microseconds, to a hundredth */
void csv_floats(struct csv *csv, const float *numbers, int count); /* a field each */
void csv_empty(struct csv *csv, int count);                        /* so many of them */
void csv_end_row(struct csv *csv);

#endif
