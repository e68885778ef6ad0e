/* Files that queries of the graze command write: -o, --csv and the frames of pose are whole or not
 * there, and hold what is printed.
 */
#include "harness.h"
#include "support/json.h"
#include "support/quick.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DWARF "cli-files-dwarf.glb"

static void remove_dwarf(void)
{
    remove(DWARF);
}

/* Written once, since making it takes longer than all that is asked of it. */
__attribute__((constructor)) static void write_dwarf(void)
{
    RUN("synth", "dwarf", "--triangles", "600", "-o", DWARF);
    atexit(remove_dwarf);
}

/* Every query, with enough to print. */
static const char *const queries[][8] = {
    {"collide", DWARF, "--at", "0.3,0,0"},
    {"collide", DWARF, "--at", "0.3,0,0", "--contacts", "--count"},
    {"self", "builtin:robot:600"},
    {"ray", DWARF, "--origin", "0,0.8,5", "--dir", "0,0,-1", "--all"},
    {"distance", DWARF, "--at", "1.5,0,0"},
    {"sweep", DWARF, "--at", "0.7,0,0"},
    {"touch", DWARF, "--sphere", "0,0.7,0,0.3"}};
enum { QUERIES = sizeof queries / sizeof *queries };

/* Runs a query with more arguments, up to NULL. */
static command_result run_query(int query, const char *const *more)
{
    const char *arguments[32];
    size_t count = 0;
    for (int i = 0; i < 8 && queries[query][i]; i++)
        arguments[count++] = queries[query][i];
    while (*more)
        arguments[count++] = *more++;
    arguments[count] = NULL;
    return command_run(GRAZE_COMMAND, arguments);
}

/* It fails and leaves nothing. */
static void refuse_query(int query, const char *const *more)
{
    size_t files = scratch_count();
    command_result run = run_query(query, more);
    check_refused(&run, "", __FILE__, __LINE__);
    CHECK_MSG(scratch_count() == files, "%s: %zu files", queries[query][0], scratch_count());
}

#define QUERY_REFUSED(query, ...) refuse_query(query, (const char *const[]){__VA_ARGS__, NULL})
#define QUERY(query, ...) run_query(query, (const char *const[]){__VA_ARGS__, NULL})

/* Removes every number behind "us": what takes another time in every run. */
static void forget_times(char *text)
{
    for (char *at = text; (at = strstr(at, "\"us\":")); at++)
        for (char *c = at + 5; *c && *c != '}'; c++)
            *c = '0';
    /* Their lengths differ, too. */
    char *out = text;
    for (char *in = text; *in; in++)
        if (*in != '0')
            *out++ = *in;
    *out = 0;
}

/* ---- -o ----------------------------------------------------------------------------------- */

TEST(a_file_holds_what_is_printed)
{
    const char *path = scratch_path(0, "lines.json");
    for (int i = 0; i < QUERIES; i++) {
        command_result printed = QUERY(i, "--times", "0:0.4:5", "--json");
        command_result written = QUERY(i, "--times", "0:0.4:5", "--json", "-o", path);
        char *file = read_whole_file(path, NULL);
        CHECK_MSG(written.code == 0 && !written.out[0], "%s: %s", queries[i][0], written.err);
        CHECK_MSG(strcmp(printed.err, written.err) == 0, "%s: %s", queries[i][0], written.err);
        if (test_check(file != NULL, __FILE__, __LINE__, "%s: no file", queries[i][0])) {
            CHECK(count_lines(file) >= 2);
            forget_times(printed.out);
            forget_times(file);
            CHECK_MSG(strcmp(printed.out, file) == 0, "%s: %.100s", queries[i][0], file);
        }
        remove(path);
    }
}

TEST(exit_codes_are_those_without_a_file)
{
    const char *path = scratch_path(0, "lines.txt");
    command_result run = RUN("collide", DWARF, "--at", "0.3,0,0", "--fail-on-hit", "-o", path);
    CHECK(run.code == 1 && access(path, R_OK) == 0 && !run.err[0]);
    remove(path);
}

