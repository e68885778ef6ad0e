/* Findings that were looked at and accepted: a small file, to be reviewed as code is.
 *
 * {"findings":[{"file":"man.glb","clip":"walk","parts":["a","b"],"reason":"text","depth":0.01}]}
 *
 * One stands for all stretches of its parts in its clip, so that it holds when frames shift.
 */
#include "cli/audit.h"
#include "cli/json_file.h"
#include "cli/output.h"
#include "cli/room.h"
#include "cli/text.h"

#include <errno.h>
#include <unistd.h>

/* Deeper than accepted by more than this share is worse. */
#define SLACK 0.1

typedef struct accepted {
    const char *file, *clip, *parts[2], *reason;
    double depth;
    bool seen;
} accepted;

/* The texts of those that were read belong to the file's tree. */
typedef struct accepted_list {
    cJSON *tree;
    item_list items; /* accepted, in order once they are sorted */
} accepted_list;

static int compare(const accepted *x, const accepted *y)
{
    const char *const left[] = {x->file, x->clip, x->parts[0], x->parts[1]};
    const char *const right[] = {y->file, y->clip, y->parts[0], y->parts[1]};
    int order = 0;
    for (int i = 0; order == 0 && i < 4; i++)
        order = compare_written(left[i], right[i]); /* the file has them as they are written */
    return order;
}

