/* Making the table of folds: what its steps share. */
#ifndef GRAZEI_FOLDS_BUILD_H
#define GRAZEI_FOLDS_BUILD_H

#include "base/assert.h"
#include "folds/folds.h"

/* Triangles closer at rest than this part of an edge are close: how weights differ between them is
 * measured pair by pair.
 */
#define GRAZEI_CLOSE_PART 1.25

/* Of a region, the main one included: see region.h. */
#define GRAZEI_MAX_REGION_JOINTS (GRAZEI_MAX_FOLD_ROWS + 1)

/* A patch lists at most so many pairs a triangle: see near.c. */
#define GRAZEI_MAX_LISTED 24

#define GRAZEI_MAX_CLOSE 768 /* of two patches; with more there is no record */

/* Triangles of a patch that lie together: of those that are not close. The groups of a patch follow
 * each other from 2 * its first triangle on, a group before those of its halves.
 */
#define GRAZEI_GROUP_TRIANGLES 8 /* and less are looked at vertex by vertex */

typedef struct grazei_group {
    f4 low, high;
    uint8_t count, triangle;                      /* how many; and which one, if it is alone */
    uint8_t vertex_count;                         /* of up to GRAZEI_GROUP_TRIANGLES */
    uint8_t vertices[3 * GRAZEI_GROUP_TRIANGLES]; /* of the patch */
} grazei_group;

static inline uint32_t grazei_second_half(uint32_t number, const grazei_group *group)
{
    return number + 2u * (group->count / 2u); /* the first half is right behind */
}

typedef struct grazei_rest_box {
    float low[3], high[3];
} grazei_rest_box;

/* A triangle at rest. Lanes 0 to 2 of x, y, z are the unit normals of its edges within its plane,
 * that of the edge across from corner k in lane k; lane 3 is the triangle's normal. Along each, it
 * covers [base, base + height]. Without area the directions are 0.
 */
typedef struct grazei_rest_triangle {
    f4 x, y, z;
    f4 base, height;
    f4 corners[3];
} grazei_rest_triangle;

/* Two triangles of two patches that are close, no neighbours and not listed. */
typedef struct grazei_close {
    uint16_t pair;
    float distance; /* at most so far apart at rest, and more than listed ones */
} grazei_close;

struct grazei_left;
struct grazei_range;

typedef struct grazei_fold_builder {
    const grazei_mesh *mesh;
    const grazei_tree *tree;
    const grazei_triangle_kernels *kernels;
    const graze_allocator *allocator;
    grazei_folds *folds;
    grazei_rest_triangle *triangles; /* in the order of patch_triangles */
    f4 *places;                      /* of the patches' vertices, in the order of patch_vertices */
    grazei_rest_box *patch_boxes;
    grazei_rest_box *node_boxes;
    grazei_group *groups;
    uint8_t *triangle_parts;   /* of each triangle alone, among its patch's */
    float longest_edge;        /* of the patches' */
    float blur;                /* at least what a place along a direction loses in float */
    bool *morphed;             /* of each patch */
    uint32_t *triangle_pieces; /* in the order of patch_triangles */
    bool *pieced;              /* of each patch: all its triangles are of some piece */
    uint32_t *only_piece;      /* of each patch: the one piece that they are of */

    /* Which triangles of the patch at hand a weld is a corner of: corner_masks[weld_slots[w]]. */
    uint32_t *weld_slots;
    uint64_t corner_masks[GRAZEI_MAX_PATCH_VERTICES][2];
    uint32_t corner_count;

    /* Of the two patches at hand; a count above GRAZEI_MAX_CLOSE says that there are more. */
    grazei_close closes[GRAZEI_MAX_CLOSE + 2];
    uint32_t close_count;

    /* The region at hand: see region.h. */
    uint32_t *slots;                                    /* of its joints, by joint */
    struct grazei_left *values;                         /* of its patches' vertices */
    double (*deviations)[GRAZEI_MAX_REGION_JOINTS + 3]; /* of its patches' vertices: see region.h */
    struct grazei_range *ranges;                        /* of its patches' groups */

    uint32_t stage, next; /* what is to be done, and of which patch */

    uint64_t listed_keys[GRAZEI_MAX_LISTED * GRAZEI_MAX_PATCH_TRIANGLES]; /* to be sorted */

    size_t near_capacity, listed_capacity, clear_capacity, run_capacity;
    size_t fold_capacity, row_capacity, pair_capacity;
} grazei_fold_builder;

