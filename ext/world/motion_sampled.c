/* What two do at some times on their way: after Macagon & Wuensche 2003, section 3. May miss what
 * meets and parts between two samples.
 */
#include "body/body.h"
#include "narrow/d3.h"
#include "narrow/segment.h"
#include "narrow/shape_contact.h"
#include "sweep/at_time.h"
#include "world/movers.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* ---- shapes at a time ----------------------------------------------------------------------- */

static float mix(float from, float to, double time)
{
    return (float)((1 - time) * (double)from + time * (double)to);
}

static void mix3(const float from[3], const float to[3], double time, float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = mix(from[k], to[k], time);
}

static d3 mixed_axis(const float from[3], const float to[3], double time)
{
    double rest = 1 - time;
    return (d3){rest * (double)from[0] + time * (double)to[0],
                rest * (double)from[1] + time * (double)to[1],
                rest * (double)from[2] + time * (double)to[2]};
}

static void set_axis(float axis[3], d3 n)
{
    axis[0] = (float)n.x;
    axis[1] = (float)n.y;
    axis[2] = (float)n.z;
}

/* The third axis keeps its side. Where a turn is so far that nothing is left of an axis, those of
 * the nearer end stay.
 */
static void mix_axes(const graze_box *from, const graze_box *to, double time, graze_box *now)
{
    d3 u = mixed_axis(from->axes[0], to->axes[0], time);
    d3 v = mixed_axis(from->axes[1], to->axes[1], time);
    d3 w = mixed_axis(from->axes[2], to->axes[2], time);
    double length = sqrt(d3_dot(u, u));
    u = d3_scale(u, 1 / length);
    v = d3_along(v, -d3_dot(u, v), u);
    double height = sqrt(d3_dot(v, v));
    if (!(length > 0.1 && height > 0.1)) {
        memcpy(now->axes, time < 0.5 ? from->axes : to->axes, sizeof now->axes);
        return;
    }
    v = d3_scale(v, 1 / height);
    d3 third = d3_cross(u, v);
    set_axis(now->axes[0], u);
    set_axis(now->axes[1], v);
    set_axis(now->axes[2], d3_scale(third, d3_dot(third, w) < 0 ? -1 : 1));
}

graze_shape grazei_shape_between(const grazei_moved *moved, double time)
{
    graze_shape now = time < 1 ? moved->from : moved->to;
    const graze_shape *from = &moved->from, *to = &moved->to;
    if (time <= 0 || time >= 1)
        return now;
    switch (now.kind) {
    case GRAZE_SPHERE:
        mix3(from->as.sphere.centre, to->as.sphere.centre, time, now.as.sphere.centre);
        now.as.sphere.radius = mix(from->as.sphere.radius, to->as.sphere.radius, time);
        break;
    case GRAZE_CAPSULE:
        mix3(from->as.capsule.p, to->as.capsule.p, time, now.as.capsule.p);
        mix3(from->as.capsule.q, to->as.capsule.q, time, now.as.capsule.q);
        now.as.capsule.radius = mix(from->as.capsule.radius, to->as.capsule.radius, time);
        break;
    case GRAZE_BOX:
        mix3(from->as.box.centre, to->as.box.centre, time, now.as.box.centre);
        mix3(from->as.box.half, to->as.box.half, time, now.as.box.half);
        if (memcmp(from->as.box.axes, to->as.box.axes, sizeof now.as.box.axes) != 0)
            mix_axes(&from->as.box, &to->as.box, time, &now.as.box);
        break;
    default:
        mix3(from->as.plane.normal, to->as.plane.normal, time, now.as.plane.normal);
        now.as.plane.offset = mix(from->as.plane.offset, to->as.plane.offset, time);
        if (now.as.plane.normal[0] == 0 && now.as.plane.normal[1] == 0 &&
            now.as.plane.normal[2] == 0) /* half way round */
            now = *from;
    }
    return now;
}

/* ---- one sample ----------------------------------------------------------------------------- */

typedef struct sampling {
    const grazei_mover *a, *b;
    const grazei_ball *balls;
    grazei_motion_answer *answer;
    graze_stats *stats;
} sampling;

