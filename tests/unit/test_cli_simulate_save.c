/* graze simulate -o OUT.glb: loaded again, every vertex is where the simulation had it, at every
 * step; the camera leaves out who is never seen.
 */
#include "harness.h"
#include "support/json.h"
#include "support/own.h"
#include "support/rigs.h"

#include <graze/body.h>
#include <graze/rig.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A curtain and balls are made in no time, and need no numerics. Chairs take a second. */
#define CURTAIN "curtain", "--count", "3", "--stage-triangles", "400"
#ifndef GRAZE_TEST_NUMERICS
#define CHAIRS "chairs", "--count", "4", "--triangles", "400", "--rigid"
#else
#define CHAIRS "chairs", "--count", "4", "--triangles", "400"
#endif

enum { BODIES = 4 }; /* of both */

/* ---- the file, posed ------------------------------------------------------------------------ */

typedef struct picture {
    graze_rig *rig;
    graze_model *model;
    graze_body *body;
    float *positions;
} picture;

/* Of so many bodies and the ground, which has 4 vertices. */
static bool open_picture(picture *p, const char *path, uint32_t bodies)
{
    graze_error error = {0};
    *p = (picture){.rig = NULL};
    bool good = !test_rig_load(path, &p->rig, &error) &&
                !graze_rig_create_model(p->rig, NULL, &p->model, &error) &&
                !graze_body_create(p->model, &p->body, &error);
    CHECK_MSG(good, "%s: %s", path, error.text);
    if (!good)
        return false;
    p->positions = malloc(p->rig->vertex_count * 3 * sizeof(float));
    CHECK(p->rig->clip_count == 1);
    good = p->rig->mesh_count == bodies + 1 && p->rig->meshes[bodies].vertex_count == 4;
    CHECK_MSG(good, "%u meshes", p->rig->mesh_count);
    return good && p->positions;
}

static void close_picture(picture *p)
{
    graze_body_destroy(p->body);
    graze_model_destroy(p->model);
    graze_rig_destroy(p->rig);
    free(p->positions);
}

static double item(const cJSON *list, int i)
{
    return cJSON_GetArrayItem(list, i)->valuedouble;
}

/* Adds the displacements of a mesh, by weights; how many morph targets it has. */
static int displace(const graze_rig *rig, const graze_rig_mesh *mesh, const cJSON *weights,
                    double *local)
{
    int found = 0;
    for (uint32_t m = 0; m < rig->morph_count; m++) {
        const graze_rig_morph *morph = &rig->morphs[m];
        uint32_t first = morph->count ? morph->vertices[0] : UINT32_MAX;
        if (first < mesh->first_vertex || first - mesh->first_vertex >= mesh->vertex_count)
            continue;
        for (size_t i = 0; i < morph->count; i++)
            for (size_t k = 0; k < 3; k++)
                local[3 * (size_t)(morph->vertices[i] - mesh->first_vertex) + k] +=
                    item(weights, found) * morph->deltas[3 * i + k];
        found++;
    }
    return found;
}

/* How far the vertices of a mesh of the picture are from those of a body's state, which is computed
 * here, in doubles.
 */
static double distance_of_body(const picture *p, const cJSON *state, uint32_t place)
{
    const graze_rig_mesh *mesh = &p->rig->meshes[place];
    const cJSON *at = field(state, "position");
    const cJSON *turn = field(state, "rotation");
    const cJSON *weights = field(state, "weights");
    double x = item(turn, 0), y = item(turn, 1), z = item(turn, 2), w = item(turn, 3), most = 0;
    const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    OWNED double *local = malloc((size_t)mesh->vertex_count * 3 * sizeof *local);
    for (size_t i = 0; i < (size_t)mesh->vertex_count * 3; i++)
        local[i] = p->rig->positions[3 * (size_t)mesh->first_vertex + i];
    CHECK(displace(p->rig, mesh, weights, local) == cJSON_GetArraySize(weights));
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const float *found = p->positions + 3 * (mesh->first_vertex + v);
        double squared = 0;
        for (int i = 0; i < 3; i++) {
            double wanted = item(at, i);
            for (int k = 0; k < 3; k++)
                wanted += r[3 * i + k] * local[3 * v + (size_t)k];
            squared += (wanted - found[i]) * (wanted - found[i]);
        }
        most = fmax(most, sqrt(squared));
    }
    return most;
}

/* Over all steps; line k is at k + 1 steps after the file's beginning. */
static double largest_distance(picture *p, char *lines)
{
    double most = 0;
    uint32_t step = 0;
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        cJSON *object = json_parse(line);
        const cJSON *states = field(object, "bodies");
        CHECK(!graze_rig_pose_body(p->rig, 0, ++step / 150.0, NULL, p->body, NULL));
        graze_body_get_positions(p->body, p->positions);
        for (uint32_t i = 0; i < BODIES; i++)
            most = fmax(most, distance_of_body(p, cJSON_GetArrayItem(states, (int)i), i));
    }
    CHECK(step > 0);
    return most;
}

/* "... 123 keys of 456; vertices are off by at most 0.93 mm at any step" */
static void read_report(const char *text, unsigned *keys, double *millimetres)
{
    const char *found = strstr(text, " keys of ");
    while (found && found > text && found[-1] != ' ')
        found--;
    unsigned all;
    CHECK_MSG(found && sscanf(found, "%u keys of %u; vertices are off by at most %lf mm", keys,
                              &all, millimetres) == 3,
              "%s", text);
}

