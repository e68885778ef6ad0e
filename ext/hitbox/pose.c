/* Volumes in a pose.
 *
 * Setting: a cluster has its vertices within rho of c at rest, with weights w_j within d_j of m_j.
 * Joint j takes x to A_j x + t_j; let p_j = A_j c + t_j and C = sum m_j p_j. A vertex v ends at
 *
 *     v' = sum w_j (A_j v + t_j) = C + sum (w_j - m_j)(p_j - C) + sum w_j A_j (v - c),
 *
 * as the w_j sum to 1, and so do the m_j. So (1): v' is within D + S rho of C, with D the sum of
 * d_j |p_j - C| and S the largest singular value of any of the A_j. And (2): with the volume's own
 * joint i,
 *
 *     v' - (A_i v + t_i) = (C - p_i) + sum (w_j - m_j)(p_j - C) + sum w_j (A_j - A_i)(v - c),
 *
 * at most E = |C - p_i| + D + rho max |A_j - A_i|. A vertex whose distance from the volume's axis
 * at rest is at most g is then within S_i g + E of the axis as joint i moves it.
 *
 * For the axis as it was moved the smaller of the two counts, cluster by cluster; (1) also gives
 * balls to put a sphere or a capsule along another axis around. What has the least volume is taken.
 *
 * Rounding: all of this is done in double, from the floats that pose vertices; those are off by at
 * most ((n_v + 16) u + 5 kappa) M and the error of the placement, as docs/bounds.md has it, which
 * every radius is enlarged by, and by 1e-12 M for our own. The axis is rounded first, and its
 * radius measured from what is left.
 */
#include "base/status.h"
#include "hitbox/follow.h"
#include "math/rounding.h"
#include "math/vector.h"

#include <string.h>

/* A part in a pose. */
typedef struct posed_part {
    graze_capsule axis;                    /* of the volume, as its joint moves it */
    double stretch;                        /* of that joint */
    double deviation[GRAZE_MAX_CLUSTERS];  /* E of (2) */
    grazei_ball balls[GRAZE_MAX_CLUSTERS]; /* of (1) */
} posed_part;

/* At least the largest singular value of the difference of two maps' linear parts. */
static double difference(const f4_map *a, const f4_map *b)
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            double d = (double)a->c[c][k] - (double)b->c[c][k];
            sum += d * d;
        }
    return sqrt(sum) * (1 + 1e-14);
}

static void pose_cluster(const graze_hitboxes *fit, const grazei_joints *joints,
                         const grazei_fit_part *part, uint32_t index, double error,
                         posed_part *posed)
{
    const grazei_cluster *c = &fit->clusters[part->first_cluster + index];
    const grazei_share *shares = fit->shares + c->first_share;
    const f4_map *own = &joints->maps[part->volume.joint];
    double centre[3] = {0, 0, 0}, image[3], way[3], turned = 0, spread = 0, stretch = 0;
    for (uint32_t s = 0; s < c->share_count; s++) {
        grazei_move(&joints->maps[shares[s].joint], c->centre, image);
        for (int k = 0; k < 3; k++)
            centre[k] += shares[s].mean * image[k];
    }
    for (uint32_t s = 0; s < c->share_count; s++) {
        const f4_map *map = &joints->maps[shares[s].joint];
        grazei_move(map, c->centre, image);
        for (int k = 0; k < 3; k++)
            way[k] = image[k] - centre[k];
        spread += shares[s].spread * grazei_length(way);
        stretch = fmax(stretch, grazei_stretch_of(map));
        turned = fmax(turned, difference(map, own));
    }
    grazei_move(own, c->centre, image);
    for (int k = 0; k < 3; k++) {
        way[k] = centre[k] - image[k];
        posed->balls[index].centre[k] = centre[k] + (double)joints->translation[k];
    }
    posed->balls[index].radius = spread + stretch * c->radius + error;
    posed->deviation[index] = grazei_length(way) + spread + turned * c->radius + error;
}

/* The radius for the axis as it was moved. Rounding it to floats moves it by less than u of its
 * largest coordinate on each axis.
 */
