/* Choosing balls: from one piece on, the piece is split whose halves make the hitbox smallest over
 * the training poses, as the code that poses hitboxes finds. The search looks at some vertices of a
 * part only, so that a part takes about as long however many it has; all of them are then split the
 * same way and measured.
 */
#include "hitbox/choose.h"

#include "base/memory.h"
#include "hitbox/pieces.h"
#include "hitbox/train.h"
#include "math/rounding.h"

#include <string.h>

/* Vertices of a part that the search looks at; splits that are tried in all poses after a look at
 * some; every how manieth pose that is.
 */
enum { MOST_SAMPLES = 256, MOST_TRIALS = 4, ROUGH = 4 };

/* A split that makes hitboxes smaller by less than this, on average, is not worth its balls. */
static const double least_gain = 0.999;

/* Hitboxes that grow by more than this in a pose are left to clusters. */
static const double most_growth = 8;

/* Sides of a cut: where the points are along an axis, or along the hitbox, or their weight of a
 * joint.
 */
enum { ALONG_HITBOX = 3, FIRST_WEIGHT };

typedef struct cut {
    uint32_t piece; /* the other half becomes the last one */
    uint32_t key;
    double at;
} cut;

typedef struct trial {
    double cost;
    cut cut;
} trial;

typedef struct chooser {
    graze_hitboxes *fit;
    grazei_training training;
    float errors[GRAZEI_MOST_TRAINING_POSES];
    const grazei_fit_part *part;
    grazei_points points, samples;
    uint32_t joints[GRAZEI_MOST_BALL_JOINTS];
    float pivots[GRAZEI_MOST_BALL_JOINTS][3];
    uint32_t *numbers;       /* one a joint of the model */
    double axis[3], main[3]; /* of the hitbox at rest, and the main one of its vertices */
    bool has_main;
    double leading[3];                              /* for which poses find theirs */
    double first_sizes[GRAZEI_MOST_TRAINING_POSES]; /* of one ball: what sizes are compared with */
    uint32_t *order;                /* one a vertex: numbers of points, piece by piece */
    uint32_t sampled[MOST_SAMPLES]; /* vertices of the mesh */
    uint32_t sample_order[MOST_SAMPLES];
    uint32_t halves[MOST_SAMPLES]; /* of a trial */
    uint32_t *scratch_numbers, *scratch_order;
    double *scratch;
    double weights[MOST_SAMPLES * GRAZEI_MOST_BALL_JOINTS]; /* of the samples */
    double scratch_weights[GRAZEI_MOST_BALL_JOINTS];
    grazei_ball_piece pieces[GRAZEI_MOST_BALLS];
    grazei_ball_piece low, high, best, best_low, best_high; /* of trials */
    cut cuts[GRAZEI_MOST_BALLS];
    uint32_t count;
    grazei_packed packed;
    grazei_ball_joints fours[GRAZEI_MOST_BALL_JOINTS / 4];
} chooser;

/* ---- how good pieces are -------------------------------------------------------------------- */

/* Measures every step-th pose; 0 where balls do not bound. */
static void find_sizes(chooser *c, const grazei_ball_piece *const *pieces, uint32_t count,
                       uint32_t step, double *sizes)
{
    grazei_ball_pieces_pack(pieces, count, c->samples.joint_count, c->leading, &c->packed);
    const grazei_ball_volume volume = {.group_count = c->packed.group_count,
                                       .joint_count = c->samples.joint_count,
                                       .most_size = INFINITY};
    const grazei_balls balls = {.groups = c->packed.groups,
                                .rows = c->packed.rows,
                                .row_joints = c->packed.row_joints,
                                .joints = c->fours};
    for (uint32_t p = 0; p < c->training.count; p += step) {
        graze_capsule capsule;
        bool posed =
            grazei_balls_pose(&balls, &volume, &c->training.poses[p], c->errors[p], &capsule);
        sizes[p] = posed ? grazei_capsule_volume(&capsule) : 0;
    }
}

