/* Characters in the engine: following clips, limp, partly limp, and back. */
#include "harness.h"

#include "scenes/reactions.h"
#include "scenes/synth.h"
#include "support/own.h"
#include "support/quick.h"

#include <graze/ode.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

OWN_POINTER(graze_ode, graze_ode_destroy)

#define DEGREES (180 / M_PI)
#define STEP (1 / 240.0)

enum { GROUND, BALL, PLAYER };

/* One player for all tests. */
typedef struct kind {
    graze_rig *rig;
    graze_model *model;
    graze_hitboxes *fit;
    graze_part_names *parts;
    graze_ragdoll *ragdoll;
    graze_rig_local *locals;
    float *positions;
} kind;

static const kind *player(void)
{
    static kind k;
    graze_error error = {GRAZE_OK, ""};
    const graze_synth_def def = {.kind = GRAZE_SYNTH_PLAYER};
    const graze_hitboxes_def fit = {0};
    if (k.rig)
        return &k;
    graze_ragdoll_def ragdoll = {0};
    ragdoll.cell = 0.03f;
    if (graze_synth(&def, NULL, &k.rig, &error) ||
        graze_rig_create_model(k.rig, NULL, &k.model, &error) ||
        graze_hitboxes_create(k.model, &fit, &k.fit, &error) ||
        graze_rig_part_names(k.rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &k.parts, &error) ||
        graze_ragdoll_create(k.rig, k.model, k.fit, &ragdoll, &k.ragdoll, &error)) {
        printf("%s\n", error.text);
        abort();
    }
    k.locals = calloc(k.rig->node_count, sizeof *k.locals);
    k.positions = calloc(k.rig->vertex_count, 3 * sizeof *k.positions);
    return &k;
}

static graze_ode *open_world(graze_world_id *ground)
{
    graze_ode *ode = NULL;
    graze_world_rule rule = {0};
    graze_ode_member_def def = {0};
    graze_shape plane = graze_shape_half_space((const float[]){0, 1, 0}, 0);
    graze_world_id id;
    CHECK(!graze_ode_create(NULL, &ode, NULL));
    graze_world *world = graze_ode_world(ode);
    rule.contacts = true;
    graze_world_set_rule(world, PLAYER, PLAYER, &rule, NULL);
    rule.motion = GRAZE_MOTION_CONTINUOUS;
    graze_world_set_rule(world, BALL, GROUND, &rule, NULL);
    graze_world_set_rule(world, BALL, PLAYER, &rule, NULL);
    rule.level = GRAZE_LEVEL_IGNORE;
    graze_world_set_rule(world, PLAYER, GROUND, &rule, NULL);
    def.name = "ground";
    CHECK(!graze_ode_add_shape(ode, &plane, &def, ground ? ground : &id, NULL));
    return ode;
}

static graze_world_id add_player(graze_ode *ode)
{
    const kind *k = player();
    graze_ode_member_def member = {0};
    graze_world_id id = {0, 0};
    graze_error error = {GRAZE_OK, ""};
    member.category = PLAYER;
    member.name = "player";
    graze_ode_character_def def = {k->ragdoll, k->fit, k->model, k->parts, &member};
    CHECK_MSG(!graze_ode_add_character(ode, &def, &id, &error), "%s", error.text);
    return id;
}

static graze_world_id add_ball(graze_ode *ode, float x, float y, float z, double rolling)
{
    graze_ode_member_def def = {0};
    graze_shape shape = graze_shape_sphere((const float[]){x, y, z}, 0.11f);
    graze_world_id id = {0, 0};
    def.category = BALL;
    def.name = "ball";
    def.mass = 0.43;
    def.material.bounce = 0.3;
    def.material.rolling = rolling;
    CHECK(!graze_ode_add_shape(ode, &shape, &def, &id, NULL));
    return id;
}

static const graze_rig_local *sample(const char *clip, double time)
{
    const kind *k = player();
    CHECK(!graze_rig_sample_locals(k->rig, graze_rig_find_clip(k->rig, clip), time, k->locals, NULL,
                                   NULL));
    return k->locals;
}

static void step(graze_ode *ode, graze_pool *pool)
{
    graze_error error = {GRAZE_OK, ""};
    CHECK_MSG(!graze_ode_step(ode, pool, &error), "%s", error.text);
}

