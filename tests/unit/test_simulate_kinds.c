/* The things that are simulated: mass, modes, components, animations. */
#include "cli/simulate_kinds.h"
#include "harness.h"
#include "scenes/bridge.h"
#include "scenes/synth.h"
#include "support/own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

OWN_POINTER(simulate_kind, simulate_kind_destroy)

static simulate_kind *make_kind(simulate_kind_def def)
{
    simulate_kind *kind = NULL;
    graze_error error = {GRAZE_OK, ""};
    CHECK_MSG(simulate_kind_create(&def, &kind, &error) == GRAZE_OK, "%s", error.text);
    return kind;
}

TEST(a_ball_weighs_what_a_shell_weighs)
{
    OWN(simulate_kind) *ball = make_kind((simulate_kind_def){.thing = SIMULATE_BALL});
    REQUIRE(ball);
    const double pi = acos(-1), mass = 4 * pi * 0.15 * 0.15 * 0.002 * 1000;
    CHECK_MSG(fabs(ball->mass / mass - 1) < 0.01, "%g kg", ball->mass);
    CHECK(!ball->animated && ball->field_count == 0 && fabs(ball->radius - 0.15) < 1e-4);
    for (int i = 0; i < 3; i++) {
        CHECK(fabs(ball->size[i] - 0.3) < 1e-3);
        for (int k = 0; k < 3; k++) {
            double wanted = i == k ? 2.0 / 3 * mass * 0.15 * 0.15 : 0;
            CHECK_MSG(fabs(ball->inertia[3 * i + k] - wanted) < 1e-4, "inertia %g",
                      ball->inertia[3 * i + k]);
        }
    }
}

TEST(rigid_kinds_have_no_fields)
{
    static const simulate_thing things[] = {SIMULATE_BALL, SIMULATE_BRIDGE, SIMULATE_CURTAIN};
    for (int i = 0; i < 3; i++) {
        OWN(simulate_kind) *kind =
            make_kind((simulate_kind_def){.thing = things[i], .triangles = 400, .rigid = true});
        REQUIRE(kind);
        double position[3] = {1, 1, 1}, rotation[4] = {1, 1, 1, 1};
        CHECK(kind->field_count == 0 && kind->rig->morph_count == 0 && kind->rig->clip_count == 0);
        CHECK(graze_model_get_info(kind->model).morph_count == 0);
        CHECK(kind->animated == (i > 0) && (kind->mass > 0) == (i == 0));
        if (i > 0) {
            simulate_kind_animate(kind, 1.234, position, rotation, NULL);
            CHECK(position[0] == 0 && position[1] == 0 && position[2] == 0);
            CHECK(rotation[0] == 0 && rotation[1] == 0 && rotation[2] == 0 && rotation[3] == 1);
        }
    }
}

/* The trees are those of the paper where that is asked for; a curtain has no proxies. */
TEST(trees_are_chosen)
{
    simulate_kind_def def = {.thing = SIMULATE_CURTAIN, .triangles = 800};
    for (int i = 0; i < 3; i++) {
        def.contacts = (simulate_contacts)i;
        OWN(simulate_kind) *kind = make_kind(def);
        REQUIRE(kind);
        graze_model_info info = graze_model_get_info(kind->model);
        CHECK_MSG((info.node_count == 2 * info.triangle_count - 1) == (i == SIMULATE_EXACT_PAPER),
                  "%u nodes", info.node_count);
    }
}

