/* Moving shapes, by the advancement of moving_core.c; half-spaces by the heights of corners, which
 * change linearly.
 *
 * BOXES FIRST. On each axis two differences say how far the box around the shape and that around
 * the other overlap; both change linearly. Each is enlarged by slack R, R being the largest
 * coordinate of either relative to the shape's origin. Differences and their quotients in double
 * are wrong by less than 2^-50 R and 2^-50; slacks are far above that, and above what
 * grazei_shape_meets takes for touching, 2^-43 R. A node's boxes hold those of its triangles, so
 * its R and its differences are at least theirs. With four times the slack a node is entered
 * earlier, and left later, than any triangle in it by at least 2^-40 of the time: as computed, too.
 */
#include "narrow/moving_shape.h"

#include "base/status.h"

/* ---- making ready --------------------------------------------------------------------------- */

static graze_status check_kinds(const graze_shape *from, const graze_shape *to, graze_error *error)
{
    if (from->kind != to->kind)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the shape is of kind %d at the start and %d at the end",
                           (int)from->kind, (int)to->kind);
    if (from->kind == GRAZE_PLANE || from->kind == GRAZE_FRUSTUM)
        return grazei_fail(error, GRAZE_UNSUPPORTED,
                           "what moves is a sphere, capsule, box or half-space");
    const float *n = from->as.plane.normal, *m = to->as.plane.normal;
    if (from->kind == GRAZE_HALF_SPACE && (n[0] != m[0] || n[1] != m[1] || n[2] != m[2]))
        return grazei_fail(error, GRAZE_UNSUPPORTED, "a half-space that moves keeps its normal");
    return GRAZE_OK;
}

/* Corners of a box relative to its centre: the inverse of the axes times the half sides. */
static void set_box_corners(const graze_box *box, d3 *corners)
{
    d3 axes[3], sides[3];
    for (int i = 0; i < 3; i++)
        axes[i] = (d3){box->axes[i][0], box->axes[i][1], box->axes[i][2]};
    for (int i = 0; i < 3; i++) {
        d3 across = d3_cross(axes[(i + 1) % 3], axes[(i + 2) % 3]);
        sides[i] = d3_scale(across, (double)box->half[i] / d3_dot(axes[i], across));
    }
    for (int i = 0; i < 8; i++) {
        d3 corner = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            corner = d3_along(corner, i >> k & 1 ? 1 : -1, sides[k]);
        corners[i] = corner;
    }
}

static void set_core(grazei_core *core, int end, const graze_shape *shape, const grazei_shape *made)
{
    core->at[end][0] = (d3){0, 0, 0};
    core->radius[end] = made->radius;
    switch (shape->kind) {
    case GRAZE_CAPSULE:
        core->kind = GRAZEI_CORE_SEGMENT;
        core->at[end][1] = (d3){made->along[0], made->along[1], made->along[2]};
        break;
    case GRAZE_BOX:
        core->kind = GRAZEI_CORE_BOX;
        set_box_corners(&shape->as.box, core->at[end]);
        break;
    default:
        core->kind = GRAZEI_CORE_POINT;
    }
}

graze_status grazei_moving_shape_prepare(grazei_moving_shape *made, const graze_shape *from,
                                         const graze_shape *to, graze_error *error)
{
    graze_status status = grazei_shape_prepare(&made->ends[0], from, error);
    if (!status)
        status = grazei_shape_prepare(&made->ends[1], to, error);
    if (!status)
        status = check_kinds(from, to, error);
    if (status)
        return status;
    set_core(&made->core, 0, from, &made->ends[0]);
    set_core(&made->core, 1, to, &made->ends[1]);
    return GRAZE_OK;
}

/* ---- boxes ---------------------------------------------------------------------------------- */

/* What changes linearly is below zero until *enter and after *leave, or all the time: false. */
static bool narrow_down(double start, double end, double *enter, double *leave)
{
    if (start < 0 && end < 0)
        return false;
    if (start < 0)
        *enter = d1_max(*enter, start / (start - end));
    if (end < 0)
        *leave = d1_min(*leave, start / (start - end));
    return true;
}

