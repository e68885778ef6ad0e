/* The settings of an audit, found in the table of its options: every option counts, unless it is in
 * the list below.
 */
#include "cli/audit_store.h"
#include "cli/commands.h"
#include "cli/room.h"
#include "cli/text.h"

#include <errno.h>

/* What is audited by whom, and how it is told. */
static const char *const others[] = {"--list",   "--folds",     "--fail-on-hit", "--state",
                                     "--accept", "--tree",      "--json",        "--threads",
                                     "--rows",   "--shard",     "--plan",        "--resume",
                                     "--update", "--fix-parts", "--ease"};

static bool is_setting(const struct option *option)
{
    switch (option->kind) {
    case OPTION_FLAG:
    case OPTION_TEXT:
    case OPTION_INPUT:
    case OPTION_NUMBER:
    case OPTION_COUNT:
    case OPTION_CHOICE:
        break;
    default:
        return false;
    }
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (strcmp(option->name, others[i]) == 0)
            return false;
    return true;
}

/* The value as it would be given, in text where it needs room; NULL: it is not. */
static const char *value_text(const struct option *option, const audit_job *job, char text[32])
{
    const void *at = (const char *)job + option->offset;
    const char *choice = option->value_name;
    switch (option->kind) {
    case OPTION_FLAG:
        return *(const bool *)at ? "yes" : NULL;
    case OPTION_TEXT:
    case OPTION_INPUT:
        return *(const char *const *)at;
    case OPTION_NUMBER:
        return format_number(text, *(const double *)at);
    case OPTION_COUNT:
        snprintf(text, 32, "%u", *(const uint32_t *)at);
        return text;
    default: /* a choice */
        for (int i = 0; i < *(const int *)at; i++)
            choice += strcspn(choice, "|") + 1;
        snprintf(text, 32, "%.*s", (int)strcspn(choice, "|"), choice);
        return text;
    }
}

/* The key that stands for what is in a file that an option names. */
static const char *contents_key(char key[64], const char *option)
{
    snprintf(key, 64, "contents of %s", option);
    return key;
}

static bool add_contents(cJSON *settings, const char *option, const char *path)
{
    uint64_t sum;
    char key[64], name[17];
    const bool model = strcmp(option, "--character") == 0;
    if (!(model ? audit_sum_model : audit_sum_file)(path, &sum))
        return refuse("%s: cannot be read: %s", path, strerror(errno));
    audit_sum_name(name, sum);
    room_or_end(cJSON_AddStringToObject(settings, contents_key(key, option), name));
    return true;
}

cJSON *audit_settings_make(const audit_job *job)
{
    cJSON *settings = room_or_end(cJSON_CreateObject());
    room_or_end(cJSON_AddStringToObject(settings, "graze", graze_version()));
    for (size_t i = 0; i < audit_command.option_count; i++) {
        const struct option *option = &audit_command.options[i];
        char text[32];
        const char *value = is_setting(option) ? value_text(option, job, text) : NULL;
        if (!value)
            continue;
        room_or_end(cJSON_AddStringToObject(settings, option->name, value));
        if (option->kind == OPTION_INPUT && !add_contents(settings, option->name, value)) {
            cJSON_Delete(settings);
            return NULL;
        }
    }
    return settings;
}

/* ---- comparing ------------------------------------------------------------------------------ */

static const char *value_of(const cJSON *settings, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(settings, key));
}

static bool same_value(const char *x, const char *y)
{
    return x && y ? strcmp(x, y) == 0 : x == y;
}

static void tell_difference(line_text *text, const char *key, const char *made, const char *now)
{
    const size_t size = sizeof text->text;
    if (strcmp(key, "graze") == 0)
        snprintf(text->text, size, "by graze %.30s, not %.30s", made ? made : "of another kind",
                 now ? now : "of another kind");
    else if (strncmp(key, "contents", 8) == 0)
        snprintf(text->text, size, "with other %s", key);
    else if (made && now)
        snprintf(text->text, size, "with %s %.300s, not %.300s", key, made, now);
    else
        snprintf(text->text, size, "%s %s %.300s", made ? "with" : "without", key,
                 made ? made : now);
}

bool audit_settings_same(const cJSON *made, const cJSON *now, line_text *text)
{
    const cJSON *const both[] = {made, now};
    for (int side = 0; side < 2; side++) {
        const cJSON *one;
        cJSON_ArrayForEach(one, both[side])
        {
            const char *x = value_of(made, one->string), *y = value_of(now, one->string);
            if (same_value(x, y))
                continue;
            tell_difference(text, one->string, x, y);
            return false;
        }
    }
    return true;
}

/* ---- taking --------------------------------------------------------------------------------- */

bool audit_settings_take(audit_job *job, const arguments *given, const cJSON *stored,
                         const char *place)
{
    line_text text;
    for (size_t i = 0; i < audit_command.option_count; i++) {
        const struct option *option = &audit_command.options[i];
        char own_text[32];
        void *target = (char *)job + option->offset;
        value_error error;
        if (!is_setting(option))
            continue;
        const char *own = value_text(option, job, own_text);
        const char *value = value_of(stored, option->name);
        if (same_value(own, value))
            continue;
        if (given->given[i]) {
            tell_difference(&text, option->name, value, own);
            return refuse("%s: was made %s", place, text.text);
        }
        if (value && option->kind == OPTION_FLAG)
            *(bool *)target = true;
        else if (value && !parse_value(option, value, target, &error))
            return refuse("%s: %s %s is no value of it", place, option->name, value);
    }
    return true;
}
