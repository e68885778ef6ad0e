/* Files that are read whole, and written whole beside their places. */
#ifndef GRAZE_CLI_WHOLE_FILE_H
#define GRAZE_CLI_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* All of a file, to be freed; NULL with errno set. */
char *read_whole(const char *path, size_t *size);

/* A new file beside its place, under a name that nothing has yet and that goes to temporary; -1
 * with errno set on failure.
 */
int open_beside(const char *place, char *temporary, size_t size);

/* False with errno set. */
bool write_all(int descriptor, const void *bytes, size_t size);

#endif
