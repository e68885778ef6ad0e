/* graze self: fields, order, exit codes, and every method's equal answer as a user sees it. */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

/* A character that walks into itself, written by the command. */
static const char *creature(void)
{
    static char path[400];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(0, "creature.glb"));
        command_result run = RUN("synth", "creature", "--triangles", "1500", "-o", path, "--json");
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
        command_free(&run);
    }
    return path;
}

#define CREATURE creature()

static const cJSON *field(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static double number(const cJSON *object, const char *name)
{
    return cJSON_GetNumberValue(field(object, name));
}

/* Line number `index` as an object; NULL, and a failure, if the run failed or it is not one. */
static cJSON *object_at(const command_result *run, size_t index)
{
    const char *start = run->out;
    for (size_t i = 0; i < index && start; i++)
        start = strchr(start, '\n') ? strchr(start, '\n') + 1 : NULL;
    cJSON *object = start ? cJSON_Parse(start) : NULL;
    test_check(run->code == 0 && run->err[0] == 0 && cJSON_IsObject(object), __FILE__, __LINE__,
               "exit code %d, %s, line %zu: %.60s", run->code, run->err, index, start ? start : "");
    return object;
}

TEST(a_frame_has_all_fields)
{
    command_result run = RUN("self", CREATURE, "--json", "--time", "0.6");
    cJSON *frame = object_at(&run, 0);
    static const char *const stats[] = {"nodes_refit", "bound_tests", "patches_posed",
                                        "vertices_posed", "triangle_tests"};
    CHECK(count_lines(run.out) == 1 && number(frame, "frame") == 0);
    CHECK(number(frame, "time") == 0.6 && number(frame, "us") > 0);
    CHECK(cJSON_IsTrue(field(frame, "hit")) && number(frame, "count") > 0);
    CHECK(cJSON_GetArraySize(field(frame, "pairs")) == number(frame, "count"));
    CHECK(cJSON_GetArraySize(field(frame, "rest")) == number(frame, "count"));
    for (int i = 0; i < 5; i++)
        CHECK_MSG(cJSON_IsNumber(field(field(frame, "stats"), stats[i])), "%s", stats[i]);
    cJSON_Delete(frame);
    command_free(&run);
}

TEST(pairs_are_in_order_and_marked)
{
    command_result run = RUN("self", CREATURE, "--json", "--times", "0:1:8");
    size_t lines = count_lines(run.out);
    CHECK(lines == 9);
    for (size_t line = 0; line < lines; line++) {
        cJSON *frame = object_at(&run, line);
        double last_a = -1, last_b = -1, fresh = 0;
        const cJSON *pair, *mark = field(frame, "rest") ? field(frame, "rest")->child : NULL;
        cJSON_ArrayForEach(pair, field(frame, "pairs"))
        {
            double a = cJSON_GetNumberValue(cJSON_GetArrayItem(pair, 0));
            double b = cJSON_GetNumberValue(cJSON_GetArrayItem(pair, 1));
            CHECK(cJSON_GetArraySize(pair) == 2 && a < b);
            CHECK(a > last_a || (a == last_a && b > last_b));
            last_a = a, last_b = b;
            CHECK(cJSON_IsBool(mark));
            fresh += cJSON_IsFalse(mark);
            mark = mark ? mark->next : NULL;
        }
        CHECK(mark == NULL && number(frame, "new") == fresh);
        CHECK(number(frame, "frame") == (double)line);
        cJSON_Delete(frame);
    }
    command_free(&run);
}

/* Methods, trees and models with morph targets or without: the same pairs in each skinning. */
TEST(all_methods_give_the_same_pairs)
{
    static const char *const methods[] = {"lazy", "bottom-up", "brute", "lazy"};
    static const char *const skins[] = {"linear", "spherical", "dual"};
    for (int s = 0; s < 3; s++) {
        cJSON *first = NULL;
        for (int m = 0; m < 4; m++) {
            command_result run =
                RUN("self", CREATURE, "--json", "--times", "0.1:0.6:2", "--skin", skins[s],
                    "--method", methods[m], "--tree", m == 3 ? "paper" : "default");
            cJSON *frame = object_at(&run, 1);
            if (first) {
                CHECK(cJSON_Compare(field(first, "pairs"), field(frame, "pairs"), true));
                CHECK(cJSON_Compare(field(first, "rest"), field(frame, "rest"), true));
            } else {
                first = cJSON_Duplicate(frame, true);
                CHECK(number(first, "count") > 0);
            }
            cJSON_Delete(frame);
            command_free(&run);
        }
        cJSON_Delete(first);
    }
}

static bool has_pair(const cJSON *pairs, const cJSON *wanted)
{
    const cJSON *pair;
    cJSON_ArrayForEach(pair, pairs) if (cJSON_Compare(pair, wanted, true)) return true;
    return false;
}

TEST(first_count_and_new)
{
    command_result all = RUN("self", CREATURE, "--json");
    cJSON *frame = object_at(&all, 0);
    static const char *const methods[] = {"lazy", "bottom-up", "brute"};
    for (int m = 0; m < 3; m++) {
        command_result first = RUN("self", CREATURE, "--json", "--first", "--method", methods[m]);
        command_result fresh = RUN("self", CREATURE, "--json", "--new", "--method", methods[m]);
        cJSON *one = object_at(&first, 0), *rest = object_at(&fresh, 0);
        CHECK(number(one, "count") == 1 && cJSON_IsTrue(field(one, "hit")));
        CHECK(has_pair(field(frame, "pairs"), cJSON_GetArrayItem(field(one, "pairs"), 0)));
        CHECK(number(rest, "count") == number(frame, "new"));
        CHECK(number(rest, "new") == number(rest, "count"));
        cJSON_Delete(one);
        cJSON_Delete(rest);
        command_free(&first);
        command_free(&fresh);
    }
    command_result count = RUN("self", CREATURE, "--json", "--count", "--repeat", "3");
    cJSON *counted = object_at(&count, 0);
    CHECK(!field(counted, "pairs") && !field(counted, "rest"));
    CHECK(number(counted, "count") == number(frame, "count"));
    CHECK(number(counted, "new") == number(frame, "new"));
    cJSON_Delete(counted);
    cJSON_Delete(frame);
    command_free(&count);
    command_free(&all);
}

/* Where the model stands changes no pair, and the text says what the JSON says. */
TEST(text_and_placement)
{
    command_result text = RUN("self", CREATURE), json = RUN("self", CREATURE, "--json");
    cJSON *frame = object_at(&json, 0);
    CHECK(text.code == 0 && count_lines(text.out) == 1 + (size_t)number(frame, "count"));
    CHECK(strncmp(text.out, "frame", 5) == 0 && strstr(text.out, " pairs, "));
    command_free(&text);
    text = RUN("self", CREATURE, "--count");
    CHECK(text.code == 0 && count_lines(text.out) == 1);
    command_result turned = RUN("self", CREATURE, "--json", "--turn", "180", "--phase", "0");
    cJSON *other = object_at(&turned, 0);
    CHECK(number(other, "count") > 0);
    cJSON_Delete(other);
    cJSON_Delete(frame);
    command_free(&text);
    command_free(&json);
    command_free(&turned);
}

TEST(exit_codes)
{
    command_result hit = RUN("self", CREATURE, "--json", "--fail-on-hit");
    CHECK(hit.code == 1 && count_lines(hit.out) == 1 && hit.err[0] == 0);
    command_free(&hit);
    command_result help = RUN("self", "--help");
    CHECK(help.code == 0 && strstr(help.out, "--new") && strstr(help.out, "--method"));
    command_free(&help);
}

TEST(bad_usage_is_one_line)
{
    static const char *const lines[][4] = {{NULL},
                                           {"no-such-file.glb", NULL},
                                           {"builtin:dwarf:300", "--method", "fast", NULL},
                                           {"builtin:dwarf:300", "--repeat", "0", NULL},
                                           {"builtin:dwarf:300", "--clip", "9999", NULL},
                                           {"builtin:dwarf:300", "builtin:dwarf:300", NULL},
                                           {"builtin:dwarf:300", "--nonsense", NULL}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *arguments[6] = {"self"};
        for (int k = 0; k < 4 && lines[i][k]; k++)
            arguments[k + 1] = lines[i][k];
        command_result run = command_run(GRAZE_COMMAND, arguments);
        CHECK_MSG(run.code == 2 && run.out[0] == 0 && count_lines(run.err) == 1, "%zu: %d %s%s", i,
                  run.code, run.out, run.err);
        command_free(&run);
    }
}
