/* Embree 3: rtcCollide over user geometry, which is all that it works on. A primitive is a cluster
 * of triangles close to each other at first, by recursive median splits. Pairs of clusters come
 * from Embree; boxes of their triangles, kept from the first pair a cluster is in, rule out most
 * pairs of triangles, and a test in double precision decides the rest. rtcCollide cannot be
 * stopped: once the one pair that was looked for is found, further ones are ignored.
 *
 * Clusters of four are what one takes at first, of eight what is fastest in sum. Single triangles
 * take four times as long to refit as fours and gain nothing when deep; sixteens refit faster than
 * eights and lose when deep.
 */
#include "bench/peers/peers.h"
#include "bench/peers/triangles.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

namespace
{

typedef float four __attribute__((vector_size(16)));

template <uint32_t SIZE> struct lanes {
    typedef float numbers __attribute__((vector_size(4 * SIZE)));
    typedef int32_t masks __attribute__((vector_size(4 * SIZE)));
};

template <uint32_t SIZE> struct cluster {
    uint32_t triangles[SIZE];
    uint32_t vertices[3 * SIZE]; /* each once */
    uint32_t triangle_count, vertex_count;
};

/* Boxes of the triangles of a cluster. */
template <uint32_t SIZE> struct posed {
    typename lanes<SIZE>::numbers low[3], high[3];
    uint32_t stamp;
};

template <uint32_t SIZE> struct model {
    RTCScene scene;
    RTCGeometry geometry;
    bench_mesh mesh;
    std::vector<cluster<SIZE>> clusters;
    std::vector<posed<SIZE>> cache;
    uint32_t stamp = 1;
};

/* Scenes that collide share a device. */
RTCDevice device;
uint32_t device_users;

const char *version()
{
    return "Embree " RTC_VERSION_STRING;
}

/* Orders triangles so that each SIZE of them are close together. */
template <uint32_t SIZE>
void split(uint32_t *order, size_t count, const std::vector<float> &centres)
{
    if (count <= SIZE)
        return;
    float extent[3];
    for (int k = 0; k < 3; k++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = std::min(low, centres[3 * order[i] + k]);
            high = std::max(high, centres[3 * order[i] + k]);
        }
        extent[k] = high - low;
    }
    const auto axis = std::max_element(extent, extent + 3) - extent;
    const size_t half = (count + 2 * SIZE - 1) / (2 * SIZE) * SIZE;
    std::nth_element(order, order + half, order + count, [&](uint32_t a, uint32_t b) {
        return centres[3 * a + axis] < centres[3 * b + axis];
    });
    split<SIZE>(order, half, centres);
    split<SIZE>(order + half, count - half, centres);
}

template <uint32_t SIZE> void add(cluster<SIZE> &grown, uint32_t triangle, const bench_mesh &mesh)
{
    grown.triangles[grown.triangle_count++] = triangle;
    for (int c = 0; c < 3; c++) {
        const uint32_t vertex = mesh.triangles[3 * triangle + c];
        uint32_t *end = grown.vertices + grown.vertex_count;
        if (std::find(grown.vertices, end, vertex) == end)
            grown.vertices[grown.vertex_count++] = vertex;
    }
}

template <uint32_t SIZE> std::vector<cluster<SIZE>> make_clusters(const bench_mesh &mesh)
{
    std::vector<uint32_t> order(mesh.triangle_count);
    std::vector<float> centres(3 * mesh.triangle_count);
    std::vector<cluster<SIZE>> clusters((mesh.triangle_count + SIZE - 1) / SIZE);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t i = 0; i < 9 * mesh.triangle_count; i++)
        centres[i / 9 * 3 + i % 3] += mesh.positions[3 * mesh.triangles[i / 3] + i % 3];
    split<SIZE>(order.data(), order.size(), centres);
    for (uint32_t t = 0; t < mesh.triangle_count; t++)
        add(clusters[t / SIZE], order[t], mesh);
    return clusters;
}

/* Reads 4 bytes past the position: see bench_mesh. */
four load(const bench_mesh &mesh, uint32_t vertex)
{
    four loaded;
    std::memcpy(&loaded, mesh.positions + 3 * vertex, sizeof loaded);
    return loaded;
}

four least(four a, four b)
{
    return a < b ? a : b;
}

four most(four a, four b)
{
    return a > b ? a : b;
}

