/* Embree 3: bounding volumes refitted bottom-up after every pose. */
#include "bench/peers/peers.h"

#include <embree3/rtcore.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct scene {
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
};

static const char *version(void)
{
    return "Embree " RTC_VERSION_STRING;
}

static void destroy(void *user)
{
    struct scene *scene = user;
    if (!scene)
        return;
    rtcReleaseGeometry(scene->geometry);
    rtcReleaseScene(scene->scene);
    rtcReleaseDevice(scene->device);
    free(scene);
}

/* A mesh that is refitted after every pose. */
static void set_mesh(RTCGeometry geometry, const bench_mesh *mesh)
{
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                               mesh->positions, 0, 3 * sizeof(float), mesh->vertex_count);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                               mesh->triangles, 0, 3 * sizeof(uint32_t), mesh->triangle_count);
    rtcCommitGeometry(geometry);
}

static void *create(const bench_mesh *mesh)
{
    struct scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        return NULL;
    scene->device = rtcNewDevice("threads=1,set_affinity=0");
    scene->scene = rtcNewScene(scene->device);
    scene->geometry = rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    /* Embree refits in scenes of low quality only; in others it builds anew, 12 times as slowly. */
    rtcSetSceneFlags(scene->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(scene->scene, RTC_BUILD_QUALITY_LOW);
    set_mesh(scene->geometry, mesh);
    rtcAttachGeometry(scene->scene, scene->geometry);
    rtcCommitScene(scene->scene);
    if (rtcGetDeviceError(scene->device) == RTC_ERROR_NONE)
        return scene;
    destroy(scene);
    return NULL;
}

static void refit(void *user)
{
    struct scene *scene = user;
    rtcUpdateGeometryBuffer(scene->geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(scene->geometry);
    rtcCommitScene(scene->scene);
}

static void cast_at(RTCScene scene, const bench_peer_ray *ray, bench_peer_hit *hit, uint32_t *which)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit query = {.ray = {.org_x = ray->origin[0],
                                      .org_y = ray->origin[1],
                                      .org_z = ray->origin[2],
                                      .dir_x = ray->dir[0],
                                      .dir_y = ray->dir[1],
                                      .dir_z = ray->dir[2],
                                      .tfar = INFINITY,
                                      .mask = UINT32_MAX},
                              .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    rtcIntersect1(scene, &context, &query);
    bool found = query.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    *hit = (bench_peer_hit){found ? query.hit.primID : UINT32_MAX, found ? query.ray.tfar : 0};
    *which = found ? query.hit.geomID : UINT32_MAX;
}

static void cast_ray(void *user, const bench_peer_ray *ray, bench_peer_hit *hit)
{
    uint32_t which;
    cast_at(((struct scene *)user)->scene, ray, hit, &which);
}

enum { PACKET = 16 };

static void cast_packet(struct scene *scene, const bench_peer_ray *rays, size_t count,
                        bench_peer_hit *hits)
{
    struct RTCIntersectContext context;
    struct RTCRayHit16 query;
    _Alignas(64) int valid[PACKET];
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    for (size_t i = 0; i < PACKET; i++) {
        const bench_peer_ray *ray = &rays[i < count ? i : 0];
        valid[i] = i < count ? -1 : 0;
        query.ray.org_x[i] = ray->origin[0];
        query.ray.org_y[i] = ray->origin[1];
        query.ray.org_z[i] = ray->origin[2];
        query.ray.dir_x[i] = ray->dir[0];
        query.ray.dir_y[i] = ray->dir[1];
        query.ray.dir_z[i] = ray->dir[2];
        query.ray.tnear[i] = query.ray.time[i] = 0;
        query.ray.tfar[i] = INFINITY;
        query.ray.mask[i] = UINT32_MAX;
        query.ray.flags[i] = 0;
        query.hit.geomID[i] = query.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
    }
    rtcIntersect16(valid, scene->scene, &context, &query);
    for (size_t i = 0; i < count; i++) {
        bool found = query.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID;
        hits[i] = (bench_peer_hit){found ? query.hit.primID[i] : UINT32_MAX,
                                   found ? query.ray.tfar[i] : 0};
    }
}

static void cast_rays(void *user, const bench_peer_ray *rays, size_t count, bench_peer_hit *hits)
{
    for (size_t first = 0; first < count; first += PACKET)
        cast_packet(user, rays + first, count - first < PACKET ? count - first : PACKET,
                    hits + first);
}

/* ---- many meshes ---------------------------------------------------------------------------- */

/* A geometry each in one dynamic scene, which then has a tree for each, and one above them all. */
struct crowd {
    RTCDevice device;
    RTCScene scene;
    RTCGeometry *of;
    uint32_t count;
};

static void destroy_crowd(void *user)
{
    struct crowd *crowd = user;
    if (!crowd)
        return;
    for (uint32_t i = 0; i < crowd->count; i++)
        rtcReleaseGeometry(crowd->of[i]);
    rtcReleaseScene(crowd->scene);
    rtcReleaseDevice(crowd->device);
    free(crowd->of);
    free(crowd);
}

static void *create_crowd(const bench_mesh *meshes, uint32_t count)
{
    struct crowd *crowd = calloc(1, sizeof *crowd);
    if (!crowd)
        return NULL;
    crowd->of = calloc(count, sizeof *crowd->of);
    crowd->device = rtcNewDevice("threads=1,set_affinity=0");
    crowd->scene = rtcNewScene(crowd->device);
    rtcSetSceneFlags(crowd->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(crowd->scene, RTC_BUILD_QUALITY_LOW);
    for (uint32_t i = 0; i < count && crowd->of; i++) {
        crowd->of[i] = rtcNewGeometry(crowd->device, RTC_GEOMETRY_TYPE_TRIANGLE);
        set_mesh(crowd->of[i], &meshes[i]);
        rtcAttachGeometryByID(crowd->scene, crowd->of[i], i);
        crowd->count++;
    }
    rtcCommitScene(crowd->scene);
    if (crowd->of && rtcGetDeviceError(crowd->device) == RTC_ERROR_NONE)
        return crowd;
    destroy_crowd(crowd);
    return NULL;
}

static void refit_crowd(void *user)
{
    struct crowd *crowd = user;
    for (uint32_t i = 0; i < crowd->count; i++) {
        rtcUpdateGeometryBuffer(crowd->of[i], RTC_BUFFER_TYPE_VERTEX, 0);
        rtcCommitGeometry(crowd->of[i]);
    }
    rtcCommitScene(crowd->scene);
}

static void cast_in_crowd(void *user, const bench_peer_ray *ray, bench_peer_hit *hit,
                          uint32_t *which)
{
    cast_at(((struct crowd *)user)->scene, ray, hit, which);
}

const bench_embree graze_bench_embree = {version,     create,       destroy,      refit,
                                         cast_ray,    cast_rays,    create_crowd, destroy_crowd,
                                         refit_crowd, cast_in_crowd};
