/* What the parts of graze audit are: those of the model, some of them merged, or named in a file.
 *
 * A file of parts names joints, meshes and materials: {"skirt": {"meshes": ["Skirt"]}, "left hand":
 * ["LeftHand"]}. A joint stands for all inside it that no other part names. What nobody names stays
 * a part by its joint.
 */
#include "cli/audit.h"
#include "cli/json_file.h"
#include "cli/names.h"
#include "cli/parts.h"
#include "cli/room.h"

typedef enum map_kind { MAP_ANY, MAP_JOINT, MAP_MESH, MAP_MATERIAL } map_kind;

/* A name in a map, and the part that it belongs to. */
typedef struct map_name {
    char *name;
    map_kind kind;
    uint32_t part;
} map_name;

struct audit_map {
    const char *source; /* for errors: "--merge", or the file */
    item_list names;    /* map_name */
    item_list parts;    /* char *; of --merge NULL: named as the joint */
};

/* ---- reading -------------------------------------------------------------------------------- */

static void add_name(audit_map *map, const char *name, map_kind kind, uint32_t part)
{
    list_add(&map->names, &(map_name){copy_text(name), kind, part}, 1, sizeof(map_name));
}

static uint32_t add_part(audit_map *map, const char *name)
{
    char *copy = name ? copy_text(name) : NULL;
    list_add(&map->parts, &copy, 1, sizeof copy);
    return (uint32_t)map->parts.count - 1;
}

/* A name or an array of them. */
static bool read_names(audit_map *map, const json_value *value, map_kind kind, uint32_t part)
{
    const cJSON *item;
    uint32_t index = 0;
    if (cJSON_IsString(value->json)) {
        add_name(map, value->json->valuestring, kind, part);
        return true;
    }
    if (!cJSON_IsArray(value->json))
        return json_fail_expected(value, "a name, or an array of names");
    cJSON_ArrayForEach(item, value->json)
    {
        json_value one = json_item(value, item, index++);
        if (!cJSON_IsString(item))
            return json_fail_expected(&one, "a name");
        add_name(map, item->valuestring, kind, part);
    }
    return index > 0 || json_fail(value, "there is no name in it");
}

static bool read_part(audit_map *map, const json_value *value, uint32_t part)
{
    static const char *const keys[] = {NULL, "joints", "meshes", "materials"};
    const cJSON *item;
    if (!cJSON_IsObject(value->json))
        return read_names(map, value, MAP_ANY, part);
    cJSON_ArrayForEach(item, value->json)
    {
        json_value member = json_member(value, item->string);
        map_kind kind = MAP_JOINT;
        while (kind <= MAP_MATERIAL && strcmp(item->string, keys[kind]) != 0)
            kind++;
        if (kind > MAP_MATERIAL)
            return json_fail(&member, "there is no such key; there are joints, meshes, materials");
        if (!read_names(map, &member, kind, part))
            return false;
    }
    return value->json->child || json_fail(value, "there is no name in it");
}

static bool read_file(audit_map *map, const char *path)
{
    cJSON *tree;
    json_value whole;
    const cJSON *item;
    if (!json_file_read(path, &tree, &whole))
        return false;
    bool good = tree->child || json_fail(&whole, "there is no part in it");
    cJSON_ArrayForEach(item, tree)
    {
        json_value value = json_member(&whole, item->string);
        if (good && !*item->string)
            good = json_fail(&whole, "a part has no name");
        good = good && read_part(map, &value, add_part(map, item->string));
    }
    cJSON_Delete(tree);
    return good;
}

static bool read_merged(audit_map *map, const char *text)
{
    char *copy = copy_text(text);
    bool good = true;
    for (char *item = copy, *end; item; item = end) {
        end = strchr(item, ',');
        if (end)
            *end++ = 0;
        good = good && *item;
        add_name(map, item, MAP_JOINT, add_part(map, NULL));
    }
    free(copy);
    return good || refuse("audit: --merge %s: a name is empty", text);
}

audit_map *audit_map_read(const audit_job *job, bool *good)
{
    *good = true;
    if (!job->parts && !job->merge)
        return NULL;
    audit_map *map = room(1, sizeof *map);
    map->source = job->parts ? job->parts : "--merge";
    *good = job->parts ? read_file(map, job->parts) : read_merged(map, job->merge);
    if (*good)
        return map;
    audit_map_free(map);
    return NULL;
}

