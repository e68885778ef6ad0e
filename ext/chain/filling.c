#include "chain/filling.h"
#include "base/memory.h"
#include "math/vector.h"

#include <string.h>

bool grazei_filling_add(grazei_filling *filling, const grazei_seed *seed)
{
    grazei_seed *grown = grazei_grow(filling->allocator, filling->seeds, &filling->capacity,
                                     filling->count + 1, sizeof *filling->seeds);
    if (!grown)
        return false;
    filling->seeds = grown;
    filling->seeds[filling->count++] = *seed;
    return true;
}

bool grazei_filling_hit(grazei_filling *filling, const double at[3])
{
    double(*grown)[3] = grazei_grow(filling->allocator, filling->hits, &filling->hit_capacity,
                                    filling->hit_count + 1, sizeof *filling->hits);
    if (!grown)
        return false;
    filling->hits = grown;
    memcpy(filling->hits[filling->hit_count++], at, sizeof *filling->hits);
    return true;
}

double grazei_overlap(const grazei_ball *a, const grazei_ball *b)
{
    return 1 - grazei_distance(a->centre, b->centre) / (a->radius + b->radius);
}

void grazei_choose(grazei_choice *choice, uint32_t place, double overlap, double misfit)
{
    double off = fabs(overlap - choice->wanted);
    double best_off = fabs(choice->best_overlap - choice->wanted);
    bool better = choice->best == UINT32_MAX ||
                  (off <= 0.05 && best_off <= 0.05 ? misfit < choice->best_misfit : off < best_off);
    if (better) {
        choice->best = place;
        choice->best_overlap = overlap;
        choice->best_misfit = misfit;
    }
}

bool grazei_fill_small(grazei_filling *filling, uint32_t region)
{
    const grazei_mesh *mesh = &filling->regions->model->mesh;
    uint32_t count = 0;
    grazei_seed seed = {
        .region = region, .first_hit = (uint32_t)filling->hit_count, .along = {0, 0, 1}};
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        if (filling->regions->of_triangle[i / 3] == region) {
            double p[3];
            grazei_position(filling->regions->positions, mesh->triangles[i], p);
            grazei_along(seed.ball.centre, 1, p, seed.ball.centre);
            count++;
        }
    for (int k = 0; k < 3; k++)
        seed.ball.centre[k] /= count;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        if (filling->regions->of_triangle[i / 3] == region) {
            double p[3];
            grazei_position(filling->regions->positions, mesh->triangles[i], p);
            seed.ball.radius += grazei_distance(seed.ball.centre, p) / count;
        }
    if (!(seed.ball.radius > 0)) /* a region of points */
        seed.ball.radius = 1e-3 * filling->regions->height;
    seed.leeway = seed.ball.radius;
    return grazei_filling_add(filling, &seed);
}
