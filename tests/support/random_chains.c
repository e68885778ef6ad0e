#include "support/random_chains.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_PIVOTS = 6, CHAINS = 4 };

static const char *const names[] = {"one", "other"};

static void *room(size_t count, size_t size)
{
    void *made = calloc(count + 1, size);
    if (!made)
        abort();
    return made;
}

static void fill_pivots(random_chains *c, const graze_model_def *def, test_random *random)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < c->given.sphere_count; s++) {
        graze_chain_sphere *sphere = &c->spheres[s];
        double weights[MAX_PIVOTS], sum = 0;
        sphere->first_pivot = count;
        sphere->pivot_count = s % 5 ? 4 : 1 + test_random_u32(random) % MAX_PIVOTS;
        for (uint32_t k = 0; k < sphere->pivot_count; k++)
            sum += weights[k] = test_random_range(random, 0.1, 1);
        for (uint32_t k = 0; k < sphere->pivot_count; k++) {
            graze_chain_pivot *pivot = &c->pivots[count++];
            for (int v = 0; v < 3; v++)
                pivot->vertices[v] = test_random_u32(random) % def->vertex_count;
            pivot->weight = (float)(weights[k] / sum);
        }
    }
    c->given.pivot_count = count;
}

static void fill_owners(random_chains *c, const graze_model_def *def)
{
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        double best = INFINITY;
        for (uint32_t s = 0; s < c->given.sphere_count; s++) {
            double square = 0;
            for (int k = 0; k < 3; k++) {
                double at = 0;
                for (int v = 0; v < 3; v++)
                    at += (double)def->positions[3 * (size_t)def->triangles[3 * (size_t)t + v] + k];
                at = at / 3 - (double)c->spheres[s].centre[k];
                square += at * at;
            }
            if (square < best) {
                best = square;
                c->owners[t] = s;
            }
        }
    }
}

static void fill_chains(random_chains *c, test_random *random)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CHAINS; i++) {
        uint32_t first = count;
        c->offsets[i] = count;
        for (uint32_t s = 0; s < c->given.sphere_count; s++)
            if (test_random_u32(random) % 2)
                c->members[count++] = s;
        if (count == first)
            c->members[count++] = 0;
    }
    c->offsets[CHAINS] = count;
}

random_chains random_chains_make(const graze_model *model, const graze_model_def *def,
                                 uint32_t spheres, uint32_t vertices_per_pivot, test_random *random)
{
    random_chains c = {.given = (graze_chains_given){0}};
    graze_error error = {.text = ""};
    c.spheres = room(spheres, sizeof *c.spheres);
    c.pivots = room((size_t)spheres * MAX_PIVOTS, sizeof *c.pivots);
    c.owners = room(def->triangle_count, sizeof *c.owners);
    c.offsets = room(CHAINS + 1, sizeof *c.offsets);
    c.members = room((size_t)spheres * CHAINS + CHAINS, sizeof *c.members);
    for (uint32_t s = 0; s < spheres; s++) {
        uint32_t v = test_random_u32(random) % def->vertex_count;
        for (int k = 0; k < 3; k++)
            c.spheres[s].centre[k] = def->positions[3 * (size_t)v + k];
        c.spheres[s].radius = (float)test_random_range(random, 0.01, 0.1);
        c.spheres[s].radius_factor = (float)test_random_range(random, 0.5, 2);
        c.spheres[s].region = s % 2;
    }
    c.given.region_names = names;
    c.given.region_count = 2;
    c.given.spheres = c.spheres;
    c.given.sphere_count = spheres;
    c.given.pivots = c.pivots;
    c.given.vertices_per_pivot = vertices_per_pivot;
    c.given.triangle_spheres = c.owners;
    c.given.chain_offsets = c.offsets;
    c.given.chain_spheres = c.members;
    c.given.chain_count = CHAINS;
    c.given.no_neighbour_rule = test_random_u32(random) % 2 == 0;
    fill_pivots(&c, def, random);
    fill_owners(&c, def);
    fill_chains(&c, random);
    CHECK_MSG(!graze_chains_create_given(model, &c.given, &c.chains, &error), "%s", error.text);
    if (!c.chains)
        abort();
    return c;
}

void random_chains_free(random_chains *c)
{
    graze_chains_destroy(c->chains);
    free(c->spheres);
    free(c->pivots);
    free(c->owners);
    free(c->offsets);
    free(c->members);
}
