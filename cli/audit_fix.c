/* Which turns go into the copy: the hints, one after the other, each over all of its stretch. After
 * every one the clip is audited again, and a turn that does not help, or makes anything else worse,
 * is taken back.
 */
#include "cli/audit_fix.h"
#include "cli/print.h"
#include "cli/room.h"

#include <math.h>

/* A hint is of the worst frame; other frames of the stretch may need more. */
static const double larger[] = {1, 1.3, 1.7, 2.2};

/* What remains of a finding gets hints of its own, so often. */
enum { ROUNDS = 3, HALVINGS = 2 };

typedef struct fixing {
    audit_fix *fix;
    const audit_job *job;
    graze_rig *rig;
    const graze_audit_subject *subject;
    graze_audit_settings settings;
    graze_pool *pool;
    line_text *text;
    uint32_t clip;
    const char *clip_name;
    graze_audit_result first, now; /* of the clip as it was, with hints; with the turns so far */
    struct progress progress;
    size_t clips, clips_done;
    bool failed;
} fixing;

/* ---- one finding ---------------------------------------------------------------------------- */

static bool fail(fixing *work, graze_status status, const graze_error *error)
{
    snprintf(work->text->text, sizeof work->text->text, "--fix: %s",
             status == GRAZE_OUT_OF_MEMORY ? "out of memory" : error->text);
    work->failed = true;
    return false;
}

/* Audits the clip as it is now; false after a failure. */
static bool look(fixing *work, bool hints, graze_audit_result *result)
{
    graze_error error;
    work->settings.hints = hints;
    graze_status status =
        graze_audit_clip(work->subject, work->clip, &work->settings, work->pool, result, &error);
    return !status || fail(work, status, &error);
}

static audit_turn turn_of(const fixing *work, const graze_audit_finding *finding, double times)
{
    const graze_audit_hint *hint = &finding->hint;
    audit_turn turn = {.clip = work->clip,
                       .node = hint->node,
                       .from = finding->from,
                       .to = finding->to,
                       .ease = (uint32_t)work->job->ease,
                       .fps = work->job->fps,
                       .degrees = times * (double)hint->degrees};
    for (int k = 0; k < 3; k++)
        turn.axis[k] = (double)hint->axis[k];
    return turn;
}

/* Lays a turn over the clip and looks; it is kept if fewer than so many frames are left and nothing
 * else is worse. Returns how many are left in any case, and sets *kept.
 */
static uint32_t try_turn(fixing *work, const graze_audit_finding *finding, audit_turn *turn,
                         uint32_t fewer, bool *kept)
{
    audit_untouched before;
    graze_audit_result after;
    graze_error error = {0};
    float depth;
    *kept = false;
    graze_status status = audit_turn_lay(work->rig, turn, &before, &error);
    if (status) {
        fail(work, status, &error);
        return UINT32_MAX;
    }
    if (!look(work, false, &after)) {
        audit_turn_undo(work->rig, turn, &before);
        return UINT32_MAX;
    }
    const bool harm = audit_fix_harm(&work->first, &after, work->job->folds) ||
                      audit_fix_harm(&work->now, &after, work->job->folds);
    const uint32_t left = audit_fix_left(&after, finding, &depth);
    if (harm || left >= fewer) {
        audit_turn_undo(work->rig, turn, &before);
        graze_audit_result_free(&after);
        return harm ? UINT32_MAX : left;
    }
    audit_turn_keep(work->rig, &before);
    graze_audit_result_free(&work->now);
    work->now = after;
    turn->joint = copy_text(finding->hint.joint);
    turn->clip_name = copy_text(work->clip_name);
    list_add(&work->fix->turns, turn, 1, sizeof *turn);
    *kept = true;
    return left;
}

/* How many frames are left if the hint is laid so many times over the stretch. */
static uint32_t left_with(fixing *work, const graze_audit_finding *finding, double times)
{
    audit_turn turn = turn_of(work, finding, times);
    bool kept;
    return try_turn(work, finding, &turn, 0, &kept);
}

