/* Rays against bodies: lazy == brute force, bit for bit, on every tree and instruction set, in
 * every pose, alone and in packets, at once and in steps.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/deform_skins.h"
#include "support/quick.h"
#include "support/rigs.h"

#include "query/ray.h"
#include "support/variants.h"

#include <graze/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of hits ------------------------------------------------------------------------- */

enum { MAX_HITS = 4096 };

typedef struct hit_list {
    uint32_t count;
    bool overflow;
    graze_ray_hit hits[MAX_HITS];
} hit_list;

static bool take_hits(void *user, const graze_ray_hit *hits, size_t count)
{
    hit_list *list = user;
    for (size_t i = 0; i < count; i++) {
        if (list->count == MAX_HITS) {
            list->overflow = true;
            return false;
        }
        list->hits[list->count++] = hits[i];
    }
    return true;
}

static int by_t(const void *left, const void *right)
{
    const graze_ray_hit *a = left, *b = right;
    return a->t != b->t ? (a->t > b->t) - (a->t < b->t)
                        : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static void sort_hits(hit_list *list)
{
    qsort(list->hits, list->count, sizeof *list->hits, by_t);
}

static bool same_hit(const graze_ray_hit *a, const graze_ray_hit *b)
{
    return a->found == b->found && a->triangle == b->triangle && !memcmp(&a->t, &b->t, 4) &&
           !memcmp(a->point, b->point, 12) && !memcmp(a->normal, b->normal, 12) &&
           !memcmp(a->uv, b->uv, 8) && a->joint == b->joint && a->group == b->group;
}

static bool same_hits(const hit_list *a, const hit_list *b)
{
    bool same = a->count == b->count && !a->overflow && !b->overflow;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = same_hit(&a->hits[i], &b->hits[i]);
    return same;
}

/* ---- one body, one ray, every way ---------------------------------------------------------- */

typedef struct tally {
    uint64_t rays, met, hits, compared;
} tally;

static void print_tally(const tally *seen)
{
    printf("     %llu rays, %llu of them meet the body, %llu hits; %llu queries compared\n",
           (unsigned long long)seen->rays, (unsigned long long)seen->met,
           (unsigned long long)seen->hits, (unsigned long long)seen->compared);
}

/* Runs with tiny budgets until it is finished. Keys on the way promise never too much. */
static bool check_budget(graze_body *body, const graze_ray *ray, const hit_list *expected,
                         const char *name)
{
    grazei_ray_question question;
    grazei_agenda agenda;
    graze_stats stats = {0};
    bool ok = true, promised = true;
    graze_body_drop_caches(body);
    grazei_ray_begin(&question, &agenda, body, ray, GRAZEI_RAY_NEAREST, NULL, NULL, &stats);
    for (uint32_t runs = 0; agenda.count && runs < 1000000; runs++) {
        agenda.last_bound_test = stats.bound_tests + 1 + runs % 9;
        question.base.run(&question.base, &agenda, &stats);
        float nearest = INFINITY;
        for (uint32_t i = 0; i < agenda.count; i++)
            nearest = fminf(nearest, agenda.keys[i]);
        if (expected->count &&
            !(question.best.found && question.best.triangle == expected->hits[0].triangle))
            promised = promised && nearest <= expected->hits[0].t;
    }
    graze_ray_hit hit = grazei_ray_hit_of(body, &question.best);
    ok = expected->count ? same_hit(&hit, &expected->hits[0]) : !hit.found;
    return test_check(ok, __FILE__, __LINE__, "%s: other hit with a budget", name) &&
           test_check(promised, __FILE__, __LINE__, "%s: the rest was said to be farther", name);
}

static bool check_ray(graze_body *body, const graze_ray *ray, const hit_list *expected,
                      const char *name, tally *seen)
{
    static hit_list all;
    graze_ray_hit nearest, any, warm;
    graze_stats stats = {0};
    all.count = 0;
    all.overflow = false;
    graze_body_drop_caches(body);
    bool ok =
        !graze_cast(body, ray, &nearest, NULL, NULL) && !graze_cast(body, ray, &warm, NULL, NULL);
    graze_body_drop_caches(body);
    ok = ok && !graze_cast_any(body, ray, &any, NULL, NULL);
    graze_body_drop_caches(body);
    ok = ok && !graze_cast_all(body, ray, take_hits, &all, NULL, NULL);
    uint32_t count = all.count;
    ok = ok && !graze_cast_all(body, ray, take_hits, &all, &stats, NULL) && all.count == 2 * count;
    all.count = count;
    sort_hits(&all);
    seen->compared += 5;
    bool in_set = false;
    for (uint32_t i = 0; i < expected->count; i++)
        in_set = in_set || same_hit(&any, &expected->hits[i]);
    return test_check(ok, __FILE__, __LINE__, "%s: refused", name) &&
           test_check(same_hits(&all, expected), __FILE__, __LINE__,
                      "%s: %u hits, brute force %u (origin %g %g %g dir %g %g %g)", name, all.count,
                      expected->count, (double)ray->origin[0], (double)ray->origin[1],
                      (double)ray->origin[2], (double)ray->dir[0], (double)ray->dir[1],
                      (double)ray->dir[2]) &&
           test_check(expected->count ? same_hit(&nearest, &expected->hits[0]) : !nearest.found,
                      __FILE__, __LINE__, "%s: nearest is triangle %u, not %u of %u hits", name,
                      nearest.triangle, expected->hits[0].triangle, expected->count) &&
           test_check(same_hit(&nearest, &warm), __FILE__, __LINE__, "%s: warm differs", name) &&
           test_check(expected->count ? in_set : !any.found, __FILE__, __LINE__,
                      "%s: any is not a hit", name) &&
           test_check(stats.nodes_refit == 0 && stats.vertices_posed == 0, __FILE__, __LINE__,
                      "%s: the second cast computes again", name);
}

/* ---- rays worth casting -------------------------------------------------------------------- */

typedef struct target {
    const float *positions;
    const uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} target;

static void pick_point(const target *mesh, test_random *random, float point[3])
{
    uint32_t triangle = test_random_u32(random) % mesh->triangle_count;
    const uint32_t *v = mesh->triangles + 3 * (size_t)triangle;
    double u = test_random_unit(random), w = test_random_unit(random) * (1 - u);
    uint32_t kind = test_random_u32(random) % 4; /* inside, a corner, a middle of an edge */
    if (kind == 1)
        u = w = 0;
    else if (kind == 2)
        u = w = 0.5;
    for (int k = 0; k < 3; k++) {
        double a = mesh->positions[3 * (size_t)v[0] + k];
        point[k] = (float)(a + u * (mesh->positions[3 * (size_t)v[1] + k] - a) +
                           w * (mesh->positions[3 * (size_t)v[2] + k] - a));
    }
}

static graze_ray random_ray(const target *mesh, double size, test_random *random)
{
    graze_ray ray = graze_default_ray();
    float aim[3];
    uint32_t kind = test_random_u32(random) % 8;
    pick_point(mesh, random, aim);
    pick_point(mesh, random, ray.origin);
    for (int k = 0; k < 3; k++) {
        if (kind < 5) /* from outside, else from a point of the mesh to another */
            ray.origin[k] += (float)test_random_range(random, -2 * size, 2 * size);
        ray.dir[k] = aim[k] - ray.origin[k];
    }
    if (kind == 4 || kind == 5) { /* along one or two axes, through a point of the mesh */
        uint32_t axis = test_random_u32(random) % 3;
        for (uint32_t k = 0; k < 3; k++)
            if (kind == 4 ? k != axis : k == axis) {
                ray.dir[k] = test_random_u32(random) % 2 ? 0.0f : -0.0f;
                ray.origin[k] = aim[k];
            }
    }
    if (ray.dir[0] == 0 && ray.dir[1] == 0 && ray.dir[2] == 0)
        ray.dir[1] = -1;
    float scale = ldexpf(1, (int)(test_random_u32(random) % 41) - 20), greatest = 0;
    for (int k = 0; k < 3; k++)
        greatest = fmaxf(greatest, fabsf(ray.dir[k]));
    if (!(greatest * scale >= 1e-17f && greatest * scale <= 1e17f))
        scale = 1 / greatest;
    if (isinf(scale))
        ray.dir[0] = scale = 1;
    for (int k = 0; k < 3; k++)
        ray.dir[k] *= scale;
    if (test_random_u32(random) % 3 == 0)
        ray.t_max = (float)(test_random_unit(random) * 2 / scale);
    if (test_random_u32(random) % 5 == 0)
        ray.t_min = (float)(test_random_range(random, -1, 1) / scale);
    if (ray.t_max < ray.t_min)
        ray.t_max = ray.t_min;
    return ray;
}

/* ---- variants of one model ----------------------------------------------------------------- */

enum { RAYS = 40 };

static bool make(variants *v, graze_model_def def, uint32_t number)
{
    bool ok = true;
    *v = (variants){0};
    for (uint32_t i = 0; ok && i < test_amount(4, 2); i++) {
        def.tree = agreement_tree((i ? number * 3 + i : 0) % agreement_tree_count());
        def.isa = variants_isa(number + i);
        ok = variants_add(v, &def);
    }
    return ok;
}

/* The same rays again and again, in packets that are full and one that is not. */
static bool check_many(graze_body *body, const graze_ray *rays, const graze_ray_hit *expected,
                       uint32_t count, const char *name)
{
    enum { MANY = 150 };
    static graze_ray many[MANY];
    static graze_ray_hit hits[MANY];
    for (uint32_t r = 0; r < MANY; r++)
        many[r] = rays[r % count];
    graze_body_drop_caches(body);
    bool ok = test_check(!graze_cast_many(body, many, MANY, hits, NULL, NULL), __FILE__, __LINE__,
                         "%s: many refused", name);
    for (uint32_t r = 0; ok && r < MANY; r++)
        ok = test_check(same_hit(&hits[r], &expected[r % count]), __FILE__, __LINE__,
                        "%s: ray %u of many differs", name, r);
    return ok;
}

/* Poses all variants, and casts rays at them; false after a failure. */
static bool check_pose(variants *v, const graze_pose *pose, const uint32_t *triangles,
                       test_random *random, const char *name, uint32_t ray_count, tally *seen)
{
    static hit_list expected;
    graze_ray rays[RAYS];
    graze_ray_hit nearest[RAYS];
    graze_model_info info = graze_model_get_info(v->models[0]);
    float *positions = malloc(3 * sizeof *positions * info.vertex_count);
    target mesh = {positions, triangles, info.vertex_count, info.triangle_count};
    double middle[3];
    bool ok = positions != NULL;
    if (!variants_pose(v, pose, name)) {
        free(positions);
        return true; /* beyond what a body takes */
    }
    graze_body_get_positions(v->bodies[0], positions);
    double size = test_extent(positions, info.vertex_count, middle);
    for (uint32_t r = 0; ok && r < ray_count; r++) {
        rays[r] = random_ray(&mesh, size, random);
        expected.count = 0;
        expected.overflow = false;
        ok = test_check(!graze_cast_brute(v->bodies[0], &rays[r], take_hits, &expected, NULL, NULL),
                        __FILE__, __LINE__, "%s: brute force refuses", name);
        sort_hits(&expected);
        nearest[r] = expected.count ? expected.hits[0] : (graze_ray_hit){0};
        for (uint32_t i = 0; ok && i < v->count; i++)
            ok = check_ray(v->bodies[i], &rays[r], &expected, name, seen) &&
                 (r % 4 || check_budget(v->bodies[i], &rays[r], &expected, name));
        seen->rays++;
        seen->met += expected.count > 0;
        seen->hits += expected.count;
    }
    for (uint32_t i = 0; ok && i < v->count; i++)
        ok = check_many(v->bodies[i], rays, nearest, ray_count, name);
    free(positions);
    return ok;
}

/* ---- the tests ----------------------------------------------------------------------------- */

TEST(random_meshes_in_every_kind_of_pose)
{
    test_random random = test_random_seed(81);
    uint32_t count = test_amount(140, 22);
    tally seen = {0};
    bool ok = true;
    for (uint32_t n = 0; ok && n < count; n++) {
        soup_def def = {.vertex_count = 3 + test_random_u32(&random) % 200,
                        .triangle_count = 1 + test_random_u32(&random) % 300,
                        .joint_count = 1 + test_random_u32(&random) % 20,
                        .max_influences = 1 + test_random_u32(&random) % 6,
                        .size = n % 3 ? 1 : 8,
                        .offset = n % 6 == 5 ? 1000 : 0,
                        .flat = n % 9 == 8,
                        .lattice = n % 3 == 0,
                        .odd_weights = n % 5 == 2};
        if (def.lattice)
            def.max_influences = 1;
        soup mesh = soup_make(&def, &random);
        variants v;
        float *joints = malloc(12 * sizeof(float) * def.joint_count);
        char name[64];
        snprintf(name, sizeof name, "mesh %u", n);
        ok = make(&v, soup_model_def(&mesh), n);
        for (uint32_t p = 0; ok && p < 4; p++) {
            pose_make(def.lattice && p % 2 ? MAP_LATTICE : (map_kind)((n + p) % MAP_KIND_COUNT),
                      &mesh, &random, joints);
            graze_pose pose = {.joints = joints, .joint_count = def.joint_count};
            ok = check_pose(&v, &pose, mesh.triangles, &random, name, 20, &seen);
        }
        variants_free(&v);
        free(joints);
        soup_free(&mesh);
    }
    print_tally(&seen);
    CHECK(seen.met > seen.rays / 4);
}

TEST(every_skinning_with_morph_targets)
{
    test_random random = test_random_seed(82);
    uint32_t count = test_amount(60, 12);
    tally seen = {0};
    bool ok = true;
    for (uint32_t n = 0; ok && n < count; n++) {
        soup_def def = {.vertex_count = 200,
                        .triangle_count = 300,
                        .joint_count = 2 + n % 9,
                        .max_influences = 4,
                        .size = 1};
        deform_skin skin = deform_skin_make(&def, n % 4, &random);
        variants v;
        float joints[12 * 16], weights[4], placement[12];
        char name[64];
        snprintf(name, sizeof name, "skin %u", n);
        ok = make(&v, deform_skin_def(&skin, (graze_skinning)(n % 3)), n);
        for (uint32_t p = 0; ok && p < 3; p++) {
            deform_pose_make((deform_pose_kind)((n + 5 * p) % DEFORM_POSE_COUNT), skin.mesh.centre,
                             1, def.joint_count, &random, joints);
            deform_weights_make(skin.morph_count, &random, weights);
            bool placed = deform_placement_make(1, &random, placement);
            graze_pose pose = {.joints = joints,
                               .joint_count = def.joint_count,
                               .placement = placed ? placement : NULL,
                               .morph_weights = skin.morph_count ? weights : NULL,
                               .morph_count = skin.morph_count};
            ok = check_pose(&v, &pose, skin.mesh.triangles, &random, name, 20, &seen);
        }
        variants_free(&v);
        deform_skin_free(&skin);
    }
    print_tally(&seen);
    CHECK(seen.met > seen.rays / 4);
}

TEST(characters_over_their_clips)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(83);
    tally seen = {0};
    bool ok = true;
    for (uint32_t n = 0; ok && n < count; n++) {
        const graze_rig *rig = rigs[n].rig;
        graze_model_def def = test_rig_def(rig);
        def.skinning = rig->skinned ? (graze_skinning)(n % 3) : GRAZE_LINEAR;
        variants v;
        ok = make(&v, def, n);
        for (uint32_t p = 0; ok && p < test_amount(3, 1); p++) {
            uint32_t clip = rig->clip_count ? p % rig->clip_count : GRAZE_NONE;
            graze_pose pose = test_rig_pose(rig, clip, 0.37 * p);
            ok = check_pose(&v, &pose, rig->triangles, &random, rigs[n].name, test_amount(40, 8),
                            &seen);
        }
        variants_free(&v);
    }
    print_tally(&seen);
    CHECK(seen.met > seen.rays / 4);
    if (!test_rigs_are_shared())
        SKIP_ALLOWED("no shared models; procedural ones only");
}
