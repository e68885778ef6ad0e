/* Buffer views compressed by meshoptimizer: EXT_meshopt_compression. The stream lies in another
 * range of bytes than the view's own, which may have none: its buffer then is a size without data.
 *
 * What the extension allows is checked here first, since the decoders stop the program on the rest.
 */
#include "reader.h"

#include <string.h>

#define EXTENSION "EXT_meshopt_compression"

graze_status grazei_gltf_meshopt_extension(grazei_gltf_reader *reader, const cJSON *view,
                                           const char *place, const cJSON **extension)
{
    const cJSON *extensions = grazei_gltf_member(view, "extensions");
    *extension = NULL;
    if (!grazei_gltf_member(extensions, EXTENSION))
        return GRAZE_OK;
    return grazei_gltf_object(reader, extensions, EXTENSION, place, extension);
}

#ifdef GRAZEI_HAS_MESHOPT

#include <meshoptimizer.h>

typedef enum stream_mode { MODE_ATTRIBUTES, MODE_TRIANGLES, MODE_INDICES } stream_mode;
typedef enum stream_filter {
    FILTER_NONE,
    FILTER_OCTAHEDRAL,
    FILTER_QUATERNION,
    FILTER_EXPONENTIAL
} stream_filter;

typedef struct packed_stream {
    stream_mode mode;
    stream_filter filter;
    size_t count, stride;
    grazei_gltf_view bytes;
} packed_stream;

/* The place of the member's text in a list of words, or fallback if there is no such member. */
static graze_status read_word(grazei_gltf_reader *reader, const cJSON *json, const char *key,
                              const char *place, const char *const *words, int count, int fallback,
                              int *chosen)
{
    const cJSON *item = grazei_gltf_member(json, key);
    *chosen = fallback;
    if (!item && fallback >= 0)
        return GRAZE_OK;
    for (int i = 0; i < count && cJSON_IsString(item); i++) {
        if (strcmp(item->valuestring, words[i]) == 0) {
            *chosen = i;
            return GRAZE_OK;
        }
    }
    return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no known \"%s\"", place, key);
}

/* What the decoders count on. */
static bool is_allowed(const packed_stream *stream)
{
    size_t stride = stream->stride;
    if (stream->mode != MODE_ATTRIBUTES)
        return (stride == 2 || stride == 4) && stream->filter == FILTER_NONE &&
               (stream->mode == MODE_INDICES || stream->count % 3 == 0);
    if (stride == 0 || stride > 256 || stride % 4 != 0)
        return false;
    if (stream->filter == FILTER_OCTAHEDRAL)
        return stride == 4 || stride == 8;
    return stream->filter != FILTER_QUATERNION || stride == 8;
}

/* Can so many bytes hold so much? An index takes at least a byte a triangle or a byte an index; of
 * attributes, 64 bytes that stand one below the other take at least one.
 */
static bool is_plausible(const packed_stream *stream)
{
    size_t bytes = stream->bytes.size;
    if (stream->mode == MODE_ATTRIBUTES)
        return stream->count * stream->stride / 64 <= bytes;
    return stream->count / (stream->mode == MODE_TRIANGLES ? 3 : 1) <= bytes;
}

static graze_status open_stream(grazei_gltf_reader *reader, const cJSON *extension,
                                const char *place, size_t decoded_size, packed_stream *stream)
{
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
    int mode, filter;
    uint64_t count;
    GRAZEI_GLTF_TRY(read_word(reader, extension, "mode", place, modes, 3, -1, &mode));
    GRAZEI_GLTF_TRY(read_word(reader, extension, "filter", place, filters, 4, 0, &filter));
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, extension, "count", place, 0, &count));
    GRAZEI_GLTF_TRY(grazei_gltf_open_bytes(reader, extension, place, &stream->bytes));
    stream->mode = (stream_mode)mode;
    stream->filter = (stream_filter)filter;
    stream->count = (size_t)count;
    stream->stride = stream->bytes.stride;
    if (!is_allowed(stream))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: byteStride %zu and count %llu do not go with mode and filter",
                                place, stream->stride, (unsigned long long)count);
    if (count == 0 || count > decoded_size || count * stream->stride != decoded_size)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: %llu elements of %zu bytes do not fill the view of %zu", place,
                                (unsigned long long)count, stream->stride, decoded_size);
    if (!is_plausible(stream))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: a meshopt stream of %zu bytes does not hold %llu elements",
                                place, stream->bytes.size, (unsigned long long)count);
    return GRAZE_OK;
}

static bool decode(const packed_stream *stream, unsigned char *out)
{
    const unsigned char *data = stream->bytes.data;
    size_t count = stream->count, stride = stream->stride, size = stream->bytes.size;
    if (stream->mode == MODE_TRIANGLES)
        return meshopt_decodeIndexBuffer(out, count, stride, data, size) == 0;
    if (stream->mode == MODE_INDICES)
        return meshopt_decodeIndexSequence(out, count, stride, data, size) == 0;
    if (meshopt_decodeVertexBuffer(out, count, stride, data, size) != 0)
        return false;
    if (stream->filter == FILTER_OCTAHEDRAL)
        meshopt_decodeFilterOct(out, count, stride);
    else if (stream->filter == FILTER_QUATERNION)
        meshopt_decodeFilterQuat(out, count, stride);
    else if (stream->filter == FILTER_EXPONENTIAL)
        meshopt_decodeFilterExp(out, count, stride);
    return true;
}

graze_status grazei_gltf_unpack_view(grazei_gltf_reader *reader, uint32_t index,
                                     const cJSON *extension, size_t size,
                                     const unsigned char **data)
{
    grazei_gltf_place place = grazei_gltf_at("bufferViews[%u]." EXTENSION, index);
    packed_stream stream;
    GRAZEI_GLTF_TRY(open_stream(reader, extension, place.text, size, &stream));
    unsigned char *unpacked = grazei_gltf_allocate(reader, size, 1);
    if (!unpacked)
        return GRAZE_OUT_OF_MEMORY;
    reader->view_data[index].unpacked = unpacked;
    if (!decode(&stream, unpacked))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: the meshopt stream is corrupt or cut off", place.text);
    *data = unpacked;
    return GRAZE_OK;
}

#else

/* Some files have the same data uncompressed, too: then *data stays NULL. */
graze_status grazei_gltf_unpack_view(grazei_gltf_reader *reader, uint32_t index,
                                     const cJSON *extension, size_t size,
                                     const unsigned char **data)
{
    grazei_gltf_place place = grazei_gltf_at("bufferViews[%u]", index);
    uint32_t buffer;
    (void)extension, (void)size;
    *data = NULL;
    GRAZEI_GLTF_TRY(grazei_gltf_index(reader, reader->views.items[index], "buffer", place.text,
                                      reader->buffers.count, &buffer));
    bool is_empty = buffer != GRAZE_NONE && !(buffer == 0 && reader->binary) &&
                    !grazei_gltf_member(reader->buffers.items[buffer], "uri");
    if (!is_empty)
        return GRAZE_OK;
    return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "%s: " GRAZEI_GLTF_NEEDS_MESHOPT,
                            place.text);
}

#endif
