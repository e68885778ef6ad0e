/* Questions: each leaves its answer in web_answer and returns how many items there are, or -1 with
 * an error. Items are as the structs of the public headers lie in memory; core.js of web/graze
 * knows their fields.
 */
#include "module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

graze_stats *web_stats;

/* Sorts pairs by a byte of one of their numbers; those that have it alike keep their order. */
static void sort_by_byte(const web_pair *from, web_pair *to, size_t count, bool by_a, int shift)
{
    uint32_t places[257] = {0};
    for (size_t i = 0; i < count; i++)
        places[((by_a ? from[i].a : from[i].b) >> shift & 255) + 1]++;
    for (int i = 0; i < 256; i++)
        places[i + 1] += places[i];
    for (size_t i = 0; i < count; i++)
        to[places[(by_a ? from[i].a : from[i].b) >> shift & 255]++] = from[i];
}

static bool comes_before(web_pair x, web_pair y)
{
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

static void sort_few_pairs(web_pair *pairs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        web_pair pair = pairs[i];
        size_t place = i;
        for (; place && comes_before(pair, pairs[place - 1]); place--)
            pairs[place] = pairs[place - 1];
        pairs[place] = pair;
    }
}

/* Sorts by a, then b, with room for as many pairs behind them: byte by byte, from the lowest of b
 * to the highest of a that any pair has.
 */
static void sort_many_pairs(web_pair *pairs, size_t count)
{
    web_pair *from = pairs, *to = pairs + count;
    uint32_t most[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        most[0] |= pairs[i].b;
        most[1] |= pairs[i].a;
    }
    for (int by_a = 0; by_a < 2; by_a++)
        for (int shift = 0; shift < 32 && most[by_a] >> shift; shift += 8) {
            sort_by_byte(from, to, count, by_a, shift);
            web_pair *sorted = to;
            to = from;
            from = sorted;
        }
    if (from != pairs)
        memcpy(pairs, from, count * sizeof *pairs);
}

static int by_number(const void *left, const void *right)
{
    uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
    return x < y ? -1 : x > y;
}

