/* Scenes of graze demo that a physics engine moves. */
#ifndef GRAZE_CLI_DEMO_PHYSICS_H
#define GRAZE_CLI_DEMO_PHYSICS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct physics_job {
    bool json;
    const char *out;  /* a GLB to write; NULL: none */
    uint32_t threads; /* 0: one */
    double seconds;   /* of soccer, that are played */
    uint32_t players; /* of soccer, in each team */
    bool capsules;    /* of soccer: players are their capsules, not their triangles */
} physics_job;

/* A man stumbles at the head of a flight of stairs, and falls down. Returns the exit code: 2, after
 * a line, where this build has no engine.
 */
int demo_ragdoll(const physics_job *job);

/* Two teams play soccer. Returns as above. */
int demo_soccer(const physics_job *job);

#endif