/* How deep in a half-space the box is at an end, and the size of what was added up. */
static double depth_of_box(const grazei_shape *shape, const float low_negated[3],
                           const float high[3], double *size)
{
    const grazei_shape_plane *plane = &shape->planes[0];
    double depth = plane->offset;
    *size = fabs(plane->offset);
    for (int k = 0; k < 3; k++) {
        double n = plane->normal[k], low = -(double)low_negated[k], top = high[k];
        depth -= d1_min(n * low, n * top);
        *size += fabs(n) * d1_max(fabs(low), fabs(top));
    }
    return depth;
}

static bool half_space_reaches(const grazei_moving_shape *shape, const float *const low_negated[2],
                               const float *const high[2], double slack, double *enter,
                               double *leave)
{
    double depths[2], sizes[2];
    for (int end = 0; end < 2; end++)
        depths[end] = depth_of_box(&shape->ends[end], low_negated[end], high[end], &sizes[end]);
    double pad = slack * d1_max(sizes[0], sizes[1]);
    return narrow_down(depths[0] + pad, depths[1] + pad, enter, leave);
}

bool grazei_moving_shape_reaches(const grazei_moving_shape *shape,
                                 const float *const low_negated[2], const float *const high[2],
                                 double slack, double *enter, double *leave)
{
    double below[2][3], above[2][3], reach = 0;
    *enter = 0;
    *leave = 1;
    if (shape->ends[0].kind == GRAZE_HALF_SPACE)
        return half_space_reaches(shape, low_negated, high, slack, enter, leave);
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < 3; k++) {
            const grazei_shape *own = &shape->ends[end];
            double low = -(double)low_negated[end][k] - own->origin[k];
            double top = (double)high[end][k] - own->origin[k];
            below[end][k] = top - own->low[k];
            above[end][k] = own->high[k] - low;
            reach = d1_max(reach, d1_max(fabs(low), fabs(top)));
            reach = d1_max(reach, d1_max(fabs(own->low[k]), fabs(own->high[k])));
        }
    double pad = slack * reach;
    for (int k = 0; k < 3; k++)
        if (!narrow_down(below[0][k] + pad, below[1][k] + pad, enter, leave) ||
            !narrow_down(above[0][k] + pad, above[1][k] + pad, enter, leave))
            return false;
    return *enter <= *leave;
}

/* What is not before this is later than a time, as a float. */
static double after(float latest)
{
    return (double)(latest < FLT_MIN ? FLT_MIN : nextafterf(latest, INFINITY));
}

/* ---- triangles ------------------------------------------------------------------------------ */

static bool meets_at_start(const grazei_moving_shape *shape, const grazei_moving_triangle *triangle)
{
    uint32_t codes[3];
    const float(*corners)[4] = triangle->corners[0];
    const float *const rows[3] = {corners[0], corners[1], corners[2]};
    grazei_shape_codes(&shape->ends[0], corners, 3, codes);
    return grazei_shape_meets(&shape->ends[0], rows, codes);
}

static grazei_core core_of(const grazei_moving_shape *shape, const grazei_moving_triangle *triangle)
{
    grazei_core core;
    core.kind = GRAZEI_CORE_TRIANGLE;
    core.radius[0] = core.radius[1] = 0;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 3; i++) {
            const float *corner = triangle->corners[end][i];
            const double *origin = shape->ends[end].origin;
            core.at[end][i] = (d3){(double)corner[0] - origin[0], (double)corner[1] - origin[1],
                                   (double)corner[2] - origin[2]};
        }
    return core;
}

/* The same along the axes of a box that does not turn: a corner's height above its middle changes
 * linearly, and the least of three is at least what lies between its values at both ends.
 */
static bool axes_overlap(const grazei_moving_shape *shape, const grazei_core *triangle,
                         double *enter, double *leave)
{
    double pad = GRAZEI_MOVING_SHAPE_TRIANGLES *
                 d1_max(grazei_core_reach(triangle), grazei_core_reach(&shape->core));
    for (uint32_t p = 0; p < shape->ends[0].plane_count; p++) {
        const grazei_shape_plane *planes[2] = {&shape->ends[0].planes[p],
                                               &shape->ends[1].planes[p]};
        double depths[2];
        for (int end = 0; end < 2; end++) {
            const double *n = planes[end]->normal;
            d3 axis = {n[0], n[1], n[2]};
            const d3 *at = triangle->at[end];
            double least =
                d1_min(d1_min(d3_dot(axis, at[0]), d3_dot(axis, at[1])), d3_dot(axis, at[2]));
            depths[end] = planes[end]->offset - least + pad;
            if (n[0] != planes[0]->normal[0] || n[1] != planes[0]->normal[1] ||
                n[2] != planes[0]->normal[2])
                return true;
        }
        if (!narrow_down(depths[0], depths[1], enter, leave))
            return false;
    }
    return *enter <= *leave;
}

