/* Evaluating folds in a pose. */
#include "folds/folds.h"

#include "base/memory.h"
#include "math/rounding.h"

/* Far above what float arithmetic loses here, relative to what is added up. */
#define MARGIN 1e-5f

/* G = A'A. */
typedef struct gram {
    float xx, yy, zz, xy, xz, yz;
    float third; /* of the trace */
} gram;

static inline gram gram_of(f4 x, f4 y, f4 z)
{
    gram g = {f4_dot3(x, x),
              f4_dot3(y, y),
              f4_dot3(z, z),
              f4_dot3(x, y),
              f4_dot3(x, z),
              f4_dot3(y, z),
              0};
    g.third = (g.xx + g.yy + g.zz) * (1.0f / 3);
    return g;
}

/* Wolkowicz & Styan: the eigenvalues of G are within this of a third of the trace. */
static inline float deviation(const gram *g)
{
    float x = g->xx - g->third, y = g->yy - g->third, z = g->zz - g->third;
    float off = g->xy * g->xy + g->xz * g->xz + g->yz * g->yz;
    return sqrtf((2.0f / 3) * (x * x + y * y + z * z + 2 * off)) + GRAZEI_LEAST_LENGTH;
}

/* At least the largest singular value of three columns. */
static float most_stretch(f4 x, f4 y, f4 z)
{
    gram g = gram_of(x, y, z);
    return sqrtf(g.third + deviation(&g) + MARGIN * g.third) + GRAZEI_LEAST_LENGTH;
}

/* Whether the smallest singular value is certainly above a number: by the same bound from below, or
 * by a few steps of Newton's method from 0 on the characteristic polynomial of G, which is convex
 * up to its smallest root, so that every step stays below it.
 */
static bool stretches_by(f4 x, f4 y, f4 z, float needed)
{
    gram g = gram_of(x, y, z);
    float trace = 3 * g.third, square = needed * needed * (1 + MARGIN) + 3 * MARGIN * trace;
    /* Denormals may be flushed to zero: below 2^-44 squares of its entries may be missing from the
     * deviation, below 2^-32 products of three from the determinant.
     */
    if (!(square < g.third && g.third >= 0x1p-44f))
        return false;
    if (g.third - deviation(&g) > square)
        return true;
    if (g.third < 0x1p-32f)
        return false;
    float minors =
        g.xx * g.yy + g.xx * g.zz + g.yy * g.zz - g.xy * g.xy - g.xz * g.xz - g.yz * g.yz;
    float determinant = g.xx * (g.yy * g.zz - g.yz * g.yz) - g.xy * (g.xy * g.zz - g.yz * g.xz) +
                        g.xz * (g.xy * g.yz - g.yy * g.xz);
    float newton = 0;
    for (int step = 0; step < 4 && newton <= square; step++) {
        float value = ((trace - newton) * newton - minors) * newton + determinant;
        float slope = (2 * trace - 3 * newton) * newton - minors;
        if (!(value > 10 * MARGIN * trace * trace * trace + FLT_MIN) || !(slope < 0))
            return false;
        newton -= value / slope;
    }
    return newton > square;
}

/* What a pose adds to the difference of two vertices by rounding: the last addition, and the sums
 * before it, where every term passes at most so many roundings and weights need not add up to 1.
 */
static float rounding_of(const grazei_skin *skin, const grazei_joints *joints)
{
    const grazei_mesh *mesh = skin->mesh;
    float a_vertex = ((float)mesh->max_influences + 24) * GRAZEI_UNIT + 2 * mesh->weight_error;
    float magnitude = joints->magnitude_length;
    if (skin->kind != GRAZE_LINEAR && joints->placed)
        magnitude *= 1 + joints->place_stretch;
    return 2 * (a_vertex * magnitude + joints->final_error_length) * (1 + MARGIN) +
           GRAZEI_LEAST_RADIUS;
}

grazei_fold_pose grazei_folds_pose(const grazei_folds *folds, const grazei_skin *skin,
                                   const grazei_joints *joints, grazei_fold_pair *pairs)
{
    for (uint32_t p = 0; skin->kind == GRAZE_LINEAR && p < folds->pair_count; p++) {
        const f4_map *from = &joints->maps[folds->pairs[p][0]];
        const f4_map *to = &joints->maps[folds->pairs[p][1]];
        for (int k = 0; k < 4; k++)
            pairs[p].between.c[k] = to->c[k] - from->c[k];
        const f4 *c = pairs[p].between.c;
        pairs[p].stretch = most_stretch(c[0], c[1], c[2]);
    }
    return (grazei_fold_pose){.folds = folds,
                              .skin = skin,
                              .joints = joints,
                              .pairs = pairs,
                              .morphed = joints->morph_error > 0,
                              .rounding = rounding_of(skin, joints)};
}

