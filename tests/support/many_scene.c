#include "support/many_scene.h"

#include "scenes/synth.h"
#include "support/quick.h"
#include "support/rigs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scene ------------------------------------------------------------------------------- */

/* squeeze: below 1 joints are pulled to the middle, so that the body runs into itself. */
static void pose(graze_body *body, const graze_rig *rig, double time, double x, double z,
                 float squeeze)
{
    const float placement[12] = {1, 0, 0, (float)x, 0, 1, 0, 0, 0, 0, 1, (float)z};
    float *joints = malloc(12 * sizeof *joints * rig->joint_count);
    if (!joints)
        abort();
    test_rig_sample(rig, 0, time, joints);
    for (uint32_t j = 0; j < rig->joint_count; j++)
        for (uint32_t k = 3; k < 12; k += 4)
            joints[12 * j + k] *= squeeze;
    const graze_pose given = {
        .joints = joints, .joint_count = rig->joint_count, .placement = placement};
    CHECK(!graze_body_set_pose(body, &given, NULL));
    free(joints);
}

static void draw_rays(many_scene *s, test_random *random)
{
    for (uint32_t i = 0; i < MANY_RAYS; i++) {
        graze_ray ray = graze_default_ray();
        for (int k = 0; k < 3; k++) {
            ray.origin[k] = (float)test_random_range(random, -2, 3);
            ray.dir[k] = (float)(test_random_range(random, -0.4, 0.4) + (k == 1)) - ray.origin[k];
        }
        s->rays[i] = ray;
        /* Runs of one body of all lengths, some longer than a packet. */
        uint32_t body = i < 200   ? 0
                        : i < 400 ? (i / 7) % MANY_BODIES
                                  : test_random_u32(random) % MANY_BODIES;
        s->body_rays[i] = (graze_body_ray){s->all.bodies[body], ray};
    }
}

static void draw_shapes(many_scene *s, test_random *random)
{
    for (uint32_t i = 0; i < MANY_SHAPES; i++) {
        float at[3] = {(float)test_random_range(random, -0.5, 1), 0, 0};
        at[1] = (float)test_random_range(random, 0, 2);
        at[2] = (float)test_random_range(random, -0.5, 2);
        const float half[3] = {0.1f, 0.3f, 0.2f};
        s->shapes[i].body = s->all.bodies[i % MANY_BODIES];
        s->shapes[i].shape =
            i % 3 ? graze_shape_sphere(at, 0.01f * (float)i) : graze_shape_box(at, half, NULL);
    }
    for (uint32_t i = 0; i < MANY_POINTS; i++) {
        s->points[i][0] = (float)test_random_range(random, -0.3, 0.3);
        s->points[i][1] = (float)test_random_range(random, 0, 2);
        s->points[i][2] = (float)test_random_range(random, -0.3, 0.3);
    }
}

static void list_pairs(many_scene *s)
{
    static const double limits[] = {INFINITY, 0.3, 0, 0.01};
    uint32_t p = 0;
    for (uint32_t i = 0; i < MANY_BODIES; i++)
        s->motions[i] = (graze_motion){s->all.bodies[i], s->all.twins[i]};
    for (uint32_t i = 0; i < MANY_BODIES; i++)
        for (uint32_t k = i + 1; k < MANY_BODIES; k++, p++) {
            s->pairs[p] = (graze_body_pair){s->all.bodies[i], s->all.bodies[k]};
            s->limits[p] = limits[p % 4];
            s->sweeps[p] = (graze_motion_pair){&s->motions[i], &s->motions[k]};
            CHECK(!graze_contacts_create(s->all.models[i], s->all.models[k], NULL, &s->finders[p],
                                         NULL));
        }
    for (uint32_t i = 0; i < MANY_BODIES; i++)
        s->sweeps[p++] = (graze_motion_pair){&s->motions[i], NULL};
}

bool many_scene_open(many_scene *s)
{
    graze_rig *rig = NULL;
    test_random random = test_random_seed(31);
    *s = (many_scene){.calls = 0};
    graze_synth_def kind = {.kind = GRAZE_SYNTH_CREATURE, .triangles = test_amount(3000, 1200)};
    if (graze_synth(&kind, NULL, &rig, NULL))
        return false;
    bool ok = true;
    for (uint32_t i = 0; ok && i < MANY_BODIES; i++) {
        graze_model_def def = graze_rig_model_def(rig);
        def.skinning = (graze_skinning)(i % 3);
        def.tree.volume = i == 4 ? GRAZE_SPHERES : GRAZE_BOXES;
        def.isa = variants_isa(i);
        ok = variants_add(&s->all, &def);
    }
    ok = ok && variants_add_twins(&s->all);
    for (uint32_t i = 0; ok && i < MANY_BODIES; i++) {
        pose(s->all.bodies[i], rig, 0.17 * i, 0.1 * i, 0.3 * i, i < 1 ? 1 : 0.6f);
        pose(s->all.twins[i], rig, 0.17 * i + 0.1, 0.1 * i + 0.2, 0.3 * i, 1);
    }
    graze_rig_destroy(rig);
    if (!ok)
        return false;
    list_pairs(s);
    draw_rays(s, &random);
    draw_shapes(s, &random);
    return true;
}

