/* Self-collision of things that were made to be hard: seams, shells that touch or cross at rest,
 * lips that close, triangles that are doubled or have no area.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/self_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

/* A mesh of two joints; a vertex has a share of the second. */
typedef struct shell {
    float positions[3 * MOST];
    float shares[MOST];
    uint32_t triangles[3 * MOST];
    uint32_t vertex_count, triangle_count;
} shell;

static uint32_t add_vertex(shell *s, double x, double y, double z, double share)
{
    const double place[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        s->positions[3 * s->vertex_count + k] = (float)place[k];
    s->shares[s->vertex_count] = (float)share;
    return s->vertex_count++;
}

static void add_triangle(shell *s, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    memcpy(s->triangles + 3 * s->triangle_count++, corners, sizeof corners);
}

/* A sheet of n x n quads over [x, x + 1] x [0, 1] at height z. With seams every quad has vertices
 * of its own.
 */
static void add_sheet(shell *s, double x, double z, double share, uint32_t n, bool seams)
{
    uint32_t first = s->vertex_count;
    for (uint32_t i = 0; i < (seams ? 4 * n * n : (n + 1) * (n + 1)); i++) {
        uint32_t column = seams ? i / 4 % n + i % 4 % 2 : i % (n + 1);
        uint32_t row = seams ? i / 4 / n + i % 4 / 2 : i / (n + 1);
        add_vertex(s, x + (double)column / n, (double)row / n, z, share);
    }
    for (uint32_t q = 0; q < n * n; q++) {
        uint32_t at = first + (seams ? 4 * q : q / n * (n + 1) + q % n), up = seams ? 2 : n + 1;
        add_triangle(s, at, at + 1, at + up);
        add_triangle(s, at + up, at + 1, at + up + 1);
    }
}

/* Moves of the second joint; the first stays. */
static const float moves[][12] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                                  {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.01f},
                                  {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -0.01f},
                                  {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -0.3f},
                                  {1, 0, 0, 0.37f, 0, 1, 0, 0, 0, 0, 1, 0},
                                  {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0},
                                  {-1, 0, 0, 1, 0, 1, 0, 0, 0, 0, -1, 0.02f},
                                  {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0},
                                  {0.1f, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1, 0.004f},
                                  {1, 0, 0.5f, 0, 0, 1, 0, 0, 0, 0.2f, 1, 5},
                                  {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1e-9f, 0},
                                  {1e-12f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1e-12f, 0},
                                  {-1, 0, 0, 1, 0, 1, 0, 0.0137f, 0.3f, 0, 1, -0.25f}};
enum { MOVES = sizeof moves / sizeof *moves };

/* All trees, with a table and without, in all moves, alone and carried along by both joints. The
 * expected pairs of the first tree's poses are counted.
 */
static void check_shell(const shell *s, const char *name, size_t counts[MOVES])
{
    OWNED uint32_t *offsets = malloc((s->vertex_count + 1) * sizeof *offsets);
    OWNED graze_influence *influences = malloc(2 * s->vertex_count * sizeof *influences);
    self_tally seen = {0};
    OWN(pair_set) expected = {0};
    for (uint32_t v = 0; v <= s->vertex_count; v++)
        offsets[v] = 2 * v;
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        influences[2 * v] = (graze_influence){0, 1 - s->shares[v]};
        influences[2 * v + 1] = (graze_influence){1, s->shares[v]};
    }
    graze_model_def def = {0};
    def.positions = s->positions;
    def.vertex_count = s->vertex_count;
    def.triangles = s->triangles;
    def.triangle_count = s->triangle_count;
    def.joint_count = 2;
    def.influence_offsets = offsets;
    def.influences = influences;
    for (uint32_t t = 0; t < agreement_tree_count(); t += test_amount(1, 5)) {
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = NULL;
        def.tree = agreement_tree(t);
        def.no_self_collision = t % 4 == 3;
        def.skinning = (graze_skinning)(t % 3);
        CHECK(graze_model_create(&def, &model, NULL) == GRAZE_OK);
        CHECK(graze_body_create(model, &body, NULL) == GRAZE_OK);
        for (uint32_t m = 0; m < 2 * MOVES; m++) {
            float joints[24];
            memcpy(joints, moves[m < MOVES ? 0 : m - MOVES], sizeof *moves);
            memcpy(joints + 12, moves[m % MOVES], sizeof *moves);
            graze_pose pose = {.joints = joints, .joint_count = 2};
            CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
            self_expect(body, &def, &expected);
            self_agree(body, &expected, t == 0, name, &seen);
            if (t == 0 && m < MOVES)
                counts[m] = expected.count;
        }
    }
    self_tally_print(name, &seen);
}

/* Lips: two sheets with a slit in between, the second joint moves the upper one. */
static void check_lips(double gap, double x, bool seams, const char *name, size_t counts[MOVES])
{
    OWNED shell *s = calloc(1, sizeof *s);
    add_sheet(s, 0, 0, 0, 8, seams);
    add_sheet(s, x, gap, 1, 8, seams);
    check_shell(s, name, counts);
}

TEST(lips_close)
{
    size_t counts[MOVES], with_seams[MOVES];
    check_lips(0.01, 0, false, "lips", counts);
    CHECK(counts[0] == 0 && counts[1] == 0 && counts[2] > 100 && counts[3] == 0);
    check_lips(0.01, 0, true, "lips with seams", with_seams);
    CHECK(memcmp(counts, with_seams, sizeof counts) == 0);
    /* Closer than triangles are listed at, and wider. */
    check_lips(0.0001, 0.03, false, "narrow lips", counts);
    CHECK(counts[0] == 0 && counts[2] == 0);
    check_lips(0.05, 0.03, false, "wide lips", counts);
    CHECK(counts[0] == 0);
}

