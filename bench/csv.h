/* Tables for other programs: comma-separated values under a comment that names the machine. */
#ifndef GRAZE_BENCH_CSV_H
#define GRAZE_BENCH_CSV_H

#include <stdbool.h>
#include <stdio.h>

typedef struct bench_csv {
    FILE *file; /* NULL: nothing is written */
    const char *path;
    bool begun; /* the line has a field */
} bench_csv;

/* Starts the file with the machine's line and the names of the columns, as one text with commas.
 * path NULL: everything below does nothing. False after printing an error.
 */
bool bench_csv_open(bench_csv *csv, const char *path, const char *columns);

/* One more field of the line. Numbers are printed so that six digits survive. */
void bench_csv_text(bench_csv *csv, const char *text);
void bench_csv_number(bench_csv *csv, double number);
void bench_csv_end_line(bench_csv *csv);

/* False after printing an error: something could not be written. */
bool bench_csv_close(bench_csv *csv);

#endif
