/* The baseline's bodies, and which instruction set they run on. */
#include "bench/eager/types.h"

#include <stdlib.h>
#include <string.h>

#define DECLARE(isa)                                                                               \
    void eager_skin_##isa(eager_body *body, const float translation[3]);                           \
    void eager_refit_##isa(eager_body *body);                                                      \
    size_t eager_collide_##isa(eager_body *a, eager_body *b, eager_triangles how, bool first,      \
                               bench_pair *pairs, size_t capacity);                                \
    size_t eager_collide_self_##isa(eager_body *body, bench_pair *pairs, size_t capacity);         \
    bool eager_ray_##isa(eager_body *body, const float origin[3], const float dir[3], float *t,    \
                         uint32_t *triangle);                                                      \
    void eager_box_triangles_##isa(eager_body *body);                                              \
    size_t eager_hash_collide_##isa(eager_hash *hash, const eager_body *a, const eager_body *b,    \
                                    bool first, bench_pair *pairs, size_t capacity);               \
    static const eager_kernels isa = {eager_skin_##isa,        eager_refit_##isa,                  \
                                      eager_collide_##isa,     eager_collide_self_##isa,           \
                                      eager_ray_##isa,         eager_box_triangles_##isa,          \
                                      eager_hash_collide_##isa}

DECLARE(base);
#if defined(EAGER_HAVE_AVX2)
DECLARE(avx2);
#endif
#if defined(EAGER_HAVE_AVX512)
DECLARE(avx512);
#endif

const eager_kernels *eager_find_kernels(graze_isa isa)
{
    bool best = isa == GRAZE_ISA_BEST;
#if defined(EAGER_HAVE_AVX512)
    if ((best || isa == GRAZE_ISA_AVX512) && graze_isa_available(GRAZE_ISA_AVX512))
        return &avx512;
#endif
#if defined(EAGER_HAVE_AVX2)
    if ((best || isa == GRAZE_ISA_AVX2) && graze_isa_available(GRAZE_ISA_AVX2))
        return &avx2;
#endif
    (void)best;
    return &base;
}

static uint32_t rank_of(const eager_model *model, uint32_t node)
{
    uint32_t below = model->upper_count;
    if (node < below)
        return EAGER_IS_UPPER;
    if (node < (below += model->block_count))
        return EAGER_IS_BLOCK;
    return node < below + 4 * model->block_count ? EAGER_IS_TWIG : EAGER_IS_LEAF;
}

/* Below the uppers children are the next four of the next rank. */
static void fill_nodes(eager_body *body)
{
    const eager_model *model = body->model;
    uint32_t first_block = model->upper_count, first_twig = first_block + model->block_count;
    uint32_t first_leaf = first_twig + 4 * model->block_count;
    for (uint32_t n = 0; n < model->node_count; n++) {
        eager_node *node = &body->nodes[n];
        node->rank = rank_of(model, n);
        for (uint32_t k = 0; k < 4; k++)
            node->children[k] =
                node->rank == EAGER_IS_UPPER   ? model->upper_children[n][k]
                : node->rank == EAGER_IS_BLOCK ? first_twig + 4 * (n - first_block) + k
                : node->rank == EAGER_IS_TWIG  ? first_leaf + 4 * (n - first_twig) + k
                                               : 4 * (n - first_leaf) + k;
    }
}

eager_body *eager_body_create(const eager_model *model)
{
    size_t boxes = (size_t)model->upper_count + model->block_count, bytes = 0;
    size_t twigs = 4 * (size_t)model->block_count;
    eager_body *body = eager_take(1, sizeof *body, &bytes);
    bytes = sizeof *body;
    body->model = model;
    body->maps = eager_take(model->joint_count, sizeof *body->maps, &bytes);
    body->positions = eager_take(model->slot_count, sizeof *body->positions, &bytes);
    body->nodes = eager_take(model->node_count, sizeof *body->nodes, &bytes);
    body->boxes = eager_take(boxes, sizeof *body->boxes, &bytes);
    body->set_corners = eager_take(twigs, EAGER_TWIG * sizeof *body->set_corners, &bytes);
    body->set_stamps = eager_take(twigs, sizeof(uint32_t), &bytes);
    body->bytes = bytes;
    fill_nodes(body);
    return body;
}

void eager_body_destroy(eager_body *body)
{
    if (!body)
        return;
    free(body->maps);
    free(body->positions);
    free(body->nodes);
    free(body->boxes);
    free(body->set_corners);
    free(body->set_stamps);
    free(body->triangle_rows);
    free(body);
}

/* The linear part of the placement goes into the joints, in Graze's order of operations. */
static void place_joint(const float *rows, const float *placement, float map[12])
{
    for (int column = 0; column < 4; column++)
        for (int axis = 0; axis < 3; axis++) {
            float x = rows[column], y = rows[4 + column], z = rows[8 + column];
            const float *p = placement ? placement + 4 * axis : NULL;
            map[3 * column + axis] = p ? (p[0] * x + p[1] * y) + p[2] * z : rows[4 * axis + column];
        }
}

void eager_skin(eager_body *body, const float *joints, uint32_t joint_count, const float *placement)
{
    float translation[3] = {0, 0, 0};
    for (uint32_t j = 0; j < joint_count; j++)
        place_joint(joints + 12 * (size_t)j, placement, body->maps[j]);
    for (int axis = 0; placement && axis < 3; axis++)
        translation[axis] = placement[4 * axis + 3];
    body->model->kernels->skin(body, translation);
}

void eager_box(const eager_body *body, float low[3], float high[3])
{
    memcpy(low, body->low, 3 * sizeof *low);
    memcpy(high, body->high, 3 * sizeof *high);
}

bool eager_apart(const eager_body *a, const eager_body *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->high[axis] < b->low[axis] || b->high[axis] < a->low[axis])
            return true;
    return false;
}

void eager_refit(eager_body *body)
{
    body->model->kernels->refit(body);
}

size_t eager_collide_self(eager_body *body, bench_pair *pairs, size_t capacity)
{
    return body->model->kernels->collide_self(body, pairs, capacity);
}

size_t eager_collide(eager_body *a, eager_body *b, eager_triangles how, bool first,
                     bench_pair *pairs, size_t capacity)
{
    return a->model->kernels->collide(a, b, how, first, pairs, capacity);
}

bool eager_ray(eager_body *body, const float origin[3], const float dir[3], float *t,
               uint32_t *triangle)
{
    return body->model->kernels->ray(body, origin, dir, t, triangle);
}

const float *eager_positions(const eager_body *body, uint32_t *stride_floats)
{
    *stride_floats = 4;
    return body->positions[0];
}

uint32_t eager_slot(const eager_body *body, uint32_t vertex)
{
    return body->model->slots[vertex];
}

size_t eager_body_bytes(const eager_body *body)
{
    return body->bytes;
}
