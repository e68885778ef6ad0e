/* Mesh instances: what the scene shows is planned first, so that every array is taken once. */
#include "reader.h"

/* Sizes of the arrays to come, summed in 64 bits. */
typedef struct totals {
    uint64_t vertices, triangles, influences, morphs, primitives;
} totals;

static graze_status list_instances(grazei_gltf_reader *reader)
{
    uint32_t node_count = reader->nodes.count;
    reader->node_instance = grazei_gltf_allocate(reader, node_count, sizeof *reader->node_instance);
    reader->instances =
        grazei_gltf_allocate(reader, reader->scene_node_count, sizeof *reader->instances);
    if (!reader->node_instance || !reader->instances)
        return GRAZE_OUT_OF_MEMORY;
    reader->node_has_mesh = grazei_gltf_allocate(reader, node_count, 1);
    if (!reader->node_has_mesh)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < node_count; i++) {
        reader->node_instance[i] = GRAZE_NONE;
        reader->node_has_mesh[i] = grazei_gltf_member(reader->nodes.items[i], "mesh") != NULL;
    }
    for (uint32_t i = 0; i < reader->scene_node_count; i++) {
        uint32_t node = reader->scene_nodes[i];
        grazei_gltf_place place = grazei_gltf_at("nodes[%u]", node);
        const cJSON *json = reader->nodes.items[node];
        grazei_gltf_instance *instance = &reader->instances[reader->instance_count];
        instance->node = node;
        GRAZEI_GLTF_TRY(grazei_gltf_index(reader, json, "mesh", place.text, reader->meshes.count,
                                          &instance->mesh));
        GRAZEI_GLTF_TRY(grazei_gltf_index(reader, json, "skin", place.text, reader->skins.count,
                                          &instance->skin));
        if (instance->mesh == GRAZE_NONE)
            continue;
        reader->node_instance[node] = reader->instance_count++;
        reader->rig->skinned = reader->rig->skinned || instance->skin != GRAZE_NONE;
    }
    return GRAZE_OK;
}

/* What the model's arrays will take. */
static uint64_t cost_of(const totals *sum)
{
    return sum->vertices * (3 * sizeof(float) + sizeof(uint32_t)) +
           sum->triangles * 3 * sizeof(uint32_t) + sum->influences * sizeof(graze_influence) +
           sum->morphs * sizeof(graze_rig_morph) + sum->primitives * sizeof(graze_rig_primitive);
}

static graze_status plan_primitive(grazei_gltf_reader *reader, grazei_gltf_primitive *primitive,
                                   const grazei_gltf_instance *instance, totals *sum)
{
    uint64_t room = 1;
    reader->where = primitive->place;
    if (instance->skin != GRAZE_NONE) {
        GRAZEI_GLTF_TRY(grazei_gltf_list_sets(reader, primitive));
        room = (uint64_t)primitive->set_count * 4;
    }
    sum->vertices += primitive->positions.count;
    sum->triangles += primitive->triangle_count;
    sum->primitives++;
    sum->influences += primitive->positions.count * room;
    return grazei_gltf_afford(reader, cost_of(sum));
}

static graze_status plan_instance(grazei_gltf_reader *reader, grazei_gltf_instance *instance,
                                  totals *sum)
{
    GRAZEI_GLTF_TRY(grazei_gltf_plan_joints(reader, instance));
    GRAZEI_GLTF_TRY(grazei_gltf_open_mesh(reader, instance->mesh));
    grazei_gltf_mesh *mesh = &reader->mesh_data[instance->mesh];
    if (mesh->first_instance == GRAZE_NONE)
        mesh->first_instance = (uint32_t)(instance - reader->instances);
    instance->first_morph = (uint32_t)sum->morphs;
    instance->morph_count = mesh->morph_count;
    sum->morphs += instance->morph_count;
    for (uint32_t i = 0; i < mesh->primitive_count; i++)
        GRAZEI_GLTF_TRY(plan_primitive(reader, &mesh->primitives[i], instance, sum));
    if (sum->vertices >= GRAZE_NONE || sum->triangles >= GRAZE_NONE / 3 ||
        sum->influences >= GRAZE_NONE || sum->morphs >= GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED,
                                "meshes[%u]: the model grows past what 32-bit indices reach",
                                instance->mesh);
    return GRAZE_OK;
}

