/* Reads a recording, record by record, and does again what is in it. Nothing of the file is
 * trusted: what a record announces must be in it, and what it names must be there.
 */
#include "base/memory.h"
#include "base/status.h"
#include "record/calls.h"

#include <graze/ext/record.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A question that was asked again. */
typedef struct asked {
    uint64_t number; /* of the call */
    const grazei_kind *kind;
    bool any, answered; /* its recorded answer was read */
    grazei_tally tally;
} asked;

typedef struct replay {
    graze_allocator allocator;
    const graze_replay_options *options;
    graze_replay_report *report;
    graze_read_fn read;
    void *user;
    grazei_words record;
    graze_model **models; /* by their numbers, less 1; NULL: freed */
    graze_body **bodies;
    asked *questions;
    size_t model_count, body_count, question_count;
    size_t model_capacity, body_capacity, question_capacity;
    bool ended;
    graze_error *error;
} replay;

typedef graze_status (*repeat_fn)(replay *r, grazei_entry entry, grazei_taken *words);

static graze_status damaged(replay *r)
{
    return grazei_fail(r->error, GRAZE_BAD_INPUT, "the recording is damaged after call %llu",
                       (unsigned long long)r->report->calls);
}

/* What was refused then is refused now. */
static graze_status unless_memory(replay *r, graze_status status)
{
    return status == GRAZE_OUT_OF_MEMORY ? grazei_fail_memory(r->error) : GRAZE_OK;
}

static graze_body **find_body(replay *r, grazei_taken *words, uint32_t number)
{
    graze_body **body = number && number <= r->body_count ? &r->bodies[number - 1] : NULL;
    words->bad |= !body || !*body;
    return body;
}

/* ---- models --------------------------------------------------------------------------------- */

static graze_model_def def_of(replay *r, const grazei_model_words *m, const void *const *arrays)
{
    graze_isa isa = (graze_isa)m->isa;
    graze_model_def def = {0};
    def.allocator = &r->allocator;
    def.vertex_count = m->vertices;
    def.triangle_count = m->triangles;
    def.joint_count = m->joints;
    def.part_count = m->parts;
    def.morph_count = m->targets;
    def.positions = arrays[0];
    def.triangles = arrays[1];
    def.influence_offsets = arrays[2];
    def.influences = arrays[3];
    def.vertex_parts = arrays[5];
    def.triangle_parts = arrays[6];
    def.rest_matrices = arrays[7];
    def.rest_weights = arrays[8];
    def.skinning = (graze_skinning)m->skinning;
    def.no_self_collision = m->no_self_collision != 0;
    def.tree = (graze_tree_def){.volume = (graze_volume)m->volume,
                                .refit = (graze_refit)m->refit,
                                .patch_triangles = m->patch_triangles,
                                .arity = m->arity,
                                .collapse = m->collapse,
                                .contact_level = m->contact_level};
    def.isa = graze_isa_available(isa) ? isa : GRAZE_ISA_BEST;
    return def;
}

/* Offsets of count things that ascend from 0 to the end. */
static bool are_offsets(const uint32_t *offsets, uint32_t count, uint32_t last)
{
    bool good = !count || (offsets[0] == 0 && offsets[count] == last);
    for (uint32_t i = 0; i < count && good; i++)
        good = offsets[i] <= offsets[i + 1];
    return good;
}

static bool is_vertex_as_kept(const graze_model_def *def, const uint32_t *welds, uint32_t v)
{
    const uint32_t *offsets = def->influence_offsets;
    const float *a = def->positions + 3 * (size_t)v, *b = def->positions + 3 * (size_t)welds[v];
    bool good = welds[v] <= v && welds[welds[v]] == welds[v] && a[0] == b[0] && a[1] == b[1] &&
                a[2] == b[2];
    double sum = 0;
    for (uint32_t i = offsets[v]; i < offsets[v + 1]; i++) {
        const graze_influence *own = &def->influences[i];
        sum += (double)own->weight;
        good &= own->weight > 0 && (i == offsets[v] || own->joint > own[-1].joint);
    }
    return good && fabs(sum - 1) < 1e-6 * (offsets[v + 1] - offsets[v]);
}