static inline const float *grazei_rest_position(const grazei_mesh *mesh, uint32_t vertex)
{
    return grazei_mesh_rest(mesh) + 3 * (size_t)vertex;
}

/* Of two numbers; neither is NaN. */
static inline double grazei_lower(double a, double b)
{
    GRAZE_ASSERT(!isnan(a) && !isnan(b));
    return a < b ? a : b;
}
static inline double grazei_higher(double a, double b)
{
    GRAZE_ASSERT(!isnan(a) && !isnan(b));
    return a > b ? a : b;
}

/* Triangles of two patches closer than this are close. */
static inline double grazei_close_below(const grazei_fold_builder *b, uint32_t p, uint32_t q)
{
    return GRAZEI_CLOSE_PART * 0.5 * ((double)b->folds->edges[p] + (double)b->folds->edges[q]);
}

/* The same as it is compared with. */
static inline float grazei_close_limit(const grazei_fold_builder *b, uint32_t p, uint32_t q)
{
    return (float)grazei_close_below(b, p, q) * (1 + 1e-6f);
}

/* How a point lies along the directions of a triangle. */
static inline f4 grazei_rest_along(const grazei_rest_triangle *t, f4 point)
{
    return (t->x * f4_x(point) + t->y * f4_y(point)) + t->z * f4_z(point);
}

/* The work on a table, begun for zeroed folds (NULL when out of memory), a slice of it at a time,
 * and ended, done or not. When it failed, which means that memory was short, or was not done, the
 * caller releases the table.
 */
typedef enum grazei_fold_progress {
    GRAZEI_FOLDS_GO_ON,
    GRAZEI_FOLDS_DONE,
    GRAZEI_FOLDS_FAILED
} grazei_fold_progress;

grazei_fold_builder *grazei_folds_begin(grazei_folds *folds, const grazei_mesh *mesh,
                                        const grazei_tree *tree,
                                        const grazei_triangle_kernels *kernels,
                                        const graze_allocator *allocator);
grazei_fold_progress grazei_folds_go_on(grazei_fold_builder *builder);
void grazei_folds_end(grazei_fold_builder *builder);

/* Fills the rest of a table. False when out of memory. */
bool grazei_folds_find_rest(grazei_fold_rest *rest, const grazei_mesh *mesh,
                            const graze_allocator *allocator);

/* Where a joint has a vertex at rest that is there before joints move it. */
void grazei_rest_image(const grazei_mesh *mesh, uint32_t joint, const float position[3],
                       double out[3]);

/* Finds which joints move which triangles. False when out of memory. */
bool grazei_folds_find_pieces(grazei_fold_builder *b);

/* Measure at rest: what all need, a patch, and the nodes when all patches are measured. */
void grazei_folds_start_measuring(grazei_fold_builder *b);
void grazei_folds_measure_patch(grazei_fold_builder *b, uint32_t patch);
void grazei_folds_measure_nodes(grazei_fold_builder *b);

/* At most the distance of two triangles: their largest gap along the normals of their edges and
 * their own.
 */
float grazei_rest_gap(const grazei_fold_builder *b, const grazei_rest_triangle *s,
                      const grazei_rest_triangle *t);

/* Sorts the triangles of a patch into groups. */
void grazei_folds_find_groups(grazei_fold_builder *b, uint32_t patch);

/* Finds the patches that are near the next one by rank, lists their triangles that are very near,
 * and makes their records. False when out of memory.
 */
bool grazei_folds_find_near(grazei_fold_builder *b, uint32_t rank);

/* Afterwards, sorts rows for lanes. False when out of memory. */
bool grazei_folds_make_lanes(grazei_fold_builder *b);

/* Afterwards, writes down how to get to them. False when out of memory. */
bool grazei_folds_make_steps(grazei_fold_builder *b);

#endif
