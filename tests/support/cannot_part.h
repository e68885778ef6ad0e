/* Which vertices of a def cannot part, and which positions are its rest, from what headers promise
 * and nothing else: slow, and on purpose unlike the library.
 */
#ifndef GRAZE_TESTS_CANNOT_PART_H
#define GRAZE_TESTS_CANNOT_PART_H

#include <graze/graze.h>

/* A name for each vertex: those with one name cannot part. Influences, if any, are given one by
 * one. Free it.
 */
uint32_t *cannot_part(const graze_model_def *def);

bool share_a_name(const uint32_t *names, const uint32_t *a, const uint32_t *b);

#endif
