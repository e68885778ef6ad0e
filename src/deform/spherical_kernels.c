/* Spherical blend skinning (L. Kavan and J. Zara, "Spherical blend skinning", 2005; bounds after
 * Kavan, O'Sullivan and Zara 2006): the joints' rotations are blended as quaternions about a centre
 * r_c that all joints of the set move nearly alike,
 *     v' = Q (v - r_c) + sum of w_j C_j r_c.
 * The centre is found once per joint-set and pose, when a vertex or a bound first asks for it.
 */
#include "deform/blended.h"
#include "deform/bound_root.h"
#include "math/isa.h"

/* Pull of the centre towards the set's mean rest position, which keeps it near where the joints'
 * rotations are equal or share an axis.
 */
#define PULL 1e-4f

/* A centre is off its set's mean by no more than the pull allows, as a multiple of how far apart
 * two joints put the mean: 1 / (2 sqrt(PULL)), twice that as it is computed; and is no worse a
 * centre than the mean by more than this factor, errors of solving included.
 */
#define FARTHEST_CENTRE 100.0f
#define CENTRE_ERROR 1.25f

/* The normal equations of |(C_a - C_b)(g + x)| over pairs of joints, and a pull on x. */
typedef struct centre_problem {
    float xx, xy, xz, yy, yz, zz;
    f4 right;
} centre_problem;

static inline void add_pair(centre_problem *p, const f4_map *a, const f4_map *b, f4 g)
{
    f4 x = a->c[0] - b->c[0], y = a->c[1] - b->c[1], z = a->c[2] - b->c[2];
    f4 apart = ((a->c[3] - b->c[3]) + x * f4_x(g)) + (y * f4_y(g) + z * f4_z(g));
    p->xx += f4_dot3(x, x);
    p->xy += f4_dot3(x, y);
    p->xz += f4_dot3(x, z);
    p->yy += f4_dot3(y, y);
    p->yz += f4_dot3(y, z);
    p->zz += f4_dot3(z, z);
    p->right = p->right - f4_set(f4_dot3(x, apart), f4_dot3(y, apart), f4_dot3(z, apart), 0);
}

/* By L D L'; the pull keeps every pivot away from zero. Where it is not exact the centre is a
 * little off along directions in which the joints agree, and there it does not matter.
 */
static inline f4 solve(const centre_problem *p, float pull)
{
    float d0 = p->xx + pull, l10 = p->xy / d0, l20 = p->xz / d0;
    float d1 = f1_max(p->yy + pull - l10 * p->xy, 0.5f * pull);
    float m = p->yz - l10 * p->xz, l21 = m / d1;
    float d2 = f1_max(p->zz + pull - l20 * p->xz - l21 * m, 0.5f * pull);
    float y0 = p->right[0], y1 = p->right[1] - l10 * y0, y2 = p->right[2] - l20 * y0 - l21 * y1;
    float z = y2 / d2, y = y1 / d1 - l21 * z;
    return f4_set(y0 / d0 - l10 * y - l20 * z, y, z, 0);
}

static __attribute__((noinline)) void find_centre(const grazei_skin *skin,
                                                  const grazei_joints *joints, uint32_t set)
{
    grazei_set_pose *pose = &joints->set_poses[set];
    if (!grazei_mark_claim(&pose->mark, joints->epoch))
        return;
    uint32_t first = skin->mesh->set_offsets[set], n = skin->mesh->set_offsets[set + 1] - first;
    const uint32_t *own = skin->mesh->set_joints + first;
    f4 g = f4_load3(skin->blend.set_centre[set]);
    centre_problem problem = {.right = f4_zero()};
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            add_pair(&problem, &joints->maps[own[a]], &joints->maps[own[b]], g);
    f4_store3(pose->centre, g + solve(&problem, PULL * 0.5f * (float)(n * (n - 1))));
    for (uint32_t k = 0; k < n; k++)
        joints->set_images[first + k] = f4_map_point(&joints->maps[own[k]], f4_load3(pose->centre));
    grazei_mark_set(&pose->mark, joints->epoch);
}

