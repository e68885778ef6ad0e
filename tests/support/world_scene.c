#include "support/world_scene.h"

#include "body/mask.h"
#include "support/answers.h"
#include "support/solids.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = 4, MAX_VERTICES = 4096 };

static double lot(world_scene *s, double low, double high)
{
    return test_random_range(&s->random, low, high);
}

/* ---- members ---- */

static graze_shape random_shape(world_scene *s, const scene_member *m)
{
    float p[3], q[3], half[3];
    for (int k = 0; k < 3; k++) {
        p[k] = (float)m->at[k];
        q[k] = (float)(m->at[k] + lot(s, -1, 1));
        half[k] = (float)lot(s, 0.1, 0.6);
    }
    switch (m->number % 4) {
    case 0:
        return graze_shape_sphere(p, half[0]);
    case 1:
        return graze_shape_capsule(p, q, half[0]);
    case 2:
        return graze_shape_box(p, half, m->turn);
    default:
        return m->number % 16 == 3 ? graze_shape_half_space(m->turn, (float)lot(s, -3, -1))
                                   : graze_shape_sphere(p, half[1]);
    }
}

/* The vertices of its pose, shaken, as positions of its own. */
static void give_positions(world_scene *s, scene_member *m)
{
    static float positions[3 * MAX_VERTICES];
    uint32_t count = graze_model_get_info(s->models[m->model]).vertex_count;
    if (count > MAX_VERTICES)
        abort();
    graze_body_get_positions(m->now.body, positions);
    for (uint32_t i = 0; i < 3 * count; i++)
        positions[i] += (float)lot(s, -0.05, 0.05);
    CHECK(graze_body_set_positions(m->now.body, positions, 0, count, NULL) == GRAZE_OK);
}

