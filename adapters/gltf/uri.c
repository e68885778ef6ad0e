/* What a buffer's URI stands for: base64 in the URI itself, or a file in the model's folder. */
#include "reader.h"

#include <string.h>

bool grazei_gltf_is_data_uri(const char *uri)
{
    return strncmp(uri, "data:", 5) == 0;
}

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes length digits; false if one is not a digit. */
static bool decode_base64(const char *digits, size_t length, unsigned char *bytes)
{
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < length; i++) {
        int digit = base64_digit(digits[i]);
        if (digit < 0)
            return false;
        bits = bits << 6 | (uint32_t)digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            *bytes++ = (unsigned char)(bits >> held);
        }
    }
    return true;
}

graze_status grazei_gltf_decode_data(grazei_gltf_reader *reader, const char *uri, const char *place,
                                     void **memory, size_t *size)
{
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || strncmp(comma - 7, ";base64", 7) != 0)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: a data: URI that is not base64",
                                place);
    const char *digits = comma + 1;
    size_t length = strlen(digits);
    for (int padding = 0; padding < 2 && length > 0 && digits[length - 1] == '='; padding++)
        length--;
    if (length % 4 == 1)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: base64 data is cut off", place);
    unsigned char *bytes = grazei_gltf_allocate(reader, length / 4 * 3 + length % 4, 1);
    if (!bytes)
        return GRAZE_OUT_OF_MEMORY;
    if (!decode_base64(digits, length, bytes)) {
        grazei_gltf_release(reader, bytes);
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: base64 data holds something that is no digit", place);
    }
    *memory = bytes;
    *size = length / 4 * 3 + (length % 4 ? length % 4 - 1 : 0);
    return GRAZE_OK;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* In place; false for a bad escape or an escaped zero. */
static bool percent_decode(char *text)
{
    char *out = text;
    while (*text) {
        if (*text != '%') {
            *out++ = *text++;
            continue;
        }
        int high = hex_digit(text[1]);
        int low = high < 0 ? -1 : hex_digit(text[2]);
        if (low < 0 || high * 16 + low == 0)
            return false;
        *out++ = (char)(high * 16 + low);
        text += 3;
    }
    *out = 0;
    return true;
}

/* True for a relative path none of whose parts is "..": it cannot leave the folder it is joined to.
 * A backslash or colon would be a separator, drive or scheme elsewhere, so they are refused too.
 */
static bool stays_inside(const char *path)
{
    if (*path == 0 || *path == '/' || strpbrk(path, "\\:"))
        return false;
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (part[0] == '.' && part[1] == '.' && (part[2] == '/' || part[2] == 0))
            return false;
    }
    return true;
}

static graze_status read_joined(grazei_gltf_reader *reader, const char *uri, const char *place,
                                char *path, uint64_t most, void **memory, size_t *size)
{
    size_t base = strlen(reader->base_path);
    memcpy(path, reader->base_path, base);
    if (base > 0 && path[base - 1] != '/')
        path[base++] = '/';
    memcpy(path + base, uri, strlen(uri) + 1);
    if (!percent_decode(path + base))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: bad %% escape in \"uri\" '%.80s'",
                                place, uri);
    if (!stays_inside(path + base))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: \"uri\" '%.80s' is not a file in the model's folder", place,
                                uri);
    grazei_gltf_place prefix = grazei_gltf_at("%s: '%.50s': ", place, uri);
    return grazei_gltf_read_file(reader, path, prefix.text, most, memory, size);
}

graze_status grazei_gltf_read_uri(grazei_gltf_reader *reader, const char *uri, const char *place,
                                  uint64_t most, void **memory, size_t *size)
{
    if (!reader->base_path)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: file '%.80s' is out of reach of a model in memory", place,
                                uri);
    char *path = grazei_gltf_allocate(reader, strlen(reader->base_path) + strlen(uri) + 2, 1);
    if (!path)
        return GRAZE_OUT_OF_MEMORY;
    graze_status status = read_joined(reader, uri, place, path, most, memory, size);
    grazei_gltf_release(reader, path);
    return status;
}
