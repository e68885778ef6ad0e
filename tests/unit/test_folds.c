/* What a pose cannot have folded: the proven part of rest distances that is kept, measured against
 * random points of posed triangles, for smooth and wild weights, and with poses that climb towards
 * a contradiction.
 */
#include "body/patches.h"
#include "folds/fold_kernels.h"
#include "harness.h"
#include "mesh/weld.h"
#include "narrow/triangle_kernels.h"
#include "support/aligned.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- limbs -------------------------------------------------------------------------------- */

enum { RINGS = 16, SECTORS = 8, LIMB_VERTICES = RINGS * SECTORS, MAX_JOINTS = 4 };
enum { LIMB_TRIANGLES = 2 * (RINGS - 1) * SECTORS };

/* A tube along z whose weights go over from joint to joint, smoothly or by lot. */
typedef struct limb {
    float positions[3 * LIMB_VERTICES];
    uint32_t triangles[3 * LIMB_TRIANGLES];
    uint32_t offsets[LIMB_VERTICES + 1];
    graze_influence influences[LIMB_VERTICES * MAX_JOINTS];
} limb;

static void fill_limb(limb *l, uint32_t joints, double wildness, bool slivers, test_random *random)
{
    double offset = test_random_u32(random) % 4 ? 0 : 50, noise = 0.05 * test_random_unit(random);
    for (uint32_t v = 0; v < LIMB_VERTICES; v++) {
        double angle = 6.283185307 * (v % SECTORS) / SECTORS, z = v / SECTORS / (RINGS - 1.0);
        double place[3] = {0.2 * cos(angle) + offset, 0.2 * sin(angle), 2 * z};
        for (int k = 0; k < 3; k++)
            l->positions[3 * v + k] = (float)(place[k] + test_random_range(random, -noise, noise));
        if (slivers && v % 5 == 0 && v % SECTORS) /* the edge to the last vertex has no length */
            memcpy(l->positions + 3 * v, l->positions + 3 * v - 3, 3 * sizeof(float));
        l->offsets[v] = v * joints;
        for (uint32_t j = 0; j < joints; j++) {
            double away = z * (joints - 1) - j, wild = wildness * test_random_unit(random);
            l->influences[v * joints + j] =
                (graze_influence){j, (float)(exp(-2 * away * away) + wild)};
        }
    }
    l->offsets[LIMB_VERTICES] = LIMB_VERTICES * joints;
    for (uint32_t i = 0; i < LIMB_TRIANGLES; i++) {
        uint32_t ring = i / 2 / SECTORS, s = i / 2 % SECTORS, next = (s + 1) % SECTORS;
        uint32_t quad[4] = {ring * SECTORS + s, ring * SECTORS + next, (ring + 1) * SECTORS + next,
                            (ring + 1) * SECTORS + s};
        for (int c = 0; c < 3; c++)
            l->triangles[3 * i + c] = quad[i % 2 ? (c ? c + 1 : 0) : c];
    }
}

static graze_model_def limb_def(const limb *l, uint32_t joints, uint32_t patch)
{
    graze_model_def def = {0};
    def.positions = l->positions;
    def.vertex_count = LIMB_VERTICES;
    def.triangles = l->triangles;
    def.triangle_count = LIMB_TRIANGLES;
    def.joint_count = joints;
    def.influence_offsets = l->offsets;
    def.influences = l->influences;
    def.tree.patch_triangles = patch;
    return def;
}

/* ---- poses -------------------------------------------------------------------------------- */

