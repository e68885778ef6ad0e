#include "cli/shape_mesh.h"

#include "cli/model_file.h"
#include "cli/room.h"

#include <stdarg.h>

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
    char *joined = room(folder + length + 1, 1);
    memcpy(joined, file, folder);
    memcpy(joined + folder, path, length);
    return joined;
}

static const char *without_dots(const char *path)
{
    while (path && strncmp(path, "./", 2) == 0)
        path += 2;
    return path;
}

/* The folder's true path and the name, which need not be there yet; NULL if there is no folder. */
static char *absolute(const char *path)
{
    size_t size = folder_of(path);
    char *folder = copy_text(path), *joined = NULL;
    folder[size] = 0;
    char *whole = realpath(size ? folder : ".", NULL);
    if (whole) {
        size_t length = strlen(whole) + strlen(path) + 2;
        joined = room(length, 1);
        snprintf(joined, length, "%s/%s", strcmp(whole, "/") == 0 ? "" : whole, path + size);
    }
    free(whole);
    free(folder);
    return joined;
}

char *path_from(const char *file, const char *path)
{
    file = without_dots(file);
    path = without_dots(path);
    size_t folder = file ? folder_of(file) : 0;
    if (path[0] != '/' && folder && strncmp(file, path, folder) != 0) /* folders of their own */
        return absolute(path);
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
static bool match_joints(const graze_part_names *own, const graze_part_names *others,
                         const graze_rig *rig, graze_rig *mesh, graze_error *error)
{
    for (uint32_t j = 0; j < mesh->joint_count; j++) {
        const char *name = graze_part_name(others, j);
        uint32_t joint = graze_part_find(own, name);
        if (joint == GRAZE_NONE)
            return fail(error, "expected a mesh on the model's joints, found joint %.80s", name);
        mesh->joints[j].node = rig->joints[joint].node;
    }
    return mesh->morph_count == rig->morph_count ||
           fail(error, "expected a mesh with the model's %u morph targets, found %u",
                rig->morph_count, mesh->morph_count);
}

static bool check_joints(const graze_rig *rig, graze_rig *mesh, graze_error *error)
{
    graze_part_names *own = NULL, *others = NULL;
    bool fine = !graze_rig_part_names(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &own, error) &&
                !graze_rig_part_names(mesh, GRAZE_PARTS_BY_JOINT, NULL, NULL, &others, error) &&
                match_joints(own, others, rig, mesh, error);
    graze_part_names_destroy(own);
    graze_part_names_destroy(others);
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
    bool taken = !model_file_load(path, &mesh, error) && check_joints(rig, mesh, error);
    if (taken)
        swap_meshes(rig, mesh);
    graze_rig_destroy(mesh);
    return taken;
}
