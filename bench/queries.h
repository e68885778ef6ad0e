/* What the tables of bench queries share: models in motion, measured cases, and the peers. */
#ifndef GRAZE_BENCH_QUERIES_H
#define GRAZE_BENCH_QUERIES_H

#include "bench/bench.h"
#include "bench/measure.h"
#include "bench/peers/peers.h"
#include "scenes/synth.h"

#include <graze/graze.h>
#include <graze/rig.h>

/* Frames of a clip that are measured. */
#define QUERIES_FRAMES 12
#define QUERIES_SLOW_FRAMES 3

/* The models of a subject, all with the default tree. */
enum {
    QUERIES_PLAIN,
    QUERIES_SELF, /* made ready for self-collision */
    QUERIES_MODELS
};

/* A procedural model; NULL after printing an error. */
graze_rig *queries_make_rig(const graze_synth_def *def);

/* A model with its clip. */
typedef struct queries_subject {
    const char *name;
    graze_rig *rig;
    graze_model *models[QUERIES_MODELS];
    bool made_up;          /* the file has no clip: it sways as queries_add_clip has it */
    float low[3], high[3]; /* box in the first frame */
    float size;            /* its longest side */
} queries_subject;

/* Gives a rig without clips one in which every joint sways by 12 degrees, each at its own time, in
 * 2 seconds. False when out of memory.
 */
bool queries_add_clip(graze_rig *rig);

/* Takes over the rig and builds the first model_count models. A rig without clips gets one. False
 * after printing an error; there is nothing to close then.
 */
bool queries_open_subject(queries_subject *subject, const char *name, graze_rig *rig,
                          int model_count);
void queries_close_subject(queries_subject *subject);

/* A body of a subject, and the pose sampled for it. */
typedef struct queries_actor {
    const queries_subject *subject;
    graze_body *body;
    float *joints;
    float placement[12];
    bool placed;      /* else it stands where the clip puts it */
    float aside[2];   /* where queries_place puts it along y and z */
    const char *how;  /* what queries_near had to do instead of the usual; NULL: nothing */
    float *positions; /* room for every vertex */
} queries_actor;

bool queries_open(queries_actor *actor, const queries_subject *subject, int model);
void queries_close(queries_actor *actor);

/* The time of a frame in the middle of its share of the clip. */
double queries_time(const queries_subject *subject, uint32_t clip, uint32_t frame);
bool queries_sample(queries_actor *actor, uint32_t clip, double time);

/* Hands over the pose: what is measured starts here. */
void queries_pose(queries_actor *actor);
void queries_pose_both(queries_actor actors[2]);

/* Puts the actor aside: x away, and a little along z, so that two do not face each other evenly
 * (or wherever queries_near has found that they meet: actor->aside).
 */
void queries_place(queries_actor *actor, float x);

/* The box of the actor's vertices in the sampled pose; leaves them in positions. */
void queries_box(queries_actor *actor, float low[3], float high[3]);

/* Whether these boxes of two actors have a point in common. */
bool queries_boxes_overlap(queries_actor *a, queries_actor *b);

/* From outside towards the middle of a random triangle, in the positions that queries_box left. */
graze_ray queries_aim(const queries_actor *actor, uint32_t *seed);

/* The mesh in the positions that the actor has. */
bench_mesh queries_mesh(const queries_actor *actor);

/* Where along x to place b, of which a is on the left: boxes just apart; and moved towards a until
 * they are between 0.5 and 1 % of their size apart. Both are sampled, and a is not placed. Where b
 * would pass a, as when a clip carries them apart, queries_near sets their boxes level first, and
 * where they pass each other even so, b stays where they were nearest: b->how says so.
 */
float queries_beside(queries_actor *a, queries_actor *b);
float queries_near(queries_actor *a, queries_actor *b);

/* How far to move b along axis so that the middles of both boxes are level there. */
float queries_level(queries_actor *a, queries_actor *b, int axis);

/* Numbers in [0, 1), the same on every machine. */
float queries_random(uint32_t *state);

/* One way to answer. */
typedef struct queries_method {
    const char *name;
    void (*run)(void *user);
    void (*prepare)(void *user); /* before every run, not measured; NULL: nothing */
    bool slow;                   /* runs once in each of the first QUERIES_SLOW_FRAMES alone */
    double answers;              /* that one run gives; 0: one */
    void *user;                  /* NULL: the case's */
} queries_method;

#define QUERIES_METHODS 16

/* Ways to answer one question over the frames of a clip. */
typedef struct queries_case {
    const char *table, *model, *name;
    const queries_method *methods;
    uint32_t method_count;
    void *user;
    bench_samples least[QUERIES_METHODS]; /* of the rounds, one a frame */
    bench_samples middle[QUERIES_METHODS];
} queries_case;

/* Measures one more frame, methods interleaved as by bench_interleave. */
void queries_measure(queries_case *entry, uint32_t rounds);

/* How many times as long one method takes as another: the median of the ratios of frames. low and
 * high, their range, may be NULL.
 */
double queries_get_ratio(const queries_case *entry, uint32_t over, uint32_t under, double *low,
                         double *high);

/* Prints times of all methods, medians over the frames, under the case's name and a note. */
void queries_print(const queries_case *entry, const bench_options *options, const char *note);

typedef enum queries_goal { QUERIES_AT_LEAST, QUERIES_AT_MOST } queries_goal;

/* Prints how many times as long one method takes as another: the median of the ratios of frames,
 * and their range. target 0: none was set.
 */
void queries_ratio(const queries_case *entry, const bench_options *options, uint32_t over,
                   uint32_t under, queries_goal goal, double target);

/* The peers that were built beside the command; members are NULL where there are none. */
const bench_peers *queries_peers(void);

/* A path in the folder of the command. */
void queries_beside_command(const char *name, char *path, size_t size);

/* The folder of model files. */
void queries_models_folder(const bench_options *options, char *path, size_t size);

/* The tables. Each returns false after printing an error. */
bool queries_rays(const queries_subject *subject, const bench_options *options);
bool queries_camera(const queries_subject *subject, const bench_options *options);
bool queries_distance(const queries_subject *subject, const bench_options *options);
bool queries_sweep(const queries_subject *subject, const bench_options *options);
bool queries_shapes(const queries_subject *subject, const bench_options *options);
bool queries_contacts(const queries_subject *subject, const bench_options *options);
bool queries_fronts(const queries_subject *subject, const bench_options *options);
bool queries_masks(const queries_subject *subject, const bench_options *options);

/* Of the first so many clips. */
bool queries_self(const queries_subject *subject, const bench_options *options, uint32_t clips);

#endif