void many_scene_close(many_scene *s)
{
    for (uint32_t p = 0; p < MANY_PAIRS; p++)
        graze_contacts_destroy(s->finders[p]);
    variants_free(&s->all);
}

void many_scene_drop_caches(many_scene *s)
{
    for (uint32_t i = 0; i < MANY_BODIES; i++) {
        graze_body_drop_caches(s->all.bodies[i]);
        graze_body_drop_caches(s->all.twins[i]);
    }
}

/* ---- questions, alone and many at once ------------------------------------------------------- */

/* Callbacks that would notice another one at the same time. */
static bool enter_callback(many_scene *s, size_t count)
{
    CHECK(!s->inside && count > 0);
    s->inside = true;
    s->calls++;
    return s->calls != s->stop;
}

static bool take_self(void *user, size_t body, const graze_self_pair *pairs, size_t count)
{
    many_scene *s = user;
    bool go_on = enter_callback(s, count);
    for (size_t i = 0; i < count; i++)
        answers_put(s->to, (uint32_t[]){(uint32_t)body, pairs[i].a, pairs[i].b, pairs[i].rest}, 4);
    s->inside = false;
    return go_on;
}

static bool take_triangles(void *user, size_t question, const uint32_t *triangles, size_t count)
{
    many_scene *s = user;
    bool go_on = enter_callback(s, count);
    for (size_t i = 0; i < count; i++)
        answers_put(s->to, (uint32_t[]){(uint32_t)question, triangles[i]}, 2);
    s->inside = false;
    return go_on;
}

/* The same for one of them, whose number is known. */
typedef struct numbered {
    many_scene *s;
    size_t number;
} numbered;

static bool take_one_self(void *user, const graze_self_pair *pairs, size_t count)
{
    const numbered *n = user;
    return take_self(n->s, n->number, pairs, count);
}

static bool take_one_shape(void *user, const uint32_t *triangles, size_t count)
{
    const numbered *n = user;
    return take_triangles(n->s, n->number, triangles, count);
}

static graze_status ask_self(many_scene *s, graze_pool *pool, graze_stats *stats,
                             graze_error *error)
{
    return graze_collide_self_many(pool, s->all.bodies, MANY_BODIES, GRAZE_SELF_ALL, take_self, s,
                                   stats, error);
}

static void self_alone(many_scene *s)
{
    for (size_t i = 0; i < MANY_BODIES; i++)
        CHECK(!graze_collide_self(s->all.bodies[i], GRAZE_SELF_ALL, take_one_self,
                                  &(numbered){s, i}, NULL, NULL));
}

static graze_status ask_self_first(many_scene *s, graze_pool *pool, graze_stats *stats,
                                   graze_error *error)
{
    bool hits[MANY_BODIES];
    graze_status status = graze_collide_self_many_first(pool, s->all.bodies, MANY_BODIES,
                                                        GRAZE_SELF_NEW, hits, stats, error);
    for (size_t i = 0; i < MANY_BODIES && !status; i++)
        answers_put_flag(s->to, hits[i]);
    return status;
}

static void self_first_alone(many_scene *s)
{
    bool hit = false;
    for (size_t i = 0; i < MANY_BODIES; i++) {
        CHECK(!graze_collide_self_first(s->all.bodies[i], GRAZE_SELF_NEW, &hit, NULL, NULL, NULL));
        answers_put_flag(s->to, hit);
    }
}

static graze_status ask_rays(many_scene *s, graze_pool *pool, graze_stats *stats,
                             graze_error *error)
{
    static graze_ray_hit hits[MANY_RAYS];
    memset(hits, 0xaa, sizeof hits);
    graze_status status =
        graze_cast_many_parallel(pool, s->all.bodies[1], s->rays, MANY_RAYS, hits, stats, error);
    for (size_t i = 0; i < MANY_RAYS && !status; i++)
        answers_put_hit(s->to, &hits[i]);
    return status;
}

static void rays_alone(many_scene *s)
{
    graze_ray_hit hit;
    for (size_t i = 0; i < MANY_RAYS; i++) {
        CHECK(!graze_cast(s->all.bodies[1], &s->rays[i], &hit, NULL, NULL));
        answers_put_hit(s->to, &hit);
    }
}

