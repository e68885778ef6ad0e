/* Which sphere stands for which triangles, and where it stands best for them. */
#include "base/memory.h"
#include "chain/chain_make.h"
#include "math/vector.h"

#include <string.h>

enum { ROUNDS = 3 };

/* How far a sphere may go along its limb, by how far it may go across: neighbours keep apart. */
static const double along = 0.3;

typedef struct settler {
    grazei_chain_maker *maker;
    const grazei_mesh *mesh;
    uint32_t *first, *list; /* triangles by owner */
    uint32_t *stamps;       /* one a vertex */
    double (*points)[3];
    double *scratch;
} settler;

/* The nearest seed of a triangle's own region. */
static void give_triangles(settler *s)
{
    grazei_chain_maker *m = s->maker;
    for (uint32_t t = 0; t < s->mesh->triangle_count; t++) {
        double centre[3] = {0}, least = 1e300;
        for (uint32_t k = 0; k < 3; k++) {
            double p[3];
            grazei_position(s->maker->regions.positions, s->mesh->triangles[3 * (size_t)t + k], p);
            grazei_along(centre, 1.0 / 3, p, centre);
        }
        for (uint32_t i = 0; i < m->filling.count; i++) {
            const grazei_seed *seed = &m->filling.seeds[i];
            if (seed->region != m->regions.of_triangle[t])
                continue;
            double distance = grazei_distance(seed->ball.centre, centre);
            if (distance < least) {
                least = distance;
                m->owners[t] = i;
            }
        }
    }
}

static void list_triangles(settler *s)
{
    uint32_t count = s->mesh->triangle_count, seeds = (uint32_t)s->maker->filling.count;
    memset(s->first, 0, ((size_t)seeds + 1) * sizeof *s->first);
    for (uint32_t t = 0; t < count; t++)
        s->first[s->maker->owners[t]]++;
    for (uint32_t i = 1; i <= seeds; i++)
        s->first[i] += s->first[i - 1];
    for (uint32_t t = count; t-- > 0;)
        s->list[--s->first[s->maker->owners[t]]] = t;
}

/* The vertices of a seed's triangles, each once, and where rays met the skin: where triangles are
 * long, vertices alone would say little.
 */
static uint32_t gather(settler *s, uint32_t seed, uint32_t stamp)
{
    uint32_t count = 0;
    for (uint32_t i = s->first[seed]; i < s->first[seed + 1]; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t v = s->mesh->triangles[3 * (size_t)s->list[i] + k];
            if (s->stamps[v] == stamp)
                continue;
            s->stamps[v] = stamp;
            grazei_position(s->maker->regions.positions, v, s->points[count++]);
        }
    const grazei_filling *filling = &s->maker->filling;
    const grazei_seed *own = &filling->seeds[seed];
    for (uint32_t i = 0; i < own->hit_count; i++)
        memcpy(s->points[count++], filling->hits[own->first_hit + i], sizeof *s->points);
    return count;
}

static void adjust(settler *s, uint32_t round)
{
    grazei_filling *filling = &s->maker->filling;
    for (uint32_t i = 0; i < filling->count; i++) {
        grazei_seed *seed = &filling->seeds[i];
        uint32_t count = gather(s, i, round * (uint32_t)filling->count + i + 1);
        grazei_leeway leeway = {.direction_count = 3,
                                .limit = seed->leeway,
                                .limits = {seed->leeway, seed->leeway, along * seed->leeway}};
        grazei_across(seed->along, leeway.directions[0]);
        grazei_cross(seed->along, leeway.directions[0], leeway.directions[1]);
        memcpy(leeway.directions[2], seed->along, sizeof seed->along);
        double before = seed->ball.radius;
        grazei_ball old = seed->ball;
        if (count)
            grazei_fit_adjust(&seed->ball, (const double(*)[3])s->points, count, &leeway,
                              s->scratch);
        seed->leeway -= grazei_distance(old.centre, seed->ball.centre);
        seed->leeway = seed->leeway > 0 ? seed->leeway : 0;
        if (!(seed->ball.radius > 1e-6 * filling->regions->height))
            seed->ball.radius = before;
    }
}

/* Drops seeds without triangles; whether there were any. */
static bool drop_idle(settler *s)
{
    grazei_filling *filling = &s->maker->filling;
    uint32_t kept = 0, count = (uint32_t)filling->count;
    for (uint32_t i = 0; i < count; i++)
        if (s->first[i + 1] > s->first[i])
            filling->seeds[kept++] = filling->seeds[i];
    filling->count = kept;
    return kept < count;
}

bool grazei_chain_settle(grazei_chain_maker *maker)
{
    const graze_allocator *a = maker->allocator;
    const grazei_mesh *mesh = &maker->regions.model->mesh;
    settler s = {.maker = maker, .mesh = mesh};
    s.first = GRAZEI_ALLOCATE(a, maker->filling.count + 1, uint32_t);
    s.list = GRAZEI_ALLOCATE(a, mesh->triangle_count, uint32_t);
    s.stamps = GRAZEI_ALLOCATE_ZERO(a, mesh->vertex_count, uint32_t);
    size_t most = mesh->vertex_count + maker->filling.hit_count;
    s.points = grazei_allocate(a, most, sizeof *s.points);
    s.scratch = GRAZEI_ALLOCATE(a, most, double);
    bool room = s.first && s.list && s.stamps && s.points && s.scratch;
    for (uint32_t round = 0; room && round < ROUNDS; round++) {
        do {
            give_triangles(&s);
            list_triangles(&s);
        } while (drop_idle(&s));
        adjust(&s, round);
    }
    /* Centres have moved once more, and owners are the nearest of where they are now. */
    if (room)
        do {
            give_triangles(&s);
            list_triangles(&s);
        } while (drop_idle(&s));
    grazei_release(a, s.first);
    grazei_release(a, s.list);
    grazei_release(a, s.stamps);
    grazei_release(a, s.points);
    grazei_release(a, s.scratch);
    return room;
}
