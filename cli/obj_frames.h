/* A folder of OBJ files as frames of one mesh. */
#ifndef GRAZE_CLI_OBJ_FRAMES_H
#define GRAZE_CLI_OBJ_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct obj_frames {
    char **paths; /* in the order of their names, numbers in them by value */
    uint32_t frame_count;
    uint32_t vertex_count, triangle_count; /* of the frames read */
    uint32_t *triangles;                   /* polygons as fans */
} obj_frames;

/* Whether the path is a folder. */
bool obj_frames_is_folder(const char *path);

/* Lists the folder. False after printing the error: it cannot be read, or has no OBJ files. */
bool obj_frames_open(obj_frames *frames, const char *folder);
void obj_frames_close(obj_frames *frames);

/* The positions of frames first .. first + count - 1, 3 floats a vertex, to be freed. All have as
 * many vertices, and the same triangles, as the first of them. NULL after printing the error, which
 * names the file.
 */
float *obj_frames_read(obj_frames *frames, uint32_t first, uint32_t count);

#endif
