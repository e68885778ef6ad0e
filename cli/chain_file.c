#include "cli/chain_file.h"

#include "cli/json_file.h"
#include "cli/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEY_COUNT(keys) (sizeof(keys) / sizeof *(keys))

/* What is needed while a file is read; all arrays are freed in the end. */
typedef struct chain_reader {
    json_value whole;
    const struct character *character;
    graze_region_def *regions;
    const char **names;
    uint32_t region_count;
    uint32_t *triangle_regions, *joint_regions;
    graze_region_names *also_names;
    uint32_t also_count;

    graze_chain_sphere *spheres;
    uint32_t sphere_count;
    graze_chain_pivot *pivots;
    uint32_t pivot_count;
    uint32_t *owners;
    uint32_t *offsets, *members;
    uint32_t chain_count;
    graze_chain_pair *also, *neighbours;
    uint32_t neighbour_count;
} chain_reader;

static void *room(chain_reader *reader, size_t count, size_t size)
{
    void *made = calloc(count + 1, size);
    if (!made)
        json_fail(&reader->whole, "out of memory");
    return made;
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

/* A whole number below limit. */
static bool take_index(const json_value *value, const char *what, uint32_t limit, uint32_t *index)
{
    double number = cJSON_IsNumber(value->json) ? value->json->valuedouble : -1;
    if (!(number >= 0 && number < limit) || number != (double)(uint32_t)number)
        return limit ? json_fail_expected(value, "%s, 0 to %u", what, limit - 1)
                     : json_fail(value, "expected nothing: there is no %s", what);
    *index = (uint32_t)number;
    return true;
}

static bool take_region(const chain_reader *reader, const json_value *value, uint32_t *region)
{
    const char *name;
    if (!json_take_text(value, "the name of a region", &name))
        return false;
    for (*region = 0; *region < reader->region_count; ++*region)
        if (strcmp(reader->names[*region], name) == 0)
            return true;
    return json_fail_word(value, "region", reader->names, reader->region_count);
}

/* ---- regions --------------------------------------------------------------------------------- */

static bool read_joints(chain_reader *reader, uint32_t region, const json_value *array)
{
    const graze_parts *joints = reader->character->joints;
    const cJSON *json;
    uint32_t count, i = 0, joint = 0;
    if (!take_items(array, "names of joints", &json, &count))
        return false;
    for (; json; json = json->next) {
        json_value item = json_item(array, json, i++);
        const char *name;
        if (!json_take_text(&item, "the name of a joint", &name))
            return false;
        if (!graze_parts_find(joints, name, &joint))
            return json_fail(&item, "there is no joint %.80s", name);
        if (reader->joint_regions[joint] != GRAZE_NO_PART)
            return json_fail(&item,
                             "expected a joint of no other region, found %.80s of regions[%u]",
                             name, reader->joint_regions[joint]);
        reader->joint_regions[joint] = region;
    }
    return true;
}

static bool read_triangles(chain_reader *reader, uint32_t region, const json_value *array)
{
    const cJSON *json;
    uint32_t count, i = 0, triangle = 0;
    if (!take_items(array, "triangles", &json, &count))
        return false;
    for (; json; json = json->next) {
        json_value item = json_item(array, json, i++);
        if (!take_index(&item, "the number of a triangle", reader->character->rig->triangle_count,
                        &triangle))
            return false;
        if (reader->triangle_regions[triangle] != GRAZE_NO_PART)
            return json_fail(&item,
                             "expected a triangle of no other region, found %u of regions[%u]",
                             triangle, reader->triangle_regions[triangle]);
        reader->triangle_regions[triangle] = region;
    }
    return true;
}

static bool read_region(chain_reader *reader, uint32_t region, const json_value *object)
{
    static const char *const keys[] = {"name", "kind", "parent", "joints", "triangles"};
    static const char *const kinds[] = {"trunk", "tube"};
    json_value name = json_member(object, "name"), kind = json_member(object, "kind");
    json_value joints = json_member(object, "joints"), own = json_member(object, "triangles");
    int choice = GRAZE_REGION_TUBE;
    if (!json_check_keys(object, keys, KEY_COUNT(keys)) ||
        !json_take_text(&name, "the region's name", &reader->names[region]) ||
        (json_is_there(&kind) && !json_take_choice(&kind, "kind of region", kinds, 2, &choice)))
        return false;
    reader->regions[region] = (graze_region_def){
        .name = reader->names[region], .kind = (graze_region_kind)choice, .parent = GRAZE_NO_PART};
    return read_joints(reader, region, &joints) && read_triangles(reader, region, &own);
}

/* Parents are named, and may stand behind their children. */
static bool read_parents(chain_reader *reader, const json_value *array)
{
    uint32_t i = 0;
    for (const cJSON *json = array->json->child; json; json = json->next, i++) {
        json_value object = json_item(array, json, i), parent = json_member(&object, "parent");
        if (json_is_there(&parent) && !take_region(reader, &parent, &reader->regions[i].parent))
            return false;
    }
    return true;
}

static bool read_regions(chain_reader *reader)
{
    json_value array = json_member(&reader->whole, "regions");
    const graze_rig *rig = reader->character->rig;
    const cJSON *json;
    uint32_t i = 0;
    if (!take_items(&array, "regions", &json, &reader->region_count))
        return false;
    reader->regions = room(reader, reader->region_count, sizeof *reader->regions);
    reader->names = room(reader, reader->region_count, sizeof *reader->names);
    reader->triangle_regions = room(reader, rig->triangle_count, sizeof(uint32_t));
    reader->joint_regions = room(reader, rig->joint_count, sizeof(uint32_t));
    if (!reader->regions || !reader->names || !reader->triangle_regions || !reader->joint_regions)
        return false;
    memset(reader->triangle_regions, 0xff, rig->triangle_count * sizeof(uint32_t));
    memset(reader->joint_regions, 0xff, rig->joint_count * sizeof(uint32_t));
    for (; json; json = json->next, i++) {
        json_value item = json_item(&array, json, i);
        if (!read_region(reader, i, &item))
            return false;
    }
    return !reader->region_count || read_parents(reader, &array);
}

/* Whether regions list triangles; else joints. All of either have to be in one. */
static bool check_regions(const chain_reader *reader, bool *by_triangles)
{
    const graze_rig *rig = reader->character->rig;
    json_value regions = json_member(&reader->whole, "regions");
    uint32_t triangles = 0, joints = 0, no_triangle = 0, no_joint = 0;
    for (uint32_t t = rig->triangle_count; t-- > 0;)
        if (reader->triangle_regions[t] == GRAZE_NO_PART)
            no_triangle = t;
        else
            triangles++;
    for (uint32_t j = rig->joint_count; j-- > 0;)
        if (reader->joint_regions[j] == GRAZE_NO_PART)
            no_joint = j;
        else
            joints++;
    *by_triangles = triangles > 0;
    if (triangles && joints)
        return json_fail(&regions, "expected joints or triangles, found both");
    if (triangles && triangles < rig->triangle_count)
        return json_fail(&regions, "expected every triangle in a region, found %u in none",
                         no_triangle);
    if (!triangles && joints < rig->joint_count)
        return json_fail(&regions, "expected every joint in a region, found %.80s in none",
                         graze_parts_name(reader->character->joints, no_joint));
    return true;
}

/* Pairs of names of regions, to look at besides those of chains. */
static bool read_also_names(chain_reader *reader)
{
    json_value array = json_member(&reader->whole, "also");
    const cJSON *json;
    uint32_t i = 0;
    if (!take_items(&array, "pairs of regions", &json, &reader->also_count))
        return false;
    reader->also_names = room(reader, reader->also_count, sizeof *reader->also_names);
    for (; reader->also_names && json; json = json->next, i++) {
        json_value item = json_item(&array, json, i);
        uint32_t two;
        if (!json_take_array(&item, "two names of regions", &two))
            return false;
        if (two != 2)
            return json_fail_expected(&item, "two names of regions");
        json_value a = json_item(&item, item.json->child, 0);
        json_value b = json_item(&item, item.json->child->next, 1);
        if (!json_take_text(&a, "the name of a region", &reader->also_names[i].a) ||
            !json_take_text(&b, "the name of a region", &reader->also_names[i].b))
            return false;
    }
    return reader->also_names != NULL;
}

static graze_chains *make_chains(chain_reader *reader, const graze_chain_def *usual)
{
    static const char *const keys[] = {"regions", "also", "neighbour_steps"};
    json_value steps = json_member(&reader->whole, "neighbour_steps");
    graze_chain_def def = *usual;
    graze_chains *chains = NULL;
    graze_error error;
    bool by_triangles = false;
    if (!json_check_keys(&reader->whole, keys, KEY_COUNT(keys)) || !read_also_names(reader) ||
        (reader->region_count && !check_regions(reader, &by_triangles)) ||
        (json_is_there(&steps) &&
         !take_index(&steps, "a number of steps", 1000, &def.neighbour_steps)))
        return NULL;
    if (reader->region_count) {
        def.regions = reader->regions;
        def.region_count = reader->region_count;
        def.triangle_regions = by_triangles ? reader->triangle_regions : NULL;
        def.joint_regions = by_triangles ? NULL : reader->joint_regions;
    }
    def.also = reader->also_names;
    def.also_count = reader->also_count;
    if (graze_chains_create(reader->character->model, reader->character->joints, &def, &chains,
                            &error))
        json_fail(&reader->whole, "%s", error.text);
    return chains;
}

/* ---- spheres --------------------------------------------------------------------------------- */

/* The radius factor that gives the radius back at rest. */
static float factor_of(const chain_reader *reader, const graze_chain_sphere *sphere)
{
    const float *positions = reader->character->rig->positions;
    const graze_chain_pivot *pivots = reader->pivots + sphere->first_pivot;
    double centre[3] = {0, 0, 0}, sum = 0;
    for (uint32_t k = 0; k < sphere->pivot_count; k++)
        for (int axis = 0; axis < 3; axis++)
            centre[axis] += (double)pivots[k].weight *
                            (double)positions[3 * (size_t)pivots[k].vertices[0] + axis];
    for (uint32_t k = 0; k < sphere->pivot_count; k++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            double d = (double)positions[3 * (size_t)pivots[k].vertices[0] + axis] - centre[axis];
            square += d * d;
        }
        sum += sqrt(square);
    }
    double factor = (double)sphere->radius * sphere->pivot_count / sum;
    return (float)(sum > 0 ? factor : 1);
}

