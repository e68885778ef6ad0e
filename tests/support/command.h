/* Running the graze command, and looking at what it printed and left behind. What comes from here
 * belongs to the case that runs, which frees it.
 */
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

/* Runs the graze command. */
#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

/* The same in the scratch folder, with arguments in one text, made as printf does and separated by
 * blanks.
 */
#define GRAZE(...) command_line(GRAZE_COMMAND, __VA_ARGS__)
command_result command_line(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Runs a line of the shell, in which graze is the graze command. */
#define RUN_SHELL(line) command_shell(GRAZE_COMMAND, line)
command_result command_shell(const char *program, const char *line);

/* Runs the command with something wrong: exit code 2, nothing on standard output, one line on
 * standard error that has the words in it, no file more or less in the scratch folder.
 */
#define REFUSED(words, ...)                                                                        \
    command_refuse(GRAZE_COMMAND, words, __FILE__, __LINE__,                                       \
                   (const char *const[]){__VA_ARGS__, NULL})
void command_refuse(const char *program, const char *words, const char *file, int line,
                    const char *const *arguments);
void check_refused(const command_result *run, const char *words, const char *file, int line);

/* The same of what fails late: it may have printed something before. */
#define FAILS(words, ...) check_failed(RUN(__VA_ARGS__), words, __FILE__, __LINE__)
void check_failed(command_result run, const char *words, const char *file, int line);

/* The file of a procedural model, KIND.glb in the scratch folder, made by the command when it is
 * first asked for.
 */
#define SYNTH(kind, triangles) command_synth(GRAZE_COMMAND, kind, triangles)
const char *command_synth(const char *program, const char *kind, const char *triangles);

/* Lines in a text; a last one without an end counts. */
size_t count_lines(const char *text);

/* A new folder below the current one, removed with what is in it when the program ends. */
const char *scratch_folder(void);

/* folder/name in a buffer that lives until the same slot (0 to 7) is used again. */
const char *scratch_path(int slot, const char *name);

/* Files in the scratch folder. */
size_t scratch_count(void);

/* Reads or writes a whole file; NULL or false if that fails. The text is terminated, and the
 * case's.
 */
char *read_whole_file(const char *path, size_t *size);
bool write_whole_file(const char *path, const void *data, size_t size);

#endif