static void check_kept(const char *path)
{
    char *text = read_whole_file(path, NULL);
    CHECK(text && strcmp(text, "kept") == 0);
}

TEST(nothing_is_left_after_an_error)
{
    static const char *const outputs[] = {"-o", "--csv"};
    const char *kept = scratch_path(0, "kept");
    const char *nowhere = scratch_path(1, "missing/out");
    CHECK(write_whole_file(kept, "kept", 4));
    for (int i = 0; i < QUERIES; i++)
        for (int k = 0; k < 2; k++) {
            QUERY_REFUSED(i, "--times", "0:1:2", outputs[k], nowhere);
            QUERY_REFUSED(i, "--times", "0:1:2", outputs[k], scratch_folder());
            QUERY_REFUSED(i, "--times", "0:1:2", outputs[k], "");
            QUERY_REFUSED(i, "--times", "0:1:2", "--clip", "fly", outputs[k], kept);
            QUERY_REFUSED(i, "--times", "0:1:2", "-o", kept, "--csv", kept);
        }
    REFUSED("", "collide", "missing.glb", "-o", kept, "--csv", scratch_path(1, "x.csv"));
    /* The second frame fails when the first is written. */
    REFUSED("", "collide", DWARF, "--at", "1e30,0,0", "-o", kept);
    check_kept(kept);
    remove(kept);
}

TEST(a_model_is_not_written_over)
{
    const char *model = scratch_path(0, "model.glb"), *link = scratch_path(1, "link.glb");
    command_result run = RUN("synth", "ball", "-o", model);
    size_t size = 0, after = 0;
    char *bytes = read_whole_file(model, &size);
    CHECK(run.code == 0 && size > 0 && symlink("model.glb", link) == 0);
    REFUSED("", "self", model, "-o", model);
    REFUSED("", "collide", "builtin:ball", model, "--csv", link);
    REFUSED("", "pose", link, "-o", model);
    char *still = read_whole_file(model, &after);
    CHECK(still && after == size && memcmp(bytes, still, size) == 0);
    remove(link);
    remove(model);
}

/* If one of two files cannot be written, neither is. */
TEST(both_files_or_none)
{
    if (access("/dev/full", W_OK))
        SKIP("there is no /dev/full");
    size_t files = scratch_count();
    const char *path = scratch_path(0, "good");
    REFUSED("", "collide", DWARF, "-o", path, "--csv", "/dev/full");
    for (int i = 0; i < QUERIES; i++)
        QUERY_REFUSED(i, "--times", "0:0.8:5", "-o", "/dev/full", "--csv", path);
    command_result run = RUN("collide", DWARF, "--csv", "/dev/full");
    CHECK(run.code == 2 && strstr(run.err, "/dev/full: cannot write: No space left on device"));
    char line[1000];
    snprintf(line, sizeof line, "graze collide %s --csv %s >/dev/full", DWARF, path);
    run = RUN_SHELL(line);
    check_refused(&run, "", __FILE__, __LINE__);
    CHECK(scratch_count() == files);
}

TEST(a_link_stays_a_link)
{
    const char *target = scratch_path(0, "target.txt"), *link = scratch_path(1, "link.txt");
    char *found = NULL;
    CHECK(write_whole_file(target, "kept", 4) && symlink("target.txt", link) == 0);
    command_result run = RUN("self", DWARF, "-o", link);
    CHECK_MSG(run.code == 0, "%s", run.err);
    found = read_whole_file(target, NULL);
    CHECK(found && strncmp(found, "frame ", 6) == 0 && readlink(link, (char[8]){0}, 8) > 0);
    remove(link);
    remove(target);
}

/* ---- interrupts --------------------------------------------------------------------------- */

static void wait_us(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&time, NULL);
}

