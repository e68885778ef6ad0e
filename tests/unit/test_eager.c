/* The eager baseline of the benchmarks answers as Graze does: the same positions, bit for bit, the
 * same pairs and the same hits, on characters and on random meshes in every kind of pose.
 */
#include "bench/eager/hash.h"
#include "harness.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/quick.h"
#include "support/rigid.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One mesh as a body of Graze and as one of the baseline. */
typedef struct subject {
    graze_model *model;
    graze_body *body;
    eager_model *baseline_model;
    eager_body *baseline;
    uint32_t vertex_count;
    float *positions;
} subject;

/* The baseline runs on one instruction set or another, in turns. */
static bool subject_make(subject *s, graze_model_def def, uint32_t turn)
{
    static const graze_isa isas[] = {GRAZE_ISA_BEST, GRAZE_ISA_AVX2, GRAZE_ISA_BASE};
    *s = (subject){.vertex_count = def.vertex_count};
    graze_status status = graze_model_create(&def, &s->model, NULL);
    def.isa = isas[turn % 3];
    s->positions = malloc(3 * sizeof(float) * def.vertex_count);
    s->baseline_model = eager_model_create(&def);
    if (s->baseline_model)
        s->baseline = eager_body_create(s->baseline_model);
    if (s->baseline)
        eager_find_neighbours(s->baseline_model, &def);
    return test_check(!status && !graze_body_create(s->model, &s->body, NULL) && s->positions &&
                          s->baseline,
                      __FILE__, __LINE__, "no body");
}

static void subject_free(subject *s)
{
    graze_body_destroy(s->body);
    graze_model_destroy(s->model);
    eager_body_destroy(s->baseline);
    eager_model_destroy(s->baseline_model);
    free(s->positions);
}

/* Poses both and compares every bit of every position. */
static bool subject_pose(subject *s, const float *joints, uint32_t joint_count,
                         const float *placement, const char *name)
{
    graze_pose pose = {.joints = joints, .joint_count = joint_count, .placement = placement};
    if (!test_check(graze_body_set_pose(s->body, &pose, NULL) == GRAZE_OK, __FILE__, __LINE__,
                    "%s: pose refused", name))
        return false;
    graze_body_get_positions(s->body, s->positions);
    eager_skin(s->baseline, joints, joint_count, placement);
    uint32_t stride;
    const float *theirs = eager_positions(s->baseline, &stride);
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        const float *at = theirs + (size_t)stride * eager_slot(s->baseline, v);
        if (memcmp(at, s->positions + 3 * (size_t)v, 3 * sizeof *at))
            return test_check(false, __FILE__, __LINE__, "%s: vertex %u is not where it should be",
                              name, v);
    }
    return true;
}

/* Puts pairs of the baseline's into a set. */
static void take(pair_set *set, const bench_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pair_set_take(set, &(graze_pair){.a = pairs[i].a, .b = pairs[i].b}, 1);
}

static void collide(subject *a, subject *b, eager_triangles how, pair_set *found)
{
    pair_set_clear(found);
    size_t count = eager_collide(a->baseline, b->baseline, how, false, NULL, 0);
    OWNED bench_pair *pairs = malloc((count + 1) * sizeof *pairs);
    pairs[count] = (bench_pair){7, 7};
    CHECK(eager_collide(a->baseline, b->baseline, how, false, pairs, count) == count);
    CHECK(pairs[count].a == 7 && pairs[count].b == 7);
    take(found, pairs, count);
}

/* Whether a first pair is there if it should be, and right. */
static bool check_first(const pair_set *expected, size_t count, bench_pair first)
{
    return count == (expected->count != 0) &&
           (!count || pair_set_find(expected, (graze_pair){.a = first.a, .b = first.b}));
}