/* [[vertex, weight], ...] */
static bool read_pivots(chain_reader *reader, const json_value *array, graze_chain_sphere *sphere)
{
    uint32_t i = 0;
    if (!json_take_array(array, "pivots [vertex, weight]", &sphere->pivot_count))
        return false;
    sphere->first_pivot = reader->pivot_count;
    graze_chain_pivot *larger = realloc(
        reader->pivots, ((size_t)reader->pivot_count + sphere->pivot_count + 1) * sizeof *larger);
    if (!larger)
        return json_fail(&reader->whole, "out of memory");
    reader->pivots = larger;
    for (const cJSON *json = array->json->child; json; json = json->next, i++) {
        json_value item = json_item(array, json, i);
        graze_chain_pivot *pivot = &reader->pivots[reader->pivot_count++];
        double both[2];
        *pivot = (graze_chain_pivot){.weight = 0};
        if (!json_take_numbers(&item, "a vertex and a weight", both, 2))
            return false;
        json_value vertex = json_item(&item, item.json->child, 0);
        if (!take_index(&vertex, "the number of a vertex", reader->character->rig->vertex_count,
                        &pivot->vertices[0]))
            return false;
        pivot->weight = (float)both[1];
    }
    return true;
}

static bool read_sphere(chain_reader *reader, const json_value *object, graze_chain_sphere *sphere)
{
    static const char *const keys[] = {"region", "centre", "radius", "pivots", "factor"};
    json_value region = json_member(object, "region"), centre = json_member(object, "centre");
    json_value radius = json_member(object, "radius"), factor = json_member(object, "factor");
    json_value pivots = json_member(object, "pivots");
    double at[3], size, given = 0;
    if (!json_check_keys(object, keys, KEY_COUNT(keys)) ||
        !take_region(reader, &region, &sphere->region) ||
        !json_take_numbers(&centre, "three numbers", at, 3) ||
        !json_take_number(&radius, "a radius", &size) ||
        (json_is_there(&factor) && !json_take_number(&factor, "a factor", &given)))
        return false;
    for (int axis = 0; axis < 3; axis++)
        sphere->centre[axis] = (float)at[axis];
    sphere->radius = (float)size;
    if (!read_pivots(reader, &pivots, sphere))
        return false;
    sphere->radius_factor = json_is_there(&factor) ? (float)given : factor_of(reader, sphere);
    return true;
}

