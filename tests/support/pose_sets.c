#include "support/pose_sets.h"

#include "support/pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = 4 };

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

static graze_model *make_model(const pose_set_def *def, const soup *from, test_random *random)
{
    graze_model_def made = soup_model_def(from);
    const uint32_t vertices = from->def.vertex_count;
    graze_morph_target targets[4] = {{.count = vertices}};
    graze_error error;
    graze_model *model = NULL;
    for (uint32_t m = 0; m < def->morphs; m++) {
        float *deltas = take(3 * (size_t)vertices, sizeof *deltas);
        for (uint32_t i = 0; i < 3 * vertices; i++)
            deltas[i] = (float)test_random_range(random, -0.1, 0.1);
        targets[m] = (graze_morph_target){.deltas = deltas, .count = vertices - m};
    }
    made.allocator = def->allocator;
    made.skinning = def->skinning;
    made.morphs = targets;
    made.morph_count = def->morphs;
    if (graze_model_create(&made, &model, &error)) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    for (uint32_t m = 0; m < def->morphs; m++) {
        void *deltas;
        memcpy(&deltas, &targets[m].deltas, sizeof deltas);
        free(deltas);
    }
    return model;
}

/* Replaces what a set has by the positions that come of it. Those of a bad pose have one bad. */
static void turn_into_positions(pose_sets *sets)
{
    OWN(graze_body) *body = NULL;
    const uint32_t vertices = graze_model_get_info(sets->model).vertex_count;
    float *positions = take(sets->set.count * vertices, 3 * sizeof *positions);
    if (graze_body_create(sets->model, &body, NULL))
        abort();
    for (size_t n = 0; n < sets->set.count; n++) {
        const bool bad = pose_sets_pose(body, &sets->set, n);
        graze_body_get_positions(body, positions + 3 * (size_t)vertices * n);
        if (bad)
            positions[3 * (size_t)vertices * n + n % (3 * (size_t)vertices)] = INFINITY;
    }
    const size_t count = sets->set.count;
    graze_model *model = sets->model;
    sets->model = NULL;
    pose_sets_free(sets);
    *sets = (pose_sets){model, {.count = count, .positions = positions, .vertex_count = vertices}};
}

pose_sets pose_sets_make(const pose_set_def *def)
{
    test_random random = test_random_seed(def->seed);
    const soup_def shape = {.vertex_count = def->triangles / 2 + 12,
                            .triangle_count = def->triangles,
                            .joint_count = JOINTS,
                            .max_influences = 1 + (uint32_t)def->seed % 4,
                            .size = 1,
                            .lattice = def->lattice};
    OWN(soup) from = soup_make(&shape, &random);
    pose_sets made = {.model = make_model(def, &from, &random), .set = {.count = def->count}};
    float *joints = take(def->count, 12 * JOINTS * sizeof *joints);
    float *placements = def->placed ? take(def->count, 12 * sizeof *placements) : NULL;
    float *weights = def->morphs ? take(def->count, def->morphs * sizeof *weights) : NULL;
    for (size_t n = 0; n < def->count; n++) {
        float *row = joints + 12 * JOINTS * n;
        pose_make(def->lattice ? MAP_LATTICE : n % 3 ? MAP_NEAR : MAP_RIGID, &from, &random, row);
        if (def->bad_every && n % def->bad_every == def->bad_every - 1)
            row[n % (12 * JOINTS)] = n % 2 ? NAN : INFINITY;
        if (placements)
            map_make(def->lattice ? MAP_LATTICE : MAP_RIGID, from.centre, 1, &random,
                     placements + 12 * n);
        for (uint32_t m = 0; m < def->morphs; m++)
            weights[def->morphs * n + m] =
                m == n % 3 ? 0 : (float)test_random_range(&random, -1, 1);
    }
    made.set.joints = joints;
    made.set.joint_count = JOINTS;
    made.set.placements = placements;
    made.set.morph_weights = weights;
    made.set.morph_count = def->morphs;
    if (def->positions)
        turn_into_positions(&made);
    return made;
}

static void free_array(const float *array)
{
    void *memory;
    memcpy(&memory, &array, sizeof memory);
    free(memory);
}

void pose_sets_free(pose_sets *sets)
{
    free_array(sets->set.joints);
    free_array(sets->set.placements);
    free_array(sets->set.morph_weights);
    free_array(sets->set.positions);
    graze_model_destroy(sets->model);
}

