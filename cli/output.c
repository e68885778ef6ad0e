#include "cli/output.h"

#include "cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What an interrupt has to wait for. */
enum { HOLD_NOTHING, HOLD_LINE, HOLD_FILE };

static volatile sig_atomic_t hold, interrupt; /* interrupt: the signal that waits, or 0 */
static int reason;                            /* errno of the first write that failed */

enum { MOST_WARNINGS = 4 };
static char warnings[MOST_WARNINGS][600];
static int warning_count;

/* ---- interrupts --------------------------------------------------------------------------- */

/* Ends the command by the signal itself, so that a shell sees 128 + its number and stops too. */
static void die_of(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static void on_interrupt(int number)
{
    int before = errno;
    if (hold == HOLD_NOTHING || (hold == HOLD_LINE && interrupt))
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
    if (interrupt)
        die_of(interrupt);
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
    signal(SIGPIPE, SIG_DFL);
    /* By lines, so that whatever is printed outside output_begin and output_end leaves in whole
     * lines too, up to this length.
     */
    setvbuf(stdout, room, _IOLBF, sizeof room);
}

static bool flush(void)
{
    errno = 0;
    bool failed = fflush(stdout) != 0;
    if ((failed || ferror(stdout)) && !reason)
        reason = errno ? errno : EIO;
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

void output_warn(const char *format, ...)
{
    va_list values;
    if (warning_count == MOST_WARNINGS)
        return;
    va_start(values, format);
    format_line(warnings[warning_count++], sizeof *warnings, format, values);
    va_end(values);
}

int output_finish(int code)
{
    output_begin();
    bool good = output_end();
    for (int i = 0; good && code != 2 && i < warning_count; i++)
        fprintf(stderr, "graze: warning: %s\n", warnings[i]);
    if (good || code == 2)
        return code;
    return fail_usage("standard output could not be written: %s", strerror(reason));
}
