#include "cli/fields.h"

#include "cli/output.h"
#include "cli/print.h"
#include "cli/text.h"

#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

static const void *place(const struct field *field, const void *record)
{
    return (const char *)record + field->offset;
}

static bool is_shown(const struct field *field, unsigned shown)
{
    return !(field->needed & ~shown);
}

static bool is_there(const struct field *field, const void *at)
{
    switch (field->kind) {
    case FIELD_TRUTH:
        return *(const bool *)at;
    case FIELD_INDEX:
        return *(const uint32_t *)at != GRAZE_NONE;
    case FIELD_NUMBER:
        return !isnan(*(const double *)at);
    case FIELD_FLOAT:
    case FIELD_POINTS:
        return !isnan(*(const float *)at);
    case FIELD_TEXT:
        return *(const char *const *)at != NULL;
    default:
        return true;
    }
}

/* Of an item of a list. */
#define VIEW_OF(list, item, bits) ((field_view){(list)->fields, (list)->field_count, item, bits})

static const item_list *array_of(const field_list *list, const void *record)
{
    return (const void *)((const char *)record + list->array);
}

static size_t count_items(const field_list *list, const void *record)
{
    return list->count ? list->count(record) : array_of(list, record)->count;
}

static void fill_item(const field_list *list, const void *record, size_t index, void *item)
{
    if (list->fill)
        list->fill(record, index, item);
    else
        memcpy(item, (const char *)array_of(list, record)->items + index * list->size, list->size);
}

/* One value, for JSON or for a table: there what is not finite, or no text, is left empty. */
static void put_value(FILE *out, const struct field *field, const void *at, unsigned i, bool json)
{
    char text[32];
    switch (field->kind) {
    case FIELD_TRUTH:
        fputs(*(const bool *)at ? "true" : "false", out);
        break;
    case FIELD_COUNT:
        fprintf(out, "%zu", *(const size_t *)at);
        break;
    case FIELD_INDEX:
        fprintf(out, "%u", ((const uint32_t *)at)[i]);
        break;
    case FIELD_INTEGER:
        fprintf(out, "%d", *(const int *)at);
        break;
    case FIELD_NUMBER:
        if (isfinite(((const double *)at)[i]))
            fputs(format_number(text, ((const double *)at)[i]), out);
        else if (json)
            fputs("null", out);
        break;
    case FIELD_FLOAT:
    case FIELD_POINTS:
        if (isfinite(((const float *)at)[i]))
            fprintf(out, "%.9g", (double)((const float *)at)[i]);
        else if (json)
            fputs("null", out);
        break;
    case FIELD_TEXT:
        if (json)
            write_json_string(out, ((const char *const *)at)[i]);
        else if (((const char *const *)at)[i])
            write_csv_text(out, ((const char *const *)at)[i]);
        break;
    case FIELD_US:
        if (print_has_times())
            fprintf(out, "%.2f", *(const double *)at);
        break;
    default:
        break;
    }
}

/* ---- JSON --------------------------------------------------------------------------------- */

static size_t print_fields(const field_view *view, size_t printed);

static void print_points(const float (*points)[3])
{
    putchar('[');
    print_json_floats(points[0], 3);
    putchar(',');
    print_json_floats(points[1], 3);
    putchar(']');
}

/* Items of one value without a key are that value, others are objects. */
static void print_list(const field_list *list, const void *record, unsigned shown)
{
    alignas(max_align_t) unsigned char item[MOST_ITEM];
    size_t count = count_items(list, record);
    bool bare = false;
    for (size_t i = 0; i < list->field_count; i++)
        bare = bare || (list->fields[i].key && !*list->fields[i].key);
    putchar('[');
    for (size_t i = 0; i < count; i++) {
        fill_item(list, record, i, item);
        fputs(i ? "," : "", stdout);
        fputs(bare ? "" : "{", stdout);
        print_fields(&VIEW_OF(list, item, shown), 0);
        fputs(bare ? "" : "}", stdout);
    }
    putchar(']');
}

static void print_stats(const graze_stats *stats)
{
    printf("\"stats\":{\"nodes_refit\":%llu,\"bound_tests\":%llu,\"patches_posed\":%llu,"
           "\"vertices_posed\":%llu,\"triangle_tests\":%llu}",
           (unsigned long long)stats->nodes_refit, (unsigned long long)stats->bound_tests,
           (unsigned long long)stats->patches_posed, (unsigned long long)stats->vertices_posed,
           (unsigned long long)stats->triangle_tests);
}

static void print_values(const struct field *field, const void *at)
{
    if (field->kind == FIELD_POINTS) {
        print_points(at);
        return;
    }
    fputs(field->width ? "[" : "", stdout);
    for (unsigned i = 0; i < field->width || i == 0; i++) {
        fputs(i ? "," : "", stdout);
        put_value(stdout, field, at, i, true);
    }
    fputs(field->width ? "]" : "", stdout);
}

/* printed: fields that stand before these. Returns how many there are now. */
static size_t print_fields(const field_view *view, size_t printed)
{
    for (size_t i = 0; i < view->count; i++) {
        const struct field *field = &view->fields[i];
        const void *at = place(field, view->record);
        if (!field->key || !is_shown(field, view->shown))
            continue;
        if (field->kind == FIELD_US) {
            print_json_us(field->key, *(const double *)at);
            continue;
        }
        if (field->kind == FIELD_INLINE) {
            printed = print_fields(&VIEW_OF(field->list, at, view->shown), printed);
            continue;
        }
        fputs(printed++ ? "," : "", stdout);
        if (field->kind == FIELD_STATS) {
            print_stats(at);
            continue;
        }
        if (*field->key)
            printf("\"%s\":", field->key);
        if (field->kind == FIELD_LIST)
            print_list(field->list, view->record, view->shown);
        else if (field->kind != FIELD_TRUTH && !is_there(field, at))
            fputs("null", stdout);
        else
            print_values(field, at);
    }
    return printed;
}

