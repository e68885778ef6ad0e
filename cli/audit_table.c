/* What graze audit found, for people: worst first, a row a pair of parts, its stretches as a strip.
 */
#include "cli/audit_hint.h"
#include "cli/audit_names.h"
#include "cli/room.h"
#include "cli/text.h"

#include <math.h>

/* Characters of a line, of which the columns of numbers take some; of a strip; of a name. */
enum { LINE = 100, NUMBERS = 43, LEAST_STRIP = 16, STRIP = 32, LEAST_NAME = 12, LONGEST_CLIP = 30 };

typedef struct audit_table {
    item_list rows; /* audit_row */
    size_t shown;
    size_t folder; /* bytes that all files' names begin with, up to a slash */
    size_t name_most, clip_most;
    int parts_width, strip, clip_width;
} audit_table;

/* ---- widths --------------------------------------------------------------------------------- */

/* "Head x RightHand", to be freed. */
static char *parts_text(const audit_table *table, const audit_row *row)
{
    const bool same = strcmp(row->names[0], row->names[1]) == 0;
    char *left = audit_name_short(row->names[0], table->name_most);
    char *right = audit_name_short(same ? "itself" : row->names[1], table->name_most);
    size_t size = strlen(left) + strlen(right) + 8;
    char *text = room(size, 1);
    snprintf(text, size, same ? "%s with %s" : "%s x %s", left, right);
    free(left);
    free(right);
    return text;
}

/* Which clip a row is of, where there are several; to be freed. */
static char *clip_text(const audit_table *table, const audit_found *found, const audit_unit *unit)
{
    const char *file = unit->file + table->folder;
    size_t size = strlen(file) + strlen(unit->clip) + 3;
    char *text = room(size, 1), *cut;
    if (found->inputs.count > 1)
        snprintf(text, size, "%s, %s", file, unit->clip);
    else if (found->units.count > 1)
        snprintf(text, size, "%s", unit->clip);
    cut = audit_name_short(text, table->clip_most);
    free(text);
    return cut;
}

/* Up to where all files are in one folder. */
static size_t common_folder(const audit_found *found)
{
    const audit_unit *units = found->units.items;
    const char *first = found->units.count ? units->file : "";
    const char *slash = strrchr(first, '/');
    size_t length = slash ? (size_t)(slash - first) + 1 : 0;
    for (size_t i = 1; i < found->units.count; i++)
        while (length && strncmp(first, units[i].file, length) != 0)
            for (length--; length && first[length - 1] != '/'; length--)
                ;
    return length;
}

static void measure_columns(audit_table *table, const audit_found *found)
{
    const audit_row *rows = table->rows.items;
    table->parts_width = 14;
    table->clip_width = 0;
    for (size_t i = 0; i < table->shown; i++) {
        char *parts = parts_text(table, &rows[i]);
        char *clip = clip_text(table, found, rows[i].unit);
        int widths[2] = {audit_name_width(parts), audit_name_width(clip)};
        table->parts_width = widths[0] > table->parts_width ? widths[0] : table->parts_width;
        table->clip_width = widths[1] > table->clip_width ? widths[1] : table->clip_width;
        free(parts);
        free(clip);
    }
}

/* How long names of clips and parts may be: the strip gives way first, then the parts' names, but
 * only as long as no two are alike.
 */
static void fit_columns(audit_table *table, const audit_job *job, const audit_found *found)
{
    item_list names = {NULL, 0, 0}, clips = {NULL, 0, 0};
    const audit_row *rows = table->rows.items;
    table->folder = common_folder(found);
    table->name_most = table->clip_most = SIZE_MAX;
    for (size_t i = 0; i < table->shown; i++) {
        char *clip = clip_text(table, found, rows[i].unit);
        list_add(&names, rows[i].names, 2, sizeof(char *));
        list_add(&clips, &clip, 1, sizeof clip);
    }
    item_list owned = {NULL, 0, 0};
    list_add(&owned, clips.items, clips.count, sizeof(char *));
    audit_names_sort(&names);
    audit_names_sort(&clips);
    table->clip_most = audit_names_cut(&clips, LONGEST_CLIP);
    measure_columns(table, found);
    int room_for_both =
        LINE - NUMBERS - (job->state ? 10 : 0) - (table->clip_width ? 2 + table->clip_width : 0);
    size_t most = 64;
    while (most > LEAST_NAME && table->parts_width > room_for_both - LEAST_STRIP) {
        table->name_most = audit_names_cut(&names, --most);
        measure_columns(table, found);
    }
    table->strip = room_for_both - table->parts_width;
    table->strip = table->strip > STRIP         ? STRIP
                   : table->strip < LEAST_STRIP ? LEAST_STRIP
                                                : table->strip;
    for (size_t i = 0; i < owned.count; i++)
        free(((char **)owned.items)[i]);
    list_free(&owned);
    list_free(&names);
    list_free(&clips);
}

