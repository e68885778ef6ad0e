/* Events of random moving worlds against all pairs by brute force, with 1, 2 and 8 threads: levels,
 * contacts, solid bodies and masks mixed, and members that come and go.
 */
#include "harness.h"

#include "support/quick.h"
#include "support/solids.h"
#include "support/soup.h"
#include "support/world_judge.h"

#include <graze/graze.h>

#include <math.h>
#include <string.h>

enum { THINGS = 40, FRAMES = 12, CLASSES = 4, WORLDS = 3, MODELS = 4, JOINTS = 4 };

static const uint32_t thread_counts[WORLDS] = {1, 2, 8};

typedef struct member {
    judge_thing thing;
    uint32_t class_number, model; /* which of the scene's */
    bool present;
    graze_world_id ids[WORLDS];
    double at[3], speed[3];
} member;

/* Two soups, one with volumes; a solid ball and a solid box, hollow for what is inside. */
typedef struct scene {
    soup meshes[2];
    graze_model *models[MODELS];
    graze_fit *fit; /* of the first */
    member members[THINGS];
    graze_world *worlds[WORLDS];
    graze_pool *pools[WORLDS];
    graze_world_rule rules[CLASSES][CLASSES];
    test_random random;
    uint32_t begins, stays, ends, counts[4], inside, contacts;
} scene;

static double lot(scene *s, double low, double high)
{
    return test_random_range(&s->random, low, high);
}

static graze_shape random_shape(scene *s, uint32_t number, const double at[3])
{
    float p[3], q[3], half[3], turn[4];
    for (int k = 0; k < 3; k++) {
        p[k] = (float)at[k];
        q[k] = (float)(at[k] + lot(s, -1, 1));
        half[k] = (float)lot(s, 0.1, 0.6);
    }
    for (int k = 0; k < 4; k++)
        turn[k] = (float)lot(s, -1, 1);
    switch (number % 4) {
    case 0:
        return graze_shape_sphere(p, half[0]);
    case 1:
        return graze_shape_capsule(p, q, half[0]);
    case 2:
        return graze_shape_box(p, half, turn);
    default:
        return number % 16 == 3 ? graze_shape_half_space(turn, (float)lot(s, -3, -1))
                                : graze_shape_sphere(p, half[1]);
    }
}

