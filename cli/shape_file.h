/* A shape file, as graze fit writes it and people do by hand: the body parts of a model, volumes on
 * joints for them, and perhaps a coarser mesh in place of the model's own.
 *
 * Most of the command has it by way of character_load: with model_options.shape the character's
 * model is made over the file's parts (character.parts names them) and mesh, and character.fit are
 * its volumes.
 */
#ifndef GRAZE_CLI_SHAPE_FILE_H
#define GRAZE_CLI_SHAPE_FILE_H

#include <graze/ext/hitbox.h>
#include <graze/rig.h>

typedef struct shape_file {
    graze_part_names *parts;
    /* For graze_model_def; NULL: parts are joints. */
    uint32_t *triangle_parts, *vertex_parts;
    graze_hitbox_def *volumes; /* in the file's order: those of level 3 are inner ones */
    uint32_t volume_count;
    char *mesh; /* the path of the collision mesh's file; NULL: the model's own */
} shape_file;

/* Reads the shape of a model that is in the rig. Where the file names a collision mesh the rig gets
 * that one's triangles, weights and joints in place of its own, and keeps its nodes and clips. On
 * failure one line was printed, nothing is left to free but the rig, and false is returned.
 */
bool shape_file_read(shape_file *shape, const char *path, graze_rig *rig);
void shape_file_free(shape_file *shape);

/* The volumes as a fit of a model that was made with the shape's groups. What the file leaves out
 * is fitted: a volume of level 1 for a part that has none, up to `fine` of level 3. NULL after a
 * line on standard error.
 */
graze_hitboxes *shape_file_fit(const shape_file *shape, const char *path, uint32_t fine,
                               const graze_model *model);

#endif
