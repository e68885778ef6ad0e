/* graze world -o OUT.glb: loaded again, every vertex is where the scene says, at frames and between
 * them; what fails leaves nothing behind.
 */
#include "harness.h"
#include "support/json.h"
#include "support/own.h"
#include "support/rigs.h"

#include <graze/body.h>
#include <graze/gltf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The models of the scene: skinned, morphing, rigid. */
static const char *const kinds[3][4] = {
    {"dwarf", "600", "dwarf.glb"}, {"curtain", "400", "curtain.glb"}, {"ball", "1280", "ball.glb"}};

typedef struct placed_model {
    int kind;
    double at[3], turn, phase, velocity[3];
} placed_model;

/* As in the text below. */
static const placed_model placed[] = {{0, {0, 0, 0}, 0, 0, {0, 0, 0}},
                                      {0, {1, 0.5, -2}, 137, 0.35, {0.5, 0, 4}},
                                      {1, {0, 1, 3}, -45, -0.2, {0, 0, 0}},
                                      {2, {2, 3, 1}, 30, 0, {-1, -1, 0.25}}};

static const char scene[] =
    "{\"seconds\": 1.5, \"fps\": 20, \"bodies\": ["
    "{\"name\": \"still\", \"model\": \"dwarf.glb\"},"
    "{\"name\": \"walker\", \"model\": \"dwarf.glb\", \"clip\": \"walk\", \"at\": [1, 0.5, -2],"
    " \"turn\": 137, \"phase\": 0.35, \"velocity\": [0.5, 0, 4]},"
    "{\"name\": \"cloth\", \"model\": \"curtain.glb\", \"clip\": 0, \"at\": [0, 1, 3],"
    " \"turn\": -45, \"phase\": -0.2},"
    "{\"name\": \"rigid\", \"model\": \"ball.glb\", \"at\": [2, 3, 1], \"turn\": 30,"
    " \"velocity\": [-1, -1, 0.25]},"
    "{\"name\": \"sphere\", \"sphere\": 0.3, \"at\": [5, 0, 0], \"velocity\": [0, 2, 0]},"
    "{\"name\": \"capsule\", \"capsule\": [2, 0.2], \"at\": [0, 5, 0], \"turn\": 10},"
    "{\"name\": \"box\", \"box\": [1, 2, 3], \"at\": [0, 0, 9], \"turn\": 90},"
    "{\"name\": \"plane\", \"plane\": [0, 2, 1, 3], \"at\": [0, -1, 0], \"turn\": 180}]}";

static const char *write_scene(void)
{
    static bool written;
    for (int k = 0; k < 3 && !written; k++) {
        command_result run = RUN("synth", kinds[k][0], "--triangles", kinds[k][1], "-o",
                                 scratch_path(0, kinds[k][2]));
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
    }
    written = true;
    CHECK(write_whole_file(scratch_path(1, "scene.json"), scene, strlen(scene)));
    return scratch_path(1, "scene.json");
}

/* ---- where everything is ------------------------------------------------------------------ */

/* A rig, and where its vertices are in a pose. */
typedef struct actor {
    graze_rig *rig;
    graze_model *model;
    graze_body *body;
    float *positions;
} actor;

static bool open_actor(actor *a, const char *path)
{
    graze_error error = {0};
    *a = (actor){.rig = NULL};
    bool good = !test_rig_load(path, &a->rig, &error) &&
                !graze_rig_create_model(a->rig, NULL, &a->model, &error) &&
                !graze_body_create(a->model, &a->body, &error);
    CHECK_MSG(good, "%s: %s", path, error.text);
    a->positions = good ? malloc(a->rig->vertex_count * 3 * sizeof(float)) : NULL;
    return a->positions != NULL;
}

static void close_actor(actor *a)
{
    graze_body_destroy(a->body);
    graze_model_destroy(a->model);
    graze_rig_destroy(a->rig);
    free(a->positions);
}

static void pose_actor(actor *a, uint32_t clip, double time, const float *placement)
{
    CHECK(!graze_rig_pose_body(a->rig, clip, time, placement, a->body, NULL));
    graze_body_get_positions(a->body, a->positions);
}

