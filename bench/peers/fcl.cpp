/* The Flexible Collision Library: trees of rectangles swept by spheres (RSS), refitted top-down
 * after every pose. Of what it offers this is the fastest that is right: a bottom-up refit takes
 * half as long, but distances then take 500 times as long and come out too large; OBBRSS takes
 * twice as long to refit.
 */
#include "bench/peers/peers.h"

#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/distance.h>

#include <memory>
#include <vector>

namespace
{

using tree = fcl::BVHModel<fcl::RSSd>;

struct model {
    std::shared_ptr<tree> shape = std::make_shared<tree>();
    std::vector<fcl::Vector3d> vertices;
};

void take(std::vector<fcl::Vector3d> &vertices, const float *positions)
{
    for (size_t v = 0; v < vertices.size(); v++, positions += 3)
        vertices[v] = fcl::Vector3d(positions[0], positions[1], positions[2]);
}

const char *version()
{
    return "FCL " FCL_VERSION;
}

void *create(const bench_mesh *mesh)
{
    auto *made = new model;
    std::vector<fcl::Triangle> triangles;
    made->vertices.resize(mesh->vertex_count);
    take(made->vertices, mesh->positions);
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        triangles.emplace_back(mesh->triangles[3 * t], mesh->triangles[3 * t + 1],
                               mesh->triangles[3 * t + 2]);
    made->shape->beginModel(static_cast<int>(mesh->triangle_count),
                            static_cast<int>(mesh->vertex_count));
    made->shape->addSubModel(made->vertices, triangles);
    made->shape->endModel();
    return made;
}

void destroy(void *user)
{
    delete static_cast<model *>(user);
}

void refit(void *user, const float *positions)
{
    auto *changed = static_cast<model *>(user);
    take(changed->vertices, positions);
    changed->shape->beginReplaceModel();
    changed->shape->replaceSubModel(changed->vertices);
    changed->shape->endReplaceModel(true, false);
}

double distance(void *a, void *b)
{
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    const fcl::Transform3d here = fcl::Transform3d::Identity();
    return fcl::distance<double>(static_cast<model *>(a)->shape.get(), here,
                                 static_cast<model *>(b)->shape.get(), here, request, result);
}

} // namespace

const bench_fcl graze_bench_fcl = {version, create, destroy, refit, distance};
