/* Measuring pieces of a hitbox, and packing them for poses. */
#include "hitbox/pieces.h"

#include "base/assert.h"
#include "math/rounding.h"
#include "math/vector.h"

#include <string.h>

/* A ball leaves out joints of smaller weight: vertices stray by no more than they have of them. */
static const double least_weight = 0.004;

const double *grazei_point_weights(const grazei_points *points, uint32_t number)
{
    const grazei_mesh *mesh = points->mesh;
    uint32_t v = points->vertices[number];
    if (points->weights)
        return points->weights + (size_t)points->joint_count * number;
    memset(points->scratch_weights, 0, points->joint_count * sizeof *points->scratch_weights);
    for (uint32_t i = mesh->influence_offsets[v]; i < mesh->influence_offsets[v + 1]; i++)
        points->scratch_weights[points->numbers[mesh->influences[i].joint]] +=
            (double)mesh->influences[i].weight;
    return points->scratch_weights;
}

static void read_point(const grazei_points *points, uint32_t number, double x[3])
{
    const float *at = grazei_point(points, number);
    for (int k = 0; k < 3; k++)
        x[k] = (double)at[k];
}

/* ---- centres -------------------------------------------------------------------------------- */

/* No coordinate beyond those of the mesh: then the magnitude of a pose holds centres, too. */
static float within_reach(const grazei_mesh *mesh, double x, int axis)
{
    float at = (float)x, reach = mesh->reach[axis];
    return f1_max(-reach, f1_min(reach, at));
}

static void place_ball(const grazei_points *points, grazei_ball_piece *piece)
{
    for (uint32_t i = 0; i < piece->count; i++)
        points->scratch_numbers[i] = points->vertices[piece->points[i]];
    grazei_ball ball = grazei_ball_enclose(points->mesh->positions, points->scratch_numbers,
                                           piece->count, points->scratch_order);
    for (int k = 0; k < 3; k++)
        piece->centres[0][k] = piece->centres[1][k] = within_reach(points->mesh, ball.centre[k], k);
}

/* Two directions at right angles to a unit vector. */
static void find_sides(const double u[3], double sides[2][3])
{
    double sign = u[2] >= 0 ? 1 : -1, a = -1 / (sign + u[2]), b = u[0] * u[1] * a;
    const double found[2][3] = {{1 + sign * u[0] * u[0] * a, sign * b, -sign * u[0]},
                                {b, sign + u[1] * u[1] * a, -u[1]}};
    memcpy(sides, found, sizeof found);
}

/* In the middle of the points' box across the direction, as long as it has to be. */
static void place_segment(const grazei_points *points, grazei_ball_piece *piece,
                          const double direction[3])
{
    double length = grazei_length(direction), sides[2][3], x[3], middle[2], thick2 = 0;
    const double u[3] = {direction[0] / length, direction[1] / length, direction[2] / length};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    find_sides(u, sides);
    for (uint32_t i = 0; i < piece->count; i++) {
        read_point(points, piece->points[i], x);
        for (int s = 0; s < 2; s++) {
            low[s] = fmin(low[s], grazei_dot(x, sides[s]));
            high[s] = fmax(high[s], grazei_dot(x, sides[s]));
        }
    }
    for (int s = 0; s < 2; s++)
        middle[s] = (low[s] + high[s]) / 2;
    double *flat2 = points->scratch;
    for (uint32_t i = 0; i < piece->count; i++) {
        read_point(points, piece->points[i], x);
        double a = grazei_dot(x, sides[0]) - middle[0], b = grazei_dot(x, sides[1]) - middle[1];
        flat2[i] = a * a + b * b;
        thick2 = fmax(thick2, flat2[i]);
    }
    double first = INFINITY, last = -INFINITY;
    for (uint32_t i = 0; i < piece->count; i++) {
        read_point(points, piece->points[i], x);
        double half = sqrt(thick2 - flat2[i]), t = grazei_dot(x, u);
        first = fmin(first, t + half);
        last = fmax(last, t - half);
    }
    if (first > last)
        first = last = (first + last) / 2;
    for (int k = 0; k < 3; k++) {
        double base = middle[0] * sides[0][k] + middle[1] * sides[1][k];
        piece->centres[0][k] = within_reach(points->mesh, base + first * u[k], k);
        piece->centres[1][k] = within_reach(points->mesh, base + last * u[k], k);
    }
}