/* Starts a query without end that writes both files, waits until they are begun, and ends it. */
static void interrupt_query(int number, long us)
{
    const char *out = scratch_path(0, "kept"), *csv = scratch_path(1, "table.csv");
    const char *const argv[] = {GRAZE_COMMAND, "collide", DWARF, "--at",  "0.3,0,0", "--times",
                                "0:9999:1000", "-o",      out,   "--csv", csv,       NULL};
    size_t files = scratch_count();
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0) {
        signal(number, SIG_DFL);
        execv(GRAZE_COMMAND, (char *const *)argv);
        _exit(127);
    }
    for (int i = 0; i < 2000 && scratch_count() < files + 2; i++)
        wait_us(5000);
    CHECK_MSG(scratch_count() == files + 2, "no files were begun");
    wait_us(us);
    kill(child, number);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == number);
    CHECK_MSG(scratch_count() == files, "%zu files, not %zu", scratch_count(), files);
}

TEST(an_interrupt_leaves_nothing)
{
    static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
    const char *kept = scratch_path(0, "kept");
    CHECK(write_whole_file(kept, "kept", 4));
    for (uint32_t i = 0; i < test_amount(12, 6); i++) {
        interrupt_query(interrupts[i % 3], (long)(i * 3000));
        check_kept(scratch_path(0, "kept"));
    }
    remove(kept);
}

TEST(a_reader_that_leaves_leaves_nothing)
{
    char line[1000];
    size_t files = scratch_count();
    snprintf(line, sizeof line, "%s collide %s --times 0:9999:1000 --json --csv %s | head -n 1",
             GRAZE_COMMAND, DWARF, scratch_path(0, "table.csv"));
    command_result run = command_run("/bin/sh", (const char *const[]){"-c", line, NULL});
    CHECK_MSG(run.code == 0 && !run.err[0] && count_lines(run.out) == 1, "%s", run.err);
    CHECK(scratch_count() == files);
}

/* ---- --csv -------------------------------------------------------------------------------- */

/* Fields of a row, in place; how many there are. Quoted ones are not among those read here. */
static int split(char *row, char *fields[32])
{
    int count = 0;
    for (char *at = row; count < 32; at++) {
        fields[count++] = at;
        at += strcspn(at, ",");
        if (!*at)
            break;
        *at = 0;
    }
    return count;
}

typedef struct table {
    char *text;
    char *rows[4000];
    size_t count;
} table;

/* Reads the table and wants these columns. */
static void read_table(table *rows, const char *path, const char *columns, int line)
{
    rows->text = read_whole_file(path, NULL);
    rows->count = 0;
    char *rest = NULL;
    char *row = rows->text ? strtok_r(rows->text, "\n", &rest) : NULL;
    test_check(row && strcmp(row, columns) == 0, __FILE__, line, "columns %s, not %s",
               row ? row : "missing", columns);
    while (row && (row = strtok_r(NULL, "\n", &rest)) && rows->count < 4000)
        rows->rows[rows->count++] = row;
    remove(path);
}

static double entry(const cJSON *array, int i)
{
    return cJSON_GetNumberValue(cJSON_GetArrayItem(array, i));
}

/* Rows of frame, time, a, b, part_a, part_b against the pairs of the lines. */
static void check_pairs(command_result run, const char *path, int line)
{
    table rows;
    read_table(&rows, path, "frame,time,a,b,part_a,part_b", line);
    size_t row = 0;
    for (const char *at = run.out; *at; at = strchr(at, '\n') + 1) {
        cJSON *object = json_parse(at);
        const cJSON *pair, *pairs = field(object, "pairs");
        cJSON_ArrayForEach(pair, pairs)
        {
            char *fields[32];
            bool there = row < rows.count && split(rows.rows[row++], fields) == 6;
            test_check(there && atof(fields[0]) == number(object, "frame") &&
                           strtod(fields[1], NULL) == number(object, "time") &&
                           atof(fields[2]) == entry(pair, 0) && atof(fields[3]) == entry(pair, 1) &&
                           fields[4][0] && fields[5][0],
                       __FILE__, line, "row %zu is not its pair", row);
        }
    }
    test_check(row == rows.count && row > 5, __FILE__, line, "%zu rows, not %zu", rows.count, row);
}

