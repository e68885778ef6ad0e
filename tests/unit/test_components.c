/* Principal components: against sums over all vertices, Jacobi's method, and small turns. */
#include "harness.h"
#include "support/allocator.h"
#include "support/own.h"

#include <graze/numerics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

OWN_POINTER(graze_components, graze_components_destroy)

/* A cloud that deforms at random and tumbles far from the origin. */
typedef struct cloud {
    uint32_t frames, vertices;
    float *positions;
} cloud;

static cloud make_cloud(uint32_t frames, uint32_t vertices, double bend)
{
    cloud made = {frames, vertices, malloc((size_t)frames * vertices * 3 * sizeof(float))};
    OWNED double *shape = malloc((size_t)vertices * 3 * sizeof *shape);
    test_random random = test_random_seed(frames * 1000 + vertices);
    if (!made.positions || !shape)
        abort();
    for (size_t i = 0; i < 3 * (size_t)vertices; i++)
        shape[i] = test_random_range(&random, -1, 1);
    for (uint32_t f = 0; f < frames; f++) {
        double angle = 0.9 * f, cosine = cos(angle), sine = sin(angle);
        for (uint32_t v = 0; v < vertices; v++) {
            double p[3];
            for (int k = 0; k < 3; k++)
                p[k] = shape[3 * (size_t)v + (size_t)k] + test_random_range(&random, -bend, bend);
            float *to = made.positions + 3 * ((size_t)f * vertices + v);
            to[0] = (float)(cosine * p[0] - sine * p[2] + 5 * f);
            to[1] = (float)(p[1] - 3);
            to[2] = (float)(sine * p[0] + cosine * p[2] + 40);
        }
    }
    return made;
}

static graze_components *solve(const cloud *given, uint32_t count)
{
    graze_frames_def def = {.positions = given->positions,
                            .frame_count = given->frames,
                            .vertex_count = given->vertices,
                            .component_count = count};
    graze_components *made = NULL;
    graze_error error = {.text = ""};
    CHECK_MSG(!graze_frames_create_components(&def, &made, &error), "%s", error.text);
    return made;
}

