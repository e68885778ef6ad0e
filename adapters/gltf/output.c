/* Files that appear whole or not at all. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static graze_status fail_system(const grazei_gltf_output *output, int reason)
{
    return grazei_gltf_fail_path(output->error, output->path, GRAZE_IO_ERROR, "cannot write: %s",
                                 strerror(reason));
}

static void forget(grazei_gltf_output *output)
{
    if (output->temporary)
        output->allocator.release(output->allocator.user, output->temporary);
    output->temporary = NULL;
}

/* A new file beside the path, under a name that nothing has yet; -1 with errno set if it fails. */
static int create_beside(const grazei_gltf_output *output, size_t room)
{
    int descriptor = -1;
    for (int attempt = 0; attempt < 1000 && descriptor < 0; attempt++) {
        snprintf(output->temporary, room, "%s.%ld-%d.tmp", output->path, (long)getpid(), attempt);
        descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
}

static graze_status begin_beside(grazei_gltf_output *output)
{
    size_t room = strlen(output->path) + 48;
    output->temporary = output->allocator.allocate(output->allocator.user, room, 64);
    if (!output->temporary)
        return grazei_gltf_fail_path(output->error, output->path, GRAZE_OUT_OF_MEMORY,
                                     "out of memory");
    int descriptor = create_beside(output, room);
    if (descriptor >= 0)
        output->file = fdopen(descriptor, "wb");
    if (output->file)
        return GRAZE_OK;
    int reason = errno;
    if (descriptor >= 0) {
        close(descriptor);
        unlink(output->temporary);
    }
    forget(output);
    return fail_system(output, reason);
}

graze_status grazei_gltf_begin_output(grazei_gltf_output *output, const char *path,
                                      const graze_allocator *allocator, graze_error *error)
{
    struct stat information;
    *output = (grazei_gltf_output){.path = path, .allocator = *allocator, .error = error};
    bool exists = lstat(path, &information) == 0;
    if (exists && S_ISDIR(information.st_mode))
        return fail_system(output, EISDIR);
    if (!exists || S_ISREG(information.st_mode))
        return begin_beside(output);
    output->file = fopen(path, "wb");
    return output->file ? GRAZE_OK : fail_system(output, errno);
}

graze_status grazei_gltf_end_output(grazei_gltf_output *output)
{
    bool bad = ferror(output->file) != 0;
    int reason = bad && errno ? errno : EIO; /* every write after the first bad one fails alike */
    if (fflush(output->file) != 0) {
        bad = true;
        reason = errno;
    }
    if (fclose(output->file) != 0 && !bad) {
        bad = true;
        reason = errno;
    }
    if (!bad && output->temporary && rename(output->temporary, output->path) != 0) {
        bad = true;
        reason = errno;
    }
    if (bad && output->temporary)
        unlink(output->temporary);
    forget(output);
    return bad ? fail_system(output, reason) : GRAZE_OK;
}
