/* What spherical and dual skinning share. Included by *_kernels.c only. */
#ifndef GRAZEI_DEFORM_BLENDED_H
#define GRAZEI_DEFORM_BLENDED_H

#include "deform/evaluate.h"
#include "deform/pair_poses.h"
#include "deform/pose_blended.h"
#include "deform/prepare_blended.h"
#include "math/quat.h"

/* Beyond every coordinate that a blended vertex can have: many joints together may take it to
 * 1e16 over its largest weight.
 */
#define EVERYTHING 1e30f

/* A node is looked at once more if more than this share of its size was to be added to it. */
#define SECOND_LOOK 0.125f

/* Upper bounds over a node's blended vertices (docs/bounds.md, "Blended rotations"). */
typedef struct blend_spread {
    float rotations; /* 1 - |Q|^2: the weighted variance of the joints' quaternions */
    float places;    /* the weighted variance of where the joints would put the vertex */
    float centres;   /* root of what that is, at most, for the centre of the vertex's joint-set */
    float apart;     /* the farthest that two joints put such a centre apart */
    float length;    /* lower bound of |Q| */
    bool far;        /* some joints turn far */
    bool consistent; /* signs of quaternions are the same for every vertex of two joints */
} blend_spread;

/* How much farther than radius vertices may be from a centre of theirs, by morphing and scaling. */
static inline float widening(const grazei_joints *joints, f4 centre, float radius,
                             const grazei_morph_move *move)
{
    float wide = move ? f4_length3(move->wide) : 0;
    if (joints->scaled)
        wide += joints->scale_spread * (f4_length3(centre) + radius + wide);
    return wide * (1 + 8 * GRAZEI_UNIT);
}

/* Four pairs of joints, one a lane. */
typedef struct four_pairs {
    f4 product; /* of weights, the largest; 0 in lanes that are not used */
    f4 square;  /* at least |q - q'|^2, signs as near as they can be */
    f4 reach;   /* at least how far apart they put any vertex that both move */
    f4 apart;   /* at least how far apart they put the centre of any set that has both */
} four_pairs;

/* Where two joints put the centre of a ball, one less the other, and in the last lane a radius. */
static inline f4 difference_at(const f4_map *a, const f4_map *b, f4 centre, float radius)
{
    f4 off = ((a->c[0] - b->c[0]) * f4_x(centre) + (a->c[1] - b->c[1]) * f4_y(centre)) +
             ((a->c[2] - b->c[2]) * f4_z(centre) + (a->c[3] - b->c[3]));
    off[3] = radius;
    return off;
}

/* Lengths of vectors in x y z, to each of which the last lane times a factor of its own is added.
 */
static inline f4 lengths_and_last(const f4 vectors[4], f4 factor)
{
    f4 x = vectors[0], y = vectors[1], z = vectors[2], last = vectors[3];
    f4_transpose(&x, &y, &z, &last);
    return f4_sqrt((x * x + y * y) + z * z) + last * factor;
}

/* Looks at the first `count` of four pairs, at least one. Quaternions are unit to 5 u and their
 * product is off by 4 u, so that 2 - 2 |q q'| is at most 32 u below the square of their distance.
 */
