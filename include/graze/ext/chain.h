/* Sphere chains, after Madera et al. 2017: a body is filled with a few dozen spheres, each the
 * owner of some triangles. A chain is a list of spheres that may meet each other: two limbs and the
 * side of the trunk between them. Only pairs of spheres of one chain are tested in a pose.
 *
 *     graze_chain_def def = {0};
 *     graze_chains_create(model, joint_names, &def, &chains, &error);        once
 *     graze_chain_tracker_create(chains, NULL, &tracker, &error);            once (chain_pose.h)
 *
 * A sphere follows its pivots, points of the skin: its centre is the weighted sum of the pivots,
 * its radius radius_factor x their mean distance from that centre. Every triangle has one sphere.
 *
 * Guarantee: approximate. A sphere shows about where its triangles are and may leave some outside.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_CHAIN_H
#define GRAZE_EXT_CHAIN_H

#include <graze/ext/parts.h>
#include <graze/pairs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Spheres, chains and pairs of a model. Never changes: any number of threads may share it. */
typedef struct graze_chains graze_chains;

#define GRAZE_MAX_CHAIN_SPHERES 4096

typedef struct graze_chain_sphere {
    float centre[3], radius; /* at rest */
    uint32_t region;         /* region of the body that it fills */
    uint32_t first_pivot, pivot_count;
    float radius_factor; /* posed radius / mean distance of the pivots from the posed centre */
} graze_chain_sphere;

/* A point of the skin that a sphere follows: a vertex, or the centroid of a triangle. */
typedef struct graze_chain_pivot {
    uint32_t vertices[3]; /* only the first counts if vertices_per_pivot is 1 */
    float weight;         /* in the centre; those of a sphere sum to 1 */
} graze_chain_pivot;

/* ---- spheres that the caller has ------------------------------------------------------------ */

typedef struct graze_chains_given {
    const char *const *region_names; /* none is NULL */
    uint32_t region_count;           /* at least 1 */

    const graze_chain_sphere *spheres;
    uint32_t sphere_count; /* 1 to GRAZE_MAX_CHAIN_SPHERES */

    const graze_chain_pivot *pivots;
    uint32_t pivot_count;
    uint32_t vertices_per_pivot; /* 1 or 3; 0: 1 */

    const uint32_t *triangle_spheres; /* the sphere of each triangle of the model */

    /* Chain i has the spheres from chain_offsets[i] up to but not including chain_offsets[i + 1].
     * There are chain_count + 1 offsets, ascending from 0.
     */
    const uint32_t *chain_offsets;
    const uint32_t *chain_spheres;
    uint32_t chain_count;

    const graze_pair *also; /* pairs to test although no chain has both */
    uint32_t also_count;

    const graze_pair *neighbours; /* pairs never to test, besides those found by the rule below */
    uint32_t neighbour_count;

    /* Spheres are neighbours if they touch at rest or their triangles share a vertex position, or
     * if they are at most neighbour_steps such steps apart. 0: 1.
     */
    uint32_t neighbour_steps;
    bool no_neighbour_rule; /* true: only the given pairs are neighbours */
    uintptr_t reserved[4];
} graze_chains_given;

/* Copies spheres and chains, and lists the pairs to test. Memory comes from the model's allocator.
 *   - Centres are finite and below 1e15; radii and factors are finite and above 0.
 *   - A sphere has pivots, and their weights sum to 1 (to 1e-4). All indices are in range.
 *   - A chain has a sphere, and none twice. A pair has two different spheres.
 * GRAZE_BAD_INPUT names the first place that is wrong. *chains is set on success only. It keeps the
 * model alive.
 */
GRAZE_EXPERIMENTAL graze_status graze_chains_create_given(const graze_model *model,
                                                          const graze_chains_given *given,
                                                          graze_chains **chains,
                                                          graze_error *error);

/* ---- finding spheres ------------------------------------------------------------------------ */

typedef enum graze_region_kind {
    GRAZE_REGION_TRUNK = 0, /* filled level by level */
    GRAZE_REGION_TUBE = 1   /* filled by a row of spheres */
} graze_region_kind;

/* A region: a human is a trunk and four tubes, a snake one tube, a spider a trunk and eight. */
typedef struct graze_region_def {
    const char *name;
    graze_region_kind kind;
    bool attached;   /* it is attached to another region */
    uint32_t parent; /* that region */
} graze_region_def;

/* Two regions by name. */
typedef struct graze_region_names {
    const char *a, *b;
} graze_region_names;

