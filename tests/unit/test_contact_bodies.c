/* Contacts of characters and random skins in every kind of pose: every pair is in one contact, the
 * contacts are those of the definition, and trees and instruction sets do not matter.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/deform_skins.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup.h"
#include "support/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    uint64_t scenes, contacts, pairs, whole, closed, split;
} tally;

static void print_tally(const char *what, const tally *seen)
{
    printf("     %s: %llu scenes, %llu pairs in %llu contacts, %llu of them closed, %llu whole\n",
           what, (unsigned long long)seen->scenes, (unsigned long long)seen->pairs,
           (unsigned long long)seen->contacts, (unsigned long long)seen->closed,
           (unsigned long long)seen->whole);
}

/* ---- what must hold of any contacts -------------------------------------------------------- */

static bool is_sane(const graze_contact *c, double size, const char *name)
{
    double unit = 0, length = 0;
    for (int k = 0; k < 3; k++) {
        unit += (double)c->normal[k] * c->normal[k];
        length += fabs((double)c->point[k]);
    }
    return test_check(fabs(unit - 1) < 1e-6, __FILE__, __LINE__, "%s: normal of length %g", name,
                      sqrt(unit)) &&
           test_check(isfinite(length) && c->count > 0, __FILE__, __LINE__, "%s: no point", name) &&
           test_check(c->depth >= 0 && c->depth <= size, __FILE__, __LINE__,
                      "%s: depth %g of a scene of size %g", name, (double)c->depth, size) &&
           test_check(c->length >= 0 && isfinite(c->length), __FILE__, __LINE__, "%s: length %g",
                      name, (double)c->length);
}

/* Every pair once, sorted within its contact. */
static bool has_pairs(const graze_contacts *found, const pair_set *expected, const char *name)
{
    pair_set pairs = {0};
    graze_pair odd = {0, 0};
    uint32_t count, next = 0;
    const graze_contact_segment *segments = graze_contacts_segments(found, &count);
    bool ok = true;
    for (uint32_t i = 0; i < graze_contacts_count(found); i++) {
        const graze_contact *c = graze_contacts_get(found, i);
        ok = test_check(c->first == next, __FILE__, __LINE__, "%s: segments left out", name) && ok;
        next = c->first + c->count;
        for (uint32_t k = c->first; k < next; k++) {
            graze_pair pair = {segments[k].a, segments[k].b};
            pair_set_take(&pairs, &pair, 1);
            ok = (k == c->first || segments[k - 1].a < pair.a ||
                  (segments[k - 1].a == pair.a && segments[k - 1].b < pair.b)) &&
                 ok;
        }
    }
    ok = test_check(ok && next == count, __FILE__, __LINE__, "%s: segments out of order", name);
    ok = test_check(pair_set_sort(&pairs) && pair_set_equal(&pairs, expected, &odd), __FILE__,
                    __LINE__, "%s: %zu pairs, not %zu", name, pairs.count, expected->count) &&
         ok;
    pair_set_free(&pairs);
    return ok;
}

static bool same_contacts(const graze_contacts *x, const graze_contacts *y, const char *name)
{
    uint32_t counts[2];
    const graze_contact_segment *segments[2] = {graze_contacts_segments(x, &counts[0]),
                                                graze_contacts_segments(y, &counts[1])};
    bool ok = graze_contacts_count(x) == graze_contacts_count(y) && counts[0] == counts[1];
    for (uint32_t i = 0; ok && i < counts[0]; i++) {
        const graze_contact_segment *s = &segments[0][i], *t = &segments[1][i];
        ok = s->a == t->a && s->b == t->b && s->flat == t->flat &&
             !memcmp(s->ends, t->ends, sizeof s->ends);
    }
    for (uint32_t i = 0; ok && i < graze_contacts_count(x); i++) {
        const graze_contact *c = graze_contacts_get(x, i), *d = graze_contacts_get(y, i);
        ok = !memcmp(c->point, d->point, sizeof c->point) &&
             !memcmp(c->normal, d->normal, sizeof c->normal) && c->depth == d->depth &&
             c->length == d->length && c->groups[0] == d->groups[0] &&
             c->groups[1] == d->groups[1] && c->first == d->first && c->count == d->count &&
             c->closed == d->closed && c->whole == d->whole;
    }
    return test_check(ok, __FILE__, __LINE__, "%s: other contacts", name);
}

