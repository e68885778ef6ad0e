/* Characters as files have them: open meshes, bound elsewhere, in other units, in several pieces.
 * Built-in ones get holes and are moved, and compared with what they were.
 */
#include "harness.h"

#include "scenes/synth.h"
#include "support/own.h"

#include <graze/animation.h>
#include <graze/ode.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

OWN_POINTER(graze_ode, graze_ode_destroy)

static const graze_synth_kind kinds[] = {GRAZE_SYNTH_MAN, GRAZE_SYNTH_CREATURE, GRAZE_SYNTH_DWARF,
                                         GRAZE_SYNTH_ROBOT, GRAZE_SYNTH_PLAYER};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct figure {
    graze_rig *rig;
    graze_model *model;
    graze_hitboxes *fit;
    graze_ragdoll *ragdoll;
} figure;

static void close_figure(figure *f)
{
    graze_ragdoll_destroy(f->ragdoll);
    graze_hitboxes_destroy(f->fit);
    graze_model_destroy(f->model);
    graze_rig_destroy(f->rig);
}

OWN_VALUE(figure, close_figure)

static graze_rig *make_rig(graze_synth_kind kind)
{
    const graze_synth_def def = {.kind = kind, .triangles = 3000};
    graze_rig *rig = NULL;
    graze_error error;
    CHECK_MSG(!graze_synth(&def, NULL, &rig, &error), "%s", error.text);
    return rig;
}

/* The rig is the figure's from here on. */
static figure make_figure(graze_rig *rig, const graze_ragdoll_def *def)
{
    figure f = {.rig = rig};
    const graze_hitboxes_def fit = {0};
    graze_error error = {GRAZE_OK, ""};
    CHECK_MSG(!graze_rig_create_model(rig, NULL, &f.model, &error) &&
                  !graze_hitboxes_create(f.model, &fit, &f.fit, &error) &&
                  !graze_ragdoll_create(rig, f.model, f.fit, def, &f.ragdoll, &error),
              "%s", error.text);
    return f;
}

static double mass_of(const figure *f)
{
    double sum = 0;
    for (uint32_t b = 0; b < graze_ragdoll_bone_count(f->ragdoll); b++)
        sum += graze_ragdoll_get_bone(f->ragdoll, b).mass;
    return sum;
}

/* Triangles whose first corner is in one of some balls become points: eight holes. */
static uint32_t cut_holes(graze_rig *rig, double radius)
{
    test_random random = test_random_seed(11);
    uint32_t cut = 0;
    for (int hole = 0; hole < 8; hole++) {
        uint32_t middle = test_random_u32(&random) % rig->vertex_count;
        const float *at = rig->positions + 3 * (size_t)middle;
        for (uint32_t t = 0; t < rig->triangle_count; t++) {
            uint32_t *corners = rig->triangles + 3 * (size_t)t;
            const float *c = rig->positions + 3 * (size_t)corners[0];
            double d[3] = {(double)c[0] - at[0], (double)c[1] - at[1], (double)c[2] - at[2]};
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > radius * radius)
                continue;
            corners[1] = corners[2] = corners[0];
            cut++;
        }
    }
    return cut;
}

/* Drops it from half a metre; how deep any vertex goes into the ground, and whether energy grows.
 */
static double drop(const figure *f, int steps)
{
    OWN(graze_ode) *ode = NULL;
    graze_world_id ground, id;
    graze_error error = {GRAZE_OK, ""};
    const float placement[12] = {1, 0, 0, 0, 0, 1, 0, 0.5f, 0, 0, 1, 0};
    graze_shape plane = graze_shape_half_space((const float[]){0, 1, 0}, 0);
    graze_ode_character_def def = {f->ragdoll, f->fit, f->model, NULL, NULL};
    OWNED graze_rig_local *locals = calloc(f->rig->node_count, sizeof *locals);
    OWNED float *weights = calloc(f->rig->morph_count + 1, sizeof *weights);
    OWNED float *positions = calloc(3 * (size_t)f->rig->vertex_count + 1, sizeof *positions);
    double deepest = 0, first = 0;
    uint32_t clip = f->rig->clip_count ? 0 : GRAZE_NONE;
    graze_ode_energy energy;
    CHECK_MSG(!graze_ode_create(NULL, &ode, &error) &&
                  !graze_ode_add_shape(ode, &plane, NULL, &ground, &error) &&
                  !graze_ode_add_character(ode, &def, &id, &error) &&
                  !graze_rig_sample_locals(f->rig, clip, 0, locals, weights, &error) &&
                  !graze_ode_put(ode, id, locals, NULL, placement, &error) &&
                  !graze_ode_go_limp(ode, id, GRAZE_NONE, &error),
              "%s", error.text);
    for (int step = 0; step < steps && !error.text[0]; step++) {
        CHECK_MSG(!graze_ode_step(ode, NULL, &error), "%s", error.text);
        CHECK(!graze_ode_get_energy(ode, id, &energy, NULL));
        first = step ? first : energy.kinetic + energy.potential;
        CHECK(energy.kinetic + energy.potential <= first * (1 + 1e-6));
        if (step % 8)
            continue;
        graze_body_get_positions(graze_ode_body(ode, id), positions);
        for (uint32_t v = 0; v < f->rig->vertex_count; v++)
            deepest = fmax(deepest, -(double)positions[3 * (size_t)v + 1]);
    }
    return deepest;
}

