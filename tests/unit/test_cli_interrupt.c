/* Interrupting the graze command at any moment leaves whole lines and whole files. */
#include "harness.h"
#include "support/json.h"
#include "support/quick.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};

static void wait_us(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&time, NULL);
}

/* A command that runs: its standard output is read from a pipe. */
typedef struct running {
    pid_t id;
    int out;
} running;

static running start(const char *const *arguments)
{
    char *argv[32] = {(char *)GRAZE_COMMAND};
    int ends[2];
    for (int i = 0; arguments[i] && i < 30; i++)
        argv[i + 1] = (char *)arguments[i];
    if (pipe(ends))
        abort();
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0) {
        for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++)
            signal(interrupts[i], SIG_DFL);
        if (dup2(ends[1], STDOUT_FILENO) < 0)
            _exit(126);
        close(ends[0]);
        close(ends[1]);
        execv(GRAZE_COMMAND, argv);
        _exit(127);
    }
    close(ends[1]);
    return (running){child, ends[0]};
}

#define START(...) start((const char *const[]){__VA_ARGS__, NULL})

typedef struct bytes {
    char *data;
    size_t count, capacity;
} bytes;

/* Reads what is there; false at the end of all. */
static bool read_more(const running *run, bytes *text)
{
    if (text->count + 65536 > text->capacity) {
        text->capacity = 2 * text->capacity + 131072;
        text->data = realloc(text->data, text->capacity);
        if (!text->data)
            abort();
    }
    ssize_t got = read(run->out, text->data + text->count, 65536);
    text->count += got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* Waits for the end and wants it to be by that signal, or by itself where that came first. */
static void check_end(running *run, int number, int line)
{
    int status = 0;
    pid_t ended = waitpid(run->id, &status, 0);
    close(run->out);
    bool by_signal = WIFSIGNALED(status) && WTERMSIG(status) == number;
    bool by_itself = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    test_check(ended == run->id && (by_signal || by_itself), __FILE__, line,
               "interrupt %d ended it with status %d", number, status);
}

/* Every line an object, and nothing behind the last; how many there are. */
static size_t check_lines(const bytes *text, int line)
{
    size_t lines = 0;
    const char *at = text->data, *end = text->data + text->count;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!test_check(stop != NULL, __FILE__, line, "half a line: %zu bytes after line %zu",
                        (size_t)(end - at), lines))
            break;
        const char *rest = NULL;
        cJSON *object = cJSON_ParseWithLengthOpts(at, (size_t)(stop - at), &rest, false);
        test_check(cJSON_IsObject(object) && rest == stop, __FILE__, line,
                   "line %zu of %zu bytes is not an object", lines, (size_t)(stop - at));
        cJSON_Delete(object);
        at = stop + 1;
        lines++;
    }
    return lines;
}

/* On top of itself it crosses so often that a frame is a line of 770 kB, more than a pipe holds. */
#define DENSE "builtin:ball:5000"
#define ENDLESS "--times", "0:9999:1000", "--json"

/* ---- lines -------------------------------------------------------------------------------- */

/* Interrupts after some bytes were read and some time has passed, then reads the rest. */
static size_t interrupt_at(running run, int number, size_t enough, long us, int line)
{
    bytes text = {0};
    while (text.count < enough && read_more(&run, &text)) {
    }
    wait_us(us);
    kill(run.id, number);
    while (read_more(&run, &text)) {
    }
    check_end(&run, number, line);
    size_t lines = check_lines(&text, line);
    free(text.data);
    return lines;
}

TEST(long_lines_are_whole)
{
    test_random random = test_random_seed(3);
    size_t lines = 0;
    for (uint32_t i = 0; i < test_amount(90, 9); i++) {
        running run = i % 2 ? START("collide", DENSE, ENDLESS)
                            : START("distance", DENSE, "--within", "0.01", ENDLESS);
        size_t enough = (size_t)test_random_range(&random, 0, 2e6);
        long us = i % 3 ? (long)test_random_range(&random, 0, 20000) : 0;
        lines += interrupt_at(run, interrupts[i % 3], enough, us, __LINE__);
    }
    CHECK_MSG(lines > 0, "nothing was ever printed");
}

TEST(short_lines_are_whole)
{
    test_random random = test_random_seed(4);
    size_t lines = 0;
    for (uint32_t i = 0; i < test_amount(120, 16); i++) {
        running run = i % 4 == 0   ? START("collide", "builtin:ball", "--at", "0.1,0,0", ENDLESS)
                      : i % 4 == 1 ? START("self", "builtin:ball", ENDLESS)
                      : i % 4 == 2 ? START("distance", "builtin:ball", "--at", "5,0,0", ENDLESS)
                                   : START("ray", "builtin:ball", "--origin", "0,0,5", "--dir",
                                           "0,0,-1", ENDLESS);
        size_t enough = (size_t)test_random_range(&random, 0, 100000);
        long us = (long)test_random_range(&random, 0, 2000);
        lines += interrupt_at(run, interrupts[i % 3], enough, us, __LINE__);
    }
    CHECK_MSG(lines > 0, "nothing was ever printed");
}

