/* The champion of the benchmarks is an honest opponent: the same positions, bit for bit, the same
 * pairs and the same hits as Graze, on characters and on random meshes in every kind of pose.
 */
#include "bench/champion/champion.h"
#include "harness.h"
#include "support/pairs.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One mesh, ours and the champion's. */
typedef struct fighter {
    graze_model *model;
    graze_body *body;
    champion_model *champion;
    champion_body *opponent;
    uint32_t vertex_count;
    float *positions;
} fighter;

/* The champion runs on one instruction set or another, in turns. */
static bool fighter_make(fighter *f, graze_model_def def, uint32_t turn)
{
    static const graze_isa isas[] = {GRAZE_ISA_BEST, GRAZE_ISA_AVX2, GRAZE_ISA_BASE};
    *f = (fighter){.vertex_count = def.vertex_count};
    graze_status status = graze_model_create(&def, &f->model, NULL);
    def.isa = isas[turn % 3];
    f->positions = malloc(3 * sizeof(float) * def.vertex_count);
    f->champion = champion_model_create(&def);
    if (f->champion)
        f->opponent = champion_body_create(f->champion);
    return test_check(!status && !graze_body_create(f->model, &f->body, NULL) && f->positions &&
                          f->opponent,
                      __FILE__, __LINE__, "no body");
}

static void fighter_free(fighter *f)
{
    graze_body_destroy(f->body);
    graze_model_destroy(f->model);
    champion_body_destroy(f->opponent);
    champion_model_destroy(f->champion);
    free(f->positions);
}

/* Poses both and compares every bit of every position. */
static bool fighter_pose(fighter *f, const float *joints, uint32_t joint_count,
                         const float *placement, const char *name)
{
    graze_pose pose = {.joints = joints, .joint_count = joint_count, .placement = placement};
    if (!test_check(graze_body_set_pose(f->body, &pose, NULL) == GRAZE_OK, __FILE__, __LINE__,
                    "%s: pose refused", name))
        return false;
    graze_body_get_positions(f->body, f->positions);
    champion_skin(f->opponent, joints, joint_count, placement);
    uint32_t stride;
    const float *theirs = champion_positions(f->opponent, &stride);
    for (uint32_t v = 0; v < f->vertex_count; v++) {
        const float *at = theirs + (size_t)stride * champion_slot(f->opponent, v);
        if (memcmp(at, f->positions + 3 * (size_t)v, 3 * sizeof *at))
            return test_check(false, __FILE__, __LINE__, "%s: vertex %u is not where it should be",
                              name, v);
    }
    return true;
}

static void collide(fighter *a, fighter *b, champion_triangles how, pair_set *found)
{
    pair_set_clear(found);
    size_t count = champion_collide(a->opponent, b->opponent, how, false, NULL, 0);
    graze_pair *pairs = malloc((count + 1) * sizeof *pairs);
    pairs[count] = (graze_pair){7, 7};
    CHECK(champion_collide(a->opponent, b->opponent, how, false, pairs, count) == count);
    CHECK(pairs[count].a == 7 && pairs[count].b == 7);
    if (count)
        pair_set_take(found, pairs, count);
    free(pairs);
}

/* All pairs and the first, both ways to refit, both triangle tests. */
static bool check_pairs(fighter *a, fighter *b, const char *name, uint64_t *hits)
{
    pair_set expected = {0}, found = {0};
    graze_pair odd = {0, 0};
    bool ok = graze_collide(a->body, b->body, pair_set_take, &expected, NULL, NULL) == GRAZE_OK;
    pair_set_sort(&expected);
    for (int way = 0; ok && way < 4; way++) {
        champion_triangles how = way & 1 ? CHAMPION_LANES : CHAMPION_SCALAR;
        (way & 2 ? champion_refit_blocks : champion_refit)(a->opponent);
        (way & 2 ? champion_refit_blocks : champion_refit)(b->opponent);
        collide(a, b, how, &found);
        ok = test_check(pair_set_sort(&found) && pair_set_equal(&expected, &found, &odd), __FILE__,
                        __LINE__, "%s, way %d: %zu pairs and not %zu; %u with %u", name, way,
                        found.count, expected.count, odd.a, odd.b);
        graze_pair first = {0, 0};
        size_t count = champion_collide(a->opponent, b->opponent, how, true, &first, 1);
        ok =
            test_check(count == (expected.count != 0) && (!count || pair_set_has(&expected, first)),
                       __FILE__, __LINE__, "%s, way %d: first hit", name, way) &&
            ok;
        ok = test_check(!expected.count || !champion_apart(a->opponent, b->opponent), __FILE__,
                        __LINE__, "%s: whole boxes are apart", name) &&
             ok;
    }
    *hits += expected.count != 0;
    pair_set_free(&expected);
    pair_set_free(&found);
    return ok;
}

/* Rays from around the body to its middle. Float rounding may decide otherwise at an edge, seldom.
 */
static void check_rays(fighter *f, test_random *random, uint32_t *differ, uint32_t *hits)
{
    double middle[3], size = test_extent(f->positions, f->vertex_count, middle);
    champion_refit(f->opponent);
    for (int i = 0; i < 50; i++) {
        graze_ray ray = graze_default_ray();
        graze_ray_hit hit;
        for (int k = 0; k < 3; k++) {
            double origin = middle[k] + test_random_range(random, -3, 3) * size;
            double target = middle[k] + test_random_range(random, -0.4, 0.4) * size;
            ray.origin[k] = (float)origin;
            ray.dir[k] = i == k ? 0 : (float)(target - origin);
        }
        float t = 0;
        uint32_t triangle = 0;
        bool found = champion_ray(f->opponent, ray.origin, ray.dir, &t, &triangle);
        CHECK(graze_cast(f->body, &ray, &hit, NULL, NULL) == GRAZE_OK);
        *hits += found;
        *differ += found != hit.found || (found && fabsf(t - hit.t) > 1e-4f * hit.t);
    }
}

