/* What leaves the command: whole lines and whole files, or an exit code that says so.
 *
 * An interrupt (SIGINT, SIGTERM, SIGHUP) ends the command at once, as it would end any other,
 * unless a line or a file is half out: that is finished first. A second interrupt does not wait for
 * lines.
 */
#ifndef GRAZE_CLI_OUTPUT_H
#define GRAZE_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* The first thing in main. A reader that goes away ends the command without a word. */
void output_start(void);

/* For a command that can stop between two steps and lose nothing: from here on the first interrupt
 * is only noted, and ends the command in output_finish, when all files are in their places. A
 * second does not wait, but for a file that is half out.
 */
void output_defer_interrupts(void);
bool output_interrupted(void);

/* Around all that prints a frame. False once standard output cannot be written: there is no use in
 * going on, and output_finish will say why.
 */
void output_begin(void);
bool output_end(void);

/* Files that are there once output_finish has found all well, whole, and before that not at all:
 * they are written under another name beside their place, which an interrupt removes. Devices and
 * pipes are written in place.
 *
 * output_to: from here on it is what standard output goes to; NULL and "-" change nothing.
 * output_file: one to write to, and not to close. Eight in all. False or NULL after printing an
 * error.
 */
bool output_to(const char *path);
FILE *output_file(const char *path);

/* A file that somebody else writes by its name: output_open finds out before the work that it can
 * be there, output_place says where to write it, which is the path itself if it was not opened or
 * is a device. "-" is standard output, and what is printed then goes to standard error. output_fail
 * prints the text of a writer, with the path in place of where it wrote, and returns the exit
 * code 2. output_open is false after printing an error.
 */
bool output_open(const char *path);
const char *output_place(const char *path);
int output_fail(const char *path, const char *text);

/* Around the writing of a file by others. */
void output_begin_file(const char *path);
void output_end_file(void);

/* Keeps a line for standard error until everything else went well: an error stands there alone, and
 * a warning is the last that a reader sees.
 */
void output_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From here on files get to their places even if the exit code is 2: some of what was asked for
 * could not be done, was told of, and the files have all the rest.
 */
void output_keep_files(void);

/* The last thing in main: warnings, and the exit code, which is 2, after a line on standard error,
 * if something that was printed could not be written.
 */
int output_finish(int code);

#endif
