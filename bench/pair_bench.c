/* Where two characters stand. */
#include "bench/pair_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By how much of the clip the second is ahead; deep inside each other they are alike. */
static const double ahead = 0.4, deep_ahead = 0.05;

static const float deep_shift = 0.002f;   /* of the size, along x and z */
static const float deep_turn = 0.02f;     /* radians, about y */
static const float touch_depth = 0.002f;  /* of the size */
static const double slow_us = 40e3;       /* a library that takes longer runs less often */
static const double ours_slow_us = 120e3; /* the same of what is written here */

static void set_placement(queries_actor *actor, const float centre[3], float turn, float x, float z)
{
    float cosine = cosf(turn), sine = sinf(turn);
    const float rotation[3][3] = {{cosine, 0, sine}, {0, 1, 0}, {-sine, 0, cosine}};
    const float shift[3] = {x, 0, z};
    for (int r = 0; r < 3; r++) {
        float *row = actor->placement + 4 * r;
        row[3] = centre[r] + shift[r];
        for (int c = 0; c < 3; c++) {
            row[c] = rotation[r][c];
            row[3] -= rotation[r][c] * centre[c];
        }
    }
    actor->placed = true;
}

static bool meet_at(pair_bench *pair, int axis, float shift)
{
    bool hit = false;
    pair->actors[1].placement[4 * axis + 3] = shift;
    queries_pose_both(pair->actors);
    graze_collide_first(pair->actors[0].body, pair->actors[1].body, &hit, NULL, NULL, NULL);
    return hit;
}

/* From where the boxes are apart, in steps of 1 % of the size towards each other, and half of one
 * again and again. False if the second has passed the first.
 */
static bool approach(pair_bench *pair, int axis)
{
    float low[2][3], high[2][3], size = pair->subject->size;
    for (int i = 0; i < 2; i++)
        queries_box(&pair->actors[i], low[i], high[i]);
    float start = pair->actors[1].placement[4 * axis + 3];
    float apart = start + high[0][axis] - low[1][axis] + 0.001f * size, meeting = apart;
    float past = start + low[0][axis] - high[1][axis];
    for (int step = 0; !meet_at(pair, axis, meeting); step++) {
        if (meeting < past || step > 1000)
            return false;
        apart = meeting;
        meeting -= 0.01f * size;
    }
    for (int i = 0; i < 20; i++) {
        float middle = 0.5f * (apart + meeting);
        if (meet_at(pair, axis, middle))
            meeting = middle;
        else
            apart = middle;
    }
    pair->actors[1].placement[4 * axis + 3] = meeting - touch_depth * size;
    return true;
}

static bool sample(pair_bench *pair, pair_place where, uint32_t frame, uint32_t frame_count)
{
    const graze_rig *rig = pair->subject->rig;
    uint32_t clip = rig->clip_count ? 0 : GRAZE_NONE;
    double seconds = rig->clip_count ? (double)rig->clips[0].seconds : 0;
    double time = seconds * (frame + 0.5) / frame_count;
    return queries_sample(&pair->actors[0], clip, time) &&
           queries_sample(&pair->actors[1], clip,
                          time + (where == PAIR_DEEP ? deep_ahead : ahead) * seconds);
}

/* Side by side or one before the other; where they would pass each other, a flat sheet aside of
 * another or one that a clip carries away, face to face, then with their boxes level.
 */
static bool touch(pair_bench *pair, const float centre[3], int axis)
{
    queries_actor *a = &pair->actors[0], *b = &pair->actors[1];
    set_placement(b, centre, 0, 0, 0);
    if (axis == 0) {
        b->aside[0] = 0;
        b->aside[1] = 0.1f * pair->subject->size;
        queries_place(b, 0);
        if (approach(pair, axis))
            return true;
        pair->how = "face to face, as they miss each other aside";
        set_placement(b, centre, 0, 0, 0);
    }
    if (approach(pair, axis))
        return true;
    pair->how = "set level, as they miss each other";
    set_placement(b, centre, 0, 0, 0);
    for (int k = 0; k < 3; k++)
        if (k != axis)
            b->placement[4 * k + 3] += queries_level(a, b, k);
    return approach(pair, axis);
}