/* What is so only of models that were made before: weights add up to 1, and so on. */
static bool is_as_kept(const grazei_model_words *m, const graze_model_def *def,
                       const void *const *arrays)
{
    const uint32_t *welds = arrays[4];
    bool good = are_offsets(def->influence_offsets, m->vertices, m->influences) &&
                are_offsets(arrays[9], m->targets, m->deltas);
    for (uint32_t v = 0; v < m->vertices && good; v++)
        good = welds[v] <= v && is_vertex_as_kept(def, welds, v);
    return good;
}

static graze_status make_model(replay *r, const grazei_model_words *m, graze_model_def *def,
                               const void *const *arrays, graze_model **model)
{
    const uint32_t *offsets = arrays[9], *vertices = arrays[10];
    const float *deltas = arrays[11];
    graze_morph_target *morphs = GRAZEI_ALLOCATE(&r->allocator, m->targets, graze_morph_target);
    if (!morphs)
        return grazei_fail_memory(r->error);
    for (uint32_t k = 0; k < m->targets; k++) {
        size_t first = offsets[k], count = offsets[k + 1] - first;
        morphs[k] = (graze_morph_target){count ? vertices + first : NULL,
                                         count ? deltas + 3 * first : NULL, (uint32_t)count};
    }
    def->morphs = morphs;
    graze_status status = grazei_model_remake(def, arrays[4], model, r->error);
    grazei_release(&r->allocator, morphs);
    return status;
}

/* Takes the arrays of a model. Parts take memory with nothing in the file: they are not many more
 * than what is.
 */
static void take_arrays(grazei_taken *words, const grazei_model_words *m, const void **arrays)
{
    uint64_t counts[GRAZEI_MODEL_ARRAYS];
    words->bad |= m->parts > 65536 + 16 * (uint64_t)words->left;
    words->bad |= !m->vertices || !m->triangles || !m->influences || m->joints > UINT16_MAX;
    grazei_model_counts(m, counts);
    for (int i = 0; i < GRAZEI_MODEL_ARRAYS; i++)
        arrays[i] = grazei_take_many(words, counts[i]);
}

static graze_status repeat_model(replay *r, grazei_entry entry, grazei_taken *words)
{
    grazei_model_words numbers = {.vertices = 0};
    const void *arrays[GRAZEI_MODEL_ARRAYS];
    const void *from = grazei_take_many(words, GRAZEI_MODEL_NUMBERS);
    (void)entry;
    if (from)
        memcpy(&numbers, from, sizeof numbers);
    take_arrays(words, &numbers, arrays);
    graze_model_def def = def_of(r, &numbers, arrays);
    if (words->bad || !is_as_kept(&numbers, &def, arrays))
        return damaged(r);
    graze_model **models = grazei_grow(&r->allocator, r->models, &r->model_capacity,
                                       r->model_count + 1, sizeof *models);
    if (!models)
        return grazei_fail_memory(r->error);
    r->models = models;
    graze_status status = make_model(r, &numbers, &def, arrays, &models[r->model_count]);
    r->model_count += !status;
    return status && status != GRAZE_OUT_OF_MEMORY ? damaged(r) : status;
}

/* ---- lives ---------------------------------------------------------------------------------- */

static graze_status make_body(replay *r, const graze_model *model)
{
    graze_body **bodies =
        grazei_grow(&r->allocator, r->bodies, &r->body_capacity, r->body_count + 1, sizeof *bodies);
    if (!bodies)
        return grazei_fail_memory(r->error);
    r->bodies = bodies;
    graze_status status = graze_body_create(model, &bodies[r->body_count], r->error);
    r->body_count += !status;
    return status;
}

/* A body is made or freed, or a model freed. */
static graze_status repeat_life(replay *r, grazei_entry entry, grazei_taken *words)
{
    uint32_t number = grazei_take(words);
    if (entry == GRAZEI_ENTRY_BODY_FREED) {
        graze_body **body = find_body(r, words, number);
        if (words->bad)
            return damaged(r);
        graze_body_destroy(*body);
        *body = NULL;
        return GRAZE_OK;
    }
    if (!number || number > r->model_count || !r->models[number - 1])
        return damaged(r);
    if (entry == GRAZEI_ENTRY_BODY)
        return make_body(r, r->models[number - 1]);
    graze_model_destroy(r->models[number - 1]);
    r->models[number - 1] = NULL;
    return GRAZE_OK;
}

