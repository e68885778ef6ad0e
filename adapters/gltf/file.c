/* Files into memory: regular ones alone, since a pipe or a device may never end, and no more of
 * them than is asked for.
 */
#include "reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Counts a file's size once, however many buffers are in it. */
static void count_file(grazei_gltf_reader *reader, const struct stat *information, uint64_t bytes)
{
    grazei_gltf_file_id id = {(uint64_t)information->st_dev, (uint64_t)information->st_ino};
    for (uint32_t i = 0; i < reader->file_count; i++)
        if (reader->files[i].device == id.device && reader->files[i].number == id.number)
            return;
    if (reader->file_count == GRAZEI_GLTF_MOST_FILES)
        return;
    reader->files[reader->file_count++] = id;
    grazei_gltf_grow_budget(reader, bytes);
}

static graze_status check_kind(grazei_gltf_reader *reader, const char *place,
                               const struct stat *information)
{
    const char *kind = S_ISDIR(information->st_mode)    ? "folder"
                       : S_ISFIFO(information->st_mode) ? "pipe"
                       : S_ISREG(information->st_mode)  ? NULL
                                                        : "device";
    if (kind)
        return grazei_gltf_fail(reader, GRAZE_IO_ERROR, "%sis a %s, not a file", place, kind);
    return GRAZE_OK;
}

static graze_status read_open(grazei_gltf_reader *reader, FILE *file, const char *place,
                              uint64_t most, void **memory, size_t *size)
{
    struct stat information;
    if (fstat(fileno(file), &information) != 0)
        return grazei_gltf_fail(reader, GRAZE_IO_ERROR, "%scannot read: %s", place,
                                strerror(errno));
    GRAZEI_GLTF_TRY(check_kind(reader, place, &information));
    uint64_t bytes = (uint64_t)information.st_size < most ? (uint64_t)information.st_size : most;
    if (bytes > SIZE_MAX / 2)
        return grazei_gltf_fail(reader, GRAZE_OUT_OF_MEMORY, "%sout of memory", place);
    count_file(reader, &information, bytes);
    unsigned char *data = grazei_gltf_allocate(reader, (size_t)bytes, 1);
    if (!data)
        return GRAZE_OUT_OF_MEMORY;
    *size = fread(data, 1, (size_t)bytes, file);
    if (ferror(file)) {
        int reason = errno;
        grazei_gltf_release(reader, data);
        return grazei_gltf_fail(reader, GRAZE_IO_ERROR, "%scannot read: %s", place,
                                strerror(reason));
    }
    *memory = data;
    return GRAZE_OK;
}

graze_status grazei_gltf_read_file(grazei_gltf_reader *reader, const char *path, const char *place,
                                   uint64_t most, void **memory, size_t *size)
{
    struct stat information;
    /* Asked before it is opened: opening a pipe waits for whoever writes to it. */
    if (stat(path, &information) == 0)
        GRAZEI_GLTF_TRY(check_kind(reader, place, &information));
    FILE *file = fopen(path, "rb");
    if (!file)
        return grazei_gltf_fail(reader, GRAZE_IO_ERROR, "%scannot open: %s", place,
                                strerror(errno));
    graze_status status = read_open(reader, file, place, most, memory, size);
    fclose(file);
    return status;
}
