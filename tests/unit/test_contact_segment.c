/* Segments of triangles that meet: their ends lie on both triangles, and curves of closed surfaces
 * have no gaps.
 */
#include "harness.h"
#include "narrow/segment.h"
#include "narrow/triangle.h"
#include "support/contacts.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;
typedef const float (*corners)[3];

/* ---- distance in long double --------------------------------------------------------------- */

static real dot(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void minus(const real a[3], const real b[3], real c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = a[k] - b[k];
}

static real distance_to_edge(const real p[3], const real a[3], const real b[3])
{
    real ab[3], ap[3], off[3];
    minus(b, a, ab);
    minus(p, a, ap);
    real square = dot(ab, ab), t = square > 0 ? dot(ap, ab) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++)
        off[k] = ap[k] - t * ab[k];
    return sqrtl(dot(off, off));
}

static void cross(const real a[3], const real b[3], real c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* To the nearest edge, or to the plane if the point is above the inside. */
static real distance(const double point[3], corners triangle)
{
    real p[3], v[3][3], normal[3], least = INFINITY;
    for (int k = 0; k < 3; k++) {
        p[k] = point[k];
        for (int c = 0; c < 3; c++)
            v[c][k] = triangle[c][k];
    }
    real u[3], w[3], up[3];
    minus(v[1], v[0], u);
    minus(v[2], v[0], w);
    cross(u, w, normal);
    bool inside = dot(normal, normal) > 0;
    for (int c = 0; c < 3; c++) {
        real edge[3], off[3], outward[3];
        least = fminl(least, distance_to_edge(p, v[c], v[(c + 1) % 3]));
        minus(v[(c + 1) % 3], v[c], edge);
        minus(p, v[c], off);
        cross(edge, normal, outward);
        inside = inside && dot(outward, off) <= 0;
    }
    minus(p, v[0], up);
    return inside ? fabsl(dot(up, normal)) / sqrtl(dot(normal, normal)) : least;
}

/* ---- single pairs -------------------------------------------------------------------------- */

typedef struct tally {
    uint64_t pairs, meeting, flat, points;
    real worst; /* distance from a triangle, in lengths of the longer one's extent */
} tally;

static double extent(corners a, corners b)
{
    double most = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 9; i++) {
            corners t = side ? b : a;
            most = fmax(most, fabs((double)t[i / 3][i % 3] - t[0][i % 3]));
        }
    return most;
}

/* (normal of a) x (normal of b), and whether the triangles have normals that differ enough. */
static bool direction_of(corners a, corners b, double along[3])
{
    double normals[2][3], lengths[2] = {0, 0}, sine = 0;
    for (int side = 0; side < 2; side++) {
        corners t = side ? b : a;
        for (int k = 0; k < 3; k++) {
            int m = (k + 1) % 3, n = (k + 2) % 3;
            normals[side][k] = ((double)t[1][m] - t[0][m]) * ((double)t[2][n] - t[0][n]) -
                               ((double)t[1][n] - t[0][n]) * ((double)t[2][m] - t[0][m]);
            lengths[side] += normals[side][k] * normals[side][k];
        }
    }
    for (int k = 0; k < 3; k++) {
        int m = (k + 1) % 3, n = (k + 2) % 3;
        along[k] = normals[0][m] * normals[1][n] - normals[0][n] * normals[1][m];
        sine += along[k] * along[k];
    }
    return sine > 1e-6 * lengths[0] * lengths[1];
}

