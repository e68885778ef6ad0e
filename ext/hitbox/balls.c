/* Posing hitboxes by balls. Sums and roots in floats, in one order: the same bits everywhere. What
 * rounds is enlarged as docs/bounds.md, "Parts", proves; u is GRAZEI_UNIT.
 */
#include "hitbox/balls.h"

#include "base/assert.h"
#include "math/rounding.h"

/* A joint may be scaled by so much of another factor than the own one: beyond, clusters are
 * tighter.
 */
#define MOST_BENT 0.1f

/* How the joints of a hitbox differ from its own. */
typedef struct differences {
    _Alignas(16) float turned[GRAZEI_MOST_BALL_JOINTS]; /* at least |A_j - A_m| */
    _Alignas(16) float parted[GRAZEI_MOST_BALL_JOINTS]; /* at least |(M_j - M_m) o_j| */
    _Alignas(16) float excess[GRAZEI_MOST_BALL_JOINTS]; /* at least s_j - s_m, and 0 */
    const f4_map *maps[GRAZEI_MOST_BALL_JOINTS];
    float stretch; /* s_m */
} differences;

/* What four joints do to lengths, one a lane. */
typedef struct measures {
    f4 stretch; /* at least the largest singular value */
    f4 square;  /* a third of the trace of G = A'A */
    f4 uneven;  /* at least |G - square| in Frobenius' norm, with 64 u of the trace */
    f4 turns;   /* the determinant */
} measures;

static inline f4 dot3(const f4 a[3], const f4 b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline float sum3(f4 a)
{
    return (a[0] + a[1]) + a[2];
}

/* x y z of one column of four maps, one map a lane. */
static inline void gather(const f4_map *const maps[4], int column, f4 out[3])
{
    f4 a = maps[0]->c[column], b = maps[1]->c[column], c = maps[2]->c[column],
       d = maps[3]->c[column];
    f4_transpose(&a, &b, &c, &d);
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

static inline measures measure_joints(const f4 a[3], const f4 b[3], const f4 c[3])
{
    f4 aa = dot3(a, a), bb = dot3(b, b), cc = dot3(c, c);
    f4 ab = f4_abs(dot3(a, b)), bc = f4_abs(dot3(b, c)), ca = f4_abs(dot3(c, a));
    f4 trace = (aa + bb) + cc, square = trace * f4_all(1 / 3.0f);
    f4 most = f4_max(aa + (ab + ca), f4_max(bb + (ab + bc), cc + (bc + ca)));
    f4 ea = aa - square, eb = bb - square, ec = cc - square;
    f4 off = (ab * ab + bc * bc) + ca * ca;
    return (measures){
        .stretch = f4_sqrt(f4_min(trace, most)) * f4_all(1 + 16 * GRAZEI_UNIT),
        .square = square,
        .uneven = f4_sqrt((ea * ea + eb * eb) + (ec * ec + (off + off))) +
                  f4_all(64 * GRAZEI_UNIT) * trace,
        .turns = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])) +
                 a[2] * (b[0] * c[1] - b[1] * c[0]),
    };
}

/* Fills d; false if balls would be large. In the proof's words: bent is at least |A - s U|, and
 * turned N, parted P.
 */
static bool compare_joints(const grazei_balls *balls, const grazei_ball_volume *volume,
                           const grazei_joints *joints, differences *d)
{
    const f4_map *own = &joints->maps[balls->joints[volume->first_joints].joints[0]];
    f4 square = f4_zero(), inverse = f4_zero(), own_bent = f4_zero(), stretch = f4_zero();
    f4 turns = f4_zero(), limit = f4_zero();
    f4 lost = f4_all(12 * GRAZEI_UNIT * joints->magnitude_length);
    i4 alike = {-1, -1, -1, -1}; /* what is not a number is not */
    for (uint32_t l = 0; l < volume->joint_count; l += 4) {
        const grazei_ball_joints *four = &balls->joints[volume->first_joints + l / 4];
        const f4_map **maps = d->maps + l;
        f4 columns[3][3], way[3], f2 = f4_zero();
        for (int k = 0; k < 4; k++)
            maps[k] = &joints->maps[four->joints[k]];
        for (int c = 0; c < 3; c++)
            gather(maps, c, columns[c]);
        gather(maps, 3, way);
        measures m = measure_joints(columns[0], columns[1], columns[2]);
        if (l == 0) {
            square = f4_x(m.square);
            stretch = f4_x(m.stretch);
            turns = f4_x(m.turns);
            inverse = f4_all(1) / f4_sqrt(square);
            own_bent = f4_x(m.uneven) * inverse;
            limit = f4_all(MOST_BENT) * stretch;
        }
        f4 bent = (m.uneven + f4_all(1.7320509f) * f4_abs(m.square - square)) * inverse;
        alike &= (bent <= limit) & ((m.turns > f4_zero()) == (turns > f4_zero()));
        for (int k = 0; k < 3; k++)
            way[k] -= f4_all(own->c[3][k]);
        for (int c = 0; c < 3; c++) {
            f4 away[3];
            for (int k = 0; k < 3; k++) {
                away[k] = columns[c][k] - f4_all(own->c[c][k]);
                way[k] += away[k] * four->pivots[c];
            }
            f2 += dot3(away, away);
        }
        f4 apart = f4_sqrt(f2), off = own_bent + bent;
        f4 turned = f4_min(apart, (apart + off) * f4_all(0.70711f) + off);
        f4_store(d->turned + l, turned * f4_all(1 + 32 * GRAZEI_UNIT));
        f4_store(d->parted + l, f4_sqrt(dot3(way, way)) + lost);
        f4_store(d->excess + l, f4_max(f4_zero(), m.stretch - stretch));
    }
    d->stretch = stretch[0];
    return !i4_any(~alike) && d->stretch >= 0x1p-30f && d->stretch <= 0x1p30f;
}

