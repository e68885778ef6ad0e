/* Buffers, read when first needed, and views into them. */
#include "reader.h"

static graze_status fetch_buffer(grazei_gltf_reader *reader, uint32_t index, const char *place,
                                 uint64_t length, const unsigned char **data, size_t *size)
{
    grazei_gltf_buffer *buffer = &reader->buffer_data[index];
    const cJSON *uri = grazei_gltf_member(reader->buffers.items[index], "uri");
    if (!uri) {
        if (index != 0 || !reader->binary)
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                    "%s: no \"uri\" and no GLB binary chunk for it", place);
        *data = reader->binary;
        *size = reader->binary_size;
        return GRAZE_OK;
    }
    if (!cJSON_IsString(uri))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: \"uri\" is not a string", place);
    const char *text = uri->valuestring;
    if (grazei_gltf_is_data_uri(text))
        GRAZEI_GLTF_TRY(grazei_gltf_decode_data(reader, text, place, &buffer->owned, size));
    else
        GRAZEI_GLTF_TRY(grazei_gltf_read_uri(reader, text, place, length, &buffer->owned, size));
    *data = buffer->owned;
    return GRAZE_OK;
}

static graze_status load_buffer(grazei_gltf_reader *reader, uint32_t index)
{
    grazei_gltf_buffer *buffer = &reader->buffer_data[index];
    if (buffer->data)
        return GRAZE_OK;
    grazei_gltf_place place = grazei_gltf_at("buffers[%u]", index);
    const unsigned char *data = NULL;
    size_t size = 0;
    uint64_t length;
    grazei_gltf_enter(reader, "%s", place.text);
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, reader->buffers.items[index], "byteLength", place.text,
                                     0, &length));
    if (length == 0)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no \"byteLength\"", place.text);
    GRAZEI_GLTF_TRY(fetch_buffer(reader, index, place.text, length, &data, &size));
    if (length > size)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: byteLength is %llu, but there are %zu bytes", place.text,
                                (unsigned long long)length, size);
    buffer->data = data;
    buffer->size = (size_t)length;
    return GRAZE_OK;
}

graze_status grazei_gltf_open_bytes(grazei_gltf_reader *reader, const cJSON *json,
                                    const char *place, grazei_gltf_view *view)
{
    uint32_t buffer;
    uint64_t offset, length, stride;
    GRAZEI_GLTF_TRY(
        grazei_gltf_index(reader, json, "buffer", place, reader->buffers.count, &buffer));
    if (buffer == GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no \"buffer\"", place);
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, json, "byteOffset", place, 0, &offset));
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, json, "byteLength", place, 0, &length));
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, json, "byteStride", place, 0, &stride));
    if (length == 0)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no \"byteLength\"", place);
    GRAZEI_GLTF_TRY(load_buffer(reader, buffer));
    const grazei_gltf_buffer *source = &reader->buffer_data[buffer];
    if (offset > source->size || length > source->size - offset)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: byte range %llu..%llu exceeds buffer %u of %zu bytes", place,
                                (unsigned long long)offset, (unsigned long long)(offset + length),
                                buffer, source->size);
    view->data = source->data + offset;
    view->size = (size_t)length;
    view->stride = (size_t)stride;
    return GRAZE_OK;
}

/* A compressed view's own range is a size alone, unless its file has the same uncompressed, too. */
static graze_status open_packed(grazei_gltf_reader *reader, uint32_t index, const char *place,
                                const cJSON *extension, grazei_gltf_view *view)
{
    uint64_t length, stride;
    const cJSON *json = reader->views.items[index];
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, json, "byteLength", place, 0, &length));
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, json, "byteStride", place, 0, &stride));
    if (length == 0 || (size_t)length != length)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no \"byteLength\"", place);
    view->size = (size_t)length;
    view->stride = (size_t)stride;
    GRAZEI_GLTF_TRY(grazei_gltf_unpack_view(reader, index, extension, view->size, &view->data));
    return view->data ? GRAZE_OK : grazei_gltf_open_bytes(reader, json, place, view);
}

graze_status grazei_gltf_open_view(grazei_gltf_reader *reader, uint32_t index,
                                   grazei_gltf_view *view)
{
    grazei_gltf_opened_view *known = &reader->view_data[index];
    if (known->view.data) {
        *view = known->view;
        return GRAZE_OK;
    }
    grazei_gltf_place place = grazei_gltf_at("bufferViews[%u]", index), outside = reader->where;
    const cJSON *json = reader->views.items[index], *extension;
    reader->where = place;
    GRAZEI_GLTF_TRY(grazei_gltf_meshopt_extension(reader, json, place.text, &extension));
    if (extension)
        GRAZEI_GLTF_TRY(open_packed(reader, index, place.text, extension, view));
    else
        GRAZEI_GLTF_TRY(grazei_gltf_open_bytes(reader, json, place.text, view));
    if (view->stride > 252)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: byteStride %zu is over 252",
                                place.text, view->stride);
    known->view = *view;
    reader->where = outside;
    return GRAZE_OK;
}
