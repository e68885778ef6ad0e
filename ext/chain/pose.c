/* Where spheres are in a pose: by their pivots (Madera et al. 2017, section 5.1), or around all
 * that they own.
 */
#include "base/status.h"
#include "body/body.h"
#include "chain/bound_kernels.h"
#include "chain/tracker.h"
#include "math/rounding.h"

#include <string.h>

/* ---- by pivots ------------------------------------------------------------------------------ */

/* Posed pivots into their slots. */
static void pose_chunk(const graze_chain_tracker *tracker, const graze_body *body,
                       const grazei_pivot_chunk *chunk, float (*slots)[4])
{
    const grazei_stream *stream = &chunk->stream;
    const float(*known)[4] = grazei_body_known_positions(body);
    for (uint32_t i = 0; known && i < stream->count; i++)
        f4_store(slots[stream->vertices[i]], f4_load(known[chunk->numbers[i]]));
    if (known)
        return;
    const grazei_joints *joints = grazei_body_joints(body);
    float morphed[GRAZEI_CHUNK_SLOTS][4] __attribute__((aligned(64)));
    grazei_batch_in batch = {(const float(*)[4])stream->rest, stream->influences, stream->sets,
                             stream->count, stream->vertices};
    if (joints->morph_error != 0) {
        grazei_morph_apply(&chunk->morphs, 0, chunk->morphs.run_count, joints->morph_weights,
                           batch.rest, batch.count, morphed);
        batch.rest = (const float(*)[4])morphed;
    }
    f4 low, high;
    tracker->model->deformer->pose(&tracker->model->skin, joints, &batch, slots, &low, &high);
}

/* Points of four spheres, one a lane. */
typedef struct four_points {
    f4 x, y, z;
} four_points;

static inline four_points load_points(const float (*slots)[4])
{
    four_points p = {f4_load(slots[0]), f4_load(slots[1]), f4_load(slots[2])};
    f4 last = f4_load(slots[3]);
    f4_transpose(&p.x, &p.y, &p.z, &last);
    return p;
}

/* Pivot k of the four: a vertex, or the centroid of three as grazei_chain_centroid has it. */
static inline four_points load_pivots(const float (*slots)[4], uint32_t k, uint32_t per_pivot)
{
    four_points p = load_points(slots + GRAZEI_SPHERE_GROUP * (size_t)(k * per_pivot));
    if (per_pivot == 1)
        return p;
    four_points b = load_points(slots + GRAZEI_SPHERE_GROUP * (size_t)(3 * k + 1));
    four_points c = load_points(slots + GRAZEI_SPHERE_GROUP * (size_t)(3 * k + 2));
    const f4 third = f4_all(1.0f / 3.0f);
    return (four_points){((p.x + b.x) + c.x) * third, ((p.y + b.y) + c.y) * third,
                         ((p.z + b.z) + c.z) * third};
}

/* grazei_chain_follow for four spheres, operation by operation: a weight of 0 adds a zero, which
 * changes no sum that began with +0.
 */
static inline void follow_group(const graze_chain_tracker *tracker,
                                const grazei_sphere_group *group, const float (*slots)[4],
                                f4 out[4])
{
    four_points c = {f4_zero(), f4_zero(), f4_zero()};
    f4 distances = f4_zero();
    const uint32_t per_pivot = tracker->vertices_per_pivot;
    for (uint32_t k = 0; k < group->pivot_count; k++) {
        four_points p = load_pivots(slots, k, per_pivot);
        f4 weight = tracker->weights[group->first_row + k];
        c.x = c.x + p.x * weight;
        c.y = c.y + p.y * weight;
        c.z = c.z + p.z * weight;
    }
    for (uint32_t k = 0; k < group->pivot_count; k++) {
        four_points p = load_pivots(slots, k, per_pivot);
        f4 x = p.x - c.x, y = p.y - c.y, z = p.z - c.z;
        f4 distance = f4_sqrt((x * x + y * y) + z * z);
        distances = distances + distance * tracker->counts[group->first_row + k];
    }
    out[0] = c.x;
    out[1] = c.y;
    out[2] = c.z;
    out[3] = group->scales * distances;
    f4_transpose(&out[0], &out[1], &out[2], &out[3]);
}

