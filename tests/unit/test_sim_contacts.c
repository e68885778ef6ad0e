/* Contacts of a simulation: those of the exact queries, deep enough to bear and no deeper. */
#include "harness.h"

#include "support/contacts.h"
#include "support/finders.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/quick.h"
#include "support/sim_things.h"

#include <graze/ext/response.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same as the queries ---------------------------------------------------------------- */

typedef struct expected {
    graze_body **bodies;
    uint32_t count;
    contact_set pieces;
    point_finder *touches;
} expected;

static bool is_contact(const graze_sim_contact *got, const float point[3], const float normal[3],
                       float depth)
{
    return memcmp(got->point, point, 3 * sizeof(float)) == 0 &&
           memcmp(got->normal, normal, 3 * sizeof(float)) == 0 && got->depth == depth;
}

/* Every pair of bodies, and every body with the ground, in the order of the list. */
static size_t compare_contacts(expected *want, const graze_sim *sim, bool *same)
{
    graze_error error;
    size_t count, next = 0, points;
    const graze_sim_contact *got = graze_sim_contact_list(sim, &count);
    const float up[3] = {0, 1, 0};
    graze_shape ground = graze_shape_half_space(up, 0);
    *same = true;
    for (uint32_t a = 0; a < want->count; a++) {
        for (uint32_t b = a + 1; b < want->count; b++) {
            *same &= !contact_set_find(&want->pieces, want->bodies[a], want->bodies[b], NULL, NULL);
            for (size_t i = 0; i < want->pieces.count; i++, next++) {
                const graze_contact *piece = &want->pieces.contacts[i];
                *same &= next < count && got[next].a == a && got[next].b == b &&
                         got[next].plane == GRAZE_NONE && !got[next].proxies &&
                         is_contact(&got[next], piece->point, piece->normal, piece->depth);
            }
        }
        *same &= point_finder_touch(want->touches, want->bodies[a], &ground, 0, &error) == GRAZE_OK;
        const graze_contact *list = point_finder_list(want->touches, &points);
        for (size_t i = 0; i < points; i++, next++)
            *same &= next < count && got[next].a == a && got[next].b == GRAZE_NONE &&
                     got[next].plane == 0 &&
                     is_contact(&got[next], list[i].point, list[i].normal, list[i].depth);
    }
    *same &= next == count;
    return next;
}

TEST(contacts_are_those_of_the_exact_queries)
{
    enum { COUNT = 8 };
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, NULL, &chair);
    graze_sim_def def = {0};
    def.no_sleeping = true;
    OWN(graze_sim) *sim = sim_thing_start(&def, &chair, true);
    for (uint32_t i = 0; i < COUNT; i++)
        sim_thing_put(sim, 0.3 * (i % 2), 0.8 + 0.75 * i, 0.2 * (i % 3), i + 1);
    graze_body *bodies[COUNT];
    expected want = {.bodies = bodies, .count = COUNT};
    REQUIRE(contact_set_open(&want.pieces, chair.model, chair.model, NULL));
    REQUIRE(point_finder_create(NULL, &want.touches, NULL) == GRAZE_OK);
    size_t seen = 0;
    for (uint32_t sample = 0; sample < test_amount(100, 20); sample++) {
        bool same;
        sim_run(sim, NULL, 14);
        for (uint32_t i = 0; i < COUNT; i++)
            bodies[i] = sim_copy_body(sim, i);
        sim_run(sim, NULL, 1);
        seen += compare_contacts(&want, sim, &same);
        CHECK_MSG(same, "step %d", (int)graze_sim_step_count(sim));
        for (uint32_t i = 0; i < COUNT; i++)
            graze_body_destroy(bodies[i]);
    }
    CHECK_MSG(seen > 100, "%d contacts compared", (int)seen);
    contact_set_free(&want.pieces);
    point_finder_destroy(want.touches);
}

/* ---- at rest -------------------------------------------------------------------------------- */

TEST(a_chair_at_rest_sinks_less_than_a_millimetre)
{
    for (int rigid = 0; rigid < 2; rigid++) {
        OWN(sim_thing) chair = {0};
        sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, rigid, NULL, &chair);
        graze_sim_def def = {0};
        def.no_sleeping = true;
        OWN(graze_sim) *sim = sim_thing_start(&def, &chair, true);
        for (uint32_t i = 0; i < 3; i++)
            sim_thing_put(sim, 3.0 * i, i ? 1.0 : chair.def.centre[1] + 0.01, 0, i);
        sim_run(sim, NULL, 450);
        for (uint32_t i = 0; i < 3; i++) {
            double lowest = sim_lowest(sim, i);
            CHECK_MSG(lowest < 0 && lowest > -0.001, "chair %u at %g m", i, lowest);
            graze_sim_body body;
            graze_sim_get_body(sim, i, &body, NULL);
            for (int k = 0; k < 3; k++)
                CHECK(fabs(body.velocity[k]) < 0.01);
            printf("# %s chair at rest: %.3f mm deep\n", rigid ? "rigid" : "flexible",
                   -1000 * lowest);
        }
    }
}

