/* Text from outside, such as names in files, on its way out: to people, and to programs.
 *
 * What is not UTF-8 becomes U+FFFD, of which a warning tells in the end (output.h).
 */
#ifndef GRAZE_CLI_TEXT_H
#define GRAZE_CLI_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* printf for people, through which everything goes that has a name in it: every %s is written with
 * its controls escaped, "\x1b" or "\u202e", those of the direction of writing too. What a terminal
 * does is up to the format alone. Conversions: d i u x c e f g s with flags, widths and precisions,
 * and l, ll and z. Returns the number of bytes. say goes to standard output.
 */
size_t say_to(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define say(...) say_to(stdout, __VA_ARGS__)

/* The same in memory, cut at a whole character if there is no room. */
void say_in(char *text, size_t size, const char *format, va_list values)
    __attribute__((format(printf, 3, 0)));

/* printf for JSON: every %s is a string with its quotes, null for NULL, every %g without a
 * precision the shortest number that reads back as the same double. Numbers that are not finite are
 * null.
 */
void put_json(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define print_json(...) put_json(stdout, __VA_ARGS__)

/* The same in a page: nothing in a string ends the script that holds it. */
void put_page(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same in XML and HTML: every %s is text between elements or in a quoted attribute, with
 * controls escaped as for people; NULL may not be.
 */
void put_markup(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* [0.1,2], which read back as the same floats, or with the digits that are asked for. */
void print_json_floats(const float *numbers, size_t count);
void put_json_list(FILE *out, const double *numbers, size_t count, int digits);

/* A JSON string; null for NULL. */
void write_json_string(FILE *out, const char *text);

/* The shortest text that reads back as the same finite double, six digits at least; returns it. */
const char *format_number(char text[32], double number);

/* A field of a table: valid UTF-8, quoted where it has to be (RFC 4180, section 2), and nothing
 * that a spreadsheet takes for a formula: an apostrophe stands before = + - @ tab and return.
 */
void write_csv_text(FILE *out, const char *text);

/* strcmp of two texts as they are written: all that is not UTF-8 is one character. */
int compare_written(const char *left, const char *right);

/* Whether anything was replaced in what was written. */
bool text_was_mended(void);

#endif
