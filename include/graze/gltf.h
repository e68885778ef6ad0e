/* glTF 2.0 in and out: .glb, or .gltf with its buffers (data: URIs or files beside it). */
#ifndef GRAZE_GLTF_H
#define GRAZE_GLTF_H

#include <graze/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a file into a rig: every mesh instance of the default scene (else scene 0, else all root
 * nodes), merged, vertices and triangles numbered over the nodes depth first, primitives and
 * elements in file order. Strips and fans are expanded; points and lines are left out. Everything
 * is range-checked, and every number that is used is finite. Weights are left as they are; a vertex
 * without any gets one influence of weight 0, which graze_model_create refuses. A skin's joints
 * appear once, however many meshes it moves; a mesh without a skin has one joint, its node.
 *
 * On failure *rig is untouched and error names file, place and what is wrong: GRAZE_BAD_INPUT for
 * what breaks the format, GRAZE_UNSUPPORTED for another version or an unknown required extension
 * (optional ones are ignored), GRAZE_IO_ERROR for a file that cannot be read, a buffer's included.
 * Buffers are read only from the model's own folder and below.
 *
 * Memory comes from allocator (NULL: the default one), but for the tree of the JSON text, which
 * cJSON takes from malloc and which is gone when the call returns.
 */
graze_status graze_gltf_load(const char *path, const graze_allocator *allocator, graze_rig **rig,
                             graze_error *error);

/* The same from memory (a .glb, or JSON whose buffers are data: URIs); base_path is the folder
 * other buffers are looked up in, or NULL to refuse them; name stands for the file in errors (NULL:
 * "model"). size may be anything, data is read as bytes and need not be terminated.
 */
graze_status graze_gltf_parse(const void *data, size_t size, const char *base_path,
                              const char *name, const graze_allocator *allocator, graze_rig **rig,
                              graze_error *error);

/* Writes the rig as one .glb that other programs open: one skinned mesh with smooth normals, its
 * node tree, morph targets (of positions only) and clips. Loaded again, positions, triangles,
 * joints, displacements other than zero, and sampled poses and morph weights are the same floats;
 * skin weights are if they sum to 1, else they are scaled to. Nodes keep their numbers, with a few
 * more behind them. The extras of a rig of one mesh are written as they are. A clip that animates
 * some of the morph targets but not all in one channel (the rig of several meshes) is refused with
 * GRAZE_UNSUPPORTED. The file is written beside its final place and renamed, so nothing
 * half-written is left; devices, pipes and symbolic links are written in place. Work memory comes
 * from the rig's allocator.
 */
graze_status graze_gltf_save(const graze_rig *rig, const char *path, graze_error *error);

/* A rig in a scene that is saved: where it stands, and how it moves meanwhile. */
typedef struct graze_gltf_member {
    const char *name;     /* of the node that carries it; may be NULL */
    const graze_rig *rig; /* its mesh is written once, however many members have the rig */
    const graze_rig_clip
        *clip;            /* of the rig's nodes, and of all its morph targets at once, key times
                             from 0 (graze_rig_cut_clip); NULL: it stands as its file does */
    float rotation[4];    /* of the whole; quaternion x y z w, unit */
    float from[3], to[3]; /* where the whole stands at 0 and at the scene's end, straight on
                             between; after the rotation */
} graze_gltf_member;

typedef struct graze_gltf_scene {
    const char *name; /* of its one clip; may be NULL */
    float seconds;    /* 0 or more */
    const graze_gltf_member *members;
    uint32_t member_count; /* at least 1 */
} graze_gltf_scene;

/* Writes many rigs as one .glb that other programs open and play, the same way: each member a node
 * with its name, its skeleton below it (its nodes' names behind the member's and a colon) and a
 * mesh with a skin; one that is a single mesh without a skin has the mesh on its node. One clip
 * moves all of them; there is none if nothing moves. Loaded again it is one rig with all vertices
 * and triangles, in the order of the members. Errors are those of graze_gltf_save, of the first
 * member that has one. allocator NULL: the default one.
 */
graze_status graze_gltf_save_scene(const graze_gltf_scene *scene, const graze_allocator *allocator,
                                   const char *path, graze_error *error);

/* Writes posed positions (3 finite floats a vertex, printed with %.9g and a point whatever the
 * locale) and triangles (3 indices from 0, numbered from 1 in the file) as OBJ, the same way.
 */
graze_status graze_obj_save(const char *path, const float *positions, uint32_t vertex_count,
                            const uint32_t *triangles, uint32_t triangle_count, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
