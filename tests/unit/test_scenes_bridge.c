/* The bridge and the fish: closed, well shaped, of any size, the same bits everywhere; the sway. */
#include "scenes/bridge.h"
#include "scenes_support.h"
#include "support/own.h"

#include <math.h>

/* Six times the volume that a triangle and the origin enclose, with its sign. */
static double enclosed(const graze_rig *rig, uint32_t t)
{
    double a[3], b[3], c[3];
    get_vertex(rig, rig->triangles[3 * (size_t)t], a);
    get_vertex(rig, rig->triangles[3 * (size_t)t + 1], b);
    get_vertex(rig, rig->triangles[3 * (size_t)t + 2], c);
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Every piece is closed, wound outwards and without handles. */
static void check_pieces(const graze_rig *rig, uint32_t least)
{
    OWNED uint32_t *parent = malloc(rig->vertex_count * sizeof *parent);
    uint32_t pieces = 0, inside_out = 0;
    OWNED double *volumes = calloc(rig->vertex_count, sizeof *volumes);
    REQUIRE(parent && volumes);
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        parent[v] = v;
    for (size_t i = 0; i < 3 * (size_t)rig->triangle_count; i++) {
        uint32_t a = root_of(parent, rig->triangles[i]);
        uint32_t b = root_of(parent, rig->triangles[i - i % 3]);
        parent[a] = b;
    }
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        volumes[root_of(parent, rig->triangles[3 * (size_t)t])] += enclosed(rig, t);
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        pieces += parent[v] == v;
        inside_out += parent[v] == v && !(volumes[v] > 1e-3);
    }
    CHECK_MSG(pieces >= least, "%u pieces", pieces);
    CHECK_MSG(inside_out == 0, "%u pieces are inside out", inside_out);
    CHECK(is_closed(rig) && has_single_fans(rig));
    CHECK_MSG(rig->vertex_count == rig->triangle_count / 2 + 2 * pieces, "%u vertices",
              rig->vertex_count);
}

/* Height over longest side. */
static double slimness(const graze_rig *rig, uint32_t t)
{
    double at[3][3], sides[3], longest = 0, half = 0;
    for (int k = 0; k < 3; k++)
        get_vertex(rig, rig->triangles[3 * (size_t)t + k], at[k]);
    for (int k = 0; k < 3; k++) {
        double square = 0;
        for (int i = 0; i < 3; i++)
            square += (at[k][i] - at[(k + 1) % 3][i]) * (at[k][i] - at[(k + 1) % 3][i]);
        sides[k] = sqrt(square);
        longest = fmax(longest, sides[k]);
        half += 0.5 * sides[k];
    }
    double square = half * (half - sides[0]) * (half - sides[1]) * (half - sides[2]);
    return longest > 0 && square > 0 ? 2 * sqrt(square) / (longest * longest) : 0;
}

TEST(the_bridge_is_sound)
{
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_BRIDGE, 0, 0);
    REQUIRE(rig);
    uint32_t slim = 0;
    double slimmest = 1;
    CHECK_MSG(rig->triangle_count == 240316, "%u triangles", rig->triangle_count);
    check_pieces(rig, 1000);
    for (uint32_t t = 0; t < rig->triangle_count; t++) {
        double ratio = slimness(rig, t);
        slim += ratio < 0.1;
        slimmest = fmin(slimmest, ratio);
    }
    CHECK_MSG(slimmest > 0.03 && slim < rig->triangle_count / 20,
              "slimmest %g, %u slimmer than 0.1", slimmest, slim);
    CHECK_MSG(hash_rig(rig) == 0xee6187c28aea7869u, "the bridge hashes to 0x%016llx",
              (unsigned long long)hash_rig(rig));
}

TEST(bridges_of_any_size)
{
    static const uint32_t sizes[] = {400, 1728, 3001, 8000, 19998, 30000, 60000, 500000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        OWN(graze_rig) *rig = make(GRAZE_SYNTH_BRIDGE, sizes[i], 0);
        REQUIRE(rig);
        uint32_t wanted = sizes[i] < 1728 ? 1728 : sizes[i] & ~1u;
        CHECK_MSG(rig->triangle_count == wanted, "%u instead of %u", rig->triangle_count, sizes[i]);
        if (i < 6)
            check_pieces(rig, 100);
    }
}

TEST(the_fish_is_sound)
{
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_FISH, 0, 0);
    REQUIRE(rig);
    uint32_t slim = 0;
    CHECK_MSG(rig->triangle_count == 24776, "%u triangles", rig->triangle_count);
    check_pieces(rig, 1);
    CHECK(count_components(rig) == 1);
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        slim += slimness(rig, t) < 0.15;
    CHECK_MSG(slim < rig->triangle_count / 25, "%u triangles are slim", slim);
    CHECK_MSG(hash_rig(rig) == 0x8b356c4692a6f2c7u, "the fish hashes to 0x%016llx",
              (unsigned long long)hash_rig(rig));
}

TEST(the_sway_loops_and_leaves_the_ground_alone)
{
    for (int i = 0; i <= 40; i++) {
        for (int k = 0; k <= 8; k++) {
            grazei_vec at = vec_make(4.0 * i - 80, 2.0 * k, i % 2 ? 4.2 : -4.2);
            grazei_vec first = grazei_bridge_sway(at, 0), last = grazei_bridge_sway(at, 1);
            CHECK(vec_length(vec_sub(first, last)) < 1e-12);
        }
    }
    for (int p = 0; p < 16; p++)
        for (int side = -1; side <= 1; side += 2) {
            grazei_vec feet[2] = {vec_make(48.5 * side, 0, 5.3), vec_make(79.5 * side, 13, -3.6)};
            for (int i = 0; i < 2; i++)
                CHECK(vec_length(vec_sub(grazei_bridge_sway(feet[i], p / 16.0), feet[i])) < 1e-12);
        }
}

/* What sways goes far, but no part of the bridge is torn: edges keep their length by and large. */
TEST(the_sway_bends_but_does_not_tear)
{
    OWN(graze_rig) *rig = make(GRAZE_SYNTH_BRIDGE, 8000, 0);
    REQUIRE(rig);
    double farthest = 0, worst = 0;
    for (int p = 0; p < 12; p++)
        for (size_t i = 0; i < 3 * (size_t)rig->triangle_count; i++) {
            double at[3], to[3];
            get_vertex(rig, rig->triangles[i], at);
            get_vertex(rig, rig->triangles[i % 3 == 2 ? i - 2 : i + 1], to);
            grazei_vec a = vec_make(at[0], at[1], at[2]), b = vec_make(to[0], to[1], to[2]);
            grazei_vec c = grazei_bridge_sway(a, p / 12.0), d = grazei_bridge_sway(b, p / 12.0);
            double before = vec_length(vec_sub(a, b)), after = vec_length(vec_sub(c, d));
            farthest = fmax(farthest, vec_length(vec_sub(c, a)));
            worst = fmax(worst, fabs(after / before - 1));
        }
    CHECK_MSG(farthest > 1 && farthest < 4, "something goes %g m", farthest);
    CHECK_MSG(worst < 0.25, "an edge is stretched by %g", worst);
}

TEST(the_bridge_survives_failed_allocations)
{
    test_memory memory = {.keeps_failing = true};
    graze_synth_def def = {GRAZE_SYNTH_BRIDGE, 400, 0};
    CHECK(test_fail_each(&memory, make_by_def, &def, 1000) > 5);
}
