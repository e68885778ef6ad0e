/* Frozen bodies: the same floats, numbers and answers as the body they were made from, whatever
 * deformed it, and bounds that hold when they are moved.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/allocator.h"
#include "support/bounds_judge.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/self_judge.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two bodies of one model, and the frozen copy of each. */
typedef struct frozen_pair {
    graze_model *model, *frozen_models[2];
    graze_body *bodies[2], *frozen[2];
} frozen_pair;

static bool frozen_pair_make(frozen_pair *f, const graze_model_def *def)
{
    graze_error error = {.text = ""};
    *f = (frozen_pair){0};
    bool ok = graze_model_create(def, &f->model, &error) == GRAZE_OK &&
              graze_body_create(f->model, &f->bodies[0], &error) == GRAZE_OK &&
              graze_body_create(f->model, &f->bodies[1], &error) == GRAZE_OK;
    return test_check(ok, __FILE__, __LINE__, "no bodies: %s", error.text);
}

static void frozen_pair_thaw(frozen_pair *f)
{
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(f->frozen[i]);
        graze_model_destroy(f->frozen_models[i]);
        f->frozen[i] = NULL;
        f->frozen_models[i] = NULL;
    }
}

static void frozen_pair_free(frozen_pair *f)
{
    frozen_pair_thaw(f);
    graze_body_destroy(f->bodies[0]);
    graze_body_destroy(f->bodies[1]);
    graze_model_destroy(f->model);
}

OWN_VALUE(frozen_pair, frozen_pair_free)

static bool frozen_pair_freeze(frozen_pair *f, const char *name)
{
    graze_error error = {.text = ""};
    bool ok = true;
    frozen_pair_thaw(f);
    for (int i = 0; ok && i < 2; i++) {
        ok = graze_body_freeze(f->bodies[i], &f->frozen_models[i], &error) == GRAZE_OK &&
             graze_body_create(f->frozen_models[i], &f->frozen[i], &error) == GRAZE_OK;
        /* Freezing has posed everything; queries of the original are to be lazy again. */
        graze_body_drop_caches(f->bodies[i]);
    }
    return test_check(ok, __FILE__, __LINE__, "%s: %s", name, error.text);
}

/* What a body is made of, apart from how it deforms. */
static void check_numbers(const frozen_pair *f, const char *name)
{
    graze_model_info own = graze_model_get_info(f->model);
    graze_model_info info = graze_model_get_info(f->frozen_models[0]);
    CHECK_MSG(info.joint_count == 1 && info.max_influences == 1 && info.joint_set_count == 1 &&
                  info.morph_count == 0 && info.skinning == GRAZE_LINEAR,
              "%s: not rigid", name);
    bool same = info.vertex_count == own.vertex_count && info.part_count == own.part_count &&
                info.node_count == own.node_count && info.leaf_count == own.leaf_count &&
                info.level_count == own.level_count && info.max_children == own.max_children &&
                info.binary_node_count == own.binary_node_count &&
                info.triangle_count == own.triangle_count;
    for (uint32_t v = 0; same && v < own.vertex_count; v++)
        same =
            graze_model_vertex_part(f->model, v) == graze_model_vertex_part(f->frozen_models[0], v);
    for (uint32_t t = 0; same && t < own.triangle_count; t++) {
        uint32_t corners[2][3];
        graze_model_triangle(f->model, t, corners[0]);
        graze_model_triangle(f->frozen_models[0], t, corners[1]);
        same = !memcmp(corners[0], corners[1], sizeof corners[0]) &&
               graze_model_triangle_part(f->model, t) ==
                   graze_model_triangle_part(f->frozen_models[0], t);
    }
    const grazei_tree *a = &f->model->tree, *b = &f->frozen_models[0]->tree;
    same = same && !memcmp(a->nodes, b->nodes, own.node_count * sizeof *a->nodes) &&
           !memcmp(a->patches, b->patches, own.leaf_count * sizeof *a->patches) &&
           !memcmp(a->patch_triangles, b->patch_triangles, own.triangle_count * sizeof(uint32_t));
    CHECK_MSG(same, "%s: something has another number", name);
}

