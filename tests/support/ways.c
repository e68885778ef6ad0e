#include "support/ways.h"

#include "support/denormals.h"
#include "support/own.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- answers --------------------------------------------------------------------------------- */

/* Fields of an item lie before the gap, and from `rest` on; what is left is padding. */
enum { PAIR, HIT, TRIANGLE, CONTACT, IMPACT, NEAREST, INSIDE, WINDING, SIDE };
static const struct {
    size_t size, gap, rest, end;
} items[] = {
    [PAIR] = {sizeof(graze_pair), 0, 0, sizeof(graze_pair)},
    [HIT] = {sizeof(graze_hit), 1, 4, sizeof(graze_hit)},
    [TRIANGLE] = {sizeof(uint32_t), 0, 0, sizeof(uint32_t)},
    [CONTACT] = {sizeof(graze_contact), 0, 0, sizeof(graze_contact)},
    [IMPACT] = {sizeof(graze_impact), 2, 4, sizeof(graze_impact)},
    [NEAREST] = {sizeof(graze_nearest), 1, offsetof(graze_nearest, distance),
                 offsetof(graze_nearest, points) + 6 * sizeof(float)},
    [INSIDE] = {sizeof(graze_point_side), 2, 4, sizeof(graze_point_side)},
    [WINDING] = {sizeof(float), 0, 0, sizeof(float)},
    [SIDE] = {sizeof(graze_side), 0, 0, sizeof(graze_side)},
};

static void put_items(answers *list, uint32_t item, const void *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t words[WAYS_WORDS] = {0};
        memcpy(words, (const char *)from + i * items[item].size, items[item].end);
        memset((char *)words + items[item].gap, 0, items[item].rest - items[item].gap);
        answers_put(list, words, WAYS_WORDS);
    }
}

static const uint32_t *record_of(const answers *list, size_t i)
{
    return list->words + i * WAYS_WORDS;
}

bool ways_found(const answers *list, size_t i)
{
    return *record_of(list, i) & 1; /* the first field of a hit, impact or nearest pair */
}

void ways_join(answers *list, const answers *more)
{
    for (size_t i = 0; i < more->count; i++)
        answers_put(list, record_of(more, i), WAYS_WORDS);
}

bool ways_are_all_in(const answers *part, const answers *list)
{
    bool all = true;
    for (size_t i = 0; i < part->count && all; i++)
        all = answers_have(list, record_of(part, i), WAYS_WORDS);
    return all;
}

static bool take(ways_answer *answer, const void *from, size_t count)
{
    put_items(&answer->found, ways_rows[answer->question].item, from, count);
    answer->calls++;
    CHECK_MSG(count > 0, "%s: an empty batch", ways_rows[answer->question].name);
    if (answer->meanwhile)
        answer->meanwhile(answer->user);
    return !answer->stop;
}

#define TAKE(name, type)                                                                           \
    static bool name(void *user, const type *from, size_t count)                                   \
    {                                                                                              \
        return take(user, from, count);                                                            \
    }
TAKE(take_pairs, graze_pair)
TAKE(take_hits, graze_hit)
TAKE(take_triangles, uint32_t)
TAKE(take_contacts, graze_contact)
TAKE(take_impacts, graze_impact)

static void set_callback(ways_answer *answer, uint32_t item)
{
    if (item == PAIR)
        answer->list.pairs.report = take_pairs;
    else if (item == HIT)
        answer->list.hits.report = take_hits;
    else if (item == TRIANGLE)
        answer->list.triangles.report = take_triangles;
    else if (item == CONTACT)
        answer->list.contacts.report = take_contacts;
    else
        answer->list.impacts.report = take_impacts;
    answer->list.pairs.user = answer;
}

enum { NOISE = 0xA5 };

void ways_reset(ways_answer *answer)
{
    memset(answer->place, NOISE,
           (answer->capacity + 1) * items[ways_rows[answer->question].item].size);
    answer->list.pairs.count = answer->list.pairs.total = 77;
    answer->calls = 0;
    answers_free(&answer->found);
}

void ways_begin(ways_answer *answer, ways_question question, ways_mode mode, size_t capacity)
{
    const ways_row *row = &ways_rows[question];
    *answer = (ways_answer){.question = question};
    answer->capacity = row->singles ? row->singles : capacity;
    answer->place = malloc((answer->capacity + 1) * items[row->item].size);
    if (!answer->place)
        abort();
    ways_reset(answer);
    if (mode == WAYS_CALLBACK) {
        set_callback(answer, row->item);
    } else if (capacity) {
        answer->list.pairs.items = answer->place;
        answer->list.pairs.capacity = capacity;
    }
}

