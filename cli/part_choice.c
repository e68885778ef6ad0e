#include "cli/part_choice.h"

#include "cli/names.h"
#include "cli/parts.h"
#include "cli/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail_memory(const struct character *character)
{
    fail_usage("%s: out of memory", character->name);
    return false;
}

static bool fail_name(const struct character *character, const char *name)
{
    suggestion near = {.word = name};
    name_list all = {.used = 0};
    for (uint32_t i = 0; i < graze_parts_count(character->parts); i++) {
        suggestion_offer(&near, part_name(character, i));
        name_list_add(&all, part_name(character, i));
    }
    if (near.name)
        fail_usage("%s: there is no part %s; did you mean %s?", character->name, name, near.name);
    else
        fail_usage("%s: there is no part %s; there are %s", character->name, name,
                   name_list_end(&all));
    return false;
}

static bool is_part(const struct character *character, const char *name)
{
    uint32_t part;
    return graze_parts_find(character->parts, name, &part);
}

/* ---- sets --------------------------------------------------------------------------------- */

static size_t words_of(const struct character *character)
{
    return ((size_t)graze_parts_count(character->parts) + 31) / 32;
}

/* What a name in a set does: "-NAME" takes a part and all inside it out, "=NAME" puts it in alone.
 */
typedef enum set_step { STEP_ADD, STEP_ALONE, STEP_REMOVE } set_step;

static bool find_step(const struct character *character, const char *item, set_step *step,
                      const char **name)
{
    *step = STEP_ADD;
    *name = item;
    if (!is_part(character, item) && (*item == '-' || *item == '=')) {
        *step = *item == '-' ? STEP_REMOVE : STEP_ALONE;
        *name = item + 1;
    }
    return is_part(character, *name);
}

static void take_step(const struct character *character, set_step step, const char *name,
                      uint32_t *bits, uint32_t *inside)
{
    uint32_t part = 0;
    graze_parts_find(character->parts, name, &part);
    graze_parts_mask(character->parts, &name, 1, inside, NULL);
    if (step == STEP_ALONE)
        bits[part / 32] |= 1u << (part % 32);
    for (size_t i = 0; step != STEP_ALONE && i < words_of(character); i++)
        bits[i] = step == STEP_REMOVE ? bits[i] & ~inside[i] : bits[i] | inside[i];
}

/* Names with a separator between them. bits: of twice the words, the rest to work in; NULL: only
 * whether all names are known, in silence.
 */
static bool read_set(const struct character *character, char *text, char separator, uint32_t *bits)
{
    bool known = true;
    size_t words = words_of(character);
    if (bits)
        memset(bits, 0, words * sizeof *bits);
    for (char *item = text, *end; known && item; item = end) {
        set_step step;
        const char *name;
        end = strchr(item, separator);
        if (end)
            *end = 0;
        known = find_step(character, item, &step, &name);
        if (bits && item == text && step == STEP_REMOVE) /* out of all */
            memset(bits, 0xff, words * sizeof *bits);
        if (known && bits)
            take_step(character, step, name, bits, bits + words);
        else if (bits)
            fail_name(character, name);
        if (end)
            *end++ = separator;
    }
    return known;
}

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

bool parts_choose(const struct character *character, graze_body *body, const char *names)
{
    char *copy = copy_of(names);
    uint32_t *bits = malloc(2 * words_of(character) * sizeof *bits);
    graze_error error;
    bool chosen = (copy && bits) || fail_memory(character);
    chosen = chosen && read_set(character, copy, ',', bits);
    if (chosen &&
        graze_body_set_group_mask(body, bits, graze_parts_count(character->parts), &error)) {
        fail_usage("%s: %s", character->name, error.text);
        chosen = false;
    }
    free(bits);
    free(copy);
    return chosen;
}

/* ---- pairs of sets ------------------------------------------------------------------------ */

/* The colon between two sets, whose names may have colons themselves; NULL after an error. */
static char *find_colon(const struct character *character, char *item)
{
    char *first = strchr(item, ':');
    for (char *colon = first; colon; colon = strchr(colon + 1, ':')) {
        *colon = 0;
        bool known =
            read_set(character, item, '+', NULL) && read_set(character, colon + 1, '+', NULL);
        *colon = ':';
        if (known)
            return colon;
    }
    if (!first)
        fail_usage("self: --between %s: expected two parts with a colon between them, as in A:B",
                   item);
    return first; /* the name that is not known is named when the set is read */
}

/* Fills pair i. */
static bool parse_pair(part_sets *sets, const struct character *character, char *item, uint32_t i)
{
    size_t words = words_of(character);
    char *colon = find_colon(character, item);
    if (!colon)
        return false;
    *colon = 0;
    uint32_t *bits[2] = {sets->bits + 4 * i * words, sets->bits + (4 * i + 2) * words};
    sets->pairs[i] = (graze_group_pair){bits[0], bits[1]};
    return read_set(character, item, '+', bits[0]) && read_set(character, colon + 1, '+', bits[1]);
}

