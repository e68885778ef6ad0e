/* The calls of a stateful test, in families: each picks bodies, calls one function and compares. */
#ifndef GRAZE_TESTS_SUPPORT_MIXED_CALLS_H
#define GRAZE_TESTS_SUPPORT_MIXED_CALLS_H

#include "support/mixed.h"

typedef struct mixed_call {
    uint32_t share; /* how often, against the others */
    void (*make)(mixed_world *world);
} mixed_call;

/* Each list ends with a share of 0. */
extern const mixed_call mixed_body_calls[];
extern const mixed_call mixed_pair_calls[];
extern const mixed_call mixed_other_calls[];

/* What the calls have in common. */
mixed_body *mixed_any_body(mixed_world *world);
void mixed_two_bodies(mixed_world *world, mixed_body **a, mixed_body **b);
void mixed_clear(mixed_world *world); /* both lists */
void mixed_ok(mixed_world *world, graze_status status, const char *call);
#define MIXED_OK(call) mixed_ok(w, (call), #call)

/* About a body: half of them aim at a vertex of it. */
graze_ray mixed_ray(mixed_world *world, mixed_body *body);
graze_shape mixed_shape(mixed_world *world, mixed_body *body);
void mixed_point(mixed_world *world, mixed_body *body, float point[3]);
double mixed_distance(mixed_world *world);

/* Where a shape like that goes: moved a little or far, or not at all; a sphere also grows. */
graze_shape mixed_moved(mixed_world *world, const graze_shape *from);

/* Two motions, or with b NULL one that is compared with itself. */
typedef struct mixed_motions {
    mixed_body *a[2], *b[2]; /* at the start and at the end; b[0] NULL: itself */
    graze_motion motions[2], twins[2];
} mixed_motions;

mixed_motions mixed_make_motions(mixed_world *world);

/* The references, asked of twins; lists go to world->expected, sorted. */
void mixed_expect_pairs(mixed_world *world, mixed_body *a, mixed_body *b);
void mixed_expect_touch(mixed_world *world, mixed_body *body, const graze_shape *shape);

/* ---- any question ---- */

/* What can be asked by any options, and in steps. A list follows what is one of it. */
typedef enum mixed_kind {
    MIXED_PAIRS,
    MIXED_WITHIN,
    MIXED_DISTANCE,
    MIXED_SELF,
    MIXED_CAST,
    MIXED_CAST_ALL,
    MIXED_TOUCH,
    MIXED_INSIDE,
    MIXED_SWEEP,
    MIXED_SWEEP_ALL,
    MIXED_SHAPE_SWEEP,
    MIXED_SHAPE_SWEEP_ALL,
    MIXED_KINDS
} mixed_kind;

/* Draws a question, asks it with options drawn by lot, and judges the answer. */
void mixed_ask_at_once(mixed_world *world, mixed_kind kind);

/* The same in tiny steps; now and then a body gets another pose half way. */
void mixed_ask_in_steps(mixed_world *world, mixed_kind kind);

#endif
