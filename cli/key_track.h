/* Keys of one animated property, chosen while it is recorded step by step: as few as keep every
 * step within a tolerance, so that a long recording takes the memory of its keys.
 */
#ifndef GRAZE_CLI_KEY_TRACK_H
#define GRAZE_CLI_KEY_TRACK_H

#include <stdbool.h>
#include <stdint.h>

/* How far apart two values are. */
typedef enum key_measure {
    KEY_PLACES, /* 3 numbers: their distance */
    KEY_TURNS,  /* quaternions x y z w: how far a point at reach[0] from the centre moves at most */
    KEY_WEIGHTS /* the sum of differences, each times its reach */
} key_measure;

typedef struct key_track_def {
    key_measure measure;
    uint32_t width;      /* numbers a value */
    const double *reach; /* stays the caller's; NULL of places */
    double tolerance;    /* 0 or more */
    double step_seconds; /* the first step that is taken is at time 0 */
} key_track_def;

typedef struct key_track {
    key_track_def def;
    uint32_t key_count, capacity;
    float *times, *values; /* of the keys: linear between them, turns on the shorter way round */
    double largest;        /* by how far a step is off at most, once the track has ended */

    uint32_t step, key_step; /* the last that was taken; that of the last key */
    double *window;          /* values after the last key, and behind them the last one taken */
    uint32_t window_count;
    double rounding; /* by how far keys are off, as floats */
    double segment;  /* by how far they are off, if the last of them becomes a key */
} key_track;

void key_track_begin(key_track *track, const key_track_def *def);
void key_track_free(key_track *track);

/* The value at the next step. */
void key_track_take(key_track *track, const double *value);

/* The last value that was taken becomes a key, if it is none. */
void key_track_end(key_track *track);

/* Whether nothing ever changed. */
bool key_track_is_still(const key_track *track);

#endif
