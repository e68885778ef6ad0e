/* graze audit --db: what was found as rows of an SQLite file. */
#include "cli/audit_store.h"
#include "cli/room.h"

#include "adapters/sqlite/audit_db.h"

/* Another file of the run would take the database's place. */
static bool is_other_output(const audit_job *job)
{
    const char *const others[] = {job->junit, job->sarif, job->options.csv, job->options.report,
                                  job->options.out};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (others[i] && strcmp(others[i], job->db) == 0)
            return true;
    return false;
}

static bool stop(audit_db *db, const graze_error *error)
{
    db->stopped = true;
    return refuse("--db %s: %s", db->path, error->text);
}

bool audit_db_open(audit_db *db, const audit_job *job, const cJSON *settings)
{
    graze_error error;
    db->path = job->db;
    if (!db->path)
        return true;
    if (is_other_output(job))
        return refuse("%s: two outputs cannot be one file", db->path);
    if (db->path[0] == 0 || db->path[0] == ':' || strcmp(db->path, "-") == 0)
        return refuse("audit: --db needs the name of a file, not %s",
                      db->path[0] ? db->path : "an empty one");
    cJSON *made = settings ? NULL : audit_settings_make(job);
    if (!settings && !made)
        return false;
    db->settings = room_or_end(cJSON_PrintUnformatted(settings ? settings : made));
    cJSON_Delete(made);
    return !graze_audit_db_open(db->path, &db->file, &error) || stop(db, &error);
}

bool audit_db_take(audit_db *db, const audit_found *found, const audit_input *input)
{
    graze_error error;
    const audit_unit *units = found->units.items;
    if (!db->file || db->stopped)
        return !db->stopped;
    if (db->units > found->units.count) /* those of a file that failed were dropped */
        db->units = found->units.count;
    for (; db->units < found->units.count; db->units++) {
        const audit_unit *unit = &units[db->units];
        const graze_audit_db_clip clip = {.file = unit->file,
                                          .clip = unit->clip,
                                          .settings = db->settings,
                                          .size = unit->size,
                                          .result = &unit->result};
        if (graze_audit_db_put(db->file, &clip, &error))
            return stop(db, &error);
    }
    return !input->error || !graze_audit_db_fail(db->file, input->path, input->error, &error) ||
           stop(db, &error);
}

void audit_db_close(audit_db *db)
{
    graze_audit_db_close(db->file);
    free(db->settings);
    *db = (audit_db){.path = NULL};
}