static graze_status allocate_arrays(grazei_gltf_reader *reader, const totals *sum)
{
    graze_rig *rig = reader->rig;
    rig->positions = grazei_gltf_allocate(reader, (size_t)sum->vertices * 3, sizeof(float));
    rig->triangles = grazei_gltf_allocate(reader, (size_t)sum->triangles * 3, sizeof(uint32_t));
    rig->influence_offsets =
        grazei_gltf_allocate(reader, (size_t)sum->vertices + 1, sizeof(uint32_t));
    rig->influences =
        grazei_gltf_allocate(reader, (size_t)sum->influences, sizeof *rig->influences);
    rig->morphs = grazei_gltf_allocate(reader, (size_t)sum->morphs, sizeof *rig->morphs);
    rig->meshes = grazei_gltf_allocate(reader, reader->instance_count, sizeof *rig->meshes);
    rig->primitives =
        grazei_gltf_allocate(reader, (size_t)sum->primitives, sizeof *rig->primitives);
    if (!rig->positions || !rig->triangles || !rig->influence_offsets || !rig->influences ||
        !rig->morphs || !rig->meshes || !rig->primitives)
        return GRAZE_OUT_OF_MEMORY;
    rig->morph_count = (uint32_t)sum->morphs;
    rig->mesh_count = reader->instance_count;
    return GRAZE_OK;
}

/* Corner i of a strip or fan's triangle, or of a plain list's, as a place among its indices; the
 * orders are those of the specification, section 3.7.2.1.
 */
static uint32_t corner_of(uint32_t mode, uint32_t triangle, uint32_t i)
{
    if (mode == 4)
        return triangle * 3 + i;
    if (mode == 5)
        return i == 0 ? triangle : triangle + (i == 1 ? 1 + triangle % 2 : 2 - triangle % 2);
    return i == 2 ? 0 : triangle + 1 + i;
}

static graze_status read_triangles(grazei_gltf_reader *reader,
                                   const grazei_gltf_primitive *primitive, uint32_t first_vertex)
{
    graze_rig *rig = reader->rig;
    uint32_t *indices = NULL, vertex_count = primitive->positions.count;
    uint32_t *out = rig->triangles + (size_t)rig->triangle_count * 3;
    if (primitive->has_indices) {
        indices = grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_INDICES, primitive->indices.count,
                                   sizeof *indices);
        if (!indices)
            return GRAZE_OUT_OF_MEMORY;
        GRAZEI_GLTF_TRY(grazei_gltf_read_integers(reader, &primitive->indices, indices));
    }
    for (uint32_t t = 0; t < primitive->triangle_count; t++) {
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t corner = corner_of(primitive->mode, t, i);
            uint32_t vertex = indices ? indices[corner] : corner;
            if (vertex >= vertex_count)
                return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                        "accessors[%u]: index %u refers to vertex %u of %u",
                                        primitive->indices.index, corner, vertex, vertex_count);
            *out++ = first_vertex + vertex;
        }
    }
    rig->triangle_count += primitive->triangle_count;
    return GRAZE_OK;
}

static graze_status read_materials(grazei_gltf_reader *reader)
{
    graze_rig *rig = reader->rig;
    const cJSON *materials = grazei_gltf_member(reader->json, "materials"), *item;
    int count = cJSON_IsArray(materials) ? cJSON_GetArraySize(materials) : 0;
    rig->material_names = grazei_gltf_allocate(reader, (size_t)count, sizeof *rig->material_names);
    if (!rig->material_names)
        return GRAZE_OUT_OF_MEMORY;
    for (item = count ? materials->child : NULL; item; item = item->next) {
        grazei_gltf_enter(reader, "materials[%u]", rig->material_count);
        GRAZEI_GLTF_TRY(
            grazei_gltf_name(reader, item, &rig->material_names[rig->material_count++]));
    }
    return GRAZE_OK;
}

