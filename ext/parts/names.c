/* Names and nesting of parts. */
#include "base/memory.h"
#include "base/status.h"
#include "body/body.h"

#include <graze/ext/parts.h>

#include <stdio.h>
#include <string.h>

/* Parts of one name are told apart by "#" and up to ten digits; a name that is made ends in "/" and
 * as many, behind a long name's first MADE_FROM bytes.
 */
enum { NAME_ROOM = 12, MADE_FROM = 60 };

struct graze_part_names {
    graze_allocator allocator;
    uint32_t count;
    uint32_t *parents;
    char *text;
    size_t *names;   /* of each part: where in the text */
    uint32_t *table; /* parts by their names' hashes; GRAZE_NONE: free */
    uint32_t table_mask;
    uint32_t *order;  /* each part before those inside it, and those right behind it */
    uint32_t *place;  /* of each part in the order */
    uint32_t *inside; /* how many parts are inside each */
};

/* ---- names ---------------------------------------------------------------------------------- */

/* Fowler, Noll & Vo's, 32 bits. */
static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash ^ hash >> 15;
}

/* Where a name is in the table, or would be. */
static uint32_t slot_of(const graze_part_names *parts, const char *name)
{
    uint32_t slot = hash_of(name) & parts->table_mask;
    while (parts->table[slot] != GRAZE_NONE &&
           strcmp(parts->text + parts->names[parts->table[slot]], name) != 0)
        slot = (slot + 1) & parts->table_mask;
    return slot;
}

static bool is_named(const graze_part_names_def *def, uint32_t part)
{
    return def->parts[part].name && *def->parts[part].name;
}

/* Writes what a def calls a part; else its number, behind the name of what it is inside. A long
 * name is cut between two characters of UTF-8.
 */
static size_t write_name(char *text, const graze_part_names_def *def, uint32_t part, uint32_t above)
{
    uint32_t from = is_named(def, part) ? part : above;
    const char *name = from == GRAZE_NONE ? "" : def->parts[from].name;
    size_t length = strlen(name);
    if (from != part && length > MADE_FROM)
        for (length = MADE_FROM; length && ((unsigned char)name[length] & 0xc0) == 0x80;)
            length--;
    memcpy(text, name, length);
    text[length] = 0;
    if (from != part)
        length += (size_t)snprintf(text + length, NAME_ROOM, length ? "/%u" : "%u", part);
    return length;
}

/* The nearest part with a name that each is inside, or GRAZE_NONE. */
static void find_named_above(const graze_part_names *parts, const graze_part_names_def *def,
                             uint32_t *above)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        uint32_t part = parts->order[i], parent = parts->parents[part];
        bool named = parent == GRAZE_NONE || is_named(def, parent);
        above[part] = named ? parent : above[parent];
    }
}

/* Writes the name of a part behind the others, one that no part before it has. ordinals: how many
 * parts have the name of each so far.
 */
static size_t add_name(graze_part_names *parts, const graze_part_names_def *def, uint32_t part,
                       uint32_t above, size_t used, uint32_t *ordinals)
{
    char *text = parts->text + used;
    size_t length = write_name(text, def, part, above);
    parts->names[part] = used;
    ordinals[part] = 1;
    uint32_t slot = slot_of(parts, text), first = parts->table[slot];
    while (parts->table[slot] != GRAZE_NONE) {
        snprintf(text + length, NAME_ROOM, "#%u", ++ordinals[first]);
        slot = slot_of(parts, text);
    }
    parts->table[slot] = part;
    return used + strlen(text) + 1;
}

static uint32_t table_size(uint32_t count)
{
    uint32_t size = 4;
    while (size / 2 < count && size < 1u << 31)
        size *= 2;
    return size;
}

static bool make_names(graze_part_names *parts, const graze_part_names_def *def)
{
    size_t room = 0, used = 0;
    uint32_t size = table_size(parts->count);
    for (uint32_t p = 0; p < parts->count; p++)
        room += NAME_ROOM + NAME_ROOM + (is_named(def, p) ? strlen(def->parts[p].name) : MADE_FROM);
    uint32_t *ordinals = GRAZEI_ALLOCATE(&parts->allocator, parts->count, uint32_t);
    uint32_t *above = GRAZEI_ALLOCATE(&parts->allocator, parts->count, uint32_t);
    parts->text = GRAZEI_ALLOCATE(&parts->allocator, room, char);
    parts->names = GRAZEI_ALLOCATE(&parts->allocator, parts->count, size_t);
    parts->table = GRAZEI_ALLOCATE(&parts->allocator, size, uint32_t);
    parts->table_mask = size - 1;
    bool made = ordinals && above && parts->text && parts->names && parts->table;
    if (made)
        find_named_above(parts, def, above);
    for (uint32_t i = 0; made && i < size; i++)
        parts->table[i] = GRAZE_NONE;
    for (uint32_t p = 0; made && p < parts->count; p++)
        used = add_name(parts, def, p, above[p], used, ordinals);
    grazei_release(&parts->allocator, ordinals);
    grazei_release(&parts->allocator, above);
    return made;
}

