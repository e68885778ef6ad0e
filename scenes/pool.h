/* Temporary memory that is given back all at once, so that a failure anywhere leaks nothing. */
#ifndef GRAZE_SCENES_POOL_H
#define GRAZE_SCENES_POOL_H

#include <graze/base.h>

typedef struct grazei_synth_pool {
    graze_allocator allocator;
    struct grazei_synth_block *blocks; /* everything taken and not yet given back */
} grazei_synth_pool;

/* count items (0 is taken as 1) of size bytes, cleared; NULL when out of memory. */
void *grazei_synth_take(grazei_synth_pool *pool, size_t count, size_t size);

/* Makes room for need items: items itself or a larger copy (the old one given back), or NULL when
 * out of memory (items then stays valid).
 */
void *grazei_synth_grow(grazei_synth_pool *pool, void *items, size_t *capacity, size_t need,
                        size_t size);

/* Gives one block back early. NULL is fine. */
void grazei_synth_give(grazei_synth_pool *pool, void *memory);

/* The same without a pool, for what is handed out: the caller releases it. */
void *grazei_synth_keep(const graze_allocator *allocator, size_t count, size_t size);

/* Gives everything back. */
void grazei_synth_drop(grazei_synth_pool *pool);

#endif
