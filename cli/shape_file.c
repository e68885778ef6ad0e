#include "cli/shape_file.h"

#include "cli/json_file.h"
#include "cli/names.h"
#include "cli/options.h"
#include "cli/room.h"
#include "cli/shape_mesh.h"

/* What is needed while a file is read. */
typedef struct shape_reader {
    json_value whole;
    graze_rig *rig;
    graze_part_names *joints; /* the rig's */
    graze_part_def *parts;    /* the file's */
    uint32_t part_count;
    uint32_t *joint_parts; /* the part that has all triangles of a joint, or GRAZE_NONE */
    uint32_t rest;         /* the part of all other joints, or GRAZE_NONE */
    shape_file *shape;
    uint32_t part; /* the one at hand */
    bool lists;    /* and it lists its triangles */
} shape_reader;

/* ---- names -------------------------------------------------------------------------------- */

/* A name of the tree's; what: "joint" or "part". */
static bool take_name(const json_value *value, const graze_part_names *tree, const char *what,
                      uint32_t *number)
{
    const char *name;
    if (!json_take_text(value, strcmp(what, "joint") ? "the name of a part" : "the name of a joint",
                        &name))
        return false;
    *number = graze_part_find(tree, name);
    if (*number != GRAZE_NONE)
        return true;
    name_search search = {.word = name};
    for (uint32_t i = 0; i < graze_part_count(tree); i++)
        name_search_offer(&search, graze_part_name(tree, i));
    return json_fail(value, "there is no %s %.80s; %s", what, name,
                     name_search_tell(&search, "expected"));
}

/* ---- parts -------------------------------------------------------------------------------- */

/* A joint whose triangles the part has, if it does not list them one by one; or "*" for all that no
 * part names.
 */
static bool read_joint(void *user, void *target, const json_value *item)
{
    shape_reader *reader = user;
    uint32_t joint, *owner = &reader->rest;
    bool is_rest = cJSON_IsString(item->json) && strcmp(item->json->valuestring, "*") == 0;
    (void)target;
    if (!is_rest) {
        if (!take_name(item, reader->joints, "joint", &joint))
            return false;
        owner = &reader->joint_parts[joint];
    }
    if (reader->lists)
        return true;
    if (*owner != GRAZE_NONE)
        return json_fail(item, "expected a joint of no other part, found %.80s of parts[%u]",
                         item->json->valuestring, *owner);
    *owner = reader->part;
    return true;
}

static bool read_triangle(void *user, void *target, const json_value *item)
{
    shape_reader *reader = user;
    uint32_t triangle, *groups = reader->shape->triangle_parts;
    (void)target;
    if (!json_take_index(item, "the number of a triangle", reader->rig->triangle_count, &triangle))
        return false;
    if (groups[triangle] != GRAZE_NONE)
        return json_fail(item, "expected a triangle of no other part, found %u of parts[%u]",
                         triangle, groups[triangle]);
    groups[triangle] = reader->part;
    return true;
}

/* What it is inside may stand behind it: see nest_part. */
static bool read_part(void *user, void *target, const json_value *object)
{
    static const json_key keys[] = {
        {"name", "the part's name", JSON_TEXT, AT(graze_part_def, name), .needed = true},
        {"joints", "names of joints", JSON_ITEMS, .read = read_joint},
        {"triangles", "triangles", JSON_ITEMS, .read = read_triangle},
        {"parent", NULL, JSON_OWN, .read = NULL}};
    shape_reader *reader = user;
    json_value listed = json_member(object, "triangles");
    const uint32_t part = object->index;
    (void)target;
    reader->part = part;
    reader->lists = json_is_there(&listed);
    return json_take_object(object, keys, COUNT_OF(keys), &reader->parts[part], reader);
}

/* Gives triangles that no part lists to the part of their joint, which a model knows. */
static bool give_triangles(const shape_reader *reader)
{
    const graze_rig *rig = reader->rig;
    uint32_t *groups = reader->shape->triangle_parts, first = 0;
    json_value parts = json_member(&reader->whole, "parts");
    graze_model_def def = graze_rig_model_def(rig);
    graze_model *model = NULL;
    graze_error error;
    while (first < rig->triangle_count && groups[first] != GRAZE_NONE)
        first++;
    if (first == rig->triangle_count)
        return true;
    def.no_self_collision = true;
    bool given =
        !graze_rig_create_model(rig, &def, &model, &error) || json_fail(&parts, "%s", error.text);
    for (uint32_t t = first; given && t < rig->triangle_count; t++) {
        uint32_t joint = graze_model_triangle_part(model, t);
        if (groups[t] != GRAZE_NONE)
            continue;
        groups[t] = reader->joint_parts[joint];
        if (groups[t] == GRAZE_NONE)
            groups[t] = reader->rest;
        given = groups[t] != GRAZE_NONE ||
                json_fail(&parts,
                          "expected every triangle in a part, found %u, of joint %.80s, in none", t,
                          graze_part_name(reader->joints, joint));
    }
    graze_model_destroy(model);
    return given;
}

