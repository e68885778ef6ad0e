/* Characters in motion: lazy == brute force, and nothing missed that a thousand samples of the
 * motion find.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/impacts.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 1000 };

/* A character in two poses, and all its vertices in both. */
typedef struct actor {
    graze_model *model;
    graze_motion motion;
    float *ends[2];
    const graze_rig *rig;
} actor;

static bool actor_make(actor *a, const graze_rig *rig, graze_tree_def tree)
{
    graze_model_def def = graze_rig_model_def(rig);
    def.tree = tree;
    *a = (actor){.rig = rig};
    for (int end = 0; end < 2; end++)
        a->ends[end] = malloc(3 * sizeof(float) * rig->vertex_count);
    return !graze_model_create(&def, &a->model, NULL) &&
           !graze_body_create(a->model, &a->motion.start, NULL) &&
           !graze_body_create(a->model, &a->motion.end, NULL);
}

static void actor_free(actor *a)
{
    graze_body_destroy(a->motion.start);
    graze_body_destroy(a->motion.end);
    graze_model_destroy(a->model);
    free(a->ends[0]);
    free(a->ends[1]);
}

static bool actor_pose(actor *a, int end, uint32_t clip, double time, const float placement[12])
{
    graze_body *body = end ? a->motion.end : a->motion.start;
    float *joints = malloc(12 * sizeof *joints * a->rig->joint_count);
    graze_pose pose = {
        .joints = joints, .joint_count = a->rig->joint_count, .placement = placement};
    test_rig_sample(a->rig, clip, time, joints);
    bool ok = !graze_body_set_pose(body, &pose, NULL);
    free(joints);
    if (ok)
        graze_body_get_positions(body, a->ends[end]);
    return ok;
}

/* ---- sampling ----------------------------------------------------------------------------- */

typedef struct point {
    double x, y, z;
} point;