template <uint32_t SIZE> void bound(const RTCBoundsFunctionArguments *arguments)
{
    const auto *bounded = static_cast<const model<SIZE> *>(arguments->geometryUserPtr);
    const cluster<SIZE> &own = bounded->clusters[arguments->primID];
    four low = load(bounded->mesh, own.vertices[0]), high = low;
    for (uint32_t v = 1; v < own.vertex_count; v++) {
        const four at = load(bounded->mesh, own.vertices[v]);
        low = least(low, at);
        high = most(high, at);
    }
    std::memcpy(&arguments->bounds_o->lower_x, &low, sizeof low);
    std::memcpy(&arguments->bounds_o->upper_x, &high, sizeof high);
}

template <uint32_t SIZE> void destroy(void *user)
{
    auto *old = static_cast<model<SIZE> *>(user);
    if (!old)
        return;
    rtcReleaseGeometry(old->geometry);
    rtcReleaseScene(old->scene);
    delete old;
    if (--device_users == 0)
        rtcReleaseDevice(device);
}

template <uint32_t SIZE> void *create(const bench_mesh *mesh)
{
    if (device_users++ == 0)
        device = rtcNewDevice("threads=1,set_affinity=0");
    auto *made = new model<SIZE>;
    made->mesh = *mesh;
    made->clusters = make_clusters<SIZE>(*mesh);
    made->cache.resize(made->clusters.size());
    made->scene = rtcNewScene(device);
    made->geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    /* As for rays: Embree refits in scenes of low quality only. */
    rtcSetSceneFlags(made->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(made->scene, RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryBuildQuality(made->geometry, RTC_BUILD_QUALITY_REFIT);
    rtcSetGeometryUserPrimitiveCount(made->geometry, static_cast<unsigned>(made->clusters.size()));
    rtcSetGeometryUserData(made->geometry, made);
    rtcSetGeometryBoundsFunction(made->geometry, bound<SIZE>, nullptr);
    rtcCommitGeometry(made->geometry);
    rtcAttachGeometry(made->scene, made->geometry);
    rtcCommitScene(made->scene);
    if (rtcGetDeviceError(device) == RTC_ERROR_NONE)
        return made;
    destroy<SIZE>(made);
    return nullptr;
}

template <uint32_t SIZE> void refit(void *user)
{
    auto *changed = static_cast<model<SIZE> *>(user);
    changed->stamp++;
    rtcCommitGeometry(changed->geometry);
    rtcCommitScene(changed->scene);
}

template <uint32_t SIZE> const posed<SIZE> &pose(model<SIZE> &owner, uint32_t number)
{
    posed<SIZE> &result = owner.cache[number];
    if (result.stamp == owner.stamp)
        return result;
    const cluster<SIZE> &own = owner.clusters[number];
    result.stamp = owner.stamp;
    for (int k = 0; k < 3; k++) {
        result.low[k] = typename lanes<SIZE>::numbers{} + INFINITY;
        result.high[k] = -result.low[k];
    }
    for (uint32_t t = 0; t < own.triangle_count; t++) {
        const uint32_t *corners = owner.mesh.triangles + 3 * own.triangles[t];
        const four p = load(owner.mesh, corners[0]), q = load(owner.mesh, corners[1]),
                   r = load(owner.mesh, corners[2]);
        const four low = least(p, least(q, r)), high = most(p, most(q, r));
        for (int k = 0; k < 3; k++) {
            result.low[k][t] = low[k];
            result.high[k][t] = high[k];
        }
    }
    return result;
}

peers::vec corner(const bench_mesh &mesh, uint32_t vertex)
{
    const float *at = mesh.positions + 3 * vertex;
    return {at[0], at[1], at[2]};
}

peers::triangle gather(const bench_mesh &mesh, uint32_t triangle)
{
    const uint32_t *corners = mesh.triangles + 3 * triangle;
    return {corner(mesh, corners[0]), corner(mesh, corners[1]), corner(mesh, corners[2])};
}

/* Bit i of found[j]: the boxes of triangle i of a and triangle j of b overlap. */
template <uint32_t SIZE>
void overlaps(const posed<SIZE> &a, const posed<SIZE> &b, uint32_t found[SIZE])
{
    typename lanes<SIZE>::masks all = {};
    for (uint32_t i = 0; i < SIZE; i++) {
        auto both = (a.low[0][i] <= b.high[0]) & (a.high[0][i] >= b.low[0]);
        for (int k = 1; k < 3; k++)
            both &= (a.low[k][i] <= b.high[k]) & (a.high[k][i] >= b.low[k]);
        all |= both & (1 << i);
    }
    std::memcpy(found, &all, sizeof all);
}

template <uint32_t SIZE> struct search {
    model<SIZE> *a, *b;
    bool first;
    bench_pair *pairs;
    size_t capacity, count;
    const uint32_t *welds; /* a model against itself; nullptr: two */
};

/* Leaves neighbours out, and within one cluster one order of two triangles. */
template <uint32_t SIZE>
void drop_neighbours(const search<SIZE> &wanted, uint32_t a, uint32_t b, uint32_t found[SIZE])
{
    const cluster<SIZE> &cluster_a = wanted.a->clusters[a], &cluster_b = wanted.b->clusters[b];
    for (uint32_t j = 0; j < SIZE; j++) {
        if (a == b)
            found[j] &= (1u << j) - 1;
        for (uint32_t left = found[j]; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            if (peers::share_a_weld(wanted.a->mesh, wanted.welds, cluster_a.triangles[i],
                                    cluster_b.triangles[j]))
                found[j] &= ~(1u << i);
        }
    }
}

template <uint32_t SIZE> void report(search<SIZE> &wanted, uint32_t triangle_a, uint32_t triangle_b)
{
    if (wanted.welds && triangle_a > triangle_b)
        std::swap(triangle_a, triangle_b);
    if (wanted.count < wanted.capacity)
        wanted.pairs[wanted.count] = {triangle_a, triangle_b};
    wanted.count++;
}

template <uint32_t SIZE> void test_clusters(search<SIZE> &wanted, uint32_t a, uint32_t b)
{
    const cluster<SIZE> &cluster_a = wanted.a->clusters[a], &cluster_b = wanted.b->clusters[b];
    uint32_t found[SIZE], known = 0;
    peers::triangle triangles_a[SIZE];
    overlaps(pose(*wanted.a, a), pose(*wanted.b, b), found);
    if (wanted.welds)
        drop_neighbours(wanted, a, b, found);
    for (uint32_t j = 0; j < SIZE; j++) {
        if (!found[j])
            continue;
        const peers::triangle triangle_b = gather(wanted.b->mesh, cluster_b.triangles[j]);
        for (; found[j]; found[j] &= found[j] - 1) {
            const int i = __builtin_ctz(found[j]);
            if (!(known & 1u << i))
                triangles_a[i] = gather(wanted.a->mesh, cluster_a.triangles[i]);
            known |= 1u << i;
            if (!peers::meet(triangles_a[i], triangle_b))
                continue;
            report(wanted, cluster_a.triangles[i], cluster_b.triangles[j]);
            if (wanted.first)
                return;
        }
    }
}

template <uint32_t SIZE> void receive(void *user, RTCCollision *collisions, unsigned count)
{
    auto &wanted = *static_cast<search<SIZE> *>(user);
    for (unsigned c = 0; c < count && !(wanted.first && wanted.count); c++)
        if (!wanted.welds || collisions[c].primID0 < collisions[c].primID1)
            test_clusters(wanted, collisions[c].primID0, collisions[c].primID1);
}

template <uint32_t SIZE>
size_t collide(void *a, void *b, bool first, bench_pair *pairs, size_t capacity)
{
    search<SIZE> wanted = {static_cast<model<SIZE> *>(a),
                           static_cast<model<SIZE> *>(b),
                           first,
                           pairs,
                           capacity,
                           0,
                           nullptr};
    rtcCollide(wanted.a->scene, wanted.b->scene, receive<SIZE>, &wanted);
    return wanted.count;
}

/* Embree reports two clusters in both orders, and none with itself. */
template <uint32_t SIZE>
size_t collide_self(void *user, const uint32_t *welds, bench_pair *pairs, size_t capacity)
{
    auto *own = static_cast<model<SIZE> *>(user);
    search<SIZE> wanted = {own, own, false, pairs, capacity, 0, welds};
    for (uint32_t c = 0; c < own->clusters.size(); c++)
        test_clusters(wanted, c, c);
    rtcCollide(own->scene, own->scene, receive<SIZE>, &wanted);
    return wanted.count;
}

} // namespace

const bench_collider graze_bench_embree_fours = {
    "Embree refit, 4-triangle clusters", version, create<4>, destroy<4>, refit<4>, collide<4>};

const bench_collider graze_bench_embree_eights = {
    "Embree refit, 8-triangle clusters", version, create<8>, destroy<8>, refit<8>, collide<8>};

const bench_self_collider graze_bench_embree_fours_self = {&graze_bench_embree_fours,
                                                           collide_self<4>};

const bench_self_collider graze_bench_embree_eights_self = {&graze_bench_embree_eights,
                                                            collide_self<8>};
