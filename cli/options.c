#include "cli/options.h"

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/names.h"
#include "cli/values.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- messages ----------------------------------------------------------------------------- */

void format_line(char *text, size_t size, const char *format, va_list values)
{
    vsnprintf(text, size, format, values);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
}

int fail_usage(const char *format, ...)
{
    char text[2000];
    va_list values;
    va_start(values, format);
    format_line(text, sizeof text, format, values);
    va_end(values);
    fprintf(stderr, "graze: %s\n", text);
    return 2;
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

static bool is_known_elsewhere(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (find_option(commands[i], name, strlen(name)))
            return true;
    return false;
}

/* The option that was meant, or all that there are. */
static void fail_unknown_option(const struct command *command, const char *word, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    suggestion near = {.word = name};
    name_list all = {.used = 0};
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].name) {
            suggestion_offer(&near, command->options[i].name);
            name_list_add(&all, command->options[i].name);
        }
    const char *tells = is_known_elsewhere(name) ? "does not use" : "has no option";
    if (near.name)
        fail_usage("%s %s %s; did you mean %s?", command->name, tells, name, near.name);
    else
        fail_usage("%s %s %s; it has %s", command->name, tells, name, name_list_end(&all));
}

static bool fail_value(const struct command *command, const struct option *option,
                       const char *value, const value_error *error)
{
    if (!value)
        fail_usage("%s: %s needs %s", command->name, option->name, option->value_name);
    else if (error->text[0])
        fail_usage("%s: %s %s: %s", command->name, option->name, value, error->text);
    else
        fail_usage("%s: %s needs %s, not %s", command->name, option->name, option->value_name,
                   value);
    return false;
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
    if (option->kind == OPTION_FLAG) {
        if (equals) {
            fail_usage("%s: %s takes no value", command->name, option->name);
            return false;
        }
        *(bool *)target = true;
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
    suggestion near = {.word = name};
    name_list all = {.used = 0};
    const char *candidate;
    for (size_t i = 0; (candidate = command->name_at(i)); i++) {
        if (strcmp(candidate, name) == 0)
            return true;
        suggestion_offer(&near, candidate);
        name_list_add(&all, candidate);
    }
    if (near.name)
        fail_usage("%s: there is no %s %s; did you mean %s?", command->name, command->what, name,
                   near.name);
    else
        fail_usage("%s: there is no %s %s; there are %s", command->name, command->what, name,
                   name_list_end(&all));
    return false;
}

static bool take_name(const struct command *command, const char *name, arguments *given)
{
    if (given->name_count == command->most_names) {
        fail_usage("%s: unexpected argument %s (see graze help %s)", command->name, name,
                   command->name);
        return false;
    }
    given->names[given->name_count++] = name;
    return !command->name_at || is_there(command, name);
}

bool is_same_file(const char *left, const char *right)
{
    struct stat a, b;
    return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* What goes together: one way to give times, and no file over a model that is read. */
static bool check_together(const struct command *command, const void *job, const arguments *given)
{
    if (option_given(command, given, "--time") && option_given(command, given, "--times")) {
        fail_usage("%s: give --time or --times, not both", command->name);
        return false;
    }
    for (size_t i = 0; i < command->option_count; i++)
        for (size_t k = 0; k < given->name_count; k++) {
            const struct option *option = &command->options[i];
            const char *const *path = (const void *)((const char *)job + option->offset);
            if (option->kind == OPTION_FILE && given->given[i] &&
                is_same_file(*path, given->names[k])) {
                fail_usage("%s: %s %s would write over the %s", command->name, option->name, *path,
                           command->what);
                return false;
            }
        }
    return true;
}

parse_result parse_options(const struct command *command, int argc, char **argv, void *job,
                           arguments *given)
{
    *given = (arguments){.name_count = 0};
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help_print(command);
            return PARSE_HELP_SHOWN;
        }
    for (int i = 0; i < argc; i++)
        if (!(argv[i][0] == '-' && argv[i][1] ? take_option(command, argc, argv, &i, job, given)
                                              : take_name(command, argv[i], given)))
            return PARSE_FAILED;
    if (!check_together(command, job, given))
        return PARSE_FAILED;
    if (given->name_count >= command->least_names)
        return PARSE_OK;
    fail_usage("%s: no %s given (see graze help %s)", command->name, command->what, command->name);
    return PARSE_FAILED;
}
