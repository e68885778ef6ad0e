/* The Flexible Collision Library: trees with one triangle a leaf, refitted bottom-up, in single
 * precision: double takes up to half as long again, and gave the same pairs. Boxes gave all of
 * them; oriented boxes (OBBRSS) lose one in ten thousand by being refitted so. Refitted top-down
 * they lose none and are traversed five times as fast, but that takes longer in sum unless deep.
 */
#include "bench/peers/peers.h"
#include "bench/peers/triangles.h"

#include <fcl/config.h>
#include <fcl/math/bv/utility.h> /* before what uses it */

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>

#include <limits>
#include <memory>
#include <vector>

namespace
{

template <typename Volume> struct model {
    fcl::BVHModel<Volume> shape;
    bench_mesh mesh;
    const float *positions;

    fcl::Vector3f vertex(uint32_t v) const
    {
        return {positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]};
    }
};

const char *version()
{
    return "FCL " FCL_VERSION;
}

template <typename Volume> void *create(const bench_mesh *mesh)
{
    auto *made = new model<Volume>;
    std::vector<fcl::Vector3f> vertices;
    std::vector<fcl::Triangle> triangles;
    made->mesh = *mesh;
    made->positions = mesh->positions;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        vertices.push_back(made->vertex(v));
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        triangles.emplace_back(mesh->triangles[3 * t], mesh->triangles[3 * t + 1],
                               mesh->triangles[3 * t + 2]);
    made->shape.beginModel(static_cast<int>(mesh->triangle_count),
                           static_cast<int>(mesh->vertex_count));
    made->shape.addSubModel(vertices, triangles);
    made->shape.endModel();
    return made;
}

template <typename Volume> void destroy(void *user)
{
    delete static_cast<model<Volume> *>(user);
}

template <typename Volume> void refit(void *user)
{
    auto *changed = static_cast<model<Volume> *>(user);
    changed->shape.beginReplaceModel();
    for (int v = 0; v < changed->shape.num_vertices; v++)
        changed->shape.replaceVertex(changed->vertex(static_cast<uint32_t>(v)));
    changed->shape.endReplaceModel(true, true);
}

/* What fcl::collide does, but for copying trees of boxes, for they might have to be turned. */
void traverse(fcl::BVHModel<fcl::AABBf> &a, fcl::BVHModel<fcl::AABBf> &b,
              const fcl::CollisionRequestf &request, fcl::CollisionResultf &result)
{
    fcl::Transform3f place_a = fcl::Transform3f::Identity(), place_b = place_a;
    fcl::detail::MeshCollisionTraversalNode<fcl::AABBf> node;
    fcl::detail::initialize(node, a, place_a, b, place_b, request, result);
    fcl::detail::collide(&node);
}

void traverse(const fcl::BVHModel<fcl::OBBRSSf> &a, const fcl::BVHModel<fcl::OBBRSSf> &b,
              const fcl::CollisionRequestf &request, fcl::CollisionResultf &result)
{
    const fcl::Transform3f here = fcl::Transform3f::Identity();
    fcl::detail::MeshCollisionTraversalNodeOBBRSSf node;
    fcl::detail::initialize(node, a, here, b, here, request, result);
    fcl::detail::collide(&node);
}

template <typename Volume>
size_t collide(void *a, void *b, bool first, bench_pair *pairs, size_t capacity)
{
    const fcl::CollisionRequestf request(first ? 1 : std::numeric_limits<int>::max());
    fcl::CollisionResultf result;
    traverse(static_cast<model<Volume> *>(a)->shape, static_cast<model<Volume> *>(b)->shape,
             request, result);
    const size_t count = result.numContacts();
    for (size_t i = 0; i < count && i < capacity; i++) {
        const fcl::Contactf &contact = result.getContact(i);
        pairs[i] = {static_cast<uint32_t>(contact.b1), static_cast<uint32_t>(contact.b2)};
    }
    return count;
}

/* As if it were two: there is no other way, and neighbours, which always meet, go afterwards. */
template <typename Volume>
size_t collide_self(void *user, const uint32_t *welds, bench_pair *pairs, size_t capacity)
{
    auto *own = static_cast<model<Volume> *>(user);
    const fcl::CollisionRequestf request(std::numeric_limits<int>::max());
    fcl::CollisionResultf result;
    traverse(own->shape, own->shape, request, result);
    size_t count = 0;
    for (size_t i = 0; i < result.numContacts(); i++) {
        const fcl::Contactf &contact = result.getContact(i);
        const auto a = static_cast<uint32_t>(contact.b1), b = static_cast<uint32_t>(contact.b2);
        if (a >= b || peers::share_a_weld(own->mesh, welds, a, b))
            continue;
        if (count < capacity)
            pairs[count] = {a, b};
        count++;
    }
    return count;
}

/* Objects stay where they are; their models change. */
struct broad {
    fcl::DynamicAABBTreeCollisionManagerf manager;
    std::vector<std::unique_ptr<fcl::CollisionObjectf>> objects;
    std::vector<fcl::BVHModel<fcl::AABBf> *> shapes;
};

void *create_broad(void *const *models, uint32_t count)
{
    auto *made = new broad;
    for (uint32_t i = 0; i < count; i++) {
        auto *shape = &static_cast<model<fcl::AABBf> *>(models[i])->shape;
        /* Not to be freed with the object. */
        std::shared_ptr<fcl::CollisionGeometryf> geometry(shape, [](fcl::CollisionGeometryf *) {});
        made->shapes.push_back(shape);
        made->objects.push_back(std::make_unique<fcl::CollisionObjectf>(geometry));
        made->objects.back()->setUserData(reinterpret_cast<void *>(static_cast<uintptr_t>(i)));
        made->manager.registerObject(made->objects.back().get());
    }
    made->manager.setup();
    return made;
}

void destroy_broad(void *user)
{
    delete static_cast<broad *>(user);
}

struct found {
    bench_pair *pairs;
    size_t count, capacity;
};

bool take_pair(fcl::CollisionObjectf *a, fcl::CollisionObjectf *b, void *user)
{
    auto *to = static_cast<found *>(user);
    auto x = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(a->getUserData())),
         y = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(b->getUserData()));
    if (to->count < to->capacity)
        to->pairs[to->count] = {x, y};
    to->count++;
    return false;
}

size_t find_pairs(void *user, bench_pair *pairs, size_t capacity)
{
    auto *own = static_cast<broad *>(user);
    found all = {pairs, 0, capacity};
    for (size_t i = 0; i < own->objects.size(); i++) {
        own->shapes[i]->computeLocalAABB();
        own->objects[i]->computeAABB();
    }
    own->manager.update();
    own->manager.collide(&all, take_pair);
    return all.count;
}

} // namespace

const bench_collider graze_bench_fcl_boxes = {"FCL AABB",         version,
                                              create<fcl::AABBf>, destroy<fcl::AABBf>,
                                              refit<fcl::AABBf>,  collide<fcl::AABBf>};

const bench_collider graze_bench_fcl_oriented = {"FCL OBBRSS",         version,
                                                 create<fcl::OBBRSSf>, destroy<fcl::OBBRSSf>,
                                                 refit<fcl::OBBRSSf>,  collide<fcl::OBBRSSf>};

const bench_self_collider graze_bench_fcl_boxes_self = {&graze_bench_fcl_boxes,
                                                        collide_self<fcl::AABBf>};

const bench_broad graze_bench_fcl_tree = {"FCL dynamic AABB tree", &graze_bench_fcl_boxes,
                                          create_broad, destroy_broad, find_pairs};
