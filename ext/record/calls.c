#include "record/calls.h"

#include <math.h>
#include <string.h>

/* What is looked at of an answer: so many bool at its start, and words from first to end. Between
 * them may be padding.
 */
typedef struct row {
    const grazei_kind *kind;
    uint32_t bodies;
    size_t size, bools, first, end;
} row;

#define PAIR sizeof(graze_pair), 0, 0, sizeof(graze_pair)
#define HIT sizeof(graze_hit), 1, offsetof(graze_hit, triangle), sizeof(graze_hit)
#define CONTACT sizeof(graze_contact), 0, 0, sizeof(graze_contact)
#define IMPACT sizeof(graze_impact), 2, offsetof(graze_impact, time), sizeof(graze_impact)
#define NEAREST                                                                                    \
    sizeof(graze_nearest), 1, offsetof(graze_nearest, pair),                                       \
        offsetof(graze_nearest, points) + sizeof(float[2][3])
#define SIDE                                                                                       \
    sizeof(graze_point_side), 2, offsetof(graze_point_side, winding), sizeof(graze_point_side)

/* In the order of their numbers in a file, which stays. */
static const row rows[] = {{&grazei_pairs_kind, 2, PAIR},
                           {&grazei_self_kind, 1, PAIR},
                           {&grazei_nearest_kind, 2, NEAREST},
                           {&grazei_within_kind, 2, PAIR},
                           {&grazei_cast_kind, 1, HIT},
                           {&grazei_cast_all_kind, 1, HIT},
                           {&grazei_cast_many_kind, 1, HIT},
                           {&grazei_touch_kind, 1, sizeof(uint32_t), 0, 0, sizeof(uint32_t)},
                           {&grazei_touch_contacts_kind, 1, CONTACT},
                           {&grazei_cull_kind, 1, sizeof(graze_side), 0, 0, 0},
                           {&grazei_inside_kind, 1, SIDE},
                           {&grazei_winding_kind, 1, sizeof(float), 0, 0, 0},
                           {&grazei_sweep_kind, 4, IMPACT},
                           {&grazei_sweep_all_kind, 4, IMPACT},
                           {&grazei_sweep_shape_kind, 2, IMPACT},
                           {&grazei_sweep_shape_all_kind, 2, IMPACT},
                           {&grazei_contacts_kind, 2, CONTACT}};

enum { ROWS = sizeof rows / sizeof *rows };

static const row *row_of(const grazei_kind *kind)
{
    const row *r = rows;
    while (r->kind != kind)
        r++;
    return r;
}

void grazei_model_counts(const grazei_model_words *m, uint64_t counts[GRAZEI_MODEL_ARRAYS])
{
    const uint64_t all[GRAZEI_MODEL_ARRAYS] = {3 * (uint64_t)m->vertices,
                                               3 * (uint64_t)m->triangles,
                                               (uint64_t)m->vertices + 1,
                                               2 * (uint64_t)m->influences,
                                               m->vertices,
                                               m->vertices,
                                               m->triangles,
                                               m->has_rest ? 12 * (uint64_t)m->joints : 0,
                                               m->has_rest ? m->targets : 0,
                                               m->targets ? (uint64_t)m->targets + 1 : 0,
                                               m->deltas,
                                               3 * (uint64_t)m->deltas};
    memcpy(counts, all, sizeof all);
}

/* ---- answers -------------------------------------------------------------------------------- */

/* A zero is the same as its negative. */
static uint64_t hash_item(const row *r, const unsigned char *item, uint64_t hash)
{
    for (size_t i = 0; i < r->bools; i++)
        hash = grazei_hash_words(hash, &(uint32_t){item[i] != 0}, 1);
    for (size_t at = r->first; at < r->end; at += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, item + at, sizeof word);
        hash = grazei_hash_words(hash, &(uint32_t){word == 0x80000000u ? 0 : word}, 1);
    }
    return hash ^ hash >> 31;
}

/* A grazei_heard's take. */
static void take(grazei_heard *base, const void *items, size_t count, bool go_on)
{
    grazei_listened *listened = (grazei_listened *)base;
    const row *r = row_of(listened->call->kind);
    for (size_t i = 0; i < count; i++)
        listened->tally.hash += hash_item(r, (const unsigned char *)items + i * r->size, ROWS);
    listened->tally.count += count;
    listened->stopped |= !go_on && !listened->call->any;
}