static point minus(point a, point b)
{
    return (point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(point a, point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static point cross(point a, point b)
{
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static void corners_at(const actor *a, uint32_t triangle, double time, point corners[3])
{
    const uint32_t *vertices = a->rig->triangles + 3 * (size_t)triangle;
    for (int c = 0; c < 3; c++) {
        const float *p = a->ends[0] + 3 * (size_t)vertices[c];
        const float *q = a->ends[1] + 3 * (size_t)vertices[c];
        corners[c] = (point){(1 - time) * (double)p[0] + time * (double)q[0],
                             (1 - time) * (double)p[1] + time * (double)q[1],
                             (1 - time) * (double)p[2] + time * (double)q[2]};
    }
}

/* An edge through a triangle, well inside both, so that rounding cannot have made it up. */
static bool edge_pierces(point p, point q, const point t[3])
{
    point d = minus(t[1], t[0]), e = minus(t[2], t[0]), n = cross(d, e), way = minus(q, p);
    double square = dot(n, n), along = dot(way, n);
    if (!(square > 1e-16 * dot(d, d) * dot(e, e)) ||
        fabs(along) < 1e-6 * sqrt(dot(way, way) * square))
        return false;
    double s = dot(minus(t[0], p), n) / along;
    point w = {p.x + s * way.x - t[0].x, p.y + s * way.y - t[0].y, p.z + s * way.z - t[0].z};
    double u = dot(cross(w, e), n) / square, v = dot(cross(d, w), n) / square;
    return s > 1e-5 && s < 1 - 1e-5 && u > 1e-5 && v > 1e-5 && u + v < 1 - 1e-5;
}

/* The first sample at which the triangles pierce each other, SAMPLES + 1 if none. */
static int first_sample(const actor *a, uint32_t i, const actor *b, uint32_t k)
{
    for (int s = 0; s <= SAMPLES; s++) {
        point p[3], q[3];
        corners_at(a, i, (double)s / SAMPLES, p);
        corners_at(b, k, (double)s / SAMPLES, q);
        for (int c = 0; c < 3; c++)
            if (edge_pierces(p[c], p[(c + 1) % 3], q) || edge_pierces(q[c], q[(c + 1) % 3], p))
                return s;
    }
    return SAMPLES + 1;
}

static void swept_box(const actor *a, uint32_t triangle, float box[6])
{
    for (int axis = 0; axis < 3; axis++) {
        box[axis] = INFINITY;
        box[axis + 3] = -INFINITY;
        for (int i = 0; i < 6; i++) {
            float x =
                a->ends[i / 3][3 * (size_t)a->rig->triangles[3 * (size_t)triangle + i % 3] + axis];
            box[axis] = fminf(box[axis], x);
            box[axis + 3] = fmaxf(box[axis + 3], x);
        }
    }
}

/* ---- comparison --------------------------------------------------------------------------- */

typedef struct tally {
    uint64_t scenes, hits, later, impacts, sampled, pierced;
} tally;

/* Every pair whose swept boxes overlap, up to a number of them, sampled. */
static bool check_samples(const actor *a, const actor *b, const impact_set *found, const char *name,
                          tally *seen)
{
    uint32_t count_a = a->rig->triangle_count, count_b = b->rig->triangle_count;
    uint32_t limit = test_amount(1500, 100), left = limit;
    float(*boxes)[6] = malloc(sizeof *boxes * count_b);
    bool ok = true;
    for (uint32_t k = 0; k < count_b; k++)
        swept_box(b, k, boxes[k]);
    for (uint32_t i = 0; ok && i < count_a && left; i++) {
        float box[6];
        swept_box(a, i, box);
        for (uint32_t k = 0; ok && k < count_b && left; k++) {
            if (box[0] > boxes[k][3] || boxes[k][0] > box[3] || box[1] > boxes[k][4] ||
                boxes[k][1] > box[4] || box[2] > boxes[k][5] || boxes[k][2] > box[5])
                continue;
            left--;
            int sample = first_sample(a, i, b, k);
            const graze_impact *impact = impact_set_find(found, i, k);
            seen->pierced += sample <= SAMPLES;
            ok =
                test_check(sample > SAMPLES || (impact && (double)impact->time * SAMPLES <= sample),
                           __FILE__, __LINE__, "%s: %u and %u pierce each other at %d of %d, %s",
                           name, i, k, sample, SAMPLES, impact ? "earlier" : "not reported");
        }
    }
    seen->sampled += limit - left;
    free(boxes);
    return ok;
}

static bool check_scene(const actor *a, const actor *b, const char *name, tally *seen)
{
    OWN(impact_set) found = {0}, expected = {0};
    graze_impact impact;
    graze_sweep_all(&a->motion, &b->motion, TO_IMPACT_SET(&found), NULL, NULL);
    graze_sweep_all(&a->motion, &b->motion, TO_IMPACT_SET(&expected),
                    &(graze_options){.method = GRAZE_BRUTE}, NULL);
    bool ok = test_check(impact_set_equal(&found, &expected, NULL), __FILE__, __LINE__,
                         "%s: %zu impacts, brute force %zu", name, found.count, expected.count);
    const graze_impact best = impact_set_earliest(&expected);
    graze_body_drop_caches(a->motion.start);
    graze_body_drop_caches(b->motion.end);
    graze_sweep(&a->motion, &b->motion, &impact, NULL, NULL);
    ok = ok && test_check(impact_same(&impact, &best), __FILE__, __LINE__,
                          "%s: the earliest is wrong", name);
    seen->scenes++;
    seen->hits += best.found;
    seen->later += best.found && best.time > 0;
    seen->impacts += expected.count;
    ok = ok && check_samples(a, b, &found, name, seen);
    return ok;
}

/* ---- scenes ------------------------------------------------------------------------------- */

/* Where the second one stands at the start and at the end, in sizes of the first. */
static const double ways[][2][3] = {{{0.15, 0, 0.05}, {0.15, 0, 0.05}},
                                    {{0.6, 0.02, 0.1}, {0.45, 0, 0.1}},
                                    {{2.5, 0, 0}, {0.4, 0.05, 0}},
                                    {{-3, 0.1, 0}, {3, 0, 0.2}},
                                    {{0.9, 0, 0.3}, {0.85, 0.01, 0.3}}};

static bool check_way(actor *a, actor *b, const test_rig *rig, uint32_t clip, double time,
                      uint32_t way, tally *seen)
{
    double middle[3], turn = 0.7 * way;
    bool ok = actor_pose(a, 0, clip, time, NULL) && actor_pose(a, 1, clip, time + 1 / 30.0, NULL);
    double size = ok ? test_extent(a->ends[0], a->rig->vertex_count, middle) : 0;
    for (int end = 0; ok && end < 2; end++) {
        float placement[12] = {(float)cos(turn),  0, (float)sin(turn), 0, 0, 1, 0, 0,
                               (float)-sin(turn), 0, (float)cos(turn), 0};
        for (int k = 0; k < 3; k++) {
            double turned = 0;
            for (int c = 0; c < 3; c++)
                turned += (double)placement[4 * k + c] * middle[c];
            placement[4 * k + 3] = (float)(middle[k] - turned + size * ways[way][end][k]);
        }
        ok = actor_pose(b, end, clip, 1.3 * time + end / 30.0, placement);
    }
    return test_check(ok, __FILE__, __LINE__, "%s: pose refused", rig->name) &&
           check_scene(a, b, rig->name, seen);
}

static bool check_rig(const test_rig *rig, uint32_t number, tally *seen)
{
    actor actors[2];
    uint32_t scenes = test_amount(rig->rig->triangle_count > 6000 ? 2 : 5, 1);
    bool ok = true;
    for (uint32_t i = 0; i < 2; i++)
        ok = actor_make(&actors[i], rig->rig,
                        agreement_tree((number + 5 * i) % agreement_tree_count())) &&
             ok;
    for (uint32_t s = 0; ok && s < scenes; s++) {
        uint32_t clips = rig->rig->clip_count, clip = clips ? (number + s) % clips : GRAZE_NONE;
        double seconds = clips ? (double)rig->rig->clips[clip].seconds : 0;
        ok = check_way(&actors[0], &actors[1], rig, clip, 0.21 * (s + 1) * seconds,
                       (number + s) % 5, seen);
    }
    actor_free(&actors[0]);
    actor_free(&actors[1]);
    return ok;
}

TEST(characters_agree_with_brute_force_and_samples)
{
    tally seen = {0};
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t i = 0; i < count; i++)
        if (!test_is_quick() || rigs[i].rig->triangle_count < 1500)
            check_rig(&rigs[i], i, &seen);
    printf("     %llu scenes, %llu with an impact, %llu of them not at the start; %llu impacts; "
           "%llu pairs sampled, %llu of them pierce each other\n",
           (unsigned long long)seen.scenes, (unsigned long long)seen.hits,
           (unsigned long long)seen.later, (unsigned long long)seen.impacts,
           (unsigned long long)seen.sampled, (unsigned long long)seen.pierced);
    CHECK(seen.hits > 0 && seen.later > 0 && seen.pierced > 0);
}
