#include "cli/whole_file.h"

#include "cli/room.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

char *read_whole(const char *path, size_t *size)
{
    char *bytes = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "rb");
    *size = 0;
    while (file && !feof(file) && !ferror(file)) {
        if (*size == capacity) {
            capacity = capacity ? 2 * capacity : 1 << 16;
            bytes = more_room(bytes, capacity, 1);
        }
        *size += fread(bytes + *size, 1, capacity - *size, file);
    }
    int failure = errno;
    bool good = file && !ferror(file);
    if (file)
        fclose(file);
    errno = failure;
    if (good)
        return bytes;
    free(bytes);
    return NULL;
}

int open_beside(const char *place, char *temporary, size_t size)
{
    int descriptor = -1;
    for (int attempt = 0; attempt < 1000 && descriptor < 0; attempt++) {
        snprintf(temporary, size, "%s.%ld-%d.tmp", place, (long)getpid(), attempt);
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
}

bool write_all(int descriptor, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t written = write(descriptor, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written < 0 ? errno : ENOSPC;
            return false;
        }
        at += written;
        size -= (size_t)written;
    }
    return true;
}
