#include "cli/options.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fail_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("graze: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return 2;
}

/* A finite number that ends at the given character, which is skipped. */
static bool parse_number(const char **text, char end, double *number)
{
    char *rest;
    *number = strtod(*text, &rest);
    if (rest == *text || *rest != end || !isfinite(*number))
        return false;
    *text = end ? rest + 1 : rest;
    return true;
}

static bool parse_vector(const char *text, double vector[3])
{
    return parse_number(&text, ',', &vector[0]) && parse_number(&text, ',', &vector[1]) &&
           parse_number(&text, '\0', &vector[2]);
}

static bool parse_range(const char *text, frame_range *range)
{
    range->given = true;
    return parse_number(&text, ':', &range->from) && parse_number(&text, ':', &range->to) &&
           parse_number(&text, '\0', &range->fps) && range->fps > 0 && range->to >= range->from &&
           (range->to - range->from) * range->fps < 1e7;
}

static bool parse_choice(const char *text, const char *choices, int *choice)
{
    size_t length = strlen(text);
    for (int index = 0;; index++) {
        const char *end = strchr(choices, '|');
        size_t own = end ? (size_t)(end - choices) : strlen(choices);
        if (own == length && memcmp(text, choices, length) == 0) {
            *choice = index;
            return true;
        }
        if (!end)
            return false;
        choices = end + 1;
    }
}

static bool parse_value(const struct option *option, const char *text)
{
    double number;
    switch (option->kind) {
    case OPTION_FLAG:
        return false;
    case OPTION_TEXT:
        *(const char **)option->target = text;
        return true;
    case OPTION_NUMBER:
        return parse_number(&text, '\0', option->target);
    case OPTION_COUNT:
        if (!parse_number(&text, '\0', &number) || number < 1 || number > 1e9 ||
            number != floor(number))
            return false;
        *(uint32_t *)option->target = (uint32_t)number;
        return true;
    case OPTION_VECTOR:
        return parse_vector(text, option->target);
    case OPTION_RANGE:
        return parse_range(text, option->target);
    case OPTION_CHOICE:
        return parse_choice(text, option->value_name, option->target);
    }
    return false;
}

static void print_help(const command_line *line)
{
    printf("usage: graze %s %s\n\n%s\n\noptions:\n", line->command, line->usage, line->summary);
    for (size_t i = 0; i < line->option_count; i++) {
        const struct option *option = &line->options[i];
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", option->name, option->value_name ? " " : "",
                 option->value_name ? option->value_name : "");
        printf("  %-30s %s\n", left, option->help);
    }
    printf("  %-30s %s\n", "--help", "this text");
    printf("\nexit codes: 0 done, 1 collisions found with --fail-on-hit, 2 bad usage or input\n");
}

static const struct option *find_option(const command_line *line, const char *name, size_t length)
{
    for (size_t i = 0; i < line->option_count; i++)
        if (strlen(line->options[i].name) == length &&
            memcmp(line->options[i].name, name, length) == 0)
            return &line->options[i];
    return NULL;
}

/* Takes the option at argv[*at] with its value, either "--name value" or "--name=value". */
static bool take_option(const command_line *line, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const struct option *option = find_option(line, word, length);
    if (!option) {
        fail_usage("%s: unknown option %s (see graze %s --help)", line->command, word,
                   line->command);
        return false;
    }
    if (option->kind == OPTION_FLAG) {
        if (equals) {
            fail_usage("%s: %s takes no value", line->command, option->name);
            return false;
        }
        *(bool *)option->target = true;
        return true;
    }
    const char *value = equals ? equals + 1 : *at + 1 < argc ? argv[++*at] : NULL;
    if (!value || !parse_value(option, value)) {
        fail_usage("%s: %s needs %s%s%s", line->command, option->name, option->value_name,
                   value ? ", not " : "", value ? value : "");
        return false;
    }
    return true;
}

parse_result parse_options(command_line *line, int argc, char **argv)
{
    line->positional_count = 0;
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(line);
            return PARSE_HELP_SHOWN;
        }
    for (int i = 0; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1]) {
            if (!take_option(line, argc, argv, &i))
                return PARSE_FAILED;
        } else if (line->positional_count < line->positional_limit) {
            line->positionals[line->positional_count++] = argv[i];
        } else {
            fail_usage("%s: unexpected argument %s (see graze %s --help)", line->command, argv[i],
                       line->command);
            return PARSE_FAILED;
        }
    }
    return PARSE_OK;
}
