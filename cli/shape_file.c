#include "cli/shape_file.h"

#include "cli/json_file.h"
#include "cli/names.h"
#include "cli/options.h"
#include "cli/shape_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_COUNT(keys) (sizeof(keys) / sizeof *(keys))

/* What is needed while a file is read. */
typedef struct shape_reader {
    json_value whole;
    graze_rig *rig;
    graze_parts *joints;   /* the rig's */
    graze_part_def *parts; /* the file's */
    uint32_t part_count;
    uint32_t *joint_parts; /* the part that has all triangles of a joint, or GRAZE_NO_PART */
    uint32_t rest;         /* the part of all other joints, or GRAZE_NO_PART */
    shape_file *shape;
} shape_reader;

static bool fail_memory(const shape_reader *reader)
{
    return json_fail(&reader->whole, "out of memory");
}

/* ---- names -------------------------------------------------------------------------------- */

/* A name of the tree's; what: "joint" or "part". */
static bool take_name(const json_value *value, const graze_parts *tree, const char *what,
                      uint32_t *number)
{
    const char *name;
    if (!json_take_text(value, strcmp(what, "joint") ? "the name of a part" : "the name of a joint",
                        &name))
        return false;
    if (graze_parts_find(tree, name, number))
        return true;
    suggestion near = {.word = name};
    name_list all = {.used = 0};
    for (uint32_t i = 0; i < graze_parts_count(tree); i++) {
        suggestion_offer(&near, graze_parts_name(tree, i));
        name_list_add(&all, graze_parts_name(tree, i));
    }
    if (near.name)
        return json_fail(value, "there is no %s %.80s; did you mean %s?", what, name, near.name);
    return json_fail(value, "there is no %s %.80s; expected %s", what, name, name_list_end(&all));
}

/* The items of an array, or none where it is not there. */
static bool take_items(const json_value *array, const char *of_what, const cJSON **first,
                       uint32_t *count)
{
    *first = NULL;
    *count = 0;
    if (!json_is_there(array))
        return true;
    if (!json_take_array(array, of_what, count))
        return false;
    *first = array->json->child;
    return true;
}

/* ---- parts -------------------------------------------------------------------------------- */

/* A joint whose triangles the part has, or "*" for all that no part names. takes: it does not list
 * its triangles one by one.
 */
static bool read_joint(shape_reader *reader, uint32_t part, const json_value *item, bool takes)
{
    uint32_t joint, *owner = &reader->rest;
    bool is_rest = cJSON_IsString(item->json) && strcmp(item->json->valuestring, "*") == 0;
    if (!is_rest) {
        if (!take_name(item, reader->joints, "joint", &joint))
            return false;
        owner = &reader->joint_parts[joint];
    }
    if (takes && *owner != GRAZE_NO_PART)
        return json_fail(item, "expected a joint of no other part, found %.80s of parts[%u]",
                         item->json->valuestring, *owner);
    if (takes)
        *owner = part;
    return true;
}

static bool read_joints(shape_reader *reader, uint32_t part, const json_value *object)
{
    json_value array = json_member(object, "joints"), listed = json_member(object, "triangles");
    const cJSON *json;
    uint32_t count, i = 0;
    if (!take_items(&array, "names of joints", &json, &count))
        return false;
    for (; json; json = json->next) {
        json_value item = json_item(&array, json, i++);
        if (!read_joint(reader, part, &item, !json_is_there(&listed)))
            return false;
    }
    return true;
}

static bool take_triangle(const json_value *item, uint32_t count, uint32_t *triangle)
{
    const cJSON *json = item->json;
    double number = cJSON_IsNumber(json) ? json->valuedouble : -1;
    if (!(number >= 0 && number < count) || number != (double)(uint32_t)number)
        return json_fail_expected(item, "the number of a triangle, 0 to %u", count - 1);
    *triangle = (uint32_t)number;
    return true;
}

static bool read_triangles(shape_reader *reader, uint32_t part, const json_value *object)
{
    json_value array = json_member(object, "triangles");
    uint32_t *groups = reader->shape->triangle_groups;
    const cJSON *json;
    uint32_t count, triangle = 0, i = 0;
    if (!take_items(&array, "triangles", &json, &count))
        return false;
    for (; json; json = json->next) {
        json_value item = json_item(&array, json, i++);
        if (!take_triangle(&item, reader->rig->triangle_count, &triangle))
            return false;
        if (groups[triangle] != GRAZE_NO_PART)
            return json_fail(&item, "expected a triangle of no other part, found %u of parts[%u]",
                             triangle, groups[triangle]);
        groups[triangle] = part;
    }
    return true;
}