TEST(the_curtain_moves_as_its_clip)
{
    OWN(simulate_kind) *kind = make_kind((simulate_kind_def){.thing = SIMULATE_CURTAIN});
    const graze_synth_def def = {GRAZE_SYNTH_CURTAIN, 0, 0};
    OWN(graze_rig) *rig = NULL;
    REQUIRE(kind && graze_synth(&def, NULL, &rig, NULL) == GRAZE_OK);
    double position[3], rotation[4], weights[SIMULATE_MOST_FIELDS];
    float given[SIMULATE_MOST_FIELDS], own[SIMULATE_MOST_FIELDS];
    CHECK(kind->field_count == 12 && kind->frame_count == 110 && kind->animated);
    CHECK(memcmp(kind->rig->positions, rig->positions, 12u * rig->vertex_count) == 0);
    for (int f = 0; f < 330; f += 7) { /* three times through */
        double seconds = f * kind->frame_seconds, over = fmod(f, 110) * kind->frame_seconds;
        simulate_kind_animate(kind, seconds, position, rotation, weights);
        CHECK(graze_rig_sample(rig, 0, over, NULL, given) == GRAZE_OK);
        CHECK(graze_rig_sample(kind->rig, 0, over, NULL, own) == GRAZE_OK);
        for (int m = 0; m < 12; m++) {
            CHECK(fabs(weights[m] - (double)given[m]) < 1e-4);
            CHECK(fabsf(own[m] - given[m]) < 1e-4f);
        }
        CHECK(rotation[3] == 1 && position[1] == 0);
    }
}

TEST(bad_defs_are_refused)
{
    static const simulate_kind_def defs[] = {
        {.thing = SIMULATE_THING_COUNT}, {.thing = (simulate_thing)-1}, {.triangles = 10}};
    for (size_t i = 0; i < sizeof defs / sizeof *defs; i++) {
        simulate_kind *kind = NULL;
        graze_error error = {GRAZE_OK, ""};
        CHECK(simulate_kind_create(&defs[i], &kind, &error) == GRAZE_BAD_INPUT && !kind);
        CHECK(error.status == GRAZE_BAD_INPUT && error.text[0]);
        CHECK(simulate_kind_create(&defs[i], &kind, NULL) == GRAZE_BAD_INPUT && !kind);
    }
    simulate_kind_destroy(NULL);
}

#ifndef GRAZE_TEST_NUMERICS

TEST(a_build_without_numerics_says_so)
{
    simulate_kind_def def = {.thing = SIMULATE_BRIDGE, .triangles = 400};
    simulate_kind *kind = NULL;
    graze_error error = {GRAZE_OK, ""};
    CHECK(simulate_kind_create(&def, &kind, &error) == GRAZE_UNSUPPORTED && !kind);
    CHECK(strstr(error.text, "built without its numerics") && !strchr(error.text, '\n'));
}

#else

/* ---- modes ---------------------------------------------------------------------------------- */

/* Kilograms at every vertex: found again, from the kind's own mesh. */
static double *masses_of(const simulate_kind *kind)
{
    const graze_rig *rig = kind->rig;
    double *masses = calloc(rig->vertex_count, sizeof *masses), area = 0;
    for (uint32_t t = 0; t < rig->triangle_count; t++) {
        const uint32_t *v = rig->triangles + 3 * (size_t)t;
        double sides[3], half = 0;
        for (int k = 0; k < 3; k++) {
            double square = 0;
            for (int i = 0; i < 3; i++) {
                double d = (double)rig->positions[3 * (size_t)v[k] + (size_t)i] -
                           (double)rig->positions[3 * (size_t)v[(k + 1) % 3] + (size_t)i];
                square += d * d;
            }
            sides[k] = sqrt(square);
            half += 0.5 * sides[k];
        }
        double own = sqrt(half * (half - sides[0]) * (half - sides[1]) * (half - sides[2]));
        area += own;
        for (int k = 0; k < 3; k++)
            masses[v[k]] += own / 3;
    }
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        masses[v] *= kind->mass / area;
    return masses;
}

/* Sum over vertices of mass x (a . b); and of mass x field, and of mass x position x field. */
static double product(const simulate_kind *kind, const double *masses, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (size_t i = 0; i < 3 * (size_t)kind->rig->vertex_count; i++)
        sum += masses[i / 3] * (double)kind->rig->morphs[a].deltas[i] *
               (double)kind->rig->morphs[b].deltas[i];
    return sum;
}

