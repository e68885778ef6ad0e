/* How far joints turn: as the def says, else as far as clips turn them and ten degrees more.
 *
 * A ball joint's angles are those of the engine's angular motor, right-handed: about `axis`, which
 * goes with the parent, then about the one across, then about `twist`, which goes with the bone.
 */
#include "ragdoll.h"

#include <graze/animation.h>

enum { SAMPLES = 48 };

#define DEGREE 0.017453292519943295
#define MOST_ACROSS (80 * DEGREE)
#define MOST (175 * DEGREE)

void graze_ragdoll_angles(const graze_ragdoll *ragdoll, uint32_t bone_number,
                          const double parent[4], const double own[4], double angles[3])
{
    double p[9], o[9], axis[3], across[3], twist[3], axis_own[3], twist_parent[3], q[3];
    if (!angles)
        return;
    angles[0] = angles[1] = angles[2] = 0;
    if (!ragdoll || bone_number >= ragdoll->bone_count || !parent || !own)
        return;
    const graze_ragdoll_bone *b = &ragdoll->bones[bone_number].is;
    if (b->parent == GRAZE_NONE)
        return;
    rotation_of(parent, p);
    rotation_of(own, o);
    turn3(p, b->axis, axis);
    turn3(o, b->twist, twist);
    turn3(o, b->axis, axis_own); /* where the axis is if only the bone turns it */
    turn3(p, b->twist, twist_parent);
    if (b->kind == GRAZE_RAGDOLL_HINGE) {
        /* how far a direction across the axis has turned about it */
        double from[3], to[3];
        cross3(b->axis, b->twist, q);
        turn3(p, q, from);
        turn3(o, q, to);
        cross3(from, to, q);
        angles[0] = atan2(dot3(q, axis), dot3(from, to));
        return;
    }
    cross3(twist, axis, across);
    unit3(across);
    cross3(axis, twist_parent, q);
    angles[0] = atan2(dot3(twist, q), dot3(twist, twist_parent));
    cross3(axis, across, q);
    angles[1] = atan2(dot3(twist, axis), dot3(twist, q));
    cross3(across, twist, q);
    angles[2] = atan2(dot3(axis_own, across), dot3(axis_own, q));
}

/* ---- axes ----------------------------------------------------------------------------------- */

/* Any direction at right angles to a unit vector. */
static void perpendicular(const double v[3], double out[3])
{
    int least = fabs(v[0]) <= fabs(v[1]) && fabs(v[0]) <= fabs(v[2]) ? 0
                : fabs(v[1]) <= fabs(v[2])                           ? 1
                                                                     : 2;
    double e[3] = {least == 0, least == 1, least == 2};
    cross3(v, e, out);
    unit3(out);
}

/* Where the bone goes: to its children, else to its own middle. */
static void bone_direction(const graze_ragdoll *ragdoll, uint32_t number, double out[3])
{
    const graze_ragdoll_bone *b = &ragdoll->bones[number].is;
    double end[3] = {0, 0, 0}, count = 0;
    for (uint32_t i = number + 1; i < ragdoll->bone_count; i++)
        if (ragdoll->bones[i].is.parent == number) {
            for (int k = 0; k < 3; k++)
                end[k] += ragdoll->bones[i].is.anchor[k];
            count++;
        }
    for (int k = 0; k < 3; k++)
        out[k] = (count > 0 ? end[k] / count : b->centre[k]) - b->anchor[k];
    if (!unit3(out)) {
        out[0] = out[2] = 0;
        out[1] = 1;
    }
}

/* The direction in which turns are largest: the first axis of their second moments, by iteration.
 */
