/* Deterministic scenes of several characters or things, after the experiments of Kavan & Zara 2005
 * (section 5), Kavan, O'Sullivan & Zara 2006 (section 5) and James & Pai 2004 (section 5). Tests,
 * benchmarks, demo and viewer share them.
 *
 *     men                  two men walk towards each other until their limbs touch
 *     creatures            two creatures walk through each other
 *     creatures-aside      the same, a little aside
 *     dwarves-free-N       two dwarves an arm apart, N (0 to 3) times subdivided
 *     dwarves-touching-N   the same, run into each other
 *     crowd                50 creatures walk close together
 *     candy                two creatures side by side twist their necks and a shoulder
 *     curtain              a ball is thrown at a curtain in the wind
 *     chairs               three rattling chairs tumble against each other
 *
 * Instances of "curtain" and "chairs" have morph weights: graze_rig_sample's last output.
 */
#ifndef GRAZE_SCENES_SCENE_H
#define GRAZE_SCENES_SCENE_H

#include <graze/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a thing flies; private. */
typedef struct graze_scene_flight graze_scene_flight;

/* One character of a scene: its rig and its walk, straight ahead, or its flight. */
typedef struct graze_scene_instance {
    uint32_t rig;                     /* index of scene->rigs */
    uint32_t clip;                    /* of that rig; GRAZE_NONE if it has none */
    double seconds;                   /* of a stride in the clip */
    double stride;                    /* metres a stride goes; 0: it walks in place */
    double start;                     /* where in its stride it is in the first frame, 0 to 1 */
    double x, z;                      /* where it stands in the first frame, metres */
    double heading;                   /* in turns about +Y; 0 walks towards +Z, 0.25 towards +X */
    double travel;                    /* metres from the first frame to the last */
    bool stops;                       /* slows down evenly to a stop at the last frame */
    const graze_scene_flight *flight; /* NULL: it walks; else x to stops have no say */
} graze_scene_instance;

/* Plain data; read it, but leave it as it is. */
typedef struct graze_scene {
    graze_allocator allocator;
    const char *name;
    graze_rig **rigs; /* shared by the instances */
    uint32_t rig_count;
    graze_scene_instance *instances;
    uint32_t instance_count;
    uint32_t frame_count;
    double frame_seconds;
} graze_scene;

/* How many scenes there are, the name of each, and a line about it (NULL if out of range). */
uint32_t graze_scene_count(void);
const char *graze_scene_name(uint32_t index);
const char *graze_scene_description(uint32_t index);

/* Makes the scene of that name; *scene is set on success only. allocator (NULL: the default one)
 * serves everything in it. Takes as long as making its characters, about a second.
 */
graze_status graze_scene_create(const char *name, const graze_allocator *allocator,
                                graze_scene **scene, graze_error *error);

/* Frees the scene and its rigs. NULL is fine. */
void graze_scene_destroy(graze_scene *scene);

/* Where an instance is in a frame: the clip (GRAZE_NONE: it has none) and time for graze_rig_sample
 * and the placement (3 rows of 4, rigid) for graze_pose. frame and instance must be in range.
 */
void graze_scene_place(const graze_scene *scene, uint32_t frame, uint32_t instance, uint32_t *clip,
                       double *time, float placement[12]);

#ifdef __cplusplus
}
#endif

#endif
