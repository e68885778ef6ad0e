/* Meshes out of Draco's decoder. Everything that it throws is caught here. */
#include "draco_decode.h"

#include <draco/compression/decode.h>

#include <memory>
#include <new>

struct grazei_gltf_draco_mesh {
    std::unique_ptr<draco::Mesh> mesh;
};

namespace
{

template <class T>
bool take_values(const draco::Mesh &mesh, const draco::PointAttribute &from,
                 const grazei_gltf_draco_attribute &to, void *values)
{
    T *out = static_cast<T *>(values);
    for (draco::PointIndex point(0); point < mesh.num_points(); ++point, out += to.components) {
        draco::AttributeValueIndex index = from.mapped_index(point);
        if (index.value() >= from.size() ||
            !from.ConvertValue<T>(index, static_cast<int8_t>(to.components), out))
            return false;
    }
    return true;
}

bool take_attribute(const draco::Mesh &mesh, const grazei_gltf_draco_attribute &to, void *values)
{
    const draco::PointAttribute *from = mesh.GetAttributeByUniqueId(to.id);
    if (!from || from->num_components() != to.components)
        return false;
    /* the decoder would round where integers are asked of floats */
    bool is_real = from->data_type() == draco::DT_FLOAT32 || from->data_type() == draco::DT_FLOAT64;
    if (is_real && to.component_type != 5126)
        return false;
    /* the map from points to values is as long as there are points, or there is none */
    if (!from->is_mapping_identity() && from->indices_map_size() < mesh.num_points())
        return false;
    switch (to.component_type) {
    case 5120:
        return take_values<int8_t>(mesh, *from, to, values);
    case 5121:
        return take_values<uint8_t>(mesh, *from, to, values);
    case 5122:
        return take_values<int16_t>(mesh, *from, to, values);
    case 5123:
        return take_values<uint16_t>(mesh, *from, to, values);
    case 5125:
        return take_values<uint32_t>(mesh, *from, to, values);
    case 5126:
        return take_values<float>(mesh, *from, to, values);
    default:
        return false;
    }
}

bool take_indices(const draco::Mesh &mesh, uint32_t *out)
{
    for (draco::FaceIndex face(0); face < mesh.num_faces(); ++face)
        for (int i = 0; i < 3; i++) {
            uint32_t point = mesh.face(face)[i].value();
            if (point >= mesh.num_points())
                return false;
            *out++ = point;
        }
    return true;
}

grazei_gltf_draco_outcome decode(const unsigned char *data, size_t size,
                                 std::unique_ptr<grazei_gltf_draco_mesh> &made)
{
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char *>(data), size);
    draco::Decoder decoder;
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok() || !decoded.value())
        return GRAZEI_GLTF_DRACO_CORRUPT;
    made = std::make_unique<grazei_gltf_draco_mesh>();
    made->mesh = std::move(decoded).value();
    return GRAZEI_GLTF_DRACO_OK;
}

} // namespace

extern "C" grazei_gltf_draco_outcome grazei_gltf_draco_decode(const unsigned char *data,
                                                              size_t size,
                                                              grazei_gltf_draco_mesh **mesh,
                                                              uint32_t *faces, uint32_t *points)
{
    try {
        std::unique_ptr<grazei_gltf_draco_mesh> made;
        grazei_gltf_draco_outcome outcome = decode(data, size, made);
        if (outcome != GRAZEI_GLTF_DRACO_OK)
            return outcome;
        *faces = made->mesh->num_faces();
        *points = made->mesh->num_points();
        *mesh = made.release();
        return GRAZEI_GLTF_DRACO_OK;
    } catch (const std::bad_alloc &) {
        return GRAZEI_GLTF_DRACO_MEMORY;
    } catch (...) {
        return GRAZEI_GLTF_DRACO_CORRUPT;
    }
}

extern "C" void grazei_gltf_draco_release(grazei_gltf_draco_mesh *mesh)
{
    delete mesh;
}

extern "C" grazei_gltf_draco_outcome
grazei_gltf_draco_take_indices(const grazei_gltf_draco_mesh *mesh, uint32_t *indices)
{
    return take_indices(*mesh->mesh, indices) ? GRAZEI_GLTF_DRACO_OK : GRAZEI_GLTF_DRACO_CORRUPT;
}

extern "C" grazei_gltf_draco_outcome
grazei_gltf_draco_take_values(const grazei_gltf_draco_mesh *mesh,
                              const grazei_gltf_draco_attribute *attribute, void *values)
{
    try {
        return take_attribute(*mesh->mesh, *attribute, values) ? GRAZEI_GLTF_DRACO_OK
                                                               : GRAZEI_GLTF_DRACO_ATTRIBUTE;
    } catch (...) {
        return GRAZEI_GLTF_DRACO_ATTRIBUTE;
    }
}
