/* The sizes that a Draco stream declares, read before its decoder takes memory by them; and what of
 * it would make the decoder's work unbounded. After the bitstream specification, version 2.2.
 */
#include "draco_decode.h"

#include <stdbool.h>
#include <string.h>

enum { TRIANGULAR_MESH = 1 };
enum { METHOD_SEQUENTIAL = 0, METHOD_EDGEBREAKER = 1 };
#define FLAG_METADATA 0x8000u
/* Descriptions of other uses than glTF's: some are skipped, a tree of them is not. */
#define MAX_DESCRIPTIONS 256u

typedef struct cursor {
    const unsigned char *data;
    size_t left;
    bool failed;
} cursor;

static uint32_t take_byte(cursor *at)
{
    if (at->left == 0) {
        at->failed = true;
        return 0;
    }
    at->left--;
    return *at->data++;
}

static void skip(cursor *at, size_t bytes)
{
    if (bytes > at->left) {
        at->failed = true;
        bytes = at->left;
    }
    at->data += bytes;
    at->left -= bytes;
}

/* Seven bits a byte, the lowest first; at most 32 bits. */
static uint32_t take_number(cursor *at)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        uint32_t byte = take_byte(at);
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            at->failed = at->failed || value > UINT32_MAX;
            return (uint32_t)value;
        }
    }
    at->failed = true;
    return 0;
}

/* One description without those inside it, of which it returns the number. */
static uint32_t skip_description(cursor *at)
{
    uint32_t entries = take_number(at);
    for (uint32_t i = 0; i < entries && !at->failed; i++) {
        skip(at, take_byte(at));
        skip(at, take_number(at));
    }
    return take_number(at);
}

static void skip_metadata(cursor *at)
{
    uint32_t attributes = take_number(at), seen = 0;
    for (uint64_t i = 0; i <= attributes && !at->failed; i++) {
        if (i < attributes)
            take_number(at); /* which one; the last description is the mesh's own */
        uint64_t open = skip_description(at);
        for (; open > 0 && !at->failed; open--) {
            at->failed = at->failed || ++seen > MAX_DESCRIPTIONS;
            skip(at, take_byte(at)); /* its name */
            open += skip_description(at);
        }
        at->failed = at->failed || ++seen > MAX_DESCRIPTIONS;
    }
}

int grazei_gltf_draco_sizes(const unsigned char *data, size_t size, uint32_t *faces,
                            uint32_t *least_points)
{
    cursor at = {data, size, false};
    if (size < 11 || memcmp(data, "DRACO\x02\x02", 7) != 0 || data[7] != TRIANGULAR_MESH)
        return 0;
    uint32_t method = data[8], flags = data[9] | (uint32_t)data[10] << 8;
    skip(&at, 11);
    if (flags & FLAG_METADATA)
        skip_metadata(&at);
    if (method == METHOD_SEQUENTIAL) {
        *faces = take_number(&at);
        *least_points = take_number(&at);
    } else if (method == METHOD_EDGEBREAKER) {
        take_byte(&at); /* how the traversal is coded */
        *least_points = take_number(&at);
        *faces = take_number(&at);
        take_byte(&at); /* how many attributes have seams */
        uint32_t symbols = take_number(&at), splits = take_number(&at);
        at.failed = at.failed || symbols > *faces || splits > symbols;
    } else {
        return 0;
    }
    return !at.failed;
}
