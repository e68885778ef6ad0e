#include "cli/parts.h"

#include "cli/names.h"
#include "cli/room.h"
#include "cli/text.h"

/* ---- names -------------------------------------------------------------------------------- */

const char *part_name(const struct character *character, uint32_t part)
{
    return graze_part_name(character->parts, part);
}

const char *joint_name(const struct character *character, uint32_t joint)
{
    return graze_part_name(character->joints, joint);
}

const char *triangle_part(const struct character *character, uint32_t triangle)
{
    return part_name(character, graze_model_triangle_part(character->model, triangle));
}

const char *mesh_name(const graze_rig *rig, const graze_rig_mesh *mesh)
{
    const char *name = mesh->name && *mesh->name ? mesh->name : rig->nodes[mesh->node].name;
    return name && *name ? name : NULL;
}

const char *triangle_mesh(const struct character *character, uint32_t triangle)
{
    const graze_rig *rig = character->rig;
    uint32_t first = 0, end = rig->mesh_count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        const graze_rig_mesh *mesh = &rig->meshes[middle];
        if (triangle < mesh->first_triangle)
            end = middle;
        else if (triangle - mesh->first_triangle >= mesh->triangle_count)
            first = middle + 1;
        else
            return mesh_name(rig, mesh);
    }
    return NULL;
}

/* ---- parts that meet ---------------------------------------------------------------------- */

static int by_parts(const void *left, const void *right)
{
    const part_pair *x = left, *y = right;
    for (int side = 0; side < 2; side++)
        if (x->parts[side] != y->parts[side])
            return x->parts[side] < y->parts[side] ? -1 : 1;
    return 0;
}

static int by_count(const void *left, const void *right)
{
    const part_pair *x = left, *y = right;
    return x->count != y->count ? (x->count > y->count ? -1 : 1) : by_parts(x, y);
}

/* Counts a pair of parts; runs of equal ones are one item. */
static void add(item_list *parts, const part_pair *found)
{
    part_pair *last = parts->count ? (part_pair *)parts->items + parts->count - 1 : NULL;
    if (!last || by_parts(last, found) != 0)
        list_add(parts, found, 1, sizeof *found);
    else
        last->count++;
}

void part_pairs_find(item_list *parts, const struct character *const characters[2],
                     const item_list *pairs, bool unordered)
{
    const graze_pair *found = pairs->items;
    parts->count = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t first = graze_model_triangle_part(characters[0]->model, found[i].a);
        uint32_t second = graze_model_triangle_part(characters[1]->model, found[i].b);
        bool swapped = unordered && first > second;
        add(parts, &(part_pair){{swapped ? second : first, swapped ? first : second}, 1});
    }
    part_pair *all = parts->items;
    size_t kept = 0;
    if (!parts->count)
        return;
    qsort(all, parts->count, sizeof *all, by_parts);
    for (size_t i = 1; i < parts->count; i++)
        if (by_parts(&all[kept], &all[i]) == 0)
            all[kept].count += all[i].count;
        else
            all[++kept] = all[i];
    parts->count = kept + 1;
    qsort(all, parts->count, sizeof *all, by_count);
}

/* ---- parts by name ------------------------------------------------------------------------- */

static bool fail_name(const struct character *character, const char *name)
{
    name_search search = {.word = name};
    for (uint32_t i = 0; i < graze_part_count(character->parts); i++)
        name_search_offer(&search, part_name(character, i));
    return refuse("%s: there is no part %s; %s", character->name, name,
                  name_search_tell(&search, "there are"));
}

/* ---- sets --------------------------------------------------------------------------------- */

static size_t words_of(const struct character *character)
{
    return ((size_t)graze_part_count(character->parts) + 31) / 32;
}

/* What a name in a set does: "-NAME" takes a part and all inside it out, "=NAME" puts it in alone.
 */
typedef enum set_step { STEP_ADD, STEP_ALONE, STEP_REMOVE } set_step;

/* The part of an item, whose name is set apart; GRAZE_NONE: there is none. */
static uint32_t find_step(const struct character *character, const char **item, set_step *step)
{
    uint32_t part = graze_part_find(character->parts, *item);
    *step = STEP_ADD;
    if (part != GRAZE_NONE || (**item != '-' && **item != '='))
        return part;
    *step = **item == '-' ? STEP_REMOVE : STEP_ALONE;
    return graze_part_find(character->parts, ++*item);
}

static void take_step(const struct character *character, set_step step, const char *name,
                      uint32_t part, uint32_t *bits)
{
    const size_t words = words_of(character);
    uint32_t *inside = bits + words;
    graze_part_mask(character->parts, &name, 1, inside, NULL);
    if (step == STEP_ALONE)
        bits[part / 32] |= 1u << (part % 32);
    for (size_t i = 0; step != STEP_ALONE && i < words; i++)
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
        const char *name = item;
        end = strchr(item, separator);
        if (end)
            *end = 0;
        uint32_t part = find_step(character, &name, &step);
        known = part != GRAZE_NONE;
        if (bits && item == text && step == STEP_REMOVE) /* out of all */
            memset(bits, 0xff, words * sizeof *bits);
        if (known && bits)
            take_step(character, step, name, part, bits);
        else if (bits)
            fail_name(character, name);
        if (end)
            *end++ = separator;
    }
    return known;
}

