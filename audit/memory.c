#include "audit/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *grazei_audit_room(const graze_allocator *allocator, size_t count, size_t size)
{
    if (count > (SIZE_MAX - 1) / size)
        return NULL;
    void *memory = allocator->allocate(allocator->user, count * size + 1, 64);
    if (memory)
        memset(memory, 0, count * size + 1);
    return memory;
}

void grazei_audit_release(const graze_allocator *allocator, void *memory)
{
    if (memory)
        allocator->release(allocator->user, memory);
}

bool grazei_audit_reserve(const graze_allocator *allocator, grazei_audit_list *list, size_t count,
                          size_t size)
{
    if (count <= list->capacity)
        return true;
    size_t capacity = list->capacity ? 2 * list->capacity : 64;
    capacity = capacity < count ? count : capacity;
    void *items = grazei_audit_room(allocator, capacity, size);
    if (!items)
        return false;
    if (list->count)
        memcpy(items, list->items, list->count * size);
    grazei_audit_release(allocator, list->items);
    list->items = items;
    list->capacity = capacity;
    return true;
}

void *grazei_audit_add(const graze_allocator *allocator, grazei_audit_list *list, size_t size)
{
    if (!grazei_audit_reserve(allocator, list, list->count + 1, size))
        return NULL;
    return (char *)list->items + size * list->count++;
}

graze_status grazei_audit_fail(graze_error *error, graze_status status, const char *format, ...)
{
    if (error) {
        va_list values;
        error->status = status;
        va_start(values, format);
        vsnprintf(error->text, sizeof error->text, format, values);
        va_end(values);
    }
    return status;
}
