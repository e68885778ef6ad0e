/* Spheres, pivots and pairs of chains that are found, on every character, by brute force: pivots
 * give back the sphere at rest and move with the body, every triangle belongs to the nearest sphere
 * of its region, pairs that are looked at are some of all pairs, and no neighbours.
 */
#include "harness.h"
#include "support/chained.h"
#include "support/own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Characters with limbs. Meshes of RobotExpressive are each in its own joint's space, so that it is
 * a body only where it stands.
 */
static const struct {
    const char *name;
    bool posed;
} bodies[] = {{"man", false},          {"dwarf", false}, {"CesiumMan", false},
              {"RiggedFigure", false}, {"Fox", false},   {"RobotExpressive", true}};

enum { BODY_COUNT = sizeof bodies / sizeof *bodies };

static double distance(const float a[3], const float b[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sqrt(square);
}

/* ---- one body ---- */

static void check_rest(const chained *c, const char *name)
{
    double worst = 0;
    for (uint32_t s = 0; s < graze_chains_get_info(c->chains).sphere_count; s++) {
        graze_chain_sphere sphere = graze_chains_sphere(c->chains, s);
        uint32_t count;
        const graze_chain_pivot *pivots = graze_chains_pivots(c->chains, &count);
        float back[4];
        double norm = 0;
        chained_sphere(c->chains, s, c->rest, back);
        double r = (double)sphere.radius;
        CHECK_MSG(distance(back, sphere.centre) < 0.02 * r, "%s: centre %u is off by %g", name, s,
                  distance(back, sphere.centre) / r);
        CHECK_MSG(fabs((double)back[3] - r) < 0.05 * r, "%s: radius %u is %g, not %g", name, s,
                  (double)back[3], r);
        for (uint32_t i = 0; i < sphere.pivot_count; i++)
            norm += fabs((double)pivots[sphere.first_pivot + i].weight);
        worst = fmax(worst, norm);
    }
    /* Weights that cancel out would be thrown about by every bend. */
    CHECK_MSG(worst < 3, "%s: weights of %g", name, worst);
}

/* Every triangle is in the list of the sphere that owns it and in no other, and of all spheres of
 * the region its own is the nearest.
 */
static void check_owners(const chained *c, const char *name)
{
    const graze_chains *chains = c->chains;
    uint32_t spheres = graze_chains_get_info(chains).sphere_count, listed = 0, wrong = 0;
    for (uint32_t s = 0; s < spheres; s++) {
        uint32_t count;
        const uint32_t *own = graze_chains_triangles(chains, s, &count);
        CHECK(count > 0);
        listed += count;
        for (uint32_t i = 0; i < count; i++)
            wrong += graze_chains_triangle_sphere(chains, own[i]) != s ||
                     (i > 0 && own[i] <= own[i - 1]);
    }
    CHECK_MSG(listed == c->rig->triangle_count && !wrong, "%s: %u of %u, %u wrong", name, listed,
              c->rig->triangle_count, wrong);
    for (uint32_t t = 0; t < c->rig->triangle_count; t += 7) {
        graze_chain_sphere own =
            graze_chains_sphere(chains, graze_chains_triangle_sphere(chains, t));
        float middle[3] = {0, 0, 0};
        for (int i = 0; i < 9; i++)
            middle[i % 3] +=
                c->rest[3 * (size_t)c->rig->triangles[3 * (size_t)t + i / 3] + i % 3] / 3;
        for (uint32_t s = 0; s < spheres; s++) {
            graze_chain_sphere other = graze_chains_sphere(chains, s);
            if (other.region == own.region)
                CHECK_MSG(distance(middle, own.centre) <=
                              distance(middle, other.centre) + 1e-5 * (double)own.radius,
                          "%s: triangle %u is nearer to %u", name, t, s);
        }
    }
}

/* Whether two spheres own triangles that share a place. */
static bool share_a_place(const chained *c, uint32_t a, uint32_t b)
{
    uint32_t counts[2];
    const uint32_t *lists[2] = {graze_chains_triangles(c->chains, a, &counts[0]),
                                graze_chains_triangles(c->chains, b, &counts[1])};
    for (uint32_t i = 0; i < 3 * counts[0]; i++)
        for (uint32_t k = 0; k < 3 * counts[1]; k++) {
            uint32_t v = c->rig->triangles[3 * (size_t)lists[0][i / 3] + i % 3];
            uint32_t w = c->rig->triangles[3 * (size_t)lists[1][k / 3] + k % 3];
            const float *p = c->rest + 3 * (size_t)v, *q = c->rest + 3 * (size_t)w;
            if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2])
                return true;
        }
    return false;
}