TEST(shells_touch_and_cross_at_rest)
{
    size_t counts[MOVES];
    check_lips(0, 0.03125, false, "touching shells", counts);
    CHECK(counts[0] > 100 && counts[1] == 0);
    check_lips(0, 0, false, "shells that are one at rest", counts);
    OWNED shell *s = calloc(1, sizeof *s);
    add_sheet(s, 0, 0, 0, 6, false);
    for (int i = 0; i < 12;
         i++) { /* spikes through the sheet, each with a tip of the other joint */
        uint32_t a = add_vertex(s, 0.07 * i + 0.03, 0.41, -0.1, 0);
        uint32_t b = add_vertex(s, 0.07 * i + 0.05, 0.43, -0.1, 0.5);
        add_triangle(s, a, b, add_vertex(s, 0.07 * i + 0.04, 0.42, 0.1, 1));
    }
    check_shell(s, "spikes", counts);
    CHECK(counts[0] >= 12 && counts[1] >= 12);
}

/* Weights that go over smoothly: the sheet rolls up onto itself. */
TEST(a_sheet_rolls_up)
{
    size_t counts[MOVES];
    OWNED shell *s = calloc(1, sizeof *s);
    add_sheet(s, 0, 0, 0, 16, false);
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        double x = fmin(fmax(2.5 * (double)s->positions[3 * v] - 0.75, 0), 1);
        s->shares[v] = (float)(x * x * (3 - 2 * x));
    }
    check_shell(s, "a sheet", counts);
    CHECK(counts[0] == 0 && counts[1] == 0 && counts[3] == 0);
    CHECK(counts[12] > 10);
}

TEST(triangles_without_area)
{
    size_t counts[MOVES];
    OWNED shell *s = calloc(1, sizeof *s);
    add_sheet(s, 0, 0, 0, 5, false);
    for (int i = 0; i < 20; i++) {
        double x = 0.047 * i + 0.02, z = i % 5 * 0.005;
        uint32_t a = add_vertex(s, x, 0.3, z, 0.5), b = add_vertex(s, x, 0.35, z, 0.5);
        if (i % 2) /* a point */
            add_triangle(s, a, a, a);
        else /* a segment whose last corner alone follows the second joint */
            add_triangle(s, a, b, add_vertex(s, x, 0.4, z, 1));
    }
    check_shell(s, "without area", counts);
    CHECK(counts[0] > 0 && counts[2] > counts[1]);
}

/* All weights alike but for the end of one segment: that alone tells that something moves. */
TEST(the_odd_end_of_a_segment)
{
    for (int order = 0; order < 3; order++) {
        size_t counts[MOVES];
        OWNED shell *s = calloc(1, sizeof *s);
        add_sheet(s, 0, 0, 0.5, 5, false);
        uint32_t ends[3] = {add_vertex(s, 0.50, 0.52, 0.008, 0.5),
                            add_vertex(s, 0.51, 0.52, 0.008, 0.5),
                            add_vertex(s, 0.52, 0.52, 0.008, 0.53)};
        add_triangle(s, ends[order], ends[(order + 1) % 3], ends[(order + 2) % 3]);
        check_shell(s, "the odd end", counts);
        CHECK(counts[0] == 0 && counts[3] > 0);
    }
}

/* Doubled triangles share places and are neighbours, with vertices of their own or without; zeros
 * of both signs are one place.
 */
/* Hundreds of triangles round one vertex, all of them neighbours, and as many round another whose
 * vertices have seams; a few go through.
 */
TEST(many_triangles_round_a_vertex)
{
    enum { AROUND = 300, THROUGH = 4 };
    OWNED shell *s = calloc(1, sizeof *s);
    size_t counts[MOVES];
    for (uint32_t fan = 0; fan < 2; fan++) {
        uint32_t tip = add_vertex(s, 0.5, 0.5, fan ? 0.3 : 0.1, fan), last = 0;
        for (uint32_t i = 0; i <= AROUND; i++) {
            double turn = 2 * M_PI * (i % AROUND) / AROUND;
            uint32_t here =
                add_vertex(s, 0.5 + 0.5 * cos(turn), 0.5 + 0.5 * sin(turn), 0.2 * fan, fan);
            if (i)
                add_triangle(s, fan ? add_vertex(s, 0.5, 0.5, 0.3, fan) : tip, last, here);
            last = here;
        }
    }
    for (uint32_t i = 0; i < THROUGH; i++) {
        uint32_t first = add_vertex(s, 0.2 + 0.1 * i, 0.4, -1, 0);
        add_vertex(s, 0.21 + 0.1 * i, 0.4, 0.15, 0);
        add_vertex(s, 0.2 + 0.1 * i, 0.41, 0.15, 0);
        add_triangle(s, first, first + 1, first + 2);
    }
    check_shell(s, "round a vertex", counts);
    CHECK_MSG(counts[0] >= THROUGH && counts[0] < 8 * THROUGH, "%zu pairs", counts[0]);
    size_t most = 0;
    for (int m = 0; m < MOVES; m++)
        most = counts[m] > most ? counts[m] : most;
    CHECK_MSG(most > AROUND, "at most %zu pairs", most);
}

TEST(doubled_triangles_are_neighbours)
{
    size_t counts[MOVES];
    OWNED shell *s = calloc(1, sizeof *s);
    add_sheet(s, 0, 0, 0, 7, false);
    add_sheet(s, 0, -0.0, 0, 7, true);
    for (uint32_t t = 0; t < 98; t++)
        add_triangle(s, s->triangles[3 * t + 1], s->triangles[3 * t + 2], s->triangles[3 * t]);
    check_shell(s, "doubled", counts);
    CHECK(counts[0] == 0);
}
