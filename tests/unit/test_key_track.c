/* Keys of recorded motion: played again, every step is within the tolerance and within what the
 * track says; and what a camera sees of spheres, against points in its picture.
 */
#include "cli/key_track.h"
#include "cli/simulate_camera.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 600 };
static const double step_seconds = 1.0 / 150;

/* ---- keys ---------------------------------------------------------------------------------- */

/* A player of its own: the value between the two keys around a time. */
static void play(const key_track *track, double time, double *out)
{
    uint32_t k = 0, width = track->def.width;
    while (k + 2 < track->key_count && (double)track->times[k + 1] < time)
        k++;
    const float *a = track->values + (size_t)k * width;
    if (track->key_count == 1) {
        for (uint32_t i = 0; i < width; i++)
            out[i] = a[i];
        return;
    }
    const float *b = a + width;
    double share = (time - track->times[k]) / ((double)track->times[k + 1] - track->times[k]);
    double left = 1 - share, right = share, cosine = 0;
    if (track->def.measure == KEY_TURNS) {
        for (int i = 0; i < 4; i++)
            cosine += (double)a[i] * b[i];
        double angle = acos(fmin(1, fabs(cosine)));
        if (angle > 1e-9) {
            left = sin((1 - share) * angle) / sin(angle);
            right = sin(share * angle) / sin(angle);
        }
        right = cosine < 0 ? -right : right;
    }
    for (uint32_t i = 0; i < width; i++)
        out[i] = left * a[i] + right * b[i];
}

static void turn_point(const double q[4], const double v[3], double out[3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3], n = x * x + y * y + z * z + w * w;
    const double m[9] = {
        1 - 2 * (y * y + z * z) / n, 2 * (x * y - w * z) / n,     2 * (x * z + w * y) / n,
        2 * (x * y + w * z) / n,     1 - 2 * (x * x + z * z) / n, 2 * (y * z - w * x) / n,
        2 * (x * z - w * y) / n,     2 * (y * z + w * x) / n,     1 - 2 * (x * x + y * y) / n};
    for (int i = 0; i < 3; i++)
        out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
}