/* The balls, without the placement's translation. */
typedef struct posed_balls {
    f4 x[GRAZEI_MOST_GROUPS], y[GRAZEI_MOST_GROUPS], z[GRAZEI_MOST_GROUPS], r[GRAZEI_MOST_GROUPS];
} posed_balls;

/* Returns the direction that they suggest for an axis, of any length. */
static inline f4 pose_balls(const grazei_balls *balls, const grazei_ball_volume *volume,
                            const differences *d, float magnitude, float error, posed_balls *out)
{
    f4 sx = f4_zero(), sy = f4_zero(), sz = f4_zero(), unused = f4_zero();
    for (uint32_t i = 0; i < volume->group_count; i++) {
        const grazei_ball_group *group = &balls->groups[volume->first_group + i];
        const grazei_ball_row *row = balls->rows + group->first_row;
        const uint32_t *numbers = balls->row_joints + group->first_row;
        f4 x = f4_zero(), y = f4_zero(), z = f4_zero(), r = f4_all(d->stretch) * group->radius;
        for (uint32_t k = 0; k < group->row_count; k++, row++) {
            uint32_t l = numbers[k];
            const f4_map *a = d->maps[l];
            x += (f4_all(a->c[0][0]) * row->x + f4_all(a->c[1][0]) * row->y) +
                 (f4_all(a->c[2][0]) * row->z + f4_all(a->c[3][0]) * row->w);
            y += (f4_all(a->c[0][1]) * row->x + f4_all(a->c[1][1]) * row->y) +
                 (f4_all(a->c[2][1]) * row->z + f4_all(a->c[3][1]) * row->w);
            z += (f4_all(a->c[0][2]) * row->x + f4_all(a->c[1][2]) * row->y) +
                 (f4_all(a->c[2][2]) * row->z + f4_all(a->c[3][2]) * row->w);
            r += (f4_all(d->turned[l]) * row->turn + f4_all(d->parted[l]) * row->shift) +
                 f4_all(d->excess[l]) * row->grow;
        }
        out->x[i] = x;
        out->y[i] = y;
        out->z[i] = z;
        out->r[i] = r * f4_all(group->growth) + f4_all(error + group->row_error * magnitude);
        sx += group->along * x;
        sy += group->along * y;
        sz += group->along * z;
    }
    f4_transpose(&sx, &sy, &sz, &unused);
    return (sx + sy) + (sz + unused);
}

/* Three directions at right angles to each other, but for some u. */
typedef struct frame {
    float side[3], up[3], axis[3];
} frame;

/* After Duff et al. 2017, "Building an orthonormal basis, revisited". */
static inline frame make_frame(f4 direction)
{
    float length2 = sum3(direction * direction);
    if (!(length2 > 1e-30f)) {
        direction = f4_set(1, 0, 0, 0);
        length2 = 1;
    }
    direction *= f4_all(1 / sqrtf(length2));
    float x = direction[0], y = direction[1], z = direction[2], sign = z >= 0 ? 1.0f : -1.0f;
    float a = -1 / (sign + z), b = x * y * a;
    return (frame){
        {1 + sign * x * x * a, sign * b, -sign * x}, {b, sign + y * y * a, -y}, {x, y, z}};
}

/* The least of each of four values, one a lane of the result. */
static inline f4 least_of_four(f4 a, f4 b, f4 c, f4 d)
{
    f4_transpose(&a, &b, &c, &d);
    return f4_min(f4_min(a, b), f4_min(c, d));
}

static inline f4 along(const posed_balls *balls, uint32_t group, const float direction[3])
{
    return (balls->x[group] * f4_all(direction[0]) + balls->y[group] * f4_all(direction[1])) +
           balls->z[group] * f4_all(direction[2]);
}