static int by_place(const void *left, const void *right)
{
    return compare(left, right);
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool read_parts(void *reader, void *target, const json_value *value)
{
    accepted *one = target;
    uint32_t count;
    (void)reader;
    if (!json_take_array(value, "two names", &count))
        return false;
    if (count != 2)
        return json_fail_expected(value, "two names");
    for (uint32_t i = 0; i < 2; i++) {
        json_value name = json_at(value, i);
        if (!json_take_text(&name, "a name", &one->parts[i]))
            return false;
    }
    return true;
}

static bool read_clip(void *reader, void *target, const json_value *value)
{
    accepted *one = target;
    (void)reader;
    if (!cJSON_IsString(value->json))
        return json_fail_expected(value, "the name of a clip");
    one->clip = value->json->valuestring;
    return true;
}

static const json_key keys[] = {
    {"file", "a file", JSON_TEXT, AT(accepted, file), .needed = true},
    {"clip", "the name of a clip", JSON_OWN, .needed = true, .read = read_clip},
    {"parts", "two names", JSON_OWN, .needed = true, .read = read_parts},
    {"reason", "why it is accepted", JSON_TEXT, AT(accepted, reason)},
    {"depth", "a depth", JSON_NUMBERS, AT(accepted, depth)}};

static bool read_one(void *reader, void *target, const json_value *value)
{
    accepted one = {.reason = ""};
    (void)target;
    if (!json_take_object(value, keys, COUNT_OF(keys), &one, NULL))
        return false;
    list_add(reader, &one, 1, sizeof one);
    return true;
}

static const json_key whole_keys[] = {
    {"findings", "an array of accepted findings", JSON_ITEMS, .needed = true, .read = read_one}};

/* A file that is not there is empty where it is about to be written. */
static bool read_state(const audit_job *job, accepted_list *list)
{
    json_value whole;
    if (job->accept && access(job->state, F_OK) != 0 && errno == ENOENT)
        return true;
    if (!json_file_read(job->state, &list->tree, &whole) ||
        !json_take_object(&whole, whole_keys, COUNT_OF(whole_keys), NULL, &list->items))
        return false;
    if (list->items.count)
        qsort(list->items.items, list->items.count, sizeof(accepted), by_place);
    return true;
}

/* ---- matching ------------------------------------------------------------------------------- */

static accepted place_of(const audit_unit *unit, const graze_audit_finding *finding)
{
    return (accepted){.file = unit->file,
                      .clip = unit->clip,
                      .parts = {finding->parts[0], finding->parts[1]},
                      .depth = (double)finding->worst.depth};
}

static accepted *find_accepted(const accepted_list *list, const accepted *place)
{
    return list->items.count
               ? bsearch(place, list->items.items, list->items.count, sizeof *place, by_place)
               : NULL;
}

/* Folds that are not told are there all the same. */
static void match(audit_found *found, const accepted_list *list)
{
    for (size_t u = 0; u < found->units.count; u++) {
        const audit_unit *unit = (const audit_unit *)found->units.items + u;
        for (size_t i = 0; i < unit->result.count; i++) {
            accepted place = place_of(unit, &unit->result.findings[i]);
            accepted *own = find_accepted(list, &place);
            if (own)
                own->seen = true;
        }
    }
    for (size_t i = 0; i < found->lines.count; i++) {
        audit_line *line = (audit_line *)found->lines.items + i;
        accepted place = place_of(line->unit, line->finding);
        const accepted *own = find_accepted(list, &place);
        line->state = !own                                     ? AUDIT_NEW
                      : place.depth > own->depth * (1 + SLACK) ? AUDIT_WORSE
                                                               : AUDIT_ACCEPTED;
    }
}

static bool was_audited(const audit_found *found, const accepted *own)
{
    const audit_unit *units = found->units.items;
    for (size_t i = 0; i < found->units.count; i++)
        if (compare_written(units[i].clip, own->clip) == 0 &&
            compare_written(units[i].file, own->file) == 0)
            return true;
    return false;
}

static void count_gone(audit_found *found, const accepted_list *list)
{
    const accepted *items = list->items.items;
    found->gone = 0;
    for (size_t i = 0; i < list->items.count; i++)
        found->gone += !items[i].seen && was_audited(found, &items[i]);
}

/* Drops those that are gone. */
static void drop_gone(const audit_found *found, accepted_list *list)
{
    accepted *items = list->items.items;
    size_t kept = 0;
    for (size_t i = 0; i < list->items.count; i++)
        if (items[i].seen || !was_audited(found, &items[i]))
            items[kept++] = items[i];
    list->items.count = kept;
}

/* ---- accepting ------------------------------------------------------------------------------ */

/* Takes what is new or worse into the list, the deepest stretch of each pair of parts. */
static void accept(const audit_job *job, audit_found *found, accepted_list *list)
{
    for (size_t i = 0; i < found->lines.count; i++) {
        audit_line *line = (audit_line *)found->lines.items + i;
        if (line->state == AUDIT_ACCEPTED)
            continue;
        accepted one = place_of(line->unit, line->finding);
        one.reason = job->accept;
        one.seen = true;
        list_add(&list->items, &one, 1, sizeof one);
        line->state = AUDIT_ACCEPTED;
    }
    accepted *items = list->items.items;
    size_t kept = 0;
    if (list->items.count == 0)
        return;
    qsort(items, list->items.count, sizeof *items, by_place);
    for (size_t i = 1; i < list->items.count; i++)
        if (compare(&items[kept], &items[i]) != 0)
            items[++kept] = items[i];
        else if (items[i].depth > items[kept].depth)
            items[kept] = items[i];
    list->items.count = kept + 1;
}

static bool write_state(const char *path, const accepted_list *list)
{
    const accepted *items = list->items.items;
    FILE *file = output_file(path);
    if (!file)
        return false;
    fputs("{\"findings\":[", file);
    for (size_t i = 0; i < list->items.count; i++) {
        fputs(i ? ",\n" : "\n", file);
        put_json(file, " {\"file\":%s,\"clip\":%s,\"parts\":[%s,%s],\"reason\":%s,\"depth\":%.9g}",
                 items[i].file, items[i].clip, items[i].parts[0], items[i].parts[1],
                 items[i].reason, items[i].depth);
    }
    fputs("\n]}\n", file);
    return true;
}

bool audit_state_take(const audit_job *job, audit_found *found)
{
    accepted_list list = {.tree = NULL};
    bool good = read_state(job, &list);
    if (good) {
        match(found, &list);
        count_gone(found, &list);
    }
    if (good && job->accept)
        accept(job, found, &list);
    if (good && job->update)
        drop_gone(found, &list);
    if (good && (job->accept || job->update))
        good = write_state(job->state, &list);
    list_free(&list.items);
    cJSON_Delete(list.tree);
    return good;
}
