/* In a build without SQLite. */
#include "cli/audit_store.h"

bool audit_db_open(audit_db *db, const audit_job *job, const cJSON *settings)
{
    (void)db;
    (void)settings;
    return !job->db || refuse("audit: --db: this graze was built without SQLite; install "
                              "libsqlite3-dev and build again (make all does)");
}

bool audit_db_take(audit_db *db, const audit_found *found, const audit_input *input)
{
    (void)db;
    (void)found;
    (void)input;
    return true;
}

void audit_db_close(audit_db *db)
{
    (void)db;
}
