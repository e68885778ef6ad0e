/* Scenes of graze demo that a physics engine moves. */
#ifndef GRAZE_CLI_DEMO_RAGDOLL_H
#define GRAZE_CLI_DEMO_RAGDOLL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct physics_job {
    bool json;
    const char *out;  /* a GLB to write; NULL: none */
    uint32_t threads; /* 0: one */
} physics_job;

/* A man stumbles at the head of a flight of stairs, and falls down. Returns the exit code: 2, after
 * a line, where this build has no engine.
 */
int demo_ragdoll(const physics_job *job);

#endif
