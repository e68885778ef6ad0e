/* Any bytes as a description of sphere chains of a small model, made if it is one. */
#include "support.h"

#include "cli/chain_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static struct character character;
    if (!character.model) {
        character.name = "fuzz";
        character.rig = fuzz_make_rig();
        if (graze_rig_create_model(character.rig, NULL, &character.model, NULL) ||
            graze_rig_part_names(character.rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &character.joints,
                                 NULL))
            abort();
        character.parts = character.joints;
    }
    const char *path = fuzz_file(input, size);
    graze_chain_def def = {0};
    fuzz_limit_memory(size);
    graze_chains *chains = chain_file_read(path, &character, &def);
    if (!chains == !fuzz_take_line()[0])
        abort();
    graze_chains_destroy(chains);
    fuzz_end_limit();
    return 0;
}
