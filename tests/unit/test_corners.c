/* Corners of weight polytopes against all vertices that linear algebra knows: every choice of
 * constraints that hold with equality is solved, and the solutions kept that meet the others.
 */
#include "harness.h"
#include "records/corners.h"

#include <math.h>
#include <string.h>

enum { MAX_P = 6, MAX_VERTICES = 512 };

/* Widened as grazei_weight_corners says. */
typedef struct polytope {
    uint32_t p;
    double low[MAX_P], high[MAX_P];
} polytope;

/* Solves p equations by elimination with pivots; false if they are not independent. */
static bool solve(double rows[MAX_P][MAX_P + 1], uint32_t p, double *x)
{
    for (uint32_t c = 0; c < p; c++) {
        uint32_t pivot = c;
        for (uint32_t r = c + 1; r < p; r++)
            if (fabs(rows[r][c]) > fabs(rows[pivot][c]))
                pivot = r;
        if (fabs(rows[pivot][c]) < 1e-9)
            return false;
        for (uint32_t k = 0; k <= p; k++) {
            double other = rows[c][k];
            rows[c][k] = rows[pivot][k];
            rows[pivot][k] = other;
        }
        for (uint32_t r = 0; r < p; r++) {
            double factor = r == c ? 0 : rows[r][c] / rows[c][c];
            for (uint32_t k = 0; k <= p; k++)
                rows[r][k] -= factor * rows[c][k];
        }
    }
    for (uint32_t c = 0; c < p; c++)
        x[c] = rows[c][p] / rows[c][c];
    return true;
}

static bool is_near(const double *a, const double *b, uint32_t p)
{
    double most = 0;
    for (uint32_t k = 0; k < p; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most < 1e-6;
}

/* The vertex where these constraints hold with equality: bit k is the lower end of weight k, bit
 * p + k its upper end.
 */
static bool find_vertex(const polytope *t, uint32_t active, double *vertex)
{
    double rows[MAX_P][MAX_P + 1] = {{0}};
    uint32_t used = 1;
    for (uint32_t k = 0; k <= t->p; k++)
        rows[0][k] = 1;
    for (uint32_t bit = 0; bit < 2 * t->p; bit++)
        if (active >> bit & 1) {
            uint32_t k = bit % t->p;
            rows[used][k] = 1;
            rows[used++][t->p] = bit < t->p ? t->low[k] : t->high[k];
        }
    if (!solve(rows, t->p, vertex))
        return false;
    for (uint32_t k = 0; k < t->p; k++)
        if (vertex[k] < t->low[k] - 1e-12 || vertex[k] > t->high[k] + 1e-12)
            return false;
    return true;
}

static uint32_t all_vertices(const polytope *t, double (*vertices)[MAX_P])
{
    uint32_t count = 0;
    for (uint32_t active = 0; active < 1u << 2 * t->p; active++) {
        double vertex[MAX_P];
        bool known = false;
        uint32_t bits = 0;
        for (uint32_t rest = active; rest; rest &= rest - 1)
            bits++;
        if (bits != t->p - 1 || !find_vertex(t, active, vertex))
            continue;
        for (uint32_t i = 0; i < count && !known; i++)
            known = is_near(vertices[i], vertex, t->p);
        if (!known && count < MAX_VERTICES)
            memcpy(vertices[count++], vertex, sizeof vertex);
    }
    return count;
}

/* Intervals around weights that sum to 1: wide, narrow, single numbers, ends that are shared. */
static polytope random_polytope(uint32_t p, test_random *random, float *low, float *high)
{
    polytope t = {.p = p};
    double sum = 0, wide = test_random_u32(random) % 3 ? 1 : 1e-3;
    for (uint32_t k = 0; k < p; k++)
        sum += low[k] = (float)test_random_range(random, 0.01, 1);
    for (uint32_t k = 0; k < p; k++) {
        double weight = low[k] / sum, room = test_random_u32(random) % 4 ? wide : 0;
        low[k] = (float)(weight * (1 - room * test_random_range(random, 0, 1)));
        high[k] = (float)(weight + (1 - weight) * room * test_random_range(random, 0, 1));
        t.low[k] = (double)low[k] - 0x1p-20;
        t.high[k] = (double)high[k] + 0x1p-20;
    }
    return t;
}

/* Every one of some points is near one of others. */
static bool all_near(const double (*some)[MAX_P], uint32_t some_count,
                     const double (*others)[MAX_P], uint32_t count, uint32_t p)
{
    for (uint32_t i = 0; i < some_count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < count && !found; k++)
            found = is_near(some[i], others[k], p);
        if (!found)
            return false;
    }
    return true;
}