/* ---- nesting -------------------------------------------------------------------------------- */

/* Counts what is inside each part: a part is done when all inside it are, and then counts in the
 * one it is inside. Parts that are inside themselves never are; returns how many are done.
 */
static uint32_t count_inside(graze_part_names *parts, uint32_t *waiting, uint32_t *done)
{
    uint32_t done_count = 0;
    memset(waiting, 0, parts->count * sizeof *waiting);
    memset(parts->inside, 0, parts->count * sizeof *parts->inside);
    for (uint32_t p = 0; p < parts->count; p++)
        if (parts->parents[p] != GRAZE_NONE)
            waiting[parts->parents[p]]++;
    for (uint32_t p = 0; p < parts->count; p++)
        if (!waiting[p])
            done[done_count++] = p;
    for (uint32_t i = 0; i < done_count; i++) {
        uint32_t parent = parts->parents[done[i]];
        if (parent == GRAZE_NONE)
            continue;
        GRAZE_ASSERT(waiting[parent] > 0);
        parts->inside[parent] += 1 + parts->inside[done[i]];
        if (!--waiting[parent])
            done[done_count++] = parent;
    }
    return done_count;
}

/* Places parts from the outermost inwards, each where its parent has room next. */
static void make_order(graze_part_names *parts, uint32_t *next, const uint32_t *done)
{
    uint32_t next_place = 0;
    for (uint32_t i = parts->count; i-- > 0;) {
        uint32_t p = done[i], parent = parts->parents[p];
        uint32_t *from = parent == GRAZE_NONE ? &next_place : &next[parent];
        GRAZE_ASSERT(*from < parts->count);
        parts->place[p] = *from;
        *from += 1 + parts->inside[p];
        next[p] = parts->place[p] + 1;
        parts->order[parts->place[p]] = p;
    }
}

static graze_status nest(graze_part_names *parts, const graze_part_names_def *def,
                         graze_error *error)
{
    uint32_t count = parts->count;
    uint32_t *waiting = GRAZEI_ALLOCATE(&parts->allocator, count, uint32_t);
    uint32_t *done = GRAZEI_ALLOCATE(&parts->allocator, count, uint32_t);
    graze_status status = waiting && done ? GRAZE_OK : grazei_fail_memory(error);
    for (uint32_t p = 0; !status && p < count; p++)
        parts->parents[p] = def->parts[p].inside ? def->parts[p].parent : GRAZE_NONE;
    if (!status && count_inside(parts, waiting, done) < count) {
        uint32_t p = 0;
        while (!waiting[p])
            p++;
        status = grazei_fail(error, GRAZE_BAD_INPUT, "part %u, %.60s, is inside itself", p,
                             is_named(def, p) ? def->parts[p].name : "without a name");
    }
    if (!status)
        make_order(parts, waiting, done);
    grazei_release(&parts->allocator, waiting);
    grazei_release(&parts->allocator, done);
    return status;
}

/* ---- life ----------------------------------------------------------------------------------- */

static graze_status check_def(const graze_part_names_def *def, graze_error *error)
{
    graze_status status = grazei_check_pointer(def, "the def", error);
    if (!status)
        status = grazei_check_pointer(def->parts, "the def's parts", error);
    if (status)
        return status;
    if (!def->part_count || def->part_count > 1u << 30)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u parts: expected 1 to 2^30", def->part_count);
    for (uint32_t p = 0; p < def->part_count; p++)
        if (def->parts[p].inside && def->parts[p].parent >= def->part_count)
            return grazei_fail(error, GRAZE_BAD_INPUT, "part %u is inside part %u of %u", p,
                               def->parts[p].parent, def->part_count);
    return GRAZEI_CHECK_RESERVED(def, "the def", error);
}

static graze_status fill(graze_part_names *parts, const graze_part_names_def *def,
                         graze_error *error)
{
    uint32_t **const arrays[] = {&parts->parents, &parts->order, &parts->place, &parts->inside};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = GRAZEI_ALLOCATE(&parts->allocator, parts->count, uint32_t);
        if (!*arrays[i])
            return grazei_fail_memory(error);
    }
    graze_status status = nest(parts, def, error);
    return status || make_names(parts, def) ? status : grazei_fail_memory(error);
}

graze_status graze_part_names_create(const graze_part_names_def *def, graze_part_names **parts,
                                     graze_error *error)
{
    graze_status status = check_def(def, error);
    if (!status)
        status = grazei_check_pointer(parts, "where the parts go", error);
    if (status)
        return status;
    graze_allocator allocator = def->allocator ? *def->allocator : graze_default_allocator();
    graze_part_names *made = GRAZEI_ALLOCATE_ZERO(&allocator, 1, graze_part_names);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = allocator;
    made->count = def->part_count;
    status = fill(made, def, error);
    if (status)
        graze_part_names_destroy(made);
    else
        *parts = made;
    return status;
}

