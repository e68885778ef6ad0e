/* graze chain: fields and their meaning as a user sees them, the exact answer beside that of graze
 * self, descriptions, and what is said of bad ones.
 */
#include "harness.h"
#include "support/json.h"

#include <string.h>

static const char *man(void)
{
    static char path[400];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(0, "man.glb"));
        command_result run = RUN("synth", "man", "--triangles", "2000", "-o", path, "--json");
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
    }
    return path;
}

static uint32_t item(const cJSON *array, int index)
{
    return (uint32_t)cJSON_GetNumberValue(cJSON_GetArrayItem(array, index));
}

/* Whether two spheres of a frame overlap, in floats. */
static bool touch(const cJSON *spheres, uint32_t a, uint32_t b)
{
    float s[2][4];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++)
            s[i][k] = (float)cJSON_GetNumberValue(
                cJSON_GetArrayItem(cJSON_GetArrayItem(spheres, (int)(i ? b : a)), k));
    float x = s[0][0] - s[1][0], y = s[0][1] - s[1][1], z = s[0][2] - s[1][2];
    float r = s[0][3] + s[1][3];
    return (x * x + y * y) + z * z <= r * r;
}

/* The first line, in itself. */
static void check_rest(const cJSON *rest)
{
    int spheres = (int)number(rest, "spheres"), regions = size_of(rest, "regions");
    const cJSON *one, *inner;
    CHECK(spheres > 20 && regions >= 5 && size_of(rest, "region_of") == spheres);
    cJSON_ArrayForEach(one, field(rest, "regions")) CHECK(cJSON_IsString(one));
    cJSON_ArrayForEach(one, field(rest, "region_of"))
    {
        CHECK(cJSON_IsNumber(one) && one->valuedouble >= 0 && one->valuedouble < regions);
    }
    CHECK(size_of(rest, "chains") >= 6);
    cJSON_ArrayForEach(one, field(rest, "chains")) cJSON_ArrayForEach(inner, one)
    {
        CHECK(inner->valuedouble >= 0 && inner->valuedouble < spheres);
    }
    double last = -1;
    cJSON_ArrayForEach(one, field(rest, "checked"))
    {
        double a = item(one, 0), b = item(one, 1);
        CHECK(cJSON_GetArraySize(one) == 2 && a < b && b < spheres && spheres * a + b > last);
        last = spheres * a + b;
    }
    CHECK(last >= 0);
    CHECK(number(field(rest, "fit"), "mean") > 0);
    CHECK(number(field(rest, "fit"), "max") >= number(field(rest, "fit"), "mean"));
}

/* A frame against the pairs of the first line: exactly those that overlap. */
static int check_frame(const cJSON *rest, const cJSON *frame)
{
    const cJSON *spheres = field(frame, "spheres"), *pair;
    const cJSON *next = field(frame, "pairs") ? field(frame, "pairs")->child : NULL;
    int count = size_of(frame, "pairs");
    CHECK(cJSON_GetArraySize(spheres) == (int)number(rest, "spheres"));
    CHECK(cJSON_IsTrue(field(frame, "hit")) == (count > 0));
    CHECK(cJSON_IsNumber(field(frame, "frame")) && cJSON_IsNumber(field(frame, "time")));
    cJSON_ArrayForEach(pair, field(rest, "checked"))
    {
        uint32_t a = item(pair, 0), b = item(pair, 1);
        bool listed = next && item(next, 0) == a && item(next, 1) == b;
        CHECK_MSG(listed == touch(spheres, a, b), "spheres %u and %u", a, b);
        next = listed ? next->next : next;
    }
    CHECK(next == NULL);
    return count;
}

TEST(lines_have_all_fields_and_mean_what_they_say)
{
    static const char *const methods[] = {"chains", "all", "tree"};
    static const char *const updates[] = {"pivots", "conservative"};
    int found[2][3] = {{0}};
    for (int u = 0; u < 2; u++)
        for (int m = 0; m < 3; m++) {
            command_result run = RUN("chain", man(), "--json", "--times", "0:0.9:4", "--method",
                                     methods[m], "--update", updates[u]);
            CHECK(count_lines(run.out) == 5);
            cJSON *rest = OBJECT(&run, 0);
            check_rest(rest);
            for (size_t line = 1; line < 5; line++) {
                cJSON *frame = OBJECT(&run, line);
                CHECK(number(frame, "frame") == (double)line - 1);
                found[u][m] += check_frame(rest, frame);
            }
        }
    for (int u = 0; u < 2; u++)
        CHECK(found[u][0] == found[u][2] && found[u][0] <= found[u][1]);
    CHECK(found[1][0] > found[0][0]);
}

