/* graze audit --db: the file holds what --json prints, whatever happens to the runs that write it,
 * and answers the questions of docs/audit.md.
 */
#include "harness.h"
#include "support/json.h"

#include <sqlite3.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- asking --------------------------------------------------------------------------------- */

static void free_text(void *text)
{
    free(text);
}

typedef struct answer {
    char *text;
    size_t size;
    FILE *stream;
} answer;

static int put_row(void *user, int columns, char **values, char **names)
{
    (void)names;
    for (int i = 0; i < columns; i++)
        fprintf(((answer *)user)->stream, "%s%s", i ? "|" : "", values[i] ? values[i] : "");
    fputc('\n', ((answer *)user)->stream);
    return 0;
}

/* The rows, values between bars, as the program sqlite3 prints them; the case's. */
static char *ask(const char *path, const char *question)
{
    sqlite3 *db;
    char *why = NULL;
    answer all;
    all.stream = open_memstream(&all.text, &all.size);
    int failed = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL);
    sqlite3_busy_timeout(db, 20000);
    failed = failed ? failed : sqlite3_exec(db, question, put_row, &all, &why);
    fclose(all.stream);
    CHECK_MSG(!failed, "%s: %s", question, why ? why : "cannot be opened");
    sqlite3_free(why);
    sqlite3_close(db);
    return test_keep(all.text, free_text);
}

/* All that is in the file. */
static char *ask_all(const char *path)
{
    return ask(path, "SELECT * FROM clips; SELECT * FROM findings; SELECT * FROM failed;"
                     "PRAGMA integrity_check");
}

/* ---- a library ------------------------------------------------------------------------------ */

static char player[400], dwarf[400], half[400];

/* Two characters, and half of a file. */
static void make_library(void)
{
    size_t size;
    snprintf(player, sizeof player, "%s", SYNTH("player", "3000"));
    snprintf(dwarf, sizeof dwarf, "%s", SYNTH("dwarf", "600"));
    snprintf(half, sizeof half, "%s", scratch_path(0, "half.glb"));
    char *bytes = read_whole_file(player, &size);
    CHECK(bytes && write_whole_file(half, bytes, size / 2));
}

#define LIBRARY dwarf, half, player, "builtin:ball"

static const char *degrees_of(const cJSON *hint)
{
    static char text[32];
    snprintf(text, sizeof text, "%.6g", number(hint, "degrees"));
    return cJSON_IsObject(hint) ? text : "";
}

/* The lines of --json, as the file's columns. */
static char *lines_as_rows(const char *out)
{
    answer all;
    const cJSON *line, *one;
    all.stream = open_memstream(&all.text, &all.size);
    cJSON_ArrayForEach(line, json_lines(out))
    {
        const cJSON *parts = field(line, "parts"), *worst = field(line, "worst");
        if (parts)
            fprintf(all.stream,
                    "%s|%s|%s|%s|%s|%g|%g|%g|%g|%g|%g|%g|%.9g|%.9g|%.9g|%.9g|%d|%.9g|%d|%s|%s\n",
                    text_of(line, "file"), text_of(line, "clip"), text_of(line, "kind"),
                    parts->child->valuestring, parts->child->next->valuestring,
                    number(line, "from"), number(line, "to"), number(line, "frames"),
                    number(line, "pairs"), number(worst, "frame"), number(worst, "time"),
                    number(worst, "pairs"), number(worst, "depth"), number_at(worst, "point", 0),
                    number_at(worst, "point", 1), number_at(worst, "point", 2),
                    truth(worst, "open"), number_at(worst, "rest", 1),
                    cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, "between")),
                    text_of(field(line, "hint"), "joint"), degrees_of(field(line, "hint")));
        cJSON_ArrayForEach(one, field(line, "failed"))
            fprintf(all.stream, "%s|%s\n", text_of(one, "file"), text_of(one, "error"));
        if (!parts)
            fprintf(all.stream, "%g|%g\n", number(line, "clips"), number(line, "frames"));
    }
    fclose(all.stream);
    return test_keep(all.text, free_text);
}

