#include "cli/help.h"

#include "cli/commands.h"
#include "cli/model_file.h"
#include "cli/names.h"
#include "cli/output.h"

#include <graze/graze.h>

#include <stdio.h>
#include <string.h>

typedef struct help_job {
    bool manual;
    int shell;
    const char *out; /* NULL: standard output */
} help_job;

const struct command *find_command(const char *name)
{
    name_search search = {.word = name};
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
        name_search_offer(&search, commands[i]->name);
    }
    if (search.near)
        fail_usage("there is no command %s; did you mean graze %s?", name, search.near);
    else if (strncmp(name, "builtin:", 8) == 0 || model_file_has_ending(name))
        fail_usage("there is no command %s; for what the model holds: graze info %s", name, name);
    else
        fail_usage("there is no command %s (see graze help)", name);
    return NULL;
}

static void print_option(const char *name, const char *value, const char *text)
{
    char left[80];
    snprintf(left, sizeof left, "%s%s%s", name, value ? " " : "", value ? value : "");
    printf("  %-30s %s\n", left, text);
}

static const char *exit_codes(const struct command *command)
{
    if (command == &replay_command)
        return "0 all answers are as recorded, 1 one is not, 2 bad usage or input";
    return command_has(command, "--fail-on-hit") ? EXIT_CODES : "0 done, 2 bad usage or input";
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
    printf("\nexample: %s\nexit codes: %s\n", command->example, exit_codes(command));
}

void help_print_all(void)
{
    printf("graze %s: exact, lazy collision detection for everything that deforms\n\n"
           "usage: graze COMMAND ...\n\n",
           graze_version());
    for (size_t i = 0; i < command_count; i++)
        printf("  %-9s %s\n", commands[i]->name, commands[i]->summary);
    printf("\n" MODEL_FORMS "\n\nto start with:\n");
    static const char *const first[] = {"info", "collide", "self"};
    for (size_t i = 0; i < COUNT_OF(first); i++)
        printf("  %s\n", find_command(first[i])->example);
    printf("\ngraze help COMMAND tells more.\n");
}

/* ---- the command -------------------------------------------------------------------------- */

static const char *command_name_at(size_t index)
{
    return index < command_count ? commands[index]->name : NULL;
}

static const struct option rows[] = {
    {"--man", NULL, OPTION_FLAG, AT(help_job, manual), "the manual page graze.1, as roff"},
    {"--completion", "bash|zsh|fish", OPTION_CHOICE, AT(help_job, shell),
     "the file by which the shell completes graze"},
    {"-o", "FILE", OPTION_FILE, AT(help_job, out), "write it there, whole or not at all"}};

static int run(void *task, const arguments *given)
{
    help_job *job = task;
    if (given->name_count + job->manual + (job->shell >= 0) > 1)
        return fail_usage("help: one thing at a time: a command, --man or --completion");
    if (!output_to(job->out))
        return 2;
    if (job->manual)
        manual_print();
    else if (job->shell >= 0)
        completion_print((shell)job->shell);
    else if (given->name_count)
        help_print(find_command(given->names[0]));
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
    OPTIONS(rows),
    JOB(help_job, .shell = -1),
    .what = "command",
    .most_names = 1,
    .name_at = command_name_at,
    .run = run};
