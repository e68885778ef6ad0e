/* Bytes gathered in memory, numbers as text, and files that appear whole or not at all. */
#ifndef GRAZEI_GLTF_OUTPUT_H
#define GRAZEI_GLTF_OUTPUT_H

#include "errors.h"

#include <stdio.h>

/* A growing array of bytes. After a failure it takes nothing more and says so in failed. */
typedef struct grazei_gltf_bytes {
    graze_allocator allocator;
    unsigned char *data;
    size_t size;
    size_t capacity;
    bool failed;
} grazei_gltf_bytes;

void grazei_gltf_put(grazei_gltf_bytes *bytes, const void *data, size_t size);
void grazei_gltf_print(grazei_gltf_bytes *bytes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Quoted and escaped for JSON. */
void grazei_gltf_put_string(grazei_gltf_bytes *bytes, const char *text);
/* [1,2.5,...] */
void grazei_gltf_put_numbers(grazei_gltf_bytes *bytes, const float *values, uint32_t count);
/* Fills up with the byte to a multiple of 4. */
void grazei_gltf_align(grazei_gltf_bytes *bytes, char filler);
void grazei_gltf_free_bytes(grazei_gltf_bytes *bytes);

/* A finite float as %.9g with a point, whatever the locale; returns the length. */
size_t grazei_gltf_format_number(char text[32], float value);

/* A file that is written under another name and renamed when it is complete. Devices, pipes and
 * symbolic links are written in place.
 */
typedef struct grazei_gltf_output {
    FILE *file;
    const char *path;
    char *temporary; /* NULL if written in place */
    graze_allocator allocator;
    graze_error *error;
} grazei_gltf_output;

graze_status grazei_gltf_begin_output(grazei_gltf_output *output, const char *path,
                                      const graze_allocator *allocator, graze_error *error);
/* Ends what was begun: the file is in its place on GRAZE_OK, and gone otherwise. */
graze_status grazei_gltf_end_output(grazei_gltf_output *output);

#endif
