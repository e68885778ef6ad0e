/* What moved while a scene was simulated, as a GLB that other programs play. */
#ifndef GRAZE_CLI_SIMULATE_RECORD_H
#define GRAZE_CLI_SIMULATE_RECORD_H

#include "cli/simulate_camera.h"

#include <graze/rig.h>

struct simulate_record;

typedef struct simulate_record_def {
    double step_seconds;
    double tolerance;              /* how far vertices may be off at any step, metres; 0 or more */
    const simulate_camera *camera; /* who is never in its picture is left out; NULL: all are in */
} simulate_record_def;

struct simulate_record *simulate_record_create(const simulate_record_def *def);
void simulate_record_free(struct simulate_record *record);

/* A kind of body, drawn as a rig of one node and one rigid mesh, which stays the caller's; its
 * morph targets are the weights. Kinds and bodies are numbered as they come.
 */
void simulate_record_add_kind(struct simulate_record *record, const char *name,
                              const graze_rig *rig);
void simulate_record_add_body(struct simulate_record *record, uint32_t kind);

/* Where a body's origin is at the next step: rotation is x y z w, unit; weights one a morph target,
 * NULL if there are none. All bodies are taken as often.
 */
void simulate_record_take(struct simulate_record *record, uint32_t body, const double position[3],
                          const double rotation[4], const double *weights);

typedef struct simulate_recorded {
    uint32_t bodies, left_out; /* that are in the file; that the camera never saw */
    uint64_t keys;             /* in the file */
    uint64_t samples;          /* that there would be, with keys at every step */
    double largest;            /* no vertex is off by more at any step, metres */
    double seconds;            /* of the clip */
} simulate_recorded;

/* Writes everybody with one clip, and the ground. The last thing to do with it. False after
 * printing an error, also if nobody was in the picture.
 */
bool simulate_record_save(struct simulate_record *record, const char *path,
                          simulate_recorded *saved);

#endif
