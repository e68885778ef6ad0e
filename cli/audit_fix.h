/* graze audit --fix: turns of joints laid over clips, so that parts come out of each other. */
#ifndef GRAZE_CLI_AUDIT_FIX_H
#define GRAZE_CLI_AUDIT_FIX_H

#include "cli/audit.h"

#include <graze/animation.h>

/* A turn of a node about an axis of its own, over a stretch of frames of a clip; it comes and goes
 * within so many frames before and after.
 */
typedef struct audit_turn {
    uint32_t clip, node, from, to, ease;
    double fps, axis[3], degrees;
    char *joint, *clip_name;
} audit_turn;

/* ---- in memory ------------------------------------------------------------------------------ */

/* A channel of a clip before it was turned. */
typedef struct audit_untouched {
    graze_rig_clip clip; /* as it was, but for the channel */
    graze_rig_channel channel;
    bool added; /* there was no such channel */
    uint32_t at;
} audit_untouched;

/* Lays the turn over the clip: the node's rotations get a key at every frame and at those it has,
 * linear between. *before is to be given to one of the other two.
 */
graze_status audit_turn_lay(graze_rig *rig, const audit_turn *turn, audit_untouched *before,
                            graze_error *error);
void audit_turn_keep(graze_rig *rig, audit_untouched *before);
void audit_turn_undo(graze_rig *rig, const audit_turn *turn, audit_untouched *before);

/* ---- the search ----------------------------------------------------------------------------- */

typedef struct audit_fix {
    item_list turns; /* audit_turn */
} audit_fix;

/* Lays turns over the clips of the units, which have hints and are in the order of the clips'
 * numbers, where that parts what is chosen and makes nothing else worse. False with a text.
 */
bool audit_fix_find(audit_fix *fix, const audit_job *job, graze_rig *rig,
                    const graze_audit_subject *subject, const graze_audit_settings *settings,
                    const audit_unit *units, const uint32_t *clips, size_t count, graze_pool *pool,
                    line_text *text);
void audit_fix_free(audit_fix *fix);

/* Whether --fix-parts has one of its parts, or is not given. */
bool audit_fix_chooses(const audit_job *job, const graze_audit_finding *finding);
bool audit_fix_knows_parts(const audit_job *job, const audit_parts *parts, line_text *text);

/* Whether there is one model to copy that can be copied, and nothing else is asked for; false after
 * printing why not. True without --fix.
 */
bool audit_fix_check(const audit_job *job, const item_list *inputs, const arguments *given);

/* Writes a copy of the model to job->fix, with the turns that the rig has; false with a text. */
bool audit_fix_write(const audit_fix *fix, const audit_job *job, const char *path,
                     const graze_rig *rig, line_text *text);

/* ---- what came of it ------------------------------------------------------------------------ */

/* The first finding that is not in `before`, or deeper or longer than there by more than a fiftieth
 * or a tenth; NULL: none. One more frame is no longer.
 */
const graze_audit_finding *audit_fix_harm(const graze_audit_result *before,
                                          const graze_audit_result *after, bool folds);

/* In how many frames of the finding its parts still meet, and how deep. */
uint32_t audit_fix_left(const graze_audit_result *after, const graze_audit_finding *finding,
                        float *depth);

/* Tells what is gone and what remains, in the file written. False after printing what has become
 * worse: then it must not stay.
 */
bool audit_fix_tell(const audit_fix *fix, const audit_job *job, const audit_found *before,
                    const audit_found *after);

#endif
