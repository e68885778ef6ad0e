#include "cli/options.h"

#include "cli/help.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/query.h"
#include "cli/room.h"
#include "cli/text.h"

#include <ctype.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- messages ----------------------------------------------------------------------------- */

static bool failed;

bool fail_was_told(void)
{
    return failed;
}

__attribute__((format(printf, 1, 0))) static void tell(const char *format, va_list values)
{
    char text[2000];
    say_in(text, sizeof text, format, values);
    note_clear();
    fprintf(stderr, "graze: %s\n", text);
    failed = true;
}

int fail_usage(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    tell(format, values);
    va_end(values);
    return 2;
}

bool refuse(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    tell(format, values);
    va_end(values);
    return false;
}

/* ---- options ------------------------------------------------------------------------------ */

static const struct option *find_option(const struct command *command, const char *name,
                                        size_t length)
{
    for (size_t i = 0; i < command->option_count; i++) {
        const char *own = command->options[i].name;
        if (own && strlen(own) == length && memcmp(own, name, length) == 0)
            return &command->options[i];
    }
    return NULL;
}

bool option_given(const struct command *command, const arguments *given, const char *name)
{
    const struct option *option = find_option(command, name, strlen(name));
    return option && given->given[option - command->options];
}

const char *any_given(const struct command *command, const arguments *given,
                      const char *const *names)
{
    for (; *names; names++)
        if (option_given(command, given, *names))
            return *names;
    return NULL;
}

bool command_has(const struct command *command, const char *name)
{
    return find_option(command, name, strlen(name)) != NULL;
}

/* The option that was meant, or all that there are. */
static void fail_unknown_option(const struct command *command, const char *word, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    name_search search = {.word = name};
    bool elsewhere = false;
    for (size_t i = 0; i < command->option_count; i++)
        name_search_offer(&search, command->options[i].name);
    for (size_t i = 0; i < command_count; i++)
        elsewhere = elsewhere || command_has(commands[i], name);
    fail_usage("%s %s %s; %s", command->name, elsewhere ? "does not use" : "has no option", name,
               name_search_tell(&search, "it has"));
}

static bool fail_value(const struct command *command, const struct option *option,
                       const char *value, const value_error *error)
{
    if (!value)
        return refuse("%s: %s needs %s", command->name, option->name, option->value_name);
    if (error->text[0])
        return refuse("%s: %s %s: %s", command->name, option->name, value, error->text);
    return refuse("%s: %s needs %s, not %s", command->name, option->name, option->value_name,
                  value);
}

/* Takes the option at argv[*at] with its value, either "--name value" or "--name=value". */
static bool take_option(const struct command *command, int argc, char **argv, int *at, void *job,
                        arguments *given)
{
    const char *word = argv[*at], *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const struct option *option = find_option(command, word, length);
    value_error error;
    if (!option) {
        fail_unknown_option(command, word, length);
        return false;
    }
    void *target = (char *)job + option->offset;
    given->given[option - command->options] = true;
    if (option->kind == OPTION_FLAG || option->kind == OPTION_NO_TIMES) {
        if (equals)
            return refuse("%s: %s takes no value", command->name, option->name);
        if (option->kind == OPTION_FLAG)
            *(bool *)target = true;
        else
            print_without_times();
        return true;
    }
    const char *value = equals ? equals + 1 : *at + 1 < argc ? argv[++*at] : NULL;
    if (!value || !parse_value(option, value, target, &error))
        return fail_value(command, option, value, &error);
    return true;
}

/* ---- names -------------------------------------------------------------------------------- */

static bool is_there(const struct command *command, const char *name)
{
    name_search search = {.word = name};
    const char *candidate;
    for (size_t i = 0; (candidate = command->name_at(i)); i++) {
        if (strcmp(candidate, name) == 0)
            return true;
        name_search_offer(&search, candidate);
    }
    return refuse("%s: there is no %s %s; %s", command->name, command->what, name,
                  name_search_tell(&search, "there are"));
}