static bool read_part(shape_reader *reader, uint32_t part, const json_value *object)
{
    static const char *const keys[] = {"name", "joints", "triangles", "parent"};
    json_value name = json_member(object, "name");
    reader->parts[part].parent = GRAZE_NO_PART;
    return json_check_keys(object, keys, KEY_COUNT(keys)) &&
           json_take_text(&name, "the part's name", &reader->parts[part].name) &&
           read_joints(reader, part, object) && read_triangles(reader, part, object);
}

/* Gives triangles that no part lists to the part of their joint, which a model knows. */
static bool give_triangles(const shape_reader *reader)
{
    const graze_rig *rig = reader->rig;
    uint32_t *groups = reader->shape->triangle_groups, first = 0;
    json_value parts = json_member(&reader->whole, "parts");
    graze_model_def def = graze_rig_model_def(rig);
    graze_model *model = NULL;
    graze_error error;
    while (first < rig->triangle_count && groups[first] != GRAZE_NO_PART)
        first++;
    if (first == rig->triangle_count)
        return true;
    def.self_collision = false;
    bool given =
        !graze_rig_create_model(rig, &def, &model, &error) || json_fail(&parts, "%s", error.text);
    for (uint32_t t = first; given && t < rig->triangle_count; t++) {
        uint32_t joint = graze_model_triangle_group(model, t);
        if (groups[t] != GRAZE_NO_PART)
            continue;
        groups[t] = reader->joint_parts[joint];
        if (groups[t] == GRAZE_NO_PART)
            groups[t] = reader->rest;
        given = groups[t] != GRAZE_NO_PART ||
                json_fail(&parts,
                          "expected every triangle in a part, found %u, of joint %.80s, in none", t,
                          graze_parts_name(reader->joints, joint));
    }
    graze_model_destroy(model);
    return given;
}

/* A vertex is of the part of its first triangle. */
static void give_vertices(const shape_reader *reader)
{
    const graze_rig *rig = reader->rig;
    memset(reader->shape->vertex_groups, 0, rig->vertex_count * sizeof(uint32_t));
    for (size_t i = 3 * (size_t)rig->triangle_count; i-- > 0;)
        reader->shape->vertex_groups[rig->triangles[i]] = reader->shape->triangle_groups[i / 3];
}

static bool make_tree(shape_reader *reader, const json_value *array)
{
    graze_parts_def def = {.parts = reader->parts, .part_count = reader->part_count};
    graze_error error;
    graze_parts_destroy(reader->shape->parts);
    reader->shape->parts = NULL;
    return !graze_parts_create(&def, &reader->shape->parts, &error) ||
           json_fail(array, "%s", error.text);
}

/* What a part is inside may stand behind it, so all names come first. */
static bool nest_parts(shape_reader *reader, const json_value *array)
{
    uint32_t part = 0;
    if (!make_tree(reader, array))
        return false;
    for (const cJSON *json = array->json->child; json; json = json->next, part++) {
        json_value object = json_item(array, json, part);
        json_value name = json_member(&object, "name"), parent = json_member(&object, "parent");
        if (strcmp(graze_parts_name(reader->shape->parts, part), reader->parts[part].name) != 0)
            return json_fail(&name, "expected a name of its own, found %.80s of another part",
                             reader->parts[part].name);
        if (json_is_there(&parent) &&
            !take_name(&parent, reader->shape->parts, "part", &reader->parts[part].parent))
            return false;
    }
    return make_tree(reader, array);
}