/* ---- strips --------------------------------------------------------------------------------- */

/* A character for some frames of the clip: . none, - some, # all, ! where it is deepest, and | if
 * they only meet between two of them.
 */
static void draw_strip(char strip[STRIP + 1], const audit_row *row, uint32_t most)
{
    const uint32_t all = row->unit->result.frames;
    const uint32_t width = all < most ? all : most;
    for (uint32_t i = 0; i < width; i++) {
        const uint32_t from = (uint32_t)((uint64_t)i * all / width);
        const uint32_t to = (uint32_t)((uint64_t)(i + 1) * all / width) - 1;
        const uint32_t worst = row->worst->between ? GRAZE_NONE : row->worst->worst.frame;
        uint32_t met = 0;
        bool between = false;
        for (size_t k = 0; k < row->count; k++) {
            const graze_audit_finding *finding = row->first[k].finding;
            uint32_t low = finding->from > from ? finding->from : from;
            uint32_t high = finding->to < to ? finding->to : to;
            if (finding->between)
                between = between || (finding->from >= from && finding->from <= to);
            else
                met += low <= high ? high - low + 1 : 0;
        }
        strip[i] = worst >= from && worst <= to ? '!'
                   : met == 0                   ? between ? '|' : '.'
                   : met > to - from            ? '#'
                                                : '-';
    }
    strip[width] = 0;
}

/* ---- the table ------------------------------------------------------------------------------ */

/* A text, filled up to a width. */
static void say_column(const char *text, int width)
{
    say("  %s%*s", text, width > audit_name_width(text) ? width - audit_name_width(text) : 0, "");
}

static void print_row(const audit_table *table, const audit_job *job, const audit_found *found,
                      const audit_row *row)
{
    static const char *const states[] = {"new", "accepted", "worse"};
    const graze_audit_worst *worst = &row->worst->worst;
    char strip[STRIP + 1], depth[32], frame[32];
    char *parts = parts_text(table, row), *clip = clip_text(table, found, row->unit);
    draw_strip(strip, row, (uint32_t)table->strip);
    snprintf(depth, sizeof depth, "%s%.3g", worst->open ? ">" : "", (double)worst->depth);
    say("  %8s %5.1f %%", depth, 100 * (double)worst->depth / fmax(row->unit->size, 1e-30));
    say_column(parts, table->parts_width);
    say_column(strip, table->strip);
    if (row->worst->between)
        snprintf(frame, sizeof frame, "%u-%u", worst->frame, worst->frame + 1);
    else
        snprintf(frame, sizeof frame, "%u", worst->frame);
    say("  %8s  %6u", frame, row->frames);
    if (job->state)
        say("  %-8s", states[row->state]);
    say("%s%s\n", *clip ? "  " : "", clip);
    if (job->hints)
        audit_hint_say(row);
    free(parts);
    free(clip);
}

static void print_rows(const audit_table *table, const audit_job *job, const audit_found *found)
{
    const audit_row *rows = table->rows.items;
    bool open = false, between = false;
    say("  %8s %7s  %-*s  %-*s  %8s  %6s%s%s\n", "depth", "of size", table->parts_width, "parts",
        table->strip, "start to end", "at frame", "frames", job->state ? "  state   " : "",
        found->inputs.count > 1  ? "  file, clip"
        : found->units.count > 1 ? "  clip"
                                 : "");
    for (size_t i = 0; i < table->shown; i++) {
        print_row(table, job, found, &rows[i]);
        open = open || rows[i].worst->worst.open;
        between = between || rows[i].between;
    }
    say("  depth in file units%s; size: the model's longest side", open ? ", > at least" : "");
    if (found->units.count == 1)
        say(", %.3g", ((const audit_unit *)found->units.items)->size);
    say("; at frame: the deepest\n  start to end of the clip: . apart, # through each other, "
        "- in some of the frames, ! deepest\n");
    if (job->hints)
        say("  turn: the smallest found of one joint that takes the two apart in that frame, and "
            "makes no\n  other two parts worse; the axes are the joint's own\n");
    if (between)
        say("  | only between two frames\n");
}

