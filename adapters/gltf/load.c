/* The public readers: set up, read step by step, free what is not the rig. */
#include "reader.h"

#include <string.h>

static void start(grazei_gltf_reader *reader, const char *name, const graze_gltf_load_def *def,
                  graze_error *error)
{
    static const graze_gltf_load_def plain = {0};
    def = def ? def : &plain;
    *reader = (grazei_gltf_reader){0};
    grazei_gltf_label(reader->label, sizeof reader->label, name);
    reader->allocator = def->allocator ? *def->allocator : graze_default_allocator();
    reader->error = error;
    reader->warn = def->warn;
    reader->warn_user = def->warn_user;
    reader->may_be_empty = def->may_be_empty;
    reader->budget.limit = def->max_memory;
    reader->budget.is_given = def->max_memory > 0;
    grazei_gltf_grow_budget(reader, 0);
}

static void finish(grazei_gltf_reader *reader)
{
    const grazei_gltf_table *const tables[] = {
        &reader->buffers, &reader->views, &reader->accessors, &reader->meshes,
        &reader->skins,   &reader->nodes, &reader->scenes,    &reader->animations};
    for (uint32_t i = 0; reader->buffer_data && i < reader->buffers.count; i++)
        grazei_gltf_release(reader, reader->buffer_data[i].owned);
    for (uint32_t i = 0; reader->view_data && i < reader->views.count; i++)
        grazei_gltf_release(reader, reader->view_data[i].unpacked);
    grazei_gltf_release_meshes(reader);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        grazei_gltf_release(reader, tables[i]->items);
    for (size_t i = 0; i < GRAZEI_GLTF_SLOT_COUNT; i++)
        grazei_gltf_release(reader, reader->workspaces[i].memory);
    grazei_gltf_release(reader, reader->buffer_data);
    grazei_gltf_release(reader, reader->view_data);
    grazei_gltf_release(reader, reader->accessor_data);
    grazei_gltf_release(reader, reader->mesh_data);
    grazei_gltf_release(reader, reader->scene_nodes);
    grazei_gltf_release(reader, reader->node_instance);
    grazei_gltf_release(reader, reader->node_has_mesh);
    grazei_gltf_release(reader, reader->instances);
    grazei_gltf_release(reader, reader->skin_user);
    cJSON_Delete(reader->json);
}

static graze_status read_rig(grazei_gltf_reader *reader, const void *data, size_t size)
{
    GRAZEI_GLTF_TRY(grazei_gltf_open(reader, data, size));
    reader->rig = graze_rig_create(&reader->allocator);
    if (!reader->rig)
        return grazei_gltf_fail(reader, GRAZE_OUT_OF_MEMORY, "out of memory");
    GRAZEI_GLTF_TRY(grazei_gltf_read_nodes(reader));
    GRAZEI_GLTF_TRY(grazei_gltf_read_meshes(reader));
    GRAZEI_GLTF_TRY(grazei_gltf_read_animations(reader));
    if (graze_rig_name_nodes(reader->rig, NULL))
        return grazei_gltf_fail(reader, GRAZE_OUT_OF_MEMORY, "out of memory");
    return GRAZE_OK;
}

static graze_status parse(grazei_gltf_reader *reader, const void *data, size_t size,
                          graze_rig **rig)
{
    graze_status status = read_rig(reader, data, size);
    if (status == GRAZE_OK) {
        grazei_gltf_tell_warnings(reader);
        *rig = reader->rig;
    } else {
        graze_rig_destroy(reader->rig);
    }
    finish(reader);
    return status;
}

graze_status graze_gltf_parse_with(const void *data, size_t size, const char *base_path,
                                   const char *name, const graze_gltf_load_def *def,
                                   graze_rig **rig, graze_error *error)
{
    grazei_gltf_reader reader;
    start(&reader, name ? name : "model", def, error);
    reader.base_path = base_path;
    grazei_gltf_grow_budget(&reader, size);
    return parse(&reader, data, size, rig);
}

graze_status graze_gltf_parse(const void *data, size_t size, const char *base_path,
                              const char *name, const graze_allocator *allocator, graze_rig **rig,
                              graze_error *error)
{
    graze_gltf_load_def def = {.allocator = allocator};
    return graze_gltf_parse_with(data, size, base_path, name, &def, rig, error);
}

/* A copy of the path up to and with its last slash ("" if it has none). */
static char *folder_of(grazei_gltf_reader *reader, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    char *folder = grazei_gltf_allocate(reader, length + 1, 1);
    if (folder)
        memcpy(folder, path, length);
    return folder;
}

graze_status graze_gltf_load_with(const char *path, const graze_gltf_load_def *def, graze_rig **rig,
                                  graze_error *error)
{
    grazei_gltf_reader reader;
    void *data = NULL;
    size_t size = 0;
    start(&reader, path, def, error);
    graze_status status = grazei_gltf_read_file(&reader, path, "", UINT64_MAX, &data, &size);
    if (status != GRAZE_OK)
        return status;
    char *folder = folder_of(&reader, path);
    status = GRAZE_OUT_OF_MEMORY;
    if (folder) {
        reader.base_path = folder;
        status = parse(&reader, data, size, rig);
    }
    grazei_gltf_release(&reader, folder);
    grazei_gltf_release(&reader, data);
    return status;
}

graze_status graze_gltf_load(const char *path, const graze_allocator *allocator, graze_rig **rig,
                             graze_error *error)
{
    graze_gltf_load_def def = {.allocator = allocator};
    return graze_gltf_load_with(path, &def, rig, error);
}
