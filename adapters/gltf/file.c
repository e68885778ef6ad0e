/* Whole files into memory. */
#include "reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Twice the memory, with the first used bytes kept; NULL (and the old one released) if it cannot.
 */
static unsigned char *enlarge(grazei_gltf_reader *reader, unsigned char *bytes, size_t used,
                              size_t *capacity)
{
    size_t larger = *capacity + *capacity / 2 + 65536;
    unsigned char *copy = larger > *capacity ? grazei_gltf_allocate(reader, larger, 1) : NULL;
    if (copy && used)
        memcpy(copy, bytes, used);
    grazei_gltf_release(reader, bytes);
    *capacity = larger;
    return copy;
}

static graze_status read_all(grazei_gltf_reader *reader, FILE *file, size_t expected,
                             const char *place, void **memory, size_t *size)
{
    size_t capacity = expected + 1, used = 0; /* one more, so that the end is seen at once */
    unsigned char *bytes = grazei_gltf_allocate(reader, capacity, 1);
    while (bytes) {
        used += fread(bytes + used, 1, capacity - used, file);
        if (ferror(file)) {
            int reason = errno;
            grazei_gltf_release(reader, bytes);
            return grazei_gltf_fail(reader, GRAZE_IO_ERROR, "%scannot read: %s", place,
                                    strerror(reason));
        }
        if (feof(file))
            break;
        bytes = enlarge(reader, bytes, used, &capacity);
    }
    if (!bytes)
        return GRAZE_OUT_OF_MEMORY;
    *memory = bytes;
    *size = used;
    return GRAZE_OK;
}

graze_status grazei_gltf_read_file(grazei_gltf_reader *reader, const char *path, const char *place,
                                   void **memory, size_t *size)
{
    struct stat information;
    FILE *file = fopen(path, "rb");
    if (!file)
        return grazei_gltf_fail(reader, GRAZE_IO_ERROR, "%scannot open: %s", place,
                                strerror(errno));
    size_t expected = 0;
    if (fstat(fileno(file), &information) == 0) {
        if (S_ISDIR(information.st_mode)) {
            fclose(file);
            return grazei_gltf_fail(reader, GRAZE_IO_ERROR, "%sis a folder, not a file", place);
        }
        if (S_ISREG(information.st_mode) && (uint64_t)information.st_size < SIZE_MAX / 2)
            expected = (size_t)information.st_size;
    }
    graze_status status = read_all(reader, file, expected, place, memory, size);
    fclose(file);
    return status;
}
