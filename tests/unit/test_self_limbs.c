/* Limbs with smooth weights, strained up to and beyond what a table of folds can vouch for: twisted
 * like a wrapper, writhing, folded hard, with mirrored, flattened and scaled joints, in one layer
 * or in two that coincide. All ways must find what plain testing finds.
 */
#include "harness.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/self_judge.h"
#include "support/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RINGS = 26, SECTORS = 12, LAYER_VERTICES = RINGS * SECTORS, MAX_JOINTS = 4, LAYERS = 2 };
enum { LAYER_TRIANGLES = 2 * (RINGS - 1) * SECTORS, POSES = 6 };

typedef struct limb {
    float positions[3 * LAYERS * LAYER_VERTICES];
    uint32_t triangles[3 * LAYERS * LAYER_TRIANGLES];
    uint32_t offsets[LAYERS * LAYER_VERTICES + 1];
    graze_influence influences[LAYERS * LAYER_VERTICES * MAX_JOINTS];
} limb;

/* The second layer lies on the first, but for `between`; its triangles are cut the other way. */
static void fill_limb(limb *l, uint32_t layers, uint32_t joints, double between,
                      test_random *random)
{
    double noise = test_random_u32(random) % 2 ? 0.01 : 0;
    for (uint32_t v = 0; v < layers * LAYER_VERTICES; v++) {
        uint32_t own = v % LAYER_VERTICES, layer = v / LAYER_VERTICES;
        double angle = 6.283185307 * (own % SECTORS) / SECTORS;
        double z = own / SECTORS / (RINGS - 1.0), radius = 0.2 + between * layer;
        double place[3] = {radius * cos(angle), radius * sin(angle), 2 * z}, sum = 0;
        for (int k = 0; k < 3; k++)
            l->positions[3 * v + k] = (float)(place[k] + test_random_range(random, -noise, noise));
        l->offsets[v] = v * joints;
        for (uint32_t j = 0; j < joints; j++) {
            double away = z * (joints - 1) - j;
            sum += exp(-3 * away * away);
        }
        for (uint32_t j = 0; j < joints; j++) {
            double away = z * (joints - 1) - j;
            l->influences[v * joints + j] =
                (graze_influence){j, (float)(exp(-3 * away * away) / sum)};
        }
    }
    l->offsets[layers * LAYER_VERTICES] = layers * LAYER_VERTICES * joints;
    for (uint32_t i = 0; i < layers * LAYER_TRIANGLES; i++) {
        uint32_t layer = i / LAYER_TRIANGLES, own = i % LAYER_TRIANGLES, turn = layer;
        uint32_t ring = own / 2 / SECTORS, s = own / 2 % SECTORS, next = (s + 1) % SECTORS;
        uint32_t quad[4] = {ring * SECTORS + s, ring * SECTORS + next, (ring + 1) * SECTORS + next,
                            (ring + 1) * SECTORS + s};
        for (uint32_t c = 0; c < 3; c++)
            l->triangles[3 * i + c] =
                layer * LAYER_VERTICES + quad[((own % 2 ? (c ? c + 1 : 0) : c) + turn) % 4];
    }
}

/* A map that turns about an axis (0: across, 2: along) around a place on the limb's middle line. */
static void turn_map(int axis, double angle, double at, float map[12])
{
    float c = (float)cos(angle), s = (float)sin(angle), z = (float)at;
    float across[12] = {1, 0, 0, 0, 0, c, -s, s * z, 0, s, c, z - c * z};
    float along[12] = {c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0};
    memcpy(map, axis ? along : across, sizeof across);
}

/* map = map x other */
static void follow(float map[12], const float other[12])
{
    float product[12];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            product[4 * r + c] = c == 3 ? map[4 * r + 3] : 0;
            for (int k = 0; k < 3; k++)
                product[4 * r + c] += map[4 * r + k] * other[4 * k + c];
        }
    memcpy(map, product, sizeof product);
}

static void scale(float map[12], double x, double y, double z)
{
    float other[12] = {(float)x, 0, 0, 0, 0, (float)y, 0, 0, 0, 0, (float)z, 0};
    follow(map, other);
}

static void strain(uint32_t kind, uint32_t joints, test_random *random, float *maps)
{
    static const float still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (uint32_t j = 0; j < joints; j++) {
        float *map = maps + 12 * (size_t)j, turn[12];
        double at = 2.0 * (j - 0.5) / (joints - 1), amount = test_random_range(random, -1, 1);
        memcpy(map, j ? map - 12 : still, sizeof still);
        turn_map(kind == 0 ? 2 : 0, j == 0 ? 0 : (kind == 2 ? 3.3 : 1.8) * amount, at, turn);
        if (kind != 5)
            follow(map, turn);
        if (kind == 1 && j) { /* about both axes */
            turn_map(2, amount, at, turn);
            follow(map, turn);
        }
        if (kind == 3 && j == joints - 1)
            scale(map, -1, 1, 1);
        if (kind == 4 && j == joints - 1)
            scale(map, amount < 0 ? 0 : 1, 1, amount < 0.5 ? 0 : 1e-4);
        if (kind == 5)
            scale(map, 1 + 0.9 * amount, 1 - 0.9 * amount, pow(8, amount));
    }
}

static bool check_limb(const limb *l, uint32_t layers, uint32_t joints, test_random *random,
                       self_tally *seen)
{
    graze_model_def def = {0};
    float maps[12 * MAX_JOINTS];
    OWN(variants) v = {0};
    def.positions = l->positions;
    def.vertex_count = layers * LAYER_VERTICES;
    def.triangles = l->triangles;
    def.triangle_count = layers * LAYER_TRIANGLES;
    def.joint_count = joints;
    def.influence_offsets = l->offsets;
    def.influences = l->influences;
    bool ok = variants_make(&v, def, 3, random);
    for (uint32_t p = 0; ok && p < POSES; p++) {
        char name[64];
        OWN(pair_set) expected = {0};
        strain(p, joints, random, maps);
        graze_pose pose = {.joints = maps, .joint_count = joints};
        snprintf(name, sizeof name, "%u layers, %u joints, pose %u", layers, joints, p);
        ok = test_check(variants_pose(&v, &pose, name), __FILE__, __LINE__, "%s: refused", name);
        if (ok)
            self_expect(v.bodies[0], &def, &expected);
        for (uint32_t i = 0; ok && i < v.count; i++)
            ok = self_agree(v.bodies[i], &expected, false, name, seen);
    }
    return ok;
}

TEST(strained_limbs_agree)
{
    static const double between[] = {0, 1e-6, 0.003};
    self_tally seen = {0};
    limb *l = malloc(sizeof *l);
    bool ok = true;
    for (uint32_t i = 0; ok && i < test_amount(18, 4); i++) {
        test_random random = test_random_seed(700 + i);
        uint32_t joints = 2 + i % 3, layers = 1 + i % 2;
        fill_limb(l, layers, joints, between[i / 2 % 3], &random);
        ok = check_limb(l, layers, joints, &random, &seen);
    }
    free(l);
    self_tally_print("limbs", &seen);
    CHECK(2 * seen.hits > seen.poses && seen.rest_pairs > 0 && seen.rest_pairs < seen.pairs);
}
