/* Walking: each foot stands on the ground while the body passes over it at an even pace, then
 * swings forward; the leg follows by two-bone inverse kinematics in the plane of its knee, with
 * cosines and square roots only.
 */
#include "scenes/gait.h"

#include <string.h>

enum { curve_points = 16 };

/* Part of the stride in which a foot stands. */
static double duty_of(const grazei_synth_clip_row *clip)
{
    return clip->stands > 0 ? clip->stands : 0.62;
}

/* Heel up (1) and toes up (below 0), over one stride from the landing of the foot. */
static const double pitch_curve[curve_points] = {-0.3, -0.08, 0, 0,    0,   0,   0.05, 0.2,
                                                 0.5,  0.88,  1, 0.82, 0.5, 0.1, -0.2, -0.34};

typedef struct matrix {
    grazei_vec x, y, z; /* columns */
} matrix;

double grazei_synth_sine(double turns)
{
    double x = turns - floor(turns); /* 0 to 1 */
    double sign = 1;
    if (x >= 0.5) {
        x -= 0.5;
        sign = -1;
    }
    if (x > 0.25)
        x = 0.5 - x;
    x *= 6.283185307179586;
    double square = x * x, term = x, sum = x;
    for (int i = 2; i < 22; i += 2) {
        term *= -square / (i * (i + 1));
        sum += term;
    }
    return sign * sum;
}

static grazei_synth_turn multiply(grazei_synth_turn a, grazei_synth_turn b)
{
    grazei_synth_turn q = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                           a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                           a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                           a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return q;
}

static grazei_synth_turn inverse(grazei_synth_turn q)
{
    grazei_synth_turn back = {-q.x, -q.y, -q.z, q.w};
    return back;
}

static grazei_vec rotate(grazei_synth_turn q, grazei_vec v)
{
    grazei_vec axis = vec_make(q.x, q.y, q.z);
    grazei_vec twice = vec_scale(vec_cross(axis, v), 2);
    return vec_add(vec_along(v, twice, q.w), vec_cross(axis, twice));
}

grazei_synth_turn grazei_synth_turn_by(grazei_vec degrees)
{
    double angles[3] = {degrees.x, degrees.y, degrees.z}, s[3], c[3];
    for (int i = 0; i < 3; i++) {
        s[i] = grazei_synth_sine(angles[i] / 720);
        c[i] = grazei_synth_sine(angles[i] / 720 + 0.25);
    }
    grazei_synth_turn x = {s[0], 0, 0, c[0]}, y = {0, s[1], 0, c[1]}, z = {0, 0, s[2], c[2]};
    return multiply(x, multiply(y, z));
}

grazei_synth_turn grazei_synth_twist(grazei_synth_turn turn, grazei_vec axis, double degrees)
{
    double sine = grazei_synth_sine(degrees / 720),
           cosine = grazei_synth_sine(degrees / 720 + 0.25);
    grazei_synth_turn twist = {axis.x * sine, axis.y * sine, axis.z * sine, cosine};
    return multiply(turn, twist);
}

/* The rotation of an orthonormal matrix (Shepperd 1978). */
static grazei_synth_turn from_matrix(matrix m)
{
    double trace = m.x.x + m.y.y + m.z.z;
    grazei_synth_turn q;
    if (trace > 0) {
        double s = 2 * sqrt(1 + trace);
        q = (grazei_synth_turn){(m.y.z - m.z.y) / s, (m.z.x - m.x.z) / s, (m.x.y - m.y.x) / s,
                                s / 4};
    } else if (m.x.x > m.y.y && m.x.x > m.z.z) {
        double s = 2 * sqrt(1 + m.x.x - m.y.y - m.z.z);
        q = (grazei_synth_turn){s / 4, (m.y.x + m.x.y) / s, (m.z.x + m.x.z) / s,
                                (m.y.z - m.z.y) / s};
    } else if (m.y.y > m.z.z) {
        double s = 2 * sqrt(1 + m.y.y - m.x.x - m.z.z);
        q = (grazei_synth_turn){(m.y.x + m.x.y) / s, s / 4, (m.z.y + m.y.z) / s,
                                (m.z.x - m.x.z) / s};
    } else {
        double s = 2 * sqrt(1 + m.z.z - m.x.x - m.y.y);
        q = (grazei_synth_turn){(m.z.x + m.x.z) / s, (m.z.y + m.y.z) / s, s / 4,
                                (m.x.y - m.y.x) / s};
    }
    return q;
}

