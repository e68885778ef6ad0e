/* memfd_create is not of the standard. */
#define _GNU_SOURCE
#include "support.h"

#include "cli/options.h"
#include "cli/output.h"
#include "scenes/synth.h"

#include <sanitizer/allocator_interface.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- files ---------------------------------------------------------------------------------- */

const char *fuzz_file(const void *bytes, size_t size)
{
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("fuzz", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) || pwrite(file, bytes, size, 0) != (ssize_t)size)
        abort();
    return path;
}

/* ---- memory --------------------------------------------------------------------------------- */

static size_t allowed; /* 0: anything */

static void watch(const volatile void *block, size_t size)
{
    (void)block;
    if (allowed && __sanitizer_get_current_allocated_bytes() > allowed) {
        allowed = 0;
        fprintf(stderr, "more memory than the input may ask for, in a block of %zu\n", size);
        abort();
    }
}

static void ignore(const volatile void *block)
{
    (void)block;
}

void fuzz_limit_memory(size_t size)
{
    static bool installed;
    if (!installed && !__sanitizer_install_malloc_and_free_hooks(watch, ignore))
        abort();
    installed = true;
    size_t limit = size > ((size_t)256 << 20) / 64 ? 64 * size : (size_t)256 << 20;
    allowed = __sanitizer_get_current_allocated_bytes() + limit;
}

void fuzz_end_limit(void)
{
    allowed = 0;
}

/* ---- the rest of the command ---------------------------------------------------------------- */

static char line[2000];

void format_line(char *text, size_t size, const char *format, va_list values)
{
    vsnprintf(text, size, format, values);
}

static void take_line(const char *format, va_list values)
{
    if (line[0])
        abort();
    vsnprintf(line, sizeof line, format, values);
}

int fail_usage(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    take_line(format, values);
    va_end(values);
    return 2;
}

bool refuse(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    take_line(format, values);
    va_end(values);
    return false;
}

const char *fuzz_take_line(void)
{
    static char taken[sizeof line];
    memcpy(taken, line, sizeof line);
    line[0] = 0;
    return taken;
}

void output_warn(const char *format, ...)
{
    (void)format;
}

void output_begin_file(const char *path)
{
    (void)path;
}

void output_end_file(void) {}

/* ---- a model -------------------------------------------------------------------------------- */

graze_rig *fuzz_make_rig(void)
{
    const graze_synth_def def = {.kind = GRAZE_SYNTH_DWARF, .triangles = 400};
    graze_rig *rig = NULL;
    if (graze_synth(&def, NULL, &rig, NULL))
        abort();
    return rig;
}

const graze_rig *fuzz_rig(void)
{
    static graze_rig *rig;
    if (!rig)
        rig = fuzz_make_rig();
    return rig;
}
