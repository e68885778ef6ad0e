/* Model files as the command reads them: a row a format, within --max-memory; what a loader warns
 * of is told in the end.
 */
#ifndef GRAZE_CLI_MODEL_FILE_H
#define GRAZE_CLI_MODEL_FILE_H

#include <graze/rig.h>

/* Reads a file of one format into a rig, and asks for at most so many bytes (0: by the file's
 * size). It warns by output_warn().
 */
typedef graze_status model_loader(const char *path, uint64_t most, graze_rig **rig,
                                  graze_error *error);

/* The most that a model file may ask for, in megabytes (2^20 bytes), from here on. */
void model_file_limit(uint32_t megabytes);

/* Whether some format's names end as this one does. */
bool model_file_has_ending(const char *path);

/* The nodes and clips of a glTF file that may have no mesh. */
graze_status model_file_load_clips(const char *path, graze_rig **rig, graze_error *error);

graze_status model_file_load(const char *path, graze_rig **rig, graze_error *error);

#endif