/* The same pairs by spatial hashing, with cells of all sizes. */
static bool check_hash(subject *a, subject *b, const pair_set *expected, const char *name)
{
    static const float cells[] = {0, 0.3f, 1, 4, 1000};
    eager_hash *hash = eager_hash_create();
    graze_pair odd = {0};
    bench_pair first = {0, 0}, *pairs = malloc((expected->count + 1) * sizeof *pairs);
    bool ok = pairs;
    eager_box_triangles(a->baseline);
    eager_box_triangles(b->baseline);
    for (size_t i = 0; ok && i < sizeof cells / sizeof *cells; i++) {
        OWN(pair_set) found = {0};
        eager_hash_set_cell(hash, cells[i]);
        pairs[expected->count] = (bench_pair){7, 7};
        size_t count =
            eager_hash_collide(hash, a->baseline, b->baseline, false, pairs, expected->count);
        ok = pairs[expected->count].a == 7 && count == expected->count;
        take(&found, pairs, ok ? count : 0);
        ok = test_check(ok && pair_set_sort(&found) && pair_set_equal(expected, &found, &odd),
                        __FILE__, __LINE__, "%s, cells of %g: %zu pairs and not %zu; %u with %u",
                        name, (double)cells[i], count, expected->count, odd.a, odd.b);
        count = eager_hash_collide(hash, a->baseline, b->baseline, true, &first, 1);
        ok = test_check(check_first(expected, count, first), __FILE__, __LINE__,
                        "%s, cells of %g: first hit", name, (double)cells[i]) &&
             ok;
    }
    free(pairs);
    eager_hash_destroy(hash);
    return ok;
}

/* All pairs and the first, both triangle tests, and by hashing. */
static bool check_pairs(subject *a, subject *b, const char *name, uint64_t *hits)
{
    OWN(pair_set) expected = {0}, found = {0};
    graze_pair odd = {.a = 0, .b = 0};
    bool ok = graze_pairs(a->body, b->body, TO_PAIR_SET(&expected), NULL, NULL) == GRAZE_OK;
    pair_set_sort(&expected);
    for (int way = 0; ok && way < 2; way++) {
        eager_triangles how = way ? EAGER_LANES : EAGER_SCALAR;
        eager_refit(a->baseline);
        eager_refit(b->baseline);
        collide(a, b, how, &found);
        ok = test_check(pair_set_sort(&found) && pair_set_equal(&expected, &found, &odd), __FILE__,
                        __LINE__, "%s, way %d: %zu pairs and not %zu; %u with %u", name, way,
                        found.count, expected.count, odd.a, odd.b);
        bench_pair first = {0, 0};
        size_t count = eager_collide(a->baseline, b->baseline, how, true, &first, 1);
        ok = test_check(check_first(&expected, count, first), __FILE__, __LINE__,
                        "%s, way %d: first hit", name, way) &&
             ok;
        ok = test_check(!expected.count || !eager_apart(a->baseline, b->baseline), __FILE__,
                        __LINE__, "%s: whole boxes are apart", name) &&
             ok;
    }
    ok = ok && check_hash(a, b, &expected, name);
    *hits += expected.count != 0;
    return ok;
}

/* The baseline does not know what meets at rest. */
static bool take_self(void *user, const graze_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pair_set_take(user, &(graze_pair){.a = pairs[i].a, .b = pairs[i].b}, 1);
    return true;
}

/* The pairs of one body with itself, neighbours left out. */
static bool check_self(subject *s, const char *name, uint64_t *hits)
{
    OWN(pair_set) expected = {0}, found = {0};
    graze_pair odd = {.a = 0, .b = 0};
    graze_pair_list list = {.report = take_self, .user = &expected};
    bool ok = graze_self_pairs(s->body, NULL, &list, NULL, NULL) == GRAZE_OK;
    eager_refit(s->baseline);
    size_t count = eager_collide_self(s->baseline, NULL, 0);
    OWNED bench_pair *pairs = malloc((count + 1) * sizeof *pairs);
    ok = ok && eager_collide_self(s->baseline, pairs, count) == count;
    take(&found, pairs, count);
    ok = test_check(ok && pair_set_sort(&expected) && pair_set_sort(&found) &&
                        pair_set_equal(&expected, &found, &odd),
                    __FILE__, __LINE__, "%s: %zu pairs with itself and not %zu; %u with %u", name,
                    found.count, expected.count, odd.a, odd.b);
    *hits += expected.count != 0;
    return ok;
}

