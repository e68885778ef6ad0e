/* What --fix came to: by an audit of the file that it wrote. */
#include "cli/audit_fix.h"
#include "cli/audit_hint.h"
#include "cli/audit_names.h"
#include "cli/output.h"
#include "cli/text.h"

#include <stdlib.h>
#include <string.h>

/* The clip in the audit of the copy. */
static const graze_audit_result *result_after(const audit_found *after, const char *clip)
{
    const audit_unit *units = after->units.items;
    for (size_t u = 0; u < after->units.count; u++)
        if (strcmp(units[u].clip, clip) == 0)
            return &units[u].result;
    return NULL;
}

static bool check(const audit_job *job, const audit_found *before, const audit_found *after)
{
    for (size_t u = 0; u < before->units.count; u++) {
        const audit_unit *unit = (const audit_unit *)before->units.items + u;
        const graze_audit_result *now = result_after(after, unit->clip);
        const graze_audit_finding *harm =
            now ? audit_fix_harm(&unit->result, now, job->folds) : NULL;
        if (!now || now->frames != unit->result.frames)
            return refuse("%s: not written: clip %s would not be as long", job->fix, unit->clip);
        if (harm)
            return refuse("%s: not written: %s x %s in clip %s, frame %u, would be new or worse",
                          job->fix, harm->parts[0], harm->parts[1], unit->clip, harm->worst.frame);
    }
    return true;
}

/* ---- for programs --------------------------------------------------------------------------- */

/* What became of a finding. */
typedef struct outcome {
    const audit_unit *unit;
    const graze_audit_finding *finding;
    const char *names[2]; /* without what all begin with */
    uint32_t left;        /* frames */
    float depth;          /* in these */
    bool chosen;
} outcome;

static void print_outcome(const outcome *own)
{
    const graze_audit_finding *finding = own->finding;
    print_json("{\"file\":%s,\"clip\":%s,\"parts\":[%s,%s],\"from\":%u,\"to\":%u,", own->unit->file,
               own->unit->clip, finding->parts[0], finding->parts[1], finding->from, finding->to);
    print_json("\"depth\":%.9g,\"chosen\":", (double)finding->worst.depth);
    printf("%s,\"left\":{\"frames\":%u,", own->chosen ? "true" : "false", own->left);
    print_json("\"depth\":%.9g}}\n", (double)own->depth);
}

static void print_turn(const audit_turn *turn)
{
    const float axis[3] = {(float)turn->axis[0], (float)turn->axis[1], (float)turn->axis[2]};
    print_json("{\"clip\":%s,\"joint\":%s,\"axis\":", turn->clip_name, turn->joint);
    print_json_floats(axis, 3);
    print_json(",\"degrees\":%.6g,\"from\":%u,\"to\":%u,\"ease\":%u}", turn->degrees, turn->from,
               turn->to, turn->ease);
}

static void print_all(const audit_fix *fix, const audit_job *job, const item_list *outcomes,
                      size_t gone)
{
    for (size_t i = 0; i < outcomes->count; i++)
        print_outcome((const outcome *)outcomes->items + i);
    print_json("{\"fix\":%s,\"findings\":%zu,\"gone\":%zu,\"turns\":[", job->fix, outcomes->count,
               gone);
    for (size_t i = 0; i < fix->turns.count; i++) {
        fputs(i ? "," : "", stdout);
        print_turn((const audit_turn *)fix->turns.items + i);
    }
    puts("]}");
}

/* ---- for people ----------------------------------------------------------------------------- */

static int by_rest(const void *left, const void *right)
{
    const outcome *x = left, *y = right;
    const float a = x->finding->worst.depth, b = y->finding->worst.depth;
    if (!x->left != !y->left)
        return x->left ? -1 : 1;
    return a != b ? (a > b ? -1 : 1) : (x->finding > y->finding) - (x->finding < y->finding);
}

/* Leaves out what the names of parts and joints have in common. */
static size_t find_prefix(const item_list *outcomes, const char **with)
{
    const outcome *all = outcomes->items;
    item_list names = {NULL, 0, 0};
    *with = "";
    for (size_t i = 0; i < outcomes->count; i++)
        list_add(&names, all[i].finding->parts, 2, sizeof(char *));
    audit_names_sort(&names);
    const size_t prefix = names.count ? audit_names_prefix(&names, with) : 0;
    list_free(&names);
    return prefix;
}

static void say_outcome(const outcome *own)
{
    say("  %-8s %8.3g  %s x %s, clip %s, frames %u to %u",
        !own->left    ? "gone"
        : own->chosen ? "remains"
                      : "not asked",
        (double)own->finding->worst.depth, own->names[0], own->names[1], own->unit->clip,
        own->finding->from, own->finding->to);
    if (own->left)
        say("; now %.3g in %u of them", (double)own->depth, own->left);
    say("\n");
}

static void say_all(const audit_fix *fix, const audit_job *job, item_list *outcomes, size_t gone)
{
    const audit_turn *turns = fix->turns.items;
    outcome *all = outcomes->items;
    const char *with;
    const size_t prefix = find_prefix(outcomes, &with);
    say("%s: %zu of %zu findings are gone, and nothing is new or worse\n", job->fix, gone,
        outcomes->count);
    if (outcomes->count)
        qsort(all, outcomes->count, sizeof *all, by_rest);
    for (size_t i = 0; i < outcomes->count && i < job->rows; i++) {
        for (int side = 0; side < 2; side++)
            all[i].names[side] = audit_name_rest(all[i].finding->parts[side], with, prefix);
        say_outcome(&all[i]);
    }
    if (fix->turns.count)
        say("  turns, which come and go within %u frames:\n", turns->ease);
    for (size_t i = 0; i < fix->turns.count && i < job->rows; i++) {
        const float axis[3] = {(float)turns[i].axis[0], (float)turns[i].axis[1],
                               (float)turns[i].axis[2]};
        say("    %s by %.1f degrees about ", audit_name_rest(turns[i].joint, with, prefix),
            turns[i].degrees);
        audit_hint_say_axis(axis);
        say(", clip %s, frames %u to %u\n", turns[i].clip_name, turns[i].from, turns[i].to);
    }
    const size_t most = outcomes->count > fix->turns.count ? outcomes->count : fix->turns.count;
    if (most > job->rows)
        say("  and more of both (--rows %zu shows all)\n", most);
}

/* ---- the whole ------------------------------------------------------------------------------ */

bool audit_fix_tell(const audit_fix *fix, const audit_job *job, const audit_found *before,
                    const audit_found *after)
{
    item_list outcomes = {NULL, 0, 0};
    size_t gone = 0;
    if (!check(job, before, after))
        return false;
    for (size_t u = 0; u < before->units.count; u++) {
        const audit_unit *unit = (const audit_unit *)before->units.items + u;
        const graze_audit_result *now = result_after(after, unit->clip);
        for (size_t i = 0; i < unit->result.count; i++) {
            const graze_audit_finding *finding = &unit->result.findings[i];
            outcome own = {
                .unit = unit, .finding = finding, .chosen = audit_fix_chooses(job, finding)};
            if (finding->fold)
                continue;
            own.left = audit_fix_left(now, finding, &own.depth);
            gone += own.left == 0;
            list_add(&outcomes, &own, 1, sizeof own);
        }
    }
    output_begin();
    if (job->options.json)
        print_all(fix, job, &outcomes, gone);
    else
        say_all(fix, job, &outcomes, gone);
    list_free(&outcomes);
    return output_end();
}