void ways_end(ways_answer *answer)
{
    const ways_row *row = &ways_rows[answer->question];
    size_t count = answer->list.pairs.report ? 0 : answer->list.pairs.count;
    if (row->singles || count <= answer->capacity)
        put_items(&answer->found, row->item, answer->place, row->singles ? row->singles : count);
    if (!row->singles)
        CHECK_MSG(answers_sort(&answer->found), "%s: an answer comes twice", row->name);
}

bool ways_is_clean(const ways_answer *answer, bool refused)
{
    const ways_row *row = &ways_rows[answer->question];
    size_t size = items[row->item].size, count = row->singles;
    if (!row->singles && refused && (answer->list.pairs.count || answer->list.pairs.total))
        return false;
    if (!row->singles)
        count = answer->list.pairs.count;
    for (size_t i = refused ? 0 : count * size; i < (answer->capacity + 1) * size; i++)
        if (((unsigned char *)answer->place)[i] != NOISE)
            return false;
    return true;
}

void ways_drop(ways_answer *answer)
{
    free(answer->place);
    answers_free(&answer->found);
}

/* ---- questions ------------------------------------------------------------------------------- */

/* Short names within the calls. */
#define A bodies->all[0]
#define B bodies->all[2]
#define ABOUT scene->about
#define LIST &answer->list
#define WHERE answer->place, options, error

#define ASK(name, call)                                                                            \
    static graze_status ask_##name(const ways_scene *scene, const ways_bodies *bodies,             \
                                   ways_answer *answer, const graze_options *options,              \
                                   graze_error *error)                                             \
    {                                                                                              \
        (void)scene;                                                                               \
        return call;                                                                               \
    }
ASK(pairs, graze_pairs(A, B, LIST.pairs, options, error))
ASK(self_pairs, graze_self_pairs(A, NULL, LIST.pairs, options, error))
ASK(self_pairs_filter, graze_self_pairs(A, &scene->filter, LIST.pairs, options, error))
ASK(pairs_within, graze_pairs_within(A, B, ABOUT.within, LIST.pairs, options, error))
ASK(distance, graze_distance(A, B, ABOUT.limit, WHERE))
ASK(cast, graze_cast(A, &ABOUT.rays[0], WHERE))
ASK(cast_all, graze_cast_all(A, &ABOUT.rays[0], LIST.hits, options, error))
ASK(cast_many, graze_cast_many(A, ABOUT.rays, WAYS_RAYS, WHERE))
ASK(touch, graze_touch(A, &ABOUT.touched, LIST.triangles, options, error))
ASK(touch_contacts, graze_touch_contacts(A, &ABOUT.shape, LIST.contacts, options, error))
ASK(inside, graze_inside(A, ABOUT.point, WHERE))
ASK(winding_number, graze_winding_number(A, ABOUT.point, WHERE))
ASK(cull, graze_cull(A, &ABOUT.region, ABOUT.depth, WHERE))
ASK(contacts, graze_contacts(bodies->finder, A, B, LIST.contacts, options, error))

/* Of two bodies, one with itself, or a body and a shape. */
static graze_status ask_motions(const ways_scene *scene, const ways_bodies *bodies,
                                ways_answer *answer, bool shape, const graze_options *options,
                                graze_error *error)
{
    const graze_motion a = {.start = A, .end = bodies->all[shape && ABOUT.stands ? 0 : 1]};
    const graze_motion body = {.start = B, .end = bodies->all[ABOUT.stands ? 2 : 3]};
    const graze_motion moving = {.from = &ABOUT.shape, .to = &ABOUT.moved};
    const graze_motion *b = shape ? &moving : ABOUT.sweeps_itself ? NULL : &body;
    return ways_rows[answer->question].singles
               ? graze_sweep(&a, b, WHERE)
               : graze_sweep_all(&a, b, LIST.impacts, options, error);
}
ASK(sweep, ask_motions(scene, bodies, answer, false, options, error))
ASK(sweep_all, ask_motions(scene, bodies, answer, false, options, error))
ASK(sweep_shape, ask_motions(scene, bodies, answer, true, options, error))
ASK(sweep_shape_all, ask_motions(scene, bodies, answer, true, options, error))

static uint32_t number_in_cut(const uint32_t *names, uint32_t name)
{
    uint32_t number = 0;
    while (names && names[number] != name)
        number++;
    return names ? number : name;
}

