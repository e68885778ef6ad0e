#include "cli/parts.h"

#include "cli/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names -------------------------------------------------------------------------------- */

const char *part_name(const struct character *character, uint32_t part)
{
    return graze_parts_name(character->parts, part);
}

const char *joint_name(const struct character *character, uint32_t joint)
{
    return graze_parts_name(character->joints, joint);
}

const char *triangle_part(const struct character *character, uint32_t triangle)
{
    return part_name(character, graze_model_triangle_group(character->model, triangle));
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

bool part_pairs_begin(part_pairs *parts, size_t count)
{
    parts->count = 0;
    if (count <= parts->capacity)
        return true;
    part_pair *larger = realloc(parts->pairs, count * sizeof *larger);
    parts->failed = !larger;
    if (!larger)
        return false;
    parts->pairs = larger;
    parts->capacity = count;
    return true;
}

void part_pairs_add(part_pairs *parts, uint32_t a, uint32_t b)
{
    uint32_t first = graze_model_triangle_group(parts->characters[0]->model, a);
    uint32_t second = graze_model_triangle_group(parts->characters[1]->model, b);
    bool swapped = parts->unordered && first > second;
    part_pair found = {{swapped ? second : first, swapped ? first : second}, 1};
    part_pair *last = parts->count ? &parts->pairs[parts->count - 1] : NULL;
    if (last && by_parts(last, &found) == 0)
        last->count++;
    else
        parts->pairs[parts->count++] = found;
}

void part_pairs_end(part_pairs *parts)
{
    if (parts->count == 0)
        return;
    qsort(parts->pairs, parts->count, sizeof *parts->pairs, by_parts);
    size_t kept = 0;
    for (size_t i = 1; i < parts->count; i++)
        if (by_parts(&parts->pairs[kept], &parts->pairs[i]) == 0)
            parts->pairs[kept].count += parts->pairs[i].count;
        else
            parts->pairs[++kept] = parts->pairs[i];
    parts->count = kept + 1;
    qsort(parts->pairs, parts->count, sizeof *parts->pairs, by_count);
}

void part_pairs_free(part_pairs *parts)
{
    free(parts->pairs);
    *parts = (part_pairs){.pairs = NULL};
}

static const char *name_of(const part_pairs *parts, size_t i, int side)
{
    return part_name(parts->characters[side], parts->pairs[i].parts[side]);
}

void part_pairs_print_json(const part_pairs *parts)
{
    fputs("\"parts\":[", stdout);
    for (size_t i = 0; i < parts->count; i++) {
        fputs(i ? ",[" : "[", stdout);
        print_json_string(name_of(parts, i, 0));
        putchar(',');
        print_json_string(name_of(parts, i, 1));
        putchar(']');
    }
    fputs("],\"part_counts\":[", stdout);
    for (size_t i = 0; i < parts->count; i++)
        printf("%s%u", i ? "," : "", parts->pairs[i].count);
    fputs("],", stdout);
}

void part_pairs_print(const part_pairs *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        printf("  %6u pair%s of %s and %s\n", parts->pairs[i].count,
               parts->pairs[i].count > 1 ? "s" : "", name_of(parts, i, 0), name_of(parts, i, 1));
}

void part_pairs_write(const part_pairs *parts, struct csv *csv, uint32_t frame, double time)
{
    for (size_t i = 0; i < parts->count; i++) {
        csv_count(csv, frame);
        csv_number(csv, time);
        csv_text(csv, name_of(parts, i, 0));
        csv_text(csv, name_of(parts, i, 1));
        csv_count(csv, parts->pairs[i].count);
        csv_end_row(csv);
    }
}

/* ---- rows --------------------------------------------------------------------------------- */

void pair_write(struct csv *csv, uint32_t frame, double time,
                const struct character *const characters[2], uint32_t a, uint32_t b)
{
    if (!csv->file)
        return;
    csv_count(csv, frame);
    csv_number(csv, time);
    csv_count(csv, a);
    csv_count(csv, b);
    csv_text(csv, triangle_part(characters[0], a));
    csv_text(csv, triangle_part(characters[1], b));
    csv_end_row(csv);
}

void count_write(struct csv *csv, uint32_t frame, double time, size_t count, double us)
{
    csv_count(csv, frame);
    csv_number(csv, time);
    csv_count(csv, count);
    csv_us(csv, us);
    csv_end_row(csv);
}