GRAZEI_INLINE four_pairs look_at_pairs(const grazei_skin *skin, const grazei_joints *joints,
                                       const float (*rows)[4], uint32_t count,
                                       const grazei_morph_move *move, bool centres)
{
    f4 turns[4], offs[4], centre_offs[4], names[4];
    four_pairs four;
    for (uint32_t p = 0; p < count; p++, rows += 2) {
        uint32_t i = f4_bits(rows[1][0]), k = f4_bits(rows[1][1]);
        const f4_map *a = &joints->maps[i], *b = &joints->maps[k];
        f4 centre = f4_load(rows[0]);
        float radius = rows[0][3];
        if (move)
            centre = centre + move->shift;
        if (move || joints->scaled)
            radius += widening(joints, centre, radius, move);
        names[p] = f4_load(rows[1]);
        turns[p] = joints->rotations[i] * joints->rotations[k];
        offs[p] = difference_at(a, b, centre, radius);
        if (centres) {
            const float *ball = skin->blend.pair_centre[f4_bits(rows[1][3])];
            centre_offs[p] = difference_at(a, b, f4_load(ball), ball[3]);
        }
    }
    for (uint32_t p = count; p < 4; p++) {
        names[p] = f4_zero();
        turns[p] = turns[0];
        offs[p] = offs[0];
        if (centres)
            centre_offs[p] = centre_offs[0];
    }
    f4_transpose(&names[0], &names[1], &names[2], &names[3]);
    f4_transpose(&turns[0], &turns[1], &turns[2], &turns[3]);
    f4 cosine = f4_abs((turns[0] + turns[1]) + (turns[2] + turns[3]));
    four.product = names[2];
    four.square = f4_max(f4_all(2) - (cosine + cosine), f4_zero()) + f4_all(48 * GRAZEI_UNIT);
    f4 chords = f4_sqrt(four.square) * f4_all(2);
    four.reach = lengths_and_last(offs, chords);
    four.apart = centres ? lengths_and_last(centre_offs, chords) : f4_zero();
    return four;
}