static void at_height(float y, float placement[12])
{
    const float rows[12] = {1, 0, 0, 0, 0, 1, 0, y, 0, 0, 1, 0};
    memcpy(placement, rows, sizeof rows);
}

/* ---- judges --------------------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double segment_distance(const double p[3], const float *from, const float *to)
{
    double d[3], w[3];
    for (int k = 0; k < 3; k++) {
        d[k] = (double)to[k] - from[k];
        w[k] = p[k] - from[k];
    }
    double t = dot(d, d) > 0 ? fmin(1, fmax(0, dot(w, d) / dot(d, d))) : 0;
    for (int k = 0; k < 3; k++)
        w[k] -= t * d[k];
    return sqrt(dot(w, w));
}

static double triangle_distance(const double p[3], const float *a, const float *b, const float *c)
{
    double u[3], v[3], w[3], least;
    for (int k = 0; k < 3; k++) {
        u[k] = (double)b[k] - a[k];
        v[k] = (double)c[k] - a[k];
        w[k] = p[k] - a[k];
    }
    least =
        fmin(segment_distance(p, a, b), fmin(segment_distance(p, b, c), segment_distance(p, c, a)));
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), area = uu * vv - uv * uv;
    double s = (vv * dot(w, u) - uv * dot(w, v)) / area;
    double t = (uu * dot(w, v) - uv * dot(w, u)) / area;
    if (!(area > 0) || s < 0 || t < 0 || s + t > 1)
        return least;
    for (int k = 0; k < 3; k++)
        w[k] -= s * u[k] + t * v[k];
    return fmin(least, sqrt(dot(w, w)));
}

/* How far a point is from the skin, by all triangles. */
static double skin_distance(graze_body *body, const double point[3])
{
    const kind *k = player();
    double least = INFINITY;
    graze_body_get_positions(body, k->positions);
    for (uint32_t i = 0; i < k->rig->triangle_count; i++) {
        const uint32_t *corners = k->rig->triangles + 3 * (size_t)i;
        least = fmin(least, triangle_distance(point, k->positions + 3 * (size_t)corners[0],
                                              k->positions + 3 * (size_t)corners[1],
                                              k->positions + 3 * (size_t)corners[2]));
    }
    return least;
}

static double lowest_vertex(graze_body *body)
{
    const kind *k = player();
    double low = INFINITY;
    graze_body_get_positions(body, k->positions);
    for (uint32_t v = 0; v < k->rig->vertex_count; v++)
        low = fmin(low, k->positions[3 * (size_t)v + 1]);
    return low;
}

/* ---- masses --------------------------------------------------------------------------------- */

TEST(bones_weigh_what_the_mesh_does_and_none_of_it_twice)
{
    const kind *k = player();
    double volume = 0, centre[3] = {0, 0, 0}, mass = 0, sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < k->rig->triangle_count; i++) {
        const float *c[3];
        for (int n = 0; n < 3; n++)
            c[n] = k->rig->positions + 3 * (size_t)k->rig->triangles[3 * (size_t)i + n];
        double six = 0;
        for (int x = 0; x < 3; x++) {
            int y = (x + 1) % 3, z = (x + 2) % 3;
            six += (double)c[0][x] * ((double)c[1][y] * c[2][z] - (double)c[1][z] * c[2][y]);
        }
        volume += six / 6;
        for (int x = 0; x < 3; x++)
            centre[x] += six / 24 * ((double)c[0][x] + c[1][x] + c[2][x]);
    }
    for (uint32_t b = 0; b < graze_ragdoll_bone_count(k->ragdoll); b++) {
        graze_ragdoll_bone bone = graze_ragdoll_get_bone(k->ragdoll, b);
        mass += bone.mass;
        for (int x = 0; x < 3; x++)
            sum[x] += bone.mass * bone.centre[x];
        CHECK_MSG(bone.parent == GRAZE_NONE || bone.parent < b, "%s", bone.name);
        /* of a solid, the largest inertia is at most the sum of the others */
        const double *i = bone.inertia;
        CHECK_MSG(i[0] > 0 && i[4] > 0 && i[8] > 0 && i[0] <= i[4] + i[8] && i[4] <= i[0] + i[8] &&
                      i[8] <= i[0] + i[4],
                  "%s", bone.name);
    }
    CHECK_MSG(fabs(mass - 1000 * volume) < 1e-6 * mass, "%g kg, %g m3", mass, volume);
    for (int x = 0; x < 3; x++)
        CHECK_MSG(fabs(sum[x] / mass - centre[x] / volume) < 0.005, "axis %d: %g, not %g", x,
                  sum[x] / mass, centre[x] / volume);
    printf("  %.2f kg in %u bones\n", mass, graze_ragdoll_bone_count(k->ragdoll));
}

