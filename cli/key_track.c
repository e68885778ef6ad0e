#include "cli/key_track.h"

#include "cli/room.h"

#include <math.h>

/* Values that wait for the end of a segment: it is no longer than that, and a step costs no more
 * than so many comparisons.
 */
enum { WINDOW = 32 };

void key_track_begin(key_track *track, const key_track_def *def)
{
    *track = (key_track){.def = *def};
    track->window = room((WINDOW + 1) * (size_t)def->width, sizeof *track->window);
}

void key_track_free(key_track *track)
{
    free(track->times);
    free(track->values);
    free(track->window);
    *track = (key_track){.key_count = 0};
}

static double *last_value(const key_track *track)
{
    return track->window + (size_t)WINDOW * track->def.width;
}

/* ---- distances ----------------------------------------------------------------------------- */

static double dot4(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static double distance(const key_track_def *def, const double *a, const double *b)
{
    double sum = 0;
    if (def->measure == KEY_PLACES) {
        for (int k = 0; k < 3; k++)
            sum += (a[k] - b[k]) * (a[k] - b[k]);
        return sqrt(sum);
    }
    if (def->measure == KEY_TURNS) {
        /* Turned by t about an axis a point moves by 2 sin(t / 2) times its distance from it at
         * most, and sin(t / 2) is the vector part of one turn undone by the other.
         */
        double x = a[3] * b[0] - a[0] * b[3] + a[2] * b[1] - a[1] * b[2];
        double y = a[3] * b[1] - a[1] * b[3] + a[0] * b[2] - a[2] * b[0];
        double z = a[3] * b[2] - a[2] * b[3] + a[1] * b[0] - a[0] * b[1];
        double lengths = sqrt(dot4(a, a) * dot4(b, b));
        return 2 * sqrt(x * x + y * y + z * z) / lengths * def->reach[0];
    }
    for (uint32_t k = 0; k < def->width; k++)
        sum += fabs(a[k] - b[k]) * def->reach[k];
    return sum;
}

/* Between two keys, as players do it. */
static void between(const key_track_def *def, const double *a, const double *b, double share,
                    double *out)
{
    double left = 1 - share, right = share;
    if (def->measure == KEY_TURNS) {
        double cosine = dot4(a, b), side = cosine < 0 ? -1 : 1;
        double angle = acos(fmin(1, fabs(cosine)));
        if (angle > 1e-4) {
            left = sin(left * angle) / sin(angle);
            right = sin(right * angle) / sin(angle);
        }
        right *= side;
    }
    for (uint32_t k = 0; k < def->width; k++)
        out[k] = left * a[k] + right * b[k];
}

/* ---- keys ---------------------------------------------------------------------------------- */

enum { MOST_WIDTH = 64 };

/* A value as the file will have it. */
static void round_value(const key_track_def *def, const double *value, double *out)
{
    for (uint32_t k = 0; k < def->width; k++)
        out[k] = (float)value[k];
}

static double time_of(const key_track *track, uint32_t step)
{
    return step * track->def.step_seconds;
}

static void grow(key_track *track)
{
    track->capacity = track->capacity ? 2 * track->capacity : 4;
    track->times = more_room(track->times, track->capacity, sizeof *track->times);
    track->values =
        more_room(track->values, (size_t)track->capacity * track->def.width, sizeof *track->values);
}

/* Times of keys are rounded too: how far the two last keys' own steps are off for that. */
static double shift_of_times(const key_track *track, uint32_t before, uint32_t step)
{
    const key_track_def *def = &track->def;
    const float *ends = track->values + (size_t)(track->key_count - 2) * def->width;
    const float *times = track->times + track->key_count - 2;
    double from[MOST_WIDTH], to[MOST_WIDTH], there[MOST_WIDTH];
    double length = (double)times[1] - times[0];
    for (uint32_t k = 0; k < def->width; k++) {
        from[k] = ends[k];
        to[k] = ends[def->width + k];
    }
    between(def, from, to, fmax(0, time_of(track, before) - times[0]) / length, there);
    double first = distance(def, from, there);
    between(def, from, to, 1 + fmin(0, time_of(track, step) - times[1]) / length, there);
    return fmax(first, distance(def, to, there));
}

static void add_key(key_track *track, uint32_t step, const double *value)
{
    double rounded[MOST_WIDTH];
    if (track->key_count == track->capacity)
        grow(track);
    float *values = track->values + (size_t)track->key_count * track->def.width;
    for (uint32_t k = 0; k < track->def.width; k++)
        values[k] = (float)value[k];
    track->times[track->key_count++] = (float)time_of(track, step);
    round_value(&track->def, value, rounded);
    track->rounding = fmax(track->rounding, distance(&track->def, value, rounded));
    double shift = track->key_count > 1 ? shift_of_times(track, track->key_step, step) : 0;
    track->largest = fmax(track->largest, fmax(track->segment, shift + track->rounding));
    track->segment = 0;
    track->window_count = 0;
    track->key_step = step;
}

/* Whether everything since the last key lies between it and this value, the next. */
static bool fits(key_track *track, const double *value)
{
    const key_track_def *def = &track->def;
    double from[MOST_WIDTH], to[MOST_WIDTH], there[MOST_WIDTH], worst = 0;
    const float *key = track->values + (size_t)(track->key_count - 1) * def->width;
    double start = track->times[track->key_count - 1];
    double end = (float)time_of(track, track->step);
    for (uint32_t k = 0; k < def->width; k++)
        from[k] = key[k];
    round_value(def, value, to);
    for (uint32_t i = 0; i < track->window_count && worst <= def->tolerance; i++) {
        double share = (time_of(track, track->key_step + 1 + i) - start) / (end - start);
        between(def, from, to, share, there);
        worst = fmax(worst, distance(def, track->window + (size_t)i * def->width, there));
    }
    if (worst <= def->tolerance)
        track->segment = worst;
    return worst <= def->tolerance;
}

/* Turns on the side of the one before, as a turn and its negative are the same. */
static void take_over(const key_track *track, const double *value, double *out)
{
    memcpy(out, value, track->def.width * sizeof *out);
    if (track->def.measure == KEY_TURNS && track->key_count && dot4(value, last_value(track)) < 0)
        for (int k = 0; k < 4; k++)
            out[k] = -value[k];
}

void key_track_take(key_track *track, const double *value)
{
    double next[MOST_WIDTH], *last = last_value(track);
    size_t size = track->def.width * sizeof *last;
    take_over(track, value, next);
    if (track->key_count == 0) {
        memcpy(last, next, size);
        add_key(track, 0, next);
        return;
    }
    uint32_t before = track->step++;
    if (track->window_count == WINDOW || (track->window_count && !fits(track, next)))
        add_key(track, before, last);
    bool stands = track->window_count == 0;
    if (stands && memcmp(last, next, size) == 0)
        return;
    if (stands && before > track->key_step)
        add_key(track, before, last);
    memcpy(track->window + (size_t)track->window_count++ * track->def.width, next, size);
    memcpy(last, next, size);
}

void key_track_end(key_track *track)
{
    if (track->key_count && track->step != track->key_step)
        add_key(track, track->step, last_value(track));
}

bool key_track_is_still(const key_track *track)
{
    size_t size = track->def.width * sizeof *track->values;
    for (uint32_t k = 1; k < track->key_count; k++)
        if (memcmp(track->values, track->values + (size_t)k * track->def.width, size) != 0)
            return false;
    return true;
}
