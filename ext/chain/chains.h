/* Sphere chains as those who run them see them. */
#ifndef GRAZEI_CHAIN_CHAINS_H
#define GRAZEI_CHAIN_CHAINS_H

#include "model/model.h"

#include <graze/ext/chain.h>

struct graze_chains {
    graze_allocator allocator;
    const graze_model *model;

    uint32_t region_count;
    char **region_names; /* each an allocation of its own */

    uint32_t sphere_count;
    graze_chain_sphere *spheres;

    uint32_t pivot_count, vertices_per_pivot;
    graze_chain_pivot *pivots;

    /* Triangles by owner: of sphere s, triangles[first_triangle[s] .. first_triangle[s + 1]). */
    uint32_t *triangle_spheres;
    uint32_t *first_triangle;
    uint32_t *triangles;

    uint32_t chain_count;
    uint32_t *chain_offsets;
    uint32_t *chain_spheres;

    graze_pair *checked, *all;
    uint32_t checked_count, all_count;

    /* Where rays met the skin when sphere s was fitted, 3 floats each: hits[3 * first_hit[s]] up to
     * hits[3 * first_hit[s + 1]]; NULL where spheres were given.
     */
    uint32_t *first_hit;
    float *hits;

    float *positions; /* where the body stood when spheres were found; NULL: at rest */
};

/* graze_chains_create_given where vertices lie together as in welds, one a vertex; NULL: as at
 * rest.
 */
graze_status grazei_chains_create(const graze_model *model, const graze_chains_given *given,
                                  const uint32_t *welds, graze_chains **chains, graze_error *error);

/* Fills checked and all; on failure the caller frees what is there. */
graze_status grazei_chains_compile(graze_chains *chains, const graze_chains_given *given,
                                   const uint32_t *welds, graze_error *error);

/* GRAZE_BAD_INPUT with the place of what is wrong. */
graze_status grazei_chains_check_given(const graze_model *model, const graze_chains_given *given,
                                       graze_error *error);

#endif