/* Chains, then the exact query: the lines of graze self. */
static void check_exact(const char *skin, const char *method)
{
    command_result chain = RUN("chain", man(), "--json", "--times", "0:0.9:3", "--update",
                               "conservative", "--exact", "--method", method, "--skin", skin);
    command_result self = RUN("self", man(), "--json", "--times", "0:0.9:3", "--skin", skin);
    for (size_t line = 0; line < 3; line++) {
        cJSON *left = OBJECT(&chain, line + 1), *right = OBJECT(&self, line);
        CHECK_MSG(cJSON_Compare(field(left, "triangles"), field(right, "pairs"), true),
                  "%s, %s: frame %zu", skin, method, line);
        CHECK(cJSON_IsArray(field(left, "triangles")));
    }
}

TEST(exact_is_the_answer_of_self)
{
    check_exact("linear", "chains");
    check_exact("dual", "all");
    check_exact("spherical", "tree");
}

TEST(text_for_people)
{
    command_result run = RUN("chain", man(), "--exact");
    CHECK(run.code == 0 && strstr(run.out, " spheres in ") && strstr(run.out, " of triangles"));
    run = RUN("chain", man(), "--update", "conservative", "--fail-on-hit");
    CHECK(run.code == 1);
}

TEST(ends_pivots_and_overlaps_are_choices)
{
    int spheres[4];
    command_result runs[4] = {
        RUN("chain", man(), "--json"),
        RUN("chain", man(), "--json", "--ends", "head,hands,feet"),
        RUN("chain", man(), "--json", "--step", "0.02", "--overlap", "0.1"),
        RUN("chain", man(), "--json", "--paper-pivots"),
    };
    int regions[4];
    for (int i = 0; i < 4; i++) {
        cJSON *rest = OBJECT(&runs[i], 0), *frame = OBJECT(&runs[i], 1);
        spheres[i] = (int)number(rest, "spheres");
        regions[i] = size_of(rest, "regions");
        check_frame(rest, frame);
    }
    CHECK(regions[1] > regions[0] && spheres[2] < spheres[0] && spheres[3] == spheres[0]);
}

/* ---- descriptions ---------------------------------------------------------------------------- */

static const char *write(const char *text)
{
    const char *path = scratch_path(1, "chains.json");
    CHECK(write_whole_file(path, text, strlen(text)));
    return path;
}

/* Two spheres that pivots take along, and one more far off. */
static const char given[] =
    "{\"regions\":[{\"name\":\"left\"},{\"name\":\"right\"}],\"spheres\":["
    "{\"region\":\"left\",\"centre\":[0,1,0],\"radius\":0.3,\"pivots\":[[0,0.5],[900,0.5]]},"
    "{\"region\":\"right\",\"centre\":[0,0.2,0],\"radius\":0.1,\"pivots\":[[3,1]],\"factor\":2},"
    "{\"region\":\"right\",\"centre\":[0,1.7,0],\"radius\":0.1,\"pivots\":[[7,0.25],[8,0.75]]}],"
    "\"chains\":[[0,1]],\"also\":[[1,2]],\"neighbour_steps\":0}";

TEST(spheres_of_a_file)
{
    command_result run = RUN("chain", man(), "--json", "--describe", write(given), "--exact",
                             "--update", "conservative");
    cJSON *rest = OBJECT(&run, 0), *frame = OBJECT(&run, 1);
    CHECK(number(rest, "spheres") == 3 && size_of(rest, "regions") == 2);
    char *checked = json_text(field(rest, "checked"));
    char *owner = json_text(field(rest, "region_of"));
    CHECK_MSG(checked && strcmp(checked, "[[0,1],[1,2]]") == 0, "%s", checked ? checked : "");
    CHECK_MSG(owner && strcmp(owner, "[0,1,1]") == 0, "%s", owner ? owner : "");
    check_frame(rest, frame);
    command_result self = RUN("self", man(), "--json");
    cJSON *whole = OBJECT(&self, 0);
    CHECK(cJSON_Compare(field(frame, "triangles"), field(whole, "pairs"), true));
}