static void place_between(const grazei_points *points, grazei_ball_piece *piece,
                          const graze_capsule *between)
{
    for (int k = 0; k < 3; k++) {
        piece->centres[0][k] = within_reach(points->mesh, (double)between->p[k], k);
        piece->centres[1][k] = within_reach(points->mesh, (double)between->q[k], k);
    }
}

/* ---- weights of the centres, and how far vertices stray ------------------------------------- */

/* Where a point stands on the piece's segment: 0 at the first centre, 1 at the second. */
typedef struct segment {
    double start[3], way[3], length2;
} segment;

static segment segment_of(const grazei_ball_piece *piece)
{
    segment s;
    for (int k = 0; k < 3; k++) {
        s.start[k] = (double)piece->centres[0][k];
        s.way[k] = (double)piece->centres[1][k] - s.start[k];
    }
    s.length2 = grazei_dot(s.way, s.way);
    return s;
}

static double place_on(const segment *s, const double x[3])
{
    const double to[3] = {x[0] - s->start[0], x[1] - s->start[1], x[2] - s->start[2]};
    double t = s->length2 > 0 ? grazei_dot(to, s->way) / s->length2 : 0;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* Sums of squares over the points, and of their weights, for both ends. */
typedef struct ends {
    double square[3]; /* of 1 - t with itself, with t, and of t */
    double sums[2][GRAZEI_MOST_BALL_JOINTS];
    double low[GRAZEI_MOST_BALL_JOINTS]; /* the smallest weight */
} ends;

/* Weights that run along the segment, by least squares; or one ball's, in the middle of theirs. */
static void weigh_centres(const grazei_ball_piece *piece, uint32_t joints, const ends *e,
                          double weights[2][GRAZEI_MOST_BALL_JOINTS])
{
    double s00 = e->square[0], s01 = e->square[1], s11 = e->square[2];
    double determinant = s00 * s11 - s01 * s01;
    bool runs = piece->ball_count == 2 && determinant > 1e-9 * (s00 + s11) * (s00 + s11);
    for (uint32_t j = 0; j < joints; j++) {
        double a = e->sums[0][j], b = e->sums[1][j];
        weights[0][j] = runs ? (s11 * a - s01 * b) / determinant : (e->low[j] + piece->most[j]) / 2;
        weights[1][j] = runs ? (s00 * b - s01 * a) / determinant : weights[0][j];
    }
    for (int end = 0; end < 2; end++) {
        double all = 0, sum = 0, *w = weights[end];
        for (uint32_t j = 0; j < joints; j++)
            all += w[j];
        for (uint32_t j = 0; j < joints; j++)
            sum += w[j] = w[j] < least_weight * all ? 0 : w[j];
        for (uint32_t j = 0; j < joints; j++)
            w[j] /= sum;
    }
}

static void find_rows(const grazei_points *points, grazei_ball_piece *piece, const segment *s)
{
    uint32_t joints = points->joint_count;
    double weights[2][GRAZEI_MOST_BALL_JOINTS], x[3];
    ends e = {.square = {0, 0, 0}};
    for (uint32_t j = 0; j < joints; j++) {
        e.low[j] = 1;
        piece->most[j] = 0;
    }
    for (uint32_t i = 0; i < piece->count; i++) {
        read_point(points, piece->points[i], x);
        const double *w = grazei_point_weights(points, piece->points[i]);
        double t = place_on(s, x);
        e.square[0] += (1 - t) * (1 - t);
        e.square[1] += t * (1 - t);
        e.square[2] += t * t;
        for (uint32_t j = 0; j < joints; j++) {
            e.sums[0][j] += (1 - t) * w[j];
            e.sums[1][j] += t * w[j];
            e.low[j] = fmin(e.low[j], w[j]);
            piece->most[j] = fmax(piece->most[j], w[j]);
        }
    }
    weigh_centres(piece, joints, &e, weights);
    for (int end = 0; end < 2; end++)
        for (uint32_t j = 0; j < joints; j++) {
            for (int k = 0; k < 3; k++)
                piece->rows[end][j][k] = (float)(weights[end][j] * (double)piece->centres[end][k]);
            piece->rows[end][j][3] = (float)weights[end][j];
        }
}

/* What one joint does to a vertex beside what it does to the vertex's place on the segment: the
 * proof's e_j, from the rows as they are stored.
 */
static void find_stray(const grazei_ball_piece *piece, uint32_t joint, const double place[3],
                       double t, double weight, double stray[4])
{
    const float *a = piece->rows[0][joint], *b = piece->rows[1][joint];
    for (int k = 0; k < 4; k++) {
        double centre = (1 - t) * (double)a[k] + t * (double)b[k];
        stray[k] = weight * (k < 3 ? place[k] : 1) - centre;
    }
}

static void find_strays(const grazei_points *points, grazei_ball_piece *piece, const segment *s)
{
    double radius = 0, lost = 0, lost_weight = 0, x[3], place[3], off[3], stray[4];
    memset(piece->turn, 0, sizeof piece->turn);
    memset(piece->shift, 0, sizeof piece->shift);
    for (uint32_t i = 0; i < piece->count; i++) {
        read_point(points, piece->points[i], x);
        const double *w = grazei_point_weights(points, piece->points[i]);
        double t = place_on(s, x), sum[4] = {0, 0, 0, 0};
        for (int k = 0; k < 3; k++) {
            place[k] = s->start[k] + t * s->way[k];
            off[k] = x[k] - place[k];
        }
        radius = fmax(radius, grazei_dot(off, off));
        for (uint32_t j = 0; j < points->joint_count; j++) {
            if (w[j] == 0 && piece->rows[0][j][3] == 0 && piece->rows[1][j][3] == 0)
                continue;
            find_stray(piece, j, place, t, w[j], stray);
            for (int k = 0; k < 4; k++)
                sum[k] += stray[k];
            const float *pivot = points->pivots[j];
            for (int k = 0; k < 3; k++)
                stray[k] -= stray[3] * (double)pivot[k];
            piece->turn[j] = fmax(piece->turn[j], grazei_dot(stray, stray));
            piece->shift[j] = fmax(piece->shift[j], fabs(stray[3]));
        }
        lost = fmax(lost, grazei_dot(sum, sum));
        lost_weight = fmax(lost_weight, fabs(sum[3]));
    }
    piece->radius = (sqrt(radius) + sqrt(lost)) * (1 + 1e-12) + points->slack;
    piece->weight_error = lost_weight + 1e-13;
    for (uint32_t j = 0; j < points->joint_count; j++) {
        piece->turn[j] = sqrt(piece->turn[j]) * (1 + 1e-12) + points->slack;
        piece->shift[j] += 1e-13;
    }
}

void grazei_ball_piece_measure(const grazei_points *points, grazei_ball_piece *piece,
                               grazei_ball_piece_kind kind, const double direction[3],
                               const graze_capsule *between)
{
    GRAZE_ASSERT(piece->count && points->joint_count <= GRAZEI_MOST_BALL_JOINTS);
    piece->kind = kind;
    if (kind == GRAZEI_ALONG) {
        memmove(piece->direction, direction, sizeof piece->direction);
        place_segment(points, piece, direction);
    }
    if (kind == GRAZEI_BETWEEN)
        place_between(points, piece, between);
    segment s = {.length2 = 0};
    if (kind != GRAZEI_ONE_BALL)
        s = segment_of(piece);
    piece->ball_count = s.length2 > points->slack * points->slack ? 2 : 1;
    if (piece->ball_count == 1) {
        place_ball(points, piece);
        s = segment_of(piece);
    }
    find_rows(points, piece, &s);
    find_strays(points, piece, &s);
}

/* ---- packing -------------------------------------------------------------------------------- */

/* One ball of the hitbox. */
typedef struct lane {
    const grazei_ball_piece *piece;
    uint32_t end;
    double along;
} lane;

/* The balls of all pieces, and where they are along the axis: from -1 to 1 around their mean. */
static uint32_t list_lanes(const grazei_ball_piece *const *pieces, uint32_t count,
                           const double axis[3], lane *lanes)
{
    uint32_t lane_count = 0;
    double mean = 0, most = 0;
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t end = 0; end < pieces[p]->ball_count; end++) {
            const float *c = pieces[p]->centres[end];
            double t = (double)c[0] * axis[0] + (double)c[1] * axis[1] + (double)c[2] * axis[2];
            lanes[lane_count++] = (lane){pieces[p], end, t};
            mean += t;
        }
    GRAZE_ASSERT(lane_count && lane_count <= GRAZEI_MOST_BALLS);
    for (uint32_t i = 0; i < lane_count; i++) {
        lanes[i].along -= mean / lane_count;
        most = fmax(most, fabs(lanes[i].along));
    }
    for (uint32_t i = 0; i < lane_count && most > 0; i++)
        lanes[i].along /= most;
    return lane_count;
}

