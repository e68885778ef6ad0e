/* Sphere chains, Madera et al. 2017: taking them over, and looking them up. */
#include "chain/chains.h"
#include "base/memory.h"
#include "base/status.h"
#include "math/rounding.h"
#include "mesh/weld.h"

#include <string.h>

/* ---- life ----------------------------------------------------------------------------------- */

static void *copy(const graze_allocator *allocator, const void *items, size_t count, size_t size)
{
    void *made = grazei_allocate(allocator, count, size);
    if (made && count)
        memcpy(made, items, count * size);
    return made;
}

static bool copy_names(graze_chains *chains, const graze_chains_given *given)
{
    chains->region_names = GRAZEI_ALLOCATE_ZERO(&chains->allocator, given->region_count, char *);
    if (!chains->region_names)
        return false;
    chains->region_count = given->region_count;
    for (uint32_t r = 0; r < given->region_count; r++) {
        chains->region_names[r] =
            copy(&chains->allocator, given->region_names[r], strlen(given->region_names[r]) + 1, 1);
        if (!chains->region_names[r])
            return false;
    }
    return true;
}

static bool copy_arrays(graze_chains *chains, const graze_chains_given *given)
{
    const graze_allocator *a = &chains->allocator;
    uint32_t none = 0;
    const uint32_t *offsets = given->chain_count ? given->chain_offsets : &none;
    chains->sphere_count = given->sphere_count;
    chains->pivot_count = given->pivot_count;
    chains->vertices_per_pivot = given->vertices_per_pivot;
    chains->chain_count = given->chain_count;
    chains->spheres = copy(a, given->spheres, given->sphere_count, sizeof *given->spheres);
    chains->pivots = copy(a, given->pivots, given->pivot_count, sizeof *given->pivots);
    chains->triangle_spheres = copy(a, given->triangle_spheres, chains->model->mesh.triangle_count,
                                    sizeof *given->triangle_spheres);
    chains->chain_offsets = copy(a, offsets, (size_t)given->chain_count + 1, sizeof *offsets);
    chains->chain_spheres =
        copy(a, given->chain_spheres, offsets[given->chain_count], sizeof *given->chain_spheres);
    return chains->spheres && chains->pivots && chains->triangle_spheres && chains->chain_offsets &&
           chains->chain_spheres;
}

static bool list_triangles(graze_chains *chains)
{
    uint32_t count = chains->model->mesh.triangle_count, *owners = chains->triangle_spheres;
    uint32_t *first =
        GRAZEI_ALLOCATE_ZERO(&chains->allocator, (size_t)chains->sphere_count + 1, uint32_t);
    chains->first_triangle = first;
    chains->triangles = GRAZEI_ALLOCATE(&chains->allocator, count, uint32_t);
    if (!first || !chains->triangles)
        return false;
    for (uint32_t t = 0; t < count; t++)
        first[owners[t] + 1]++;
    for (uint32_t s = 0; s < chains->sphere_count; s++)
        first[s + 1] += first[s];
    for (uint32_t t = count; t-- > 0;)
        chains->triangles[--first[owners[t] + 1]] = t;
    for (uint32_t s = 0; s < chains->sphere_count; s++)
        first[s] = first[s + 1];
    first[chains->sphere_count] = count;
    return true;
}

graze_status graze_chains_create_given(const graze_model *model, const graze_chains_given *given,
                                       graze_chains **chains, graze_error *error)
{
    return grazei_chains_create(model, given, NULL, chains, error);
}

graze_status grazei_chains_create(const graze_model *model, const graze_chains_given *given,
                                  const uint32_t *welds, graze_chains **chains, graze_error *error)
{
    graze_status status = grazei_check_pointer(model, "the model", error);
    if (!status)
        status = grazei_check_pointer(given, "what is given", error);
    if (!status)
        status = grazei_check_pointer(chains, "where the chains go", error);
    if (!status)
        status = grazei_check_rounding(error);
    graze_chains_given filled = {0};
    if (!status) {
        filled = *given;
        filled.vertices_per_pivot = given->vertices_per_pivot ? given->vertices_per_pivot : 1;
        filled.neighbour_steps = given->neighbour_steps ? given->neighbour_steps : 1;
        given = &filled;
        status = grazei_chains_check_given(model, given, error);
    }
    if (status)
        return status;
    graze_chains *made = GRAZEI_ALLOCATE_ZERO(&model->allocator, 1, graze_chains);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = model->allocator;
    made->model = grazei_model_hold(model);
    const grazei_mesh *mesh = &model->mesh;
    uint32_t *own =
        welds ? NULL
              : grazei_weld_places(grazei_mesh_rest(mesh), mesh->vertex_count, &made->allocator);
    if ((welds || own) && copy_names(made, given) && copy_arrays(made, given) &&
        list_triangles(made))
        status = grazei_chains_compile(made, given, welds ? welds : own, error);
    else
        status = grazei_fail_memory(error);
    grazei_release(&made->allocator, own);
    if (status)
        graze_chains_destroy(made);
    else
        *chains = made;
    return status;
}

