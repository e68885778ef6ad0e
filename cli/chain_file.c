#include "cli/chain_file.h"

#include "cli/json_file.h"
#include "cli/room.h"
#include "cli/vector.h"

/* What is needed while a file is read; all arrays are freed in the end. */
typedef struct chain_reader {
    json_value whole;
    const struct character *character;
    graze_chains_given given; /* where the file has spheres */
    graze_chain_def def;      /* where it has not */
    graze_region_def *regions;
    const char **names;
    uint32_t *triangle_regions, *joint_regions;
    graze_chain_pivot *pivots;
    uint32_t *owners, *offsets, *members;
    uint32_t neighbour_steps; /* UINT32_MAX: the usual */
    uint32_t at;              /* the region that is read */
} chain_reader;

/* The region that a value names. */
static bool take_region(void *user, void *target, const json_value *value)
{
    const chain_reader *reader = user;
    uint32_t *region = target;
    const char *name;
    if (!json_take_text(value, "the name of a region", &name))
        return false;
    for (*region = 0; *region < reader->given.region_count; ++*region)
        if (strcmp(reader->names[*region], name) == 0)
            return true;
    return json_fail_word(value, "region", reader->names, reader->given.region_count);
}

/* ---- regions --------------------------------------------------------------------------------- */

static bool read_joint(void *user, void *target, const json_value *item)
{
    chain_reader *reader = user;
    const char *name;
    (void)target;
    if (!json_take_text(item, "the name of a joint", &name))
        return false;
    uint32_t joint = graze_part_find(reader->character->joints, name);
    if (joint == GRAZE_NONE)
        return json_fail(item, "there is no joint %.80s", name);
    if (reader->joint_regions[joint] != GRAZE_NONE)
        return json_fail(item, "expected a joint of no other region, found %.80s of regions[%u]",
                         name, reader->joint_regions[joint]);
    reader->joint_regions[joint] = reader->at;
    return true;
}

static bool read_triangle(void *user, void *target, const json_value *item)
{
    chain_reader *reader = user;
    uint32_t triangle;
    (void)target;
    if (!json_take_index(item, "the number of a triangle", reader->character->rig->triangle_count,
                         &triangle))
        return false;
    if (reader->triangle_regions[triangle] != GRAZE_NONE)
        return json_fail(item, "expected a triangle of no other region, found %u of regions[%u]",
                         triangle, reader->triangle_regions[triangle]);
    reader->triangle_regions[triangle] = reader->at;
    return true;
}

static bool read_region(void *user, void *target, const json_value *object)
{
    static const char *const kinds[] = {"trunk", "tube"};
    static const json_key keys[] = {
        {"name", "the region's name", JSON_TEXT, AT(graze_region_def, name), .needed = true},
        {"kind", "kind of region", JSON_CHOICE, AT(graze_region_def, kind), .count = 2,
         .words = kinds},
        {"parent", NULL, JSON_OWN, .read = NULL},
        {"joints", "names of joints", JSON_ITEMS, .read = read_joint},
        {"triangles", "triangles", JSON_ITEMS, .read = read_triangle}};
    chain_reader *reader = user;
    graze_region_def *region = &reader->regions[object->index];
    (void)target;
    reader->at = object->index;
    *region = (graze_region_def){.kind = GRAZE_REGION_TUBE};
    bool read = json_take_object(object, keys, COUNT_OF(keys), region, reader);
    reader->names[object->index] = region->name;
    return read;
}

/* Parents are named, and may stand behind their children. */
static bool read_parent(void *user, void *target, const json_value *object)
{
    chain_reader *reader = user;
    json_value parent = json_member(object, "parent");
    (void)target;
    graze_region_def *region = &reader->regions[object->index];
    region->attached = json_is_there(&parent);
    return !region->attached || take_region(reader, &region->parent, &parent);
}

