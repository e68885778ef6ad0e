#include "cli/output.h"

#include "cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What an interrupt has to wait for. */
enum { HOLD_NOTHING, HOLD_LINE, HOLD_FILE };

static volatile sig_atomic_t hold, interrupt; /* interrupt: the signal that waits, or 0 */
static volatile sig_atomic_t deferred;        /* the first one waits for output_finish */
static int reason;                            /* errno of the first write that failed */
static const char *failed_path;               /* what that was; NULL: standard output */
static const char *stdout_path;               /* where standard output goes; NULL: where it did */

enum { MOST_WARNINGS = 4 };
static char warnings[MOST_WARNINGS][600];
static int warning_count;

/* ---- files that are not finished ---------------------------------------------------------- */

enum { MOST_FILES = 3, MOST_PATH = 4096 };

static struct {
    const char *path; /* as it was given */
    FILE *file;       /* NULL: it is standard output's */
} files[MOST_FILES];
static char places[MOST_FILES][MOST_PATH];           /* where they go: links followed */
static char temporaries[MOST_FILES][MOST_PATH + 48]; /* where they are written; empty: in place */
static volatile sig_atomic_t file_count;

/* Calls nothing that a signal's handler may not. */
static void remove_unfinished(void)
{
    for (int i = 0; i < file_count; i++)
        if (temporaries[i][0])
            unlink(temporaries[i]);
}

/* ---- interrupts --------------------------------------------------------------------------- */

