/* Chains of a model: regions, spheres in them, pivots, chains (Madera et al. 2017). */
#include "chain/chain_make.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "math/rounding.h"
#include "math/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5 };

/* The def, or all zero, with the numbers that zeros stand for. */
static graze_chain_def filled(const graze_chain_def *given)
{
    graze_chain_def def = given ? *given : (graze_chain_def){0};
    def.rays = def.rays ? def.rays : 80;
    def.spheres_per_level = def.spheres_per_level ? def.spheres_per_level : 2;
    def.overlap = def.overlap != 0 ? def.overlap : 0.3f;
    def.pivots = def.pivots ? def.pivots : 4;
    return def;
}

static graze_status check_def(const graze_model *model, const graze_part_names *joints,
                              const graze_chain_def *def, graze_error *error)
{
    if (!(def->step >= 0 && def->step < 1e15f))
        return grazei_fail(error, GRAZE_BAD_INPUT, "the step is %g", (double)def->step);
    if (def->rays < 8 || def->rays > 1024)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u rays: expected 8 to 1024", def->rays);
    if (def->spheres_per_level < 1 || def->spheres_per_level > 8)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u spheres a level: expected 1 to 8",
                           def->spheres_per_level);
    if (!(def->overlap >= 0 && def->overlap <= 0.9f))
        return grazei_fail(error, GRAZE_BAD_INPUT, "an overlap of %g: expected 0 to 0.9",
                           (double)def->overlap);
    if (def->pivots < 4 || def->pivots > 16)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u pivots: expected 4 to 16", def->pivots);
    if (def->fingers && !def->hands)
        return grazei_fail(error, GRAZE_BAD_INPUT, "fingers are regions only where hands are");
    if (def->also_count && !def->also)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the regions to look at also are NULL");
    for (size_t i = 0; def->positions && i < 3 * (size_t)model->mesh.vertex_count; i++)
        if (!(fabsf(def->positions[i]) < 1e15f))
            return grazei_fail(error, GRAZE_BAD_INPUT, "the position of vertex %zu has %g in it",
                               i / 3, (double)def->positions[i]);
    if (joints && graze_part_count(joints) != model->mesh.joint_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%u names of joints, and %u joints in the model",
                           graze_part_count(joints), model->mesh.joint_count);
    return GRAZEI_CHECK_RESERVED(def, "the def", error);
}

/* ---- regions as they are handed out ---------------------------------------------------------- */

uint32_t grazei_seed_name(const grazei_chain_maker *m, const grazei_seed *seed)
{
    uint32_t first = m->first_name[seed->region];
    return seed->region == m->regions.trunk ? first + seed->band : first;
}

static void name_band(const grazei_chain_maker *m, uint32_t band, char *name, size_t room)
{
    const char *trunk = m->regions.items[m->regions.trunk].name;
    uint32_t bands = m->def->spheres_per_level;
    static const char *const two[] = {".L", ".R"}, *const three[] = {".L", ".M", ".R"};
    if (bands == 1)
        snprintf(name, room, "%s", trunk);
    else if (bands <= 3)
        snprintf(name, room, "%s%s", trunk, bands == 2 ? two[band] : three[band]);
    else
        snprintf(name, room, "%s.%u", trunk, band + 1);
}

static bool make_names(grazei_chain_maker *m)
{
    uint32_t bands = m->def->spheres_per_level, count = m->regions.count + bands;
    m->names = grazei_allocate(m->allocator, count, sizeof *m->names);
    m->name_list = grazei_allocate(m->allocator, count, sizeof *m->name_list);
    m->first_name = GRAZEI_ALLOCATE(m->allocator, count, uint32_t);
    if (!m->names || !m->name_list || !m->first_name)
        return false;
    for (uint32_t r = 0; r < m->regions.count; r++) {
        bool is_trunk = r == m->regions.trunk;
        m->first_name[r] = m->name_count;
        for (uint32_t b = 0; b < (is_trunk ? bands : 1); b++) {
            char *name = m->names[m->name_count];
            if (is_trunk)
                name_band(m, b, name, sizeof *m->names);
            else
                snprintf(name, sizeof *m->names, "%s", m->regions.items[r].name);
            GRAZE_ASSERT(m->name_count < count);
            m->name_list[m->name_count++] = name;
        }
    }
    return true;
}