/* ---- the definition, word by word ---------------------------------------------------------- */

static bool share_a_place(const graze_model *model, const float *rest, uint32_t t, uint32_t u)
{
    uint32_t x[3], y[3];
    graze_model_triangle(model, t, x);
    graze_model_triangle(model, u, y);
    for (int i = 0; i < 9; i++) {
        const float *p = rest + 3 * (size_t)x[i / 3], *q = rest + 3 * (size_t)y[i % 3];
        if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2])
            return true;
    }
    return false;
}

static bool hang_together(const graze_model *const models[2], const float *const rests[2],
                          const graze_contact_segment *s, const graze_contact_segment *t,
                          bool split)
{
    return share_a_place(models[0], rests[0], s->a, t->a) &&
           share_a_place(models[1], rests[1], s->b, t->b) &&
           (!split || (graze_model_triangle_group(models[0], s->a) ==
                           graze_model_triangle_group(models[0], t->a) &&
                       graze_model_triangle_group(models[1], s->b) ==
                           graze_model_triangle_group(models[1], t->b)));
}

/* Spreads from pair to pair: what is reached is the contact, no more and no less. */
static bool is_joined_right(const graze_contacts *found, const graze_model *const models[2],
                            const float *const rests[2], bool split, const char *name)
{
    uint32_t count, reached = 0;
    const graze_contact_segment *segments = graze_contacts_segments(found, &count);
    uint32_t *contact_of = malloc((count + (size_t)1) * sizeof *contact_of);
    uint32_t *queue = malloc((count + (size_t)1) * sizeof *queue);
    memset(contact_of, 0xff, count * sizeof *contact_of);
    bool ok = true;
    for (uint32_t i = 0; i < graze_contacts_count(found); i++) {
        const graze_contact *c = graze_contacts_get(found, i);
        uint32_t head = reached;
        queue[reached++] = c->first;
        contact_of[c->first] = i;
        for (; head < reached; head++)
            for (uint32_t k = 0; k < count; k++)
                if (contact_of[k] == UINT32_MAX &&
                    hang_together(models, rests, &segments[queue[head]], &segments[k], split)) {
                    contact_of[k] = i;
                    queue[reached++] = k;
                }
        for (uint32_t k = 0; k < count; k++)
            ok = ok && (contact_of[k] == i) == (k >= c->first && k < c->first + c->count);
    }
    free(contact_of);
    free(queue);
    return test_check(ok, __FILE__, __LINE__, "%s: pairs joined that do not hang together", name);
}

/* ---- bodies of one mesh under several trees ------------------------------------------------ */

enum { VARIANTS = 4 };

/* The two sides of a scene are a body and its twin. */
typedef struct scene {
    variants all;
    graze_contacts *finders[VARIANTS];
    graze_contacts *split;
    const float *rest;
} scene;

static bool scene_make(scene *c, graze_model_def def, test_random *random)
{
    graze_contacts_def contacts_def = graze_default_contacts_def();
    *c = (scene){.rest = def.positions};
    contacts_def.split_by_group = true;
    bool ok = variants_make(&c->all, def, VARIANTS, random) && variants_add_twins(&c->all);
    graze_model *const *models = c->all.models;
    for (uint32_t i = 0; ok && i < VARIANTS; i++)
        ok = graze_contacts_create(models[i], models[i], NULL, &c->finders[i], NULL) == GRAZE_OK;
    return ok &&
           graze_contacts_create(models[0], models[0], &contacts_def, &c->split, NULL) == GRAZE_OK;
}

static void scene_free(scene *c)
{
    for (int i = 0; i < VARIANTS; i++)
        graze_contacts_destroy(c->finders[i]);
    graze_contacts_destroy(c->split);
    variants_free(&c->all);
}