/* Ends the command by the signal itself, so that a shell sees 128 + its number and stops too. */
static void die_of(int number)
{
    remove_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

static void on_interrupt(int number)
{
    int before = errno;
    bool first = !interrupt && (hold == HOLD_LINE || deferred);
    if (hold != HOLD_FILE && !first)
        die_of(number);
    interrupt = number;
    errno = before;
}

/* What was ignored from the start, as by nohup, stays so. Writes that are interrupted go on. */
static void catch_interrupts(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

static void release(void)
{
    hold = HOLD_NOTHING;
    if (interrupt && !deferred)
        die_of(interrupt);
}

void output_defer_interrupts(void)
{
    deferred = true;
}

bool output_interrupted(void)
{
    return interrupt != 0;
}

/* ---- streams ------------------------------------------------------------------------------ */

/* A standard stream that is closed would lend its number to the next file that is opened, and what
 * is printed would go there. Opened the wrong way round it fails, as it should.
 */
static void fill_closed_streams(void)
{
    for (int stream = 0; stream < 3; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(2);
}

void output_start(void)
{
    static char room[1 << 16];
    fill_closed_streams();
    catch_interrupts();
    /* Whoever started us may have ignored it, and every print would fail in turn. */
    struct sigaction leave = {.sa_handler = die_of, .sa_flags = SA_NODEFER};
    sigemptyset(&leave.sa_mask);
    sigaction(SIGPIPE, &leave, NULL);
    /* By lines, so that whatever is printed outside output_begin and output_end leaves in whole
     * lines too, up to this length.
     */
    setvbuf(stdout, room, _IOLBF, sizeof room);
}

/* The first reason for which something could not be written, and what that was. */
static void note_failure(const char *path)
{
    if (reason)
        return;
    reason = errno ? errno : EIO;
    failed_path = path;
}

static bool flush(void)
{
    for (int i = 0; i < file_count; i++)
        if (files[i].file && ferror(files[i].file))
            note_failure(files[i].path);
    errno = 0;
    bool failed = fflush(stdout) != 0;
    if (failed || ferror(stdout))
        note_failure(stdout_path);
    return reason == 0;
}

void output_begin(void)
{
    hold = HOLD_LINE;
}

bool output_end(void)
{
    bool good = flush();
    release();
    return good;
}

/* ---- files -------------------------------------------------------------------------------- */

/* A file on disk is written to the end under another name, whatever comes. Pipes and devices have
 * nothing to leave behind, and may keep us waiting for ever.
 */
void output_begin_file(const char *path)
{
    struct stat information;
    bool special = lstat(path, &information) == 0 && !S_ISREG(information.st_mode);
    hold = special ? HOLD_LINE : HOLD_FILE;
}

void output_end_file(void)
{
    release();
}

/* A new file beside its place, under a name that nothing has yet; -1 with errno set on failure. */
static int open_beside(int index)
{
    int descriptor = -1;
    for (int attempt = 0; attempt < 1000 && descriptor < 0; attempt++) {
        snprintf(temporaries[index], sizeof temporaries[index], "%s.%ld-%d.tmp", places[index],
                 (long)getpid(), attempt);
        descriptor = open(temporaries[index], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
}

/* Opens the next of the files, and counts it once it is there to be removed. */
static int open_next(const char *path)
{
    struct stat information;
    int index = file_count, descriptor = -1;
    char followed[PATH_MAX];
    files[index].path = path;
    files[index].file = NULL;
    temporaries[index][0] = 0;
    bool exists = stat(path, &information) == 0;
    const char *place = exists && realpath(path, followed) ? followed : path;
    if (!*path || (size_t)snprintf(places[index], MOST_PATH, "%s", place) >= MOST_PATH) {
        errno = *path ? ENAMETOOLONG : ENOENT;
        return -1;
    }
    if (exists && !S_ISREG(information.st_mode)) {
        descriptor = open(path, O_WRONLY | O_CLOEXEC);
        file_count += descriptor >= 0;
        return descriptor;
    }
    hold = HOLD_FILE;
    descriptor = open_beside(index);
    int failure = errno;
    file_count += descriptor >= 0;
    release();
    errno = failure;
    return descriptor;
}

static int open_output(const char *path)
{
    for (int i = 0; i < file_count; i++)
        if (strcmp(files[i].path, path) == 0) {
            fail_usage("%s: two outputs cannot be one file", path);
            return -1;
        }
    int descriptor = open_next(path);
    if (descriptor < 0)
        fail_usage("%s: cannot write: %s", path, strerror(errno));
    return descriptor;
}

bool output_to(const char *path)
{
    if (!path)
        return true;
    int descriptor = open_output(path);
    if (descriptor < 0)
        return false;
    stdout_path = path;
    bool moved = fflush(stdout) == 0 && dup2(descriptor, STDOUT_FILENO) >= 0;
    if (!moved)
        fail_usage("%s: cannot write: %s", path, strerror(errno));
    close(descriptor);
    return moved;
}

FILE *output_file(const char *path)
{
    int descriptor = open_output(path);
    if (descriptor < 0)
        return NULL;
    FILE *file = fdopen(descriptor, "w");
    if (!file) {
        fail_usage("%s: cannot write: %s", path, strerror(errno));
        close(descriptor);
        return NULL;
    }
    files[file_count - 1].file = file;
    return file;
}

/* All files to the disk, then all to their places, unless something went wrong with one of them. */
static void finish_files(bool wanted)
{
    hold = HOLD_FILE;
    for (int i = 0; i < file_count; i++) {
        errno = 0;
        bool failed = files[i].file && ferror(files[i].file);
        if (files[i].file && (fclose(files[i].file) != 0 || failed))
            note_failure(files[i].path);
        files[i].file = NULL;
    }
    for (int i = 0; i < file_count && wanted && !reason; i++) {
        if (temporaries[i][0] && rename(temporaries[i], places[i]) != 0)
            note_failure(files[i].path);
        else
            temporaries[i][0] = 0;
    }
    remove_unfinished();
    file_count = 0;
    release();
}

/* ---- the end ------------------------------------------------------------------------------ */

void output_warn(const char *format, ...)
{
    va_list values;
    if (warning_count == MOST_WARNINGS)
        return;
    va_start(values, format);
    format_line(warnings[warning_count++], sizeof *warnings, format, values);
    va_end(values);
}

static int finish(int code)
{
    output_begin();
    output_end();
    finish_files(code != 2);
    if (code == 2)
        return code;
    if (reason && failed_path)
        return fail_usage("%s: cannot write: %s", failed_path, strerror(reason));
    if (reason)
        return fail_usage("standard output could not be written: %s", strerror(reason));
    for (int i = 0; i < warning_count; i++)
        fprintf(stderr, "graze: warning: %s\n", warnings[i]);
    return code;
}

int output_finish(int code)
{
    code = finish(code);
    deferred = false;
    release();
    return code;
}
