/* Output shared by commands: times in JSON, and a progress bar on standard error. */
#ifndef GRAZE_CLI_PRINT_H
#define GRAZE_CLI_PRINT_H

#include <stdbool.h>
#include <stdint.h>

/* --no-times: print_json_us and the columns of tables leave out what a clock measured. */
void print_without_times(void);
bool print_has_times(void);

/* ,"name":us */
void print_json_us(const char *name, double us);

/* A bar on standard error, drawn only on a terminal and only once a second has passed. The time
 * that is left is at the pace of the last seconds: steps of a simulation, say, get slower.
 */
struct progress {
    const char *what;
    double start_us, last_us;
    double mark_us[2]; /* two moments some seconds ago, the earlier one first, and what was done */
    uint64_t mark_done[2];
    bool drawn;
};

struct progress progress_start(const char *what);
void progress_show(struct progress *progress, uint64_t done, uint64_t all);
void progress_end(struct progress *progress);

/* A line on standard error, on a terminal only and once a second has passed, for work that cannot
 * say how far it is: what it is, and the seconds so far, which go on; cleared by note_done.
 */
void note(const char *what);
void note_done(void);
void note_clear(void); /* before an error is printed: takes the line away for good */

#endif
