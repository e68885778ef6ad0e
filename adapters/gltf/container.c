/* The outside of a glTF file: GLB chunks, the JSON text, versions and required extensions.
 *
 * cJSON takes the memory of its tree from malloc: its hooks are global, and Graze has no globals.
 * It nests at most 1000 deep and reads numbers right under any locale.
 */
#include "reader.h"

#include <stdio.h>
#include <string.h>

#define GLB_MAGIC 0x46546C67u
#define CHUNK_JSON 0x4E4F534Au
#define CHUNK_BINARY 0x004E4942u
/* What malloc takes beside a block. */
#define MALLOC_EXTRA 16

static uint32_t little_u32(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static graze_status fail_json(grazei_gltf_reader *reader, const unsigned char *text,
                              const unsigned char *end)
{
    unsigned line = 1;
    const unsigned char *start = text;
    for (const unsigned char *c = text; c < end; c++) {
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    }
    /* cJSON does not tell a lack of memory from an error in the text. */
    return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "line %u, column %zu: not valid JSON", line,
                            (size_t)(end - start) + 1);
}

/* What cJSON's tree of a text takes at most: an item for each value, which is the first of its
 * array or object or behind a comma, and each string by itself.
 */
static uint64_t cost_of_tree(const unsigned char *text, size_t size)
{
    uint64_t items = 1, strings = 0, characters = 0;
    bool in_string = false;
    for (size_t i = 0; i < size; i++) {
        if (in_string) {
            characters++;
            in_string = text[i] != '"';
            i += text[i] == '\\'; /* what follows it is no end */
        } else if (text[i] == '"') {
            in_string = true;
            strings++;
        } else {
            items += text[i] == ',' || text[i] == '[' || text[i] == '{';
        }
    }
    return items * (sizeof(cJSON) + MALLOC_EXTRA) + strings * (8 + MALLOC_EXTRA) + characters;
}

static graze_status parse_json(grazei_gltf_reader *reader, const unsigned char *text, size_t size)
{
    const char *end = (const char *)text;
    GRAZEI_GLTF_TRY(grazei_gltf_charge(reader, cost_of_tree(text, size)));
    reader->json = cJSON_ParseWithLengthOpts((const char *)text, size, &end, false);
    const unsigned char *rest = (const unsigned char *)end;
    if (!reader->json)
        return fail_json(reader, text, rest);
    while (rest < text + size && is_space(*rest))
        rest++;
    if (rest < text + size)
        return fail_json(reader, text, rest);
    if (!cJSON_IsObject(reader->json))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "the JSON text is not an object");
    return GRAZE_OK;
}

/* The chunk at offset; its bytes are data[offset + 8 .. offset + 8 + *length). */
static graze_status open_chunk(grazei_gltf_reader *reader, const unsigned char *data, size_t size,
                               size_t offset, uint32_t *length)
{
    if (size - offset < 8)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "byte %zu: GLB chunk header is cut off",
                                offset);
    *length = little_u32(data + offset);
    if (*length > size - offset - 8)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "byte %zu: GLB chunk of %u bytes, but only %zu follow", offset,
                                *length, size - offset - 8);
    return GRAZE_OK;
}

static graze_status open_glb(grazei_gltf_reader *reader, const unsigned char *data, size_t size)
{
    if (size < 12)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "GLB header is cut off");
    uint32_t version = little_u32(data + 4), total = little_u32(data + 8), length = 0;
    if (version != 2)
        return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "GLB version %u, not 2", version);
    if (total > size || total < 12)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "GLB length says %u bytes, the file has %zu", total, size);
    size = total;
    GRAZEI_GLTF_TRY(open_chunk(reader, data, size, 12, &length));
    if (little_u32(data + 16) != CHUNK_JSON)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "the first GLB chunk is not JSON");
    const unsigned char *text = data + 20;
    size_t text_size = length, offset = 20 + (size_t)length;
    if (offset < size) {
        GRAZEI_GLTF_TRY(open_chunk(reader, data, size, offset, &length));
        if (little_u32(data + offset + 4) == CHUNK_BINARY) {
            reader->binary = data + offset + 8;
            reader->binary_size = length;
        }
    }
    return parse_json(reader, text, text_size);
}

