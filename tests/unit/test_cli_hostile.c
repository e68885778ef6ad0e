/* Names that are meant to do harm, through every command and output: what a terminal, a spreadsheet
 * or a strict parser would trip over does not come out.
 */
#include "harness.h"
#include "support/json.h"

#include <stdlib.h>
#include <string.h>

/* Names of the man's joints and his clip, and what stands there instead, of the same lengths. */
static const char *const names[][2] = {
    {"upper_arm.L", "=\xff\xe2\x80\xae\x1b[31m\x9b"},      /* no UTF-8, right to left, red */
    {"upper_arm.R", "@a\xc2\x9b\x32J\x7f,!\xd8\x9c"},      /* C1's own way to clear the screen */
    {"spine.3", "-1\n\r\tB\xc3"},                          /* lines, and cut off within a letter */
    {"spine.2", "+\xe2\x81\xa6</a"},                       /* isolate, and an end of an element */
    {"forearm.L", "\xed\xa0\x80\xf5\x80\x80\x80\xc0\x80"}, /* half a pair, too large, too long */
    {"walk", "=\xff\x1b&"}};

static void replace_all(char *bytes, size_t size, const char *from, const char *to)
{
    size_t length = strlen(from);
    CHECK(strlen(to) == length);
    for (char *at = bytes; at + length <= bytes + size; at++)
        if (memcmp(at, from, length) == 0)
            memcpy(at, to, length);
}

/* The man with bad names, and a scene of two of him. */
static void write_files(void)
{
    static const char scene[] =
        "{\"seconds\": 0.1, \"fps\": 30, \"bodies\": [{\"name\": \"\x1b[2Jann\xff\", \"model\": "
        "\"man.glb\", \"clip\": 0}, {\"name\": \"=\xe2\x80\xae\xc2\x85\", \"model\": \"man.glb\","
        " \"at\": [0.2, 0, 0]}]}";
    size_t size = 0;
    command_result run =
        command_run(GRAZE_COMMAND, (const char *const[]){"synth", "man", "--triangles", "1500",
                                                         "-o", scratch_path(0, "man.glb"), NULL});
    char *bytes = read_whole_file(scratch_path(0, "man.glb"), &size);
    CHECK_MSG(run.code == 0 && bytes, "%s", run.err);
    for (size_t i = 0; bytes && i < sizeof names / sizeof *names; i++)
        replace_all(bytes, size, names[i][0], names[i][1]);
    CHECK(write_whole_file(scratch_path(0, "man.glb"), bytes, size));
    CHECK(write_whole_file(scratch_path(0, "scene.json"), scene, strlen(scene)));
}

/* ---- the judges --------------------------------------------------------------------------- */

/* One character of UTF-8 as RFC 3629 has it, its bytes by table; 0 if it is none. */
static size_t character(const unsigned char *c, unsigned *code)
{
    *code = c[0];
    if (c[0] < 0x80)
        return 1;
    if (c[0] >= 0xc2 && c[0] <= 0xdf && (c[1] & 0xc0) == 0x80) {
        *code = (c[0] & 31u) << 6 | (c[1] & 63u);
        return 2;
    }
    unsigned low = c[0] == 0xe0 || c[0] == 0xf0 ? (c[0] == 0xe0 ? 0xa0 : 0x90) : 0x80;
    unsigned high = c[0] == 0xed ? 0x9f : c[0] == 0xf4 ? 0x8f : 0xbf;
    if (c[0] < 0xe0 || c[0] > 0xf4 || c[1] < low || c[1] > high || (c[2] & 0xc0) != 0x80)
        return 0;
    *code = (c[0] & 15u) << 12 | (c[1] & 63u) << 6 | (c[2] & 63u);
    if (c[0] < 0xf0)
        return 3;
    *code = *code << 6 | (c[3] & 63u);
    return (c[3] & 0xc0) == 0x80 ? 4 : 0;
}

