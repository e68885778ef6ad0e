/* graze audit, in its pieces: which files, which parts, what was found, how it is told. */
#ifndef GRAZE_CLI_AUDIT_H
#define GRAZE_CLI_AUDIT_H

#include "cli/character.h"
#include "cli/list.h"

#include "audit/audit.h"

#include <stdio.h>

/* What is asked for. */
typedef struct audit_job {
    model_options options;     /* of every model; its clip is NAME, none, or NULL for all */
    const char *list;          /* a file with a name a line; "-": standard input; NULL: none */
    const char *baseline;      /* "rest", "none", "CLIP@T" */
    const char *parts;         /* a file that says what the parts are; NULL: none */
    const char *merge;         /* names of parts that take in all inside them; NULL: none */
    const char *character;     /* the file whose mesh the inputs' clips move; NULL: their own */
    const char *together;      /* clips that are played at once, "all" or names; NULL: none */
    const char *state;         /* a file of accepted findings; NULL: none */
    const char *accept;        /* why all that is found is accepted; NULL: it is not */
    const char *junit, *sarif; /* files for build servers and code review; NULL: none */
    const char *db;            /* an SQLite file; NULL: none */
    const char *fix;       /* a .glb with turns that part what goes through itself; NULL: none */
    const char *fix_parts; /* names of parts, one of which is in what is parted; NULL: all */
    double fps, min_depth, gap, ease;
    const char *folder; /* where results go; NULL: nowhere */
    const char *shard;  /* "I/N"; NULL: all */
    const char *plan;   /* a file that says what there is to do; NULL: none */
    bool resume;        /* what is in the folder is not done again */
    uint32_t min_frames, threads, rows;
    int kin; /* of graze_audit_kin */
    bool folds, fail_on_hit, update, hints, continuous;
} audit_job;

/* ---- which files ---------------------------------------------------------------------------- */

/* A model to audit, or what is wrong with it: to be freed, with the rest. */
typedef struct audit_input {
    char *path, *error;

    /* From a plan; cli/audit_store.h. */
    bool planned;
    uint64_t model;      /* its checksum */
    double *costs;       /* of its clips */
    bool *wanted;        /* of its clips, those that are audited; NULL: all */
    uint32_t clip_count; /* of both */
} audit_input;

/* Fills the list (audit_input), sorted by path, each path once. A folder stands for every .glb and
 * .gltf below it; one without any is an input with an error. False after printing an error.
 */
bool audit_inputs_find(item_list *inputs, const audit_job *job, const arguments *given);
void audit_inputs_free(item_list *inputs);
void audit_input_free(audit_input *input);

/* The name of a clip as it is told, to be freed: one without has its number, the second of a name
 * #2, or the next that no clip has of its own. No two clips of a rig are told alike.
 */
char *audit_name_clip(const graze_rig *rig, uint32_t clip);

/* Adds a clip behind the rig's that plays several of them at once: "all", or names with commas
 * between them. False with a text if one is not there, or two of them move the same.
 */
bool audit_play_together(graze_rig *rig, const char *names, line_text *text);

/* The input as a character, or with job->character that one, with the input's clips in place of its
 * own: nodes are matched by name. With job->together its last clip is those. Errors as those of
 * character_make.
 */
bool audit_character_make(struct character *character, const audit_job *job, const char *path,
                          line_text *text);
/* The rig alone. */
bool audit_character_load_rig(struct character *character, const audit_job *job, const char *path,
                              line_text *text);

/* ---- which parts ---------------------------------------------------------------------------- */

typedef struct audit_map audit_map; /* a file of parts, and what is merged */

/* NULL after printing an error, or if nothing is asked for, and then *good is true. */
audit_map *audit_map_read(const audit_job *job, bool *good);
void audit_map_free(audit_map *map);

/* The parts of a character, ready for a subject. */
typedef struct audit_parts {
    uint32_t *part_of, *joint_parts, *joint_parents;
    const char **names;
    uint32_t count;
} audit_parts;

/* map NULL: the character's own. False with a text if a name is not there; to be freed all the
 * same.
 */
bool audit_parts_make(audit_parts *parts, const struct character *character, bool by_joint,
                      const audit_map *map, line_text *text);
void audit_parts_free(audit_parts *parts);

/* ---- what was found ------------------------------------------------------------------------- */

/* One clip of one file. */
typedef struct audit_unit {
    const char *file; /* of the input */
    char *clip;
    double size; /* of the model: the longest side of the box around the pose in which it stands */
    graze_audit_result result;
} audit_unit;

/* In how many frames its parts meet. */
static inline uint32_t audit_frames_of(const graze_audit_finding *finding)
{
    return finding->between ? 0 : finding->to - finding->from + 1;
}

/* When and how deep, for people: "frames 3 to 7, at least 0.01 deep in frame 4", or "between frames
 * 3 and 4, at 0.115 s".
 */
typedef struct audit_when {
    char words[120];
} audit_when;

audit_when audit_tell_when(const graze_audit_finding *finding);

typedef enum audit_state { AUDIT_NEW, AUDIT_ACCEPTED, AUDIT_WORSE } audit_state;

/* A finding that is told. */
typedef struct audit_line {
    const audit_unit *unit;
    const graze_audit_finding *finding;
    audit_state state;
} audit_line;

/* All of it, in order of file and clip. */
typedef struct audit_found {
    item_list inputs; /* audit_input */
    item_list units;  /* audit_unit */
    item_list lines;  /* audit_line */
    uint64_t frames;
    size_t fold_count; /* folds, told or not */
    size_t fold_pairs; /* pairs of parts that fold, one a unit */
    size_t gone;       /* accepted findings of audited clips that are no longer there */
} audit_found;

size_t audit_failed(const audit_found *found); /* how many inputs have an error */

/* Whether the line makes --fail-on-hit fail. */
bool audit_line_counts(const audit_job *job, const audit_line *line);

/* "new", "accepted" or "worse". */
const char *audit_state_name(audit_state state);

/* ---- accepted findings ---------------------------------------------------------------------- */

/* Sets the state of every line. With job->accept the file is written with all of them in it, with
 * job->update without those that are gone. False after printing an error.
 */
bool audit_state_take(const audit_job *job, audit_found *found);

/* ---- telling -------------------------------------------------------------------------------- */

void audit_print_json(const audit_job *job, const audit_found *found);
void audit_print(const audit_job *job, const audit_found *found);
void audit_write_csv(const audit_job *job, const audit_found *found, FILE *file);
void audit_write_junit(const audit_job *job, const audit_found *found, FILE *file);
void audit_write_sarif(const audit_job *job, const audit_found *found, FILE *file);

/* A page with a table of all pairs of parts, and the worst frames of the first job->rows. The
 * models are read again. False after printing an error.
 */
bool audit_write_report(const audit_job *job, const audit_found *found, FILE *file);

/* What goes to files; each is NULL where it is not asked for. False after printing an error. */
typedef struct audit_files {
    FILE *csv, *junit, *sarif, *report;
} audit_files;

bool audit_files_open(audit_files *files, const audit_job *job);
bool audit_files_write(const audit_files *files, const audit_job *job, const audit_found *found);

#endif
