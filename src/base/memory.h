/* Memory through the caller's allocator, with sizes checked for overflow. */
#ifndef GRAZEI_BASE_MEMORY_H
#define GRAZEI_BASE_MEMORY_H

#include <graze/base.h>

/* count items of size bytes, aligned to 64, not cleared; NULL when out of memory or if the size
 * overflows. A count of 0 is taken as 1, so that NULL always means failure.
 */
void *grazei_allocate(const graze_allocator *allocator, size_t count, size_t size);

/* The same, filled with zero bytes. */
void *grazei_allocate_zero(const graze_allocator *allocator, size_t count, size_t size);

/* Without const: for what is owned, released or counted through a pointer that others only read by.
 */
static inline void *grazei_unconst(const void *memory)
{
    return (void *)(uintptr_t)memory;
}

/* NULL is fine. */
void grazei_release(const graze_allocator *allocator, void *memory);

/* Makes room for `need` items: returns items itself, or a larger copy (the old one released) with
 * *capacity raised, or NULL when out of memory (items is then untouched and still owned).
 */
void *grazei_grow(const graze_allocator *allocator, void *items, size_t *capacity, size_t need,
                  size_t size);

#define GRAZEI_ALLOCATE(allocator, count, type)                                                    \
    ((type *)grazei_allocate(allocator, count, sizeof(type)))
#define GRAZEI_ALLOCATE_ZERO(allocator, count, type)                                               \
    ((type *)grazei_allocate_zero(allocator, count, sizeof(type)))

#endif
