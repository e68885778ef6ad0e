/* Rooms as heaps: a full one gives its highest pair for a lower one. */
#include "batch/rooms.h"

#include "base/status.h"

#include <string.h>

static bool is_below(const graze_pair *x, const graze_pair *y)
{
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

/* Moves the pair at `at` down to where it belongs among the first count. */
static void sift(graze_pair *heap, size_t at, size_t count)
{
    const graze_pair moved = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && is_below(&heap[child], &heap[child + 1]);
        if (!is_below(&moved, &heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

static void make_heap(grazei_room *room)
{
    for (size_t i = room->count / 2; i-- > 0;)
        sift(room->pairs, i, room->count);
}

grazei_room grazei_room_open(const graze_pose_results *results, size_t pose,
                             const uint32_t parts[2])
{
    grazei_room room = {.parts = {parts[0], parts[1]}};
    const size_t cells = (size_t)parts[0] * parts[1];
    if (results->pairs && results->pair_offsets) {
        room.pairs = results->pairs + results->pair_offsets[pose];
        room.capacity = (size_t)(results->pair_offsets[pose + 1] - results->pair_offsets[pose]);
    } else if (results->pairs) {
        room.pairs = results->pairs + pose * results->pair_capacity;
        room.capacity = results->pair_capacity;
    }
    if (results->matrix) {
        room.matrix = results->matrix + pose * cells;
        memset(room.matrix, 0, cells * sizeof *room.matrix);
    }
    return room;
}

void grazei_room_take(grazei_room *room, const graze_pair *pair, uint32_t part_a, uint32_t part_b,
                      bool self)
{
    room->total++;
    if (room->matrix) {
        room->matrix[(size_t)part_a * room->parts[1] + part_b]++;
        if (self && part_a != part_b)
            room->matrix[(size_t)part_b * room->parts[1] + part_a]++;
    }
    if (room->count < room->capacity) {
        room->pairs[room->count++] = *pair;
        if (room->count == room->capacity)
            make_heap(room);
    } else if (room->capacity && is_below(pair, &room->pairs[0])) {
        room->pairs[0] = *pair;
        sift(room->pairs, 0, room->count);
    }
}

void grazei_room_close(grazei_room *room, graze_pose_results *results, size_t pose)
{
    make_heap(room);
    for (size_t last = room->count; last-- > 1;) {
        const graze_pair highest = room->pairs[0];
        room->pairs[0] = room->pairs[last];
        room->pairs[last] = highest;
        sift(room->pairs, 0, last);
    }
    if (results->marks)
        results->marks[pose] = room->total ? GRAZE_POSE_MEETS : GRAZE_POSE_APART;
    if (results->counts)
        results->counts[pose] = room->total < UINT32_MAX ? (uint32_t)room->total : UINT32_MAX;
}

void grazei_room_spoil(graze_pose_results *results, size_t pose, const uint32_t parts[2],
                       uint8_t mark)
{
    grazei_room_open(results, pose, parts);
    if (results->marks)
        results->marks[pose] = mark;
    if (results->counts)
        results->counts[pose] = 0;
}

graze_status grazei_check_rooms(const graze_pose_results *results, size_t count, graze_error *error)
{
    const uint64_t *offsets = results->pair_offsets;
    if (!results->pairs)
        return GRAZE_OK;
    if (!offsets && !results->pair_capacity)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "there is room for no pairs: pair_capacity is 0");
    if (offsets && results->pair_capacity)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the pairs have a capacity and offsets: one of them is to be left out");
    for (size_t n = 0; offsets && n < count; n++)
        if (offsets[n] > offsets[n + 1])
            return grazei_fail(error, GRAZE_BAD_INPUT, "pair offset %zu is below the one before",
                               n + 1);
    if (!offsets && count > SIZE_MAX / sizeof(graze_pair) / results->pair_capacity)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%zu rooms of %zu pairs are too many", count,
                           results->pair_capacity);
    return GRAZE_OK;
}