static void turn(const double q[4], const double from[3], double to[3])
{
    double cross[3], again[3]; /* v + 2 w (q x v) + 2 q x (q x v) */
    for (int i = 0; i < 3; i++)
        cross[i] = q[(i + 1) % 3] * from[(i + 2) % 3] - q[(i + 2) % 3] * from[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        again[i] = q[(i + 1) % 3] * cross[(i + 2) % 3] - q[(i + 2) % 3] * cross[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        to[i] = from[i] + 2 * (q[3] * cross[i] + again[i]);
}

/* The sum of squared distances of a frame with so many components, rotation and translation being
 * those of the frame after a small turn and a small step.
 */
static double squares(const cloud *given, const graze_components *c, uint32_t frame, uint32_t count,
                      const double by[6])
{
    double sum = 0, small[4] = {by[0] / 2, by[1] / 2, by[2] / 2, 1}, length = 0;
    for (int k = 0; k < 4; k++)
        length += small[k] * small[k];
    for (int k = 0; k < 4; k++)
        small[k] /= sqrt(length);
    for (uint32_t v = 0; v < given->vertices; v++) {
        double own[3], once[3], twice[3];
        for (size_t k = 0; k < 3; k++) {
            own[k] = c->mean[3 * (size_t)v + k];
            for (size_t n = 0; n < count; n++)
                own[k] += c->weights[frame * c->component_count + n] *
                          c->components[(n * given->vertices + v) * 3 + k];
        }
        turn(c->rotations + 4 * (size_t)frame, own, once);
        turn(small, once, twice);
        for (size_t k = 0; k < 3; k++) {
            double at = (double)given->positions[3 * ((size_t)frame * given->vertices + v) + k];
            double miss = twice[k] + c->translations[3 * (size_t)frame + k] + by[3 + k] - at;
            sum += miss * miss;
        }
    }
    return sum;
}

/* With n components, over all frames: the tail of the squared singular values. */
static void check_tails(const cloud *given, const graze_components *c)
{
    static const double still[6];
    double scale = 1e-9;
    for (uint32_t n = 0; n <= c->component_count; n++) {
        double sum = 0, tail = 0;
        for (uint32_t f = 0; f < given->frames; f++)
            sum += squares(given, c, f, n, still);
        for (uint32_t i = n; i < c->singular_count; i++)
            tail += c->singular_values[i] * c->singular_values[i];
        CHECK_MSG(fabs(sqrt(sum) - sqrt(tail)) < scale, "%u components: %.12g, not %.12g", n,
                  sqrt(sum), sqrt(tail));
    }
}

static void check_orthonormal(const graze_components *c)
{
    size_t size = 3 * (size_t)c->vertex_count;
    for (size_t a = 0; a < c->component_count; a++)
        for (size_t b = 0; b <= a; b++) {
            double sum = a == b ? -1 : 0;
            for (size_t i = 0; i < size; i++)
                sum += c->components[a * size + i] * c->components[b * size + i];
            CHECK(fabs(sum) < 1e-12);
        }
}

/* ---- singular values ----------------------------------------------------------------------- */

/* Eigenvalues of a symmetric matrix, which is destroyed, onto its diagonal. */
static void jacobi(double *a, uint32_t n)
{
    for (int sweep = 0; sweep < 30; sweep++)
        for (uint32_t p = 0; p < n; p++)
            for (uint32_t q = p + 1; q < n; q++) {
                double angle = 0.5 * atan2(2 * a[p * n + q], a[q * n + q] - a[p * n + p]);
                double c = cos(angle), s = sin(angle);
                for (uint32_t i = 0; i < n; i++) {
                    double x = a[i * n + p], y = a[i * n + q];
                    a[i * n + p] = c * x - s * y;
                    a[i * n + q] = s * x + c * y;
                }
                for (uint32_t i = 0; i < n; i++) {
                    double x = a[p * n + i], y = a[q * n + i];
                    a[p * n + i] = c * x - s * y;
                    a[q * n + i] = s * x + c * y;
                }
            }
}

static int descending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a > b ? -1 : a < b;
}

/* What rotation, translation and mean leave of each frame: products of those with each other. */
static void check_singular_values(const cloud *given, const graze_components *c)
{
    uint32_t frames = given->frames;
    size_t size = 3 * (size_t)given->vertices;
    OWNED double *rest = malloc(frames * size * sizeof *rest);
    OWNED double *products = calloc((size_t)frames * frames, sizeof *products);
    REQUIRE(rest && products);
    for (uint32_t f = 0; f < frames; f++) {
        const double *q = c->rotations + 4 * (size_t)f;
        const double back[4] = {-q[0], -q[1], -q[2], q[3]};
        for (uint32_t v = 0; v < given->vertices; v++) {
            double moved[3], *own = rest + f * size + 3 * (size_t)v;
            for (size_t k = 0; k < 3; k++)
                moved[k] = (double)given->positions[f * size + 3 * (size_t)v + k] -
                           c->translations[3 * (size_t)f + k];
            turn(back, moved, own);
            for (size_t k = 0; k < 3; k++)
                own[k] -= c->mean[3 * (size_t)v + k];
        }
    }
    for (uint32_t a = 0; a < frames; a++)
        for (uint32_t b = 0; b < frames; b++)
            for (size_t i = 0; i < size; i++)
                products[a * frames + b] += rest[a * size + i] * rest[b * size + i];
    jacobi(products, frames);
    for (uint32_t f = 0; f < frames; f++)
        products[f] = products[f * frames + f]; /* the diagonal */
    qsort(products, frames, sizeof *products, descending);
    for (uint32_t i = 0; i < c->singular_count; i++)
        CHECK_MSG(fabs(c->singular_values[i] * c->singular_values[i] - products[i]) <
                      1e-9 * products[0],
                  "value %u: %g, not %g", i, c->singular_values[i], sqrt(fabs(products[i])));
}

TEST(errors_are_tails_of_singular_values)
{
    static const uint32_t sizes[][2] = {{12, 40}, {30, 5}, {6, 6}, {2, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cloud given = make_cloud(sizes[i][0], sizes[i][1], 0.2);
        graze_components *made = solve(&given, 5);
        REQUIRE(made);
        CHECK(made->singular_count ==
              (sizes[i][0] < 3 * sizes[i][1] ? sizes[i][0] : 3 * sizes[i][1]));
        check_tails(&given, made);
        check_orthonormal(made);
        check_singular_values(&given, made);
        CHECK(fabs(made->rotations[3] - 1) < 1e-12); /* frame 0 is not turned */
        graze_components_destroy(made);
        free(given.positions);
    }
}

/* No small turn or step of a frame brings it nearer to the mean. */
TEST(the_rigid_motion_is_the_best)
{
    static const double still[6];
    cloud given = make_cloud(9, 30, 0.3);
    graze_components *made = solve(&given, 1);
    REQUIRE(made);
    for (uint32_t f = 0; f < given.frames; f++)
        for (int way = 0; way < 12; way++) {
            double by[6] = {0};
            by[way % 6] = way < 6 ? 1e-3 : -1e-3;
            CHECK(squares(&given, made, f, 0, by) > squares(&given, made, f, 0, still));
        }
    graze_components_destroy(made);
    free(given.positions);
}

/* Stretches along the axes of a cloud with three planes of symmetry, tumbling: two fields do. */
TEST(two_fields_come_back_as_two_components)
{
    enum { FRAMES = 20, CORNERS = 10, VERTICES = 8 * CORNERS };
    static float positions[FRAMES * VERTICES * 3];
    test_random random = test_random_seed(5);
    for (int i = 0; i < CORNERS * 3; i++) {
        double x = test_random_range(&random, 0.5, 1 + i % 3);
        for (int f = 0; f < FRAMES; f++) {
            double stretch = i % 3 == 0 ? 1 + 0.2 * sin(f) : i % 3 == 1 ? 1 + 0.1 * cos(2 * f) : 1;
            for (int octant = 0; octant < 8; octant++)
                positions[((f * 8 + octant) * CORNERS + i / 3) * 3 + i % 3] =
                    (float)(octant >> i % 3 & 1 ? -x * stretch : x * stretch);
        }
    }
    for (int i = 0; i < FRAMES * VERTICES; i++) {
        double angle = 0.7 * (i / VERTICES), x = (double)positions[3 * i],
               y = (double)positions[3 * i + 1];
        positions[3 * i] = (float)(cos(angle) * x - sin(angle) * y + 10);
        positions[3 * i + 1] = (float)(sin(angle) * x + cos(angle) * y);
    }
    cloud given = {FRAMES, VERTICES, positions};
    OWN(graze_components) *made = solve(&given, 2);
    REQUIRE(made);
    CHECK(made->component_count == 2 && made->singular_values[1] > 1);
    CHECK_MSG(made->singular_values[2] < 1e-4, "%g", made->singular_values[2]);
}

TEST(frames_that_only_move_have_no_components)
{
    cloud given = make_cloud(7, 12, 0);
    graze_components *made = solve(&given, 3);
    REQUIRE(made);
    CHECK(made->singular_values[0] < 1e-4);
    graze_components_destroy(made);
    memcpy(given.positions + 36, given.positions, 36 * sizeof(float));
    given.frames = 2;
    made = solve(&given, 3);
    REQUIRE(made);
    CHECK(made->component_count == 0);
    graze_components_destroy(made);
    given.frames = 1;
    given.vertices = 1;
    made = solve(&given, 3);
    REQUIRE(made);
    CHECK(made->component_count == 0 && made->singular_count == 1);
    CHECK(made->translations[0] == (double)given.positions[0]);
    graze_components_destroy(made);
    free(given.positions);
}

static void refused(const graze_frames_def *def, graze_status status, const char *expected)
{
    graze_components *made = NULL;
    graze_error error = {.text = ""};
    CHECK(graze_frames_create_components(def, &made, &error) == status && !made);
    CHECK_MSG(error.status == status && strstr(error.text, expected), "%s", error.text);
    CHECK(graze_frames_create_components(def, &made, NULL) == status && !made);
}

TEST(bad_frames_are_refused)
{
    float positions[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    const graze_frames_def good = {
        .positions = positions, .frame_count = 2, .vertex_count = 3, .component_count = 1};
    graze_frames_def def = good;
    refused(NULL, GRAZE_BAD_INPUT, "the def is NULL");
    CHECK(graze_frames_create_components(&good, NULL, NULL) == GRAZE_BAD_INPUT);
    def.positions = NULL;
    refused(&def, GRAZE_BAD_INPUT, "no frames or vertices");
    def = good;
    def.frame_count = 0;
    refused(&def, GRAZE_BAD_INPUT, "no frames or vertices");
    def = good;
    def.component_count = 0;
    refused(&def, GRAZE_BAD_INPUT, "no components");
    def = good;
    def.frame_count = def.vertex_count = 1u << 20;
    refused(&def, GRAZE_BAD_INPUT, "more than LAPACK can count");
    positions[13] = INFINITY;
    refused(&good, GRAZE_BAD_INPUT, "frame 1, vertex 1 has a coordinate");
    positions[13] = 0;
    test_memory memory = {.fail_at = 0};
    graze_allocator allocator = test_memory_allocator(&memory);
    def = good;
    def.allocator = &allocator;
    graze_components *made = NULL;
    CHECK(!graze_frames_create_components(&def, &made, NULL));
    graze_components_destroy(made);
    uint64_t calls = memory.calls;
    CHECK(calls > 0 && memory.alive == 0);
    for (uint64_t at = 1; at <= calls; at++) {
        memory = (test_memory){.fail_at = at, .keeps_failing = true};
        refused(&def, GRAZE_OUT_OF_MEMORY, "out of memory");
        CHECK(memory.alive == 0 && !memory.misused);
    }
    graze_components_destroy(NULL);
}
