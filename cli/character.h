/* A model file (or built-in model) ready for queries: rig, model, and bodies placed by options. */
#ifndef GRAZE_CLI_CHARACTER_H
#define GRAZE_CLI_CHARACTER_H

#include "cli/options.h"

#include <graze/graze.h>
#include <graze/rig.h>

struct character {
    const char *name;
    graze_rig *rig;
    graze_model *model;
    double load_ms, build_ms;
};

/* How one instance is placed and animated. */
struct placing {
    uint32_t clip; /* index or GRAZE_NONE */
    double phase;  /* seconds */
    double at[3];  /* file units */
    double turn;   /* degrees about +Y, before at */
};

typedef enum tree_choice { TREE_DEFAULT, TREE_PAPER, TREE_SPHERES } tree_choice;

/* Options that every command with a model takes. */
typedef struct model_options {
    const char *clip;   /* NULL: the first */
    const char *clip_b; /* NULL: the same as clip */
    double time;
    frame_range times;
    double at[3];
    double turn;
    double phase;
    int skin;   /* of graze_skinning */
    int skin_b; /* the same, or -1: as skin */
    int tree;   /* of tree_choice */
    bool json;
    bool self_collision; /* build what self-collision wants; set by the command */
} model_options;

/* Loads "FILE" or "builtin:KIND[:TRIANGLES]" and builds the model; prints the error and returns
 * false on failure, with nothing left to free.
 */
bool character_load(struct character *character, const char *name, const model_options *options);
void character_free(struct character *character);

/* Resolves a clip option; prints the error and returns false if there is no such clip. */
bool character_clip(const struct character *character, const char *clip, uint32_t *index);

/* A character in a scene: its body, and the pose sampled for it. */
struct instance {
    const struct character *character;
    struct placing placing;
    graze_body *body;
    float *joints;
    float *morph_weights;
};

/* Makes the body; prints the error and returns false on failure, with nothing left to close. */
bool instance_open(struct instance *instance, const struct character *character,
                   const struct placing *placing);
void instance_close(struct instance *instance);

/* Samples the clip at a time, the instance's phase added; false after printing the error. */
bool instance_sample(struct instance *instance, double time);

/* Hands the sampled pose to the body: what is measured starts here. */
bool instance_pose(struct instance *instance);

/* Frames that --time or --times ask for. */
uint32_t frame_count(const model_options *options);
double frame_time(const model_options *options, uint32_t frame);

/* Microseconds of a monotonic clock. */
double now_us(void);

#endif