static bool main_axis(const double moments[6], double out[3])
{
    double v[3] = {0.577, 0.5771, 0.5769};
    if (!(moments[0] + moments[1] + moments[2] > 1e-6))
        return false;
    for (int i = 0; i < 100; i++) {
        double w[3] = {moments[0] * v[0] + moments[3] * v[1] + moments[5] * v[2],
                       moments[3] * v[0] + moments[1] * v[1] + moments[4] * v[2],
                       moments[5] * v[0] + moments[4] * v[1] + moments[2] * v[2]};
        if (!unit3(w))
            return false;
        memcpy(v, w, sizeof v);
    }
    memcpy(out, v, sizeof v);
    return true;
}

/* ---- clips ---------------------------------------------------------------------------------- */

/* Rotations of all bones in all samples: quaternions, a sample after the other. */
typedef struct samples {
    double (*turns)[4];
    uint32_t count;
} samples;

static graze_status take_sample(const graze_ragdoll *ragdoll, const float *joints, double (*out)[4],
                                graze_error *error)
{
    for (uint32_t b = 0; b < ragdoll->bone_count; b++) {
        map m = map_of_rows(joints + 12 * (size_t)ragdoll->bones[b].is.joint);
        double stretch, r[9];
        nearest_rotation(m.r, r, &stretch);
        if (!(stretch < 0.02))
            return fail(error, GRAZE_BAD_INPUT,
                        "joint %.60s is stretched or sheared by %.1f %%: bones are rigid",
                        ragdoll->bones[b].is.name, 100 * stretch);
        quaternion_of(r, out[b]);
    }
    return GRAZE_OK;
}

static graze_status sample_clips(const graze_ragdoll *ragdoll, float *joints, samples *s,
                                 graze_error *error)
{
    const graze_rig *rig = ragdoll->rig;
    for (uint32_t c = 0; c < rig->clip_count; c++)
        for (int i = 0; i < SAMPLES; i++) {
            double time = rig->clips[c].seconds * i / (SAMPLES - 1);
            graze_status status = graze_rig_sample(rig, c, time, joints, NULL);
            if (status)
                return fail(error, status, "clip %u cannot be sampled at %g s", c, time);
            status = take_sample(ragdoll, joints, s->turns + (size_t)s->count * ragdoll->bone_count,
                                 error);
            if (status)
                return status;
            s->count++;
        }
    return GRAZE_OK;
}

/* ---- one joint ------------------------------------------------------------------------------ */

static void find_axes(graze_ragdoll *ragdoll, uint32_t number, const graze_ragdoll_joint *said,
                      const samples *s)
{
    graze_ragdoll_bone *b = &ragdoll->bones[number].is;
    double moments[6] = {0}, along[3];
    for (uint32_t i = 0; i < s->count; i++) {
        const double(*turns)[4] = (const double(*)[4])s->turns + (size_t)i * ragdoll->bone_count;
        double turn[3], p[9];
        turn_between(turns[b->parent], turns[number], turn);
        rotation_of(turns[b->parent], p);
        turn_back3(p, turn, turn); /* as seen from the parent */
        for (int k = 0; k < 3; k++) {
            moments[k] += turn[k] * turn[k];
            moments[3 + k] += turn[k] * turn[(k + 1) % 3];
        }
    }
    bone_direction(ragdoll, number, along);
    double given[3] = {0, 0, 0};
    for (int k = 0; k < 3 && said; k++)
        given[k] = said->axis[k];
    if (unit3(given))
        memcpy(b->axis, given, sizeof given);
    else if (!main_axis(moments, b->axis) || fabs(dot3(b->axis, along)) > 0.8)
        perpendicular(along, b->axis); /* the twist is an angle of its own */
    double twist[3] = {0, 0, 0};
    for (int k = 0; k < 3 && said; k++)
        twist[k] = said->twist[k];
    if (!unit3(twist))
        memcpy(twist, along, sizeof twist);
    double part = dot3(twist, b->axis);
    for (int k = 0; k < 3; k++)
        twist[k] -= part * b->axis[k];
    if (!unit3(twist))
        perpendicular(b->axis, twist);
    memcpy(b->twist, twist, sizeof twist);
}