/* False if the pose is refused. */
static bool pose_side(scene *c, int side, const graze_pose *pose, const char *name)
{
    return side ? variants_pose_twins(&c->all, pose, name) : variants_pose(&c->all, pose, name);
}

static double size_of_scene(const scene *c, uint32_t vertex_count)
{
    float *positions = malloc(6 * sizeof *positions * vertex_count);
    double middle[3];
    graze_body_get_positions(c->all.bodies[0], positions);
    graze_body_get_positions(c->all.twins[0], positions + 3 * (size_t)vertex_count);
    double half = test_extent(positions, 2 * vertex_count, middle);
    free(positions);
    return 2 * half;
}

/* Poses are set: looks at the contacts in every way. */
static bool check_scene(scene *c, const char *name, tally *seen)
{
    const graze_model *models[2] = {c->all.models[0], c->all.models[0]};
    const float *rests[2] = {c->rest, c->rest};
    pair_set expected = {0};
    agreement_expect(c->all.bodies[0], c->all.twins[0], &expected);
    uint32_t vertex_count = graze_model_get_info(c->all.models[0]).vertex_count;
    double size = size_of_scene(c, vertex_count);
    bool ok = true;
    for (int i = 0; ok && i < VARIANTS; i++) {
        graze_body_drop_caches(c->all.bodies[i]);
        graze_body_drop_caches(c->all.twins[i]);
        ok = test_check(
                 !graze_contacts_find(c->finders[i], c->all.bodies[i], c->all.twins[i], NULL, NULL),
                 __FILE__, __LINE__, "%s: no answer", name) &&
             same_contacts(c->finders[0], c->finders[i], name);
    }
    ok = ok && has_pairs(c->finders[0], &expected, name);
    for (uint32_t i = 0; ok && i < graze_contacts_count(c->finders[0]); i++) {
        const graze_contact *contact = graze_contacts_get(c->finders[0], i);
        ok = is_sane(contact, size * 1.001, name);
        seen->whole += contact->whole;
        seen->closed += contact->closed;
    }
    /* The same pairs from brute force, given last to first. */
    for (size_t i = 0; i < expected.count / 2; i++) {
        graze_pair swapped = expected.pairs[i];
        expected.pairs[i] = expected.pairs[expected.count - 1 - i];
        expected.pairs[expected.count - 1 - i] = swapped;
    }
    ok = ok &&
         !graze_contacts_from_pairs(c->finders[1], c->all.bodies[1], c->all.twins[1],
                                    expected.pairs, expected.count, NULL, NULL) &&
         same_contacts(c->finders[0], c->finders[1], name);
    ok = ok && !graze_contacts_find(c->split, c->all.bodies[0], c->all.twins[0], NULL, NULL);
    if (ok && expected.count < 700)
        ok = is_joined_right(c->finders[0], models, rests, false, name) &&
             is_joined_right(c->split, models, rests, true, name);
    seen->scenes++;
    seen->pairs += expected.count;
    seen->contacts += graze_contacts_count(c->finders[0]);
    seen->split += graze_contacts_count(c->split);
    pair_set_free(&expected);
    return ok;
}

/* ---- characters ---------------------------------------------------------------------------- */

/* One instance as the clip has it, the other elsewhere in the clip and a part of the size away. */
static bool check_rig_frame(const graze_rig *rig, scene *c, uint32_t clip, double part,
                            const double at[3], const char *name, tally *seen)
{
    float *joints = malloc(12 * sizeof *joints * rig->joint_count);
    double seconds = clip == GRAZE_NONE ? 0 : (double)rig->clips[clip].seconds, middle[3];
    double size = test_extent(rig->positions, rig->vertex_count, middle);
    float placement[12] = {0.8f, 0, 0.6f, 0, 0, 1, 0, 0, -0.6f, 0, 0.8f, 0};
    bool ok = true;
    for (int side = 0; side < 2; side++) {
        graze_pose pose = {.joints = joints, .joint_count = rig->joint_count};
        test_rig_sample(rig, clip, (side ? 0.4 : part) * seconds, joints);
        for (int k = 0; k < 3; k++)
            placement[4 * k + 3] = (float)(size * at[k]);
        pose.placement = side ? placement : NULL;
        ok = pose_side(c, side, &pose, name) && ok;
    }
    free(joints);
    return test_check(ok, __FILE__, __LINE__, "%s: pose refused", name) &&
           check_scene(c, name, seen);
}

