/* Spheres with their pivots, as they are handed out. */
#include "base/memory.h"
#include "base/status.h"
#include "chain/chain_make.h"
#include "chain/pivots.h"
#include "math/vector.h"

#include <string.h>

enum { MOST_CANDIDATES = 2000, LEAST_PIVOTS = 4 };

/* Scores of pivots. */
static const double poor = 0.3, hopeless = 3;

/* Where candidates come from: a sphere's own triangles, those of its region near by, or all. */
typedef enum reach { OWN, NEAR, ALL } reach;

/* Points that may become the pivots of one sphere. */
typedef struct candidates {
    const grazei_mesh *mesh;
    const float *positions;
    const uint32_t *welds;
    uint32_t *numbers; /* vertices, or triangles where pivots are the paper's */
    double (*at)[3];
    uint32_t count;
    uint32_t *stamps, stamp; /* one a vertex */
} candidates;

static void add_triangle(candidates *c, uint32_t triangle, bool whole)
{
    const uint32_t *corners = c->mesh->triangles + 3 * (size_t)triangle;
    double p[3][3];
    for (int k = 0; k < 3; k++)
        grazei_position(c->positions, corners[k], p[k]);
    if (whole) {
        c->numbers[c->count] = triangle;
        for (int k = 0; k < 3; k++)
            c->at[c->count][k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
        c->count++;
        return;
    }
    for (int k = 0; k < 3; k++) {
        uint32_t place = c->welds[corners[k]];
        if (c->stamps[place] == c->stamp)
            continue;
        c->stamps[place] = c->stamp;
        c->numbers[c->count] = corners[k];
        memcpy(c->at[c->count++], p[k], sizeof p[k]);
    }
}

/* Keeps no more than are worth looking at, spread over all. */
static void thin(candidates *c)
{
    uint32_t stride = c->count / MOST_CANDIDATES + 1, kept = 0;
    for (uint32_t i = 0; i < c->count; i += stride) {
        c->numbers[kept] = c->numbers[i];
        memmove(c->at[kept++], c->at[i], sizeof *c->at);
    }
    c->count = kept;
}

/* Whether a triangle is near enough to a sphere for its vertices to move about as the sphere does.
 */
static bool is_near(const candidates *c, const grazei_ball *ball, uint32_t triangle)
{
    for (uint32_t k = 0; k < 3; k++) {
        double p[3];
        grazei_position(c->positions, c->mesh->triangles[3 * (size_t)triangle + k], p);
        if (grazei_distance(p, ball->centre) > 1.5 * ball->radius)
            return false;
    }
    return true;
}

/* The triangles of a seed, and more of its region. */
static void gather(candidates *c, const grazei_chain_maker *m, uint32_t seed, reach far)
{
    uint32_t region = m->filling.seeds[seed].region;
    c->count = 0;
    c->stamp++;
    for (uint32_t t = 0; t < c->mesh->triangle_count; t++)
        if (m->owners[t] == seed || (far != OWN && m->regions.of_triangle[t] == region &&
                                     (far == ALL || is_near(c, &m->filling.seeds[seed].ball, t))))
            add_triangle(c, t, m->def->paper_pivots);
    thin(c);
}

static void write_pivots(grazei_chain_maker *m, const candidates *c,
                         const grazei_pivot_choice *choice)
{
    for (uint32_t i = 0; i < choice->count; i++) {
        graze_chain_pivot *pivot = &m->pivots[m->pivot_count++];
        uint32_t number = c->numbers[choice->points[i]];
        memset(pivot, 0, sizeof *pivot);
        pivot->vertices[0] = number;
        for (uint32_t k = 0; k < 3 && m->def->paper_pivots; k++)
            pivot->vertices[k] = c->mesh->triangles[3 * (size_t)number + k];
        pivot->weight = (float)choice->weights[i];
    }
}

/* The centre that the weights, as floats, give, and the mean distance from it. */
static void look_back(const candidates *c, const grazei_pivot_choice *choice, double centre[3],
                      double *mean)
{
    centre[0] = centre[1] = centre[2] = *mean = 0;
    for (uint32_t i = 0; i < choice->count; i++)
        grazei_along(centre, (double)(float)choice->weights[i], c->at[choice->points[i]], centre);
    for (uint32_t i = 0; i < choice->count; i++)
        *mean += grazei_distance(centre, c->at[choice->points[i]]) / choice->count;
}

static grazei_pivot_choice choose(const grazei_chain_maker *m, const candidates *c,
                                  const grazei_ball *ball, const grazei_seed *seed)
{
    grazei_pivot_points points = {(const double(*)[3])c->at, c->count};
    return grazei_choose_pivots(&points, ball, seed->along, m->def->pivots, m->def->paper_pivots);
}

/* Pivots among the vertices of a seed; where these are few, or all on one side, among others of the
 * region that are near, or all of them. Where none will do, those at hand with the same weight
 * each.
 */
static grazei_pivot_choice choose_widely(const grazei_chain_maker *m, candidates *c,
                                         const grazei_ball *ball, uint32_t number)
{
    const grazei_seed *seed = &m->filling.seeds[number];
    const double enough[] = {poor, hopeless, 1e300};
    double least = 1e300;
    reach best = OWN, at = OWN;
    grazei_pivot_choice choice = {.count = 0};
    for (;; at++) {
        gather(c, m, number, at);
        choice = choose(m, c, ball, seed);
        bool few = c->count < LEAST_PIVOTS;
        double score = few ? 1e200 : m->def->paper_pivots ? 0 : choice.score;
        if (score < least) {
            least = score;
            best = at;
        }
        if (at == ALL || score <= enough[at])
            break;
    }
    if (best != at) {
        gather(c, m, number, best);
        choice = choose(m, c, ball, seed);
    }
    for (uint32_t i = 0; i < choice.count && choice.score > hopeless; i++)
        choice.weights[i] = 1.0 / choice.count;
    return choice;
}

static void make_sphere(grazei_chain_maker *m, candidates *c, uint32_t number)
{
    const grazei_seed *seed = &m->filling.seeds[number];
    graze_chain_sphere *sphere = &m->spheres[number];
    grazei_ball ball = seed->ball;
    grazei_pivot_choice choice;
    double centre[3], mean;
    choice = choose_widely(m, c, &ball, number);
    memset(sphere, 0, sizeof *sphere);
    sphere->region = grazei_seed_name(m, seed);
    sphere->first_pivot = m->pivot_count;
    sphere->pivot_count = choice.count;
    write_pivots(m, c, &choice);
    look_back(c, &choice, centre, &mean);
    /* Where no weights give back the centre, as in a flat piece, the sphere is where they put it.
     */
    if (!m->def->paper_pivots && grazei_distance(centre, ball.centre) > 0.01 * ball.radius)
        memcpy(ball.centre, centre, sizeof centre);
    for (int k = 0; k < 3; k++)
        sphere->centre[k] = (float)ball.centre[k];
    sphere->radius = (float)ball.radius;
    sphere->radius_factor = m->def->paper_pivots || !(mean > 0) ? 1 : (float)(ball.radius / mean);
}

graze_status grazei_make_spheres(grazei_chain_maker *m, graze_error *error)
{
    const graze_allocator *a = m->allocator;
    const grazei_mesh *mesh = &m->regions.model->mesh;
    uint32_t count = (uint32_t)m->filling.count;
    size_t most =
        mesh->vertex_count > mesh->triangle_count ? mesh->vertex_count : mesh->triangle_count;
    candidates c = {.mesh = mesh, .positions = m->regions.positions, .welds = m->regions.welds};
    if (count > GRAZE_MAX_CHAIN_SPHERES)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the step is too short: %u spheres, and %d are the most", count,
                           GRAZE_MAX_CHAIN_SPHERES);
    c.numbers = GRAZEI_ALLOCATE(a, most, uint32_t);
    c.at = grazei_allocate(a, most, sizeof *c.at);
    c.stamps = GRAZEI_ALLOCATE_ZERO(a, mesh->vertex_count, uint32_t);
    m->spheres = GRAZEI_ALLOCATE(a, count, graze_chain_sphere);
    m->pivots = GRAZEI_ALLOCATE(a, (size_t)count * GRAZEI_MOST_PIVOTS, graze_chain_pivot);
    bool room = c.numbers && c.at && c.stamps && m->spheres && m->pivots;
    for (uint32_t i = 0; room && i < count; i++)
        make_sphere(m, &c, i);
    grazei_release(a, c.numbers);
    grazei_release(a, c.at);
    grazei_release(a, c.stamps);
    return room ? GRAZE_OK : grazei_fail_memory(error);
}
