/* One test for each defect that was found by reading and by trying. */
#include "harness.h"

#include "support/answers.h"
#include "support/denormals.h"
#include "support/isolated.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/rigid.h"
#include "support/soup_pair.h"
#include "support/tracked.h"

#include <graze/ext/inspect.h>
#include <graze/graze.h>

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 30 };

/* ---- coherent weights after a refit ---- */

/* A spike: many vertices at its foot, one at its tip, so that their mean is far from the middle of
 * the ball around them. A small triangle is at the tip.
 */
static bool spike_is_hit(bool eager, graze_refit refit)
{
    float spike[3 * 22], deltas[3 * 22], joint[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    uint32_t triangles[3 * 20];
    const float target[9] = {0.98f, 0.1f, -0.1f, 0.98f, 0.1f, 0.1f, 0.98f, -0.2f, 0};
    const uint32_t one[3] = {0, 1, 2};
    for (uint32_t v = 0; v < 22; v++) {
        const float at[3] = {v == 21 ? 1 : 0.001f * (float)v, v == 21 ? 0 : 0.01f * (float)(v % 3),
                             v == 21 ? 0 : 0.01f * (float)(v % 2)};
        memcpy(spike + 3 * v, at, sizeof at);
        deltas[3 * v] = deltas[3 * v + 2] = 0;
        deltas[3 * v + 1] = 0.1f;
    }
    for (uint32_t t = 0; t < 20; t++) {
        triangles[3 * t] = t;
        triangles[3 * t + 1] = t + 1;
        triangles[3 * t + 2] = t == 19 ? 21 : t ? t - 1 : 2;
    }
    graze_morph_target morph = {NULL, deltas, 22};
    graze_model_def def = test_rigid_def(spike, 22, triangles, 20);
    def.morphs = &morph;
    def.morph_count = 1;
    def.tree = (graze_tree_def){GRAZE_SPHERES, refit, 64, 4, 0, 0, {0}};
    graze_model *models[2];
    graze_body *a, *b;
    if (graze_model_create(&def, &models[0], NULL))
        abort();
    def.positions = target;
    def.vertex_count = 3;
    def.triangles = one;
    def.triangle_count = 1;
    def.morph_count = 0;
    if (graze_model_create(&def, &models[1], NULL) || graze_body_create(models[0], &a, NULL) ||
        graze_body_create(models[1], &b, NULL))
        abort();
    const graze_pose pose = {.joints = joint, .joint_count = 1};
    CHECK(graze_body_set_pose(a, &pose, NULL) == GRAZE_OK);
    float weight = 0;
    CHECK(graze_body_set_morph_weights(a, &weight, 1, true, NULL) == GRAZE_OK);
    CHECK(test_meets(a, b, NULL));
    answers unused = {0};
    if (eager)
        graze_pairs(a, b, PAIRS_TO(&unused), &(graze_options){.method = GRAZE_EAGER}, NULL);
    else
        graze_body_refit_all(a);
    weight = 0.001f;
    CHECK(graze_body_set_morph_weights(a, &weight, 1, true, NULL) == GRAZE_OK);
    bool hit = test_meets(a, b, NULL);
    answers_clear(&unused);
    graze_pairs(a, b, PAIRS_TO(&unused), &(graze_options){.method = GRAZE_BRUTE}, NULL);
    CHECK(unused.count > 0);
    answers_free(&unused);
    graze_body_destroy(a);
    graze_body_destroy(b);
    graze_model_destroy(models[0]);
    graze_model_destroy(models[1]);
    return hit;
}

TEST(coherent_weights_after_a_refit_miss_nothing)
{
    for (int refit = GRAZE_REFIT_DEFAULT; refit <= GRAZE_REFIT_CORNERS; refit++) {
        CHECK_MSG(spike_is_hit(false, (graze_refit)refit), "missed after graze_body_refit_all");
        CHECK_MSG(spike_is_hit(true, (graze_refit)refit), "missed after an eager query");
    }
}

/* ---- distances of nothing, with denormals flushed ---- */

typedef struct near_question {
    soup_pair *pair;
    int kind;
} near_question;

/* Odd kinds ask for the distance, even ones for pairs; in every way. */
static bool ask_near(soup_pair *s, int kind, answers *found)
{
    graze_checkpoint *checkpoint = NULL;
    graze_status status = graze_checkpoint_create(NULL, &checkpoint, NULL);
    graze_budget budget = {.checkpoint = checkpoint};
    const graze_options ways[] = {{.method = GRAZE_LAZY},
                                  {.method = GRAZE_EAGER},
                                  {.method = GRAZE_BRUTE},
                                  {.budget = &budget}};
    const graze_options *options = &ways[kind / 2];
    graze_nearest nearest = {0};
    if (kind % 2) {
        status = status ? status : graze_distance(s->a, s->b, 0, &nearest, options, NULL);
        answers_put_nearest(found, &nearest);
    } else {
        status =
            status ? status : graze_pairs_within(s->a, s->b, 0, PAIRS_TO(found), options, NULL);
    }
    graze_checkpoint_destroy(checkpoint);
    answers_sort(found);
    return status == GRAZE_OK;
}

static bool near_is_the_same(void *user)
{
    const near_question *question = user;
    answers usual = {0}, flushed = {0};
    bool same = ask_near(question->pair, question->kind, &usual);
    test_flush_denormals(true);
    same = ask_near(question->pair, question->kind, &flushed) && same;
    test_flush_denormals(false);
    return same && answers_equal(&usual, &flushed, NULL);
}

TEST(distances_of_nothing_come_back_with_denormals_flushed)
{
    static const char *const ways[] = {"lazy", "eager", "brute", "with a budget"};
    if (!TEST_CAN_FLUSH_DENORMALS)
        SKIP_ALLOWED("no such mode is known for this processor");
    OWN(soup_pair) s = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    for (int kind = 0; kind < 8; kind++) {
        near_question question = {&s, kind};
        const char *how = "";
        bool fine = test_isolated(near_is_the_same, &question, 3, &how);
        CHECK_MSG(fine, "%s with 0, %s: %s", kind % 2 ? "distance" : "pairs_within", ways[kind / 2],
                  how);
    }
}

/* ---- bodies that outlive the caller's hold on their model ---- */

/* Counts calls that fail, and names the first few. */
static uint32_t failed_calls;

static void ok(graze_status status, const char *call)
{
    if (status && failed_calls++ < 5)
        fprintf(stderr, "%s: %s\n", graze_status_name(status), call);
}
#define OK(call) ok((call), #call)

static uint64_t hash_list(uint64_t hash, answers *list)
{
    answers_sort(list);
    hash = answers_hash(hash, list);
    answers_clear(list);
    return hash;
}

static uint64_t ask_pairs(soup_pair *s, answers *list, uint64_t hash)
{
    static const graze_method methods[] = {GRAZE_LAZY, GRAZE_EAGER, GRAZE_BRUTE, GRAZE_LAZY};
    float least = 0;
    graze_nearest nearest = {0};
    graze_pair_list nodes = {0};
    graze_body *couple[1][2] = {{s->a, s->b}};
    for (int i = 0; i < 4; i++) {
        OK(graze_pairs(s->a, s->b, PAIRS_TO(list), &(graze_options){.method = methods[i]}, NULL));
        hash = hash_list(hash, list);
    }
    OK(answers_of_couples(NULL, couple, 1, list, NULL, NULL));
    hash = hash_list(hash, list);
    OK(graze_pairs_within(s->a, s->b, 0.01, PAIRS_TO(list), NULL, NULL));
    hash = hash_list(hash, list);
    OK(graze_bound_pairs(s->a, s->b, &nodes, NULL, NULL));
    OK(graze_bound_distance(s->a, s->b, &least, NULL, NULL));
    OK(graze_distance(s->a, s->b, INFINITY, &nearest, NULL, NULL));
    answers_put_nearest(list, &nearest);
    hash = hash_list(hash, list);
    answers_put(list, (const uint32_t[]){test_meets(s->a, s->b, NULL), (uint32_t)nodes.total}, 2);
    return hash_list(hash, list);
}

static uint64_t ask_alone(soup_pair *s, answers *list, uint64_t hash)
{
    const graze_motion motions[2] = {{.start = s->a, .end = s->end}, {.start = s->b, .end = s->b}};
    const graze_options only_new = {.only_new = true};
    const float point[3] = {0.1f, 0, -0.1f}, from[3] = {-2, 0.01f, 0.02f};
    graze_ray ray = graze_ray_between(from, point);
    graze_shape shape = graze_shape_sphere(point, 0.3f);
    graze_hit hit = {0};
    graze_point_side inside = {0};
    graze_impact impact = {0};
    graze_side side = GRAZE_CROSSING;
    float winding = 0;
    OK(graze_self_pairs(s->a, NULL, SELF_TO(list), NULL, NULL));
    hash = hash_list(hash, list);
    OK(graze_self_pairs(s->a, NULL, SELF_TO(list),
                        &(graze_options){.only_new = true, .method = GRAZE_EAGER}, NULL));
    hash = hash_list(hash, list);
    OK(graze_cast_all(s->a, &ray, HITS_TO(list), NULL, NULL));
    hash = hash_list(hash, list);
    OK(graze_cast(s->a, &ray, &hit, NULL, NULL));
    answers_put_hit(list, &hit);
    hash = hash_list(hash, list);
    OK(graze_cast_many(s->a, &ray, 1, &hit, NULL, NULL));
    answers_put_hit(list, &hit);
    hash = hash_list(hash, list);
    OK(graze_touch(s->a, &shape, TRIANGLES_TO(list), NULL, NULL));
    hash = hash_list(hash, list);
    OK(graze_cull(s->a, &shape, UINT32_MAX, &side, NULL, NULL));
    OK(graze_winding_number(s->a, point, &winding, NULL, NULL));
    OK(graze_inside(s->a, point, &inside, NULL, NULL));
    answers_put_inside(list, &inside);
    hash = hash_list(hash, list);
    OK(graze_sweep(&motions[0], &motions[1], &impact, &only_new, NULL));
    answers_put_impact(list, &impact);
    hash = hash_list(hash, list);
    OK(graze_sweep_all(&motions[0], NULL, IMPACTS_TO(list), &only_new, NULL));
    return hash_list(hash, list);
}

static uint64_t look_at(soup_pair *s, uint64_t hash)
{
    graze_model_info info = graze_model_get_info(graze_body_model(s->a));
    OWNED float *positions = malloc(3 * sizeof *positions * info.vertex_count);
    OWN(graze_model) *frozen = NULL;
    graze_body_refit_all(s->a);
    graze_body_get_positions(s->a, positions);
    hash = answers_hash_floats(hash, positions, (size_t)3 * info.vertex_count);
    graze_body_drop_caches(s->a);
    graze_body_bound_all(s->a);
    for (uint32_t n = 0; n < info.node_count; n++)
        for (int which = GRAZE_NODE_CURRENT; which <= GRAZE_NODE_BEST; which++) {
            graze_node_view view = {0};
            OK(graze_body_view_node(s->a, n, (graze_node_bound)which, &view));
            hash = answers_hash_floats(hash, view.centre, 3);
            hash = answers_hash_floats(hash, view.half, 3);
        }
    OK(graze_body_freeze(s->a, &frozen, NULL));
    return hash;
}

/* Everything a body can be asked, in three poses, as one number. */
static uint64_t ask_everything(soup_pair *s)
{
    uint64_t hash = ANSWERS_NO_HASH;
    OWN(answers) list = {0};
    for (uint32_t variant = 0; variant < 3; variant++) {
        float weight = 0.2f + 0.001f * (float)variant;
        OK(soup_pair_pose(s, 0, s->a, variant));
        OK(soup_pair_pose(s, 1, s->b, variant + 1));
        OK(soup_pair_pose(s, 0, s->end, variant + 2));
        OK(graze_body_set_morph_weights(s->a, &weight, 1, variant == 1, NULL));
        hash = ask_pairs(s, &list, hash);
        hash = ask_alone(s, &list, hash);
        hash = look_at(s, hash);
    }
    return hash;
}

typedef struct outliving {
    graze_skinning skinning;
    graze_tree_def tree;
} outliving;

static bool bodies_outlive_models(void *user)
{
    const outliving *kind = user;
    tracked memory = {0};
    graze_allocator allocator = tracked_allocator(&memory);
    soup_pair s = soup_pair_open(kind->tree, kind->skinning, &allocator);
    uint64_t before = ask_everything(&s);
    bool held = memory.alive > 0;
    soup_pair_close_models(&s);
    held = held && memory.alive > 0;
    uint64_t after = ask_everything(&s);
    soup_pair_close_bodies(&s);
    bool freed = memory.alive == 0;
    if (before != after || !freed)
        fprintf(stderr, "answers are %s; %lld blocks are left\n",
                before == after ? "the same" : "other ones", (long long)memory.alive);
    soup_pair_close(&s);
    tracked_end(&memory);
    return before == after && freed && held && failed_calls == 0;
}

TEST(bodies_work_on_after_their_model_was_destroyed)
{
    for (int skinning = GRAZE_LINEAR; skinning <= GRAZE_DUAL; skinning++)
        for (int paper = 0; paper < 2; paper++) {
            outliving kind = {(graze_skinning)skinning,
                              paper ? graze_paper_tree() : (graze_tree_def){0}};
            const char *how = "";
            bool fine = test_isolated(bodies_outlive_models, &kind, SECONDS, &how);
            CHECK_MSG(fine, "skinning %d, %s: the child %s", skinning, paper ? "spheres" : "boxes",
                      how);
        }
}

/* Each of these alone, as they read freed memory without looking whether it is there. */
static bool one_call_works(void *user)
{
    tracked memory = {0};
    graze_allocator allocator = tracked_allocator(&memory);
    soup_pair s = soup_pair_open(graze_paper_tree(), GRAZE_LINEAR, &allocator);
    float weight = 0.25f, none = 0;
    graze_node_view before, after;
    bool good = true, view = *(bool *)user;
    size_t size = 3 * sizeof(float) * s.meshes[0].def.vertex_count;
    float *expected = malloc(size), *found = malloc(size);
    OK(graze_body_set_morph_weights(s.a, &weight, 1, false, NULL));
    OK(graze_body_view_node(s.a, 1, GRAZE_NODE_BEST, &before));
    graze_body_get_positions(s.a, expected);
    if (!view)
        OK(graze_body_set_morph_weights(s.a, &none, 1, false, NULL));
    soup_pair_close_models(&s);
    if (view) {
        OK(graze_body_view_node(s.a, 1, GRAZE_NODE_BEST, &after));
        good = memcmp(before.centre, after.centre, sizeof after.centre) == 0;
    } else {
        OK(graze_body_set_morph_weights(s.a, &weight, 1, false, NULL));
        graze_body_get_positions(s.a, found);
        good = memcmp(expected, found, size) == 0;
    }
    free(expected);
    free(found);
    soup_pair_close(&s);
    good = good && memory.alive == 0 && failed_calls == 0;
    tracked_end(&memory);
    return good;
}

TEST(a_body_takes_weights_and_shows_nodes_after_its_model_was_destroyed)
{
    for (int view = 0; view < 2; view++) {
        const char *how = "";
        bool shows = view, fine = test_isolated(one_call_works, &shows, SECONDS, &how);
        CHECK_MSG(fine, "graze_body_%s: the child %s", view ? "view_node" : "set_morph_weights",
                  how);
    }
}

/* ---- rounding ---- */

static graze_status ask_rounded(soup_pair *s, int kind, answers *list)
{
    const float normal[3] = {1, 1, 0};
    graze_shape plane = graze_shape_plane(normal, 0.25f);
    switch (kind) {
    case 0:
        return graze_pairs(s->a, s->b, PAIRS_TO(list), NULL, NULL);
    case 1:
        return graze_pairs(s->a, s->b, &(graze_pair_list){0}, &(graze_options){.any = true}, NULL);
    case 2:
        return graze_pairs(s->a, s->b, PAIRS_TO(list), &(graze_options){.method = GRAZE_BRUTE},
                           NULL);
    case 3:
        return graze_self_pairs(s->a, NULL, SELF_TO(list), NULL, NULL);
    case 4:
        return graze_pairs_within(s->a, s->b, 0, PAIRS_TO(list), NULL, NULL);
    default:
        return graze_touch(s->a, &plane, TRIANGLES_TO(list), NULL, NULL);
    }
}

/* Small bodies, on a lattice or not, turned and moved so that coordinates are rounded. */
static soup_pair open_rounded(uint64_t seed)
{
    const soup_def def = {.vertex_count = 40,
                          .triangle_count = 60,
                          .joint_count = 2,
                          .max_influences = 2,
                          .size = 1,
                          .lattice = seed % 2};
    const map_kind kinds[] = {MAP_LATTICE, MAP_NEAR, MAP_RIGID, MAP_FAR};
    const float origin[3] = {0, 0, 0};
    soup_pair s = {0};
    test_random random = test_random_seed(seed);
    for (int i = 0; i < 2; i++) {
        float joints[24], placement[12];
        graze_body **body = i ? &s.b : &s.a;
        s.models[i] = soup_pair_model(&s, i, &def, (graze_tree_def){0}, GRAZE_LINEAR, NULL);
        map_kind kind = kinds[seed / 2 % 4];
        pose_make(kind == MAP_LATTICE ? MAP_LATTICE : MAP_NEAR, &s.meshes[i], &random, joints);
        map_make(kind, origin, 1, &random, placement);
        if (kind == MAP_FAR) /* both at the same far place */
            for (int k = 0; k < 3; k++)
                placement[4 * k + 3] = 123456.7f + (float)k;
        const graze_pose pose = {.joints = joints, .joint_count = 2, .placement = placement};
        if (graze_body_create(s.models[i], body, NULL) || graze_body_set_pose(*body, &pose, NULL))
            abort();
    }
    return s;
}

static bool rounding_changes_nothing(void *user)
{
    int mode = *(int *)user;
    uint32_t wrong = 0, refused = 0, total = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        OWN(soup_pair) s = open_rounded(seed);
        for (int kind = 0; kind < 6; kind++) {
            OWN(answers) nearest = {0}, other = {0};
            graze_body_drop_caches(s.a);
            graze_body_drop_caches(s.b);
            OK(ask_rounded(&s, kind, &nearest));
            graze_body_drop_caches(s.a);
            graze_body_drop_caches(s.b);
            fesetround(mode);
            graze_status status = ask_rounded(&s, kind, &other);
            fesetround(FE_TONEAREST);
            answers_sort(&nearest);
            answers_sort(&other);
            total++;
            refused += status != GRAZE_OK;
            wrong += status == GRAZE_OK && !answers_equal(&nearest, &other, NULL);
        }
    }
    if (wrong)
        fprintf(stderr, "  %u of %u answers are other ones, %u refused\n", wrong, total, refused);
    return wrong == 0 && failed_calls == 0;
}