/* A run with that tolerance: the number of keys. */
static unsigned check_run(const char *const *scene, const char *tolerance)
{
    const char *out = scratch_path(0, "out.glb"), *arguments[24] = {"simulate"};
    const char *const more[] = {"--json", "--bodies", "-o", out, "--tolerance", tolerance};
    unsigned keys = 0;
    double said = 0;
    int count = 1;
    for (; *scene; scene++)
        arguments[count++] = *scene;
    memcpy(arguments + count, more, sizeof more);
    command_result run = command_run(GRAZE_COMMAND, arguments);
    CHECK_MSG(run.code == 0, "%s", run.err);
    read_report(run.err, &keys, &said);
    picture p;
    if (open_picture(&p, out, BODIES)) {
        double most = largest_distance(&p, run.out);
        CHECK_MSG(most <= 1e-3 * said + 2e-6, "%s: off by %g m, %g mm said", tolerance, most, said);
        CHECK_MSG(said <= 1e3 * atof(tolerance) + 2e-3, "%s: %g mm said", tolerance, said);
    }
    close_picture(&p);
    remove(out);
    return keys;
}

TEST(every_vertex_is_where_the_simulation_had_it)
{
    static const char *const tolerances[] = {"0.05", "0.005", "0.0005", "0"};
    static const char *const curtain[] = {CURTAIN, "--seconds", "1.5", NULL};
    static const char *const chairs[] = {CHAIRS, "--seconds", "0.8", NULL};
    unsigned before = 0;
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
        unsigned keys = check_run(curtain, tolerances[i]);
        CHECK_MSG(keys > before, "%s: %u keys", tolerances[i], keys);
        before = keys;
    }
    CHECK(check_run(chairs, "0.001") > 0);
}

/* One mesh a kind, however many bodies; the file of a resumed run begins at its time 0. */
TEST(a_resumed_run_has_a_picture_of_its_own)
{
    const char *out = scratch_path(0, "out.glb"), *state = scratch_path(1, "state");
    command_result run = RUN("simulate", CURTAIN, "--seconds", "0.8", "--save", state);
    CHECK_MSG(run.code == 0, "%s", run.err);
    run = RUN("simulate", "--resume", state, "--seconds", "1", "-o", out, "--json", "--bodies");
    CHECK_MSG(run.code == 0, "%s", run.err);
    size_t size = 0;
    char *bytes = read_whole_file(out, &size);
    REQUIRE(bytes && size > 20);
    cJSON *file = json_parse(bytes + 20);
    CHECK(size_of(file, "meshes") == 3);
    CHECK(size_of(file, "skins") == 0);
    CHECK(size_of(file, "animations") == 1);
    picture p;
    if (open_picture(&p, out, BODIES)) {
        CHECK(fabs((double)p.rig->clips[0].seconds - 0.2) < 1e-6);
        double most = largest_distance(&p, run.out);
        CHECK_MSG(most <= 1e-3, "off by %g m", most);
    }
    close_picture(&p);
    remove(out);
    remove(state);
}

/* Runs it with a camera high above a point that looks down there, or up. */
static command_result look(const double at[3], double up, const char *degrees)
{
    char camera[200];
    snprintf(camera, sizeof camera, "%.9g,%.9g,%.9g:%.9g,%.9g,%.9g:%s", at[0], at[1] + 30, at[2],
             at[0], at[1] + up, at[2], degrees);
    return RUN("simulate", CURTAIN, "--seconds", "0.1", "-o", scratch_path(0, "out.glb"),
               "--camera", camera);
}

TEST(who_is_never_seen_is_left_out)
{
    const char *out = scratch_path(0, "out.glb");
    command_result all = RUN("simulate", CURTAIN, "--seconds", "0.1", "--json", "--bodies");
    CHECK_MSG(all.code == 0, "%s", all.err);
    *strchr(all.out, '\n') = 0;
    cJSON *first = json_parse(all.out);
    const cJSON *ball = cJSON_GetArrayItem(field(first, "bodies"), 1);
    const cJSON *place = field(ball, "position");
    const double at[3] = {item(place, 0), item(place, 1), item(place, 2)};
    command_result run = look(at, 0, "0.2");
    unsigned kept = 0, left = 0;
    const char *found = strstr(run.out, "out.glb: ");
    CHECK_MSG(run.code == 0 && found &&
                  sscanf(found, "out.glb: %u bodies (%u that", &kept, &left) == 2 &&
                  kept + left == BODIES && kept >= 1 && left >= 1,
              "%s%s", run.out, run.err);
    size_t size = 0;
    char *bytes = read_whole_file(out, &size);
    CHECK(bytes && strstr(bytes + 20, "\"ball 1\"") && !strstr(bytes + 20, "\"ball 3\""));
    remove(out);
    run = look(at, 60, "50");
    CHECK_MSG(run.code == 2 && strstr(run.err, "none of 4 bodies is ever in the picture"), "%s",
              run.err);
    CHECK(scratch_count() == 0);
    run = RUN("simulate", CURTAIN, "--seconds", "0.1", "-o", out, "--camera", "scene");
    CHECK_MSG(run.code == 0 && strstr(run.out, "4 bodies, "), "%s%s", run.out, run.err);
    remove(out);
}
