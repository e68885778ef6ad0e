/* Our nearest hits against Embree's (robust mode), for every character, over its clips, with all
 * kinds of skinning.
 *
 * Embree computes in float, so a hit may differ where the ray passes an edge of the triangle that
 * only one of the two hits closer than EDGE_DISTANCE, or where it is nearly parallel to it; t may
 * differ by T_TOLERANCE, divided by the cosine between ray and normal. Both are relative to the way
 * that the ray goes through the scene. Everything else is a failure.
 */
#include "harness.h"
#include "support/quick.h"
#include "support/rigs.h"

#include <graze/graze.h>

#include <embree3/rtcore.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EDGE_DISTANCE 2e-6
#define T_TOLERANCE 2e-6

typedef struct scene {
    RTCScene scene;
    const float *positions;
    const uint32_t *triangles;
    uint32_t triangle_count;
    double reach; /* the longest way from a ray's origin to the mesh */
} scene;

typedef struct tally {
    uint64_t rays, hits, same_triangle, other_triangle, at_edges;
} tally;

static const double *subtract(const double *a, const double *b, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
    return out;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void load_triangle(const scene *s, uint32_t triangle, double corners[3][3])
{
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            corners[c][k] = s->positions[3 * (size_t)s->triangles[3 * (size_t)triangle + c] + k];
}

/* The cosine between the ray and the normal; 0 without a normal. */
static double cosine(const scene *s, const graze_ray *ray, uint32_t triangle)
{
    double c[3][3], e[3], f[3], n[3], d[3] = {ray->dir[0], ray->dir[1], ray->dir[2]};
    load_triangle(s, triangle, c);
    cross(subtract(c[1], c[0], e), subtract(c[2], c[0], f), n);
    double size = sqrt(dot(n, n) * dot(d, d));
    return size > 0 ? fabs(dot(n, d)) / size : 0;
}

/* How far the ray's line passes the nearest of the triangle's edges. */
static double edge_distance(const scene *s, const graze_ray *ray, uint32_t triangle)
{
    double c[3][3], o[3], d[3], least = INFINITY;
    load_triangle(s, triangle, c);
    for (int k = 0; k < 3; k++) {
        o[k] = ray->origin[k];
        d[k] = ray->dir[k];
    }
    double square = dot(d, d);
    for (int i = 0; i < 3; i++) {
        /* Across the ray the edge is a segment in a plane; its distance to the origin there. */
        double a[3], b[3], along[3], point[3];
        subtract(c[i], o, a);
        subtract(c[(i + 1) % 3], o, b);
        double at = dot(a, d) / square, bt = dot(b, d) / square;
        for (int k = 0; k < 3; k++) {
            a[k] -= at * d[k];
            b[k] -= bt * d[k];
        }
        subtract(b, a, along);
        double length = dot(along, along), share = length > 0 ? -dot(a, along) / length : 0;
        share = fmin(fmax(share, 0), 1);
        for (int k = 0; k < 3; k++)
            point[k] = a[k] + share * along[k];
        least = fmin(least, sqrt(dot(point, point)));
    }
    return least;
}

static bool may_be_missed(const scene *s, const graze_ray *ray, uint32_t triangle)
{
    return edge_distance(s, ray, triangle) <= EDGE_DISTANCE * s->reach ||
           cosine(s, ray, triangle) < 1e-5;
}

static struct RTCRayHit embree_ray(const graze_ray *ray)
{
    struct RTCRayHit hit = {.ray = {.org_x = ray->origin[0],
                                    .org_y = ray->origin[1],
                                    .org_z = ray->origin[2],
                                    .tnear = ray->t_min,
                                    .dir_x = ray->dir[0],
                                    .dir_y = ray->dir[1],
                                    .dir_z = ray->dir[2],
                                    .mask = UINT32_MAX,
                                    .tfar = ray->t_max}};
    hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    return hit;
}

/* Which hit lies in front, and may the other one have missed it? */
static bool explained(const scene *s, const graze_ray *ray, const graze_hit *ours,
                      const struct RTCRayHit *theirs, tally *seen)
{
    bool they_hit = theirs->hit.geomID != RTC_INVALID_GEOMETRY_ID;
    if (!ours->found && !they_hit)
        return true;
    if (ours->found && they_hit) {
        double length = sqrt((double)ray->dir[0] * ray->dir[0] + (double)ray->dir[1] * ray->dir[1] +
                             (double)ray->dir[2] * ray->dir[2]);
        double angle = fmin(cosine(s, ray, ours->triangle), cosine(s, ray, theirs->hit.primID));
        double tolerance = T_TOLERANCE * s->reach / length / fmax(angle, 1e-6);
        if (fabs((double)ours->t - theirs->ray.tfar) <= tolerance) {
            seen->same_triangle += ours->triangle == theirs->hit.primID;
            seen->other_triangle += ours->triangle != theirs->hit.primID;
            return true;
        }
    }
    bool we_are_nearer = ours->found && (!they_hit || ours->t < theirs->ray.tfar);
    seen->at_edges++;
    return may_be_missed(s, ray, we_are_nearer ? ours->triangle : theirs->hit.primID);
}

/* From outside or within, anywhere or at a vertex. */
static graze_ray random_ray(const scene *s, const double middle[3], double size, bool at_vertex,
                            test_random *random)
{
    graze_ray ray = {.dir = {0, 0, 1}, .t_max = INFINITY};
    double far = test_random_u32(random) % 4 ? 3 * size : size;
    double length = test_random_range(random, 0.1, 10);
    uint32_t corner = test_random_u32(random) % (3 * s->triangle_count);
    const float *vertex = s->positions + 3 * (size_t)s->triangles[corner];
    for (int k = 0; k < 3; k++) {
        double from = middle[k] + test_random_range(random, -far, far);
        double to =
            at_vertex ? (double)vertex[k] : middle[k] + test_random_range(random, -0.6, 0.6) * size;
        ray.origin[k] = (float)from;
        ray.dir[k] = (float)((to - from) * length);
    }
    return ray;
}

static bool compare_rays(const scene *s, graze_body *body, const double middle[3], double size,
                         uint32_t count, const char *name, test_random *random, tally tallies[2])
{
    for (uint32_t i = 0; i < count; i++) {
        bool at_vertex = i % 4 == 0;
        graze_ray ray = random_ray(s, middle, size, at_vertex, random);
        tally *seen = &tallies[at_vertex];
        graze_hit hit, any;
        struct RTCRayHit theirs = embree_ray(&ray);
        struct RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(s->scene, &context, &theirs);
        graze_cast(body, &ray, &hit, NULL, NULL);
        graze_cast(body, &ray, &any, &(graze_options){.any = true}, NULL);
        seen->rays++;
        seen->hits += hit.found;
        if (!test_check(hit.found == any.found && explained(s, &ray, &hit, &theirs, seen), __FILE__,
                        __LINE__,
                        "%s: we %d triangle %u t %.9g, Embree %d triangle %u t %.9g; origin %.9g "
                        "%.9g %.9g dir %.9g %.9g %.9g",
                        name, hit.found, hit.triangle, (double)hit.t,
                        theirs.hit.geomID != RTC_INVALID_GEOMETRY_ID, theirs.hit.primID,
                        (double)theirs.ray.tfar, (double)ray.origin[0], (double)ray.origin[1],
                        (double)ray.origin[2], (double)ray.dir[0], (double)ray.dir[1],
                        (double)ray.dir[2]))
            return false;
    }
    return true;
}

static RTCScene make_scene(RTCDevice device, const float *positions, uint32_t vertex_count,
                           const uint32_t *triangles, uint32_t triangle_count)
{
    RTCScene made = rtcNewScene(device);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                             12, vertex_count);
    void *indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            12, triangle_count);
    memcpy(vertices, positions, 12 * (size_t)vertex_count);
    memcpy(indices, triangles, 12 * (size_t)triangle_count);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(made, geometry);
    rtcReleaseGeometry(geometry);
    rtcSetSceneFlags(made, RTC_SCENE_FLAG_ROBUST);
    rtcCommitScene(made);
    return made;
}