/* Whether a sphere's region is meant by a name: its own, or that of the whole trunk. */
static bool is_meant(const grazei_chain_maker *m, const grazei_seed *seed, const char *name)
{
    return strcmp(m->names[grazei_seed_name(m, seed)], name) == 0 ||
           strcmp(m->regions.items[seed->region].name, name) == 0;
}

static graze_status add_also(grazei_chain_maker *m, const graze_region_names *names,
                             graze_error *error)
{
    uint32_t count = (uint32_t)m->filling.count;
    const char *const both[2] = {names->a, names->b};
    for (int side = 0; side < 2; side++) {
        bool found = false;
        for (uint32_t i = 0; both[side] && i < count; i++)
            found = found || is_meant(m, &m->filling.seeds[i], both[side]);
        if (!found)
            return grazei_fail(error, GRAZE_BAD_INPUT, "there is no region %.60s to look at also",
                               both[side] ? both[side] : "NULL");
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++) {
            if (i == k || !is_meant(m, &m->filling.seeds[i], names->a) ||
                !is_meant(m, &m->filling.seeds[k], names->b))
                continue;
            graze_pair *grown = grazei_grow(m->allocator, m->also, &m->also_capacity,
                                            m->also_count + 1, sizeof *grown);
            if (!grown)
                return grazei_fail_memory(error);
            m->also = grown;
            m->also[m->also_count++] = (graze_pair){.a = i, .b = k};
        }
    return GRAZE_OK;
}

/* ---- filling -------------------------------------------------------------------------------- */

/* By region; in a trunk from row to row and left to right, in a tube away from where it hangs. */
static int compare_seeds(const void *a, const void *b)
{
    const grazei_seed *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return x->band < y->band ? -1 : x->band > y->band;
}

/* How much spheres that follow each other in a region overlap, on average; wanted if there are
 * none.
 */
static double mean_overlap(const grazei_filling *filling, uint32_t region, double wanted)
{
    double sum = 0;
    uint32_t pairs = 0;
    for (size_t i = 0; i < filling->count; i++) {
        const grazei_seed *seed = &filling->seeds[i];
        for (size_t k = i + 1; k < filling->count && seed->region == region; k++)
            if (filling->seeds[k].region == region && filling->seeds[k].band == seed->band) {
                sum += grazei_overlap(&seed->ball, &filling->seeds[k].ball);
                pairs++;
                break;
            }
    }
    return pairs ? sum / pairs : wanted;
}

static bool fill_once(grazei_chain_maker *m, const double *wanted)
{
    grazei_filling *filling = &m->filling;
    filling->count = filling->hit_count = 0;
    for (uint32_t r = 0; r < m->regions.count; r++) {
        filling->wanted = wanted[r];
        if (!(r == m->regions.trunk ? grazei_fill_trunk(filling) : grazei_fill_tube(filling, r)))
            return false;
    }
    qsort(filling->seeds, filling->count, sizeof *filling->seeds, compare_seeds);
    return grazei_chain_settle(m);
}

