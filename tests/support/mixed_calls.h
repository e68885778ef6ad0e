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
extern const mixed_call mixed_other_calls[];

/* What the calls have in common. */
mixed_body *mixed_any_body(mixed_world *world);
void mixed_two_bodies(mixed_world *world, mixed_body **a, mixed_body **b);
void mixed_clear(mixed_world *world); /* both lists */
void mixed_ok(mixed_world *world, graze_status status, const char *call);
#define MIXED_OK(call) mixed_ok(w, (call), #call)

/* The pairs of brute force, asked of twins, go to world->expected, sorted. */
void mixed_expect_pairs(mixed_world *world, mixed_body *a, mixed_body *b);

#endif