/* How far the vertices of one are from those of the file, from `first` on. */
static double largest_distance(const actor *a, const float *saved)
{
    double most = 0;
    for (uint32_t v = 0; v < a->rig->vertex_count; v++) {
        double squared = 0;
        for (int k = 0; k < 3; k++) {
            double d = (double)a->positions[v * 3 + k] - saved[v * 3 + k];
            squared += d * d;
        }
        most = fmax(most, sqrt(squared));
    }
    return most;
}

static double check_models(actor *models, const float *saved, double time, uint32_t *first)
{
    double most = 0;
    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++) {
        const placed_model *p = &placed[i];
        double angle = p->turn * 3.14159265358979323846 / 180, s = sin(angle), c = cos(angle);
        const double rows[12] = {c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0};
        float placement[12];
        for (int k = 0; k < 12; k++)
            placement[k] = (float)(k % 4 == 3 ? p->at[k / 4] + time * p->velocity[k / 4] : rows[k]);
        actor *model = &models[p->kind];
        bool moves = i == 1 || i == 2;
        pose_actor(model, moves ? 0 : GRAZE_NONE, time + p->phase, placement);
        most = fmax(most, largest_distance(model, saved + (size_t)*first * 3));
        *first += model->rig->vertex_count;
    }
    return most;
}

/* How far a point is from the surface of each primitive. */
static double off_sphere(const float *p, double time)
{
    return fabs(hypot(hypot(p[0] - 5.0, p[1] - 2 * time), p[2]) - 0.3);
}

static double off_capsule(const float *p, double time)
{
    double y = p[1] - 5.0;
    (void)time;
    y = y > 1 ? y - 1 : y < -1 ? y + 1 : 0;
    return fabs(hypot(hypot(p[0], y), p[2]) - 0.2);
}

static double off_box(const float *p, double time)
{
    (void)time; /* a quarter turn: x and z change places */
    double x = fabs(p[0]) / 1.5, y = fabs(p[1]), z = fabs(p[2] - 9.0) / 0.5;
    return fabs(fmax(fmax(x, y), z) - 1);
}

static double off_plane(const float *p, double time)
{
    (void)time; /* half a turn: its normal is 0 2 -1 */
    return fabs(2 * (p[1] + 1.0) - p[2] - 3) / sqrt(5);
}

static void check_primitives(const float *saved, uint32_t first, uint32_t count, double time)
{
    static double (*const off[])(const float *, double) = {off_sphere, off_capsule, off_box,
                                                           off_plane};
    uint32_t kind = 0, on[4] = {0};
    for (uint32_t v = first; v < count; v++) {
        const float *p = saved + (size_t)v * 3;
        while (kind < 3 && off[kind](p, time) > 1e-5)
            kind++;
        on[kind] += off[kind](p, time) <= 1e-5;
    }
    CHECK_MSG(on[0] + on[1] + on[2] + on[3] == count - first, "at %g s: %u %u %u %u of %u", time,
              on[0], on[1], on[2], on[3], count - first);
    CHECK(on[0] > 500 && on[1] > 500 && on[2] == 24 && on[3] == 4);
}

/* The largest error over frames and times between them. */
static double check_file(const char *path)
{
    actor models[3], all;
    double most = 0;
    bool good = open_actor(&all, path);
    for (int k = 0; k < 3; k++)
        good = open_actor(&models[k], scratch_path(0, kinds[k][2])) && good;
    for (int step = 0; step <= 60 && good; step += 3) {
        double time = step / 40.0;
        uint32_t first = 0;
        pose_actor(&all, 0, time, NULL);
        most = fmax(most, check_models(models, all.positions, time, &first));
        check_primitives(all.positions, first, all.rig->vertex_count, time);
    }
    close_actor(&all);
    for (int k = 0; k < 3; k++)
        close_actor(&models[k]);
    return most;
}

/* "... 123 keys; vertices are off by at most 0.0301 mm" */
static void read_report(const char *text, unsigned *keys, double *millimetres)
{
    const char *found = strstr(text, " bodies, ");
    const char *last = found ? strstr(found + 1, " bodies, ") : NULL;
    found = last ? last : found;
    CHECK_MSG(found && sscanf(found, " bodies, %u keys; vertices are off by at most %lf mm", keys,
                              millimetres) == 2,
              "%s", text);
}