TEST(the_angles_of_clips_are_within_the_limits_found_from_them)
{
    const kind *k = player();
    uint32_t bones = graze_ragdoll_bone_count(k->ragdoll), outside = 0;
    OWN(graze_ode) *ode = open_world(NULL);
    graze_world_id id = add_player(ode);
    for (uint32_t c = 0; c < k->rig->clip_count; c++) {
        graze_ode_motion motions[64];
        CHECK(!graze_rig_sample_locals(k->rig, c, k->rig->clips[c].seconds * 0.4, k->locals, NULL,
                                       NULL));
        CHECK(!graze_ode_put(ode, id, k->locals, NULL, NULL, NULL));
        CHECK(!graze_ode_go_limp(ode, id, GRAZE_NONE, NULL));
        for (uint32_t b = 0; b < bones; b++)
            CHECK(!graze_ode_get_motion(ode, id, b, &motions[b], NULL));
        for (uint32_t b = 1; b < bones; b++) {
            graze_ragdoll_bone bone = graze_ragdoll_get_bone(k->ragdoll, b);
            double angles[3];
            graze_ragdoll_angles(k->ragdoll, b, motions[bone.parent].rotation, motions[b].rotation,
                                 angles);
            for (int n = 0; n < 3;
                 n++) /* what is cut off at the most an axis may have is left out */
                outside += (angles[n] < bone.low[n] && bone.low[n] > -79 / DEGREES) ||
                           (angles[n] > bone.high[n] && bone.high[n] < 79 / DEGREES);
        }
        CHECK(!graze_ode_recover(ode, id, 0, NULL));
    }
    CHECK_MSG(outside == 0, "%u angles are outside", outside);
}

/* ---- a moving surface ----------------------------------------------------------------------- */

TEST(a_surface_moves_as_its_vertices_do)
{
    const kind *k = player();
    graze_body *bodies[2];
    float *positions[2];
    test_random random = test_random_seed(3);
    double worst = 0;
    for (int i = 0; i < 2; i++) {
        CHECK(!graze_body_create(k->model, &bodies[i], NULL));
        CHECK(!graze_rig_pose_body(k->rig, 1, 0.1 + 0.01 * i, NULL, bodies[i], NULL));
        positions[i] = calloc(k->rig->vertex_count, 3 * sizeof(float));
        graze_body_get_positions(bodies[i], positions[i]);
    }
    for (int n = 0; n < 200; n++) {
        uint32_t triangle = test_random_u32(&random) % k->rig->triangle_count;
        double u = test_random_unit(&random), v = test_random_unit(&random) * (1 - u);
        float point[3], velocity[3];
        double expected[3];
        for (int x = 0; x < 3; x++) {
            double at[2];
            for (int i = 0; i < 2; i++) {
                const float *p = positions[i];
                const uint32_t *corners = k->rig->triangles + 3 * (size_t)triangle;
                at[i] = (1 - u - v) * p[3 * (size_t)corners[0] + x] +
                        u * p[3 * (size_t)corners[1] + x] + v * p[3 * (size_t)corners[2] + x];
            }
            point[x] = (float)at[1];
            expected[x] = (at[1] - at[0]) / 0.01;
        }
        CHECK(
            !graze_surface_velocity(bodies[1], bodies[0], triangle, point, 0.01f, velocity, NULL));
        for (int x = 0; x < 3; x++)
            worst = fmax(worst, fabs(velocity[x] - expected[x]));
    }
    CHECK_MSG(worst < 0.01, "off by %g m/s", worst);
    graze_error error;
    float unwanted[3];
    CHECK(graze_surface_velocity(bodies[0], bodies[1], k->rig->triangle_count, unwanted, 1,
                                 unwanted, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_surface_velocity(bodies[0], bodies[1], 0, unwanted, 0, unwanted, &error) ==
          GRAZE_BAD_INPUT);
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(bodies[i]);
        free(positions[i]);
    }
}

