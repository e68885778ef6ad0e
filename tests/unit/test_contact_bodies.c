/* Contacts of characters and random skins in every kind of pose: every pair is in one contact, the
 * contacts are those of the definition, and trees and instruction sets do not matter.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/contacts.h"
#include "support/deform_skins.h"
#include "support/own.h"
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

static bool is_sane(const graze_contact *c, const graze_contact_details *d, double size,
                    const char *name)
{
    double unit = 0, length = 0;
    for (int k = 0; k < 3; k++) {
        unit += (double)c->normal[k] * c->normal[k];
        length += fabs((double)c->point[k]);
    }
    return test_check(fabs(unit - 1) < 1e-6, __FILE__, __LINE__, "%s: normal of length %g", name,
                      sqrt(unit)) &&
           test_check(isfinite(length) && c->pair_count > 0, __FILE__, __LINE__, "%s: no point",
                      name) &&
           test_check(c->depth >= 0 && c->depth <= size, __FILE__, __LINE__,
                      "%s: depth %g of a scene of size %g", name, (double)c->depth, size) &&
           test_check(d->length >= 0 && isfinite(d->length), __FILE__, __LINE__, "%s: length %g",
                      name, (double)d->length);
}

/* Every pair once, sorted within its contact. */
static bool has_pairs(const contact_set *found, const pair_set *expected, const char *name)
{
    OWN(pair_set) pairs = {0};
    graze_pair odd = {.a = 0, .b = 0};
    size_t count;
    uint32_t next = 0;
    const graze_contact_segment *segments = graze_contact_segments(found->finder, &count);
    bool ok = true;
    for (uint32_t i = 0; i < found->count; i++) {
        const graze_contact *c = &found->contacts[i];
        const graze_contact_details *d = &found->details[i];
        ok = test_check(d->first_segment == next, __FILE__, __LINE__, "%s: segments left out",
                        name) &&
             ok;
        next = d->first_segment + c->pair_count;
        for (uint32_t k = d->first_segment; k < next; k++) {
            graze_pair pair = {.a = segments[k].a, .b = segments[k].b};
            pair_set_take(&pairs, &pair, 1);
            ok = (k == d->first_segment || segments[k - 1].a < pair.a ||
                  (segments[k - 1].a == pair.a && segments[k - 1].b < pair.b)) &&
                 ok;
        }
    }
    ok = test_check(ok && next == count, __FILE__, __LINE__, "%s: segments out of order", name);
    ok = test_check(pair_set_sort(&pairs) && pair_set_equal(&pairs, expected, &odd), __FILE__,
                    __LINE__, "%s: %zu pairs, not %zu", name, pairs.count, expected->count) &&
         ok;
    return ok;
}

