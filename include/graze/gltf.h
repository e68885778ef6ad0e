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
 * is range-checked. On failure *rig is untouched and error names file, place and what is wrong.
 */
graze_status graze_gltf_load(const char *path, const graze_allocator *allocator, graze_rig **rig,
                             graze_error *error);

/* The same from memory (a .glb, or JSON whose buffers are data: URIs); base_path is the folder
 * other buffers are looked up in, or NULL to refuse them; name stands for the file in errors.
 */
graze_status graze_gltf_parse(const void *data, size_t size, const char *base_path,
                              const char *name, const graze_allocator *allocator, graze_rig **rig,
                              graze_error *error);

/* Writes the rig as one .glb that other programs open: one skinned mesh with smooth normals, its
 * node tree and clips. Rigs with morph targets are refused with GRAZE_UNSUPPORTED. The file is
 * written beside its final place and renamed, so nothing half-written is left.
 */
graze_status graze_gltf_save(const graze_rig *rig, const char *path, graze_error *error);

/* Writes posed positions (3 floats a vertex, printed with %.9g) and triangles as OBJ, the same
 * way.
 */
graze_status graze_obj_save(const char *path, const float *positions, uint32_t vertex_count,
                            const uint32_t *triangles, uint32_t triangle_count, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