static bool read_regions(chain_reader *reader)
{
    json_value array = json_member(&reader->whole, "regions");
    const graze_rig *rig = reader->character->rig;
    if (!json_count(&array, "regions", &reader->given.region_count))
        return false;
    reader->regions = room(reader->given.region_count, sizeof *reader->regions);
    reader->names = room(reader->given.region_count, sizeof *reader->names);
    reader->triangle_regions = room(rig->triangle_count, sizeof(uint32_t));
    reader->joint_regions = room(rig->joint_count, sizeof(uint32_t));
    memset(reader->triangle_regions, 0xff, rig->triangle_count * sizeof(uint32_t));
    memset(reader->joint_regions, 0xff, rig->joint_count * sizeof(uint32_t));
    return json_each(&array, "regions", read_region, reader) &&
           json_each(&array, "regions", read_parent, reader);
}

/* Whether regions list triangles; else joints. All of either have to be in one. */
static bool check_regions(const chain_reader *reader, bool *by_triangles)
{
    const graze_rig *rig = reader->character->rig;
    json_value regions = json_member(&reader->whole, "regions");
    uint32_t triangles = 0, joints = 0, no_triangle = 0, no_joint = 0;
    for (uint32_t t = rig->triangle_count; t-- > 0;)
        if (reader->triangle_regions[t] == GRAZE_NONE)
            no_triangle = t;
        else
            triangles++;
    for (uint32_t j = rig->joint_count; j-- > 0;)
        if (reader->joint_regions[j] == GRAZE_NONE)
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
                         graze_part_name(reader->character->joints, no_joint));
    return true;
}

/* Two names of regions, to look at besides those of chains. */
static bool read_also_names(void *user, void *target, const json_value *item)
{
    graze_region_names *names = target;
    uint32_t two;
    (void)user;
    if (!json_take_array(item, "two names of regions", &two))
        return false;
    if (two != 2)
        return json_fail_expected(item, "two names of regions");
    json_value a = json_at(item, 0), b = json_at(item, 1);
    return json_take_text(&a, "the name of a region", &names->a) &&
           json_take_text(&b, "the name of a region", &names->b);
}

#define STEPS_KEY                                                                                  \
    {                                                                                              \
        "neighbour_steps", "a number of steps", JSON_INDEX, AT(chain_reader, neighbour_steps),     \
            .count = 1000                                                                          \
    }

