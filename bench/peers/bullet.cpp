/* Bullet's GImpact, by the steps of btGImpactCollisionAlgorithm for two meshes: pairs from two
 * trees of boxes, then the test of triangles, which is conservative and lets half as many again
 * pass. The plain tree is used, in single precision: the quantised one that btGImpactMeshShape has
 * takes half as long again, and refitting does not widen the box that it counts in. Pairs of boxes
 * are found all at once, so a first pair costs nearly as much as all.
 */
#include "bench/peers/peers.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/Gimpact/btGImpactBvh.h>

#include <string>
#include <vector>

namespace
{

class triangles : public btPrimitiveManagerBase
{
  public:
    explicit triangles(const bench_mesh &given) : mesh(given) {}

    bool is_trimesh() const override { return true; }

    int get_primitive_count() const override { return static_cast<int>(mesh.triangle_count); }

    void get_primitive_box(int number, btAABB &box) const override
    {
        box.calc_from_triangle(corner(number, 0), corner(number, 1), corner(number, 2));
    }

    void get_primitive_triangle(int number, btPrimitiveTriangle &triangle) const override
    {
        for (int c = 0; c < 3; c++)
            triangle.m_vertices[c] = corner(number, c);
        triangle.m_margin = 0;
    }

  private:
    btVector3 corner(int number, int c) const
    {
        const float *at = mesh.positions + 3 * mesh.triangles[3 * number + c];
        return btVector3(at[0], at[1], at[2]);
    }

    const bench_mesh mesh;
};

struct model {
    triangles manager;
    btGImpactBvh tree;

    explicit model(const bench_mesh &mesh) : manager(mesh), tree(&manager) { tree.buildSet(); }
};

const char *version()
{
    static const std::string text = "Bullet " + std::to_string(btGetVersion() / 100) + "." +
                                    std::to_string(btGetVersion() % 100);
    return text.c_str();
}

void *create(const bench_mesh *mesh)
{
    return new model(*mesh);
}

void destroy(void *user)
{
    delete static_cast<model *>(user);
}

void refit(void *user)
{
    static_cast<model *>(user)->tree.update();
}

bool meet(btPrimitiveTriangle &a, btPrimitiveTriangle &b)
{
    GIM_TRIANGLE_CONTACT contact;
    a.buildTriPlane();
    b.buildTriPlane();
    return a.overlap_test_conservative(b) && a.find_triangle_collision_clip_method(b, contact);
}

size_t collide(void *user_a, void *user_b, bool first, bench_pair *pairs, size_t capacity)
{
    auto *a = static_cast<model *>(user_a), *b = static_cast<model *>(user_b);
    btPairSet candidates;
    btPrimitiveTriangle triangle_a, triangle_b;
    const btTransform here = btTransform::getIdentity();
    btGImpactBvh::find_collision(&a->tree, here, &b->tree, here, candidates);
    size_t count = 0;
    for (int i = 0; i < candidates.size() && !(first && count); i++) {
        const GIM_PAIR &pair = candidates[i];
        a->manager.get_primitive_triangle(pair.m_index1, triangle_a);
        b->manager.get_primitive_triangle(pair.m_index2, triangle_b);
        if (!meet(triangle_a, triangle_b))
            continue;
        if (count < capacity)
            pairs[count] = {static_cast<uint32_t>(pair.m_index1),
                            static_cast<uint32_t>(pair.m_index2)};
        count++;
    }
    return count;
}

/* Its default broad phase: two dynamic trees and a cache of pairs that goes on from frame to frame.
 * A number stands for what a collision object would be, from 1, as a null pointer is nobody.
 */
struct broad {
    btDbvtBroadphase phase;
    std::vector<model *> models;
    std::vector<btBroadphaseProxy *> proxies;
};

void *create_broad(void *const *models, uint32_t count)
{
    auto *made = new broad;
    for (uint32_t i = 0; i < count; i++) {
        auto *one = static_cast<model *>(models[i]);
        const btAABB box = one->tree.getGlobalBox();
        made->models.push_back(one);
        made->proxies.push_back(made->phase.createProxy(
            box.m_min, box.m_max, 0, reinterpret_cast<void *>(static_cast<uintptr_t>(i + 1)),
            btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter, nullptr));
    }
    return made;
}

void destroy_broad(void *user)
{
    auto *own = static_cast<broad *>(user);
    for (btBroadphaseProxy *proxy : own->proxies)
        own->phase.destroyProxy(proxy, nullptr);
    delete own;
}

uint32_t number_of(const btBroadphaseProxy *proxy)
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(proxy->m_clientObject)) - 1;
}

size_t find_pairs(void *user, bench_pair *pairs, size_t capacity)
{
    auto *own = static_cast<broad *>(user);
    for (size_t i = 0; i < own->models.size(); i++) {
        const btAABB box = own->models[i]->tree.getGlobalBox();
        own->phase.setAabb(own->proxies[i], box.m_min, box.m_max, nullptr);
    }
    own->phase.calculateOverlappingPairs(nullptr);
    const btBroadphasePairArray &found =
        own->phase.getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < found.size() && static_cast<size_t>(i) < capacity; i++)
        pairs[i] = {number_of(found[i].m_pProxy0), number_of(found[i].m_pProxy1)};
    return static_cast<size_t>(found.size());
}

} // namespace

const bench_collider graze_bench_bullet = {"Bullet GImpact", version, create,
                                           destroy,          refit,   collide};

const bench_broad graze_bench_bullet_tree = {"Bullet dynamic tree", &graze_bench_bullet,
                                             create_broad, destroy_broad, find_pairs};
