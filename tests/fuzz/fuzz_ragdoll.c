/* Any bytes as the file of a ragdoll. */
#include "support.h"

#include <graze/ragdoll.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    graze_ragdoll_def def;
    graze_ragdoll_file *file = NULL;
    graze_error error = {GRAZE_OK, ""};
    const char *path = fuzz_file(input, size);
    fuzz_limit_memory(size);
    graze_status status = graze_ragdoll_load(path, &def, &file, &error);
    if (!status != (file != NULL) || (status && (!error.text[0] || strchr(error.text, '\n'))))
        abort();
    graze_ragdoll_file_destroy(file);
    fuzz_end_limit();
    return 0;
}