static void check_positions(frozen_pair *f, const char *name)
{
    size_t bytes = 3 * sizeof(float) * f->model->mesh.vertex_count;
    OWNED float *own = malloc(bytes), *frozen = malloc(bytes);
    REQUIRE(own && frozen);
    for (int i = 0; i < 2; i++) {
        graze_body_get_positions(f->bodies[i], own);
        graze_body_get_positions(f->frozen[i], frozen);
        CHECK_MSG(!memcmp(own, frozen, bytes), "%s: a position is another float", name);
        graze_body_drop_caches(f->bodies[i]);
        graze_body_drop_caches(f->frozen[i]);
    }
}

/* Rays between vertices of both bodies, so that most hit something. */
static void check_rays(frozen_pair *f, test_random *random, const char *name)
{
    for (int k = 0; k < 8; k++) {
        graze_hit hits[2];
        float ends[2][3];
        for (int i = 0; i < 2; i++) {
            uint32_t v = test_random_u32(random) % f->model->mesh.vertex_count;
            memcpy(ends[i], f->frozen_models[i]->mesh.positions + 3 * (size_t)v, sizeof ends[i]);
        }
        graze_ray ray = graze_ray_between(ends[0], ends[1]);
        graze_body *bodies[2] = {f->bodies[k & 1], f->frozen[k & 1]};
        graze_status own = graze_cast(bodies[0], &ray, &hits[0], NULL, NULL);
        CHECK(graze_cast(bodies[1], &ray, &hits[1], NULL, NULL) == own);
        if (own)
            continue;
        CHECK_MSG(hits[1].joint == 0, "%s: a frozen body has one joint", name);
        CHECK_MSG(hits[0].found == hits[1].found && hits[0].triangle == hits[1].triangle &&
                      hits[0].t == hits[1].t && hits[0].part == hits[1].part,
                  "%s: another hit", name);
    }
}

static void check_distance(frozen_pair *f, const char *name)
{
    graze_nearest own = {0}, frozen = {0};
    CHECK(graze_distance(f->bodies[0], f->bodies[1], INFINITY, &own, NULL, NULL) == GRAZE_OK);
    CHECK(graze_distance(f->frozen[0], f->frozen[1], INFINITY, &frozen, NULL, NULL) == GRAZE_OK);
    CHECK_MSG(own.distance == frozen.distance && own.pair.a == frozen.pair.a &&
                  own.pair.b == frozen.pair.b &&
                  !memcmp(own.points, frozen.points, sizeof own.points),
              "%s: distance %.17g, frozen %.17g", name, own.distance, frozen.distance);
}

static int compare_self(const void *left, const void *right)
{
    const graze_pair *x = left, *y = right;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}

static void check_self(frozen_pair *f, const char *name)
{
    OWN(pair_set) own = {0}, frozen = {0};
    CHECK(graze_self_pairs(f->bodies[0], NULL, TO_PAIR_SET(&own), NULL, NULL) == GRAZE_OK);
    CHECK(graze_self_pairs(f->frozen[0], NULL, TO_PAIR_SET(&frozen), NULL, NULL) == GRAZE_OK);
    bool same = own.count == frozen.count;
    if (own.count)
        qsort(own.pairs, own.count, sizeof *own.pairs, compare_self);
    if (frozen.count)
        qsort(frozen.pairs, frozen.count, sizeof *frozen.pairs, compare_self);
    for (size_t i = 0; same && i < own.count; i++)
        same = own.pairs[i].a == frozen.pairs[i].a && own.pairs[i].b == frozen.pairs[i].b &&
               frozen.pairs[i].at_rest;
    CHECK_MSG(same, "%s: %zu pairs with itself, frozen %zu", name, own.count, frozen.count);
}

/* Everything that is to be the same. */
static void check_answers(frozen_pair *f, test_random *random, const char *name, agreement *seen)
{
    OWN(pair_set) expected = {0};
    check_numbers(f, name);
    check_positions(f, name);
    agreement_expect(f->bodies[0], f->bodies[1], &expected);
    agreement_check(f->frozen[0], f->frozen[1], &expected, name, seen);
    agreement_check(f->bodies[0], f->frozen[1], &expected, name, seen);
    check_rays(f, random, name);
    check_distance(f, name);
    check_self(f, name);
}

static void pose_rig(const graze_rig *rig, graze_body *body, double time, float beside)
{
    float placement[12] = {0.8f, -0.6f, 0, beside, 0.6f, 0.8f, 0, 0, 0, 0, 1, 0};
    graze_error error = {.text = ""};
    graze_pose pose = test_rig_pose(rig, rig->clip_count ? 0 : GRAZE_NONE, time);
    pose.placement = placement;
    CHECK_MSG(graze_body_set_pose(body, &pose, &error) == GRAZE_OK, "%s", error.text);
}