static bool check_pair(corners a, corners b, tally *seen)
{
    grazei_segment s;
    bool meet = grazei_triangles_meet(a, b), found = grazei_triangle_segment(a, b, &s);
    seen->pairs++;
    if (!test_check(meet == found, __FILE__, __LINE__, "meet %d, segment %d", meet, found))
        return false;
    if (!meet)
        return true;
    double size = extent(a, b), along[3], forward = 0, length = 0;
    seen->meeting++;
    seen->flat += s.flat;
    for (int end = 0; end < 2; end++)
        for (int side = 0; side < 2; side++) {
            real off = distance(s.ends[end], side ? b : a);
            seen->worst = fmaxl(seen->worst, size > 0 ? off / size : 0);
            if (!test_check(off <= 0x1p-28L * size, __FILE__, __LINE__,
                            "an end is %Lg from a triangle of size %g", off, size))
                return false;
        }
    bool turned = direction_of(a, b, along);
    for (int k = 0; k < 3; k++) {
        double d = s.ends[1][k] - s.ends[0][k];
        forward += d * along[k];
        length += d * d;
    }
    seen->points += length == 0;
    return s.flat || !turned || length < 1e-12 * size * size ||
           test_check(forward > 0, __FILE__, __LINE__, "a segment runs backwards");
}

/* The other way round the same points come out, up to rounding. */
static bool check_both_ways(corners a, corners b, tally *seen)
{
    grazei_segment x, y;
    if (!check_pair(a, b, seen) || !check_pair(b, a, seen))
        return false;
    if (!grazei_triangle_segment(a, b, &x) || !grazei_triangle_segment(b, a, &y) || x.flat)
        return true;
    return test_check(x.crossing_count == y.crossing_count, __FILE__, __LINE__,
                      "exchanged, other edges cross");
}

static void print_tally(const char *what, const tally *seen)
{
    printf("     %s: %llu pairs, %llu meet, %llu of them in one plane, %llu in a point; ends at "
           "most %.2Lg of the size off\n",
           what, (unsigned long long)seen->pairs, (unsigned long long)seen->meeting,
           (unsigned long long)seen->flat, (unsigned long long)seen->points, seen->worst);
}

TEST(segments_of_random_triangles)
{
    static const double offsets[] = {0, 0, 100, 1e6};
    test_random random = test_random_seed(11);
    for (int kind = 0; kind < 4; kind++) {
        tally seen = {0};
        char what[64];
        for (uint32_t i = 0; i < test_amount(300000, 20000); i++) {
            float t[2][3][3];
            double thin = kind == 1 ? pow(10, test_random_range(&random, -6, 0)) : 1;
            for (int k = 0; k < 18; k++)
                t[k / 9][k / 3 % 3][k % 3] =
                    (float)(offsets[kind] +
                            test_random_range(&random, -1, 1) * (k % 3 == (k / 9) ? thin : 1));
            if (!check_both_ways(t[0], t[1], &seen))
                return;
        }
        snprintf(what, sizeof what, "%s triangles %g away", kind == 1 ? "thin" : "random",
                 offsets[kind]);
        print_tally(what, &seen);
        CHECK(seen.meeting > seen.pairs / 50);
    }
}

/* Where all that is rare is common: touching, one plane, no area. */
TEST(segments_on_a_lattice)
{
    tally seen = {0};
    test_random random = test_random_seed(12);
    for (uint32_t i = 0; i < test_amount(300000, 20000); i++) {
        float t[2][3][3];
        uint32_t wide = 2 + i % 3, flat = test_random_u32(&random) % 3;
        for (int k = 0; k < 18; k++)
            t[k / 9][k / 3 % 3][k % 3] =
                flat == 0 && k % 3 == 2 ? 1 : (float)(test_random_u32(&random) % wide);
        if (!check_both_ways(t[0], t[1], &seen))
            return;
    }
    print_tally("lattice", &seen);
    CHECK(seen.flat > 1000 && seen.points > 1000);
}

/* Corners near the other plane by a few roundings: the height above it decides where to cut. */
TEST(segments_of_nearly_parallel_triangles)
{
    tally seen = {0};
    test_random random = test_random_seed(13);
    for (uint32_t i = 0; i < test_amount(100000, 10000); i++) {
        float t[2][3][3];
        double slope = pow(10, test_random_range(&random, -8, -1));
        double tilt[2] = {test_random_range(&random, -1, 1), test_random_range(&random, -1, 1)};
        for (int k = 0; k < 6; k++) {
            double x = test_random_range(&random, -1, 1), y = test_random_range(&random, -1, 1);
            double z = 0.4 * x - 0.7 * y + (k < 3 ? 0 : slope * (tilt[0] * x + tilt[1] * y));
            t[k / 3][k % 3][0] = (float)x;
            t[k / 3][k % 3][1] = (float)y;
            t[k / 3][k % 3][2] = (float)z;
        }
        if (!check_both_ways(t[0], t[1], &seen))
            return;
    }
    print_tally("nearly parallel", &seen);
    CHECK(seen.meeting > seen.pairs / 10);
}

