/* Puts the meshes of a rig where the file shows them, in another unit.
 *
 * Vertices whose joints hang together by shared vertices form a piece, which moves to model space
 * by one affine map A: that of one of its joints in the pose in which the file stands. Where a
 * vertex was x and a joint's inverse bind matrix B, now it is A x and B A^-1, so that every pose
 * has the same posed vertices but for rounding. Then all lengths are multiplied.
 */
#include "sample.h"

#include <math.h>
#include <string.h>

typedef struct settling {
    graze_rig *rig;
    float *matrices;  /* of joints, in the pose of the file */
    uint32_t *leader; /* of each joint, one of its piece's; itself, or on the way to it */
} settling;

static uint32_t leader_of(const settling *s, uint32_t joint)
{
    while (s->leader[joint] != joint)
        joint = s->leader[joint] = s->leader[s->leader[joint]];
    return joint;
}

/* The piece takes the joint with the lowest number for its leader. */
static void find_pieces(settling *s)
{
    const graze_rig *rig = s->rig;
    for (uint32_t j = 0; j < rig->joint_count; j++)
        s->leader[j] = j;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        uint32_t first = rig->influence_offsets[v];
        for (uint32_t i = first + 1; i < rig->influence_offsets[v + 1]; i++) {
            uint32_t a = leader_of(s, rig->influences[first].joint);
            uint32_t b = leader_of(s, rig->influences[i].joint);
            s->leader[a > b ? a : b] = a < b ? a : b;
        }
    }
}

static void apply(const float rows[12], double w, const float in[3], float out[3])
{
    double result[3];
    for (int i = 0; i < 3; i++)
        result[i] = (double)rows[4 * i] * (double)in[0] + (double)rows[4 * i + 1] * (double)in[1] +
                    (double)rows[4 * i + 2] * (double)in[2] + w * (double)rows[4 * i + 3];
    for (int i = 0; i < 3; i++)
        out[i] = (float)result[i];
}

/* The inverse of an affine map; false if there is none. */
static bool invert(const float rows[12], double out[12])
{
    double r[9], c[9];
    for (int i = 0; i < 9; i++)
        r[i] = (double)rows[4 * (i / 3) + i % 3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int a = (j + 1) % 3, b = (j + 2) % 3, d = (i + 1) % 3, e = (i + 2) % 3;
            c[3 * i + j] = r[3 * a + d] * r[3 * b + e] - r[3 * a + e] * r[3 * b + d];
        }
    double determinant = r[0] * c[0] + r[1] * c[3] + r[2] * c[6];
    if (!(fabs(determinant) > 0))
        return false;
    for (int i = 0; i < 3; i++) {
        out[4 * i + 3] = 0;
        for (int j = 0; j < 3; j++) {
            out[4 * i + j] = c[3 * i + j] / determinant;
            out[4 * i + 3] -= out[4 * i + j] * (double)rows[4 * j + 3];
        }
    }
    return true;
}

static void multiply(const float a[12], const double b[12], float out[12])
{
    double made[12];
    for (int i = 0; i < 12; i++) {
        made[i] = i % 4 == 3 ? (double)a[i] : 0;
        for (int k = 0; k < 3; k++)
            made[i] += (double)a[4 * (i / 4) + k] * b[4 * k + i % 4];
    }
    for (int i = 0; i < 12; i++)
        out[i] = (float)made[i];
}

static bool move_joints(const settling *s)
{
    for (uint32_t j = 0; j < s->rig->joint_count; j++) {
        double back[12];
        if (!invert(s->matrices + 12 * (size_t)leader_of(s, j), back))
            return false;
        multiply(s->rig->joints[j].inverse_bind, back, s->rig->joints[j].inverse_bind);
    }
    return true;
}

static const float *matrix_of_vertex(const settling *s, uint32_t vertex)
{
    const graze_rig *rig = s->rig;
    uint32_t first = rig->influence_offsets[vertex];
    return s->matrices + 12 * (size_t)leader_of(s, rig->influences[first].joint);
}

