/* What the table of commands looks like to people, as a manual page, and to shells. */
#ifndef GRAZE_CLI_HELP_H
#define GRAZE_CLI_HELP_H

#include "cli/options.h"

#define EXIT_CODES "0 done, 1 collisions found with --fail-on-hit, 2 bad usage or input"
#define MODEL_FORMS                                                                                \
    "A model is a glTF 2.0 file (.glb or .gltf), or builtin:KIND (see graze synth --list),\n"      \
    "with :TRIANGLES behind it for another size."

/* --help of a command, and of graze itself. */
void help_print(const struct command *command);
void help_print_all(void);

/* graze.1, as roff. */
void manual_print(void);

typedef enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH } shell;

/* The file that a shell completes graze by. */
void completion_print(shell kind);

#endif