TEST(open_characters_weigh_as_closed_ones_and_fall)
{
    const graze_ragdoll_def coarse = {.cell = 0.03f};
    for (int k = 0; k < KINDS; k++) {
        OWN(figure) whole = make_figure(make_rig(kinds[k]), &coarse);
        graze_rig *rig = make_rig(kinds[k]);
        /* The robot's shells lie in each other: closed, it weighs twice what is in two of them. */
        bool shells = kinds[k] == GRAZE_SYNTH_ROBOT;
        uint32_t cut = cut_holes(rig, shells ? 0.015 : 0.06);
        OWN(figure) open = make_figure(rig, &coarse);
        bool closed = true;
        REQUIRE(whole.ragdoll && open.ragdoll);
        CHECK(!graze_model_is_closed(open.model, &closed, NULL) && !closed && cut > 8);
        double before = mass_of(&whole), now = mass_of(&open), deep = drop(&open, 480);
        printf("%s: %u triangles less, %.1f kg, was %.1f; %.1f mm deep\n",
               graze_synth_name(kinds[k]), cut, now, before, 1e3 * deep);
        CHECK(fabs(now - before) < (shells ? 0.35 : 0.05) * before);
        CHECK(deep < 0.01);
    }
}

/* ---- where and in what unit ----------------------------------------------------------------- */

/* As a file that was bound on its side, in centimetres: x becomes S x, and each joint takes back.
 */
static void bind_elsewhere(graze_rig *rig)
{
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        float *x = rig->positions + 3 * (size_t)v;
        const float old[3] = {x[0], x[1], x[2]};
        x[0] = 100 * old[0] + 300;
        x[1] = -100 * old[2];
        x[2] = 100 * old[1] + 7;
    }
    for (uint32_t j = 0; j < rig->joint_count; j++) {
        float *b = rig->joints[j].inverse_bind, made[12];
        for (int i = 0; i < 3;
             i++) { /* of S^-1: x = (X - 300) / 100, y = (Z - 7) / 100, z = -Y / 100 */
            made[4 * i] = b[4 * i] / 100;
            made[4 * i + 1] = -b[4 * i + 2] / 100;
            made[4 * i + 2] = b[4 * i + 1] / 100;
            made[4 * i + 3] = b[4 * i + 3] - 3 * b[4 * i] - 0.07f * b[4 * i + 1];
        }
        memcpy(b, made, sizeof made);
    }
}

/* Every vertex at a time of the first clip, times a unit. */
static void pose_all(const graze_rig *rig, double time, float *out)
{
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    REQUIRE(!graze_rig_create_model(rig, NULL, &model, NULL) &&
            !graze_body_create(model, &body, NULL));
    REQUIRE(!graze_rig_pose_body(rig, rig->clip_count ? 0 : GRAZE_NONE, time, NULL, body, NULL));
    graze_body_get_positions(body, out);
}

TEST(settled_rigs_have_the_same_poses)
{
    for (int k = 0; k < KINDS; k++) {
        OWN(graze_rig) *rig = make_rig(kinds[k]);
        size_t count = 3 * (size_t)rig->vertex_count;
        OWNED float *before = malloc((count + 1) * sizeof *before);
        OWNED float *after = malloc((count + 1) * sizeof *after);
        const float unit = k % 2 ? 0.25f : 1;
        double worst = 0;
        bind_elsewhere(rig);
        pose_all(rig, 0.3, before);
        CHECK(graze_rig_settle(rig, unit, NULL) == GRAZE_OK);
        pose_all(rig, 0.3, after);
        for (size_t i = 0; i < count; i++)
            worst = fmax(worst, fabs((double)after[i] - (double)(unit * before[i])));
        CHECK_MSG(worst < 2e-5, "%s: off by %g", graze_synth_name(kinds[k]), worst);
    }
}

