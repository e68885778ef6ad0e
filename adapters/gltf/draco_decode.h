/* Draco's decoder, in C++, as C sees it: no exception comes out, every size is given by the caller.
 */
#ifndef GRAZEI_GLTF_DRACO_DECODE_H
#define GRAZEI_GLTF_DRACO_DECODE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to take from a stream: an attribute by its number there. */
typedef struct grazei_gltf_draco_attribute {
    uint32_t id;
    uint32_t component_type; /* as in glTF: 5120 to 5126 */
    uint32_t components;
    void *values; /* room for point_count x components of them */
} grazei_gltf_draco_attribute;

typedef struct grazei_gltf_draco_mesh {
    uint32_t point_count;
    uint32_t face_count;
    uint32_t *indices; /* room for 3 a face */
    grazei_gltf_draco_attribute *attributes;
    uint32_t attribute_count;
} grazei_gltf_draco_mesh;

typedef enum grazei_gltf_draco_outcome {
    GRAZEI_GLTF_DRACO_OK,
    GRAZEI_GLTF_DRACO_CORRUPT,
    GRAZEI_GLTF_DRACO_COUNTS,    /* another number of faces or points */
    GRAZEI_GLTF_DRACO_ATTRIBUTE, /* one that is not there or cannot be of the type that is asked for
                                  */
    GRAZEI_GLTF_DRACO_MEMORY
} grazei_gltf_draco_outcome;

/* Fills indices and values of the mesh; indices lie below point_count. On ATTRIBUTE *failed is the
 * one that it is about.
 */
grazei_gltf_draco_outcome grazei_gltf_draco_decode(const unsigned char *data, size_t size,
                                                   const grazei_gltf_draco_mesh *mesh,
                                                   uint32_t *failed);

/* How many faces and points a stream says that it has, before anything is decoded: false if it is
 * no mesh of bitstream version 2.2 (the one that glTF allows), is cut off or contradicts itself. In
 * streams by Edgebreaker points are known only when they are decoded: then *least_points is the
 * least number. (draco_header.c)
 */
int grazei_gltf_draco_sizes(const unsigned char *data, size_t size, uint32_t *faces,
                            uint32_t *least_points);

#ifdef __cplusplus
}
#endif

#endif