/* A region with one joint moves as that joint does, whatever the kind of skinning. */
static f4_map map_of_one(const grazei_skin *skin, const grazei_joints *joints, uint32_t joint)
{
    if (skin->kind == GRAZE_LINEAR)
        return joints->maps[joint];
    f4_map map = joints->given[joint];
    if (joints->placed)
        for (int k = 0; k < 3; k++)
            map.c[k] = grazei_turn(&joints->place, map.c[k]);
    return map;
}

bool grazei_cannot_fold(const grazei_fold_pose *pose, uint32_t number)
{
    if (number == GRAZEI_NO_FOLD)
        return false;
    const grazei_fold *fold = &pose->folds->folds[number];
    if ((fold->row_count && pose->skin->kind != GRAZE_LINEAR) || (fold->morphed && pose->morphed))
        return false;
    f4_map affine = map_of_one(pose->skin, pose->joints, fold->joint);
    f4 centre = f4_load3(fold->centre);
    f4 sum = f4_abs(affine.c[0]) + f4_abs(affine.c[1]) + f4_abs(affine.c[2]);
    float loss = 0, size = sum[0] + sum[1] + sum[2];
    /* The difference of two images of the centre is off by this. */
    float blur = 32 * GRAZEI_UNIT * pose->joints->magnitude_length;
    for (uint32_t i = 0; i < fold->row_count; i++) {
        const grazei_fold_row *row = &pose->folds->rows[fold->first_row + i];
        const grazei_fold_pair *pair = &pose->pairs[row->pair];
        f4 way = f4_map_point(&pair->between, centre), weight = f4_all(row->weight);
        float length = f4_length3(way) + blur;
        for (int k = 0; k < 3; k++)
            affine.c[k] =
                affine.c[k] + (pair->between.c[k] * weight + way * f4_all(row->gradient[k]));
        loss += pair->stretch * row->spread + length * row->bend + blur * row->steepness;
        size += pair->stretch * row->weight + length * row->steepness;
    }
    float needed = loss + size * MARGIN + pose->rounding / fold->apart;
    return stretches_by(affine.c[0], affine.c[1], affine.c[2], needed * (1 + 2 * MARGIN));
}

const grazei_near *grazei_folds_near(const grazei_folds *folds, uint32_t patch_a, uint32_t patch_b)
{
    bool in_order = folds->patch_ranks[patch_a] <= folds->patch_ranks[patch_b];
    uint32_t rank = folds->patch_ranks[in_order ? patch_a : patch_b];
    uint32_t other = in_order ? patch_b : patch_a;
    for (uint32_t i = folds->first_near[rank]; i < folds->first_near[rank + 1]; i++)
        if (folds->nears[i].patch == other)
            return &folds->nears[i];
    return NULL;
}

void grazei_folds_release(grazei_folds *folds, const graze_allocator *allocator)
{
    grazei_release(allocator, folds->node_folds);
    grazei_release(allocator, folds->node_listed);
    grazei_release(allocator, folds->node_ranks);
    grazei_release(allocator, folds->rank_patches);
    grazei_release(allocator, folds->patch_ranks);
    grazei_release(allocator, folds->first_near);
    grazei_release(allocator, folds->nears);
    grazei_release(allocator, folds->listed);
    grazei_release(allocator, folds->masks);
    grazei_release(allocator, folds->folds);
    grazei_release(allocator, folds->rows);
    grazei_release(allocator, folds->pairs);
}

size_t grazei_folds_bytes(const grazei_folds *folds, const grazei_tree *tree)
{
    if (!folds->node_folds)
        return 0;
    size_t triangles = tree->node_triangles[0][1] - tree->node_triangles[0][0];
    return (size_t)tree->node_count * 16 + (size_t)tree->patch_count * 12 +
           triangles * sizeof *folds->masks + folds->near_count * sizeof *folds->nears +
           folds->listed_count * sizeof *folds->listed + folds->fold_count * sizeof *folds->folds +
           folds->row_count * sizeof *folds->rows + folds->pair_count * sizeof *folds->pairs;
}
