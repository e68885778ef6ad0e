/* graze audit in many jobs: merged results are those of one run, byte for byte, whatever happened
 * to the jobs; where that cannot be, it is told, and nothing is printed.
 */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

/* A triangle that grows: its first clip is well, its second is not from frame 1 on, and its third
 * not from frame 0 on.
 */
static const char growing[] =
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":104,\"uri\":\"data:application/"
    "octet-stream;base64,AAAAAAAAAAAAAAAA+QIVUAAAAAAAAAAAAAAAAPkCFVAAAAAAAAAAAM3MzD0AAIA/"
    "AACAPwAAgD8AAABAAAAAQAAAAEAAAIA/AACAPwAAgD/"
    "K8klxyvJJccrySXHK8klxyvJJccrySXE=\"}],\"bufferViews\":[{"
    "\"buffer\":0,\"byteLength\":104}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
    "\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1e10,1e10,0]},{\"bufferView\":0,"
    "\"byteOffset\":36,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":["
    "0.1]},{\"bufferView\":0,\"byteOffset\":44,\"componentType\":5126,\"count\":2,\"type\":"
    "\"VEC3\"},"
    "{\"bufferView\":0,\"byteOffset\":68,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},{"
    "\"bufferView\":0,\"byteOffset\":80,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],"
    "\"animations\":[{\"name\":\"well\",\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":[{"
    "\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}}]},{\"name\":\"bad\",\"samplers\":[{"
    "\"input\":1,\"output\":3}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
    "\"scale\"}"
    "}]},{\"name\":\"worse\",\"samplers\":[{\"input\":1,\"output\":4}],\"channels\":[{\"sampler\":"
    "0,"
    "\"target\":{\"node\":0,\"path\":\"scale\"}}]}]}";

/* ---- a library ------------------------------------------------------------------------------ */

static char library[400], player[420];

static const char *below(int slot, const char *folder, const char *name)
{
    static char paths[8][800];
    snprintf(paths[slot], sizeof paths[slot], "%s/%s", folder, name);
    return paths[slot];
}

static void remove_folder(const char *folder)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries && (entry = readdir(entries)))
        if (entry->d_name[0] != '.')
            remove(below(7, folder, entry->d_name));
    if (entries)
        closedir(entries);
    rmdir(folder);
}

static void remove_library(void)
{
    remove_folder(library);
}

/* Two characters, one with bytes in its name that are not UTF-8, a file that fails at its second
 * clip, half a file, and an empty folder.
 */
static void make_library(void)
{
    if (library[0])
        return;
    size_t size;
    snprintf(library, sizeof library, "%s", scratch_path(0, "library"));
    snprintf(player, sizeof player, "%s/player.glb", library);
    CHECK(mkdir(library, 0777) == 0 && mkdir(below(0, library, "empty"), 0777) == 0);
    command_result run = RUN("synth", "player", "-o", player);
    CHECK_MSG(run.code == 0, "%s", run.err);
    run = RUN("synth", "dwarf", "--triangles", "600", "-o", below(0, library, "q\xff \"\\.glb"));
    CHECK_MSG(run.code == 0, "%s", run.err);
    char *bytes = read_whole_file(player, &size);
    CHECK(bytes && write_whole_file(below(0, library, "half.glb"), bytes, size / 2));
    CHECK(write_whole_file(below(0, library, "growing.gltf"), growing, sizeof growing - 1));
    atexit(remove_library);
}

#define LIBRARY library, "builtin:ball", below(6, library, "empty")

/* ---- one run and many ----------------------------------------------------------------------- */

/* All that is printed, three ways. */
typedef struct told {
    command_result json, table, csv;
} told;

static told merge(const char *folder)
{
    return (told){RUN("audit", "merge", folder, "--json", "--folds"),
                  RUN("audit", "merge", folder, "--rows", "100"),
                  RUN("audit", "merge", folder, "--csv", "/dev/stderr", "-o", "/dev/null")};
}

static told one_run(void)
{
    return (told){RUN("audit", LIBRARY, "--json", "--folds"),
                  RUN("audit", LIBRARY, "--rows", "100"),
                  RUN("audit", LIBRARY, "--csv", "/dev/stderr", "-o", "/dev/null")};
}

static void check_same(const command_result *x, const command_result *y, const char *what)
{
    CHECK_MSG(x->code == y->code && strcmp(x->out, y->out) == 0 && strcmp(x->err, y->err) == 0,
              "%s: exit codes %d and %d, %zu and %zu lines, %s", what, x->code, y->code,
              count_lines(x->out), count_lines(y->out), y->err);
}

static void check_told(const told *one, const told *many, const char *what)
{
    check_same(&one->json, &many->json, what);
    check_same(&one->table, &many->table, what);
    check_same(&one->csv, &many->csv, what);
}

/* Runs one job; plan NULL: none. */
static command_result run_shard(const char *folder, uint32_t shard, uint32_t shards,
                                const char *threads, const char *plan)
{
    char share[24];
    snprintf(share, sizeof share, "%u/%u", shard, shards);
    if (plan)
        return RUN("audit", "--plan", plan, "--out", folder, "--shard", share, "--threads", threads,
                   "--json", "--resume");
    return RUN("audit", LIBRARY, "--out", folder, "--shard", share, "--threads", threads, "--json",
               "--resume");
}

/* Adds up what the last lines say; every clip is in one job. */
static double clips_of(const command_result *run)
{
    const char *last = run->out + strlen(run->out);
    while (last > run->out && (last[0] != '{' || last[-1] != '\n'))
        last--;
    cJSON *json = cJSON_Parse(last);
    double clips = cJSON_GetNumberValue(cJSON_GetObjectItem(json, "clips"));
    cJSON_Delete(json);
    return clips;
}

static void write_plan(const char *path)
{
    command_result run = RUN("audit", "plan", LIBRARY, "-o", path);
    CHECK_MSG(run.code == 0 && strstr(run.err, "2 of 6"), "%d, %s", run.code, run.err);
}

TEST(any_number_of_jobs_prints_what_one_run_does)
{
    static const struct {
        uint32_t shards;
        const char *threads;
        bool planned;
    } rows[] = {{1, "2", false}, {2, "1", false}, {7, "2", false},
                {1, "1", true},  {2, "2", true},  {7, "1", true}};
    make_library();
    char plan[400], folder[400];
    snprintf(plan, sizeof plan, "%s", scratch_path(1, "plan.json"));
    snprintf(folder, sizeof folder, "%s", scratch_path(1, "jobs"));
    write_plan(plan);
    told one = one_run();
    CHECK(one.json.code == 2 && strstr(one.json.out, "growing.gltf\",\"error\":\"frame 1:"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double clips = 0;
        for (uint32_t s = rows[i].shards; s > 0; s--) {
            command_result run = run_shard(folder, s, rows[i].shards, rows[i].threads,
                                           rows[i].planned ? plan : NULL);
            CHECK_MSG(run.code == 0 || run.code == 2, "row %zu: %d, %s", i, run.code, run.err);
            clips += clips_of(&run);
        }
        /* one clip of growing.gltf alone may be well in a job that has no other */
        CHECK_MSG(clips == 9 || (rows[i].planned && clips == 10), "row %zu: %g clips", i, clips);
        told many = merge(folder);
        check_told(&one, &many, rows[i].planned ? "planned" : "by name");
        remove_folder(folder);
    }
    remove(plan);
}

/* By cost: the dearest job has at most its fair share and one clip more. */
TEST(shares_of_a_plan_are_alike)
{
    static const uint32_t shards[] = {2, 3, 5};
    make_library();
    command_result plan = RUN("audit", "plan", player);
    const char *path = scratch_path(1, "plan.json");
    double all = 0, largest = 0;
    for (const char *at = plan.out; (at = strstr(at, "\"frames\":")); at++) {
        double frames = atof(at + 9);
        all += frames;
        largest = frames > largest ? frames : largest;
    }
    CHECK(plan.code == 0 && all > 100 && write_whole_file(path, plan.out, strlen(plan.out)));
    for (size_t i = 0; i < sizeof shards / sizeof *shards; i++) {
        const char *folder = scratch_path(2, "shares");
        double sum = 0;
        for (uint32_t s = 1; s <= shards[i]; s++) {
            command_result run = run_shard(folder, s, shards[i], "1", path);
            const char *at = strstr(run.out, "\"clips\":");
            double frames = at ? atof(strstr(at, "\"frames\":") + 9) : 0;
            CHECK_MSG(frames > 0 && frames <= all / shards[i] + largest, "%u/%u: %g frames", s,
                      shards[i], frames);
            sum += frames;
        }
        CHECK(sum == all);
        remove_folder(folder);
    }
    remove(path);
}

/* ---- what happens to jobs ------------------------------------------------------------------- */

static size_t count_files(const char *folder)
{
    size_t count = 0;
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries && (entry = readdir(entries)))
        count += entry->d_name[0] != '.';
    if (entries)
        closedir(entries);
    return count;
}

static void check_merge_refused(const char *folder, const char *says, const char *when)
{
    command_result run = RUN("audit", "merge", folder, "--json");
    CHECK_MSG(run.code == 2 && run.out[0] == 0 && strstr(run.err, says), "%s: %d, %s%s", when,
              run.code, run.err, run.out);
}

/* A job that is killed once there are so many files in its folder. */
static void kill_job_at(const char *folder, size_t files)
{
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        fclose(stderr);
        execl(GRAZE_COMMAND, GRAZE_COMMAND, "audit", library, "--out", folder, "--resume", "--json",
              "-o", "/dev/null", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    const struct timespec pause = {0, 200000};
    while (count_files(folder) < files && waitpid(child, &status, WNOHANG) == 0)
        nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
}

TEST(killed_in_the_middle_and_resumed)
{
    make_library();
    const char *folder = scratch_path(1, "killed");
    command_result one = RUN("audit", library, "--json", "--folds");
    for (size_t files = 3; files < 9; files += 2) {
        kill_job_at(folder, files);
        CHECK(count_files(folder) >= files);
        if (files == 3)
            check_merge_refused(folder, "there is no result of", "killed");
    }
    command_result rest = RUN("audit", library, "--out", folder, "--resume", "--json", "--folds");
    check_same(&one, &rest, "resumed");
    command_result merged = RUN("audit", "merge", folder, "--json", "--folds");
    check_same(&one, &merged, "killed and resumed");
    remove_folder(folder);
}

/* The path of the player's third clip among the results. */
static const char *third_clip(const char *folder)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    const char *path = NULL;
    while (entries && (entry = readdir(entries)))
        if (strncmp(entry->d_name, "player-", 7) == 0 && strstr(entry->d_name, "-2.json"))
            path = below(5, folder, entry->d_name);
    if (entries)
        closedir(entries);
    return path ? path : "";
}

TEST(results_that_are_not_whole)
{
    make_library();
    const char *folder = scratch_path(1, "broken");
    command_result one = RUN("audit", player, "--out", folder, "--json");
    CHECK_MSG(one.code == 0, "%s", one.err);
    const char *path = third_clip(folder);
    size_t size;
    char *bytes = read_whole_file(path, &size);
    REQUIRE(bytes && size > 500);
    for (size_t k = 0; k < 16; k++) { /* cut ever shorter, then one byte wrong */
        bool cut = k < 8;
        bytes[size - 40] ^= !cut;
        CHECK(write_whole_file(path, bytes, cut ? size - 1 - k * k * (size / 64) : size));
        bytes[size - 40] ^= !cut;
        check_merge_refused(folder, "clip 3 of 7, is not whole", "cut");
        k += cut ? 0 : 8;
    }
    CHECK(remove(path) == 0);
    check_merge_refused(folder, "player.glb, clip 3 of 7", "removed");
    command_result rest = RUN("audit", player, "--out", folder, "--json", "--resume");
    check_same(&one, &rest, "made again");
    size_t again_size;
    char *again = read_whole_file(path, &again_size);
    CHECK(again && again_size == size && memcmp(again, bytes, size) == 0);
    CHECK(write_whole_file(below(0, folder, "audit.json"), "{", 1));
    check_merge_refused(folder, "audit.json", "no job");
    remove_folder(folder);
}

/* With files limited to a few bytes, as on a disk with no room for more. */
TEST(a_full_disk_stops_a_job)
{
    struct rlimit old, small;
    make_library();
    const char *folder = scratch_path(1, "full");
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    small = old;
    small.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &small);
    command_result run = RUN("audit", player, "--out", folder, "--json");
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    CHECK_MSG(run.code == 2 && run.out[0] == 0 && strstr(run.err, "cannot write"), "%d, %s",
              run.code, run.err);
    CHECK(count_lines(run.err) == 1 && count_files(folder) >= 1);
    check_merge_refused(folder, "there is no result of", "full");
    command_result one = RUN("audit", player, "--json");
    run = RUN("audit", player, "--out", folder, "--json", "--resume");
    check_same(&one, &run, "with room again");
    remove_folder(folder);
}