/* How far behind a plane, times an area: the determinant that orientations are signs of. */
static real height_behind(corners plane, const float point[3])
{
    real rows[3][3], product[3];
    for (int i = 0; i < 9; i++)
        rows[i / 3][i % 3] = (real)plane[i / 3][i % 3] - point[i % 3];
    cross(rows[1], rows[2], product);
    return dot(rows[0], product);
}

/* The float point nearest to a plane of so many nearly on it, on a given side. */
static void nearly_on(corners plane, const double near[2], int sign, test_random *random,
                      float best[3])
{
    real least = INFINITY;
    for (int i = 0; i < 300; i++) {
        float p[3] = {(float)(near[0] + 0.05 * test_random_unit(random)),
                      (float)(near[1] + 0.05 * test_random_unit(random)), 0};
        real zero = height_behind(plane, p);
        p[2] = 1;
        p[2] = (float)(zero / (zero - height_behind(plane, p)));
        real height = sign * height_behind(plane, p);
        if (height > 0 && height < least) {
            least = height;
            memcpy(best, p, sizeof p);
        }
    }
}

/* Both ends of an edge so near to a plane that doubles lose their heights. */
TEST(ends_are_right_where_heights_cancel)
{
    test_random random = test_random_seed(15);
    real worst = 0;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < test_amount(2000, 200); i++) {
        float a[3][3], b[3][3];
        for (int k = 0; k < 9; k++)
            b[k / 3][k % 3] = (float)test_random_range(&random, 2, 3);
        for (int k = 0; k < 3; k++) /* around the middle of b */
            b[k][0] += k == 0 ? -9 : k == 1 ? 9 : 0, b[k][1] += k == 2 ? 9 : -5;
        nearly_on((corners)b, (double[2]){2, 2}, 1, &random, a[0]);
        nearly_on((corners)b, (double[2]){3, 2.5}, -1, &random, a[1]);
        a[2][0] = 2.5f;
        a[2][1] = 3;
        a[2][2] = 50;
        grazei_segment s;
        if (!grazei_triangle_segment((corners)a, (corners)b, &s) || s.flat)
            continue;
        for (uint32_t c = 0; c < s.crossing_count; c++) {
            const grazei_crossing *x = &s.crossings[c];
            if (x->side || x->corners[0] + x->corners[1] != 1)
                continue;
            real from = height_behind((corners)b, a[x->corners[0]]);
            real t = from / (from - height_behind((corners)b, a[x->corners[1]]));
            worst = fmaxl(worst, fabsl(x->at - t));
            seen++;
        }
    }
    printf("     %u edges cut, at most %.2Lg of their length off\n", seen, worst);
    CHECK(seen > test_amount(1000, 100) && worst < 0x1p-28L);
}

/* Two triangles with an edge in common and the same third one: the ends on it are the same bits. */
TEST(neighbours_share_ends_to_the_last_bit)
{
    test_random random = test_random_seed(16);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < test_amount(200000, 20000); i++) {
        float p[4][3], b[3][3], a[2][3][3];
        grazei_segment s[2];
        for (int k = 0; k < 12; k++)
            p[k / 3][k % 3] = (float)test_random_range(&random, -1, 1);
        for (int k = 0; k < 9; k++)
            b[k / 3][k % 3] = (float)test_random_range(&random, -2, 2);
        for (int k = 0; k < 3; k++) {
            memcpy(a[0][k], p[k], sizeof p[k]);
            memcpy(a[1][k], p[k == 0 ? 1 : k == 1 ? 0 : 3], sizeof p[k]);
        }
        if (!grazei_triangle_segment((corners)a[0], (corners)b, &s[0]) ||
            !grazei_triangle_segment((corners)a[1], (corners)b, &s[1]))
            continue;
        bool crossed[2] = {false, false}, same = false;
        for (int side = 0; side < 2; side++)
            for (uint32_t c = 0; c < s[side].crossing_count; c++)
                crossed[side] |=
                    !s[side].crossings[c].side &&
                    s[side].crossings[c].corners[0] + s[side].crossings[c].corners[1] == 1;
        for (int k = 0; k < 4; k++)
            same |= !memcmp(s[0].ends[k / 2], s[1].ends[k % 2], sizeof s[0].ends[0]);
        CHECK(crossed[0] == crossed[1]);
        if (crossed[0] && !test_check(same, __FILE__, __LINE__, "pair %u: ends differ", i))
            return;
        seen += crossed[0];
    }
    CHECK(seen > test_amount(5000, 500));
}