/* The set's centre and its images, computed if this pose has not yet. */
static inline const grazei_set_pose *set_pose(const grazei_skin *skin, const grazei_joints *joints,
                                              uint32_t set)
{
    const grazei_set_pose *pose = &joints->set_poses[set];
    if (!grazei_mark_is_set(&pose->mark, joints->epoch))
        find_centre(skin, joints, set);
    return pose;
}

static inline f4 pose_one(const grazei_skin *skin, const grazei_joints *joints, f4 rest,
                          const graze_influence *influences, uint32_t count, uint32_t set)
{
    if (count == 1)
        return f4_map_point(&joints->given[influences[0].joint], rest);
    if (joints->scaled)
        rest = scale_vertex(joints, rest, influences, count);
    const grazei_set_pose *centre = set_pose(skin, joints, set);
    const f4 *images = joints->set_images + skin->mesh->set_offsets[set];
    f4 pivot = joints->rotations[influences[pivot_of(influences, count)].joint];
    f4 rotation = f4_zero(), image = f4_zero();
    for (uint32_t i = 0; i < count; i++) {
        f4 q = joints->rotations[influences[i].joint];
        rotation = rotation + q * f4_all(signed_weight(q, pivot, influences[i].weight));
        image = image + images[i] * f4_all(influences[i].weight);
    }
    rotation = rotation * f4_all(1 / sqrtf(f4_dot4(rotation, rotation)));
    return quat_turn(rotation, rest - f4_load3(centre->centre)) + image;
}

/* Centres of the vertices' joint-sets; the last lanes are not to be used. */
GRAZEI_INLINE column4 centres_of(const grazei_skin *skin, const grazei_joints *joints,
                                 const vertex_columns *vertices)
{
    const float *each[GRAZEI_COLUMN];
    each[0] = set_pose(skin, joints, vertices->sets[0])->centre;
    if (vertices->one_set)
        return column4_all(each[0]);
    for (uint32_t k = 1; k < GRAZEI_COLUMN; k++) {
        uint32_t v = k < vertices->used ? k : vertices->used - 1;
        each[k] = set_pose(skin, joints, vertices->sets[v])->centre;
    }
    return column4_load_rows(each);
}

/* pose_one of vertices in lanes. */
GRAZEI_INLINE column3 pose_some(const grazei_skin *skin, const grazei_joints *joints,
                                const vertex_columns *vertices, uint32_t count)
{
    const uint32_t *offsets = skin->mesh->set_offsets;
    column4 centre = centres_of(skin, joints, vertices);
    column zero = column_all(0);
    column4 rotation = {zero, zero, zero, zero}, image = rotation;
    for (uint32_t i = 0; i < count; i++) {
        column4 images = rows_of_sets(vertices, joints->set_images, offsets, i);
        rotation = column4_add(rotation,
                               column4_scale(vertices->rotations[i], vertices->signed_weights[i]));
        image = column4_add(image, column4_scale(images, vertices->weights[i]));
    }
    rotation = column4_scale(rotation, quats_to_unit(rotation));
    column3 from = column3_sub(vertices->rest, (column3){centre.x, centre.y, centre.z});
    return column3_add(quats_turn(rotation, from), (column3){image.x, image.y, image.z});
}

static void pose(const grazei_skin *skin, const grazei_joints *joints, const grazei_batch_in *batch,
                 float (*out)[4], f4 *low, f4 *high)
{
    need_rotations(skin, joints);
    pose_blended(skin, joints, batch, out, low, high, pose_one, pose_some);
}

static void pose_chosen(const grazei_skin *skin, const grazei_joints *joints,
                        const uint32_t *vertices, uint32_t count, const float (*rest)[4],
                        float (*out)[4])
{
    need_rotations(skin, joints);
    pose_blended_chosen(skin, joints, vertices, count, rest, out, pose_one);
}

static float rounding_of(const grazei_skin *skin, const grazei_joints *joints, float reach,
                         float length)
{
    return (float)(8 * skin->mesh->max_influences + 64) * GRAZEI_UNIT * 2 *
           (reach + joints->magnitude_length) / (length * length);
}

