/* A ray on its way through a body's tree. */
#ifndef GRAZEI_RAYS_RAY_H
#define GRAZEI_RAYS_RAY_H

#include "body/patches.h"
#include "math/isa.h"
#include "narrow/ray.h"
#include "query/agenda.h"
#include "query/take.h"

/* A ray made ready to be compared with boxes and posed vertices, conservatively: see ray.c. */
typedef struct grazei_ray_probe {
    uint8_t near[3], far[3];             /* planes of a box, numbered low x y z, high x y z */
    float near_origin[3], far_origin[3]; /* to be subtracted from them */
    float inverse[3];                    /* of dir; infinite where that is 0 or almost */
    float t_min, t_max;
    float margin; /* a form above it, or below its negative, has the sign that it shows */
    f4 origin;
    f4 forms[3]; /* four linear forms that vanish on the line: coefficients of x, of y and of z */
} grazei_ray_probe;

/* The forms of a ray whose dir is largest along axis m, see ray.c. */
static inline void grazei_make_forms(f4 forms[3], int m, float s, float r)
{
    forms[(m + 1) % 3] = f4_set(1, 0, 1, 1);
    forms[(m + 2) % 3] = f4_set(0, 1, 1, -1);
    forms[m] = f4_set(-s, -r, -s - r, r - s);
}

/* Makes a ray ready for what lies within a box: that of the body's root. */
grazei_ray_probe grazei_probe_ray(const graze_ray *ray, const grazei_bound *box);

/* Whether the ray meets a box, and at what t it does at the earliest. A product of 0 and infinity
 * is NaN, which comes first in minima and maxima and so changes nothing there.
 */
static inline bool grazei_pierces_at(const grazei_ray_probe *probe, const grazei_bound *box,
                                     float *t)
{
    float near = probe->t_min, far = probe->t_max;
    for (int k = 0; k < 3; k++) {
        float low = -box->low_negated[k], high = box->high[k];
        bool up = probe->near[k] < 3;
        near = f1_max(((up ? low : high) - probe->near_origin[k]) * probe->inverse[k], near);
        far = f1_min(((up ? high : low) - probe->far_origin[k]) * probe->inverse[k], far);
    }
    *t = near;
    return far >= near;
}

static inline bool grazei_pierces(const grazei_ray_probe *probe, const grazei_bound *box)
{
    float t;
    return grazei_pierces_at(probe, box, &t);
}

/* A triangle that a ray meets, as far as the search needs it. */
typedef struct grazei_ray_found {
    bool found;
    uint8_t main_joint; /* as grazei_ray_joint takes it */
    uint32_t triangle;
    grazei_ray_point at;
    float corners[3][3];
} grazei_ray_found;

/* Nearest first, and of equals the lowest number: an order that no tree has a part in. */
static inline bool grazei_ray_is_nearer(const grazei_ray_found *a, const grazei_ray_found *than)
{
    return !than->found || a->at.t < than->at.t ||
           (a->at.t == than->at.t && a->triangle < than->triangle);
}

typedef enum grazei_ray_kind { GRAZEI_RAY_NEAREST, GRAZEI_RAY_ANY, GRAZEI_RAY_ALL } grazei_ray_kind;

typedef struct grazei_ray_question {
    grazei_question base;
    graze_ray ray;
    grazei_ray_probe probe; /* its t_max comes down to the best hit's t */
    grazei_ray_kind kind;
    grazei_ray_found best; /* so far */
    bool stopped;
    grazei_hit_fn report;
    void *user;
    uint32_t hit_count;
    graze_hit hits[16]; /* on their way to report, empty between runs */
} grazei_ray_question;

/* Puts the question; the agenda is empty afterwards if the ray misses the root. The ray was
 * checked. report and user are for GRAZEI_RAY_ALL.
 */
void grazei_ray_begin(grazei_ray_question *question, grazei_agenda *agenda, graze_body *body,
                      const graze_ray *ray, grazei_ray_kind kind, grazei_hit_fn report, void *user,
                      graze_stats *stats);

/* Errors for rays beyond the limits of graze/ray.h; `name` is what the caller calls it. */
graze_status grazei_check_ray(const graze_ray *ray, const char *name, graze_error *error);

/* Errors for a body or ray that a query cannot take, before it is known whether a lean body needs
 * caches for it; and whether the ray passes a lean body that has none, and needs none.
 */
graze_status grazei_check_cast_outside(const graze_body *body, const graze_ray *ray,
                                       graze_error *error);
bool grazei_ray_passes(graze_body *body, const graze_ray *ray, graze_stats *stats);

/* The same errors for many rays. */
graze_status grazei_check_cast_many(const graze_body *body, const graze_ray *rays, size_t count,
                                    graze_error *error);

/* Up to so many rays are put in order together. */
#define GRAZEI_ORDERED_RAYS 4096

/* Finds an order in which rays that follow one another go together, as numbers of the rays; false
 * where they do so already. The box is around all that they may meet. (order.c)
 */
bool grazei_order_rays(const graze_ray *rays, uint32_t count, const grazei_bound *box,
                       uint16_t order[GRAZEI_ORDERED_RAYS]);

/* The nearest hits of many rays, 64 at a time, in an order of its own. */
void grazei_cast_packets(graze_body *body, const graze_ray *rays, size_t count, graze_hit *hits,
                         graze_stats *stats);

/* The same as a question. */
typedef struct grazei_rays_question {
    grazei_question base;
    const graze_ray *rays;
    graze_hit *hits;
    size_t count, done;
} grazei_rays_question;

void grazei_rays_begin(grazei_rays_question *question, grazei_agenda *agenda, graze_body *body,
                       const graze_ray *rays, size_t count, graze_hit *hits);

/* Puts a ray's question and answers it by all triangles. */
void grazei_ray_brute(grazei_ray_question *question, grazei_agenda *agenda, graze_body *body,
                      const graze_ray *ray, grazei_ray_kind kind, grazei_hit_fn report, void *user,
                      graze_stats *stats);

/* What has been found, in full. */
graze_hit grazei_ray_hit_of(const graze_body *body, const grazei_ray_found *found);

/* The joint with most weight at a point of a triangle. `main` is the fourth of the triangle's
 * corners in its patch, which may know it; 0: it does not.
 */
uint32_t grazei_ray_joint(const grazei_mesh *mesh, uint32_t triangle, uint32_t main, float u,
                          float v);

/* Takes over a triangle that the ray meets. */
void grazei_ray_take(grazei_ray_question *question, const grazei_ray_found *found);

/* Hands over the hits that are waiting. */
void grazei_ray_flush(grazei_ray_question *question);

#define GRAZEI_RAY_PACKET 64

typedef struct grazei_ray_kernels {
    void (*run)(grazei_question *question, grazei_agenda *agenda, graze_stats *stats);

    /* The nearest hits of up to GRAZEI_RAY_PACKET rays, which were checked. Not with GRAZE_SMALL.
     */
    void (*packet)(graze_body *body, const graze_ray *rays, uint32_t count, graze_hit *hits,
                   graze_stats *stats);

    /* Whether grazei_check_ray takes all of these rays; NULL: it has to be asked of each. */
    bool (*are_fine)(const graze_ray *rays, size_t count);
} grazei_ray_kernels;

GRAZEI_DECLARE(grazei_ray_kernels, ray_kernels);

#endif