static bool same_contacts(const contact_set *x, const contact_set *y, const char *name)
{
    size_t counts[2];
    const graze_contact_segment *segments[2] = {graze_contact_segments(x->finder, &counts[0]),
                                                graze_contact_segments(y->finder, &counts[1])};
    bool ok = x->count == y->count && counts[0] == counts[1];
    for (size_t i = 0; ok && i < counts[0]; i++) {
        const graze_contact_segment *s = &segments[0][i], *t = &segments[1][i];
        ok = s->a == t->a && s->b == t->b && s->flat == t->flat &&
             !memcmp(s->ends, t->ends, sizeof s->ends);
    }
    for (size_t i = 0; ok && i < x->count; i++) {
        const graze_contact_details *d = &x->details[i], *e = &y->details[i];
        ok = !memcmp(&x->contacts[i], &y->contacts[i], sizeof *x->contacts) &&
             d->length == e->length && d->first_segment == e->first_segment &&
             d->closed == e->closed && d->full_depth == e->full_depth;
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
           (!split || (graze_model_triangle_part(models[0], s->a) ==
                           graze_model_triangle_part(models[0], t->a) &&
                       graze_model_triangle_part(models[1], s->b) ==
                           graze_model_triangle_part(models[1], t->b)));
}

/* Spreads from pair to pair: what is reached is the contact, no more and no less. */
static bool is_joined_right(const contact_set *found, const graze_model *const models[2],
                            const float *const rests[2], bool split, const char *name)
{
    size_t count;
    uint32_t reached = 0;
    const graze_contact_segment *segments = graze_contact_segments(found->finder, &count);
    OWNED uint32_t *contact_of = malloc((count + (size_t)1) * sizeof *contact_of);
    OWNED uint32_t *queue = malloc((count + (size_t)1) * sizeof *queue);
    memset(contact_of, 0xff, count * sizeof *contact_of);
    bool ok = true;
    for (uint32_t i = 0; i < found->count; i++) {
        const graze_contact *c = &found->contacts[i];
        const graze_contact_details *d = &found->details[i];
        uint32_t head = reached;
        queue[reached++] = d->first_segment;
        contact_of[d->first_segment] = i;
        for (; head < reached; head++)
            for (uint32_t k = 0; k < count; k++)
                if (contact_of[k] == UINT32_MAX &&
                    hang_together(models, rests, &segments[queue[head]], &segments[k], split)) {
                    contact_of[k] = i;
                    queue[reached++] = k;
                }
        for (uint32_t k = 0; k < count; k++)
            ok = ok && (contact_of[k] == i) ==
                           (k >= d->first_segment && k < d->first_segment + c->pair_count);
    }
    return test_check(ok, __FILE__, __LINE__, "%s: pairs joined that do not hang together", name);
}

/* ---- bodies of one mesh under several trees ------------------------------------------------ */

enum { VARIANTS = 4 };

/* The two sides of a scene are a body and its twin. */
typedef struct scene {
    variants all;
    contact_set found[VARIANTS], split;
    const float *rest;
} scene;

static bool scene_make(scene *c, graze_model_def def, test_random *random)
{
    graze_contact_finder_def contacts_def = {0};
    *c = (scene){.rest = def.positions};
    contacts_def.split_by_part = true;
    bool ok = variants_make(&c->all, def, VARIANTS, random) && variants_add_twins(&c->all);
    graze_model *const *models = c->all.models;
    for (uint32_t i = 0; ok && i < VARIANTS; i++)
        ok = contact_set_open(&c->found[i], models[i], models[i], NULL);
    return ok && contact_set_open(&c->split, models[0], models[0], &contacts_def);
}

static void scene_free(scene *c)
{
    for (int i = 0; i < VARIANTS; i++)
        contact_set_free(&c->found[i]);
    contact_set_free(&c->split);
    variants_free(&c->all);
}

OWN_VALUE(scene, scene_free)

/* False if the pose is refused. */
static bool pose_side(scene *c, int side, const graze_pose *pose, const char *name)
{
    return side ? variants_pose_twins(&c->all, pose, name) : variants_pose(&c->all, pose, name);
}

static double size_of_scene(const scene *c, uint32_t vertex_count)
{
    OWNED float *positions = malloc(6 * sizeof *positions * vertex_count);
    double middle[3];
    graze_body_get_positions(c->all.bodies[0], positions);
    graze_body_get_positions(c->all.twins[0], positions + 3 * (size_t)vertex_count);
    double half = test_extent(positions, 2 * vertex_count, middle);
    return 2 * half;
}

/* Poses are set: looks at the contacts in every way. */
static bool check_scene(scene *c, const char *name, tally *seen)
{
    const graze_model *models[2] = {c->all.models[0], c->all.models[0]};
    const float *rests[2] = {c->rest, c->rest};
    OWN(pair_set) expected = {0};
    agreement_expect(c->all.bodies[0], c->all.twins[0], &expected);
    uint32_t vertex_count = graze_model_get_info(c->all.models[0]).vertex_count;
    double size = size_of_scene(c, vertex_count);
    bool ok = true;
    for (int i = 0; ok && i < VARIANTS; i++) {
        graze_body_drop_caches(c->all.bodies[i]);
        graze_body_drop_caches(c->all.twins[i]);
        ok = test_check(
                 !contact_set_find(&c->found[i], c->all.bodies[i], c->all.twins[i], NULL, NULL),
                 __FILE__, __LINE__, "%s: no answer", name) &&
             same_contacts(&c->found[0], &c->found[i], name);
    }
    ok = ok && has_pairs(&c->found[0], &expected, name);
    for (uint32_t i = 0; ok && i < c->found[0].count; i++) {
        const graze_contact_details *d = &c->found[0].details[i];
        ok = is_sane(&c->found[0].contacts[i], d, size * 1.001, name);
        seen->whole += d->full_depth;
        seen->closed += d->closed;
    }
    /* The same pairs from brute force, given last to first. */
    for (size_t i = 0; i < expected.count / 2; i++) {
        graze_pair swapped = expected.pairs[i];
        expected.pairs[i] = expected.pairs[expected.count - 1 - i];
        expected.pairs[expected.count - 1 - i] = swapped;
    }
    ok = ok &&
         !contact_set_from_pairs(&c->found[1], c->all.bodies[1], c->all.twins[1], expected.pairs,
                                 expected.count, NULL) &&
         same_contacts(&c->found[0], &c->found[1], name);
    ok = ok && !contact_set_find(&c->split, c->all.bodies[0], c->all.twins[0], NULL, NULL);
    if (ok && expected.count < 700)
        ok = is_joined_right(&c->found[0], models, rests, false, name) &&
             is_joined_right(&c->split, models, rests, true, name);
    seen->scenes++;
    seen->pairs += expected.count;
    seen->contacts += c->found[0].count;
    seen->split += c->split.count;
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
            OWN(scene) c = {0};
            if (test_is_quick() && def.influences && skinning != r % 3)
                continue;
            def.skinning = (graze_skinning)skinning;
            bool ok = scene_make(&c, def, &random);
            CHECK_MSG(ok, "%s: no body", rigs[r].name);
            for (uint32_t f = 0; ok && f < test_amount(2, 1); f++)
                ok = check_rig_frame(rig, &c, rig->clip_count ? f % rig->clip_count : GRAZE_NONE,
                                     0.3 * f, places[(f + r) % 3], rigs[r].name, &seen);
        }
    }
    print_tally("characters", &seen);
    CHECK(seen.contacts > 0 && seen.split >= seen.contacts);
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
        OWN(deform_skin) skin = deform_skin_make(&mesh, m % 3 ? 3 : 0, &random);
        OWN(scene) c = {0};
        char name[32];
        snprintf(name, sizeof name, "skin %u", m);
        bool ok = scene_make(&c, deform_skin_def(&skin, (graze_skinning)(m % 3)), &random);
        CHECK(ok);
        OWNED float *joints = malloc(12 * sizeof *joints * mesh.joint_count);
        float weights[8] = {0};
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
    }
    print_tally("random skins", &seen);
    CHECK(seen.pairs > 1000);
}

