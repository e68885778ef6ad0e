#include "support/answers.h"
#include "support/own.h"

#include <stdlib.h>
#include <string.h>

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

void answers_clear(answers *list)
{
    list->count = 0;
    list->width = 0;
}

void answers_free(answers *list)
{
    free(list->words);
    *list = (answers){0};
}

void answers_put(answers *list, const uint32_t *words, uint32_t width)
{
    if (list->count == 0)
        list->width = width;
    if (list->width != width)
        abort();
    if ((list->count + 1) * width > list->capacity) {
        list->capacity = 2 * (list->count + 1) * width + 1024;
        list->words = realloc(list->words, list->capacity * sizeof *list->words);
        if (!list->words)
            abort();
    }
    memcpy(list->words + list->count++ * width, words, width * sizeof *words);
}

bool answers_take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        answers_put(user, (const uint32_t[]){pairs[i].a, pairs[i].b}, 2);
    return true;
}

bool answers_take_self(void *user, const graze_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        answers_put(user, (const uint32_t[]){pairs[i].a, pairs[i].b, pairs[i].at_rest}, 3);
    return true;
}

void answers_put_hit(answers *list, const graze_hit *h)
{
    const uint32_t words[13] = {h->found,
                                h->triangle,
                                bits(h->t),
                                bits(h->point[0]),
                                bits(h->point[1]),
                                bits(h->point[2]),
                                bits(h->normal[0]),
                                bits(h->normal[1]),
                                bits(h->normal[2]),
                                bits(h->uv[0]),
                                bits(h->uv[1]),
                                h->joint,
                                h->part};
    answers_put(list, words, 13);
}

bool answers_take_hits(void *user, const graze_hit *hits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        answers_put_hit(user, &hits[i]);
    return true;
}

bool answers_take_triangles(void *user, const uint32_t *triangles, size_t count)
{
    for (size_t i = 0; i < count; i++)
        answers_put(user, &triangles[i], 1);
    return true;
}

void answers_put_impact(answers *list, const graze_impact *m)
{
    const uint32_t words[13] = {m->triangles[0],    m->triangles[1],    m->found,
                                m->initial,         bits(m->time),      bits(m->point[0]),
                                bits(m->point[1]),  bits(m->point[2]),  bits(m->normal[0]),
                                bits(m->normal[1]), bits(m->normal[2]), m->parts[0],
                                m->parts[1]};
    answers_put(list, words, 13);
}

bool answers_take_impacts(void *user, const graze_impact *impacts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        answers_put_impact(user, &impacts[i]);
    return true;
}

bool answers_take_contacts(void *user, const graze_contact *contacts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const graze_contact *c = &contacts[i];
        const uint32_t words[13] = {bits(c->point[0]),  bits(c->point[1]),  bits(c->point[2]),
                                    bits(c->normal[0]), bits(c->normal[1]), bits(c->normal[2]),
                                    bits(c->depth),     c->parts[0],        c->parts[1],
                                    c->triangles[0],    c->triangles[1],    c->pair_count,
                                    c->number};
        answers_put(user, words, 13);
    }
    return true;
}

typedef struct couple_list {
    graze_pair_list pairs;
    answers *list;
    uint32_t number;
} couple_list;

static bool take_couple(void *user, const graze_pair *pairs, size_t count)
{
    couple_list *couple = user;
    for (size_t i = 0; i < count; i++)
        answers_put(couple->list, (const uint32_t[]){couple->number, pairs[i].a, pairs[i].b}, 3);
    return true;
}

graze_status answers_of_couples(graze_pool *pool, graze_body *(*couples)[2], size_t count,
                                answers *list, graze_stats *stats, graze_error *error)
{
    OWN(graze_batch) *batch = NULL;
    OWNED couple_list *lists = calloc(count + 1, sizeof *lists);
    graze_status status = graze_batch_create(NULL, &batch, error);
    for (size_t i = 0; i < count && !status; i++) {
        lists[i] = (couple_list){{.report = take_couple, .user = &lists[i]}, list, (uint32_t)i};
        status = graze_pairs(couples[i][0], couples[i][1], &lists[i].pairs,
                             &(graze_options){.batch = batch}, error);
    }
    if (!status)
        status = graze_batch_run(batch, &(graze_options){.pool = pool, .stats = stats}, error);
    return status;
}