static void check_rig(const test_rig *named, graze_tree_def tree, graze_skinning skinning,
                      test_random *random, agreement *seen)
{
    const graze_rig *rig = named->rig;
    graze_model_def def = test_rig_def(rig);
    double middle[3], size = test_extent(rig->positions, rig->vertex_count, middle);
    OWN(frozen_pair) f = {0};
    def.tree = tree;
    def.skinning = rig->influences ? skinning : GRAZE_LINEAR;
    if (frozen_pair_make(&f, &def))
        for (uint32_t p = 0; p < test_amount(2, 1); p++) {
            pose_rig(rig, f.bodies[0], 0.3 * p, 0);
            pose_rig(rig, f.bodies[1], 0.3 * p + 0.5, (float)(size * 0.4 * p));
            if (frozen_pair_freeze(&f, named->name))
                check_answers(&f, random, named->name, seen);
        }
}

TEST(characters_answer_as_before)
{
    uint32_t rig_count;
    const test_rig *rigs = test_rigs(&rig_count);
    test_random random = test_random_seed(3);
    agreement seen = {0};
    for (uint32_t r = 0; r < rig_count; r++)
        for (uint32_t t = test_amount(0, r % 2); t < 2; t += test_amount(1, 2))
            check_rig(&rigs[r], bounds_tree(t), (graze_skinning)((r + t) % 3), &random, &seen);
    agreement_print("frozen characters", &seen);
    CHECK(seen.hits > 0);
}

static void pose_skin(const deform_skin *skin, graze_body *body, uint32_t kind, test_random *random)
{
    uint32_t joint_count = skin->mesh.def.joint_count;
    float joints[12 * 40], weights[8], placement[12];
    deform_pose_make((deform_pose_kind)(kind % DEFORM_POSE_COUNT), skin->mesh.centre, 1,
                     joint_count, random, joints);
    deform_weights_make(skin->morph_count, random, weights);
    bool placed = deform_placement_make(1, random, placement);
    graze_pose pose = {.joints = joints,
                       .joint_count = joint_count,
                       .placement = placed ? placement : NULL,
                       .morph_weights = weights,
                       .morph_count = skin->morph_count};
    graze_body_set_pose(body, &pose, NULL); /* one that is refused leaves the one before */
}

static deform_skin make_skin(uint32_t number, uint32_t morphs)
{
    test_random random = test_random_seed(number + 1);
    soup_def def = {.vertex_count = 120,
                    .triangle_count = 150,
                    .joint_count = number % 2 ? 5 : 40,
                    .max_influences = 4,
                    .size = 1,
                    .lattice = number % 3 == 2};
    return deform_skin_make(&def, morphs, &random);
}

TEST(every_way_to_deform_and_every_tree)
{
    test_random random = test_random_seed(11);
    agreement seen = {0};
    uint64_t refused = 0;
    for (uint32_t i = 0; i < 3 * agreement_tree_count() * test_amount(4, 1); i++) {
        OWN(deform_skin) skin = make_skin(i, i % 2 * 5);
        graze_model_def def = deform_skin_def(&skin, (graze_skinning)(i % 3));
        def.tree = agreement_tree(i / 3 % agreement_tree_count());
        OWN(frozen_pair) f = {0};
        if (frozen_pair_make(&f, &def)) {
            graze_model *model = NULL;
            graze_error error = {.text = ""};
            pose_skin(&skin, f.bodies[0], i, &random);
            pose_skin(&skin, f.bodies[1], i, &random);
            bool ok = true;
            for (int b = 0; b < 2; b++) {
                graze_status status = graze_body_freeze(f.bodies[b], &model, &error);
                CHECK(status == GRAZE_OK ||
                      (status == GRAZE_BAD_INPUT && strstr(error.text, "1e15")));
                ok = ok && status == GRAZE_OK;
                graze_model_destroy(model);
                model = NULL;
            }
            refused += !ok;
            if (ok && frozen_pair_freeze(&f, "random skin"))
                check_answers(&f, &random, "random skin", &seen);
        }
    }
    agreement_print("frozen random skins", &seen);
    CHECK(seen.hits > 0 && refused * 4 < seen.scenes);
}