void grazei_listen_to(grazei_listened *listened, const grazei_call *call)
{
    *listened = (grazei_listened){.base.take = take, .call = call};
}

/* An answer that is no list; hits of many rays are summed up with their numbers. The side of
 * culling, and a winding number in steps of 1e-5, stand in place of a count.
 */
static void sum_up_single(const grazei_call *call, grazei_tally *tally)
{
    const row *r = row_of(call->kind);
    const unsigned char *item = call->answer;
    size_t count = call->kind == &grazei_cast_many_kind ? call->about.ray_count : 1;
    for (size_t i = 0; i < count; i++, item += r->size) {
        tally->hash += hash_item(r, item, ROWS + i);
        tally->count += r->bools ? *item : 0;
    }
    if (call->kind == &grazei_nearest_kind) {
        uint64_t bits;
        memcpy(&bits, &((const graze_nearest *)call->answer)->distance, sizeof bits);
        const uint32_t halves[2] = {(uint32_t)bits, (uint32_t)(bits >> 32)};
        tally->hash += grazei_hash_words(0, halves, 2);
    } else if (call->kind == &grazei_cull_kind) {
        tally->count = *(const graze_side *)call->answer;
    } else if (call->kind == &grazei_winding_kind) {
        tally->count = (uint64_t)(int64_t)llrint(1e5 * (double)*(const float *)call->answer);
    }
}

void grazei_sum_up(grazei_listened *listened)
{
    graze_status status = listened->base.status;
    listened->tally.status = (uint32_t)status;
    listened->tally.partial = !listened->whole || listened->stopped;
    if ((status == GRAZE_OK || status == GRAZE_UNFINISHED) && !listened->call->kind->list)
        sum_up_single(listened->call, &listened->tally);
}

bool grazei_tallies_differ(const grazei_kind *kind, bool any, const grazei_tally *recorded,
                           const grazei_tally *now)
{
    int64_t then = (int64_t)recorded->count, count = (int64_t)now->count;
    if (recorded->status == GRAZE_OUT_OF_MEMORY)
        return false;
    if (recorded->partial) /* of one answer what is found last counts */
        return kind->list && recorded->count > now->count;
    if (recorded->status != now->status)
        return true;
    if (kind == &grazei_cull_kind)
        return then != count && then != GRAZE_CROSSING && count != GRAZE_CROSSING;
    if (kind == &grazei_winding_kind)
        return then != count && then != count + 1 && then + 1 != count;
    return any ? !then != !count : then != count || recorded->hash != now->hash;
}

/* ---- questions ------------------------------------------------------------------------------ */

/* Words of a shape, or of one plane of a frustum. */
static const uint32_t shape_words[] = {4, 7, 15, 4, 4, 4};

static void put_shape(grazei_words *words, const graze_shape *shape)
{
    bool many = shape->kind == GRAZE_FRUSTUM;
    uint32_t count = many ? shape->as.frustum.plane_count : 1;
    grazei_put(words, (uint32_t)shape->kind);
    grazei_put(words, count);
    grazei_put_many(words, &shape->as, count * (size_t)shape_words[shape->kind]);
}

static void take_shape(grazei_taken *words, graze_shape *shape)
{
    uint32_t kind = grazei_take(words), count = grazei_take(words);
    bool many = kind == GRAZE_FRUSTUM;
    words->bad |= kind > GRAZE_FRUSTUM || (many ? count > GRAZE_MAX_PLANES : count != 1);
    const void *from =
        grazei_take_many(words, words->bad ? 0 : count * (uint64_t)shape_words[kind]);
    if (!from)
        return;
    shape->kind = (graze_shape_kind)kind;
    if (many)
        shape->as.frustum.plane_count = count;
    memcpy(&shape->as, from, count * shape_words[kind] * sizeof(uint32_t));
}

/* Rows are so many sets as there are parts. */
static uint64_t count_sets(const graze_part_filter *filter, bool by_rows)
{
    return by_rows ? filter->part_count : 2 * (uint64_t)filter->pair_count;
}

static void put_filter(grazei_words *words, const graze_part_filter *filter)
{
    size_t size = ((size_t)filter->part_count + 31) / 32;
    grazei_put(words, filter->part_count);
    grazei_put(words, filter->pair_count);
    grazei_put(words, filter->rows != NULL);
    if (filter->rows)
        grazei_put_many(words, filter->rows, (size_t)count_sets(filter, true) * size);
    for (uint32_t i = 0; !filter->rows && i < filter->pair_count; i++) {
        grazei_put_many(words, filter->pairs[i].a, size);
        grazei_put_many(words, filter->pairs[i].b, size);
    }
}

