#include "support/deform_reference.h"

#include "support/deform_math.h"
#include "support/own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reference_joint {
    double a[3][3], t[3];    /* as given */
    double r[3][3], s[3][3]; /* A = R S; S is the identity for joints that are rigid */
    quaternion q;
    bool rigid;     /* nearly */
    double off;     /* how far it is from that, if so */
    bool ambiguous; /* hardly rigid or hardly not */
} reference_joint;

/* Influences merged, ascending and scaled to sum 1. */
typedef struct reference_vertex {
    uint32_t count;
    uint32_t joint[16];
    double weight[16];
    double centroid[3]; /* of all vertices with the same joints */
} reference_vertex;

struct deform_reference {
    const graze_model_def *def;
    graze_pose pose;
    reference_vertex *vertices;
    reference_joint *joints;
    bool *blends;
};

/* ---- the model ---------------------------------------------------------------------------- */

static void take_influence(reference_vertex *v, graze_influence influence)
{
    uint32_t at = 0;
    while (at < v->count && v->joint[at] < influence.joint)
        at++;
    if (at == v->count || v->joint[at] != influence.joint) {
        if (v->count == 16)
            abort();
        for (uint32_t i = v->count++; i > at; i--) {
            v->joint[i] = v->joint[i - 1];
            v->weight[i] = v->weight[i - 1];
        }
        v->joint[at] = influence.joint;
        v->weight[at] = 0;
    }
    v->weight[at] += influence.weight;
}

static void normalise(reference_vertex *v)
{
    double sum = 0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < v->count; i++)
        sum += v->weight[i];
    for (uint32_t i = 0; i < v->count; i++)
        if (v->weight[i] / sum >= 0x1p-40) {
            v->joint[used] = v->joint[i];
            v->weight[used++] = (float)(v->weight[i] / sum); /* ties are decided in float */
        }
    v->count = used;
}

static bool same_joints(const reference_vertex *a, const reference_vertex *b)
{
    return a->count == b->count && memcmp(a->joint, b->joint, a->count * sizeof *a->joint) == 0;
}

/* Vertices with the same joints share a centroid; found for the first and copied to the others. */
static void fill_centroids(deform_reference *reference)
{
    uint32_t count = reference->def->vertex_count;
    OWNED bool *done = calloc(count, sizeof *done);
    if (!done)
        abort();
    for (uint32_t v = 0; v < count; v++) {
        double sum[3] = {0, 0, 0};
        uint32_t members = 0;
        for (int pass = 0; pass < 2 && !done[v]; pass++)
            for (uint32_t u = v; u < count; u++) {
                if (done[u] || !same_joints(&reference->vertices[u], &reference->vertices[v]))
                    continue;
                members += pass == 0;
                for (int k = 0; k < 3; k++)
                    if (pass == 0)
                        sum[k] += reference->def->positions[3 * (size_t)u + (size_t)k];
                    else
                        reference->vertices[u].centroid[k] = sum[k] / members;
                done[u] = pass == 1 && u != v;
            }
        done[v] = true;
    }
}

deform_reference *deform_reference_make(const graze_model_def *def)
{
    deform_reference *made = calloc(1, sizeof *made);
    if (!made)
        abort();
    made->def = def;
    made->vertices = calloc(def->vertex_count, sizeof *made->vertices);
    made->joints = calloc(def->joint_count, sizeof *made->joints);
    made->blends = calloc(def->joint_count, sizeof *made->blends);
    if (!made->vertices || !made->joints || !made->blends)
        abort();
    for (uint32_t v = 0; v < def->vertex_count; v++) {
        reference_vertex *vertex = &made->vertices[v];
        if (!def->influences)
            take_influence(vertex, (graze_influence){0, 1});
        for (uint32_t i = def->influences ? def->influence_offsets[v] : 0;
             def->influences && i < def->influence_offsets[v + 1]; i++)
            if (def->influences[i].weight > 0)
                take_influence(vertex, def->influences[i]);
        normalise(vertex);
        for (uint32_t i = 0; vertex->count > 1 && i < vertex->count; i++)
            made->blends[vertex->joint[i]] = true;
    }
    fill_centroids(made);
    return made;
}