static float rounding(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                      float length)
{
    const grazei_blend_node *record = &skin->blend.nodes[node];
    float most = 0;
    for (uint32_t s = 0; s < record->set_count; s++) {
        const grazei_set_pose *own =
            set_pose(skin, joints, skin->blend.node_sets[record->first_set + s]);
        most = f1_max(most, f4_length3(f4_load3(own->centre)));
    }
    return rounding_of(skin, joints, most + f4_length3(joints->scaled_reach), length);
}

/* The same by the sets' own centres, each set judged by itself: what turns by more than 120 degrees
 * within a vertex is better told by how far it is from what it turns about.
 */
static float off_by_centres(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                            const grazei_morph_move *move)
{
    const grazei_blend_node *record = &skin->blend.nodes[node];
    const float *ball = skin->blend.rows[record->first_row];
    f4 centre = f4_load3(ball) + (move ? move->shift : f4_zero());
    float radius = ball[3] + widening(joints, centre, ball[3], move), most = 0;
    for (uint32_t s = 0; s < record->set_count; s++) {
        uint32_t number = skin->blend.node_sets[record->first_set + s];
        const grazei_set_pose *set = set_pose(skin, joints, number);
        set_spread spread = spread_of_joints(skin, joints, number);
        f4 own = f4_load3(set->centre), mean = f4_load3(skin->blend.set_centre[number]);
        float reach =
            f1_min(f4_length3(centre - own) + radius, f4_length3(mean - own) + spread.radius);
        most = f1_max(most, f1_min(2, 2.4142137f * spread.rotations) * reach);
    }
    return most * (1 + 32 * GRAZEI_UNIT);
}

/* How far from linear blending's place, whatever the centres: with p_j where joint j puts the
 * vertex and d_j where it puts the centre of its set, the vertex is off by at most sqrt(V(p - d)
 * V_q) / |Q|, and the root of V(d) is at most that of the set's mean rest position, which the
 * centre was chosen to better (docs/bounds.md). So no centre is looked for here.
 */
static float extra(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                   const grazei_morph_move *move, const blend_spread *spread)
{
    float centres = spread->centres * CENTRE_ERROR + joints->magnitude_length * 64 * GRAZEI_UNIT;
    float off = (sqrtf(spread->places) + centres) * sqrtf(spread->rotations) / spread->length;
    float reach = joints->reach_length * 2 + spread->apart * FARTHEST_CENTRE;
    if (!spread->consistent)
        off = f1_min(off, off_by_centres(skin, joints, node, move));
    return off * (1 + 16 * GRAZEI_UNIT) + rounding_of(skin, joints, reach, spread->length);
}

/* The centre of one joint-set's vertices and how far their blends spread around it: for a vertex at
 * the rest centre, y from the set's centre, Q y Q^-1 - z is (Q y - z Q) Q^-1, linear in the weights
 * and zero at their centre, and the images' blend moves with the weights as in linear skinning.
 */
GRAZEI_INLINE float spread_of_set(const centred_node *at, const grazei_set_pose *set,
                                  const f4 *images, bool blended, f4 *centre)
{
    f4 mean = f4_zero();
    float values[GRAZEI_MAX_CENTRE_JOINTS], most = 0;
    f4 y = at->centre - f4_load3(set->centre);
    f4 z = quat_turn(at->unit, y);
    for (uint32_t k = 0; k < at->count; k++) {
        mean = mean + images[k] * f4_all(at->shares[k][1]);
        f4 off = quat_multiply(at->quats[k], y) - quat_multiply(z, at->quats[k]);
        values[k] = sqrtf(f4_dot4(off, off));
    }
    float turned = INFINITY;
    if (blended)
        turned = knapsack(values, at->shares, at->count, at->limit) / at->length;
    if (turned >= f4_length3(y)) {
        turned = f4_length3(y);
        z = f4_zero();
    }
    for (uint32_t k = 0; k < at->count; k++) {
        values[k] = f4_length3(images[k] - mean);
        most = f1_max(most, values[k]);
    }
    *centre = mean + z;
    return turned + f1_min(most, knapsack(values, at->shares, at->count, at->limit));
}

