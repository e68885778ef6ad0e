/* Where two characters stand. */
#include "bench/pair_bench.h"

/* By how much of the clip the second is ahead; deep inside each other they are alike. */
static const double ahead = 0.4, deep_ahead = 0.05;

static const float deep_shift = 0.002f;  /* of the size, along x and z */
static const float deep_turn = 0.02f;    /* radians, about y */
static const float touch_depth = 0.002f; /* of the size */

/* Turned about the middle of the model, which is moved by `shift` along x and z. */
static void set_placement(queries_actor *actor, float turn, float shift)
{
    const bench_bounds *box = &actor->subject->box;
    float cosine = cosf(turn), sine = sinf(turn);
    const float rotation[3][3] = {{cosine, 0, sine}, {0, 1, 0}, {-sine, 0, cosine}};
    for (int r = 0; r < 3; r++) {
        float *row = actor->placement + 4 * r;
        row[3] = 0.5f * (box->low[r] + box->high[r]) + (r == 1 ? 0 : shift);
        for (int c = 0; c < 3; c++) {
            row[c] = rotation[r][c];
            row[3] -= rotation[r][c] * (0.5f * (box->low[c] + box->high[c]));
        }
    }
    actor->placed = true;
}

static bool meet_at(pair_bench *pair, int axis, float shift)
{
    static const graze_options any = {.any = true};
    pair->actors[1].placement[4 * axis + 3] = shift;
    return queries_pairs(pair->actors, &any) > 0;
}

/* From where the boxes are apart, in steps of 1 % of the size towards each other, and half of one
 * again and again. False if the second has passed the first.
 */
static bool approach(pair_bench *pair, int axis)
{
    float size = pair->subject->size, start = pair->actors[1].placement[4 * axis + 3];
    bench_bounds a = queries_box(&pair->actors[0]), b = queries_box(&pair->actors[1]);
    float apart = start + a.high[axis] - b.low[axis] + 0.001f * size, meeting = apart;
    float past = start + a.low[axis] - b.high[axis];
    for (int step = 0; !meet_at(pair, axis, meeting); step++) {
        if (meeting < past || step > 1000)
            return false;
        apart = meeting;
        meeting -= 0.01f * size;
    }
    for (int i = 0; i < 20; i++) {
        float middle = 0.5f * (apart + meeting);
        *(meet_at(pair, axis, middle) ? &meeting : &apart) = middle;
    }
    pair->actors[1].placement[4 * axis + 3] = meeting - touch_depth * size;
    return true;
}

static void sample(pair_bench *pair, pair_place where, uint32_t frame, uint32_t frame_count)
{
    const graze_rig *rig = pair->subject->rig;
    uint32_t clip = rig->clip_count ? 0 : GRAZE_NONE;
    double seconds = rig->clip_count ? rig->clips[0].seconds : 0;
    double time = seconds * (frame + 0.5) / frame_count;
    queries_sample(&pair->actors[0], clip, time);
    queries_sample(&pair->actors[1], clip,
                   time + (where == PAIR_DEEP ? deep_ahead : ahead) * seconds);
}

/* Aside, at its height and a little along z. */
static void put_aside(queries_actor *actor, float x)
{
    actor->aside[0] = 0;
    actor->aside[1] = 0.1f * actor->subject->size;
    queries_place(actor, x);
}

/* Side by side or one before the other; where they would pass each other, a flat sheet aside of
 * another or one that a clip carries away, face to face, then with their boxes level.
 */
static bool touch(pair_bench *pair, int axis)
{
    queries_actor *a = &pair->actors[0], *b = &pair->actors[1];
    set_placement(b, 0, 0);
    if (axis == 0) {
        put_aside(b, 0);
        if (approach(pair, axis))
            return true;
        pair->how = "face to face, as they miss each other aside";
        set_placement(b, 0, 0);
    }
    if (approach(pair, axis))
        return true;
    pair->how = "set level, as they miss each other";
    set_placement(b, 0, 0);
    for (int k = 0; k < 3; k++)
        if (k != axis)
            b->placement[4 * k + 3] += queries_level(a, b, k);
    return approach(pair, axis);
}

static bool place(pair_bench *pair, pair_place where)
{
    queries_actor *a = &pair->actors[0], *b = &pair->actors[1];
    float size = pair->subject->size;
    if (where == PAIR_BEFORE || where == PAIR_TOUCHING)
        return touch(pair, where == PAIR_BEFORE ? 2 : 0);
    set_placement(b, where == PAIR_DEEP ? deep_turn : 0,
                  where == PAIR_DEEP ? deep_shift * size : 0);
    if (where == PAIR_DEEP && !queries_boxes_overlap(a, b)) {
        pair->how = "set level, as they miss each other";
        for (int k = 0; k < 3; k++)
            b->placement[4 * k + 3] += queries_level(a, b, k) + (k == 1 ? 0 : deep_shift * size);
    }
    if (where == PAIR_NEAR) {
        queries_place(b, queries_near(a, b));
        pair->how = b->how;
    }
    if (where == PAIR_APART) {
        put_aside(b, 0);
        queries_place(b, queries_beside(a, b) + 0.05f * size);
    }
    return true;
}

bool pair_stage(pair_bench *pair, pair_place where, uint32_t frame, uint32_t frame_count,
                const float placement[12])
{
    pair->how = NULL;
    sample(pair, where, frame, frame_count);
    if (!placement && !place(pair, where))
        return false;
    if (placement)
        memcpy(pair->actors[1].placement, placement, sizeof pair->actors[1].placement);
    pair->actors[1].placed = true;
    pair->boxes = queries_boxes_overlap(&pair->actors[0], &pair->actors[1]);
    return true;
}

void pair_aim(pair_bench *pair, uint32_t seed)
{
    queries_box(&pair->actors[0]);
    for (uint32_t i = 0; i < PAIR_RAYS; i++)
        pair->rays[i] = queries_aim(&pair->actors[0], &seed);
}