TEST(a_ball_rests_on_a_lying_character_that_breathes)
{
    OWN(graze_ode) *ode = open_world(NULL);
    graze_world_id id = add_player(ode), ball = add_ball(ode, 0, 0.6f, 0, 0.01);
    double seconds = test_amount(6, 3), gap = -INFINITY, depth = -INFINITY, low = 9, high = -9;
    CHECK(!graze_ode_put(ode, id, sample("lie", 2.5), NULL, NULL, NULL));
    for (int i = 1; i <= (int)(seconds / STEP); i++) {
        CHECK(!graze_ode_pose(ode, id, sample("lie", fmod(2.5 + i * STEP, 6)), NULL, NULL, NULL));
        step(ode, NULL);
        if (i < 240 || i % 4)
            continue;
        graze_ode_motion motion;
        CHECK(!graze_ode_get_motion(ode, ball, 0, &motion, NULL));
        double apart = skin_distance(graze_ode_body(ode, id), motion.position) - 0.11;
        gap = fmax(gap, apart);
        depth = fmax(depth, -apart);
        low = fmin(low, motion.position[1]);
        high = fmax(high, motion.position[1]);
    }
    printf("  over %g s: gap %.2f mm, depth %.2f mm, while it goes up and down by %.1f mm\n",
           seconds - 1, 1000 * gap, 1000 * depth, 1000 * (high - low));
    CHECK_MSG(gap < 0.005 && depth < 0.005, "gap %g m, depth %g m", gap, depth);
    CHECK_MSG(low > 0.2 && high - low > 0.003, "from %g to %g m", low, high);
}

TEST(a_kick_gives_the_ball_the_speed_of_the_foot)
{
    OWN(graze_ode) *ode = open_world(NULL);
    graze_world_id id = add_player(ode), ball = add_ball(ode, -0.13f, 0.11f, 0.62f, 0.002);
    graze_ode_motion motion = {.velocity = {0}};
    double fastest = 0, closing = 0;
    bool foot = false;
    CHECK(!graze_ode_put(ode, id, sample("kick", 0), NULL, NULL, NULL));
    for (int i = 1; i < 216; i++) {
        size_t count;
        CHECK(!graze_ode_pose(ode, id, sample("kick", i * STEP), NULL, NULL, NULL));
        step(ode, NULL);
        const graze_ode_hit *hits = graze_ode_hits(ode, &count);
        for (size_t h = 0; h < count; h++) {
            bool by_foot = hits[h].names[0] && (strncmp(hits[h].names[0], "foot", 4) == 0 ||
                                                strncmp(hits[h].names[0], "toes", 4) == 0 ||
                                                strncmp(hits[h].names[1], "foot", 4) == 0 ||
                                                strncmp(hits[h].names[1], "toes", 4) == 0);
            foot |= by_foot;
            closing = by_foot ? fmax(closing, (double)hits[h].speed) : closing;
        }
        CHECK(!graze_ode_get_motion(ode, ball, 0, &motion, NULL));
        fastest = fmax(fastest, sqrt(dot(motion.velocity, motion.velocity)));
    }
    printf("  the foot came with %.1f m/s, the ball left with %.1f m/s\n", closing, fastest);
    CHECK_MSG(foot && closing > 2, "foot %d, %g m/s", foot, closing);
    CHECK_MSG(fabs(fastest - 1.3 * closing) < 0.1 * closing, "%g of %g m/s", fastest, closing);
    CHECK_MSG(motion.position[2] > 1, "it is at z = %g", motion.position[2]);
}

