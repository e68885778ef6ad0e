#include "query/reference.h"

#include "query/distance_bounds.h"

#include <graze/ext/inspect.h>

void grazei_reference_pairs(const grazei_posed_mesh *a, const grazei_posed_mesh *b,
                            const float *limit, grazei_reference_fn look, void *user)
{
    grazei_bound boxes[GRAZEI_REFERENCE_BLOCK];
    for (uint32_t first = 0; first < b->triangle_count; first += GRAZEI_REFERENCE_BLOCK) {
        uint32_t left = b->triangle_count - first;
        uint32_t block = left < GRAZEI_REFERENCE_BLOCK ? left : GRAZEI_REFERENCE_BLOCK;
        for (uint32_t k = 0; k < block; k++)
            boxes[k] = grazei_reference_box(b, first + k);
        for (uint32_t i = 0; i < a->triangle_count; i++) {
            if (!grazei_mesh_takes(a, i))
                continue;
            grazei_bound box = grazei_reference_box(a, i);
            grazei_box_probe probe = grazei_probe_box(&box);
            for (uint32_t k = 0; k < block; k++) {
                bool near = limit ? !(grazei_box_distance(&box, &boxes[k]) > *limit)
                                  : grazei_boxes_overlap(&probe, &boxes[k]);
                if (near && grazei_mesh_takes(b, first + k) && !look(user, i, first + k))
                    return;
            }
        }
    }
}

graze_tree_def graze_paper_tree(void)
{
    graze_tree_def def = {.volume = GRAZE_SPHERES,
                          .refit = GRAZE_REFIT_CORNERS,
                          .patch_triangles = 1,
                          .arity = GRAZEI_MAX_ARITY,
                          .collapse = 0.6f};
    return def;
}

void graze_body_refit_all(graze_body *body)
{
    if (body)
        grazei_body_refit_all(body);
}

uint32_t graze_body_bound_all(graze_body *body)
{
    return body ? grazei_body_bound_all(body) : 0;
}
