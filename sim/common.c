/* Memory and errors. */
#include "sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *grazei_sim_allocate(const graze_allocator *allocator, size_t count, size_t size)
{
    if (count > (SIZE_MAX - 1) / size)
        return NULL;
    void *memory = allocator->allocate(allocator->user, count * size + 1, 64);
    if (memory)
        memset(memory, 0, count * size + 1);
    return memory;
}

void grazei_sim_release(const graze_allocator *allocator, void *memory)
{
    if (memory)
        allocator->release(allocator->user, memory);
}

bool grazei_sim_reserve(const graze_sim *sim, grazei_sim_list *list, size_t need, size_t size)
{
    if (need <= list->capacity)
        return true;
    size_t capacity = need > list->capacity + list->capacity / 2 + 16
                          ? need
                          : list->capacity + list->capacity / 2 + 16;
    void *items = grazei_sim_allocate(&sim->allocator, capacity, size);
    if (!items)
        return false;
    if (list->capacity)
        memcpy(items, list->items, list->capacity * size);
    grazei_sim_release(&sim->allocator, list->items);
    list->items = items;
    list->capacity = capacity;
    return true;
}

graze_status grazei_sim_check_reserved(const uintptr_t *words, size_t size, graze_error *error)
{
    for (size_t i = 0; i < size / sizeof *words; i++)
        if (words[i])
            return grazei_sim_fail(error, GRAZE_BAD_INPUT, "reserved[%zu] is not 0", i);
    return GRAZE_OK;
}

graze_status grazei_sim_fail(graze_error *error, graze_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        error->status = status;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

graze_status grazei_sim_out_of_memory(graze_error *error)
{
    return grazei_sim_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
}