/* A ball at the chest of somebody who stands: he flinches, or by a hard one falls. */
static graze_ode_state throw_at_chest(double speed, uint32_t *action, double *backwards)
{
    enum { FLINCH = 7, FALL = 8 };
    static const grazei_reaction reactions[] = {
        {NULL, GRAZEI_HIT_ANYWHERE, 12, FALL, true},
        {"spine.1", GRAZEI_HIT_FRONT, 1, FLINCH, false}, /* which the chest is inside */
        {NULL, GRAZEI_HIT_ANYWHERE, 1, 9, false}};
    const kind *k = player();
    graze_ode *ode = open_world(NULL);
    graze_world_id id = add_player(ode), ball = add_ball(ode, 0.03f, 1.3f, 1.5f, 0);
    graze_ode_motion motion = {
        .position = {0.03, 1.3, 1.5}, .rotation = {0, 0, 0, 1}, .velocity = {0, 0.5, -speed}};
    *action = 0;
    CHECK(!graze_ode_set_motion(ode, ball, 0, &motion, NULL));
    CHECK(!graze_ode_put(ode, id, sample("stand", 0), NULL, NULL, NULL));
    for (int i = 1; i < 240; i++) {
        size_t count;
        CHECK(!graze_ode_pose(ode, id, sample("stand", i * STEP), NULL, NULL, NULL));
        step(ode, NULL);
        const graze_ode_hit *hits = graze_ode_hits(ode, &count);
        for (size_t h = 0; h < count && !*action; h++) {
            if (hits[h].ids[0].index != id.index || hits[h].ids[1].index != ball.index)
                continue;
            uint32_t row = grazei_choose_reaction(k->parts, reactions, 3, hits[h].contact.parts[0],
                                                  hits[h].contact.normal, hits[h].impulse);
            if (row == 3)
                continue;
            *action = reactions[row].action;
            if (!reactions[row].physics)
                continue;
            double point[3], push[3];
            for (int x = 0; x < 3; x++) {
                point[x] = hits[h].contact.point[x];
                push[x] = (double)hits[h].impulse * hits[h].contact.normal[x];
            }
            uint32_t bone = graze_ragdoll_bone_of_part(k->ragdoll, hits[h].contact.parts[0]);
            CHECK(!graze_ode_go_limp(ode, id, GRAZE_NONE, NULL));
            CHECK(!graze_ode_push(ode, id, bone, point, push, NULL));
        }
    }
    graze_ode_state state = graze_ode_get_state(ode, id);
    graze_ode_lie lie;
    CHECK(!graze_ode_lying(ode, id, &lie, NULL));
    *backwards = -lie.at[2];
    CHECK(graze_ode_push(ode, id, 99, (const double[3]){0}, (const double[3]){0}, NULL) ==
          GRAZE_BAD_INPUT);
    CHECK(graze_ode_push(ode, ball, 0, (const double[3]){NAN}, (const double[3]){0}, NULL) ==
          GRAZE_BAD_INPUT);
    graze_ode_destroy(ode);
    return state;
}

TEST(a_hit_shows_a_reaction_and_a_hard_one_hands_over_to_the_engine)
{
    uint32_t action;
    double backwards;
    CHECK(throw_at_chest(8, &action, &backwards) == GRAZE_ODE_FOLLOWS && action == 7);
    CHECK(throw_at_chest(35, &action, &backwards) == GRAZE_ODE_LIMP);
    CHECK_MSG(action == 8 && backwards > 0.02, "action %u, pushed by %g m", action, backwards);
}

/* ---- limp ----------------------------------------------------------------------------------- */

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

/* By how much the angles of all joints are beyond their limits, in degrees; returns how many. */
static uint32_t take_overshoot(const graze_ode *ode, graze_world_id id, double *over)
{
    const kind *k = player();
    graze_ode_motion motions[64];
    uint32_t count = 0;
    for (uint32_t b = 0; b < graze_ragdoll_bone_count(k->ragdoll); b++)
        graze_ode_get_motion(ode, id, b, &motions[b], NULL);
    for (uint32_t b = 1; b < graze_ragdoll_bone_count(k->ragdoll); b++) {
        graze_ragdoll_bone bone = graze_ragdoll_get_bone(k->ragdoll, b);
        double angles[3];
        graze_ragdoll_angles(k->ragdoll, b, motions[bone.parent].rotation, motions[b].rotation,
                             angles);
        for (int n = 0; n < (bone.kind == GRAZE_RAGDOLL_HINGE ? 1 : 3); n++)
            over[count++] =
                DEGREES * fmax(0, fmax(angles[n] - bone.high[n], bone.low[n] - angles[n]));
    }
    return count;
}

