/* Casting rays, and how a ray is made ready so that culling never loses a hit.
 *
 * Let u = 2^-24, m the axis where dir is largest, R the greatest |coordinate - origin| along m
 * within the root's bound, and T = R / |dir[m]|. Every vertex lies within that bound, so every hit
 * has |t| <= T. The t that is reported is off by at most 2^-28 2 T (see narrow/ray.c) + u T from
 * rounding to float, or 2^-150 if that underflows.
 *
 * Slabs. A plane's t is (plane - origin) times 1 / dir, three roundings of relative error u. Where
 * it exceeds 2 T in magnitude, an error of 3 u does not carry it past T; else it is off by at most
 * 6 u T. Together that is less than 8 u T. Planes are moved outwards by 16 u T |dir| in space,
 * which moves their t by 16 u T, by 4 u |origin| for the rounding of the moved origin, and by
 * 2^-80, which moves t by 2^-140 or more and makes up for underflow (|dir| <= 2^60). Overflow to
 * infinity is right: T is below 2^123.
 *
 * Where dir is 0, or below 2^-64 of its largest, a hit is at most |dir| T away from the origin
 * along that axis: planes are moved by that, and the inverse is infinite. Elsewhere it is below
 * 2^124.
 *
 * Forms. With i, j the other axes and s = dir[i] / dir[m], r = dir[j] / dir[m], the forms are
 * f = x_i - s x_m, g = x_j - r x_m, f + g and f - g of x = vertex - origin. Let Q be the greatest
 * |coordinate - origin| within the root's bound, over all axes. Rounding s and r lets a form reach
 * 4 u Q on the line instead of 0. Evaluating it costs 3 roundings of |x_i| and |x_j|, 4 of
 * 2 |x_m|: 14 u Q. The margin is 32 u Q and a little against underflow.
 */
#include "rays/ray.h"

#include "base/assert.h"
#include "base/status.h"

static float greatest_dir(const graze_ray *ray)
{
    return fabsf(ray->dir[grazei_ray_axis(ray->dir)]);
}

static void make_forms(grazei_ray_probe *probe, const graze_ray *ray, float reach)
{
    int m = grazei_ray_axis(ray->dir), i = (m + 1) % 3, j = (m + 2) % 3;
    GRAZE_ASSERT(m >= 0 && m < 3);
    float s = ray->dir[i] / ray->dir[m], r = ray->dir[j] / ray->dir[m];
    probe->origin = f4_load3(ray->origin);
    grazei_make_forms(probe->forms, m, s, r);
    GRAZE_ASSERT(ray->dir[m] != 0);
    probe->margin = reach * 0x1p-19f + 0x1p-100f;
}

grazei_ray_probe grazei_probe_ray(const graze_ray *ray, const grazei_bound *box)
{
    grazei_ray_probe probe = {.t_min = ray->t_min, .t_max = ray->t_max};
    f4 origin = f4_load3(ray->origin);
    f4 reach = f4_max(f4_abs(grazei_bound_first(box) + origin),
                      f4_abs(grazei_bound_second(box) - origin)) *
               f4_all(1 + 0x1p-20f);
    float greatest = greatest_dir(ray);
    float t_reach = reach[grazei_ray_axis(ray->dir)] / greatest * (1 + 0x1p-20f);
    for (int k = 0; k < 3; k++) {
        float size = fabsf(ray->dir[k]);
        bool moves = size > 0x1p-64f * greatest, down = moves && ray->dir[k] < 0;
        float pad =
            size * t_reach * (moves ? 0x1p-20f : 1) + fabsf(ray->origin[k]) * 0x1p-22f + 0x1p-80f;
        probe.inverse[k] = moves ? 1 / ray->dir[k] : INFINITY;
        probe.near_origin[k] = ray->origin[k] + (down ? -pad : pad);
        probe.far_origin[k] = ray->origin[k] + (down ? pad : -pad);
        probe.near[k] = (uint8_t)(down ? 3 + k : k);
        probe.far[k] = (uint8_t)(down ? k : 3 + k);
    }
    make_forms(&probe, ray, f4_max3(reach));
    return probe;
}

bool grazei_ray_passes(graze_body *body, const graze_ray *ray, graze_stats *stats)
{
    if (grazei_body_has_cache(body))
        return false;
    stats->bound_tests++;
    grazei_bound box = grazei_body_box(body, stats);
    grazei_ray_probe probe = grazei_probe_ray(ray, &box);
    return grazei_bound_is_empty(&box, false) || !grazei_pierces(&probe, &box);
}

graze_status grazei_check_cast_outside(const graze_body *body, const graze_ray *ray,
                                       graze_error *error)
{
    graze_status status = grazei_check_outside(body, "the body", error);
    if (!status)
        status = grazei_check_pointer(ray, "the ray", error);
    return status ? status : grazei_check_ray(ray, "the ray", error);
}