static double apart(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* How far apart two values put a vertex: by points on a ball for turns, and by fields that all
 * point one way, the worst there is, for weights.
 */
static double measure(const key_track_def *def, const double *a, const double *b)
{
    double most = 0;
    if (def->measure == KEY_PLACES)
        return apart(a, b);
    if (def->measure == KEY_WEIGHTS) {
        for (uint32_t i = 0; i < def->width; i++)
            most += fabs(a[i] - b[i]) * def->reach[i];
        return most;
    }
    for (int i = 0; i < 60; i++) {
        double u = acos(1 - 2 * (i + 0.5) / 60), v = 2.4 * i, p[3], q[3];
        const double point[3] = {def->reach[0] * sin(u) * cos(v), def->reach[0] * cos(u),
                                 def->reach[0] * sin(u) * sin(v)};
        turn_point(a, point, p);
        turn_point(b, point, q);
        most = fmax(most, apart(p, q));
    }
    return most;
}

/* Takes all values, and plays them again; the number of keys. */
static uint32_t check_track(const key_track_def *def, const double *values, uint32_t count,
                            double slack, const char *what)
{
    key_track track;
    double there[8], most = 0;
    key_track_begin(&track, def);
    for (uint32_t s = 0; s < count; s++)
        key_track_take(&track, values + (size_t)s * def->width);
    key_track_end(&track);
    for (uint32_t s = 0; s < count; s++) {
        play(&track, s * def->step_seconds, there);
        most = fmax(most, measure(def, values + (size_t)s * def->width, there));
    }
    CHECK_MSG(most <= def->tolerance + slack, "%s: off by %g, tolerance %g", what, most,
              def->tolerance);
    CHECK_MSG(most <= track.largest + 1e-9, "%s: off by %g, and %g was said", what, most,
              track.largest);
    for (uint32_t k = 1; k < track.key_count; k++)
        CHECK(track.times[k] > track.times[k - 1]);
    CHECK(track.times[0] == 0);
    CHECK(track.times[track.key_count - 1] == (float)((count - 1) * def->step_seconds));
    uint32_t keys = track.key_count;
    key_track_free(&track);
    return keys;
}

/* Falls, bounces, slides, rests, and is thrown again. */
static void make_places(double *values)
{
    for (int s = 0; s < STEPS; s++) {
        double t = s * step_seconds, local = fmod(t, 1);
        values[3 * s] = t < 2 ? 3 * t : 6;
        values[3 * s + 1] = t < 2 ? fabs(4.9 * local * (1 - local)) : s < 450 ? 0 : 2 * (t - 3);
        values[3 * s + 2] = 0.1 * sin(20 * t) * (t < 2);
    }
}

TEST(places_are_within_the_tolerance)
{
    double values[3 * STEPS];
    uint32_t before = STEPS;
    make_places(values);
    for (double tolerance = 1e-5; tolerance < 0.2; tolerance *= 10) {
        key_track_def def = {.measure = KEY_PLACES,
                             .width = 3,
                             .tolerance = tolerance,
                             .step_seconds = step_seconds};
        uint32_t keys = check_track(&def, values, STEPS, 1e-6, "places");
        CHECK(keys <= before);
        before = keys;
    }
    CHECK_MSG(before < STEPS / 10, "%u keys with a tolerance of 10 cm", before);
}

/* A turn and its negative are one: the sign jumps at random. */
TEST(turns_are_within_the_tolerance)
{
    double values[4 * STEPS];
    const double reach = 0.7;
    test_random random = test_random_seed(11);
    for (int s = 0; s < STEPS; s++) {
        double t = s * step_seconds, half = t < 2 ? 2 * t * t : 8,
               sign = test_random_range(&random, -1, 1);
        double axis[3] = {0.6, 0.8 * cos(t), 0.8 * sin(t)};
        for (int k = 0; k < 4; k++)
            values[4 * s + k] = (k < 3 ? sin(half) * axis[k] : cos(half)) * (sign < 0 ? -1 : 1);
    }
    uint32_t before = STEPS;
    for (double tolerance = 1e-5; tolerance < 0.2; tolerance *= 10) {
        key_track_def def = {.measure = KEY_TURNS,
                             .width = 4,
                             .reach = &reach,
                             .tolerance = tolerance,
                             .step_seconds = step_seconds};
        uint32_t keys = check_track(&def, values, STEPS, 1e-6, "turns");
        CHECK(keys <= before);
        before = keys;
    }
    CHECK_MSG(before < STEPS / 8, "%u keys with a tolerance of 10 cm", before);
}

TEST(weights_are_within_the_tolerance)
{
    double values[5 * STEPS];
    const double reach[5] = {0.1, 0.02, 1, 0, 0.5};
    for (int s = 0; s < STEPS; s++)
        for (int k = 0; k < 5; k++)
            values[5 * s + k] = exp(-0.02 * s) * sin((0.05 + 0.2 * k) * s) + 0.1 * k;
    for (double tolerance = 1e-5; tolerance < 0.2; tolerance *= 10) {
        key_track_def def = {.measure = KEY_WEIGHTS,
                             .width = 5,
                             .reach = reach,
                             .tolerance = tolerance,
                             .step_seconds = step_seconds};
        check_track(&def, values, STEPS, 1e-6, "weights");
    }
}

/* What sleeps costs two keys, however long, and starts again when it does. */
TEST(what_stands_has_two_keys)
{
    enum { LONG = 5000 };
    double *values = calloc(3 * LONG, sizeof *values);
    key_track_def def = {
        .measure = KEY_PLACES, .width = 3, .tolerance = 1e-3, .step_seconds = step_seconds};
    CHECK(check_track(&def, values, LONG, 0, "still") == 2);
    CHECK(check_track(&def, values, 1, 0, "one step") == 1);
    for (int s = 4000; s < LONG; s++)
        values[3 * s] = 5;
    CHECK(check_track(&def, values, LONG, 1e-6, "one jump") == 4);
    for (int s = 10; s < LONG; s++)
        values[3 * s] = s < 50 ? sin(0.3 * s) : 5;
    uint32_t keys = check_track(&def, values, LONG, 1e-6, "falls asleep");
    CHECK_MSG(keys < 50, "%u keys", keys);
    free(values);
}

/* ---- the camera ---------------------------------------------------------------------------- */

/* Where a point is in the picture, by a projection of its own: x and y from -1 to 1. */
static bool is_in_picture(const double eye[3], const double look[3], double degrees,
                          const double point[3])
{
    double f[3], d[3], long_f = 0, across = 0, high = 0, deep = 0;
    for (int k = 0; k < 3; k++) {
        f[k] = look[k] - eye[k];
        d[k] = point[k] - eye[k];
        long_f += f[k] * f[k];
    }
    long_f = sqrt(long_f);
    double flat = sqrt(f[0] * f[0] + f[2] * f[2]);
    const double right[3] = {-f[2] / flat, 0, f[0] / flat};
    const double up[3] = {-f[0] * f[1] / (flat * long_f), flat / long_f,
                          -f[2] * f[1] / (flat * long_f)};
    for (int k = 0; k < 3; k++) {
        across += right[k] * d[k];
        high += up[k] * d[k];
        deep += f[k] / long_f * d[k];
    }
    double scale = tan(degrees * acos(-1) / 360);
    return deep > 0 && fabs(high) <= scale * deep && fabs(across) <= scale * deep * 16 / 9;
}

TEST(spheres_with_a_point_in_the_picture_are_seen)
{
    test_random random = test_random_seed(12);
    uint32_t seen = 0, unseen = 0, wrong = 0;
    for (int i = 0; i < 4000; i++) {
        double eye[3], look[3], centre[3], point[3], degrees = test_random_range(&random, 10, 120);
        double radius = test_random_range(&random, 0.01, 2);
        char text[200];
        simulate_camera camera;
        for (int k = 0; k < 3; k++) {
            eye[k] = test_random_range(&random, -5, 5);
            look[k] = test_random_range(&random, -5, 5);
            centre[k] = test_random_range(&random, -8, 8);
        }
        snprintf(text, sizeof text, "%.17g,%.17g,%.17g:%.17g,%.17g,%.17g:%.17g", eye[0], eye[1],
                 eye[2], look[0], look[1], look[2], degrees);
        CHECK(simulate_camera_parse(&camera, text));
        bool sees = simulate_camera_sees(&camera, centre, radius);
        seen += sees;
        unseen += !sees;
        for (int j = 0; j < 50; j++) {
            double squared = 0;
            for (int k = 0; k < 3; k++) {
                double x = test_random_range(&random, -1, 1);
                point[k] = centre[k] + radius * x;
                squared += x * x;
            }
            wrong += squared <= 1 && !sees && is_in_picture(eye, look, degrees, point);
        }
        /* A sphere that is a point is seen if the point is. */
        bool exact = simulate_camera_sees(&camera, centre, 0);
        CHECK_MSG(exact == is_in_picture(eye, look, degrees, centre), "camera %s", text);
    }
    CHECK_MSG(wrong == 0 && seen > 400 && unseen > 400, "%u seen, %u not, %u wrong", seen, unseen,
              wrong);
}

TEST(cameras_that_are_none)
{
    static const char *const texts[] = {"",
                                        "1,2,3",
                                        "1,2,3:",
                                        "1,2,3:1,2,3",
                                        "1,2:4,5,6",
                                        "1,2,3:4,5,6:",
                                        "1,2,3:4,5,6:0",
                                        "1,2,3:4,5,6:180",
                                        "1,2,3:4,5,6:40x",
                                        "1,2,3:4,5,6 ",
                                        "nan,2,3:4,5,6",
                                        "1,2,3:4,5,inf",
                                        "1,2,3:4,5,6:nan",
                                        "1;2;3:4;5;6"};
    simulate_camera camera;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK_MSG(!simulate_camera_parse(&camera, texts[i]), "\"%s\" was taken", texts[i]);
    CHECK(simulate_camera_parse(&camera, "0,5,0:0,0,0"));
    const double below[3] = {0.1, 0, -0.1}, above[3] = {0, 6, 0};
    CHECK(simulate_camera_sees(&camera, below, 0) && !simulate_camera_sees(&camera, above, 0.5));
}
