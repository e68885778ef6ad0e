/* What one query of a pair of bodies leaves for the next: where they met. */
#include "pairs/history.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/patches.h"
#include "narrow/triangle.h"

#include <string.h>

struct graze_history {
    const graze_model *models[2];
    bool taken; /* by a query under way, or by one question of a batch */
    bool has_hint;
    grazei_pair_item hint; /* leaves where a hit was found */
    graze_pair hit;        /* that hit */
    grazei_pair_fn report; /* of the query under way */
    void *user;
};

graze_status graze_history_create(const graze_model *a, const graze_model *b,
                                  graze_history **history, graze_error *error)
{
    graze_status status = grazei_check_pointer(a, "model a", error);
    if (!status)
        status = grazei_check_pointer(b, "model b", error);
    if (!status)
        status = grazei_check_pointer(history, "where the history goes", error);
    if (status)
        return status;
    graze_history *made = GRAZEI_ALLOCATE_ZERO(&a->allocator, 1, graze_history);
    if (!made)
        return grazei_fail_memory(error);
    made->models[0] = grazei_model_hold(a);
    made->models[1] = grazei_model_hold(b);
    *history = made;
    return GRAZE_OK;
}

void graze_history_destroy(graze_history *history)
{
    if (!history)
        return;
    const graze_model *a = history->models[0], *b = history->models[1];
    grazei_release(&a->allocator, history);
    grazei_model_let_go(b);
    grazei_model_let_go(a);
}

graze_status grazei_history_check(const graze_history *history, const graze_body *a,
                                  const graze_body *b, graze_error *error)
{
    bool other_a = grazei_body_model(a) != history->models[0];
    if (other_a || grazei_body_model(b) != history->models[1])
        return grazei_fail(error, GRAZE_BAD_INPUT, "body %s is not of the history's model",
                           other_a ? "a" : "b");
    if (history->taken)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the history is in use by another question");
    return GRAZE_OK;
}

bool grazei_history_take(graze_history *history, bool take)
{
    bool was_taken = history->taken;
    history->taken = take;
    return was_taken;
}

/* A triangle of a posed patch with its box. */
typedef struct single {
    float corners[3][4] __attribute__((aligned(16)));
    f4 low, high;
    uint32_t name;
} single;

static void load_single(const grazei_posed_patch *patch, uint32_t i, single *out)
{
    grazei_patch_triangle(patch, i, out->corners);
    f4 p = f4_load(out->corners[0]), q = f4_load(out->corners[1]), r = f4_load(out->corners[2]);
    out->low = f4_min(p, f4_min(q, r));
    out->high = f4_max(p, f4_max(q, r));
    out->name = patch->names[i];
}

/* Finds a triangle by its name; false: the patch has no such triangle. */
static bool find_single(const grazei_posed_patch *patch, uint32_t name, single *out)
{
    uint32_t i = 0;
    while (i < patch->triangle_count && patch->names[i] != name)
        i++;
    if (i < patch->triangle_count)
        load_single(patch, i, out);
    return i < patch->triangle_count;
}

static bool singles_meet(const single *a, const single *b, graze_stats *stats)
{
    float corners[2][3][3];
    if ((f4_ge_bits(a->high, b->low) & f4_ge_bits(b->high, a->low) & 7u) != 7u)
        return false;
    for (int c = 0; c < 3; c++) {
        memcpy(corners[0][c], a->corners[c], sizeof corners[0][c]);
        memcpy(corners[1][c], b->corners[c], sizeof corners[1][c]);
    }
    stats->triangle_tests++;
    return grazei_triangles_meet((const float(*)[3])corners[0], (const float(*)[3])corners[1]);
}

/* Whether the last hit still is one, or one of its triangles meets another one of the other's
 * patch: then nothing else has to be looked at.
 */
static bool still_meets(graze_history *history, graze_body *a, graze_body *b, graze_stats *stats)
{
    single hit[2], other;
    graze_body *const bodies[2] = {a, b};
    grazei_posed_patch patches[2];
    for (int side = 0; side < 2; side++) {
        grazei_view view = grazei_body_view(bodies[side]);
        if (!history->has_hint)
            return false;
        patches[side] = grazei_view_leaf(&view, history->hint.node[side], stats);
        if (!find_single(&patches[side], side ? history->hit.b : history->hit.a, &hit[side]))
            return false;
    }
    if (singles_meet(&hit[0], &hit[1], stats))
        return true;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < patches[side].triangle_count; i++) {
            load_single(&patches[side], i, &other);
            if (singles_meet(side ? &hit[0] : &other, side ? &other : &hit[1], stats)) {
                *(side ? &history->hit.b : &history->hit.a) = other.name;
                return true;
            }
        }
    return false;
}

/* A grazei_pair_fn; user is the history. */
static bool keep_hit(void *user, const graze_pair *pairs, size_t count)
{
    graze_history *history = user;
    history->hit = pairs[0];
    history->has_hint = true;
    bool was_taken = grazei_history_take(history, true);
    bool go_on = history->report(history->user, pairs, count);
    grazei_history_take(history, was_taken);
    return go_on;
}

void grazei_history_begin(graze_history *history, grazei_pair_question *question,
                          grazei_agenda *agenda, graze_body *a, graze_body *b,
                          grazei_pair_fn report, void *user, graze_stats *stats)
{
    history->report = report;
    history->user = user;
    if (still_meets(history, a, b, stats)) {
        grazei_pair_ask(question, a, b, true, keep_hit, history);
        grazei_agenda_start(agenda, false);
        keep_hit(history, &history->hit, 1);
        return;
    }
    grazei_pair_begin(question, agenda, a, b, true, keep_hit, history, stats);
    if (history->has_hint && agenda->count) {
        /* Leaves need no bounds of their own: they are compared by their posed patches. */
        const grazei_view views[2] = {grazei_body_view(a), grazei_body_view(b)};
        for (int side = 0; side < 2; side++)
            grazei_view_leaf(&views[side], history->hint.node[side], stats);
        agenda->items[agenda->count++].pair = history->hint;
    }
    history->has_hint = false;
    question->last_leaves = &history->hint;
}
