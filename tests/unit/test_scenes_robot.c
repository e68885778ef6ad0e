/* The robots: hundreds of closed shells in and through each other, rigid or with smooth weights. */
#include "scenes_support.h"
#include "support/own.h"
#include "support/quick.h"

#include <graze/graze.h>

#include <math.h>

enum { SHELLS = 540, JOINTS = 18 };

static const struct {
    graze_synth_kind kind;
    uint64_t hash; /* changes with the tables and formulas in scenes/, and with nothing else */
} robots[] = {{GRAZE_SYNTH_ROBOT, 0xbabffb0fa7f8c0adu},
              {GRAZE_SYNTH_ROBOT_SKINNED, 0xa4754764166a4164u}};

enum { ROBOTS = sizeof robots / sizeof *robots };

/* The shell of every vertex, numbered from 0; returns how many there are. */
static uint32_t number_shells(const graze_rig *rig, uint32_t *shells)
{
    OWNED uint32_t *parent = malloc(rig->vertex_count * sizeof *parent);
    uint32_t count = 0;
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        parent[v] = v;
    for (size_t i = 0; i < 3 * (size_t)rig->triangle_count; i++)
        parent[root_of(parent, rig->triangles[i])] = root_of(parent, rig->triangles[i - i % 3]);
    for (uint32_t v = 0; v < rig->vertex_count; v++) /* roots first */
        if (root_of(parent, v) == v)
            shells[v] = count++;
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        shells[v] = shells[root_of(parent, v)];
    return count;
}

/* Every shell must hold a volume: wound outwards, none flat. */
static void check_volumes(const graze_rig *rig, const uint32_t *shells, uint32_t count)
{
    OWNED double *volumes = calloc(count, sizeof *volumes);
    for (uint32_t t = 0; t < rig->triangle_count; t++) {
        double a[3], b[3], c[3];
        get_vertex(rig, rig->triangles[3 * (size_t)t], a);
        get_vertex(rig, rig->triangles[3 * (size_t)t + 1], b);
        get_vertex(rig, rig->triangles[3 * (size_t)t + 2], c);
        volumes[shells[rig->triangles[3 * (size_t)t]]] +=
            (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
             a[2] * (b[0] * c[1] - b[1] * c[0])) /
            6;
    }
    for (uint32_t s = 0; s < count; s++)
        CHECK_MSG(volumes[s] > 1e-9, "shell %u of %u holds %g cubic metres", s, count, volumes[s]);
}

/* Of a rigid robot a shell follows one joint; of a skinned one some shell's weights differ. */
static void check_influences(const graze_rig *rig, const uint32_t *shells, uint32_t count,
                             bool rigid)
{
    OWNED uint32_t *owner = malloc(count * sizeof *owner);
    uint32_t mixed = 0;
    bool used[JOINTS] = {false}, sound = true;
    memset(owner, 0xff, count * sizeof *owner);
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        uint32_t first = rig->influence_offsets[v], end = rig->influence_offsets[v + 1];
        uint32_t joint = rig->influences[first].joint;
        double sum = 0;
        for (uint32_t i = first; i < end; i++) {
            sum += rig->influences[i].weight;
            used[rig->influences[i].joint] = true;
        }
        sound = sound && fabs(sum - 1) < 1e-6 && end > first && end - first <= (rigid ? 1 : 4);
        if (owner[shells[v]] == UINT32_MAX)
            owner[shells[v]] = joint;
        mixed += owner[shells[v]] != joint || end - first > 1;
    }
    CHECK(sound);
    CHECK_MSG(rigid ? mixed == 0 : mixed > rig->vertex_count / 10, "%u of %u vertices are mixed",
              mixed, rig->vertex_count);
    for (uint32_t j = 0; j < JOINTS; j++)
        CHECK_MSG(used[j], "%s moves nothing", rig->nodes[j].name);
}

TEST(robots_are_sound)
{
    for (int k = 0; k < ROBOTS; k++) {
        const char *name = graze_synth_name(robots[k].kind);
        graze_rig *rig = make(robots[k].kind, 0, 0);
        OWN(graze_rig) *again = make(robots[k].kind, 0, 0);
        REQUIRE(rig && again);
        OWNED uint32_t *shells = malloc(rig->vertex_count * sizeof *shells);
        uint32_t count = number_shells(rig, shells);
        float top = 0, bottom = 1;
        for (uint32_t v = 0; v < rig->vertex_count; v++) {
            top = fmaxf(top, rig->positions[3 * v + 1]);
            bottom = fminf(bottom, rig->positions[3 * v + 1]);
        }
        CHECK_MSG(count == SHELLS, "%s has %u shells", name, count);
        CHECK(is_closed(rig) && has_single_fans(rig));
        CHECK(rig->joint_count == JOINTS && rig->skinned && rig->clip_count == 2);
        CHECK_MSG(fabsf(bottom) < 0.01f && top > 1.8f && top < 1.9f, "from %g to %g m", bottom,
                  top);
        check_volumes(rig, shells, count);
        check_influences(rig, shells, count, robots[k].kind == GRAZE_SYNTH_ROBOT);
        CHECK(hash_rig(rig) == hash_rig(again));
        CHECK_MSG(hash_rig(rig) == robots[k].hash, "%s hashes to 0x%016llx", name,
                  (unsigned long long)hash_rig(rig));
        graze_rig_destroy(rig);
    }
}