/* Rays from around the body to its middle. Float rounding may decide otherwise at an edge, seldom.
 */
static void check_rays(subject *s, test_random *random, uint32_t *differ, uint32_t *hits)
{
    double middle[3], size = test_extent(s->positions, s->vertex_count, middle);
    eager_refit(s->baseline);
    for (int i = 0; i < 50; i++) {
        graze_ray ray = {.dir = {0, 0, 1}, .t_max = INFINITY};
        graze_hit hit;
        for (int k = 0; k < 3; k++) {
            double origin = middle[k] + test_random_range(random, -3, 3) * size;
            double target = middle[k] + test_random_range(random, -0.4, 0.4) * size;
            ray.origin[k] = (float)origin;
            ray.dir[k] = i == k ? 0 : (float)(target - origin);
        }
        float t = 0;
        uint32_t triangle = 0;
        bool found = eager_ray(s->baseline, ray.origin, ray.dir, &t, &triangle);
        CHECK(graze_cast(s->body, &ray, &hit, NULL, NULL) == GRAZE_OK);
        *hits += found;
        *differ += found != hit.found || (found && fabsf(t - hit.t) > 1e-4f * hit.t);
    }
}

/* ---- characters --------------------------------------------------------------------------- */

/* How far the second stands from the first, in sizes: deep, touching (or nearly) and apart. */
static const double places[] = {0.02, 0.35, 0.6, 0.8, 3};
enum { PLACES = sizeof places / sizeof *places };

static void check_rig(const test_rig *entry, uint32_t turn, uint64_t *hits, uint64_t *self_hits,
                      uint32_t ray_counts[2])
{
    const graze_rig *rig = entry->rig;
    graze_model_def def = graze_rig_model_def(rig);
    subject subjects[2];
    OWNED float *joints = malloc(12 * sizeof(float) * rig->joint_count);
    test_random random = test_random_seed(5);
    bool ok = subject_make(&subjects[0], def, turn);
    ok = subject_make(&subjects[1], def, turn) && ok;
    for (uint32_t i = 0; ok && i < test_amount(2 * PLACES, PLACES); i++) {
        uint32_t clip = rig->clip_count ? i % rig->clip_count : GRAZE_NONE;
        double seconds = rig->clip_count ? rig->clips[clip].seconds : 0, middle[3];
        test_rig_sample(rig, clip, seconds * i / (2 * PLACES), joints);
        ok = subject_pose(&subjects[0], joints, rig->joint_count, NULL, entry->name);
        float move = (float)(places[i % PLACES] * 2 *
                             test_extent(subjects[0].positions, rig->vertex_count, middle));
        float placement[12] = {0.8f, 0, 0.6f, move, 0, 1, 0, 0.02f * move, -0.6f, 0, 0.8f, 0};
        test_rig_sample(rig, clip, seconds * (2 * PLACES - i) / (2 * PLACES), joints);
        ok = ok && subject_pose(&subjects[1], joints, rig->joint_count, placement, entry->name) &&
             check_pairs(&subjects[0], &subjects[1], entry->name, hits) &&
             check_self(&subjects[0], entry->name, self_hits);
        if (ok)
            check_rays(&subjects[1], &random, &ray_counts[0], &ray_counts[1]);
    }
    subject_free(&subjects[0]);
    subject_free(&subjects[1]);
}

