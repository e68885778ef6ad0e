#include "audit/stretches.h"

#include <stdlib.h>
#include <string.h>

/* A finding with the numbers of its parts, and what it is sorted by. */
typedef struct stretch {
    graze_audit_finding finding;
    uint32_t parts[2];
    uint64_t key; /* of the parts' names */
} stretch;

typedef struct ranked {
    uint64_t key; /* of the parts' names */
    const grazei_audit_row *row;
} ranked;

static int by_key(const void *left, const void *right)
{
    const ranked *x = left, *y = right;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->row->frame != y->row->frame)
        return x->row->frame < y->row->frame ? -1 : 1;
    return x->row->between - y->row->between;
}

static int by_start(const void *left, const void *right)
{
    const stretch *x = left, *y = right;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->finding.from > y->finding.from) - (x->finding.from < y->finding.from);
}

static void take_row(stretch *into, const grazei_audit_row *row, double fps)
{
    graze_audit_worst *worst = &into->finding.worst;
    into->finding.to = row->frame;
    into->finding.pairs += row->pairs;
    if (into->finding.from != row->frame && !(row->depth > worst->depth))
        return;
    *worst = (graze_audit_worst){.frame = row->frame,
                                 .time = (row->frame + (double)row->at) / fps,
                                 .pairs = row->pairs,
                                 .depth = row->depth,
                                 .point = {row->point[0], row->point[1], row->point[2]},
                                 .rest = {row->rest[0], row->rest[1], row->rest[2]},
                                 .open = row->open};
}

static bool counts(const stretch *found, const graze_audit_settings *settings)
{
    return found->finding.to - found->finding.from + 1 >= settings->min_frames &&
           (double)found->finding.worst.depth >= settings->min_depth;
}

static stretch begin(const ranked *first)
{
    const grazei_audit_row *row = first->row;
    return (stretch){.finding = {.from = row->frame, .between = row->between},
                     .parts = {row->parts[0], row->parts[1]},
                     .key = first->key};
}

/* Whether a row is of these parts in this frame. */
static bool is_of(const ranked *one, uint64_t key, uint32_t frame)
{
    return one->key == key && one->row->frame == frame && !one->row->between;
}

/* Takes what is between frames out of the sorted rows, and makes findings of what is in neither
 * frame beside it. Returns how many.
 */
static size_t take_between(ranked *order, size_t *count, double fps, stretch *found)
{
    size_t taken = 0, kept = 0;
    ranked last = {.row = NULL};
    for (size_t i = 0; i < *count; i++) {
        const ranked own = order[i];
        const uint32_t frame = own.row->frame;
        const bool in_either =
            own.row->between && ((last.row && is_of(&last, own.key, frame)) ||
                                 (i + 1 < *count && is_of(&order[i + 1], own.key, frame + 1)));
        if (own.row->between && !in_either) {
            found[taken] = begin(&own);
            take_row(&found[taken], own.row, fps);
            found[taken++].finding.to = frame + 1;
        } else if (!own.row->between) {
            order[kept++] = own;
        }
        last = own;
    }
    *count = kept;
    return taken;
}

/* Joins sorted rows to stretches; returns how many are left. */
static size_t join_rows(const ranked *order, size_t count, const graze_audit_settings *settings,
                        double fps, stretch *found)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const grazei_audit_row *row = order[i].row;
        stretch *last = &found[kept];
        bool goes_on = i && order[i].key == order[i - 1].key &&
                       row->frame - last->finding.to - 1 <= settings->gap;
        if (i && !goes_on && counts(last, settings))
            last = &found[++kept];
        if (!goes_on)
            *last = begin(&order[i]);
        take_row(last, row, fps);
    }
    return count && counts(&found[kept], settings) ? kept + 1 : kept;
}

/* Copies the names that findings have into memory of the result. */
static bool write_findings(const graze_audit_subject *subject, const stretch *found, size_t count,
                           graze_audit_result *result)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            size += strlen(subject->names[found[i].parts[side]]) + 1;
    result->names = grazei_audit_room(&subject->allocator, size, 1);
    result->findings = grazei_audit_room(&subject->allocator, count, sizeof *result->findings);
    if (!result->names || !result->findings)
        return false;
    char *place = result->names;
    for (size_t i = 0; i < count; i++) {
        graze_audit_finding *finding = &result->findings[i];
        const uint32_t *parts = found[i].parts;
        *finding = found[i].finding;
        for (int side = 0; side < 2; side++) {
            size_t length = strlen(subject->names[parts[side]]) + 1;
            finding->parts[side] = memcpy(place, subject->names[parts[side]], length);
            place += length;
        }
        bool same = i && found[i - 1].parts[0] == parts[0] && found[i - 1].parts[1] == parts[1];
        finding->fold = same ? finding[-1].fold : grazei_is_fold(subject, parts[0], parts[1]);
    }
    result->count = count;
    return true;
}

graze_status grazei_audit_stretch(const graze_audit_subject *subject,
                                  const graze_audit_settings *settings, double fps,
                                  grazei_audit_row *rows, size_t count, graze_audit_result *result,
                                  graze_error *error)
{
    ranked *order = grazei_audit_room(&subject->allocator, count, sizeof *order);
    stretch *found = grazei_audit_room(&subject->allocator, count + 1, sizeof *found);
    bool done = order && found;
    for (size_t i = 0; done && i < count; i++)
        order[i] = (ranked){(uint64_t)subject->name_rank[rows[i].parts[0]] << 32 |
                                subject->name_rank[rows[i].parts[1]],
                            &rows[i]};
    if (done) {
        qsort(order, count, sizeof *order, by_key);
        const size_t between = take_between(order, &count, fps, found);
        const size_t all = between + join_rows(order, count, settings, fps, found + between);
        if (between)
            qsort(found, all, sizeof *found, by_start);
        done = write_findings(subject, found, all, result);
    }
    grazei_audit_release(&subject->allocator, order);
    grazei_audit_release(&subject->allocator, found);
    return done ? GRAZE_OK : grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
}

void graze_audit_result_free(graze_audit_result *result)
{
    if (!result || !result->allocator.release)
        return;
    for (size_t i = 0; i < result->count; i++)
        grazei_audit_release(&result->allocator, result->findings[i].hint.joint);
    grazei_audit_release(&result->allocator, result->findings);
    grazei_audit_release(&result->allocator, result->names);
    *result = (graze_audit_result){.count = 0};
}