static void check_same(const char *db, const char *json, const char *what)
{
    const char *rows =
        ask(db, "SELECT file, clip, kind, part_a, part_b, from_frame, to_frame, frames, pairs,"
                " worst_frame, printf('%g', worst_time), worst_pairs, printf('%.9g', depth),"
                " printf('%.9g', x), printf('%.9g', y), printf('%.9g', z), open,"
                " printf('%.9g', rest_y), between_frames, hint_joint,"
                " iif(hint_joint IS NULL, NULL, printf('%.6g', hint_degrees)) FROM findings;"
                "SELECT file, error FROM failed; SELECT count(*), sum(frames) FROM clips");
    const char *lines = lines_as_rows(json);
    CHECK_MSG(strcmp(rows, lines) == 0, "%s: %zu rows, %zu lines\n%.300s\n%.300s", what,
              count_lines(rows), count_lines(lines), rows, lines);
}

/* ---- what is in it -------------------------------------------------------------------------- */

TEST(rows_are_the_lines_of_json)
{
    make_library();
    char db[400], merged[400], folder[400];
    snprintf(db, sizeof db, "%s", scratch_path(1, "all.db"));
    snprintf(merged, sizeof merged, "%s", scratch_path(1, "merged.db"));
    snprintf(folder, sizeof folder, "%s", scratch_path(1, "results"));
    command_result run = RUN("audit", LIBRARY, "--json", "--folds", "--hints", "--db", db);
    check_same(db, run.out, "with hints");
    CHECK(atoi(ask(db, "SELECT count(hint_joint) FROM findings")) > 3);
    run = RUN("audit", LIBRARY, "--json", "--folds", "--continuous", "--db", db);
    check_same(db, run.out, "between frames");
    CHECK(atoi(ask(db, "SELECT sum(between_frames) FROM findings")) > 0);
    run = RUN("audit", LIBRARY, "--json", "--folds", "--db", db);
    CHECK_MSG(run.code == 2 && count_lines(run.out) > 50, "%d, %s", run.code, run.err);
    check_same(db, run.out, "one run");
    const char *all = ask_all(db);
    RUN("audit", LIBRARY, "--db", db); /* again, and what is printed does not matter */
    CHECK(strcmp(all, ask_all(db)) == 0);
    RUN("audit", LIBRARY, "--out", folder, "--shard", "1/2", "--db", merged);
    RUN("audit", LIBRARY, "--out", folder, "--shard", "2/2");
    CHECK(strlen(ask_all(merged)) < strlen(all));
    run = RUN("audit", "merge", folder, "--json", "--folds", "--db", merged);
    check_same(merged, run.out, "merged");
    CHECK(strcmp(all, ask_all(merged)) == 0);
    run = RUN("audit", LIBRARY, "--json", "--folds", "--min-frames", "5", "--db", db);
    check_same(db, run.out, "with other settings");
    CHECK(strcmp(ask(db, "SELECT DISTINCT settings ->> '$.--min-frames' FROM clips"), "5\n") == 0);
    rename(dwarf, scratch_path(2, "away"));
    run = RUN("audit", dwarf, "--db", db);
    CHECK(run.code == 2 && strstr(ask(db, "SELECT file FROM failed"), dwarf) &&
          !strstr(ask(db, "SELECT file FROM findings UNION SELECT file FROM clips"), dwarf));
    rename(scratch_path(2, "away"), dwarf);
    RUN("audit", dwarf, "--min-frames", "5", "--db", db);
    run = RUN("audit", LIBRARY, "--json", "--folds", "--min-frames", "5");
    check_same(db, run.out, "read again");
    CHECK(command_run("/bin/rm", (const char *const[]){"-r", folder, NULL}).code == 0);
}

/* ---- what happens to runs ------------------------------------------------------------------- */

static pid_t start(const char *input, const char *db)
{
    pid_t child = fork();
    if (child == 0) {
        execl(GRAZE_COMMAND, GRAZE_COMMAND, "audit", input, "--db", db, "-o", "/dev/null",
              (char *)NULL);
        _exit(127);
    }
    return child;
}

