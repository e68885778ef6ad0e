/* Output shared by commands: JSON lines, and a progress bar on standard error. */
#ifndef GRAZE_CLI_PRINT_H
#define GRAZE_CLI_PRINT_H

#include <graze/query.h>

/* A JSON string with everything escaped that needs it; "" for NULL. */
void print_json_string(const char *text);

/* The shortest text that reads back as the same finite double, six digits at least; returns it. */
const char *format_number(char text[32], double number);

/* A JSON number that reads back as the same double or float; null if not finite. */
void print_json_number(double number);
void print_json_float(float number);

/* "stats":{...}, without what stands around it. */
void print_json_stats(const graze_stats *stats);

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

/* A line on standard error, on a terminal only, for work that cannot say how far it is; cleared by
 * note_done.
 */
void note(const char *what);
void note_done(void);

#endif