static bool read_own_parts(shape_reader *reader, const json_value *array)
{
    const graze_rig *rig = reader->rig;
    shape_file *shape = reader->shape;
    uint32_t part = 0;
    reader->parts = calloc(reader->part_count, sizeof *reader->parts);
    reader->joint_parts = malloc(rig->joint_count * sizeof *reader->joint_parts);
    shape->triangle_groups = malloc(rig->triangle_count * sizeof *shape->triangle_groups);
    shape->vertex_groups = malloc(rig->vertex_count * sizeof *shape->vertex_groups);
    if (!reader->parts || !reader->joint_parts || !shape->triangle_groups || !shape->vertex_groups)
        return fail_memory(reader);
    for (uint32_t j = 0; j < rig->joint_count; j++)
        reader->joint_parts[j] = GRAZE_NO_PART;
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        shape->triangle_groups[t] = GRAZE_NO_PART;
    for (const cJSON *json = array->json->child; json; json = json->next, part++) {
        json_value object = json_item(array, json, part);
        if (!read_part(reader, part, &object))
            return false;
    }
    if (!nest_parts(reader, array) || !give_triangles(reader))
        return false;
    give_vertices(reader);
    return true;
}

/* Without parts in the file they are the joints. */
static bool read_parts(shape_reader *reader)
{
    json_value array = json_member(&reader->whole, "parts");
    const cJSON *first;
    graze_error error;
    if (!take_items(&array, "parts", &first, &reader->part_count))
        return false;
    if (reader->part_count)
        return read_own_parts(reader, &array);
    if (json_is_there(&array))
        return json_fail_expected(&array, "at least one part");
    return !graze_rig_parts(reader->rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &reader->shape->parts,
                            &error) ||
           json_fail(&array, "%s", error.text);
}

/* ---- volumes ------------------------------------------------------------------------------ */

static bool read_level(const json_value *object, uint32_t *level)
{
    json_value value = json_member(object, "level");
    double number = cJSON_IsNumber(value.json) ? value.json->valuedouble : 0;
    *level = number == 3 ? 3 : 1;
    return number == 1 || number == 3 || json_fail_expected(&value, "1 or 3 (level 2 is the mesh)");
}

static bool read_geometry(const json_value *object, graze_capsule *rest)
{
    json_value sphere = json_member(object, "sphere"), capsule = json_member(object, "capsule");
    bool is_sphere = json_is_there(&sphere);
    const json_value *value = is_sphere ? &sphere : &capsule;
    uint32_t count = is_sphere ? 4 : 7;
    double numbers[7];
    if (is_sphere == json_is_there(&capsule))
        return json_fail(object, "expected a sphere or a capsule, found %s",
                         is_sphere ? "both" : "neither");
    if (!json_take_numbers(value,
                           is_sphere ? "x, y, z and radius of a sphere"
                                     : "x, y, z of both ends and radius of a capsule",
                           numbers, count))
        return false;
    if (!(numbers[count - 1] >= 0)) {
        json_value radius =
            json_item(value, cJSON_GetArrayItem(value->json, (int)count - 1), count - 1);
        return json_fail_expected(&radius, "a radius of 0 or more");
    }
    for (int k = 0; k < 3; k++) {
        rest->p[k] = (float)numbers[k];
        rest->q[k] = (float)numbers[is_sphere ? k : 3 + k];
    }
    rest->radius = (float)numbers[count - 1];
    return true;
}

static bool read_volume(const shape_reader *reader, const json_value *object, shape_volume *volume)
{
    static const char *const keys[] = {"level", "part", "joint", "sphere", "capsule"};
    json_value part = json_member(object, "part"), joint = json_member(object, "joint");
    return json_check_keys(object, keys, KEY_COUNT(keys)) && read_level(object, &volume->level) &&
           take_name(&part, reader->shape->parts, "part", &volume->part) &&
           take_name(&joint, reader->joints, "joint", &volume->joint) &&
           read_geometry(object, &volume->rest);
}

/* A part has one volume of level 1: two would own the same triangles. */
static bool check_owners(const shape_reader *reader, const json_value *array)
{
    const shape_file *shape = reader->shape;
    uint32_t count = graze_parts_count(shape->parts), v = 0;
    uint32_t *owners = malloc(count * sizeof *owners);
    bool single = owners || fail_memory(reader);
    for (uint32_t p = 0; single && p < count; p++)
        owners[p] = UINT32_MAX;
    for (const cJSON *json = array->json ? array->json->child : NULL; single && json;
         json = json->next, v++) {
        uint32_t part = shape->volumes[v].part;
        json_value object = json_item(array, json, v), name = json_member(&object, "part");
        if (shape->volumes[v].level != 1)
            continue;
        single = owners[part] == UINT32_MAX ||
                 json_fail(&name,
                           "expected a part that no volume of level 1 owns, found %.80s, whose "
                           "triangles volumes[%u] owns",
                           graze_parts_name(shape->parts, part), owners[part]);
        owners[part] = v;
    }
    free(owners);
    return single;
}