static double radius_of_moved(const graze_hitboxes *fit, const grazei_fit_part *part,
                              const posed_part *posed)
{
    double radius = 0, largest = 0;
    for (int k = 0; k < 3; k++)
        largest =
            fmax(largest, fmax(fabs((double)posed->axis.p[k]), fabs((double)posed->axis.q[k])));
    double rounded = 2 * (double)GRAZEI_UNIT * largest;
    for (uint32_t i = 0; i < part->cluster_count; i++) {
        const grazei_cluster *c = &fit->clusters[part->first_cluster + i];
        const grazei_ball *ball = &posed->balls[i];
        double by_joint = posed->stretch * c->clearance + posed->deviation[i] + rounded;
        double by_ball = grazei_capsule_distance(&posed->axis, ball->centre) + ball->radius;
        radius = fmax(radius, fmin(by_joint, by_ball));
    }
    return radius;
}

/* Directions of capsules that are tried: that of the axis as it was moved, and where the balls go.
 */
static bool direction_of(int choice, const grazei_fit_part *part, const posed_part *posed,
                         double direction[3])
{
    if (choice == 1)
        return grazei_capsule_direction(posed->balls, part->cluster_count, direction);
    for (int k = 0; k < 3; k++)
        direction[k] = (double)posed->axis.q[k] - (double)posed->axis.p[k];
    return grazei_length(direction) > 1e-30;
}

/* ---- linear skinning: from the joints alone ---------------------------------------------------
 */

/* Whether a volume is hardly larger than its joint makes it anyway. */
static bool is_near_rest(const grazei_fit_part *part, const graze_capsule *volume, double scale)
{
    double rest = grazei_capsule_volume(&part->volume.rest);
    return grazei_capsule_volume(volume) <= 1.1 * rest * scale * scale * scale;
}

/* An outer hitbox by the clusters of its part, where maps are blended: as large as they have to be
 * in any pose.
 */
static graze_capsule bound_by_clusters(const graze_hitboxes *fit, const grazei_joints *joints,
                                       const grazei_fit_part *part)
{
    const grazei_mesh *mesh = &fit->model->mesh;
    graze_capsule best = {.radius = FLT_MAX};
    posed_part posed;
    double magnitude = (double)joints->magnitude_length;
    double error = (((double)mesh->max_influences + 16) * (double)GRAZEI_UNIT +
                    5 * (double)mesh->weight_error + 1e-12) *
                       magnitude +
                   (double)joints->final_error_length;
    grazei_followed followed = grazei_follow_joint(joints, &part->volume);
    posed.axis = followed.axis;
    posed.stretch = followed.stretch;
    for (uint32_t i = 0; i < part->cluster_count; i++)
        pose_cluster(fit, joints, part, i, error, &posed);
    double radius = radius_of_moved(fit, part, &posed);
    if (!part->volume.fitted)
        radius = fmax(radius, posed.stretch * (double)part->volume.rest.radius);
    grazei_capsule_offer(&best, posed.axis, radius);
    /* Where the joint has moved nearly all there is, another axis could not gain much. */
    if (!part->volume.fitted || is_near_rest(part, &best, followed.scale))
        return best;
    graze_capsule segment = grazei_capsule_middle(posed.balls, part->cluster_count);
    grazei_capsule_offer(&best, segment,
                         grazei_capsule_radius(&segment, posed.balls, part->cluster_count));
    for (int choice = 0; choice < 2; choice++) {
        double direction[3];
        if (!direction_of(choice, part, &posed, direction))
            continue;
        segment = grazei_capsule_along(posed.balls, part->cluster_count, direction);
        grazei_capsule_offer(&best, segment,
                             grazei_capsule_radius(&segment, posed.balls, part->cluster_count));
    }
    return best;
}

/* By balls where that is good, else by clusters. */
static void bound_part(const graze_hitboxes *fit, const grazei_joints *joints, uint32_t number,
                       float balls_error, graze_capsule *volume)
{
    const grazei_ball_volume *balls = fit->balls.volumes ? &fit->balls.volumes[number] : NULL;
    bool posed = balls && balls->joint_count &&
                 grazei_balls_pose(&fit->balls, balls, joints, balls_error, volume);
    if (!posed)
        *volume = bound_by_clusters(fit, joints, &fit->parts[number]);
}

/* ---- everything else: from the posed vertices -------------------------------------------------
 */

