// Meshes as `graze pose` writes them, and which of their triangles meet by CGAL's exact predicates.
#ifndef GRAZE_TESTS_CGAL_TRUE_PAIRS_H
#define GRAZE_TESTS_CGAL_TRUE_PAIRS_H

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Segment = Kernel::Segment_3;
using Triangle = Kernel::Triangle_3;
using Pairs = std::vector<std::pair<unsigned, unsigned>>;

// ---- meshes

struct Mesh {
    std::vector<float> positions;
    std::vector<unsigned> triangles;

    size_t triangle_count() const { return triangles.size() / 3; }
    const float *corner(size_t triangle, int c) const
    {
        return &positions[3 * static_cast<size_t>(triangles[3 * triangle + c])];
    }
};

// Numbers with nine digits read back as the floats they were.
inline bool read_obj(const std::string &path, Mesh &mesh)
{
    std::ifstream file(path);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    mesh = Mesh();
    for (const char *at = text.c_str(); *at;) {
        char *end = const_cast<char *>(at);
        if (at[0] == 'v' && at[1] == ' ')
            for (int k = 0; k < 3; k++)
                mesh.positions.push_back(std::strtof(k ? end : at + 1, &end));
        else if (at[0] == 'f' && at[1] == ' ')
            for (int k = 0; k < 3; k++)
                mesh.triangles.push_back(
                    static_cast<unsigned>(std::strtoul(k ? end : at + 1, &end, 10)) - 1);
        const char *line = std::strchr(end, '\n');
        at = line ? line + 1 : end + std::strlen(end);
    }
    bool ok = !mesh.triangles.empty() && mesh.triangles.size() % 3 == 0;
    for (unsigned v : mesh.triangles)
        ok = ok && 3 * static_cast<size_t>(v) + 2 < mesh.positions.size();
    return ok;
}

struct Box {
    float low[3], high[3];
};

inline Box box_of(const Mesh &mesh, size_t triangle)
{
    Box box;
    for (int k = 0; k < 3; k++) {
        float x = mesh.corner(triangle, 0)[k], y = mesh.corner(triangle, 1)[k];
        float z = mesh.corner(triangle, 2)[k];
        box.low[k] = std::min(x, std::min(y, z));
        box.high[k] = std::max(x, std::max(y, z));
    }
    return box;
}

// ---- what is true

// A triangle as the set that it is: 3 points if it has an area, else the 2 ends or the 1 point.
struct Shape {
    Point points[3];
    int count;
};

inline Shape shape_of(const Mesh &mesh, size_t triangle)
{
    Shape shape;
    for (int c = 0; c < 3; c++) {
        const float *p = mesh.corner(triangle, c);
        shape.points[c] = Point(p[0], p[1], p[2]);
    }
    Point *p = shape.points;
    shape.count = 3;
    if (!CGAL::collinear(p[0], p[1], p[2]))
        return shape;
    std::sort(p, p + 3); // along a line, lexicographic order is order
    p[1] = p[2];
    shape.count = p[0] == p[1] ? 1 : 2;
    return shape;
}

inline bool on(const Point &point, const Shape &shape)
{
    const Point *p = shape.points;
    if (shape.count == 1)
        return point == p[0];
    if (shape.count == 2)
        return Segment(p[0], p[1]).has_on(point);
    return Triangle(p[0], p[1], p[2]).has_on(point);
}

inline bool meet(const Shape &a, const Shape &b)
{
    if (a.count < b.count)
        return meet(b, a);
    const Point *p = a.points, *q = b.points;
    if (b.count == 1)
        return on(q[0], a);
    if (a.count == 2)
        return CGAL::do_intersect(Segment(p[0], p[1]), Segment(q[0], q[1]));
    Triangle triangle(p[0], p[1], p[2]);
    if (b.count == 2)
        return CGAL::do_intersect(triangle, Segment(q[0], q[1]));
    return CGAL::do_intersect(triangle, Triangle(q[0], q[1], q[2]));
}

// All pairs that meet, sorted; boxes of floats are compared as they are, along x first. Adds the
// pairs with overlapping boxes to tested.
inline Pairs true_pairs(const Mesh &a, const Mesh &b, unsigned long &tested)
{
    std::vector<Box> boxes_a, boxes_b;
    std::vector<Shape> shapes_a, shapes_b;
    for (size_t i = 0; i < a.triangle_count(); i++) {
        boxes_a.push_back(box_of(a, i));
        shapes_a.push_back(shape_of(a, i));
    }
    std::vector<unsigned> order(b.triangle_count());
    for (size_t i = 0; i < b.triangle_count(); i++) {
        boxes_b.push_back(box_of(b, i));
        shapes_b.push_back(shape_of(b, i));
        order[i] = static_cast<unsigned>(i);
    }
    std::sort(order.begin(), order.end(),
              [&](unsigned x, unsigned y) { return boxes_b[x].low[0] < boxes_b[y].low[0]; });
    Pairs pairs;
    for (unsigned i = 0; i < boxes_a.size(); i++)
        for (unsigned k : order) {
            const Box &x = boxes_a[i], &y = boxes_b[k];
            if (y.low[0] > x.high[0])
                break;
            if (y.high[0] < x.low[0] || y.low[1] > x.high[1] || y.high[1] < x.low[1] ||
                y.low[2] > x.high[2] || y.high[2] < x.low[2])
                continue;
            tested++;
            if (meet(shapes_a[i], shapes_b[k]))
                pairs.emplace_back(i, k);
        }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

#endif
