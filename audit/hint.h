/* Hints: which joint's smallest turn takes two parts out of each other in one frame. */
#ifndef GRAZE_AUDIT_HINT_H
#define GRAZE_AUDIT_HINT_H

#include "audit/worker.h"

#include <graze/animation.h>

struct clip_job; /* of clip.c: which pairs count */

/* What meets in the worker's pose: a row (grazei_audit_row) for each pair of parts. */
graze_status grazei_audit_meetings(const struct clip_job *job, grazei_audit_worker *worker,
                                   uint32_t frame, grazei_audit_list *rows, graze_error *error);
/* Whether a pair of triangles counts: it does not meet in the baseline. */
bool grazei_audit_counts(const struct clip_job *job, graze_pair pair);

typedef struct grazei_hints {
    const struct clip_job *job;
    const graze_audit_subject *subject;
    uint32_t clip;
    double fps;
    grazei_audit_worker *workers; /* one for each thread of the pool; opened when needed */
    graze_audit_result *result;
} grazei_hints;

/* Fills the hints of all findings that are no folds. */
graze_status grazei_audit_find_hints(const grazei_hints *hints, graze_pool *pool,
                                     graze_error *error);

/* ---- turns ---------------------------------------------------------------------------------- */

/* A turn of one node about an axis of its own. */
typedef struct grazei_turn {
    uint32_t node;
    double axis[3]; /* unit */
} grazei_turn;

/* Appends the turns that may help (grazei_turn): of the nodes above each part's joint, up to the
 * one that both have in common, about their own axes and about those along which the parts come out
 * the straightest. The worker has the frame's pairs, and all parts that meet posed. False when out
 * of memory.
 */
bool grazei_audit_turns(grazei_audit_worker *worker, const grazei_group *group,
                        const float deepest[3], const graze_rig_local *locals,
                        grazei_audit_list *turns);

#endif