/* False if none of the four has anything to do with the joint. */
static bool fill_row(const lane *const four[4], uint32_t joint, grazei_ball_row *row)
{
    bool any = false;
    for (int k = 0; k < 4; k++) {
        const grazei_ball_piece *p = four[k]->piece;
        const float *centre = p->rows[four[k]->end][joint];
        bool used = p->most[joint] > 0 || p->rows[0][joint][3] != 0 || p->rows[1][joint][3] != 0;
        row->x[k] = centre[0];
        row->y[k] = centre[1];
        row->z[k] = centre[2];
        row->w[k] = centre[3];
        row->turn[k] = used ? grazei_round_up(p->turn[joint]) : 0;
        row->shift[k] = used ? grazei_round_up(p->shift[joint]) : 0;
        row->grow[k] = grazei_round_up(p->most[joint] * p->radius * (1 + 1e-12));
        any |= used;
    }
    return any;
}

void grazei_ball_pieces_pack(const grazei_ball_piece *const *pieces, uint32_t count,
                             uint32_t joint_count, const double axis[3], grazei_packed *packed)
{
    lane lanes[GRAZEI_MOST_BALLS];
    uint32_t lane_count = list_lanes(pieces, count, axis, lanes), rows = 0;
    packed->group_count = (lane_count + 3) / 4;
    for (uint32_t g = 0; g < packed->group_count; g++) {
        grazei_ball_group *group = &packed->groups[g];
        const lane *four[4];
        group->first_row = rows;
        for (uint32_t k = 0; k < 4; k++) {
            bool filled = 4 * g + k < lane_count;
            four[k] = &lanes[filled ? 4 * g + k : 4 * g];
            group->radius[k] = grazei_round_up(four[k]->piece->radius);
            group->along[k] = filled ? (float)four[k]->along : 0;
        }
        for (uint32_t j = 0; j < joint_count; j++) {
            packed->row_joints[rows] = j;
            rows += fill_row(four, j, &packed->rows[rows]);
        }
        group->row_count = rows - group->first_row;
        uint32_t units =
            group->row_count + group->row_count % 2 + 8; /* then 1 + units u is a float */
        group->row_error = (float)units * GRAZEI_UNIT;
        group->growth = 1 + group->row_error;
    }
    packed->row_count = rows;
}
