/* What the fuzz targets share: an input as a file, a limit to memory, and the rest of the command
 * that parsers of it call.
 */
#ifndef GRAZE_TESTS_FUZZ_SUPPORT_H
#define GRAZE_TESTS_FUZZ_SUPPORT_H

#include <graze/rig.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

/* The path of a regular file that holds these bytes, until the next call. */
const char *fuzz_file(const void *bytes, size_t size);

/* From here on, until the end, so much may be alive beyond what is now, or the program stops: 64
 * times the size, and at least 256 MiB.
 */
void fuzz_limit_memory(size_t size);
void fuzz_end_limit(void);

/* The line that was printed since the last call, or ""; more than one stop the program. */
const char *fuzz_take_line(void);

/* A small skinned model of our own, made once. */
const graze_rig *fuzz_rig(void);
graze_rig *fuzz_make_rig(void);

#endif