static inline float f4_sum(f4 a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

/* Joints whose quaternions are farther apart than this, squared, turn far: by more than 58 degrees.
 */
#define FAR_SQUARE 0.25f

/* calm: over those pairs only that do not turn far, which are all that joint-sets have where no
 * pair does. centres: whether apart is wanted.
 */
GRAZEI_INLINE blend_spread grazei_spread(const grazei_skin *skin, const grazei_joints *joints,
                                         uint32_t node, const grazei_morph_move *move, bool calm,
                                         bool centres)
{
    const grazei_blend_node *record = &skin->blend.nodes[node];
    const float(*rows)[4] = (const float(*)[4])skin->blend.rows + record->first_row + 1;
    f4 place_sum = f4_zero(), place_most = place_sum, near_sum = place_sum, near_most = place_sum;
    f4 far_sum = place_sum, far_most = place_sum, farthest = place_sum, widest = place_sum;
    f4 apart = place_sum, opposite = f4_all(4 + 256 * GRAZEI_UNIT);
    for (uint32_t p = 0; p < record->pair_count; p += 4, rows += 8) {
        uint32_t left = record->pair_count - p;
        four_pairs four = left < 4 ? look_at_pairs(skin, joints, rows, left, move, centres)
                                   : look_at_pairs(skin, joints, rows, 4, move, centres);
        if (calm) {
            i4 near = four.square <= f4_all(FAR_SQUARE);
            four.product = (f4)((i4)four.product & near);
            four.square = (f4)((i4)four.square & near);
            four.reach = (f4)((i4)four.reach & near);
            four.apart = (f4)((i4)four.apart & near);
        }
        f4 near = four.product * four.square, far = four.product * (opposite - four.square);
        f4 reach2 = four.reach * four.reach, place = four.product * reach2;
        near_sum = near_sum + near;
        near_most = f4_max(near_most, near);
        far_sum = far_sum + far;
        far_most = f4_max(far_most, far);
        widest = f4_max(widest, four.square);
        place_sum = place_sum + place;
        place_most = f4_max(place_most, place);
        farthest = f4_max(farthest, reach2);
        apart = f4_max(apart, four.apart);
    }
    /* With one pair a vertex, or all within 120 degrees of each other, signs are what they seem. */
    float most = record->pairs_of_vertex, grow = 1 + (float)(record->pair_count + 16) * GRAZEI_UNIT;
    float share = record->share, wide = f4_max4(widest);
    blend_spread spread;
    spread.places =
        f1_min(f1_min(f4_sum(place_sum), most * f4_max4(place_most)), share * f4_max4(farthest)) *
        grow;
    spread.far = wide > FAR_SQUARE;
    spread.consistent = wide < 0.98f || most <= 1;
    spread.rotations =
        spread.consistent
            ? f1_min(f1_min(f4_sum(near_sum), most * f4_max4(near_most)), share * wide) * grow
            : f1_min(f4_sum(far_sum), most * f4_max4(far_most)) * grow;
    spread.apart = f4_max4(apart);
    spread.centres = spread.apart * sqrtf(0.25f * most) * grow;
    float square = 1 - spread.rotations - 8 * GRAZEI_UNIT;
    spread.length = f1_max(square > 0 ? sqrtf(square) : 0, record->least_pivot);
    return spread;
}

/* Linear blending's bound where joints are scaled: the record's bound of the scaled rest shape,
 * then the hull of that under every joint of the record.
 */
static inline grazei_rough evaluate_scaled(const grazei_skin *skin, const grazei_joints *joints,
                                           uint32_t node, const grazei_morph_move *move,
                                           float (*workspace)[4])
{
    const grazei_record *record = &skin->records[node];
    grazei_joints scaling = *joints;
    scaling.maps = joints->scales;
    scaling.stretch = joints->scale_stretch;
    grazei_rough first = grazei_evaluate(skin, &scaling, node, move, workspace);
    const uint32_t *own = skin->blend.node_joints + skin->blend.nodes[node].first_joint;
    uint32_t count = record->joints;
    float error = 4 * (record->error + joints->morph_error);
    if (skin->volume == GRAZE_SPHERES) {
        float radius =
            first.b[0] * (1 + 64 * GRAZEI_UNIT) + f4_length3(joints->scaled_reach) * error;
        f4 sum = f4_zero();
        float stretch = 0;
        for (uint32_t k = 0; k < count; k++) {
            f4 image = f4_map_point(&joints->maps[own[k]], first.a);
            image[3] = 0;
            sum = sum + image;
            stretch = f1_max(stretch, joints->stretch[own[k]]);
            f4_store(workspace[k], image);
        }
        f4 mean = sum * f4_all(1.0f / (float)count);
        return rough_sphere(mean, farthest(workspace, count, mean) + radius * stretch);
    }
    f4 half = (first.b - first.a) * f4_all(0.5f), centre = first.a + half;
    half = half * f4_all(1 + 8 * GRAZEI_UNIT) + joints->scaled_reach * f4_all(error);
    grazei_rough rough = {f4_all(INFINITY), f4_all(-INFINITY)};
    for (uint32_t k = 0; k < count; k++) {
        f4 image = f4_map_point(&joints->maps[own[k]], centre);
        f4 extent = f4_map_extent(&joints->maps[own[k]], half);
        rough.a = f4_min(rough.a, image - extent);
        rough.b = f4_max(rough.b, image + extent);
    }
    return rough;
}

/* What a joint-set as a whole says, from the largest chord of its joints' quaternions: the variance
 * of weights over p joints is at most (p - 1) / 2p of the largest squared distance.
 */
typedef struct set_spread {
    float rotations; /* bound of 1 - |Q|^2 */
    float radius;    /* of the set's vertices around its mean, morphed and scaled */
} set_spread;

static inline set_spread spread_of_joints(const grazei_skin *skin, const grazei_joints *joints,
                                          uint32_t set)
{
    uint32_t first = skin->mesh->set_offsets[set], n = skin->mesh->set_offsets[set + 1] - first;
    const uint32_t *own = skin->mesh->set_joints + first;
    const float *ball = skin->blend.set_centre[set];
    float share = 0.5f * (float)(n - 1) / (float)n * (1 + 8 * GRAZEI_UNIT), chord = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            f4 qi = joints->rotations[own[i]], qk = joints->rotations[own[k]];
            f4 between = f4_dot4(qi, qk) < 0 ? qi + qk : qi - qk;
            chord = f1_max(chord, f4_dot4(between, between));
        }
    chord = sqrtf(chord) + 16 * GRAZEI_UNIT;
    set_spread spread = {share * (n == 2 || chord < 0.99f ? chord * chord : 4),
                         ball[3] + joints->morph_reach};
    if (joints->scaled)
        spread.radius += joints->scale_spread * (f4_length3(f4_load3(ball)) + spread.radius);
    spread.radius *= 1 + 16 * GRAZEI_UNIT;
    return spread;
}