TEST(other_roundings_are_refused_or_change_nothing)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static const char *const names[] = {"upward", "downward", "towards zero"};
    for (int i = 0; i < 3; i++) {
        int mode = modes[i];
        const char *how = "";
        bool fine = test_isolated(rounding_changes_nothing, &mode, 60, &how);
        CHECK_MSG(fine, "rounding %s: the child %s", names[i], how);
    }
}

/* ---- coordinates too large ---- */

/* A triangle that follows `count` joints: the first stays, the others turn by nearly half a turn
 * about x, one way and the other, and move by `far` along y and -y. Their quaternions all but
 * cancel while what moves them adds up, and turns from y to z. True if the pose is refused, or
 * takes no coordinate to the limit.
 */
static bool crowd_stays_near(graze_skinning skinning, uint32_t count, float far,
                             const float *placement, float limit, float *reached)
{
    const float positions[9] = {0, 0, 0, 0.001f, 0, 0, 0, 0.001f, 0};
    const uint32_t triangle[3] = {0, 1, 2}, offsets[4] = {0, count, 2 * count, 3 * count};
    OWNED graze_influence *influences = malloc(3 * sizeof *influences * count);
    OWNED float *joints = calloc(count, 12 * sizeof *joints);
    float posed[9];
    const float angle = 3.14159165f;
    for (uint32_t i = 0; i < 3 * count; i++)
        influences[i] = (graze_influence){i % count, i % count ? 1 : 1.0625f};
    for (uint32_t j = 0; j < count; j++) {
        float *m = joints + 12 * (size_t)j, side = j % 2 ? 1 : -1;
        m[0] = 1;
        m[5] = m[10] = j ? cosf(angle) : 1;
        m[9] = j ? side * sinf(angle) : 0;
        m[6] = -m[9];
        m[7] = j ? side * far : 0;
    }
    graze_model_def def = {0};
    def.positions = positions;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    def.joint_count = count;
    def.influence_offsets = offsets;
    def.influences = influences;
    def.skinning = skinning;
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    if (graze_model_create(&def, &model, NULL) || graze_body_create(model, &body, NULL))
        abort();
    const graze_pose pose = {.joints = joints, .joint_count = count, .placement = placement};
    graze_error error = {.text = ""};
    graze_status status = graze_body_set_pose(body, &pose, &error);
    *reached = 0;
    graze_body_get_positions(body, posed);
    for (int i = 0; i < 9; i++)
        *reached = fmaxf(*reached, fabsf(posed[i]));
    if (status)
        CHECK(status == GRAZE_BAD_INPUT && error.text[0] && *reached <= 0.001f);
    return status || *reached < limit;
}