TEST(a_table_of_pairs)
{
    const char *path = scratch_path(0, "pairs.csv");
    check_pairs(
        RUN("collide", DWARF, "--at", "0.3,0,0", "--times", "0:0.8:7", "--json", "--csv", path),
        path, __LINE__);
    check_pairs(RUN("self", "builtin:robot:600", "--json", "--csv", path), path, __LINE__);
}

/* Columns of numbers against fields of the lines: "distance" or "points.0.1", in order. */
static void check_numbers(command_result run, const char *path, const char *columns,
                          const char *const *fields, int line)
{
    table rows;
    read_table(&rows, path, columns, line);
    size_t row = 0;
    for (const char *at = run.out; *at; at = strchr(at, '\n') + 1, row++) {
        cJSON *object = json_parse(at);
        char *found[32];
        int count = row < rows.count ? split(rows.rows[row], found) : 0;
        for (int i = 0; fields[i]; i++) {
            char name[64], *rest = NULL;
            snprintf(name, sizeof name, "%s", fields[i]);
            const cJSON *item = field(object, strtok_r(name, ".", &rest));
            for (char *step; item && (step = strtok_r(NULL, ".", &rest));)
                item = cJSON_GetArrayItem(item, atoi(step));
            bool same =
                i < count &&
                (cJSON_IsString(item) ? strcmp(found[i], item->valuestring) == 0
                 : cJSON_IsBool(item) ? strcmp(found[i], cJSON_IsTrue(item) ? "true" : "false") == 0
                 : cJSON_IsNumber(item) ? found[i][0] && strtod(found[i], NULL) == item->valuedouble
                                        : found[i][0] == 0);
            test_check(same, __FILE__, line, "row %zu: %s is %s", row, fields[i],
                       i < count ? found[i] : "missing");
        }
    }
    test_check(row == rows.count && row > 0, __FILE__, line, "%zu rows, not %zu", rows.count, row);
}

#define NUMBERS(run, columns, ...)                                                                 \
    check_numbers(run, path, columns, (const char *const[]){__VA_ARGS__, NULL}, __LINE__)

TEST(tables_of_frames)
{
    const char *path = scratch_path(0, "frames.csv");
    NUMBERS(RUN("collide", DWARF, "--at", "0.3,0,0", "--times", "0:0.8:7", "--count", "--json",
                "--csv", path),
            "frame,time,count,us", "frame", "time", "count");
    NUMBERS(RUN("distance", DWARF, "--at", "1.5,0,0", "--times", "0:0.8:7", "--closer-than", "1",
                "--within", "0.8", "--json", "--csv", path),
            "frame,time,distance,a,b,ax,ay,az,bx,by,bz,part_a,part_b,us,hit,count", "frame", "time",
            "distance", "triangles.0", "triangles.1", "points.0.0", "points.0.1", "points.0.2",
            "points.1.0", "points.1.1", "points.1.2", "parts.0", "parts.1", "us", "hit", "count");
    NUMBERS(RUN("distance", DWARF, "--at", "1.5,0,0", "--limit", "0.1", "--json", "--csv", path),
            "frame,time,distance,a,b,ax,ay,az,bx,by,bz,part_a,part_b,us", "frame", "time",
            "distance", "triangles.0", "triangles.1", "points.0.0", "points.0.1", "points.0.2",
            "points.1.0", "points.1.1", "points.1.2", "parts.0", "parts.1", "us");
    NUMBERS(RUN("sweep", DWARF, "--at", "0.7,0,0", "--times", "0:0.8:7", "--json", "--csv", path),
            "frame,from,to,toi,time,a,b,initial,x,y,z,normal_x,normal_y,normal_z,part_a,part_b,us",
            "frame", "from", "to", "toi", "time", "triangles.0", "triangles.1", "initial",
            "point.0", "point.1", "point.2", "normal.0", "normal.1", "normal.2", "parts.0",
            "parts.1", "us");
    NUMBERS(RUN("ray", DWARF, "--origin", "0,0.4,5", "--dir", "0,0,-1", "--times", "0:0.8:7",
                "--json", "--csv", path),
            "frame,time,triangle,t,x,y,z,normal_x,normal_y,normal_z,u,v,part,mesh", "frame", "time",
            "triangle", "t", "point.0", "point.1", "point.2", "normal.0", "normal.1", "normal.2",
            "uv.0", "uv.1", "part", "mesh");
    NUMBERS(
        RUN("touch", DWARF, "--point", "0,0.7,0", "--times", "0:0.8:7", "--json", "--csv", path),
        "frame,time,inside,winding,on_surface,us", "frame", "time", "inside", "winding",
        "on_surface", "us");
    NUMBERS(RUN("touch", DWARF, "--sphere", "0,0.7,0,0.3", "--count", "--json", "--csv", path),
            "frame,time,count,us", "frame", "time", "count", "us");
}

