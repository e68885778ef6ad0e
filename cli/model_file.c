#include "cli/model_file.h"

#include "cli/output.h"

#include <graze/gltf.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Every format: who loads it, the bytes that its files begin with (NULL: any), how their names end.
 * The first one takes what no other does.
 */
#define FORMATS(FORMAT) FORMAT(model_load_gltf, "glTF", ".glb", ".gltf")

#define DECLARE(load, ...) model_loader load;
FORMATS(DECLARE)

#define ROW(load, magic, ...) {load, magic, {__VA_ARGS__}},
static const struct format {
    model_loader *load;
    const char *magic;
    const char *endings[4];
} formats[] = {FORMATS(ROW)};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static uint64_t most; /* 0: by the file's size */

void model_file_limit(uint32_t megabytes)
{
    most = (uint64_t)megabytes << 20;
}

/* ---- which format --------------------------------------------------------------------------- */

static const struct format *format_of_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (int f = 0; dot && f < FORMAT_COUNT; f++)
        for (int e = 0; e < 4 && formats[f].endings[e]; e++)
            if (strcmp(dot, formats[f].endings[e]) == 0)
                return &formats[f];
    return NULL;
}

/* NULL also for what is no file: opening a pipe could wait for ever. */
static const struct format *format_of_content(const char *path)
{
    char start[16] = "";
    struct stat information;
    FILE *file =
        stat(path, &information) == 0 && S_ISREG(information.st_mode) ? fopen(path, "rb") : NULL;
    size_t got = file ? fread(start, 1, sizeof start, file) : 0;
    if (file)
        fclose(file);
    for (int f = 0; f < FORMAT_COUNT; f++) {
        size_t length = formats[f].magic ? strlen(formats[f].magic) : 0;
        if (length && got >= length && memcmp(start, formats[f].magic, length) == 0)
            return &formats[f];
    }
    return NULL;
}

bool model_file_has_ending(const char *path)
{
    return format_of_name(path) != NULL;
}

graze_status model_file_load(const char *path, graze_rig **rig, graze_error *error)
{
    const struct format *format = format_of_name(path);
    if (!format)
        format = format_of_content(path);
    graze_status status = (format ? format : formats)->load(path, most, rig, error);
    if (status == GRAZE_OUT_OF_MEMORY && strstr(error->text, "the limit")) {
        size_t used = strlen(error->text);
        snprintf(error->text + used, sizeof error->text - used, "; --max-memory sets another");
    }
    return status;
}

/* ---- glTF ----------------------------------------------------------------------------------- */

static void tell(void *user, const char *text)
{
    (void)user;
    output_warn("%s", text);
}

graze_status model_load_gltf(const char *path, uint64_t limit, graze_rig **rig, graze_error *error)
{
    const graze_gltf_load_def def = {.max_memory = limit, .warn = tell};
    return graze_gltf_load_with(path, &def, rig, error);
}

graze_status model_file_load_clips(const char *path, graze_rig **rig, graze_error *error)
{
    const graze_gltf_load_def def = {.max_memory = most, .warn = tell, .may_be_empty = true};
    return graze_gltf_load_with(path, &def, rig, error);
}