void answers_put_flag(answers *list, bool flag)
{
    answers_put(list, (const uint32_t[]){flag}, 1);
}

void answers_put_nearest(answers *list, const graze_nearest *n)
{
    uint64_t distance;
    memcpy(&distance, &n->distance, sizeof distance);
    uint32_t words[11] = {n->found, (uint32_t)distance, (uint32_t)(distance >> 32), n->pair.a,
                          n->pair.b};
    for (uint32_t i = 0; i < 6; i++)
        words[5 + i] = bits(n->points[i / 3][i % 3]);
    answers_put(list, words, 11);
}

void answers_put_inside(answers *list, const graze_point_side *inside)
{
    answers_put(
        list, (const uint32_t[]){inside->inside, inside->on_surface, (uint32_t)inside->winding}, 3);
}

void answers_put_details(answers *details, answers *segments, const graze_contact_finder *finder)
{
    graze_contact_details d;
    for (uint32_t i = 0; graze_contact_get_details(finder, i, &d); i++)
        answers_put(details,
                    (const uint32_t[]){bits(d.length), d.first_segment, d.closed, d.full_depth}, 4);
    size_t count = 0;
    const graze_contact_segment *all = graze_contact_segments(finder, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t words[9] = {all[i].a, all[i].b, all[i].flat};
        for (uint32_t k = 0; k < 6; k++)
            words[3 + k] = bits(all[i].ends[k / 3][k % 3]);
        answers_put(segments, words, 9);
    }
}

static int compare_words(const uint32_t *x, const uint32_t *y, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* A merge sort, for records of any width. */
static void sort_words(uint32_t *words, uint32_t *room, size_t count, uint32_t width)
{
    if (count < 2)
        return;
    size_t half = count / 2, left = 0, right = half, size = width * sizeof *words;
    sort_words(words, room, half, width);
    sort_words(words + half * width, room, count - half, width);
    memcpy(room, words, half * size);
    for (size_t i = 0; left < half; i++) {
        bool take_left =
            right == count || compare_words(room + left * width, words + right * width, width) <= 0;
        memcpy(words + i * width, take_left ? room + left * width : words + right * width, size);
        *(take_left ? &left : &right) += 1;
    }
}

bool answers_sort(answers *list)
{
    uint32_t *room = malloc((list->count * list->width + 1) * sizeof *room);
    if (!room)
        abort();
    sort_words(list->words, room, list->count, list->width);
    free(room);
    for (size_t i = 1; i < list->count; i++)
        if (compare_words(list->words + (i - 1) * list->width, list->words + i * list->width,
                          list->width) == 0)
            return false;
    return true;
}

bool answers_equal(const answers *x, const answers *y, size_t *odd)
{
    for (size_t i = 0; i < x->count || i < y->count; i++)
        if (i >= x->count || i >= y->count || x->width != y->width ||
            compare_words(x->words + i * x->width, y->words + i * x->width, x->width) != 0) {
            if (odd)
                *odd = i;
            return false;
        }
    return true;
}

bool answers_have(const answers *list, const uint32_t *words, uint32_t width)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_words(list->words + middle * list->width, words, width);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

uint64_t answers_hash_words(uint64_t hash, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t shift = 0; shift < 32; shift += 8)
            hash = (hash ^ (words[i] >> shift & 255)) * 0x100000001B3u;
    return hash;
}

uint64_t answers_hash_floats(uint64_t hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word = bits(values[i]);
        hash = answers_hash_words(hash, &word, 1);
    }
    return hash;
}

uint64_t answers_hash(uint64_t hash, const answers *list)
{
    uint32_t count = (uint32_t)list->count;
    hash = answers_hash_words(hash, &count, 1);
    return answers_hash_words(hash, list->words, list->count * list->width);
}
