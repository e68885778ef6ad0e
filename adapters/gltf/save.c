/* The public writer: JSON and data are made in memory, then framed as a GLB. */
#include "writer.h"

#include <stdarg.h>
#include <stdio.h>

graze_status grazei_gltf_refuse(grazei_gltf_writer *writer, graze_status status, const char *format,
                                ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return grazei_gltf_fail_path(writer->error, writer->path, status, "%s", text);
}

void grazei_gltf_begin_writer(grazei_gltf_writer *writer, const graze_allocator *allocator,
                              const char *path, graze_error *error)
{
    grazei_gltf_bytes empty = {.allocator = *allocator};
    *writer = (grazei_gltf_writer){.allocator = *allocator,
                                   .path = path,
                                   .error = error,
                                   .json = empty,
                                   .binary = empty,
                                   .views = empty,
                                   .accessors = empty,
                                   .channels = empty};
    grazei_gltf_print(&writer->json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"graze\"}");
}

void grazei_gltf_end_writer(grazei_gltf_writer *writer)
{
    grazei_gltf_free_bytes(&writer->json);
    grazei_gltf_free_bytes(&writer->binary);
    grazei_gltf_free_bytes(&writer->views);
    grazei_gltf_free_bytes(&writer->accessors);
    grazei_gltf_free_bytes(&writer->channels);
    grazei_gltf_free_plan(writer);
}

static graze_status end_json(grazei_gltf_writer *writer)
{
    grazei_gltf_bytes *json = &writer->json;
    grazei_gltf_align(&writer->binary, 0);
    grazei_gltf_print(json, ",\"accessors\":[");
    grazei_gltf_put(json, writer->accessors.data, writer->accessors.size);
    grazei_gltf_print(json, "],\"bufferViews\":[");
    grazei_gltf_put(json, writer->views.data, writer->views.size);
    grazei_gltf_print(json, "],\"buffers\":[{\"byteLength\":%zu}]}", writer->binary.size);
    grazei_gltf_align(json, ' ');
    if (json->failed || writer->binary.failed || writer->views.failed || writer->accessors.failed ||
        writer->channels.failed)
        return grazei_gltf_refuse(writer, GRAZE_OUT_OF_MEMORY, "out of memory");
    if ((uint64_t)json->size + writer->binary.size + 28 > UINT32_MAX)
        return grazei_gltf_refuse(writer, GRAZE_UNSUPPORTED, "a .glb cannot hold 4 GiB");
    return GRAZE_OK;
}

static void write_u32(FILE *file, size_t value)
{
    const unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8),
                                    (unsigned char)(value >> 16), (unsigned char)(value >> 24)};
    fwrite(bytes, 1, sizeof bytes, file);
}

graze_status grazei_gltf_write_file(grazei_gltf_writer *writer)
{
    grazei_gltf_output output;
    graze_status status = end_json(writer);
    if (status == GRAZE_OK)
        status = grazei_gltf_begin_output(&output, writer->path, &writer->allocator, writer->error);
    if (status != GRAZE_OK)
        return status;
    fwrite("glTF", 1, 4, output.file);
    write_u32(output.file, 2);
    write_u32(output.file, 28 + writer->json.size + writer->binary.size);
    write_u32(output.file, writer->json.size);
    fwrite("JSON", 1, 4, output.file);
    fwrite(writer->json.data, 1, writer->json.size, output.file);
    write_u32(output.file, writer->binary.size);
    fwrite("BIN", 1, 4, output.file);
    fwrite(writer->binary.data, 1, writer->binary.size, output.file);
    return grazei_gltf_end_output(&output);
}

static graze_status check(grazei_gltf_writer *writer)
{
    graze_status status = grazei_gltf_check_rig(writer);
    for (uint32_t c = 0; c < writer->rig->clip_count && status == GRAZE_OK; c++)
        status = grazei_gltf_check_clip(writer, &writer->rig->clips[c], c);
    return status == GRAZE_OK ? grazei_gltf_plan_nodes(writer) : status;
}

static graze_status compose(grazei_gltf_writer *writer)
{
    grazei_gltf_bytes *json = &writer->json;
    const grazei_gltf_node_plan *plan = &writer->plan;
    graze_status status = check(writer);
    if (status != GRAZE_OK)
        return status;
    grazei_gltf_print(json, ",\"scene\":0,\"scenes\":[{\"nodes\":[%u,%u]}],\"nodes\":[",
                      plan->first_child[plan->count], plan->count);
    grazei_gltf_write_nodes(writer, GRAZE_NONE, 0);
    grazei_gltf_print(json, "{\"name\":\"mesh\",\"mesh\":0,\"skin\":0}]");
    grazei_gltf_print(json, ",\"materials\":[{\"pbrMetallicRoughness\":{\"metallicFactor\":0,"
                            "\"roughnessFactor\":0.8},\"doubleSided\":true}],\"meshes\":[");
    status = grazei_gltf_write_mesh(writer, 0, true);
    if (status != GRAZE_OK)
        return status;
    grazei_gltf_print(json, "],\"skins\":[");
    grazei_gltf_write_skin(writer, grazei_gltf_write_binds(writer));
    grazei_gltf_print(json, "]");
    grazei_gltf_write_clips(writer);
    return GRAZE_OK;
}

graze_status graze_gltf_save(const graze_rig *rig, const char *path, graze_error *error)
{
    grazei_gltf_writer writer;
    grazei_gltf_begin_writer(&writer, &rig->allocator, path, error);
    writer.rig = rig;
    graze_status status = compose(&writer);
    if (status == GRAZE_OK)
        status = grazei_gltf_write_file(&writer);
    grazei_gltf_end_writer(&writer);
    return status;
}
