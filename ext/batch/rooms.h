/* The caller's room for the pairs of a pose, and what is counted of them. Of too many pairs the
 * lowest stay, in whichever order they come.
 */
#ifndef GRAZEI_BATCH_ROOMS_H
#define GRAZEI_BATCH_ROOMS_H

#include <graze/ext/batch.h>

/* A pose's results on their way. */
typedef struct grazei_room {
    graze_pair *pairs; /* a heap, the highest on top, once it is full */
    size_t capacity, count;
    uint64_t total;
    uint32_t *matrix; /* NULL: not wanted */
    uint32_t parts[2];
} grazei_room;

/* The room of a pose, empty; its matrix is zeroed. parts: of both models. */
grazei_room grazei_room_open(const graze_pose_results *results, size_t pose,
                             const uint32_t parts[2]);

/* Takes a pair of triangles of these two parts; self: of one body. */
void grazei_room_take(grazei_room *room, const graze_pair *pair, uint32_t part_a, uint32_t part_b,
                      bool self);

/* Puts the pairs in order, and writes mark and count of a pose that is not bad. */
void grazei_room_close(grazei_room *room, graze_pose_results *results, size_t pose);

/* Writes those of a pose without an answer. */
void grazei_room_spoil(graze_pose_results *results, size_t pose, const uint32_t parts[2],
                       uint8_t mark);

/* Errors for results whose rooms cannot be. */
graze_status grazei_check_rooms(const graze_pose_results *results, size_t count,
                                graze_error *error);

#endif