/* A node with a centre record, looked at as a whole: its rest ball or box, the joints' quaternions
 * with signs against the first, their blend at the weight centre, and what weights can make of it.
 */
typedef struct centred_node {
    f4 centre, half; /* at rest, morphed; half-extents of boxes */
    float radius;
    const float (*shares)[4]; /* { joint, w, d, - } */
    uint32_t count;
    float limit; /* D */
    f4 quats[GRAZEI_MAX_CENTRE_JOINTS];
    f4 blend;     /* Q at the weight centre, not unit */
    f4 unit;      /* and unit */
    float length; /* lower bound of |Q| over the node's vertices */
} centred_node;

/* Blends the joints' quaternions at the weight centre. False if they are so far apart that their
 * signs may differ between vertices or their blend may vanish.
 */
static inline bool blend_at_centre(const grazei_joints *joints, centred_node *at)
{
    float values[GRAZEI_MAX_CENTRE_JOINTS], least = 1;
    at->blend = f4_zero();
    for (uint32_t k = 0; k < at->count; k++) {
        f4 q = joints->rotations[f4_bits(at->shares[k][0])];
        at->quats[k] = k && f4_dot4(q, at->quats[0]) < 0 ? -q : q;
        for (uint32_t j = 0; j < k; j++)
            least = f1_min(least, f4_dot4(at->quats[k], at->quats[j]));
        at->blend = at->blend + at->quats[k] * f4_all(at->shares[k][1]);
    }
    float length = sqrtf(f4_dot4(at->blend, at->blend));
    at->unit = at->blend * f4_all(1 / length);
    for (uint32_t k = 0; k < at->count; k++)
        values[k] = fabsf(f4_dot4(at->unit, at->quats[k]) - length);
    at->length = length - knapsack(values, at->shares, at->count, at->limit) -
                 (float)(8 * at->count + 32) * GRAZEI_UNIT;
    return least > 0.01f && at->length > 0.1f;
}

/* False if the record has no centre, joints are scaled, or they cannot be blended there. */
static inline bool look_at_centre(const grazei_skin *skin, const grazei_joints *joints,
                                  uint32_t node, const grazei_morph_move *move, centred_node *at)
{
    const grazei_record *record = &skin->records[node];
    const float(*rows)[4] = (const float(*)[4])skin->rows + record->first;
    bool box = record->kind == GRAZEI_BOX_CENTRE;
    const grazei_blend_node *blend = &skin->blend.nodes[node];
    if (joints->scaled || (!box && record->kind != GRAZEI_SPHERE_CENTRE))
        return false;
    if (skin->deformer->needs_centres && (blend->set_count > 1 || blend->has_single))
        return false; /* each set turns about a centre of its own */
    at->centre = f4_load3(rows[0]);
    at->half = box ? f4_load3(rows[1]) : f4_zero();
    at->radius = rows[0][3];
    at->limit = box ? 2 * rows[0][3] : rows[1][0];
    at->shares = rows + 2;
    at->count = record->joints;
    if (move) {
        at->centre = at->centre + move->shift;
        at->half = f4_max(at->half + move->grow, f4_zero());
        at->radius = f1_max(at->radius + move->grow[0], 0);
    }
    if (box)
        at->radius = f4_length3(at->half) * (1 + 8 * GRAZEI_UNIT);
    for (uint32_t k = 0; k < at->count; k++)
        if (!skin->blend.joint_blends[f4_bits(at->shares[k][0])])
            return false;
    return blend_at_centre(joints, at);
}