/* The product, over every step-th pose, of the hitbox's size against that of one ball. */
static double cost_of(chooser *c, const grazei_ball_piece *const *pieces, uint32_t count,
                      uint32_t step)
{
    double sizes[GRAZEI_MOST_TRAINING_POSES], cost = 1;
    find_sizes(c, pieces, count, step, sizes);
    for (uint32_t p = 0; p < c->training.count; p += step)
        if (sizes[p] > 0)
            cost *= fmin(fmax(sizes[p] / c->first_sizes[p], 1e-8), 1e8);
    return cost;
}

/* What that gains at least if it is worth anything. */
static double gain_of(const chooser *c, uint32_t step)
{
    double gain = 1;
    for (uint32_t p = 0; p < c->training.count; p += step)
        gain *= least_gain;
    return gain;
}

static uint32_t balls_of(const grazei_ball_piece *const *pieces, uint32_t count)
{
    uint32_t balls = 0;
    for (uint32_t i = 0; i < count; i++)
        balls += pieces[i]->ball_count;
    return balls;
}

static double cost_if_room(chooser *c, const grazei_ball_piece *const *pieces, uint32_t count,
                           uint32_t step)
{
    return balls_of(pieces, count) <= GRAZEI_MOST_BALLS ? cost_of(c, pieces, count, step)
                                                        : (double)INFINITY;
}

/* Makes of a piece among others what is best in all poses; returns the cost. */
static double choose_kind(chooser *c, const grazei_ball_piece **pieces, uint32_t count,
                          uint32_t which, grazei_ball_piece *piece)
{
    const struct {
        grazei_ball_piece_kind kind;
        const double *direction;
    } choices[] = {{GRAZEI_ONE_BALL, NULL},
                   {GRAZEI_ALONG, c->axis},
                   {GRAZEI_ALONG, c->main},
                   {GRAZEI_BETWEEN, NULL}};
    double best = INFINITY;
    pieces[which] = piece;
    for (uint32_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (choices[i].direction == c->main && !c->has_main)
            continue;
        grazei_ball_piece_measure(&c->samples, piece, choices[i].kind, choices[i].direction,
                                  &c->part->volume.rest);
        double cost = cost_if_room(c, pieces, count, 1);
        if (cost < best) {
            best = cost;
            c->best = *piece;
        }
    }
    if (best < (double)INFINITY)
        *piece = c->best;
    return best;
}

/* ---- splits --------------------------------------------------------------------------------- */

static double key_of(const chooser *c, const grazei_points *points, uint32_t number, uint32_t key)
{
    if (key >= FIRST_WEIGHT)
        return grazei_point_weights(points, number)[key - FIRST_WEIGHT];
    const float *x = grazei_point(points, number);
    if (key < ALONG_HITBOX)
        return (double)x[key];
    return (double)x[0] * c->axis[0] + (double)x[1] * c->axis[1] + (double)x[2] * c->axis[2];
}

/* Puts those of the low side first; returns how many they are. */
static uint32_t part_at(const chooser *c, const grazei_points *points, const cut *by, uint32_t *of,
                        uint32_t count)
{
    uint32_t low = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = of[i];
        if (key_of(c, points, number, by->key) <= by->at) {
            of[i] = of[low];
            of[low++] = number;
        }
    }
    return low;
}

/* The halves of a piece into low and high, which point to c->halves; false if one is empty. */
static bool try_cut(chooser *c, const cut *by)
{
    const grazei_ball_piece *piece = &c->pieces[by->piece];
    memcpy(c->halves, piece->points, piece->count * sizeof *c->halves);
    uint32_t low = part_at(c, &c->samples, by, c->halves, piece->count);
    c->low.points = c->halves;
    c->low.count = low;
    c->high.points = c->halves + low;
    c->high.count = piece->count - low;
    return low > 0 && low < piece->count;
}

static void list_pieces(const chooser *c, const grazei_ball_piece **pieces)
{
    for (uint32_t i = 0; i < c->count; i++)
        pieces[i] = &c->pieces[i];
}