static graze_status repeat_change(replay *r, grazei_entry entry, grazei_taken *words)
{
    graze_body **body = find_body(r, words, grazei_take(words));
    const uint32_t a = grazei_take(words), b = grazei_take(words), c = grazei_take(words);
    const bool posed = entry == GRAZEI_ENTRY_POSE;
    const uint64_t count = posed                             ? 12 * (uint64_t)a
                           : entry == GRAZEI_ENTRY_POSITIONS ? 3 * (uint64_t)a
                           : entry == GRAZEI_ENTRY_MASK      ? ((uint64_t)a + 31) / 32
                                                             : a;
    const void *array = grazei_take_many(words, count);
    graze_pose pose = {.joints = array, .joint_count = a, .morph_count = b};
    pose.placement = grazei_take_many(words, posed && c ? 12 : 0);
    pose.morph_weights = grazei_take_many(words, posed ? b : 0);
    if (words->bad)
        return damaged(r);
    graze_status status = GRAZE_OK;
    if (posed)
        status = graze_body_set_pose(*body, &pose, NULL);
    else if (entry == GRAZEI_ENTRY_WEIGHTS)
        status = graze_body_set_morph_weights(*body, array, a, b != 0, NULL);
    else if (entry == GRAZEI_ENTRY_POSITIONS)
        status = graze_body_set_positions(*body, array, 0, a, NULL);
    else if (entry == GRAZEI_ENTRY_MASK)
        status = graze_body_set_part_mask(*body, array, a, NULL);
    else
        graze_body_drop_caches(*body);
    return unless_memory(r, status);
}

/* ---- questions ------------------------------------------------------------------------------ */

static void tell(replay *r, const char *name)
{
    if (r->options->before)
        r->options->before(r->options->user, r->report->calls, name);
}

static void hear_answer(grazei_heard *base, const grazei_call *call)
{
    (void)call;
    grazei_sum_up((grazei_listened *)base);
}

/* All that a call points to is there but where a single answer goes. */
static graze_status ask_call(replay *r, grazei_question_read *q, asked *made)
{
    static const graze_pair_list empty = {.items = NULL}; /* as all lists are */
    grazei_call *call = &q->call;
    grazei_listened listened;
    size_t size = call->kind == &grazei_cast_many_kind ? call->about.ray_count * sizeof(graze_hit)
                                                       : call->kind->answer_size;
    graze_pair_list list = empty;
    call->answer = call->kind->list ? &list : grazei_allocate_zero(&r->allocator, size, 1);
    if (!call->answer)
        return grazei_fail_memory(r->error);
    grazei_listen_to(&listened, call);
    listened.base.answered = hear_answer;
    listened.whole = true;
    call->heard = &listened.base;
    graze_status status = grazei_ask(call, &q->options, NULL);
    if (call->heard) /* it was refused */
        listened.tally.status = (uint32_t)status;
    made->tally = listened.tally;
    if (!call->kind->list)
        grazei_release(&r->allocator, call->answer);
    return unless_memory(r, status);
}

/* Makes motions, the sets of a filter and a finder. */
static graze_status ask_question(replay *r, grazei_question_read *q, asked *made)
{
    grazei_call *call = &q->call;
    uint32_t pairs = q->filter.rows ? 0 : q->filter.pair_count;
    size_t size = ((size_t)q->filter.part_count + 31) / 32;
    graze_motion a = {.start = call->bodies[0], .end = call->bodies[1]};
    graze_motion b = {.start = call->bodies[2], .end = call->bodies[3]};
    graze_part_sets *sets = GRAZEI_ALLOCATE(&r->allocator, pairs, graze_part_sets);
    bool alone = q->alone && call->body_count == 4;
    graze_contact_finder *finder = NULL;
    graze_status status = sets ? GRAZE_OK : grazei_fail_memory(r->error);
    for (size_t i = 0; i < pairs && sets; i++)
        sets[i] = (graze_part_sets){q->bits + 2 * i * size, q->bits + (2 * i + 1) * size};
    q->filter.pairs = sets;
    if (call->body_count == 2 && q->shape_count == 2)
        b = (graze_motion){.from = &q->shapes[0], .to = &q->shapes[1]};
    call->about.motions[0] = &a;
    call->about.motions[1] = alone ? NULL : &b;
    if (alone)
        memcpy(&call->bodies[2], call->bodies, 2 * sizeof *call->bodies);
    q->finder.allocator = &r->allocator;
    if (call->kind == &grazei_contacts_kind && !status)
        status = graze_contact_finder_create(grazei_body_model(call->bodies[0]),
                                             grazei_body_model(call->bodies[1]), &q->finder,
                                             &finder, r->error);
    call->about.finder = finder;
    if (!status)
        status = ask_call(r, q, made);
    graze_contact_finder_destroy(finder);
    grazei_release(&r->allocator, sets);
    return status;
}