/* ---- curves -------------------------------------------------------------------------------- */

static int compare_ends(const void *left, const void *right)
{
    return memcmp(left, right, 3 * sizeof(float));
}

/* Ends of all segments, sorted: on closed surfaces in general position each is there twice. */
static uint64_t lonely_ends(const graze_contact_segment *segments, uint32_t count)
{
    float(*ends)[3] = malloc((2 * (size_t)count + 1) * sizeof *ends);
    uint64_t lonely = 0;
    size_t used = 0;
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(segments[i].ends[0], segments[i].ends[1], sizeof *ends)) {
            memcpy(ends[used++], segments[i].ends[0], sizeof *ends);
            memcpy(ends[used++], segments[i].ends[1], sizeof *ends);
        }
    qsort(ends, used, sizeof *ends, compare_ends);
    for (size_t i = 0, k; i < used; i = k) {
        for (k = i + 1; k < used && !compare_ends(ends[i], ends[k]); k++)
            ;
        lonely += (k - i) % 2;
    }
    free(ends);
    return lonely;
}

TEST(curves_of_closed_surfaces_have_no_gaps)
{
    test_random random = test_random_seed(14);
    uint64_t segments_seen = 0;
    for (uint32_t i = 0; i < test_amount(60, 10); i++) {
        OWN(solid) a = {0}, b = {0};
        graze_model *models[2];
        const double low[3] = {-1, -0.7, -0.8}, high[3] = {1, 0.7, 0.8};
        contact_set found;
        solid_add_ball(&a, 1, 20);
        if (i % 2)
            solid_add_box(&b, low, high, 6);
        else
            solid_add_capsule(&b, 0.6, 1, 14);
        graze_body *bodies[2] = {solid_body(&a, NULL, &models[0]),
                                 solid_body(&b, NULL, &models[1])};
        float joint[12] = {0};
        for (int k = 0; k < 3; k++) {
            joint[5 * k] = 1;
            joint[4 * k + 3] = (float)test_random_range(&random, -0.7, 0.7);
        }
        joint[1] = (float)test_random_range(&random, -0.5, 0.5);
        joint[6] = (float)test_random_range(&random, -0.5, 0.5);
        graze_pose pose = {.joints = joint, .joint_count = 1};
        CHECK(graze_body_set_pose(bodies[0], &pose, NULL) == GRAZE_OK);
        contact_set_open(&found, models[0], models[1], NULL);
        CHECK(contact_set_find(&found, bodies[0], bodies[1], NULL, NULL) == GRAZE_OK);
        size_t count;
        const graze_contact_segment *segments = graze_contact_segments(found.finder, &count);
        uint64_t lonely = lonely_ends(segments, count);
        CHECK_MSG(lonely == 0, "solids %u: %llu ends of %zu segments have no other", i,
                  (unsigned long long)lonely, count);
        for (uint32_t c = 0; c < found.count; c++)
            CHECK(found.details[c].closed);
        segments_seen += count;
        contact_set_free(&found);
        for (int side = 0; side < 2; side++) {
            graze_body_destroy(bodies[side]);
            graze_model_destroy(models[side]);
        }
    }
    printf("     %llu segments, every end met by another to the last bit\n",
           (unsigned long long)segments_seen);
    CHECK(segments_seen > 1000);
}
