/* Many rays in one call: the answers of graze_cast one by one, bit for bit, on every instruction
 * set, for rays that go together and such that do not, and for all that margins have to allow for.
 */
#include "harness.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup.h"
#include "support/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 700 }; /* rays in one call */

/* ---- rays ----------------------------------------------------------------------------------- */

typedef enum ray_sort {
    CAMERA,      /* from one point, row by row */
    PARALLEL,    /* side by side along an axis, with zeros in dir */
    SCATTERED,   /* from anywhere to anywhere in the mesh */
    THROUGH,     /* through corners and middles of edges */
    ALONG,       /* from corner to corner: within planes, along edges */
    FROM_FAR,    /* from 100,000 sizes away, through the mesh */
    NEARLY_FLAT, /* one component of dir a millionth or less of another */
    SORTS
} ray_sort;

typedef struct target {
    const float *positions;
    const uint32_t *triangles;
    uint32_t triangle_count;
    double middle[3], size;
} target;

/* In a random triangle; 0: anywhere, 1: a corner, 2: the middle of an edge. */
static void pick(const target *mesh, test_random *random, int place, float point[3])
{
    const uint32_t *v =
        mesh->triangles + 3 * (size_t)(test_random_u32(random) % mesh->triangle_count);
    double a = test_random_unit(random), b = test_random_unit(random) * (1 - a);
    a = place == 1 ? 0 : place == 2 ? 0.5 : a;
    b = place ? 0 : b;
    for (int k = 0; k < 3; k++) {
        double start = mesh->positions[3 * (size_t)v[0] + k];
        point[k] = (float)(start + a * (mesh->positions[3 * (size_t)v[1] + k] - start) +
                           b * (mesh->positions[3 * (size_t)v[2] + k] - start));
    }
}

static graze_ray make_ray(ray_sort sort, const target *mesh, const float eye[3], uint32_t number,
                          test_random *random)
{
    float origin[3], dir[3], aim[3];
    float x = (float)(number % 32) / 32 - 0.5f, y = (float)(number / 32) / 32 - 0.5f;
    pick(mesh, random, sort == THROUGH || sort == ALONG ? 1 + (int)(number % 2) : 0, aim);
    pick(mesh, random, 1, origin);
    for (int k = 0; k < 3; k++) {
        double away = test_random_range(random, -1, 1) * mesh->size;
        if (sort == CAMERA)
            origin[k] = eye[k];
        else if (sort != ALONG)
            origin[k] += (float)(away * (sort == FROM_FAR ? 1e5 : 2));
        dir[k] = aim[k] - origin[k];
    }
    if (sort == CAMERA || sort == PARALLEL) {
        const float plane[3] = {x * (float)mesh->size, y * (float)mesh->size, 0};
        for (int k = 0; k < 3; k++) {
            float at = (float)mesh->middle[k] + plane[k];
            dir[k] = sort == CAMERA ? at - eye[k] : k < 2 ? (k ? -0.0f : 0.0f) : -1.0f;
            if (sort == PARALLEL)
                origin[k] = at - 2 * (float)mesh->size * dir[k];
        }
    }
    if (sort == NEARLY_FLAT) { /* still through the point */
        uint32_t k = test_random_u32(random) % 3;
        dir[k] = ldexpf(dir[(k + 1) % 3], -20 - (int)(test_random_u32(random) % 60));
        origin[k] = aim[k] - dir[k];
    }
    if (dir[0] == 0 && dir[1] == 0 && dir[2] == 0)
        dir[0] = 1;
    graze_ray ray = graze_ray_from(origin, dir);
    if (test_random_u32(random) % 4 == 0)
        ray.t_min = (float)test_random_range(random, -1, 1);
    if (test_random_u32(random) % 4 == 0)
        ray.t_max = ray.t_min + (float)test_random_unit(random) * 2;
    return ray;
}