/* A vertex is of the part of its first triangle. */
static void give_vertices(const shape_reader *reader)
{
    const graze_rig *rig = reader->rig;
    memset(reader->shape->vertex_parts, 0, rig->vertex_count * sizeof(uint32_t));
    for (size_t i = 3 * (size_t)rig->triangle_count; i-- > 0;)
        reader->shape->vertex_parts[rig->triangles[i]] = reader->shape->triangle_parts[i / 3];
}

static bool make_tree(shape_reader *reader, const json_value *array)
{
    graze_part_names_def def = {.parts = reader->parts, .part_count = reader->part_count};
    graze_error error;
    graze_part_names_destroy(reader->shape->parts);
    reader->shape->parts = NULL;
    return !graze_part_names_create(&def, &reader->shape->parts, &error) ||
           json_fail(array, "%s", error.text);
}

/* What a part is inside may stand behind it, so all names come first. */
static bool nest_part(void *user, void *target, const json_value *object)
{
    shape_reader *reader = user;
    const uint32_t part = object->index;
    (void)target;
    json_value name = json_member(object, "name"), parent = json_member(object, "parent");
    if (strcmp(graze_part_name(reader->shape->parts, part), reader->parts[part].name) != 0)
        return json_fail(&name, "expected a name of its own, found %.80s of another part",
                         reader->parts[part].name);
    reader->parts[part].inside = json_is_there(&parent);
    return !reader->parts[part].inside ||
           take_name(&parent, reader->shape->parts, "part", &reader->parts[part].parent);
}

static bool read_own_parts(shape_reader *reader, const json_value *array)
{
    const graze_rig *rig = reader->rig;
    shape_file *shape = reader->shape;
    reader->parts = room(reader->part_count, sizeof *reader->parts);
    reader->joint_parts = room(rig->joint_count, sizeof(uint32_t));
    shape->triangle_parts = room(rig->triangle_count, sizeof(uint32_t));
    shape->vertex_parts = room(rig->vertex_count, sizeof(uint32_t));
    memset(reader->joint_parts, 0xff, rig->joint_count * sizeof(uint32_t));
    memset(shape->triangle_parts, 0xff, rig->triangle_count * sizeof(uint32_t));
    if (!json_each(array, "parts", read_part, reader) || !make_tree(reader, array) ||
        !json_each(array, "parts", nest_part, reader) || !make_tree(reader, array) ||
        !give_triangles(reader))
        return false;
    give_vertices(reader);
    return true;
}

/* Without parts in the file they are the joints. */
static bool read_parts(void *user, void *target, const json_value *array)
{
    shape_reader *reader = user;
    graze_error error;
    (void)target;
    if (graze_rig_part_names(reader->rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &reader->joints,
                             &error))
        return json_fail(&reader->whole, "%s", error.text);
    if (!json_count(array, "parts", &reader->part_count))
        return false;
    if (reader->part_count)
        return read_own_parts(reader, array);
    if (json_is_there(array))
        return json_fail_expected(array, "at least one part");
    return !graze_rig_part_names(reader->rig, GRAZE_PARTS_BY_JOINT, NULL, NULL,
                                 &reader->shape->parts, &error) ||
           json_fail(array, "%s", error.text);
}

/* ---- volumes ------------------------------------------------------------------------------ */

static bool read_level(void *user, void *target, const json_value *value)
{
    double number = cJSON_IsNumber(value->json) ? value->json->valuedouble : 0;
    (void)user;
    *(bool *)target = number == 3;
    return number == 1 || number == 3 || json_fail_expected(value, "1 or 3 (level 2 is the mesh)");
}

static bool read_volume_part(void *user, void *target, const json_value *value)
{
    return take_name(value, ((shape_reader *)user)->shape->parts, "part", target);
}

static bool read_volume_joint(void *user, void *target, const json_value *value)
{
    return take_name(value, ((shape_reader *)user)->joints, "joint", target);
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
        json_value radius = json_at(value, count - 1);
        return json_fail_expected(&radius, "a radius of 0 or more");
    }
    for (int k = 0; k < 3; k++) {
        rest->p[k] = (float)numbers[k];
        rest->q[k] = (float)numbers[is_sphere ? k : 3 + k];
    }
    rest->radius = (float)numbers[count - 1];
    return true;
}

