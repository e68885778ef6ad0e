#include "cli/simulate_camera.h"

#include "cli/vector.h"

#include <stdlib.h>

static bool normalise(double a[3])
{
    double length = length_of(a);
    for (int k = 0; k < 3; k++)
        a[k] /= length;
    return length > 1e-9 && isfinite(length);
}

/* Through the eye, inside is where forward x sine + side x cosine points. */
static void set_plane(double plane[4], const double eye[3], const double forward[3],
                      const double side[3], double half_angle, double sign)
{
    for (int k = 0; k < 3; k++)
        plane[k] = forward[k] * sin(half_angle) + sign * side[k] * cos(half_angle);
    plane[3] = dot(plane, eye);
}

bool simulate_camera_aim(simulate_camera *camera, const double eye[3], const double look[3],
                         double degrees)
{
    double forward[3], right[3], up[3] = {0, 1, 0};
    for (int k = 0; k < 3; k++)
        forward[k] = look[k] - eye[k];
    if (!normalise(forward) || !(degrees > 0 && degrees < 180))
        return false;
    cross(forward, up, right);
    if (!normalise(right)) { /* straight up or down: -Z is at the top of the picture */
        right[0] = 1;
        right[1] = right[2] = 0;
    }
    cross(right, forward, up);
    double high = degrees / 2 * (acos(-1) / 180), wide = atan(tan(high) * 16 / 9);
    set_plane(camera->planes[0], eye, forward, right, wide, 1);
    set_plane(camera->planes[1], eye, forward, right, wide, -1);
    set_plane(camera->planes[2], eye, forward, up, high, 1);
    set_plane(camera->planes[3], eye, forward, up, high, -1);
    set_plane(camera->planes[4], eye, forward, up, acos(-1) / 2, 0);
    return true;
}

/* "X,Y,Z"; what follows, or NULL. */
static const char *parse_point(const char *text, double point[3])
{
    for (int k = 0; k < 3; k++) {
        char *end;
        point[k] = strtod(text, &end);
        if (end == text || !(fabs(point[k]) < 1e9) || (k < 2 && *end != ','))
            return NULL;
        text = end + (k < 2);
    }
    return text;
}

bool simulate_camera_parse(simulate_camera *camera, const char *text)
{
    double eye[3], look[3], degrees = SIMULATE_FIELD_OF_VIEW;
    char *end;
    const char *at = parse_point(text, eye);
    at = at && *at == ':' ? parse_point(at + 1, look) : NULL;
    if (!at)
        return false;
    if (*at == ':') {
        degrees = strtod(at + 1, &end);
        if (end == at + 1)
            return false;
        at = end;
    }
    return !*at && simulate_camera_aim(camera, eye, look, degrees);
}

bool simulate_camera_sees(const simulate_camera *camera, const double centre[3], double radius)
{
    for (int i = 0; i < 5; i++)
        if (dot(camera->planes[i], centre) - camera->planes[i][3] < -radius)
            return false;
    return true;
}