/* Whether the balls say that they are apart. */
static bool balls_apart(const grazei_ball balls[2], double time)
{
    double square = 0, radii = 0;
    if (balls[0].endless || balls[1].endless)
        return false;
    for (int k = 0; k < 3; k++) {
        double from = (double)balls[0].from.centre[k] - (double)balls[1].from.centre[k];
        double to = (double)balls[0].to.centre[k] - (double)balls[1].to.centre[k];
        double way = (1 - time) * from + time * to;
        square += way * way;
    }
    for (int i = 0; i < 2; i++)
        radii += (1 - time) * (double)balls[i].from.radius + time * (double)balls[i].to.radius;
    /* Positions between two are rounded to float: they may be off by 2^-24 of themselves. */
    double size = fabs((double)balls[0].from.centre[0]) + fabs((double)balls[0].to.centre[0]);
    for (int k = 1; k < 3; k++)
        size += fabs((double)balls[0].from.centre[k]) + fabs((double)balls[0].to.centre[k]);
    radii += 0x1p-20 * (radii + size + sqrt(square));
    return square > radii * radii;
}

/* The normal of a triangle, towards its front; false if it has no area. */
static bool triangle_normal(const grazei_triangle_at *triangle, float normal[3])
{
    d3 p[3];
    for (int i = 0; i < 3; i++)
        p[i] = (d3){triangle->corners[i][0], triangle->corners[i][1], triangle->corners[i][2]};
    d3 n = d3_cross(d3_sub(p[1], p[0]), d3_sub(p[2], p[0]));
    double length = sqrt(d3_dot(n, n));
    if (length > 0)
        set_axis(normal, d3_scale(n, 1 / length));
    return length > 0;
}

/* Where two triangles that meet do so; the way out is the front of b's, or against a's. */
static void describe_triangles(const grazei_triangle_at triangles[2], grazei_motion_answer *answer)
{
    float corners[2][3][3];
    grazei_segment segment;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++)
            memcpy(corners[side][i], triangles[side].corners[i], sizeof corners[side][i]);
    if (!triangle_normal(&triangles[1], answer->normal) &&
        triangle_normal(&triangles[0], answer->normal))
        for (int k = 0; k < 3; k++)
            answer->normal[k] = 0 - answer->normal[k];
    if (!grazei_triangle_segment((const float(*)[3])corners[0], (const float(*)[3])corners[1],
                                 &segment))
        return;
    for (int k = 0; k < 3; k++)
        answer->point[k] = (float)(0.5 * (segment.ends[0][k] + segment.ends[1][k]));
}

static bool meshes_meet(const sampling *s, double time)
{
    graze_motion a = grazei_mover_motion(s->a), b = grazei_mover_motion(s->b);
    grazei_triangle_at triangles[2];
    if (!grazei_collide_at(&a, &b, time, triangles, s->stats))
        return false;
    for (int i = 0; i < 2; i++)
        s->answer->triangles[i] = triangles[i].number;
    s->answer->parts[0] =
        graze_model_triangle_part(grazei_body_model(a.start), triangles[0].number);
    s->answer->parts[1] =
        graze_model_triangle_part(grazei_body_model(b.start), triangles[1].number);
    describe_triangles(triangles, s->answer);
    return true;
}

/* mesh_first: the mesh is a. */
static bool mesh_meets(const sampling *s, const grazei_mover *mesh, const grazei_moved *moved,
                       bool mesh_first, double time)
{
    graze_motion motion = grazei_mover_motion(mesh);
    graze_shape now = grazei_shape_between(moved, time);
    grazei_shape made;
    grazei_triangle_at triangle;
    if (grazei_shape_prepare(&made, &now, NULL) ||
        !grazei_touch_at(&motion, time, &made, &triangle, s->stats))
        return false;
    uint32_t group = graze_model_triangle_part(grazei_body_model(motion.start), triangle.number);
    const float *const corners[3] = {triangle.corners[0], triangle.corners[1], triangle.corners[2]};
    grazei_shape_contact contact = grazei_shape_triangle_contact(&made, corners);
    s->answer->triangles[!mesh_first] = triangle.number;
    s->answer->parts[!mesh_first] = group;
    s->answer->parts[mesh_first] = moved->group;
    for (int k = 0; k < 3; k++) {
        s->answer->point[k] = (float)(made.origin[k] + contact.point[k]);
        s->answer->normal[k] = (float)(mesh_first ? 0 - contact.normal[k] : contact.normal[k]);
    }
    return true;
}

