/* graze demo soccer: the same play however many threads look for contacts, what it promises of
 * depths and limits, the file that it saves, and what it refuses. Needs <graze/ode.h>.
 */
#include "harness.h"
#include "support/command.h"
#include "support/quick.h"

#include <graze/gltf.h>

#include <cjson/cJSON.h>

#include <stdlib.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

static const char *seconds(void)
{
    return test_is_quick() ? "2.5" : "20";
}

/* Where the last line begins, which also says how long it took. */
static char *last_line(char *text)
{
    size_t length = strlen(text);
    if (length)
        text[length - 1] = 0;
    char *end = strrchr(text, '\n');
    return end ? end + 1 : text;
}

static double number(const cJSON *object, const char *name)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

TEST(plays_the_same_with_any_number_of_threads)
{
    command_result runs[3] = {
        RUN("demo", "soccer", "--json", "--players", "3", "--seconds", seconds()),
        RUN("demo", "soccer", "--json", "--players", "3", "--seconds", seconds(), "--threads", "2"),
        RUN("demo", "soccer", "--json", "--players", "3", "--seconds", seconds(), "--threads",
            "8")};
    for (int i = 0; i < 3; i++) {
        REQUIRE(runs[i].code == 0);
        char *end = last_line(runs[i].out);
        cJSON *said = cJSON_Parse(end);
        REQUIRE(cJSON_IsObject(said));
        CHECK(number(said, "hits") > 0);
        CHECK_MSG(number(said, "deepest") < 0.01 && number(said, "ball_deepest") < 0.01,
                  "%g and %g m in the ground", number(said, "deepest"),
                  number(said, "ball_deepest"));
        /* in a few seconds nobody has time to lie down after a fall */
        CHECK_MSG(test_is_quick() || number(said, "limit_95") <= 2, "limits are off by %g",
                  number(said, "limit_95"));
        CHECK_MSG(number(said, "ball_gained") < 0.01, "the ball won %g J",
                  number(said, "ball_gained"));
        cJSON_Delete(said);
        *strstr(end, ",\"seconds\"") = 0;
        CHECK_MSG(strcmp(runs[i].out, runs[0].out) == 0, "run %d differs", i);
    }
    for (int i = 0; i < 3; i++)
        command_free(&runs[i]);
}

/* What is saved holds everybody, for as long as they played. */
TEST(saves_what_it_played)
{
    const char *path = scratch_path(0, "soccer.glb");
    command_result run = RUN("demo", "soccer", "--players", "1", "--seconds", "2", "-o", path);
    CHECK_MSG(run.code == 0 && strstr(run.out, "of play, 2 players"), "%s%s", run.out, run.err);
    graze_rig *rig = NULL;
    graze_error error;
    graze_status status = graze_gltf_load(path, NULL, &rig, &error);
    REQUIRE(status == GRAZE_OK);
    CHECK(rig->clip_count == 1 && rig->clips[0].seconds > 1.99f && rig->clips[0].seconds < 2.01f);
    CHECK_MSG(rig->triangle_count > 6000, "%u triangles", rig->triangle_count);
    graze_rig_destroy(rig);
    command_free(&run);
}

TEST(refuses_what_it_cannot_play)
{
    static const struct {
        const char *option, *value, *says;
    } bad[] = {{"--players", "12", "at most 11"},
               {"--seconds", "0", "not above 0"},
               {"--seconds", "-3", "not above 0"},
               {"--report", "x.html", "-o OUT.glb"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        command_result run = RUN("demo", "soccer", bad[i].option, bad[i].value);
        CHECK_MSG(run.code == 2 && strstr(run.err, bad[i].says) && count_lines(run.err) == 1,
                  "%s %s: %d %s", bad[i].option, bad[i].value, run.code, run.err);
        command_free(&run);
    }
    command_result men = RUN("demo", "men", "--capsules");
    CHECK(men.code == 2 && strstr(men.err, "soccer"));
    command_free(&men);
}