static graze_status repeat_question(replay *r, grazei_entry entry, grazei_taken *words)
{
    grazei_question_read q;
    (void)entry;
    bool good = grazei_take_call(words, &q);
    for (uint32_t i = 0; i < q.call.body_count && good; i++) {
        graze_body **body = find_body(r, words, q.bodies[i]);
        q.call.bodies[i] = words->bad ? NULL : *body;
    }
    if (!good || words->bad)
        return damaged(r);
    asked *questions = grazei_grow(&r->allocator, r->questions, &r->question_capacity,
                                   r->question_count + 1, sizeof *questions);
    if (!questions)
        return grazei_fail_memory(r->error);
    r->questions = questions;
    asked *made = &questions[r->question_count++];
    *made = (asked){.number = r->report->calls, .kind = q.call.kind, .any = q.options.any};
    tell(r, made->kind->name);
    return ask_question(r, &q, made);
}

/* Questions may end in another order than they began. */
static void note_difference(graze_replay_report *report, const asked *made,
                            const grazei_tally *recorded)
{
    report->differences++;
    if (report->first && report->first < made->number)
        return;
    report->first = made->number;
    report->name = made->kind->name;
    snprintf(report->text, sizeof report->text,
             "recorded %s, %lld found, hash %016llx; now %s, %lld found, hash %016llx",
             graze_status_name((graze_status)recorded->status), (long long)recorded->count,
             (unsigned long long)recorded->hash,
             graze_status_name((graze_status)made->tally.status), (long long)made->tally.count,
             (unsigned long long)made->tally.hash);
}

static graze_status repeat_answer(replay *r, grazei_entry entry, grazei_taken *words)
{
    uint64_t question = grazei_take_wide(words);
    grazei_tally recorded = {.status = grazei_take(words)};
    (void)entry;
    recorded.partial = grazei_take(words);
    recorded.count = grazei_take_wide(words);
    recorded.hash = grazei_take_wide(words);
    if (words->bad || question >= r->question_count || r->questions[question].answered)
        return damaged(r);
    asked *made = &r->questions[question];
    made->answered = true;
    if (grazei_tallies_differ(made->kind, made->any, &recorded, &made->tally))
        note_difference(r->report, made, &recorded);
    return GRAZE_OK;
}

static graze_status repeat_end(replay *r, grazei_entry entry, grazei_taken *words)
{
    (void)entry, (void)words;
    r->ended = true;
    return GRAZE_OK;
}

/* ---- records -------------------------------------------------------------------------------- */

static const struct {
    repeat_fn repeat;
    const char *name; /* of the call; NULL: it is none, or tells its own */
} entries[GRAZEI_ENTRY_COUNT] = {
    [GRAZEI_ENTRY_MODEL] = {repeat_model, "graze_model_create"},
    [GRAZEI_ENTRY_MODEL_FREED] = {repeat_life, "graze_model_destroy"},
    [GRAZEI_ENTRY_BODY] = {repeat_life, "graze_body_create"},
    [GRAZEI_ENTRY_BODY_FREED] = {repeat_life, "graze_body_destroy"},
    [GRAZEI_ENTRY_POSE] = {repeat_change, "graze_body_set_pose"},
    [GRAZEI_ENTRY_WEIGHTS] = {repeat_change, "graze_body_set_morph_weights"},
    [GRAZEI_ENTRY_POSITIONS] = {repeat_change, "graze_body_set_positions"},
    [GRAZEI_ENTRY_MASK] = {repeat_change, "graze_body_set_part_mask"},
    [GRAZEI_ENTRY_CACHES] = {repeat_change, "graze_body_drop_caches"},
    [GRAZEI_ENTRY_QUESTION] = {repeat_question, NULL},
    [GRAZEI_ENTRY_ANSWER] = {repeat_answer, NULL},
    [GRAZEI_ENTRY_END] = {repeat_end, NULL}};