TEST(a_limp_character_falls_lies_still_and_keeps_its_limits)
{
    enum { STEPS = 720, ANGLES = 96 };
    static double over[STEPS * ANGLES];
    OWN(graze_ode) *ode = open_world(NULL);
    graze_world_id id = add_player(ode);
    uint32_t count = 0, gained = 0;
    double deepest = 0, before = INFINITY, most = 0;
    float placement[12];
    at_height(0.5f, placement);
    CHECK(!graze_ode_put(ode, id, sample("run", 0.2), NULL, placement, NULL));
    CHECK(!graze_ode_go_limp(ode, id, GRAZE_NONE, NULL));
    CHECK(graze_ode_get_state(ode, id) == GRAZE_ODE_LIMP);
    for (int i = 0; i < STEPS; i++) {
        graze_ode_energy energy;
        step(ode, NULL);
        count += take_overshoot(ode, id, over + count);
        deepest = fmax(deepest, -lowest_vertex(graze_ode_body(ode, id)));
        CHECK(!graze_ode_get_energy(ode, id, &energy, NULL));
        double all = energy.kinetic + energy.potential;
        gained += all > before + 1e-6 * fabs(before);
        most = fmax(most, all - before);
        before = all;
    }
    qsort(over, count, sizeof *over, ascending);
    graze_ode_lie lie;
    CHECK(!graze_ode_lying(ode, id, &lie, NULL));
    printf(
        "  limits: 95 %% within %.2f degrees, at most %.1f beyond; %.1f mm deep; energy grows by "
        "%.2f J a step at most; in the end %.3f m/s\n",
        over[count * 95 / 100], over[count - 1], 1000 * deepest, most, lie.speed);
    CHECK_MSG(over[count * 95 / 100] < 2, "%g degrees beyond", over[count * 95 / 100]);
    CHECK_MSG(deepest < 0.01, "%g m deep in the ground", deepest);
    CHECK_MSG(lie.speed < 0.3 && lie.at[1] < 0.4, "%g m/s, at %g m", lie.speed, lie.at[1]);
    CHECK_MSG(gained == 0, "energy grows in %u steps, by up to %g J", gained, most);
}

/* The skin is what the transforms say, so that exact queries see it. */
TEST(the_pose_of_a_limp_character_is_that_of_its_skin)
{
    const kind *k = player();
    graze_ode *ode = open_world(NULL);
    graze_world_id id = add_player(ode);
    graze_body *other;
    float placement[12], *joints = calloc(k->rig->joint_count, 12 * sizeof *joints);
    float *expected = calloc(k->rig->vertex_count, 3 * sizeof *expected);
    at_height(0.1f, placement);
    CHECK(!graze_ode_put(ode, id, sample("kick", 0.3), NULL, placement, NULL));
    CHECK(!graze_ode_go_limp(ode, id, GRAZE_NONE, NULL));
    for (int i = 0; i < 60; i++)
        step(ode, NULL);
    CHECK(!graze_ode_get_pose(ode, id, k->locals, placement, NULL));
    CHECK(!graze_rig_compose(k->rig, k->locals, joints, NULL));
    REQUIRE(!graze_body_create(k->model, &other, NULL));
    graze_pose pose = {
        .joints = joints, .joint_count = k->rig->joint_count, .placement = placement};
    CHECK(!graze_body_set_pose(other, &pose, NULL));
    graze_body_get_positions(other, expected);
    graze_body_get_positions(graze_ode_body(ode, id), k->positions);
    CHECK(memcmp(expected, k->positions, 12 * (size_t)k->rig->vertex_count) == 0);
    /* and bones are where the engine has them */
    double worst = 0;
    for (uint32_t b = 0; b < graze_ragdoll_bone_count(k->ragdoll); b++) {
        graze_ragdoll_bone bone = graze_ragdoll_get_bone(k->ragdoll, b);
        graze_ode_motion motion;
        CHECK(!graze_ode_get_motion(ode, id, b, &motion, NULL));
        const float *m = joints + 12 * (size_t)bone.joint;
        for (int x = 0; x < 3; x++) {
            double in_model = m[4 * x] * bone.centre[0] + m[4 * x + 1] * bone.centre[1] +
                              m[4 * x + 2] * bone.centre[2] + m[4 * x + 3];
            worst = fmax(worst, fabs(in_model + placement[4 * x + 3] - motion.position[x]));
        }
    }
    CHECK_MSG(worst < 1e-5, "a bone is off by %g m", worst);
    free(joints);
    free(expected);
    graze_body_destroy(other);
    graze_ode_destroy(ode);
}