static graze_status ask_each_ray(many_scene *s, graze_pool *pool, graze_stats *stats,
                                 graze_error *error)
{
    static graze_ray_hit hits[MANY_RAYS];
    memset(hits, 0xaa, sizeof hits);
    graze_status status = graze_cast_each(pool, s->body_rays, MANY_RAYS, hits, stats, error);
    for (size_t i = 0; i < MANY_RAYS && !status; i++)
        answers_put_hit(s->to, &hits[i]);
    return status;
}

static void each_ray_alone(many_scene *s)
{
    graze_ray_hit hit;
    for (size_t i = 0; i < MANY_RAYS; i++) {
        CHECK(!graze_cast(s->body_rays[i].body, &s->body_rays[i].ray, &hit, NULL, NULL));
        answers_put_hit(s->to, &hit);
    }
}

static graze_status ask_distances(many_scene *s, graze_pool *pool, graze_stats *stats,
                                  graze_error *error)
{
    graze_nearest nearest[MANY_PAIRS];
    graze_status status =
        graze_distance_many(pool, s->pairs, MANY_PAIRS, s->limits, nearest, stats, error);
    for (size_t i = 0; i < MANY_PAIRS && !status; i++)
        answers_put_nearest(s->to, &nearest[i]);
    if (!status)
        status = graze_distance_many(pool, s->pairs, 3, NULL, nearest, stats, error);
    for (size_t i = 0; i < 3 && !status; i++)
        answers_put_nearest(s->to, &nearest[i]);
    return status;
}

static void distances_alone(many_scene *s)
{
    graze_nearest nearest;
    for (size_t i = 0; i < MANY_PAIRS + 3; i++) {
        const graze_body_pair *pair = &s->pairs[i % MANY_PAIRS];
        CHECK(!graze_distance(pair->a, pair->b, i < MANY_PAIRS ? s->limits[i] : INFINITY, &nearest,
                              NULL, NULL));
        answers_put_nearest(s->to, &nearest);
    }
}

uint64_t many_hash_contacts(const graze_contacts *found)
{
    answers contacts = {.count = 0}, segments = {.count = 0};
    answers_put_contacts(&contacts, &segments, found);
    uint64_t hash = answers_hash(answers_hash(ANSWERS_NO_HASH, &contacts), &segments);
    answers_free(&contacts);
    answers_free(&segments);
    return hash;
}

/* Contacts and segments have records of different lengths: only hashes go to the list. */
static void put_contacts(many_scene *s, const graze_contacts *found)
{
    uint64_t hash = many_hash_contacts(found);
    uint32_t segments = 0;
    graze_contacts_segments(found, &segments);
    answers_put(
        s->to,
        (uint32_t[]){graze_contacts_count(found), segments, (uint32_t)hash, (uint32_t)(hash >> 32)},
        4);
}

static graze_status ask_contacts(many_scene *s, graze_pool *pool, graze_stats *stats,
                                 graze_error *error)
{
    graze_status status = graze_contacts_many(pool, s->finders, s->pairs, MANY_PAIRS, stats, error);
    for (size_t i = 0; i < MANY_PAIRS && !status; i++)
        put_contacts(s, s->finders[i]);
    return status;
}

static void contacts_alone(many_scene *s)
{
    for (size_t i = 0; i < MANY_PAIRS; i++) {
        CHECK(!graze_contacts_find(s->finders[i], s->pairs[i].a, s->pairs[i].b, NULL, NULL));
        put_contacts(s, s->finders[i]);
    }
}

static graze_status ask_sweeps(many_scene *s, graze_pool *pool, graze_stats *stats,
                               graze_error *error)
{
    graze_impact impacts[MANY_SWEEPS];
    graze_status status =
        graze_sweep_many(pool, s->sweeps, MANY_SWEEPS, true, impacts, stats, error);
    for (size_t i = 0; i < MANY_SWEEPS && !status; i++)
        answers_put_impact(s->to, &impacts[i]);
    return status;
}

static void sweeps_alone(many_scene *s)
{
    graze_impact impact;
    for (size_t i = 0; i < MANY_SWEEPS; i++) {
        CHECK(!graze_sweep(s->sweeps[i].a, s->sweeps[i].b, true, &impact, NULL, NULL));
        answers_put_impact(s->to, &impact);
    }
}

static graze_status ask_shapes(many_scene *s, graze_pool *pool, graze_stats *stats,
                               graze_error *error)
{
    return graze_touch_many(pool, s->shapes, MANY_SHAPES, take_triangles, s, stats, error);
}

static void shapes_alone(many_scene *s)
{
    for (size_t i = 0; i < MANY_SHAPES; i++)
        CHECK(!graze_touch(s->shapes[i].body, &s->shapes[i].shape, take_one_shape,
                           &(numbered){s, i}, NULL, NULL));
}