/* Moved by any map: bounds hold the vertices, and lazy is eager is brute force. */
TEST(frozen_bodies_move)
{
    test_random random = test_random_seed(17);
    bounds_seen judged = bounds_seen_start();
    agreement seen = {0};
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        OWN(deform_skin) skin = make_skin(t, 3);
        graze_model_def def = deform_skin_def(&skin, (graze_skinning)(t % 3));
        OWN(frozen_pair) f = {0};
        def.tree = agreement_tree(t);
        if (!frozen_pair_make(&f, &def))
            continue;
        for (int i = 0; i < 2; i++) {
            float joints[12 * 40];
            deform_pose_make(DEFORM_NEAR, skin.mesh.centre, 1, skin.mesh.def.joint_count, &random,
                             joints);
            graze_pose pose = {.joints = joints, .joint_count = skin.mesh.def.joint_count};
            CHECK(graze_body_set_pose(f.bodies[i], &pose, NULL) == GRAZE_OK);
        }
        if (frozen_pair_freeze(&f, "to be moved"))
            for (uint32_t kind = 0; kind < MAP_KIND_COUNT; kind++) {
                OWN(pair_set) expected = {0};
                for (int i = 0; i < 2; i++) {
                    float map[12];
                    map_make((map_kind)kind, skin.mesh.centre, 1, &random, map);
                    graze_pose pose = {.joints = map, .joint_count = 1};
                    CHECK(graze_body_set_pose(f.frozen[i], &pose, NULL) == GRAZE_OK);
                    bounds_judge(f.frozen[i], true, "a moved frozen body", &judged);
                }
                agreement_expect(f.frozen[0], f.frozen[1], &expected);
                agreement_check(f.frozen[0], f.frozen[1], &expected, "moved frozen bodies", &seen);
            }
    }
    bounds_seen_print("moved frozen bodies", &judged);
    agreement_print("moved frozen bodies", &seen);
    CHECK(seen.hits > 0);
}

/* Spheres above contact proxies wrap the proxies' spheres in the new place too. */
TEST(contact_proxies_are_wrapped_again)
{
    OWN(deform_skin) skin = make_skin(1, 0);
    graze_model_def def = deform_skin_def(&skin, GRAZE_LINEAR);
    test_random random = test_random_seed(23);
    OWN(frozen_pair) f = {0};
    def.tree = graze_paper_tree();
    def.tree.contact_level = 3;
    if (frozen_pair_make(&f, &def)) {
        pose_skin(&skin, f.bodies[0], DEFORM_RANDOM, &random);
        if (frozen_pair_freeze(&f, "with proxies"))
            for (uint32_t n = 0; n < f.frozen_models[0]->tree.level_first[3]; n++) {
                const grazei_tree *tree = &f.frozen_models[0]->tree;
                const float *own = tree->spheres[n];
                for (uint32_t c = 0; c < tree->nodes[n].count; c++) {
                    const float *child = tree->spheres[tree->nodes[n].first + c];
                    double x = child[0] - own[0], y = child[1] - own[1], z = child[2] - own[2];
                    CHECK(sqrt(x * x + y * y + z * z) + child[3] <= own[3] * (1 + 1e-6));
                }
            }
    }
}

/* Two tents that share a seam of doubled vertices, and two more vertices that only the pose brings
 * together: neighbours are told by the first rest pose, before and after.
 */
TEST(neighbours_stay_neighbours)
{
    const float positions[] = {0, 0, 0, 1, 0,      0, 0, 1, 0, /**/ 0, 0, 0, 1, 0,
                               0, 0, 0, 1, /**/ 0, 5, 0, 1, 5, 0,      0, 6, 0};
    const uint32_t triangles[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const uint32_t offsets[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const graze_influence influences[] = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1},
                                          {0, 1}, {1, 1}, {1, 1}, {1, 1}};
    const float joints[24] = {1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1, 0,
                              1, 0, 0, 0, 0, 1, 0, -5, 0, 0, 1, 0};
    graze_model_def def = {0};
    graze_pose pose = {.joints = joints, .joint_count = 2};
    OWN(frozen_pair) f = {0};
    def.positions = positions;
    def.vertex_count = 9;
    def.triangles = triangles;
    def.triangle_count = 3;
    def.joint_count = 2;
    def.influence_offsets = offsets;
    def.influences = influences;
    if (frozen_pair_make(&f, &def)) {
        OWN(pair_set) found = {0};
        CHECK(graze_body_set_pose(f.bodies[0], &pose, NULL) == GRAZE_OK);
        if (frozen_pair_freeze(&f, "tents")) {
            check_self(&f, "tents");
            CHECK(graze_self_pairs(f.frozen[0], NULL, TO_PAIR_SET(&found), NULL, NULL) == GRAZE_OK);
            CHECK_MSG(found.count == 2, "%zu pairs", found.count);
        }
    }
}

