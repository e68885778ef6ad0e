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

/* At most the square of the smallest singular value, as soon as it exceeds `enough`: by the same
 * bound from below, or by a few steps of Newton's method from 0 on the characteristic polynomial of
 * G, which is convex up to its smallest root, so that every step stays below it.
 */
static float least_stretch_square(f4 x, f4 y, f4 z, float enough)
{
    gram g = gram_of(x, y, z);
    float trace = 3 * g.third, margin = 3 * MARGIN * trace;
    /* Denormals may be flushed to zero: below 2^-44 squares of its entries may be missing from the
     * deviation, below 2^-32 products of three from the determinant.
     */
    if (!(enough + margin < g.third && g.third >= 0x1p-44f))
        return 0;
    float simple = g.third - deviation(&g) - margin;
    if (simple > enough || g.third < 0x1p-32f)
        return simple;
    float minors =
        g.xx * g.yy + g.xx * g.zz + g.yy * g.zz - g.xy * g.xy - g.xz * g.xz - g.yz * g.yz;
    float determinant = g.xx * (g.yy * g.zz - g.yz * g.yz) - g.xy * (g.xy * g.zz - g.yz * g.xz) +
                        g.xz * (g.xy * g.yz - g.yy * g.xz);
    float newton = 0;
    for (int step = 0; step < 4 && newton - margin <= enough; step++) {
        float value = ((trace - newton) * newton - minors) * newton + determinant;
        float slope = (2 * trace - 3 * newton) * newton - minors;
        if (!(value > 10 * MARGIN * trace * trace * trace + FLT_MIN) || !(slope < 0))
            break;
        newton -= value / slope;
    }
    return newton - margin;
}

/* Whether the smallest singular value is certainly above a number. */
static bool stretches_by(f4 x, f4 y, f4 z, float needed)
{
    float square = needed * needed * (1 + MARGIN);
    return least_stretch_square(x, y, z, square) > square;
}

/* What a pose adds to the difference of two vertices by rounding: the last addition, and the sums
 * before it, where every term passes at most so many roundings and weights need not add up to 1.
 */
static float rounding_of(const grazei_skin *skin, const grazei_joints *joints)
{
    const grazei_mesh *mesh = skin->mesh;
    bool linear = skin->deformer->blends_maps;
    float a_vertex = ((float)mesh->max_influences + (linear ? 8 : 24)) * GRAZEI_UNIT +
                     (linear ? 1.25f : 2) * mesh->weight_error;
    float magnitude = joints->magnitude_length;
    if (joints->placed)
        magnitude *= 1 + joints->place_stretch;
    return 2 * (a_vertex * magnitude + (linear ? 0.25f : 1) * joints->final_error_length) *
               (1 + MARGIN) +
           GRAZEI_LEAST_RADIUS;
}

/* A region with one joint moves as that joint does: `follows_joints`. */
static f4_map map_of_one(const grazei_joints *joints, uint32_t joint)
{
    f4_map map = joints->given ? joints->given[joint] : joints->maps[joint];
    if (joints->placed)
        for (int k = 0; k < 3; k++)
            map.c[k] = grazei_turn(&joints->place, map.c[k]);
    return map;
}

/* The same from the rest pose. */
static f4_map map_from_rest(const grazei_fold_pose *pose, uint32_t joint)
{
    return pose->maps ? pose->maps[joint] : map_of_one(pose->joints, joint);
}

static float sum_of_entries(const f4_map *map)
{
    f4 sum = f4_abs(map->c[0]) + f4_abs(map->c[1]) + f4_abs(map->c[2]);
    return sum[0] + sum[1] + sum[2];
}

/* The same for vertices of one joint, whose weight is 1: with linear skinning a coordinate is three
 * products and three sums, then the last addition, of which final_error is eight times too much.
 */
static float rounding_of_piece(const grazei_fold_pose *pose)
{
    const grazei_joints *joints = pose->joints;
    if (!pose->skin->deformer->blends_maps)
        return pose->rounding;
    return 2 * (6 * GRAZEI_UNIT * joints->magnitude_length + 0.25f * joints->final_error_length) *
               (1 + MARGIN) +
           GRAZEI_LEAST_RADIUS + pose->more_rounding;
}