/* One map for all, and each joint off it by about `apart`. */
static void near_maps(uint32_t joints, double apart, test_random *random, float *maps)
{
    double common[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    if (test_random_u32(random) % 2)
        for (int k = 0; k < 12; k++)
            common[k] += test_random_range(random, -0.4, 0.4);
    for (uint32_t k = 0; k < 12 * joints; k++)
        maps[k] = (float)(common[k % 12] + apart * test_random_range(random, -1, 1));
}

/* A limb bent at its joints, each by up to so many radians about an axis across. */
static void bent_maps(uint32_t joints, double angle, test_random *random, float *maps)
{
    double turn = 0, y = 0, z = 0;
    for (uint32_t j = 0; j < joints; j++) {
        double at = 2.0 * j / joints, c, s;
        /* The joint's own place, where the map before it takes it. */
        double there_y = y - sin(turn) * at, there_z = z + cos(turn) * at;
        turn += j ? test_random_range(random, -angle, angle) : 0;
        c = cos(turn), s = sin(turn);
        y = there_y + s * at, z = there_z - c * at;
        float map[12] = {1,         0,        0, 0,        0,        (float)c,
                         (float)-s, (float)y, 0, (float)s, (float)c, (float)z};
        memcpy(maps + 12 * j, map, sizeof map);
    }
}

/* ---- the judge ---------------------------------------------------------------------------- */

typedef struct tally {
    uint64_t regions, kept, points;
    double nearest; /* of measured over proven */
} tally;

typedef struct subject {
    const graze_model *model;
    graze_body *body;
    grazei_fold_pair *pairs;
    grazei_piece_pose *pieces;
    grazei_fold_pose pose;
    float *positions;
} subject;

static bool subject_make(subject *s, const graze_model_def *def)
{
    graze_model *model = NULL;
    *s = (subject){0};
    bool ok = graze_model_create(def, &model, NULL) == GRAZE_OK &&
              graze_body_create(model, &s->body, NULL) == GRAZE_OK;
    s->model = model;
    s->pairs = test_aligned(64, (model->folds.pair_count + 1) * (sizeof *s->pairs + 63) / 64 * 64);
    s->pieces = malloc((model->folds.piece_count + 1) * sizeof *s->pieces);
    s->positions = malloc(3 * sizeof(float) * def->vertex_count);
    return test_check(ok, __FILE__, __LINE__, "no body");
}

static void subject_free(subject *s)
{
    graze_body_destroy(s->body);
    graze_model_destroy((graze_model *)s->model);
    test_aligned_free(s->pairs);
    free(s->pieces);
    free(s->positions);
}

OWN_VALUE(subject, subject_free)

static bool subject_pose(subject *s, const float *maps)
{
    graze_pose pose = {.joints = maps, .joint_count = s->model->mesh.joint_count};
    if (graze_body_set_pose(s->body, &pose, NULL))
        return false;
    graze_body_get_positions(s->body, s->positions);
    s->pose = grazei_folds_pose(&s->model->folds, &s->model->skin, grazei_body_joints(s->body),
                                s->pairs, s->pieces, NULL);
    return true;
}

/* The part of rest distances that a region is said to keep: what rounding may be for it to say so,
 * over the least distance that it speaks for.
 */
static double kept_part(const subject *s, uint32_t fold)
{
    grazei_fold_pose pose = s->pose;
    double low = 0, high = 1e6;
    pose.rounding = 0;
    if (fold == GRAZEI_NO_FOLD || !grazei_cannot_fold(&pose, fold))
        return 0;
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        pose.rounding = (float)middle;
        *(grazei_cannot_fold(&pose, fold) ? &low : &high) = middle;
    }
    return low / (double)s->model->folds.folds[fold].apart;
}

static bool is_listed(const grazei_folds *folds, uint32_t p, uint32_t i, uint32_t q, uint32_t k)
{
    const grazei_near *near = grazei_folds_near(folds, p, q);
    bool in_order = folds->patch_ranks[p] <= folds->patch_ranks[q];
    for (uint32_t n = 0; near && n < near->listed_count; n++) {
        uint16_t pair = folds->listed[near->first_listed + n];
        uint32_t a = grazei_pair_first(pair), b = grazei_pair_second(pair);
        if (in_order ? a == i && b == k : a == k && b == i)
            return true;
        if (p == q && a == k && b == i)
            return true;
    }
    return false;
}