/* What was frozen owns what it needs. */
TEST(frozen_models_outlive_their_origin)
{
    OWN(deform_skin) skin = make_skin(4, 5);
    graze_model_def def = deform_skin_def(&skin, GRAZE_DUAL);
    test_random random = test_random_seed(29);
    agreement seen = {0};
    OWN(pair_set) expected = {0};
    OWN(frozen_pair) f = {0};
    if (frozen_pair_make(&f, &def)) {
        pose_skin(&skin, f.bodies[0], DEFORM_NEAR, &random);
        if (frozen_pair_freeze(&f, "left alone")) {
            agreement_expect(f.bodies[0], f.bodies[1], &expected);
            graze_model *again = NULL;
            OWN(graze_body) *twice = NULL;
            CHECK(graze_body_freeze(f.frozen[0], &again, NULL) == GRAZE_OK);
            OWN(frozen_pair) alone = {.frozen_models = {again}};
            CHECK(graze_body_create(again, &twice, NULL) == GRAZE_OK);
            for (int i = 0; i < 2; i++)
                graze_body_destroy(f.bodies[i]);
            graze_model_destroy(f.model);
            f.model = NULL;
            f.bodies[0] = f.bodies[1] = NULL;
            agreement_check(f.frozen[0], f.frozen[1], &expected, "left alone", &seen);
            agreement_check(twice, f.frozen[1], &expected, "frozen twice", &seen);
        }
    }
}

TEST(refusals_say_why)
{
    OWN(deform_skin) skin = make_skin(1, 0);
    graze_model_def def = deform_skin_def(&skin, GRAZE_LINEAR);
    graze_model *untouched = (graze_model *)(uintptr_t)0x5a5a, *model = untouched;
    graze_error error = {.text = ""};
    const float far_away[12] = {1, 0, 0, 1e16f, 0, 1, 0, 0, 0, 0, 1, 0};
    float joints[12 * 5] = {0};
    OWN(frozen_pair) f = {0};
    CHECK(graze_body_freeze(NULL, &model, &error) == GRAZE_BAD_INPUT && strstr(error.text, "NULL"));
    if (frozen_pair_make(&f, &def)) {
        graze_pose pose = {.joints = joints, .joint_count = 5, .placement = far_away};
        CHECK(graze_body_set_pose(f.bodies[0], &pose, NULL) == GRAZE_OK);
        CHECK(graze_body_freeze(f.bodies[0], &model, &error) == GRAZE_BAD_INPUT);
        CHECK_MSG(strstr(error.text, "1e15"), "%s", error.text);
    }
    CHECK(model == untouched);
}

TEST(every_allocation_fails_once)
{
    uint64_t failures = 0;
    for (uint32_t t = 0; t < BOUNDS_TREES; t++) {
        OWN(deform_skin) skin = make_skin(t, t);
        test_memory c = {0};
        graze_allocator allocator = test_memory_allocator(&c);
        graze_model_def def = deform_skin_def(&skin, GRAZE_LINEAR);
        graze_model *model = NULL;
        frozen_pair f;
        def.tree = bounds_tree(t);
        def.allocator = &allocator;
        if (frozen_pair_make(&f, &def)) {
            uint64_t alive = c.alive;
            for (uint64_t fail_at = 1; !model; fail_at++) {
                graze_error error = {.text = ""};
                c.calls = 0;
                c.fail_at = fail_at;
                graze_status status = graze_body_freeze(f.bodies[0], &model, &error);
                failures += !model;
                CHECK(status == (model ? GRAZE_OK : GRAZE_OUT_OF_MEMORY));
                CHECK_MSG(model || (c.alive == alive && error.text[0]),
                          "allocation %llu: %llu left", (unsigned long long)fail_at,
                          (unsigned long long)(c.alive - alive));
                REQUIRE(fail_at < 10000);
            }
            graze_model_destroy(model);
            CHECK(c.alive == alive);
        }
        frozen_pair_free(&f);
        CHECK(c.alive == 0);
    }
    printf("     %llu allocations failed\n", (unsigned long long)failures);
}