static bool centred(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                    const centred_node *at, grazei_rough *rough)
{
    uint32_t set = skin->blend.node_sets[skin->blend.nodes[node].first_set];
    f4 centre;
    /* The node's joints are the set's, in the same order. */
    const grazei_set_pose *own = set_pose(skin, joints, set);
    const f4 *images = joints->set_images + skin->mesh->set_offsets[set];
    float spread = spread_of_set(at, own, images, true, &centre);
    *rough = around(skin, joints, at, centre, spread);
    return true;
}

static float set_ball(const grazei_skin *skin, const grazei_joints *joints, uint32_t set,
                      const centred_node *at, bool blended, float least_pivot, f4 *centre)
{
    const grazei_set_pose *own = set_pose(skin, joints, set);
    const f4 *images = joints->set_images + skin->mesh->set_offsets[set];
    float spread = spread_of_set(at, own, images, blended, centre);
    float length = blended ? at->length : least_pivot;
    float reach = f4_length3(f4_load3(own->centre)) + joints->reach_length;
    return at->radius + spread * (1 + (float)(4 * at->count + 32) * GRAZEI_UNIT) +
           rounding_of(skin, joints, reach, length);
}

#define MAX_KEPT_CORNERS 32

static inline f4 blend_corner(const f4 *images, const float *weights, uint32_t p)
{
    f4 blend = images[0] * f4_all(weights[0]);
    for (uint32_t k = 1; k < p; k++)
        blend = blend + images[k] * f4_all(weights[k]);
    return blend;
}

/* Where the joints of one set can turn the vector y to: the ball (z, radius) around the cap of the
 * sphere of radius |y| that corners of the weights' polytope span. Kavan, O'Sullivan and Zara 2006,
 * lemma 5, holds for caps of up to 90 degrees only; beyond that the whole ball is taken.
 */
static float cap_around(const grazei_joints *joints, const float *words, f4 y, f4 *z)
{
    uint32_t p = f4_bits(words[0]), m = f4_bits(words[1]);
    f4 quats[GRAZEI_MAX_CENTRE_JOINTS], mean = f4_zero();
    float length = f4_length3(y) * (1 + 8 * GRAZEI_UNIT), least = 1;
    *z = f4_zero();
    for (uint32_t k = 0; k < p; k++) {
        f4 q = joints->rotations[f4_bits(words[2 + k])];
        quats[k] = k && f4_dot4(q, quats[0]) < 0 ? -q : q;
        for (uint32_t j = 0; j < k; j++)
            if (!(f4_dot4(quats[k], quats[j]) > 0.01f))
                return length; /* signs may differ from vertex to vertex */
    }
    f4 corners[MAX_KEPT_CORNERS];
    const float *weights = words + 2 + p;
    for (uint32_t c = 0; c < m; c++) {
        f4 corner = blend_corner(quats, weights + c * p, p);
        mean = mean + corner;
        if (c < MAX_KEPT_CORNERS)
            corners[c] = corner;
    }
    mean = mean * f4_all(1 / sqrtf(f4_dot4(mean, mean)));
    for (uint32_t c = 0; c < m; c++) {
        f4 corner = c < MAX_KEPT_CORNERS ? corners[c] : blend_corner(quats, weights + c * p, p);
        least = f1_min(least, f4_dot4(corner, mean) / sqrtf(f4_dot4(corner, corner)));
    }
    least -= 32 * GRAZEI_UNIT;
    float cosine = 2 * least * least - 1;
    if (!(least > 0 && cosine > 0))
        return length;
    *z = quat_turn(mean, y) * f4_all(cosine);
    return length * sqrtf(f1_max(1 - cosine * cosine, 0)) * (1 + 16 * GRAZEI_UNIT) +
           length * 16 * GRAZEI_UNIT;
}

/* Algorithm 1 of Kavan, O'Sullivan and Zara 2006: for every joint-set of the node the cap of its
 * rotations, carried to the blends of the centre's images at the corners of the weights' polytope.
 */