static void move_vertices(const settling *s)
{
    graze_rig *rig = s->rig;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        float *at = rig->positions + 3 * (size_t)v;
        apply(matrix_of_vertex(s, v), 1, at, at);
    }
    for (uint32_t m = 0; m < rig->morph_count; m++)
        for (uint32_t i = 0; i < rig->morphs[m].count; i++) {
            float *delta = rig->morphs[m].deltas + 3 * (size_t)i;
            apply(matrix_of_vertex(s, rig->morphs[m].vertices[i]), 0, delta, delta);
        }
}

static void scale_all(float *numbers, size_t count, float by)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] *= by;
}

/* The last column of three rows of four. */
static void scale_rows(float rows[12], float by)
{
    for (int i = 3; i < 12; i += 4)
        rows[i] *= by;
}

static void scale_lengths(graze_rig *rig, float by)
{
    scale_all(rig->positions, 3 * (size_t)rig->vertex_count, by);
    for (uint32_t m = 0; m < rig->morph_count; m++)
        scale_all(rig->morphs[m].deltas, 3 * (size_t)rig->morphs[m].count, by);
    for (uint32_t j = 0; j < rig->joint_count; j++)
        scale_rows(rig->joints[j].inverse_bind, by);
    for (uint32_t n = 0; n < rig->node_count; n++) {
        scale_all(rig->nodes[n].translation, 3, by);
        scale_rows(rig->nodes[n].matrix, by);
    }
    for (uint32_t c = 0; c < rig->clip_count; c++)
        for (uint32_t i = 0; i < rig->clips[c].channel_count; i++) {
            graze_rig_channel *channel = &rig->clips[c].channels[i];
            size_t values = channel->interpolation == GRAZE_RIG_CUBICSPLINE ? 9 : 3;
            if (channel->path == GRAZE_RIG_TRANSLATION)
                scale_all(channel->values, values * channel->key_count, by);
        }
}

graze_status graze_rig_settle(graze_rig *rig, float unit, graze_error *error)
{
    if (!rig)
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "the rig is NULL");
    if (!(unit > 1e-9f && unit < 1e9f))
        return grazei_rig_fail(error, GRAZE_BAD_INPUT, "a unit of %g m is none", (double)unit);
    settling s = {.rig = rig,
                  .matrices = grazei_rig_allocate(rig, rig->joint_count, 12 * sizeof(float)),
                  .leader = grazei_rig_allocate(rig, rig->joint_count, sizeof(uint32_t))};
    graze_status status = s.matrices && s.leader
                              ? GRAZE_OK
                              : grazei_rig_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    if (!status)
        status = grazei_rig_fail_sample(
            rig, GRAZE_NONE, 0, graze_rig_sample(rig, GRAZE_NONE, 0, s.matrices, NULL), error);
    if (!status) {
        find_pieces(&s);
        for (uint32_t j = 0; j < rig->joint_count && !status; j++) {
            double unused[12];
            if (!invert(s.matrices + 12 * (size_t)leader_of(&s, j), unused))
                status = grazei_rig_fail(error, GRAZE_BAD_INPUT,
                                         "joint %u is flat where the file stands", j);
        }
    }
    if (!status && move_joints(&s)) {
        move_vertices(&s);
        scale_lengths(rig, unit);
    }
    grazei_rig_release(rig, s.matrices);
    grazei_rig_release(rig, s.leader);
    return status;
}

float graze_rig_guess_unit(const graze_rig *rig)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    float size = 0;
    for (uint32_t v = 0; rig && v < rig->vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], rig->positions[3 * (size_t)v + (size_t)k]);
            high[k] = fmaxf(high[k], rig->positions[3 * (size_t)v + (size_t)k]);
        }
    for (int k = 0; k < 3; k++)
        size = fmaxf(size, high[k] - low[k]);
    return size > 2000 ? 0.001f : size > 20 ? 0.01f : 1;
}