TEST(every_vertex_is_where_the_scene_says)
{
    static const double tolerances[] = {0.02, 1e-3, 1e-4, 0};
    const char *path = write_scene(), *out = scratch_path(2, "out.glb");
    unsigned keys_before = 0;
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
        char text[32];
        unsigned keys = 0;
        double said = -1;
        snprintf(text, sizeof text, "%g", tolerances[i]);
        command_result run = RUN("world", path, "-o", out, "--tolerance", text);
        CHECK_MSG(run.code == 0 && count_lines(run.err) == 1 &&
                      strstr(run.err, "warning: walker's clip ends"),
                  "%s", run.err);
        read_report(run.out, &keys, &said);
        double most = check_file(out);
        CHECK_MSG(most <= tolerances[i] + 2e-6, "tolerance %s: %g off", text, most);
        CHECK_MSG(said * 1e-3 <= tolerances[i] + 2e-6 && most <= said * 1e-3 + 2e-6,
                  "tolerance %s: %g mm said, %g m off", text, said, most);
        CHECK_MSG(keys >= keys_before, "tolerance %s: %u keys", text, keys);
        keys_before = keys;
    }
}

TEST(bodies_are_nodes_and_there_is_one_clip)
{
    static const char *const names[] = {"still",  "walker",  "cloth", "rigid",
                                        "sphere", "capsule", "box",   "plane"};
    const char *out = scratch_path(2, "named.glb");
    command_result run = RUN("world", write_scene(), "-o", out, "--json");
    CHECK_MSG(run.code == 0 && count_lines(run.err) == 1, "%s", run.err);
    size_t size = 0;
    char *bytes = read_whole_file(out, &size);
    REQUIRE(bytes && size > 20 && memcmp(bytes, "glTF", 4) == 0);
    cJSON *file = json_parse(bytes + 20);
    const cJSON *nodes = field(file, "nodes");
    const cJSON *roots = field(cJSON_GetArrayItem(field(file, "scenes"), 0), "nodes");
    const cJSON *root;
    size_t found = 0;
    cJSON_ArrayForEach(root, roots)
    {
        const cJSON *node = cJSON_GetArrayItem(nodes, root->valueint);
        const cJSON *name = field(node, "name");
        if (!field(node, "skin")) {
            CHECK_MSG(found < 8 && strcmp(name->valuestring, names[found]) == 0, "root %zu", found);
            found++;
        }
    }
    CHECK(found == 8);
    CHECK(size_of(file, "animations") == 1);
    /* Files of the command have skins. */
    CHECK(size_of(file, "skins") == 4);
    CHECK(size_of(file, "meshes") == 8);
}

/* ---- what goes wrong ---------------------------------------------------------------------- */

TEST(what_fails_leaves_nothing)
{
    const char *path = write_scene(), *out = scratch_path(3, "never.glb");
    REFUSED("cannot write", "world", path, "-o", scratch_path(4, "missing/out.glb"));
    REFUSED("cannot write", "world", path, "-o", scratch_folder());
    REFUSED("would write over the scene", "world", path, "-o", path);
    REFUSED("would write over a file of the scene", "world", path, "-o",
            scratch_path(0, "dwarf.glb"));
    REFUSED("--tolerance", "world", path, "-o", out, "--tolerance", "-1");
    REFUSED("--tolerance", "world", path, "-o", out, "--tolerance", "nan");
    REFUSED("-o", "world", path, "--tolerance", "1");
    const char *bad = scratch_path(5, "bad.json");
    CHECK(write_whole_file(bad, "{}", 2));
    REFUSED("bad.json: seconds", "world", bad, "-o", out);
    remove(bad);
    static const char none[] = "{\"seconds\": 1, \"fps\": 1, \"bodies\": []}";
    CHECK(write_whole_file(bad, none, strlen(none)));
    FAILS("no members", "world", bad, "-o", out);
    remove(bad);
}

TEST(one_frame_without_motion)
{
    const char *path = scratch_path(5, "one.json"), *out = scratch_path(6, "one.glb");
    static const char text[] =
        "{\"seconds\": 0, \"fps\": 1, \"bodies\": [{\"name\": \"a \\\"b\\\"\","
        " \"sphere\": 1}]}";
    OWN(graze_rig) *rig = NULL;
    CHECK(write_whole_file(path, text, strlen(text)));
    command_result run = RUN("world", path, "-o", out);
    CHECK_MSG(run.code == 0 && strstr(run.out, " 0 keys"), "%s%s", run.out, run.err);
    CHECK(!test_rig_load(out, &rig, NULL) && rig->clip_count == 0 && !rig->skinned);
}