static bool read_spheres(chain_reader *reader, const json_value *array)
{
    uint32_t i = 0;
    if (!json_take_array(array, "spheres", &reader->sphere_count))
        return false;
    reader->spheres = room(reader, reader->sphere_count, sizeof *reader->spheres);
    for (const cJSON *json = array->json->child; reader->spheres && json; json = json->next, i++) {
        json_value item = json_item(array, json, i);
        if (!read_sphere(reader, &item, &reader->spheres[i]))
            return false;
    }
    return reader->spheres != NULL;
}

/* The sphere whose centre is nearest, of the triangle's region if regions have triangles. */
static uint32_t nearest_sphere(const chain_reader *reader, uint32_t triangle)
{
    const graze_rig *rig = reader->character->rig;
    const uint32_t *corners = rig->triangles + 3 * (size_t)triangle;
    uint32_t best = 0, region = reader->triangle_regions[triangle];
    double least = INFINITY;
    for (uint32_t s = 0; s < reader->sphere_count; s++) {
        double square = 0;
        if (region != GRAZE_NO_PART && reader->spheres[s].region != region)
            continue;
        for (int axis = 0; axis < 3; axis++) {
            double at = ((double)rig->positions[3 * (size_t)corners[0] + axis] +
                         (double)rig->positions[3 * (size_t)corners[1] + axis] +
                         (double)rig->positions[3 * (size_t)corners[2] + axis]) /
                        3;
            double d = at - (double)reader->spheres[s].centre[axis];
            square += d * d;
        }
        if (square < least) {
            least = square;
            best = s;
        }
    }
    return best;
}