static void check_momentum(const simulate_kind *kind, const double *masses, uint32_t m)
{
    double linear[3] = {0, 0, 0}, angular[3] = {0, 0, 0};
    for (size_t v = 0; v < kind->rig->vertex_count; v++) {
        const float *at = kind->rig->positions + 3 * v, *d = kind->rig->morphs[m].deltas + 3 * v;
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            linear[k] += masses[v] * (double)d[k];
            angular[k] += masses[v] * ((double)at[i] * (double)d[j] - (double)at[j] * (double)d[i]);
        }
    }
    for (int k = 0; k < 3; k++)
        CHECK_MSG(fabs(linear[k]) < 1e-6 && fabs(angular[k]) < 1e-6, "mode %u: %g, %g", m,
                  linear[k], angular[k]);
}

/* No edge is strained more than the surface anywhere, and some edge nearly as much. */
static void check_strain(const simulate_kind *kind, uint32_t m)
{
    const graze_rig *rig = kind->rig;
    double most = 0;
    for (size_t i = 0; i < 3 * (size_t)rig->triangle_count; i++) {
        const uint32_t a = rig->triangles[i], b = rig->triangles[i % 3 == 2 ? i - 2 : i + 1];
        double square = 0, along = 0;
        for (size_t k = 0; k < 3; k++) {
            double edge = (double)rig->positions[3 * (size_t)b + k] -
                          (double)rig->positions[3 * (size_t)a + k];
            square += edge * edge;
            along += edge * ((double)rig->morphs[m].deltas[3 * (size_t)b + k] -
                             (double)rig->morphs[m].deltas[3 * (size_t)a + k]);
        }
        most = fmax(most, fabs(along) / square);
    }
    CHECK_MSG(kind->strains[m] > 0.999 * most && kind->strains[m] < 3 * most,
              "mode %u: strain %g, of edges %g", m, kind->strains[m], most);
}

TEST(modes_of_a_chair)
{
    simulate_kind *kind = make_kind((simulate_kind_def){
        .thing = SIMULATE_CHAIR, .triangles = 400, .contacts = SIMULATE_PROXIES});
    REQUIRE(kind && kind->field_count == 10 && kind->rig->morph_count == 10);
    const graze_model_info info = graze_model_get_info(kind->model);
    CHECK(info.node_count == 2 * info.triangle_count - 1);
    OWNED double *masses = masses_of(kind);
    double centre[3] = {0, 0, 0};
    for (size_t i = 0; i < 3 * (size_t)kind->rig->vertex_count; i++)
        centre[i % 3] += masses[i / 3] * (double)kind->rig->positions[i];
    CHECK(fabs(centre[0]) < 1e-5 && fabs(centre[1]) < 1e-5 && fabs(centre[2]) < 1e-5);
    CHECK(kind->mass > 3 && kind->mass < 7 && kind->max_strain > 0);
    for (uint32_t m = 0; m < 10; m++) {
        const double modal = kind->scales[m] * kind->scales[m];
        CHECK(kind->frequencies[m] > (m ? kind->frequencies[m - 1] : 5));
        CHECK(kind->damping[m] > 0 && kind->damping[m] < 0.2);
        for (uint32_t k = 0; k <= m; k++)
            CHECK(fabs(product(kind, masses, m, k) / modal - (m == k)) < 1e-4);
        check_momentum(kind, masses, m);
        check_strain(kind, m);
    }
    simulate_kind_destroy(kind);
}

TEST(fast_modes_are_left_out)
{
    OWN(simulate_kind) *kind = make_kind(
        (simulate_kind_def){.thing = SIMULATE_CHAIR, .triangles = 400, .most_frequency = 75});
    REQUIRE(kind);
    CHECK_MSG(kind->field_count > 0 && kind->field_count < 10, "%u modes", kind->field_count);
    CHECK(kind->rig->morph_count == kind->field_count);
    CHECK(kind->frequencies[kind->field_count - 1] < 75);
}

/* ---- the bridge ----------------------------------------------------------------------------- */