/* False at the end of the file. */
static bool read_words(replay *r, uint32_t *to, size_t count)
{
    if (r->read(r->user, to, count * sizeof *to) != count * sizeof *to)
        return false;
    grazei_turn_words(to, count);
    return true;
}

/* So many words as are really there take memory, whatever is announced. False at the end. */
static bool read_record(replay *r, size_t count)
{
    uint32_t some[1024];
    r->record.count = 0;
    while (r->record.count < count && !r->record.failed) {
        size_t left = count - r->record.count, next = left < 1024 ? left : 1024;
        if (!read_words(r, some, next))
            return false;
        grazei_put_many(&r->record, some, next);
    }
    return true;
}

static graze_status repeat(replay *r, const uint32_t head[GRAZEI_ENTRY_HEAD])
{
    grazei_entry entry = (grazei_entry)head[0];
    grazei_taken words = {r->record.at, r->record.count, false};
    if (grazei_checksum(head[0], words.at, words.left) != head[2])
        return damaged(r);
    r->report->calls += entry < GRAZEI_ENTRY_ANSWER;
    if (entries[entry].name)
        tell(r, entries[entry].name);
    graze_status status = entries[entry].repeat(r, entry, &words);
    return !status && words.left ? damaged(r) : status;
}

static graze_status repeat_all(replay *r)
{
    graze_status status = GRAZE_OK;
    uint32_t head[GRAZEI_ENTRY_HEAD];
    bool enough = false;
    while (!r->ended && !status && !enough) {
        if (!read_words(r, head, GRAZEI_ENTRY_HEAD))
            break;
        if (!head[0] || head[0] >= GRAZEI_ENTRY_COUNT)
            return damaged(r);
        if (!read_record(r, head[1]))
            break;
        status = r->record.failed ? grazei_fail_memory(r->error) : repeat(r, head);
        enough = r->options->stop_at_first && r->report->first;
    }
    r->report->truncated = !status && !r->ended && !enough;
    for (size_t i = 0; i < r->question_count && !enough; i++)
        r->report->unanswered += !r->questions[i].answered;
    return status;
}

static graze_status read_head(replay *r)
{
    static const uint32_t name[] = {GRAZEI_FILE_NAME};
    uint32_t head[GRAZEI_FILE_HEAD];
    if (!read_words(r, head, GRAZEI_FILE_HEAD) || memcmp(head, name, sizeof name) != 0)
        return grazei_fail(r->error, GRAZE_BAD_INPUT, "this is no recording");
    if (head[2] != GRAZEI_FILE_VERSION)
        return grazei_fail(r->error, GRAZE_BAD_INPUT, "the recording is of version %u, not %d",
                           head[2], GRAZEI_FILE_VERSION);
    return GRAZE_OK;
}

static void release(replay *r)
{
    for (size_t i = 0; i < r->body_count; i++)
        graze_body_destroy(r->bodies[i]);
    for (size_t i = 0; i < r->model_count; i++)
        graze_model_destroy(r->models[i]);
    grazei_release(&r->allocator, r->bodies);
    grazei_release(&r->allocator, r->models);
    grazei_release(&r->allocator, r->questions);
    const graze_allocator usual = graze_default_allocator();
    grazei_release(&usual, r->record.at);
}

graze_status graze_replay(graze_read_fn read, void *user, const graze_replay_options *options,
                          graze_replay_report *report, graze_error *error)
{
    static const graze_replay_options plainly = {.allocator = NULL};
    if (!read || !report)
        return grazei_fail(error, GRAZE_BAD_INPUT, "read or the report is NULL");
    *report = (graze_replay_report){.calls = 0};
    replay r = {.options = options ? options : &plainly,
                .report = report,
                .read = read,
                .user = user,
                .error = error};
    graze_status status = GRAZEI_CHECK_RESERVED(r.options, "the options", error);
    if (status)
        return status;
    r.allocator = r.options->allocator ? *r.options->allocator : graze_default_allocator();
    status = read_head(&r);
    if (!status)
        status = repeat_all(&r);
    report->questions = r.question_count;
    release(&r);
    return status;
}
