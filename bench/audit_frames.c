/* What a frame of a clip costs: the audit, and programs that skin every vertex and then test the
 * mesh against itself. Blender and Open3D run as scripts of theirs where they are installed.
 */
#include "bench/audit.h"
#include "bench/positions.h"

#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WAYS = 8, PAIRS_MOST = 1 << 18 };

typedef enum frame_way { WAY_AUDIT, WAY_PAIRS, WAY_SKIN, WAY_LIBRARY } frame_way;

typedef struct frames {
    audit_scene scene;
    const char *name;
    double fps;
    uint32_t count;
    graze_body *body;
    float *joints, *positions;
    uint32_t *welds;
    bench_pair *pairs;
    uint32_t ways;
    struct {
        const char *name;
        frame_way way;
        const bench_self_collider *self;
        void *model;
        size_t pairs; /* in all frames */
    } of[MOST_WAYS];
} frames;

/* ---- asking --------------------------------------------------------------------------------- */

static void pose(frames *f, uint32_t frame)
{
    const graze_rig *rig = f->scene.character.rig;
    bench_must(graze_rig_sample(rig, 0, frame / f->fps, f->joints, NULL));
    bench_pose(f->body, f->joints, rig->joint_count, NULL);
}

static void audit(frames *f)
{
    const graze_audit_settings settings = {.fps = f->fps};
    graze_audit_result result;
    bench_must(graze_audit_clip(f->scene.subject, 0, &settings, NULL, &result, &bench_error));
    graze_audit_result_free(&result);
}

static void ask(frames *f, int number)
{
    const frame_way way = f->of[number].way;
    if (way == WAY_AUDIT) {
        audit(f);
        return;
    }
    f->of[number].pairs = 0;
    for (uint32_t frame = 0; frame < f->count; frame++) {
        pose(f, frame);
        if (way == WAY_PAIRS) {
            f->of[number].pairs += bench_self_pairs(f->body, NULL, NULL);
            continue;
        }
        graze_body_get_positions(f->body, f->positions);
        if (way != WAY_LIBRARY)
            continue;
        f->of[number].self->of->refit(f->of[number].model);
        f->of[number].pairs +=
            f->of[number].self->collide(f->of[number].model, f->welds, f->pairs, PAIRS_MOST);
    }
}

/* ---- telling -------------------------------------------------------------------------------- */

static void tell(const frames *f, const char *method, double least, double median, double ratio,
                 double pairs)
{
    bench_row("audit",
              "model:%s method:%s:%-34s ms:%.4f:%9.3f ms_median:%.4f:%9.3f ratio:%.3f:%8.2f "
              "pairs:%.1f:%9.1f",
              ROW_TEXTS(f->name, method), ROW_NUMBERS(least, median, ratio, pairs));
}

/* ---- scripts -------------------------------------------------------------------------------- */

/* What the scripts read: three numbers, the triangles, every frame's positions. */
static void write_frames(frames *f, FILE *file)
{
    const graze_rig *rig = f->scene.character.rig;
    const uint32_t head[3] = {rig->vertex_count, rig->triangle_count, f->count};
    fwrite(head, sizeof head, 1, file);
    fwrite(rig->triangles, 3 * sizeof(uint32_t), rig->triangle_count, file);
    for (uint32_t frame = 0; frame < f->count; frame++) {
        pose(f, frame);
        graze_body_get_positions(f->body, f->positions);
        fwrite(f->positions, 3 * sizeof(float), rig->vertex_count, file);
    }
}

/* A row for each line "NAME|LEAST|MEDIAN|PAIRS" of a script, or one that says that there is none.
 * Its times are without skinning, which is added.
 */
static void run_script(const frames *f, const char *program, const char *command,
                       const bench_time *skin, double graze_ms)
{
    char line[256], name[64];
    double least, median, pairs;
    bool told = false;
    FILE *lines = popen(command, "r");
    while (lines && fgets(line, sizeof line, lines))
        if (sscanf(line, "%63[^|]|%lf|%lf|%lf", name, &least, &median, &pairs) == 4) {
            least += skin->least / 1000 / f->count;
            tell(f, name, least, median + skin->middle / 1000 / f->count, least / graze_ms, pairs);
            told = true;
        }
    if (lines)
        pclose(lines);
    snprintf(line, sizeof line, "%s: not here", program);
    if (!told)
        tell(f, line, NAN, NAN, NAN, NAN);
}

static void run_scripts(frames *f, const bench_time *skin, double graze_ms)
{
    char path[] = "/tmp/graze-frames-XXXXXX", command[1200];
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (!file)
        bench_die("%s: cannot be made", path);
    write_frames(f, file);
    if (fclose(file) != 0)
        bench_die("%s: cannot be written", path);
    snprintf(command, sizeof command,
             "blender --background --factory-startup --threads 1 --python %s/audit_peers.py -- "
             "blender %s %u 2>/dev/null",
             GRAZE_BENCH_FOLDER, path, asked.rounds);
    run_script(f, "Blender", command, skin, graze_ms);
    snprintf(command, sizeof command,
             "OMP_NUM_THREADS=1 python3 %s/audit_peers.py open3d %s %u 2>/dev/null",
             GRAZE_BENCH_FOLDER, path, asked.rounds);
    run_script(f, "Open3D", command, skin, graze_ms);
    unlink(path);
}