void deform_reference_free(deform_reference *reference)
{
    free(reference->vertices);
    free(reference->joints);
    free(reference->blends);
    free(reference);
}

/* ---- the pose ----------------------------------------------------------------------------- */

static double off_rigid(double a[3][3])
{
    double most = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double entry = a[0][i] * a[0][k] + a[1][i] * a[1][k] + a[2][i] * a[2][k] - (i == k);
            most = fmax(most, fabs(entry));
        }
    return most;
}

static void rotation_of(const float given[4], quaternion *q, double r[3][3])
{
    *q = (quaternion){given[3], given[0], given[1], given[2]};
    *q = times(*q, 1 / sqrt(dot(*q, *q)));
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2}, turned[3];
        turn(*q, axis, turned);
        for (int i = 0; i < 3; i++)
            r[i][k] = turned[i];
    }
}

/* A'A within this of the identity counts as a rotation; what else is split. */
static const double nearly_rigid = 1e-4;

static void split(reference_joint *joint, const float *given)
{
    double off = off_rigid(joint->a), volume = determinant(joint->a);
    memset(joint->s, 0, sizeof joint->s);
    joint->s[0][0] = joint->s[1][1] = joint->s[2][2] = 1;
    joint->rigid = off <= nearly_rigid && volume > 0;
    joint->off = joint->rigid ? off : 0;
    joint->ambiguous = fabs(off - nearly_rigid) < 1e-6;
    nearest_rotation(joint->a, joint->r);
    joint->q = quaternion_of(joint->r);
    if (joint->rigid)
        return;
    if (given)
        rotation_of(given, &joint->q, joint->r);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            joint->s[i][k] = joint->r[0][i] * joint->a[0][k] + joint->r[1][i] * joint->a[1][k] +
                             joint->r[2][i] * joint->a[2][k];
}

double deform_reference_split_error(const deform_reference *reference, const float (*rotations)[4])
{
    double most = 0;
    for (uint32_t j = 0; j < reference->def->joint_count; j++) {
        reference_joint joint = reference->joints[j];
        double size = norm(joint.a) / sqrt(3);
        if (!reference->blends[j] || joint.rigid || determinant(joint.a) < 0.3 * size * size * size)
            continue;
        nearest_rotation(joint.a, joint.r);
        joint.q = quaternion_of(joint.r);
        quaternion q;
        double r[3][3];
        rotation_of(rotations[j], &q, r);
        if (fabs(joint.q.w) > 0.05)
            most = fmax(most, 2 * acos(fmin(1, fabs(dot(q, joint.q)))));
    }
    return most;
}

void deform_reference_pose(deform_reference *reference, const graze_pose *pose,
                           const float (*rotations)[4])
{
    reference->pose = *pose;
    for (uint32_t j = 0; j < reference->def->joint_count; j++) {
        reference_joint *joint = &reference->joints[j];
        const float *m = pose->joints + 12 * (size_t)j;
        for (int i = 0; i < 3; i++) {
            joint->t[i] = m[4 * i + 3];
            for (int k = 0; k < 3; k++)
                joint->a[i][k] = m[4 * i + k];
        }
        if (reference->def->skinning != GRAZE_LINEAR && reference->blends[j])
            split(joint, rotations ? rotations[j] : NULL);
    }
}

/* ---- one vertex --------------------------------------------------------------------------- */