/* A piece moves as its joint does, up to rounding: two of its points that are d apart at rest are
 * at least (smallest singular value) x d - rounding apart, and undoing the map brings every posed
 * corner back to within half of rounding / (smallest singular value) of where it was at rest.
 */
static grazei_piece_pose pose_piece(const grazei_fold_pose *pose, const grazei_piece *piece)
{
    grazei_piece_pose nothing = {INFINITY, 0, UINT32_MAX};
    if (piece->morphed && pose->morphed)
        return nothing;
    f4_map map = map_from_rest(pose, piece->joint);
    float square = least_stretch_square(map.c[0], map.c[1], map.c[2], 0);
    float stretch = square > 0 ? sqrtf(square) * (1 - MARGIN) - sum_of_entries(&map) * MARGIN : 0;
    if (!(stretch > 0))
        return nothing;
    nothing.stretch = stretch;
    float blur = rounding_of_piece(pose) / stretch * (1 + 2 * MARGIN);
    if (!(blur < FLT_MAX))
        return nothing;
    int exponent; /* 2^exponent exceeds blur */
    frexpf(blur, &exponent);
    int clear = exponent + GRAZEI_CLEAR_BIAS;
    return (grazei_piece_pose){blur, stretch, clear < 1 ? 1 : (uint32_t)clear};
}

/* Whether morph targets have other weights than at rest. */
static bool is_morphed(const grazei_mesh *mesh, const grazei_joints *joints)
{
    bool other = false;
    if (!mesh->rest_weights)
        return joints->morph_error > 0;
    for (uint32_t m = 0; m < mesh->morph_count; m++)
        other |= joints->morph_weights[m] != mesh->rest_weights[m];
    return other;
}

grazei_fold_pose grazei_folds_pose(const grazei_folds *folds, const grazei_skin *skin,
                                   const grazei_joints *joints, grazei_fold_pair *pairs,
                                   grazei_piece_pose *pieces, f4_map *maps)
{
    grazei_fold_rest_loss loss = {0, joints->magnitude_length};
    for (uint32_t j = 0; folds->rest.undo && j < folds->rest.joint_count; j++)
        maps[j] = map_of_one(joints, j);
    if (folds->rest.undo)
        loss = grazei_fold_rest_pose(&folds->rest, skin->deformer->blends_maps,
                                     skin->mesh->weight_error, maps);
    const f4_map *from_rest = folds->rest.undo ? maps : joints->maps;
    for (uint32_t p = 0; skin->deformer->blends_maps && p < folds->pair_count; p++) {
        const f4_map *from = &from_rest[folds->pairs[p][0]];
        const f4_map *to = &from_rest[folds->pairs[p][1]];
        for (int k = 0; k < 4; k++)
            pairs[p].between.c[k] = to->c[k] - from->c[k];
        const f4 *c = pairs[p].between.c;
        pairs[p].stretch = most_stretch(c[0], c[1], c[2]);
    }
    grazei_fold_pose pose = {.folds = folds,
                             .skin = skin,
                             .joints = joints,
                             .maps = folds->rest.undo ? maps : NULL,
                             .magnitude = f1_max(loss.magnitude, joints->magnitude_length),
                             .more_rounding = loss.rounding,
                             .pairs = pairs,
                             .pieces = pieces,
                             .morphed = is_morphed(skin->mesh, joints),
                             .rounding = rounding_of(skin, joints) + loss.rounding};
    for (uint32_t p = 0; p < folds->piece_count; p++)
        pieces[p] = pose_piece(&pose, &folds->pieces[p]);
    return pose;
}

/* Whether a region is one that a pose can be asked about. */
static bool may_keep(const grazei_fold_pose *pose, uint32_t number)
{
    if (number == GRAZEI_NO_FOLD)
        return false;
    const grazei_fold *fold = &pose->folds->folds[number];
    return !(fold->row_count && !pose->skin->deformer->blends_maps) &&
           !(fold->morphed && pose->morphed);
}

/* What other joints than its main one do to a region: how far they take its centre, what is lost of
 * distances, and at least the norm of what they add to the main one's map.
 */
