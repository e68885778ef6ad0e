#include "adapters/sqlite/audit_db.h"

#include <sqlite3.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Ours are told from other databases by the first number ("GRZA"), their tables by the second. */
#define APPLICATION 0x47525a41
#define VERSION 1
#define PATIENCE_MS 60000

static const char tables[] =
    "CREATE TABLE clips (file TEXT NOT NULL, clip TEXT NOT NULL, frames INTEGER NOT NULL,"
    " size REAL NOT NULL, settings TEXT NOT NULL, PRIMARY KEY (file, clip)) WITHOUT ROWID;"
    "CREATE TABLE findings (file TEXT NOT NULL, clip TEXT NOT NULL, number INTEGER NOT NULL,"
    " kind TEXT NOT NULL, part_a TEXT NOT NULL, part_b TEXT NOT NULL,"
    " from_frame INTEGER NOT NULL, to_frame INTEGER NOT NULL, frames INTEGER NOT NULL,"
    " pairs INTEGER NOT NULL, worst_frame INTEGER NOT NULL, worst_time REAL NOT NULL,"
    " worst_pairs INTEGER NOT NULL, depth REAL NOT NULL,"
    " x REAL NOT NULL, y REAL NOT NULL, z REAL NOT NULL, open INTEGER NOT NULL,"
    " rest_x REAL NOT NULL, rest_y REAL NOT NULL, rest_z REAL NOT NULL,"
    " between_frames INTEGER NOT NULL,"
    " hint_joint TEXT, hint_x REAL, hint_y REAL, hint_z REAL, hint_degrees REAL,"
    " PRIMARY KEY (file, clip, number)) WITHOUT ROWID;"
    "CREATE TABLE failed (file TEXT NOT NULL PRIMARY KEY, error TEXT NOT NULL) WITHOUT ROWID;";

enum {
    DROP_FINDINGS,
    DROP_CLIP,
    DROP_FAILED,
    PUT_CLIP,
    PUT_FINDING,
    DROP_ALL_FINDINGS,
    DROP_ALL_CLIPS,
    PUT_FAILED,
    STATEMENTS
};