static graze_status ask_contacts_from_pairs(const ways_scene *scene, const ways_bodies *bodies,
                                            ways_answer *answer, const graze_options *options,
                                            graze_error *error)
{
    const answers *list = &scene->references[ASK_pairs][0];
    OWNED graze_pair *pairs = calloc(list->count + 1, sizeof *pairs);
    for (size_t i = 0; i < list->count; i++)
        memcpy(&pairs[i], record_of(list, i), sizeof *pairs);
    for (size_t i = 0; i < list->count && bodies->all[0] == scene->twins.all[0]; i++) {
        pairs[i].a = number_in_cut(scene->names[0], pairs[i].a);
        pairs[i].b = number_in_cut(scene->names[1], pairs[i].b);
    }
    graze_status status = graze_contacts_from_pairs(bodies->finder, A, B, pairs, list->count,
                                                    LIST.contacts, options, error);
    return status;
}

/* Its name, what an answer is, the list of all answers of which it gives one (or itself), and how
 * many answers it has if it is no list.
 */
#define ROW(name, item, all, ...)                                                                  \
    [ASK_##name] = {#name, item, ASK_##all, ask_##name, .singles = __VA_ARGS__}
const ways_row ways_rows[ASK_COUNT] = {
    ROW(pairs, PAIR, pairs, 0),
    ROW(self_pairs, PAIR, self_pairs, 0, .takes_new = true),
    ROW(self_pairs_filter, PAIR, self_pairs_filter, 0, .takes_new = true),
    ROW(pairs_within, PAIR, pairs_within, 0),
    ROW(distance, NEAREST, pairs_within, 1, .is_nearest = true),
    ROW(cast, HIT, cast_all, 1, .is_nearest = true),
    ROW(cast_all, HIT, cast_all, 0),
    ROW(cast_many, HIT, cast_all, WAYS_RAYS),
    ROW(touch, TRIANGLE, touch, 0),
    ROW(touch_contacts, CONTACT, touch_contacts, 0),
    ROW(inside, INSIDE, inside, 1, .has_one_answer = true),
    ROW(winding_number, WINDING, winding_number, 1, .has_one_answer = true, .is_one_step = true),
    ROW(cull, SIDE, cull, 1, .has_one_answer = true, .is_lazy_only = true, .is_one_step = true),
    ROW(sweep, IMPACT, sweep_all, 1, .takes_new = true, .is_nearest = true),
    ROW(sweep_all, IMPACT, sweep_all, 0, .takes_new = true),
    ROW(sweep_shape, IMPACT, sweep_shape_all, 1, .takes_new = true, .is_nearest = true),
    ROW(sweep_shape_all, IMPACT, sweep_shape_all, 0, .takes_new = true),
    ROW(contacts, CONTACT, contacts, 0),
    ROW(contacts_from_pairs, CONTACT, contacts_from_pairs, 0, .takes_stats_only = true),
};

graze_status ways_ask(ways_scene *s, const ways_bodies *bodies, ways_answer *answer,
                      const graze_options *options, graze_error *error)
{
    if (answer->question == ASK_contacts_from_pairs)
        ways_reference(s, ASK_pairs, false);
    return ways_rows[answer->question].ask(s, bodies, answer, options, error);
}

bool ways_supports(ways_question question, const graze_options *o)
{
    const ways_row *row = &ways_rows[question];
    if (!o)
        return true;
    if (row->takes_stats_only && (o->batch || o->budget || o->any))
        return false;
    return !(o->only_new && !row->takes_new) && !(o->method && o->budget) &&
           !(o->method && (row->is_lazy_only || row->takes_stats_only));
}

/* ---- the right answer ------------------------------------------------------------------------ */

/* Of pairs or impacts, those that do not meet anyway. */
static void put_new(answers *to, const answers *all, uint32_t item)
{
    graze_pair pair;
    graze_impact impact;
    for (size_t i = 0; i < all->count; i++) {
        memcpy(&pair, record_of(all, i), sizeof pair);
        memcpy(&impact, record_of(all, i), sizeof impact);
        if (item == PAIR ? !pair.at_rest : !impact.initial)
            answers_put(to, record_of(all, i), WAYS_WORDS);
    }
}

static bool has(const uint32_t *bits, uint32_t part)
{
    return bits[part / 32] >> part % 32 & 1;
}

/* What the header says of filters, by itself. */
static bool is_wanted(const graze_part_filter *filter, uint32_t p, uint32_t q)
{
    const uint32_t words = (filter->part_count + 31) / 32, *rows = filter->rows;
    if (rows)
        return has(rows + p * words, q) || has(rows + q * words, p);
    bool wanted = false;
    for (uint32_t i = 0; i < filter->pair_count; i++) {
        const graze_part_sets *sets = &filter->pairs[i];
        wanted |= (has(sets->a, p) && has(sets->b, q)) || (has(sets->a, q) && has(sets->b, p));
    }
    return wanted;
}

static void put_wanted(answers *to, const answers *all, const ways_scene *s)
{
    for (size_t i = 0; i < all->count; i++) {
        const uint32_t *pair = record_of(all, i);
        if (is_wanted(&s->filter, graze_model_triangle_part(s->models[0], pair[0]),
                      graze_model_triangle_part(s->models[0], pair[1])))
            answers_put(to, pair, WAYS_WORDS);
    }
}

static void put_earliest(answers *to, const answers *all)
{
    graze_impact impact, earliest = {.found = false};
    for (size_t i = 0; i < all->count; i++) {
        memcpy(&impact, record_of(all, i), sizeof impact);
        earliest = graze_impact_is_earlier(&impact, &earliest) ? impact : earliest;
    }
    put_items(to, IMPACT, &earliest, 1);
}

/* Gives triangles of twins that were cut the numbers of the whole. */
static void rename_triangles(const ways_scene *s, ways_question question, answers *list)
{
    static const size_t first[] = {[PAIR] = offsetof(graze_pair, a),
                                   [HIT] = offsetof(graze_hit, triangle),
                                   [TRIANGLE] = 0,
                                   [CONTACT] = offsetof(graze_contact, triangles),
                                   [IMPACT] = offsetof(graze_impact, triangles),
                                   [NEAREST] = offsetof(graze_nearest, pair)};
    uint32_t item = ways_rows[question].item;
    bool of_one = question == ASK_self_pairs || question == ASK_self_pairs_filter ||
                  (s->about.sweeps_itself && (question == ASK_sweep || question == ASK_sweep_all));
    bool of_two = item != HIT && item != TRIANGLE;
    for (size_t i = 0; i < list->count && s->names[0] && item <= NEAREST; i++) {
        uint32_t *words = list->words + i * WAYS_WORDS + first[item] / sizeof(uint32_t);
        if ((item == HIT || item == NEAREST || item == IMPACT) && !ways_found(list, i))
            continue;
        words[0] = s->names[0][words[0]];
        if (of_two && words[1] != GRAZE_NONE)
            words[1] = s->names[of_one ? 0 : 1][words[1]];
    }
}

/* Adds what is found by brute force, if there is such a way. */
static void ask_twins(ways_scene *s, ways_question question, answers *to)
{
    const ways_row *row = &ways_rows[question];
    graze_options options = {.method = GRAZE_BRUTE};
    graze_error error = {.text = ""};
    OWN(ways_answer) answer = {0};
    if (!ways_supports(question, &options))
        options.method = GRAZE_LAZY;
    ways_begin(&answer, question, WAYS_CALLBACK, 0);
    bool flushes = s->keeps_denormals && test_flush_denormals(false);
    graze_status status = ways_ask(s, &s->twins, &answer, &options, &error);
    if (flushes)
        test_flush_denormals(true);
    CHECK_MSG(!status, "%s: the reference of %s: %s", s->label, row->name, error.text);
    ways_end(&answer);
    rename_triangles(s, question, &answer.found);
    ways_join(to, &answer.found);
}

const answers *ways_reference(ways_scene *s, ways_question question, bool only_new)
{
    const ways_row *row = &ways_rows[question];
    answers *list = &s->references[question][only_new];
    if (s->known[question][only_new])
        return list;
    s->known[question][only_new] = true;
    if (question == ASK_cull)
        graze_body_drop_caches(s->twins.all[0]);
    if (!only_new && question == ASK_self_pairs_filter)
        put_wanted(list, ways_reference(s, ASK_self_pairs, false), s);
    else if (!only_new)
        ask_twins(s, question, list);
    else if (row->singles)
        put_earliest(list, ways_reference(s, row->all, true));
    else
        put_new(list, ways_reference(s, question, false), row->item);
    return list;
}

/* Whether the list of all answers has a record that starts with these words, for other arguments:
 * one ray or one distance.
 */
static bool twins_have(ways_scene *s, ways_question all, const graze_ray *ray, double distance,
                       const uint32_t *words, uint32_t count)
{
    const ways_arguments about = s->about;
    OWN(answers) list = {0};
    s->about.rays[0] = *ray;
    s->about.within = distance;
    ask_twins(s, all, &list);
    s->about = about;
    bool has = answers_have(&list, words, count);
    return has;
}

/* Whether it is one that could be found, by the ray of that number or otherwise. */
static bool is_one_of(ways_scene *s, ways_question question, bool only_new, size_t number,
                      const uint32_t *record)
{
    const ways_row *row = &ways_rows[question];
    const graze_ray *ray = &s->about.rays[number];
    graze_nearest near;
    if (row->item == HIT)
        return twins_have(s, row->all, ray, 0, record, WAYS_WORDS);
    if (row->item != NEAREST)
        return answers_have(ways_reference(s, row->all, only_new), record, WAYS_WORDS);
    memcpy(&near, record, sizeof near);
    double nearer = nextafter(near.distance, 0);
    const uint32_t pair[3] = {near.pair.a, near.pair.b, 0};
    return near.distance <= s->about.limit &&
           twins_have(s, row->all, ray, near.distance, pair, 3) &&
           (near.distance <= 0 || !twins_have(s, row->all, ray, nearer, pair, 3));
}

static size_t count_touched(ways_scene *s, const graze_shape *shape)
{
    graze_triangle_list list = {0};
    bool flushes = s->keeps_denormals && test_flush_denormals(false);
    CHECK(
        !graze_touch(s->twins.all[0], shape, &list, &(graze_options){.method = GRAZE_BRUTE}, NULL));
    if (flushes)
        test_flush_denormals(true);
    return list.total;
}

/* What is outside touches nothing of the region, what is inside all of it. */
static bool is_true_side(ways_scene *s, const answers *found)
{
    const float origin[3] = {0, 0, 0};
    const graze_shape everything = graze_shape_sphere(origin, 9e17f);
    graze_side side;
    memcpy(&side, record_of(found, 0), sizeof side);
    size_t touched = count_touched(s, &s->about.region);
    return (side != GRAZE_OUTSIDE || touched == 0) &&
           (side != GRAZE_INSIDE || touched == count_touched(s, &everything));
}

/* The bounds that are there decide: the answer is that of a body that was never asked anything, or
 * of one that knows all its bounds.
 */
static bool is_definite_side(ways_scene *s, const answers *found)
{
    OWN(answers) best = {0};
    graze_body_refit_all(s->twins.all[0]);
    ask_twins(s, ASK_cull, &best);
    graze_body_drop_caches(s->twins.all[0]);
    bool same = answers_equal(&best, found, NULL);
    return same;
}

bool ways_is_right(ways_scene *s, ways_question question, const graze_options *options,
                   const answers *found)
{
    const ways_row *row = &ways_rows[question];
    bool only_new = options && options->only_new;
    const answers *expected = ways_reference(s, question, only_new);
    if (question == ASK_cull && (s->has_other_trees || !is_true_side(s, found)))
        return is_true_side(s, found); /* another tree, other bounds */
    if (!options || !options->any || row->has_one_answer)
        return answers_equal(expected, found, NULL) ||
               (question == ASK_cull && is_definite_side(s, found));
    if (!row->singles)
        return found->count == (expected->count > 0) && ways_are_all_in(found, expected);
    bool ok = found->count == expected->count;
    for (size_t i = 0; i < expected->count && ok; i++)
        ok = ways_found(found, i) == ways_found(expected, i) &&
             (!ways_found(found, i) || is_one_of(s, question, only_new, i, record_of(found, i)));
    return ok;
}

bool ways_is_part(ways_scene *s, ways_question question, const answers *found)
{
    const ways_row *row = &ways_rows[question];
    if (!row->singles)
        return ways_are_all_in(found, ways_reference(s, question, false));
    bool ok = true;
    for (size_t i = 0; i < found->count && ok && !row->has_one_answer; i++)
        ok = !ways_found(found, i) || is_one_of(s, question, false, i, record_of(found, i));
    return ok;
}

double ways_measure(ways_question question, const answers *found)
{
    uint32_t item = ways_rows[question].item;
    graze_nearest nearest;
    graze_hit hit;
    graze_impact impact;
    memcpy(&nearest, record_of(found, 0), sizeof nearest);
    memcpy(&hit, record_of(found, 0), sizeof hit);
    memcpy(&impact, record_of(found, 0), sizeof impact);
    if (!ways_found(found, 0))
        return INFINITY;
    return item == NEAREST ? nearest.distance : (double)(item == HIT ? hit.t : impact.time);
}
