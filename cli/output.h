/* What leaves the command: standard output that is written or the exit code says so. */
#ifndef GRAZE_CLI_OUTPUT_H
#define GRAZE_CLI_OUTPUT_H

#include <stdbool.h>

/* The first thing in main. A reader that goes away ends the command without a word. */
void output_start(void);

/* Hands what was printed to its reader. False once standard output cannot be written: there is no
 * use in going on, and output_finish will say why.
 */
bool output_flush(void);

/* The last thing in main: the exit code, which is 2, after a line on standard error, if something
 * that was printed could not be written.
 */
int output_finish(int code);

#endif