TEST(poses_that_blend_to_huge_coordinates_are_refused)
{
    const float stretched[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 3.5e5f, 0};
    const float wide[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1e12f, 0};
    const float larger[12] = {30, 0, 0, 0, 0, 30, 0, 0, 0, 0, 30, 0};
    static const uint32_t counts[] = {3, 11, 101};
    float reached;
    bool near;
    for (int skinning = GRAZE_SPHERICAL; skinning <= GRAZE_DUAL; skinning++)
        for (int i = 0; i < 3; i++) {
            graze_skinning blend = (graze_skinning)skinning;
            near = crowd_stays_near(blend, counts[i], 9e15f, NULL, 1e18f, &reached);
            CHECK_MSG(near, "skinning %d, %u joints: %g", skinning, counts[i], (double)reached);
            near = crowd_stays_near(blend, counts[i], 9e15f, larger, 1e18f, &reached);
            CHECK_MSG(near, "skinning %d, %u joints, larger: %g", skinning, counts[i],
                      (double)reached);
            near = crowd_stays_near(blend, counts[i], 9e15f, stretched, 1e18f, &reached);
            CHECK_MSG(near, "skinning %d, %u joints, stretched: %g", skinning, counts[i],
                      (double)reached);
            near = crowd_stays_near(blend, counts[i], 9e15f, wide, 1e18f, &reached);
            CHECK_MSG(near, "skinning %d, %u joints, stretched far: %g", skinning, counts[i],
                      (double)reached);
        }
}
