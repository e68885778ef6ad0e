/* What a description of sphere chains holds (docs/chains.md): regions for `graze chain` to fill, or
 * spheres and chains as somebody has made them.
 */
#ifndef GRAZE_CLI_CHAIN_FILE_H
#define GRAZE_CLI_CHAIN_FILE_H

#include "cli/character.h"

#include <graze/ext/chain.h>

/* Chains of a character by the file, with what the def says where the file does not. Prints what is
 * wrong and returns NULL on failure.
 */
graze_chains *chain_file_read(const char *path, const struct character *character,
                              const graze_chain_def *def);

#endif
