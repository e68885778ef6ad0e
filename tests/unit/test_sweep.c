/* Sweeps: lazy == brute force, bit for bit, on every tree and instruction set, for all pairs and
 * the earliest, between two bodies and within one; in steps; and with bad input.
 */
#include "harness.h"
#include "query/sweep.h"
#include "support/agreement.h"
#include "support/deform_skins.h"
#include "support/quick.h"
#include "support/variants.h"

#include <graze/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of impacts --------------------------------------------------------------------- */

typedef struct impact_list {
    graze_impact *impacts;
    size_t count, capacity, stop;
} impact_list;

static bool take(void *user, const graze_impact *impacts, size_t count)
{
    impact_list *list = user;
    if (list->count + count > list->capacity) {
        list->capacity = 2 * (list->count + count);
        list->impacts = realloc(list->impacts, list->capacity * sizeof *impacts);
    }
    memcpy(list->impacts + list->count, impacts, count * sizeof *impacts);
    list->count += count;
    return !list->stop || list->count < list->stop;
}

static int compare(const void *left, const void *right)
{
    const graze_impact *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static void sort(impact_list *list)
{
    if (list->count)
        qsort(list->impacts, list->count, sizeof *list->impacts, compare);
}

static bool same_impact(const graze_impact *x, const graze_impact *y)
{
    return x->found == y->found && x->initial == y->initial && x->a == y->a && x->b == y->b &&
           memcmp(&x->time, &y->time, sizeof x->time) == 0 &&
           memcmp(x->point, y->point, sizeof x->point) == 0 &&
           memcmp(x->normal, y->normal, sizeof x->normal) == 0;
}

static graze_impact earliest_of(const impact_list *list)
{
    graze_impact best = {.found = false};
    for (size_t i = 0; i < list->count; i++)
        if (graze_impact_is_earlier(&list->impacts[i], &best))
            best = list->impacts[i];
    return best;
}

/* ---- one mesh under several trees, in two poses -------------------------------------------- */

static graze_motion motion_of(const variants *v, uint32_t number)
{
    return (graze_motion){v->bodies[number % v->count], v->twins[number % v->count]};
}

/* What was compared. */
typedef struct tally {
    uint64_t scenes, hits, later, impacts, queries;
} tally;

static void tally_print(const char *what, const tally *seen)
{
    printf("     %s: %llu scenes, %llu with an impact, %llu of them not at the start; %llu "
           "impacts; %llu queries compared\n",
           what, (unsigned long long)seen->scenes, (unsigned long long)seen->hits,
           (unsigned long long)seen->later, (unsigned long long)seen->impacts,
           (unsigned long long)seen->queries);
}

static void drop(const graze_motion *motion)
{
    graze_body_drop_caches(motion->start);
    graze_body_drop_caches(motion->end);
}

/* All pairs and the earliest one, cold and from caches. */
static bool check_query(const graze_motion *a, const graze_motion *b, bool only_new,
                        const impact_list *expected, const char *name, tally *seen)
{
    impact_list found = {0};
    graze_impact best = earliest_of(expected), impact;
    bool ok = true;
    drop(a);
    if (b)
        drop(b);
    for (int warm = 0; ok && warm < 2; warm++) {
        graze_stats stats = {0};
        CHECK(graze_sweep(a, b, only_new, &impact, &stats, NULL) == GRAZE_OK);
        ok = test_check(same_impact(&impact, &best), __FILE__, __LINE__,
                        "%s: the earliest is %u %u at %.9g, brute force says %u %u at %.9g", name,
                        impact.a, impact.b, (double)impact.time, best.a, best.b, (double)best.time);
        seen->queries++;
    }
    CHECK(graze_sweep_pairs(a, b, only_new, take, &found, NULL, NULL) == GRAZE_OK);
    sort(&found);
    ok = ok && test_check(found.count == expected->count, __FILE__, __LINE__,
                          "%s: %zu impacts, brute force %zu", name, found.count, expected->count);
    for (size_t i = 0; ok && i < found.count; i++)
        ok = test_check(same_impact(&found.impacts[i], &expected->impacts[i]), __FILE__, __LINE__,
                        "%s: the impact of %u and %u differs from brute force", name,
                        found.impacts[i].a, found.impacts[i].b);
    seen->queries++;
    free(found.impacts);
    return ok;
}

static bool check_sides(const variants *a, const variants *b, bool only_new, const char *name,
                        tally *seen)
{
    impact_list expected = {0};
    graze_motion first = motion_of(a, 0), second = b ? motion_of(b, 0) : first;
    bool ok = graze_sweep_brute(&first, b ? &second : NULL, only_new, take, &expected, NULL,
                                NULL) == GRAZE_OK;
    sort(&expected);
    graze_impact best = earliest_of(&expected);
    seen->scenes++;
    seen->hits += best.found;
    seen->later += best.found && best.time > 0;
    seen->impacts += expected.count;
    for (uint32_t i = 0; ok && i < a->count; i++) {
        first = motion_of(a, i);
        for (uint32_t k = 0; ok && k < (b ? 2 : 1); k++) {
            second = b ? motion_of(b, i + k) : first;
            ok = check_query(&first, b ? &second : NULL, only_new, &expected, name, seen);
        }
    }
    free(expected.impacts);
    return ok;
}

/* ---- random meshes ------------------------------------------------------------------------ */

static graze_model_def random_def(uint32_t number, test_random *random, deform_skin *skin)
{
    soup_def def = {.vertex_count = 3 + test_random_u32(random) % 70,
                    .triangle_count = 1 + test_random_u32(random) % (number % 4 ? 40 : 160),
                    .joint_count = 1 + test_random_u32(random) % 8,
                    .max_influences = 1 + test_random_u32(random) % 4,
                    .size = number % 3 ? 1 : 8,
                    .flat = number % 9 == 8,
                    .lattice = number % 3 == 0};
    *skin = deform_skin_make(&def, number % 5 == 1 ? 3 : 0, random);
    return deform_skin_def(skin, number % 3 == 0 ? GRAZE_LINEAR : (graze_skinning)(number % 4 % 3));
}

/* Two poses of one body: near each other, or any. */
static bool random_motion(variants *v, const deform_skin *skin, uint32_t number, const char *name,
                          test_random *random)
{
    static const deform_pose_kind kinds[] = {DEFORM_NEAR, DEFORM_RANDOM, DEFORM_SAME,
                                             DEFORM_LATTICE};
    const soup *mesh = &skin->mesh;
    uint32_t joints = mesh->def.joint_count;
    float *maps = malloc(24 * sizeof *maps * joints), weights[2][3] = {{0}}, placements[2][12];
    graze_pose poses[2];
    for (int end = 0; end < 2; end++) {
        deform_pose_kind kind = mesh->def.lattice ? DEFORM_LATTICE : kinds[(number + end) % 3];
        float *own = maps + 12 * (size_t)end * joints;
        deform_pose_make(kind, mesh->centre, mesh->def.size, joints, random, own);
        if (number % 2) /* all joints alike: not a soup */
            for (uint32_t j = 1; j < joints; j++)
                memcpy(own + 12 * (size_t)j, own, 12 * sizeof *own);
        if (skin->morph_count)
            deform_weights_make(skin->morph_count, random, weights[end]);
        map_make(mesh->def.lattice ? MAP_LATTICE : MAP_NEAR, mesh->centre,
                 (number % 5 ? 1 : 4) * mesh->def.size, random, placements[end]);
        poses[end] = (graze_pose){.joints = own,
                                  .joint_count = joints,
                                  .placement = placements[end],
                                  .morph_weights = skin->morph_count ? weights[end] : NULL,
                                  .morph_count = skin->morph_count};
    }
    if (number % 7 == 0)
        poses[1] = poses[0]; /* standing still */
    bool posed = variants_pose(v, &poses[0], name) && variants_pose_twins(v, &poses[1], name);
    free(maps);
    return posed;
}

TEST(random_meshes_agree)
{
    tally seen = {0}, self = {0};
    uint32_t count = test_amount(150, 20);
    for (uint32_t m = 0; m < count; m++) {
        char name[64];
        test_random random = test_random_seed(500 + m);
        deform_skin skins[2];
        variants sides[2];
        bool ok = true;
        snprintf(name, sizeof name, "random meshes %u", m);
        for (int side = 0; side < 2; side++)
            ok = variants_make(&sides[side], random_def(m, &random, &skins[side]), 5, &random) &&
                 variants_add_twins(&sides[side]) && ok;
        for (uint32_t p = 0; ok && p < 4; p++) {
            if (!random_motion(&sides[0], &skins[0], m + p, name, &random) ||
                !random_motion(&sides[1], &skins[1], m + 3 * p + 1, name, &random))
                continue;
            ok = check_sides(&sides[0], &sides[1], p % 2, name, &seen) &&
                 check_sides(&sides[p % 2], NULL, p % 3 > 0, name, &self);
        }
        for (int side = 0; side < 2; side++) {
            variants_free(&sides[side]);
            deform_skin_free(&skins[side]);
        }
        if (!ok)
            break;
    }
    tally_print("two bodies", &seen);
    tally_print("one body", &self);
    CHECK(4 * seen.hits > seen.scenes && seen.hits < seen.scenes && 10 * seen.later > seen.scenes);
    CHECK(10 * self.later > self.scenes);
}

/* ---- one pair of bodies ------------------------------------------------------------------- */

typedef struct pair_of_bodies {
    deform_skin skin;
    graze_model *model;
    graze_motion motions[2];
} pair_of_bodies;

/* Joints are moved apart by `bend` along z. */
static void place(graze_body *body, float x, float y, float bend)
{
    uint32_t joints = graze_model_get_info(graze_body_model(body)).joint_count;
    float *maps = calloc(12 * (size_t)joints, sizeof *maps);
    float placement[12] = {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0};
    for (uint32_t j = 0; j < 3 * joints; j++)
        maps[12 * (size_t)(j / 3) + 5 * (j % 3)] = 1;
    for (uint32_t j = 0; j < joints; j++)
        maps[12 * (size_t)j + 11] = bend * (float)j;
    graze_pose pose = {.joints = maps, .joint_count = joints, .placement = placement};
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
    free(maps);
}

static void make_pair(pair_of_bodies *p, graze_tree_def tree)
{
    test_random random = test_random_seed(7);
    soup_def def = {.vertex_count = 300,
                    .triangle_count = 700,
                    .joint_count = 3,
                    .max_influences = 2,
                    .size = 1};
    p->skin = deform_skin_make(&def, 0, &random);
    graze_model_def model_def = deform_skin_def(&p->skin, GRAZE_LINEAR);
    model_def.tree = tree;
    CHECK(graze_model_create(&model_def, &p->model, NULL) == GRAZE_OK);
    for (int i = 0; i < 2; i++) {
        CHECK(graze_body_create(p->model, &p->motions[i].start, NULL) == GRAZE_OK);
        CHECK(graze_body_create(p->model, &p->motions[i].end, NULL) == GRAZE_OK);
    }
}

static void free_pair(pair_of_bodies *p)
{
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(p->motions[i].start);
        graze_body_destroy(p->motions[i].end);
    }
    graze_model_destroy(p->model);
    deform_skin_free(&p->skin);
}

