#include "web/write.h"

#include <stdlib.h>

FILE *web_json;
static FILE *binary;
static uint32_t written;

/* The file's numbers are this machine's, which is little-endian as WebAssembly is. */
void web_put(const char *name, char type, const void *numbers, size_t count)
{
    if (count && fwrite(numbers, 4, count, binary) != count)
        abort();
    fprintf(web_json, ",\n \"%s\": [\"%c\", %u, %zu]", name, type, written, count);
    written += (uint32_t)count;
}

void web_put_of(const char *name, uint32_t frame, char type, const void *numbers, size_t count)
{
    char full[64];
    snprintf(full, sizeof full, "%s%u", name, frame);
    web_put(full, type, numbers, count);
}

void *web_take(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        abort();
    return memory;
}

void web_check(graze_status status, const graze_error *error)
{
    if (!status)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(2);
}

/* Rows of influences of one length, and one field of displacements behind the other. */
void web_put_model(const graze_rig *rig)
{
    uint32_t most = 1, vertices = rig->vertex_count;
    for (uint32_t v = 0; rig->influence_offsets && v < vertices; v++) {
        uint32_t count = rig->influence_offsets[v + 1] - rig->influence_offsets[v];
        most = count > most ? count : most;
    }
    uint32_t *joints = web_take((size_t)vertices * most, 4);
    float *weights = web_take((size_t)vertices * most, 4);
    float *morphs = web_take((size_t)vertices * 3 * rig->morph_count, 4);
    for (uint32_t v = 0; v < vertices; v++) {
        uint32_t first = rig->influence_offsets[v];
        for (uint32_t i = first; i < rig->influence_offsets[v + 1]; i++) {
            joints[v * most + i - first] = rig->influences[i].joint;
            weights[v * most + i - first] = rig->influences[i].weight;
        }
    }
    for (uint32_t m = 0; m < rig->morph_count; m++)
        for (uint32_t i = 0; i < rig->morphs[m].count; i++)
            for (int k = 0; k < 3; k++)
                morphs[3 * ((size_t)m * vertices + rig->morphs[m].vertices[i]) + k] +=
                    rig->morphs[m].deltas[3 * i + k];
    fprintf(web_json, ",\n \"jointCount\": %u, \"influences\": %u, \"morphCount\": %u",
            rig->joint_count, most, rig->morph_count);
    web_put("positions", 'f', rig->positions, 3 * (size_t)vertices);
    web_put("triangles", 'u', rig->triangles, 3 * (size_t)rig->triangle_count);
    web_put("joints", 'u', joints, (size_t)vertices * most);
    web_put("weights", 'f', weights, (size_t)vertices * most);
    web_put("morphs", 'f', morphs, (size_t)vertices * 3 * rig->morph_count);
    uint32_t *same = web_take(rig->joint_count, 4);
    if (graze_rig_same_joints(rig, same))
        abort();
    web_put("same", 'u', same, rig->joint_count);
    free(same);
    float *rows = web_take((size_t)rig->joint_count * 12, 4);
    float *rest = web_take((size_t)rig->joint_count * 16, 4);
    float *rest_weights = web_take(rig->morph_count, 4);
    if (graze_rig_sample(rig, GRAZE_NONE, 0, rows, rest_weights))
        abort();
    web_to_columns(rows, rig->joint_count, rest);
    web_put("rest", 'f', rest, (size_t)rig->joint_count * 16);
    web_put("restWeights", 'f', rest_weights, rig->morph_count);
    free(rows);
    free(rest);
    free(rest_weights);
    free(joints);
    free(weights);
    free(morphs);
}

void web_to_columns(const float *rows, uint32_t count, float *columns)
{
    for (uint32_t j = 0; j < count; j++)
        for (int i = 0; i < 16; i++)
            columns[16 * j + i] = i % 4 < 3 ? rows[12 * j + i % 4 * 4 + i / 4] : i / 4 == 3;
}

void web_begin(const char *folder, uint32_t number)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%u.json", folder, number);
    web_json = fopen(path, "w");
    snprintf(path, sizeof path, "%s/%u.bin", folder, number);
    binary = fopen(path, "wb");
    if (!web_json || !binary)
        abort();
    written = 0;
}

void web_end(void)
{
    fprintf(web_json, "}\n");
    if (fclose(web_json) || fclose(binary))
        abort();
}
