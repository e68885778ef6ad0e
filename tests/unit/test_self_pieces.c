/* Self-collision of bodies of loose shells, nested and crossing at rest: what is answered from the
 * rest pose, in every kind of pose and skinning, is what plain testing of the posed triangles says.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/deform_skins.h"
#include "support/impacts.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigid.h"
#include "support/self_judge.h"
#include "support/variants.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = 4, RINGS = 6, SECTORS = 8, MORPHS = 2 };
enum { SHELL_VERTICES = (RINGS + 1) * SECTORS, SHELL_TRIANGLES = 2 * RINGS * SECTORS };

typedef struct shells {
    uint32_t count;
    float *positions;
    uint32_t *triangles, *offsets;
    graze_influence *influences;
    graze_morph_target morphs[MORPHS];
    uint32_t *moved;
    float *deltas;
} shells;

typedef struct shells_kind {
    bool lattice; /* places are multiples of 1/16: shells touch in corners, edges and planes */
    bool blended; /* some vertices follow two joints */
    bool morphed;
    double offset; /* from the origin */
} shells_kind;

static void add_shell(shells *s, const shells_kind *kind, test_random *random)
{
    uint32_t first = s->count * SHELL_VERTICES, joint = test_random_u32(random) % JOINTS;
    double middle[3], radius = test_random_range(random, 0.05, 0.6);
    for (int k = 0; k < 3; k++)
        middle[k] = kind->offset + test_random_range(random, -0.6, 0.6);
    for (uint32_t v = 0; v < SHELL_VERTICES; v++) {
        double up = 3.14159265 * (v / SECTORS) / RINGS, round = 6.2831853 * (v % SECTORS) / SECTORS;
        double way[3] = {sin(up) * cos(round), sin(up) * sin(round), cos(up)};
        for (int k = 0; k < 3; k++) {
            double x = middle[k] + radius * way[k];
            s->positions[3 * (first + v) + k] = (float)(kind->lattice ? floor(x * 16) / 16 : x);
        }
        float share = kind->blended && v % 7 == 3 ? 0.5f : 0;
        s->offsets[first + v] = 2 * (first + v);
        s->influences[2 * (first + v)] = (graze_influence){joint, 1 - share};
        s->influences[2 * (first + v) + 1] = (graze_influence){(joint + 1) % JOINTS, share};
    }
    for (uint32_t i = 0; i < SHELL_TRIANGLES; i++) {
        uint32_t ring = i / 2 / SECTORS, sector = i / 2 % SECTORS, next = (sector + 1) % SECTORS;
        uint32_t quad[4] = {ring * SECTORS + sector, ring * SECTORS + next,
                            (ring + 1) * SECTORS + next, (ring + 1) * SECTORS + sector};
        uint32_t *corners = s->triangles + 3 * ((size_t)s->count * SHELL_TRIANGLES + i);
        for (int c = 0; c < 3; c++)
            corners[c] = first + quad[i % 2 ? (c ? c + 1 : 0) : c];
    }
    s->count++;
    s->offsets[s->count * SHELL_VERTICES] = 2 * s->count * SHELL_VERTICES;
}

static shells shells_make(uint32_t count, const shells_kind *kind, test_random *random)
{
    size_t vertices = (size_t)count * SHELL_VERTICES;
    shells s = {.positions = malloc(3 * vertices * sizeof(float)),
                .triangles = malloc(3 * sizeof(uint32_t) * count * SHELL_TRIANGLES),
                .offsets = malloc((vertices + 1) * sizeof(uint32_t)),
                .influences = malloc(2 * vertices * sizeof(graze_influence)),
                .moved = malloc(vertices * sizeof(uint32_t)),
                .deltas = calloc(3 * vertices, sizeof(float))};
    while (s.count < count)
        add_shell(&s, kind, random);
    for (uint32_t v = 0; v < vertices; v++) {
        s.moved[v] = v;
        s.deltas[3 * v] = v % 3 ? 0.01f : 0;
    }
    s.morphs[0] = (graze_morph_target){s.moved, s.deltas, SHELL_VERTICES + 3};
    s.morphs[1] = (graze_morph_target){s.moved + vertices / 2, s.deltas, 1};
    return s;
}