static bool read_owners(chain_reader *reader)
{
    json_value array = json_member(&reader->whole, "owners");
    const uint32_t triangles = reader->character->rig->triangle_count;
    const cJSON *json;
    uint32_t count, i = 0;
    reader->owners = room(reader, triangles, sizeof *reader->owners);
    if (!reader->owners || !take_items(&array, "a sphere for every triangle", &json, &count))
        return false;
    if (json_is_there(&array) && count != triangles)
        return json_fail(&array, "expected %u spheres, one a triangle, found %u", triangles, count);
    for (uint32_t t = 0; !count && t < triangles; t++)
        reader->owners[t] = nearest_sphere(reader, t);
    for (; json; json = json->next, i++) {
        json_value item = json_item(&array, json, i);
        if (!take_index(&item, "the number of a sphere", reader->sphere_count, &reader->owners[i]))
            return false;
    }
    return true;
}

static bool read_chains(chain_reader *reader)
{
    json_value array = json_member(&reader->whole, "chains");
    const cJSON *json;
    uint32_t i = 0, total = 0, next = 0;
    if (!take_items(&array, "chains", &json, &reader->chain_count))
        return false;
    for (const cJSON *chain = json; chain; chain = chain->next)
        total += (uint32_t)cJSON_GetArraySize(chain);
    reader->offsets = room(reader, (size_t)reader->chain_count + 1, sizeof *reader->offsets);
    reader->members = room(reader, total, sizeof *reader->members);
    if (!reader->offsets || !reader->members)
        return false;
    for (; json; json = json->next, i++) {
        json_value chain = json_item(&array, json, i);
        uint32_t count, k = 0;
        if (!json_take_array(&chain, "spheres of a chain", &count))
            return false;
        for (const cJSON *one = json->child; one; one = one->next) {
            json_value item = json_item(&chain, one, k++);
            if (!take_index(&item, "the number of a sphere", reader->sphere_count,
                            &reader->members[next++]))
                return false;
        }
        reader->offsets[i + 1] = next;
    }
    return true;
}

