/* Texts of the reader and the writers: errors "FILE: what is wrong", on one line, and UTF-8. */
#ifndef GRAZEI_GLTF_ERRORS_H
#define GRAZEI_GLTF_ERRORS_H

#include <graze/base.h>

/* Room for a file's name in a text; of a longer one the end is kept. */
#define GRAZEI_GLTF_LABEL 112

void grazei_gltf_label(char *label, size_t size, const char *name);

/* Records the text (error may be NULL) and returns status. */
graze_status grazei_gltf_fail_path(graze_error *error, const char *path, graze_status status,
                                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* How many bytes the character at a text has, which ends with a zero; 0 if they are none of UTF-8.
 */
size_t grazei_gltf_utf8_length(const char *text);

/* What stands for a byte that is not of UTF-8. */
#define GRAZEI_GLTF_REPLACEMENT "\xEF\xBF\xBD"

#endif
