/* What spatial hashing keeps between frames; private to this folder. */
#ifndef GRAZE_BENCH_EAGER_HASH_TYPES_H
#define GRAZE_BENCH_EAGER_HASH_TYPES_H

#include "bench/eager/hash.h"
#include "bench/eager/types.h"

/* A triangle that may meet one of the other body: its box, and in the last places its number in the
 * order of the tree and, in the table, its cell.
 */
typedef struct eager_hashed {
    _Alignas(16) float low[4];
    float high[4];
} eager_hashed;

enum { EAGER_CANDIDATES = 512 };

struct eager_hash {
    float cell; /* in mean sizes of a box */
    eager_hashed *kept[2];
    size_t kept_room[2];
    eager_hashed *entries;
    size_t entry_room;
    uint32_t *starts; /* of the cells, in entries */
    size_t start_room;
    bench_pair candidates[EAGER_CANDIDATES];
};

/* Makes room for count things of that size in *memory. */
void eager_hash_grow(void **memory, size_t *room, size_t count, size_t size);

#endif
