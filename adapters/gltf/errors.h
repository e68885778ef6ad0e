/* Error texts of the reader and the writers: "FILE: what is wrong", on one line. */
#ifndef GRAZEI_GLTF_ERRORS_H
#define GRAZEI_GLTF_ERRORS_H

#include <graze/base.h>

/* Room for a file's name in a text; of a longer one the end is kept. */
#define GRAZEI_GLTF_LABEL 112

void grazei_gltf_label(char *label, size_t size, const char *name);

/* Records the text (error may be NULL) and returns status. */
graze_status grazei_gltf_fail_path(graze_error *error, const char *path, graze_status status,
                                   const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