/* Where and which way are told by all of the way, if it is known. */
static bool shapes_meet(const sampling *s, const grazei_moved *a, const grazei_moved *b,
                        double time)
{
    graze_shape now[2] = {grazei_shape_between(a, time), grazei_shape_between(b, time)};
    grazei_motion_answer whole;
    bool meet = false, known;
    if (grazei_shapes_meet(&now[0], &now[1], &meet, NULL) || !meet)
        return false;
    s->answer->parts[0] = a->group;
    s->answer->parts[1] = b->group;
    if (grazei_moved_meet(a, b, &whole, &known)) {
        memcpy(s->answer->point, whole.point, sizeof whole.point);
        memcpy(s->answer->normal, whole.normal, sizeof whole.normal);
    }
    return true;
}

static bool meet_at(const sampling *s, double time)
{
    bool mesh_a = grazei_mover_is_mesh(s->a), mesh_b = grazei_mover_is_mesh(s->b);
    if (balls_apart(s->balls, time))
        return false;
    if (mesh_a && mesh_b)
        return meshes_meet(s, time);
    grazei_moved first, second;
    if (mesh_a || mesh_b) {
        const grazei_mover *mesh = mesh_a ? s->a : s->b, *other = mesh_a ? s->b : s->a;
        for (uint32_t i = 0; i < grazei_mover_shapes(other); i++)
            if (grazei_mover_shape(other, i, &first) && mesh_meets(s, mesh, &first, mesh_a, time))
                return true;
        return false;
    }
    for (uint32_t i = 0; i < grazei_mover_shapes(s->a); i++)
        for (uint32_t k = 0; k < grazei_mover_shapes(s->b); k++)
            if (grazei_mover_shape(s->a, i, &first) && grazei_mover_shape(s->b, k, &second) &&
                shapes_meet(s, &first, &second, time))
                return true;
    return false;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* How many the way takes: of relative motion an eighth of the smaller radius each. A half-space has
 * no centre; the way of its plane counts.
 */
static double steps_of(const grazei_mover *const movers[2], const grazei_ball balls[2])
{
    double square = 0, change = 0, radius = INFINITY;
    for (int k = 0; k < 3; k++) {
        double way = 0;
        for (int i = 0; i < 2; i++)
            if (!balls[i].endless)
                way += (i ? -1 : 1) *
                       ((double)balls[i].to.centre[k] - (double)balls[i].from.centre[k]);
        square += way * way;
    }
    for (int i = 0; i < 2; i++) {
        const graze_sphere *from = &balls[i].from, *to = &balls[i].to;
        if (balls[i].endless) {
            const graze_half_space *p = &movers[i]->from->as.plane, *q = &movers[i]->to->as.plane;
            d3 n = {p->normal[0], p->normal[1], p->normal[2]};
            change += fabs((double)q->offset - (double)p->offset) / sqrt(d3_dot(n, n));
            continue;
        }
        change += fabs((double)to->radius - (double)from->radius);
        radius = fmin(radius, fmin((double)from->radius, (double)to->radius));
    }
    double travel = sqrt(square) + change;
    return travel > 0 ? ceil(8 * travel / radius) : 1;
}

void grazei_motion_sample(const grazei_mover *a, const grazei_mover *b, const grazei_ball balls[2],
                          bool in_full, grazei_motion_answer *answer, graze_stats *stats)
{
    sampling s = {a, b, balls, answer, stats};
    bool planes = balls[0].endless && balls[1].endless;
    double needed = steps_of((const grazei_mover *[2]){a, b}, balls);
    uint32_t steps = GRAZEI_MOST_STEPS;
    answer->capped = !planes && (in_full || !(needed <= GRAZEI_MOST_STEPS));
    if (!in_full && needed <= GRAZEI_MOST_STEPS)
        steps = needed > 1 ? (uint32_t)needed : 1;
    answer->triangles[0] = answer->triangles[1] = UINT32_MAX;
    for (uint32_t i = 0; i <= steps && !answer->met; i++) {
        double time = (double)i / steps;
        answer->met = meet_at(&s, time);
        answer->time = (float)time;
    }
    bool capped = answer->capped;
    if (!answer->met)
        *answer = (grazei_motion_answer){.capped = capped};
    else if (answer->time == 0)
        memset(answer->normal, 0, sizeof answer->normal);
}