TEST(one_arm_goes_limp_and_the_rest_follows_its_clip)
{
    const kind *k = player();
    OWN(graze_ode) *ode = open_world(NULL);
    graze_world_id id = add_player(ode);
    uint32_t arm = graze_ragdoll_find_bone(k->ragdoll, "upper_arm.L");
    OWNED graze_rig_local *now = calloc(k->rig->node_count, sizeof *now);
    double lowest = INFINITY;
    bool has_hand = graze_ragdoll_find_bone(k->ragdoll, "hand.L") != GRAZE_NONE;
    REQUIRE(arm != GRAZE_NONE);
    CHECK(!graze_ode_put(ode, id, sample("stand", 0), NULL, NULL, NULL));
    CHECK(!graze_ode_go_limp(ode, id, arm, NULL));
    CHECK(graze_ode_get_state(ode, id) == GRAZE_ODE_PARTLY_LIMP);
    for (int i = 1; i <= 240; i++) {
        const graze_rig_local *clip = sample("run", fmod(i * STEP, 0.66));
        CHECK(!graze_ode_pose(ode, id, clip, NULL, NULL, NULL));
        step(ode, NULL);
        CHECK(!graze_ode_get_pose(ode, id, now, NULL, NULL));
        uint32_t same = 0, turned = 0;
        for (uint32_t n = 0; n < k->rig->node_count; n++) {
            bool equal = memcmp(&now[n], &clip[n], sizeof *now) == 0;
            const char *name = k->rig->nodes[n].name;
            bool of_arm = strcmp(name, "upper_arm.L") == 0 || strcmp(name, "forearm.L") == 0 ||
                          (strcmp(name, "hand.L") == 0 && has_hand);
            same += equal && !of_arm;
            turned += !equal && of_arm;
        }
        CHECK_MSG(same + turned == k->rig->node_count && turned == 2u + has_hand,
                  "step %d: %u and %u", i, same, turned);
        graze_ode_motion motion;
        CHECK(!graze_ode_get_motion(ode, id, arm, &motion, NULL));
        lowest = fmin(lowest, motion.position[1]);
    }
    graze_ode_motion unwanted;
    CHECK(graze_ode_get_motion(ode, id, 0, &unwanted, NULL) == GRAZE_BAD_INPUT);
    CHECK_MSG(lowest > 0.6, "the arm came down to %g m: it is off", lowest);
}

TEST(a_character_gets_up_without_a_jump)
{
    const kind *k = player();
    graze_ode *ode = open_world(NULL);
    graze_world_id id = add_player(ode);
    float *before = calloc(k->rig->vertex_count, 3 * sizeof *before);
    graze_rig_local *now = calloc(k->rig->node_count, sizeof *now);
    double largest = 0, lowest = 0;
    CHECK(!graze_ode_put(ode, id, sample("stand", 0), NULL, NULL, NULL));
    CHECK(!graze_ode_go_limp(ode, id, GRAZE_NONE, NULL));
    for (int i = 0; i < 240; i++)
        step(ode, NULL);
    graze_ode_lie lie;
    CHECK(!graze_ode_lying(ode, id, &lie, NULL));
    double turn = lie.turn * M_PI / 180;
    const float placement[12] = {
        (float)cos(turn),  0, (float)sin(turn), (float)lie.at[0], 0, 1, 0, 0,
        (float)-sin(turn), 0, (float)cos(turn), (float)lie.at[2]};
    CHECK(!graze_ode_recover(ode, id, 0.5, NULL));
    CHECK(graze_ode_get_state(ode, id) == GRAZE_ODE_RECOVERS);
    CHECK(graze_ode_recover(ode, id, 0.5, NULL) == GRAZE_BAD_INPUT);
    graze_body_get_positions(graze_ode_body(ode, id), before);
    for (int i = 0; i < 121; i++) {
        CHECK(!graze_ode_pose(ode, id, sample("lie", 0), NULL, placement, NULL));
        step(ode, NULL);
        graze_body_get_positions(graze_ode_body(ode, id), k->positions);
        for (uint32_t v = 0; v < 3 * k->rig->vertex_count; v++)
            largest = fmax(largest, fabs((double)k->positions[v] - before[v]));
        for (uint32_t v = 0; v < k->rig->vertex_count && i < 120; v++)
            lowest = fmin(lowest, (double)k->positions[3 * (size_t)v + 1]);
        memcpy(before, k->positions, 12 * (size_t)k->rig->vertex_count);
    }
    CHECK(graze_ode_get_state(ode, id) == GRAZE_ODE_FOLLOWS);
    CHECK(!graze_ode_get_pose(ode, id, now, NULL, NULL));
    CHECK(memcmp(now, sample("lie", 0), k->rig->node_count * sizeof *now) == 0);
    CHECK_MSG(largest < 0.06, "a vertex jumps by %g m in a step", largest);
    CHECK_MSG(lowest > -0.0061, "on its way it is %g m in the ground", -lowest);
    free(before);
    free(now);
    graze_ode_destroy(ode);
}