TEST(impulses_at_rest_bear_the_weight)
{
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, NULL, &chair);
    graze_sim_def def = {0};
    def.no_sleeping = true;
    OWN(graze_sim) *sim = sim_thing_start(&def, &chair, true);
    sim_thing_put(sim, 0, chair.def.centre[1], 0, 0);
    sim_run(sim, NULL, 600);
    size_t count;
    const graze_sim_contact *contacts = graze_sim_contact_list(sim, &count);
    double sum[3] = {0, 0, 0}, weight = chair.def.mass * 9.81 / 150;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            sum[k] += contacts[i].impulse[k];
    CHECK_MSG(fabs(sum[1] - weight) < 0.01 * weight, "%g of %g", sum[1], weight);
    CHECK(fabs(sum[0]) < 0.01 * weight && fabs(sum[2]) < 0.01 * weight);
}

/* On ground that leans by 8 degrees (gravity does), friction of 0.5 holds and 0.05 does not: then
 * it goes by g (sin - friction cos).
 */
TEST(friction_holds_and_lets_go)
{
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, true, NULL, &chair);
    graze_sim_def def = {0};
    def.no_sleeping = true;
    def.gravity[0] = 9.81 * sin(0.14);
    def.gravity[1] = -9.81 * cos(0.14);
    for (int slides = 0; slides < 2; slides++) {
        uint32_t number;
        graze_sim_body body;
        graze_sim_plane plane = {.half_space = {.normal = {0, 1, 0}},
                                 .friction = slides ? 0.05 : 0.5};
        chair.def.friction = plane.friction;
        OWN(graze_sim) *sim = sim_thing_start(&def, &chair, false);
        CHECK(graze_sim_add_plane(sim, &plane, &number, NULL) == GRAZE_OK);
        number = sim_thing_put(sim, 0, chair.def.centre[1], 0, 0);
        sim_run(sim, NULL, 75);
        graze_sim_get_body(sim, number, &body, NULL);
        double before = body.velocity[0], free = 9.81 * (sin(0.14) - 0.05 * cos(0.14));
        sim_run(sim, NULL, 150);
        graze_sim_get_body(sim, number, &body, NULL);
        CHECK_MSG(slides ? fabs(body.velocity[0] - before - free) < 0.01 * free
                         : fabs(body.velocity[0]) < 0.005,
                  "%g m/s", body.velocity[0]);
    }
}

/* ---- proxies -------------------------------------------------------------------------------- */

static graze_tree_def paper_tree(uint32_t level)
{
    graze_tree_def tree = {0};
    tree.volume = GRAZE_SPHERES;
    tree.refit = GRAZE_REFIT_CORNERS;
    tree.patch_triangles = 1;
    tree.arity = 2;
    tree.collapse = 1;
    tree.contact_level = level;
    return tree;
}

TEST(proxies_meet_wherever_triangles_do_and_hold_a_chair)
{
    graze_tree_def tree = paper_tree(8);
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, &tree, &chair);
    graze_sim_def def = {0};
    def.contacts = GRAZE_SIM_PROXIES;
    OWN(graze_sim) *sim = sim_thing_start(&def, &chair, true);
    graze_sim_kind_info info;
    graze_sim_get_kind(sim, 0, &info, NULL);
    CHECK(info.proxies && info.proxy_count > 100 && info.proxy_count <= 256);
    CHECK(info.proxy_radius > 0.01 && info.proxy_radius < 0.2);
    for (uint32_t i = 0; i < 4; i++)
        sim_thing_put(sim, 0.05 * i, 0.8 + 0.8 * i, 0, i);
    uint32_t met = 0;
    for (int sample = 0; sample < 10; sample++) {
        graze_body *bodies[4];
        size_t count;
        sim_run(sim, NULL, 29);
        for (uint32_t i = 0; i < 4; i++)
            bodies[i] = sim_copy_body(sim, i);
        sim_run(sim, NULL, 1);
        const graze_sim_contact *got = graze_sim_contact_list(sim, &count);
        for (uint32_t a = 0; a < 4; a++)
            for (uint32_t b = a + 1; b < 4; b++) {
                bool found = false, hit = test_meets(bodies[a], bodies[b], NULL);
                for (size_t i = 0; i < count; i++)
                    found |= got[i].a == a && got[i].b == b && got[i].proxies;
                met += found;
                CHECK(found || !hit);
            }
        for (uint32_t i = 0; i < 4; i++)
            graze_body_destroy(bodies[i]);
    }
    CHECK(met > 5);
    sim_run(sim, NULL, 600);
    graze_sim_totals totals = graze_sim_get_totals(sim);
    CHECK_MSG(totals.kinetic < 0.1, "%g J", totals.kinetic);
    /* Spheres reach beyond the surface by their radius at most: it stands on them. */
    for (uint32_t i = 0; i < 4; i++)
        CHECK(sim_lowest(sim, i) > -0.002);
}

TEST(trees_of_boxes_stay_exact)
{
    OWN(sim_thing) ball = {0};
    sim_thing_make(GRAZE_SYNTH_BALL, 0, true, NULL, &ball);
    graze_sim_def def = {0};
    def.contacts = GRAZE_SIM_PROXIES;
    OWN(graze_sim) *sim = sim_thing_start(&def, &ball, true);
    graze_sim_kind_info info;
    size_t count;
    graze_sim_get_kind(sim, 0, &info, NULL);
    CHECK(!info.proxies && info.proxy_count == 0);
    sim_thing_put(sim, 0, 0.1, 0, 0);
    sim_run(sim, NULL, 1);
    const graze_sim_contact *got = graze_sim_contact_list(sim, &count);
    REQUIRE(count > 0);
    CHECK(!got[0].proxies);
}
