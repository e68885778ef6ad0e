/* graze audit --together: clips that each move another piece meet only when they are played at
 * once, in the frames and as deep as their ways say.
 */
#include "harness.h"
#include "support/command.h"
#include "support/json.h"
#include "support/moved.h"

#include <math.h>

/* Balls of 0.5 m, 3 m apart along x. Clip A moves the first 1 m in 0.1 s, B the second 1.4 m in 0.2
 * s towards it, C the first upwards; D holds the first where it is.
 */
static const char *balls(void)
{
    static const char *const names[] = {"left", "right"};
    static const moved_clip clips[] = {{"A", 0, 0.1f, {0, 0, 0}, {1, 0, 0}},
                                       {"B", 1, 0.2f, {0, 0, 0}, {-1.4f, 0, 0}},
                                       {"C", 0, 0.1f, {0, 0, 0}, {0, 0, 1}},
                                       {"D", 0, 0.3f, {0, 0, 0}, {0, 0, 0}}};
    OWN(solid) s = {0};
    solid_add_ball(&s, 0.5, 24);
    const uint32_t first = s.vertex_count;
    solid_add_ball(&s, 0.5, 24);
    for (uint32_t v = first; v < s.vertex_count; v++)
        s.positions[3 * v] += 3;
    moved_save(scratch_path(0, "balls.glb"), &s, names, clips, 4);
    return scratch_path(0, "balls.glb");
}

TEST(clips_that_meet_only_together)
{
    const char *path = balls();
    const cJSON *alone = ONLY_LINE(0, RUN("audit", path, "--json"));
    CHECK(number(alone, "findings") == 0 && number(alone, "clips") == 4);
    static const struct {
        const char *clips, *name;
        int frames;
    } rows[] = {
        {"A,B", "A+B", 7}, {"B,A", "B+A", 7}, {"A,D,B", "A+D+B", 10}, {"D,1,A", "D+B+A", 10}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        command_result run = RUN("audit", path, "--together", rows[i].clips, "--json");
        CLEAN(&run, 0, 2);
        const cJSON *finding = OBJECT(&run, 0), *worst = field(finding, "worst");
        CHECK_MSG(strcmp(text_of(finding, "clip"), rows[i].name) == 0, "%s", run.out);
        CHECK(number(finding, "from") == 5 && number(finding, "to") == rows[i].frames - 1);
        CHECK(number(OBJECT(&run, 1), "frames") == rows[i].frames);
        CHECK(number(worst, "frame") == 6 && fabs(number(worst, "depth") - 0.4) < 0.01);
    }
}

TEST(clips_that_cannot_be_played_together)
{
    const char *path = balls();
    static const struct {
        const char *clips, *says;
    } rows[] = {{"all", "the clips A and C both move the translation of left"},
                {"C,B,A", "the clips C and A both move the translation of left"},
                {"A,E", "there is no clip E"},
                {"", "there is no clip"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        command_result run = RUN("audit", path, "--together", rows[i].clips, "--json");
        CHECK_MSG(run.code == 2 && strstr(run.err, rows[i].says), "%d, %s", run.code, run.err);
    }
    REFUSED("--clip or --together", "audit", path, "--together", "all", "--clip", "A");
    FAILS("the model has no clips", "audit", "builtin:ball", "--together", "all");
}

/* In a plan it is one clip; in jobs it has its own result, and on the page its picture. */
TEST(together_in_many_jobs)
{
    const char *path = balls(), *folder = scratch_path(1, "results"), *plan = scratch_path(2, "p");
    command_result one = RUN("audit", path, "--together", "A,B", "--json");
    command_result run = RUN("audit", "plan", path, "--together", "A,B", "-o", plan);
    CHECK_MSG(run.code == 0, "%s", run.err);
    run = RUN("audit", "--plan", plan, "--out", folder, "--shard", "1/1", "--json");
    CHECK_MSG(strcmp(run.out, one.out) == 0, "%s", run.err);
    run = RUN("audit", "merge", folder, "--json", "--report", scratch_path(3, "page.html"));
    CHECK_MSG(strcmp(run.out, one.out) == 0 && run.err[0] == 0, "%s", run.err);
    size_t size;
    CHECK(strstr(read_whole_file(scratch_path(3, "page.html"), &size), "id=\"audit-scene-0\""));
    CHECK(command_run("/bin/rm", (const char *const[]){"-r", folder, NULL}).code == 0);
}