typedef struct region_others {
    f4 ways[GRAZEI_MAX_FOLD_ROWS];
    grazei_fold_sums sums;
} region_others;

static void pose_others(const grazei_fold_pose *pose, const grazei_fold *fold,
                        region_others *others)
{
    f4 centre = f4_load3(fold->centre);
    float blur = grazei_fold_blur(pose);
    others->sums = (grazei_fold_sums){0, 0};
    for (uint32_t i = 0; i < fold->row_count; i++) {
        const grazei_fold_row *row = &pose->folds->rows[fold->first_row + i];
        const grazei_fold_pair *pair = &pose->pairs[row->pair];
        f4 way = f4_map_point(&pair->between, centre);
        float length = f4_length3(way) + blur;
        others->ways[i] = way;
        others->sums.loss +=
            pair->stretch * row->spread + length * row->bend + blur * row->steepness;
        others->sums.added += pair->stretch * fabsf(row->weight) + length * row->steepness;
    }
}

/* A region in a pose: the affine map that it is near to, what is lost of distances besides, and the
 * size of what was added up.
 */
typedef struct region_pose {
    f4_map affine;
    float loss, size;
} region_pose;

static region_pose pose_affine(const grazei_fold_pose *pose, const grazei_fold *fold,
                               const region_others *others)
{
    region_pose r = {.affine = map_from_rest(pose, fold->joint), .loss = others->sums.loss};
    r.size = sum_of_entries(&r.affine) + others->sums.added;
    for (uint32_t i = 0; i < fold->row_count; i++) {
        const grazei_fold_row *row = &pose->folds->rows[fold->first_row + i];
        const f4_map *between = &pose->pairs[row->pair].between;
        for (int k = 0; k < 3; k++)
            r.affine.c[k] = r.affine.c[k] + (between->c[k] * f4_all(row->weight) +
                                             others->ways[i] * f4_all(row->gradient[k]));
    }
    return r;
}

static region_pose pose_region(const grazei_fold_pose *pose, const grazei_fold *fold)
{
    region_others others;
    pose_others(pose, fold, &others);
    return pose_affine(pose, fold, &others);
}

bool grazei_fold_is_kept(const grazei_fold_pose *pose, uint32_t number)
{
    if (!may_keep(pose, number))
        return false;
    const grazei_fold *fold = &pose->folds->folds[number];
    region_others others;
    pose_others(pose, fold, &others);
    float slack = pose->rounding / fold->apart, kept = pose->pieces[fold->joint].stretch;
    if (kept > (others.sums.loss + others.sums.added * (1 + MARGIN) + slack) * (1 + 2 * MARGIN))
        return true;
    if (others.sums.loss > kept)
        return false;
    region_pose r = pose_affine(pose, fold, &others);
    float needed = r.loss + r.size * MARGIN + slack;
    return stretches_by(r.affine.c[0], r.affine.c[1], r.affine.c[2], needed * (1 + 2 * MARGIN));
}

/* ---- motions ----------------------------------------------------------------------------------
 */

/* Vertices move in straight lines from one pose to another. What is said of a pose is said of maps,
 * and at a time t those are between the two poses' in the same way: no map is farther than half of
 * the difference from the one in the middle, and losses, being norms, are at most the larger.
 */
static bool stays_apart(const region_pose *start, const region_pose *end, float more)
{
    f4_map middle, half;
    for (int k = 0; k < 3; k++) {
        middle.c[k] = (start->affine.c[k] + end->affine.c[k]) * f4_all(0.5f);
        half.c[k] = (end->affine.c[k] - start->affine.c[k]) * f4_all(0.5f);
    }
    float needed = f1_max(start->loss, end->loss) + (start->size + end->size) * MARGIN +
                   most_stretch(half.c[0], half.c[1], half.c[2]) + more;
    return stretches_by(middle.c[0], middle.c[1], middle.c[2], needed * (1 + 2 * MARGIN));
}

/* What rounding does to two points, and how near triangles may come and still count as meeting:
 * 2^-22 (GRAZEI_MOVING_TOLERANCE) of the distance of some corners, which is at most the sum of both
 * ends' largest coordinates, of which final_error is 2^-21. Twice that is taken.
 */