void graze_part_names_destroy(graze_part_names *parts)
{
    if (!parts)
        return;
    graze_allocator allocator = parts->allocator;
    void *const all[] = {parts->parents, parts->text,  parts->names,  parts->table,
                         parts->order,   parts->place, parts->inside, parts};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(&allocator, all[i]);
}

/* ---- groups --------------------------------------------------------------------------------- */

static graze_status fill_part(const graze_part_names_def *def, uint32_t part,
                              uint32_t triangle_count, uint32_t *groups, graze_error *error)
{
    const graze_part_def *own = &def->parts[part];
    if (own->triangle_count && !own->triangles)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the triangles of part %u are NULL", part);
    for (uint32_t i = 0; i < own->triangle_count; i++) {
        uint32_t triangle = own->triangles[i];
        if (triangle >= triangle_count)
            return grazei_fail(error, GRAZE_BAD_INPUT, "part %u lists triangle %u of %u", part,
                               triangle, triangle_count);
        if (groups[triangle] != GRAZE_NONE)
            return grazei_fail(error, GRAZE_BAD_INPUT, "triangle %u is listed by part %u and by %u",
                               triangle, groups[triangle], part);
        groups[triangle] = part;
    }
    return GRAZE_OK;
}

graze_status graze_assign_parts(const graze_part_names_def *def, uint32_t triangle_count,
                                uint32_t rest, uint32_t *groups, graze_error *error)
{
    graze_status status = check_def(def, error);
    if (!status)
        status = grazei_check_pointer(groups, "where the groups go", error);
    if (!status && rest != GRAZE_NONE && rest >= def->part_count)
        status =
            grazei_fail(error, GRAZE_BAD_INPUT, "the rest is part %u of %u", rest, def->part_count);
    for (uint32_t t = 0; !status && t < triangle_count; t++)
        groups[t] = GRAZE_NONE;
    for (uint32_t p = 0; !status && p < def->part_count; p++)
        status = fill_part(def, p, triangle_count, groups, error);
    for (uint32_t t = 0; !status && t < triangle_count; t++) {
        if (groups[t] == GRAZE_NONE)
            groups[t] = rest;
        if (groups[t] == GRAZE_NONE)
            status = grazei_fail(error, GRAZE_BAD_INPUT, "no part lists triangle %u", t);
    }
    return status;
}

/* ---- looking up ----------------------------------------------------------------------------- */

uint32_t graze_part_count(const graze_part_names *parts)
{
    return parts ? parts->count : 0;
}

const char *graze_part_name(const graze_part_names *parts, uint32_t part)
{
    return parts && part < parts->count ? parts->text + parts->names[part] : NULL;
}

uint32_t graze_part_parent(const graze_part_names *parts, uint32_t part)
{
    return parts && part < parts->count ? parts->parents[part] : GRAZE_NONE;
}

uint32_t graze_part_find(const graze_part_names *parts, const char *name)
{
    return parts && name ? parts->table[slot_of(parts, name)] : GRAZE_NONE;
}

graze_status graze_part_mask(const graze_part_names *parts, const char *const *names,
                             uint32_t name_count, uint32_t *bits, graze_error *error)
{
    graze_status status = grazei_check_pointer(parts, "the parts", error);
    if (!status && name_count)
        status = grazei_check_pointer(names, "the names", error);
    if (!status)
        status = grazei_check_pointer(bits, "where the bits go", error);
    if (status)
        return status;
    for (uint32_t i = 0; i < name_count; i++)
        if (graze_part_find(parts, names[i]) == GRAZE_NONE)
            return grazei_fail(error, GRAZE_BAD_INPUT, "there is no part %.120s",
                               names[i] ? names[i] : "NULL");
    memset(bits, 0, ((size_t)parts->count + 31) / 32 * sizeof *bits);
    for (uint32_t i = 0; i < name_count; i++) {
        uint32_t part = graze_part_find(parts, names[i]);
        for (uint32_t k = 0; k <= parts->inside[part]; k++) {
            uint32_t in = parts->order[parts->place[part] + k];
            bits[in / 32] |= 1u << (in % 32);
        }
    }
    return GRAZE_OK;
}

graze_status graze_body_set_parts(graze_body *body, const graze_part_names *parts,
                                  const char *const *names, uint32_t name_count, graze_error *error)
{
    graze_status status = grazei_check_pointer(body, "the body", error);
    if (!status)
        status = grazei_check_pointer(parts, "the parts", error);
    if (status)
        return status;
    const graze_model *model = graze_body_model(body);
    uint32_t part_count = graze_model_get_info(model).part_count;
    if (parts->count != part_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "there are %u parts, and %u in the model",
                           parts->count, part_count);
    if (!names && !name_count)
        return graze_body_set_part_mask(body, NULL, 0, error);
    uint32_t *bits = GRAZEI_ALLOCATE(&model->allocator, ((size_t)part_count + 31) / 32, uint32_t);
    if (!bits)
        return grazei_fail_memory(error);
    status = graze_part_mask(parts, names, name_count, bits, error);
    if (!status)
        status = graze_body_set_part_mask(body, bits, part_count, error);
    grazei_release(&model->allocator, bits);
    return status;
}
