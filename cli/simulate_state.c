#include "cli/simulate_state.h"

#include "cli/options.h"
#include "cli/output.h"
#include "cli/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file, in little endian: magic, version, what the scene was made with, the size of the state,
 * the state, and the checksum of everything before it.
 */
static const char magic[8] = {'G', 'R', 'A', 'Z', 'E', 'S', 'I', 'M'};
enum { LEAST_BODY = 13 * 8 }; /* where it is and how it moves, bytes */
enum { VERSION = 1, NUMBERS = 7, HEAD = 8 + 4 + 4 * NUMBERS + 8 + 8, TAIL = 8 };

/* ---- bytes --------------------------------------------------------------------------------- */

static void put(unsigned char **at, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        *(*at)++ = (unsigned char)(value >> 8 * i);
}

static uint64_t take(const unsigned char **at, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++)
        value |= (uint64_t) * (*at)++ << 8 * i;
    return value;
}

/* FNV-1a: a changed byte always changes it. */
static uint64_t checksum(const unsigned char *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}

static void put_options(unsigned char **at, const simulate_options *options)
{
    uint64_t seconds;
    const uint32_t numbers[NUMBERS] = {(uint32_t)options->scene,
                                       options->count,
                                       options->triangles,
                                       options->stage_triangles,
                                       options->rigid,
                                       (uint32_t)options->contacts,
                                       options->level};
    for (int i = 0; i < NUMBERS; i++)
        put(at, numbers[i], 4);
    memcpy(&seconds, &options->step_seconds, sizeof seconds);
    put(at, seconds, 8);
}