/* The left arm, and all else as a trunk, which are also looked at with each other. */
TEST(regions_of_a_file)
{
    static const char text[] =
        "{\"regions\":[{\"name\":\"arm\",\"parent\":\"body\",\"joints\":[\"upper_arm.L\","
        "\"forearm.L\",\"hand.L\",\"fingers.L\",\"thumb.L\"]},{\"name\":\"body\",\"kind\":"
        "\"trunk\",\"joints\":[\"pelvis\",\"spine.1\",\"spine.2\",\"spine.3\",\"chest\",\"neck\","
        "\"head\",\"clavicle.L\",\"thigh.L\",\"calf.L\",\"foot.L\",\"toes.L\",\"clavicle.R\","
        "\"upper_arm.R\",\"forearm.R\",\"hand.R\",\"fingers.R\",\"thumb.R\",\"thigh.R\","
        "\"calf.R\",\"foot.R\",\"toes.R\"]}],\"also\":[[\"arm\",\"body\"]]}";
    command_result run = RUN("chain", man(), "--json", "--describe", write(text));
    cJSON *rest = OBJECT(&run, 0), *frame = OBJECT(&run, 1);
    const cJSON *regions = field(rest, "regions"), *one;
    int of[2] = {0, 0}, between = 0;
    CHECK(cJSON_GetArraySize(regions) == 3); /* a trunk has two sides */
    CHECK(strcmp(cJSON_GetStringValue(cJSON_GetArrayItem(regions, 0)), "arm") == 0);
    cJSON_ArrayForEach(one, field(rest, "region_of")) of[one->valuedouble > 0]++;
    CHECK(of[0] > 3 && of[1] > 3);
    cJSON_ArrayForEach(one, field(rest, "checked"))
    {
        const cJSON *owners = field(rest, "region_of");
        between += item(owners, (int)item(one, 0)) != item(owners, (int)item(one, 1));
    }
    CHECK(between > 10);
    check_frame(rest, frame);
}

/* ---- bad input ------------------------------------------------------------------------------- */

static void check_bad(const char *text, const char *wanted)
{
    command_result run = RUN("chain", man(), "--describe", write(text));
    CHECK_MSG(run.code == 2 && run.out[0] == 0 && count_lines(run.err) == 1 &&
                  strstr(run.err, wanted),
              "exit code %d: %s (expected %s)", run.code, run.err, wanted);
}

TEST(bad_descriptions_are_named)
{
    check_bad("[]", "chains.json");
    check_bad("{\"spheres\":[]}", "there is no region");
    check_bad("{\"spheres\":3,\"regions\":[{\"name\":\"a\"}]}", "spheres: expected");
    check_bad("{\"regions\":[{\"name\":\"a\"},{\"name\":\"b\",\"parent\":\"c\"}]}",
              "regions[1].parent");
    check_bad("{\"regions\":[{\"name\":\"a\",\"joints\":[\"nose\"]}]}",
              "regions[0].joints[0]: there is no joint nose");
    check_bad("{\"regions\":[{\"name\":\"a\",\"triangles\":[-1]}]}", "regions[0].triangles[0]");
    check_bad("{\"regions\":[{\"name\":\"a\",\"triangles\":[0]}]}",
              "expected every triangle in a region, found 1 in none");
    check_bad("{\"regions\":[{\"name\":\"a\"}]}", "expected every joint in a region");
    check_bad("{\"regions\":[{\"name\":\"a\",\"colour\":1}]}", "colour");
    check_bad("{\"regions\":[{\"name\":\"a\"}],\"spheres\":[{\"region\":\"b\"}]}",
              "spheres[0].region");
    check_bad("{\"regions\":[{\"name\":\"a\"}],\"spheres\":[{\"region\":\"a\",\"centre\":[0,0,0],"
              "\"radius\":1,\"pivots\":[[1e9,1]]}]}",
              "spheres[0].pivots[0][0]");
    check_bad("{\"regions\":[{\"name\":\"a\"}],\"spheres\":[{\"region\":\"a\",\"centre\":[0,0,0],"
              "\"radius\":-1,\"pivots\":[[1,1]]}]}",
              "radius");
    check_bad("{\"regions\":[{\"name\":\"a\"}],\"spheres\":[{\"region\":\"a\",\"centre\":[0,0,0],"
              "\"radius\":1,\"pivots\":[[1,1]]}],\"chains\":[[0,1]]}",
              "chains[0][1]");
    check_bad("{\"regions\":[{\"name\":\"a\"}],\"spheres\":[{\"region\":\"a\",\"centre\":[0,0,0],"
              "\"radius\":1,\"pivots\":[[1,1]]}],\"owners\":[0]}",
              "owners: expected 2000 spheres");
}

static void check_line(const char *option, const char *value, const char *wanted)
{
    command_result run = RUN("chain", man(), option, value);
    CHECK_MSG(run.code == 2 && run.out[0] == 0 && count_lines(run.err) == 1 &&
                  strstr(run.err, wanted),
              "%s %s: exit code %d: %s", option, value, run.code, run.err);
}

TEST(bad_options_are_named)
{
    check_line("--ends", "nose", "there is no nose; expected head, hands, feet, fingers or none");
    check_line("--method", "tre", "tree");
    check_line("--update", "pivot", "pivots");
    check_line("--step", "-1", "--step");
    check_line("--overlap", "-0.5", "--overlap");
    check_line("--clusters", "17", "17 clusters a sphere, not 1 to 16");
    check_line("--describe", "nowhere.json", "nowhere.json");
    command_result run = RUN("chain", "builtin:curtain");
    CHECK_MSG(run.code == 2 && count_lines(run.err) == 1, "exit code %d: %s", run.code, run.err);
}