TEST(characters)
{
    static const double places[3][3] = {{0.3, 0, 0.1}, {0.05, 0.02, 0.4}, {0.6, 0.1, 0}};
    uint32_t count;
    tally seen = {0};
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(5);
    for (uint32_t r = 0; r < count; r++) {
        const graze_rig *rig = rigs[r].rig;
        if (test_is_quick() && rig->triangle_count > 3000)
            continue;
        graze_model_def def = graze_rig_model_def(rig);
        for (uint32_t skinning = 0; skinning < (def.influences ? 3 : 1); skinning++) {
            scene c;
            if (test_is_quick() && def.influences && skinning != r % 3)
                continue;
            def.skinning = (graze_skinning)skinning;
            bool ok = scene_make(&c, def, &random);
            CHECK_MSG(ok, "%s: no body", rigs[r].name);
            for (uint32_t f = 0; ok && f < test_amount(2, 1); f++)
                ok = check_rig_frame(rig, &c, rig->clip_count ? f % rig->clip_count : GRAZE_NONE,
                                     0.3 * f, places[(f + r) % 3], rigs[r].name, &seen);
            scene_free(&c);
        }
    }
    print_tally("characters", &seen);
    CHECK(seen.contacts > 0 && seen.split >= seen.contacts);
    if (!test_rigs_are_shared())
        SKIP_ALLOWED("procedural characters only: the shared models are not there");
}

/* ---- random skins -------------------------------------------------------------------------- */

TEST(random_skins)
{
    tally seen = {0};
    for (uint32_t m = 0; m < test_amount(60, 8); m++) {
        test_random random = test_random_seed(700 + m);
        soup_def mesh = {.vertex_count = 60 + m % 90,
                         .triangle_count = 80 + m % 70,
                         .joint_count = 1 + m % 9,
                         .max_influences = 1 + m % 4,
                         .size = m % 4 ? 1 : 8,
                         .lattice = m % 4 == 0,
                         .flat = m % 16 == 4};
        deform_skin skin = deform_skin_make(&mesh, m % 3 ? 3 : 0, &random);
        scene c;
        char name[32];
        snprintf(name, sizeof name, "skin %u", m);
        bool ok = scene_make(&c, deform_skin_def(&skin, (graze_skinning)(m % 3)), &random);
        CHECK(ok);
        float *joints = malloc(12 * sizeof *joints * mesh.joint_count), weights[8] = {0};
        for (uint32_t p = 0; ok && p < 4; p++) {
            bool posed = true;
            for (int side = 0; side < 2; side++) {
                deform_pose_kind kind =
                    mesh.lattice ? DEFORM_LATTICE : (deform_pose_kind)((m + p) % DEFORM_POSE_COUNT);
                deform_pose_make(kind, skin.mesh.centre, mesh.size, mesh.joint_count, &random,
                                 joints);
                for (uint32_t k = 0; k < skin.morph_count; k++)
                    weights[k] = (float)test_random_range(&random, -1, 1);
                graze_pose pose = {.joints = joints,
                                   .joint_count = mesh.joint_count,
                                   .morph_weights = skin.morph_count ? weights : NULL,
                                   .morph_count = skin.morph_count};
                posed = pose_side(&c, side, &pose, name) && posed;
            }
            ok = !posed || check_scene(&c, name, &seen);
        }
        free(joints);
        scene_free(&c);
        deform_skin_free(&skin);
    }
    print_tally("random skins", &seen);
    CHECK(seen.pairs > 1000);
}

/* ---- depth against points inside ----------------------------------------------------------- */

/* The most of b inside a, less the least of a inside b, along a contact's normal, over all vertices
 * and ends of segments: what the depth is if there is one contact, and its limit if there are more.
 */
