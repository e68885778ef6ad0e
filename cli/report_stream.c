#include "cli/report_parts.h"

#include <string.h>

enum { GROUPS_PER_LINE = 256 }; /* of three bytes, four letters each */

static void write_group(number_stream *stream, const unsigned char bytes[3], int count)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = (unsigned)bytes[0] << 16 | (unsigned)bytes[1] << 8 | bytes[2];
    for (int i = 0; i < 4; i++)
        fputc(i <= count ? letters[bits >> (18 - 6 * i) & 63] : '=', stream->file);
}

number_stream stream_begin(FILE *file)
{
    return (number_stream){.file = file};
}

void stream_u8(number_stream *stream, unsigned value)
{
    stream->held[stream->size++ % 3] = (unsigned char)value;
    if (stream->size % 3)
        return;
    write_group(stream, stream->held, 3);
    if (stream->size % (3 * (size_t)GROUPS_PER_LINE) == 0)
        fputc('\n', stream->file);
}

void stream_end(number_stream *stream)
{
    int count = (int)(stream->size % 3);
    memset(stream->held + count, 0, (size_t)(3 - count));
    if (count)
        write_group(stream, stream->held, count);
}

void stream_u16(number_stream *stream, unsigned value)
{
    stream_u8(stream, value & 255);
    stream_u8(stream, value >> 8 & 255);
}

void stream_u32(number_stream *stream, uint32_t value)
{
    stream_u16(stream, value & 65535);
    stream_u16(stream, value >> 16);
}

void stream_floats(number_stream *stream, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        stream_u32(stream, bits);
    }
}

void stream_double(number_stream *stream, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    stream_u32(stream, (uint32_t)bits);
    stream_u32(stream, (uint32_t)(bits >> 32));
}

void stream_count(number_stream *stream, uint64_t value)
{
    for (; value > 127; value >>= 7)
        stream_u8(stream, 128 | (value & 127));
    stream_u8(stream, (unsigned)value);
}

void stream_signed(number_stream *stream, int64_t value)
{
    stream_count(stream, value < 0 ? 2 * (uint64_t)(-1 - value) + 1 : 2 * (uint64_t)value);
}

void stream_index(number_stream *stream, uint32_t value, uint32_t count)
{
    if (count <= 65536)
        stream_u16(stream, value);
    else
        stream_u32(stream, value);
}

void stream_align(number_stream *stream)
{
    while (stream->size % 4)
        stream_u8(stream, 0);
}
