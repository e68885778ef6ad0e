/* How far vertices are off when a piece of a clip is played instead of the clip. */
#include "cut.h"

#include <math.h>
#include <string.h>

/* ---- reaches ------------------------------------------------------------------------------ */

/* Where every node is in the pose at the start of the piece, as 12 floats a node. */
static graze_status node_maps(const graze_rig *rig, const graze_rig_cut *cut, float *maps)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    graze_rig all = *rig; /* with a joint on every node */
    graze_rig_joint *joints = grazei_rig_allocate(rig, rig->node_count, sizeof *joints);
    if (!joints)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < rig->node_count; i++) {
        joints[i].node = i;
        memcpy(joints[i].inverse_bind, identity, sizeof identity);
    }
    all.joints = joints;
    all.joint_count = rig->node_count;
    graze_status status = graze_rig_sample(&all, cut->clip, cut->from, maps, NULL);
    grazei_rig_release(rig, joints);
    return status;
}

static double distance(const double *p, const float *map)
{
    double x = p[0] - map[3], y = p[1] - map[7], z = p[2] - map[11];
    return sqrt(x * x + y * y + z * z);
}

static graze_status check_joints(const graze_rig *rig, uint32_t vertex)
{
    for (uint32_t i = rig->influence_offsets[vertex]; i < rig->influence_offsets[vertex + 1]; i++)
        if (rig->influences[i].joint >= rig->joint_count)
            return GRAZE_BAD_INPUT;
    return GRAZE_OK;
}

/* A vertex as one of its joints moves it widens the reaches of the nodes above. */
static void widen_reaches(const graze_rig *rig, uint32_t vertex, const float *joints,
                          const float *maps, double *reaches)
{
    const float *v = rig->positions + (size_t)vertex * 3;
    for (uint32_t i = rig->influence_offsets[vertex]; i < rig->influence_offsets[vertex + 1]; i++) {
        if (!(rig->influences[i].weight > 0))
            continue;
        const float *m = joints + (size_t)rig->influences[i].joint * 12;
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = (double)m[k * 4] * v[0] + (double)m[k * 4 + 1] * v[1] +
                   (double)m[k * 4 + 2] * v[2] + m[k * 4 + 3];
        uint32_t node = rig->joints[rig->influences[i].joint].node;
        for (; node != GRAZE_NONE; node = rig->nodes[node].parent)
            reaches[node] = fmax(reaches[node], distance(p, maps + (size_t)node * 12));
    }
}

graze_status grazei_rig_reaches(const graze_rig *rig, const graze_rig_cut *cut, double *reaches)
{
    float *maps = grazei_rig_allocate(rig, rig->node_count, 12 * sizeof *maps);
    float *joints = grazei_rig_allocate(rig, rig->joint_count, 12 * sizeof *joints);
    graze_status status = maps && joints ? node_maps(rig, cut, maps) : GRAZE_OUT_OF_MEMORY;
    if (!status)
        status = graze_rig_sample(rig, cut->clip, cut->from, joints, NULL);
    for (uint32_t i = 0; i < rig->node_count; i++)
        reaches[i] = 0;
    for (uint32_t v = 0; v < rig->vertex_count && !status; v++)
        status = check_joints(rig, v);
    for (uint32_t v = 0; v < rig->vertex_count && !status; v++)
        widen_reaches(rig, v, joints, maps, reaches);
    grazei_rig_release(rig, maps);
    grazei_rig_release(rig, joints);
    return status;
}

double grazei_rig_morph_reach(const graze_rig *rig)
{
    double most = 0;
    for (uint32_t m = 0; m < rig->morph_count; m++)
        for (uint32_t i = 0; i < rig->morphs[m].count; i++) {
            const float *d = rig->morphs[m].deltas + (size_t)i * 3;
            double squared = (double)d[0] * d[0] + (double)d[1] * d[1] + (double)d[2] * d[2];
            most = squared > most ? squared : most;
        }
    return sqrt(most);
}

