/* A ray against boxes, four or a vector at a time, and against the triangles of a posed patch.
 *
 * Boxes are compared by slabs (Kay and Kajiya 1986). Everything here may say yes too often, never
 * too rarely: ray.c says how the probe makes up for rounding. A product of 0 and infinity is NaN,
 * which comes first in every minimum and maximum and so changes nothing there.
 */
#ifndef GRAZEI_RAYS_WALK_CHAPTER_H
#define GRAZEI_RAYS_WALK_CHAPTER_H

#include "base/assert.h"
#include "math/isa.h"
#include "math/lanes.h"
#include "rays/ray.h"

/* The planes of four boxes: low x y z, high x y z. */
typedef struct grazei_four_boxes {
    f4 plane[6];
} grazei_four_boxes;

/* Of four siblings that are bounded, `count` of them at least one. */
GRAZEI_INLINE grazei_four_boxes grazei_load_boxes(const grazei_view *view, uint32_t node,
                                                  uint32_t count)
{
    grazei_bound copies[4];
    const grazei_bound *four = grazei_view_four(view, node, count, copies);
    grazei_four_boxes boxes;
    f4 x = grazei_bound_first(&four[0]), y = grazei_bound_first(&four[1]);
    f4 z = grazei_bound_first(&four[2]), w = grazei_bound_first(&four[3]);
    f4_transpose(&x, &y, &z, &w);
    f4 first[3] = {x, y, z};
    if (view->spheres) {
        for (int k = 0; k < 3; k++) { /* as in grazei_box_of_sphere */
            f4 reach = (w + f4_abs(first[k]) * f4_all(0x1p-23f)) * f4_all(1.0f + 4 * 0x1p-24f);
            boxes.plane[k] = first[k] - reach;
            boxes.plane[3 + k] = first[k] + reach;
        }
        return boxes;
    }
    f4 high_x = grazei_bound_second(&four[0]), high_y = grazei_bound_second(&four[1]);
    f4 high_z = grazei_bound_second(&four[2]), high_w = grazei_bound_second(&four[3]);
    f4_transpose(&high_x, &high_y, &high_z, &high_w);
    for (int k = 0; k < 3; k++)
        boxes.plane[k] = -first[k];
    boxes.plane[3] = high_x;
    boxes.plane[4] = high_y;
    boxes.plane[5] = high_z;
    return boxes;
}

/* Which of four boxes the ray meets, as bits, and from which t on at the earliest: infinity where
 * it does not.
 */
GRAZEI_INLINE unsigned grazei_pierce_four(const grazei_ray_probe *probe,
                                          const grazei_four_boxes *boxes, f4 *keys)
{
    f4 near = f4_all(probe->t_min), far = f4_all(probe->t_max);
    for (int k = 0; k < 3; k++) {
        f4 in = boxes->plane[probe->near[k]] - f4_all(probe->near_origin[k]);
        f4 out = boxes->plane[probe->far[k]] - f4_all(probe->far_origin[k]);
        near = f4_max(in * f4_all(probe->inverse[k]), near);
        far = f4_min(out * f4_all(probe->inverse[k]), far);
    }
    i4 met = far >= near;
    *keys = (f4)((met & (i4)near) | (~met & (i4)f4_all(INFINITY)));
    return f4_ge_bits(far, near);
}

/* The numbers of the set's triangles whose boxes the ray meets. */
static inline uint32_t grazei_pierced_boxes(const grazei_ray_probe *probe,
                                            const grazei_triangle_set *set, uint8_t *numbers)
{
    const float *in[3], *out[3];
    lanes in_origin[3], out_origin[3], inverse[3];
    uint32_t count = 0;
    for (int k = 0; k < 3; k++) {
        in[k] = set->boxes + (size_t)probe->near[k] * set->stride;
        out[k] = set->boxes + (size_t)probe->far[k] * set->stride;
        in_origin[k] = lanes_set(probe->near_origin[k]);
        out_origin[k] = lanes_set(probe->far_origin[k]);
        inverse[k] = lanes_set(probe->inverse[k]);
    }
    for (uint32_t i = 0; i < set->stride; i += GRAZEI_LANES) {
        lanes near = lanes_set(probe->t_min), far = lanes_set(probe->t_max);
        for (int k = 0; k < 3; k++) {
            lanes enter = lanes_mul(lanes_sub(lanes_load(in[k] + i), in_origin[k]), inverse[k]);
            lanes leave = lanes_mul(lanes_sub(lanes_load(out[k] + i), out_origin[k]), inverse[k]);
            near = lanes_max(enter, near);
            far = lanes_min(leave, far);
        }
        for (uint32_t bits = mask_bits(lanes_less_equal(near, far)); bits; bits &= bits - 1)
            numbers[count++] = (uint8_t)(i + (uint32_t)__builtin_ctz(bits));
    }
    return count;
}

/* The numbers of the patch's triangles that no form has on one side. Each vertex gets eight bits:
 * it is certainly above, or certainly below, each of four planes through the ray.
 */
static inline uint32_t grazei_pierced_forms(const grazei_ray_probe *probe,
                                            const grazei_posed_patch *patch, uint8_t *numbers)
{
    const uint8_t(*local)[4] = patch->corners;
    uint8_t sides[GRAZEI_MAX_PATCH_VERTICES];
    f4 margin = f4_all(probe->margin);
    uint32_t count = 0;
    for (uint32_t i = 0; i < patch->point_count; i++) {
        f4 from = f4_load(patch->points[i]) - probe->origin;
        f4 form = (probe->forms[0] * f4_x(from) + probe->forms[1] * f4_y(from)) +
                  probe->forms[2] * f4_z(from);
        sides[i] = (uint8_t)(f4_ge_bits(form, margin) | f4_ge_bits(-form, margin) << 4);
    }
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
        numbers[count] = (uint8_t)t;
        count += !(sides[local[t][0]] & sides[local[t][1]] & sides[local[t][2]]);
    }
    return count;
}

/* Triangles of a posed patch that the ray may meet: by their boxes where the triangle set is there,
 * which costs less, else by forms, since making the set ready costs as much as several rays.
 */
static inline uint32_t grazei_pierced(const grazei_ray_probe *probe, graze_body *body,
                                      const grazei_posed_patch *patch, uint8_t *numbers)
{
    if (!grazei_body_has_set(body, patch))
        return grazei_pierced_forms(probe, patch, numbers);
    grazei_triangle_set set = grazei_body_set(body, patch);
    return grazei_pierced_boxes(probe, &set, numbers);
}

/* The exact test of one triangle of a posed patch. */
static inline bool grazei_ray_meets_local(const graze_ray *ray, const grazei_posed_patch *patch,
                                          uint32_t number, grazei_ray_found *found)
{
    float rows[3][4] __attribute__((aligned(16)));
    grazei_patch_triangle(patch, number, rows);
    for (int c = 0; c < 3; c++)
        memcpy(found->corners[c], rows[c], sizeof found->corners[c]);
    GRAZE_ASSERT(number < patch->triangle_count);
    found->triangle = patch->names[number];
    found->main_joint = patch->corners[number][3];
    found->found = grazei_ray_meets(ray, (const float(*)[3])found->corners, &found->at);
    return found->found;
}

#endif