/* ---- characters --------------------------------------------------------------------------- */

/* How far the second stands from the first, in sizes: deep, touching (or nearly) and apart. */
static const double places[] = {0.02, 0.35, 0.6, 0.8, 3};
enum { PLACES = sizeof places / sizeof *places };

static void check_rig(const test_rig *entry, uint32_t turn, uint64_t *hits, uint32_t ray_counts[2])
{
    const graze_rig *rig = entry->rig;
    graze_model_def def = graze_rig_model_def(rig);
    fighter fighters[2];
    float *joints = malloc(12 * sizeof(float) * rig->joint_count);
    test_random random = test_random_seed(5);
    bool ok = fighter_make(&fighters[0], def, turn);
    ok = fighter_make(&fighters[1], def, turn) && ok;
    for (uint32_t i = 0; ok && i < test_amount(2 * PLACES, PLACES); i++) {
        uint32_t clip = rig->clip_count ? i % rig->clip_count : GRAZE_NONE;
        double seconds = rig->clip_count ? rig->clips[clip].seconds : 0, middle[3];
        test_rig_sample(rig, clip, seconds * i / (2 * PLACES), joints);
        ok = fighter_pose(&fighters[0], joints, rig->joint_count, NULL, entry->name);
        float move = (float)(places[i % PLACES] * 2 *
                             test_extent(fighters[0].positions, rig->vertex_count, middle));
        float placement[12] = {0.8f, 0, 0.6f, move, 0, 1, 0, 0.02f * move, -0.6f, 0, 0.8f, 0};
        test_rig_sample(rig, clip, seconds * (2 * PLACES - i) / (2 * PLACES), joints);
        ok = ok && fighter_pose(&fighters[1], joints, rig->joint_count, placement, entry->name) &&
             check_pairs(&fighters[0], &fighters[1], entry->name, hits);
        if (ok)
            check_rays(&fighters[1], &random, &ray_counts[0], &ray_counts[1]);
    }
    fighter_free(&fighters[0]);
    fighter_free(&fighters[1]);
    free(joints);
}

TEST(champion_agrees_on_characters)
{
    uint32_t count, ray_counts[2] = {0, 0};
    const test_rig *rigs = test_rigs(&count);
    uint64_t hits = 0;
    for (uint32_t r = 0; r < count; r++)
        check_rig(&rigs[r], r, &hits, ray_counts);
    CHECK(hits >= count);
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

static bool check_soups(uint32_t number, uint64_t *hits)
{
    static const map_kind kinds[] = {MAP_NEAR,     MAP_NEAR, MAP_RIGID, MAP_SHEARED,
                                     MAP_SINGULAR, MAP_TINY, MAP_HUGE,  MAP_FAR};
    test_random random = test_random_seed(900 + number);
    soup meshes[2] = {random_soup(number, &random), random_soup(number, &random)};
    fighter fighters[2];
    char name[32];
    bool ok = true;
    snprintf(name, sizeof name, "random meshes %u", number);
    for (int side = 0; side < 2; side++) {
        ok = fighter_make(&fighters[side], soup_model_def(&meshes[side]), number) && ok;
    }
    for (int p = 0; ok && p < 4; p++) {
        for (int side = 0; ok && side < 2; side++) {
            uint32_t count = meshes[side].def.joint_count;
            map_kind kind = kinds[test_random_u32(&random) % 8];
            float *joints = malloc(12 * sizeof(float) * count), placement[12];
            if (meshes[side].def.lattice)
                kind = MAP_LATTICE;
            pose_make(kind, &meshes[side], &random, joints);
            map_make(kind == MAP_LATTICE ? kind : MAP_NEAR, meshes[side].centre,
                     4 * meshes[side].def.size, &random, placement);
            ok = fighter_pose(&fighters[side], joints, count, p % 2 ? placement : NULL, name);
            free(joints);
        }
        ok = ok && check_pairs(&fighters[0], &fighters[1], name, hits);
    }
    for (int side = 0; side < 2; side++) {
        fighter_free(&fighters[side]);
        soup_free(&meshes[side]);
    }
    return ok;
}

TEST(champion_agrees_on_random_meshes)
{
    uint64_t hits = 0;
    uint32_t count = test_amount(60, 15), done = 0;
    while (done < count && check_soups(done, &hits))
        done++;
    CHECK(done == count);
    CHECK_MSG(10 * hits > 4 * count && hits < 4 * count, "%u of %u hit", (unsigned)hits, 4 * count);
}

/* ---- limits ------------------------------------------------------------------------------- */

TEST(champion_refuses_what_it_cannot_skin)
{
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t triangle[3] = {0, 1, 2};
    graze_morph_target morph = {.deltas = positions, .count = 3};
    graze_model_def def = graze_default_model_def();
    def.positions = positions;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    def.joint_count = 1;
    champion_model *model = champion_model_create(&def);
    CHECK(model && champion_model_bytes(model) > 0);
    champion_model_destroy(model);
    def.skinning = GRAZE_DUAL;
    CHECK(!champion_model_create(&def));
    def.skinning = GRAZE_LINEAR;
    def.morphs = &morph;
    def.morph_count = 1;
    CHECK(!champion_model_create(&def));
}