/* Keeps the best trials, the best one first. */
static uint32_t keep_trial(trial *trials, uint32_t count, const trial *found)
{
    if (count == MOST_TRIALS && !(found->cost < trials[count - 1].cost))
        return count;
    uint32_t at = count < MOST_TRIALS ? count++ : count - 1;
    for (; at > 0 && trials[at - 1].cost > found->cost; at--)
        trials[at] = trials[at - 1];
    trials[at] = *found;
    return count;
}

/* Whether the hitbox would be smaller without the piece: if not, splitting it cannot help. */
static bool is_worth_splitting(chooser *c, uint32_t which, double limit)
{
    const grazei_ball_piece *others[GRAZEI_MOST_BALLS];
    uint32_t count = 0;
    if (c->pieces[which].count < 2)
        return false;
    for (uint32_t i = 0; i < c->count; i++)
        if (i != which)
            others[count++] = &c->pieces[i];
    return count == 0 || cost_of(c, others, count, ROUGH) <= limit;
}

/* Cuts of one piece by one key, as single balls and as segments along the hitbox. */
static uint32_t try_key(chooser *c, uint32_t which, uint32_t key, trial *trials, uint32_t count)
{
    const grazei_ball_piece *pieces[GRAZEI_MOST_BALLS + 1], *piece = &c->pieces[which];
    double low = INFINITY, high = -INFINITY;
    list_pieces(c, pieces);
    pieces[which] = &c->low;
    pieces[c->count] = &c->high;
    for (uint32_t i = 0; i < piece->count; i++) {
        double at = key_of(c, &c->samples, piece->points[i], key);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    if (!(high - low > (key < FIRST_WEIGHT ? 0 : 0.05)))
        return count;
    for (int where = 1; where <= 3; where++) {
        double share = key >= FIRST_WEIGHT && where == 1 ? 0.05 : where / 4.0;
        trial found = {INFINITY, {which, key, low + (high - low) * share}};
        if (!try_cut(c, &found.cut))
            continue;
        for (int kind = GRAZEI_ONE_BALL; kind <= GRAZEI_ALONG; kind++) {
            grazei_ball_piece_measure(&c->samples, &c->low, (grazei_ball_piece_kind)kind, c->axis,
                                      NULL);
            grazei_ball_piece_measure(&c->samples, &c->high, (grazei_ball_piece_kind)kind, c->axis,
                                      NULL);
            found.cost = fmin(found.cost, cost_if_room(c, pieces, c->count + 1, ROUGH));
        }
        if (found.cost < (double)INFINITY)
            count = keep_trial(trials, count, &found);
    }
    return count;
}

static void make_cut(chooser *c, const cut *by, const grazei_ball_piece *low,
                     const grazei_ball_piece *high)
{
    uint32_t *points = c->pieces[by->piece].points;
    part_at(c, &c->samples, by, points, c->pieces[by->piece].count);
    c->cuts[c->count] = *by;
    c->pieces[by->piece] = *low;
    c->pieces[c->count] = *high;
    c->pieces[by->piece].points = points;
    c->pieces[c->count++].points = points + low->count;
}

/* Splits the piece for which that gains most; false if none gains enough. */
static bool split_best(chooser *c, double *cost)
{
    const grazei_ball_piece *pieces[GRAZEI_MOST_BALLS + 1];
    trial trials[MOST_TRIALS];
    uint32_t trial_count = 0;
    list_pieces(c, pieces);
    double limit = cost_of(c, pieces, c->count, ROUGH) * gain_of(c, ROUGH);
    for (uint32_t p = 0; p < c->count; p++)
        for (uint32_t key = 0; key < FIRST_WEIGHT + c->samples.joint_count; key++) {
            if (key == 0 && !is_worth_splitting(c, p, limit))
                break;
            trial_count = try_key(c, p, key, trials, trial_count);
        }
    double best = *cost * gain_of(c, 1);
    cut chosen = {.piece = UINT32_MAX};
    for (uint32_t i = 0; i < trial_count; i++) {
        list_pieces(c, pieces);
        try_cut(c, &trials[i].cut);
        pieces[c->count] = &c->high;
        grazei_ball_piece_measure(&c->samples, &c->high, GRAZEI_ONE_BALL, NULL, NULL);
        choose_kind(c, pieces, c->count + 1, trials[i].cut.piece, &c->low);
        double now = choose_kind(c, pieces, c->count + 1, c->count, &c->high);
        if (now < best) {
            best = now;
            chosen = trials[i].cut;
            c->best_low = c->low;
            c->best_high = c->high;
        }
    }
    if (chosen.piece == UINT32_MAX)
        return false;
    make_cut(c, &chosen, &c->best_low, &c->best_high);
    *cost = best;
    return true;
}

/* ---- a hitbox ------------------------------------------------------------------------------- */

/* The joints of a part, its own first; false if they are too many. */
static bool list_joints(chooser *c)
{
    const grazei_mesh *mesh = &c->fit->model->mesh;
    uint32_t count = 1;
    bool few = true;
    c->joints[0] = c->part->volume.joint;
    c->numbers[c->joints[0]] = 0;
    for (uint32_t i = 0; i < c->part->count && few; i++) {
        uint32_t v = c->points.vertices[i];
        for (uint32_t k = mesh->influence_offsets[v]; k < mesh->influence_offsets[v + 1]; k++) {
            uint32_t joint = mesh->influences[k].joint;
            if (c->numbers[joint] < count && c->joints[c->numbers[joint]] == joint)
                continue;
            few = count < GRAZEI_MOST_BALL_JOINTS;
            if (!few)
                break;
            c->numbers[joint] = count;
            c->joints[count++] = joint;
        }
    }
    c->points.joint_count = count;
    return few;
}

/* Samples, evenly among the vertices, which stand cluster by cluster. */
static void take_samples(chooser *c)
{
    uint32_t count = c->part->count < MOST_SAMPLES ? c->part->count : MOST_SAMPLES;
    c->samples = c->points;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = (uint32_t)((uint64_t)i * c->part->count / count);
        c->sampled[i] = c->points.vertices[number];
        const double *w = grazei_point_weights(&c->points, number);
        memcpy(c->weights + (size_t)i * c->points.joint_count, w,
               c->points.joint_count * sizeof *w);
    }
    c->samples.vertices = c->sampled;
    c->samples.count = count;
    c->samples.weights = c->weights;
}