/* How far the kind's own clip, sampled and applied here, is from where the bridge sways. */
TEST(components_of_the_bridge)
{
    OWN(simulate_kind) *kind =
        make_kind((simulate_kind_def){.thing = SIMULATE_BRIDGE, .triangles = 400});
    const graze_synth_def def = {GRAZE_SYNTH_BRIDGE, 400, 0};
    OWN(graze_rig) *rig = NULL;
    REQUIRE(kind && graze_synth(&def, NULL, &rig, NULL) == GRAZE_OK);
    CHECK(kind->field_count == 10 && kind->frame_count >= 110 && kind->rig->clip_count == 1);
    double sum = 0, largest = 0;
    for (uint32_t f = 0; f < kind->frame_count; f++) {
        double position[3], rotation[4], weights[SIMULATE_MOST_FIELDS];
        float joint[12], own[SIMULATE_MOST_FIELDS];
        simulate_kind_animate(kind, (f + 3 * kind->frame_count) * kind->frame_seconds, position,
                              rotation, weights);
        CHECK(graze_rig_sample(kind->rig, 0, f * kind->frame_seconds, joint, own) == GRAZE_OK);
        for (uint32_t c = 0; c < 10; c++)
            CHECK(fabs(weights[c]) <= 1.0001 && fabs(weights[c] - (double)own[c]) < 1e-4);
        for (int k = 0; k < 3; k++)
            CHECK(fabs(position[k] - (double)joint[4 * k + 3]) < 1e-4);
        for (size_t v = 0; v < rig->vertex_count; v++) {
            const float *rest = rig->positions + 3 * v;
            grazei_vec at = grazei_bridge_sway(vec_make(rest[0], rest[1], rest[2]),
                                               (double)f / kind->frame_count);
            double moved[3], wanted[3] = {at.x, at.y, at.z}, square = 0;
            for (size_t k = 0; k < 3; k++) {
                moved[k] = (double)kind->rig->positions[3 * v + k];
                for (uint32_t c = 0; c < 10; c++)
                    moved[k] += weights[c] * (double)kind->rig->morphs[c].deltas[3 * v + k];
            }
            for (int k = 0; k < 3; k++) {
                double miss = (double)joint[4 * k] * moved[0] +
                              (double)joint[4 * k + 1] * moved[1] +
                              (double)joint[4 * k + 2] * moved[2] + position[k] - wanted[k];
                square += miss * miss;
            }
            sum += square;
            largest = fmax(largest, sqrt(square));
        }
    }
    const double error = sqrt(sum / kind->frame_count / rig->vertex_count);
    CHECK_MSG(fabs(error - kind->error) < 2e-5, "%g instead of %g m", error, kind->error);
    CHECK_MSG(fabs(largest - kind->largest) < 2e-4, "%g instead of %g m", largest, kind->largest);
    CHECK_MSG(error < 0.001 && largest < 0.02, "the sway is missed by %g, %g m", error, largest);
}

/* Between frames it goes on smoothly: a hundredth of a frame is about a hundredth of the way. */
TEST(animations_are_smooth)
{
    OWN(simulate_kind) *kind =
        make_kind((simulate_kind_def){.thing = SIMULATE_BRIDGE, .triangles = 400});
    REQUIRE(kind);
    double worst = 0, before[SIMULATE_MOST_FIELDS], now[SIMULATE_MOST_FIELDS];
    double speed[SIMULATE_MOST_FIELDS] = {0}, position[3], rotation[4];
    simulate_kind_animate(kind, 0, position, rotation, before);
    for (int i = 1; i <= 2400; i++) {
        simulate_kind_animate(kind, i * kind->frame_seconds / 10, position, rotation, now);
        for (uint32_t c = 0; c < kind->field_count; c++) {
            if (i > 1)
                worst = fmax(worst, fabs(now[c] - before[c] - speed[c]));
            speed[c] = now[c] - before[c];
            before[c] = now[c];
        }
    }
    CHECK_MSG(worst < 0.01, "a weight jumps by %g", worst);
}

#endif
