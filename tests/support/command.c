#include "support/command.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *read_stream(FILE *stream, size_t *size)
{
    size_t capacity = 4096, used = 0, got;
    char *text = malloc(capacity + 1);
    rewind(stream);
    while (text && (got = fread(text + used, 1, capacity - used, stream)) > 0) {
        used += got;
        if (used == capacity)
            text = realloc(text, (capacity *= 2) + 1);
    }
    if (!text)
        abort();
    text[used] = 0;
    if (size)
        *size = used;
    return text;
}

static void run_child(const char *program, const char *const *arguments, FILE *out, FILE *err)
{
    char *argv[64] = {(char *)program};
    for (int i = 0; arguments[i] && i < 62; i++)
        argv[i + 1] = (char *)arguments[i];
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(fileno(out), 1) < 0 || dup2(fileno(err), 2) < 0)
        _exit(126);
    execv(program, argv);
    _exit(127);
}

command_result command_run(const char *program, const char *const *arguments)
{
    command_result result = {.code = -1};
    FILE *out = tmpfile(), *err = tmpfile();
    if (!out || !err)
        abort();
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0)
        run_child(program, arguments, out, err);
    int status;
    if (waitpid(child, &status, 0) == child && WIFEXITED(status))
        result.code = WEXITSTATUS(status);
    result.out = read_stream(out, NULL);
    result.err = read_stream(err, NULL);
    fclose(out);
    fclose(err);
    return result;
}

void command_free(command_result *result)
{
    free(result->out);
    free(result->err);
    *result = (command_result){0};
}

size_t count_lines(const char *text)
{
    size_t lines = 0, length = strlen(text);
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    return lines + (length && text[length - 1] != '\n');
}

static char folder[64];

static void remove_scratch(void)
{
    DIR *open_folder = opendir(folder);
    struct dirent *entry;
    while (open_folder && (entry = readdir(open_folder))) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && remove(path))
            perror(path);
    }
    if (open_folder)
        closedir(open_folder);
    rmdir(folder);
}

const char *scratch_folder(void)
{
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "scratch-XXXXXX");
        if (!mkdtemp(folder))
            abort();
        atexit(remove_scratch);
    }
    return folder;
}

const char *scratch_path(int slot, const char *name)
{
    static char paths[8][400];
    snprintf(paths[slot], sizeof paths[slot], "%s/%s", scratch_folder(), name);
    return paths[slot];
}

size_t scratch_count(void)
{
    size_t count = 0;
    DIR *open_folder = opendir(scratch_folder());
    struct dirent *entry;
    while (open_folder && (entry = readdir(open_folder)))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (open_folder)
        closedir(open_folder);
    return count;
}

char *read_whole_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = read_stream(file, size);
    fclose(file);
    return text;
}

bool write_whole_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(data, 1, size, file) == size;
    return file && fclose(file) == 0 && ok;
}