void audit_map_free(audit_map *map)
{
    if (!map)
        return;
    for (size_t i = 0; i < map->names.count; i++)
        free(((map_name *)map->names.items)[i].name);
    for (size_t i = 0; i < map->parts.count; i++)
        free(((char **)map->parts.items)[i]);
    list_free(&map->names);
    list_free(&map->parts);
    free(map);
}

/* ---- finding names in a model --------------------------------------------------------------- */

/* What a map says of one model: for each joint, mesh and material the part that names it. */
typedef struct map_places {
    uint32_t *joints, *meshes, *materials; /* GRAZE_NONE: none */
} map_places;

/* The joint of that name, with or without what stands before its last colon. */
static uint32_t find_joint(const struct character *character, const char *name)
{
    const uint32_t whole = graze_part_find(character->joints, name);
    for (uint32_t j = 0; whole == GRAZE_NONE && j < character->rig->joint_count; j++) {
        const char *colon = strrchr(joint_name(character, j), ':');
        if (colon && strcmp(colon + 1, name) == 0)
            return j;
    }
    return whole;
}

static bool take_joint(const struct character *character, const map_name *own, map_places *places)
{
    uint32_t joint = find_joint(character, own->name);
    if (joint != GRAZE_NONE)
        places->joints[joint] = own->part;
    return joint != GRAZE_NONE;
}

static bool take_mesh(const struct character *character, const map_name *own, map_places *places)
{
    bool found = false;
    for (uint32_t m = 0; m < character->rig->mesh_count; m++) {
        const char *name = mesh_name(character->rig, &character->rig->meshes[m]);
        if (!name || strcmp(name, own->name) != 0)
            continue;
        places->meshes[m] = own->part;
        found = true;
    }
    return found;
}

static bool take_material(const struct character *character, const map_name *own,
                          map_places *places)
{
    bool found = false;
    for (uint32_t m = 0; m < character->rig->material_count; m++) {
        const char *name = character->rig->material_names[m];
        if (!name || strcmp(name, own->name) != 0)
            continue;
        places->materials[m] = own->part;
        found = true;
    }
    return found;
}

static bool fail_name(const struct character *character, const audit_map *map, const map_name *own,
                      line_text *text)
{
    static const char *const kinds[] = {"joint, mesh or material", "joint", "mesh", "material"};
    name_search search = {.word = own->name};
    for (uint32_t j = 0; j < character->rig->joint_count && own->kind <= MAP_JOINT; j++)
        name_search_offer(&search, joint_name(character, j));
    for (uint32_t m = 0; m < character->rig->mesh_count && own->kind != MAP_JOINT; m++)
        name_search_offer(&search, mesh_name(character->rig, &character->rig->meshes[m]));
    snprintf(text->text, sizeof text->text, "%s: %.100s: there is no %s %.200s; %s",
             character->name, map->source, kinds[own->kind], own->name,
             name_search_tell(&search, "there are"));
    return false;
}

static bool take_name(const struct character *character, const map_name *own, map_places *places)
{
    const bool any = own->kind == MAP_ANY;
    return ((any || own->kind == MAP_JOINT) && take_joint(character, own, places)) ||
           ((any || own->kind == MAP_MESH) && take_mesh(character, own, places)) ||
           ((any || own->kind == MAP_MATERIAL) && take_material(character, own, places));
}

/* ---- parts of a model ----------------------------------------------------------------------- */

/* The part of the nearest joint at or around this one that is named. */
static uint32_t part_around(const struct character *character, const map_places *places,
                            uint32_t joint)
{
    uint32_t steps = character->rig->joint_count + 1;
    while (joint != GRAZE_NONE && steps-- > 0) {
        if (places->joints[joint] != GRAZE_NONE)
            return places->joints[joint];
        joint = graze_part_parent(character->joints, joint);
    }
    return GRAZE_NONE;
}

