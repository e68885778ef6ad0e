/* How the axis of a volume follows the body: with its joint, or where positions are given with the
 * vertices of its part.
 */
#include "hitbox/follow.h"

#include <math.h>

/* Determinant of the linear part. */
static double determinant(const f4_map *map)
{
    double m[3][3];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            m[c][k] = (double)map->c[c][k];
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[1][0] * (m[0][1] * m[2][2] - m[0][2] * m[2][1]) +
           m[2][0] * (m[0][1] * m[1][2] - m[0][2] * m[1][1]);
}

/* Newton's method instead of cbrt, whose last bit differs between libraries. */
static double cube_root(double x)
{
    int exponent;
    double m = frexp(x, &exponent), root = 1;
    if (!(m > 0) || isinf(x))
        return x;
    for (; exponent % 3; exponent++)
        m /= 2;
    for (int round = 0; round < 8; round++)
        root -= (root - m / (root * root)) / 3;
    return ldexp(root, exponent / 3);
}

void grazei_move(const f4_map *map, const double x[3], double moved[3])
{
    for (int k = 0; k < 3; k++)
        moved[k] = (double)map->c[0][k] * x[0] + (double)map->c[1][k] * x[1] +
                   (double)map->c[2][k] * x[2] + (double)map->c[3][k];
}

double grazei_stretch_of(const f4_map *map)
{
    double g[3][3], trace = 0, most = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            g[a][b] = 0;
            for (int k = 0; k < 3; k++)
                g[a][b] += (double)map->c[a][k] * (double)map->c[b][k];
        }
    for (int a = 0; a < 3; a++) {
        trace += g[a][a];
        most = fmax(most, fabs(g[a][0]) + fabs(g[a][1]) + fabs(g[a][2]));
    }
    return sqrt(fmin(trace, most)) * (1 + 1e-14);
}

/* The mean displacement of a part's vertices from rest, those within radius of the point most. */
static void move_with_vertices(const graze_hitboxes *fit, const float (*positions)[4],
                               const graze_hitbox *volume, const double x[3], double moved[3])
{
    double sum[3] = {0, 0, 0}, weights = 0, near2 = (double)volume->rest.radius;
    near2 = near2 * near2 + 1e-30;
    for (uint32_t p = 0; p < fit->part_count; p++) {
        const grazei_fit_part *part = &fit->parts[p];
        for (uint32_t i = 0; part->volume.part == volume->part && i < part->count; i++) {
            uint32_t v = fit->vertices[part->first + i];
            const float *rest = fit->model->mesh.positions + 3 * (size_t)v;
            double d2 = 0;
            for (int k = 0; k < 3; k++)
                d2 += ((double)rest[k] - x[k]) * ((double)rest[k] - x[k]);
            double weight = near2 / (near2 + d2);
            weight *= weight;
            weights += weight;
            for (int k = 0; k < 3; k++)
                sum[k] += weight * ((double)positions[v][k] - (double)rest[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        moved[k] = x[k] + (weights > 0 ? sum[k] / weights : 0);
}

/* By the joint, and then by the placement where that is not in the joints already. */
static void move_with_joint(const grazei_joints *joints, uint32_t joint, const double x[3],
                            double moved[3])
{
    grazei_move(&joints->maps[joint], x, moved);
    if (joints->placed) {
        const double before[3] = {moved[0], moved[1], moved[2]};
        for (int k = 0; k < 3; k++)
            moved[k] = (double)joints->place.c[0][k] * before[0] +
                       (double)joints->place.c[1][k] * before[1] +
                       (double)joints->place.c[2][k] * before[2];
    }
    for (int k = 0; k < 3; k++)
        moved[k] += (double)joints->translation[k];
}

/* Where the ends of a volume go. */
static graze_capsule move_axis(const grazei_joints *joints, const graze_hitbox *volume)
{
    graze_capsule axis = {.radius = 0};
    const float *ends[2] = {volume->rest.p, volume->rest.q};
    float *moved_ends[2] = {axis.p, axis.q};
    for (int e = 0; e < 2; e++) {
        const double x[3] = {(double)ends[e][0], (double)ends[e][1], (double)ends[e][2]};
        double moved[3];
        move_with_joint(joints, volume->joint, x, moved);
        for (int k = 0; k < 3; k++)
            moved_ends[e][k] = (float)moved[k];
    }
    return axis;
}

static double scale_of(const grazei_joints *joints, uint32_t joint)
{
    double scale = cube_root(fabs(determinant(&joints->maps[joint])));
    return joints->placed ? scale * cube_root(fabs(determinant(&joints->place))) : scale;
}

grazei_followed grazei_follow_joint(const grazei_joints *joints, const graze_hitbox *volume)
{
    double stretch = grazei_stretch_of(&joints->maps[volume->joint]);
    return (grazei_followed){.axis = move_axis(joints, volume),
                             .stretch = joints->placed ? stretch * grazei_stretch_of(&joints->place)
                                                       : stretch,
                             .scale = scale_of(joints, volume->joint)};
}

static grazei_followed follow_vertices(const graze_hitboxes *fit, graze_body *body,
                                       const graze_hitbox *volume)
{
    const float(*positions)[4] = grazei_body_all_positions(body);
    grazei_followed followed = {.stretch = 1, .scale = 1};
    const float *ends[2] = {volume->rest.p, volume->rest.q};
    float *moved_ends[2] = {followed.axis.p, followed.axis.q};
    for (int e = 0; e < 2; e++) {
        const double x[3] = {(double)ends[e][0], (double)ends[e][1], (double)ends[e][2]};
        double moved[3];
        move_with_vertices(fit, positions, volume, x, moved);
        for (int k = 0; k < 3; k++)
            moved_ends[e][k] = (float)moved[k];
    }
    return followed;
}

grazei_followed grazei_follow(const graze_hitboxes *fit, graze_body *body,
                              const graze_hitbox *volume)
{
    return grazei_body_has_positions(body)
               ? follow_vertices(fit, body, volume)
               : grazei_follow_joint(grazei_body_whole_joints(body), volume);
}

void grazei_follow_inner(const graze_hitboxes *fit, graze_body *body, graze_capsule *capsules)
{
    bool has_positions = grazei_body_has_positions(body);
    const grazei_joints *joints = has_positions ? NULL : grazei_body_whole_joints(body);
    uint32_t last = UINT32_MAX;
    double scale = 1;
    for (size_t i = 0; i < fit->fine_count; i++) {
        const graze_hitbox *inner = &fit->fine[i];
        if (joints && inner->joint != last) { /* most have the joint of the one before */
            last = inner->joint;
            scale = scale_of(joints, last);
        }
        capsules[i] = joints ? move_axis(joints, inner) : follow_vertices(fit, body, inner).axis;
        capsules[i].radius = (float)(scale * (double)inner->rest.radius);
    }
}
