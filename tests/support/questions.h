/* Any question that bodies can be asked, drawn by lot, with the answer of the slow references: for
 * tests that ask the same bodies from several threads, or one question within another's callback.
 */
#ifndef GRAZE_TESTS_SUPPORT_QUESTIONS_H
#define GRAZE_TESTS_SUPPORT_QUESTIONS_H

#include "harness.h"
#include "support/answers.h"
#include "support/soup.h"

#include <graze/graze.h>

enum { QUESTION_MODELS = 2, QUESTION_BODIES = 2 * QUESTION_MODELS, QUESTION_RAYS = 70 };

typedef enum question_kind {
    ASK_COLLIDE,
    ASK_COLLIDE_FIRST,
    ASK_COLLIDE_EAGER,
    ASK_COLLIDE_EAGER_FIRST,
    ASK_COLLIDE_BRUTE,
    ASK_COLLIDE_BOUNDS,
    ASK_FRONT,
    ASK_FRONT_FIRST,
    ASK_SELF,
    ASK_SELF_FIRST,
    ASK_SELF_EAGER,
    ASK_SELF_BRUTE,
    ASK_CAST,
    ASK_CAST_ANY,
    ASK_CAST_ALL,
    ASK_CAST_MANY,
    ASK_CAST_BRUTE,
    ASK_DISTANCE,
    ASK_DISTANCE_BRUTE,
    ASK_DISTANCE_BOUND,
    ASK_CLOSER,
    ASK_WITHIN,
    ASK_WITHIN_BRUTE,
    ASK_TOUCH,
    ASK_TOUCH_FIRST,
    ASK_TOUCH_BRUTE,
    ASK_CLASSIFY,
    ASK_INSIDE,
    ASK_INSIDE_BRUTE,
    ASK_WINDING,
    ASK_CONTACTS,
    ASK_SWEEP,
    ASK_SWEEP_PAIRS,
    ASK_SWEEP_BRUTE,
    ASK_SWEEP_SHAPE,
    ASK_SWEEP_SHAPE_ALL,
    ASK_SWEEP_SHAPE_BRUTE,
    ASK_SEARCH_COLLIDE,
    ASK_SEARCH_SELF,
    ASK_SEARCH_CAST,
    ASK_SEARCH_CAST_ALL,
    ASK_SEARCH_DISTANCE,
    ASK_SEARCH_WITHIN,
    ASK_SEARCH_TOUCH,
    ASK_SEARCH_INSIDE,
    ASK_SEARCH_SWEEP,
    ASK_SEARCH_SWEEP_PAIRS,
    ASK_POSITIONS,
    ASK_NODE,
    ASK_KINDS
} question_kind;

/* What a question is about. */
typedef struct question {
    question_kind kind;
    uint32_t a, b; /* two of the bodies */
    bool sweeps_itself, only_new;
    graze_self_which which;
    graze_ray rays[QUESTION_RAYS];
    uint32_t ray_count, node;
    graze_shape shape;
    float point[3];
    double distance;
    graze_budget budget;
    answers expected; /* sorted */
    answers all;      /* sorted: where any of them will do, or what bounds must not miss */
    double nearest;   /* the true distance, for bounds of it */
} question;

/* What some questions need, for one thread at a time, and not within another of them. */
typedef struct question_tools {
    graze_front *fronts[QUESTION_MODELS][QUESTION_MODELS];
    graze_contacts *finders[QUESTION_MODELS][QUESTION_MODELS];
    graze_search *search;
    uint32_t most_left; /* the longest rest of a search so far */
} question_tools;

void question_tools_open(question_tools *tools, graze_model *const models[QUESTION_MODELS]);
void question_tools_close(question_tools *tools);

/* What callbacks do besides taking notes. */
typedef struct question_meanwhile {
    void (*call)(void *user); /* NULL: nothing */
    void *user;
    bool stop; /* they say stop at once */
} question_meanwhile;

const char *question_name(question_kind kind);

/* Whether it reports to a callback, so that something can happen meanwhile. */
bool question_reports(question_kind kind);

/* Draws a question of this kind: bodies 2m and 2m + 1 are of model m and mesh m, which says about
 * where they are.
 */
void question_draw(question *q, question_kind kind, graze_body *const bodies[QUESTION_BODIES],
                   const soup meshes[QUESTION_MODELS], test_random *random);

/* Asks the slow references, of bodies that nobody else uses. */
void question_expect(question *q, graze_body *const twins[QUESTION_BODIES], question_tools *tools);

/* Asks, and says whether the answer is right. meanwhile may be NULL. */
bool question_ask(const question *q, graze_body *const bodies[QUESTION_BODIES],
                  question_tools *tools, const question_meanwhile *meanwhile);

void question_free(question *q);

#endif