/* ---- one body against another --------------------------------------------------------------- */

static bool same_hit(const graze_hit *a, const graze_hit *b)
{
    return a->found == b->found && a->triangle == b->triangle && a->part == b->part &&
           a->joint == b->joint && !memcmp(&a->t, &b->t, 4) && !memcmp(a->point, b->point, 12) &&
           !memcmp(a->normal, b->normal, 12) && !memcmp(a->uv, b->uv, 8);
}

typedef struct tally {
    uint64_t rays, hits;
} tally;

/* Casts all rays at the one body, each alone at the other. */
static bool check_rays(graze_body *many, graze_body *single, const graze_ray *rays, uint32_t count,
                       const char *name, tally *seen)
{
    static graze_hit hits[MOST];
    bool ok = test_check(!graze_cast_many(many, rays, count, hits, NULL, NULL), __FILE__, __LINE__,
                         "%s: refused", name);
    for (uint32_t i = 0; ok && i < count; i++) {
        graze_hit hit;
        ok = test_check(!graze_cast(single, &rays[i], &hit, NULL, NULL) && same_hit(&hits[i], &hit),
                        __FILE__, __LINE__,
                        "%s: ray %u of %u: triangle %u, t %a; alone triangle %u, t %a", name, i,
                        count, hits[i].triangle, (double)hits[i].t, hit.triangle, (double)hit.t);
        seen->hits += hit.found;
    }
    seen->rays += count;
    return ok;
}

static target measure(const variants *v, float *positions, const uint32_t *triangles)
{
    graze_model_info info = graze_model_get_info(v->models[0]);
    target mesh = {
        .positions = positions, .triangles = triangles, .triangle_count = info.triangle_count};
    graze_body_get_positions(v->bodies[0], positions);
    mesh.size = test_extent(positions, info.vertex_count, mesh.middle);
    return mesh;
}

/* Rays of all sorts, at bodies of all instruction sets; the first body answers one by one. */
static bool check_sorts(const variants *v, const target *mesh, uint32_t rounds, test_random *random,
                        const char *name, tally *seen)
{
    static graze_ray rays[MOST];
    uint32_t first = test_random_u32(random) % SORTS;
    bool ok = true;
    for (uint32_t round = 0; ok && round < rounds * SORTS; round++) {
        ray_sort sort = (first + round) % SORTS;
        uint32_t count = 1 + test_random_u32(random) % MOST;
        float eye[3];
        for (int k = 0; k < 3; k++)
            eye[k] = (float)(mesh->middle[k] + test_random_range(random, -3, 3) * mesh->size);
        for (uint32_t i = 0; i < count; i++)
            rays[i] = make_ray(sort, mesh, eye, i, random);
        for (uint32_t i = 1; ok && i < v->count; i++)
            ok = check_rays(v->bodies[i], v->bodies[0], rays, count, name, seen);
    }
    return ok;
}

/* The first for reference, and one more of each instruction set. */
static bool make_variants(variants *v, graze_model_def def)
{
    bool ok = true;
    *v = (variants){0};
    for (uint32_t i = 0; ok && i < 4; i++) {
        def.isa = variants_isa(i ? i - 1 : 0);
        ok = variants_add(v, &def);
    }
    return ok;
}

static void print_tally(const tally *seen)
{
    printf("     %llu rays, %llu hits\n", (unsigned long long)seen->rays,
           (unsigned long long)seen->hits);
    CHECK(seen->hits > seen->rays / 8);
}

/* ---- the tests ------------------------------------------------------------------------------ */

/* Thin ones: the third corner comes to lie next to the edge of the others, some of them on it. */
static void make_needles(soup *mesh)
{
    for (uint32_t t = 0; t < mesh->def.triangle_count; t++) {
        const uint32_t *v = mesh->triangles + 3 * (size_t)t;
        for (int k = 0; k < 3 && t % 2; k++) {
            float a = mesh->positions[3 * v[0] + k], b = mesh->positions[3 * v[1] + k];
            mesh->positions[3 * v[2] + k] = (a + b) / 2 + (t % 4 == 3 ? ldexpf(b - a, -22) : 0);
        }
    }
}