TEST(a_file_in_centimetres_weighs_what_it_should)
{
    OWN(figure) man = make_figure(make_rig(GRAZE_SYNTH_PLAYER), NULL);
    graze_rig *rig = make_rig(GRAZE_SYNTH_PLAYER);
    CHECK(graze_rig_guess_unit(rig) == 1);
    CHECK(graze_rig_settle(rig, 100, NULL) == GRAZE_OK && graze_rig_guess_unit(rig) == 0.01f);
    bind_elsewhere(rig);
    CHECK(graze_rig_settle(rig, 1, NULL) == GRAZE_OK && graze_rig_guess_unit(rig) == 0.01f);
    CHECK(graze_rig_settle(rig, 0.01f, NULL) == GRAZE_OK && graze_rig_guess_unit(rig) == 1);
    OWN(figure) again = make_figure(rig, NULL);
    REQUIRE(man.ragdoll && again.ragdoll);
    CHECK(graze_ragdoll_bone_count(man.ragdoll) == graze_ragdoll_bone_count(again.ragdoll));
    for (uint32_t b = 0; b < graze_ragdoll_bone_count(man.ragdoll); b++) {
        graze_ragdoll_bone x = graze_ragdoll_get_bone(man.ragdoll, b);
        graze_ragdoll_bone y = graze_ragdoll_get_bone(again.ragdoll, b);
        CHECK_MSG(fabs(x.mass - y.mass) < 0.03 * x.mass + 0.01 &&
                      fabs(x.anchor[1] - y.anchor[1]) < 1e-4,
                  "%s: %g and %g kg", x.name, x.mass, y.mass);
    }
    graze_error error;
    CHECK(graze_rig_settle(rig, 0, &error) == GRAZE_BAD_INPUT && strstr(error.text, "unit"));
    CHECK(graze_rig_settle(NULL, 1, &error) == GRAZE_BAD_INPUT);
    memset(rig->joints[0].inverse_bind, 0, sizeof rig->joints[0].inverse_bind);
    CHECK(graze_rig_settle(rig, 1, &error) == GRAZE_BAD_INPUT && strstr(error.text, "flat"));
}

/* ---- pieces --------------------------------------------------------------------------------- */

/* The calves hang on nothing, as where feet lead a leg: they are joined to what is nearest. */
TEST(pieces_of_a_skeleton_are_joined_and_get_up_together)
{
    graze_rig *rig = make_rig(GRAZE_SYNTH_PLAYER);
    uint32_t cut = 0;
    for (uint32_t n = 0; n < rig->node_count; n++)
        if (strncmp(rig->nodes[n].name, "calf", 4) == 0) {
            rig->nodes[n].parent = GRAZE_NONE;
            cut++;
        }
    REQUIRE(cut == 2);
    OWN(figure) f = make_figure(rig, NULL);
    REQUIRE(f.ragdoll != NULL);
    for (uint32_t b = 1; b < graze_ragdoll_bone_count(f.ragdoll); b++)
        CHECK(graze_ragdoll_get_bone(f.ragdoll, b).parent < b);
    uint32_t calf = graze_ragdoll_find_bone(f.ragdoll, "calf.L");
    REQUIRE(calf != GRAZE_NONE);
    graze_ragdoll_bone above =
        graze_ragdoll_get_bone(f.ragdoll, graze_ragdoll_get_bone(f.ragdoll, calf).parent);
    CHECK_MSG(strcmp(above.name, "thigh.L") == 0, "it hangs on %s", above.name);
    CHECK(graze_ragdoll_get_bone(f.ragdoll, 0).parent == GRAZE_NONE);
}

/* Masses that are given count, also where there is no volume to take them from. */
TEST(given_masses_count)
{
    graze_rig *rig = make_rig(GRAZE_SYNTH_PLAYER);
    const graze_ragdoll_joint said = {.name = "head", .mass = 4.5f};
    const graze_ragdoll_def def = {.joints = &said, .joint_count = 1};
    cut_holes(rig, 0.2);
    OWN(figure) f = make_figure(rig, &def);
    REQUIRE(f.ragdoll != NULL);
    uint32_t head = graze_ragdoll_find_bone(f.ragdoll, "head");
    CHECK(fabs(graze_ragdoll_get_bone(f.ragdoll, head).mass - 4.5) < 1e-6);
}