/* From one side of the second body to the other: apart at both ends, and still met. */
TEST(nothing_passes_through)
{
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        pair_of_bodies p;
        graze_impact impact;
        graze_stats stats = {0};
        make_pair(&p, agreement_tree(t));
        place(p.motions[0].start, -100, 0, 0);
        place(p.motions[0].end, 100, 0, 0);
        graze_motion still = {p.motions[1].start, p.motions[1].start};
        CHECK(graze_sweep(&p.motions[0], &still, false, &impact, &stats, NULL) == GRAZE_OK);
        CHECK(impact.found && !impact.initial && impact.time > 0.48f && impact.time < 0.5f);
        place(p.motions[0].start, -100, 50, 0);
        place(p.motions[0].end, 100, 50, 0);
        stats = (graze_stats){0};
        CHECK(graze_sweep(&p.motions[0], &still, false, &impact, &stats, NULL) == GRAZE_OK);
        CHECK(!impact.found && stats.nodes_refit <= 3 && stats.bound_tests == 1);
        CHECK(stats.vertices_posed == 0 && stats.triangle_tests == 0);
        free_pair(&p);
    }
}

/* ---- in steps ----------------------------------------------------------------------------- */

/* Runs with a budget of a step each time. What is left is never later than what is still to come.
 */