/* ---- depth against points inside ----------------------------------------------------------- */

/* The most of b inside a, less the least of a inside b, along a contact's normal, over all vertices
 * and ends of segments: what the depth is if there is one contact, and its limit if there are more.
 */
static double reach_along(graze_body *const bodies[2], const contact_set *found,
                          const graze_contact *c, uint32_t vertex_count, float *positions)
{
    double least = INFINITY, most = -INFINITY;
    size_t count;
    const graze_contact_segment *segments = graze_contact_segments(found->finder, &count);
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
            CHECK(graze_inside(bodies[!side], p, &where, NULL, NULL) == GRAZE_OK);
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
    uint32_t single = 0, several = 0;
    const graze_rig *rig = test_rig_called("dwarf");
    test_random random = test_random_seed(8);
    graze_model_def def = graze_rig_model_def(rig);
    OWN(graze_model) *model = NULL;
    graze_body *bodies[2] = {NULL, NULL};
    contact_set found;
    bool closed = false;
    REQUIRE(!graze_model_create(&def, &model, NULL) &&
            !graze_body_create(model, &bodies[0], NULL) &&
            !graze_body_create(model, &bodies[1], NULL) &&
            contact_set_open(&found, model, model, NULL));
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
        CHECK(!contact_set_find(&found, bodies[0], bodies[1], NULL, NULL));
        for (uint32_t c = 0; c < found.count; c++) {
            const graze_contact *contact = &found.contacts[c];
            const graze_contact_details *contact_details = &found.details[c];
            double most = reach_along(bodies, &found, contact, rig->vertex_count, positions);
            bool only = found.count == 1;
            single += only;
            several += !only;
            /* Short ones may be where a corner comes out of an inner part of others. */
            CHECK_MSG(contact_details->full_depth || !only,
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
    contact_set_free(&found);
    graze_body_destroy(bodies[0]);
    graze_body_destroy(bodies[1]);
}
