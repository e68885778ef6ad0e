/* Sphere chains at rest, after Madera et al. 2017: a body is filled with a few dozen spheres, each
 * the owner of some triangles, and spheres are grouped into chains, each two limbs and the side of
 * the trunk between them. What is looked at in a pose are pairs of spheres of one chain.
 *
 *     graze_rig_parts(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &joints, &error);
 *     graze_chain_def def = graze_default_chain_def();
 *     graze_chains_create(model, joints, &def, &chains, &error);
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

/* ---- finding spheres ------------------------------------------------------------------------ */

typedef enum graze_region_kind {
    GRAZE_REGION_TRUNK = 0, /* filled level by level, by the disk of rays */
    GRAZE_REGION_TUBE = 1   /* filled one sphere behind the other */
} graze_region_kind;

/* A region of a description: a human is a trunk and four tubes, a snake one tube, a spider a trunk
 * and eight.
 */
typedef struct graze_region_def {
    const char *name;
    graze_region_kind kind;
    uint32_t parent; /* region that it is attached to, or GRAZE_NO_PART */
} graze_region_def;

/* Two regions by name. */
typedef struct graze_region_names {
    const char *a, *b;
} graze_region_names;

/* Which spheres are compared with the skin. */
typedef enum graze_chain_fit {
    GRAZE_FIT_OURS = 0,
    GRAZE_FIT_LEAST_SQUARES = 1, /* least sum of (r - |c - v|)^2 over the sphere's own vertices */
    GRAZE_FIT_BALL = 2           /* the smallest ball around them (Welzl 1991) */
} graze_chain_fit;

/* How chains are made. Start from graze_default_chain_def(). */
typedef struct graze_chain_def {
    float step;                 /* of disk and circumference, in units of the model; 0: a seventieth
                                   of the body's height */
    uint32_t rays;              /* of the disk, 8 to 1024 */
    uint32_t spheres_per_level; /* of a trunk, 1 to 8 */
    float overlap;              /* 0 to 0.9, wanted of neighbours: 1 - distance / (r1 + r2) */
    uint32_t pivots;            /* a sphere, 4 to 16 */
    bool paper_pivots; /* the paper's update: pivots are triangles, each of the same weight,
                          and the radius is their mean distance. Does not give back the
                          sphere at rest */

    /* Where the body stands while spheres are found, 3 floats a vertex; NULL: at rest. For models
     * whose rest positions are no body, as where each mesh is in its own joint's space. "At rest"
     * then means there, for all that is said here.
     */
    const float *positions;

    /* Which ends are regions of their own; else they belong to what they hang from. */
    bool head, hands, feet, fingers; /* fingers need hands */

    /* Regions that are given: one trunk at most, which all else hangs from in the end; or a single
     * tube. NULL: found from the skin's weights if the model has several joints, else from its
     * shape.
     */
    const graze_region_def *regions;
    uint32_t region_count;            /* up to 1024 */
    const uint32_t *triangle_regions; /* one a triangle; or NULL, and: */
    const uint32_t *joint_regions;    /* one a joint, which its skin is of */

    /* Pairs of regions that are looked at besides those of chains. */
    const graze_region_names *also;
    uint32_t also_count;

    uint32_t neighbour_steps; /* as in graze_chains_given */
} graze_chain_def;

/* The paper's numbers: 80 rays, 2 spheres a level, an overlap of 0.3, 4 pivots. The head is a
 * region of its own, hands, feet and fingers are not.
 */
GRAZE_EXPERIMENTAL graze_chain_def graze_default_chain_def(void);

/* Finds regions, spheres, pivots and chains (docs/chains.md says how). Takes some 20 microseconds a
 * triangle, and memory from the model's allocator. The object holds the model.
 *
 * By weights: any skinned body, closed or not, in one piece or many. Limbs are found by the nesting
 * of joints and where their skin is; names only help with left and right, and with what limbs are
 * called. A body without limbs is one tube, and one chain.
 *
 * By shape: a standing body that is closed and in one piece, else GRAZE_BAD_INPUT says what it is
 * not. One without limbs is one tube.
 *
 * joints: names and nesting of the model's joints, as graze_rig_parts gives them; may be NULL, then
 * nesting is guessed from the weights.
 *
 *   - joints has as many parts as the model has joints, else GRAZE_BAD_INPUT.
 *   - What the def says of its members holds, else GRAZE_BAD_INPUT names the member.
 *   - model, def and chains are not NULL; *chains is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_chains_create(const graze_model *model,
                                                    const graze_parts *joints,
                                                    const graze_chain_def *def,
                                                    graze_chains **chains, graze_error *error);

/* How far a sphere is from the skin it stands for: F = |r - |c - v||, in units of the model. */
typedef struct graze_chain_misfit {
    double mean, max;
    uint32_t count; /* of points */
} graze_chain_misfit;

/* F over the vertices of a region's triangles, each against the spheres that own them, and over the
 * points where rays met the skin when the spheres were found (none where spheres were given), for
 * ours and for others of the same vertices. Takes memory for the time of the call.
 *   - region is one, or GRAZE_NO_PART: all of them.
 *   - chains is not NULL; vertices or hits may be NULL.
 */
GRAZE_EXPERIMENTAL graze_status graze_chains_misfit(const graze_chains *chains, uint32_t region,
                                                    graze_chain_fit fit,
                                                    graze_chain_misfit *vertices,
                                                    graze_chain_misfit *hits, graze_error *error);

/* ---- looking up ----------------------------------------------------------------------------- */

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