static void shells_free(shells *s)
{
    free(s->positions);
    free(s->triangles);
    free(s->offsets);
    free(s->influences);
    free(s->moved);
    free(s->deltas);
}

OWN_VALUE(shells, shells_free)

static graze_model_def shells_def(const shells *s, const shells_kind *kind)
{
    graze_model_def def = {0};
    def.positions = s->positions;
    def.vertex_count = s->count * SHELL_VERTICES;
    def.triangles = s->triangles;
    def.triangle_count = s->count * SHELL_TRIANGLES;
    def.joint_count = JOINTS;
    def.influence_offsets = s->offsets;
    def.influences = s->influences;
    def.morphs = s->morphs;
    def.morph_count = kind->morphed ? MORPHS : 0;
    return def;
}

static void random_maps(const shells_kind *kind, bool linear, test_random *random, float *joints)
{
    const float centre[3] = {(float)kind->offset, (float)kind->offset, (float)kind->offset};
    uint32_t lot = test_random_u32(random);
    if (linear && lot % 2)
        for (int j = 0; j < JOINTS; j++)
            map_make((map_kind)(lot / 2 % MAP_KIND_COUNT), centre, 1, random, joints + 12 * j);
    else
        deform_pose_make((deform_pose_kind)(lot / 2 % DEFORM_POSE_COUNT), centre, 1, JOINTS, random,
                         joints);
    if (lot >> 16 & 1) /* all as one: everything is as it was at rest, or nearly */
        for (int j = 1; j < JOINTS; j++)
            memcpy(joints + 12 * j, joints, 12 * sizeof *joints);
}

/* One mesh in many poses, on trees of patches of different sizes and instruction sets. */
static void check_shells(uint32_t number, self_tally *seen)
{
    static const uint32_t patches[] = {64, 16, 128};
    test_random random = test_random_seed(6100 + number);
    shells_kind kind = {.lattice = number % 3 == 1,
                        .blended = number % 4 == 2,
                        .morphed = number % 5 == 3,
                        .offset = number % 6 == 5 ? 300 : 0};
    OWN(shells) s = shells_make(3 + number % 9, &kind, &random);
    graze_model_def def = shells_def(&s, &kind);
    OWN(variants) v = {0};
    float joints[12 * JOINTS], placement[12], weights[MORPHS];
    char name[32];
    bool ok = true;
    def.skinning = (graze_skinning)(number % 3);
    snprintf(name, sizeof name, "shells %u", number);
    for (uint32_t i = 0; ok && i < 3; i++) {
        def.tree.patch_triangles = patches[i];
        def.isa = variants_isa(test_random_u32(&random));
        ok = variants_add(&v, &def);
    }
    for (uint32_t p = 0, poses = test_amount(8, 4); ok && p < poses; p++) {
        OWN(pair_set) expected = {0};
        random_maps(&kind, def.skinning == GRAZE_LINEAR, &random, joints);
        deform_weights_make(def.morph_count, &random, weights);
        bool placed = deform_placement_make(1, &random, placement);
        graze_pose pose = {.joints = joints,
                           .joint_count = JOINTS,
                           .placement = placed && p % 2 ? placement : NULL,
                           .morph_weights = def.morph_count && p % 3 ? weights : NULL,
                           .morph_count = def.morph_count};
        if (!variants_pose(&v, &pose, name))
            continue;
        self_expect(v.bodies[0], &def, &expected);
        for (uint32_t i = 0; i < v.count && ok; i++)
            ok = self_agree(v.bodies[i], &expected, i == 0, name, seen);
    }
}

