/* Regions and chains that are found or described: the paper's for a human, whatever joints are
 * called; by shape alone; other bodies; bad input.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/chained.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigid.h"
#include "support/solids.h"

#include "scenes/synth.h"
#include "scenes/worm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the paper's chains ---- */

static uint32_t count_in(const graze_chains *chains, uint32_t chain, const char *region)
{
    uint32_t count, found = 0, number = chained_region(chains, region);
    const uint32_t *spheres = graze_chains_chain(chains, chain, &count);
    for (uint32_t i = 0; i < count; i++)
        found += graze_chains_sphere(chains, spheres[i]).region == number;
    return found;
}

static uint32_t count_all(const graze_chains *chains, const char *region)
{
    uint32_t found = 0, number = chained_region(chains, region);
    for (uint32_t s = 0; s < graze_chains_get_info(chains).sphere_count; s++)
        found += graze_chains_sphere(chains, s).region == number;
    return found;
}

/* The chain that has two limbs as a whole, or UINT32_MAX. */
static uint32_t chain_of(const graze_chains *chains, const char *a, const char *b)
{
    for (uint32_t c = 0; c < graze_chains_get_info(chains).chain_count; c++)
        if (count_in(chains, c, a) && count_in(chains, c, b))
            return c;
    return UINT32_MAX;
}

/* Table 1: each chain has two limbs and no other; of the torso a side, an end, or both. */
static void check_table(const graze_chains *chains, const char *name)
{
    static const char *const limbs[] = {"arm.L", "arm.R", "leg.L", "leg.R"};
    CHECK_MSG(graze_chains_get_info(chains).chain_count == 6, "%s: %u chains", name,
              graze_chains_get_info(chains).chain_count);
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 4; b++) {
            uint32_t chain = chain_of(chains, limbs[a], limbs[b]);
            REQUIRE(chain != UINT32_MAX);
            for (int k = 0; k < 4; k++)
                CHECK(count_in(chains, chain, limbs[k]) ==
                      (k == a || k == b ? count_all(chains, limbs[k]) : 0));
            uint32_t left = count_in(chains, chain, "torso.L");
            uint32_t right = count_in(chains, chain, "torso.R");
            uint32_t lefts = count_all(chains, "torso.L"), rights = count_all(chains, "torso.R");
            if (b == a + 2) /* arm and leg of one side: all of that side, none of the other */
                CHECK_MSG(left == (a ? 0 : lefts) && right == (a ? rights : 0), "%s: %s and %s",
                          name, limbs[a], limbs[b]);
            else if (b == a + 1 && a != 1) /* two arms or legs: one end */
                CHECK_MSG(left > 0 && left < lefts && right > 0 && right < rights, "%s: %s, %s",
                          name, limbs[a], limbs[b]);
            else /* crosswise: the leg's side, and the top of the other */
                CHECK_MSG(b == 2 ? left == lefts && right > 0 && right < rights
                                 : right == rights && left > 0 && left < lefts,
                          "%s: %s and %s", name, limbs[a], limbs[b]);
            CHECK((count_in(chains, chain, "head") > 0) == (a == 0 && b != 2) ||
                  (a == 1 && b == 2));
        }
}

TEST(a_human_has_the_six_chains_of_the_paper)
{
    static const char *const names[] = {"man", "dwarf", "CesiumMan", "RiggedFigure"};
    for (int i = 0; i < 4; i++) {
        graze_rig *rig = chained_rig(names[i]);
        if (!rig)
            continue;
        OWN(chained) c = chained_open(rig, NULL, false);
        REQUIRE(c.chains);
        check_table(c.chains, names[i]);
        CHECK(graze_chains_get_info(c.chains).region_count == 7);
        /* Left is left: files say so by the names of joints, and the man stands facing +z. */
        if (i < 2)
            for (uint32_t s = 0; s < graze_chains_get_info(c.chains).sphere_count; s++) {
                graze_chain_sphere sphere = graze_chains_sphere(c.chains, s);
                const char *region = graze_chains_region_name(c.chains, sphere.region);
                if (strcmp(region, "arm.L") == 0 || strcmp(region, "leg.L") == 0)
                    CHECK(sphere.centre[0] > 0);
            }
    }
}