/* Triangles of meshes and materials that are named. */
static void take_triangles(audit_parts *parts, const struct character *character,
                           const map_places *places)
{
    const graze_rig *rig = character->rig;
    for (uint32_t m = 0; m < rig->mesh_count; m++)
        for (uint32_t i = 0; i < rig->meshes[m].triangle_count; i++)
            if (places->meshes[m] != GRAZE_NONE)
                parts->part_of[rig->meshes[m].first_triangle + i] = places->meshes[m];
    for (uint32_t p = 0; p < rig->primitive_count; p++) {
        const graze_rig_primitive *own = &rig->primitives[p];
        if (own->material >= rig->material_count || places->materials[own->material] == GRAZE_NONE)
            continue;
        for (uint32_t i = 0; i < own->triangle_count; i++)
            parts->part_of[own->first_triangle + i] = places->materials[own->material];
    }
}

/* Parts of the map first, then one a joint; a merged part has the name of its joint. */
static void take_map(audit_parts *parts, const struct character *character, const audit_map *map,
                     const map_places *places)
{
    const uint32_t joints = character->rig->joint_count, mapped = (uint32_t)map->parts.count;
    const map_name *names = map->names.items;
    parts->count = mapped + joints;
    parts->names = room(parts->count, sizeof *parts->names);
    for (uint32_t p = 0; p < mapped; p++)
        parts->names[p] = ((char *const *)map->parts.items)[p];
    for (size_t i = 0; i < map->names.count; i++)
        if (!parts->names[names[i].part])
            parts->names[names[i].part] =
                joint_name(character, find_joint(character, names[i].name));
    for (uint32_t j = 0; j < joints; j++) {
        uint32_t part = part_around(character, places, j);
        parts->names[mapped + j] = joint_name(character, j);
        parts->joint_parts[j] = part == GRAZE_NONE ? mapped + j : part;
    }
    for (uint32_t t = 0; t < character->rig->triangle_count; t++)
        parts->part_of[t] = parts->joint_parts[graze_model_triangle_part(character->model, t)];
    take_triangles(parts, character, places);
}

static bool use_map(audit_parts *parts, const struct character *character, const audit_map *map,
                    line_text *text)
{
    const graze_rig *rig = character->rig;
    map_places places = {room(rig->joint_count, sizeof(uint32_t)),
                         room(rig->mesh_count, sizeof(uint32_t)),
                         room(rig->material_count, sizeof(uint32_t))};
    bool good = true;
    memset(places.joints, 0xff, rig->joint_count * sizeof(uint32_t));
    memset(places.meshes, 0xff, rig->mesh_count * sizeof(uint32_t));
    memset(places.materials, 0xff, rig->material_count * sizeof(uint32_t));
    for (size_t i = 0; good && i < map->names.count; i++) {
        const map_name *own = (const map_name *)map->names.items + i;
        good = take_name(character, own, &places) || fail_name(character, map, own, text);
    }
    if (good)
        take_map(parts, character, map, &places);
    free(places.joints);
    free(places.meshes);
    free(places.materials);
    return good;
}

bool audit_parts_make(audit_parts *parts, const struct character *character, bool by_joint,
                      const audit_map *map, line_text *text)
{
    const graze_rig *rig = character->rig;
    *parts = (audit_parts){.part_of = room(rig->triangle_count, sizeof(uint32_t))};
    if (by_joint || map) {
        parts->joint_parts = room(rig->joint_count, sizeof(uint32_t));
        parts->joint_parents = room(rig->joint_count, sizeof(uint32_t));
        for (uint32_t j = 0; j < rig->joint_count; j++) {
            parts->joint_parts[j] = j;
            parts->joint_parents[j] = graze_part_parent(character->joints, j);
        }
    }
    if (map)
        return use_map(parts, character, map, text);
    parts->count = graze_part_count(character->parts);
    parts->names = room(parts->count, sizeof *parts->names);
    for (uint32_t p = 0; p < parts->count; p++)
        parts->names[p] = part_name(character, p);
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        parts->part_of[t] = graze_model_triangle_part(character->model, t);
    return true;
}

void audit_parts_free(audit_parts *parts)
{
    free(parts->part_of);
    free(parts->joint_parts);
    free(parts->joint_parents);
    free(parts->names);
    *parts = (audit_parts){.count = 0};
}
