/* A model file (or built-in model) ready for queries: rig, model, and bodies placed by options. */
#ifndef GRAZE_CLI_CHARACTER_H
#define GRAZE_CLI_CHARACTER_H

#include "cli/options.h"

#include <graze/ext/hitbox.h>
#include <graze/graze.h>
#include <graze/rig.h>

struct character {
    const char *name;
    graze_rig *rig;
    graze_model *model;
    graze_part_names *joints; /* their names; see cli/parts.h */
    graze_part_names *parts;  /* names of the model's groups */
    char *mesh;               /* the file of its collision mesh; NULL: its own */
    graze_hitboxes *fit;      /* volumes; NULL without a shape file, until character_fit */
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
    const char *out;    /* NULL: standard output */
    const char *csv;    /* NULL: none */
    const char *report; /* NULL: none */
    int parts_by;       /* of graze_parts_by */
    const char *shape;  /* a shape file, whose parts the model has; NULL: none */
    const char *mesh;   /* the file of a collision mesh, for a model without a shape; NULL: none */
    uint32_t fine_volumes; /* of level 3, that are fitted to a part at most */
    const char *part; /* names of the parts that take part, NULL: all; of the second instance */
    const char *part_b;
    bool self_collision; /* build what self-collision wants; set by the command */
} model_options;

/* Loads "FILE" or "builtin:KIND[:TRIANGLES]" and builds the model; prints the error and returns
 * false on failure, with nothing left to free.
 */
bool character_load(struct character *character, const char *name, const model_options *options);

/* The same without printing: what is wrong is in the text; it is empty where that was printed all
 * the same, as a line about a shape file is.
 */
typedef struct line_text {
    char text[1200];
} line_text;

bool character_make(struct character *character, const char *name, const model_options *options,
                    line_text *text);
/* The rig alone. */
bool character_load_rig(struct character *character, const char *name, line_text *text);
void character_free(struct character *character);

/* A model of the same with other groups of triangles, at least one; prints the error and returns
 * false on failure.
 */
bool character_regroup(const struct character *character, const model_options *options,
                       uint32_t *triangle_parts, uint32_t part_count, graze_model **model);

/* Makes sure that the character has volumes: those of its shape file, else fitted ones. Prints the
 * error and returns false on failure.
 */
bool character_fit(struct character *character, const model_options *options);

/* The characters of a command with two instances; the second may be the first over again. */
struct character_pair {
    struct character loaded[2];
    const struct character *of[2];
};

/* Loads names[0], and names[1] if there are two; else the second is the first, unless --skin-b
 * wants it skinned otherwise. Failure as above.
 */
bool character_pair_load(struct character_pair *pair, const char *const *names, size_t name_count,
                         const model_options *options);
void character_pair_free(struct character_pair *pair);

/* A character in a scene: its body, and the pose sampled for it. */
struct instance {
    const struct character *character;
    struct placing placing;
    graze_body *body;
    float *joints;
    float *morph_weights;
};

/* Which of two instances the options describe: the second one is placed, and has its own clip and
 * parts. A command with one instance takes it as the second, as pose does, but with the first one's
 * parts.
 */
typedef enum instance_role { INSTANCE_FIRST, INSTANCE_SECOND, INSTANCE_ALONE } instance_role;

/* Room for a pose, without a body. */
void instance_prepare(struct instance *instance, const struct character *character);

/* Makes the body; prints the error and returns false on failure, to be closed all the same. */
bool instance_open(struct instance *instance, const struct character *character,
                   const model_options *options, instance_role role);
void instance_close(struct instance *instance);

/* Samples the clip at a time, the instance's phase added; false after printing the error. */
bool instance_sample(struct instance *instance, double time);

/* Where it stands: 3 rows of 4. */
void instance_place(const struct instance *instance, float placement[12]);

/* Hands the sampled pose to the body: what is measured starts here. */
bool instance_pose(struct instance *instance);

/* Both, without printing: what is wrong is in the error's text. */
bool instance_move(struct instance *instance, double time, graze_error *error);

/* Sine and cosine of a turn about +Y; quarter turns are exact. */
void turn_about_y(double degrees, double *sine, double *cosine);

/* Microseconds of a monotonic clock. */
double now_us(void);

#endif