static uint32_t run_in_steps(const graze_motion *a, const graze_motion *b, bool only_new,
                             graze_impact_fn report, void *user, graze_impact *best,
                             const graze_impact *expected)
{
    grazei_sweep_question question;
    grazei_agenda agenda;
    graze_stats stats = {0};
    uint32_t runs = 0;
    grazei_sweep_begin(&question, &agenda, a, b, only_new, report, user, &stats);
    for (; agenda.count; runs++) {
        float nearest = question.best.found ? question.best.time : INFINITY;
        for (uint32_t i = 0; i < agenda.count; i++)
            nearest = fminf(nearest, agenda.keys[i]);
        if (expected)
            CHECK_MSG(!expected->found || nearest <= expected->time,
                      "%g is lost: the rest is at %g", (double)expected->time, (double)nearest);
        agenda.last_bound_test = stats.bound_tests + 1;
        question.base.run(&question.base, &agenda, &stats);
        CHECK(question.impact_count == 0);
    }
    *best = question.best;
    return runs;
}

TEST(steps_add_up)
{
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        pair_of_bodies p;
        make_pair(&p, agreement_tree(t));
        place(p.motions[0].start, -1.3f, 0.1f, 0);
        place(p.motions[0].end, -0.1f, 0, 0.05f);
        for (int mode = 0; mode < 4; mode++) {
            const graze_motion *a = &p.motions[0], *b = mode < 2 ? &p.motions[1] : NULL;
            bool only_new = mode % 2;
            impact_list whole = {0}, parts = {0};
            graze_impact plain, best;
            graze_sweep(a, b, only_new, &plain, NULL, NULL);
            uint32_t runs = run_in_steps(a, b, only_new, NULL, NULL, &best, &plain);
            CHECK(same_impact(&plain, &best) && runs > 3 && plain.found);
            graze_sweep_pairs(a, b, only_new, take, &whole, NULL, NULL);
            run_in_steps(a, b, only_new, take, &parts, &best, NULL);
            sort(&whole);
            sort(&parts);
            CHECK(whole.count == parts.count && whole.count > 0);
            for (size_t i = 0; i < whole.count && i < parts.count; i++)
                CHECK(same_impact(&whole.impacts[i], &parts.impacts[i]));
            free(whole.impacts);
            free(parts.impacts);
        }
        free_pair(&p);
    }
}