static void point_of(const float *positions, const uint32_t *corners, const double shares[3],
                     double point[3])
{
    for (int axis = 0; axis < 3; axis++)
        point[axis] = shares[0] * (double)positions[3 * (size_t)corners[0] + axis] +
                      shares[1] * (double)positions[3 * (size_t)corners[1] + axis] +
                      shares[2] * (double)positions[3 * (size_t)corners[2] + axis];
}

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* A corner, or any point. */
static void random_shares(test_random *random, double shares[3])
{
    double u = test_random_unit(random), v = test_random_unit(random);
    if (test_random_u32(random) % 2) {
        u = test_random_u32(random) % 3;
        v = u == 1, u = u == 0;
    }
    if (u + v > 1)
        u = 1 - u, v = 1 - v;
    shares[0] = u, shares[1] = v, shares[2] = 1 - u - v;
}

/* The smallest (posed + rounding) / rest of random points of triangles of two patches (or one) that
 * are neither neighbours nor listed; infinity if none came up.
 */
static double measured_part(const subject *s, uint32_t p, uint32_t q, uint32_t samples,
                            test_random *random, tally *seen)
{
    const grazei_tree *tree = &s->model->tree;
    const grazei_mesh *mesh = &s->model->mesh;
    const grazei_patch *first = &tree->patches[p], *second = &tree->patches[q];
    double least = INFINITY;
    for (uint32_t n = 0; n < samples; n++) {
        uint32_t i = test_random_u32(random) % first->triangle_count;
        uint32_t k = test_random_u32(random) % second->triangle_count;
        uint32_t a = tree->patch_triangles[first->first_triangle + i];
        uint32_t b = tree->patch_triangles[second->first_triangle + k];
        if (grazei_are_neighbours(mesh, a, b) || is_listed(&s->model->folds, p, i, q, k))
            continue;
        const uint32_t *x = mesh->triangles + 3 * (size_t)a, *y = mesh->triangles + 3 * (size_t)b;
        double shares_x[3], shares_y[3], rest[2][3], posed[2][3];
        random_shares(random, shares_x);
        random_shares(random, shares_y);
        point_of(mesh->positions, x, shares_x, rest[0]);
        point_of(mesh->positions, y, shares_y, rest[1]);
        point_of(s->positions, x, shares_x, posed[0]);
        point_of(s->positions, y, shares_y, posed[1]);
        seen->points++;
        least = fmin(least, (apart(posed[0], posed[1]) + (double)s->pose.rounding) /
                                apart(rest[0], rest[1]));
    }
    return least;
}

static bool check_part(double kept, double measured, const char *name, tally *seen)
{
    seen->nearest = fmin(seen->nearest, measured / kept);
    return test_check(measured >= kept, __FILE__, __LINE__, "%s: keeps %.9g, measured %.9g", name,
                      kept, measured);
}

/* All regions in the pose at hand. */
static bool check_pose(const subject *s, uint32_t samples, const char *name, test_random *random,
                       tally *seen)
{
    const grazei_folds *folds = &s->model->folds;
    bool ok = true;
    for (uint32_t n = 0; n < s->model->tree.node_count && ok; n++) {
        double kept = kept_part(s, folds->node_folds[n]);
        uint32_t first = folds->node_ranks[n][0], count = folds->node_ranks[n][1] - first;
        seen->regions++;
        seen->kept += kept > 0;
        for (uint32_t i = 0; kept > 0 && ok && i < samples; i++) {
            uint32_t p = folds->rank_patches[first + test_random_u32(random) % count];
            uint32_t q = folds->rank_patches[first + test_random_u32(random) % count];
            ok = check_part(kept, measured_part(s, p, q, 16, random, seen), name, seen);
        }
    }
    for (uint32_t rank = 0; rank < s->model->tree.patch_count && ok; rank++)
        for (uint32_t i = folds->first_near[rank]; i < folds->first_near[rank + 1] && ok; i++) {
            double kept = kept_part(s, folds->nears[i].fold);
            seen->regions++;
            seen->kept += kept > 0;
            if (kept > 0)
                ok = check_part(kept,
                                measured_part(s, folds->rank_patches[rank], folds->nears[i].patch,
                                              4 * samples, random, seen),
                                name, seen);
        }
    return ok;
}