/* What makes a terminal do something, but for the ends of lines. */
static bool is_command(unsigned code)
{
    static const unsigned marks[] = {0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d,
                                     0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x7f};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (code == marks[i])
            return true;
    return (code < 0x20 && code != '\n') || (code >= 0x80 && code <= 0x9f);
}

/* The place of the first that is not UTF-8, or makes a terminal do something; NULL if all is well.
 */
static const char *first_bad(const char *text, bool commands_too)
{
    unsigned code;
    for (size_t size; *text; text += size) {
        size = character((const unsigned char *)text, &code);
        if (!size || (commands_too && is_command(code)))
            return text;
    }
    return NULL;
}

/* No cell of a table begins as a formula, but for numbers. */
static void check_table(const char *line, const char *text)
{
    bool quoted = false;
    for (const char *at = text; *at; at++) {
        bool begins = !quoted && (at == text || at[-1] == ',' || at[-1] == '\n');
        const char *cell = begins && *at == '"' ? at + 1 : at;
        char *end;
        strtod(cell, &end);
        bool number = end > cell && strchr(",\"\n", *end);
        CHECK_MSG(!begins || !strchr("=+-@\t\r", *cell) || number, "%s: a cell is %.20s", line,
                  cell);
        quoted = quoted != (*at == '"');
    }
}

/* ---- all commands ------------------------------------------------------------------------- */

enum { PEOPLE, JSON };

/* In the folder of the files; a graze that fails may be one of them. */
static const struct {
    const char *line;
    int out;
} lines[] = {
    {"graze info man.glb", PEOPLE},
    {"graze info man.glb --json", JSON},
    {"graze info man.glb --parts", PEOPLE},
    {"graze info man.glb --parts --json", JSON},
    {"graze info man.glb --parts-by material --parts", PEOPLE},
    {"graze self man.glb --times all:5 --parts --csv out.csv --report out.html", PEOPLE},
    {"graze self man.glb --times all:5 --parts --json", JSON},
    {"graze self man.glb --times all:5 --csv out.csv --json -o -", JSON},
    {"graze collide man.glb --at 0.2,0,0 --contacts --parts --csv out.csv", PEOPLE},
    {"graze collide man.glb --at 0.2,0,0 --contacts --parts --report out.html --json", JSON},
    {"graze ray man.glb --origin 0.3,1.4,5 --dir 0,0,-1 --all --csv out.csv", PEOPLE},
    {"graze ray man.glb --origin -5,1.4,0 --dir 1,0,0 --all --csv out.csv --json", JSON},
    {"graze distance man.glb --at 2,0,0 --csv out.csv", PEOPLE},
    {"graze distance man.glb --at 2,0,0 --json", JSON},
    {"graze sweep man.glb --at 0.5,0,0 --turn 90 --times all:5 --csv out.csv", PEOPLE},
    {"graze sweep man.glb --at 0.5,0,0 --turn 90 --times all:5 --report out.html --json", JSON},
    {"graze touch man.glb --sphere 0.2,1.3,0,0.3 --csv out.csv", PEOPLE},
    {"graze touch man.glb --sphere 0.2,1.3,0,0.3 --json", JSON},
    {"graze fit man.glb --fine 1", PEOPLE},
    {"graze fit man.glb --json", JSON},
    {"graze fit man.glb -o shape.json && graze info man.glb --parts --json", JSON},
    {"graze chain man.glb --time 0.2 --exact", PEOPLE},
    {"graze chain man.glb --json", JSON},
    {"graze pose man.glb -o 'out\033[31m.obj' && rm out*.obj", PEOPLE},
    {"graze pose man.glb --json -o \"$(printf 'out\\377.obj')\" && rm out*.obj", JSON},
    {"graze world scene.json --stay -o out.glb", PEOPLE},
    {"graze world scene.json --json", JSON},
    {"graze self man.glb --times 0:9:1 --count", PEOPLE}, /* warns of the clip's end */
    {"graze self man.glb --clip '\033[2J'", PEOPLE},
    {"graze self man.glb --part '\033[2J'", PEOPLE},
    {"graze self man.glb --between spine.1 --json", PEOPLE},
    {"graze info \"$(printf '\\302\\233\\033]0;x\\377')\"", PEOPLE},
    {"graze '\033[2J'", PEOPLE},
    {"graze demo '\033[2J'", PEOPLE},
    {"graze synth '\033[2J' -o x", PEOPLE},
    {"graze bench lbs --only '\033[2J'", PEOPLE},
    {"graze simulate --resume '\033[2J'", PEOPLE},
    {"cp scene.json bad.json; echo . >>bad.json; graze world bad.json", PEOPLE},
    {"graze world \"$(printf '\\377.json')\"", PEOPLE}};

