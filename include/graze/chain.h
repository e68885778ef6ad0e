/* Sphere chains at rest, after Madera et al. 2017: a body is filled with a few dozen spheres, each
 * the owner of some triangles, and spheres are grouped into chains, each two limbs and the side of
 * the trunk between them. What is looked at in a pose are pairs of spheres of one chain.
 *
 *     graze_chains_create_given(model, &given, &chains, &error);
 *     pairs = graze_chains_checked(chains, &count);
 *
 * A sphere follows its pivots, points of the skin: its centre is the sum of weight x pivot, its
 * radius radius_factor x the mean distance of the pivots from that centre.
 *
 * Guarantee: approximate. A sphere says about where its triangles are, and may leave some of them
 * outside; every triangle belongs to exactly one sphere, so that a bound of them in a pose can take
 * the sphere's place.
 */
#ifndef GRAZE_CHAIN_H
#define GRAZE_CHAIN_H

#include <graze/part_tree.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Spheres, chains and pairs of a model. Immutable: any number of threads may share it. */
typedef struct graze_chains graze_chains;

#define GRAZE_MAX_CHAIN_SPHERES 4096

/* One sphere. */
typedef struct graze_chain_sphere {
    float centre[3], radius; /* at rest */
    uint32_t region;         /* part of the body that it fills */
    uint32_t first_pivot, pivot_count;
    float radius_factor; /* posed radius = factor x mean distance of pivots to the posed centre */
} graze_chain_sphere;

/* A point of the skin that a sphere follows: a vertex, or the centroid of a triangle. */
typedef struct graze_chain_pivot {
    uint32_t vertices[3]; /* only the first counts where vertices_per_pivot is 1 */
    float weight;         /* in the centre; those of a sphere sum to 1 */
} graze_chain_pivot;

/* Two spheres, a < b in all lists that are handed out. */
typedef struct graze_chain_pair {
    uint32_t a, b;
} graze_chain_pair;

/* Spheres, pivots, owners and chains as the caller has them. Start from
 * graze_default_chains_given().
 */
typedef struct graze_chains_given {
    const char *const *region_names; /* none is NULL */
    uint32_t region_count;           /* at least 1 */

    const graze_chain_sphere *spheres;
    uint32_t sphere_count; /* 1 to GRAZE_MAX_CHAIN_SPHERES */

    const graze_chain_pivot *pivots;
    uint32_t pivot_count;
    uint32_t vertices_per_pivot; /* 1 or 3 */

    const uint32_t *triangle_spheres; /* which sphere owns each triangle of the model */

    /* Chain i: chain_spheres[chain_offsets[i]] up to but not including
     * chain_spheres[chain_offsets[i + 1]]; chain_count + 1 offsets, ascending, from 0.
     */
    const uint32_t *chain_offsets;
    const uint32_t *chain_spheres;
    uint32_t chain_count;

    /* Pairs that are looked at although no chain has both. */
    const graze_chain_pair *also;
    uint32_t also_count;

    /* Pairs that are never looked at, besides those that the rule below finds. */
    const graze_chain_pair *neighbours;
    uint32_t neighbour_count;

    /* Spheres are neighbours if their triangles share a place at rest, or if they overlap or touch
     * at rest; and those that are so many steps from neighbour to neighbour apart. 0: only the
     * pairs that are given.
     */
    uint32_t neighbour_steps;
} graze_chains_given;

/* One vertex a pivot, one step, all else zero. */
GRAZE_EXPERIMENTAL graze_chains_given graze_default_chains_given(void);

/* Takes over spheres and chains, and compiles the pairs to look at: those of the chains and those
 * in `also`, ascending, each once, without neighbours. Takes memory from the model's allocator. The
 * object holds the model: see graze_model_destroy.
 *
 * Each below is GRAZE_BAD_INPUT where it does not hold, with a text that names the place:
 *   - Centres are finite and below 1e15 in magnitude; radii and factors are finite and above 0.
 *   - A sphere has pivots, all in range, whose weights are finite and sum to 1 (to 1e-4).
 *   - Regions, vertices, spheres of triangles, chains and pairs are in range.
 *   - A chain has a sphere, and none twice. A pair is of two spheres.
 *
 *   - model, given and chains are not NULL; *chains is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_chains_create_given(const graze_model *model,
                                                          const graze_chains_given *given,
                                                          graze_chains **chains,
                                                          graze_error *error);

/* Frees the chains. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_chains_destroy(graze_chains *chains);

/* The model that the spheres are of. */
GRAZE_EXPERIMENTAL const graze_model *graze_chains_model(const graze_chains *chains);

/* How many spheres, regions and chains there are; 1 or 3 vertices a pivot. */
GRAZE_EXPERIMENTAL uint32_t graze_chains_sphere_count(const graze_chains *chains);
GRAZE_EXPERIMENTAL uint32_t graze_chains_region_count(const graze_chains *chains);
GRAZE_EXPERIMENTAL uint32_t graze_chains_chain_count(const graze_chains *chains);
GRAZE_EXPERIMENTAL uint32_t graze_chains_vertices_per_pivot(const graze_chains *chains);

/* One sphere.
 *   - The index is in range, else all of it is 0.
 */
GRAZE_EXPERIMENTAL graze_chain_sphere graze_chains_sphere(const graze_chains *chains,
                                                          uint32_t sphere);

/* The name of a region, which lives as long as the chains do.
 *   - The index is in range, else NULL.
 */
GRAZE_EXPERIMENTAL const char *graze_chains_region_name(const graze_chains *chains,
                                                        uint32_t region);

/* Lists that live as long as the chains do; *count becomes their length.
 *   - count is not NULL, and an index is in range, else NULL, and *count, where there is one, is 0.
 *     A list without entries may be NULL, too.
 */

/* All pivots: those of a sphere are pivot_count of them from its first_pivot on. */
GRAZE_EXPERIMENTAL const graze_chain_pivot *graze_chains_pivots(const graze_chains *chains,
                                                                uint32_t *count);

/* The triangles that a sphere owns, ascending. */
GRAZE_EXPERIMENTAL const uint32_t *graze_chains_triangles(const graze_chains *chains,
                                                          uint32_t sphere, uint32_t *count);

/* The spheres of a chain, in the order in which they were given. */
GRAZE_EXPERIMENTAL const uint32_t *graze_chains_chain(const graze_chains *chains, uint32_t chain,
                                                      uint32_t *count);

/* The pairs that are looked at, ascending, each once, without neighbours; and all pairs of spheres
 * but neighbours, of which these are some.
 */
GRAZE_EXPERIMENTAL const graze_chain_pair *graze_chains_checked(const graze_chains *chains,
                                                                uint32_t *count);
GRAZE_EXPERIMENTAL const graze_chain_pair *graze_chains_all_pairs(const graze_chains *chains,
                                                                  uint32_t *count);

/* The sphere that owns a triangle.
 *   - The index is in range, else the answer is 0.
 */
GRAZE_EXPERIMENTAL uint32_t graze_chains_triangle_sphere(const graze_chains *chains,
                                                         uint32_t triangle);

/* Tests as the paper counts them, duplicates, neighbours and all: n spheres are n x n tests. */
typedef struct graze_chain_tests {
    uint64_t chains; /* sum over the chains */
    uint64_t all;    /* without chains */
} graze_chain_tests;

GRAZE_EXPERIMENTAL graze_chain_tests graze_chains_paper_tests(const graze_chains *chains);

#ifdef __cplusplus
}
#endif

#endif