TEST(shells_agree)
{
    self_tally seen = {0};
    for (uint32_t i = 0, count = test_amount(40, test_sanitized_amount(24)); i < count; i++)
        check_shells(i, &seen);
    self_tally_print("shells", &seen);
    CHECK(2 * seen.hits > seen.poses && seen.rest_pairs > 1000 && seen.rest_pairs < seen.pairs);
}

/* What moves as one is answered from the rest pose: next to nothing is posed or tested. */
TEST(one_piece_is_not_posed)
{
    test_random random = test_random_seed(77);
    shells_kind kind = {0};
    OWN(shells) s = shells_make(40, &kind, &random);
    graze_model_def def = shells_def(&s, &kind);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    OWN(pair_set) expected = {0}, found = {0};
    graze_stats stats = {0};
    float map[12];
    def.joint_count = 1;
    def.influence_offsets = NULL;
    def.influences = NULL;
    map_make(MAP_RIGID, (const float[3]){0, 0, 0}, 1, &random, map);
    graze_pose pose = {.joints = map, .joint_count = 1};
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    REQUIRE(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
    CHECK(graze_self_pairs(body, NULL, TO_PAIR_SET(&found), &(graze_options){.stats = &stats},
                           NULL) == GRAZE_OK);
    self_expect(body, &def, &expected);
    printf("     one piece: %zu pairs, %llu tested, %llu patches posed\n", found.count,
           (unsigned long long)stats.triangle_tests, (unsigned long long)stats.patches_posed);
    CHECK(found.count == expected.count && found.count > 1000);
    CHECK(10 * stats.triangle_tests < found.count);
    OWN(pair_set) few = {.stop = 1}; /* what is known comes before anything is looked at */
    graze_stats before = {0};
    CHECK(graze_self_pairs(body, NULL, TO_PAIR_SET(&few), &(graze_options){.stats = &before},
                           NULL) == GRAZE_OK);
    CHECK(few.calls == 1 && before.bound_tests == 0 && before.patches_posed == 0);
}

/* Pairs come by two ways, tested and known from the rest pose: who stops one stops both. */
TEST(a_stopped_query_stays_stopped)
{
    test_random random = test_random_seed(78);
    shells_kind kind = {0};
    OWN(shells) s = shells_make(40, &kind, &random);
    graze_model_def def = shells_def(&s, &kind);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    float joints[12 * JOINTS];
    deform_pose_make(DEFORM_NEAR, (const float[3]){0, 0, 0}, 1, JOINTS, &random, joints);
    graze_pose pose = {.joints = joints, .joint_count = JOINTS};
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    REQUIRE(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
    for (size_t stop = 1; stop < 40; stop++) {
        OWN(pair_set) found = {.stop = stop};
        CHECK(graze_self_pairs(body, NULL, TO_PAIR_SET(&found), NULL, NULL) == GRAZE_OK);
        CHECK_MSG(found.calls == stop, "%zu calls, stopped at %zu", found.calls, stop);
    }
}

/* ---- motions ------------------------------------------------------------------------------ */

/* A motion from one pose to another: the table must not lose an impact, nor change one. */
static bool check_motion(graze_body *ends[2], const char *name, uint64_t *count)
{
    graze_motion motion = {.start = ends[0], .end = ends[1]};
    impact_set sets[2] = {{0}};
    graze_impact first = {0};
    graze_sweep_all(&motion, NULL, TO_IMPACT_SET(&sets[0]), NULL, NULL);
    graze_sweep_all(&motion, NULL, TO_IMPACT_SET(&sets[1]), &(graze_options){.method = GRAZE_BRUTE},
                    NULL);
    graze_sweep(&motion, NULL, &first, NULL, NULL);
    const graze_impact earliest = impact_set_earliest(&sets[1]);
    bool ok = impact_set_equal(&sets[0], &sets[1], NULL) && impact_same(&first, &earliest);
    *count += sets[1].count;
    ok = test_check(ok, __FILE__, __LINE__, "%s: %zu impacts, not %zu, or others", name,
                    sets[0].count, sets[1].count);
    impact_set_free(&sets[0]);
    impact_set_free(&sets[1]);
    return ok;
}

TEST(motions_of_shells_agree)
{
    uint64_t count = 0;
    for (uint32_t n = 0, meshes = test_amount(20, test_sanitized_amount(12)); n < meshes; n++) {
        test_random random = test_random_seed(8800 + n);
        shells_kind kind = {.blended = n % 4 == 2, .lattice = n % 5 == 1, .morphed = n % 7 == 3};
        OWN(shells) s = shells_make(3 + n % 2, &kind, &random);
        graze_model_def def = shells_def(&s, &kind);
        OWN(graze_model) *model = NULL;
        graze_body *ends[2] = {NULL, NULL};
        char name[32];
        snprintf(name, sizeof name, "motion %u", n);
        def.skinning = (graze_skinning)(n % 3);
        def.isa = variants_isa(n);
        bool ok = graze_model_create(&def, &model, NULL) == GRAZE_OK &&
                  graze_body_create(model, &ends[0], NULL) == GRAZE_OK &&
                  graze_body_create(model, &ends[1], NULL) == GRAZE_OK;
        for (int p = 0; ok && p < 4; p++) {
            float joints[2][12 * JOINTS];
            for (int end = 0; end < 2 && ok; end++) {
                random_maps(&kind, def.skinning == GRAZE_LINEAR, &random, joints[end]);
                if (end && p % 2) /* a little on */
                    for (int i = 0; i < 12 * JOINTS; i++)
                        joints[1][i] = joints[0][i] * 1.01f;
                graze_pose pose = {.joints = joints[end], .joint_count = JOINTS};
                ok = graze_body_set_pose(ends[end], &pose, NULL) == GRAZE_OK;
            }
            ok = !ok || check_motion(ends, name, &count);
        }
        graze_body_destroy(ends[0]);
        graze_body_destroy(ends[1]);
    }
    printf("     motions: %llu impacts\n", (unsigned long long)count);
    CHECK(count > 1000);
}

/* ---- crowds ------------------------------------------------------------------------------- */

/* Triangles round one vertex, or layers of them: the table says little, and the answers stay. */
static void check_crowd(uint32_t count, bool layers, self_tally *seen)
{
    OWNED float *positions = malloc(9 * sizeof(float) * count);
    OWNED uint32_t *triangles = malloc(3 * sizeof(uint32_t) * count);
    test_random random = test_random_seed(count);
    for (uint32_t i = 0; i < 3 * count; i++) {
        triangles[i] = i;
        for (int k = 0; k < 3; k++) {
            float x = (float)test_random_range(&random, -1, 1);
            if (layers)
                x = k == 2 ? (float)(i / 3) * 1e-5f : (float)(i % 3 == (uint32_t)k + 1);
            else if (i % 3 == 0)
                x = 0;
            positions[3 * (size_t)i + k] = x;
        }
    }
    graze_model_def def = test_rigid_def(positions, 3 * count, triangles, count);
    OWN(variants) v = {0};
    OWN(pair_set) expected = {0};
    const float shear[12] = {1, 0.5f, 0, 0, 0, 1, 0.25f, 3, 0, 0, 1, 0};
    const float flat[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    REQUIRE(variants_add(&v, &def));
    for (int p = 0; p < 2; p++) {
        graze_pose pose = {.joints = p ? flat : shear, .joint_count = 1};
        CHECK(variants_pose(&v, &pose, "a crowd"));
        self_expect(v.bodies[0], &def, &expected);
        self_agree(v.bodies[0], &expected, true, "a crowd", seen);
    }
}

TEST(crowds_agree)
{
    self_tally seen = {0};
    check_crowd(200, false, &seen);
    check_crowd(test_amount(6000, 5000), false, &seen);
    check_crowd(300, true, &seen);
    self_tally_print("crowds", &seen);
    CHECK(seen.pairs > 1000);
}
