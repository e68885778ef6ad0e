/* From regions to chains. */
#ifndef GRAZEI_CHAIN_CHAIN_MAKE_H
#define GRAZEI_CHAIN_CHAIN_MAKE_H

#include "chain/chains.h"
#include "chain/filling.h"

/* Chains on their way: seeds in their last order, and what graze_chains_create_given takes. */
typedef struct grazei_chain_maker {
    const graze_chain_def *def;
    const graze_allocator *allocator;
    grazei_regions regions;
    grazei_filling filling;
    uint32_t *owners; /* one a triangle: a seed */

    /* Regions as they are handed out: a trunk is one for each band. */
    char (*names)[GRAZEI_REGION_NAME + 16];
    const char **name_list;
    uint32_t *first_name; /* of each region; that of its band 0 for a trunk */
    uint32_t name_count;

    graze_chain_sphere *spheres;
    graze_chain_pivot *pivots;
    uint32_t pivot_count;
    uint32_t *chain_offsets;
    uint32_t *chain_spheres;
    size_t chain_sphere_count, chain_sphere_capacity, offset_capacity;
    uint32_t chain_count;
    graze_pair *also, *neighbours;
    size_t also_count, also_capacity, neighbour_count, neighbour_capacity;
} grazei_chain_maker;

/* Fills chain_offsets and chain_spheres: pairs of limbs and the trunk between them. */
graze_status grazei_make_chains(grazei_chain_maker *maker, graze_error *error);

/* Fills neighbours by how seeds follow each other. False when out of memory. */
bool grazei_make_neighbours(grazei_chain_maker *maker);

/* Fills spheres and pivots. */
graze_status grazei_make_spheres(grazei_chain_maker *maker, graze_error *error);

/* Seeds near the vertices that they own: gives each triangle the nearest seed of its region, moves
 * seeds to make F less, drops those that own nothing. False when out of memory.
 */
bool grazei_chain_settle(grazei_chain_maker *maker);

/* The region in names that a seed is of. */
uint32_t grazei_seed_name(const grazei_chain_maker *maker, const grazei_seed *seed);

#endif
