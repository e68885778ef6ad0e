#include "support/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void delete_json(void *json)
{
    cJSON_Delete(json);
}

cJSON *json_parse(const char *text)
{
    return test_keep(cJSON_Parse(text), delete_json);
}

char *json_text(const cJSON *json)
{
    return test_keep(cJSON_PrintUnformatted(json), free);
}

cJSON *json_lines(const char *text)
{
    cJSON *all = test_keep(cJSON_CreateArray(), delete_json);
    while (*text) {
        const char *end = "";
        cJSON *object = cJSON_ParseWithOpts(text, &end, false);
        cJSON_AddItemToArray(all, object);
        if (!test_check(cJSON_IsObject(object) && *end == '\n', __FILE__, __LINE__,
                        "no object: %.60s", text))
            break;
        text = end + 1;
    }
    return all;
}

cJSON *object_at(const command_result *run, size_t index, const char *file, int line)
{
    const char *start = run->out, *end = NULL;
    for (size_t i = 0; i < index && start; i++)
        start = strchr(start, '\n') ? strchr(start, '\n') + 1 : NULL;
    cJSON *object = test_keep(start ? cJSON_ParseWithOpts(start, &end, false) : NULL, delete_json);
    bool ok = test_check(cJSON_IsObject(object) && *end == '\n', file, line,
                         "line %zu is not one JSON object: %.60s", index, start ? start : "");
    return ok ? object : NULL;
}

cJSON *only_line(command_result run, int code, const char *file, int line)
{
    check_clean(&run, code, 1, file, line);
    cJSON *object = object_at(&run, 0, file, line);
    return object ? object : test_keep(cJSON_CreateObject(), delete_json);
}

void check_clean(const command_result *run, int code, size_t lines, const char *file, int line)
{
    size_t count = count_lines(run->out);
    test_check(run->code == code, file, line, "exit code %d: %s", run->code, run->err);
    test_check(run->err[0] == 0, file, line, "on standard error: %s", run->err);
    test_check(count == lines, file, line, "%zu lines, not %zu", count, lines);
    for (size_t i = 0; i < lines && i < count; i++)
        object_at(run, i, file, line);
}

static void check_row(const command_row *row, command_result run, const char *file, int line)
{
    char text[512];
    snprintf(text, sizeof text, "%s", row->words ? row->words : "");
    for (char *words = strtok(text, "|"); words; words = strtok(NULL, "|"))
        test_check(strstr(row->code == 2 ? run.err : run.out, words), file, line,
                   "%s: no \"%s\" in: %.300s%s", row->arguments, words, run.out, run.err);
    if (row->code == 2) {
        check_refused(&run, "", file, line);
        return;
    }
    test_check(run.code == row->code && !run.err[0] && run.out[0], file, line,
               "%s: exit code %d: %s", row->arguments, run.code, run.err);
    size_t lines = count_lines(run.out);
    test_check(!row->lines || lines == row->lines, file, line, "%s: %zu lines", row->arguments,
               lines);
    for (size_t i = 0; row->fields && i < lines; i++)
        check_fields(object_at(&run, i, file, line), row->fields, file, line);
    test_check(row->fields || run.out[0] != '{', file, line, "%s: JSON", row->arguments);
}

void check_rows(const char *program, const command_row *rows, size_t count, const char *file,
                int line)
{
    for (size_t i = 0; i < count; i++) {
        size_t files = scratch_count();
        check_row(&rows[i], command_line(program, "%s", rows[i].arguments), file, line);
        test_check(rows[i].code != 2 || scratch_count() == files, file, line,
                   "%s: %zu files, not %zu", rows[i].arguments, scratch_count(), files);
    }
}

static bool is_of_type(const cJSON *item, char type)
{
    switch (type) {
    case 'n':
        return cJSON_IsNumber(item);
    case 'c':
        return cJSON_IsNumber(item) && item->valuedouble >= 0 &&
               item->valuedouble == floor(item->valuedouble);
    case 'b':
        return cJSON_IsBool(item);
    case 's':
        return cJSON_IsString(item);
    case 'a':
        return cJSON_IsArray(item);
    default:
        return type == 'o' && cJSON_IsObject(item);
    }
}

void check_fields(const cJSON *object, const char *fields, const char *file, int line)
{
    char words[256];
    snprintf(words, sizeof words, "%s", fields);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *type = strchr(word, ':') + 1;
        type[-1] = 0;
        test_check(is_of_type(field(object, word), *type), file, line,
                   "field %s is missing or of another type", word);
    }
}

const cJSON *field(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

double number(const cJSON *object, const char *name)
{
    return cJSON_GetNumberValue(field(object, name));
}

bool truth(const cJSON *object, const char *name)
{
    CHECK_MSG(cJSON_IsBool(field(object, name)), "%s is no truth value", name);
    return cJSON_IsTrue(field(object, name));
}

const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_IsString(field(object, name)) ? field(object, name)->valuestring : "";
}

int size_of(const cJSON *object, const char *name)
{
    return cJSON_GetArraySize(field(object, name));
}

double number_at(const cJSON *object, const char *name, int index)
{
    return cJSON_GetNumberValue(cJSON_GetArrayItem(field(object, name), index));
}

bool same_field(const cJSON *x, const cJSON *y, const char *name)
{
    return cJSON_Compare(field(x, name), field(y, name), true);
}

bool has_entry(const cJSON *array, const cJSON *entry)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, array)
    {
        if (cJSON_Compare(item, entry, true))
            return true;
    }
    return false;
}