static double radius_of_vertices(const graze_hitboxes *fit, const float (*positions)[4],
                                 const grazei_fit_part *part, const graze_capsule *segment)
{
    double radius = 0;
    for (uint32_t i = 0; i < part->count; i++) {
        const float *x = positions[fit->vertices[part->first + i]];
        const double at[3] = {(double)x[0], (double)x[1], (double)x[2]};
        radius = fmax(radius, grazei_capsule_distance(segment, at));
    }
    return radius;
}

/* A ball around the box of a cluster's vertices: for the choice of an axis. */
static grazei_ball ball_of_vertices(const graze_hitboxes *fit, const float (*positions)[4],
                                    const grazei_cluster *c)
{
    grazei_ball ball = {.radius = 0};
    double sides[3];
    for (int k = 0; k < 3; k++) {
        float low = FLT_MAX, high = -FLT_MAX;
        for (uint32_t i = 0; i < c->count; i++) {
            float x = positions[fit->vertices[c->first + i]][k];
            low = fminf(low, x);
            high = fmaxf(high, x);
        }
        ball.centre[k] = ((double)low + (double)high) / 2;
        sides[k] = ((double)high - (double)low) / 2;
    }
    ball.radius = grazei_length(sides);
    return ball;
}

/* A volume that was given stays on its axis. */
static graze_capsule inflate_part(const graze_hitboxes *fit, graze_body *body,
                                  const float (*positions)[4], const grazei_fit_part *part)
{
    graze_capsule best = {.radius = FLT_MAX};
    grazei_followed followed = grazei_follow(fit, body, &part->volume);
    double given = followed.stretch * (double)part->volume.rest.radius;
    grazei_capsule_offer(&best, followed.axis,
                         fmax(given, radius_of_vertices(fit, positions, part, &followed.axis)));
    return best;
}

static graze_capsule fit_part(const graze_hitboxes *fit, const float (*positions)[4],
                              const grazei_fit_part *part)
{
    graze_capsule best = {.radius = FLT_MAX};
    grazei_ball balls[GRAZE_MAX_CLUSTERS];
    for (uint32_t i = 0; i < part->cluster_count; i++)
        balls[i] = ball_of_vertices(fit, positions, &fit->clusters[part->first_cluster + i]);
    graze_capsule segment = grazei_capsule_middle(balls, part->cluster_count);
    grazei_capsule_offer(&best, segment, radius_of_vertices(fit, positions, part, &segment));
    double direction[3];
    if (grazei_capsule_direction(balls, part->cluster_count, direction)) {
        segment = grazei_capsule_along(balls, part->cluster_count, direction);
        grazei_capsule_offer(&best, segment, radius_of_vertices(fit, positions, part, &segment));
    }
    return best;
}

graze_status graze_hitboxes_pose(const graze_hitboxes *fit, graze_body *body,
                                 graze_capsule *volumes, uint32_t capacity, graze_error *error)
{
    graze_status status = grazei_check_pointer(fit, "the hitboxes", error);
    if (!status)
        status = grazei_check_pointer(body, "the body", error);
    if (!status)
        status = grazei_check_pointer(volumes, "the array of capsules", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (status)
        return status;
    if (grazei_body_model(body) != fit->model)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the body is of another model than the hitboxes");
    uint32_t count = graze_hitboxes_count(fit, NULL);
    if (capacity < count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "room for %u capsules, there are %u hitboxes",
                           capacity, count);
    const grazei_joints *joints = grazei_body_plain_joints(body);
    status = joints ? GRAZE_OK : grazei_body_ready(body, error);
    if (status)
        return status;
    const float(*positions)[4] = joints ? NULL : grazei_body_all_positions(body);
    const grazei_mesh *mesh = &fit->model->mesh;
    float balls_error =
        joints ? grazei_balls_error(&fit->balls, joints, mesh->max_influences, mesh->weight_error)
               : 0;
    for (uint32_t p = 0; p < fit->part_count; p++) {
        const grazei_fit_part *part = &fit->parts[p];
        if (joints)
            bound_part(fit, joints, p, balls_error, &volumes[p]);
        else
            volumes[p] = part->volume.fitted ? fit_part(fit, positions, part)
                                             : inflate_part(fit, body, positions, part);
    }
    grazei_follow_inner(fit, body, volumes + fit->part_count);
    return GRAZE_OK;
}