static graze_status ask_shapes_first(many_scene *s, graze_pool *pool, graze_stats *stats,
                                     graze_error *error)
{
    bool hits[MANY_SHAPES];
    graze_status status = graze_touch_many_first(pool, s->shapes, MANY_SHAPES, hits, stats, error);
    for (size_t i = 0; i < MANY_SHAPES && !status; i++)
        answers_put_flag(s->to, hits[i]);
    return status;
}

static void shapes_first_alone(many_scene *s)
{
    bool hit = false;
    for (size_t i = 0; i < MANY_SHAPES; i++) {
        CHECK(!graze_touch_first(s->shapes[i].body, &s->shapes[i].shape, &hit, NULL, NULL, NULL));
        answers_put_flag(s->to, hit);
    }
}

static graze_status ask_points(many_scene *s, graze_pool *pool, graze_stats *stats,
                               graze_error *error)
{
    static graze_point_side sides[MANY_POINTS];
    graze_status status = graze_point_inside_many(pool, s->all.bodies[0], &s->points[0][0],
                                                  MANY_POINTS, sides, stats, error);
    for (size_t i = 0; i < MANY_POINTS && !status; i++)
        answers_put_inside(s->to, &sides[i]);
    return status;
}

static void points_alone(many_scene *s)
{
    graze_point_side side;
    for (size_t i = 0; i < MANY_POINTS; i++) {
        CHECK(!graze_point_inside(s->all.bodies[0], s->points[i], &side, NULL, NULL));
        answers_put_inside(s->to, &side);
    }
}

const many_kind many_kinds[MANY_KINDS] = {
    {"self", self_alone, ask_self, true},
    {"self, first", self_first_alone, ask_self_first, false},
    {"rays", rays_alone, ask_rays, false},
    {"rays of each body", each_ray_alone, ask_each_ray, false},
    {"distances", distances_alone, ask_distances, false},
    {"contacts", contacts_alone, ask_contacts, false},
    {"sweeps", sweeps_alone, ask_sweeps, false},
    {"shapes", shapes_alone, ask_shapes, true},
    {"shapes, first", shapes_first_alone, ask_shapes_first, false},
    {"points", points_alone, ask_points, false}};

void many_scene_expect(many_scene *s, answers expected[MANY_KINDS])
{
    for (int k = 0; k < MANY_KINDS; k++) {
        s->to = &expected[k];
        answers_clear(s->to);
        many_kinds[k].alone(s);
        CHECK(!many_kinds[k].reports || answers_sort(s->to));
        CHECK_MSG(s->to->count > 5, "%s: hardly anything to be found", many_kinds[k].name);
    }
}

/* Nothing is computed twice, whoever asks for it. */
static bool is_lazy(const many_scene *s, const graze_stats *stats)
{
    uint64_t nodes = 0, leaves = 0;
    for (int i = 0; i < MANY_BODIES; i++) {
        graze_model_info info = graze_model_get_info(s->all.models[i]);
        nodes += 2 * info.node_count;
        leaves += 2 * info.leaf_count;
    }
    return stats->nodes_refit > 0 && stats->nodes_refit <= nodes &&
           stats->patches_posed <= leaves && stats->bound_tests > 0;
}

/* Every kind of question over a pool; every second time of cold bodies. */
void many_scene_check(many_scene *s, graze_pool *pool, const answers expected[MANY_KINDS],
                      const char *name)
{
    answers found = {.count = 0};
    for (int k = 0; k < MANY_KINDS; k++)
        for (int warm = 0; warm < 2; warm++) {
            graze_stats stats = {0};
            size_t odd = 0;
            if (!warm)
                many_scene_drop_caches(s);
            answers_free(&found);
            found = (answers){.count = 0};
            s->to = &found;
            CHECK(!many_kinds[k].many(s, pool, &stats, NULL));
            CHECK(!many_kinds[k].reports || answers_sort(&found));
            CHECK_MSG(answers_equal(&found, &expected[k], &odd),
                      "%s, %s: answer %zu of %zu differs", name, many_kinds[k].name, odd,
                      found.count);
            CHECK_MSG(warm || is_lazy(s, &stats), "%s, %s: %llu nodes, %llu patches", name,
                      many_kinds[k].name, (unsigned long long)stats.nodes_refit,
                      (unsigned long long)stats.patches_posed);
            CHECK_MSG(!warm || stats.vertices_posed == 0, "%s, %s: posed twice", name,
                      many_kinds[k].name);
        }
    answers_free(&found);
}

void many_free_answers(answers lists[MANY_KINDS])
{
    for (int k = 0; k < MANY_KINDS; k++)
        answers_free(&lists[k]);
}
