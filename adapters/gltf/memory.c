/* Error texts and memory. */
#include "errors.h"
#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Names from a file may hold anything: what would break the line becomes a question mark. */
static void keep_to_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 32 || *text == 127)
            *text = '?';
}

void grazei_gltf_label(char *label, size_t size, const char *name)
{
    size_t length = strlen(name), room = size - 1;
    if (length <= room)
        snprintf(label, size, "%s", name);
    else
        snprintf(label, size, "...%s", name + length - (room - 3));
}

static void report(graze_error *error, const char *label, graze_status status, const char *format,
                   va_list arguments)
{
    error->status = status;
    int used = snprintf(error->text, sizeof error->text, "%s: ", label);
    vsnprintf(error->text + used, sizeof error->text - (size_t)used, format, arguments);
    keep_to_one_line(error->text);
}

graze_status grazei_gltf_fail(grazei_gltf_reader *reader, graze_status status, const char *format,
                              ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (reader->error)
        report(reader->error, reader->label, status, format, arguments);
    va_end(arguments);
    return status;
}

graze_status grazei_gltf_fail_path(graze_error *error, const char *path, graze_status status,
                                   const char *format, ...)
{
    char label[GRAZEI_GLTF_LABEL];
    va_list arguments;
    va_start(arguments, format);
    grazei_gltf_label(label, sizeof label, path);
    if (error)
        report(error, label, status, format, arguments);
    va_end(arguments);
    return status;
}

grazei_gltf_place grazei_gltf_at(const char *format, ...)
{
    grazei_gltf_place place;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(place.text, sizeof place.text, format, arguments);
    va_end(arguments);
    return place;
}

static void *allocate_bytes(grazei_gltf_reader *reader, size_t count, size_t size)
{
    void *memory = NULL;
    if (count == 0)
        count = 1;
    if (count <= (SIZE_MAX - 64) / size)
        memory = reader->allocator.allocate(reader->allocator.user, count * size, 64);
    if (!memory)
        grazei_gltf_fail(reader, GRAZE_OUT_OF_MEMORY, "out of memory");
    return memory;
}

void *grazei_gltf_allocate(grazei_gltf_reader *reader, size_t count, size_t size)
{
    void *memory = allocate_bytes(reader, count, size);
    if (memory)
        memset(memory, 0, (count ? count : 1) * size);
    return memory;
}

void grazei_gltf_release(grazei_gltf_reader *reader, void *memory)
{
    if (memory)
        reader->allocator.release(reader->allocator.user, memory);
}

void *grazei_gltf_work(grazei_gltf_reader *reader, grazei_gltf_slot slot, size_t count, size_t size)
{
    grazei_gltf_workspace *workspace = &reader->workspaces[slot];
    if (workspace->memory && count <= workspace->size / size)
        return workspace->memory;
    grazei_gltf_release(reader, workspace->memory);
    workspace->memory = allocate_bytes(reader, count, size);
    workspace->size = workspace->memory ? count * size : 0;
    return workspace->memory;
}
