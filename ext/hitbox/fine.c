/* Level 3: balls that fill the body, a few a part.
 *
 * Every sample of the surface has a largest ball that touches it from inside and holds no other
 * sample, found by shrinking a large one (Ma, Bae & Choi, "3D medial axis point approximation using
 * nearest neighbors and the normal field", 2012). Of those of a part the ones that come nearest to
 * all of its samples are taken, one after the other, each time the one that gains most.
 */
#include "base/memory.h"
#include "hitbox/fit.h"
#include "hitbox/points.h"
#include "math/vector.h"

#include <string.h>

enum {
    MOST_CANDIDATES = 512, /* a part */
    MOST_JUDGES = 2048,    /* samples a part that decide */
    ROUNDS = 40,           /* of shrinking */
    FINEST = 6             /* pieces of a long edge */
};

/* Points of the surface, with outward normals. */
typedef struct samples {
    double (*at)[3];
    double (*normals)[3];
    uint32_t *vertices; /* that a sample is nearest to: for its weights */
    uint32_t *parts;
    uint32_t *by_part, *starts; /* all of them, and where each part's begin */
    uint32_t count;
    double size; /* of the whole */
    grazei_points tree;
} samples;

/* What is needed for one part. */
typedef struct packer {
    graze_hitboxes *fit;
    samples all;
    uint32_t *own; /* samples of the part that decide */
    uint32_t own_count;
    grazei_ball *candidates;
    double *gains; /* of each, at most */
    uint32_t candidate_count;
    double *gaps;     /* of own samples to the nearest ball */
    uint32_t *chosen; /* ball of each own sample */
    double *weights;  /* one a joint, zero between uses */
    grazei_ball *balls;
    uint32_t ball_count;
} packer;

/* ---- samples -------------------------------------------------------------------------------- */

static void load_corners(const grazei_mesh *mesh, uint32_t triangle, double corners[3][3])
{
    for (uint32_t c = 0; c < 3; c++) {
        const float *x = mesh->positions + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + c];
        for (int k = 0; k < 3; k++)
            corners[c][k] = (double)x[k];
    }
}

/* Twice the area, along the normal. */
static void area_of(double corners[3][3], double area[3])
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = corners[1][k] - corners[0][k];
        v[k] = corners[2][k] - corners[0][k];
    }
    grazei_cross(u, v, area);
}

/* Into how many pieces the edges of a triangle are cut for samples within it. */
static uint32_t pieces_of(const samples *s, double corners[3][3])
{
    double longest = 0;
    for (int c = 0; c < 3; c++)
        longest = fmax(longest, grazei_distance(corners[c], corners[(c + 1) % 3]));
    double pieces = ceil(100 * longest / s->size);
    return pieces > FINEST ? FINEST : pieces > 1 ? (uint32_t)pieces : 1;
}

static void add_sample(samples *s, const double at[3], const double normal[3], uint32_t vertex,
                       uint32_t part)
{
    double length = grazei_length(normal);
    if (!(length > 0))
        return;
    for (int k = 0; k < 3; k++) {
        s->at[s->count][k] = at[k];
        s->normals[s->count][k] = normal[k] / length;
    }
    s->vertices[s->count] = vertex;
    s->parts[s->count++] = part;
}

/* Middles of the pieces of a triangle. */
static void sample_triangle(samples *s, const grazei_mesh *mesh, uint32_t triangle)
{
    double corners[3][3], area[3];
    load_corners(mesh, triangle, corners);
    area_of(corners, area);
    uint32_t pieces = pieces_of(s, corners);
    for (uint32_t i = 0; i < pieces; i++)
        for (uint32_t k = 0; i + k < pieces; k++) {
            double u = (i + 1.0 / 3) / pieces, v = (k + 1.0 / 3) / pieces, at[3];
            int corner = u > v && 2 * u + v > 1 ? 1 : v >= u && 2 * v + u > 1 ? 2 : 0;
            for (int a = 0; a < 3; a++)
                at[a] = corners[0][a] + u * (corners[1][a] - corners[0][a]) +
                        v * (corners[2][a] - corners[0][a]);
            add_sample(s, at, area, mesh->triangles[3 * (size_t)triangle + (size_t)corner],
                       mesh->triangle_parts[triangle]);
        }
}