/* Adds to the normal equations of "joint and own joint put the point at one place". */
static void add_equations(const f4_map *joint, const f4_map *own, const double middle[3],
                          double a[3][4])
{
    for (int r = 0; r < 3; r++) {
        double d[3], apart = (double)joint->c[3][r] - (double)own->c[3][r];
        for (int k = 0; k < 3; k++) {
            d[k] = (double)joint->c[k][r] - (double)own->c[k][r];
            apart += d[k] * middle[k];
        }
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                a[i][k] += d[i] * d[k];
            a[i][3] -= d[i] * apart;
        }
    }
}

/* Gauss's elimination; a is positive definite. */
static void solve(double a[3][4], double x[3])
{
    for (int i = 0; i < 3; i++)
        for (int r = i + 1; r < 3; r++) {
            double share = a[r][i] / a[i][i];
            for (int k = i; k < 4; k++)
                a[r][k] -= share * a[i][k];
        }
    for (int i = 2; i >= 0; i--) {
        x[i] = a[i][3];
        for (int k = i + 1; k < 3; k++)
            x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
}

/* Where a joint and the own one part least over the poses, not far from the middle of the vertices
 * that have both.
 */
static void find_pivot(chooser *c, uint32_t number)
{
    double middle[3] = {0, 0, 0}, sum = 0, a[3][4] = {{0}}, away[3];
    for (uint32_t i = 0; i < c->samples.count; i++) {
        const double *w = grazei_point_weights(&c->samples, i);
        double share = w[number] * w[0] + 1e-9;
        for (int k = 0; k < 3; k++)
            middle[k] += share * (double)grazei_point(&c->samples, i)[k];
        sum += share;
    }
    for (int k = 0; k < 3; k++)
        middle[k] /= sum;
    for (uint32_t p = 0; p < c->training.count; p++) {
        const f4_map *maps = c->training.poses[p].maps;
        add_equations(&maps[c->joints[number]], &maps[c->joints[0]], middle, a);
    }
    double pull = 1e-3 * (a[0][0] + a[1][1] + a[2][2]) + 1e-12;
    for (int k = 0; k < 3; k++)
        a[k][k] += pull;
    solve(a, away);
    for (int k = 0; k < 3; k++) {
        float reach = c->points.mesh->reach[k], at = (float)(middle[k] + away[k]);
        c->pivots[number][k] = f1_max(-reach, f1_min(reach, at)); /* the proof needs it there */
    }
}

static void fill_fours(chooser *c)
{
    for (uint32_t l = 0; l < c->points.joint_count; l++)
        find_pivot(c, l);
    for (uint32_t l = 0; l < (c->points.joint_count + 3) / 4 * 4; l++) {
        uint32_t joint = l < c->points.joint_count ? l : 0;
        c->fours[l / 4].joints[l % 4] = c->joints[joint];
        for (int k = 0; k < 3; k++)
            c->fours[l / 4].pivots[k][l % 4] = c->pivots[joint][k];
    }
}

/* The direction of the hitbox at rest, and the main one of its vertices. */
static void find_directions(chooser *c)
{
    const graze_capsule *rest = &c->part->volume.rest;
    grazei_ball balls[MOST_SAMPLES];
    double length2 = 0;
    for (uint32_t i = 0; i < c->samples.count; i++) {
        const float *x = grazei_point(&c->samples, i);
        balls[i] = (grazei_ball){{(double)x[0], (double)x[1], (double)x[2]}, 0};
    }
    c->has_main = grazei_capsule_direction(balls, c->samples.count, c->main);
    for (int k = 0; k < 3; k++) {
        c->axis[k] = (double)rest->q[k] - (double)rest->p[k];
        length2 += c->axis[k] * c->axis[k];
    }
    double thick = (double)rest->radius;
    if (!(length2 > 1e-16 * thick * thick)) {
        for (int k = 0; k < 3; k++)
            c->axis[k] = c->has_main ? c->main[k] : k == 0;
        length2 = c->axis[0] * c->axis[0] + c->axis[1] * c->axis[1] + c->axis[2] * c->axis[2];
    }
    for (int k = 0; k < 3; k++)
        c->axis[k] /= sqrt(length2);
    memcpy(c->leading, c->axis, sizeof c->axis);
}

/* Another axis for poses, if they are smaller for it. */
static void choose_leading(chooser *c, double cost)
{
    const grazei_ball_piece *pieces[GRAZEI_MOST_BALLS];
    double kept[3];
    list_pieces(c, pieces);
    for (int choice = 0; choice < (c->has_main ? 4 : 3); choice++) {
        memcpy(kept, c->leading, sizeof kept);
        for (int k = 0; k < 3; k++)
            c->leading[k] = choice == 3 ? c->main[k] : choice == k;
        double now = cost_of(c, pieces, c->count, 1);
        if (now < cost)
            cost = now;
        else
            memcpy(c->leading, kept, sizeof kept);
    }
}

/* One piece, and in how far that is good. */
static double start_pieces(chooser *c)
{
    const grazei_ball_piece *pieces[1] = {&c->pieces[0]};
    c->count = 1;
    c->pieces[0].count = c->samples.count;
    for (uint32_t i = 0; i < c->samples.count; i++)
        c->pieces[0].points[i] = i;
    grazei_ball_piece_measure(&c->samples, &c->pieces[0], GRAZEI_ONE_BALL, NULL, NULL);
    find_sizes(c, pieces, 1, 1, c->first_sizes);
    return choose_kind(c, pieces, 1, 0, &c->pieces[0]);
}

/* All vertices of the part, split as the samples were, and measured. */
static void measure_all(chooser *c)
{
    uint32_t pieces = c->count;
    for (uint32_t i = 0; i < c->part->count; i++)
        c->order[i] = i;
    for (uint32_t i = 0; i < pieces; i++) {
        uint32_t count = i ? 0 : c->part->count;
        c->pieces[i].points = c->order;
        c->pieces[i].count = count;
    }
    for (uint32_t i = 1; i < pieces; i++) {
        grazei_ball_piece *split = &c->pieces[c->cuts[i].piece];
        uint32_t low = part_at(c, &c->points, &c->cuts[i], split->points, split->count);
        c->pieces[i].points = split->points + low;
        c->pieces[i].count = split->count - low;
        split->count = low;
    }
    for (uint32_t i = 0; i < pieces; i++) {
        grazei_ball_piece *piece = &c->pieces[i];
        uint32_t balls = piece->ball_count;
        grazei_ball_piece_measure(&c->points, piece, piece->kind, piece->direction,
                                  &c->part->volume.rest);
        if (piece->ball_count > balls) /* there is room for those that were counted */
            grazei_ball_piece_measure(&c->points, piece, GRAZEI_ONE_BALL, NULL, NULL);
    }
}

static bool make_room(grazei_balls *balls, const graze_allocator *a, size_t groups, size_t rows,
                      size_t fours)
{
    void *grown = grazei_grow(a, balls->groups, &balls->group_capacity, balls->group_count + groups,
                              sizeof *balls->groups);
    if (!grown)
        return false;
    balls->groups = grown;
    grown = grazei_grow(a, balls->rows, &balls->row_capacity, balls->row_count + rows,
                        sizeof *balls->rows);
    if (!grown)
        return false;
    balls->rows = grown;
    grown = grazei_grow(a, balls->row_joints, &balls->row_joint_capacity, balls->row_count + rows,
                        sizeof *balls->row_joints);
    if (!grown)
        return false;
    balls->row_joints = grown;
    grown = grazei_grow(a, balls->joints, &balls->joint_capacity, balls->joint_count + fours,
                        sizeof *balls->joints);
    if (!grown)
        return false;
    balls->joints = grown;
    return true;
}

/* Puts the pieces behind those of other hitboxes; false when out of memory. */
static bool store(chooser *c, grazei_ball_volume *volume)
{
    grazei_balls *balls = &c->fit->balls;
    const grazei_ball_piece *pieces[GRAZEI_MOST_BALLS];
    const grazei_packed *packed = &c->packed;
    uint32_t fours = (c->points.joint_count + 3) / 4;
    double size = grazei_capsule_volume(&c->part->volume.rest) / 3.14159265358979;
    list_pieces(c, pieces);
    grazei_ball_pieces_pack(pieces, c->count, c->points.joint_count, c->leading, &c->packed);
    if (!make_room(balls, &c->fit->allocator, packed->group_count, packed->row_count, fours))
        return false;
    *volume = (grazei_ball_volume){.first_group = (uint32_t)balls->group_count,
                                   .group_count = packed->group_count,
                                   .first_joints = (uint32_t)balls->joint_count,
                                   .joint_count = c->points.joint_count,
                                   .most_size = (float)(most_growth * size)};
    for (uint32_t g = 0; g < packed->group_count; g++) {
        balls->groups[balls->group_count] = packed->groups[g];
        balls->groups[balls->group_count++].first_row += (uint32_t)balls->row_count;
    }
    memcpy(balls->rows + balls->row_count, packed->rows, packed->row_count * sizeof *balls->rows);
    memcpy(balls->row_joints + balls->row_count, packed->row_joints,
           packed->row_count * sizeof *balls->row_joints);
    balls->row_count += packed->row_count;
    memcpy(balls->joints + balls->joint_count, c->fours, fours * sizeof *c->fours);
    balls->joint_count += fours;
    for (uint32_t i = 0; i < c->count; i++)
        balls->weight_error =
            f1_max(balls->weight_error, grazei_round_up(c->pieces[i].weight_error));
    return true;
}

/* One hitbox; false when out of memory. */
static bool choose_part(chooser *c, uint32_t number)
{
    c->part = &c->fit->parts[number];
    c->points.vertices = c->fit->vertices + c->part->first;
    c->points.count = c->part->count;
    if (!c->part->volume.fitted || !c->part->count || !list_joints(c))
        return true;
    take_samples(c);
    find_directions(c);
    fill_fours(c);
    c->pieces[0].points = c->sample_order;
    double cost = start_pieces(c);
    /* Where nothing but the own joint moves it, no split makes it smaller in any pose. */
    while (c->points.joint_count > 1 && c->count < GRAZEI_MOST_BALLS && split_best(c, &cost))
        continue;
    choose_leading(c, cost);
    measure_all(c);
    return store(c, &c->fit->balls.volumes[number]);
}

/* ---- memory --------------------------------------------------------------------------------- */

static bool allocate(chooser *c)
{
    const graze_allocator *a = &c->fit->allocator;
    const grazei_mesh *mesh = &c->fit->model->mesh;
    uint32_t most = 0;
    for (uint32_t p = 0; p < c->fit->part_count; p++)
        most = c->fit->parts[p].count > most ? c->fit->parts[p].count : most;
    c->numbers = GRAZEI_ALLOCATE_ZERO(a, mesh->joint_count, uint32_t);
    c->order = GRAZEI_ALLOCATE(a, most, uint32_t);
    c->scratch_numbers = GRAZEI_ALLOCATE(a, most, uint32_t);
    c->scratch_order = GRAZEI_ALLOCATE(a, most, uint32_t);
    c->scratch = GRAZEI_ALLOCATE(a, most, double);
    c->fit->balls.volumes = GRAZEI_ALLOCATE_ZERO(a, c->fit->part_count, grazei_ball_volume);
    c->points = (grazei_points){.mesh = mesh,
                                .joints = c->joints,
                                .numbers = c->numbers,
                                .pivots = (const float(*)[3])c->pivots,
                                .scratch_weights = c->scratch_weights,
                                .scratch = c->scratch,
                                .scratch_numbers = c->scratch_numbers,
                                .scratch_order = c->scratch_order};
    for (int k = 0; k < 3; k++)
        c->points.slack += 1e-13 * (double)mesh->reach[k];
    return c->numbers && c->order && c->scratch_numbers && c->scratch_order && c->scratch &&
           c->fit->balls.volumes && grazei_train(c->fit->model, &c->training, a);
}

bool grazei_choose_balls(graze_hitboxes *fit)
{
    const graze_allocator *a = &fit->allocator;
    const grazei_mesh *mesh = &fit->model->mesh;
    if (!fit->model->deformer->blends_maps)
        return true;
    chooser *c = GRAZEI_ALLOCATE_ZERO(a, 1, chooser);
    if (!c)
        return false;
    c->fit = fit;
    bool ok = allocate(c);
    for (uint32_t p = 0; ok && p < c->training.count; p++)
        c->errors[p] = grazei_balls_error(&fit->balls, &c->training.poses[p], mesh->max_influences,
                                          mesh->weight_error);
    for (uint32_t p = 0; ok && p < fit->part_count; p++)
        ok = choose_part(c, p);
    grazei_training_release(&c->training, a);
    grazei_release(a, c->numbers);
    grazei_release(a, c->order);
    grazei_release(a, c->scratch_numbers);
    grazei_release(a, c->scratch_order);
    grazei_release(a, c->scratch);
    grazei_release(a, c);
    return ok;
}

void grazei_balls_release(grazei_balls *balls, const graze_allocator *allocator)
{
    grazei_release(allocator, balls->volumes);
    grazei_release(allocator, balls->groups);
    grazei_release(allocator, balls->rows);
    grazei_release(allocator, balls->row_joints);
    grazei_release(allocator, balls->joints);
}
