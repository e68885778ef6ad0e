/* Results of graze audit in a folder: many jobs share the work, and none of it is done twice.
 *
 * DIR/audit.json says what is audited: the settings and all inputs. DIR/NAME-HASH-K.json is what
 * was found in clip K of a model, or why that could not be audited. Each is written beside its
 * place and then renamed, and ends with a checksum over all before it; names are kept byte for
 * byte. There is no time, host or order in any of them, so two jobs that write the same result
 * write the same bytes.
 */
#ifndef GRAZE_CLI_AUDIT_STORE_H
#define GRAZE_CLI_AUDIT_STORE_H

#include "cli/audit.h"

#include <cjson/cJSON.h>

/* ---- checksums: FNV-1a, 64 bits ------------------------------------------------------------- */

#define AUDIT_SUM_START 0xcbf29ce484222325u

uint64_t audit_sum(uint64_t sum, const void *bytes, size_t size);
void audit_sum_name(char name[17], uint64_t sum);

/* Of a file's bytes; of a model's and of the buffers that it names. False with errno set if the
 * file cannot be read.
 */
bool audit_sum_file(const char *path, uint64_t *sum);
bool audit_sum_model(const char *path, uint64_t *sum);

/* ---- settings ------------------------------------------------------------------------------- */

/* The options that a result depends on, and the version, as {"--fps":"30"}: all but those that say
 * what is audited by whom, and how it is told. To be deleted; NULL after printing an error.
 */
cJSON *audit_settings_make(const audit_job *job);

/* Whether they are the same; if not, the text says what was made how: "with --fps 24, not 30". */
bool audit_settings_same(const cJSON *made, const cJSON *now, line_text *text);

/* Sets the job's options to those that were stored, which has to live as long as the job. False
 * after printing an error: an option is given and is another there. place: what to name in it.
 */
bool audit_settings_take(audit_job *job, const arguments *given, const cJSON *stored,
                         const char *place);

/* ---- the folder ----------------------------------------------------------------------------- */

typedef struct audit_store {
    const char *folder;
    cJSON *settings;
    bool resume;
    bool stopped;   /* nothing more can be written; that was told */
    bool changed;   /* a model is not the one that was planned; that was told */
    uint64_t model; /* checksum of the one at work */
    uint32_t slot;  /* its clip at work */
} audit_store;

/* Makes the folder, and says in it what is audited. False after printing an error: it is about
 * something else, or cannot be written.
 */
bool audit_store_open(audit_store *store, const audit_job *job, const item_list *inputs);
void audit_store_close(audit_store *store);

/* Before a model is loaded: true if there is nothing to do for it, as all of its share is there, or
 * the store stopped.
 */
bool audit_store_take(audit_store *store, const audit_input *input, audit_found *found);

/* Whether the clip's result is there: then the unit has it. */
bool audit_store_find(audit_store *store, const audit_input *input, uint32_t slot,
                      audit_unit *unit);

/* Writes the result of clip number slot of so many, or that the clip at work failed. False once the
 * store has stopped.
 */
bool audit_store_write(audit_store *store, const audit_input *input, uint32_t slot, uint32_t clips,
                       const audit_unit *unit);
bool audit_store_fail(audit_store *store, const audit_input *input);

/* ---- result files, for merging -------------------------------------------------------------- */

typedef enum audit_slot_kind {
    AUDIT_SLOT_WHOLE,
    AUDIT_SLOT_FAILED,  /* the clip could not be audited */
    AUDIT_SLOT_MISSING, /* there is no file */
    AUDIT_SLOT_BROKEN,  /* it is not whole, or no result */
    AUDIT_SLOT_OTHER    /* it is of other settings, or another model: why says it */
} audit_slot_kind;

typedef struct audit_slot {
    audit_slot_kind kind;
    audit_unit unit;
    char *error;    /* of one that failed */
    uint32_t clips; /* of the model that are audited; 0: unknown, as it failed */
    uint64_t model;
    line_text why;
} audit_slot;

/* Reads the result of a clip; to be freed, unless its unit is taken. */
void audit_slot_read(audit_slot *slot, const audit_store *store, const char *file, uint32_t number);
void audit_slot_free(audit_slot *slot);

/* The name of its file, to be freed. */
char *audit_slot_path(const char *folder, const char *file, uint32_t number);

/* Reads a file that ends with its checksum. NULL with *there set if it is not whole. */
cJSON *audit_read_sealed(const char *path, bool *there);

/* Writes a result, or with unit NULL the input's error, but for its checksum. */
void audit_slot_put(FILE *out, const audit_store *store, const audit_input *input, uint32_t number,
                    uint32_t clips, const audit_unit *unit);

/* Ends what was written to a stream in memory (open_memstream) with the checksum. */
void audit_seal(FILE *out, char *const *bytes, const size_t *size);

/* Writes a JSON string with its bytes as they are. */
void audit_put_bytes(FILE *out, const char *text);

/* Puts the results in a folder together. False after printing what is missing or wrong. The
 * settings have to live as long as the job.
 */
bool audit_merge(audit_job *job, const arguments *given, const char *folder, cJSON **settings,
                 audit_found *found);

/* ---- plans and shares ----------------------------------------------------------------------- */

/* The clips of a model that are asked for (uint32_t): all, or one, or those that are played
 * together, or GRAZE_NONE where there is none. False with a text if there is none of the name.
 */
bool audit_find_clips(const struct character *character, const audit_job *job, item_list *clips,
                      line_text *text);

/* Looks at all inputs and prints a plan of them. Returns the exit code. */
int audit_plan_print(const audit_job *job, const item_list *inputs);

/* Reads a plan: its inputs, with what each clip costs, and its settings into the job. False after
 * printing an error.
 */
bool audit_plan_read(audit_job *job, const arguments *given, cJSON **settings, item_list *inputs);

/* "I/N". */
bool audit_shard_read(const char *text, uint32_t *shard, uint32_t *shards);

/* Deals lots, the dearest first, each to the job (from 0) that has least so far. */
void audit_deal(const double *costs, size_t count, uint32_t shards, uint32_t *takers);

/* Leaves in the list what a shard (from 1) of so many has to do: by cost where it is known, else
 * every so manieth file.
 */
void audit_share(item_list *inputs, uint32_t shard, uint32_t shards);

/* ---- a database ----------------------------------------------------------------------------- */

/* The file of job->db; without one all of these do nothing. Each is false after printing an error,
 * and then nothing more is written.
 */
typedef struct audit_db {
    struct graze_audit_db *file; /* adapters/sqlite */
    const char *path;
    char *settings; /* how clips are audited, as JSON */
    size_t units;   /* of those found, how many are in the file */
    bool stopped;
} audit_db;

/* settings: those that the job's are from, or NULL. */
bool audit_db_open(audit_db *db, const audit_job *job, const cJSON *settings);

/* Writes the units that are new, each whole; and of an input that failed, that it did. */
bool audit_db_take(audit_db *db, const audit_found *found, const audit_input *input);
void audit_db_close(audit_db *db);

#endif
