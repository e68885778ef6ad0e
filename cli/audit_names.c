#include "cli/audit_names.h"
#include "cli/room.h"

#include <ctype.h>
#include <strings.h>

static int by_bytes(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

void audit_names_sort(item_list *names)
{
    const char **all = names->items;
    size_t kept = 0;
    if (names->count == 0)
        return;
    qsort(all, names->count, sizeof *all, by_bytes);
    for (size_t i = 1; i < names->count; i++)
        if (strcmp(all[kept], all[i]) != 0)
            all[++kept] = all[i];
    names->count = kept + 1;
}

/* ---- what names have in common -------------------------------------------------------------- */

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || ((unsigned char)c & 0x80);
}

/* How many bytes the word at the start of a text has: letters, the first of them a capital or none
 * of them.
 */
static size_t word_length(const char *text)
{
    size_t length = 0;
    while (is_letter(text[length]) &&
           (length == 0 || islower((unsigned char)text[length - 1]) == 0 ||
            isupper((unsigned char)text[length]) == 0))
        length++;
    return length;
}

static bool is_side(const char *word, size_t length)
{
    static const char *const sides[] = {"l", "r", "left", "right"};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (strlen(sides[i]) == length && strncasecmp(word, sides[i], length) == 0)
            return true;
    return false;
}

/* Whether a word of the text says what it is: "L_Hand" does, "Left_1" does not. */
static bool says_what(const char *text)
{
    while (*text) {
        size_t length = word_length(text);
        if (length >= 3 && !is_side(text, length))
            return true;
        text += length ? length : 1;
    }
    return false;
}

static bool has_side(const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t length = word_length(text + at);
        if (length && is_side(text + at, length))
            return true;
        at += length ? length : 1;
    }
    return false;
}

/* How many names have the prefix; 0 if it cannot be left out: what is left would not say what it
 * is, or be the whole of another name.
 */
static size_t count_with(const item_list *names, const char *with, size_t prefix)
{
    const char *const *all = names->items;
    const bool space = with[prefix - 1] == ':' || with[prefix - 1] == '|';
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++) {
        if (strncmp(all[i], with, prefix) != 0)
            continue;
        const char *rest = all[i] + prefix;
        if (!*rest || (!space && !says_what(rest)) ||
            bsearch(&rest, all, names->count, sizeof *all, by_bytes))
            return 0;
        count++;
    }
    return space || (count >= 4 && !has_side(with, prefix)) ? count : 0;
}

static bool may_end_behind(const char *name, size_t length)
{
    const unsigned char last = (unsigned char)name[length - 1], next = (unsigned char)name[length];
    return next && (strchr(":|_.- /", last) || (islower(last) && isupper(next)));
}

/* More than half of the sorted names begin so: the one in the middle does. */
size_t audit_names_prefix(const item_list *names, const char **with)
{
    size_t prefix = 0, had = 0;
    *with = names->count ? ((const char *const *)names->items)[names->count / 2] : "";
    for (size_t length = 1; (*with)[0] && (*with)[length]; length++) {
        size_t count = may_end_behind(*with, length) ? count_with(names, *with, length) : 0;
        if (2 * count <= names->count || count < had)
            continue;
        prefix = length;
        had = count;
    }
    return prefix;
}

const char *audit_name_rest(const char *name, const char *with, size_t prefix)
{
    return prefix && strncmp(name, with, prefix) == 0 ? name + prefix : name;
}

/* ---- lengths -------------------------------------------------------------------------------- */

char *audit_name_short(const char *name, size_t most)
{
    size_t length = strlen(name), head = most / 2 - 1, tail = length - (most - most / 2 - 1);
    if (length <= most)
        return copy_text(name);
    while (head && ((unsigned char)name[head] & 0xc0) == 0x80)
        head--;
    while (tail < length && ((unsigned char)name[tail] & 0xc0) == 0x80)
        tail++;
    char *cut = room(most + 3, 1);
    snprintf(cut, most + 3, "%.*s..%s", (int)head, name, name + tail);
    return cut;
}

static bool are_alike(const item_list *names, size_t most)
{
    char **cut = room(names->count, sizeof *cut);
    bool alike = false;
    for (size_t i = 0; i < names->count; i++)
        cut[i] = audit_name_short(((const char *const *)names->items)[i], most);
    if (names->count)
        qsort(cut, names->count, sizeof *cut, by_bytes);
    for (size_t i = 1; i < names->count; i++)
        alike = alike || strcmp(cut[i - 1], cut[i]) == 0;
    for (size_t i = 0; i < names->count; i++)
        free(cut[i]);
    free(cut);
    return alike;
}

size_t audit_names_cut(const item_list *names, size_t most)
{
    while (are_alike(names, most))
        most += 1 + most / 8;
    return most;
}

int audit_name_width(const char *name)
{
    int width = 0;
    for (; *name; name++)
        width += ((unsigned char)*name & 0xc0) != 0x80;
    return width;
}
