/* Any bytes as a scene of graze world: read, without the models that it names. */
#include "support.h"

#include "cli/scene_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct scene scene;
    const char *path = fuzz_file(input, size);
    fuzz_limit_memory(size);
    bool read = scene_read(&scene, path);
    if (read == (fuzz_take_line()[0] != 0))
        abort();
    for (uint32_t i = 0; read && i < scene.body_count; i++)
        if (scene.bodies[i].category > scene.class_count ||
            (scene.bodies[i].kind == BODY_MODEL && scene.bodies[i].model >= scene.model_count))
            abort();
    if (read)
        scene_free(&scene);
    fuzz_end_limit();
    return 0;
}
