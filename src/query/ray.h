/* A ray on its way through a body's tree. */
#ifndef GRAZEI_QUERY_RAY_H
#define GRAZEI_QUERY_RAY_H

#include "body/patches.h"
#include "math/isa.h"
#include "narrow/ray.h"
#include "query/agenda.h"

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

/* Makes a ray ready for what lies within a box: that of the body's root. */
grazei_ray_probe grazei_probe_ray(const graze_ray *ray, const grazei_bound *box);

/* Whether the ray meets a box. A product of 0 and infinity is NaN, which comes first in minima and
 * maxima and so changes nothing there.
 */
static inline bool grazei_pierces(const grazei_ray_probe *probe, const grazei_bound *box)
{
    float near = probe->t_min, far = probe->t_max;
    for (int k = 0; k < 3; k++) {
        float low = -box->low_negated[k], high = box->high[k];
        bool up = probe->near[k] < 3;
        near = f1_max(((up ? low : high) - probe->near_origin[k]) * probe->inverse[k], near);
        far = f1_min(((up ? high : low) - probe->far_origin[k]) * probe->inverse[k], far);
    }
    return far >= near;
}

/* A triangle that a ray meets, as far as the search needs it. */
typedef struct grazei_ray_found {
    bool found;
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
    graze_ray_hit_fn report;
    void *user;
    uint32_t hit_count;
    graze_ray_hit hits[16]; /* on their way to report, empty between runs */
} grazei_ray_question;

/* Puts the question; the agenda is empty afterwards if the ray misses the root. The ray was
 * checked. report and user are for GRAZEI_RAY_ALL.
 */
void grazei_ray_begin(grazei_ray_question *question, grazei_agenda *agenda, graze_body *body,
                      const graze_ray *ray, grazei_ray_kind kind, graze_ray_hit_fn report,
                      void *user, graze_stats *stats);

/* Errors for rays beyond the limits of graze/ray.h; `name` is what the caller calls it. */
graze_status grazei_check_ray(const graze_ray *ray, const char *name, graze_error *error);

/* Errors for a body or ray that a query cannot take. */
graze_status grazei_check_cast(graze_body *body, const graze_ray *ray, graze_error *error);

/* The same before it is known whether a lean body needs caches for it; and whether the ray passes a
 * lean body that has none, and needs none.
 */
graze_status grazei_check_cast_outside(const graze_body *body, const graze_ray *ray,
                                       graze_error *error);
bool grazei_ray_passes(graze_body *body, const graze_ray *ray, graze_stats *stats);

/* The same for graze_cast_many. */
graze_status grazei_check_cast_many(graze_body *body, const graze_ray *rays, size_t count,
                                    const graze_ray_hit *hits, graze_error *error);

/* graze_cast_many with what was checked. */
void grazei_cast_packets(graze_body *body, const graze_ray *rays, size_t count, graze_ray_hit *hits,
                         graze_stats *stats);

/* What has been found, in full. */
graze_ray_hit grazei_ray_hit_of(const graze_body *body, const grazei_ray_found *found);

/* Takes over a triangle that the ray meets. */
void grazei_ray_take(grazei_ray_question *question, const grazei_ray_found *found);

/* Hands over the hits that are waiting. */
void grazei_ray_flush(grazei_ray_question *question);

#define GRAZEI_RAY_PACKET 64

typedef struct grazei_ray_kernels {
    void (*run)(grazei_question *question, grazei_agenda *agenda, graze_stats *stats);

    /* The nearest hits of up to GRAZEI_RAY_PACKET rays, which were checked. */
    void (*packet)(graze_body *body, const graze_ray *rays, uint32_t count, graze_ray_hit *hits,
                   graze_stats *stats);
} grazei_ray_kernels;

GRAZEI_DECLARE(grazei_ray_kernels, ray_kernels);

#endif
