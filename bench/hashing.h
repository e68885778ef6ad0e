/* The bodies of a scene by spatial hashing (bench/eager/hash.h). */
#ifndef GRAZE_BENCH_HASHING_H
#define GRAZE_BENCH_HASHING_H

#include "bench/eager/hash.h"
#include "scenes/stage.h"

typedef struct hashing hashing;

hashing *hashing_open(const struct stage *stage);
void hashing_close(hashing *made, const struct stage *stage);

/* Every two bodies of the stage's frame, from joint matrices to pairs; with `first` one of each
 * two. Returns how many.
 */
size_t hashing_collide(hashing *made, const struct stage *stage, bool first);

#endif