static void print(const char *what, const tally *seen)
{
    printf("     %s: %llu of %llu regions keep something, %llu pairs of points, at best %.4f of "
           "what is proven\n",
           what, (unsigned long long)seen->kept, (unsigned long long)seen->regions,
           (unsigned long long)seen->points, seen->nearest);
}

/* ---- limbs and characters ----------------------------------------------------------------- */

static bool check_limb(uint32_t number, tally *seen)
{
    static const uint32_t patches[] = {8, 16, 64, 128};
    test_random random = test_random_seed(700 + number);
    uint32_t joints = 1 + number % MAX_JOINTS;
    OWNED limb *l = malloc(sizeof *l);
    float maps[12 * MAX_JOINTS];
    char name[32];
    OWN(subject) s = {0};
    fill_limb(l, joints, number % 3 ? 0 : 0.3, number % 5 == 4, &random);
    graze_model_def def = limb_def(l, joints, patches[number / 4 % 4]);
    snprintf(name, sizeof name, "limb %u", number);
    bool ok = subject_make(&s, &def);
    for (int p = 0; ok && p < 12; p++) {
        if (p % 3)
            near_maps(joints, pow(0.3, p / 2), &random, maps);
        else
            bent_maps(joints, 0.3 * p, &random, maps);
        ok = subject_pose(&s, maps) && check_pose(&s, 10, name, &random, seen);
    }
    return ok;
}

TEST(limbs_keep_what_is_proven)
{
    tally seen = {.nearest = INFINITY};
    uint32_t count = test_amount(120, 20);
    for (uint32_t i = 0; i < count; i++)
        if (!check_limb(i, &seen))
            break;
    print("limbs", &seen);
    CHECK(4 * seen.kept > seen.regions && seen.kept < seen.regions && seen.nearest < 1.1);
}

TEST(characters_keep_what_is_proven)
{
    tally seen = {.nearest = INFINITY};
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(31);
    for (uint32_t i = 0; i < count; i++) {
        const graze_rig *rig = rigs[i].rig;
        graze_model_def def = graze_rig_model_def(rig);
        OWNED float *maps = malloc(12 * sizeof(float) * rig->joint_count);
        uint32_t clip = rig->clip_count ? 0 : GRAZE_NONE, poses = test_amount(3, 1);
        subject s;
        bool ok = rig->triangle_count < test_amount(20000, 2500);
        for (uint32_t p = 0; ok && p < poses; p++) {
            ok = p || subject_make(&s, &def);
            double seconds = rig->clip_count ? (double)rig->clips[0].seconds : 0;
            test_rig_sample(rig, clip, (p + 0.5) / poses * seconds, maps);
            ok = ok && subject_pose(&s, maps) && check_pose(&s, 2, rigs[i].name, &random, &seen);
            if (p + 1 == poses)
                subject_free(&s);
        }
    }
    print("characters", &seen);
    CHECK(10 * seen.kept > seen.regions && seen.kept < seen.regions);
}

/* ---- climbing ----------------------------------------------------------------------------- */

