/* graze demo soccer: the same play however many threads look for contacts, what it promises of
 * depths and limits, the file that it saves, and what it refuses. Needs <graze/ode.h>.
 */
#include "harness.h"
#include "support/json.h"
#include "support/own.h"
#include "support/quick.h"

#include <graze/gltf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
        cJSON *said = json_parse(end);
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
        *strstr(end, ",\"seconds\"") = 0;
        CHECK_MSG(strcmp(runs[i].out, runs[0].out) == 0, "run %d differs", i);
    }
}

/* What is saved holds everybody, for as long as they played. */
TEST(saves_what_it_played)
{
    const char *path = scratch_path(0, "soccer.glb");
    command_result run = RUN("demo", "soccer", "--players", "1", "--seconds", "2", "-o", path);
    CHECK_MSG(run.code == 0 && strstr(run.out, "of play, 2 players"), "%s%s", run.out, run.err);
    OWN(graze_rig) *rig = NULL;
    graze_error error;
    graze_status status = graze_gltf_load(path, NULL, &rig, &error);
    REQUIRE(status == GRAZE_OK);
    CHECK(rig->clip_count == 1 && rig->clips[0].seconds > 1.99f && rig->clips[0].seconds < 2.01f);
    CHECK_MSG(rig->triangle_count > 6000, "%u triangles", rig->triangle_count);
}

/* ---- how deep the file shows anybody -------------------------------------------------------- */

enum { MAX_NODES = 2048 };

/* A file's nodes at a time; maps are 3 rows of 4, of those that were asked for. */
typedef struct posed {
    const graze_rig *rig;
    double t[MAX_NODES][3], r[MAX_NODES][4], s[MAX_NODES][3], global[MAX_NODES][12];
    bool has_global[MAX_NODES];
} posed;

static void sample_channel(posed *p, const graze_rig_channel *c, double time)
{
    uint32_t i = 0, size = c->path == GRAZE_RIG_ROTATION ? 4 : 3;
    double *to = c->path == GRAZE_RIG_ROTATION      ? p->r[c->node]
                 : c->path == GRAZE_RIG_TRANSLATION ? p->t[c->node]
                                                    : p->s[c->node];
    while (i + 1 < c->key_count && time >= (double)c->times[i + 1])
        i++;
    const float *from = c->values + (size_t)i * size;
    const float *next = i + 1 < c->key_count && time > (double)c->times[i] ? from + size : from;
    double share = next == from ? 0
                                : (time - (double)c->times[i]) /
                                      ((double)c->times[i + 1] - (double)c->times[i]);
    double parts[2] = {1 - share, share}, cosine = 0;
    for (uint32_t k = 0; k < size; k++)
        cosine += (double)from[k] * (double)next[k];
    if (size == 4 && fabs(cosine) < 0.9999) {
        double angle = acos(fabs(cosine));
        parts[0] = sin((1 - share) * angle) / sin(angle);
        parts[1] = sin(share * angle) / sin(angle) * (cosine < 0 ? -1 : 1);
    }
    for (uint32_t k = 0; k < size; k++)
        to[k] = parts[0] * (double)from[k] + parts[1] * (double)next[k];
}

static void local_of(const posed *p, uint32_t n, double m[12])
{
    const double *q = p->r[n];
    const double turn[9] = {1 - 2 * (q[1] * q[1] + q[2] * q[2]), 2 * (q[0] * q[1] - q[2] * q[3]),
                            2 * (q[0] * q[2] + q[1] * q[3]),     2 * (q[0] * q[1] + q[2] * q[3]),
                            1 - 2 * (q[0] * q[0] + q[2] * q[2]), 2 * (q[1] * q[2] - q[0] * q[3]),
                            2 * (q[0] * q[2] - q[1] * q[3]),     2 * (q[1] * q[2] + q[0] * q[3]),
                            1 - 2 * (q[0] * q[0] + q[1] * q[1])};
    for (int i = 0; i < 12; i++)
        m[i] = i % 4 == 3 ? p->t[n][i / 4] : turn[i / 4 * 3 + i % 4] * p->s[n][i % 4];
    for (int i = 0; i < 12 && p->rig->nodes[n].has_matrix; i++)
        m[i] = (double)p->rig->nodes[n].matrix[i];
}

static void multiply(const double a[12], const double b[12], double out[12])
{
    for (int i = 0; i < 12; i++) {
        out[i] = i % 4 == 3 ? a[i] : 0;
        for (int k = 0; k < 3; k++)
            out[i] += a[i / 4 * 4 + k] * b[4 * k + i % 4];
    }
}

