/* CGAL, the reference: sweeping boxes, then do_intersect with exact predicates. Not meant to be
 * fast. Its triangles must have an area; one without is taken as the
 * segment or point that it is.
 */
#include "bench/peers/peers.h"
#include "bench/peers/triangles.h"

#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <algorithm>
#include <variant>
#include <vector>

namespace
{

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using point = kernel::Point_3;
using box = CGAL::Box_intersection_d::Box_with_info_d<float, 3, uint32_t>;

struct model {
    bench_mesh mesh;
    std::vector<box> boxes;
};

const char *version()
{
    return "CGAL " CGAL_VERSION_STR;
}

void refit(void *user)
{
    auto *changed = static_cast<model *>(user);
    const bench_mesh &mesh = changed->mesh;
    changed->boxes.clear();
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        float low[3], high[3];
        for (int k = 0; k < 3; k++) {
            const float at[3] = {mesh.positions[3 * mesh.triangles[3 * t] + k],
                                 mesh.positions[3 * mesh.triangles[3 * t + 1] + k],
                                 mesh.positions[3 * mesh.triangles[3 * t + 2] + k]};
            low[k] = std::min({at[0], at[1], at[2]});
            high[k] = std::max({at[0], at[1], at[2]});
        }
        changed->boxes.emplace_back(low, high, t);
    }
}

void *create(const bench_mesh *mesh)
{
    auto *made = new model{*mesh, {}};
    refit(made);
    return made;
}

void destroy(void *user)
{
    delete static_cast<model *>(user);
}

using shape = std::variant<kernel::Triangle_3, kernel::Segment_3, kernel::Point_3>;

/* A triangle, or what it is without area. */
shape posed(const bench_mesh &mesh, uint32_t t)
{
    point at[3];
    for (int c = 0; c < 3; c++) {
        const float *p = mesh.positions + 3 * mesh.triangles[3 * t + c];
        at[c] = point(p[0], p[1], p[2]);
    }
    if (!CGAL::collinear(at[0], at[1], at[2]))
        return kernel::Triangle_3(at[0], at[1], at[2]);
    const point least = std::min({at[0], at[1], at[2]}), most = std::max({at[0], at[1], at[2]});
    if (least == most)
        return least;
    return kernel::Segment_3(least, most);
}

bool meet(const shape &a, const shape &b)
{
    return std::visit([](const auto &x, const auto &y) { return CGAL::do_intersect(x, y); }, a, b);
}

struct found {
}; /* thrown, as box_intersection_d has no other way to stop */

size_t collide(void *user_a, void *user_b, bool first, bench_pair *pairs, size_t capacity)
{
    auto *a = static_cast<model *>(user_a), *b = static_cast<model *>(user_b);
    size_t count = 0;
    auto report = [&](const box &box_a, const box &box_b) {
        if (!meet(posed(a->mesh, box_a.info()), posed(b->mesh, box_b.info())))
            return;
        if (count < capacity)
            pairs[count] = {box_a.info(), box_b.info()};
        count++;
        if (first)
            throw found();
    };
    try {
        CGAL::box_intersection_d(a->boxes.begin(), a->boxes.end(), b->boxes.begin(), b->boxes.end(),
                                 report);
    } catch (const found &) {
    }
    return count;
}

size_t collide_self(void *user, const uint32_t *welds, bench_pair *pairs, size_t capacity)
{
    auto *own = static_cast<model *>(user);
    size_t count = 0;
    CGAL::box_self_intersection_d(own->boxes.begin(), own->boxes.end(),
                                  [&](const box &box_a, const box &box_b) {
                                      const uint32_t a = std::min(box_a.info(), box_b.info());
                                      const uint32_t b = std::max(box_a.info(), box_b.info());
                                      if (peers::share_a_weld(own->mesh, welds, a, b) ||
                                          !meet(posed(own->mesh, a), posed(own->mesh, b)))
                                          return;
                                      if (count < capacity)
                                          pairs[count] = {a, b};
                                      count++;
                                  });
    return count;
}

} // namespace

const bench_collider graze_bench_cgal = {"CGAL (exact)", version, create, destroy, refit, collide};

const bench_self_collider graze_bench_cgal_self = {&graze_bench_cgal, collide_self};