static void pose_pivots(const graze_chain_tracker *tracker, const graze_body *body, float *spheres)
{
    float slots[GRAZEI_CHUNK_SLOTS][4] __attribute__((aligned(64)));
    for (uint32_t i = 0; i < tracker->chunk_count; i++) {
        const grazei_pivot_chunk *chunk = &tracker->chunks[i];
        pose_chunk(tracker, body, chunk, slots);
        for (uint32_t g = chunk->first_group; g < chunk->first_group + chunk->part_count; g++) {
            f4 out[GRAZEI_SPHERE_GROUP];
            const uint32_t first = GRAZEI_SPHERE_GROUP * g, left = tracker->sphere_count - first;
            const grazei_sphere_group *group = &tracker->groups[g];
            follow_group(tracker, group, (const float(*)[4])slots + group->first_slot, out);
            memcpy(spheres + 4 * (size_t)first, out,
                   (left < GRAZEI_SPHERE_GROUP ? left : GRAZEI_SPHERE_GROUP) * sizeof *out);
        }
    }
}

/* ---- around all of it ------------------------------------------------------------------------ */

/* The test of an overlap rounds its left side up by at most 5 units and its right side down by 3:
 * (1 + 8u)^2 on the right is more than both. Squares of such a radius are normal numbers.
 */
static float widen(float radius)
{
    return (radius + 2 * GRAZEI_LEAST_RADIUS) * (1 + 16 * GRAZEI_UNIT);
}

/* A sphere around those of pieces, in the middle of the box around them. */
static void enclose_pieces(const grazei_bound *bounds, uint32_t count, float *sphere)
{
    f4 low = f4_all(INFINITY), high = f4_all(-INFINITY);
    for (uint32_t i = 0; i < count; i++) {
        f4 own = grazei_bound_first(&bounds[i]), radius = f4_w(own);
        low = f4_min(low, own - radius);
        high = f4_max(high, own + radius);
    }
    f4 centre = (low + high) * f4_all(0.5f);
    float radius = 0;
    for (uint32_t i = 0; i < count; i++) {
        f4 apart = grazei_bound_first(&bounds[i]) - centre;
        /* Three roundings of squares and sums, the root's and the sum's: below 8 units. */
        radius = f1_max(radius, f4_length3(apart) * (1 + 8 * GRAZEI_UNIT) + bounds[i].radius);
    }
    f4_store3(sphere, centre);
    sphere[3] = widen(radius * (1 + 2 * GRAZEI_UNIT) + GRAZEI_LEAST_LENGTH);
}

/* Around all of it, or around the pieces, whichever is smaller: pieces fit better where it bends.
 */
static void enclose(const grazei_bound *bounds, uint32_t count, float *sphere)
{
    float of_pieces[4] = {0, 0, 0, INFINITY};
    memcpy(sphere, bounds[0].centre, 3 * sizeof *sphere);
    sphere[3] = widen(bounds[0].radius);
    if (count > 1)
        enclose_pieces(bounds + 1, count - 1, of_pieces);
    if (of_pieces[3] < sphere[3])
        memcpy(sphere, of_pieces, sizeof of_pieces);
}

