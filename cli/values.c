/* The values of options, from text. */
#include "cli/model_file.h"
#include "cli/names.h"
#include "cli/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool parse_number(const char **text, char end, double *number)
{
    char *rest;
    *number = strtod(*text, &rest);
    if (rest == *text || *rest != end || !isfinite(*number))
        return false;
    *text = end ? rest + 1 : rest;
    return true;
}

/* ---- times -------------------------------------------------------------------------------- */

#define FRAMES_A_SECOND 30

static bool fail(value_error *error, const char *text)
{
    snprintf(error->text, sizeof error->text, "%s", text);
    return false;
}

/* A part of the range, up to a colon or the end. */
static bool parse_part(const char **text, const char *what, double *number, value_error *error)
{
    size_t length = strcspn(*text, ":");
    char end = (*text)[length];
    const char *part = *text;
    if (parse_number(text, end, number))
        return true;
    if (length)
        snprintf(error->text, sizeof error->text, "%s is %.*s, not a number", what,
                 (int)(length < 40 ? length : 40), part);
    else
        snprintf(error->text, sizeof error->text, "%s is missing", what);
    return false;
}

/* "all", or "all:FPS". */
static bool parse_whole_clip(const char *text, frame_range *range, value_error *error)
{
    *range = (frame_range){.given = true, .all = true, .fps = FRAMES_A_SECOND};
    if (!*text)
        return true;
    text++;
    if (!parse_part(&text, "FPS", &range->fps, error))
        return false;
    return (!*text && range->fps > 0) || fail(error, "FPS has to be one number above 0");
}

static bool parse_times(const char *text, frame_range *range, value_error *error)
{
    static const char *const names[3] = {"FROM", "TO", "FPS"};
    double numbers[3];
    if (strncmp(text, "all", 3) == 0 && (!text[3] || text[3] == ':'))
        return parse_whole_clip(text + 3, range, error);
    size_t colons = 0;
    for (const char *c = text; *c; c++)
        colons += *c == ':';
    if (colons < 2)
        return fail(error, colons
                               ? "FPS, the frames a second, is missing: FROM:TO:FPS, as in 0:2:30"
                               : "it needs FROM:TO:FPS in seconds, as in 0:2:30, or all");
    if (colons > 2)
        return fail(error, "it has more than two colons");
    for (int i = 0; i < 3; i++)
        if (!parse_part(&text, names[i], &numbers[i], error))
            return false;
    *range = (frame_range){numbers[0], numbers[1], numbers[2], .given = true};
    if (!(range->fps > 0))
        return fail(error, "FPS, the frames a second, has to be above 0");
    if (range->to < range->from)
        return fail(error, "it ends (TO) before it starts (FROM)");
    if (!((range->to - range->from) * range->fps < FRAMES_LIMIT))
        return fail(error, "it has more than ten million frames");
    return true;
}

/* ---- choices ------------------------------------------------------------------------------ */

static bool parse_choice(const char *text, const char *choices, int *choice, value_error *error)
{
    name_search search = {.word = text};
    char names[8][24];
    for (int index = 0; index < 8; index++) {
        size_t length = strcspn(choices, "|");
        snprintf(names[index], sizeof names[index], "%.*s", (int)length, choices);
        if (strcmp(text, names[index]) == 0) {
            *choice = index;
            return true;
        }
        name_search_offer(&search, names[index]);
        if (!choices[length])
            break;
        choices += length + 1;
    }
    if (search.near)
        snprintf(error->text, sizeof error->text, "there is no such choice; did you mean %s?",
                 search.near);
    return false;
}

/* A whole number from 1 to a billion. */
static bool parse_count(const char *text, uint32_t *count)
{
    double number;
    if (!parse_number(&text, '\0', &number) || number < 1 || number > 1e9 ||
        number != floor(number))
        return false;
    *count = (uint32_t)number;
    return true;
}

bool parse_value(const struct option *option, const char *text, void *target, value_error *error)
{
    uint32_t megabytes;
    error->text[0] = 0;
    switch (option->kind) {
    case OPTION_HEADING:
    case OPTION_FLAG:
    case OPTION_NO_TIMES:
        return false;
    case OPTION_TEXTS: {
        text_list *list = target;
        if (list->count == MOST_TEXTS)
            return fail(error, "it is given too often");
        list->of[list->count++] = text;
        return true;
    }
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_GLB:
    case OPTION_INPUT:
    case OPTION_FOLDER:
        *(const char **)target = text;
        return true;
    case OPTION_NUMBER:
        return parse_number(&text, '\0', target);
    case OPTION_MEMORY:
        if (!parse_count(text, &megabytes))
            return false;
        model_file_limit(megabytes);
        return true;
    case OPTION_COUNT:
        return parse_count(text, target);
    case OPTION_VECTOR:
        return parse_number(&text, ',', target) && parse_number(&text, ',', (double *)target + 1) &&
               parse_number(&text, '\0', (double *)target + 2);
    case OPTION_TIMES:
        return parse_times(text, target, error);
    case OPTION_CHOICE:
        return parse_choice(text, option->value_name, target, error);
    }
    return false;
}