/* Moves the maps by lot, and keeps what brings measured and proven closer together. */
static bool climb(subject *s, uint32_t joints, const grazei_near *near, uint32_t patch,
                  test_random *random, tally *seen)
{
    float maps[12 * MAX_JOINTS], next[12 * MAX_JOINTS];
    double best = INFINITY;
    near_maps(joints, 0.1, random, maps);
    for (int step = 0; step < 120; step++) {
        double size = pow(0.5, step % 12);
        memcpy(next, maps, sizeof next);
        for (int k = 0; k < 3; k++)
            next[test_random_u32(random) % (12 * joints)] +=
                (float)(size * test_random_range(random, -1, 1));
        if (!subject_pose(s, step ? next : maps))
            return false;
        double kept = kept_part(s, near->fold);
        seen->regions++;
        seen->kept += kept > 0;
        if (kept <= 0)
            continue;
        /* The same points every time. */
        test_random points = test_random_seed(patch + 1);
        double measured = measured_part(s, patch, near->patch, 150, &points, seen);
        if (!check_part(kept, measured, "climbing", seen))
            return false;
        if (measured / kept < best) {
            best = measured / kept;
            memcpy(maps, step ? next : maps, sizeof maps);
        }
    }
    return true;
}

TEST(climbing_finds_no_contradiction)
{
    tally seen = {.nearest = INFINITY};
    limb *l = malloc(sizeof *l);
    uint32_t count = test_amount(150, 15);
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) {
        test_random random = test_random_seed(40 + i);
        uint32_t joints = 2 + i % 3;
        OWN(subject) s = {0};
        fill_limb(l, joints, i % 2 ? 0.2 : 0, i % 5 == 4, &random);
        graze_model_def def = limb_def(l, joints, i % 2 ? 16 : 8);
        ok = subject_make(&s, &def);
        const grazei_folds *folds = &s.model->folds;
        uint32_t rank = test_random_u32(&random) % s.model->tree.patch_count;
        uint32_t first = folds->first_near[rank], nears = folds->first_near[rank + 1] - first;
        ok = ok && climb(&s, joints, &folds->nears[first + test_random_u32(&random) % nears],
                         folds->rank_patches[rank], &random, &seen);
    }
    print("climbing", &seen);
    free(l);
    CHECK(seen.kept > 100);
}

/* ---- rows --------------------------------------------------------------------------------- */

static double weight_of(const grazei_mesh *mesh, uint32_t vertex, uint32_t joint)
{
    for (uint32_t i = mesh->influence_offsets[vertex]; i < mesh->influence_offsets[vertex + 1]; i++)
        if (mesh->influences[i].joint == joint)
            return (double)mesh->influences[i].weight;
    return 0;
}

/* A row's r and (w - m) (x - c) at a point of a triangle, interpolated from its corners. */
static void interpolate(const subject *s, const grazei_fold *fold, const grazei_fold_row *row,
                        const uint32_t *corners, const double shares[3], double out[4])
{
    const grazei_mesh *mesh = &s->model->mesh;
    uint32_t joint = s->model->folds.pairs[row->pair][1];
    memset(out, 0, 4 * sizeof *out);
    for (int c = 0; c < 3; c++) {
        double off = weight_of(mesh, corners[c], joint) - (double)row->weight, linear = 0;
        for (int axis = 0; axis < 3; axis++) {
            double way =
                (double)mesh->positions[3 * (size_t)corners[c] + axis] - (double)fold->centre[axis];
            linear += (double)row->gradient[axis] * way;
            out[axis] += shares[c] * off * way;
        }
        out[3] += shares[c] * (off - linear);
    }
}

