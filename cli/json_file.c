#include "cli/json_file.h"

#include "cli/names.h"
#include "cli/options.h"
#include "cli/room.h"
#include "cli/whole_file.h"

#include <errno.h>
#include <math.h>

/* Coordinates beyond it are refused by bodies and shapes anyhow. */
#define MOST 1e18

/* ---- what is wrong ------------------------------------------------------------------------ */

bool json_fail(const json_value *value, const char *format, ...)
{
    char text[1400];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return refuse("%s: %s%s%s", value->file, value->place, value->place[0] ? ": " : "", text);
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
    name_search search = {.word = word};
    for (size_t i = 0; i < count; i++)
        name_search_offer(&search, words[i]);
    return json_fail(value, "there is no %s %.80s; %s", what, word,
                     count ? name_search_tell(&search, "expected") : "there are none");
}

/* ---- the file ----------------------------------------------------------------------------- */

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
    char *text = read_whole(path, &size);
    if (!text)
        return refuse("%s: cannot be read: %s", path, strerror(errno));
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

/* ---- places ------------------------------------------------------------------------------- */

json_value json_member(const json_value *object, const char *key)
{
    json_value member = {object->file, cJSON_GetObjectItemCaseSensitive(object->json, key), "", 0};
    snprintf(member.place, sizeof member.place, "%.60s%s%.30s", object->place,
             object->place[0] ? "." : "", key);
    return member;
}

json_value json_item(const json_value *array, const cJSON *item, uint32_t index)
{
    json_value value = {array->file, item, "", index};
    snprintf(value.place, sizeof value.place, "%.80s[%u]", array->place, index);
    return value;
}

json_value json_at(const json_value *array, uint32_t index)
{
    return json_item(array, cJSON_GetArrayItem(array->json, (int)index), index);
}

bool json_is_there(const json_value *value)
{
    return value->json && !cJSON_IsNull(value->json);
}

/* ---- objects and arrays -------------------------------------------------------------------- */

static bool check_keys(const json_value *object, const json_key *keys, size_t count)
{
    enum { MOST_KEYS = 24 };
    const char *words[MOST_KEYS];
    const cJSON *item;
    if (!cJSON_IsObject(object->json))
        return json_fail_expected(object, "an object");
    for (size_t i = 0; i < count; i++)
        words[i] = keys[i].key;
    cJSON_ArrayForEach(item, object->json)
    {
        const char *key = item->string ? item->string : "";
        size_t known = 0;
        while (known < count && strcmp(key, words[known]) != 0)
            known++;
        if (known == count) {
            const cJSON word = {.valuestring = item->string ? item->string : (char[1]){0}};
            json_value unknown = *object;
            unknown.json = &word;
            return json_fail_word(&unknown, "key", words, count);
        }
        json_value member = json_member(object, key);
        if (member.json != item)
            return json_fail(&member, "the key stands there twice");
    }
    return true;
}

/* The count is of items that are read, so that what is read of one can look at those before. */
static bool take_list(const json_key *key, const json_value *array, void *target, void *reader)
{
    uint32_t count, *done = (void *)((char *)target + key->count_at);
    if (!(key->needed ? json_take_array : json_count)(array, key->what, &count))
        return false;
    if (key->count && count > key->count)
        return json_fail(array, "expected at most %u %s, found %u", key->count, key->key, count);
    char *items = room(count + (size_t)1, key->size);
    *(void **)((char *)target + key->offset) = items;
    *done = 0;
    for (const cJSON *json = count ? array->json->child : NULL; json; json = json->next) {
        json_value item = json_item(array, json, *done);
        if (!key->read(reader, items + *done * key->size, &item))
            return false;
        ++*done;
    }
    return true;
}

static bool take_truth(const json_value *value, bool *truth)
{
    *truth = cJSON_IsTrue(value->json);
    return cJSON_IsBool(value->json) || json_fail_expected(value, "true or false");
}

static bool take_key(const json_key *key, const json_value *value, void *target, void *reader)
{
    void *at = target ? (char *)target + key->offset : NULL; /* a reader may do without */
    switch (key->kind) {
    case JSON_TEXT:
        return json_take_text(value, key->what, at);
    case JSON_NUMBERS:
        return key->count ? json_take_numbers(value, key->what, at, key->count)
                          : json_take_number(value, key->what, at);
    case JSON_INDEX:
        return json_take_index(value, key->what, key->count, at);
    case JSON_TRUTH:
        return take_truth(value, at);
    case JSON_CHOICE:
        return json_take_choice(value, key->what, key->words, key->count, at);
    case JSON_ITEMS:
        return json_each(value, key->what, key->read, reader);
    case JSON_LIST:
        return take_list(key, value, target, reader);
    case JSON_OWN:
        return !key->read || key->read(reader, at, value);
    }
    return false;
}

bool json_take_object(const json_value *object, const json_key *keys, size_t count, void *target,
                      void *reader)
{
    if (!check_keys(object, keys, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        json_value value = json_member(object, keys[i].key);
        if ((keys[i].needed || keys[i].kind >= JSON_LIST || json_is_there(&value)) &&
            !take_key(&keys[i], &value, target, reader))
            return false;
    }
    return true;
}

bool json_count(const json_value *array, const char *of_what, uint32_t *count)
{
    *count = 0;
    return !json_is_there(array) || json_take_array(array, of_what, count);
}

bool json_each(const json_value *array, const char *of_what, json_read_fn read, void *reader)
{
    uint32_t count, index = 0;
    if (!json_count(array, of_what, &count))
        return false;
    for (const cJSON *json = count ? array->json->child : NULL; json; json = json->next, index++) {
        json_value item = json_item(array, json, index);
        if (!read(reader, NULL, &item))
            return false;
    }
    return true;
}

/* ---- values -------------------------------------------------------------------------------- */

bool json_take_index(const json_value *value, const char *what, uint32_t limit, uint32_t *index)
{
    double number = cJSON_IsNumber(value->json) ? value->json->valuedouble : -1;
    if (!(number >= 0 && number < limit) || number != (double)(uint32_t)number)
        return limit ? json_fail_expected(value, "%s, 0 to %u", what, limit - 1)
                     : json_fail(value, "expected nothing: there is no %s", what);
    *index = (uint32_t)number;
    return true;
}

bool json_take_indices(const json_value *array, const char *what, uint32_t limit, uint32_t *indices)
{
    uint32_t i = 0;
    for (const cJSON *json = array->json->child; json; json = json->next, i++) {
        json_value item = json_item(array, json, i);
        if (!json_take_index(&item, what, limit, &indices[i]))
            return false;
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

bool json_take_choice(const json_value *value, const char *what, const char *const *words,
                      size_t count, int *choice)
{
    name_search search = {.word = ""};
    for (size_t i = 0; i < count; i++)
        name_search_list(&search, words[i]);
    if (!cJSON_IsString(value->json))
        return json_fail_expected(value, "a %s (%s)", what, name_search_all(&search));
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