TEST(tables_of_contacts_parts_and_triangles)
{
    const char *path = scratch_path(0, "rows.csv");
    table rows;
    command_result run =
        RUN("collide", DWARF, "--at", "0.5,0,0", "--contacts", "--count", "--json", "--csv", path);
    cJSON *object = json_parse(run.out);
    const cJSON *contacts = field(object, "contacts");
    read_table(&rows, path,
               "frame,time,x,y,z,normal_x,normal_y,normal_z,depth,pairs,length,part_a,part_b",
               __LINE__);
    CHECK(rows.count > 0 && rows.count == (size_t)cJSON_GetArraySize(contacts));
    for (size_t i = 0; i < rows.count; i++) {
        const cJSON *contact = cJSON_GetArrayItem(contacts, (int)i);
        char *fields[32];
        CHECK(split(rows.rows[i], fields) == 13);
        CHECK(strtod(fields[2], NULL) == entry(field(contact, "point"), 0));
        CHECK(strtod(fields[7], NULL) == entry(field(contact, "normal"), 2));
        CHECK(strtod(fields[8], NULL) == number(contact, "depth"));
        CHECK(strcmp(fields[12], field(contact, "parts")->child->next->valuestring) == 0);
    }

    run = RUN("self", "builtin:robot:600", "--parts", "--count", "--json", "--csv", path);
    object = json_parse(run.out);
    const cJSON *counts = field(object, "part_counts");
    read_table(&rows, path, "frame,time,part_a,part_b,pairs", __LINE__);
    CHECK(rows.count > 0 && rows.count == (size_t)cJSON_GetArraySize(counts));
    for (size_t i = 0; i < rows.count; i++) {
        char *fields[32];
        CHECK(split(rows.rows[i], fields) == 5 && atof(fields[4]) == entry(counts, (int)i));
    }

    run = RUN("touch", DWARF, "--sphere", "0,0.7,0,0.3", "--json", "--csv", path);
    object = json_parse(run.out);
    const cJSON *triangles = field(object, "triangles");
    read_table(&rows, path, "frame,time,triangle,part,mesh", __LINE__);
    CHECK(rows.count > 0 && rows.count == (size_t)cJSON_GetArraySize(triangles));
    for (size_t i = 0; i < rows.count; i++) {
        char *fields[32];
        CHECK(split(rows.rows[i], fields) == 5 && atof(fields[2]) == entry(triangles, (int)i));
    }
}

