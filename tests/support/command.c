#include "support/command.h"

#include "harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
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
    return test_keep(text, free);
}

static void run_child(const char *program, const char *const *arguments, const char *folder,
                      FILE *out, FILE *err)
{
    char *argv[64] = {(char *)program};
    for (int i = 0; arguments[i] && i < 62; i++)
        argv[i + 1] = (char *)arguments[i];
    int nothing = open("/dev/null", O_RDONLY);
    if (chdir(folder) < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(fileno(out), 1) < 0 ||
        dup2(fileno(err), 2) < 0)
        _exit(126);
    execv(program, argv);
    _exit(127);
}

static command_result run_in(const char *folder, const char *program, const char *const *arguments)
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
        run_child(program, arguments, folder, out, err);
    int status;
    if (waitpid(child, &status, 0) == child && WIFEXITED(status))
        result.code = WEXITSTATUS(status);
    result.out = read_stream(out, NULL);
    result.err = read_stream(err, NULL);
    fclose(out);
    fclose(err);
    return result;
}

command_result command_run(const char *program, const char *const *arguments)
{
    return run_in(".", program, arguments);
}

command_result command_line(const char *program, const char *format, ...)
{
    char text[2000], *arguments[63] = {0};
    int count = 0;
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (char *word = strtok(text, " "); word && count < 62; word = strtok(NULL, " "))
        arguments[count++] = word;
    return run_in(scratch_folder(), program, (const char *const *)arguments);
}

command_result command_shell(const char *program, const char *line)
{
    char text[2000];
    snprintf(text, sizeof text, "graze() { '%s' \"$@\"; }; %s", program, line);
    return command_run("/bin/sh", (const char *const[]){"-c", text, NULL});
}

void check_failed(command_result run, const char *words, const char *file, int line)
{
    test_check(run.code == 2, file, line, "%s: exit code %d", words, run.code);
    test_check(count_lines(run.err) == 1 && strncmp(run.err, "graze: ", 7) == 0 &&
                   strstr(run.err, words),
               file, line, "\"%s\" is not the one line: %s", words, run.err);
}

void check_refused(const command_result *run, const char *words, const char *file, int line)
{
    test_check(!run->out[0], file, line, "on standard output: %.60s", run->out);
    check_failed(*run, words, file, line);
}

void command_refuse(const char *program, const char *words, const char *file, int line,
                    const char *const *arguments)
{
    size_t files = scratch_count();
    command_result run = command_run(program, arguments);
    check_refused(&run, words, file, line);
    test_check(scratch_count() == files, file, line, "%s: %zu files, not %zu", words,
               scratch_count(), files);
}

const char *command_synth(const char *program, const char *kind, const char *triangles)
{
    enum { KINDS = 4 };
    static char paths[KINDS][400];
    char path[400];
    int slot = 0;
    snprintf(path, sizeof path, "%s/%s.glb", scratch_folder(), kind);
    while (slot < KINDS - 1 && paths[slot][0] && strcmp(paths[slot], path) != 0)
        slot++;
    snprintf(paths[slot], sizeof paths[slot], "%s", path);
    if (access(path, R_OK) != 0) {
        command_result run =
            command_run(program, (const char *const[]){"synth", kind, "--triangles", triangles,
                                                       "-o", path, "--json", NULL});
        CHECK_MSG(run.code == 0, "synth %s: %s", kind, run.err);
    }
    return paths[slot];
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