/* Columns: towards `along`, the direction at right angles in the knee's plane, the hinge. */
static matrix leg_frame(grazei_vec along, grazei_vec hinge)
{
    matrix frame;
    frame.x = vec_unit(along);
    frame.z = vec_unit(vec_along(hinge, frame.x, -vec_dot(hinge, frame.x)));
    frame.y = vec_cross(frame.z, frame.x);
    return frame;
}

static matrix turn_in_plane(matrix frame, double cosine, double sine)
{
    matrix turned = {vec_along(vec_scale(frame.x, cosine), frame.y, sine),
                     vec_along(vec_scale(frame.y, cosine), frame.x, -sine), frame.z};
    return turned;
}

/* The rotation that takes frame `from` to frame `to`. */
static grazei_synth_turn between(matrix from, matrix to)
{
    grazei_vec rows[3] = {vec_make(from.x.x, from.y.x, from.z.x),
                          vec_make(from.x.y, from.y.y, from.z.y),
                          vec_make(from.x.z, from.y.z, from.z.z)};
    grazei_vec columns[3];
    for (int i = 0; i < 3; i++)
        columns[i] =
            vec_along(vec_along(vec_scale(to.x, rows[i].x), to.y, rows[i].y), to.z, rows[i].z);
    matrix product = {columns[0], columns[1], columns[2]};
    return from_matrix(product);
}

/* Global rotation and place of a joint. */
static void locate(const grazei_synth_skeleton *skeleton, const grazei_synth_pose *pose, uint32_t j,
                   grazei_synth_turn *turn, grazei_vec *place)
{
    const grazei_synth_joint *joint = &skeleton->joints[j];
    *turn = pose->turns[j];
    *place = vec_add(joint->at, pose->moves[j]);
    while (joint->parent != UINT32_MAX) {
        const grazei_synth_joint *parent = &skeleton->joints[joint->parent];
        grazei_synth_turn outer = pose->turns[joint->parent];
        *place = vec_add(vec_add(parent->at, pose->moves[joint->parent]),
                         rotate(outer, vec_sub(*place, parent->at)));
        *turn = multiply(outer, *turn);
        joint = parent;
    }
}