static grazei_rough rough_caps(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                               const grazei_morph_move *move, float (*workspace)[4])
{
    const float(*rows)[4] = (const float(*)[4])skin->rows + skin->records[node].first;
    uint32_t next = skin->blend.nodes[node].first_set;
    f4 centre = f4_load3(rows[0]) + (move ? move->shift : f4_zero()), sum = f4_zero();
    float own = rows[0][3] + (move ? move->grow[0] : 0);
    uint32_t sets = f4_bits(rows[1][0]), total = 0;
    const float *words = rows[2];
    for (uint32_t s = 0; s < sets; s++) {
        uint32_t p = f4_bits(words[0]), m = f4_bits(words[1]);
        const float *weights = words + 2 + p;
        f4 z = f4_zero(), alone;
        const f4 *images = &alone;
        float radius = own * joints->stretch[f4_bits(words[2])];
        if (p > 1) {
            uint32_t multiple = skin->blend.node_sets[next++];
            const grazei_set_pose *set = set_pose(skin, joints, multiple);
            radius = own + cap_around(joints, words, centre - f4_load3(set->centre), &z);
            images = joints->set_images + skin->mesh->set_offsets[multiple];
        } else {
            alone = f4_map_point(&joints->maps[f4_bits(words[2])], centre);
        }
        for (uint32_t c = 0; c < m; c++, weights += p) {
            f4 blend = blend_corner(images, weights, p) + z;
            blend[3] = radius;
            sum = sum + blend;
            f4_store(workspace[total++], blend);
        }
        words = weights;
    }
    f4 mean = sum * f4_all(1.0f / (float)total);
    return rough_sphere(mean, farthest(workspace, total, mean));
}

static void bound_caps(const grazei_skin *skin, const grazei_joints *joints, uint32_t node,
                       grazei_bound *bound, float (*workspace)[4])
{
    grazei_morph_move moved, *move = NULL;
    if (skin->morph.target_count) {
        moved = grazei_morph_node(&skin->morph, node, joints->morph_weights);
        move = &moved;
    }
    grazei_rough rough = rough_caps(skin, joints, node, move, workspace);
    float extra = rounding(skin, joints, node, skin->blend.nodes[node].least_pivot);
    finish_blended(skin, joints, node, rough, extra + lost_by_rotations(joints), bound);
}

static void bound(const grazei_skin *skin, const grazei_joints *joints, uint32_t first,
                  uint32_t count, grazei_bound *bounds, float (*workspace)[4])
{
    static const blend_kind kind = {true, centred, extra, set_ball, rounding};
    uint32_t n = first, end = first + count;
    if (n == 0 && joints->put_off && bound_root(skin, joints, &bounds[0], workspace, &kind))
        n++;
    if (n < end)
        need_rotations(skin, joints);
    while (n < end) {
        uint8_t own = skin->records[n].kind;
        if (own == GRAZEI_SPHERE_POSED) {
            n = bound_posed_nodes(skin, joints, n, end, bounds, pose);
            continue;
        }
        if (is_plain(skin, joints, n))
            bound_plain_node(skin, joints, n, &bounds[n], workspace);
        else if (own == GRAZEI_SPHERE_CORNERS && !joints->scaled)
            bound_caps(skin, joints, n, &bounds[n], workspace);
        else
            bound_blended_node(skin, joints, n, &bounds[n], workspace, &kind);
        n++;
    }
}

static bool prepare(const grazei_skin *skin, grazei_joints *joints, const grazei_pose_input *input)
{
    return grazei_prepare_blended(skin, joints, input);
}

/* The centre c = g + x makes |(C_a - C_b) c| small; with the pull of 1e-4 a least-squares solution
 * has |x| <= |(C_a - C_b) g| / (2 sqrt(1e-4)) <= 100 m, twice that as it is computed. The vertex is
 * within |rest| + 2 |c| + m.
 */
const grazei_deformer GRAZEI_ISA(spherical_deformer) = {.name = "spherical",
                                                        .needs_rotations = true,
                                                        .needs_centres = true,
                                                        .follows_joints = true,
                                                        .growth = 512,
                                                        .prepare = prepare,
                                                        .pose = pose,
                                                        .pose_chosen = pose_chosen,
                                                        .bound = bound,
                                                        .reweigh = grazei_reweigh,
                                                        .complete = make_rotations};
