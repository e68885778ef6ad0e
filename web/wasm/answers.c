/* Questions: each leaves its answer in web_answer and returns how many items there are, or -1 with
 * an error. Items are as the structs of the public headers lie in memory; layout.mjs of web/graze
 * knows their fields.
 */
#include "module.h"

#include <math.h>
#include <stdlib.h>

enum { FAILED = -1 };

static int out_of_memory(void)
{
    web_error = (graze_error){GRAZE_OUT_OF_MEMORY, "out of memory"};
    return FAILED;
}

/* Asks again with more room while there was too little: ASK(items, capacity, &count) is a status. */
#define COLLECT(type, ASK)                                                                         \
    do {                                                                                           \
        static size_t most = 64;                                                                   \
        size_t count = 0;                                                                          \
        for (;;) {                                                                                 \
            type *items = web_answer_reserve(most, sizeof *items);                                 \
            if (!items)                                                                            \
                return out_of_memory();                                                            \
            if (ASK(items, most, &count))                                                          \
                return FAILED;                                                                     \
            if (count <= most)                                                                     \
                break;                                                                             \
            most = count;                                                                          \
        }                                                                                          \
        found = (int)count;                                                                        \
    } while (0)

static int by_pair(const void *left, const void *right)
{
    const graze_pair *x = left, *y = right;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b < y->b ? -1 : x->b > y->b;
}

static int by_number(const void *left, const void *right)
{
    uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
    return x < y ? -1 : x > y;
}

static int by_t(const void *left, const void *right)
{
    const graze_ray_hit *x = left, *y = right;
    if (x->t != y->t)
        return x->t < y->t ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

WEB_EXPORT(collide) int web_collide(graze_body *a, graze_body *b)
{
    int found;
#define ASK(items, capacity, count)                                                                \
    graze_collide_into(a, b, items, capacity, count, NULL, &web_error)
    COLLECT(graze_pair, ASK);
#undef ASK
    qsort(web_answer_reserve(0, 1), (size_t)found, sizeof(graze_pair), by_pair);
    return found;
}

WEB_EXPORT(collide_first) int web_collide_first(graze_body *a, graze_body *b)
{
    bool hit;
    graze_pair *pair = web_answer_reserve(1, sizeof *pair);
    if (!pair)
        return out_of_memory();
    return graze_collide_first(a, b, &hit, pair, NULL, &web_error) ? FAILED : hit;
}

/* Pairs as graze_pair: what they are at rest is left out. */
WEB_EXPORT(self) int web_self(graze_body *body, uint32_t only_new)
{
    int found;
#define ASK(items, capacity, count)                                                                \
    graze_collide_self_into(body, only_new ? GRAZE_SELF_NEW : GRAZE_SELF_ALL, items, capacity,     \
                            count, NULL, &web_error)
    COLLECT(graze_self_pair, ASK);
#undef ASK
    const graze_self_pair *items = web_answer_reserve(0, 1);
    graze_pair *pairs = web_answer_reserve(0, 1);
    for (int i = 0; i < found; i++)
        pairs[i] = (graze_pair){items[i].a, items[i].b};
    qsort(pairs, (size_t)found, sizeof *pairs, by_pair);
    return found;
}

WEB_EXPORT(cast)
int web_cast(graze_body *body, float ox, float oy, float oz, float dx, float dy, float dz,
             float t_min, float t_max)
{
    graze_ray ray = {{ox, oy, oz}, {dx, dy, dz}, t_min, t_max};
    graze_ray_hit *hit = web_answer_reserve(1, sizeof *hit);
    if (!hit)
        return out_of_memory();
    return graze_cast(body, &ray, hit, NULL, &web_error) ? FAILED : hit->found;
}

WEB_EXPORT(cast_all)
int web_cast_all(graze_body *body, float ox, float oy, float oz, float dx, float dy, float dz,
                 float t_min, float t_max)
{
    int found;
    graze_ray ray = {{ox, oy, oz}, {dx, dy, dz}, t_min, t_max};
#define ASK(items, capacity, count)                                                                \
    graze_cast_all_into(body, &ray, items, capacity, count, NULL, &web_error)
    COLLECT(graze_ray_hit, ASK);
#undef ASK
    qsort(web_answer_reserve(0, 1), (size_t)found, sizeof(graze_ray_hit), by_t);
    return found;
}

WEB_EXPORT(distance) int web_distance(graze_body *a, graze_body *b, double limit)
{
    graze_nearest *nearest = web_answer_reserve(1, sizeof *nearest);
    if (!nearest)
        return out_of_memory();
    return graze_distance(a, b, limit, nearest, NULL, &web_error) ? FAILED : nearest->found;
}

/* b_start null: of the body with itself. */
WEB_EXPORT(sweep)
int web_sweep(graze_body *a_start, graze_body *a_end, graze_body *b_start, graze_body *b_end,
              uint32_t only_new)
{
    graze_motion a = {a_start, a_end}, b = {b_start, b_end};
    graze_impact *impact = web_answer_reserve(1, sizeof *impact);
    if (!impact)
        return out_of_memory();
    return graze_sweep(&a, b_start ? &b : NULL, only_new != 0, impact, NULL, &web_error)
               ? FAILED
               : impact->found;
}

/* numbers: of a sphere centre and radius, of a capsule p, q and radius, of a box centre, half sides
 * and a rotation as x y z w, of a plane or half-space normal and offset.
 */
WEB_EXPORT(touch) int web_touch(graze_body *body, graze_shape_kind kind, const float *numbers)
{
    int found;
    graze_shape shape = {0};
    switch (kind) {
    case GRAZE_SPHERE: shape = graze_shape_sphere(numbers, numbers[3]); break;
    case GRAZE_CAPSULE: shape = graze_shape_capsule(numbers, numbers + 3, numbers[6]); break;
    case GRAZE_BOX: shape = graze_shape_box(numbers, numbers + 3, numbers + 6); break;
    case GRAZE_PLANE: shape = graze_shape_plane(numbers, numbers[3]); break;
    default: shape = graze_shape_half_space(numbers, numbers[3]); break;
    }
#define ASK(items, capacity, count)                                                                \
    graze_touch_into(body, &shape, items, capacity, count, NULL, &web_error)
    COLLECT(uint32_t, ASK);
#undef ASK
    qsort(web_answer_reserve(0, 1), (size_t)found, sizeof(uint32_t), by_number);
    return found;
}
