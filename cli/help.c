#include "cli/help.h"

#include "cli/commands.h"

#include <graze/graze.h>

#include <stdio.h>

typedef struct help_job {
    bool manual;
    int shell;
} help_job;

static void print_option(const char *name, const char *value, const char *text)
{
    char left[80];
    snprintf(left, sizeof left, "%s%s%s", name, value ? " " : "", value ? value : "");
    printf("  %-30s %s\n", left, text);
}

void help_print(const struct command *command)
{
    bool headed = false;
    printf("usage: graze %s %s\n\n%s\n", command->name, command->usage, command->about);
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        if (option->kind == OPTION_HEADING || !headed)
            printf("\n%s:\n", option->kind == OPTION_HEADING ? option->help : "options");
        headed = true;
        if (option->kind != OPTION_HEADING)
            print_option(option->name, option->value_name, option->help);
    }
    print_option("--help", NULL, "this text");
    printf("\nexample: %s\nexit codes: %s\n", command->example, EXIT_CODES);
}

void help_print_all(void)
{
    printf("graze %s: exact, lazy collision detection for everything that deforms\n\n"
           "usage: graze COMMAND ...\n\n",
           graze_version());
    for (size_t i = 0; i < command_count; i++)
        printf("  %-9s %s\n", commands[i]->name, commands[i]->summary);
    printf("\n" MODEL_FORMS "\n\nto start with:\n");
    for (size_t i = 0; i < command_count; i++)
        if (commands[i] == &info_command || commands[i] == &self_command ||
            commands[i] == &collide_command)
            printf("  %s\n", commands[i]->example);
    printf("\ngraze help COMMAND tells more.\n");
}

/* ---- the command -------------------------------------------------------------------------- */

static const char *command_name_at(size_t index)
{
    return index < command_count ? commands[index]->name : NULL;
}

static const struct option rows[] = {
    {"--man", NULL, OPTION_FLAG, offsetof(help_job, manual), "the manual page graze.1, as roff"},
    {"--completion", "bash|zsh|fish", OPTION_CHOICE, offsetof(help_job, shell),
     "the file by which the shell completes graze"}};

static int run(int argc, char **argv)
{
    help_job job = {.shell = -1};
    arguments given;
    parse_result parsed = parse_options(&help_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (given.name_count + job.manual + (job.shell >= 0) > 1)
        return fail_usage("help: one thing at a time: a command, --man or --completion");
    if (job.manual)
        manual_print();
    else if (job.shell >= 0)
        completion_print((shell)job.shell);
    else if (given.name_count)
        help_print(find_command(given.names[0]));
    else
        help_print_all();
    return 0;
}

const struct command help_command = {
    .name = "help",
    .summary = "what a command does and which options it has; manual and completion",
    .usage = "[COMMAND | --man | --completion SHELL]",
    .about = "Tells what a command does, as graze COMMAND --help does, or lists the commands.",
    .example = "graze help collide",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "command",
    .most_names = 1,
    .name_at = command_name_at,
    .run = run};
