/* What a block owns goes with the block, however it is left: a local variable declared
 *
 *     OWNED float *positions = malloc(size);
 *     OWN(graze_body) *body = NULL;
 *     OWN(answers) found = {0};
 *
 * is freed, destroyed or closed when its block ends, of several the last one first. It has to be
 * initialised. A header with a struct of its own says OWN_POINTER(type, destroy) or
 * OWN_VALUE(type, close).
 */
#ifndef GRAZE_TESTS_SUPPORT_OWN_H
#define GRAZE_TESTS_SUPPORT_OWN_H

#include <graze/ext/chain.h>
#include <graze/ext/chain_batch.h>
#include <graze/ext/chain_pose.h>
#include <graze/ext/decimate.h>
#include <graze/ext/hitbox.h>
#include <graze/ext/parts.h>
#include <graze/ext/world.h>
#include <graze/graze.h>
#include <graze/numerics.h>
#include <graze/rig.h>
#include <graze/sim.h>

#include <stdlib.h>
#include <string.h>

#define OWNED __attribute__((cleanup(own_memory), unused))
#define OWN(type) __attribute__((cleanup(own_##type), unused)) type

#define OWN_POINTER(type, destroy)                                                                 \
    static inline void own_##type(type **owned)                                                    \
    {                                                                                              \
        destroy(*owned);                                                                           \
    }
#define OWN_VALUE(type, close)                                                                     \
    static inline void own_##type(type *owned)                                                     \
    {                                                                                              \
        close(owned);                                                                              \
    }

/* Of a pointer to anything. */
static inline void own_memory(void *owned)
{
    void *memory;
    memcpy(&memory, owned, sizeof memory);
    free(memory);
}

OWN_POINTER(graze_model, graze_model_destroy)
OWN_POINTER(graze_body, graze_body_destroy)
OWN_POINTER(graze_cache_pool, graze_cache_pool_destroy)
OWN_POINTER(graze_pool, graze_pool_destroy)
OWN_POINTER(graze_batch, graze_batch_destroy)
OWN_POINTER(graze_checkpoint, graze_checkpoint_destroy)
OWN_POINTER(graze_history, graze_history_destroy)
OWN_POINTER(graze_contact_finder, graze_contact_finder_destroy)
OWN_POINTER(graze_part_names, graze_part_names_destroy)
OWN_POINTER(graze_hitboxes, graze_hitboxes_destroy)
OWN_POINTER(graze_hitbox_finder, graze_hitbox_finder_destroy)
OWN_POINTER(graze_decimated, graze_decimated_destroy)
OWN_POINTER(graze_chains, graze_chains_destroy)
OWN_POINTER(graze_chain_batch, graze_chain_batch_destroy)
OWN_POINTER(graze_chain_tracker, graze_chain_tracker_destroy)
OWN_POINTER(graze_world, graze_world_destroy)
OWN_POINTER(graze_sim, graze_sim_destroy)
OWN_POINTER(graze_rig, graze_rig_destroy)

#endif
