/* Regions of a body: from wherever they come, and merged as far as they are not wanted. */
#include "chain/regions.h"
#include "base/memory.h"
#include "base/status.h"
#include "math/vector.h"
#include "mesh/weld.h"

#include <stdio.h>
#include <string.h>

grazei_region *grazei_regions_add(grazei_regions *regions, graze_region_kind kind, grazei_role role,
                                  uint32_t parent)
{
    if (regions->count == GRAZEI_MOST_REGIONS)
        return NULL;
    grazei_region *region = &regions->items[regions->count++];
    memset(region, 0, sizeof *region);
    region->kind = kind;
    region->role = role;
    region->parent = parent;
    region->partner = GRAZE_NONE;
    return region;
}

void grazei_regions_by_joint(grazei_regions *regions, const uint32_t *joint_regions)
{
    const grazei_mesh *mesh = &regions->model->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t found[64], count = 0, best = 0;
        double shares[64];
        for (uint32_t corner = 0; corner < 3; corner++) {
            uint32_t v = mesh->triangles[3 * (size_t)t + corner];
            for (uint32_t i = mesh->influence_offsets[v]; i < mesh->influence_offsets[v + 1]; i++) {
                uint32_t region = joint_regions[mesh->influences[i].joint], k = 0;
                while (k < count && found[k] != region)
                    k++;
                if (k == count && count < 64) {
                    found[count] = region;
                    shares[count++] = 0;
                }
                if (k < 64)
                    shares[k] += (double)mesh->influences[i].weight;
            }
        }
        for (uint32_t k = 1; k < count; k++)
            if (shares[k] > shares[best] || (shares[k] == shares[best] && found[k] < found[best]))
                best = k;
        regions->of_triangle[t] = found[best];
    }
}

/* ---- given ---------------------------------------------------------------------------------- */

static graze_status check_given(const graze_chain_def *def, graze_error *error)
{
    uint32_t trunks = 0, roots = 0;
    if (def->region_count < 1 || def->region_count > GRAZEI_MOST_REGIONS)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u regions: expected 1 to %d",
                           def->region_count, GRAZEI_MOST_REGIONS);
    if (!def->triangle_regions == !def->joint_regions)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "regions are given, so one of triangle_regions and joint_regions is");
    for (uint32_t r = 0; r < def->region_count; r++) {
        const graze_region_def *region = &def->regions[r];
        uint32_t steps = 0, at = r;
        if (!region->name || !*region->name)
            return grazei_fail(error, GRAZE_BAD_INPUT, "region %u has no name", r);
        if (region->kind != GRAZE_REGION_TRUNK && region->kind != GRAZE_REGION_TUBE)
            return grazei_fail(error, GRAZE_BAD_INPUT, "region %u, %.60s, is of kind %d", r,
                               region->name, (int)region->kind);
        for (uint32_t k = 0; k < r; k++)
            if (strcmp(def->regions[k].name, region->name) == 0)
                return grazei_fail(error, GRAZE_BAD_INPUT, "regions %u and %u are both %.60s", k, r,
                                   region->name);
        if (region->attached && region->parent >= def->region_count)
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "region %u, %.60s, is attached to region %u of %u", r, region->name,
                               region->parent, def->region_count);
        trunks += region->kind == GRAZE_REGION_TRUNK;
        roots += !region->attached;
        if (region->kind == GRAZE_REGION_TRUNK && region->attached)
            return grazei_fail(error, GRAZE_BAD_INPUT, "region %u, %.60s, is a trunk with a parent",
                               r, region->name);
        while (def->regions[at].attached && def->regions[at].parent < def->region_count &&
               steps++ <= def->region_count)
            at = def->regions[at].parent;
        if (steps > def->region_count)
            return grazei_fail(error, GRAZE_BAD_INPUT, "region %u, %.60s, is attached to itself", r,
                               region->name);
    }
    if (trunks > 1 || roots != 1)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "%u trunks, and %u regions that hang from nothing: expected at most one"
                           " trunk, and one such region",
                           trunks, roots);
    return GRAZE_OK;
}

static graze_status take_given(grazei_regions *regions, const graze_chain_def *def,
                               graze_error *error)
{
    const grazei_mesh *mesh = &regions->model->mesh;
    graze_status status = check_given(def, error);
    if (status)
        return status;
    regions->is_named = true;
    for (uint32_t r = 0; r < def->region_count; r++) {
        const graze_region_def *given = &def->regions[r];
        bool is_trunk = given->kind == GRAZE_REGION_TRUNK;
        grazei_region *region = grazei_regions_add(regions, given->kind,
                                                   is_trunk ? GRAZEI_ROLE_TRUNK : GRAZEI_ROLE_LIMB,
                                                   given->attached ? given->parent : GRAZE_NONE);
        if (!region)
            return grazei_fail_memory(error);
        snprintf(region->name, sizeof region->name, "%s", given->name);
        region->hint = grazei_hint_of(given->name);
        region->side_hint = grazei_side_of(given->name);
        if (is_trunk)
            regions->trunk = r;
    }
    for (uint32_t r = 0; r < regions->count; r++) {
        grazei_region *region = &regions->items[r];
        if (region->parent != GRAZE_NONE && region->parent != regions->trunk)
            region->role = GRAZEI_ROLE_END;
    }
    const uint32_t *numbers = def->triangle_regions ? def->triangle_regions : def->joint_regions;
    uint32_t count = def->triangle_regions ? mesh->triangle_count : mesh->joint_count;
    for (uint32_t i = 0; i < count; i++)
        if (numbers[i] >= def->region_count)
            return grazei_fail(error, GRAZE_BAD_INPUT, "%s %u is of region %u of %u",
                               def->triangle_regions ? "triangle" : "joint", i, numbers[i],
                               def->region_count);
    if (def->triangle_regions)
        memcpy(regions->of_triangle, numbers, count * sizeof *numbers);
    else
        grazei_regions_by_joint(regions, numbers);
    return GRAZE_OK;
}