static int end_of(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

TEST(a_killed_run_leaves_whole_clips)
{
    make_library();
    char db[400], full[400], line[1000];
    snprintf(db, sizeof db, "%s", scratch_path(1, "killed.db"));
    snprintf(full, sizeof full, "%s", scratch_path(1, "full.db"));
    CHECK(RUN("audit", player, "--db", full).code == 0);
    snprintf(line, sizeof line,
             "ATTACH '%s' AS whole; SELECT count(*) FROM (SELECT * FROM findings EXCEPT SELECT * "
             "FROM whole.findings UNION ALL SELECT * FROM (SELECT * FROM whole.findings WHERE clip "
             "IN (SELECT clip FROM clips) EXCEPT SELECT * FROM findings)); PRAGMA integrity_check",
             full);
    bool partly = false;
    for (long ms = 4; ms < 4000 && !partly; ms += 1 + ms / 8) {
        remove(db);
        pid_t child = start(player, db);
        pause_ms(ms);
        kill(child, SIGKILL);
        end_of(child);
        if (access(db, F_OK) || strcmp(ask(db, "SELECT count(*) FROM sqlite_master"), "3\n") != 0)
            continue;
        const char *wrong = ask(db, line);
        CHECK_MSG(strcmp(wrong, "0\nok\n") == 0, "%s", wrong);
        int clips = atoi(ask(db, "SELECT count(*) FROM clips"));
        partly = clips > 0 && clips < 7;
    }
    CHECK(partly);
    CHECK(RUN("audit", player, "--db", db).code == 0);
    CHECK(strcmp(ask_all(db), ask_all(full)) == 0);
}

TEST(jobs_wait_for_each_other)
{
    sqlite3 *held;
    make_library();
    char db[400], one[400];
    snprintf(db, sizeof db, "%s", scratch_path(1, "shared.db"));
    snprintf(one, sizeof one, "%s", scratch_path(1, "one.db"));
    CHECK(RUN("audit", dwarf, player, "--db", one).code == 0);
    pid_t jobs[4];
    for (int i = 0; i < 4; i++)
        jobs[i] = start(i % 2 ? dwarf : player, db);
    for (int i = 0; i < 4; i++)
        CHECK(end_of(jobs[i]) == 0);
    CHECK(strcmp(ask_all(db), ask_all(one)) == 0);
    CHECK(!sqlite3_open_v2(db, &held, SQLITE_OPEN_READWRITE, NULL) &&
          !sqlite3_exec(held, "BEGIN EXCLUSIVE", NULL, NULL, NULL));
    jobs[0] = start(player, db);
    pause_ms(400);
    CHECK(waitpid(jobs[0], NULL, WNOHANG) == 0); /* it waits */
    CHECK(!sqlite3_exec(held, "DELETE FROM findings; COMMIT", NULL, NULL, NULL));
    sqlite3_close(held);
    CHECK(end_of(jobs[0]) == 0);
    CHECK(strcmp(ask(db, "SELECT DISTINCT file FROM findings"),
                 ask(one, "SELECT DISTINCT file FROM findings WHERE file LIKE '%player%'")) == 0);
}

/* With files limited to a few bytes, as on a disk with no room for more. */
TEST(a_full_disk)
{
    struct rlimit old, small;
    make_library();
    char db[400];
    snprintf(db, sizeof db, "%s", scratch_path(1, "small.db"));
    CHECK(RUN("audit", dwarf, "--db", db).code == 0);
    const char *before = ask_all(db);
    struct stat size;
    REQUIRE(stat(db, &size) == 0 && getrlimit(RLIMIT_FSIZE, &old) == 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    small = old;
    small.rlim_cur = (rlim_t)size.st_size;
    setrlimit(RLIMIT_FSIZE, &small);
    command_result run = RUN("audit", player, "--db", db, "--json");
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    CHECK_MSG(run.code == 2 && *run.out == 0 && count_lines(run.err) == 1 && strstr(run.err, db),
              "%d, %s", run.code, run.err);
    const char *there = ask(db, "SELECT * FROM clips; SELECT * FROM findings; SELECT * FROM failed;"
                                "PRAGMA integrity_check");
    CHECK_MSG(strstr(there, dwarf) && strstr(there, "\nok\n"), "%s", there);
    CHECK(RUN("audit", player, dwarf, "--db", db).code == 0);
    CHECK(strlen(ask_all(db)) > strlen(before));
}

/* ---- what is refused ------------------------------------------------------------------------ */

TEST(files_that_are_no_database_of_ours)
{
    make_library();
    char text[400], other[400];
    snprintf(text, sizeof text, "%s", scratch_path(1, "text.db"));
    snprintf(other, sizeof other, "%s", scratch_path(1, "other.db"));
    CHECK(write_whole_file(text, "a letter to nobody", 18) && write_whole_file(other, "", 0));
    ask(other, "CREATE TABLE shots (name TEXT)");
    REFUSED("is not a database", "audit", dwarf, "--db", text);
    REFUSED("a database of something else", "audit", dwarf, "--db", other);
    REFUSED("unable to open", "audit", dwarf, "--db", "/nonexistent/found.db");
    REFUSED("unable to open", "audit", dwarf, "--db", "/");
    REFUSED("needs the name of a file", "audit", dwarf, "--db", ":memory:");
    REFUSED("needs the name of a file", "audit", dwarf, "--db", "");
    REFUSED("two outputs", "audit", dwarf, "--db", "found.db", "--csv", "found.db");
    REFUSED("would write over the model", "audit", dwarf, "--db", dwarf);
    REFUSED("plan only looks", "audit", "plan", dwarf, "--db", other);
    CHECK(RUN("audit", dwarf, "--db", scratch_path(2, "later.db")).code == 0);
    ask(scratch_path(2, "later.db"), "PRAGMA user_version = 2");
    REFUSED("version 2", "audit", dwarf, "--db", scratch_path(2, "later.db"));
}

/* By root, too, once it may not write to everything. */
TEST(a_file_that_can_only_be_read)
{
    make_library();
    const char *bound = geteuid() ? "" : "setpriv --bounding-set -dac_override ";
    const char *db = scratch_path(1, "read.db");
    char line[1200];
    CHECK(RUN("audit", dwarf, "--db", db).code == 0 && chmod(db, 0444) == 0);
    snprintf(line, sizeof line, "%stest ! -w %s", bound, db);
    if (RUN_SHELL(line).code != 0)
        SKIP_ALLOWED("this root cannot be kept from writing");
    snprintf(line, sizeof line, "%s%s audit builtin:ball --db %s", bound, GRAZE_COMMAND, db);
    command_result run = RUN_SHELL(line);
    check_refused(&run, "can only be read", __FILE__, __LINE__);
}

/* ---- the page ------------------------------------------------------------------------------- */

/* The next block of this kind in the page, the case's; *page goes behind it. NULL: there is none.
 */
static char *next_block(const char **page, const char *kind)
{
    const char *begin = strstr(*page, kind), *end = begin ? strstr(begin + 4, "```") : NULL;
    if (!end)
        return NULL;
    begin += strlen(kind);
    *page = end + 3;
    return test_keep(strndup(begin, (size_t)(end - begin)), free_text);
}

TEST(questions_of_the_page)
{
    size_t size;
    int questions = 0;
    const char *page = read_whole_file(GRAZE_TEST_SOURCE_DIR "/docs/audit.md", &size);
    page = page ? strstr(page, "## Questions in SQL\n") : NULL;
    REQUIRE(page);
    const char *first = strstr(page, "```sh\n"), *question;
    char *line = next_block(&page, "```sh\n");
    line[strcspn(line, "\n")] = 0;
    CHECK(first && strstr(line, "--db found.db"));
    char shell[600];
    snprintf(shell, sizeof shell, "cd %s && %s", scratch_folder(), line);
    command_result run = RUN_SHELL(shell);
    CHECK_MSG(run.code == 0, "%s", run.err);
    while ((question = next_block(&page, "```sql\n"))) {
        const char *shown = next_block(&page, "```text\n");
        const char *answered = ask(scratch_path(1, "found.db"), question);
        CHECK_MSG(shown && strcmp(shown, answered) == 0, "%s%s", question, answered);
        questions++;
    }
    CHECK(questions == 2);
}