void fields_print_json(const field_view *view)
{
    putchar('{');
    print_fields(view, 0);
    puts("}");
}

/* ---- for people --------------------------------------------------------------------------- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
static void say_value(const struct field *field, const void *at)
{
    const unsigned last = field->width ? field->width - 1 : 0;
    switch (field->kind) {
    case FIELD_COUNT:
        say(field->text, *(const size_t *)at);
        break;
    case FIELD_INTEGER:
        say(field->text, *(const int *)at);
        break;
    case FIELD_INDEX:
        say(field->text, *(const uint32_t *)at, ((const uint32_t *)at)[last]);
        break;
    case FIELD_NUMBER:
    case FIELD_US:
        say(field->text, *(const double *)at);
        break;
    case FIELD_FLOAT: {
        const float *v = at;
        say(field->text, (double)v[0], (double)v[last < 1 ? 0 : 1], (double)v[last < 2 ? 0 : 2]);
        break;
    }
    case FIELD_TEXT:
        say(field->text, *(const char *const *)at, ((const char *const *)at)[last]);
        break;
    case FIELD_STATS: {
        const graze_stats *stats = at;
        say(field->text, (unsigned long long)stats->nodes_refit,
            (unsigned long long)stats->patches_posed, (unsigned long long)stats->triangle_tests);
        break;
    }
    default:
        say(field->text);
    }
}
#pragma GCC diagnostic pop

void fields_print(const field_view *view)
{
    alignas(max_align_t) unsigned char item[MOST_ITEM];
    for (size_t i = 0; i < view->count; i++) {
        const struct field *field = &view->fields[i];
        const void *at = place(field, view->record);
        if (field->text && field->kind != FIELD_LIST && is_shown(field, view->shown) &&
            is_there(field, at))
            say_value(field, at);
    }
    putchar('\n');
    for (size_t i = 0; i < view->count; i++) {
        const struct field *field = &view->fields[i];
        const field_list *list = field->list;
        if (!field->text || field->kind != FIELD_LIST || !is_shown(field, view->shown))
            continue;
        for (size_t k = 0, count = count_items(list, view->record); k < count; k++) {
            fill_item(list, view->record, k, item);
            fields_print(&VIEW_OF(list, item, view->shown));
        }
    }
}

/* ---- tables ------------------------------------------------------------------------------- */

/* The list that has a row for each of its items; NULL: there is one row. */
static const struct field *rows_of(const field_view *view)
{
    for (size_t i = 0; i < view->count; i++)
        if (view->fields[i].kind == FIELD_LIST && view->fields[i].columns &&
            is_shown(&view->fields[i], view->shown))
            return &view->fields[i];
    return NULL;
}

static size_t name_columns(const field_view *view, char *names, size_t used, size_t size)
{
    for (size_t i = 0; i < view->count; i++)
        if (view->fields[i].columns && view->fields[i].kind != FIELD_LIST &&
            is_shown(&view->fields[i], view->shown))
            used += (size_t)snprintf(names + used, size - used, "%s%s", used ? "," : "",
                                     view->fields[i].columns);
    return used;
}

bool fields_open_csv(const field_view *view, struct csv *csv, const char *path)
{
    char columns[400];
    const struct field *rows = rows_of(view);
    size_t used = name_columns(view, columns, 0, sizeof columns);
    if (rows)
        name_columns(&VIEW_OF(rows->list, NULL, view->shown), columns, used, sizeof columns);
    csv->file = path ? output_file(path) : NULL;
    if (csv->file)
        fprintf(csv->file, "%s\n", columns);
    return !path || csv->file;
}

static void write_field(struct csv *csv, const struct field *field, const void *at)
{
    const unsigned points = field->kind == FIELD_POINTS ? 6 : 1;
    const unsigned width = field->width ? field->width : points;
    for (unsigned i = 0; i < width; i++) {
        fputs(csv->begun ? "," : "", csv->file);
        csv->begun = true;
        if (field->kind == FIELD_TRUTH || is_there(field, at))
            put_value(csv->file, field, at, i, false);
    }
}

static void write_values(const field_view *view, struct csv *csv)
{
    for (size_t i = 0; i < view->count; i++)
        if (view->fields[i].columns && view->fields[i].kind != FIELD_LIST &&
            is_shown(&view->fields[i], view->shown))
            write_field(csv, &view->fields[i], place(&view->fields[i], view->record));
}

void fields_write_csv(const field_view *view, struct csv *csv)
{
    alignas(max_align_t) unsigned char item[MOST_ITEM];
    const struct field *rows = rows_of(view);
    size_t count = rows ? count_items(rows->list, view->record) : 1;
    if (!csv->file)
        return;
    for (size_t i = 0; i < count || (rows && i < rows->width); i++) {
        write_values(view, csv);
        if (rows) {
            fill_item(rows->list, view->record, i, item);
            write_values(&VIEW_OF(rows->list, item, view->shown), csv);
        }
        fputc('\n', csv->file);
        csv->begun = false;
    }
}
