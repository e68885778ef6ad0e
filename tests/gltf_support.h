/* For the tests of the glTF adapter: a small valid model (a skinned, morphed and animated square)
 * to break in many ways.
 */
#ifndef GRAZE_TESTS_GLTF_SUPPORT_H
#define GRAZE_TESTS_GLTF_SUPPORT_H

#include <graze/gltf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the small model -------------------------------------------------------------------- */

typedef struct small_data {
    float positions[4][3];      /* at byte 0 */
    uint16_t indices[6];        /* 48 */
    uint8_t joints[4][4];       /* 60 */
    float weights[4][4];        /* 76 */
    float inverse_binds[2][16]; /* 140, columns */
    float times[3];             /* 268 */
    float rotations[3][4];      /* 280 */
    float displacements[4][3];  /* 328 */
    float morph_weights[3];     /* 376 */
} small_data;                   /* 388 */

static const small_data small_values = {
    .positions = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0, 2, 0}},
    .indices = {0, 1, 2, 0, 2, 3},
    .joints = {{0, 1, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}},
    .weights = {{1, 0, 0, 0}, {0.75f, 0.25f, 0, 0}, {0.5f, 0.5f, 0, 0}, {1, 0, 0, 0}},
    .inverse_binds = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                      {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1}},
    .times = {0, 1, 2},
    .rotations = {{0, 0, 0, 1}, {0, 0, 0.70710678f, 0.70710678f}, {0, 0, 1, 0}},
    .displacements = {{0, 0, 0}, {0, 0, 0.5f}, {0, 0, 0}, {0, 0.25f, 0}},
    .morph_weights = {0, 1, 0.5f},
};

#define SMALL_VIEW(offset, length)                                                                 \
    "{\"buffer\":0,\"byteOffset\":" #offset ",\"byteLength\":" #length "}"
#define SMALL_ACCESSOR(view, component, count, type)                                               \
    "{\"bufferView\":" #view ",\"componentType\":" #component ",\"count\":" #count                 \
    ",\"type\":\"" type "\"}"

/* The JSON text up to and with the buffer's byteLength. */
static const char small_json
    [] = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,2]}],"
         "\"nodes\":[{\"name\":\"hip\",\"children\":[1]},"
         "{\"name\":\"knee\",\"translation\":[0,1,0],\"rotation\":[0,0,0,1]},"
         "{\"name\":\"square\",\"mesh\":0,\"skin\":0}],"
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,\"WEIGHTS_"
         "0\":3},"
         "\"indices\":1,\"targets\":[{\"POSITION\":7}]}],\"weights\":[0.25]}],"
         "\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":4}],"
         "\"animations\":[{\"name\":\"bend\",\"samplers\":[{\"input\":5,\"output\":6,"
         "\"interpolation\":\"LINEAR\"},{\"input\":5,\"output\":8}],"
         "\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
         "{\"sampler\":1,\"target\":{\"node\":2,\"path\":\"weights\"}}]}],"
         "\"accessors\":[" SMALL_ACCESSOR(0, 5126, 4, "VEC3") "," SMALL_ACCESSOR(
             1, 5123, 6,
             "SCALAR") "," SMALL_ACCESSOR(2, 5121, 4,
                                          "VEC4") "," SMALL_ACCESSOR(3, 5126, 4,
                                                                     "VEC4") "," SMALL_ACCESSOR(4,
                                                                                                5126,
                                                                                                2,
                                                                                                "MA"
                                                                                                "T"
                                                                                                "4") "," SMALL_ACCESSOR(5, 5126, 3, "SCALAR") "," SMALL_ACCESSOR(6, 5126, 3, "VEC4") "," SMALL_ACCESSOR(7, 5126, 4, "VEC3") "," SMALL_ACCESSOR(8, 5126, 3, "SCALAR") "],"
                                                                                                                                                                                                                                                                     "\"bufferViews\":[" SMALL_VIEW(0,
                                                                                                                                                                                                                                                                                                    48) "," SMALL_VIEW(48,
                                                                                                                                                                                                                                                                                                                       12) "," SMALL_VIEW(60, 16) "," SMALL_VIEW(76,
                                                                                                                                                                                                                                                                                                                                                                 64) "," SMALL_VIEW(140,
                                                                                                                                                                                                                                                                                                                                                                                    128) "," SMALL_VIEW(268,
                                                                                                                                                                                                                                                                                                                                                                                                        12) "," SMALL_VIEW(280, 48) "," SMALL_VIEW(328, 48) "," SMALL_VIEW(376,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                           12) "],"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                               "\"buffers\":[{\"byteLength\":388";

