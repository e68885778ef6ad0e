/* What `graze modes` and `graze compress` are asked for. The work is in modes_run.c and
 * compress_run.c, in a build with graze::numerics; numerics_absent.c stands for both without.
 */
#ifndef GRAZE_CLI_NUMERICS_H
#define GRAZE_CLI_NUMERICS_H

#include "cli/character.h"

typedef struct modes_job {
    model_options options;
    const char *model;
    const char *path; /* of the GLB */
    uint32_t count;
    double thickness, young, density, poisson;
    text_list clamps;
    double damping;       /* ratio of all modes, where rayleigh is NULL */
    const char *rayleigh; /* "ALPHA,BETA" */
    double amplitude;     /* of the size */
} modes_job;

typedef struct compress_job {
    model_options options;
    const char *model; /* or a folder of OBJ files */
    const char *path;  /* of the GLB */
    uint32_t count;
} compress_job;

/* The exit code, after printing. */
int modes_run(modes_job *job);
int compress_run(compress_job *job);

#endif