/* ---- what does not belong together ----------------------------------------------------------- */

TEST(other_jobs_in_the_same_folder)
{
    static const struct {
        const char *words[8], *says;
    } rows[] = {{{"@", "--out", "*"}, "another job writes to this folder"},
                {{"@", "--out", "*", "--fps", "24", "--resume"}, "made with --fps 30, not 24"},
                {{"@", "--out", "*", "--merge", "hand.L"}, "made without --merge hand.L"},
                {{"@", "--out", "*", "--parts", "*/map.json"}, "made without --parts"},
                {{"builtin:ball", "--out", "*"}, "other models: builtin:ball is not among them"},
                {{"@", "builtin:ball", "--out", "*"}, "other models"},
                {{"merge", "*", "--gap", "2"}, "made with --gap 0, not 2"},
                {{"merge", "*", "*"}, "needs one folder"},
                {{"merge", "*", "--shard", "1/2"}, "--shard"},
                {{"merge", "/nonexistent"}, "no graze audit --out"},
                {{"plan", "@", "--out", "*"}, "plan only looks"},
                {{"plan"}, "no model"},
                {{"--plan", "/nonexistent", "--out", "*"}, "nonexistent"},
                {{"--plan", "*/map.json", "--out", "*"}, "map.json"},
                {{"@", "--plan", "*/map.json", "--out", "*"}, "give no others"},
                {{"@", "--shard", "1/2"}, "needs --out"},
                {{"@", "--out", "@"}, "player.glb"},
                {{"@", "--out", "/nonexistent/x"}, "nonexistent"},
                {{"@", "--out", "*", "--shard", "0/2"}, "--shard"},
                {{"@", "--out", "*", "--shard", "3/2"}, "--shard"},
                {{"@", "--out", "*", "--shard", "1/2/3"}, "--shard"},
                {{"@", "--out", "*", "--shard", "1.5/2"}, "--shard"},
                {{"@", "--out", "*", "--shard", "2"}, "--shard"}};
    make_library();
    const char *folder = scratch_path(1, "others");
    command_result first = RUN("audit", player, "--out", folder, "--json");
    CHECK(write_whole_file(below(0, folder, "map.json"), "{\"a\":[\"hand.L\"]}", 16));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *words[10] = {"audit"};
        for (int k = 0; k < 8 && rows[i].words[k]; k++)
            words[k + 1] = rows[i].words[k][0] == '@'   ? player
                           : rows[i].words[k][0] != '*' ? rows[i].words[k]
                           : rows[i].words[k][1]        ? below(0, folder, "map.json")
                                                        : folder;
        command_result run = command_run(GRAZE_COMMAND, words);
        CHECK_MSG(run.code == 2 && run.out[0] == 0 && strstr(run.err, rows[i].says),
                  "row %zu: %d, %s", i, run.code, run.err);
    }
    command_result merged = RUN("audit", "merge", folder, "--json", "--fps", "30");
    check_same(&first, &merged, "after all that");
    remove_folder(folder);
}

