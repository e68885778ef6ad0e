/* Results of the clip audit in an SQLite file, for questions in SQL. docs/audit.md has the tables.
 *
 * A result is in the file whole or not at all, whatever happens to the program. Several programs
 * may write to one file: each waits until it is its turn, for a minute at most.
 */
#ifndef GRAZE_ADAPTERS_AUDIT_DB_H
#define GRAZE_ADAPTERS_AUDIT_DB_H

#include "audit/audit.h"

typedef struct graze_audit_db graze_audit_db;

/* Opens the file, or makes it. GRAZE_IO_ERROR with a text: it cannot be read or written, is no
 * database, or one of something else. Close it all the same.
 */
graze_status graze_audit_db_open(const char *path, graze_audit_db **db, graze_error *error);
void graze_audit_db_close(graze_audit_db *db);

/* A clip of a file that was audited. */
typedef struct graze_audit_db_clip {
    const char *file, *clip;
    const char *settings; /* how, as JSON */
    double size;          /* of the model */
    const graze_audit_result *result;
} graze_audit_db_clip;

/* Writes the clip's rows in place of those that were there. GRAZE_IO_ERROR: nothing was changed. */
graze_status graze_audit_db_put(graze_audit_db *db, const graze_audit_db_clip *clip,
                                graze_error *error);

/* Writes that the file could not be audited, in place of all rows of its clips. */
graze_status graze_audit_db_fail(graze_audit_db *db, const char *file, const char *why,
                                 graze_error *error);

#endif
