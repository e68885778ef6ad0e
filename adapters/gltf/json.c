/* Typed access to the JSON tree: what is there must be what it ought to be. */
#include "reader.h"

#include <math.h>
#include <string.h>

/* The largest integer below which a double holds every integer. */
#define EXACT_INTEGERS 9007199254740992.0

const cJSON *grazei_gltf_member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

graze_status grazei_gltf_array(grazei_gltf_reader *reader, const cJSON *object, const char *key,
                               const char *place, const cJSON **array, uint32_t *count)
{
    *array = grazei_gltf_member(object, key);
    *count = 0;
    if (*array && !cJSON_IsArray(*array))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: \"%s\" is not an array", place, key);
    const cJSON *item;
    uint64_t items = 0;
    cJSON_ArrayForEach(item, *array) items++;
    if (items >= GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "%s: \"%s\" is too long", place, key);
    *count = (uint32_t)items;
    return GRAZE_OK;
}

graze_status grazei_gltf_object(grazei_gltf_reader *reader, const cJSON *object, const char *key,
                                const char *place, const cJSON **member)
{
    *member = grazei_gltf_member(object, key);
    if (!*member)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no \"%s\"", place, key);
    if (!cJSON_IsObject(*member))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: \"%s\" is not an object", place, key);
    return GRAZE_OK;
}

static bool is_whole(const cJSON *item)
{
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < EXACT_INTEGERS &&
           item->valuedouble == floor(item->valuedouble);
}

graze_status grazei_gltf_size(grazei_gltf_reader *reader, const cJSON *object, const char *key,
                              const char *place, uint64_t fallback, uint64_t *value)
{
    const cJSON *item = grazei_gltf_member(object, key);
    *value = fallback;
    if (!item)
        return GRAZE_OK;
    if (!is_whole(item))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: \"%s\" is not a whole number of 0 or more", place, key);
    *value = (uint64_t)item->valuedouble;
    return GRAZE_OK;
}

graze_status grazei_gltf_index_value(grazei_gltf_reader *reader, const cJSON *item,
                                     const char *place, uint32_t count, uint32_t *index)
{
    if (!is_whole(item))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: not an index", place);
    if (item->valuedouble >= count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: index %.0f, but there are %u", place,
                                item->valuedouble, count);
    *index = (uint32_t)item->valuedouble;
    return GRAZE_OK;
}

graze_status grazei_gltf_index(grazei_gltf_reader *reader, const cJSON *object, const char *key,
                               const char *place, uint32_t count, uint32_t *index)
{
    const cJSON *item = grazei_gltf_member(object, key);
    *index = GRAZE_NONE;
    if (!item)
        return GRAZE_OK;
    if (!is_whole(item))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: \"%s\" is not an index", place, key);
    if (item->valuedouble >= count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: \"%s\" is %.0f, but there are %u",
                                place, key, item->valuedouble, count);
    *index = (uint32_t)item->valuedouble;
    return GRAZE_OK;
}

graze_status grazei_gltf_floats(grazei_gltf_reader *reader, const cJSON *object, const char *key,
                                const char *place, uint32_t count, float *values, bool *present)
{
    const cJSON *array, *item;
    uint32_t length, i = 0;
    GRAZEI_GLTF_TRY(grazei_gltf_array(reader, object, key, place, &array, &length));
    *present = array != NULL;
    if (!array)
        return GRAZE_OK;
    if (length != count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: \"%s\" has %u numbers, not %u", place,
                                key, length, count);
    cJSON_ArrayForEach(item, array)
    {
        if (!cJSON_IsNumber(item) || !isfinite((float)item->valuedouble))
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                    "%s: \"%s\"[%u] is not a finite number", place, key, i);
        values[i++] = (float)item->valuedouble;
    }
    return GRAZE_OK;
}

/* Each byte that is not of UTF-8 becomes U+FFFD. */
graze_status grazei_gltf_copy_text(grazei_gltf_reader *reader, const char *text, char **copy)
{
    static const char replacement[] = GRAZEI_GLTF_REPLACEMENT;
    size_t length = 0, wrong = 0;
    *copy = NULL;
    if (!text)
        return GRAZE_OK;
    for (const char *c = text; *c;) {
        size_t step = grazei_gltf_utf8_length(c);
        wrong += step == 0;
        length += step ? step : 1;
        c += step ? step : 1;
    }
    if (wrong)
        grazei_gltf_warn(reader, GRAZEI_GLTF_BAD_TEXT,
                         "%s: a text is not UTF-8; what is not is replaced", reader->where.text);
    char *out = *copy = grazei_gltf_allocate(reader, length + 2 * wrong + 1, 1);
    if (!out)
        return GRAZE_OUT_OF_MEMORY;
    if (!wrong)
        memcpy(out, text, length);
    for (const char *c = text; wrong && *c;) {
        size_t step = grazei_gltf_utf8_length(c);
        memcpy(out, step ? c : replacement, step ? step : 3);
        out += step ? step : 3;
        c += step ? step : 1;
    }
    return GRAZE_OK;
}

graze_status grazei_gltf_name(grazei_gltf_reader *reader, const cJSON *object, char **name)
{
    const cJSON *item = grazei_gltf_member(object, "name");
    if (!cJSON_IsString(item))
        return GRAZE_OK; /* names are for people: a wrong one does no harm */
    return grazei_gltf_copy_text(reader, item->valuestring, name);
}

graze_status grazei_gltf_extras(grazei_gltf_reader *reader, const cJSON *object, char **extras)
{
    const cJSON *item = grazei_gltf_member(object, "extras");
    if (!item)
        return GRAZE_OK;
    char *text = cJSON_PrintUnformatted(item);
    if (!text)
        return grazei_gltf_fail(reader, GRAZE_OUT_OF_MEMORY, "out of memory");
    graze_status status = grazei_gltf_afford(reader, 2 * (uint64_t)strlen(text));
    if (status == GRAZE_OK)
        status = grazei_gltf_copy_text(reader, text, extras);
    cJSON_free(text);
    return status;
}

graze_status grazei_gltf_make_table(grazei_gltf_reader *reader, const cJSON *object,
                                    const char *key, const char *place, grazei_gltf_table *table)
{
    const cJSON *array, *item;
    uint32_t count, i = 0;
    GRAZEI_GLTF_TRY(grazei_gltf_array(reader, object, key, place, &array, &count));
    table->name = key;
    table->count = 0;
    table->items = grazei_gltf_allocate(reader, count, sizeof *table->items);
    if (!table->items)
        return GRAZE_OUT_OF_MEMORY;
    cJSON_ArrayForEach(item, array)
    {
        if (!cJSON_IsObject(item))
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: %s[%u] is not an object", place,
                                    key, i);
        table->items[i++] = item;
    }
    table->count = count;
    return GRAZE_OK;
}
