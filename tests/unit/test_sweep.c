/* Sweeps: nothing passes through, and bad input. (Lazy == brute force, in every way of asking:
 * test_ways.c.)
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/deform_skins.h"
#include "support/impacts.h"
#include "support/own.h"

#include <graze/ext/inspect.h>

#include <stdlib.h>
#include <string.h>

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
    OWNED float *maps = calloc(12 * (size_t)joints, sizeof *maps);
    float placement[12] = {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0};
    for (uint32_t j = 0; j < 3 * joints; j++)
        maps[12 * (size_t)(j / 3) + 5 * (j % 3)] = 1;
    for (uint32_t j = 0; j < joints; j++)
        maps[12 * (size_t)j + 11] = bend * (float)j;
    graze_pose pose = {.joints = maps, .joint_count = joints, .placement = placement};
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
}

static void make_pair(pair_of_bodies *p, graze_tree_def tree)
{
    *p = (pair_of_bodies){.model = NULL};
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

OWN_VALUE(pair_of_bodies, free_pair)

/* From one side of the second body to the other: apart at both ends, and still met. */
TEST(nothing_passes_through)
{
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        OWN(pair_of_bodies) p = {0};
        graze_impact impact;
        graze_stats stats = {0};
        make_pair(&p, agreement_tree(t));
        place(p.motions[0].start, -100, 0, 0);
        place(p.motions[0].end, 100, 0, 0);
        graze_motion still = {.start = p.motions[1].start, .end = p.motions[1].start};
        CHECK(graze_sweep(&p.motions[0], &still, &impact, &(graze_options){.stats = &stats},
                          NULL) == GRAZE_OK);
        CHECK(impact.found && !impact.initial && impact.time > 0.48f && impact.time < 0.5f);
        place(p.motions[0].start, -100, 50, 0);
        place(p.motions[0].end, 100, 50, 0);
        stats = (graze_stats){0};
        CHECK(graze_sweep(&p.motions[0], &still, &impact, &(graze_options){.stats = &stats},
                          NULL) == GRAZE_OK);
        CHECK(!impact.found && stats.nodes_refit <= 3 && stats.bound_tests == 1);
        CHECK(stats.vertices_posed == 0 && stats.triangle_tests == 0);
    }
}

/* ---- bad input ---------------------------------------------------------------------------- */

static void refused(const graze_motion *a, const graze_motion *b, const char *text)
{
    graze_impact impact = {.time = 7};
    impact_set list = {0};
    graze_error error = {.text = ""};
    CHECK(graze_sweep(a, b, &impact, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, text) == 0, "\"%s\", not \"%s\"", error.text, text);
    CHECK(impact.time == 7 && graze_sweep(a, b, &impact, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_sweep_all(a, b, TO_IMPACT_SET(&list), NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_sweep_all(a, b, TO_IMPACT_SET(&list), &(graze_options){.method = GRAZE_BRUTE},
                          NULL) == GRAZE_BAD_INPUT);
    CHECK(list.count == 0);
}

TEST(bad_input_is_refused)
{
    OWN(pair_of_bodies) p = {0}, q = {0};
    graze_error error;
    graze_impact impact;
    make_pair(&p, agreement_tree(0));
    make_pair(&q, agreement_tree(1));
    graze_motion *a = &p.motions[0], *b = &p.motions[1];
    refused(NULL, b, "motion a is NULL");
    refused(&(graze_motion){.start = NULL, .end = a->end}, b, "the start of a is NULL");
    refused(a, &(graze_motion){.start = b->start, .end = NULL}, "the end of b is NULL");
    refused(a, &(graze_motion){.start = b->start, .end = q.motions[0].end},
            "the start of b and the end of b are bodies of different models");
    refused(a, a, "a body belongs to both motions");
    refused(a, &(graze_motion){.start = b->start, .end = a->start},
            "a body belongs to both motions");
    CHECK(graze_sweep(a, b, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_sweep(a, NULL, &impact, NULL, &error) == GRAZE_OK);
    CHECK(graze_sweep(a, &q.motions[0], &impact, NULL, &error) == GRAZE_OK);
}