static bool read_volumes(shape_reader *reader)
{
    json_value array = json_member(&reader->whole, "volumes");
    shape_file *shape = reader->shape;
    const cJSON *json;
    uint32_t count;
    if (!take_items(&array, "volumes", &json, &count))
        return false;
    shape->volumes = calloc((size_t)count + 1, sizeof *shape->volumes);
    if (!shape->volumes)
        return fail_memory(reader);
    for (; json; json = json->next) {
        json_value object = json_item(&array, json, shape->volume_count);
        if (!read_volume(reader, &object, &shape->volumes[shape->volume_count]))
            return false;
        shape->volume_count++;
    }
    return check_owners(reader, &array);
}

/* ---- the mesh ----------------------------------------------------------------------------- */

static bool read_mesh(shape_reader *reader)
{
    json_value value = json_member(&reader->whole, "mesh");
    const char *name;
    graze_error error;
    if (!json_is_there(&value))
        return true;
    if (!json_take_text(&value, "the path of a model", &name))
        return false;
    reader->shape->mesh = path_beside(value.file, name);
    if (!reader->shape->mesh)
        return fail_memory(reader);
    return shape_mesh_take(reader->rig, reader->shape->mesh, &error) ||
           json_fail(&value, "%s", error.text);
}

/* ---- files -------------------------------------------------------------------------------- */

static bool read_shape(shape_reader *reader)
{
    static const char *const keys[] = {"parts", "volumes", "mesh"};
    graze_error error;
    if (!json_check_keys(&reader->whole, keys, KEY_COUNT(keys)) || !read_mesh(reader))
        return false;
    if (graze_rig_parts(reader->rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &reader->joints, &error))
        return json_fail(&reader->whole, "%s", error.text);
    return read_parts(reader) && read_volumes(reader);
}

bool shape_file_read(shape_file *shape, const char *path, graze_rig *rig)
{
    shape_reader reader = {.rig = rig, .rest = GRAZE_NO_PART, .shape = shape};
    cJSON *tree = NULL;
    *shape = (shape_file){.parts = NULL};
    bool read = json_file_read(path, &tree, &reader.whole) && read_shape(&reader);
    cJSON_Delete(tree);
    graze_parts_destroy(reader.joints);
    free(reader.parts);
    free(reader.joint_parts);
    if (!read)
        shape_file_free(shape);
    return read;
}

void shape_file_free(shape_file *shape)
{
    graze_parts_destroy(shape->parts);
    free(shape->triangle_groups);
    free(shape->vertex_groups);
    free(shape->volumes);
    free(shape->mesh);
    *shape = (shape_file){.parts = NULL};
}

/* "volume 3: text" of the library is of volumes[3] in the file. */
static void fail_fit(const char *path, const char *text)
{
    uint32_t number;
    int length = 0;
    if (sscanf(text, "volume %u: %n", &number, &length) == 1 && length)
        fail_usage("%s: volumes[%u]: %s", path, number, text + length);
    else
        fail_usage("%s: %s", path, text);
}

graze_fit *shape_file_fit(const shape_file *shape, const char *path, uint32_t fine,
                          const graze_model *model)
{
    graze_fit_def def = graze_default_fit_def();
    graze_volume_def *volumes = malloc(((size_t)shape->volume_count + 1) * sizeof *volumes);
    graze_fit *fit = NULL;
    graze_error error = {.text = "out of memory"};
    def.fine_volumes = fine;
    for (uint32_t v = 0; volumes && v < shape->volume_count; v++) {
        volumes[v] = graze_default_volume_def();
        volumes[v].level = shape->volumes[v].level;
        volumes[v].part = shape->volumes[v].part;
        volumes[v].joint = shape->volumes[v].joint;
        volumes[v].rest = shape->volumes[v].rest;
    }
    if (!volumes || graze_fit_create_from(model, volumes, shape->volume_count, &def, &fit, &error))
        fail_fit(path, error.text);
    free(volumes);
    return fit;
}