static void pose_body(world_scene *s, scene_member *m)
{
    float joints[JOINTS * 12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    float placement[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (int k = 0; k < 3; k++)
        placement[4 * k + 3] = (float)m->at[k];
    if (m->model < 2)
        pose_make(MAP_NEAR, &s->meshes[m->model], &s->random, joints);
    graze_pose pose = {
        .joints = joints, .joint_count = m->model < 2 ? JOINTS : 1, .placement = placement};
    CHECK(graze_body_set_pose(m->now.body, &pose, NULL) == GRAZE_OK);
    if (m->number % 7 == 3)
        give_positions(s, m);
    judge_find_box(&m->now);
}

static void mask_body(world_scene *s, scene_member *m)
{
    uint32_t bits = test_random_u32(&s->random) % 3 ? test_random_u32(&s->random) : UINT32_MAX;
    uint32_t groups = graze_model_get_info(s->models[m->model]).part_count;
    CHECK(graze_body_set_part_mask(m->now.body, &bits, groups, NULL) == GRAZE_OK);
    judge_find_box(&m->now);
}

static void put_in(world_scene *s, scene_member *m)
{
    for (int w = 0; w < SCENE_WORLDS; w++) {
        graze_world_member_def def = {0};
        def.category = m->category;
        def.solid = m->now.solid;
        def.hitboxes = m->now.fit;
        graze_status status =
            m->now.body
                ? graze_world_add_body(s->worlds[w], m->now.body, &def, &m->ids[w], NULL)
                : graze_world_add_shape(s->worlds[w], &m->now.shape, &def, &m->ids[w], NULL);
        CHECK(status == GRAZE_OK);
    }
    m->present = true;
    m->has_past = false;
}

static void make_member(world_scene *s, uint32_t i, uint64_t seed)
{
    scene_member *m = &s->members[i];
    double fastest = s->with_motion && i % 4 < 2 ? 3 : 0.4;
    for (int k = 0; k < 3; k++) {
        m->at[k] = lot(s, -2, 2) * (k == (int)(seed % 3) ? 3 : 1);
        m->speed[k] = lot(s, -fastest, fastest);
    }
    for (int k = 0; k < 4; k++)
        m->turn[k] = (float)lot(s, -1, 1);
    m->number = i / 2;
    m->category = i % SCENE_CLASSES;
    m->model = i / 2 % 8 == 5 ? 2 : i / 2 % 8 == 7 ? 3 : i / 2 % 2;
    if (i % 2) {
        m->now.shape = random_shape(s, m);
    } else {
        CHECK((i % 6 == 2
                   ? graze_body_create_lean(s->caches[m->model], &m->now.body, NULL)
                   : graze_body_create(s->models[m->model], &m->now.body, NULL)) == GRAZE_OK);
        CHECK(graze_body_create(s->models[m->model], &m->past.body, NULL) == GRAZE_OK);
        m->now.fit = m->model == 0 ? s->fit : NULL;
        m->now.solid = m->model >= 2;
        pose_body(s, m);
    }
    put_in(s, m);
}

/* ---- the whole ---- */

static void make_models(world_scene *s, uint64_t seed)
{
    const soup_def def = {.vertex_count = 60,
                          .triangle_count = 120,
                          .joint_count = JOINTS,
                          .max_influences = 3,
                          .size = 1};
    const graze_hitboxes_def fit_def = {0};
    const double low[3] = {-1.2, -1.2, -1.2}, high[3] = {1.2, 1.2, 1.2};
    solid ball = {0}, box = {0};
    for (int i = 0; i < 2; i++) {
        s->meshes[i] = soup_make(&def, &s->random);
        graze_model_def model_def = soup_model_def(&s->meshes[i]);
        if (seed % 3 == 2)
            model_def.tree.volume = GRAZE_SPHERES;
        if (seed % 4 == 3)
            model_def.skinning = i ? GRAZE_DUAL : GRAZE_SPHERICAL;
        CHECK(graze_model_create(&model_def, &s->models[i], NULL) == GRAZE_OK);
    }
    CHECK(graze_hitboxes_create(s->models[0], &fit_def, &s->fit, NULL) == GRAZE_OK);
    solid_add_ball(&ball, 1.4, 6);
    solid_add_box(&box, low, high, 2);
    graze_body_destroy(solid_body(&ball, NULL, &s->models[2]));
    graze_body_destroy(solid_body(&box, NULL, &s->models[3]));
    solid_free(&ball);
    solid_free(&box);
    for (int i = 0; i < SCENE_MODELS; i++)
        CHECK(graze_cache_pool_create(s->models[i], NULL, &s->caches[i], NULL) == GRAZE_OK);
    for (int i = 0; i < 2 * SCENE_MODELS; i++)
        CHECK(graze_body_create(s->models[i / 2], &s->between[i % 2][i / 2], NULL) == GRAZE_OK);
}

static void set_rules(world_scene *s, uint64_t seed)
{
    for (uint32_t a = 0; a < SCENE_CLASSES; a++)
        for (uint32_t b = a; b < SCENE_CLASSES; b++) {
            graze_world_rule rule = {0};
            uint32_t level = (uint32_t)((a + b + seed) % 5);
            rule.level = level < 3 ? (graze_level)(GRAZE_LEVEL_IGNORE - level) : GRAZE_LEVEL_EXACT;
            rule.contacts = (a + 2 * b + seed) % 3;
            if (s->with_motion)
                rule.motion = (graze_motion_rule)((a + 3 * b + seed / 2) % 4);
            s->rules[a][b] = s->rules[b][a] = rule;
            for (int w = 0; w < SCENE_WORLDS; w++)
                CHECK(graze_world_set_rule(s->worlds[w], b, a, &rule, NULL) == GRAZE_OK);
        }
}

void scene_open(world_scene *s, uint64_t seed, bool with_motion)
{
    static const uint32_t thread_counts[SCENE_WORLDS] = {1, 2, 8};
    memset(s, 0, sizeof *s);
    s->random = test_random_seed(seed);
    s->with_motion = with_motion;
    make_models(s, seed);
    for (int w = 0; w < SCENE_WORLDS; w++)
        CHECK(graze_world_create(NULL, &s->worlds[w], NULL) == GRAZE_OK &&
              graze_pool_create(thread_counts[w], NULL, &s->pools[w], NULL) == GRAZE_OK);
    set_rules(s, seed);
    for (uint32_t i = 0; i < SCENE_THINGS; i++)
        make_member(s, i, seed);
}

void scene_close(world_scene *s)
{
    for (int w = 0; w < SCENE_WORLDS; w++) {
        graze_world_destroy(s->worlds[w]);
        graze_pool_destroy(s->pools[w]);
    }
    for (uint32_t i = 0; i < SCENE_THINGS; i++) {
        graze_body_destroy(s->members[i].now.body);
        graze_body_destroy(s->members[i].past.body);
    }
    for (int i = 0; i < 2 * SCENE_MODELS; i++)
        graze_body_destroy(s->between[i % 2][i / 2]);
    graze_hitboxes_destroy(s->fit);
    for (int i = 0; i < SCENE_MODELS; i++) {
        graze_cache_pool_destroy(s->caches[i]);
        graze_model_destroy(s->models[i]);
    }
    for (int i = 0; i < 2; i++)
        soup_free(&s->meshes[i]);
}

static bool class_moves(const world_scene *s, uint32_t number)
{
    for (uint32_t other = 0; other < SCENE_CLASSES; other++)
        if (s->rules[number][other].level != GRAZE_LEVEL_IGNORE &&
            s->rules[number][other].motion != GRAZE_MOTION_DISCRETE)
            return true;
    return false;
}

void scene_remember(world_scene *s)
{
    static float positions[3 * MAX_VERTICES];
    for (uint32_t i = 0; i < SCENE_THINGS; i++) {
        scene_member *m = &s->members[i];
        graze_body *body = m->past.body;
        m->past = m->now;
        m->past.body = body;
        m->has_past = m->present && class_moves(s, m->category);
        if (!body)
            continue;
        uint32_t count = graze_model_get_info(s->models[m->model]).vertex_count;
        if (count > MAX_VERTICES)
            abort();
        if (m->now.fit)
            CHECK(graze_hitboxes_pose(m->now.fit, m->now.body, m->past_volumes, SCENE_VOLUMES,
                                      NULL) == GRAZE_OK);
        graze_body_get_positions(m->now.body, positions);
        CHECK(graze_body_set_positions(body, positions, 0, count, NULL) == GRAZE_OK);
    }
}

void scene_move(world_scene *s)
{
    for (uint32_t i = 0; i < SCENE_THINGS; i++) {
        scene_member *m = &s->members[i];
        if (i % 3 == 0)
            continue;
        for (int k = 0; k < 3; k++) {
            if (s->with_motion && fabs(m->at[k]) > 4)
                m->speed[k] = copysign(m->speed[k], -m->at[k]);
            m->at[k] += m->speed[k];
        }
        if (m->now.body) {
            pose_body(s, m);
            continue;
        }
        m->now.shape = random_shape(s, m);
        for (int w = 0; w < SCENE_WORLDS && m->present; w++)
            CHECK(graze_world_set_shape(s->worlds[w], m->ids[w], &m->now.shape, NULL) == GRAZE_OK);
    }
}

void scene_change(world_scene *s)
{
    for (uint32_t n = 0; n < 4; n++) {
        scene_member *m = &s->members[test_random_u32(&s->random) % SCENE_THINGS];
        for (int w = 0; w < SCENE_WORLDS && m->present; w++) {
            CHECK(graze_world_remove(s->worlds[w], m->ids[w], NULL) == GRAZE_OK);
            CHECK(graze_world_remove(s->worlds[w], m->ids[w], NULL) == GRAZE_BAD_INPUT);
        }
        if (m->present)
            m->present = false;
        else
            put_in(s, m);
    }
    scene_member *m = &s->members[test_random_u32(&s->random) % SCENE_THINGS];
    if (m->now.body)
        mask_body(s, m);
    if (test_random_u32(&s->random) % 4 == 0)
        set_rules(s, test_random_u32(&s->random));
}

/* ---- on the way ---- */

static float mix(float from, float to, double time)
{
    return (float)((1 - time) * (double)from + time * (double)to);
}

static void mix_all(const float *from, const float *to, uint32_t count, double time, float *out)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = mix(from[i], to[i], time);
}

static void set_mask(graze_body *body, const graze_body *like)
{
    CHECK(graze_body_set_part_mask(body, grazei_body_mask(like), grazei_body_mesh(like)->part_count,
                                   NULL) == GRAZE_OK);
}

/* Boxes keep their axes, and half-spaces their normals, so that all numbers can be mixed. */
static graze_shape mix_shapes(const graze_shape *from, const graze_shape *to, double time)
{
    graze_shape out = *to;
    const size_t counts[5] = {4, 7, 6, 0, 4};
    const float *x = from->kind == GRAZE_BOX ? from->as.box.centre : from->as.sphere.centre;
    mix_all(x, to->as.sphere.centre, (uint32_t)counts[to->kind], time, out.as.sphere.centre);
    return out;
}

static judge_thing thing_at(world_scene *s, const scene_member *m, int side, double time,
                            graze_capsule *volumes)
{
    static float positions[2][3 * MAX_VERTICES];
    judge_thing t = m->now;
    if (!t.body) {
        t.shape = mix_shapes(&m->past.shape, &m->now.shape, time);
        return t;
    }
    uint32_t count = graze_model_get_info(s->models[m->model]).vertex_count;
    if (count > MAX_VERTICES)
        abort();
    graze_body_get_positions(m->past.body, positions[0]);
    graze_body_get_positions(m->now.body, positions[1]);
    mix_all(positions[0], positions[1], 3 * count, time, positions[0]);
    t.body = s->between[side][m->model];
    CHECK(graze_body_set_positions(t.body, positions[0], 0, count, NULL) == GRAZE_OK);
    set_mask(t.body, m->now.body);
    if (t.fit) {
        CHECK(graze_hitboxes_pose(t.fit, m->now.body, volumes, SCENE_VOLUMES, NULL) == GRAZE_OK);
        uint32_t outer;
        graze_hitboxes_count(t.fit, &outer);
        for (uint32_t i = 0; i < outer; i++)
            mix_all(m->past_volumes[i].p, volumes[i].p, 7, time, volumes[i].p);
        t.volumes = volumes;
    }
    judge_find_box(&t);
    return t;
}

static bool meet_at(world_scene *s, const scene_member *a, const scene_member *b, graze_level level,
                    double time, float margin)
{
    static meeting m;
    graze_capsule volumes[2][SCENE_VOLUMES];
    judge_thing first = thing_at(s, a, 0, time, volumes[0]);
    judge_thing second = thing_at(s, b, 1, time, volumes[1]);
    first.solid = second.solid = false;
    for (int k = 0; k < 3; k++) {
        first.box.low_negated[k] += margin;
        first.box.high[k] += margin;
        second.box.low_negated[k] += margin;
        second.box.high[k] += margin;
    }
    judge_meeting(&first, &second, level, false, &m);
    return m.meets;
}

/* Volumes may stick out of the boxes of their bodies, and on the way no box is asked. */
bool scene_meet_at(world_scene *s, const scene_member *a, const scene_member *b, graze_level level,
                   double time)
{
    return meet_at(s, a, b, level, time, level == GRAZE_LEVEL_HITBOXES ? 10.0f : 0);
}

/* A box around all of the way, whatever the mask; false: without end. */
static bool box_of_way(const scene_member *m, double low[3], double high[3])
{
    static float positions[3 * MAX_VERTICES];
    const judge_thing *ends[2] = {&m->past, &m->now};
    if (!m->now.body && m->now.shape.kind == GRAZE_HALF_SPACE)
        return false;
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int end = 0; end < 2; end++) {
        uint32_t count = m->now.body ? grazei_body_mesh(m->now.body)->vertex_count : 0;
        if (count)
            graze_body_get_positions(ends[end]->body, positions);
        for (uint32_t i = 0; i < 3 * count; i++) {
            low[i % 3] = fmin(low[i % 3], positions[i]);
            high[i % 3] = fmax(high[i % 3], positions[i]);
        }
        for (int k = 0; k < 3 && !count; k++) {
            const graze_shape *shape = &ends[end]->shape;
            const float *p = shape->as.sphere.centre; /* of a capsule and box, too */
            low[k] = fmin(low[k], p[k] - 4);          /* none is larger */
            high[k] = fmax(high[k], p[k] + 4);
        }
    }
    return true;
}