static void take_filter(grazei_taken *words, grazei_question_read *question)
{
    graze_part_filter *filter = &question->filter;
    filter->part_count = grazei_take(words);
    filter->pair_count = grazei_take(words);
    bool by_rows = grazei_take(words) != 0;
    uint64_t sets = count_sets(filter, by_rows), size = ((uint64_t)filter->part_count + 31) / 32;
    words->bad |= !size || sets > words->left;
    question->bits = grazei_take_many(words, words->bad ? 0 : sets * size);
    filter->rows = by_rows ? question->bits : NULL;
    question->call.about.filter = filter;
}

/* ---- all of it ------------------------------------------------------------------------------ */

void grazei_put_call(grazei_words *words, const grazei_call *call, const uint32_t bodies[4])
{
    const grazei_about *about = &call->about;
    const graze_contact_finder *finder = about->finder;
    const graze_motion *b = about->motions[1];
    bool swept = b && b->from && b->to, alone = call->body_count == 4 && !b;
    uint64_t distance;
    memcpy(&distance, &about->distance, sizeof distance);
    const uint32_t how[] = {(uint32_t)(row_of(call->kind) - rows),
                            call->any,
                            call->only_new,
                            (uint32_t)call->method,
                            alone,
                            about->depth,
                            finder ? finder->def.max_inside : 0,
                            finder && finder->def.split_by_part,
                            about->filter != NULL,
                            about->point != NULL,
                            swept ? 2 : about->shape != NULL};
    grazei_put_many(words, how, sizeof how / sizeof *how);
    grazei_put_many(words, bodies, call->body_count);
    grazei_put_wide(words, distance);
    grazei_put_wide(words, about->ray_count);
    grazei_put_many(words, about->rays, about->ray_count * sizeof(graze_ray) / sizeof(uint32_t));
    if (about->point)
        grazei_put_many(words, about->point, 3);
    if (about->filter)
        put_filter(words, about->filter);
    if (swept)
        put_shape(words, b->from);
    if (swept || about->shape)
        put_shape(words, swept ? b->to : about->shape);
}

static void take_how(grazei_taken *words, grazei_question_read *question, bool *has_filter,
                     bool *has_point)
{
    uint32_t kind = grazei_take(words);
    const row *r = kind < ROWS ? &rows[kind] : rows;
    words->bad |= kind >= ROWS;
    question->call.kind = r->kind;
    question->call.body_count = r->bodies;
    question->options.any = grazei_take(words) != 0;
    question->options.only_new = grazei_take(words) != 0;
    question->options.method = (graze_method)(grazei_take(words) % 4);
    question->alone = grazei_take(words) != 0;
    question->call.about.depth = grazei_take(words);
    question->finder.max_inside = grazei_take(words);
    question->finder.split_by_part = grazei_take(words) != 0;
    *has_filter = grazei_take(words) != 0;
    *has_point = grazei_take(words) != 0;
    question->shape_count = grazei_take(words);
    words->bad |= question->shape_count > 2;
}

bool grazei_take_call(grazei_taken *words, grazei_question_read *question)
{
    bool has_filter, has_point;
    grazei_about *about = &question->call.about;
    memset(question, 0, sizeof *question);
    take_how(words, question, &has_filter, &has_point);
    for (uint32_t i = 0; i < question->call.body_count; i++)
        question->bodies[i] = grazei_take(words);
    uint64_t distance = grazei_take_wide(words);
    memcpy(&about->distance, &distance, sizeof distance);
    uint64_t rays = grazei_take_wide(words);
    words->bad |= rays > words->left;
    about->ray_count = words->bad ? 0 : (size_t)rays;
    about->rays = grazei_take_many(words, 8 * (uint64_t)about->ray_count);
    about->point = grazei_take_many(words, has_point ? 3 : 0);
    if (has_filter)
        take_filter(words, question);
    for (uint32_t i = 0; i < question->shape_count && !words->bad; i++)
        take_shape(words, &question->shapes[i]);
    about->shape = question->shape_count ? question->shapes : NULL;
    return !words->bad && !words->left;
}