TEST(corners_are_the_vertices_of_the_polytope)
{
    test_random random = test_random_seed(19);
    uint32_t seen = 0, most = 0;
    for (uint32_t n = 0; n < 600; n++) {
        static double vertices[MAX_VERTICES][MAX_P], corners[GRAZEI_MAX_CORNERS][MAX_P];
        static float written[GRAZEI_MAX_CORNERS * GRAZEI_MAX_CORNER_JOINTS];
        float low[MAX_P], high[MAX_P];
        uint32_t p = 1 + n % 5 + (n % 60 == 0);
        polytope t = random_polytope(p, &random, low, high);
        bool single = memcmp(low, high, p * sizeof *low) == 0;
        uint32_t count = grazei_weight_corners(low, high, p, written);
        uint32_t wanted = single ? 1 : all_vertices(&t, vertices);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < p; k++)
                corners[i][k] = written[i * p + k];
        for (uint32_t k = 0; k < p && single; k++)
            vertices[0][k] = low[k];
        CHECK_MSG(all_near(vertices, wanted, corners, count, p), "polytope %u: a corner is missing",
                  n);
        CHECK_MSG(all_near(corners, count, vertices, wanted, p), "polytope %u: one too many", n);
        seen += wanted;
        most = wanted > most ? wanted : most;
    }
    printf("     600 polytopes of 1 to 6 joints: %u vertices, at most %u\n", seen, most);
    CHECK(most >= 10);
}

/* More than eight joints: fewer corners, whose hull still has all weights in it. */
TEST(corners_of_many_joints_hold_all_weights)
{
    test_random random = test_random_seed(20);
    for (uint32_t n = 0; n < 200; n++) {
        enum { P = 32, VERTICES = 6 };
        uint32_t p = GRAZEI_MAX_CORNER_JOINTS + 1 + n % (P - GRAZEI_MAX_CORNER_JOINTS);
        float weights[VERTICES][P], low[P], high[P], corners[P * P];
        for (uint32_t v = 0; v < VERTICES; v++) {
            double sum = 0;
            for (uint32_t k = 0; k < p; k++)
                sum += weights[v][k] = (float)test_random_range(&random, 1e-3, 1);
            for (uint32_t k = 0; k < p; k++) {
                weights[v][k] = (float)(weights[v][k] / sum);
                low[k] = v ? fminf(low[k], weights[v][k]) : weights[v][k];
                high[k] = v ? fmaxf(high[k], weights[v][k]) : weights[v][k];
            }
        }
        REQUIRE(grazei_weight_corners(low, high, p, corners) == p);
        /* A corner has one weight above the least: shares of the corners are what weights have
         * above the least, over what that corner has.
         */
        for (uint32_t v = 0; v < VERTICES; v++) {
            double sum = 0, least = INFINITY;
            for (uint32_t k = 0; k < p; k++) {
                double bottom = corners[(k + 1) % p * p + k], top = corners[k * p + k];
                double share = (weights[v][k] - bottom) / (top - bottom);
                least = fmin(least, share);
                sum += share;
            }
            CHECK_MSG(least >= 0 && fabs(sum - 1) < 1e-5, "%u joints: shares from %g, sum %g", p,
                      least, sum);
        }
    }
}
