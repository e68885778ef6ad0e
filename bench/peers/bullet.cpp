/* Bullet's GImpact, by the steps of btGImpactCollisionAlgorithm for two meshes: pairs from two
 * trees of boxes, then the test of triangles, which is conservative and lets half as many again
 * pass. The plain tree is used, in single precision: the quantised one that btGImpactMeshShape has
 * takes half as long again, and refitting does not widen the box that it counts in. Pairs of boxes
 * are found all at once, so a first pair costs nearly as much as all.
 */
#include "bench/peers/peers.h"

#include <BulletCollision/Gimpact/btGImpactBvh.h>

#include <string>

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

} // namespace

const bench_collider graze_bench_bullet = {"Bullet GImpact", version, create, destroy, refit,
                                           collide,          false};