TEST(reports_can_be_stopped)
{
    pair_of_bodies p;
    make_pair(&p, agreement_tree(0));
    place(p.motions[0].start, -1.2f, 0, 0);
    for (size_t stop = 1; stop < 60; stop += 19)
        for (int brute = 0; brute < 2; brute++) {
            impact_list list = {.stop = stop};
            CHECK((brute ? graze_sweep_brute : graze_sweep_pairs)(
                      &p.motions[0], &p.motions[1], false, take, &list, NULL, NULL) == GRAZE_OK);
            CHECK(list.count >= stop && list.count < stop + 16);
            free(list.impacts);
        }
    free_pair(&p);
}

/* ---- bad input ---------------------------------------------------------------------------- */

static void refused(const graze_motion *a, const graze_motion *b, const char *text)
{
    graze_impact impact = {.time = 7};
    impact_list list = {0};
    graze_error error = {.text = ""};
    CHECK(graze_sweep(a, b, false, &impact, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, text) == 0, "\"%s\", not \"%s\"", error.text, text);
    CHECK(impact.time == 7 && graze_sweep(a, b, false, &impact, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_sweep_pairs(a, b, false, take, &list, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_sweep_brute(a, b, false, take, &list, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(list.count == 0);
}

TEST(bad_input_is_refused)
{
    pair_of_bodies p, q;
    graze_error error;
    graze_impact impact;
    make_pair(&p, agreement_tree(0));
    make_pair(&q, agreement_tree(1));
    graze_motion *a = &p.motions[0], *b = &p.motions[1];
    refused(NULL, b, "motion a is NULL");
    refused(&(graze_motion){NULL, a->end}, b, "the start of a is NULL");
    refused(a, &(graze_motion){b->start, NULL}, "the end of b is NULL");
    refused(a, &(graze_motion){b->start, q.motions[0].end},
            "the start of b and the end of b are bodies of different models");
    refused(a, a, "a body belongs to both motions");
    refused(a, &(graze_motion){b->start, a->start}, "a body belongs to both motions");
    CHECK(graze_sweep(a, b, false, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_sweep_pairs(a, b, false, NULL, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_sweep(a, NULL, false, &impact, NULL, &error) == GRAZE_OK);
    CHECK(graze_sweep(a, &q.motions[0], false, &impact, NULL, &error) == GRAZE_OK);
    free_pair(&p);
    free_pair(&q);
}
