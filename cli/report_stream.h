/* Numbers as base64 text, little-endian whatever the machine is. */
#ifndef GRAZE_CLI_REPORT_STREAM_H
#define GRAZE_CLI_REPORT_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct number_stream {
    FILE *file;
    size_t size; /* bytes so far, as they were before base64 */
    unsigned char held[3];
} number_stream;

/* Starts a stream at the end of a file; stream_end writes what is held back, and its padding. */
number_stream stream_begin(FILE *file);
void stream_end(number_stream *stream);

void stream_u8(number_stream *stream, unsigned value);
void stream_u16(number_stream *stream, unsigned value);
void stream_u32(number_stream *stream, uint32_t value);
void stream_floats(number_stream *stream, const float *values, size_t count);
void stream_double(number_stream *stream, double value);

/* Seven bits a byte, the lowest first; the eighth says that more follow. Signed numbers alternate:
 * 0, -1, 1, -2, ...
 */
void stream_count(number_stream *stream, uint64_t value);
void stream_signed(number_stream *stream, int64_t value);

/* An index below count: two bytes if count is at most 65,536, else four. */
void stream_index(number_stream *stream, uint32_t value, uint32_t count);

/* Zeros up to the next multiple of four bytes. */
void stream_align(number_stream *stream);

#endif
