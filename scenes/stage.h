/* A scene with bodies on it: one set of bodies per tree, all in the same poses. */
#ifndef GRAZE_SCENES_STAGE_H
#define GRAZE_SCENES_STAGE_H

#include "scenes/scene.h"

#include <graze/graze.h>

#define STAGE_TREES 12

struct stage {
    graze_scene *scene;
    uint32_t body_count;
    uint32_t tree_count;
    graze_tree_def trees[STAGE_TREES];
    graze_skinning skinnings[STAGE_TREES];
    graze_model **models[STAGE_TREES]; /* one a rig */
    graze_body **bodies[STAGE_TREES];  /* one an instance */
    float **joints;                    /* one pose an instance */
    float **weights;                   /* morph weights of an instance; NULL: it has none */
    float (*placements)[12];
};

/* Opens a scene and builds every model once per tree; prints the error and returns false on
 * failure, with nothing left to close.
 */
bool stage_open(struct stage *stage, const char *scene, const graze_tree_def *trees,
                uint32_t tree_count);

/* The same with a kind of skinning for each tree; NULL: linear. */
bool stage_open_skinned(struct stage *stage, const char *scene, const graze_tree_def *trees,
                        const graze_skinning *skinnings, uint32_t tree_count);

void stage_close(struct stage *stage);

/* What the scene shows, in a few words; its name if there are none. */
const char *stage_description(const struct stage *stage);

/* Samples a frame; bodies are not posed yet. */
bool stage_frame(struct stage *stage, uint32_t frame);

/* Hands the frame's pose to one body, or to all bodies of a tree: what is measured starts here. */
void stage_pose_body(struct stage *stage, uint32_t tree, uint32_t body);
void stage_pose(struct stage *stage, uint32_t tree);

/* A rigid model of a body as it stands, with the same tree, and a body of it. */
bool stage_freeze(graze_body *body, graze_model **model, graze_body **frozen);

#endif