static void bound_spheres(const graze_chain_tracker *tracker, const graze_body *body,
                          float *spheres)
{
    const graze_model *model = tracker->model;
    float stretch[2][GRAZEI_MAX_BOUND_JOINTS] __attribute__((aligned(64)));
    float workspace[GRAZEI_MAX_BOUND_JOINTS + 3][4] __attribute__((aligned(64)));
    grazei_bound bounds[1 + GRAZEI_MAX_CLUSTERS];
    grazei_joints joints = *grazei_body_whole_joints(body);
    grazei_skin skin = tracker->clusters;
    joints.put_off = false; /* no cluster is the root */
    GRAZEI_PICK(model->isa, chain_bound_kernels)
        ->add_stretch(&joints, model->mesh.joint_count, stretch[0], stretch[1]);
    for (uint32_t s = 0; s < tracker->sphere_count; s++) {
        /* The clusters of this sphere as nodes 0, 1, ... */
        uint32_t first = tracker->first_cluster[s], count = tracker->first_cluster[s + 1] - first;
        skin.records = tracker->clusters.records + first;
        if (skin.blend.nodes)
            skin.blend.nodes = tracker->clusters.blend.nodes + first;
        if (skin.morph.target_count)
            skin.morph.node_first = tracker->clusters.morph.node_first + first;
        model->deformer->bound(&skin, &joints, 0, count, bounds, workspace);
        enclose(bounds, count, spheres + 4 * (size_t)s);
    }
}

/* Around posed vertices. */
static void hold_vertices(const graze_chain_tracker *tracker, const float (*positions)[4],
                          float *spheres)
{
    for (uint32_t s = 0; s < tracker->sphere_count; s++) {
        f4 low = f4_all(INFINITY), high = f4_all(-INFINITY);
        float square = 0;
        for (uint32_t i = tracker->first_vertex[s]; i < tracker->first_vertex[s + 1]; i++) {
            f4 at = f4_load(positions[tracker->vertices[i]]);
            low = f4_min(low, at);
            high = f4_max(high, at);
        }
        f4 centre = (low + high) * f4_all(0.5f);
        for (uint32_t i = tracker->first_vertex[s]; i < tracker->first_vertex[s + 1]; i++) {
            f4 apart = f4_load(positions[tracker->vertices[i]]) - centre;
            square = f1_max(square, f4_dot3(apart, apart));
        }
        f4_store3(spheres + 4 * (size_t)s, centre);
        spheres[4 * (size_t)s + 3] =
            widen(sqrtf(square) * (1 + 8 * GRAZEI_UNIT) + GRAZEI_LEAST_LENGTH);
    }
}

static graze_status pose_conservative(const graze_chain_tracker *tracker, graze_body *body,
                                      float *spheres, graze_error *error)
{
    const float(*known)[4] =
        grazei_body_has_positions(body) ? grazei_body_known_positions(body) : NULL;
    if (!known && tracker->is_bounded) {
        bound_spheres(tracker, body, spheres);
        return GRAZE_OK;
    }
    graze_status status = known ? GRAZE_OK : grazei_body_ready(body, error);
    if (!status)
        hold_vertices(tracker, known ? known : grazei_body_all_positions(body), spheres);
    return status;
}

graze_status graze_chain_pose(const graze_chain_tracker *tracker, graze_body *body,
                              graze_chain_update update, float *spheres, uint32_t capacity,
                              graze_error *error)
{
    graze_status status = grazei_check_pointer(tracker, "the tracker", error);
    if (!status)
        status = grazei_check_pointer(body, "the body", error);
    if (!status)
        status = grazei_check_pointer(spheres, "the array of spheres", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (status)
        return status;
    if (grazei_body_model(body) != tracker->model)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the body is of another model than the chains");
    if (capacity < tracker->sphere_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "room for %u spheres, there are %u", capacity,
                           tracker->sphere_count);
    if (update != GRAZE_CHAIN_PIVOTS && update != GRAZE_CHAIN_CONSERVATIVE)
        return grazei_fail(error, GRAZE_BAD_INPUT, "update %d is unknown", (int)update);
    if (update == GRAZE_CHAIN_CONSERVATIVE)
        return pose_conservative(tracker, body, spheres, error);
    pose_pivots(tracker, body, spheres);
    return GRAZE_OK;
}