static double height_of(const grazei_shape *shape, const float corner[3], double *size)
{
    const grazei_shape_plane *plane = &shape->planes[0];
    double height = -plane->offset;
    *size = fabs(plane->offset);
    for (int k = 0; k < 3; k++) {
        height += plane->normal[k] * (double)corner[k];
        *size += fabs(plane->normal[k] * (double)corner[k]);
    }
    return height;
}

/* The corner that is in the half-space first. Heights are right to 2^-50 of their sizes, and
 * lowered by 2^-42 of them.
 */
static bool half_space_meets(const grazei_moving_shape *shape,
                             const grazei_moving_triangle *triangle, float latest,
                             grazei_moving_contact *contact)
{
    double first = 2, sizes[2], normal = 0;
    int which = 0;
    if (meets_at_start(shape, triangle))
        return contact->initial = true;
    for (int i = 0; i < 3; i++) {
        double start = height_of(&shape->ends[0], triangle->corners[0][i], &sizes[0]);
        double end = height_of(&shape->ends[1], triangle->corners[1][i], &sizes[1]);
        double margin = 0x1p-42 * d1_max(sizes[0], sizes[1]), time = 0;
        start -= margin;
        end -= margin;
        if (start > 0 && end > 0)
            continue;
        if (start > 0)
            time = start / (start - end);
        which = time < first ? i : which;
        first = d1_min(time, first);
    }
    if (first > 1 || first >= after(latest))
        return false;
    contact->reached = first;
    contact->time = grazei_round_time(first);
    for (int k = 0; k < 3; k++)
        normal += shape->ends[0].planes[0].normal[k] * shape->ends[0].planes[0].normal[k];
    for (int k = 0; k < 3; k++) {
        contact->point[k] = (float)((1 - first) * (double)triangle->corners[0][which][k] +
                                    first * (double)triangle->corners[1][which][k]);
        contact->normal[k] = (float)(-shape->ends[0].planes[0].normal[k] / sqrt(normal));
    }
    return true;
}

static void describe(const grazei_moving_shape *shape, const grazei_core_contact *found, d3 point,
                     grazei_moving_contact *contact)
{
    const double *start = shape->ends[0].origin, *end = shape->ends[1].origin;
    double time = found->time, at[3] = {point.x, point.y, point.z};
    contact->time = grazei_round_time(time);
    contact->reached = time;
    for (int k = 0; k < 3; k++)
        contact->point[k] = (float)(at[k] + ((1 - time) * start[k] + time * end[k]));
    contact->normal[0] = (float)found->normal.x;
    contact->normal[1] = (float)found->normal.y;
    contact->normal[2] = (float)found->normal.z;
}

bool grazei_moving_shape_meets(const grazei_moving_shape *shape,
                               const grazei_moving_triangle *triangle, float latest,
                               grazei_moving_contact *contact)
{
    float low_negated[2][4] __attribute__((aligned(16))), high[2][4] __attribute__((aligned(16)));
    double enter, leave, too_late = after(latest);
    grazei_core_contact found;
    *contact = (grazei_moving_contact){.initial = false};
    for (int end = 0; end < 2; end++) {
        const float(*corners)[4] = triangle->corners[end];
        f4 p = f4_load(corners[0]), q = f4_load(corners[1]), r = f4_load(corners[2]);
        f4_store(low_negated[end], -f4_min(p, f4_min(q, r)));
        f4_store(high[end], f4_max(p, f4_max(q, r)));
    }
    if (!grazei_moving_shape_reaches(shape, (const float *[2]){low_negated[0], low_negated[1]},
                                     (const float *[2]){high[0], high[1]},
                                     GRAZEI_MOVING_SHAPE_TRIANGLES, &enter, &leave) ||
        enter >= too_late)
        return false;
    if (shape->ends[0].kind == GRAZE_HALF_SPACE)
        return half_space_meets(shape, triangle, latest, contact);
    grazei_core core = core_of(shape, triangle);
    if (shape->ends[0].kind == GRAZE_BOX &&
        (!axes_overlap(shape, &core, &enter, &leave) || enter >= too_late))
        return false;
    bool hit = grazei_cores_meet(&shape->core, &core, enter, leave, too_late, &found);
    contact->steps = found.steps;
    if (!hit)
        return false;
    if (found.time == 0 && meets_at_start(shape, triangle))
        return contact->initial = true;
    describe(shape, &found, found.on_b, contact);
    return true;
}