static graze_status read_primitive(grazei_gltf_reader *reader,
                                   const grazei_gltf_primitive *primitive,
                                   const grazei_gltf_instance *instance)
{
    graze_rig *rig = reader->rig;
    uint32_t first_vertex = rig->vertex_count;
    uint32_t material =
        primitive->material < rig->material_count ? primitive->material : GRAZE_NONE;
    reader->where = primitive->place;
    GRAZEI_GLTF_TRY(grazei_gltf_read_floats(reader, &primitive->positions,
                                            rig->positions + (size_t)first_vertex * 3));
    rig->primitives[rig->primitive_count++] =
        (graze_rig_primitive){rig->triangle_count, primitive->triangle_count, material};
    GRAZEI_GLTF_TRY(read_triangles(reader, primitive, first_vertex));
    GRAZEI_GLTF_TRY(grazei_gltf_read_influences(reader, instance, primitive, first_vertex));
    rig->vertex_count += primitive->positions.count;
    return GRAZE_OK;
}

/* Its name and extras, which an instance before may have. */
static graze_status read_texts(grazei_gltf_reader *reader, const grazei_gltf_instance *instance,
                               graze_rig_mesh *mesh)
{
    const cJSON *json = reader->meshes.items[instance->mesh];
    const graze_rig_mesh *first =
        &reader->rig->meshes[reader->mesh_data[instance->mesh].first_instance];
    if (mesh == first) {
        GRAZEI_GLTF_TRY(grazei_gltf_name(reader, json, &mesh->name));
        return grazei_gltf_extras(reader, json, &mesh->extras);
    }
    GRAZEI_GLTF_TRY(grazei_gltf_copy_text(reader, first->name, &mesh->name));
    return grazei_gltf_copy_text(reader, first->extras, &mesh->extras);
}

static graze_status read_instance(grazei_gltf_reader *reader, const grazei_gltf_instance *instance,
                                  graze_rig_mesh *mesh)
{
    const graze_rig *rig = reader->rig;
    const grazei_gltf_mesh *source = &reader->mesh_data[instance->mesh];
    mesh->node = instance->node;
    mesh->first_vertex = rig->vertex_count;
    mesh->first_triangle = rig->triangle_count;
    grazei_gltf_enter(reader, "meshes[%u]", instance->mesh);
    GRAZEI_GLTF_TRY(read_texts(reader, instance, mesh));
    for (uint32_t i = 0; i < source->primitive_count; i++)
        GRAZEI_GLTF_TRY(read_primitive(reader, &source->primitives[i], instance));
    mesh->vertex_count = rig->vertex_count - mesh->first_vertex;
    mesh->triangle_count = rig->triangle_count - mesh->first_triangle;
    return grazei_gltf_read_morphs(reader, instance, mesh->first_vertex);
}

graze_status grazei_gltf_read_meshes(grazei_gltf_reader *reader)
{
    totals sum = {0};
    GRAZEI_GLTF_TRY(grazei_gltf_hide_nodes(reader));
    GRAZEI_GLTF_TRY(list_instances(reader));
    for (uint32_t i = 0; i < reader->instance_count; i++)
        GRAZEI_GLTF_TRY(plan_instance(reader, &reader->instances[i], &sum));
    if (sum.triangles == 0 && !reader->may_be_empty)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "there are no triangles in the scene");
    GRAZEI_GLTF_TRY(allocate_arrays(reader, &sum));
    GRAZEI_GLTF_TRY(read_materials(reader));
    GRAZEI_GLTF_TRY(grazei_gltf_read_joints(reader));
    for (uint32_t i = 0; i < reader->instance_count; i++)
        GRAZEI_GLTF_TRY(read_instance(reader, &reader->instances[i], &reader->rig->meshes[i]));
    return GRAZE_OK;
}