static bool is_in(const graze_pair *pairs, uint32_t count, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < count; i++)
        if (pairs[i].a == a && pairs[i].b == b)
            return true;
    return false;
}

static bool share_a_chain(const graze_chains *chains, uint32_t a, uint32_t b)
{
    for (uint32_t c = 0; c < graze_chains_get_info(chains).chain_count; c++) {
        uint32_t count, found = 0;
        const uint32_t *chain = graze_chains_chain(chains, c, &count);
        for (uint32_t i = 0; i < count; i++)
            found += chain[i] == a || chain[i] == b;
        if (found == 2)
            return true;
    }
    return false;
}

static void check_pairs(const chained *c, const char *name)
{
    uint32_t checked_count, all_count, spheres = graze_chains_get_info(c->chains).sphere_count;
    const graze_pair *checked = graze_chains_pairs(c->chains, GRAZE_CHAIN_PAIRS, &checked_count);
    const graze_pair *all = graze_chains_pairs(c->chains, GRAZE_ALL_PAIRS, &all_count);
    uint32_t at = 0;
    CHECK_MSG(checked_count > 0 && checked_count <= all_count, "%s: %u of %u", name, checked_count,
              all_count);
    for (uint32_t i = 0; i < all_count; i++) {
        const graze_pair *pair = &all[i];
        graze_chain_sphere a = graze_chains_sphere(c->chains, pair->a);
        graze_chain_sphere b = graze_chains_sphere(c->chains, pair->b);
        CHECK(pair->a < pair->b && pair->b < spheres);
        CHECK(i == 0 || all[i - 1].a < pair->a ||
              (all[i - 1].a == pair->a && all[i - 1].b < pair->b));
        CHECK(distance(a.centre, b.centre) > (double)a.radius + (double)b.radius - 1e-6);
        /* Checked are exactly those that share a chain, in the same order. */
        bool wanted = share_a_chain(c->chains, pair->a, pair->b);
        bool there = at < checked_count && checked[at].a == pair->a && checked[at].b == pair->b;
        CHECK_MSG(wanted == there, "%s: pair %u %u", name, pair->a, pair->b);
        at += there;
    }
    CHECK_MSG(at == checked_count, "%s: %u pairs of %u are among all", name, at, checked_count);
    /* What is left out overlaps, hangs together, or follows each other. */
    for (uint32_t a = 0; a < spheres; a++)
        for (uint32_t b = a + 1; b < spheres && b < a + 2; b++) {
            graze_chain_sphere x = graze_chains_sphere(c->chains, a);
            graze_chain_sphere y = graze_chains_sphere(c->chains, b);
            if (x.region == y.region)
                CHECK_MSG(!is_in(all, all_count, a, b), "%s: %u %u are neighbours", name, a, b);
        }
}

/* A turn about a slanted axis and a shift, as 3 rows of 4. */
static void make_motion(double angle, float out[12])
{
    const double axis[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7}, shift[3] = {0.3, -0.2, 0.4};
    double s = sin(angle), c = cos(angle);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int j = 3 - i - k;
            double crossed = i == k ? 0 : ((k - i + 3) % 3 == 1 ? -axis[j] : axis[j]);
            out[4 * i + k] = (float)((i == k ? c : 0) + (1 - c) * axis[i] * axis[k] + s * crossed);
        }
    for (int i = 0; i < 3; i++)
        out[4 * i + 3] = (float)shift[i];
}

/* Real poses, and the same with the whole body moved: radii stay, centres go along. Returns the
 * most that a radius changes.
 */
