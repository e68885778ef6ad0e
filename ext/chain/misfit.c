/* How far spheres are from the skin that they stand for, ours and others. */
#include "base/memory.h"
#include "base/status.h"
#include "chain/chains.h"
#include "chain/sphere_fit.h"
#include "math/vector.h"

typedef struct measurer {
    const graze_chains *chains;
    const float *positions;
    uint32_t *vertices, *order, *stamps; /* each one a vertex of the model */
    double (*points)[3];
    graze_chain_misfit sums[2]; /* over vertices, over hits; mean is the sum */
} measurer;

/* The vertices of a sphere's triangles, each once. */
static uint32_t gather(measurer *m, uint32_t sphere)
{
    const graze_chains *chains = m->chains;
    const grazei_mesh *mesh = &chains->model->mesh;
    uint32_t count = 0;
    for (uint32_t i = chains->first_triangle[sphere]; i < chains->first_triangle[sphere + 1]; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t v = mesh->triangles[3 * (size_t)chains->triangles[i] + k];
            if (m->stamps[v] == sphere + 1)
                continue;
            m->stamps[v] = sphere + 1;
            grazei_position(m->positions, v, m->points[count]);
            m->vertices[count++] = v;
        }
    return count;
}

static void add(graze_chain_misfit *sum, const grazei_ball *ball, const double (*points)[3],
                uint32_t count)
{
    double largest;
    sum->mean += grazei_misfit(ball, points, count, &largest);
    sum->max = largest > sum->max ? largest : sum->max;
    sum->count += count;
}

static void measure(measurer *m, uint32_t sphere, graze_chain_fit fit)
{
    const graze_chains *chains = m->chains;
    const graze_chain_sphere *own = &chains->spheres[sphere];
    uint32_t count = gather(m, sphere);
    grazei_ball ball = {{(double)own->centre[0], (double)own->centre[1], (double)own->centre[2]},
                        (double)own->radius};
    if (count && fit == GRAZE_FIT_LEAST_SQUARES)
        ball = grazei_fit_least_squares((const double(*)[3])m->points, count);
    if (count && fit == GRAZE_FIT_BALL)
        ball = grazei_ball_enclose(m->positions, m->vertices, count, m->order);
    add(&m->sums[0], &ball, (const double(*)[3])m->points, count);
    for (uint32_t i = chains->hits ? chains->first_hit[sphere] : 1;
         chains->hits && i < chains->first_hit[sphere + 1]; i++) {
        double at[1][3];
        grazei_position(chains->hits, i, at[0]);
        add(&m->sums[1], &ball, (const double(*)[3])at, 1);
    }
}

graze_status graze_chains_misfit(const graze_chains *chains, uint32_t region, graze_chain_fit fit,
                                 graze_chain_misfit *vertices, graze_chain_misfit *hits,
                                 graze_error *error)
{
    graze_status status = grazei_check_pointer(chains, "the chains", error);
    if (status)
        return status;
    if (region != GRAZE_NONE && region >= chains->region_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "region %u of %u", region, chains->region_count);
    if (fit != GRAZE_FIT_FOUND && fit != GRAZE_FIT_LEAST_SQUARES && fit != GRAZE_FIT_BALL)
        return grazei_fail(error, GRAZE_BAD_INPUT, "there is no fit %d", (int)fit);
    uint32_t count = chains->model->mesh.vertex_count;
    measurer m = {.chains = chains};
    m.positions = chains->positions ? chains->positions : grazei_mesh_rest(&chains->model->mesh);
    m.vertices = GRAZEI_ALLOCATE(&chains->allocator, count, uint32_t);
    m.order = GRAZEI_ALLOCATE(&chains->allocator, count, uint32_t);
    m.stamps = GRAZEI_ALLOCATE_ZERO(&chains->allocator, count, uint32_t);
    m.points = grazei_allocate(&chains->allocator, count, sizeof *m.points);
    bool room = m.vertices && m.order && m.stamps && m.points;
    for (uint32_t s = 0; room && s < chains->sphere_count; s++)
        if (region == GRAZE_NONE || chains->spheres[s].region == region)
            measure(&m, s, fit);
    grazei_release(&chains->allocator, m.vertices);
    grazei_release(&chains->allocator, m.order);
    grazei_release(&chains->allocator, m.stamps);
    grazei_release(&chains->allocator, m.points);
    if (!room)
        return grazei_fail_memory(error);
    for (int i = 0; i < 2; i++)
        if (m.sums[i].count)
            m.sums[i].mean /= m.sums[i].count;
    if (vertices)
        *vertices = m.sums[0];
    if (hits)
        *hits = m.sums[1];
    return GRAZE_OK;
}