/* A result of a file that was changed since is made again; a plan of it is refused. */
TEST(models_that_change)
{
    make_library();
    const char *folder = scratch_path(1, "changed"), *plan = scratch_path(2, "plan.json");
    const char *model = scratch_path(3, "growing.gltf");
    char text[sizeof growing];
    memcpy(text, growing, sizeof growing);
    CHECK(write_whole_file(model, text, sizeof text - 1));
    command_result run = RUN("audit", "plan", model, "--clip", "well", "-o", plan);
    CHECK_MSG(run.code == 0, "%s", run.err);
    run = RUN("audit", model, "--clip", "well", "--out", folder, "--json");
    CHECK_MSG(run.code == 0, "%s", run.err);
    memcpy(strstr(text, "\"max\":[0.1]"), "\"max\":[0.2]", 11);
    memcpy(strstr(text, "M3MzD0"), "M3MTD4", 6); /* twice as long */
    CHECK(write_whole_file(model, text, sizeof text - 1));
    command_result one = RUN("audit", model, "--clip", "well", "--json");
    CHECK_MSG(one.code == 0 && strstr(one.out, "\"frames\":7"), "%s", one.out);
    run = RUN("audit", "--plan", plan, "--out", folder, "--resume", "--json");
    CHECK_MSG(run.code == 2 && strstr(run.err, "changed since the plan"), "%s", run.err);
    run = RUN("audit", model, "--clip", "well", "--out", folder, "--resume", "--json");
    check_same(&one, &run, "changed");
    remove_folder(folder);
    remove(model);
}
