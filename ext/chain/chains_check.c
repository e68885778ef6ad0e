/* What can be wrong with spheres and chains that a caller gives. */
#include "base/status.h"
#include "chain/chains.h"

#include <math.h>

static graze_status check_arrays(const graze_model *model, const graze_chains_given *given,
                                 graze_error *error)
{
    const struct {
        const void *array;
        uint32_t count;
        const char *name;
    } arrays[] = {{given->region_names, given->region_count, "the region names"},
                  {given->spheres, given->sphere_count, "the spheres"},
                  {given->pivots, given->pivot_count, "the pivots"},
                  {given->triangle_spheres, model->mesh.triangle_count, "the spheres of triangles"},
                  {given->chain_offsets, given->chain_count, "the offsets of chains"},
                  {given->chain_spheres, given->chain_count, "the spheres of chains"},
                  {given->also, given->also_count, "the pairs to look at also"},
                  {given->neighbours, given->neighbour_count, "the neighbours"}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i].count && !arrays[i].array)
            return grazei_fail(error, GRAZE_BAD_INPUT, "%s are NULL", arrays[i].name);
    if (!given->region_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "there is no region");
    if (!given->sphere_count || given->sphere_count > GRAZE_MAX_CHAIN_SPHERES)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u spheres: expected 1 to %d",
                           given->sphere_count, GRAZE_MAX_CHAIN_SPHERES);
    if (given->vertices_per_pivot != 1 && given->vertices_per_pivot != 3)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u vertices a pivot: expected 1 or 3",
                           given->vertices_per_pivot);
    for (uint32_t r = 0; r < given->region_count; r++)
        if (!given->region_names[r])
            return grazei_fail(error, GRAZE_BAD_INPUT, "the name of region %u is NULL", r);
    return GRAZEI_CHECK_RESERVED(given, "what is given", error);
}

static graze_status check_pivots(const graze_model *model, const graze_chains_given *given,
                                 uint32_t s, graze_error *error)
{
    const graze_chain_sphere *sphere = &given->spheres[s];
    double sum = 0;
    if (!sphere->pivot_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "sphere %u has no pivot", s);
    if (sphere->first_pivot > given->pivot_count ||
        sphere->pivot_count > given->pivot_count - sphere->first_pivot)
        return grazei_fail(
            error, GRAZE_BAD_INPUT, "sphere %u has pivots %u to %llu of %u", s, sphere->first_pivot,
            (unsigned long long)sphere->first_pivot + sphere->pivot_count - 1, given->pivot_count);
    for (uint32_t i = 0; i < sphere->pivot_count; i++) {
        const graze_chain_pivot *pivot = &given->pivots[sphere->first_pivot + i];
        for (uint32_t k = 0; k < given->vertices_per_pivot; k++)
            if (pivot->vertices[k] >= model->mesh.vertex_count)
                return grazei_fail(error, GRAZE_BAD_INPUT,
                                   "sphere %u: pivot %u refers to vertex %u of %u", s, i,
                                   pivot->vertices[k], model->mesh.vertex_count);
        if (!isfinite(pivot->weight))
            return grazei_fail(error, GRAZE_BAD_INPUT, "sphere %u: the weight of pivot %u is %g", s,
                               i, (double)pivot->weight);
        sum += (double)pivot->weight;
    }
    if (!(fabs(sum - 1) <= 1e-4))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "sphere %u: the weights of its pivots sum to %.9g, not to 1", s, sum);
    return GRAZE_OK;
}

static graze_status check_sphere(const graze_model *model, const graze_chains_given *given,
                                 uint32_t s, graze_error *error)
{
    const graze_chain_sphere *sphere = &given->spheres[s];
    for (int k = 0; k < 3; k++)
        if (!(fabsf(sphere->centre[k]) < 1e15f))
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "sphere %u: coordinate %c of its centre is %g", s, "xyz"[k],
                               (double)sphere -> centre[k]);
    if (!(sphere->radius > 0 && sphere->radius < 1e15f))
        return grazei_fail(error, GRAZE_BAD_INPUT, "sphere %u: its radius is %g", s,
                           (double)sphere->radius);
    if (!(sphere->radius_factor > 0 && sphere->radius_factor < 1e15f))
        return grazei_fail(error, GRAZE_BAD_INPUT, "sphere %u: its radius factor is %g", s,
                           (double)sphere->radius_factor);
    if (sphere->region >= given->region_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "sphere %u is of region %u of %u", s,
                           sphere->region, given->region_count);
    return check_pivots(model, given, s, error);
}

static graze_status check_chain(const graze_chains_given *given, uint32_t c, graze_error *error)
{
    uint32_t first = given->chain_offsets[c], end = given->chain_offsets[c + 1];
    if (c == 0 && first != 0)
        return grazei_fail(error, GRAZE_BAD_INPUT, "chain 0 starts at %u, not at 0", first);
    if (end <= first)
        return grazei_fail(error, GRAZE_BAD_INPUT, "chain %u has no sphere", c);
    if (end - first > given->sphere_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "chain %u has %u spheres of %u", c, end - first,
                           given->sphere_count);
    for (uint32_t i = first; i < end; i++) {
        if (given->chain_spheres[i] >= given->sphere_count)
            return grazei_fail(error, GRAZE_BAD_INPUT, "chain %u names sphere %u of %u", c,
                               given->chain_spheres[i], given->sphere_count);
        for (uint32_t k = first; k < i; k++)
            if (given->chain_spheres[k] == given->chain_spheres[i])
                return grazei_fail(error, GRAZE_BAD_INPUT, "chain %u names sphere %u twice", c,
                                   given->chain_spheres[i]);
    }
    return GRAZE_OK;
}

static graze_status check_pairs(const graze_pair *pairs, uint32_t count, uint32_t spheres,
                                const char *kind, graze_error *error)
{
    for (uint32_t i = 0; i < count; i++)
        if (pairs[i].a >= spheres || pairs[i].b >= spheres || pairs[i].a == pairs[i].b)
            return grazei_fail(error, GRAZE_BAD_INPUT, "%s %u is of spheres %u and %u of %u", kind,
                               i, pairs[i].a, pairs[i].b, spheres);
    return GRAZE_OK;
}

graze_status grazei_chains_check_given(const graze_model *model, const graze_chains_given *given,
                                       graze_error *error)
{
    graze_status status = check_arrays(model, given, error);
    for (uint32_t s = 0; !status && s < given->sphere_count; s++)
        status = check_sphere(model, given, s, error);
    for (uint32_t t = 0; !status && t < model->mesh.triangle_count; t++)
        if (given->triangle_spheres[t] >= given->sphere_count)
            status = grazei_fail(error, GRAZE_BAD_INPUT, "triangle %u belongs to sphere %u of %u",
                                 t, given->triangle_spheres[t], given->sphere_count);
    for (uint32_t c = 0; !status && c < given->chain_count; c++)
        status = check_chain(given, c, error);
    if (!status)
        status = check_pairs(given->also, given->also_count, given->sphere_count,
                             "pair to look at also", error);
    if (!status)
        status = check_pairs(given->neighbours, given->neighbour_count, given->sphere_count,
                             "pair of neighbours", error);
    return status;
}