/* How chains are found. Zero: the paper's numbers. */
typedef struct graze_chain_def {
    float step;                 /* between levels, in units of the model; 0: height / 70 */
    uint32_t rays;              /* of a level, 8 to 1024; 0: 80 */
    uint32_t spheres_per_level; /* of a trunk, 1 to 8; 0: 2 */
    float overlap;     /* wanted of neighbours, up to 0.9: 1 - distance / (r1 + r2); 0: 0.3 */
    uint32_t pivots;   /* of a sphere, 4 to 16; 0: 4 */
    bool paper_pivots; /* pivots are triangles of equal weight, as in the paper */

    /* Where the body stands while spheres are found, 3 floats per vertex; NULL: at rest. For models
     * whose rest positions do not form a body. "At rest" then means there.
     */
    const float *positions;

    bool merge_head;           /* true: the head belongs to the trunk's region */
    bool hands, feet, fingers; /* true: these are regions of their own; fingers need hands */

    /* Regions that are given: at most one trunk that all others are attached to in the end, or a
     * single tube. NULL: found from the skin weights; from the shape if there is one joint.
     */
    const graze_region_def *regions;
    uint32_t region_count;            /* up to 1024 */
    const uint32_t *triangle_regions; /* region of each triangle; or NULL, and: */
    const uint32_t *joint_regions;    /* region of each joint */

    const graze_region_names *also; /* pairs of regions to test besides those of chains */
    uint32_t also_count;

    uint32_t neighbour_steps; /* as in graze_chains_given */
    bool no_neighbour_rule;
    uintptr_t reserved[4];
} graze_chain_def;

/* Finds regions, spheres, pivots and chains (docs/chains.md). Takes some 20 microseconds a
 * triangle.
 *   - Several joints: any skinned body. One joint: a standing body that is closed and in one piece,
 *     otherwise GRAZE_BAD_INPUT says why not. A body without limbs is one tube.
 *   - joint_names: one part a joint, as graze_rig_part_names gives them. NULL: nesting is guessed.
 *   - def NULL: all zero. GRAZE_BAD_INPUT names the bad field. *chains is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_chains_create(const graze_model *model,
                                                    const graze_part_names *joint_names,
                                                    const graze_chain_def *def,
                                                    graze_chains **chains, graze_error *error);

/* Frees the chains. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_chains_destroy(graze_chains *chains);

/* ---- looking things up ---------------------------------------------------------------------- */

typedef struct graze_chains_info {
    const graze_model *model;
    uint32_t sphere_count;
    uint32_t region_count;
    uint32_t chain_count;
    uint32_t vertices_per_pivot; /* 1 or 3 */
    uint64_t paper_chain_tests;  /* tests as the paper counts them: n x n for each chain */
    uint64_t paper_all_tests;    /* the same without chains */
    uint64_t reserved[2];
} graze_chains_info;

/* Returns all zero for NULL. */
GRAZE_EXPERIMENTAL graze_chains_info graze_chains_get_info(const graze_chains *chains);

/* Returns one sphere; all zero if the index is out of range. */
GRAZE_EXPERIMENTAL graze_chain_sphere graze_chains_sphere(const graze_chains *chains,
                                                          uint32_t index);

/* Returns the name of a region; NULL if the index is out of range. */
GRAZE_EXPERIMENTAL const char *graze_chains_region_name(const graze_chains *chains,
                                                        uint32_t region);

/* Returns the sphere of a triangle; 0 if the index is out of range. */
GRAZE_EXPERIMENTAL uint32_t graze_chains_triangle_sphere(const graze_chains *chains,
                                                         uint32_t triangle);

/* Lists that are valid as long as the chains. *count is set; an empty list may be NULL, and so is
 * one whose index is out of range.
 */

/* Returns all pivots; each sphere says which are its own. */
GRAZE_EXPERIMENTAL const graze_chain_pivot *graze_chains_pivots(const graze_chains *chains,
                                                                uint32_t *count);

/* Returns the triangles of a sphere, ascending. */
GRAZE_EXPERIMENTAL const uint32_t *graze_chains_triangles(const graze_chains *chains,
                                                          uint32_t sphere, uint32_t *count);

/* Returns the spheres of a chain, in the order given. */
GRAZE_EXPERIMENTAL const uint32_t *graze_chains_chain(const graze_chains *chains, uint32_t chain,
                                                      uint32_t *count);

/* Which pairs of spheres. */
typedef enum graze_chain_pairs_of {
    GRAZE_CHAIN_PAIRS = 0, /* those of the chains and `also`, without neighbours */
    GRAZE_ALL_PAIRS = 1    /* all but neighbours */
} graze_chain_pairs_of;

/* Returns the pairs, a < b, ascending, each once. */
GRAZE_EXPERIMENTAL const graze_pair *
graze_chains_pairs(const graze_chains *chains, graze_chain_pairs_of which, uint32_t *count);

/* Which spheres are compared with the skin. */
typedef enum graze_chain_fit {
    GRAZE_FIT_FOUND = 0,         /* those of the chains */
    GRAZE_FIT_LEAST_SQUARES = 1, /* least sum of (r - |c - v|)^2 over the sphere's vertices */
    GRAZE_FIT_BALL = 2           /* the smallest ball around them (Welzl 1991) */
} graze_chain_fit;

/* The distance |r - |c - v|| of spheres from points of the skin, in units of the model. */
typedef struct graze_chain_misfit {
    double mean, max;
    uint32_t count; /* of points */
} graze_chain_misfit;

/* Measures how far spheres are from the vertices of their triangles, and from the points of the
 * skin that rays hit when the spheres were found (none for given spheres). Allocates for the time
 * of the call.
 *   - region GRAZE_NONE: all. vertices or hits may be NULL.
 */
GRAZE_EXPERIMENTAL graze_status graze_chains_misfit(const graze_chains *chains, uint32_t region,
                                                    graze_chain_fit fit,
                                                    graze_chain_misfit *vertices,
                                                    graze_chain_misfit *hits, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