static void print_rest(const audit_table *table, const audit_job *job, const audit_found *found)
{
    const audit_row *all = table->rows.items;
    size_t shallow = 0;
    for (size_t i = 0; i < table->rows.count; i++)
        shallow += all[i].shallow;
    const size_t deep = table->rows.count - shallow;
    if (deep > table->shown)
        say("  and %zu rows more (--rows %zu shows all)\n", deep - table->shown, deep);
    if (shallow)
        say("  less deep than %g %% of the model's size: %zu (--json and --csv list them)\n",
            100 * AUDIT_SHALLOW, shallow);
    if (found->fold_count && !job->folds)
        say("  folds: %zu, in parts that are one or neighbours (--folds lists them)\n",
            found->fold_pairs);
    if (found->gone)
        say("  fixed: %zu that were accepted%s\n", found->gone,
            job->update ? " are dropped from the file" : " (--update drops them from the file)");
}

/* Pairs of parts, each counted once a file, and clips in which there are some. */
static void count_pairs(const audit_table *table, size_t *pairs, size_t *clips)
{
    const audit_row *rows = table->rows.items;
    item_list keys = {NULL, 0, 0};
    *clips = 0;
    for (size_t i = 0; i < table->rows.count; i++) {
        const char *const *parts = rows[i].first->finding->parts;
        size_t size = strlen(rows[i].unit->file) + strlen(parts[0]) + strlen(parts[1]) + 3;
        char *key = room(size, 1);
        snprintf(key, size, "%s\n%s\n%s", rows[i].unit->file, parts[0], parts[1]);
        list_add(&keys, &key, 1, sizeof key);
        *clips += i == 0 || rows[i].unit != rows[i - 1].unit;
    }
    item_list owned = {NULL, 0, 0};
    list_add(&owned, keys.items, keys.count, sizeof(char *));
    audit_names_sort(&keys);
    *pairs = keys.count;
    for (size_t i = 0; i < owned.count; i++)
        free(((char **)owned.items)[i]);
    list_free(&owned);
    list_free(&keys);
}

/* Before the rows are sorted by depth. */
static void print_sum(const audit_table *table, const audit_found *found)
{
    const audit_unit *units = found->units.items;
    const size_t done = found->inputs.count - audit_failed(found);
    size_t pairs, clips;
    count_pairs(table, &pairs, &clips);
    if (done == 1 && found->units.count)
        say("%s, ", units->file + common_folder(found));
    else
        say("%zu file%s, ", done, done == 1 ? "" : "s");
    if (found->units.count == 1)
        say("clip %s, %u frame%s: ", units->clip, units->result.frames,
            units->result.frames == 1 ? "" : "s");
    else
        say("%zu clips, %llu frames: ", found->units.count, (unsigned long long)found->frames);
    if (!pairs)
        say("nothing goes through anything\n");
    else
        say("%zu pair%s of parts go%s through each other", pairs, pairs == 1 ? "" : "s",
            pairs == 1 ? "es" : "");
    if (pairs && found->units.count > 1)
        say(", in %zu clip%s", clips, clips == 1 ? "" : "s");
    say(pairs ? "\n" : "");
}

void audit_print(const audit_job *job, const audit_found *found)
{
    audit_table table = {.shown = 0};
    audit_rows_make(&table.rows, found);
    print_sum(&table, found);
    const audit_row *all = table.rows.items;
    audit_rows_sort(&table.rows);
    while (table.shown < table.rows.count && table.shown < job->rows && !all[table.shown].shallow)
        table.shown++;
    if (table.shown) {
        fit_columns(&table, job, found);
        measure_columns(&table, found);
        print_rows(&table, job, found);
    }
    print_rest(&table, job, found);
    list_free(&table.rows);
}