TEST(baseline_agrees_on_characters)
{
    uint32_t count, ray_counts[2] = {0, 0};
    const test_rig *rigs = test_rigs(&count);
    uint64_t hits = 0, self_hits = 0;
    for (uint32_t r = 0; r < count; r++)
        check_rig(&rigs[r], r, &hits, &self_hits, ray_counts);
    CHECK(hits >= count && self_hits >= count);
    CHECK(ray_counts[1] > 100);
    CHECK_MSG(ray_counts[0] * 1000 <= ray_counts[1], "%u of %u rays differ", ray_counts[0],
              ray_counts[1]);
}

/* ---- random meshes ------------------------------------------------------------------------ */

static soup random_soup(uint32_t number, test_random *random)
{
    soup_def def = {.vertex_count = 3 + test_random_u32(random) % 300,
                    .triangle_count = 1 + test_random_u32(random) % (number % 2 ? 80 : 500),
                    .joint_count = 1 + test_random_u32(random) % 20,
                    .max_influences = 1 + test_random_u32(random) % 8,
                    .size = number % 3 ? 1 : 8,
                    .flat = number % 9 == 8,
                    .lattice = number % 3 == 0,
                    .scattered = number % 4 == 1,
                    .odd_weights = number % 5 == 2};
    return soup_make(&def, random);
}

static bool check_soups(uint32_t number, uint64_t *hits, uint64_t *self_hits)
{
    static const map_kind kinds[] = {MAP_NEAR,     MAP_NEAR, MAP_RIGID, MAP_SHEARED,
                                     MAP_SINGULAR, MAP_TINY, MAP_HUGE,  MAP_FAR};
    test_random random = test_random_seed(900 + number);
    soup meshes[2] = {random_soup(number, &random), random_soup(number, &random)};
    subject subjects[2];
    char name[32];
    bool ok = true;
    snprintf(name, sizeof name, "random meshes %u", number);
    for (int side = 0; side < 2; side++) {
        ok = subject_make(&subjects[side], soup_model_def(&meshes[side]), number) && ok;
    }
    for (int p = 0; ok && p < 4; p++) {
        for (int side = 0; ok && side < 2; side++) {
            uint32_t count = meshes[side].def.joint_count;
            map_kind kind = kinds[test_random_u32(&random) % 8];
            OWNED float *joints = malloc(12 * sizeof(float) * count);
            float placement[12];
            if (meshes[side].def.lattice)
                kind = MAP_LATTICE;
            pose_make(kind, &meshes[side], &random, joints);
            map_make(kind == MAP_LATTICE ? kind : MAP_NEAR, meshes[side].centre,
                     4 * meshes[side].def.size, &random, placement);
            ok = subject_pose(&subjects[side], joints, count, p % 2 ? placement : NULL, name);
        }
        ok = ok && check_pairs(&subjects[0], &subjects[1], name, hits) &&
             check_self(&subjects[p % 2], name, self_hits);
    }
    for (int side = 0; side < 2; side++) {
        subject_free(&subjects[side]);
        soup_free(&meshes[side]);
    }
    return ok;
}

TEST(baseline_agrees_on_random_meshes)
{
    uint64_t hits = 0, self_hits = 0;
    uint32_t count = test_amount(60, 15), done = 0;
    while (done < count && check_soups(done, &hits, &self_hits))
        done++;
    CHECK(done == count && self_hits > count);
    CHECK_MSG(10 * hits > 4 * count && hits < 4 * count, "%u of %u hit", (unsigned)hits, 4 * count);
}

/* ---- limits ------------------------------------------------------------------------------- */

TEST(baseline_refuses_what_it_cannot_skin)
{
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t triangle[3] = {0, 1, 2};
    graze_morph_target morph = {.deltas = positions, .count = 3};
    graze_model_def def = test_rigid_def(positions, 3, triangle, 1);
    eager_model *model = eager_model_create(&def);
    CHECK(model && eager_model_bytes(model) > 0);
    eager_model_destroy(model);
    def.skinning = GRAZE_DUAL;
    CHECK(!eager_model_create(&def));
    def.skinning = GRAZE_LINEAR;
    def.morphs = &morph;
    def.morph_count = 1;
    CHECK(!eager_model_create(&def));
}
