// grazei_triangles_meet against CGAL, whose predicates are exact on the same float coordinates.
// Both of its kernels are needed: do_intersect() of two proper triangles uses predicates alone, so
// that the kernel with inexact constructions is exact and fast; for segments and points it may
// construct, and the exact kernel is used.
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>

extern "C" {
#include "narrow/triangle.h"
}

using fast_kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using exact_kernel = CGAL::Exact_predicates_exact_constructions_kernel;

struct triangle {
    float corner[3][3];
};

template <class kernel> typename kernel::Point_3 corner(const triangle &t, int i)
{
    return {double(t.corner[i][0]), double(t.corner[i][1]), double(t.corner[i][2])};
}

static bool is_degenerate(const triangle &t)
{
    return CGAL::collinear(corner<fast_kernel>(t, 0), corner<fast_kernel>(t, 1),
                           corner<fast_kernel>(t, 2));
}

// The ends of a degenerate triangle, in lexicographic order.
static exact_kernel::Segment_3 segment_of(const triangle &t)
{
    auto least = corner<exact_kernel>(t, 0), greatest = least;
    for (int i = 1; i < 3; ++i) {
        auto p = corner<exact_kernel>(t, i);
        if (CGAL::lexicographically_xyz_smaller(p, least))
            least = p;
        if (CGAL::lexicographically_xyz_smaller(greatest, p))
            greatest = p;
    }
    return {least, greatest};
}

template <class kernel> typename kernel::Triangle_3 triangle_of(const triangle &t)
{
    return {corner<kernel>(t, 0), corner<kernel>(t, 1), corner<kernel>(t, 2)};
}

static bool segment_meets(const exact_kernel::Segment_3 &s, const triangle &t)
{
    auto other = triangle_of<exact_kernel>(t);
    return s.is_degenerate() ? other.has_on(s.source()) : CGAL::do_intersect(s, other);
}

static bool segments_meet(const exact_kernel::Segment_3 &s, const exact_kernel::Segment_3 &t)
{
    if (s.is_degenerate() && t.is_degenerate())
        return s.source() == t.source();
    if (s.is_degenerate())
        return t.has_on(s.source());
    return t.is_degenerate() ? s.has_on(t.source()) : CGAL::do_intersect(s, t);
}

static bool cgal_meets(const triangle &a, const triangle &b)
{
    bool a_is_segment = is_degenerate(a), b_is_segment = is_degenerate(b);
    if (a_is_segment && b_is_segment)
        return segments_meet(segment_of(a), segment_of(b));
    if (a_is_segment)
        return segment_meets(segment_of(a), b);
    if (b_is_segment)
        return segment_meets(segment_of(b), a);
    return CGAL::do_intersect(triangle_of<fast_kernel>(a), triangle_of<fast_kernel>(b));
}

struct tally {
    long pairs = 0, hits = 0, degenerate = 0, wrong = 0;
};

static void compare(const triangle &a, const triangle &b, tally &tally)
{
    bool expected = cgal_meets(a, b);
    tally.pairs++;
    tally.hits += expected;
    tally.degenerate += is_degenerate(a) || is_degenerate(b);
    if (grazei_triangles_meet(a.corner, b.corner) == expected)
        return;
    if (tally.wrong++ < 5) {
        std::fprintf(stderr, "CGAL says %s:\n", expected ? "meet" : "miss");
        for (const triangle *t : {&a, &b}) {
            for (const auto &p : t->corner)
                std::fprintf(stderr, " (%a %a %a)", double(p[0]), double(p[1]), double(p[2]));
            std::fprintf(stderr, "\n");
        }
    }
}

template <class maker> static bool run(const char *name, long count, maker make)
{
    std::mt19937_64 random(count);
    tally tally;
    for (long i = 0; i < count; ++i) {
        triangle a, b;
        for (triangle *t : {&a, &b}) {
            for (auto &p : t->corner) {
                for (float &x : p)
                    x = make(random);
            }
        }
        compare(a, b, tally);
    }
    bool ok = tally.wrong == 0 && tally.hits > count / 20 && tally.hits < count - count / 20;
    std::printf("%-4s %s: %ld pairs, %ld meet, %ld with a degenerate one, %ld wrong\n",
                ok ? "ok" : "FAIL", name, tally.pairs, tally.hits, tally.degenerate, tally.wrong);
    return ok;
}

int main()
{
    const long count = 1000000;
    int failed = 0;
    failed += !run("random", count, [](std::mt19937_64 &random) {
        return std::uniform_real_distribution<float>(-1, 1)(random);
    });
    failed += !run("lattice of 4", count / 2,
                   [](std::mt19937_64 &random) { return float(random() % 4); });
    failed += !run("lattice of 8", count / 2,
                   [](std::mt19937_64 &random) { return float(random() % 8); });
    failed += !run("far lattice", count / 4,
                   [](std::mt19937_64 &random) { return 1e6f + float(random() % 5) * 0.0625f; });
    failed += !run("mixed exponents", count / 4, [](std::mt19937_64 &random) {
        float x = std::ldexp(float(std::int64_t(random() % 15) - 7), int(random() % 40) - 20);
        return random() % 3 ? x : 0.0f;
    });
    std::printf("%d passed, %d failed, 0 skipped\n", 5 - failed, failed);
    return failed != 0;
}
