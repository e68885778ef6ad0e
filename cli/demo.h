/* What graze demo is asked for, and its scenes. */
#ifndef GRAZE_CLI_DEMO_H
#define GRAZE_CLI_DEMO_H

#include "scenes/stage.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct demo_job {
    bool json;
    const char *report; /* NULL: none */
    const char *out;    /* a GLB to write; NULL: none */
    uint32_t threads;   /* 0: one */
    double seconds;     /* of soccer, that are played */
    uint32_t players;   /* of soccer, in each team */
    bool capsules;      /* of soccer: players are their capsules, not their triangles */
} demo_job;

/* A built-in scene, played both ways: prints a line of JSON a frame, or in words what touched, what
 * was computed and how long it took. name is the scene's. All return the exit code.
 */
int demo_play(struct stage *stage, const char *name, bool json);

/* A man stumbles at the head of a flight of stairs, and falls down. Two teams play soccer. Both are
 * moved by a physics engine: 2, after a line, where this build has none.
 */
int demo_ragdoll(const demo_job *job);
int demo_soccer(const demo_job *job);

#endif