static bool read_pairs(chain_reader *reader, const char *key, graze_chain_pair **pairs,
                       uint32_t *count)
{
    json_value array = json_member(&reader->whole, key);
    const cJSON *json;
    uint32_t i = 0;
    if (!take_items(&array, "pairs of spheres", &json, count))
        return false;
    *pairs = room(reader, *count, sizeof **pairs);
    for (; *pairs && json; json = json->next, i++) {
        json_value item = json_item(&array, json, i);
        double both[2];
        if (!json_take_numbers(&item, "two spheres", both, 2))
            return false;
        json_value a = json_item(&item, item.json->child, 0);
        json_value b = json_item(&item, item.json->child->next, 1);
        if (!take_index(&a, "the number of a sphere", reader->sphere_count, &(*pairs)[i].a) ||
            !take_index(&b, "the number of a sphere", reader->sphere_count, &(*pairs)[i].b))
            return false;
    }
    return *pairs != NULL;
}

static graze_chains *take_chains(chain_reader *reader, const json_value *spheres)
{
    static const char *const keys[] = {"regions", "spheres",    "owners",         "chains",
                                       "also",    "neighbours", "neighbour_steps"};
    json_value steps = json_member(&reader->whole, "neighbour_steps");
    graze_chains_given given = graze_default_chains_given();
    graze_chains *chains = NULL;
    graze_error error;
    if (!json_check_keys(&reader->whole, keys, KEY_COUNT(keys)) || !read_spheres(reader, spheres) ||
        !read_owners(reader) || !read_chains(reader) ||
        !read_pairs(reader, "also", &reader->also, &reader->also_count) ||
        !read_pairs(reader, "neighbours", &reader->neighbours, &reader->neighbour_count) ||
        (json_is_there(&steps) &&
         !take_index(&steps, "a number of steps", 1000, &given.neighbour_steps)))
        return NULL;
    given.region_names = reader->names;
    given.region_count = reader->region_count;
    given.spheres = reader->spheres;
    given.sphere_count = reader->sphere_count;
    given.pivots = reader->pivots;
    given.pivot_count = reader->pivot_count;
    given.triangle_spheres = reader->owners;
    given.chain_offsets = reader->offsets;
    given.chain_spheres = reader->members;
    given.chain_count = reader->chain_count;
    given.also = reader->also;
    given.also_count = reader->also_count;
    given.neighbours = reader->neighbours;
    given.neighbour_count = reader->neighbour_count;
    if (graze_chains_create_given(reader->character->model, &given, &chains, &error))
        json_fail(&reader->whole, "%s", error.text);
    return chains;
}

graze_chains *chain_file_read(const char *path, const struct character *character,
                              const graze_chain_def *def)
{
    chain_reader reader = {.character = character};
    cJSON *tree = NULL;
    graze_chains *chains = NULL;
    if (!json_file_read(path, &tree, &reader.whole))
        return NULL;
    json_value spheres = json_member(&reader.whole, "spheres");
    if (read_regions(&reader))
        chains =
            json_is_there(&spheres) ? take_chains(&reader, &spheres) : make_chains(&reader, def);
    void *const all[] = {reader.regions,       (void *)reader.names, reader.triangle_regions,
                         reader.joint_regions, reader.also_names,    reader.spheres,
                         reader.pivots,        reader.owners,        reader.offsets,
                         reader.members,       reader.also,          reader.neighbours};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    cJSON_Delete(tree);
    return chains;
}
