/* Worlds: events of random moving worlds against all pairs by brute force, for 1, 2 and 8 threads;
 * two shapes against a mesh of a box; ids; bad input; memory.
 */
#include "harness.h"

#include "body/bounds.h"
#include "support/allocator.h"
#include "support/answers.h"
#include "support/pairs.h"
#include "support/soup_pair.h"
#include "world/world.h"

#include <graze/graze.h>
#include <graze/reference.h>

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { THINGS = 40, FRAMES = 12, CLASSES = 3, WORLDS = 3, MAX_PARTS = 64 };

static const uint32_t thread_counts[WORLDS] = {1, 2, 8};

typedef struct thing {
    graze_body *body; /* NULL: a shape */
    graze_shape shape;
    uint32_t class_number;
    bool present;
    graze_world_id ids[WORLDS];
    double at[3], speed[3];
    grazei_bound box; /* of a body, as it was first found in its pose */
} thing;

typedef struct scene {
    soup mesh;
    graze_model *model;
    thing things[THINGS];
    graze_world *worlds[WORLDS];
    graze_pool *pools[WORLDS];
    graze_level rules[CLASSES][CLASSES];
    test_random random;
    uint32_t begins, stays, ends, exact;
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

static void pose_body(scene *s, thing *t)
{
    float joints[4 * 12], placement[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    pose_make(MAP_NEAR, &s->mesh, &s->random, joints);
    for (int k = 0; k < 3; k++)
        placement[4 * k + 3] = (float)t->at[k];
    graze_pose pose = {.joints = joints, .joint_count = 4, .placement = placement};
    CHECK(graze_body_set_pose(t->body, &pose, NULL) == GRAZE_OK);
    grazei_body_bound(t->body, 0, 1, &(graze_stats){0});
    grazei_view view = grazei_body_view(t->body);
    t->box = grazei_view_box(&view, 0);
}

static void put_in(scene *s, uint32_t i)
{
    thing *t = &s->things[i];
    for (int w = 0; w < WORLDS; w++) {
        graze_world_member_def def = graze_default_world_member_def();
        def.class_number = t->class_number;
        graze_status status =
            t->body ? graze_world_add_body(s->worlds[w], t->body, &def, &t->ids[w], NULL)
                    : graze_world_add_shape(s->worlds[w], &t->shape, &def, &t->ids[w], NULL);
        CHECK(status == GRAZE_OK);
    }
    t->present = true;
}

static void open_scene(scene *s, uint64_t seed)
{
    const soup_def def = {.vertex_count = 60,
                          .triangle_count = 120,
                          .joint_count = 4,
                          .max_influences = 3,
                          .size = 1};
    memset(s, 0, sizeof *s);
    s->random = test_random_seed(seed);
    s->mesh = soup_make(&def, &s->random);
    graze_model_def model_def = soup_model_def(&s->mesh);
    if (seed % 3 == 2)
        model_def.tree.volume = GRAZE_SPHERES;
    CHECK(graze_model_create(&model_def, &s->model, NULL) == GRAZE_OK);
    for (int w = 0; w < WORLDS; w++)
        CHECK(graze_world_create(NULL, &s->worlds[w], NULL) == GRAZE_OK &&
              graze_pool_create(thread_counts[w], NULL, &s->pools[w], NULL) == GRAZE_OK);
    for (uint32_t a = 0; a < CLASSES; a++)
        for (uint32_t b = a; b < CLASSES; b++) {
            graze_world_rule rule = graze_default_world_rule();
            rule.level = (graze_level)((a + b + seed) % 4);
            rule.level = rule.level == GRAZE_LEVEL_PARTS ? GRAZE_LEVEL_EXACT : rule.level;
            s->rules[a][b] = s->rules[b][a] = rule.level;
            for (int w = 0; w < WORLDS; w++)
                CHECK(graze_world_set_rule(s->worlds[w], b, a, &rule, NULL) == GRAZE_OK);
        }
    for (uint32_t i = 0; i < THINGS; i++) {
        thing *t = &s->things[i];
        for (int k = 0; k < 3; k++) {
            t->at[k] = lot(s, -2, 2) * (k == (int)(seed % 3) ? 3 : 1);
            t->speed[k] = lot(s, -0.4, 0.4);
        }
        t->class_number = i % CLASSES;
        if (i % 2)
            t->shape = random_shape(s, i / 2, t->at);
        else
            CHECK(graze_body_create(s->model, &t->body, NULL) == GRAZE_OK);
        if (t->body)
            pose_body(s, t);
        put_in(s, i);
    }
}

static void close_scene(scene *s)
{
    for (int w = 0; w < WORLDS; w++) {
        graze_world_destroy(s->worlds[w]);
        graze_pool_destroy(s->pools[w]);
    }
    for (uint32_t i = 0; i < THINGS; i++)
        graze_body_destroy(s->things[i].body);
    graze_model_destroy(s->model);
    soup_free(&s->mesh);
}

/* Every third thing stands still for good. */
static void move(scene *s)
{
    for (uint32_t i = 0; i < THINGS; i++) {
        thing *t = &s->things[i];
        if (i % 3 == 0)
            continue;
        for (int k = 0; k < 3; k++)
            t->at[k] += t->speed[k];
        if (t->body) {
            pose_body(s, t);
            continue;
        }
        t->shape = random_shape(s, i / 2, t->at);
        for (int w = 0; w < WORLDS && t->present; w++)
            CHECK(graze_world_set_shape(s->worlds[w], t->ids[w], &t->shape, NULL) == GRAZE_OK);
    }
}

/* Some go, and some that had gone come back. */
static void come_and_go(scene *s)
{
    for (uint32_t n = 0; n < 4; n++) {
        thing *t = &s->things[test_random_u32(&s->random) % THINGS];
        for (int w = 0; w < WORLDS && t->present; w++) {
            CHECK(graze_world_remove(s->worlds[w], t->ids[w], NULL) == GRAZE_OK);
            CHECK(graze_world_remove(s->worlds[w], t->ids[w], NULL) == GRAZE_BAD_INPUT);
        }
        if (t->present)
            t->present = false;
        else
            put_in(s, (uint32_t)(t - s->things));
    }
}

/* ---- what is expected ---- */

typedef struct meeting {
    bool meets;
    uint64_t pairs;
    uint32_t part_count;
    graze_part_pair parts[MAX_PARTS];
} meeting;

static void expect_part(meeting *m, uint32_t a, uint32_t b)
{
    uint32_t at = 0;
    while (at < m->part_count &&
           (m->parts[at].a < a || (m->parts[at].a == a && m->parts[at].b < b)))
        at++;
    if (at < m->part_count && m->parts[at].a == a && m->parts[at].b == b)
        return;
    memmove(&m->parts[at + 1], &m->parts[at], (m->part_count - at) * sizeof *m->parts);
    m->parts[at] = (graze_part_pair){a, b};
    m->part_count++;
}

static double box_side(const thing *t, int k, bool high)
{
    const graze_shape *shape = &t->shape;
    double sign = high ? 1 : -1, reach = 0;
    if (t->body)
        return high ? t->box.high[k] : -t->box.low_negated[k];
    if (shape->kind == GRAZE_SPHERE)
        return shape->as.sphere.centre[k] + sign * shape->as.sphere.radius;
    if (shape->kind == GRAZE_CAPSULE)
        return (high ? fmax(shape->as.capsule.p[k], shape->as.capsule.q[k])
                     : fmin(shape->as.capsule.p[k], shape->as.capsule.q[k])) +
               sign * shape->as.capsule.radius;
    for (int i = 0; i < 3; i++)
        reach += fabs((double)shape->as.box.axes[i][k]) * shape->as.box.half[i];
    return shape->as.box.centre[k] + sign * reach;
}

/* How far apart boxes are along the axis that keeps them apart most; not positive: they overlap. */
static double boxes_apart(const thing *a, const thing *b)
{
    double apart = -INFINITY;
    for (int k = 0; k < 3; k++)
        apart = fmax(apart, fmax(box_side(a, k, false) - box_side(b, k, true),
                                 box_side(b, k, false) - box_side(a, k, true)));
    return apart;
}

static bool is_half_space(const thing *t)
{
    return !t->body && t->shape.kind == GRAZE_HALF_SPACE;
}

/* How far the nearest corner of a box is outside a half-space, times the length of its normal. */
static double box_outside(const thing *half_space, const thing *t)
{
    const graze_half_space *h = &half_space->shape.as.plane;
    double sum = -(double)h->offset;
    for (int k = 0; k < 3; k++)
        sum += h->normal[k] * box_side(t, k, h->normal[k] < 0);
    return sum;
}

/* The surface of a box as a body. */
static graze_body *box_body(const graze_box *box)
{
    float corners[8][3];
    uint32_t triangles[12][3];
    graze_model *model = NULL;
    graze_body *body = NULL;
    for (uint32_t c = 0; c < 8; c++)
        for (int k = 0; k < 3; k++) {
            double x = box->centre[k];
            for (uint32_t i = 0; i < 3; i++)
                x += (c >> i & 1 ? 1.0 : -1.0) * box->half[i] * (double)box->axes[i][k];
            corners[c][k] = (float)x;
        }
    for (uint32_t side = 0, n = 0; side < 6; side++) {
        uint32_t i = 1u << side / 2, u = 1u << (side / 2 + 1) % 3, v = 1u << (side / 2 + 2) % 3;
        uint32_t from = side % 2 ? i : 0;
        for (uint32_t half = 0; half < 2; half++, n++) {
            triangles[n][0] = from;
            triangles[n][1] = from | u | v;
            triangles[n][2] = from | (half ? u : v);
        }
    }
    graze_model_def def = graze_default_model_def();
    def.positions = corners[0];
    def.vertex_count = 8;
    def.joint_count = 1;
    def.triangles = triangles[0];
    def.triangle_count = 12;
    CHECK(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    CHECK(graze_body_create(model, &body, NULL) == GRAZE_OK);
    graze_model_destroy(model);
    return body;
}

static bool is_in_box(const graze_box *box, const float point[3])
{
    for (int i = 0; i < 3; i++) {
        double along = 0;
        for (int k = 0; k < 3; k++)
            along += box->axes[i][k] * ((double)point[k] - box->centre[k]);
        if (fabs(along) > box->half[i])
            return false;
    }
    return true;
}

static bool box_meets(const graze_shape *box, const graze_shape *other)
{
    bool hit = false;
    graze_body *body = box_body(&box->as.box);
    CHECK(graze_touch_first(body, other, &hit, NULL, NULL, NULL) == GRAZE_OK);
    graze_body_destroy(body);
    if (other->kind == GRAZE_BOX)
        hit |= is_in_box(&other->as.box, box->as.box.centre);
    const float *inner = other->kind == GRAZE_SPHERE    ? other->as.sphere.centre
                         : other->kind == GRAZE_CAPSULE ? other->as.capsule.p
                                                        : other->as.box.centre;
    return hit || (other->kind != GRAZE_HALF_SPACE && is_in_box(&box->as.box, inner));
}

static bool ball_is_below(const graze_half_space *h, const float centre[3], double radius)
{
    double sum = -(double)h->offset, squares = 0;
    for (int k = 0; k < 3; k++) {
        sum += (double)h->normal[k] * centre[k];
        squares += (double)h->normal[k] * h->normal[k];
    }
    return sum / sqrt(squares) <= radius;
}

/* By the mesh of a box, by ends of capsules, and round shapes by the query that is tested for them.
 */
static bool shapes_meet(const graze_shape *a, const graze_shape *b)
{
    bool hit = false;
    if (a->kind == GRAZE_BOX || b->kind == GRAZE_BOX)
        return a->kind == GRAZE_BOX ? box_meets(a, b) : box_meets(b, a);
    if (a->kind == GRAZE_HALF_SPACE && b->kind == GRAZE_HALF_SPACE)
        return true; /* of random ones none are parallel */
    if (b->kind == GRAZE_HALF_SPACE)
        return shapes_meet(b, a);
    if (a->kind == GRAZE_HALF_SPACE && b->kind == GRAZE_SPHERE)
        return ball_is_below(&a->as.plane, b->as.sphere.centre, b->as.sphere.radius);
    if (a->kind == GRAZE_HALF_SPACE)
        return ball_is_below(&a->as.plane, b->as.capsule.p, b->as.capsule.radius) ||
               ball_is_below(&a->as.plane, b->as.capsule.q, b->as.capsule.radius);
    CHECK(graze_shapes_contact(a, b, &hit, NULL, NULL) == GRAZE_OK);
    return hit;
}

static meeting expect(const thing *a, const thing *b, graze_level level)
{
    meeting m = {0};
    if (level == GRAZE_LEVEL_IGNORE)
        return m;
    if (level == GRAZE_LEVEL_BOUNDS) {
        double apart = is_half_space(a) && is_half_space(b) ? -1
                       : is_half_space(a)                   ? box_outside(a, b)
                       : is_half_space(b)                   ? box_outside(b, a)
                                                            : boxes_apart(a, b);
        m.meets = apart <= 0;
        return m;
    }
    if (a->body && b->body) {
        pair_set set = {0};
        CHECK(graze_collide_brute(a->body, b->body, pair_set_take, &set, NULL, NULL) == GRAZE_OK);
        m.pairs = set.count;
        for (size_t i = 0; i < set.count; i++)
            expect_part(&m, graze_model_triangle_group(graze_body_model(a->body), set.pairs[i].a),
                        graze_model_triangle_group(graze_body_model(b->body), set.pairs[i].b));
        pair_set_free(&set);
    } else if (a->body || b->body) {
        graze_body *body = a->body ? a->body : b->body;
        answers found = {0};
        CHECK(graze_touch_brute(body, a->body ? &b->shape : &a->shape, answers_take_triangles,
                                &found, NULL, NULL) == GRAZE_OK);
        m.pairs = found.count;
        for (size_t i = 0; i < found.count; i++) {
            uint32_t group = graze_model_triangle_group(graze_body_model(body), found.words[i]);
            expect_part(&m, a->body ? group : 0, a->body ? 0 : group);
        }
        answers_free(&found);
    } else if (shapes_meet(&a->shape, &b->shape)) {
        expect_part(&m, 0, 0);
    }
    m.meets = m.part_count > 0;
    return m;
}

/* ---- comparing ---- */

static bool is_event(const graze_world_event *event, const meeting *m, graze_level level,
                     const thing *a, const thing *b, int world)
{
    return event->level == level && event->pairs == m->pairs &&
           event->part_count == m->part_count &&
           !memcmp(&event->a, &a->ids[world], sizeof event->a) &&
           !memcmp(&event->b, &b->ids[world], sizeof event->b) &&
           (!m->part_count || !memcmp(event->parts, m->parts, m->part_count * sizeof *m->parts));
}

static const graze_world_event *find_event(const graze_world_event *events, size_t count,
                                           graze_world_id a, graze_world_id b)
{
    for (size_t i = 0; i < count; i++)
        if (!memcmp(&events[i].a, &a, sizeof a) && !memcmp(&events[i].b, &b, sizeof b))
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
        if (!memcmp(&m->ids[i][0], &a, sizeof a) && !memcmp(&m->ids[i][1], &b, sizeof b))
            return true;
    return false;
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
            const thing *a = &s->things[i], *b = &s->things[j];
            if (!a->present || !b->present || a->ids[0].index >= b->ids[0].index)
                continue;
            graze_level level = s->rules[a->class_number][b->class_number];
            meeting m = expect(a, b, level);
            const graze_world_event *event = find_event(events, count, a->ids[0], b->ids[0]);
            bool met = remembers(before, a->ids[0], b->ids[0]);
            if (!m.meets) {
                CHECK_MSG(met ? event && event->kind == GRAZE_EVENT_END : !event,
                          "frame %u: %u and %u should be apart", frame, i, j);
                continue;
            }
            CHECK_MSG(event && is_event(event, &m, level, a, b, 0) &&
                          event->kind == (met ? GRAZE_EVENT_STAY : GRAZE_EVENT_BEGIN),
                      "frame %u: %u and %u should meet at level %d", frame, i, j, (int)level);
            now->ids[now->count][0] = a->ids[0];
            now->ids[now->count++][1] = b->ids[0];
            s->begins += !met;
            s->stays += met;
            s->exact += level == GRAZE_LEVEL_EXACT;
            seen++;
        }
    for (size_t i = 0; i < before->count; i++)
        if (!remembers(now, before->ids[i][0], before->ids[i][1])) {
            const graze_world_event *event =
                find_event(events, count, before->ids[i][0], before->ids[i][1]);
            CHECK(event && event->kind == GRAZE_EVENT_END && !event->part_count && !event->pairs);
            s->ends++;
            seen++;
        }
    CHECK_MSG(seen == count, "frame %u: %zu events, %zu expected", frame, count, seen);
    for (int w = 1; w < WORLDS; w++) {
        const graze_world_event *others = graze_world_events(s->worlds[w], &other_count);
        REQUIRE(other_count == count);
        for (size_t i = 0; i < count; i++) {
            graze_world_event x = events[i], y = others[i];
            CHECK(x.part_count == y.part_count &&
                  (!x.part_count || !memcmp(x.parts, y.parts, x.part_count * sizeof *x.parts)));
            x.parts = y.parts = NULL;
            CHECK(x.kind == y.kind && x.level == y.level && x.pairs == y.pairs &&
                  !memcmp(&x.a, &y.a, sizeof x.a) && !memcmp(&x.b, &y.b, sizeof x.b));
        }
    }
}

TEST(events_are_those_of_all_pairs)
{
    static scene s;
    static last_met memories[2];
    uint32_t begins = 0, stays = 0, ends = 0, exact = 0;
    for (uint64_t seed = 1; seed <= 15; seed++) {
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
        exact += s.exact;
    }
    printf("%u begins, %u stays, %u ends; %u meetings exact\n", begins, stays, ends, exact);
    CHECK(begins > 500 && stays > 500 && ends > 500 && exact > 500);
}

/* Many small spheres in strips: all pairs by their distances. */
TEST(many_spheres_in_strips)
{
    enum { COUNT = 1500 };
    static graze_world_id ids[COUNT];
    static graze_shape shapes[COUNT];
    test_random random = test_random_seed(77);
    graze_world *world = NULL;
    size_t expected = 0, count = 0;
    REQUIRE(graze_world_create(NULL, &world, NULL) == GRAZE_OK);
    for (uint32_t frame = 0; frame < 4; frame++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            float centre[3];
            for (int k = 0; k < 3; k++)
                centre[k] = (float)test_random_range(&random, -10, 10) * (k == 1 ? 0.1f : 1);
            /* A few reach over many strips. */
            shapes[i] = graze_shape_sphere(centre, i % 300 ? 0.2f : 3.0f);
            CHECK((frame ? graze_world_set_shape(world, ids[i], &shapes[i], NULL)
                         : graze_world_add_shape(world, &shapes[i], NULL, &ids[i], NULL)) ==
                  GRAZE_OK);
        }
        REQUIRE(graze_world_update(world, NULL, NULL, NULL) == GRAZE_OK);
        const graze_world_event *events = graze_world_events(world, &count);
        size_t pairs = 0;
        for (size_t i = 0; i < count; i++)
            pairs += events[i].kind != GRAZE_EVENT_END;
        expected = 0;
        for (uint32_t i = 0; i < COUNT; i++)
            for (uint32_t j = 0; j < i; j++) {
                double square = 0,
                       reach = (double)shapes[i].as.sphere.radius + shapes[j].as.sphere.radius;
                for (int k = 0; k < 3; k++) {
                    double d =
                        (double)shapes[i].as.sphere.centre[k] - shapes[j].as.sphere.centre[k];
                    square += d * d;
                }
                expected += square <= reach * reach;
            }
        CHECK_MSG(pairs == expected, "%zu meet, %zu expected", pairs, expected);
        CHECK(expected > 500);
    }
    graze_world_destroy(world);
}

/* Boxes, some of them rods so that edges keep them apart, and whatever else, near each other. */
TEST(two_shapes_meet_as_their_meshes_do)
{
    static scene s;
    const double zero[3] = {0, 0, 0};
    uint32_t meeting_count = 0, wrong = 0;
    const uint32_t cases = 6000;
    s.random = test_random_seed(5);
    for (uint32_t i = 0; i < cases; i++) {
        double at[3] = {lot(&s, -1, 1), lot(&s, -1, 1), lot(&s, -1, 1)};
        graze_shape a = random_shape(&s, 2, zero), b = random_shape(&s, i % 4, at);
        bool meet = false, turned = false;
        a.as.box.half[0] *= i % 3 ? 0.1f : 1;
        a.as.box.half[1] *= i % 3 ? 0.1f : 1;
        if (b.kind == GRAZE_BOX)
            b.as.box.half[1] = b.as.box.half[2] = 0.05f;
        CHECK(grazei_shapes_meet(&a, &b, &meet, NULL) == GRAZE_OK);
        CHECK(grazei_shapes_meet(&b, &a, &turned, NULL) == GRAZE_OK);
        wrong += meet != turned || meet != shapes_meet(&a, &b);
        meeting_count += meet;
    }
    CHECK_MSG(wrong == 0, "%u of %u are wrong", wrong, cases);
    CHECK(meeting_count > cases / 10 && meeting_count < cases - cases / 10);
}

TEST(half_spaces_meet_unless_they_face_away)
{
    const float up[3] = {0, 2, 0}, down[3] = {0, -1, 0}, aside[3] = {1, -1, 0};
    const struct {
        const float *normal;
        float offset;
        bool meet;
    } others[] = {
        {down, -1, true}, {down, -1.5f, false}, {down, 3, true}, {up, -9, true}, {aside, -9, true}};
    graze_shape below = graze_shape_half_space(up, 2); /* y <= 1 */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        graze_shape other = graze_shape_half_space(others[i].normal, others[i].offset);
        bool meet = !others[i].meet;
        CHECK(grazei_shapes_meet(&below, &other, &meet, NULL) == GRAZE_OK);
        CHECK(meet == others[i].meet);
    }
}