/* A file that a line left, if it did: what its name ends with says what it is. */
static void check_file(const char *line, const char *name)
{
    char *text = read_whole_file(scratch_path(1, name), NULL);
    if (!text)
        return;
    const char *bad = strstr(name, ".glb") ? NULL : first_bad(text, false);
    CHECK_MSG(!bad, "%s: in %s: %.40s", line, name, bad);
    if (strstr(name, ".csv"))
        check_table(line, text);
    if (strstr(name, "shape"))
        json_lines(text);
    if (strstr(name, ".html"))
        CHECK_MSG(!strstr(text, "</a\"") && !strstr(text, "\x1b"), "%s: a name is raw", line);
    remove(scratch_path(1, name));
}

TEST(names_do_no_harm)
{
    static const char *const files[] = {"out.csv", "out.html", "out.glb", "shape.json"};
    write_files();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[1000];
        snprintf(text, sizeof text, "cd '%s'; graze() { '%s' \"$@\"; }; %s", scratch_folder(),
                 GRAZE_COMMAND, lines[i].line);
        command_result run = command_run("/bin/sh", (const char *const[]){"-c", text, NULL});
        const char *bad = first_bad(run.out, true), *worse = first_bad(run.err, true);
        CHECK_MSG(!bad, "%s: %.60s", lines[i].line, bad);
        CHECK_MSG(!worse, "%s: on standard error: %.60s", lines[i].line, worse);
        CHECK_MSG(run.out[0] || run.code == 2, "%s: %s", lines[i].line, run.err);
        if (lines[i].out == JSON) {
            CHECK_MSG(run.code == 0, "%s: %s", lines[i].line, run.err);
            json_lines(run.out);
        }
        for (size_t f = 0; f < sizeof files / sizeof *files; f++)
            check_file(lines[i].line, files[f]);
    }
}

TEST(what_is_replaced_is_warned_about)
{
    command_result run = command_run(
        GRAZE_COMMAND, (const char *const[]){"info", scratch_path(0, "man.glb"), "--json", NULL});
    CHECK_MSG(strstr(run.err, "graze: warning: ") && strstr(run.err, "UTF-8"), "%s", run.err);
    CHECK_MSG(strstr(run.out, "\"=\xef\xbf\xbd\\u202e\\u001b[31m\xef\xbf\xbd\""), "%.900s",
              strstr(run.out, "joint_names"));
}

/* Numbers stay numbers, and texts that are no formulas stay as they are. */
TEST(tables_keep_numbers)
{
    const char *path = scratch_path(2, "numbers.csv");
    command_result run = command_run(
        GRAZE_COMMAND, (const char *const[]){"ray", "builtin:ball", "--origin", "-5,0.1,-0.01",
                                             "--dir", "1,0,0", "--csv", path, NULL});
    char *table = read_whole_file(path, NULL);
    CHECK_MSG(run.code == 0 && table && strstr(table, ",-0.") && !strchr(table, '\''), "%s",
              table ? table : run.err);
    remove(path);
}