static int by_t(const void *left, const void *right)
{
    const graze_hit *x = left, *y = right;
    if (x->t != y->t)
        return x->t < y->t ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

/* Adds items behind those that are there. */
static bool add(web_list *list, const void *items, size_t count, size_t size)
{
    char *all = web_answer_reserve(list->count + count, size);
    list->complete = all != NULL;
    if (!all)
        return false;
    memcpy(all + list->count * size, items, count * size);
    list->count += count;
    return true;
}

/* Whether they meet at rest is left out. */
bool web_add_pairs(void *user, const graze_pair *pairs, size_t count)
{
    web_list *list = user;
    web_pair *all = web_answer_reserve(list->count + count, sizeof *all);
    list->complete = all != NULL;
    for (size_t i = 0; all && i < count; i++)
        all[list->count++] = (web_pair){pairs[i].a, pairs[i].b};
    return all != NULL;
}

static bool add_hits(void *list, const graze_hit *hits, size_t count)
{
    return add(list, hits, count, sizeof *hits);
}

static bool add_triangles(void *list, const uint32_t *triangles, size_t count)
{
    return add(list, triangles, count, sizeof *triangles);
}

static int finish(graze_status status, const web_list *list, size_t size,
                  int (*order)(const void *, const void *))
{
    if (!list->complete)
        return web_out_of_memory();
    if (status)
        return WEB_FAILED;
    if (list->count)
        qsort(web_answer_reserve(0, 1), list->count, size, order);
    return (int)list->count;
}

int web_finish_pairs(graze_status status, const web_list *list)
{
    if (!list->complete)
        return web_out_of_memory();
    if (status)
        return WEB_FAILED;
    web_pair *pairs = web_answer_reserve(2 * list->count, sizeof *pairs);
    if (!pairs && list->count)
        return web_out_of_memory();
    if (list->count < 64)
        sort_few_pairs(pairs, list->count);
    else
        sort_many_pairs(pairs, list->count);
    return (int)list->count;
}

graze_options web_options(void)
{
    graze_options options = {0};
    options.stats = web_stats;
    return options;
}

int web_pairs(graze_body *a, graze_body *b, const graze_options *options)
{
    web_list list = {.complete = true};
    graze_pair_list pairs = {.report = web_add_pairs, .user = &list};
    return web_finish_pairs(graze_pairs(a, b, &pairs, options, &web_error), &list);
}

int web_self_pairs(graze_body *body, const graze_options *options)
{
    web_list list = {.complete = true};
    graze_pair_list pairs = {.report = web_add_pairs, .user = &list};
    return web_finish_pairs(graze_self_pairs(body, NULL, &pairs, options, &web_error), &list);
}

WEB_EXPORT(collide) int web_collide(graze_body *a, graze_body *b)
{
    graze_options options = web_options();
    return web_pairs(a, b, &options);
}

WEB_EXPORT(collide_first) int web_collide_first(graze_body *a, graze_body *b)
{
    graze_options options = web_options();
    options.any = true;
    return web_pairs(a, b, &options);
}

WEB_EXPORT(self) int web_self(graze_body *body, uint32_t only_new)
{
    graze_options options = web_options();
    options.only_new = only_new != 0;
    return web_self_pairs(body, &options);
}

WEB_EXPORT(cast)
int web_cast(graze_body *body, float ox, float oy, float oz, float dx, float dy, float dz,
             float t_min, float t_max)
{
    graze_ray ray = {{ox, oy, oz}, {dx, dy, dz}, t_min, t_max};
    graze_options options = web_options();
    graze_hit *hit = web_answer_reserve(1, sizeof *hit);
    if (!hit)
        return web_out_of_memory();
    return graze_cast(body, &ray, hit, &options, &web_error) ? WEB_FAILED : hit->found;
}

WEB_EXPORT(cast_all)
int web_cast_all(graze_body *body, float ox, float oy, float oz, float dx, float dy, float dz,
                 float t_min, float t_max)
{
    web_list list = {.complete = true};
    graze_hit_list hits = {.report = add_hits, .user = &list};
    graze_options options = web_options();
    graze_ray ray = {{ox, oy, oz}, {dx, dy, dz}, t_min, t_max};
    return finish(graze_cast_all(body, &ray, &hits, &options, &web_error), &list, sizeof(graze_hit),
                  by_t);
}

WEB_EXPORT(distance) int web_distance(graze_body *a, graze_body *b, double limit)
{
    graze_options options = web_options();
    graze_nearest *nearest = web_answer_reserve(1, sizeof *nearest);
    if (!nearest)
        return web_out_of_memory();
    return graze_distance(a, b, limit, nearest, &options, &web_error) ? WEB_FAILED : nearest->found;
}

/* b_start null: of the body with itself. */
WEB_EXPORT(sweep)
int web_sweep(graze_body *a_start, graze_body *a_end, graze_body *b_start, graze_body *b_end,
              uint32_t only_new)
{
    graze_motion a = {.start = a_start, .end = a_end}, b = {.start = b_start, .end = b_end};
    graze_options options = web_options();
    graze_impact *impact = web_answer_reserve(1, sizeof *impact);
    if (!impact)
        return web_out_of_memory();
    options.only_new = only_new != 0;
    return graze_sweep(&a, b_start ? &b : NULL, impact, &options, &web_error) ? WEB_FAILED
                                                                              : impact->found;
}

/* numbers: of a sphere centre and radius, of a capsule p, q and radius, of a box centre, half sides
 * and a rotation as x y z w, of a plane or half-space normal and offset.
 */
WEB_EXPORT(touch) int web_touch(graze_body *body, graze_shape_kind kind, const float *numbers)
{
    web_list list = {.complete = true};
    graze_triangle_list triangles = {.report = add_triangles, .user = &list};
    graze_options options = web_options();
    graze_shape shape = {0};
    switch (kind) {
    case GRAZE_SPHERE:
        shape = graze_shape_sphere(numbers, numbers[3]);
        break;
    case GRAZE_CAPSULE:
        shape = graze_shape_capsule(numbers, numbers + 3, numbers[6]);
        break;
    case GRAZE_BOX:
        shape = graze_shape_box(numbers, numbers + 3, numbers + 6);
        break;
    case GRAZE_PLANE:
        shape = graze_shape_plane(numbers, numbers[3]);
        break;
    default:
        shape = graze_shape_half_space(numbers, numbers[3]);
        break;
    }
    return finish(graze_touch(body, &shape, &triangles, &options, &web_error), &list,
                  sizeof(uint32_t), by_number);
}