graze_status grazei_check_ray(const graze_ray *ray, const char *name, graze_error *error)
{
    for (int k = 0; k < 3; k++) {
        if (!(fabsf(ray->origin[k]) < 1e18f))
            return grazei_fail(error, GRAZE_BAD_INPUT, "%s: origin[%d] is %g, not below 1e18", name,
                               k, (double)ray->origin[k]);
        if (!isfinite(ray->dir[k]))
            return grazei_fail(error, GRAZE_BAD_INPUT, "%s: dir[%d] is not finite", name, k);
    }
    float greatest = greatest_dir(ray);
    if (greatest == 0)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s: dir is zero", name);
    if (!(greatest >= 1e-18f && greatest <= 1e18f))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "%s: dir has the size %g, which is not from 1e-18 to 1e18", name,
                           (double)greatest);
    if (!isfinite(ray->t_min) || !(ray->t_max >= ray->t_min))
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s: t from %g to %g is not a range", name,
                           (double)ray->t_min, (double)ray->t_max);
    return GRAZE_OK;
}

void grazei_ray_begin(grazei_ray_question *question, grazei_agenda *agenda, graze_body *body,
                      const graze_ray *ray, grazei_ray_kind kind, grazei_hit_fn report, void *user,
                      graze_stats *stats)
{
    question->base.run = GRAZEI_PICK(grazei_body_model(body)->isa, ray_kernels)->run;
    question->base.bodies[0] = body;
    question->base.body_count = 1;
    question->ray = *ray;
    question->kind = kind;
    question->best.found = false;
    question->stopped = false;
    question->report = report;
    question->user = user;
    question->hit_count = 0;
    grazei_agenda_start(agenda, true);
    grazei_body_bound(body, 0, 1, stats);
    stats->bound_tests++;
    grazei_view view = grazei_body_view(body);
    grazei_bound root = grazei_view_box(&view, 0);
    question->probe = grazei_probe_ray(ray, &root);
    grazei_agenda_put(agenda, 0, (grazei_item){.node = 0}, ray->t_min);
    agenda->count = !grazei_view_is_empty(&view, 0) && grazei_pierces(&question->probe, &root);
}

/* The joint with most weight, by walking through the ascending influences of all three corners. */
static uint32_t joint_at(const grazei_mesh *mesh, uint32_t triangle, const float weights[3])
{
    const graze_influence *next[3], *end[3];
    uint32_t best = 0;
    float most = -1;
    for (int c = 0; c < 3; c++) {
        uint32_t vertex = mesh->triangles[3 * (size_t)triangle + (size_t)c];
        next[c] = mesh->influences + mesh->influence_offsets[vertex];
        end[c] = mesh->influences + mesh->influence_offsets[vertex + 1];
    }
    for (;;) {
        uint32_t joint = UINT32_MAX;
        float weight = 0;
        for (int c = 0; c < 3; c++)
            if (next[c] < end[c] && next[c]->joint < joint)
                joint = next[c]->joint;
        if (joint == UINT32_MAX)
            return best;
        for (int c = 0; c < 3; c++)
            if (next[c] < end[c] && next[c]->joint == joint)
                weight += weights[c] * next[c]++->weight;
        if (weight > most) {
            most = weight;
            best = joint;
        }
    }
}

uint32_t grazei_ray_joint(const grazei_mesh *mesh, uint32_t triangle, uint32_t main, float u,
                          float v)
{
    if (!main)
        return joint_at(mesh, triangle, (const float[3]){1 - u - v, u, v});
    uint32_t vertex = mesh->triangles[3 * (size_t)triangle];
    GRAZE_ASSERT(main <= mesh->influence_offsets[vertex + 1] - mesh->influence_offsets[vertex]);
    return mesh->influences[mesh->influence_offsets[vertex] + main - 1].joint;
}

graze_hit grazei_ray_hit_of(const graze_body *body, const grazei_ray_found *found)
{
    graze_hit hit = {.found = found->found};
    if (!found->found)
        return hit;
    double u = found->at.u, v = found->at.v;
    GRAZE_ASSERT(found->triangle < grazei_body_mesh(body)->triangle_count);
    hit.triangle = found->triangle;
    hit.t = found->at.t;
    hit.uv[0] = found->at.u;
    hit.uv[1] = found->at.v;
    for (int k = 0; k < 3; k++) {
        double start = found->corners[0][k];
        hit.point[k] = (float)(start + u * (found->corners[1][k] - start) +
                               v * (found->corners[2][k] - start));
    }
    grazei_triangle_normal(found->corners, hit.normal);
    const grazei_mesh *mesh = grazei_body_mesh(body);
    hit.joint =
        grazei_ray_joint(mesh, found->triangle, found->main_joint, found->at.u, found->at.v);
    hit.part = mesh->triangle_parts[found->triangle];
    return hit;
}

void grazei_ray_flush(grazei_ray_question *question)
{
    if (question->hit_count &&
        !question->report(question->user, question->hits, question->hit_count))
        question->stopped = true;
    question->hit_count = 0;
}

void grazei_ray_take(grazei_ray_question *question, const grazei_ray_found *found)
{
    if (question->kind == GRAZEI_RAY_ALL) {
        GRAZE_ASSERT(question->hit_count < sizeof question->hits / sizeof *question->hits);
        question->hits[question->hit_count++] = grazei_ray_hit_of(question->base.bodies[0], found);
        if (question->hit_count == sizeof question->hits / sizeof *question->hits)
            grazei_ray_flush(question);
        return;
    }
    if (!grazei_ray_is_nearer(found, &question->best))
        return;
    GRAZE_ASSERT(found->at.t >= question->ray.t_min && found->at.t <= question->ray.t_max);
    question->best = *found;
    question->probe.t_max = found->at.t;
    question->stopped = question->kind == GRAZEI_RAY_ANY;
}
