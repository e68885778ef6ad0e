/* What the tables of bench queries share: models in motion, measured cases, and the peers. */
#ifndef GRAZE_BENCH_QUERIES_H
#define GRAZE_BENCH_QUERIES_H

#include "bench/bench.h"
#include "bench/peers/peers.h"

/* Frames of a clip that are measured. */
#define QUERIES_FRAMES 12
#define QUERIES_SLOW_FRAMES 3

/* The models of a subject, all with the default tree. */
enum {
    QUERIES_PLAIN,
    QUERIES_SELF, /* made ready for self-collision */
    QUERIES_MODELS
};

/* A model with its clip. */
typedef struct queries_subject {
    const char *name;
    graze_rig *rig;
    graze_model *models[QUERIES_MODELS];
    bool made_up;     /* the file has no clip: it sways as queries_add_clip has it */
    bench_bounds box; /* in the first frame */
    float size;       /* its longest side */
} queries_subject;

/* A clip in which every joint sways, each at its own time. */
typedef struct queries_motion {
    uint32_t keys;
    float seconds;
    double swing;        /* degrees, to either side */
    uint32_t turns;      /* to and fro in that time */
    uint32_t more_turns; /* that some joints have, from none to so many */
} queries_motion;

/* In place of those that the rig has. */
void queries_add_clip(graze_rig *rig, const queries_motion *motion);

/* Poses of a rig, of which trees are built: to be freed. Puts them into the def. */
float *queries_take_examples(const graze_rig *rig, graze_model_def *def);

/* Takes over the rig and builds the first model_count models. A rig without clips gets one. If a
 * model is refused there is nothing to close; bench_error says why.
 */
graze_status queries_open_subject(queries_subject *subject, const char *name, graze_rig *rig,
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

/* Opens so many of one of the models, and closes them. */
void queries_open(queries_actor *actors, int count, const queries_subject *subject, int model);
void queries_close(queries_actor *actors, int count);

/* The time of a frame in the middle of its share of the clip. */
double queries_time(const queries_subject *subject, uint32_t clip, uint32_t frame);
void queries_sample(queries_actor *actor, uint32_t clip, double time);

/* Hands over the poses of so many: what is measured starts here. */
void queries_pose(const queries_actor *actors, int count);

/* Puts the actor aside: x away, and a little along z, so that two do not face each other evenly
 * (or wherever queries_near has found that they meet: actor->aside).
 */
void queries_place(queries_actor *actor, float x);

/* The box of the actor's vertices in the sampled pose; leaves them in positions. */
bench_bounds queries_box(queries_actor *actor);

/* Whether these boxes of two actors have a point in common. */
bool queries_boxes_overlap(queries_actor *a, queries_actor *b);

/* The middle of a random triangle, in the positions that queries_box left; and a ray from outside
 * towards one.
 */
void queries_pick_point(const queries_actor *actor, uint32_t *seed, float point[3]);
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

/* Two instances at some moments 1/30 s apart, of which `now` is the frame's time: b is 0.4 of the
 * clip ahead, stands near a at the moment `near`, `closer` of the size nearer than that, and comes
 * nearer by `closing` of the size from moment to moment.
 */
void queries_stage(queries_actor (*actors)[2], int moments, int near, int now, uint32_t frame,
                   float closer, float closing);

/* From both poses: the number of pairs, in the way of the options. */
size_t queries_pairs(const queries_actor actors[2], const graze_options *options);

/* Sorts pairs and leaves each once, as a library may report one twice; returns how many are left.
 */
size_t queries_sort_pairs(bench_pair *pairs, size_t count);

/* Adds up what sorted pairs lack of the true ones, and what they have besides. */
void queries_compare_pairs(const bench_pair *found, size_t count, const bench_pair *truth,
                           size_t truth_count, size_t *missing, size_t *extra);

/* Takes over pairs that Graze found. */
size_t queries_take_pairs(const graze_pair *from, size_t count, bench_pair *to);

/* One way to answer. */
typedef struct queries_method {
    const char *name;
    graze_options how; /* a table asks its question so, or by a way of its own */
    bool slow;         /* runs once in each of the first QUERIES_SLOW_FRAMES alone */
    double answers;    /* that one run gives; 0: one */
} queries_method;

#define QUERIES_METHODS 16

/* Ways to answer one question over the frames of a clip. */
typedef struct queries_case {
    const char *table, *model, *name;
    const queries_method *methods;
    uint32_t method_count;
    void (*ask)(void *user, int method);
    void (*prepare)(void *user, int method); /* before every run, not measured; NULL: nothing */
    void *user;
    bench_samples least[QUERIES_METHODS]; /* of the rounds, one a frame */
    bench_samples middle[QUERIES_METHODS];
} queries_case;

/* Measures one more frame, methods interleaved as by bench_interleave. */
void queries_measure(queries_case *entry);

/* Prints times of all methods, medians over the frames, under the case's name and a note. */
void queries_print(const queries_case *entry, const char *note);

/* How many times as long one method takes as another: the median of the ratios of frames. */
double queries_get_ratio(const queries_case *entry, uint32_t over, uint32_t under);

typedef enum queries_goal { QUERIES_AT_LEAST, QUERIES_AT_MOST } queries_goal;

/* Prints that, and the range of the ratios. target 0: none was set. */
void queries_ratio(const queries_case *entry, uint32_t over, uint32_t under, queries_goal goal,
                   double target);

/* The peers that were built beside the command; members are NULL where there are none. */
const bench_peers *queries_peers(void);

/* The folder of model files. */
void queries_models_folder(char *path, size_t size);

/* The tables. */
void queries_rays(const queries_subject *subject);
void queries_camera(const queries_subject *subject);
void queries_distance(const queries_subject *subject);
void queries_sweep(const queries_subject *subject);
void queries_shapes(const queries_subject *subject);
void queries_contacts(const queries_subject *subject);
void queries_fronts(const queries_subject *subject);
void queries_masks(const queries_subject *subject);

/* Of the first so many clips. */
void queries_self(const queries_subject *subject, uint32_t clips);

#endif