static graze_chains *make_chains(chain_reader *reader)
{
    static const json_key keys[] = {{"regions", NULL, JSON_OWN, .read = NULL},
                                    {"also", "pairs of regions",
                                     JSON_LIST_OF(chain_reader, def.also, def.also_count),
                                     .read = read_also_names},
                                    STEPS_KEY};
    graze_chain_def *def = &reader->def;
    const uint32_t regions = reader->given.region_count;
    graze_chains *chains = NULL;
    graze_error error;
    bool by_triangles = false;
    if (!json_take_object(&reader->whole, keys, COUNT_OF(keys), reader, reader) ||
        (regions && !check_regions(reader, &by_triangles)))
        return NULL;
    if (reader->neighbour_steps != UINT32_MAX)
        def->neighbour_steps = reader->neighbour_steps;
    def->no_neighbour_rule = reader->neighbour_steps == 0;
    def->regions = regions ? reader->regions : NULL;
    def->region_count = regions;
    def->triangle_regions = by_triangles ? reader->triangle_regions : NULL;
    def->joint_regions = regions && !by_triangles ? reader->joint_regions : NULL;
    if (graze_chains_create(reader->character->model, reader->character->joints, def, &chains,
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
    for (uint32_t k = 0; k < sphere->pivot_count; k++)
        sum += sqrt(square_of(positions + 3 * (size_t)pivots[k].vertices[0], centre));
    double factor = (double)sphere->radius * sphere->pivot_count / sum;
    return (float)(sum > 0 ? factor : 1);
}

/* [vertex, weight] */
static bool read_pivot(void *user, void *target, const json_value *item)
{
    chain_reader *reader = user;
    graze_chain_pivot *pivot = &reader->pivots[reader->given.pivot_count];
    double both[2];
    (void)target;
    *pivot = (graze_chain_pivot){.weight = 0};
    if (!json_take_numbers(item, "a vertex and a weight", both, 2))
        return false;
    json_value vertex = json_at(item, 0);
    pivot->weight = (float)both[1];
    reader->given.pivot_count++;
    return json_take_index(&vertex, "the number of a vertex", reader->character->rig->vertex_count,
                           &pivot->vertices[0]);
}

static bool read_pivots(void *user, void *target, const json_value *array)
{
    chain_reader *reader = user;
    graze_chain_sphere *sphere = target;
    if (!json_take_array(array, "pivots [vertex, weight]", &sphere->pivot_count))
        return false;
    sphere->first_pivot = reader->given.pivot_count;
    reader->pivots =
        more_room(reader->pivots, (size_t)reader->given.pivot_count + sphere->pivot_count + 1,
                  sizeof *reader->pivots);
    return json_each(array, "pivots [vertex, weight]", read_pivot, reader);
}

/* A sphere as it stands in the file. */
typedef struct sphere_read {
    graze_chain_sphere sphere;
    double centre[3], radius, factor;
} sphere_read;

static bool read_sphere(void *user, void *target, const json_value *object)
{
    static const json_key keys[] = {
        {"region", NULL, JSON_OWN, AT(sphere_read, sphere.region), .read = take_region},
        {"centre", "three numbers", JSON_NUMBERS, AT(sphere_read, centre), .needed = true,
         .count = 3},
        {"radius", "a radius", JSON_NUMBERS, AT(sphere_read, radius), .needed = true},
        {"pivots", NULL, JSON_OWN, AT(sphere_read, sphere), .read = read_pivots},
        {"factor", "a factor", JSON_NUMBERS, AT(sphere_read, factor)}};
    sphere_read read = {.factor = (double)NAN};
    if (!json_take_object(object, keys, COUNT_OF(keys), &read, user))
        return false;
    for (int axis = 0; axis < 3; axis++)
        read.sphere.centre[axis] = (float)read.centre[axis];
    read.sphere.radius = (float)read.radius;
    read.sphere.radius_factor =
        isnan(read.factor) ? factor_of(user, &read.sphere) : (float)read.factor;
    *(graze_chain_sphere *)target = read.sphere;
    return true;
}

/* The sphere whose centre is nearest, of the triangle's region if regions have triangles. */
static uint32_t nearest_sphere(const chain_reader *reader, uint32_t triangle)
{
    const graze_rig *rig = reader->character->rig;
    const uint32_t *corners = rig->triangles + 3 * (size_t)triangle;
    uint32_t best = 0, region = reader->triangle_regions[triangle];
    double least = INFINITY, at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = ((double)rig->positions[3 * (size_t)corners[0] + axis] +
                    (double)rig->positions[3 * (size_t)corners[1] + axis] +
                    (double)rig->positions[3 * (size_t)corners[2] + axis]) /
                   3;
    for (uint32_t s = 0; s < reader->given.sphere_count; s++) {
        double away = square_of(reader->given.spheres[s].centre, at);
        if ((region == GRAZE_NONE || reader->given.spheres[s].region == region) && away < least) {
            least = away;
            best = s;
        }
    }
    return best;
}

static bool read_owners(void *user, void *target, const json_value *array)
{
    chain_reader *reader = user;
    const uint32_t triangles = reader->character->rig->triangle_count;
    uint32_t count;
    (void)target;
    reader->owners = room(triangles, sizeof *reader->owners);
    if (!json_count(array, "a sphere for every triangle", &count))
        return false;
    if (json_is_there(array) && count != triangles)
        return json_fail(array, "expected %u spheres, one a triangle, found %u", triangles, count);
    for (uint32_t t = 0; !count && t < triangles; t++)
        reader->owners[t] = nearest_sphere(reader, t);
    return !count || json_take_indices(array, "the number of a sphere", reader->given.sphere_count,
                                       reader->owners);
}

static bool read_chain(void *user, void *target, const json_value *chain)
{
    chain_reader *reader = user;
    uint32_t count;
    (void)target;
    if (!json_take_array(chain, "spheres of a chain", &count) ||
        !json_take_indices(chain, "the number of a sphere", reader->given.sphere_count,
                           reader->members + reader->offsets[chain->index]))
        return false;
    reader->offsets[chain->index + 1] = reader->offsets[chain->index] + count;
    return true;
}

static bool read_chains(void *user, void *target, const json_value *array)
{
    chain_reader *reader = user;
    uint32_t total = 0;
    (void)target;
    if (!json_count(array, "chains", &reader->given.chain_count))
        return false;
    for (const cJSON *chain = reader->given.chain_count ? array->json->child : NULL; chain;
         chain = chain->next)
        total += (uint32_t)cJSON_GetArraySize(chain);
    reader->offsets = room((size_t)reader->given.chain_count + 1, sizeof *reader->offsets);
    reader->members = room(total, sizeof *reader->members);
    return json_each(array, "chains", read_chain, reader);
}

static bool read_pair(void *user, void *target, const json_value *item)
{
    const uint32_t spheres = ((const chain_reader *)user)->given.sphere_count;
    graze_pair *pair = target;
    double both[2];
    if (!json_take_numbers(item, "two spheres", both, 2))
        return false;
    json_value a = json_at(item, 0), b = json_at(item, 1);
    return json_take_index(&a, "the number of a sphere", spheres, &pair->a) &&
           json_take_index(&b, "the number of a sphere", spheres, &pair->b);
}

static graze_chains *take_chains(chain_reader *reader)
{
    static const json_key keys[] = {
        {"regions", NULL, JSON_OWN, .read = NULL},
        {"spheres", "spheres", JSON_LIST_OF(chain_reader, given.spheres, given.sphere_count),
         .needed = true, .read = read_sphere},
        {"owners", NULL, JSON_OWN, .read = read_owners},
        {"chains", NULL, JSON_OWN, .read = read_chains},
        {"also", "pairs of spheres", JSON_LIST_OF(chain_reader, given.also, given.also_count),
         .read = read_pair},
        {"neighbours", "pairs of spheres",
         JSON_LIST_OF(chain_reader, given.neighbours, given.neighbour_count), .read = read_pair},
        STEPS_KEY};
    graze_chains_given *given = &reader->given;
    graze_chains *chains = NULL;
    graze_error error;
    if (!json_take_object(&reader->whole, keys, COUNT_OF(keys), reader, reader))
        return NULL;
    if (reader->neighbour_steps != UINT32_MAX)
        given->neighbour_steps = reader->neighbour_steps;
    given->no_neighbour_rule = reader->neighbour_steps == 0;
    given->region_names = reader->names;
    given->pivots = reader->pivots;
    given->triangle_spheres = reader->owners;
    given->chain_offsets = reader->offsets;
    given->chain_spheres = reader->members;
    if (graze_chains_create_given(reader->character->model, given, &chains, &error))
        json_fail(&reader->whole, "%s", error.text);
    return chains;
}

graze_chains *chain_file_read(const char *path, const struct character *character,
                              const graze_chain_def *def)
{
    chain_reader reader = {.character = character, .def = *def, .neighbour_steps = UINT32_MAX};
    cJSON *tree = NULL;
    graze_chains *chains = NULL;
    if (!json_file_read(path, &tree, &reader.whole))
        return NULL;
    json_value spheres = json_member(&reader.whole, "spheres");
    if (read_regions(&reader))
        chains = json_is_there(&spheres) ? take_chains(&reader) : make_chains(&reader);
    const void *const all[] = {reader.regions,       reader.names,      reader.triangle_regions,
                               reader.joint_regions, reader.def.also,   reader.pivots,
                               reader.owners,        reader.offsets,    reader.members,
                               reader.given.spheres, reader.given.also, reader.given.neighbours};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        free((void *)all[i]);
    cJSON_Delete(tree);
    return chains;
}
