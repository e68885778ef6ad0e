/* The manual page: the table of commands as roff (man 7). */
#include "cli/commands.h"
#include "cli/help.h"

#include <stdio.h>

/* Text of one or more lines, with everything escaped that roff would take for its own. */
static void put(const char *text)
{
    bool starts = true;
    for (; *text; text++) {
        if (starts && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        starts = *text == '\n';
    }
}

static void put_line(const char *before, const char *text, const char *after)
{
    fputs(before, stdout);
    put(text);
    puts(after);
}

static void put_option(const struct option *option)
{
    fputs(".TP\n\\fB", stdout);
    put(option->name);
    fputs("\\fR", stdout);
    if (option->value_name)
        put_line(" \\fI", option->value_name, "\\fR");
    else
        putchar('\n');
    put_line("", option->help, "");
}

static void put_command(const struct command *command)
{
    printf(".SS %s\n\\fBgraze %s\\fR ", command->name, command->name);
    put_line("", command->usage, "");
    put_line(".PP\n.nf\n", command->about, "\n.fi");
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].kind == OPTION_HEADING)
            put_line(".PP\n\\fI", command->options[i].help, "\\fR:");
        else
            put_option(&command->options[i]);
    put_line(".PP\nExample:\n.PP\n.nf\n.RS\n", command->example, "\n.RE\n.fi");
}

void manual_print(void)
{
    puts(".\\\" Written by `graze help --man`; do not edit.\n"
         ".TH GRAZE 1 \"\" \"Graze\" \"Graze\"\n"
         ".SH NAME\n"
         "graze \\- exact, lazy collision detection for everything that deforms\n"
         ".SH SYNOPSIS\n"
         "\\fBgraze\\fR \\fICOMMAND\\fR ...\n"
         ".SH DESCRIPTION\n"
         "Asks posed, skinned and morphing models which of their triangles meet, how far they are\n"
         "apart, where a ray hits them and when they touch. Every answer is exact: that for the\n"
         "positions that \\fBgraze pose\\fR prints, as if in real arithmetic.\n"
         ".PP");
    put_line("", MODEL_FORMS, "");
    puts(".PP\nEvery command takes \\fB\\-\\-help\\fR. Warnings and errors go to standard error.\n"
         ".SH COMMANDS");
    for (size_t i = 0; i < command_count; i++)
        put_command(commands[i]);
    put_line(".SH EXIT STATUS\n", EXIT_CODES, "");
}
