#include "cli/shape_mesh.h"

#include <graze/gltf.h>

#include <stdlib.h>
#include <string.h>

/* The path, from the folder of the file that names it; NULL when out of memory. */
static char *path_beside(const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    size_t folder = slash && path[0] != '/' ? (size_t)(slash - file) + 1 : 0;
    size_t length = strlen(path);
    char *joined = malloc(folder + length + 1);
    if (joined) {
        memcpy(joined, file, folder);
        memcpy(joined + folder, path, length + 1);
    }
    return joined;
}

/* Finds the node of each of the mesh's joints among the rig's. */
static bool match_joints(const json_value *value, const graze_parts *own, const graze_parts *others,
                         const graze_rig *rig, graze_rig *mesh)
{
    for (uint32_t j = 0; j < mesh->joint_count; j++) {
        const char *name = graze_parts_name(others, j);
        uint32_t joint;
        if (!graze_parts_find(own, name, &joint))
            return json_fail(value, "expected a mesh on the model's joints, found joint %.80s",
                             name);
        mesh->joints[j].node = rig->joints[joint].node;
    }
    return mesh->morph_count == rig->morph_count ||
           json_fail(value, "expected a mesh with the model's %u morph targets, found %u",
                     rig->morph_count, mesh->morph_count);
}

static bool check_joints(const json_value *value, const graze_rig *rig, graze_rig *mesh)
{
    graze_parts *own = NULL, *others = NULL;
    graze_error error;
    bool fine = graze_rig_parts(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &own, &error) ||
                        graze_rig_parts(mesh, GRAZE_PARTS_BY_JOINT, NULL, NULL, &others, &error)
                    ? json_fail(value, "%s", error.text)
                    : match_joints(value, own, others, rig, mesh);
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

bool shape_mesh_take(const json_value *value, graze_rig *rig)
{
    const char *name;
    graze_rig *mesh = NULL;
    graze_error error;
    if (!json_take_text(value, "the path of a model", &name))
        return false;
    char *path = path_beside(value->file, name);
    if (!path)
        return json_fail(value, "out of memory");
    bool taken = graze_gltf_load(path, NULL, &mesh, &error) ? json_fail(value, "%s", error.text)
                                                            : check_joints(value, rig, mesh);
    if (taken)
        swap_meshes(rig, mesh);
    graze_rig_destroy(mesh);
    free(path);
    return taken;
}
