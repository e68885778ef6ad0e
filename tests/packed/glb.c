/* GLB files taken apart and put together. */
#include "pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void demand(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static uint32_t get_u32(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put_u32(unsigned char *bytes, size_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
}

glb_parts glb_open(const void *file, size_t size)
{
    const unsigned char *bytes = file;
    glb_parts parts = {NULL, NULL, 0};
    demand(size > 28 && memcmp(bytes, "glTF", 4) == 0, "not a GLB");
    size_t text = get_u32(bytes + 12);
    parts.json = cJSON_ParseWithLength((const char *)bytes + 20, text);
    demand(parts.json != NULL, "no JSON");
    parts.size = get_u32(bytes + 20 + text);
    demand(28 + text + parts.size <= size, "cut off");
    parts.data = malloc(parts.size + 1);
    memcpy(parts.data, bytes + 28 + text, parts.size);
    return parts;
}

unsigned char *glb_close(glb_parts *parts, size_t *size)
{
    char *text = cJSON_PrintUnformatted(parts->json);
    size_t length = strlen(text), padded = (length + 3) / 4 * 4, data = (parts->size + 3) / 4 * 4;
    unsigned char *file = calloc(1, 28 + padded + data);
    *size = 28 + padded + data;
    memcpy(file, "glTF", 4);
    put_u32(file + 4, 2);
    put_u32(file + 8, *size);
    put_u32(file + 12, padded);
    memcpy(file + 16, "JSON", 4);
    memset(file + 20, ' ', padded);
    memcpy(file + 20, text, length);
    put_u32(file + 20 + padded, data);
    memcpy(file + 24 + padded, "BIN", 4);
    memcpy(file + 28 + padded, parts->data, parts->size);
    cJSON_Delete(parts->json);
    free(parts->data);
    free(text);
    return file;
}

size_t glb_append(glb_parts *parts, const void *bytes, size_t size)
{
    size_t start = (parts->size + 3) / 4 * 4;
    parts->data = realloc(parts->data, start + size);
    memset(parts->data + parts->size, 0, start - parts->size);
    memcpy(parts->data + start, bytes, size);
    parts->size = start + size;
    cJSON *buffer = glb_item(parts, "buffers", 0);
    cJSON_SetNumberValue(cJSON_GetObjectItem(buffer, "byteLength"), (double)parts->size);
    return start;
}

double glb_number(const cJSON *object, const char *key, double fallback)
{
    const cJSON *item = cJSON_GetObjectItem(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : fallback;
}

cJSON *glb_item(const glb_parts *parts, const char *table, int index)
{
    cJSON *item = cJSON_GetArrayItem(cJSON_GetObjectItem(parts->json, table), index);
    demand(item != NULL, table);
    return item;
}

const unsigned char *glb_numbers(const glb_parts *parts, const cJSON *accessor, size_t *element,
                                 size_t *count)
{
    static const struct {
        const char *type;
        size_t components;
    } types[] = {{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const cJSON *view = glb_item(parts, "bufferViews", (int)glb_number(accessor, "bufferView", -1));
    int component = (int)glb_number(accessor, "componentType", 0);
    const char *type = cJSON_GetObjectItem(accessor, "type")->valuestring;
    *element = component < 5122 ? 1 : component < 5124 ? 2 : 4;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(type, types[i].type) == 0)
            *element *= types[i].components;
    *count = (size_t)glb_number(accessor, "count", 0);
    demand(glb_number(view, "byteStride", (double)*element) == (double)*element, "not packed");
    return parts->data + (size_t)glb_number(view, "byteOffset", 0) +
           (size_t)glb_number(accessor, "byteOffset", 0);
}

void glb_require(glb_parts *parts, const char *extension)
{
    static const char *const lists[] = {"extensionsUsed", "extensionsRequired"};
    for (int i = 0; i < 2; i++) {
        cJSON *list = cJSON_GetObjectItem(parts->json, lists[i]);
        if (!list)
            list = cJSON_AddArrayToObject(parts->json, lists[i]);
        cJSON_AddItemToArray(list, cJSON_CreateString(extension));
    }
}
