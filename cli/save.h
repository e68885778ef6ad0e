/* What graze/gltf.h writes, to files that output_open or nobody has opened. */
#ifndef GRAZE_CLI_SAVE_H
#define GRAZE_CLI_SAVE_H

#include <graze/animation.h>
#include <graze/gltf.h>

/* False after printing the error, as below. */
bool rig_save(const graze_rig *rig, const char *path);
bool scene_save(const graze_gltf_scene *scene, const char *path);

/* What became of clips. */
typedef struct scene_saved {
    uint64_t keys;  /* that are written */
    double largest; /* by how much a vertex is off at most, at a frame or half way between two */
} scene_saved;

/* Makes one of the members of a scene; false after printing what is wrong. */
typedef bool make_member_fn(void *user, uint32_t index, graze_gltf_member *member,
                            scene_saved *saved);

/* Makes all of them, and writes the scene. */
bool members_save(uint32_t count, make_member_fn *make, void *user, float seconds, const char *path,
                  scene_saved *saved);

/* Cuts the member's clip out of one of the rig's. */
graze_status member_cut(graze_gltf_member *member, const graze_rig *rig, const graze_rig_cut *cut,
                        scene_saved *saved, graze_error *error);

#endif