/* How far the rows of a pair of patches are used up by random points: the worst of both kinds. */
static void check_rows(const subject *s, const grazei_near *near, uint32_t p, test_random *random,
                       double most[2], uint64_t *count)
{
    const grazei_tree *tree = &s->model->tree;
    const grazei_folds *folds = &s->model->folds;
    const grazei_fold *fold = &folds->folds[near->fold];
    const grazei_patch *first = &tree->patches[p], *second = &tree->patches[near->patch];
    for (uint32_t n = 0; n < 40 * (uint32_t)fold->row_count; n++) {
        const grazei_fold_row *row = &folds->rows[fold->first_row + n % fold->row_count];
        uint32_t i = test_random_u32(random) % first->triangle_count;
        uint32_t k = test_random_u32(random) % second->triangle_count;
        uint32_t a = tree->patch_triangles[first->first_triangle + i];
        uint32_t b = tree->patch_triangles[second->first_triangle + k];
        if (grazei_are_neighbours(&s->model->mesh, a, b) || is_listed(folds, p, i, near->patch, k))
            continue;
        const uint32_t *x = s->model->mesh.triangles + 3 * (size_t)a;
        const uint32_t *y = s->model->mesh.triangles + 3 * (size_t)b;
        double shares[2][3], rest[2][3], values[2][4];
        for (int side = 0; side < 2; side++) {
            random_shares(random, shares[side]);
            point_of(s->model->mesh.positions, side ? y : x, shares[side], rest[side]);
            interpolate(s, fold, row, side ? y : x, shares[side], values[side]);
        }
        double distance = apart(rest[0], rest[1]);
        double bend = fabs(values[0][3] - values[1][3]) / distance;
        double spread = apart(values[0], values[1]) / distance;
        /* Weights that are linear but for double's last bits have nothing to compare. */
        most[0] = fmax(most[0], (bend - 1e-12) / ((double)row->bend + 1e-300));
        most[1] = fmax(most[1], (spread - 1e-12) / ((double)row->spread + 1e-300));
        ++*count;
    }
}

TEST(rows_hold_for_all_points)
{
    static const uint32_t patches[] = {8, 24, 64, 128};
    double most[2] = {0, 0};
    uint64_t points = 0;
    OWNED limb *l = malloc(sizeof *l);
    uint32_t count = test_amount(200, 20);
    for (uint32_t i = 0; i < count; i++) {
        test_random random = test_random_seed(90 + i);
        uint32_t joints = 2 + i % 3;
        OWN(subject) s = {0};
        fill_limb(l, joints, i % 2 ? 0.2 : 0, i % 5 >= 3, &random);
        graze_model_def def = limb_def(l, joints, patches[i / 6 % 4]);
        if (subject_make(&s, &def))
            for (uint32_t rank = 0; rank < s.model->tree.patch_count; rank++)
                for (uint32_t n = s.model->folds.first_near[rank];
                     n < s.model->folds.first_near[rank + 1]; n++)
                    if (s.model->folds.nears[n].fold != GRAZEI_NO_FOLD)
                        check_rows(&s, &s.model->folds.nears[n], s.model->folds.rank_patches[rank],
                                   &random, most, &points);
    }
    printf("     rows: %llu pairs of points use up to %.4f of bend and %.4f of spread\n",
           (unsigned long long)points, most[0], most[1]);
    CHECK(most[0] <= 1 && most[1] <= 1 && most[0] > 0.95 && most[1] > 0.95);
}

/* ---- sums --------------------------------------------------------------------------------- */

/* All at once, on every instruction set, or one by one: the same to the last bit. */
static bool check_sums(const subject *s, grazei_fold_sums *const sums[3])
{
    const grazei_folds *folds = &s->model->folds;
    float blur = grazei_fold_blur(&s->pose);
    subject other = *s;
    bool ok = true;
    for (uint32_t i = 0; i < 3; i++) {
        GRAZEI_PICK(variants_isa(i), fold_kernels)->sum(folds, s->pairs, blur, sums[i]);
        ok = ok && !memcmp(sums[i], sums[0], folds->fold_count * sizeof **sums);
    }
    other.pose.sums = sums[0];
    for (uint32_t f = 0; ok && f < folds->fold_count; f++)
        ok = kept_part(s, f) == kept_part(&other, f) &&
             grazei_cannot_fold(&s->pose, f) == grazei_cannot_fold(&other.pose, f);
    return test_check(ok, __FILE__, __LINE__, "sums differ");
}