/* ---- the same bits -------------------------------------------------------------------------- */

static uint64_t hash_of(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

/* Three players: one runs into one that stands, a third falls on both, with a ball between them. */
static uint64_t play(graze_pool *pool, uint32_t *hit_count)
{
    const kind *k = player();
    OWN(graze_ode) *ode = open_world(NULL);
    graze_world_id ids[3], ball = add_ball(ode, 0.1f, 1.2f, 0.5f, 0);
    uint64_t hash = 14695981039346656037u;
    *hit_count = 0;
    for (int i = 0; i < 3; i++)
        ids[i] = add_player(ode);
    for (int s = 0; s < 150; s++) {
        for (int i = 0; i < 3; i++) {
            float placement[12];
            at_height(i == 2 ? 1.6f : 0, placement);
            placement[3] = i == 2 ? 0.3f : 0;
            placement[11] = i == 1 ? 0.8f : i == 0 ? (float)(s * STEP * 1.5) : 0.6f;
            if (!s)
                CHECK(!graze_ode_put(ode, ids[i], sample("run", 0), NULL, placement, NULL));
            else if (i == 0 || s < 5)
                CHECK(!graze_ode_pose(ode, ids[i], sample("run", fmod(s * STEP, 0.66)), NULL,
                                      placement, NULL));
        }
        if (s == 5)
            CHECK(!graze_ode_go_limp(ode, ids[2], GRAZE_NONE, NULL));
        if (s == 60)
            CHECK(!graze_ode_go_limp(ode, ids[1], GRAZE_NONE, NULL));
        step(ode, pool);
        size_t count;
        const graze_ode_hit *hits = graze_ode_hits(ode, &count);
        *hit_count += (uint32_t)count;
        for (size_t h = 0; h < count; h++) {
            hash = hash_of(hash, &hits[h].impulse, sizeof(float));
            hash = hash_of(hash, hits[h].contact.point, sizeof hits[h].contact.point);
        }
        graze_ode_motion motion;
        CHECK(!graze_ode_get_motion(ode, ball, 0, &motion, NULL));
        hash = hash_of(hash, &motion, sizeof motion);
        for (int i = 0; i < 3; i++) {
            graze_body_get_positions(graze_ode_body(ode, ids[i]), k->positions);
            hash = hash_of(hash, k->positions, 12 * (size_t)k->rig->vertex_count);
        }
    }
    return hash;
}

TEST(characters_move_the_same_way_in_every_run_and_on_any_number_of_threads)
{
    uint32_t hits, other;
    uint64_t first = play(NULL, &hits);
    CHECK_MSG(hits > 50, "only %u hits", hits);
    CHECK(play(NULL, &other) == first && other == hits);
    for (uint32_t threads = 2; threads <= 8; threads *= 4) {
        OWN(graze_pool) *pool = NULL;
        REQUIRE(!graze_pool_create(threads, NULL, &pool, NULL));
        CHECK_MSG(play(pool, &other) == first, "with %u threads", threads);
    }
}