static void pose_body(scene *s, member *m)
{
    float joints[JOINTS * 12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    float placement[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (int k = 0; k < 3; k++)
        placement[4 * k + 3] = (float)m->at[k];
    if (m->model < 2)
        pose_make(MAP_NEAR, &s->meshes[m->model], &s->random, joints);
    graze_pose pose = {
        .joints = joints, .joint_count = m->model < 2 ? JOINTS : 1, .placement = placement};
    CHECK(graze_body_set_pose(m->thing.body, &pose, NULL) == GRAZE_OK);
    judge_find_box(&m->thing);
}

static void mask_body(scene *s, member *m)
{
    uint32_t bits = test_random_u32(&s->random) % 3 ? test_random_u32(&s->random) : UINT32_MAX;
    CHECK(graze_body_set_group_mask(m->thing.body, &bits,
                                    graze_model_get_info(s->models[m->model]).group_count,
                                    NULL) == GRAZE_OK);
    judge_find_box(&m->thing);
}

static void put_in(scene *s, member *m)
{
    for (int w = 0; w < WORLDS; w++) {
        graze_world_member_def def = graze_default_world_member_def();
        def.class_number = m->class_number;
        def.solid = m->thing.solid;
        def.fit = m->thing.fit;
        graze_status status =
            m->thing.body
                ? graze_world_add_body(s->worlds[w], m->thing.body, &def, &m->ids[w], NULL)
                : graze_world_add_shape(s->worlds[w], &m->thing.shape, &def, &m->ids[w], NULL);
        CHECK(status == GRAZE_OK);
    }
    m->present = true;
}

static void make_models(scene *s, uint64_t seed)
{
    const soup_def def = {.vertex_count = 60,
                          .triangle_count = 120,
                          .joint_count = JOINTS,
                          .max_influences = 3,
                          .size = 1};
    const graze_fit_def fit_def = graze_default_fit_def();
    const double low[3] = {-1.2, -1.2, -1.2}, high[3] = {1.2, 1.2, 1.2};
    solid ball = {0}, box = {0};
    for (int i = 0; i < 2; i++) {
        s->meshes[i] = soup_make(&def, &s->random);
        graze_model_def model_def = soup_model_def(&s->meshes[i]);
        if (seed % 3 == 2)
            model_def.tree.volume = GRAZE_SPHERES;
        CHECK(graze_model_create(&model_def, &s->models[i], NULL) == GRAZE_OK);
    }
    CHECK(graze_fit_create(s->models[0], &fit_def, &s->fit, NULL) == GRAZE_OK);
    solid_add_ball(&ball, 1.4, 6);
    solid_add_box(&box, low, high, 2);
    graze_body_destroy(solid_body(&ball, NULL, &s->models[2]));
    graze_body_destroy(solid_body(&box, NULL, &s->models[3]));
    solid_free(&ball);
    solid_free(&box);
}

static void make_member(scene *s, uint32_t i, uint64_t seed)
{
    member *m = &s->members[i];
    for (int k = 0; k < 3; k++) {
        m->at[k] = lot(s, -2, 2) * (k == (int)(seed % 3) ? 3 : 1);
        m->speed[k] = lot(s, -0.4, 0.4);
    }
    m->class_number = i % CLASSES;
    m->model = i / 2 % 8 == 5 ? 2 : i / 2 % 8 == 7 ? 3 : i / 2 % 2;
    if (i % 2) {
        m->thing.shape = random_shape(s, i / 2, m->at);
    } else {
        CHECK(graze_body_create(s->models[m->model], &m->thing.body, NULL) == GRAZE_OK);
        m->thing.fit = m->model == 0 ? s->fit : NULL;
        m->thing.solid = m->model >= 2;
        pose_body(s, m);
    }
    put_in(s, m);
}

static void set_rules(scene *s, uint64_t seed)
{
    for (uint32_t a = 0; a < CLASSES; a++)
        for (uint32_t b = a; b < CLASSES; b++) {
            graze_world_rule rule = graze_default_world_rule();
            rule.level = (graze_level)((a + b + seed) % 5);
            rule.level = rule.level > GRAZE_LEVEL_EXACT ? GRAZE_LEVEL_EXACT : rule.level;
            rule.contacts = (a + 2 * b + seed) % 3;
            s->rules[a][b] = s->rules[b][a] = rule;
            for (int w = 0; w < WORLDS; w++)
                CHECK(graze_world_set_rule(s->worlds[w], b, a, &rule, NULL) == GRAZE_OK);
        }
}

static void open_scene(scene *s, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->random = test_random_seed(seed);
    make_models(s, seed);
    for (int w = 0; w < WORLDS; w++)
        CHECK(graze_world_create(NULL, &s->worlds[w], NULL) == GRAZE_OK &&
              graze_pool_create(thread_counts[w], NULL, &s->pools[w], NULL) == GRAZE_OK);
    set_rules(s, seed);
    for (uint32_t i = 0; i < THINGS; i++)
        make_member(s, i, seed);
}

static void close_scene(scene *s)
{
    for (int w = 0; w < WORLDS; w++) {
        graze_world_destroy(s->worlds[w]);
        graze_pool_destroy(s->pools[w]);
    }
    for (uint32_t i = 0; i < THINGS; i++)
        graze_body_destroy(s->members[i].thing.body);
    graze_fit_destroy(s->fit);
    for (int i = 0; i < MODELS; i++)
        graze_model_destroy(s->models[i]);
    for (int i = 0; i < 2; i++)
        soup_free(&s->meshes[i]);
}

/* Every third thing stands still for good. */
static void move(scene *s)
{
    for (uint32_t i = 0; i < THINGS; i++) {
        member *m = &s->members[i];
        if (i % 3 == 0)
            continue;
        for (int k = 0; k < 3; k++)
            m->at[k] += m->speed[k];
        if (m->thing.body) {
            pose_body(s, m);
            continue;
        }
        m->thing.shape = random_shape(s, i / 2, m->at);
        for (int w = 0; w < WORLDS && m->present; w++)
            CHECK(graze_world_set_shape(s->worlds[w], m->ids[w], &m->thing.shape, NULL) ==
                  GRAZE_OK);
    }
}

/* Some go, and some that had gone come back; some bodies get another mask; a rule changes. */
static void come_and_go(scene *s)
{
    for (uint32_t n = 0; n < 4; n++) {
        member *m = &s->members[test_random_u32(&s->random) % THINGS];
        for (int w = 0; w < WORLDS && m->present; w++) {
            CHECK(graze_world_remove(s->worlds[w], m->ids[w], NULL) == GRAZE_OK);
            CHECK(graze_world_remove(s->worlds[w], m->ids[w], NULL) == GRAZE_BAD_INPUT);
        }
        if (m->present)
            m->present = false;
        else
            put_in(s, m);
    }
    member *m = &s->members[test_random_u32(&s->random) % THINGS];
    if (m->thing.body)
        mask_body(s, m);
    if (test_random_u32(&s->random) % 4 == 0)
        set_rules(s, test_random_u32(&s->random));
}

/* ---- comparing ---- */

static bool is_id(graze_world_id x, graze_world_id y)
{
    return x.index == y.index && x.generation == y.generation;
}

static const graze_world_event *find_event(const graze_world_event *events, size_t count,
                                           graze_world_id a, graze_world_id b)
{
    for (size_t i = 0; i < count; i++)
        if (is_id(events[i].a, a) && is_id(events[i].b, b))
            return &events[i];
    return NULL;
}

static bool are_sorted(const graze_world_event *events, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const graze_world_event *x = &events[i - 1], *y = &events[i];
        bool same = x->a.index == y->a.index && x->b.index == y->b.index;
        if (y->a.index < x->a.index || (y->a.index == x->a.index && y->b.index < x->b.index) ||
            (same && (x->kind != GRAZE_EVENT_END || y->kind != GRAZE_EVENT_BEGIN)))
            return false;
    }
    return true;
}

/* What met at the update before, with the ids of then. */
typedef struct last_met {
    size_t count;
    graze_world_id ids[THINGS * THINGS][2];
} last_met;

static bool remembers(const last_met *m, graze_world_id a, graze_world_id b)
{
    for (size_t i = 0; i < m->count; i++)
        if (is_id(m->ids[i][0], a) && is_id(m->ids[i][1], b))
            return true;
    return false;
}

/* Whether the event of a pair is what brute force expects; true for none if there is none. */
static bool check_pair(scene *s, const member *a, const member *b, const graze_world_event *event,
                       bool met, bool *meets)
{
    static meeting m;
    const graze_world_rule *rule = &s->rules[a->class_number][b->class_number];
    judge_meeting(&a->thing, &b->thing, rule->level, rule->contacts, &m);
    *meets = m.meets;
    if (!m.meets)
        return met ? event && event->kind == GRAZE_EVENT_END : !event;
    s->begins += !met;
    s->stays += met;
    s->counts[rule->level]++;
    s->inside += m.inside;
    s->contacts += m.contact_count;
    return event && event->level == rule->level && event->motion == GRAZE_MOTION_DISCRETE &&
           event->time == 1 && event->kind == (met ? GRAZE_EVENT_STAY : GRAZE_EVENT_BEGIN) &&
           judge_agrees(event, &m);
}

/* At the level of parts nothing is missing that triangles would find. */
static void check_not_missed(const member *a, const member *b, const graze_world_event *event)
{
    static meeting m;
    judge_meeting(&a->thing, &b->thing, GRAZE_LEVEL_EXACT, false, &m);
    CHECK(!m.meets || event);
    for (uint32_t i = 0; i < m.part_count && event; i++) {
        bool found = false;
        for (uint32_t k = 0; k < event->part_count; k++)
            found |= !memcmp(&event->parts[k], &m.parts[i], sizeof *m.parts);
        CHECK(found);
    }
}

/* Each event of world 0 is expected, and none is missing; the other worlds have the same. */
static void check_frame(scene *s, last_met *before, last_met *now, uint32_t frame)
{
    size_t count = 0, seen = 0, other_count = 0;
    for (int w = 0; w < WORLDS; w++)
        REQUIRE(graze_world_update(s->worlds[w], s->pools[w], NULL, NULL) == GRAZE_OK);
    const graze_world_event *events = graze_world_events(s->worlds[0], &count);
    CHECK(are_sorted(events, count));
    now->count = 0;
    for (uint32_t i = 0; i < THINGS; i++)
        for (uint32_t j = 0; j < THINGS; j++) {
            const member *a = &s->members[i], *b = &s->members[j];
            if (!a->present || !b->present || a->ids[0].index >= b->ids[0].index)
                continue;
            const graze_world_event *event = find_event(events, count, a->ids[0], b->ids[0]);
            bool met = remembers(before, a->ids[0], b->ids[0]), meets = false;
            CHECK_MSG(check_pair(s, a, b, event, met, &meets), "frame %u: %u and %u, level %d",
                      frame, i, j, (int)s->rules[a->class_number][b->class_number].level);
            if (s->rules[a->class_number][b->class_number].level == GRAZE_LEVEL_PARTS)
                check_not_missed(a, b, meets ? event : NULL);
            if (!meets)
                continue;
            now->ids[now->count][0] = a->ids[0];
            now->ids[now->count++][1] = b->ids[0];
            seen++;
        }
    for (size_t i = 0; i < before->count; i++)
        if (!remembers(now, before->ids[i][0], before->ids[i][1])) {
            const graze_world_event *event =
                find_event(events, count, before->ids[i][0], before->ids[i][1]);
            CHECK(event && event->kind == GRAZE_EVENT_END && !event->part_count && !event->pairs &&
                  !event->contact_count);
            s->ends++;
            seen++;
        }
    CHECK_MSG(seen == count, "frame %u: %zu events, %zu expected", frame, count, seen);
    for (int w = 1; w < WORLDS; w++) {
        const graze_world_event *others = graze_world_events(s->worlds[w], &other_count);
        REQUIRE(other_count == count);
        for (size_t i = 0; i < count; i++)
            CHECK(judge_same(&events[i], &others[i]) && is_id(events[i].a, others[i].a) &&
                  is_id(events[i].b, others[i].b));
    }
}

TEST(events_are_those_of_all_pairs)
{
    static scene s;
    static last_met memories[2];
    uint32_t begins = 0, stays = 0, ends = 0, counts[4] = {0}, inside = 0, contacts = 0;
    const uint32_t seeds = test_amount(120, 10);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        open_scene(&s, seed);
        memories[0].count = memories[1].count = 0;
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            check_frame(&s, &memories[frame % 2], &memories[1 - frame % 2], frame);
            move(&s);
            come_and_go(&s);
        }
        close_scene(&s);
        begins += s.begins;
        stays += s.stays;
        ends += s.ends;
        inside += s.inside;
        contacts += s.contacts;
        for (int level = 0; level < 4; level++)
            counts[level] += s.counts[level];
    }
    printf("%u begins, %u stays, %u ends; %u by bounds, %u by parts, %u exact; %u inside; "
           "%u contacts\n",
           begins, stays, ends, counts[1], counts[2], counts[3], inside, contacts);
    CHECK(begins > 300 && stays > 300 && ends > 300);
    CHECK(counts[1] > 200 && counts[2] > 200 && counts[3] > 200);
    CHECK(inside > 20 && contacts > 500);
}