static double check_motion(const chained *c, const char *name)
{
    graze_rig *rig = c->rig;
    OWN(graze_body) *body = NULL;
    double worst = 0, size = strcmp(name, "Fox") == 0 ? 100 : 1; /* in centimetres */
    OWNED float *still = malloc(12 * (size_t)rig->vertex_count);
    OWNED float *moved = malloc(12 * (size_t)rig->vertex_count);
    CHECK(still && moved && graze_body_create(c->model, &body, NULL) == GRAZE_OK);
    for (int step = 0; body && step < 4; step++) {
        float motion[12];
        uint32_t clip = rig->clip_count ? 0 : GRAZE_NONE;
        make_motion(0.4 + 1.3 * step, motion);
        CHECK(graze_rig_pose_body(rig, clip, 0.2 * step, NULL, body, NULL) == GRAZE_OK);
        graze_body_get_positions(body, still);
        CHECK(graze_rig_pose_body(rig, clip, 0.2 * step, motion, body, NULL) == GRAZE_OK);
        graze_body_get_positions(body, moved);
        for (uint32_t s = 0; s < graze_chains_get_info(c->chains).sphere_count; s++) {
            float a[4], b[4], to[3];
            chained_sphere(c->chains, s, still, a);
            chained_sphere(c->chains, s, moved, b);
            for (int k = 0; k < 3; k++)
                to[k] = motion[4 * k] * a[0] + motion[4 * k + 1] * a[1] + motion[4 * k + 2] * a[2] +
                        motion[4 * k + 3];
            double change = fabs((double)b[3] - (double)a[3]) / size;
            worst = fmax(worst, change);
            CHECK_MSG(change < 1e-5, "%s: radius %u, %g and %g", name, s, (double)a[3],
                      (double)b[3]);
            CHECK_MSG(distance(to, b) < 1e-5 * size, "%s: centre %u", name, s);
        }
    }
    return worst;
}

TEST(every_character_has_sound_spheres_and_pairs)
{
    uint32_t seen = 0;
    double worst = 0;
    for (uint32_t i = 0; i < BODY_COUNT; i++) {
        graze_rig *rig = chained_rig(bodies[i].name);
        if (!rig)
            continue;
        OWN(chained) c = chained_open(rig, NULL, bodies[i].posed);
        if (c.chains) {
            check_rest(&c, bodies[i].name);
            check_owners(&c, bodies[i].name);
            check_pairs(&c, bodies[i].name);
            worst = fmax(worst, check_motion(&c, bodies[i].name));
            seen++;
        }
    }
    printf("     moved as a whole, radii change by up to %.2g\n", worst);
    CHECK(seen >= 2 && (!test_models_folder() || seen == BODY_COUNT));
}

/* Pairs that no list of all pairs has are neighbours by the rule; only where triangles are few, as
 * it compares all places.
 */
TEST(only_neighbours_are_left_out)
{
    graze_rig *rig = chained_rig("dwarf");
    REQUIRE(rig);
    OWN(chained) c = chained_open(rig, NULL, false);
    REQUIRE(c.chains);
    uint32_t count, spheres = graze_chains_get_info(c.chains).sphere_count;
    const graze_pair *all = graze_chains_pairs(c.chains, GRAZE_ALL_PAIRS, &count);
    for (uint32_t a = 0; a < spheres; a++)
        for (uint32_t b = a + 1; b < spheres; b++) {
            graze_chain_sphere x = graze_chains_sphere(c.chains, a);
            graze_chain_sphere y = graze_chains_sphere(c.chains, b);
            bool overlap = distance(x.centre, y.centre) <= (double)x.radius + (double)y.radius;
            if (is_in(all, count, a, b))
                CHECK_MSG(!overlap && !share_a_place(&c, a, b), "%u %u", a, b);
            else if (!overlap && !share_a_place(&c, a, b)) /* along a limb, or of one row */
                CHECK_MSG(x.region == y.region || b == a + 1, "%u %u", a, b);
        }
}

