/* Memory and errors of the audit. */
#ifndef GRAZE_AUDIT_MEMORY_H
#define GRAZE_AUDIT_MEMORY_H

#include <graze/graze.h>

/* Zeros; NULL when out of memory. */
void *grazei_audit_room(const graze_allocator *allocator, size_t count, size_t size);
void grazei_audit_release(const graze_allocator *allocator, void *memory);

/* A list that grows. */
typedef struct grazei_audit_list {
    void *items;
    size_t count, capacity;
} grazei_audit_list;

/* Makes room for count items in all; false when out of memory, and the list is as before. */
bool grazei_audit_reserve(const graze_allocator *allocator, grazei_audit_list *list, size_t count,
                          size_t size);
/* The place of a new item behind the others; NULL when out of memory. */
void *grazei_audit_add(const graze_allocator *allocator, grazei_audit_list *list, size_t size);

graze_status grazei_audit_fail(graze_error *error, graze_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