/* ---- names that say nothing ---- */

static bool are_same(const graze_chains *a, const graze_chains *b)
{
    if (graze_chains_get_info(a).sphere_count != graze_chains_get_info(b).sphere_count)
        return false;
    for (uint32_t s = 0; s < graze_chains_get_info(a).sphere_count; s++) {
        graze_chain_sphere x = graze_chains_sphere(a, s), y = graze_chains_sphere(b, s);
        if (memcmp(&x, &y, sizeof x) != 0 ||
            strcmp(graze_chains_region_name(a, x.region), graze_chains_region_name(b, y.region)))
            return false;
    }
    return true;
}

TEST(names_of_joints_are_only_a_hint)
{
    static const char *const names[] = {"man", "dwarf", "creature", "Fox"};
    for (int i = 0; i < 4; i++) {
        graze_rig *rig = chained_rig(names[i]);
        if (!rig)
            continue;
        OWN(chained) c = chained_open(rig, NULL, false);
        REQUIRE(c.chains);
        OWNED graze_part_def *defs = calloc(rig->joint_count, sizeof *defs);
        for (uint32_t j = 0; j < rig->joint_count; j++) {
            defs[j].parent = graze_part_parent(c.joints, j);
            defs[j].inside = defs[j].parent != GRAZE_NONE;
        }
        graze_part_names_def def = {.parts = defs, .part_count = rig->joint_count};
        OWN(graze_part_names) *nameless = NULL;
        OWN(graze_chains) *found = NULL;
        graze_chain_def wanted = {0};
        CHECK(graze_part_names_create(&def, &nameless, NULL) == GRAZE_OK);
        CHECK(graze_chains_create(c.model, nameless, &wanted, &found, NULL) == GRAZE_OK);
        /* Left may be the other side then: but for that, the same regions. */
        CHECK_MSG(graze_chains_get_info(found).region_count ==
                          graze_chains_get_info(c.chains).region_count &&
                      graze_chains_get_info(found).chain_count ==
                          graze_chains_get_info(c.chains).chain_count,
                  "%s: %u regions", names[i], graze_chains_get_info(found).region_count);
        if (i < 3)
            CHECK_MSG(are_same(found, c.chains), "%s", names[i]);
    }
}

TEST(nesting_of_joints_can_be_guessed)
{
    graze_rig *rig = chained_rig("dwarf");
    REQUIRE(rig);
    OWN(chained) c = chained_open(rig, NULL, false);
    OWN(graze_chains) *found = NULL;
    graze_chain_def def = {0};
    REQUIRE(c.chains);
    CHECK(graze_chains_create(c.model, NULL, &def, &found, NULL) == GRAZE_OK);
    check_table(found, "dwarf without nesting");
}

/* ---- ends ---- */

TEST(ends_are_regions_where_that_is_wanted)
{
    static const char *const ends[] = {"hand.L", "hand.R",     "foot.L",    "foot.R",
                                       "head",   "finger.L.1", "finger.R.2"};
    graze_rig *rig = chained_rig("man");
    graze_chain_def def = {0};
    REQUIRE(rig);
    def.hands = def.feet = def.fingers = true;
    chained c = chained_open(rig, &def, false);
    REQUIRE(c.chains);
    for (int i = 0; i < 7; i++)
        CHECK_MSG(chained_region(c.chains, ends[i]) != GRAZE_NONE, "%s", ends[i]);
    /* Hands go where their arms go. */
    CHECK(graze_chains_get_info(c.chains).chain_count == 6);
    uint32_t chain = chain_of(c.chains, "arm.L", "leg.R");
    CHECK(chain < 6 && count_in(c.chains, chain, "hand.L") == count_all(c.chains, "hand.L") &&
          count_in(c.chains, chain, "finger.L.1") && count_in(c.chains, chain, "foot.R") &&
          !count_in(c.chains, chain, "hand.R") && !count_in(c.chains, chain, "foot.L"));
    chained_close(&c);
    def = (graze_chain_def){0};
    def.merge_head = true;
    c = chained_open(rig, &def, false);
    REQUIRE(c.chains);
    CHECK(chained_region(c.chains, "head") == GRAZE_NONE &&
          graze_chains_get_info(c.chains).region_count == 6);
    /* The torso then goes on to the top of the head. */
    float top = 0;
    for (uint32_t s = 0; s < graze_chains_get_info(c.chains).sphere_count; s++)
        top = fmaxf(top, graze_chains_sphere(c.chains, s).centre[1]);
    CHECK(top > 1.6f);
    chained_close(&c);
}

