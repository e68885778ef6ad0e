/* Scenes of graze world: bodies and simple shapes, their classes and rules, as a JSON file. */
#ifndef GRAZE_CLI_SCENE_FILE_H
#define GRAZE_CLI_SCENE_FILE_H

#include "cli/json_file.h"

typedef enum body_kind {
    BODY_MODEL,
    BODY_SPHERE,  /* radius */
    BODY_CAPSULE, /* length between the ends' centres, radius */
    BODY_BOX,     /* three sides */
    BODY_PLANE,   /* normal and offset */
    BODY_KINDS
} body_kind;

/* Its key in a scene, which is also the name of a primitive's only part. */
extern const char *const body_kind_names[BODY_KINDS];

/* What is loaded and built once, however many bodies are of it. */
typedef struct scene_model {
    char *path;       /* a file's, as seen from here, or builtin:KIND */
    char *shape_path; /* NULL: the parts are those of the joints */
    json_value place; /* where a body names it first */
    json_value shape_place;
} scene_model;

typedef struct scene_body {
    const char *name;
    body_kind kind;
    uint32_t model;    /* of the scene's, if it is one */
    double numbers[4]; /* of the other kinds */
    json_value clip;   /* a text or a number, or nothing: it does not move by itself */
    uint32_t category;
    double at[3], turn, phase, velocity[3];
    bool solid;
    json_value place; /* for errors */
} scene_body;

typedef struct scene_rule {
    uint32_t classes[2];
    int level;  /* a graze_level: scene_levels from its end */
    int motion; /* a graze_motion_rule */
} scene_rule;

struct scene {
    cJSON *tree; /* texts point into it */
    double seconds, fps;
    uint32_t frame_count; /* frame k is at k / fps */
    const char **classes;
    uint32_t class_count; /* the number of the class of bodies that name none */
    scene_rule *rules;
    uint32_t rule_count;
    scene_model *models;
    uint32_t model_count;
    scene_body *bodies;
    uint32_t body_count;
};

/* The names of levels: those of graze_level from its end. */
enum { SCENE_LEVELS = 4 };
extern const char *const scene_levels[SCENE_LEVELS];

/* Reads all but the models; false after printing what is wrong, with nothing left to free. */
bool scene_read(struct scene *scene, const char *path);
void scene_free(struct scene *scene);

#endif
