#include "cli/json_file.h"

#include "cli/names.h"
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates beyond it are refused by bodies and shapes anyhow. */
#define MOST 1e18

/* ---- what is wrong ------------------------------------------------------------------------ */

static bool fail_at(const json_value *value, const char *text)
{
    fail_usage("%s: %s%s%s", value->file, value->place, value->place[0] ? ": " : "", text);
    return false;
}

bool json_fail(const json_value *value, const char *format, ...)
{
    char text[1400];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return fail_at(value, text);
}

/* A few words for what stands there. */
static const char *describe(const cJSON *json, char text[96])
{
    if (!json)
        return "nothing";
    if (cJSON_IsString(json))
        snprintf(text, 96, "\"%.60s%s\"", json->valuestring,
                 strlen(json->valuestring) > 60 ? "..." : "");
    else if (cJSON_IsNumber(json))
        snprintf(text, 96, "%.9g", json->valuedouble);
    else if (cJSON_IsArray(json))
        snprintf(text, 96, "an array of %d", cJSON_GetArraySize(json));
    else
        return cJSON_IsObject(json)  ? "an object"
               : cJSON_IsTrue(json)  ? "true"
               : cJSON_IsFalse(json) ? "false"
                                     : "null";
    return text;
}

bool json_fail_expected(const json_value *value, const char *format, ...)
{
    char expected[300], found[96];
    va_list values;
    va_start(values, format);
    vsnprintf(expected, sizeof expected, format, values);
    va_end(values);
    return json_fail(value, "expected %s, found %s", expected, describe(value->json, found));
}

bool json_fail_word(const json_value *value, const char *what, const char *const *words,
                    size_t count)
{
    const char *word = value->json->valuestring;
    suggestion near = {.word = word};
    name_list all = {.used = 0};
    for (size_t i = 0; i < count; i++) {
        suggestion_offer(&near, words[i]);
        name_list_add(&all, words[i]);
    }
    if (near.name)
        return json_fail(value, "there is no %s %.80s; did you mean %s?", what, word, near.name);
    if (count == 0)
        return json_fail(value, "there is no %s %.80s; there are none", what, word);
    return json_fail(value, "there is no %s %.80s; expected %s", what, word, name_list_end(&all));
}

/* ---- the file ----------------------------------------------------------------------------- */

static char *read_all(const char *path, size_t *size)
{
    size_t capacity = 1 << 16;
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(capacity) : NULL;
    *size = 0;
    while (text && !feof(file) && !ferror(file)) {
        if (*size == capacity) {
            char *larger = realloc(text, capacity *= 2);
            if (!larger)
                free(text);
            text = larger;
        }
        if (text)
            *size += fread(text + *size, 1, capacity - *size, file);
    }
    int reason = errno;
    if (!file || (text && ferror(file)))
        fail_usage("%s: cannot be read: %s", path, strerror(reason));
    else if (!text)
        fail_usage("%s: out of memory", path);
    if (text && ferror(file)) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

static void fail_json(const char *path, const char *text, const char *end)
{
    size_t line = 1;
    const char *start = text;
    for (const char *c = text; c < end; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    fail_usage("%s: line %zu, column %zu: not valid JSON", path, line, (size_t)(end - start) + 1);
}

bool json_file_read(const char *path, cJSON **tree, json_value *whole)
{
    size_t size;
    char *text = read_all(path, &size);
    if (!text)
        return false;
    const char *end = text;
    *tree = cJSON_ParseWithLengthOpts(text, size, &end, false);
    while (*tree && end < text + size && strchr(" \t\r\n", *end) && *end)
        end++;
    if (!*tree || end < text + size) {
        fail_json(path, text, end);
        cJSON_Delete(*tree);
        *tree = NULL;
    }
    free(text);
    *whole = (json_value){.file = path, .json = *tree};
    if (!*tree || cJSON_IsObject(*tree))
        return *tree != NULL;
    json_fail_expected(whole, "an object");
    cJSON_Delete(*tree);
    *tree = NULL;
    return false;
}

/* ---- values ------------------------------------------------------------------------------- */

json_value json_member(const json_value *object, const char *key)
{
    json_value member = {object->file, cJSON_GetObjectItemCaseSensitive(object->json, key), ""};
    snprintf(member.place, sizeof member.place, "%.60s%s%.30s", object->place,
             object->place[0] ? "." : "", key);
    return member;
}

json_value json_item(const json_value *array, const cJSON *item, uint32_t index)
{
    json_value value = {array->file, item, ""};
    snprintf(value.place, sizeof value.place, "%.80s[%u]", array->place, index);
    return value;
}

bool json_is_there(const json_value *value)
{
    return value->json && !cJSON_IsNull(value->json);
}

static bool is_among(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

bool json_check_keys(const json_value *object, const char *const *keys, size_t count)
{
    const cJSON *item;
    if (!cJSON_IsObject(object->json))
        return json_fail_expected(object, "an object");
    cJSON_ArrayForEach(item, object->json)
    {
        const char *key = item->string ? item->string : "";
        if (!is_among(key, keys, count)) {
            const cJSON word = {.valuestring = item->string ? item->string : (char[1]){0}};
            json_value unknown = *object;
            unknown.json = &word;
            return json_fail_word(&unknown, "key", keys, count);
        }
        json_value member = json_member(object, key);
        if (member.json != item)
            return json_fail(&member, "the key stands there twice");
    }
    return true;
}

bool json_take_array(const json_value *value, const char *of_what, uint32_t *count)
{
    if (!cJSON_IsArray(value->json))
        return json_fail_expected(value, "an array of %s", of_what);
    *count = (uint32_t)cJSON_GetArraySize(value->json);
    return true;
}

bool json_take_text(const json_value *value, const char *what, const char **text)
{
    if (!cJSON_IsString(value->json) || !value->json->valuestring[0])
        return json_fail_expected(value, "%s", what);
    *text = value->json->valuestring;
    return true;
}

bool json_take_truth(const json_value *value, bool *truth)
{
    *truth = cJSON_IsTrue(value->json);
    return cJSON_IsBool(value->json) || json_fail_expected(value, "true or false");
}

bool json_take_choice(const json_value *value, const char *what, const char *const *words,
                      size_t count, int *choice)
{
    name_list all = {.used = 0};
    for (size_t i = 0; i < count; i++)
        name_list_add(&all, words[i]);
    if (!cJSON_IsString(value->json))
        return json_fail_expected(value, "a %s (%s)", what, name_list_end(&all));
    for (size_t i = 0; i < count; i++)
        if (strcmp(value->json->valuestring, words[i]) == 0) {
            *choice = (int)i;
            return true;
        }
    return json_fail_word(value, what, words, count);
}

bool json_take_number(const json_value *value, const char *what, double *number)
{
    if (!cJSON_IsNumber(value->json))
        return json_fail_expected(value, "%s", what);
    *number = value->json->valuedouble;
    if (!(fabs(*number) < MOST))
        return json_fail_expected(value, "%s, finite and below 1e18", what);
    return true;
}

bool json_take_numbers(const json_value *value, const char *what, double *numbers, uint32_t count)
{
    const cJSON *json;
    uint32_t index = 0;
    if (!cJSON_IsArray(value->json) || cJSON_GetArraySize(value->json) != (int)count)
        return json_fail_expected(value, "%s", what);
    cJSON_ArrayForEach(json, value->json)
    {
        json_value item = json_item(value, json, index);
        if (!json_take_number(&item, "a number", &numbers[index++]))
            return false;
    }
    return true;
}
