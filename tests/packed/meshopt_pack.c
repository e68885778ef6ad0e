/* Views of a GLB by meshoptimizer's encoders. */
#include "pack.h"

#include <meshoptimizer.h>

#include <stdlib.h>
#include <string.h>

/* The streams of indices are of at least 16 bits; fewer are left as they are, as other sizes are.
 */
typedef struct stream {
    unsigned char *bytes;
    size_t size;
    const char *mode;
} stream;

static unsigned *widen(const unsigned char *numbers, size_t element, size_t count)
{
    unsigned *wide = malloc((count + 1) * sizeof *wide);
    for (size_t i = 0; i < count; i++) {
        wide[i] = 0;
        memcpy(&wide[i], numbers + i * element, element);
    }
    return wide;
}

static stream encode(const unsigned char *numbers, size_t element, size_t count, bool is_index,
                     bool is_sequence)
{
    stream result = {NULL, 0, "ATTRIBUTES"};
    if (!is_index) {
        size_t bound = meshopt_encodeVertexBufferBound(count, element);
        result.bytes = malloc(bound);
        result.size = meshopt_encodeVertexBuffer(result.bytes, bound, numbers, count, element);
        return result;
    }
    unsigned *wide = widen(numbers, element, count);
    size_t bound = meshopt_encodeIndexBufferBound(count, count) +
                   meshopt_encodeIndexSequenceBound(count, count);
    result.bytes = malloc(bound);
    result.mode = is_sequence ? "INDICES" : "TRIANGLES";
    result.size = is_sequence ? meshopt_encodeIndexSequence(result.bytes, bound, wide, count)
                              : meshopt_encodeIndexBuffer(result.bytes, bound, wide, count);
    free(wide);
    return result;
}

static bool is_index_accessor(const glb_parts *parts, int index)
{
    const cJSON *mesh, *primitive;
    cJSON_ArrayForEach(mesh, cJSON_GetObjectItem(parts->json, "meshes")) cJSON_ArrayForEach(
        primitive,
        cJSON_GetObjectItem(mesh, "primitives")) if ((int)glb_number(primitive, "indices", -1) ==
                                                     index) return true;
    return false;
}

/* Puts what the accessor's view holds into a stream behind all views. */
static void pack_view(glb_parts *parts, const cJSON *accessor, bool is_index, bool is_sequence)
{
    size_t element, count;
    const unsigned char *numbers = glb_numbers(parts, accessor, &element, &count);
    cJSON *view = glb_item(parts, "bufferViews", (int)glb_number(accessor, "bufferView", -1));
    stream packed = encode(numbers, element, count, is_index, is_sequence);
    size_t start = glb_append(parts, packed.bytes, packed.size);
    cJSON *extension = cJSON_AddObjectToObject(cJSON_AddObjectToObject(view, "extensions"),
                                               "EXT_meshopt_compression");
    cJSON_AddNumberToObject(extension, "buffer", 0);
    cJSON_AddNumberToObject(extension, "byteOffset", (double)start);
    cJSON_AddNumberToObject(extension, "byteLength", (double)packed.size);
    cJSON_AddNumberToObject(extension, "byteStride", (double)element);
    cJSON_AddNumberToObject(extension, "count", (double)count);
    cJSON_AddStringToObject(extension, "mode", packed.mode);
    cJSON_SetNumberValue(cJSON_GetObjectItem(view, "buffer"), 1);
    cJSON_SetNumberValue(cJSON_GetObjectItem(view, "byteLength"), (double)(element * count));
    free(packed.bytes);
}

/* A buffer that is a size alone. */
static void add_empty_buffer(glb_parts *parts, double size)
{
    cJSON *buffer = cJSON_CreateObject();
    cJSON_AddItemToArray(cJSON_GetObjectItem(parts->json, "buffers"), buffer);
    cJSON_AddNumberToObject(buffer, "byteLength", size);
    cJSON *extension = cJSON_AddObjectToObject(cJSON_AddObjectToObject(buffer, "extensions"),
                                               "EXT_meshopt_compression");
    cJSON_AddTrueToObject(extension, "fallback");
}

/* Takes the bytes away that the views had. */
static void forget(glb_parts *parts, size_t size)
{
    cJSON *view, *buffer = glb_item(parts, "buffers", 0);
    size = size / 4 * 4;
    parts->size -= size;
    memmove(parts->data, parts->data + size, parts->size);
    cJSON_SetNumberValue(cJSON_GetObjectItem(buffer, "byteLength"), (double)parts->size);
    cJSON_ArrayForEach(view, cJSON_GetObjectItem(parts->json, "bufferViews"))
    {
        cJSON *offset = cJSON_GetObjectItem(
            cJSON_GetObjectItem(cJSON_GetObjectItem(view, "extensions"), "EXT_meshopt_compression"),
            "byteOffset");
        if (offset)
            cJSON_SetNumberValue(offset, offset->valuedouble - (double)size);
    }
}

unsigned char *meshopt_pack_glb(const void *file, size_t size, bool is_sequence,
                                size_t *packed_size)
{
    glb_parts parts = glb_open(file, size);
    size_t plain = parts.size;
    int count = cJSON_GetArraySize(cJSON_GetObjectItem(parts.json, "accessors"));
    for (int i = 0; i < count; i++)
        pack_view(&parts, glb_item(&parts, "accessors", i), is_index_accessor(&parts, i),
                  is_sequence);
    add_empty_buffer(&parts, (double)plain);
    forget(&parts, plain);
    glb_require(&parts, "EXT_meshopt_compression");
    return glb_close(&parts, packed_size);
}
