#include "cli/audit_rows.h"
#include "cli/audit_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_row(const audit_line *x, const audit_line *y)
{
    return x->unit == y->unit && strcmp(x->finding->parts[0], y->finding->parts[0]) == 0 &&
           strcmp(x->finding->parts[1], y->finding->parts[1]) == 0;
}

static void add_line(audit_row *row, const audit_line *line)
{
    row->count++;
    row->frames += audit_frames_of(line->finding);
    row->between += line->finding->between;
    if (!row->worst || line->finding->worst.depth > row->worst->worst.depth)
        row->worst = line->finding;
    if (line->state != AUDIT_ACCEPTED && row->state != AUDIT_NEW)
        row->state = line->state;
}

static int by_depth(const void *left, const void *right)
{
    const audit_row *x = left, *y = right;
    if (x->shallow != y->shallow)
        return x->shallow - y->shallow;
    double a = (double)x->worst->worst.depth / fmax(x->unit->size, 1e-30);
    double b = (double)y->worst->worst.depth / fmax(y->unit->size, 1e-30);
    if (a != b)
        return a > b ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Leaves out what the names of a file's parts have in common. */
static void name_rows(audit_row *rows, size_t count)
{
    item_list names = {NULL, 0, 0};
    const char *with;
    for (size_t i = 0; i < count; i++)
        list_add(&names, rows[i].first->finding->parts, 2, sizeof(char *));
    audit_names_sort(&names);
    const size_t prefix = audit_names_prefix(&names, &with);
    for (size_t i = 0; i < count; i++) {
        const char *joint = rows[i].worst->hint.joint;
        rows[i].joint = joint ? audit_name_rest(joint, with, prefix) : NULL;
        for (int side = 0; side < 2; side++)
            rows[i].names[side] =
                audit_name_rest(rows[i].first->finding->parts[side], with, prefix);
    }
    list_free(&names);
}

void audit_rows_make(item_list *rows, const audit_found *found)
{
    const audit_line *lines = found->lines.items;
    for (size_t i = 0, end; i < found->lines.count; i = end) {
        audit_row row = {.first = &lines[i], .unit = lines[i].unit, .state = AUDIT_ACCEPTED};
        for (end = i; end < found->lines.count && same_row(&lines[i], &lines[end]); end++)
            add_line(&row, &lines[end]);
        row.shallow =
            !row.between && (double)row.worst->worst.depth < AUDIT_SHALLOW * row.unit->size;
        list_add(rows, &row, 1, sizeof row);
    }
    audit_row *all = rows->items;
    for (size_t i = 0, end; i < rows->count; i = end) {
        for (end = i; end < rows->count && all[end].unit->file == all[i].unit->file; end++)
            ;
        name_rows(all + i, end - i);
    }
}

void audit_rows_sort(item_list *rows)
{
    if (rows->count)
        qsort(rows->items, rows->count, sizeof(audit_row), by_depth);
}