static bool place(pair_bench *pair, pair_place where)
{
    queries_actor *a = &pair->actors[0], *b = &pair->actors[1];
    float size = pair->subject->size, centre[3];
    for (int k = 0; k < 3; k++)
        centre[k] = 0.5f * (pair->subject->low[k] + pair->subject->high[k]);
    if (where == PAIR_DEEP) {
        set_placement(b, centre, deep_turn, deep_shift * size, deep_shift * size);
        if (queries_boxes_overlap(a, b))
            return true;
        pair->how = "set level, as they miss each other";
        for (int k = 0; k < 3; k++)
            b->placement[4 * k + 3] += queries_level(a, b, k) + (k == 1 ? 0 : deep_shift * size);
        return true;
    }
    if (where == PAIR_BEFORE || where == PAIR_TOUCHING)
        return touch(pair, centre, where == PAIR_BEFORE ? 2 : 0);
    set_placement(b, centre, 0, 0, 0);
    if (where == PAIR_NEAR) {
        queries_place(b, queries_near(a, b));
        pair->how = b->how;
        return true;
    }
    b->aside[0] = 0;
    b->aside[1] = 0.1f * size;
    queries_place(b, queries_beside(a, b) + 0.05f * size);
    return true;
}

bool pair_stage(pair_bench *pair, pair_place where, uint32_t frame, uint32_t frame_count)
{
    pair->how = NULL;
    if (!sample(pair, where, frame, frame_count) || !place(pair, where))
        return false;
    pair->boxes = queries_boxes_overlap(&pair->actors[0], &pair->actors[1]);
    return true;
}

bool pair_stage_at(pair_bench *pair, pair_place where, uint32_t frame, uint32_t frame_count,
                   const float placement[12])
{
    pair->how = NULL;
    if (!sample(pair, where, frame, frame_count))
        return false;
    memcpy(pair->actors[1].placement, placement, sizeof pair->actors[1].placement);
    pair->actors[1].placed = true;
    pair->boxes = queries_boxes_overlap(&pair->actors[0], &pair->actors[1]);
    return true;
}

void pair_aim(pair_bench *pair, uint32_t seed)
{
    float low[3], high[3];
    queries_box(&pair->actors[0], low, high);
    for (uint32_t i = 0; i < PAIR_RAYS; i++)
        pair->rays[i] = queries_aim(&pair->actors[0], &seed);
}

static bool can_answer(const pair_method *method, pair_question question)
{
    return method->way != PAIR_LIBRARY || (question == PAIR_RAY) == (method->collider == NULL);
}

void pair_begin(pair_bench *pair, const pair_case *what, pair_record *record)
{
    *record = (pair_record){.what = what, .min_pairs = SIZE_MAX};
    pair->question = what->question;
    uint32_t count = 0;
    for (uint32_t m = 0; m < pair->method_count; m++) {
        pair_method *method = &pair->methods[m];
        method->pairs = method->missing = method->extra = 0;
        if (!can_answer(method, what->question))
            continue;
        record->who[count] = method;
        record->methods[count] =
            (queries_method){.name = method->name, .run = pair_run, .user = method};
        if (what->question == PAIR_RAY && method->way == PAIR_GRAZE)
            record->methods[count].answers = PAIR_RAYS;
        count++;
    }
    record->entry = (queries_case){.table = "peers",
                                   .model = pair->subject->name,
                                   .name = what->name,
                                   .methods = record->methods,
                                   .method_count = count};
}

void pair_measure(pair_bench *pair, pair_record *record, uint32_t rounds)
{
    size_t before = record->who[0]->pairs;
    for (uint32_t m = 0; m < record->entry.method_count; m++) {
        pair->stats = m == 0 ? &record->stats : NULL;
        pair_check(pair, record->who[m]);
        double limit = record->who[m]->way == PAIR_LIBRARY ? slow_us : ours_slow_us;
        if (record->frames == 0)
            record->methods[m].slow = record->who[m]->us > limit;
    }
    size_t pairs = record->who[0]->pairs - before;
    record->min_pairs = pairs < record->min_pairs ? pairs : record->min_pairs;
    record->max_pairs = pairs > record->max_pairs ? pairs : record->max_pairs;
    record->overlapping += pair->boxes;
    record->unusual += pair->how != NULL;
    record->how = pair->how ? pair->how : record->how;
    record->frames++;
    pair->stats = NULL;
    queries_measure(&record->entry, rounds);
}