bool part_sets_parse(part_sets *sets, const struct character *character, const char *text)
{
    char *copy = copy_of(text), *item = copy, *end;
    uint32_t count = 1, i = 0;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    *sets = (part_sets){.bits = malloc(4 * count * words_of(character) * sizeof *sets->bits),
                        .pairs = malloc(count * sizeof *sets->pairs)};
    bool parsed = (copy && sets->bits && sets->pairs) || fail_memory(character);
    for (; parsed && item; item = end) {
        end = strchr(item, ',');
        if (end)
            *end++ = 0;
        parsed = parse_pair(sets, character, item, i++);
    }
    sets->between = (graze_self_between){.pairs = sets->pairs,
                                         .pair_count = count,
                                         .group_count = graze_parts_count(character->parts)};
    free(copy);
    return parsed;
}

void part_sets_free(part_sets *sets)
{
    free(sets->bits);
    free(sets->pairs);
    *sets = (part_sets){.bits = NULL};
}

static bool has(const uint32_t *bits, uint32_t group)
{
    return bits[group / 32] >> (group % 32) & 1;
}

bool part_sets_have(const part_sets *sets, const graze_model *model, const graze_self_pair *pair)
{
    uint32_t p = graze_model_triangle_group(model, pair->a);
    uint32_t q = graze_model_triangle_group(model, pair->b);
    for (uint32_t i = 0; i < sets->between.pair_count; i++)
        if ((has(sets->pairs[i].a, p) && has(sets->pairs[i].b, q)) ||
            (has(sets->pairs[i].b, p) && has(sets->pairs[i].a, q)))
            return true;
    return false;
}

/* ---- the tree ----------------------------------------------------------------------------- */

/* How many triangles each part has by itself; NULL after an error. */
static uint32_t *count_triangles(const struct character *character)
{
    uint32_t *counts = calloc(graze_parts_count(character->parts), sizeof *counts);
    if (!counts)
        fail_memory(character);
    for (uint32_t t = 0; counts && t < character->rig->triangle_count; t++)
        counts[graze_model_triangle_group(character->model, t)]++;
    return counts;
}

/* Lists of the parts inside each, the outermost in the place behind the last. */
typedef struct inside_lists {
    uint32_t *first, *next; /* GRAZE_NO_PART ends a list */
} inside_lists;

static bool make_lists(inside_lists *lists, const struct character *character)
{
    uint32_t count = graze_parts_count(character->parts);
    lists->first = malloc(((size_t)count + 1) * sizeof *lists->first);
    lists->next = malloc(count * sizeof *lists->next);
    if (!lists->first || !lists->next)
        return fail_memory(character);
    for (uint32_t p = 0; p <= count; p++)
        lists->first[p] = GRAZE_NO_PART;
    for (uint32_t p = count; p-- > 0;) {
        uint32_t parent = count;
        graze_parts_parent(character->parts, p, &parent);
        lists->next[p] = lists->first[parent];
        lists->first[parent] = p;
    }
    return true;
}

static void print_part(const struct character *character, uint32_t part, uint32_t triangles,
                       int depth)
{
    int indent = 2 * (depth < 20 ? depth : 20) + 2;
    printf("%*s%-*s %6u triangle%s\n", indent, "", indent < 36 ? 36 - indent : 1,
           part_name(character, part), triangles, triangles == 1 ? "" : "s");
}

/* Down to the first inside, else on to the next, else up until there is a next one. */
static void print_tree(const struct character *character, const inside_lists *lists,
                       const uint32_t *counts)
{
    uint32_t count = graze_parts_count(character->parts), part = lists->first[count];
    int depth = 0;
    while (part != GRAZE_NO_PART) {
        print_part(character, part, counts[part], depth);
        if (lists->first[part] != GRAZE_NO_PART) {
            part = lists->first[part];
            depth++;
            continue;
        }
        while (lists->next[part] == GRAZE_NO_PART &&
               graze_parts_parent(character->parts, part, &part))
            depth--;
        part = lists->next[part];
    }
}

void parts_print(const struct character *character)
{
    uint32_t *counts = count_triangles(character);
    inside_lists lists = {NULL, NULL};
    if (counts && make_lists(&lists, character))
        print_tree(character, &lists, counts);
    free(counts);
    free(lists.first);
    free(lists.next);
}

void parts_print_json(const struct character *character)
{
    uint32_t *counts = count_triangles(character);
    printf("\"parts\":[");
    for (uint32_t p = 0; counts && p < graze_parts_count(character->parts); p++) {
        uint32_t parent;
        printf("%s{\"name\":", p ? "," : "");
        print_json_string(part_name(character, p));
        printf(",\"parent\":");
        if (graze_parts_parent(character->parts, p, &parent))
            print_json_string(part_name(character, parent));
        else
            printf("null");
        printf(",\"triangles\":%u}", counts[p]);
    }
    printf("]");
    free(counts);
}