/* A file in memory; data must be freed. */
typedef struct small_file {
    unsigned char *data;
    size_t size;
} small_file;

static inline void small_put(small_file *file, const void *data, size_t size)
{
    file->data = realloc(file->data, file->size + size);
    memcpy(file->data + file->size, data, size);
    file->size += size;
}

static inline void small_put_u32(small_file *file, uint32_t value)
{
    const unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8),
                                    (unsigned char)(value >> 16), (unsigned char)(value >> 24)};
    small_put(file, bytes, 4);
}

/* A GLB of any JSON text and data. */
static inline small_file small_frame(const char *json, const void *data, size_t size)
{
    small_file file = {NULL, 0};
    size_t length = strlen(json), padded = (length + 3) / 4 * 4;
    small_put(&file, "glTF", 4);
    small_put_u32(&file, 2);
    small_put_u32(&file, (uint32_t)(28 + padded + size));
    small_put_u32(&file, (uint32_t)padded);
    small_put(&file, "JSON", 4);
    small_put(&file, json, length);
    small_put(&file, "   ", padded - length);
    small_put_u32(&file, (uint32_t)size);
    small_put(&file, "BIN", 4);
    small_put(&file, data, size);
    return file;
}

/* The small model as a GLB, with the first from in its JSON replaced by to (NULL: as it is). */
static inline small_file small_glb(const small_data *values, const char *from, const char *to)
{
    char *json = malloc(sizeof small_json + 64 + (to ? strlen(to) : 0));
    const char *hit = from ? strstr(small_json, from) : NULL;
    if (hit)
        sprintf(json, "%.*s%s%s}]}", (int)(hit - small_json), small_json, to, hit + strlen(from));
    else
        sprintf(json, "%s}]}", small_json);
    small_file file = small_frame(json, values, sizeof *values);
    free(json);
    return file;
}

/* The small model as JSON text with its data in a data: URI. */
static inline small_file small_gltf(const small_data *values)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char uri[] = ",\"uri\":\"data:application/octet-stream;base64,";
    const unsigned char *bytes = (const unsigned char *)values;
    small_file file = {NULL, 0};
    small_put(&file, small_json, strlen(small_json));
    small_put(&file, uri, strlen(uri));
    for (size_t i = 0; i < sizeof *values; i += 3) {
        size_t left = sizeof *values - i;
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= left > 2 ? bytes[i + 2] : 0;
        char group[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
                         left > 1 ? digits[bits >> 6 & 63] : '=',
                         left > 2 ? digits[bits & 63] : '='};
        small_put(&file, group, 4);
    }
    small_put(&file, "\"}]}", 4);
    return file;
}

/* --- posing ----------------------------------------------------------------------------- */

/* Linear skinning of the whole rig in double, 3 numbers a vertex; must be freed. NULL on failure.
 */
static inline double *pose_rig(const graze_rig *rig, uint32_t clip, double time)
{
    float *joints = malloc((size_t)rig->joint_count * 12 * sizeof *joints);
    float *weights = malloc((rig->morph_count + 1u) * sizeof *weights);
    double *rest = malloc((size_t)rig->vertex_count * 3 * sizeof *rest);
    double *posed = calloc((size_t)rig->vertex_count * 3, sizeof *posed);
    bool good = graze_rig_sample(rig, clip, time, joints, weights) == GRAZE_OK;
    for (size_t i = 0; i < (size_t)rig->vertex_count * 3; i++)
        rest[i] = rig->positions[i];
    for (uint32_t m = 0; good && m < rig->morph_count; m++)
        for (uint32_t k = 0; k < rig->morphs[m].count * 3; k++)
            rest[rig->morphs[m].vertices[k / 3] * 3 + k % 3] +=
                (double)weights[m] * rig->morphs[m].deltas[k];
    for (uint32_t v = 0; good && v < rig->vertex_count; v++) {
        double sum = 0;
        for (uint32_t i = rig->influence_offsets[v]; i < rig->influence_offsets[v + 1]; i++)
            sum += rig->influences[i].weight;
        for (uint32_t i = rig->influence_offsets[v]; i < rig->influence_offsets[v + 1]; i++) {
            const float *m = joints + (size_t)rig->influences[i].joint * 12;
            const double *p = rest + (size_t)v * 3;
            for (int row = 0; row < 3; row++, m += 4)
                posed[(size_t)v * 3 + row] += rig->influences[i].weight / sum *
                                              (m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3]);
        }
    }
    free(joints);
    free(weights);
    free(rest);
    if (!good) {
        free(posed);
        posed = NULL;
    }
    return posed;
}

#endif