TEST(random_meshes)
{
    test_random random = test_random_seed(91);
    uint32_t count = test_amount(60, 9);
    tally seen = {0};
    bool ok = true;
    for (uint32_t n = 0; ok && n < count; n++) {
        soup_def def = {.vertex_count = 40 + test_random_u32(&random) % 300,
                        .triangle_count = 1 + test_random_u32(&random) % 600,
                        .joint_count = 1 + test_random_u32(&random) % 9,
                        .max_influences = 1 + test_random_u32(&random) % 4,
                        .size = 1,
                        .offset = n % 5 == 4 ? 1000 : 0,
                        .flat = n % 9 == 8,
                        .lattice = n % 3 == 0};
        soup mesh = soup_make(&def, &random);
        variants v;
        float joints[12 * 9];
        float *positions = malloc(3 * sizeof *positions * def.vertex_count);
        char name[32];
        snprintf(name, sizeof name, "mesh %u", n);
        if (n % 3 == 1)
            make_needles(&mesh);
        graze_model_def model = soup_model_def(&mesh);
        model.tree.patch_triangles = n % 4 == 3 ? 128 : n % 4 == 2 ? 20 : 0;
        pose_make(def.lattice ? MAP_LATTICE : (map_kind)(n % MAP_FAR), &mesh, &random, joints);
        graze_pose pose = {.joints = joints, .joint_count = def.joint_count};
        ok = make_variants(&v, model);
        if (ok && variants_pose(&v, &pose, name)) {
            target at = measure(&v, positions, mesh.triangles);
            ok = check_sorts(&v, &at, test_amount(4, 1), &random, name, &seen);
        }
        variants_free(&v);
        free(positions);
        soup_free(&mesh);
    }
    print_tally(&seen);
}

TEST(characters_over_their_clips)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(92);
    tally seen = {0};
    bool ok = true;
    for (uint32_t n = 0; ok && n < count; n++) {
        const graze_rig *rig = rigs[n].rig;
        graze_model_def def = test_rig_def(rig);
        float *positions = malloc(3 * sizeof *positions * rig->vertex_count);
        variants v;
        def.no_self_collision = true;
        ok = make_variants(&v, def);
        for (uint32_t p = 0; ok && p < test_amount(3, 1); p++) {
            graze_pose pose = test_rig_pose(rig, rig->clip_count ? 0 : GRAZE_NONE, 0.3 * p);
            ok = variants_pose(&v, &pose, rigs[n].name);
            target at = measure(&v, positions, rig->triangles);
            ok = ok && check_sorts(&v, &at, test_amount(2, 1), &random, rigs[n].name, &seen);
        }
        variants_free(&v);
        free(positions);
    }
    print_tally(&seen);
}