graze_status pose_sets_pose(graze_body *body, const graze_pose_set *set, size_t n)
{
    graze_pose pose = {0};
    if (set->positions)
        return graze_body_set_positions(body, set->positions + 3 * set->vertex_count * n, 0,
                                        set->vertex_count, NULL);
    pose.joints = set->joints ? set->joints + 12 * set->joint_count * n : NULL;
    pose.joint_count = set->joints ? set->joint_count : 0;
    pose.placement = set->placements ? set->placements + 12 * n : NULL;
    pose.morph_weights = set->morph_weights ? set->morph_weights + set->morph_count * n : NULL;
    pose.morph_count = set->morph_weights ? set->morph_count : 0;
    return graze_body_set_pose(body, &pose, NULL);
}

pose_answers pose_answers_make(size_t count, const graze_model *a, const graze_model *b,
                               size_t capacity)
{
    pose_answers made = {.count = count};
    made.parts[0] = graze_model_get_info(a).part_count;
    made.parts[1] = graze_model_get_info(b).part_count;
    graze_pose_results *to = &made.results;
    to->marks = take(count, 1);
    to->counts = take(count, sizeof *to->counts);
    to->matrix = take(count * made.parts[0] * made.parts[1], sizeof *to->matrix);
    to->pairs = take(count * capacity, sizeof *to->pairs);
    to->pair_capacity = capacity;
    memset(to->marks, 77, count);
    return made;
}

void pose_answers_free(pose_answers *answers)
{
    free(answers->results.marks);
    free(answers->results.counts);
    free(answers->results.matrix);
    free(answers->results.pairs);
}

static void answer_one(pose_answers *answers, size_t n, pair_set *found, const graze_model *a,
                       const graze_model *b)
{
    graze_pose_results *to = &answers->results;
    uint32_t *matrix = to->matrix + n * answers->parts[0] * answers->parts[1];
    pair_set_sort(found);
    to->marks[n] = found->count > 0;
    to->counts[n] = (uint32_t)found->count;
    to->total += found->count;
    for (size_t i = 0; i < found->count; i++) {
        const uint32_t p = graze_model_triangle_part(a, found->pairs[i].a);
        const uint32_t q = graze_model_triangle_part(b ? b : a, found->pairs[i].b);
        matrix[p * answers->parts[1] + q]++;
        if (!b && p != q)
            matrix[q * answers->parts[1] + p]++;
        if (i < to->pair_capacity)
            to->pairs[n * to->pair_capacity + i] = found->pairs[i];
        else
            to->not_stored++;
    }
}

void pose_answers_one_by_one(pose_answers *answers, graze_body *body, const graze_pose_set *set,
                             graze_body *other, const graze_pose_set *other_set,
                             const graze_part_filter *filter, bool only_new)
{
    OWN(pair_set) found = {0};
    graze_options options = {.only_new = only_new};
    for (size_t n = 0; n < answers->count; n++) {
        if (pose_sets_pose(body, set, n) || (other && pose_sets_pose(other, other_set, n))) {
            answers->results.marks[n] = GRAZE_POSE_BAD;
            answers->results.first_bad = answers->results.bad ? answers->results.first_bad : n;
            answers->results.bad++;
            continue;
        }
        pair_set_clear(&found);
        if (other ? graze_pairs(body, other, TO_PAIR_SET(&found), NULL, NULL)
                  : graze_self_pairs(body, filter, TO_PAIR_SET(&found), &options, NULL))
            abort();
        answer_one(answers, n, &found, graze_body_model(body),
                   other ? graze_body_model(other) : NULL);
    }
}

size_t pose_answers_equal(const pose_answers *x, const pose_answers *y)
{
    const size_t cells = (size_t)x->parts[0] * x->parts[1], room = x->results.pair_capacity;
    const graze_pose_results *a = &x->results, *b = &y->results;
    size_t equal = 0;
    for (size_t n = 0; n < x->count; n++)
        equal +=
            a->marks[n] == b->marks[n] && a->counts[n] == b->counts[n] &&
            memcmp(a->matrix + n * cells, b->matrix + n * cells, cells * sizeof *a->matrix) == 0 &&
            memcmp(a->pairs + n * room, b->pairs + n * room, room * sizeof *a->pairs) == 0;
    return equal;
}