static double reach_along(graze_body *const bodies[2], const graze_contacts *found,
                          const graze_contact *c, uint32_t vertex_count, float *positions)
{
    double least = INFINITY, most = -INFINITY;
    uint32_t count;
    const graze_contact_segment *segments = graze_contacts_segments(found, &count);
    for (uint32_t i = 0; i < 2 * count; i++) {
        const float *p = segments[i / 2].ends[i % 2];
        double height =
            (double)c->normal[0] * p[0] + (double)c->normal[1] * p[1] + (double)c->normal[2] * p[2];
        least = fmin(least, height);
        most = fmax(most, height);
    }
    for (int side = 0; side < 2; side++) {
        graze_body_get_positions(bodies[side], positions);
        for (uint32_t v = 0; v < vertex_count; v++) {
            const float *p = positions + 3 * (size_t)v;
            graze_point_side where;
            CHECK(graze_point_inside(bodies[!side], p, &where, NULL, NULL) == GRAZE_OK);
            if (!where.inside)
                continue;
            double height = (double)c->normal[0] * p[0] + (double)c->normal[1] * p[1] +
                            (double)c->normal[2] * p[2];
            least = side ? least : fmin(least, height);
            most = side ? fmax(most, height) : most;
        }
    }
    return most - least;
}

TEST(depth_is_that_of_all_that_is_inside)
{
    uint32_t count, single = 0, several = 0;
    const test_rig *rigs = test_rigs(&count);
    const graze_rig *rig = rigs[2].rig; /* the small dwarf: closed */
    test_random random = test_random_seed(8);
    graze_model_def def = graze_rig_model_def(rig);
    graze_model *model = NULL;
    graze_body *bodies[2] = {NULL, NULL};
    graze_contacts *found = NULL;
    bool closed = false;
    REQUIRE(!graze_model_create(&def, &model, NULL) &&
            !graze_body_create(model, &bodies[0], NULL) &&
            !graze_body_create(model, &bodies[1], NULL) &&
            !graze_contacts_create(model, model, NULL, &found, NULL));
    CHECK(!graze_model_is_closed(model, &closed, NULL) && closed);
    float *joints = malloc(12 * sizeof *joints * rig->joint_count);
    float *positions = malloc(3 * sizeof *positions * rig->vertex_count);
    double worst = 0;
    for (uint32_t i = 0; i < test_amount(400, 40); i++) {
        float placement[12];
        map_make(MAP_RIGID, (const float[3]){0, 0.6f, 0}, 0.7, &random, placement);
        for (int side = 0; side < 2; side++) {
            graze_pose pose = {.joints = joints,
                               .joint_count = rig->joint_count,
                               .placement = side ? placement : NULL};
            test_rig_sample(rig, 0, test_random_unit(&random), joints);
            CHECK(!graze_body_set_pose(bodies[side], &pose, NULL));
        }
        CHECK(!graze_contacts_find(found, bodies[0], bodies[1], NULL, NULL));
        for (uint32_t c = 0; c < graze_contacts_count(found); c++) {
            const graze_contact *contact = graze_contacts_get(found, c);
            double most = reach_along(bodies, found, contact, rig->vertex_count, positions);
            bool only = graze_contacts_count(found) == 1;
            single += only;
            several += !only;
            /* Short ones may be where a corner comes out of an inner part of others. */
            CHECK_MSG(contact->whole || !only,
                      "scene %u: the inner part of a closed body does not end", i);
            CHECK_MSG(contact->depth <= most + 1e-5, "scene %u: depth %g, but %g is inside", i,
                      (double)contact->depth, most);
            CHECK_MSG(!only || contact->depth >= most - 1e-5,
                      "scene %u: depth %g, but %g is inside", i, (double)contact->depth, most);
            if (only)
                worst = fmax(worst, fabs(contact->depth - most));
        }
    }
    printf("     %u scenes with one contact, depth right to %.2g; %u contacts in others\n", single,
           worst, several);
    CHECK(single > test_amount(40, 3) && (several > 5 || test_is_brief()));
    free(joints);
    free(positions);
    graze_contacts_destroy(found);
    graze_body_destroy(bodies[0]);
    graze_body_destroy(bodies[1]);
    graze_model_destroy(model);
}