static double pitch_at(double phase)
{
    double place = (phase - floor(phase)) * curve_points;
    int i = (int)place;
    double t = place - i;
    double a = pitch_curve[(i + curve_points - 1) % curve_points];
    double b = pitch_curve[i % curve_points];
    double c = pitch_curve[(i + 1) % curve_points], d = pitch_curve[(i + 2) % curve_points];
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/* The way of the ball of the foot against its place at rest, in the body's frame. */
static grazei_vec path_at(const grazei_synth_clip_row *clip, double phase)
{
    double duty = duty_of(clip), p = phase - floor(phase), half = 0.5 * duty * clip->stride;
    if (p < duty)
        return vec_make(0, 0, half - clip->stride * p);
    double t = (p - duty) / (1 - duty), slope = -clip->stride * (1 - duty);
    double z = -half * (2 * t * t * t - 3 * t * t + 1) + slope * (t * t * t - 2 * t * t + t) +
               half * (3 * t * t - 2 * t * t * t) + slope * (t * t * t - t * t);
    return vec_make(0, clip->lift * 16 * t * t * (1 - t) * (1 - t), z);
}

/* One leg of one side, its joints found. */
typedef struct leg {
    uint32_t upper, lower, middle, foot, toes[2]; /* UINT32_MAX: none */
    grazei_vec ball, heel;
} leg;

static uint32_t find(const grazei_synth_skeleton *skeleton, const char *name, bool twin)
{
    char other[GRAZEI_SYNTH_NAME];
    if (!name)
        return UINT32_MAX;
    if (twin && grazei_synth_has_twin(name, other))
        name = other;
    return grazei_synth_joint_index(skeleton, name);
}

static leg find_leg(const grazei_synth_skeleton *skeleton, const grazei_synth_leg_row *row,
                    bool twin)
{
    leg found = {find(skeleton, row->upper, twin),
                 find(skeleton, row->lower, twin),
                 find(skeleton, row->middle, twin),
                 find(skeleton, row->foot, twin),
                 {find(skeleton, row->toes[0], twin), find(skeleton, row->toes[1], twin)},
                 twin ? grazei_synth_mirror(row->ball) : row->ball,
                 twin ? grazei_synth_mirror(row->heel) : row->heel};
    return found;
}

/* Bends upper and lower so that the joint `end` comes to target (or as near as they reach). */
static void bend(const grazei_synth_skeleton *skeleton, grazei_synth_pose *pose, const leg *limb,
                 uint32_t end, grazei_vec target, grazei_synth_turn *lower_turn)
{
    grazei_vec hip = skeleton->joints[limb->upper].at, knee = skeleton->joints[limb->lower].at;
    grazei_synth_turn body;
    grazei_vec place;
    pose->turns[limb->upper] = (grazei_synth_turn){0, 0, 0, 1};
    locate(skeleton, pose, limb->upper, &body, &place);
    grazei_vec straight = vec_sub(skeleton->joints[end].at, hip), thigh = vec_sub(knee, hip);
    matrix rest = leg_frame(straight, vec_make(1, 0, 0));
    double rest_x = vec_dot(thigh, rest.x), rest_y = vec_dot(thigh, rest.y);
    double calf_x = vec_length(straight) - rest_x, calf_y = -rest_y;
    double upper = sqrt(rest_x * rest_x + rest_y * rest_y);
    double lower = sqrt(calf_x * calf_x + calf_y * calf_y);
    grazei_vec reach = vec_sub(target, place);
    double distance = vec_clamp(vec_length(reach), 0.3 * (upper + lower), 0.9995 * (upper + lower));
    matrix posed = leg_frame(reach, rotate(body, vec_make(1, 0, 0)));
    double x = (upper * upper + distance * distance - lower * lower) / (2 * distance);
    double y = sqrt(fmax(0, upper * upper - x * x)) * (rest_y < 0 ? -1 : 1);
    double scale = 1 / (upper * upper);
    matrix upper_frame =
        turn_in_plane(posed, (x * rest_x + y * rest_y) * scale, (y * rest_x - x * rest_y) * scale);
    scale = 1 / (lower * lower);
    matrix lower_frame = turn_in_plane(posed, ((distance - x) * calf_x - y * calf_y) * scale,
                                       (-y * calf_x - (distance - x) * calf_y) * scale);
    grazei_synth_turn upper_turn = between(rest, upper_frame);
    *lower_turn = between(rest, lower_frame);
    pose->turns[limb->upper] = multiply(inverse(body), upper_turn);
    pose->turns[limb->lower] = multiply(inverse(upper_turn), *lower_turn);
}

static grazei_synth_turn pitched(double degrees)
{
    return grazei_synth_turn_by(vec_make(degrees, 0, 0));
}

static void step_leg(const grazei_synth_clip_row *clip, const grazei_synth_skeleton *skeleton,
                     const grazei_synth_leg_row *row, const leg *limb, double phase,
                     grazei_synth_pose *pose)
{
    const grazei_synth_joint *joints = skeleton->joints;
    bool stands = clip->stride == 0;
    double pitch = stands ? 0 : pitch_at(phase);
    grazei_vec path = stands ? vec_make(0, 0, 0) : path_at(clip, phase);
    path.x = limb->ball.x < 0 ? clip->narrow : -clip->narrow;
    grazei_synth_turn foot = pitched(pitch * row->foot_pitch);
    grazei_synth_turn middle = pitched(pitch * row->middle_pitch);
    grazei_vec ball = vec_add(limb->ball, path);
    grazei_vec heel = vec_add(ball, rotate(foot, vec_sub(limb->heel, limb->ball)));
    if (heel.y < path.y) /* toes up: stand on the heel */
        ball.y += path.y - heel.y;
    grazei_vec target = vec_add(ball, rotate(foot, vec_sub(joints[limb->foot].at, limb->ball)));
    uint32_t end = limb->foot;
    if (limb->middle != UINT32_MAX) {
        end = limb->middle;
        grazei_vec up = vec_sub(joints[end].at, joints[limb->foot].at);
        target = vec_add(target, rotate(middle, up));
    }
    grazei_synth_turn lower;
    bend(skeleton, pose, limb, end, target, &lower);
    if (limb->middle != UINT32_MAX) {
        pose->turns[limb->middle] = multiply(inverse(lower), middle);
        lower = middle;
    }
    pose->turns[limb->foot] = multiply(inverse(lower), foot);
    double duty = duty_of(clip), p = phase - floor(phase);
    double late = vec_clamp((p - duty) / (1 - duty) * 2, 0, 1);
    double toes = fmin(pitch, 0) + fmax(pitch, 0) * late;
    for (int i = 0; i < 2; i++)
        if (limb->toes[i] != UINT32_MAX)
            pose->turns[limb->toes[i]] = pitched((toes - pitch) * row->foot_pitch);
}

void grazei_synth_step(const grazei_synth_plan *plan, const grazei_synth_clip_row *clip,
                       const grazei_synth_skeleton *skeleton, double time, grazei_synth_pose *pose,
                       bool *turned)
{
    for (uint32_t i = 0; i < plan->leg_count; i++)
        for (int side = 0; side < 2; side++) {
            const grazei_synth_leg_row *row = &plan->legs[i];
            leg limb = find_leg(skeleton, row, side == 1);
            step_leg(clip, skeleton, row, &limb, time - row->phase - 0.5 * side, pose);
            uint32_t moved[6] = {limb.upper, limb.lower,   limb.middle,
                                 limb.foot,  limb.toes[0], limb.toes[1]};
            for (int k = 0; k < 6; k++)
                if (moved[k] != UINT32_MAX)
                    turned[moved[k]] = true;
        }
}

double grazei_synth_lowest(const grazei_synth_plan *plan, const grazei_synth_skeleton *skeleton,
                           const grazei_synth_pose *pose)
{
    double lowest = 0;
    for (uint32_t j = 0; j < skeleton->count; j++) {
        const grazei_synth_joint *joint = &skeleton->joints[j];
        grazei_synth_turn turn;
        grazei_vec at;
        locate(skeleton, pose, j, &turn, &at);
        grazei_vec tail = vec_add(at, rotate(turn, vec_sub(joint->tail, joint->at)));
        double low = fmin(at.y - joint->radius, tail.y - joint->tail_radius);
        if (j == 0 || low < lowest)
            lowest = low;
    }
    for (uint32_t i = 0; i < 2 * plan->leg_count; i++) {
        leg limb = find_leg(skeleton, &plan->legs[i / 2], i % 2 == 1);
        grazei_synth_turn turn;
        grazei_vec at;
        locate(skeleton, pose, limb.foot, &turn, &at);
        grazei_vec heel = rotate(turn, vec_sub(limb.heel, skeleton->joints[limb.foot].at));
        lowest = fmin(lowest, at.y + heel.y);
    }
    return lowest;
}
