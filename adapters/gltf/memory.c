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

void grazei_gltf_enter(grazei_gltf_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->where.text, sizeof reader->where.text, format, arguments);
    va_end(arguments);
}

/* ---- warnings ----------------------------------------------------------------------------- */

void grazei_gltf_warn(grazei_gltf_reader *reader, grazei_gltf_warning_kind kind, const char *format,
                      ...)
{
    grazei_gltf_warning *warning = &reader->warnings[kind];
    va_list arguments;
    if (warning->count++ > 0)
        return;
    va_start(arguments, format);
    vsnprintf(warning->text, sizeof warning->text, format, arguments);
    va_end(arguments);
}

void grazei_gltf_tell_warnings(grazei_gltf_reader *reader)
{
    for (int kind = 0; reader->warn && kind < GRAZEI_GLTF_WARNING_COUNT; kind++) {
        const grazei_gltf_warning *warning = &reader->warnings[kind];
        char text[GRAZEI_GLTF_LABEL + sizeof warning->text + 40];
        if (warning->count == 0)
            continue;
        int used = snprintf(text, sizeof text, "%s: %s", reader->label, warning->text);
        if (warning->count > 1)
            snprintf(text + used, sizeof text - (size_t)used, " (and %u more)", warning->count - 1);
        keep_to_one_line(text);
        reader->warn(reader->warn_user, text);
    }
}

/* ---- memory ------------------------------------------------------------------------------- */

#define LEAST_LIMIT ((uint64_t)256 << 20)
#define TIMES_SIZE 64

void grazei_gltf_grow_budget(grazei_gltf_reader *reader, uint64_t bytes)
{
    grazei_gltf_budget *budget = &reader->budget;
    budget->file_size += bytes;
    if (budget->is_given)
        return;
    budget->limit =
        budget->file_size < UINT64_MAX / TIMES_SIZE ? budget->file_size * TIMES_SIZE : UINT64_MAX;
    if (budget->limit < LEAST_LIMIT)
        budget->limit = LEAST_LIMIT;
}

graze_status grazei_gltf_afford(grazei_gltf_reader *reader, uint64_t bytes)
{
    const grazei_gltf_budget *budget = &reader->budget;
    const char *where = reader->where.text;
    if (bytes <= budget->limit - budget->taken)
        return GRAZE_OK;
    uint64_t sum = bytes < UINT64_MAX - budget->taken ? budget->taken + bytes : UINT64_MAX;
    return grazei_gltf_fail(
        reader, GRAZE_OUT_OF_MEMORY,
        "%s%sthe file asks for %llu bytes of memory or more, and the limit%s is %llu", where,
        *where ? ": " : "", (unsigned long long)sum, budget->is_given ? "" : " for one of its size",
        (unsigned long long)budget->limit);
}

graze_status grazei_gltf_charge(grazei_gltf_reader *reader, uint64_t bytes)
{
    GRAZEI_GLTF_TRY(grazei_gltf_afford(reader, bytes));
    reader->budget.taken += bytes;
    return GRAZE_OK;
}

void grazei_gltf_refund(grazei_gltf_reader *reader, uint64_t bytes)
{
    reader->budget.taken -= bytes;
}

/* Blocks begin at multiples of 64 bytes, and an allocator has a word or two of its own. */
uint64_t grazei_gltf_cost(uint64_t count, size_t size)
{
    if (count == 0)
        count = 1;
    return count <= (UINT64_MAX - 128) / size ? (count * size + 63) / 64 * 64 + 32 : UINT64_MAX;
}

static void *allocate_bytes(grazei_gltf_reader *reader, size_t count, size_t size)
{
    void *memory = NULL;
    if (grazei_gltf_charge(reader, grazei_gltf_cost(count, size)))
        return NULL;
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
    count += count == 0;
    if (workspace->memory && count <= workspace->size / size)
        return workspace->memory;
    if (workspace->memory) {
        grazei_gltf_release(reader, workspace->memory);
        grazei_gltf_refund(reader, grazei_gltf_cost(workspace->size, 1));
    }
    workspace->memory = allocate_bytes(reader, count, size);
    workspace->size = workspace->memory ? count * size : 0;
    return workspace->memory;
}
