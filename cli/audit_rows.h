/* What graze audit found as rows: two parts in a clip, with all their stretches. */
#ifndef GRAZE_CLI_AUDIT_ROWS_H
#define GRAZE_CLI_AUDIT_ROWS_H

#include "cli/audit.h"

/* Less deep than this share of the model's longest side is shallow. */
#define AUDIT_SHALLOW 0.002

typedef struct audit_row {
    const audit_line *first;
    const graze_audit_finding *worst;
    const audit_unit *unit;
    size_t count;   /* lines, one behind the other */
    size_t between; /* of these, that meet between two frames */
    uint32_t frames;
    audit_state state; /* new or worse, if any of them is */
    bool shallow;
    const char *names[2]; /* without what all names of the file's parts begin with */
    const char *joint;    /* of the hint, as well; NULL: there is none */
} audit_row;

/* The rows (audit_row) in the order of the lines; then with the deepest for their model's size
 * first, and the shallow ones last.
 */
void audit_rows_make(item_list *rows, const audit_found *found);
void audit_rows_sort(item_list *rows);

#endif