/* ---- two shapes ----------------------------------------------------------------------------- */

/* The corners of b relative to the origin of a. */
static grazei_core core_beside(const grazei_moving_shape *a, const grazei_moving_shape *b)
{
    grazei_core core = b->core;
    for (int end = 0; end < 2; end++) {
        const double *from = a->ends[end].origin, *to = b->ends[end].origin;
        d3 way = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        for (int i = 0; i < grazei_core_corners(core.kind); i++)
            core.at[end][i] = d3_along(way, 1, core.at[end][i]);
    }
    return core;
}

/* A corner of b, with its radius, above the half-space a. */
static bool corner_enters(const grazei_moving_shape *a, const grazei_moving_shape *b, int corner,
                          double length, double *time)
{
    double heights[2];
    for (int end = 0; end < 2; end++) {
        const grazei_shape_plane *plane = &a->ends[end].planes[0];
        d3 p =
            d3_along(b->core.at[end][corner], 1,
                     (d3){b->ends[end].origin[0], b->ends[end].origin[1], b->ends[end].origin[2]});
        d3 n = {plane->normal[0], plane->normal[1], plane->normal[2]};
        double size = fabs(plane->offset) + (fabs(n.x * p.x) + fabs(n.y * p.y)) + fabs(n.z * p.z);
        double radius = length * b->core.radius[end];
        heights[end] = d3_dot(n, p) - plane->offset - radius - 0x1p-46 * (size + radius);
    }
    if (heights[0] > 0 && heights[1] > 0)
        return false;
    *time = heights[0] > 0 ? heights[0] / (heights[0] - heights[1]) : 0;
    return true;
}

/* a is the half-space; `sign` turns the normal where the caller has it as b. */
static bool half_space_and_shape(const grazei_moving_shape *a, const grazei_moving_shape *b,
                                 double sign, grazei_moving_contact *contact)
{
    const double *n = a->ends[0].planes[0].normal;
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), first = 2, time;
    int which = 0, count = grazei_core_corners(b->core.kind);
    for (int i = 0; i < count; i++)
        if (corner_enters(a, b, i, length, &time) && time < first) {
            first = time;
            which = i;
        }
    if (first > 1)
        return false;
    const d3 *at[2] = {&b->core.at[0][which], &b->core.at[1][which]};
    double start[3] = {at[0]->x, at[0]->y, at[0]->z}, end[3] = {at[1]->x, at[1]->y, at[1]->z};
    double radius = (1 - first) * b->core.radius[0] + first * b->core.radius[1];
    contact->time = grazei_round_time(first);
    contact->reached = first;
    for (int k = 0; k < 3; k++) {
        contact->normal[k] = (float)(-sign * n[k] / length);
        contact->point[k] =
            (float)((1 - first) * (start[k] + b->ends[0].origin[k]) +
                    first * (end[k] + b->ends[1].origin[k]) - radius * n[k] / length);
    }
    return true;
}

bool grazei_moving_shapes_meet(const grazei_moving_shape *a, const grazei_moving_shape *b,
                               grazei_moving_contact *contact)
{
    grazei_core_contact found;
    *contact = (grazei_moving_contact){.initial = false};
    if (a->ends[0].kind == GRAZE_HALF_SPACE)
        return half_space_and_shape(a, b, 1, contact);
    if (b->ends[0].kind == GRAZE_HALF_SPACE)
        return half_space_and_shape(b, a, -1, contact);
    grazei_core core = core_beside(a, b);
    if (!grazei_cores_meet(&a->core, &core, 0, 1, INFINITY, &found))
        return false;
    double radius = (1 - found.time) * core.radius[0] + found.time * core.radius[1];
    contact->steps = found.steps;
    describe(a, &found, d3_along(found.on_b, radius, found.normal), contact);
    return true;
}