static void morph(const deform_reference *reference, uint32_t vertex, double v[3], double *size)
{
    const graze_model_def *def = reference->def;
    double moved[3];
    for (int k = 0; k < 3; k++)
        moved[k] = v[k] = def->positions[3 * (size_t)vertex + (size_t)k];
    *size = length(v);
    for (uint32_t m = 0; reference->pose.morph_weights && m < def->morph_count; m++) {
        const graze_morph_target *target = &def->morphs[m];
        for (uint32_t i = 0; i < target->count; i++)
            for (int k = 0; (target->vertices ? target->vertices[i] : i) == vertex && k < 3; k++) {
                double d = target->deltas[3 * (size_t)i + (size_t)k];
                moved[k] += reference->pose.morph_weights[m] * d;
                *size += fabs(reference->pose.morph_weights[m] * d);
            }
    }
    memcpy(v, moved, sizeof moved);
}

static void pose_linear(const deform_reference *reference, const reference_vertex *vertex,
                        const double v[3], double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t i = 0; i < vertex->count; i++) {
        reference_joint *joint = &reference->joints[vertex->joint[i]];
        double image[3];
        apply(joint->a, v, image);
        for (int k = 0; k < 3; k++)
            out[k] += vertex->weight[i] * (image[k] + joint->t[k]);
    }
}

/* The signed blend of the quaternions; signs[i] goes with influence i. */
static quaternion blend(const deform_reference *reference, const reference_vertex *vertex,
                        double signs[16], bool *ambiguous)
{
    uint32_t pivot = 0;
    quaternion sum = {0, 0, 0, 0};
    for (uint32_t i = 1; i < vertex->count; i++)
        if (vertex->weight[i] > vertex->weight[pivot])
            pivot = i;
    for (uint32_t i = 0; i < vertex->count; i++) {
        const reference_joint *joint = &reference->joints[vertex->joint[i]];
        double cosine = dot(joint->q, reference->joints[vertex->joint[pivot]].q);
        *ambiguous = *ambiguous || fabs(cosine) < 1e-4 || joint->ambiguous;
        signs[i] = cosine < 0 ? -1 : 1;
        add_times(&sum, joint->q, signs[i] * vertex->weight[i]);
    }
    return sum;
}

static void pose_dual(const deform_reference *reference, const reference_vertex *vertex,
                      const double signs[16], quaternion sum, const double v[3], double out[3])
{
    quaternion dual = {0, 0, 0, 0};
    double size = sqrt(dot(sum, sum));
    for (uint32_t i = 0; i < vertex->count; i++) {
        const reference_joint *joint = &reference->joints[vertex->joint[i]];
        quaternion t = {0, 0.5 * joint->t[0], 0.5 * joint->t[1], 0.5 * joint->t[2]};
        add_times(&dual, multiply(t, joint->q), signs[i] * vertex->weight[i]);
    }
    sum = times(sum, 1 / size);
    dual = times(dual, 1 / size);
    quaternion t = times(multiply(dual, conjugate(sum)), 2);
    turn(sum, v, out);
    out[0] += t.x;
    out[1] += t.y;
    out[2] += t.z;
}

/* Cramer's rule. */
static void solve(double m[3][3], const double b[3], double x[3])
{
    double whole = determinant(m);
    for (int k = 0; k < 3; k++) {
        double part[3][3];
        memcpy(part, m, sizeof part);
        for (int i = 0; i < 3; i++)
            part[i][k] = b[i];
        x[k] = determinant(part) / whole;
    }
}

static void find_centre(const deform_reference *reference, const reference_vertex *vertex,
                        double centre[3])
{
    double m[3][3] = {{0}}, b[3] = {0, 0, 0}, x[3];
    for (uint32_t i = 0; i < vertex->count; i++)
        for (uint32_t k = i + 1; k < vertex->count; k++) {
            const reference_joint *p = &reference->joints[vertex->joint[i]];
            const reference_joint *q = &reference->joints[vertex->joint[k]];
            double d[3][3], gap[3];
            for (int r = 0; r < 9; r++)
                d[r / 3][r % 3] = p->r[r / 3][r % 3] - q->r[r / 3][r % 3];
            apply(d, vertex->centroid, gap);
            for (int r = 0; r < 3; r++)
                gap[r] += p->t[r] - q->t[r];
            for (int r = 0; r < 3; r++) {
                m[r][r] += 1e-4;
                for (int c = 0; c < 3; c++) {
                    b[r] -= d[c][r] * gap[c];
                    m[r][c] += d[0][r] * d[0][c] + d[1][r] * d[1][c] + d[2][r] * d[2][c];
                }
            }
        }
    solve(m, b, x);
    for (int k = 0; k < 3; k++)
        centre[k] = vertex->centroid[k] + x[k];
}