/* The bound around a centre: the node's own size, turned, and the spread of its vertices' blends.
 */
static inline grazei_rough around(const grazei_skin *skin, const grazei_joints *joints,
                                  const centred_node *at, f4 centre, float spread)
{
    spread *= 1 + (float)(4 * at->count + 32) * GRAZEI_UNIT;
    if (skin->volume == GRAZE_SPHERES)
        return rough_sphere(centre, at->radius + spread);
    f4 extent = f4_zero();
    for (uint32_t k = 0; k < at->count; k++)
        extent = f4_max(extent, f4_map_extent(&joints->maps[f4_bits(at->shares[k][0])], at->half));
    float turn = f1_min(2, 2.4142137f * (1 - at->length * at->length));
    extent = f4_min(extent + f4_all(turn * at->radius), f4_all(at->radius)) + f4_all(spread);
    extent = extent * f4_all(1 + 8 * GRAZEI_UNIT);
    grazei_rough rough = {centre - extent, centre + extent};
    return rough;
}

/* The parts that differ: a bound around the blend at the weight centre (false: it has none for this
 * node), what else to add to linear blending's bound, and the rounding of a posed vertex.
 */
typedef struct blend_kind {
    bool centres; /* extra looks at how far apart centres of joint-sets are put */
    bool (*centred)(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                    const centred_node *at, grazei_rough *rough);
    float (*extra)(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                   const grazei_morph_move *move, const blend_spread *spread);
    /* The radius around centre of one joint-set's vertices, morphed and scaled, with rounding;
     * blended: there is a blend at the weight centre. Not finite: nothing is known.
     */
    float (*set_ball)(const grazei_skin *skin, const grazei_joints *joints, uint32_t set,
                      const centred_node *at, bool blended, float least_pivot, f4 *centre);
    float (*rounding)(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                      float length);
} blend_kind;

/* What vertices of one joint may be off by, as those go by the given maps. */
static inline float lost_by_rotations(const grazei_joints *joints)
{
    return joints->made->rigid_error * joints->reach_length;
}

/* Finishes a bound, whatever its numbers have come to. */
static inline void finish_blended(const grazei_skin *skin, const grazei_joints *joints,
                                  uint32_t node, grazei_rough rough, float extra,
                                  grazei_bound *bound)
{
    /* Squares of distances may leave the range of floats; a bound that holds everything still does.
     */
    f4 sum = f4_abs(rough.a) + f4_abs(rough.b);
    if (!(f4_max4(sum) < EVERYTHING) || !(sum[0] + sum[1] + sum[2] + extra < EVERYTHING)) {
        rough.a = skin->volume == GRAZE_SPHERES ? f4_zero() : f4_all(-EVERYTHING);
        rough.b = f4_all(EVERYTHING);
        extra = 0;
    }
    grazei_finish(joints, &skin->records[node], skin->volume, rough, extra, bound);
}

/* Whether any two joints of a set turn far. What is calm here is so in grazei_spread. */
static inline bool turns_far(const grazei_joints *joints, const centred_node *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            f4 a = joints->rotations[f4_bits(set->shares[i][0])];
            f4 b = joints->rotations[f4_bits(set->shares[k][0])];
            if (!(2 - 2 * fabsf(f4_dot4(a, b)) < FAR_SQUARE * 0.99f))
                return true;
        }
    return false;
}

/* A second look at a node where rotations are far apart: joint-sets in which no joints turn far are
 * off linear blending's place by what their pairs say, the others are inside balls of their own.
 * Returns the smaller bound, in which extra is counted. Ordinary poses do not come here, and keep
 * their registers.
 */