void graze_chains_destroy(graze_chains *chains)
{
    if (!chains)
        return;
    graze_allocator allocator = chains->allocator;
    const graze_model *model = chains->model;
    for (uint32_t r = 0; r < chains->region_count; r++)
        grazei_release(&allocator, chains->region_names[r]);
    void *const all[] = {chains->region_names,   chains->spheres,
                         chains->pivots,         chains->triangle_spheres,
                         chains->first_triangle, chains->triangles,
                         chains->chain_offsets,  chains->chain_spheres,
                         chains->checked,        chains->all,
                         chains->first_hit,      chains->positions,
                         chains->hits,           chains};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(&allocator, all[i]);
    grazei_model_let_go(model);
}

/* ---- looking up ----------------------------------------------------------------------------- */

graze_chains_info graze_chains_get_info(const graze_chains *chains)
{
    graze_chains_info info = {.model = NULL};
    if (!chains)
        return info;
    info.model = chains->model;
    info.sphere_count = chains->sphere_count;
    info.region_count = chains->region_count;
    info.chain_count = chains->chain_count;
    info.vertices_per_pivot = chains->vertices_per_pivot;
    info.paper_all_tests = (uint64_t)chains->sphere_count * chains->sphere_count;
    for (uint32_t c = 0; c < chains->chain_count; c++) {
        uint64_t n = chains->chain_offsets[c + 1] - chains->chain_offsets[c];
        info.paper_chain_tests += n * n;
    }
    return info;
}

graze_chain_sphere graze_chains_sphere(const graze_chains *chains, uint32_t index)
{
    graze_chain_sphere none = {.radius = 0};
    return chains && index < chains->sphere_count ? chains->spheres[index] : none;
}

const char *graze_chains_region_name(const graze_chains *chains, uint32_t region)
{
    return chains && region < chains->region_count ? chains->region_names[region] : NULL;
}

const graze_chain_pivot *graze_chains_pivots(const graze_chains *chains, uint32_t *count)
{
    if (count)
        *count = chains ? chains->pivot_count : 0;
    return chains && count ? chains->pivots : NULL;
}

const uint32_t *graze_chains_triangles(const graze_chains *chains, uint32_t sphere, uint32_t *count)
{
    bool is_there = chains && sphere < chains->sphere_count;
    if (count)
        *count = is_there ? chains->first_triangle[sphere + 1] - chains->first_triangle[sphere] : 0;
    return is_there && count ? chains->triangles + chains->first_triangle[sphere] : NULL;
}

const uint32_t *graze_chains_chain(const graze_chains *chains, uint32_t chain, uint32_t *count)
{
    bool is_there = chains && chain < chains->chain_count;
    if (count)
        *count = is_there ? chains->chain_offsets[chain + 1] - chains->chain_offsets[chain] : 0;
    return is_there && count ? chains->chain_spheres + chains->chain_offsets[chain] : NULL;
}

const graze_pair *graze_chains_pairs(const graze_chains *chains, graze_chain_pairs_of which,
                                     uint32_t *count)
{
    bool is_there = chains && (which == GRAZE_CHAIN_PAIRS || which == GRAZE_ALL_PAIRS);
    bool all = which == GRAZE_ALL_PAIRS;
    if (count)
        *count = is_there ? all ? chains->all_count : chains->checked_count : 0;
    return is_there && count ? all ? chains->all : chains->checked : NULL;
}

uint32_t graze_chains_triangle_sphere(const graze_chains *chains, uint32_t triangle)
{
    bool is_there = chains && triangle < chains->model->mesh.triangle_count;
    return is_there ? chains->triangle_spheres[triangle] : 0;
}
