/* Primitives of a GLB by Draco's encoder, and its own decoder for comparison. */
#include "pack.h"

#include <draco/compression/decode.h>
#include <draco/compression/expert_encode.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace
{

const char *const extension_name = "KHR_draco_mesh_compression";

[[noreturn]] void give_up(const char *what)
{
    std::fprintf(stderr, "draco: %s\n", what);
    std::abort();
}

draco::DataType type_of(int component)
{
    return component == 5121   ? draco::DT_UINT8
           : component == 5123 ? draco::DT_UINT16
           : component == 5126 ? draco::DT_FLOAT32
                               : draco::DT_INVALID;
}

cJSON *primitive_of(const glb_parts &parts)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(glb_item(&parts, "meshes", 0), "primitives"), 0);
}

/* Takes the numbers of an accessor that from now on has none of its own. */
int add_attribute(const glb_parts &parts, cJSON *accessor, draco::GeometryAttribute::Type kind,
                  draco::Mesh &mesh)
{
    size_t element, count;
    const unsigned char *numbers = glb_numbers(&parts, accessor, &element, &count);
    draco::DataType type = type_of(static_cast<int>(glb_number(accessor, "componentType", 0)));
    int components = static_cast<int>(element) / draco::DataTypeLength(type);
    draco::GeometryAttribute attribute;
    attribute.Init(kind, nullptr, static_cast<uint8_t>(components), type, false,
                   static_cast<int64_t>(element), 0);
    if (mesh.num_points() == 0)
        mesh.set_num_points(static_cast<uint32_t>(count));
    int id = mesh.AddAttribute(attribute, true, static_cast<uint32_t>(count));
    for (uint32_t i = 0; i < count; i++)
        mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i), numbers + i * element);
    return id;
}

void add_faces(const glb_parts &parts, cJSON *accessor, draco::Mesh &mesh)
{
    size_t element, count;
    const unsigned char *numbers = glb_numbers(&parts, accessor, &element, &count);
    for (uint32_t f = 0; f < count / 3; f++) {
        draco::Mesh::Face face;
        for (size_t i = 0; i < 3; i++) {
            uint32_t index = 0;
            std::memcpy(&index, numbers + (f * 3 + i) * element, element);
            face[i] = index;
        }
        mesh.SetFace(draco::FaceIndex(f), face);
    }
}

void drop_numbers(cJSON *accessor, size_t count)
{
    cJSON_DeleteItemFromObject(accessor, "bufferView");
    cJSON_DeleteItemFromObject(accessor, "byteOffset");
    cJSON_SetNumberValue(cJSON_GetObjectItem(accessor, "count"), static_cast<double>(count));
}

std::unique_ptr<draco::Mesh> decode(const unsigned char *data, size_t size)
{
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char *>(data), size);
    draco::Decoder decoder;
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok())
        give_up(decoded.status().error_msg());
    return std::move(decoded).value();
}

} // namespace

extern "C" unsigned char *draco_pack_glb(const void *file, size_t size, bool is_sequential,
                                         int bits, size_t *packed_size)
{
    static const char *const keys[] = {"POSITION", "JOINTS_0", "WEIGHTS_0"};
    glb_parts parts = glb_open(file, size);
    cJSON *primitive = primitive_of(parts);
    const cJSON *attributes = cJSON_GetObjectItem(primitive, "attributes");
    cJSON *extension =
        cJSON_AddObjectToObject(cJSON_AddObjectToObject(primitive, "extensions"), extension_name);
    cJSON *ids = cJSON_AddObjectToObject(extension, "attributes");
    cJSON *indices = glb_item(&parts, "accessors", (int)glb_number(primitive, "indices", -1));
    std::vector<cJSON *> accessors;
    draco::Mesh mesh;
    for (const char *key : keys) {
        if (!cJSON_GetObjectItem(attributes, key))
            continue;
        cJSON *accessor = glb_item(&parts, "accessors", (int)glb_number(attributes, key, -1));
        auto kind =
            key == keys[0] ? draco::GeometryAttribute::POSITION : draco::GeometryAttribute::GENERIC;
        cJSON_AddNumberToObject(ids, key, add_attribute(parts, accessor, kind, mesh));
        accessors.push_back(accessor);
    }
    add_faces(parts, indices, mesh);

    draco::ExpertEncoder encoder(mesh);
    encoder.SetEncodingMethod(is_sequential ? draco::MESH_SEQUENTIAL_ENCODING
                                            : draco::MESH_EDGEBREAKER_ENCODING);
    encoder.SetTrackEncodedProperties(true);
    for (int i = 0; bits && i < mesh.num_attributes(); i++)
        if (mesh.attribute(i)->data_type() == draco::DT_FLOAT32)
            encoder.SetAttributeQuantization(i, bits);
    draco::EncoderBuffer buffer;
    draco::Status status = encoder.EncodeToBuffer(&buffer);
    if (!status.ok())
        give_up(status.error_msg());

    for (cJSON *accessor : accessors)
        drop_numbers(accessor, encoder.num_encoded_points());
    drop_numbers(indices, encoder.num_encoded_faces() * 3);
    cJSON *view = cJSON_CreateObject(), *views = cJSON_GetObjectItem(parts.json, "bufferViews");
    cJSON_AddNumberToObject(extension, "bufferView", cJSON_GetArraySize(views));
    cJSON_AddNumberToObject(view, "buffer", 0);
    cJSON_AddNumberToObject(view, "byteOffset",
                            (double)glb_append(&parts, buffer.data(), buffer.size()));
    cJSON_AddNumberToObject(view, "byteLength", (double)buffer.size());
    cJSON_AddItemToArray(views, view);
    glb_require(&parts, extension_name);
    return glb_close(&parts, packed_size);
}

extern "C" draco_answer draco_unpack_glb(const void *file, size_t size)
{
    glb_parts parts = glb_open(file, size);
    const cJSON *extension =
        cJSON_GetObjectItem(cJSON_GetObjectItem(primitive_of(parts), "extensions"), extension_name);
    const cJSON *view =
        glb_item(&parts, "bufferViews", (int)glb_number(extension, "bufferView", -1));
    auto id = static_cast<uint32_t>(
        glb_number(cJSON_GetObjectItem(extension, "attributes"), "POSITION", -1));
    auto mesh = decode(parts.data + (size_t)glb_number(view, "byteOffset", 0),
                       (size_t)glb_number(view, "byteLength", 0));
    const draco::PointAttribute *positions = mesh->GetAttributeByUniqueId(id);
    draco_answer answer = {};
    answer.points = mesh->num_points();
    answer.faces = mesh->num_faces();
    answer.positions = static_cast<float *>(std::malloc(answer.points * 3 * sizeof(float)));
    answer.indices = static_cast<uint32_t *>(std::malloc(answer.faces * 3 * sizeof(uint32_t)));
    for (uint32_t p = 0; p < answer.points; p++)
        positions->GetMappedValue(draco::PointIndex(p), answer.positions + p * 3);
    for (uint32_t i = 0; i < answer.faces * 3; i++)
        answer.indices[i] = mesh->face(draco::FaceIndex(i / 3))[i % 3].value();
    size_t unused;
    std::free(glb_close(&parts, &unused));
    return answer;
}