/* ---- by shape ---- */

static graze_status chains_of_shape(const graze_model_def *from, graze_chains **chains,
                                    graze_error *error)
{
    graze_model_def def = *from;
    graze_chain_def wanted = {0};
    OWN(graze_model) *model = NULL;
    def.joint_count = 1;
    def.influence_offsets = NULL;
    def.influences = NULL;
    def.morph_count = 0;
    CHECK(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    graze_status status = graze_chains_create(model, NULL, &wanted, chains, error);
    return status;
}

TEST(a_standing_shape_has_the_same_chains)
{
    static const char *const names[] = {"man", "dwarf"};
    for (int i = 0; i < 2; i++) {
        graze_rig *rig = chained_rig(names[i]);
        OWN(graze_chains) *chains = NULL;
        graze_error error = {GRAZE_OK, ""};
        REQUIRE(rig);
        graze_model_def def = graze_rig_model_def(rig);
        CHECK_MSG(chains_of_shape(&def, &chains, &error) == GRAZE_OK, "%s", error.text);
        if (chains)
            check_table(chains, names[i]);
        /* Arms by shape are about where they are by weights. */
        OWN(chained) c = chained_open(rig, NULL, false);
        uint32_t same = 0, count = 0;
        for (uint32_t t = 0; chains && c.chains && t < rig->triangle_count; t++) {
            uint32_t a = graze_chains_triangle_sphere(chains, t);
            uint32_t b = graze_chains_triangle_sphere(c.chains, t);
            same += strcmp(graze_chains_region_name(chains, graze_chains_sphere(chains, a).region),
                           graze_chains_region_name(c.chains,
                                                    graze_chains_sphere(c.chains, b).region)) == 0;
            count++;
        }
        printf("     %s: %.3f of all triangles are of the same region\n", names[i],
               (double)same / count);
        CHECK(same > (i ? 0.7 : 0.85) * count);
    }
}

static graze_model_def def_of_solid(const solid *s)
{
    return test_rigid_def(s->positions, s->vertex_count, s->triangles, s->triangle_count);
}

TEST(shapes_that_are_no_body_are_refused_in_words)
{
    graze_chains *chains = NULL;
    graze_error error = {GRAZE_OK, ""};
    solid sheet = {0};
    OWN(solid) two = {0};
    solid_add_sheet(&sheet, 1, 1, 6);
    graze_model_def def = def_of_solid(&sheet);
    CHECK(chains_of_shape(&def, &chains, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text,
                     "the surface is open: regions by shape need a closed one; without a"
                     " skin, give regions") == 0,
              "%s", error.text);
    solid_free(&sheet);
    solid_add_ball(&two, 1, 8);
    solid_add_ball(&two, 3, 8);
    def = def_of_solid(&two);
    CHECK(chains_of_shape(&def, &chains, &error) == GRAZE_BAD_INPUT && !chains);
    CHECK_MSG(strcmp(error.text, "the surface is in 2 pieces: regions by shape need one; without a"
                                 " skin, give regions") == 0,
              "%s", error.text);
}

/* A body without limbs is one tube and one chain, skinned or not. */
TEST(bodies_without_limbs_are_one_tube)
{
    graze_chains *chains = NULL;
    solid pill = {0};
    double profile[49][2]; /* half balls, and rings between them */
    for (int i = 0; i < 49; i++) {
        double along = i < 8 ? i / 8.0 - 1 : i > 40 ? (i - 40) / 8.0 : 0;
        profile[i][0] = i == 0 || i == 48 ? 0 : 0.2 * sqrt(1 - along * along);
        profile[i][1] = i < 8 ? -1 + 0.2 * along : i > 40 ? 1 + 0.2 * along : (i - 24) / 16.0;
    }
    solid_add_round(&pill, profile, 49, 24);
    graze_model_def def = def_of_solid(&pill);
    CHECK(chains_of_shape(&def, &chains, NULL) == GRAZE_OK);
    REQUIRE(chains);
    uint32_t count;
    CHECK(graze_chains_get_info(chains).region_count == 1 &&
          graze_chains_get_info(chains).chain_count == 1);
    CHECK(strcmp(graze_chains_region_name(chains, 0), "body") == 0);
    graze_chains_chain(chains, 0, &count);
    CHECK(count == graze_chains_get_info(chains).sphere_count && count > 4);
    for (uint32_t s = 0; s < count; s++) {
        graze_chain_sphere sphere = graze_chains_sphere(chains, s);
        CHECK_MSG(hypot((double)sphere.centre[0], (double)sphere.centre[1]) < 0.03 &&
                      fabs((double)sphere.radius - 0.2) < 0.05,
                  "sphere %u: %g %g %g, %g", s, (double)sphere.centre[0], (double)sphere.centre[1],
                  (double)sphere.centre[2], (double)sphere.radius);
    }
    graze_chains_destroy(chains);
    solid_free(&pill);
    graze_worm_def worm = {800, 40, 4};
    OWN(graze_rig) *rig = NULL;
    REQUIRE(graze_worm(&worm, NULL, &rig, NULL) == GRAZE_OK);
    OWN(chained) c = chained_open(rig, NULL, false);
    REQUIRE(c.chains);
    CHECK(graze_chains_get_info(c.chains).region_count == 1 &&
          graze_chains_get_info(c.chains).chain_count == 1);
    CHECK(graze_chains_get_info(c.chains).sphere_count > 10);
    graze_chains_pairs(c.chains, GRAZE_CHAIN_PAIRS, &count);
    CHECK(count > 40);
}

/* ---- other bodies ---- */

/* A ball with arms around it, each a capsule on a joint of its own, which do not touch it. */
enum { ARMS = 8, RINGS = 8 };

static void make_octopus(solid *s, uint32_t **offsets, graze_influence **influences)
{
    uint32_t ends[ARMS + 1];
    solid_add_ball(s, 0.4, RINGS);
    ends[0] = s->vertex_count;
    for (int arm = 0; arm < ARMS; arm++) {
        double angle = 2 * 3.14159265358979 * arm / ARMS + 0.2;
        solid_add_capsule(s, 0.1, 0.6, RINGS);
        ends[arm + 1] = s->vertex_count;
        for (uint32_t v = ends[arm]; v < ends[arm + 1]; v++) {
            float *p = s->positions + 3 * (size_t)v, x = p[0], y = p[1];
            double along = (double)p[2] + 1.12;
            p[0] = (float)(along * cos(angle) - (double)x * sin(angle));
            p[2] = (float)(along * sin(angle) + (double)x * cos(angle));
            p[1] = y - 0.1f;
        }
    }
    *offsets = calloc((size_t)s->vertex_count + 1, sizeof **offsets);
    *influences = calloc(s->vertex_count, sizeof **influences);
    for (uint32_t v = 0, piece = 0; v < s->vertex_count; v++) {
        piece += v == ends[piece];
        (*offsets)[v + 1] = v + 1;
        (*influences)[v] = (graze_influence){piece, 1};
    }
}

TEST(an_octopus_has_a_chain_for_each_pair_of_arms)
{
    OWN(solid) s = {0};
    graze_model_def def;
    OWN(graze_model) *model = NULL;
    OWN(graze_part_names) *joints = NULL;
    graze_part_def nesting[ARMS + 1] = {{.name = NULL}};
    graze_part_names_def parts_def = {.parts = nesting, .part_count = ARMS + 1};
    OWNED uint32_t *offsets = NULL;
    OWNED graze_influence *influences = NULL;
    for (int i = 1; i <= ARMS; i++)
        nesting[i].inside = true; /* the body, which is 0 */
    make_octopus(&s, &offsets, &influences);
    def = def_of_solid(&s);
    def.joint_count = ARMS + 1;
    def.influence_offsets = offsets;
    def.influences = influences;
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    CHECK(graze_part_names_create(&parts_def, &joints, NULL) == GRAZE_OK);
    for (int given = 0; given < 2; given++) {
        graze_chain_def wanted = {0};
        OWN(graze_chains) *chains = NULL;
        graze_error error = {GRAZE_OK, ""};
        static const char *const names[ARMS + 1] = {"mantle", "a", "b", "c", "d",
                                                    "e",      "f", "g", "h"};
        graze_region_def regions[ARMS + 1];
        uint32_t joint_regions[ARMS + 1];
        for (uint32_t r = 0; r <= ARMS; r++) {
            regions[r] =
                (graze_region_def){names[r], r ? GRAZE_REGION_TUBE : GRAZE_REGION_TRUNK, r > 0, 0};
            joint_regions[r] = r;
        }
        wanted.spheres_per_level = 1;
        if (given) {
            wanted.regions = regions;
            wanted.region_count = ARMS + 1;
            wanted.joint_regions = joint_regions;
        }
        CHECK_MSG(graze_chains_create(model, given ? NULL : joints, &wanted, &chains, &error) ==
                      GRAZE_OK,
                  "%s", error.text);
        REQUIRE(chains);
        CHECK_MSG(graze_chains_get_info(chains).region_count == ARMS + 1 &&
                      graze_chains_get_info(chains).chain_count == ARMS * (ARMS - 1) / 2,
                  "%u regions, %u chains", graze_chains_get_info(chains).region_count,
                  graze_chains_get_info(chains).chain_count);
        CHECK(strcmp(graze_chains_region_name(chains, 0), given ? "mantle" : "torso") == 0);
        /* Every sphere is in a chain, the trunk's in all where all arms hang side by side. */
        for (uint32_t sphere = 0; sphere < graze_chains_get_info(chains).sphere_count; sphere++) {
            uint32_t found = 0, count;
            for (uint32_t c = 0; c < graze_chains_get_info(chains).chain_count; c++) {
                const uint32_t *chain = graze_chains_chain(chains, c, &count);
                for (uint32_t i = 0; i < count; i++)
                    found += chain[i] == sphere;
            }
            CHECK_MSG(found >= ARMS - 1, "sphere %u is in %u chains", sphere, found);
        }
    }
}

TEST(a_quadruped_has_a_tail_and_four_legs)
{
    static const char *const names[] = {"creature", "Fox"};
    static const char *const regions[] = {"leg.front.L", "leg.front.R", "leg.back.L", "leg.back.R",
                                          "tail",        "head",        "torso.L",    "torso.R"};
    for (int i = 0; i < 2; i++) {
        graze_rig *rig = chained_rig(names[i]);
        if (!rig)
            continue;
        OWN(chained) c = chained_open(rig, NULL, false);
        REQUIRE(c.chains);
        for (int r = 0; r < 8; r++)
            CHECK_MSG(chained_region(c.chains, regions[r]) != GRAZE_NONE, "%s: %s", names[i],
                      regions[r]);
        CHECK(graze_chains_get_info(c.chains).chain_count == 10);
    }
}

/* ---- what chains skip ---- */

/* How many pairs of two regions are looked at. */
static uint32_t count_pairs(const graze_chains *chains, const char *a, const char *b)
{
    uint32_t count, found = 0, r = chained_region(chains, a), s = chained_region(chains, b);
    const graze_pair *pairs = graze_chains_pairs(chains, GRAZE_CHAIN_PAIRS, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = graze_chains_sphere(chains, pairs[i].a).region;
        uint32_t y = graze_chains_sphere(chains, pairs[i].b).region;
        found += (x == r && y == s) || (x == s && y == r);
    }
    return found;
}

TEST(pairs_that_chains_skip_can_be_added)
{
    static const graze_region_names also[] = {{"leg.L", "torso.R"}, {"torso", "torso"}};
    static const graze_region_names unknown[] = {{"leg.L", "tentacle"}};
    graze_rig *rig = chained_rig("man");
    graze_chain_def def = {0};
    REQUIRE(rig);
    chained plain = chained_open(rig, &def, false);
    def.also = also;
    def.also_count = 2;
    OWN(chained) added = chained_open(rig, &def, false);
    REQUIRE(plain.chains && added.chains);
    uint32_t all_plain, all_added, checked;
    graze_chains_pairs(plain.chains, GRAZE_ALL_PAIRS, &all_plain);
    graze_chains_pairs(added.chains, GRAZE_ALL_PAIRS, &all_added);
    graze_chains_pairs(added.chains, GRAZE_CHAIN_PAIRS, &checked);
    CHECK(all_plain == all_added);
    CHECK(count_pairs(added.chains, "leg.L", "torso.R") >
          count_pairs(plain.chains, "leg.L", "torso.R"));
    CHECK(count_pairs(added.chains, "torso.L", "torso.R") >=
          count_pairs(plain.chains, "torso.L", "torso.R"));
    CHECK(checked < all_added); /* the right leg's are skipped still */
    chained_close(&plain);
    def.also = unknown;
    def.also_count = 1;
    graze_chains *none = NULL;
    graze_error error = {GRAZE_OK, ""};
    CHECK(graze_chains_create(added.model, added.joints, &def, &none, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "there is no region tentacle to look at also") == 0, "%s",
              error.text);
}

/* ---- bad input ---- */

typedef struct attempt {
    graze_model *model;
    graze_part_names *joints;
    graze_chain_def def;
    graze_region_def regions[3];
    uint32_t joint_regions[64];
} attempt;

static void reset(attempt *a)
{
    a->def = (graze_chain_def){0};
    a->regions[0] = (graze_region_def){"body", GRAZE_REGION_TRUNK, false, 0};
    a->regions[1] = (graze_region_def){"arm", GRAZE_REGION_TUBE, true, 0};
    a->regions[2] = (graze_region_def){"hand", GRAZE_REGION_TUBE, true, 1};
}

static void give(attempt *a)
{
    memset(a->joint_regions, 0, sizeof a->joint_regions);
    a->def.regions = a->regions;
    a->def.region_count = 3;
    a->def.joint_regions = a->joint_regions;
}

static void refuse(const attempt *a, const char *text)
{
    graze_chains *chains = NULL;
    graze_error error = {GRAZE_OK, ""};
    CHECK(graze_chains_create(a->model, a->joints, &a->def, &chains, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, text) == 0, "%s", error.text);
    CHECK(!chains);
}

#define REFUSE(change, text)                                                                       \
    do {                                                                                           \
        reset(&a);                                                                                 \
        change;                                                                                    \
        refuse(&a, text);                                                                          \
    } while (0)

TEST(bad_defs_are_refused_in_words)
{
    graze_rig *rig = chained_rig("dwarf");
    attempt a = {0};
    REQUIRE(rig && graze_rig_create_model(rig, NULL, &a.model, NULL) == GRAZE_OK);
    REQUIRE(graze_rig_part_names(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &a.joints, NULL) ==
            GRAZE_OK);
    float *positions = calloc(rig->vertex_count, 12);
    positions[3 * 7 + 1] = NAN;
    REFUSE(a.def.step = -1, "the step is -1");
    REFUSE(a.def.step = NAN, "the step is nan");
    REFUSE(a.def.step = 1e-6f,
           "the step is 1e-06, less than a ten-thousandth of the height, 1.19847");
    REFUSE(a.def.rays = 7, "7 rays: expected 8 to 1024");
    REFUSE(a.def.rays = 1025, "1025 rays: expected 8 to 1024");
    REFUSE(a.def.spheres_per_level = 9, "9 spheres a level: expected 1 to 8");
    REFUSE(a.def.overlap = 0.95f, "an overlap of 0.95: expected 0 to 0.9");
    REFUSE(a.def.overlap = NAN, "an overlap of nan: expected 0 to 0.9");
    REFUSE(a.def.pivots = 3, "3 pivots: expected 4 to 16");
    REFUSE(a.def.pivots = 17, "17 pivots: expected 4 to 16");
    REFUSE(a.def.fingers = true, "fingers are regions only where hands are");
    REFUSE(a.def.also_count = 1, "the regions to look at also are NULL");
    REFUSE(a.def.positions = positions, "the position of vertex 7 has nan in it");
    positions[3 * 7 + 1] = 0;
    REFUSE(a.def.positions = positions, "no triangle of the model has an area");
    free(positions);
    graze_part_names *own = a.joints, *few = NULL;
    graze_part_def one = {.name = NULL};
    graze_part_names_def few_def = {.parts = &one, .part_count = 1};
    CHECK(graze_part_names_create(&few_def, &few, NULL) == GRAZE_OK);
    a.joints = few;
    REFUSE((void)0, "1 names of joints, and 45 joints in the model");
    a.joints = own;
    graze_part_names_destroy(few);
    REFUSE((give(&a), a.def.region_count = 0), "0 regions: expected 1 to 1024");
    REFUSE((give(&a), a.def.joint_regions = NULL),
           "regions are given, so one of triangle_regions and joint_regions is");
    REFUSE((give(&a), a.regions[1].name = NULL), "region 1 has no name");
    REFUSE((give(&a), a.regions[1].name = "body"), "regions 0 and 1 are both body");
    REFUSE((give(&a), a.regions[1].kind = (graze_region_kind)5), "region 1, arm, is of kind 5");
    REFUSE((give(&a), a.regions[1].parent = 3), "region 1, arm, is attached to region 3 of 3");
    REFUSE((give(&a), a.regions[1].parent = 2), "region 1, arm, is attached to itself");
    REFUSE((give(&a), a.regions[1].kind = GRAZE_REGION_TRUNK),
           "region 1, arm, is a trunk with a parent");
    REFUSE(
        (give(&a), a.regions[1].attached = false),
        "1 trunks, and 2 regions that hang from nothing: expected at most one trunk, and one such"
        " region");
    REFUSE((give(&a), a.joint_regions[40] = 3), "joint 40 is of region 3 of 3");
    graze_part_names_destroy(a.joints);
    graze_model_destroy(a.model);
}

typedef struct regions_of {
    const graze_model *model;
    const graze_part_names *joints;
    graze_chain_def def;
} regions_of;

static graze_status make_chains(const graze_allocator *allocator, void *about, graze_error *error)
{
    const regions_of *of = about;
    OWN(graze_chains) *chains = NULL;
    (void)allocator;
    graze_status status = graze_chains_create(of->model, of->joints, &of->def, &chains, error);
    CHECK(!status == (chains != NULL));
    return status;
}

TEST(failed_allocations_leave_nothing_behind)
{
    graze_rig *rig = chained_rig("dwarf");
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    OWN(graze_part_names) *joints = NULL;
    REQUIRE(rig &&
            graze_rig_part_names(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &joints, NULL) == GRAZE_OK);
    for (int shape = 0; shape < 2; shape++) {
        graze_model_def model_def = graze_rig_model_def(rig);
        OWN(graze_model) *model = NULL;
        model_def.allocator = &allocator;
        if (shape) {
            model_def.joint_count = 1;
            model_def.influence_offsets = NULL;
            model_def.influences = NULL;
        }
        REQUIRE(graze_model_create(&model_def, &model, NULL) == GRAZE_OK);
        regions_of of = {
            model, shape ? NULL : joints, {.positions = shape ? NULL : rig->positions}};
        CHECK(test_fail_each(&memory, make_chains, &of, test_amount(100, 8)) > 11);
    }
    CHECK(memory.alive == 0);
}