/* Tables print through the same stream, but without a frame around their lines. */
TEST(tables_are_whole_lines)
{
    test_random random = test_random_seed(5);
    for (uint32_t i = 0; i < test_amount(6, 2); i++) {
        running run = START("bench", "scale", "--only", "joints", "--rounds", "1", "--json");
        CHECK(interrupt_at(run, interrupts[i % 3], 1, (long)test_random_range(&random, 0, 300000),
                           __LINE__) > 0);
    }
}

/* ---- a reader that does not read ---------------------------------------------------------- */

static void fill_pipe(const running *run)
{
    int before = 0, now = 0;
    for (int i = 0; i < 1000 && (now == 0 || now > before); i++) {
        before = now;
        wait_us(100000);
        ioctl(run->out, FIONREAD, &now);
    }
    CHECK_MSG(now > 0, "nothing was printed");
}

TEST(one_interrupt_waits_for_the_line)
{
    running run = START("collide", DENSE, ENDLESS);
    fill_pipe(&run);
    CHECK(interrupt_at(run, SIGINT, 0, 0, __LINE__) > 0);
}

TEST(the_second_interrupt_does_not_wait)
{
    running run = START("collide", DENSE, ENDLESS);
    fill_pipe(&run);
    kill(run.id, SIGINT);
    wait_us(20000);
    kill(run.id, SIGINT);
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < 500 && ended == 0; i++) {
        wait_us(20000);
        ended = waitpid(run.id, &status, WNOHANG);
    }
    CHECK(ended == run.id && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    if (ended == 0) {
        kill(run.id, SIGKILL);
        waitpid(run.id, &status, 0);
    }
    close(run.out);
}

TEST(what_was_ignored_stays_ignored)
{
    char text[600];
    snprintf(
        text, sizeof text,
        "trap '' HUP; '%s' collide %s --times 0:20:1 --json & sleep 0.2; kill -HUP $!; wait $!",
        GRAZE_COMMAND, DENSE);
    command_result run = command_run("/bin/sh", (const char *const[]){"-c", text, NULL});
    CHECK_MSG(run.code == 0 && count_lines(run.out) == 21, "exit code %d, %zu lines: %s", run.code,
              count_lines(run.out), run.err);
}

/* ---- files -------------------------------------------------------------------------------- */

/* Names in a folder that begin with the given text. */
static size_t count_files(const char *folder, const char *text)
{
    size_t count = 0;
    DIR *listing = opendir(folder);
    struct dirent *entry;
    while (listing && (entry = readdir(listing)))
        count += strncmp(entry->d_name, text, strlen(text)) == 0;
    if (listing)
        closedir(listing);
    return count;
}

/* Interrupts as soon as anything is in the folder under that name. */
static void interrupt_file(running run, const char *name, int number)
{
    siginfo_t ended = {0};
    while (count_files(scratch_folder(), name) == 0 && ended.si_pid == 0) {
        if (waitid(P_PID, (id_t)run.id, &ended, WEXITED | WNOHANG | WNOWAIT))
            abort();
    }
    kill(run.id, number);
    check_end(&run, number, __LINE__);
}

static void check_file(const char *name, off_t size)
{
    struct stat file;
    const char *path = scratch_path(1, name);
    size_t files = count_files(scratch_folder(), name);
    bool there = stat(path, &file) == 0;
    CHECK_MSG(files == there, "%zu files begin with %s, which is %s", files, name,
              there ? "there" : "not there");
    CHECK_MSG(!there || file.st_size == size, "%s has %lld bytes of %lld", name,
              (long long)file.st_size, (long long)size);
    remove(path);
}

static off_t whole_size(const char *name, const char *const *arguments)
{
    struct stat file = {0};
    command_result run = command_run(GRAZE_COMMAND, arguments);
    CHECK_MSG(run.code == 0 && stat(scratch_path(1, name), &file) == 0, "%s: %s", name, run.err);
    remove(scratch_path(1, name));
    return file.st_size;
}

TEST(files_are_whole_or_not_there)
{
    char obj[400], glb[400];
    snprintf(obj, sizeof obj, "%s", scratch_path(1, "out.obj"));
    snprintf(glb, sizeof glb, "%s", scratch_path(1, "out.glb"));
    const char *const pose[] = {"pose", "builtin:ball:100000", "-o", obj, NULL};
    const char *const synth[] = {"synth", "ball", "--subdivide", "4", "-o", glb, NULL};
    off_t obj_size = whole_size("out.obj", pose), glb_size = whole_size("out.glb", synth);
    for (uint32_t i = 0; i < test_amount(12, 3); i++) {
        interrupt_file(start(pose), "out.obj", interrupts[i % 3]);
        check_file("out.obj", obj_size);
        interrupt_file(start(synth), "out.glb", interrupts[i % 3]);
        check_file("out.glb", glb_size);
    }
}

/* Nobody opens the other end: a file that is waited for, not one to be finished. */
TEST(a_pipe_as_a_file_can_be_left)
{
    const char *path = scratch_path(1, "pipe.glb");
    CHECK(mkfifo(path, 0600) == 0);
    running run = START("synth", "ball", "-o", path);
    wait_us(300000);
    kill(run.id, SIGINT);
    wait_us(100000);
    kill(run.id, SIGINT);
    check_end(&run, SIGINT, __LINE__);
    remove(path);
}