/* ---- measuring ------------------------------------------------------------------------------ */

/* As bench_interleave, in processor time, which other programs change less. */
static void interleave(frames *f, bench_time *times)
{
    bench_samples samples[MOST_WAYS] = {{.count = 0}};
    for (uint32_t round = 0; round < asked.rounds; round++)
        for (uint32_t way = 0; way < f->ways; way++) {
            ask(f, (int)way);
            double start = bench_processor();
            ask(f, (int)way);
            bench_add(&samples[way], bench_processor() - start);
        }
    for (uint32_t way = 0; way < f->ways; way++)
        times[way] = (bench_time){bench_least(&samples[way]), bench_middle(&samples[way])};
}

/* ---- a scene -------------------------------------------------------------------------------- */

static void add_libraries(frames *f)
{
    const bench_peers *peers = queries_peers();
    const graze_rig *rig = f->scene.character.rig;
    static bench_mesh mesh;
    mesh = (bench_mesh){f->positions, rig->vertex_count, rig->triangles, rig->triangle_count};
    for (uint32_t i = 0; i < peers->self_collider_count; i++) {
        const bench_self_collider *self = peers->self_colliders[i];
        if (strncmp(self->of->name, "Embree", 6) != 0 || f->ways == MOST_WAYS)
            continue;
        f->of[f->ways].model = self->of->create(&mesh);
        f->of[f->ways].self = self;
        f->of[f->ways].way = WAY_LIBRARY;
        f->of[f->ways].name = self->of->name;
        f->ways += f->of[f->ways].model != NULL;
    }
}

static void open_frames(frames *f, const char *name, double fps, const queries_motion *motion)
{
    *f = (frames){.name = name, .fps = fps, .ways = 3};
    audit_scene_open(&f->scene, name, motion);
    const graze_rig *rig = f->scene.character.rig;
    f->count = graze_audit_frames(rig, 0, fps);
    f->body = bench_make_body(f->scene.character.model);
    f->joints = bench_take(rig->joint_count, 12 * sizeof(float));
    f->positions = bench_take(3 * (size_t)rig->vertex_count + 1, sizeof(float));
    f->welds = positions_find_welds(rig);
    f->pairs = bench_take(PAIRS_MOST, sizeof *f->pairs);
    pose(f, 0);
    graze_body_get_positions(f->body, f->positions);
    f->of[0].name = "graze audit";
    f->of[1].name = "graze, the pairs alone";
    f->of[2].name = "skinning every vertex alone";
    f->of[1].way = WAY_PAIRS;
    f->of[2].way = WAY_SKIN;
    add_libraries(f);
}

static void close_frames(frames *f)
{
    for (uint32_t i = 0; i < f->ways; i++)
        if (f->of[i].way == WAY_LIBRARY)
            f->of[i].self->of->destroy(f->of[i].model);
    graze_body_destroy(f->body);
    free(f->joints);
    free(f->positions);
    free(f->welds);
    free(f->pairs);
    audit_scene_close(&f->scene);
}

static void measure(const char *name, double fps, const queries_motion *motion)
{
    frames f;
    bench_time times[MOST_WAYS];
    open_frames(&f, name, fps, motion);
    interleave(&f, times);
    bench_say("\n%s, %u frames\n  %-34s %9s %9s %8s %9s\n", name, f.count, "", "ms", "median",
              "ratio", "pairs");
    for (uint32_t i = 0; i < f.ways; i++)
        tell(&f, f.of[i].name, times[i].least / 1000 / f.count, times[i].middle / 1000 / f.count,
             times[i].least / times[0].least,
             f.of[i].way == WAY_PAIRS || f.of[i].way == WAY_LIBRARY
                 ? (double)f.of[i].pairs / f.count
                 : NAN);
    run_scripts(&f, &times[2], times[0].least / 1000 / f.count);
    close_frames(&f);
}

void audit_bench_frames(void)
{
    char name[64];
    bench_say(
        "\nMilliseconds a frame from the clip, one core: the least of %u alternating rounds "
        "over all frames, and the middle one.\nThe audit finds pairs, parts, depths and "
        "stretches; all others find pairs alone. Embree, Blender and Open3D are\ngiven the "
        "posed triangles, and skinning is counted in; pairs are those a frame, and of Blender "
        "and Open3D with neighbours.\n",
        asked.rounds);
    measure(audit_scene_name(name, "man", 28272), 2, &audit_dance);
    measure(audit_scene_name(name, "creature", 50000), 30, NULL);
}