/* ---- merging -------------------------------------------------------------------------------- */

/* Whether a region is to be one of its own. */
static bool is_wanted(const grazei_regions *regions, const grazei_region *region,
                      const graze_chain_def *def)
{
    if (regions->is_named || region->parent == GRAZE_NONE)
        return true;
    if (region->is_head)
        return !def->merge_head;
    if (region->role == GRAZEI_ROLE_LIMB)
        return !region->is_minor;
    const grazei_region *limb = region;
    while (limb->role != GRAZEI_ROLE_LIMB)
        limb = &regions->items[limb->parent];
    bool is_hand = limb->hint == GRAZEI_HINT_ARM, is_foot = limb->hint == GRAZEI_HINT_LEG;
    if (region->role == GRAZEI_ROLE_FINGER)
        return is_hand && def->hands && def->fingers;
    return (is_hand && def->hands) || (is_foot && def->feet);
}

/* Regions that are not wanted, and those without triangles, go to what they hang from. */
static bool merge(grazei_regions *regions, const graze_chain_def *def)
{
    uint32_t count = regions->count, kept = 0;
    uint32_t triangle_count = regions->model->mesh.triangle_count;
    uint32_t *into = GRAZEI_ALLOCATE(regions->allocator, count, uint32_t);
    uint32_t *used = GRAZEI_ALLOCATE_ZERO(regions->allocator, count, uint32_t);
    bool room = into && used;
    for (uint32_t t = 0; room && t < triangle_count; t++)
        used[regions->of_triangle[t]]++;
    /* Parents may stand behind children where regions were given. */
    for (uint32_t r = 0; room && r < count; r++) {
        uint32_t at = r;
        while (regions->items[at].parent != GRAZE_NONE &&
               (!used[at] || !is_wanted(regions, &regions->items[at], def)))
            at = regions->items[at].parent;
        into[r] = at;
    }
    for (uint32_t r = 0; room && r < count; r++)
        used[r] = into[r] == r ? kept++ : UINT32_MAX; /* from now on its new number */
    for (uint32_t t = 0; room && t < triangle_count; t++)
        regions->of_triangle[t] = used[into[regions->of_triangle[t]]];
    for (uint32_t r = 0; room && r < count; r++) {
        grazei_region region = regions->items[r];
        if (into[r] != r)
            continue;
        if (region.parent != GRAZE_NONE)
            region.parent = used[into[region.parent]];
        if (region.partner != GRAZE_NONE)
            region.partner =
                into[region.partner] == region.partner ? used[region.partner] : GRAZE_NONE;
        regions->items[used[r]] = region;
    }
    if (room && regions->trunk != GRAZE_NONE)
        regions->trunk = used[regions->trunk];
    if (room)
        regions->count = kept;
    grazei_release(regions->allocator, into);
    grazei_release(regions->allocator, used);
    return room;
}

/* ---- all ------------------------------------------------------------------------------------ */

static double longest_side(const grazei_mesh *mesh, const float *positions)
{
    double longest = 0;
    for (uint32_t k = 0; k < 3; k++) {
        double low = 1e300, high = -1e300;
        for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
            double x = (double)positions[3 * (size_t)mesh->triangles[i] + k];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        longest = fmax(longest, high - low);
    }
    return longest;
}

/* Vertices that lie together where the body stands. */
static bool weld(grazei_regions *regions)
{
    regions->welds = grazei_weld_places(regions->positions, regions->model->mesh.vertex_count,
                                        regions->allocator);
    return regions->welds;
}

graze_status grazei_regions_make(grazei_regions *regions, const graze_model *model,
                                 const graze_part_names *joints, const graze_chain_def *def,
                                 graze_error *error)
{
    const float *positions = def->positions ? def->positions : grazei_mesh_rest(&model->mesh);
    *regions = (grazei_regions){.model = model,
                                .positions = positions,
                                .allocator = &model->allocator,
                                .trunk = GRAZE_NONE,
                                .height = longest_side(&model->mesh, positions)};
    regions->items = GRAZEI_ALLOCATE(regions->allocator, GRAZEI_MOST_REGIONS, grazei_region);
    regions->of_triangle =
        GRAZEI_ALLOCATE_ZERO(regions->allocator, model->mesh.triangle_count, uint32_t);
    if (!regions->items || !regions->of_triangle || !weld(regions))
        return grazei_fail_memory(error);
    if (!(regions->height > 0))
        return grazei_fail(error, GRAZE_BAD_INPUT, "no triangle of the model has an area");
    graze_status status;
    if (def->regions)
        status = take_given(regions, def, error);
    else if (model->mesh.joint_count > 1)
        status = grazei_regions_from_joints(regions, joints, error);
    else
        status = grazei_regions_from_shape(regions, error);
    if (!status)
        status = grazei_regions_orient(regions, error);
    if (!status && !merge(regions, def))
        status = grazei_fail_memory(error);
    return status;
}

void grazei_regions_release(grazei_regions *regions)
{
    grazei_release(regions->allocator, regions->items);
    grazei_release(regions->allocator, regions->of_triangle);
    grazei_release(regions->allocator, regions->welds);
}