/* What is kept from one call to the next belongs to one pose, one body and its parts. */
TEST(nothing_old_is_used)
{
    test_random random = test_random_seed(93);
    soup_def def = {.vertex_count = 300, .triangle_count = 900, .joint_count = 4, .size = 1};
    def.max_influences = 2;
    soup mesh = soup_make(&def, &random);
    float *positions = malloc(3 * sizeof *positions * def.vertex_count), joints[12 * 4];
    tally seen = {0};
    variants v;
    bool ok = make_variants(&v, soup_model_def(&mesh));
    uint32_t part_count = graze_model_get_info(v.models[0]).part_count;
    graze_pose pose = {.joints = joints, .joint_count = def.joint_count};
    CHECK(part_count == def.joint_count);
    for (uint32_t round = 0; ok && round < test_amount(300, 18); round++) {
        char name[32];
        snprintf(name, sizeof name, "round %u", round);
        uint32_t parts = round % 3 ? UINT32_MAX : 1u << round % 4 | 1u << round / 4 % 4;
        if (round % 2 == 0)
            pose_make(MAP_NEAR, &mesh, &random, joints);
        for (uint32_t i = 0; ok && i < v.count; i++) {
            graze_pair_list none = {.capacity = 0};
            if (round % 4 == 3) { /* another body, at the same place perhaps */
                graze_body_destroy(v.bodies[i]);
                ok = !graze_body_create(v.models[i], &v.bodies[i], NULL);
            }
            ok = ok && !graze_body_set_part_mask(v.bodies[i], &parts, part_count, NULL) &&
                 !graze_body_set_pose(v.bodies[i], &pose, NULL);
            if (round % 5 == 4)
                ok = ok && !graze_self_pairs(v.bodies[i], NULL, &none, NULL, NULL);
            if (ok && round % 6 > 3)
                ok = !graze_body_share(v.bodies[i], NULL);
        }
        CHECK(ok);
        target at = measure(&v, positions, mesh.triangles);
        ok = ok && check_sorts(&v, &at, 1, &random, name, &seen);
        for (uint32_t i = 0; i < v.count && round % 6 > 3; i++)
            graze_body_unshare(v.bodies[i], NULL);
    }
    variants_free(&v);
    free(positions);
    soup_free(&mesh);
    print_tally(&seen);
}

/* A ray with one value changed is refused, or taken, as graze_cast does it, wherever it stands. */
TEST(limits_of_rays)
{
    const float values[] = {0,
                            1e18f,
                            nextafterf(1e18f, 0),
                            nextafterf(1e18f, INFINITY),
                            1e-18f,
                            NAN,
                            nextafterf(1e-18f, 0),
                            nextafterf(1e-18f, 1),
                            INFINITY,
                            -1e-18f,
                            -1e18f,
                            -INFINITY};
    enum { VALUES = sizeof values / sizeof *values, FIELDS = 8, ROOM = 5 };
    test_random random = test_random_seed(94);
    soup_def def = {.vertex_count = 50, .triangle_count = 90, .joint_count = 1, .size = 1};
    def.max_influences = 1;
    soup mesh = soup_make(&def, &random);
    uint32_t refused = 0;
    variants v;
    bool ok = make_variants(&v, soup_model_def(&mesh));
    for (uint32_t n = 0; ok && n < v.count * FIELDS * VALUES * ROOM; n++) {
        graze_ray rays[ROOM], odd = {.t_min = -1, .t_max = 3};
        graze_hit hits[ROOM], hit;
        uint32_t field = n % FIELDS, at = n / FIELDS / VALUES % ROOM;
        float *fields[FIELDS] = {odd.origin,  odd.origin + 1, odd.origin + 2, odd.dir,
                                 odd.dir + 1, odd.dir + 2,    &odd.t_min,     &odd.t_max};
        odd.dir[1] = field < 3 || field > 5 ? 1 : 0;
        *fields[field] = values[n / FIELDS % VALUES];
        for (uint32_t i = 0; i < ROOM; i++)
            rays[i] = i == at ? odd : graze_ray_between((float[3]){0}, (float[3]){0, 0, 1});
        graze_body *body = v.bodies[n / (FIELDS * VALUES * ROOM)];
        graze_status alone = graze_cast(body, &odd, &hit, NULL, NULL);
        graze_status status =
            graze_cast_many(body, rays, at + 1 + n % 2 * (ROOM - at - 1), hits, NULL, NULL);
        CHECK_MSG(status == alone, "field %u is %g at %u: %s, alone %s", field,
                  (double)*fields[field], at, graze_status_name(status), graze_status_name(alone));
        refused += alone != GRAZE_OK;
    }
    CHECK(refused > v.count * FIELDS * ROOM);
    variants_free(&v);
    soup_free(&mesh);
}
