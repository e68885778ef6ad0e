/* Any bytes as a shape file of a small model: read, and if that succeeds made a model and its fit.
 */
#include "support.h"

#include "cli/shape_file.h"

#include <stdlib.h>
#include <string.h>

static void fit(const shape_file *shape, const char *path, const graze_rig *rig)
{
    graze_model_def def = graze_rig_model_def(rig);
    graze_model *model = NULL;
    if (shape->triangle_parts) {
        def.triangle_parts = shape->triangle_parts;
        def.vertex_parts = shape->vertex_parts;
        def.part_count = graze_part_count(shape->parts);
    }
    if (graze_model_create(&def, &model, NULL))
        abort();
    graze_hitboxes *made = shape_file_fit(shape, path, 4, model);
    if (!made == !fuzz_take_line()[0])
        abort();
    graze_hitboxes_destroy(made);
    graze_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static graze_rig *rig;
    shape_file shape = {.parts = NULL};
    const char *path = fuzz_file(input, size);
    rig = rig ? rig : fuzz_make_rig();
    fuzz_limit_memory(size);
    bool read = shape_file_read(&shape, path, rig);
    if (read == (fuzz_take_line()[0] != 0))
        abort();
    if (read)
        fit(&shape, path, rig);
    if (read && shape.mesh) { /* the rig has another mesh now */
        graze_rig_destroy(rig);
        rig = NULL;
    }
    shape_file_free(&shape);
    fuzz_end_limit();
    return 0;
}
