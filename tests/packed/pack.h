/* Compresses GLB files for tests, by the encoders of the libraries whose decoders the reader uses.
 */
#ifndef GRAZE_TESTS_PACKED_PACK_H
#define GRAZE_TESTS_PACKED_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A file taken apart: its JSON and its binary chunk, which grows. */
typedef struct glb_parts {
    cJSON *json;
    unsigned char *data;
    size_t size;
} glb_parts;

/* All of these end the program on a failure: their input is the tests' own. */
glb_parts glb_open(const void *file, size_t size);
/* The file again; must be freed. Releases the parts. */
unsigned char *glb_close(glb_parts *parts, size_t *size);
/* Appends bytes at a multiple of 4 and returns where. */
size_t glb_append(glb_parts *parts, const void *bytes, size_t size);
/* The numbers of an accessor, which lie packed. */
const unsigned char *glb_numbers(const glb_parts *parts, const cJSON *accessor, size_t *element,
                                 size_t *count);
double glb_number(const cJSON *object, const char *key, double fallback);
cJSON *glb_item(const glb_parts *parts, const char *table, int index);
/* Lists the name in extensionsUsed and extensionsRequired. */
void glb_require(glb_parts *parts, const char *extension);

/* Every view by meshoptimizer, without filters; the views' own buffer becomes one without data.
 * is_sequence: indices as a sequence, not as triangles. Each view has the numbers of one accessor.
 */
unsigned char *meshopt_pack_glb(const void *file, size_t size, bool is_sequence,
                                size_t *packed_size);

/* The first primitive of the first mesh by Draco: positions, joints, weights and indices. Of
 * sequential ones vertices and triangles keep their numbers. bits 0: floats are not quantised.
 */
unsigned char *draco_pack_glb(const void *file, size_t size, bool is_sequential, int bits,
                              size_t *packed_size);

/* What libdraco makes of the stream in bufferView `view`: 3 floats a point, 3 indices a triangle.
 */
typedef struct draco_answer {
    float *positions; /* both must be freed */
    uint32_t *indices;
    uint32_t points, faces;
} draco_answer;

draco_answer draco_unpack_glb(const void *file, size_t size);

#ifdef __cplusplus
}
#endif

#endif