/* A joint's name with a comma and quotes in it is one field. */
TEST(texts_are_quoted)
{
    static const char document[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a \\\"b\\\", c\",\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
        "\"buffers\":[{\"byteLength\":36,\"uri\":\"quoted.bin\"}]}";
    static const float data[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const char *model = scratch_path(0, "quoted.gltf"), *path = scratch_path(1, "quoted.csv");
    CHECK(write_whole_file(model, document, strlen(document)));
    CHECK(write_whole_file(scratch_path(2, "quoted.bin"), data, sizeof data));
    command_result run = RUN("touch", model, "--sphere", "0,0,0,1", "--csv", path);
    char *text = read_whole_file(path, NULL);
    CHECK_MSG(text && strcmp(text, "frame,time,triangle,part,mesh\n0,0,0,\"a \"\"b\"\", c\",\"a "
                                   "\"\"b\"\", c\"\n") == 0,
              "%s %s", text ? text : "no file", run.err);
    remove(path);
}

/* ---- frames of pose ----------------------------------------------------------------------- */

static void check_same_file(const char *left, const char *right)
{
    char *texts[2] = {read_whole_file(left, NULL), read_whole_file(right, NULL)};
    CHECK_MSG(texts[0] && texts[1] && strlen(texts[0]) > 1000 && strcmp(texts[0], texts[1]) == 0,
              "%s is not %s", left, right);
    remove(left);
    remove(right);
}

TEST(pose_writes_a_file_a_frame)
{
    static const char *const times[] = {"0", "0.25", "0.5"};
    const char *one = scratch_path(0, "one.obj"), *many = scratch_path(1, "many.obj");
    size_t files = scratch_count();
    command_result run = RUN("pose", DWARF, "--times", "0:0.6:4", "--phase", "0.1", "--at", "1,2,3",
                             "-o", many, "--json");
    CHECK_MSG(run.code == 0 && count_lines(run.out) == 3 && scratch_count() == files + 3, "%s",
              run.err);
    const char *line = run.out;
    for (int i = 0; i < 3; i++, line = strchr(line, '\n') + 1) {
        char name[32];
        snprintf(name, sizeof name, "many.%04d.obj", i);
        const char *path = scratch_path(2, name);
        cJSON *object = json_parse(line);
        CHECK(strcmp(text_of(object, "file"), path) == 0);
        CHECK(number(object, "frame") == i);
        CHECK(number(object, "time") == atof(times[i]));
        command_result alone =
            RUN("pose", DWARF, "--time", times[i], "--phase", "0.1", "--at", "1,2,3", "-o", one);
        CHECK(alone.code == 0);
        check_same_file(path, one);
    }
    CHECK(scratch_count() == files);
}

TEST(pose_puts_the_number_where_it_is_asked_to)
{
    static const struct {
        const char *given, *written;
    } names[] = {{"a_##.obj", "a_00.obj"},
                 {"a#b#.obj", "a0b#.obj"},
                 {"plain", "plain.0000"},
                 {".hidden", ".hidden.0000"},
                 {"two.dots.obj", "two.dots.0000.obj"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        command_result run =
            RUN("pose", DWARF, "--times", "0:0:1", "-o", scratch_path(0, names[i].given));
        CHECK_MSG(run.code == 0 && access(scratch_path(1, names[i].written), R_OK) == 0, "%s: %s",
                  names[i].given, run.err);
        remove(scratch_path(1, names[i].written));
    }
    command_result run = RUN("pose", DWARF, "--times", "0:0.5:4", "-o", "/dev/null");
    CHECK(run.code == 0 && count_lines(run.out) == 3 && access("/dev/null.0000", F_OK) != 0);
    /* One frame without --times keeps the name as it is. */
    run = RUN("pose", DWARF, "-o", scratch_path(0, "kept#.obj"));
    CHECK(run.code == 0 && access(scratch_path(0, "kept#.obj"), R_OK) == 0);
    remove(scratch_path(0, "kept#.obj"));
    REFUSED("", "pose", DWARF, "--times", "0:1:2", "-o", scratch_folder());
    REFUSED("", "pose", DWARF, "--times", "0:1:2", "-o", "");
    REFUSED("", "pose", DWARF, "--times", "0:1:2", "-o", scratch_path(1, "missing/x.obj"));
}
