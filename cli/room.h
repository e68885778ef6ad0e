/* Memory that is there: without, the command ends with a line on standard error, exit code 2, and
 * no unfinished files (output.h).
 */
#ifndef GRAZE_CLI_ROOM_H
#define GRAZE_CLI_ROOM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void *room_or_end(void *memory)
{
    if (memory)
        return memory;
    fputs("graze: out of memory\n", stderr);
    exit(2);
}

/* Zeros, for so many items of a size, and at least one. */
static inline void *room(size_t count, size_t size)
{
    return room_or_end(calloc(count ? count : 1, size));
}

/* The same memory, for so many items. */
static inline void *more_room(void *memory, size_t count, size_t size)
{
    return room_or_end(count < SIZE_MAX / size ? realloc(memory, count * size) : NULL);
}

static inline char *copy_text(const char *text)
{
    return strcpy(room(strlen(text) + 1, 1), text);
}

#endif
