/* Bytes and JSON text in memory. */
#include "errors.h"
#include "output.h"

#include <stdarg.h>
#include <string.h>

static bool make_room(grazei_gltf_bytes *bytes, size_t more)
{
    if (bytes->failed)
        return false;
    if (more <= bytes->capacity - bytes->size)
        return true;
    size_t larger = bytes->capacity + bytes->capacity / 2 + 1024;
    if (larger - bytes->size < more)
        larger = bytes->size + more;
    unsigned char *copy = NULL;
    if (larger >= more && larger < SIZE_MAX / 2)
        copy = bytes->allocator.allocate(bytes->allocator.user, larger, 64);
    if (!copy) {
        bytes->failed = true;
        return false;
    }
    if (bytes->data) {
        memcpy(copy, bytes->data, bytes->size);
        bytes->allocator.release(bytes->allocator.user, bytes->data);
    }
    bytes->data = copy;
    bytes->capacity = larger;
    return true;
}

void grazei_gltf_put(grazei_gltf_bytes *bytes, const void *data, size_t size)
{
    if (size == 0 || !make_room(bytes, size))
        return;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void grazei_gltf_print(grazei_gltf_bytes *bytes, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        bytes->failed = true; /* never: formats here are short */
    else
        grazei_gltf_put(bytes, text, (size_t)length);
}

void grazei_gltf_put_string(grazei_gltf_bytes *bytes, const char *text)
{
    grazei_gltf_put(bytes, "\"", 1);
    while (*text) {
        size_t length = grazei_gltf_utf8_length(text);
        if (*text == '"' || *text == '\\')
            grazei_gltf_print(bytes, "\\%c", *text);
        else if ((unsigned char)*text < 32)
            grazei_gltf_print(bytes, "\\u%04x", (unsigned)*text);
        else if (length)
            grazei_gltf_put(bytes, text, length);
        else
            grazei_gltf_put(bytes, GRAZEI_GLTF_REPLACEMENT, 3);
        text += length ? length : 1;
    }
    grazei_gltf_put(bytes, "\"", 1);
}

void grazei_gltf_put_numbers(grazei_gltf_bytes *bytes, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char text[32];
        size_t length = grazei_gltf_format_number(text, values[i]);
        grazei_gltf_put(bytes, i ? "," : "[", 1);
        grazei_gltf_put(bytes, text, length);
    }
    grazei_gltf_put(bytes, "]", 1);
}

void grazei_gltf_align(grazei_gltf_bytes *bytes, char filler)
{
    while (bytes->size % 4 != 0 && !bytes->failed)
        grazei_gltf_put(bytes, &filler, 1);
}

void grazei_gltf_free_bytes(grazei_gltf_bytes *bytes)
{
    if (bytes->data)
        bytes->allocator.release(bytes->allocator.user, bytes->data);
    bytes->data = NULL;
}

size_t grazei_gltf_format_number(char text[32], float value)
{
    char local[64];
    size_t length = 0;
    bool in_point = false;
    snprintf(local, sizeof local, "%.9g", value);
    for (const char *c = local; *c; c++) {
        bool plain = strchr("0123456789+-e", *c) != NULL;
        if (plain || !in_point) /* a locale's point may be several bytes */
            text[length++] = plain ? *c : '.';
        in_point = !plain;
    }
    text[length] = 0;
    return length;
}
