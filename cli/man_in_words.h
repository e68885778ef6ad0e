/* The procedural man, for scenes that a physics engine moves: his joints, and his parts in words.
 */
#ifndef GRAZE_CLI_MAN_IN_WORDS_H
#define GRAZE_CLI_MAN_IN_WORDS_H

#include <stddef.h>

/* How his joints turn, as graze_ragdoll_parse takes it. */
extern const char man_joints[];

/* "upper_arm.L" is "left upper arm". */
void part_in_words(const char *name, char *text, size_t size);

#endif
