/* Files by which shells complete the command, from the table of commands. */
#include "cli/commands.h"
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

/* Whether the next word is the option's value. */
static bool has_value(const struct option *option)
{
    return option->kind != OPTION_HEADING && option->kind != OPTION_FLAG &&
           option->kind != OPTION_NO_TIMES;
}

/* The choices of an option with blanks between them. */
static void put_choices(const struct option *option)
{
    for (const char *c = option->value_name; *c; c++)
        putchar(*c == '|' ? ' ' : *c);
}

static void put_names(const struct command *command)
{
    const char *name;
    for (size_t i = 0; command->name_at && (name = command->name_at(i)); i++)
        printf("%s%s", i ? " " : "", name);
}

/* The files that a command takes, as patterns for bash and zsh; NULL: it takes no files. */
typedef struct file_patterns {
    const char *bash, *zsh;
} file_patterns;

static const file_patterns *files_of(const struct command *command)
{
    static const file_patterns models = {"!*.gl[bt]*", "*.(glb|gltf)"},
                               scenes = {"!*.json", "*.json"};
    if (!command->what || command->name_at)
        return NULL;
    return strcmp(command->what, "model") == 0   ? &models
           : strcmp(command->what, "scene") == 0 ? &scenes
                                                 : NULL;
}

static bool is_file(const struct option *option)
{
    return option->kind == OPTION_FILE || option->kind == OPTION_GLB ||
           option->kind == OPTION_INPUT;
}

/* ---- bash --------------------------------------------------------------------------------- */

static void put_bash_values(const struct command *command)
{
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        if (!has_value(option))
            continue;
        printf("    %s:%s) ", command->name, option->name);
        if (option->kind == OPTION_CHOICE) {
            fputs("_graze_words '", stdout);
            put_choices(option);
            puts("' ;;");
        } else {
            puts(is_file(option)                 ? "_graze_files -f ;;"
                 : option->kind == OPTION_FOLDER ? "_graze_files -d ;;"
                                                 : ";;");
        }
    }
}

static void put_bash_words(const struct command *command)
{
    printf("    %s:-*) _graze_words '", command->name);
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].name)
            printf("%s ", command->options[i].name);
    printf("--help' ;;\n    %s:*) ", command->name);
    const file_patterns *files = files_of(command);
    if (files) {
        printf("_graze_files -f -X '%s'; _graze_files -d ;;\n", files->bash);
        return;
    }
    fputs("_graze_words '", stdout);
    put_names(command);
    puts("' ;;");
}

static void print_bash(void)
{
    puts("# Written by `graze help --completion bash`; do not edit.\n"
         "_graze_words() {\n"
         "    local IFS=$' \\n'\n"
         "    COMPREPLY=($(compgen -W \"$1\" -- \"$word\"))\n"
         "}\n"
         "_graze_files() {\n"
         "    local IFS=$'\\n'\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    COMPREPLY+=($(compgen \"$@\" -- \"$word\"))\n"
         "}\n"
         "_graze() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    COMPREPLY=()\n"
         "    if ((COMP_CWORD == 1)); then");
    fputs("        _graze_words '", stdout);
    for (size_t i = 0; i < command_count; i++)
        printf("%s ", commands[i]->name);
    puts("--help --version'\n"
         "        return\n"
         "    fi\n"
         "    case ${COMP_WORDS[1]}:$before in");
    for (size_t i = 0; i < command_count; i++)
        put_bash_values(commands[i]);
    puts("    *) _graze_rest ;;\n"
         "    esac\n"
         "}\n"
         "_graze_rest() {\n"
         "    case ${COMP_WORDS[1]}:$word in");
    for (size_t i = 0; i < command_count; i++)
        put_bash_words(commands[i]);
    puts("    esac\n"
         "}\n"
         "complete -F _graze graze");
}

/* ---- zsh ---------------------------------------------------------------------------------- */

/* Text within single quotes, in which specifications of zsh keep brackets and colons to themselves.
 */
static void put_zsh(const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            putchar('\\');
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

static void put_zsh_option(const struct option *option)
{
    printf("      '%s[", option->name);
    put_zsh(option->help);
    putchar(']');
    if (has_value(option)) {
        putchar(':');
        put_zsh(option->value_name);
        putchar(':');
    }
    if (option->kind == OPTION_CHOICE) {
        putchar('(');
        put_choices(option);
        putchar(')');
    } else if (is_file(option) || option->kind == OPTION_FOLDER) {
        fputs(is_file(option) ? "_files" : "_files -/", stdout);
    } else if (has_value(option)) {
        putchar(' '); /* a value that nobody can guess */
    }
    puts("' \\");
}

static void put_zsh_command(const struct command *command)
{
    printf("    %s) _arguments \\\n", command->name);
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].kind != OPTION_HEADING)
            put_zsh_option(&command->options[i]);
    printf("      '--help[this text]' \\\n      '*:%s:", command->what);
    const file_patterns *files = files_of(command);
    if (files) {
        printf("_files -g \"%s\"' ;;\n", files->zsh);
        return;
    }
    putchar('(');
    put_names(command);
    puts(")' ;;");
}

static void print_zsh(void)
{
    puts("#compdef graze\n"
         "# Written by `graze help --completion zsh`; do not edit.\n"
         "_graze() {\n"
         "  local -a names\n"
         "  names=(");
    for (size_t i = 0; i < command_count; i++) {
        printf("    '%s:", commands[i]->name);
        put_zsh(commands[i]->summary);
        puts("'");
    }
    puts("  )\n"
         "  if ((CURRENT == 2)); then\n"
         "    _describe command names\n"
         "    return\n"
         "  fi\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $words[1] in");
    for (size_t i = 0; i < command_count; i++)
        put_zsh_command(commands[i]);
    puts("  esac\n"
         "}\n"
         "_graze \"$@\"");
}

/* ---- fish --------------------------------------------------------------------------------- */

static void put_fish(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
}

static void put_fish_option(const struct command *command, const struct option *option)
{
    bool is_long = option->name[1] == '-';
    printf("complete -c graze -n '__fish_seen_subcommand_from %s' -%c %s", command->name,
           is_long ? 'l' : 's', option->name + (is_long ? 2 : 1));
    if (option->kind == OPTION_CHOICE) {
        fputs(" -x -a '", stdout);
        put_choices(option);
        putchar('\'');
    } else if (has_value(option)) {
        fputs(is_file(option)                 ? " -r -F"
              : option->kind == OPTION_FOLDER ? " -x -a '(__fish_complete_directories)'"
                                              : " -x",
              stdout);
    }
    fputs(" -d '", stdout);
    put_fish(option->help);
    puts("'");
}

static void print_fish(void)
{
    puts("# Written by `graze help --completion fish`; do not edit.");
    for (size_t i = 0; i < command_count; i++) {
        const struct command *command = commands[i];
        printf("complete -c graze -f -n '__fish_use_subcommand' -a %s -d '", command->name);
        put_fish(command->summary);
        puts("'");
        if (command->name_at) {
            printf("complete -c graze -f -n '__fish_seen_subcommand_from %s' -a '", command->name);
            put_names(command);
            puts("'");
        }
        for (size_t k = 0; k < command->option_count; k++)
            if (command->options[k].kind != OPTION_HEADING)
                put_fish_option(command, &command->options[k]);
    }
}

void completion_print(shell kind)
{
    static void (*const prints[])(void) = {print_bash, print_zsh, print_fish};
    prints[kind]();
}