static const char *const texts[STATEMENTS] = {
    "DELETE FROM findings WHERE file = ? AND clip = ?",
    "DELETE FROM clips WHERE file = ? AND clip = ?",
    "DELETE FROM failed WHERE file = ?",
    "INSERT INTO clips VALUES (?, ?, ?, ?, ?)",
    ("INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, "
     "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    "DELETE FROM findings WHERE file = ?",
    "DELETE FROM clips WHERE file = ?",
    "INSERT INTO failed VALUES (?, ?)"};

struct graze_audit_db {
    sqlite3 *file;
    sqlite3_stmt *statements[STATEMENTS];
};

static graze_status fail(graze_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static graze_status fail(graze_error *error, const char *format, ...)
{
    va_list values;
    if (!error)
        return GRAZE_IO_ERROR;
    va_start(values, format);
    error->status = GRAZE_IO_ERROR;
    vsnprintf(error->text, sizeof error->text, format, values);
    va_end(values);
    return GRAZE_IO_ERROR;
}

static graze_status fail_here(const graze_audit_db *db, graze_error *error)
{
    const bool locked = sqlite3_errcode(db->file) == SQLITE_BUSY;
    return fail(error, "%s",
                locked ? "another program has had it locked for a minute"
                       : sqlite3_errmsg(db->file));
}

/* ---- statements ----------------------------------------------------------------------------- */

static graze_status run_text(graze_audit_db *db, const char *text, graze_error *error)
{
    return sqlite3_exec(db->file, text, NULL, NULL, NULL) ? fail_here(db, error) : GRAZE_OK;
}

/* Runs a statement with values: in kinds, t for a text, i for an int64_t, d for a double; what
 * kinds leave out is NULL.
 */
static graze_status run(graze_audit_db *db, int number, graze_error *error, const char *kinds, ...)
{
    sqlite3_stmt *statement = db->statements[number];
    va_list values;
    int failed = 0;
    va_start(values, kinds);
    sqlite3_clear_bindings(statement);
    for (int i = 0; kinds[i] && !failed; i++)
        if (kinds[i] == 't')
            failed = sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1,
                                       SQLITE_STATIC);
        else if (kinds[i] == 'i')
            failed = sqlite3_bind_int64(statement, i + 1, va_arg(values, int64_t));
        else
            failed = sqlite3_bind_double(statement, i + 1, va_arg(values, double));
    va_end(values);
    if (!failed)
        failed = sqlite3_step(statement) != SQLITE_DONE;
    graze_status status = failed ? fail_here(db, error) : GRAZE_OK;
    sqlite3_reset(statement);
    return status;
}

/* Ends what "BEGIN IMMEDIATE" began: all of it is in the file, or nothing. */
static graze_status end(graze_audit_db *db, graze_status status, graze_error *error)
{
    if (!status)
        status = run_text(db, "COMMIT", error);
    if (status && !sqlite3_get_autocommit(db->file))
        sqlite3_exec(db->file, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* ---- opening -------------------------------------------------------------------------------- */

static int take_number(void *user, int columns, char **values, char **names)
{
    (void)columns;
    (void)names;
    *(long *)user = strtol(values[0], NULL, 10);
    return 0;
}

/* The one number that a query answers with. */
static graze_status ask(graze_audit_db *db, const char *text, long *number, graze_error *error)
{
    return sqlite3_exec(db->file, text, take_number, number, NULL) ? fail_here(db, error)
                                                                   : GRAZE_OK;
}

static graze_status make_tables(graze_audit_db *db, graze_error *error)
{
    char marks[96];
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION, VERSION);
    graze_status status = run_text(db, tables, error);
    return status ? status : run_text(db, marks, error);
}

/* Whether the file is ours; a new one is made so. */
static graze_status check_tables(graze_audit_db *db, graze_error *error)
{
    long application = 0, version = 0, things = 0;
    graze_status status = ask(db, "PRAGMA application_id", &application, error);
    if (!status)
        status = ask(db, "PRAGMA user_version", &version, error);
    if (!status)
        status = ask(db, "SELECT count(*) FROM sqlite_master", &things, error);
    if (!status && application == 0 && things == 0)
        return make_tables(db, error);
    if (!status && application != APPLICATION)
        status = fail(error, "is a database of something else");
    if (!status && version != VERSION)
        status = fail(error, "has tables of version %ld; this graze knows %d", version, VERSION);
    return status;
}

graze_status graze_audit_db_open(const char *path, graze_audit_db **opened, graze_error *error)
{
    graze_audit_db *db = *opened = calloc(1, sizeof *db);
    if (!db)
        return fail(error, "out of memory");
    if (sqlite3_open_v2(path, &db->file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL))
        return db->file ? fail_here(db, error) : fail(error, "out of memory");
    if (sqlite3_db_readonly(db->file, "main") == 1)
        return fail(error, "can only be read");
    sqlite3_busy_timeout(db->file, PATIENCE_MS);
    graze_status status = run_text(db, "BEGIN IMMEDIATE", error);
    if (!status)
        status = end(db, check_tables(db, error), error);
    for (int i = 0; !status && i < STATEMENTS; i++)
        if (sqlite3_prepare_v2(db->file, texts[i], -1, &db->statements[i], NULL))
            status = fail_here(db, error);
    return status;
}

void graze_audit_db_close(graze_audit_db *db)
{
    if (!db)
        return;
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(db->statements[i]);
    sqlite3_close(db->file);
    free(db);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static graze_status put_finding(graze_audit_db *db, const graze_audit_db_clip *clip, size_t number,
                                graze_error *error)
{
    const graze_audit_finding *finding = &clip->result->findings[number];
    const graze_audit_worst *worst = &finding->worst;
    const graze_audit_hint *hint = &finding->hint;
    return run(db, PUT_FINDING, error,
               hint->joint ? "ttitttiiiiididdddidddi"
                             "tdddd"
                           : "ttitttiiiiididdddidddi",
               clip->file, clip->clip, (int64_t)number, finding->fold ? "fold" : "clip",
               finding->parts[0], finding->parts[1], (int64_t)finding->from, (int64_t)finding->to,
               finding->between ? 0 : (int64_t)finding->to - finding->from + 1,
               (int64_t)finding->pairs, (int64_t)worst->frame, worst->time, (int64_t)worst->pairs,
               (double)worst->depth, (double)worst->point[0], (double)worst->point[1],
               (double)worst->point[2], (int64_t)worst->open, (double)worst->rest[0],
               (double)worst->rest[1], (double)worst->rest[2], (int64_t)finding->between,
               hint->joint, (double)hint->axis[0], (double)hint->axis[1], (double)hint->axis[2],
               (double)hint->degrees);
}

graze_status graze_audit_db_put(graze_audit_db *db, const graze_audit_db_clip *clip,
                                graze_error *error)
{
    graze_status status = run_text(db, "BEGIN IMMEDIATE", error);
    if (status)
        return status;
    status = run(db, DROP_FINDINGS, error, "tt", clip->file, clip->clip);
    if (!status)
        status = run(db, DROP_CLIP, error, "tt", clip->file, clip->clip);
    if (!status)
        status = run(db, DROP_FAILED, error, "t", clip->file);
    if (!status)
        status = run(db, PUT_CLIP, error, "ttidt", clip->file, clip->clip,
                     (int64_t)clip->result->frames, clip->size, clip->settings);
    for (size_t i = 0; !status && i < clip->result->count; i++)
        status = put_finding(db, clip, i, error);
    return end(db, status, error);
}

graze_status graze_audit_db_fail(graze_audit_db *db, const char *file, const char *why,
                                 graze_error *error)
{
    graze_status status = run_text(db, "BEGIN IMMEDIATE", error);
    if (status)
        return status;
    status = run(db, DROP_ALL_FINDINGS, error, "t", file);
    if (!status)
        status = run(db, DROP_ALL_CLIPS, error, "t", file);
    if (!status)
        status = run(db, DROP_FAILED, error, "t", file);
    if (!status)
        status = run(db, PUT_FAILED, error, "tt", file, why);
    return end(db, status, error);
}