/* False if a number cannot be one of theirs. */
static bool take_options(const unsigned char **at, simulate_options *options)
{
    uint32_t numbers[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = (uint32_t)take(at, 4);
    uint64_t seconds = take(at, 8);
    *options = (simulate_options){.scene = (simulate_scene_name)numbers[0],
                                  .count = numbers[1],
                                  .triangles = numbers[2],
                                  .stage_triangles = numbers[3],
                                  .rigid = numbers[4] != 0,
                                  .contacts = (simulate_contacts)numbers[5],
                                  .level = numbers[6]};
    memcpy(&options->step_seconds, &seconds, sizeof seconds);
    return numbers[0] < SIMULATE_SCENE_COUNT && numbers[1] > 0 && numbers[4] < 2 &&
           numbers[5] <= SIMULATE_EXACT_PAPER && options->step_seconds > 0 &&
           isfinite(options->step_seconds);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Whether a whole file is one, with the state's size; false after printing what is wrong. */
static bool judge(const char *path, const unsigned char *bytes, size_t size, simulate_state *state)
{
    const unsigned char *at = bytes + sizeof magic;
    if (size < sizeof magic + 4 || memcmp(bytes, magic, sizeof magic) != 0)
        return refuse("%s: it is not a saved simulation", path);
    uint32_t version = (uint32_t)take(&at, 4);
    if (version != VERSION)
        return refuse("%s: saved in version %u of this format, and only version %d is known", path,
                      version, VERSION);
    if (size < HEAD + TAIL)
        return refuse("%s: it is cut off: %zu bytes are not even a head", path, size);
    bool good = take_options(&at, &state->options);
    uint64_t inside = take(&at, 8);
    if (inside != size - HEAD - TAIL)
        return refuse("%s: it is cut off or damaged: %zu bytes, where its head says %llu", path,
                      size, (unsigned long long)(inside + HEAD + TAIL));
    const unsigned char *end = bytes + size - TAIL;
    if (take(&end, TAIL) != checksum(bytes, size - TAIL))
        return refuse("%s: it is damaged: its checksum is another", path);
    state->size = (size_t)inside;
    /* no more bodies are made for a file than it can have the states of */
    return (good && state->options.count <= inside / LEAST_BODY) ||
           refuse("%s: it is damaged: numbers in its head are out of range", path);
}

bool simulate_state_read(simulate_state *state, const char *path)
{
    size_t size;
    *state = (simulate_state){.bytes = NULL};
    unsigned char *bytes = (unsigned char *)read_whole(path, &size);
    if (!bytes)
        return refuse("%s: cannot read: %s", path, strerror(errno));
    if (!judge(path, bytes, size, state)) {
        free(bytes);
        return false;
    }
    memmove(bytes, bytes + HEAD, state->size);
    state->bytes = bytes;
    return true;
}

void simulate_state_free(simulate_state *state)
{
    free(state->bytes);
    *state = (simulate_state){.bytes = NULL};
}

/* ---- writing ------------------------------------------------------------------------------- */

/* The folder's entry to the disk too; a system that cannot keeps the file all the same. */
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    int descriptor = open(slash ? folder : ".", O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

static bool replace(const char *path, const unsigned char *bytes, size_t size)
{
    char temporary[PATH_MAX + 48];
    int descriptor = open_beside(path, temporary, sizeof temporary);
    if (descriptor < 0)
        return false;
    bool good = write_all(descriptor, bytes, size) && fsync(descriptor) == 0;
    int failure = errno;
    if (close(descriptor) != 0 && good) {
        good = false;
        failure = errno;
    }
    if (good && rename(temporary, path) != 0) {
        good = false;
        failure = errno;
    }
    if (good)
        sync_folder(path);
    else
        unlink(temporary);
    errno = failure;
    return good;
}

static bool write_in_place(const char *path, const unsigned char *bytes, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    bool good = descriptor >= 0 && write_all(descriptor, bytes, size);
    int failure = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = failure;
    return good;
}

/* Where a file goes, links followed; NULL, with errno set, if the path cannot be one. */
static const char *place_of(const char *path, char followed[PATH_MAX], bool *special)
{
    struct stat information;
    bool exists = stat(path, &information) == 0;
    *special = exists && !S_ISREG(information.st_mode);
    if (!*path || strlen(path) >= PATH_MAX || (exists && S_ISDIR(information.st_mode))) {
        errno = !*path ? ENOENT : exists ? EISDIR : ENAMETOOLONG;
        return NULL;
    }
    return exists && realpath(path, followed) ? followed : path;
}

static bool write_file(const char *path, const unsigned char *bytes, size_t size)
{
    char followed[PATH_MAX];
    bool special;
    const char *place = place_of(path, followed, &special);
    if (!place)
        return false;
    return special ? write_in_place(path, bytes, size) : replace(place, bytes, size);
}

bool simulate_place_check(const char *path, char reason[200])
{
    char followed[PATH_MAX], temporary[PATH_MAX + 48];
    bool special;
    const char *place = place_of(path, followed, &special);
    if (place && special)
        return true;
    output_begin_file(path);
    int descriptor = place ? open_beside(place, temporary, sizeof temporary) : -1;
    if (descriptor < 0)
        snprintf(reason, 200, "cannot write: %s", strerror(errno));
    else {
        close(descriptor);
        unlink(temporary);
    }
    output_end_file();
    return descriptor >= 0;
}

/* The whole file in memory; NULL, with why in reason, if that failed. */
static unsigned char *compose(const simulate_scene *scene, size_t *size, char reason[200])
{
    size_t inside = graze_sim_state_bytes(scene->sim), written;
    unsigned char *bytes = malloc(HEAD + inside + TAIL), *at = bytes;
    graze_error error;
    *size = HEAD + inside + TAIL;
    if (!bytes) {
        snprintf(reason, 200, "out of memory");
        return NULL;
    }
    memcpy(at, magic, sizeof magic);
    at += sizeof magic;
    put(&at, VERSION, 4);
    put_options(&at, &scene->options);
    put(&at, inside, 8);
    if (graze_sim_save(scene->sim, at, inside, &written, &error)) {
        snprintf(reason, 200, "%.190s", error.text);
        free(bytes);
        return NULL;
    }
    at += inside;
    put(&at, checksum(bytes, HEAD + inside), TAIL);
    return bytes;
}

bool simulate_state_write(const simulate_scene *scene, const char *path, char reason[200])
{
    size_t size;
    unsigned char *bytes = compose(scene, &size, reason);
    if (!bytes)
        return false;
    output_begin_file(path);
    bool good = write_file(path, bytes, size);
    int failure = errno;
    output_end_file();
    if (!good)
        snprintf(reason, 200, "cannot write: %s", strerror(failure));
    free(bytes);
    return good;
}