/* Parts the two in all of the stretch, or else in as much of it as can be. */
static bool try_finding(fixing *work, const graze_audit_finding *finding)
{
    float depth;
    const uint32_t frames = audit_fix_left(&work->now, finding, &depth);
    uint32_t least = frames;
    double best = 0, low = 1;
    bool kept = false;
    for (size_t i = 0; least && i < sizeof larger / sizeof *larger && !work->failed; i++) {
        if (i && fabs(larger[i] * (double)finding->hint.degrees) > GRAZE_AUDIT_MOST_DEGREES)
            break;
        const uint32_t left = left_with(work, finding, larger[i]);
        low = left < least ? larger[i ? i - 1 : 0] : low;
        best = left < least ? larger[i] : best;
        least = left < least ? left : least;
    }
    for (int i = 0; i < HALVINGS && !least && low < best && !work->failed; i++) {
        const double middle = (low + best) / 2;
        const bool enough = left_with(work, finding, middle) == 0;
        best = enough ? middle : best;
        low = enough ? low : middle;
    }
    if (best > 0 && !work->failed) {
        audit_turn turn = turn_of(work, finding, best);
        try_turn(work, finding, &turn, frames, &kept);
    }
    return kept;
}

/* ---- one clip ------------------------------------------------------------------------------- */

static int by_depth(const void *left, const void *right)
{
    const graze_audit_finding *x = *(const graze_audit_finding *const *)left,
                              *y = *(const graze_audit_finding *const *)right;
    if (x->worst.depth != y->worst.depth)
        return x->worst.depth > y->worst.depth ? -1 : 1;
    return (x > y) - (x < y);
}

/* Tries all chosen findings, the deepest first; whether any turn was kept. */
static bool try_round(fixing *work, const graze_audit_result *hinted)
{
    item_list order = {NULL, 0, 0};
    bool any = false;
    for (size_t i = 0; i < hinted->count; i++) {
        const graze_audit_finding *finding = &hinted->findings[i];
        if (finding->hint.joint && audit_fix_chooses(work->job, finding))
            list_add(&order, &finding, 1, sizeof(graze_audit_finding *));
    }
    const graze_audit_finding *const *findings = order.items;
    if (order.count)
        qsort(order.items, order.count, sizeof(graze_audit_finding *), by_depth);
    for (size_t i = 0; i < order.count && !work->failed; i++) {
        any = try_finding(work, findings[i]) || any;
        progress_show(&work->progress, order.count * work->clips_done + i,
                      order.count * work->clips);
    }
    list_free(&order);
    return any;
}

static void fix_clip(fixing *work)
{
    graze_audit_result hinted;
    bool any = look(work, true, &work->first) && look(work, false, &work->now) &&
               try_round(work, &work->first);
    for (int round = 1; any && !work->failed && round < ROUNDS && look(work, true, &hinted);
         round++) {
        any = try_round(work, &hinted);
        graze_audit_result_free(&hinted);
    }
    graze_audit_result_free(&work->first);
    graze_audit_result_free(&work->now);
}

bool audit_fix_find(audit_fix *fix, const audit_job *job, graze_rig *rig,
                    const graze_audit_subject *subject, const graze_audit_settings *settings,
                    const audit_unit *units, const uint32_t *clips, size_t count, graze_pool *pool,
                    line_text *text)
{
    fixing work = {.fix = fix,
                   .job = job,
                   .rig = rig,
                   .subject = subject,
                   .settings = *settings,
                   .pool = pool,
                   .text = text};
    work.settings.progress = NULL;
    work.progress = progress_start("repair");
    work.clips = count;
    if (clips[0] == GRAZE_NONE) {
        snprintf(text->text, sizeof text->text, "--fix: the model is audited without a clip");
        return false;
    }
    for (size_t i = 0; i < count && !work.failed; i++) {
        work.clip = clips[i];
        work.clip_name = units[i].clip;
        work.clips_done = i;
        if (units[i].result.count)
            fix_clip(&work);
    }
    progress_end(&work.progress);
    return !work.failed;
}

void audit_fix_free(audit_fix *fix)
{
    for (size_t i = 0; i < fix->turns.count; i++) {
        const audit_turn *turn = (const audit_turn *)fix->turns.items + i;
        free(turn->joint);
        free(turn->clip_name);
    }
    list_free(&fix->turns);
}