static graze_status check_version(grazei_gltf_reader *reader)
{
    const cJSON *asset;
    GRAZEI_GLTF_TRY(grazei_gltf_object(reader, reader->json, "asset", "top level", &asset));
    const cJSON *version = grazei_gltf_member(asset, "version");
    const cJSON *least = grazei_gltf_member(asset, "minVersion");
    if (!cJSON_IsString(version))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "asset: no \"version\"");
    if (strncmp(version->valuestring, "2.", 2) != 0)
        return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "asset: glTF version %.20s, not 2",
                                version->valuestring);
    if (cJSON_IsString(least) && strcmp(least->valuestring, "2.0") != 0)
        return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "asset: needs glTF version %.20s",
                                least->valuestring);
    return GRAZE_OK;
}

/* Extensions that a file may require: those that matter here, and those about looks alone. */
static bool is_known_extension(const char *name)
{
    static const char *const known[] = {
#ifdef GRAZEI_HAS_MESHOPT
        "EXT_meshopt_compression",
#endif
#ifdef GRAZEI_HAS_DRACO
        "KHR_draco_mesh_compression",
#endif
        "KHR_mesh_quantization",      "KHR_texture_transform", "KHR_texture_basisu",
        "EXT_texture_webp",           "EXT_texture_avif",      "MSFT_texture_dds",
        "KHR_lights_punctual",        "KHR_node_visibility"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return strncmp(name, "KHR_materials_", 14) == 0;
}

static graze_status check_extensions(grazei_gltf_reader *reader)
{
    const cJSON *required, *item;
    uint32_t count;
    GRAZEI_GLTF_TRY(grazei_gltf_array(reader, reader->json, "extensionsRequired", "top level",
                                      &required, &count));
    cJSON_ArrayForEach(item, required)
    {
        if (!cJSON_IsString(item))
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                    "extensionsRequired: an entry is not a string");
        if (is_known_extension(item->valuestring))
            continue;
        if (strcmp(item->valuestring, "EXT_meshopt_compression") == 0)
            return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, GRAZEI_GLTF_NEEDS_MESHOPT);
        if (strcmp(item->valuestring, "KHR_draco_mesh_compression") == 0)
            return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, GRAZEI_GLTF_NEEDS_DRACO);
        return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED,
                                "extensionsRequired: '%.80s' is not supported", item->valuestring);
    }
    return GRAZE_OK;
}

static graze_status make_tables(grazei_gltf_reader *reader)
{
    grazei_gltf_table *const tables[] = {&reader->buffers, &reader->views,     &reader->accessors,
                                         &reader->meshes,  &reader->skins,     &reader->nodes,
                                         &reader->scenes,  &reader->animations};
    static const char *const keys[] = {"buffers", "bufferViews", "accessors", "meshes",
                                       "skins",   "nodes",       "scenes",    "animations"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        GRAZEI_GLTF_TRY(
            grazei_gltf_make_table(reader, reader->json, keys[i], "top level", tables[i]));
    reader->buffer_data =
        grazei_gltf_allocate(reader, reader->buffers.count, sizeof *reader->buffer_data);
    reader->view_data =
        grazei_gltf_allocate(reader, reader->views.count, sizeof *reader->view_data);
    reader->accessor_data =
        grazei_gltf_allocate(reader, reader->accessors.count, sizeof *reader->accessor_data);
    reader->mesh_data =
        grazei_gltf_allocate(reader, reader->meshes.count, sizeof *reader->mesh_data);
    return reader->buffer_data && reader->view_data && reader->accessor_data && reader->mesh_data
               ? GRAZE_OK
               : GRAZE_OUT_OF_MEMORY;
}

graze_status grazei_gltf_open(grazei_gltf_reader *reader, const unsigned char *data, size_t size)
{
    if (size == 0)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "the file is empty");
    if (size >= 4 && little_u32(data) == GLB_MAGIC) {
        GRAZEI_GLTF_TRY(open_glb(reader, data, size));
    } else {
        size_t first = size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        while (first < size && is_space(data[first]))
            first++;
        if (first == size || data[first] != '{')
            return grazei_gltf_fail(
                reader, GRAZE_BAD_INPUT,
                "neither GLB nor glTF JSON: starts with neither 'glTF' nor '{'");
        GRAZEI_GLTF_TRY(parse_json(reader, data, size));
    }
    GRAZEI_GLTF_TRY(check_version(reader));
    GRAZEI_GLTF_TRY(check_extensions(reader));
    return make_tables(reader);
}