/* One sample a place where vertices are, for each part that it is in: with the mean normal. */
static bool sample_vertices(samples *s, const grazei_mesh *mesh, const graze_allocator *a)
{
    double(*normals)[3] = grazei_allocate_zero(a, mesh->vertex_count, sizeof *normals);
    uint32_t *last = GRAZEI_ALLOCATE(a, mesh->vertex_count, uint32_t);
    if (normals && last) {
        memset(last, 0xff, mesh->vertex_count * sizeof *last);
        for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
            double corners[3][3], area[3];
            load_corners(mesh, (uint32_t)(i / 3), corners);
            area_of(corners, area);
            for (int k = 0; k < 3; k++)
                normals[mesh->welds[mesh->triangles[i]]][k] += area[k];
        }
        for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
            uint32_t v = mesh->triangles[i], weld = mesh->welds[v];
            uint32_t part = mesh->triangle_parts[i / 3];
            const float *x = mesh->positions + 3 * (size_t)v;
            const double at[3] = {(double)x[0], (double)x[1], (double)x[2]};
            if (last[weld] != part)
                add_sample(s, at, normals[weld], v, part);
            last[weld] = part;
        }
    }
    bool done = normals && last;
    grazei_release(a, normals);
    grazei_release(a, last);
    return done;
}

static void measure_size(samples *s, const grazei_mesh *mesh)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], (double)mesh->positions[i]);
        high[i % 3] = fmax(high[i % 3], (double)mesh->positions[i]);
    }
    s->size = grazei_distance(low, high);
}

static bool sort_by_part(samples *s, uint32_t parts, const graze_allocator *a)
{
    s->by_part = GRAZEI_ALLOCATE(a, s->count, uint32_t);
    s->starts = GRAZEI_ALLOCATE_ZERO(a, (size_t)parts + 2, uint32_t);
    if (!s->by_part || !s->starts)
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        s->starts[s->parts[i] + 2]++;
    for (uint32_t part = 0; part < parts; part++)
        s->starts[part + 2] += s->starts[part + 1];
    for (uint32_t i = 0; i < s->count; i++)
        s->by_part[s->starts[s->parts[i] + 1]++] = i;
    return true;
}

static bool make_samples(packer *p)
{
    const graze_allocator *a = &p->fit->allocator;
    const grazei_mesh *mesh = &p->fit->model->mesh;
    samples *s = &p->all;
    size_t most = 3 * (size_t)mesh->triangle_count;
    measure_size(s, mesh);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double corners[3][3];
        load_corners(mesh, t, corners);
        uint32_t pieces = pieces_of(s, corners);
        most += pieces * (pieces + 1) / 2;
    }
    if (most > UINT32_MAX)
        return false;
    s->at = grazei_allocate(a, most, sizeof *s->at);
    s->normals = grazei_allocate(a, most, sizeof *s->normals);
    s->vertices = GRAZEI_ALLOCATE(a, most, uint32_t);
    s->parts = GRAZEI_ALLOCATE(a, most, uint32_t);
    if (!s->at || !s->normals || !s->vertices || !s->parts || !sample_vertices(s, mesh, a))
        return false;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        sample_triangle(s, mesh, t);
    if (!sort_by_part(s, mesh->part_count, a))
        return false;
    return !s->count || grazei_points_build(&s->tree, (const double(*)[3])s->at, s->count, a);
}

/* ---- balls ---------------------------------------------------------------------------------- */

/* The largest ball that touches a sample from inside; false if nothing is opposite, as behind a
 * sheet. It starts at a guess, and grows while nothing is in it.
 */