TEST(sums_are_those_of_rows)
{
    limb *l = malloc(sizeof *l);
    uint64_t folds = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < test_amount(12, 4); i++) {
        test_random random = test_random_seed(40 + i);
        uint32_t joints = 2 + i % 3;
        float maps[12 * MAX_JOINTS];
        OWN(subject) s = {0};
        fill_limb(l, joints, i % 2 ? 0.2 : 0, false, &random);
        graze_model_def def = limb_def(l, joints, 24);
        ok = subject_make(&s, &def);
        grazei_fold_sums *sums[3] = {NULL, NULL, NULL};
        for (int k = 0; ok && k < 3; k++)
            sums[k] = malloc((s.model->folds.fold_count + 1) * sizeof *sums[k]);
        for (int p = 0; ok && p < 4; p++) {
            bent_maps(joints, 0.4 * p, &random, maps);
            ok = subject_pose(&s, maps) && check_sums(&s, sums);
            folds += s.model->folds.fold_count;
        }
        for (int k = 0; k < 3; k++)
            free(sums[k]);
    }
    free(l);
    CHECK(folds > 0);
}

/* ---- small things ------------------------------------------------------------------------- */

static uint32_t skipped_nodes(const subject *s)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < s->model->tree.node_count; n++)
        count += grazei_node_cannot_fold(&s->pose, n);
    return count;
}

/* However small the map, flat is flat; and what is not flat is not looked at while floats last. */
TEST(small_maps_are_not_taken_for_others)
{
    test_random random = test_random_seed(1);
    OWNED limb *l = malloc(sizeof *l);
    OWN(subject) s = {0};
    fill_limb(l, 1, 0, false, &random);
    graze_model_def def = limb_def(l, 1, 16);
    REQUIRE(subject_make(&s, &def));
    for (int e = 20; e > -149; e--) {
        float scale = ldexpf(1, e), flat = e % 3 ? 0 : ldexpf(scale, -30);
        float round[12] = {0, scale, 0, 0, scale, 0, 0, 0, 0, 0, scale, 0};
        float sheet[12] = {0, scale, 0, 0, scale, 0, 0, 0, 0, 0, flat, 0};
        float skew[12] = {scale, scale, 0, 0, scale, scale, 0, 0, 0, 0, scale, 0};
        CHECK(subject_pose(&s, sheet));
        CHECK_MSG(skipped_nodes(&s) == 0, "a sheet at 2^%d", e);
        CHECK(subject_pose(&s, skew));
        CHECK_MSG(skipped_nodes(&s) == 0, "a skew sheet at 2^%d", e);
        CHECK(subject_pose(&s, round));
        CHECK_MSG(e < -20 || skipped_nodes(&s) == s.model->tree.node_count, "at 2^%d", e);
    }
}

/* Nothing is known of what a morph target moves while it does, however little. */
TEST(morphs_are_not_skipped)
{
    test_random random = test_random_seed(2);
    limb *l = malloc(sizeof *l);
    subject s;
    uint32_t vertices[] = {0};
    float deltas[] = {1, 0, 0}, weight;
    graze_morph_target target = {vertices, deltas, 1};
    fill_limb(l, 1, 0, false, &random);
    graze_model_def def = limb_def(l, 1, 16);
    def.morphs = &target;
    def.morph_count = 1;
    REQUIRE(subject_make(&s, &def));
    const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (int e = 0; e > (test_flushes_denormals() ? -120 : -140); e -= 10) {
        graze_pose pose = {
            .joints = identity, .joint_count = 1, .morph_weights = &weight, .morph_count = 1};
        weight = ldexpf(1, e);
        CHECK(graze_body_set_pose(s.body, &pose, NULL) == GRAZE_OK);
        s.pose = grazei_folds_pose(&s.model->folds, &s.model->skin, grazei_body_joints(s.body),
                                   s.pairs, s.pieces, NULL);
        uint32_t skipped = skipped_nodes(&s);
        CHECK(skipped > 0 && skipped < s.model->tree.node_count);
        CHECK(!grazei_node_cannot_fold(&s.pose, 0));
    }
    CHECK(subject_pose(&s, identity));
    CHECK(skipped_nodes(&s) == s.model->tree.node_count);
    subject_free(&s);
    free(l);
}
