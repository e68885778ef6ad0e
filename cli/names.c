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
void suggestion_offer(suggestion *search, const char *name)
{
    size_t length = strlen(search->word);
    if (!name || length > LONGEST || strlen(name) > LONGEST)
        return;
    size_t letters = length - strspn(search->word, "-");
    bool begins = letters >= 3 && strncmp(search->word, name, length) == 0;
    size_t distance = begins ? 1 : edit_distance(search->word, name);
    if (distance > (letters + 1) / 3 || (search->name && distance >= search->distance))
        return;
    search->name = name;
    search->distance = distance;
}

void name_list_add(name_list *list, const char *name)
{
    enum { ROOM_FOR_MORE = 32 };
    size_t length = strlen(name) + 2;
    if (list->left_out || list->used + length + ROOM_FOR_MORE > sizeof list->text) {
        list->left_out++;
        return;
    }
    list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s%s",
                                   list->used ? ", " : "", name);
}

const char *name_list_end(name_list *list)
{
    if (list->left_out)
        snprintf(list->text + list->used, sizeof list->text - list->used, "%s%zu more",
                 list->used ? " and " : "", list->left_out);
    list->left_out = 0;
    return list->text;
}
