/* Engines whose calls fail half way, for want of memory: as in test_half_way.c, beside a twin. The
 * engine's own memory is not ours to fail.
 */
#include "harness.h"

#include "scenes/worm.h"
#include "support/half_way.h"
#include "support/own.h"

#include <graze/ode.h>

#include <stddef.h>
#include <stdlib.h>

#define NOTE(h, what, value) half_way_note(h, what, &(value), sizeof(value))

/* A worm that follows and then falls on the ground, a ball that is thrown at it, and one that comes
 * later; how they are is noted after each step.
 */
typedef struct scene {
    graze_rig *rig;
    graze_model *model;
    graze_hitboxes *fit;
    graze_ragdoll *ragdoll;
    graze_ode *ode;
    graze_world_id worm, balls[2];
    graze_rig_local *locals;
} scene;

static void open_scene(half_way *h, scene *s)
{
    const graze_worm_def worm = {.triangles = 200, .joints = 4, .influences = 2};
    const graze_hitboxes_def fit = {0};
    graze_ragdoll_def def = {0};
    *s = (scene){0};
    def.cell = 0.1f;
    if (graze_worm(&worm, &h->allocator, &s->rig, NULL) ||
        graze_rig_create_model(s->rig, NULL, &s->model, NULL) ||
        graze_hitboxes_create(s->model, &fit, &s->fit, NULL))
        abort();
    AGAIN(h, graze_ragdoll_create(s->rig, s->model, s->fit, &def, &s->ragdoll, NULL));
    s->locals = calloc(s->rig->node_count, sizeof *s->locals);
    if (!s->locals || graze_rig_sample_locals(s->rig, GRAZE_NONE, 0, s->locals, NULL, NULL))
        abort();
}

static void close_scene(scene *s)
{
    graze_ode_destroy(s->ode);
    graze_ragdoll_destroy(s->ragdoll);
    graze_hitboxes_destroy(s->fit);
    graze_model_destroy(s->model);
    graze_rig_destroy(s->rig);
    free(s->locals);
}

OWN_VALUE(scene, close_scene)

static void throw_ball(half_way *h, scene *s, int number)
{
    const graze_shape ball =
        graze_shape_sphere((const float[]){0.3f * (float)number, 1.5f, 0}, 0.1f);
    graze_ode_member_def def = {0};
    def.mass = 1;
    def.category = 1;
    def.velocity[1] = -40;
    AGAIN(h, graze_ode_add_shape(s->ode, &ball, &def, &s->balls[number], NULL));
}

static void note_scene(half_way *h, const scene *s, int balls)
{
    static float positions[3 * 4096];
    graze_ode_motion motion;
    size_t count;
    const graze_ode_hit *hits = graze_ode_hits(s->ode, &count);
    NOTE(h, "hits", count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t who[5] = {hits[i].begins, hits[i].ids[0].index, hits[i].ids[1].index,
                                 hits[i].contact.parts[0], hits[i].contact.parts[1]};
        NOTE(h, "who is hit", who);
        half_way_note(h, "where and how hard", &hits[i].contact,
                      sizeof hits[i].contact + sizeof hits[i].speed + sizeof hits[i].impulse);
    }
    for (int i = 0; i < balls; i++) {
        CHECK(!graze_ode_get_motion(s->ode, s->balls[i], 0, &motion, NULL));
        NOTE(h, "a ball", motion);
    }
    graze_body_get_positions(graze_ode_body(s->ode, s->worm), positions);
    half_way_note(h, "the worm", positions, 12 * (size_t)s->rig->vertex_count);
}

static void play(half_way *h)
{
    const graze_shape ground = graze_shape_half_space((const float[]){0, 1, 0}, -0.3f);
    graze_world_rule rule = {GRAZE_LEVEL_EXACT, GRAZE_MOTION_CONTINUOUS, true, {0}};
    graze_world_id fixed;
    graze_ode_def def = {0};
    OWN(scene) s = {0};
    open_scene(h, &s);
    def.allocator = &h->allocator;
    AGAIN(h, graze_ode_create(&def, &s.ode, NULL));
    for (uint32_t a = 0; a < 2; a++)
        AGAIN(h, graze_world_set_rule(graze_ode_world(s.ode), a, 1, &rule, NULL));
    const graze_ode_character_def character = {s.ragdoll, s.fit, s.model, NULL, NULL};
    AGAIN(h, graze_ode_add_shape(s.ode, &ground, NULL, &fixed, NULL));
    AGAIN(h, graze_ode_add_character(s.ode, &character, &s.worm, NULL));
    throw_ball(h, &s, 0);
    AGAIN(h, graze_ode_put(s.ode, s.worm, s.locals, NULL, NULL, NULL));
    for (int i = 0; i < 24; i++) {
        if (i < 8 || i > 18)
            AGAIN(h, graze_ode_pose(s.ode, s.worm, s.locals, NULL, NULL, NULL));
        if (i == 8)
            AGAIN(h, graze_ode_go_limp(s.ode, s.worm, GRAZE_NONE, NULL));
        if (i == 10)
            throw_ball(h, &s, 1);
        if (i == 18)
            AGAIN(h, graze_ode_recover(s.ode, s.worm, 0.02, NULL));
        AGAIN(h, graze_ode_step(s.ode, NULL, NULL));
        note_scene(h, &s, i < 10 ? 1 : 2);
    }
    AGAIN(h, graze_ode_remove(s.ode, s.balls[0], NULL));
    AGAIN(h, graze_ode_step(s.ode, NULL, NULL));
    note_scene(h, &s, 0);
}

TEST(steps_that_fail_half_way_go_on)
{
    half_way_try("an engine", play, 1000);
}