static void range_of_clips(const graze_ragdoll *ragdoll, uint32_t number, const samples *s,
                           double low[3], double high[3])
{
    uint32_t parent = ragdoll->bones[number].is.parent;
    for (int k = 0; k < 3; k++) {
        low[k] = s->count ? INFINITY : -20 * DEGREE;
        high[k] = s->count ? -INFINITY : 20 * DEGREE;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const double(*turns)[4] = (const double(*)[4])s->turns + (size_t)i * ragdoll->bone_count;
        double angles[3];
        graze_ragdoll_angles(ragdoll, number, turns[parent], turns[number], angles);
        for (int k = 0; k < 3; k++) {
            low[k] = angles[k] < low[k] ? angles[k] : low[k];
            high[k] = angles[k] > high[k] ? angles[k] : high[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        low[k] -= 10 * DEGREE;
        high[k] += 10 * DEGREE;
    }
}

static graze_status take_said(const graze_ragdoll_joint *said, int angles, double low[3],
                              double high[3], graze_error *error)
{
    static const char *const which[3] = {"about its axis", "across", "in its twist"};
    for (int k = 0; k < angles; k++) {
        low[k] = said->low[k] * DEGREE;
        high[k] = said->high[k] * DEGREE;
        if (!(low[k] <= high[k]))
            return fail(error, GRAZE_BAD_INPUT,
                        "joint %.60s: limits %s are the wrong way round: %g to %g degrees",
                        said->name, which[k], said->low[k], said->high[k]);
        double most = k == 1 ? MOST_ACROSS : MOST;
        if (!(low[k] >= -most * 1.0001 && high[k] <= most * 1.0001))
            return fail(error, GRAZE_BAD_INPUT,
                        "joint %.60s: limits %s are %g to %g degrees, and may be %g at most",
                        said->name, which[k], said->low[k], said->high[k], most / DEGREE);
    }
    return GRAZE_OK;
}

static graze_status find_joint(graze_ragdoll *ragdoll, uint32_t number,
                               const graze_ragdoll_def *def, const samples *s, graze_error *error)
{
    graze_ragdoll_bone *b = &ragdoll->bones[number].is;
    const graze_ragdoll_joint *said = grazei_ode_said_of(def, b->name);
    graze_status status = GRAZE_OK;
    b->kind = said ? said->kind : GRAZE_RAGDOLL_BALL;
    if (b->parent == GRAZE_NONE)
        return GRAZE_OK;
    find_axes(ragdoll, number, said, s);
    if (said && said->limited)
        status = take_said(said, b->kind == GRAZE_RAGDOLL_HINGE ? 1 : 3, b->low, b->high, error);
    else
        range_of_clips(ragdoll, number, s, b->low, b->high);
    for (int k = 0; k < 3; k++) {
        double most = k == 1 ? MOST_ACROSS : MOST;
        b->low[k] = b->low[k] < -most ? -most : b->low[k];
        b->high[k] = b->high[k] > most ? most : b->high[k];
    }
    return status;
}

graze_status grazei_ode_find_limits(graze_ragdoll *ragdoll, const graze_ragdoll_def *def,
                                    graze_error *error)
{
    const graze_rig *rig = ragdoll->rig;
    samples s = {.count = 0};
    float *joints = take(&ragdoll->allocator, rig->joint_count, 12 * sizeof *joints);
    s.turns = take(&ragdoll->allocator, (size_t)rig->clip_count * SAMPLES * ragdoll->bone_count,
                   sizeof *s.turns);
    graze_status status =
        joints && s.turns ? sample_clips(ragdoll, joints, &s, error) : fail_memory(error);
    for (uint32_t b = 0; b < ragdoll->bone_count && !status; b++)
        status = find_joint(ragdoll, b, def, &s, error);
    give(&ragdoll->allocator, joints);
    give(&ragdoll->allocator, s.turns);
    return status;
}