static __attribute__((noinline)) grazei_rough
look_at_sets(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
             const grazei_morph_move *move, const blend_kind *kind, grazei_rough rough, float extra)
{
    const grazei_blend_node *record = &skin->blend.nodes[node];
    const float(*rows)[4] = (const float(*)[4])skin->blend.set_balls + record->first_ball;
    bool spheres = skin->volume == GRAZE_SPHERES;
    blend_spread spread = grazei_spread(skin, joints, node, move, true, kind->centres);
    float calm = f1_min(kind->extra(skin, joints, node, move, &spread), extra);
    f4 grow = spheres ? f4_set(calm, 0, 0, 0) : f4_all(calm);
    f4 most = spheres ? f4_set(extra, 0, 0, 0) : f4_all(extra);
    grazei_rough all = {spheres ? rough.a : rough.a - most, rough.b + most};
    grazei_rough found = {spheres ? rough.a : rough.a - grow, rough.b + grow};
    for (uint32_t s = 0; s < record->set_count; s++) {
        centred_node at;
        f4 centre = f4_zero();
        uint32_t set = skin->blend.node_sets[record->first_set + s];
        at.count = skin->mesh->set_offsets[set + 1] - skin->mesh->set_offsets[set];
        at.shares = rows + 2;
        at.limit = rows[1][0];
        at.centre = f4_load3(rows[0]) + (move ? move->shift : f4_zero());
        at.radius = rows[0][3] + widening(joints, at.centre, rows[0][3], move);
        rows += 2 + at.count;
        if (!turns_far(joints, &at))
            continue;
        bool blended = blend_at_centre(joints, &at);
        float radius =
            kind->set_ball(skin, joints, set, &at, blended, record->least_pivot, &centre);
        if (!(radius + f4_max3(f4_abs(centre)) < EVERYTHING))
            return all;
        if (spheres) {
            float reach = f4_length3(centre - rough.a) + radius;
            found.b[0] = f1_max(found.b[0], f1_min(reach, all.b[0]));
        } else {
            found.a = f4_min(found.a, f4_max(centre - f4_all(radius), all.a));
            found.b = f4_max(found.b, f4_min(centre + f4_all(radius), all.b));
        }
    }
    return found;
}

/* Whether what is added is much beside the bound itself. */
static inline bool is_much(float extra, const grazei_skin *skin, grazei_rough rough)
{
    float size = skin->volume == GRAZE_SPHERES ? rough.b[0] : 0.5f * f4_max3(rough.b - rough.a);
    return extra > SECOND_LOOK * size;
}

/* Whether what the table of pairs says of a node decides. */
static inline bool is_enough(const quick_look *look, const grazei_skin *skin, grazei_rough rough)
{
    return look->square <= FAR_SQUARE ||
           (look->square < 0.98f && !is_much(look->extra, skin, rough));
}

/* Vertices of so many siblings are posed together. */
#define MAX_POSED_AT_ONCE 64

typedef void (*pose_batch)(const grazei_skin *skin, const grazei_joints *joints,
                           const grazei_batch_in *batch, float (*out)[4], f4 *low, f4 *high);

/* The ball around vertices as queries will find them, so nothing but its own rounding is added. */
static inline void bound_posed(const float (*posed)[4], uint32_t count, const float *shares,
                               grazei_bound *bound)
{
    f4 centre = f4_zero();
    float most = 0;
    for (uint32_t k = 0; k < count; k++)
        centre = centre + f4_load(posed[k]) * f4_all(shares[k]);
    for (uint32_t k = 0; k < count; k++) {
        f4 off = f4_load(posed[k]) - centre;
        most = f1_max(most, f4_dot3(off, off));
    }
    grazei_bound_set_sphere(bound, centre,
                            (sqrtf(most) + GRAZEI_LEAST_RADIUS) * (1 + 16 * GRAZEI_UNIT));
}

/* Bounds the first of the nodes [node, end), whose vertices are few, and those after it whose
 * vertices follow in the stream. Returns the first that is left.
 */