/* In walking poses spheres stay near the triangles that they own. */
TEST(spheres_follow_their_triangles_in_poses)
{
    graze_rig *rig = chained_rig("man");
    REQUIRE(rig);
    for (uint32_t pivots = 4; pivots <= 16; pivots += 12) {
        graze_chain_def def = {0};
        def.pivots = pivots;
        OWN(chained) c = chained_open(rig, &def, false);
        OWN(graze_body) *body = NULL;
        REQUIRE(c.chains && graze_body_create(c.model, &body, NULL) == GRAZE_OK);
        OWNED float *posed = malloc(12 * (size_t)rig->vertex_count);
        double worst = 0;
        for (int step = 0; step < 8; step++) {
            CHECK(graze_rig_pose_body(rig, 0, 0.13 * step, NULL, body, NULL) == GRAZE_OK);
            graze_body_get_positions(body, posed);
            for (uint32_t s = 0; s < graze_chains_get_info(c.chains).sphere_count; s++) {
                graze_chain_sphere rest = graze_chains_sphere(c.chains, s);
                uint32_t count;
                const uint32_t *own = graze_chains_triangles(c.chains, s, &count);
                float at[4];
                double sums[2] = {0, 0};
                chained_sphere(c.chains, s, posed, at);
                CHECK_MSG((double)at[3] > 0.7 * (double)rest.radius &&
                              (double)at[3] < 1.5 * (double)rest.radius,
                          "radius %u: %g, at rest %g", s, (double)at[3], (double)rest.radius);
                for (uint32_t i = 0; i < 3 * count; i++) {
                    size_t v = 3 * (size_t)rig->triangles[3 * (size_t)own[i / 3] + i % 3];
                    sums[0] += fabs(distance(c.rest + v, rest.centre) - (double)rest.radius);
                    sums[1] += fabs(distance(posed + v, at) - (double)at[3]);
                }
                worst = fmax(worst, (sums[1] - sums[0]) / (3 * count) / (double)rest.radius);
            }
        }
        printf("     %u pivots: F grows by up to %.3f r\n", pivots, worst);
        CHECK_MSG(worst < 0.25, "F grows by %g", worst);
    }
}

/* ---- the paper's ---- */

TEST(plain_pivots_are_four_triangles_of_the_same_weight)
{
    graze_rig *rig = chained_rig("man");
    REQUIRE(rig);
    graze_chain_def def = {0};
    def.paper_pivots = true;
    OWN(chained) c = chained_open(rig, &def, false);
    REQUIRE(c.chains && graze_chains_get_info(c.chains).vertices_per_pivot == 3);
    uint32_t count;
    const graze_chain_pivot *pivots = graze_chains_pivots(c.chains, &count);
    CHECK(count == 4 * graze_chains_get_info(c.chains).sphere_count);
    for (uint32_t s = 0; s < graze_chains_get_info(c.chains).sphere_count; s++) {
        graze_chain_sphere sphere = graze_chains_sphere(c.chains, s);
        uint32_t own_count;
        const uint32_t *own = graze_chains_triangles(c.chains, s, &own_count);
        CHECK(sphere.pivot_count == 4 && sphere.radius_factor == 1);
        for (uint32_t i = 0; i < 4; i++) {
            const graze_chain_pivot *pivot = &pivots[sphere.first_pivot + i];
            bool found = own_count < 4; /* then they are the region's */
            for (uint32_t t = 0; t < own_count; t++)
                found = found || memcmp(pivot->vertices, rig->triangles + 3 * (size_t)own[t],
                                        sizeof pivot->vertices) == 0;
            CHECK_MSG(found && pivot->weight == 0.25f, "sphere %u, pivot %u", s, i);
        }
    }
}

/* F by its formula. Smallest balls lose; spheres of least squares, which are fitted to the
 * vertices, win there, and lose where rays meet the skin.
 */
