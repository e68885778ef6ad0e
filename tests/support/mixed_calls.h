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
extern const mixed_call mixed_search_calls[];

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

/* The references, asked of twins; lists go to world->expected, sorted. */
void mixed_expect_pairs(mixed_world *world, mixed_body *a, mixed_body *b);
void mixed_expect_self(mixed_world *world, mixed_body *body, graze_self_which which);
void mixed_expect_within(mixed_world *world, mixed_body *a, mixed_body *b, double distance);
void mixed_expect_nearest(mixed_world *world, mixed_body *a, mixed_body *b, double limit,
                          graze_nearest *nearest);
void mixed_expect_touch(mixed_world *world, mixed_body *body, const graze_shape *shape);
void mixed_expect_inside(mixed_world *world, mixed_body *body, const float point[3],
                         graze_point_side *inside);

/* All hits; and the nearest, added to *nearest. */
void mixed_expect_hits(mixed_world *world, mixed_body *body, const graze_ray *ray,
                       answers *nearest);

/* Two motions, or with b NULL one that is compared with itself. */
typedef struct mixed_motions {
    mixed_body *a[2], *b[2]; /* at the start and at the end; b[0] NULL: itself */
    graze_motion motions[2], twins[2];
    bool only_new;
} mixed_motions;

mixed_motions mixed_make_motions(mixed_world *world);

/* All impacts; and the earliest. */
void mixed_expect_impacts(mixed_world *world, const mixed_motions *motions, graze_impact *earliest);

/* Compares single answers. */
void mixed_compare_nearest(mixed_world *world, const graze_nearest *expected,
                           const graze_nearest *found);
void mixed_compare_impact(mixed_world *world, const graze_impact *expected,
                          const graze_impact *found);

#endif
