/* graze collide --contacts: its fields, and that it adds nothing unless asked. */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

/* A small character, written by the command itself: it loads faster than it is made. */
static const char *dwarf(void)
{
    static char path[400];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(0, "dwarf.glb"));
        command_result run = RUN("synth", "dwarf", "--triangles", "600", "-o", path, "--json");
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
        command_free(&run);
    }
    return path;
}

static cJSON *parse(const command_result *run)
{
    CHECK_MSG(run->code == 0 && !run->err[0], "exit code %d: %s", run->code, run->err);
    CHECK(count_lines(run->out) == 1);
    return cJSON_Parse(run->out);
}

static bool is_vector(const cJSON *array, double *length)
{
    const cJSON *number;
    double square = 0;
    cJSON_ArrayForEach(number, array)
    {
        if (!cJSON_IsNumber(number))
            return false;
        square += number->valuedouble * number->valuedouble;
    }
    *length = sqrt(square);
    return cJSON_GetArraySize(array) == 3;
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *field = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(field) ? field->valuedouble : NAN;
}

TEST(contacts_hold_every_pair)
{
    command_result run = RUN("collide", dwarf(), "--at", "0.2,0.02,0.05", "--json", "--contacts");
    cJSON *frame = parse(&run), *contact;
    const cJSON *contacts = cJSON_GetObjectItemCaseSensitive(frame, "contacts");
    double pairs = 0, length;
    CHECK(cJSON_IsArray(contacts) && cJSON_GetArraySize(contacts) > 0);
    cJSON_ArrayForEach(contact, contacts)
    {
        const cJSON *groups = cJSON_GetObjectItemCaseSensitive(contact, "groups");
        CHECK(is_vector(cJSON_GetObjectItemCaseSensitive(contact, "point"), &length));
        CHECK(is_vector(cJSON_GetObjectItemCaseSensitive(contact, "normal"), &length) &&
              fabs(length - 1) < 1e-6);
        CHECK(number(contact, "depth") >= 0 && number(contact, "depth") < 1);
        CHECK(number(contact, "length") > 0 && number(contact, "pairs") >= 1);
        CHECK(cJSON_GetArraySize(groups) == 2 && cJSON_GetArrayItem(groups, 0)->valuedouble < 45 &&
              cJSON_GetArrayItem(groups, 1)->valuedouble < 45);
        pairs += number(contact, "pairs");
    }
    CHECK(pairs > 0 && pairs == number(frame, "count"));
    cJSON_Delete(frame);
    command_free(&run);
}

/* The contacts as text, which must be the same whatever the method. */
static char *contacts_text(const command_result *run)
{
    const char *start = strstr(run->out, "\"contacts\":["), *end = strstr(run->out, ",\"stats\"");
    return start && end ? strndup(start, (size_t)(end - start)) : NULL;
}

TEST(every_method_and_tree_gives_the_same_contacts)
{
    static const char *const methods[] = {"lazy", "bottom-up", "brute"};
    static const char *const trees[] = {"default", "paper"};
    char *expected = NULL;
    for (int i = 0; i < 6; i++) {
        command_result run = RUN("collide", dwarf(), "--at", "0.1,0.02,0.05", "--turn", "33.5",
                                 "--time", "0.2", "--json", "--contacts", "--count", "--repeat",
                                 "2", "--method", methods[i % 3], "--tree", trees[i / 3]);
        char *text = contacts_text(&run);
        CHECK(run.code == 0 && text && strlen(text) > 100);
        CHECK_MSG(!expected || (text && strcmp(expected, text) == 0), "%s, %s tree", methods[i % 3],
                  trees[i / 3]);
        if (expected)
            free(text);
        else
            expected = text;
        command_free(&run);
    }
    free(expected);
}

TEST(contacts_only_on_request)
{
    command_result run = RUN("collide", dwarf(), "--at", "0.2,0,0", "--json");
    CHECK(run.code == 0 && !strstr(run.out, "contacts"));
    command_free(&run);
    run = RUN("collide", dwarf(), "--at", "50,0,0", "--json", "--contacts");
    CHECK(run.code == 0 && strstr(run.out, "\"contacts\":[],"));
    command_free(&run);
    run = RUN("collide", dwarf(), "--at", "0.2,0,0", "--contacts", "--count");
    CHECK(run.code == 0 && strstr(run.out, "contact at") && !run.err[0]);
    command_free(&run);
    run = RUN("collide", dwarf(), "--first", "--contacts", "--json");
    CHECK(run.code == 2 && !run.out[0] && count_lines(run.err) == 1);
    command_free(&run);
}