TEST(misfit_is_the_mean_of_its_formula)
{
    graze_rig *rig = chained_rig("man");
    REQUIRE(rig);
    OWN(chained) c = chained_open(rig, NULL, false);
    REQUIRE(c.chains);
    graze_chain_misfit all[3], hits[3];
    for (int fit = 0; fit < 3; fit++)
        CHECK(graze_chains_misfit(c.chains, GRAZE_NONE, (graze_chain_fit)fit, &all[fit], &hits[fit],
                                  NULL) == GRAZE_OK);
    double sum = 0, most = 0;
    uint32_t points = 0, *stamps = calloc(rig->vertex_count, sizeof *stamps);
    for (uint32_t s = 0; s < graze_chains_get_info(c.chains).sphere_count; s++) {
        graze_chain_sphere sphere = graze_chains_sphere(c.chains, s);
        uint32_t count;
        const uint32_t *own = graze_chains_triangles(c.chains, s, &count);
        for (uint32_t i = 0; i < 3 * count; i++) {
            uint32_t v = rig->triangles[3 * (size_t)own[i / 3] + i % 3];
            if (stamps[v] == s + 1)
                continue;
            stamps[v] = s + 1;
            double f =
                fabs((double)sphere.radius - distance(c.rest + 3 * (size_t)v, sphere.centre));
            sum += f;
            most = fmax(most, f);
            points++;
        }
    }
    free(stamps);
    CHECK(all[0].count == points && fabs(all[0].mean - sum / points) < 1e-9 &&
          fabs(all[0].max - most) < 1e-9);
    CHECK(hits[0].count > 80 && hits[1].count == hits[0].count && all[2].count == points);
    CHECK_MSG(all[0].mean < all[2].mean && hits[0].mean < 0.6 * hits[2].mean,
              "ours %g %g, balls %g %g", all[0].mean, hits[0].mean, all[2].mean, hits[2].mean);
    CHECK_MSG(hits[0].mean < hits[1].mean && all[1].mean < all[0].mean,
              "ours %g %g, least squares %g %g", all[0].mean, hits[0].mean, all[1].mean,
              hits[1].mean);
    uint32_t parts = 0;
    double shares = 0;
    for (uint32_t r = 0; r < graze_chains_get_info(c.chains).region_count; r++) {
        graze_chain_misfit one;
        CHECK(graze_chains_misfit(c.chains, r, GRAZE_FIT_FOUND, &one, NULL, NULL) == GRAZE_OK);
        parts += one.count;
        shares += one.mean * one.count;
    }
    CHECK(parts == points && fabs(shares - sum) < 1e-6);
    graze_error error;
    CHECK(graze_chains_misfit(c.chains, 99, GRAZE_FIT_FOUND, NULL, NULL, &error) ==
          GRAZE_BAD_INPUT);
    CHECK(strcmp(error.text, "region 99 of 7") == 0);
    CHECK(graze_chains_misfit(c.chains, 0, (graze_chain_fit)3, NULL, NULL, &error) ==
          GRAZE_BAD_INPUT);
    CHECK(strcmp(error.text, "there is no fit 3") == 0);
}

/* Neighbours along a limb overlap about as much as is wanted. */
TEST(spheres_overlap_as_wanted)
{
    graze_rig *rig = chained_rig("man");
    REQUIRE(rig);
    double before = -1;
    for (int step = 0; step < 2; step++) {
        graze_chain_def def = {0};
        def.overlap = 0.3f + 0.15f * (float)step;
        OWN(chained) c = chained_open(rig, &def, false);
        REQUIRE(c.chains);
        double sum = 0;
        uint32_t pairs = 0, count = graze_chains_get_info(c.chains).sphere_count;
        for (uint32_t s = 0; s + 1 < count; s++) {
            graze_chain_sphere a = graze_chains_sphere(c.chains, s);
            graze_chain_sphere b = graze_chains_sphere(c.chains, s + 1);
            const char *name = graze_chains_region_name(c.chains, a.region);
            if (a.region != b.region || strncmp(name, "torso", 5) == 0)
                continue;
            sum += 1 - distance(a.centre, b.centre) / ((double)a.radius + (double)b.radius);
            pairs++;
        }
        printf("     wanted %.2f: %.3f, %u spheres\n", (double)def.overlap, sum / pairs, count);
        CHECK_MSG(fabs(sum / pairs - (double)def.overlap) < 0.05, "%g", sum / pairs);
        CHECK(sum / pairs > before);
        before = sum / pairs;
    }
}