TEST(robots_of_any_size)
{
    static const uint32_t sizes[] = {400, 1001, 5000, 20000, 200000};
    for (uint32_t i = 0; i < test_amount(5, 4); i++)
        for (int k = 0; k < ROBOTS; k++) {
            graze_rig *rig = make(robots[k].kind, sizes[i], 0);
            REQUIRE(rig);
            OWNED uint32_t *shells = malloc(rig->vertex_count * sizeof *shells);
            uint32_t count = number_shells(rig, shells);
            double ratio = (double)rig->triangle_count / sizes[i];
            CHECK_MSG(ratio > 0.98 && ratio < (sizes[i] < 5000 ? 1.15 : 1.02), "%u instead of %u",
                      rig->triangle_count, sizes[i]);
            CHECK_MSG(sizes[i] < 16000 ? count < SHELLS : count == SHELLS, "%u shells of %u", count,
                      sizes[i]);
            CHECK_MSG(is_closed(rig) && has_single_fans(rig), "%u triangles are not closed",
                      sizes[i]);
            check_volumes(rig, shells, count);
            if (sizes[i] >= 1001)
                check_influences(rig, shells, count, robots[k].kind == GRAZE_SYNTH_ROBOT);
            graze_rig_destroy(rig);
        }
}

TEST(robots_subdivide)
{
    for (int k = 0; k < ROBOTS; k++) {
        OWN(graze_rig) *coarse = make(robots[k].kind, 3000, 0);
        graze_rig *fine = make(robots[k].kind, 3000, 1);
        REQUIRE(coarse && fine);
        CHECK(fine->triangle_count == 4 * coarse->triangle_count && is_closed(fine));
        CHECK(count_components(fine) == count_components(coarse));
        CHECK(memcmp(fine->positions, coarse->positions, 12u * coarse->vertex_count) == 0);
        CHECK(fabs(volume(fine) - volume(coarse)) < 1e-6);
        graze_rig_destroy(fine);
    }
}

typedef struct self_counts {
    size_t all, fresh;
} self_counts;

static bool count_self(void *user, const graze_pair *pairs, size_t count)
{
    self_counts *counts = user;
    counts->all += count;
    for (size_t i = 0; i < count; i++)
        counts->fresh += !pairs[i].at_rest;
    return true;
}

/* Shells are partly inside each other at rest, and others come to be as it moves. */
TEST(robots_run_into_themselves)
{
    for (int k = 0; k < ROBOTS; k++) {
        OWN(graze_rig) *rig = make(robots[k].kind, 5000, 0);
        REQUIRE(rig);
        graze_model_def def = graze_rig_model_def(rig);
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = NULL;
        float joints[12 * JOINTS];
        REQUIRE(!graze_model_create(&def, &model, NULL) && !graze_body_create(model, &body, NULL));
        for (uint32_t clip = 0; clip < rig->clip_count; clip++) {
            self_counts counts = {0, 0};
            graze_pose pose = {.joints = joints, .joint_count = JOINTS, .layout = GRAZE_ROWS_3X4};
            CHECK(
                !graze_rig_sample(rig, clip, 0.3 * (double)rig->clips[clip].seconds, joints, NULL));
            CHECK(!graze_body_set_pose(body, &pose, NULL));
            CHECK(!graze_self_pairs(
                body, NULL, &(graze_pair_list){.report = count_self, .user = &counts}, NULL, NULL));
            CHECK_MSG(counts.all > 2000 && counts.fresh > 50 && counts.fresh < counts.all / 2,
                      "%s, clip %u: %zu pairs, %zu of them new", graze_synth_name(robots[k].kind),
                      clip, counts.all, counts.fresh);
        }
    }
}

TEST(clips_start_from_rest_and_loop)
{
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_ROBOT, 1000, 0);
    REQUIRE(rig && graze_rig_find_clip(rig, "walk") == 0 && graze_rig_find_clip(rig, "work") == 1);
    float joints[12 * JOINTS], worst = 0;
    CHECK(!graze_rig_sample(rig, GRAZE_NONE, 0, joints, NULL));
    for (uint32_t i = 0; i < 12 * JOINTS; i++)
        worst = fmaxf(worst, fabsf(joints[i] - (i % 12 % 5 == 0 ? 1.0f : 0.0f)));
    CHECK_MSG(worst < 1e-6f, "the rest pose is off by %g", worst);
    for (uint32_t c = 0; c < rig->clip_count; c++)
        for (uint32_t i = 0; i < rig->clips[c].channel_count; i++) {
            const graze_rig_channel *channel = &rig->clips[c].channels[i];
            bool turns = channel->path == GRAZE_RIG_ROTATION;
            size_t width = turns ? 4 : 3, last = (channel->key_count - 1) * width;
            CHECK(memcmp(channel->values, channel->values + last, width * sizeof(float)) == 0);
            for (uint32_t key = 0; turns && key + 1 < channel->key_count; key++) {
                const float *q = channel->values + 4 * (size_t)key;
                float dot = q[0] * q[4] + q[1] * q[5] + q[2] * q[6] + q[3] * q[7];
                CHECK_MSG(dot > 0.96f, "clip %u joint %s jumps at key %u", c,
                          rig->nodes[channel->node].name, key);
            }
        }
}

TEST(robots_survive_failed_allocations)
{
    test_memory memory = {.keeps_failing = true};
    for (int k = 0; k < ROBOTS; k++)
        CHECK(test_fail_each(&memory, make_by_def, &(graze_synth_def){robots[k].kind, 1000, 1},
                             10000) > 0);
}
