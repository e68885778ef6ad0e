/* graze audit for other programs: JUnit's XML and SARIF have every finding that the lines of JSON
 * have, and names cannot break them.
 */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})
#define ODD "odd & <\"name\">.glb"

static const cJSON *field(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text(const cJSON *object, const char *name)
{
    const char *found = cJSON_GetStringValue(field(object, name));
    return found ? found : "";
}

/* ---- a reader of XML, as far as it goes ----------------------------------------------------- */

/* How many elements of a name there are; -1 if the text is not well-formed. */
static int count_elements(const char *xml, const char *wanted)
{
    char open[8][32] = {""};
    int depth = 0, count = 0, roots = 0;
    for (const char *at = xml; *at;) {
        if (*at == '&' && !(at[1] == '#' && isdigit((unsigned char)at[2]) && strchr(at, ';')))
            return -1;
        if (*at++ != '<')
            continue;
        const bool end = *at == '/';
        at += end;
        size_t length = strspn(at, "?abcdefghijklmnopqrstuvwxyz");
        char name[32] = "";
        if (length == 0 || length >= sizeof name)
            return -1;
        memcpy(name, at, length);
        bool quoted = false;
        for (at += length; *at && (quoted || *at != '>'); at++) {
            quoted = quoted != (*at == '"');
            if (*at == '<')
                return -1;
        }
        if (!*at || quoted)
            return -1;
        if (end && (depth == 0 || strcmp(open[--depth], name) != 0))
            return -1;
        count += !end && strcmp(name, wanted) == 0;
        if (!end && at[-1] != '/' && at[-1] != '?') {
            roots += depth == 0;
            memcpy(open[depth++], name, sizeof name);
        }
        if (depth == 8)
            return -1;
    }
    return depth == 0 && roots == 1 ? count : -1;
}

TEST(the_reader_finds_what_is_wrong)
{
    static const struct {
        const char *xml;
        int count;
    } rows[] = {{"<?xml?><a><b c=\"&#38;>\"/><b>x</b></a>", 2},
                {"<a><b></a></b>", -1},
                {"<a>&</a>", -1},
                {"<a b=\"<\"/>", -1},
                {"<a/><a>", -1},
                {"<a></a><a></a>", -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_MSG(count_elements(rows[i].xml, "b") == rows[i].count, "row %zu", i);
}

/* ---- both files ----------------------------------------------------------------------------- */

typedef struct audited {
    cJSON *lines; /* of JSON; the last is about the run */
    cJSON *sarif;
    char *junit;
    int findings;
} audited;

/* A folder with a model whose name is odd, and a broken one. */
static audited audit(const char *const *more)
{
    const char *folder = scratch_path(0, "models"), *broken = scratch_path(1, "models/broken.glb");
    const char *words[20] = {"audit",   folder,      "--clip",  "fall",      "--json",
                             "--junit", "found.xml", "--sarif", "found.json"};
    audited made = {.lines = cJSON_CreateArray()};
    command_result run = RUN("synth", "player", "-o", scratch_path(2, "models/" ODD));
    CHECK_MSG(run.code == 0 && write_whole_file(broken, "glTF", 4), "%s", run.err);
    for (int i = 0; more && more[i]; i++)
        words[9 + i] = more[i];
    run = command_run(GRAZE_COMMAND, words);
    CHECK_MSG(run.code == 2, "%d, %s", run.code, run.err);
    for (const char *line = run.out; *line; line = strchr(line, '\n') + 1)
        cJSON_AddItemToArray(made.lines, cJSON_ParseWithOpts(line, NULL, false));
    made.findings = cJSON_GetArraySize(made.lines) - 1;
    size_t size;
    char *sarif = read_whole_file("found.json", &size);
    made.sarif = cJSON_Parse(sarif ? sarif : "");
    made.junit = read_whole_file("found.xml", &size);
    remove("found.json");
    remove("found.xml");
    CHECK(made.findings > 2 && made.sarif && made.junit);
    return made;
}

static void audited_free(audited *made)
{
    cJSON_Delete(made->lines);
    cJSON_Delete(made->sarif);
}

static void make_folder(void)
{
    command_result run =
        command_run("/bin/mkdir", (const char *[]){"-p", scratch_path(0, "models"), NULL});
    CHECK(run.code == 0);
}

static void remove_folder(void)
{
    CHECK(remove(scratch_path(0, "models/" ODD)) == 0);
    CHECK(remove(scratch_path(0, "models/broken.glb")) == 0);
    CHECK(remove(scratch_path(0, "models")) == 0);
}

/* What a result says is what its line says. */
static void check_result(const cJSON *result, const cJSON *line, bool with_state)
{
    const cJSON *own = field(result, "properties"), *place = field(result, "locations")->child;
    const char *message = text(field(result, "message"), "text");
    const char *part = cJSON_GetStringValue(field(line, "parts")->child);
    CHECK(strcmp(text(result, "ruleId"), text(line, "kind")) == 0);
    CHECK(cJSON_Compare(field(own, "parts"), field(line, "parts"), true));
    CHECK(cJSON_Compare(field(own, "from"), field(line, "from"), true));
    CHECK(cJSON_Compare(field(own, "to"), field(line, "to"), true));
    CHECK(cJSON_Compare(field(own, "depth"), field(field(line, "worst"), "depth"), true));
    CHECK(strstr(message, part) && strstr(message, "clip fall"));
    const char *uri = text(field(field(place, "physicalLocation"), "artifactLocation"), "uri");
    CHECK_MSG(strstr(uri, "models/odd%20%26%20%3C%22name%22%3E.glb"), "%s", uri);
    CHECK(with_state == (strcmp(text(result, "baselineState"), "unchanged") == 0));
    CHECK(with_state == (field(result, "suppressions") != NULL));
}

static void check_sarif(const audited *made, bool with_state)
{
    const cJSON *run = field(made->sarif, "runs")->child, *result, *line = made->lines->child;
    const cJSON *driver = field(field(run, "tool"), "driver"), *last = NULL;
    CHECK(strcmp(text(made->sarif, "version"), "2.1.0") == 0 && text(driver, "name")[0]);
    CHECK(cJSON_GetArraySize(field(driver, "rules")) == 2);
    CHECK(cJSON_IsFalse(field(field(run, "invocations")->child, "executionSuccessful")));
    CHECK(cJSON_GetArraySize(
              field(field(run, "invocations")->child, "toolExecutionNotifications")) == 1);
    CHECK(cJSON_GetArraySize(field(run, "results")) == made->findings);
    cJSON_ArrayForEach(result, field(run, "results"))
    {
        check_result(result, line, with_state);
        CHECK(!last || !cJSON_Compare(field(last, "partialFingerprints"),
                                      field(result, "partialFingerprints"), true));
        last = result;
        line = line->next;
    }
}

TEST(junit_and_sarif_have_every_finding)
{
    make_folder();
    audited made = audit((const char *[]){"--folds", NULL});
    REQUIRE(made.sarif && made.junit);
    check_sarif(&made, false);
    int in_text = 0;
    for (const char *at = made.junit; (at = strstr(at, " deep in frame ")); at++)
        in_text++;
    CHECK(in_text == made.findings);
    CHECK(count_elements(made.junit, "testcase") == 2);
    CHECK(count_elements(made.junit, "failure") == 1 && count_elements(made.junit, "error") == 1);
    CHECK(strstr(made.junit, "tests=\"2\" failures=\"1\" errors=\"1\""));
    audited_free(&made);
    remove_folder();
}

/* What is accepted fails no case, and stays in the list. */
TEST(accepted_findings_are_no_failures)
{
    make_folder();
    audited made = audit((const char *[]){"--state", "state.json", "--accept", "fine", NULL});
    REQUIRE(made.sarif && made.junit);
    check_sarif(&made, true);
    CHECK(count_elements(made.junit, "testcase") == 2);
    CHECK(count_elements(made.junit, "failure") == 0 && count_elements(made.junit, "error") == 1);
    CHECK(remove("state.json") == 0);
    audited_free(&made);
    remove_folder();
}
