/* Triangles as Wavefront OBJ. */
#include <graze/gltf.h>

#include "output.h"

#include <math.h>

static graze_status check_mesh(const char *path, const float *positions, uint32_t vertex_count,
                               const uint32_t *triangles, uint32_t triangle_count,
                               graze_error *error)
{
    for (size_t i = 0; i < (size_t)vertex_count * 3; i++)
        if (!isfinite(positions[i]))
            return grazei_gltf_fail_path(error, path, GRAZE_BAD_INPUT,
                                         "vertex %zu has a coordinate that is not finite", i / 3);
    for (size_t i = 0; i < (size_t)triangle_count * 3; i++)
        if (triangles[i] >= vertex_count)
            return grazei_gltf_fail_path(error, path, GRAZE_BAD_INPUT,
                                         "triangle %zu refers to vertex %u of %u", i / 3,
                                         triangles[i], vertex_count);
    return GRAZE_OK;
}

static void write_vertex(FILE *file, const float *position)
{
    char line[112] = "v";
    size_t length = 1;
    for (int axis = 0; axis < 3; axis++) {
        line[length++] = ' ';
        length += grazei_gltf_format_number(line + length, position[axis]);
    }
    line[length++] = '\n';
    fwrite(line, 1, length, file);
}

graze_status graze_obj_save(const char *path, const float *positions, uint32_t vertex_count,
                            const uint32_t *triangles, uint32_t triangle_count, graze_error *error)
{
    graze_allocator allocator = graze_default_allocator();
    grazei_gltf_output output;
    graze_status status =
        check_mesh(path, positions, vertex_count, triangles, triangle_count, error);
    if (status != GRAZE_OK)
        return status;
    status = grazei_gltf_begin_output(&output, path, &allocator, error);
    if (status != GRAZE_OK)
        return status;
    for (uint32_t v = 0; v < vertex_count; v++)
        write_vertex(output.file, positions + (size_t)v * 3);
    for (uint32_t t = 0; t < triangle_count; t++) {
        const uint32_t *corner = triangles + (size_t)t * 3;
        fprintf(output.file, "f %llu %llu %llu\n", corner[0] + 1ull, corner[1] + 1ull,
                corner[2] + 1ull);
    }
    return grazei_gltf_end_output(&output);
}