/* A capsule along an axis: across it in the middle of the balls' box, as thick as they need, and as
 * short as is possible then. A ball of radius r at t, d beside the line, is inside where the
 * segment meets t +- sqrt((thick - r)^2 - d^2): if the segment goes from the least of the upper to
 * the greatest of the lower ends, or is any point between if those are the other way round, all do.
 */
static graze_capsule wrap(const posed_balls *balls, uint32_t groups, const frame *f,
                          const float translation[3])
{
    f4 u[GRAZEI_MOST_GROUPS], v[GRAZEI_MOST_GROUPS], flat[GRAZEI_MOST_GROUPS];
    f4 far = f4_zero(), low = f4_all(FLT_MAX), high = low;
    f4 u_low = low, u_high = low, v_low = low, v_high = low; /* the high ones negated */
    for (uint32_t i = 0; i < groups; i++) {
        u[i] = along(balls, i, f->side);
        v[i] = along(balls, i, f->up);
        u_low = f4_min(u_low, u[i] - balls->r[i]);
        v_low = f4_min(v_low, v[i] - balls->r[i]);
        u_high = f4_min(u_high, -u[i] - balls->r[i]);
        v_high = f4_min(v_high, -v[i] - balls->r[i]);
    }
    f4 box = least_of_four(u_low, v_low, u_high, v_high);
    float u_mid = (box[0] - box[2]) / 2, v_mid = (box[1] - box[3]) / 2;
    for (uint32_t i = 0; i < groups; i++) {
        f4 du = u[i] - f4_all(u_mid), dv = v[i] - f4_all(v_mid);
        flat[i] = du * du + dv * dv;
        far = f4_max(far, f4_sqrt(flat[i]) + balls->r[i]);
    }
    float thick = f1_max(f1_max(far[0], far[1]), f1_max(far[2], far[3]));
    for (uint32_t i = 0; i < groups; i++) {
        f4 slack = f4_all(thick) - balls->r[i], t = along(balls, i, f->axis);
        f4 half = f4_sqrt(f4_max(f4_zero(), slack * slack - flat[i]));
        low = f4_min(low, t + half);
        high = f4_min(high, half - t);
    }
    f4 ends = least_of_four(low, high, low, high);
    float first = ends[0], last = -ends[1];
    if (first > last)
        first = last = (first + last) / 2;
    graze_capsule capsule;
    float largest = 0;
    for (int k = 0; k < 3; k++) {
        float base = u_mid * f->side[k] + v_mid * f->up[k];
        capsule.p[k] = (base + first * f->axis[k]) + translation[k];
        capsule.q[k] = (base + last * f->axis[k]) + translation[k];
        largest = f1_max(largest, f1_max(fabsf(capsule.p[k]), fabsf(capsule.q[k])));
    }
    capsule.radius =
        (thick * (1 + 256 * GRAZEI_UNIT) + 4 * GRAZEI_UNIT * largest) + GRAZEI_LEAST_RADIUS;
    return capsule;
}

/* A volume, but for a factor. */
static inline float size_of(const graze_capsule *capsule)
{
    float length2 = 0, r = capsule->radius;
    for (int k = 0; k < 3; k++)
        length2 += (capsule->q[k] - capsule->p[k]) * (capsule->q[k] - capsule->p[k]);
    return r * r * (sqrtf(length2) + r * (4 / 3.0f));
}

float grazei_balls_error(const grazei_balls *balls, const grazei_joints *joints,
                         uint32_t influences, float weight_error)
{
    float units = (float)influences + 16 + 128;
    float share = units * GRAZEI_UNIT + 5 * weight_error + balls->weight_error;
    return share * (1 + 8 * GRAZEI_UNIT) * joints->magnitude_length + joints->final_error_length;
}

bool grazei_balls_pose(const grazei_balls *balls, const grazei_ball_volume *volume,
                       const grazei_joints *joints, float error, graze_capsule *capsule)
{
    GRAZE_ASSERT(volume->joint_count && volume->joint_count <= GRAZEI_MOST_BALL_JOINTS);
    GRAZE_ASSERT(volume->group_count && volume->group_count <= GRAZEI_MOST_GROUPS);
    float magnitude = joints->magnitude_length;
    differences d;
    posed_balls posed;
    if (!(magnitude >= 0x1p-40f && magnitude <= 0x1p50f) ||
        !compare_joints(balls, volume, joints, &d))
        return false;
    frame f = make_frame(pose_balls(balls, volume, &d, magnitude, error, &posed));
    const float translation[3] = {joints->translation[0], joints->translation[1],
                                  joints->translation[2]};
    *capsule = wrap(&posed, volume->group_count, &f, translation);
    float s = d.stretch;
    return size_of(capsule) <= volume->most_size * (s * s * s);
}