static void pose_spherical(const deform_reference *reference, const reference_vertex *vertex,
                           quaternion sum, const double v[3], const double centre[3], double out[3])
{
    double arm[3] = {v[0] - centre[0], v[1] - centre[1], v[2] - centre[2]};
    turn(times(sum, 1 / sqrt(dot(sum, sum))), arm, out);
    for (uint32_t i = 0; i < vertex->count; i++) {
        reference_joint *joint = &reference->joints[vertex->joint[i]];
        double image[3];
        apply(joint->r, centre, image);
        for (int k = 0; k < 3; k++)
            out[k] += vertex->weight[i] * (image[k] + joint->t[k]);
    }
}

/* Places the vertex; size is how large the numbers before were, the same for every axis. */
static void place(const deform_reference *reference, double size, deform_posed *posed)
{
    const float *m = reference->pose.placement;
    for (int i = 0; i < 3; i++)
        posed->magnitude[i] = size;
    if (!m)
        return;
    double from[3];
    memcpy(from, posed->at, sizeof from);
    for (int i = 0; i < 3; i++) {
        posed->at[i] = m[4 * i + 3];
        posed->magnitude[i] = fabs((double)m[4 * i + 3]);
        for (int k = 0; k < 3; k++) {
            posed->at[i] += (double)m[4 * i + k] * from[k];
            posed->magnitude[i] += fabs((double)m[4 * i + k]) * size;
        }
    }
}

deform_posed deform_reference_vertex(const deform_reference *reference, uint32_t number)
{
    const reference_vertex *vertex = &reference->vertices[number];
    bool blended = reference->def->skinning != GRAZE_LINEAR && vertex->count > 1;
    double v[3], y[3] = {0, 0, 0}, centre[3] = {0, 0, 0}, size, stretch = 0, moved = 0, off = 0;
    deform_posed posed = {.ambiguous = false};
    morph(reference, number, v, &size);
    for (uint32_t i = 0; i < vertex->count; i++) {
        reference_joint *joint = &reference->joints[vertex->joint[i]];
        double image[3];
        stretch = fmax(stretch, norm(joint->a));
        moved = fmax(moved, length(joint->t));
        if (reference->def->skinning != GRAZE_LINEAR && reference->blends[vertex->joint[i]])
            off = fmax(off, joint->off);
        apply(joint->s, v, image);
        for (int k = 0; blended && k < 3; k++)
            y[k] += vertex->weight[i] * image[k];
    }
    size = (stretch + 1) * size + moved;
    if (!blended) {
        pose_linear(reference, vertex, v, posed.at);
        size *= 1 + off * 0x1p24;
        place(reference, size, &posed);
        return posed;
    }
    double signs[16];
    quaternion sum = blend(reference, vertex, signs, &posed.ambiguous);
    if (reference->def->skinning == GRAZE_DUAL) {
        pose_dual(reference, vertex, signs, sum, y, posed.at);
    } else {
        /* The pull of 1e-4 lets an error of the joints move the centre by 50 times as much. */
        find_centre(reference, vertex, centre);
        pose_spherical(reference, vertex, sum, y, centre, posed.at);
        size += length(centre) + 50 * moved;
    }
    place(reference, size / dot(sum, sum) * (1 + off * 0x1p24), &posed);
    return posed;
}