static bool read_volume(void *user, void *target, const json_value *object)
{
    static const json_key keys[] = {
        {"level", NULL, JSON_OWN, AT(graze_hitbox_def, inner), .read = read_level},
        {"part", NULL, JSON_OWN, AT(graze_hitbox_def, part), .read = read_volume_part},
        {"joint", NULL, JSON_OWN, AT(graze_hitbox_def, joint), .read = read_volume_joint},
        {"sphere", NULL, JSON_OWN, .read = NULL},
        {"capsule", NULL, JSON_OWN, .read = NULL}};
    return json_take_object(object, keys, COUNT_OF(keys), target, user) &&
           read_geometry(object, &((graze_hitbox_def *)target)->rest);
}

/* A part has one volume of level 1: two would own the same triangles. */
static bool check_owners(const shape_reader *reader)
{
    const json_value array = json_member(&reader->whole, "volumes");
    const shape_file *shape = reader->shape;
    uint32_t count = graze_part_count(shape->parts);
    uint32_t *owners = room(count, sizeof *owners);
    bool single = true;
    memset(owners, 0xff, count * sizeof *owners);
    for (uint32_t v = 0; single && v < shape->volume_count; v++) {
        uint32_t part = shape->volumes[v].part;
        if (shape->volumes[v].inner)
            continue;
        if (owners[part] != GRAZE_NONE) {
            json_value object = json_at(&array, v), name = json_member(&object, "part");
            single = json_fail(&name,
                               "expected a part that no volume of level 1 owns, found %.80s, whose "
                               "triangles volumes[%u] owns",
                               graze_part_name(shape->parts, part), owners[part]);
        }
        owners[part] = v;
    }
    free(owners);
    return single;
}

/* ---- the mesh ----------------------------------------------------------------------------- */

static bool read_mesh(void *user, void *target, const json_value *value)
{
    shape_reader *reader = user;
    const char *name;
    graze_error error;
    (void)target;
    if (!json_is_there(value))
        return true;
    if (!json_take_text(value, "the path of a model", &name))
        return false;
    reader->shape->mesh = path_beside(value->file, name);
    return shape_mesh_take(reader->rig, reader->shape->mesh, &error) ||
           json_fail(value, "%s", error.text);
}

/* ---- files -------------------------------------------------------------------------------- */

/* Everything else is about the mesh. */
static const json_key keys[] = {
    {"mesh", NULL, JSON_OWN, .read = read_mesh},
    {"parts", NULL, JSON_OWN, .read = read_parts},
    {"volumes", "volumes", JSON_LIST_OF(shape_file, volumes, volume_count), .read = read_volume}};

bool shape_file_read(shape_file *shape, const char *path, graze_rig *rig)
{
    shape_reader reader = {.rig = rig, .rest = GRAZE_NONE, .shape = shape};
    cJSON *tree = NULL;
    *shape = (shape_file){.parts = NULL};
    bool read = json_file_read(path, &tree, &reader.whole) &&
                json_take_object(&reader.whole, keys, COUNT_OF(keys), shape, &reader);
    read = read && check_owners(&reader);
    cJSON_Delete(tree);
    graze_part_names_destroy(reader.joints);
    free(reader.parts);
    free(reader.joint_parts);
    if (!read)
        shape_file_free(shape);
    return read;
}

void shape_file_free(shape_file *shape)
{
    graze_part_names_destroy(shape->parts);
    free(shape->triangle_parts);
    free(shape->vertex_parts);
    free(shape->volumes);
    free(shape->mesh);
    *shape = (shape_file){.parts = NULL};
}

/* "hitbox 3: text" of the library is of volumes[3] in the file. */
static void fail_fit(const char *path, const char *text)
{
    uint32_t number;
    int length = 0;
    if (sscanf(text, "hitbox %u: %n", &number, &length) == 1 && length)
        fail_usage("%s: volumes[%u]: %s", path, number, text + length);
    else
        fail_usage("%s: %s", path, text);
}

graze_hitboxes *shape_file_fit(const shape_file *shape, const char *path, uint32_t fine,
                               const graze_model *model)
{
    const graze_hitboxes_def def = {
        .inner_hitboxes = fine, .given = shape->volumes, .given_count = shape->volume_count};
    graze_hitboxes *fit = NULL;
    graze_error error;
    if (graze_hitboxes_create(model, &def, &fit, &error))
        fail_fit(path, error.text);
    return fit;
}
