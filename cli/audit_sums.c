/* Checksums of files, by which graze audit knows a result that is whole, and a model that changed.
 */
#include "cli/audit_store.h"
#include "cli/room.h"
#include "cli/whole_file.h"

#include <errno.h>
#include <sys/stat.h>

uint64_t audit_sum(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ at[i]) * 0x100000001b3u;
    return sum;
}

void audit_sum_name(char name[17], uint64_t sum)
{
    snprintf(name, 17, "%016llx", (unsigned long long)sum);
}

/* NULL with errno set; a pipe is no file: it can be read only once. */
static char *read_regular(const char *path, size_t *size)
{
    struct stat information;
    if (stat(path, &information) != 0)
        return NULL;
    if (!S_ISREG(information.st_mode)) {
        errno = EINVAL;
        return NULL;
    }
    return read_whole(path, size);
}

bool audit_sum_file(const char *path, uint64_t *sum)
{
    size_t size;
    char *bytes = read_regular(path, &size);
    if (!bytes)
        return false;
    *sum = audit_sum(AUDIT_SUM_START, bytes, size);
    free(bytes);
    return true;
}

/* ---- models --------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The file that a model in some file names: beside it, %20 decoded. */
static char *path_of_uri(const char *model, const char *uri)
{
    const char *slash = strrchr(model, '/');
    size_t folder = slash ? (size_t)(slash - model) + 1 : 0;
    char *path = room(folder + strlen(uri) + 1, 1), *to = path + folder;
    memcpy(path, model, folder);
    for (; *uri; uri++) {
        bool coded = *uri == '%' && hex_digit(uri[1]) >= 0 && hex_digit(uri[2]) >= 0;
        *to++ = coded ? (char)(16 * hex_digit(uri[1]) + hex_digit(uri[2])) : *uri;
        uri += coded ? 2 : 0;
    }
    return path;
}

/* The JSON of a model: all of a .gltf, the first chunk of a .glb. */
static cJSON *read_json(const char *bytes, size_t size)
{
    const unsigned char *length = (const unsigned char *)bytes + 12;
    if (size < 20 || memcmp(bytes, "glTF", 4) != 0)
        return cJSON_ParseWithLength(bytes, size);
    size_t chunk =
        length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
    return cJSON_ParseWithLength(bytes + 20, chunk < size - 20 ? chunk : size - 20);
}

/* Buffers that cannot be read count as empty: loading the model will tell. */
static uint64_t sum_buffers(uint64_t sum, const char *path, const cJSON *json)
{
    const cJSON *buffer;
    cJSON_ArrayForEach(buffer, cJSON_GetObjectItemCaseSensitive(json, "buffers"))
    {
        const char *uri = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(buffer, "uri"));
        uint64_t own = 0;
        if (!uri || strncmp(uri, "data:", 5) == 0)
            continue;
        char *file = path_of_uri(path, uri);
        audit_sum_file(file, &own);
        free(file);
        sum = audit_sum(sum, &own, sizeof own);
    }
    return sum;
}

bool audit_sum_model(const char *path, uint64_t *sum)
{
    size_t size;
    if (strncmp(path, "builtin:", 8) == 0) {
        *sum = audit_sum(AUDIT_SUM_START, path, strlen(path));
        return true;
    }
    char *bytes = read_regular(path, &size);
    if (!bytes)
        return false;
    cJSON *json = read_json(bytes, size);
    *sum = sum_buffers(audit_sum(AUDIT_SUM_START, bytes, size), path, json);
    cJSON_Delete(json);
    free(bytes);
    return true;
}
