/* Draco's decoder, in C++, as C sees it: no exception comes out, every size is given by the caller.
 */
#ifndef GRAZEI_GLTF_DRACO_DECODE_H
#define GRAZEI_GLTF_DRACO_DECODE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mesh that was decoded. */
typedef struct grazei_gltf_draco_mesh grazei_gltf_draco_mesh;

/* What to take from it: an attribute by its number there. */
typedef struct grazei_gltf_draco_attribute {
    uint32_t id;
    uint32_t component_type; /* as in glTF: 5120 to 5126 */
    uint32_t components;
} grazei_gltf_draco_attribute;

typedef enum grazei_gltf_draco_outcome {
    GRAZEI_GLTF_DRACO_OK,
    GRAZEI_GLTF_DRACO_CORRUPT,
    GRAZEI_GLTF_DRACO_ATTRIBUTE, /* not there, or it cannot be of the type that is asked for */
    GRAZEI_GLTF_DRACO_MEMORY
} grazei_gltf_draco_outcome;

/* Decodes a stream. On OK *mesh is to be released, and says how many faces and points it has. */
grazei_gltf_draco_outcome grazei_gltf_draco_decode(const unsigned char *data, size_t size,
                                                   grazei_gltf_draco_mesh **mesh, uint32_t *faces,
                                                   uint32_t *points);
void grazei_gltf_draco_release(grazei_gltf_draco_mesh *mesh);

/* Fills 3 indices a face, below the number of points. */
grazei_gltf_draco_outcome grazei_gltf_draco_take_indices(const grazei_gltf_draco_mesh *mesh,
                                                         uint32_t *indices);
/* Fills values: the components of every point. */
grazei_gltf_draco_outcome
grazei_gltf_draco_take_values(const grazei_gltf_draco_mesh *mesh,
                              const grazei_gltf_draco_attribute *attribute, void *values);

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