/* ---- measuring ---------------------------------------------------------------------------- */

/* One of two poses that are compared. */
typedef struct posed {
    float *joints;
    float *weights;
    double *positions; /* of vertices, morphed */
} posed;

static bool allocate_posed(const graze_rig *rig, posed *pose)
{
    pose->joints = grazei_rig_allocate(rig, rig->joint_count, 12 * sizeof *pose->joints);
    pose->weights = grazei_rig_allocate(rig, rig->morph_count, sizeof *pose->weights);
    pose->positions = grazei_rig_allocate(rig, rig->vertex_count, 3 * sizeof *pose->positions);
    return pose->joints && pose->weights && pose->positions;
}

static void free_posed(const graze_rig *rig, posed *pose)
{
    grazei_rig_release(rig, pose->joints);
    grazei_rig_release(rig, pose->weights);
    grazei_rig_release(rig, pose->positions);
}

static graze_status take_pose(const graze_rig *rig, uint32_t clip, double time, posed *pose)
{
    graze_status status = graze_rig_sample(rig, clip, time, pose->joints, pose->weights);
    for (size_t i = 0; i < (size_t)rig->vertex_count * 3; i++)
        pose->positions[i] = rig->positions[i];
    for (uint32_t m = 0; m < rig->morph_count && !status; m++) {
        const graze_rig_morph *morph = &rig->morphs[m];
        for (size_t i = 0; i < (size_t)morph->count * 3; i++)
            pose->positions[morph->vertices[i / 3] * (size_t)3 + i % 3] +=
                (double)pose->weights[m] * morph->deltas[i];
    }
    return status;
}

/* Squared distance of one vertex's two places. */
static double vertex_error(const graze_rig *rig, uint32_t vertex, const posed *a, const posed *b)
{
    const double *p = a->positions + (size_t)vertex * 3, *q = b->positions + (size_t)vertex * 3;
    double off[3] = {0}, sum = 0;
    for (uint32_t i = rig->influence_offsets[vertex]; i < rig->influence_offsets[vertex + 1]; i++) {
        double weight = rig->influences[i].weight;
        const float *m = a->joints + (size_t)rig->influences[i].joint * 12;
        const float *n = b->joints + (size_t)rig->influences[i].joint * 12;
        sum += weight;
        for (int k = 0; k < 3; k++, m += 4, n += 4)
            off[k] += weight * (m[0] * p[0] - n[0] * q[0] + m[1] * p[1] - n[1] * q[1] +
                                m[2] * p[2] - n[2] * q[2] + ((double)m[3] - n[3]));
    }
    return (off[0] * off[0] + off[1] * off[1] + off[2] * off[2]) / (sum * sum);
}

graze_status grazei_rig_measure(const graze_rig *rig, const graze_rig_cut *cut,
                                graze_rig_clip *piece, double *largest)
{
    graze_rig other = *rig; /* with the piece as its only clip */
    posed poses[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
    bool made = allocate_posed(rig, &poses[0]) && allocate_posed(rig, &poses[1]);
    graze_status status = made ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
    double most = 0;
    uint32_t steps = 2 * (uint32_t)floor(cut->seconds * cut->fps + 1e-6);
    other.clips = piece;
    other.clip_count = 1;
    for (uint32_t step = 0; step <= steps && !status; step++) {
        double time = step / (2 * cut->fps);
        status = take_pose(rig, cut->clip, cut->from + time, &poses[0]);
        if (!status)
            status = take_pose(&other, 0, time, &poses[1]);
        for (uint32_t v = 0; v < rig->vertex_count && !status; v++)
            most = fmax(most, vertex_error(rig, v, &poses[0], &poses[1]));
    }
    free_posed(rig, &poses[0]);
    free_posed(rig, &poses[1]);
    *largest = sqrt(most);
    return status;
}
