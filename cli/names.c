#include "cli/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 };

static int lower(char c)
{
    return tolower((unsigned char)c);
}

/* Letters to insert, drop, replace or swap with their neighbour until one word is the other
 * (Damerau 1964; optimal string alignment), capitals or not.
 */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1];
    size_t length_a = strlen(a), length_b = strlen(b);
    for (size_t j = 0; j <= length_b; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t best = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]) && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[length_a % 3][length_b];
}

/* A third of the letters may be wrong, dashes in front apart; or the rest of the word is missing.
 */
static void compare(name_search *search, const char *name)
{
    size_t length = strlen(search->word);
    if (length > LONGEST || strlen(name) > LONGEST)
        return;
    size_t letters = length - strspn(search->word, "-");
    bool begins = letters >= 3 && strncmp(search->word, name, length) == 0;
    size_t distance = begins ? 1 : edit_distance(search->word, name);
    if (distance > (letters + 1) / 3 || (search->near && distance >= search->distance))
        return;
    search->near = name;
    search->distance = distance;
}

void name_search_list(name_search *search, const char *name)
{
    enum { ROOM_FOR_MORE = 32 };
    size_t length = strlen(name) + 2;
    if (search->left_out || search->used + length + ROOM_FOR_MORE > sizeof search->all) {
        search->left_out++;
        return;
    }
    search->used += (size_t)snprintf(search->all + search->used, sizeof search->all - search->used,
                                     "%s%s", search->used ? ", " : "", name);
}

void name_search_offer(name_search *search, const char *name)
{
    if (!name)
        return;
    compare(search, name);
    name_search_list(search, name);
}

const char *name_search_all(name_search *search)
{
    if (search->left_out)
        snprintf(search->all + search->used, sizeof search->all - search->used, "%s%zu more",
                 search->used ? " and " : "", search->left_out);
    search->left_out = 0;
    return search->all;
}

const char *name_search_tell(name_search *search, const char *before)
{
    if (search->near)
        snprintf(search->told, sizeof search->told, "did you mean %s?", search->near);
    else
        snprintf(search->told, sizeof search->told, "%s %s", before, name_search_all(search));
    return search->told;
}