/* Spheres grow when they settle, so they are left farther apart until they overlap as wanted. */
static bool fill(grazei_chain_maker *m)
{
    grazei_filling *filling = &m->filling;
    double overlap = (double)m->def->overlap;
    double *wanted = GRAZEI_ALLOCATE(m->allocator, m->regions.count, double);
    bool room = wanted != NULL, done = false;
    filling->regions = &m->regions;
    filling->def = m->def;
    filling->allocator = m->allocator;
    filling->step = m->def->step > 0 ? (double)m->def->step : m->regions.height / 70;
    filling->trunk_high = 1;
    for (uint32_t r = 0; room && r < m->regions.count; r++)
        wanted[r] = overlap;
    for (int round = 0; room && !done && round < ROUNDS; round++) {
        room = fill_once(m, wanted);
        done = true;
        for (uint32_t r = 0; room && r < m->regions.count; r++) {
            double off = mean_overlap(filling, r, overlap) - overlap;
            done = done && fabs(off) < 0.03;
            wanted[r] = fmax(wanted[r] - 0.8 * off, overlap - 0.4);
        }
    }
    grazei_release(m->allocator, wanted);
    return room;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Keeps where rays met the skin, and where that was. */
static bool keep_hits(const grazei_chain_maker *m, graze_chains *chains)
{
    uint32_t count = 0;
    if (m->def->positions) {
        size_t numbers = 3 * (size_t)chains->model->mesh.vertex_count;
        chains->positions = GRAZEI_ALLOCATE(&chains->allocator, numbers, float);
        if (!chains->positions)
            return false;
        memcpy(chains->positions, m->def->positions, numbers * sizeof *chains->positions);
    }
    chains->first_hit =
        GRAZEI_ALLOCATE(&chains->allocator, (size_t)chains->sphere_count + 1, uint32_t);
    chains->hits = GRAZEI_ALLOCATE(&chains->allocator, 3 * m->filling.hit_count, float);
    if (!chains->first_hit || !chains->hits)
        return false;
    for (uint32_t s = 0; s < chains->sphere_count; s++) {
        const grazei_seed *seed = &m->filling.seeds[s];
        chains->first_hit[s] = count;
        for (uint32_t i = 0; i < seed->hit_count; i++, count++)
            for (uint32_t k = 0; k < 3; k++)
                chains->hits[3 * (size_t)count + k] =
                    (float)m->filling.hits[seed->first_hit + i][k];
    }
    GRAZE_ASSERT(count <= m->filling.hit_count);
    chains->first_hit[chains->sphere_count] = count;
    return true;
}

static graze_status hand_over(grazei_chain_maker *m, graze_chains **chains, graze_error *error)
{
    graze_chains_given given = {0};
    graze_chains *made = NULL;
    given.region_names = m->name_list;
    given.region_count = m->name_count;
    given.spheres = m->spheres;
    given.sphere_count = (uint32_t)m->filling.count;
    given.pivots = m->pivots;
    given.pivot_count = m->pivot_count;
    given.vertices_per_pivot = m->def->paper_pivots ? 3 : 1;
    given.triangle_spheres = m->owners;
    given.chain_offsets = m->chain_offsets;
    given.chain_spheres = m->chain_spheres;
    given.chain_count = m->chain_count;
    given.also = m->also;
    given.also_count = (uint32_t)m->also_count;
    given.neighbours = m->neighbours;
    given.neighbour_count = m->def->no_neighbour_rule ? 0 : (uint32_t)m->neighbour_count;
    given.neighbour_steps = m->def->neighbour_steps;
    given.no_neighbour_rule = m->def->no_neighbour_rule;
    graze_status status =
        grazei_chains_create(m->regions.model, &given, m->regions.welds, &made, error);
    if (!status && !keep_hits(m, made)) {
        graze_chains_destroy(made);
        status = grazei_fail_memory(error);
    }
    if (!status)
        *chains = made;
    return status;
}

static graze_status make(grazei_chain_maker *m, const graze_model *model,
                         const graze_part_names *joints, graze_chains **chains, graze_error *error)
{
    graze_status status = grazei_regions_make(&m->regions, model, joints, m->def, error);
    if (!status && m->def->step > 0 && (double)m->def->step < 1e-4 * m->regions.height)
        status = grazei_fail(error, GRAZE_BAD_INPUT,
                             "the step is %g, less than a ten-thousandth of the height, %g",
                             (double)m->def->step, m->regions.height);
    if (status)
        return status;
    m->owners = GRAZEI_ALLOCATE_ZERO(m->allocator, model->mesh.triangle_count, uint32_t);
    if (!m->owners || !make_names(m) || !fill(m))
        return grazei_fail_memory(error);
    status = grazei_make_spheres(m, error);
    if (!status)
        status = grazei_make_chains(m, error);
    if (!status && !grazei_make_neighbours(m))
        status = grazei_fail_memory(error);
    for (uint32_t i = 0; !status && i < m->def->also_count; i++)
        status = add_also(m, &m->def->also[i], error);
    return status ? status : hand_over(m, chains, error);
}

static void release(grazei_chain_maker *m)
{
    void *const all[] = {m->filling.seeds, m->filling.hits, m->owners,        m->names,
                         m->name_list,     m->first_name,   m->spheres,       m->pivots,
                         m->chain_offsets, m->also,         m->chain_spheres, m->neighbours};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(m->allocator, all[i]);
    grazei_regions_release(&m->regions);
}

graze_status graze_chains_create(const graze_model *model, const graze_part_names *joints,
                                 const graze_chain_def *def, graze_chains **chains,
                                 graze_error *error)
{
    const graze_chain_def used = filled(def);
    graze_status status = grazei_check_pointer(model, "the model", error);
    if (!status)
        status = grazei_check_pointer(chains, "where the chains go", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (!status)
        status = check_def(model, joints, &used, error);
    if (status)
        return status;
    grazei_chain_maker m = {.def = &used, .allocator = &model->allocator};
    status = make(&m, model, joints, chains, error);
    release(&m);
    return status;
}