/* A body that stands still: a mask, other positions and the pose again each count at once. */
TEST(masks_and_given_positions_count)
{
    const float far_away[3] = {50, 0, 0}, zero[3] = {0, 0, 0};
    const uint32_t none = 0;
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    uint32_t vertices = pair.meshes[0].def.vertex_count;
    float *moved = malloc(3 * sizeof *moved * vertices);
    graze_shape here = graze_shape_sphere(zero, 5), there = graze_shape_sphere(far_away, 5);
    graze_world *world = NULL;
    graze_world_id ids[3];
    size_t count = 0;
    REQUIRE(moved && graze_world_create(NULL, &world, NULL) == GRAZE_OK);
    REQUIRE(graze_world_add_shape(world, &here, NULL, &ids[0], NULL) == GRAZE_OK);
    REQUIRE(graze_world_add_shape(world, &there, NULL, &ids[1], NULL) == GRAZE_OK);
    REQUIRE(graze_world_add_body(world, pair.a, NULL, &ids[2], NULL) == GRAZE_OK);
    graze_body_get_positions(pair.a, moved);
    for (uint32_t v = 0; v < vertices; v++)
        moved[3 * v] += 50;
    for (int step = 0; step < 5; step++) {
        if (step == 1)
            CHECK(graze_body_set_group_mask(pair.a, &none, 4, NULL) == GRAZE_OK);
        if (step == 2)
            CHECK(graze_body_set_group_mask(pair.a, NULL, 0, NULL) == GRAZE_OK);
        if (step == 3)
            CHECK(graze_body_set_positions(pair.a, moved, 0, vertices, NULL) == GRAZE_OK);
        if (step == 4)
            CHECK(soup_pair_pose(&pair, 0, pair.a, 0) == GRAZE_OK);
        REQUIRE(graze_world_update(world, NULL, NULL, NULL) == GRAZE_OK);
        const graze_world_event *events = graze_world_events(world, &count);
        static const size_t counts[5] = {1, 1, 1, 2, 2};
        static const graze_event_kind firsts[5] = {GRAZE_EVENT_BEGIN, GRAZE_EVENT_END,
                                                   GRAZE_EVENT_BEGIN, GRAZE_EVENT_END,
                                                   GRAZE_EVENT_BEGIN};
        REQUIRE(count == counts[step]);
        CHECK(events[0].kind == firsts[step] && events[0].a.index == 0 && events[0].b.index == 2);
        if (count == 2)
            CHECK(events[1].a.index == 1 &&
                  events[1].kind == (step == 3 ? GRAZE_EVENT_BEGIN : GRAZE_EVENT_END));
        CHECK(events[0].kind == GRAZE_EVENT_END || events[0].pairs == 2000);
    }
    graze_world_destroy(world);
    soup_pair_close(&pair);
    free(moved);
}

