/* Hints of graze audit, as they are told. */
#ifndef GRAZE_CLI_AUDIT_HINT_H
#define GRAZE_CLI_AUDIT_HINT_H

#include "cli/audit_rows.h"

/* ,"hint":{...}, or null where there is none. */
void audit_hint_json(const graze_audit_hint *hint);

/* Five fields, each with a comma before it. */
void audit_hint_csv(const graze_audit_hint *hint, FILE *file);

/* "its x axis" */
void audit_hint_say_axis(const float axis[3]);

/* A line below the row. */
void audit_hint_say(const audit_row *row);

#endif