static bool take_name(const struct command *command, const char *name, arguments *given)
{
    if (given->name_count == command->most_names)
        return refuse("%s: unexpected argument %s (see graze help %s)", command->name, name,
                      command->name);
    given->names[given->name_count++] = name;
    return !command->name_at || is_there(command, name);
}

bool is_same_file(const char *left, const char *right)
{
    struct stat a, b;
    return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Whether a file's name ends as that of another format: a few letters, one at least, that are not
 * those of the option's own ("OUT.glb").
 */
static bool is_other_format(const char *path, const char *wanted)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    size_t length = dot ? strlen(dot + 1) : 0;
    if (length < 1 || length > 5 || dot == (slash ? slash + 1 : path))
        return false;
    bool letters = false;
    for (const char *c = dot + 1; *c; c++) {
        if (!isalnum((unsigned char)*c))
            return false;
        letters = letters || isalpha((unsigned char)*c);
    }
    return letters && strcasecmp(dot, strrchr(wanted, '.')) != 0;
}

/* Models are written in one format each, to be found out before the work. */
static bool check_models(const struct command *command, const void *job, const arguments *given)
{
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        const char *const *path = (const void *)((const char *)job + option->offset);
        bool obj = option->kind == OPTION_FILE && strcmp(option->value_name, "OUT.obj") == 0;
        if (!given->given[i] || !(obj || option->kind == OPTION_GLB))
            continue;
        if (is_other_format(*path, option->value_name))
            return refuse("%s: %s %s: it writes %s alone, as %s", command->name, option->name,
                          *path, obj ? "OBJ" : "GLB", option->value_name);
        if (strcmp(*path, "-") == 0 && strcmp(option->name, "-o") != 0)
            return refuse("%s: %s needs a file, not -", command->name, option->name);
        if (strcmp(*path, "-") == 0 && option_given(command, given, "--json"))
            return refuse("%s: --json and %s - both want standard output", command->name,
                          option->name);
        if (!obj && !output_open(*path))
            return false;
    }
    return true;
}

/* What goes together: one way to give times, and no file over a model that is read. */
static bool check_together(const struct command *command, const void *job, const arguments *given)
{
    if (option_given(command, given, "--time") && option_given(command, given, "--times"))
        return refuse("%s: give --time or --times, not both", command->name);
    for (size_t i = 0; i < command->option_count; i++)
        for (size_t k = 0; k < given->name_count; k++) {
            const struct option *option = &command->options[i];
            const char *const *path = (const void *)((const char *)job + option->offset);
            bool written = option->kind == OPTION_FILE || option->kind == OPTION_GLB;
            if (written && given->given[i] && is_same_file(*path, given->names[k]))
                return refuse("%s: %s %s would write over the %s", command->name, option->name,
                              *path, command->what);
        }
    return true;
}

/* Fills the targets in job; false after a line on standard error. */
static bool parse_options(const struct command *command, int argc, char **argv, void *job,
                          arguments *given)
{
    *given = (arguments){
        .names = room((size_t)argc, sizeof *given->names), .words = argv, .word_count = argc};
    for (int i = 0; i < argc; i++)
        if (!(argv[i][0] == '-' && argv[i][1] ? take_option(command, argc, argv, &i, job, given)
                                              : take_name(command, argv[i], given)))
            return false;
    if (!check_together(command, job, given))
        return false;
    if (given->name_count >= command->least_names)
        return check_models(command, job, given);
    return refuse("%s: no %s given (see graze help %s)", command->name, command->what,
                  command->name);
}

int run_command(const struct command *command, int argc, char **argv)
{
    arguments given;
    int code = 2;
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help_print(command);
            return 0;
        }
    void *job = room(1, command->job_size);
    memcpy(job, command->defaults, command->job_size);
    if (parse_options(command, argc, argv, job, &given))
        code = command->query ? query_run(command, job, &given) : command->run(job, &given);
    free(given.names);
    free(job);
    return code;
}