static const double *global_of(posed *p, uint32_t n)
{
    double own[12];
    uint32_t parent = p->rig->nodes[n].parent;
    if (p->has_global[n])
        return p->global[n];
    local_of(p, n, own);
    if (parent == GRAZE_NONE)
        memcpy(p->global[n], own, sizeof own);
    else
        multiply(global_of(p, parent), own, p->global[n]);
    p->has_global[n] = true;
    return p->global[n];
}

/* The row of heights of every joint at a time. */
static void pose_at(posed *p, double time, double (*rows)[4])
{
    const graze_rig *rig = p->rig;
    for (uint32_t n = 0; n < rig->node_count; n++) {
        for (int k = 0; k < 4; k++)
            p->r[n][k] = (double)rig->nodes[n].rotation[k];
        for (int k = 0; k < 3; k++) {
            p->t[n][k] = (double)rig->nodes[n].translation[k];
            p->s[n][k] = (double)rig->nodes[n].scale[k];
        }
        p->has_global[n] = false;
    }
    for (uint32_t c = 0; c < rig->clips[0].channel_count; c++)
        sample_channel(p, &rig->clips[0].channels[c], time);
    for (uint32_t j = 0; j < rig->joint_count; j++) {
        double bind[12], map[12];
        for (int i = 0; i < 12; i++)
            bind[i] = (double)rig->joints[j].inverse_bind[i];
        multiply(global_of(p, rig->joints[j].node), bind, map);
        memcpy(rows[j], map + 4, sizeof rows[j]);
    }
}

/* How far below y = 0 the lowest vertex of a mesh is. */
static double depth_of(const graze_rig *rig, const graze_rig_mesh *mesh, double (*rows)[4])
{
    double deepest = 0;
    for (uint32_t v = mesh->first_vertex; v < mesh->first_vertex + mesh->vertex_count; v++) {
        const float *at = rig->positions + 3 * (size_t)v;
        double height = 0, sum = 0;
        for (uint32_t i = rig->influence_offsets[v]; i < rig->influence_offsets[v + 1]; i++) {
            const double *row = rows[rig->influences[i].joint];
            double weight = (double)rig->influences[i].weight;
            height += weight * (row[0] * (double)at[0] + row[1] * (double)at[1] +
                                row[2] * (double)at[2] + row[3]);
            sum += weight;
        }
        deepest = fmax(deepest, -height / sum);
    }
    return deepest;
}

static bool is_player(const graze_rig *rig, const graze_rig_mesh *mesh)
{
    const char *name = rig->nodes[mesh->node].name;
    return strncmp(name, "red ", 4) == 0 || strncmp(name, "blue ", 5) == 0;
}

/* What it says of the deepest is so in the file: for everybody, four times a frame. The file's
 * keys are good to 2 mm, as it says itself, and between two frames a foot goes straight.
 */
TEST(nobody_is_deeper_in_the_ground_than_it_says)
{
    const char *path = scratch_path(0, "deep.glb");
    command_result run =
        RUN("demo", "soccer", "--json", "--seconds", test_is_quick() ? "6" : "60", "-o", path);
    REQUIRE(run.code == 0);
    cJSON *said = json_parse(last_line(run.out));
    OWN(graze_rig) *rig = NULL;
    REQUIRE(graze_gltf_load(path, NULL, &rig, NULL) == GRAZE_OK && cJSON_IsObject(said));
    REQUIRE(rig->node_count <= MAX_NODES && rig->clip_count == 1);
    double promised = number(said, "deepest"), deepest = 0, when = 0;
    double(*rows)[4] = malloc(rig->joint_count * sizeof *rows);
    OWNED posed *p = calloc(1, sizeof *p);
    uint32_t players = 0;
    REQUIRE(p && rows);
    p->rig = rig;
    for (int i = 0; i <= (int)(120 * (double)rig->clips[0].seconds); i++) {
        pose_at(p, i / 120.0, rows);
        for (uint32_t m = 0; m < rig->mesh_count; m++) {
            double depth =
                is_player(rig, &rig->meshes[m]) ? depth_of(rig, &rig->meshes[m], rows) : 0;
            players += i == 0 && is_player(rig, &rig->meshes[m]);
            when = depth > deepest ? i / 120.0 : when;
            deepest = fmax(deepest, depth);
        }
    }
    CHECK_MSG(players == 22, "%u players in the file", players);
    CHECK(number(said, "got_up") > 0);
    CHECK_MSG(deepest < promised + 0.003, "%g m at %g s, and it says %g", deepest, when, promised);
    CHECK_MSG(promised < 0.0065, "it says %g m", promised);
    printf("     %.2f mm in the file at %.2f s, %.2f mm said\n", 1000 * deepest, when,
           1000 * promised);
    free(rows);
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
    }
    command_result men = RUN("demo", "men", "--capsules");
    CHECK(men.code == 2 && strstr(men.err, "soccer"));
}