bool parts_choose(const struct character *character, graze_body *body, const char *names)
{
    char *copy = copy_text(names);
    uint32_t *bits = room(2 * words_of(character), sizeof *bits);
    graze_error error;
    bool chosen = read_set(character, copy, ',', bits);
    if (chosen &&
        graze_body_set_part_mask(body, bits, graze_part_count(character->parts), &error)) {
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
    sets->pairs[i] = (graze_part_sets){bits[0], bits[1]};
    return read_set(character, item, '+', bits[0]) && read_set(character, colon + 1, '+', bits[1]);
}

bool part_sets_parse(part_sets *sets, const struct character *character, const char *text)
{
    char *copy = copy_text(text), *item = copy, *end;
    uint32_t count = 1, i = 0;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    bool parsed = true;
    *sets = (part_sets){.bits = room(4 * count * words_of(character), sizeof *sets->bits),
                        .pairs = room(count, sizeof *sets->pairs)};
    for (; parsed && item; item = end) {
        end = strchr(item, ',');
        if (end)
            *end++ = 0;
        parsed = parse_pair(sets, character, item, i++);
    }
    sets->between = (graze_part_filter){.pairs = sets->pairs,
                                        .pair_count = count,
                                        .part_count = graze_part_count(character->parts)};
    free(copy);
    return parsed;
}

void part_sets_free(part_sets *sets)
{
    free(sets->bits);
    free(sets->pairs);
    *sets = (part_sets){.bits = NULL};
}

/* ---- the tree ----------------------------------------------------------------------------- */

/* How many triangles each part has by itself. */
static uint32_t *count_triangles(const struct character *character)
{
    uint32_t *counts = room(graze_part_count(character->parts), sizeof *counts);
    for (uint32_t t = 0; t < character->rig->triangle_count; t++)
        counts[graze_model_triangle_part(character->model, t)]++;
    return counts;
}

/* Lists of the parts inside each, the outermost in the place behind the last. */
typedef struct inside_lists {
    uint32_t *first, *next; /* GRAZE_NONE ends a list */
} inside_lists;

static inside_lists make_lists(const struct character *character)
{
    uint32_t count = graze_part_count(character->parts);
    inside_lists lists = {room((size_t)count + 1, sizeof *lists.first),
                          room(count, sizeof *lists.next)};
    memset(lists.first, 0xff, ((size_t)count + 1) * sizeof *lists.first);
    for (uint32_t p = count; p-- > 0;) {
        uint32_t parent = graze_part_parent(character->parts, p);
        parent = parent == GRAZE_NONE ? count : parent;
        lists.next[p] = lists.first[parent];
        lists.first[parent] = p;
    }
    return lists;
}

static void print_part(const struct character *character, uint32_t part, uint32_t triangles,
                       int depth)
{
    int indent = 2 * (depth < 20 ? depth : 20) + 2;
    say("%*s%-*s %6u triangle%s\n", indent, "", indent < 36 ? 36 - indent : 1,
        part_name(character, part), triangles, triangles == 1 ? "" : "s");
}

/* Down to the first inside, else on to the next, else up until there is a next one. */
static void print_tree(const struct character *character, const inside_lists *lists,
                       const uint32_t *counts)
{
    uint32_t count = graze_part_count(character->parts), part = lists->first[count];
    int depth = 0;
    while (part != GRAZE_NONE) {
        print_part(character, part, counts[part], depth);
        if (lists->first[part] != GRAZE_NONE) {
            part = lists->first[part];
            depth++;
            continue;
        }
        while (lists->next[part] == GRAZE_NONE && depth) {
            part = graze_part_parent(character->parts, part);
            depth--;
        }
        part = lists->next[part];
    }
}

void parts_print(const struct character *character)
{
    uint32_t *counts = count_triangles(character);
    inside_lists lists = make_lists(character);
    print_tree(character, &lists, counts);
    free(counts);
    free(lists.first);
    free(lists.next);
}

void parts_print_json(const struct character *character)
{
    uint32_t *counts = count_triangles(character);
    printf("{\"parts\":[");
    for (uint32_t p = 0; p < graze_part_count(character->parts); p++) {
        fputs(p ? "," : "", stdout);
        print_json("{\"name\":%s,\"parent\":%s,\"triangles\":%u}", part_name(character, p),
                   part_name(character, graze_part_parent(character->parts, p)), counts[p]);
    }
    fputs("],\"part_of\":[", stdout);
    for (uint32_t t = 0; t < character->rig->triangle_count; t++)
        printf(t ? ",%u" : "%u", graze_model_triangle_part(character->model, t));
    puts("]}");
    free(counts);
}
