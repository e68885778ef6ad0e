#include "cli/shape_mesh.h"

#include <graze/gltf.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- paths -------------------------------------------------------------------------------- */

/* The length of the path's folder, its slash included. */
static size_t folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

char *path_beside(const char *file, const char *path)
{
    size_t folder = path[0] != '/' ? folder_of(file) : 0, length = strlen(path);
    char *joined = malloc(folder + length + 1);
    if (joined) {
        memcpy(joined, file, folder);
        memcpy(joined + folder, path, length + 1);
    }
    return joined;
}

static const char *without_dots(const char *path)
{
    while (path && strncmp(path, "./", 2) == 0)
        path += 2;
    return path;
}

char *path_from(const char *file, const char *path)
{
    file = without_dots(file);
    path = without_dots(path);
    size_t folder = file ? folder_of(file) : 0;
    if (path[0] != '/' && folder && strncmp(file, path, folder) != 0) /* folders of their own */
        return realpath(path, NULL);
    return path_beside("", path[0] == '/' ? path : path + folder);
}

/* ---- the mesh ----------------------------------------------------------------------------- */

static bool __attribute__((format(printf, 2, 3))) fail(graze_error *error, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(error->text, sizeof error->text, format, values);
    va_end(values);
    error->status = GRAZE_BAD_INPUT;
    return false;
}

/* Finds the node of each of the mesh's joints among the rig's. */
static bool match_joints(const graze_parts *own, const graze_parts *others, const graze_rig *rig,
                         graze_rig *mesh, graze_error *error)
{
    for (uint32_t j = 0; j < mesh->joint_count; j++) {
        const char *name = graze_parts_name(others, j);
        uint32_t joint;
        if (!graze_parts_find(own, name, &joint))
            return fail(error, "expected a mesh on the model's joints, found joint %.80s", name);
        mesh->joints[j].node = rig->joints[joint].node;
    }
    return mesh->morph_count == rig->morph_count ||
           fail(error, "expected a mesh with the model's %u morph targets, found %u",
                rig->morph_count, mesh->morph_count);
}

static bool check_joints(const graze_rig *rig, graze_rig *mesh, graze_error *error)
{
    graze_parts *own = NULL, *others = NULL;
    bool fine = !graze_rig_parts(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &own, error) &&
                !graze_rig_parts(mesh, GRAZE_PARTS_BY_JOINT, NULL, NULL, &others, error) &&
                match_joints(own, others, rig, mesh, error);
    graze_parts_destroy(own);
    graze_parts_destroy(others);
    return fine;
}

#define SWAP(type, a, b)                                                                           \
    do {                                                                                           \
        type swap_kept = (a);                                                                      \
        (a) = (b);                                                                                 \
        (b) = swap_kept;                                                                           \
    } while (0)

/* What is drawn and what moves it. Which meshes it came from is not kept: their nodes are another
 * file's.
 */
static void swap_meshes(graze_rig *rig, graze_rig *mesh)
{
    SWAP(float *, rig->positions, mesh->positions);
    SWAP(uint32_t, rig->vertex_count, mesh->vertex_count);
    SWAP(uint32_t *, rig->triangles, mesh->triangles);
    SWAP(uint32_t, rig->triangle_count, mesh->triangle_count);
    SWAP(uint32_t *, rig->influence_offsets, mesh->influence_offsets);
    SWAP(graze_influence *, rig->influences, mesh->influences);
    SWAP(bool, rig->skinned, mesh->skinned);
    SWAP(graze_rig_joint *, rig->joints, mesh->joints);
    SWAP(uint32_t, rig->joint_count, mesh->joint_count);
    SWAP(graze_rig_morph *, rig->morphs, mesh->morphs);
    for (uint32_t i = 0; i < rig->mesh_count; i++)
        if (rig->meshes[i].name)
            rig->allocator.release(rig->allocator.user, rig->meshes[i].name);
    rig->mesh_count = rig->primitive_count = 0;
}

bool shape_mesh_take(graze_rig *rig, const char *path, graze_error *error)
{
    graze_rig *mesh = NULL;
    bool taken = !graze_gltf_load(path, NULL, &mesh, error) && check_joints(rig, mesh, error);
    if (taken)
        swap_meshes(rig, mesh);
    graze_rig_destroy(mesh);
    return taken;
}
