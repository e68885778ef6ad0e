#include "cli/output.h"

#include "cli/options.h"
#include "cli/room.h"
#include "cli/text.h"
#include "cli/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* What an interrupt has to wait for. */
enum { HOLD_NOTHING, HOLD_LINE, HOLD_FILE };

static volatile sig_atomic_t hold, interrupt; /* interrupt: the signal that waits, or 0 */
static volatile sig_atomic_t deferred;        /* the first one waits for output_finish */
static int reason;                            /* errno of the first write that failed */
static const char *failed_path;               /* what that was; NULL: standard output */
static const char *stdout_path;               /* where standard output goes; NULL: where it did */
static int kept_stdout = -1;                  /* what it was before a file was to go there */

enum { MOST_WARNINGS = 4 };
static char warnings[MOST_WARNINGS][600];
static int warning_count;

/* ---- files that are not finished ---------------------------------------------------------- */

enum { MOST_FILES = 8, MOST_PATH = 4096 };

static struct {
    const char *path;               /* as it was given */
    FILE *file;                     /* NULL: it is standard output's, or written by others */
    bool copied;                    /* to standard output in the end */
    char place[MOST_PATH];          /* where it goes: links followed */
    char temporary[MOST_PATH + 48]; /* where it is written; empty: in place */
} files[MOST_FILES];
static volatile sig_atomic_t file_count;

/* Calls nothing that a signal's handler may not. */
static void remove_unfinished(void)
{
    for (int i = 0; i < file_count; i++)
        if (files[i].temporary[0])
            unlink(files[i].temporary);
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
    static char buffer[1 << 16];
    fill_closed_streams();
    catch_interrupts();
    /* Whoever started us may have ignored it, and every print would fail in turn. */
    struct sigaction leave = {.sa_handler = die_of, .sa_flags = SA_NODEFER};
    sigemptyset(&leave.sa_mask);
    sigaction(SIGPIPE, &leave, NULL);
    /* By lines, so that whatever is printed outside output_begin and output_end leaves in whole
     * lines too, up to this length.
     */
    setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
    atexit(remove_unfinished);
}

/* The first reason for which something could not be written, and what that was. */
static void note_failure(const char *path)
{
    if (reason)
        return;
    reason = errno ? errno : EIO;
    failed_path = path;
}

/* A stream knows that it failed and has forgotten why: one byte more fails for the same reason. */
static void note_stream(FILE *file, const char *path)
{
    errno = 0;
    if (!reason && write(fileno(file), "\n", 1) == 1)
        errno = EIO;
    note_failure(path);
}