/* ---- bad input and memory ---- */

TEST(bad_input_is_refused)
{
    const float zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    graze_shape ball = graze_shape_sphere(zero, 1), negative = graze_shape_sphere(zero, -1);
    graze_shape plane = graze_shape_plane(one, 0);
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    graze_world *world = NULL;
    graze_world_id id, body_id, unused = {0};
    graze_error error;
    size_t count;
    graze_world_rule rule = graze_default_world_rule();
    graze_world_member_def def = graze_default_world_member_def(), last = def, high = def,
                           fit = def;
    graze_fit_def fit_def = graze_default_fit_def();
    graze_fit *other_fit = NULL;
    last.class_number = 63;
    high.class_number = 64;
    REQUIRE(graze_world_create(NULL, &world, NULL) == GRAZE_OK);
    REQUIRE(graze_fit_create(pair.models[1], &fit_def, &other_fit, NULL) == GRAZE_OK);
    fit.fit = other_fit;
    CHECK(graze_world_set_rule(world, 64, 0, &rule, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "class 64") != NULL);
    CHECK(graze_world_set_rule(world, 0, 64, &rule, NULL) == GRAZE_BAD_INPUT);
    rule.level = (graze_level)4;
    CHECK(graze_world_set_rule(world, 0, 0, &rule, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "level") != NULL);
    rule.level = (graze_level)-1;
    CHECK(graze_world_set_rule(world, 0, 0, &rule, &error) == GRAZE_BAD_INPUT);
    rule = graze_default_world_rule();
    rule.motion = (graze_motion_rule)4;
    CHECK(graze_world_set_rule(world, 0, 0, &rule, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "motion") != NULL);
    CHECK(graze_world_add_body(world, pair.a, &high, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_add_shape(world, &ball, &high, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_add_shape(world, &negative, NULL, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_add_shape(world, &plane, NULL, &id, &error) == GRAZE_UNSUPPORTED);
    CHECK(graze_world_add_shape(world, &ball, &fit, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_add_body(world, pair.a, &fit, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "fit") != NULL);
    fit.fit = NULL;
    fit.solid = true;
    CHECK(graze_world_add_body(world, pair.a, &fit, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "closed") != NULL);
    CHECK(graze_world_update(world, NULL, NULL, &error) == GRAZE_OK);
    CHECK(graze_world_events(world, &count) == NULL && count == 0);

    CHECK(graze_world_remove(world, unused, &error) == GRAZE_BAD_INPUT);
    last.user_data = &last;
    REQUIRE(graze_world_add_shape(world, &ball, &last, &id, NULL) == GRAZE_OK);
    CHECK(graze_world_user_data(world, id) == &last);
    CHECK(graze_world_user_data(world, unused) == NULL);
    REQUIRE(graze_world_add_body(world, pair.a, &last, &body_id, NULL) == GRAZE_OK);
    CHECK(graze_world_set_shape(world, id, &negative, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_set_shape(world, id, &plane, &error) == GRAZE_UNSUPPORTED);
    CHECK(graze_world_set_shape(world, body_id, &ball, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_remove(world, unused, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_remove(world, id, NULL) == GRAZE_OK);
    CHECK(graze_world_set_shape(world, id, &ball, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "not in the world") != NULL);
    CHECK(graze_world_user_data(world, id) == NULL);

    /* The same body twice, until it was removed. */
    CHECK(graze_world_add_body(world, pair.a, NULL, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "already") != NULL);
    CHECK(graze_world_remove(world, body_id, NULL) == GRAZE_OK);
    CHECK(graze_world_add_body(world, pair.a, NULL, &id, &error) == GRAZE_OK);
    CHECK(graze_world_update(world, NULL, NULL, &error) == GRAZE_OK);
    fesetround(FE_UPWARD);
    CHECK(graze_world_update(world, NULL, NULL, &error) == GRAZE_UNSUPPORTED);
    fesetround(FE_TONEAREST);
    graze_world_destroy(world);
    graze_fit_destroy(other_fit);
    soup_pair_close(&pair);
}

/* Two bodies, a ball and a ground, updated three times. */
static graze_status play(soup_pair *pair, const graze_allocator *allocator, test_memory *memory,
                         uint64_t *when_warm)
{
    const float zero[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    graze_shape ball = graze_shape_sphere(zero, 1), ground = graze_shape_half_space(up, 0);
    graze_world *world = NULL;
    graze_world_id id;
    size_t count = 0;
    graze_status status = graze_world_create(allocator, &world, NULL);
    if (!status)
        status = graze_world_add_body(world, pair->a, NULL, &id, NULL);
    if (!status)
        status = graze_world_add_body(world, pair->b, NULL, &id, NULL);
    if (!status)
        status = graze_world_add_shape(world, &ball, NULL, &id, NULL);
    if (!status)
        status = graze_world_add_shape(world, &ground, NULL, &id, NULL);
    for (int i = 0; i < 4 && !status; i++) {
        if (i == 3)
            *when_warm = memory->calls;
        status = graze_world_update(world, NULL, NULL, NULL);
        if (!status)
            CHECK(graze_world_events(world, &count) && count == 6);
    }
    graze_world_destroy(world);
    return status;
}

TEST(memory_runs_out_cleanly_and_is_not_taken_once_warm)
{
    soup_pair pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    uint64_t when_warm = 0;
    REQUIRE(play(&pair, &allocator, &memory, &when_warm) == GRAZE_OK);
    uint64_t calls = memory.calls;
    CHECK(calls == when_warm && memory.alive == 0 && !memory.misused);
    for (uint64_t at = 1; at <= calls; at++) {
        memory = (test_memory){.fail_at = at, .keeps_failing = at % 2};
        CHECK(play(&pair, &allocator, &memory, &when_warm) == GRAZE_OUT_OF_MEMORY);
        CHECK(memory.alive == 0 && !memory.misused);
    }
    soup_pair_close(&pair);
}