bool scene_ways_are_apart(const scene_member *a, const scene_member *b)
{
    double low[2][3], high[2][3];
    bool apart = false;
    if (!box_of_way(a, low[0], high[0]) || !box_of_way(b, low[1], high[1]))
        return false;
    for (int k = 0; k < 3; k++)
        apart |= low[0][k] - 1 > high[1][k] || low[1][k] - 1 > high[0][k];
    return apart;
}

double scene_first_time(world_scene *s, const scene_member *a, const scene_member *b,
                        graze_level level, uint32_t steps)
{
    for (uint32_t i = 0; i < steps; i++)
        if (meet_at(s, a, b, level, (double)i / steps, 0))
            return (double)i / steps;
    return 2;
}

graze_impact scene_first_impact(world_scene *s, const scene_member *a, const scene_member *b)
{
    graze_impact best = {.found = false};
    graze_motion motions[2] = {{.start = a->past.body, .end = a->now.body},
                               {.start = b->past.body, .end = b->now.body}};
    (void)s;
    set_mask(a->past.body, a->now.body);
    set_mask(b->past.body, b->now.body);
    CHECK(graze_sweep(&motions[0], &motions[1], &best, &(graze_options){.method = GRAZE_BRUTE},
                      NULL) == GRAZE_OK);
    return best;
}