static float slack_of(const grazei_fold_motion *motion)
{
    const grazei_fold_pose *start = motion->start, *end = motion->end;
    return (f1_max(start->rounding, end->rounding) + start->joints->final_error_length +
            end->joints->final_error_length) *
           (1 + MARGIN);
}

bool grazei_cannot_fold_between(const grazei_fold_motion *motion, uint32_t number)
{
    if (!may_keep(motion->start, number) || !may_keep(motion->end, number))
        return false;
    const grazei_fold *fold = &motion->start->folds->folds[number];
    region_pose start = pose_region(motion->start, fold), end = pose_region(motion->end, fold);
    return stays_apart(&start, &end, slack_of(motion) / fold->apart);
}

bool grazei_piece_keeps_between(const grazei_fold_motion *motion, uint32_t number, float edge_a,
                                float edge_b)
{
    if (number == GRAZEI_NO_PIECE)
        return false;
    const grazei_fold_pose *poses[2] = {motion->start, motion->end};
    const grazei_piece *piece = &poses[0]->folds->pieces[number];
    region_pose ends[2];
    float apart =
        grazei_round_down(grazei_listed_below((double)edge_a, (double)edge_b) * (1 - 1e-6));
    for (int i = 0; i < 2; i++) {
        if (piece->morphed && poses[i]->morphed)
            return false;
        ends[i] = (region_pose){map_from_rest(poses[i], piece->joint), 0, 0};
        ends[i].size = sum_of_entries(&ends[i].affine);
    }
    return stays_apart(&ends[0], &ends[1], slack_of(motion) / apart);
}

/* ---- the table --------------------------------------------------------------------------------
 */

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
    grazei_release(allocator, folds->rest.undo);
    grazei_release(allocator, folds->rest.losses);
    grazei_release(allocator, folds->node_folds);
    grazei_release(allocator, folds->node_listed);
    grazei_release(allocator, folds->node_ranks);
    grazei_release(allocator, folds->node_pieces);
    grazei_release(allocator, folds->node_edges);
    grazei_release(allocator, folds->edges);
    grazei_release(allocator, folds->crowded);
    grazei_release(allocator, folds->strays);
    grazei_release(allocator, folds->clear);
    grazei_release(allocator, folds->runs);
    grazei_release(allocator, folds->steps);
    grazei_release(allocator, folds->leaves);
    grazei_release(allocator, folds->pieces);
    grazei_release(allocator, folds->rank_patches);
    grazei_release(allocator, folds->patch_ranks);
    grazei_release(allocator, folds->first_near);
    grazei_release(allocator, folds->nears);
    grazei_release(allocator, folds->listed);
    grazei_release(allocator, folds->masks);
    grazei_release(allocator, folds->folds);
    grazei_release(allocator, folds->rows);
    grazei_release(allocator, folds->pairs);
    grazei_release(allocator, folds->lanes);
    grazei_release(allocator, folds->first_lanes);
}

size_t grazei_folds_bytes(const grazei_folds *folds, const grazei_tree *tree)
{
    if (!folds->node_folds)
        return 0;
    size_t triangles = tree->node_triangles[0][1] - tree->node_triangles[0][0];
    uint32_t patches = tree->patch_count;
    return (size_t)tree->node_count * 24 + (size_t)patches * 21 + 8 +
           triangles * sizeof *folds->masks + folds->near_count * sizeof *folds->nears +
           folds->listed_count * (sizeof *folds->listed + 1) +
           folds->run_count * sizeof *folds->runs + folds->piece_count * sizeof *folds->pieces +
           folds->fold_count * sizeof *folds->folds + folds->row_count * sizeof *folds->rows +
           folds->pair_count * sizeof *folds->pairs + folds->step_count * sizeof *folds->steps +
           (folds->leaves ? patches * sizeof *folds->leaves : 0) +
           (folds->lanes ? ((size_t)folds->pair_count + 1) * sizeof *folds->first_lanes +
                               folds->first_lanes[folds->pair_count] * sizeof *folds->lanes
                         : 0);
}