static inline uint32_t bound_posed_nodes(const grazei_skin *skin, const grazei_joints *joints,
                                         uint32_t node, uint32_t end, grazei_bound *bounds,
                                         pose_batch pose)
{
    const grazei_stream *stream = &skin->patch_stream;
    const float *row = skin->rows[skin->records[node].first];
    uint32_t first = f4_bits(row[0]), influence = f4_bits(row[2]), count = f4_bits(row[1]);
    uint32_t last = node + 1;
    for (; last < end && skin->records[last].kind == GRAZEI_SPHERE_POSED; last++) {
        row = skin->rows[skin->records[last].first];
        if (f4_bits(row[0]) != first + count || count + f4_bits(row[1]) > MAX_POSED_AT_ONCE)
            break;
        count += f4_bits(row[1]);
    }
    float posed[MAX_POSED_AT_ONCE][4] __attribute__((aligned(64)));
    grazei_batch_in batch = {(const float(*)[4])stream->rest + first,
                             stream->influences + influence, stream->sets + first, count, NULL};
    f4 low, high;
    pose(skin, joints, &batch, posed, &low, &high);
    for (uint32_t next = 0; node < last; node++) {
        row = skin->rows[skin->records[node].first];
        bound_posed((const float(*)[4])posed + next, f4_bits(row[1]), row + 4, &bounds[node]);
        next += f4_bits(row[1]);
    }
    return last;
}

/* Whether linear blending's bound is enough: no vertex of the node has several joints. */
static inline bool is_plain(const grazei_skin *skin, const grazei_joints *joints, uint32_t node)
{
    return !skin->blend.nodes[node].pair_count && !joints->scaled && !skin->morph.target_count;
}

static inline void bound_plain_node(const grazei_skin *skin, const grazei_joints *joints,
                                    uint32_t node, grazei_bound *bound, float (*workspace)[4])
{
    grazei_rough rough = grazei_evaluate(skin, joints, node, NULL, workspace);
    grazei_finish(joints, &skin->records[node], skin->volume, rough, lost_by_rotations(joints),
                  bound);
}

GRAZEI_INLINE void bound_blended_node(const grazei_skin *skin, const grazei_joints *joints,
                                      uint32_t node, grazei_bound *bound, float (*workspace)[4],
                                      const blend_kind *kind)
{
    grazei_morph_move moved, *move = NULL;
    centred_node at;
    grazei_rough rough;
    float extra = 0;
    if (skin->morph.target_count) {
        moved = grazei_morph_node(&skin->morph, node, joints->morph_weights);
        move = &moved;
    }
    const grazei_blend_node *record = &skin->blend.nodes[node];
    if (!move && can_look_quickly(joints, record)) {
        quick_look look = look_quickly(skin, joints, record, kind->centres);
        rough = grazei_evaluate(skin, joints, node, NULL, workspace);
        if (is_enough(&look, skin, rough)) {
            finish_blended(skin, joints, node, rough, look.extra + lost_by_rotations(joints),
                           bound);
            return;
        }
    }
    if (record->pair_count && look_at_centre(skin, joints, node, move, &at) &&
        kind->centred(skin, joints, node, &at, &rough)) {
        extra = kind->rounding(skin, joints, node, at.length);
    } else {
        rough = joints->scaled ? evaluate_scaled(skin, joints, node, move, workspace)
                               : grazei_evaluate(skin, joints, node, move, workspace);
        if (record->pair_count) {
            blend_spread spread = grazei_spread(skin, joints, node, move, false, kind->centres);
            extra = kind->extra(skin, joints, node, move, &spread);
            if (spread.far && record->first_ball != UINT32_MAX && is_much(extra, skin, rough)) {
                rough = look_at_sets(skin, joints, node, move, kind, rough, extra);
                extra = 0;
            }
        }
    }
    finish_blended(skin, joints, node, rough, extra + lost_by_rotations(joints), bound);
}

#endif