static bool touch_from_inside(const samples *s, uint32_t number, double guess, grazei_ball *ball)
{
    const double *p = s->at[number], *n = s->normals[number];
    double radius = fmin(guess, s->size);
    bool opposite = false;
    for (int round = 0, growing = 1; round < ROUNDS; round++) {
        for (int k = 0; k < 3; k++)
            ball->centre[k] = p[k] - radius * n[k];
        uint32_t other = grazei_points_nearest(&s->tree, ball->centre, radius * (1 - 1e-6));
        if (other == UINT32_MAX) {
            if (!growing || radius >= s->size)
                break;
            radius = fmin(2 * radius, s->size);
            continue;
        }
        const double *q = s->at[other], way[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
        double height = grazei_dot(way, n), length2 = grazei_dot(way, way);
        if (other == number || !(height > 0) || !(length2 > 0))
            break;
        radius = fmin(radius * (1 - 1e-7), length2 / (2 * height));
        opposite = grazei_dot(n, s->normals[other]) < 0.3;
        growing = 0;
    }
    ball->radius = radius;
    return opposite;
}

static void add_candidate(packer *p, uint32_t sample)
{
    grazei_ball *ball = &p->candidates[p->candidate_count];
    double guess = p->candidate_count ? 2 * ball[-1].radius : p->all.size / 16;
    p->candidate_count += touch_from_inside(&p->all, sample, guess, ball) ? 1 : 0;
}

/* Some samples of a part, spread over all of them, and their balls. */
static void gather(packer *p, uint32_t part)
{
    const samples *s = &p->all;
    uint32_t first = s->starts[part], count = s->starts[part + 1] - first;
    p->own_count = p->candidate_count = 0;
    for (uint64_t place = 0; place < count; place++) {
        uint32_t i = s->by_part[first + place];
        uint64_t next = place + 1;
        if (place * MOST_JUDGES / count != next * MOST_JUDGES / count || count < MOST_JUDGES)
            p->own[p->own_count++] = i;
        if (place * MOST_CANDIDATES / count != next * MOST_CANDIDATES / count ||
            count < MOST_CANDIDATES)
            add_candidate(p, i);
    }
}

static double gap_of(const packer *p, const grazei_ball *ball, uint32_t own)
{
    return fmax(0, grazei_distance(ball->centre, p->all.at[p->own[own]]) - ball->radius);
}

/* How much the gaps lose by one ball more. */
static double gain_of(const packer *p, const grazei_ball *ball)
{
    double gain = 0;
    for (uint32_t i = 0; i < p->own_count; i++) {
        double less = p->gaps[i] - gap_of(p, ball, i);
        gain += less > 0 ? less * (p->gaps[i] + gap_of(p, ball, i)) : 0;
    }
    return gain;
}

/* The candidate that gains most. What one gains becomes less with every ball that is taken, so that
 * those are left out whose gain was less before (Minoux 1978).
 */
static uint32_t find_best(packer *p, double *gain)
{
    for (;;) {
        uint32_t best = 0;
        for (uint32_t c = 1; c < p->candidate_count; c++)
            if (p->gains[c] > p->gains[best])
                best = c;
        *gain = p->gains[best];
        p->gains[best] = gain_of(p, &p->candidates[best]);
        if (p->gains[best] == *gain)
            return best;
    }
}

static void choose(packer *p, uint32_t most)
{
    p->ball_count = 0;
    for (uint32_t i = 0; i < p->own_count; i++)
        p->gaps[i] = p->all.size;
    for (uint32_t c = 0; c < p->candidate_count; c++)
        p->gains[c] = INFINITY;
    while (p->ball_count < most && p->candidate_count) {
        double gain;
        uint32_t best = find_best(p, &gain);
        /* A root mean square of a ten-thousandth of the whole is near enough. */
        if (!(gain > 1e-8 * p->all.size * p->all.size * p->own_count))
            break;
        const grazei_ball *ball = &p->candidates[best];
        for (uint32_t i = 0; i < p->own_count; i++) {
            double gap = gap_of(p, ball, i);
            if (gap < p->gaps[i]) {
                p->gaps[i] = gap;
                p->chosen[i] = p->ball_count;
            }
        }
        p->balls[p->ball_count++] = *ball;
    }
}

/* The joint with the most weight in a ball's samples. */
static uint32_t joint_of(packer *p, uint32_t ball)
{
    const grazei_mesh *mesh = &p->fit->model->mesh;
    uint32_t best = 0;
    for (uint32_t i = 0; i < p->own_count; i++) {
        uint32_t v = p->all.vertices[p->own[i]];
        for (uint32_t k = mesh->influence_offsets[v];
             p->chosen[i] == ball && k < mesh->influence_offsets[v + 1]; k++)
            p->weights[mesh->influences[k].joint] += (double)mesh->influences[k].weight;
    }
    for (uint32_t j = 0; j < mesh->joint_count; j++)
        if (p->weights[j] > p->weights[best])
            best = j;
    memset(p->weights, 0, mesh->joint_count * sizeof *p->weights);
    return best;
}

static bool keep(packer *p, uint32_t part)
{
    for (uint32_t b = 0; b < p->ball_count; b++) {
        const grazei_ball *ball = &p->balls[b];
        uint32_t count = 0;
        for (uint32_t i = 0; i < p->own_count; i++)
            count += p->chosen[i] == b;
        graze_hitbox volume = {
            .inner = true, .part = part, .joint = joint_of(p, b), .fitted = true};
        volume.rest.radius = (float)ball->radius;
        for (int k = 0; k < 3; k++)
            volume.rest.p[k] = volume.rest.q[k] = (float)ball->centre[k];
        if (count && !grazei_fit_put_fine(p->fit, &volume))
            return false;
    }
    return true;
}

/* ---- all parts ------------------------------------------------------------------------------ */

static bool pack_parts(packer *p, uint32_t most, uint8_t *wanted)
{
    graze_hitboxes *fit = p->fit;
    const graze_allocator *a = &fit->allocator;
    const grazei_mesh *mesh = &fit->model->mesh;
    p->own = GRAZEI_ALLOCATE(a, MOST_JUDGES + 1, uint32_t);
    p->gaps = GRAZEI_ALLOCATE(a, MOST_JUDGES + 1, double);
    p->chosen = GRAZEI_ALLOCATE_ZERO(a, MOST_JUDGES + 1, uint32_t);
    p->candidates = GRAZEI_ALLOCATE(a, MOST_CANDIDATES + 1, grazei_ball);
    p->gains = GRAZEI_ALLOCATE(a, MOST_CANDIDATES + 1, double);
    p->weights = GRAZEI_ALLOCATE_ZERO(a, mesh->joint_count, double);
    p->balls = GRAZEI_ALLOCATE(a, most, grazei_ball);
    if (!wanted || !p->own || !p->gaps || !p->chosen || !p->candidates || !p->gains ||
        !p->weights || !p->balls || !make_samples(p))
        return false;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        wanted[mesh->triangle_parts[t]] = 1;
    for (size_t i = 0; i < fit->fine_count; i++)
        wanted[fit->fine[i].part] = 0;
    for (uint32_t g = 0; g < mesh->part_count; g++) {
        if (!wanted[g])
            continue;
        gather(p, g);
        choose(p, most);
        if (!keep(p, g))
            return false;
    }
    return true;
}

bool grazei_fit_add_fine(graze_hitboxes *fit, uint32_t most)
{
    const graze_allocator *a = &fit->allocator;
    packer p = {.fit = fit};
    uint8_t *wanted = GRAZEI_ALLOCATE_ZERO(a, fit->model->mesh.part_count, uint8_t);
    bool done = pack_parts(&p, most, wanted);
    grazei_release(a, wanted);
    grazei_release(a, p.all.at);
    grazei_release(a, p.all.normals);
    grazei_release(a, p.all.vertices);
    grazei_release(a, p.all.parts);
    grazei_release(a, p.all.by_part);
    grazei_release(a, p.all.starts);
    grazei_release(a, p.all.tree.order);
    grazei_release(a, p.own);
    grazei_release(a, p.gaps);
    grazei_release(a, p.chosen);
    grazei_release(a, p.candidates);
    grazei_release(a, p.gains);
    grazei_release(a, p.weights);
    grazei_release(a, p.balls);
    return done;
}
