/* Running the graze command, and looking at what it printed and left behind. */
#ifndef GRAZE_TESTS_SUPPORT_COMMAND_H
#define GRAZE_TESTS_SUPPORT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

typedef struct command_result {
    int code;  /* exit code; -1 if it did not exit by itself */
    char *out; /* standard output, terminated */
    char *err; /* standard error */
} command_result;

/* Runs a program with arguments (a NULL ends them; the program's name is not among them). */
command_result command_run(const char *program, const char *const *arguments);
void command_free(command_result *result);

/* Lines in a text; a last one without an end counts. */
size_t count_lines(const char *text);

/* A new folder below the current one, removed with what is in it when the program ends. */
const char *scratch_folder(void);

/* folder/name in a buffer that lives until the same slot (0 to 7) is used again. */
const char *scratch_path(int slot, const char *name);

/* Files in the scratch folder. */
size_t scratch_count(void);

/* Reads or writes a whole file; NULL or false if that fails. The text is terminated. */
char *read_whole_file(const char *path, size_t *size);
bool write_whole_file(const char *path, const void *data, size_t size);

#endif