static bool flush(void)
{
    for (int i = 0; i < file_count; i++)
        if (files[i].file && ferror(files[i].file))
            note_stream(files[i].file, files[i].path);
    fflush(stdout);
    if (ferror(stdout))
        note_stream(stdout, stdout_path);
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

/* Opens the next of the files beside its place, and counts it once it is there to be removed. */
static int open_temporary(int index)
{
    hold = HOLD_FILE;
    int descriptor =
        open_beside(files[index].place, files[index].temporary, sizeof files[index].temporary);
    int failure = errno;
    file_count += descriptor >= 0;
    release();
    errno = failure;
    return descriptor;
}

static int open_next(const char *path)
{
    struct stat information;
    int index = file_count;
    char followed[PATH_MAX];
    files[index].path = path;
    files[index].temporary[0] = 0;
    bool exists = stat(path, &information) == 0;
    const char *place = exists && realpath(path, followed) ? followed : path;
    if (!*path || (size_t)snprintf(files[index].place, MOST_PATH, "%s", place) >= MOST_PATH) {
        errno = *path ? ENAMETOOLONG : ENOENT;
        return -1;
    }
    if (!exists || S_ISREG(information.st_mode))
        return open_temporary(index);
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    file_count += descriptor >= 0;
    return descriptor;
}

static bool fail_write(const char *path, int failure)
{
    return refuse("%s: cannot write: %s", path, strerror(failure));
}

static bool is_dash(const char *path)
{
    return strcmp(path, "-") == 0;
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
        fail_write(path, errno);
    return descriptor;
}

bool output_to(const char *path)
{
    if (!path || is_dash(path))
        return true;
    int descriptor = open_output(path);
    if (descriptor < 0)
        return false;
    stdout_path = path;
    bool moved = fflush(stdout) == 0 && dup2(descriptor, STDOUT_FILENO) >= 0;
    if (!moved)
        fail_write(path, errno);
    close(descriptor);
    return moved;
}

FILE *output_file(const char *path)
{
    if (is_dash(path)) {
        fail_usage("- is standard output, where what is printed goes; ./- is a file of that name");
        return NULL;
    }
    int descriptor = open_output(path);
    if (descriptor < 0)
        return NULL;
    return files[file_count - 1].file = room_or_end(fdopen(descriptor, "w"));
}

/* ---- files that others write -------------------------------------------------------------- */

/* A temporary file that goes to standard output in the end; what is printed goes to standard error
 * until then.
 */
static bool open_dash(void)
{
    const char *folder = getenv("TMPDIR");
    int index = file_count;
    files[index].path = "-";
    files[index].copied = true;
    if (isatty(STDOUT_FILENO))
        return refuse(
            "-o -: standard output is a terminal, and this is no text: send it to a file");
    snprintf(files[index].place, MOST_PATH, "%.4000s/graze", folder && *folder ? folder : "/tmp");
    int descriptor = open_temporary(index);
    if (descriptor >= 0) {
        close(descriptor);
        kept_stdout = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    }
    return (kept_stdout >= 0 && fflush(stdout) == 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) ||
           fail_write(files[index].place, errno);
}

bool output_open(const char *path)
{
    struct stat information;
    if (is_dash(path))
        return open_dash();
    if (stat(path, &information) == 0 && !S_ISREG(information.st_mode)) {
        bool folder = S_ISDIR(information.st_mode);
        if (!folder && access(path, W_OK) == 0)
            return true; /* a pipe is not to be opened twice */
        return fail_write(path, folder ? EISDIR : errno);
    }
    int descriptor = open_output(path);
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

const char *output_place(const char *path)
{
    for (int i = 0; i < file_count; i++)
        if (files[i].temporary[0] && strcmp(files[i].path, path) == 0)
            return files[i].temporary;
    return path;
}

int output_fail(const char *path, const char *text)
{
    const char *place = output_place(path);
    size_t length = strlen(place);
    if (strncmp(text, place, length) == 0)
        return fail_usage("%s%s", is_dash(path) ? "standard output" : path, text + length);
    return fail_usage("%s", text);
}

static void copy_out(const char *from)
{
    char bytes[1 << 14];
    int descriptor = open(from, O_RDONLY | O_CLOEXEC);
    ssize_t size = -1;
    hold = HOLD_LINE; /* a reader may keep us waiting */
    while (descriptor >= 0 && (size = read(descriptor, bytes, sizeof bytes)) > 0)
        if (!write_all(kept_stdout, bytes, (size_t)size)) {
            size = -1;
            break;
        }
    if (size < 0)
        note_failure(NULL);
    if (descriptor >= 0)
        close(descriptor);
    hold = HOLD_FILE;
}

/* ---- the end of all files ----------------------------------------------------------------- */

/* All files to the disk, then all to their places, unless something went wrong with one of them. */
static void finish_files(bool wanted)
{
    hold = HOLD_FILE;
    for (int i = 0; i < file_count; i++) {
        FILE *file = files[i].file;
        if (file && (fflush(file) != 0 || ferror(file)))
            note_stream(file, files[i].path);
        errno = 0;
        if (file && fclose(file) != 0)
            note_failure(files[i].path);
        files[i].file = NULL;
    }
    for (int i = 0; i < file_count && wanted && !reason; i++) {
        if (files[i].copied)
            copy_out(files[i].temporary);
        else if (files[i].temporary[0] && rename(files[i].temporary, files[i].place) != 0)
            note_failure(files[i].path);
        else
            files[i].temporary[0] = 0;
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
    say_in(warnings[warning_count++], sizeof *warnings, format, values);
    va_end(values);
}

static bool keeps_files;

void output_keep_files(void)
{
    keeps_files = true;
}

static int finish(int code)
{
    output_begin();
    output_end();
    finish_files(code != 2 || keeps_files);
    if (code == 2 && (fail_was_told() || !reason))
        return code;
    if (reason && failed_path)
        return fail_usage("%s: cannot write: %s", failed_path, strerror(reason));
    if (reason)
        return fail_usage("standard output could not be written: %s", strerror(reason));
    for (int i = 0; i < warning_count; i++)
        fprintf(stderr, "graze: warning: %s\n", warnings[i]);
    if (text_was_mended())
        fputs(
            "graze: warning: names that are not UTF-8 are written with U+FFFD in place of what is "
            "not\n",
            stderr);
    return code;
}

int output_finish(int code)
{
    code = finish(code);
    deferred = false;
    release();
    return code;
}