/* A character in several poses. */
static bool compare_rig(RTCDevice device, const test_rig *named, graze_skinning skinning,
                        test_random *random, tally tallies[2])
{
    const graze_rig *rig = named->rig;
    graze_model_def def = test_rig_def(rig);
    float *positions = malloc(3 * sizeof(float) * rig->vertex_count);
    graze_model *model = NULL;
    graze_body *body = NULL;
    def.skinning = rig->skinned ? skinning : GRAZE_LINEAR;
    bool ok = !graze_model_create(&def, &model, NULL) && !graze_body_create(model, &body, NULL);
    for (uint32_t p = 0; ok && p < 3; p++) {
        uint32_t clip = rig->clip_count ? p % rig->clip_count : GRAZE_NONE;
        graze_pose pose = test_rig_pose(rig, clip, 0.41 * p);
        double middle[3];
        ok = !graze_body_set_pose(body, &pose, NULL);
        graze_body_get_positions(body, positions);
        double size = test_extent(positions, rig->vertex_count, middle);
        scene s = {.scene = make_scene(device, positions, rig->vertex_count, rig->triangles,
                                       rig->triangle_count),
                   .positions = positions,
                   .triangles = rig->triangles,
                   .triangle_count = rig->triangle_count,
                   .reach = 8 * size};
        graze_body_drop_caches(body);
        ok = ok && compare_rays(&s, body, middle, size, test_amount(4000, 500), named->name, random,
                                tallies);
        rtcReleaseScene(s.scene);
    }
    graze_body_destroy(body);
    graze_model_destroy(model);
    free(positions);
    return ok;
}

TEST(nearest_hits_are_those_of_embree)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(91);
    RTCDevice device = rtcNewDevice("threads=1");
    tally tallies[2] = {{0}, {0}};
    for (uint32_t n = 0; n < count; n++)
        for (int skinning = 0; skinning < (rigs[n].rig->skinned ? 3 : 1); skinning++)
            CHECK_MSG(compare_rig(device, &rigs[n], (graze_skinning)skinning, &random, tallies),
                      "%s", rigs[n].name);
    rtcReleaseDevice(device);
    for (int aimed = 0; aimed < 2; aimed++) {
        const tally *seen = &tallies[aimed];
        printf("     %u models, %llu rays %s, %llu hits: %llu on the same triangle, %llu at the "
               "same t on another, %llu differ at an edge\n",
               count, (unsigned long long)seen->rays, aimed ? "at vertices" : "anywhere",
               (unsigned long long)seen->hits, (unsigned long long)seen->same_triangle,
               (unsigned long long)seen->other_triangle, (unsigned long long)seen->at_edges);
        CHECK(seen->hits > seen->rays / 10);
    }
    CHECK(tallies[0].at_edges <= tallies[0].rays / 10000);
}
